/* state.cuh: the stack entries of DiggerBees, its device and shared memory, and a warp's view of its own stack. */
#pragma once

#include "../../backend/backend.h"

namespace BACKEND::diggerbees
{

#define MAX_WARPS 32u       /* per block: one bit each in the mask of active warps */
#define LEADER    0u        /* the warp that steals from other blocks */
#define CHUNK     WARP_SIZE /* entries that move to the overflow queue together */

#define EXHAUSTED UINT32_MAX /* offset of a vertex without unvisited neighbours; -1 in the paper */

/* An entry <vertex|offset> (section 3.2) in one word. The offset counts from the vertex's first neighbour, so 32 bits
 * suffice whatever the number of edges. */
DEVICE uint64_t make_entry(vertex_t vertex, uint32_t offset)
{
    return (uint64_t)vertex << 32 | offset;
}

/* Which wait exceeded its limit. */
enum stuck { NOT_STUCK, STUCK_IN_OVERFLOW, STUCK_IN_COPY, STUCK_BEFORE_TERMINATION };

/* After a failed search, put, taken and turns are inconsistent, so `stuck` stays set: later searches fail too. */
struct control {
    uint32_t outstanding; /* active blocks, leaders that try to steal, and overflowed chunks; 1 at the start */
    uint32_t stuck;       /* an enum stuck; unless NOT_STUCK, the result is invalid */
    uint64_t put, taken;  /* chunks put and taken so far; the next traversal continues both counts */
};

struct search {
    uint32_t *visited;    /* num_vertices; number (from 1) of the warp that claimed the vertex; 0: unvisited */
    vertex_t *parent;     /* num_vertices */
    uint64_t *cold;       /* cold_size entries for each warp: its ColdSeg; in v1 its whole stack */
    uint64_t *cold_state; /* state word of each warp's ColdSeg; in v1 of its whole stack */
    uint64_t *chunks;     /* num_chunks * CHUNK entries */
    uint32_t *turns;      /* num_chunks; even: the place may be filled, odd: it may be emptied */
    struct control *control;
    uint32_t *active; /* one per block: 1 if its leader saw work at its last look; NULL unless victims=active */
};

/* Parameters of the run. Sizes are powers of two, in entries. */
struct tuning {
    uint32_t hot_size, cold_size, hot_cutoff, cold_cutoff, batch_size, num_chunks;
    bool bulk, bulk_steals, load_aware, top_in_stack;
    uint64_t patience; /* how often a leader looks for work in vain before it gives up */
};

/* Shared memory of a block. The HotRings follow it: hot_size entries for each warp. */
struct __align__(16) shared
{
    uint64_t hot_state[MAX_WARPS];
    struct bulk_barrier loaded[MAX_WARPS];
    uint32_t active; /* section 3.4: bit w is set while warp w is active */
    uint32_t done;   /* 1 tells the warps of this block to end */
};

/* The state words of the first levels of this block, one for each warp. In v1, which runs in one block, they lie in
 * global memory, like the entries. The paper does not say where they lie; NOTES.md says why gtrav does so. */
template <bool two_level>
DEVICE uint64_t *hot_states(const struct search &search, struct shared *shared)
{
    return two_level ? shared->hot_state : search.cold_state;
}

/* A warp's view of its own stack; all lanes hold the same values. In v1 the ring is the whole stack and lies in
 * global memory. Both counts are upper bounds, since thieves only take entries. */
template <bool two_level>
struct stack {
    uint64_t *hot_state, *hot; /* the HotRing; only the owner writes its slots */
    uint32_t hot_size, head, hot_count;
    uint64_t *cold_state, *cold; /* the ColdSeg; only the owner writes its slots */
    uint32_t cold_count;
    unsigned warp;      /* index in the block */
    unsigned num_loads; /* bulk copies into the HotRing so far */
};

DEVICE bool is_first_lane(void)
{
    return lane_id() == 0;
}

/* Returns lane 0's value in all lanes. */
template <typename type>
DEVICE type broadcast(type value)
{
    return __shfl_sync(WHOLE_WARP, value, 0);
}

/* Aborts the search. Only the first reason is kept. */
static __device__ void give_up(struct control *control, enum stuck why)
{
    atomicCAS(&control->stuck, (uint32_t)NOT_STUCK, (uint32_t)why);
}

} // namespace BACKEND::diggerbees
