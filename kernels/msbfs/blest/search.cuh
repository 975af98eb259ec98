/* search.cuh: device memory of kappa searches, and its rows of bits.
 *
 * A row has kappa bits, one per source. The bits for frontier, visited and marked have a row per vertex; the active
 * sources have a row per slice set. */
#pragma once

#include "../../bfs/blest/vss_queue.cuh"

namespace BACKEND::msbfs_blest
{

#define MOST_KAPPA  256u
#define MANY_BLOCKS 2 /* blocks of MOST_THREADS per multiprocessor: 64 registers per thread */

/* Device memory of a traversal. Arrays that are not needed are NULL. A row has kappa / 32 words. num_rows = num_sets
 * * SIGMA. row_of gives the index of a vertex's row. */
struct search {
    uint32_t *frontier, *visited, *marked; /* num_rows rows: F, V_curr and V_next */
    uint32_t *active;                      /* num_sets rows: activeSets */
    uint8_t *dirty;                        /* num_sets, rounded up to whole warps; dirtySets */
    uint2 *queue;                          /* num_vss; (VSS, its slice set) */
    uint64_t *counts;                      /* NUM_COUNTS; number of VSSs queued */
    vertex_t *sources;                     /* kappa; only the first num_sources are used */
    uint32_t num_sources;
    uint32_t *level;          /* kappa x num_rows; UNREACHED until found */
    struct source_sums *sums; /* kappa */
    uint64_t *farness;        /* num_rows */
    uint32_t *farness_count;  /* num_rows */
    struct grid_barrier *barrier;
};

/* Sums per source, over the rows that the block settles. `found` is for this level, and all threads add to it. The
 * others are for all levels; thread source % blockDim.x writes a source's entry. */
struct shared {
    uint64_t broadcast;
    uint64_t level_sum[MOST_KAPPA];
    uint32_t found[MOST_KAPPA], reached[MOST_KAPPA], eccentricity[MOST_KAPPA];
};

/* Returns the index of the row of vertex set * SIGMA + column; the paper's getVI. */
static __host__ __device__ __forceinline__ size_t row_of(bool reindexed, uint32_t num_sets, uint32_t set,
                                                         uint32_t column)
{
    return reindexed ? (size_t)column * num_sets + set : (size_t)set * SIGMA + column;
}

DEVICE size_t row_of_vertex(bool reindexed, uint32_t num_sets, vertex_t vertex)
{
    return row_of(reindexed, num_sets, vertex / SIGMA, vertex % SIGMA);
}

template <unsigned words>
DEVICE void load_row(const uint32_t *row, uint32_t (&bits)[words])
{
    if constexpr (words == 1) {
        bits[0] = __ldcg(row);
    } else if constexpr (words == 2) {
        uint2 both = __ldcg((const uint2 *)row);
        bits[0] = both.x;
        bits[1] = both.y;
    } else {
#pragma unroll
        for (unsigned i = 0; i < words; i += 4) {
            uint4 four = __ldcg((const uint4 *)(row + i));
            bits[i] = four.x;
            bits[i + 1] = four.y;
            bits[i + 2] = four.z;
            bits[i + 3] = four.w;
        }
    }
}

template <unsigned words>
DEVICE void store_row(uint32_t *row, const uint32_t (&bits)[words])
{
    if constexpr (words == 1) {
        __stcg(row, bits[0]);
    } else if constexpr (words == 2) {
        __stcg((uint2 *)row, make_uint2(bits[0], bits[1]));
    } else {
#pragma unroll
        for (unsigned i = 0; i < words; i += 4)
            __stcg((uint4 *)(row + i), uint4{bits[i], bits[i + 1], bits[i + 2], bits[i + 3]});
    }
}

} // namespace BACKEND::msbfs_blest
