/* policies.cuh: when levels change their kind: the direction that pays off, and the levels that are too large for
 * lists. The preparation keeps the fastest policy (common/policies.h). */
#pragma once

#include "../../common/policies.h"
#include "host_state.cuh"
#include "order.cuh"

namespace BACKEND::slices
{

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
#define NUM_PROBES     4u         /* searches per policy */
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

/* Keeps the policy whose searches from NUM_PROBES vertices, evenly spread over them, take the least time. Returns a
 * status and fills run->error. */
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
    unsigned best = fastest_policy(NUM_POLICIES, NUM_PROBES, MOST_PROBED_NS, [&](unsigned policy, unsigned probe) {
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
