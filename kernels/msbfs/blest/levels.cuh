/* levels.cuh: the kernels of algorithm 5 (section 6): one starts kappa searches, another runs all their levels. For
 * each source, a block adds up the reached vertices, the sum of their levels and the eccentricity in shared memory.
 * It adds these sums to device memory at the end. */
#pragma once

#include "mark.cuh"
#include "settle.cuh"

namespace BACKEND::msbfs_blest
{

/* Clears the block's sums. All threads of the block must call it. */
DEVICE void clear_sums(struct shared *shared, unsigned kappa)
{
    for (unsigned source = threadIdx.x; source < kappa; source += blockDim.x) {
        shared->level_sum[source] = 0;
        shared->found[source] = shared->reached[source] = shared->eccentricity[source] = 0;
    }
    __syncthreads();
}

/* Adds what the block has found at a level to its sums. All threads of the block must call it. */
DEVICE void add_level(struct shared *shared, unsigned kappa, uint32_t level)
{
    __syncthreads();
    for (unsigned source = threadIdx.x; source < kappa; source += blockDim.x) {
        uint32_t found = shared->found[source];
        if (found == 0)
            continue;
        shared->found[source] = 0;
        shared->reached[source] += found;
        shared->level_sum[source] += (uint64_t)level * found;
        shared->eccentricity[source] = level;
    }
}

/* Adds the block's sums to those in device memory. */
DEVICE void send_sums(const struct shared *shared, struct source_sums *sums, unsigned kappa)
{
    for (unsigned source = threadIdx.x; source < kappa; source += blockDim.x) {
        if (shared->reached[source] == 0)
            continue;
        atomicAdd(&sums[source].reached, shared->reached[source]);
        atomicAdd(&sums[source].level_sum, shared->level_sum[source]);
        atomicMax(&sums[source].eccentricity, shared->eccentricity[source]);
    }
}

/* For blest-naive: adds the levels of one source to its sums and to farness. */
__global__ void add_levels(struct search search, const uint32_t *levels, vertex_t num_vertices, uint32_t source)
{
    uint64_t sum = 0;
    uint32_t reached = 0, most = 0;
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid()) {
        uint32_t level = levels[v];
        if (level == UNREACHED)
            continue;
        sum += level;
        reached++;
        most = max(most, level);
        if (search.farness != NULL) {
            search.farness[v] += level;
            search.farness_count[v]++;
        }
    }
    if (search.sums == NULL)
        return;
    reached = __reduce_add_sync(WHOLE_WARP, reached);
    most = __reduce_max_sync(WHOLE_WARP, most);
    sum = warp_sum(sum);
    if (lane_id() == 0 && reached > 0) {
        atomicAdd(&search.sums[source].reached, reached);
        atomicAdd(&search.sums[source].level_sum, sum);
        atomicMax(&search.sums[source].eccentricity, most);
    }
}

/* Runs all levels of all searches. trace: one pointer to the ends of levels, or none. */
template <unsigned words, bool reindexed, bool tracked, enum blest::layout layout, typename... trace_t>
__global__ void __launch_bounds__(MOST_THREADS, MANY_BLOCKS)
    msbfs_blest_kernel(struct bvss bvss, struct search search, trace_t... trace)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_warps();
    const unsigned kappa = words * WARP_SIZE;
    if (search.sums != NULL)
        clear_sums(shared, kappa);
    uint64_t size = __ldcg(&search.counts[0]);
    if (is_first_thread())
        (end_level(trace, 0, LEVEL_TOP_DOWN), ...);
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
        if (is_first_thread())
            (end_level(trace, level, LEVEL_TOP_DOWN), ...);
    }
    if (search.sums != NULL)
        send_sums(shared, search.sums, kappa);
}

/* Puts each source into the first frontier, and the VSSs of its slice set into the first queue once. One block runs
 * it, with one thread per source. Several sources may be the same vertex. */
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
