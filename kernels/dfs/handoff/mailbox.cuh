/* mailbox.cuh: hand-over within a block.
 *
 * Shared words: post.idle, with a bit for each warp that waits, and post.mail[w]. A warp sets its own bit when its
 * stack is empty. A warp that gives entries clears the bit with atomicAnd. If the bit was set, this giver alone may
 * write the ring of the waiting warp, and then its mail. Other lanes of the giver have written the ring. So the lane
 * that writes the mail first executes a __syncwarp and a fence; otherwise the mail could become visible before the
 * entries. The waiting warp polls its mail until it is set, executes a fence, and reads its ring. The ring is empty
 * when the warp sets its bit, and the warp does not touch it afterwards. To leave for the queue instead, a waiting
 * warp must clear its own bit; if another warp has cleared it, the waiting warp stays. So at most one warp gives to a
 * warp at a time, and only to a warp that will read its mail.
 *
 * The giver has no fence between its atomicAnd and its writes to the ring, as a fence would slow each step that
 * gives. The waiting warp has read its ring before it sets its bit (fence), and the giver's stores depend on that
 * bit. PTX has no rule for this case, but no GPU makes a store visible before the atomic that it depends on has
 * returned. */
#pragma once

#include "state.cuh"

namespace BACKEND::handoff
{

/* Distributes the `count` oldest entries, at most CHUNK, evenly over the rings of waiting warps. */
template <typename entry_t>
static __device__ void give_to_neighbours(const struct search<entry_t> &search, struct warp<entry_t> &warp,
                                          uint32_t idle, uint32_t count)
{
    struct post *post = warp.post;
    uint32_t walkers = WARP_SIZE / search.lanes, wanted = (count + walkers - 1) / walkers; /* wanted: warps */
    bool asks = (idle >> lane_id() & 1) && (uint32_t)__popc(idle & lanes_below(lane_id())) < wanted;
    bool serves = asks && (atomicAnd(&post->idle, ~(1u << lane_id())) >> lane_id() & 1);
    unsigned served = __ballot_sync(WHOLE_WARP, serves);
    uint32_t num_served = (uint32_t)__popc(served), first = 0, size = 0, mail = 0;
    if (num_served == 0)
        return;
    if (lane_id() == 0)
        atomicAdd(&post->busy, num_served);
    for (uint32_t rank = 0; rank < num_served; rank++, served &= served - 1, first += size) {
        unsigned to = (unsigned)__ffs((int)served) - 1;
        size = (count - first) / (num_served - rank);
        if (lane_id() < size)
            warp.rings[to * search.ring_size + lane_id()] =
                warp.ring[(warp.bottom + first + lane_id()) & (search.ring_size - 1)];
        mail = lane_id() == to ? size : mail;
    }
    __syncwarp();
    __threadfence_block();
    if (serves)
        store_volatile(&post->mail[lane_id()], mail);
    warp.bottom += count;
}

} // namespace BACKEND::handoff
