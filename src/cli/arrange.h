/* arrange.h: puts a graph into the order that the user or an algorithm asks for. */
#ifndef GTRAV_CLI_ARRANGE_H
#define GTRAV_CLI_ARRANGE_H

#include "../bench/bench.h"
#include "../graph/reorder.h"

/* Makes a new graph in the wanted order, which the caller releases, and prints how long it took. *reorder_ms: that
 * time. */
int put_in_order(const struct graph *graph, const struct reorder *wanted, struct graph *reordered, double *reorder_ms,
                 struct error *error);

/* A graph in the order that an algorithm asks for; zeroed before the first use. The caller releases the graph. */
struct arrangement {
    const char *spec; /* a spec for reorder_parse(); NULL: no order was made yet */
    struct graph graph;
    double ms; /* time to make it */
};

/* Puts the graph into the request in the order that its algorithm asks for, if it asks for one. For runs where the
 * user chose no order. *own keeps that graph for the next algorithm that asks for the same order. All ranks call it.
 */
int arrange(struct bench_request *request, struct arrangement *own, struct error *error);

#endif
