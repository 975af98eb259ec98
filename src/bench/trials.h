/* trials.h: the trial loop: one traversal from each source, timed and verified. */
#ifndef GTRAV_TRIALS_H
#define GTRAV_TRIALS_H

#include "request.h"

/* Runs the trials. STATUS_OK; STATUS_WRONG when a verification failed (the other trials still ran);
 * STATUS_INTERRUPTED with what was measured so far in *result; any other status with a message. bench_release() in
 * every case. */
int bench_run(const struct bench_request *request, struct bench_result *result, struct error *error);
void bench_release(struct bench_result *result);

/* How many trials were taken from records. */
int num_resumed(const struct bench_result *result);

#endif
