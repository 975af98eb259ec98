/* blest.cu: Blest (Elbek and Kaya 2026), a BFS on tensor cores, with every step of the paper's ablation (table IV).
 * The ablation starts from BerryBees (berrybees.cu).
 *
 *   blest-a     section 3: a queue of the frontier's virtual slice sets, one warp per VSS, one kernel for all
 *               levels
 *   blest-ab    section 5.1: the optimal layout, 2 multiplications for 128 slices
 *   blest-abc   section 4: on the reordered graph; the harness reorders it
 *   blest-abcd  section 5.2: lazy vertex updates if the update divergence is above 25,000
 *   blest       section 5.3: with lazy updates, bottom-up levels on CUDA cores while unvisited < eta * |Q|
 *
 * A level pulls: it processes each slice set that has frontier vertices among its columns. To test whether a row has
 * one of them as an in-neighbour, it multiplies the row's mask by the set's SIGMA bits of the frontier
 * (../../graph/bvss.h).
 *
 * The paper has three grid barriers per level; here there is one, or two with lazy updates. mode=paper follows the
 * paper and its authors' code: three barriers, no padding of scale-free graphs, and the authors' test for such
 * graphs. docs/blest.md has a table of the steps and their files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utility>

#include "../../../src/graph/tail.h"
#include "../../graph/parents.cuh"
#include "../../graph/transpose.h"
#include "../engines.h"
#include "blest.h"
#include "eager.cuh"
#include "lazy.cuh"
#include "paper.cuh"

namespace BACKEND::blest
{

#define LAZY_ABOVE       25000 /* update divergence above which updates are lazy, section 7.1 */
#define ETA              10    /* section 5.3 */
#define TRIALS_OF_CHOICE 3u    /* timed pairs of searches, with and without switching; section 7.1 */

/* What a variant adds to the previous one. */
struct features {
    enum layout layout; /* layout on tensor cores */
    bool lazy, switches;
};
static constexpr struct features variant_a = {LAYOUT_BERRYBEES, false, false},
                                 variant_ab = {LAYOUT_OPTIMAL, false, false},
                                 variant_abcd = {LAYOUT_OPTIMAL, true, false},
                                 variant_full = {LAYOUT_OPTIMAL, true, true};

enum { BLOCK_SIZE, BLOCKS_PER_SM, MODE, UNIT, LAZY_FROM, ETA_OPTION, SWITCH_OPTION, OFFSET_BITS };
enum { SWITCH_AUTO, SWITCH_ALWAYS, SWITCH_NEVER };
#define GRID_OPTIONS(blocks)                                                                                           \
    BLOCK_SIZE_OPTION(MOST_THREADS, MOST_THREADS), BLOCKS_PER_SM_OPTION(blocks),                                       \
        MODE_OPTION("algorithms 2, 3, 4; no padding of scale-free graphs, found by the authors' rule")
#define LAZY_OPTION                                                                                                    \
    NUMBER_OPTION("lazy-above", LAZY_ABOVE, 0, UINT32_MAX, "update divergence above which vertices are updated lazily")
static const struct option_spec a_options[] = {GRID_OPTIONS(EAGER_BLOCKS), {}};
static const struct option_spec eager_options[] = {GRID_OPTIONS(EAGER_BLOCKS), UNIT_OPTION, {}};
static const struct option_spec lazy_options[] = {GRID_OPTIONS(LAZY_BLOCKS), UNIT_OPTION, LAZY_OPTION, {}};
static const struct option_spec full_options[] = {
    GRID_OPTIONS(LAZY_BLOCKS),
    UNIT_OPTION,
    LAZY_OPTION,
    NUMBER_OPTION("eta", ETA, 0, UINT32_MAX, "bottom-up levels while unvisited vertices < eta * length of the queue"),
    CHOICE_OPTION("switch", SWITCH_AUTO, "auto|always|never",
                  "bottom-up levels; auto: with lazy updates, if faster in trials; always: with lazy updates at any "
                  "divergence"),
    OFFSET_BITS_OPTION,
    {},
};

struct state {
    const struct features *features;
    enum layout layout;        /* the variant's, or LAYOUT_BYTEWISE with unit=cuda */
    bool paper;                /* mode=paper */
    bool finds_parents;        /* from the levels, after a search of mode=paper */
    struct gpu_graph in_edges; /* for bottom-up levels and for finding parents */
    struct gpu_arena memory;   /* owns the BVSS and the arrays of the search */
    struct bvss bvss;
    struct search search;
    size_t num_words;
    bool lazy, switching;
    struct grid grid;
};

/* ---- preparing ---- */

static int build_bvss(struct run *run, struct gpu_graph *out_edges)
{
    struct state *state = (struct state *)run->state;
    struct bvss_form form = {.virtual_to_real = state->paper};
    if (state->paper)
        is_scale_free_like(run->graph, AUTHORS_MEAN_DEGREE, &form.unpadded, run->error);
    return gpu_time_build(run, [&] { bvss_build(out_edges, form, &state->memory, &state->bvss, run->error); });
}

static void allocate_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    size_t num_sets = state->bvss.num_sets, num_vss = state->bvss.num_vss, words = state->num_words;
    search->level = gpu_take<uint32_t>(memory, num_sets * SIGMA, "the levels", error);
    if (state->paper) {
        search->vss_queue = gpu_take<uint32_t>(memory, num_vss, "the queue of VSSs", error);
        search->next_vss_queue = gpu_take<uint32_t>(memory, num_vss, "the queue of VSSs", error);
    } else {
        search->queue = gpu_take<uint2>(memory, num_vss, "the queue of VSSs", error);
        search->next_queue = gpu_take<uint2>(memory, num_vss, "the queue of VSSs", error);
    }
    search->counts = gpu_take<uint64_t>(memory, NUM_COUNTS, "the counts", error);
    search->barrier = gpu_take_zeroed<struct grid_barrier>(memory, 1, "the barrier", error);
    if (state->lazy || state->paper)
        search->frontier = gpu_take<uint32_t>(memory, words, "the frontier", error);
    if (state->lazy != state->paper) /* algorithm 3 works in place; blest_kernel has no bitmaps */
        search->next_frontier = gpu_take<uint32_t>(memory, words, "the frontier", error);
    if (!state->lazy && !state->paper)
        search->queued = gpu_take<uint32_t>(memory, num_sets, "the queued levels", error);
    if (state->lazy) {
        search->visited = gpu_take<uint32_t>(memory, words, "the visited bitmap", error);
        search->marked = gpu_take<uint32_t>(memory, words, "the visited bitmap", error);
    }
    search->trace = gpu_take_trace(run, memory);
    if (run->outputs & OUTPUT_PARENT)
        search->parent = gpu_take<vertex_t>(memory, num_sets * SIGMA, "the parents", error);
}

typedef void (*eager_kernel_t)(struct bvss, struct search);

template <enum layout layout>
static eager_kernel_t eager_kernel_of(const struct state *state)
{
    return state->paper                   ? paper_eager_kernel<layout>
           : state->search.parent != NULL ? blest_kernel<layout, true>
                                          : blest_kernel<layout, false>;
}

static eager_kernel_t eager_kernel(const struct state *state)
{
    switch (state->layout) {
    case LAYOUT_BERRYBEES:
        return eager_kernel_of<LAYOUT_BERRYBEES>(state);
    case LAYOUT_OPTIMAL:
        return eager_kernel_of<LAYOUT_OPTIMAL>(state);
    default:
        return eager_kernel_of<LAYOUT_BYTEWISE>(state);
    }
}

template <typename offset_t>
using lazy_kernel_t = void (*)(csr<offset_t>, struct bvss, struct search, uint32_t);

template <enum layout layout, typename offset_t>
static lazy_kernel_t<offset_t> lazy_kernel_of(const struct state *state)
{
    return state->paper                   ? paper_lazy_kernel<layout, offset_t>
           : state->search.parent != NULL ? blest_lazy_kernel<layout, true, offset_t>
                                          : blest_lazy_kernel<layout, false, offset_t>;
}

template <typename offset_t>
static lazy_kernel_t<offset_t> lazy_kernel(const struct state *state)
{
    return state->layout == LAYOUT_OPTIMAL ? lazy_kernel_of<LAYOUT_OPTIMAL, offset_t>(state)
                                           : lazy_kernel_of<LAYOUT_BYTEWISE, offset_t>(state);
}

/* Returns the kernel for which the grid is planned. */
static const void *main_kernel(const struct state *state)
{
    if (!state->lazy)
        return (const void *)eager_kernel(state);
    return with_width(state->in_edges.wide,
                      [&]<typename offset_t>() { return (const void *)lazy_kernel<offset_t>(state); });
}

static void choose_switching(struct run *run);

static void describe(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const struct bvss *bvss = &state->bvss;
    const char *updates = !state->features->lazy ? "" : state->lazy ? ", lazy" : ", eager";
    const char *switching = !state->features->switches ? "" : state->switching ? ", switching" : ", not switching";
    bvss_describe(bvss, run);
    run_add_number(run, "update_divergence", bvss->update_divergence);
    run_add_number(run, "authors_divergence", bvss->authors_divergence);
    if (state->features->lazy)
        run_add_word(run, "updates", state->lazy ? "lazy" : "eager");
    if (state->features->switches)
        run_add_number(run, "switching", state->switching);
    size_t length = strlen(run->note);
    snprintf(run->note + length, sizeof run->note - length, ", update divergence %.0f%s%s", bvss->update_divergence,
             updates, switching);
}

template <const struct features *features>
static int prepare_variant(struct run *run, struct gpu_graph *graph)
{
    struct error *error = run->error;
    struct state *state = (struct state *)run->state;
    unsigned threads = gpu_block_size(run->options[BLOCK_SIZE], error);
    state->features = features;
    state->paper = (int)run->options[MODE] == MODE_PAPER;
    bool on_cuda_cores = features->layout == LAYOUT_OPTIMAL && (int)run->options[UNIT] == UNIT_CUDA;
    state->layout = on_cuda_cores ? LAYOUT_BYTEWISE : features->layout;
    state->num_words = bitmap_words(run->graph->num_vertices);
    if (build_bvss(run, graph) != STATUS_OK)
        return error->status;
    int choice = features->switches ? (int)run->options[SWITCH_OPTION] : SWITCH_NEVER;
    state->lazy =
        features->lazy && (choice == SWITCH_ALWAYS || state->bvss.update_divergence > run->options[LAZY_FROM]);
    state->switching = state->lazy && choice != SWITCH_NEVER;
    state->finds_parents = state->paper && run->outputs & OUTPUT_PARENT;
    bool needs_in_edges = state->switching || state->finds_parents;
    if (needs_in_edges && run->graph->symmetric)
        state->in_edges = std::exchange(*graph, {});
    else if (needs_in_edges)
        gpu_transpose(graph, &state->in_edges, error);
    gpu_graph_free(graph);
    allocate_search(run);
    gpu_plan_grid(main_kernel(state), threads, (unsigned)run->options[BLOCKS_PER_SM], sizeof(struct shared),
                  &state->grid, error);
    if (error->status == STATUS_OK && state->switching && choice == SWITCH_AUTO)
        choose_switching(run);
    if (!state->switching && !state->finds_parents)
        gpu_graph_free(&state->in_edges);
    describe(run);
    return error->status;
}

int prepare(struct run *run, struct gpu_graph *graph)
{
    return prepare_variant<&variant_full>(run, graph);
}

/* ---- traversing ---- */

/* Adds the source to the first frontier and the VSSs of its set to the first queue. One warp runs it. */
__global__ void seed_frontier(struct bvss bvss, struct search search, vertex_t source)
{
    uint32_t set = source / SIGMA, first = bvss.real_ptrs[set], size = bvss.real_ptrs[set + 1] - first;
    uint32_t word = source / WARP_SIZE, bit = 1u << source % WARP_SIZE;
    for (uint32_t i = lane_id(); i < size; i += WARP_SIZE)
        if (search.vss_queue != NULL)
            search.vss_queue[i] = first + i;
        else
            search.queue[i] = make_uint2(first + i, set);
    if (lane_id() != 0)
        return;
    search.level[source] = 0;
    if (search.parent != NULL)
        search.parent[source] = source;
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
    size_t num_sets = state->bvss.num_sets;
    gpu_fill(search->level, 0xff, num_sets * SIGMA, run->error);  /* UNREACHED */
    gpu_fill(search->parent, 0xff, num_sets * SIGMA, run->error); /* NO_VERTEX */
    for (uint32_t *bitmap : {search->frontier, search->next_frontier, search->visited, search->marked})
        gpu_clear(bitmap, state->num_words, run->error);
    gpu_clear(search->queued, num_sets, run->error);
    gpu_clear(search->counts, NUM_COUNTS, run->error);
    gpu_clear(&search->barrier->arrived, 1, run->error); /* clears `arrived`; `broken` stays */
    return gpu_launch(seed_frontier, {1, WARP_SIZE}, 0, run->error, state->bvss, *search, source);
}

static int launch_lazy(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    uint32_t eta = state->switching ? (uint32_t)run->options[ETA_OPTION] : 0;
    return with_offsets(&state->in_edges, [&]<typename offset_t>(csr<offset_t> in_edges) {
        return gpu_launch_persistent(lazy_kernel<offset_t>(state), state->grid, sizeof(struct shared), run->error,
                                     in_edges, state->bvss, state->search, eta);
    });
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
    const struct state *state = (const struct state *)run->state;
    reset(run, query->sources[0]);
    run_kernel_begin(run);
    launch_blest(run);
    if (state->finds_parents)
        with_offsets(&state->in_edges, [&]<typename offset_t>(csr<offset_t> in_edges) {
            launch_parents(in_edges, state->search.level, state->search.parent, query->sources[0], run->error);
        });
    return run_kernel_end(run);
}

/* Returns the kernel time of a search from the source, with or without bottom-up levels. */
static double time_run(struct run *run, vertex_t source, bool switching)
{
    struct device *device = run->device;
    struct query query = {&source, 1};
    double time_ms, kernel_ms;
    ((struct state *)run->state)->switching = switching;
    device->mark(device, MARK_BEGIN);
    traverse_blest(run, &query);
    device->mark(device, MARK_END);
    device->elapsed(device, &time_ms, &kernel_ms, run->error);
    return kernel_ms;
}

/* Decides on bottom-up levels (section 7.1): keeps them only if TRIALS_OF_CHOICE searches take less time with them
 * than without. The sources are random vertices with out-edges, which exist since the update divergence is above 0.
 * One more pair of searches only warms up. */
static void choose_switching(struct run *run)
{
    double total_ms[2] = {0, 0};
    uint64_t random = 0;
    for (unsigned trial = 0; trial <= TRIALS_OF_CHOICE; trial++) {
        vertex_t source;
        do {
            random = random * 6364136223846793005ull + 1442695040888963407ull;
            source = (vertex_t)((random >> 32) % run->graph->num_vertices);
        } while (graph_degree(run->graph, source) == 0);
        for (int switching = 0; switching < 2; switching++) {
            double ms = time_run(run, source, switching);
            total_ms[switching] += trial > 0 ? ms : 0;
        }
    }
    ((struct state *)run->state)->switching = total_ms[1] < total_ms[0];
}

/* ---- results ---- */

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    gpu_check_barrier(state->search.barrier, "bfs blest", run->error);
    gpu_fetch(result->level, state->search.level, run->graph->num_vertices, run->error);
    gpu_fetch(result->parent, state->search.parent, run->graph->num_vertices, run->error);
    return gpu_fetch_trace(run, state->search.trace, NULL, result);
}

/* ---- a part of other algorithms ---- */

int single_prepare(struct run *run, double mode)
{
    for (int i = 0; full_options[i].name != NULL; i++)
        run->options[i] = full_options[i].default_value;
    run->options[MODE] = mode;
    const struct algorithm *algorithm = &BACKEND_NAME(bfs_blest);
    return run_begin(algorithm, run) == STATUS_OK ? algorithm->prepare(run) : run->error->status;
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
    reset(run, source);
    launch_blest(run);
    search->level = own;
    return run->error->status;
}

int single_check(struct run *run)
{
    return gpu_check_barrier(((const struct state *)run->state)->search.barrier, "bfs blest", run->error);
}

#define BLEST(its_variant, its_title, section, its_options, its_reorder, its_reorder_by, ...)                          \
    {                                                                                                                  \
        .family = "bfs", .variant = its_variant, .title = "Blest, " its_title,                                         \
        .citation = "Elbek and Kaya 2026, " section, .device = DEVICE_GPU, .outputs = OUTPUT_LEVEL,                    \
        .on_request = OUTPUT_PARENT, .options = its_options, .reorder = its_reorder,                                   \
        .state_bytes = sizeof(struct state), .prepare = __VA_ARGS__, .traverse = traverse_blest, .fetch = fetch,       \
        .release = release_state<struct state, &state::memory, &state::in_edges>, .profiled = true,                    \
        .reorder_by = its_reorder_by                                                                                   \
    }

GPU_ALGORITHM(bfs_blest) = BLEST("blest", "full: lazy updates and switching", "5.3", full_options, REORDER,
                                 reorder_by<MODE>, uploaded<prepare, OFFSET_BITS>);
GPU_ALGORITHM(bfs_blest_abcd) = BLEST("blest-abcd", "ABC + lazy vertex updates", "5.2", lazy_options, REORDER,
                                      reorder_by<MODE>, uploaded<prepare_variant<&variant_abcd>>);
GPU_ALGORITHM(bfs_blest_abc) = BLEST("blest-abc", "AB + reordering", "4", eager_options, REORDER, reorder_by<MODE>,
                                     uploaded<prepare_variant<&variant_ab>>);
GPU_ALGORITHM(bfs_blest_ab) = BLEST("blest-ab", "A + optimal tensor core layout", "5.1", eager_options, NULL, NULL,
                                    uploaded<prepare_variant<&variant_ab>>);
GPU_ALGORITHM(bfs_blest_a) = BLEST("blest-a", "BVSS + one fused kernel", "3", a_options, NULL, NULL,
                                   uploaded<prepare_variant<&variant_a>>);

} // namespace BACKEND::blest
