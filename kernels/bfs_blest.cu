/* bfs_blest.cu: Blest (Elbek and Kaya 2026), a BFS on tensor cores, as its ablation (table IV) builds it up, and
 * BerryBees (Niu and Casas, PPoPP 2025) as Blest's paper tells it, which the ablation starts from.
 *
 *   berrybees    sections 3, 8: launches for every level; where the frontier is dense a warp a slice set, whether it
 *                is active or not (SpMV), else the active sets gathered and dealt out by slices (SpMSpV);
 *                16 multiplications to 128 slices
 *   blest-a      section 3: a queue of the frontier's virtual slice sets, a warp a VSS, one kernel for all levels
 *   blest-ab     section 5.1: the optimal layout, 2 multiplications to 128 slices
 *   blest-abc    section 4: on the reordered graph, which it asks the harness for
 *   blest-abcd   section 5.2: lazy vertex updates where the update divergence is above 25,000
 *   blest        section 5.3: and, with these, bottom-up levels on CUDA cores when unvisited < eta * |Q|
 *
 * A level pulls: the rows of a slice set that has frontier vertices among its columns test which of these are their
 * in-neighbours, by multiplying their masks with the set's SIGMA bits of the frontier (bvss.h).
 *
 * Where the paper has three grid barriers a level, there is one (two with lazy updates). The paper's third clears the
 * next frontier and the queue's length: here the lengths rotate (below); eager updates need no frontier bitmap, since
 * the levels of a set's SIGMA vertices, one 32-byte sector, tell which of them are in it; lazy ones write every word
 * of the next frontier.
 *
 * Rotating counts. Level k's threads add to counts[k % NUM_COUNTS], which all read after the barrier that ends k; the
 * barrier in the middle of level k reads counts[(k - 1) % NUM_COUNTS] once more. counts[(k + 1) % NUM_COUNTS] was
 * last read in the middle of level k - 1, and every block has since passed the barrier at its end, so that one thread
 * may clear it during level k. A count holds the length of the next queue in its low half and the vertices found
 * (which only lazy updates and BerryBees add) in its high half; neither overflows, as a set is queued once a level.
 *
 * Eager updates. Level k's threads read and write levels freely: a vertex found at level k goes from UNREACHED to k,
 * whoever writes it, and stays. So a thread that still sees UNREACHED is at worst late, and writes the same. Among
 * all the threads that found vertices of a set s at level k, exactly one gets something else than k from
 * atomicExch(queued[s], k), and that one queues the set's VSSs. Which of a set's vertices are in the frontier at
 * level k is whether their level is k - 1: nobody changes that during level k.
 *
 * Lazy updates. During stage 1 only marked changes, by reductions that nobody waits for; during stage 2 and in
 * bottom-up levels, the words of visited, marked and the next frontier belong each to one lane. What a stage reads
 * beyond its own words (the frontier, the queue) is not written until the next barrier; so the frontier may be read
 * by ordinary loads, from L1: the barrier's acquire has dropped what L1 held before.
 *
 * All else that blocks exchange is read with __ldcg or look_if, from L2. */
#include <stdio.h>
#include <stdlib.h>

#include "bfs_blest.h"

namespace BACKEND
{

#define LAZY_ABOVE       25000 /* update divergence, section 7.1 */
#define ETA              10    /* section 5.3 */
#define TRIALS_OF_CHOICE 3u    /* runs with and without switching that decide about it, section 7.1 */
#define DENSE_PERCENT    5
#define EAGER_BLOCKS     2 /* on a multiprocessor, with as many: latency counts, and 64 registers a thread */
#define LAZY_BLOCKS      3 /* throughput counts, and 40 do */
#define COLUMN_MASK      ((1u << SIGMA) - 1)
#define SETS_OF_WORD     (WARP_SIZE / SIGMA) /* slice sets to a word of a bitmap */
#define UNROLL           4u                  /* edges that a lane has in flight, bottom-up */
#define ALONE            64u                 /* edges that a lane tries bottom-up before its warp helps */

/* Device memory of a traversal; arrays that a variant does not use are NULL. num_words = ceil(num_vertices / 32). */
struct search {
    uint32_t *level;                    /* num_sets * SIGMA; UNREACHED until found, and beyond the last vertex */
    uint32_t *queued;                   /* num_sets: the level that last queued the set */
    uint32_t *frontier, *next_frontier; /* num_words: bitmaps, F */
    uint32_t *visited, *marked;         /* num_words: bitmaps, V_curr and V_next; all ones beyond the last vertex */
    uint2 *queue, *next_queue;          /* num_vss: a VSS and its slice set */
    uint64_t *counts;                   /* NUM_COUNTS: vertices found << 32 | VSSs queued */
    struct grid_barrier *barrier;
    struct level_end *trace; /* num_vertices + 2, by level; NULL unless asked for */
};

struct shared {
    uint64_t broadcast;
};

static __device__ __forceinline__ void trace_level(const struct search &search, uint32_t level, enum level_mode mode)
{
    if (search.trace != NULL && is_first_thread())
        search.trace[level] = {nanoseconds(), (uint64_t)mode, 0, 0, 0};
}

/* ---- the multiplication ---- */

enum layout { LAYOUT_BERRYBEES, LAYOUT_OPTIMAL };

/* BerryBees' layout: A holds a slice in each of its eight rows, B's first column is alpha, so that 8 of 64 products
 * are of use. Lane 4r + q has the slices of lane 8q + r on the way in, and lane 4r the products of all of these on
 * the way out. */
static __device__ __forceinline__ unsigned pull_by_rows(uint32_t masks, uint32_t alpha)
{
    const unsigned rows = 8, words = 4; /* of A: words of 32 bits to a row */
    uint32_t of_row = __shfl_sync(WHOLE_WARP, masks, (int)(lane_id() % words * rows + lane_id() / words));
    unsigned hits = 0;
#pragma unroll
    for (unsigned word = 0; word < words; word++)
#pragma unroll
        for (unsigned c = 0; c < THETA; c++) {
            int products[2] = {0, 0};
            uint32_t a = lane_id() % words == word ? of_row >> c * SIGMA & COLUMN_MASK : 0;
            binary_mma(products, a, lane_id() == word ? alpha : 0);
            hits |= (unsigned)(products[0] > 0) << (word * THETA + c);
        }
    hits = __shfl_sync(WHOLE_WARP, hits, (int)(lane_id() % rows * words));
    return hits >> lane_id() / rows * THETA & ((1u << THETA) - 1);
}

/* Which of a lane's THETA slices have a neighbour among the frontier's columns alpha: bit c, column c. All lanes of
 * the warp must come, with the same alpha. */
template <enum layout layout>
static __device__ __forceinline__ unsigned pull(uint32_t masks, uint32_t alpha)
{
    if (layout == LAYOUT_BERRYBEES)
        return pull_by_rows(masks, alpha);
    int products[THETA];
    unsigned hits = 0;
    multiply_by_lanes(masks, alpha, products);
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        hits |= (unsigned)(products[c] > 0) << c;
    return hits;
}

/* ---- queues of VSSs ---- */

/* Queues the slice sets of those vertices that `fresh` has set in the bitmap word of this number, and counts these.
 * All lanes of the warp must come. */
static __device__ __forceinline__ void enqueue_word(const struct bvss &bvss, uint2 *queue, uint64_t *count,
                                                    uint32_t word, uint32_t fresh)
{
    struct range ranges[THETA];
    static_assert(THETA == SETS_OF_WORD, "a lane queues the sets of one word");
#pragma unroll
    for (unsigned i = 0; i < SETS_OF_WORD; i++) {
        bool active = (fresh >> i * SIGMA & COLUMN_MASK) != 0;
        uint32_t set = word * SETS_OF_WORD + i;
        ranges[i] = {set, load_if(active, &bvss.real_ptrs[set]), load_if(active, &bvss.real_ptrs[set + 1])};
    }
    enqueue(queue, count, (uint32_t)__popc(fresh), ranges);
}

/* ---- a warp's way through a queue ---- */

/* What a lane has of a VSS, loaded while its warp works on the one before. frontier: of the set's columns, the bits
 * (lazy), or the levels, a lane each (eager). */
struct tile {
    uint4 rows;
    uint32_t masks, frontier;
};

/* Calls use(tile) for every entry of the queue that is the warp's. frontier_of(slice set) gives the tile's. */
template <typename frontier_t, typename use_t>
static __device__ __forceinline__ void for_each_vss(const struct bvss &bvss, const uint2 *queue, uint32_t size,
                                                    struct team team, frontier_t frontier_of, use_t use)
{
    auto load = [&](uint2 entry) {
        struct tile tile = {};
        size_t at = (size_t)entry.x * WARP_SIZE + lane_id();
        if (entry.y != NO_VERTEX)
            tile = {__ldg(&bvss.row_ids[at]), __ldg(&bvss.masks[at]), frontier_of(entry.y)};
        return tile;
    };
    for_each_entry(queue, size, team, load, use);
}

/* ---- eager updates: algorithm 2 ---- */

/* The level of column `lane` of the set: a lane a column, beyond them UNREACHED. */
static __device__ __forceinline__ uint32_t level_of_column(const uint32_t *level, uint32_t set)
{
    return look_if(lane_id() < SIGMA, &level[(size_t)set * SIGMA + lane_id()]);
}

/* Gives the rows that were hit and not reached yet this level; returns which: bit c, column c. */
static __device__ __forceinline__ unsigned reach(uint32_t *levels, const vertex_t (&row)[THETA], unsigned hits,
                                                 uint32_t level)
{
    uint32_t before[THETA];
    unsigned fresh = 0;
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        before[c] = look_if(hits >> c & 1, &levels[row[c]]);
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        if ((hits >> c & 1) && before[c] == UNREACHED) {
            __stcg(&levels[row[c]], level);
            fresh |= 1u << c;
        }
    return fresh;
}

template <enum layout layout>
static __device__ __forceinline__ void update_eagerly(const struct bvss &bvss, const struct search &search,
                                                      const struct tile &tile, uint32_t level, uint2 *queue,
                                                      uint64_t *count)
{
    const vertex_t row[THETA] = {tile.rows.x, tile.rows.y, tile.rows.z, tile.rows.w};
    unsigned hits = pull<layout>(tile.masks, __ballot_sync(WHOLE_WARP, tile.frontier == level - 1));
    struct range ranges[THETA];
#pragma unroll
    for (unsigned c = 0; c < THETA; c++) { /* before it is known who needs them: they arrive with the rows' levels */
        uint32_t set = row[c] / SIGMA;
        bool hit = hits >> c & 1;
        ranges[c] = {set, load_if(hit, &bvss.real_ptrs[set]), load_if(hit, &bvss.real_ptrs[set + 1])};
    }
    unsigned fresh = reach(search.level, row, hits, level);
    uint32_t queued[THETA];
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        queued[c] = exchange_if(fresh >> c & 1, &search.queued[ranges[c].set], level);
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        if (!(fresh >> c & 1) || queued[c] == level)
            ranges[c].first = ranges[c].end;
    enqueue(queue, count, 0, ranges);
}

/* What a count holds at the kernel's start: to all threads of the block. */
static __device__ __forceinline__ uint64_t first_count(const struct search &search, struct shared *shared)
{
    if (threadIdx.x == 0)
        shared->broadcast = __ldcg(&search.counts[0]);
    __syncthreads();
    return shared->broadcast;
}

template <enum layout layout>
__global__ void __launch_bounds__(MOST_THREADS, EAGER_BLOCKS) blest_kernel(struct bvss bvss, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = warps_of_grid();
    uint2 *queue = search.queue, *next_queue = search.next_queue;
    uint64_t now = first_count(search, shared);
    trace_level(search, 0, LEVEL_TOP_DOWN);
    for (uint32_t level = 1; now != 0; level++) {
        uint64_t *count = &search.counts[level % NUM_COUNTS];
        for_each_vss(
            bvss, queue, (uint32_t)now, team, [&](uint32_t set) { return level_of_column(search.level, set); },
            [&](const struct tile &tile) { update_eagerly<layout>(bvss, search, tile, level, next_queue, count); });
        if (is_first_thread())
            search.counts[(level + 1) % NUM_COUNTS] = 0;
        uint2 *swap = queue;
        queue = next_queue;
        next_queue = swap;
        now = grid_wait(search.barrier, count, &shared->broadcast);
        if (now == UINT64_MAX)
            return;
        trace_level(search, level, LEVEL_TOP_DOWN);
    }
}

/* ---- lazy updates: algorithm 3 ---- */

/* Stage 1: marks every row that is hit, visited or not. */
static __device__ __forceinline__ void mark_lazily(const struct bvss &bvss, const struct search &search,
                                                   const uint32_t *frontier, const uint2 *queue, uint32_t size,
                                                   struct team team)
{
    for_each_vss(
        bvss, queue, size, team, [&](uint32_t set) -> uint32_t { return ((const unsigned char *)frontier)[set]; },
        [&](const struct tile &tile) {
            const vertex_t row[THETA] = {tile.rows.x, tile.rows.y, tile.rows.z, tile.rows.w};
            unsigned hits = pull<LAYOUT_OPTIMAL>(tile.masks, __shfl_sync(WHOLE_WARP, tile.frontier, 0));
#pragma unroll
            for (unsigned c = 0; c < THETA; c++)
                if (hits >> c & 1)
                    atomicOr(&search.marked[row[c] / WARP_SIZE], 1u << row[c] % WARP_SIZE);
        });
}

/* Stage 2: what is newly marked becomes the next frontier; a lane a word. */
static __device__ __forceinline__ void finalize(const struct bvss &bvss, const struct search &search,
                                                uint32_t num_words, uint32_t level, uint32_t *next_frontier,
                                                uint2 *queue, uint64_t *count, struct team team)
{
    for (uint64_t base = (uint64_t)team.warp * WARP_SIZE; base < num_words; base += team.num_warps * WARP_SIZE) {
        uint64_t word = base + lane_id();
        bool has = word < num_words;
        uint32_t marked = has ? __ldcg(&search.marked[word]) : 0, visited = has ? __ldcg(&search.visited[word]) : 0;
        uint32_t fresh = marked ^ visited;
        if (has)
            __stcg(&next_frontier[word], fresh);
        if (fresh != 0)
            __stcg(&search.visited[word], marked);
        for (unsigned words = __ballot_sync(WHOLE_WARP, fresh != 0); words != 0; words &= words - 1) {
            int owner = __ffs((int)words) - 1; /* its 32 levels at once, a lane each */
            if (__shfl_sync(WHOLE_WARP, fresh, owner) >> lane_id() & 1)
                __stcg(&search.level[(base + (unsigned)owner) * WARP_SIZE + lane_id()], level);
        }
        enqueue_word(bvss, queue, count, (uint32_t)word, fresh);
    }
}

/* ---- bottom-up: algorithm 4 ---- */

/* Whether one of the edges edge, edge + stride, ... (UNROLL of them, before end) comes from the frontier. */
template <typename offset_t>
static __device__ __forceinline__ bool comes_from(const csr<offset_t> &in_edges, const uint32_t *frontier,
                                                  offset_t edge, offset_t end, unsigned stride)
{
    vertex_t neighbour[UNROLL];
    uint32_t bits = 0;
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        neighbour[i] = edge + i * stride < end ? in_edges.targets[edge + i * stride] : NO_VERTEX;
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        if (neighbour[i] != NO_VERTEX)
            bits |= frontier[neighbour[i] / WARP_SIZE] >> neighbour[i] % WARP_SIZE;
    return bits & 1;
}

/* Whether a lane's vertex has an in-neighbour in the frontier; false where it does not ask. All lanes must come. */
template <typename offset_t>
static __device__ __forceinline__ bool pull_by_edges(const csr<offset_t> &in_edges, const uint32_t *frontier,
                                                     bool asks, uint32_t vertex)
{
    bool found = false;
    offset_t edge = 0, end = 0;
    if (asks) {
        edge = in_edges.offsets[vertex];
        end = in_edges.offsets[vertex + 1];
    }
    for (unsigned tried = 0; tried < ALONE && !found && edge < end; tried += UNROLL, edge += UNROLL)
        found = comes_from(in_edges, frontier, edge, end, 1);
    for (unsigned left = __ballot_sync(WHOLE_WARP, !found && edge < end); left != 0; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        offset_t at = __shfl_sync(WHOLE_WARP, edge, owner), last = __shfl_sync(WHOLE_WARP, end, owner);
        bool any = false;
        for (; !any && at < last; at += UNROLL * WARP_SIZE)
            any = __any_sync(WHOLE_WARP, comes_from(in_edges, frontier, (offset_t)(at + lane_id()), last, WARP_SIZE));
        if ((int)lane_id() == owner)
            found = any;
    }
    return found;
}

/* A level of unvisited vertices that look for a neighbour in the frontier; both stages in one, since a warp has its
 * words to itself. A warp takes up to 32 words, one after the other, fewer where there would not be enough for all
 * warps; they lie apart, since unvisited vertices lie in clusters. */
template <typename offset_t>
static __device__ __forceinline__ void go_bottom_up(const csr<offset_t> &in_edges, const struct bvss &bvss,
                                                    const struct search &search, uint32_t num_words, uint32_t level,
                                                    const uint32_t *frontier, uint32_t *next_frontier, uint2 *queue,
                                                    uint64_t *count, struct team team)
{
    uint32_t words_of_warp = min(max(num_words / team.num_warps, 1u), WARP_SIZE);
    uint32_t stride = (num_words + words_of_warp - 1) / words_of_warp;
    for (uint32_t first = team.warp; first < stride; first += team.num_warps) {
        uint64_t word = first + (uint64_t)lane_id() * stride;
        bool has = lane_id() < words_of_warp && word < num_words;
        uint32_t visited = has ? __ldcg(&search.visited[word]) : UINT32_MAX, fresh = 0;
        for (unsigned left = __ballot_sync(WHOLE_WARP, visited != UINT32_MAX); left != 0; left &= left - 1) {
            int owner = __ffs((int)left) - 1;
            bool asks = !(__shfl_sync(WHOLE_WARP, visited, owner) >> lane_id() & 1);
            uint32_t vertex = (first + (uint32_t)owner * stride) * WARP_SIZE + lane_id();
            bool found = pull_by_edges(in_edges, frontier, asks, vertex);
            unsigned all_found = __ballot_sync(WHOLE_WARP, found);
            if (found)
                __stcg(&search.level[vertex], level);
            if ((int)lane_id() == owner)
                fresh = all_found;
        }
        if (has)
            __stcg(&next_frontier[word], fresh);
        if (fresh != 0) {
            __stcg(&search.visited[word], visited | fresh);
            __stcg(&search.marked[word], visited | fresh);
        }
        enqueue_word(bvss, queue, count, (uint32_t)word, fresh);
    }
}

/* eta: 0 for never bottom-up; in_edges is not used then. */
template <typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS, LAZY_BLOCKS)
    blest_lazy_kernel(csr<offset_t> in_edges, struct bvss bvss, struct search search, uint32_t eta)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = warps_of_grid();
    uint32_t num_words = (bvss.num_vertices - 1) / WARP_SIZE + 1, unvisited = bvss.num_vertices;
    uint2 *queue = search.queue, *next_queue = search.next_queue;
    uint32_t *frontier = search.frontier, *next_frontier = search.next_frontier;
    uint64_t now = first_count(search, shared);
    trace_level(search, 0, LEVEL_TOP_DOWN);
    for (uint32_t level = 1; (uint32_t)now != 0; level++) {
        uint64_t *count = &search.counts[level % NUM_COUNTS];
        uint32_t size = (uint32_t)now;
        unvisited -= (uint32_t)(now >> 32);
        enum level_mode mode = unvisited < (uint64_t)eta * size ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN;
        if (mode == LEVEL_BOTTOM_UP) {
            go_bottom_up(in_edges, bvss, search, num_words, level, frontier, next_frontier, next_queue, count, team);
        } else {
            mark_lazily(bvss, search, frontier, queue, size, team);
            if (grid_wait(search.barrier, &search.counts[(level - 1) % NUM_COUNTS], &shared->broadcast) == UINT64_MAX)
                return;
            finalize(bvss, search, num_words, level, next_frontier, next_queue, count, team);
        }
        if (is_first_thread())
            search.counts[(level + 1) % NUM_COUNTS] = 0;
        uint2 *swap_queue = queue;
        queue = next_queue;
        next_queue = swap_queue;
        uint32_t *swap_frontier = frontier;
        frontier = next_frontier;
        next_frontier = swap_frontier;
        now = grid_wait(search.barrier, count, &shared->broadcast);
        if (now == UINT64_MAX)
            return;
        trace_level(search, level, mode);
    }
}

/* ---- BerryBees ---- */

enum { GATHERED, FOUND }; /* its counts: VSSs of the active sets; vertices found */

/* A VSS with BerryBees' layout and updates; returns how many vertices the lane was the first to find. */
static __device__ __forceinline__ uint32_t multiply(const struct bvss &bvss, const struct search &search,
                                                    uint64_t vss, uint32_t alpha, uint32_t level)
{
    uint4 rows = __ldg(&bvss.row_ids[vss * WARP_SIZE + lane_id()]);
    const vertex_t row[THETA] = {rows.x, rows.y, rows.z, rows.w};
    unsigned hits = pull<LAYOUT_BERRYBEES>(__ldg(&bvss.masks[vss * WARP_SIZE + lane_id()]), alpha);
    unsigned fresh = reach(search.level, row, hits, level);
    uint32_t found = 0;
#pragma unroll
    for (unsigned c = 0; c < THETA; c++) {
        uint32_t bit = 1u << row[c] % WARP_SIZE;
        found += !(or_if(fresh >> c & 1, &search.next_frontier[row[c] / WARP_SIZE], bit) & bit);
    }
    return found;
}

static __device__ __forceinline__ uint32_t columns_in_frontier(const struct search &search, uint32_t set)
{
    return ((const unsigned char *)search.frontier)[set];
}

static __device__ __forceinline__ void add_found(const struct search &search, uint32_t found)
{
    found = __reduce_add_sync(WHOLE_WARP, found);
    if (lane_id() == 0 && found > 0)
        atomicAdd((unsigned long long *)&search.counts[FOUND], (unsigned long long)found);
}

/* SpMV: every slice set has its warp, which leaves where none of the columns is in the frontier. */
__global__ void __launch_bounds__(MOST_THREADS, EAGER_BLOCKS)
    berrybees_spmv(struct bvss bvss, struct search search, uint32_t level)
{
    struct team team = warps_of_grid();
    uint32_t found = 0;
    for (uint64_t set = team.warp; set < bvss.num_sets; set += team.num_warps) {
        uint32_t alpha = columns_in_frontier(search, (uint32_t)set);
        uint32_t end = alpha != 0 ? bvss.real_ptrs[set + 1] : 0;
        for (uint32_t vss = alpha != 0 ? bvss.real_ptrs[set] : 0; vss < end; vss++)
            found += multiply(bvss, search, vss, alpha, level);
    }
    add_found(search, found);
}

/* SpMSpV, first part: the slice sets with columns in the frontier, in pieces of as many slices. */
__global__ void __launch_bounds__(MOST_THREADS, EAGER_BLOCKS) berrybees_gather(struct bvss bvss, struct search search)
{
    struct team team = warps_of_grid();
    uint32_t num_words = (bvss.num_vertices - 1) / WARP_SIZE + 1;
    for (uint64_t base = (uint64_t)team.warp * WARP_SIZE; base < num_words; base += team.num_warps * WARP_SIZE) {
        uint64_t word = base + lane_id();
        enqueue_word(bvss, search.queue, &search.counts[GATHERED], (uint32_t)word,
                     word < num_words ? search.frontier[word] : 0);
    }
}

/* SpMSpV, second part. */
__global__ void __launch_bounds__(MOST_THREADS, EAGER_BLOCKS)
    berrybees_spmspv(struct bvss bvss, struct search search, uint32_t level)
{
    struct team team = warps_of_grid();
    uint32_t size = (uint32_t)search.counts[GATHERED], found = 0;
    for (uint64_t i = team.warp; i < size; i += team.num_warps) {
        uint2 entry = search.queue[i];
        found += multiply(bvss, search, entry.x, columns_in_frontier(search, entry.y), level);
    }
    add_found(search, found);
}

/* ---- host side ---- */

/* What a variant adds to the one before it. */
struct features {
    bool fused; /* one persistent kernel */
    enum layout layout;
    bool lazy, switches;
};
static const struct features berrybees = {false, LAYOUT_BERRYBEES, false, false},
                             variant_a = {true, LAYOUT_BERRYBEES, false, false},
                             variant_ab = {true, LAYOUT_OPTIMAL, false, false},
                             variant_abcd = {true, LAYOUT_OPTIMAL, true, false},
                             variant_full = {true, LAYOUT_OPTIMAL, true, true};

enum { BLOCK_SIZE, BLOCKS_PER_SM, OWN_OPTION, ETA_OPTION, SWITCH_OPTION, OFFSET_BITS, TRACE };
enum { SWITCH_AUTO, SWITCH_ALWAYS, SWITCH_NEVER };
#define GRID_OPTIONS(blocks)                                                                                         \
    {"block-size", MOST_THREADS, 32, MOST_THREADS, NULL, "threads of a block, a multiple of 32"},                    \
    {                                                                                                                \
        "blocks-per-sm", blocks, 1, 32, NULL, "blocks on each multiprocessor, as far as they fit"                    \
    }
#define LAZY_OPTION                                                                                                  \
    {                                                                                                                \
        "lazy-above", LAZY_ABOVE, 0, UINT32_MAX, NULL, "update divergence above which vertices are updated lazily"   \
    }
static const struct option_spec berrybees_options[] = {
    GRID_OPTIONS(EAGER_BLOCKS),
    {"dense-percent", DENSE_PERCENT, 0, 100, NULL, "SpMV while the frontier has more percent of the vertices"},
    {},
};
static const struct option_spec eager_options[] = {GRID_OPTIONS(EAGER_BLOCKS), {}};
static const struct option_spec lazy_options[] = {GRID_OPTIONS(LAZY_BLOCKS), LAZY_OPTION, {}};
static const struct option_spec full_options[] = {
    GRID_OPTIONS(LAZY_BLOCKS),
    LAZY_OPTION,
    {"eta", ETA, 0, 1 << 20, NULL, "bottom-up while the unvisited vertices are fewer than eta times the queue"},
    {"switch", SWITCH_AUTO, 0, 0, "auto|always|never",
     "bottom-up levels: with lazy updates if three trials say so; always, with lazy updates whatever the divergence"},
    {"offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"},
    {"trace", 0, 0, 1, NULL, "1: every level's frontier, mode and time, in traces/ beside the records (--csv)"},
    {},
};

struct state {
    const struct features *features;
    struct gpu_graph in_edges; /* of bottom-up levels */
    struct bvss bvss;
    struct search search;
    size_t num_words;
    bool lazy, switching;
    struct grid grid;
};

/* ---- preparing ---- */

static bool wants_wide(const struct run *run)
{
    return ((const struct state *)run->state)->features->switches && run->options[OFFSET_BITS] != 0;
}

/* The BVSS of the graph, timed; and, where a level may go bottom-up, the in-edges. */
static int build_formats(struct run *run)
{
    const struct graph *graph = run->graph;
    struct state *state = (struct state *)run->state;
    struct device *device = run->device;
    struct gpu_graph out_edges = {};
    double kernel_ms;
    if (gpu_graph_upload(graph, wants_wide(run), &out_edges, run->error) == STATUS_OK) {
        device->mark(device, MARK_BEGIN);
        bvss_build(&out_edges, &state->bvss, run->error);
        device->mark(device, MARK_END);
        if (run->error->status == STATUS_OK)
            device->elapsed(device, &run->build_ms, &kernel_ms, run->error);
    }
    if (run->error->status == STATUS_OK && state->features->switches && graph->symmetric) {
        state->in_edges = out_edges;
        return STATUS_OK;
    }
    gpu_graph_free(&out_edges);
    return run->error->status;
}

/* In-edges of a directed graph. */
static int upload_transpose(struct run *run, struct gpu_graph *in_edges)
{
    struct graph transpose = {};
    if (graph_transpose(run->graph, &transpose, run->error) == STATUS_OK)
        gpu_graph_upload(&transpose, wants_wide(run), in_edges, run->error);
    graph_release(&transpose);
    return run->error->status;
}

static int allocate_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct error *error = run->error;
    size_t num_sets = state->bvss.num_sets, num_vss = state->bvss.num_vss, words = state->num_words;
    bool bitmaps = state->lazy || !state->features->fused;
    if (gpu_allocate(&search->level, num_sets * SIGMA, "the levels", error) != STATUS_OK ||
        gpu_allocate(&search->queue, num_vss, "the queue of VSSs", error) != STATUS_OK ||
        gpu_allocate(&search->counts, NUM_COUNTS, "the counts", error) != STATUS_OK ||
        gpu_allocate(&search->barrier, 1, "the barrier", error) != STATUS_OK)
        return error->status;
    if (state->features->fused && gpu_allocate(&search->next_queue, num_vss, "the queue of VSSs", error) != STATUS_OK)
        return error->status;
    if (!bitmaps)
        return gpu_allocate(&search->queued, num_sets, "the queued levels", error);
    if (gpu_allocate(&search->frontier, words, "the frontier", error) != STATUS_OK ||
        gpu_allocate(&search->next_frontier, words, "the frontier", error) != STATUS_OK || !state->lazy ||
        gpu_allocate(&search->visited, words, "the visited bitmap", error) != STATUS_OK)
        return error->status;
    return gpu_allocate(&search->marked, words, "the visited bitmap", error);
}

static bool wants_trace(const struct run *run)
{
    return ((const struct state *)run->state)->features->switches && run->options[TRACE] != 0;
}

typedef void (*eager_kernel_t)(struct bvss, struct search);

static eager_kernel_t eager_kernel(const struct state *state)
{
    return state->features->layout == LAYOUT_OPTIMAL ? blest_kernel<LAYOUT_OPTIMAL> : blest_kernel<LAYOUT_BERRYBEES>;
}

/* The kernel that a traversal's grid is planned for. */
static const void *main_kernel(const struct state *state)
{
    if (!state->features->fused)
        return (const void *)berrybees_spmspv;
    if (!state->lazy)
        return (const void *)eager_kernel(state);
    return state->in_edges.wide ? (const void *)blest_lazy_kernel<edge_t> : (const void *)blest_lazy_kernel<uint32_t>;
}

static int choose_switching(struct run *run);

/* Scripts read it, too (scripts/blest.py). */
static void describe(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const struct bvss *bvss = &state->bvss;
    const char *updates = !state->features->lazy ? "" : state->lazy ? ", lazy" : ", eager";
    const char *switching = !state->features->switches ? "" : state->switching ? ", switching" : ", not switching";
    snprintf(run->note, sizeof run->note,
             "BVSS: %u VSSs of %llu slices, compression ratio %.3f, update divergence %.0f%s%s", bvss->num_vss,
             (unsigned long long)bvss->num_slices, bvss->compression_ratio, bvss->update_divergence, updates,
             switching);
}

static int prepare(struct run *run, const struct features *features)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    unsigned threads = (unsigned)run->options[BLOCK_SIZE];
    state->features = features;
    state->num_words = ((size_t)run->graph->num_vertices + WARP_SIZE - 1) / WARP_SIZE;
    if (threads % WARP_SIZE != 0)
        return error_set(run->error, STATUS_INPUT, "--set block-size=%u: expected a multiple of 32", threads);
    if (build_formats(run) != STATUS_OK)
        return run->error->status;
    int choice = features->switches ? (int)run->options[SWITCH_OPTION] : SWITCH_NEVER;
    state->lazy =
        features->lazy && (choice == SWITCH_ALWAYS || state->bvss.update_divergence > run->options[OWN_OPTION]);
    state->switching = state->lazy && choice != SWITCH_NEVER;
    if (state->switching && !run->graph->symmetric && upload_transpose(run, &state->in_edges) != STATUS_OK)
        return run->error->status;
    if (allocate_search(run) != STATUS_OK ||
        gpu_check(cudaMemset(state->search.barrier, 0, sizeof *state->search.barrier), "the barrier", run->error) !=
            STATUS_OK ||
        gpu_plan_grid(main_kernel(state), threads, (unsigned)run->options[BLOCKS_PER_SM], sizeof(struct shared),
                      &state->grid, run->error) != STATUS_OK)
        return run->error->status;
    if (wants_trace(run) && gpu_allocate(&state->search.trace, (size_t)run->graph->num_vertices + 2, "the trace",
                                         run->error) != STATUS_OK)
        return run->error->status;
    if (state->switching && choice == SWITCH_AUTO && choose_switching(run) != STATUS_OK)
        return run->error->status;
    if (!state->switching)
        gpu_graph_free(&state->in_edges);
    describe(run);
    return STATUS_OK;
}

static int prepare_berrybees(struct run *run)
{
    return prepare(run, &berrybees);
}
static int prepare_a(struct run *run)
{
    return prepare(run, &variant_a);
}
static int prepare_ab(struct run *run)
{
    return prepare(run, &variant_ab);
}
static int prepare_abcd(struct run *run)
{
    return prepare(run, &variant_abcd);
}
static int prepare_full(struct run *run)
{
    return prepare(run, &variant_full);
}

/* ---- traversing ---- */

/* Puts the source into the first frontier, and its set's VSSs into the first queue; one warp. */
__global__ void seed_frontier(struct bvss bvss, struct search search, vertex_t source)
{
    uint32_t set = source / SIGMA, first = bvss.real_ptrs[set], size = bvss.real_ptrs[set + 1] - first;
    uint32_t word = source / WARP_SIZE, bit = 1u << source % WARP_SIZE;
    for (uint32_t i = lane_id(); i < size; i += WARP_SIZE)
        search.queue[i] = make_uint2(first + i, set);
    if (lane_id() != 0)
        return;
    search.level[source] = 0;
    search.counts[0] = 1ull << 32 | size;
    if (search.frontier != NULL)
        search.frontier[word] = bit;
    if (search.visited != NULL) {
        uint32_t last = (bvss.num_vertices - 1) / WARP_SIZE, used = bvss.num_vertices % WARP_SIZE;
        uint32_t beyond = used == 0 ? 0 : UINT32_MAX << used;
        search.visited[last] = search.marked[last] = beyond;
        search.visited[word] = search.marked[word] = (word == last ? beyond : 0) | bit;
    }
}

static int reset(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    size_t num_sets = state->bvss.num_sets, bitmap_bytes = state->num_words * sizeof *search->frontier;
    uint32_t *const bitmaps[] = {search->frontier, search->next_frontier, search->visited, search->marked};
    cudaMemsetAsync(search->level, 0xff, num_sets * SIGMA * sizeof *search->level); /* UNREACHED */
    for (uint32_t *bitmap : bitmaps)
        if (bitmap != NULL)
            cudaMemsetAsync(bitmap, 0, bitmap_bytes);
    if (search->queued != NULL)
        cudaMemsetAsync(search->queued, 0, num_sets * sizeof *search->queued);
    if (search->trace != NULL)
        cudaMemsetAsync(search->trace, 0, ((size_t)run->graph->num_vertices + 2) * sizeof *search->trace);
    cudaMemsetAsync(search->counts, 0, NUM_COUNTS * sizeof *search->counts);
    cudaMemsetAsync(&search->barrier->arrived, 0, sizeof search->barrier->arrived); /* broken is for good */
    gpu_check(cudaGetLastError(), "resetting a traversal", run->error);
    return gpu_launch(seed_frontier, {1, WARP_SIZE}, 0, run->error, state->bvss, *search, source);
}

static int launch_lazy(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const struct gpu_graph *in_edges = &state->in_edges;
    uint32_t eta = state->switching ? (uint32_t)run->options[ETA_OPTION] : 0;
    size_t shared_bytes = sizeof(struct shared);
    if (in_edges->wide)
        return gpu_launch_persistent(blest_lazy_kernel<edge_t>, state->grid, shared_bytes, run->error,
                                     csr_of<edge_t>(in_edges), state->bvss, state->search, eta);
    return gpu_launch_persistent(blest_lazy_kernel<uint32_t>, state->grid, shared_bytes, run->error,
                                 csr_of<uint32_t>(in_edges), state->bvss, state->search, eta);
}

static int launch_blest(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    if (state->lazy)
        return launch_lazy(run);
    return gpu_launch_persistent(eager_kernel(state), state->grid, sizeof(struct shared), run->error, state->bvss,
                                 state->search);
}

static int traverse_blest(struct run *run, const struct query *query)
{
    if (reset(run, query->source) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    launch_blest(run);
    run_kernel_end(run);
    return run->error->status;
}

/* One level of BerryBees; *found: before, the frontier's vertices, after, the next one's. */
static int run_level(struct run *run, const struct search *search, uint32_t level, uint64_t *found)
{
    const struct state *state = (const struct state *)run->state;
    double percent = 100.0 * (double)*found / run->graph->num_vertices;
    cudaMemsetAsync(search->counts, 0, NUM_COUNTS * sizeof *search->counts);
    if (percent > run->options[OWN_OPTION])
        gpu_launch(berrybees_spmv, state->grid, 0, run->error, state->bvss, *search, level);
    else if (gpu_launch(berrybees_gather, state->grid, 0, run->error, state->bvss, *search) == STATUS_OK)
        gpu_launch(berrybees_spmspv, state->grid, 0, run->error, state->bvss, *search, level);
    if (run->error->status != STATUS_OK)
        return run->error->status;
    cudaMemsetAsync(search->frontier, 0, state->num_words * sizeof *search->frontier);
    return gpu_download(found, &search->counts[FOUND], 1, run->error);
}

static int traverse_berrybees(struct run *run, const struct query *query)
{
    struct search search = ((const struct state *)run->state)->search;
    if (reset(run, query->source) != STATUS_OK)
        return run->error->status;
    uint64_t found = 1;
    run_kernel_begin(run);
    for (uint32_t level = 1; found > 0 && run_level(run, &search, level, &found) == STATUS_OK; level++) {
        uint32_t *swap = search.frontier;
        search.frontier = search.next_frontier;
        search.next_frontier = swap;
    }
    run_kernel_end(run);
    return run->error->status;
}

/* Kernel time of a run from the source, with or without bottom-up levels. */
static int time_run(struct run *run, vertex_t source, bool switching, double *kernel_ms)
{
    struct device *device = run->device;
    struct query query = {source};
    double time_ms;
    ((struct state *)run->state)->switching = switching;
    device->mark(device, MARK_BEGIN);
    int status = traverse_blest(run, &query);
    device->mark(device, MARK_END);
    return status == STATUS_OK ? device->elapsed(device, &time_ms, kernel_ms, run->error) : status;
}

/* Section 7.1: bottom-up levels only if they are faster on some runs, from any vertices that have edges (a graph of
 * some divergence has such); the first pair of runs does not count. */
static int choose_switching(struct run *run)
{
    double total_ms[2] = {0, 0}, kernel_ms = 0;
    uint64_t random = 0;
    for (unsigned trial = 0; trial <= TRIALS_OF_CHOICE; trial++) {
        vertex_t source;
        do {
            random = random * 6364136223846793005ull + 1442695040888963407ull;
            source = (vertex_t)((random >> 32) % run->graph->num_vertices);
        } while (graph_degree(run->graph, source) == 0);
        for (int switching = 0; switching < 2; switching++) {
            if (time_run(run, source, switching, &kernel_ms) != STATUS_OK)
                return run->error->status;
            total_ms[switching] += trial > 0 ? kernel_ms : 0;
        }
    }
    ((struct state *)run->state)->switching = total_ms[1] < total_ms[0];
    return STATUS_OK;
}

/* ---- results ---- */

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    if (gpu_check_barrier(state->search.barrier, "bfs blest", run->error) != STATUS_OK ||
        gpu_download(result->level, state->search.level, run->graph->num_vertices, run->error) != STATUS_OK ||
        state->search.trace == NULL)
        return run->error->status;
    return gpu_fetch_trace(run, state->search.trace, NULL, result);
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct search *search = &state->search;
        const void *const arrays[] = {search->level,  search->queued,        search->frontier, search->visited,
                                      search->marked, search->next_frontier, search->queue,    search->next_queue,
                                      search->counts, search->barrier,       search->trace};
        for (const void *array : arrays)
            gpu_free(array);
        bvss_free(&state->bvss);
        gpu_graph_free(&state->in_edges);
    }
    free(state);
}

/* ---- for other algorithms ---- */

int blest_prepare(struct run *run)
{
    for (int i = 0; full_options[i].name != NULL; i++)
        run->options[i] = full_options[i].default_value;
    return prepare_full(run);
}

size_t blest_row_length(const struct run *run)
{
    return (size_t)((const struct state *)run->state)->bvss.num_sets * SIGMA;
}

int blest_search(struct run *run, vertex_t source, uint32_t *level)
{
    struct search *search = &((struct state *)run->state)->search;
    uint32_t *own = search->level;
    search->level = level;
    if (reset(run, source) == STATUS_OK)
        launch_blest(run);
    search->level = own;
    return run->error->status;
}

int blest_check(struct run *run)
{
    return gpu_check_barrier(((const struct state *)run->state)->search.barrier, "bfs blest", run->error);
}

void blest_release(struct run *run)
{
    release(run);
}

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(bfs_blest) = {
    .family = "bfs",
    .variant = "blest",
    .title = "Blest, full: lazy updates and switching",
    .citation = "Elbek and Kaya 2026, 5.3",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = full_options,
    .reorder = REORDER,
    .prepare = prepare_full,
    .traverse = traverse_blest,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_blest_abcd) = {
    .family = "bfs",
    .variant = "blest-abcd",
    .title = "Blest, ABC + lazy vertex updates",
    .citation = "Elbek and Kaya 2026, 5.2",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = lazy_options,
    .reorder = REORDER,
    .prepare = prepare_abcd,
    .traverse = traverse_blest,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_blest_abc) = {
    .family = "bfs",
    .variant = "blest-abc",
    .title = "Blest, AB + reordering",
    .citation = "Elbek and Kaya 2026, 4",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = eager_options,
    .reorder = REORDER,
    .prepare = prepare_ab,
    .traverse = traverse_blest,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_blest_ab) = {
    .family = "bfs",
    .variant = "blest-ab",
    .title = "Blest, A + optimal tensor core layout",
    .citation = "Elbek and Kaya 2026, 5.1",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = eager_options,
    .prepare = prepare_ab,
    .traverse = traverse_blest,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_blest_a) = {
    .family = "bfs",
    .variant = "blest-a",
    .title = "Blest, BVSS + one fused kernel",
    .citation = "Elbek and Kaya 2026, 3",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = eager_options,
    .prepare = prepare_a,
    .traverse = traverse_blest,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_berrybees) = {
    .family = "bfs",
    .variant = "berrybees",
    .title = "BerryBees, binarized row slices",
    .citation = "Niu and Casas, PPoPP 2025",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = berrybees_options,
    .prepare = prepare_berrybees,
    .traverse = traverse_berrybees,
    .fetch = fetch,
    .release = release,
};
