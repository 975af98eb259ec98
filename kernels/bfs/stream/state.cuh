/* state.cuh: what a search keeps in device and shared memory. */
#pragma once

#include "../../backend/backend.h"

namespace BACKEND::stream
{

#define BLOCK_THREADS       1024u
#define NUM_COUNTS          3u
#define UNROLL              4u /* edges that a lane has in flight */
#define UNROLL_SINGLE_BLOCK 2u /* in a level of one block: it has few edges */
#define PAIR_IDS            (2 * WARP_SIZE)
#define MOST_PAIRS          4u
#define CHUNK_IDS           (MOST_PAIRS * PAIR_IDS)
#define CHUNK_WORDS         (CHUNK_IDS / WARP_SIZE)
#define NUM_PACKED_WORDS    3u /* packed words of first neighbours to a row: one of stage 1, two of stage 2 */

#define FILTER_FROM 20000u /* edges of a top-down level that looks before it claims */

#define UNSET        255u /* level bytes: not known; in the result already */
#define MATERIALISED 254u
#define NOT_PENDING  UNREACHED

/* ---- device memory ---- */

/* The prepared graph. Rows from num_rows on are isolated; num_words, of a bitmap of rows, is a multiple of
 * CHUNK_WORDS.
 */
template <typename offset_t>
struct prepared_graph {
    vertex_t num_vertices, num_ids;
    uint32_t num_words;
    edge_t num_edges;
    csr<offset_t> out, in;     /* by rows; in.targets is NULL where there are no bottom-up levels */
    const uint4 *packed_first; /* num_words * 32; NULL: without streams */
    const uint4 *packed_rest;  /* num_words * 32 pairs */
    const vertex_t *id_of;     /* num_vertices, up to a multiple of 4: a vertex's row; NULL: the same */
    const vertex_t *input_of;  /* num_vertices: its inverse */
    const uint32_t *giant;     /* a bitmap of the input's ids: the component that was measured; NULL: none was */
    uint32_t outside_giant;    /* rows */
};

/* A queue of rows. row: the row's first edge minus before. */
template <typename offset_t>
struct queue {
    offset_t *before, *shift;
};

/* Rows of many neighbours: a queue of the edges that are left, and its rows. */
template <typename offset_t>
struct long_list_queue {
    queue<offset_t> edges;
    vertex_t *ids;
};

/* What block 0 hands over after levels alone. */
struct handover {
    uint32_t level, unvisited;
    uint64_t elapsed_ns; /* nanoseconds, by the search until its levels were known */
};

template <typename offset_t>
struct search {
    uint32_t *visited, *next; /* num_words: bitmaps of rows; all ones beyond the last row */
    uint8_t *bytes;           /* num_words * 32: levels, relative */
    queue<offset_t> now, then;
    uint64_t *counts; /* NUM_COUNTS: of a queue, entries << edge_bits | edges; bottom-up, found << 32 | unvisited, and
                         LONG_ROWS; of rows of many neighbours, found */
    uint64_t *long_counts; /* NUM_COUNTS: of the queue of rows of many neighbours, bottom-up */
    vertex_t
        *long_list_ids; /* num_rows, if rules.long_steps is set: the rows of that queue, whose rest is in `then` */
    struct handover *handover;
    struct grid_barrier *barrier;
    uint32_t *level;       /* the result, by the input's ids, up to a multiple of 4 */
    uint32_t *level_by_id; /* the same by rows: level itself where rows are the input's ids, else for parents only */
    vertex_t *parent;      /* the result, by the input's ids; NULL unless asked for */
};

enum direction { DIRECTION_AUTO, DIRECTION_TOP_DOWN, DIRECTION_BOTTOM_UP, DIRECTION_ALTERNATING };

struct rules {
    enum direction direction;
    unsigned edge_bits;          /* of counts */
    uint64_t mark_above;         /* edges */
    uint32_t queue_capacity;     /* entries: as many as any level that does not mark can find */
    uint32_t single_block_edges; /* of a level that one block runs alone, at most; 0: none */
    uint32_t window_words;       /* a multiple of CHUNK_WORDS */
    uint32_t level_limit;        /* levels that bytes tell apart, at most GIVEN */
    uint32_t pairs;              /* of words to a chunk: 1, 2 or 4 */
    uint32_t long_steps; /* of UNROLL neighbours a lane, that a warp does in a level by itself; 0: any number */
    bool filters_marks;
    uint64_t bottom_up_above; /* edges of a queued frontier */
    uint32_t back_below;      /* rows that a bottom-up level finds */
};

#define LONG_LISTS (1ull << 63) /* of a count: some rows are queued */

/* A warp's own shared memory, bottom-up. */
struct warp_scratch {
    uint32_t steps_left;
    uint32_t deferred[CHUNK_IDS]; /* rows for stage 3, of chunks that are done otherwise */
    uint32_t found[CHUNK_WORDS];  /* of the chunk, as far as stage 2 finds it */
    uint8_t left[CHUNK_IDS];      /* for stage 2, places in the chunk */
};

#define PASS_BYTES 112

/* Behind it lies, one after the other, the window (and a word of zeros), or the two queues of levels alone. */
struct __align__(16) shared
{
    unsigned char pass[PASS_BYTES]; /* struct pass */
    uint64_t broadcast, tally;
    uint64_t counts[NUM_COUNTS]; /* of levels alone */
    struct warp_scratch warps[BLOCK_THREADS / WARP_SIZE];
};
static_assert(sizeof(struct shared) % sizeof(uint4) == 0, "the window is copied by 16 bytes");

/* Warps that share a level. */
struct team {
    uint32_t warp, num_warps;
};

/* Neighbouring numbers are in different blocks, which evens out neighbouring chunks. */
static __device__ __forceinline__ struct team warps_of_grid(void)
{
    return {threadIdx.x / WARP_SIZE * gridDim.x + blockIdx.x, gridDim.x * (blockDim.x / WARP_SIZE)};
}

static __device__ __forceinline__ struct team warps_of_block(void)
{
    return {threadIdx.x / WARP_SIZE, blockDim.x / WARP_SIZE};
}

static __device__ __forceinline__ uint64_t thread_of_grid(void)
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ uint64_t threads_of_grid(void)
{
    return (uint64_t)gridDim.x * blockDim.x;
}

/* How far the search is; the same in all threads. */
enum frontier {
    FRONTIER_QUEUED, /* in the queue */
    FRONTIER_MARKED, /* only in the bitmap, by a top-down level; how many are unvisited is not known */
    FRONTIER_FOUND   /* only in the bitmap, by a bottom-up level; the other bitmap is what was visited before */
};
struct progress {
    enum frontier frontier;
    uint32_t level, base, pending; /* level: of the frontier */
    uint32_t round;
    uint32_t unvisited;
    uint64_t size, edges;                 /* of the frontier; edges only where it is queued */
    bool swapped_bitmaps, swapped_queues; /* cheaper to keep than pointers: registers are scarce, bottom-up */
};

template <typename type>
static __device__ __forceinline__ void exchange(type *a, type *b)
{
    type swap = *a;
    *a = *b;
    *b = swap;
}

template <typename offset_t>
static __device__ __forceinline__ uint32_t *visited_bitmap(const search<offset_t> &search, const struct progress &at)
{
    return at.swapped_bitmaps ? search.next : search.visited;
}

/* Of a bottom-up level; after it, what was visited before. */
template <typename offset_t>
static __device__ __forceinline__ uint32_t *other_bitmap(const search<offset_t> &search, const struct progress &at)
{
    return at.swapped_bitmaps ? search.visited : search.next;
}

template <typename offset_t>
static __device__ __forceinline__ queue<offset_t> current_queue(const search<offset_t> &search,
                                                                const struct progress &at)
{
    return at.swapped_queues ? search.then : search.now;
}

template <typename offset_t>
static __device__ __forceinline__ queue<offset_t> next_queue(const search<offset_t> &search,
                                                             const struct progress &at)
{
    return at.swapped_queues ? search.now : search.then;
}

static __device__ __forceinline__ uint32_t bit_of(vertex_t id)
{
    return 1u << id % WARP_SIZE;
}

static __device__ __forceinline__ void read_count(struct progress *at, const struct rules &rules, uint64_t count)
{
    at->size = count >> rules.edge_bits;
    at->edges = count & ((1ull << rules.edge_bits) - 1);
}

/* Whether nothing is left to find. */
static __device__ __forceinline__ bool is_done(const struct progress &at, uint32_t unreachable)
{
    return at.size == 0 || (at.frontier == FRONTIER_QUEUED && at.edges == 0) ||
           (at.frontier != FRONTIER_MARKED && at.unvisited == unreachable);
}

} // namespace BACKEND::stream
