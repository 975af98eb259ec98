/* warpnet.cu: the three BFS kernels of WarpNet (Kalra 2025).
 *
 *   queue    section 1.3.1: a queue of frontier vertices, one thread per vertex
 *   bitmap   section 1.3.2: a bitmap of frontier vertices that all threads scan, one thread per vertex
 *   warp     section 1.3.3: the same bitmap, one warp per vertex
 *
 * By default, one persistent kernel runs all levels, with one grid barrier between two levels, and the host reads
 * nothing before the end. warpnet.cuh has the device memory. */
#include "engines.h"

#include <math.h>
#include <stdio.h>

#include <bit>

#include "warpnet.cuh"

namespace BACKEND::warpnet
{

/* ---- mode=paper: the kernels as the paper lists them, one launch for each level ----
 *
 * After each level the host reads the size of the next frontier; with bitmaps, whether it is empty. It stops at the
 * first empty frontier, so there are at most as many launches as vertices. Every launch has a thread for each vertex
 * of the queue, or `lanes` threads for each vertex of the graph.
 *
 * Why it is right: all threads of a launch set the same level, and for each vertex the compare-and-swap of exactly
 * one thread succeeds. This thread queues the vertex or sets its bit. The next launch starts after all this. */

/* Section 1.3.1: thread i expands vertex i of the frontier. The next frontier follows the frontier in the queue. */
template <typename offset_t>
__global__ void paper_queue_level(csr<offset_t> graph, struct search search, vertex_t *frontier, uint32_t size,
                                  uint32_t level)
{
    uint64_t i = thread_of_grid();
    if (i >= size)
        return;
    vertex_t u = frontier[i], *next = frontier + size;
    for (offset_t e = graph.offsets[u]; e < graph.offsets[u + 1]; e++) {
        vertex_t neighbour = graph.targets[e];
        if (atomicCAS(&search.level[neighbour], UNREACHED, level) == UNREACHED)
            next[atomicAdd(search.counts, 1u)] = neighbour;
    }
}

/* Listings 2 and 3: `lanes` threads share a vertex, and return at once if it is not in the frontier. */
template <typename offset_t>
__global__ void paper_bitmap_level(csr<offset_t> graph, struct search search, uint32_t lanes, uint32_t level)
{
    uint64_t v = thread_of_grid() / lanes;
    if (v >= graph.num_vertices || !(search.frontier[v / 32] & (1u << (v % 32))))
        return;
    for (uint64_t e = graph.offsets[v] + thread_of_grid() % lanes; e < graph.offsets[v + 1]; e += lanes) {
        vertex_t neighbour = graph.targets[e];
        if (atomicCAS(&search.level[neighbour], UNREACHED, level) == UNREACHED) {
            atomicOr(&search.next[neighbour / 32], 1u << (neighbour % 32));
            __stcg(search.counts, 1u); /* the next frontier is not empty */
        }
    }
}

/* Searches level by level from the source, which is already in the queue. */
static int paper_queue_search(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    vertex_t *frontier = state->search.queue;
    uint32_t size = 1, next_size = 0;
    gpu_end_level(state->search.trace, 0, run->error);
    for (uint32_t level = 1; size > 0; level++) {
        gpu_clear(state->search.counts, 1, run->error);
        with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
            return gpu_launch(paper_queue_level<offset_t>, grid_of(size, state->grid.threads), 0, run->error, graph,
                              state->search, frontier, size, level);
        });
        gpu_end_level(state->search.trace, level, run->error);
        gpu_download(&next_size, state->search.counts, 1, run->error); /* 0 after an error */
        frontier += size;
        size = next_size;
    }
    return run->error->status;
}

/* Searches level by level from the source, whose bit is already set in the frontier. */
static int paper_bitmap_search(struct run *run, uint32_t lanes)
{
    const struct state *state = (const struct state *)run->state;
    struct search search = state->search;
    struct grid grid = grid_of((uint64_t)run->graph->num_vertices * lanes, state->grid.threads);
    uint32_t more = 1;
    gpu_end_level(search.trace, 0, run->error);
    for (uint32_t level = 1; more; level++) {
        gpu_clear(search.counts, 1, run->error);
        with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
            return gpu_launch(paper_bitmap_level<offset_t>, grid, 0, run->error, graph, search, lanes, level);
        });
        gpu_clear(search.frontier, state->num_words, run->error);
        std::swap(search.frontier, search.next);
        gpu_end_level(search.trace, level, run->error);
        gpu_download(&more, search.counts, 1, run->error); /* 0 after an error */
    }
    return run->error->status;
}

#define SEED_BLOCK  256u
#define UNROLL      4u  /* edges that a thread loads together */
#define WARP_ABOVE  64u /* a whole warp expands a vertex with more edges; 16 and 256 were slower (NOTES.md) */
#define LEAST_LANES 4   /* least number of lanes per vertex in `warp` */

/* ---- sharing a vertex's edges ---- */

/* The edges that a thread has yet to read: edge, edge + stride, ... before end. */
template <typename offset_t>
struct span {
    offset_t edge, end;
};

template <typename offset_t>
DEVICE span<offset_t> edges_of(const csr<offset_t> &graph, vertex_t vertex)
{
    return {graph.offsets[vertex], graph.offsets[vertex + 1]};
}

/* Returns this lane's share of lane `owner`'s span. place: this lane's number among the lanes that share it. */
template <typename offset_t>
DEVICE span<offset_t> share_of(span<offset_t> mine, int owner, unsigned place)
{
    offset_t edge = __shfl_sync(WHOLE_WARP, mine.edge, owner), end = __shfl_sync(WHOLE_WARP, mine.end, owner);
    return {edge + place, end};
}

/* Returns the lanes whose vertex has more than WARP_ABOVE edges; the whole warp should expand these. */
template <typename offset_t>
DEVICE unsigned high_degree_lanes(span<offset_t> mine)
{
    return __ballot_sync(WHOLE_WARP, mine.end - mine.edge > WARP_ABOVE);
}

/* The next UNROLL neighbours of a span and their levels. Past the end of the span, levels are not UNREACHED. */
struct look_ahead {
    vertex_t neighbour[UNROLL];
    uint32_t level[UNROLL];
};

template <typename offset_t>
DEVICE struct look_ahead look(const csr<offset_t> &graph, const uint32_t *levels, span<offset_t> span, unsigned stride)
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

/* Sets the level of each unreached neighbour in the span, and queues it. The thread reads a level before it
 * tries the compare-and-swap, since most neighbours are reached already; only the compare-and-swap decides
 * which thread queues a vertex. All lanes of the warp must call it. */
template <typename offset_t>
DEVICE void claim_span(const csr<offset_t> &graph, uint32_t *levels, uint32_t level, span<offset_t> span,
                       unsigned stride, vertex_t *queue, uint32_t *count)
{
    for (; __any_sync(WHOLE_WARP, span.edge < span.end); span.edge += UNROLL * stride) {
        struct look_ahead ahead = look(graph, levels, span, stride);
        bool claimed[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            claimed[i] =
                ahead.level[i] == UNREACHED && atomicCAS(&levels[ahead.neighbour[i]], UNREACHED, level) == UNREACHED;
        append(queue, count, ahead.neighbour, claimed);
        span.edge = span.edge < span.end ? span.edge : span.end; /* a lane that is done stays at its span's end */
    }
}

/* Returns whether there are targets and all have levels below `level`, which other threads may already be setting. A
 * thread checks its share, from *next on. All threads of the grid get the same answer. */
DEVICE bool has_found_all(const struct search &search, uint32_t level, uint32_t *next)
{
    while (*next < search.num_targets && __ldcg(&search.level[search.targets[*next].vertex]) < level)
        *next += blockDim.x;
    return search.num_targets > 0 && __syncthreads_and(*next >= search.num_targets);
}

template <typename offset_t, bool profiled>
__global__ void bfs_queue_kernel(csr<offset_t> graph, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_threads();
    uint32_t size = __ldcg(count_of(search.counts, 0)); /* size of the frontier, which `queue` points to */
    uint32_t target = threadIdx.x;
    vertex_t *queue = search.queue;
    if (profiled && team.rank == 0)
        end_level(search.trace, 0, LEVEL_TOP_DOWN);
    for (uint32_t level = 1; size > 0 && level <= search.max_level; level++) {
        if (has_found_all(search, level, &target))
            return;
        uint32_t *count = count_of(search.counts, level);
        for (uint64_t first = team.rank - lane_id(); first < size; first += team.size) {
            span<offset_t> mine = {};
            if (first + lane_id() < size)
                mine = edges_of(graph, __ldcg(&queue[first + lane_id()]));
            for (unsigned high = high_degree_lanes(mine); high != 0; high &= high - 1) {
                int owner = __ffs((int)high) - 1;
                claim_span(graph, search.level, level, share_of(mine, owner, lane_id()), WARP_SIZE, queue + size,
                           count);
                if ((int)lane_id() == owner)
                    mine = {};
            }
            claim_span(graph, search.level, level, mine, 1, queue + size, count);
        }
        if (team.rank == 0)
            *count_of(search.counts, level + 1) = 0;
        queue += size;
        size = grid_wait(search.barrier, count, &shared->broadcast);
        if (size == UINT32_MAX)
            return;
        if (profiled && team.rank == 0)
            end_level(search.trace, level, LEVEL_TOP_DOWN);
    }
}

/* Copies the targets of edges. A masked edge gets a target that is already reached. */
template <typename offset_t>
__global__ void mask_targets(csr<offset_t> graph, const uint8_t *vertices, const uint8_t *edges, vertex_t reached,
                             vertex_t *masked)
{
    for (uint64_t e = thread_of_grid(); e < graph.offsets[graph.num_vertices]; e += threads_of_grid()) {
        vertex_t v = graph.targets[e];
        masked[e] = (edges == NULL || edges[e]) && (vertices == NULL || vertices[v]) ? v : reached;
    }
}

/* Writes the parents from the final levels. A warp takes a vertex. */
template <typename offset_t>
__global__ void push_parents(csr<offset_t> graph, struct search search)
{
    for (uint64_t u = thread_of_grid() / WARP_SIZE; u < graph.num_vertices; u += threads_of_grid() / WARP_SIZE) {
        uint32_t level = search.level[u];
        if (level == 0)
            search.parent[u] = (vertex_t)u;
        for (offset_t e = graph.offsets[u] + lane_id(); level != UNREACHED && e < graph.offsets[u + 1]; e += WARP_SIZE)
            if (search.level[graph.targets[e]] == level + 1)
                search.parent[graph.targets[e]] = (vertex_t)u;
    }
}

/* ---- bfs bitmap, bfs warp ---- */

/* Sets the level of each unreached neighbour in the span and its bit in the next frontier. Returns whether there was
 * any. It needs no compare-and-swap: earlier levels are final and visible since the barrier, and threads that find
 * the same vertex write the same level. */
template <typename offset_t>
DEVICE bool visit_span(const csr<offset_t> &graph, uint32_t *levels, uint32_t level, span<offset_t> span,
                       unsigned stride, uint32_t *next)
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
            set_bit(next, neighbour);
            any = true;
        }
    }
    return any;
}

/* Expands the frontier vertices of one bitmap word, vertices first to first + 31. The whole warp expands each
 * high-degree vertex. Then each group of `lanes` lanes expands the vertices of its own lanes, one after another.
 * lanes: a power of two; 1 in `bitmap`. */
template <typename offset_t>
DEVICE bool expand_word(const csr<offset_t> &graph, const struct search &search, uint32_t *next, uint32_t word,
                        vertex_t first, uint32_t level, uint32_t lanes)
{
    span<offset_t> mine = {};
    bool any = false;
    if (word >> lane_id() & 1)
        mine = edges_of(graph, first + lane_id());
    for (unsigned high = high_degree_lanes(mine); high != 0; high &= high - 1) {
        int owner = __ffs((int)high) - 1;
        any |= visit_span(graph, search.level, level, share_of(mine, owner, lane_id()), WARP_SIZE, next);
        if ((int)lane_id() == owner)
            mine = {};
    }
    /* Bit i of turns is set if lane i of any group has a vertex to expand. */
    unsigned turns = __ballot_sync(WHOLE_WARP, mine.edge < mine.end);
    for (unsigned fold = WARP_SIZE / 2; fold >= lanes; fold /= 2)
        turns |= turns >> fold;
    unsigned place = lane_id() % lanes, group = lane_id() - place;
    for (unsigned turn = 0; turn < lanes; turn++)
        if (turns >> turn & 1)
            any |= visit_span(graph, search.level, level, share_of(mine, (int)(group + turn), place), lanes, next);
    return any;
}

template <typename offset_t, bool profiled>
__global__ void bfs_bitmap_kernel(csr<offset_t> graph, struct search search, uint32_t lanes)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_threads();
    /* bitmap_words() would cost a tenth of the time: the compiler would compare base with another number. */
    uint32_t num_words = (graph.num_vertices - 1) / BITMAP_BITS + 1, num_warps = team.size / WARP_SIZE;
    uint32_t *frontier = search.frontier, *next = search.next;
    uint32_t more = 1; /* the frontier is not empty */
    if (profiled && team.rank == 0)
        end_level(search.trace, 0, LEVEL_TOP_DOWN);
    for (uint32_t level = 1; more; level++) {
        bool any = false;
        /* Frontier vertices form clusters, so a warp takes every num_warps-th word, and loads 32 of them together. */
        for (uint64_t base = team.rank / WARP_SIZE; base < num_words; base += (uint64_t)num_warps * WARP_SIZE) {
            uint64_t mine = base + (uint64_t)lane_id() * num_warps;
            uint32_t word = mine < num_words ? __ldcg(&frontier[mine]) : 0;
            if (word != 0)
                __stcg(&frontier[mine], 0u); /* the next level builds its successor in this array */
            for (unsigned full = __ballot_sync(WHOLE_WARP, word != 0); full != 0; full &= full - 1) {
                int owner = __ffs((int)full) - 1;
                uint32_t active = __shfl_sync(WHOLE_WARP, word, owner);
                vertex_t first = (vertex_t)(base + (uint64_t)owner * num_warps) * WARP_SIZE;
                any |= expand_word(graph, search, next, active, first, level, lanes);
            }
        }
        uint32_t *count = count_of(search.counts, level);
        if (__syncthreads_or(any) && threadIdx.x == 0)
            __stcg(count, 1u);
        if (team.rank == 0)
            *count_of(search.counts, level + 1) = 0;
        swap_values(frontier, next);
        more = grid_wait(search.barrier, count, &shared->broadcast);
        if (more == UINT32_MAX)
            return;
        if (profiled && team.rank == 0)
            end_level(search.trace, level, LEVEL_TOP_DOWN);
    }
}

/* ---- host side ---- */

#define BFS_OPTIONS(threads)                                                                                           \
    COMMON_OPTIONS("a launch per level, and a thread (variant warp: 32) per vertex, whatever its degree", threads)
static const struct option_spec queue_options[] = {BFS_OPTIONS(512), {}};
static const struct option_spec bitmap_options[] = {BFS_OPTIONS(1024), {}}; /* for bitmap and warp */

/* Return the instance of a kernel that records the ends of levels, or does not. */
template <typename offset_t>
static auto queue_kernel_for(const struct run *run)
{
    return run->profile ? bfs_queue_kernel<offset_t, true> : bfs_queue_kernel<offset_t, false>;
}

template <typename offset_t>
static auto bitmap_kernel_for(const struct run *run)
{
    return run->profile ? bfs_bitmap_kernel<offset_t, true> : bfs_bitmap_kernel<offset_t, false>;
}

/* queues: the variant uses a queue, not bitmaps */
template <bool queues>
static int prepare(struct run *run, struct gpu_graph *graph)
{
    const void *kernel = with_width(graph->wide, [&]<typename offset_t>() {
        return queues ? (const void *)queue_kernel_for<offset_t>(run) : (const void *)bitmap_kernel_for<offset_t>(run);
    });
    struct state *state = prepare_common(run, graph, kernel);
    if (state == NULL)
        return run->error->status;
    struct search *search = &state->search;
    size_t n = run->graph->num_vertices;
    search->level = gpu_take<uint32_t>(&state->memory, n, "the levels", run->error);
    search->trace = gpu_take_trace(run, &state->memory);
    if (queues) {
        search->queue = gpu_take<vertex_t>(&state->memory, n, "the frontier queue", run->error);
        if (run->outputs & OUTPUT_PARENT)
            search->parent = gpu_take<vertex_t>(&state->memory, n, "the parents", run->error);
    } else {
        search->frontier = gpu_take<uint32_t>(&state->memory, state->num_words, "the frontier", run->error);
        search->next = gpu_take<uint32_t>(&state->memory, state->num_words, "the frontier", run->error);
    }
    return run->error->status;
}

/* Puts the sources into the first frontier. sources is NULL if there is only one. */
__global__ void seed(struct search search, const vertex_t *sources, uint32_t num_sources, vertex_t source)
{
    uint64_t i = thread_of_grid();
    if (sources != NULL && i < num_sources)
        source = sources[i];
    if (i >= num_sources || atomicCAS(&search.level[source], UNREACHED, 0) != UNREACHED)
        return;
    if (search.queue != NULL)
        search.queue[atomicAdd(count_of(search.counts, 0), 1u)] = source;
    if (search.frontier != NULL)
        *bitmap_word(search.frontier, source) = bit_of(source);
}

/* Returns the number of lanes per vertex in `warp`: 32 with mode=paper, where most lanes idle if degrees are small.
 * mode=best uses about the mean degree, like Hong et al. (PPoPP 2011), whom the paper cites. */
static uint32_t choose_lanes(const struct run *run)
{
    const struct graph *graph = run->graph;
    if (is_paper_mode(run->options[MODE]))
        return WARP_SIZE;
    double mean_degree = (double)graph->num_edges / graph->num_vertices;
    return std::bit_ceil((uint32_t)ceil(fmin(fmax(mean_degree, LEAST_LANES), WARP_SIZE)));
}

/* Copies an array to the device for the current query. Returns the copy; NULL if there is no array. */
template <typename type>
static type *copy_of(struct run *run, const type *host, size_t count)
{
    struct state *state = (struct state *)run->state;
    type *copy = host != NULL ? gpu_take<type>(&state->of_query, count, "the limits", run->error) : NULL;
    if (copy != NULL)
        gpu_upload(copy, host, count, run->error);
    return copy;
}

/* Copies the limits of a query to the device. Returns the graph without masked edges. */
static struct gpu_graph set_limits(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    const struct limits *limits = query->limits;
    struct gpu_graph left = state->graph;
    gpu_arena_free(&state->of_query);
    state->search.max_level = limits != NULL ? limits->max_level : UNREACHED;
    state->search.num_targets = 0;
    if (limits == NULL)
        return left;
    state->search.targets = copy_of(run, query->destinations, query->num_destinations);
    state->search.num_targets = query->destinations != NULL ? (uint32_t)query->num_destinations : 0;
    const uint8_t *vertices = copy_of(run, limits->vertices, run->graph->num_vertices),
                  *edges = copy_of(run, limits->edges, run->graph->num_edges);
    if (vertices == NULL && edges == NULL)
        return left;
    left.targets = gpu_take<vertex_t>(&state->of_query, left.num_edges, "the edges that masks leave", run->error);
    with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
        return gpu_launch(mask_targets<offset_t>, gpu_wide_grid(), 0, run->error, graph, vertices, edges,
                          query->sources[0], left.targets);
    });
    return left;
}

static int reset_bfs(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    gpu_fill(search->level, 0xff, run->graph->num_vertices, run->error); /* UNREACHED */
    gpu_clear(search->frontier, state->num_words, run->error);
    gpu_clear(search->next, state->num_words, run->error);
    reset_counts(run, search);
    const vertex_t *sources = query->num_sources > 1 ? copy_of(run, query->sources, query->num_sources) : NULL;
    return gpu_launch(seed, grid_of(query->num_sources, sources != NULL ? SEED_BLOCK : 1), 0, run->error, *search,
                      sources, query->num_sources, query->sources[0]);
}

static int traverse_queue(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    struct gpu_graph left = set_limits(run, query);
    reset_bfs(run, query);
    run_kernel_begin(run);
    if (is_paper_mode(run->options[MODE]) && query->limits == NULL)
        paper_queue_search(run);
    else
        with_offsets(&left, [&]<typename offset_t>(csr<offset_t> graph) {
            return gpu_launch_persistent(queue_kernel_for<offset_t>(run), state->grid, sizeof(struct shared),
                                         run->error, graph, *search);
        });
    if (search->parent != NULL) {
        gpu_fill(search->parent, 0xff, run->graph->num_vertices, run->error); /* NO_VERTEX */
        with_offsets(&left, [&]<typename offset_t>(csr<offset_t> graph) {
            return gpu_launch(push_parents<offset_t>, gpu_wide_grid(), 0, run->error, graph, *search);
        });
    }
    return run_kernel_end(run);
}

/* In `warp` the number of lanes per vertex depends on the degrees; in `bitmap` it is 1. */
template <bool warp>
static int traverse_bitmap(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const uint32_t lanes = warp ? choose_lanes(run) : 1;
    reset_bfs(run, query);
    run_kernel_begin(run);
    if (is_paper_mode(run->options[MODE]))
        paper_bitmap_search(run, lanes);
    else
        with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
            return gpu_launch_persistent(bitmap_kernel_for<offset_t>(run), state->grid, sizeof(struct shared),
                                         run->error, graph, state->search, lanes);
        });
    return run_kernel_end(run);
}

static int fetch_bfs(struct run *run, struct traversal *result)
{
    const struct search *search = &((const struct state *)run->state)->search;
    gpu_check_barrier(search->barrier, "bfs", run->error);
    gpu_fetch(result->parent, search->parent, run->graph->num_vertices, run->error);
    gpu_fetch(result->level, search->level, run->graph->num_vertices, run->error);
    return gpu_fetch_trace(run, search->trace, NULL, result);
}

#define WARPNET(its_variant, its_title, section, its_options, queues, its_traverse)                                    \
    {                                                                                                                  \
        .family = "bfs", .variant = its_variant, .title = "WarpNet, frontier " its_title,                              \
        .citation = "WarpNet, " section " (Kalra 2025)", .device = DEVICE_GPU, .outputs = OUTPUT_LEVEL,                \
        .on_request = queues ? (unsigned)OUTPUT_PARENT : 0u, .options = its_options,                                   \
        .state_bytes = sizeof(struct state), .prepare = uploaded<prepare<queues>, OFFSET_BITS>,                        \
        .traverse = its_traverse, .fetch = fetch_bfs,                                                                  \
        .release = release_state<struct state, &state::memory, &state::of_query, &state::graph>, .profiled = true,     \
        .limited = queues                                                                                              \
    }

GPU_ALGORITHM(bfs_queue) = WARPNET("queue", "queue, one thread per vertex", "1.3.1", queue_options, true,
                                   traverse_queue);
GPU_ALGORITHM(bfs_bitmap) = WARPNET("bitmap", "bitmap, one thread per vertex", "1.3.2", bitmap_options, false,
                                    traverse_bitmap<false>);
GPU_ALGORITHM(bfs_warp) = WARPNET("warp", "bitmap, one warp per vertex", "1.3.3", bitmap_options, false,
                                  traverse_bitmap<true>);

} // namespace BACKEND::warpnet

namespace BACKEND::queue
{

int prepare(struct run *run, struct gpu_graph *graph)
{
    snprintf(run->note, sizeof run->note, "a thread for each vertex of the frontier");
    return warpnet::prepare<true>(run, graph);
}

} // namespace BACKEND::queue
