/* policies.h: chooses among the policies of one algorithm by measurement; a policy says, for example, when to change
 * direction. The fastest policy depends on the structure of the graph; cost models were wrong by factors. */
#pragma once

#include <algorithm>

#include "../backend/backend.h"

namespace BACKEND
{

#define PROBE_FROM_EDGES (1u << 16) /* on smaller graphs the measurement costs more than it can save */
#define NUM_PROBES       8u         /* largest number of rounds */
#define LEAST_ROUNDS_MS  2.0        /* no round begins after this time, */
#define EDGE_ROUNDS_MS   2e-7       /* or after this time per edge, if that is more */

/* Returns the time in ms after which fastest_policy begins no round. */
static inline double policies_ms(double num_edges)
{
    return std::max(LEAST_ROUNDS_MS, num_edges * EDGE_ROUNDS_MS);
}

/* Returns the index of the policy whose searches take the least time. In each of up to NUM_PROBES rounds, every
 * remaining policy runs one search. A policy is dropped when its searches have taken 1 + 1 / (2 * round) times as
 * long as the best policy's: 1.5 after the first round, 1.06 after the eighth. tries_all: the first round tries all
 * policies; otherwise none is tried for the first time after policies_ms. A search before the first round only warms
 * the caches. search_ns(policy, probe): runs a search with the policy, and returns the nanoseconds. */
template <unsigned num_policies>
static unsigned fastest_policy(edge_t num_edges, bool tries_all, auto search_ns)
{
    const uint64_t rounds_ns = (uint64_t)(1e6 * policies_ms((double)num_edges));
    uint64_t sums_ns[num_policies] = {}, limit_ns = UINT64_MAX - 1, all_ns = search_ns(0, 0);
    unsigned best = 0, num_left = num_policies;
    for (unsigned probe = 0; probe < NUM_PROBES && num_left > 1 && (probe == 0 || all_ns < rounds_ns); probe++) {
        for (unsigned policy = num_left = 0; policy < num_policies; policy++) {
            bool is_late = probe == 0 && policy > 0 && !tries_all && all_ns >= rounds_ns;
            bool is_out = sums_ns[policy] > limit_ns || is_late;
            uint64_t elapsed_ns = is_out ? 0 : search_ns(policy, probe);
            sums_ns[policy] = is_out ? UINT64_MAX : sums_ns[policy] + elapsed_ns;
            all_ns += elapsed_ns;
            num_left += !is_out;
        }
        best = (unsigned)(std::min_element(sums_ns, sums_ns + num_policies) - sums_ns);
        limit_ns = sums_ns[best] + sums_ns[best] / (2 * (probe + 1));
    }
    return best;
}

} // namespace BACKEND
