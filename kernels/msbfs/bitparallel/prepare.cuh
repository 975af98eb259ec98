/* prepare.cuh: relabels the graph by in-degree, high degrees first, if that pays off; pads the neighbour lists for
 * pulls; plans the memory, the searches and the grids. */
#pragma once

#include <bit>
#include <utility>

#include "../../graph/transpose.h"
#include "host.cuh"

namespace BACKEND::bitparallel
{

#define HEAVY_FACTOR 4.0 /* multiple of the mean degree */
#define HEAVY_SHARE  0.25

/* Returns the first id after the vertices of degree 2^power or more. */
static vertex_t end_of_power(const struct degree_order *order, unsigned power)
{
    return order->relabelled ? order->starts[CLASS_OF_POWER(power) + 1] : 0;
}

/* Returns whether the vertices with at least HEAVY_FACTOR times the mean degree have HEAVY_SHARE of the edges. Each
 * degree counts as the middle of its class. */
static bool is_heavy_tailed(const vertex_t starts[NUM_CLASSES])
{
    double edges = 0, heavy = 0, vertices = starts[ONLY_OUT];
    for (unsigned c = 0; c < ONLY_OUT; c++)
        edges += (starts[c + 1] - starts[c]) * 1.5 * (double)(1ull << (HIGHEST_POWER - c));
    for (unsigned c = 0; c < ONLY_OUT; c++) {
        double lowest = (double)(1ull << (HIGHEST_POWER - c));
        heavy += lowest * vertices >= HEAVY_FACTOR * edges ? (starts[c + 1] - starts[c]) * 1.5 * lowest : 0;
    }
    return edges > 0 && heavy >= HEAVY_SHARE * edges;
}

/* Returns whether to relabel: degrees are heavy-tailed, or there are high-degree vertices. A row with thousands of
 * edges delays all others unless it gets more lanes. */
static bool pays_off(const vertex_t starts[NUM_CLASSES], vertex_t)
{
    return starts[CLASS_OF_POWER(HIGH_DEGREE_POWER) + 1] > 0 || is_heavy_tailed(starts);
}

/* Prepares the graph of the state. Takes ownership of *graph, which is empty afterwards, even after an error. */
static void relabel(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    const struct relabelling_policy policy = {(enum relabelling)run->options[RELABEL], pays_off, false};
    state->symmetric = run->graph->symmetric;
    (state->symmetric ? state->in : state->out) = std::exchange(*graph, {});
    if (!state->symmetric)
        gpu_transpose(&state->out, &state->in, run->error);
    degree_order_find(&state->in, state->symmetric ? &state->in : &state->out, &policy, &state->memory, &state->order,
                      run->error);
    degree_order_apply(&state->order, LIST_ALIGNMENT, false, &state->in, run->error);
    if (!state->symmetric)
        degree_order_apply(&state->order, 1, state->in.wide, &state->out, run->error);
    state->num_high_degree = end_of_power(&state->order, HIGH_DEGREE_POWER);
    state->num_not_small = end_of_power(&state->order, MEDIUM_POWER);
}

#define FULL        32u     /* limit of blocks per multiprocessor that allows as many as fit */
#define PULL_WAVES  1u      /* waves of blocks in a pull's grid */
#define MARK_SORTED 3000000 /* mark_edges if rows are sorted by degree; MARK_PLAIN: if not */
#define MARK_PLAIN  16000000
#define LATE_DEGREE 8.0         /* assumed mean degree of vertices found late, if degrees are heavy-tailed */
#define LIST_SHARE  0.125       /* share of free memory that the list may take */
#define RANGE_BYTES (24u << 20) /* bytes of a plane per range of rows */

/* Plans as many planes as fit into memory. If not even two fit, halves the number of searches. */
static void plan_memory(struct run *run)
{
    struct state *state = (struct state *)run->state;
    const double keep_free = 0.97;
    double free_bytes = (double)gpu_memory_left(run->error);
    state->free_bytes = free_bytes;
    double n = state->in.num_vertices, rows = state->order.num_ids;
    while (state->rules.list_capacity > LEAST_PAIRS &&
           sizeof(uint4) * (double)state->rules.list_capacity > LIST_SHARE * free_bytes)
        state->rules.list_capacity /= 2;
    double room = keep_free * free_bytes - sizeof(uint4) * (double)state->rules.list_capacity;
    room -= n * sizeof(uint32_t) + (run->outputs & OUTPUT_FARNESS ? n * 2 * (sizeof(uint64_t) + sizeof(uint32_t)) : 0);
    room -= rows * MOST_RANGES * (double)offset_size(&state->in);
    bool has_levels = run->outputs & (OUTPUT_LEVEL | OUTPUT_LENGTH);
    for (;; state->num_words /= 2) {
        double left = room - (has_levels ? n * num_searches(state) : 0);
        double planes = left / (rows * state->num_words * sizeof(uint32_t) + 1);
        if (planes >= run->options[PLANES])
            state->rules.num_planes = (uint32_t)run->options[PLANES];
        else
            state->rules.num_planes = planes > LEAST_PLANES ? (uint32_t)planes : LEAST_PLANES;
        if (planes >= LEAST_PLANES || state->num_words == 1)
            return;
    }
}

/* Lists the parts of high-degree vertices in the order in which pulls process them. */
template <typename offset_t>
static void list_high_degree_parts(struct state *state, const offset_t *gpu_offsets, struct error *error)
{
    vertex_t num_high_degree = state->num_high_degree;
    offset_t *offsets;
    uint2 *parts;
    if (gpu_counting()) { /* at most so many parts */
        gpu_take<uint2>(&state->memory, num_high_degree + state->in.num_edges / HIGH_DEGREE_PART, "parts", error);
        return;
    }
    if (num_high_degree == 0 || allocate(&offsets, (size_t)num_high_degree + 1, sizeof *offsets,
                                         "the high-degree vertices", error) != STATUS_OK)
        return;
    gpu_download(offsets, gpu_offsets, (size_t)num_high_degree + 1, error);
    for (vertex_t vertex = 0; vertex < num_high_degree; vertex++)
        state->num_high_degree_parts +=
            (uint32_t)((offsets[vertex + 1] - offsets[vertex] + HIGH_DEGREE_PART - 1) / HIGH_DEGREE_PART);
    if (allocate(&parts, state->num_high_degree_parts, sizeof *parts, "the high-degree vertices", error) == STATUS_OK) {
        uint2 *part = parts;
        for (vertex_t vertex = 0; vertex < num_high_degree; vertex++)
            for (edge_t i = 0; i * HIGH_DEGREE_PART < (edge_t)(offsets[vertex + 1] - offsets[vertex]); i++)
                *part++ = {vertex, (uint32_t)i};
        state->high_degree_parts =
            gpu_take<uint2>(&state->memory, state->num_high_degree_parts, "the high-degree vertices", error);
        gpu_upload(state->high_degree_parts, parts, state->num_high_degree_parts, error);
    }
    free(parts);
    free(offsets);
}

/* Plans the ranges if rows are in input order. Rows in order of degree need none: the first rows are read most and
 * stay in L2. */
template <typename offset_t>
static void make_ranges(struct run *run, const csr<offset_t> &in)
{
    struct state *state = (struct state *)run->state;
    uint32_t wanted = (uint32_t)run->options[RANGES_OPTION];
    uint64_t rows = state->order.num_ids, row_bytes = state->num_words * sizeof(uint32_t);
    uint64_t per_range = wanted > 0 ? (rows + wanted - 1) / wanted : RANGE_BYTES / row_bytes;
    while (wanted == 0 && (rows + per_range - 1) / per_range > MOST_RANGES)
        per_range *= 2;
    uint64_t num_ranges = state->order.relabelled || rows == 0 ? 1 : (rows + per_range - 1) / per_range;
    state->rules.num_ranges = (uint32_t)num_ranges;
    if (num_ranges <= 1)
        return;
    offset_t *splits = gpu_take<offset_t>(&state->memory, (num_ranges - 1) * rows, "the blocks", run->error);
    gpu_launch(split_rows<offset_t>, gpu_wide_grid(rows), 0, run->error, in, (uint32_t)num_ranges, (vertex_t)per_range,
               splits);
    gpu_wait("the blocks", run->error);
    state->splits = splits;
}

/* Limits `edges` to the edges of the graph. Larger pushes do not pay off, since a pull reads no more edges. */
static uint32_t at_most_all(double edges, const struct gpu_graph *graph)
{
    return edges < (double)graph->num_edges ? (uint32_t)edges : (uint32_t)graph->num_edges;
}

static void set_rules(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    const struct gpu_graph *out = state->symmetric ? &state->in : &state->out;
    double mean_degree = (double)out->num_edges / (state->order.num_ids + 1.0);
    double mark = run->options[MARK_OPTION] >= 0 ? run->options[MARK_OPTION]
                  : state->order.relabelled      ? MARK_SORTED
                                                 : MARK_PLAIN;
    rules->filters = state->order.relabelled;
    rules->push_edges = at_most_all(run->options[PUSH_OPTION], out);
    rules->mark_edges = at_most_all(mark, out);
    double late_degree = state->order.relabelled ? LATE_DEGREE : mean_degree > 1 ? mean_degree : 1;
    rules->collect_pairs = (uint64_t)(rules->push_edges / late_degree);
}

static void allocate_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    size_t rows = state->order.num_ids, high_degree = state->num_high_degree, words = state->num_words;
    search->plane_words = rows * words;
    state->beginning = gpu_take<struct beginning>(memory, 1, "the control words", error);
    search->steps = gpu_take_zeroed<uint32_t>(memory, MOST_STEPS, "the control words", error);
    search->planes = gpu_take<uint32_t>(memory, state->rules.num_planes * search->plane_words, "the rows", error);
    search->filled = gpu_take<uint32_t>(memory, bitmap_words(state->order.num_ids), "the bitmap of rows", error);
    search->high_degree_found =
        gpu_take_zeroed<uint32_t>(memory, high_degree * words, "the high-degree vertices", error);
    search->high_degree_arrived = gpu_take_zeroed<uint32_t>(memory, high_degree, "the high-degree vertices", error);
    search->list = gpu_take<uint4>(memory, state->rules.list_capacity, "the list", error);
    state->trace = gpu_take_trace(run, memory);
    if (state->beginning != NULL) {
        search->control = &state->beginning->progress.control;
        search->barrier = &state->beginning->progress.barrier;
        search->counts = state->beginning->counts;
        search->sources = state->beginning->sources;
    }
}

static void allocate_results(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    size_t n = state->in.num_vertices, k = num_searches(state);
    if (run->outputs & (OUTPUT_LEVEL | OUTPUT_LENGTH)) {
        state->narrow = gpu_take<uint8_t>(memory, n * k, "the levels", error);
        state->picked = gpu_take<uint32_t>(memory, n, "the levels", error);
    }
    if (run->outputs & OUTPUT_FARNESS) {
        search->farness = gpu_take_zeroed<uint64_t>(memory, n, "the sums", error);
        search->farness_count = gpu_take_zeroed<uint32_t>(memory, n, "the sums", error);
    }
    if (run->outputs & OUTPUT_SUMS) {
        search->sums = gpu_take<struct source_sums>(memory, k, "the sums", error);
        search->plane_counts = gpu_take_zeroed<uint64_t>(memory, MOST_PLANES * k, "the sums", error);
    }
}

/* Plans grids of as many blocks as run at once. The sparse kernel gets one block per multiprocessor. */
static void plan_grids(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    const size_t shared_bytes = sizeof(struct pull_shared);
    with_kernels(state, [&](auto k) {
        gpu_plan_grid((const void *)k.sparse, SPARSE_THREADS, 1, sizeof(struct sparse_shared), &state->sparse_grid,
                      error);
        gpu_plan_grid((const void *)k.pull, PULL_THREADS, FULL, shared_bytes, &state->pull_grid, error);
        gpu_plan_grid((const void *)k.range, PULL_THREADS, FULL, shared_bytes, &state->range_grid, error);
        gpu_plan_grid((const void *)k.write, WRITE_THREADS, FULL, sizeof(struct shared_words), &state->write_grid,
                      error);
    });
    state->pull_grid.blocks *= PULL_WAVES;
}

static void describe(struct run *run, uint32_t wanted_words)
{
    const struct state *state = (const struct state *)run->state;
    char batch[96] = "", rows[96] = "rows as they are";
    if (state->num_words < wanted_words)
        snprintf(batch, sizeof batch, "; batches of %u, not %u: %.1f MB are free", num_searches(state),
                 wanted_words * WARP_SIZE, 1e-6 * state->free_bytes);
    if (state->order.relabelled)
        snprintf(rows, sizeof rows, "%u rows by degree, high degrees first", state->order.num_ids);
    else if (state->rules.num_ranges > 1)
        snprintf(rows, sizeof rows, "rows as they are, pulled in %u blocks", state->rules.num_ranges);
    snprintf(run->note, sizeof run->note, "%u sources at once, %u planes of %.1f MB, %s, prepared in %.2f ms%s",
             num_searches(state), state->rules.num_planes, 1e-6 * (double)state->search.plane_words * sizeof(uint32_t),
             rows, run->build_ms, batch);
}

/* Prepares everything on the device. Takes ownership of *graph, like relabel(). */
static void build(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    relabel(run, graph);
    uint64_t most = (uint64_t)state->in.num_vertices * num_searches(state);
    uint64_t pairs = (uint64_t)run->options[LIST_OPTION];
    most = most > num_searches(state) ? most : num_searches(state);
    state->rules.list_capacity = std::bit_ceil(pairs < most ? pairs : most);
    plan_memory(run);
    set_rules(run);
    with_offsets(&state->in, [&]<typename offset_t>(csr<offset_t> in) {
        list_high_degree_parts<offset_t>(state, in.offsets, run->error);
        make_ranges(run, in);
    });
    allocate_search(run);
    allocate_results(run);
    plan_grids(run);
}

} // namespace BACKEND::bitparallel
