/* stack.cuh: a warp's stack.
 *
 * The ring holds the entries bottom .. top - 1. Both numbers only grow and are masked to index the ring. When the
 * ring is full, its oldest entries move to the warp's cold area in global memory; when that is full too, they move to
 * the queue. Entries of the cold area return when the ring is empty. Only the owner reads and writes its ring and
 * cold area, except that another warp may fill the empty ring of a waiting warp (mailbox.cuh). */
#pragma once

#include "mailbox.cuh"
#include "queue.cuh"

namespace BACKEND::handoff
{

#define POLL_HUNGRY 2u /* calls of tend_stack between two polls of the queue, if a block waits for a chunk */
#define POLL_FED    8u /* calls of tend_stack between two polls, if no block waited */

template <typename entry_t>
DEVICE bool is_empty(const struct warp<entry_t> &warp)
{
    return warp.top == warp.bottom && warp.num_cold == 0;
}

/* Reserves an entry for each lane in `pushing`, which all lanes must pass alike. Returns the entry of lane `owner`,
 * which may be read after the next __syncwarp. */
template <typename entry_t>
DEVICE entry_t *push(const struct search<entry_t> &search, struct warp<entry_t> &warp, unsigned pushing, unsigned owner)
{
    uint32_t at = warp.top + (uint32_t)__popc(pushing & lanes_below(owner));
    warp.top += (uint32_t)__popc(pushing);
    return &warp.ring[at & (search.ring_size - 1)];
}

/* Pops the newest entries, as far as there are any, for the walkers whose first lanes are in `wanting`. Returns the
 * entry of this lane's walker, or NULL. The entry must be read before the next __syncwarp. */
template <typename entry_t>
DEVICE const entry_t *pop(const struct search<entry_t> &search, struct warp<entry_t> &warp, unsigned wanting)
{
    if (warp.top == warp.bottom && warp.num_cold > 0) { /* refill */
        uint32_t count = warp.num_cold < CHUNK ? warp.num_cold : CHUNK;
        warp.num_cold -= count;
        if (lane_id() < count)
            warp.ring[(warp.top + lane_id()) & (search.ring_size - 1)] = warp.cold[warp.num_cold + lane_id()];
        warp.top += count;
        __syncwarp();
    }
    uint32_t count = warp.top - warp.bottom, wanted = (uint32_t)__popc(wanting), newest = warp.top - 1;
    uint32_t rank = (uint32_t)__popc(wanting & lanes_below(warp.base));
    warp.top -= wanted < count ? wanted : count;
    if (!(wanting >> warp.base & 1) || rank >= count)
        return NULL;
    return &warp.ring[(newest - rank) & (search.ring_size - 1)];
}

/* Runs after a step: hands over entries that other warps wait for, and makes room for most_pushed entries. */
template <typename entry_t>
DEVICE void tend_stack(const struct search<entry_t> &search, struct warp<entry_t> &warp, uint32_t most_pushed)
{
    uint32_t count = warp.top - warp.bottom;
    if (count == 0)
        return;
    uint32_t spare = count < CHUNK ? count : CHUNK;
    uint32_t idle = __shfl_sync(WHOLE_WARP, load_volatile(&warp.post->idle), 0);
    if (idle != 0) {
        give_to_neighbours(search, warp, idle, spare);
    } else {
        if (warp.polls-- == 0) {
            warp.hungry = __shfl_sync(WHOLE_WARP, lane_id() == 0 && is_hungry(search.queue.words), 0);
            warp.polls = warp.hungry ? POLL_HUNGRY : POLL_FED;
        }
        if (warp.hungry) {
            give_to_queue(search, warp, spare);
            warp.hungry = false;
        }
    }
    while (warp.top - warp.bottom > search.ring_size - most_pushed) { /* flush */
        if (warp.num_cold + CHUNK > search.cold_size) {
            give_to_queue(search, warp, CHUNK);
            continue;
        }
        warp.cold[warp.num_cold + lane_id()] = warp.ring[(warp.bottom + lane_id()) & (search.ring_size - 1)];
        warp.num_cold += CHUNK;
        warp.bottom += CHUNK;
        __syncwarp();
    }
}

} // namespace BACKEND::handoff
