/* auto.cu: `dfs auto`: a depth-first search on the GPU or on the CPU, whichever is faster on this graph.
 *
 * With hand-off (handoff/handoff.cu), the GPU is far ahead if many walkers have work. But a step takes a microsecond,
 * thirty times as long as on a CPU core. So the CPU wins if a search reaches few vertices, or if most vertices are on
 * paths that only one walker can follow, as in small road networks and histories.
 *
 * A sample of searches (msbfs/sample.h) gives the mean number of vertices, edges and levels that a search reaches.
 * From these the model (model.h) predicts the time of every engine. If many sources follow, all engines that may win
 * are timed (autotune/autotune.h). Only dfs handoff and dfs serial give parents. If the user names the GPU, dfs
 * handoff is used. */
#include <float.h>
#include <omp.h>

#include "../autotune/autotune.h"
#include "../msbfs/sample.h"
#include "model.h"

GPU_ALGORITHM(dfs_handoff);
extern "C" const struct algorithm dfs_acr, dfs_ckl, dfs_serial;

namespace BACKEND::handoff
{

/* The prepare step of dfs handoff, for a graph that is on the device. The state takes over the graph. */
int prepare(struct run *run, struct gpu_graph *graph);

} // namespace BACKEND::handoff

namespace BACKEND::automatic_dfs
{

#define MANY_SOURCES 16 /* from this number of sources on, engines are timed */

/* ---- the engines ---- */

/* Prepares an engine on the CPU, which does not use the graph on the device. */
template <const struct algorithm *algorithm>
static int prepare_on_cpu(struct run *run, struct gpu_graph *)
{
    return algorithm->prepare(run);
}

/* The table of engines: name, algorithm, its prepare step. */
#define ENGINES(row)                                                                                                   \
    row(handoff, BACKEND_NAME(dfs_handoff), handoff::prepare) row(acr, dfs_acr, prepare_on_cpu<&dfs_acr>)              \
        row(ckl, dfs_ckl, prepare_on_cpu<&dfs_ckl>) row(serial, dfs_serial, prepare_on_cpu<&dfs_serial>)

#define ENGINE_OF(name, algorithm, prepare) {#name, &algorithm, prepare, name##_ms},
static const struct engine {
    const char *name;
    const struct algorithm *algorithm;
    int (*prepare)(struct run *run, struct gpu_graph *graph);
    double (*search_ms)(const struct reach_of_searches *reach);
} engines[] = {ENGINES(ENGINE_OF)};

enum { ENGINE, MEASURE };
enum { ENGINE_AUTO, ENGINE_FIRST };
#define WORD_OF(name, ...) "|" #name
static const struct option_spec auto_options[] = {
    CHOICE_OPTION("engine", ENGINE_AUTO, "auto" ENGINES(WORD_OF),
                  "search to use; auto: by a sample of searches and measurement; handoff: on the GPU, set by "
                  "--device gpu",
                  .named_device = "handoff"),
    CHOICE_OPTION("measure", MEASURE_AUTO, "auto|0|1",
                  "run searches with several engines while preparing; auto: if many sources follow, within a budget; "
                  "1: with all"),
    {},
};

struct state {
    struct autotune tuning; /* must come first: autotune_traverse and autotune_fetch cast the state to it */
    struct device cpu;
    struct reach_of_searches reach;
};

/* Returns the engine that the options name if it gives the wanted outputs; otherwise NULL. */
static const struct engine *asked_for(const struct run *run)
{
    unsigned asked = (unsigned)run->options[ENGINE];
    const struct engine *engine = asked == ENGINE_AUTO ? NULL : &engines[asked - ENGINE_FIRST];
    return engine != NULL && gives_outputs(run, engine->algorithm) ? engine : NULL;
}

/* ---- choosing ---- */

static int look_ahead(struct run *run, const struct gpu_graph *graph, struct reach_of_searches *reach)
{
    struct automatic_msbfs::estimate_of_searches sample;
    gpu_time_build(run,
                   [&] { automatic_msbfs::searches_sample(run->graph, graph, SAMPLED_SEARCHES, &sample, run->error); });
    *reach = {automatic_msbfs::searches_sum(&sample, sample.found, sample.found_beyond),
              automatic_msbfs::searches_sum(&sample, sample.left, sample.left_beyond), sample.mean_levels,
              sample.edges / sample.vertices, (double)omp_get_max_threads()};
    return run->error->status;
}

static void add_candidate(struct state *state, const struct engine *engine)
{
    struct candidate *candidate = &state->tuning.candidates[state->tuning.number++];
    delegate_begin(&candidate->delegate, engine->name, engine->algorithm, engine->prepare);
    candidate->delegate.device = engine->algorithm->device == DEVICE_CPU ? &state->cpu : NULL;
    candidate->search_ms = engine->search_ms(&state->reach);
}

/* Lists the candidates, first the engine with the least predicted time. If engines are timed, the others that may win
 * follow; otherwise all others, in case the first cannot be prepared. */
static void list_candidates(const struct run *run, struct state *state)
{
    const struct engine *first = &engines[0];
    int measure = (int)run->options[MEASURE];
    for (const struct engine &engine : engines)
        if (gives_outputs(run, engine.algorithm) && engine.search_ms(&state->reach) < first->search_ms(&state->reach))
            first = &engine;
    state->tuning.sources_to_come = run->num_sources;
    state->tuning.foreseen = INFINITY;
    state->tuning.budget_ms = measure == MEASURE_YES ? INFINITY : autotune_usual_budget_ms(run->graph);
    state->tuning.measures = run->graph->num_edges > 0 &&
                             (measure == MEASURE_YES || (measure == MEASURE_AUTO && run->num_sources >= MANY_SOURCES));
    double most_ms =
        state->tuning.measures && measure != MEASURE_YES ? UNSURE_FACTOR * first->search_ms(&state->reach) : DBL_MAX;
    add_candidate(state, first);
    for (const struct engine &engine : engines)
        if (&engine != first && gives_outputs(run, engine.algorithm) && engine.search_ms(&state->reach) <= most_ms)
            add_candidate(state, &engine);
}

static void explain(struct run *run, struct state *state)
{
    struct delegate *winner = &autotune_winner(&state->tuning)->delegate;
    const struct reach_of_searches *reach = &state->reach;
    unsigned asked = (unsigned)run->options[ENGINE];
    char measured[128], lacking[32] = "";
    autotune_print(&state->tuning, measured, sizeof measured);
    if (asked != ENGINE_AUTO)
        snprintf(lacking, sizeof lacking, " (%s gives no parents)", engines[asked - ENGINE_FIRST].name);
    snprintf(winner->reason, sizeof winner->reason,
             "%s%s for searches of %.0f vertices, %.0f edges and %.0f levels%s%s", winner->name, lacking,
             reach->vertices, reach->edges, reach->levels, measured[0] != '\0' ? "; measured " : "", measured);
    delegate_report(winner, run);
}

/* Prepares the engine that the options name, or the fastest one. */
static int choose(struct run *run, struct gpu_graph *graph, struct state *state)
{
    const struct engine *asked = asked_for(run);
    if (asked != NULL) {
        add_candidate(state, asked);
        struct delegate *delegate = &state->tuning.candidates[0].delegate;
        snprintf(delegate->reason, sizeof delegate->reason, "%s as asked for", asked->name);
        return autotune_run(&state->tuning, run, graph);
    }
    if (look_ahead(run, graph, &state->reach) != STATUS_OK)
        return run->error->status;
    list_candidates(run, state);
    if (autotune_run(&state->tuning, run, graph) == STATUS_OK)
        explain(run, state);
    return run->error->status;
}

static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    if (device_open(DEVICE_CPU, &state->cpu, 0, run->error) == STATUS_OK && choose(run, graph, state) == STATUS_OK)
        run_add_word(run, "on", autotune_winner(&state->tuning)->delegate.device != NULL ? "cpu" : "gpu");
    return run->error->status;
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state->cpu.close != NULL) {
        autotune_release(&state->tuning);
        state->cpu.close(&state->cpu);
    }
}

GPU_ALGORITHM(dfs_auto) = {
    .family = "dfs",
    .variant = "auto",
    .title = "gtrav, by hand-off on the GPU or on the CPU, by model and measurement",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_VISITED,
    .on_request = OUTPUT_PARENT,
    .options = auto_options,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare>,
    .traverse = autotune_traverse,
    .fetch = autotune_fetch,
    .release = release,
};

} // namespace BACKEND::automatic_dfs
