/* policies.cuh: chooses by measurement when levels change their kind.
 *
 * Which direction pays off, and when a level is too large for lists, depends on the structure of the graph. So the
 * preparation runs searches from a few sources under each policy, and keeps the fastest policy. */
#pragma once

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
#define NUM_POLICIES     (sizeof policies / sizeof policies[0])
#define NUM_PROBES       4u         /* searches per policy */
#define MOST_PROBED_NS   8000000ull /* after so many nanoseconds no other policy is tried */
#define PROBE_FROM_EDGES (1u << 16) /* on smaller graphs the measurement costs more than it can save */

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
    uint64_t least = UINT64_MAX, all_ns = 0;
    vertex_t sources[NUM_PROBES];
    for (uint32_t probe = 0; probe < NUM_PROBES; probe++) {
        uint32_t place = (uint32_t)((uint64_t)state->prepared.num_ids * (2 * probe + 1) / (2 * NUM_PROBES));
        uint32_t vertex = vertex_at(place, state->prepared.num_words, state->prepared.spread);
        gpu_download(&sources[probe], state->prepared.input_of + vertex, 1, error);
    }
    for (size_t i = 0; i < NUM_POLICIES && all_ns < MOST_PROBED_NS; i++) {
        const struct policy *policy = &policies[run->graph->symmetric ? i : NUM_POLICIES - 1 - i];
        uint64_t elapsed_ns = 0, one;
        apply_policy(run, policy);
        for (uint32_t probe = 0; probe < NUM_PROBES && error->status == STATUS_OK && elapsed_ns < least; probe++) {
            launch(run, sources[probe]);
            check_waits(run);
            gpu_download(&one, state->search.elapsed_ns, 1, error);
            elapsed_ns += one;
            all_ns += one;
        }
        state->policy = elapsed_ns < least ? policy : state->policy;
        least = elapsed_ns < least ? elapsed_ns : least;
    }
    apply_policy(run, state->policy);
    return error->status;
}

} // namespace BACKEND::slices
