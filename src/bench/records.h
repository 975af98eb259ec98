/* records.h: results as CSV, written so that a run that was cut off can be resumed.
 *
 * FOLDER/<device>/<family>_<variant>_perf.csv holds the summaries, a row for each run;
 * FOLDER/<device>/trials/<family>_<variant>_<graph>.csv a row for each trial. Rows are only ever appended: of rows
 * with the same key, the last one in the file is valid. Every run begins with records_resume(), which makes the
 * folders. All functions return STATUS_INPUT where a file or folder cannot be read or written. output: as in
 * request_options(). */
#ifndef GTRAV_RECORDS_H
#define GTRAV_RECORDS_H

#include <stdio.h>

#include "request.h"

/* Takes trials over from records. result->trials has its sources. A trial is filled in and marked resumed if the
 * newest row of its source has the same graph, algorithm, options, device, threads and build, and was verified at
 * least as asked for; with fresh, none is. Of a source that is asked for n times, the newest n rows that may
 * be used are. Rows of an older gtrav, which had fewer columns, serve too. A file with a column that this gtrav does
 * not know is STATUS_INPUT. *complete: the newest summary is that of these trials; then what it says of preparing is
 * in *result. In records_resume.c. */
int records_resume(const struct bench_request *request, const char *output, bool fresh, struct bench_result *result,
                   bool *complete, struct error *error);

/* Makes the file of trials ready for rows. Once, before the first records_append() of a run. */
int records_begin(const struct bench_request *request, struct error *error);

/* Appends the trials of a batch: all their rows reach the disk, or none stays. */
int records_append(const struct bench_request *request, const char *output, const struct trial *trials,
                   uint32_t count, struct error *error);

/* Appends a summary row. */
int records_summary(const struct bench_request *request, const char *output, const struct bench_result *result,
                    struct error *error);

/* Appends a row to FOLDER/<device>/<family>_<variant>_pairs.csv. */
struct pairs_request;
struct pairs_result;
int records_pairs(const struct pairs_request *request, const struct pairs_result *result, struct error *error);

/* FOLDER/<device>/<tasks>/balance_<graph>.csv holds the tasks of every block and trial. Every run makes it
 * anew: records_tasks_begin() makes its folders and opens it, and the caller commits or discards it; path holds its
 * name meanwhile. records_tasks() writes one trial. In records_tasks.c. */
#define TASKS_PATH_BYTES 4096
struct new_file;
int records_tasks_begin(const struct bench_request *request, const char *tasks, struct new_file *file,
                        char path[TASKS_PATH_BYTES], struct error *error);
void records_tasks(const struct bench_request *request, const struct traversal *result, vertex_t source, FILE *file);

#endif
