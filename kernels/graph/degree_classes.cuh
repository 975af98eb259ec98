/* degree_classes.cuh: numbers the vertices by degree class.
 *
 * There are as many classes as lanes, and lane c keeps the count of class c. Five ballots, one per bit of a class
 * number, tell each lane which lanes have a vertex of class lane_id(), and which have one of the same class as its
 * own vertex. So the numbering needs neither shared memory nor atomics, and it is stable: within a class, ids ascend
 * with input ids. So a block that writes results by input id reads from a few contiguous ranges. */
#pragma once

#include "../device/ids.cuh"
#include "../device/warp.cuh"
#include "degree_order.h"

namespace BACKEND::degree_classes
{

#define TILE_VERTICES 1024u /* vertices that a warp numbers together */

/* Masks of lanes. */
struct same_class {
    unsigned of_lane; /* lanes that hold a vertex of class lane_id() */
    unsigned of_own;  /* lanes that hold a vertex of the same class as this lane's vertex */
};

/* Compares the classes of the warp's vertices. present: the lane has a vertex. All lanes must call it. */
DEVICE struct same_class match_classes(unsigned mine, bool present)
{
    unsigned all = __ballot_sync(WHOLE_WARP, present);
    struct same_class same = {all, all};
#pragma unroll
    for (unsigned bit = 1; bit < NUM_CLASSES; bit *= 2) {
        unsigned have = __ballot_sync(WHOLE_WARP, (mine & bit) != 0);
        same.of_lane &= lane_id() & bit ? have : ~have;
        same.of_own &= mine & bit ? have : ~have;
    }
    return same;
}

/* Takes a place for the lane's vertex in its class. *places: in lane c, the next place of class c; updated. */
DEVICE uint64_t take_place(uint64_t *places, unsigned mine, struct same_class same)
{
    uint64_t place = __shfl_sync(WHOLE_WARP, *places, (int)mine);
    *places += (unsigned)__popc(same.of_lane);
    return place + lanes_before(same.of_own);
}

/* Returns the class of a vertex. power: that of the degree, if it is not 0. */
HOST_DEVICE unsigned class_of_degree(uint64_t degree, unsigned power, uint64_t out_degree)
{
    if (degree == 0)
        return out_degree > 0 ? ONLY_OUT : ISOLATED;
    return CLASS_OF_POWER(power < HIGHEST_POWER ? power : HIGHEST_POWER);
}

/* The degrees by which vertices are classified. */
template <typename offset_t>
struct degrees {
    const offset_t *in, *out; /* offsets; equal if the graph is symmetric */
    bool both;                /* classify by in-degree plus out-degree; otherwise by in-degree */

    __device__ __forceinline__ unsigned class_of(uint64_t vertex) const
    {
        uint64_t degree = in[vertex + 1] - in[vertex], out_degree = out[vertex + 1] - out[vertex];
        degree += both ? out_degree : 0;
        unsigned power = degree >> 32 != 0 ? 32 : 31 - (unsigned)__clz((int)degree);
        return class_of_degree(degree, power, out_degree);
    }
};

/* Counts the vertices of each class in each tile: counts[class * num_tiles + tile]. A warp takes a tile at a time. */
template <typename offset_t>
__global__ void count_classes(degrees<offset_t> degrees, vertex_t num_vertices, uint32_t num_tiles, uint32_t *counts)
{
    for (uint64_t tile = thread_of_grid() / WARP_SIZE; tile < num_tiles; tile += threads_of_grid() / WARP_SIZE) {
        uint32_t count = 0;
        for (uint32_t i = lane_id(); i < TILE_VERTICES; i += WARP_SIZE) {
            uint64_t vertex = tile * TILE_VERTICES + i;
            bool present = vertex < num_vertices;
            unsigned mine = present ? degrees.class_of(vertex) : 0;
            count += (unsigned)__popc(match_classes(mine, present).of_lane);
        }
        counts[(uint64_t)lane_id() * num_tiles + tile] = count;
    }
}

/* Finds the first id of each class, after an exclusive scan of the counts. One warp runs it. */
__global__ void find_class_starts(const uint32_t *counts, uint32_t num_tiles, vertex_t *starts)
{
    starts[lane_id()] = counts[(uint64_t)lane_id() * num_tiles];
}

/* Gives every vertex its id. counts: after the scan. */
template <typename offset_t>
__global__ void number_vertices(degrees<offset_t> degrees, vertex_t num_vertices, uint32_t num_tiles,
                                const uint32_t *counts, vertex_t *id_of, vertex_t *input_of)
{
    for (uint64_t tile = thread_of_grid() / WARP_SIZE; tile < num_tiles; tile += threads_of_grid() / WARP_SIZE) {
        uint64_t places = counts[(uint64_t)lane_id() * num_tiles + tile];
        for (uint32_t i = lane_id(); i < TILE_VERTICES; i += WARP_SIZE) {
            uint64_t vertex = tile * TILE_VERTICES + i;
            bool present = vertex < num_vertices;
            unsigned mine = present ? degrees.class_of(vertex) : 0;
            uint64_t id = take_place(&places, mine, match_classes(mine, present));
            if (present) {
                id_of[vertex] = (vertex_t)id;
                input_of[id] = (vertex_t)vertex;
            }
        }
    }
}

} // namespace BACKEND::degree_classes
