/* bottom_up_pass.cuh: pass. */
#pragma once

#include "visited_window.cuh"

namespace BACKEND::stream
{

/* What a bottom-up level's functions share, in shared memory: registers are scarce in stage 1. */
template <typename offset_t>
struct pass {
    struct view view;
    uint32_t *next;
    uint8_t *bytes;
    csr<offset_t> in;
    long_list_queue<offset_t> long_lists;
    uint64_t *long_count;
    unsigned edge_bits;
    uint8_t byte;
    bool queues; /* long rows */
};

template <typename offset_t>
static __device__ __forceinline__ pass<offset_t> *pass_of_block(void)
{
    static_assert(sizeof(pass<offset_t>) <= PASS_BYTES, "a level's pass has its room");
    return (pass<offset_t> *)block_shared<struct shared>()->pass;
}

static __device__ __forceinline__ struct warp_scratch *scratch_of_warp(void)
{
    return &block_shared<struct shared>()->warps[threadIdx.x / WARP_SIZE];
}

/* Found and unvisited rows in one word; a row found late was counted as unvisited before. */
static __device__ __forceinline__ uint64_t tally_of(uint32_t found, uint32_t found_late, uint32_t unvisited)
{
    found = __reduce_add_sync(WHOLE_WARP, found);
    found_late = __reduce_add_sync(WHOLE_WARP, found_late);
    unvisited = __reduce_add_sync(WHOLE_WARP, unvisited);
    return (uint64_t)(found + found_late) << 32 | (unvisited - found_late);
}

/* Adds up what the warps of the block have counted since the tally was cleared. */
static __device__ __forceinline__ void add_tally(struct shared *shared, uint64_t mine, uint64_t *count)
{
    typedef unsigned long long wide_t;
    if (lane_id() == 0)
        atomicAdd((wide_t *)&shared->tally, (wide_t)mine);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    uint64_t tally = *(volatile uint64_t *)&shared->tally;
    if (tally & LONG_LISTS)
        atomicOr((wide_t *)count, (wide_t)LONG_LISTS);
    atomicAdd((wide_t *)count, (wide_t)(tally & ~LONG_LISTS));
}

} // namespace BACKEND::stream
