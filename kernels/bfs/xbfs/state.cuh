/* state.cuh: the state of an XBFS search: its device memory, its rules, and the counts of a level.
 *
 * status[v] is v's level, or UNREACHED, or EARLY | level (find_parent.cuh). Iteration l finds level l from the
 * vertices of level l - 1. In a top-down iteration these vertices are the frontiers; in a bottom-up one the frontiers
 * are the vertices not visited before iteration l (definition 2.1). An entry of a top-down queue is a frontier's
 * range of edges, so that the next iteration need not look up offsets; an entry of a bottom-up queue is a vertex.
 *
 * Blocks exchange data through L2: they read it with __ldcg or load_relaxed_if. Only the bottom-up search reads the
 * statuses of neighbours through L1 (load_cached_if), which is safe because the acquire of the last barrier
 * invalidated L1.
 *
 * Counts are used in rotation (../../device/grid_barrier.cuh). Iteration l + 1 may need a queue of a level that was
 * found bottom-up. Then it first makes the queue, sets `spans` and `high_degree` of iteration l, and reads them after
 * one more barrier. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/bitmap.cuh"
#include "../../device/grid_barrier.cuh"
#include "../../device/ids.cuh"
#include "../../device/warp.cuh"

namespace BACKEND::xbfs
{

#define MOST_THREADS 512u       /* largest number of threads of a block */
#define BLOCKS       2u         /* blocks per multiprocessor, with MOST_THREADS each */
#define CLASSES      3u         /* Enterprise's classes: a thread, a warp or a block per frontier */
#define TAKERS       4u         /* the classes of mode=paper: also the grid (paper_scan.cuh) */
#define EARLY        (1u << 31) /* flag in a status; levels have 31 bits, since 2^31 levels would take hours */
#define WORK_CLASSES 33u        /* classes by number of edges: 0, 1, 2 to 3, 4 to 7, ... */

/* How a top-down queue is made (top_down.cuh). NO_GENERATION: the iteration needs no queue. */
enum generation { ADAPTIVE, SCAN_FREE, SINGLE_SCAN, DOUBLE_SCAN, NO_GENERATION };

/* How bottom-up frontiers are distributed to threads (bottom_up.cuh). */
enum balance { BALANCE_STATIC, BALANCE_THREAD, BALANCE_WARP, BALANCE_DONATE, BALANCE_DEGREE };

/* Edges [edge, end) of a vertex. */
template <typename offset_t>
struct span {
    offset_t edge, end;
};

/* A list of high-degree vertices and, for each, its edges [edge, end) (high_degree.cuh). */
struct high_degree_list {
    void *edge, *end; /* offset_t arrays */
    vertex_t *vertex;
    uint32_t *piece; /* number of the vertex's first piece; ascending */
};

/* A top-down queue: a range of edges for each vertex, which is empty if the vertex is in the high-degree list. */
struct queue {
    void *edge, *end; /* num_vertices; offset_t arrays */
    struct high_degree_list high_degree;
};

/* Counts of a level and of the iteration that finds it. */
struct counts {
    uint64_t edges;       /* out-edges of the vertices of this level */
    uint64_t checked;     /* with a trace: edges that a bottom-up iteration has read so far */
    uint64_t taken;       /* bottom-up frontiers handed out so far, except those that each warp starts with */
    uint64_t high_degree; /* high-degree vertices of this level in the queue: number of vertices << 32 | number of
                             pieces */
    uint64_t left;        /* like high_degree, for vertices that this iteration itself has listed and must finish */
    uint32_t spans;       /* entries in the queue of this level */
    uint32_t early;       /* with a trace: vertices found early by this iteration */
};

/* What a thread adds to the counts. */
struct tally {
    uint64_t edges;
    uint32_t checked, early;
};

struct search {
    uint32_t *status;             /* num_vertices */
    struct queue first, second;   /* top-down queues of this level and of the next one, alternating */
    vertex_t *frontiers, *others; /* num_vertices; bottom-up queues, alternating */
    const uint32_t *entered;      /* bitmap of the vertices with in-edges */
    struct counts *counts;        /* NUM_COUNTS */
    uint32_t *block_sums;         /* TAKERS * blocks */
    struct grid_barrier *barrier;
    struct level_end *trace; /* num_vertices + 2, by level; NULL without --profile */
    uint64_t *work;          /* WORK_CLASSES^2; number of frontiers by degree and edges read; NULL without work=1 */
};

template <typename offset_t>
struct edges_of_graph {
    csr<offset_t> out, in;
};

struct rules {
    enum generation queue;
    bool strided, async;        /* strided: scan as Enterprise does; async: bottom-up levels find vertices early */
    uint64_t bottom_up_from;    /* an iteration is bottom-up if the frontier has at least this many edges */
    uint32_t high_degree_above; /* top-down: all warps share a vertex with more edges */
    uint32_t alone;             /* bottom-up: limit on the edges of a frontier that one thread reads */
    uint64_t grid_from;         /* mode=paper: the grid takes frontiers with at least this many edges */
    bool one_way;               /* mode=paper: after a bottom-up level no level is top-down */
};

struct shared {
    uint64_t broadcast;
    uint32_t of_warps[TAKERS][MOST_THREADS / WARP_SIZE];
    uint32_t before[TAKERS], total[TAKERS];
};

/* The progress of the search, and which arrays of each pair belong to this level. */
struct progress {
    uint32_t level;
    bool swapped_queues, swapped_frontiers;
    bool was_bottom_up;      /* the previous iteration was bottom-up */
    uint32_t sizes[CLASSES]; /* sizes of the classes of the bottom-up queue */
};

DEVICE const struct queue &current_queue(const struct search &search, const struct progress &at)
{
    return at.swapped_queues ? search.second : search.first;
}

DEVICE const struct queue &next_queue(const struct search &search, const struct progress &at)
{
    return at.swapped_queues ? search.first : search.second;
}

DEVICE vertex_t *frontiers_of(const struct search &search, const struct progress &at)
{
    return at.swapped_frontiers ? search.others : search.frontiers;
}

/* Waits at the grid barrier. Returns false if the wait timed out; the kernel must then return. */
DEVICE bool meet(const struct search &search, struct shared *shared)
{
    return grid_wait(search.barrier, &search.counts->edges, &shared->broadcast) != UINT64_MAX;
}

/* Adds the tallies of the lanes to the counts. All lanes of the warp must call it. */
DEVICE void add_up(struct counts *counts, const struct tally &tally, bool traced)
{
    uint64_t edges = warp_sum(tally.edges);
    if (lane_id() == 0 && edges > 0)
        atomicAdd(&counts->edges, edges);
    if (!traced)
        return;
    uint64_t checked = warp_sum(tally.checked);
    uint32_t early = __reduce_add_sync(WHOLE_WARP, tally.early);
    if (lane_id() == 0 && checked > 0)
        atomicAdd(&counts->checked, checked);
    if (lane_id() == 0 && early != 0)
        atomicAdd(&counts->early, early);
}

/* Records a finished level in the trace. edges: out-edges of its frontier. One thread calls it. */
DEVICE void trace_level(const struct search &search, uint32_t level, bool bottom_up, enum generation generation,
                        uint64_t edges)
{
    const struct counts *counts = count_of(search.counts, level);
    search.trace[level] = {nanoseconds(), (uint32_t)(bottom_up ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN),
                           (uint32_t)generation, bottom_up ? __ldcg(&counts->checked) : edges, __ldcg(&counts->early)};
}

/* The arguments of an iteration. `tally` belongs to the thread. */
template <typename offset_t>
struct iteration {
    const edges_of_graph<offset_t> &graph;
    const struct search &search;
    const struct rules &rules;
    const struct progress &at;
    struct counts *counts;
    struct tally *tally;
};

/* Returns the edges of a vertex. If the condition is false, returns an empty range and reads nothing. */
template <typename offset_t>
DEVICE span<offset_t> edges_if(bool condition, const csr<offset_t> &graph, vertex_t vertex)
{
    offset_t edge = load_if(condition, &graph.offsets[vertex]), end = load_if(condition, &graph.offsets[vertex + 1]);
    return {condition ? edge : 0, condition ? end : 0};
}

} // namespace BACKEND::xbfs
