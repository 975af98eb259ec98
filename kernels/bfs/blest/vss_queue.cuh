/* vss_queue.cuh: Blest's queue of virtual slice sets (VSSs): how warps append to it and how they share it. Used by
 * the single-source and the multi-source BFS. */
#pragma once

#include "../../device/bitmap.cuh"
#include "../../device/grid_barrier.cuh"
#include "../../device/ids.cuh"
#include "../../device/warp.cuh"
#include "../../graph/bvss.h"

namespace BACKEND::blest
{

/* Counts are used in rotation, one per level (../../device/grid_barrier.cuh). A level's count is vertices found << 32
 * | VSSs queued. Neither half overflows, since a set is queued at most once per level. Only lazy updates and
 * BerryBees count the vertices found. */
#define MOST_THREADS 512 /* threads of a block */
#define MANY_VSS     8u  /* the whole warp queues a set with more VSSs */

/* A slice set and its VSSs first .. end - 1, to be queued. */
struct range {
    uint32_t set, first, end;
};

/* Queues the ranges of all lanes, and adds all lanes' `found` to the vertices found in *count. One atomic addition
 * does both. All lanes of the warp must call it. */
template <unsigned number>
DEVICE void enqueue(uint2 *queue, uint64_t *count, uint32_t found, const struct range (&ranges)[number])
{
    uint32_t mine = 0;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        mine += ranges[i].end - ranges[i].first;
    uint32_t all = __reduce_add_sync(WHOLE_WARP, mine), all_found = __reduce_add_sync(WHOLE_WARP, found);
    if (all == 0 && all_found == 0)
        return;
    uint32_t position = 0;
    if (lane_id() == 0)
        position = (uint32_t)atomicAdd(count, (uint64_t)all_found << 32 | all);
    uint32_t before = warp_exclusive_sum(mine); /* computed while the atomic is in flight */
    position = __shfl_sync(WHOLE_WARP, position, 0) + before;
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        struct range range = ranges[i];
        uint32_t length = range.end - range.first;
        if (length <= MANY_VSS)
            for (uint32_t j = 0; j < length; j++)
                __stcg(&queue[position + j], make_uint2(range.first + j, range.set));
        for (unsigned many = __ballot_sync(WHOLE_WARP, length > MANY_VSS); many != 0; many &= many - 1) {
            int owner = __ffs((int)many) - 1;
            uint32_t set = __shfl_sync(WHOLE_WARP, range.set, owner), to = __shfl_sync(WHOLE_WARP, position, owner);
            uint32_t vss = __shfl_sync(WHOLE_WARP, range.first, owner);
            uint32_t all_of_set = __shfl_sync(WHOLE_WARP, length, owner);
            for (uint32_t j = lane_id(); j < all_of_set; j += WARP_SIZE)
                __stcg(&queue[to + j], make_uint2(vss + j, set));
        }
        position += length;
    }
}

/* Calls use(load(entry)) for this warp's entries of the queue. It loads the next entry before it uses this one, so
 * that the loads arrive while the warp works. An entry is a VSS and its slice set. Beyond the end of the queue,
 * the slice set is NO_VERTEX. */
DEVICE void for_each_entry(const uint2 *queue, uint32_t size, struct team team, auto load, auto use)
{
    auto entry_at = [&](uint64_t i) { return i < size ? __ldcg(&queue[i]) : make_uint2(0, NO_VERTEX); };
    uint64_t i = team.rank;
    auto tile = load(entry_at(i));
    uint2 entry = entry_at(i + team.size);
    for (; i < size; i += team.size) {
        auto next = load(entry);
        entry = entry_at(i + 2ull * team.size);
        use(tile);
        tile = next;
    }
}

} // namespace BACKEND::blest
