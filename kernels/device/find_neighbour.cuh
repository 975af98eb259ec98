/* find_neighbour.cuh: searches a list for a neighbour with some property, first by one lane, then by its warp. */
#pragma once

#include "list_units.cuh"

namespace BACKEND
{

#define TRIED_AT_ONCE 4u /* neighbours that a lane checks per step */
#define STEPS_BY_LANE 4u /* default for the steps of a lane before its warp helps */

/* For each lane, searches the edges edge .. end - 1 for a neighbour with holds(neighbour, fetch(neighbour), wanted).
 * fetch is also called with NO_VERTEX for missing neighbours. Returns a neighbour found, not always the first in the
 * list, or NO_VERTEX. If a lane finds none in steps_by_lane steps, the whole warp searches its list, one lane's list
 * after another; each such step decrements `steps`, and the search ends at 0. On return, `edge` is the first edge
 * that was not checked. All lanes of the warp must call it. In other lists than a CSR's, edge and end count units. */
template <unsigned steps_by_lane = STEPS_BY_LANE, typename targets_t, typename offset_t>
DEVICE vertex_t find_neighbour(const targets_t &targets, offset_t &edge, offset_t end, uint32_t wanted, uint32_t &steps,
                               auto fetch, auto holds)
{
    const unsigned unit = units_of<targets_t>::targets, units = TRIED_AT_ONCE / unit; /* units: of a step */
    vertex_t match = NO_VERTEX;
    auto try_some = [&](offset_t from, offset_t last, unsigned stride, uint32_t owner_wanted) {
        vertex_t neighbours[TRIED_AT_ONCE], hit = NO_VERTEX;
        uint32_t words[TRIED_AT_ONCE];
        bool there[TRIED_AT_ONCE];
#pragma unroll
        for (unsigned i = 0; i < units; i++)
            load_unit(targets, (offset_t)(from + i * stride), from + i * stride < last, &neighbours[i * unit],
                      &there[i * unit]);
#pragma unroll
        for (unsigned i = 0; i < TRIED_AT_ONCE; i++)
            words[i] = fetch(neighbours[i]);
#pragma unroll
        for (unsigned i = 0; i < TRIED_AT_ONCE; i++)
            if (neighbours[i] != NO_VERTEX && holds(neighbours[i], words[i], owner_wanted))
                hit = neighbours[i];
        return hit;
    };
    for (unsigned step = 0; step < steps_by_lane && edge < end && match == NO_VERTEX; step++, edge += units)
        match = try_some(edge, end, 1, wanted);
    unsigned left = __ballot_sync(WHOLE_WARP, edge < end && match == NO_VERTEX);
    for (; left != 0 && steps > 0; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        offset_t at = __shfl_sync(WHOLE_WARP, edge, owner), last = __shfl_sync(WHOLE_WARP, end, owner);
        uint32_t owner_wanted = __shfl_sync(WHOLE_WARP, wanted, owner);
        vertex_t found = NO_VERTEX;
        for (; at < last && found == NO_VERTEX && steps > 0; at += units * WARP_SIZE, steps--) {
            vertex_t hit = try_some((offset_t)(at + lane_id()), last, WARP_SIZE, owner_wanted);
            unsigned hits = __ballot_sync(WHOLE_WARP, hit != NO_VERTEX);
            if (hits != 0)
                found = __shfl_sync(WHOLE_WARP, hit, __ffs((int)hits) - 1);
        }
        if ((int)lane_id() == owner) {
            match = found;
            edge = at;
        }
    }
    return match;
}

} // namespace BACKEND
