/* queue.cuh: hand-over between blocks, by a ring of chunks of up to 32 entries.
 *
 * Giving. A fetch-add on the upper half of queue.tail_outstanding takes the next position. The giver writes the chunk
 * and sets its sequence number to position + 1 with release.
 *
 * Taking. A fetch-add on queue.head draws a ticket. Only the warp that drew it waits, with acquire, until the
 * sequence number of its chunk is ticket + 1. It reads the chunk and sets the number to ticket + capacity with
 * release, which frees the slot for the next round. A position is given once and drawn once, so no entry is lost or
 * processed twice.
 *
 * Searches. Positions continue from search to search. When a search ends, all chunks that were given have been taken,
 * so every slot is free for its next position. The warp that detects the end writes the words of the next search,
 * which starts at the first position that was not given.
 *
 * Capacity. An entry is the remainder of one list (or half of a list that was split), so all entries together fit in
 * full chunks. Partly filled chunks go to waiting blocks; there are at most as many of them as waiting blocks plus
 * warps that give at the same time. Even so, the wait for a slot is bounded. */
#pragma once

#include "state.cuh"

namespace BACKEND::handoff
{

/* Aborts the traversal because a wait took too long. */
template <typename entry_t>
static __device__ void give_up(const struct queue<entry_t> &queue, enum broken why)
{
    atomicCAS(queue.broken, 0u, (uint32_t)why);
    store_volatile(&queue.words->done, 1u);
}

/* Moves the warp's `count` oldest entries, at most CHUNK, to the queue. */
template <typename entry_t>
static __device__ void give_to_queue(const struct search<entry_t> &search, struct warp<entry_t> &warp, uint32_t count)
{
    const struct queue<entry_t> &queue = search.queue;
    uint32_t position = 0;
    bool free = false;
    if (lane_id() == 0) {
        position = (uint32_t)(atomicAdd(&queue.words->tail_outstanding, HIGH_ONE + 1) >> 32);
        for (uint32_t polls = 0; !free; polls++) {
            free = load_acquire(&queue.sequence[position & (queue.capacity - 1)]) == position;
            if (!free && (polls >= MOST_POLLS || load_volatile(queue.broken))) {
                give_up(queue, WAITED_FOR_ROOM);
                break;
            }
        }
    }
    position = __shfl_sync(WHOLE_WARP, position, 0);
    uint32_t slot = position & (queue.capacity - 1);
    if (__shfl_sync(WHOLE_WARP, (int)free, 0)) {
        __syncwarp(); /* orders lane 0's acquire before the stores of all lanes */
        entry_t *entry = &queue.entries[(size_t)slot * CHUNK + lane_id()];
        if (lane_id() < count)
            *entry = warp.ring[(warp.bottom + lane_id()) & (search.ring_size - 1)];
        else
            entry->vertex = NO_VERTEX;
        __syncwarp();
        if (lane_id() == 0)
            store_release(&queue.sequence[slot], position + 1);
    }
    warp.bottom += count; /* if there was no room, the entries are lost, and the traversal is aborted */
    __syncwarp();
}

/* Reads the filled chunk of this warp's ticket into the warp's empty ring. */
template <typename entry_t>
static __device__ void take_from_queue(const struct search<entry_t> &search, struct warp<entry_t> &warp,
                                       uint32_t ticket)
{
    const struct queue<entry_t> &queue = search.queue;
    uint32_t slot = ticket & (queue.capacity - 1);
    const uint64_t *from = (const uint64_t *)&queue.entries[(size_t)slot * CHUNK + lane_id()];
    uint64_t *to = (uint64_t *)&warp.ring[lane_id()];
#pragma unroll
    for (unsigned i = 0; i < sizeof(entry_t) / sizeof(uint64_t); i++)
        to[i] = __ldcg(&from[i]);
    warp.bottom = 0;
    warp.top = (uint32_t)__popc(__ballot_sync(WHOLE_WARP, warp.ring[lane_id()].vertex != NO_VERTEX));
    __syncwarp(); /* orders the loads of all lanes before the release; ballots do not */
    if (lane_id() == 0)
        store_release(&queue.sequence[slot], ticket + queue.capacity);
}

/* Returns whether some block holds a ticket for which no chunk has been given yet. */
DEVICE bool is_hungry(const struct queue_words *words)
{
    uint32_t tail = (uint32_t)(load_volatile(&words->tail_outstanding) >> 32);
    return (int32_t)(tail - load_volatile(&words->head)) < 0;
}

} // namespace BACKEND::handoff
