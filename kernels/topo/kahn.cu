/* kahn.cu: Kahn's algorithm for directed acyclic graphs, as in WarpNet (Kalra 2025), section 3.2.
 *
 * It works in rounds. A vertex is ready when all its in-neighbours are in the order. The first frontier consists of
 * the vertices without in-neighbours. Each round subtracts one from `waiting` of every out-neighbour of the frontier.
 * The thread that lowers it to 0 appends that vertex to the order, and so to the next frontier. So the frontiers
 * follow one another in the order. If the order ends up shorter than the graph, the graph has a cycle.
 *
 * One persistent kernel runs all rounds, with a grid barrier after each. ../bfs/warpnet.cuh has the device memory. */
#include "../bfs/warpnet.cuh"

namespace BACKEND::warpnet
{

__global__ void count_in_degrees(const vertex_t *targets, edge_t num_edges, uint32_t *in_degree)
{
    for (edge_t e = thread_of_grid(); e < num_edges; e += threads_of_grid())
        atomicAdd(&in_degree[targets[e]], 1u);
}

/* Returns the number of threads that share a frontier vertex: the largest power of two for which the grid's threads
 * handle all vertices at once. With one thread per vertex, as in the paper, a narrow DAG of high degrees would use
 * only a handful of threads. */
DEVICE uint32_t threads_per_vertex(uint32_t num_threads, uint32_t size)
{
    uint32_t share = num_threads / size;
    return share > 1 ? 1u << (31 - __clz((int)share)) : 1;
}

/* Appends the vertices without in-neighbours, which are the first frontier. */
DEVICE void append_sources(const struct search &search, struct team team, vertex_t num_vertices, vertex_t *order,
                           uint32_t *count)
{
    for (uint64_t first = team.rank - lane_id(); first < num_vertices; first += team.size) {
        uint64_t v = first + lane_id();
        vertex_t vertices[1] = {(vertex_t)v};
        bool ready[1] = {v < num_vertices && search.waiting[v] == 0};
        append(order, count, vertices, ready);
    }
}

/* Expands the frontier, which is the first `size` entries of `order`, and appends the vertices that become ready.
 * `share` threads share the edges of a vertex. */
template <typename offset_t>
DEVICE void expand_frontier(const csr<offset_t> &graph, const struct search &search, struct team team, vertex_t *order,
                            uint32_t size, uint32_t *count)
{
    uint32_t share = threads_per_vertex(team.size, size);
    uint64_t group_first = (team.rank - lane_id()) / share;
    for (uint64_t first = group_first; first < size; first += team.size / share) {
        uint64_t mine = first + lane_id() / share; /* if share >= 32, all lanes have the same vertex */
        uint32_t slice = team.rank % share;
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

template <typename offset_t, bool profiled>
__global__ void topo_kahn_kernel(csr<offset_t> graph, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_threads();
    vertex_t *order = search.queue; /* points to the frontier */
    uint32_t round = 1, size = 0;   /* size of the frontier */
    for (;; round++) {
        uint32_t *count = count_of(search.counts, round);
        if (round == 1)
            append_sources(search, team, graph.num_vertices, order, count);
        else
            expand_frontier(graph, search, team, order, size, count);
        if (team.rank == 0)
            *count_of(search.counts, round + 1) = 0;
        order += size;
        size = grid_wait(search.barrier, count, &shared->broadcast);
        if (profiled && team.rank == 0)
            end_level(search.trace, round - 1, LEVEL_TOP_DOWN);
        if (size == 0 || size == UINT32_MAX)
            break;
    }
    if (team.rank == 0)
        *search.num_ordered = (uint32_t)(order - search.queue);
}

/* ---- mode=paper ---- */

/* Makes the first frontier: thread v adds vertex v if it has no in-neighbours. */
__global__ void first_frontier(struct search search, vertex_t num_vertices)
{
    uint64_t v = thread_of_grid();
    if (v < num_vertices && search.waiting[v] == 0)
        search.next[atomicAdd(search.counts, 1u)] = (vertex_t)v;
}

/* Runs listing 5: thread i puts vertex i of the frontier into the order. Only the thread that lowers an in-degree to
 * 0 adds that vertex to the next frontier, so each vertex enters a frontier once. */
template <typename offset_t>
__global__ void topological_step(csr<offset_t> graph, struct search search, uint32_t size)
{
    uint64_t i = thread_of_grid();
    if (i >= size)
        return;
    vertex_t u = search.frontier[i];
    search.queue[atomicAdd(search.num_ordered, 1u)] = u;
    for (offset_t e = graph.offsets[u]; e < graph.offsets[u + 1]; e++) {
        vertex_t v = graph.targets[e];
        if (atomicSub(&search.waiting[v], 1u) == 1)
            search.next[atomicAdd(search.counts, 1u)] = v;
    }
}

/* Launches a kernel for each round. After each, the host reads the size of the next frontier, and stops when it is
 * empty. There are at most as many rounds as vertices, since every vertex is in at most one frontier. */
static int paper_rounds(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    struct search search = state->search;
    unsigned block = state->grid.threads;
    uint32_t size = 0;
    gpu_clear(search.num_ordered, 1, run->error);
    gpu_launch(first_frontier, grid_of(run->graph->num_vertices, block), 0, run->error, search,
               run->graph->num_vertices);
    gpu_download(&size, search.counts, 1, run->error); /* 0 after an error */
    gpu_end_level(search.trace, 0, run->error);
    for (uint32_t round = 1; size > 0; round++) {
        std::swap(search.frontier, search.next);
        gpu_clear(search.counts, 1, run->error);
        with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
            return gpu_launch(topological_step<offset_t>, grid_of(size, block), 0, run->error, graph, search, size);
        });
        gpu_end_level(search.trace, round, run->error);
        gpu_download(&size, search.counts, 1, run->error);
    }
    return run->error->status;
}

/* ---- host side ---- */

static const struct option_spec topo_options[] = {
    COMMON_OPTIONS("a launch for each round, and a thread for each vertex (listing 5)", 512), {}};

/* Returns the instance of the kernel that records the ends of rounds, or does not. */
template <typename offset_t>
static auto kernel_for(const struct run *run)
{
    return run->profile ? topo_kahn_kernel<offset_t, true> : topo_kahn_kernel<offset_t, false>;
}

static int prepare_kahn(struct run *run, struct gpu_graph *graph)
{
    const void *kernel =
        with_width(graph->wide, [&]<typename offset_t>() { return (const void *)kernel_for<offset_t>(run); });
    struct state *state = prepare_common(run, graph, kernel);
    if (state == NULL)
        return run->error->status;
    size_t n = run->graph->num_vertices;
    struct search *search = &state->search;
    search->queue = gpu_take<vertex_t>(&state->memory, n, "the order", run->error);
    search->num_ordered = gpu_take<uint32_t>(&state->memory, 1, "the order", run->error);
    search->trace = gpu_take_trace(run, &state->memory);
    search->in_degree = gpu_take<uint32_t>(&state->memory, n, "the in-degrees", run->error);
    search->waiting = gpu_take<uint32_t>(&state->memory, n, "the in-degrees", run->error);
    if (is_paper_mode(run->options[MODE])) {
        search->frontier = gpu_take<vertex_t>(&state->memory, n, "the frontier", run->error);
        search->next = gpu_take<vertex_t>(&state->memory, n, "the frontier", run->error);
    }
    gpu_clear(search->in_degree, n, run->error);
    gpu_launch(count_in_degrees, gpu_wide_grid(), 0, run->error, state->graph.targets, state->graph.num_edges,
               search->in_degree);
    return gpu_wait("counting in-degrees", run->error);
}

static int traverse_kahn(struct run *run, UNUSED const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    gpu_copy(search->waiting, search->in_degree, run->graph->num_vertices, run->error);
    reset_counts(run, search);
    run_kernel_begin(run);
    if (is_paper_mode(run->options[MODE]))
        paper_rounds(run);
    else
        with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
            return gpu_launch_persistent(kernel_for<offset_t>(run), state->grid, sizeof(struct shared), run->error,
                                         graph, *search);
        });
    return run_kernel_end(run);
}

/* Adds the table of a profile. A level is a round; a vertex's level is the number of edges on the longest path to it.
 */
static int fetch_rounds(struct run *run, const struct level_end *trace, struct traversal *result)
{
    const struct graph *graph = run->graph;
    if (trace == NULL || run->error->status != STATUS_OK ||
        allocate_zeroed(&result->level, graph->num_vertices, sizeof *result->level, "the trace", run->error) !=
            STATUS_OK)
        return run->error->status;
    for (vertex_t i = 0; i < graph->num_vertices; i++)
        for (edge_t e = graph->offsets[result->order[i]]; e < graph->offsets[result->order[i] + 1]; e++) {
            uint32_t next = result->level[result->order[i]] + 1, *level = &result->level[graph->targets[e]];
            *level = next > *level ? next : *level;
        }
    gpu_fetch_trace(run, trace, NULL, result);
    free(result->level);
    result->level = NULL;
    return run->error->status;
}

static int fetch_kahn(struct run *run, struct traversal *result)
{
    const struct search *search = &((const struct state *)run->state)->search;
    uint32_t n = run->graph->num_vertices, ordered;
    gpu_check_barrier(search->barrier, "topo kahn", run->error);
    gpu_download(&ordered, search->num_ordered, 1, run->error);
    if (ordered < n)
        return error_set(run->error, STATUS_INPUT,
                         "%s: the graph has a cycle (%u of %u vertices are on one or reached from one); a "
                         "topological order needs a DAG, such as dag:5000:0.4",
                         run->graph->name, n - ordered, n);
    result->num_ordered = ordered;
    gpu_download(result->order, search->queue, n, run->error);
    return fetch_rounds(run, search->trace, result);
}

GPU_ALGORITHM(topo_kahn) = {
    .family = "topo",
    .variant = "kahn",
    .title = "WarpNet, Kahn's algorithm in rounds",
    .citation = "WarpNet, 3.2 (Kalra 2025)",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_ORDER,
    .options = topo_options,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare_kahn, OFFSET_BITS>,
    .traverse = traverse_kahn,
    .fetch = fetch_kahn,
    .release = release_state<struct state, &state::memory, &state::graph>,
    .profiled = true,
};

} // namespace BACKEND::warpnet
