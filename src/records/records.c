/* records.c: appends rows to records. A trial, a batch of trials or a summary is appended with one write() of complete
 * rows (csv.h). The device's folder is locked meanwhile, so that several processes may write to one folder. */
#include "records.h"

#include <unistd.h>

#include "pairs_request.h"
#include "put_text.h"
#include "record_key.h"

int records_begin(const struct bench_request *request, struct error *error)
{
    char header[CSV_ROW_BYTES], path[RECORD_PATH_BYTES];
    int lock = record_lock(request, error);
    record_header(trial_columns, header);
    if (lock >= 0 && record_path_of_graph(request, "/trials", path, error) == STATUS_OK)
        csv_renew_header(path, header, error);
    if (lock >= 0)
        close(lock);
    return error->status;
}

/* Appends a row for each of `count` trials, or else for one result, to a file. records_begin() has renewed the header
 * of the trials' file, which is long to read. */
static int append(const struct bench_request *request, const char *path, const struct column *columns,
                  const void *results, uint32_t count, struct error *error)
{
    struct record_run run;
    char header[CSV_ROW_BYTES], *text = NULL;
    size_t length;
    if (record_run_init(&run, request, error) != STATUS_OK)
        return error->status;
    const struct trials_result *summary = columns == summary_columns ? results : NULL;
    if (columns == trial_columns)
        record_run_add_step(&run, ((const struct trial *)results)->step);
    else if (summary != NULL && summary->num_trials > 0) /* none: all came from a checkpoint */
        record_run_add_step(&run, summary->trials->step);
    if (summary != NULL && num_resumed(summary) > 0)
        run.launch = ""; /* these trials are of several launches */
    FILE *rows = open_memstream(&text, &length);
    for (uint32_t i = 0; rows != NULL && i < count; i++) {
        record_put_fields(rows, columns, CSV_MAX_COLUMNS, &run, (const char *)results + i * sizeof(struct trial));
        putc('\n', rows);
    }
    int lock = memory_close(rows, &text, "the records' rows", error) == STATUS_OK ? record_lock(request, error) : -1;
    record_header(columns, header);
    if (lock >= 0 && (columns == trial_columns || csv_renew_header(path, header, error) == STATUS_OK))
        csv_append(path, header, text, error);
    if (lock >= 0)
        close(lock);
    free(text);
    return error->status;
}

int records_append(const struct bench_request *request, const struct trial *trials, uint32_t count, struct error *error)
{
    char path[RECORD_PATH_BYTES];
    if (record_path_of_graph(request, "/trials", path, error) == STATUS_OK)
        append(request, path, trial_columns, trials, count, error);
    return error->status;
}

static int append_row(const struct bench_request *request, const char *ending, const struct column *columns,
                      const void *result, struct error *error)
{
    char path[RECORD_PATH_BYTES];
    if (record_path(request, "", ending, path, error) == STATUS_OK)
        append(request, path, columns, result, 1, error);
    return error->status;
}

int records_summary(const struct bench_request *request, const struct trials_result *result, struct error *error)
{
    return append_row(request, SUMMARIES_ENDING, summary_columns, result, error);
}

int records_pairs(const struct pairs_request *request, const struct pairs_result *result, struct error *error)
{
    return append_row(request->bench, PAIRS_ENDING, pairs_columns, result, error);
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
    struct bench_request usual = *request;
    usual.parents = usual.aggregates = usual.paths = false;
    return append_row(&usual, "/failures.csv", failure_columns, &row, error);
}
