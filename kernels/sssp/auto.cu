/* auto.cu: chooses the search for shortest paths, its preparation and its step width by measurement (../autotune). With
 * few sources, or in the library at first, it takes what needs no preparation, with the step width by mean weight and
 * degree. */
#include "../../src/distance.h"
#include "../autotune/steps.h"
#include "engines.h"

namespace BACKEND::automatic_sssp
{

#define FEW_TRIALS       16     /* below, trying takes longer than it can save */
#define FORESEEN_SOURCES 1024.0 /* from FEW_TRIALS on */
#define UPLOAD_EDGE_MS   1.3e-7 /* every candidate uploads the weights */
#define SORT_EDGE_MS     1e-7

/* In the order in which they are measured. times: the step width, times the usual one; 0: the engine's own. */
static const struct choice {
    const char *name;
    const struct algorithm *algorithm;
    int (*prepare)(struct run *run, struct gpu_graph *graph);
    bool sorts;
    double times;
} choices[] = {
    {"stepping", &BACKEND_NAME(sssp_stepping), sssp::prepare_stepping, false, 1},
    {"stepping prepared", &BACKEND_NAME(sssp_stepping), sssp::prepare_stepping, true, 2},
    {"prepared, wide steps", &BACKEND_NAME(sssp_stepping), sssp::prepare_stepping, true, 4},
    {"prepared, short steps", &BACKEND_NAME(sssp_stepping), sssp::prepare_stepping, true, 1},
    {"wide steps", &BACKEND_NAME(sssp_stepping), sssp::prepare_stepping, false, 2},
    {"short steps", &BACKEND_NAME(sssp_stepping), sssp::prepare_stepping, false, 0.5},
    {"nearfar", &BACKEND_NAME(sssp_nearfar), sssp::prepare_nearfar, false, 0},
};

enum { MEASURE };
static const struct option_spec options[] = {
    CHOICE_OPTION("measure", MEASURE_AUTO, "auto|0|1",
                  "run searches with several engines while preparing; auto: from 16 sources on; 1: with all"),
    {},
};

/* Lists the candidates. Flat graphs have nothing to sort. */
static void list_candidates(const struct run *run, struct autotune *tuning)
{
    const double edges = (double)run->graph->num_edges, usual = sssp::stepping_delta(run->graph);
    for (const struct choice &choice : choices) {
        if (choice.sorts && is_flat(run->graph))
            continue;
        struct candidate *candidate = &tuning->candidates[tuning->number++];
        delegate_begin(&candidate->delegate, choice.name, choice.algorithm, choice.prepare);
        delegate_set(&candidate->delegate, "prepare", choice.sorts);
        delegate_set(&candidate->delegate, "delta", choice.times * usual);
        candidate->build_ms = edges * (UPLOAD_EDGE_MS + (choice.sorts ? SORT_EDGE_MS : 0));
    }
}

static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct autotune *tuning = (struct autotune *)run->state;
    const int measure = (int)run->options[MEASURE];
    const bool all = measure == MEASURE_YES, many = run->num_sources >= FEW_TRIALS;
    list_candidates(run, tuning);
    if (run->steps.wanted && measure == MEASURE_AUTO && run->graph->num_edges > 0)
        return autotune_begin_steps(tuning, run, graph);
    tuning->measures = run->graph->num_edges > 0 && (all || (many && measure == MEASURE_AUTO)) && !gpu_counting();
    tuning->sources_to_come = run->num_sources;
    tuning->foreseen = all ? INFINITY : FORESEEN_SOURCES;
    tuning->budget_ms = all ? INFINITY : autotune_usual_budget_ms(run->graph);
    if (autotune_run(tuning, run, graph) != STATUS_OK)
        return run->error->status;
    if (gpu_counting()) /* what is measured may take more */
        return gpu_cannot_count(run->error);
    struct delegate *winner = &autotune_winner(tuning)->delegate;
    char measured[200];
    autotune_print(tuning, measured, sizeof measured);
    snprintf(winner->reason, sizeof winner->reason, "%s%s%s", winner->name, measured[0] != '\0' ? ", " : "", measured);
    delegate_report(winner, run);
    return run->error->status;
}

GPU_ALGORITHM(sssp_auto) = {
    .family = "sssp",
    .variant = "auto",
    .title = "Stepping or nearfar, prepared or not, and the step width, by measurement",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_DISTANCE,
    .on_request = OUTPUT_PARENT,
    .options = options,
    .state_bytes = sizeof(struct autotune),
    .prepare = uploaded<prepare>,
    .traverse = autotune_traverse,
    .fetch = autotune_fetch,
    .release = autotune_free,
    .advance = autotune_advance,
};

} // namespace BACKEND::automatic_sssp
