/* prepare.cuh: the host side of build.cuh: orders the vertices and builds the slices on the device. */
#pragma once

#include <bit>

#include "host_state.cuh"

namespace BACKEND::slices
{

#define HASH_GAIN   1.07 /* least factor by which the order by hashes must raise the mean number of edges per slice */
#define FEW_EDGES   (1u << 22)
#define SAMPLE_FEW  16u /* up to FEW_EDGES edges, one vertex in 16 is in the sample */
#define SAMPLE_MANY 64u /* in larger graphs, one vertex in 64 is in the sample */

/* Arrays used while preparing. out, in: the graph and its transpose; equal if the graph is symmetric. */
template <typename offset_t>
struct build_scratch {
    csr<offset_t> out, in;
    edge_t num_edges;
    struct gpu_arena memory; /* freed after preparing */
    uint32_t *place_of, *flags;
    vertex_t *input_ids;
    uint64_t *keys, *other, *count;
    edge_t room; /* length of keys, other and flags */
    struct extents extents;
};

/* Orders the vertices and gives them ids in state->prepared. May be called again, with another order. */
template <typename offset_t>
static int order_vertices(struct run *run, build_scratch<offset_t> *scratch, bool hashed)
{
    struct state *state = (struct state *)run->state;
    struct prepared_graph *graph = &state->prepared;
    struct error *error = run->error;
    struct gpu_arena meanwhile = {};
    const vertex_t n = graph->num_vertices;
    const struct grid wide = gpu_wide_grid(n);
    uint32_t *classes = gpu_take<uint32_t>(&meanwhile, n, "the order", error);
    uint64_t *keys = gpu_take<uint64_t>(&meanwhile, n, "the order", error);
    uint64_t *other = gpu_take<uint64_t>(&meanwhile, n, "the order", error);
    uint32_t *num_ids = gpu_take_zeroed<uint32_t>(&meanwhile, 1, "the order", error);
    gpu_launch(make_order_keys<offset_t>, gpu_wide_grid((uint64_t)n * WARP_SIZE), 0, error, scratch->out, scratch->in,
               hashed, classes, keys, num_ids);
    gpu_download(&graph->num_ids, num_ids, 1, error);
    if (error->status == STATUS_OK && graph->num_ids > MOST_VERTICES)
        error_set(error, STATUS_INPUT, "%s: bfs slices takes at most %u vertices with neighbours; use bfs dobfs",
                  run->graph->name, MOST_VERTICES);
    graph->num_words = bitmap_words(graph->num_ids);
    if (hashed)
        gpu_sort(&keys, &other, n, 2 * WARP_SIZE, error);
    gpu_launch(rank_keys, wide, 0, error, n, classes, keys, scratch->input_ids);
    gpu_sort(&keys, &other, n, 2 * WARP_SIZE, error);
    gpu_fill((vertex_t *)graph->input_of, 0xff, (size_t)graph->num_words * WARP_SIZE, error);
    gpu_launch(number_vertices, wide, 0, error, *graph, keys, scratch->input_ids, (vertex_t *)graph->input_of,
               (uint32_t *)graph->id_of, scratch->place_of);
    gpu_wait("ordering the vertices", error);
    gpu_arena_free(&meanwhile);
    return error->status;
}

template <typename offset_t>
static struct part part_of(const struct state *state, const build_scratch<offset_t> *scratch, edge_t begin, edge_t end,
                           uint32_t sample)
{
    unsigned bits = (unsigned)std::bit_width(state->prepared.num_ids | 7u);
    return {begin, end, bits, state->prepared.id_of, scratch->place_of, sample};
}

static unsigned key_bits(const struct state *state, struct part part)
{
    return part.bits + (unsigned)std::bit_width(state->prepared.num_words * WARP_SIZE);
}

/* Returns the mean edges per slice in the current order, for a sample of vertices; 0 if the sample does not fit. */
template <typename offset_t>
static double sample_density(struct run *run, build_scratch<offset_t> *scratch)
{
    const struct state *state = (const struct state *)run->state;
    struct error *error = run->error;
    uint32_t sample = scratch->num_edges <= FEW_EDGES ? SAMPLE_FEW : SAMPLE_MANY, number = 0;
    struct part part = part_of(state, scratch, 0, scratch->num_edges, sample);
    uint64_t slices = 0;
    gpu_clear(scratch->count, 2, error);
    gpu_launch(make_edge_keys<offset_t>, gpu_wide_grid(), 0, error, scratch->out, part, scratch->keys, scratch->room,
               (uint32_t *)(scratch->count + 1));
    gpu_download(&number, (uint32_t *)(scratch->count + 1), 1, error);
    if (number > scratch->room)
        return 0;
    gpu_sort(&scratch->keys, &scratch->other, number, key_bits(state, part), error);
    gpu_launch(count_slices, gpu_wide_grid(number), 0, error, scratch->keys, number, scratch->count);
    gpu_download(&slices, scratch->count, 1, error);
    return slices > 0 ? (double)number / (double)slices : 0;
}

/* Orders the vertices by degree, or by hashes if a sample shows that this saves enough slices. */
template <typename offset_t>
static void choose_order(struct run *run, build_scratch<offset_t> *scratch)
{
    struct state *state = (struct state *)run->state;
    const enum order wanted = thresholds_of(run)->order;
    state->hashed = wanted == ORDER_HASH;
    if (order_vertices(run, scratch, state->hashed) != STATUS_OK || wanted != ORDER_BY_SAMPLE ||
        scratch->num_edges == 0)
        return;
    double plain = sample_density(run, scratch);
    if (order_vertices(run, scratch, true) != STATUS_OK)
        return;
    state->hashed = sample_density(run, scratch) > HASH_GAIN * plain;
    if (!state->hashed)
        order_vertices(run, scratch, false);
}

/* Sorts the keys of a part, and writes to scratch->flags how many slices begin before each key. */
template <typename offset_t>
static void sort_part(struct run *run, build_scratch<offset_t> *scratch, const csr<offset_t> &graph, struct part part)
{
    const edge_t number = part.end - part.begin;
    gpu_launch(make_edge_keys<offset_t>, gpu_wide_grid(number), 0, run->error, graph, part, scratch->keys,
               scratch->room, (uint32_t *)NULL);
    gpu_sort(&scratch->keys, &scratch->other, number, key_bits((const struct state *)run->state, part), run->error);
    gpu_launch(flag_slices, gpu_wide_grid(number), 0, run->error, scratch->keys, number, scratch->flags);
    gpu_exclusive_scan(scratch->flags, number, run->error);
}

/* Splits the edges into parts of whole vertices, each of at most scratch->room edges. Calls use(part) for each. */
template <typename offset_t>
static void for_each_part(struct run *run, build_scratch<offset_t> *scratch, const csr<offset_t> &graph, auto use)
{
    edge_t begin = 0, end = scratch->num_edges;
    for (; begin < scratch->num_edges && run->error->status == STATUS_OK; begin = end) {
        end = scratch->num_edges;
        if (end - begin > scratch->room) {
            gpu_launch(find_first_edge<offset_t>, {1, 1}, 0, run->error, graph, begin + scratch->room,
                       (edge_t *)scratch->count);
            gpu_download(&end, (edge_t *)scratch->count, 1, run->error);
        }
        use(part_of((const struct state *)run->state, scratch, begin, end, 1));
    }
}

/* Builds the slices of a graph in the current order. Adds their number to *num_slices. */
template <typename offset_t>
static void build_neighbours(struct run *run, build_scratch<offset_t> *scratch, const csr<offset_t> &graph,
                             struct neighbours *vertices, uint64_t *num_slices)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    struct gpu_arena meanwhile = {};
    const uint32_t num_ids = state->prepared.num_words * WARP_SIZE;
    const struct grid wide = gpu_wide_grid(num_ids);
    const bool whole = scratch->num_edges <= scratch->room;
    uint64_t *first_group = gpu_take<uint64_t>(&meanwhile, (size_t)num_ids + 1, "the slices", error), num_groups = 0;
    uint4 *heads = gpu_take_zeroed<uint4>(&state->memory, num_ids, "the slices", error), *groups;
    gpu_clear(scratch->extents.first, num_ids, error);
    gpu_clear(scratch->extents.beyond, num_ids, error);
    for_each_part(run, scratch, graph, [&](struct part part) {
        sort_part(run, scratch, graph, part);
        gpu_launch(measure_vertices, gpu_wide_grid(part.end - part.begin), 0, error, scratch->keys,
                   part.end - part.begin, part.bits, scratch->flags, scratch->extents);
    });
    gpu_clear(scratch->count, 1, error);
    gpu_launch(measure_groups, wide, 0, error, scratch->extents, num_ids, first_group, scratch->count);
    gpu_download(num_slices, scratch->count, 1, error);
    gpu_exclusive_scan(first_group, (size_t)num_ids + 1, error);
    gpu_download(&num_groups, first_group + num_ids, 1, error);
    if (error->status == STATUS_OK && num_groups > MOST_GROUPS)
        error_set(error, STATUS_INPUT,
                  "%s: bfs slices would need more than %llu MB for the slices beyond the heads; use bfs dobfs",
                  run->graph->name, MOST_GROUPS * sizeof(uint4) >> 20);
    groups = gpu_take_zeroed<uint4>(&state->memory, num_groups + 1, "the slices", error);
    gpu_launch(fill_heads, wide, 0, error, first_group, num_ids, (uint32_t *)heads);
    for_each_part(run, scratch, graph, [&](struct part part) {
        if (!whole)
            sort_part(run, scratch, graph, part);
        gpu_launch(fill_slices, gpu_wide_grid(part.end - part.begin), 0, error, state->prepared, scratch->keys,
                   part.end - part.begin, part.bits, scratch->flags,
                   {scratch->extents, first_group, (uint32_t *)heads, (uint32_t *)groups});
    });
    gpu_wait("building the slices", error);
    gpu_arena_free(&meanwhile);
    *vertices = {heads, groups};
}

/* Raises *most to the highest degree. */
template <typename offset_t>
__global__ void find_largest(csr<offset_t> graph, uint64_t *most)
{
    uint64_t largest = 0;
    for (uint64_t v = thread_of_grid(); v < graph.num_vertices; v += threads_of_grid())
        largest = max(largest, (uint64_t)(graph.offsets[v + 1] - graph.offsets[v]));
    if (largest > 0)
        atomicMax((unsigned long long *)most, (unsigned long long)largest);
}

/* Allocates the arrays used while preparing. keys has room for `part` edges, and at least for the highest degree. */
template <typename offset_t>
static void open_scratch(struct run *run, build_scratch<offset_t> *scratch, edge_t part)
{
    struct error *error = run->error;
    struct gpu_arena *memory = &scratch->memory;
    const size_t n = run->graph->num_vertices, vertices = bitmap_words((uint32_t)n) * (size_t)WARP_SIZE;
    uint64_t largest = 0;
    scratch->count = gpu_take<uint64_t>(memory, 2, "the slices", error);
    gpu_clear(scratch->count, 1, error);
    gpu_launch(find_largest<offset_t>, gpu_wide_grid(n), 0, error, scratch->out, scratch->count);
    gpu_launch(find_largest<offset_t>, gpu_wide_grid(n), 0, error, scratch->in, scratch->count);
    gpu_download(&largest, scratch->count, 1, error);
    scratch->room = scratch->num_edges < part ? scratch->num_edges : part > largest ? part : largest;
    scratch->place_of = gpu_take<uint32_t>(memory, n, "the slices", error);
    scratch->input_ids = gpu_take<vertex_t>(memory, n, "the slices", error);
    scratch->extents.first = gpu_take<uint32_t>(memory, vertices, "the slices", error);
    scratch->extents.beyond = gpu_take<uint32_t>(memory, vertices, "the slices", error);
    scratch->keys = gpu_take<uint64_t>(memory, scratch->room, "the slices", error);
    scratch->other = gpu_take<uint64_t>(memory, scratch->room, "the slices", error);
    scratch->flags = gpu_take<uint32_t>(memory, scratch->room, "the slices", error);
}

/* Fills state->prepared, whose `spread` must be set. in: the transpose; equal to out if the graph is symmetric. */
template <typename offset_t>
static int build_slices(struct run *run, const csr<offset_t> &out, const csr<offset_t> &in, bool needs_in)
{
    struct state *state = (struct state *)run->state;
    struct prepared_graph *graph = &state->prepared;
    struct error *error = run->error;
    build_scratch<offset_t> scratch = {.out = out, .in = in, .num_edges = run->graph->num_edges};
    uint64_t in_slices;
    open_scratch(run, &scratch, thresholds_of(run)->part_edges);
    choose_order(run, &scratch);
    uint32_t *absent = gpu_take<uint32_t>(&state->memory, graph->num_words, "the vertices", error);
    gpu_launch(map_absent, gpu_wide_grid((uint64_t)graph->num_words * WARP_SIZE), 0, error, graph->input_of,
               graph->num_words, absent);
    graph->absent = absent;
    build_neighbours(run, &scratch, out, &graph->out, &graph->num_slices);
    graph->in = graph->out;
    if (in.offsets != out.offsets && needs_in)
        build_neighbours(run, &scratch, in, &graph->in, &in_slices);
    else if (in.offsets != out.offsets)
        graph->in = {};
    gpu_arena_free(&scratch.memory);
    return error->status;
}

} // namespace BACKEND::slices
