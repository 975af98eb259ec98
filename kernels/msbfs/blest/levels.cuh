/* levels.cuh: the kernels of algorithm 5 (section 6). One starts kappa searches, one runs all their levels. */
#pragma once

#include "mark.cuh"
#include "settle.cuh"
#include "sums.cuh"

namespace BACKEND::msbfs_blest
{

/* All levels of all searches. */
template <unsigned words, bool reindexed, bool tracked, enum blest::layout layout>
__global__ void __launch_bounds__(MOST_THREADS, MANY_BLOCKS)
    msbfs_blest_kernel(struct bvss bvss, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_warps();
    const unsigned kappa = words * WARP_SIZE;
    if (search.sums != NULL)
        clear_sums(shared, kappa);
    uint64_t size = __ldcg(&search.counts[0]);
    for (uint32_t level = 1; size != 0; level++) {
        uint64_t *count = count_of(search.counts, level);
        blest::for_each_entry(
            search.queue, (uint32_t)size, team,
            [&](uint2 entry) { return load_tile<words, reindexed, tracked>(bvss, search, entry); },
            [&](const struct tile<words> &tile) { mark<words, reindexed, tracked, layout>(bvss, search, tile); });
        if (grid_wait(search.barrier, count_of(search.counts, level - 1), &shared->broadcast) == UINT64_MAX)
            return;
        settle<words, reindexed, tracked>(bvss, search, shared, team, level, count);
        if (is_first_thread())
            *count_of(search.counts, level + 1) = 0;
        if (search.sums != NULL)
            add_level(shared, kappa, level);
        size = grid_wait(search.barrier, count, &shared->broadcast);
        if (size == UINT64_MAX)
            return;
    }
    if (search.sums != NULL)
        send_sums(shared, search.sums, kappa);
}

/* Puts the sources into the first frontier and the VSSs of their sets into the first queue, each once. One
 * block runs it, with one thread per source. Several sources may be the same vertex. */
__global__ void seed_sources(struct bvss bvss, struct search search, unsigned words, bool reindexed)
{
    uint32_t source = threadIdx.x, word = source / WARP_SIZE, bit = 1u << source % WARP_SIZE, set = 0;
    bool first = source < search.num_sources;
    if (first) {
        set = search.sources[source] / SIGMA;
        size_t row = row_of_vertex(reindexed, bvss.num_sets, search.sources[source]);
        atomicOr(&search.frontier[row * words + word], bit);
        atomicOr(&search.visited[row * words + word], bit);
        atomicOr(&search.marked[row * words + word], bit);
        if (search.active != NULL)
            atomicOr(&search.active[(size_t)set * words + word], bit);
        if (search.level != NULL)
            search.level[source * (size_t)bvss.num_sets * SIGMA + row] = 0;
        if (search.sums != NULL)
            search.sums[source] = {1, 0, 0};
        if (search.farness != NULL)
            atomicAdd(&search.farness_count[row], 1u);
    }
    for (uint32_t other = 0; other < source && first; other++)
        first = search.sources[other] / SIGMA != set;
    const struct blest::range ranges[1] = {
        {set, load_if(first, &bvss.real_ptrs[set]), load_if(first, &bvss.real_ptrs[set + 1])}};
    blest::enqueue(search.queue, &search.counts[0], 0, ranges);
}

} // namespace BACKEND::msbfs_blest
