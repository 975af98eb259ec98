/* trial_lists.h: the columns of a summary that tell its trials one by one, so that the summary alone suffices to
 * compare two algorithms on the first k sources that both have, and to tell sources of small reach apart. */
#pragma once

#include "request.h"

#define TRIAL_LISTS_HEADER "trial_ms,trial_kernel_ms,trial_edges,source_list,small_reach,"
#define MOST_LISTED        256 /* trials; the lists end after so many */

/* Sets *fields to the five fields, a comma after each; the caller frees them. Entries of a list are separated by
 * blanks and in the order of the trials.
 *   trial_ms, trial_kernel_ms  time_ms and kernel_ms, 4 significant digits; "0.51*64": 64 trials took 0.51 ms each
 *   trial_edges                edges, as in struct trial
 *   source_list                "gap": the first sources of the GAP benchmark's list (sources.h), of which a run with
 *                              fewer trials has the first too; otherwise the sources, in the same way: "0*16"
 *   small_reach                places, from 0 on, of the trials that reached fewer than 1% as many vertices as the
 *                              trial of this run that reached most: "3 5-9"
 * All are empty for closeness, whose batches have no trials. STATUS_INPUT if memory is short. */
int trial_lists(const struct bench_request *request, const struct bench_result *result, char **fields,
                struct error *error);
