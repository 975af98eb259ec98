/* index.cuh: the kernels' view of the index.
 *
 * The ball of a vertex v holds all vertices within r steps of v, with their distances. r is k, or less if the ball
 * would be too large. One load gives all vertices that r levels of a BFS would find.
 *
 * A row of the index is the ball of one vertex. Its entries are id << distance_bits | distance, in ascending order,
 * so that neighbouring lanes touch neighbouring levels. NO_ENTRY pads a row to whole units of 32 bytes. A high-degree
 * vertex has more neighbours than a ball may have entries. Its row holds all its neighbours and has radius 1. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/ids.cuh"

namespace BACKEND::khop
{

#define THREADS         1024u /* threads of a traversing block */
#define MAX_LIST_SIZE   1024u /* maximal number of items per list of a block */
#define LEAST_LIST_SIZE 32u

/* For a condition that is rarely true: tells the compiler to move the code out of the hot path. */
#define RARELY(condition) __builtin_expect((condition), false)

#define UNIT_BYTES 32u /* rows begin at a multiple of this */

/* Where a vertex's row is: first unit | number of units << 32 | radius << 59. */
typedef uint64_t row_t;
#define UNITS_SHIFT  32
#define RADIUS_SHIFT 59
#define MAX_UNITS    (1u << (RADIUS_SHIFT - UNITS_SHIFT)) /* every row has fewer units */

DEVICE uint32_t first_of(row_t row)
{
    return (uint32_t)row;
}

DEVICE uint32_t units_of(row_t row)
{
    return (uint32_t)(row >> UNITS_SHIFT) & (MAX_UNITS - 1);
}

DEVICE unsigned radius_of(row_t row)
{
    return (unsigned)(row >> RADIUS_SHIFT);
}

template <typename word_t>
struct ball_index {
    const row_t *rows;     /* num_vertices */
    const word_t *entries; /* num_units * ENTRIES_OF_UNIT */
    unsigned distance_bits;
};

/* The padding at the end of a row. No entry has this value. */
template <typename word_t>
constexpr word_t NO_ENTRY = (word_t)-1;

template <typename word_t>
constexpr unsigned ENTRIES_OF_UNIT = UNIT_BYTES / sizeof(word_t);

} // namespace BACKEND::khop
