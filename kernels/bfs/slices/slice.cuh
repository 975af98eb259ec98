/* slice.cuh: neighbour slices, and the rows that hold them.
 *
 * A slice is one word for up to 8 neighbours: the number of a byte of the visited bitmap, and a mask of bits in it.
 * So one look at the bitmap tests all of them, and one atomic marks them. The order of the vertices (order.cuh) puts
 * vertices with common neighbours side by side, so that slices are full.
 *
 * A row is the number of a vertex on the device; bit `row` of a bitmap stands for it. A row has a head of 16 bytes.
 * Up to four slices lie in the head. If there are more, the head has the first two, the number of quads, and the
 * first quad in an array that all rows share; a quad is four slices. Empty slices have an empty mask. */
#ifndef GTRAV_BFS_SLICES_SLICE_CUH
#define GTRAV_BFS_SLICES_SLICE_CUH

#include "../../device/bitmap.cuh"
#include "../../device/ids.cuh"
#include "../../device/warp.cuh"

namespace BACKEND::slices
{

#define SLICE_ROWS  8u         /* neighbours of a slice */
#define WORD_GROUPS 4u         /* groups of SLICE_ROWS rows in a word of a bitmap */
#define HEAD_SLICES 4u         /* in the head of a short row, and in a quad */
#define LONG_SLICES 2u         /* in the head of a long row */
#define LONG_ROW    (1u << 31) /* flag in the last word of a head: the row is long; the other bits: its first quad */
#define MOST_ROWS   (1u << 26) /* so that no slice has the bit LONG_ROW */
#define MOST_QUADS  (1ull << 30)
#define NO_ROW      UINT32_MAX /* of an isolated vertex */

/* The rows of all vertices, for out-neighbours or for in-neighbours. */
struct rows {
    const uint4 *heads; /* by row */
    const uint4 *quads;
};

static __device__ __forceinline__ uint32_t make_slice(uint32_t row)
{
    return row / SLICE_ROWS << SLICE_ROWS | 1u << row % SLICE_ROWS;
}

/* The word of a bitmap, and the bits in it, of a slice's neighbours. */
static __device__ __forceinline__ uint32_t word_of(uint32_t slice)
{
    return slice / (1u << SLICE_ROWS) / WORD_GROUPS;
}

static __device__ __forceinline__ uint32_t bits_of(uint32_t slice)
{
    return (slice & 0xff) << (slice >> SLICE_ROWS) % WORD_GROUPS * SLICE_ROWS;
}

static __device__ __forceinline__ bool is_long(uint4 head)
{
    return (head.w & LONG_ROW) != 0;
}

static __device__ __forceinline__ uint32_t first_quad(uint4 head)
{
    return head.w & ~LONG_ROW;
}

/* The number of slices of a row, counting the padding of its last quad. */
static __device__ __forceinline__ uint32_t slices_of(uint4 head)
{
    return is_long(head) ? LONG_SLICES + HEAD_SLICES * head.z
                         : (head.x != 0) + (head.y != 0) + (head.z != 0) + (head.w != 0);
}

/* The slices that lie in the head. */
static __device__ __forceinline__ uint4 slices_in(uint4 head)
{
    return is_long(head) ? uint4{head.x, head.y, 0, 0} : head;
}

} // namespace BACKEND::slices

#endif
