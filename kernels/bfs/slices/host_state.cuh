/* host_state.cuh: options and thresholds, the host's state of a run, and the choice of a policy by timed searches. */
#pragma once

#include <utility>

#include "../../autotune/policies.h"
#include "build.cuh"
#include "kernel.cuh"

namespace BACKEND::slices
{

/* A policy: when to switch to another kind of level. */
struct policy {
    uint32_t alpha;           /* bottom-up if the frontier has more than 1 / alpha of the unvisited slices; 0: never */
    uint32_t exchange_slices; /* after a listed level of more slices, the grid runs the next level */
    uint32_t count_share; /* after a level of more than 1 / count_share of the slices, the next level counts first */
};

/* The candidates that are timed while preparing. If they are not timed, the first one is used. */
static const struct policy policies[] = {
    {.alpha = 16, .exchange_slices = 1u << 16, .count_share = 1024},
    {.alpha = 4, .exchange_slices = 1u << 16, .count_share = 64},
    {.alpha = 64, .exchange_slices = 1u << 14, .count_share = 1024},
    {.alpha = 16, .exchange_slices = 1u << 14, .count_share = 64},
    {.alpha = 0, .exchange_slices = 1u << 18, .count_share = 1},
    {.alpha = 0, .exchange_slices = 1u << 16, .count_share = 1},
};
#define NUM_POLICIES (sizeof policies / sizeof policies[0])

enum order { ORDER_BY_SAMPLE, ORDER_DEGREE, ORDER_HASH };

/* The thresholds of a run, fitted to an H200. Tests use other values. */
struct thresholds {
    enum order order; /* order of the vertices; ORDER_BY_SAMPLE: by hashes if a sample shows that they save slices */
    const struct policy *policy;    /* NULL: the fastest in trials */
    uint32_t single_block_vertices; /* limit on the vertices of a level that one block runs alone */
    uint32_t exchange_vertices;     /* limit on the vertices of a level that is run by exchange */
    uint32_t bulk_slices;           /* a top-down level of more slices marks in shared memory first */
    uint32_t high_degree_groups;    /* a vertex of more groups counts as high-degree: all blocks share it */
    uint32_t list_vertices;         /* maximal number of vertices in a block's list; further ones go to a bitmap */
    uint32_t pieces;                /* maximal number of pieces per block and level */
    uint32_t window;                /* maximal number of vertices whose visited bits a block keeps in shared memory */
    uint32_t part_edges;            /* maximal number of edges that are sorted together while slices are built */
};

#define SINGLE_BLOCK_VERTICES 256u
#define BULK_SLICES           500000u
#define HIGH_DEGREE_GROUPS    128u
#define PART_EDGES            (1u << 28)

/* A top-down level of the grid takes the same time up to this number of slices. In a large graph, where a block owns
 * more words of the bitmaps than it has warps, a bottom-up level takes longer however few vertices are unvisited.
 * While many are, bottom-up levels may follow, which need no turn to count; so this limit holds for the tail. */
#define FEW_SLICES 50000u

static const struct policy top_down = {.alpha = 0, .exchange_slices = 1u << 16, .count_share = 1024};
static const struct policy often_bottom_up = {.alpha = 8, .exchange_slices = 1u << 16, .count_share = 1024};
static const struct policy short_exchanges = {.alpha = 100, .exchange_slices = 0, .count_share = 0};

/* The first row is for production; tests force the others. */
static const struct thresholds thresholds[] = {
    {ORDER_BY_SAMPLE, NULL, SINGLE_BLOCK_VERTICES, GRID_LIST, BULK_SLICES, HIGH_DEGREE_GROUPS, LIST_VERTICES,
     MOST_PIECES, MOST_VERTICES, PART_EDGES},
    {ORDER_HASH, NULL, SINGLE_BLOCK_VERTICES, GRID_LIST, BULK_SLICES, HIGH_DEGREE_GROUPS, LIST_VERTICES, MOST_PIECES,
     MOST_VERTICES, PART_EDGES},
    {ORDER_BY_SAMPLE, NULL, SINGLE_BLOCK_VERTICES, GRID_LIST, BULK_SLICES, 1, 32, MOST_PIECES, MOST_VERTICES,
     PART_EDGES},
    {ORDER_BY_SAMPLE, &top_down, 0, GRID_LIST, BULK_SLICES, HIGH_DEGREE_GROUPS, 32, MOST_PIECES, MOST_VERTICES, 1},
    {ORDER_DEGREE, &often_bottom_up, 0, 0, BULK_SLICES, 1, LIST_VERTICES, 3, 128, PART_EDGES},
    {ORDER_BY_SAMPLE, &top_down, 0, 0, 0, HIGH_DEGREE_GROUPS, LIST_VERTICES, MOST_PIECES, 128, PART_EDGES},
    {ORDER_BY_SAMPLE, &short_exchanges, 40, GRID_LIST, 0, HIGH_DEGREE_GROUPS, LIST_VERTICES, MOST_PIECES, MOST_VERTICES,
     PART_EDGES},
};
#define FORCED "hash-order|short-lists|exchange|few-pieces|bulk-marks|all-kinds"

enum { FORCE, OFFSET_BITS };
static const struct option_spec slices_options[] = {FORCE_OPTION(FORCED), OFFSET_BITS_OPTION, {}};

static const struct thresholds *thresholds_of(const struct run *run)
{
    return &thresholds[(int)run->options[FORCE]];
}

/* Names of turns in profiles, by enum kind. A level of two turns has the kind of the second one. */
static const char *const kind_words[] = {"one-block", "exchange", "high-degree", "marks", "", "pushes", ""};

struct state {
    struct gpu_arena memory;
    struct prepared_graph prepared;
    struct search search;
    struct rules rules;
    vertex_t *parent; /* the result, by input id; NULL if only levels are wanted */
    bool hashed, full;
    const struct policy *policy; /* the fastest policy; NULL if policies were not timed */
    struct grid grid;
    size_t shared_bytes;
};

template <bool profiled>
static auto kernel_for(bool full, bool parents)
{
    return full      ? parents ? slices_kernel<true, true, profiled> : slices_kernel<true, false, profiled>
                : parents ? slices_kernel<false, true, profiled>
                     : slices_kernel<false, false, profiled>;
}

static auto kernel_of(const struct run *run, bool full)
{
    const bool parents = (run->outputs & OUTPUT_PARENT) != 0;
    return run->profile ? kernel_for<true>(full, parents) : kernel_for<false>(full, parents);
}

/* Starts a search, without waiting for it. It uses the arrays that the last one has reset. */
static int launch(struct run *run, vertex_t source)
{
    struct state *state = (struct state *)run->state;
    std::swap(state->search.now, state->search.later);
    return gpu_launch_persistent(kernel_of(run, state->full), state->grid, state->shared_bytes, run->error,
                                 state->prepared, state->search, state->rules, source);
}

/* Waits for the end of the search. Returns STATUS_DEVICE if a block waited too long for the others. */
static int check_waits(struct run *run)
{
    const struct search *search = &((const struct state *)run->state)->search;
    gpu_check_barrier(&search->barrier->check, "bfs slices", run->error);
    return check_mailboxes(&search->mailboxes, "bfs slices", run->error);
}

/* ---- policies (autotune/policies.h) ---- */

/* Sets the rules of a policy. If there are no in-neighbours on the device, no level is bottom-up. */
static void apply_policy(struct run *run, const struct policy *policy)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    rules->alpha = state->prepared.in.heads == NULL ? 0 : policy->alpha;
    rules->exchange_slices = policy->exchange_slices;
    rules->count_share = policy->count_share;
}

/* Returns the policy to try as number `turn`. Directed graphs try the policies in reverse order: few of their levels
 * gain by going bottom-up, and in a deep graph the time for trials runs out early. */
static const struct policy *policy_of_turn(const struct run *run, unsigned turn)
{
    return &policies[run->graph->symmetric ? turn : NUM_POLICIES - 1 - turn];
}

/* Keeps the policy that is fastest in searches from up to NUM_PROBES vertices, evenly spread over the order. */
static int choose_policy(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    vertex_t sources[NUM_PROBES];
    for (uint32_t probe = 0; probe < NUM_PROBES; probe++) {
        uint32_t place = (uint32_t)((uint64_t)state->prepared.num_ids * (2 * probe + 1) / (2 * NUM_PROBES));
        uint32_t vertex = vertex_at(place, state->prepared.num_words, state->prepared.spread);
        gpu_download(&sources[probe], state->prepared.input_of + vertex, 1, error);
    }
    unsigned best = fastest_policy<NUM_POLICIES>(run->graph->num_edges, false, [&](unsigned turn, unsigned probe) {
        uint64_t elapsed_ns;
        apply_policy(run, policy_of_turn(run, turn));
        launch(run, sources[probe]);
        check_waits(run);
        gpu_download(&elapsed_ns, state->search.elapsed_ns, 1, error);
        return elapsed_ns;
    });
    state->policy = policy_of_turn(run, best);
    apply_policy(run, state->policy);
    return error->status;
}

} // namespace BACKEND::slices
