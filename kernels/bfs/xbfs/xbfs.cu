/* xbfs.cu: XBFS (Gaihre, Wu, Yao and Liu, HPDC 2019), a direction-optimising BFS that chooses for each level how to
 * make its frontier queue, and Enterprise (Liu and Huang, SC 2015) as the baseline of XBFS's ablation.
 *
 *   enterprise   the baseline of figure 11: a double scan makes every queue, in which each thread reads a range of
 * its own (strided accesses); bottom-up frontiers in three classes by degree; no asynchronous levels xbfs section 4:
 * queues by no scan, by one scan, by two scans, or no queue at all; section 5.1: dynamic balance of bottom-up
 * frontiers; section 5.2: bottom-up levels find vertices of the next level early. Options turn off each part.
 *
 * The direction and the queue of a level (section 4.3). The iteration is bottom-up if the edges of the frontier are
 * at least alpha times all edges. Else it needs no queue after a bottom-up iteration. Else the frontier has grown by
 * lambda since the previous level: single-scan if its edges times lambda are at least alpha times all edges, else
 * scan-free.
 *
 *   state.cuh           device memory, rules, counts of a level
 *   scan.cuh            single and double scans, prefix sum
 *   long_vertices.cuh   vertices whose edges all warps share
 *   top_down.cuh        top-down iterations
 *   find_parent.cuh     a bottom-up frontier looks for a parent; why asynchronous levels are right
 *   balance.cuh         how bottom-up frontiers are dealt out to threads
 *   bottom_up.cuh       bottom-up iterations
 *   search.cuh          the choice for each level, and the kernel
 *
 * enqueue_benchmark.cu times the scans alone; enqueue.c is its program. */
#include <stdlib.h>

#include "search.cuh"

namespace BACKEND::xbfs
{

#define LONG_ABOVE 1024
#define ALONE      16u /* bottom-up a thread reads one in so many of them alone */
#define ALPHA      10  /* percent; section 4.3 */

enum { BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS, ALPHA_OPTION, LONG_OPTION, TRACE, QUEUE, BALANCE, ASYNC };
#define LONG_NEVER (1u << 26) /* with it a warp's 32 vertices have fewer than 2^32 edges */
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
         "share the rest; 67108864: never, as in the paper"},                                                        \
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
     "with help for a warp's last one; by degree, to a thread, a warp or a block"},
    {"async", 1, 0, 1, NULL, "1: bottom-up levels find vertices of the next one, too"},
    {},
};
static const struct option_spec enterprise_options[] = {COMMON_OPTIONS, {}};

static const char *const generation_words[] = {"", "scan-free", "single-scan", "double-scan", "none"};

struct state {
    struct gpu_graph out, in; /* in: in-edges of a directed graph; else empty */
    uint32_t *status, *entered, *block_sums;
    void *queue_edges[8]; /* offsets: edge and end of the queue and of its long vertices, for both top-down queues */
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
static search<offset_t> search_of(const struct state *state)
{
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
static edges_of_graph<offset_t> edges_of(const struct state *state)
{
    const struct gpu_graph *in = state->in.offsets != NULL ? &state->in : &state->out;
    return {csr_of<offset_t>(&state->out), csr_of<offset_t>(in)};
}

template <typename offset_t>
using kernel_t = void (*)(edges_of_graph<offset_t>, search<offset_t>, struct rules);

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

/* Sets the bits of the vertices with in-edges; a warp makes a word. */
template <typename offset_t>
__global__ void find_entered(csr<offset_t> in, uint32_t *entered)
{
    for (uint64_t first = thread_of_grid() - lane_id(); first < in.num_vertices; first += threads_of_grid()) {
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

/* Puts the source into level 0. */
template <typename offset_t>
__global__ void seed(csr<offset_t> out, search<offset_t> search, vertex_t source, uint32_t long_above)
{
    span<offset_t> span = {out.offsets[source], out.offsets[source + 1]};
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
    search<offset_t> search = search_of<offset_t>(state);
    edges_of_graph<offset_t> edges = edges_of<offset_t>(state);
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

/* The smallest number of edges in a class. */
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

} // namespace BACKEND::xbfs
