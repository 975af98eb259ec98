/* msbfs_rows.cu: many breadth-first searches at once by nested seen-rows, for scale-free and random graphs; after
 * Then et al., VLDB 2014 (a bit a search, shared looks at edges).
 *
 * State. A plane has a row of K bits for every vertex, bit s: search s has seen it. Plane i + 1 is what a pull made
 * of plane i, so planes are nested, and the first plane that has a bit tells its level: there is neither a frontier,
 * nor are levels written before the end. (A vertex's row in a plane is at the vertex's row in sorted_rows.h's sense.)
 *
 * Sparse levels work in place, on the top plane: the list has a pair (vertex, search) for each bit they set, with its
 * level, which overrides what the plane tells. A push takes the out-edges of the last level's pairs, dealt out
 * evenly: a pair knows how many edges of its level lie before its own, since one 64-bit atomic of a warp gives it
 * both its place and that number. A level of more than push_edges edges is not listed: the first of them, up to
 * mark_edges, marks plane 0 only, whose bits that are not listed have the plane's level. From there on levels are
 * pulled: the row of a vertex gets the bits of its in-neighbours' rows, until it has all bits it may get, those of
 * searches that are alive, i.e. found something on the last level. "The neighbour's bit is in the last plane" is the
 * test, which is complete when the level begins; a bit that is newly there has a neighbour's on the last level, else
 * it would have been there before. When a pull has found little, its bits are collected into the list, and levels are
 * sparse again.
 *
 * Pulls. Rows are by descending degree (sorted_rows.h): a warp for HUB_PART edges of a hub, a warp for a row of
 * medium degree, one or two lanes for the rest, GATHERS rows in flight each. The first pull of a scale-free graph
 * tests a bitmap of the rows that are not empty before it reads one. Where rows do not fit the L2 cache and degrees
 * are even, heavy pulls go block by block: neighbours of one range of rows after the other, what streams past L2
 * marked as such.
 *
 * Chain of launches, not one kernel: pulls want 64 registers, blocks and the output 40, and a launch costs less than
 * two microseconds. Every kernel reads from the control words whether it is its turn, and returns if not; the last
 * block that is done decides what comes next. Sparse levels, which are short and may be thousands, are one persistent
 * kernel. So the host need not know what happens: it launches the steps that the last query took, looks, and as long
 * as searches go on, launches a standard chain and looks again.
 *
 * Giving out. When searches are done, or planes, list or level numbers run out, all levels are given out: to the
 * array of levels, and to the aggregates. Then the top plane becomes plane 0, whose bits are settled, and searches go
 * on, to any depth. Level numbers are bytes, until they do not suffice; the host widens them then.
 *
 * Who writes what. control, apart from found to arrived, is written by one thread of the last block that leaves a
 * pull or gives out, when no other block will read it any more: all of them have read it at their start, and have
 * since added to `arrived`; in the sparse kernel by block 0 at its end, and every block has since passed a grid
 * barrier, each having read control before its first. found, remaining, alive_next and arrived are changed by
 * atomics, and read and cleared by that thread alone. A block's atomics are before its threads' fences, those before
 * the block's barrier, that before thread 0's atomic on arrived; the last block's thread 0 fences after it. So it
 * sees them all. A pull's row of the next plane is written by one warp, which owns it; a hub's parts are ored into
 * hub_found, and that of its warps which comes last, by the same reasoning with hub_arrived, writes the row, and
 * clears both. In the sparse kernel, plane words are changed by atomics alone, and read otherwise only in phases in
 * which nobody changes them, between grid barriers. Of all who reach a bit the one that gets it back unset lists it,
 * so a pair is listed once. Counts rotate: a phase adds to counts[(round + 1) % 3], which all read after its barrier;
 * counts[(round + 2) % 3], the next phase's, was read for the last time at the barrier that ended the phase before
 * this, which all have passed, so one thread may clear it.
 *   The list is a ring. A push is started only if all its edges' pairs would fit behind the entries that are still
 * needed: those not given out, and the last level's. Else these are given out first, or the level is pulled. */
#include "msbfs_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sorted_rows.h"

namespace BACKEND
{

#define MOST_WORDS      8u /* of a row: 256 searches */
#define MOST_PLANES     7u /* three bits tell which is the first to have a bit, or none */
#define LEAST_PLANES    2u
#define GATHERS         8u /* rows that a lane has in flight, pulling; in blocks BLOCK_GATHERS */
#define BLOCK_GATHERS   4u
#define UNROLL          4u    /* edges that a lane has in flight, pushing */
#define HUB_PART        1024u /* edges */
#define PULL_THREADS    256u
#define PULL_BLOCKS     4 /* on a multiprocessor, with 64 registers a thread; of block pulls, with 48 */
#define BLOCK_BLOCKS    5
#define FULL            32u /* blocks on a multiprocessor: as many as there is room for */
#define PULL_WAVES      1u  /* of blocks */
#define SPARSE_THREADS  1024u
#define WRITE_THREADS   512u
#define WRITE_BLOCKS    4
#define NUM_COUNTS      3u
#define EDGE_BITS       44u        /* of a count: pairs << EDGE_BITS | edges */
#define MOST_EDGES      (1u << 24) /* that a pair counts with; a level of as many is never pushed */
#define MOST_PAIRS      ((1u << (64 - EDGE_BITS)) - 1) /* of a level that is listed */
#define PUSH_EDGES      1000000
#define MARK_SORTED     3000000 /* mark_edges, with rows by degree, and without */
#define MARK_PLAIN      16000000
#define LATE_DEGREE     8.0 /* of what pulls find at last, where degrees are heavy-tailed: few edges; else the mean */
#define LIST_PAIRS      (1 << 22)
#define LIST_SHARE      0.125 /* of free memory, that the list may take */
#define LEAST_PAIRS     256u
#define BLOCK_BYTES     (24u << 20) /* of a plane, for the rows of a block */
#define MOST_BLOCKS     16u
#define BLOCK_SHARE     8u /* a pull goes by blocks if more than an eighth of the rows were incomplete before */
#define MOST_STEPS      64u
#define SOURCE_BITS     8u /* of a pair's tag: search, plane, level since the last giving out */
#define PLANE_BITS      4u
#define RELATIVE_LEVELS (1u << (32 - SOURCE_BITS - PLANE_BITS))
#define COUNTER_BITS    8u /* of the vertical counters */
#define BYTE_LEVELS     254
#define NO_LIMIT        (UNREACHED - 1)
static_assert((uint64_t)MOST_EDGES * (MOST_PAIRS + 1) == 1ull << EDGE_BITS,
              "a level's edges are counted without overflow");

/* ---- device memory ---- */

/* What comes next. */
enum mode {
    MODE_START,    /* the sources become the list: this and the next three are the sparse kernel's */
    MODE_PUSH,     /* the last level is listed; so will be the next */
    MODE_MARK,     /* the next will not */
    MODE_COLLECT,  /* the last level is to be listed */
    MODE_FILTERED, /* a pull, with a bitmap of rows that are not empty */
    MODE_PULL,
    MODE_BLOCK, /* the pull of one block */
    MODE_GIVE,  /* levels are to be given out; then comes control.next */
    MODE_WIDEN, /* the host must widen the levels; then comes control.next */
    MODE_DONE,  /* searches are over, levels to be given out */
    MODE_FINISHED
};

/* What the host launches. */
enum step { STEP_SPARSE, STEP_FILTERED, STEP_PULL, STEP_BLOCK, STEP_GIVE };

struct control {
    uint32_t mode, next;
    uint32_t level, base;   /* the last complete one; that of the last giving out */
    uint32_t first, top;    /* plane 0's place, and the number of the last plane */
    uint32_t given;         /* 1: plane 0's bits have been given out */
    uint32_t block;         /* of a pull by blocks: the next */
    uint32_t round;         /* of counts */
    uint32_t num_steps;     /* that have been done */
    uint64_t head, tail;    /* of the list, counted from the query's begin: its end; what is not given out */
    uint64_t frontier;      /* where the last level's pairs begin */
    uint64_t size, edges;   /* of the last level, listed */
    uint64_t not_completed; /* rows, as `remaining` said after the last pull */
    uint32_t plane_level[MOST_PLANES]; /* of each plane's bits that are not listed */
    uint32_t alive[MOST_WORDS];
    /* What a launch adds up: */
    uint64_t found, remaining; /* bits; rows, or parts of them, that still lack bits of searches alive */
    uint32_t alive_next[MOST_WORDS];
    uint32_t arrived; /* blocks */
};

/* The prepared graph. in's rows are padded (sorted_rows.h). */
template <typename offset_t>
struct rows {
    vertex_t num_vertices, num_rows, num_hubs, num_not_small;
    csr<offset_t> in, out;
    const vertex_t *row_of, *input_of; /* NULL: rows are the input's ids */
    const uint2 *hub_parts;            /* num_hub_parts: hub, number of the part */
    uint32_t num_hub_parts;
    const offset_t *splits; /* (num_blocks - 1) * num_rows: where a row's edges into each block but the first begin */
};

struct search {
    struct control *control;
    uint32_t *steps;  /* MOST_STEPS: those done, as enum step */
    uint32_t *planes; /* num_planes * plane_words */
    size_t plane_words;
    uint32_t *filled;      /* a bitmap: rows of plane 0 that are not empty */
    uint32_t *hub_found;   /* num_hubs rows */
    uint32_t *hub_arrived; /* num_hubs */
    uint4 *list;           /* a power of two: row, tag, edges of the level before its own, - */
    uint64_t *counts;      /* NUM_COUNTS */
    struct grid_barrier *barrier;
    const vertex_t *sources;
    void *levels;             /* num_vertices * K, by the input's ids; NULL: not wanted */
    uint64_t *far;            /* num_vertices, by rows; NULL: not wanted */
    uint32_t *far_count;      /* the same */
    struct source_sums *sums; /* K; NULL: not wanted */
    uint64_t *plane_counts;   /* MOST_PLANES * K: bits that are not listed */
};

struct rules {
    uint32_t num_sources, num_planes, num_blocks;
    bool filters; /* the first pull */
    uint32_t push_edges, mark_edges;
    uint64_t collect_pairs; /* that a pull may have found, for the next level to be sparse */
    uint64_t list_capacity;
    uint32_t level_limit; /* the highest level that the array of levels has room for */
};

/* The words that a query sets, in one copy. */
struct beginning {
    struct control control;
    uint64_t counts[NUM_COUNTS];
    vertex_t sources[MOST_WORDS * WARP_SIZE];
};

static __device__ __forceinline__ uint64_t thread_of_grid(void)
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ uint64_t threads_of_grid(void)
{
    return (uint64_t)gridDim.x * blockDim.x;
}

/* Neighbouring numbers are in different blocks, which evens out neighbouring rows. */
static __device__ __forceinline__ uint64_t warp_of_grid(void)
{
    return threadIdx.x / WARP_SIZE * gridDim.x + blockIdx.x;
}

static __device__ __forceinline__ uint64_t warps_of_grid(void)
{
    return threads_of_grid() / WARP_SIZE;
}

static __device__ __forceinline__ uint32_t *plane_of(const struct search &search, const struct rules &rules,
                                                     const struct control &control, uint32_t plane)
{
    return search.planes + (control.first + plane) % rules.num_planes * search.plane_words;
}

static __device__ __forceinline__ vertex_t input_of_row(const vertex_t *input_of, uint64_t row)
{
    return input_of != NULL ? __ldg(&input_of[row]) : (vertex_t)row;
}

/* ---- what comes next: by one thread, for all ---- */

/* Whether levels must be given out before the next one can have its number. */
static __device__ __forceinline__ bool lacks_numbers(const struct control &control, const struct rules &rules)
{
    return control.level + 1 > rules.level_limit || control.level + 1 - control.base >= RELATIVE_LEVELS;
}

static __device__ __forceinline__ void give_before(struct control *control, uint32_t next)
{
    control->mode = MODE_GIVE;
    control->next = next;
}

static __device__ __forceinline__ void choose_pull(struct control *control, const struct rules &rules)
{
    control->mode = MODE_PULL;
    if (rules.num_blocks > 1 && control->not_completed > 0)
        control->mode = MODE_BLOCK;
    else if (rules.filters && control->top == 0 && !control->given)
        control->mode = MODE_FILTERED;
    control->block = 0;
    if (lacks_numbers(*control, rules) || control->top + 1 == rules.num_planes)
        give_before(control, control->mode == MODE_BLOCK ? (uint32_t)MODE_BLOCK : (uint32_t)MODE_PULL);
}

static __device__ __forceinline__ bool has_room(const struct control &control, const struct rules &rules,
                                                uint64_t first, uint64_t pairs)
{
    return control.head + pairs - first <= rules.list_capacity;
}

/* After a level that is listed, or marked: a pull follows then. */
static __device__ __forceinline__ void choose_after_sparse(struct control *control, const struct rules &rules,
                                                           bool marked)
{
    if (!marked && control->size == 0) {
        control->mode = MODE_DONE;
        return;
    }
    if (!marked && control->edges <= rules.push_edges &&
        has_room(*control, rules, control->frontier, control->edges)) {
        control->mode = MODE_PUSH;
        uint64_t needed = control->tail < control->frontier ? control->tail : control->frontier;
        if (lacks_numbers(*control, rules) || !has_room(*control, rules, needed, control->edges))
            give_before(control, MODE_PUSH);
        return;
    }
    if (!marked && control->edges <= rules.mark_edges && control->top == 0 && !control->given &&
        !lacks_numbers(*control, rules)) {
        control->mode = MODE_MARK;
        return;
    }
    if (control->top == 0)
        control->plane_level[0] = control->level;
    for (unsigned w = 0; w < MOST_WORDS; w++) /* whoever is not, is not known */
        control->alive[w] = rules.num_sources >= (w + 1) * WARP_SIZE ? UINT32_MAX
                            : rules.num_sources > w * WARP_SIZE      ? lanes_below(rules.num_sources - w * WARP_SIZE)
                                                                     : 0;
    control->not_completed = UINT64_MAX;
    choose_pull(control, rules);
}

static __device__ __forceinline__ void choose_after_pull(struct control *control, const struct rules &rules,
                                                         uint64_t found, uint64_t num_rows)
{
    control->level++;
    control->top++;
    control->plane_level[control->top] = control->level;
    uint64_t remaining = control->not_completed;
    control->not_completed = remaining > num_rows / BLOCK_SHARE ? remaining : 0;
    if (found == 0 || remaining == 0)
        control->mode = MODE_DONE;
    else if (found <= rules.collect_pairs && has_room(*control, rules, control->tail, found) &&
             !lacks_numbers(*control, rules))
        control->mode = MODE_COLLECT;
    else
        choose_pull(control, rules);
}

static __device__ __forceinline__ void note_step(const struct search &search, struct control *control, uint32_t step)
{
    if (control->num_steps < MOST_STEPS)
        search.steps[control->num_steps] = step;
    control->num_steps++;
}

/* What every block begins with: its copy of the control words, from one thread's look at them. */
struct shared_words {
    struct control control;
    uint32_t last;
};

static __device__ __forceinline__ const struct control &read_control(const struct search &search,
                                                                     struct shared_words *shared)
{
    if (threadIdx.x == 0)
        shared->control = *search.control;
    __syncthreads();
    return shared->control;
}

/* Whether this block is the last of the grid to come here; all its threads must come. */
static __device__ __forceinline__ bool is_last_block(struct control *control, uint32_t *broadcast)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        *broadcast = atomicAdd(&control->arrived, 1u) == gridDim.x - 1;
    __syncthreads();
    __threadfence();
    return *broadcast;
}

/* ---- sparse levels ---- */

struct sparse_shared {
    struct shared_words words;
    uint64_t broadcast;
};

/* Lists the pairs of those lanes that have some; all lanes of the warp must come. They make one atomic: places in the
 * list and edges before come from the same sum, and ascend together. */
template <unsigned number, typename offset_t>
static __device__ __forceinline__ void append(const struct search &search, const struct rules &rules,
                                              const struct control &control, const csr<offset_t> &out, uint32_t level,
                                              uint64_t *count, const bool (&has)[number],
                                              const vertex_t (&row)[number], const uint32_t (&source)[number])
{
    const uint64_t entry = 1ull << EDGE_BITS;
    uint64_t mine[number], sum = 0;
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        offset_t begin = load_if(has[i], &out.offsets[row[i]]),
                 end = load_if(has[i], &out.offsets[(size_t)row[i] + 1]);
        mine[i] = has[i] ? entry + min((uint64_t)(end - begin), (uint64_t)MOST_EDGES) : 0;
        sum += mine[i];
    }
    if (!__any_sync(WHOLE_WARP, sum != 0))
        return;
    uint64_t before = sum;
#pragma unroll
    for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
        uint64_t left = __shfl_up_sync(WHOLE_WARP, before, step);
        before += lane_id() >= step ? left : 0;
    }
    uint64_t place = 0;
    if (lane_id() == WARP_SIZE - 1)
        place = atomicAdd((unsigned long long *)count, (unsigned long long)before);
    place = __shfl_sync(WHOLE_WARP, place, WARP_SIZE - 1) + before - sum;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        if (has[i]) {
            uint32_t tag =
                source[i] | control.top << SOURCE_BITS | (level - control.base) << (SOURCE_BITS + PLANE_BITS);
            uint4 pair = {row[i], tag, (uint32_t)place, 0};
            __stcg(&search.list[(control.head + (place >> EDGE_BITS)) & (rules.list_capacity - 1)], pair);
            place += mine[i];
        }
}

/* The sources, by block 0. Isolated ones have no bits. */
template <unsigned num_words, typename offset_t>
static __device__ __forceinline__ void start(const struct rows<offset_t> &rows, const struct search &search,
                                             const struct rules &rules, const struct control &control,
                                             uint64_t *count)
{
    for (uint32_t base = threadIdx.x - lane_id(); base < rules.num_sources; base += blockDim.x) {
        uint32_t source[1] = {base + lane_id()};
        bool has[1] = {source[0] < rules.num_sources};
        vertex_t row[1] = {load_if(has[0], &search.sources[source[0]])};
        if (rows.row_of != NULL)
            row[0] = load_if(has[0], &rows.row_of[row[0]]);
        if (has[0] && row[0] < rows.num_rows)
            atomicOr(&plane_of(search, rules, control, 0)[(size_t)row[0] * num_words + source[0] / WARP_SIZE],
                     1u << source[0] % WARP_SIZE);
        append(search, rules, control, rows.out, 0, count, has, row, source);
    }
}

/* Lists what is in the top plane and not in the one below. */
template <unsigned num_words, typename offset_t>
static __device__ __forceinline__ void collect(const struct rows<offset_t> &rows, const struct search &search,
                                               const struct rules &rules, const struct control &control,
                                               uint64_t *count)
{
    const uint32_t *top = plane_of(search, rules, control, control.top);
    const uint32_t *below = plane_of(search, rules, control, control.top - 1);
    const uint64_t end = (uint64_t)rows.num_rows * num_words;
    for (uint64_t base = thread_of_grid() - lane_id(); base < end; base += UNROLL * threads_of_grid()) {
        uint32_t fresh[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            uint64_t at = base + lane_id() + i * threads_of_grid();
            fresh[i] = at < end ? top[at] & ~below[at] : 0;
        }
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            uint64_t at = base + lane_id() + i * threads_of_grid();
            for (uint32_t left = fresh[i]; __any_sync(WHOLE_WARP, left != 0); left &= left - 1) {
                bool has[1] = {left != 0};
                vertex_t row[1] = {(vertex_t)(at / num_words)};
                uint32_t source[1] = {(uint32_t)(at % num_words) * WARP_SIZE + (uint32_t)__ffs((int)left) - 1};
                append(search, rules, control, rows.out, control.level, count, has, row, source);
            }
        }
    }
}

/* The last of the frontier's pairs that has no more than `edge` edges before it; by all lanes of a warp. */
static __device__ __forceinline__ uint32_t find_pair(const struct search &search, const struct rules &rules,
                                                     const struct control &control, uint32_t edge)
{
    uint32_t first = 0, number = (uint32_t)control.size;
    while (number > 1) {
        uint32_t stride = (number + WARP_SIZE - 1) / WARP_SIZE, mine = lane_id() * stride;
        bool reaches = mine < number &&
                       __ldcg(&search.list[(control.frontier + first + mine) & (rules.list_capacity - 1)].z) <= edge;
        uint32_t skipped = (uint32_t)(__popc(__ballot_sync(WHOLE_WARP, reaches)) - 1) * stride;
        first += skipped;
        number = min(number - skipped, stride);
    }
    return first;
}

/* Deals the frontier's edges evenly out to the warps of the grid and calls use(targets, has, sources) with UNROLL of
 * them a lane. All lanes come to every call. */
template <typename offset_t, typename use_t>
static __device__ __forceinline__ void for_each_edge(const csr<offset_t> &out, const struct search &search,
                                                     const struct rules &rules, const struct control &control,
                                                     use_t use)
{
    uint32_t edges = (uint32_t)control.edges, size = (uint32_t)control.size;
    uint64_t share = (edges + warps_of_grid() - 1) / warps_of_grid();
    share = (share + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
    uint64_t begin = share * warp_of_grid();
    if (begin >= edges)
        return;
    uint32_t edge = (uint32_t)begin, end = (uint32_t)min((uint64_t)edges, begin + share);
    for (uint32_t first = find_pair(search, rules, control, edge); edge < end; first += WARP_SIZE) {
        const uint64_t mask = rules.list_capacity - 1, at = control.frontier + first;
        uint4 pair = {0, 0, UINT32_MAX, 0}; /* the lanes have 32 of them */
        if (first + lane_id() < size)
            pair = __ldcg(&search.list[(at + lane_id()) & mask]);
        uint32_t until = end;
        if (first + WARP_SIZE < size)
            until = min(end, __ldcg(&search.list[(at + WARP_SIZE) & mask].z));
        offset_t shift = load_if(pair.z != UINT32_MAX, &out.offsets[pair.x]) - pair.z;
        for (; edge < until; edge += UNROLL * WARP_SIZE) {
            bool has[UNROLL];
            vertex_t targets[UNROLL];
            uint32_t sources[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                uint32_t place = edge + i * WARP_SIZE + lane_id();
                int owner = 0;
#pragma unroll
                for (int step = WARP_SIZE / 2; step > 0; step /= 2)
                    owner += __shfl_sync(WHOLE_WARP, pair.z, owner + step) <= place ? step : 0;
                has[i] = place < until;
                sources[i] = __shfl_sync(WHOLE_WARP, pair.y, owner) & ((1u << SOURCE_BITS) - 1);
                targets[i] = load_if(has[i], &out.targets[(offset_t)(__shfl_sync(WHOLE_WARP, shift, owner) + place)]);
            }
            use(targets, has, sources);
        }
        edge = until;
    }
}

template <unsigned num_words, typename offset_t>
static __device__ __forceinline__ void push(const struct rows<offset_t> &rows, const struct search &search,
                                            const struct rules &rules, const struct control &control, uint64_t *count)
{
    uint32_t *top = plane_of(search, rules, control, control.top);
    for_each_edge(rows.out, search, rules, control,
                  [&](const vertex_t(&targets)[UNROLL], const bool(&has)[UNROLL], const uint32_t(&sources)[UNROLL]) {
                      uint32_t old[UNROLL];
                      bool fresh[UNROLL];
#pragma unroll
                      for (unsigned i = 0; i < UNROLL; i++)
                          old[i] = or_if(has[i], &top[(size_t)targets[i] * num_words + sources[i] / WARP_SIZE],
                                         1u << sources[i] % WARP_SIZE);
#pragma unroll
                      for (unsigned i = 0; i < UNROLL; i++)
                          fresh[i] = has[i] && !(old[i] >> sources[i] % WARP_SIZE & 1);
                      append(search, rules, control, rows.out, control.level + 1, count, fresh, targets, sources);
                  });
}

template <unsigned num_words, typename offset_t>
static __device__ __forceinline__ void mark(const struct rows<offset_t> &rows, const struct search &search,
                                            const struct rules &rules, const struct control &control)
{
    uint32_t *top = plane_of(search, rules, control, control.top);
    for_each_edge(rows.out, search, rules, control,
                  [&](const vertex_t(&targets)[UNROLL], const bool(&has)[UNROLL], const uint32_t(&sources)[UNROLL]) {
#pragma unroll
                      for (unsigned i = 0; i < UNROLL; i++)
                          if (has[i])
                              atomicOr(&top[(size_t)targets[i] * num_words + sources[i] / WARP_SIZE],
                                       1u << sources[i] % WARP_SIZE);
                  });
}

/* The bitmap of the rows of plane 0 that are not empty. */
template <unsigned num_words, typename offset_t>
static __device__ __forceinline__ void map_filled(const struct rows<offset_t> &rows, const struct search &search,
                                                  const struct rules &rules, const struct control &control)
{
    const uint32_t *plane = plane_of(search, rules, control, 0);
    for (uint64_t base = thread_of_grid() - lane_id(); base < rows.num_rows; base += threads_of_grid()) {
        uint64_t row = base + lane_id();
        uint32_t any = 0;
#pragma unroll
        for (unsigned w = 0; w < num_words; w++)
            any |= row < rows.num_rows ? plane[row * num_words + w] : 0;
        unsigned filled = __ballot_sync(WHOLE_WARP, any != 0);
        if (lane_id() == 0)
            search.filled[base / WARP_SIZE] = filled;
    }
}

/* After a phase and its barrier, by one thread of each block: all come to the same. */
static __device__ __forceinline__ void close_phase(struct control *control, const struct rules &rules, uint64_t count)
{
    bool marked = control->mode == MODE_MARK;
    control->level += control->mode == MODE_PUSH || marked;
    control->frontier = control->head;
    control->size = count >> EDGE_BITS;
    control->edges = count & ((1ull << EDGE_BITS) - 1);
    control->head += control->size;
    control->round++;
    choose_after_sparse(control, rules, marked);
}

/* Levels as long as they are sparse. */
template <unsigned num_words, typename offset_t>
__global__ void __launch_bounds__(SPARSE_THREADS, 1)
    sparse_kernel(struct rows<offset_t> rows, struct search search, struct rules rules)
{
    struct sparse_shared *shared = block_shared<struct sparse_shared>();
    struct control *control = &shared->words.control; /* the same in all blocks */
    read_control(search, &shared->words);
    if (control->mode > MODE_COLLECT)
        return;
    while (control->mode <= MODE_COLLECT) {
        uint64_t *count = &search.counts[(control->round + 1) % NUM_COUNTS];
        if (thread_of_grid() == 0)
            __stcg(&search.counts[(control->round + 2) % NUM_COUNTS], 0ull);
        if (control->mode == MODE_PUSH)
            push<num_words>(rows, search, rules, *control, count);
        else if (control->mode == MODE_MARK)
            mark<num_words>(rows, search, rules, *control);
        else if (control->mode == MODE_COLLECT)
            collect<num_words>(rows, search, rules, *control, count);
        else if (blockIdx.x == 0)
            start<num_words>(rows, search, rules, *control, count);
        uint64_t total = grid_wait(search.barrier, count, &shared->broadcast);
        if (total == UINT64_MAX)
            return;
        if (threadIdx.x == 0)
            close_phase(control, rules, total);
        __syncthreads();
    }
    if (control->mode == MODE_FILTERED)
        map_filled<num_words>(rows, search, rules, *control);
    if (thread_of_grid() == 0) {
        note_step(search, control, STEP_SPARSE);
        *search.control = *control;
    }
}

/* ---- pulls ---- */

/* How a warp handles rows: `lanes` lanes to a row, with `words` of its words each, and `rows` rows at once. */
template <unsigned num_words>
struct shape {
    static constexpr unsigned words = num_words < 4 ? num_words : 4;
    static constexpr unsigned lanes = num_words / words;
    static constexpr unsigned rows = WARP_SIZE / lanes;
};

/* A lane's words of a row. */
template <unsigned words>
struct bits {
    uint32_t word[words];
};

template <bool streams, typename type>
static __device__ __forceinline__ type load_once(const uint32_t *address)
{
    return streams ? __ldcs((const type *)address) : *(const type *)address;
}

template <bool streams, typename type>
static __device__ __forceinline__ void store_once(uint32_t *address, type value)
{
    if (streams)
        __stcs((type *)address, value);
    else
        *(type *)address = value;
}

template <bool streams = false, unsigned words>
static __device__ __forceinline__ void load_bits(const uint32_t *address, struct bits<words> *bits)
{
    if constexpr (words == 4) {
        uint4 loaded = load_once<streams, uint4>(address);
        bits->word[0] = loaded.x, bits->word[1] = loaded.y, bits->word[2] = loaded.z, bits->word[3] = loaded.w;
    } else if constexpr (words == 2) {
        uint2 loaded = load_once<streams, uint2>(address);
        bits->word[0] = loaded.x, bits->word[1] = loaded.y;
    } else {
        bits->word[0] = load_once<streams, uint32_t>(address);
    }
}

template <bool streams = false, unsigned words>
static __device__ __forceinline__ void store_bits(uint32_t *address, const struct bits<words> &bits)
{
    if constexpr (words == 4)
        store_once<streams, uint4>(address, {bits.word[0], bits.word[1], bits.word[2], bits.word[3]});
    else if constexpr (words == 2)
        store_once<streams, uint2>(address, {bits.word[0], bits.word[1]});
    else
        store_once<streams, uint32_t>(address, bits.word[0]);
}

struct pull_shared {
    struct shared_words words;
    uint32_t alive_next[MOST_WORDS];
    unsigned long long found, remaining;
};

/* A lane's part in a pull. */
template <unsigned num_words>
struct puller {
    static constexpr unsigned words = shape<num_words>::words;
    const uint32_t *seen; /* plane, from the lane's words of row 0 on */
    uint32_t *next;
    const uint32_t *filled;
    struct bits<words> alive, alive_next;
    uint32_t found, remaining;

    __device__ __forceinline__ uint32_t missing(const struct bits<words> &row) const
    {
        uint32_t any = 0;
#pragma unroll
        for (unsigned w = 0; w < words; w++)
            any |= alive.word[w] & ~row.word[w];
        return any;
    }

    /* row |= the rows of so many neighbours; those of one's own row change nothing. */
    template <bool filtered, unsigned number>
    __device__ __forceinline__ void gather(const vertex_t (&neighbours)[number], struct bits<words> *row) const
    {
        struct bits<words> rows[number];
        uint32_t looks[number];
#pragma unroll
        for (unsigned i = 0; i < number; i++)
            looks[i] = filtered ? __ldg(&filled[neighbours[i] / WARP_SIZE]) >> neighbours[i] % WARP_SIZE & 1 : 1;
#pragma unroll
        for (unsigned i = 0; i < number; i++) {
            rows[i] = {};
            if (looks[i])
                load_bits(&seen[(size_t)neighbours[i] * num_words], &rows[i]);
        }
#pragma unroll
        for (unsigned i = 0; i < number; i++)
#pragma unroll
            for (unsigned w = 0; w < words; w++)
                row->word[w] |= rows[i].word[w];
    }

    /* What the row has got beyond what it was. */
    __device__ __forceinline__ void tally(const struct bits<words> &was, const struct bits<words> &now)
    {
#pragma unroll
        for (unsigned w = 0; w < words; w++) {
            uint32_t fresh = now.word[w] & ~was.word[w];
            alive_next.word[w] |= fresh;
            found += (uint32_t)__popc(fresh);
        }
    }

    /* was, and what is alive of what was gathered. */
    __device__ __forceinline__ struct bits<words> merge(const struct bits<words> &was,
                                                        const struct bits<words> &gathered) const {
        struct bits<words> now;
#pragma unroll
        for (unsigned w = 0; w < words; w++)
            now.word[w] = was.word[w] | (gathered.word[w] & alive.word[w]);
        return now;
    }

    __device__ __forceinline__ void
    settle(vertex_t row, const struct bits<words> &was, const struct bits<words> &gathered)
    {
        struct bits<words> now = merge(was, gathered);
        store_bits(&next[(size_t)row * num_words], now);
        tally(was, now);
        remaining += missing(now) != 0;
    }
};

/* Whether the kernel is wanted; then the puller of the lane. All threads come. */
template <unsigned num_words>
static __device__ __forceinline__ bool begin_pull(const struct search &search, const struct rules &rules,
                                                  uint32_t mode, struct pull_shared *shared,
                                                  struct puller<num_words> *puller)
{
    if (threadIdx.x == 0)
        shared->found = shared->remaining = 0;
    if (threadIdx.x < num_words)
        shared->alive_next[threadIdx.x] = 0;
    const struct control &control = read_control(search, &shared->words);
    if (control.mode != mode)
        return false;
    unsigned first = lane_id() % shape<num_words>::lanes * puller->words;
    *puller = {plane_of(search, rules, control, control.top) + first,
               plane_of(search, rules, control, control.top + 1) + first, search.filled};
#pragma unroll
    for (unsigned w = 0; w < puller->words; w++)
        puller->alive.word[w] = control.alive[first + w];
    return true;
}

/* Adds up what the grid has found. True in all threads of the block that is last. */
template <unsigned num_words>
static __device__ __forceinline__ bool end_pull(const struct search &search, struct pull_shared *shared,
                                                const struct puller<num_words> &puller)
{
    constexpr unsigned lanes = shape<num_words>::lanes;
#pragma unroll
    for (unsigned w = 0; w < puller.words; w++) {
        uint32_t any = puller.alive_next.word[w];
#pragma unroll
        for (unsigned step = lanes; step < WARP_SIZE; step *= 2)
            any |= __shfl_xor_sync(WHOLE_WARP, any, (int)step);
        if (lane_id() < lanes && any != 0)
            atomicOr(&shared->alive_next[lane_id() * puller.words + w], any);
    }
    uint32_t found = __reduce_add_sync(WHOLE_WARP, puller.found);
    uint32_t remaining = __reduce_add_sync(WHOLE_WARP, puller.remaining);
    if (lane_id() == 0) {
        atomicAdd(&shared->found, (unsigned long long)found);
        atomicAdd(&shared->remaining, (unsigned long long)remaining);
    }
    __syncthreads();
    if (threadIdx.x < num_words && shared->alive_next[threadIdx.x] != 0)
        atomicOr(&search.control->alive_next[threadIdx.x], shared->alive_next[threadIdx.x]);
    if (threadIdx.x == 0) {
        atomicAdd((unsigned long long *)&search.control->found, shared->found);
        atomicAdd((unsigned long long *)&search.control->remaining, shared->remaining);
    }
    return is_last_block(search.control, &shared->words.last);
}

/* After a whole level. By one thread of the last block. */
static __device__ __forceinline__ void close_pull(const struct search &search, const struct rules &rules,
                                                  uint64_t num_rows, uint32_t step)
{
    struct control *control = search.control;
    uint64_t found = __ldcg(&control->found), remaining = __ldcg(&control->remaining);
    uint32_t alive[MOST_WORDS];
#pragma unroll
    for (unsigned w = 0; w < MOST_WORDS; w++)
        alive[w] = __ldcg(&control->alive_next[w]);
#pragma unroll
    for (unsigned w = 0; w < MOST_WORDS; w++) {
        control->alive[w] = alive[w];
        control->alive_next[w] = 0;
    }
    control->not_completed = remaining;
    control->found = control->remaining = 0;
    control->arrived = 0;
    note_step(search, control, step);
    choose_after_pull(control, rules, found, num_rows);
}

/* The row with those of the neighbours edge .. end - 1, by a warp, until nothing is missing: each of the lanes that
 * have the same words has them all. */
template <bool filtered, unsigned num_words, typename offset_t>
static __device__ __forceinline__ struct bits<shape<num_words>::words>
gather_by_warp(const struct puller<num_words> &puller, const vertex_t *targets, vertex_t own, offset_t edge,
               offset_t end, struct bits<shape<num_words>::words> row) {
    constexpr unsigned lanes = shape<num_words>::lanes, rows = shape<num_words>::rows;
    while (edge < end && __any_sync(WHOLE_WARP, puller.missing(row) != 0)) {
        vertex_t neighbours[GATHERS];
#pragma unroll
        for (unsigned i = 0; i < GATHERS; i++) {
            offset_t place = edge + i * rows + lane_id() / lanes;
            neighbours[i] = place < end ? __ldg(&targets[place]) : own;
        }
        puller.template gather<filtered>(neighbours, &row);
#pragma unroll
        for (unsigned w = 0; w < puller.words; w++)
#pragma unroll
            for (unsigned step = lanes; step < WARP_SIZE; step *= 2)
                row.word[w] |= __shfl_xor_sync(WHOLE_WARP, row.word[w], (int)step);
        edge += GATHERS * rows;
    }
    return row;
}

/* One part of a hub's neighbours. Of the warps of all its parts the last one settles it. */
template <bool filtered, unsigned num_words, typename offset_t>
static __device__ __forceinline__ void pull_hub_part(const struct rows<offset_t> &rows, const struct search &search,
                                                     struct puller<num_words> *puller, uint2 part)
{
    constexpr unsigned words = shape<num_words>::words;
    const vertex_t hub = part.x;
    const bool owns = lane_id() < shape<num_words>::lanes;
    offset_t begin = rows.in.offsets[hub], end = rows.in.offsets[(size_t)hub + 1];
    uint32_t parts = (uint32_t)((end - begin + HUB_PART - 1) / HUB_PART);
    offset_t from = begin + (offset_t)part.y * HUB_PART;
    uint32_t *found = &search.hub_found[(size_t)hub * num_words + lane_id() % shape<num_words>::lanes * words];
    struct bits<words> was, row;
    load_bits(&puller->seen[(size_t)hub * num_words], &was);
    row = was;
#pragma unroll
    for (unsigned w = 0; w < words; w++) /* what others have found need not be looked for */
        row.word[w] |= __ldcg(&found[w]);
    row = gather_by_warp<filtered>(*puller, rows.in.targets, hub, from,
                                   end - from < HUB_PART ? end : (offset_t)(from + HUB_PART), row);
#pragma unroll
    for (unsigned w = 0; w < words; w++)
        if (owns && (row.word[w] & ~was.word[w]) != 0)
            atomicOr(&found[w], row.word[w] & ~was.word[w]);
    uint32_t arrived = 0;
    __threadfence();
    __syncwarp();
    if (lane_id() == 0)
        arrived = atomicAdd(&search.hub_arrived[hub], 1u) + 1;
    arrived = __shfl_sync(WHOLE_WARP, arrived, 0);
    if (arrived < parts || !owns)
        return;
    __threadfence();
#pragma unroll
    for (unsigned w = 0; w < words; w++) {
        row.word[w] = __ldcg(&found[w]);
        __stcg(&found[w], 0u);
    }
    puller->settle(hub, was, row);
    if (lane_id() == 0)
        __stcg(&search.hub_arrived[hub], 0u);
}

template <bool filtered, unsigned num_words, typename offset_t>
static __device__ __forceinline__ void pull_medium(const struct rows<offset_t> &rows,
                                                   struct puller<num_words> *puller, vertex_t row)
{
    struct bits<shape<num_words>::words> was, now;
    load_bits(&puller->seen[(size_t)row * num_words], &was);
    now = gather_by_warp<filtered>(*puller, rows.in.targets, row, rows.in.offsets[row],
                                   rows.in.offsets[(size_t)row + 1], was);
    if (lane_id() < shape<num_words>::lanes)
        puller->settle(row, was, now);
}

/* By the row's own lanes, which may come and go by themselves. */
template <bool filtered, unsigned num_words, typename offset_t>
static __device__ __forceinline__ void pull_small(const struct rows<offset_t> &rows, struct puller<num_words> *puller,
                                                  vertex_t row)
{
    struct bits<shape<num_words>::words> was, now;
    load_bits(&puller->seen[(size_t)row * num_words], &was);
    now = was;
    offset_t edge = rows.in.offsets[row], end = rows.in.offsets[(size_t)row + 1];
    for (; edge < end && puller->missing(now) != 0; edge += GATHERS) {
        uint4 one = __ldg((const uint4 *)&rows.in.targets[edge]), two = {row, row, row, row};
        if (end - edge > ROW_ALIGNMENT)
            two = __ldg((const uint4 *)&rows.in.targets[(offset_t)(edge + ROW_ALIGNMENT)]);
        const vertex_t neighbours[GATHERS] = {one.x, one.y, one.z, one.w, two.x, two.y, two.z, two.w};
        puller->template gather<filtered>(neighbours, &now);
    }
    puller->settle(row, was, now);
}
static_assert(GATHERS == 2 * ROW_ALIGNMENT, "two times 16 bytes");

/* A level, from the top plane into the one above. */
template <unsigned num_words, typename offset_t, bool filtered>
__global__ void __launch_bounds__(PULL_THREADS, PULL_BLOCKS)
    pull_kernel(struct rows<offset_t> rows, struct search search, struct rules rules)
{
    struct pull_shared *shared = block_shared<struct pull_shared>();
    struct puller<num_words> puller;
    if (!begin_pull(search, rules, filtered ? MODE_FILTERED : MODE_PULL, shared, &puller))
        return;
    const uint64_t medium = rows.num_hub_parts, small = medium + rows.num_not_small - rows.num_hubs;
    const uint64_t end =
        small + (rows.num_rows - rows.num_not_small + shape<num_words>::rows - 1) / shape<num_words>::rows;
    for (uint64_t i = warp_of_grid(); i < end; i += warps_of_grid()) {
        if (i < medium) {
            pull_hub_part<filtered>(rows, search, &puller, __ldg(&rows.hub_parts[i]));
        } else if (i < small) {
            pull_medium<filtered>(rows, &puller, (vertex_t)(rows.num_hubs + (i - medium)));
        } else {
            uint64_t row =
                rows.num_not_small + (i - small) * shape<num_words>::rows + lane_id() / shape<num_words>::lanes;
            if (row < rows.num_rows)
                pull_small<filtered>(rows, &puller, (vertex_t)row);
        }
        __syncwarp();
    }
    if (end_pull(search, shared, puller) && threadIdx.x == 0)
        close_pull(search, rules, rows.num_rows, filtered ? STEP_FILTERED : STEP_PULL);
}

/* A level's looks at neighbours in one block of rows; the first block's reads the top plane's row, the others' what
 * the block before has left in the one above. */
template <unsigned num_words, typename offset_t>
__global__ void __launch_bounds__(PULL_THREADS, BLOCK_BLOCKS)
    block_kernel(struct rows<offset_t> rows, struct search search, struct rules rules)
{
    constexpr unsigned words = shape<num_words>::words;
    struct pull_shared *shared = block_shared<struct pull_shared>();
    struct puller<num_words> puller;
    if (!begin_pull(search, rules, MODE_BLOCK, shared, &puller))
        return;
    const uint32_t block = shared->words.control.block;
    const bool first = block == 0, last = block + 1 == rules.num_blocks;
    const offset_t *begins = first ? rows.in.offsets : rows.splits + (size_t)(block - 1) * rows.num_rows;
    const offset_t *ends = last ? rows.in.offsets + 1 : rows.splits + (size_t)block * rows.num_rows;
    for (uint64_t base = warp_of_grid() * shape<num_words>::rows; base < rows.num_rows;
         base += warps_of_grid() * shape<num_words>::rows) {
        uint64_t row = base + lane_id() / shape<num_words>::lanes;
        if (row >= rows.num_rows)
            continue;
        offset_t edge = __ldcs(&begins[row]), end = __ldcs(&ends[row]);
        struct bits<words> was, now;
        load_bits<true>(&(first ? puller.seen : puller.next)[row * num_words], &was);
        now = was;
        for (; edge < end && puller.missing(now) != 0; edge += BLOCK_GATHERS) {
            vertex_t neighbours[BLOCK_GATHERS];
#pragma unroll
            for (unsigned i = 0; i < BLOCK_GATHERS; i++)
                neighbours[i] = __ldcs(&rows.in.targets[min((offset_t)(edge + i), (offset_t)(end - 1))]);
            puller.template gather<false>(neighbours, &now);
        }
        now = puller.merge(was, now);
        uint32_t changed = first;
#pragma unroll
        for (unsigned w = 0; w < words; w++)
            changed |= now.word[w] ^ was.word[w];
        if (changed)
            store_bits<true>(&puller.next[row * num_words], now);
        puller.tally(was, now);
        puller.remaining += last && puller.missing(now) != 0;
    }
    if (!end_pull(search, shared, puller) || threadIdx.x != 0)
        return;
    if (last) {
        close_pull(search, rules, rows.num_rows, STEP_BLOCK);
    } else {
        search.control->block++;
        search.control->arrived = 0;
        note_step(search, search.control, STEP_BLOCK);
    }
}

/* ---- giving out ---- */

static __device__ __forceinline__ bool gives(const struct control &control)
{
    return control.mode == MODE_GIVE || control.mode == MODE_DONE;
}

/* Eight bits to a nibble each. */
static __device__ __forceinline__ uint32_t spread(uint32_t bits)
{
    bits = (bits | bits << 12) & 0x000f000fu;
    bits = (bits | bits << 6) & 0x03030303u;
    return (bits | bits << 3) & 0x11111111u;
}

/* A vertex's levels, for 16 searches, from its bits in each plane. How many planes lack a bit is its place in the
 * table of levels; planes being nested, that number is, in binary: the parities of all, of every second and of every
 * fourth plane that lacks it. */
static __device__ __forceinline__ uint4 tell_levels(const uint32_t (&lacking)[MOST_PLANES],
                                                    const uint32_t (&table)[2])
{
    uint32_t ones = 0, twos = 0, fours = 0, levels[4];
#pragma unroll
    for (unsigned i = 0; i < MOST_PLANES; i++) {
        ones ^= lacking[i];
        twos ^= i % 2 == 1 ? lacking[i] : 0;
        fours ^= i % 4 == 3 ? lacking[i] : 0;
    }
#pragma unroll
    for (unsigned i = 0; i < 2; i++) {
        uint32_t places =
            spread(ones >> 8 * i & 0xff) | spread(twos >> 8 * i & 0xff) << 1 | spread(fours >> 8 * i & 0xff) << 2;
        levels[2 * i] = __byte_perm(table[0], table[1], places & 0xffff);
        levels[2 * i + 1] = __byte_perm(table[0], table[1], places >> 16);
    }
    return {levels[0], levels[1], levels[2], levels[3]};
}

/* Writes all levels, bytes, when none has been given out before; of listed bits, the plane's. A thread writes those
 * of 16 searches of a vertex. */
template <unsigned num_words, typename offset_t>
__global__ void __launch_bounds__(WRITE_THREADS, WRITE_BLOCKS)
    write_levels(struct rows<offset_t> rows, struct search search, struct rules rules)
{
    constexpr unsigned pieces = 2 * num_words;
    const struct control &control = read_control(search, block_shared<struct shared_words>());
    if (!gives(control) || control.given)
        return;
    const uint32_t top = control.top;
    const uint16_t *planes[MOST_PLANES];
    uint32_t table[2] = {UINT32_MAX, UINT32_MAX}; /* UNREACHED's last byte */
#pragma unroll
    for (unsigned i = 0; i < MOST_PLANES; i++) {
        planes[i] = (const uint16_t *)plane_of(search, rules, control, min(i, top));
        if (i <= top)
            table[i / 4] ^= (uint32_t)(uint8_t)~control.plane_level[i] << 8 * (i % 4);
    }
    for (uint64_t at = thread_of_grid(); at < (uint64_t)rows.num_vertices * pieces; at += threads_of_grid()) {
        uint32_t lacking[MOST_PLANES] = {};
        bool present = at < (uint64_t)rows.num_rows * pieces;
#pragma unroll
        for (unsigned i = 0; i < MOST_PLANES; i++)
            if (i <= top)
                lacking[i] = present ? (uint16_t)~__ldg(&planes[i][at]) : 0xffffu;
        size_t vertex = input_of_row(rows.input_of, at / pieces);
        __stcg(&((uint4 *)search.levels)[vertex * pieces + at % pieces], tell_levels(lacking, table));
    }
}

/* Adds the levels since then. */
template <unsigned num_words, typename offset_t, typename level_t>
__global__ void merge_levels(struct rows<offset_t> rows, struct search search, struct rules rules)
{
    const struct control &control = read_control(search, block_shared<struct shared_words>());
    if (!gives(control) || !control.given || control.top == 0)
        return;
    const uint64_t end = (uint64_t)rows.num_rows * num_words;
    for (uint64_t at = thread_of_grid(); at < end; at += threads_of_grid()) {
        uint32_t before = plane_of(search, rules, control, 0)[at];
        uint32_t left = plane_of(search, rules, control, control.top)[at] & ~before;
        level_t *levels = NULL;
        if (left != 0)
            levels = (level_t *)search.levels +
                     (size_t)input_of_row(rows.input_of, at / num_words) * num_words * WARP_SIZE +
                     at % num_words * WARP_SIZE;
        for (uint32_t i = 1; left != 0; i++) {
            uint32_t fresh = left & plane_of(search, rules, control, i)[at];
            for (left &= ~fresh; fresh != 0; fresh &= fresh - 1)
                levels[__ffs((int)fresh) - 1] = (level_t)control.plane_level[i];
        }
    }
}

/* Adds each vertex's levels and their number; of listed bits, the plane's. */
template <unsigned num_words, typename offset_t>
__global__ void add_far(struct rows<offset_t> rows, struct search search, struct rules rules)
{
    constexpr unsigned words = shape<num_words>::words, lanes = shape<num_words>::lanes;
    const struct control &control = read_control(search, block_shared<struct shared_words>());
    if (!gives(control))
        return;
    for (uint64_t base = thread_of_grid() - lane_id(); base < (uint64_t)rows.num_rows * lanes;
         base += threads_of_grid()) {
        uint64_t at = base + lane_id();
        bool present = at < (uint64_t)rows.num_rows * lanes;
        uint64_t sum = 0;
        uint32_t count = 0;
        struct bits<words> before = {
        };
#pragma unroll
        for (unsigned i = 0; i < MOST_PLANES; i++) {
            struct bits<words> now = {
            };
            if (i > control.top || !present)
                continue;
            load_bits(&plane_of(search, rules, control, i)[at * words], &now);
            uint32_t fresh = 0;
#pragma unroll
            for (unsigned w = 0; w < words; w++)
                fresh += (uint32_t)__popc(now.word[w] & ~before.word[w]);
            before = now;
            if (i > 0 || !control.given) {
                sum += (uint64_t)fresh * control.plane_level[i];
                count += fresh;
            }
        }
#pragma unroll
        for (unsigned step = 1; step < lanes; step *= 2) {
            sum += __shfl_xor_sync(WHOLE_WARP, sum, (int)step);
            count += __shfl_xor_sync(WHOLE_WARP, count, (int)step);
        }
        if (present && at % lanes == 0 && count > 0) {
            search.far[at / lanes] += sum;
            search.far_count[at / lanes] += count;
        }
    }
}

struct count_shared {
    struct shared_words words;
    uint32_t counts[MOST_WORDS * WARP_SIZE];
};

/* Counts each plane's bits for every search, by vertical counters: bit b of counter[k] is bit k of the number of bit
 * b's. A thread has the same word of many rows. */
template <unsigned num_words, typename offset_t>
__global__ void count_planes(struct rows<offset_t> rows, struct search search, struct rules rules)
{
    struct count_shared *shared = block_shared<struct count_shared>();
    const struct control &control = read_control(search, &shared->words);
    if (!gives(control))
        return;
    const uint32_t word = (uint32_t)(thread_of_grid() % num_words); /* a grid has a multiple of 32 threads */
    const uint64_t end = (uint64_t)rows.num_rows * num_words;
    for (uint32_t plane = control.given; plane <= control.top; plane++) {
        const uint32_t *now = plane_of(search, rules, control, plane);
        const uint32_t *before = plane_of(search, rules, control, plane > 0 ? plane - 1 : 0);
        for (unsigned s = threadIdx.x; s < num_words * WARP_SIZE; s += blockDim.x)
            shared->counts[s] = 0;
        __syncthreads();
        for (uint64_t at = thread_of_grid(); at < end;) {
            uint32_t counter[COUNTER_BITS] = {};
            for (unsigned added = 0; added < (1u << COUNTER_BITS) - 1 && at < end; added++, at += threads_of_grid()) {
                uint32_t carry = plane > 0 ? now[at] & ~before[at] : now[at];
#pragma unroll
                for (unsigned k = 0; k < COUNTER_BITS; k++) {
                    uint32_t bits = counter[k];
                    counter[k] ^= carry;
                    carry &= bits;
                }
            }
            for (unsigned i = 0; i < WARP_SIZE; i++) {
                unsigned bit = (i + lane_id()) % WARP_SIZE, sum = 0; /* the lanes' are different places */
#pragma unroll
                for (unsigned k = 0; k < COUNTER_BITS; k++)
                    sum |= (counter[k] >> bit & 1) << k;
                if (sum > 0)
                    atomicAdd(&shared->counts[word * WARP_SIZE + bit], sum);
            }
        }
        __syncthreads();
        for (unsigned s = threadIdx.x; s < num_words * WARP_SIZE; s += blockDim.x)
            if (shared->counts[s] > 0)
                atomicAdd((unsigned long long *)&search.plane_counts[plane * num_words * WARP_SIZE + s],
                          (unsigned long long)shared->counts[s]);
        __syncthreads();
    }
}

/* What a listed pair tells in place of its plane. counted: the plane's bits have been added with the plane's level.
 */
template <typename level_t>
static __device__ __forceinline__ void give_pair(const struct search &search, const struct control &control,
                                                 uint32_t num_searches, uint4 pair, vertex_t num_rows,
                                                 vertex_t vertex)
{
    uint32_t source = pair.y & ((1u << SOURCE_BITS) - 1), plane = pair.y >> SOURCE_BITS & ((1u << PLANE_BITS) - 1);
    uint32_t level = control.base + (pair.y >> (SOURCE_BITS + PLANE_BITS));
    bool counted = pair.x < num_rows && (plane > 0 || !control.given);
    if (search.levels != NULL)
        ((level_t *)search.levels)[(size_t)vertex * num_searches + source] = (level_t)level;
    if (search.far != NULL) {
        uint64_t too_much = counted ? control.plane_level[plane] : 0; /* modulo 2^64 */
        if (level != too_much)
            atomicAdd((unsigned long long *)&search.far[pair.x], (unsigned long long)(level - too_much));
        if (!counted)
            atomicAdd(&search.far_count[pair.x], 1u);
    }
    if (search.sums != NULL) {
        struct source_sums *sums = &search.sums[source];
        if (counted)
            atomicAdd((unsigned long long *)&search.plane_counts[plane * num_searches + source], ~0ull);
        atomicAdd((unsigned long long *)&sums->reached, 1ull);
        atomicAdd((unsigned long long *)&sums->level_sum, (unsigned long long)level);
        atomicMax(&sums->eccentricity, level);
    }
}

/* The planes' counts, less those of listed pairs, to the sums; by the threads of one block. */
static __device__ __forceinline__ void close_sums(const struct search &search, const struct control &control,
                                                  uint32_t num_searches)
{
    for (uint32_t s = threadIdx.x; s < num_searches; s += blockDim.x)
        for (uint32_t plane = 0; plane <= control.top; plane++) {
            uint64_t *counter = &search.plane_counts[plane * num_searches + s], count = __ldcg(counter);
            uint32_t level = control.plane_level[plane];
            if (count == 0)
                continue;
            __stcg(counter, 0ull);
            struct source_sums *sums = &search.sums[s];
            __stcg(&sums->reached, __ldcg(&sums->reached) + count);
            __stcg(&sums->level_sum, __ldcg(&sums->level_sum) + count * level);
            __stcg(&sums->eccentricity, max(__ldcg(&sums->eccentricity), level));
        }
}

/* The listed pairs, after the planes; and closes the giving out. */
template <unsigned num_words, typename offset_t, typename level_t>
__global__ void give_list(struct rows<offset_t> rows, struct search search, struct rules rules)
{
    struct shared_words *shared = block_shared<struct shared_words>();
    const struct control &now = read_control(search, shared);
    if (!gives(now))
        return;
    for (uint64_t i = now.tail + thread_of_grid(); i < now.head; i += threads_of_grid()) {
        uint4 pair = search.list[i & (rules.list_capacity - 1)];
        give_pair<level_t>(search, now, num_words * WARP_SIZE, pair, rows.num_rows,
                           input_of_row(rows.input_of, pair.x));
    }
    struct control *control = search.control;
    if (!is_last_block(control, &shared->last))
        return;
    if (search.sums != NULL)
        close_sums(search, now, num_words * WARP_SIZE);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    control->arrived = 0;
    control->base = control->level;
    control->tail = control->head;
    control->given = 1;
    control->first = (control->first + control->top) % rules.num_planes;
    control->top = 0;
    if (control->mode == MODE_DONE)
        control->mode = MODE_FINISHED;
    else
        control->mode = control->level + 1 > rules.level_limit ? (uint32_t)MODE_WIDEN : control->next;
    note_step(search, control, STEP_GIVE);
}

/* ---- results ---- */

template <typename from_t, typename to_t>
__global__ void widen_levels(const from_t *from, uint64_t number, to_t *to)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid())
        to[i] = from[i] == (from_t)UNREACHED ? (to_t)UNREACHED : (to_t)from[i];
}

/* One search's levels. */
template <typename level_t>
__global__ void pick_levels(const level_t *levels, vertex_t num_vertices, uint32_t num_searches, uint32_t which,
                            uint32_t *picked)
{
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid()) {
        level_t level = levels[v * num_searches + which];
        picked[v] = level == (level_t)UNREACHED ? UNREACHED : level;
    }
}

template <typename level_t>
__global__ void pick_lengths(const level_t *levels, uint32_t num_searches, const struct destination *destinations,
                             uint64_t number, uint32_t *lengths)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid()) {
        level_t level = levels[(size_t)destinations[i].vertex * num_searches + destinations[i].which];
        lengths[i] = level == (level_t)UNREACHED ? UNREACHED : level;
    }
}

/* By the input's ids, and back to 0. */
__global__ void take_far(const vertex_t *input_of, vertex_t num_vertices, uint64_t *far, uint32_t *far_count,
                         uint64_t *taken, uint32_t *taken_count)
{
    for (uint64_t row = thread_of_grid(); row < num_vertices; row += threads_of_grid()) {
        vertex_t vertex = input_of_row(input_of, row);
        taken[vertex] = far[row];
        taken_count[vertex] = far_count[row];
        far[row] = 0;
        far_count[row] = 0;
    }
}

/* ---- preparing: where the blocks begin ---- */

template <typename offset_t>
__global__ void split_rows(csr<offset_t> in, uint32_t num_blocks, vertex_t rows_per_block, offset_t *splits)
{
    for (uint64_t row = thread_of_grid(); row < in.num_vertices; row += threads_of_grid()) {
        offset_t edge = in.offsets[row], end = in.offsets[row + 1];
        for (uint32_t block = 1; block < num_blocks; block++) {
            while (edge < end && in.targets[edge] < (uint64_t)block * rows_per_block)
                edge++;
            splits[(size_t)(block - 1) * in.num_vertices + row] = edge;
        }
    }
}

/* ---- host side ---- */

enum { BATCH, RELABEL, PUSH_OPTION, MARK_OPTION, BLOCKS_OPTION, PLANES, LIST_OPTION, LEVELS_OPTION, OFFSET_BITS };
enum { BATCH_AUTO, BATCH_32 };
static const struct option_spec rows_options[] = {
    {"batch", BATCH_AUTO, 0, 0, "auto|32|64|128|256", "sources of a batch; auto: 256, or as many as there are"},
    {"relabel", RELABEL_AUTO, 0, 0, "auto|0|1",
     "rows by degree, hubs first; auto: if degrees are heavy-tailed, or there are hubs"},
    {"push-edges", PUSH_EDGES, 0, MOST_PAIRS, NULL, "a level of more edges than these is not pushed and listed"},
    {"mark-edges", -1, -1, MOST_EDGES - 1, NULL,
     "the first of these is pushed without a list, if it has no more edges than so many; -1: by the graph"},
    {"blocks", 0, 0, MOST_BLOCKS, NULL, "ranges of rows that heavy pulls go by, one after the other; 0: by L2"},
    {"planes", MOST_PLANES, LEAST_PLANES, MOST_PLANES, NULL, "levels of rows that are kept, as far as memory allows"},
    {"list-pairs", LIST_PAIRS, LEAST_PAIRS, 1 << 28, NULL,
     "room of the list, rounded up to a power of two; less where memory is short"},
    {"byte-levels", BYTE_LEVELS, 2, BYTE_LEVELS, NULL,
     "the highest level that a byte holds; two bytes hold its square, four all"},
    {"offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"},
    {},
};

struct state {
    struct sorted_rows sorted;
    bool symmetric;
    size_t free_bytes; /* when the searches' memory was planned */
    uint32_t num_words;
    struct search search;
    struct rules rules;
    uint2 *hub_parts;
    uint32_t num_hub_parts;
    void *splits;
    struct beginning *beginning; /* search has pointers into it */
    uint8_t *narrow;             /* levels: search.levels is one of these */
    void *wide;
    uint32_t level_bytes, wide_bytes; /* of search.levels, of wide */
    uint32_t *picked;                 /* num_vertices */
    struct destination *destinations;
    uint32_t *lengths;
    uint64_t num_destinations, destination_room;
    uint32_t num_sources; /* of the last query */
    struct grid sparse_grid, pull_grid, block_grid, write_grid;
    uint32_t steps[MOST_STEPS], num_steps; /* to be launched first */
};

template <typename offset_t>
static struct rows<offset_t> rows_of(const struct state *state) {
    const struct sorted_rows *sorted = &state->sorted;
    return {sorted->in.num_vertices,
            sorted->num_rows,
            sorted->num_hubs,
            sorted->num_not_small,
            csr_of<offset_t>(&sorted->in),
            csr_of<offset_t>(state->symmetric ? &sorted->in : &sorted->out),
            sorted->row_of,
            sorted->input_of,
            state->hub_parts,
            state->num_hub_parts,
            (const offset_t *)state->splits};
}

/* The kernels for a width of rows and of offsets. */
template <unsigned num_words, typename offset_t>
struct kernels {
    typedef void (*kernel)(struct rows<offset_t>, struct search, struct rules);
    static constexpr kernel sparse = sparse_kernel<num_words, offset_t>;
    static constexpr kernel filtered = pull_kernel<num_words, offset_t, true>;
    static constexpr kernel pull = pull_kernel<num_words, offset_t, false>;
    static constexpr kernel block = block_kernel<num_words, offset_t>;
    static constexpr kernel write = write_levels<num_words, offset_t>;
    static constexpr kernel far = add_far<num_words, offset_t>;
    static constexpr kernel count = count_planes<num_words, offset_t>;
    static kernel merge(uint32_t level_bytes)
    {
        return level_bytes == 1   ? (kernel)merge_levels<num_words, offset_t, uint8_t>
               : level_bytes == 2 ? (kernel)merge_levels<num_words, offset_t, uint16_t>
                                  : (kernel)merge_levels<num_words, offset_t, uint32_t>;
    }
    static kernel list(uint32_t level_bytes)
    {
        return level_bytes == 1   ? (kernel)give_list<num_words, offset_t, uint8_t>
               : level_bytes == 2 ? (kernel)give_list<num_words, offset_t, uint16_t>
                                  : (kernel)give_list<num_words, offset_t, uint32_t>;
    }
};

/* Calls use(kernels) with those that the state needs. */
template <typename use_t>
static int with_kernels(const struct state *state, use_t use)
{
    const bool wide = state->sorted.in.wide;
    switch (state->num_words) {
    case 1:
        return wide ? use(kernels<1, edge_t>()) : use(kernels<1, uint32_t>());
    case 2:
        return wide ? use(kernels<2, edge_t>()) : use(kernels<2, uint32_t>());
    case 4:
        return wide ? use(kernels<4, edge_t>()) : use(kernels<4, uint32_t>());
    default:
        return wide ? use(kernels<8, edge_t>()) : use(kernels<8, uint32_t>());
    }
}

static uint32_t num_searches(const struct state *state)
{
    return state->num_words * WARP_SIZE;
}

/* ---- host side: preparing ---- */

static uint64_t power_of_two_from(uint64_t value)
{
    uint64_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

/* As many searches as are wanted and planes as memory has room for; fewer searches before fewer than two planes. */
static int plan_memory(struct run *run)
{
    struct state *state = (struct state *)run->state;
    const double keep_free = 0.97;
    size_t free_bytes = 0, all_bytes = 0;
    if (gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory", run->error) != STATUS_OK)
        return run->error->status;
    state->free_bytes = free_bytes;
    double n = state->sorted.in.num_vertices, rows = state->sorted.num_rows;
    while (state->rules.list_capacity > LEAST_PAIRS &&
           sizeof(uint4) * (double)state->rules.list_capacity > LIST_SHARE * (double)free_bytes)
        state->rules.list_capacity /= 2;
    double room = keep_free * (double)free_bytes - sizeof(uint4) * (double)state->rules.list_capacity;
    room -= n * sizeof(uint32_t) + (run->outputs & OUTPUT_FAR ? n * 2 * (sizeof(uint64_t) + sizeof(uint32_t)) : 0);
    room -= rows * MOST_BLOCKS * (state->sorted.in.wide ? sizeof(edge_t) : sizeof(uint32_t));
    bool has_levels = run->outputs & (OUTPUT_LEVEL | OUTPUT_LENGTH);
    for (;; state->num_words /= 2) {
        double left = room - (has_levels ? n * num_searches(state) : 0);
        double planes = left / (rows * state->num_words * sizeof(uint32_t) + 1);
        if (planes >= run->options[PLANES])
            state->rules.num_planes = (uint32_t)run->options[PLANES];
        else
            state->rules.num_planes = planes > LEAST_PLANES ? (uint32_t)planes : LEAST_PLANES;
        if (planes >= LEAST_PLANES || state->num_words == 1)
            return STATUS_OK;
    }
}

/* In the order in which pulls take them. */
template <typename offset_t>
static int list_hub_parts(struct state *state, struct error *error)
{
    vertex_t num_hubs = state->sorted.num_hubs;
    offset_t *offsets = NULL;
    uint2 *parts = NULL;
    if (num_hubs == 0)
        return STATUS_OK;
    if (allocate(&offsets, (size_t)num_hubs + 1, sizeof *offsets, "the hubs", error) == STATUS_OK &&
        gpu_download(offsets, (const offset_t *)state->sorted.in.offsets, (size_t)num_hubs + 1, error) == STATUS_OK) {
        for (vertex_t hub = 0; hub < num_hubs; hub++)
            state->num_hub_parts += (uint32_t)((offsets[hub + 1] - offsets[hub] + HUB_PART - 1) / HUB_PART);
        if (allocate(&parts, state->num_hub_parts, sizeof *parts, "the hubs", error) == STATUS_OK) {
            uint2 *part = parts;
            for (vertex_t hub = 0; hub < num_hubs; hub++)
                for (edge_t i = 0; i * HUB_PART < (edge_t)(offsets[hub + 1] - offsets[hub]); i++)
                    *part++ = {hub, (uint32_t)i};
            if (gpu_allocate(&state->hub_parts, state->num_hub_parts, "the hubs", error) == STATUS_OK)
                gpu_check(
                    cudaMemcpy(state->hub_parts, parts, state->num_hub_parts * sizeof *parts, cudaMemcpyHostToDevice),
                    "the hubs", error);
        }
    }
    free(parts);
    free(offsets);
    return error->status;
}

/* Blocks are for rows in the input's order: by degree, the first are looked at the most, and stay in L2. */
template <typename offset_t>
static int make_blocks(struct run *run)
{
    struct state *state = (struct state *)run->state;
    uint32_t wanted = (uint32_t)run->options[BLOCKS_OPTION];
    uint64_t rows = state->sorted.num_rows, row_bytes = state->num_words * sizeof(uint32_t);
    uint64_t per_block = wanted > 0 ? (rows + wanted - 1) / wanted : BLOCK_BYTES / row_bytes;
    while (wanted == 0 && (rows + per_block - 1) / per_block > MOST_BLOCKS)
        per_block *= 2;
    uint64_t num_blocks = state->sorted.relabelled || rows == 0 ? 1 : (rows + per_block - 1) / per_block;
    state->rules.num_blocks = (uint32_t)num_blocks;
    if (num_blocks <= 1)
        return STATUS_OK;
    offset_t *splits = NULL;
    if (gpu_allocate(&splits, (num_blocks - 1) * rows, "the blocks", run->error) == STATUS_OK &&
        gpu_launch(split_rows<offset_t>, gpu_wide_grid(rows), 0, run->error, csr_of<offset_t>(&state->sorted.in),
                   (uint32_t)num_blocks, (vertex_t)per_block, splits) == STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "the blocks", run->error);
    state->splits = splits;
    return run->error->status;
}

/* A level of more edges than the graph has is not worth pushing: a pull looks at no more. */
static uint32_t at_most_all(double edges, const struct gpu_graph *graph)
{
    return edges < (double)graph->num_edges ? (uint32_t)edges : (uint32_t)graph->num_edges;
}

static void set_rules(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    const struct gpu_graph *out = state->symmetric ? &state->sorted.in : &state->sorted.out;
    double mean_degree = (double)out->num_edges / (state->sorted.num_rows + 1.0);
    double mark = run->options[MARK_OPTION] >= 0 ? run->options[MARK_OPTION]
                  : state->sorted.relabelled     ? MARK_SORTED
                                                 : MARK_PLAIN;
    rules->filters = state->sorted.relabelled;
    rules->push_edges = at_most_all(run->options[PUSH_OPTION], out);
    rules->mark_edges = at_most_all(mark, out);
    double late_degree = state->sorted.relabelled ? LATE_DEGREE : mean_degree > 1 ? mean_degree : 1;
    rules->collect_pairs = (uint64_t)(rules->push_edges / late_degree);
}

static int allocate_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct error *error = run->error;
    size_t n = state->sorted.in.num_vertices, hubs = state->sorted.num_hubs, k = num_searches(state);
    search->plane_words = (size_t)state->sorted.num_rows * state->num_words;
    if (gpu_allocate(&state->beginning, 1, "the control words", error) != STATUS_OK ||
        gpu_allocate(&search->steps, MOST_STEPS, "the control words", error) != STATUS_OK ||
        gpu_allocate(&search->barrier, 1, "the barrier", error) != STATUS_OK ||
        gpu_allocate(&search->planes, state->rules.num_planes * search->plane_words, "the rows", error) !=
            STATUS_OK ||
        gpu_allocate(&search->filled, ((size_t)state->sorted.num_rows + WARP_SIZE - 1) / WARP_SIZE,
                     "the bitmap of rows", error) != STATUS_OK ||
        gpu_allocate(&search->hub_found, hubs * state->num_words, "the hubs", error) != STATUS_OK ||
        gpu_allocate(&search->hub_arrived, hubs, "the hubs", error) != STATUS_OK ||
        gpu_allocate(&search->list, state->rules.list_capacity, "the list", error) != STATUS_OK ||
        gpu_check(cudaMemset(search->steps, 0, MOST_STEPS * sizeof *search->steps), "the control words", error) !=
            STATUS_OK ||
        gpu_check(cudaMemset(search->barrier, 0, sizeof *search->barrier), "the barrier", error) != STATUS_OK ||
        gpu_check(cudaMemset(search->hub_found, 0, hubs * state->num_words * sizeof(uint32_t)), "the hubs", error) !=
            STATUS_OK ||
        gpu_check(cudaMemset(search->hub_arrived, 0, hubs * sizeof(uint32_t)), "the hubs", error) != STATUS_OK)
        return error->status;
    search->control = &state->beginning->control;
    search->counts = state->beginning->counts;
    search->sources = state->beginning->sources;
    if (run->outputs & (OUTPUT_LEVEL | OUTPUT_LENGTH) &&
        (gpu_allocate(&state->narrow, n * k, "the levels", error) != STATUS_OK ||
         gpu_allocate(&state->picked, n, "the levels", error) != STATUS_OK))
        return error->status;
    if (run->outputs & OUTPUT_FAR &&
        (gpu_allocate(&search->far, n, "the sums", error) != STATUS_OK ||
         gpu_allocate(&search->far_count, n, "the sums", error) != STATUS_OK ||
         gpu_check(cudaMemset(search->far, 0, n * sizeof *search->far), "the sums", error) != STATUS_OK ||
         gpu_check(cudaMemset(search->far_count, 0, n * sizeof *search->far_count), "the sums", error) != STATUS_OK))
        return error->status;
    if (run->outputs & OUTPUT_SUMS &&
        (gpu_allocate(&search->sums, k, "the sums", error) != STATUS_OK ||
         gpu_allocate(&search->plane_counts, MOST_PLANES * k, "the sums", error) != STATUS_OK ||
         gpu_check(cudaMemset(search->plane_counts, 0, MOST_PLANES * k * sizeof *search->plane_counts), "the sums",
                   error) != STATUS_OK))
        return error->status;
    return STATUS_OK;
}

/* Of so many blocks as run at once. */
static int plan_grid(const void *kernel, unsigned threads, size_t shared_bytes, struct grid *grid,
                     struct error *error)
{
    return gpu_plan_grid(kernel, threads, FULL, shared_bytes, grid, error);
}

static int plan_grids(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    return with_kernels(state, [&](auto k) {
        if (gpu_plan_grid((const void *)k.sparse, SPARSE_THREADS, 1, sizeof(struct sparse_shared),
                          &state->sparse_grid, error) != STATUS_OK ||
            plan_grid((const void *)k.pull, PULL_THREADS, sizeof(struct pull_shared), &state->pull_grid, error) !=
                STATUS_OK ||
            plan_grid((const void *)k.block, PULL_THREADS, sizeof(struct pull_shared), &state->block_grid, error) !=
                STATUS_OK ||
            plan_grid((const void *)k.write, WRITE_THREADS, sizeof(struct shared_words), &state->write_grid, error) !=
                STATUS_OK)
            return error->status;
        state->pull_grid.blocks *= PULL_WAVES;
        return (int)STATUS_OK;
    });
}

static void describe(struct run *run, uint32_t wanted_words)
{
    const struct state *state = (const struct state *)run->state;
    char batch[96] = "", rows[96] = "rows as they are";
    if (state->num_words < wanted_words)
        snprintf(batch, sizeof batch, "; batches of %u, not %u: %.1f MB are free", num_searches(state),
                 wanted_words * WARP_SIZE, 1e-6 * (double)state->free_bytes);
    if (state->sorted.relabelled)
        snprintf(rows, sizeof rows, "%u rows by degree, hubs first", state->sorted.num_rows);
    else if (state->rules.num_blocks > 1)
        snprintf(rows, sizeof rows, "rows as they are, pulled in %u blocks", state->rules.num_blocks);
    snprintf(run->note, sizeof run->note, "%u sources at once, %u planes of %.1f MB, %s, prepared in %.2f ms%s",
             num_searches(state), state->rules.num_planes,
             1e-6 * (double)state->search.plane_words * sizeof(uint32_t), rows, run->build_ms, batch);
}

/* Everything on the device. */
static int build(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    state->symmetric = run->graph->symmetric;
    if (sorted_rows_build(run->graph, graph, (enum relabelling)run->options[RELABEL], &state->sorted, run->error) !=
        STATUS_OK)
        return run->error->status;
    uint64_t most = (uint64_t)state->sorted.in.num_vertices * num_searches(state);
    uint64_t pairs = (uint64_t)run->options[LIST_OPTION];
    most = most > num_searches(state) ? most : num_searches(state);
    state->rules.list_capacity = power_of_two_from(pairs < most ? pairs : most);
    if (plan_memory(run) != STATUS_OK)
        return run->error->status;
    const bool wide = state->sorted.in.wide;
    set_rules(run);
    if ((wide ? list_hub_parts<edge_t>(state, run->error) : list_hub_parts<uint32_t>(state, run->error)) !=
            STATUS_OK ||
        (wide ? make_blocks<edge_t>(run) : make_blocks<uint32_t>(run)) != STATUS_OK ||
        allocate_search(run) != STATUS_OK)
        return run->error->status;
    return plan_grids(run);
}

int msbfs_rows_prepare(struct run *run, struct gpu_graph *graph)
{
    struct device *device = run->device;
    struct gpu_graph mine = *graph;
    double kernel_ms;
    *graph = {};
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK) {
        gpu_graph_free(&mine);
        return run->error->status;
    }
    struct state *state = (struct state *)run->state;
    int batch = (int)run->options[BATCH];
    uint32_t words = batch == BATCH_AUTO ? MOST_WORDS : 1u << (batch - BATCH_32);
    while (batch == BATCH_AUTO && words > 1 && words / 2 * WARP_SIZE >= (uint32_t)run->num_trials)
        words /= 2;
    state->num_words = words;
    device->mark(device, MARK_BEGIN);
    int status = build(run, &mine);
    device->mark(device, MARK_END);
    gpu_graph_free(&mine);
    if (status == STATUS_OK && device->elapsed(device, &run->build_ms, &kernel_ms, run->error) == STATUS_OK)
        describe(run, words);
    run->batch_size = num_searches(state);
    return run->error->status;
}

static int upload_and_prepare(struct run *run)
{
    struct gpu_graph graph = {};
    if (gpu_graph_upload(run->graph, run->options[OFFSET_BITS] != 0, &graph, run->error) == STATUS_OK)
        return msbfs_rows_prepare(run, &graph);
    gpu_graph_free(&graph);
    return run->error->status;
}

/* ---- host side: traversing ---- */

static void set_level_bytes(struct run *run, uint32_t bytes)
{
    struct state *state = (struct state *)run->state;
    uint32_t byte_levels = (uint32_t)run->options[LEVELS_OPTION];
    state->level_bytes = bytes;
    state->search.levels = bytes == 1 ? state->narrow : state->wide;
    state->rules.level_limit = state->narrow == NULL || bytes == sizeof(uint32_t) ? NO_LIMIT
                               : bytes == 1                                       ? byte_levels
                                                                                  : byte_levels * byte_levels;
}

static int reset(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    const struct search *search = &state->search;
    struct error *error = run->error;
    struct beginning beginning = {};
    uint64_t num_destinations = query->destinations != NULL ? query->num_destinations : 0;
    state->num_sources = state->rules.num_sources = query->num_sources;
    state->num_destinations = state->narrow != NULL ? num_destinations : 0;
    set_level_bytes(run, 1);
    if (state->num_destinations > state->destination_room) {
        gpu_free(state->destinations);
        gpu_free(state->lengths);
        state->destinations = NULL;
        state->lengths = NULL;
        state->destination_room = num_destinations;
        if (gpu_allocate(&state->destinations, num_destinations, "the destinations", error) != STATUS_OK ||
            gpu_allocate(&state->lengths, num_destinations, "the destinations", error) != STATUS_OK)
            return error->status;
    }
    if (state->num_destinations > 0 &&
        gpu_check(cudaMemcpy(state->destinations, query->destinations, num_destinations * sizeof *query->destinations,
                             cudaMemcpyHostToDevice),
                  "the destinations", error) != STATUS_OK)
        return error->status;
    if (search->sums != NULL &&
        gpu_check(cudaMemsetAsync(search->sums, 0, num_searches(state) * sizeof *search->sums), "the sums", error) !=
            STATUS_OK)
        return error->status;
    memcpy(beginning.sources, query->sources, query->num_sources * sizeof *query->sources);
    if (gpu_check(cudaMemcpy(state->beginning, &beginning, sizeof beginning, cudaMemcpyHostToDevice),
                  "the control words", error) != STATUS_OK)
        return error->status;
    return gpu_check(cudaMemsetAsync(search->planes, 0, search->plane_words * sizeof *search->planes), "the rows",
                     error);
}

/* may_be_given: not the query's first giving out. */
template <unsigned num_words, typename offset_t>
static int give_out(struct run *run, kernels<num_words, offset_t> k, bool may_be_given)
{
    const struct state *state = (const struct state *)run->state;
    struct error *error = run->error;
    struct rows<offset_t> rows = rows_of<offset_t>(state);
    struct grid wide = gpu_wide_grid();
    if (state->narrow != NULL)
        gpu_launch(k.write, state->write_grid, sizeof(struct shared_words), error, rows, state->search, state->rules);
    if (state->narrow != NULL && may_be_given)
        gpu_launch(k.merge(state->level_bytes), wide, sizeof(struct shared_words), error, rows, state->search,
                   state->rules);
    if (state->search.far != NULL)
        gpu_launch(k.far, wide, sizeof(struct shared_words), error, rows, state->search, state->rules);
    if (state->search.sums != NULL)
        gpu_launch(k.count, wide, sizeof(struct count_shared), error, rows, state->search, state->rules);
    return gpu_launch(k.list(state->level_bytes), wide, sizeof(struct shared_words), error, rows, state->search,
                      state->rules);
}

static int launch(struct run *run, uint32_t step, bool may_be_given)
{
    const struct state *state = (const struct state *)run->state;
    return with_kernels(state, [&]<unsigned num_words, typename offset_t>(kernels<num_words, offset_t> k) {
        struct rows<offset_t> rows = rows_of<offset_t>(state);
        const size_t shared_bytes = sizeof(struct pull_shared);
        switch (step) {
        case STEP_SPARSE:
            return gpu_launch_persistent(k.sparse, state->sparse_grid, sizeof(struct sparse_shared), run->error, rows,
                                         state->search, state->rules);
        case STEP_FILTERED:
            return gpu_launch(k.filtered, state->pull_grid, shared_bytes, run->error, rows, state->search,
                              state->rules);
        case STEP_PULL:
            return gpu_launch(k.pull, state->pull_grid, shared_bytes, run->error, rows, state->search, state->rules);
        case STEP_BLOCK:
            return gpu_launch(k.block, state->block_grid, shared_bytes, run->error, rows, state->search,
                              state->rules);
        default:
            return give_out(run, k, may_be_given);
        }
    });
}

/* A chain that does at least one step, whatever comes next, and all of many a search. */
static uint32_t standard_steps(const struct state *state, uint32_t steps[MOST_STEPS])
{
    uint32_t number = 0;
    steps[number++] = STEP_SPARSE;
    if (state->rules.filters)
        steps[number++] = STEP_FILTERED;
    for (uint32_t i = 0; state->rules.num_blocks > 1 && i < 2 * state->rules.num_blocks; i++)
        steps[number++] = STEP_BLOCK;
    for (uint32_t i = 0; i < 3; i++)
        steps[number++] = STEP_PULL;
    steps[number++] = STEP_SPARSE;
    steps[number++] = STEP_GIVE;
    return number;
}

template <typename from_t, typename to_t>
static int widen(struct run *run)
{
    struct state *state = (struct state *)run->state;
    uint64_t number = (uint64_t)state->sorted.in.num_vertices * num_searches(state);
    to_t *wide = (to_t *)state->wide;
    if (state->wide_bytes < sizeof(to_t) &&
        gpu_allocate(&wide, number, "levels that do not fit fewer bytes (or choose a smaller batch)", run->error) !=
            STATUS_OK)
        return run->error->status;
    if (gpu_launch(widen_levels<from_t, to_t>, gpu_wide_grid(), 0, run->error, (const from_t *)state->search.levels,
                   number, wide) == STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "widening levels", run->error);
    if ((void *)wide != state->wide)
        gpu_free(state->wide);
    state->wide = wide;
    state->wide_bytes = state->wide_bytes > sizeof(to_t) ? state->wide_bytes : sizeof(to_t);
    set_level_bytes(run, sizeof(to_t));
    return run->error->status;
}

/* On with what control->next says, with levels of more bytes. */
static int widen_and_go_on(struct run *run, struct control *control)
{
    struct state *state = (struct state *)run->state;
    control->mode = control->next;
    if (state->level_bytes == sizeof(uint16_t))
        widen<uint16_t, uint32_t>(run);
    else if (state->wide_bytes == sizeof(uint32_t)) /* as an earlier query needed them */
        widen<uint8_t, uint32_t>(run);
    else
        widen<uint8_t, uint16_t>(run);
    if (run->error->status != STATUS_OK)
        return run->error->status;
    return gpu_check(cudaMemcpy(state->search.control, control, sizeof *control, cudaMemcpyHostToDevice),
                     "the control words", run->error);
}

/* The steps of the last query, then standard ones, until the searches are done. */
static int search_all(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    struct control control = {};
    uint32_t steps[MOST_STEPS], number = state->num_steps, done, rounds = 0;
    bool may_be_given = false;
    for (uint32_t i = 0; i < number; i++)
        steps[i] = state->steps[i];
    if (number == 0)
        number = standard_steps(state, steps);
    do {
        done = control.num_steps;
        for (uint32_t i = 0; i < number; i++) {
            if (launch(run, steps[i], may_be_given) != STATUS_OK)
                return error->status;
            may_be_given = may_be_given || steps[i] == STEP_GIVE;
        }
        if (gpu_download(&control, state->search.control, 1, error) != STATUS_OK)
            return error->status;
        if (control.mode == MODE_WIDEN && widen_and_go_on(run, &control) != STATUS_OK)
            return error->status;
        if (control.num_steps == done && gpu_check_barrier(state->search.barrier, "msbfs rows", error) == STATUS_OK)
            error_set(error, STATUS_DEVICE, "GPU: msbfs rows: no step did mode %u at level %u; stopped", control.mode,
                      control.level);
        if (error->status != STATUS_OK)
            return error->status;
        rounds++;
        number = standard_steps(state, steps);
    } while (control.mode != MODE_FINISHED);
    if (state->num_steps > 0 && rounds == 1) /* they were enough */
        return STATUS_OK;
    state->num_steps = control.num_steps < MOST_STEPS ? control.num_steps : MOST_STEPS;
    return gpu_download(state->steps, state->search.steps, MOST_STEPS, error);
}

int msbfs_rows_traverse(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    if (reset(run, query) != STATUS_OK)
        return error->status;
    run_kernel_begin(run);
    search_all(run);
    if (error->status == STATUS_OK && state->num_destinations > 0) {
        struct grid grid = gpu_wide_grid(state->num_destinations);
        const struct destination *destinations = state->destinations;
        const void *levels = state->search.levels;
        if (state->level_bytes == 1)
            gpu_launch(pick_lengths<uint8_t>, grid, 0, error, (const uint8_t *)levels, num_searches(state),
                       destinations, state->num_destinations, state->lengths);
        else if (state->level_bytes == 2)
            gpu_launch(pick_lengths<uint16_t>, grid, 0, error, (const uint16_t *)levels, num_searches(state),
                       destinations, state->num_destinations, state->lengths);
        else
            gpu_launch(pick_lengths<uint32_t>, grid, 0, error, (const uint32_t *)levels, num_searches(state),
                       destinations, state->num_destinations, state->lengths);
    }
    run_kernel_end(run);
    return error->status;
}

/* ---- host side: results ---- */

static int fetch_levels(struct run *run, uint32_t which, uint32_t *level)
{
    struct state *state = (struct state *)run->state;
    vertex_t n = state->sorted.in.num_vertices;
    struct grid grid = gpu_wide_grid(n);
    const void *levels = state->search.levels;
    if (state->level_bytes == 1)
        gpu_launch(pick_levels<uint8_t>, grid, 0, run->error, (const uint8_t *)levels, n, num_searches(state), which,
                   state->picked);
    else if (state->level_bytes == 2)
        gpu_launch(pick_levels<uint16_t>, grid, 0, run->error, (const uint16_t *)levels, n, num_searches(state),
                   which, state->picked);
    else
        gpu_launch(pick_levels<uint32_t>, grid, 0, run->error, (const uint32_t *)levels, n, num_searches(state),
                   which, state->picked);
    return run->error->status != STATUS_OK ? run->error->status : gpu_download(level, state->picked, n, run->error);
}

static int fetch_far(struct run *run, struct traversal *result)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    vertex_t n = state->sorted.in.num_vertices;
    uint64_t *far = NULL;
    uint32_t *far_count = NULL;
    if (gpu_allocate(&far, n, "the sums", error) == STATUS_OK &&
        gpu_allocate(&far_count, n, "the sums", error) == STATUS_OK &&
        gpu_launch(take_far, gpu_wide_grid(n), 0, error, (const vertex_t *)state->sorted.input_of, n,
                   state->search.far, state->search.far_count, far, far_count) == STATUS_OK &&
        gpu_download(result->far, far, n, error) == STATUS_OK)
        gpu_download(result->far_count, far_count, n, error);
    gpu_free(far);
    gpu_free(far_count);
    return error->status;
}

int msbfs_rows_fetch(struct run *run, struct traversal *result)
{
    struct state *state = (struct state *)run->state;
    if (result->level != NULL && fetch_levels(run, result->which, result->level) != STATUS_OK)
        return run->error->status;
    if (result->sums != NULL &&
        gpu_download(result->sums, state->search.sums, state->num_sources, run->error) != STATUS_OK)
        return run->error->status;
    if (result->length != NULL && state->num_destinations > 0 &&
        gpu_download(result->length, state->lengths, state->num_destinations, run->error) != STATUS_OK)
        return run->error->status;
    return result->far != NULL ? fetch_far(run, result) : STATUS_OK;
}

void msbfs_rows_release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct search *search = &state->search;
        const void *const arrays[] = {state->beginning,  search->steps,       search->planes, search->filled,
                                      search->hub_found, search->hub_arrived, search->list,   search->barrier,
                                      search->far,       search->far_count,   search->sums,   search->plane_counts,
                                      state->hub_parts,  state->splits,       state->narrow,  state->wide,
                                      state->picked,     state->destinations, state->lengths};
        for (const void *array : arrays)
            gpu_free(array);
        sorted_rows_free(&state->sorted);
    }
    free(state);
}

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(msbfs_rows) = {
    .family = "msbfs",
    .variant = "rows",
    .title = "Nested seen-rows: sparse levels listed, dense ones pulled",
    .citation = "after Then et al., VLDB 2014",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FAR | OUTPUT_LENGTH,
    .options = rows_options,
    .prepare = upload_and_prepare,
    .traverse = msbfs_rows_traverse,
    .fetch = msbfs_rows_fetch,
    .release = msbfs_rows_release,
};
