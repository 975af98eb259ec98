/* state.cuh: the prepared graph, the arrays of a search, the rules of a run and the progress of a search.
 *
 * Who writes what. A top-down level sets bits of the current bitmap with atomics. The thread that sets a vertex's bit
 * (its atomic returns the bit unset) queues the vertex and writes its level byte. A bottom-up level only reads the
 * current bitmap. The warp that owns a chunk writes the chunk's words of the next bitmap and the chunk's level bytes,
 * also for vertices that it has deferred. The neighbour lists of high-degree vertices are searched after all chunks
 * are done. Several threads may then find a visited neighbour of the same vertex; only the thread that sets its bit
 * writes the byte. The queue and the counts of a level are read only after the grid barrier.
 *
 * Parents are recorded when vertices are found. The thread that writes a level byte also writes the parent. In a
 * level that only marks, which writes no bytes, the thread that sets a vertex's bit writes the parent. So exactly one
 * thread writes the parent of a vertex, and that parent is an in-neighbour in the previous level.
 *
 * Why ordinary loads suffice. Bitmaps and bytes that were complete at the last grid barrier may be loaded through L1,
 * because the acquire of the barrier invalidated L1. A bitmap that is being marked is read through L1 only as a
 * filter: a stale word costs only an unnecessary atomic. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/bitmap.cuh"
#include "../../device/grid_barrier.cuh"
#include "../../device/ids.cuh"
#include "../../graph/compressed_lists.cuh"
#include "../engines.h"
#include "dealt.cuh"

namespace BACKEND::dobfs
{

#define BLOCK_THREADS    1024u
#define UNROLL           4u /* edges that a lane loads together */
#define MOST_PAIRS       4u /* limit on pairs in a chunk; a pair is two bitmap words that stage 1 takes together */
#define CHUNK_WORDS      (2 * MOST_PAIRS)
#define CHUNK_IDS        (CHUNK_WORDS * WARP_SIZE)
#define NUM_PACKED_WORDS 3u /* 16-byte words of packed neighbours per vertex: one for stage 1, two for stage 2 */

/* Special values of a level byte. */
#define UNSET        255u /* the byte holds no level */
#define MATERIALISED 254u /* the level is in the result already */

#define NOT_PENDING UNREACHED

#define GROUP 4u /* vertices whose levels are written together; arrays by input id are padded to a multiple of 4 */

/* ---- device memory ---- */

/* The prepared graph. Ids from num_ids on are isolated vertices. num_words: words of a bitmap of ids, rounded up to a
 * multiple of CHUNK_WORDS. */
template <typename csr_t> /* csr<offset_t> or compressed_csr */
struct prepared_graph {
    vertex_t num_vertices, num_ids;
    uint32_t num_words;
    edge_t num_edges;          /* or groups of compressed lists, like all numbers of edges here and in the rules */
    csr_t out, in;             /* by id; in.offsets is NULL if no level is bottom-up */
    const uint4 *packed_first; /* num_words * 32; the packed word of stage 1; NULL if nothing is packed */
    const uint4 *packed_rest;  /* num_words * 32 pairs; the packed words of stage 2; NULL if lists are compressed */
    const vertex_t *id_of;     /* num_vertices, padded to a multiple of 4; id of each input id; NULL if equal */
    const vertex_t *input_of;  /* num_vertices; the inverse of id_of */
    const uint32_t *giant;     /* bitmap of input ids in the giant component; NULL if it was not measured */
    uint32_t outside_giant;    /* number of ids outside the giant component */
};

template <typename csr_t>
using offset_of = std::remove_cvref_t<decltype(*csr_t().offsets)>;

/* Tells prepared graphs apart from other types. Functions for all kinds of lists take `any_graph auto &`. */
template <typename type>
constexpr bool is_graph = false;
template <typename csr_t>
constexpr bool is_graph<prepared_graph<csr_t>> = true;
template <typename type>
concept any_graph = is_graph<std::remove_const_t<type>>;

/* A queue of vertices (queues.cuh). The edges of entry i begin at before[i] + shift[i] in the CSR. */
struct queue {
    void *before; /* offsets; the number of edges of all earlier entries of the level */
    void *shift;  /* offsets; the vertex's first edge minus before[i] */
};

/* What block 0 tells the other blocks after it has run levels alone. */
struct handover {
    uint32_t level, unvisited;
    uint64_t elapsed_ns; /* time from the start of the search until all levels were known */
};

struct search {
    uint32_t *visited, *next;     /* num_words; bitmaps of ids; the bits beyond the last id are set */
    uint8_t *bytes;               /* num_words * 32; levels relative to progress.base, UNSET or MATERIALISED */
    struct queue queues[2];       /* rules.queue_capacity entries each; used alternately by successive levels */
    uint64_t *counts;             /* NUM_COUNTS; the format is described below */
    uint64_t *high_degree_counts; /* NUM_COUNTS; counts of the queue of high-degree vertices */
    vertex_t *high_degree_ids;    /* num_ids or NULL; that queue's vertices, whose edges are in the next queue */
    struct handover *handover;
    struct grid_barrier *barrier;
    vertex_t *parent_by_id;  /* num_words * 32; ids; set for visited vertices only; NULL unless parents are recorded */
    uint32_t *level;         /* the result, by input id; length rounded up to a multiple of 4 */
    vertex_t *parent;        /* the parents, by input id; NULL unless wanted */
    struct level_end *trace; /* num_vertices + 2, by level; NULL without --profile */
};

/* Counts are used in rotation (../../device/grid_barrier.cuh), one per step. A step is a level, a search of
 * high-degree vertices' neighbour lists, a collection of a frontier, or the levels that block 0 runs alone. Step
 * `round` adds to the count of round + 1.
 *
 * A count is one 64-bit word, so that one atomic updates all of it.
 *   of a queue:              entries << rules.edge_bits | edges
 *   of a bottom-up level:    found << 32 | unvisited, and the flag HIGH_DEGREE_QUEUED
 *   of high-degree vertices: found */
#define HIGH_DEGREE_QUEUED (1ull << 63) /* flag: high-degree vertices are queued */

/* The host's decisions for all searches. */
struct rules {
    enum direction direction;
    unsigned edge_bits;          /* width of the number of edges in a queue's count */
    uint64_t mark_above;         /* a top-down level of more edges only marks */
    uint32_t queue_capacity;     /* entries of a queue; a level that queues finds at most as many vertices */
    uint32_t single_block_edges; /* one block runs a level of at most this many edges (units); 0: never */
    uint32_t window_words;       /* words of the bitmap that are copied to shared memory; a multiple of CHUNK_WORDS */
    uint32_t first_inputs;       /* number of ids whose input ids are in shared memory while the result is written */
    uint32_t level_limit;        /* number of levels that a byte can represent; at most MATERIALISED */
    uint32_t pairs;              /* pairs of bitmap words in a chunk: 1, 2 or 4 */
    uint32_t high_degree_steps;  /* limit on steps, of UNROLL neighbours per lane, that a warp takes alone in a level;
                                    0: no limit */
    bool filters_marks;          /* a level that only marks reads the bitmap before each atomic */
    uint64_t bottom_up_above;    /* if a queued frontier has more edges, the next level is bottom-up */
    uint32_t back_below;         /* if a bottom-up level finds fewer vertices, the next level is top-down */
};

/* ---- shared memory ---- */

/* A warp's memory in bottom-up levels. */
struct warp_scratch {
    uint32_t steps_left;          /* what is left of rules.high_degree_steps */
    uint32_t deferred[CHUNK_IDS]; /* ids for stage 3; stages 1 and 2 of their chunks are finished */
    uint32_t found[CHUNK_WORDS];  /* bitmap of the vertices that stages 1 and 2 found in the chunk */
    uint8_t left[CHUNK_IDS];      /* vertices left for stage 2, as offsets in the chunk */
};

#define PASS_BYTES 128

/* Shared memory of a block. In bottom-up levels, the window and a word of zeros follow it. In levels that one block
 * runs alone, two queues follow it. */
struct __align__(16) shared
{
    unsigned char pass[PASS_BYTES]; /* a struct bottom_up_pass */
    uint64_t broadcast, tally;
    uint64_t counts[NUM_COUNTS]; /* counts for the levels of a single block */
    struct warp_scratch warps[BLOCK_THREADS / WARP_SIZE];
};
static_assert(sizeof(struct shared) % sizeof(uint4) == 0, "the window is copied in units of 16 bytes");

/* ---- progress ---- */

enum frontier {
    FRONTIER_QUEUED, /* in the queue */
    FRONTIER_MARKED, /* only in the bitmap, after a top-down level; the number of unvisited vertices is not known */
    FRONTIER_FOUND   /* only in the bitmap, after a bottom-up level; the other bitmap is the previous one */
};
#define BY_SINGLE_BLOCK (FRONTIER_FOUND + 1u) /* in profiles: block 0 alone ran the level */

/* The progress of the search. All threads hold the same values in registers. */
struct progress {
    enum frontier frontier;
    uint32_t level;       /* level of the frontier */
    uint32_t base;        /* the level that a byte of 0 stands for */
    uint32_t pending;     /* level of the visited vertices without a byte; NOT_PENDING if there are none */
    uint32_t round;       /* number of steps so far; selects the count */
    uint32_t unvisited;   /* number of unvisited vertices */
    uint64_t size, edges; /* vertices and edges of the frontier; `edges` is set only if it is queued */
    bool swapped_bitmaps, swapped_queues; /* flags instead of swapped pointers, which take more registers */
};

/* Returns the current bitmap: all vertices visited so far. */
DEVICE uint32_t *visited_bitmap(const struct search &search, const struct progress &at)
{
    return at.swapped_bitmaps ? search.next : search.visited;
}

/* Returns the other bitmap: the next bitmap during a bottom-up level, afterwards the bitmap from before the level. */
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

/* Returns whether the search is complete: the frontier is empty or has no edges, or only unreachable vertices are
 * unvisited. unreachable: the number of vertices that the search cannot reach; 0 if unknown. */
DEVICE bool is_done(const struct progress &at, uint32_t unreachable)
{
    return at.size == 0 || (at.frontier == FRONTIER_QUEUED && at.edges == 0) ||
           (at.frontier != FRONTIER_MARKED && at.unvisited == unreachable);
}

} // namespace BACKEND::dobfs
