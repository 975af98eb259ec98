/* paper_scan.cuh: mode=paper of XBFS and Enterprise: what its kernels share, and the scans of the status array that
 * make a queue (section 4). Each scan is a launch.
 *
 * The host launches a kernel for each step of a level, and reads the level's counts back before the next level. A
 * queue holds vertices in classes by degree; the class decides whether a thread, a warp, a block or the grid
 * processes a frontier (its taker). There are two sets of queues: `current` has the frontiers of this iteration, and
 * the other set receives the next queue.
 *
 *   top-down   frontiers are in classes by out-edges
 *   bottom-up  XBFS: all frontiers are in the lowest class (5.1.2, "a single universal frontier queue");
 *              Enterprise: in classes by in-edges
 *
 * state.cuh defines statuses, EARLY and counts; find_parent.cuh has the argument for asynchronous levels. Each step
 * is a launch of its own, so it sees everything that earlier steps wrote.
 *
 *   single scan  each vertex of the level is queued by an atomic on the size of its class
 *   double scan  scan I counts, scan II writes. Both visit the same places in the same order, and no status changes
 * in between. So they find the same vertices, and the prefix sums of the counts are their places. Enterprise's
 * threads scan interleaved places for a top-down queue, and ranges (strided) for a bottom-up queue, to sort it. */
#pragma once

#include "bottom_up.cuh"

namespace BACKEND::xbfs
{

#define HUBS 1024u /* entries of Enterprise's hub cache */

/* Which threads process a frontier (its class). */
enum taker { BY_THREAD, BY_WARP, BY_BLOCK, BY_GRID }; /* TAKERS */

/* Enterprise's hub cache: entry i is a vertex v of the last level with v % HUBS == i, or NO_VERTEX. In shared
 * memory. */
struct hub_cache {
    vertex_t hubs[HUBS];
};

/* Device memory in addition to struct search. */
struct class_queues {
    vertex_t *queue[2][TAKERS]; /* num_vertices each */
    uint32_t *sizes;            /* 2 * TAKERS; the sizes of the queues */
    uint32_t *before;           /* TAKERS * threads of the grid; what earlier threads of the block counted in a scan */
    uint64_t *hubs;             /* HUBS; by vertex % HUBS: highest degree << 32 | vertex, in the last level; or 0 */
};

/* The argument of every kernel. */
template <typename offset_t>
struct step {
    edges_of_graph<offset_t> graph;
    struct search search;
    struct class_queues queues;
    struct rules rules;
    struct progress at;
    unsigned current; /* the set of queues with this iteration's frontiers */
};

/* rank: the number of this thread's taker among the `size` takers of its kind in the grid. place: the thread's number
 * among the taker's `width` threads. */
struct taker_group {
    uint64_t rank, size;
    uint64_t place, width;
};

template <enum taker taker>
DEVICE struct taker_group group_of(void)
{
    if (taker == BY_THREAD)
        return {thread_of_grid(), threads_of_grid(), 0, 1};
    if (taker == BY_WARP)
        return {thread_of_grid() / WARP_SIZE, threads_of_grid() / WARP_SIZE, lane_id(), WARP_SIZE};
    if (taker == BY_BLOCK)
        return {blockIdx.x, gridDim.x, threadIdx.x, blockDim.x};
    return {0, 1, thread_of_grid(), threads_of_grid()};
}

DEVICE unsigned taker_of(const auto &step, uint64_t degree)
{
    return degree < WARP_FROM              ? BY_THREAD
           : degree < BLOCK_FROM           ? BY_WARP
           : degree < step.rules.grid_from ? BY_BLOCK
                                           : BY_GRID;
}

DEVICE uint32_t *size_of(const auto &step, unsigned set, unsigned taker)
{
    return &step.queues.sizes[set * TAKERS + taker];
}

template <typename offset_t>
DEVICE uint64_t degree_of(const csr<offset_t> &graph, vertex_t vertex)
{
    span<offset_t> edges = edges_if(true, graph, vertex);
    return edges.end - edges.edge;
}

/* What a double scan gathers: the vertices of this iteration's level or, with `unvisited`, the vertices that a
 * bottom-up iteration must still find and that have in-edges. classes: 1 or TAKERS. */
template <unsigned classes, bool unvisited, typename offset_t>
struct wanted {
    const struct step<offset_t> &step;
    uint32_t level;

    __device__ __forceinline__ bool is(uint64_t place, bool has) const
    {
        uint32_t known = load_relaxed_if(has, &step.search.status[place]);
        if constexpr (unvisited) {
            uint32_t word = load_if(has, bitmap_word(step.search.entered, (vertex_t)place));
            return known >= level && has && has_bit(word, (vertex_t)place);
        }
        return known == level && has;
    }

    __device__ __forceinline__ unsigned class_of(uint64_t place) const
    {
        if (classes == 1)
            return 0;
        return taker_of(step, degree_of(unvisited ? step.graph.in : step.graph.out, (vertex_t)place));
    }
};

/* Calls put for the frontiers in this thread's share of the places. number: as in scan_by_warp and scan_by_thread. */
template <bool unvisited, unsigned classes>
DEVICE void scan_share(const auto &step, auto is, auto class_of, uint32_t (&number)[classes], auto put)
{
    uint64_t size = step.graph.out.num_vertices;
    if (step.rules.strided && !unvisited)
        scan_by_thread(thread_of_grid(), size, is, class_of, number, put, threads_of_grid());
    else
        scan_share(share_of({size, step.rules.strided}), is, class_of, number, put);
}

/* Offers a vertex of the last level to the hub cache. Each entry keeps the vertex with the most out-edges. */
DEVICE void offer_hub(const auto &step, vertex_t vertex)
{
    uint64_t offer = degree_of(step.graph.out, vertex) << 32 | vertex, *entry = &step.queues.hubs[vertex % HUBS];
    if (offer > __ldcg(entry))
        atomicMax((unsigned long long *)entry, (unsigned long long)offer);
}

/* Scan I. In a bottom-up iteration of Enterprise it also fills the hub cache, which the host cleared before. */
template <unsigned classes, bool unvisited, typename offset_t>
__global__ void scan_one(step<offset_t> step)
{
    struct shared *shared = block_shared<struct shared>();
    wanted<classes, unvisited, offset_t> wanted = {step, step.at.level};
    uint32_t count[classes] = {}, before[classes];
    auto is = [&](uint64_t place, bool has) {
        if (unvisited && classes > 1 && load_relaxed_if(has, &step.search.status[place]) == step.at.level - 1 && has)
            offer_hub(step, (vertex_t)place);
        return wanted.is(place, has);
    };
    scan_share<unvisited>(
        step, is, [&](uint64_t place) { return wanted.class_of(place); }, count, [](unsigned, uint64_t, uint32_t) {});
#pragma unroll
    for (unsigned c = 0; c < classes; c++)
        count[c] = step.rules.strided || lane_id() == 0 ? count[c] : 0; /* one lane keeps the count of its warp */
    sum_in_block(step.search, shared, count, before);
    for (unsigned c = 0; c < classes; c++)
        __stcg(&step.queues.before[c * threads_of_grid() + thread_of_grid()], before[c]);
}

/* Scan II. Writes the queue, and its sizes, into the set that is not current. Counts the edges of a top-down
 * queue. */
template <unsigned classes, bool unvisited, typename offset_t>
__global__ void scan_two(step<offset_t> step)
{
    struct shared *shared = block_shared<struct shared>();
    wanted<classes, unvisited, offset_t> wanted = {step, step.at.level};
    uint32_t number[classes], total[classes];
    struct tally tally = {};
    for (unsigned c = 0; c < classes; c++)
        number[c] = __ldcg(&step.queues.before[c * threads_of_grid() + thread_of_grid()]);
    add_blocks_before(step.search, shared, number, total);
    if (!step.rules.strided)
        for (unsigned c = 0; c < classes; c++)
            number[c] = __shfl_sync(WHOLE_WARP, number[c], 0);
    unsigned set = !step.current;
    auto put = [&](unsigned c, uint64_t place, uint32_t at) {
        __stcg(&step.queues.queue[set][c][at], (vertex_t)place);
        tally.edges += unvisited ? 0 : degree_of(step.graph.out, (vertex_t)place);
    };
    scan_share<unvisited>(
        step, [&](uint64_t place, bool has) { return wanted.is(place, has); },
        [&](uint64_t place) { return wanted.class_of(place); }, number, put);
    __syncwarp();
    add_up(count_of(step.search.counts, step.at.level), tally, false);
    for (unsigned c = 0; c < classes && is_first_thread(); c++)
        __stcg(size_of(step, set, c), total[c]);
}

/* Appends a vertex to its queue in the set that is not current. */
DEVICE void enqueue_by_atomic(const auto &step, vertex_t vertex, struct tally *tally)
{
    uint64_t degree = degree_of(step.graph.out, vertex);
    unsigned set = !step.current, taker = taker_of(step, degree);
    __stcg(&step.queues.queue[set][taker][atomicAdd(size_of(step, set, taker), 1u)], vertex);
    tally->edges += degree;
}

/* A single scan: queues the vertices of a level. counted: adds their edges to this iteration's counts. */
template <typename offset_t>
__global__ void scan_once(step<offset_t> step, uint32_t level, bool counted)
{
    struct tally tally = {};
    for (uint64_t v = thread_of_grid(); v < step.graph.out.num_vertices; v += threads_of_grid())
        if (__ldcg(&step.search.status[v]) == level)
            enqueue_by_atomic(step, (vertex_t)v, &tally);
    if (!counted)
        tally = {};
    __syncwarp();
    add_up(count_of(step.search.counts, step.at.level), tally, false);
}

} // namespace BACKEND::xbfs
