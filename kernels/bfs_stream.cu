/* bfs_stream.cu: a direction-optimising BFS (Beamer et al., SC 2012) in one kernel, for scale-free and random graphs:
 * edge-balanced top-down levels, and bottom-up levels that stream each vertex's first neighbours.
 *
 * Words. A vertex of the input has a row on the device: its number there. Where degrees are heavy-tailed, rows are
 * numbered by degree class (of powers of two), highest first, in the input's order inside a class, isolated vertices
 * last; and a row's neighbours are in that order too, hubs first. Else rows are the input's ids.
 *
 * Top-down. The frontier is a queue of rows in the form (edges before it in the level, its first edge minus those),
 * so that every warp takes as many edges, finds its first entry by a 32-ary search, and has an edge's place in one
 * addition. One 64-bit atomic a warp hands out places in the next queue and its edge numbers at once. A level of more
 * edges than mark_above only marks what it finds in the visited bitmap, and a bottom-up level follows. Levels of few
 * edges are run by one block alone, which needs no grid barrier; the others wait.
 *
 * Bottom-up. A warp takes chunks of rows: stage 1 streams the first neighbours of the unvisited ones, packed into 16
 * bytes a row; stage 2 looks at the next two such words of those rows that are left; stage 3, at some of the rest,
 * from the CSR. Rows of many neighbours, which may all be one warp's, go to a queue when the warp has taken as many
 * steps as it may in a level, and after the barrier all warps share the edges of these, as top-down. While many rows
 * are unvisited, the first part of the visited bitmap is copied to shared memory (the window). "The neighbour is
 * visited" is the test, there is no frontier bitmap. That is right because levels are complete when they end: when
 * the level that finds distance k + 1 begins, the current bitmap holds exactly the rows of distance 0 to k. A row
 * outside of it with an in-neighbour u inside has distance at most dist(u) + 1 and at least k + 1, so dist(u) is k.
 * What the level finds goes into the next bitmap, which nobody tests before the barrier.
 *
 * Which way. The chance that an edge of an unvisited row leads to the frontier is its edges by theirs, at most. What
 * that makes of the look-ups differs a hundredfold between graphs: hubs first makes it better, on web graphs most
 * rows have no visited neighbour at all and are scanned in vain. The factor is the graph's luck. It is measured by
 * samples of unvisited rows, in the first BFS of the preparation or, without one, when a level is in doubt.
 *
 * Who writes what. A top-down level sets bits of the current bitmap by atomics; of all who reach a row, the one that
 * gets the bit back unset queues it and writes its level byte. A bottom-up level only reads the current bitmap; words
 * of the next one, and level bytes, belong to the warp that has the chunk, also for rows that it has deferred; when
 * the rows of many neighbours are looked at, all chunks are done, and of all who find a neighbour of one visited, the
 * one that gets the bit back unset writes the byte. A level's queue and counts are read after the barrier. So
 * ordinary loads, from L1, are right for bitmaps and bytes that were complete at the last barrier, whose acquire has
 * dropped what L1 held before; a bitmap that is just being marked is glanced at as a filter only: a stale word costs
 * an atomic, nothing else.
 *
 * Rotating counts. A step (a level, the rows of many neighbours, a collection, block 0's levels alone) adds to
 * counts[(round + 1) % 3], which all read after its barrier; counts[(round + 2) % 3], the next step's, was last read
 * at the barrier that began the step before, and all have passed one since, so one thread may clear it.
 *
 * Levels. A byte a row, relative to a base; when a step could exceed the bytes' range, the levels so far are given
 * out (written to the result in the input's order, their bytes set to GIVEN) and the base is raised: any number of
 * levels. What a level only marked has no byte: visited rows without one have the level `pending`, of one such level
 * at a time.
 *
 * The end. A level that finds nothing; or, without it, when as many rows are unvisited as can be: none, or, on a
 * symmetric graph, if the source is in the component of the vertex of most edges, which a first BFS has measured, the
 * rows outside of that. */
#include "bfs_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

namespace BACKEND
{

#define BLOCK_THREADS   1024u
#define NUM_COUNTS      3u
#define UNROLL          4u /* edges that a lane has in flight */
#define UNROLL_ALONE    2u /* in a level of one block: it has few edges */
#define PAIR_ROWS       (2 * WARP_SIZE)
#define MOST_PAIRS      4u
#define CHUNK_ROWS      (MOST_PAIRS * PAIR_ROWS)
#define CHUNK_WORDS     (CHUNK_ROWS / WARP_SIZE)
#define NUM_STREAMED    3u /* packed words of first neighbours to a row: one of stage 1, two of stage 2 */
#define TRIES_ALONE     4u /* times UNROLL neighbours that a lane tries before its warp helps */
#define LONG_STEPS      8
#define MOST_STEPS      (1 << 20)
#define WINDOW_FROM     16u    /* the window is worth its loading while more than a 16th of the rows are unvisited */
#define FILTER_FROM     20000u /* edges of a top-down level that looks before it claims */
#define MARK_ABOVE      200000
#define SAMPLE_ABOVE    1200000
#define SAMPLE_ROWS     2u         /* to a warp */
#define SAMPLE_MOST     (1u << 20) /* look-ups of a row that count */
#define SAMPLE_BITS     24u        /* of a count of rows */
#define MEASURE_SHARE   4096u      /* the first BFS samples if a level has more than such a part of the edges */
#define MARK_SHARE      32u        /* a level of fewer edges than a 32nd of the rows does not mark either */
#define ALONE_EDGES     2048
#define MOST_ALONE      4096
#define MOST_WINDOW     (1u << 22) /* rows: more than any GPU's shared memory has bits */
#define UNSET           255u       /* level bytes: not known; in the result already */
#define GIVEN           254u
#define NOT_PENDING     UNREACHED
#define NUM_CLASSES     WARP_SIZE /* of degrees; a lane each. The last has the isolated vertices */
#define ISOLATED        (NUM_CLASSES - 1)
#define TILE_VERTICES   1024u /* that a warp numbers */
#define LONG_ROW        2u    /* times a block's threads: neighbours of a row that the block orders together */
#define PREPARE_THREADS 512u

/* What decides between directions, in units of a top-down edge (about 10 ps on an H200). */
constexpr float PASS_COST = 200e3f;    /* of a bottom-up level, whatever it finds, beyond that of a top-down level */
constexpr float ROW_COST = 0.5f;       /* of an unvisited row */
constexpr float PLAIN_ROW_COST = 2;    /* of one without a stream */
constexpr float LOOK_COST = 0.3f;      /* of a neighbour looked up */
constexpr float COLLECT_COST = 300e3f; /* of the way back to top-down */
constexpr float MARK_GAIN = 2;         /* so much cheaper than top-down must the next level be to be only marked */
constexpr float LEAST_EXPECTED = 1 / 16.0f; /* visited neighbours to a row; of fewer, a sample tells no luck */
constexpr float UNKNOWN = -1;

/* ---- first neighbours, packed ---- */

/* Five ids of 25 bits to 16 bytes; the highest bit tells whether the row has more neighbours. */
struct five_ids {
    static constexpr unsigned number = 5;
    static constexpr vertex_t none = (1u << 25) - 1;
    static __device__ __forceinline__ bool more(uint4 packed)
    {
        return packed.w >> 31;
    }
    static __device__ __forceinline__ void unpack(uint4 packed, vertex_t (&ids)[number])
    {
        ids[0] = packed.x & none;
        ids[1] = (uint32_t)(((uint64_t)packed.y << 32 | packed.x) >> 25) & none;
        ids[2] = (uint32_t)(((uint64_t)packed.z << 32 | packed.y) >> 18) & none;
        ids[3] = (uint32_t)(((uint64_t)packed.w << 32 | packed.z) >> 11) & none;
        ids[4] = packed.w >> 4 & none;
    }
    static __device__ __forceinline__ uint4 pack(const vertex_t (&ids)[number], bool more)
    {
        return {ids[0] | ids[1] << 25, ids[1] >> 7 | ids[2] << 18, ids[2] >> 14 | ids[3] << 11,
                ids[3] >> 21 | ids[4] << 4 | (uint32_t)more << 31};
    }
};

/* Four ids of 32 bits; a row whose last place is taken may have more. */
struct four_ids {
    static constexpr unsigned number = 4;
    static constexpr vertex_t none = NO_VERTEX;
    static __device__ __forceinline__ bool more(uint4 packed)
    {
        return packed.w != none;
    }
    static __device__ __forceinline__ void unpack(uint4 packed, vertex_t (&ids)[number])
    {
        ids[0] = packed.x, ids[1] = packed.y, ids[2] = packed.z, ids[3] = packed.w;
    }
    static __device__ __forceinline__ uint4 pack(const vertex_t (&ids)[number], bool)
    {
        return {ids[0], ids[1], ids[2], ids[3]};
    }
};

/* Nothing is packed: bottom-up levels read the CSR. */
struct no_ids {
    static constexpr unsigned number = 0;
};

/* ---- device memory ---- */

/* The prepared graph. Rows from num_rows on are isolated; num_words, of a bitmap of rows, is a multiple of
 * CHUNK_WORDS.
 */
template <typename offset_t>
struct rows {
    vertex_t num_vertices, num_rows;
    uint32_t num_words;
    edge_t num_edges;
    csr<offset_t> out, in;    /* by rows; in.targets is NULL where there are no bottom-up levels */
    const uint4 *first;       /* num_words * 32; NULL: without streams */
    const uint4 *next;        /* num_words * 32 pairs */
    const vertex_t *row_of;   /* num_vertices, up to a multiple of 4: a vertex's row; NULL: the same */
    const vertex_t *input_of; /* num_vertices: its inverse */
    const uint32_t *giant;    /* a bitmap of the input's ids: the component that was measured; NULL: none was */
    uint32_t outside_giant;   /* rows */
};

/* A queue of rows. row: the row's first edge minus before. */
template <typename offset_t>
struct queue {
    offset_t *before, *row;
};

/* Rows of many neighbours: a queue of the edges that are left, and its rows. */
template <typename offset_t>
struct long_rows {
    struct queue<offset_t> edges;
    vertex_t *row;
};

/* What block 0 hands over after levels alone; and what the first BFS leaves. */
struct handover {
    uint32_t level, unvisited;
    uint64_t reached_edges;
    float luck;
};

template <typename offset_t>
struct search {
    uint32_t *visited, *next; /* num_words: bitmaps of rows; all ones beyond the last row */
    uint8_t *bytes;           /* num_words * 32: levels, relative */
    struct queue<offset_t> now, then;
    uint64_t *counts; /* NUM_COUNTS: of a queue, entries << edge_bits | edges; bottom-up, found << 32 | unvisited, and
                         LONG_ROWS; of rows of many neighbours, found; of a sample, looks << SAMPLE_BITS | rows */
    uint64_t *long_counts; /* NUM_COUNTS: of the queue of rows of many neighbours, bottom-up */
    vertex_t *long_rows;   /* num_rows, if rules.long_steps is set: the rows of that queue, whose rest is in `then` */
    struct handover *handover;
    struct grid_barrier *barrier;
    uint32_t *level;     /* the result, by the input's ids, up to a multiple of 4 */
    uint32_t *row_level; /* the same by rows: level itself where rows are the input's ids, else for parents only */
    vertex_t *parent;    /* the result, by the input's ids; NULL unless asked for */
    struct level_end *trace; /* num_vertices + 2, by level; NULL unless asked for */
};

enum direction { DIRECTION_AUTO, DIRECTION_TOP_DOWN, DIRECTION_BOTTOM_UP, DIRECTION_ALTERNATING };

struct rules {
    enum direction direction;
    unsigned edge_bits;      /* of counts */
    uint64_t mark_above;     /* edges */
    uint32_t queue_capacity; /* entries: as many as any level that does not mark can find */
    uint32_t alone_edges;    /* of a level that one block runs alone, at most; 0: none */
    uint32_t window_words;   /* a multiple of CHUNK_WORDS */
    uint32_t level_limit;    /* levels that bytes tell apart, at most GIVEN */
    uint32_t pairs;          /* of words to a chunk: 1, 2 or 4 */
    uint32_t long_steps;     /* of UNROLL neighbours a lane, that a warp does in a level by itself; 0: any number */
    uint64_t sample_above;   /* edges of a level that may sample rows if it is in doubt */
    float row_cost, luck;    /* luck: UNKNOWN if it was not measured */
    bool measures;           /* luck, in the first BFS */
    bool always_marks, filters_marks;
};

#define LONG_ROWS (1ull << 63) /* of a count: some rows are queued */

/* A warp's own shared memory, bottom-up. */
struct warp_room {
    uint32_t steps_left;
    uint32_t deferred[CHUNK_ROWS]; /* rows for stage 3, of chunks that are done otherwise */
    uint32_t found[CHUNK_WORDS];   /* of the chunk, as far as stage 2 finds it */
    uint8_t left[CHUNK_ROWS];      /* for stage 2, places in the chunk */
};

#define ROOM_FOR_PASS 112

/* Behind it lies, one after the other, the window (and a word of zeros), or the two queues of levels alone. */
struct __align__(16) shared
{
    unsigned char pass[ROOM_FOR_PASS]; /* struct pass */
    uint64_t broadcast, tally;
    uint64_t counts[NUM_COUNTS]; /* of levels alone */
    struct warp_room warps[BLOCK_THREADS / WARP_SIZE];
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

/* By one thread, where the level is complete. */
template <typename offset_t>
static __device__ __forceinline__ void trace_level(const struct search<offset_t> &search, uint32_t level,
                                                   enum level_mode mode)
{
    if (search.trace != NULL)
        search.trace[level] = {nanoseconds(), (uint64_t)mode};
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
    uint64_t size, edges;   /* of the frontier; edges only where it is queued */
    uint64_t reached_edges; /* out-edges of what is visited, as long as levels are top-down, then reckoned */
    float luck, looks;      /* looks: of an unvisited row, as a sample for this level says; 0: there was none */
    float regret;           /* what bottom-up levels have cost beyond what top-down ones would have */
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
static __device__ __forceinline__ uint32_t *visited_of(const struct search<offset_t> &search,
                                                       const struct progress &at)
{
    return at.swapped_bitmaps ? search.next : search.visited;
}

/* Of a bottom-up level; after it, what was visited before. */
template <typename offset_t>
static __device__ __forceinline__ uint32_t *other_of(const struct search<offset_t> &search, const struct progress &at)
{
    return at.swapped_bitmaps ? search.visited : search.next;
}

template <typename offset_t>
static __device__ __forceinline__ struct queue<offset_t> now_of(const struct search<offset_t> &search,
                                                                const struct progress &at) {
    return at.swapped_queues ? search.then : search.now;
}

template <typename offset_t>
static __device__ __forceinline__ struct queue<offset_t> then_of(const struct search<offset_t> &search,
                                                                 const struct progress &at) {
    return at.swapped_queues ? search.now : search.then;
}

/* ---- queues: in global memory, in one block's shared memory, or a whole graph's rows as if all were queued ---- */

template <typename offset_t>
struct global_queue : queue<offset_t> {
    __device__ __forceinline__ offset_t before_at(uint64_t i) const
    {
        return __ldcg(&this->before[i]);
    }
    __device__ __forceinline__ offset_t row_at(uint64_t i) const
    {
        return __ldcg(&this->row[i]);
    }
    __device__ __forceinline__ void put(uint64_t i, offset_t edges, offset_t first) const
    {
        __stcg(&this->before[i], edges);
        __stcg(&this->row[i], first);
    }
};

template <typename offset_t>
struct shared_queue : queue<offset_t> {
    __device__ __forceinline__ offset_t before_at(uint64_t i) const
    {
        return this->before[i];
    }
    __device__ __forceinline__ offset_t row_at(uint64_t i) const
    {
        return this->row[i];
    }
    __device__ __forceinline__ void put(uint64_t i, offset_t edges, offset_t first) const
    {
        this->before[i] = edges;
        this->row[i] = first;
    }
};

template <typename offset_t>
struct whole_graph {
    const offset_t *offsets;
    __device__ __forceinline__ offset_t before_at(uint64_t i) const
    {
        return __ldg(&offsets[i]);
    }
    __device__ __forceinline__ offset_t row_at(uint64_t) const
    {
        return 0;
    }
};

/* The last of `size` entries that has no more than `edge` edges before it. All lanes of the warp must come. */
template <typename queue_t, typename offset_t>
static __device__ __forceinline__ uint64_t entry_of(const queue_t &queue, uint64_t size, offset_t edge)
{
    uint64_t first = 0, end = size;
    while (end - first > 1) {
        uint64_t step = (end - first + WARP_SIZE - 1) / WARP_SIZE, probe = first + lane_id() * step;
        bool reaches = probe < end && queue.before_at(probe) <= edge;
        first += (unsigned)(__popc(__ballot_sync(WHOLE_WARP, reaches)) - 1) * step;
        end = min(end, first + step);
    }
    return first;
}

/* Deals the edges of a queue evenly out to the team's warps and calls use(neighbours, has, entries) with `unroll` of
 * them a lane; neighbours are NO_VERTEX where has is not set. All lanes come to every call, and all return whether
 * the rest of the entry of the last lane's last edge is to be left out. */
template <unsigned unroll, typename queue_t, typename offset_t, typename use_t>
static __device__ __forceinline__ void for_each_edge(const vertex_t *targets, const queue_t &queue, uint64_t size,
                                                     offset_t edges, struct team team, use_t use)
{
    offset_t share = (edges + team.num_warps - 1) / team.num_warps;
    share = (share + WARP_SIZE - 1) & ~(offset_t)(WARP_SIZE - 1);
    uint64_t begin = (uint64_t)share * team.warp;
    if (begin >= edges)
        return;
    offset_t edge = (offset_t)begin, end = edges - edge < share ? edges : edge + share;
    for (uint64_t entry = entry_of(queue, size, edge); edge < end; entry += WARP_SIZE) {
        /* The lanes have 32 entries, whose edges are counted from `edge` on: fewer than 2^32 are the warp's. */
        uint64_t mine = entry + lane_id();
        offset_t before = mine < size ? queue.before_at(mine) : edges;
        offset_t row = mine < size ? queue.row_at(mine) : 0;
        offset_t until = entry + WARP_SIZE < size ? min(end, queue.before_at(entry + WARP_SIZE)) : end;
        uint32_t from = before <= edge ? 0 : before >= end ? UINT32_MAX : (uint32_t)(before - edge);
        uint32_t number = (uint32_t)(until - edge);
        for (uint32_t at = 0; at < number;) {
            vertex_t neighbours[unroll];
            bool has[unroll];
            uint64_t entries[unroll];
            unsigned owner = 0;
#pragma unroll
            for (unsigned i = 0; i < unroll; i++) {
                uint32_t place = at + i * WARP_SIZE + lane_id();
                owner = 0;
#pragma unroll
                for (unsigned step = WARP_SIZE / 2; step > 0; step /= 2)
                    owner += __shfl_sync(WHOLE_WARP, from, (int)(owner + step)) <= place ? step : 0;
                offset_t at_row = __shfl_sync(WHOLE_WARP, row, (int)owner);
                has[i] = place < number;
                entries[i] = entry + owner;
                neighbours[i] = load_if(has[i], &targets[(offset_t)(at_row + edge + place)]);
            }
            at += unroll * WARP_SIZE;
            if (use(neighbours, has, entries)) {
                owner = __shfl_sync(WHOLE_WARP, owner, WARP_SIZE - 1);
                uint32_t rest = __shfl_sync(WHOLE_WARP, from, (int)(owner + 1) % (int)WARP_SIZE);
                at = max(at, owner + 1 < WARP_SIZE ? rest : number);
            }
        }
        edge = until;
    }
}

/* Queues the rows of those lanes that have some, whose edges are first .. end - 1; returns the place of the lane's
 * first. All lanes of the warp must come; they make one atomic: the entries' places and the edges before them come
 * from the same sum, so they ascend together. */
template <unsigned number, typename queue_t, typename offset_t>
static __device__ __forceinline__ uint64_t append(const queue_t &queue, uint64_t *count, unsigned edge_bits,
                                                  const bool (&has)[number], const offset_t (&first)[number],
                                                  const offset_t (&end)[number])
{
    const uint64_t entry = 1ull << edge_bits;
    uint64_t mine = 0;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        mine += has[i] ? entry + (offset_t)(end[i] - first[i]) : 0;
    if (!__any_sync(WHOLE_WARP, mine != 0))
        return 0;
    uint64_t sum = mine; /* of this lane and those before it */
#pragma unroll
    for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
        uint64_t left = __shfl_up_sync(WHOLE_WARP, sum, step);
        sum += lane_id() >= step ? left : 0;
    }
    uint64_t place = 0;
    if (lane_id() == WARP_SIZE - 1)
        place = atomicAdd((unsigned long long *)count, (unsigned long long)sum);
    place = __shfl_sync(WHOLE_WARP, place, WARP_SIZE - 1) + sum - mine;
    const uint64_t first_place = place >> edge_bits;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        if (has[i]) {
            offset_t before = (offset_t)(place & (entry - 1));
            queue.put(place >> edge_bits, before, first[i] - before);
            place += entry + (offset_t)(end[i] - first[i]);
        }
    return first_place;
}

/* ---- top-down ---- */

static __device__ __forceinline__ uint32_t bit_of(vertex_t row)
{
    return 1u << row % WARP_SIZE;
}

/* Claims those of the neighbours that are not visited, and queues them. looks: before it claims. */
template <unsigned unroll, typename queue_t, typename offset_t>
static __device__ __forceinline__ void claim(const offset_t *offsets, uint32_t *visited, uint8_t *bytes, uint8_t byte,
                                             const queue_t &queue, uint64_t *count, unsigned edge_bits, bool looks,
                                             const vertex_t (&neighbours)[unroll], const bool (&has)[unroll])
{
    bool fresh[unroll];
    uint32_t word[unroll];
    offset_t first[unroll], end[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        word[i] = glance_if(has[i] && looks, &visited[neighbours[i] / WARP_SIZE]);
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        fresh[i] = has[i] && !(looks && (word[i] & bit_of(neighbours[i])));
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) { /* the row's edges are on their way while the claim is */
        vertex_t row = neighbours[i];
        word[i] = or_if(fresh[i], &visited[row / WARP_SIZE], bit_of(row));
        first[i] = load_if(fresh[i], &offsets[row]);
        end[i] = load_if(fresh[i], &offsets[(size_t)row + 1]);
    }
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) {
        fresh[i] = fresh[i] && !(word[i] & bit_of(neighbours[i]));
        if (fresh[i])
            bytes[neighbours[i]] = byte;
    }
    append(queue, count, edge_bits, fresh, first, end);
}

/* Only marks them. */
template <unsigned unroll>
static __device__ __forceinline__ void mark(uint32_t *visited, bool looks, const vertex_t (&neighbours)[unroll],
                                            const bool (&has)[unroll])
{
    uint32_t word[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        word[i] = glance_if(has[i] && looks, &visited[neighbours[i] / WARP_SIZE]);
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        if (has[i] && !(looks && (word[i] & bit_of(neighbours[i]))))
            atomicOr(&visited[neighbours[i] / WARP_SIZE], bit_of(neighbours[i]));
}

/* A level of all warps; marks: it queues nothing. */
template <typename offset_t>
static __device__ __forceinline__ void go_top_down(const struct rows<offset_t> &rows,
                                                   const struct search<offset_t> &search, const struct rules &rules,
                                                   const struct progress &at, bool marks, uint64_t *count)
{
    global_queue<offset_t> now{now_of(search, at)}, then{then_of(search, at)};
    uint32_t *visited = visited_of(search, at);
    offset_t edges = (offset_t)at.edges;
    if (marks) {
        for_each_edge<UNROLL>(rows.out.targets, now, at.size, edges, warps_of_grid(),
                              [&](const vertex_t(&neighbours)[UNROLL], const bool(&has)[UNROLL], const uint64_t *) {
                                  mark(visited, rules.filters_marks, neighbours, has);
                                  return false;
                              });
        return;
    }
    bool looks = at.edges > FILTER_FROM;
    uint8_t byte = (uint8_t)(at.level + 1 - at.base);
    for_each_edge<UNROLL>(rows.out.targets, now, at.size, edges, warps_of_grid(),
                          [&](const vertex_t(&neighbours)[UNROLL], const bool(&has)[UNROLL], const uint64_t *) {
                              claim(rows.out.offsets, visited, search.bytes, byte, then, count, rules.edge_bits,
                                    looks, neighbours, has);
                              return false;
                          });
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

static __device__ __forceinline__ bool fits_alone(const struct progress &at, const struct rules &rules)
{
    return at.edges <= rules.alone_edges && at.size <= rules.alone_edges &&
           at.level + 1 - at.base < rules.level_limit;
}

/* Block 0 runs levels as long as they are thin: queues and counts are in its shared memory, a level costs a block
 * barrier. What it finds last goes to the grid's next queue. */
template <typename offset_t>
static __device__ __forceinline__ void
go_alone(const struct rows<offset_t> &rows, const struct search<offset_t> &search, const struct rules &rules,
         struct shared *shared, struct progress at, uint32_t unreachable, uint64_t *count)
{
    offset_t *room = (offset_t *)(shared + 1);
    shared_queue<offset_t> now{{room, room + rules.alone_edges}};
    shared_queue<offset_t> then{{room + 2 * rules.alone_edges, room + 3 * rules.alone_edges}};
    global_queue<offset_t> from{now_of(search, at)}, to{then_of(search, at)};
    uint32_t *visited = visited_of(search, at);
    for (uint32_t i = threadIdx.x; i < at.size; i += blockDim.x)
        now.put(i, from.before_at(i), from.row_at(i));
    if (threadIdx.x < NUM_COUNTS)
        shared->counts[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t round = 0; fits_alone(at, rules) && !is_done(at, unreachable); round++) {
        uint64_t *next_count = &shared->counts[(round + 1) % NUM_COUNTS];
        if (threadIdx.x == 0)
            shared->counts[(round + 2) % NUM_COUNTS] = 0;
        uint8_t byte = (uint8_t)(at.level + 1 - at.base);
        for_each_edge<UNROLL_ALONE>(
            rows.out.targets, now, at.size, (offset_t)at.edges, warps_of_block(),
            [&](const vertex_t(&neighbours)[UNROLL_ALONE], const bool(&has)[UNROLL_ALONE], const uint64_t *) {
                claim(rows.out.offsets, visited, search.bytes, byte, then, next_count, rules.edge_bits, false,
                      neighbours, has);
                return false;
            });
        __syncthreads();
        read_count(&at, rules, *(volatile uint64_t *)next_count);
        at.level++;
        at.unvisited -= (uint32_t)at.size;
        at.reached_edges += at.edges;
        if (threadIdx.x == 0)
            trace_level(search, at.level, LEVEL_TOP_DOWN);
        exchange(&now, &then);
    }
    for (uint32_t i = threadIdx.x; i < at.size; i += blockDim.x)
        to.put(i, now.before_at(i), now.row_at(i));
    if (threadIdx.x == 0) {
        *search.handover = {at.level, at.unvisited, at.reached_edges};
        __stcg(count, at.size << rules.edge_bits | at.edges);
    }
}

/* ---- bottom-up ---- */

/* The rows visited before the level: a bitmap, and in shared memory the words of its first window_rows rows. */
struct view {
    const uint32_t *bitmap;
    uint32_t window_words;
};

/* From where the compiler sees that it is shared memory. */
static __device__ __forceinline__ uint32_t *window_of_block(void)
{
    return (uint32_t *)(block_shared<struct shared>() + 1);
}

/* Whether one of the packed rows is visited. Rows beyond the window are looked up only if none within it is. */
template <typename format, bool windowed>
static __device__ __forceinline__ bool sees_any(const struct view &view, uint4 packed)
{
    vertex_t ids[format::number];
    uint32_t words[format::number], bits = 0;
    const uint32_t *window = window_of_block();
    format::unpack(packed, ids);
    if (windowed) {
        bool beyond = false;
#pragma unroll
        for (unsigned i = 0; i < format::number; i++) { /* a word of zeros is behind the window */
            bits |= window[min(ids[i] / WARP_SIZE, view.window_words)] >> ids[i] % WARP_SIZE;
            beyond |= ids[i] >= view.window_words * WARP_SIZE && ids[i] != format::none;
        }
        if ((bits & 1) || !beyond)
            return bits & 1;
    }
    uint32_t from = windowed ? view.window_words * WARP_SIZE : 0;
#pragma unroll
    for (unsigned i = 0; i < format::number; i++)
        words[i] = look_if(ids[i] >= from && ids[i] != format::none, &view.bitmap[ids[i] / WARP_SIZE]);
#pragma unroll
    for (unsigned i = 0; i < format::number; i++)
        bits |= ids[i] >= from && ids[i] != format::none ? words[i] >> ids[i] % WARP_SIZE : 0;
    return bits & 1;
}

/* The first of a row's neighbours edge .. end - 1, as the lane or its warp tries them, for which
 * holds(neighbour, fetch(neighbour), wanted); NO_VERTEX: none. The warp takes that many steps at most, and counts
 * them down; edge moves on to what was not tried. All lanes of the warp must come. */
template <typename offset_t, typename fetch_t, typename holds_t>
static __device__ __forceinline__ vertex_t find_neighbour(const vertex_t *targets, offset_t &edge, offset_t end,
                                                          uint32_t wanted, uint32_t &steps, fetch_t fetch,
                                                          holds_t holds)
{
    vertex_t match = NO_VERTEX;
    auto try_some = [&](offset_t from, offset_t last, unsigned stride, uint32_t wish) {
        vertex_t neighbours[UNROLL], hit = NO_VERTEX;
        uint32_t words[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            neighbours[i] = load_if(from + i * stride < last, &targets[(offset_t)(from + i * stride)]);
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            words[i] = fetch(neighbours[i]);
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            if (neighbours[i] != NO_VERTEX && holds(neighbours[i], words[i], wish))
                hit = neighbours[i];
        return hit;
    };
    for (unsigned tries = 0; tries < TRIES_ALONE && edge < end && match == NO_VERTEX; tries++, edge += UNROLL)
        match = try_some(edge, end, 1, wanted);
    unsigned left = __ballot_sync(WHOLE_WARP, edge < end && match == NO_VERTEX);
    for (; left != 0 && steps > 0; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        offset_t at = __shfl_sync(WHOLE_WARP, edge, owner), last = __shfl_sync(WHOLE_WARP, end, owner);
        uint32_t wish = __shfl_sync(WHOLE_WARP, wanted, owner);
        vertex_t found = NO_VERTEX;
        for (; at < last && found == NO_VERTEX && steps > 0; at += UNROLL * WARP_SIZE, steps--) {
            vertex_t hit = try_some((offset_t)(at + lane_id()), last, WARP_SIZE, wish);
            unsigned hits = __ballot_sync(WHOLE_WARP, hit != NO_VERTEX);
            if (hits != 0)
                found = __shfl_sync(WHOLE_WARP, hit, __ffs((int)hits) - 1);
        }
        if ((int)lane_id() == owner) {
            match = found;
            edge = at;
        }
    }
    return match;
}

/* What a bottom-up level's functions share, in shared memory: registers are scarce in stage 1. */
template <typename offset_t>
struct pass {
    struct view view;
    uint32_t *next;
    uint8_t *bytes;
    csr<offset_t> in;
    struct long_rows<offset_t> longs;
    uint64_t *long_count;
    unsigned edge_bits;
    uint8_t byte;
    bool queues; /* long rows */
};

template <typename offset_t>
static __device__ __forceinline__ struct pass<offset_t> *pass_of_block(void) {
    static_assert(sizeof(struct pass<offset_t>) <= ROOM_FOR_PASS, "a level's pass has its room");
    return (struct pass<offset_t> *)block_shared<struct shared>()->pass;
}

static __device__ __forceinline__ struct warp_room *
room_of_warp(void)
{
    return &block_shared<struct shared>()->warps[threadIdx.x / WARP_SIZE];
}

/* The word with the bit of a row, NO_VERTEX excepted. */
template <bool windowed>
static __device__ __forceinline__ uint32_t word_of(const struct view &view, vertex_t row)
{
    bool near = windowed && row < view.window_words * WARP_SIZE;
    uint32_t near_word = near ? window_of_block()[row / WARP_SIZE] : 0;
    uint32_t far_word = look_if(!near && row != NO_VERTEX, &view.bitmap[row / WARP_SIZE]);
    return near ? near_word : far_word;
}

/* Stage 3: looks at the neighbours of the deferred rows from the skip'th on, and queues the rows of which too many
 * are left. Their chunks' words of the next bitmap are written already, by this warp. Returns how many the lane
 * found. Not inlined: what it needs of registers is stage 1's loss. */
template <bool windowed, typename offset_t>
static __device__ __attribute__((noinline)) uint32_t look_deferred(uint32_t number, unsigned skip)
{
    const struct pass<offset_t> &pass = *pass_of_block<offset_t>();
    const global_queue<offset_t> queue{pass.longs.edges};
    struct warp_room *room = room_of_warp();
    uint32_t found = 0;
    __syncwarp();
    uint32_t steps = pass.queues ? room->steps_left : UINT32_MAX;
    for (uint32_t base = 0; base < number; base += WARP_SIZE) {
        bool has = base + lane_id() < number;
        uint32_t row = has ? room->deferred[base + lane_id()] : 0;
        offset_t end = has ? pass.in.offsets[(size_t)row + 1] : 0, edge = has ? pass.in.offsets[row] + skip : 0;
        vertex_t match = find_neighbour(
            pass.in.targets, edge, end, 0, steps,
            [&](vertex_t neighbour) { return word_of<windowed>(pass.view, neighbour); },
            [](vertex_t neighbour, uint32_t word, uint32_t) { return word >> neighbour % WARP_SIZE & 1; });
        if (match != NO_VERTEX) {
            atomicOr(&pass.next[row / WARP_SIZE], bit_of(row));
            pass.bytes[row] = pass.byte;
            found++;
        }
        bool rest[1] = {pass.queues && match == NO_VERTEX && edge < end};
        if (__any_sync(WHOLE_WARP, rest[0])) {
            uint64_t place = append<1>(queue, pass.long_count, pass.edge_bits, rest, {edge}, {end});
            if (rest[0])
                __stcg(&pass.longs.row[place], row);
            if (lane_id() == 0)
                atomicOr((unsigned long long *)&block_shared<struct shared>()->tally, LONG_ROWS);
        }
    }
    __syncwarp();
    if (lane_id() == 0)
        room->steps_left = steps;
    __syncwarp();
    return found;
}

/* The rows of many neighbours that stage 3 has queued, with their edges dealt out to all warps. A warp leaves a row
 * that it has found. Returns how many the lane found. */
template <bool windowed, typename offset_t>
static __device__ __attribute__((noinline)) uint32_t look_long(uint64_t long_count)
{
    const struct pass<offset_t> &pass = *pass_of_block<offset_t>();
    const global_queue<offset_t> queue{pass.longs.edges};
    uint32_t found = 0;
    for_each_edge<UNROLL>(
        pass.in.targets, queue, long_count >> pass.edge_bits, (offset_t)(long_count & ((1ull << pass.edge_bits) - 1)),
        warps_of_grid(),
        [&](const vertex_t(&neighbours)[UNROLL], const bool(&has)[UNROLL], const uint64_t(&entries)[UNROLL]) {
            uint64_t last = __shfl_sync(WHOLE_WARP, entries[UNROLL - 1], WARP_SIZE - 1);
            uint32_t words[UNROLL];
            bool ends = false;
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++)
                words[i] = word_of<windowed>(pass.view, neighbours[i]);
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) { /* one of the lanes that have hits of the same row marks it */
                bool hit = has[i] && (words[i] >> neighbours[i] % WARP_SIZE & 1);
                unsigned hits = __ballot_sync(WHOLE_WARP, hit), before = hits & lanes_below(lane_id());
                uint64_t other = __shfl_sync(WHOLE_WARP, entries[i], before == 0 ? 0 : 31 - __clz((int)before));
                ends = ends || (hit && entries[i] == last);
                if (!hit || (before != 0 && other == entries[i]))
                    continue;
                uint32_t row = __ldcg(&pass.longs.row[entries[i]]);
                if (!(atomicOr(&pass.next[row / WARP_SIZE], bit_of(row)) & bit_of(row))) {
                    pass.bytes[row] = pass.byte;
                    found++;
                }
            }
            return (bool)__any_sync(WHOLE_WARP, ends);
        });
    return found;
}

/* Found and unvisited rows in one word; a row found late was counted as unvisited before. */
static __device__ __forceinline__ uint64_t tally_of(uint32_t found, uint32_t found_late, uint32_t unvisited)
{
    found = __reduce_add_sync(WHOLE_WARP, found);
    found_late = __reduce_add_sync(WHOLE_WARP, found_late);
    unvisited = __reduce_add_sync(WHOLE_WARP, unvisited);
    return (uint64_t)(found + found_late) << 32 | (unvisited - found_late);
}

/* All three stages over the chunks of a warp. The words of the chunk after next, and the first neighbours of the pair
 * of words after this, are on their way while it works on one. */
template <typename format, bool windowed, typename offset_t>
static __device__ __forceinline__ uint64_t stream_rows(const struct rows<offset_t> &rows,
                                                       const struct pass<offset_t> &pass, uint32_t pairs)
{
    struct warp_room *room = room_of_warp();
    const struct team team = warps_of_grid();
    const uint32_t words = 2 * pairs, num_words = rows.num_words, stride = team.num_warps * words;
    const unsigned before_me = (1u << lane_id()) - 1, skip = NUM_STREAMED * format::number;
    uint32_t num_deferred = 0, found = 0, found_late = 0, unvisited = 0;
    auto visited_from = [&](uint32_t first) { /* a chunk's words, a lane each */
                                              return look_if(lane_id() < words && first < num_words,
                                                             &pass.view.bitmap[first + lane_id()]);
    };
    uint4 coming[2];
    auto fetch = [&](uint32_t first, uint32_t visited, uint32_t pair) {
#pragma unroll
        for (unsigned i = 0; i < 2; i++) {
            uint32_t word = __shfl_sync(WHOLE_WARP, visited, (int)(2 * pair + i));
            uint32_t row = (first + 2 * pair + i) * WARP_SIZE + lane_id();
            coming[i] = stream_four_if(!(word >> lane_id() & 1), &rows.first[row]);
        }
    };
    uint32_t first = team.warp * words; /* word of the chunk */
    uint32_t visited = visited_from(first), visited_next = visited_from(first + stride);
    fetch(first, visited, 0);
    for (; first < num_words; first += stride) {
        uint32_t visited_after = visited_from(first + 2 * stride), fresh = 0, num_left = 0;
        bool full = __all_sync(WHOLE_WARP, visited == UINT32_MAX);
        for (uint32_t pair = 0; pair < pairs && !full; pair++) { /* stage 1 */
            uint4 packed[2] = {coming[0], coming[1]};
            bool last = pair + 1 == pairs;
            fetch(last ? first + stride : first, last ? visited_next : visited, last ? 0 : pair + 1);
#pragma unroll
            for (unsigned i = 0; i < 2; i++) {
                bool asks = !(__shfl_sync(WHOLE_WARP, visited, (int)(2 * pair + i)) >> lane_id() & 1);
                bool hit = sees_any<format, windowed>(pass.view, packed[i]);
                unsigned hits = __ballot_sync(WHOLE_WARP, asks && hit);
                bool stays = asks && !hit && format::more(packed[i]);
                unsigned stay = __ballot_sync(WHOLE_WARP, stays);
                if (lane_id() == 2 * pair + i)
                    fresh = hits;
                if (stays)
                    room->left[num_left + __popc(stay & before_me)] =
                        (uint8_t)((2 * pair + i) * WARP_SIZE + lane_id());
                num_left += (unsigned)__popc(stay);
            }
        }
        if (full)
            fetch(first + stride, visited_next, 0);
        if (num_left > 0) { /* stage 2 */
            if (num_deferred + num_left > CHUNK_ROWS) {
                found_late += look_deferred<windowed, offset_t>(num_deferred, skip);
                num_deferred = 0;
            }
            if (lane_id() < CHUNK_WORDS)
                room->found[lane_id()] = fresh;
            __syncwarp();
            for (uint32_t base = 0; base < num_left; base += WARP_SIZE) {
                bool has = base + lane_id() < num_left;
                uint32_t place = has ? room->left[base + lane_id()] : 0, row = first * WARP_SIZE + place;
                const uint4 *next = &rows.next[(NUM_STREAMED - 1) * (size_t)row];
                uint4 packed[2] = {stream_four_if(has, next), stream_four_if(has, next + 1)};
                bool hit = sees_any<format, windowed>(pass.view, packed[0]);
                if (!hit)
                    hit = sees_any<format, windowed>(pass.view, packed[1]);
                bool stays = has && !hit && format::more(packed[1]);
                unsigned stay = __ballot_sync(WHOLE_WARP, stays);
                if (has && hit)
                    atomicOr(&room->found[place / WARP_SIZE], bit_of(place));
                if (stays)
                    room->deferred[num_deferred + __popc(stay & before_me)] = row;
                num_deferred += (unsigned)__popc(stay);
            }
            __syncwarp();
            fresh = lane_id() < CHUNK_WORDS ? *(volatile uint32_t *)&room->found[lane_id()] : 0;
            __syncwarp();
        }
        for (uint32_t word = 0; word < words && !full; word++)
            if (__shfl_sync(WHOLE_WARP, fresh, (int)word) >> lane_id() & 1)
                pass.bytes[(first + word) * WARP_SIZE + lane_id()] = pass.byte;
        if (lane_id() < words) {
            __stcg(&pass.next[first + lane_id()], visited | fresh);
            unvisited += (unsigned)__popc(~(visited | fresh));
        }
        found += (unsigned)__popc(fresh);
        visited = visited_next;
        visited_next = visited_after;
    }
    found_late += look_deferred<windowed, offset_t>(num_deferred, skip);
    return tally_of(found, found_late, unvisited);
}

/* Without streams: every unvisited row is deferred to stage 3. */
template <bool windowed, typename offset_t>
static __device__ __forceinline__ uint64_t scan_rows(const struct rows<offset_t> &rows,
                                                     const struct pass<offset_t> &pass)
{
    struct warp_room *room = room_of_warp();
    const struct team team = warps_of_grid();
    const unsigned before_me = (1u << lane_id()) - 1;
    uint32_t num_deferred = 0, found = 0, unvisited = 0;
    for (uint32_t word = team.warp; word < rows.num_words; word += team.num_warps) {
        uint32_t visited = __ldcg(&pass.view.bitmap[word]), asking = (unsigned)__popc(~visited);
        if (lane_id() == 0)
            __stcg(&pass.next[word], visited);
        if (num_deferred + asking > CHUNK_ROWS) {
            found += look_deferred<windowed, offset_t>(num_deferred, 0);
            num_deferred = 0;
        }
        if (!(visited >> lane_id() & 1))
            room->deferred[num_deferred + __popc(~visited & before_me)] = word * WARP_SIZE + lane_id();
        num_deferred += asking;
        unvisited += lane_id() == 0 ? asking : 0;
    }
    found += look_deferred<windowed, offset_t>(num_deferred, 0);
    return tally_of(0, found, unvisited);
}

template <typename format, bool windowed, typename offset_t>
static __device__ __forceinline__ uint64_t run_pass(const struct rows<offset_t> &rows,
                                                    const struct pass<offset_t> &pass, uint32_t pairs)
{
    if constexpr (format::number > 0)
        return stream_rows<format, windowed>(rows, pass, pairs);
    else
        return scan_rows<windowed>(rows, pass);
}

static __device__ __forceinline__ bool has_window(const struct rules &rules, const struct progress &at,
                                                  vertex_t num_rows)
{
    return rules.window_words > 0 && (at.frontier == FRONTIER_MARKED || at.unvisited > num_rows / WINDOW_FROM);
}

static __device__ __forceinline__ void clear_tally(struct shared *shared)
{
    if (threadIdx.x == 0)
        shared->tally = 0;
    __syncthreads();
}

/* Adds up what the warps of the block have counted since the tally was cleared. */
static __device__ __forceinline__ void add_tally(struct shared *shared, uint64_t mine, uint64_t *count)
{
    typedef unsigned long long wide_t;
    if (lane_id() == 0)
        atomicAdd((wide_t *)&shared->tally, (wide_t)mine);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    uint64_t tally = *(volatile uint64_t *)&shared->tally;
    if (tally & LONG_ROWS)
        atomicOr((wide_t *)count, (wide_t)LONG_ROWS);
    atomicAdd((wide_t *)count, (wide_t)(tally & ~LONG_ROWS));
}

/* A level from in-neighbours. */
template <typename format, typename offset_t>
static __device__ __forceinline__ void
go_bottom_up(const struct rows<offset_t> &rows, const struct search<offset_t> &search, const struct rules &rules,
             struct shared *shared, const struct progress &at, uint64_t *count, uint64_t *long_count)
{
    uint32_t *window = window_of_block();
    bool windowed = has_window(rules, at, rows.num_rows);
    struct pass<offset_t> pass = {
        {visited_of(search, at), rules.window_words}, other_of(search, at), search.bytes, rows.in,
            {then_of(search, at), search.long_rows}, long_count, rules.edge_bits,
            (uint8_t)(at.level + 1 - at.base), rules.long_steps > 0,
    };
    if (threadIdx.x == 0) {
        *pass_of_block<offset_t>() = pass;
        shared->tally = 0;
    }
    if (lane_id() == 0)
        room_of_warp()->steps_left = rules.long_steps;
    if (windowed) {
        const uint32_t words = sizeof(uint4) / sizeof(uint32_t);
        for (uint32_t i = threadIdx.x; i < rules.window_words / words; i += blockDim.x) {
            uint4 some = __ldcg((const uint4 *)pass.view.bitmap + i);
            ((uint4 *)window)[i] = {some.x, some.y, some.z, some.w};
        }
        if (threadIdx.x == 0)
            window[rules.window_words] = 0;
    }
    __syncthreads();
    uint64_t tally =
        windowed ? run_pass<format, true>(rows, pass, rules.pairs) : run_pass<format, false>(rows, pass, rules.pairs);
    add_tally(shared, tally, count);
}

/* What that has left of rows of many neighbours; pass and window are still there. */
template <typename offset_t>
static __device__ __forceinline__ void finish_long_rows(const struct rows<offset_t> &rows, const struct rules &rules,
                                                        struct shared *shared, const struct progress &at,
                                                        uint64_t long_count, uint64_t *count)
{
    clear_tally(shared);
    uint32_t found = has_window(rules, at, rows.num_rows) ? look_long<true, offset_t>(long_count)
                                                          : look_long<false, offset_t>(long_count);
    add_tally(shared, __reduce_add_sync(WHOLE_WARP, found), count);
}

/* Queues what the last bottom-up level found: a lane a word of the bitmaps. */
template <typename offset_t>
static __device__ __forceinline__ void collect(const struct rows<offset_t> &rows,
                                               const struct search<offset_t> &search, const struct rules &rules,
                                               const struct progress &at, uint64_t *count)
{
    struct team team = warps_of_grid();
    global_queue<offset_t> then{then_of(search, at)};
    const uint32_t *visited = visited_of(search, at), *before = other_of(search, at);
    for (uint64_t base = (uint64_t)team.warp * WARP_SIZE; base < rows.num_words;
         base += (uint64_t)team.num_warps * WARP_SIZE) {
        uint64_t word = base + lane_id();
        bool has_word = word < rows.num_words;
        uint32_t fresh = has_word ? __ldcg(&visited[word]) & ~__ldcg(&before[word]) : 0;
        while (__any_sync(WHOLE_WARP, fresh != 0)) {
            bool has[UNROLL];
            offset_t first[UNROLL], end[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                has[i] = fresh != 0;
                size_t row = word * WARP_SIZE + (unsigned)__ffs((int)fresh) - 1;
                first[i] = load_if(has[i], &rows.out.offsets[has[i] ? row : 0]);
                end[i] = load_if(has[i], &rows.out.offsets[has[i] ? row + 1 : 0]);
                fresh &= fresh - 1;
            }
            append(then, count, rules.edge_bits, has, first, end);
        }
    }
}

/* ---- which way ---- */

/* What an unvisited row can expect. */
struct outlook {
    float unvisited, degree, chance; /* chance: that an edge leads to the frontier */
};

template <typename offset_t>
static __device__ __forceinline__ struct outlook look_ahead(const struct rows<offset_t> &rows,
                                                            const struct progress &at)
{
    float unvisited = max((float)at.unvisited, 1.0f);
    if (at.frontier == FRONTIER_FOUND)
        return {unvisited, (float)rows.num_edges / (float)rows.num_rows, (float)at.size / unvisited};
    float edges = max((float)(rows.num_edges - at.reached_edges), 1.0f);
    return {unvisited, edges / unvisited, (float)at.edges / edges};
}

/* How many neighbours a row looks at. Without knowing of the graph's luck: as if those that have a visited one were
 * as few as can be, and all others scanned in full. */
static __device__ __forceinline__ float expect_looks(float luck, struct outlook outlook)
{
    if (luck < 0)
        return 1 + max(0.0f, 1 - outlook.chance) * outlook.degree;
    return max(1.0f, 1 / (luck * outlook.chance + 1 / outlook.degree));
}

static __device__ __forceinline__ float cost_bottom_up(const struct rules &rules, float unvisited, float looks)
{
    return PASS_COST + unvisited * (rules.row_cost + LOOK_COST * looks);
}

enum way { WAY_TOP_DOWN, WAY_BOTTOM_UP, WAY_SAMPLE };

/* Which way the next level is better, or whether to ask a sample first. */
template <typename offset_t>
static __device__ __forceinline__ enum way choose(const struct rows<offset_t> &rows, const struct rules &rules,
                                                  struct progress *at)
{
    bool fits =
        at->frontier == FRONTIER_QUEUED || (at->frontier == FRONTIER_FOUND && at->size <= rules.queue_capacity);
    if (rows.in.targets == NULL)
        return WAY_TOP_DOWN;
    if (!fits || rules.direction == DIRECTION_BOTTOM_UP)
        return WAY_BOTTOM_UP;
    if (rules.direction == DIRECTION_TOP_DOWN)
        return WAY_TOP_DOWN;
    if (rules.direction == DIRECTION_ALTERNATING)
        return at->level % 2 == 1 ? WAY_BOTTOM_UP : WAY_TOP_DOWN;
    struct outlook outlook = look_ahead(rows, *at);
    float looks = at->looks > 0 ? at->looks : expect_looks(at->luck, outlook);
    float bottom_up = cost_bottom_up(rules, outlook.unvisited, looks);
    if (at->frontier == FRONTIER_FOUND) {
        float top_down = (float)at->size * outlook.degree;
        at->regret = bottom_up > top_down ? at->regret + bottom_up - top_down : 0;
        return at->regret < COLLECT_COST ? WAY_BOTTOM_UP : WAY_TOP_DOWN;
    }
    float top_down = (float)at->edges;
    at->regret = 0;
    bool measures = rules.measures && outlook.chance < 1 && at->edges > rows.num_edges / MEASURE_SHARE;
    bool doubts = at->luck < 0 && at->edges > rules.sample_above && bottom_up >= top_down &&
                  cost_bottom_up(rules, outlook.unvisited, 1) < top_down;
    if (at->looks == 0 && (measures || doubts))
        return WAY_SAMPLE;
    return bottom_up < top_down ? WAY_BOTTOM_UP : WAY_TOP_DOWN;
}

/* Whether a top-down level is only to mark: if the level after it will be bottom-up, as far as one can tell. */
template <typename offset_t>
static __device__ __forceinline__ bool chooses_to_mark(const struct rows<offset_t> &rows, const struct rules &rules,
                                                       const struct progress &at)
{
    if (at.edges <= rules.mark_above || rules.always_marks || at.luck < 0)
        return at.edges > rules.mark_above && rules.always_marks;
    struct outlook now = look_ahead(rows, at);
    float found = now.unvisited * (1 - expf(-(float)at.edges / now.unvisited)) * min(1.0f, at.luck);
    float left = max(now.unvisited - found, 1.0f);
    struct outlook then = {left, now.degree, found / left};
    return MARK_GAIN * cost_bottom_up(rules, left, expect_looks(at.luck, then)) < found * now.degree;
}

/* A warp looks at a few rows, evenly spread over all: at the first neighbours of the unvisited ones and at as many
 * more all over the row, from which it reckons how many a bottom-up level would look at. */
template <typename offset_t>
static __device__ __attribute__((noinline)) uint64_t sample_rows(csr<offset_t> in, const uint32_t *visited,
                                                                 vertex_t num_rows)
{
    struct team team = warps_of_grid();
    uint64_t number = min((uint64_t)num_rows, (uint64_t)team.num_warps * SAMPLE_ROWS), tally = 0;
    for (uint64_t i = (uint64_t)team.warp * SAMPLE_ROWS; i < min(number, (uint64_t)(team.warp + 1) * SAMPLE_ROWS);
         i++) {
        vertex_t row = (vertex_t)(i * num_rows / number);
        offset_t edge = in.offsets[row], degree = in.offsets[(size_t)row + 1] - edge;
        offset_t rest = degree > WARP_SIZE ? degree - WARP_SIZE : 0;
        if (__ldcg(&visited[row / WARP_SIZE]) & bit_of(row)) /* the same for all lanes */
            continue;
        offset_t further = WARP_SIZE + (offset_t)((uint64_t)rest * lane_id() / WARP_SIZE);
        vertex_t neighbours[2] = {load_if(lane_id() < degree, &in.targets[(offset_t)(edge + lane_id())]),
                                  load_if(further < degree, &in.targets[(offset_t)(edge + further)])};
        unsigned hits[2];
#pragma unroll
        for (unsigned part = 0; part < 2; part++) {
            vertex_t neighbour = neighbours[part];
            uint32_t word = look_if(neighbour != NO_VERTEX, &visited[neighbour / WARP_SIZE]);
            hits[part] = __ballot_sync(WHOLE_WARP, neighbour != NO_VERTEX && (word & bit_of(neighbour)));
        }
        uint64_t looks =
            hits[0] != 0 ? (unsigned)__ffs((int)hits[0]) : degree - rest + rest / ((unsigned)__popc(hits[1]) + 1);
        tally += min(looks, (uint64_t)SAMPLE_MOST) << SAMPLE_BITS | 1;
    }
    return tally;
}

/* What a sample says of this level and of the graph. */
template <typename offset_t>
static __device__ __forceinline__ void read_sample(const struct rows<offset_t> &rows, struct progress *at,
                                                   uint64_t sample)
{
    struct outlook outlook = look_ahead(rows, *at);
    uint64_t number = sample & ((1u << SAMPLE_BITS) - 1);
    at->looks = number == 0 ? 1 : max(1.0f, (float)(sample >> SAMPLE_BITS) / (float)number);
    if (outlook.chance * outlook.degree > LEAST_EXPECTED)
        at->luck = max(0.0f, (1 / at->looks - 1 / outlook.degree) / outlook.chance);
}

/* ---- levels and parents to the result ---- */

#define GROUP 4u /* vertices to a lane at a time */

/* The vertices group * GROUP on: their rows (NO_VERTEX: none, or not in this block's range) and level bytes. */
struct group {
    uint32_t row[GROUP], byte[GROUP];
};

/* The rows are loaded, and the bytes of two groups together, before the first is needed. */
template <typename offset_t>
static __device__ __forceinline__ void load_groups(const struct rows<offset_t> &rows, const uint8_t *bytes,
                                                   uint64_t first, uint64_t end, struct group (&groups)[2])
{
#pragma unroll
    for (unsigned g = 0; g < 2; g++) {
        uint64_t number = first + g * blockDim.x;
        uint32_t vertex = number < end ? (uint32_t)number * GROUP : 0;
        uint4 packed = {vertex, vertex + 1, vertex + 2, vertex + 3};
        if (rows.row_of != NULL)
            packed = stream_four_if(number < end, (const uint4 *)rows.row_of + number);
        groups[g] = {{packed.x, packed.y, packed.z, packed.w}, {}};
    }
#pragma unroll
    for (unsigned g = 0; g < 2; g++) {
        uint32_t four = rows.row_of == NULL ? ((const uint32_t *)bytes)[groups[g].row[0] / GROUP] : 0;
#pragma unroll
        for (unsigned i = 0; i < GROUP; i++) {
            uint32_t row = groups[g].row[i];
            groups[g].byte[i] = row >= rows.num_rows  ? UNSET
                                : rows.row_of == NULL ? four >> 8 * i & 0xff
                                                      : bytes[row];
        }
    }
}

/* Writes the levels that are known to the result, in the input's order; a block has a contiguous range, whose rows
 * are few contiguous ranges too, one a class: bytes come from L1. last: all others are UNREACHED; else what is
 * written is noted as GIVEN. */
template <typename offset_t>
static __device__ __forceinline__ void give_levels(const struct rows<offset_t> &rows,
                                                   const struct search<offset_t> &search, const struct progress &at,
                                                   vertex_t source, bool last)
{
    const uint32_t *visited = visited_of(search, at);
    uint64_t all = ((uint64_t)rows.num_vertices + GROUP - 1) / GROUP;
    uint64_t begin = all * blockIdx.x / gridDim.x, end = all * (blockIdx.x + 1) / gridDim.x;
    for (uint64_t first = begin + threadIdx.x; first < end; first += 2 * blockDim.x) {
        struct group groups[2];
        load_groups(rows, search.bytes, first, end, groups);
#pragma unroll
        for (unsigned g = 0; g < 2; g++) {
            uint64_t number = first + g * blockDim.x;
            uint32_t vertex = (uint32_t)number * GROUP, level[GROUP];
            bool writes[GROUP], whole = last;
            if (number >= end)
                break;
#pragma unroll
            for (unsigned i = 0; i < GROUP; i++) {
                uint32_t row = groups[g].row[i], byte = groups[g].byte[i];
                bool marked = byte == UNSET && at.pending != NOT_PENDING && row < rows.num_rows &&
                              (__ldcg(&visited[row / WARP_SIZE]) & bit_of(row));
                level[i] = byte < GIVEN ? at.base + byte : marked ? at.pending : UNREACHED;
                level[i] = vertex + i == source ? 0 : level[i];
                writes[i] = byte != GIVEN && (last || level[i] != UNREACHED);
                whole = whole && writes[i];
            }
            if (whole)
                ((uint4 *)search.level)[number] = {level[0], level[1], level[2], level[3]};
#pragma unroll
            for (unsigned i = 0; i < GROUP; i++) {
                uint32_t row = groups[g].row[i];
                if (writes[i] && !whole)
                    search.level[vertex + i] = level[i]; /* there is room up to a multiple of GROUP */
                if (writes[i] && rows.row_of != NULL && search.row_level != NULL && row < rows.num_rows)
                    search.row_level[row] = level[i];
                if (writes[i] && !last && row < rows.num_rows)
                    search.bytes[row] = GIVEN;
            }
        }
    }
}

/* Every reached vertex but the source looks for an in-neighbour one level up. */
template <typename offset_t>
static __device__ __forceinline__ void find_parents(const struct rows<offset_t> &rows,
                                                    const struct search<offset_t> &search, vertex_t source)
{
    for (uint64_t base = thread_of_grid() - lane_id(); base < rows.num_vertices; base += threads_of_grid()) {
        uint64_t vertex = base + lane_id();
        uint32_t level = vertex < rows.num_vertices ? __ldcg(&search.level[vertex]) : UNREACHED;
        bool asks = level != UNREACHED && level > 0;
        uint32_t row = !asks ? 0 : rows.row_of != NULL ? rows.row_of[vertex] : (uint32_t)vertex;
        offset_t edge = asks ? rows.in.offsets[row] : 0, end = asks ? rows.in.offsets[(size_t)row + 1] : 0;
        uint32_t steps = UINT32_MAX;
        vertex_t above = find_neighbour(
            rows.in.targets, edge, end, level - 1, steps,
            [&](vertex_t neighbour) { return look_if(neighbour != NO_VERTEX, &search.row_level[neighbour]); },
            [](vertex_t, uint32_t theirs, uint32_t wanted) { return theirs == wanted; });
        if (above != NO_VERTEX && rows.input_of != NULL)
            above = rows.input_of[above];
        if (vertex < rows.num_vertices)
            search.parent[vertex] = vertex == source ? source : above;
    }
}

/* ---- the kernel ---- */

/* All state as before level 0; returns how many rows stay unvisited if all goes to the end. */
template <typename offset_t>
static __device__ __forceinline__ uint32_t begin(const struct rows<offset_t> &rows,
                                                 const struct search<offset_t> &search, const struct rules &rules,
                                                 vertex_t source, uint32_t row)
{
    bool in_giant = rows.giant != NULL && (__ldg(&rows.giant[source / WARP_SIZE]) & bit_of(source));
    for (uint64_t i = thread_of_grid(); i < rows.num_words; i += threads_of_grid()) {
        uint64_t first = i * WARP_SIZE;
        uint32_t used = first >= rows.num_rows ? 0 : (uint32_t)min((uint64_t)WARP_SIZE, rows.num_rows - first);
        uint32_t beyond = used == WARP_SIZE ? 0 : UINT32_MAX << used;
        search.visited[i] = beyond | (row / WARP_SIZE == i ? bit_of(row) : 0);
    }
    const uint64_t bytes = sizeof(uint4), groups = (uint64_t)rows.num_words * WARP_SIZE / bytes;
    for (uint64_t i = thread_of_grid(); i < groups; i += threads_of_grid()) {
        uint32_t words[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
#pragma unroll
        for (unsigned w = 0; w < 4; w++)
            if (row / 4 == i * 4 + w)
                words[w] = ~(0xffu << row % 4 * 8);
        ((uint4 *)search.bytes)[i] = {words[0], words[1], words[2], words[3]};
    }
    if (thread_of_grid() == 0) {
        offset_t first = rows.out.offsets[row];
        search.now.before[0] = 0;
        search.now.row[0] = first;
        search.counts[0] = 1ull << rules.edge_bits | (offset_t)(rows.out.offsets[(size_t)row + 1] - first);
        search.counts[1] = 0;
        search.long_counts[0] = search.long_counts[1] = 0;
    }
    return in_giant ? rows.outside_giant : 0;
}

template <typename format, typename offset_t>
__global__ void __launch_bounds__(BLOCK_THREADS, 1)
    stream_kernel(struct rows<offset_t> rows, struct search<offset_t> search, struct rules rules, vertex_t source)
{
    struct shared *shared = block_shared<struct shared>();
    uint32_t row = rows.row_of != NULL ? rows.row_of[source] : source;
    uint32_t unreachable = begin(rows, search, rules, source, row);
    struct progress at = {};
    at.frontier = FRONTIER_QUEUED;
    at.pending = NOT_PENDING;
    at.unvisited = rows.num_rows - (row < rows.num_rows);
    at.luck = rules.luck;
    auto wait = [&]() {
        return grid_wait(search.barrier, &search.counts[at.round % NUM_COUNTS], &shared->broadcast);
    };
    auto trace = [&](enum level_mode mode) {
        if (thread_of_grid() == 0)
            trace_level(search, at.level, mode);
    };
    auto next_count = [&]() {
        if (thread_of_grid() == 0)
            search.counts[(at.round + 2) % NUM_COUNTS] = search.long_counts[(at.round + 2) % NUM_COUNTS] = 0;
        return &search.counts[(at.round + 1) % NUM_COUNTS];
    };
    uint64_t now = wait();
    if (now == UINT64_MAX)
        return;
    read_count(&at, rules, now);
    at.reached_edges = at.edges;
    trace(LEVEL_TOP_DOWN);
    while (!is_done(at, unreachable)) {
        enum way way = choose(rows, rules, &at);
        if (way == WAY_SAMPLE) {
            uint64_t *count = next_count();
            clear_tally(shared);
            add_tally(shared, sample_rows(rows.in, visited_of(search, at), rows.num_rows), count);
            at.round++;
            now = wait();
            if (now == UINT64_MAX)
                return;
            read_sample(rows, &at, now);
            continue;
        }
        bool bottom_up = way == WAY_BOTTOM_UP;
        bool collects = !bottom_up && at.frontier == FRONTIER_FOUND;
        bool marks = !bottom_up && !collects && chooses_to_mark(rows, rules, at);
        bool alone = !bottom_up && !collects && !marks && fits_alone(at, rules);
        if (!collects && !alone &&
            (at.level + 1 - at.base >= rules.level_limit || (marks && at.pending != NOT_PENDING))) {
            give_levels(rows, search, at, source, false);
            at.base = at.level + 1;
            at.pending = NOT_PENDING;
            if (wait() == UINT64_MAX) /* the same word once more */
                return;
            continue;
        }
        uint64_t *count = next_count();
        if (bottom_up)
            go_bottom_up<format>(rows, search, rules, shared, at, count,
                                 &search.long_counts[(at.round + 1) % NUM_COUNTS]);
        else if (collects)
            collect(rows, search, rules, at, count);
        else if (!alone)
            go_top_down(rows, search, rules, at, marks, count);
        else if (blockIdx.x == 0)
            go_alone(rows, search, rules, shared, at, unreachable, count);
        at.round++;
        now = wait();
        if (now == UINT64_MAX)
            return;
        at.level += !collects && !alone;
        at.looks = 0;
        if (bottom_up) {
            uint64_t late = 0;
            if (rules.long_steps > 0 && (now & LONG_ROWS)) {
                now &= ~LONG_ROWS;
                count = next_count();
                finish_long_rows(rows, rules, shared, at, __ldcg(&search.long_counts[at.round % NUM_COUNTS]), count);
                at.round++;
                late = wait();
                if (late == UINT64_MAX)
                    return;
            }
            at.frontier = FRONTIER_FOUND;
            at.size = (now >> 32) + late;
            at.unvisited = (uint32_t)now - (uint32_t)late;
            at.swapped_bitmaps = !at.swapped_bitmaps;
            trace(LEVEL_BOTTOM_UP);
            continue;
        }
        if (!collects && !alone)
            trace(LEVEL_TOP_DOWN);
        if (marks) {
            at.frontier = FRONTIER_MARKED;
            at.pending = at.level;
            continue;
        }
        at.frontier = FRONTIER_QUEUED;
        read_count(&at, rules, now);
        at.swapped_queues = !at.swapped_queues;
        if (alone) {
            at.level = __ldcg(&search.handover->level);
            at.unvisited = __ldcg(&search.handover->unvisited);
            at.reached_edges = __ldcg(&search.handover->reached_edges);
        } else if (collects) {
            at.reached_edges = (uint64_t)((double)rows.num_edges * (rows.num_rows - at.unvisited) / rows.num_rows);
        } else {
            at.unvisited -= (uint32_t)at.size;
            at.reached_edges += at.edges;
        }
    }
    if (rules.measures && thread_of_grid() == 0)
        search.handover->luck = at.luck;
    give_levels(rows, search, at, source, true);
    if (search.parent != NULL && wait() != UINT64_MAX)
        find_parents(rows, search, source);
}

/* ---- preparing: numbering the rows ---- */

/* The class of a degree: highest degrees first. The first has all from 2^30 on, so that there are as many as lanes.
 */
static __device__ __forceinline__ unsigned class_of(uint64_t degree)
{
    int zeros = degree >> 32 != 0 ? 0 : __clz((int)degree);
    return (unsigned)max(zeros, 1) - 1;
}

/* The lanes (of those where present is set) that have the class of this lane's number, and that have this lane's
 * class. All lanes of the warp must come. */
struct same_class {
    unsigned of_lane, of_own;
};

static __device__ __forceinline__ struct same_class match_classes(unsigned mine, bool present)
{
    unsigned all = __ballot_sync(WHOLE_WARP, present);
    struct same_class same = {all, all};
#pragma unroll
    for (unsigned bit = 1; bit < NUM_CLASSES; bit *= 2) {
        unsigned have = __ballot_sync(WHOLE_WARP, (mine & bit) != 0);
        same.of_lane &= lane_id() & bit ? have : ~have;
        same.of_own &= mine & bit ? have : ~have;
    }
    return same;
}

/* A lane's place among equals, if lane c holds the next place of class c; these move on. */
static __device__ __forceinline__ uint64_t take_place(uint64_t *places, unsigned mine, struct same_class same)
{
    uint64_t place = __shfl_sync(WHOLE_WARP, *places, (int)mine);
    *places += (unsigned)__popc(same.of_lane);
    return place + (unsigned)__popc(same.of_own & ((1u << lane_id()) - 1));
}

/* in: NULL where the graph is symmetric. */
template <typename offset_t>
static __device__ __forceinline__ uint64_t degree_of(const offset_t *out, const offset_t *in, uint64_t vertex)
{
    return (uint64_t)(out[vertex + 1] - out[vertex]) + (in != NULL ? in[vertex + 1] - in[vertex] : 0);
}

/* Counts the classes of every tile, a warp a tile: counts[class * num_tiles + tile]. */
template <typename offset_t>
__global__ void count_classes(const offset_t *out, const offset_t *in, vertex_t num_vertices, uint32_t num_tiles,
                              uint32_t *counts)
{
    for (uint64_t tile = thread_of_grid() / WARP_SIZE; tile < num_tiles; tile += threads_of_grid() / WARP_SIZE) {
        uint32_t count = 0;
        for (uint32_t i = lane_id(); i < TILE_VERTICES; i += WARP_SIZE) {
            uint64_t vertex = tile * TILE_VERTICES + i;
            bool present = vertex < num_vertices;
            unsigned mine = present ? class_of(degree_of(out, in, vertex)) : 0;
            count += (unsigned)__popc(match_classes(mine, present).of_lane);
        }
        counts[(uint64_t)lane_id() * num_tiles + tile] = count;
    }
}

/* After a scan of the counts: the first row of each class; one warp. */
__global__ void find_class_starts(const uint32_t *counts, uint32_t num_tiles, vertex_t *starts)
{
    starts[lane_id()] = counts[(uint64_t)lane_id() * num_tiles];
}

/* Numbers every vertex and leaves its row's out-degree, and in-degree where `in` is not NULL, at the row. */
template <typename offset_t>
__global__ void number_rows(const offset_t *out, const offset_t *in, vertex_t num_vertices, uint32_t num_tiles,
                            const uint32_t *counts, vertex_t *row_of, vertex_t *input_of, offset_t *row_out,
                            offset_t *row_in)
{
    for (uint64_t tile = thread_of_grid() / WARP_SIZE; tile < num_tiles; tile += threads_of_grid() / WARP_SIZE) {
        uint64_t places = counts[(uint64_t)lane_id() * num_tiles + tile];
        for (uint32_t i = lane_id(); i < TILE_VERTICES; i += WARP_SIZE) {
            uint64_t vertex = tile * TILE_VERTICES + i;
            bool present = vertex < num_vertices;
            unsigned mine = present ? class_of(degree_of(out, in, vertex)) : 0;
            uint64_t row = take_place(&places, mine, match_classes(mine, present));
            if (present) {
                row_of[vertex] = (vertex_t)row;
                input_of[row] = (vertex_t)vertex;
                row_out[row] = out[vertex + 1] - out[vertex];
                if (in != NULL)
                    row_in[row] = in[vertex + 1] - in[vertex];
            }
        }
    }
}

/* ---- preparing: ordering the neighbours ---- */

/* A counting sort by class of a row's neighbours, given their rows' numbers. starts: lane c has class c's first row.
 */
struct renumbering {
    const vertex_t *row_of;
    vertex_t starts; /* of the lane's class */

    /* The last class that starts at or before the row. */
    __device__ __forceinline__ unsigned class_of_row(vertex_t row) const
    {
        unsigned mine = 0;
#pragma unroll
        for (unsigned step = NUM_CLASSES / 2; step > 0; step /= 2)
            mine += __shfl_sync(WHOLE_WARP, starts, (int)(mine + step)) <= row ? step : 0;
        return mine;
    }

    /* Calls use(row, class, lanes of the classes, present) for the targets' rows, a lane each; of several turns, the
     * rows are loaded together. */
    template <typename use_t>
    __device__ __forceinline__ void for_each_row(const vertex_t *targets, uint64_t number, use_t use) const
    {
        for (uint64_t base = lane_id(); base - lane_id() < number; base += UNROLL * WARP_SIZE) {
            vertex_t rows[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++)
                rows[i] = load_if(base + i * WARP_SIZE < number, &targets[base + i * WARP_SIZE]);
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++)
                rows[i] = load_if(rows[i] != NO_VERTEX, &row_of[rows[i]]);
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                unsigned mine = class_of_row(rows[i]);
                use(rows[i], mine, match_classes(mine, rows[i] != NO_VERTEX));
            }
        }
    }

    /* How many of the targets are of the lane's class. */
    __device__ __forceinline__ uint64_t count(const vertex_t *targets, uint64_t number) const
    {
        uint64_t sum = 0;
        for_each_row(targets, number,
                     [&](vertex_t, unsigned, struct same_class same) { sum += (unsigned)__popc(same.of_lane); });
        return sum;
    }

    /* Puts them where their classes' places in `to` are: lane c's, class c's. */
    __device__ __forceinline__ void place(const vertex_t *targets, uint64_t number, uint64_t places,
                                          vertex_t *to) const
    {
        for_each_row(targets, number, [&](vertex_t row, unsigned mine, struct same_class same) {
            uint64_t at = take_place(&places, mine, same);
            if (row != NO_VERTEX)
                to[at] = row;
        });
    }
};

/* The sum of the values of the lanes before this one. */
static __device__ __forceinline__ uint64_t sum_before(uint64_t value)
{
    uint64_t sum = value;
#pragma unroll
    for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
        uint64_t left = __shfl_up_sync(WHOLE_WARP, sum, step);
        sum += lane_id() >= step ? left : 0;
    }
    return sum - value;
}

/* Renumbers and orders the neighbours of all rows: a warp a row, but the block together those that are long; these
 * are few and, if there are classes, in the first of them. */
struct order_shared {
    uint64_t counts[PREPARE_THREADS / WARP_SIZE][NUM_CLASSES];
};

template <typename offset_t>
__global__ void __launch_bounds__(PREPARE_THREADS)
    order_rows(csr<offset_t> from, const vertex_t *row_of, const vertex_t *input_of, const vertex_t *starts,
               vertex_t num_rows, const offset_t *offsets, vertex_t *targets)
{
    struct order_shared *shared = block_shared<struct order_shared>();
    struct renumbering renumbering = {row_of, starts[lane_id()]};
    const uint64_t long_row = (uint64_t)LONG_ROW * blockDim.x;
    for (uint64_t row = thread_of_grid() / WARP_SIZE; row < num_rows; row += threads_of_grid() / WARP_SIZE) {
        uint64_t first = offsets[row], number = offsets[row + 1] - first;
        const vertex_t *source = from.targets + from.offsets[input_of[row]];
        if (number <= long_row)
            renumbering.place(source, number, sum_before(renumbering.count(source, number)), targets + first);
    }
    unsigned warp = threadIdx.x / WARP_SIZE, num_warps = blockDim.x / WARP_SIZE;
    for (uint64_t base = blockIdx.x; base < num_rows; base += (uint64_t)gridDim.x * WARP_SIZE) {
        uint64_t mine = base + (uint64_t)lane_id() * gridDim.x; /* long rows are neighbours: to a block each */
        unsigned longs = __ballot_sync(WHOLE_WARP, mine < num_rows && offsets[mine + 1] - offsets[mine] > long_row);
        for (; longs != 0; longs &= longs - 1) { /* the same in all warps of the block */
            uint64_t row = base + (uint64_t)(__ffs((int)longs) - 1) * gridDim.x, first = offsets[row];
            uint64_t number = offsets[row + 1] - first, begin = number * warp / num_warps;
            uint64_t share = number * (warp + 1) / num_warps - begin;
            const vertex_t *source = from.targets + from.offsets[input_of[row]] + begin;
            shared->counts[warp][lane_id()] = renumbering.count(source, share);
            __syncthreads();
            uint64_t all = 0, before = 0; /* of the lane's class: in the row, in the shares of earlier warps */
            for (unsigned w = 0; w < num_warps; w++) {
                before = w == warp ? all : before;
                all += shared->counts[w][lane_id()];
            }
            renumbering.place(source, share, sum_before(all) + before, targets + first);
            __syncthreads();
        }
    }
}

/* ---- preparing: in-neighbours, first neighbours, the component of the hub ---- */

template <typename offset_t>
__global__ void count_in_edges(const vertex_t *targets, edge_t num_edges, offset_t *counts)
{
    typedef unsigned long long wide_t;
    for (uint64_t edge = thread_of_grid(); edge < num_edges; edge += threads_of_grid())
        if constexpr (sizeof(offset_t) == sizeof(wide_t))
            atomicAdd((wide_t *)&counts[targets[edge]], 1ull);
        else
            atomicAdd(&counts[targets[edge]], 1u);
}

/* places: where each vertex's next in-neighbour goes. Their order depends on the schedule. */
template <typename offset_t>
__global__ void fill_in_edges(csr<offset_t> out, edge_t num_edges, offset_t *places, vertex_t *in_targets)
{
    typedef unsigned long long wide_t;
    whole_graph<offset_t> all = {out.offsets};
    for_each_edge<UNROLL>(out.targets, all, out.num_vertices, (offset_t)num_edges, warps_of_grid(),
                          [&](const vertex_t(&targets)[UNROLL], const bool(&has)[UNROLL], const uint64_t *sources) {
#pragma unroll
                              for (unsigned i = 0; i < UNROLL; i++) {
                                  if (!has[i])
                                      continue;
                                  if constexpr (sizeof(offset_t) == sizeof(wide_t))
                                      in_targets[atomicAdd((wide_t *)&places[targets[i]], 1ull)] =
                                          (vertex_t)sources[i];
                                  else
                                      in_targets[atomicAdd(&places[targets[i]], 1u)] = (vertex_t)sources[i];
                              }
                              return false;
                          });
}

template <typename format, typename offset_t>
__global__ void pack_first_neighbours(struct rows<offset_t> rows, uint4 *first, uint4 *next)
{
    uint64_t end = (uint64_t)rows.num_words * WARP_SIZE;
    for (uint64_t row = thread_of_grid(); row < end; row += threads_of_grid()) {
        offset_t edge = row < rows.num_rows ? rows.in.offsets[row] : 0;
        offset_t number = row < rows.num_rows ? rows.in.offsets[row + 1] - edge : 0;
        for (unsigned part = 0; part < NUM_STREAMED; part++) {
            vertex_t ids[format::number];
#pragma unroll
            for (unsigned i = 0; i < format::number; i++)
                ids[i] = part * format::number + i < number ? rows.in.targets[edge + part * format::number + i]
                                                            : format::none;
            uint4 packed = format::pack(ids, number > (part + 1) * format::number);
            if (part == 0)
                first[row] = packed;
            else
                next[(NUM_STREAMED - 1) * row + part - 1] = packed;
        }
    }
}

/* degree << 32 | vertex of a vertex of most out-edges, as far as 32 bits tell. */
template <typename offset_t>
__global__ void find_hub(const offset_t *offsets, vertex_t num_vertices, uint64_t *hub)
{
    uint64_t most = 0;
    for (uint64_t base = thread_of_grid() - lane_id(); base < num_vertices; base += threads_of_grid()) {
        uint64_t vertex = base + lane_id();
        if (vertex < num_vertices) {
            uint64_t degree = min((uint64_t)(offsets[vertex + 1] - offsets[vertex]), (uint64_t)UINT32_MAX);
            most = max(most, degree << 32 | vertex);
        }
    }
    for (int step = WARP_SIZE / 2; step > 0; step /= 2)
        most = max(most, __shfl_xor_sync(WHOLE_WARP, most, step));
    if (lane_id() == 0 && most > 0)
        atomicMax((unsigned long long *)hub, (unsigned long long)most);
}

/* The bitmap of the vertices that have a level, and their number. */
__global__ void map_reached(const uint32_t *level, vertex_t num_vertices, uint32_t *bitmap, uint32_t *num_reached)
{
    uint32_t sum = 0;
    for (uint64_t base = thread_of_grid() - lane_id(); base < num_vertices; base += threads_of_grid()) {
        uint64_t vertex = base + lane_id();
        unsigned reached = __ballot_sync(WHOLE_WARP, vertex < num_vertices && level[vertex] != UNREACHED);
        if (lane_id() == 0)
            bitmap[base / WARP_SIZE] = reached;
        sum += (unsigned)__popc(reached);
    }
    if (lane_id() == 0 && sum > 0)
        atomicAdd(num_reached, sum);
}

/* ---- host side ---- */

enum {
    PREPARE,
    RELABEL,
    DIRECTION,
    MARK_ABOVE_OPTION,
    SAMPLE_ABOVE_OPTION,
    ALONE_OPTION,
    STEPS_OPTION,
    WINDOW_OPTION,
    LEVELS_OPTION,
    OFFSET_BITS,
    ID_BITS,
    TRACE
};
enum { RELABEL_AUTO, RELABEL_NO, RELABEL_YES };
static const struct option_spec stream_options[] = {
    {"prepare", 1, 0, 1, NULL,
     "0: neither relabelling nor streams, for a single source; levels as well as that goes"},
    {"relabel", RELABEL_AUTO, 0, 0, "auto|0|1",
     "rows by degree class, hubs first; auto: if degrees are heavy-tailed"},
    {"direction", DIRECTION_AUTO, 0, 0, "auto|top-down|bottom-up|alternating",
     "of the levels; auto: the cheaper one"},
    {"mark-above", MARK_ABOVE, 0, 1 << 30, NULL,
     "a top-down level of more edges (and than a 32nd of the vertices) only marks if bottom-up is to follow; 0: any "
     "does"},
    {"sample-above", SAMPLE_ABOVE, 0, 1 << 30, NULL,
     "a level of more edges samples unvisited rows if it is in doubt and there was no preparation"},
    {"alone-edges", ALONE_EDGES, 0, MOST_ALONE, NULL, "edges of a level that one block runs alone, at most; 0: none"},
    {"long-steps", LONG_STEPS, 1, MOST_STEPS, NULL,
     "times 128 neighbours that a warp looks at by itself in a bottom-up level, of rows of many; all share the rest"},
    {"window", MOST_WINDOW, 0, MOST_WINDOW, NULL,
     "rows whose bits bottom-up levels keep in shared memory, as far as they fit"},
    {"byte-levels", GIVEN, 1, GIVEN, NULL, "levels that are told apart before they are given out"},
    {"offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"},
    {"id-bits", 0, 0, 0, "auto|32", "width of packed neighbours: 25 where the graph allows it, or always 32"},
    {"trace", 0, 0, 1, NULL, "1: every level's frontier, mode and time, in traces/ beside the records (--csv)"},
    {},
};

/* The device memory behind rows and search, whose width is that of the graph's offsets. */
struct state {
    struct gpu_graph out, in; /* by rows; in is empty where it is out, or where there are no bottom-up levels */
    bool symmetric, bottom_up, relabelled;
    vertex_t num_rows;
    uint32_t num_words;
    vertex_t *row_of, *input_of;
    uint4 *first, *next;
    uint32_t *giant, outside_giant;
    uint32_t *bitmaps[2];
    uint8_t *bytes;
    void *queues[4];
    uint64_t *counts; /* and long_counts */
    vertex_t *long_rows;
    struct handover *handover;
    struct grid_barrier *barrier;
    uint32_t *level, *row_level;
    vertex_t *parent;
    struct level_end *trace;
    struct rules rules;
    struct grid grid;
    size_t shared_bytes;
};

template <typename offset_t>
static struct rows<offset_t> rows_of(const struct state *state) {
    const struct gpu_graph *in = state->symmetric ? &state->out : &state->in;
    struct rows<offset_t> rows = {
        state->out.num_vertices, state->num_rows, state->num_words, state->out.num_edges,
            csr_of<offset_t>(&state->out), csr_of<offset_t>(in), state->first, state->next, state->row_of,
            state->input_of, state->giant, state->outside_giant
    };
    if (!state->bottom_up)
        rows.in.targets = NULL;
    return rows;
}

template <typename offset_t>
static struct search<offset_t> search_of(const struct state *state) {
    offset_t *const *queues = (offset_t *const *)state->queues;
    return {state->bitmaps[0],
            state->bitmaps[1],
            state->bytes,
            {queues[0], queues[1]},
            {queues[2], queues[3]},
            state->counts,
            state->counts + NUM_COUNTS,
            state->long_rows,
            state->handover,
            state->barrier,
            state->level,
            state->relabelled ? state->row_level : state->level,
            state->parent,
            state->trace};
}

static unsigned
bit_length(uint64_t value)
{
    unsigned bits = 0;
    for (; value != 0; value >>= 1)
        bits++;
    return bits;
}

/* ---- host side: preparing ---- */

/* The shares of the degree sum that the top 1% and 10% of the vertices have, as the sizes of the classes tell, a
 * class's degrees taken for its middle: Blest's first rule (its section 4, footnote 2) for a heavy tail. */
static bool is_heavy_tailed(const vertex_t starts[NUM_CLASSES], vertex_t num_vertices)
{
    const double fractions[] = {0.01, 0.10}, least[] = {0.05, 0.40};
    double sum = 0, taken[2] = {0, 0};
    for (unsigned c = 0; c < ISOLATED; c++) {
        double degree = c == ISOLATED - 1 ? 1 : 1.5 * (double)(1u << (ISOLATED - 1 - c)),
               number = starts[c + 1] - starts[c];
        sum += degree * number;
        for (unsigned i = 0; i < 2; i++) {
            double room = fractions[i] * num_vertices - starts[c];
            taken[i] += degree * (room < 0 ? 0 : room < number ? room : number);
        }
    }
    return sum > 0 && taken[0] >= least[0] * sum && taken[1] >= least[1] * sum;
}

/* An empty graph of that size, zero edges in its offsets. */
static int make_graph_like(const struct gpu_graph *like, struct gpu_graph *graph, struct error *error)
{
    size_t size = like->wide ? sizeof(edge_t) : sizeof(uint32_t), number = (size_t)like->num_vertices + 1;
    *graph = {like->num_vertices, like->num_edges, NULL, NULL, like->wide};
    if (gpu_allocate_bytes(&graph->offsets, number, size, "the graph's offsets", error) != STATUS_OK ||
        gpu_allocate(&graph->targets, graph->num_edges, "the graph's edges", error) != STATUS_OK)
        return error->status;
    return gpu_check(cudaMemset(graph->offsets, 0, number * size), "the graph's offsets", error);
}

/* The in-neighbours. */
template <typename offset_t>
static int transpose(const struct gpu_graph *out, struct gpu_graph *in, struct error *error)
{
    size_t number = (size_t)out->num_vertices + 1;
    offset_t *places = NULL;
    if (make_graph_like(out, in, error) == STATUS_OK &&
        gpu_launch(count_in_edges<offset_t>, gpu_wide_grid(out->num_edges), 0, error, (const vertex_t *)out->targets,
                   out->num_edges, (offset_t *)in->offsets) == STATUS_OK &&
        gpu_exclusive_scan((offset_t *)in->offsets, number, error) == STATUS_OK &&
        gpu_allocate(&places, number, "the transpose", error) == STATUS_OK &&
        gpu_check(cudaMemcpy(places, in->offsets, number * sizeof *places, cudaMemcpyDeviceToDevice), "the transpose",
                  error) == STATUS_OK)
        gpu_launch(fill_in_edges<offset_t>, gpu_wide_grid(out->num_edges), 0, error, csr_of<offset_t>(out),
                   out->num_edges, places, in->targets);
    if (error->status == STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "the transpose", error);
    gpu_free(places);
    return error->status;
}

/* Replaces a graph by the same in rows. degrees: by rows, one place more than rows; becomes the offsets. */
template <typename offset_t>
static int reorder(const struct state *state, const vertex_t *starts, offset_t *degrees, struct gpu_graph *graph,
                   struct error *error)
{
    struct gpu_graph ordered = {graph->num_vertices, graph->num_edges, degrees, NULL, graph->wide};
    struct grid grid = gpu_wide_grid((uint64_t)graph->num_vertices * WARP_SIZE);
    grid.threads = grid.threads < PREPARE_THREADS ? grid.threads : PREPARE_THREADS;
    if (gpu_exclusive_scan(degrees, (size_t)graph->num_vertices + 1, error) == STATUS_OK &&
        gpu_allocate(&ordered.targets, graph->num_edges, "the reordered edges", error) == STATUS_OK &&
        gpu_launch(order_rows<offset_t>, grid, sizeof(struct order_shared), error, csr_of<offset_t>(graph),
                   (const vertex_t *)state->row_of, (const vertex_t *)state->input_of, starts, state->num_rows,
                   (const offset_t *)degrees, ordered.targets) == STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "reordering", error);
    gpu_graph_free(graph);
    *graph = ordered;
    return error->status;
}

/* What numbering takes beside the result. */
template <typename offset_t>
struct numbering {
    uint32_t *counts;     /* NUM_CLASSES * num_tiles */
    vertex_t *starts;     /* NUM_CLASSES */
    offset_t *degrees[2]; /* by rows, out and in; they become the graphs' offsets */
};

template <typename offset_t>
static int relabel_with(struct run *run, struct numbering<offset_t> *numbering)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    vertex_t n = state->out.num_vertices, starts[NUM_CLASSES];
    uint32_t num_tiles = (uint32_t)(((uint64_t)n + TILE_VERTICES - 1) / TILE_VERTICES);
    struct grid grid = gpu_wide_grid((uint64_t)num_tiles * WARP_SIZE);
    const offset_t *out = (const offset_t *)state->out.offsets;
    const offset_t *in = state->symmetric ? NULL : (const offset_t *)state->in.offsets;
    if (gpu_allocate(&numbering->counts, (size_t)NUM_CLASSES * num_tiles, "the degree classes", error) != STATUS_OK ||
        gpu_allocate(&numbering->starts, NUM_CLASSES, "the degree classes", error) != STATUS_OK ||
        gpu_launch(count_classes<offset_t>, grid, 0, error, out, in, n, num_tiles, numbering->counts) != STATUS_OK ||
        gpu_exclusive_scan(numbering->counts, (size_t)NUM_CLASSES * num_tiles, error) != STATUS_OK ||
        gpu_launch(find_class_starts, {1, WARP_SIZE}, 0, error, (const uint32_t *)numbering->counts, num_tiles,
                   numbering->starts) != STATUS_OK ||
        gpu_download(starts, numbering->starts, NUM_CLASSES, error) != STATUS_OK)
        return error->status;
    int choice = (int)run->options[RELABEL];
    state->relabelled = choice == RELABEL_YES || (choice == RELABEL_AUTO && is_heavy_tailed(starts, n));
    if (!state->relabelled)
        return STATUS_OK;
    state->num_rows = starts[ISOLATED];
    size_t padded = ((size_t)n + GROUP - 1) / GROUP * GROUP;
    for (int i = 0; i < (in != NULL ? 2 : 1); i++)
        if (gpu_allocate(&numbering->degrees[i], (size_t)n + 1, "the reordered offsets", error) != STATUS_OK ||
            gpu_check(cudaMemset(numbering->degrees[i] + n, 0, sizeof(offset_t)), "the reordered offsets", error) !=
                STATUS_OK)
            return error->status;
    if (gpu_allocate(&state->row_of, padded, "the rows' numbers", error) != STATUS_OK ||
        gpu_allocate(&state->input_of, n, "the rows' numbers", error) != STATUS_OK ||
        gpu_check(cudaMemset(state->row_of, 0xff, padded * sizeof *state->row_of), "the rows' numbers", error) !=
            STATUS_OK ||
        gpu_launch(number_rows<offset_t>, grid, 0, error, out, in, n, num_tiles, (const uint32_t *)numbering->counts,
                   state->row_of, state->input_of, numbering->degrees[0], numbering->degrees[1]) != STATUS_OK)
        return error->status;
    for (int i = 0; i < (in != NULL ? 2 : 1); i++) {
        offset_t *degrees = numbering->degrees[i];
        numbering->degrees[i] = NULL;
        if (reorder(state, numbering->starts, degrees, i == 0 ? &state->out : &state->in, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* Numbers rows by degree class if that is wanted, and both graphs with them. */
template <typename offset_t>
static int relabel(struct run *run)
{
    struct numbering<offset_t> numbering = {
    };
    relabel_with(run, &numbering);
    gpu_free(numbering.counts);
    gpu_free(numbering.starts);
    gpu_free(numbering.degrees[0]);
    gpu_free(numbering.degrees[1]);
    return run->error->status;
}

static bool packs_25_bits(const struct run *run)
{
    return run->options[ID_BITS] == 0 && ((const struct state *)run->state)->num_rows <= five_ids::none;
}

template <typename offset_t>
static int make_streams(struct run *run)
{
    struct state *state = (struct state *)run->state;
    size_t padded = (size_t)state->num_words * WARP_SIZE;
    if (gpu_allocate(&state->first, padded, "the first neighbours", run->error) != STATUS_OK ||
        gpu_allocate(&state->next, (NUM_STREAMED - 1) * padded, "the next neighbours", run->error) != STATUS_OK)
        return run->error->status;
    return gpu_launch(packs_25_bits(run) ? pack_first_neighbours<five_ids, offset_t>
                                         : pack_first_neighbours<four_ids, offset_t>,
                      gpu_wide_grid(padded), 0, run->error, rows_of<offset_t>(state), state->first, state->next);
}

/* The kernel's instantiation for the graph. */
template <typename offset_t>
static void (*kernel_of(const struct run *run))(struct rows<offset_t>, struct search<offset_t>, struct rules,
                                                vertex_t)
{
    if (((const struct state *)run->state)->first == NULL)
        return stream_kernel<no_ids, offset_t>;
    return packs_25_bits(run) ? stream_kernel<five_ids, offset_t> : stream_kernel<four_ids, offset_t>;
}

/* Whether a count has room for all rows and all edges; else levels must not queue all that there is. */
static bool counts_fit(const struct state *state)
{
    return bit_length(state->out.num_vertices) + bit_length(state->out.num_edges | 1) <= 64;
}

/* What the options and the size of the graph say; mind the queue: a level finds no more rows than it has edges. */
static int set_rules(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    size_t limit = 0, offset_size = state->out.wide ? sizeof(edge_t) : sizeof(uint32_t);
    if (gpu_shared_limit(&limit, run->error) != STATUS_OK)
        return run->error->status;
    const size_t word = sizeof(uint32_t), chunk = CHUNK_WORDS * word,
                 rest = limit - sizeof(struct shared) - sizeof(uint4);
    rules->direction = (enum direction)run->options[DIRECTION];
    rules->edge_bits = bit_length(state->out.num_edges | 1);
    uint64_t mark_above = (uint64_t)run->options[MARK_ABOVE_OPTION], share = state->num_rows / MARK_SHARE;
    mark_above = mark_above > 0 && mark_above < share ? share : mark_above;
    bool marks = state->bottom_up && (rules->direction != DIRECTION_TOP_DOWN || !counts_fit(state));
    rules->mark_above = marks ? mark_above : UINT64_MAX;
    uint64_t most = counts_fit(state) ? UINT64_MAX : rules->mark_above < MOST_ALONE ? MOST_ALONE : rules->mark_above;
    rules->queue_capacity = most < state->num_rows ? (uint32_t)most : state->num_rows;
    bool queues_long = state->bottom_up && counts_fit(state) && state->num_rows <= INT32_MAX;
    rules->long_steps = queues_long ? (uint32_t)run->options[STEPS_OPTION] : 0;
    bool free_to_choose = rules->direction == DIRECTION_AUTO || rules->direction == DIRECTION_TOP_DOWN;
    size_t alone = free_to_choose ? (size_t)run->options[ALONE_OPTION] : 0;
    size_t most_alone = rest / (4 * offset_size);
    rules->alone_edges = (uint32_t)(alone < most_alone ? alone : most_alone);
    size_t window = (size_t)run->options[WINDOW_OPTION] / WARP_SIZE / CHUNK_WORDS * chunk;
    window = window < rest / chunk * chunk ? window : rest / chunk * chunk;
    window = window < state->num_words * word ? window : state->num_words * word;
    rules->window_words = state->bottom_up ? (uint32_t)(window / word) : 0;
    rules->level_limit = (uint32_t)run->options[LEVELS_OPTION];
    rules->always_marks = mark_above == 0 || !counts_fit(state);
    rules->sample_above = (uint64_t)run->options[SAMPLE_ABOVE_OPTION];
    rules->row_cost = state->first == NULL ? PLAIN_ROW_COST : ROW_COST;
    rules->luck = UNKNOWN;
    rules->filters_marks = state->relabelled || state->first == NULL;
    size_t queues = 4 * offset_size * rules->alone_edges;
    state->shared_bytes = sizeof(struct shared) + (queues > window + sizeof(uint4) ? queues : window + sizeof(uint4));
    return STATUS_OK;
}

template <typename offset_t>
static int plan(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (set_rules(run) != STATUS_OK || gpu_plan_grid((const void *)kernel_of<offset_t>(run), BLOCK_THREADS, 1,
                                                     state->shared_bytes, &state->grid, run->error) != STATUS_OK)
        return run->error->status;
    uint32_t num_warps = state->grid.blocks * (state->grid.threads / WARP_SIZE), *pairs = &state->rules.pairs;
    for (*pairs = MOST_PAIRS; *pairs > 1 && state->num_words / (2 * *pairs) < num_warps;)
        *pairs /= 2;
    return STATUS_OK;
}

static int allocate_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    size_t padded = ((size_t)state->out.num_vertices + GROUP - 1) / GROUP * GROUP;
    size_t offset_size = state->out.wide ? sizeof(edge_t) : sizeof(uint32_t);
    for (uint32_t *&bitmap : state->bitmaps)
        if (gpu_allocate(&bitmap, state->num_words, "the visited bitmap", error) != STATUS_OK)
            return error->status;
    for (void *&queue : state->queues)
        if (gpu_allocate_bytes(&queue, (size_t)state->rules.queue_capacity + 1, offset_size, "the queue", error) !=
            STATUS_OK)
            return error->status;
    if (gpu_allocate(&state->bytes, (size_t)state->num_words * WARP_SIZE, "the levels", error) != STATUS_OK ||
        gpu_allocate(&state->level, padded, "the levels", error) != STATUS_OK ||
        gpu_allocate(&state->counts, 2 * NUM_COUNTS, "the counts", error) != STATUS_OK ||
        (state->rules.long_steps > 0 &&
         gpu_allocate(&state->long_rows, state->num_rows, "the queue", error) != STATUS_OK) ||
        gpu_allocate(&state->handover, 1, "the counts", error) != STATUS_OK ||
        gpu_allocate(&state->barrier, 1, "the barrier", error) != STATUS_OK)
        return error->status;
    if (run->options[TRACE] != 0 &&
        gpu_allocate(&state->trace, (size_t)state->out.num_vertices + 2, "the trace", error) != STATUS_OK)
        return error->status;
    if (run->outputs & OUTPUT_PARENT) {
        if (gpu_allocate(&state->parent, state->out.num_vertices, "the parents", error) != STATUS_OK)
            return error->status;
        if (state->relabelled && gpu_allocate(&state->row_level, state->num_rows, "the levels", error) != STATUS_OK)
            return error->status;
    }
    return gpu_check(cudaMemset(state->barrier, 0, sizeof *state->barrier), "the barrier", error);
}

template <typename offset_t>
static int launch(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    return gpu_launch_persistent(kernel_of<offset_t>(run), state->grid, state->shared_bytes, run->error,
                                 rows_of<offset_t>(state), search_of<offset_t>(state), state->rules, source);
}

/* Runs from a vertex of most edges, so that later runs know when all is found. What a run needs for it: 64 bits for
 * the hub, then 32 for the number reached. */
template <typename offset_t>
static int measure_giant(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    vertex_t n = state->out.num_vertices;
    size_t words = ((size_t)n + WARP_SIZE - 1) / WARP_SIZE;
    uint64_t *found = NULL, hub = 0;
    uint32_t num_reached = 0, *giant = NULL;
    state->rules.measures = true;
    /* Rows' degrees are those of the inputs' vertices. */
    if (gpu_allocate(&found, 2, "the first search", error) == STATUS_OK &&
        gpu_allocate(&giant, words, "the first search", error) == STATUS_OK &&
        gpu_check(cudaMemset(found, 0, 2 * sizeof *found), "the first search", error) == STATUS_OK &&
        gpu_launch(find_hub<offset_t>, gpu_wide_grid(n), 0, error, (const offset_t *)state->out.offsets, n, found) ==
            STATUS_OK &&
        gpu_download(&hub, found, 1, error) == STATUS_OK) {
        vertex_t source = (vertex_t)hub;
        if (state->input_of != NULL)
            gpu_download(&source, state->input_of + (vertex_t)hub, 1, error);
        if (error->status == STATUS_OK && launch<offset_t>(run, source) == STATUS_OK &&
            gpu_check_barrier(state->barrier, "bfs stream", error) == STATUS_OK &&
            gpu_launch(map_reached, gpu_wide_grid(n), 0, error, (const uint32_t *)state->level, n, giant,
                       (uint32_t *)(found + 1)) == STATUS_OK)
            gpu_download(&num_reached, (uint32_t *)(found + 1), 1, error);
        if (error->status == STATUS_OK)
            gpu_download(&state->rules.luck, &state->handover->luck, 1, error);
    }
    gpu_free(found);
    state->rules.measures = false;
    state->giant = giant;
    state->outside_giant = state->num_rows - num_reached;
    return error->status;
}

/* Everything on the device; the first search, too, is part of it. */
template <typename offset_t>
static int build(struct run *run)
{
    struct state *state = (struct state *)run->state;
    const bool prepares = run->options[PREPARE] != 0 && state->out.num_edges > 0;
    state->num_rows = state->out.num_vertices;
    state->symmetric = run->graph->symmetric;
    state->bottom_up = state->symmetric || prepares || !counts_fit(state) ||
                       (int)run->options[DIRECTION] >= DIRECTION_BOTTOM_UP || (run->outputs & OUTPUT_PARENT);
    if (state->bottom_up && !state->symmetric &&
        transpose<offset_t>(&state->out, &state->in, run->error) != STATUS_OK)
        return run->error->status;
    if (prepares && relabel<offset_t>(run) != STATUS_OK)
        return run->error->status;
    state->num_words = (uint32_t)((((uint64_t)state->num_rows + CHUNK_ROWS - 1) / CHUNK_ROWS) * CHUNK_WORDS);
    state->num_words = state->num_words > 0 ? state->num_words : CHUNK_WORDS;
    if (prepares && make_streams<offset_t>(run) != STATUS_OK)
        return run->error->status;
    if (plan<offset_t>(run) != STATUS_OK || allocate_search(run) != STATUS_OK)
        return run->error->status;
    return prepares && state->symmetric ? measure_giant<offset_t>(run) : STATUS_OK;
}

static void describe(struct run *run, double build_ms)
{
    const struct state *state = (const struct state *)run->state;
    char rows[96] = "rows as they are", outside[64] = "";
    if (state->relabelled)
        snprintf(rows, sizeof rows, "%u rows by degree class, hubs first", state->num_rows);
    if (state->giant != NULL)
        snprintf(outside, sizeof outside, ", %u outside the hub's component", state->outside_giant);
    snprintf(run->note, sizeof run->note, "%s%s%s, %s, prepared on the device in %.2f ms", rows,
             state->first == NULL ? ", no streams"
             : packs_25_bits(run) ? ", first neighbours of 25 bits"
                                  : ", first neighbours of 32 bits",
             outside, !state->bottom_up ? "top-down only" : "both directions", build_ms);
}

int stream_prepare(struct run *run, struct gpu_graph *graph)
{
    struct device *device = run->device;
    struct gpu_graph mine = *graph;
    double build_ms = 0, kernel_ms;
    *graph = {};
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK) {
        gpu_graph_free(&mine);
        return run->error->status;
    }
    ((struct state *)run->state)->out = mine;
    device->mark(device, MARK_BEGIN);
    int status = mine.wide ? build<edge_t>(run) : build<uint32_t>(run);
    device->mark(device, MARK_END);
    if (status == STATUS_OK && device->elapsed(device, &build_ms, &kernel_ms, run->error) == STATUS_OK)
        describe(run, build_ms);
    return run->error->status;
}

static int upload_and_prepare(struct run *run)
{
    struct gpu_graph graph = {};
    if (gpu_graph_upload(run->graph, run->options[OFFSET_BITS] != 0, &graph, run->error) == STATUS_OK)
        return stream_prepare(run, &graph);
    gpu_graph_free(&graph);
    return run->error->status;
}

/* ---- host side: traversing ---- */

int stream_traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    if (state->trace != NULL)
        cudaMemsetAsync(state->trace, 0, ((size_t)state->out.num_vertices + 2) * sizeof *state->trace);
    run_kernel_begin(run);
    if (state->out.wide)
        launch<edge_t>(run, query->source);
    else
        launch<uint32_t>(run, query->source);
    run_kernel_end(run);
    return run->error->status;
}

int stream_fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    vertex_t n = run->graph->num_vertices;
    if (gpu_check_barrier(state->barrier, "bfs stream", run->error) != STATUS_OK ||
        gpu_download(result->level, state->level, n, run->error) != STATUS_OK ||
        (state->parent != NULL && gpu_download(result->parent, state->parent, n, run->error) != STATUS_OK) ||
        state->trace == NULL)
        return run->error->status;
    return gpu_fetch_trace(run, state->trace, result);
}

void stream_release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const void *const arrays[] = {state->row_of,    state->input_of,   state->first,      state->next,
                                      state->giant,     state->bitmaps[0], state->bitmaps[1], state->bytes,
                                      state->queues[0], state->queues[1],  state->queues[2],  state->queues[3],
                                      state->counts,    state->long_rows,  state->handover,   state->barrier,
                                      state->level,     state->row_level,  state->parent,     state->trace};
        for (const void *array : arrays)
            gpu_free(array);
        gpu_graph_free(&state->out);
        gpu_graph_free(&state->in);
    }
    free(state);
}

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(bfs_stream) = {
    .family = "bfs",
    .variant = "stream",
    .title = "Both directions, edge-balanced and streaming",
    .citation = "after Beamer et al., SC 2012",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .options = stream_options,
    .prepare = upload_and_prepare,
    .traverse = stream_traverse,
    .fetch = stream_fetch,
    .release = stream_release,
};
