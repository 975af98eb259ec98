/* transpose.cu: transposes a graph by stable sorts of its edges by target.
 *
 * The edges are ordered by source, and a stable sort keeps this order among the edges of a target. So the sorted
 * sources are the neighbour lists of the transpose, each in ascending order. To bound the memory, the edges are
 * sorted in parts, one after another. In a sorted part, the edges of a target are contiguous (a run). Each part
 * appends its runs to the lists. */
#include "transpose.h"

#include <bit>

#include "../device/edge_source.cuh"
#include "../device/ids.cuh"

namespace BACKEND::transposing
{

/* The edges begin .. end - 1. An edge's key is source << bits | target. */
struct part {
    edge_t begin, end;
    unsigned bits;

    __device__ __forceinline__ vertex_t target_of(uint64_t key) const
    {
        return (vertex_t)(key & ((1ull << bits) - 1));
    }
};

/* Counts the in-edges of each vertex. counts must be zero before. */
template <typename offset_t>
__global__ void count_in_edges(const vertex_t *targets, edge_t num_edges, offset_t *counts)
{
    for (uint64_t edge = thread_of_grid(); edge < num_edges; edge += threads_of_grid())
        atomicAdd(&counts[targets[edge]], (offset_t)1);
}

template <typename offset_t>
__global__ void make_keys(csr<offset_t> graph, struct part part, uint64_t *keys)
{
    for (uint64_t i = thread_of_grid(); i < part.end - part.begin; i += threads_of_grid()) {
        edge_t edge = part.begin + i;
        keys[i] = source_of(graph, edge) << part.bits | graph.targets[edge];
    }
}

/* Three kernels append the runs. places[v] is the place of the next in-neighbour of v. begin_runs subtracts the
 * number of the run's first key, so that key i goes to place places[v] + i. end_runs adds the number of the key after
 * the run. Places are computed modulo the width of offset_t. */

template <typename offset_t>
__global__ void begin_runs(const uint64_t *keys, struct part part, offset_t *places)
{
    for (uint64_t i = thread_of_grid(); i < part.end - part.begin; i += threads_of_grid()) {
        vertex_t target = part.target_of(keys[i]);
        if (i == 0 || part.target_of(keys[i - 1]) != target)
            places[target] -= (offset_t)i;
    }
}

template <typename offset_t>
__global__ void place_sources(const uint64_t *keys, struct part part, const offset_t *places, vertex_t *sources)
{
    for (uint64_t i = thread_of_grid(); i < part.end - part.begin; i += threads_of_grid())
        sources[(offset_t)(places[part.target_of(keys[i])] + i)] = (vertex_t)(keys[i] >> part.bits);
}

template <typename offset_t>
__global__ void end_runs(const uint64_t *keys, struct part part, offset_t *places)
{
    for (uint64_t i = thread_of_grid(); i < part.end - part.begin; i += threads_of_grid()) {
        vertex_t target = part.target_of(keys[i]);
        if (part.begin + i + 1 == part.end || part.target_of(keys[i + 1]) != target)
            places[target] += (offset_t)(i + 1);
    }
}

/* ---- host side ---- */

/* Fills the offsets of the transpose. */
template <typename offset_t>
static void count_lists(const csr<offset_t> &graph, struct gpu_graph *transpose, struct error *error)
{
    size_t number = (size_t)graph.num_vertices + 1;
    offset_t *offsets = NULL;
    gpu_allocate(&offsets, number, "the transpose", error);
    transpose->offsets = offsets;
    gpu_clear(offsets, number, error);
    gpu_launch(count_in_edges<offset_t>, gpu_wide_grid(transpose->num_edges), 0, error, graph.targets,
               transpose->num_edges, offsets);
    gpu_exclusive_scan(offsets, number, error);
}

template <typename offset_t>
static void fill_lists(const csr<offset_t> &graph, edge_t part_edges, struct gpu_graph *transpose, struct error *error)
{
    struct gpu_arena arena = {};
    const size_t number = (size_t)graph.num_vertices + 1;
    const edge_t num_edges = transpose->num_edges, most = num_edges < part_edges ? num_edges : part_edges;
    const struct grid grid = gpu_wide_grid(most);
    struct part part = {0, 0, (unsigned)std::bit_width(graph.num_vertices)};
    offset_t *places = gpu_take<offset_t>(&arena, number, "the transpose", error);
    uint64_t *keys = gpu_take<uint64_t>(&arena, most, "the transpose", error);
    uint64_t *other = gpu_take<uint64_t>(&arena, most, "the transpose", error);
    gpu_allocate(&transpose->targets, num_edges, "the transpose", error);
    gpu_copy(places, (const offset_t *)transpose->offsets, number, error);
    while (error->status == STATUS_OK && part.end < num_edges) {
        part.begin = part.end;
        part.end = num_edges - part.begin < most ? num_edges : part.begin + most;
        gpu_launch(make_keys<offset_t>, grid, 0, error, graph, part, keys);
        gpu_sort(&keys, &other, part.end - part.begin, part.bits, error);
        gpu_launch(begin_runs<offset_t>, grid, 0, error, keys, part, places);
        gpu_launch(place_sources<offset_t>, grid, 0, error, keys, part, places, transpose->targets);
        gpu_launch(end_runs<offset_t>, grid, 0, error, keys, part, places);
    }
    gpu_wait("the transpose", error);
    gpu_arena_free(&arena);
}

} // namespace BACKEND::transposing

namespace BACKEND
{

int gpu_transpose(const struct gpu_graph *graph, struct gpu_graph *transpose, struct error *error,
                  edge_t edges_at_a_time)
{
    *transpose = {graph->num_vertices, graph->num_edges, NULL, NULL, graph->wide, !graph->transposed, graph->host};
    return with_offsets(graph, [&]<typename offset_t>(csr<offset_t> csr) {
        transposing::count_lists(csr, transpose, error);
        transposing::fill_lists(csr, edges_at_a_time, transpose, error);
        return error->status;
    });
}

} // namespace BACKEND
