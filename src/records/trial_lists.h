/* trial_lists.h: the columns of a summary that list its trials one by one, so that the summary alone suffices to
 * compare two algorithms on the first k sources that both have, and to tell sources of small reach apart. */
#pragma once

#include <stdio.h>

#include "request.h"

/* Each writes one column, of the first 256 trials. The entries are separated by blanks and in the order of the
 * trials. Closeness, whose batches are no trials, has empty lists. */

/* time_ms and kernel_ms, 4 significant digits; "0.51*64": 64 trials took 0.51 ms each. */
void list_times(FILE *file, const struct bench_request *request, const struct bench_result *result);
void list_kernel_times(FILE *file, const struct bench_request *request, const struct bench_result *result);

/* The edges of struct trial, written in the same way. */
void list_edges(FILE *file, const struct bench_request *request, const struct bench_result *result);

/* "gap": the first sources of the GAP benchmark's list (sources.h), of which a run with fewer trials has the first
 * too; otherwise the sources: "0*16". */
void list_sources(FILE *file, const struct bench_request *request, const struct bench_result *result);

/* Places, from 0 on, of the trials that reached fewer than 1% as many vertices as the trial that reached most:
 * "3 5-9". */
void list_small_reach(FILE *file, const struct bench_request *request, const struct bench_result *result);
