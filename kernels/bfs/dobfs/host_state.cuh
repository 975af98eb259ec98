/* host_state.cuh: the state of a run on the host, and the views of it that kernels get. */
#pragma once

#include "options.cuh"

namespace BACKEND::dobfs
{

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
    uint64_t *counts; /* followed by high_degree_counts */
    vertex_t *high_degree_ids;
    struct handover *handover;
    struct grid_barrier *barrier;
    uint32_t *level, *level_by_id;
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
            {queues[0], queues[1]},
            {queues[2], queues[3]},
            state->counts,
            state->counts + NUM_COUNTS,
            state->high_degree_ids,
            state->handover,
            state->barrier,
            state->level,
            state->order.relabelled ? state->level_by_id : state->level,
            state->parent};
}

/* The number of bits of a value, not counting leading zeros. */
static unsigned bit_length(uint64_t value)
{
    unsigned bits = 0;
    for (; value != 0; value >>= 1)
        bits++;
    return bits;
}

} // namespace BACKEND::dobfs
