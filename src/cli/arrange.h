/* arrange.h: puts a graph into the order that the user or an algorithm asks for, for all ranks. */
#pragma once

#include "job.h"

#define NATURAL_ORDER "natural" /* the order of the input */

/* Makes a new graph in the wanted order, which the caller frees, and prints how long it took. *reorder_ms: that
 * time. */
int put_in_order(gtrav_graph *graph, const char *wanted, gtrav_graph **reordered, double *reorder_ms,
                 struct error *error);

/* All ranks, if none has an error: *graph, NULL on ranks other than 0, becomes a copy of rank 0's, which the caller
 * frees; NULL stays NULL. */
int share_handle(gtrav_context *context, gtrav_graph **graph, struct error *error);

/* A graph in the order that an algorithm asks for; zeroed before the first use. The caller frees the graph. */
struct arrangement {
    const char *spec;   /* as gtrav_graph_reorder() takes it; NULL: no order was made yet */
    gtrav_graph *graph; /* NULL: none */
    double ms;          /* time to make it */
};

/* Puts the graph, the request's, into the request in the order that its algorithm asks for, if it asks for one. For
 * runs where the user chose no order. *own keeps that graph for the next algorithm that asks for the same order. All
 * ranks call it. */
int arrange(struct job *job, gtrav_graph *graph, struct bench_request *request, struct arrangement *own,
            struct error *error);
