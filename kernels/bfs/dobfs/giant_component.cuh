/* giant_component.cuh: measures the giant component of a symmetric graph, the component of a vertex of the
 * highest degree. A search from inside it may end once all vertices of the component are visited. */
#pragma once

#include "launch.cuh"

namespace BACKEND::dobfs
{

/* Maximises *highest = degree << 32 | id over all ids. Degrees above 2^32 - 1 count as 2^32 - 1. */
template <typename offset_t>
__global__ void find_highest_degree(const offset_t *offsets, vertex_t num_vertices, uint64_t *highest)
{
    uint64_t most = 0;
    for (uint64_t base = thread_of_grid() - lane_id(); base < num_vertices; base += threads_of_grid()) {
        uint64_t vertex = base + lane_id();
        if (vertex < num_vertices) {
            uint64_t degree = min((uint64_t)(offsets[vertex + 1] - offsets[vertex]), (uint64_t)UINT32_MAX);
            most = max(most, degree << 32 | vertex);
        }
    }
    for (int step = WARP_SIZE / 2; step > 0; step /= 2)
        most = max(most, __shfl_xor_sync(WHOLE_WARP, most, step));
    if (lane_id() == 0 && most > 0)
        atomicMax((unsigned long long *)highest, (unsigned long long)most);
}

/* Writes the bitmap of the vertices that have a level, and adds their number to *num_reached. */
__global__ void map_reached(const uint32_t *level, vertex_t num_vertices, uint32_t *bitmap, uint32_t *num_reached)
{
    uint32_t sum = 0;
    for (uint64_t base = thread_of_grid() - lane_id(); base < num_vertices; base += threads_of_grid()) {
        uint64_t vertex = base + lane_id();
        unsigned reached = __ballot_sync(WHOLE_WARP, vertex < num_vertices && level[vertex] != UNREACHED);
        if (lane_id() == 0)
            bitmap[base / WARP_SIZE] = reached;
        sum += (unsigned)__popc(reached);
    }
    if (lane_id() == 0 && sum > 0)
        atomicAdd(num_reached, sum);
}

/* Searches from a vertex of the highest degree, and keeps the bitmap of the reached vertices (by input id) in
 * state->giant. The state must be ready for a search. Returns a status and fills run->error. */
template <typename offset_t>
static int measure_giant(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    vertex_t n = state->out.num_vertices;
    size_t words = bitmap_words(n);
    struct gpu_arena meanwhile = {};
    uint64_t *found = gpu_take_zeroed<uint64_t>(&meanwhile, 1, "the first search", error), highest;
    uint32_t *reached = gpu_take_zeroed<uint32_t>(&meanwhile, 1, "the first search", error), num_reached;
    uint32_t *giant = gpu_take<uint32_t>(&state->memory, words, "the first search", error);
    gpu_launch(find_highest_degree<offset_t>, gpu_wide_grid(n), 0, error, (const offset_t *)state->out.offsets, n,
               found);
    gpu_download(&highest, found, 1, error);
    vertex_t source = (vertex_t)highest;
    if (state->order.input_of != NULL)
        gpu_download(&source, state->order.input_of + source, 1, error);
    launch<offset_t>(run, source);
    gpu_check_barrier(state->barrier, "bfs dobfs", error);
    gpu_launch(map_reached, gpu_wide_grid(n), 0, error, state->level, n, giant, reached);
    gpu_download(&num_reached, reached, 1, error);
    gpu_arena_free(&meanwhile);
    state->giant = giant; /* only now, because the search would use it */
    state->outside_giant = state->order.num_ids - num_reached;
    return error->status;
}

} // namespace BACKEND::dobfs
