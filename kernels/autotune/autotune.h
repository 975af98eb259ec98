/* autotune.h: chooses among candidates by measurement. Each candidate is prepared with a copy of the graph and runs
 * the same searches. The candidate with the least mean time stays prepared; the others are released. At most two are
 * prepared at the same time.
 *
 * The first candidate always takes part; it should cost little to prepare. Another candidate takes part only if it
 * can save more than trying it costs (autotune_allowed_ms). A candidate that fails, for example because memory is
 * short, is dropped; if the first one fails, the next takes its place. Autotuning fails only if all candidates fail.
 * Without measuring, the first candidate that can be prepared is kept.
 *
 * On the emulator, times mean nothing, so they are made up. The candidate whose index is the schedule's seed modulo
 * the number of candidates gets the shortest searches, and costs are as predicted. Seed 0 keeps the first candidate;
 * other seeds test the other outcomes. */
#pragma once

#include <math.h>

#include "../../src/graph/random.h"
#include "delegate.h"

namespace BACKEND
{

#define MOST_CANDIDATES 8u

/* The first candidate searches for about MEASURED_MS, at least LEAST_SEARCHES and at most MOST_SEARCHES times; the
 * others search as often. Each search runs twice in a row and the second run is timed, as in a trial. It runs only
 * once if the first run took LONG_MS or shows that the candidate is behind. A candidate is dropped ("behind") once
 * its searches together have taken BEHIND_FACTOR times as long as all searches of the best candidate. Sums are
 * compared because one long search may outweigh all short ones. */
#define MEASURED_MS    0.5
#define LONG_MS        4.0
#define EMULATED_MS    2.0 /* time of the fastest candidate's searches on the emulator */
#define BEHIND_FACTOR  2.0
#define LEAST_SEARCHES 3u
#define MOST_SEARCHES  16u
#define MOST_SOURCES   256u    /* largest number of sources of one search */
#define MOST_DRAWS     100000u /* limit on random draws of vertices without neighbours */

/* The largest share of the possible gain that candidates may cost if they lose. */
#define SHARE_OF_GAIN 0.5

/* The usual budget: 2 ns per edge, which is about the time of reading the graph from a file. */
#define LEAST_BUDGET_MS 20.0
#define EDGE_BUDGET_MS  2e-6

/* Autotuning needs free memory of this many times the graph's size. */
#define FREE_GRAPHS 8u

/* The option `measure` of the algorithms that choose: "auto|0|1". */
enum { MEASURE_AUTO, MEASURE_NO, MEASURE_YES };

enum candidate_outcome { OUTCOME_NONE, OUTCOME_MEASURED, OUTCOME_BEHIND, OUTCOME_TOO_COSTLY, OUTCOME_FAILED };

struct candidate {
    struct delegate delegate;
    double build_ms;       /* predicted time of preparing on an H200, without own_searches */
    double search_ms;      /* predicted time of a search on an H200 */
    unsigned own_searches; /* number of searches that preparing runs, */
    double own_most_ms;    /* unless these take longer than this */
    /* Set when the candidate is tried. */
    enum candidate_outcome outcome;
    double total_ms[MOST_SEARCHES]; /* [s]: measured time of searches 0 to s together */
    double mean_ms;                 /* measured mean time of a search */
    double searched_ms;             /* time of all its searches on the device */
    double cost_ms;                 /* time of preparing and measuring; predicted if it was too costly to try */
    char failure[32];               /* short reason of a failure */
};

struct autotune {
    struct candidate candidates[MOST_CANDIDATES];
    unsigned number;        /* number of candidates */
    unsigned best;          /* index of the best candidate so far */
    bool measures;          /* measure the candidates; otherwise keep the first that can be prepared */
    uint32_t num_sources;   /* per search, at most MOST_SOURCES; 0 means 1 */
    unsigned most_searches; /* per candidate, at most MOST_SEARCHES; 0 means MOST_SEARCHES */
    unsigned num_searches;  /* per candidate; 0 until the first one is measured */
    /* What losing candidates may cost (autotune_allowed_ms). */
    double sources_to_come; /* number of sources that the caller will search from */
    double foreseen;        /* number of sources, not less, for which the budget may be spent; INFINITY: for any */
    double budget_ms;       /* INFINITY: all candidates take part */
    struct error failures;  /* reasons of all failures, in one line */
    struct device *device;  /* the device that holds the graph */
    struct gpu_graph graph; /* in steps: candidates are prepared from it; empty when no candidate is left */
    double stepped_ms;      /* in steps: total time of all steps so far */
    /* Search s begins with source s. If lengths are wanted, each source's destination is the next source. */
    vertex_t sources[MOST_SEARCHES + MOST_SOURCES];
};

/* Returns the best candidate so far. */
static inline struct candidate *autotune_winner(struct autotune *tuning)
{
    return &tuning->candidates[tuning->best];
}

/* Returns the best candidate's algorithm, and makes it report errors to run->error. */
static inline struct delegate *autotune_delegate(struct autotune *tuning, const struct run *run)
{
    struct delegate *delegate = &autotune_winner(tuning)->delegate;
    delegate->run.error = run->error;
    return delegate;
}

/* Draws sources as trials do: random vertices with out-neighbours. If MOST_DRAWS draws find none, repeats the first
 * source. The graph must have edges. */
static inline void autotune_draw_sources(const struct graph *graph, struct autotune *tuning)
{
    uint64_t counter = 0, vain = 0;
    for (vertex_t &source : tuning->sources) {
        bool is_first = &source == tuning->sources;
        do
            source = (vertex_t)((random_bits(counter++) >> 32) * graph->num_vertices >> 32);
        while (graph_degree(graph, source) == 0 && (is_first || vain++ < MOST_DRAWS));
        if (graph_degree(graph, source) == 0)
            source = tuning->sources[0];
    }
}

/* Runs search number `number`, in batches as large as the candidate allows. */
static inline void autotune_search(const struct autotune *tuning, struct candidate *candidate, unsigned number)
{
    const struct run *run = &candidate->delegate.run;
    uint32_t num_sources = tuning->num_sources > 0 ? tuning->num_sources : 1;
    uint32_t most = run->batch_size > 0 ? run->batch_size : 1;
    struct destination destinations[MOST_SOURCES];
    for (uint32_t first = 0; first < num_sources; first += most) {
        const vertex_t *sources = &tuning->sources[number + first];
        uint32_t count = num_sources - first < most ? num_sources - first : most;
        struct query query = {sources, count};
        for (uint32_t i = 0; i < count; i++)
            destinations[i] = {i, sources[i + 1]};
        if (run->outputs & OUTPUT_LENGTH) {
            query.destinations = destinations;
            query.num_destinations = count;
        }
        candidate->delegate.algorithm->traverse(&candidate->delegate.run, &query);
    }
}

/* Runs a whole search with its reset, and returns its time. */
static inline double autotune_run_ms(const struct autotune *tuning, struct candidate *candidate, unsigned number)
{
    struct run *run = &candidate->delegate.run;
    double time_ms, kernel_ms;
    run->device->mark(run->device, MARK_BEGIN);
    autotune_search(tuning, candidate, number);
    run->device->mark(run->device, MARK_END);
    run->device->elapsed(run->device, &time_ms, &kernel_ms, run->error);
    candidate->searched_ms += time_ms;
    return time_ms;
}

/* Returns whether a candidate whose searches have taken total_ms so far is behind the best one. */
static inline bool autotune_is_behind(const struct autotune *tuning, const struct candidate *candidate, double total_ms)
{
    const struct candidate *best = &tuning->candidates[tuning->best];
    return candidate != best && total_ms > BEHIND_FACTOR * best->total_ms[tuning->num_searches - 1];
}

/* Runs search number `which` twice, or once if it is long or too long, and returns the time of the last run. */
static inline double autotune_search_ms(const struct autotune *tuning, struct candidate *candidate, unsigned which)
{
    const struct device *device = tuning->device;
    uint64_t number = tuning->number, index = (uint64_t)(candidate - tuning->candidates);
    double first_ms = autotune_run_ms(tuning, candidate, which);
    if (device->kind == DEVICE_EMULATOR)
        return EMULATED_MS * (double)(1 + (index + number - device->seed % number) % number);
    return first_ms >= LONG_MS || autotune_is_behind(tuning, candidate, first_ms)
               ? first_ms
               : autotune_run_ms(tuning, candidate, which);
}

/* Measures a prepared candidate. The first one also determines the number of searches. */
static inline void autotune_measure(struct autotune *tuning, struct candidate *candidate)
{
    bool is_first = tuning->num_searches == 0;
    unsigned limit = tuning->most_searches > 0 ? tuning->most_searches : MOST_SEARCHES;
    unsigned searches = 0, most = is_first ? limit : tuning->num_searches;
    double total_ms = 0;
    candidate->outcome = OUTCOME_MEASURED;
    while (searches < most && candidate->outcome == OUTCOME_MEASURED) {
        total_ms += autotune_search_ms(tuning, candidate, searches);
        candidate->total_ms[searches++] = total_ms;
        if (is_first && searches >= LEAST_SEARCHES && total_ms >= MEASURED_MS)
            most = searches;
        if (autotune_is_behind(tuning, candidate, total_ms))
            candidate->outcome = OUTCOME_BEHIND;
    }
    tuning->num_searches = most;
    candidate->mean_ms = total_ms / searches;
}

/* Predicts the time of preparing and measuring a candidate whose searches are no faster than the best candidate's. */
static inline double autotune_expected_cost(const struct autotune *tuning, const struct candidate *candidate)
{
    double search_ms = fmax(candidate->search_ms, tuning->candidates[tuning->best].mean_ms);
    unsigned runs = search_ms >= LONG_MS ? 1 : 2;
    double own_ms = candidate->own_searches * search_ms, most_ms = candidate->own_most_ms + search_ms;
    return candidate->build_ms + fmin(own_ms, most_ms) + runs * tuning->num_searches * search_ms;
}

/* Returns the usual budget for a graph. */
static inline double autotune_usual_budget_ms(const struct graph *graph)
{
    return fmax(LEAST_BUDGET_MS, (double)graph->num_edges * EDGE_BUDGET_MS);
}

/* Returns how long all candidates that lose may take together: SHARE_OF_GAIN of what a better candidate can save at
 * most, which is the time of all searches to come. If more sources are foreseen, the budget may be spent for these.
 */
static inline double autotune_allowed_ms(const struct autotune *tuning)
{
    double sources = tuning->num_sources > 0 ? tuning->num_sources : 1;
    double share_ms = SHARE_OF_GAIN * tuning->candidates[tuning->best].mean_ms / sources;
    return fmax(share_ms * tuning->sources_to_come, fmin(share_ms * tuning->foreseen, tuning->budget_ms));
}

/* Returns whether one more candidate may lose. The first one does not count: something must be prepared, and its cost
 * includes loading the first kernels of the process. */
static inline bool autotune_affords(const struct autotune *tuning, const struct candidate *candidate)
{
    double lost_ms = autotune_expected_cost(tuning, candidate);
    for (unsigned i = 1; i < tuning->number; i++)
        if (i != tuning->best && tuning->candidates[i].outcome != OUTCOME_TOO_COSTLY)
            lost_ms += tuning->candidates[i].cost_ms;
    return lost_ms <= autotune_allowed_ms(tuning);
}

/* Prepares a candidate with a copy of the graph, and measures it. The candidate sets run->error if it fails. */
static inline void autotune_try(struct autotune *tuning, struct candidate *candidate, struct run *run,
                                const struct gpu_graph *graph)
{
    struct gpu_graph copy;
    double begin_ms = now_ms();
    if (candidate->delegate.device != NULL)
        copy = {};
    else
        gpu_graph_copy(graph, &copy, run->error);
    if (run->error->status == STATUS_OK)
        delegate_prepare(&candidate->delegate, run, &copy);
    gpu_graph_free(&copy);
    if (run->error->status == STATUS_OK)
        autotune_measure(tuning, candidate);
    run->build_ms += candidate->searched_ms;
    candidate->cost_ms =
        tuning->device->kind == DEVICE_EMULATOR ? autotune_expected_cost(tuning, candidate) : now_ms() - begin_ms;
}

/* Sets an error with the reasons of all failures. */
static inline int autotune_fail(const struct autotune *tuning, struct run *run)
{
    return error_set(run->error, tuning->failures.status, "%s", tuning->failures.text);
}

/* Records why a candidate failed: in full in tuning->failures, shortened (up to the first colon after "GPU: ") in the
 * candidate. Sets run->error if the device is unusable or the user has interrupted the run. */
static inline void autotune_note_failure(struct autotune *tuning, struct candidate *candidate,
                                         const struct error *error, struct run *run)
{
    const char prefix[] = "GPU: ", *text = error->text;
    struct error *all = &tuning->failures, after = {};
    size_t length = strlen(all->text);
    if (error->status == STATUS_INTERRUPTED)
        error_set(run->error, STATUS_INTERRUPTED, "interrupted");
    if (tuning->number == 1)
        *all = *error;
    else
        snprintf(all->text + length, sizeof all->text - length, "%s%s: %s",
                 length > 0 ? "; " : "no engine can be prepared: ", candidate->delegate.name, text);
    all->status = all->status != STATUS_OK ? all->status : error->status;
    text += strncmp(text, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
    candidate->outcome = OUTCOME_FAILED;
    snprintf(candidate->failure, sizeof candidate->failure, "%.*s", (int)strcspn(text, ":"), text);
    if (gpu_wait("preparing", &after) != STATUS_OK)
        autotune_fail(tuning, run);
}

/* Prepares the first candidate that can be prepared, with the graph itself, or with less if memory is short. A failed
 * candidate may have changed or freed the graph, so the next one gets a new copy from the host. */
static inline int autotune_settle(struct autotune *tuning, struct run *run, struct gpu_graph *graph)
{
    const bool wide = graph->wide;
    bool is_short = false;
    for (unsigned i = 0; i < tuning->number && run->error->status == STATUS_OK; i++) {
        struct candidate *candidate = &tuning->candidates[i];
        struct error error = {};
        struct run trial = *run;
        trial.error = &error;
        delegate_fit(&candidate->delegate, &trial, graph);
        if (i > 0 && candidate->delegate.device == NULL && trial.memory_step == MEMORY_SUFFICES)
            gpu_graph_upload(run->graph, wide, graph, &error);
        if (error.status == STATUS_OK)
            delegate_prepare(&candidate->delegate, &trial, graph);
        gpu_graph_free(graph); /* frees what a failed upload has left */
        run->build_ms = trial.build_ms;
        tuning->best = i;
        if (error.status == STATUS_OK) {
            if (is_short && candidate->delegate.run.memory_step == MEMORY_SUFFICES)
                candidate->delegate.run.memory_step = MEMORY_OTHER_ENGINE;
            delegate_report(&candidate->delegate, run);
            return STATUS_OK;
        }
        is_short = is_short || error.status == STATUS_DEVICE;
        delegate_release(&candidate->delegate);
        autotune_note_failure(tuning, candidate, &error, run);
    }
    gpu_graph_free(graph);
    return autotune_fail(tuning, run);
}

/* Tries a candidate, and keeps the faster of it and the best so far. Fails only if the device is then unusable. */
static inline int autotune_challenge(struct autotune *tuning, struct candidate *candidate, struct run *run,
                                     const struct gpu_graph *graph)
{
    const unsigned index = (unsigned)(candidate - tuning->candidates);
    const bool is_first = tuning->num_searches == 0; /* no other candidate is prepared */
    tuning->best = is_first ? index : tuning->best;
    struct candidate *best = autotune_winner(tuning);
    struct error error = {};
    struct run trial = *run;
    trial.error = &error;
    autotune_try(tuning, candidate, &trial, graph);
    run->build_ms = trial.build_ms;
    bool failed = error.status != STATUS_OK;
    bool wins = !is_first && !failed && candidate->outcome == OUTCOME_MEASURED && candidate->mean_ms < best->mean_ms;
    if (failed)
        autotune_note_failure(tuning, candidate, &error, run);
    if (failed && is_first)
        tuning->num_searches = 0;
    if (wins)
        tuning->best = index;
    if (failed || !is_first)
        delegate_release(wins ? &best->delegate : &candidate->delegate);
    return gpu_wait("preparing", run->error);
}

/* Removes the searches of autotuning from the winner's sums of farness. */
static inline void autotune_forget_farness(struct autotune *tuning, struct run *run)
{
    struct delegate *winner = autotune_delegate(tuning, run);
    struct traversal result = {};
    size_t n = run->graph->num_vertices;
    if (run->error->status == STATUS_OK &&
        allocate(&result.farness, n, sizeof *result.farness, "the farness", run->error) == STATUS_OK &&
        allocate(&result.farness_count, n, sizeof *result.farness_count, "the farness", run->error) == STATUS_OK)
        winner->algorithm->fetch(&winner->run, &result);
    free(result.farness);
    free(result.farness_count);
}

/* Prepares the best candidate. There must be at least one, with its delegate set. Takes ownership of the graph:
 * *graph is empty afterwards, even after an error. Adds the time on the device to run->build_ms. Call
 * autotune_release in any case. Returns a status and fills run->error. */
static inline int autotune_run(struct autotune *tuning, struct run *run, struct gpu_graph *graph)
{
    size_t needed = FREE_GRAPHS * gpu_graph_bytes(graph);
    tuning->device = run->device;
    if (tuning->number == 1 || !tuning->measures || gpu_memory_left(run->error) < needed)
        return autotune_settle(tuning, run, graph);
    autotune_draw_sources(run->graph, tuning);
    for (unsigned i = 0; i < tuning->number && run->error->status == STATUS_OK; i++) {
        struct candidate *candidate = &tuning->candidates[i];
        if (tuning->num_searches == 0 || autotune_affords(tuning, candidate)) {
            autotune_challenge(tuning, candidate, run, graph);
        } else {
            candidate->outcome = OUTCOME_TOO_COSTLY;
            candidate->cost_ms = autotune_expected_cost(tuning, candidate);
        }
    }
    gpu_graph_free(graph);
    if (tuning->num_searches == 0)
        return autotune_fail(tuning, run);
    if (run->outputs & OUTPUT_FARNESS)
        autotune_forget_farness(tuning, run);
    return run->error->status;
}

/* Writes the measurements: "0.11 ms per search; dobfs 0.245, blest over 0.22, khop not tried (540 ms)". If nothing
 * was measured, writes only the failures. */
static inline void autotune_print(const struct autotune *tuning, char *text, size_t size)
{
    const struct candidate *best = &tuning->candidates[tuning->best];
    const char *unit = tuning->num_sources > 1 ? "batch" : "search";
    bool measured = best->outcome == OUTCOME_MEASURED;
    int length =
        measured ? snprintf(text, size, "%.3g ms per %s", best->mean_ms, unit) : snprintf(text, size, "%s", "");
    const char *separator = measured ? "; " : "";
    for (unsigned i = 0; i < tuning->number && (size_t)length < size; i++) {
        const struct candidate *other = &tuning->candidates[i];
        char *at = text + length;
        size_t room = size - (size_t)length;
        if (other == best || other->outcome == OUTCOME_NONE)
            continue;
        if (other->outcome == OUTCOME_MEASURED)
            length += snprintf(at, room, "%s%s %.3g", separator, other->delegate.name, other->mean_ms);
        else if (other->outcome == OUTCOME_BEHIND)
            length +=
                snprintf(at, room, "%s%s over %.3g", separator, other->delegate.name, BEHIND_FACTOR * best->mean_ms);
        else if (other->outcome == OUTCOME_TOO_COSTLY)
            length += snprintf(at, room, "%s%s not tried (%.0f ms)", separator, other->delegate.name, other->cost_ms);
        else
            length += snprintf(at, room, "%s%s failed (%s)", separator, other->delegate.name, other->failure);
        separator = ", ";
    }
}

static inline void autotune_release(struct autotune *tuning)
{
    gpu_graph_free(&tuning->graph);
    for (unsigned i = 0; i < tuning->number; i++)
        delegate_release(&tuning->candidates[i].delegate);
}

/* ---- the functions of an algorithm (struct algorithm) whose state is a struct autotune ---- */

static inline int autotune_traverse(struct run *run, const struct query *query)
{
    struct delegate *delegate = autotune_delegate((struct autotune *)run->state, run);
    return delegate->algorithm->traverse(&delegate->run, query);
}

static inline int autotune_fetch(struct run *run, struct traversal *result)
{
    struct delegate *delegate = autotune_delegate((struct autotune *)run->state, run);
    return delegate->algorithm->fetch(&delegate->run, result);
}

static inline void autotune_free(struct run *run)
{
    autotune_release((struct autotune *)run->state);
}

} // namespace BACKEND
