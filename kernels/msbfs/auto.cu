/* auto.cu: `msbfs auto`, searches from many sources for users who do not want to choose a design. It follows some
 * sampled searches through the graph. From their levels and edges it predicts which of four designs is the fastest
 * for the given sources:
 *
 * - bitparallel: all searches of a batch together, level by level (bitparallel/bitparallel.cu). A level of many edges
 *   reads the graph once, whatever the number of searches. But every level takes at least a few microseconds.
 * - perblock: each search by itself, in a block (perblock/perblock.cu). A level takes a microsecond. But each search
 *   reads all edges that it meets, on one multiprocessor.
 * - single: one search after another by `bfs auto`. Each has the whole GPU, and `bfs auto` switches directions. This
 *   is best for few searches.
 * - ibfs: 1,024 searches together, each until it finds its destinations (ibfs/ibfs.cu). It gives lengths of paths
 *   only. It is best for some hundred pairs and more on graphs of few levels and up to about 3 million edges.
 *
 * So bitparallel wins if edges are many and levels few, and perblock in the opposite case: bitparallel reads each
 * edge once per heavy level, perblock once per search, both at about the same rate. A graph with a core and long
 * tails (web graphs, citations, histories) has few heavy levels. Bitparallel wins there even if the tails are long,
 * up to some thousand levels. In a mesh, the levels of any 256 searches together are heavy from the first to the
 * last. Perblock wins there from some hundred levels on.
 *
 * If the predictions of two designs are close and many sources follow, both are prepared and run one or more batches,
 * and the faster one is kept (autotune/autotune.h). */
#include "auto.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../autotune/autotune.h"
#include "../bfs/engines.h"
#include "../device/grid_barrier.cuh"
#include "../device/ids.cuh"
#include "../device/warp.cuh"
#include "model.cuh"

GPU_ALGORITHM(msbfs_bitparallel);
GPU_ALGORITHM(msbfs_perblock);
GPU_ALGORITHM(msbfs_ibfs_auto);
extern "C" const struct algorithm msbfs_adaptive;

namespace BACKEND
{

/* The prepare steps of these designs, for a graph that is on the device; run->graph is the same graph on the
 * host. The state takes over the graph. The caller frees anything left in *graph, and always calls release. */
namespace bitparallel
{
int prepare(struct run *run, struct gpu_graph *graph);
}
namespace perblock
{
int prepare(struct run *run, struct gpu_graph *graph);
}
namespace ibfs
{
int prepare(struct run *run, struct gpu_graph *graph);
}

} // namespace BACKEND

namespace BACKEND::automatic_msbfs
{

#define SAMPLE_THREADS    512u
#define SAMPLE_BLOCKS     3u /* blocks per multiprocessor */
#define HIGH_DEGREE_EDGES 2048u
#define GOLDEN_RATIO      0x9e3779b97f4a7c15u /* its multiples spread evenly (Knuth, 6.4) */
#define LEAST_GROWTH      1.0                 /* least exponent of the growth of a ball, as on a path */

/* A design is measured if its predicted time is at most this multiple of the best. The quotient of two predictions is
 * wrong by a factor of up to 2.5, unless one design is many times faster (NOTES.md). */
#define UNSURE_FACTOR 3.0
#define PAIRS_FOR_CPU 16   /* up to this number of pairs, the CPU is faster: results/nvidia-h200/call_model.csv */
#define BUDGET_MS     30.0 /* total time that may be spent on measuring designs that are not chosen */
/* Free memory that two designs need together, per vertex: levels of a batch, planes, and the blocks' queues. */
#define BYTES_OF_VERTEX 4096.0

/* ---- a sample of searches ----
 *
 * Each search is a bit of a word. `seen` has the searches that found the vertex in an earlier level, fresh[l % 2] the
 * searches that may have found it in level l. Level l takes each vertex from queue[l % 2]. The searches in fresh &
 * ~seen find it now. The level adds them to seen and offers them to the out-neighbours: searches that are not in a
 * neighbour's seen are set in its fresh[(l + 1) % 2]. A grid barrier ends the level. If the level has high-degree
 * vertices, their edges follow, and then a second barrier.
 *
 * Who writes what. fresh[(l + 1) % 2] changes only by atomic OR. The thread that finds it 0 queues the vertex, so the
 * vertex is queued once. In level l + 1, only the warp that takes the vertex reads and clears fresh and changes seen.
 * Other warps read seen meanwhile; they may miss bits of this level and offer these searches again. The next level
 * finds these searches in seen, so it does not count them again. Each level has its own entry of counts, which is
 * zero before and is read after the level's barriers. The list of high-degree vertices is written before the first of
 * the two barriers and read before the second. */

struct sampled_level {
    uint64_t found; /* vertices found, counted for every search that finds them */
    uint64_t left;  /* out-edges of these vertices, counted in the same way */
    uint32_t queued, num_high_degree;
    uint32_t alive; /* bits of the searches that found something */
};

struct high_degree_vertex {
    vertex_t vertex;
    uint32_t bits;
};

struct sample {
    uint32_t num_searches;
    vertex_t sources[SAMPLED_SEARCHES];
    uint32_t *seen, *fresh[2];              /* num_vertices */
    vertex_t *queue[2];                     /* num_vertices */
    struct high_degree_vertex *high_degree; /* num_edges / HIGH_DEGREE_EDGES + 1 */
    struct sampled_level *levels;           /* SAMPLED_LEVELS + 1 */
    struct grid_barrier *barrier;
};

struct sample_shared {
    uint32_t broadcast;
};

/* In a level, offers the searches in `bits` to the lane's vertex. All lanes of the warp must call it. */
DEVICE void offer(const struct sample &sample, uint32_t level, bool has, vertex_t vertex, uint32_t bits)
{
    uint32_t unseen = bits & ~load_relaxed_if(has, &sample.seen[vertex]); /* 0 if the lane has no vertex */
    bool is_first = or_if(unseen != 0, &sample.fresh[level % 2][vertex], unseen) == 0;
    warp_append(&sample.levels[level].queued, {unseen != 0 && is_first},
                [&](unsigned, uint32_t place) { __stcg(&sample.queue[level % 2][place], vertex); });
}

/* Processes the queue, one warp per vertex: counts the searches that found the vertex in this level, and offers them
 * along its edges. */
template <typename offset_t>
DEVICE void take_queue(const csr<offset_t> &graph, const struct sample &sample, uint32_t level, uint32_t size)
{
    struct sampled_level *counts = &sample.levels[level];
    struct team team = spread_warps();
    uint64_t found = 0, left = 0;
    uint32_t alive = 0;
    for (uint64_t i = team.rank; i < size; i += team.size) {
        vertex_t vertex = __ldcg(&sample.queue[level % 2][i]);
        uint64_t edge = graph.offsets[vertex], end = graph.offsets[(size_t)vertex + 1];
        uint32_t bits = 0;
        if (lane_id() == 0) {
            uint32_t seen = __ldcg(&sample.seen[vertex]);
            bits = __ldcg(&sample.fresh[level % 2][vertex]) & ~seen;
            __stcg(&sample.fresh[level % 2][vertex], 0u);
            __stcg(&sample.seen[vertex], seen | bits);
        }
        bits = __shfl_sync(WHOLE_WARP, bits, 0);
        found += (uint32_t)__popc(bits);
        left += (uint32_t)__popc(bits) * (end - edge);
        alive |= bits;
        if (bits != 0 && end - edge > HIGH_DEGREE_EDGES) {
            if (lane_id() == 0)
                sample.high_degree[atomicAdd(&counts->num_high_degree, 1u)] = {vertex, bits};
        } else if (bits != 0) {
            for (; edge < end; edge += WARP_SIZE) {
                bool has = edge + lane_id() < end;
                offer(sample, level + 1, has, has ? graph.targets[edge + lane_id()] : 0, bits);
            }
        }
    }
    if (lane_id() == 0 && found > 0) {
        atomicAdd(&counts->found, found);
        atomicAdd(&counts->left, left);
        atomicOr(&counts->alive, alive);
    }
}

/* Processes the edges of high-degree vertices, with one or more blocks per vertex. */
template <typename offset_t>
DEVICE void take_high_degree(const csr<offset_t> &graph, const struct sample &sample, uint32_t level,
                             uint32_t num_high_degree)
{
    uint32_t share = max(gridDim.x / num_high_degree, 1u), teams = gridDim.x / share;
    uint64_t first = (uint64_t)(blockIdx.x % share) * blockDim.x + threadIdx.x - lane_id();
    for (uint32_t i = blockIdx.x / share; i < num_high_degree && blockIdx.x < teams * share; i += teams) {
        vertex_t vertex = __ldcg(&sample.high_degree[i].vertex);
        uint32_t bits = __ldcg(&sample.high_degree[i].bits);
        uint64_t end = graph.offsets[(size_t)vertex + 1];
        for (uint64_t edge = graph.offsets[vertex] + first; edge < end; edge += (uint64_t)share * blockDim.x) {
            bool has = edge + lane_id() < end;
            offer(sample, level + 1, has, has ? graph.targets[edge + lane_id()] : 0, bits);
        }
    }
}

template <typename offset_t>
__global__ void __launch_bounds__(SAMPLE_THREADS, SAMPLE_BLOCKS)
    sample_searches(csr<offset_t> graph, struct sample sample)
{
    struct sample_shared *shared = block_shared<struct sample_shared>();
    if (blockIdx.x == 0 && threadIdx.x < WARP_SIZE) {
        bool has = threadIdx.x < sample.num_searches;
        offer(sample, 0, has, has ? sample.sources[threadIdx.x] : 0, 1u << threadIdx.x);
    }
    uint32_t size = grid_wait(sample.barrier, &sample.levels[0].queued, &shared->broadcast);
    for (uint32_t level = 0; size > 0 && size != UINT32_MAX && level < SAMPLED_LEVELS; level++) {
        const uint32_t *queued = &sample.levels[level + 1].queued;
        take_queue(graph, sample, level, size);
        uint32_t num_high_degree =
            grid_wait(sample.barrier, &sample.levels[level].num_high_degree, &shared->broadcast);
        if (num_high_degree == UINT32_MAX)
            return;
        if (num_high_degree > 0) {
            take_high_degree(graph, sample, level, num_high_degree);
            size = grid_wait(sample.barrier, queued, &shared->broadcast);
        } else {
            size = __ldcg(queued);
        }
    }
}

/* ---- host side: the sample ---- */

/* Chooses vertices that have out-neighbours, if there are any, since the GAP picker takes only such sources. */
static void choose_sources(const struct graph *graph, struct sample *sample)
{
    vertex_t n = graph->num_vertices;
    sample->num_searches = n < SAMPLED_SEARCHES ? n : SAMPLED_SEARCHES;
    for (uint32_t i = 0; i < sample->num_searches; i++) {
        vertex_t vertex = (vertex_t)(((i * GOLDEN_RATIO) >> 32) * n >> 32);
        for (vertex_t looked = 0; graph_degree(graph, vertex) == 0 && looked < n; looked++)
            vertex = vertex + 1 < n ? vertex + 1 : 0;
        sample->sources[i] = vertex;
    }
}

static void allocate_sample(const struct gpu_graph *graph, struct gpu_arena *memory, struct sample *sample,
                            struct error *error)
{
    const char *what = "a sample of searches";
    size_t n = graph->num_vertices, levels = SAMPLED_LEVELS + 1;
    sample->levels = gpu_take_zeroed<struct sampled_level>(memory, levels, what, error);
    sample->barrier = gpu_take_zeroed<struct grid_barrier>(memory, 1, what, error);
    sample->high_degree =
        gpu_take<struct high_degree_vertex>(memory, graph->num_edges / HIGH_DEGREE_EDGES + 1, what, error);
    sample->seen = gpu_take_zeroed<uint32_t>(memory, n, what, error);
    for (unsigned i = 0; i < 2; i++) {
        sample->queue[i] = gpu_take<vertex_t>(memory, n, what, error);
        sample->fresh[i] = gpu_take_zeroed<uint32_t>(memory, n, what, error);
    }
}

/* Runs the sampled searches. */
template <typename offset_t>
static void follow(const csr<offset_t> &graph, const struct sample &sample, struct error *error)
{
    struct grid grid;
    gpu_plan_grid((const void *)sample_searches<offset_t>, SAMPLE_THREADS, SAMPLE_BLOCKS,
                  sizeof(struct sample_shared), &grid, error);
    gpu_launch_persistent(sample_searches<offset_t>, grid, sizeof(struct sample_shared), error, graph, sample);
    gpu_check_barrier(sample.barrier, "a sample of searches", error);
}

void searches_expect(struct estimate_of_searches *estimate, double alive)
{
    double reached = 0, half = 0, n = estimate->vertices, levels = estimate->num_levels;
    for (uint32_t l = 0; l < estimate->num_levels; l++) {
        reached += estimate->found[l];
        half += 2 * l < estimate->num_levels ? estimate->found[l] : 0;
    }
    if (alive == 0 || reached >= n)
        return;
    /* Assumes that balls grow as r^p until they are the whole graph. */
    double p = fmax(log2(reached / half), LEAST_GROWTH);
    double beyond = fmax(levels * (pow(n / reached, 1 / p) - 1), 1);
    estimate->levels_beyond = beyond;
    estimate->mean_levels += alive * beyond;
    estimate->found_beyond = alive * (n - reached) / beyond;
    estimate->left_beyond = estimate->found_beyond * estimate->edges / n;
}

/* Turns the counts of levels into means. */
static void sum_up(const struct sampled_level levels[SAMPLED_LEVELS + 1], struct estimate_of_searches *estimate)
{
    double searches = estimate->num_searches;
    for (uint32_t l = 0; l < SAMPLED_LEVELS && levels[l].found > 0; l++) {
        estimate->num_levels = l + 1;
        estimate->found[l] = (double)levels[l].found / searches;
        estimate->left[l] = (double)levels[l].left / searches;
        estimate->alive[l] = __builtin_popcount(levels[l].alive) / searches;
        estimate->mean_levels += estimate->alive[l];
    }
    if (levels[SAMPLED_LEVELS].queued > 0)
        searches_expect(estimate, estimate->alive[SAMPLED_LEVELS - 1]);
}

int searches_sample(const struct graph *host, const struct gpu_graph *graph, struct estimate_of_searches *estimate,
                    struct error *error)
{
    struct gpu_arena memory = {};
    struct sample sample = {};
    struct sampled_level levels[SAMPLED_LEVELS + 1];
    choose_sources(host, &sample);
    *estimate = {(double)graph->num_vertices, (double)graph->num_edges, sample.num_searches};
    memcpy(estimate->sources, sample.sources, sizeof estimate->sources);
    allocate_sample(graph, &memory, &sample, error);
    with_offsets(graph, [&]<typename offset_t>(csr<offset_t> edges) { follow(edges, sample, error); });
    gpu_download(levels, sample.levels, SAMPLED_LEVELS + 1, error);
    sum_up(levels, estimate);
    gpu_arena_free(&memory);
    return error->status;
}

/* ---- choosing ---- */

enum { ENGINE, BATCH, MEASURE };
enum { ENGINE_AUTO, ENGINE_FIRST }; /* engine of a design: ENGINE_FIRST + design */
static const struct option_spec msbfs_auto_options[] = {
    CHOICE_OPTION("engine", ENGINE_AUTO, "auto|bitparallel|perblock|single|ibfs",
                  "how searches run; auto: chosen by a sample of them, the number of sources, and measurement; "
                  "single: one after another, levels only; ibfs: lengths of paths only"),
    NUMBER_OPTION("batch", 0, 0, 4096, "most sources of a batch; 0: as many as the engine chooses"),
    CHOICE_OPTION("measure", MEASURE_AUTO, "auto|0|1",
                  "run batches with several engines while preparing; auto: if the model is unsure, within a budget; "
                  "1: with all"),
    {},
};
static const char *const design_names[NUM_DESIGNS] = {"bitparallel", "perblock", "single", "ibfs"};

static struct use_of_searches use_of(const struct run *run, struct error *error)
{
    struct grid grid = {};
    size_t shared_bytes = 0;
    gpu_plan_grid((const void *)sample_searches<uint32_t>, SAMPLE_THREADS, 1, sizeof(struct sample_shared), &grid,
                  error);
    gpu_shared_limit(&shared_bytes, error);
    return {run->num_trials > 1 ? (double)run->num_trials : 1, run->outputs, (double)grid.blocks,
            (double)shared_bytes};
}

/* Returns the value of bitparallel's option `batch` (auto, 32, 64, ...): the least width that holds the batch. */
static double batch_of_bitparallel(double batch)
{
    double value = batch > 0;
    for (double room = WARP_SIZE; batch > 0 && room < batch && room < MOST_TOGETHER; room *= 2)
        value++;
    return value;
}

static void set_up_design(const struct run *run, enum msbfs_design design, struct delegate *delegate)
{
    double batch = run->options[BATCH];
    switch (design) {
    case DESIGN_BITPARALLEL:
        delegate_begin(delegate, design_names[design], &BACKEND_NAME(msbfs_bitparallel), bitparallel::prepare);
        delegate_set(delegate, "batch", batch_of_bitparallel(batch));
        break;
    case DESIGN_PERBLOCK:
        delegate_begin(delegate, design_names[design], &BACKEND_NAME(msbfs_perblock), perblock::prepare);
        delegate_set(delegate, "batch", batch);
        break;
    case DESIGN_IBFS:
        delegate_begin(delegate, design_names[design], &BACKEND_NAME(msbfs_ibfs_auto), ibfs::prepare);
        break;
    default:
        delegate_begin(delegate, design_names[design], &BACKEND_NAME(bfs_auto), automatic_bfs::prepare);
    }
}

static void add_candidate(const struct run *run, const struct estimate_of_searches *estimate,
                          const struct use_of_searches *use, enum msbfs_design design, struct autotune *tuning)
{
    struct candidate *candidate = &tuning->candidates[tuning->number++];
    set_up_design(run, design, &candidate->delegate);
    candidate->build_ms = build_ms(design, estimate);
    candidate->search_ms = searches_ms(design, estimate, use) * tuning->num_sources / use->num_sources;
}

/* Returns whether to measure designs, which needs memory for two at the same time. For path lengths measuring does
 * not pay off, since the time of the whole call counts. */
static bool measures(const struct run *run, const struct estimate_of_searches *estimate)
{
    int measure = (int)run->options[MEASURE];
    return estimate->edges > 0 && estimate->vertices * BYTES_OF_VERTEX <= (double)gpu_memory_left(run->error) &&
           (measure == MEASURE_YES ||
            (measure == MEASURE_AUTO && run->num_trials >= MANY_SOURCES && !(run->outputs & OUTPUT_LENGTH)));
}

/* Lists the candidates, first the design that the model prefers. If designs are measured, the others are those that
 * may be faster if the model is wrong; otherwise all others, in case the first cannot be prepared. */
static void list_candidates(const struct run *run, const struct estimate_of_searches *estimate,
                            const struct use_of_searches *use, struct autotune *tuning)
{
    enum msbfs_design first = msbfs_fastest(estimate, use);
    double batch = run->options[BATCH], together = fmin(use->num_sources, MOST_TOGETHER);
    bool all = (int)run->options[MEASURE] == MEASURE_YES;
    tuning->num_sources = (uint32_t)(batch > 0 ? fmin(batch, together) : together);
    double most_ms = all ? DBL_MAX : UNSURE_FACTOR * searches_ms(first, estimate, use);
    unsigned may_win = 0;
    for (unsigned i = 0; i < NUM_DESIGNS; i++)
        may_win += searches_ms((enum msbfs_design)i, estimate, use) <= most_ms;
    tuning->budget_ms = all ? INFINITY : BUDGET_MS;
    tuning->measures = may_win > 1 && measures(run, estimate);
    add_candidate(run, estimate, use, first, tuning);
    for (unsigned i = 0; i < NUM_DESIGNS; i++)
        if (i != (unsigned)first &&
            searches_ms((enum msbfs_design)i, estimate, use) <= (tuning->measures ? most_ms : DBL_MAX))
            add_candidate(run, estimate, use, (enum msbfs_design)i, tuning);
}

/* Writes the reason for the choice, and the run's note: what the engine that the options name lacks, properties of
 * the sample, the least predicted times, and what was measured. */
static void explain(struct run *run, const struct estimate_of_searches *estimate, const struct use_of_searches *use,
                    struct autotune *tuning)
{
    struct candidate *winner = autotune_winner(tuning);
    unsigned first = msbfs_fastest(estimate, use), second = first == 0 ? 1 : 0;
    double ms[NUM_DESIGNS];
    unsigned asked = (unsigned)run->options[ENGINE];
    char measured[128], lacking[64] = "";
    if (asked != ENGINE_AUTO)
        snprintf(lacking, sizeof lacking, " (%s gives only %s)", design_names[asked - ENGINE_FIRST],
                 asked - ENGINE_FIRST == DESIGN_IBFS ? "lengths of paths" : "levels");
    for (unsigned i = 0; i < NUM_DESIGNS; i++)
        ms[i] = msbfs_predicted_ms((enum msbfs_design)i, estimate, use);
    for (unsigned i = 0; i < NUM_DESIGNS; i++)
        second = i != first && ms[i] < ms[second] ? i : second;
    char *reason = winner->delegate.reason;
    size_t size = sizeof winner->delegate.reason;
    int length = snprintf(
        reason, size,
        "%s%s for %.0f levels of %u sampled searches and %.1f edges per vertex, predicted %s %.3g ms, %s %.3g",
        winner->delegate.name, lacking, estimate->num_levels + estimate->levels_beyond, estimate->num_searches,
        estimate->edges / estimate->vertices, design_names[first], ms[first], design_names[second], ms[second]);
    autotune_print(tuning, measured, sizeof measured);
    if (measured[0] != '\0')
        snprintf(reason + length, size - (size_t)length, "; %s%s",
                 winner->outcome == OUTCOME_MEASURED ? "measured " : "", measured);
    delegate_report(&winner->delegate, run);
}

/* Prepares the design that the options name if it gives the outputs, or the fastest one. */
static int choose(struct run *run, struct gpu_graph *graph, struct autotune *tuning)
{
    struct estimate_of_searches estimate;
    unsigned asked = (unsigned)run->options[ENGINE];
    if (asked != ENGINE_AUTO && msbfs_gives((enum msbfs_design)(asked - ENGINE_FIRST), run->outputs)) {
        struct delegate *delegate = &tuning->candidates[tuning->number++].delegate;
        set_up_design(run, (enum msbfs_design)(asked - ENGINE_FIRST), delegate);
        snprintf(delegate->reason, sizeof delegate->reason, "%s as asked for", design_names[asked - ENGINE_FIRST]);
        return autotune_run(tuning, run, graph);
    }
    struct use_of_searches use = use_of(run, run->error);
    gpu_time_build(run, [&] { searches_sample(run->graph, graph, &estimate, run->error); });
    if (run->error->status != STATUS_OK)
        return run->error->status;
    list_candidates(run, &estimate, &use, tuning);
    if (autotune_run(tuning, run, graph) == STATUS_OK)
        explain(run, &estimate, &use, tuning);
    return run->error->status;
}

/* ---- the algorithm ---- */

/* Returns the CPU algorithm if pairs are few, since copying the graph to the GPU would take longer; else NULL. */
static const struct algorithm *hands_over(const double *options, uint64_t num_pairs)
{
    return (int)options[ENGINE] == ENGINE_AUTO && num_pairs <= PAIRS_FOR_CPU ? &msbfs_adaptive : NULL;
}

static int prepare(struct run *run, struct gpu_graph *graph)
{
    uint32_t most = (uint32_t)run->options[BATCH];
    if (allocate_zeroed(&run->state, 1, sizeof(struct autotune), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    choose(run, graph, (struct autotune *)run->state);
    run->batch_size = most > 0 && run->batch_size > most ? most : run->batch_size;
    return run->error->status;
}

GPU_ALGORITHM(msbfs_auto) = {
    .family = "msbfs",
    .variant = "auto",
    .title = "gtrav, bitparallel, perblock, ibfs or single searches, by model and measurement",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FARNESS | OUTPUT_LENGTH,
    .options = msbfs_auto_options,
    .prepare = uploaded<prepare>,
    .traverse = autotune_traverse,
    .fetch = autotune_fetch,
    .release = autotune_free,
    .hands_over = hands_over,
};

} // namespace BACKEND::automatic_msbfs
