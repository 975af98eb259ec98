/* degree_classes.cuh: classes. */
#pragma once

#include "state.cuh"

namespace BACKEND::stream
{

#define NUM_CLASSES   WARP_SIZE /* of degrees; a lane each. The last has the isolated vertices */
#define ISOLATED      (NUM_CLASSES - 1)
#define TILE_VERTICES 1024u /* that a warp numbers */

/* ---- preparing: numbering the rows ---- */

/* The class of a degree: highest degrees first. The first has all from 2^30 on, so that there are as many as lanes.
 */
static __device__ __forceinline__ unsigned class_of(uint64_t degree)
{
    int zeros = degree >> 32 != 0 ? 0 : __clz((int)degree);
    return (unsigned)max(zeros, 1) - 1;
}

/* The lanes (of those where present is set) that have the class of this lane's number, and that have this lane's
 * class. All lanes of the warp must come. */
struct same_class {
    unsigned of_lane, of_own;
};

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

/* A lane's place among equals, if lane c holds the next place of class c; these move on. */
static __device__ __forceinline__ uint64_t take_place(uint64_t *places, unsigned mine, struct same_class same)
{
    uint64_t place = __shfl_sync(WHOLE_WARP, *places, (int)mine);
    *places += (unsigned)__popc(same.of_lane);
    return place + (unsigned)__popc(same.of_own & ((1u << lane_id()) - 1));
}

/* in: NULL where the graph is symmetric. */
template <typename offset_t>
static __device__ __forceinline__ uint64_t degree_of(const offset_t *out, const offset_t *in, uint64_t vertex)
{
    return (uint64_t)(out[vertex + 1] - out[vertex]) + (in != NULL ? in[vertex + 1] - in[vertex] : 0);
}

/* Counts the classes of every tile, a warp a tile: counts[class * num_tiles + tile]. */
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

/* After a scan of the counts: the first row of each class; one warp. */
__global__ void find_class_starts(const uint32_t *counts, uint32_t num_tiles, vertex_t *starts)
{
    starts[lane_id()] = counts[(uint64_t)lane_id() * num_tiles];
}

/* Numbers every vertex and leaves its row's out-degree, and in-degree where `in` is not NULL, at the row. */
template <typename offset_t>
__global__ void number_vertices(const offset_t *out, const offset_t *in, vertex_t num_vertices, uint32_t num_tiles,
                                const uint32_t *counts, vertex_t *id_of, vertex_t *input_of, offset_t *out_degrees,
                                offset_t *in_degrees)
{
    for (uint64_t tile = thread_of_grid() / WARP_SIZE; tile < num_tiles; tile += threads_of_grid() / WARP_SIZE) {
        uint64_t places = counts[(uint64_t)lane_id() * num_tiles + tile];
        for (uint32_t i = lane_id(); i < TILE_VERTICES; i += WARP_SIZE) {
            uint64_t vertex = tile * TILE_VERTICES + i;
            bool present = vertex < num_vertices;
            unsigned mine = present ? class_of(degree_of(out, in, vertex)) : 0;
            uint64_t id = take_place(&places, mine, match_classes(mine, present));
            if (present) {
                id_of[vertex] = (vertex_t)id;
                input_of[id] = (vertex_t)vertex;
                out_degrees[id] = out[vertex + 1] - out[vertex];
                if (in != NULL)
                    in_degrees[id] = in[vertex + 1] - in[vertex];
            }
        }
    }
}

} // namespace BACKEND::stream
