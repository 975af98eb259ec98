/* host_state.cuh: the options and the state of a run on the host, and the policies. */
#pragma once

#include "../../autotune/policies.h"
#include "build.cuh"
#include "kernel.cuh"

namespace BACKEND::slices
{

enum {
    ORDER,
    ALPHA,
    SINGLE_BLOCK_VERTICES,
    EXCHANGE_VERTICES,
    EXCHANGE_SLICES,
    BULK_SLICES,
    COUNT_SHARE,
    HIGH_DEGREE_GROUPS,
    LIST_SIZE,
    PIECES,
    WINDOW,
    PART_EDGES,
    OFFSET_BITS
};
enum order { ORDER_AUTO, ORDER_DEGREE, ORDER_HASH };
#define BY_TRIALS (-1.0)

static const struct option_spec slices_options[] = {
    CHOICE_OPTION("order", ORDER_AUTO, "auto|degree|hash",
                  "order of the vertices: by degree class, or then by min-hashes of the neighbourhoods; auto: a "
                  "sample decides"),
    NUMBER_OPTION("alpha", BY_TRIALS, -1, 1 << 20,
                  "a level is bottom-up if its frontier has more than 1/alpha of the unvisited slices; 0: never; -1: "
                  "by trials"),
    NUMBER_OPTION("single-block-vertices", 256, 0, LIST_VERTICES,
                  "the most vertices of a level that a single block runs"),
    NUMBER_OPTION("exchange-vertices", GRID_LIST, 0, GRID_LIST,
                  "the most vertices of a level whose blocks send each other the vertices"),
    NUMBER_OPTION("exchange-slices", BY_TRIALS, -1, 1 << 30,
                  "after such a level of more slices, levels use bitmaps; -1: by trials"),
    NUMBER_OPTION("bulk-slices", 500000, 0, 1 << 30, "a top-down level of more slices marks in shared memory first"),
    NUMBER_OPTION(
        "count-share", BY_TRIALS, -1, 1 << 30,
        "after a level of more than 1/count-share of the slices, slices are counted before the next; -1: by trials"),
    NUMBER_OPTION("high-degree-groups", 128, 1, 1 << 20,
                  "a vertex of more than four times as many slices is shared by all blocks"),
    NUMBER_OPTION("list-vertices", LIST_VERTICES, 32, LIST_VERTICES,
                  "vertices that a block lists; those beyond go to a bitmap", .for_tests = true),
    NUMBER_OPTION("pieces", MOST_PIECES, 0, MOST_PIECES,
                  "pieces of vertices with groups that the warps of a block share in a level", .for_tests = true),
    NUMBER_OPTION("window", MOST_VERTICES, 0, MOST_VERTICES,
                  "vertices whose visited bits each block keeps in shared memory, at most as many as fit",
                  .for_tests = true),
    NUMBER_OPTION("part-edges", 1 << 28, 1, 1 << 30, "edges that are sorted together while the slices are built",
                  .for_tests = true),
    OFFSET_BITS_OPTION,
    {},
};

struct state {
    struct gpu_arena memory;
    struct prepared_graph prepared;
    struct search search;
    struct rules rules;
    vertex_t *parent; /* the result, by input id; NULL: searches are for levels alone */
    bool hashed, full;
    const struct policy *policy; /* the fastest one; NULL: policies were not measured */
    struct grid grid;
    size_t shared_bytes;
};

static auto kernel_of(const struct run *run, bool full)
{
    const bool parents = (run->outputs & OUTPUT_PARENT) != 0;
    return full      ? parents ? slices_kernel<true, true> : slices_kernel<true, false>
                : parents ? slices_kernel<false, true>
                     : slices_kernel<false, false>;
}

/* Starts a search, without waiting for it. */
static int launch(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    return gpu_launch_persistent(kernel_of(run, state->full), state->grid, state->shared_bytes, run->error,
                                 state->prepared, state->search, state->rules, source);
}

/* Waits for the search. Returns STATUS_DEVICE if a block waited too long for the others. */
static int check_waits(struct run *run)
{
    const struct search *search = &((const struct state *)run->state)->search;
    gpu_check_barrier(&search->barrier->check, "bfs slices", run->error);
    return check_mailboxes(&search->mailboxes, "bfs slices", run->error);
}

/* ---- policies: when levels change their kind; the preparation keeps the fastest (autotune/policies.h) ---- */

struct policy {
    uint32_t alpha, exchange_slices, count_share;
};

/* If nothing is measured, the first one is used. Directed graphs begin with the last one: few of their levels pay off
 * bottom-up, and if they are deep, the time is over before the others are tried. */
static const struct policy policies[] = {
    {16, 1u << 16, 1024}, {4, 1u << 16, 64}, {64, 1u << 14, 1024},
    {16, 1u << 14, 64},   {0, 1u << 18, 1},  {0, 1u << 16, 1},
};
#define NUM_POLICIES   (sizeof policies / sizeof policies[0])
#define NUM_PROBES     8u         /* searches per policy, at most */
#define MOST_PROBED_NS 8000000ull /* after so many nanoseconds no other policy is tried */

static uint32_t chosen(const struct run *run, int option, uint32_t of_policy)
{
    return run->options[option] == BY_TRIALS ? of_policy : (uint32_t)run->options[option];
}

/* Sets the rules by a policy, unless the options or the graph determine them. */
static void apply_policy(struct run *run, const struct policy *policy)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    rules->alpha = state->prepared.in.heads == NULL ? 0 : chosen(run, ALPHA, policy->alpha);
    rules->exchange_slices = chosen(run, EXCHANGE_SLICES, policy->exchange_slices);
    rules->count_share = chosen(run, COUNT_SHARE, policy->count_share);
}

/* Keeps the policy whose searches from NUM_PROBES vertices, evenly spread over them, take the least time. */
static int choose_policy(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    const struct policy *first = run->graph->symmetric ? policies : policies + NUM_POLICIES - 1;
    const int step = run->graph->symmetric ? 1 : -1;
    vertex_t sources[NUM_PROBES];
    for (uint32_t probe = 0; probe < NUM_PROBES; probe++) {
        uint32_t place = (uint32_t)((uint64_t)state->prepared.num_ids * (2 * probe + 1) / (2 * NUM_PROBES));
        uint32_t vertex = vertex_at(place, state->prepared.num_words, state->prepared.spread);
        gpu_download(&sources[probe], state->prepared.input_of + vertex, 1, error);
    }
    unsigned best = fastest_policy<NUM_POLICIES>(NUM_PROBES, MOST_PROBED_NS, [&](unsigned policy, unsigned probe) {
        uint64_t elapsed_ns;
        apply_policy(run, first + step * (int)policy);
        launch(run, sources[probe]);
        check_waits(run);
        gpu_download(&elapsed_ns, state->search.elapsed_ns, 1, error);
        return elapsed_ns;
    });
    state->policy = first + step * (int)best;
    apply_policy(run, state->policy);
    return error->status;
}

} // namespace BACKEND::slices
