/* ball.cuh: grows a ball. A warp runs a BFS from the centre in shared memory until the ball has the wanted
 * radius or becomes too large. */
#pragma once

#include "common.cuh"

namespace BACKEND::khop
{

#define BUILDER_THREADS 128u /* of a block that grows balls */
#define BUILDER_BLOCKS  16u  /* on a multiprocessor, if they fit */
#define BUILD_UNROLL    4u   /* edges that a lane has in flight */

/* Shared memory in which a warp grows a ball of at most slots / 2 - 1 vertices, not counting the centre. Once a ball
 * exceeds this, each lane inserts at most one more vertex before it notices, so the table never fills up. */
template <typename word_t>
struct workspace {
    uint32_t *table; /* slots: hash table of the vertices found, without the centre; NO_VERTEX in empty slots */
    word_t *list;    /* slots / 2: the vertices in the order in which they were found; the centre comes first */
    uint32_t *count; /* vertices found, including the centre */
    unsigned slots;  /* a power of two, at least MIN_SLOTS */
};
#define MIN_SLOTS 128u

template <typename word_t>
static __host__ __device__ size_t workspace_bytes(unsigned slots)
{
    return slots * sizeof(uint32_t) + slots / 2 * sizeof(word_t) + 16;
}

/* The size of the largest ball that fits, not counting its centre. */
static __host__ __device__ uint32_t capacity_of(unsigned slots)
{
    return slots / 2 - 1;
}

/* The smallest table that holds a ball of this many vertices. */
static unsigned slots_for(uint32_t entries)
{
    unsigned slots = MIN_SLOTS;
    while (capacity_of(slots) < entries)
        slots *= 2;
    return slots;
}

/* The workspace of this warp in the shared memory of its block. */
template <typename word_t>
static __device__ __forceinline__ struct workspace<word_t> own_workspace(unsigned slots) {
    char *mine = block_shared<char>() + threadIdx.x / WARP_SIZE * workspace_bytes<word_t>(slots);
    char *list = mine + slots * sizeof(uint32_t);
    return {(uint32_t *)mine, (word_t *)list, (uint32_t *)(list + slots / 2 * sizeof(word_t)), slots};
}

/* Inserts the vertex into the table; returns false if it was there already. */
template <typename word_t>
static __device__ __forceinline__ bool insert(const struct workspace<word_t> &space, vertex_t vertex)
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
static __device__ __forceinline__ bool add_neighbours(const csr<offset_t> &graph,
                                                      const struct workspace<word_t> &space, vertex_t centre,
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

/* Grows the ball of `centre` to the given radius, or to the largest smaller radius at which it has at most
 * `bound` vertices besides the centre. Returns that radius. For each distance d up to that radius, *end in lane
 * d - 1 is the end of the vertices within d steps in the list. All lanes of the warp must call this together,
 * after all have finished reading the previous list. */
template <typename offset_t, typename word_t>
static __device__ __forceinline__ unsigned grow(const csr<offset_t> &graph, const struct workspace<word_t> &space,
                                                vertex_t centre, unsigned radius, uint32_t bound, uint32_t *end)
{
    const uint4 empty = {NO_VERTEX, NO_VERTEX, NO_VERTEX, NO_VERTEX};
    for (unsigned i = lane_id(); i < space.slots / 4; i += WARP_SIZE)
        ((uint4 *)space.table)[i] = empty;
    if (lane_id() == 0) {
        space.list[0] = centre;
        *space.count = 1;
    }
    __syncwarp();
    uint32_t first = 0, last = 1; /* the vertices at the previous distance */
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

} // namespace BACKEND::khop
