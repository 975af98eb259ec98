/* closeness.h: closeness centrality of every vertex, over any algorithm that takes many sources at once and gives far
 * values or sums (Blest, section 6.2).
 *
 * With far(v) the sum of the distances to v from the r(v) vertices that reach it, itself included, in a graph of n:
 *
 *   closeness(v) = (r(v) - 1) / (n - 1) * (r(v) - 1) / far(v),   0 where r(v) = 1
 *
 * In a connected graph that is equation 8, (n - 1) / far(v); else the formula that Wasserman and Faust (1994) give
 * for graphs of several components. On a directed graph distances are those to v. From K sources drawn of the n, far
 * is scaled up (Eppstein and Wang 2004): with c(v) of them reaching v, r(v) is the size of v's component, or on a
 * directed graph c(v) n / K, and far(v) what was summed times r(v) / c(v). */
#ifndef GTRAV_CLOSENESS_H
#define GTRAV_CLOSENESS_H

#include <stdio.h>

#include "request.h"

struct closeness_request {
    const struct bench_request *bench; /* its sources are those searched from, each once */
    /* The state is kept in this file (checkpoint.h), and taken up again if the file is there. It is written every
     * checkpoint_seconds (0: DEFAULT_CHECKPOINT_SECONDS), or less often where it would take more than 1% of the time;
     * a run that is killed loses what came after the last time. Removed by closeness_forget(). NULL: none. On ranks
     * other than 0 only whether it is NULL counts. */
    const char *checkpoint;
    int checkpoint_seconds;
};

struct closeness_result {
    double *closeness; /* num_vertices; NULL: not done */
    uint64_t *far;     /* num_vertices: over the sources, as in struct traversal */
    uint32_t *far_count;
    uint64_t num_done, num_resumed; /* sources; of them, those of earlier runs, by the checkpoint */
    uint64_t edges;                 /* out of what each source reached, summed over all */
    /* From the first batch to the totals of all, on the clock; and of all traversals of the device that had most of
     * them. Earlier runs' are included. */
    double all_time_ms, all_kernel_ms;
    struct bench_result figures; /* summary: of the batches that ran now; trials: one a batch */
};

/* count vertices drawn without putting back, the same for the same graph size; each at most once. */
int sample_vertices(const struct graph *graph, int count, vertex_t *vertices, struct error *error);

/* By all devices of the request, and by all ranks: then rank 0 has the result, and the others STATUS_OK and none.
 * STATUS_OK; STATUS_WRONG when verification failed: of the vertex with most arcs, or of all. STATUS_INTERRUPTED with
 * the checkpoint written. closeness_release() in every case. */
int closeness_run(const struct closeness_request *request, struct closeness_result *result, struct error *error);
void closeness_release(struct closeness_result *result);

/* Removes the checkpoint, once what it was for is safe. */
void closeness_forget(const struct closeness_request *request);

/* The run as one JSON object; its shape is that of json_run with one entry for all sources, and it is still open. */
void json_closeness(FILE *file, const struct closeness_request *request, const struct closeness_result *result);

#endif
