/* trials.h: the trial loop: one traversal from each source, timed and verified. */
#pragma once

#include "../records/result.h"

/* Options of trials. */
struct trials_options {
    bool parents;    /* requests parents, from an algorithm that computes them on request */
    bool aggregates; /* requests only OUTPUT_SUMS, or else OUTPUT_FARNESS, from an algorithm with batches */
    bool fresh;      /* measures trials again that are already in the records */
    const struct warnings *of_machine; /* warnings that apply to every run on the CPU; NULL: none */
};

/* Runs the trials. options: NULL for the defaults. STATUS_WRONG: a result is wrong (the other trials still ran).
 * STATUS_INTERRUPTED: *result has the trials measured so far. The caller calls bench_release() in every case. */
int bench_run(const struct bench_request *request, const struct trials_options *options, struct bench_result *result,
              struct error *error);
void bench_release(struct bench_result *result);
