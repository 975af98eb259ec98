/* results.cuh: answers from the levels and the sums. */
#pragma once

#include "state.cuh"

namespace BACKEND::rows
{

/* Copies levels to a wider type. */
template <typename from_t, typename to_t>
__global__ void widen_levels(const from_t *from, uint64_t number, to_t *to)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid())
        to[i] = from[i] == (from_t)UNREACHED ? (to_t)UNREACHED : (to_t)from[i];
}

/* Picks the levels of one search. */
template <typename level_t>
__global__ void pick_levels(const level_t *levels, vertex_t num_vertices, uint32_t num_searches, uint32_t which,
                            uint32_t *picked)
{
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid()) {
        level_t level = levels[v * num_searches + which];
        picked[v] = level == (level_t)UNREACHED ? UNREACHED : level;
    }
}

/* Picks the levels of the destinations. */
template <typename level_t>
__global__ void pick_lengths(const level_t *levels, uint32_t num_searches, const struct destination *destinations,
                             uint64_t number, uint32_t *lengths)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid()) {
        level_t level = levels[(size_t)destinations[i].vertex * num_searches + destinations[i].which];
        lengths[i] = level == (level_t)UNREACHED ? UNREACHED : level;
    }
}

/* Copies the sums to the order of input ids, and clears them. */
__global__ void take_far(const vertex_t *input_of, vertex_t num_vertices, uint64_t *far, uint32_t *far_count,
                         uint64_t *taken, uint32_t *taken_count)
{
    for (uint64_t row = thread_of_grid(); row < num_vertices; row += threads_of_grid()) {
        vertex_t vertex = input_of_row(input_of, row);
        taken[vertex] = far[row];
        taken_count[vertex] = far_count[row];
        far[row] = 0;
        far_count[row] = 0;
    }
}

} // namespace BACKEND::rows
