/* records.h: results as CSV, written so that an interrupted run can be resumed.
 *
 * FOLDER/<device>/<family>_<variant>_perf.csv holds the summaries, a row for each run;
 * FOLDER/<device>/trials/<family>_<variant>_<graph>.csv holds a row for each trial. Rows are only appended. Among
 * rows with the same key, the last one is valid. Every run begins with records_resume(), which makes the folders. All
 * functions return STATUS_INPUT if a file or folder cannot be read or written. */
#pragma once

#include "result.h"

/* Fills in trials from records instead of measuring them. The caller has set the sources in result->trials. A trial
 * is filled in and marked resumed if the newest row of its source has the same graph, algorithm, options, device,
 * threads and build, and was verified as the request wants. If a source occurs n times, its newest n usable rows are
 * taken. With request->fresh, no trial is resumed. If the newest summary covers these trials, *result gets its
 * figures of preparation and machine. *complete: nothing that the request wants is missing. In records_resume.c. */
int records_resume(const struct bench_request *request, struct trials_result *result, bool *complete,
                   struct error *error);

/* Prepares the file of trials for new rows. Call it once, before the first records_append() of a run. */
int records_begin(const struct bench_request *request, struct error *error);

/* Appends the trials of a batch: either all their rows are written, or none. */
int records_append(const struct bench_request *request, const struct trial *trials, uint32_t count,
                   struct error *error);

/* Endings of the names of files with summaries and with pairs, for record_path(). */
#define SUMMARIES_ENDING "perf.csv"
#define PAIRS_ENDING     "pairs.csv"

/* Appends a summary row. */
int records_summary(const struct bench_request *request, const struct trials_result *result, struct error *error);

/* Appends a row to FOLDER/<device>/<family>_<variant>_pairs.csv. */
struct pairs_request;
struct pairs_result;
int records_pairs(const struct pairs_request *request, const struct pairs_result *result, struct error *error);

/* Appends a row to FOLDER/<device>/failures.csv: the request's key without its output, the number of pairs, if any, a
 * reason ("out of memory", "time limit", "unsupported", or "crashed" for other errors of the device), and the
 * message. A record of the same key with a later date supersedes the failure. */
int records_failure(const struct bench_request *request, const struct error *failure, struct error *error);
