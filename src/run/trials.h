/* trials.h: the trial loop: one traversal from each source, timed and verified. */
#pragma once

#include "../records/result.h"

/* Runs the trials. STATUS_WRONG: a result is wrong (the other trials still ran).
 * STATUS_INTERRUPTED: *result has the trials measured so far. The caller calls trials_release() in every case. */
int trials_run(const struct bench_request *request, struct trials_result *result, struct error *error);
void trials_release(struct trials_result *result);

/* ---- in trace.c ---- */

/* Appends each table of a trial's result to FOLDER/<device>/<table>/<family>_<variant>_<graph>.csv: all rows or none.
 * Call it after records_append(), whose folders it needs. STATUS_INPUT, and no change, if a file has other columns. */
int trace_append(const struct bench_request *request, const struct trial *trial, const struct traversal *result,
                 struct error *error);
