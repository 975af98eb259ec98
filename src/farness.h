/* farness.h: the terms of sums of levels, and of sums of their reciprocals, over many sources. */
#pragma once

#include "algorithm.h"

/* The unit of reciprocals: farness stays below 2^63 and does not depend on the order of the sources. Rounding takes
 * less than n^2 / 2^64 off a sum. */
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
