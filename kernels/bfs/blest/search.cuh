/* search.cuh: device memory of a search from one source, and the steps that all variants share: queueing the slice
 * sets of new vertices, and loading the VSSs of a queue. */
#pragma once

#include "tensor_cores.cuh"
#include "vss_queue.cuh"

namespace BACKEND::blest
{

#define EAGER_BLOCKS 2 /* blocks per multiprocessor: latency is the limit, and 64 registers per thread are best */
#define LAZY_BLOCKS  3 /* throughput is the limit, and 40 registers per thread are best */
#define SETS_OF_WORD (WARP_SIZE / SIGMA) /* slice sets in a word of a bitmap */

/* Device memory of a search. Arrays that a variant does not use are NULL. num_words = ceil(num_vertices / 32).
 *
 * Memory order. Ordinary loads read the frontier through L1. This is safe, since no thread writes it before the next
 * grid barrier, and the acquire of a barrier invalidates L1. All other words that blocks exchange are read from L2,
 * with __ldcg or load_relaxed_if. */
struct search {
    uint32_t *level;                      /* num_sets * SIGMA; UNREACHED until found, and past the last vertex */
    uint32_t *queued;                     /* num_sets; the last level in which the set was queued */
    uint32_t *frontier, *next_frontier;   /* num_words; bitmaps, the paper's F */
    uint32_t *visited, *marked;           /* num_words; bitmaps, V_curr and V_next; all ones beyond the last vertex */
    uint2 *queue, *next_queue;            /* num_vss; (VSS, its slice set) */
    uint32_t *vss_queue, *next_vss_queue; /* num_vss; the queues of mode=paper, which hold only VSSs */
    uint64_t *counts;                     /* NUM_COUNTS; vertices found << 32 | VSSs queued */
    struct grid_barrier *barrier;
    struct level_end *trace; /* num_vertices + 2, by level; NULL without --profile */
    vertex_t *parent;        /* num_sets * SIGMA; NO_VERTEX until found; NULL if only levels are wanted */
};

struct shared {
    uint64_t broadcast;
};

DEVICE void trace_level(const struct search &search, uint32_t level, enum level_mode mode)
{
    if (is_first_thread())
        end_level(search.trace, level, mode);
}

/* Returns the count of the first queue to all threads of the block. All of them must call it. */
DEVICE uint64_t first_count(const struct search &search, struct shared *shared)
{
    if (threadIdx.x == 0)
        shared->broadcast = __ldcg(&search.counts[0]);
    __syncthreads();
    return shared->broadcast;
}

/* Where a level with lazy updates puts the vertices that it finds. */
struct found {
    uint32_t level; /* number of the level */
    uint32_t *next_frontier;
    uint2 *next_queue;
    uint64_t *count; /* count of next_queue */
};

/* Queues the slice sets of the vertices in `fresh` and counts these vertices. fresh: the new bits in word number
 * `word` of a bitmap; each lane has its own word. All lanes of the warp must call it. */
DEVICE void enqueue_word(const struct bvss &bvss, uint2 *queue, uint64_t *count, uint32_t word, uint32_t fresh)
{
    struct range ranges[THETA];
    static_assert(THETA == SETS_OF_WORD, "a lane queues the slice sets of one word");
#pragma unroll
    for (unsigned i = 0; i < SETS_OF_WORD; i++) {
        bool active = (fresh >> i * SIGMA & COLUMN_MASK) != 0;
        uint32_t set = word * SETS_OF_WORD + i;
        ranges[i] = {set, load_if(active, &bvss.real_ptrs[set]), load_if(active, &bvss.real_ptrs[set + 1])};
    }
    enqueue(queue, count, (uint32_t)__popc(fresh), ranges);
}

/* A lane's share of a VSS, loaded while its warp works on the previous VSS. frontier: with lazy updates, the frontier
 * bits of the set's columns; with eager updates, the level of column number lane_id() of the set. set: the slice set
 * of the VSS. */
struct tile {
    uint4 rows;
    uint32_t masks, frontier, set;
};

/* Records the first in-neighbour of row c that is in the frontier as the row's parent. There must be one. frontier:
 * the SIGMA frontier bits of the set. */
DEVICE void record_parent(const struct search &search, const struct tile &tile, uint32_t frontier, unsigned c,
                          vertex_t row)
{
    uint32_t both = tile.masks >> c * SIGMA & frontier;
    __stcg(&search.parent[row], tile.set * SIGMA + (uint32_t)__ffs((int)both) - 1);
}

/* Calls use(tile) for this warp's entries of the queue. frontier_of(slice set) returns tile.frontier. */
DEVICE void for_each_vss(const struct bvss &bvss, const uint2 *queue, uint32_t size, struct team team, auto frontier_of,
                         auto use)
{
    auto load = [&](uint2 entry) {
        struct tile tile = {};
        size_t at = (size_t)entry.x * WARP_SIZE + lane_id();
        if (entry.y != NO_VERTEX)
            tile = {__ldg(&bvss.row_ids[at]), __ldg(&bvss.masks[at]), frontier_of(entry.y), entry.y};
        return tile;
    };
    for_each_entry(queue, size, team, load, use);
}

} // namespace BACKEND::blest
