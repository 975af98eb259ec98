/* tensor_cores.cuh: the multiplication of a VSS by the frontier: on tensor cores in Blest's optimal layout (section
 * 5.1) and in the layout of BerryBees, and on CUDA cores, which tells what tensor cores gain. */
#pragma once

#include "../../graph/bvss.h"

namespace BACKEND::blest
{

#define COLUMN_MASK ((1u << SIGMA) - 1)

enum layout {
    LAYOUT_BERRYBEES,
    LAYOUT_OPTIMAL,
    LAYOUT_BYTEWISE /* no tensor cores: each lane ands its own masks with alpha */
};

/* The optimal layout (section 5.1, figure 3). A holds two slices of each lane at a time. For each lane's word of A,
 * one column of B has alpha where it meets the first slice, and the next column has alpha where it meets the second.
 * So each lane gets the products of its own slices. All lanes of the warp must call it with the same alpha, which has
 * SIGMA bits. */
DEVICE void multiply_by_lanes(uint32_t masks, uint32_t alpha, int (&products)[THETA])
{
    static_assert(THETA == 4, "each of two multiplications takes two slices of a lane");
    uint32_t b = lane_id() % 9 == 0 ? alpha : lane_id() % 9 == 4 ? alpha << SIGMA : 0;
    int low[2] = {0, 0}, high[2] = {0, 0};
    binary_mma(low, masks & 0xffff, b);
    binary_mma(high, masks >> 16, b);
    products[0] = low[0];
    products[1] = low[1];
    products[2] = high[0];
    products[3] = high[1];
}

/* The same on CUDA cores: a bytewise and. products[c] is not 0 if slice c has a neighbour in the frontier. */
DEVICE void and_by_lanes(uint32_t masks, uint32_t alpha, int (&products)[THETA])
{
    uint32_t both = masks & alpha * (UINT32_MAX / COLUMN_MASK); /* alpha in each of the bytes */
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        products[c] = (int)(both >> c * SIGMA & COLUMN_MASK);
}

/* The layout of BerryBees. A holds one slice in each of its eight rows, and the first column of B is alpha, so only 8
 * of 64 products are useful. Lane 4r + q passes in the slices of lane 8q + r; lane 4r gets the products of the slices
 * that lanes 4r .. 4r + 3 passed in. */
DEVICE unsigned pull_by_rows(uint32_t masks, uint32_t alpha)
{
    const unsigned rows = 8, words = 4; /* of A; a word has 32 bits, and `words` words make a row */
    uint32_t of_row = __shfl_sync(WHOLE_WARP, masks, (int)(lane_id() % words * rows + lane_id() / words));
    unsigned hits = 0;
#pragma unroll
    for (unsigned word = 0; word < words; word++)
#pragma unroll
        for (unsigned c = 0; c < THETA; c++) {
            int products[2] = {0, 0};
            uint32_t a = lane_id() % words == word ? of_row >> c * SIGMA & COLUMN_MASK : 0;
            binary_mma(products, a, lane_id() == word ? alpha : 0);
            hits |= (unsigned)(products[0] > 0) << (word * THETA + c);
        }
    hits = __shfl_sync(WHOLE_WARP, hits, (int)(lane_id() % rows * words));
    return hits >> lane_id() / rows * THETA & ((1u << THETA) - 1);
}

/* Which of a lane's THETA slices have a neighbour in the frontier: bit c for column c of the VSS. alpha: the
 * frontier's SIGMA bits of the slice set. All lanes of the warp must call it with the same alpha. */
template <enum layout layout>
DEVICE unsigned pull(uint32_t masks, uint32_t alpha)
{
    if (layout == LAYOUT_BERRYBEES)
        return pull_by_rows(masks, alpha);
    int products[THETA];
    unsigned hits = 0;
    if (layout == LAYOUT_OPTIMAL)
        multiply_by_lanes(masks, alpha, products);
    else
        and_by_lanes(masks, alpha, products);
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        hits |= (unsigned)(products[c] > 0) << c;
    return hits;
}

} // namespace BACKEND::blest
