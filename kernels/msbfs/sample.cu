/* sample.cu: a sample of searches, from which `msbfs auto` and `dfs auto` predict how long algorithms take
 * (sample.h). */
#include "sample.h"

#include <math.h>

#include "../device/grid_barrier.cuh"
#include "../device/ids.cuh"
#include "../device/warp.cuh"

namespace BACKEND::automatic_msbfs
{

#define SAMPLE_THREADS    512u
#define SAMPLE_BLOCKS     3u /* blocks per multiprocessor */
#define HIGH_DEGREE_EDGES 2048u
#define GOLDEN_RATIO      0x9e3779b97f4a7c15u /* its multiples spread evenly (Knuth, 6.4) */
#define LEAST_GROWTH      1.0                 /* least exponent of the growth of a ball, as on a path */

/* ---- the kernel ----
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
        uint32_t num_high_degree = grid_wait(sample.barrier, &sample.levels[level].num_high_degree, &shared->broadcast);
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

/* Chooses up to `most` vertices that have out-neighbours, if there are any, as the GAP picker does. */
static void choose_sources(const struct graph *graph, uint32_t most, struct sample *sample)
{
    vertex_t n = graph->num_vertices;
    sample->num_searches = n < most ? n : most;
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
    gpu_plan_grid((const void *)sample_searches<offset_t>, SAMPLE_THREADS, SAMPLE_BLOCKS, sizeof(struct sample_shared),
                  &grid, error);
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

int searches_sample(const struct graph *host, const struct gpu_graph *graph, uint32_t most,
                    struct estimate_of_searches *estimate, struct error *error)
{
    struct gpu_arena memory = {};
    struct sample sample = {};
    struct sampled_level levels[SAMPLED_LEVELS + 1];
    choose_sources(host, most, &sample);
    *estimate = {(double)graph->num_vertices, (double)graph->num_edges, sample.num_searches};
    memcpy(estimate->sources, sample.sources, sizeof estimate->sources);
    allocate_sample(graph, &memory, &sample, error);
    with_offsets(graph, [&]<typename offset_t>(csr<offset_t> edges) { follow(edges, sample, error); });
    gpu_download(levels, sample.levels, SAMPLED_LEVELS + 1, error);
    sum_up(levels, estimate);
    gpu_arena_free(&memory);
    return error->status;
}

} // namespace BACKEND::automatic_msbfs
