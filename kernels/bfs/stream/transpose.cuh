/* transpose.cuh: the in-neighbours of a directed graph. */
#pragma once

#include "queues.cuh"

namespace BACKEND::stream
{

/* Counts the in-edges of each vertex; counts must be zero. */
template <typename offset_t>
__global__ void count_in_edges(const vertex_t *targets, edge_t num_edges, offset_t *counts)
{
    typedef unsigned long long wide_t;
    for (uint64_t edge = thread_of_grid(); edge < num_edges; edge += threads_of_grid())
        if constexpr (sizeof(offset_t) == sizeof(wide_t))
            atomicAdd((wide_t *)&counts[targets[edge]], 1ull);
        else
            atomicAdd(&counts[targets[edge]], 1u);
}

/* Stores each edge's source at its target. places: where the next in-neighbour of each vertex goes; moves on. The
 * order of the in-neighbours of a vertex depends on the schedule. */
template <typename offset_t>
__global__ void fill_in_edges(csr<offset_t> out, edge_t num_edges, offset_t *places, vertex_t *in_targets)
{
    typedef unsigned long long wide_t;
    whole_graph<offset_t> all = {out.offsets};
    for_each_edge<UNROLL>(out.targets, all, out.num_vertices, (offset_t)num_edges, spread_warps(),
                          [&](const vertex_t(&targets)[UNROLL], const bool(&has)[UNROLL], const uint64_t *sources) {
#pragma unroll
                              for (unsigned i = 0; i < UNROLL; i++) {
                                  if (!has[i])
                                      continue;
                                  if constexpr (sizeof(offset_t) == sizeof(wide_t))
                                      in_targets[atomicAdd((wide_t *)&places[targets[i]], 1ull)] =
                                          (vertex_t)sources[i];
                                  else
                                      in_targets[atomicAdd(&places[targets[i]], 1u)] = (vertex_t)sources[i];
                              }
                              return false;
                          });
}

/* Allocates a graph of the same size, with offsets of zero. gpu_graph_free in any case. */
static int make_graph_like(const struct gpu_graph *like, struct gpu_graph *graph, struct error *error)
{
    size_t size = like->wide ? sizeof(edge_t) : sizeof(uint32_t), number = (size_t)like->num_vertices + 1;
    *graph = {like->num_vertices, like->num_edges, NULL, NULL, like->wide};
    if (gpu_allocate_bytes(&graph->offsets, number, size, "the graph's offsets", error) != STATUS_OK ||
        gpu_allocate(&graph->targets, graph->num_edges, "the graph's edges", error) != STATUS_OK)
        return error->status;
    return gpu_check(cudaMemset(graph->offsets, 0, number * size), "the graph's offsets", error);
}

/* Makes the transpose of `out` in *in, which the caller frees with gpu_graph_free, also after a failure. */
template <typename offset_t>
static int transpose(const struct gpu_graph *out, struct gpu_graph *in, struct error *error)
{
    size_t number = (size_t)out->num_vertices + 1;
    offset_t *places = NULL;
    if (make_graph_like(out, in, error) == STATUS_OK &&
        gpu_launch(count_in_edges<offset_t>, gpu_wide_grid(out->num_edges), 0, error, (const vertex_t *)out->targets,
                   out->num_edges, (offset_t *)in->offsets) == STATUS_OK &&
        gpu_exclusive_scan((offset_t *)in->offsets, number, error) == STATUS_OK &&
        gpu_allocate(&places, number, "the transpose", error) == STATUS_OK &&
        gpu_check(cudaMemcpy(places, in->offsets, number * sizeof *places, cudaMemcpyDeviceToDevice), "the transpose",
                  error) == STATUS_OK)
        gpu_launch(fill_in_edges<offset_t>, gpu_wide_grid(out->num_edges), 0, error, csr_of<offset_t>(out),
                   out->num_edges, places, in->targets);
    if (error->status == STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "the transpose", error);
    gpu_free(places);
    return error->status;
}

} // namespace BACKEND::stream
