/* records_resume.c: takes over the trials that earlier runs have recorded. */
#include <unistd.h>

#include "put_text.h"
#include "record_key.h"
#include "records.h"

struct resume {
    const struct bench_request *request;
    struct trials_result *result;
    char *key_text, *key[CSV_MAX_COLUMNS]; /* the key of the request's rows, and its fields there */
    char options[NUM_MEMORY_STEPS][sizeof((struct record_run *)0)->options]; /* of the rows, if memory was short */
    char threads[THREADS_BYTES];
    uint64_t *row;      /* num_trials: the index of the row from which a trial was resumed */
    uint64_t num_taken; /* number of rows taken so far */
    bool has_summary;   /* `summary` is valid: the newest summary covers these trials */
    struct trials_result summary;
};

static int make_key(struct resume *resume, struct error *error)
{
    struct record_run run;
    size_t size;
    if (record_run_init(&run, resume->request, error) != STATUS_OK)
        return error->status;
    memcpy(resume->threads, run.threads, sizeof resume->threads);
    for (int step = 0; step < NUM_MEMORY_STEPS; step++) {
        struct record_run with = run;
        record_run_add_step(&with, (enum memory_step)step);
        memcpy(resume->options[step], with.options, sizeof with.options);
    }
    FILE *file = open_memstream(&resume->key_text, &size);
    if (file != NULL)
        record_put_fields(file, trial_columns, RECORD_KEY_FIELDS, &run, NULL);
    if (memory_close(file, &resume->key_text, "the records' rows", error) == STATUS_OK)
        csv_split_row(resume->key_text, resume->key);
    return error->status;
}

/* Whether a row has the request's key, of a run with this step, and was measured with the same number of threads. */
static bool is_same(const struct column *columns, char *const *fields, const struct resume *resume, int step)
{
    const char *options = record_field(columns, fields, "options");
    for (int i = 0; i < RECORD_KEY_FIELDS; i++)
        if (strcmp(fields[i], fields[i] == options ? resume->options[step] : resume->key[i]) != 0)
            return false;
    return strcmp(record_field(columns, fields, "threads"), resume->threads) == 0;
}

static bool is_of_this_build(const struct column *columns, char *const *fields)
{
    return strcmp(record_field(columns, fields, "build"), build_id()) == 0;
}

/* Keeps version and date of the newest row that was taken over, to report them to the user. */
static void note_origin(char *const *fields, struct trials_result *result)
{
    const char *version = record_field(trial_columns, fields, "version");
    const char *date = record_field(trial_columns, fields, "date");
    if (strcmp(date, result->resumed_date) < 0)
        return;
    snprintf(result->resumed_version, sizeof result->resumed_version, "%s", version);
    snprintf(result->resumed_date, sizeof result->resumed_date, "%s", date);
}

/* Whether a row with this verdict can replace the measurement of trial i. */
static bool serves(const struct resume *resume, enum verdict verdict, int i)
{
    enum verify_mode verify = resume->request->verify;
    bool must_be_verified = verify == VERIFY_ALL || (verify == VERIFY_FIRST && i == 0);
    return verdict == VERIFIED || (verdict == NOT_VERIFIED && !must_be_verified);
}

/* Returns the index of the trial that gets this row. That is the first trial of the row's source that has no row yet
 * and may use this one; else the one with the oldest row, since rows come in order of age. -1: there is none. */
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

/* Fills in a trial from its newest row, or leaves it to be measured if the row is not usable. Of the repeats of
 * --repeats only the first counts: caches make the others faster. */
static void take_trial(UNUSED char *const names[], char *const fields[], UNUSED int count, void *context,
                       UNUSED struct error *error)
{
    struct resume *resume = context;
    struct trial recorded = {.resumed = true};
    int step = 0;
    while (step < NUM_MEMORY_STEPS && !is_same(trial_columns, fields, resume, step))
        step++;
    if (step == NUM_MEMORY_STEPS || !is_of_this_build(trial_columns, fields) ||
        !record_read_row(trial_columns, fields, &recorded))
        return;
    recorded.step = (enum memory_step)step;
    int i = find_trial(resume, &recorded);
    if (i < 0)
        return;
    if (serves(resume, recorded.verdict, i)) {
        if (recorded.repeat > 1)
            return;
        resume->result->trials[i] = recorded;
        resume->row[i] = ++resume->num_taken;
        note_origin(fields, resume->result);
    } else {
        resume->result->trials[i] = (struct trial){.source = recorded.source};
    }
}

/* Whether the first num_taken trials ran in batches of `size` sources; 0: no batches. */
static bool has_batches_of(const struct trials_result *result, uint64_t num_taken, uint64_t size)
{
    for (uint64_t i = 0, count = (uint64_t)result->num_trials; i < num_taken; i++) {
        uint64_t left = size > 0 ? count - i / size * size : 0;
        if (result->trials[i].batch != (left < size ? left : size))
            return false;
    }
    return true;
}

/* Whether a summary belongs to the resumed trials: it covers each of them once, and is not older than any. They are
 * all trials, or those that ran within a time limit at least as long as this run's. */
static bool is_of_trials(char *const *fields, const struct trials_result *summary, const struct bench_request *request,
                         const struct trials_result *result)
{
    int taken = num_leading(result);
    bool limited = taken > 0 && request->time_limit_s > 0 && request->time_limit_s <= summary->time_limit_s;
    return (taken == result->num_trials || limited) &&
           strcmp(record_field(summary_columns, fields, "repeats"), "1") == 0 && summary->summary.trials == taken &&
           strcmp(record_field(summary_columns, fields, "verified"), verified_word(result->trials, taken)) == 0 &&
           has_batches_of(result, (uint64_t)taken, summary->summary.batch_sources) &&
           strcmp(record_field(summary_columns, fields, "date"), result->resumed_date) >= 0;
}

/* Examines a summary row; the last one of this run decides. If it is complete, the graph is not prepared again. */
static void take_summary(UNUSED char *const names[], char *const fields[], UNUSED int count, void *context,
                         UNUSED struct error *error)
{
    struct resume *resume = context;
    if (is_same(summary_columns, fields, resume, MEMORY_SUFFICES))
        resume->has_summary = is_of_this_build(summary_columns, fields) &&
                              record_read_row(summary_columns, fields, &resume->summary) &&
                              is_of_trials(fields, &resume->summary, resume->request, resume->result);
}

static int read_records(struct resume *resume, struct error *error)
{
    char header[CSV_ROW_BYTES], path[RECORD_PATH_BYTES];
    int lock = record_lock(resume->request, error);
    if (lock < 0)
        return error->status;
    record_header(trial_columns, header);
    if (record_path_of_graph(resume->request, "/trials", path, error) == STATUS_OK)
        csv_read(path, header, resume->request->fresh ? NULL : take_trial, resume, NULL, error);
    record_header(summary_columns, header);
    if (record_path(resume->request, "", SUMMARIES_ENDING, path, error) == STATUS_OK)
        csv_read(path, header, take_summary, resume, NULL, error);
    close(lock);
    return error->status;
}

int records_resume(const struct bench_request *request, struct trials_result *result, bool *complete,
                   struct error *error)
{
    struct resume resume = {.request = request, .result = result};
    if (make_key(&resume, error) == STATUS_OK &&
        allocate_zeroed(&resume.row, (size_t)result->num_trials, sizeof *resume.row, "the trials", error) == STATUS_OK)
        read_records(&resume, error);
    *complete = resume.has_summary && (!request->energy || strstr(resume.summary.setup.facts, ENERGY_FACT) != NULL);
    if (resume.has_summary) {
        result->setup = resume.summary.setup;
        result->throttled = resume.summary.throttled;
        result->time_limit_s = resume.summary.time_limit_s;
    }
    free(resume.row);
    free(resume.key_text);
    return error->status;
}
