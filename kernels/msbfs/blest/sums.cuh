/* sums.cuh: per source, the reached vertices, the sum of their levels and the eccentricity. A block adds them up in
 * its shared memory, and sends them at the end. */
#pragma once

#include "search.cuh"

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

/* Adds what the block found at a level to its sums. All threads of the block must call it. */
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

} // namespace BACKEND::msbfs_blest
