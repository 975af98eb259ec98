/* bfs_xbfs.cu: XBFS (Gaihre, Wu, Yao and Liu, HPDC 2019), a direction-optimising BFS that chooses for every level how
 * its frontier queue is made, and Enterprise (Liu and Huang, SC 2015) as XBFS's ablation starts from it.
 *
 *   enterprise   figure 11's baseline: every queue by a double scan in which each thread reads a stretch of its own
 *                (strided accesses), bottom-up frontiers in three classes by degree, no asynchronous levels
 *   xbfs         section 4: queues without a scan, by one, by two, or none at all; section 5.1: bottom-up frontiers
 *                dealt out whatever their degree; section 5.2: levels found early. Options take each piece back.
 *
 * One persistent kernel runs all levels and takes all decisions; where the paper's host launches a kernel for every
 * step, there is a grid barrier.
 *
 * Words. status[v] is v's level, or UNREACHED. Level l is found by iteration l, from the vertices of level l - 1.
 * Frontiers are, top-down, these; bottom-up, the vertices that were not visited before iteration l (definition 2.1).
 * A top-down queue holds a frontier's edges, from the first on up to the end, so that the next iteration need not
 * look up offsets; a bottom-up queue its vertex.
 *
 * Generation (section 4), of top-down queues:
 *   scan-free    whoever lowers a status first, by an atomic minimum, queues the vertex
 *   single-scan  statuses are stored, not claimed: all who reach a vertex write the same. After a barrier a scan
 *                of the statuses queues those of this level; a warp makes one atomic for TILE of them
 *   double-scan  the same with two scans, one that counts and one that writes, and a prefix sum between: sorted
 *   none         after a bottom-up iteration l - 1, its queue has all vertices of level l - 1: it is walked, those
 *                are expanded, and what they find is queued as scan-free. That it has all of them (observation 2)
 *                holds with asynchronous levels, too, since a bottom-up queue keeps what was found early (below).
 * Bottom-up queues are always made by a double scan, of the statuses or, after a bottom-up iteration that has left
 * few, of its queue, of which the next one is a part (lemma 1). The adaptive choice (section 4.3): bottom-up if the
 * edges of level l - 1 are at least alpha times all edges; else single-scan if they times lambda, by which they have
 * grown since the level before, are; else scan-free.
 *
 * Asynchronous bottom-up iterations (algorithm 3). A frontier that has no in-neighbour of level l - 1, but is seen to
 * have one of level l, is of level l + 1; iteration l says so by the status EARLY | l + 1. Iteration l + 1 turns it
 * into l + 1: bottom-up, whoever has the vertex in its part of the queue; top-down, whoever reaches it first, as if
 * it were not visited: some vertex of level l has an edge to it, and EARLY is above every level.
 *   Why levels end right. Invariant at the start of iteration l: a vertex at a distance d < l from the source has
 * status d; any other has UNREACHED or, at a distance of l, EARLY | l. It holds for l = 1. Let iteration l be
 * bottom-up. Its queue has every vertex whose status is at least l, each once, and its thread alone writes its status
 * (long ones: below). During the iteration a status goes from UNREACHED to l, from UNREACHED to EARLY | l + 1, or
 * from EARLY | l to l, at no other time and in no other way; so a reader sees l - 1 exactly at distance l - 1, and l
 * or EARLY | l only at distance l. Take v at distance d without an early status. If d = l, all its in-neighbours are
 * looked at until one of status l - 1 is met, and there is one: status l. If d = l + 1, it has none of those, since d
 * would be l: it becomes EARLY | l + 1 if some in-neighbour has been seen at level l meanwhile, else it stays; both
 * are right. If d > l + 1, it has no in-neighbour below level l + 1, so sees neither. EARLY | l becomes l. So the
 * invariant holds for l + 1. If iteration l is top-down, every vertex at distance l is reached from one at distance
 * l - 1, whether early or not, and becomes l; nothing else changes.
 *   What a thread sees late costs a level found early, nothing else: statuses of level l - 1 were complete at the
 * last barrier. Nothing stays EARLY at the end: a vertex of EARLY | l + 1 has an in-neighbour of level l, whose
 * out-edges are counted for iteration l + 1, so the search goes on to there.
 *
 * Long frontiers. One vertex may have more edges than a warp should be left alone with. Top-down, a vertex of more
 * than long_above edges is listed apart from the others; bottom-up, a frontier that has looked at `alone` edges in
 * vain, with those that are left. After a barrier all warps share the list, in pieces of PIECE edges: to each as many
 * that follow each other. Several warps may then find the same frontier's level: they lower its status by atomic
 * minima, l wins over EARLY | l + 1, and who has lowered it to l first counts it. A warp may say EARLY | l + 1 where
 * another says l afterwards; readers ignore l + 1.
 *   The list. One atomic on a word gives an entry its place (the high half) and the number of its first piece (the
 * low one), so that these ascend with the places: whose a piece is, a search tells. Between the writing of an entry
 * and its reading there is a barrier, and one more before its place is taken again. One list of a queue serves both:
 * a level's long vertices, of counts.longs, which only a top-down iteration that has a queue reads; and what an
 * iteration leaves to all, of counts.left, which is listed bottom-up or without a queue, where the former are read
 * neither now nor later. What a top-down iteration finds goes to the list of the other queue.
 *   Its length. An iteration lists a vertex once at most, and only one of more than `alone` edges, in or out (more
 * than long_above are more): less than num_edges / alone. Each has one piece beyond its share of num_edges / PIECE
 * at most; 2^32 pieces would need arrays of more than 400 GB.
 *
 * Counts. counts[l % NUM_COUNTS] is written during iteration l and, where the queue of a bottom-up level is wanted
 * after all, at the start of iteration l + 1; it is read until the end of that. One thread clears
 * counts[(l + 1) % NUM_COUNTS], of level l - 2, during iteration l: all have passed the barrier at the end of
 * iteration l - 1.
 *
 * What blocks exchange is read with __ldcg or look_if, from L2; but neighbours' statuses, bottom-up, from L1 if they
 * are there (glance_if): what L1 held before the last barrier its acquire has dropped. */
#include "bfs_xbfs.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/backend.h"

namespace BACKEND
{

#define MOST_THREADS 512u /* of a block */
#define BLOCKS       2u   /* on a multiprocessor, with as many */
#define NUM_COUNTS   3u
#define UNROLL       4u   /* edges that a lane has in flight, top-down */
#define LOOKS        4u   /* the same, bottom-up */
#define SCAN_UNROLL  8u   /* statuses that a lane has in flight in a scan */
#define PIECE        128u /* edges that a warp has in flight */
#define LONG_ABOVE   1024
#define ALONE        16u                     /* of these, one in so many are a thread's own, bottom-up */
#define ALPHA        10                      /* percent; section 4.3 */
#define FETCHES      4u                      /* of a warp, in a bottom-up level of many frontiers */
#define DONATE_AFTER 5u                      /* neighbours; section 5.1.2 */
#define WARP_FROM    32u                     /* edges: Enterprise's classes, */
#define BLOCK_FROM   256u                    /* a thread, a warp or a block to a vertex */
#define CLASSES      3u                      /* of them */
#define TILE         (WARP_SIZE * WARP_SIZE) /* places that a warp scans at a time */
#define EARLY        (1u << 31)              /* a level has 31 bits: 2^31 of them would take hours */
#define WORK_CLASSES 33u                     /* of numbers of edges: 0, 1, 2 to 3, 4 to 7, ... */

enum generation { ADAPTIVE, SCAN_FREE, SINGLE_SCAN, DOUBLE_SCAN, NO_GENERATION };
static const char *const generation_words[] = {"", "scan-free", "single-scan", "double-scan", "none"};
enum balance { BALANCE_STATIC, BALANCE_THREAD, BALANCE_WARP, BALANCE_DONATE, BALANCE_DEGREE };

/* Edges [edge, end) of a vertex. */
template <typename offset_t>
struct span {
    offset_t edge, end;
};

/* Vertices with more edges than one warp should take, these in pieces of PIECE, which are numbered through. */
template <typename offset_t>
struct longs {
    offset_t *edge, *end;
    vertex_t *vertex;
    uint32_t *piece; /* number of the first one: ascending */
};

/* A top-down queue: a span for each vertex, empty if it is a long one. */
template <typename offset_t>
struct queue {
    offset_t *edge, *end; /* num_vertices */
    struct longs<offset_t> longs;
};

struct counts {
    uint64_t edges;   /* out-edges of the vertices of this level */
    uint64_t checked; /* edges that a bottom-up iteration looked at; if there is a trace */
    uint64_t taken;   /* frontiers handed out, bottom-up, beyond those that everyone starts with */
    uint64_t longs;   /* of this level, in the queue: how many, and in the low word how many pieces */
    uint64_t left;    /* the same, of those that came up during the iteration, and are its own work */
    uint32_t spans;   /* of this level, in the queue */
    uint32_t early;   /* found early by the iteration; if there is a trace */
};

/* What a thread adds to these. */
struct tally {
    uint64_t edges;
    uint32_t checked, early;
};

/* Device memory of a traversal. */
template <typename offset_t>
struct search {
    uint32_t *status;                     /* num_vertices */
    struct queue<offset_t> first, second; /* top-down queues of this level and the next, in turn */
    vertex_t *frontiers, *others;         /* num_vertices: bottom-up queues, in turn */
    const uint32_t *entered;              /* a bitmap: vertices that an edge leads to */
    struct counts *counts;                /* NUM_COUNTS */
    uint32_t *block_sums;                 /* CLASSES * blocks */
    struct grid_barrier *barrier;
    struct level_end *trace; /* num_vertices + 2, by level; NULL unless asked for */
    uint64_t *work; /* WORK_CLASSES * WORK_CLASSES: frontiers by degree and edges looked at; NULL: not asked */
};

template <typename offset_t>
struct edges_of_graph {
    csr<offset_t> out, in;
};

struct rules {
    enum generation queue;
    bool strided, async;
    uint64_t bottom_up_from;    /* edges */
    uint32_t long_above, alone; /* edges that one warp takes, top-down, and one thread, bottom-up */
};

struct shared {
    uint64_t broadcast;
    uint32_t of_warps[CLASSES][MOST_THREADS / WARP_SIZE];
    uint32_t before[CLASSES], total[CLASSES];
};

/* Which of the pairs of arrays is this level's. */
struct progress {
    uint32_t level;
    bool swapped_queues, swapped_frontiers;
    bool was_bottom_up;      /* the iteration before */
    uint32_t sizes[CLASSES]; /* of the bottom-up queue, by class */
};

template <typename offset_t>
static __device__ __forceinline__ const struct queue<offset_t> &now_of(const struct search<offset_t> &search,
                                                                       const struct progress &at) {
    return at.swapped_queues ? search.second : search.first;
}

template <typename offset_t>
static __device__ __forceinline__ const struct queue<offset_t> &then_of(const struct search<offset_t> &search,
                                                                        const struct progress &at) {
    return at.swapped_queues ? search.first : search.second;
}

template <typename offset_t>
static __device__ __forceinline__ vertex_t *frontiers_of(const struct search<offset_t> &search,
                                                         const struct progress &at)
{
    return at.swapped_frontiers ? search.others : search.frontiers;
}

template <typename offset_t>
static __device__ __forceinline__ struct counts *counts_of(const struct search<offset_t> &search, uint32_t level)
{
    return &search.counts[level % NUM_COUNTS];
}

static __device__ __forceinline__ bool is_first_thread(void)
{
    return blockIdx.x == 0 && threadIdx.x == 0;
}

/* All warps of a grid; neighbouring numbers are in different blocks. */
static __device__ __forceinline__ uint32_t warp_of_grid(void)
{
    return threadIdx.x / WARP_SIZE * gridDim.x + blockIdx.x;
}

static __device__ __forceinline__ uint32_t num_warps(void)
{
    return gridDim.x * (blockDim.x / WARP_SIZE);
}

/* The same in the order in which ranges are dealt out to scan. */
static __device__ __forceinline__ uint32_t place_of_thread(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* All threads of the grid wait for each other; false: the wait was broken off. */
template <typename offset_t>
static __device__ __forceinline__ bool meet(const struct search<offset_t> &search, struct shared *shared)
{
    return grid_wait(search.barrier, &search.counts->edges, &shared->broadcast) != UINT64_MAX;
}

/* ---- counting ---- */

static __device__ __forceinline__ uint64_t sum_of_warp(uint64_t value)
{
#pragma unroll
    for (unsigned step = WARP_SIZE / 2; step > 0; step /= 2)
        value += __shfl_xor_sync(WHOLE_WARP, value, (int)step);
    return value;
}

/* Adds every lane's tally, once an iteration. All lanes of the warp must come. */
static __device__ __forceinline__ void add_up(struct counts *counts, const struct tally &tally, bool traced)
{
    uint64_t edges = sum_of_warp(tally.edges);
    if (lane_id() == 0 && edges > 0)
        atomicAdd((unsigned long long *)&counts->edges, (unsigned long long)edges);
    if (!traced)
        return;
    uint64_t checked = sum_of_warp(tally.checked);
    uint32_t early = __reduce_add_sync(WHOLE_WARP, tally.early);
    if (lane_id() == 0 && checked > 0)
        atomicAdd((unsigned long long *)&counts->checked, (unsigned long long)checked);
    if (lane_id() == 0 && early != 0)
        atomicAdd(&counts->early, early);
}

/* For each class: in before, the sum of what the grid's threads before this one have as mine, in total, of all.
 * False: a wait was broken off. block_sums may be used again after one more barrier. */
template <unsigned classes, typename offset_t>
static __device__ __forceinline__ bool sum_before(const struct search<offset_t> &search, struct shared *shared,
                                                  const uint32_t (&mine)[classes], uint32_t (&before)[classes],
                                                  uint32_t (&total)[classes])
{
    unsigned warp = threadIdx.x / WARP_SIZE;
#pragma unroll
    for (unsigned c = 0; c < classes; c++) {
        before[c] = mine[c]; /* inclusive, for now */
#pragma unroll
        for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
            uint32_t left = __shfl_up_sync(WHOLE_WARP, before[c], step);
            before[c] += lane_id() >= step ? left : 0;
        }
        if (lane_id() == WARP_SIZE - 1)
            shared->of_warps[c][warp] = before[c];
    }
    __syncthreads();
#pragma unroll
    for (unsigned c = 0; c < classes; c++) {
        for (unsigned w = 0; w < warp; w++)
            before[c] += shared->of_warps[c][w];
        if (threadIdx.x == blockDim.x - 1)
            __stcg(&search.block_sums[c * gridDim.x + blockIdx.x], before[c]);
        before[c] -= mine[c];
    }
    if (!meet(search, shared))
        return false;
    for (unsigned c = 0; c < classes && warp == 0; c++) {
        uint32_t lower = 0, all = 0;
        for (unsigned block = lane_id(); block < gridDim.x; block += WARP_SIZE) {
            uint32_t sum = __ldcg(&search.block_sums[c * gridDim.x + block]);
            lower += block < blockIdx.x ? sum : 0;
            all += sum;
        }
        lower = __reduce_add_sync(WHOLE_WARP, lower);
        all = __reduce_add_sync(WHOLE_WARP, all);
        if (lane_id() == 0) {
            shared->before[c] = lower;
            shared->total[c] = all;
        }
    }
    __syncthreads();
#pragma unroll
    for (unsigned c = 0; c < classes; c++) {
        before[c] += shared->before[c];
        total[c] = shared->total[c];
    }
    return true;
}

/* ---- scans: of places 0 to size - 1, which are vertices, or entries of a bottom-up queue ---- */

/* Lane i gets a word for the places first + 32 i to first + 32 i + 31: which of those before end are frontiers, as
 * is(place, whether it is before end) tells. All lanes of the warp look at each word together: coalesced. */
template <typename is_t>
static __device__ __forceinline__ uint32_t look_over(uint64_t first, uint64_t end, is_t is)
{
    uint32_t mine = 0;
    for (unsigned word = 0; word < WARP_SIZE && first + word * WARP_SIZE < end; word += SCAN_UNROLL) {
        bool found[SCAN_UNROLL];
#pragma unroll
        for (unsigned i = 0; i < SCAN_UNROLL; i++) {
            uint64_t place = first + (word + i) * WARP_SIZE + lane_id();
            found[i] = is(place, place < end);
        }
#pragma unroll
        for (unsigned i = 0; i < SCAN_UNROLL; i++) {
            uint32_t ballot = __ballot_sync(WHOLE_WARP, found[i]);
            mine = lane_id() == word + i ? ballot : mine;
        }
    }
    return mine;
}

/* Calls put(class, place, number) for the frontiers among the lanes' words; *number goes on from one to the next of
 * its class. All lanes must come. */
template <unsigned classes, typename class_t, typename put_t>
static __device__ __forceinline__ void for_each_found(uint64_t first, uint32_t mine, class_t class_of,
                                                      uint32_t (&number)[classes], put_t put)
{
    for (unsigned words = __ballot_sync(WHOLE_WARP, mine != 0); words != 0; words &= words - 1) {
        int owner = __ffs((int)words) - 1;
        uint64_t place = first + (unsigned)owner * WARP_SIZE + lane_id();
        bool found = __shfl_sync(WHOLE_WARP, mine, owner) >> lane_id() & 1;
        unsigned its_class = found ? class_of(place) : classes;
#pragma unroll
        for (unsigned c = 0; c < classes; c++) {
            unsigned of_class = __ballot_sync(WHOLE_WARP, its_class == c);
            if (its_class == c)
                put(c, place, number[c] + __popc(of_class & lanes_below(lane_id())));
            number[c] += __popc(of_class);
        }
    }
}

/* One scan of a stretch. number: frontiers so far of each class, the same in all lanes. */
template <unsigned classes, typename is_t, typename class_t, typename put_t>
static __device__ __forceinline__ void scan_by_warp(uint64_t first, uint64_t end, is_t is, class_t class_of,
                                                    uint32_t (&number)[classes], put_t put)
{
    for (; first < end; first += TILE)
        for_each_found(first, look_over(first, end, is), class_of, number, put);
}

/* The same as Enterprise does it, a thread a stretch: the lanes of a warp read far apart. */
template <unsigned classes, typename is_t, typename class_t, typename put_t>
static __device__ __forceinline__ void scan_by_thread(uint64_t first, uint64_t end, is_t is, class_t class_of,
                                                      uint32_t (&number)[classes], put_t put)
{
    for (uint64_t place = first; place < end; place++) {
        unsigned its_class = is(place, true) ? class_of(place) : classes;
#pragma unroll
        for (unsigned c = 0; c < classes; c++)
            if (its_class == c)
                put(c, place, number[c]++);
    }
}

/* Section 4.2: calls put(class, place, number) for every frontier, numbered through its class in the order of the
 * places; total: of each class, known when put is called. False: a wait was broken off. */
template <unsigned classes, typename offset_t, typename is_t, typename class_t, typename put_t>
static __device__ __forceinline__ bool double_scan(const struct search<offset_t> &search, struct shared *shared,
                                                   uint64_t size, bool strided, is_t is, class_t class_of,
                                                   uint32_t (&total)[classes], put_t put)
{
    uint32_t count[classes] = {}, number[classes];
    auto only_count = [](unsigned, uint64_t, uint32_t) {};
    uint64_t unit = strided ? 1 : WARP_SIZE, shares = num_warps() * (strided ? WARP_SIZE : 1);
    uint64_t share = ((size + unit - 1) / unit + shares - 1) / shares * unit;
    uint64_t first = share * (strided ? place_of_thread() : place_of_thread() / WARP_SIZE);
    uint64_t end = min(size, first + share);
    if (strided)
        scan_by_thread(first, end, is, class_of, count, only_count);
    else
        scan_by_warp(first, end, is, class_of, count, only_count);
#pragma unroll
    for (unsigned c = 0; c < classes; c++)
        count[c] = strided || lane_id() == 0 ? count[c] : 0; /* a warp's count, once */
    if (!sum_before(search, shared, count, number, total))
        return false;
    if (strided) {
        scan_by_thread(first, end, is, class_of, number, put);
        return true;
    }
#pragma unroll
    for (unsigned c = 0; c < classes; c++)
        number[c] = __shfl_sync(WHOLE_WARP, number[c], 0);
    scan_by_warp(first, end, is, class_of, number, put);
    return true;
}

/* Section 4.1: the same for one class by one scan and atomics on *count, in any order. */
template <typename is_t, typename put_t>
static __device__ __forceinline__ void single_scan(uint64_t size, uint32_t *count, is_t is, put_t put)
{
    for (uint64_t first = (uint64_t)warp_of_grid() * TILE; first < size; first += (uint64_t)num_warps() * TILE) {
        uint32_t mine = look_over(first, size, is), all = __reduce_add_sync(WHOLE_WARP, (uint32_t)__popc(mine));
        if (all == 0)
            continue;
        uint32_t number[1] = {lane_id() == 0 ? atomicAdd(count, all) : 0};
        number[0] = __shfl_sync(WHOLE_WARP, number[0], 0);
        for_each_found(
            first, mine, [](uint64_t) { return 0u; }, number, put);
    }
}

/* ---- queues of edges ---- */

template <typename offset_t>
static __device__ __forceinline__ struct span<offset_t> edges_if(bool condition, const csr<offset_t> &graph,
                                                                 vertex_t vertex) {
    offset_t edge = load_if(condition, &graph.offsets[vertex]), end = load_if(condition, &graph.offsets[vertex + 1]);
    return {condition ? edge : 0, condition ? end : 0};
}

static __device__ __forceinline__ uint32_t
num_pieces(uint64_t edges)
{
    return (uint32_t)((edges + PIECE - 1) / PIECE);
}

/* By one lane. One atomic gives the place in the list and the number of the first piece: both grow together. */
template <typename offset_t>
static __device__ __forceinline__ void append_long(const struct longs<offset_t> &longs, uint64_t *count,
                                                   vertex_t vertex, struct span<offset_t> span)
{
    uint64_t old =
        atomicAdd((unsigned long long *)count, 1ull << 32 | (unsigned long long)num_pieces(span.end - span.edge));
    uint32_t place = (uint32_t)(old >> 32);
    __stcg(&longs.edge[place], span.edge);
    __stcg(&longs.end[place], span.end);
    __stcg(&longs.vertex[place], vertex);
    __stcg(&longs.piece[place], (uint32_t)old);
}

/* The last of the ascending numbers that is at most as wanted; the first one is. All lanes of the warp must come. */
static __device__ __forceinline__ uint32_t last_up_to(const uint32_t *numbers, uint32_t size, uint32_t wanted)
{
    uint32_t low = 0, high = size;
    while (high - low > 1) {
        uint32_t step = (high - low + WARP_SIZE - 1) / WARP_SIZE, at = low + lane_id() * step;
        unsigned up_to = __ballot_sync(WHOLE_WARP, at < high && look_if(at < high, &numbers[at]) <= wanted);
        low += ((unsigned)__popc(up_to) - 1) * step;
        high = min(high, low + step);
    }
    return low;
}

/* Calls use(vertex, edges) with this warp's share of all pieces, those of a vertex at once. All lanes of the warp
 * must come. */
template <typename offset_t, typename use_t>
static __device__ __forceinline__ void for_each_long(const struct longs<offset_t> &longs, uint64_t count, use_t use)
{
    uint32_t pieces = (uint32_t)count, share = (pieces + num_warps() - 1) / num_warps();
    uint64_t piece = (uint64_t)warp_of_grid() * share, until = min(piece + share, (uint64_t)pieces);
    if (piece >= until)
        return;
    uint32_t i = last_up_to(longs.piece, (uint32_t)(count >> 32), (uint32_t)piece);
    for (; piece < until; i++) {
        offset_t edge = __ldcg(&longs.edge[i]), end = __ldcg(&longs.end[i]);
        uint32_t first = __ldcg(&longs.piece[i]), number = num_pieces(end - edge);
        offset_t skipped = (offset_t)(piece - first) * PIECE, taken = (offset_t)(until - first) * PIECE;
        struct span<offset_t> span = {
            edge + skipped, until < first + number ? edge + taken : end
        };
        use(__ldcg(&longs.vertex[i]), span);
        piece = (uint64_t)first + number;
    }
}

/* Puts a vertex's edges into the queue at its place. By one lane. */
template <typename offset_t>
static __device__ __forceinline__ void put_span(const struct queue<offset_t> &queue, struct counts *counts,
                                                uint32_t place, vertex_t vertex, struct span<offset_t> span,
                                                uint32_t long_above)
{
    if (span.end - span.edge > long_above) {
        append_long(queue.longs, &counts->longs, vertex, span);
        span = {0, 0};
    }
    __stcg(&queue.edge[place], span.edge);
    __stcg(&queue.end[place], span.end);
}

/* ---- top-down ---- */

/* Calls use(neighbours, has) with UNROLL edges a lane of all lanes' spans, one after the other; fewer than 2^32 in
 * all. All lanes of the warp must come. */
template <typename offset_t, typename use_t>
static __device__ __forceinline__ void for_each_edge(const vertex_t *targets, struct span<offset_t> mine, use_t use)
{
    uint32_t length = (uint32_t)(mine.end - mine.edge), until = length;
#pragma unroll
    for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
        uint32_t left = __shfl_up_sync(WHOLE_WARP, until, step);
        until += lane_id() >= step ? left : 0;
    }
    uint32_t before = until - length, total = __shfl_sync(WHOLE_WARP, until, WARP_SIZE - 1);
    offset_t minus_before = mine.edge - before;
    for (uint32_t at = 0; at < total; at += UNROLL * WARP_SIZE) {
        vertex_t neighbour[UNROLL];
        bool has[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            uint32_t place = at + i * WARP_SIZE + lane_id();
            unsigned owner = 0; /* the last lane that has no more than `place` edges before its own */
#pragma unroll
            for (unsigned step = WARP_SIZE / 2; step > 0; step /= 2)
                owner += __shfl_sync(WHOLE_WARP, before, (int)(owner + step)) <= place ? step : 0;
            offset_t first = __shfl_sync(WHOLE_WARP, minus_before, (int)owner);
            has[i] = place < total;
            neighbour[i] = load_if(has[i], &targets[(offset_t)(first + place)]);
        }
        use(neighbour, has);
    }
}

/* What an iteration works on. */
template <typename offset_t>
struct iteration {
    const struct edges_of_graph<offset_t> &graph;
    const struct search<offset_t> &search;
    const struct rules &rules;
    const struct progress &at;
    struct counts *counts;
    struct tally *tally;
};

/* Queues those of the vertices that the lanes have claimed. All lanes of the warp must come. */
template <typename offset_t>
static __device__ __forceinline__ void
enqueue(const struct iteration<offset_t> &now, const vertex_t (&vertex)[UNROLL],
        const struct span<offset_t> (&spans)[UNROLL], const bool (&claimed)[UNROLL])
{
    unsigned masks[UNROLL], total = 0;
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        masks[i] = __ballot_sync(WHOLE_WARP, claimed[i]);
        total += __popc(masks[i]);
    }
    if (total == 0)
        return;
    uint32_t place = lane_id() == 0 ? atomicAdd(&now.counts->spans, total) : 0;
    place = __shfl_sync(WHOLE_WARP, place, 0);
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        if (claimed[i]) {
            put_span(then_of(now.search, now.at), now.counts, place + __popc(masks[i] & lanes_below(lane_id())),
                     vertex[i], spans[i], now.rules.long_above);
            now.tally->edges += spans[i].end - spans[i].edge;
        }
        place += __popc(masks[i]);
    }
}

/* Gives what the lanes' edges lead to this level; scan_free: and queues it. */
template <bool scan_free, typename offset_t>
static __device__ __forceinline__ void expand(const struct iteration<offset_t> &now, struct span<offset_t> mine)
{
    uint32_t *status = now.search.status, level = now.at.level;
    for_each_edge(now.graph.out.targets, mine, [&](const vertex_t(&neighbour)[UNROLL], const bool(&has)[UNROLL]) {
        bool open[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            open[i] = look_if(has[i], &status[neighbour[i]]) > level && has[i];
        if constexpr (scan_free) {
            struct span<offset_t> spans[UNROLL];
            bool claimed[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) { /* the offsets arrive with the claim's answer */
                spans[i] = edges_if(open[i], now.graph.out, neighbour[i]);
                claimed[i] = min_if(open[i], &status[neighbour[i]], level) > level;
            }
            enqueue(now, neighbour, spans, claimed);
        } else {
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++)
                if (open[i])
                    __stcg(&status[neighbour[i]], level);
        }
    });
}

/* A warp's share of long ones. */
template <bool scan_free, typename offset_t>
static __device__ __forceinline__ void expand_longs(const struct iteration<offset_t> &now, uint64_t count)
{
    for_each_long(now_of(now.search, now.at).longs, count, [&](vertex_t, struct span<offset_t> span) {
        expand<scan_free>(now, {span.edge, lane_id() == 0 ? span.end : span.edge});
    });
}

template <bool scan_free, typename offset_t>
static __device__ __forceinline__ void expand_queue(const struct iteration<offset_t> &now, uint32_t spans,
                                                    uint64_t longs)
{
    const struct queue<offset_t> &queue = now_of(now.search, now.at);
    uint64_t share = min(max(((uint64_t)spans + num_warps() - 1) / num_warps(), (uint64_t)1), (uint64_t)WARP_SIZE);
    for (uint64_t first = warp_of_grid() * share; first < spans; first += num_warps() * share) {
        struct span<offset_t> mine = {
            0, 0
        };
        uint64_t i = first + lane_id();
        if (lane_id() < share && i < spans)
            mine = {__ldcg(&queue.edge[i]), __ldcg(&queue.end[i])};
        expand<scan_free>(now, mine);
    }
    expand_longs<scan_free>(now, longs);
}

/* Without a queue: expands what the bottom-up queue of the iteration before has found. Long ones are left. */
template <typename offset_t>
static __device__ __forceinline__ void expand_frontiers(const struct iteration<offset_t> &now)
{
    const vertex_t *frontiers = frontiers_of(now.search, now.at);
    uint64_t size = 0;
    for (unsigned c = 0; c < CLASSES; c++)
        size += now.at.sizes[c];
    for (uint64_t first = (uint64_t)warp_of_grid() * WARP_SIZE; first < size; first += num_warps() * WARP_SIZE) {
        bool has = first + lane_id() < size;
        vertex_t vertex = has ? __ldcg(&frontiers[first + lane_id()]) : NO_VERTEX;
        bool found = look_if(has, &now.search.status[vertex]) == now.at.level - 1 && has;
        if (!__any_sync(WHOLE_WARP, found))
            continue;
        struct span<offset_t> mine = edges_if(found, now.graph.out, vertex);
        if (mine.end - mine.edge > now.rules.long_above) {
            append_long(now_of(now.search, now.at).longs, &now.counts->left, vertex, mine);
            mine = {0, 0};
        }
        expand<true>(now, mine);
    }
}

/* Queues the vertices of a level, and adds their edges to *edges. */
template <typename offset_t>
static __device__ __forceinline__ bool queue_level(const struct iteration<offset_t> &now, struct shared *shared,
                                                   const struct queue<offset_t> &queue, uint32_t level,
                                                   uint64_t *edges)
{
    struct counts *counts = counts_of(now.search, level);
    uint64_t size = now.graph.out.num_vertices;
    auto is = [&](uint64_t place, bool has) { return look_if(has, &now.search.status[place]) == level && has; };
    auto put = [&](unsigned, uint64_t place, uint32_t number) {
        struct span<offset_t> span = edges_if(true, now.graph.out, (vertex_t)place);
        put_span(queue, counts, number, (vertex_t)place, span, now.rules.long_above);
        *edges += span.end - span.edge;
    };
    if (now.rules.queue != DOUBLE_SCAN) {
        single_scan(size, &counts->spans, is, put);
        return true;
    }
    uint32_t total[1] = {};
    bool right = double_scan(
        now.search, shared, size, now.rules.strided, is, [](uint64_t) { return 0u; }, total, put);
    if (is_first_thread())
        __stcg(&counts->spans, total[0]);
    return right;
}

/* One iteration, up to its last barrier; false: a wait was broken off. */
template <typename offset_t>
static __device__ __forceinline__ bool go_top_down(const struct iteration<offset_t> &now, struct shared *shared,
                                                   enum generation generation)
{
    const struct search<offset_t> &search = now.search;
    if (generation == NO_GENERATION) {
        expand_frontiers(now);
        add_up(now.counts, *now.tally, false);
        *now.tally = {};
        if (!meet(search, shared))
            return false;
        uint64_t left = __ldcg(&now.counts->left);
        if (left == 0)
            return true;
        expand_longs<true>(now, left);
    } else {
        struct counts *before = counts_of(search, now.at.level - 1);
        uint64_t known = 0;
        if (now.at.was_bottom_up &&
            (!queue_level(now, shared, now_of(search, now.at), now.at.level - 1, &known) || !meet(search, shared)))
            return false;
        uint32_t spans = __ldcg(&before->spans);
        uint64_t longs = __ldcg(&before->longs);
        if (generation == SCAN_FREE) {
            expand_queue<true>(now, spans, longs);
        } else {
            expand_queue<false>(now, spans, longs);
            if (!meet(search, shared) ||
                !queue_level(now, shared, then_of(search, now.at), now.at.level, &now.tally->edges))
                return false;
        }
    }
    add_up(now.counts, *now.tally, false);
    return meet(search, shared);
}

/* ---- bottom-up ---- */

/* What a frontier knows of its in-neighbours so far: whether one is of level l - 1; whether one is of level l. */
struct answer {
    bool parent, current;
};

/* Looks at the edges edge, edge + stride, ... (LOOKS of them, before the end); those behind the first parent do not
 * count: they are only on the way together. */
template <unsigned looks, typename offset_t>
static __device__ __forceinline__ void look_at(const struct iteration<offset_t> &now, struct span<offset_t> span,
                                               unsigned stride, struct answer *answer)
{
    vertex_t neighbour[looks];
    uint32_t status[looks], level = now.at.level;
#pragma unroll
    for (unsigned i = 0; i < looks; i++)
        neighbour[i] = load_if(span.edge + i * stride < span.end, &now.graph.in.targets[span.edge + i * stride]);
#pragma unroll
    for (unsigned i = 0; i < looks; i++)
        status[i] = glance_if(neighbour[i] != NO_VERTEX, &now.search.status[neighbour[i]]);
#pragma unroll
    for (unsigned i = 0; i < looks; i++)
        if (neighbour[i] != NO_VERTEX && !answer->parent) {
            now.tally->checked++;
            answer->parent = status[i] == level - 1;
            answer->current = answer->current || (status[i] & ~EARLY) == level;
        }
}

/* The edges of a span that is one warp's; the answer is the same in all lanes. */
template <typename offset_t>
static __device__ __forceinline__ struct answer look_together(const struct iteration<offset_t> &now,
                                                              struct span<offset_t> span)
{
    struct answer answer = {};
    for (span.edge += lane_id(); __any_sync(WHOLE_WARP, span.edge < span.end); span.edge += LOOKS * WARP_SIZE) {
        look_at<LOOKS>(now, span, WARP_SIZE, &answer);
        span.edge = span.edge < span.end ? span.edge : span.end; /* lanes that are done must not run on */
        answer.parent = __any_sync(WHOLE_WARP, answer.parent);
        if (answer.parent)
            break;
    }
    answer.current = __any_sync(WHOLE_WARP, answer.current);
    return answer;
}

template <typename offset_t>
struct task {
    vertex_t vertex; /* NO_VERTEX: none */
    uint32_t status;
    struct span<offset_t> edges; /* those that have not been looked at */
};

/* The status is only looked at if it may be an early one: a top-down iteration leaves none. */
template <typename offset_t>
static __device__ __forceinline__ struct task<offset_t> task_at(const struct iteration<offset_t> &now, uint64_t i,
                                                                uint64_t size) {
    bool has = i < size;
    vertex_t vertex = has ? __ldcg(&frontiers_of(now.search, now.at)[i]) : NO_VERTEX;
    uint32_t status = look_if(has && now.rules.async && now.at.was_bottom_up, &now.search.status[vertex]);
    return {vertex, status, edges_if(has, now.graph.in, vertex)};
}

template <typename offset_t>
static __device__ __forceinline__ void count_found(const struct iteration<offset_t> &now, vertex_t vertex)
{
    struct span<offset_t> out = edges_if(true, now.graph.out, vertex);
    now.tally->edges += out.end - out.edge;
}

/* Whether parents must be looked for: there is a task, and its vertex was not found early. */
template <typename offset_t>
static __device__ __forceinline__ bool must_look(const struct iteration<offset_t> &now,
                                                 const struct task<offset_t> &task)
{
    if (task.status == (EARLY | now.at.level)) {
        __stcg(&now.search.status[task.vertex], now.at.level);
        count_found(now, task.vertex);
        return false;
    }
    return task.vertex != NO_VERTEX;
}

static __device__ __forceinline__ unsigned work_class(uint64_t edges)
{
    return edges < UINT32_MAX ? WARP_SIZE - (unsigned)__clz((int)(uint32_t)edges) : WORK_CLASSES - 1;
}

/* Gives a vertex the level that the answer tells, and leaves to all what it has not looked at. By one thread. */
template <typename offset_t>
static __device__ __forceinline__ void settle(const struct iteration<offset_t> &now,
                                              const struct task<offset_t> &task, struct answer answer)
{
    if (answer.parent) {
        __stcg(&now.search.status[task.vertex], now.at.level);
        count_found(now, task.vertex);
        return;
    }
    if (answer.current && now.rules.async) {
        __stcg(&now.search.status[task.vertex], EARLY | (now.at.level + 1));
        now.tally->early++;
    }
    if (task.edges.edge < task.edges.end)
        append_long(now_of(now.search, now.at).longs, &now.counts->left, task.vertex, task.edges);
}

/* Notes that a frontier of so many edges has looked at so many. */
template <typename offset_t>
static __device__ __forceinline__ void note_work(const struct iteration<offset_t> &now, uint64_t degree,
                                                 uint64_t looked)
{
    if (now.search.work != NULL)
        atomicAdd((unsigned long long *)&now.search.work[work_class(degree) * WORK_CLASSES + work_class(looked)],
                  1ull);
}

/* What one thread does with a frontier. */
template <typename offset_t>
struct turn {
    struct task<offset_t> task;
    struct answer answer;
    bool asks;     /* parents must be looked for */
    offset_t stop; /* it looks so far alone */
    uint64_t degree;
    uint32_t checked; /* tally->checked, when it began */
};

template <typename offset_t>
static __device__ __forceinline__ struct turn<offset_t> begin_turn(const struct iteration<offset_t> &now,
                                                                   const struct task<offset_t> &task) {
    struct span<offset_t> edges = task.edges;
    offset_t degree = edges.end - edges.edge, stop = edges.edge + min(degree, (offset_t)now.rules.alone);
    return {task, {}, must_look(now, task), stop, degree, now.tally->checked};
}

template <typename offset_t>
static __device__ __forceinline__ bool goes_on(const struct turn<offset_t> &turn)
{
    return turn.asks && !turn.answer.parent && turn.task.edges.edge < turn.stop;
}

template <unsigned looks, typename offset_t>
static __device__ __forceinline__ void look_on(const struct iteration<offset_t> &now, struct turn<offset_t> *turn)
{
    look_at<looks>(now, {turn->task.edges.edge, turn->stop}, 1, &turn->answer);
    turn->task.edges.edge += looks;
}

template <typename offset_t>
static __device__ __forceinline__ void end_turn(const struct iteration<offset_t> &now, struct turn<offset_t> turn)
{
    if (!turn.asks)
        return;
    turn.task.edges.edge = min(turn.task.edges.edge, turn.stop);
    note_work(now, turn.degree, now.tally->checked - turn.checked);
    settle(now, turn.task, turn.answer);
}

/* Intra-warp work donation: whenever DONATE_AFTER neighbours leave only one lane with work, all help it. */
template <typename offset_t>
static __device__ __forceinline__ void look_and_donate(const struct iteration<offset_t> &now,
                                                       struct turn<offset_t> *turn)
{
    unsigned unfinished;
    do {
        if (goes_on(*turn))
            look_on<DONATE_AFTER>(now, turn);
        unfinished = __ballot_sync(WHOLE_WARP, goes_on(*turn));
    } while (__popc(unfinished) > 1);
    if (unfinished == 0)
        return;
    int owner = __ffs((int)unfinished) - 1;
    uint32_t own = now.tally->checked;
    struct answer found = look_together<offset_t>(
        now, {__shfl_sync(WHOLE_WARP, turn->task.edges.edge, owner), __shfl_sync(WHOLE_WARP, turn->stop, owner)});
    uint32_t donated = __reduce_add_sync(WHOLE_WARP, now.tally->checked - own);
    now.tally->checked = own; /* what was looked at counts as the owner's */
    if ((int)lane_id() == owner) {
        now.tally->checked += donated;
        turn->task.edges.edge = turn->stop;
        turn->answer.parent = found.parent;
        turn->answer.current = turn->answer.current || found.current;
    }
}

/* A frontier a lane. All lanes of the warp must come. */
template <enum balance balance, typename offset_t>
static __device__ __forceinline__ void work_on(const struct iteration<offset_t> &now,
                                               const struct task<offset_t> &task)
{
    struct turn<offset_t> turn = begin_turn(now, task);
    if (balance == BALANCE_DONATE)
        look_and_donate(now, &turn);
    else
        while (goes_on(turn))
            look_on<LOOKS>(now, &turn);
    end_turn(now, turn);
}

/* How many rows of 32 frontiers a warp fetches at once: one, as in the paper, where there are few for each; else so
 * many that it fetches FETCHES times, since all fetch from one word. */
static __device__ __forceinline__ uint32_t rows_at_once(uint64_t size)
{
    return (uint32_t)max(size / ((uint64_t)num_warps() * WARP_SIZE * FETCHES), (uint64_t)1);
}

/* Static, and warp-centric (algorithm 2): a warp's next 32 frontiers are being loaded while it works on some. */
template <enum balance balance, typename offset_t>
static __device__ __forceinline__ void share_by_warps(const struct iteration<offset_t> &now, uint64_t size)
{
    uint32_t rows = balance == BALANCE_WARP ? rows_at_once(size) : 1, left = rows;
    uint64_t all = (uint64_t)num_warps() * WARP_SIZE * rows, first = (uint64_t)warp_of_grid() * WARP_SIZE * rows;
    struct task<offset_t> next = task_at(now, first + lane_id(), size);
    while (first < size) {
        struct task<offset_t> task = next;
        if (--left > 0) {
            first += WARP_SIZE;
        } else if (balance == BALANCE_WARP) {
            uint64_t taken = 0;
            if (lane_id() == 0)
                taken = atomicAdd((unsigned long long *)&now.counts->taken, (unsigned long long)rows * WARP_SIZE);
            first = all + __shfl_sync(WHOLE_WARP, taken, 0);
            left = rows;
        } else {
            first += all;
            left = rows;
        }
        next = task_at(now, first + lane_id(), size);
        work_on<balance>(now, task);
    }
}

/* Thread-centric (algorithm 1): a lane fetches its next frontier as soon as it is done with one, whatever the others
 * do. Lanes that are done at the same time fetch by one atomic. */
template <typename offset_t>
static __device__ __forceinline__ void share_by_threads(const struct iteration<offset_t> &now, uint64_t size)
{
    uint64_t started = (uint64_t)num_warps() * WARP_SIZE, i = (uint64_t)warp_of_grid() * WARP_SIZE + lane_id();
    struct turn<offset_t> turn = begin_turn(now, task_at(now, i, size));
    while (__any_sync(WHOLE_WARP, turn.task.vertex != NO_VERTEX)) {
        if (goes_on(turn))
            look_on<LOOKS>(now, &turn);
        bool fetches = !goes_on(turn) && turn.task.vertex != NO_VERTEX;
        if (fetches)
            end_turn(now, turn);
        unsigned lanes = __ballot_sync(WHOLE_WARP, fetches);
        if (lanes == 0)
            continue;
        uint64_t taken = 0;
        if (lane_id() == 0)
            taken = atomicAdd((unsigned long long *)&now.counts->taken, (unsigned long long)__popc(lanes));
        i = started + __shfl_sync(WHOLE_WARP, taken, 0) + __popc(lanes & lanes_below(lane_id()));
        if (fetches)
            turn = begin_turn(now, task_at(now, i, size));
    }
}

/* Enterprise: a thread, a warp or a block to a frontier, by its degree. */
template <typename offset_t>
static __device__ __forceinline__ void share_by_degree(const struct iteration<offset_t> &now)
{
    const uint32_t(&sizes)[CLASSES] = now.at.sizes;
    share_by_warps<BALANCE_STATIC>(now, sizes[0]);
    uint64_t end = (uint64_t)sizes[0] + sizes[1];
    for (uint64_t i = (uint64_t)sizes[0] + warp_of_grid(); i < end; i += num_warps()) {
        struct task<offset_t> task = task_at(now, i, end);
        struct answer answer = {};
        if (__shfl_sync(WHOLE_WARP, task.status, 0) != (EARLY | now.at.level))
            answer = look_together(now, task.edges);
        task.edges.edge = task.edges.end;
        if (lane_id() == 0 && must_look(now, task))
            settle(now, task, answer);
    }
    end += sizes[2];
    for (uint64_t i = (uint64_t)sizes[0] + sizes[1] + blockIdx.x; i < end; i += gridDim.x) {
        struct task<offset_t> task = task_at(now, i, end);
        struct answer answer = {};
        bool asks = task.status != (EARLY | now.at.level), parent = false;
        for (; asks && !parent && task.edges.edge < task.edges.end; task.edges.edge += blockDim.x) {
            look_at<1>(now, {(offset_t)(task.edges.edge + threadIdx.x), task.edges.end}, 1, &answer);
            parent = __syncthreads_or(answer.parent);
        }
        bool current = __syncthreads_or(answer.current); /* all have read the status, too */
        task.edges.edge = task.edges.end;
        if (threadIdx.x == 0 && must_look(now, task))
            settle(now, task, {parent, current});
    }
}

/* What long frontiers have left. */
template <typename offset_t>
static __device__ __forceinline__ void work_on_longs(const struct iteration<offset_t> &now, uint64_t count)
{
    uint32_t level = now.at.level;
    for_each_long(now_of(now.search, now.at).longs, count, [&](vertex_t vertex, struct span<offset_t> span) {
        uint32_t *status = &now.search.status[vertex];
        uint32_t known = look_if(lane_id() == 0, status);
        if (__shfl_sync(WHOLE_WARP, known, 0) <= level)
            return;
        struct answer answer = look_together(now, span);
        if (lane_id() != 0)
            return;
        if (answer.parent) {
            uint32_t old = atomicMin(status, level);
            if (old > level)
                count_found(now, vertex);
            now.tally->early -= old > level && old != UNREACHED;
        } else if (answer.current && now.rules.async) {
            now.tally->early += atomicMin(status, EARLY | (level + 1)) == UNREACHED;
        }
    });
}

static __device__ __forceinline__ unsigned class_of_degree(uint64_t degree)
{
    return degree < WARP_FROM ? 0 : degree < BLOCK_FROM ? 1 : 2;
}

/* The bottom-up queue of this level, by a double scan of the statuses or of the queue before. */
template <enum balance balance, typename offset_t>
static __device__ __forceinline__ bool queue_frontiers(const struct iteration<offset_t> &now, struct shared *shared,
                                                       struct progress *at)
{
    constexpr unsigned classes = balance == BALANCE_DEGREE ? CLASSES : 1;
    const uint32_t *status = now.search.status, *entered = now.search.entered;
    uint32_t level = at->level, total[classes] = {};
    const vertex_t *old = frontiers_of(now.search, *at);
    vertex_t *made = at->swapped_frontiers ? now.search.frontiers : now.search.others;
    uint64_t n = now.graph.in.num_vertices, size = (uint64_t)at->sizes[0] + at->sizes[1] + at->sizes[2];
    bool again = at->was_bottom_up && !now.rules.strided && 2 * size < n;
    auto vertex_at = [&](uint64_t place) { return again ? __ldcg(&old[place]) : (vertex_t)place; };
    auto is = [&](uint64_t place, bool has) {
        vertex_t vertex = again ? look_if(has, &old[place]) : (vertex_t)place;
        uint32_t known = look_if(has, &status[vertex]), word = load_if(has, &entered[vertex / WARP_SIZE]);
        return known >= level && has && (word >> vertex % WARP_SIZE & 1);
    };
    auto class_of = [&](uint64_t place) {
        if (classes == 1)
            return 0u;
        struct span<offset_t> in = edges_if(true, now.graph.in, vertex_at(place));
        return class_of_degree(in.end - in.edge);
    };
    auto put = [&](unsigned c, uint64_t place, uint32_t number) {
        for (unsigned lower = 0; lower < c; lower++)
            number += total[lower];
        __stcg(&made[number], vertex_at(place));
    };
    if (!double_scan(now.search, shared, again ? size : n, now.rules.strided, is, class_of, total, put))
        return false;
    at->swapped_frontiers = !at->swapped_frontiers;
#pragma unroll
    for (unsigned c = 0; c < CLASSES; c++)
        at->sizes[c] = c < classes ? total[c < classes ? c : 0] : 0;
    return meet(now.search, shared);
}

/* One iteration, up to its last barrier; false: a wait was broken off. */
template <enum balance balance, typename offset_t>
static __device__ __forceinline__ bool go_bottom_up(const struct iteration<offset_t> &now, struct shared *shared,
                                                    struct progress *at)
{
    bool traced = now.search.trace != NULL;
    if (!queue_frontiers<balance>(now, shared, at))
        return false;
    if (balance == BALANCE_DEGREE)
        share_by_degree(now);
    else if (balance == BALANCE_THREAD)
        share_by_threads(now, at->sizes[0]);
    else
        share_by_warps<balance>(now, at->sizes[0]);
    add_up(now.counts, *now.tally, traced);
    *now.tally = {};
    if (!meet(now.search, shared))
        return false;
    uint64_t left = __ldcg(&now.counts->left);
    if (left == 0)
        return true;
    work_on_longs(now, left);
    add_up(now.counts, *now.tally, traced);
    return meet(now.search, shared);
}

/* ---- the search ---- */

/* Section 4.3. edges: out-edges of the frontier; before: of the one before it. */
static __device__ __forceinline__ enum generation choose(const struct rules &rules, const struct progress &at,
                                                         uint64_t edges, uint64_t before)
{
    if (rules.queue != ADAPTIVE)
        return rules.queue;
    if (at.was_bottom_up)
        return NO_GENERATION;
    double lambda = (double)edges / (double)before;
    return (double)edges * lambda >= (double)rules.bottom_up_from ? SINGLE_SCAN : SCAN_FREE;
}

template <typename offset_t, enum balance balance>
__global__ void __launch_bounds__(MOST_THREADS, BLOCKS)
    xbfs_kernel(struct edges_of_graph<offset_t> graph, struct search<offset_t> search, struct rules rules)
{
    struct shared *shared = block_shared<struct shared>();
    struct progress at = {};
    uint64_t edges = __ldcg(&counts_of(search, 0)->edges), before = edges;
    if (search.trace != NULL && is_first_thread())
        search.trace[0].at = nanoseconds();
    for (at.level = 1; edges > 0; at.level++) {
        struct tally tally = {};
        struct counts *counts = counts_of(search, at.level);
        struct iteration<offset_t> now = {
            graph, search, rules, at, counts, &tally
        };
        enum generation generation = DOUBLE_SCAN;
        bool bottom_up = edges >= rules.bottom_up_from;
        if (is_first_thread())
            *counts_of(search, at.level + 1) = {};
        if (bottom_up) {
            if (!go_bottom_up<balance>(now, shared, &at))
                return;
        } else {
            generation = choose(rules, at, edges, before);
            if (!go_top_down(now, shared, generation))
                return;
            at.swapped_queues = !at.swapped_queues;
        }
        if (search.trace != NULL && is_first_thread())
            search.trace[at.level] = {nanoseconds(), (uint64_t)(bottom_up ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN),
                                      (uint64_t)generation, bottom_up ? __ldcg(&counts->checked) : edges,
                                      __ldcg(&counts->early)};
        at.was_bottom_up = bottom_up;
        before = edges;
        edges = __ldcg(&counts->edges);
    }
}

/* ---- host side ---- */

enum { BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS, ALPHA_OPTION, LONG_OPTION, TRACE, QUEUE, BALANCE, ASYNC };
#define LONG_NEVER (1u << 26) /* so that a warp's 32 vertices have fewer than 2^32 edges */
#define COMMON_OPTIONS                                                                                               \
    {"block-size", MOST_THREADS, 32, MOST_THREADS, NULL, "threads of a block, a multiple of 32"},                    \
        {"blocks-per-sm", BLOCKS, 1, 32, NULL, "blocks on each multiprocessor, as far as they fit"},                 \
        {"offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"},    \
        {"alpha", ALPHA,                                                                                             \
         0,       100,                                                                                               \
         NULL,    "bottom-up where the frontier has so many percent of all edges, and again until it has fewer"},    \
        {"long-above",                                                                                               \
         LONG_ABOVE,                                                                                                 \
         WARP_FROM,                                                                                                  \
         LONG_NEVER,                                                                                                 \
         NULL,                                                                                                       \
         "edges of a vertex that one warp takes alone; bottom-up one thread takes a sixteenth of them; all warps "   \
         "share "                                                                                                    \
         "the rest; 67108864: never, as in the paper"},                                                              \
    {                                                                                                                \
        "trace", 0, 0, 2, NULL,                                                                                      \
            "1: every level's frontier, direction, queue, edges checked and time, in traces/ beside the records "    \
            "(--csv); 2: and how many edges bottom-up frontiers of one thread each have and look at"                 \
    }
static const struct option_spec xbfs_options[] = {
    COMMON_OPTIONS,
    {"queue", ADAPTIVE, 0, 0, "adaptive|scan-free|single-scan|double-scan",
     "how top-down queues are made: as fits the level, or always by one way"},
    {"balance", BALANCE_DONATE, 0, 0, "static|thread|warp|donate|degree",
     "how bottom-up frontiers are dealt out: a thread each, in turn, whoever is done, 32 to a warp that is done, "
     "with "
     "help for a warp's last one; by degree, to a thread, a warp or a block"},
    {"async", 1, 0, 1, NULL, "1: bottom-up levels find vertices of the next one, too"},
    {},
};
static const struct option_spec enterprise_options[] = {COMMON_OPTIONS, {}};

struct state {
    struct gpu_graph out, in; /* in: of a directed graph; else empty */
    uint32_t *status, *entered, *block_sums;
    void *queue_edges[8]; /* of offsets: spans and long ones of both top-down queues, their first edges and ends */
    vertex_t *long_vertices[2], *frontiers[2];
    uint32_t *long_pieces[2];
    struct counts *counts;
    struct grid_barrier *barrier;
    struct level_end *trace;
    uint64_t *work;
    struct rules rules;
    enum balance balance;
    struct grid grid;
};

template <typename offset_t>
static struct search<offset_t> search_of(const struct state *state) {
    offset_t *const *edges = (offset_t *const *)state->queue_edges;
    return {state->status,
            {edges[0], edges[1], {edges[2], edges[3], state->long_vertices[0], state->long_pieces[0]}},
            {edges[4], edges[5], {edges[6], edges[7], state->long_vertices[1], state->long_pieces[1]}},
            state->frontiers[0],
            state->frontiers[1],
            state->entered,
            state->counts,
            state->block_sums,
            state->barrier,
            state->trace,
            state->work};
}

template <typename offset_t>
static struct edges_of_graph<offset_t> edges_of(const struct state *state) {
    const struct gpu_graph *in = state->in.offsets != NULL ? &state->in : &state->out;
    return {csr_of<offset_t>(&state->out), csr_of<offset_t>(in)};
}

template <typename offset_t>
using kernel_t = void(*)(struct edges_of_graph<offset_t>, struct search<offset_t>, struct rules);

template <typename offset_t>
static kernel_t<offset_t> kernel_of(enum balance balance)
{
    static const kernel_t<offset_t> kernels[] = {
        xbfs_kernel<offset_t, BALANCE_STATIC>, xbfs_kernel<offset_t, BALANCE_THREAD>,
        xbfs_kernel<offset_t, BALANCE_WARP>,   xbfs_kernel<offset_t, BALANCE_DONATE>,
        xbfs_kernel<offset_t, BALANCE_DEGREE>,
    };
    return kernels[balance];
}

/* A warp a word. */
template <typename offset_t>
__global__ void find_entered(csr<offset_t> in, uint32_t *entered)
{
    uint64_t all = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t first = place_of_thread() - lane_id(); first < in.num_vertices; first += all) {
        uint64_t vertex = first + lane_id();
        bool has = vertex < in.num_vertices && in.offsets[vertex] < in.offsets[vertex + 1];
        uint32_t word = __ballot_sync(WHOLE_WARP, has);
        if (lane_id() == 0)
            entered[first / WARP_SIZE] = word;
    }
}

static int upload_edges(struct run *run, struct state *state)
{
    struct graph transpose = {};
    bool force_wide = run->options[OFFSET_BITS] != 0;
    if (gpu_graph_upload(run->graph, force_wide, &state->out, run->error) != STATUS_OK || run->graph->symmetric)
        return run->error->status;
    if (graph_transpose(run->graph, &transpose, run->error) == STATUS_OK)
        gpu_graph_upload(&transpose, force_wide, &state->in, run->error);
    graph_release(&transpose);
    return run->error->status;
}

static int allocate_queues(struct run *run, struct state *state)
{
    size_t n = state->out.num_vertices, offset_size = state->out.wide ? sizeof(edge_t) : sizeof(uint32_t);
    size_t most_longs = min((size_t)n, (size_t)(state->out.num_edges / state->rules.alone + 1));
    for (unsigned i = 0; i < 8; i++)
        if (gpu_allocate_bytes(&state->queue_edges[i], i % 4 < 2 ? n : most_longs, offset_size, "the queues",
                               run->error) != STATUS_OK)
            return run->error->status;
    for (unsigned i = 0; i < 2; i++)
        if (gpu_allocate(&state->long_vertices[i], most_longs, "the queues", run->error) != STATUS_OK ||
            gpu_allocate(&state->long_pieces[i], most_longs, "the queues", run->error) != STATUS_OK ||
            gpu_allocate(&state->frontiers[i], n, "the bottom-up queues", run->error) != STATUS_OK)
            return run->error->status;
    return STATUS_OK;
}

static int allocate_rest(struct run *run, struct state *state)
{
    size_t n = state->out.num_vertices;
    if (gpu_allocate(&state->status, n, "the statuses", run->error) != STATUS_OK ||
        gpu_allocate(&state->entered, n / WARP_SIZE + 1, "a bitmap", run->error) != STATUS_OK ||
        gpu_allocate(&state->block_sums, CLASSES * state->grid.blocks, "the sums", run->error) != STATUS_OK ||
        gpu_allocate(&state->counts, NUM_COUNTS, "the counts", run->error) != STATUS_OK ||
        gpu_allocate(&state->barrier, 1, "the barrier", run->error) != STATUS_OK)
        return run->error->status;
    if (run->options[TRACE] >= 1 && gpu_allocate(&state->trace, n + 2, "the trace", run->error) != STATUS_OK)
        return run->error->status;
    if (run->options[TRACE] >= 2)
        gpu_allocate(&state->work, WORK_CLASSES * WORK_CLASSES, "the trace", run->error);
    return run->error->status;
}

static void set_rules(struct run *run, bool is_enterprise, struct state *state)
{
    const double *options = run->options;
    double from = (double)run->graph->num_edges * options[ALPHA_OPTION] / 100;
    uint32_t long_above = (uint32_t)options[LONG_OPTION];
    state->rules = {DOUBLE_SCAN, true, false, from < 1 ? 1 : (uint64_t)from, long_above, long_above / ALONE};
    state->balance = BALANCE_DEGREE;
    if (!is_enterprise) {
        state->rules.queue = (enum generation)(int)options[QUEUE];
        state->rules.strided = false;
        state->rules.async = options[ASYNC] != 0;
        state->balance = (enum balance)(int)options[BALANCE];
    }
}

static int prepare(struct run *run, bool is_enterprise)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    unsigned threads = (unsigned)run->options[BLOCK_SIZE];
    set_rules(run, is_enterprise, state);
    if (threads % WARP_SIZE != 0)
        return error_set(run->error, STATUS_INPUT, "--set block-size=%u: expected a multiple of 32", threads);
    if (upload_edges(run, state) != STATUS_OK || allocate_queues(run, state) != STATUS_OK)
        return run->error->status;
    bool wide = state->out.wide;
    const void *kernel =
        wide ? (const void *)kernel_of<edge_t>(state->balance) : (const void *)kernel_of<uint32_t>(state->balance);
    if (gpu_plan_grid(kernel, threads, (unsigned)run->options[BLOCKS_PER_SM], sizeof(struct shared), &state->grid,
                      run->error) != STATUS_OK ||
        allocate_rest(run, state) != STATUS_OK)
        return run->error->status;
    struct grid grid = gpu_wide_grid(state->out.num_vertices);
    if (wide)
        gpu_launch(find_entered<edge_t>, grid, 0, run->error, edges_of<edge_t>(state).in, state->entered);
    else
        gpu_launch(find_entered<uint32_t>, grid, 0, run->error, edges_of<uint32_t>(state).in, state->entered);
    if (run->error->status == STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "preparing", run->error);
    return run->error->status;
}

static int prepare_xbfs(struct run *run)
{
    return prepare(run, false);
}

static int prepare_enterprise(struct run *run)
{
    return prepare(run, true);
}

/* Level 0. */
template <typename offset_t>
__global__ void seed(csr<offset_t> out, struct search<offset_t> search, vertex_t source, uint32_t long_above)
{
    struct span<offset_t> span = {
        out.offsets[source], out.offsets[source + 1]
    };
    search.status[source] = 0;
    search.counts[0].spans = 1;
    search.counts[0].edges = span.end - span.edge;
    put_span(search.first, search.counts, 0, source, span, long_above);
}

static int reset(struct run *run, const struct state *state)
{
    size_t n = state->out.num_vertices;
    cudaMemsetAsync(state->status, 0xff, n * sizeof *state->status); /* UNREACHED */
    cudaMemsetAsync(state->counts, 0, NUM_COUNTS * sizeof *state->counts);
    cudaMemsetAsync(state->barrier, 0, sizeof *state->barrier);
    if (state->trace != NULL)
        cudaMemsetAsync(state->trace, 0, (n + 2) * sizeof *state->trace);
    if (state->work != NULL)
        cudaMemsetAsync(state->work, 0, WORK_CLASSES * WORK_CLASSES * sizeof *state->work);
    return gpu_check(cudaGetLastError(), "resetting a traversal", run->error);
}

template <typename offset_t>
static int traverse_sized(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    struct search<offset_t> search = search_of<offset_t>(state);
    struct edges_of_graph<offset_t> edges = edges_of<offset_t>(state);
    if (reset(run, state) != STATUS_OK || gpu_launch(seed<offset_t>, {1, 1}, 0, run->error, edges.out, search, source,
                                                     state->rules.long_above) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    gpu_launch_persistent(kernel_of<offset_t>(state->balance), state->grid, sizeof(struct shared), run->error, edges,
                          search, state->rules);
    run_kernel_end(run);
    return run->error->status;
}

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    return state->out.wide ? traverse_sized<edge_t>(run, query->source)
                           : traverse_sized<uint32_t>(run, query->source);
}

/* The smallest number of edges of a class. */
static uint64_t least_of_class(unsigned work_class)
{
    return work_class == 0 ? 0 : 1ull << (work_class - 1);
}

static int fetch_work(struct run *run, const struct state *state, struct traversal *result)
{
    uint64_t number[WORK_CLASSES * WORK_CLASSES];
    if (gpu_download(number, state->work, WORK_CLASSES * WORK_CLASSES, run->error) != STATUS_OK ||
        allocate(&result->work, WORK_CLASSES * WORK_CLASSES, sizeof *result->work, "the trace", run->error) !=
            STATUS_OK)
        return run->error->status;
    for (unsigned i = 0; i < WORK_CLASSES * WORK_CLASSES; i++)
        if (number[i] > 0)
            result->work[result->num_work++] = {least_of_class(i / WORK_CLASSES), least_of_class(i % WORK_CLASSES),
                                                number[i]};
    return STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    if (gpu_check_barrier(state->barrier, "bfs xbfs", run->error) != STATUS_OK ||
        gpu_download(result->level, state->status, run->graph->num_vertices, run->error) != STATUS_OK)
        return run->error->status;
    if (state->trace != NULL && gpu_fetch_trace(run, state->trace, generation_words, result) != STATUS_OK)
        return run->error->status;
    return state->work != NULL ? fetch_work(run, state, result) : STATUS_OK;
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const void *const arrays[] = {
            state->status,
            state->entered,
            state->block_sums,
            state->counts,
            state->barrier,
            state->trace,
            state->work,
            state->frontiers[0],
            state->frontiers[1],
            state->long_vertices[0],
            state->long_vertices[1],
            state->long_pieces[0],
            state->long_pieces[1],
        };
        for (const void *array : arrays)
            gpu_free(array);
        for (const void *array : state->queue_edges)
            gpu_free(array);
        gpu_graph_free(&state->out);
        gpu_graph_free(&state->in);
    }
    free(state);
}

/* ---- figure 5: the two ways to fill a queue, by themselves ---- */

#define ROUNDS 16u /* of a run, so that its launch does not count */

/* What is wanted of a queue: how many, and their sum. */
struct enqueued {
    uint64_t number, sum;
};

static __device__ __forceinline__ bool is_wanted(uint64_t place, uint32_t one_in)
{
    uint64_t hash = (place + 1) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93ull;
    return (hash >> 32) % one_in == 0;
}

__global__ void fill_statuses(uint32_t *status, uint64_t size, uint32_t one_in)
{
    uint64_t all = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = place_of_thread(); i < size; i += all)
        status[i] = is_wanted(i, one_in) ? 0 : UNREACHED;
}

/* Of the array, or, if there is one, of the queue. */
__global__ void sum_up(const vertex_t *queue, uint64_t size, uint32_t one_in, struct enqueued *sums)
{
    uint64_t all = (uint64_t)gridDim.x * blockDim.x, number = 0, sum = 0;
    for (uint64_t i = place_of_thread(); i < size; i += all)
        if (queue != NULL || is_wanted(i, one_in)) {
            number++;
            sum += queue != NULL ? queue[i] : i;
        }
    atomicAdd((unsigned long long *)&sums->number, (unsigned long long)number);
    atomicAdd((unsigned long long *)&sums->sum, (unsigned long long)sum);
}

__global__ void __launch_bounds__(MOST_THREADS, BLOCKS)
    enqueue_kernel(struct search<uint32_t> search, uint64_t size, bool by_prefix_sum)
{
    struct shared *shared = block_shared<struct shared>();
    auto is = [&](uint64_t place, bool has) { return look_if(has, &search.status[place]) == 0 && has; };
    auto put = [&](unsigned, uint64_t place, uint32_t number) { __stcg(&search.frontiers[number], (vertex_t)place); };
    uint32_t total[1] = {};
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        struct counts *counts = counts_of(search, round);
        if (is_first_thread())
            *counts_of(search, round + 1) = {};
        if (!by_prefix_sum)
            single_scan(size, &counts->spans, is, put);
        else if (!double_scan(
                     search, shared, size, false, is, [](uint64_t) { return 0u; }, total, put))
            return;
        else if (is_first_thread())
            __stcg(&counts->spans, total[0]);
        if (!meet(search, shared))
            return;
    }
}

/* Whether the last round's queue has what it should. */
static int check_queue(const struct search<uint32_t> &search, uint64_t size, uint32_t one_in, struct enqueued *sums,
                       struct error *error)
{
    struct counts counts[NUM_COUNTS];
    struct enqueued found[2];
    if (gpu_check_barrier(search.barrier, "enqueue", error) != STATUS_OK ||
        gpu_download(counts, search.counts, NUM_COUNTS, error) != STATUS_OK ||
        gpu_check(cudaMemset(sums, 0, 2 * sizeof *sums), "checking a queue", error) != STATUS_OK ||
        gpu_launch(sum_up, gpu_wide_grid(size), 0, error, (const vertex_t *)search.frontiers,
                   (uint64_t)counts[ROUNDS % NUM_COUNTS].spans, one_in, &sums[0]) != STATUS_OK ||
        gpu_launch(sum_up, gpu_wide_grid(size), 0, error, (const vertex_t *)NULL, size, one_in, &sums[1]) !=
            STATUS_OK ||
        gpu_download(found, sums, 2, error) != STATUS_OK)
        return error->status;
    if (found[0].number == found[1].number && found[0].sum == found[1].sum)
        return STATUS_OK;
    return error_set(error, STATUS_WRONG, "enqueue: a queue has %llu entries where there are %llu frontiers",
                     (unsigned long long)found[0].number, (unsigned long long)found[1].number);
}

static int time_enqueue(struct device *device, const struct search<uint32_t> &search, struct grid grid, uint64_t size,
                        bool by_prefix_sum, double *best_ms, struct error *error)
{
    double time_ms = 0, kernel_ms = 0;
    device->mark(device, MARK_BEGIN);
    cudaMemsetAsync(search.counts, 0, NUM_COUNTS * sizeof *search.counts);
    device->mark(device, MARK_KERNEL_BEGIN);
    gpu_launch_persistent(enqueue_kernel, grid, sizeof(struct shared), error, search, size, by_prefix_sum);
    device->mark(device, MARK_KERNEL_END);
    device->mark(device, MARK_END);
    if (error->status == STATUS_OK)
        device->elapsed(device, &time_ms, &kernel_ms, error);
    *best_ms = *best_ms == 0 || kernel_ms / ROUNDS < *best_ms ? kernel_ms / ROUNDS : *best_ms;
    return error->status;
}

static int run_enqueue(struct device *device, const struct search<uint32_t> &search, struct grid grid, uint64_t size,
                       uint32_t one_in, unsigned runs, struct enqueued *sums, struct enqueue_times *times,
                       struct error *error)
{
    if (gpu_check(cudaMemset(search.barrier, 0, sizeof *search.barrier), "the barrier", error) != STATUS_OK ||
        gpu_launch(fill_statuses, gpu_wide_grid(size), 0, error, search.status, size, one_in) != STATUS_OK)
        return error->status;
    for (unsigned run = 0; run < runs; run++)
        if (time_enqueue(device, search, grid, size, false, &times->atomic_ms, error) != STATUS_OK ||
            check_queue(search, size, one_in, sums, error) != STATUS_OK ||
            time_enqueue(device, search, grid, size, true, &times->prefix_sum_ms, error) != STATUS_OK ||
            check_queue(search, size, one_in, sums, error) != STATUS_OK)
            return error->status;
    struct enqueued found;
    if (gpu_download(&found, sums, 1, error) == STATUS_OK)
        times->found = found.number;
    return error->status;
}

} // namespace BACKEND

using namespace BACKEND;

extern "C" int BACKEND_NAME(enqueue_benchmark)(struct device *device, uint64_t size, uint32_t one_in, unsigned runs,
                                               struct enqueue_times *times, struct error *error)
{
    struct search<uint32_t> search = {
    };
    struct enqueued *sums = NULL;
    struct grid grid = {};
    *times = {};
    if (gpu_plan_grid((const void *)enqueue_kernel, MOST_THREADS, BLOCKS, sizeof(struct shared), &grid, error) ==
            STATUS_OK &&
        gpu_allocate(&search.status, size, "the statuses", error) == STATUS_OK &&
        gpu_allocate(&search.frontiers, size, "the queue", error) == STATUS_OK &&
        gpu_allocate(&search.counts, NUM_COUNTS, "the counts", error) == STATUS_OK &&
        gpu_allocate(&search.barrier, 1, "the barrier", error) == STATUS_OK &&
        gpu_allocate(&search.block_sums, grid.blocks, "the sums", error) == STATUS_OK &&
        gpu_allocate(&sums, 2, "the sums", error) == STATUS_OK)
        run_enqueue(device, search, grid, size, one_in, runs, sums, times, error);
    const void *const arrays[] = {search.status,  search.frontiers,  search.counts,
                                  search.barrier, search.block_sums, sums};
    for (const void *array : arrays)
        gpu_free(array);
    return error->status;
}

GPU_ALGORITHM(bfs_xbfs) = {
    .family = "bfs",
    .variant = "xbfs",
    .title = "XBFS: queues as fit the level, dynamic balance, asynchronous bottom-up",
    .citation = "Gaihre et al., HPDC 2019",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = xbfs_options,
    .prepare = prepare_xbfs,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_enterprise) = {
    .family = "bfs",
    .variant = "enterprise",
    .title = "Enterprise, as XBFS's ablation starts from it",
    .citation = "Liu and Huang, SC 2015",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = enterprise_options,
    .prepare = prepare_enterprise,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
