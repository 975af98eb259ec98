/* trials.h: the trial loop: one traversal from each source, timed and verified. */
#pragma once

#include "../records/result.h"

/* Options of trials. */
struct trials_options {
    bool parents;      /* parents are wanted, from an algorithm that gives them on request */
    bool aggregates;   /* only OUTPUT_SUMS, else OUTPUT_FARNESS, is wanted, from an algorithm with batches */
    bool fresh;        /* measure again what records already hold */
    const char *tasks; /* name of a folder inside the folder of records, which must not be NULL: write the number of
                          tasks of each block of the grid there instead of times. The algorithm must have
                          OUTPUT_TASKS. NULL: measure times */
    const struct warnings *of_machine; /* warnings that apply to every run on the CPU; NULL: none */
};

/* Runs the trials. options: NULL: none is set. STATUS_WRONG if a verification failed (the other trials still ran);
 * STATUS_INTERRUPTED with the trials measured so far in *result; any other failure with a message. Call
 * bench_release() in every case. */
int bench_run(const struct bench_request *request, const struct trials_options *options, struct bench_result *result,
              struct error *error);
void bench_release(struct bench_result *result);
