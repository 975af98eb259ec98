/* host_state.cuh: the options, the state of a run on the host, and the views of it that kernels get. */
#pragma once

#include "../../graph/degree_order.h"
#include "state.cuh"

namespace BACKEND::dobfs
{

#define HIGH_DEGREE_STEPS       8
#define MOST_STEPS              (1 << 20)
#define MARK_ABOVE              200000
#define SINGLE_BLOCK_EDGES      2048
#define MOST_SINGLE_BLOCK_EDGES 4096
#define MOST_WINDOW             (1u << 22) /* vertices; more than the bits of any GPU's shared memory */

enum {
    PREPARE,
    RELABEL,
    DIRECTION,
    MARK_ABOVE_OPTION,
    SINGLE_BLOCK_OPTION,
    STEPS_OPTION,
    WINDOW_OPTION,
    LEVELS_OPTION,
    OFFSET_BITS,
    ID_BITS
};
static const struct option_spec dobfs_options[] = {
    NUMBER_OPTION("prepare", 1, 0, 1, "0: neither relabel vertices nor pack neighbours, which suits a single source"),
    CHOICE_OPTION("relabel", RELABEL_AUTO, "auto|0|1",
                  "number vertices by degree class, high degrees first; auto: if degrees are heavy-tailed"),
    CHOICE_OPTION("direction", DIRECTION_AUTO, "auto|top-down|bottom-up|alternating",
                  "direction of the levels; auto: the cheaper one"),
    NUMBER_OPTION("mark-above", MARK_ABOVE, 0, 1 << 30,
                  "a top-down level with more edges (and more than 1/32 of the vertices; 0: any) only marks; "
                  "bottom-up follows"),
    NUMBER_OPTION("single-block-edges", SINGLE_BLOCK_EDGES, 0, MOST_SINGLE_BLOCK_EDGES,
                  "the most edges of a level that a single block runs; 0: none"),
    NUMBER_OPTION("high-degree-steps", HIGH_DEGREE_STEPS, 1, MOST_STEPS,
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

/* The device memory behind prepared_graph and search; state.cuh has the sizes. Offsets are as wide as the
 * graph's. */
struct state {
    struct gpu_graph out, in; /* by id; in is empty if the graph is symmetric, or if there are no bottom-up levels */
    bool symmetric, bottom_up, packs;
    struct gpu_arena memory; /* of the order and of all arrays below */
    struct degree_order order;
    uint32_t num_words;
    uint4 *packed_first, *packed_rest;
    uint32_t *giant, outside_giant;
    uint32_t *bitmaps[2];
    uint8_t *bytes;
    void *queues[4];
    vertex_t *queue_ids[2]; /* NULL unless parents are recorded */
    uint64_t *counts;       /* followed by high_degree_counts */
    vertex_t *high_degree_ids;
    struct handover *handover;
    struct grid_barrier *barrier;
    vertex_t *parent_by_id;
    uint32_t *level;
    vertex_t *parent;
    struct rules rules;
    const struct policy *policy; /* the fastest one; NULL: policies were not measured */
    struct grid grid;
    size_t shared_bytes;
};

template <typename offset_t>
static prepared_graph<offset_t> graph_of(const struct state *state)
{
    const struct gpu_graph *in = state->symmetric ? &state->out : &state->in;
    prepared_graph<offset_t> graph = {state->out.num_vertices,
                                      state->order.num_ids,
                                      state->num_words,
                                      state->out.num_edges,
                                      csr_of<offset_t>(&state->out),
                                      csr_of<offset_t>(in),
                                      state->packed_first,
                                      state->packed_rest,
                                      state->order.id_of,
                                      state->order.input_of,
                                      state->giant,
                                      state->outside_giant};
    if (!state->bottom_up)
        graph.in.targets = NULL;
    return graph;
}

template <typename offset_t>
static search<offset_t> search_arrays_of(const struct state *state)
{
    offset_t *const *queues = (offset_t *const *)state->queues;
    return {state->bitmaps[0],
            state->bitmaps[1],
            state->bytes,
            {queues[0], queues[1], state->queue_ids[0]},
            {queues[2], queues[3], state->queue_ids[1]},
            state->counts,
            state->counts + NUM_COUNTS,
            state->high_degree_ids,
            state->handover,
            state->barrier,
            state->parent_by_id,
            state->level,
            state->parent};
}

} // namespace BACKEND::dobfs
