/* columns.c: the tables of columns, and how a value of each type is written and read. */
#include "columns.h"

#include <errno.h>
#include <math.h>

#include "../graph/sources.h"
#include "pairs_request.h"
#include "put_text.h"

/* Sets `at` and `bytes` of a column. */
#define MEMBER(structure, member) .at = offsetof(structure, member), .bytes = sizeof((structure *)0)->member

static uint64_t count_at(const struct column *column, const char *at)
{
    uint64_t wide;
    uint32_t narrow;
    memcpy(column->bytes == sizeof wide ? (void *)&wide : &narrow, at, column->bytes);
    return column->bytes == sizeof wide ? wide : narrow;
}

static double real_at(const char *at)
{
    double real;
    memcpy(&real, at, sizeof real);
    return real;
}

/* ---- columns of a summary that list its trials one by one ----
 *
 * With them a reader of the summary can compare two algorithms on the first k sources that both have, and recognise
 * sources that reach little of the graph. Each column lists the first MOST_LISTED trials in order, separated by
 * blanks. Closeness has batches instead of trials, so its lists are empty. */

#define SMALL_SHARE 100 /* a reach is small if it is less than the largest one divided by this */
#define WORD_BYTES  32

/* Returns the number of trials that are listed; 0 for closeness. */
static int num_listed(const struct bench_request *request, const struct trials_result *result)
{
    int count = result->num_trials < MOST_LISTED ? result->num_trials : MOST_LISTED;
    return request->family->engines == NULL ? count : 0;
}

/* Writes the entry of a trial: a time with 4 significant digits, or a count. */
static void put_entry(const struct column *column, const struct trial *trial, char word[WORD_BYTES])
{
    const char *at = (const char *)trial + column->at;
    if (column->type == COLUMN_TIMES)
        snprintf(word, WORD_BYTES, "%.4g", real_at(at));
    else
        snprintf(word, WORD_BYTES, "%" PRIu64, count_at(column, at));
}

/* Writes an entry for each trial. A run of equal entries is written once, with its length: "0.51*64". */
static void put_list(FILE *file, const struct bench_request *request, const struct trials_result *result,
                     const struct column *column)
{
    const struct trial *trials = result->trials;
    int count = num_listed(request, result);
    char word[WORD_BYTES], next[WORD_BYTES];
    for (int i = 0, equal; i < count; i += equal) {
        put_entry(column, &trials[i], word);
        for (equal = 1; i + equal < count; equal++) {
            put_entry(column, &trials[i + equal], next);
            if (strcmp(word, next) != 0)
                break;
        }
        fprintf(file, equal > 1 ? "%s%s*%d" : "%s%s", i > 0 ? " " : "", word, equal);
    }
}

/* Whether the trials start at the first sources of GAP's list. */
static bool starts_at_picks(const struct graph *graph, const struct trial *trials, int count)
{
    vertex_t picks[MOST_LISTED];
    struct error none = {0};
    if (count == 0 || pick_sources(graph, count, picks, &none) != STATUS_OK)
        return false;
    for (int i = 0; i < count; i++)
        if (trials[i].source != picks[i])
            return false;
    return true;
}

/* Writes "gap" if the sources are the first of the GAP benchmark's list (sources.h), else the sources: "0*16". */
static void list_sources(FILE *file, const struct bench_request *request, const struct trials_result *result)
{
    if (request->sources != NULL && starts_at_picks(request->graph, result->trials, num_listed(request, result)))
        fputs("gap", file);
    else if (request->sources != NULL)
        put_list(file, request, result, &(struct column){.type = COLUMN_COUNTS, MEMBER(struct trial, source)});
}

/* Writes the indices, from 0, of the trials that reached less than 1% of the largest number of vertices: "3 5-9". */
static void list_small_reach(FILE *file, const struct bench_request *request, const struct trials_result *result)
{
    const struct trial *trials = result->trials;
    int count = num_listed(request, result);
    uint64_t most = 0;
    const char *separator = "";
    for (int i = 0; i < count; i++)
        most = trials[i].reached > most ? trials[i].reached : most;
    for (int i = 0, end; i < count; i = end + 1) {
        for (end = i; end < count && trials[end].reached * SMALL_SHARE < most; end++)
            ;
        if (end == i)
            continue;
        fprintf(file, end > i + 1 ? "%s%d-%d" : "%s%d", separator, i, end - 1);
        separator = " ";
    }
}

/* ---- the tables ---- */

#define RUN(member)        MEMBER(struct record_run, member), .of_run = true, .json = ""
#define TRIAL(member)      MEMBER(struct trial, member)
#define RESULT(member)     MEMBER(struct trials_result, member)
#define SUMMARY(member)    MEMBER(struct trials_result, summary.member)
#define PAIRS(member)      MEMBER(struct pairs_result, member)
#define FAILURE(member)    MEMBER(struct failure, member), .json = ""
#define LIST(function)     .type = COLUMN_LIST, .put = function, .json = ""
#define EACH(list, member) .type = list, TRIAL(member), .json = "" /* a list of one member of each trial */
#define REAL(places)       .type = COLUMN_REAL, .decimals = places
#define MEASURED(places)   .type = COLUMN_MEASURED, .decimals = places

/* clang-format off */
#define KEY_COLUMNS                                                                                                    \
    {"graph", .type = COLUMN_WORD, RUN(graph)}, {"vertices", .type = COLUMN_COUNT, RUN(vertices)},                     \
    {"edges", .type = COLUMN_COUNT, RUN(edges)}, {"graph_hash", .type = COLUMN_TEXT, RUN(graph_hash)},                 \
    {"family", .type = COLUMN_WORD, RUN(family)}, {"variant", .type = COLUMN_WORD, RUN(variant)},                      \
    {"options", .type = COLUMN_TEXT, RUN(options)}, {"device", .type = COLUMN_WORD, RUN(device)}
#define IDENTITY_COLUMNS                                                                                               \
    {"machine", .type = COLUMN_WORD, RUN(machine)}, {"driver", .type = COLUMN_WORD, RUN(driver)}
#define STATE(structure, member) MEMBER(structure, setup.state.member)
#define MACHINE_COLUMNS(structure)                                                                                     \
    {"cores", .type = COLUMN_COUNT, RUN(cores)}, {"busy_cores", .type = COLUMN_COUNT, RUN(busy_cores)},                \
    {"cpu_mhz", .type = COLUMN_SIZE, STATE(structure, cpu_mhz)},                                                       \
    {"sm_mhz_before", .type = COLUMN_SIZE, STATE(structure, sm_mhz_before)},                                           \
    {"sm_mhz_after", .type = COLUMN_SIZE, STATE(structure, sm_mhz_after)},                                             \
    {"temperature_c", .type = COLUMN_SIZE, STATE(structure, temperature_c)},                                           \
    {"clock_limits", .type = COLUMN_TEXT, STATE(structure, clock_limits)}, IDENTITY_COLUMNS
#define ORIGIN_COLUMNS                                                                                                 \
    {"threads", .type = COLUMN_TEXT, RUN(threads)}, {"build", .type = COLUMN_WORD, RUN(build)},                        \
    {"version", .type = COLUMN_WORD, RUN(version)}, {"date", .type = COLUMN_TEXT, RUN(date)},                          \
    {"launch", .type = COLUMN_WORD, RUN(launch)}, {"turn", .type = COLUMN_WORD, RUN(turn)}
/* clang-format on */

const struct column trial_columns[] = {
    KEY_COLUMNS,
    {"source", .type = COLUMN_SOURCE, TRIAL(source)},
    {"trial_edges", .json = "edges", .type = COLUMN_COUNT, TRIAL(edges)},
    {"reached", .type = COLUMN_COUNT, TRIAL(reached)},
    {"time_ms", REAL(6), TRIAL(time_ms)},
    {"reset_ms", REAL(6), TRIAL(reset_ms)},
    {"kernel_ms", REAL(6), TRIAL(kernel_ms)},
    {"search_mteps", REAL(3), TRIAL(search_mteps)},
    {"mteps", REAL(3), TRIAL(mteps)},
    {"verified", .type = COLUMN_VERDICT, TRIAL(verdict)},
    {"tree_depth", .type = COLUMN_COUNT, TRIAL(quality.tree_depth), .known = offsetof(struct trial, quality.known)},
    {"cross_share", REAL(9), TRIAL(quality.cross_share), .known = offsetof(struct trial, quality.known)},
    {"batch_sources", .type = COLUMN_SIZE, TRIAL(batch)},
    {"download_ms", MEASURED(6), TRIAL(download_ms)},
    {"sm_mhz", .type = COLUMN_SIZE, TRIAL(sm_mhz)},
    IDENTITY_COLUMNS,
    ORIGIN_COLUMNS,
    {"repeat", .type = COLUMN_COUNT, .json = "", TRIAL(repeat)},
    {0},
};

const struct column summary_columns[] = {
    KEY_COLUMNS,
    {"sources", .type = COLUMN_COUNT, SUMMARY(trials)},
    {"verified", .type = COLUMN_WORD, SUMMARY(verified)},
    {"load_ms", REAL(3), RESULT(setup.load_ms)},
    {"prepare_ms", REAL(3), RESULT(setup.prepare_ms)},
    {"upload_ms", REAL(6), RESULT(setup.upload_ms)},
    {"download_ms", MEASURED(6), SUMMARY(download_ms)},
    {"total_ms", MEASURED(6), RESULT(total_ms)},
    {"mean_time_ms", REAL(6), SUMMARY(time.mean_ms)},
    {"median_time_ms", REAL(6), SUMMARY(time.median_ms)},
    {"min_time_ms", REAL(6), SUMMARY(time.min_ms)},
    {"max_time_ms", REAL(6), SUMMARY(time.max_ms)},
    {"time_spread", .json_only = true, REAL(6), SUMMARY(time.deviation)},
    {"mean_reset_ms", REAL(6), SUMMARY(mean_reset_ms)},
    {"median_reset_ms", REAL(6), SUMMARY(median_reset_ms)},
    {"mean_kernel_ms", REAL(6), SUMMARY(kernel.mean_ms)},
    {"median_kernel_ms", REAL(6), SUMMARY(kernel.median_ms)},
    {"min_kernel_ms", REAL(6), SUMMARY(kernel.min_ms)},
    {"max_kernel_ms", REAL(6), SUMMARY(kernel.max_ms)},
    {"kernel_spread", .json_only = true, REAL(6), SUMMARY(kernel.deviation)},
    {"mean_search_mteps", REAL(3), SUMMARY(search_mteps.mean)},
    {"harmonic_mean_search_mteps", REAL(3), SUMMARY(search_mteps.harmonic_mean)},
    {"total_search_mteps", .json_only = true, REAL(3), SUMMARY(total_mteps)},
    {"mean_mteps", REAL(3), SUMMARY(mteps.mean)},
    {"harmonic_mean_mteps", REAL(3), SUMMARY(mteps.harmonic_mean)},
    {"mean_tree_depth", MEASURED(3), SUMMARY(mean_tree_depth)},
    {"mean_cross_share", MEASURED(9), SUMMARY(mean_cross_share)},
    {"reorder_ms", REAL(3), RESULT(setup.reorder_ms)},
    {"build_ms", REAL(3), RESULT(setup.build_ms)},
    {"device_bytes", .type = COLUMN_COUNT, RESULT(setup.device_bytes)},
    {"peak_device_bytes", .type = COLUMN_COUNT, RESULT(setup.peak_device_bytes)},
    {"note", .type = COLUMN_TEXT, RESULT(setup.note), .json = ""},
    {"facts", .type = COLUMN_TEXT, RESULT(setup.facts), .json = ""},
    {"batch_sources", .type = COLUMN_SIZE, SUMMARY(batch_sources)},
    {"batch_time_ms", MEASURED(6), SUMMARY(batch_time_ms)},
    {"batch_kernel_ms", MEASURED(6), SUMMARY(batch_kernel_ms)},
    {"trial_ms", EACH(COLUMN_TIMES, time_ms)},
    {"trial_kernel_ms", EACH(COLUMN_TIMES, kernel_ms)},
    {"trial_edges", EACH(COLUMN_COUNTS, edges)},
    {"source_list", LIST(list_sources)},
    {"small_reach", LIST(list_small_reach)},
    {"time_limit_s", .type = COLUMN_SIZE, RESULT(time_limit_s)},
    {"devices", .type = COLUMN_COUNT, RUN(devices)},
    MACHINE_COLUMNS(struct trials_result),
    {"throttled", .type = COLUMN_COUNT, .json = "", RESULT(throttled)},
    ORIGIN_COLUMNS,
    {"repeats", .type = COLUMN_COUNT, RUN(repeats)},
    {0},
};

const struct column pairs_columns[] = {
    KEY_COLUMNS,
    {"pairs", .type = COLUMN_COUNT, RUN(num_pairs)},
    {"sources", .json = "searches", .type = COLUMN_COUNT, PAIRS(num_sources)},
    {"batches", .type = COLUMN_COUNT, PAIRS(num_batches)},
    {"batch_sources", .type = COLUMN_COUNT, PAIRS(batch_sources)},
    {"verified", .type = COLUMN_WORD, PAIRS(verified)},
    {"load_ms", REAL(3), PAIRS(setup.load_ms), .json = ""},
    {"prepare_ms", REAL(3), PAIRS(setup.prepare_ms), .json = ""},
    {"time_ms", REAL(6), PAIRS(times.time_ms)},
    {"reset_ms", REAL(6), PAIRS(times.reset_ms)},
    {"kernel_ms", REAL(6), PAIRS(times.kernel_ms)},
    {"repeats", .type = COLUMN_COUNT, PAIRS(repeats)},
    {"min_time_ms", REAL(6), PAIRS(min_time_ms)},
    {"max_time_ms", REAL(6), PAIRS(max_time_ms)},
    {"upload_ms", REAL(6), PAIRS(setup.upload_ms), .json = ""},
    {"download_ms", REAL(6), PAIRS(download_ms)},
    {"total_ms", REAL(6), PAIRS(total_ms)},
    {"time_limit_s", .type = COLUMN_SIZE, PAIRS(time_limit_s)},
    {"note", .type = COLUMN_TEXT, PAIRS(setup.note), .json = ""},
    {"facts", .type = COLUMN_TEXT, PAIRS(setup.facts), .json = ""},
    {"devices", .type = COLUMN_COUNT, MEMBER(struct record_run, devices), .of_run = true},
    MACHINE_COLUMNS(struct pairs_result),
    ORIGIN_COLUMNS,
    {0},
};

const struct column failure_columns[] = {
    KEY_COLUMNS,
    {"pairs", .type = COLUMN_SIZE, RUN(num_pairs)},
    {"reason", .type = COLUMN_WORD, FAILURE(reason)},
    {"message", .type = COLUMN_WORD, FAILURE(message)},
    IDENTITY_COLUMNS,
    ORIGIN_COLUMNS,
    {0},
};

/* ---- values ---- */

static const char *const json_verdicts[] = {[NOT_VERIFIED] = "null", [VERIFIED] = "true", [VERIFY_FAILED] = "false"};

static enum verdict verdict_at(const char *at)
{
    enum verdict verdict;
    memcpy(&verdict, at, sizeof verdict);
    return verdict;
}

static const char *text_at(const struct column *column, const char *at)
{
    const char *text = at;
    if (column->type == COLUMN_WORD)
        memcpy(&text, at, sizeof text);
    return text;
}

static bool has_value(const struct column *column, const char *source)
{
    const char *at = source + column->at;
    if (column->known > 0)
        return source[column->known] != 0;
    return !((column->type == COLUMN_SOURCE && count_at(column, at) == NO_VERTEX) ||
             (column->type == COLUMN_SIZE && count_at(column, at) == 0) ||
             (column->type == COLUMN_MEASURED && real_at(at) < 0));
}

/* Writes a number, for CSV or JSON. */
static void put_number(FILE *file, const struct column *column, const char *at)
{
    if (column->type == COLUMN_REAL || column->type == COLUMN_MEASURED)
        fprintf(file, "%.*f", column->decimals, real_at(at));
    else
        fprintf(file, "%" PRIu64, count_at(column, at));
}

static void put_field(FILE *file, const struct column *column, const struct record_run *run, const void *result)
{
    const char *source = column->of_run ? (const char *)run : result, *at = source + column->at;
    if (column->type == COLUMN_LIST)
        column->put(file, run->request, result);
    else if (column->type == COLUMN_TIMES || column->type == COLUMN_COUNTS)
        put_list(file, run->request, result, column);
    else if (column->type == COLUMN_TEXT || column->type == COLUMN_WORD)
        csv_put_field(file, text_at(column, at));
    else if (column->type == COLUMN_VERDICT)
        fputs(verdict_word(verdict_at(at)), file);
    else if (has_value(column, source))
        put_number(file, column, at);
}

void record_put_fields(FILE *file, const struct column *columns, int count, const struct record_run *run,
                       const void *result)
{
    bool first = true;
    for (const struct column *column = columns; count > 0 && column->name != NULL; column++) {
        if (column->json_only)
            continue;
        fputs(first ? "" : ",", file);
        put_field(file, column, run, result);
        first = false;
        count--;
    }
}

void record_header(const struct column *columns, char header[CSV_ROW_BYTES])
{
    header[0] = '\0';
    for (const struct column *column = columns; column->name != NULL; column++)
        if (!column->json_only)
            text_append(header, CSV_ROW_BYTES, ",", "%s", column->name);
    text_append(header, CSV_ROW_BYTES, "", "\n");
}

/* ---- reading ---- */

static bool read_count(const struct column *column, const char *text, char *to)
{
    char *end;
    errno = 0;
    uint64_t count = strtoull(text, &end, 10);
    uint32_t narrow = (uint32_t)count;
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || (column->bytes < sizeof count && count != narrow))
        return false;
    memcpy(to, column->bytes < sizeof count ? (void *)&narrow : &count, column->bytes);
    return true;
}

static bool read_real(const char *text, char *to)
{
    char *end;
    double real = strtod(text, &end);
    memcpy(to, &real, sizeof real);
    return *text >= '0' && *text <= '9' && *end == '\0' && isfinite(real);
}

static bool read_verdict(const char *text, char *to)
{
    enum verdict verdict = NOT_VERIFIED;
    while (verdict <= VERIFY_FAILED && strcmp(text, verdict_word(verdict)) != 0)
        verdict++;
    memcpy(to, &verdict, sizeof verdict);
    return verdict <= VERIFY_FAILED;
}

/* Marks a value as missing. False if the column must have a value. */
static bool read_none(const struct column *column, char *result)
{
    char *at = result + column->at;
    if (column->known > 0)
        result[column->known] = false;
    else if (column->type == COLUMN_SOURCE)
        memcpy(at, &(vertex_t){NO_VERTEX}, sizeof(vertex_t));
    else if (column->type == COLUMN_MEASURED)
        memcpy(at, &(double){NOT_MEASURED}, sizeof(double));
    else if (column->type == COLUMN_SIZE)
        memset(at, 0, column->bytes);
    else
        return false;
    return true;
}

static bool read_field(const struct column *column, const char *text, char *result)
{
    char *at = result + column->at;
    if (column->type == COLUMN_TEXT)
        return snprintf(at, column->bytes, "%s", text) >= 0;
    if (column->type == COLUMN_VERDICT)
        return read_verdict(text, at);
    if (*text == '\0')
        return read_none(column, result);
    if (column->known > 0)
        result[column->known] = true;
    bool real = column->type == COLUMN_REAL || column->type == COLUMN_MEASURED;
    return real ? read_real(text, at) : read_count(column, text, at);
}

bool record_read_row(const struct column *columns, char *const *fields, void *result)
{
    for (const struct column *column = columns; column->name != NULL; column++) {
        if (column->json_only)
            continue;
        bool is_read = !column->of_run && column->type != COLUMN_WORD && column->type < COLUMN_LIST;
        if (is_read && !read_field(column, *fields, result))
            return false;
        fields++;
    }
    return true;
}

const char *record_field(const struct column *columns, char *const *fields, const char *name)
{
    for (const struct column *column = columns; strcmp(column->name, name) != 0; column++)
        fields += !column->json_only;
    return *fields;
}

/* ---- JSON ---- */

void json_columns(FILE *file, const struct column *columns, const struct record_run *run, const void *result)
{
    const char *separator = "";
    for (const struct column *column = columns; column->name != NULL; column++) {
        if (column->json != NULL && column->json[0] == '\0')
            continue;
        const char *source = column->of_run ? (const char *)run : result, *at = source + column->at;
        fprintf(file, "%s\"%s\": ", separator, column->json != NULL ? column->json : column->name);
        separator = ", ";
        if (column->type == COLUMN_WORD || column->type == COLUMN_TEXT)
            json_string(file, text_at(column, at));
        else if (column->type == COLUMN_VERDICT)
            fputs(json_verdicts[verdict_at(at)], file);
        else if (has_value(column, source))
            put_number(file, column, at);
        else
            fputs("null", file);
    }
}
