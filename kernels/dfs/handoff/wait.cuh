/* wait.cuh: how a warp without work waits for mail, for a chunk, or for the end.
 *
 * Between two looks it sleeps. Warps that wait without sleep take as many cycles from their multiprocessor as those
 * that work: 29 of 32 waiting warps, each with 35 instructions in 240 cycles, would leave nothing to a last one. */
#pragma once

#include "queue.cuh"

namespace BACKEND::handoff
{

#define SEEK_NS 20u /* nanoseconds of sleep of a warp with a ticket */
#define TICKETS 2u  /* the most that warps of a block hold at the same time */

/* Whether the waiting warp may draw a ticket: its block holds too few, and no warp has cleared its bit to
 * give it entries. Called by one lane. */
static __device__ bool may_seek(struct post *post, unsigned index)
{
    if (load_volatile(&post->seekers) >= TICKETS)
        return false;
    if (atomicAdd(&post->seekers, 1u) < TICKETS && (atomicAnd(&post->idle, ~(1u << index)) >> index & 1))
        return true;
    atomicSub(&post->seekers, 1u);
    return false;
}

/* Waits until there are entries in the ring of the warp, whose stack is empty. False: the traversal is over. For the
 * order of these accesses see mailbox.cuh and queue.cuh. */
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
    __syncwarp(); /* a shuffle orders no memory: the acquire before the loads of all lanes */
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
