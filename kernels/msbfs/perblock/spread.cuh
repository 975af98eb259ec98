/* spread.cuh: computes the levels of all vertices from the distances of junctions. */
#pragma once

#include "junctions.cuh"

namespace BACKEND::perblock
{

#define SPREAD_THREADS 256u

/* The source's chain, at positions first .. first + number - 1. number is 0 if the source is a junction. */
struct own_chain {
    uint32_t position, first, number; /* position of the source; first position; number of vertices */
};
struct spread_shared {
    struct own_chain chains[GROUP_SIZE];
};

DEVICE struct own_chain chain_of(const struct batch &batch, const struct junctions &junctions, uint32_t which)
{
    vertex_t source = batch.sources[which];
    struct chain_place place = junctions.places[source];
    uint32_t position = junctions.positions[source], number = place.steps[0] + place.steps[1];
    return {position, position - place.steps[0] + 1, number > 0 ? number - 1 : 0};
}

/* Returns the level of a vertex. first, last: the distances from the source to the two ends of the vertex's chain. */
DEVICE uint32_t level_of(const struct chain_place &place, uint32_t position, const struct own_chain &own,
                         uint32_t first, uint32_t last)
{
    if (first == UNREACHED) /* then `last` is also unreached */
        return UNREACHED;
    uint32_t level = min(first + place.steps[0], last + place.steps[1]);
    if (position - own.first < own.number) /* false for a junction, whose position is NO_VERTEX */
        level = min(level, position > own.position ? position - own.position : own.position - position);
    return level;
}

/* Loads the distances of a junction from a group of sources. */
DEVICE void load_distances(const struct junctions &junctions, unsigned group, uint32_t junction,
                           uint32_t (&distances)[GROUP_SIZE])
{
    size_t at = ((size_t)group * junctions.number + junction) * GROUP_SIZE;
#pragma unroll
    for (unsigned i = 0; i < GROUP_SIZE; i += UNIT) {
        uint4 some = __ldg((const uint4 *)&junctions.distances[at + i]);
        distances[i] = some.x;
        distances[i + 1] = some.y;
        distances[i + 2] = some.z;
        distances[i + 3] = some.w;
    }
}

/* Returns the sum over the lanes of a warp to lane 0. */
DEVICE uint64_t sum_of_warp(uint64_t value)
{
    for (unsigned delta = WARP_SIZE / 2; delta > 0; delta /= 2)
        value += __shfl_down_sync(WHOLE_WARP, value, delta);
    return value;
}

/* Computes the levels of all vertices from the distances of the junctions. A block has one group of sources and a
 * share of the vertices; a thread handles one vertex at a time. */
template <typename level_t>
__global__ void __launch_bounds__(SPREAD_THREADS) spread_kernel(struct batch batch, struct junctions junctions)
{
    unsigned groups = (batch.num_sources + GROUP_SIZE - 1) / GROUP_SIZE, group = blockIdx.x % groups;
    uint32_t first = group * GROUP_SIZE;
    uint32_t reached[GROUP_SIZE] = {}, highest[GROUP_SIZE] = {};
    uint64_t level_sum[GROUP_SIZE] = {};
    struct spread_shared *shared = block_shared<struct spread_shared>();
    if (threadIdx.x < GROUP_SIZE && first + threadIdx.x < batch.num_sources)
        shared->chains[threadIdx.x] = chain_of(batch, junctions, first + threadIdx.x);
    __syncthreads();
    uint64_t stride = (uint64_t)(gridDim.x / groups) * blockDim.x;
    for (uint64_t v = (uint64_t)(blockIdx.x / groups) * blockDim.x + threadIdx.x; v < batch.num_vertices; v += stride) {
        struct chain_place place = junctions.places[v];
        uint32_t position = junctions.positions[v], from_first[GROUP_SIZE], from_last[GROUP_SIZE];
        uint64_t farness = 0;
        load_distances(junctions, group, place.junction[0], from_first);
        load_distances(junctions, group, place.junction[1], from_last);
#pragma unroll
        for (unsigned i = 0; i < GROUP_SIZE; i++) {
            uint32_t which = first + i;
            if (which >= batch.num_sources)
                break;
            uint32_t level = level_of(place, position, shared->chains[i], from_first[i], from_last[i]);
            if (batch.level != NULL) {
                ((level_t *)batch.level)[(size_t)which * batch.num_vertices + v] = (level_t)level;
                if (level != UNREACHED && level >= NO_LEVEL<level_t>)
                    store_volatile(&batch.progress->too_deep, 1u);
            }
            if (level == UNREACHED)
                continue;
            farness += (uint64_t)level << COUNT_BITS | 1;
            reached[i]++;
            level_sum[i] += level;
            highest[i] = max(highest[i], level);
        }
        if (batch.farness != NULL && farness != 0)
            atomicAdd(&batch.farness[v], farness);
    }
#pragma unroll
    for (unsigned i = 0; i < GROUP_SIZE; i++) {
        if (first + i >= batch.num_sources)
            break;
        struct source_sums *all = &batch.sums[first + i];
        uint64_t vertices = sum_of_warp(reached[i]), sum = sum_of_warp(level_sum[i]);
        uint32_t eccentricity = __reduce_max_sync(WHOLE_WARP, highest[i]);
        if (lane_id() != 0)
            continue;
        atomicAdd(&all->reached, vertices);
        atomicAdd(&all->level_sum, sum);
        atomicMax(&all->eccentricity, eccentricity);
    }
}

} // namespace BACKEND::perblock
