/* tensor_cores.cuh: multiplies a VSS by the frontier: on tensor cores in Blest's optimal layout (section 5.1) or in
 * BerryBees' layout, or on CUDA cores, which shows what tensor cores gain. */
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

/* The optimal layout (section 5.1, figure 3). Matrix A holds two slices of each lane at a time. For each lane's word
 * of A, one column of B has alpha in the rows of the first slice. The next column has alpha in the rows of the
 * second. So each lane gets the products of its own slices. All lanes of the warp must call it with the same alpha
 * (SIGMA bits). */
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

/* Does the same on CUDA cores, by a bytewise and. products[c] is not 0 if slice c has a neighbour in the frontier. */
DEVICE void and_by_lanes(uint32_t masks, uint32_t alpha, int (&products)[THETA])
{
    uint32_t both = masks & alpha * (UINT32_MAX / COLUMN_MASK); /* alpha is copied to each byte */
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        products[c] = (int)(both >> c * SIGMA & COLUMN_MASK);
}

/* The layout of BerryBees. A holds one slice in each of its eight rows, and all columns of B are alpha, so only 8 of
 * 64 products are useful. Four lanes hold a row of A. In each row, a multiplication takes slice c of one of these
 * lanes. The same lane gets the row's product, and calls use(c) if the product is not 0. All lanes of the warp must
 * call it with the same alpha. */
DEVICE void multiply_by_rows(uint32_t masks, uint32_t alpha, auto use)
{
    const unsigned words = 4;                        /* words, and lanes, per row of A */
    uint32_t b = alpha * (UINT32_MAX / COLUMN_MASK); /* alpha is copied to each byte */
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
#pragma unroll
        for (unsigned word = 0; word < words; word++) {
            int products[2] = {0, 0};
            bool mine = lane_id() % words == word;
            binary_mma(products, mine ? masks & COLUMN_MASK << c * SIGMA : 0, b);
            if (mine && products[0] > 0)
                use(c);
        }
}

/* Returns which of the lane's THETA slices have a neighbour in the frontier: bit c for slice c. alpha: the frontier's
 * SIGMA bits of the slice set. All lanes of the warp must call it with the same alpha. */
template <enum layout layout>
DEVICE unsigned pull(uint32_t masks, uint32_t alpha)
{
    int products[THETA];
    unsigned hits = 0;
    if (layout == LAYOUT_BERRYBEES) {
        multiply_by_rows(masks, alpha, [&](unsigned c) { hits |= 1u << c; });
        return hits;
    }
    if (layout == LAYOUT_OPTIMAL)
        multiply_by_lanes(masks, alpha, products);
    else
        and_by_lanes(masks, alpha, products);
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        hits |= (unsigned)(products[c] > 0) << c;
    return hits;
}

/* Calls update(c) for each slice that pull() would return. In BerryBees' layout, the eight lanes that hold products
 * update before the next multiplication. In the other layouts, all lanes update after the last multiplication. */
template <enum layout layout>
DEVICE void pull_and_update(uint32_t masks, uint32_t alpha, auto update)
{
    if (layout == LAYOUT_BERRYBEES)
        return multiply_by_rows(masks, alpha, update);
    unsigned hits = pull<layout>(masks, alpha);
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        if (hits >> c & 1)
            update(c);
}

} // namespace BACKEND::blest
