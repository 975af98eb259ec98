/* share_graph.h: copies a graph to all processes, so that only one of them reads or generates it. */
#pragma once

#include "../graph/graph.h"

/* All ranks call it, if none has an error. On ranks other than 0, *graph must be empty, and becomes a copy of rank
 * 0's graph in memory of its own, even if rank 0 has mapped a .gtrav file. graph_release() frees it. If memory is
 * short on any rank, all get that error, and *graph stays empty on ranks other than 0. */
int share_graph(struct graph *graph, struct error *error);
