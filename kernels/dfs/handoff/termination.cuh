/* termination.cuh: the count of outstanding work, which ends the traversal.
 *
 * Every chunk in the queue is one unit of outstanding work: the fetch-add that takes its position also raises the
 * count, which is in the same word (queue.tail_outstanding). A warp that takes a chunk moves the unit to its block:
 * post.busy holds the block's units and its number of active warps, and one instruction adds both the unit and the
 * warp. A warp that hands entries to an idle warp first counts that warp as active. The warp that lowers its block's
 * active warps to 0 takes all units out of post.busy in the same compare-and-swap, and subtracts them from the
 * queue's count. The warp that lowers the count to 0 announces the end.
 *
 * So while any entry exists, a unit for it is counted: for its active block, or for its chunk. The count becomes 0
 * only after the last entry, and new work cannot appear without a unit. */
#pragma once

#include "state.cuh"

namespace BACKEND::handoff
{

/* Counts the warp as no longer active. The last active warp returns the block's units. Called by one lane. */
template <typename entry_t>
static __device__ void leave_work(struct post *post, const struct queue<entry_t> &queue)
{
    uint64_t old = load_volatile(&post->busy);
    for (;;) {
        bool is_last = (uint32_t)old == 1;
        uint64_t found = atomicCAS(&post->busy, old, is_last ? 0 : old - 1);
        if (found == old) {
            if (!is_last)
                return;
            uint64_t outstanding = old >> 32;
            __threadfence();
            uint64_t before = atomicAdd(&queue.words->tail_outstanding, 0 - outstanding);
            if ((uint32_t)before == outstanding) {
                begin_at(queue.next, (uint32_t)(before >> 32));
                store_volatile(&queue.words->done, 1u);
            }
            return;
        }
        old = found;
    }
}

} // namespace BACKEND::handoff
