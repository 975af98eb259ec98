/* ball.cuh: grows balls, and measures on a sample of vertices how fast the balls of a graph grow. A warp runs a BFS
 * from the centre in shared memory until the ball has the wanted radius or becomes too large. */
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <bit>

#include "../engines.h"
#include "index.cuh"

namespace BACKEND::khop
{

#define BUILDER_THREADS 128u /* threads of a block that grows balls */
#define BUILDER_BLOCKS  16u  /* blocks per multiprocessor, if they fit */
#define BUILD_UNROLL    4u   /* edges that a lane loads together */

/* Shared memory in which a warp grows a ball of at most slots / 2 - 1 vertices besides the centre. Once a ball
 * exceeds this, each lane inserts at most one more vertex before it notices, so the table never fills up. */
template <typename word_t>
struct workspace {
    uint32_t *table; /* slots; hash table of the vertices found, without the centre; NO_VERTEX in empty slots */
    word_t *list;    /* slots / 2; the vertices in the order in which they were found, first the centre */
    uint32_t *count; /* vertices found, including the centre */
    unsigned slots;  /* a power of two, at least MIN_SLOTS */
};
#define MIN_SLOTS 128u

template <typename word_t>
static __host__ __device__ size_t workspace_bytes(unsigned slots)
{
    return slots * sizeof(uint32_t) + slots / 2 * sizeof(word_t) + 16;
}

/* Returns the size of the largest ball that fits, not counting its centre. */
DEVICE uint32_t capacity_of(unsigned slots)
{
    return slots / 2 - 1;
}

/* Returns the number of slots of the smallest table that holds a ball of this many vertices. */
static unsigned slots_for(uint32_t entries)
{
    return std::max(std::bit_ceil(2 * (entries + 1)), MIN_SLOTS);
}

/* Returns the workspace of this warp in the shared memory of its block. */
template <typename word_t>
DEVICE struct workspace<word_t> own_workspace(unsigned slots) {
    char *mine = block_shared<char>() + threadIdx.x / WARP_SIZE * workspace_bytes<word_t>(slots);
    char *list = mine + slots * sizeof(uint32_t);
    return {(uint32_t *)mine, (word_t *)list, (uint32_t *)(list + slots / 2 * sizeof(word_t)), slots};
}

/* Inserts the vertex into the table; returns false if it was there already. */
template <typename word_t>
DEVICE bool insert(const struct workspace<word_t> &space, vertex_t vertex)
{
    const uint32_t golden = 2654435761u;
    unsigned slot = vertex * golden >> (__clz((int)space.slots) + 1);
    for (;; slot = (slot + 1) % space.slots) {
        uint32_t old = atomicCAS_block(&space.table[slot], NO_VERTEX, vertex);
        if (old == NO_VERTEX || old == vertex)
            return old == NO_VERTEX;
    }
}

/* Appends the new vertices among the neighbours of u to the list. Returns false once the ball has more than `bound`
 * vertices; the list then ends at `bound`. */
template <typename offset_t, typename word_t>
DEVICE bool add_neighbours(const csr<offset_t> &graph, const struct workspace<word_t> &space, vertex_t centre,
                           vertex_t u, uint32_t bound)
{
    bool fits = true;
    for (offset_t e = graph.offsets[u], end = graph.offsets[u + 1]; e < end && fits; e += BUILD_UNROLL) {
        vertex_t neighbour[BUILD_UNROLL];
#pragma unroll
        for (unsigned i = 0; i < BUILD_UNROLL; i++)
            neighbour[i] = load_if(e + i < end, &graph.targets[e + i]);
#pragma unroll
        for (unsigned i = 0; i < BUILD_UNROLL; i++)
            if (fits && neighbour[i] != NO_VERTEX && neighbour[i] != centre && insert(space, neighbour[i])) {
                uint32_t at = atomicAdd_block(space.count, 1u);
                fits = at <= bound;
                if (fits)
                    space.list[at] = neighbour[i];
            }
    }
    return fits;
}

/* Grows the ball of `centre` to the given radius, or to the largest smaller radius at which it has at most `bound`
 * vertices besides the centre. Returns that radius. For each distance d up to that radius, *end in lane d - 1 is the
 * number of list entries within d steps. All lanes of the warp must call this together, and only when none still
 * reads the previous list. */
template <typename offset_t, typename word_t>
DEVICE unsigned grow(const csr<offset_t> &graph, const struct workspace<word_t> &space, vertex_t centre,
                     unsigned radius, uint32_t bound, uint32_t *end)
{
    const uint4 empty = {NO_VERTEX, NO_VERTEX, NO_VERTEX, NO_VERTEX};
    for (unsigned i = lane_id(); i < space.slots / 4; i += WARP_SIZE)
        ((uint4 *)space.table)[i] = empty;
    if (lane_id() == 0) {
        space.list[0] = centre;
        *space.count = 1;
    }
    __syncwarp();
    uint32_t first = 0, last = 1; /* the list entries at the previous distance */
    *end = 1;
    for (unsigned distance = 1; distance <= radius; distance++) {
        bool fits = true;
        for (uint32_t i = first + lane_id(); i < last && fits; i += WARP_SIZE)
            fits = add_neighbours(graph, space, centre, (vertex_t)space.list[i], bound);
        __syncwarp();
        first = last;
        last = *(volatile uint32_t *)space.count;
        __syncwarp(); /* every lane reads the count before any lane adds to it or starts another ball */
        if (last > bound + 1)
            return distance - 1;
        if (lane_id() + 1 >= distance)
            *end = last;
        if (first == last) /* no vertex is farther away */
            return radius;
    }
    return radius;
}

/* ---- how balls grow ---- */

#define VERTICES_A_SAMPLE 8u /* the sample has at most one in 8 vertices */

/* Writes sizes[i * SAMPLED_RADIUS + r - 1]: the number of vertices within r steps of sample i, or bound + 1 if
 * there are more than bound. */
template <typename offset_t>
__global__ void __launch_bounds__(BUILDER_THREADS)
    sample_growth(csr<offset_t> graph, uint32_t num_samples, uint32_t bound, unsigned slots, uint32_t *sizes)
{
    struct workspace<uint32_t> space = own_workspace<uint32_t>(slots);
    for (uint64_t i = thread_of_grid() / WARP_SIZE; i < num_samples; i += threads_of_grid() / WARP_SIZE) {
        uint64_t random = (i + 1) * 0x9e3779b97f4a7c15ull; /* hashed: even spacing may hit one column of a grid */
        vertex_t vertex = (vertex_t)((random >> 32) * graph.num_vertices >> 32);
        uint32_t end;
        unsigned radius = grow(graph, space, vertex, SAMPLED_RADIUS, bound, &end);
        sizes[i * SAMPLED_RADIUS + lane_id()] = lane_id() < radius ? end - 1 : bound + 1;
    }
}

/* Computes the means and shares of *growth from the sizes. Only num_samples and bound are set before. */
static void sum_up(const uint32_t *sizes, struct ball_growth *growth)
{
    for (unsigned r = 1; r <= SAMPLED_RADIUS; r++) {
        for (uint32_t i = 0; i < growth->num_samples; i++) {
            uint32_t size = sizes[i * SAMPLED_RADIUS + r - 1];
            growth->mean_entries[r] += (double)size / growth->num_samples;
            growth->share_over[r] += size > growth->bound ? 1.0 / growth->num_samples : 0;
        }
    }
}

int ball_growth_sample(const struct gpu_graph *graph, uint32_t most_samples, uint32_t bound, struct ball_growth *growth,
                       struct error *error)
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
        gpu_plan_blocks((const void *)sample_growth<offset_t>, BUILDER_THREADS, BUILDER_BLOCKS, shared_bytes, &grid,
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
