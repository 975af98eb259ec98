/* policies.h: chooses by measurement among policies, as when to change direction. Which one is the fastest depends on
 * the structure of the graph, and cost models were wrong by factors. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND
{

#define PROBE_FROM_EDGES (1u << 16) /* on smaller graphs the measurement costs more than it can save */

/* Returns the index of the policy whose searches take the least time: num_probes of each, fewer if it is behind.
 * After most_ns nanoseconds no other policy is tried. search_ns(policy, probe): searches under the policy, and
 * returns the nanoseconds. */
static unsigned fastest_policy(unsigned num_policies, unsigned num_probes, uint64_t most_ns, auto search_ns)
{
    uint64_t least = UINT64_MAX, all_ns = 0;
    unsigned best = 0;
    for (unsigned policy = 0; policy < num_policies && all_ns < most_ns; policy++) {
        uint64_t elapsed_ns = 0;
        for (unsigned probe = 0; probe < num_probes && elapsed_ns < least; probe++)
            elapsed_ns += search_ns(policy, probe);
        all_ns += elapsed_ns;
        best = elapsed_ns < least ? policy : best;
        least = elapsed_ns < least ? elapsed_ns : least;
    }
    return best;
}

} // namespace BACKEND
