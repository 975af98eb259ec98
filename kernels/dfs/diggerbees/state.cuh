/* state.cuh: DiggerBees' entries, device memory, shared memory, and a warp's view of its own stack. */
#pragma once

#include "../../backend/backend.h"

namespace BACKEND::diggerbees
{

#define MAX_WARPS 32u       /* per block: the bits of its mask of active warps */
#define LEADER    0u        /* the warp that steals from other blocks */
#define CHUNK     WARP_SIZE /* entries that overflow together */

#define EXHAUSTED UINT32_MAX /* the offset of a vertex without unvisited neighbours; -1 in the paper */

/* <vertex|offset>, section 3.2, in one word. The offset counts from the vertex's own first neighbour, so 32
 * bits are enough for any number of edges. */
DEVICE uint64_t make_entry(vertex_t vertex, uint32_t offset)
{
    return (uint64_t)vertex << 32 | offset;
}

/* The wait that was aborted. */
enum stuck { NOT_STUCK, STUCK_IN_OVERFLOW, STUCK_IN_COPY, STUCK_BEFORE_TERMINATION };

/* A search that gives up leaves put, taken and turns in any state, so `stuck` stays: later searches are void, too. */
struct control {
    uint32_t outstanding; /* active blocks, leaders that try to steal, and overflowed chunks; 1 at the start */
    uint32_t stuck;       /* enum stuck; the result is void unless it is NOT_STUCK */
    uint64_t put, taken;  /* chunks so far; equal after a traversal; the next traversal continues both counts */
};

struct search {
    uint32_t *visited;    /* num_vertices; the warp of the grid that claimed the vertex, counted from 1; or 0 */
    vertex_t *parent;     /* num_vertices */
    uint64_t *cold;       /* cold_size per warp: its ColdSeg; in v1 its whole stack */
    uint64_t *cold_state; /* one per warp */
    uint64_t *chunks;     /* num_chunks * CHUNK entries */
    uint32_t *turns;      /* num_chunks: a chunk's turn; even: may be filled, odd: may be emptied */
    struct control *control;
    uint32_t *active; /* one per block: 1 if the block has work, as its leader knows; NULL unless thieves ask */
};

/* Parameters of the run; the sizes are powers of two. */
struct tuning {
    uint32_t hot_size, cold_size, hot_cutoff, cold_cutoff, batch_size, num_chunks;
    bool bulk, bulk_steals, load_aware, top_in_stack;
    uint64_t patience; /* looks of a leader for work in vain */
};

/* Shared memory of a block, followed by the HotRings: hot_size entries for every warp. */
struct __align__(16) shared
{
    uint64_t hot_state[MAX_WARPS];
    struct bulk_barrier loaded[MAX_WARPS];
    uint32_t active; /* section 3.4: bit w is set while warp w is active */
    uint32_t done;   /* 1: the warps of this block must end */
};

/* The owner's view of its stack, with the same values in all lanes. In v1 the ring is the whole stack and
 * lies in global memory. Both counts are upper bounds: thieves only take entries. */
template <bool two_level>
struct stack {
    uint64_t *hot_state, *hot; /* the HotRing; only the owner writes its slots */
    uint32_t hot_size, head, hot_count;
    uint64_t *cold_state, *cold; /* the ColdSeg; only the owner writes its slots */
    uint32_t cold_count;
    unsigned warp;      /* index in the block */
    unsigned num_loads; /* by bulk copies */
};

DEVICE bool is_first_lane(void)
{
    return lane_id() == 0;
}

/* The value of lane 0, in all lanes. */
template <typename type>
DEVICE type broadcast(type value)
{
    return __shfl_sync(WHOLE_WARP, value, 0);
}

/* Aborts the search; the first reason is kept. */
static __device__ void give_up(struct control *control, enum stuck why)
{
    atomicCAS(&control->stuck, (uint32_t)NOT_STUCK, (uint32_t)why);
}

} // namespace BACKEND::diggerbees
