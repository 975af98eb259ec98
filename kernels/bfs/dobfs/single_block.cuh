/* single_block.cuh: consecutive top-down levels of few edges, run by block 0 alone while the others wait.
 *
 * The queues and counts lie in shared memory, so a level costs a block barrier instead of a grid barrier. */
#pragma once

#include "top_down.cuh"

namespace BACKEND::dobfs
{

#define UNROLL_SINGLE_BLOCK 2u /* instead of UNROLL: these levels have few edges */

/* Whether the next level may be run by a single block. */
static __device__ __forceinline__ bool fits_single_block(const struct progress &at, const struct rules &rules)
{
    return at.edges <= rules.single_block_edges && at.size <= rules.single_block_edges &&
           at.level + 1 - at.base < rules.level_limit;
}

/* Runs levels while they fit. The last frontier goes to the grid's next queue and its count to *count; the
 * level and the number of unvisited vertices go to search.handover. Only block 0 may call it, with all its
 * threads. */
template <bool parents, typename offset_t>
static __device__ __forceinline__ void
run_single_block(const prepared_graph<offset_t> &graph, const search<offset_t> &search, const struct rules &rules,
                 struct shared *shared, struct progress at, uint32_t unreachable, uint64_t *count)
{
    const uint32_t capacity = rules.single_block_edges;
    offset_t *scratch = (offset_t *)(shared + 1);
    vertex_t *ids = (vertex_t *)(scratch + 4 * capacity); /* only if parents are recorded */
    shared_queue<offset_t, parents> now{{scratch, scratch + capacity, ids}};
    shared_queue<offset_t, parents> then{{scratch + 2 * capacity, scratch + 3 * capacity, ids + capacity}};
    global_queue<offset_t, parents> from{current_queue(search, at)}, to{next_queue(search, at)};
    uint32_t *visited = visited_bitmap(search, at);
    for (uint32_t i = threadIdx.x; i < at.size; i += blockDim.x)
        now.put(i, from.load(i));
    if (threadIdx.x < NUM_COUNTS)
        shared->counts[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t round = 0; fits_single_block(at, rules) && !is_done(at, unreachable); round++) {
        uint64_t *next_count = count_of(shared->counts, round + 1);
        if (threadIdx.x == 0)
            *count_of(shared->counts, round + 2) = 0;
        const discovery<shared_queue<offset_t, parents>, offset_t> found = {graph.out.offsets,
                                                                            visited,
                                                                            search.bytes,
                                                                            (uint8_t)(at.level + 1 - at.base),
                                                                            search.parent_by_id,
                                                                            then,
                                                                            next_count,
                                                                            rules.edge_bits,
                                                                            false};
        for_each_edge<UNROLL_SINGLE_BLOCK>(
            graph.out.targets, now, at.size, (offset_t)at.edges, block_warps(),
            [&](const lane_edges<UNROLL_SINGLE_BLOCK> &some, uint64_t, const auto &mine) {
                claim<parents>(found, some, mine);
                return false;
            });
        __syncthreads();
        read_count(&at, rules, *(volatile uint64_t *)next_count);
        at.level++;
        at.unvisited -= (uint32_t)at.size;
        exchange(&now, &then);
    }
    for (uint32_t i = threadIdx.x; i < at.size; i += blockDim.x)
        to.put(i, now.load(i));
    if (threadIdx.x == 0) {
        search.handover->level = at.level, search.handover->unvisited = at.unvisited;
        __stcg(count, at.size << rules.edge_bits | at.edges);
    }
}

} // namespace BACKEND::dobfs
