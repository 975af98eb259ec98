/* results.cuh: reads results from the levels and the sums. */
#pragma once

#include "../../device/narrow_levels.cuh"
#include "state.cuh"

namespace BACKEND::bitparallel
{

/* The places of the levels of destinations. */
struct places_of_destinations {
    const struct destination *destinations;
    uint32_t num_searches;
    __device__ __forceinline__ uint64_t operator()(uint64_t i) const
    {
        return (uint64_t)destinations[i].vertex * num_searches + destinations[i].which;
    }
};

/* Copies the sums to the order of input ids, and clears them. */
__global__ void take_farness(const vertex_t *input_of, vertex_t num_vertices, uint64_t *farness,
                             uint32_t *farness_count, uint64_t *taken, uint32_t *taken_count)
{
    for (uint64_t row = thread_of_grid(); row < num_vertices; row += threads_of_grid()) {
        vertex_t vertex = input_of_row(input_of, row);
        taken[vertex] = farness[row];
        taken_count[vertex] = farness_count[row];
        farness[row] = 0;
        farness_count[row] = 0;
    }
}

} // namespace BACKEND::bitparallel
