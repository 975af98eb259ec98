#include "figures.h"

#include "../records/summary.h"

#define FEWEST_FOR_SPREAD 8

/* ---- the lists of a summary: "0.51*64 0.6" ---- */

/* Expands a list of numbers. Returns how many there are. */
static int expand(const char *text, double values[MOST_LISTED])
{
    int count = 0;
    for (char *end; count < MOST_LISTED; text = end) {
        double value = strtod(text, &end);
        if (end == text)
            break;
        long times = *end == '*' ? strtol(end + 1, &end, 10) : 1;
        for (; times > 0 && count < MOST_LISTED; times--)
            values[count++] = value;
    }
    return count;
}

/* Marks the places in a list of ranges: "3 5-9". */
static void mark_ranges(const char *text, bool marked[MOST_LISTED])
{
    for (char *end;; text = end) {
        long first = strtol(text, &end, 10), last = first;
        if (end == text)
            break;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        for (long i = first; i >= 0 && i <= last && i < MOST_LISTED; i++)
            marked[i] = true;
    }
}

struct trials {
    int count;
    double ms[MOST_LISTED], edges[MOST_LISTED], sources[MOST_LISTED];
    bool in_order; /* the sources are the first ones of GAP's list, or the family has none */
    bool small[MOST_LISTED];
};

static void read_trials(const struct row *row, struct trials *trials)
{
    const char *sources = row->field[SOURCE_LIST];
    *trials = (struct trials){.in_order = *sources == '\0' || strcmp(sources, "gap") == 0};
    trials->count = expand(row->field[TRIAL_MS], trials->ms);
    expand(row->field[TRIAL_EDGES], trials->edges);
    expand(sources, trials->sources);
    mark_ranges(row->field[SMALL_REACH], trials->small);
}

/* ---- what two rows share ---- */

/* Adds a trial that both sides have. False if it is not the same search. */
static bool add(const struct trials trials[2], int a, int b, struct shared *shared, char why[WHY_BYTES])
{
    if (trials[0].small[a] || trials[1].small[b])
        return true;
    if (trials[0].edges[a] != trials[1].edges[b]) {
        snprintf(why, WHY_BYTES, "different numbers of edges in trial %d: %.0f and %.0f", a + 1, trials[0].edges[a],
                 trials[1].edges[b]);
        return false;
    }
    shared->place[0][shared->count] = a;
    shared->place[1][shared->count++] = b;
    return true;
}

/* Pairs the trials of equal sources. A source is paired as often as it occurs on both sides. */
static bool pair_by_source(const struct trials trials[2], struct shared *shared, char why[WHY_BYTES])
{
    bool taken[MOST_LISTED] = {false};
    for (int a = 0; a < trials[0].count; a++)
        for (int b = 0; b < trials[1].count; b++)
            if (!taken[b] && trials[0].sources[a] == trials[1].sources[b]) {
                taken[b] = true;
                if (!add(trials, a, b, shared, why))
                    return false;
                break;
            }
    return true;
}

bool shared_find(const struct row *a, const struct row *b, struct shared *shared, char why[WHY_BYTES])
{
    struct trials trials[2];
    bool is_same = true;
    read_trials(a, &trials[0]);
    read_trials(b, &trials[1]);
    shared->count = 0;
    if (trials[0].count == 0 && trials[1].count == 0)
        return true;
    int fewer = trials[0].count < trials[1].count ? trials[0].count : trials[1].count;
    if (!trials[0].in_order && !trials[1].in_order)
        is_same = pair_by_source(trials, shared, why);
    else if (trials[0].in_order && trials[1].in_order)
        for (int i = 0; i < fewer && is_same; i++)
            is_same = add(trials, i, i, shared, why);
    if (is_same && shared->count == 0)
        snprintf(why, WHY_BYTES, "no source of large reach is on both sides");
    return shared->count > 0 && is_same;
}

double shared_mean_ms(const struct row *row, const struct shared *shared, int side)
{
    double ms[MOST_LISTED], sum = 0;
    const char *whole = row->field[*row->field[TIME_MS] != '\0' ? TIME_MS : MEAN_TIME_MS];
    if (shared->count == 0)
        return strtod(whole, NULL);
    int count = expand(row->field[TRIAL_MS], ms);
    for (int i = 0; i < shared->count; i++) {
        if (shared->place[side][i] >= count)
            return 0;
        sum += ms[shared->place[side][i]];
    }
    return sum / shared->count;
}

bool shared_spread(const struct row *a, const struct row *b, const struct shared *shared, double quartiles[2])
{
    struct trials trials[2];
    double ratios[MOST_LISTED];
    int count = 0;
    read_trials(a, &trials[0]);
    read_trials(b, &trials[1]);
    for (int i = 0; i < shared->count; i++) {
        double old = trials[0].ms[shared->place[0][i]];
        if (old > 0) /* a search shorter than the clock's unit takes 0 ms */
            ratios[count++] = trials[1].ms[shared->place[1][i]] / old;
    }
    if (count < FEWEST_FOR_SPREAD || *a->field[BATCH_SOURCES] != '\0')
        return false;
    median_of(ratios, count); /* sorts them */
    quartiles[0] = ratios[count / 4];
    quartiles[1] = ratios[count - 1 - count / 4];
    return true;
}
