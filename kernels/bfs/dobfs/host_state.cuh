/* host_state.cuh: options and thresholds, the host's state of a run, and the launch of the kernel. */
#pragma once

#include "../../graph/degree_order.h"
#include "kernel.cuh"

namespace BACKEND::dobfs
{

#define MARK_ABOVE         200000u
#define SINGLE_BLOCK_EDGES 2048u
#define HIGH_DEGREE_STEPS  8u
#define MOST_WINDOW        (1u << 22) /* more bits than any GPU has shared memory for */

/* The thresholds of a run. The defaults are fitted to an H200. Tests use other values. */
struct thresholds {
    enum relabelling relabel = RELABEL_AUTO;
    enum direction direction = DIRECTION_AUTO; /* DIRECTION_AUTO: as the user's option says */
    /* Above this many edges, a top-down level may mark instead of queueing; 0: always. */
    uint32_t mark_above = MARK_ABOVE;
    /* Limit on the edges of a level that one block runs alone; 0: no such level. */
    uint32_t single_block_edges = SINGLE_BLOCK_EDGES;
    /* Steps of 128 neighbours that a warp takes alone in a bottom-up level. */
    uint32_t high_degree_steps = HIGH_DEGREE_STEPS;
    /* Limit on the vertices with visited bits in shared memory in bottom-up levels. */
    uint32_t window = MOST_WINDOW;
    /* Number of levels after which level bytes are written to the result. */
    uint32_t byte_levels = MATERIALISED;
    bool wide_ids = false; /* packed neighbours take 32 bits even if 25 suffice */
    /* Least number of parts of a search (parts.cuh), and words of 32 ids in a turn, a power of two. */
    unsigned parts = 1;
    uint32_t turn_words = 32;
};

/* In the order of the values of the option force: the thresholds of a user's run, then those that tests force. */
static const struct thresholds thresholds[] = {
    {},
    /* relabelling: */
    {.relabel = RELABEL_YES},
    /* alternating: */
    {.direction = DIRECTION_ALTERNATING, .high_degree_steps = 1, .window = 256, .byte_levels = 4},
    /* marks: */
    {.relabel = RELABEL_YES, .mark_above = 0, .single_block_edges = 0, .window = 256},
    /* bottom-up: */
    {.relabel = RELABEL_NO, .direction = DIRECTION_BOTTOM_UP, .window = 0, .wide_ids = true},
    /* small-limits: */
    {.mark_above = 60, .single_block_edges = 40, .byte_levels = 3},
    /* top-down: */
    {.direction = DIRECTION_TOP_DOWN, .byte_levels = 1},
    /* parts: */
    {.parts = 2},
    /* small-turns: */
    {.parts = 2, .turn_words = 1},
    /* parts-alternating: */
    {.direction = DIRECTION_ALTERNATING, .parts = 3, .turn_words = 1},
};
#define FORCED "relabelling|alternating|marks|bottom-up|small-limits|top-down|parts|small-turns|parts-alternating"

#define NUM_POLICIES   7u /* prepare.cuh has them */
#define TIMED_POLICIES 0u /* the value of the option policy that lets the preparation time the policies */

enum { PREPARE, DIRECTION, FORCE, OFFSET_BITS, POLICY };
static const struct option_spec dobfs_options[] = {
    NUMBER_OPTION("prepare", 1, 0, 1, "0: neither relabel vertices nor pack neighbours, which suits a single source"),
    CHOICE_OPTION("direction", DIRECTION_AUTO, "auto|top-down", "direction of the levels; auto: the cheaper one"),
    FORCE_OPTION(FORCED),
    OFFSET_BITS_OPTION,
    NUMBER_OPTION("policy", TIMED_POLICIES, 0, NUM_POLICIES, "0: the fastest policy; N: policy N", .for_tests = true),
    {},
};

static const struct thresholds *thresholds_of(const struct run *run)
{
    return &thresholds[(int)run->options[FORCE]];
}

static enum direction direction_of(const struct run *run)
{
    const enum direction forced = thresholds_of(run)->direction;
    return forced != DIRECTION_AUTO ? forced : (enum direction)run->options[DIRECTION];
}

/* Names of generations in profiles, by enum frontier after the level; the last one is for BY_SINGLE_BLOCK. */
static const char *const level_words[] = {"queues", "marks", "", "one-block"};

/* Device memory and sizes of a run; state.cuh has the shapes. Offsets have the width of the graph's offsets. */
struct state {
    struct gpu_graph out, in; /* by id; `in` is empty if the graph is symmetric or no level is bottom-up */
    bool symmetric, bottom_up, packs;
    struct gpu_arena memory; /* owns the relabelling and all arrays below */
    struct degree_order order;
    uint32_t num_words;
    uint4 *packed_first, *packed_rest;
    uint32_t *giant, outside_giant;
    struct search search;
    struct rules rules;
    const struct policy *policy; /* the fastest one; NULL if policies were not timed */
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

/* Returns whether packed neighbours take 25 bits; otherwise they take 32. */
static bool packs_25_bits(const struct run *run)
{
    return !thresholds_of(run)->wide_ids && ((const struct state *)run->state)->order.num_ids <= five_ids::none;
}

/* Allocates and fills state->packed_first and state->packed_rest. The window must be set. */
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

template <typename format, typename offset_t>
static auto kernel_for(const struct run *run)
{
    const bool parents = run->outputs & OUTPUT_PARENT;
    if (run->profile)
        return parents ? dobfs_kernel<format, true, true, offset_t> : dobfs_kernel<format, false, true, offset_t>;
    return parents ? dobfs_kernel<format, true, false, offset_t> : dobfs_kernel<format, false, false, offset_t>;
}

/* Returns the instance of the kernel for this graph and the wanted outputs. */
template <typename offset_t>
static auto kernel_of(const struct run *run)
{
    if (!((const struct state *)run->state)->packs)
        return kernel_for<no_ids, offset_t>(run);
    return packs_25_bits(run) ? kernel_for<five_ids, offset_t>(run) : kernel_for<four_ids, offset_t>(run);
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
