/* closeness.h: closeness centrality of every vertex, computed with any algorithm that takes many sources at once
 * and gives farness or sums (Blest, section 6.2).
 *
 * With farness(v) the sum of the distances to v from the r(v) vertices that reach it, itself included, in a graph of
 * n:
 *
 *   closeness(v) = (r(v) - 1) / (n - 1) * (r(v) - 1) / farness(v),   0 where r(v) = 1
 *
 * In a connected graph this is equation 8, (n - 1) / farness(v); otherwise it is the formula of Wasserman and Faust
 * (1994) for graphs with several components. On a directed graph the distances are those to v. With only K of the n
 * vertices as sources, drawn at random, farness is scaled up (Eppstein and Wang 2004): if c(v) of the sources reach
 * v, r(v) is the size of v's component, or c(v) n / K on a directed graph, and farness(v) is the sum over the sources
 * times r(v) / c(v). */
#pragma once

#include <stdio.h>

#include "../processes/checkpoint.h"
#include "../records/result.h"

struct engine;

struct closeness_request {
    const struct bench_request *bench; /* one search from each of its sources */
    /* The checkpoint file (checkpoint.h); NULL: none. If it exists, the run continues from it. It is written every
     * checkpoint_seconds (0: DEFAULT_CHECKPOINT_SECONDS), or less often if that would take more than 1% of the
     * time; a run that is killed or interrupted loses the work since the last checkpoint. closeness_forget() removes
     * the file. Ranks other than 0 only test whether it is NULL. */
    const char *checkpoint;
    int checkpoint_seconds;
    struct engine *engine; /* already open for this request, on its only device, with closeness_outputs(); NULL: one
                              is opened, and closed at the end */
    bool harmonic;         /* harmonic centrality instead: the sum of 1 / distance, times n / K; the engine gives
                              and OUTPUT_HARMONIC */
};

struct closeness_result {
    double *closeness; /* num_vertices; NULL: not computed */
    struct totals totals;
    uint64_t num_done, num_resumed; /* num_done sources are done; num_resumed of them by earlier runs */
    uint64_t edges; /* out-degrees of the vertices that each source reached, summed over all sources */
    /* all_time_ms: elapsed time from the first batch to the totals. all_kernel_ms: the sum over all traversals of
     * one device, for the device with the largest sum. Both include earlier runs. */
    double all_time_ms, all_kernel_ms;
    double download_ms; /* part of all_time_ms that fetched sums from the slowest device; without earlier runs */
    struct bench_result figures; /* summary: of the batches of this run; trials: one for each batch */
};

/* Draws count distinct vertices; the same ones for every graph of the same size. */
int sample_vertices(const struct graph *graph, int count, vertex_t *vertices, struct error *error);
/* The same for the sources of a centrality; wanted 0: all vertices. The caller frees *sources, on failure too. */
int draw_vertices(const struct graph *graph, int wanted, vertex_t **sources, int *count, struct error *error);

/* The outputs that an engine for closeness is opened with; 0: the algorithm cannot be used. */
unsigned closeness_outputs(const struct algorithm *algorithm);

/* Computes closeness with all devices of the request. All ranks call it; rank 0 gets the result, the others get
 * STATUS_OK and no result. Verification checks the vertex with most edges, or all vertices; STATUS_WRONG if it
 * failed. STATUS_INTERRUPTED: the checkpoint is written. closeness_release() in every case. */
int closeness_run(const struct closeness_request *request, struct closeness_result *result, struct error *error);
void closeness_release(struct closeness_result *result);

/* Removes the checkpoint. Call it once the result is written. */
void closeness_forget(const struct closeness_request *request);

/* Prints the run as a JSON object like that of json_run, with one entry for all sources, and leaves it open. */
void json_closeness(FILE *file, const struct closeness_request *request, const struct closeness_result *result);
