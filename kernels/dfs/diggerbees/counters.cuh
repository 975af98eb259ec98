/* counters.cuh: what a search counts about itself with the option counters: steals, and when warps and blocks have
 * work.
 *
 * Without counters, the functions here do nothing and take no register from the walk. Each warp has its own numbers
 * of steals, and only its lane 0 changes them. Times of work are added to the intervals that they overlap when the
 * work ends, by atomicAdd. A block works from its leader's wake to the end of the warp that leaves last
 * (termination.cuh). This warp reads block_began while its own bit is still set, so no wake changes it meanwhile. */
#pragma once

#include "state.cuh"

namespace BACKEND::diggerbees
{

/* The counts of the calling warp, which is number `warp` of its block; NULL without counters. */
DEVICE struct counts *counts_of(const struct search &search, unsigned warp)
{
    if (search.counters.of_warps == NULL)
        return NULL;
    return &search.counters.of_warps[(size_t)blockIdx.x * (blockDim.x / WARP_SIZE) + warp];
}

DEVICE struct steals *steals_within(const struct search &search, unsigned warp)
{
    struct counts *counts = counts_of(search, warp);
    return counts != NULL ? &counts->within : NULL;
}

DEVICE struct steals *steals_between(const struct search &search, unsigned warp)
{
    struct counts *counts = counts_of(search, warp);
    return counts != NULL ? &counts->between : NULL;
}

/* Counts a search for a victim and what came of it. Called by the whole warp. */
DEVICE void count_steal(struct steals *steals, bool tried, bool won)
{
    if (steals != NULL && is_first_lane()) {
        steals->looks++;
        steals->tries += tried;
        steals->wins += won;
    }
}

DEVICE void count_overflow(const struct search &search, unsigned warp)
{
    struct counts *counts = counts_of(search, warp);
    if (counts != NULL)
        counts->overflowed++;
}

/* Marks the beginning of work in *moment. */
DEVICE void begin_work(const struct search &search, uint64_t *moment)
{
    if (search.counters.busy != NULL)
        *moment = nanoseconds();
}

/* Adds the time since `began` to each interval's `sum`: the warps' or the blocks'. Called by one lane. */
static __device__ void add_work(const struct search &search, uint64_t began, uint64_t busy::*sum)
{
    const struct counters &counters = search.counters;
    if (counters.busy == NULL)
        return;
    uint64_t end = nanoseconds() - search.control->began, begin = began - search.control->began;
    for (uint64_t i = begin / counters.interval; i < MAX_INTERVALS && i * counters.interval < end; i++) {
        uint64_t from = max(begin, i * counters.interval), to = min(end, (i + 1) * counters.interval);
        atomicAdd((unsigned long long *)&(counters.busy[i].*sum), (unsigned long long)(to - from));
    }
}

} // namespace BACKEND::diggerbees
