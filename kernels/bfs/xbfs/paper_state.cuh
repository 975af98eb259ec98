/* paper_state.cuh: mode=paper of XBFS and Enterprise: what its kernels share.
 *
 * The host launches a kernel for each step of a level, and reads the level's counts back before the next. A queue has
 * vertices, in classes by degree: a thread, a warp, a block or the grid takes a frontier. There are two sets of
 * queues: `current` is the set with the frontiers of this iteration, and the other one gets the next queue.
 *
 *   top-down   frontiers are in classes by out-edges
 *   bottom-up  XBFS: all frontiers are in the lowest class (5.1.2, "a single universal frontier queue");
 *              Enterprise: in classes by in-edges
 *
 * Statuses, EARLY and counts are those of state.cuh; the argument for asynchronous levels is in find_parent.cuh.
 * Each step is a launch of its own, so it sees all that earlier steps wrote. */
#pragma once

#include "bottom_up.cuh"

namespace BACKEND::xbfs
{

#define HUBS 1024u /* entries of Enterprise's hub cache */

/* Who takes a frontier, by its class. */
enum taker { BY_THREAD, BY_WARP, BY_BLOCK, BY_GRID }; /* TAKERS */

/* Enterprise's hub cache, in shared memory: a vertex of the last level in entry vertex % HUBS, or NO_VERTEX. */
struct hub_cache {
    vertex_t hubs[HUBS];
};

/* Device memory beyond that of struct search. */
struct class_queues {
    vertex_t *queue[2][TAKERS]; /* num_vertices each */
    uint32_t *sizes;            /* 2 * TAKERS: of the queues */
    uint32_t *before;           /* TAKERS * threads of the grid: what a scan has found in the block before a thread */
    uint64_t *hubs; /* HUBS: by vertex % HUBS, the highest degree << 32 | vertex of the last level; or 0 */
};

/* The argument of every kernel. */
template <typename offset_t>
struct step {
    edges_of_graph<offset_t> graph;
    struct search<offset_t> search;
    struct class_queues queues;
    struct rules rules;
    struct progress at;
    unsigned current; /* the set of queues with this iteration's frontiers */
};

/* The takers of a kind in the grid, and this thread's place among the threads of its taker. */
struct taker_group {
    uint64_t rank, size;
    uint64_t place, width;
};

template <enum taker taker>
static __device__ __forceinline__ struct taker_group group_of(void)
{
    if (taker == BY_THREAD)
        return {thread_of_grid(), threads_of_grid(), 0, 1};
    if (taker == BY_WARP)
        return {thread_of_grid() / WARP_SIZE, threads_of_grid() / WARP_SIZE, lane_id(), WARP_SIZE};
    if (taker == BY_BLOCK)
        return {blockIdx.x, gridDim.x, threadIdx.x, blockDim.x};
    return {0, 1, thread_of_grid(), threads_of_grid()};
}

template <typename offset_t>
static __device__ __forceinline__ unsigned taker_of(const step<offset_t> &step, uint64_t degree)
{
    return degree < WARP_FROM              ? BY_THREAD
           : degree < BLOCK_FROM           ? BY_WARP
           : degree < step.rules.grid_from ? BY_BLOCK
                                           : BY_GRID;
}

template <typename offset_t>
static __device__ __forceinline__ uint32_t *size_of(const step<offset_t> &step, unsigned set, unsigned taker)
{
    return &step.queues.sizes[set * TAKERS + taker];
}

template <typename offset_t>
static __device__ __forceinline__ uint64_t degree_of(const csr<offset_t> &graph, vertex_t vertex)
{
    span<offset_t> edges = edges_if(true, graph, vertex);
    return edges.end - edges.edge;
}

} // namespace BACKEND::xbfs
