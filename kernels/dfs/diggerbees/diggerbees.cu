/* diggerbees.cu: DiggerBees (Niu et al., PPoPP 2026): unordered depth-first search by hierarchical work stealing.
 *
 *   dfs v1   section 3.3, 3.4: a warp walks with its stack in global memory; idle warps of its block steal from it
 *   dfs v2   section 3.2: the stack has two levels, a HotRing in shared memory and a ColdSeg in global memory
 *   dfs v3   section 3.5: blocks on half of the multiprocessors; idle blocks steal from the ColdSegs of other blocks
 *   dfs v4   the same with a block on every multiprocessor
 *
 * One kernel runs until no work is left. An entry of a stack holds a vertex that some warp has claimed and the
 * position of the next neighbour to examine. A vertex is in at most one entry. An entry moves between stacks as a
 * whole.
 *
 * The paper's pseudocode loses and duplicates entries when owner, thieves and termination meet: its pointers wrap
 * around to old values, its thieves copy entries only after they have taken them, and it does not handle a full
 * ColdSeg. Each part below starts with the protocol that gtrav uses instead and the argument for its correctness:
 *
 *   state.cuh         entries, device and shared memory, a warp's stack
 *   ring_word.cuh     the state word of a ring: head, tail and version; why ABA cannot happen
 *   termination.cuh   active warps and outstanding work
 *   hot_ring.cuh      the first level of a stack: publish, pop
 *   overflow.cuh      the queue of chunks that no ColdSeg has room for
 *   cold_seg.cuh      the second level of a stack: flush, refill, push
 *   walk.cuh          the depth-first search of one warp
 *   steal.cuh         stealing within a block and between blocks
 *   kernel.cuh        the kernel, and how an idle warp finds work
 *   diggerbees.cu     the host side */

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "kernel.cuh"

namespace BACKEND::diggerbees
{

#define MAX_BLOCKS    4096 /* the largest grid */
#define MIN_COLD_SIZE 64u  /* a full v1 stack holds at least a chunk and a top entry */

/* Each variant has the options of the one before it and more. */
enum { WARPS, HOT_CUTOFF, COLD_SIZE, OFFSET_BITS, MODE, TASKS, TOP, NUM_V1_OPTIONS };
enum { HOT_SIZE = NUM_V1_OPTIONS, BATCH_SIZE, COPIES, NUM_V2_OPTIONS };
enum { COLD_CUTOFF = NUM_V2_OPTIONS, BLOCKS, BALANCE_POLICY, VICTIMS, STEAL_COPIES, NUM_V3_OPTIONS }; /* and v4's */
static constexpr struct option_spec options[] = {
    NUMBER_OPTION("warps-per-block", 0, 0, 32, "warps of a block; 0: 16 up to a mean degree of 16, then 32",
                  .paper = "8"),
    NUMBER_OPTION("hot-cutoff", 16, 2, 256, "entries that a warp must have before others of its block steal half",
                  .paper = "32"),
    NUMBER_OPTION("cold-size", 0, 0, 8388608,
                  "entries of a warp's stack in global memory, rounded up to 64, 128, ...; 0: n_v/n_w",
                  .for_tests = true),
    OFFSET_BITS_OPTION,
    MODE_OPTION("each option has its value for mode=paper"),
    NUMBER_OPTION("tasks", 0, 0, 1, "1: write how many vertices each block claimed"),
    CHOICE_OPTION("top", 0, "registers|stack", "where the top of a stack is between two steps", .paper = "stack"),
    /* from v2 on: */
    CHOICE_OPTION("hot-size", 1, "64|128|256|512", "entries of a HotRing", .for_tests = true),
    NUMBER_OPTION("batch-size", 64, 2, 256, "entries that a flush or a refill moves, at most half of hot-size"),
    CHOICE_OPTION("copies", 0, "bulk|plain", "how flush and refill copy: asynchronously, if the GPU can, or by lanes"),
    /* from v3 on: */
    NUMBER_OPTION("cold-cutoff", 32, 2, 256, "entries that a ColdSeg must have before idle blocks steal half",
                  .paper = "64"),
    NUMBER_OPTION("blocks", 0, 0, MAX_BLOCKS, "blocks, at most as many as run at once; 0: by the variant",
                  .for_tests = true),
    NUMBER_OPTION("balance-policy", 1, 0, 1, "victim: 0: a random block; 1: the richer one of two (load-aware)"),
    CHOICE_OPTION("victims", 1, "any|active", "blocks from which the candidates are drawn"),
    CHOICE_OPTION("steal-copies", 1, "plain|bulk", "how steals between blocks copy: by lanes, or asynchronously"),
};
static_assert(std::size(options) == NUM_V3_OPTIONS);

/* The first `number` options, and the empty one that ends a list. */
template <size_t number>
struct first_options {
    struct option_spec list[number + 1] = {};
    constexpr first_options()
    {
        std::copy_n(options, number, list);
    }
};
static constexpr first_options<NUM_V1_OPTIONS> v1_options;
static constexpr first_options<NUM_V2_OPTIONS> v2_options;
static constexpr first_options<NUM_V3_OPTIONS> v3_options;

struct state {
    struct gpu_graph graph;
    struct gpu_arena memory; /* owns all device arrays */
    struct search search;
    struct tuning tuning;
    struct grid grid;
    size_t shared_bytes, num_warps; /* num_warps: in the whole grid */
    bool two_level;
};

enum spread { ONE_BLOCK, HALF_OF_THE_BLOCKS, ALL_BLOCKS };

/* Returns the instance of dfs_kernel for this state. */
template <typename offset_t>
static auto kernel_of(const struct state *state)
{
    return state->two_level ? dfs_kernel<offset_t, true> : dfs_kernel<offset_t, false>;
}

/* At a low mean degree there is little to steal: more warps would only look for work and slow the others down. */
#define DENSE        16 /* mean degree */
#define SPARSE_WARPS 16u

static unsigned choose_warps(struct run *run)
{
    const struct graph *graph = run->graph;
    if (run->options[WARPS] > 0)
        return (unsigned)run->options[WARPS];
    unsigned warps = graph->num_edges > (edge_t)DENSE * graph->num_vertices ? WARP_SIZE : SPARSE_WARPS;
    snprintf(run->note, sizeof run->note, "mean degree %.1f: %u warps per block",
             (double)graph->num_edges / graph->num_vertices, warps);
    return warps;
}

/* Sets state->grid. Warps and blocks are as many as the variant, the options and the device allow. */
static int plan_grid(struct run *run, enum spread spread)
{
    struct state *state = (struct state *)run->state;
    unsigned warps = choose_warps(run), wanted = spread == ONE_BLOCK ? 1 : (unsigned)run->options[BLOCKS];
    size_t hot_bytes = state->two_level ? state->tuning.hot_size * sizeof(uint64_t) : 0;
    const void *kernel =
        with_width(state->graph.wide, [&]<typename offset_t>() { return (const void *)kernel_of<offset_t>(state); });
    if (gpu_plan_grid(kernel, warps * WARP_SIZE, wanted == 0 ? 1 : MAX_BLOCKS,
                      sizeof(struct shared) + warps * hot_bytes, &state->grid, run->error) != STATUS_OK)
        return run->error->status;
    unsigned blocks = state->grid.blocks;
    if (wanted > 0)
        blocks = wanted < blocks ? wanted : blocks;
    else if (spread == HALF_OF_THE_BLOCKS)
        blocks = (blocks + 1) / 2;
    warps = state->grid.threads / WARP_SIZE;
    state->grid.blocks = blocks;
    state->shared_bytes = sizeof(struct shared) + warps * hot_bytes;
    state->num_warps = (size_t)blocks * warps;
    return STATUS_OK;
}

static void plan_memory(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct tuning *tuning = &state->tuning;
    const struct graph *graph = run->graph;
    uint64_t wanted = (uint64_t)run->options[COLD_SIZE];
    if (wanted == 0)
        wanted = (graph->num_vertices + state->num_warps - 1) / state->num_warps;
    uint64_t most = state->two_level ? cold_word::MAX_SIZE : hot_word<false>::MAX_SIZE;
    tuning->cold_size = (uint32_t)std::clamp<uint64_t>(std::bit_ceil(wanted), MIN_COLD_SIZE, most);
    tuning->num_chunks = graph->num_vertices / CHUNK + 1;
    /* Allows an idle warp more looks than one warp needs to search the whole graph alone. */
    const uint64_t looks_of_a_step = 8;
    tuning->patience = MOST_POLLS + looks_of_a_step * (graph->num_vertices + graph->num_edges / WARP_SIZE);
}

static void set_tuning(struct run *run, enum spread spread)
{
    struct state *state = (struct state *)run->state;
    struct tuning *tuning = &state->tuning;
    tuning->hot_cutoff = (uint32_t)run->options[HOT_CUTOFF];
    tuning->top_in_stack = run->options[TOP] == 1;
    if (state->two_level) {
        tuning->hot_size = 64u << (unsigned)run->options[HOT_SIZE];
        tuning->batch_size = (uint32_t)run->options[BATCH_SIZE];
        if (tuning->batch_size > tuning->hot_size / 2) /* a flush must not move the top, which is in registers */
            tuning->batch_size = tuning->hot_size / 2;
        tuning->bulk = run->options[COPIES] == 0;
    }
    if (spread != ONE_BLOCK) {
        tuning->cold_cutoff = (uint32_t)run->options[COLD_CUTOFF];
        tuning->load_aware = run->options[BALANCE_POLICY] == 1;
        tuning->bulk_steals = run->options[STEAL_COPIES] == 1;
    }
}

static void allocate_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    const struct tuning *tuning = &state->tuning;
    size_t n = run->graph->num_vertices;
    search->visited = gpu_take<uint32_t>(memory, n, "the visited array", run->error);
    search->parent = gpu_take<vertex_t>(memory, n, "the parents", run->error);
    search->cold = gpu_take<uint64_t>(memory, state->num_warps * tuning->cold_size, "the stacks", run->error);
    search->cold_state = gpu_take<uint64_t>(memory, state->num_warps, "the stacks", run->error);
    search->chunks = gpu_take<uint64_t>(memory, (size_t)tuning->num_chunks * CHUNK, "the overflow", run->error);
    search->turns = gpu_take<uint32_t>(memory, tuning->num_chunks, "the overflow", run->error);
    search->control = gpu_take_zeroed<struct control>(memory, 1, "the termination count", run->error);
    if (tuning->load_aware && run->options[VICTIMS] == 1)
        search->active = gpu_take<uint32_t>(memory, state->grid.blocks, "the active blocks", run->error);
    gpu_clear(search->turns, tuning->num_chunks, run->error);
}

template <bool two_level, enum spread spread>
static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    state->graph = std::exchange(*graph, {});
    state->two_level = two_level;
    set_tuning(run, spread);
    if (plan_grid(run, spread) != STATUS_OK)
        return run->error->status;
    plan_memory(run);
    allocate_search(run);
    return run->error->status;
}

__global__ void seed_source(struct search search, vertex_t source)
{
    search.visited[source] = 1; /* the first warp, counted from 1 */
    search.parent[source] = source;
    search.control->outstanding = 1;
    if (search.active != NULL)
        search.active[0] = 1;
}

static void reset(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    size_t n = run->graph->num_vertices;
    gpu_clear(search->visited, n, run->error);
    gpu_fill(search->parent, 0xff, n, run->error); /* NO_VERTEX */
    gpu_clear(search->cold_state, state->num_warps, run->error);
    gpu_clear(search->active, state->grid.blocks, run->error);
    gpu_launch(seed_source, {1, 1}, 0, run->error, *search, source);
}

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    reset(run, query->sources[0]);
    run_kernel_begin(run);
    with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
        gpu_launch_persistent(kernel_of<offset_t>(state), state->grid, state->shared_bytes, run->error, graph,
                              state->search, state->tuning, query->sources[0]);
    });
    return run_kernel_end(run);
}

static int check_stuck(const struct state *state, struct error *error)
{
    static const char *const waits[] = {"", "in overflow: no chunk became free", "in a bulk copy: it did not end",
                                        "before termination: a block found no work"};
    struct control now;
    if (gpu_download(&now, state->search.control, 1, error) == STATUS_OK && now.stuck != NOT_STUCK)
        error_set(error, STATUS_DEVICE,
                  "GPU: dfs: stuck %s for too long (%u units of work outstanding, %llu chunks put, %llu taken)",
                  waits[now.stuck], now.outstanding, (unsigned long long)now.put, (unsigned long long)now.taken);
    return error->status;
}

/* Writes the table of the option tasks: the tasks of each block (section 4.6), which are the vertices that its warps
 * have claimed. visited: as in struct search, on the host. */
static void list_tasks(struct run *run, const uint32_t *visited, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    size_t warps_of_block = state->num_warps / state->grid.blocks;
    uint64_t tasks[MAX_BLOCKS] = {};
    FILE *file = side_table_begin(run, result, "tasks", "tasks");
    if (file == NULL)
        return;
    for (size_t v = 0; v < run->graph->num_vertices; v++)
        if (visited[v] != 0)
            tasks[(visited[v] - 1) / warps_of_block]++;
    for (unsigned block = 0; block < state->grid.blocks; block++)
        fprintf(file, "%s%llu", block > 0 ? " " : "", (unsigned long long)tasks[block]);
    fputc('\n', file);
    fclose(file);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    size_t n = run->graph->num_vertices;
    uint32_t *visited;
    check_stuck(state, run->error);
    gpu_download(result->parent, state->search.parent, n, run->error);
    if (run->error->status != STATUS_OK ||
        allocate(&visited, n, sizeof *visited, "the result", run->error) != STATUS_OK)
        return run->error->status;
    if (gpu_download(visited, state->search.visited, n, run->error) == STATUS_OK) {
#pragma omp parallel for
        for (size_t v = 0; v < (result->visited != NULL ? n : 0); v++)
            result->visited[v] = visited[v] != 0;
        if (run->options[TASKS] > 0)
            list_tasks(run, visited, result);
    }
    free(visited);
    return run->error->status;
}

#define DIGGERBEES(its_variant, its_title, its_options, two_level, spread)                                             \
    {                                                                                                                  \
        .family = "dfs", .variant = its_variant, .title = "DiggerBees, " its_title,                                    \
        .citation = "DiggerBees (Niu et al., PPoPP 2026)", .device = DEVICE_GPU,                                       \
        .outputs = OUTPUT_VISITED | OUTPUT_PARENT, .options = its_options, .state_bytes = sizeof(struct state),        \
        .prepare = uploaded<prepare<two_level, spread>, OFFSET_BITS>, .traverse = traverse, .fetch = fetch,            \
        .release = release_state<struct state, &state::memory, &state::graph>                                          \
    }

GPU_ALGORITHM(dfs_v1) = DIGGERBEES("v1", "one-level stacks, one block", v1_options.list, false, ONE_BLOCK);
GPU_ALGORITHM(dfs_v2) = DIGGERBEES("v2", "two-level stacks, one block", v2_options.list, true, ONE_BLOCK);
GPU_ALGORITHM(dfs_v3) = DIGGERBEES("v3", "stealing between blocks, on half of the GPU", v3_options.list, true,
                                   HALF_OF_THE_BLOCKS);
GPU_ALGORITHM(dfs_v4) = DIGGERBEES("v4", "full", v3_options.list, true, ALL_BLOCKS);

} // namespace BACKEND::diggerbees
