/* host_state.cuh: options and thresholds, the host's state of a run, and the launch of the kernel. */
#pragma once

#include "../../graph/compressed_lists.h"
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
    bool compress = false; /* compress lists as the option does */
    /* Beside compressed lists, a queue has room for a quarter of the vertices, or for so many if that is more; at
     * least single_block_edges. */
    uint32_t least_queue = 1u << 20;
    enum host_memory in_host = HOST_NONE; /* keep at least this in host memory, as the option does */
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
    /* compressed: */
    {.relabel = RELABEL_YES, .single_block_edges = 8, .high_degree_steps = 1, .compress = true, .least_queue = 8},
    /* host-lists: */
    {.relabel = RELABEL_YES, .compress = true, .in_host = HOST_LISTS},
    /* host-all: */
    {.single_block_edges = 8, .high_degree_steps = 1, .compress = true, .least_queue = 8, .in_host = HOST_RESULTS},
};
#define FORCED                                                                                                         \
    "relabelling|alternating|marks|bottom-up|small-limits|top-down|parts|small-turns|parts-alternating|compressed|"    \
    "host-lists|host-all"

#define NUM_POLICIES   7u /* prepare.cuh has them */
#define TIMED_POLICIES 0u /* the value of the option policy that lets the preparation time the policies */

enum { PREPARE, DIRECTION, COMPRESS, HOST_MEMORY, FORCE, OFFSET_BITS, POLICY };
static const struct option_spec dobfs_options[] = {
    NUMBER_OPTION("prepare", 1, 0, 1, "0: neither relabel vertices nor pack neighbours, which suits a single source"),
    CHOICE_OPTION("direction", DIRECTION_AUTO, "auto|top-down", "direction of the levels; auto: the cheaper one"),
    CHOICE_OPTION("compress", COMPRESS_AUTO, "auto|0|1",
                  "whether prepared neighbour lists are compressed; auto: if they would not fit otherwise"),
    CHOICE_OPTION("host-memory", HOST_AUTO, HOST_MEMORY_WORDS,
                  "what is kept in host memory: compressed lists, then also queues, and so on; auto: what must be"),
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

static bool may_compress(const struct run *run)
{
    return run->options[PREPARE] != 0 && run->graph->num_edges > 0 && (int)run->options[COMPRESS] != COMPRESS_NO;
}

/* Returns whether the run compresses the lists. src/run/memory.c sets the option if they would not fit otherwise. */
static bool compresses(const struct run *run)
{
    return may_compress(run) && ((int)run->options[COMPRESS] == COMPRESS_YES || thresholds_of(run)->compress ||
                                 (int)run->options[HOST_MEMORY] >= HOST_LISTS);
}

/* Returns whether the run keeps something in host memory. */
static bool is_in_host(const struct run *run, enum host_memory what)
{
    return compresses(run) && ((int)run->options[HOST_MEMORY] >= what || thresholds_of(run)->in_host >= what);
}

/* Names of generations in profiles, by enum frontier after the level; the last one is for BY_SINGLE_BLOCK. */
static const char *const level_words[] = {"queues", "marks", "", "one-block"};

/* Device memory and sizes of a run; state.cuh has the shapes. Offsets have the width of the graph's offsets. */
struct state {
    struct gpu_graph out, in; /* by id; `in` is empty if the graph is symmetric or no level is bottom-up */
    bool symmetric, bottom_up, packs, compressed;
    struct compressed_lists compressed_out, compressed_in; /* in place of the arrays of out and in, if `compressed` */
    struct gpu_arena memory;                               /* owns the relabelling and the arrays below, except those */
    struct gpu_arena host;                                 /* that are in host memory (arena_for) */
    struct degree_order order;
    uint32_t num_words;
    uint4 *packed_first, *packed_rest;
    uint32_t *giant, outside_giant;
    struct search search;
    struct rules rules;
    const struct policy *policy; /* the fastest one; NULL if policies were not timed */
    struct grid grid;
    size_t shared_bytes;
    const struct links *links; /* in device memory; NULL unless the graph is dealt to GPUs that are linked */
    struct deal deal;          /* then; and the sums over all GPUs of order.num_ids and out.num_edges: */
    vertex_t all_ids;
    edge_t all_edges;
};

/* Returns the arena that owns arrays of this kind. */
static struct gpu_arena *arena_for(const struct run *run, enum host_memory kind)
{
    struct state *state = (struct state *)run->state;
    return is_in_host(run, kind) ? &state->host : &state->memory;
}

static struct list_memory list_memory_of(const struct run *run)
{
    return {&((struct state *)run->state)->memory, arena_for(run, HOST_OFFSETS), arena_for(run, HOST_LISTS)};
}

/* Returns the number of ids on all GPUs, by which policies decide. */
static vertex_t all_ids(const struct state *state)
{
    return state->all_ids > 0 ? state->all_ids : state->order.num_ids;
}

/* Returns the words of a bitmap of all ids. */
static uint32_t all_words(const struct state *state)
{
    return state->all_ids > 0 ? state->num_words * state->deal.parts : state->num_words;
}

/* Calls use.operator()<csr_t>() with the kind of the lists, and returns what it returns. Compressed lists always have
 * offsets of 64 bits, which saves instances of the kernel. */
template <typename use_t>
static auto with_lists(const struct state *state, use_t use)
{
    return state->compressed ? use.template operator()<compressed_csr>()
                             : with_width(state->out.wide, [&]<typename offset_t>() {
                                   return use.template operator()<csr<offset_t>>();
                               });
}

/* Returns the number of edges on all GPUs, or of groups if the lists are compressed: the unit of queues and rules. */
static uint64_t num_units(const struct state *state)
{
    return state->compressed      ? state->compressed_out.num_groups
           : state->all_edges > 0 ? state->all_edges
                                  : state->out.num_edges;
}

/* Returns how many edges a unit may have. */
static unsigned unit_edges(const struct state *state)
{
    return state->compressed ? GROUP_TARGETS : 1;
}

template <typename csr_t>
static csr_t lists_of(const struct state *state, const struct gpu_graph *graph, const struct compressed_lists *lists)
{
    if constexpr (std::is_same_v<csr_t, compressed_csr>)
        return compressed_csr_of(lists);
    else if constexpr (is_dealt<csr_t>)
        return {csr_of<offset_of<csr_t>>(graph), state->links, state->deal};
    else
        return csr_of<offset_of<csr_t>>(graph);
}

template <typename csr_t>
static prepared_graph<csr_t> graph_of(const struct state *state)
{
    prepared_graph<csr_t> graph = {.num_vertices = state->out.num_vertices,
                                   .num_ids = state->order.num_ids,
                                   .num_words = state->num_words,
                                   .num_edges = num_units(state),
                                   .out = lists_of<csr_t>(state, &state->out, &state->compressed_out),
                                   .in = lists_of<csr_t>(state, &state->in, &state->compressed_in),
                                   .packed_first = state->packed_first,
                                   .packed_rest = state->packed_rest,
                                   .id_of = state->order.id_of,
                                   .input_of = state->order.input_of,
                                   .giant = state->giant,
                                   .outside_giant = state->outside_giant};
    if (!state->bottom_up)
        graph.in.offsets = NULL;
    else if (state->symmetric)
        graph.in = graph.out;
    return graph;
}

/* Returns whether packed neighbours take 25 bits; otherwise they take 32. */
static bool packs_25_bits(const struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    return !state->compressed && !thresholds_of(run)->wide_ids &&
           (state->all_ids > 0 ? (uint64_t)all_words(state) * WARP_SIZE : state->order.num_ids) <= five_ids::none;
}

/* Calls use.operator()<format>() with the format of the packed neighbours, and returns what it returns. */
template <typename csr_t, typename use_t>
static auto with_format(const struct run *run, use_t use)
{
    if constexpr (std::is_same_v<csr_t, compressed_csr>)
        return use.template operator()<first_ids>();
    else if constexpr (is_dealt<csr_t>)
        return packs_25_bits(run) ? use.template operator()<five_ids>() : use.template operator()<four_ids>();
    else if (!((const struct state *)run->state)->packs)
        return use.template operator()<no_ids>();
    else
        return packs_25_bits(run) ? use.template operator()<five_ids>() : use.template operator()<four_ids>();
}

/* Allocates and fills state->packed_first and state->packed_rest. The window must be set. */
template <typename csr_t>
static int pack_neighbours(struct run *run)
{
    constexpr bool compressed = std::is_same_v<csr_t, compressed_csr>;
    struct state *state = (struct state *)run->state;
    size_t padded = (size_t)state->num_words * WARP_SIZE;
    state->packed_first = gpu_take<uint4>(&state->memory, padded, "the first neighbours", run->error);
    if (!compressed)
        state->packed_rest =
            gpu_take<uint4>(&state->memory, (NUM_PACKED_WORDS - 1) * padded, "the next neighbours", run->error);
    return with_format<csr_t>(run, [&]<typename format>() {
        if constexpr (format::number > 0)
            gpu_launch(pack_first_neighbours<format, csr_t>, gpu_wide_grid(padded), 0, run->error,
                       graph_of<csr_t>(state), state->rules.window_words * WARP_SIZE, state->packed_first,
                       state->packed_rest);
        return run->error->status;
    });
}

/* Returns the instance of the kernel for this graph and the wanted outputs. */
template <typename csr_t>
static auto kernel_of(const struct run *run)
{
    const bool parents = run->outputs & OUTPUT_PARENT;
    return with_format<csr_t>(run, [&]<typename format>() {
        if (run->profile)
            return parents ? dobfs_kernel<format, true, true, csr_t> : dobfs_kernel<format, false, true, csr_t>;
        return parents ? dobfs_kernel<format, true, false, csr_t> : dobfs_kernel<format, false, false, csr_t>;
    });
}

/* Starts a search from an input id, without waiting for it. */
template <typename csr_t>
static int launch(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    return gpu_launch_persistent(kernel_of<csr_t>(run), state->grid, state->shared_bytes, run->error,
                                 graph_of<csr_t>(state), state->search, state->rules, source);
}

} // namespace BACKEND::dobfs
