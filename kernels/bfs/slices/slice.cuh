/* slice.cuh: neighbour slices, and where those of a vertex are.
 *
 * A slice is one word for up to 8 neighbours: the number of a byte of the visited bitmap, and a mask of bits in it.
 * So one look at the bitmap tests all of them, and one atomic marks them. The order of the vertices (order.cuh) puts
 * vertices with common neighbours side by side, so that slices are full.
 *
 * A vertex with neighbours has an id of its own on the device, a bit of each bitmap, and a head of 16 bytes.
 * Up to four slices lie in the head. If there are more, the head has the first two, the number of groups, and the
 * first group in an array that all vertices share; a group is four slices. Empty slices have an empty mask. */
#pragma once

#include "../../device/bitmap.cuh"
#include "../../device/ids.cuh"
#include "../../device/warp.cuh"

namespace BACKEND::slices
{

#define SLICE_VERTICES 8u         /* neighbours of a slice */
#define WORD_BYTES     4u         /* bytes in a word of a bitmap, each of SLICE_VERTICES vertices */
#define HEAD_SLICES    4u         /* in the head of a vertex without groups, and in a group */
#define FIRST_SLICES   2u         /* in the head of a vertex with groups */
#define HAS_GROUPS     (1u << 31) /* flag in the last word of a head; the other bits: the first group */
#define MOST_VERTICES  (1u << 26) /* so that no slice has the bit HAS_GROUPS */
#define MOST_GROUPS    (1ull << 30)

/* The slices of all vertices, for out-neighbours or for in-neighbours. */
struct neighbours {
    const uint4 *heads; /* by vertex */
    const uint4 *groups;
};

static __device__ __forceinline__ uint32_t make_slice(uint32_t vertex)
{
    return vertex / SLICE_VERTICES << SLICE_VERTICES | 1u << vertex % SLICE_VERTICES;
}

/* The word of a bitmap, and the bits in it, of a slice's neighbours. */
static __device__ __forceinline__ uint32_t word_of(uint32_t slice)
{
    return slice / (1u << SLICE_VERTICES) / WORD_BYTES;
}

static __device__ __forceinline__ uint32_t bits_of(uint32_t slice)
{
    return (slice & 0xff) << (slice >> SLICE_VERTICES) % WORD_BYTES * SLICE_VERTICES;
}

static __device__ __forceinline__ bool has_groups(uint4 head)
{
    return (head.w & HAS_GROUPS) != 0;
}

static __device__ __forceinline__ uint32_t first_group(uint4 head)
{
    return head.w & ~HAS_GROUPS;
}

/* The number of slices of a vertex, counting the padding of its last group. */
static __device__ __forceinline__ uint32_t slices_of(uint4 head)
{
    return has_groups(head) ? FIRST_SLICES + HEAD_SLICES * head.z
                            : (head.x != 0) + (head.y != 0) + (head.z != 0) + (head.w != 0);
}

/* The slices that lie in the head. */
static __device__ __forceinline__ uint4 slices_in(uint4 head)
{
    return has_groups(head) ? uint4{head.x, head.y, 0, 0} : head;
}

} // namespace BACKEND::slices
