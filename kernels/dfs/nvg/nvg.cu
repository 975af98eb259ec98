/* nvg.cu: lexicographic depth-first search by comparing paths, for directed acyclic graphs (Naumov, Vrielink and
 * Garland, "Parallel Depth-First Search for Directed Acyclic Graphs", IA3 2017; DiggerBees calls it NVG-DFS).
 *
 * A path is a string of positions: for each of its vertices, the position of the next vertex in the adjacency list.
 * Consider the depth-first search that visits neighbours in list order. On a DAG, the parent of v is the vertex
 * before v on the smallest path from the source to v. Hence three phases:
 *
 *   1. top-down, the tree (tree.cuh): the smallest path to every vertex, and with it the parent.
 *   2. bottom-up, the rounds backwards (order.cuh): the sizes of the subtrees.
 *   3. top-down (order.cuh): prefix sums of the sizes over the children give pre- and post-order.
 *
 * kernel_ms covers phase 1, which is what DiggerBees' evaluation times (section 4.1); time_ms covers all three.
 *
 * On a graph with a cycle, phase 1 would never expand a vertex of the cycle. Such graphs use correct.cuh, which
 * expands a vertex again whenever it gets a smaller path. The result is the same, but it takes as many rounds as the
 * tree is deep, launches of --set launch-ms each, and more memory. The vertices are then listed by their depth in the
 * tree, for phases 2 and 3.
 *
 *   state.cuh   device memory of a search
 *   paths.cuh   how paths are stored and compared
 *   tree.cuh    phase 1: offers, rounds
 *   correct.cuh phase 1 on a graph with a cycle
 *   order.cuh   phases 2 and 3
 *   nvg.cu      the host side */

#include <utility>

#include "correct.cuh"
#include "order.cuh"

namespace BACKEND::nvg
{

enum { OFFSET_BITS, PATH_MB, LAUNCH_MS, LIMIT_S };
static const struct option_spec options[] = {
    OFFSET_BITS_OPTION,
    NUMBER_OPTION("path-mb", 0, 0, 1 << 20, "device memory for paths in MB; 0: all that is free"),
    NUMBER_OPTION("launch-ms", 100, 0, 10000,
                  "on a graph with a cycle: milliseconds after which a launch starts no more rounds, so that Ctrl-C "
                  "is noticed",
                  .for_tests = true),
    NUMBER_OPTION("limit-s", 60, 0, 1000000, "on a graph with a cycle: seconds after which a search fails; 0: never"),
    {},
};

/* A multiprocessor has registers for 1,024 threads of these kernels: two blocks. */
#define BLOCK_THREADS 512u
#define BLOCKS_PER_SM 2u

#define MEGABYTE   1e6
#define NS_PER_MS  1e6
#define MS_PER_S   1e3
#define FREE_SHARE 0.95 /* share of the free device memory that the pool may take */

struct state {
    struct gpu_graph graph;
    struct gpu_arena memory; /* owns all device arrays */
    struct search search;
    struct grid grid;
    bool acyclic;
};

/* Returns an upper bound on the words of all paths together: a path has at most one position per vertex. */
static double most_path_words(const struct graph *graph)
{
    uint64_t bits = 0;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        bits += width_of(graph_degree(graph, v));
    return (double)graph->num_vertices * ((double)(bits / WORD_BITS) + 1);
}

/* Allocates the pool: the minimum of what the paths may need, what is free, and what the user allows. On a graph with
 * a cycle a vertex may get a path in each round, and there are at most as many rounds as vertices. Must be the last
 * allocation. */
static void allocate_pool(struct run *run, struct state *state)
{
    struct search *search = &state->search;
    double words = most_path_words(run->graph), room = FREE_SHARE * (double)gpu_memory_left(run->error);
    if (!state->acyclic)
        words *= run->graph->num_vertices;
    if (run->options[PATH_MB] > 0 && run->options[PATH_MB] * MEGABYTE < room)
        room = run->options[PATH_MB] * MEGABYTE;
    if (words > room / sizeof *search->pool)
        words = room / sizeof *search->pool;
    search->pool_words = (uint64_t)words;
    search->pool = gpu_take<uint32_t>(&state->memory, search->pool_words, "the paths", run->error);
}

static void plan_grid(struct run *run, struct state *state)
{
    const void *kernels[3];
    with_width(state->graph.wide, [&]<typename offset_t>() {
        kernels[0] = (const void *)nvg_rounds_kernel<offset_t>;
        kernels[1] = (const void *)nvg_order_kernel<offset_t>;
        kernels[2] = (const void *)nvg_correct_kernel<offset_t>;
    });
    for (const void *kernel : kernels) { /* all kernels use one barrier, so their grids must be equal */
        struct grid grid;
        gpu_plan_grid(kernel, BLOCK_THREADS, BLOCKS_PER_SM, sizeof(struct shared), &grid, run->error);
        if (state->grid.blocks == 0 || grid.blocks < state->grid.blocks)
            state->grid = grid;
    }
}

static void allocate_search(struct run *run, struct state *state)
{
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    size_t n = run->graph->num_vertices;
    search->parent = gpu_take<vertex_t>(memory, n, "the parents", run->error);
    search->frontier = gpu_take<vertex_t>(memory, n, "the frontiers", run->error);
    search->best = gpu_take<uint64_t>(memory, n, "the offers", run->error);
    search->paths = gpu_take<struct path>(memory, n, "where paths lie", run->error);
    search->progress = gpu_take<struct progress>(memory, 1, "the progress", run->error);
    search->barrier = gpu_take<struct grid_barrier>(memory, 1, "the barrier", run->error);
    if (state->acyclic) {
        search->waiting = gpu_take<uint32_t>(memory, n, "the in-degrees", run->error);
        search->accepted = search->paths;
    } else {
        search->accepted = gpu_take<struct path>(memory, n, "where paths lie", run->error);
        for (vertex_t *&changed : search->changed)
            changed = gpu_take<vertex_t>(memory, n, "the frontiers", run->error);
    }
    search->round_begin = gpu_take<vertex_t>(memory, n + 1, "the rounds", run->error);
    search->below = gpu_take<uint32_t>(memory, n, "the subtrees' sizes", run->error);
    search->before = gpu_take<uint32_t>(memory, n, "the prefix sums", run->error);
    search->depth = gpu_take<uint32_t>(memory, n, "the depths", run->error);
    search->order = gpu_take<vertex_t>(memory, n, "the pre-order", run->error);
    search->finish = gpu_take<vertex_t>(memory, n, "the post-order", run->error);
    allocate_pool(run, state);
}

static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    state->graph = std::exchange(*graph, {});
    if (graph_test_acyclic(run->graph, &state->acyclic, run->error) != STATUS_OK)
        return run->error->status;
    if (!state->acyclic)
        snprintf(run->note, sizeof run->note,
                 "the graph has a cycle: a vertex is expanded again whenever it gets a smaller path, which takes as "
                 "many rounds as the depth-first tree is deep");
    plan_grid(run, state);
    allocate_search(run, state);
    return run->error->status;
}

__global__ void nvg_seed(struct search search, vertex_t source)
{
    search.frontier[0] = source;
    if (search.changed[1] != NULL)
        search.changed[1][0] = source;
    search.progress->size = 1;
    search.best[source] = (uint64_t)source << 32;
}

static void run_rounds(struct run *run, enum phase phase)
{
    const struct state *state = (const struct state *)run->state;
    gpu_clear(state->search.progress->counts, NUM_COUNTS, run->error);
    with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
        gpu_launch_persistent(nvg_rounds_kernel<offset_t>, state->grid, sizeof(struct shared), run->error, graph,
                              state->search, phase);
    });
}

/* Returns whether to stop a search that began at began_ms, because of limit-s or an error. */
static bool is_given_up(struct run *run, double began_ms)
{
    double limit_s = run->options[LIMIT_S];
    if (limit_s > 0 && now_ms() - began_ms > limit_s * MS_PER_S)
        error_set(run->error, STATUS_DEVICE,
                  "%s: time limit of %.0f s: on a graph with a cycle there are as many rounds as the search tree is "
                  "deep; use --variant v4 or serial, or a larger --set limit-s",
                  run->graph->name, limit_s);
    return run->error->status != STATUS_OK;
}

/* Launches the kernel until all paths are final. Marks the end of the last launch as the end of the kernel time. */
static void run_corrections(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    double began_ms = now_ms();
    uint64_t launch_ns = (uint64_t)(run->options[LAUNCH_MS] * NS_PER_MS);
    struct progress progress;
    bool done = false;
    while (!done) {
        with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
            gpu_launch_persistent(nvg_correct_kernel<offset_t>, state->grid, sizeof(struct shared), run->error, graph,
                                  state->search, launch_ns);
        });
        run_kernel_end(run);
        gpu_download(&progress, state->search.progress, 1, run->error); /* all zero after an error */
        done = progress.size == 0 || progress.exhausted ||
               gpu_check_barrier(state->search.barrier, "dfs nvg", run->error) != STATUS_OK ||
               is_given_up(run, began_ms);
    }
}

static void run_order(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
        gpu_launch_persistent(nvg_order_kernel<offset_t>, state->grid, sizeof(struct shared), run->error, graph,
                              state->search);
    });
}

static void reset(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    size_t n = run->graph->num_vertices;
    gpu_fill(search->parent, 0xff, n, run->error); /* NO_VERTEX */
    gpu_fill(search->best, 0xff, n, run->error);   /* NO_OFFER */
    gpu_clear(search->barrier, 1, run->error);
    gpu_clear(search->progress, 1, run->error);
    gpu_clear(search->waiting, n, run->error);
    gpu_clear(search->below, n, run->error);
    gpu_launch(nvg_seed, {1, 1}, 0, run->error, *search, source);
}

static int traverse(struct run *run, const struct query *query)
{
    bool acyclic = ((const struct state *)run->state)->acyclic;
    reset(run, query->sources[0]);
    run_kernel_begin(run);
    if (acyclic) {
        run_rounds(run, REACH);
        run_rounds(run, OFFER_READY);
        run_kernel_end(run);
    } else {
        run_corrections(run);
        run_rounds(run, LIST);
    }
    run_order(run);
    return run->error->status;
}

static int download_progress(struct run *run, struct progress *progress)
{
    const struct search *search = &((const struct state *)run->state)->search;
    if (gpu_download(progress, search->progress, 1, run->error) == STATUS_OK && progress->exhausted)
        error_set(run->error, STATUS_DEVICE,
                  "%s: the paths need more than %.0f MB of device memory%s (a known limit of the method: it "
                  "fails on 44 of 234 graphs in DiggerBees, section 4.2); use --variant v4 or serial",
                  run->graph->name, (double)(search->pool_words * sizeof *search->pool) / MEGABYTE,
                  run->options[PATH_MB] > 0 ? ", as allowed by --set path-mb" : "");
    return run->error->status;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    size_t n = run->graph->num_vertices;
    struct progress progress;
    gpu_check_barrier(search->barrier, "dfs nvg", run->error);
    download_progress(run, &progress);
    vertex_t *own = NULL, *parent = result->parent;
    if (parent == NULL && allocate(&own, n, sizeof *own, "the parents", run->error) == STATUS_OK)
        parent = own;
    gpu_download(parent, search->parent, n, run->error);
    bool tells = result->visited != NULL && run->error->status == STATUS_OK;
#pragma omp parallel for
    for (size_t v = 0; v < (tells ? n : 0); v++)
        result->visited[v] = parent[v] != NO_VERTEX;
    free(own);
    result->num_ordered = progress.num_reached;
    gpu_download(result->order, search->order, progress.num_reached, run->error);
    return gpu_download(result->finish, search->finish, progress.num_reached, run->error);
}

GPU_ALGORITHM(dfs_nvg) = {
    .family = "dfs",
    .variant = "nvg",
    .title = "NVG-DFS: smallest paths; kernel ms is phase 1",
    .citation = "Naumov, Vrielink, Garland, IA3 2017",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_VISITED | OUTPUT_PARENT | OUTPUT_ORDER | OUTPUT_FINISH,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct state, &state::memory, &state::graph>,
};

} // namespace BACKEND::nvg
