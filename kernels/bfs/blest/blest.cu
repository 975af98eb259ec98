/* blest.cu: Blest (Elbek and Kaya 2026), a BFS on tensor cores, with every step of the paper's ablation (table IV),
 * and BerryBees (Niu and Casas, PPoPP 2025) as Blest's paper describes it, which is the start of the ablation.
 *
 *   berrybees    sections 3, 8: several launches per level. A dense frontier takes SpMV: one warp per slice set,
 * active or not. A sparse one takes SpMSpV: the active sets are gathered and shared out by slices. 16 multiplications
 * for 128 slices blest-a      section 3: a queue of the frontier's virtual slice sets, one warp per VSS, one kernel
 * for all levels blest-ab     section 5.1: the optimal layout, 2 multiplications for 128 slices blest-abc    section
 * 4: on the reordered graph; the harness reorders it blest-abcd   section 5.2: lazy vertex updates if the update
 * divergence is above 25,000 blest        section 5.3: with lazy updates, bottom-up levels on CUDA cores while
 * unvisited < eta * |Q|
 *
 * A level pulls. It takes each slice set that has frontier vertices among its columns. The rows of the set test which
 * of these columns are their in-neighbours: they multiply their masks with the set's SIGMA bits of the frontier
 * (bvss.h).
 *
 * The parts, in the order in which data flows:
 *
 *   tensor_cores.cuh   the multiplication of a VSS by the frontier, in two layouts
 *   vss_queue.cuh      the queue of VSSs and its rotating counts
 *   search.cuh         the state of a search; the loads of a VSS
 *   eager.cuh          algorithm 2 and its kernel: blest-a, blest-ab, blest-abc
 *   bottom_up.cuh      algorithm 4
 *   lazy.cuh           algorithm 3 and its kernel, which also runs bottom-up levels: blest-abcd, blest
 *   berrybees.cuh      the kernels of BerryBees
 *
 * Where the paper has three grid barriers per level, there is one here, or two with lazy updates. */
#include <stdio.h>
#include <stdlib.h>

#include "berrybees.cuh"
#include "blest.h"
#include "eager.cuh"
#include "lazy.cuh"

namespace BACKEND::blest
{

#define LAZY_ABOVE       25000 /* update divergence, section 7.1 */
#define ETA              10    /* section 5.3 */
#define TRIALS_OF_CHOICE 3u    /* runs with switching, and as many without, that decide on it; section 7.1 */
#define DENSE_PERCENT    5

/* What a variant adds to the one before it. */
struct features {
    bool fused; /* one persistent kernel for all levels */
    enum layout layout;
    bool lazy, switches;
};
static const struct features berrybees = {false, LAYOUT_BERRYBEES, false, false},
                             variant_a = {true, LAYOUT_BERRYBEES, false, false},
                             variant_ab = {true, LAYOUT_OPTIMAL, false, false},
                             variant_abcd = {true, LAYOUT_OPTIMAL, true, false},
                             variant_full = {true, LAYOUT_OPTIMAL, true, true};

enum { BLOCK_SIZE, BLOCKS_PER_SM, OWN_OPTION, ETA_OPTION, SWITCH_OPTION, OFFSET_BITS, TRACE };
enum { SWITCH_AUTO, SWITCH_ALWAYS, SWITCH_NEVER };
#define GRID_OPTIONS(blocks)                                                                                         \
    {"block-size", MOST_THREADS, 32, MOST_THREADS, NULL, "threads of a block, a multiple of 32"},                    \
    {                                                                                                                \
        "blocks-per-sm", blocks, 1, 32, NULL, "blocks on each multiprocessor, as far as they fit"                    \
    }
#define LAZY_OPTION                                                                                                  \
    {                                                                                                                \
        "lazy-above", LAZY_ABOVE, 0, UINT32_MAX, NULL, "update divergence above which vertices are updated lazily"   \
    }
static const struct option_spec berrybees_options[] = {
    GRID_OPTIONS(EAGER_BLOCKS),
    {"dense-percent", DENSE_PERCENT, 0, 100, NULL, "SpMV while the frontier has more percent of the vertices"},
    {},
};
static const struct option_spec eager_options[] = {GRID_OPTIONS(EAGER_BLOCKS), {}};
static const struct option_spec lazy_options[] = {GRID_OPTIONS(LAZY_BLOCKS), LAZY_OPTION, {}};
static const struct option_spec full_options[] = {
    GRID_OPTIONS(LAZY_BLOCKS),
    LAZY_OPTION,
    {"eta", ETA, 0, 1 << 20, NULL, "bottom-up while the unvisited vertices are fewer than eta times the queue"},
    {"switch", SWITCH_AUTO, 0, 0, "auto|always|never",
     "bottom-up levels: with lazy updates if three trials say so; always, with lazy updates whatever the divergence"},
    {"offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"},
    {"trace", 0, 0, 1, NULL, "1: every level's frontier, mode and time, in traces/ beside the records (--csv)"},
    {},
};

struct state {
    const struct features *features;
    struct gpu_graph in_edges; /* for bottom-up levels */
    struct gpu_arena memory;   /* of the BVSS */
    struct bvss bvss;
    struct search search;
    size_t num_words;
    bool lazy, switching;
    struct grid grid;
};

/* ---- preparing ---- */

static bool wants_wide(const struct run *run)
{
    return ((const struct state *)run->state)->features->switches && run->options[OFFSET_BITS] != 0;
}

/* Builds the BVSS and times it. Keeps the edges as in-edges if levels may go bottom-up and the graph is symmetric. */
static int build_formats(struct run *run)
{
    const struct graph *graph = run->graph;
    struct state *state = (struct state *)run->state;
    struct device *device = run->device;
    struct gpu_graph out_edges = {};
    double kernel_ms;
    if (gpu_graph_upload(graph, wants_wide(run), &out_edges, run->error) == STATUS_OK) {
        device->mark(device, MARK_BEGIN);
        bvss_build(&out_edges, &state->memory, &state->bvss, run->error);
        device->mark(device, MARK_END);
        if (run->error->status == STATUS_OK)
            device->elapsed(device, &run->build_ms, &kernel_ms, run->error);
    }
    if (run->error->status == STATUS_OK && state->features->switches && graph->symmetric) {
        state->in_edges = out_edges;
        return STATUS_OK;
    }
    gpu_graph_free(&out_edges);
    return run->error->status;
}

/* Uploads the in-edges of a directed graph. */
static int upload_transpose(struct run *run, struct gpu_graph *in_edges)
{
    struct graph transpose = {};
    if (graph_transpose(run->graph, &transpose, run->error) == STATUS_OK)
        gpu_graph_upload(&transpose, wants_wide(run), in_edges, run->error);
    graph_release(&transpose);
    return run->error->status;
}

static int allocate_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct error *error = run->error;
    size_t num_sets = state->bvss.num_sets, num_vss = state->bvss.num_vss, words = state->num_words;
    bool bitmaps = state->lazy || !state->features->fused;
    if (gpu_allocate(&search->level, num_sets * SIGMA, "the levels", error) != STATUS_OK ||
        gpu_allocate(&search->queue, num_vss, "the queue of VSSs", error) != STATUS_OK ||
        gpu_allocate(&search->counts, NUM_COUNTS, "the counts", error) != STATUS_OK ||
        gpu_allocate(&search->barrier, 1, "the barrier", error) != STATUS_OK)
        return error->status;
    if (state->features->fused && gpu_allocate(&search->next_queue, num_vss, "the queue of VSSs", error) != STATUS_OK)
        return error->status;
    if (!bitmaps)
        return gpu_allocate(&search->queued, num_sets, "the queued levels", error);
    if (gpu_allocate(&search->frontier, words, "the frontier", error) != STATUS_OK ||
        gpu_allocate(&search->next_frontier, words, "the frontier", error) != STATUS_OK || !state->lazy ||
        gpu_allocate(&search->visited, words, "the visited bitmap", error) != STATUS_OK)
        return error->status;
    return gpu_allocate(&search->marked, words, "the visited bitmap", error);
}

static bool wants_trace(const struct run *run)
{
    return ((const struct state *)run->state)->features->switches && run->options[TRACE] != 0;
}

typedef void (*eager_kernel_t)(struct bvss, struct search);

static eager_kernel_t eager_kernel(const struct state *state)
{
    return state->features->layout == LAYOUT_OPTIMAL ? blest_kernel<LAYOUT_OPTIMAL> : blest_kernel<LAYOUT_BERRYBEES>;
}

/* The grid of a traversal is planned for this kernel. */
static const void *main_kernel(const struct state *state)
{
    if (!state->features->fused)
        return (const void *)berrybees_spmspv;
    if (!state->lazy)
        return (const void *)eager_kernel(state);
    return state->in_edges.wide ? (const void *)blest_lazy_kernel<edge_t> : (const void *)blest_lazy_kernel<uint32_t>;
}

static int choose_switching(struct run *run);

/* Writes the note of the run. scripts/evaluation/analyses/blest.py reads it, too. */
static void describe(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const struct bvss *bvss = &state->bvss;
    const char *updates = !state->features->lazy ? "" : state->lazy ? ", lazy" : ", eager";
    const char *switching = !state->features->switches ? "" : state->switching ? ", switching" : ", not switching";
    snprintf(run->note, sizeof run->note,
             "BVSS: %u VSSs of %llu slices, compression ratio %.3f, update divergence %.0f%s%s", bvss->num_vss,
             (unsigned long long)bvss->num_slices, bvss->compression_ratio, bvss->update_divergence, updates,
             switching);
}

static int prepare(struct run *run, const struct features *features)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    unsigned threads = (unsigned)run->options[BLOCK_SIZE];
    state->features = features;
    state->num_words = ((size_t)run->graph->num_vertices + WARP_SIZE - 1) / WARP_SIZE;
    if (threads % WARP_SIZE != 0)
        return error_set(run->error, STATUS_INPUT, "--set block-size=%u: expected a multiple of 32", threads);
    if (build_formats(run) != STATUS_OK)
        return run->error->status;
    int choice = features->switches ? (int)run->options[SWITCH_OPTION] : SWITCH_NEVER;
    state->lazy =
        features->lazy && (choice == SWITCH_ALWAYS || state->bvss.update_divergence > run->options[OWN_OPTION]);
    state->switching = state->lazy && choice != SWITCH_NEVER;
    if (state->switching && !run->graph->symmetric && upload_transpose(run, &state->in_edges) != STATUS_OK)
        return run->error->status;
    if (allocate_search(run) != STATUS_OK ||
        gpu_check(cudaMemset(state->search.barrier, 0, sizeof *state->search.barrier), "the barrier", run->error) !=
            STATUS_OK ||
        gpu_plan_grid(main_kernel(state), threads, (unsigned)run->options[BLOCKS_PER_SM], sizeof(struct shared),
                      &state->grid, run->error) != STATUS_OK)
        return run->error->status;
    if (wants_trace(run) && gpu_allocate(&state->search.trace, (size_t)run->graph->num_vertices + 2, "the trace",
                                         run->error) != STATUS_OK)
        return run->error->status;
    if (state->switching && choice == SWITCH_AUTO && choose_switching(run) != STATUS_OK)
        return run->error->status;
    if (!state->switching)
        gpu_graph_free(&state->in_edges);
    describe(run);
    return STATUS_OK;
}

static int prepare_berrybees(struct run *run)
{
    return prepare(run, &berrybees);
}
static int prepare_a(struct run *run)
{
    return prepare(run, &variant_a);
}
static int prepare_ab(struct run *run)
{
    return prepare(run, &variant_ab);
}
static int prepare_abcd(struct run *run)
{
    return prepare(run, &variant_abcd);
}
static int prepare_full(struct run *run)
{
    return prepare(run, &variant_full);
}

/* ---- traversing ---- */

/* Puts the source into the first frontier and the VSSs of its set into the first queue. One warp runs it. */
__global__ void seed_frontier(struct bvss bvss, struct search search, vertex_t source)
{
    uint32_t set = source / SIGMA, first = bvss.real_ptrs[set], size = bvss.real_ptrs[set + 1] - first;
    uint32_t word = source / WARP_SIZE, bit = 1u << source % WARP_SIZE;
    for (uint32_t i = lane_id(); i < size; i += WARP_SIZE)
        search.queue[i] = make_uint2(first + i, set);
    if (lane_id() != 0)
        return;
    search.level[source] = 0;
    search.counts[0] = 1ull << 32 | size;
    if (search.frontier != NULL)
        search.frontier[word] = bit;
    if (search.visited != NULL) {
        uint32_t last = (bvss.num_vertices - 1) / WARP_SIZE, used = bvss.num_vertices % WARP_SIZE;
        uint32_t beyond = used == 0 ? 0 : UINT32_MAX << used;
        search.visited[last] = search.marked[last] = beyond;
        search.visited[word] = search.marked[word] = (word == last ? beyond : 0) | bit;
    }
}

static int reset(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    size_t num_sets = state->bvss.num_sets, bitmap_bytes = state->num_words * sizeof *search->frontier;
    uint32_t *const bitmaps[] = {search->frontier, search->next_frontier, search->visited, search->marked};
    cudaMemsetAsync(search->level, 0xff, num_sets * SIGMA * sizeof *search->level); /* UNREACHED */
    for (uint32_t *bitmap : bitmaps)
        if (bitmap != NULL)
            cudaMemsetAsync(bitmap, 0, bitmap_bytes);
    if (search->queued != NULL)
        cudaMemsetAsync(search->queued, 0, num_sets * sizeof *search->queued);
    if (search->trace != NULL)
        cudaMemsetAsync(search->trace, 0, ((size_t)run->graph->num_vertices + 2) * sizeof *search->trace);
    cudaMemsetAsync(search->counts, 0, NUM_COUNTS * sizeof *search->counts);
    cudaMemsetAsync(&search->barrier->arrived, 0, sizeof search->barrier->arrived); /* `broken` stays */
    gpu_check(cudaGetLastError(), "resetting a traversal", run->error);
    return gpu_launch(seed_frontier, {1, WARP_SIZE}, 0, run->error, state->bvss, *search, source);
}

static int launch_lazy(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const struct gpu_graph *in_edges = &state->in_edges;
    uint32_t eta = state->switching ? (uint32_t)run->options[ETA_OPTION] : 0;
    size_t shared_bytes = sizeof(struct shared);
    if (in_edges->wide)
        return gpu_launch_persistent(blest_lazy_kernel<edge_t>, state->grid, shared_bytes, run->error,
                                     csr_of<edge_t>(in_edges), state->bvss, state->search, eta);
    return gpu_launch_persistent(blest_lazy_kernel<uint32_t>, state->grid, shared_bytes, run->error,
                                 csr_of<uint32_t>(in_edges), state->bvss, state->search, eta);
}

static int launch_blest(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    if (state->lazy)
        return launch_lazy(run);
    return gpu_launch_persistent(eager_kernel(state), state->grid, sizeof(struct shared), run->error, state->bvss,
                                 state->search);
}

static int traverse_blest(struct run *run, const struct query *query)
{
    if (reset(run, query->source) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    launch_blest(run);
    run_kernel_end(run);
    return run->error->status;
}

/* One level of BerryBees. *found: the size of the frontier; afterwards that of the next frontier. */
static int run_level(struct run *run, const struct search *search, uint32_t level, uint64_t *found)
{
    const struct state *state = (const struct state *)run->state;
    double percent = 100.0 * (double)*found / run->graph->num_vertices;
    cudaMemsetAsync(search->counts, 0, NUM_COUNTS * sizeof *search->counts);
    if (percent > run->options[OWN_OPTION])
        gpu_launch(berrybees_spmv, state->grid, 0, run->error, state->bvss, *search, level);
    else if (gpu_launch(berrybees_gather, state->grid, 0, run->error, state->bvss, *search) == STATUS_OK)
        gpu_launch(berrybees_spmspv, state->grid, 0, run->error, state->bvss, *search, level);
    if (run->error->status != STATUS_OK)
        return run->error->status;
    cudaMemsetAsync(search->frontier, 0, state->num_words * sizeof *search->frontier);
    return gpu_download(found, &search->counts[FOUND], 1, run->error);
}

static int traverse_berrybees(struct run *run, const struct query *query)
{
    struct search search = ((const struct state *)run->state)->search;
    if (reset(run, query->source) != STATUS_OK)
        return run->error->status;
    uint64_t found = 1;
    run_kernel_begin(run);
    for (uint32_t level = 1; found > 0 && run_level(run, &search, level, &found) == STATUS_OK; level++) {
        uint32_t *swap = search.frontier;
        search.frontier = search.next_frontier;
        search.next_frontier = swap;
    }
    run_kernel_end(run);
    return run->error->status;
}

/* Measures the kernel time of a run from the source, with or without bottom-up levels. */
static int time_run(struct run *run, vertex_t source, bool switching, double *kernel_ms)
{
    struct device *device = run->device;
    struct query query = {source};
    double time_ms;
    ((struct state *)run->state)->switching = switching;
    device->mark(device, MARK_BEGIN);
    int status = traverse_blest(run, &query);
    device->mark(device, MARK_END);
    return status == STATUS_OK ? device->elapsed(device, &time_ms, kernel_ms, run->error) : status;
}

/* Section 7.1: keeps bottom-up levels only if they are faster in a few pairs of runs. The sources are random vertices
 * with out-edges; there are some, since the update divergence is above 0. The first pair is a warm-up and does not
 * count. */
static int choose_switching(struct run *run)
{
    double total_ms[2] = {0, 0}, kernel_ms = 0;
    uint64_t random = 0;
    for (unsigned trial = 0; trial <= TRIALS_OF_CHOICE; trial++) {
        vertex_t source;
        do {
            random = random * 6364136223846793005ull + 1442695040888963407ull;
            source = (vertex_t)((random >> 32) % run->graph->num_vertices);
        } while (graph_degree(run->graph, source) == 0);
        for (int switching = 0; switching < 2; switching++) {
            if (time_run(run, source, switching, &kernel_ms) != STATUS_OK)
                return run->error->status;
            total_ms[switching] += trial > 0 ? kernel_ms : 0;
        }
    }
    ((struct state *)run->state)->switching = total_ms[1] < total_ms[0];
    return STATUS_OK;
}

/* ---- results ---- */

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    if (gpu_check_barrier(state->search.barrier, "bfs blest", run->error) != STATUS_OK ||
        gpu_download(result->level, state->search.level, run->graph->num_vertices, run->error) != STATUS_OK ||
        state->search.trace == NULL)
        return run->error->status;
    return gpu_fetch_trace(run, state->search.trace, NULL, result);
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct search *search = &state->search;
        const void *const arrays[] = {search->level,  search->queued,        search->frontier, search->visited,
                                      search->marked, search->next_frontier, search->queue,    search->next_queue,
                                      search->counts, search->barrier,       search->trace};
        for (const void *array : arrays)
            gpu_free(array);
        gpu_arena_free(&state->memory);
        gpu_graph_free(&state->in_edges);
    }
    free(state);
}

/* ---- a part of other algorithms ---- */

int single_prepare(struct run *run)
{
    for (int i = 0; full_options[i].name != NULL; i++)
        run->options[i] = full_options[i].default_value;
    return prepare_full(run);
}

size_t single_row_length(const struct run *run)
{
    return (size_t)((const struct state *)run->state)->bvss.num_sets * SIGMA;
}

int single_search(struct run *run, vertex_t source, uint32_t *level)
{
    struct search *search = &((struct state *)run->state)->search;
    uint32_t *own = search->level;
    search->level = level;
    if (reset(run, source) == STATUS_OK)
        launch_blest(run);
    search->level = own;
    return run->error->status;
}

int single_check(struct run *run)
{
    return gpu_check_barrier(((const struct state *)run->state)->search.barrier, "bfs blest", run->error);
}

void single_release(struct run *run)
{
    release(run);
}

GPU_ALGORITHM(bfs_blest) = {
    .family = "bfs",
    .variant = "blest",
    .title = "Blest, full: lazy updates and switching",
    .citation = "Elbek and Kaya 2026, 5.3",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = full_options,
    .reorder = REORDER,
    .prepare = prepare_full,
    .traverse = traverse_blest,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_blest_abcd) = {
    .family = "bfs",
    .variant = "blest-abcd",
    .title = "Blest, ABC + lazy vertex updates",
    .citation = "Elbek and Kaya 2026, 5.2",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = lazy_options,
    .reorder = REORDER,
    .prepare = prepare_abcd,
    .traverse = traverse_blest,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_blest_abc) = {
    .family = "bfs",
    .variant = "blest-abc",
    .title = "Blest, AB + reordering",
    .citation = "Elbek and Kaya 2026, 4",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = eager_options,
    .reorder = REORDER,
    .prepare = prepare_ab,
    .traverse = traverse_blest,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_blest_ab) = {
    .family = "bfs",
    .variant = "blest-ab",
    .title = "Blest, A + optimal tensor core layout",
    .citation = "Elbek and Kaya 2026, 5.1",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = eager_options,
    .prepare = prepare_ab,
    .traverse = traverse_blest,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_blest_a) = {
    .family = "bfs",
    .variant = "blest-a",
    .title = "Blest, BVSS + one fused kernel",
    .citation = "Elbek and Kaya 2026, 3",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = eager_options,
    .prepare = prepare_a,
    .traverse = traverse_blest,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(bfs_berrybees) = {
    .family = "bfs",
    .variant = "berrybees",
    .title = "BerryBees, binarized row slices",
    .citation = "Niu and Casas, PPoPP 2025",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .options = berrybees_options,
    .prepare = prepare_berrybees,
    .traverse = traverse_berrybees,
    .fetch = fetch,
    .release = release,
};

} // namespace BACKEND::blest
