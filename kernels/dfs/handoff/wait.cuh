/* wait.cuh: how a warp without work waits for mail, for a chunk, or for the end.
 *
 * It sleeps between two polls. Waiting warps that do not sleep take as many issue slots as working warps: if 29 of 32
 * warps waited, each with 35 instructions in 240 cycles, there would be nothing left for the last one. */
#pragma once

#include "queue.cuh"

namespace BACKEND::handoff
{

#define SEEK_NS 20u /* ns that a warp with a ticket sleeps between polls */
#define TICKETS 2u  /* limit on tickets that the warps of a block hold at the same time */

/* Returns whether the waiting warp may draw a ticket: its block does not hold enough, and no warp has cleared this
 * warp's idle bit to give it entries. Called by one lane. */
static __device__ bool may_seek(struct post *post, unsigned index)
{
    if (load_volatile(&post->seekers) >= TICKETS)
        return false;
    if (atomicAdd(&post->seekers, 1u) < TICKETS && (atomicAnd(&post->idle, ~(1u << index)) >> index & 1))
        return true;
    atomicSub(&post->seekers, 1u);
    return false;
}

/* Waits until the warp's ring, which is empty, has entries. Returns false if the traversal is over. See mailbox.cuh
 * and queue.cuh for the order of these accesses. */
template <typename entry_t>
static __device__ bool wait_for_work(const struct search<entry_t> &search, struct warp<entry_t> &warp)
{
    enum { NOTHING, MAIL, CHUNK_SERVED, OVER } found = NOTHING;
    struct post *post = warp.post;
    const struct queue<entry_t> &queue = search.queue;
    uint32_t ticket = 0;
    bool seeking = false;
    __syncwarp();
    if (lane_id() == 0) {
        __threadfence_block();
        atomicOr(&post->idle, 1u << warp.index);
        for (uint64_t polls = 0; found == NOTHING; polls++) {
            if (!seeking && load_volatile(&post->mail[warp.index]) != 0)
                found = MAIL;
            else if (!seeking && load_volatile(&post->done))
                found = OVER;
            else if (!seeking && may_seek(post, warp.index)) {
                seeking = true;
                ticket = atomicAdd(&queue.words->head, 1u);
            } else if (seeking && load_acquire(&queue.sequence[ticket & (queue.capacity - 1)]) == ticket + 1) {
                atomicAdd(&post->busy, HIGH_ONE + 1);
                atomicSub(&post->seekers, 1u);
                found = CHUNK_SERVED;
            } else if (seeking && load_volatile(&queue.words->done)) {
                store_volatile(&post->done, 1u);
                found = OVER;
            } else if (polls >= search.patience) {
                give_up(queue, WAITED_FOR_WORK);
                store_volatile(&post->done, 1u);
            } else {
                __nanosleep(seeking ? SEEK_NS : search.poll_ns);
            }
        }
    }
    int what = __shfl_sync(WHOLE_WARP, (int)found, 0);
    __syncwarp(); /* orders the acquire before the loads of all lanes; shuffles do not */
    if (what == CHUNK_SERVED) {
        take_from_queue(search, warp, __shfl_sync(WHOLE_WARP, ticket, 0));
    } else if (what == MAIL) {
        warp.bottom = 0;
        warp.top = __shfl_sync(WHOLE_WARP, lane_id() == 0 ? load_volatile(&post->mail[warp.index]) : 0, 0);
        __threadfence_block();
        if (lane_id() == 0)
            store_volatile(&post->mail[warp.index], 0u);
    }
    __syncwarp();
    return what != OVER;
}

} // namespace BACKEND::handoff
