/* farness.h: the term that a level adds to a vertex's farness: the level, or its reciprocal as an integer. */
#pragma once

#include "algorithm.h"

/* The integer that stands for 1 in sums of reciprocals. A sum over all sources stays below 2^63, and is the same in
 * any order of the sources. Rounding changes it by less than n^2 / 2^64. */
static inline uint64_t harmonic_one(vertex_t num_vertices)
{
    return UINT64_MAX / 2 / num_vertices;
}
/* Returns what a level adds to a vertex's farness. */
static inline uint64_t farness_term(unsigned outputs, vertex_t num_vertices, uint32_t level)
{
    if (!(outputs & OUTPUT_HARMONIC))
        return level;
    return level > 0 ? (harmonic_one(num_vertices) + level / 2) / level : 0;
}
