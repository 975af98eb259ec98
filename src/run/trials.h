/* trials.h: the trial loop: one traversal from each source, timed and verified. */
#pragma once

#include "../records/result.h"

/* Runs the trials. STATUS_WRONG: a result is wrong (the other trials still ran).
 * STATUS_INTERRUPTED: *result has the trials measured so far. The caller calls trials_release() in every case. */
int trials_run(const struct bench_request *request, struct trials_result *result, struct error *error);
void trials_release(struct trials_result *result);
