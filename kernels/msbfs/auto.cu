/* auto.cu: `msbfs auto`, searches from many sources for users who do not want to choose a design. It follows some
 * searches through the graph. From their levels and arcs it predicts which of three designs is the fastest for the
 * sources to come:
 *
 * - rows: all searches of a batch together, level by level (rows/rows.cu). A level of many arcs reads the graph
 *   once, whatever the number of searches. But every level takes at least a few microseconds.
 * - block: each search by itself, in a block (block/block.cu). A level takes a microsecond. But each search
 *   reads all arcs that it meets, on one multiprocessor.
 * - single: one search after another by `bfs auto`. Each has the whole GPU, and `bfs auto` switches directions.
 *   This suits few searches.
 *
 * So rows wins if arcs are many and levels few, and block in the opposite case: rows reads each arc once per
 * heavy level, block once per search, both at about the same rate. A graph with a core and long tails (web
 * graphs, citations, histories) has few heavy levels. Rows wins there even if the tails are long, up to some
 * thousand levels. In a mesh, the levels of any 256 searches together are heavy from the first to the last.
 * Block wins there from some hundred levels on. */
#include "auto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bfs/auto.h"
#include "../common/plan.h"
#include "../device/grid_barrier.cuh"
#include "../device/ids.cuh"
#include "../device/warp.cuh"
#include "block/block.h"
#include "rows/rows.h"

GPU_ALGORITHM(msbfs_rows);
GPU_ALGORITHM(msbfs_block);

namespace BACKEND::automatic_msbfs
{

#define SAMPLE_THREADS    512u
#define SAMPLE_BLOCKS     3u /* on a multiprocessor */
#define HUB_ARCS          2048u
#define GOLDEN_RATIO      0x9e3779b97f4a7c15u /* its multiples spread evenly (Knuth, 6.4) */
#define LEAST_GROWTH      1.0                 /* exponent of the growth of a ball: that of a path */
#define MANY_SOURCES      16                  /* from here on preparing does not count, as in bfs auto */
#define MOST_TOGETHER     256.0               /* sources in a batch of rows */
#define MOST_BLOCKS_OF_SM 4.0
#define BLOCK_QUEUES      (64.0 * 1024) /* bytes of a block's queues */
#define LEAST_QUEUES      (10.0 * 1024)

/* Milliseconds on an H200. Of rows: a batch; a level; an arc of a pushed level; a word of a row, an arc, and a word
 * read for the arc, of a pulled level; a level written. A level is pushed if it has at most ROWS_PUSH_ARCS arcs for
 * all searches together, and no more than the graph. */
#define ROWS_BATCH_MS  0.06
#define ROWS_LEVEL_MS  8e-3
#define ROWS_PUSH_ARCS 1e6
#define ROWS_PUSH_MS   2.5e-8
#define ROWS_WORD_MS   3e-9
#define ROWS_ARC_MS    3.5e-9
#define ROWS_GATHER_MS 0.5e-9
#define ROWS_WRITE_MS  4.5e-10
/* Of block: the launch of a batch; a level; the factor with bitmaps in global memory; an arc; a level written or
 * added to far values. */
#define BLOCK_BATCH_MS 0.02
#define BLOCK_LEVEL_MS 1e-3
#define BLOCK_GLOBAL   1.7
#define BLOCK_ARC_MS   0.55e-6
#define BLOCK_WRITE_MS 2e-9
/* Of a single search: the launch; a level; an arc. */
#define SINGLE_SEARCH_MS 0.05
#define SINGLE_LEVEL_MS  3.5e-3
#define SINGLE_ARC_MS    1e-9
/* Of preparing: rows, per graph and per arc; block, per graph and per vertex; bfs auto, its sample. */
#define ROWS_BUILD_MS         1.0
#define ROWS_BUILD_ARC_MS     6e-8
#define BLOCK_BUILD_MS        0.3
#define BLOCK_BUILD_VERTEX_MS 2e-6
#define SINGLE_BUILD_MS       1.0

/* ---- a sample of searches ----
 *
 * Each search is a bit of a word. seen has the searches that found the vertex on an earlier level. fresh[l % 2]
 * has those that may have found it on level l. Level l takes each vertex from queue[l % 2]. The searches in
 * fresh & ~seen find it now. The level adds them to seen and offers them to the out-neighbours: those that are
 * not in a neighbour's seen are set in its fresh[(l + 1) % 2]. A grid barrier ends the level. If the level has
 * hubs, their arcs follow, and a second barrier ends these.
 *
 * Who writes what. fresh[(l + 1) % 2] changes only by atomic OR. The thread that finds it 0 queues the
 * vertex, so the vertex is queued once. In level l + 1, the warp that takes the vertex reads fresh, clears
 * it and changes seen; no other warp does. Other warps read seen meanwhile, may miss bits of this level, and
 * then offer these searches again. The searches are in seen before the next level takes the vertex, so it
 * does not count them again. The counts of a level are an entry of their own in the array of levels, which
 * is zero before and is read after the barriers of the level. The list of hubs is written before the first
 * of the two barriers and read before the second. */

struct sampled_level {
    uint64_t found, left; /* vertices, counted for every search that finds them; arcs out of them, counted likewise */
    uint32_t queued, num_hubs;
    uint32_t alive; /* bits of the searches that find something */
};

struct hub {
    vertex_t vertex;
    uint32_t bits;
};

struct sample {
    uint32_t num_searches;
    vertex_t sources[SAMPLED_SEARCHES];
    uint32_t *seen, *fresh[2];    /* num_vertices */
    vertex_t *queue[2];           /* num_vertices */
    struct hub *hubs;             /* num_edges / HUB_ARCS + 1 */
    struct sampled_level *levels; /* SAMPLED_LEVELS + 1 */
    struct grid_barrier *barrier;
};

struct sample_shared {
    uint32_t broadcast;
};

/* Offers searches to a lane's vertex for a level. All lanes of the warp must call. */
static __device__ __forceinline__ void offer(const struct sample &sample, uint32_t level, bool has, vertex_t vertex,
                                             uint32_t bits)
{
    uint32_t unseen = bits & ~look_if(has, &sample.seen[vertex]); /* 0 if there is no vertex */
    bool is_first = or_if(unseen != 0, &sample.fresh[level % 2][vertex], unseen) == 0;
    warp_append(&sample.levels[level].queued, {unseen != 0 && is_first},
                [&](unsigned, uint32_t place) { __stcg(&sample.queue[level % 2][place], vertex); });
}

/* Takes the queue, a warp per vertex: counts the searches that find the vertex now, and offers them along its arcs.
 */
template <typename offset_t>
static __device__ __forceinline__ void take_queue(const csr<offset_t> &graph, const struct sample &sample,
                                                  uint32_t level, uint32_t size)
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
        if (bits != 0 && end - edge > HUB_ARCS) {
            if (lane_id() == 0)
                sample.hubs[atomicAdd(&counts->num_hubs, 1u)] = {vertex, bits};
        } else if (bits != 0) {
            for (; edge < end; edge += WARP_SIZE) {
                bool has = edge + lane_id() < end;
                offer(sample, level + 1, has, has ? graph.targets[edge + lane_id()] : 0, bits);
            }
        }
    }
    if (lane_id() == 0 && found > 0) {
        atomicAdd((unsigned long long *)&counts->found, (unsigned long long)found);
        atomicAdd((unsigned long long *)&counts->left, (unsigned long long)left);
        atomicOr(&counts->alive, alive);
    }
}

/* Takes the arcs of hubs, with one block or several per hub. */
template <typename offset_t>
static __device__ __forceinline__ void take_hubs(const csr<offset_t> &graph, const struct sample &sample,
                                                 uint32_t level, uint32_t num_hubs)
{
    uint32_t share = max(gridDim.x / num_hubs, 1u), teams = gridDim.x / share;
    uint64_t first = (uint64_t)(blockIdx.x % share) * blockDim.x + threadIdx.x - lane_id();
    for (uint32_t i = blockIdx.x / share; i < num_hubs && blockIdx.x < teams * share; i += teams) {
        vertex_t vertex = __ldcg(&sample.hubs[i].vertex);
        uint32_t bits = __ldcg(&sample.hubs[i].bits);
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
        uint32_t num_hubs = grid_wait(sample.barrier, &sample.levels[level].num_hubs, &shared->broadcast);
        if (num_hubs == UINT32_MAX)
            return;
        if (num_hubs > 0) {
            take_hubs(graph, sample, level, num_hubs);
            size = grid_wait(sample.barrier, queued, &shared->broadcast);
        } else {
            size = __ldcg(queued);
        }
    }
}

/* ---- host side: the sample ---- */

/* Chooses vertices that have out-neighbours, if there are any: the GAP picker takes no others as sources. */
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
    sample->levels = gpu_take<struct sampled_level>(memory, levels, what, error);
    sample->barrier = gpu_take<struct grid_barrier>(memory, 1, what, error);
    sample->hubs = gpu_take<struct hub>(memory, graph->num_edges / HUB_ARCS + 1, what, error);
    sample->seen = gpu_take<uint32_t>(memory, n, what, error);
    gpu_clear(sample->levels, levels, error);
    gpu_clear(sample->barrier, 1, error);
    gpu_clear(sample->seen, n, error);
    for (unsigned i = 0; i < 2; i++) {
        sample->queue[i] = gpu_take<vertex_t>(memory, n, what, error);
        sample->fresh[i] = gpu_take<uint32_t>(memory, n, what, error);
        gpu_clear(sample->fresh[i], n, error);
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

void searches_expect(struct outlook_of_searches *outlook, double alive)
{
    double reached = 0, half = 0, n = outlook->vertices, levels = outlook->num_levels;
    for (uint32_t l = 0; l < outlook->num_levels; l++) {
        reached += outlook->found[l];
        half += 2 * l < outlook->num_levels ? outlook->found[l] : 0;
    }
    if (alive == 0 || reached >= n)
        return;
    /* Assume that balls grow as r^p until they are the whole graph. */
    double p = fmax(log2(reached / half), LEAST_GROWTH);
    double beyond = fmax(levels * (pow(n / reached, 1 / p) - 1), 1);
    outlook->levels_beyond = beyond;
    outlook->mean_levels += alive * beyond;
    outlook->found_beyond = alive * (n - reached) / beyond;
    outlook->left_beyond = outlook->found_beyond * outlook->arcs / n;
}

/* Turns the counts of levels into means. */
static void sum_up(const struct sampled_level levels[SAMPLED_LEVELS + 1], struct outlook_of_searches *outlook)
{
    double searches = outlook->num_searches;
    for (uint32_t l = 0; l < SAMPLED_LEVELS && levels[l].found > 0; l++) {
        outlook->num_levels = l + 1;
        outlook->found[l] = (double)levels[l].found / searches;
        outlook->left[l] = (double)levels[l].left / searches;
        outlook->mean_levels += __builtin_popcount(levels[l].alive) / searches;
    }
    if (levels[SAMPLED_LEVELS].queued > 0)
        searches_expect(outlook, __builtin_popcount(levels[SAMPLED_LEVELS - 1].alive) / searches);
}

int searches_sample(const struct graph *host, const struct gpu_graph *graph, struct outlook_of_searches *outlook,
                    struct error *error)
{
    struct gpu_arena memory = {};
    struct sample sample = {};
    struct sampled_level levels[SAMPLED_LEVELS + 1];
    choose_sources(host, &sample);
    *outlook = {(double)graph->num_vertices, (double)graph->num_edges, sample.num_searches};
    memcpy(outlook->sources, sample.sources, sizeof outlook->sources);
    allocate_sample(graph, &memory, &sample, error);
    with_offsets(graph, [&]<typename offset_t>(csr<offset_t> edges) { follow(edges, sample, error); });
    gpu_download(levels, sample.levels, SAMPLED_LEVELS + 1, error);
    sum_up(levels, outlook);
    gpu_arena_free(&memory);
    return error->status;
}

/* ---- choosing ---- */

/* The sum over all levels. */
static double reached_by(const struct outlook_of_searches *outlook, const double of_level[], double beyond)
{
    double sum = outlook->levels_beyond * beyond;
    for (uint32_t l = 0; l < outlook->num_levels; l++)
        sum += of_level[l];
    return sum;
}

/* The time of a level with rows of `words` words. left: the arcs out of the level, over all searches.
 * incomplete: share of the rows that some search has yet to find. */
static double rows_level_ms(const struct outlook_of_searches *outlook, double words, double left, double incomplete)
{
    if (left <= fmin(ROWS_PUSH_ARCS, outlook->arcs))
        return ROWS_LEVEL_MS + left * ROWS_PUSH_MS;
    return ROWS_LEVEL_MS + outlook->vertices * words * ROWS_WORD_MS +
           outlook->arcs * incomplete * (ROWS_ARC_MS + words * ROWS_GATHER_MS);
}

static double rows_ms(const struct outlook_of_searches *outlook, const struct use_of_searches *use)
{
    double batches = ceil(use->num_sources / MOST_TOGETHER), searches = use->num_sources / batches, words = 1;
    double ms = ROWS_BATCH_MS, before = 0, all = reached_by(outlook, outlook->found, outlook->found_beyond);
    while (words * WARP_SIZE < searches)
        words *= 2;
    for (uint32_t l = 0; l < outlook->num_levels; l++) {
        before += outlook->found[l];
        double incomplete = 1 - pow(fmin(before / all, 1), searches);
        ms += rows_level_ms(outlook, words, searches * outlook->left[l], incomplete);
    }
    ms += outlook->levels_beyond * rows_level_ms(outlook, words, searches * outlook->left_beyond, 1);
    if (use->outputs & (OUTPUT_LEVEL | OUTPUT_LENGTH))
        ms += outlook->vertices * words * WARP_SIZE * ROWS_WRITE_MS;
    return batches * ms;
}

/* Blocks on the same multiprocessor run their levels side by side but share its throughput of arcs. */
static double block_ms(const struct outlook_of_searches *outlook, const struct use_of_searches *use)
{
    double rounds = ceil(use->num_sources / use->multiprocessors), bitmap = outlook->vertices / 8;
    bool in_shared = bitmap + LEAST_QUEUES <= use->shared_bytes;
    double blocks = in_shared ? fmax(floor(use->shared_bytes / (bitmap + BLOCK_QUEUES)), 1) : 2;
    double together = fmin(fmin(blocks, MOST_BLOCKS_OF_SM), rounds);
    double arcs = reached_by(outlook, outlook->left, outlook->left_beyond);
    double found = reached_by(outlook, outlook->found, outlook->found_beyond);
    double written = use->outputs & OUTPUT_LEVEL ? outlook->vertices : use->outputs & OUTPUT_FAR ? found : 0;
    return BLOCK_BATCH_MS +
           (ceil(rounds / together) * outlook->mean_levels * BLOCK_LEVEL_MS + rounds * arcs * BLOCK_ARC_MS) *
               (in_shared ? 1 : BLOCK_GLOBAL) +
           use->num_sources * written * BLOCK_WRITE_MS;
}

static double single_ms(const struct outlook_of_searches *outlook, const struct use_of_searches *use)
{
    if (use->outputs != OUTPUT_LEVEL)
        return HUGE_VAL;
    return use->num_sources * (SINGLE_SEARCH_MS + outlook->mean_levels * SINGLE_LEVEL_MS +
                               reached_by(outlook, outlook->left, outlook->left_beyond) * SINGLE_ARC_MS);
}

double msbfs_predicted_ms(enum msbfs_design design, const struct outlook_of_searches *outlook,
                          const struct use_of_searches *use)
{
    bool counts = use->num_sources < MANY_SOURCES; /* whether preparing counts */
    switch (design) {
    case DESIGN_ROWS:
        return rows_ms(outlook, use) + (counts ? ROWS_BUILD_MS + outlook->arcs * ROWS_BUILD_ARC_MS : 0);
    case DESIGN_BLOCK:
        return block_ms(outlook, use) + (counts ? BLOCK_BUILD_MS + outlook->vertices * BLOCK_BUILD_VERTEX_MS : 0);
    default:
        return single_ms(outlook, use) + (counts ? SINGLE_BUILD_MS : 0);
    }
}

enum msbfs_design msbfs_fastest(const struct outlook_of_searches *outlook, const struct use_of_searches *use)
{
    unsigned best = 0;
    for (unsigned i = 1; i < NUM_DESIGNS; i++)
        if (msbfs_predicted_ms((enum msbfs_design)i, outlook, use) <
            msbfs_predicted_ms((enum msbfs_design)best, outlook, use))
            best = i;
    return (enum msbfs_design)best;
}

/* ---- carrying out the choice ---- */

enum { ENGINE, BATCH };
enum { ENGINE_AUTO, ENGINE_FIRST }; /* ENGINE_FIRST + a design */
static const struct option_spec msbfs_auto_options[] = {
    {"engine", ENGINE_AUTO, 0, 0, "auto|rows|block|single",
     "how searches run; auto: chosen by a sample of them and the number of sources; single: one by one, levels "
     "only"},
    {"batch", 0, 0, 4096, NULL, "most sources of a batch; 0: as many as the engine chooses"},
    {},
};
static const char *const design_names[NUM_DESIGNS] = {"rows", "block", "single"};

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

/* Writes the reason in one line: the measures of the sample and the predicted times. */
static void explain(const struct outlook_of_searches *outlook, const struct use_of_searches *use,
                    enum msbfs_design design, struct plan *plan)
{
    double others = HUGE_VAL;
    unsigned second = design;
    for (unsigned i = 0; i < NUM_DESIGNS; i++) {
        double ms = msbfs_predicted_ms((enum msbfs_design)i, outlook, use);
        if (i != (unsigned)design && ms < others) {
            others = ms;
            second = i;
        }
    }
    snprintf(plan->reason, sizeof plan->reason,
             "%s for %.0f levels of %u sampled searches and %.1f arcs a vertex, %.3g ms predicted (%s %.3g)",
             design_names[design], outlook->num_levels + outlook->levels_beyond, outlook->num_searches,
             outlook->arcs / outlook->vertices, msbfs_predicted_ms(design, outlook, use), design_names[second],
             others);
}

/* The value of rows' option `batch` (auto, 32, 64, ...): the least width with room for the batch. */
static double batch_of_rows(double batch)
{
    double value = batch > 0;
    for (double room = WARP_SIZE; batch > 0 && room < batch && room < MOST_TOGETHER; room *= 2)
        value++;
    return value;
}

static void plan_design(const struct run *run, enum msbfs_design design, struct plan *plan)
{
    double batch = run->options[BATCH];
    switch (design) {
    case DESIGN_ROWS:
        plan_begin(plan, &BACKEND_NAME(msbfs_rows), rows::prepare);
        plan_set(plan, "batch", batch_of_rows(batch));
        break;
    case DESIGN_BLOCK:
        plan_begin(plan, &BACKEND_NAME(msbfs_block), block::prepare);
        plan_set(plan, "batch", batch);
        break;
    default:
        plan_begin(plan, &BACKEND_NAME(bfs_auto), automatic_bfs::bfs_auto_prepare);
    }
}

static int choose(struct run *run, const struct gpu_graph *graph, struct plan *plan)
{
    struct outlook_of_searches outlook;
    double kernel_ms;
    unsigned asked = (unsigned)run->options[ENGINE];
    if (asked != ENGINE_AUTO && (asked - ENGINE_FIRST != DESIGN_SINGLE || run->outputs == OUTPUT_LEVEL)) {
        plan_design(run, (enum msbfs_design)(asked - ENGINE_FIRST), plan);
        snprintf(plan->reason, sizeof plan->reason, "%s as asked for", design_names[asked - ENGINE_FIRST]);
        return STATUS_OK;
    }
    struct use_of_searches use = use_of(run, run->error);
    run->device->mark(run->device, MARK_BEGIN);
    searches_sample(run->graph, graph, &outlook, run->error);
    run->device->mark(run->device, MARK_END);
    if (run->device->elapsed(run->device, &run->build_ms, &kernel_ms, run->error) != STATUS_OK)
        return run->error->status;
    enum msbfs_design design = msbfs_fastest(&outlook, &use);
    plan_design(run, design, plan);
    explain(&outlook, &use, design, plan);
    return STATUS_OK;
}

/* ---- the algorithm ---- */

static int prepare(struct run *run, struct gpu_graph *graph)
{
    uint32_t most = (uint32_t)run->options[BATCH];
    if (allocate_zeroed(&run->state, 1, sizeof(struct plan), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    struct plan *plan = (struct plan *)run->state;
    if (choose(run, graph, plan) != STATUS_OK)
        return run->error->status;
    plan_prepare(plan, run, graph);
    run->batch_size = most > 0 && run->batch_size > most ? most : run->batch_size;
    return run->error->status;
}

static int traverse(struct run *run, const struct query *query)
{
    return plan_traverse((struct plan *)run->state, query);
}

static int fetch(struct run *run, struct traversal *result)
{
    return plan_fetch((struct plan *)run->state, result);
}

static void release(struct run *run)
{
    if (run->state != NULL)
        plan_release((struct plan *)run->state);
    free(run->state);
}

GPU_ALGORITHM(msbfs_auto) = {
    .family = "msbfs",
    .variant = "auto",
    .title = "gtrav, rows, blocks or single searches, by graph and number of sources",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FAR | OUTPUT_LENGTH,
    .options = msbfs_auto_options,
    .prepare = uploaded<prepare>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};

} // namespace BACKEND::automatic_msbfs
