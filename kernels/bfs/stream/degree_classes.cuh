/* degree_classes.cuh: relabels the vertices by degree class, hubs first.
 *
 * A class is a power of two of the degree. Ids ascend from the highest class to the lowest; isolated vertices come
 * last; inside a class the order of the input ids is kept. There are as many classes as lanes, and lane c keeps the
 * count of class c. Five ballots, one per bit of a class number, tell each lane which lanes hold a vertex of class
 * lane_id(), and which hold one of its own vertex's class. So the numbering needs neither shared memory nor atomics,
 * and it is stable: ids ascend within a class, and the writing of the result gathers bytes from few ranges. */
#pragma once

#include "state.cuh"

namespace BACKEND::stream
{

#define NUM_CLASSES   WARP_SIZE         /* one per lane */
#define ISOLATED      (NUM_CLASSES - 1) /* the class of isolated vertices */
#define TILE_VERTICES 1024u             /* vertices that a warp numbers together */

/* The class of a degree; class 0 has all degrees of 2^30 or more. */
static __device__ __forceinline__ unsigned class_of(uint64_t degree)
{
    int zeros = degree >> 32 != 0 ? 0 : __clz((int)degree);
    return (unsigned)max(zeros, 1) - 1;
}

/* Masks of lanes. */
struct same_class {
    unsigned of_lane; /* those that hold a vertex of class lane_id() */
    unsigned of_own;  /* those that hold a vertex of the class of this lane's vertex */
};

/* Compares the classes of the warp's vertices. present: whether the lane holds a vertex. All lanes must call it. */

static __device__ __forceinline__ struct same_class match_classes(unsigned mine, bool present)
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

/* The place of the lane's vertex in its class. Lane c holds the next free place of class c in *places, which moves
 * on. */
static __device__ __forceinline__ uint64_t take_place(uint64_t *places, unsigned mine, struct same_class same)
{
    uint64_t place = __shfl_sync(WHOLE_WARP, *places, (int)mine);
    *places += (unsigned)__popc(same.of_lane);
    return place + (unsigned)__popc(same.of_own & ((1u << lane_id()) - 1));
}

/* The number of out-edges and in-edges. in: NULL if the graph is symmetric. */
template <typename offset_t>
static __device__ __forceinline__ uint64_t degree_of(const offset_t *out, const offset_t *in, uint64_t vertex)
{
    return (uint64_t)(out[vertex + 1] - out[vertex]) + (in != NULL ? in[vertex + 1] - in[vertex] : 0);
}

/* Counts the vertices of each class in each tile: counts[class * num_tiles + tile]. A warp takes a tile at a time. */
template <typename offset_t>
__global__ void count_classes(const offset_t *out, const offset_t *in, vertex_t num_vertices, uint32_t num_tiles,
                              uint32_t *counts)
{
    for (uint64_t tile = thread_of_grid() / WARP_SIZE; tile < num_tiles; tile += threads_of_grid() / WARP_SIZE) {
        uint32_t count = 0;
        for (uint32_t i = lane_id(); i < TILE_VERTICES; i += WARP_SIZE) {
            uint64_t vertex = tile * TILE_VERTICES + i;
            bool present = vertex < num_vertices;
            unsigned mine = present ? class_of(degree_of(out, in, vertex)) : 0;
            count += (unsigned)__popc(match_classes(mine, present).of_lane);
        }
        counts[(uint64_t)lane_id() * num_tiles + tile] = count;
    }
}

/* After an exclusive scan of the counts: the first id of each class. Run by one warp. */
__global__ void find_class_starts(const uint32_t *counts, uint32_t num_tiles, vertex_t *starts)
{
    starts[lane_id()] = counts[(uint64_t)lane_id() * num_tiles];
}

/* What number_vertices reads and writes. */
template <typename offset_t>
struct numbering {
    const offset_t *out, *in; /* of the input; in: NULL if the graph is symmetric */
    vertex_t num_vertices;
    uint32_t num_tiles;
    const uint32_t *counts;             /* after an exclusive scan */
    vertex_t *id_of, *input_of;         /* the numbering and its inverse */
    offset_t *out_degrees, *in_degrees; /* by id; in_degrees: NULL if `in` is */
};

/* Gives every vertex its id, and stores its degrees at that id. */
template <typename offset_t>
__global__ void number_vertices(numbering<offset_t> to)
{
    for (uint64_t tile = thread_of_grid() / WARP_SIZE; tile < to.num_tiles; tile += threads_of_grid() / WARP_SIZE) {
        uint64_t places = to.counts[(uint64_t)lane_id() * to.num_tiles + tile];
        for (uint32_t i = lane_id(); i < TILE_VERTICES; i += WARP_SIZE) {
            uint64_t vertex = tile * TILE_VERTICES + i;
            bool present = vertex < to.num_vertices;
            unsigned mine = present ? class_of(degree_of(to.out, to.in, vertex)) : 0;
            uint64_t id = take_place(&places, mine, match_classes(mine, present));
            if (present) {
                to.id_of[vertex] = (vertex_t)id;
                to.input_of[id] = (vertex_t)vertex;
                to.out_degrees[id] = to.out[vertex + 1] - to.out[vertex];
                if (to.in != NULL)
                    to.in_degrees[id] = to.in[vertex + 1] - to.in[vertex];
            }
        }
    }
}

} // namespace BACKEND::stream
