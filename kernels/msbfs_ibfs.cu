/* msbfs_ibfs.cu: IBFS (Liu et al., SIGMOD 2016) for path lengths, in the three schemes of "Path-finding on GPUs for
 * Database Systems" (Dreef 2025, a thesis; chapters 2.1.5, 4 and 5). 32 searches make an instance: a vertex has a
 * word for it, a bit a search.
 *
 *   ibfs-workgroup  section 4.3.2: 1, 2 or 4 instances, each with its own joint frontier queue; a thread a vertex to
 *                   identify, EDGE_THREADS threads a vertex to expand
 *   ibfs-coalesced  section 4.3.3: 32 instances, 1024 searches; a warp a vertex, a lane an instance; they share one
 *                   queue, which a vertex joins if a ballot finds it in the frontier of any of them
 *   ibfs-bottomup   section 4.3.3.1: the same, and after a top-down iteration with a long queue one bottom-up
 *   ibfs-auto       chapter 5: workgroups below 1000 searches; from there on coalesced, and bottom-up from the edges
 *                   of scale factor 30 on
 *
 * The BSA (bitwise status array) has what the searches have seen; the BSAK is the same an iteration ahead. Iteration
 * k, with the arrays swapped before, so that the BSA has all that is seen at level k and the BSAK that of k - 1:
 *
 *   identify  where they differ is the frontier; the vertex gets its level, and joins the JFQ (joint frontier queue)
 *             if any of these searches is active; the BSAK is brought up to the BSA (algorithm 7).
 *             Bottom-up, what joins is what some active search has not seen (algorithm 10)
 *   expand    BSAK[neighbour] |= BSA[vertex] for the vertices of the JFQ (algorithm 8);
 *             bottom-up, BSAK[vertex] = BSA[vertex] | the BSA of its in-neighbours (algorithm 11), until all is seen
 *
 * until the JFQ is empty. What differs from the thesis:
 *
 * - A kernel that stays, with a grid barrier after each step, for two launches an iteration and a look at the JFQ's
 *   length from the host every second one. WebGPU has no such barrier; the thesis found one kernel the fastest where
 *   it did without (section 4.3.1), and the time to synchronise with the host its largest cost.
 * - A warp joins its vertices to the JFQ by one atomic.
 * - The harness searches from each source once, whatever pairs it has, so a search may have many destinations.
 * Threads watch some of these each, where the thesis compares every vertex found with the one of its search.
 * - Inactive searches are left out of what is expanded.
 *
 * What is written when. Identify writes of the BSAK the words that its own thread (or warp) reads, levels of the
 * same, and the JFQ behind an atomic; it reads the BSA and the masks. Expand writes the BSAK by reductions, or
 * bottom-up the words of vertices that its warp took from the JFQ, where each is once; it reads the BSA and the JFQ.
 * A grid barrier lies between the two, and after both. Destinations are watched at the beginning of expand: of the
 * BSA, each by one thread all the time, which alone writes its length; and masks are cleared there, by atomics, while
 * others expand. So a search that ends at level k has all its levels up to k, since identify saw it active
 * throughout; whoever expands may see it active or not, and expand for it in part, which sets bits that nobody asks
 * for: it is masked from the next barrier on, and searches share no bits.
 *
 * Lengths of the JFQ rotate: iteration k adds to counts[k % NUM_COUNTS], which is read after both of its barriers;
 * counts[(k + 1) % NUM_COUNTS] was last read after iteration k - 2, so one thread clears it while k expands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"

namespace BACKEND
{

#define INSTANCE_SEARCHES   32u /* omega: bits of a word */
#define COALESCED_INSTANCES 32u /* lanes of a warp */
#define MOST_INSTANCES      4u  /* of workgroups */
#define EDGE_THREADS        8u  /* the y of a workgroup, figure 4.2 */
#define NUM_COUNTS          3u
#define MOST_THREADS        512        /* of a block */
#define MANY_BLOCKS         3          /* of as many on a multiprocessor */
#define UNROLL              4u         /* vertices, or edges, that a lane has in flight */
#define FREE_SHARE          0.95       /* of the free device memory, that may be planned with */
#define COALESCED_SEARCHES  256        /* from so many on, coalesced; section 5.2: 1000 pairs (NOTES.md) */
#define BOTTOM_UP_EDGES     6880584ull /* table 5.1, scale factor 30: from so many on, bottom-up (section 5.2) */

/* Where a vertex's word of an instance stands. */
struct layout {
    size_t per_vertex, per_instance;
};

static __host__ __device__ __forceinline__ size_t word_of(struct layout layout, vertex_t vertex, uint32_t instance)
{
    return vertex * layout.per_vertex + instance * layout.per_instance;
}

/* Lengths of the JFQs; any: 1 if one is not empty (workgroups). */
struct queue_lengths {
    uint32_t length[MOST_INSTANCES], any;
};

/* Device memory of a traversal. num_words = num_vertices x instances. */
struct search {
    struct layout layout, level_layout; /* of bsa and bsak; of levels, in rows of INSTANCE_SEARCHES */
    uint32_t *bsa, *bsak;               /* num_words */
    vertex_t *jfq;                      /* num_vertices, for each instance of workgroups */
    struct queue_lengths *counts;       /* NUM_COUNTS */
    uint32_t *mask;                     /* a word for each instance: searches that are active */
    uint32_t *open;                     /* of each search, destinations not found yet */
    uint32_t *level;                    /* UNREACHED until found; NULL: not wanted */
    const struct destination *destinations;
    uint32_t *length; /* num_destinations; UNREACHED until found */
    uint64_t num_destinations;
    uint32_t num_instances;
    struct grid_barrier *barrier;
};

struct shared {
    uint32_t broadcast;
};

/* All threads that share a task, numbered through. */
struct team {
    uint32_t thread, num_threads;
};

static __device__ __forceinline__ struct team whole_grid(void)
{
    return {blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
}

/* ---- identify ---- */

/* Appends the vertices of those lanes that have one to a queue of *length. All lanes of the warp must come. */
static __device__ __forceinline__ void join(vertex_t *jfq, uint32_t *length, vertex_t vertex, bool joins)
{
    unsigned all = __ballot_sync(WHOLE_WARP, joins);
    if (all == 0)
        return;
    uint32_t position = lane_id() == 0 ? atomicAdd(length, (uint32_t)__popc(all)) : 0;
    position = __shfl_sync(WHOLE_WARP, position, 0);
    if (joins)
        __stcg(&jfq[position + (uint32_t)__popc(all & lanes_below(lane_id()))], vertex);
}

/* Gives the iteration as level to the searches that found the vertex of a lane, whose row of levels this is; the warp
 * takes a row at once. All lanes must come. */
static __device__ __forceinline__ void note_levels(uint32_t *level, uint64_t row, uint32_t found, uint32_t iteration)
{
    for (unsigned left = __ballot_sync(WHOLE_WARP, found != 0); left != 0; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        uint32_t searches = __shfl_sync(WHOLE_WARP, found, owner);
        uint64_t row_of_owner = __shfl_sync(WHOLE_WARP, row, owner);
        if (searches >> lane_id() & 1)
            __stcg(&level[row_of_owner * INSTANCE_SEARCHES + lane_id()], iteration);
    }
}

/* Destinations whose search has come get their length; a search without any left is active no more. */
static __device__ __forceinline__ void watch_destinations(const struct search &search, const uint32_t *bsa,
                                                          uint32_t iteration)
{
    struct team team = whole_grid();
    for (uint64_t i = team.thread; i < search.num_destinations; i += team.num_threads) {
        struct destination destination = search.destinations[i];
        uint32_t instance = destination.which / INSTANCE_SEARCHES, bit = 1u << destination.which % INSTANCE_SEARCHES;
        if (__ldcg(&search.length[i]) != UNREACHED ||
            !(__ldcg(&bsa[word_of(search.layout, destination.vertex, instance)]) & bit))
            continue;
        __stcg(&search.length[i], iteration);
        if (atomicSub(&search.open[destination.which], 1u) == 1)
            atomicAnd(&search.mask[instance], ~bit);
    }
}

static __device__ __forceinline__ void clear_next_counts(const struct search &search, uint32_t iteration)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        search.counts[(iteration + 1) % NUM_COUNTS] = {};
}

/* ---- workgroups ---- */

/* Instances are dealt out to blocks, or blocks to instances where there are fewer of these. */
struct workers {
    struct team team;                /* of the threads that share an instance */
    uint32_t first_instance, stride; /* the block's */
};

static __device__ __forceinline__ struct workers workers_of_instance(uint32_t num_instances)
{
    uint32_t groups = min(num_instances, gridDim.x), group = blockIdx.x % groups;
    uint32_t blocks = (gridDim.x - 1 - group) / groups + 1;
    return {{blockIdx.x / groups * blockDim.x + threadIdx.x, blocks * blockDim.x}, group, groups};
}

static __device__ __forceinline__ void identify_by_threads(const struct search &search, vertex_t num_vertices,
                                                           struct team team, uint32_t instance, const uint32_t *bsa,
                                                           uint32_t *bsak, vertex_t *jfq,
                                                           struct queue_lengths *counts, uint32_t iteration)
{
    uint32_t mask = __ldcg(&search.mask[instance]);
    for (uint64_t first = team.thread - lane_id(); first < num_vertices; first += team.num_threads) {
        uint64_t vertex = first + lane_id();
        bool has = vertex < num_vertices;
        uint32_t seen = has ? __ldcg(&bsa[vertex]) : 0, diff = has ? seen ^ __ldcg(&bsak[vertex]) : 0;
        if (diff != 0)
            __stcg(&bsak[vertex], seen);
        join(jfq, &counts->length[instance], (vertex_t)vertex, (diff & mask) != 0);
        if ((diff & mask) != 0)
            __stcg(&counts->any, 1u);
        if (search.level != NULL)
            note_levels(search.level, word_of(search.level_layout, (vertex_t)vertex, instance), diff & mask,
                        iteration);
    }
}

template <typename offset_t>
static __device__ __forceinline__ void expand_by_threads(const csr<offset_t> &graph, struct team team,
                                                         const vertex_t *jfq, uint32_t length, uint32_t mask,
                                                         const uint32_t *bsa, uint32_t *bsak)
{
    for (uint64_t i = team.thread / EDGE_THREADS; i < length; i += team.num_threads / EDGE_THREADS) {
        vertex_t vertex = __ldcg(&jfq[i]);
        uint32_t seen = __ldcg(&bsa[vertex]) & mask;
        offset_t end = graph.offsets[vertex + 1];
#pragma unroll 4
        for (offset_t e = graph.offsets[vertex] + team.thread % EDGE_THREADS; e < end; e += EDGE_THREADS)
            atomicOr(&bsak[graph.targets[e]], seen);
    }
}

template <typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS, MANY_BLOCKS)
    ibfs_workgroup_kernel(csr<offset_t> graph, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct workers workers = workers_of_instance(search.num_instances);
    size_t n = graph.num_vertices;
    for (uint32_t iteration = 0;; iteration++) {
        struct queue_lengths *counts = &search.counts[iteration % NUM_COUNTS];
        uint32_t *newest = search.bsak;
        search.bsak = search.bsa;
        search.bsa = newest;
        for (uint32_t i = workers.first_instance; i < search.num_instances; i += workers.stride)
            identify_by_threads(search, graph.num_vertices, workers.team, i, search.bsa + i * n, search.bsak + i * n,
                                search.jfq + i * n, counts, iteration);
        uint32_t any = grid_wait(search.barrier, &counts->any, &shared->broadcast);
        if (any == UINT32_MAX)
            return;
        watch_destinations(search, search.bsa, iteration);
        if (any == 0)
            return;
        clear_next_counts(search, iteration);
        for (uint32_t i = workers.first_instance; i < search.num_instances; i += workers.stride)
            expand_by_threads(graph, workers.team, search.jfq + i * n, __ldcg(&counts->length[i]),
                              __ldcg(&search.mask[i]), search.bsa + i * n, search.bsak + i * n);
        if (grid_wait(search.barrier, &counts->any, &shared->broadcast) == UINT32_MAX)
            return;
    }
}

/* ---- coalesced ---- */

/* A warp takes chunks of up to 32 vertices, fewer where there would not be enough for all warps, one after the other,
 * UNROLL in flight. */
static __device__ __forceinline__ void identify_by_warps(const struct search &search, vertex_t num_vertices,
                                                         struct team team, bool bottom_up,
                                                         struct queue_lengths *counts, uint32_t iteration)
{
    uint32_t mask = __ldcg(&search.mask[lane_id()]), num_warps = team.num_threads / WARP_SIZE;
    uint32_t chunk = min(max(num_vertices / num_warps, UNROLL), WARP_SIZE) / UNROLL * UNROLL;
    for (uint64_t first = (uint64_t)(team.thread / WARP_SIZE) * chunk; first < num_vertices;
         first += (uint64_t)num_warps * chunk) {
        uint32_t joins = 0; /* bit i: vertex first + i */
        for (uint32_t begin = 0; begin < chunk; begin += UNROLL) {
            uint32_t seen[UNROLL], diff[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                uint64_t vertex = first + begin + i;
                size_t word = word_of(search.layout, (vertex_t)vertex, lane_id());
                seen[i] = vertex < num_vertices ? __ldcg(&search.bsa[word]) : UINT32_MAX;
                diff[i] = vertex < num_vertices ? __ldcg(&search.bsak[word]) : UINT32_MAX;
            }
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                vertex_t vertex = (vertex_t)(first + begin + i);
                diff[i] ^= seen[i];
                if (diff[i] != 0)
                    __stcg(&search.bsak[word_of(search.layout, vertex, lane_id())], seen[i]);
                uint32_t wanted = mask & (bottom_up ? ~seen[i] : diff[i]);
                joins |= __ballot_sync(WHOLE_WARP, wanted != 0) != 0 ? 1u << (begin + i) : 0;
                if (search.level != NULL)
                    note_levels(search.level, word_of(search.level_layout, vertex, lane_id()), diff[i] & mask,
                                iteration);
            }
        }
        join(search.jfq, &counts->length[0], (vertex_t)(first + lane_id()), joins >> lane_id() & 1);
    }
}

/* The warp reads 32 edges at once, and takes one after the other. */
template <typename offset_t>
static __device__ __forceinline__ void expand_by_warps(const csr<offset_t> &graph, const struct search &search,
                                                       struct team team, uint32_t length, uint32_t mask)
{
    for (uint64_t i = team.thread / WARP_SIZE; i < length; i += team.num_threads / WARP_SIZE) {
        vertex_t vertex = __ldcg(&search.jfq[i]);
        uint32_t seen = __ldcg(&search.bsa[word_of(search.layout, vertex, lane_id())]) & mask;
        offset_t end = graph.offsets[vertex + 1];
        for (offset_t base = graph.offsets[vertex]; base < end; base += WARP_SIZE) {
            vertex_t mine = base + lane_id() < end ? graph.targets[base + lane_id()] : NO_VERTEX;
            unsigned edges = end - base < WARP_SIZE ? (unsigned)(end - base) : WARP_SIZE;
            for (unsigned edge = 0; edge < edges; edge++) {
                vertex_t neighbour = __shfl_sync(WHOLE_WARP, mine, (int)edge);
                if (seen != 0)
                    atomicOr(&search.bsak[word_of(search.layout, neighbour, lane_id())], seen);
            }
        }
    }
}

template <typename offset_t>
static __device__ __forceinline__ void pull_by_warps(const csr<offset_t> &in_edges, const struct search &search,
                                                     struct team team, uint32_t length, uint32_t mask)
{
    for (uint64_t i = team.thread / WARP_SIZE; i < length; i += team.num_threads / WARP_SIZE) {
        vertex_t vertex = __ldcg(&search.jfq[i]);
        size_t word = word_of(search.layout, vertex, lane_id());
        uint32_t before = __ldcg(&search.bsa[word]), seen = before;
        offset_t end = in_edges.offsets[vertex + 1];
        for (offset_t e = in_edges.offsets[vertex]; e < end && __any_sync(WHOLE_WARP, (mask & ~seen) != 0);
             e += UNROLL) {
            uint32_t of_neighbour[UNROLL];
#pragma unroll
            for (unsigned k = 0; k < UNROLL; k++)
                of_neighbour[k] =
                    e + k < end ? __ldcg(&search.bsa[word_of(search.layout, in_edges.targets[e + k], lane_id())]) : 0;
#pragma unroll
            for (unsigned k = 0; k < UNROLL; k++)
                seen |= of_neighbour[k];
        }
        if (seen != before)
            __stcg(&search.bsak[word], seen);
    }
}

/* Bottom-up, if at all, after a top-down iteration whose JFQ was longer than `longest`. */
template <typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS, MANY_BLOCKS)
    ibfs_coalesced_kernel(csr<offset_t> graph, csr<offset_t> in_edges, struct search search, uint32_t longest)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = whole_grid();
    uint32_t length = 0;
    bool bottom_up = false;
    for (uint32_t iteration = 0;; iteration++) {
        struct queue_lengths *counts = &search.counts[iteration % NUM_COUNTS];
        uint32_t *newest = search.bsak;
        search.bsak = search.bsa;
        search.bsa = newest;
        bottom_up = !bottom_up && length > longest;
        identify_by_warps(search, graph.num_vertices, team, bottom_up, counts, iteration);
        length = grid_wait(search.barrier, &counts->length[0], &shared->broadcast);
        if (length == UINT32_MAX)
            return;
        watch_destinations(search, search.bsa, iteration);
        if (length == 0)
            return;
        clear_next_counts(search, iteration);
        uint32_t mask = __ldcg(&search.mask[lane_id()]);
        if (bottom_up)
            pull_by_warps(in_edges, search, team, length, mask);
        else
            expand_by_warps(graph, search, team, length, mask);
        if (grid_wait(search.barrier, &counts->length[0], &shared->broadcast) == UINT32_MAX)
            return;
    }
}

/* ---- before ---- */

/* "Set first BSAK" (algorithm 6), and what makes a search active: destinations, or all searches where none are named
 * (open NULL). A thread a source; several may be one vertex. */
__global__ void set_first_bsak(struct search search, const vertex_t *sources, uint32_t num_sources)
{
    uint32_t source = blockIdx.x * blockDim.x + threadIdx.x;
    if (source >= num_sources)
        return;
    uint32_t instance = source / INSTANCE_SEARCHES, bit = 1u << source % INSTANCE_SEARCHES;
    atomicOr(&search.bsak[word_of(search.layout, sources[source], instance)], bit);
    if (search.num_destinations == 0 || search.open[source] > 0)
        atomicOr(&search.mask[instance], bit);
}

__global__ void count_open(struct search search)
{
    uint64_t num_threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < search.num_destinations; i += num_threads)
        atomicAdd(&search.open[search.destinations[i].which], 1u);
}

/* ---- host side ---- */

enum scheme { SCHEME_AUTO, SCHEME_WORKGROUP, SCHEME_COALESCED, SCHEME_BOTTOM_UP };

#define BOTTOM_UP_PERCENT 5 /* the thesis names none */
enum { BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS, OWN_OPTION };
#define COMMON_OPTIONS                                                                                               \
    {"block-size", MOST_THREADS, 32, MOST_THREADS, NULL, "threads of a block, a multiple of 32"},                    \
        {"blocks-per-sm", MANY_BLOCKS, 1, 32, NULL, "blocks on each multiprocessor, as far as they fit"},            \
    {                                                                                                                \
        "offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"       \
    }
static const struct option_spec common_options[] = {COMMON_OPTIONS, {}};
static const struct option_spec workgroup_options[] = {
    COMMON_OPTIONS,
    {"instances", 0, 0, 0, "auto|1|2|4", "of 32 searches each; auto: as many as the sources need"},
    {},
};
static const struct option_spec bottom_up_options[] = {
    COMMON_OPTIONS,
    {"bottom-up-percent", BOTTOM_UP_PERCENT, 0, 100, NULL,
     "an iteration is bottom-up if more percent of the vertices were in the queue of the top-down one before"},
    {},
};

struct state {
    enum scheme scheme;
    struct gpu_graph graph, in_edges; /* in_edges: of a directed graph, for bottom-up iterations */
    struct search search;
    vertex_t *sources;                /* a batch */
    struct destination *destinations; /* capacity, as the search's lengths */
    size_t capacity;
    uint32_t instances; /* that searches may be of */
    uint32_t *fetched;  /* num_vertices: the levels of one search */
    uint32_t longest;   /* JFQ after which an iteration is top-down */
    struct grid grid;
};

/* ---- preparing ---- */

static bool is_coalesced(const struct state *state)
{
    return state->scheme != SCHEME_WORKGROUP;
}

/* By number of searches and size of the graph (section 5.2). */
static enum scheme choose_scheme(const struct run *run)
{
    if (run->num_trials < COALESCED_SEARCHES)
        return SCHEME_WORKGROUP;
    return run->graph->num_edges < BOTTOM_UP_EDGES ? SCHEME_COALESCED : SCHEME_BOTTOM_UP;
}

/* As many as the option says, or the sources need. */
static uint32_t wanted_instances(const struct run *run, enum scheme asked)
{
    const struct state *state = (const struct state *)run->state;
    if (is_coalesced(state))
        return COALESCED_INSTANCES;
    if (asked == SCHEME_WORKGROUP && run->options[OWN_OPTION] > 0)
        return 1u << ((unsigned)run->options[OWN_OPTION] - 1);
    uint32_t instances = 1;
    while (instances < MOST_INSTANCES && (int)(instances * INSTANCE_SEARCHES) < run->num_trials)
        instances *= 2;
    return instances;
}

/* Of what grows with the vertices. */
static double bytes_for(const struct run *run, uint32_t instances)
{
    const struct state *state = (const struct state *)run->state;
    double arrays = is_coalesced(state) ? COALESCED_INSTANCES : instances,
           queues = is_coalesced(state) ? 1 : instances;
    double levels = run->outputs & OUTPUT_LEVEL ? (double)instances * INSTANCE_SEARCHES : 0;
    return run->graph->num_vertices * (2 * arrays * sizeof *state->search.bsa + queues * sizeof *state->search.jfq +
                                       levels * sizeof *state->search.level);
}

/* The most instances, as far as they are wanted, that memory is there for; after all else is allocated. */
static int choose_instances(struct run *run, enum scheme asked)
{
    static const char *const names[] = {"", "workgroups", "coalesced", "coalesced, bottom-up"};
    struct state *state = (struct state *)run->state;
    uint32_t wanted = wanted_instances(run, asked);
    size_t free_bytes = 0, all_bytes = 0;
    int length;
    if (gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory", run->error) != STATUS_OK)
        return run->error->status;
    state->instances = wanted;
    while (state->instances > 1 && bytes_for(run, state->instances) > FREE_SHARE * (double)free_bytes)
        state->instances /= 2;
    run->batch_size = state->instances * INSTANCE_SEARCHES;
    length = snprintf(run->note, sizeof run->note, "%s, %u instance%s of %u searches", names[state->scheme],
                      state->instances, state->instances == 1 ? "" : "s", INSTANCE_SEARCHES);
    if (state->instances < wanted)
        length += snprintf(run->note + length, sizeof run->note - (size_t)length,
                           ", since %u need %.1f MB and %.1f MB are free", wanted, 1e-6 * bytes_for(run, wanted),
                           1e-6 * (double)free_bytes);
    if (asked == SCHEME_AUTO)
        snprintf(run->note + length, sizeof run->note - (size_t)length, ": chosen for %d source%s and %llu edges",
                 run->num_trials, run->num_trials == 1 ? "" : "s", (unsigned long long)run->graph->num_edges);
    return STATUS_OK;
}

static int upload(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct graph transpose = {};
    bool wide = run->options[OFFSET_BITS] != 0;
    if (gpu_graph_upload(run->graph, wide, &state->graph, run->error) != STATUS_OK ||
        state->scheme != SCHEME_BOTTOM_UP || run->graph->symmetric)
        return run->error->status;
    if (graph_transpose(run->graph, &transpose, run->error) == STATUS_OK)
        gpu_graph_upload(&transpose, wide, &state->in_edges, run->error);
    graph_release(&transpose);
    return run->error->status;
}

/* Whose size does not depend on the instances. */
static int allocate_fixed(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct error *error = run->error;
    size_t searches = COALESCED_INSTANCES * INSTANCE_SEARCHES;
    if (gpu_allocate(&search->counts, NUM_COUNTS, "the counts", error) != STATUS_OK ||
        gpu_allocate(&search->mask, COALESCED_INSTANCES, "the mask", error) != STATUS_OK ||
        gpu_allocate(&search->open, searches, "the searches", error) != STATUS_OK ||
        gpu_allocate(&state->sources, searches, "the sources", error) != STATUS_OK ||
        gpu_allocate(&search->barrier, 1, "the barrier", error) != STATUS_OK)
        return error->status;
    return gpu_allocate(&state->fetched, run->graph->num_vertices, "the result", error);
}

static int allocate_by_instances(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct error *error = run->error;
    size_t n = run->graph->num_vertices, instances = state->instances;
    size_t words = n * (is_coalesced(state) ? COALESCED_INSTANCES : instances);
    search->layout = is_coalesced(state) ? layout{COALESCED_INSTANCES, 1} : layout{1, n};
    search->level_layout = is_coalesced(state) ? layout{instances, 1} : layout{1, n};
    search->num_instances = state->instances;
    if (gpu_allocate(&search->bsa, words, "the BSA", error) != STATUS_OK ||
        gpu_allocate(&search->bsak, words, "the BSAK", error) != STATUS_OK ||
        gpu_allocate(&search->jfq, is_coalesced(state) ? n : n * instances, "the JFQ", error) != STATUS_OK ||
        !(run->outputs & OUTPUT_LEVEL))
        return error->status;
    return gpu_allocate(&search->level, n * instances * INSTANCE_SEARCHES, "the levels", error);
}

static const void *kernel_of(const struct state *state)
{
    if (is_coalesced(state))
        return state->graph.wide ? (const void *)ibfs_coalesced_kernel<edge_t>
                                 : (const void *)ibfs_coalesced_kernel<uint32_t>;
    return state->graph.wide ? (const void *)ibfs_workgroup_kernel<edge_t>
                             : (const void *)ibfs_workgroup_kernel<uint32_t>;
}

static int prepare(struct run *run, enum scheme asked)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    unsigned threads = (unsigned)run->options[BLOCK_SIZE];
    state->scheme = asked == SCHEME_AUTO ? choose_scheme(run) : asked;
    double percent = asked == SCHEME_BOTTOM_UP ? run->options[OWN_OPTION] : BOTTOM_UP_PERCENT;
    state->longest =
        state->scheme == SCHEME_BOTTOM_UP ? (uint32_t)(percent / 100 * run->graph->num_vertices) : UINT32_MAX;
    if (threads % WARP_SIZE != 0)
        return error_set(run->error, STATUS_INPUT, "--set block-size=%u: expected a multiple of 32", threads);
    if (upload(run) != STATUS_OK || allocate_fixed(run) != STATUS_OK || choose_instances(run, asked) != STATUS_OK ||
        allocate_by_instances(run) != STATUS_OK)
        return run->error->status;
    return gpu_plan_grid(kernel_of(state), threads, (unsigned)run->options[BLOCKS_PER_SM], sizeof(struct shared),
                         &state->grid, run->error);
}

static int prepare_workgroup(struct run *run)
{
    return prepare(run, SCHEME_WORKGROUP);
}
static int prepare_coalesced(struct run *run)
{
    return prepare(run, SCHEME_COALESCED);
}
static int prepare_bottom_up(struct run *run)
{
    return prepare(run, SCHEME_BOTTOM_UP);
}
static int prepare_auto(struct run *run)
{
    return prepare(run, SCHEME_AUTO);
}

/* ---- traversing ---- */

/* The query's destinations, in arrays that grow with the largest query. */
static int send_destinations(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    size_t count = query->destinations != NULL ? query->num_destinations : 0;
    search->num_destinations = count;
    if (count > state->capacity) {
        gpu_free(state->destinations);
        gpu_free(search->length);
        state->destinations = NULL;
        search->length = NULL;
        state->capacity = 0;
        if (gpu_allocate(&state->destinations, count, "the destinations", run->error) != STATUS_OK ||
            gpu_allocate(&search->length, count, "the lengths", run->error) != STATUS_OK)
            return run->error->status;
        state->capacity = count;
    }
    if (count == 0)
        return STATUS_OK;
    search->destinations = state->destinations;
    cudaMemsetAsync(search->length, 0xff, count * sizeof *search->length); /* UNREACHED */
    cudaMemcpyAsync(state->destinations, query->destinations, count * sizeof *state->destinations,
                    cudaMemcpyHostToDevice);
    return gpu_launch(count_open, gpu_wide_grid(count), 0, run->error, *search);
}

static int reset(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    size_t n = run->graph->num_vertices;
    size_t words = n * (is_coalesced(state) ? COALESCED_INSTANCES : state->instances);
    cudaMemsetAsync(search->bsa, 0, words * sizeof *search->bsa);
    cudaMemsetAsync(search->bsak, 0, words * sizeof *search->bsak);
    cudaMemsetAsync(search->counts, 0, NUM_COUNTS * sizeof *search->counts);
    cudaMemsetAsync(search->mask, 0, COALESCED_INSTANCES * sizeof *search->mask);
    cudaMemsetAsync(search->open, 0, COALESCED_INSTANCES * INSTANCE_SEARCHES * sizeof *search->open);
    cudaMemsetAsync(search->barrier, 0, sizeof *search->barrier);
    if (search->level != NULL) /* UNREACHED */
        cudaMemsetAsync(search->level, 0xff, n * state->instances * INSTANCE_SEARCHES * sizeof *search->level);
    cudaMemcpyAsync(state->sources, query->sources, query->num_sources * sizeof *state->sources,
                    cudaMemcpyHostToDevice);
    if (gpu_check(cudaGetLastError(), "resetting a traversal", run->error) != STATUS_OK ||
        send_destinations(run, query) != STATUS_OK)
        return run->error->status;
    return gpu_launch(set_first_bsak, gpu_wide_grid(query->num_sources), 0, run->error, *search,
                      (const vertex_t *)state->sources, query->num_sources);
}

template <typename offset_t>
static int launch(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const struct gpu_graph *in_edges = state->in_edges.offsets != NULL ? &state->in_edges : &state->graph;
    if (!is_coalesced(state))
        return gpu_launch_persistent(ibfs_workgroup_kernel<offset_t>, state->grid, sizeof(struct shared), run->error,
                                     csr_of<offset_t>(&state->graph), state->search);
    return gpu_launch_persistent(ibfs_coalesced_kernel<offset_t>, state->grid, sizeof(struct shared), run->error,
                                 csr_of<offset_t>(&state->graph), csr_of<offset_t>(in_edges), state->search,
                                 state->longest);
}

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    if (reset(run, query) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    if (state->graph.wide)
        launch<edge_t>(run);
    else
        launch<uint32_t>(run);
    run_kernel_end(run);
    return run->error->status;
}

/* ---- results ---- */

__global__ void levels_of_search(struct search search, uint32_t which, uint32_t *levels, vertex_t num_vertices)
{
    uint64_t num_threads = (uint64_t)gridDim.x * blockDim.x;
    uint32_t instance = which / INSTANCE_SEARCHES, bit = which % INSTANCE_SEARCHES;
    for (uint64_t v = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; v < num_vertices; v += num_threads)
        levels[v] = search.level[word_of(search.level_layout, (vertex_t)v, instance) * INSTANCE_SEARCHES + bit];
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    vertex_t n = run->graph->num_vertices;
    if (gpu_check_barrier(search->barrier, "msbfs ibfs", run->error) != STATUS_OK)
        return run->error->status;
    if (result->level != NULL && (gpu_launch(levels_of_search, gpu_wide_grid(n), 0, run->error, *search,
                                             result->which, state->fetched, n) != STATUS_OK ||
                                  gpu_download(result->level, state->fetched, n, run->error) != STATUS_OK))
        return run->error->status;
    if (result->length != NULL)
        return gpu_download(result->length, search->length, search->num_destinations, run->error);
    return STATUS_OK;
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct search *search = &state->search;
        const void *const arrays[] = {search->bsa,     search->bsak,   search->jfq,         search->counts,
                                      search->mask,    search->open,   search->level,       search->length,
                                      search->barrier, state->sources, state->destinations, state->fetched};
        for (const void *array : arrays)
            gpu_free(array);
        gpu_graph_free(&state->graph);
        gpu_graph_free(&state->in_edges);
    }
    free(state);
}

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(msbfs_ibfs_auto) = {
    .family = "msbfs",
    .variant = "ibfs-auto",
    .title = "IBFS, the scheme by number of searches and graph",
    .citation = "Dreef 2025, chapter 5",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_LENGTH,
    .options = common_options,
    .prepare = prepare_auto,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(msbfs_ibfs_workgroup) = {
    .family = "msbfs",
    .variant = "ibfs-workgroup",
    .title = "IBFS, workgroups: 1, 2 or 4 instances",
    .citation = "Dreef 2025, 4.3.2",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_LENGTH,
    .options = workgroup_options,
    .prepare = prepare_workgroup,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(msbfs_ibfs_coalesced) = {
    .family = "msbfs",
    .variant = "ibfs-coalesced",
    .title = "IBFS, 32 instances share one queue",
    .citation = "Dreef 2025, 4.3.3",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_LENGTH,
    .options = common_options,
    .prepare = prepare_coalesced,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(msbfs_ibfs_bottomup) = {
    .family = "msbfs",
    .variant = "ibfs-bottomup",
    .title = "IBFS, coalesced with direction switching",
    .citation = "Dreef 2025, 4.3.3.1",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_LENGTH,
    .options = bottom_up_options,
    .prepare = prepare_bottom_up,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
