/* grid_barrier.cuh: the grid barrier, and counts that are used in rotation by its phases.
 *
 * Only kernels started by gpu_launch_persistent may use it, because all their blocks run at once. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND
{

/* In device memory; zero before the kernel starts. */
struct grid_barrier {
    uint64_t arrived; /* blocks that have arrived, summed over all barriers */
    uint32_t broken;  /* 1: a wait took more than MOST_POLLS polls, and the result is invalid */
};

/* One poll in POLLS_PER_CHECK also checks whether a wait took too long. The check is a second access to L2; after
 * every poll, it would delay the end of each wait by a quarter of a microsecond. */
#define POLLS_PER_CHECK 64u

/* Waits until all threads of the grid have arrived. Then returns the value of *word to each of them, or all ones if a
 * wait took too long; the kernel must then return. Callers never store all ones in *word.
 *
 * Every thread's writes before the barrier are visible to every thread after it. The first block barrier orders the
 * writes of a block before the release by its thread 0. The acquire by each block's thread 0 follows all releases,
 * and the second block barrier extends this order to the block's other threads. A volatile load instead of the
 * acquire would order no later load and leave old lines in L1, which ordinary loads may hit. *word must not change
 * until all threads have passed the next barrier. broadcast: shared memory that nothing else uses. */
template <typename word_t>
DEVICE word_t grid_wait(struct grid_barrier *barrier, const word_t *word, word_t *broadcast)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        uint64_t round = add_acquire_release(&barrier->arrived, 1) / gridDim.x;
        uint64_t all = (round + 1) * gridDim.x;
        bool broken = false;
        for (uint32_t polls = 1; load_acquire(&barrier->arrived) < all && !broken; polls++)
            if (polls % POLLS_PER_CHECK == 0)
                broken = polls >= MOST_POLLS || __ldcg(&barrier->broken);
        if (broken)
            __stcg(&barrier->broken, 1u);
        *broadcast = broken ? (word_t)-1 : __ldcg(word);
    }
    __syncthreads();
    return *broadcast;
}

/* Returns STATUS_DEVICE if a wait of the last kernel took too long. */
static inline int gpu_check_barrier(const struct grid_barrier *barrier, const char *kernel, struct error *error)
{
    struct grid_barrier now;
    if (gpu_download(&now, barrier, 1, error) == STATUS_OK && now.broken)
        error_set(error, STATUS_DEVICE, "GPU: %s: a block waited too long at the grid barrier (round %llu); stopped",
                  kernel, (unsigned long long)now.arrived);
    return error->status;
}

/* ---- counts that rotate ---- */

/* In each phase, such as a level, threads count something together, such as the size of the next frontier. A barrier
 * ends each phase. Three counts that are used in rotation, and zero at first, need no other barrier:
 *
 * - During phase k, threads add to count_of(counts, k).
 * - After the barrier that ends phase k, all threads read it. They may do so until the barrier that ends phase k + 1.
 * - During phase k, one thread clears count_of(counts, k + 1).
 *
 * No other thread uses the word while it is cleared. It is the count of phase k - 2, which was last read before the
 * barrier that ends phase k - 1; the clearing thread has passed this barrier. The threads that add to it in phase k +
 * 1 have passed the barrier that ends phase k. With two counts, the word would be the count of phase k - 1, which
 * other threads may still read.
 *
 * A block does the same with counts in shared memory and __syncthreads. */
#define NUM_COUNTS 3u

template <typename count_t>
DEVICE count_t *count_of(count_t *counts, uint32_t phase)
{
    return &counts[phase % NUM_COUNTS];
}

} // namespace BACKEND
