/* graph500_run.h: a run of the Graph500 benchmark. */
#pragma once

#include "../graph/graph500_list.h"
#include "../records/result.h"

/* Searches from the request's sources, after one search that is not timed, and validates each tree. If all are valid,
 * prints the block of results in the reference program's form. trees: name of a .npy file for the parents of all
 * searches, uint32_t[num_sources][num_vertices]; NULL: no file. Sets *setup. STATUS_WRONG
 * at the first invalid tree, with the broken rule; STATUS_INPUT if the graph is not of the generator graph500. */
int graph500_run(const struct bench_request *request, const char *trees, struct setup *setup, FILE *file,
                 struct error *error);
