/* warp.cuh: sums over a warp, and appending to a queue by a warp. All lanes of the warp must call each function. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND
{

/* Returns the sum over the lane's group of consecutive lanes. lanes: the size of the group, a power of two. */
template <unsigned lanes = WARP_SIZE, typename type>
DEVICE type warp_sum(type value)
{
#pragma unroll
    for (unsigned step = lanes / 2; step > 0; step /= 2)
        value += __shfl_xor_sync(WHOLE_WARP, value, (int)step);
    return value;
}

/* Returns the sum over this lane and the lanes before it. */
template <typename type>
DEVICE type warp_inclusive_sum(type value)
{
#pragma unroll
    for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
        type left = __shfl_up_sync(WHOLE_WARP, value, step);
        value += lane_id() >= step ? left : 0;
    }
    return value;
}

/* Returns the sum over the lanes before this one. */
template <typename type>
DEVICE type warp_exclusive_sum(type value)
{
    return warp_inclusive_sum(value) - value;
}

/* Returns the number of lanes before this one whose bit is set in the mask. */
DEVICE uint32_t lanes_before(unsigned mask)
{
    return (uint32_t)__popc(mask & lanes_below(lane_id()));
}

/* Appends the lanes' elements to a queue with *count entries: calls put(i, place) for each i with has[i]. One atomic
 * reserves places for the whole warp. It returns the old count, so no other warp gets the same places. */
template <unsigned number, typename count_t>
DEVICE void warp_append(count_t *count, const bool (&has)[number], auto put)
{
    unsigned masks[number], total = 0;
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        masks[i] = __ballot_sync(WHOLE_WARP, has[i]);
        total += __popc(masks[i]);
    }
    if (total == 0)
        return;
    count_t place = lane_id() == 0 ? atomicAdd(count, (count_t)total) : 0;
    place = __shfl_sync(WHOLE_WARP, place, 0);
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        if (has[i])
            put(i, place + lanes_before(masks[i]));
        place += __popc(masks[i]);
    }
}

} // namespace BACKEND
