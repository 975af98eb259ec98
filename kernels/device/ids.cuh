/* ids.cuh: the numbers of threads and warps in the grid, and teams of threads or warps that share a loop.
 *
 * A grid-stride loop counts in 64 bits: its last step may pass 2^32 although every element is below it. A team counts
 * its members in 32 bits, which saves registers; a grid has fewer than 2^32 threads. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND
{

DEVICE uint64_t thread_of_grid(void)
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

DEVICE uint64_t threads_of_grid(void)
{
    return (uint64_t)gridDim.x * blockDim.x;
}

/* Returns whether this is the grid's thread for work that must be done once. */
DEVICE bool is_first_thread(void)
{
    return blockIdx.x == 0 && threadIdx.x == 0;
}

template <typename type>
DEVICE void swap_values(type &one, type &other)
{
    type kept = one;
    one = other;
    other = kept;
}

/* Threads or warps that share a loop. The member with this rank takes the elements rank, rank + size, ... */
struct team {
    uint32_t rank, size;
};

/* Returns the threads of the grid, numbered block after block. */
DEVICE struct team grid_threads(void)
{
    return {blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
}

/* Returns the warps of the grid, numbered block after block. */
DEVICE struct team grid_warps(void)
{
    return {(blockIdx.x * blockDim.x + threadIdx.x) / WARP_SIZE, gridDim.x * blockDim.x / WARP_SIZE};
}

/* Returns the warps of the grid; warps with consecutive ranks are in different blocks. If neighbouring elements cost
 * about the same, this balances the load of the multiprocessors. */
DEVICE struct team spread_warps(void)
{
    return {threadIdx.x / WARP_SIZE * gridDim.x + blockIdx.x, gridDim.x * (blockDim.x / WARP_SIZE)};
}

/* Returns the warps of the thread's block. */
DEVICE struct team block_warps(void)
{
    return {threadIdx.x / WARP_SIZE, blockDim.x / WARP_SIZE};
}

} // namespace BACKEND
