/* parents.cuh: derives a BFS tree from the final levels: a parent is any in-neighbour whose level is one lower. */
#pragma once

#include "../device/find_neighbour.cuh"
#include "../device/ids.cuh"

namespace BACKEND
{

/* Gives each reached vertex a parent. The source is its own parent; unreached vertices get NO_VERTEX. */
template <typename offset_t>
__global__ void find_parents(csr<offset_t> in, const uint32_t *level, vertex_t *parent, vertex_t source)
{
    for (uint64_t base = thread_of_grid() - lane_id(); base < in.num_vertices; base += threads_of_grid()) {
        uint64_t vertex = base + lane_id();
        uint32_t own = vertex < in.num_vertices ? __ldcg(&level[vertex]) : UNREACHED, steps = UINT32_MAX;
        bool needs_parent = own != UNREACHED && own > 0;
        offset_t edge = needs_parent ? in.offsets[vertex] : 0, end = needs_parent ? in.offsets[vertex + 1] : 0;
        vertex_t above = find_neighbour(
            in.targets, edge, end, own - 1, steps,
            [&](vertex_t neighbour) { return load_relaxed_if(neighbour != NO_VERTEX, &level[neighbour]); },
            [](vertex_t, uint32_t theirs, uint32_t wanted) { return theirs == wanted; });
        if (vertex < in.num_vertices)
            parent[vertex] = vertex == source ? source : above;
    }
}

/* Launches find_parents. in: the in-neighbours; level, parent: num_vertices in device memory. Returns a status and
 * fills the error. */
template <typename offset_t>
static int launch_parents(const csr<offset_t> &in, const uint32_t *level, vertex_t *parent, vertex_t source,
                          struct error *error)
{
    return gpu_launch(find_parents<offset_t>, gpu_wide_grid(in.num_vertices), 0, error, in, level, parent, source);
}

} // namespace BACKEND
