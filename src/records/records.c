/* records.c: results as CSV, written so that an interrupted run can continue where it stopped.
 *
 * Rows are appended, and never changed or removed. A trial, a batch of trials or a summary is appended with one
 * write() of complete rows; if the write fails half-way, the file is truncated to its old length. A run first reads
 * the trials and summaries (records_resume.c), and measures only what they lack; the newest rows are valid. If
 * another version of gtrav with other columns wrote the file's last header, this version's header comes before the
 * next row. The device's folder is locked while a file is read or written, so that several processes may write to one
 * folder. */
#include "records.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "columns.h"
#include "pairs_request.h"
#include "record_key.h"

/* Rows that are being written, in memory. */
struct rows {
    FILE *file;
    char *text;
    size_t size;
};

static int rows_begin(struct rows *rows, struct error *error)
{
    rows->text = NULL;
    rows->file = open_memstream(&rows->text, &rows->size);
    return rows->file != NULL ? STATUS_OK : error_set(error, STATUS_INPUT, "out of memory: the records' rows");
}

/* Appends the rows to a file, after a header if the file is new, and frees the rows. */
static int rows_append(struct rows *rows, const struct record_paths *paths, const char *path,
                       const struct column *columns, bool renews_header, struct error *error)
{
    char header[CSV_ROW_BYTES];
    bool torn = ferror(rows->file) != 0;
    if (fclose(rows->file) != 0 || torn || rows->text == NULL)
        error_set(error, STATUS_INPUT, "out of memory: the records' rows");
    record_header(columns, header);
    int lock = error->status == STATUS_OK ? record_lock(paths, error) : -1;
    if (lock >= 0 && (!renews_header || csv_renew_header(path, header, error) == STATUS_OK))
        csv_append(path, header, rows->text, error);
    if (lock >= 0)
        close(lock);
    free(rows->text);
    return error->status;
}

int records_begin(const struct bench_request *request, struct error *error)
{
    struct record_paths paths;
    char header[CSV_ROW_BYTES];
    int lock;
    if (record_paths_find(&paths, request, error) != STATUS_OK || (lock = record_lock(&paths, error)) < 0)
        return error->status;
    record_header(trial_columns, header);
    csv_renew_header(paths.trials, header, error);
    close(lock);
    return error->status;
}

int records_append(const struct bench_request *request, const char *output, const struct trial *trials,
                   uint32_t count, struct error *error)
{
    struct record_paths paths;
    struct record_run run;
    struct rows rows;
    if (record_paths_find(&paths, request, error) != STATUS_OK ||
        record_run_init(&run, request, output, error) != STATUS_OK || rows_begin(&rows, error) != STATUS_OK)
        return error->status;
    for (uint32_t i = 0; i < count; i++)
        record_put_row(rows.file, trial_columns, &run, &trials[i]);
    return rows_append(&rows, &paths, paths.trials, trial_columns, false, error);
}

/* Appends one row to the file FAMILY_VARIANT_ENDING in the device's folder, or to ENDING if it begins with a slash.
 */
static int append_row(const struct bench_request *request, const char *output, const char *ending,
                      const struct column *columns, const void *result, struct error *error)
{
    struct record_paths paths;
    struct record_run run;
    struct rows rows;
    char path[2560];
    if (record_paths_find(&paths, request, error) != STATUS_OK ||
        record_run_init(&run, request, output, error) != STATUS_OK ||
        record_make_folders(paths.folder, error) != STATUS_OK || rows_begin(&rows, error) != STATUS_OK)
        return error->status;
    if (ending[0] == '/')
        snprintf(path, sizeof path, "%s%s", paths.folder, ending);
    else
        snprintf(path, sizeof path, "%s/%s_%s_%s", paths.folder, run.family, run.variant, ending);
    record_put_row(rows.file, columns, &run, result);
    return rows_append(&rows, &paths, path, columns, true, error);
}

int records_summary(const struct bench_request *request, const char *output, const struct bench_result *result,
                    struct error *error)
{
    return append_row(request, output, "perf.csv", summary_columns, result, error);
}

int records_pairs(const struct pairs_request *request, const struct pairs_result *result, struct error *error)
{
    struct bench_request bench = *request->bench;
    bench.num_pairs = request->num_pairs;
    return append_row(&bench, request->paths ? "paths" : NULL, "pairs.csv", pairs_columns, result, error);
}

static const char *reason_of(const struct error *failure)
{
    if (strstr(failure->text, "time limit") != NULL)
        return "time limit";
    if (strstr(failure->text, "memory") != NULL)
        return "out of memory";
    return failure->status == STATUS_DEVICE ? "crashed" : "unsupported";
}

int records_failure(const struct bench_request *request, const struct error *failure, struct error *error)
{
    const struct failure row = {.reason = reason_of(failure), .message = failure->text};
    return append_row(request, NULL, "/failures.csv", failure_columns, &row, error);
}
