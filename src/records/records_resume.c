/* records_resume.c: takes over the trials that earlier runs have recorded. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
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
    uint64_t *row;                /* num_trials: the index of the row from which a trial was resumed */
    uint64_t num_taken;           /* number of rows taken so far */
    bool has_summary;             /* the newest summary is the one of these trials, with these figures: */
    struct bench_result prepared; /* what preparing took */
};

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

/* Whether a rate is that of the edges and the time beside it, as far as the digits of a row tell. Where it is not, a
 * figure was damaged or edited. */
static bool is_rate_of(double rate, uint64_t edges, double ms)
{
    const double half_ms = 0.5e-6, half_rate = 0.5e-3, rounding = 1e-9; /* of %.6f and %.3f, and of doubles */
    double least = mteps_of(edges, ms + half_ms), most = ms > half_ms ? mteps_of(edges, ms - half_ms) : INFINITY;
    return (rate == 0 && ms == 0) || (rate >= least * (1 - rounding) - half_rate - rounding &&
                                      rate <= most * (1 + rounding) + half_rate + rounding);
}

/* Fills in what a row of an older version lacks, which had neither resets nor the rate of the whole search. It does
 * not tell the reset from what ran behind the traversal, so all that is not traversal is taken for it. */
static bool read_search(char *const *fields, struct trial *trial)
{
    if (fields[T_RESET][0] != '\0')
        return read_figure(fields[T_RESET], &trial->reset_ms) &&
               read_figure(fields[T_SEARCH_MTEPS], &trial->search_mteps);
    trial->reset_ms = fmax(0, trial->time_ms - trial->kernel_ms);
    trial->search_mteps = mteps_of(trial->edges, trial->time_ms);
    return isfinite(trial->search_mteps);
}

/* Reads the figures of a row. False if one of them is not a number, as after a disk error, or not that of the others;
 * such a row is ignored. */
static bool read_trial(char *const *fields, struct trial *trial)
{
    uint64_t source = NO_VERTEX;
    if (fields[T_SOURCE][0] != '\0' && (!read_count(fields[T_SOURCE], &source) || source >= NO_VERTEX))
        return false;
    *trial = (struct trial){.source = (vertex_t)source, .resumed = true};
    if (strcmp(fields[T_VERIFIED], "yes") == 0)
        trial->verdict = VERIFIED;
    else if (strcmp(fields[T_VERIFIED], "FAILED") == 0)
        trial->verdict = VERIFY_FAILED;
    trial->download_ms = NOT_MEASURED;
    if (fields[T_DOWNLOAD][0] != '\0' && !read_figure(fields[T_DOWNLOAD], &trial->download_ms))
        return false;
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
           read_figure(fields[T_MTEPS], &trial->mteps) && read_search(fields, trial) &&
           is_rate_of(trial->mteps, trial->edges, trial->kernel_ms) &&
           is_rate_of(trial->search_mteps, trial->edges, trial->time_ms);
}

/* Keeps version and date of the newest row that was taken over, to report them to the user. */
static void note_origin(char *const *fields, struct bench_result *result)
{
    if (strcmp(fields[T_DATE], result->resumed_date) < 0)
        return;
    snprintf(result->resumed_version, sizeof result->resumed_version, "%s", fields[T_VERSION]);
    snprintf(result->resumed_date, sizeof result->resumed_date, "%s", fields[T_DATE]);
}

/* Whether trial number i can be taken from a row with this verdict. */
static bool serves(const struct resume *resume, enum verdict verdict, int i)
{
    enum verify_mode verify = resume->request->verify;
    bool must_be_verified = verify == VERIFY_ALL || (verify == VERIFY_FIRST && i == 0);
    return verdict == VERIFIED || (verdict == NOT_VERIFIED && !must_be_verified);
}

/* Finds the trial to which a newer row belongs: the first one with its source that has no row yet and can be taken
 * from this row; if all have rows, the one with the oldest row. -1 if there is none. */
static int find_trial(const struct resume *resume, const struct trial *recorded)
{
    int oldest = -1;
    bool all_taken = true;
    for (int i = 0; i < resume->result->num_trials; i++) {
        const struct trial *trial = &resume->result->trials[i];
        if (trial->source != recorded->source)
            continue;
        if (!trial->resumed && serves(resume, recorded->verdict, i))
            return i;
        all_taken = all_taken && trial->resumed;
        if (oldest < 0 || resume->row[i] < resume->row[oldest])
            oldest = i;
    }
    return all_taken ? oldest : -1;
}

/* Takes over a trial, or leaves it to be measured again if its newest row is not usable. */
static void take_trial(char *fields[CSV_MAX_COLUMNS], void *context)
{
    struct resume *resume = context;
    struct trial recorded;
    if (!record_same_key(fields, &resume->key) ||
        !record_same_identity(fields[T_THREADS], fields[T_BUILD_ID], &resume->key) || !read_trial(fields, &recorded))
        return;
    int i = find_trial(resume, &recorded);
    if (i < 0)
        return;
    if (serves(resume, recorded.verdict, i)) {
        resume->result->trials[i] = recorded;
        resume->row[i] = ++resume->num_taken;
        note_origin(fields, resume->result);
    } else {
        resume->result->trials[i] = (struct trial){.source = recorded.source};
    }
}

/* Whether the first num_taken trials were divided into batches of this size; 0: no batches. */
static bool has_batches_of(const struct bench_result *result, uint64_t num_taken, uint64_t size)
{
    for (uint64_t i = 0, count = (uint64_t)result->num_trials; i < num_taken; i++) {
        uint64_t left = size > 0 ? count - i / size * size : 0;
        if (result->trials[i].batch != (left < size ? left : size))
            return false;
    }
    return true;
}

/* Reads the figures of the preparation, and the limit that ended the trials, if any. False if one is missing, as in
 * rows of older versions, or is not a number. */
static bool read_preparation(char *const *fields, struct bench_result *result)
{
    uint64_t limit = 0;
    snprintf(result->note, sizeof result->note, "%s", fields[S_NOTE]);
    if (fields[S_TIME_LIMIT][0] != '\0' && (!read_count(fields[S_TIME_LIMIT], &limit) || limit > INT_MAX))
        return false;
    result->time_limit_s = (int)limit;
    return read_figure(fields[S_LOAD], &result->load_ms) && read_figure(fields[S_PREPARE], &result->prepare_ms) &&
           read_figure(fields[S_UPLOAD], &result->upload_ms) && read_figure(fields[S_REORDER], &result->reorder_ms) &&
           read_figure(fields[S_BUILD], &result->build_ms) &&
           read_count(fields[S_DEVICE_BYTES], &result->device_bytes) &&
           read_count(fields[S_PEAK_BYTES], &result->peak_device_bytes);
}

/* Whether a summary covers all trials, or those of a run that a limit ended which was no shorter than this run's. */
static bool is_long_enough(char *const *fields, const struct bench_request *request,
                           const struct bench_result *result, uint64_t sources)
{
    uint64_t limit;
    return sources == (uint64_t)result->num_trials ||
           (sources > 0 && request->time_limit_s > 0 && read_count(fields[S_TIME_LIMIT], &limit) &&
            (uint64_t)request->time_limit_s <= limit);
}

/* Whether a summary is the one of the trials taken over: it covers all of them and is not older than any of them. */
static bool is_of_trials(char *const *fields, const struct bench_request *request, const struct bench_result *result)
{
    uint64_t sources, batch = 0, taken = (uint64_t)num_leading(result);
    return read_count(fields[S_SOURCES], &sources) && sources == taken &&
           is_long_enough(fields, request, result, sources) &&
           strcmp(fields[S_VERIFIED], verified_word(result->trials, (int)taken)) == 0 &&
           (fields[S_BATCH][0] == '\0' || read_count(fields[S_BATCH], &batch)) &&
           has_batches_of(result, taken, batch) && strcmp(fields[S_DATE], result->resumed_date) >= 0;
}

/* Examines a summary of this run; the newest one decides. If it is complete, the graph need not be prepared again. */
static void take_summary(char *fields[CSV_MAX_COLUMNS], void *context)
{
    struct resume *resume = context;
    if (record_same_key(fields, &resume->key) && record_outdates(fields[S_THREADS], &resume->key))
        resume->has_summary = record_same_identity(fields[S_THREADS], fields[S_BUILD_ID], &resume->key) &&
                              is_of_trials(fields, resume->request, resume->result) &&
                              read_preparation(fields, &resume->prepared);
}

static void copy_preparation(const struct bench_result *from, struct bench_result *to)
{
    to->load_ms = from->load_ms;
    to->prepare_ms = from->prepare_ms;
    to->upload_ms = from->upload_ms;
    to->reorder_ms = from->reorder_ms;
    to->build_ms = from->build_ms;
    to->device_bytes = from->device_bytes;
    to->peak_device_bytes = from->peak_device_bytes;
    to->time_limit_s = from->time_limit_s;
    memcpy(to->note, from->note, sizeof to->note);
}

static int read_records(const struct record_paths *paths, bool fresh, struct resume *resume, struct error *error)
{
    int lock = record_lock(paths, error);
    if (lock < 0)
        return error->status;
    if (csv_read(paths->trials, &trial_table, fresh ? NULL : take_trial, resume, error) == STATUS_OK)
        csv_read(paths->summary, &summary_table, take_summary, resume, error);
    close(lock);
    return error->status;
}

int records_resume(const struct bench_request *request, const char *output, bool fresh, struct bench_result *result,
                   bool *complete, struct error *error)
{
    struct record_paths paths;
    struct resume resume = {.request = request, .result = result};
    if (record_key_init(&resume.key, request, output, error) != STATUS_OK ||
        record_paths_find(&paths, request, error) != STATUS_OK ||
        record_make_folders(paths.trials_folder, error) != STATUS_OK ||
        allocate_zeroed(&resume.row, (size_t)result->num_trials, sizeof *resume.row, "the trials", error) !=
            STATUS_OK)
        return error->status;
    read_records(&paths, fresh, &resume, error);
    free(resume.row);
    *complete = resume.has_summary;
    if (resume.has_summary)
        copy_preparation(&resume.prepared, result);
    return error->status;
}
