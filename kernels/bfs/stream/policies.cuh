/* policies.cuh: policies. */
#pragma once

#include "launch.cuh"

namespace BACKEND::stream
{

#define MARK_SHARE 32u /* a level of fewer edges than a 32nd of the rows does not mark either */

/* Policies; the first is that without preparation. */
struct policy {
    uint32_t bottom_up_share; /* bottom-up after a frontier of more than 1 / share of the edges; 0: never */
    uint32_t back_share;      /* top-down after a bottom-up level that finds less than 1 / share of the rows */
    bool marks;               /* whether a top-down level of many edges only marks */
};
static const struct policy policies[] = {
    {32, 256, true}, {64, 4096, true}, {16, 4096, true}, {16, 64, false}, {4, 64, false}, {0, 64, false},
};
#define NUM_PROBES       2u         /* searches by which a policy is judged */
#define PROBE_FROM_EDGES (1u << 16) /* on smaller graphs it would cost more than it could save */

/* Whether a count has room for all rows and all edges; else levels must not queue all that there is. */
static bool counts_fit(const struct state *state)
{
    return bit_length(state->out.num_vertices) + bit_length(state->out.num_edges | 1) <= 64;
}

/* What the options and the size of the graph say; mind the queue: a level finds no more rows than it has edges. */
/* A policy is followed as far as options leave a choice. */
static void apply_policy(struct run *run, const struct policy *policy)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    uint64_t above = (uint64_t)run->options[MARK_ABOVE_OPTION], least = state->num_ids / MARK_SHARE;
    bool may = state->bottom_up && rules->direction != DIRECTION_TOP_DOWN, must = !counts_fit(state);
    bool marks = (may && (policy->marks || above == 0)) || (state->bottom_up && must);
    rules->mark_above = !marks ? UINT64_MAX : above > 0 && above < least ? least : above;
    rules->bottom_up_above =
        policy->bottom_up_share == 0 ? UINT64_MAX : state->out.num_edges / policy->bottom_up_share;
    rules->back_below = state->num_ids / policy->back_share;
}

/* Keeps the policy by which searches from a few vertices, evenly spread over the rows, take the least time. */
template <typename offset_t>
static int choose_policy(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    uint64_t least = UINT64_MAX;
    for (const struct policy &policy : policies) {
        uint64_t elapsed_ns = 0, one = 0;
        apply_policy(run, &policy);
        for (unsigned probe = 0; probe < NUM_PROBES; probe++) {
            vertex_t id = (vertex_t)((uint64_t)state->num_ids * (2 * probe + 1) / (2 * NUM_PROBES)), source = id;
            if ((state->input_of != NULL && gpu_download(&source, state->input_of + id, 1, error) != STATUS_OK) ||
                launch<offset_t>(run, source) != STATUS_OK ||
                gpu_check_barrier(state->barrier, "bfs stream", error) != STATUS_OK ||
                gpu_download(&one, &state->handover->elapsed_ns, 1, error) != STATUS_OK)
                return error->status;
            elapsed_ns += one;
        }
        state->policy = elapsed_ns < least ? &policy : state->policy;
        least = elapsed_ns < least ? elapsed_ns : least;
    }
    apply_policy(run, state->policy);
    return STATUS_OK;
}

} // namespace BACKEND::stream
