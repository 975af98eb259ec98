/* policies.h: chooses among the policies of one algorithm by measurement; a policy says, for example, when to change
 * direction. The fastest policy depends on the structure of the graph; cost models were wrong by factors. */
#pragma once

#include <algorithm>

#include "../backend/backend.h"

namespace BACKEND
{

#define PROBE_FROM_EDGES (1u << 16) /* on smaller graphs the measurement costs more than it can save */

/* Returns the index of the policy whose searches take the least time. In each of up to num_probes rounds, every
 * remaining policy runs one search. A policy is dropped when its searches took 1.5 times as long as the best
 * policy's. After most_ns nanoseconds in total, no policy is tried for the first time, and the current round is the
 * last. A search before the first round only warms the caches. search_ns(policy, probe): runs a search with the
 * policy, and returns the nanoseconds. */
template <unsigned num_policies>
static unsigned fastest_policy(unsigned num_probes, uint64_t most_ns, auto search_ns)
{
    uint64_t sums_ns[num_policies] = {}, limit_ns = UINT64_MAX - 1, all_ns = search_ns(0, 0);
    unsigned best = 0, num_left = num_policies;
    for (unsigned probe = 0; probe < num_probes && num_left > 1 && (probe == 0 || all_ns < most_ns); probe++) {
        for (unsigned policy = num_left = 0; policy < num_policies; policy++) {
            bool is_out = sums_ns[policy] > limit_ns || (probe == 0 && policy > 0 && all_ns >= most_ns);
            uint64_t elapsed_ns = is_out ? 0 : search_ns(policy, probe);
            sums_ns[policy] = is_out ? UINT64_MAX : sums_ns[policy] + elapsed_ns;
            all_ns += elapsed_ns;
            num_left += !is_out;
        }
        best = (unsigned)(std::min_element(sums_ns, sums_ns + num_policies) - sums_ns);
        limit_ns = sums_ns[best] + sums_ns[best] / 2;
    }
    return best;
}

} // namespace BACKEND
