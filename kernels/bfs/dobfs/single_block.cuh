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
template <typename offset_t>
static __device__ __forceinline__ void
run_single_block(const prepared_graph<offset_t> &graph, const search<offset_t> &search, const struct rules &rules,
                 struct shared *shared, struct progress at, uint32_t unreachable, uint64_t *count)
{
    offset_t *scratch = (offset_t *)(shared + 1);
    shared_queue<offset_t> now{{scratch, scratch + rules.single_block_edges}};
    shared_queue<offset_t> then{{scratch + 2 * rules.single_block_edges, scratch + 3 * rules.single_block_edges}};
    global_queue<offset_t> from{current_queue(search, at)}, to{next_queue(search, at)};
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
        const discovery<shared_queue<offset_t>, offset_t> found = {
            graph.out.offsets, visited,         search.bytes, (uint8_t)(at.level + 1 - at.base), then,
            next_count,        rules.edge_bits, false};
        for_each_edge<UNROLL_SINGLE_BLOCK>(graph.out.targets, now, at.size, (offset_t)at.edges, block_warps(),
                                           [&](const lane_edges<UNROLL_SINGLE_BLOCK> &some, uint64_t, const auto &) {
                                               claim(found, some.target, some.has);
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
