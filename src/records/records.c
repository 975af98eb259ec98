/* records.c: results as CSV, written so that an interrupted run can continue where it stopped.
 *
 * Rows are appended, and never changed or removed. A trial, a batch of trials or a summary is appended with one
 * write() of complete rows; if the write fails half-way, the file is truncated to its old length. A run first reads
 * the trials and summaries (records_resume.c) and takes over what it would otherwise measure again; the newest rows
 * are valid. A file of an older version, which had fewer columns, gets the current header before the next row: each
 * line is read by the header above it. The device's folder is locked while a file is read or written, so that
 * several processes may write to one folder. */
#include "records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../run/pairs.h"
#include "../run/trial_lists.h"
#include "record_tables.h"

/* The columns are named here and nowhere else; the enums of record_tables.h number those that are read. */
const struct csv_table trial_table = {
    .marker = RECORD_KEY_HEADER,
    .num_columns = T_COLUMNS,
    .header = RECORD_KEY_HEADER
    "source,trial_edges,reached,time_ms,reset_ms,kernel_ms,search_mteps,mteps,verified,tree_depth,cross_share,"
    "batch_sources,download_ms,threads,build,version,date\n",
};
const struct csv_table summary_table = {
    .marker = RECORD_KEY_HEADER,
    .num_columns = S_COLUMNS,
    .header = RECORD_KEY_HEADER
    "sources,verified,load_ms,prepare_ms,upload_ms,download_ms,total_ms,mean_time_ms,median_time_ms,min_time_ms,"
    "max_time_ms,mean_reset_ms,median_reset_ms,mean_kernel_ms,median_kernel_ms,min_kernel_ms,max_kernel_ms,mean_"
    "search_mteps,"
    "harmonic_mean_search_mteps,mean_mteps,harmonic_mean_mteps,mean_tree_depth,mean_cross_share,reorder_ms,build_ms,"
    "device_bytes,peak_device_bytes,note,batch_sources,batch_time_ms,batch_kernel_ms," TRIAL_LISTS_HEADER
    "time_limit_s,devices,threads,build,version,date\n",
};
const struct csv_table pairs_table = {
    .marker = RECORD_KEY_HEADER,
    .num_columns = P_COLUMNS,
    .header = RECORD_KEY_HEADER "pairs,sources,batches,batch_sources,verified,load_ms,prepare_ms,time_ms,"
                                "reset_ms,kernel_ms,repeats,min_time_ms,max_time_ms,upload_ms,download_ms,total_ms,"
                                "time_limit_s,note,devices,threads,build,version,date\n",
};
const struct csv_table failure_table = {
    .marker = RECORD_KEY_HEADER,
    .num_columns = F_COLUMNS,
    .header = RECORD_KEY_HEADER "pairs,reason,message,threads,build,version,date\n",
};

/* The last fields of a row: "3,0123456789ab,v1.2,2026-01-31T12:59:59Z\n". */
#define ORIGIN_BYTES 256
static void put_origin(const struct bench_request *request, char origin[ORIGIN_BYTES])
{
    char threads[THREADS_BYTES], date[DATE_BYTES];
    request_threads(request, threads);
    put_date(date);
    snprintf(origin, ORIGIN_BYTES, "%s,%s,%s,%s\n", threads, build_id(), build_version(), date);
}

/* Appends a summary of any kind. */
static int append_summary(const struct record_paths *paths, const char *path, const struct csv_table *table,
                          const char *row, struct error *error)
{
    int lock = record_lock(paths, error);
    if (lock < 0)
        return error->status;
    if (csv_renew_header(path, table, error) == STATUS_OK)
        csv_append(path, table, row, error);
    close(lock);
    return error->status;
}

int records_begin(const struct bench_request *request, struct error *error)
{
    struct record_paths paths;
    int lock;
    if (record_paths_find(&paths, request, error) != STATUS_OK || (lock = record_lock(&paths, error)) < 0)
        return error->status;
    csv_renew_header(paths.trials, &trial_table, error);
    close(lock);
    return error->status;
}

/* A time, or nothing if it is not known. */
static void put_if_known(double ms, char field[48])
{
    field[0] = '\0';
    if (ms >= 0)
        snprintf(field, 48, "%.6f", ms);
}

/* The fields of a trial's row after the key. */
static size_t put_trial(const struct trial *trial, const char *origin, char row[CSV_ROW_BYTES])
{
    static const char *const words[] = {[NOT_VERIFIED] = "no", [VERIFIED] = "yes", [VERIFY_FAILED] = "FAILED"};
    char source[16] = "", quality[32] = ",", batch[16] = "", download[48];
    if (trial->source != NO_VERTEX)
        snprintf(source, sizeof source, "%" PRIu32, trial->source);
    if (trial->quality.known)
        snprintf(quality, sizeof quality, "%" PRIu32 ",%.9f", trial->quality.tree_depth, trial->quality.cross_share);
    if (trial->batch > 0)
        snprintf(batch, sizeof batch, "%" PRIu32, trial->batch);
    put_if_known(trial->download_ms, download);
    return (size_t)snprintf(row, CSV_ROW_BYTES, "%s,%" PRIu64 ",%" PRIu64 ",%.6f,%.6f,%.6f,%.3f,%.3f,%s,%s,%s,%s,%s",
                            source, trial->edges, trial->reached, trial->time_ms, trial->reset_ms, trial->kernel_ms,
                            trial->search_mteps, trial->mteps, words[trial->verdict], quality, batch, download,
                            origin);
}

int records_append(const struct bench_request *request, const char *output, const struct trial *trials,
                   uint32_t count, struct error *error)
{
    struct record_paths paths;
    char key[CSV_ROW_BYTES], origin[ORIGIN_BYTES], *rows, *end;
    if (record_paths_find(&paths, request, error) != STATUS_OK ||
        record_put_key(request, output, key, error) != STATUS_OK ||
        allocate(&rows, count, (size_t)2 * CSV_ROW_BYTES, "the records' rows", error) != STATUS_OK)
        return error->status;
    put_origin(request, origin);
    end = rows;
    for (uint32_t i = 0; i < count; i++) {
        end = stpcpy(end, key);
        end += put_trial(&trials[i], origin, end);
    }
    int lock = record_lock(&paths, error);
    if (lock >= 0) {
        csv_append(paths.trials, &trial_table, rows, error);
        close(lock);
    }
    free(rows);
    return error->status;
}

/* Appends the last columns of a summary to its row, which may be long, and writes it. */
static int finish_summary(const struct bench_request *request, const struct bench_result *result,
                          const struct record_paths *paths, const char *row, const char *time_limit,
                          struct error *error)
{
    char origin[ORIGIN_BYTES], *lists, *whole;
    if (trial_lists(request, result, &lists, error) != STATUS_OK)
        return error->status;
    put_origin(request, origin);
    if (asprintf(&whole, "%s%s%s,%d,%s", row, lists, time_limit, num_devices(request), origin) < 0) {
        free(lists);
        return error_set(error, STATUS_INPUT, "out of memory: a summary");
    }
    append_summary(paths, paths->summary, &summary_table, whole, error);
    free(whole);
    free(lists);
    return error->status;
}

int records_summary(const struct bench_request *request, const char *output, const struct bench_result *result,
                    struct error *error)
{
    struct record_paths paths;
    char row[CSV_ROW_BYTES], quality[48] = ",", batch[72] = ",,", time_limit[16] = "";
    char note[2 * sizeof result->note + 3], download[48], total[48];
    const struct summary *s = &result->summary;
    if (record_paths_find(&paths, request, error) != STATUS_OK ||
        record_make_folders(paths.folder, error) != STATUS_OK ||
        record_put_key(request, output, row, error) != STATUS_OK)
        return error->status;
    if (s->trees > 0)
        snprintf(quality, sizeof quality, "%.3f,%.9f", s->mean_tree_depth, s->mean_cross_share);
    if (s->batch_sources > 0)
        snprintf(batch, sizeof batch, "%" PRIu32 ",%.6f,%.6f", s->batch_sources, s->batch_time_ms,
                 s->batch_kernel_ms);
    if (result->time_limit_s > 0)
        snprintf(time_limit, sizeof time_limit, "%d", result->time_limit_s);
    put_if_known(s->download_ms, download);
    put_if_known(result->total_ms, total);
    csv_put_field(note, result->note);
    size_t length = strlen(row);
    snprintf(row + length, sizeof row - length,
             "%d,%s,%.3f,%.3f,%.6f,%s,%s,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.3f,%.3f,%.3f,%.3f,%s,%."
             "3f,%.3f,"
             "%" PRIu64 ",%" PRIu64 ",%s,%s,",
             s->trials, s->verified, result->load_ms, result->prepare_ms, result->upload_ms, download, total,
             s->time.mean_ms, s->time.median_ms, s->time.min_ms, s->time.max_ms, s->mean_reset_ms, s->median_reset_ms,
             s->kernel.mean_ms, s->kernel.median_ms, s->kernel.min_ms, s->kernel.max_ms, s->search_mteps.mean,
             s->search_mteps.harmonic_mean, s->mteps.mean, s->mteps.harmonic_mean, quality, result->reorder_ms,
             result->build_ms, result->device_bytes, result->peak_device_bytes, note, batch);
    return finish_summary(request, result, &paths, row, time_limit, error);
}

int records_pairs(const struct pairs_request *request, const struct pairs_result *result, struct error *error)
{
    const struct bench_request *bench = request->bench;
    struct record_paths paths;
    char path[2560], row[CSV_ROW_BYTES], origin[ORIGIN_BYTES], note[2 * sizeof result->note + 3];
    char time_limit[16] = "";
    if (result->time_limit_s > 0)
        snprintf(time_limit, sizeof time_limit, "%d", result->time_limit_s);
    if (record_paths_find(&paths, bench, error) != STATUS_OK ||
        record_make_folders(paths.folder, error) != STATUS_OK ||
        record_put_key(bench, request->paths ? "paths" : NULL, row, error) != STATUS_OK)
        return error->status;
    snprintf(path, sizeof path, "%s/%s_%s_pairs.csv", paths.folder, bench->algorithm->family,
             bench->algorithm->variant);
    csv_put_field(note, result->note);
    put_origin(bench, origin);
    size_t length = strlen(row);
    snprintf(row + length, sizeof row - length,
             "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32
             ",%s,%.3f,%.3f,%.6f,%.6f,%.6f,%u,%.6f,%.6f,%.6f,%.6f,%.6f,%s,%s,%d,%s",
             request->num_pairs, result->num_sources, result->num_batches, result->batch_sources, result->verified,
             bench->load_ms, result->prepare_ms, result->times.time_ms, result->times.reset_ms,
             result->times.kernel_ms, result->repeats, result->min_time_ms, result->max_time_ms, result->upload_ms,
             result->download_ms, result->total_ms, time_limit, note, num_devices(bench), origin);
    return append_summary(&paths, path, &pairs_table, row, error);
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
    struct record_paths paths;
    char path[2560], row[2 * CSV_ROW_BYTES + 2 * sizeof failure->text], origin[ORIGIN_BYTES];
    char message[2 * sizeof failure->text + 3], pairs[24] = "";
    if (record_paths_find(&paths, request, error) != STATUS_OK ||
        record_make_folders(paths.folder, error) != STATUS_OK ||
        record_put_key(request, NULL, row, error) != STATUS_OK)
        return error->status;
    snprintf(path, sizeof path, "%s/failures.csv", paths.folder);
    csv_put_field(message, failure->text);
    if (request->num_pairs > 0)
        snprintf(pairs, sizeof pairs, "%" PRIu64, request->num_pairs);
    put_origin(request, origin);
    size_t length = strlen(row);
    snprintf(row + length, sizeof row - length, "%s,%s,%s,%s", pairs, reason_of(failure), message, origin);
    return append_summary(&paths, path, &failure_table, row, error);
}
