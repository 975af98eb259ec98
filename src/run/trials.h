/* trials.h: the trial loop: one traversal from each source, timed and verified. */
#pragma once

#include "../records/result.h"

/* Runs the trials. STATUS_WRONG: a result is wrong (the other trials still ran).
 * STATUS_INTERRUPTED: *result has the trials measured so far. The caller calls bench_release() in every case. */
int bench_run(const struct bench_request *request, struct bench_result *result, struct error *error);
void bench_release(struct bench_result *result);
