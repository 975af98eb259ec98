/* graphs.h: the graphs of the conformance test, and the sources on them. A graph that cannot be made ends the
 * process. */
#pragma once

#include "../../src/records/result.h"

#define MAX_SOURCES   5
#define BATCH_SOURCES 37 /* of families with batches: not a multiple of a word, and with repeats on small graphs */

/* The n'th graph, which the caller releases; false: there are not so many. */
bool make_graph(size_t n, struct graph *graph);

/* Gives the graph weights, an array to be freed. The number chooses their type and their kind. */
void weigh(struct graph *graph, uint64_t number);

bool is_acyclic(const struct graph *graph);

/* The first, the middle and the last vertex, one of highest and one of lowest degree, each once. Returns how many. */
int choose_sources(const struct graph *graph, vertex_t sources[MAX_SOURCES]);

/* Searches of a `limited` algorithm with limits drawn by the seed. */
int check_limits(const struct bench_request *request, uint64_t seed, struct error *error);

/* A search that gives the subset of the algorithm's outputs with this number. */
int check_subset(const struct bench_request *request, uint64_t number, struct error *error);

/* These, and others up to BATCH_SOURCES. Returns how many: 0 if the graph has no vertices. */
int choose_batch(const struct graph *graph, vertex_t sources[BATCH_SOURCES]);
