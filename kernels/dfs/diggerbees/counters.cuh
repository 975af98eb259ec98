/* counters.cuh: what a search can count about itself: attempts to steal, and when warps and blocks have work.
 *
 * The kernel is compiled for each of two types. `uncounted`, the default, has empty functions, so counting costs
 * nothing. `counted`, with the option counters, has the counts of one warp. Lane 0 keeps them in registers, and adds
 * them to device memory when an interval of work or the kernel ends. Only kernel.cuh calls these functions, all of
 * them by lane 0 alone. */
#pragma once

#include "steal.cuh"

namespace BACKEND::diggerbees
{

struct uncounted {
    __device__ __forceinline__ void begin_walk()
    {
    }
    __device__ __forceinline__ void end_walk()
    {
    }
    __device__ __forceinline__ void block_is_idle()
    {
    }
    __device__ __forceinline__ void block_has_work()
    {
    }
    __device__ __forceinline__ void count_within(enum attempt)
    {
    }
    __device__ __forceinline__ void count_between(enum attempt)
    {
    }
    __device__ __forceinline__ void end(size_t)
    {
    }
};

/* Attempts of a warp to steal. */
struct steals {
    uint64_t looks, tries, wins; /* searches for a victim; compare-and-swaps; those that took entries */
};

struct counts {
    struct steals within, between; /* its own block; between blocks */
};

/* Nanoseconds of work in one interval of time. */
struct busy {
    uint64_t warps, blocks; /* summed over the warps, and over the blocks */
};
#define MAX_INTERVALS 4096u

/* When a search began. */
struct beginning {
    uint64_t at;  /* nanoseconds */
    uint64_t put; /* control->put */
};

struct counted {
    struct beginning *beginning;
    struct counts *of_warps;          /* one per warp */
    struct busy *busy;                /* MAX_INTERVALS */
    uint64_t interval;                /* nanoseconds */
    struct counts counts;             /* this member and those below: of the calling warp */
    uint64_t walk_began, block_began; /* nanoseconds; block_began and block_works: only of a leader */
    bool block_works;

    /* Adds the time since `began` to `sum` of each interval that it overlaps. */
    __device__ void add_work(uint64_t began, uint64_t busy::*sum)
    {
        uint64_t end = nanoseconds() - beginning->at, begin = began - beginning->at;
        for (uint64_t i = begin / interval; i < MAX_INTERVALS && i * interval < end; i++) {
            uint64_t from = max(begin, i * interval), to = min(end, (i + 1) * interval);
            atomicAdd((unsigned long long *)&(busy[i].*sum), (unsigned long long)(to - from));
        }
    }
    __device__ void begin_walk()
    {
        walk_began = nanoseconds();
    }
    __device__ void end_walk()
    {
        add_work(walk_began, &busy::warps);
    }
    /* A leader calls this each time that it finds its block idle, before it looks elsewhere for work. */
    __device__ void block_is_idle()
    {
        if (block_works)
            add_work(block_began, &busy::blocks);
        block_works = false;
        block_began = nanoseconds();
    }
    /* A leader calls this when it has found work for its idle block, whose working time includes the search for it.
     */
    __device__ void block_has_work()
    {
        block_works = true;
    }
    __device__ void count(struct steals *steals, enum attempt attempt)
    {
        steals->looks++;
        steals->tries += attempt != NO_VICTIM;
        steals->wins += attempt == STOLEN;
    }
    __device__ void count_within(enum attempt attempt)
    {
        count(&counts.within, attempt);
    }
    __device__ void count_between(enum attempt attempt)
    {
        count(&counts.between, attempt);
    }
    /* Ends the counts of the warp, which is number `index` of the grid. */
    __device__ void end(size_t index)
    {
        of_warps[index] = counts;
    }
};

} // namespace BACKEND::diggerbees
