/* warpnet.cu: WarpNet (Kalra 2025): three BFS kernels and Kahn's algorithm for DAGs.
 *
 *   bfs queue    section 1.3.1: a queue of frontier vertices, a thread a vertex
 *   bfs bitmap   section 1.3.2: a bitmap of frontier vertices that all threads scan, a thread a vertex
 *   bfs warp     section 1.3.3: the same bitmap, a warp a vertex
 *   topo kahn    section 3.2:   rounds over the vertices whose in-neighbours are all ordered
 *
 * Where the paper's host launches a kernel per level and reads the frontier's size back, one persistent kernel runs
 * all levels, with one grid barrier a level; nothing is read back before the end. What blocks exchange lies in L2: it
 * is read with __ldcg, since a line in an L1 cache may be older than the last barrier.
 *
 * Rotating counts. A level's threads write counts[level % 3] (the size of the next frontier, or whether there is one)
 * and all read it after the barrier. counts[(level + 1) % 3], which the next level will write, was last read at the
 * start of level - 1, and every block has since passed a barrier, so one thread may clear it during this level. */
#include <stdlib.h>

#include "backend/backend.h"

namespace BACKEND
{

#define NUM_COUNTS 3u
#define UNROLL     4u /* edges that a thread has in flight */

/* All threads of a grid, numbered through. */
struct team {
    uint32_t thread, num_threads;
};

static __device__ __forceinline__ struct team whole_grid(void)
{
    return {blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
}

/* Device memory of a traversal; arrays that a variant does not use are NULL. */
struct search {
    uint32_t *level;           /* num_vertices; UNREACHED until found */
    vertex_t *queue;           /* num_vertices: every vertex found, one level after the other */
    uint32_t *frontier, *next; /* num_words each: bitmaps; all zero but for the frontier between levels */
    uint32_t *in_degree;       /* num_vertices */
    uint32_t *waiting;         /* num_vertices: in-neighbours not ordered yet */
    uint32_t *counts;          /* NUM_COUNTS */
    uint32_t *num_ordered;     /* 1: length of the finished order */
    struct grid_barrier *barrier;
};

struct shared {
    uint32_t broadcast;
};

/* Appends the vertices of those lanes that have one; *count is the number of vertices behind queue so far. All lanes
 * of the warp must come. */
template <unsigned number>
static __device__ __forceinline__ void append(vertex_t *queue, uint32_t *count, const vertex_t (&vertices)[number],
                                              const bool (&has)[number])
{
    unsigned before = lanes_below(lane_id()), masks[number], total = 0;
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        masks[i] = __ballot_sync(WHOLE_WARP, has[i]);
        total += __popc(masks[i]);
    }
    if (total == 0)
        return;
    uint32_t position = lane_id() == 0 ? atomicAdd(count, total) : 0;
    position = __shfl_sync(WHOLE_WARP, position, 0);
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        if (has[i])
            __stcg(&queue[position + __popc(masks[i] & before)], vertices[i]);
        position += __popc(masks[i]);
    }
}

/* ---- sharing a vertex's edges ---- */

/* Where a thread is in a list of edges: it looks at edge, edge + stride, ... before end. */
template <typename offset_t>
struct span {
    offset_t edge, end;
};

template <typename offset_t>
static __device__ __forceinline__ struct span<offset_t> edges_of(const csr<offset_t> &graph, vertex_t vertex) {
    return {graph.offsets[vertex], graph.offsets[vertex + 1]};
}

/* The span of the lane `owner`, as seen by the lanes that share it: each starts at its own place. */
template <typename offset_t>
static __device__ __forceinline__ struct span<offset_t> share_of(struct span<offset_t> mine, int owner,
                                                                 unsigned place) {
    offset_t edge = __shfl_sync(WHOLE_WARP, mine.edge, owner), end = __shfl_sync(WHOLE_WARP, mine.end, owner);
    return {edge + place, end};
}

/* Lanes whose vertex has so many edges that the whole warp should take them. */
template <typename offset_t>
static __device__ __forceinline__ unsigned hubs_of(struct span<offset_t> mine, uint32_t warp_above)
{
    return __ballot_sync(WHOLE_WARP, mine.end - mine.edge > warp_above);
}

/* The next UNROLL neighbours of a span and their levels; beyond the end, levels that are not UNREACHED. */
struct look_ahead {
    vertex_t neighbour[UNROLL];
    uint32_t level[UNROLL];
};

template <typename offset_t>
static __device__ __forceinline__ struct look_ahead look(const csr<offset_t> &graph, const uint32_t *levels,
                                                         struct span<offset_t> span, unsigned stride)
{
    struct look_ahead ahead;
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        ahead.neighbour[i] = span.edge + i * stride < span.end ? graph.targets[span.edge + i * stride] : NO_VERTEX;
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        ahead.level[i] = ahead.neighbour[i] != NO_VERTEX ? __ldcg(&levels[ahead.neighbour[i]]) : 0;
    return ahead;
}

/* ---- bfs queue ---- */

/* Claims what the span leads to for this level and queues it. The levels are read before the compare-and-swap, since
 * most neighbours are reached already; only the swap decides. All lanes of the warp must come. */
template <typename offset_t>
static __device__ __forceinline__ void claim_span(const csr<offset_t> &graph, uint32_t *levels, uint32_t level,
                                                  struct span<offset_t> span, unsigned stride, vertex_t *queue,
                                                  uint32_t *count)
{
    for (; __any_sync(WHOLE_WARP, span.edge < span.end); span.edge += UNROLL * stride) {
        struct look_ahead ahead = look(graph, levels, span, stride);
        bool claimed[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            claimed[i] =
                ahead.level[i] == UNREACHED && atomicCAS(&levels[ahead.neighbour[i]], UNREACHED, level) == UNREACHED;
        append(queue, count, ahead.neighbour, claimed);
        span.edge = span.edge < span.end ? span.edge : span.end; /* lanes that are done must not run on */
    }
}

template <typename offset_t>
__global__ void bfs_queue_kernel(csr<offset_t> graph, struct search search, uint32_t warp_above)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = whole_grid();
    uint32_t size = 1; /* of the frontier, which queue points to */
    vertex_t *queue = search.queue;
    for (uint32_t level = 1; size > 0; level++) {
        uint32_t *count = &search.counts[level % NUM_COUNTS];
        for (uint64_t first = team.thread - lane_id(); first < size; first += team.num_threads) {
            struct span<offset_t> mine = {
            };
            if (first + lane_id() < size)
                mine = edges_of(graph, __ldcg(&queue[first + lane_id()]));
            for (unsigned hubs = hubs_of(mine, warp_above); hubs != 0; hubs &= hubs - 1) {
                int owner = __ffs((int)hubs) - 1;
                claim_span(graph, search.level, level, share_of(mine, owner, lane_id()), WARP_SIZE, queue + size,
                           count);
                if ((int)lane_id() == owner)
                    mine = {};
            }
            claim_span(graph, search.level, level, mine, 1, queue + size, count);
        }
        if (team.thread == 0)
            search.counts[(level + 1) % NUM_COUNTS] = 0;
        queue += size;
        size = grid_wait(search.barrier, count, &shared->broadcast);
        if (size == UINT32_MAX)
            return;
    }
}

/* ---- bfs bitmap, bfs warp ---- */

/* Gives what the span leads to this level and puts it into the next frontier; returns whether there was anything. No
 * compare-and-swap: levels of earlier steps are final and visible since the barrier, and threads that find a vertex
 * at once all write the same. */
template <typename offset_t>
static __device__ __forceinline__ bool visit_span(const csr<offset_t> &graph, uint32_t *levels, uint32_t level,
                                                  struct span<offset_t> span, unsigned stride, uint32_t *next)
{
    bool any = false;
    for (; span.edge < span.end; span.edge += UNROLL * stride) {
        struct look_ahead ahead = look(graph, levels, span, stride);
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            vertex_t neighbour = ahead.neighbour[i];
            if (ahead.level[i] != UNREACHED)
                continue;
            __stcg(&levels[neighbour], level);
            atomicOr(&next[neighbour / WARP_SIZE], 1u << (neighbour % WARP_SIZE));
            any = true;
        }
    }
    return any;
}

/* How the lanes of a warp share the 32 vertices of a bitmap word. */
struct sharing {
    uint32_t lanes; /* to a vertex, a power of two: 1 in `bitmap`; 32, or as many as edges are to expect, in `warp` */
    uint32_t warp_above; /* a vertex with more edges is taken by the whole warp */
};

/* Expands the frontier vertices among the 32 from `first` on; the lanes' groups take them side by side. */
template <typename offset_t>
static __device__ __forceinline__ bool expand_word(const csr<offset_t> &graph, const struct search &search,
                                                   uint32_t *next, uint32_t word, vertex_t first, uint32_t level,
                                                   struct sharing sharing)
{
    struct span<offset_t> mine = {
    };
    bool any = false;
    if (word >> lane_id() & 1)
        mine = edges_of(graph, first + lane_id());
    for (unsigned hubs = hubs_of(mine, sharing.warp_above); hubs != 0; hubs &= hubs - 1) {
        int owner = __ffs((int)hubs) - 1;
        any |= visit_span(graph, search.level, level, share_of(mine, owner, lane_id()), WARP_SIZE, next);
        if ((int)lane_id() == owner)
            mine = {};
    }
    unsigned turns =
        __ballot_sync(WHOLE_WARP, mine.edge < mine.end); /* folded: places in a group that some group needs */
    for (unsigned fold = WARP_SIZE / 2; fold >= sharing.lanes; fold /= 2)
        turns |= turns >> fold;
    unsigned place = lane_id() % sharing.lanes, group = lane_id() - place;
    for (unsigned turn = 0; turn < sharing.lanes; turn++)
        if (turns >> turn & 1)
            any |= visit_span(graph, search.level, level, share_of(mine, (int)(group + turn), place), sharing.lanes,
                              next);
    return any;
}

template <typename offset_t>
__global__ void bfs_bitmap_kernel(csr<offset_t> graph, struct search search, struct sharing sharing)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = whole_grid();
    uint32_t num_words = (graph.num_vertices - 1) / WARP_SIZE + 1, num_warps = team.num_threads / WARP_SIZE;
    uint32_t *frontier = search.frontier, *next = search.next;
    uint32_t more = 1; /* the frontier is not empty */
    for (uint32_t level = 1; more; level++) {
        bool any = false;
        /* A warp has every num_warps'th word, since frontiers lie in clusters; its lanes read 32 of them at a time.
         */
        for (uint64_t base = team.thread / WARP_SIZE; base < num_words; base += (uint64_t)num_warps * WARP_SIZE) {
            uint64_t mine = base + (uint64_t)lane_id() * num_warps;
            uint32_t word = mine < num_words ? __ldcg(&frontier[mine]) : 0;
            if (word != 0)
                __stcg(&frontier[mine], 0u); /* the next level will build its successor here */
            for (unsigned full = __ballot_sync(WHOLE_WARP, word != 0); full != 0; full &= full - 1) {
                int owner = __ffs((int)full) - 1;
                uint32_t active = __shfl_sync(WHOLE_WARP, word, owner);
                vertex_t first = (vertex_t)(base + (uint64_t)owner * num_warps) * WARP_SIZE;
                any |= expand_word(graph, search, next, active, first, level, sharing);
            }
        }
        uint32_t *count = &search.counts[level % NUM_COUNTS];
        if (__syncthreads_or(any) && threadIdx.x == 0)
            __stcg(count, 1u);
        if (team.thread == 0)
            search.counts[(level + 1) % NUM_COUNTS] = 0;
        uint32_t *swap = frontier;
        frontier = next;
        next = swap;
        more = grid_wait(search.barrier, count, &shared->broadcast);
        if (more == UINT32_MAX)
            return;
    }
}

/* ---- topo kahn ---- */

__global__ void count_in_degrees(const vertex_t *targets, edge_t num_edges, uint32_t *in_degree)
{
    edge_t stride = (edge_t)gridDim.x * blockDim.x;
    for (edge_t e = (edge_t)blockIdx.x * blockDim.x + threadIdx.x; e < num_edges; e += stride)
        atomicAdd(&in_degree[targets[e]], 1u);
}

/* How many threads share a frontier vertex: a power of two, so that every thread of the grid has something to do.
 * With the paper's one thread a vertex, a narrow DAG of high degrees runs on a handful of threads. */
static __device__ __forceinline__ uint32_t threads_per_vertex(uint32_t num_threads, uint32_t size, uint32_t most)
{
    uint32_t share = num_threads / size;
    share = share > 1 ? 1u << (31 - __clz((int)share)) : 1;
    return share < most ? share : most;
}

template <typename offset_t>
__global__ void topo_kahn_kernel(csr<offset_t> graph, struct search search, uint32_t most_per_vertex)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = whole_grid();
    vertex_t *order = search.queue;
    uint32_t size = 0; /* of the frontier, which order points to */
    for (uint32_t round = 1;; round++) {
        uint32_t *count = &search.counts[round % NUM_COUNTS];
        if (round == 1) { /* the first frontier: whatever has no in-neighbour */
            for (uint64_t first = team.thread - lane_id(); first < graph.num_vertices; first += team.num_threads) {
                uint64_t v = first + lane_id();
                vertex_t vertices[1] = {(vertex_t)v};
                bool ready[1] = {v < graph.num_vertices && search.waiting[v] == 0};
                append(order, count, vertices, ready);
            }
        } else {
            uint32_t share = threads_per_vertex(team.num_threads, size, most_per_vertex);
            uint64_t group_first = (team.thread - lane_id()) / share;
            for (uint64_t first = group_first; first < size; first += team.num_threads / share) {
                uint64_t mine = first + lane_id() / share; /* share >= 32: the warp's one vertex */
                uint32_t slice = team.thread % share;
                offset_t edge = 0, end = 0;
                if (mine < size) {
                    vertex_t u = __ldcg(&order[mine]);
                    edge = graph.offsets[u];
                    end = graph.offsets[u + 1];
                    edge = end - edge > slice ? edge + slice : end;
                }
                while (__any_sync(WHOLE_WARP, edge < end)) {
                    vertex_t vertices[1] = {0};
                    bool ready[1] = {false};
                    if (edge < end) {
                        vertices[0] = graph.targets[edge];
                        ready[0] = atomicSub(&search.waiting[vertices[0]], 1u) == 1;
                        edge = end - edge > share ? edge + share : end;
                    }
                    append(order + size, count, vertices, ready);
                }
            }
        }
        if (team.thread == 0)
            search.counts[(round + 1) % NUM_COUNTS] = 0;
        order += size;
        size = grid_wait(search.barrier, count, &shared->broadcast);
        if (size == 0 || size == UINT32_MAX)
            break;
    }
    if (team.thread == 0)
        *search.num_ordered = (uint32_t)(order - search.queue);
}

/* ---- host side ---- */

enum { BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS, SHARING, LANES };
#define COMMON_OPTIONS(threads)                                                                                      \
    {"block-size", threads, 32, 1024, NULL, "threads of a block, a multiple of 32"},                                 \
        {"blocks-per-sm", 2, 1, 32, NULL, "blocks on each multiprocessor, as far as they fit"},                      \
    {                                                                                                                \
        "offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"       \
    }
#define WARP_ABOVE                                                                                                   \
    {                                                                                                                \
        "warp-above", 64, 0, 1 << 30, NULL,                                                                          \
            "a vertex with more edges is taken by a whole warp; 1073741824: never, as in the paper"                  \
    }
static const struct option_spec queue_options[] = {COMMON_OPTIONS(512), WARP_ABOVE, {}};
static const struct option_spec bitmap_options[] = {COMMON_OPTIONS(1024), WARP_ABOVE, {}};
static const struct option_spec warp_options[] = {
    COMMON_OPTIONS(1024),
    WARP_ABOVE,
    {"lanes-per-vertex", 0, 0, 32, NULL, "a power of two; 0: the mean degree's next, from 4; 32: as in the paper"},
    {},
};
static const struct option_spec topo_options[] = {
    COMMON_OPTIONS(512),
    {"threads-per-vertex", 0, 0, 1 << 20, NULL,
     "most threads that share a vertex's edges; 0: no limit, 1: as in the paper"},
    {},
};

struct state {
    struct gpu_graph graph;
    struct search search;
    size_t num_words; /* of a bitmap */
    struct grid grid;
};

/* What prepare of every variant shares: the graph, the barrier, the counts, the grid of the kernel's instantiation.
 */
template <typename narrow_t, typename wide_t>
static int prepare_common(struct run *run, narrow_t narrow, wide_t wide)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    unsigned threads = (unsigned)run->options[BLOCK_SIZE];
    if (threads % WARP_SIZE != 0)
        return error_set(run->error, STATUS_INPUT, "--set block-size=%u: expected a multiple of 32", threads);
    if (gpu_graph_upload(run->graph, run->options[OFFSET_BITS] != 0, &state->graph, run->error) != STATUS_OK ||
        gpu_allocate(&state->search.counts, NUM_COUNTS, "the counts", run->error) != STATUS_OK ||
        gpu_allocate(&state->search.barrier, 1, "the barrier", run->error) != STATUS_OK)
        return run->error->status;
    state->num_words = ((size_t)run->graph->num_vertices + WARP_SIZE - 1) / WARP_SIZE;
    return gpu_plan_grid(state->graph.wide ? (const void *)wide : (const void *)narrow, threads,
                         (unsigned)run->options[BLOCKS_PER_SM], sizeof(struct shared), &state->grid, run->error);
}

static int prepare_queue(struct run *run)
{
    size_t n = run->graph->num_vertices;
    if (prepare_common(run, bfs_queue_kernel<uint32_t>, bfs_queue_kernel<edge_t>) != STATUS_OK)
        return run->error->status;
    struct search *search = &((struct state *)run->state)->search;
    if (gpu_allocate(&search->level, n, "the levels", run->error) == STATUS_OK)
        gpu_allocate(&search->queue, n, "the frontier queue", run->error);
    return run->error->status;
}

static int prepare_bitmap(struct run *run)
{
    if (prepare_common(run, bfs_bitmap_kernel<uint32_t>, bfs_bitmap_kernel<edge_t>) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    if (gpu_allocate(&state->search.level, run->graph->num_vertices, "the levels", run->error) == STATUS_OK &&
        gpu_allocate(&state->search.frontier, state->num_words, "the frontier", run->error) == STATUS_OK)
        gpu_allocate(&state->search.next, state->num_words, "the frontier", run->error);
    return run->error->status;
}

/* Puts the source into the first frontier. */
__global__ void seed(struct search search, vertex_t source)
{
    search.level[source] = 0;
    if (search.queue != NULL)
        search.queue[0] = source;
    if (search.frontier != NULL)
        search.frontier[source / WARP_SIZE] = 1u << (source % WARP_SIZE);
}

/* Starts one of a kernel's two instantiations, over the graph as wide as its offsets are. sharing: how threads share
 * edges, the kernel's last parameter. */
template <typename sharing_t>
static int launch(struct run *run, void (*narrow)(csr<uint32_t>, struct search, sharing_t),
                  void (*wide)(csr<edge_t>, struct search, sharing_t), sharing_t sharing)
{
    const struct state *state = (const struct state *)run->state;
    const struct gpu_graph *graph = &state->graph;
    run_kernel_begin(run);
    if (graph->wide)
        gpu_launch_persistent(wide, state->grid, sizeof(struct shared), run->error, csr_of<edge_t>(graph),
                              state->search, sharing);
    else
        gpu_launch_persistent(narrow, state->grid, sizeof(struct shared), run->error, csr_of<uint32_t>(graph),
                              state->search, sharing);
    run_kernel_end(run);
    return run->error->status;
}

static uint32_t power_of_two_from(double least)
{
    uint32_t power = 1;
    while (power < least && power < WARP_SIZE)
        power *= 2;
    return power;
}

/* Lanes to a vertex in `warp`: with 32, as in the paper, most idle where degrees are small; that many as a vertex has
 * edges follow Hong et al. (PPoPP 2011), whom the paper cites. */
static uint32_t choose_lanes(const struct run *run)
{
    const struct graph *graph = run->graph;
    double mean_degree = (double)graph->num_edges / graph->num_vertices;
    return power_of_two_from(run->options[LANES] > 0 ? run->options[LANES] : mean_degree > 4 ? mean_degree : 4);
}

static int reset_counts(struct run *run, const struct search *search)
{
    cudaMemsetAsync(search->counts, 0, NUM_COUNTS * sizeof *search->counts);
    cudaMemsetAsync(search->barrier, 0, sizeof *search->barrier);
    return gpu_check(cudaGetLastError(), "resetting a traversal", run->error);
}

static int reset_bfs(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    cudaMemsetAsync(search->level, 0xff, run->graph->num_vertices * sizeof *search->level); /* UNREACHED */
    if (search->frontier != NULL) {
        cudaMemsetAsync(search->frontier, 0, state->num_words * sizeof *search->frontier);
        cudaMemsetAsync(search->next, 0, state->num_words * sizeof *search->next);
    }
    if (gpu_launch(seed, {1, 1}, 0, run->error, *search, query->source) != STATUS_OK)
        return run->error->status;
    return reset_counts(run, search);
}

static int traverse_queue(struct run *run, const struct query *query)
{
    uint32_t warp_above = (uint32_t)run->options[SHARING];
    if (reset_bfs(run, query) != STATUS_OK)
        return run->error->status;
    return launch(run, bfs_queue_kernel<uint32_t>, bfs_queue_kernel<edge_t>, warp_above);
}

static int traverse_bitmap(struct run *run, const struct query *query)
{
    struct sharing sharing = {1, (uint32_t)run->options[SHARING]};
    if (reset_bfs(run, query) != STATUS_OK)
        return run->error->status;
    return launch(run, bfs_bitmap_kernel<uint32_t>, bfs_bitmap_kernel<edge_t>, sharing);
}

static int traverse_warp(struct run *run, const struct query *query)
{
    struct sharing sharing = {choose_lanes(run), (uint32_t)run->options[SHARING]};
    if (reset_bfs(run, query) != STATUS_OK)
        return run->error->status;
    return launch(run, bfs_bitmap_kernel<uint32_t>, bfs_bitmap_kernel<edge_t>, sharing);
}

static int fetch_bfs(struct run *run, struct traversal *result)
{
    struct state *state = (struct state *)run->state;
    if (gpu_check_barrier(state->search.barrier, "bfs", run->error) != STATUS_OK)
        return run->error->status;
    return gpu_download(result->level, state->search.level, run->graph->num_vertices, run->error);
}

static int prepare_kahn(struct run *run)
{
    size_t n = run->graph->num_vertices;
    if (prepare_common(run, topo_kahn_kernel<uint32_t>, topo_kahn_kernel<edge_t>) != STATUS_OK)
        return run->error->status;
    const struct gpu_graph *graph = &((struct state *)run->state)->graph;
    struct search *search = &((struct state *)run->state)->search;
    if (gpu_allocate(&search->queue, n, "the order", run->error) != STATUS_OK ||
        gpu_allocate(&search->num_ordered, 1, "the order", run->error) != STATUS_OK ||
        gpu_allocate(&search->in_degree, n, "the in-degrees", run->error) != STATUS_OK ||
        gpu_allocate(&search->waiting, n, "the in-degrees", run->error) != STATUS_OK ||
        gpu_check(cudaMemset(search->in_degree, 0, n * sizeof *search->in_degree), "counting in-degrees",
                  run->error) != STATUS_OK ||
        gpu_launch(count_in_degrees, gpu_wide_grid(), 0, run->error, (const vertex_t *)graph->targets,
                   graph->num_edges, search->in_degree) != STATUS_OK)
        return run->error->status;
    return gpu_check(cudaDeviceSynchronize(), "counting in-degrees", run->error);
}

static int traverse_kahn(struct run *run, const struct query *query)
{
    (void)query;
    const struct search *search = &((const struct state *)run->state)->search;
    uint32_t most = (uint32_t)run->options[SHARING];
    most = most == 0 ? UINT32_MAX : 1u << (31 - __builtin_clz(most));
    cudaMemcpyAsync(search->waiting, search->in_degree, run->graph->num_vertices * sizeof *search->waiting,
                    cudaMemcpyDeviceToDevice);
    if (reset_counts(run, search) != STATUS_OK)
        return run->error->status;
    return launch(run, topo_kahn_kernel<uint32_t>, topo_kahn_kernel<edge_t>, most);
}

static int fetch_kahn(struct run *run, struct traversal *result)
{
    struct state *state = (struct state *)run->state;
    uint32_t n = run->graph->num_vertices, ordered;
    if (gpu_check_barrier(state->search.barrier, "topo kahn", run->error) != STATUS_OK ||
        gpu_download(&ordered, state->search.num_ordered, 1, run->error) != STATUS_OK)
        return run->error->status;
    if (ordered < n)
        return error_set(
            run->error, STATUS_INPUT,
            "%s: the graph has a cycle (%u of %u vertices lie on or behind one); a topological order needs a DAG, "
            "such as dag:5000:0.4",
            run->graph->name, n - ordered, n);
    result->num_ordered = ordered;
    return gpu_download(result->order, state->search.queue, n, run->error);
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct search *search = &state->search;
        const void *const arrays[] = {search->level,  search->queue,     search->frontier,
                                      search->next,   search->in_degree, search->waiting,
                                      search->counts, search->barrier,   search->num_ordered};
        for (const void *array : arrays)
            gpu_free(array);
        gpu_graph_free(&state->graph);
    }
    free(state);
}

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(bfs_queue) = {
    .family = "bfs",
    .variant = "queue",
    .title = "WarpNet, frontier queue, a thread a vertex",
    .citation = "WarpNet, 1.3.1 (Kalra 2025)",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = queue_options,
    .prepare = prepare_queue,
    .traverse = traverse_queue,
    .fetch = fetch_bfs,
    .release = release,
};

GPU_ALGORITHM(bfs_bitmap) = {
    .family = "bfs",
    .variant = "bitmap",
    .title = "WarpNet, frontier bitmap, a thread a vertex",
    .citation = "WarpNet, 1.3.2 (Kalra 2025)",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = bitmap_options,
    .prepare = prepare_bitmap,
    .traverse = traverse_bitmap,
    .fetch = fetch_bfs,
    .release = release,
};

GPU_ALGORITHM(bfs_warp) = {
    .family = "bfs",
    .variant = "warp",
    .title = "WarpNet, frontier bitmap, a warp a vertex",
    .citation = "WarpNet, 1.3.3 (Kalra 2025)",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = warp_options,
    .prepare = prepare_bitmap,
    .traverse = traverse_warp,
    .fetch = fetch_bfs,
    .release = release,
};

GPU_ALGORITHM(topo_kahn) = {
    .family = "topo",
    .variant = "kahn",
    .title = "WarpNet, Kahn's algorithm in rounds",
    .citation = "WarpNet, 3.2 (Kalra 2025)",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_ORDER,
    .options = topo_options,
    .prepare = prepare_kahn,
    .traverse = traverse_kahn,
    .fetch = fetch_kahn,
    .release = release,
};
