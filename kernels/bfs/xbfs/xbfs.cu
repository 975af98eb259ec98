/* xbfs.cu: XBFS (Gaihre, Wu, Yao and Liu, HPDC 2019), a direction-optimising BFS that chooses for each level how to
 * make its frontier queue. Also Enterprise (Liu and Huang, SC 2015), the baseline of XBFS's ablation.
 *
 *   enterprise  the baseline of figure 11: every queue is made by a double scan whose threads read a range each
 *               (strided accesses); bottom-up frontiers are in three classes by degree; no asynchronous levels
 *   xbfs        section 4: queues by no scan, by one scan, by two scans, or no queue at all
 *               section 5.1: dynamic balance of bottom-up frontiers
 *               section 5.2: bottom-up levels set the level of some vertices of the next level early
 *               Each part can be turned off by an option.
 *
 * choose() in top_down.cuh has the rule for the queue of a level (section 4.3). With mode=paper the host launches a
 * kernel for each step, as in the papers, without gtrav's additions (docs/xbfs.md has tables of steps and additions).
 * Enterprise then has its own classes by degree for both directions and its hub cache. enqueue_benchmark.cu times the
 * scans alone; enqueue.c is its program. */
#include <stdlib.h>

#include <utility>

#include "../../graph/transpose.h"
#include "paper_search.cuh"

namespace BACKEND::xbfs
{

#define HIGH_DEGREE_ABOVE 1024
#define ALONE             16u    /* bottom-up, a thread reads up to high-degree-above / ALONE edges of a frontier */
#define ALPHA             10     /* percent; section 4.3 */
#define GRID_FROM         65536u /* Enterprise, section 4.2: the grid takes frontiers with at least this many edges */

enum { MODE, BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS, ALPHA_OPTION, HIGH_DEGREE_OPTION, WORK, QUEUE, BALANCE, ASYNC };
#define HIGH_DEGREE_NEVER      (1u << 26) /* with this limit a warp's 32 vertices have fewer than 2^32 edges */
#define HIGH_DEGREE_NEVER_TEXT "67108864"
#define COMMON_OPTIONS(paper_alpha)                                                                                    \
    BLOCK_SIZE_OPTION(MOST_THREADS, MOST_THREADS, .paper = "256"), BLOCKS_PER_SM_OPTION(BLOCKS, .paper = "8"),         \
        OFFSET_BITS_OPTION,                                                                                            \
        NUMBER_OPTION("alpha", ALPHA, 0, 100,                                                                          \
                      "a level is bottom-up if its frontier has at least this percentage of all edges",                \
                      .paper = paper_alpha),                                                                           \
        NUMBER_OPTION("high-degree-above", HIGH_DEGREE_ABOVE, WARP_FROM, HIGH_DEGREE_NEVER,                            \
                      "most edges of a vertex that one warp takes alone (bottom-up: a sixteenth of them, one "         \
                      "thread); all warps share vertices with more; 67108864: they share none, as in the paper",       \
                      .paper = HIGH_DEGREE_NEVER_TEXT),                                                                \
        NUMBER_OPTION("work", 0, 0, 1,                                                                                 \
                      "1: how many edges bottom-up frontiers have and check, if one thread takes each, in work/ "      \
                      "beside the records (--csv)")
static const struct option_spec xbfs_options[] = {
    MODE_OPTION("a launch for each step of a level; classes by degree top-down; no list of high-degree vertices; one "
                "edge after another bottom-up"),
    COMMON_OPTIONS(NULL),
    CHOICE_OPTION("queue", ADAPTIVE, "adaptive|scan-free|single-scan|double-scan",
                  "how top-down queues are made: chosen for each level, or always the same way"),
    CHOICE_OPTION(
        "balance", BALANCE_DONATE, "static|thread|warp|donate|degree",
        "who takes bottom-up frontiers; static: threads in turn; thread: any free thread; warp: any free warp, 32 "
        "at a time; donate: as static, and a warp's lanes help its last one; degree: a thread, a warp or a block",
        .paper = "warp"),
    NUMBER_OPTION("async", 1, 0, 1, "1: bottom-up levels also find vertices of the next level"),
    {},
};
static const struct option_spec enterprise_options[] = {
    MODE_OPTION(
        "a launch for each step of a level; a thread, a warp, a block or the grid per frontier; a cache of hubs "
        "bottom-up; no top-down level after that"),
    COMMON_OPTIONS("30"),
    {},
};

static const char *const generation_words[] = {"", "scan-free", "single-scan", "double-scan", "none"};

struct state {
    struct gpu_graph out, in; /* in: in-edges of a directed graph; otherwise empty */
    struct gpu_arena memory;  /* owns all arrays below */
    struct search search;
    struct class_queues queues; /* mode=paper uses these in place of the queues in `search` */
    bool as_paper;
    struct rules rules;
    enum balance balance;
    struct grid grid;
};

static const struct gpu_graph *in_edges_of(const struct state *state)
{
    return state->in.offsets != NULL ? &state->in : &state->out;
}

template <typename offset_t>
static edges_of_graph<offset_t> edges_of(const struct state *state)
{
    return {csr_of<offset_t>(&state->out), csr_of<offset_t>(in_edges_of(state))};
}

/* ---- the search: one persistent kernel that runs all levels and makes all decisions ---- */

template <typename offset_t, enum balance balance>
__global__ void __launch_bounds__(MOST_THREADS, BLOCKS)
    xbfs_kernel(edges_of_graph<offset_t> graph, struct search search, struct rules rules)
{
    struct shared *shared = block_shared<struct shared>();
    struct progress at = {};
    uint64_t edges = __ldcg(&count_of(search.counts, 0)->edges), before = edges;
    if (is_first_thread())
        end_level(search.trace, 0, LEVEL_TOP_DOWN);
    for (at.level = 1; edges > 0; at.level++) {
        struct tally tally = {};
        struct counts *counts = count_of(search.counts, at.level);
        iteration<offset_t> iteration = {graph, search, rules, at, counts, &tally};
        enum generation generation = DOUBLE_SCAN;
        bool bottom_up = edges >= rules.bottom_up_from;
        if (is_first_thread())
            *count_of(search.counts, at.level + 1) = {};
        if (bottom_up) {
            if (!go_bottom_up<balance>(iteration, shared, &at))
                return;
        } else {
            generation = choose(rules, at, edges, before);
            if (!go_top_down(iteration, shared, generation))
                return;
            at.swapped_queues = !at.swapped_queues;
        }
        if (search.trace != NULL && is_first_thread())
            trace_level(search, at.level, bottom_up, generation, edges);
        at.was_bottom_up = bottom_up;
        before = edges;
        edges = __ldcg(&counts->edges);
    }
}

template <typename offset_t>
using kernel_t = void (*)(edges_of_graph<offset_t>, struct search, struct rules);

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

/* Sets the bits of the vertices with in-edges. Each warp writes one word. */
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

static void allocate_queues(struct run *run, struct state *state)
{
    struct search *search = &state->search;
    size_t n = state->out.num_vertices, size = offset_size(&state->out);
    size_t most_high_degree = min(n, (size_t)(state->out.num_edges / state->rules.alone + 1));
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    for (struct queue *queue : {&search->first, &search->second}) {
        struct high_degree_list *high_degree = &queue->high_degree;
        queue->edge = gpu_take_bytes(memory, n, size, "the queues", error);
        queue->end = gpu_take_bytes(memory, n, size, "the queues", error);
        high_degree->edge = gpu_take_bytes(memory, most_high_degree, size, "the queues", error);
        high_degree->end = gpu_take_bytes(memory, most_high_degree, size, "the queues", error);
        high_degree->vertex = gpu_take<vertex_t>(memory, most_high_degree, "the queues", error);
        high_degree->piece = gpu_take<uint32_t>(memory, most_high_degree, "the queues", error);
    }
    search->frontiers = gpu_take<vertex_t>(memory, n, "the bottom-up queues", error);
    search->others = gpu_take<vertex_t>(memory, n, "the bottom-up queues", error);
}

/* Allocates the queues of mode=paper. */
static void allocate_class_queues(struct run *run, struct state *state)
{
    size_t n = state->out.num_vertices, threads = (size_t)state->grid.blocks * state->grid.threads;
    struct gpu_arena *memory = &state->memory;
    for (unsigned i = 0; i < 2 * TAKERS; i++)
        state->queues.queue[i / TAKERS][i % TAKERS] = gpu_take<vertex_t>(memory, n, "the queues", run->error);
    state->queues.sizes = gpu_take<uint32_t>(memory, 2 * TAKERS, "the queues' sizes", run->error);
    state->queues.before = gpu_take<uint32_t>(memory, TAKERS * threads, "the sums", run->error);
    state->queues.hubs = gpu_take<uint64_t>(memory, HUBS, "the hub cache", run->error);
}

/* Allocates the remaining arrays. Returns the bitmap of the vertices with in-edges, which the caller must fill. */
static uint32_t *allocate_rest(struct run *run, struct state *state)
{
    struct search *search = &state->search;
    size_t n = state->out.num_vertices;
    struct gpu_arena *memory = &state->memory;
    uint32_t *entered = gpu_take<uint32_t>(memory, n / WARP_SIZE + 1, "a bitmap", run->error);
    search->entered = entered;
    search->status = gpu_take<uint32_t>(memory, n, "the statuses", run->error);
    search->block_sums = gpu_take<uint32_t>(memory, TAKERS * state->grid.blocks, "the sums", run->error);
    search->counts = gpu_take<struct counts>(memory, NUM_COUNTS, "the counts", run->error);
    search->barrier = gpu_take<struct grid_barrier>(memory, 1, "the barrier", run->error);
    search->trace = gpu_take_trace(run, memory);
    if (run->options[WORK] != 0)
        search->work = gpu_take<uint64_t>(memory, WORK_CLASSES * WORK_CLASSES, "the work", run->error);
    return entered;
}

static void set_rules(struct run *run, bool is_enterprise, struct state *state)
{
    const double *options = run->options;
    double from = (double)run->graph->num_edges * options[ALPHA_OPTION] / 100;
    uint32_t high_degree_above = (uint32_t)options[HIGH_DEGREE_OPTION];
    state->rules = {.queue = DOUBLE_SCAN,
                    .strided = true,
                    .bottom_up_from = from < 1 ? 1 : (uint64_t)from,
                    .high_degree_above = high_degree_above,
                    .alone = high_degree_above / ALONE,
                    .grid_from = UINT64_MAX};
    state->balance = BALANCE_DEGREE;
    state->as_paper = (int)options[MODE] == MODE_PAPER;
    if (state->as_paper)
        state->rules.alone = UINT32_MAX; /* one thread reads all edges of a frontier */
    if (state->as_paper && is_enterprise) {
        state->rules.grid_from = GRID_FROM;
        state->rules.one_way = true;
    }
    if (!is_enterprise) {
        state->rules.queue = (enum generation)(int)options[QUEUE];
        state->rules.strided = false;
        state->rules.async = options[ASYNC] != 0;
        state->balance = (enum balance)(int)options[BALANCE];
    }
}

/* Returns the kernel for which the grid is planned. In mode=paper the blocks need not run at the same time; the grid
 * has as many blocks of scan I as fill the GPU. */
static const void *planned_kernel(const struct state *state)
{
    return with_width(state->out.wide, [&]<typename offset_t>() {
        return state->as_paper ? (const void *)scan_one<1, true, offset_t>
                               : (const void *)kernel_of<offset_t>(state->balance);
    });
}

template <bool is_enterprise>
static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct error *error = run->error;
    struct state *state = (struct state *)run->state;
    unsigned threads = gpu_block_size(run->options[BLOCK_SIZE], error);
    set_rules(run, is_enterprise, state);
    state->out = std::exchange(*graph, {});
    if (!run->graph->symmetric)
        gpu_transpose(&state->out, &state->in, error);
    if (!state->as_paper)
        allocate_queues(run, state);
    gpu_plan_grid(planned_kernel(state), threads, (unsigned)run->options[BLOCKS_PER_SM], sizeof(struct shared),
                  &state->grid, error);
    if (state->as_paper)
        allocate_class_queues(run, state);
    uint32_t *entered = allocate_rest(run, state);
    with_offsets(in_edges_of(state), [&]<typename offset_t>(csr<offset_t> in) {
        return gpu_launch(find_entered<offset_t>, gpu_wide_grid(in.num_vertices), 0, error, in, entered);
    });
    return gpu_wait("preparing", error);
}

template <typename offset_t>
__global__ void seed(csr<offset_t> out, struct search search, vertex_t source, uint32_t high_degree_above)
{
    span<offset_t> span = {out.offsets[source], out.offsets[source + 1]};
    search.status[source] = 0;
    search.counts[0].spans = 1;
    search.counts[0].edges = span.end - span.edge;
    put_span(search.first, search.counts, 0, source, span, high_degree_above);
}

static void reset(struct run *run, const struct state *state)
{
    size_t n = state->out.num_vertices;
    gpu_fill(state->search.status, 0xff, n, run->error); /* UNREACHED */
    gpu_clear(state->search.counts, NUM_COUNTS, run->error);
    gpu_clear(state->search.barrier, 1, run->error);
    gpu_clear(state->search.work, WORK_CLASSES * WORK_CLASSES, run->error);
}

/* Traverses with mode=paper. */
static int traverse_by_steps(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    reset(run, state);
    gpu_clear(state->queues.sizes, 2 * TAKERS, run->error);
    with_width(state->out.wide, [&]<typename offset_t>() {
        struct launcher<offset_t> launcher = {
            run, {edges_of<offset_t>(state), state->search, state->queues, state->rules, {}, 0}, state->grid,
                state->balance
        };
        run_kernel_begin(run);
        search_by_steps(&launcher, query->sources[0]);
        run_kernel_end(run);
    });
    return run->error->status;
}

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    if (state->as_paper)
        return traverse_by_steps(run, query);
    reset(run, state);
    with_width(state->out.wide, [&]<typename offset_t>() {
        edges_of_graph<offset_t> edges = edges_of<offset_t>(state);
        gpu_launch(seed<offset_t>, {1, 1}, 0, run->error, edges.out, state->search, query->sources[0],
                   state->rules.high_degree_above);
        run_kernel_begin(run);
        gpu_launch_persistent(kernel_of<offset_t>(state->balance), state->grid, sizeof(struct shared), run->error,
                              edges, state->search, state->rules);
        run_kernel_end(run);
    });
    return run->error->status;
}

/* Returns the smallest number of edges in a class of bottom-up work. */
static uint64_t least_of_class(unsigned work_class)
{
    return work_class == 0 ? 0 : 1ull << (work_class - 1);
}

static int fetch_work(struct run *run, const struct state *state, struct traversal *result)
{
    uint64_t number[WORK_CLASSES * WORK_CLASSES];
    gpu_download(number, state->search.work, WORK_CLASSES * WORK_CLASSES, run->error);
    FILE *file =
        run->error->status == STATUS_OK ? side_table_begin(run, result, "work", "degree,checked,frontiers") : NULL;
    if (file == NULL)
        return run->error->status;
    for (unsigned i = 0; i < WORK_CLASSES * WORK_CLASSES; i++)
        if (number[i] > 0)
            fprintf(file, "%llu,%llu,%llu\n", (unsigned long long)least_of_class(i / WORK_CLASSES),
                    (unsigned long long)least_of_class(i % WORK_CLASSES), (unsigned long long)number[i]);
    fclose(file);
    return STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    gpu_check_barrier(state->search.barrier, "bfs xbfs", run->error);
    gpu_fetch(result->level, state->search.status, run->graph->num_vertices, run->error);
    gpu_fetch_trace(run, state->search.trace, generation_words, result);
    if (state->search.work != NULL)
        fetch_work(run, state, result);
    return run->error->status;
}

#define XBFS(its_variant, its_title, its_citation, its_options, is_enterprise)                                         \
    {                                                                                                                  \
        .family = "bfs", .variant = its_variant, .title = its_title, .citation = its_citation, .device = DEVICE_GPU,   \
        .outputs = OUTPUT_LEVEL, .options = its_options, .state_bytes = sizeof(struct state),                          \
        .prepare = uploaded<prepare<is_enterprise>, OFFSET_BITS>, .traverse = traverse, .fetch = fetch,                \
        .release = release_state<struct state, &state::memory, &state::out, &state::in>, .profiled = true              \
    }

GPU_ALGORITHM(bfs_xbfs) = XBFS("xbfs", "XBFS: queues chosen per level, dynamic balance, asynchronous bottom-up",
                               "Gaihre et al., HPDC 2019", xbfs_options, false);
GPU_ALGORITHM(bfs_enterprise) = XBFS("enterprise", "Enterprise, where XBFS's ablation starts", "Liu and Huang, SC 2015",
                                     enterprise_options, true);

} // namespace BACKEND::xbfs
