/* records_resume.c: takes over the trials that earlier runs have recorded. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record_tables.h"
#include "records.h"

struct resume {
    const struct bench_request *request;
    struct bench_result *result;
    struct record_key key;
    bool *stands; /* num_trials, for keep_resumed() */
    bool has_summary;
};

/* threads, build: the columns that hold them. */
static bool is_of_run(char *const *fields, int threads, int build, const struct resume *resume)
{
    return record_same_key(fields, RECORD_KEY_FIELDS, &resume->key) &&
           record_same_identity(fields[threads], fields[build], &resume->key);
}

static bool read_count(const char *text, uint64_t *count)
{
    char *end;
    errno = 0;
    *count = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static bool read_figure(const char *text, double *figure)
{
    char *end;
    *figure = strtod(text, &end);
    return *text >= '0' && *text <= '9' && *end == '\0' && isfinite(*figure);
}

/* Reads the figures of a row. False if one of them is not a number, as after a disk error; such a row is measured
 * anew. */
static bool read_trial(char *const *fields, struct trial *trial)
{
    uint64_t source = NO_VERTEX;
    if (fields[T_SOURCE][0] != '\0' && (!read_count(fields[T_SOURCE], &source) || source >= NO_VERTEX))
        return false;
    *trial = (struct trial){.source = (vertex_t)source, .resumed = true};
    if (fields[T_BATCH][0] != '\0') {
        uint64_t batch;
        if (!read_count(fields[T_BATCH], &batch) || batch == 0 || batch >= NO_VERTEX)
            return false;
        trial->batch = (uint32_t)batch;
    }
    if (fields[T_TREE_DEPTH][0] != '\0' || fields[T_CROSS_SHARE][0] != '\0') {
        uint64_t depth;
        if (!read_count(fields[T_TREE_DEPTH], &depth) || depth >= NO_VERTEX ||
            !read_figure(fields[T_CROSS_SHARE], &trial->quality.cross_share))
            return false;
        trial->quality.tree_depth = (uint32_t)depth;
        trial->quality.known = true;
    }
    return read_count(fields[T_EDGES], &trial->edges) && read_count(fields[T_REACHED], &trial->reached) &&
           read_figure(fields[T_TIME], &trial->time_ms) && read_figure(fields[T_KERNEL], &trial->kernel_ms) &&
           read_figure(fields[T_MTEPS], &trial->mteps);
}

/* Remembers the newest of the rows that are taken over, which the user is told of. */
static void note_origin(char *const *fields, struct bench_result *result)
{
    if (strcmp(fields[T_DATE], result->resumed_date) < 0)
        return;
    snprintf(result->resumed_version, sizeof result->resumed_version, "%s", fields[T_VERSION]);
    snprintf(result->resumed_date, sizeof result->resumed_date, "%s", fields[T_DATE]);
}

/* Copies a recorded trial into the first trial of the same source that is still open and may use it. Returns false if
 * the row has to go, because such a trial is open but must be measured anew. A row of another source stays. */
static bool take_over(char *const *fields, const struct resume *resume)
{
    struct trial recorded;
    bool verified = strcmp(fields[T_VERIFIED], "yes") == 0;
    if (!read_trial(fields, &recorded))
        return false;
    recorded.verdict = verified ? VERIFIED : NOT_VERIFIED;
    bool failed = strcmp(fields[T_VERIFIED], "FAILED") == 0, redone = false;
    for (int i = 0; i < resume->result->num_trials; i++) {
        struct trial *trial = &resume->result->trials[i];
        bool must_be_verified =
            resume->request->verify == VERIFY_ALL || (resume->request->verify == VERIFY_FIRST && i == 0);
        if (trial->resumed || trial->source != recorded.source)
            continue;
        if (failed || (must_be_verified && !verified)) {
            redone = true;
            continue;
        }
        *trial = recorded;
        note_origin(fields, resume->result);
        return true;
    }
    return !redone;
}

static bool keep_trial(char *fields[CSV_MAX_COLUMNS], void *context)
{
    struct resume *resume = context;
    if (!is_of_run(fields, T_THREADS, T_BUILD_ID, resume))
        return true;
    return !resume->request->fresh && take_over(fields, resume);
}

/* Whether the trials were cut into batches of this size; 0: into none. */
static bool has_batches_of(const struct bench_result *result, uint64_t size)
{
    for (uint64_t i = 0, count = (uint64_t)result->num_trials; i < count; i++) {
        uint64_t left = size > 0 ? count - i / size * size : 0;
        if (result->trials[i].batch != (left < size ? left : size))
            return false;
    }
    return true;
}

/* Reads the figures of preparing. False if one is missing, as in a row of an older gtrav, or is not a number. */
static bool read_preparation(char *const *fields, struct bench_result *result)
{
    struct bench_result found;
    if (!read_figure(fields[S_LOAD], &found.load_ms) || !read_figure(fields[S_PREPARE], &found.prepare_ms) ||
        !read_figure(fields[S_REORDER], &found.reorder_ms) || !read_figure(fields[S_BUILD], &found.build_ms) ||
        !read_count(fields[S_DEVICE_BYTES], &found.device_bytes) ||
        !read_count(fields[S_PEAK_BYTES], &found.peak_device_bytes))
        return false;
    result->load_ms = found.load_ms;
    result->prepare_ms = found.prepare_ms;
    result->reorder_ms = found.reorder_ms;
    result->build_ms = found.build_ms;
    result->device_bytes = found.device_bytes;
    result->peak_device_bytes = found.peak_device_bytes;
    snprintf(result->note, sizeof result->note, "%s", fields[S_NOTE]);
    return true;
}

/* Looks for the summary of this run, complete: then nothing has to be prepared anew. */
static bool keep_summary(char *fields[CSV_MAX_COLUMNS], void *context)
{
    struct resume *resume = context;
    if (!is_of_run(fields, S_THREADS, S_BUILD_ID, resume))
        return true;
    const struct bench_result *result = resume->result;
    bool all_resumed = true;
    uint64_t sources, batch = 0;
    for (int i = 0; i < result->num_trials; i++)
        all_resumed = all_resumed && result->trials[i].resumed;
    if (all_resumed && read_count(fields[S_SOURCES], &sources) && sources == (uint64_t)result->num_trials &&
        strcmp(fields[S_VERIFIED], verified_word(result->trials, result->num_trials)) == 0 &&
        (fields[S_BATCH][0] == '\0' || read_count(fields[S_BATCH], &batch)) && has_batches_of(result, batch) &&
        read_preparation(fields, resume->result))
        resume->has_summary = true;
    return true; /* it stays until the new one replaces it */
}

int records_resume(const struct bench_request *request, struct bench_result *result, bool *complete,
                   struct error *error)
{
    struct record_paths paths;
    struct resume resume = {.request = request, .result = result};
    if (record_key_init(&resume.key, request, NULL, error) != STATUS_OK ||
        record_paths_find(&paths, request, error) != STATUS_OK ||
        record_make_folders(paths.trials_folder, error) != STATUS_OK)
        return error->status;
    int lock = record_lock(&paths, error);
    if (lock < 0)
        return error->status;
    if (csv_filter(paths.trials, &trial_table, keep_trial, &resume, NULL, error) == STATUS_OK)
        csv_filter(paths.summary, &summary_table, keep_summary, &resume, NULL, error);
    close(lock);
    *complete = resume.has_summary;
    return error->status;
}

/* A trial's row stays if a trial of its source is marked resumed. Each such trial keeps one row. */
static bool keep_resumed(char *fields[CSV_MAX_COLUMNS], void *context)
{
    struct resume *resume = context;
    struct trial recorded;
    bool asked_for = false;
    if (!is_of_run(fields, T_THREADS, T_BUILD_ID, resume))
        return true;
    if (!read_trial(fields, &recorded))
        return false;
    for (int i = 0; i < resume->result->num_trials; i++)
        if (resume->result->trials[i].source == recorded.source) {
            asked_for = true;
            if (resume->result->trials[i].resumed && !resume->stands[i])
                return resume->stands[i] = true;
        }
    return !asked_for;
}

int records_give_up(const struct bench_request *request, struct bench_result *result, struct error *error)
{
    struct record_paths paths;
    struct resume resume = {.request = request, .result = result};
    if (record_key_init(&resume.key, request, NULL, error) != STATUS_OK ||
        record_paths_find(&paths, request, error) != STATUS_OK ||
        allocate_zeroed(&resume.stands, (size_t)result->num_trials, 1, "the trials", error) != STATUS_OK)
        return error->status;
    int lock = record_lock(&paths, error);
    if (lock >= 0) {
        csv_filter(paths.trials, &trial_table, keep_resumed, &resume, NULL, error);
        close(lock);
    }
    free(resume.stands);
    return error->status;
}
