/* generate.h: generated graphs: kron:20, grid:100x37, ... */
#pragma once

#include "graph.h"

struct generation; /* generators.h */
struct edge_writer;
typedef int prepare_generator(struct generation *generation, struct error *error);
typedef void push_generator(const struct generation *generation, struct edge_writer *writer, uint64_t first,
                            uint64_t end);

#define MAX_SPEC_NUMBERS 4

/* A row of the table of generators, which the spec parser, help and messages read. generators.h says more. */
struct generator {
    const char *name;   /* "kron" */
    const char *syntax; /* "kron:SCALE[:EDGEFACTOR]" */
    const char *help;   /* one line */
    struct {
        uint64_t minimum, maximum;
    } ranges[MAX_SPEC_NUMBERS]; /* ranges of the numbers in syntax, in that order; a probability, P, has none */
    bool directed;
    prepare_generator *prepare;
    push_generator *push;
};

/* The table; it ends with a NULL name. */
extern const struct generator generators[];

/* Whether spec looks like a generator's: text before a colon, without a slash. A file may have this name. */
bool is_generator_spec(const char *spec);

/* Generates the graph of a spec, which is the same on every machine and with any number of threads. undirected: adds
 * the reverse of every edge of a directed generator. Sets every field of *graph except name. A bad spec is
 * STATUS_INPUT, with the syntax in the message. On failure *graph is empty. */
int graph_generate(const char *spec, bool undirected, struct graph *graph, struct error *error);
