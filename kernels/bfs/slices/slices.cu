/* slices.cu: `bfs slices`, a direction-optimising BFS (Beamer et al., SC 2012) over neighbour slices, for real
 * scale-free graphs: web, social and history graphs. It returns levels and, on request, parents.
 *
 * A slice is one word for up to eight neighbours (state.cuh). One persistent kernel runs a whole search. Each turn of
 * its loop runs one or several levels in the way that costs least (kernel.cuh):
 *
 *   frontier                        kind of level                                                   file
 *   up to 256 vertices              block 0 alone, top-down; up to 8 vertices: one warp         listed.cuh
 *   up to 8,192 vertices            all blocks, top-down; they send vertices to each other   exchange.cuh
 *   more                            the grid, top-down: marks neighbours in a bitmap                top_down.cuh
 *   a large share of the slices     the grid, bottom-up: looks for visited in-neighbours            bottom_up.cuh
 *
 * Other files: build.cuh orders the vertices and builds the slices; prepare.cuh is its host side; host_state.cuh
 * has the thresholds, and policies (sets of thresholds) that are timed to choose one. This file allocates and
 * launches. */
#include "../engines.h"

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <utility>

#include "../../graph/transpose.h"
#include "prepare.cuh"

namespace BACKEND::slices
{

/* ---- preparing ---- */

/* Plans the grid and divides shared memory: the window gets the space that the block's own words leave. num_words:
 * words of a bitmap. Must precede ordering, which needs the window's size. */
static int plan_launch(struct run *run, uint32_t num_words)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    size_t limit, fixed;
    gpu_shared_limit(&limit, run->error);
    gpu_plan_grid((const void *)kernel_of(run, true), BLOCK_THREADS, 1, sizeof(struct shared), &state->grid,
                  run->error);
    if (run->error->status != STATUS_OK)
        return run->error->status;
    const uint32_t blocks = std::min(state->grid.blocks, MOST_SUMMING_BLOCKS);
    rules->words_a_block = (num_words + blocks - 1) / blocks;
    fixed = sizeof(struct shared) + (rules->words_a_block + 3) / 4 * 4 * sizeof(uint32_t);
    if (fixed > limit)
        return error_set(run->error, STATUS_DEVICE,
                         "GPU: too little shared memory: for %u vertices on %u multiprocessors, a block of bfs slices "
                         "needs %zu bytes, there are %zu; use bfs dobfs",
                         run->graph->num_vertices, blocks, fixed, limit);
    uint32_t room = (uint32_t)((limit - fixed) / sizeof(uint4) * 4), wanted = (num_words + 3) / 4 * 4;
    rules->window_words = std::min(std::min(room, wanted), thresholds_of(run)->window / WARP_SIZE / 4 * 4);
    state->full = rules->window_words >= num_words;
    state->prepared.spread = state->full;
    state->shared_bytes = fixed + rules->window_words * sizeof(uint32_t);
    gpu_plan_grid((const void *)kernel_of(run, state->full), BLOCK_THREADS, 1, state->shared_bytes, &state->grid,
                  run->error);
    state->grid.blocks = blocks;
    return run->error->status;
}

static void set_rules(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    const struct thresholds *given = thresholds_of(run);
    uint64_t slices = state->prepared.num_slices;
    rules->high_degree_groups = given->high_degree_groups;
    rules->list_vertices = given->list_vertices;
    rules->most_pieces = given->pieces;
    rules->single_block_vertices = std::min(given->single_block_vertices, rules->list_vertices);
    /* A block's list must hold the vertices that it receives in a level: at most vertices / blocks + blocks. */
    bool spreads = rules->list_vertices / 2 >= state->grid.blocks;
    rules->exchange_vertices = std::min(given->exchange_vertices,
                                        spreads ? rules->list_vertices / 2 * state->grid.blocks : rules->list_vertices);
    rules->bulk_slices = given->bulk_slices;
    rules->mean_slices = (uint32_t)(slices / (state->prepared.num_ids + 1)) + 1;
    while (slices >> rules->sum_shift >= 1ull << (SUM_SLICE_BITS - 1))
        rules->sum_shift++;
    rules->num_slices = (uint32_t)(slices >> rules->sum_shift);
    rules->few_slices = rules->words_a_block > BLOCK_WARPS ? FEW_SLICES >> rules->sum_shift : 0;
}

static void allocate_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    const size_t n = run->graph->num_vertices, blocks = state->grid.blocks;
    const size_t words = (state->rules.words_a_block * blocks + 3) / 4 * 4;
    /* a listed level may leave any vertex with groups to the grid, so there is room for all of them */
    const size_t high_degree = state->prepared.num_slices / HEAD_SLICES / state->rules.high_degree_groups + GRID_LIST;
    search->next = gpu_take_zeroed<uint32_t>(memory, words, "the bitmaps", error);
    for (struct arrays *arrays : {&search->now, &search->later}) {
        for (uint32_t **bitmap : {&arrays->visited, &arrays->marks[0], &arrays->marks[1], &arrays->resumed})
            *bitmap = gpu_take_zeroed<uint32_t>(memory, words, "the bitmaps", error);
        arrays->level = gpu_take<uint32_t>(memory, (n + 3) / 4 * 4, "the levels", error);
    }
    search->list = gpu_take<uint32_t>(memory, GRID_LIST, "the lists", error);
    search->num_listed = gpu_take_zeroed<uint32_t>(memory, NUM_COUNTS, "the lists", error);
    search->num_high_degree = gpu_take_zeroed<uint32_t>(memory, NUM_COUNTS, "the lists", error);
    search->high_degree = gpu_take<struct high_degree_vertex>(memory, high_degree, "the lists", error);
    search->elapsed_ns = gpu_take<uint64_t>(memory, 1, "the lists", error);
    search->barrier = gpu_take_zeroed<struct summing_barrier>(memory, 1, "the barrier", error);
    search->mailboxes = take_mailboxes(memory, blocks, error);
    search->overflow = gpu_take<uint32_t>(memory, 2 * blocks * LIST_VERTICES, "the mailboxes", error);
    search->trace = gpu_take_trace(run, memory);
    if (run->outputs & OUTPUT_PARENT) {
        search->high_degree_ids = gpu_take<uint32_t>(memory, high_degree, "the lists", error);
        search->parent = gpu_take<uint32_t>(memory, words * WARP_SIZE, "the parents", error);
        state->parent = gpu_take<vertex_t>(memory, n, "the parents", error);
    }
}

/* Prepares everything on the device, and runs the first searches. */
template <typename offset_t>
static int build(struct run *run, const struct gpu_graph *out, const struct gpu_graph *in)
{
    struct state *state = (struct state *)run->state;
    struct prepared_graph *graph = &state->prepared;
    const vertex_t n = run->graph->num_vertices;
    const uint32_t most_words = bitmap_words(n);
    const struct policy *forced = thresholds_of(run)->policy;
    graph->num_vertices = n;
    graph->input_of = gpu_take<vertex_t>(&state->memory, (size_t)most_words * WARP_SIZE, "the vertices", run->error);
    graph->id_of = gpu_take<uint32_t>(&state->memory, n, "the vertices", run->error);
    plan_launch(run, most_words);
    build_slices(run, csr_of<offset_t>(out), csr_of<offset_t>(in), forced == NULL || forced->alpha > 0);
    if (run->error->status != STATUS_OK)
        return run->error->status;
    set_rules(run);
    allocate_search(run);
    gpu_launch(reset_first, gpu_wide_grid(n), 0, run->error, *graph, state->search.later,
               state->rules.words_a_block * state->grid.blocks);
    apply_policy(run, forced != NULL ? forced : &policies[0]);
    bool tries = forced == NULL && run->graph->num_edges >= PROBE_FROM_EDGES;
    return tries ? choose_policy(run) : run->error->status;
}

static void describe(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    char way[64] = "top-down only";
    if (state->rules.alpha > 0)
        snprintf(way, sizeof way, "bottom-up above 1/%u of the slices left", state->rules.alpha);
    snprintf(run->note, sizeof run->note, "%u vertices in %s order, %.2f edges per slice, %s%s",
             state->prepared.num_ids, state->hashed ? "hash" : "degree",
             (double)run->graph->num_edges /
                 (state->prepared.num_slices > 0 ? (double)state->prepared.num_slices : 1.0),
             way, state->policy != NULL ? ", by trials" : "");
}

int prepare(struct run *run, struct gpu_graph *graph)
{
    struct gpu_graph out = std::exchange(*graph, {}), transpose = {};
    struct gpu_graph *in = run->graph->symmetric ? &out : &transpose;
    gpu_time_build(run, [&] {
        if (!run->graph->symmetric)
            gpu_transpose(&out, &transpose, run->error);
        with_width(out.wide, [&]<typename offset_t>() { build<offset_t>(run, &out, in); });
    });
    if (run->error->status == STATUS_OK)
        describe(run);
    gpu_graph_free(&out);
    gpu_graph_free(&transpose);
    return run->error->status;
}

/* ---- traversing ---- */

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    run_kernel_begin(run);
    launch(run, query->sources[0]);
    if (state->parent != NULL)
        gpu_launch(gather_parents, gpu_wide_grid(run->graph->num_vertices), 0, run->error, state->prepared,
                   state->search, state->parent, query->sources[0]);
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    vertex_t n = run->graph->num_vertices;
    check_waits(run);
    gpu_fetch(result->level, state->search.now.level, n, run->error);
    gpu_fetch(result->parent, state->parent, n, run->error);
    return gpu_fetch_trace(run, state->search.trace, kind_words, result);
}

GPU_ALGORITHM(bfs_slices) = {
    .family = "bfs",
    .variant = "slices",
    .title = "neighbour slices, levels by messages or bitmaps",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .options = slices_options,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct state, &state::memory>,
    .profiled = true,
};

} // namespace BACKEND::slices
