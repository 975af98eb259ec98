/* policies.cuh: when searches change direction. The preparation keeps the fastest policy (common/policies.h). */
#pragma once

#include <bit>

#include "../../common/policies.h"
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
#define NUM_POLICIES (sizeof policies / sizeof policies[0])
#define NUM_PROBES   2u /* searches per policy */

/* Whether all vertices and all edges fit into a count; otherwise large levels must only mark. */
static bool counts_fit(const struct state *state)
{
    return std::bit_width(state->out.num_vertices) + std::bit_width(state->out.num_edges | 1) <= 64;
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
    state->policy =
        &policies[fastest_policy(NUM_POLICIES, NUM_PROBES, UINT64_MAX, [&](unsigned policy, unsigned probe) {
            vertex_t id = (vertex_t)((uint64_t)state->order.num_ids * (2 * probe + 1) / (2 * NUM_PROBES)),
                     source = id;
            uint64_t elapsed_ns;
            apply_policy(run, &policies[policy]);
            if (state->order.input_of != NULL)
                gpu_download(&source, state->order.input_of + id, 1, error);
            launch<offset_t>(run, source);
            gpu_check_barrier(state->barrier, "bfs dobfs", error);
            gpu_download(&elapsed_ns, &state->handover->elapsed_ns, 1, error);
            return elapsed_ns;
        })];
    apply_policy(run, state->policy);
    return error->status;
}

} // namespace BACKEND::dobfs
