/* harness.h: what the program needs of the library beside its interface, because its harness (src/run and its
 * neighbours) measures algorithms on struct graph, with devices of its own, and shares graphs among processes. */
#pragma once

#include "../../include/gtrav.h"
#include "../error.h"

struct graph;
struct load_options;
struct borrowed; /* internal.h */

/* Calls with this context report progress and hear of signals by the listener of the process (progress.h), and run
 * with the number of threads that is set for OpenMP: those of the program. */
void context_of_process(gtrav_context *context);

/* gtrav_graph_load() with the options of load_options.h. as_stored: a graph that its file holds in another order than
 * its own stays in that order; gtrav_graph_permutation() is not NULL then. */
int load_graph(gtrav_context *context, const char *spec, const struct load_options *options, bool as_stored,
               gtrav_graph **graph, gtrav_error *error);

/* The graph of a handle; it lives as long. */
const struct graph *graph_of(const gtrav_graph *graph);

/* Makes a handle of a graph, which it takes over and empties; on failure the caller keeps it. borrowed: or NULL. */
int graph_adopt(gtrav_context *context, struct graph *own, const struct borrowed *borrowed, gtrav_graph **graph,
                struct error *error);

/* ---- words that name graphs (specs.c) ---- */

/* The spec that a word was probably meant to be: "krn:10" and "kron10" are "kron:10", "kron" is the generator's
 * syntax. False: it is not like any. */
bool suggest_spec(const char *word, char *text, size_t size);
