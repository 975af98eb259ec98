/* bottom_up_pass.cuh: the shared arguments of a bottom-up level's functions, and the count of vertices found.
 *
 * A bottom-up level tests "is the neighbour visited" instead of "is the neighbour in the frontier". This is
 * correct because every level is complete when it ends. When the level that finds distance k + 1 begins, the
 * current bitmap holds exactly the vertices of distance 0 to k. Let v be a vertex outside it with an
 * in-neighbour u inside it. Then dist(v) is at least k + 1 and at most dist(u) + 1, so dist(u) is k and dist(v)
 * is k + 1. The level marks the vertices that it finds in the next bitmap, which no thread tests before the
 * barrier. */
#pragma once

#include "visited_window.cuh"

namespace BACKEND::dobfs
{

/* The arguments of the level, in shared memory because stage 1 needs the registers. */
template <typename offset_t>
struct bottom_up_pass {
    struct view view;
    uint32_t *next; /* bitmap */
    uint8_t *bytes;
    vertex_t *parent_by_id; /* NULL unless parents are recorded */
    csr<offset_t> in;
    queue<offset_t> high_degree; /* whose lists all warps search together, with the edges that are left to search */
    uint64_t *high_degree_count;
    unsigned edge_bits;
    uint8_t byte; /* of the level */
    bool queues;  /* whether the remainders of high-degree vertices' lists are queued for all warps */
};

template <typename offset_t>
static __device__ __forceinline__ bottom_up_pass<offset_t> *pass_of_block(void)
{
    static_assert(sizeof(bottom_up_pass<offset_t>) <= PASS_BYTES, "shared.pass is large enough");
    return (bottom_up_pass<offset_t> *)block_shared<struct shared>()->pass;
}

static __device__ __forceinline__ struct warp_scratch *scratch_of_warp(void)
{
    return &block_shared<struct shared>()->warps[threadIdx.x / WARP_SIZE];
}

/* The warp's sums, in the format of a bottom-up level's count. found_late: vertices that stage 3 found after
 * they had been counted as unvisited. */
static __device__ __forceinline__ uint64_t tally_of(uint32_t found, uint32_t found_late, uint32_t unvisited)
{
    found = __reduce_add_sync(WHOLE_WARP, found);
    found_late = __reduce_add_sync(WHOLE_WARP, found_late);
    unvisited = __reduce_add_sync(WHOLE_WARP, unvisited);
    return (uint64_t)(found + found_late) << 32 | (unvisited - found_late);
}

/* Adds the sum of the tallies of the block's warps to *count. Before the first warp adds its tally,
 * shared->tally is 0, or the flag HIGH_DEGREE_QUEUED alone. All threads of the block must call it. */
static __device__ __forceinline__ void add_tally(struct shared *shared, uint64_t mine, uint64_t *count)
{
    typedef unsigned long long wide_t;
    if (lane_id() == 0)
        atomicAdd((wide_t *)&shared->tally, (wide_t)mine);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    uint64_t tally = *(volatile uint64_t *)&shared->tally;
    if (tally & HIGH_DEGREE_QUEUED)
        atomicOr((wide_t *)count, (wide_t)HIGH_DEGREE_QUEUED);
    atomicAdd((wide_t *)count, (wide_t)(tally & ~HIGH_DEGREE_QUEUED));
}

} // namespace BACKEND::dobfs
