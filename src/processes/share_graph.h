/* share_graph.h: copies of a graph for all processes; one process reads or generates it, and orders it. */
#pragma once

#include "../graph/graph.h"

/* All (ranks.h), if no rank has an error: *graph, empty on ranks other than 0, becomes a copy of rank 0's graph in
 * memory of its own, even if rank 0 has mapped a .gtrav file. graph_release() frees it. An empty graph stays empty.
 * If memory is short on any rank, all get that error, and *graph stays empty on ranks other than 0. */
int share_graph(struct graph *graph, struct error *error);
