/* counters.cuh: statistics of a search: attempts to steal, and the times when warps and blocks have work.
 *
 * The kernel is compiled once for each of two types. `uncounted` is the default; its functions are empty and cost
 * nothing. `counted` serves the option counters and holds the counts of one warp. Lane 0 keeps them in registers. It
 * adds working times to device memory when a warp or block stops working, and stores the counts when the kernel ends.
 * Only kernel.cuh calls these functions, and only in lane 0. */
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

/* How often a warp tried to steal. */
struct steals {
    uint64_t looks, tries, wins; /* searches for a victim; attempted compare-and-swaps; successful ones */
};

struct counts {
    struct steals within, between; /* from warps of its own block; from other blocks */
};

/* Working time in one interval of the search, in ns. */
struct busy {
    uint64_t warps, blocks; /* summed over all warps; summed over all blocks */
};
#define MAX_INTERVALS 4096u

/* The state when a search began. */
struct beginning {
    uint64_t at;  /* nanoseconds */
    uint64_t put; /* value of control->put */
};

struct counted {
    struct beginning *beginning;
    struct counts *of_warps;          /* num_warps of the grid */
    struct busy *busy;                /* MAX_INTERVALS entries */
    uint64_t interval;                /* length of an interval, ns */
    struct counts counts;             /* from here on: the calling warp's own values */
    uint64_t walk_began, block_began; /* ns; block_began and block_works are valid only in a leader */
    bool block_works;

    /* Adds the time since `began` (ns) to the member `sum` of each interval that it overlaps. */
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
    /* A leader calls this whenever it finds its block idle, before it looks for work elsewhere. */
    __device__ void block_is_idle()
    {
        if (block_works)
            add_work(block_began, &busy::blocks);
        block_works = false;
        block_began = nanoseconds();
    }
    /* A leader calls this when it has found work for its block. The search for work counts as working time. */
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
    /* Stores the counts of the warp with number `index` in the grid, counted from 0. */
    __device__ void end(size_t index)
    {
        of_warps[index] = counts;
    }
};

} // namespace BACKEND::diggerbees
