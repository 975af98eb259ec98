/* policies.cuh: chooses by measurement when searches change direction.
 *
 * The best level to go bottom-up first depends on the structure of the graph, and cost models were wrong by
 * factors. So the preparation runs searches from a few sources under each policy, and keeps the fastest policy. */
#pragma once

#include "launch.cuh"

namespace BACKEND::dobfs
{

#define MARK_SHARE 32u /* a level that only marks has at least a 32nd as many edges as there are vertices */

struct policy {
    uint32_t bottom_up_share; /* bottom-up after a queued frontier of more than 1 / share of the edges; 0: never */
    uint32_t back_share;      /* top-down after a bottom-up level that finds less than 1 / share of the vertices */
    bool marks;               /* whether a top-down level of many edges only marks */
};

/* If nothing is measured, the first one is used. */
static const struct policy policies[] = {
    {32, 256, true}, {64, 4096, true}, {16, 4096, true}, {16, 64, false}, {4, 64, false}, {0, 64, false},
};
#define NUM_PROBES       2u         /* searches per policy */
#define PROBE_FROM_EDGES (1u << 16) /* on smaller graphs the measurement costs more than it can save */

/* Whether all vertices and all edges fit into a count; otherwise large levels must only mark. */
static bool counts_fit(const struct state *state)
{
    return bit_length(state->out.num_vertices) + bit_length(state->out.num_edges | 1) <= 64;
}

/* Sets the rules by a policy, unless the options or the size of the graph determine them. */
static void apply_policy(struct run *run, const struct policy *policy)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    uint64_t above = (uint64_t)run->options[MARK_ABOVE_OPTION], least = state->order.num_ids / MARK_SHARE;
    bool may = state->bottom_up && rules->direction != DIRECTION_TOP_DOWN, must = !counts_fit(state);
    bool marks = (may && (policy->marks || above == 0)) || (state->bottom_up && must);
    rules->mark_above = !marks ? UINT64_MAX : above > 0 && above < least ? least : above;
    rules->bottom_up_above =
        policy->bottom_up_share == 0 ? UINT64_MAX : state->out.num_edges / policy->bottom_up_share;
    rules->back_below = state->order.num_ids / policy->back_share;
}

/* Keeps the policy whose searches from NUM_PROBES vertices, evenly spread over the ids, take the least time.
 * Returns a status and fills run->error. */
template <typename offset_t>
static int choose_policy(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    uint64_t least = UINT64_MAX;
    for (const struct policy &policy : policies) {
        uint64_t elapsed_ns = 0, one;
        apply_policy(run, &policy);
        for (unsigned probe = 0; probe < NUM_PROBES; probe++) {
            vertex_t id = (vertex_t)((uint64_t)state->order.num_ids * (2 * probe + 1) / (2 * NUM_PROBES)),
                     source = id;
            if (state->order.input_of != NULL)
                gpu_download(&source, state->order.input_of + id, 1, error);
            launch<offset_t>(run, source);
            gpu_check_barrier(state->barrier, "bfs dobfs", error);
            gpu_download(&one, &state->handover->elapsed_ns, 1, error);
            elapsed_ns += one;
        }
        state->policy = elapsed_ns < least ? &policy : state->policy;
        least = elapsed_ns < least ? elapsed_ns : least;
    }
    apply_policy(run, state->policy);
    return error->status;
}

} // namespace BACKEND::dobfs
