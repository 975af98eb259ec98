/* steps.h: autotuning between searches, for callers who do not know how many searches follow.
 *
 * The candidate that costs least to prepare is prepared alone. Between searches, the other candidates are tried one
 * by one. A candidate is tried only when the searches have taken as long as all steps so far and this step together,
 * so preparing never takes more time than searching. The total time is at most about twice the time of the best
 * choice in hindsight (the ski-rental problem; Karlin et al., 1988). */
#pragma once

#include "autotune.h"

namespace BACKEND
{

/* Returns the time that measuring takes for a candidate whose searches take search_ms. */
static inline double autotune_measuring_ms(double search_ms)
{
    return 2 * fmax(LEAST_SEARCHES * search_ms, MEASURED_MS + search_ms);
}

/* Returns how long the searches must have taken before candidate `next` is tried: the time of all steps so far, of
 * preparing the candidate, and of measuring it. The first step also measures the first candidate. */
static inline double autotune_due_ms(const struct autotune *tuning, const struct candidate *next, const struct run *run)
{
    const struct candidate *best = &tuning->candidates[tuning->best];
    bool is_first = tuning->num_searches == 0;
    double best_ms = !is_first                     ? best->mean_ms
                     : run->steps.num_searched > 0 ? run->steps.searched_ms / run->steps.num_searched
                                                   : 0;
    double search_ms = fmax(next->search_ms, best_ms);
    return tuning->stepped_ms + next->build_ms + next->own_searches * search_ms + autotune_measuring_ms(search_ms) +
           (is_first ? autotune_measuring_ms(best_ms) : 0);
}

/* Returns the candidate to try next: candidate 1 (the model's choice), then the one due first. NULL: none is left. */
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

/* Writes what the steps so far found, and when the next one is due, into the run's note. */
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

/* Prepares the first candidate, or the next one if it fails. Callers use this function instead of autotune_run. */
static inline int autotune_begin_steps(struct autotune *tuning, struct run *run, struct gpu_graph *graph)
{
    tuning->device = run->device;
    if (gpu_graph_copy(graph, &tuning->graph, run->error) == STATUS_OK &&
        autotune_settle(tuning, run, graph) == STATUS_OK)
        autotune_report_steps(tuning, run);
    return run->error->status;
}

/* Tries the next candidate if the searches have taken long enough. */
static inline int autotune_advance(struct run *run)
{
    struct autotune *tuning = (struct autotune *)run->state;
    struct candidate *next = tuning->graph.targets != NULL ? autotune_next(tuning, run) : NULL;
    double begin_ms = now_ms(), due_ms = next != NULL ? autotune_due_ms(tuning, next, run) : INFINITY;
    if (run->steps.searched_ms >= due_ms) {
        if (tuning->num_searches == 0) {
            autotune_draw_sources(run->graph, tuning);
            autotune_delegate(tuning, run);
            autotune_measure(tuning, autotune_winner(tuning));
        }
        autotune_challenge(tuning, next, run, &tuning->graph);
        tuning->stepped_ms = run->device->kind == DEVICE_EMULATOR ? due_ms : tuning->stepped_ms + now_ms() - begin_ms;
        run->steps.num_done++;
        if (autotune_next(tuning, run) == NULL)
            gpu_graph_free(&tuning->graph);
    }
    if (next != NULL && run->error->status == STATUS_OK)
        autotune_report_steps(tuning, run);
    return run->error->status;
}

} // namespace BACKEND
