#include "comparison.h"

#include <math.h>
#include <stdarg.h>

#include "../device.h"
#include "../records/summary.h"
#include "sides.h"

#define LARGEST_LOG 100 /* no search takes e^100 ms */

static const char *const words[] = {
    [REFUSED] = "refused", [ONE_LAUNCH] = "one launch", [TOO_FEW] = "too few launches", [SAME] = "same",
    [FASTER] = "faster",   [SLOWER] = "slower",         [UNCLEAR] = "unclear",
};

const char *outcome_word(enum outcome outcome)
{
    return words[outcome];
}

/* ---- what forbids a comparison ---- */

__attribute__((format(printf, 2, 3))) static bool refuse(struct comparison *comparison, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(comparison->remark, sizeof comparison->remark, format, arguments);
    va_end(arguments);
    comparison->outcome = REFUSED;
    return false;
}

/* The launches of one comparison have different turns. */
static bool check_turns(const struct cell *cell, const char *side, struct comparison *comparison)
{
    for (int i = 0; i < cell->count; i++)
        for (int j = 0; j < i; j++)
            if (cell->launches[i]->field[TURN][0] != '\0' && row_equal(cell->launches[i], cell->launches[j], TURN))
                return refuse(comparison, "%s: two launches have turn %.20s, so they belong to two comparisons", side,
                              cell->launches[i]->field[TURN]);
    return true;
}

/* All launches of a side must have measured the same work on the same machine. */
static bool check_side(const struct cell *cell, const char *side, struct comparison *comparison)
{
    static const enum field constant[] = {BUILD,         MACHINE, DRIVER,      SOURCES,
                                          BATCH_SOURCES, REPEATS, SOURCE_LIST, TRIAL_EDGES};
    if (cell->count == 0)
        return refuse(comparison, "%s: several launches measured its trials; measure with --fresh", side);
    for (int i = 0; i < cell->count; i++)
        if (strcmp(cell->launches[i]->field[VERIFICATION], "FAILED") == 0)
            return refuse(comparison, "%s: a result is wrong", side);
    for (size_t field = 0; field < sizeof constant / sizeof constant[0]; field++)
        for (int i = 1; i < cell->count; i++)
            if (!row_equal(cell->launches[0], cell->launches[i], constant[field]))
                return refuse(comparison, "%s: its launches differ in %s: %.80s, %.80s", side,
                              field_name(constant[field]), cell->launches[0]->field[constant[field]],
                              cell->launches[i]->field[constant[field]]);
    return check_turns(cell, side, comparison);
}

/* Copies an option's value out of "alpha=15 output=paths"; "" if it is not among them. */
static const char *option_value(const char *options, const char *name, char value[64])
{
    size_t length = strlen(name);
    value[0] = '\0';
    for (const char *word = options; *word != '\0'; word += strcspn(word, " "), word += *word == ' ')
        if (strncmp(word, name, length) == 0 && word[length] == '=')
            snprintf(value, 64, "%.*s", (int)strcspn(word + length + 1, " "), word + length + 1);
    return value;
}

/* Both sides must have the same value of an option, or none. */
static bool check_option(const struct row *a, const struct row *b, const char *name, struct comparison *comparison)
{
    char mine[64], others[64];
    option_value(a->field[OPTIONS], name, mine);
    option_value(b->field[OPTIONS], name, others);
    return strcmp(mine, others) == 0 || refuse(comparison, "different %s: '%s' and '%s'", name, mine, others);
}

/* A launch on both sides would be compared with itself. */
static bool check_launches(const struct cell *a, const struct cell *b, struct comparison *comparison)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (a->launches[i]->field[LAUNCH][0] != '\0' && row_equal(a->launches[i], b->launches[j], LAUNCH))
                return refuse(comparison, "launch %.40s is on both sides", a->launches[i]->field[LAUNCH]);
    return true;
}

/* Both sides must have computed the same result under the same conditions. If the user named no commands, the values
 * of the algorithm's options must agree too, except those of options that only one side has. */
static bool check_options(const struct row *a, const struct row *b, bool of_commands, struct comparison *comparison)
{
    static const char *const conditions[] = {"output", "max-depth", "caches", "reorder", "devices"};
    size_t count = sizeof conditions / sizeof conditions[0] - (of_commands ? 2 : 0);
    for (size_t i = 0; i < count; i++)
        if (!check_option(a, b, conditions[i], comparison))
            return false;
    for (const char *word = a->field[OPTIONS]; *word != '\0' && !of_commands; word += *word == ' ') {
        char name[64], value[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "= "), word);
        if (option_value(b->field[OPTIONS], name, value)[0] != '\0' && !check_option(a, b, name, comparison))
            return false;
        word += strcspn(word, " ");
    }
    return true;
}

/* Both sides must have run on the same machine in the same way. Only commands may differ in batches and threads. */
static bool check_terms(const struct row *a, const struct row *b, bool of_commands, struct comparison *comparison)
{
    static const enum field terms[] = {DEVICE, MACHINE, REPEATS, BATCH_SOURCES, THREADS};
    size_t count = sizeof terms / sizeof terms[0] - (of_commands ? 2 : 0);
    for (size_t i = 0; i < count; i++) {
        const char *one = a->field[terms[i]], *other = b->field[terms[i]];
        if (one != a->texts && other != b->texts && strcmp(one, other) != 0)
            return refuse(comparison, "different %s: %.100s and %.100s", field_name(terms[i]), one, other);
    }
    return check_options(a, b, of_commands, comparison);
}

/* ---- remarks ---- */

#define REMARK(comparison, ...) text_append((comparison)->remark, sizeof(comparison)->remark, "; ", __VA_ARGS__)

/* Whether other programs, a quota or the GPU's limits slowed the run; docs/records.md has the rule. */
static bool was_held_up(const struct row *row)
{
    double cores = strtod(row->field[CORES], NULL), busy = strtod(row->field[BUSY_CORES], NULL);
    double threads = strtod(row->field[THREADS], NULL);
    return (cores > 0 && busy + fmax(threads, 1) > cores) || strtod(row->field[THROTTLED], NULL) > 0 ||
           row->field[CLOCK_LIMITS][0] != '\0';
}

/* Copies the engine that `auto` chose, from the facts: {"engine": "blest", ...}. */
static const char *engine_of(const struct row *row, char engine[32])
{
    static const char name[] = "\"engine\": \"";
    const char *at = strstr(row->field[FACTS], name);
    snprintf(engine, 32, "%.*s", at != NULL ? (int)strcspn(at + strlen(name), "\"") : 0,
             at != NULL ? at + strlen(name) : "");
    return engine;
}

static void remark_on_engines(const struct cell *a, const struct cell *b, struct comparison *comparison)
{
    char first[32], other[32];
    const struct cell *const cells[] = {a, b};
    engine_of(a->launches[0], first);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < cells[side]->count; i++)
            if (first[0] != '\0' && engine_of(cells[side]->launches[i], other)[0] != '\0' &&
                strcmp(first, other) != 0) {
                REMARK(comparison, "auto chose %s and %s", first, other);
                return;
            }
}

/* Copies the options of one side that the other lacks or has another value for: "alpha=15 mode=paper". */
static const char *own_options(const struct row *of, const struct row *other, char own[80])
{
    own[0] = '\0';
    for (const char *word = of->field[OPTIONS]; *word != '\0'; word += strcspn(word, " "), word += *word == ' ') {
        char name[64], value[64], others[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "= "), word);
        option_value(of->field[OPTIONS], name, value);
        if (strcmp(value, option_value(other->field[OPTIONS], name, others)) != 0)
            text_append(own, 80, " ", "%s=%s", name, value);
    }
    return own;
}

/* Remarks on batches, options and threads, which the table does not show. */
static void remark_on_options(const struct row *a, const struct row *b, struct comparison *comparison)
{
    char mine[80], others[80];
    if (!row_equal(a, b, BATCH_SOURCES))
        REMARK(comparison, "batch_sources '%s' and '%s'", a->field[BATCH_SOURCES], b->field[BATCH_SOURCES]);
    if (!row_equal(a, b, VARIANT))
        return;
    if (!row_equal(a, b, OPTIONS))
        REMARK(comparison, "options '%s' and '%s'", own_options(a, b, mine), own_options(b, a, others));
    if (!row_equal(a, b, THREADS))
        REMARK(comparison, "threads '%s' and '%s'", a->field[THREADS], b->field[THREADS]);
}

/* Whether the launches of the two sides overlap in time, so that a drift of the machine affects both. If both sides
 * have the same turn, they are from different comparisons. */
static bool took_turns(const struct cell *a, const struct cell *b)
{
    int before = 0, after = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            long one = strtol(a->launches[i]->field[TURN], NULL, 10);
            long other = strtol(b->launches[j]->field[TURN], NULL, 10);
            if (one > 0 && one == other)
                return false;
            before += one > 0 && other > 0 && one < other;
            after += one > 0 && other > 0 && one > other;
        }
    return before > 0 && after > 0;
}

static void add_remarks(const struct cell *a, const struct cell *b, struct comparison *comparison)
{
    int held_up = 0, mixed = a->mixed + b->mixed;
    for (int i = 0; i < a->count; i++)
        held_up += was_held_up(a->launches[i]);
    for (int i = 0; i < b->count; i++)
        held_up += was_held_up(b->launches[i]);
    if (strcmp(a->launches[0]->field[DEVICE], device_words[DEVICE_EMULATOR]) == 0)
        REMARK(comparison, "times of the emulator mean nothing");
    remark_on_options(a->launches[0], b->launches[0], comparison);
    remark_on_engines(a, b, comparison);
    if (a->launches[0]->field[DRIVER][0] != '\0' && b->launches[0]->field[DRIVER][0] != '\0' &&
        !row_equal(a->launches[0], b->launches[0], DRIVER))
        REMARK(comparison, "different drivers");
    if (held_up > 0)
        REMARK(comparison, "%d of %d launches on a busy or throttled machine", held_up, a->count + b->count);
    if (mixed > 0)
        REMARK(comparison, "left out %d row%s with trials of several launches", mixed, mixed == 1 ? "" : "s");
    if (comparison->outcome != ONE_LAUNCH && !took_turns(a, b))
        REMARK(comparison, "not started in turns by gtrav compare, so the machine may have drifted");
}

/* ---- figures and verdicts ---- */

/* Computes the logarithms of the times of a side's launches, and the median time. */
static bool measure_side(const struct cell *cell, const struct shared *shared, int side, double *logs,
                         struct comparison *comparison)
{
    for (int i = 0; i < cell->count; i++) {
        logs[i] = log(shared_mean_ms(cell->launches[i], shared, side));
        if (!(fabs(logs[i]) < LARGEST_LOG))
            return refuse(comparison, "a launch has no time, or an impossible one");
    }
    comparison->ms[side] = exp(median_of(logs, cell->count));
    comparison->launches[side] = cell->count;
    return true;
}

static int measure_sides(const struct cell *a, const struct cell *b, struct comparison *comparison, struct error *error)
{
    struct shared shared;
    double *logs;
    if (!shared_find(a->launches[0], b->launches[0], &shared, comparison->remark))
        return STATUS_OK;
    if (allocate(&logs, (size_t)(a->count + b->count), sizeof *logs, "the launches", error) != STATUS_OK)
        return error->status;
    comparison->num_sources = shared.count;
    if (measure_side(a, &shared, 0, logs, comparison) && measure_side(b, &shared, 1, logs + a->count, comparison) &&
        shift_of(logs, a->count, logs + a->count, b->count, CONFIDENCE, &comparison->shift, error) == STATUS_OK) {
        int fewer = a->count < b->count ? a->count : b->count;
        comparison->outcome = fewer == 1 ? ONE_LAUNCH : fewer < FEWEST_LAUNCHES ? TOO_FEW : UNCLEAR;
        if (comparison->outcome == ONE_LAUNCH)
            shared_spread(a->launches[0], b->launches[0], &shared, comparison->quartiles);
        add_remarks(a, b, comparison);
    }
    free(logs);
    return error->status;
}

/* Compares two cells, except for the verdict, which needs Holm's correction over all rows. */
static int compare_cells(struct cell *a, struct cell *b, bool of_commands, struct comparison *comparison,
                         struct error *error)
{
    a->matched = b->matched = true;
    of_commands = of_commands || took_turns(a, b); /* gtrav compare started them */
    *comparison = (struct comparison){.row = {a->launches[0], b->launches[0]}, .outcome = REFUSED};
    if (check_side(a, "old side", comparison) && check_side(b, "new side", comparison) &&
        check_launches(a, b, comparison) && check_terms(a->launches[0], b->launches[0], of_commands, comparison))
        measure_sides(a, b, comparison, error);
    return error->status;
}

static enum outcome judge(const struct comparison *comparison, double same)
{
    const struct shift *shift = &comparison->shift;
    double margin = log1p(same);
    if (shift->low >= -margin && shift->high <= margin)
        return SAME;
    if (shift->p <= 1 - CONFIDENCE && (shift->low > 0 || shift->high < 0))
        return shift->estimate < 0 ? FASTER : SLOWER;
    return UNCLEAR;
}

/* Returns the fewest launches a side with which one of `rows` comparisons can exclude 1 after Holm's correction. With
 * n launches a side, the smallest possible p value is 2 / C(2n, n). */
static int fewest_for(int rows)
{
    int n = 1;
    double p = 1; /* 2 / C(2n, n) */
    while (p * rows > 1 - CONFIDENCE) {
        n++;
        p *= n / (2.0 * (2 * n - 1));
    }
    return n;
}

/* Estimates how many launches a side would give a verdict: more than there are. 0: unknown. */
static int needed_for(const struct comparison *comparison, double same, int rows)
{
    const int *launches = comparison->launches;
    int needed = launches_needed(&comparison->shift, launches[0], launches[1], same);
    int fewest = fewest_for(rows), more = 1 + (launches[0] > launches[1] ? launches[0] : launches[1]);
    fewest = fewest > more ? fewest : more;
    if (needed == 0 || needed > MOST_NEEDED)
        return 0;
    return needed < fewest ? fewest : needed;
}

static int judge_all(struct comparisons *found, double same, struct error *error)
{
    double *p;
    int count = 0;
    if (allocate(&p, (size_t)found->count, sizeof *p, "the verdicts", error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < found->count; i++)
        if (found->items[i].outcome == UNCLEAR)
            p[count++] = found->items[i].shift.p;
    int rows = count;
    holm_adjust(p, rows);
    count = 0;
    for (int i = 0; i < found->count; i++) {
        struct comparison *comparison = &found->items[i];
        if (comparison->outcome != UNCLEAR)
            continue;
        comparison->shift.p = p[count++];
        comparison->outcome = judge(comparison, same);
        if (comparison->outcome == UNCLEAR)
            comparison->needed = needed_for(comparison, same, rows);
    }
    free(p);
    return STATUS_OK;
}

/* Compares each cell of the old side with the only cell of the new side that agrees with it. */
static int match(struct side sides[2], agreement *agree, bool of_commands, struct comparisons *found,
                 struct error *error)
{
    for (int i = 0; i < sides[0].count && error->status == STATUS_OK; i++) {
        struct cell *a = &sides[0].cells[i];
        struct cell *b = a->matched ? NULL : only_match(&sides[1], a->launches[0], agree);
        if (b != NULL && only_match(&sides[0], b->launches[0], agree) == a)
            compare_cells(a, b, of_commands, &found->items[found->count++], error);
    }
    return error->status;
}

/* Pairs the cells of both sides, those that agree most first. If two folders have no variant in common, compares each
 * side's only variant, as if commands had named them. */
static int match_all(struct side sides[2], bool of_commands, struct comparisons *found, struct error *error)
{
    match(sides, same_key, of_commands, found, error);
    match(sides, same_run, of_commands, found, error);
    match(sides, same_variant, of_commands, found, error);
    if (of_commands || found->count == 0)
        match(sides, same_task, true, found, error);
    if (error->status == STATUS_OK && found->count == 0)
        error_set(error, STATUS_INPUT, "nothing to compare: no graph and variant is on both sides");
    return error->status;
}

int compare_rows(const struct rows sides[2], const struct comparison_options *options, struct comparisons *found,
                 struct error *error)
{
    struct side made[2] = {0};
    *found = (struct comparisons){0};
    if (side_make(&sides[0], &made[0], error) == STATUS_OK && side_make(&sides[1], &made[1], error) == STATUS_OK &&
        allocate_zeroed(&found->items, (size_t)made[0].count, sizeof *found->items, "the comparisons", error) ==
            STATUS_OK &&
        match_all(made, options->of_commands, found, error) == STATUS_OK)
        judge_all(found, options->same, error);
    for (int side = 0; side < 2; side++) {
        found->unmatched[side] = num_unmatched(&made[side]);
        side_release(&made[side]);
    }
    return error->status;
}

void comparisons_release(struct comparisons *comparisons)
{
    free(comparisons->items);
    *comparisons = (struct comparisons){0};
}
