/* state.cuh: the prepared graph, the arrays of a search, the rules of a run and the progress of a search.
 *
 * Who writes what. A top-down level sets bits of the current bitmap with atomics. The thread whose atomic returns a
 * vertex's bit unset queues the vertex and writes its level byte. A bottom-up level only reads the current bitmap.
 * The warp that owns a chunk writes the chunk's words of the next bitmap and its level bytes, also for the vertices
 * that it has deferred. The neighbour lists of high-degree vertices are searched after all chunks are done. Several
 * threads may then find a visited neighbour of the same vertex; the one whose atomic returns the bit unset writes the
 * byte. The queue and the counts of a level are read only after the grid barrier.
 *
 * Parents are recorded where vertices are found. The thread that writes a level byte writes the parent, too. A level
 * that only marks writes no bytes; there the thread whose atomic returns the bit unset writes its own frontier
 * vertex. So one thread writes the parent of a vertex, and it holds an in-neighbour on the level before.
 *
 * Why ordinary loads suffice. Bitmaps and bytes that were complete at the last grid barrier may be loaded
 * through L1, because the acquire of the barrier invalidated L1. A bitmap that is being marked is read through
 * L1 only as a filter: a stale word costs an unnecessary atomic, nothing else. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/bitmap.cuh"
#include "../../device/grid_barrier.cuh"
#include "../../device/ids.cuh"
#include "../engines.h"

namespace BACKEND::dobfs
{

#define BLOCK_THREADS    1024u
#define UNROLL           4u /* edges that a lane has in flight */
#define MOST_PAIRS       4u /* in a chunk; stage 1 of a bottom-up level takes two bitmap words, a pair, at once */
#define CHUNK_WORDS      (2 * MOST_PAIRS)
#define CHUNK_IDS        (CHUNK_WORDS * WARP_SIZE)
#define NUM_PACKED_WORDS 3u /* 16-byte words of packed neighbours per vertex: one for stage 1, two for stage 2 */

/* Special values of a level byte. */
#define UNSET        255u /* the byte holds no level */
#define MATERIALISED 254u /* the level is in the result already */

#define NOT_PENDING UNREACHED

#define GROUP 4u /* vertices whose levels are written together; arrays by input id are padded to a multiple */

/* ---- device memory ---- */

/* The prepared graph. Ids from num_ids on are isolated vertices. num_words, the words of a bitmap of ids, is a
 * multiple of CHUNK_WORDS. */
template <typename offset_t>
struct prepared_graph {
    vertex_t num_vertices, num_ids;
    uint32_t num_words;
    edge_t num_edges;
    csr<offset_t> out, in;     /* by id; in.targets is NULL if there are no bottom-up levels */
    const uint4 *packed_first; /* num_words * 32: the packed word of stage 1; NULL: nothing is packed */
    const uint4 *packed_rest;  /* num_words * 32 pairs: the packed words of stage 2 */
    const vertex_t *id_of;     /* num_vertices, rounded up to a multiple of 4: by input id; NULL: ids are input ids */
    const vertex_t *input_of;  /* num_vertices: the inverse of id_of */
    const uint32_t *giant;     /* bitmap of input ids: the giant component; NULL: it was not measured */
    uint32_t outside_giant;    /* number of ids outside the giant component */
};

/* The type of a prepared graph; functions for either width take `any_graph auto &`. */
template <typename type>
constexpr bool is_graph = false;
template <typename offset_t>
constexpr bool is_graph<prepared_graph<offset_t>> = true;
template <typename type>
concept any_graph = is_graph<std::remove_const_t<type>>;

/* A queue of vertices (queues.cuh). The edges of entry i begin at before[i] + shift[i] in the CSR. */
struct queue {
    void *before; /* offsets: edges of all earlier entries of the level */
    void *shift;  /* offsets: the vertex's first edge minus before[i] */
};

/* The report of block 0 to the other blocks after levels that it ran alone. */
struct handover {
    uint32_t level, unvisited;
    uint64_t elapsed_ns; /* nanoseconds from the start of the search until all levels were known */
};

struct search {
    uint32_t *visited, *next;     /* num_words: bitmaps of ids; the bits beyond the last id are set */
    uint8_t *bytes;               /* num_words * 32: levels relative to progress.base, UNSET or MATERIALISED */
    struct queue queues[2];       /* rules.queue_capacity entries each: of a level and of the next one, in turns */
    uint64_t *counts;             /* NUM_COUNTS; see below */
    uint64_t *high_degree_counts; /* NUM_COUNTS: of the queue of neighbour lists of high-degree vertices */
    vertex_t *high_degree_ids;    /* num_ids if rules.high_degree_steps > 0: of that queue; its edges are in the next
                                     level's queue */
    struct handover *handover;
    struct grid_barrier *barrier;
    vertex_t *parent_by_id; /* num_words * 32: ids, of visited vertices only; NULL unless parents are recorded */
    uint32_t *level;        /* the result, by input id, rounded up to a multiple of 4 */
    vertex_t *parent;       /* the same; NULL unless asked for */
};

/* Counts rotate (../../device/grid_barrier.cuh). Their phases are steps: a level, a search of neighbour lists of
 * high-degree vertices, a collection of a frontier, or the levels that block 0 runs alone. Step `round` adds to the
 * count of round + 1.
 *
 * A count is one 64-bit word, so that one atomic updates all of it.
 *   of a queue:              entries << rules.edge_bits | edges
 *   of a bottom-up level:    found << 32 | unvisited, and the flag HIGH_DEGREE_QUEUED
 *   of high-degree vertices: found */
#define HIGH_DEGREE_QUEUED (1ull << 63) /* flag: high-degree vertices are queued */

/* The host's decisions for all searches. */
struct rules {
    enum direction direction;
    unsigned edge_bits;          /* width of the edges in a queue's count */
    uint64_t mark_above;         /* a top-down level of more edges only marks */
    uint32_t queue_capacity;     /* entries; a level that queues never finds more vertices */
    uint32_t single_block_edges; /* one block runs a level of at most this many edges; 0: never */
    uint32_t window_words;       /* words of the bitmap in shared memory; a multiple of CHUNK_WORDS */
    uint32_t first_inputs;       /* number of ids whose input ids are read from shared memory in the end */
    uint32_t level_limit;        /* number of levels that a byte can represent, at most MATERIALISED */
    uint32_t pairs;              /* pairs of bitmap words in a chunk: 1, 2 or 4 */
    uint32_t high_degree_steps;  /* steps of UNROLL neighbours for each lane that a warp may take alone in a level;
                                    0: no limit */
    bool filters_marks;          /* whether a level that only marks reads the bitmap before an atomic */
    uint64_t bottom_up_above;    /* a queued frontier of more edges is followed by a bottom-up level */
    uint32_t back_below;         /* a bottom-up level that finds fewer vertices is followed by a top-down level */
};

/* ---- shared memory ---- */

/* The memory of one warp in bottom-up levels. */
struct warp_scratch {
    uint32_t steps_left;          /* how many of rules.high_degree_steps are left */
    uint32_t deferred[CHUNK_IDS]; /* ids for stage 3; stages 1 and 2 of their chunks are done */
    uint32_t found[CHUNK_WORDS];  /* bitmap of the chunk: vertices found by stages 1 and 2 */
    uint8_t left[CHUNK_IDS];      /* offsets in the chunk of vertices left for stage 2 */
};

#define PASS_BYTES 128

/* Followed by the window and a word of zeros in bottom-up levels, or by two queues in levels of a single block. */
struct __align__(16) shared
{
    unsigned char pass[PASS_BYTES]; /* struct bottom_up_pass */
    uint64_t broadcast, tally;
    uint64_t counts[NUM_COUNTS]; /* counts for the levels of a single block */
    struct warp_scratch warps[BLOCK_THREADS / WARP_SIZE];
};
static_assert(sizeof(struct shared) % sizeof(uint4) == 0, "the window is copied in units of 16 bytes");

/* ---- progress ---- */

enum frontier {
    FRONTIER_QUEUED, /* in the queue */
    FRONTIER_MARKED, /* only in the bitmap, after a top-down level; the number of unvisited vertices is unknown */
    FRONTIER_FOUND   /* only in the bitmap, after a bottom-up level; the other bitmap is the previous visited set */
};

/* The progress of the search. All threads hold the same values in registers. */
struct progress {
    enum frontier frontier;
    uint32_t level;       /* level of the frontier */
    uint32_t base;        /* the level of a byte of 0 */
    uint32_t pending;     /* level of the visited vertices without a byte; NOT_PENDING: all have one */
    uint32_t round;       /* number of steps so far; selects the count */
    uint32_t unvisited;   /* vertices */
    uint64_t size, edges; /* vertices and edges of the frontier; edges only if it is queued */
    bool swapped_bitmaps, swapped_queues; /* flags, because pointers take more registers */
};

/* Returns the current bitmap: all vertices visited so far. */
DEVICE uint32_t *visited_bitmap(const struct search &search, const struct progress &at)
{
    return at.swapped_bitmaps ? search.next : search.visited;
}

/* Returns the other bitmap: during a bottom-up level the next bitmap, after it the vertices visited before the level.
 */
DEVICE uint32_t *other_bitmap(const struct search &search, const struct progress &at)
{
    return at.swapped_bitmaps ? search.visited : search.next;
}

DEVICE struct queue current_queue(const struct search &search, const struct progress &at)
{
    return at.swapped_queues ? search.queues[1] : search.queues[0];
}

DEVICE struct queue next_queue(const struct search &search, const struct progress &at)
{
    return at.swapped_queues ? search.queues[0] : search.queues[1];
}

/* Sets the size and the edges of the frontier from the count of its queue. */
DEVICE void read_count(struct progress *at, const struct rules &rules, uint64_t count)
{
    at->size = count >> rules.edge_bits;
    at->edges = count & ((1ull << rules.edge_bits) - 1);
}

/* Whether the search is complete: the frontier is empty or has no edges, or only unreachable vertices are unvisited.
 * unreachable: number of vertices that the search cannot reach; 0: unknown. */
DEVICE bool is_done(const struct progress &at, uint32_t unreachable)
{
    return at.size == 0 || (at.frontier == FRONTIER_QUEUED && at.edges == 0) ||
           (at.frontier != FRONTIER_MARKED && at.unvisited == unreachable);
}

} // namespace BACKEND::dobfs
