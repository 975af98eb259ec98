/* autotune.h: chooses among candidates by measurement. Each is prepared with a copy of the graph and runs
 * searches from the same sources, or from so many sources at once as the caller says. The one whose searches take the
 * least time in the mean stays prepared; the others are released. At most two are prepared at the same time.
 *
 * The first candidate is the choice of the caller's model, and always takes part. Any other only takes part if what
 * it costs to lose is within the caller's budget. A candidate that fails, as when memory is short, drops out. So if
 * the first one fails, the next takes its place. Autotuning only fails if all do. If nothing is to be measured, the
 * first candidate is prepared alone, and the others are only there in case it fails.
 *
 * In steps. If nobody knows how many searches follow, the first candidate is prepared alone: the one that costs the
 * least to prepare. The others are tried one by one between searches. Each time the searches must have taken as long
 * as all steps so far and the next one together, so preparing never takes more than searching did. That is at most
 * about twice what the best choice in hindsight takes (the problem of renting or buying skis).
 *
 * On the emulator times mean nothing. There candidate number (seed of the schedule) modulo (number of candidates) has
 * the shortest searches, and costs are as predicted. So seed 0 keeps the model's choice; others test each outcome. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/graph/random.h"
#include "../backend/backend.h"

namespace BACKEND
{

/* ---- an algorithm that another one has chosen, which then does the work ---- */

/* The chosen algorithm and its options, for a graph that is on the device. */
struct delegate {
    const char *name;                  /* as the caller calls it */
    const struct algorithm *algorithm; /* NULL: none chosen yet */
    int (*prepare)(struct run *run, struct gpu_graph *graph);
    struct device *device; /* on which it runs, if that is not the one of the graph, such as the CPU; else NULL */
    double options[MAX_OPTIONS];
    char reason[256];
    struct run run; /* of the chosen algorithm, from delegate_prepare on */
};

/* Chooses an algorithm, with the defaults of its options. */
static inline void delegate_begin(struct delegate *delegate, const char *name, const struct algorithm *algorithm,
                                  int (*prepare)(struct run *run, struct gpu_graph *graph))
{
    *delegate = {name, algorithm, prepare, NULL, {}, {}, {}};
    for (int i = 0; algorithm->options[i].name != NULL; i++)
        delegate->options[i] = algorithm->options[i].default_value;
}

/* Sets one of the algorithm's options. Does nothing if it has none of that name. */
static inline void delegate_set(struct delegate *delegate, const char *name, double value)
{
    for (int i = 0; delegate->algorithm->options[i].name != NULL; i++)
        if (strcmp(delegate->algorithm->options[i].name, name) == 0)
            delegate->options[i] = value;
}

/* Copies the chosen algorithm's device and batch size to `run`, its note behind the reason, and its facts behind its
 * name. If it has chosen an engine itself, the outer choice stays. */
static inline void delegate_report(const struct delegate *delegate, struct run *run)
{
    run->device = delegate->run.device;
    run->batch_size = delegate->run.batch_size;
    snprintf(run->note, sizeof run->note, "%s%s%.190s", delegate->reason, delegate->run.note[0] != '\0' ? ": " : "",
             delegate->run.note);
    run->num_facts = 0;
    run_add_word(run, "engine", delegate->name);
    for (int i = 0; i < delegate->run.num_facts; i++)
        run_add_fact(run, delegate->run.facts[i]);
}

/* Prepares the chosen algorithm, adds its time, and copies what delegate_report copies. Takes ownership of the graph:
 * *graph is empty afterwards, whatever is returned. Call delegate_release in any case. Returns the status. */
static inline int delegate_prepare(struct delegate *delegate, struct run *run, struct gpu_graph *graph)
{
    delegate->run = *run;
    delegate->run.state = NULL;
    delegate->run.build_ms = 0;
    delegate->run.batch_size = 0;
    delegate->run.num_facts = 0;
    delegate->run.note[0] = '\0';
    if (delegate->device != NULL)
        delegate->run.device = delegate->device;
    memcpy(delegate->run.options, delegate->options, sizeof delegate->run.options);
    delegate->prepare(&delegate->run, graph);
    gpu_graph_free(graph);
    run->build_ms += delegate->run.build_ms;
    delegate_report(delegate, run);
    return run->error->status;
}

/* Does nothing if nothing is prepared. */
static inline void delegate_release(struct delegate *delegate)
{
    if (delegate->run.graph != NULL)
        run_release(delegate->algorithm, &delegate->run);
    delegate->run = {};
}

/* ---- candidates ---- */

#define MOST_CANDIDATES 8u

/* Searches: those of the first candidate take MEASURED_MS in all, within these numbers; the others' are as many.
 * Each runs twice in a row and the second run is timed, as in a trial. A candidate is behind once its searches have
 * taken BEHIND_FACTOR times as long as all those of the best. Its first searches alone do not tell: where few sources
 * reach most of the graph, one long search may outweigh all short ones. */
#define MEASURED_MS    4.0
#define STEP_MS        0.5 /* in place of MEASURED_MS in steps */
#define BEHIND_FACTOR  2.0
#define LEAST_SEARCHES 2u
#define MOST_SEARCHES  16u
#define MOST_SOURCES   256u /* of a search */
#define MOST_DRAWS     100000u

/* Losers may cost a share of the expected gain, if that is more than the caller's budget. The expected gain is a
 * share of the time of all trials to come. */
#define SHARE_OF_GAIN (2.0 / 3)
#define EXPECTED_GAIN 0.5

/* No autotuning unless so many times the graph's memory is free. */
#define FREE_GRAPHS 8u

enum candidate_outcome { OUTCOME_NONE, OUTCOME_MEASURED, OUTCOME_BEHIND, OUTCOME_TOO_COSTLY, OUTCOME_FAILED };

struct candidate {
    struct delegate delegate;
    /* Predicted milliseconds on an H200: of preparing without its searches, and of a search. */
    double build_ms, search_ms;
    unsigned own_searches; /* number of searches that its preparation runs */
    /* Set while it is tried: */
    enum candidate_outcome outcome;
    double total_ms[MOST_SEARCHES]; /* of the searches up to each one; measured */
    double mean_ms;                 /* of a search; measured */
    double searched_ms;             /* on the device, in all searches that tried it */
    double cost_ms;                 /* of preparing and measuring; predicted if it is too costly */
    char failure[32];               /* why it failed, in short */
};

struct autotune {
    struct candidate candidates[MOST_CANDIDATES];
    unsigned number, best; /* candidates; index of the best one so far */
    bool measures;         /* the candidates are measured; else the first that can be prepared stays */
    double budget_ms;      /* what all losers together may cost */
    uint32_t num_sources;  /* of a search, at most MOST_SOURCES; 0 means 1 */
    unsigned num_searches; /* of a candidate; 0 until one is prepared and measured */
    struct error failures; /* why candidates failed, in one line */
    struct device *device; /* of the graph */
    /* In steps: what candidates are prepared from, empty if none is left; and what the steps have taken. */
    struct gpu_graph graph;
    double stepped_ms;
    /* Search number s begins with source s. If lengths are wanted, a source's destination is the next source. */
    vertex_t sources[MOST_SEARCHES + MOST_SOURCES];
};

/* The candidate that has won, or the only one. */
static inline struct candidate *autotune_winner(struct autotune *tuning)
{
    return &tuning->candidates[tuning->best];
}

/* The winner's algorithm, which reports errors to run->error until the caller of run replaces that. */
static inline struct delegate *autotune_delegate(struct autotune *tuning, const struct run *run)
{
    struct delegate *delegate = &autotune_winner(tuning)->delegate;
    delegate->run.error = run->error;
    return delegate;
}

/* Draws vertices that have out-neighbours, as sources of trials are drawn. If these are so rare that MOST_DRAWS draws
 * find none, the first source is repeated. The graph must have edges. */
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

/* Runs search number `number`, in batches as large as the candidate takes. */
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

/* Runs and times a whole search, its reset included. */
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

/* The time of search number `which`, which has just run before. */
static inline double autotune_search_ms(const struct autotune *tuning, struct candidate *candidate, unsigned which)
{
    const struct device *device = tuning->device;
    uint64_t number = tuning->number, index = (uint64_t)(candidate - tuning->candidates);
    autotune_run_ms(tuning, candidate, which);
    if (device->kind != DEVICE_EMULATOR)
        return autotune_run_ms(tuning, candidate, which);
    return MEASURED_MS / 2 * (double)(1 + (index + number - device->seed % number) % number);
}

static inline bool autotune_is_behind(const struct autotune *tuning, const struct candidate *candidate,
                                      unsigned searches)
{
    const struct candidate *best = &tuning->candidates[tuning->best];
    return candidate != best &&
           candidate->total_ms[searches - 1] > BEHIND_FACTOR * best->total_ms[tuning->num_searches - 1];
}

/* Measures a prepared candidate. The first one sets the number of searches. */
static inline void autotune_measure(struct autotune *tuning, struct candidate *candidate)
{
    bool is_first = tuning->num_searches == 0;
    unsigned searches = 0, most = is_first ? MOST_SEARCHES : tuning->num_searches;
    double total_ms = 0;
    candidate->outcome = OUTCOME_MEASURED;
    while (searches < most && candidate->outcome == OUTCOME_MEASURED) {
        total_ms += autotune_search_ms(tuning, candidate, searches);
        candidate->total_ms[searches++] = total_ms;
        if (is_first && searches >= LEAST_SEARCHES &&
            total_ms >= (tuning->graph.targets != NULL ? STEP_MS : MEASURED_MS))
            most = searches;
        if (autotune_is_behind(tuning, candidate, searches))
            candidate->outcome = OUTCOME_BEHIND;
    }
    tuning->num_searches = most;
    candidate->mean_ms = total_ms / searches;
}

/* What it costs to prepare and measure a candidate, if its searches take no less than those of the best. */
static inline double autotune_expected_cost(const struct autotune *tuning, const struct candidate *candidate)
{
    double search_ms = fmax(candidate->search_ms, tuning->candidates[tuning->best].mean_ms);
    return candidate->build_ms + (candidate->own_searches + 2 * tuning->num_searches) * search_ms;
}

#define LEAST_BUDGET_MS 250.0

/* A budget: as long as loading the graph took, or LEAST_BUDGET_MS, whichever is more. */
static inline double autotune_usual_budget_ms(const struct graph *graph)
{
    return fmax(LEAST_BUDGET_MS, graph->load_ms);
}

/* Whether the budget allows one more candidate that loses. */
static inline bool autotune_affords(const struct autotune *tuning, const struct candidate *candidate, int num_trials)
{
    const struct candidate *best = &tuning->candidates[tuning->best];
    double lost_ms = autotune_expected_cost(tuning, candidate);
    for (unsigned i = 0; i < tuning->number; i++)
        if (i != tuning->best && tuning->candidates[i].outcome != OUTCOME_TOO_COSTLY)
            lost_ms += tuning->candidates[i].cost_ms;
    double searches = (double)num_trials / (tuning->num_sources > 0 ? tuning->num_sources : 1);
    double gain_ms = EXPECTED_GAIN * best->mean_ms * searches;
    return lost_ms <= fmax(tuning->budget_ms, SHARE_OF_GAIN * gain_ms);
}

/* Prepares and measures a candidate with a copy of the graph. run: with the error that the candidate sets. */
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

/* Fails with the reasons of all candidates. */
static inline int autotune_fail(const struct autotune *tuning, struct run *run)
{
    return error_set(run->error, tuning->failures.status, "%s", tuning->failures.text);
}

/* Notes why a candidate failed: all of it for the case that no other succeeds, and in short, without "GPU: " and
 * without what follows the next colon. Fails if the device cannot be used any more, or the user wants to stop. */
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

/* Prepares the first candidate that can be, with the graph itself. One that fails may have changed or freed the
 * graph, so the next gets it anew from the host. Returns a status and fills run->error. */
static inline int autotune_settle(struct autotune *tuning, struct run *run, struct gpu_graph *graph)
{
    const bool wide = graph->wide;
    for (unsigned i = 0; i < tuning->number && run->error->status == STATUS_OK; i++) {
        struct candidate *candidate = &tuning->candidates[i];
        struct error error = {};
        struct run trial = *run;
        trial.error = &error;
        if (i > 0 && candidate->delegate.device == NULL)
            gpu_graph_upload(run->graph, wide, graph, &error);
        if (error.status == STATUS_OK)
            delegate_prepare(&candidate->delegate, &trial, graph);
        gpu_graph_free(graph); /* what a failed upload left */
        run->build_ms = trial.build_ms;
        tuning->best = i;
        if (error.status == STATUS_OK) {
            delegate_report(&candidate->delegate, run);
            return STATUS_OK;
        }
        delegate_release(&candidate->delegate);
        autotune_note_failure(tuning, candidate, &error, run);
    }
    gpu_graph_free(graph);
    return autotune_fail(tuning, run);
}

/* Lets a candidate take part, and releases the slower of the two that are prepared then. If it fails, the device
 * must still be usable. Returns a status and fills run->error. */
static inline int autotune_challenge(struct autotune *tuning, struct candidate *candidate, struct run *run,
                                     const struct gpu_graph *graph)
{
    const unsigned index = (unsigned)(candidate - tuning->candidates);
    const bool is_first = tuning->num_searches == 0; /* no other is prepared */
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

/* Takes the searches of autotuning out of the winner's farness. */
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

/* Prepares the best of the candidates. There is at least one, and their delegates are set. Takes ownership of the
 * graph: *graph is empty afterwards, whatever is returned. Adds the time on the device to run->build_ms. Call
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
        if (tuning->num_searches == 0 || autotune_affords(tuning, candidate, run->num_trials)) {
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

/* Writes what was measured: "0.11 ms a search; dobfs 0.245, blest over 0.22, khop not tried (540 ms)"; or only what
 * has failed. */
static inline void autotune_print(const struct autotune *tuning, char *text, size_t size)
{
    const struct candidate *best = &tuning->candidates[tuning->best];
    const char *unit = tuning->num_sources > 1 ? "batch" : "search";
    bool measured = best->outcome == OUTCOME_MEASURED;
    int length =
        measured ? snprintf(text, size, "%.3g ms a %s", best->mean_ms, unit) : snprintf(text, size, "%s", "");
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

/* ---- in steps ---- */

/* What it takes to measure a candidate whose searches take so long. */
static inline double autotune_measuring_ms(double search_ms)
{
    return 2 * fmax(LEAST_SEARCHES * search_ms, STEP_MS + search_ms);
}

/* What the searches must have taken before a candidate is tried: what the steps so far have, what preparing it will,
 * and measuring it; the first time the winner is measured, too. */
static inline double autotune_due_ms(const struct autotune *tuning, const struct candidate *next,
                                     const struct run *run)
{
    const struct candidate *best = &tuning->candidates[tuning->best];
    bool is_first = tuning->num_searches == 0;
    double best_ms = !is_first ? best->mean_ms : run->num_searched > 0 ? run->searched_ms / run->num_searched : 0;
    double search_ms = fmax(next->search_ms, best_ms);
    return tuning->stepped_ms + next->build_ms + next->own_searches * search_ms + autotune_measuring_ms(search_ms) +
           (is_first ? autotune_measuring_ms(best_ms) : 0);
}

/* The next candidate: the second one, the model's choice, and then the one that costs the least. NULL: none. */
static inline struct candidate *autotune_next(struct autotune *tuning, const struct run *run)
{
    struct candidate *next = NULL;
    for (unsigned i = 1; i < tuning->number && next != &tuning->candidates[1]; i++) {
        struct candidate *other = &tuning->candidates[i];
        if (i != tuning->best && other->outcome == OUTCOME_NONE &&
            (next == NULL || autotune_due_ms(tuning, other, run) < autotune_due_ms(tuning, next, run)))
            next = other;
    }
    return next;
}

/* Writes what the steps so far have found, and when the next one is due, and the run's note. */
static inline void autotune_report_steps(struct autotune *tuning, struct run *run)
{
    struct delegate *delegate = &autotune_winner(tuning)->delegate;
    const struct candidate *next = autotune_next(tuning, run);
    char measured[120], more[80] = "nothing is left to try";
    autotune_print(tuning, measured, sizeof measured);
    if (next != NULL)
        snprintf(more, sizeof more, "%.20s is tried once searches have taken %.1f ms", next->delegate.name,
                 autotune_due_ms(tuning, next, run));
    snprintf(delegate->reason, sizeof delegate->reason, "%s%s%s, %.3g ms of steps, %s", delegate->name,
             measured[0] != '\0' ? ", " : "", measured, tuning->stepped_ms, more);
    delegate_report(delegate, run);
}

/* As autotune_run, in steps. The first candidate, or if that fails the next, is prepared now. */
static inline int autotune_begin_steps(struct autotune *tuning, struct run *run, struct gpu_graph *graph)
{
    tuning->device = run->device;
    if (gpu_graph_copy(graph, &tuning->graph, run->error) == STATUS_OK &&
        autotune_settle(tuning, run, graph) == STATUS_OK)
        autotune_report_steps(tuning, run);
    return run->error->status;
}

static inline void autotune_release(struct autotune *tuning)
{
    gpu_graph_free(&tuning->graph);
    for (unsigned i = 0; i < tuning->number; i++)
        delegate_release(&tuning->candidates[i].delegate);
}

/* ---- the other steps of an algorithm (struct algorithm) whose state is a struct autotune ---- */

static inline int autotune_traverse(struct run *run, const struct query *query)
{
    struct delegate *delegate = autotune_delegate((struct autotune *)run->state, run);
    return delegate->algorithm->traverse(&delegate->run, query);
}

/* Tries the next candidate if the searches have taken long enough. */
static inline int autotune_advance(struct run *run)
{
    struct autotune *tuning = (struct autotune *)run->state;
    struct candidate *next = tuning->graph.targets != NULL ? autotune_next(tuning, run) : NULL;
    double begin_ms = now_ms(), due_ms = next != NULL ? autotune_due_ms(tuning, next, run) : INFINITY;
    if (run->searched_ms >= due_ms) {
        if (tuning->num_searches == 0) {
            autotune_draw_sources(run->graph, tuning);
            autotune_delegate(tuning, run);
            autotune_measure(tuning, autotune_winner(tuning));
        }
        autotune_challenge(tuning, next, run, &tuning->graph);
        tuning->stepped_ms = run->device->kind == DEVICE_EMULATOR ? due_ms : tuning->stepped_ms + now_ms() - begin_ms;
        run->steps++;
        if (autotune_next(tuning, run) == NULL)
            gpu_graph_free(&tuning->graph);
    }
    if (next != NULL && run->error->status == STATUS_OK)
        autotune_report_steps(tuning, run);
    return run->error->status;
}

static inline int autotune_fetch(struct run *run, struct traversal *result)
{
    struct delegate *delegate = autotune_delegate((struct autotune *)run->state, run);
    return delegate->algorithm->fetch(&delegate->run, result);
}

static inline void autotune_free(struct run *run)
{
    if (run->state != NULL)
        autotune_release((struct autotune *)run->state);
    free(run->state);
}

} // namespace BACKEND
