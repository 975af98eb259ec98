/* bfs_kball.cu: bfs kball, a BFS for graphs of high diameter: a round advances k levels, not one.
 *
 *   index      The ball of a vertex: all vertices within r steps along its arcs, with their distances; r is k, or
 *              less where the ball would be too large. One load gives what r levels of a BFS would find.
 *   no index   (index-mb=0) One cluster of blocks, a level a turn, whose queue stays in their shared memory.
 *
 * Index. A row is a ball: entries id << distance_bits | distance, ascending, so that lanes that work side by side
 * touch neighbouring levels, filled up with NO_ENTRY to units of 32 bytes. A vertex with more arcs than a ball may
 * have entries (a hub) has all of its arcs for a row, of radius 1.
 *
 * Expanding vertex v of radius r at level L: for each entry (x, d) of its row, level[x] = min(level[x], L + d). Where
 * d < r nobody waits for the result (an inner entry). Where d = r (an outer one) the old level comes back, and
 * whoever has lowered it pushes the item (x, L + r), which is expanded in its turn unless level[x] is then lower
 * (stale).
 *
 * Why the levels end right, whatever the order. Let D(x) be the distance from the source. Every level written is the
 * length of a way, so never below D. Call u well expanded if it was expanded at level D(u): then it was so for all of
 * its row. A minimum that writes D(x) from u means L + d = D(x) <= D(u) + d <= L + d, so u was well expanded.
 *   (1) When level[x] first becomes D(x), x is either pushed with D(x), by the atomic that lowered it; such an item
 * is never stale, so x is well expanded. Or an inner entry of some u did it: u is well expanded, D(x) = D(u) + d with
 * d < radius(u). x need not be pushed: it is covered by u. (2) Every reachable x gets D(x), by induction over D. Let
 * y be before x on a shortest way. If y is well expanded, x is in its row (radius >= 1) and gets at most D(y) + 1. If
 * y is covered by u, x is within d + 1 <= radius(u) steps of u, so in u's row, at a distance of at most d + 1, and
 * gets at most D(u) + d + 1 = D(x). So nothing depends on when anything happens: an inner entry may arrive late,
 * items may be expanded twice, a vertex at another level first. Order only saves work.
 *
 * Order. The window is the levels base .. base + k - 1. A round expands the items whose level is in the window (due);
 * what it pushes is below base + 2k; those not due yet are kept, and when none is due the window moves by k and all
 * that were kept are. Where every radius is k, all levels of items are multiples of k: every round moves the window,
 * a vertex is pushed once, and inner entries (never multiples of k) and outer ones never meet at a level.
 *
 * Exchange. There is no barrier and no queue in global memory. In epoch e (they are counted over all traversals)
 * each block writes a message of 16 bytes into its slot in every other block's mailbox: how many items it has pushed,
 * and one of them; item i goes to block (i + rotation) % blocks, those beyond one a block through an area that the
 * receivers read. A block goes on when its whole mailbox is of this epoch. So all blocks know the same numbers, and
 * take the same decisions: whether the window moves, when to end.
 *   Tags. Each half of a message carries its epoch's low 8 bits. Slot (e % 2, to, from) is written in e, e + 2, ...
 * only by `from`, which writes e + 2 after it has received all of e + 1; `to` sent its part of that after it had read
 * e. So a reader who waits for e finds e or what was there before, of e - 2, in each half: one bit would tell. Zeroed
 * memory is no epoch, as they start at 1. The area behind, of the same parity, is reused by the same argument.
 *   Order of memory. A pushed item's level is in L2, since the atomic that lowered it has returned. Nothing else must
 * be seen by anybody: index and rows are constant, late inner entries do not matter. So messages are relaxed and need
 * no fence, but for the first, behind which all levels must have been reset, and those whose items lie in the area:
 * there sender and receiver have one.
 *
 * Too many items. A block that cannot keep what it pushed or received drops it, and says so in its next message
 * (LOST). In that epoch all blocks drop all that they have, expand every vertex whose level is in the window, found
 * by a sweep over the levels, and do the same once more when the window has moved. The vertex of a dropped item is
 * among them: its level is in the window or the next; items of windows before are done, and what others write is
 * above the level that they expand, so it is not lowered below the window. Expanding what need not be changes
 * nothing. So lists are as long as is fast, and no graph is too wide.
 *
 * Cluster (no index). An entry is a vertex reached at this level and its up to four neighbours; four lanes claim one
 * each, by compare-and-swap, and load its record, the same of that neighbour, meanwhile. The winner puts vertex and
 * record, without the arc back, into the inbox of the next level, in shared memory of one block of the cluster after
 * the other. A vertex of more neighbours is queued in pieces of PIECE arcs, which warps read in the CSR. A slot has
 * one writer: a block has its own part of every inbox; places are handed out by a count in its own shared memory,
 * which all get to know at the end of the level; parts alternate between levels, and the cluster's barrier lies
 * between writing and reading. What does not fit goes to a list in global memory, long enough for all vertices and
 * pieces. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bfs_kball.h"

namespace BACKEND
{

/* Choosing k. Larger balls mean fewer rounds, but each vertex is then in more of them. */
#define MOST_SAMPLES       2048u
#define VERTICES_OF_SAMPLE 8u     /* at least so many for one in the sample */
#define ROUND_ENTRIES      280.0  /* a round takes as long as so many entries of the mean ball add to it */
#define MOST_OF_GRAPH      0.0625 /* of the vertices, in the mean ball: then a few rounds do */
#define MOST_SHARE_OVER    0.001  /* of balls of a smaller radius: every window that has one takes another round */
#define SHARE_OF_FREE      0.25   /* of the device's free memory, for the index */
#define MEGABYTE           1e6

/* Building. */
#define SORTED          true /* entries of a row */
#define UNIT_BYTES      32u  /* of a row */
#define BUILDER_THREADS 128u
#define BUILDER_BLOCKS  16u   /* on a multiprocessor, as far as they fit */
#define SMALL_SLOTS     1024u /* of the workplaces that most balls are hoped to fit */
#define BUILD_UNROLL    4u    /* arcs that a lane has in flight */

/* Traversing. Where a ball has so many entries, and so many to a level, most of them cannot lower anything: levels
 * are looked at first. */
#define FILTER_FROM_MEAN  80.0
#define FILTER_FROM_LEVEL 12.0
#define LARGE_MEAN        128.0 /* entries of a ball, from which on a lane has more of them in flight */
#define UNROLL_SMALL      2u
#define UNROLL_LARGE      4u
#define THREADS           1024u /* of a block */
#define MOST_BLOCKS       1024u
#define MOST_PIECES       16u  /* tasks of an item */
#define POLLS_OF_A_CHECK  256u /* of whether a wait takes too long */

/* What hardly ever happens stands out of the way of what does. */
#define RARELY(condition) __builtin_expect((condition), false)

/* ---- balls: grown by a warp in shared memory ---- */

static __device__ __forceinline__ uint64_t thread_of_grid(void)
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ uint64_t threads_of_grid(void)
{
    return (uint64_t)gridDim.x * blockDim.x;
}

/* Where a warp grows a ball. Room for balls of up to slots / 2 - 1 vertices beside the centre; beyond, each lane
 * finds out with one more vertex at most, so the table never fills. */
template <typename word_t>
struct workplace {
    uint32_t *table; /* slots: a hash table of the vertices found, but the centre; NO_VERTEX where there is none */
    word_t *list;    /* slots / 2: the vertices in the order they were found, the centre first */
    uint32_t *count; /* of them */
    unsigned slots;  /* a power of two, at least LEAST_SLOTS */
};
#define LEAST_SLOTS 128u

template <typename word_t>
static __host__ __device__ size_t workplace_bytes(unsigned slots)
{
    return slots * sizeof(uint32_t) + slots / 2 * sizeof(word_t) + 16;
}

/* Vertices of the largest ball that fits, without the centre. */
static __host__ __device__ uint32_t room_of(unsigned slots)
{
    return slots / 2 - 1;
}

static unsigned slots_for(uint32_t entries)
{
    unsigned slots = LEAST_SLOTS;
    while (room_of(slots) < entries)
        slots *= 2;
    return slots;
}

template <typename word_t>
static __device__ __forceinline__ struct workplace<word_t> own_workplace(unsigned slots) {
    char *mine = block_shared<char>() + threadIdx.x / WARP_SIZE * workplace_bytes<word_t>(slots);
    char *list = mine + slots * sizeof(uint32_t);
    return {(uint32_t *)mine, (word_t *)list, (uint32_t *)(list + slots / 2 * sizeof(word_t)), slots};
}

/* Puts the vertex into the table; false: it was there. */
template <typename word_t>
static __device__ __forceinline__ bool insert(const struct workplace<word_t> &place, vertex_t vertex)
{
    const uint32_t golden = 2654435761u;
    unsigned slot = vertex * golden >> (__clz((int)place.slots) + 1);
    for (;; slot = (slot + 1) % place.slots) {
        uint32_t old = atomicCAS_block(&place.table[slot], NO_VERTEX, vertex);
        if (old == NO_VERTEX || old == vertex)
            return old == NO_VERTEX;
    }
}

/* Adds the new ones among the neighbours of u to the list, as far as it goes; false: there are more than `bound`. */
template <typename offset_t, typename word_t>
static __device__ __forceinline__ bool grow_by(const csr<offset_t> &graph, const struct workplace<word_t> &place,
                                               vertex_t centre, vertex_t u, uint32_t bound)
{
    bool fits = true;
    for (offset_t e = graph.offsets[u], end = graph.offsets[u + 1]; e < end && fits; e += BUILD_UNROLL) {
        vertex_t neighbour[BUILD_UNROLL];
#pragma unroll
        for (unsigned i = 0; i < BUILD_UNROLL; i++)
            neighbour[i] = load_if(e + i < end, &graph.targets[e + i]);
#pragma unroll
        for (unsigned i = 0; i < BUILD_UNROLL; i++)
            if (fits && neighbour[i] != NO_VERTEX && neighbour[i] != centre && insert(place, neighbour[i])) {
                uint32_t at = atomicAdd_block(place.count, 1u);
                fits = at <= bound;
                if (fits)
                    place.list[at] = neighbour[i];
            }
    }
    return fits;
}

/* Grows the ball of `centre` to the radius, or less if it would have more than `bound` vertices beside it; returns
 * the radius. Lane i gets in *end where the list's vertices within i + 1 steps end, as far as the radius goes. All
 * lanes of the warp must come, and have met since they used the list. */
template <typename offset_t, typename word_t>
static __device__ __forceinline__ unsigned grow(const csr<offset_t> &graph, const struct workplace<word_t> &place,
                                                vertex_t centre, unsigned radius, uint32_t bound, uint32_t *end)
{
    const uint4 empty = {NO_VERTEX, NO_VERTEX, NO_VERTEX, NO_VERTEX};
    for (unsigned i = lane_id(); i < place.slots / 4; i += WARP_SIZE)
        ((uint4 *)place.table)[i] = empty;
    if (lane_id() == 0) {
        place.list[0] = centre;
        *place.count = 1;
    }
    __syncwarp();
    uint32_t first = 0, last = 1; /* the vertices of the distance before */
    *end = 1;
    for (unsigned distance = 1; distance <= radius; distance++) {
        bool fits = true;
        for (uint32_t i = first + lane_id(); i < last && fits; i += WARP_SIZE)
            fits = grow_by(graph, place, centre, (vertex_t)place.list[i], bound);
        __syncwarp();
        first = last;
        last = *(volatile uint32_t *)place.count;
        __syncwarp(); /* all have read the count before one adds to it, or begins another ball */
        if (last > bound + 1)
            return distance - 1;
        if (lane_id() + 1 >= distance)
            *end = last;
        if (first == last) /* nothing lies further away */
            return radius;
    }
    return radius;
}

/* ---- how balls grow ---- */

/* Sizes of the balls of num_samples vertices: by sample and radius - 1; bound + 1 where it is more than bound. */
template <typename offset_t>
__global__ void __launch_bounds__(BUILDER_THREADS)
    sample_growth(csr<offset_t> graph, uint32_t num_samples, uint32_t bound, unsigned slots, uint32_t *sizes)
{
    struct workplace<uint32_t> place = own_workplace<uint32_t>(slots);
    for (uint64_t i = thread_of_grid() / WARP_SIZE; i < num_samples; i += threads_of_grid() / WARP_SIZE) {
        uint64_t random = (i + 1) * 0x9e3779b97f4a7c15ull; /* not evenly spaced, lest grids give their columns */
        vertex_t vertex = (vertex_t)((random >> 32) * graph.num_vertices >> 32);
        uint32_t end;
        unsigned radius = grow(graph, place, vertex, SAMPLED_RADIUS, bound, &end);
        sizes[i * SAMPLED_RADIUS + lane_id()] = lane_id() < radius ? end - 1 : bound + 1;
    }
}

static void sum_up(const uint32_t *sizes, struct ball_growth *growth)
{
    for (unsigned r = 1; r <= SAMPLED_RADIUS; r++) {
        for (uint32_t i = 0; i < growth->num_samples; i++) {
            uint32_t size = sizes[i * SAMPLED_RADIUS + r - 1];
            growth->mean_entries[r] += (double)size / growth->num_samples;
            growth->share_over[r] += size > growth->bound ? 1.0 / growth->num_samples : 0;
            growth->largest[r] = size > growth->largest[r] ? size : growth->largest[r];
        }
    }
}

int ball_growth_sample(const struct gpu_graph *graph, uint32_t most_samples, uint32_t bound,
                       struct ball_growth *growth, struct error *error)
{
    const void *kernel = graph->wide ? (const void *)sample_growth<edge_t> : (const void *)sample_growth<uint32_t>;
    uint32_t *device_sizes = NULL, *sizes = NULL;
    struct grid grid;
    *growth = {};
    growth->bound = bound < graph->num_vertices ? bound : graph->num_vertices;
    uint32_t some = graph->num_vertices / VERTICES_OF_SAMPLE + 1;
    growth->num_samples = some < most_samples ? some : most_samples;
    size_t num_sizes = (size_t)growth->num_samples * SAMPLED_RADIUS;
    unsigned slots = slots_for(growth->bound);
    size_t shared_bytes = BUILDER_THREADS / WARP_SIZE * workplace_bytes<uint32_t>(slots);
    if (gpu_plan_grid(kernel, BUILDER_THREADS, BUILDER_BLOCKS, shared_bytes, &grid, error) == STATUS_OK &&
        gpu_allocate(&device_sizes, num_sizes, "the sample", error) == STATUS_OK &&
        allocate(&sizes, num_sizes, sizeof *sizes, "the sample", error) == STATUS_OK &&
        (graph->wide ? gpu_launch(sample_growth<edge_t>, grid, shared_bytes, error, csr_of<edge_t>(graph),
                                  growth->num_samples, growth->bound, slots, device_sizes)
                     : gpu_launch(sample_growth<uint32_t>, grid, shared_bytes, error, csr_of<uint32_t>(graph),
                                  growth->num_samples, growth->bound, slots, device_sizes)) == STATUS_OK &&
        gpu_download(sizes, device_sizes, num_sizes, error) == STATUS_OK)
        sum_up(sizes, growth);
    gpu_free(device_sizes);
    free(sizes);
    return error->status;
}

/* ---- the index ---- */

/* A row: first unit | units << 32 | radius << 59. */
typedef uint64_t row_t;
#define UNITS_SHIFT  32
#define RADIUS_SHIFT 59
#define MOST_UNITS   (1u << (RADIUS_SHIFT - UNITS_SHIFT)) /* a row has fewer */

static __device__ __forceinline__ uint32_t first_of(row_t row)
{
    return (uint32_t)row;
}

static __device__ __forceinline__ uint32_t units_of(row_t row)
{
    return (uint32_t)(row >> UNITS_SHIFT) & (MOST_UNITS - 1);
}

static __device__ __forceinline__ unsigned radius_of(row_t row)
{
    return (unsigned)(row >> RADIUS_SHIFT);
}

template <typename word_t>
struct ball_index {
    const row_t *rows;     /* num_vertices */
    const word_t *entries; /* of all rows: num_units * entries_of_unit */
    unsigned distance_bits;
};
template <typename word_t>
constexpr word_t NO_ENTRY = (word_t)-1; /* no entry: an id that no vertex has */
template <typename word_t>
constexpr unsigned ENTRIES_OF_UNIT = UNIT_BYTES / sizeof(word_t);

/* Vertices whose balls are to be grown: all, or, if there is a list, those on it. */
struct todo {
    const vertex_t *list;
    uint32_t number;
};

static __device__ __forceinline__ vertex_t vertex_at(const struct todo &todo, uint64_t i)
{
    return todo.list != NULL ? todo.list[i] : (vertex_t)i;
}

/* What counting finds out. */
struct ball_counts {
    uint64_t num_units, num_entries;
    uint32_t num_large;    /* vertices that did not fit the small workplaces */
    uint32_t num_cut;      /* whose radius is less than k */
    uint32_t num_too_long; /* whose arcs are more than a row may have */
};

struct plan {
    unsigned k, slots;
    uint32_t bound; /* vertices of a ball */
    unsigned distance_bits;
};

/* Rows but for where they begin, and their units once more for the scan that finds that. large: where balls that do
 * not fit these workplaces, but may be that large, are left to larger ones. */
template <typename offset_t, typename word_t>
__global__ void __launch_bounds__(BUILDER_THREADS)
    count_balls(csr<offset_t> graph, struct plan plan, struct todo todo, row_t *rows, uint32_t *units,
                vertex_t *large, struct ball_counts *counts)
{
    struct workplace<word_t> place = own_workplace<word_t>(plan.slots);
    uint32_t bound = min(plan.bound, room_of(plan.slots)), num_cut = 0;
    uint64_t num_units = 0, num_entries = 0;
    for (uint64_t i = thread_of_grid() / WARP_SIZE; i < todo.number; i += threads_of_grid() / WARP_SIZE) {
        vertex_t vertex = vertex_at(todo, i);
        uint32_t end = 1;
        uint64_t entries = graph.offsets[vertex + 1] - graph.offsets[vertex];
        unsigned radius = entries <= plan.bound ? grow(graph, place, vertex, plan.k, bound, &end) : 0;
        if (radius < plan.k && bound < plan.bound && entries <= plan.bound) {
            if (lane_id() == 0)
                large[atomicAdd(&counts->num_large, 1u)] = vertex;
            continue;
        }
        if (radius > 0)
            entries = __shfl_sync(WHOLE_WARP, end, (int)radius - 1) - 1;
        uint64_t length = (entries + ENTRIES_OF_UNIT<word_t> - 1) / ENTRIES_OF_UNIT<word_t>;
        if (lane_id() == 0) {
            if (length >= MOST_UNITS)
                atomicAdd(&counts->num_too_long, 1u);
            rows[vertex] = length % MOST_UNITS << UNITS_SHIFT | (row_t)max(radius, 1u) << RADIUS_SHIFT;
            units[vertex] = (uint32_t)length;
        }
        num_units += length;
        num_entries += entries;
        num_cut += radius < plan.k;
    }
    if (lane_id() == 0) {
        atomicAdd((unsigned long long *)&counts->num_units, (unsigned long long)num_units);
        atomicAdd((unsigned long long *)&counts->num_entries, (unsigned long long)num_entries);
        atomicAdd(&counts->num_cut, num_cut);
    }
}

/* Sorts `length` words, a power of two, in shared memory: a bitonic network. */
template <typename word_t>
static __device__ __forceinline__ void sort_words(word_t *words, unsigned length)
{
    for (unsigned size = 2; size <= length; size *= 2)
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            for (unsigned i = lane_id(); i < length / 2; i += WARP_SIZE) {
                unsigned low = 2 * i - (i & (stride - 1)), high = low + stride;
                word_t a = words[low], b = words[high];
                if ((a > b) == ((low & size) == 0)) {
                    words[low] = b;
                    words[high] = a;
                }
            }
            __syncwarp();
        }
}

/* Makes entries of the list's vertices and sorts them; returns the first word. The centre's place is at its front or,
 * sorted, where it is the last: no ball has it as an entry. */
template <typename word_t>
static __device__ __forceinline__ const word_t *make_entries(const struct workplace<word_t> &place,
                                                             const struct plan &plan, unsigned radius, uint32_t end)
{
    uint32_t first = 1, last = 1;
    for (unsigned distance = 1; distance <= radius; distance++, first = last) {
        last = __shfl_sync(WHOLE_WARP, end, (int)distance - 1);
        for (uint32_t i = first + lane_id(); i < last; i += WARP_SIZE)
            place.list[i] = place.list[i] << plan.distance_bits | distance;
    }
    if (!SORTED) {
        __syncwarp();
        return place.list + 1;
    }
    unsigned length = last < 2 ? 1 : 1u << (WARP_SIZE - (unsigned)__clz((int)(last - 1)));
    if (lane_id() == 0)
        place.list[0] = NO_ENTRY<word_t>;
    for (unsigned i = last + lane_id(); i < length; i += WARP_SIZE)
        place.list[i] = NO_ENTRY<word_t>;
    __syncwarp();
    sort_words(place.list, length);
    return place.list;
}

template <typename offset_t, typename word_t>
__global__ void __launch_bounds__(BUILDER_THREADS) fill_balls(csr<offset_t> graph, struct plan plan, struct todo todo,
                                                              const uint32_t *firsts, row_t *rows, word_t *entries)
{
    struct workplace<word_t> place = own_workplace<word_t>(plan.slots);
    uint32_t bound = min(plan.bound, room_of(plan.slots));
    for (uint64_t i = thread_of_grid() / WARP_SIZE; i < todo.number; i += threads_of_grid() / WARP_SIZE) {
        vertex_t vertex = vertex_at(todo, i);
        offset_t edge = graph.offsets[vertex], degree = graph.offsets[vertex + 1] - edge;
        uint32_t end, number;
        row_t row = rows[vertex] >> UNITS_SHIFT << UNITS_SHIFT | firsts[vertex];
        word_t *to = entries + (size_t)first_of(row) * ENTRIES_OF_UNIT<word_t>;
        uint64_t length = (uint64_t)units_of(row) * ENTRIES_OF_UNIT<word_t>;
        if (degree > plan.bound) { /* a hub */
            for (uint64_t j = lane_id(); j < length; j += WARP_SIZE)
                to[j] = j < degree ? (word_t)graph.targets[edge + j] << plan.distance_bits | 1 : NO_ENTRY<word_t>;
        } else {
            unsigned radius = grow(graph, place, vertex, radius_of(row), bound, &end);
            if (radius < radius_of(row)) /* left to larger workplaces */
                continue;
            const word_t *from = make_entries(place, plan, radius, end);
            number = __shfl_sync(WHOLE_WARP, end, (int)radius - 1) - 1;
            for (uint64_t j = lane_id(); j < length; j += WARP_SIZE)
                to[j] = j < number ? from[j] : NO_ENTRY<word_t>;
        }
        __syncwarp(); /* all have read the row */
        if (lane_id() == 0)
            rows[vertex] = row;
    }
}

/* ---- traversing with the index ---- */

/* A vertex to be expanded, or a stretch of a hub. */
struct __align__(16) item
{
    vertex_t vertex;
    uint32_t first;        /* unit */
    uint32_t units_radius; /* units << RADIUS_BITS | radius */
    uint32_t level;
};
#define RADIUS_BITS 5
#define RADIUS_MASK ((1u << RADIUS_BITS) - 1)

template <typename word_t>
constexpr uint32_t UNITS_OF_ITEM = LARGEST_BALL / ENTRIES_OF_UNIT<word_t>; /* at most; fits a byte */

/* What a message says of its block. */
enum flag {
    ANY = 1,   /* it has items, pushed or kept */
    DUE = 2,   /* among those that it pushed are some in the window */
    LOST = 4,  /* it could not keep some: all sweep */
    BROKEN = 8 /* a wait took too long (never sent) */
};

/* Items to be expanded, and these cut into tasks, one for a warp: the item's place << PIECE_BITS | piece. */
struct item_list {
    struct item items[MOST_LISTED];
    uint16_t tasks[MOST_LISTED * MOST_PIECES];
};
#define PIECE_BITS 4
/* A count has items << TASKS_BITS | tasks; neither half overflows: what is received goes beyond
 * the list's length once, and all is dropped then. */
#define TASKS_BITS 16
#define TASKS_MASK ((1u << TASKS_BITS) - 1)

struct outgoing {
    uint32_t number, flags; /* number: of items pushed, also those that did not fit */
};

/* Shared memory of a block. Words of parity p belong to epochs of that parity; see run_rounds. */
struct shared {
    struct outgoing outgoing[2]; /* by the epoch that sends it */
    uint32_t received[2];        /* flags of all blocks, by the epoch that they are received in */
    uint32_t counts[2][2];       /* of lists[i], two in turn */
    struct item pushed[MOST_LISTED];
    struct item_list lists[2]; /* those due, and those kept, in turn */
};

/* A wait that was broken off. */
struct broken {
    uint32_t broken, block, waits_for, epoch;
};

/* Device memory of a traversal. blocks: of the grid. */
struct search {
    uint32_t *level;       /* num_vertices, rounded up to four */
    uint64_t *mailboxes;   /* 2 * blocks * blocks * 2: by parity, to, from */
    uint64_t *overflow;    /* 2 * blocks * MOST_LISTED * 2: by parity and block, its items beyond one a block */
    uint32_t *epoch;       /* 1: the last one that was used */
    struct broken *broken; /* 1 */
    vertex_t num_vertices;
    unsigned k;
    uint32_t listed; /* length of a block's lists */
};

/* What a thread knows of its block's state; the same in all threads. */
struct turn {
    uint32_t epoch, base;
    unsigned due, in_use; /* lists[due] is of those due; bit i of in_use: which of counts[i] counts */
    uint32_t swept_until; /* windows that begin before are swept */
    bool keeps;           /* the block keeps items that are not due, or may have dropped some */
};

static __device__ __forceinline__ uint32_t *count_of(struct shared *shared, const struct turn &turn, unsigned list)
{
    return &shared->counts[list][turn.in_use >> list & 1];
}

static __device__ __forceinline__ uint64_t *slot_of(const struct search &search, uint32_t epoch, unsigned to,
                                                    unsigned from)
{
    return search.mailboxes + (((size_t)(epoch % 2) * gridDim.x + to) * gridDim.x + from) * 2;
}

static __device__ __forceinline__ uint64_t *overflow_of(const struct search &search, uint32_t epoch, unsigned block,
                                                        uint32_t i)
{
    return search.overflow + (((size_t)(epoch % 2) * gridDim.x + block) * MOST_LISTED + i) * 2;
}

/* Block `from`'s item i goes to block (i + rotation) % blocks. */
static __device__ __forceinline__ unsigned rotation(unsigned from, uint32_t epoch)
{
    const unsigned odd = 53, other = 29; /* so that blocks begin apart, and elsewhere every time */
    return from * odd + epoch * other;
}

/* A message: vertex 32 | number pushed 16 | flags 8 | tag 8, and first unit 32 | units 8 | radius 8 | level - base 8
 * | tag 8. */
static __device__ __forceinline__ uint64_t first_word(const struct item &item, uint32_t number, uint32_t flags,
                                                      uint32_t epoch)
{
    return (uint64_t)item.vertex << 32 | number << 16 | flags << 8 | (epoch & 0xff);
}

static __device__ __forceinline__ uint64_t second_word(const struct item &item, uint32_t base, uint32_t epoch)
{
    return (uint64_t)item.first << 32 | item.units_radius >> RADIUS_BITS << 24 |
           (item.units_radius & RADIUS_MASK) << 16 | (item.level - base) << 8 | (epoch & 0xff);
}

static __device__ __forceinline__ struct item item_in(const uint64_t (&words)[2], uint32_t base)
{
    uint32_t low = (uint32_t)words[1];
    return {(vertex_t)(words[0] >> 32), (uint32_t)(words[1] >> 32),
            low >> 24 << RADIUS_BITS | (low >> 16 & RADIUS_MASK), base + (low >> 8 & 0xff)};
}

/* Pushes the vertex of that row, in stretches where it is a hub. */
template <typename word_t>
static __device__ __forceinline__ void push(const struct ball_index<word_t> &index, const struct search &search,
                                            struct shared *shared, const struct turn &turn, vertex_t vertex,
                                            row_t row, uint32_t level)
{
    const uint32_t most = UNITS_OF_ITEM<word_t>;
    struct outgoing *outgoing = &shared->outgoing[(turn.epoch + 1) % 2];
    uint32_t units = units_of(row), first = first_of(row), number = units <= most ? 1 : (units + most - 1) / most;
    if (units == 0) /* no way leads on */
        return;
    uint32_t at = atomicAdd_block(&outgoing->number, number);
    uint32_t flags = (at + number > search.listed ? LOST : 0) | (level - turn.base < search.k ? DUE : 0);
    if (RARELY(flags != 0)) {
        atomicOr_block(&outgoing->flags, flags);
        if (flags & LOST)
            return;
    }
    for (;; at++) {
        uint32_t some = min(units, most);
        shared->pushed[at] = {vertex, first, some << RADIUS_BITS | radius_of(row), level};
        prefetch(index.entries + (size_t)first * ENTRIES_OF_UNIT<word_t>, some * UNIT_BYTES);
        if (!RARELY(units > most))
            break;
        first += some;
        units -= some;
    }
}

/* Expands a vertex, as far as `number` entries go, at most a piece, unless its level is no longer that. Lanes may
 * find different levels, while it is lowered: each goes by what it finds, as whoever lowers it sees to the rest. */
template <typename word_t, unsigned unroll, bool filter>
static __device__ __forceinline__ void expand(const struct ball_index<word_t> &index, const struct search &search,
                                              struct shared *shared, const struct turn &turn, vertex_t vertex,
                                              uint32_t level, unsigned radius, const word_t *entries, uint32_t number)
{
    word_t entry[unroll];
    uint32_t target[unroll], old[unroll];
    vertex_t found[unroll];
    row_t row[unroll];
    bool inner[unroll], outer[unroll];
    uint32_t now = __ldcg(&search.level[vertex]);
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        entry[i] = load_if(i * WARP_SIZE + lane_id() < number, &entries[i * WARP_SIZE + lane_id()]);
    if (RARELY(now != level))
        return;
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) {
        unsigned distance = (unsigned)entry[i] & ((1u << index.distance_bits) - 1);
        found[i] = (vertex_t)(entry[i] >> index.distance_bits);
        target[i] = level + distance;
        inner[i] = entry[i] != NO_ENTRY<word_t> && distance < radius;
        outer[i] = entry[i] != NO_ENTRY<word_t> && distance == radius;
    }
    if (filter) {
#pragma unroll
        for (unsigned i = 0; i < unroll; i++)
            old[i] = look_if(inner[i] || outer[i], &search.level[found[i]]);
#pragma unroll
        for (unsigned i = 0; i < unroll; i++) {
            inner[i] = inner[i] && old[i] > target[i];
            outer[i] = outer[i] && old[i] > target[i];
        }
    }
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) /* before the outer ones: a vertex that is near is not pushed from afar */
        if (inner[i])
            atomicMin(&search.level[found[i]], target[i]);
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) { /* the rows come while the answers do */
        old[i] = min_if(outer[i], &search.level[found[i]], target[i]);
        row[i] = load_if(outer[i], &index.rows[found[i]]);
    }
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        if (outer[i] && old[i] > target[i])
            push(index, search, shared, turn, found[i], row[i], target[i]);
}

/* ---- the exchange ---- */

/* Sends what was pushed to all blocks. */
static __device__ __forceinline__ void send(const struct search &search, struct shared *shared,
                                            const struct turn &turn)
{
    uint32_t epoch = turn.epoch, number = shared->outgoing[epoch % 2].number;
    uint32_t flags = shared->outgoing[epoch % 2].flags;
    number = flags & LOST ? 0 : number;
    flags |= number > 0 || turn.keeps || (flags & LOST) ? ANY : 0;
    const struct item none = {NO_VERTEX, 0, 0, turn.base};
    if (RARELY(number > gridDim.x)) {
        for (uint32_t i = gridDim.x + threadIdx.x; i < number; i += blockDim.x) {
            const struct item item = shared->pushed[i];
            store_pair(overflow_of(search, epoch, blockIdx.x, i), first_word(item, 0, 0, epoch),
                       second_word(item, turn.base, epoch));
        }
        __syncthreads();
    }
    for (unsigned to = threadIdx.x; to < gridDim.x; to += blockDim.x) {
        uint32_t i = (to - rotation(blockIdx.x, epoch)) & (gridDim.x - 1);
        struct item item = none;
        if (i < number)
            item = shared->pushed[i];
        if (RARELY(number > gridDim.x))
            __threadfence(); /* the items beyond before the message */
        store_pair(slot_of(search, epoch, to, blockIdx.x), first_word(item, number, flags, epoch),
                   second_word(item, turn.base, epoch));
    }
}

/* Puts an item among those due, or those kept, and cuts it into tasks. */
template <typename word_t, unsigned unroll>
static __device__ __forceinline__ void take(const struct search &search, struct shared *shared,
                                            const struct turn &turn, const struct item &item)
{
    const uint32_t piece_units = unroll * WARP_SIZE / ENTRIES_OF_UNIT<word_t>;
    unsigned which = item.level - turn.base < search.k ? turn.due : turn.due ^ 1;
    uint32_t pieces = ((item.units_radius >> RADIUS_BITS) + piece_units - 1) / piece_units;
    static_assert(MOST_PIECES * piece_units >= UNITS_OF_ITEM<word_t> && MOST_LISTED << PIECE_BITS <= 1u << 16,
                  "a task has 16 bits");
    uint32_t count = atomicAdd_block(count_of(shared, turn, which), 1u << TASKS_BITS | pieces);
    uint32_t place = count >> TASKS_BITS, task = count & TASKS_MASK;
    if (RARELY(place >= search.listed)) {
        atomicOr_block(&shared->outgoing[(turn.epoch + 1) % 2].flags, (uint32_t)LOST);
        return;
    }
    struct item_list *list = &shared->lists[which];
    list->items[place] = item;
    for (uint32_t piece = 0; piece < pieces; piece++)
        list->tasks[task + piece] = (uint16_t)(place << PIECE_BITS | piece);
}

/* Waits for a message of this epoch; false: it took too long, or another block says that it did. */
static __device__ __forceinline__ bool wait_for(const struct search &search, unsigned from, uint32_t epoch,
                                                uint64_t (&words)[2])
{
    const uint64_t *slot = slot_of(search, epoch, blockIdx.x, from);
    long long start = clock64();
    for (unsigned polls = 1;; polls++) {
        load_pair(slot, words);
        if ((words[0] & 0xff) == (epoch & 0xff) && (words[1] & 0xff) == (epoch & 0xff))
            return true;
        if (!RARELY(polls % POLLS_OF_A_CHECK == 0))
            continue;
        if (__ldcg(&search.broken->broken))
            return false;
        if (clock64() - start > BARRIER_LIMIT) {
            *search.broken = {1, blockIdx.x, from, epoch};
            return false;
        }
    }
}

/* Takes a message's item for this block, and others of its block that lie in the area; returns the flags. */
template <typename word_t, unsigned unroll>
static __device__ __forceinline__ uint32_t take_message(const struct search &search, struct shared *shared,
                                                        const struct turn &turn, unsigned from, uint64_t (&words)[2])
{
    uint32_t number = (uint32_t)words[0] >> 16, flags = (uint32_t)words[0] >> 8 & 0xff;
    uint32_t i = (blockIdx.x - rotation(from, turn.epoch)) & (gridDim.x - 1);
    if (i < number)
        take<word_t, unroll>(search, shared, turn, item_in(words, turn.base));
    if (RARELY(number > gridDim.x)) {
        __threadfence(); /* the message before the items beyond */
        for (i += gridDim.x; i < number; i += gridDim.x) {
            const uint64_t *item = overflow_of(search, turn.epoch, from, i);
            words[0] = __ldcg(&item[0]);
            words[1] = __ldcg(&item[1]);
            take<word_t, unroll>(search, shared, turn, item_in(words, turn.base));
        }
    }
    return flags;
}

/* Receives from all blocks; returns the flags of all to all threads. */
template <typename word_t, unsigned unroll>
static __device__ __forceinline__ uint32_t receive(const struct search &search, struct shared *shared,
                                                   const struct turn &turn)
{
    uint32_t *received = &shared->received[turn.epoch % 2], flags = 0;
    unsigned warp_first = threadIdx.x - lane_id();
    for (unsigned first = warp_first; first < gridDim.x; first += blockDim.x) {
        uint64_t words[2];
        unsigned from = first + lane_id();
        bool came = from < gridDim.x && wait_for(search, from, turn.epoch, words);
        __syncwarp(); /* lanes whose messages came one after the other go on together */
        if (came)
            flags |= take_message<word_t, unroll>(search, shared, turn, from, words);
        else if (from < gridDim.x)
            flags |= BROKEN;
    }
    if (warp_first < gridDim.x) {
        flags = __reduce_or_sync(WHOLE_WARP, flags);
        if (lane_id() == 0 && flags != 0)
            atomicOr_block(received, flags);
    }
    __syncthreads();
    return *received;
}

/* ---- the rounds ---- */

template <typename word_t, unsigned unroll, bool filter>
static __device__ __forceinline__ void expand_listed(const struct ball_index<word_t> &index,
                                                     const struct search &search, struct shared *shared,
                                                     const struct turn &turn, uint32_t num_tasks)
{
    const uint32_t piece_entries = unroll * WARP_SIZE;
    const struct item_list *list = &shared->lists[turn.due];
    for (uint32_t i = threadIdx.x / WARP_SIZE; i < num_tasks; i += blockDim.x / WARP_SIZE) {
        uint32_t task = list->tasks[i], begin = (task & (MOST_PIECES - 1)) * piece_entries;
        const struct item item = list->items[task >> PIECE_BITS];
        uint32_t number = (item.units_radius >> RADIUS_BITS) * ENTRIES_OF_UNIT<word_t> - begin;
        expand<word_t, unroll, filter>(index, search, shared, turn, item.vertex, item.level,
                                       item.units_radius & RADIUS_MASK,
                                       index.entries + (size_t)item.first * ENTRIES_OF_UNIT<word_t> + begin, number);
    }
}

/* Expands all vertices whose level is in the window. */
template <typename word_t, unsigned unroll, bool filter>
static __device__ __forceinline__ void sweep(const struct ball_index<word_t> &index, const struct search &search,
                                             struct shared *shared, const struct turn &turn)
{
    const uint32_t piece_entries = unroll * WARP_SIZE;
    for (uint64_t first = thread_of_grid() - lane_id(); first < search.num_vertices; first += threads_of_grid()) {
        uint64_t mine = first + lane_id();
        uint32_t level = look_if(mine < search.num_vertices, &search.level[mine]);
        bool is_meant = level != UNREACHED && level - turn.base < search.k;
        row_t row = load_if(is_meant, &index.rows[mine]);
        for (unsigned meant = __ballot_sync(WHOLE_WARP, is_meant); meant != 0; meant &= meant - 1) {
            int owner = __ffs((int)meant) - 1;
            row_t its_row = __shfl_sync(WHOLE_WARP, row, owner);
            uint32_t its_level = __shfl_sync(WHOLE_WARP, level, owner);
            uint64_t length = (uint64_t)units_of(its_row) * ENTRIES_OF_UNIT<word_t>;
            const word_t *entries = index.entries + (size_t)first_of(its_row) * ENTRIES_OF_UNIT<word_t>;
            for (uint64_t begin = 0; begin < length; begin += piece_entries)
                expand<word_t, unroll, filter>(index, search, shared, turn, (vertex_t)(first + (unsigned)owner),
                                               its_level, radius_of(its_row), entries + begin,
                                               (uint32_t)min(length - begin, (uint64_t)piece_entries));
        }
    }
}

/* Resets the levels, and the block's shared memory; the source is what the first block has pushed. */
template <typename word_t>
static __device__ __forceinline__ void reset(const struct ball_index<word_t> &index, const struct search &search,
                                             struct shared *shared, const struct turn &turn, vertex_t source)
{
    const unsigned number = sizeof(uint4) / sizeof(uint32_t);
    for (uint64_t i = thread_of_grid(); i * number < search.num_vertices; i += threads_of_grid()) {
        uint32_t to_source = i == source / number ? source % number : number;
        uint4 levels = {to_source == 0 ? 0 : UNREACHED, to_source == 1 ? 0 : UNREACHED,
                        to_source == 2 ? 0 : UNREACHED, to_source == 3 ? 0 : UNREACHED};
        ((uint4 *)search.level)[i] = levels;
    }
    if (threadIdx.x < 2) {
        shared->outgoing[threadIdx.x] = {0, 0};
        shared->received[threadIdx.x] = 0;
        shared->counts[threadIdx.x][0] = shared->counts[threadIdx.x][1] = 0;
    }
    __threadfence(); /* the levels before the first message */
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        push(index, search, shared, turn, source, index.rows[source], 0);
}

/* Who changes which words of the block's shared memory when; S, R, E stand for sending, receiving (which ends in a
 * block barrier) and expanding (which the barrier behind it ends) of an epoch e:
 *   pushed, outgoing[e % 2]   written in E of e - 1, and outgoing[e % 2].flags in R of e - 1; read in S of e; cleared
 *                             by thread 0 in E of e, so before R of e + 1, which writes them again
 *   received[e % 2]           written in R of e, read behind its barrier; cleared by thread 0 in S of e + 1
 *   lists, counts             written in R of e, read in E of e. What E expands counts from then on with its other
 *                             count, so that thread 0 may clear this one in S of e + 1, while others are in R */
template <typename word_t, unsigned unroll, bool filter>
__global__ void __launch_bounds__(THREADS, 1)
    kball_kernel(struct ball_index<word_t> index, struct search search, vertex_t source)
{
    struct shared *shared = block_shared<struct shared>();
    struct turn turn = {*(volatile uint32_t *)search.epoch, 0, 0, 0, 0, false};
    reset(index, search, shared, turn, source);
    for (bool is_first = true;; is_first = false) {
        __syncthreads();
        turn.epoch++;
        if (threadIdx.x == 0) {
            shared->received[(turn.epoch + 1) % 2] = 0;
            shared->counts[0][~turn.in_use & 1] = 0;
            shared->counts[1][~turn.in_use >> 1 & 1] = 0;
        }
        send(search, shared, turn);
        uint32_t flags = receive<word_t, unroll>(search, shared, turn);
        if (RARELY(is_first))
            __threadfence(); /* the messages before the levels */
        if (!(flags & ANY) || (flags & BROKEN))
            break;
        if (threadIdx.x == 0)
            shared->outgoing[turn.epoch % 2] = {0, 0};
        bool sweeps = flags & LOST;
        if (!(flags & (DUE | LOST))) {
            turn.base += search.k;
            turn.due ^= 1;
            sweeps = turn.base < turn.swept_until;
        }
        if (RARELY(flags & LOST))
            turn.swept_until = turn.base + 2 * search.k;
        unsigned kept = turn.due ^ 1;
        uint32_t count = *count_of(shared, turn, turn.due);
        uint32_t num_tasks =
            count >> TASKS_BITS > search.listed ? 0 : count & TASKS_MASK; /* some were dropped: all are */
        turn.keeps = *count_of(shared, turn, kept) > 0 || turn.base + search.k < turn.swept_until;
        turn.in_use ^= 1u << turn.due;
        if (RARELY(sweeps)) {
            turn.in_use ^= 1u << kept;
            sweep<word_t, unroll, filter>(index, search, shared, turn);
        } else {
            expand_listed<word_t, unroll, filter>(index, search, shared, turn, num_tasks);
        }
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *search.epoch = turn.epoch;
}

/* ---- traversing without an index ---- */

#define NUM_NEIGHBOURS 4u   /* in a record */
#define PIECE          128u /* arcs of a vertex with more neighbours that are queued together */
#define INBOXES        4u   /* times a list's length: places of an inbox */
#define INBOX          (INBOXES * MOST_LISTED)
#define NUM_COUNTS     3u
#define CLUSTER_LANES  NUM_NEIGHBOURS /* to an entry */
#define ENTRIES_A_STEP (WARP_SIZE / CLUSTER_LANES)

/* A record: the neighbours of a vertex, NO_VERTEX behind the last. Of a vertex with more: NO_VERTEX twice, number of
 * pieces (in the queue: which piece), 0; a vertex has no record like this even when one neighbour is struck out. */
static __device__ __forceinline__ bool is_long(const uint4 &record)
{
    return record.x == NO_VERTEX && record.y == NO_VERTEX && record.w == 0;
}

template <typename offset_t>
__global__ void make_records(csr<offset_t> graph, uint4 *records)
{
    for (uint64_t v = thread_of_grid(); v < graph.num_vertices; v += threads_of_grid()) {
        offset_t edge = graph.offsets[v], end = graph.offsets[v + 1];
        uint32_t neighbours[NUM_NEIGHBOURS];
        for (unsigned i = 0; i < NUM_NEIGHBOURS; i++)
            neighbours[i] = load_if(edge + i < end, &graph.targets[edge + i]);
        uint32_t pieces = (uint32_t)((end - edge + PIECE - 1) / PIECE);
        records[v] = end - edge > NUM_NEIGHBOURS ? uint4{NO_VERTEX, NO_VERTEX, pieces, 0}
                                                 : uint4{neighbours[0], neighbours[1], neighbours[2], neighbours[3]};
    }
}

/* The queues of one level and the next, by parity. A block's part of an inbox is inbox / blocks places long. */
struct cluster_shared {
    uint4 record[2][INBOX];
    vertex_t vertex[2][INBOX];
    uint32_t queued[2][MOST_OF_CLUSTER]; /* entries that each block has queued for a level, in all inboxes */
    uint32_t count[2];                   /* that this block has queued so far for the level of that parity */
};

struct cluster_search {
    uint32_t *level;       /* num_vertices, rounded up to four */
    const uint4 *records;  /* num_vertices */
    uint2 *spilled;        /* vertices and pieces: as many as there are of both */
    uint32_t *num_spilled; /* NUM_COUNTS: for the level, rotating; warpnet.cu has the argument */
    uint32_t inbox;        /* places, at most INBOX */
};

/* Where a block's next level begins; the same in all its threads. */
struct cluster_turn {
    uint32_t level;   /* of what is claimed */
    uint64_t spilled; /* where the entries of the next level begin there */
};

static __device__ __forceinline__ uint32_t part_of_inbox(const struct cluster_search &search)
{
    return search.inbox / cluster_size();
}

/* Queues an entry at this place among the block's own of the next level. */
static __device__ __forceinline__ void enqueue(const struct cluster_search &search, struct cluster_shared *shared,
                                               const struct cluster_turn &turn, uint32_t place, vertex_t vertex,
                                               const uint4 &record)
{
    unsigned parity = turn.level % 2, size = cluster_size(), rank = cluster_rank();
    uint32_t to = (place + rank) & (size - 1), at = place / size;
    if (at < part_of_inbox(search)) {
        uint32_t own = rank * part_of_inbox(search) + at;
        *cluster_shared(&shared->record[parity][own], to) = record;
        *cluster_shared(&shared->vertex[parity][own], to) = vertex;
    } else {
        uint32_t number = atomicAdd(&search.num_spilled[turn.level % NUM_COUNTS], 1u);
        uint2 *spilled = &search.spilled[turn.spilled + number];
        __stcg(&spilled->x, vertex);
        __stcg(&spilled->y, record.z);
    }
}

/* Claims a vertex, unless it is NO_VERTEX, for `from`, and queues it if that succeeds. All lanes of the warp must
 * come. */
static __device__ __forceinline__ void claim(const struct cluster_search &search, struct cluster_shared *shared,
                                             const struct cluster_turn &turn, vertex_t vertex, vertex_t from)
{
    bool wanted = vertex != NO_VERTEX;
    uint32_t words[NUM_NEIGHBOURS];
    uint32_t old = swap_if(wanted, &search.level[vertex], UNREACHED, turn.level);
    load_four_if(wanted, (const uint32_t *)&search.records[vertex], words);
    bool won = wanted && old == UNREACHED;
    uint4 record = {words[0], words[1], words[2], words[3]};
    bool longer = won && is_long(record);
#pragma unroll
    for (unsigned i = 0; i < NUM_NEIGHBOURS; i++)
        words[i] = words[i] == from ? NO_VERTEX : words[i];
    record = longer ? record : uint4{words[0], words[1], words[2], words[3]};
    won = won && !longer && (record.x & record.y & record.z & record.w) != NO_VERTEX; /* else nothing lies behind */
    unsigned winners = __ballot_sync(WHOLE_WARP, won), before = (1u << lane_id()) - 1;
    uint32_t *count = &shared->count[turn.level % 2], place = 0;
    if (winners != 0) {
        if (lane_id() == 0)
            place = atomicAdd_block(count, (uint32_t)__popc(winners));
        place = __shfl_sync(WHOLE_WARP, place, 0) + __popc(winners & before);
        if (won)
            enqueue(search, shared, turn, place, vertex, record);
    }
    if (longer) {
        uint32_t pieces = record.z;
        place = atomicAdd_block(count, pieces);
        for (uint32_t piece = 0; piece < pieces; piece++)
            enqueue(search, shared, turn, place + piece, vertex, {NO_VERTEX, NO_VERTEX, piece, 0});
    }
}

/* Claims the neighbours of entries: each CLUSTER_LANES lanes bring one; NO_VERTEX: none. All lanes must come. */
template <typename offset_t>
static __device__ __forceinline__ void
claim_neighbours(const csr<offset_t> &graph, const struct cluster_search &search, struct cluster_shared *shared,
                 const struct cluster_turn &turn, vertex_t vertex, const uint4 &record)
{
    unsigned place = lane_id() % CLUSTER_LANES;
    bool longer = vertex != NO_VERTEX && is_long(record);
    vertex_t mine = place == 0 ? record.x : place == 1 ? record.y : place == 2 ? record.z : record.w;
    claim(search, shared, turn, vertex != NO_VERTEX && !longer ? mine : NO_VERTEX, vertex);
    for (unsigned many = __ballot_sync(WHOLE_WARP, longer && place == 0); many != 0; many &= many - 1) {
        int owner = __ffs((int)many) - 1;
        vertex_t its = __shfl_sync(WHOLE_WARP, vertex, owner);
        uint32_t piece = __shfl_sync(WHOLE_WARP, record.z, owner);
        offset_t edge = graph.offsets[its] + (offset_t)piece * PIECE, end = graph.offsets[its + 1];
        end = end - edge > PIECE ? edge + PIECE : end;
        for (; edge < end; edge += WARP_SIZE)
            claim(search, shared, turn, load_if(edge + lane_id() < end, &graph.targets[edge + lane_id()]), its);
    }
}

/* The entries of this level that lie in the block's inbox. Warps take the parts in turn, a step of each. */
template <typename offset_t>
static __device__ __forceinline__ void
claim_from_inbox(const csr<offset_t> &graph, const struct cluster_search &search, struct cluster_shared *shared,
                 const struct cluster_turn &turn, uint32_t queued)
{
    unsigned parity = (turn.level - 1) % 2, size = cluster_size(), part = part_of_inbox(search);
    /* Lane i: how many of block i's lie here: the places from (this block - i) % size on, every size'th. */
    uint32_t first = (cluster_rank() - lane_id()) & (size - 1);
    uint32_t here = queued > first ? (queued - first + size - 1) / size : 0;
    here = min(here, part);
    uint32_t most = __reduce_max_sync(WHOLE_WARP, here);
    for (uint32_t i = threadIdx.x / WARP_SIZE; i / size * ENTRIES_A_STEP < most; i += blockDim.x / WARP_SIZE) {
        uint32_t at = i / size * ENTRIES_A_STEP + lane_id() / CLUSTER_LANES, from = i % size;
        bool is_there = at < __shfl_sync(WHOLE_WARP, here, (int)from);
        vertex_t vertex = NO_VERTEX;
        uint4 record = {NO_VERTEX, NO_VERTEX, NO_VERTEX, NO_VERTEX};
        if (is_there) {
            vertex = shared->vertex[parity][from * part + at];
            record = shared->record[parity][from * part + at];
        }
        claim_neighbours(graph, search, shared, turn, vertex, record);
    }
}

/* The entries of this level that were spilled: `number`, in front of those of the next level. */
template <typename offset_t>
static __device__ __forceinline__ void claim_spilled(const csr<offset_t> &graph, const struct cluster_search &search,
                                                     struct cluster_shared *shared, const struct cluster_turn &turn,
                                                     uint32_t number)
{
    const uint2 *spilled = search.spilled + turn.spilled - number;
    for (uint64_t i = thread_of_grid() / WARP_SIZE * ENTRIES_A_STEP; i < number;
         i += threads_of_grid() / WARP_SIZE * ENTRIES_A_STEP) {
        uint64_t mine = i + lane_id() / CLUSTER_LANES;
        vertex_t vertex = look_if(mine < number, &spilled[mine].x);
        uint32_t piece = look_if(mine < number, &spilled[mine].y), words[NUM_NEIGHBOURS];
        load_four_if(mine < number, (const uint32_t *)&search.records[vertex], words);
        uint4 record = {words[0], words[1], words[2], words[3]};
        if (is_long(record))
            record.z = piece;
        claim_neighbours(graph, search, shared, turn, vertex, record);
    }
}

/* Resets the levels and the counts, and queues the source as if it had been spilled; returns how many entries it is.
 */
static __device__ __forceinline__ uint32_t reset_cluster(const struct cluster_search &search,
                                                         struct cluster_shared *shared, vertex_t num_vertices,
                                                         vertex_t source)
{
    uint4 record = search.records[source];
    uint32_t pieces = is_long(record) ? record.z : 1;
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid())
        search.level[v] = v == source ? 0 : UNREACHED;
    for (uint64_t piece = thread_of_grid(); piece < pieces; piece += threads_of_grid())
        search.spilled[piece] = make_uint2(source, (uint32_t)piece);
    if (blockIdx.x == 0 && threadIdx.x < NUM_COUNTS)
        search.num_spilled[threadIdx.x] = threadIdx.x == 0 ? pieces : 0;
    if (threadIdx.x < 2)
        shared->count[threadIdx.x] = 0;
    if (threadIdx.x < MOST_OF_CLUSTER)
        shared->queued[0][threadIdx.x] = 0;
    __threadfence();
    cluster_wait();
    return pieces;
}

template <typename offset_t>
__global__ void __launch_bounds__(THREADS, 1)
    cluster_kernel(csr<offset_t> graph, struct cluster_search search, vertex_t source)
{
    struct cluster_shared *shared = block_shared<struct cluster_shared>();
    struct cluster_turn turn = {1, 0};
    turn.spilled = reset_cluster(search, shared, graph.num_vertices, source);
    for (;; turn.level++) {
        unsigned now = (turn.level - 1) % 2, next = turn.level % 2;
        uint32_t queued = lane_id() < cluster_size() ? shared->queued[now][lane_id()] : 0;
        uint32_t spilled = __ldcg(&search.num_spilled[(turn.level - 1) % NUM_COUNTS]);
        spilled = __shfl_sync(WHOLE_WARP, spilled, 0);
        if (__reduce_add_sync(WHOLE_WARP, queued) == 0 && spilled == 0)
            return;
        if (turn.level > 1)
            turn.spilled += spilled;
        if (thread_of_grid() == 0)
            __stcg(&search.num_spilled[(turn.level + 1) % NUM_COUNTS], 0u);
        claim_from_inbox(graph, search, shared, turn, queued);
        claim_spilled(graph, search, shared, turn, spilled);
        __syncthreads();
        if (threadIdx.x < cluster_size())
            *cluster_shared(&shared->queued[next][cluster_rank()], threadIdx.x) = shared->count[next];
        if (threadIdx.x == 0)
            shared->count[now] = 0;
        cluster_wait();
    }
}

/* ---- parents ---- */

/* A parent for each vertex that v's arcs from edge on lead to at the next level; `stride` threads share them. */
template <typename offset_t>
static __device__ __forceinline__ void be_parent(const csr<offset_t> &graph, const uint32_t *level, vertex_t *parent,
                                                 vertex_t v, uint32_t next, offset_t edge, offset_t end,
                                                 unsigned stride)
{
    for (; edge < end; edge += stride) {
        vertex_t neighbour = graph.targets[edge];
        if (level[neighbour] == next)
            __stcg(&parent[neighbour], v); /* whoever comes last */
    }
}

/* After the traversal: levels do not change any more. */
template <typename offset_t>
__global__ void find_parents(csr<offset_t> graph, const uint32_t *level, vertex_t source, vertex_t *parent)
{
    for (uint64_t first = thread_of_grid() - lane_id(); first < graph.num_vertices; first += threads_of_grid()) {
        uint64_t v = first + lane_id();
        offset_t edge = 0, end = 0;
        uint32_t mine = UNREACHED;
        if (v < graph.num_vertices) {
            mine = level[v];
            edge = graph.offsets[v];
            end = graph.offsets[v + 1];
            if (mine == UNREACHED || v == source) /* nobody else gives these one */
                parent[v] = v == source ? source : NO_VERTEX;
        }
        if (mine == UNREACHED)
            end = edge;
        for (unsigned many = __ballot_sync(WHOLE_WARP, end - edge > WARP_SIZE); many != 0; many &= many - 1) {
            int owner = __ffs((int)many) - 1;
            offset_t its_edge = __shfl_sync(WHOLE_WARP, edge, owner), its_end = __shfl_sync(WHOLE_WARP, end, owner);
            uint32_t its_level = __shfl_sync(WHOLE_WARP, mine, owner);
            be_parent(graph, level, parent, (vertex_t)(first + (unsigned)owner), its_level + 1, its_edge + lane_id(),
                      its_end, WARP_SIZE);
            if ((int)lane_id() == owner)
                end = edge;
        }
        be_parent(graph, level, parent, (vertex_t)v, mine + 1, edge, end, 1);
    }
}

/* ---- host side: preparing ---- */

static const struct option_spec options[] = {KBALL_OPTIONS, {}};

/* The index as the host keeps it: entries of 32 or of 64 bits. */
struct built {
    row_t *rows;
    void *entries;
    bool wide; /* 64 bits */
    unsigned k, distance_bits;
    struct ball_counts counts;
};

struct state {
    struct gpu_graph graph;        /* freed after preparing, unless the cluster or the parents need it */
    struct built index;            /* k = 0: there is none */
    struct search search;          /* with the index */
    struct cluster_search cluster; /* without */
    vertex_t *parent;              /* num_vertices, if asked for */
    double mean_entries;           /* of a row */
    bool filter;
    struct grid grid;
};

static bool wants_parents(const struct run *run)
{
    return run->outputs & OUTPUT_PARENT;
}

/* Bits of a number. */
static unsigned bits_of(uint32_t number)
{
    return number == 0 ? 0 : 32 - (unsigned)__builtin_clz(number);
}

/* Bytes that an index may take; 0: there is to be none. */
static int find_budget(struct run *run, double *budget)
{
    size_t free_bytes = 0, all_bytes = 0;
    double most = (double)UINT32_MAX * UNIT_BYTES; /* rows begin at a unit of 32 bits */
    *budget = run->options[KBALL_INDEX_MB] * MEGABYTE;
    if (*budget < 0) {
        if (gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory", run->error) != STATUS_OK)
            return run->error->status;
        *budget = SHARE_OF_FREE * (double)free_bytes;
    }
    *budget = *budget < most ? *budget : most;
    return STATUS_OK;
}

static bool takes_wide(const struct run *run, unsigned k)
{
    return run->options[KBALL_ENTRY_BITS] != 0 || bits_of(run->graph->num_vertices) + bits_of(k) > 32;
}

/* Bytes of an index of so many units. */
static double index_bytes(const struct run *run, double num_units)
{
    return num_units * UNIT_BYTES + (double)run->graph->num_vertices * sizeof(row_t);
}

/* The radius whose rounds are cheapest a level, of those that fit the budget and that nearly all balls can have; 0:
 * no index fits. */
static unsigned choose_radius(const struct run *run, const struct ball_growth *growth, double budget)
{
    double of_graph = MOST_OF_GRAPH * run->graph->num_vertices;
    double least = INFINITY;
    unsigned k = 0;
    for (unsigned r = 1; r <= LARGEST_RADIUS; r++) {
        double of_unit = takes_wide(run, r) ? ENTRIES_OF_UNIT<uint64_t> : ENTRIES_OF_UNIT<uint32_t>;
        double units = (growth->mean_entries[r] / of_unit + 0.5) * run->graph->num_vertices; /* filled up by half */
        if (index_bytes(run, units) > budget)
            break;
        if (r > 1 && (growth->mean_entries[r] > of_graph || growth->share_over[r] > MOST_SHARE_OVER))
            break;
        double cost = (ROUND_ENTRIES + growth->mean_entries[r]) / r;
        k = cost < least ? r : k;
        least = cost < least ? cost : least;
    }
    return k;
}

/* Rows and entries of the balls, on small workplaces and, where these were too small, on large ones. */
template <typename offset_t, typename word_t>
struct builder {
    csr<offset_t> graph;
    struct plan plan;
    struct todo all, large;
    vertex_t *large_list;
    uint32_t *units; /* num_vertices + 1: of each row; later where it begins */
    struct ball_counts *counts;
};

/* Starts one of the two kernels on workplaces of that size, for those vertices. */
template <typename word_t, typename... parameters>
static int launch_builder(void (*kernel)(parameters...), unsigned slots, struct error *error, parameters... arguments)
{
    struct grid grid;
    size_t shared_bytes = BUILDER_THREADS / WARP_SIZE * workplace_bytes<word_t>(slots);
    if (gpu_plan_grid((const void *)kernel, BUILDER_THREADS, BUILDER_BLOCKS, shared_bytes, &grid, error) != STATUS_OK)
        return error->status;
    return gpu_launch(kernel, grid, shared_bytes, error, arguments...);
}

template <typename offset_t, typename word_t>
static int count_rows(builder<offset_t, word_t> *builder, struct built *index, struct error *error)
{
    uint32_t n = builder->graph.num_vertices;
    unsigned full = slots_for(builder->plan.bound);
    builder->plan.slots = full < SMALL_SLOTS ? full : SMALL_SLOTS;
    builder->all = {NULL, n};
    if (gpu_allocate(&builder->units, (size_t)n + 1, "the index's rows", error) != STATUS_OK ||
        gpu_allocate(&builder->large_list, n, "the large balls", error) != STATUS_OK ||
        gpu_allocate(&builder->counts, 1, "the index's counts", error) != STATUS_OK ||
        gpu_allocate(&index->rows, n, "the index's rows", error) != STATUS_OK ||
        gpu_check(cudaMemset(builder->counts, 0, sizeof *builder->counts), "counting balls", error) != STATUS_OK ||
        gpu_check(cudaMemset(builder->units + n, 0, sizeof *builder->units), "counting balls", error) != STATUS_OK ||
        launch_builder<word_t>(count_balls<offset_t, word_t>, builder->plan.slots, error, builder->graph,
                               builder->plan, builder->all, index->rows, builder->units, builder->large_list,
                               builder->counts) != STATUS_OK ||
        gpu_download(&index->counts, builder->counts, 1, error) != STATUS_OK)
        return error->status;
    builder->large = {builder->large_list, index->counts.num_large};
    if (builder->large.number == 0)
        return STATUS_OK;
    struct plan plan = builder->plan;
    plan.slots = full;
    if (launch_builder<word_t>(count_balls<offset_t, word_t>, full, error, builder->graph, plan, builder->large,
                               index->rows, builder->units, builder->large_list, builder->counts) != STATUS_OK)
        return error->status;
    return gpu_download(&index->counts, builder->counts, 1, error);
}

template <typename offset_t, typename word_t>
static int fill_rows(const builder<offset_t, word_t> *builder, struct built *index, struct error *error)
{
    uint32_t n = builder->graph.num_vertices;
    word_t *entries = NULL;
    int status = gpu_allocate(&entries, index->counts.num_units * ENTRIES_OF_UNIT<word_t>, "the index", error);
    index->entries = entries;
    struct plan plan = builder->plan;
    if (status != STATUS_OK || gpu_exclusive_scan(builder->units, (size_t)n + 1, error) != STATUS_OK ||
        launch_builder<word_t>(fill_balls<offset_t, word_t>, plan.slots, error, builder->graph, plan, builder->all,
                               (const uint32_t *)builder->units, index->rows, entries) != STATUS_OK)
        return error->status;
    plan.slots = slots_for(plan.bound);
    if (builder->large.number > 0)
        launch_builder<word_t>(fill_balls<offset_t, word_t>, plan.slots, error, builder->graph, plan, builder->large,
                               (const uint32_t *)builder->units, index->rows, entries);
    return error->status == STATUS_OK ? gpu_check(cudaDeviceSynchronize(), "building the index", error)
                                      : error->status;
}

static void free_index(struct built *index)
{
    gpu_free(index->rows);
    gpu_free(index->entries);
    *index = {};
}

/* Builds the index of balls of radius k; *fits: it is within the budget. If not, it is empty. */
template <typename offset_t, typename word_t>
static int build_index(struct run *run, unsigned k, double budget, bool *fits)
{
    struct state *state = (struct state *)run->state;
    struct built *index = &state->index;
    builder<offset_t, word_t> builder = {};
    uint32_t n = run->graph->num_vertices, bound = (uint32_t)run->options[KBALL_MAX_BALL];
    index->k = k;
    index->wide = sizeof(word_t) == sizeof(uint64_t);
    index->distance_bits = bits_of(k);
    builder.graph = csr_of<offset_t>(&state->graph);
    builder.plan = {k, 0, bound < n ? bound : n, index->distance_bits};
    *fits = true;
    if (count_rows(&builder, index, run->error) == STATUS_OK) {
        *fits = index->counts.num_too_long == 0 && index_bytes(run, (double)index->counts.num_units) <= budget;
        if (*fits)
            fill_rows(&builder, index, run->error);
    }
    gpu_free(builder.units);
    gpu_free(builder.large_list);
    gpu_free(builder.counts);
    if (!*fits && run->options[KBALL_K] != 0)
        return error_set(run->error, STATUS_INPUT,
                         "%s: --set k=%u: the index takes %.0f MB, and %.0f are allowed; use a smaller k, k=0, or "
                         "--set index-mb",
                         run->graph->name, k, index_bytes(run, (double)index->counts.num_units) / MEGABYTE,
                         budget / MEGABYTE);
    if (!*fits || run->error->status != STATUS_OK)
        free_index(index);
    return run->error->status;
}

static int build_as_wide_as_needed(struct run *run, unsigned k, double budget, bool *fits)
{
    bool wide_offsets = ((const struct state *)run->state)->graph.wide, wide_entries = takes_wide(run, k);
    if (wide_offsets)
        return wide_entries ? build_index<edge_t, uint64_t>(run, k, budget, fits)
                            : build_index<edge_t, uint32_t>(run, k, budget, fits);
    return wide_entries ? build_index<uint32_t, uint64_t>(run, k, budget, fits)
                        : build_index<uint32_t, uint32_t>(run, k, budget, fits);
}

/* Chooses k and builds the index; leaves k = 0 where none fits or is wanted. Where a sample has promised too much,
 * the next smaller k is tried. */
static int choose_index(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct ball_growth growth;
    double budget;
    unsigned k = (unsigned)run->options[KBALL_K];
    if (find_budget(run, &budget) != STATUS_OK || budget == 0)
        return run->error->status;
    if (k == 0) {
        if (ball_growth_sample(&state->graph, MOST_SAMPLES, (uint32_t)run->options[KBALL_MAX_BALL], &growth,
                               run->error) != STATUS_OK)
            return run->error->status;
        k = choose_radius(run, &growth, budget);
    }
    for (bool fits = false; k > 0 && !fits; k--)
        if (build_as_wide_as_needed(run, k, budget, &fits) != STATUS_OK)
            return run->error->status;
    return STATUS_OK;
}

/* ---- the kernel's instantiations ---- */

template <typename word_t>
using kball_kernel_t = void (*)(struct ball_index<word_t>, struct search, vertex_t);

template <typename word_t>
static kball_kernel_t<word_t> instantiation(const struct state *state)
{
    return state->filter                      ? kball_kernel<word_t, UNROLL_LARGE, true>
           : state->mean_entries < LARGE_MEAN ? kball_kernel<word_t, UNROLL_SMALL, false>
                                              : kball_kernel<word_t, UNROLL_LARGE, false>;
}

static void choose_filter(struct run *run)
{
    struct state *state = (struct state *)run->state;
    double mean = (double)state->index.counts.num_entries / run->graph->num_vertices;
    state->mean_entries = mean;
    state->filter = mean >= FILTER_FROM_MEAN && mean >= FILTER_FROM_LEVEL * state->index.k;
}

static int prepare_rounds(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct error *error = run->error;
    size_t n = run->graph->num_vertices;
    choose_filter(run);
    const void *kernel = state->index.wide ? (const void *)instantiation<uint64_t>(state)
                                           : (const void *)instantiation<uint32_t>(state);
    if (gpu_plan_grid(kernel, THREADS, 1, sizeof(struct shared), &state->grid, error) != STATUS_OK)
        return error->status;
    unsigned blocks = 1;
    while (2 * blocks <= state->grid.blocks && blocks < MOST_BLOCKS)
        blocks *= 2;
    state->grid.blocks = blocks;
    search->num_vertices = (vertex_t)n;
    search->k = state->index.k;
    search->listed = (uint32_t)run->options[KBALL_LIST_SIZE];
    size_t num_words = (size_t)blocks * blocks * 2 * 2;
    if (gpu_allocate(&search->level, (n + 3) / 4 * 4, "the levels", error) != STATUS_OK ||
        gpu_allocate(&search->mailboxes, num_words, "the mailboxes", error) != STATUS_OK ||
        gpu_allocate(&search->overflow, (size_t)blocks * MOST_LISTED * 2 * 2, "the mailboxes", error) != STATUS_OK ||
        gpu_allocate(&search->epoch, 1, "the epoch", error) != STATUS_OK ||
        gpu_allocate(&search->broken, 1, "the mailboxes", error) != STATUS_OK ||
        gpu_check(cudaMemset(search->mailboxes, 0, num_words * sizeof *search->mailboxes), "clearing the mailboxes",
                  error) != STATUS_OK ||
        gpu_check(cudaMemset(search->epoch, 0, sizeof *search->epoch), "clearing the epoch", error) != STATUS_OK)
        return error->status;
    return gpu_check(cudaMemset(search->broken, 0, sizeof *search->broken), "clearing the mailboxes", error);
}

static int prepare_cluster(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct cluster_search *search = &state->cluster;
    struct error *error = run->error;
    const struct gpu_graph *graph = &state->graph;
    size_t n = run->graph->num_vertices, most_spilled = n + run->graph->num_edges / PIECE + 1;
    uint4 *records = NULL;
    const void *kernel = graph->wide ? (const void *)cluster_kernel<edge_t> : (const void *)cluster_kernel<uint32_t>;
    if (gpu_plan_cluster(kernel, THREADS, MOST_OF_CLUSTER, sizeof(struct cluster_shared), &state->grid, error) !=
            STATUS_OK ||
        gpu_allocate(&search->level, n, "the levels", error) != STATUS_OK ||
        gpu_allocate(&search->spilled, most_spilled, "the queue", error) != STATUS_OK ||
        gpu_allocate(&search->num_spilled, NUM_COUNTS, "the queue", error) != STATUS_OK ||
        gpu_allocate(&records, n, "the records", error) != STATUS_OK)
        return error->status;
    search->records = records;
    search->inbox = INBOXES * (uint32_t)run->options[KBALL_LIST_SIZE];
    if (graph->wide)
        return gpu_launch(make_records<edge_t>, gpu_wide_grid(n), 0, error, csr_of<edge_t>(graph), records);
    return gpu_launch(make_records<uint32_t>, gpu_wide_grid(n), 0, error, csr_of<uint32_t>(graph), records);
}

static void describe(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const struct built *index = &state->index;
    const struct ball_counts *counts = &index->counts;
    if (index->k == 0)
        snprintf(run->note, sizeof run->note, "no index%s, one cluster of %u blocks",
                 run->options[KBALL_INDEX_MB] == 0 ? "" : " (none fits in its memory)", state->grid.blocks);
    else
        snprintf(run->note, sizeof run->note,
                 "index: k=%u, %llu entries of %u bits, %.1f a vertex, %.1f MB, %u of a smaller radius; %u blocks%s",
                 index->k, (unsigned long long)counts->num_entries, index->wide ? 64 : 32,
                 (double)counts->num_entries / run->graph->num_vertices,
                 index_bytes(run, (double)counts->num_units) / MEGABYTE, counts->num_cut, state->grid.blocks,
                 state->filter ? ", levels looked at first" : "");
}

int kball_prepare(struct run *run, struct gpu_graph *graph)
{
    struct device *device = run->device;
    double kernel_ms;
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK) {
        gpu_graph_free(graph);
        return run->error->status;
    }
    struct state *state = (struct state *)run->state;
    state->graph = *graph;
    *graph = {};
    device->mark(device, MARK_BEGIN);
    if (choose_index(run) != STATUS_OK ||
        (state->index.k > 0 ? prepare_rounds(run) : prepare_cluster(run)) != STATUS_OK)
        return run->error->status;
    device->mark(device, MARK_END);
    if (device->elapsed(device, &run->build_ms, &kernel_ms, run->error) != STATUS_OK)
        return run->error->status;
    if (wants_parents(run) &&
        gpu_allocate(&state->parent, run->graph->num_vertices, "the parents", run->error) != STATUS_OK)
        return run->error->status;
    if (state->index.k > 0 && !wants_parents(run))
        gpu_graph_free(&state->graph);
    describe(run);
    return gpu_check(cudaDeviceSynchronize(), "preparing", run->error);
}

static int prepare(struct run *run)
{
    struct gpu_graph graph;
    if (gpu_graph_upload(run->graph, run->options[KBALL_OFFSET_BITS] != 0, &graph, run->error) != STATUS_OK) {
        gpu_graph_free(&graph);
        return run->error->status;
    }
    return kball_prepare(run, &graph);
}

/* ---- traversing ---- */

template <typename word_t>
static int launch_rounds(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    const struct ball_index<word_t> index = {
        state->index.rows, (const word_t *)state->index.entries, state->index.distance_bits
    };
    return gpu_launch_persistent(instantiation<word_t>(state), state->grid, sizeof(struct shared), run->error, index,
                                 state->search, source);
}

/* The part of a traversal that reads the CSR: all of it where there is no index, and the parents. */
template <typename offset_t>
static int launch_on_graph(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    csr<offset_t> graph = csr_of<offset_t>(&state->graph);
    const uint32_t *level = state->index.k > 0 ? state->search.level : state->cluster.level;
    if (state->index.k == 0 &&
        gpu_launch_persistent(cluster_kernel<offset_t>, state->grid, sizeof(struct cluster_shared), run->error, graph,
                              state->cluster, source) != STATUS_OK)
        return run->error->status;
    if (wants_parents(run))
        gpu_launch(find_parents<offset_t>, gpu_wide_grid(graph.num_vertices), 0, run->error, graph, level, source,
                   state->parent);
    return run->error->status;
}

int kball_traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    run_kernel_begin(run);
    if (state->index.k > 0 && (state->index.wide ? launch_rounds<uint64_t>(run, query->source)
                                                 : launch_rounds<uint32_t>(run, query->source)) != STATUS_OK)
        return run->error->status;
    if (state->graph.wide)
        launch_on_graph<edge_t>(run, query->source);
    else
        launch_on_graph<uint32_t>(run, query->source);
    run_kernel_end(run);
    return run->error->status;
}

/* STATUS_DEVICE if a wait was broken off. */
static int check_rounds(struct run *run)
{
    struct broken broken;
    if (gpu_download(&broken, ((const struct state *)run->state)->search.broken, 1, run->error) == STATUS_OK &&
        broken.broken)
        error_set(run->error, STATUS_DEVICE,
                  "GPU: bfs kball: block %u waited too long for the message of block %u (epoch %u); stopped",
                  broken.block, broken.waits_for, broken.epoch);
    return run->error->status;
}

int kball_fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    const uint32_t *level = state->index.k > 0 ? state->search.level : state->cluster.level;
    size_t n = run->graph->num_vertices;
    if ((state->index.k > 0 && check_rounds(run) != STATUS_OK) ||
        gpu_download(result->level, level, n, run->error) != STATUS_OK || !wants_parents(run))
        return run->error->status;
    return gpu_download(result->parent, state->parent, n, run->error);
}

void kball_release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct search *search = &state->search;
        const struct cluster_search *cluster = &state->cluster;
        const void *const arrays[] = {search->level,        search->mailboxes, search->overflow, search->epoch,
                                      search->broken,       cluster->level,    cluster->records, cluster->spilled,
                                      cluster->num_spilled, state->parent};
        for (const void *array : arrays)
            gpu_free(array);
        free_index(&state->index);
        gpu_graph_free(&state->graph);
    }
    free(state);
    run->state = NULL;
}

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(bfs_kball) = {
    .family = "bfs",
    .variant = "kball",
    .title = "an index of k-balls, k levels a round",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .options = options,
    .prepare = prepare,
    .traverse = kball_traverse,
    .fetch = kball_fetch,
    .release = kball_release,
};
