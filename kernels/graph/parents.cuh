/* parents.cuh: derives a BFS tree from the final levels: a parent is any in-neighbour whose level is one lower. */
#pragma once

#include "../device/find_neighbour.cuh"
#include "../device/ids.cuh"

namespace BACKEND
{

template <typename offset_t>
struct parent_search {
    csr<offset_t> in;                 /* in-neighbours, by id */
    const vertex_t *id_of, *input_of; /* by input id; by id; NULL: ids are input ids */
    const uint32_t *level;            /* by input id; UNREACHED: no level */
    const uint32_t *level_by_id;      /* by id, for all in-neighbours; equal to `level` if ids are input ids */
    vertex_t *parent;                 /* the result, by input id */
};

/* Gives each reached vertex a parent. The source is its own parent; unreached vertices get NO_VERTEX. All threads of
 * the grid must call it. */
template <typename offset_t>
DEVICE void find_parents(const parent_search<offset_t> &search, vertex_t source)
{
    const vertex_t num_vertices = search.in.num_vertices;
    for (uint64_t base = thread_of_grid() - lane_id(); base < num_vertices; base += threads_of_grid()) {
        uint64_t vertex = base + lane_id();
        uint32_t level = vertex < num_vertices ? __ldcg(&search.level[vertex]) : UNREACHED;
        bool needs_parent = level != UNREACHED && level > 0;
        uint32_t id = !needs_parent ? 0 : search.id_of != NULL ? search.id_of[vertex] : (uint32_t)vertex;
        offset_t edge = needs_parent ? search.in.offsets[id] : 0,
                 end = needs_parent ? search.in.offsets[(size_t)id + 1] : 0;
        uint32_t steps = UINT32_MAX;
        vertex_t above = find_neighbour(
            search.in.targets, edge, end, level - 1, steps,
            [&](vertex_t neighbour) {
                return load_relaxed_if(neighbour != NO_VERTEX, &search.level_by_id[neighbour]);
            },
            [](vertex_t, uint32_t theirs, uint32_t wanted) { return theirs == wanted; });
        if (above != NO_VERTEX && search.input_of != NULL)
            above = search.input_of[above];
        if (vertex < num_vertices)
            search.parent[vertex] = vertex == source ? source : above;
    }
}

/* Calls find_parents. */
template <typename offset_t>
__global__ void parents_kernel(parent_search<offset_t> search, vertex_t source)
{
    find_parents(search, source);
}

/* Launches parents_kernel for a graph whose ids are input ids. in: the in-neighbours; level, parent: num_vertices in
 * device memory. Returns a status and fills the error. */
template <typename offset_t>
static int launch_parents(const csr<offset_t> &in, const uint32_t *level, vertex_t *parent, vertex_t source,
                          struct error *error)
{
    return gpu_launch(parents_kernel<offset_t>, gpu_wide_grid(in.num_vertices), 0, error,
                      {in, NULL, NULL, level, level, parent}, source);
}

} // namespace BACKEND
