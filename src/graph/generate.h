/* generate.h: generated graphs: kron:20, grid:100x37, ... */
#pragma once

#include "graph.h"

struct generation; /* generators.h */
struct edge_writer;
typedef int prepare_generator(struct generation *generation, struct error *error);
typedef void push_generator(const struct generation *generation, struct edge_writer *writer, uint64_t item);

#define MAX_SPEC_NUMBERS 4

/* A row of the table of generators, which the spec parser, help and messages read. See generators.h. */
struct generator {
    const char *name;   /* "kron" */
    const char *syntax; /* "kron:SCALE[:EDGEFACTOR]" */
    const char *help;   /* one line */
    struct {
        uint64_t minimum, maximum;
    } ranges[MAX_SPEC_NUMBERS]; /* ranges of the numbers in `syntax`, in that order; a probability, P, has no range */
    bool directed;
    prepare_generator *prepare;
    push_generator *push;
    enum weight_source weights; /* the rule of its weights; WEIGHTS_INPUT: it has none of its own */
};

/* The table of generators. Its last row has a NULL name. */
extern const struct generator generators[];

/* Returns whether the spec looks like a generator's: a colon, no slash before it. A file may have such a name. */
bool is_generator_spec(const char *spec);

/* Generates the graph of a spec: the same graph on every machine and with any number of threads. undirected: if the
 * generator is directed, adds the reverse of every edge. weighted: if its benchmark has a rule for weights, the graph
 * gets weights by that rule. Sets every field of *graph except name. STATUS_INPUT, with
 * the syntax in the message, for a bad spec. On failure *graph is empty. */
int graph_generate(const char *spec, bool undirected, bool weighted, struct graph *graph, struct error *error);

/* The same without making any edges: *graph has no lists, and num_edges is the generator's estimate. */
int graph_generate_without_lists(const char *spec, struct graph *graph, struct error *error);
