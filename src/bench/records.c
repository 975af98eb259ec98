/* records.c: results as CSV, written so that a run that was cut off can go on where it stopped.
 *
 * A trial is one write() of one whole row to the end of its file; if the write fails half-way, the row is cut off
 * again. A summary replaces its row in the summary file by a new file and rename. A run that starts reads both
 * (records_resume.c): it takes over what it would measure again, and drops rows that are torn, failed, or to be
 * redone. Files of an older gtrav, which had fewer columns, keep their rows: each line is read by the header above
 * it. While either file changes, the device's folder is locked, so that several processes may write to one folder. */
#include "records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pairs.h"
#include "record_tables.h"

/* The columns are named here and nowhere else; the enums of record_tables.h number those that are read. */
const struct csv_table trial_table = {
    .marker = RECORD_KEY_HEADER,
    .num_columns = T_COLUMNS,
    .header = RECORD_KEY_HEADER
    "source,trial_edges,reached,time_ms,kernel_ms,mteps,verified,tree_depth,cross_share,batch_sources,"
    "threads,build,version,date\n",
};
const struct csv_table summary_table = {
    .marker = RECORD_KEY_HEADER,
    .num_columns = S_COLUMNS,
    .header = RECORD_KEY_HEADER
    "sources,verified,load_ms,prepare_ms,mean_time_ms,mean_kernel_ms,median_kernel_ms,min_kernel_ms,"
    "max_kernel_ms,mean_mteps,harmonic_mean_mteps,mean_tree_depth,mean_cross_share,reorder_ms,build_ms,"
    "device_bytes,peak_device_bytes,note,batch_sources,batch_kernel_ms,devices,threads,build,version,date\n",
};
const struct csv_table pairs_table = {
    .marker = RECORD_KEY_HEADER,
    .num_columns = P_COLUMNS,
    .header = RECORD_KEY_HEADER "pairs,sources,batches,batch_sources,verified,load_ms,prepare_ms,time_ms,"
                                "kernel_ms,note,devices,threads,build,version,date\n",
};

/* A trial's row after the key. */
static size_t put_trial(const struct trial *trial, const char *threads, const char *date, char row[CSV_ROW_BYTES])
{
    static const char *const words[] = {[NOT_VERIFIED] = "no", [VERIFIED] = "yes", [VERIFY_FAILED] = "FAILED"};
    char source[16] = "", quality[32] = ",", batch[16] = "";
    if (trial->source != NO_VERTEX)
        snprintf(source, sizeof source, "%" PRIu32, trial->source);
    if (trial->quality.known)
        snprintf(quality, sizeof quality, "%" PRIu32 ",%.9f", trial->quality.tree_depth, trial->quality.cross_share);
    if (trial->batch > 0)
        snprintf(batch, sizeof batch, "%" PRIu32, trial->batch);
    return (size_t)snprintf(row, CSV_ROW_BYTES, "%s,%" PRIu64 ",%" PRIu64 ",%.6f,%.6f,%.3f,%s,%s,%s,%s,%s,%s,%s\n",
                            source, trial->edges, trial->reached, trial->time_ms, trial->kernel_ms, trial->mteps,
                            words[trial->verdict], quality, batch, threads, gtrav_build(), gtrav_version(), date);
}

int records_append(const struct bench_request *request, const struct trial *trials, uint32_t count,
                   struct error *error)
{
    struct record_paths paths;
    char key[CSV_ROW_BYTES], threads[THREADS_BYTES], date[DATE_BYTES], *rows, *end;
    if (record_paths_find(&paths, request, error) != STATUS_OK ||
        record_put_key(request, NULL, key, error) != STATUS_OK ||
        allocate(&rows, count, (size_t)2 * CSV_ROW_BYTES, "the records' rows", error) != STATUS_OK)
        return error->status;
    put_date(date);
    request_threads(request, threads);
    end = rows;
    for (uint32_t i = 0; i < count; i++) {
        end = stpcpy(end, key);
        end += put_trial(&trials[i], threads, date, end);
    }
    int lock = record_lock(&paths, error);
    if (lock >= 0) {
        csv_append(paths.trials, &trial_table, rows, error);
        close(lock);
    }
    free(rows);
    return error->status;
}

static bool keep_other_summaries(char *fields[CSV_MAX_COLUMNS], void *context)
{
    const struct record_key *key = context;
    return !record_same_key(fields, RECORD_KEY_FIELDS, key) || !record_replaces(fields[S_THREADS], key);
}

int records_summary(const struct bench_request *request, const struct bench_result *result, struct error *error)
{
    struct record_paths paths;
    struct record_key key;
    char row[CSV_ROW_BYTES], date[DATE_BYTES], quality[48] = ",", batch[48] = ",", note[2 * sizeof result->note + 3];
    const struct summary *s = &result->summary;
    if (record_paths_find(&paths, request, error) != STATUS_OK ||
        record_make_folders(paths.folder, error) != STATUS_OK ||
        record_key_init(&key, request, NULL, error) != STATUS_OK ||
        record_put_key(request, NULL, row, error) != STATUS_OK)
        return error->status;
    if (s->trees > 0)
        snprintf(quality, sizeof quality, "%.3f,%.9f", s->mean_tree_depth, s->mean_cross_share);
    if (s->batch_sources > 0)
        snprintf(batch, sizeof batch, "%" PRIu32 ",%.6f", s->batch_sources, s->batch_kernel_ms);
    csv_put_field(note, result->note);
    put_date(date);
    size_t length = strlen(row);
    snprintf(row + length, sizeof row - length,
             "%d,%s,%.3f,%.3f,%.6f,%.6f,%.6f,%.6f,%.6f,%.3f,%.3f,%s,%.3f,%.3f,%" PRIu64 ",%" PRIu64
             ",%s,%s,%d,%s,%s,%s,%s\n",
             s->trials, s->verified, result->load_ms, result->prepare_ms, s->mean_time_ms, s->mean_kernel_ms,
             s->median_kernel_ms, s->min_kernel_ms, s->max_kernel_ms, s->mean_mteps, s->harmonic_mean_mteps, quality,
             result->reorder_ms, result->build_ms, result->device_bytes, result->peak_device_bytes, note, batch,
             num_devices(request), key.threads, gtrav_build(), gtrav_version(), date);
    int lock = record_lock(&paths, error);
    if (lock < 0)
        return error->status;
    csv_filter(paths.summary, &summary_table, keep_other_summaries, &key, row, error);
    close(lock);
    return error->status;
}

static bool keep_other_pairs(char *fields[CSV_MAX_COLUMNS], void *context)
{
    const struct record_key *key = context;
    return !record_same_key(fields, P_KEY_END, key) || !record_replaces(fields[P_THREADS], key);
}

int records_pairs(const struct pairs_request *request, const struct pairs_result *result, struct error *error)
{
    const struct bench_request *bench = request->bench;
    const char *output = request->paths ? "paths" : NULL;
    struct record_paths paths;
    struct record_key key;
    char row[CSV_ROW_BYTES], count[24], date[DATE_BYTES], note[2 * sizeof result->note + 3];
    if (record_paths_find(&paths, bench, error) != STATUS_OK ||
        record_make_folders(paths.folder, error) != STATUS_OK ||
        record_key_init(&key, bench, output, error) != STATUS_OK ||
        record_put_key(bench, output, row, error) != STATUS_OK)
        return error->status;
    snprintf(paths.summary, sizeof paths.summary, "%s/%s_%s_pairs.csv", paths.folder, bench->algorithm->family,
             bench->algorithm->variant);
    snprintf(count, sizeof count, "%" PRIu64, request->num_pairs);
    key.fields[P_PAIRS] = count;
    csv_put_field(note, result->note);
    put_date(date);
    size_t length = strlen(row);
    snprintf(row + length, sizeof row - length,
             "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%s,%.3f,%.3f,%.6f,%.6f,%s,%d,%s,%s,%s,%s\n", count,
             result->num_sources, result->num_batches, result->batch_sources, result->verified, bench->load_ms,
             result->prepare_ms, result->time_ms, result->kernel_ms, note, num_devices(bench), key.threads,
             gtrav_build(), gtrav_version(), date);
    int lock = record_lock(&paths, error);
    if (lock < 0)
        return error->status;
    csv_filter(paths.summary, &pairs_table, keep_other_pairs, &key, row, error);
    close(lock);
    return error->status;
}
