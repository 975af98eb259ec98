/* host_state.cuh: the options, the state of a run on the host, and the launch of the kernel that suits it. */
#pragma once

#include "../../graph/degree_order.h"
#include "kernel.cuh"

namespace BACKEND::dobfs
{

#define MOST_SINGLE_BLOCK_EDGES 4096
#define MOST_WINDOW             (1u << 22) /* vertices; more than the bits of any GPU's shared memory */

enum { PREPARE, RELABEL, DIRECTION, MARK_ABOVE, SINGLE_BLOCK, STEPS, WINDOW, LEVELS, OFFSET_BITS, ID_BITS };
static const struct option_spec dobfs_options[] = {
    NUMBER_OPTION("prepare", 1, 0, 1, "0: neither relabel vertices nor pack neighbours, which suits a single source"),
    CHOICE_OPTION("relabel", RELABEL_AUTO, "auto|0|1",
                  "number vertices by degree class, high degrees first; auto: if degrees are heavy-tailed"),
    CHOICE_OPTION("direction", DIRECTION_AUTO, "auto|top-down|bottom-up|alternating",
                  "direction of the levels; auto: the cheaper one"),
    NUMBER_OPTION("mark-above", 200000, 0, 1 << 30,
                  "a top-down level with more edges (and more than 1/32 of the vertices; 0: any) only marks; "
                  "bottom-up follows"),
    NUMBER_OPTION("single-block-edges", 2048, 0, MOST_SINGLE_BLOCK_EDGES,
                  "the most edges of a level that a single block runs; 0: none"),
    NUMBER_OPTION("high-degree-steps", 8, 1, 1 << 20,
                  "steps of 128 neighbours that a warp takes alone in a bottom-up level; all warps share the rest of "
                  "high-degree vertices"),
    NUMBER_OPTION("window", MOST_WINDOW, 0, MOST_WINDOW,
                  "vertices whose visited bits bottom-up levels keep in shared memory, at most as many as fit",
                  .for_tests = true),
    NUMBER_OPTION("byte-levels", MATERIALISED, 1, MATERIALISED,
                  "number of levels kept in bytes before they are written to the result", .for_tests = true),
    OFFSET_BITS_OPTION,
    CHOICE_OPTION("id-bits", 0, "auto|32", "width of packed neighbours: 25 if the graph allows it, or always 32",
                  .for_tests = true),
    {},
};

/* The device memory behind prepared_graph and search; state.cuh has the sizes. Offsets are as wide as the graph's. */
struct state {
    struct gpu_graph out, in; /* by id; in is empty if the graph is symmetric, or if there are no bottom-up levels */
    bool symmetric, bottom_up, packs;
    struct gpu_arena memory; /* of the order and of all arrays below */
    struct degree_order order;
    uint32_t num_words;
    uint4 *packed_first, *packed_rest;
    uint32_t *giant, outside_giant;
    struct search search;
    struct rules rules;
    const struct policy *policy; /* the fastest one; NULL: policies were not measured */
    struct grid grid;
    size_t shared_bytes;
};

template <typename offset_t>
static prepared_graph<offset_t> graph_of(const struct state *state)
{
    const struct gpu_graph *in = state->symmetric ? &state->out : &state->in;
    prepared_graph<offset_t> graph = {.num_vertices = state->out.num_vertices,
                                      .num_ids = state->order.num_ids,
                                      .num_words = state->num_words,
                                      .num_edges = state->out.num_edges,
                                      .out = csr_of<offset_t>(&state->out),
                                      .in = csr_of<offset_t>(in),
                                      .packed_first = state->packed_first,
                                      .packed_rest = state->packed_rest,
                                      .id_of = state->order.id_of,
                                      .input_of = state->order.input_of,
                                      .giant = state->giant,
                                      .outside_giant = state->outside_giant};
    if (!state->bottom_up)
        graph.in.targets = NULL;
    return graph;
}

/* Whether packed neighbours take 25 bits; else they take 32. */
static bool packs_25_bits(const struct run *run)
{
    return run->options[ID_BITS] == 0 && ((const struct state *)run->state)->order.num_ids <= five_ids::none;
}

/* Allocates and fills state->packed_first and state->packed_rest, once the window is known. */
template <typename offset_t>
static int pack_neighbours(struct run *run)
{
    struct state *state = (struct state *)run->state;
    size_t padded = (size_t)state->num_words * WARP_SIZE;
    state->packed_first = gpu_take<uint4>(&state->memory, padded, "the first neighbours", run->error);
    state->packed_rest =
        gpu_take<uint4>(&state->memory, (NUM_PACKED_WORDS - 1) * padded, "the next neighbours", run->error);
    return gpu_launch(packs_25_bits(run) ? pack_first_neighbours<five_ids, offset_t>
                                         : pack_first_neighbours<four_ids, offset_t>,
                      gpu_wide_grid(padded), 0, run->error, graph_of<offset_t>(state),
                      state->rules.window_words * WARP_SIZE, state->packed_first, state->packed_rest);
}

/* The instantiation of the kernel that suits the graph and the results asked for. */
template <typename offset_t>
static void (*kernel_of(const struct run *run))(prepared_graph<offset_t>, struct search, struct rules, vertex_t)
{
    const bool parents = run->outputs & OUTPUT_PARENT;
    if (!((const struct state *)run->state)->packs)
        return parents ? dobfs_kernel<no_ids, true, offset_t> : dobfs_kernel<no_ids, false, offset_t>;
    if (packs_25_bits(run))
        return parents ? dobfs_kernel<five_ids, true, offset_t> : dobfs_kernel<five_ids, false, offset_t>;
    return parents ? dobfs_kernel<four_ids, true, offset_t> : dobfs_kernel<four_ids, false, offset_t>;
}

/* Starts a search from an input id, without waiting for it. */
template <typename offset_t>
static int launch(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    return gpu_launch_persistent(kernel_of<offset_t>(run), state->grid, state->shared_bytes, run->error,
                                 graph_of<offset_t>(state), state->search, state->rules, source);
}

} // namespace BACKEND::dobfs
