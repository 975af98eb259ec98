/* auto.cu: chooses the BFS for the graph and the number of sources: the k-hop BFS (khop/), the direction-optimising
 * BFS (dobfs/), the BFS over slices (slices/), Blest (blest/) or WarpNet's queue (warpnet.cu). It also chooses how
 * much that BFS prepares, and gives the reason in the run's note.
 *
 * Phases: sample how balls grow and how many levels searches have, predict times by a model (model.h), and measure
 * the engines that can be worth their preparation (autotune/autotune.h). The chosen BFS takes over the graph. If an
 * engine cannot be prepared, another one is used.
 *
 * Growth. In a graph of high diameter, balls grow as in a space of few dimensions: |B(r)| = c r^p. The sizes at two
 * radii give p, and p gives the radius at which the ball is the whole graph. A BFS has about twice as many levels as
 * this radius. In random graphs each shell is a constant factor larger than the one before. If the balls exceed the
 * sampling bound after one step, the graph has few levels. If they do not, a sample of searches (../msbfs/sample.h)
 * tells the number of levels: small balls do not show edges that lead far away.
 *
 * Measuring. The model only orders the engines. The first to be measured is the one that it would take for a single
 * source, which prepares next to nothing. Its time limits what any other engine can save, and so what may be spent on
 * preparing others: half of it, with losing engines counted together. From MANY_TRIALS sources on, DEFAULT_SOURCES
 * count at least, and small sums may be spent for FORESEEN_SOURCES. With fewer sources, only deep graphs have engines
 * that prepare nothing to choose from; below FEW_TRIALS sources, trying takes longer than it can save.
 *
 * In steps. If the number of sources is not known, as in the library, the engine for one source is prepared first.
 * The others follow later, first the model's choice (autotune/steps.h). */
#include <stdio.h>

#include "../../src/graph/sources.h"
#include "../autotune/policies.h"
#include "../autotune/steps.h"
#include "../msbfs/sample.h"
#include "engines.h"
#include "model.h"

namespace BACKEND::automatic_bfs
{

#define SAMPLES        256u
#define SAMPLED_BALL   500u /* sampled balls are counted up to this many vertices */
#define DEPTH_SEARCHES 4u   /* searches that are followed for the number of levels; 32 took longer than 64 trials */

/* Numbers of sources: the fewest for which engines are measured, and how many are foreseen from MANY_TRIALS on. */
#define FEW_TRIALS       4
#define FORESEEN_SOURCES 1024.0

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

/* Returns the mean number of levels of sampled searches. */
static double sampled_levels(const struct run *run, const struct gpu_graph *graph)
{
    struct automatic_msbfs::estimate_of_searches sample;
    automatic_msbfs::searches_sample(run->graph, graph, DEPTH_SEARCHES, &sample, run->error);
    return sample.mean_levels;
}

/* Returns whether the device has room for the graph beside two engines, or beside a sample of searches. */
static bool has_room(const struct run *run, const struct gpu_graph *graph)
{
    return gpu_memory_left(run->error) >= FREE_GRAPHS * gpu_graph_bytes(graph);
}

/* Samples balls, edges and, in deep graphs, searches; fills *estimate. Adds the time to run->build_ms. */
static int look_ahead(struct run *run, const struct gpu_graph *graph, struct estimate *estimate)
{
    *estimate = {(double)graph->num_vertices, (double)graph->num_edges, SHALLOW_LEVELS, false, {}};
    if (graph->targets == NULL) /* the GPU builds its lists, or has no room for them */
        return run->error->status;
    estimate->near_ids = has_near_ids(run->graph);
    return gpu_time_build(run, [&] {
        khop::ball_growth_sample(graph, SAMPLES, SAMPLED_BALL, &estimate->growth, run->error);
        estimate->levels = expected_levels(&estimate->growth, estimate->vertices);
        if (is_deep(estimate) && has_room(run, graph))
            estimate->levels = sampled_levels(run, graph);
    });
}

/* ---- the engines ---- */

/* The table of engines, in the order in which they are measured: those that are cheap to prepare first. Columns: the
 * NAME of the GPU algorithm bfs_NAME, which has a function NAME::prepare (engines.h); three summands of the cost of
 * preparing on an H200, namely milliseconds, milliseconds per edge and searches (khop has its own model); the
 * function that sets the engine's options, or NULL. */
#define ENGINES(row)                                                                                                   \
    row(queue, 0, 0, 0, NULL) row(dobfs, 3.0, 0.06e-6, 12, set_dobfs) row(blest, 2.0, 0.075e-6, 8, NULL)               \
        row(slices, 4.0, 0.19e-6, 24, NULL) row(khop, 0, 0, 0, set_khop)

enum { ENGINE, PREPARED, MEASURE, HOST_MEMORY };
#define CHOICE_OF(name, ...) ENGINE_##name,
enum engine_choice { ENGINE_auto, ENGINES(CHOICE_OF) NUM_CHOICES };
enum { PREPARED_AUTO, PREPARED_NO, PREPARED_YES };
#define WORD_OF(name, ...) "|" #name
static const struct option_spec auto_options[] = {
    CHOICE_OPTION("engine", ENGINE_auto, "auto" ENGINES(WORD_OF), "BFS to use; auto: by model and measurement"),
    CHOICE_OPTION("prepare", PREPARED_AUTO, "auto|0|1",
                  "whether the BFS may prepare (blest always does); auto: by the number of sources"),
    CHOICE_OPTION("measure", MEASURE_AUTO, "auto|0|1",
                  "run searches with several engines while preparing; auto: with those that may save more than they "
                  "cost; 1: with all"),
    CHOICE_OPTION("host-memory", HOST_AUTO, HOST_MEMORY_WORDS, "what dobfs keeps in host memory; auto: what must be"),
    {},
};

/* With few trials, sets khop's radius, or no index, for the least total time. With many, khop chooses the radius. */
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

/* Sets how much dobfs prepares: nothing for few sources, since it takes as long as it saves in about a hundred
 * searches, and nothing in deep graphs, where no bottom-up level paid: it would read the lists of nearly all unvisited
 * vertices in vain. So unprepared deep graphs are searched top-down. */
static void set_dobfs(const struct run *run, const struct estimate *estimate, struct candidate *dobfs)
{
    int prepared = (int)run->options[PREPARED];
    bool many = run->num_sources >= MANY_TRIALS && !is_deep(estimate);
    bool prepares = prepared == PREPARED_YES || (prepared == PREPARED_AUTO && many);
    delegate_set(&dobfs->delegate, "prepare", prepares);
    delegate_set(&dobfs->delegate, "host-memory", run->options[HOST_MEMORY]);
    if (!prepares && is_deep(estimate))
        delegate_set(&dobfs->delegate, "direction", dobfs::DIRECTION_TOP_DOWN);
    if (!prepares)
        dobfs->build_ms = dobfs->own_searches = 0;
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
 * searches may take seconds if there are high-degree vertices, which small balls of a directed graph do not show. */
static bool may_win(const struct run *run, const struct estimate *estimate, int engine)
{
    return engine != ENGINE_queue || (run->graph->symmetric && is_for_queue(estimate));
}

/* Returns whether two candidates are the same algorithm with the same options. */
static bool are_alike(const struct delegate *one, const struct delegate *other)
{
    return one->algorithm == other->algorithm && memcmp(one->options, other->options, sizeof one->options) == 0;
}

/* Adds an engine to the candidates, unless it is one of them again. */
static void add_candidate(const struct run *run, const struct estimate *estimate, int engine, struct autotune *tuning)
{
    const struct choice *choice = &choices[engine];
    struct candidate *candidate = &tuning->candidates[tuning->number++];
    candidate->build_ms = choice->build_ms + estimate->edges * choice->build_edge_ms;
    candidate->search_ms = estimate->levels * DOBFS_LEVEL_MS;
    candidate->own_searches = choice->searches;
    candidate->own_most_ms = policies_ms(estimate->edges);
    delegate_begin(&candidate->delegate, choice->name, choice->algorithm, choice->prepare);
    if (choice->set != NULL)
        choice->set(run, estimate, candidate);
    for (unsigned i = 0; &tuning->candidates[i] < candidate; i++) {
        const struct delegate *other = &tuning->candidates[i].delegate;
        if (run->num_sources == 1 && other->algorithm == candidate->delegate.algorithm)
            candidate->delegate.name = choice->name_unprepared;
        if (are_alike(other, &candidate->delegate))
            tuning->number = (unsigned)(candidate - tuning->candidates);
    }
}

/* Returns the engine that the options name, or otherwise the model's choice. In directed graphs few levels gain by
 * going bottom-up, so slices, whose looks are cheaper, comes before dobfs. */
static int choose(const struct run *run, const struct estimate *estimate)
{
    int engine = (int)run->options[ENGINE];
    if (engine != ENGINE_auto)
        return engine;
    if (!graph_has_lists(run->graph))
        return ENGINE_dobfs;
    if (is_for_khop(estimate, run->num_sources))
        return ENGINE_khop;
    if (!run->graph->symmetric && run->num_sources >= MANY_TRIALS)
        return ENGINE_slices;
    return may_win(run, estimate, ENGINE_queue) ? ENGINE_queue : ENGINE_dobfs;
}

static bool is_asked_for(const struct run *run)
{
    return (int)run->options[ENGINE] != ENGINE_auto;
}

/* Returns whether engines compete: not if the options name one or say how much it prepares, nor on a graph without
 * lists, which only dobfs builds. */
static bool is_open(const struct run *run)
{
    return graph_has_lists(run->graph) && !is_asked_for(run) && (int)run->options[PREPARED] != PREPARED_NO &&
           run->graph->num_edges > 0;
}

static bool measures(const struct run *run, const struct gpu_graph *graph, const struct estimate *estimate)
{
    int measure = (int)run->options[MEASURE];
    bool pays = run->num_sources >= MANY_TRIALS || (run->num_sources >= FEW_TRIALS && is_deep(estimate));
    return is_open(run) && has_room(run, graph) && (measure == MEASURE_YES || (measure == MEASURE_AUTO && pays));
}

/* Returns whether engines are prepared in steps: only if the options leave everything open. */
static bool goes_in_steps(const struct run *run, const struct gpu_graph *graph)
{
    return run->steps.wanted && is_open(run) && (int)run->options[PREPARED] == PREPARED_AUTO &&
           (int)run->options[MEASURE] == MEASURE_AUTO && has_room(run, graph);
}

/* Lists the candidates to measure: the engine for a single source, the model's choice, and the others that may win.
 */
static void list_rivals(const struct run *run, const struct estimate *estimate, struct autotune *tuning)
{
    struct run once = *run;
    once.num_sources = 1;
    int least = choose(&once, estimate), first = choose(run, estimate);
    add_candidate(&once, estimate, least, tuning);
    add_candidate(run, estimate, first, tuning);
    for (int engine = ENGINE_auto + 1; engine < NUM_CHOICES; engine++)
        if (engine != first && may_win(run, estimate, engine))
            add_candidate(run, estimate, engine, tuning);
    for (unsigned i = 1; i < tuning->number; i++)
        if (tuning->candidates[i].delegate.algorithm == tuning->candidates[0].delegate.algorithm)
            tuning->candidates[0].delegate.name = choices[least].name_unprepared;
}

/* Sets how many searches a candidate runs, and what losing candidates may cost. */
static void limit(const struct run *run, struct autotune *tuning)
{
    bool many = run->num_sources >= MANY_TRIALS, all = (int)run->options[MEASURE] == MEASURE_YES;
    tuning->most_searches = many || all ? 0 : (unsigned)run->num_sources / FEW_TRIALS;
    tuning->sources_to_come = many ? fmax(run->num_sources, DEFAULT_SOURCES) : run->num_sources;
    tuning->foreseen = all ? INFINITY : many ? FORESEEN_SOURCES : 0;
    tuning->budget_ms = all ? INFINITY : autotune_usual_budget_ms(run->graph);
}

/* Lists the candidates. If nothing is measured, these are the choice and then those that need less of a device, in
 * case the choice cannot be prepared; the last is dobfs prepared, which can compress the lists. If the options name
 * an engine, it is the only candidate. */
static void list_candidates(const struct run *run, const struct gpu_graph *graph, const struct estimate *estimate,
                            struct autotune *tuning)
{
    limit(run, tuning);
    tuning->measures = measures(run, graph, estimate);
    if (tuning->measures) {
        list_rivals(run, estimate, tuning);
    } else {
        const int choice = choose(run, estimate);
        struct run once = *run, prepared = *run;
        once.num_sources = 1;
        prepared.options[PREPARED] = (int)run->options[PREPARED] == PREPARED_NO ? PREPARED_NO : PREPARED_YES;
        add_candidate(run, estimate, choice, tuning);
        if (is_asked_for(run) && choice != ENGINE_dobfs)
            return;
        add_candidate(run, estimate, ENGINE_dobfs, tuning);
        add_candidate(&once, estimate, ENGINE_dobfs, tuning);
        if (graph_has_lists(run->graph) && !is_asked_for(run))
            add_candidate(&once, estimate, ENGINE_queue, tuning);
        add_candidate(&prepared, estimate, ENGINE_dobfs, tuning);
    }
}

/* Writes the reason for the choice, and the run's note. */
static void explain(struct run *run, const struct estimate *estimate, struct autotune *tuning)
{
    struct candidate *winner = autotune_winner(tuning);
    char measured[156];
    autotune_print(tuning, measured, sizeof measured);
    snprintf(winner->delegate.reason, sizeof winner->delegate.reason, "%s for about %.0f levels and %d trial%s%s%s",
             winner->delegate.name, estimate->levels, run->num_sources, run->num_sources == 1 ? "" : "s",
             measured[0] != '\0' ? ", " : "", measured);
    delegate_report(&winner->delegate, run);
}

/* ---- the algorithm ---- */

int prepare(struct run *run, struct gpu_graph *graph)
{
    struct estimate estimate;
    if (look_ahead(run, graph, &estimate) != STATUS_OK)
        return run->error->status;
    struct autotune *tuning = (struct autotune *)run->state;
    if (goes_in_steps(run, graph)) {
        list_rivals(run, &estimate, tuning);
        return autotune_begin_steps(tuning, run, graph);
    }
    list_candidates(run, graph, &estimate, tuning);
    if (autotune_run(tuning, run, graph) == STATUS_OK)
        explain(run, &estimate, tuning);
    return run->error->status;
}

/* Prepares dobfs with lists in host memory, of which the device never holds all. */
static int prepare_in_host(struct run *run)
{
    struct autotune *tuning = (struct autotune *)run->state;
    struct delegate *delegate = &tuning->candidates[0].delegate;
    struct gpu_graph sizes = gpu_graph_sizes(run->graph);
    const int engine = (int)run->options[ENGINE];
    if ((engine != ENGINE_auto && engine != ENGINE_dobfs) || (int)run->options[PREPARED] == PREPARED_NO)
        return error_set(run->error, STATUS_INPUT, "bfs auto: host-memory=lists needs engine=dobfs and prepare=1");
    tuning->device = run->device;
    tuning->number = 1;
    delegate_begin(delegate, "dobfs", &BACKEND_NAME(bfs_dobfs), dobfs::prepare);
    delegate_set(delegate, "host-memory", run->options[HOST_MEMORY]);
    snprintf(delegate->reason, sizeof delegate->reason, "dobfs, which alone searches lists in host memory");
    return autotune_settle(tuning, run, &sizes);
}

/* Uploads the graph, to look at it. If it does not fit, an engine takes its lists from the host in its own way. */
static int prepare_from_host(struct run *run)
{
    struct gpu_graph sizes = gpu_graph_sizes(run->graph);
    const size_t sample = SAMPLES * SAMPLED_RADIUS * sizeof(uint32_t);
    if ((int)run->options[HOST_MEMORY] >= HOST_LISTS && run->graph->num_edges > 0)
        return prepare_in_host(run);
    if (!graph_has_lists(run->graph) || gpu_graph_bytes(&sizes) + sample <= gpu_memory_left(run->error))
        return uploaded<prepare>(run);
    return gpu_counting() ? gpu_cannot_count(run->error) : prepare(run, &sizes);
}

static bool builds(const double *options)
{
    int engine = (int)options[ENGINE];
    return (engine == ENGINE_auto || engine == ENGINE_dobfs) && (int)options[MEASURE] != MEASURE_YES;
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
    .state_bytes = sizeof(struct autotune),
    .prepare = prepare_from_host,
    .traverse = autotune_traverse,
    .fetch = autotune_fetch,
    .release = autotune_free,
    .profiled = true,
    .builds = builds,
    .advance = autotune_advance,
};

} // namespace BACKEND::automatic_bfs
