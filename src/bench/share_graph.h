/* share_graph.h: one process reads or generates a graph, and puts it into its order; the others get copies. */
#ifndef GTRAV_SHARE_GRAPH_H
#define GTRAV_SHARE_GRAPH_H

#include "../graph/graph.h"

/* All (ranks.h), without an error so far: *graph, empty on ranks other than 0, becomes a copy of rank 0's, with
 * memory of its own, also where rank 0 has mapped a .gtrav file. graph_release() frees it. An empty graph stays one.
 * Without room for it on any rank, all get that error, and *graph is empty on the others. */
int share_graph(struct graph *graph, struct error *error);

/* Adds a text to a hash of texts, to compare with that of other ranks (ranks_have_same()). NULL counts as a text of
 * its own. */
uint64_t hash_text(uint64_t hash, const char *text);

#endif
