/* statistics.h: statistics of a graph, for `gtrav --info`. */
#pragma once

#include "../../include/gtrav.h"
#include "graph.h"

/* Fills *info, all but its size. Parallel. Needs about 12 bytes per vertex, and the transpose of a directed graph.
 * STATUS_INTERRUPTED on Ctrl-C. */
int graph_statistics(const struct graph *graph, gtrav_info *info, struct error *error);
