/* prepare.cuh: relabels the vertices by degree class, finds the giant component, and chooses the policy, which says
 * when a search changes its direction. */
#pragma once

#include <bit>

#include "../../autotune/policies.h"
#include "host_state.cuh"

namespace BACKEND::dobfs
{

/* Tests Blest's first rule for a heavy tail (its section 4, footnote 2): the top 1% of vertices by degree have at
 * least 5% of the sum of degrees, and the top 10% at least 40%. Each degree counts as the middle of its class. */
static bool is_heavy_tailed(const vertex_t starts[NUM_CLASSES], vertex_t num_vertices)
{
    const double fractions[] = {0.01, 0.10}, least[] = {0.05, 0.40};
    double sum = 0, taken[2] = {0, 0};
    for (unsigned c = 0; c < ONLY_OUT; c++) {
        const unsigned power = HIGHEST_POWER - c;
        double degree = power == 0 ? 1 : 1.5 * (double)(1u << power), number = starts[c + 1] - starts[c];
        sum += degree * number;
        for (unsigned i = 0; i < 2; i++) {
            double room = fractions[i] * num_vertices - starts[c];
            taken[i] += degree * (room < 0 ? 0 : room < number ? room : number);
        }
    }
    return sum > 0 && taken[0] >= least[0] * sum && taken[1] >= least[1] * sum;
}

/* Relabels the graphs of the state if `wanted` says so, or if is_heavy_tailed() decides. */
static int relabel(struct run *run, enum relabelling wanted)
{
    struct state *state = (struct state *)run->state;
    const struct gpu_graph *in = state->symmetric ? &state->out : &state->in;
    const struct relabelling_policy policy = {wanted, is_heavy_tailed, !state->symmetric};
    degree_order_find(in, &state->out, &policy, &state->memory, &state->order, run->error);
    if (state->order.relabelled) {
        degree_order_apply(&state->order, 1, false, &state->out, run->error);
        if (!state->symmetric)
            degree_order_apply(&state->order, 1, false, &state->in, run->error);
    }
    return run->error->status;
}

/* Relabels and compresses the lists of the graph in host memory. */
static int compress(struct run *run)
{
    struct state *state = (struct state *)run->state;
    const struct list_memory memory = list_memory_of(run);
    /* Searches read input_of only for parents. */
    struct gpu_arena *inputs = run->outputs & OUTPUT_PARENT ? &state->memory : arena_for(run, HOST_LISTS);
    const struct relabelling_policy policy = {thresholds_of(run)->relabel, is_heavy_tailed, !state->symmetric, inputs};
    struct graph reverse = {};
    if (!state->symmetric)
        graph_transpose(run->graph, &reverse, run->error);
    const struct graph *other = state->symmetric ? NULL : &reverse;
    compressed_order_find(run->graph, other, &policy, &memory, &state->order, run->error);
    compressed_lists_upload(run->graph, other, &state->order, memory, &state->compressed_out, run->error);
    if (!state->symmetric)
        compressed_lists_upload(other, run->graph, &state->order, memory, &state->compressed_in, run->error);
    graph_release(&reverse);
    return run->error->status;
}

#define BYTES_PER_VERTEX 84u /* about what a search with parents takes beside plain lists */

/* Returns whether Graph500's lists fit on the device without compression. */
static bool plain_lists_fit(const struct run *run)
{
    const struct graph *graph = run->graph;
    return graph->num_edges * sizeof(vertex_t) + (uint64_t)graph->num_vertices * BYTES_PER_VERTEX + run->device_bytes <=
           gpu_memory_left(run->error);
}

/* Compresses Graph500's lists while they are built. */
static int compress_built(struct run *run, const struct graph500_list *list, const struct relabelling_policy *policy)
{
    struct state *state = (struct state *)run->state;
    struct compressed_lists *lists = &state->compressed_out;
    struct raw_lists raw;
    graph500_count(list, policy, &state->memory, &state->order, &raw, run->error);
    compressed_lists_begin(raw.num_ids, raw.num_targets, list_memory_of(run), lists, run->error);
    raw.sink_bytes = is_in_host(run, HOST_LISTS) ? 0 : compressed_lists_guess(raw.num_ids, raw.num_targets);
    graph500_build(list, &state->order, &raw, compressed_lists_append, lists, run->error);
    gpu_free(raw.places);
    state->out.num_edges = lists->num_targets;
    state->out.wide = true;
    return run->error->status;
}

/* ---- the giant component: the component of a vertex of the highest degree, in a symmetric graph ---- */

/* Raises *highest to the largest value of degree << 32 | id. Degrees above 2^32 - 1 count as 2^32 - 1. */
template <typename offset_t>
__global__ void find_highest_degree(const offset_t *offsets, vertex_t num_vertices, uint64_t *highest)
{
    uint64_t most = 0;
    for (uint64_t base = thread_of_grid() - lane_id(); base < num_vertices; base += threads_of_grid()) {
        uint64_t vertex = base + lane_id();
        if (vertex < num_vertices) {
            uint64_t degree = min((uint64_t)(offsets[vertex + 1] - offsets[vertex]), (uint64_t)UINT32_MAX);
            most = max(most, degree << 32 | vertex);
        }
    }
    for (int step = WARP_SIZE / 2; step > 0; step /= 2)
        most = max(most, __shfl_xor_sync(WHOLE_WARP, most, step));
    if (lane_id() == 0 && most > 0)
        atomicMax((unsigned long long *)highest, (unsigned long long)most);
}

/* Writes the bitmap of the vertices that have a level. Adds their number to *num_reached. */
__global__ void map_reached(const uint32_t *level, vertex_t num_vertices, uint32_t *bitmap, uint32_t *num_reached)
{
    uint32_t sum = 0;
    for (uint64_t base = thread_of_grid() - lane_id(); base < num_vertices; base += threads_of_grid()) {
        uint64_t vertex = base + lane_id();
        unsigned reached = __ballot_sync(WHOLE_WARP, vertex < num_vertices && level[vertex] != UNREACHED);
        if (lane_id() == 0)
            bitmap[base / WARP_SIZE] = reached;
        sum += (unsigned)__popc(reached);
    }
    if (lane_id() == 0 && sum > 0)
        atomicAdd(num_reached, sum);
}

/* Searches from a vertex of the highest degree, and keeps the bitmap of the reached vertices (by input id) in
 * state->giant. A search from inside this component can end when all its vertices are visited. The state must be
 * ready for a search. */
template <typename csr_t>
static int measure_giant(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    vertex_t n = state->out.num_vertices;
    size_t words = bitmap_words(n);
    struct gpu_arena meanwhile = {};
    uint64_t *found = gpu_take_zeroed<uint64_t>(&meanwhile, 1, "the first search", error), highest;
    uint32_t *reached = gpu_take_zeroed<uint32_t>(&meanwhile, 1, "the first search", error), num_reached;
    uint32_t *giant = gpu_take<uint32_t>(arena_for(run, HOST_OFFSETS), words, "the first search", error);
    if (gpu_counting()) {
        gpu_arena_free(&meanwhile);
        return error->status;
    }
    gpu_launch(find_highest_degree<offset_of<csr_t>>, gpu_wide_grid(n), 0, error, graph_of<csr_t>(state).out.offsets,
               state->order.num_ids, found);
    gpu_download(&highest, found, 1, error);
    vertex_t source = (vertex_t)highest;
    if (state->order.input_of != NULL)
        gpu_download(&source, state->order.input_of + source, 1, error);
    launch<csr_t>(run, source);
    gpu_check_barrier(state->search.barrier, "bfs dobfs", error);
    gpu_launch(map_reached, gpu_wide_grid(n), 0, error, state->search.level, n, giant, reached);
    gpu_download(&num_reached, reached, 1, error);
    gpu_arena_free(&meanwhile);
    state->giant = giant; /* set last, because the search above must not use it */
    state->outside_giant = state->order.num_ids - num_reached;
    return error->status;
}

/* ---- policies: the preparation keeps the fastest (autotune/policies.h) ---- */

#define MARK_SHARE       32u /* a level that only marks has at least num_ids / MARK_SHARE edges */
#define DENSE_MARK_SHARE 4u  /* with DENSE_MARKS, more than num_ids / DENSE_MARK_SHARE edges */

enum marking {
    NO_MARKS,
    EARLY_MARKS, /* a top-down level of many edges only marks, so that the next level can be bottom-up */
    DENSE_MARKS  /* a top-down level that finds many of the vertices only marks */
};

struct policy {
    uint32_t bottom_up_share; /* bottom-up if a queued frontier has more than 1 / share of the edges; 0: never */
    uint32_t back_share;      /* top-down if a bottom-up level finds less than 1 / share of the vertices */
    enum marking marks;
};

/* The candidates; the first one is used if nothing is timed. DENSE_MARKS is for frontiers of a few percent of the
 * vertices: bottom-up, a vertex would look at 6 to 100 neighbours until one is in the frontier (NOTES.md). */
static const struct policy policies[NUM_POLICIES] = {
    {32, 256, EARLY_MARKS}, {64, 4096, EARLY_MARKS}, {16, 4096, EARLY_MARKS}, {16, 64, NO_MARKS},
    {4, 64, NO_MARKS},      {0, 64, NO_MARKS},       {6, 256, DENSE_MARKS},
};
#define TOP_DOWN_POLICY 5u /* index of the policy without bottom-up levels */

/* Returns the policy that tests set, or the first one. */
static const struct policy *first_policy(const struct run *run)
{
    const unsigned number = (unsigned)run->options[POLICY];
    return &policies[number == TIMED_POLICIES ? 0 : number - 1];
}

/* Returns whether a queue's count can hold all ids and all edges; otherwise large levels must only mark. */
static bool counts_fit(const struct state *state)
{
    return std::bit_width(all_ids(state)) + std::bit_width(num_units(state) | 1) <= 64;
}

/* Returns whether stage 3 queues vertices of high degree. It needs room for them, which lists in host memory do not
 * leave if most vertices may be such. */
static bool queues_high_degree(const struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    return state->bottom_up && counts_fit(state) && state->order.num_ids <= INT32_MAX &&
           (state->order.relabelled || !is_in_host(run, HOST_LISTS));
}

/* Returns the most vertices that a queue must hold, beside the limit on edges. Compressed lists leave room for few,
 * but for all that stage 3 may queue: those of more than 4 packed neighbours and 16 that a lane looks at itself. */
static vertex_t most_queued(const struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const struct degree_order *order = &state->order;
    const unsigned power = 4;
    static_assert(first_ids::number + STEPS_BY_LANE * TRIED_AT_ONCE >= 1u << power, "others are not queued");
    if (state->all_ids > 0)
        return state->num_words * WARP_SIZE; /* the same on all GPUs */
    const bool queues = queues_high_degree(run);
    if (!state->compressed || (!order->relabelled && queues))
        return order->num_ids;
    vertex_t least = thresholds_of(run)->least_queue, high = queues ? order->starts[CLASS_OF_POWER(power) + 1] : 0;
    vertex_t most = order->num_ids / 4 > high ? order->num_ids / 4 : high;
    return least > order->num_ids || most > order->num_ids ? order->num_ids : most > least ? most : least;
}

/* Sets the rules of a policy, within the limits of the thresholds and of the graph's size. */
static void apply_policy(struct run *run, const struct policy *policy)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    const unsigned unit = unit_edges(state);
    uint64_t above = thresholds_of(run)->mark_above / unit, least = all_ids(state) / MARK_SHARE / unit;
    bool may = state->bottom_up && rules->direction != DIRECTION_TOP_DOWN, must = !counts_fit(state);
    bool marks = (may && (policy->marks != NO_MARKS || above == 0)) || (state->bottom_up && must);
    if (policy->marks == DENSE_MARKS && above > 0 && !must)
        above = all_ids(state) / DENSE_MARK_SHARE / unit;
    rules->mark_above = !marks ? UINT64_MAX : above > 0 && above < least ? least : above;
    if (most_queued(run) < state->order.num_ids && rules->mark_above > most_queued(run) / unit)
        rules->mark_above = most_queued(run) / unit;
    rules->bottom_up_above = policy->bottom_up_share == 0 ? UINT64_MAX : num_units(state) / policy->bottom_up_share;
    rules->back_below = all_ids(state) / policy->back_share;
}

/* Returns the policy to try as number `turn`. In a deep directed graph, bottom-up levels take many times as long, and
 * there is no time to try all; so directed graphs begin with the policy that has none. */
static const struct policy *policy_of_turn(const struct state *state, unsigned turn)
{
    return &policies[state->symmetric ? turn : (TOP_DOWN_POLICY + NUM_POLICIES - turn) % NUM_POLICIES];
}

/* Keeps the policy that is fastest in searches from up to NUM_PROBES vertices, evenly spread over the ids. */
template <typename csr_t>
static int choose_policy(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    const edge_t edges = state->out.num_edges;
    unsigned best = fastest_policy<NUM_POLICIES>(edges, state->symmetric, [&](unsigned turn, unsigned probe) {
        vertex_t id = (vertex_t)((uint64_t)state->order.num_ids * (2 * probe + 1) / (2 * NUM_PROBES)), source = id;
        uint64_t elapsed_ns;
        apply_policy(run, policy_of_turn(state, turn));
        if (state->order.input_of != NULL)
            gpu_download(&source, state->order.input_of + id, 1, error);
        launch<csr_t>(run, source);
        gpu_check_barrier(state->search.barrier, "bfs dobfs", error);
        gpu_download(&elapsed_ns, &state->search.handover->elapsed_ns, 1, error);
        return elapsed_ns;
    });
    state->policy = policy_of_turn(state, best);
    apply_policy(run, state->policy);
    return error->status;
}

} // namespace BACKEND::dobfs
