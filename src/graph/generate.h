/* generate.h: graphs made on the spot: kron:20, grid:100x37, ... */
#ifndef GTRAV_GENERATE_H
#define GTRAV_GENERATE_H

#include "graph.h"

struct generation; /* generators.h */
struct arc_writer;

/* One row of the table of generators: spec parser, help and messages read it. How one works is in generators.h. */
struct generator {
    const char *name;   /* "kron" */
    const char *syntax; /* "kron:SCALE[:EDGEFACTOR]" */
    const char *help;   /* one line */
    struct {
        uint64_t minimum, maximum;
    } ranges[2]; /* of the numbers in syntax, in their order; P, a probability, has none */
    bool directed;
    int (*prepare)(struct generation *generation, struct error *error);
    void (*push)(const struct generation *generation, struct arc_writer *writer, uint64_t first, uint64_t end);
};

/* Ends with a NULL name. */
extern const struct generator generators[];

/* Whether spec looks as if it were meant for a generator: something before a colon, and no slash before it.
 * That no such file exists is the caller's to check. */
bool is_generator_spec(const char *spec);

/* Makes the graph of a spec; the same on every machine and for every number of threads. undirected: adds the reverse
 * of every arc of a directed generator. Sets every field of *graph but name. A bad spec is STATUS_INPUT and the
 * message says how it is written. On failure *graph is empty. */
int graph_generate(const char *spec, bool undirected, struct graph *graph, struct error *error);

#endif
