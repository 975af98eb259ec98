/* summing_barrier.cuh: a grid barrier that also adds up one number per block.
 *
 * One 64-bit word counts the arrivals in its highest bits and holds the sum in the others. So a block needs a single
 * atomic to arrive and to add, and the load that tells it that all have arrived also returns the sum. A grid_barrier
 * with a separate count needs a second atomic, and its release must wait for that atomic. Like that, this
 * one needs gpu_launch_persistent. */
#pragma once

#include "grid_barrier.cuh"

namespace BACKEND
{

#define SUM_BITS            56u /* width of a sum, at most */
#define MOST_SUMMING_BLOCKS 255u

/* A sum in a cache line of its own. */
struct __align__(128) lone_sum
{
    uint64_t word;
};

/* In device memory; zero before the first kernel. */
struct summing_barrier {
    struct lone_sum sums[NUM_COUNTS]; /* used in rotation by the rounds (grid_barrier.cuh) */
    uint32_t round;                   /* between kernels: the next round modulo NUM_COUNTS */
    struct grid_barrier check;        /* for gpu_check_barrier; only its member `broken` is used */
};

/* Waits until all threads of the grid have arrived. round: number of the barrier, counted over all kernels
 * (keep_round). One thread of each block calls number() after a block barrier; the sum over all blocks must be less
 * than 2^SUM_BITS. The same thread calls take(sum) before the others continue. The sum is UINT64_MAX if a wait took
 * too long; the kernel must then return. The whole block sees what take stores in shared memory.
 *
 * Writes before the barrier are visible after it, by the argument of grid_wait. Block 0 clears the sum of round + 2,
 * which is the same word as the sum of round - 1. All blocks have read that sum, because they have arrived at this
 * round. They add to the word only after round + 1, where block 0 arrives after it has cleared the word. In take,
 * block 0 may clear other counts of round + 2 for the same reason. Clearing before the arrival would make all blocks
 * wait longer. */
DEVICE void sum_and_wait(struct summing_barrier *barrier, uint32_t round, auto number, auto take)
{
    const uint64_t one = 1ull << SUM_BITS;
    __syncthreads();
    if (threadIdx.x == 0) {
        uint64_t *sum = &count_of(barrier->sums, round)->word, value;
        add_acquire_release(sum, one + number());
        bool broken = false;
        for (unsigned polls = 1; (value = load_acquire(sum)) >> SUM_BITS < gridDim.x && !broken; polls++)
            if (polls % POLLS_PER_CHECK == 0)
                broken = polls >= MOST_POLLS || __ldcg(&barrier->check.broken);
        if (broken)
            __stcg(&barrier->check.broken, 1u);
        if (blockIdx.x == 0)
            __stcg(&count_of(barrier->sums, round + 2)->word, (uint64_t)0);
        take(broken ? UINT64_MAX : value & (one - 1));
    }
    __syncthreads();
}

/* Keeps the number of the next barrier for the next kernel. One thread calls it at the end. The number is kept modulo
 * NUM_COUNTS, since 2^32 is not a multiple of it and the rotation would break there. */
DEVICE void keep_round(struct summing_barrier *barrier, uint32_t round)
{
    barrier->round = round % NUM_COUNTS;
}

} // namespace BACKEND
