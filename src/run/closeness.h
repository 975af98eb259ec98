/* closeness.h: closeness centrality of every vertex, computed with any algorithm that takes many sources at once
 * and gives farness or sums (Blest, section 6.2).
 *
 * In a graph of n vertices, r(v) vertices reach v, v included; farness(v) is the sum of their distances to v:
 *
 *   closeness(v) = (r(v) - 1) / (n - 1) * (r(v) - 1) / farness(v), 0 if r(v) = 1
 *
 * In a connected graph this is equation 8, (n - 1) / farness(v); otherwise it is the formula of Wasserman and Faust
 * (1994) for graphs with several components. On a directed graph the distances are those to v. With only K of the n
 * vertices as sources, drawn at random, farness is scaled up (Eppstein and Wang 2004): if c(v) of the sources reach
 * v, r(v) is the size of v's component, or c(v) n / K on a directed graph, and farness(v) is the sum over the sources
 * times r(v) / c(v). */
#pragma once

#include "../processes/checkpoint.h"
#include "../records/result.h"

struct engine;

struct closeness_request {
    const struct bench_request *bench; /* one search starts at each of its sources */
    /* Path of the checkpoint file (checkpoint.h); NULL: none. If the file exists, the run continues from it. The run
     * writes it every checkpoint_seconds (0: DEFAULT_CHECKPOINT_SECONDS), or less often if writing would take more
     * than 1% of the time. A killed or interrupted run loses the work since the last checkpoint. The caller
     * removes the file once the result is written. Ranks other than 0 only test whether the path is NULL. */
    const char *checkpoint;
    int checkpoint_seconds;
    struct engine *engine; /* an open engine for this request, on its only device, with closeness_outputs(); NULL: the
                            * run opens and closes its own */
    bool harmonic;         /* computes harmonic centrality instead: the sum of 1 / distance, times n / K; the
                            * engine must also have OUTPUT_HARMONIC */
};

struct closeness_result {
    double *closeness; /* num_vertices; NULL: not computed */
    struct totals totals;
    uint64_t num_done, num_resumed; /* sources done in all, and by earlier runs */
    uint64_t edges; /* sum over all sources of the out-degrees of the vertices that the source reached */
    /* all_time_ms: elapsed time from the first batch to the totals. all_kernel_ms: kernel time of all traversals of a
     * device, for the device where it is largest. Both include earlier runs. */
    double all_time_ms, all_kernel_ms;
    double download_ms;           /* the part of all_time_ms that fetched sums from the slowest device, in this run */
    struct trials_result figures; /* summary and trials (one per batch) of this run */
};

/* Draws count distinct vertices. Graphs of the same size get the same vertices. */
int sample_vertices(const struct graph *graph, int count, vertex_t *vertices, struct error *error);
/* Draws `wanted` sources in this way; wanted 0: all vertices. The caller frees *sources, even after a failure. */
int draw_vertices(const struct graph *graph, int wanted, vertex_t **sources, int *count, struct error *error);

/* Returns the outputs to open an engine with for closeness; 0: the algorithm cannot compute closeness. */
unsigned closeness_outputs(const struct algorithm *algorithm);

/* Computes closeness with all devices of the request. All ranks call it; rank 0 gets the result, the others get
 * STATUS_OK and no result. Verification checks the vertex with most edges, or all vertices; STATUS_WRONG if a value
 * is wrong. STATUS_INTERRUPTED: the checkpoint is written. The caller calls closeness_release() in every case. */
int closeness_run(const struct closeness_request *request, struct closeness_result *result, struct error *error);
void closeness_release(struct closeness_result *result);

/* Prints the run as a JSON object like json_run()'s, with one trial for all sources. Does not close the object. */
void json_closeness(FILE *file, const struct closeness_request *request, const struct closeness_result *result);
