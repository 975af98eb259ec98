/* trials.h: the trial loop: one traversal from each source, timed and verified. */
#ifndef GTRAV_TRIALS_H
#define GTRAV_TRIALS_H

#include "request.h"

/* What trials alone have. */
struct trials_options {
    bool parents;      /* wanted, of an algorithm that gives them on request */
    bool aggregates;   /* only they are wanted (OUTPUT_SUMS, else OUTPUT_FAR), of an algorithm that has batches */
    bool fresh;        /* measure anew what records already hold */
    const char *tasks; /* a folder's name: instead of times, keep there how many tasks each block of the grid did. It
                          lies in the folder of records, which is not NULL then; the algorithm has OUTPUT_TASKS.
                          NULL: measure times */
    const struct warnings *of_machine; /* warnings that hold for all that runs on the CPU; NULL: none */
};

/* Runs the trials; options: NULL: none of them. STATUS_OK; STATUS_WRONG when a verification failed (the other trials
 * still ran); STATUS_INTERRUPTED with what was measured so far in *result; any other status with a message.
 * bench_release() in every case. */
int bench_run(const struct bench_request *request, const struct trials_options *options, struct bench_result *result,
              struct error *error);
void bench_release(struct bench_result *result);

/* How many trials were taken from records. */
int num_resumed(const struct bench_result *result);

#endif
