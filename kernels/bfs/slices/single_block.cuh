/* single_block.cuh: consecutive levels of few vertices, run by block 0 while the other blocks wait at the barrier. A
 * level costs a barrier of the block; one of at most ONE_WARP_VERTICES vertices is run by a single warp and costs
 * none. */
#pragma once

#include "listed.cuh"

namespace BACKEND::slices
{

#define ONE_WARP_VERTICES WARP_VERTICES

/* Whether block 0 goes on alone after a level that has found this. */
template <bool full>
static __device__ __forceinline__ bool stays_single_block(const struct block<full> &block, uint32_t found)
{
    return found > 0 && found <= block.rules.single_block_vertices; /* the flag FOUND_HIGH_DEGREE makes it larger */
}

/* Runs levels while they suit one warp, or the whole block, from the list `level % 2` on. vertices: of the frontier.
 * Leaves the level in block.level. Returns what the last level has found, as struct found counts it. */
template <bool one_warp, bool full>
static __device__ __forceinline__ uint32_t run_levels(struct block<full> &block, uint32_t vertices)
{
    struct shared *shared = block.shared;
    uint32_t found = vertices;
    do {
        struct found *number = count_of(shared->single_block, block.level);
        if (threadIdx.x == 0)
            *count_of(shared->single_block, block.level + 1) = {};
        expand_vertices<true, one_warp>(block, shared->lists[block.level % 2], found,
                                        {shared->lists[(block.level + 1) % 2], number});
        if (one_warp)
            __syncwarp();
        else
            __syncthreads();
        found = load_volatile(&number->vertices); /* the next level adds to another count */
        block.level++;
    } while (stays_single_block(block, found) && (found <= ONE_WARP_VERTICES) == one_warp);
    return found;
}

#define SUM_HIGH_DEGREE                                                                                              \
    (1u << (SUM_SLICE_BITS - 1)) /* flag in the sum of vertices: high-degree vertices are listed */

/* Runs levels until none is left, or one has too many vertices or has left high-degree vertices to the grid. So many
 * vertices of the frontier are in search.list, or are the source in list 0 at level 0. The next frontier is then in
 * search.list, or, if it does not fit into the lists or is not complete, in search.resumed. The sums of the next
 * barrier say how many vertices it has, with the flag SUM_HIGH_DEGREE, and, instead of slices, how many levels were
 * run. Only block 0 may call it, with all its threads. */
template <bool full>
static __device__ __forceinline__ void run_single_block(struct block<full> &block, uint32_t vertices)
{
    struct shared *shared = block.shared;
    const uint32_t first = block.level;
    uint32_t found = vertices;
    if (first > 0) {
        if (full)
            load_window(block, block.visited);
        for (uint32_t i = threadIdx.x; i < vertices; i += blockDim.x)
            shared->lists[block.level % 2][i] = __ldcg(&block.search.list[i]);
    }
    if (threadIdx.x == 0)
        *count_of(shared->single_block, block.level) = {};
    __syncthreads();
    do {
        if (found > ONE_WARP_VERTICES) {
            found = run_levels<false>(block, found);
            __syncthreads(); /* all have read the last count, which one warp would soon clear */
            continue;
        }
        if (warp_of_block() == 0) {
            found = run_levels<true>(block, found);
            if (lane_id() == 0) {
                store_volatile(&shared->found, found);
                store_volatile(&shared->level, block.level);
            }
        }
        __syncthreads();
        found = load_volatile(&shared->found);
        block.level = load_volatile(&shared->level);
    } while (stays_single_block(block, found));
    const uint32_t *list = shared->lists[block.level % 2];
    if (has_spilled(block.rules, found) || (found & FOUND_HIGH_DEGREE))
        resume_vertices(block, list, listed(block.rules, found));
    else
        for (uint32_t i = threadIdx.x; i < listed(block.rules, found); i += blockDim.x)
            __stcg(&block.search.list[i], list[i]);
    if (threadIdx.x == 0) {
        shared->vertices = (found & ~FOUND_HIGH_DEGREE) | (found & FOUND_HIGH_DEGREE ? SUM_HIGH_DEGREE : 0);
        shared->slices = block.level - first;
    }
}

} // namespace BACKEND::slices
