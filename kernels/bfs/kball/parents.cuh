/* parents.cuh: the BFS tree, found from the final levels. */
#ifndef GTRAV_BFS_KBALL_PARENTS_CUH
#define GTRAV_BFS_KBALL_PARENTS_CUH

#include "common.cuh"

namespace BACKEND::kball
{

/* Every stride-th arc of a vertex, from `first` on. */
template <typename offset_t>
struct arcs {
    offset_t first, end;
    unsigned stride;
};

/* Makes v the parent of the vertices at level `next` among the targets of its arcs. */
template <typename offset_t>
static __device__ __forceinline__ void set_parents(const csr<offset_t> &graph, const uint32_t *level,
                                                   vertex_t *parent, vertex_t v, uint32_t next,
                                                   struct arcs<offset_t> arcs)
{
    for (offset_t arc = arcs.first; arc < arcs.end; arc += arcs.stride) {
        vertex_t neighbour = graph.targets[arc];
        if (level[neighbour] == next)
            __stcg(&parent[neighbour], v); /* the last writer wins; any parent is right */
    }
}

/* Finds a parent of every reached vertex. A lane handles the arcs of a vertex with few of them; a warp handles
 * those of a vertex with many. Levels must be final. */
template <typename offset_t>
__global__ void find_parents(csr<offset_t> graph, const uint32_t *level, vertex_t source, vertex_t *parent)
{
    for (uint64_t first = thread_of_grid() - lane_id(); first < graph.num_vertices; first += threads_of_grid()) {
        uint64_t v = first + lane_id();
        offset_t arc = 0, end = 0;
        uint32_t mine = UNREACHED;
        if (v < graph.num_vertices) {
            mine = level[v];
            arc = graph.offsets[v];
            end = graph.offsets[v + 1];
            if (mine == UNREACHED || v == source) /* no other thread writes the parents of these */
                parent[v] = v == source ? source : NO_VERTEX;
        }
        if (mine == UNREACHED)
            end = arc;
        for (unsigned many = __ballot_sync(WHOLE_WARP, end - arc > WARP_SIZE); many != 0; many &= many - 1) {
            int owner = __ffs((int)many) - 1;
            offset_t owner_arc = __shfl_sync(WHOLE_WARP, arc, owner), owner_end = __shfl_sync(WHOLE_WARP, end, owner);
            uint32_t owner_level = __shfl_sync(WHOLE_WARP, mine, owner);
            set_parents<offset_t>(graph, level, parent, (vertex_t)(first + (unsigned)owner), owner_level + 1,
                                  {owner_arc + lane_id(), owner_end, WARP_SIZE});
            if ((int)lane_id() == owner)
                end = arc;
        }
        set_parents<offset_t>(graph, level, parent, (vertex_t)v, mine + 1, {arc, end, 1});
    }
}

} // namespace BACKEND::kball

#endif
