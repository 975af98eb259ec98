/* contest.h: chooses among plans by measurement. Each contestant is prepared with a copy of the graph and runs
 * searches from the same sources, or from so many sources at once as the caller says. The one whose searches take the
 * least time in the mean stays prepared; the others are released. At most two are prepared at the same time.
 *
 * The first contestant is the choice of the caller's model, and always takes part. Any other only takes part if what
 * it costs to lose is within the budget. A contestant that fails, as when memory is short, leaves the contest. So if
 * the first one fails, the next takes its place. The contest only fails if all do. If nothing is to be measured, the
 * first contestant is prepared alone, and the others are only there in case it fails.
 *
 * On the emulator times mean nothing. There contestant number (seed of the schedule) modulo (number of contestants)
 * has the shortest searches, and costs are as predicted. So seed 0 keeps the model's choice, and other seeds test
 * every outcome. */
#ifndef GTRAV_CONTEST_H
#define GTRAV_CONTEST_H

#include <math.h>
#include <stdlib.h>

#include "../../src/graph/random.h"
#include "plan.h"

namespace BACKEND
{

#define MOST_CONTESTANTS 8u

/* Searches: those of the first contestant take MEASURED_MS in all, within these numbers; the others' are as many.
 * Each runs twice in a row and the second run is timed, as in a trial. A contestant is behind if BEHIND_AFTER
 * searches or more took BEHIND_FACTOR times as long as those of the best. */
#define MEASURED_MS   4.0
#define BEHIND_AFTER  2u
#define BEHIND_FACTOR 2.0
#define MOST_SEARCHES 16u
#define MOST_SOURCES  256u /* of a search */
#define MOST_DRAWS    100000u

/* The budget for losers: milliseconds, or a share of the expected gain if that is more. The expected gain is a share
 * of the time of all trials to come. */
#define LEAST_BUDGET_MS 30.0
#define SHARE_OF_GAIN   (2.0 / 3)
#define EXPECTED_GAIN   0.5

/* No contest unless so many times the graph's memory is free. */
#define FREE_GRAPHS 8u

enum contest_outcome { OUTCOME_NONE, OUTCOME_MEASURED, OUTCOME_BEHIND, OUTCOME_TOO_COSTLY, OUTCOME_FAILED };

struct contestant {
    const char *name;
    struct plan plan;
    /* Predicted milliseconds on an H200: of preparing without its searches, and of a search. */
    double build_ms, search_ms;
    unsigned own_searches; /* number of searches that its preparation runs */
    /* Set by the contest: */
    enum contest_outcome outcome;
    double total_ms[MOST_SEARCHES]; /* of the searches up to each one; measured */
    double mean_ms;                 /* of a search; measured */
    double searched_ms;             /* on the device, in all searches of the contest */
    double cost_ms;                 /* of preparing and measuring; predicted if it is too costly */
    char failure[32];               /* why it failed, in short */
};

struct contest {
    struct contestant contestants[MOST_CONTESTANTS];
    unsigned number, best; /* contestants; index of the best one so far */
    bool measures;         /* the contestants are measured; else the first that can be prepared stays */
    bool unlimited;        /* there is no budget */
    uint32_t num_sources;  /* of a search, at most MOST_SOURCES; 0 means 1 */
    unsigned num_searches; /* of a contestant; 0 until one is prepared and measured */
    struct error failures; /* why contestants failed, in one line */
    /* Search number s begins with source s. If lengths are wanted, a source's destination is the next source. */
    vertex_t sources[MOST_SEARCHES + MOST_SOURCES];
};

/* The contestant that has won, or the only one. */
static inline struct contestant *contest_winner(struct contest *contest)
{
    return &contest->contestants[contest->best];
}

/* Draws vertices that have out-neighbours, as sources of trials are drawn. If these are so rare that MOST_DRAWS draws
 * find none, the first source is repeated. The graph must have arcs. */
static inline void contest_draw_sources(const struct graph *graph, struct contest *contest)
{
    uint64_t counter = 0, vain = 0;
    for (vertex_t &source : contest->sources) {
        bool is_first = &source == contest->sources;
        do
            source = (vertex_t)((random_bits(counter++) >> 32) * graph->num_vertices >> 32);
        while (graph_degree(graph, source) == 0 && (is_first || vain++ < MOST_DRAWS));
        if (graph_degree(graph, source) == 0)
            source = contest->sources[0];
    }
}

/* Runs search number `number`, in batches as large as the contestant takes. */
static inline void contest_search(const struct contest *contest, struct contestant *contestant, unsigned number)
{
    const struct run *run = &contestant->plan.run;
    uint32_t num_sources = contest->num_sources > 0 ? contest->num_sources : 1;
    uint32_t most = run->batch_size > 0 ? run->batch_size : 1;
    struct destination destinations[MOST_SOURCES];
    for (uint32_t first = 0; first < num_sources; first += most) {
        const vertex_t *sources = &contest->sources[number + first];
        uint32_t count = num_sources - first < most ? num_sources - first : most;
        struct query query = {sources[0], sources, count};
        for (uint32_t i = 0; i < count; i++)
            destinations[i] = {i, sources[i + 1]};
        if (run->outputs & OUTPUT_LENGTH) {
            query.destinations = destinations;
            query.num_destinations = count;
        }
        plan_traverse(&contestant->plan, &query);
    }
}

/* Runs and times a whole search, its reset included. */
static inline double contest_run_ms(const struct contest *contest, struct contestant *contestant, unsigned number)
{
    struct run *run = &contestant->plan.run;
    double time_ms, kernel_ms;
    run->device->mark(run->device, MARK_BEGIN);
    contest_search(contest, contestant, number);
    run->device->mark(run->device, MARK_END);
    run->device->elapsed(run->device, &time_ms, &kernel_ms, run->error);
    contestant->searched_ms += time_ms;
    return time_ms;
}

/* The time of search number `which`, which has just run before. */
static inline double contest_search_ms(const struct contest *contest, struct contestant *contestant, unsigned which)
{
    const struct device *device = contestant->plan.run.device;
    uint64_t number = contest->number, index = (uint64_t)(contestant - contest->contestants);
    contest_run_ms(contest, contestant, which);
    if (device->kind != DEVICE_EMULATOR)
        return contest_run_ms(contest, contestant, which);
    return MEASURED_MS / 2 * (double)(1 + (index + number - device->seed % number) % number);
}

static inline bool contest_is_behind(const struct contest *contest, const struct contestant *contestant,
                                     unsigned searches)
{
    const struct contestant *best = &contest->contestants[contest->best];
    return contestant != best && searches >= BEHIND_AFTER &&
           contestant->total_ms[searches - 1] > BEHIND_FACTOR * best->total_ms[searches - 1];
}

/* Measures a prepared contestant. The first one sets the number of searches. */
static inline void contest_measure(struct contest *contest, struct contestant *contestant)
{
    bool is_first = contest->num_searches == 0;
    unsigned searches = 0, most = is_first ? MOST_SEARCHES : contest->num_searches;
    double total_ms = 0;
    contestant->outcome = OUTCOME_MEASURED;
    while (searches < most && contestant->outcome == OUTCOME_MEASURED) {
        total_ms += contest_search_ms(contest, contestant, searches);
        contestant->total_ms[searches++] = total_ms;
        if (is_first && searches >= BEHIND_AFTER && total_ms >= MEASURED_MS)
            most = searches;
        if (contest_is_behind(contest, contestant, searches))
            contestant->outcome = OUTCOME_BEHIND;
    }
    contest->num_searches = most;
    contestant->mean_ms = total_ms / searches;
}

/* What it costs to prepare and measure a contestant, if its searches take no less than those of the best. */
static inline double contest_expected_cost(const struct contest *contest, const struct contestant *contestant)
{
    double search_ms = fmax(contestant->search_ms, contest->contestants[contest->best].mean_ms);
    return contestant->build_ms + (contestant->own_searches + 2 * contest->num_searches) * search_ms;
}

/* Whether a contestant may lose, too, within the budget. */
static inline bool contest_admits(const struct contest *contest, const struct contestant *contestant, int num_trials)
{
    const struct contestant *best = &contest->contestants[contest->best];
    double lost_ms = contest_expected_cost(contest, contestant);
    for (unsigned i = 0; i < contest->number; i++)
        if (i != contest->best && contest->contestants[i].outcome != OUTCOME_TOO_COSTLY)
            lost_ms += contest->contestants[i].cost_ms;
    double searches = (double)num_trials / (contest->num_sources > 0 ? contest->num_sources : 1);
    double gain_ms = EXPECTED_GAIN * best->mean_ms * searches;
    return contest->unlimited || lost_ms <= fmax(LEAST_BUDGET_MS, SHARE_OF_GAIN * gain_ms);
}

/* Prepares and measures a contestant with a copy of the graph. run: with the error that the contestant sets. */
static inline void contest_enter(struct contest *contest, struct contestant *contestant, struct run *run,
                                 const struct gpu_graph *graph)
{
    struct gpu_graph copy;
    double begin_ms = now_ms();
    if (gpu_graph_copy(graph, &copy, run->error) == STATUS_OK)
        plan_prepare(&contestant->plan, run, &copy);
    gpu_graph_free(&copy);
    if (run->error->status == STATUS_OK)
        contest_measure(contest, contestant);
    run->build_ms += contestant->searched_ms;
    contestant->cost_ms =
        run->device->kind == DEVICE_EMULATOR ? contest_expected_cost(contest, contestant) : now_ms() - begin_ms;
}

/* Fails with the reasons of all contestants. */
static inline int contest_fail(const struct contest *contest, struct run *run)
{
    return error_set(run->error, contest->failures.status, "%s", contest->failures.text);
}

/* Notes why a contestant failed: all of it for the case that no other succeeds, and in short, without "GPU: " and
 * without what follows the next colon. Fails if the device cannot be used any more. */
static inline void contest_note_failure(struct contest *contest, struct contestant *contestant,
                                        const struct error *error, struct run *run)
{
    const char prefix[] = "GPU: ", *text = error->text;
    struct error *all = &contest->failures, after = {};
    size_t length = strlen(all->text);
    if (contest->number == 1)
        *all = *error;
    else
        snprintf(all->text + length, sizeof all->text - length, "%s%s: %s",
                 length > 0 ? "; " : "no engine can be prepared: ", contestant->name, text);
    all->status = all->status != STATUS_OK ? all->status : error->status;
    text += strncmp(text, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
    contestant->outcome = OUTCOME_FAILED;
    snprintf(contestant->failure, sizeof contestant->failure, "%.*s", (int)strcspn(text, ":"), text);
    if (gpu_wait("preparing", &after) != STATUS_OK)
        contest_fail(contest, run);
}

/* Prepares the first contestant that can be, with the graph itself. One that fails may have changed or freed the
 * graph, so the next gets it anew from the host. Returns a status and fills run->error. */
static inline int contest_settle(struct contest *contest, struct run *run, struct gpu_graph *graph)
{
    const bool wide = graph->wide;
    for (unsigned i = 0; i < contest->number && run->error->status == STATUS_OK; i++) {
        struct contestant *contestant = &contest->contestants[i];
        struct error error = {};
        struct run trial = *run;
        trial.error = &error;
        if (i > 0)
            gpu_graph_upload(run->graph, wide, graph, &error);
        if (error.status == STATUS_OK)
            plan_prepare(&contestant->plan, &trial, graph);
        gpu_graph_free(graph); /* what a failed upload left */
        run->build_ms = trial.build_ms;
        contest->best = i;
        contestant->plan.run.error = run->error;
        if (error.status == STATUS_OK) {
            plan_tell(&contestant->plan, run);
            return STATUS_OK;
        }
        plan_release(&contestant->plan);
        contest_note_failure(contest, contestant, &error, run);
    }
    gpu_graph_free(graph);
    return contest_fail(contest, run);
}

/* Lets a contestant take part, and releases the slower of the two that are prepared then. If it fails, the device
 * must still be usable. Returns a status and fills run->error. */
static inline int contest_challenge(struct contest *contest, struct contestant *contestant, struct run *run,
                                    const struct gpu_graph *graph)
{
    const unsigned index = (unsigned)(contestant - contest->contestants);
    const bool is_first = contest->num_searches == 0; /* no other is prepared */
    contest->best = is_first ? index : contest->best;
    struct contestant *best = contest_winner(contest);
    struct error error = {};
    struct run trial = *run;
    trial.error = &error;
    contest_enter(contest, contestant, &trial, graph);
    run->build_ms = trial.build_ms;
    contestant->plan.run.error = run->error;
    bool failed = error.status != STATUS_OK;
    bool wins =
        !is_first && !failed && contestant->outcome == OUTCOME_MEASURED && contestant->mean_ms < best->mean_ms;
    if (failed)
        contest_note_failure(contest, contestant, &error, run);
    if (failed && is_first)
        contest->num_searches = 0;
    if (wins)
        contest->best = index;
    if (failed || !is_first)
        plan_release(wins ? &best->plan : &contestant->plan);
    return gpu_wait("preparing", run->error);
}

/* Takes the searches of the contest out of the winner's far values. */
static inline void contest_forget_far(struct contest *contest, struct run *run)
{
    struct traversal result = {};
    size_t n = run->graph->num_vertices;
    if (run->error->status == STATUS_OK &&
        allocate(&result.far, n, sizeof *result.far, "the far values", run->error) == STATUS_OK &&
        allocate(&result.far_count, n, sizeof *result.far_count, "the far values", run->error) == STATUS_OK)
        plan_fetch(&contest_winner(contest)->plan, &result);
    free(result.far);
    free(result.far_count);
}

/* Prepares the best of the contestants, of which there is at least one, whose plans are made. Takes ownership of the
 * graph: *graph is empty afterwards, whatever is returned. Adds the time on the device to run->build_ms. Call
 * contest_release in any case. Returns a status and fills run->error. */
static inline int contest_hold(struct contest *contest, struct run *run, struct gpu_graph *graph)
{
    size_t needed = FREE_GRAPHS * gpu_graph_bytes(graph);
    if (contest->number == 1 || !contest->measures || gpu_memory_left(run->error) < needed)
        return contest_settle(contest, run, graph);
    contest_draw_sources(run->graph, contest);
    for (unsigned i = 0; i < contest->number && run->error->status == STATUS_OK; i++) {
        struct contestant *contestant = &contest->contestants[i];
        if (contest->num_searches == 0 || contest_admits(contest, contestant, run->num_trials)) {
            contest_challenge(contest, contestant, run, graph);
        } else {
            contestant->outcome = OUTCOME_TOO_COSTLY;
            contestant->cost_ms = contest_expected_cost(contest, contestant);
        }
    }
    gpu_graph_free(graph);
    if (contest->num_searches == 0)
        return contest_fail(contest, run);
    if (run->outputs & OUTPUT_FAR)
        contest_forget_far(contest, run);
    return run->error->status;
}

/* Writes what was measured: "0.11 ms a search; dobfs 0.245, blest over 0.22, khop not tried (540 ms)"; or only what
 * has failed. */
static inline void contest_print(const struct contest *contest, char *text, size_t size)
{
    const struct contestant *best = &contest->contestants[contest->best];
    const char *unit = contest->num_sources > 1 ? "batch" : "search";
    bool measured = best->outcome == OUTCOME_MEASURED;
    int length =
        measured ? snprintf(text, size, "%.3g ms a %s", best->mean_ms, unit) : snprintf(text, size, "%s", "");
    const char *separator = measured ? "; " : "";
    for (unsigned i = 0; i < contest->number && (size_t)length < size; i++) {
        const struct contestant *other = &contest->contestants[i];
        char *at = text + length;
        size_t room = size - (size_t)length;
        if (other == best || other->outcome == OUTCOME_NONE)
            continue;
        if (other->outcome == OUTCOME_MEASURED)
            length += snprintf(at, room, "%s%s %.3g", separator, other->name, other->mean_ms);
        else if (other->outcome == OUTCOME_BEHIND)
            length += snprintf(at, room, "%s%s over %.3g", separator, other->name, BEHIND_FACTOR * best->mean_ms);
        else if (other->outcome == OUTCOME_TOO_COSTLY)
            length += snprintf(at, room, "%s%s not tried (%.0f ms)", separator, other->name, other->cost_ms);
        else
            length += snprintf(at, room, "%s%s failed (%s)", separator, other->name, other->failure);
        separator = ", ";
    }
}

static inline void contest_release(struct contest *contest)
{
    for (unsigned i = 0; i < contest->number; i++)
        plan_release(&contest->contestants[i].plan);
}

/* ---- the other steps of an algorithm (struct algorithm) whose state is a contest ---- */

static inline int contest_traverse(struct run *run, const struct query *query)
{
    return plan_traverse(&contest_winner((struct contest *)run->state)->plan, query);
}

static inline int contest_fetch(struct run *run, struct traversal *result)
{
    return plan_fetch(&contest_winner((struct contest *)run->state)->plan, result);
}

static inline void contest_free(struct run *run)
{
    if (run->state != NULL)
        contest_release((struct contest *)run->state);
    free(run->state);
}

} // namespace BACKEND

#endif
