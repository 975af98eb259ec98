/* auto.cu: chooses the BFS for the graph and the number of sources: the k-hop BFS (khop/), the direction-optimising
 * BFS (dobfs/), the BFS over slices (slices/), Blest (blest/) or WarpNet's queue (warpnet.cu). It also chooses how
 * much that BFS prepares, and gives the reason in the run's note.
 *
 * Phases: sample how balls grow, estimate the number of BFS levels, choose by a model (model.h) and, if the model is
 * unsure, measure the engines that may win (autotune/autotune.h). The chosen BFS takes over the graph. If an engine
 * cannot be prepared, another one is used.
 *
 * Growth. In a graph of high diameter, balls grow as in a space of few dimensions: |B(r)| = c r^p. The sizes at two
 * radii give p, and p gives the radius at which the ball is the whole graph. A BFS has about twice as many levels as
 * this radius. In random graphs each shell is a constant factor larger than the one before. If the balls exceed the
 * sampling bound after one step, the graph has few levels.
 *
 * Preparing. From MANY_TRIALS sources on, the fastest traversal is chosen regardless of preparation time. With fewer
 * sources, both times count, and nothing is measured. Then `bfs dobfs` prepares nothing, since preparing takes as
 * long as it saves in about a hundred traversals. khop gets the radius (or no index) with the least total time.
 *
 * In steps. If the number of sources is not known, as in the library, the engine for one source is prepared first.
 * The engines for many sources follow later, first the model's choice (autotune/steps.h).
 *
 * Measuring. On web graphs, social networks and histories, two things decide which engine is fastest: the number of
 * levels in the tails outside the core, and how well neighbour lists fit into slices. The growth of balls shows
 * neither. The model is sure only on meshes and road networks. */
#include <stdio.h>

#include "../autotune/steps.h"
#include "engines.h"
#include "model.h"

namespace BACKEND::automatic_bfs
{

#define SAMPLES      256u
#define SAMPLED_BALL 500u /* sampled balls are counted up to this many vertices */
#define SURE_FACTOR  3.0  /* nothing is measured if khop is predicted to be this many times as fast as the others */

/* Ids are near if they differ by less than NEAR_SHARE of the vertices, for LEAST_EDGES_NEAR of the sampled edges. */
#define NEAR_SHARE       (1.0 / 64)
#define LEAST_EDGES_NEAR 0.95
#define SAMPLED_EDGES    1024u

static bool has_near_ids(const struct graph *graph)
{
    uint32_t sampled = 0, near = 0;
    for (uint64_t i = 0; i < SAMPLED_EDGES && graph->num_edges > 0; i++) {
        vertex_t v = (vertex_t)((random_bits(i) >> 32) * graph->num_vertices >> 32);
        if (graph_degree(graph, v) == 0)
            continue;
        vertex_t w = graph->targets[graph->offsets[v] + random_bits(~i) % graph_degree(graph, v)];
        sampled++;
        near += (double)(v < w ? w - v : v - w) < NEAR_SHARE * graph->num_vertices;
    }
    return near >= LEAST_EDGES_NEAR * sampled;
}

/* Samples balls and edges, and fills *estimate. Adds the time to run->build_ms. */
static int look_ahead(struct run *run, const struct gpu_graph *graph, struct estimate *estimate)
{
    *estimate = {(double)graph->num_vertices, (double)graph->num_edges, 0, has_near_ids(run->graph), {}};
    gpu_time_build(run,
                   [&] { khop::ball_growth_sample(graph, SAMPLES, SAMPLED_BALL, &estimate->growth, run->error); });
    estimate->levels = expected_levels(&estimate->growth, estimate->vertices);
    return run->error->status;
}

/* ---- the engines ---- */

/* The table of engines, in the order in which they are measured: the likeliest winners first. Columns: the NAME of
 * the GPU algorithm bfs_NAME, which has a function NAME::prepare (engines.h); three summands of the cost of preparing
 * on an H200, namely milliseconds, milliseconds per edge and searches (khop has its own model); the function that
 * sets the engine's options, or NULL. */
#define ENGINES(row)                                                                                                 \
    row(slices, 4.0, 0.19e-6, 24, NULL) row(dobfs, 3.0, 0.06e-6, 12, set_dobfs) row(queue, 1.0, 0, 0, NULL)          \
        row(blest, 2.0, 0.075e-6, 8, NULL) row(khop, 0, 0, 0, set_khop)

enum { ENGINE, PREPARED, MEASURE };
#define CHOICE_OF(name, ...) ENGINE_##name,
enum engine_choice { ENGINE_auto, ENGINES(CHOICE_OF) NUM_CHOICES };
enum { PREPARED_AUTO, PREPARED_NO, PREPARED_YES };
#define WORD_OF(name, ...) "|" #name
static const struct option_spec auto_options[] = {
    CHOICE_OPTION("engine", ENGINE_auto, "auto" ENGINES(WORD_OF), "BFS to use; auto: by model and measurement"),
    CHOICE_OPTION("prepare", PREPARED_AUTO, "auto|0|1",
                  "whether the BFS may prepare (blest always does); auto: by the number of sources"),
    CHOICE_OPTION("measure", MEASURE_AUTO, "auto|0|1",
                  "run searches with several engines while preparing; auto: if the model is unsure, within a budget; "
                  "1: with all"),
    {},
};

/* With few trials, sets khop's radius or turns its index off. With many, khop chooses the radius itself. */
static void set_khop(const struct run *run, const struct estimate *estimate, struct candidate *khop)
{
    int prepared = (int)run->options[PREPARED];
    unsigned radius = radius_for(estimate, run->num_sources);
    bool few = prepared == PREPARED_AUTO && run->num_sources < MANY_TRIALS;
    delegate_set(&khop->delegate, "k", few ? radius : 0);
    if (prepared == PREPARED_NO || (few && radius == 0))
        delegate_set(&khop->delegate, "index-mb", 0);
    khop->build_ms = total_ms(estimate, radius, 0);
    khop->search_ms = total_ms(estimate, radius, 1) - khop->build_ms + estimate->edges * SHALLOW_EDGE_MS;
}

/* Sets how much dobfs prepares. Without preparing there are no trials of policies, so a deep graph is searched
 * top-down: a bottom-up level would read the lists of nearly all unvisited vertices in vain. */
static void set_dobfs(const struct run *run, const struct estimate *estimate, struct candidate *dobfs)
{
    int prepared = (int)run->options[PREPARED];
    bool prepares = prepared == PREPARED_YES || (prepared == PREPARED_AUTO && run->num_sources >= MANY_TRIALS);
    delegate_set(&dobfs->delegate, "prepare", prepares);
    if (!prepares && is_deep(estimate))
        delegate_set(&dobfs->delegate, "direction", dobfs::DIRECTION_TOP_DOWN);
}

struct choice {
    const char *name, *name_unprepared;
    const struct algorithm *algorithm;
    int (*prepare)(struct run *run, struct gpu_graph *graph);
    double build_ms, build_edge_ms;
    unsigned searches;
    void (*set)(const struct run *run, const struct estimate *estimate, struct candidate *candidate);
};
#define ENGINE_OF(name, ...) {#name, #name " unprepared", &BACKEND_NAME(bfs_##name), name::prepare, __VA_ARGS__},
static const struct choice choices[NUM_CHOICES] = {{}, ENGINES(ENGINE_OF)}; /* indexed by enum engine_choice */

/* ---- choosing ---- */

/* Returns whether the engine may win. WarpNet's queue may win only in deep symmetric graphs with wide levels. Its
 * searches may take seconds if there are high-degree vertices, which small balls of a directed graph do not exclude.
 * The queue was not measured with parents. */
static bool may_win(const struct run *run, const struct estimate *estimate, int engine)
{
    bool suits = engine != ENGINE_queue ||
                 (!(run->outputs & OUTPUT_PARENT) && run->graph->symmetric && is_for_queue(estimate));
    return suits && gives_outputs(run, choices[engine].algorithm);
}

/* Returns whether the k-hop BFS will certainly win. False for directed graphs: small balls may just be dead ends. */
static bool is_surely_for_khop(const struct run *run, const struct estimate *estimate)
{
    return run->graph->symmetric && lead_of_khop(estimate, run->num_sources) > SURE_FACTOR;
}

/* Adds an engine to the candidates. */
static void add_candidate(const struct run *run, const struct estimate *estimate, int engine, struct autotune *tuning)
{
    const struct choice *choice = &choices[engine];
    struct candidate *candidate = &tuning->candidates[tuning->number++];
    candidate->build_ms = choice->build_ms + estimate->edges * choice->build_edge_ms;
    candidate->search_ms = estimate->levels * DOBFS_LEVEL_MS;
    candidate->own_searches = choice->searches;
    delegate_begin(&candidate->delegate, choice->name, choice->algorithm, choice->prepare);
    if (choice->set != NULL)
        choice->set(run, estimate, candidate);
}

/* Returns the engine that the options name, or otherwise the model's choice. */
static int choose(const struct run *run, const struct estimate *estimate)
{
    int engine = (int)run->options[ENGINE];
    if (engine != ENGINE_auto && gives_outputs(run, choices[engine].algorithm))
        return engine;
    if (is_for_khop(estimate, run->num_sources))
        return ENGINE_khop;
    return may_win(run, estimate, ENGINE_queue) ? ENGINE_queue : ENGINE_dobfs;
}

static bool is_asked_for(const struct run *run)
{
    return (int)run->options[ENGINE] != ENGINE_auto;
}

/* Returns whether engines are measured: not if the options name one, and not if nothing may be prepared. */
static bool measures(const struct run *run, const struct estimate *estimate)
{
    int prepared = (int)run->options[PREPARED], measure = (int)run->options[MEASURE];
    bool is_unsure = run->num_sources >= MANY_TRIALS && !is_surely_for_khop(run, estimate);
    if (is_asked_for(run) || prepared == PREPARED_NO || run->graph->num_edges == 0)
        return false;
    return measure == MEASURE_YES || (measure == MEASURE_AUTO && is_unsure);
}

/* Lists the candidates, the choice first. If engines are measured, the others that may win follow. Otherwise dobfs
 * follows, in case the choice cannot be prepared, since dobfs demands least of a device. If the options name an
 * engine, it is the only candidate. */
static void list_candidates(const struct run *run, const struct estimate *estimate, struct autotune *tuning)
{
    int first = choose(run, estimate);
    bool is_limited = (int)run->options[MEASURE] != MEASURE_YES;
    tuning->budget_ms = is_limited ? autotune_usual_budget_ms(run->graph) : INFINITY;
    tuning->measures = measures(run, estimate);
    add_candidate(run, estimate, first, tuning);
    for (int engine = ENGINE_auto + 1; engine < NUM_CHOICES && !is_asked_for(run); engine++)
        if (engine != first && (tuning->measures ? may_win(run, estimate, engine) : engine == ENGINE_dobfs))
            add_candidate(run, estimate, engine, tuning);
}

/* Returns whether engines are prepared in steps: only if the options leave the engine and its preparation open, and
 * the device has room for the graph beside two engines. */
static bool goes_in_steps(const struct run *run, const struct gpu_graph *graph)
{
    return run->steps.wanted && !is_asked_for(run) && run->graph->num_edges > 0 &&
           (int)run->options[PREPARED] == PREPARED_AUTO && (int)run->options[MEASURE] == MEASURE_AUTO &&
           gpu_memory_left(run->error) >= FREE_GRAPHS * gpu_graph_bytes(graph);
}

/* Lists the candidates of steps: the engine for a single source, the choice for many, and the others that may win. */
static void list_steps(const struct run *run, const struct estimate *estimate, struct autotune *tuning)
{
    struct run once = *run;
    once.num_sources = 1;
    int least = choose(&once, estimate), first = choose(run, estimate);
    add_candidate(&once, estimate, least, tuning);
    tuning->candidates[0].delegate.name = choices[least].name_unprepared;
    for (int i = ENGINE_auto; i < NUM_CHOICES; i++) {
        int engine = i == ENGINE_auto ? first : i;
        bool is_again = i == first || (engine == least && choices[engine].set == NULL);
        if (!is_again && (engine == first || (may_win(run, estimate, engine) && !is_surely_for_khop(run, estimate))))
            add_candidate(run, estimate, engine, tuning);
    }
}

/* Writes the reason for the choice, and the run's note. */
static void explain(struct run *run, const struct estimate *estimate, struct autotune *tuning)
{
    struct candidate *winner = autotune_winner(tuning);
    int asked = (int)run->options[ENGINE];
    char measured[144], lacking[64] = "";
    autotune_print(tuning, measured, sizeof measured);
    if (asked != ENGINE_auto && !gives_outputs(run, choices[asked].algorithm))
        snprintf(lacking, sizeof lacking, " (%s gives no parents)", choices[asked].name);
    snprintf(winner->delegate.reason, sizeof winner->delegate.reason, "%s%s for about %.0f levels and %d trial%s%s%s",
             winner->delegate.name, lacking, estimate->levels, run->num_sources, run->num_sources == 1 ? "" : "s",
             measured[0] != '\0' ? ", " : "", measured);
    delegate_report(&winner->delegate, run);
}

/* ---- the algorithm ---- */

int prepare(struct run *run, struct gpu_graph *graph)
{
    struct estimate estimate;
    if (allocate_zeroed(&run->state, 1, sizeof(struct autotune), "the GPU's state", run->error) != STATUS_OK ||
        look_ahead(run, graph, &estimate) != STATUS_OK)
        return run->error->status;
    struct autotune *tuning = (struct autotune *)run->state;
    if (goes_in_steps(run, graph)) {
        list_steps(run, &estimate, tuning);
        return autotune_begin_steps(tuning, run, graph);
    }
    list_candidates(run, &estimate, tuning);
    if (autotune_run(tuning, run, graph) == STATUS_OK)
        explain(run, &estimate, tuning);
    return run->error->status;
}

GPU_ALGORITHM(bfs_auto) = {
    .family = "bfs",
    .variant = "auto",
    .title = "gtrav, slices, dobfs, khop or Blest, by model and measurement",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .options = auto_options,
    .prepare = uploaded<prepare>,
    .traverse = autotune_traverse,
    .fetch = autotune_fetch,
    .release = autotune_free,
    .profiled = true,
    .advance = autotune_advance,
};

} // namespace BACKEND::automatic_bfs
