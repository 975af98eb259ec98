/* ibfs.cu: IBFS (Liu et al., SIGMOD 2016) for path lengths, in the three schemes of "Path-finding on GPUs for
 * Database Systems" (Dreef 2025, a thesis; chapters 2.1.5, 4 and 5). An instance is a group of 32 searches. A vertex
 * has a word per instance, with a bit per search.
 *
 *   ibfs-workgroup  section 4.3.2: 1, 2 or 4 instances, each with its own joint frontier queue; one thread per
 *                   vertex to identify, edge-threads threads per vertex to expand
 *   ibfs-coalesced  section 4.3.3: 32 instances, 1024 searches; one warp per vertex, one lane per instance. The
 *                   instances share one queue. A ballot adds a vertex that is in the frontier of any instance.
 *   ibfs-bottomup   section 4.3.3.1: the same, with a bottom-up iteration after a top-down one with a long queue
 *   ibfs-auto       chapter 5: one of the three, by the number of searches and the graph (choice.h)
 *
 * The BSA (bitwise status array) says which vertices each search has seen. The BSAK is the same array one iteration
 * ahead. The arrays are swapped before iteration k. Then the BSA holds all vertices seen up to level k, and the BSAK
 * all vertices seen up to level k - 1.
 *
 *   identify  A vertex is in the frontier of the searches in which BSA and BSAK differ. It gets its level. It joins
 *             the JFQ (joint frontier queue) if any of these searches is active. The BSAK is set to the BSA
 *             (algorithm 7).
 *             Bottom-up, a vertex joins if some active search has not seen it (algorithm 10).
 *   expand    BSAK[neighbour] |= BSA[vertex] for the vertices of the JFQ (algorithm 8).
 *             Bottom-up, BSAK[vertex] = BSA[vertex] | BSA of in-neighbours, until all is seen (algorithm 11).
 *
 * The search ends when the JFQ is empty. Differences from the thesis, all of which mode=paper (paper.cuh) undoes:
 *
 * - One persistent kernel has a grid barrier after each step. The thesis has two launches per iteration, and its host
 *   reads the length of the JFQ after every second one. WebGPU has no such barrier. The thesis found one kernel the
 *   fastest where it needed no barrier (section 4.3.1), and synchronising with the host its largest cost.
 * - A warp joins its vertices to the JFQ by one atomic.
 * - The harness searches once from each source, for all its pairs, so a search may have many destinations. Each
 *   thread watches some of them. The thesis compares every vertex found with the destination of its search.
 * - Inactive searches are not expanded.
 * - An iteration is bottom-up after a queue of 5% of the vertices; the author's code has 83%. */

#include <utility>

#include "../../graph/transpose.h"
#include "choice.h"
#include "coalesced.cuh"
#include "paper.cuh"
#include "workgroup.cuh"

namespace BACKEND::ibfs
{

#define FREE_SHARE 0.95 /* share of the free device memory that may be used */

/* ---- kernels that begin a query ---- */

/* "Set first BSAK" (algorithm 6). Makes a search active if it has destinations, or if the query has none at all. One
 * thread per source. Several sources may be the same vertex. */
__global__ void set_first_bsak(struct search search, const vertex_t *sources, uint32_t num_sources)
{
    uint32_t source = grid_threads().rank;
    if (source >= num_sources)
        return;
    uint32_t instance = source / INSTANCE_SEARCHES, bit = 1u << source % INSTANCE_SEARCHES;
    atomicOr(&search.bsak[word_of(search.layout, sources[source], instance)], bit);
    if (search.num_destinations == 0 || search.open[source] > 0)
        atomicOr(&search.mask[instance], bit);
}

/* Counts the open destinations of each search. */
__global__ void count_open(struct search search)
{
    for (uint64_t i = thread_of_grid(); i < search.num_destinations; i += threads_of_grid())
        atomicAdd(&search.open[search.destinations[i].which], 1u);
}

/* ---- host side ---- */

#define BOTTOM_UP_PERCENT 5 /* the thesis gives no number; the author's code has 83 */
enum { BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS, MODE, CHECK_EVERY, OWN_OPTION, EDGE_THREADS };
#define PAPER_STRUCTURE                                                                                                \
    "a launch for each step, which the host waits for; a search for each pair, not for each distinct source; "         \
    "an atomic for each vertex that joins a queue"
#define COMMON_OPTIONS(paper_blocks_per_sm)                                                                            \
    NUMBER_OPTION("block-size", MOST_THREADS, 32, MOST_THREADS,                                                        \
                  "threads of a block, a multiple of 32; with mode=paper, ibfs-workgroup uses edge-threads "           \
                  "times as many to expand, and 256 to identify",                                                      \
                  .paper = "128"),                                                                                     \
        BLOCKS_PER_SM_OPTION(MANY_BLOCKS, .paper = paper_blocks_per_sm), OFFSET_BITS_OPTION,                           \
        MODE_OPTION(PAPER_STRUCTURE),                                                                                  \
        NUMBER_OPTION("check-every", 2, 1, 64,                                                                         \
                      "with mode=paper, iterations after which the host reads the queues' lengths")
static const struct option_spec coalesced_options[] = {COMMON_OPTIONS("6"), {}};
static const struct option_spec workgroup_options[] = {
    COMMON_OPTIONS("2"),
    CHOICE_OPTION("instances", 0, "auto|1|2|4", "instances of 32 searches each; auto: as many as the sources need"),
    CHOICE_OPTION("edge-threads", 3, "1|2|4|8|16|32", "threads that share the edges of a vertex, the y of a workgroup"),
    {},
};
static const struct option_spec bottom_up_options[] = {
    COMMON_OPTIONS("6"),
    NUMBER_OPTION(
        "bottom-up-percent", BOTTOM_UP_PERCENT, 0, 100,
        "an iteration is bottom-up if the one before was top-down and had over this percentage of vertices queued",
        .paper = "83"),
    {},
};

struct state {
    enum ibfs_scheme scheme;
    struct gpu_graph graph, in_edges; /* in_edges: for bottom-up iterations on directed graphs; or empty */
    struct gpu_arena memory;          /* owns the arrays, except those of a query's destinations */
    struct gpu_arena query_memory;    /* owns the destinations and search.length */
    struct search search;
    struct level_end *trace; /* num_vertices + 2, by level; NULL without --profile */
    vertex_t *sources;       /* num_sources of the last query */
    uint32_t num_sources;
    struct destination *destinations; /* `capacity` entries, like search.length */
    size_t capacity;
    uint32_t instances; /* number of instances in a batch */
    uint32_t *fetched;  /* num_vertices: the levels of one search */
    uint32_t longest;   /* after a JFQ of at most this length, the next iteration is top-down */
    uint32_t edge_threads;
    bool by_steps;                   /* mode=paper: one launch per step */
    struct grid grid, identify_grid; /* identify_grid: only with mode=paper */
};

/* ---- preparing ---- */

static bool is_coalesced(const struct state *state)
{
    return state->scheme != IBFS_WORKGROUP;
}

static enum ibfs_scheme choose_scheme(const struct run *run)
{
    const struct graph *graph = run->graph;
    uint64_t searches = (uint64_t)run->num_sources;
    return (int)run->options[MODE] == MODE_PAPER ? ibfs_choose_paper_scheme(searches, graph->num_edges)
                                                 : ibfs_choose_scheme(searches, graph->num_vertices, graph->num_edges);
}

/* Returns the number of instances: as the option says, or as the number of sources needs. */
static uint32_t wanted_instances(const struct run *run, enum ibfs_scheme asked)
{
    const struct state *state = (const struct state *)run->state;
    if (is_coalesced(state))
        return COALESCED_INSTANCES;
    if (asked == IBFS_WORKGROUP && run->options[OWN_OPTION] > 0)
        return 1u << ((unsigned)run->options[OWN_OPTION] - 1);
    uint32_t instances = 1;
    while (instances < MOST_INSTANCES && (int)(instances * INSTANCE_SEARCHES) < run->num_sources)
        instances *= 2;
    return instances;
}

/* Returns the bytes of the arrays whose size grows with vertices and instances. */
static double bytes_for(const struct run *run, uint32_t instances)
{
    const struct state *state = (const struct state *)run->state;
    double arrays = is_coalesced(state) ? COALESCED_INSTANCES : instances, queues = is_coalesced(state) ? 1 : instances;
    double levels = run->outputs & OUTPUT_LEVEL ? (double)instances * INSTANCE_SEARCHES : 0;
    return run->graph->num_vertices * (2 * arrays * sizeof *state->search.bsa + queues * sizeof *state->search.jfq +
                                       levels * sizeof *state->search.level);
}

/* Chooses as many of the wanted instances as fit into memory. Must come after all other allocations. */
static void choose_instances(struct run *run, enum ibfs_scheme asked)
{
    static const char *const names[] = {"", "workgroups", "coalesced", "coalesced, bottom-up"};
    struct state *state = (struct state *)run->state;
    uint32_t wanted = wanted_instances(run, asked);
    double free_bytes = (double)gpu_memory_left(run->error);
    int length;
    state->instances = wanted;
    while (state->instances > 1 && bytes_for(run, state->instances) > FREE_SHARE * free_bytes)
        state->instances /= 2;
    run->batch_size = state->instances * INSTANCE_SEARCHES;
    length = snprintf(run->note, sizeof run->note, "%s, %u instance%s of %u searches", names[state->scheme],
                      state->instances, state->instances == 1 ? "" : "s", INSTANCE_SEARCHES);
    if (state->instances < wanted)
        length += snprintf(run->note + length, sizeof run->note - (size_t)length,
                           ", since %u need %.1f MB and %.1f MB are free", wanted, 1e-6 * bytes_for(run, wanted),
                           1e-6 * free_bytes);
    if (asked == IBFS_AUTO)
        snprintf(run->note + length, sizeof run->note - (size_t)length, ": chosen for %d source%s and %llu edges",
                 run->num_sources, run->num_sources == 1 ? "" : "s", (unsigned long long)run->graph->num_edges);
}

/* Allocates the arrays whose size does not depend on the instances. */
static void allocate_fixed(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    size_t searches = COALESCED_INSTANCES * INSTANCE_SEARCHES;
    search->counts = gpu_take<struct queue_lengths>(memory, NUM_COUNTS, "the counts", error);
    search->mask = gpu_take<uint32_t>(memory, COALESCED_INSTANCES, "the mask", error);
    search->open = gpu_take<uint32_t>(memory, searches, "the searches", error);
    state->sources = gpu_take<vertex_t>(memory, searches, "the sources", error);
    search->barrier = gpu_take<struct grid_barrier>(memory, 1, "the barrier", error);
    state->fetched = gpu_take<uint32_t>(memory, run->graph->num_vertices, "the result", error);
}

static void allocate_by_instances(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    size_t n = run->graph->num_vertices, instances = state->instances;
    size_t words = n * (is_coalesced(state) ? COALESCED_INSTANCES : instances);
    search->layout = is_coalesced(state) ? layout{COALESCED_INSTANCES, 1} : layout{1, n};
    search->level_layout = is_coalesced(state) ? layout{instances, 1} : layout{1, n};
    search->num_instances = state->instances;
    search->bsa = gpu_take<uint32_t>(memory, words, "the BSA", error);
    search->bsak = gpu_take<uint32_t>(memory, words, "the BSAK", error);
    search->jfq = gpu_take<vertex_t>(memory, is_coalesced(state) ? n : n * instances, "the JFQ", error);
    if (run->outputs & OUTPUT_LEVEL)
        search->level = gpu_take<uint32_t>(memory, n * instances * INSTANCE_SEARCHES, "the levels", error);
}

/* ---- planning ---- */

/* Returns the kernel of a whole search; with mode=paper the kernel of expand. */
static const void *kernel_of(const struct state *state)
{
    return with_width(state->graph.wide, [&]<typename offset_t>() {
        if (state->by_steps)
            return is_coalesced(state) ? (const void *)paper_expand_by_warps<offset_t>
                                       : (const void *)paper_expand_by_threads<offset_t>;
        return with_trace(state->trace, [&](auto... trace) {
            if (is_coalesced(state))
                return (const void *)coalesced_kernel<offset_t, decltype(trace)...>;
            return with_power_of_two<WARP_SIZE>(state->edge_threads, [&]<unsigned edge_threads>() {
                return (const void *)workgroup_kernel<offset_t, edge_threads, decltype(trace)...>;
            });
        });
    });
}

/* Makes the number of blocks a multiple of the instances, so that each instance gets the same number. */
static void share_among(uint32_t instances, struct grid *grid)
{
    grid->blocks = grid->blocks < instances ? instances : grid->blocks / instances * instances;
}

/* mode=paper: plans blocks of (block-size, edge-threads) threads, at most 1024, to expand in workgroups. The
 * instances must be chosen before. */
static void plan_steps(struct run *run)
{
    struct state *state = (struct state *)run->state;
    unsigned threads = gpu_block_size(run->options[BLOCK_SIZE], run->error),
             blocks = (unsigned)run->options[BLOCKS_PER_SM];
    const void *identify =
        is_coalesced(state) ? (const void *)paper_identify_by_warps : (const void *)paper_identify_by_threads;
    unsigned expand_threads = is_coalesced(state) ? threads : threads * state->edge_threads;
    expand_threads = expand_threads < EXPAND_THREADS ? expand_threads : EXPAND_THREADS;
    gpu_plan_grid(identify, is_coalesced(state) ? threads : IDENTIFY_THREADS, blocks, 0, &state->identify_grid,
                  run->error);
    gpu_plan_grid(kernel_of(state), expand_threads, blocks, 0, &state->grid, run->error);
    if (!is_coalesced(state)) {
        share_among(state->instances, &state->identify_grid);
        share_among(state->instances, &state->grid);
    }
}

static uint32_t edge_threads_of(const struct run *run, enum ibfs_scheme asked)
{
    return 1u << (unsigned)(asked == IBFS_WORKGROUP ? run->options[EDGE_THREADS] : DEFAULT_EDGE_THREADS);
}

template <enum ibfs_scheme asked>
static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    state->graph = std::exchange(*graph, {});
    state->scheme = asked == IBFS_AUTO ? choose_scheme(run) : asked;
    double percent = asked == IBFS_BOTTOM_UP ? run->options[OWN_OPTION] : BOTTOM_UP_PERCENT;
    state->longest =
        state->scheme == IBFS_BOTTOM_UP ? (uint32_t)(percent / 100 * run->graph->num_vertices) : UINT32_MAX;
    state->edge_threads = edge_threads_of(run, asked);
    state->by_steps = (int)run->options[MODE] == MODE_PAPER;
    if (state->scheme == IBFS_BOTTOM_UP && !run->graph->symmetric)
        gpu_transpose(&state->graph, &state->in_edges, run->error);
    state->trace = gpu_take_trace(run, &state->memory);
    if (!state->by_steps)
        gpu_plan_grid(kernel_of(state), gpu_block_size(run->options[BLOCK_SIZE], run->error),
                      (unsigned)run->options[BLOCKS_PER_SM], sizeof(struct shared), &state->grid, run->error);
    allocate_fixed(run);
    if (run->error->status == STATUS_OK)
        choose_instances(run, asked);
    allocate_by_instances(run);
    if (state->by_steps && run->error->status == STATUS_OK)
        plan_steps(run);
    return run->error->status;
}

/* Prepares ibfs-auto. Used by `msbfs auto`. */
int prepare(struct run *run, struct gpu_graph *graph)
{
    return prepare<IBFS_AUTO>(run, graph);
}

/* ---- traversing ---- */

/* Uploads the sources and destinations of the query. The destinations' arrays grow to the largest query so far. */
static void upload_query(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    size_t count = query->destinations != NULL ? query->num_destinations : 0;
    if (state->by_steps && count > 0 && count != query->num_sources)
        error_set(run->error, STATUS_INPUT,
                  "msbfs ibfs with mode=paper: %zu destinations for %u sources; expected one each", count,
                  query->num_sources);
    search->num_destinations = count;
    if (count > state->capacity) {
        gpu_arena_free(&state->query_memory);
        state->capacity = 0;
        state->destinations = gpu_take<struct destination>(&state->query_memory, count, "the destinations", run->error);
        search->length = gpu_take<uint32_t>(&state->query_memory, count, "the lengths", run->error);
        if (run->error->status == STATUS_OK)
            state->capacity = count;
    }
    search->destinations = state->destinations;
    state->num_sources = query->num_sources;
    gpu_upload(state->sources, query->sources, query->num_sources, run->error);
    if (count > 0)
        gpu_upload(state->destinations, query->destinations, count, run->error);
}

/* Resets the arrays. Uploads come first, because each waits for all earlier work. */
static void reset(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    struct error *error = run->error;
    size_t n = run->graph->num_vertices;
    size_t words = n * (is_coalesced(state) ? COALESCED_INSTANCES : state->instances);
    upload_query(run, query);
    gpu_clear(search->bsa, words, error);
    gpu_clear(search->bsak, words, error);
    gpu_clear(search->counts, NUM_COUNTS, error);
    gpu_clear(search->mask, COALESCED_INSTANCES, error);
    gpu_clear(search->open, COALESCED_INSTANCES * INSTANCE_SEARCHES, error);
    gpu_clear(search->barrier, 1, error);
    gpu_fill(search->level, 0xff, n * state->instances * INSTANCE_SEARCHES, error); /* UNREACHED */
    if (search->num_destinations > 0) {
        gpu_fill(search->length, 0xff, search->num_destinations, error); /* UNREACHED */
        gpu_launch(count_open, gpu_wide_grid(search->num_destinations), 0, error, *search);
    }
    gpu_launch(set_first_bsak, gpu_wide_grid(query->num_sources), 0, error, *search, state->sources,
               query->num_sources);
}

/* Runs all iterations in one kernel. */
template <typename offset_t>
static void search_at_once(struct run *run, const csr<offset_t> &graph, const csr<offset_t> &in_edges)
{
    const struct state *state = (const struct state *)run->state;
    with_trace(state->trace, [&](auto... trace) {
        if (is_coalesced(state))
            return gpu_launch_persistent(coalesced_kernel<offset_t, decltype(trace)...>, state->grid,
                                         sizeof(struct shared), run->error, graph, in_edges, state->search,
                                         state->longest, trace...);
        return with_power_of_two<WARP_SIZE>(state->edge_threads, [&]<unsigned edge_threads>() {
            return gpu_launch_persistent(workgroup_kernel<offset_t, edge_threads, decltype(trace)...>, state->grid,
                                         sizeof(struct shared), run->error, graph, state->search, trace...);
        });
    });
}

/* mode=paper: launches the kernels of one iteration (algorithm 9). */
template <typename offset_t>
static void launch_steps(struct run *run, const csr<offset_t> &graph, const csr<offset_t> &in_edges,
                         const struct search &search, bool bottom_up, uint32_t iteration)
{
    const struct state *state = (const struct state *)run->state;
    struct error *error = run->error;
    if (!is_coalesced(state)) {
        gpu_launch(paper_identify_by_threads, state->identify_grid, 0, error, search, graph.num_vertices, iteration);
        gpu_launch(paper_expand_by_threads<offset_t>, state->grid, 0, error, graph, search, state->edge_threads,
                   iteration);
        return;
    }
    gpu_launch(paper_identify_by_warps, state->identify_grid, 0, error, search, graph.num_vertices, bottom_up,
               iteration);
    if (bottom_up)
        gpu_launch(paper_pull_by_warps<offset_t>, state->grid, 0, error, in_edges, search, iteration);
    else
        gpu_launch(paper_expand_by_warps<offset_t>, state->grid, 0, error, graph, search, iteration);
}

/* mode=paper: runs iterations until the host reads empty queues. The host reads the lengths of the queues after every
 * check-every iterations and chooses the next direction by them, so only the iteration after a check may be
 * bottom-up. Each iteration ends a level, and there are at most as many levels as vertices. After a bottom-up
 * iteration, one more iteration finds nothing. */
template <typename offset_t>
static void search_by_steps(struct run *run, const csr<offset_t> &graph, const csr<offset_t> &in_edges)
{
    const struct state *state = (const struct state *)run->state;
    struct search search = state->search;
    uint32_t check_every = (uint32_t)run->options[CHECK_EVERY];
    uint64_t queued = 1;
    bool bottom_up = false;
    gpu_end_level(state->trace, 0, run->error);
    for (uint64_t iterations = 0; queued > 0 && run->error->status == STATUS_OK; iterations++) {
        uint32_t iteration = (uint32_t)iterations;
        if (iterations > graph.num_vertices + 2ull + check_every)
            error_set(run->error, STATUS_DEVICE, "msbfs ibfs with mode=paper: more iterations than the graph can need");
        std::swap(search.bsa, search.bsak);
        launch_steps(run, graph, in_edges, search, bottom_up, iteration);
        if (iterations <= graph.num_vertices) /* more ends have no room */
            gpu_end_level(state->trace, iteration + 1, run->error, bottom_up ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN);
        bool was_bottom_up = std::exchange(bottom_up, false);
        if ((iteration + 1) % check_every != 0)
            continue;
        struct queue_lengths counts;
        gpu_download(&counts, &search.counts[iteration % NUM_COUNTS], 1, run->error);
        queued = 0;
        for (uint32_t i = 0; i < MOST_INSTANCES; i++)
            queued += counts.length[i];
        bottom_up = !was_bottom_up && queued > state->longest;
    }
}

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct gpu_graph *in_edges = state->in_edges.offsets != NULL ? &state->in_edges : &state->graph;
    reset(run, query);
    run_kernel_begin(run);
    with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
        if (state->by_steps)
            search_by_steps(run, graph, csr_of<offset_t>(in_edges));
        else
            search_at_once(run, graph, csr_of<offset_t>(in_edges));
    });
    return run_kernel_end(run);
}

/* ---- results ---- */

/* Copies the levels of one search to an array of its own. */
__global__ void levels_of_search(struct search search, uint32_t which, uint32_t *levels, vertex_t num_vertices)
{
    uint32_t instance = which / INSTANCE_SEARCHES, bit = which % INSTANCE_SEARCHES;
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid())
        levels[v] = search.level[word_of(search.level_layout, (vertex_t)v, instance) * INSTANCE_SEARCHES + bit];
}

static void fetch_levels(struct run *run, uint32_t which, uint32_t *level)
{
    const struct state *state = (const struct state *)run->state;
    vertex_t n = run->graph->num_vertices;
    gpu_launch(levels_of_search, gpu_wide_grid(n), 0, run->error, state->search, which, state->fetched, n);
    gpu_download(level, state->fetched, n, run->error);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    gpu_check_barrier(search->barrier, "msbfs ibfs", run->error);
    if (result->level != NULL)
        fetch_levels(run, result->which, result->level);
    gpu_download(result->length, search->length, search->num_destinations, run->error);
    return gpu_fetch_batch_trace(run, state->trace, NULL, result, state->num_sources, fetch_levels);
}

#define IBFS(its_variant, its_title, section, its_options, its_scheme)                                                 \
    {                                                                                                                  \
        .family = "msbfs", .variant = "ibfs-" its_variant, .title = "IBFS, " its_title,                                \
        .citation = "Dreef 2025, " section, .device = DEVICE_GPU, .outputs = OUTPUT_LEVEL,                             \
        .on_request = OUTPUT_LENGTH, .options = its_options, .state_bytes = sizeof(struct state),                      \
        .prepare = uploaded<prepare<its_scheme>, OFFSET_BITS>, .traverse = traverse, .fetch = fetch,                   \
        .release = release_state<struct state, &state::memory, &state::query_memory, &state::graph, &state::in_edges>, \
        .profiled = true, .searches_pairs = true                                                                       \
    }

GPU_ALGORITHM(msbfs_ibfs_auto) = IBFS("auto", "the scheme by number of searches and graph", "chapter 5",
                                      coalesced_options, IBFS_AUTO);
GPU_ALGORITHM(msbfs_ibfs_workgroup) = IBFS("workgroup", "workgroups: 1, 2 or 4 instances", "4.3.2", workgroup_options,
                                           IBFS_WORKGROUP);
GPU_ALGORITHM(msbfs_ibfs_coalesced) = IBFS("coalesced", "32 instances share one queue", "4.3.3", coalesced_options,
                                           IBFS_COALESCED);
GPU_ALGORITHM(msbfs_ibfs_bottomup) = IBFS("bottomup", "coalesced with direction switching", "4.3.3.1",
                                          bottom_up_options, IBFS_BOTTOM_UP);

} // namespace BACKEND::ibfs
