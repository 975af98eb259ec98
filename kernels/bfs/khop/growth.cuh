/* growth.cuh: how balls grow in a graph, measured on a sample of its vertices. */
#pragma once

#include <stdlib.h>

#include "../engines.h"
#include "ball.cuh"

namespace BACKEND::khop
{

#define VERTICES_A_SAMPLE 8u /* a sample has at most one in this many vertices */

/* Writes sizes[i * SAMPLED_RADIUS + r - 1]: the number of vertices within r steps of sample i, or bound + 1 if
 * there are more than bound. */
template <typename offset_t>
__global__ void __launch_bounds__(BUILDER_THREADS)
    sample_growth(csr<offset_t> graph, uint32_t num_samples, uint32_t bound, unsigned slots, uint32_t *sizes)
{
    struct workspace<uint32_t> space = own_workspace<uint32_t>(slots);
    for (uint64_t i = thread_of_grid() / WARP_SIZE; i < num_samples; i += threads_of_grid() / WARP_SIZE) {
        uint64_t random = (i + 1) * 0x9e3779b97f4a7c15ull; /* evenly spaced samples may share a column of a grid */
        vertex_t vertex = (vertex_t)((random >> 32) * graph.num_vertices >> 32);
        uint32_t end;
        unsigned radius = grow(graph, space, vertex, SAMPLED_RADIUS, bound, &end);
        sizes[i * SAMPLED_RADIUS + lane_id()] = lane_id() < radius ? end - 1 : bound + 1;
    }
}

/* Computes the means and shares of *growth from the sizes. growth: zero except for num_samples and bound. */
static void sum_up(const uint32_t *sizes, struct ball_growth *growth)
{
    for (unsigned r = 1; r <= SAMPLED_RADIUS; r++) {
        for (uint32_t i = 0; i < growth->num_samples; i++) {
            uint32_t size = sizes[i * SAMPLED_RADIUS + r - 1];
            growth->mean_entries[r] += (double)size / growth->num_samples;
            growth->share_over[r] += size > growth->bound ? 1.0 / growth->num_samples : 0;
            growth->largest[r] = size > growth->largest[r] ? size : growth->largest[r];
        }
    }
}

int ball_growth_sample(const struct gpu_graph *graph, uint32_t most_samples, uint32_t bound,
                       struct ball_growth *growth, struct error *error)
{
    struct gpu_arena memory = {};
    uint32_t *sizes = NULL, some = graph->num_vertices / VERTICES_A_SAMPLE + 1;
    *growth = {};
    growth->bound = bound < graph->num_vertices ? bound : graph->num_vertices;
    growth->num_samples = some < most_samples ? some : most_samples;
    size_t num_sizes = (size_t)growth->num_samples * SAMPLED_RADIUS;
    unsigned slots = slots_for(growth->bound);
    size_t shared_bytes = BUILDER_THREADS / WARP_SIZE * workspace_bytes<uint32_t>(slots);
    uint32_t *device_sizes = gpu_take<uint32_t>(&memory, num_sizes, "the sample", error);
    with_offsets(graph, [&]<typename offset_t>(csr<offset_t> csr) {
        struct grid grid;
        gpu_plan_grid((const void *)sample_growth<offset_t>, BUILDER_THREADS, BUILDER_BLOCKS, shared_bytes, &grid,
                      error);
        return gpu_launch(sample_growth<offset_t>, grid, shared_bytes, error, csr, growth->num_samples, growth->bound,
                          slots, device_sizes);
    });
    if (allocate(&sizes, num_sizes, sizeof *sizes, "the sample", error) == STATUS_OK &&
        gpu_download(sizes, device_sizes, num_sizes, error) == STATUS_OK)
        sum_up(sizes, growth);
    gpu_arena_free(&memory);
    free(sizes);
    return error->status;
}

} // namespace BACKEND::khop
