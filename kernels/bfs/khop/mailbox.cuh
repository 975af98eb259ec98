/* mailbox.cuh: how blocks exchange items, without a barrier and without a queue in global memory.
 *
 * Blocks send each other messages (device/mailbox.cuh). A message says how many items the block has pushed, and
 * carries one of them: item i goes to block (i + rotation) % blocks. Items beyond one per block go through an
 * overflow area that the receivers read. After an exchange, all blocks know the same numbers and make the same
 * decisions: whether to advance to the next bucket, and when to stop.
 *
 * By the argument for the slots, epochs of the same parity may reuse the overflow area.
 *
 * Memory order. The level of a pushed item is in L2 already, because the atomic that lowered it has returned.
 * Blocks need to see nothing else: index and rows are constant, and writes of inner entries may arrive late. So
 * messages need no fence, with two exceptions. The first message must follow the reset of all levels. A message
 * whose items are in the overflow area must follow these items: sender and receiver each have a fence for that. */
#pragma once

#include "items.cuh"

namespace BACKEND::khop
{

/* Item i of `block` in the overflow area. */
static __device__ __forceinline__ uint64_t *overflow_of(const struct search &search, uint32_t epoch, unsigned block,
                                                        uint32_t i)
{
    return search.overflow + (((size_t)(epoch % 2) * gridDim.x + block) * MAX_LIST_SIZE + i) * 2;
}

/* The two words of a message: fields and their widths in bits
 *   vertex 32 | number pushed 16 | flags 8 | tag 8
 *   first unit 32 | units 8 | radius 8 | level - base 8 | tag 8 */
static __device__ __forceinline__ uint64_t first_word(const struct item &item, uint32_t number, uint32_t flags,
                                                      uint32_t epoch)
{
    return (uint64_t)item.vertex << 32 | number << 16 | flags << 8 | tag_of(epoch);
}

static __device__ __forceinline__ uint64_t second_word(const struct item &item, uint32_t base, uint32_t epoch)
{
    return (uint64_t)item.first << 32 | item.units_radius >> RADIUS_BITS << 24 |
           (item.units_radius & RADIUS_MASK) << 16 | (item.level - base) << 8 | tag_of(epoch);
}

static __device__ __forceinline__ struct item item_in(const uint64_t (&words)[2], uint32_t base)
{
    uint32_t low = (uint32_t)words[1];
    return {(vertex_t)(words[0] >> 32), (uint32_t)(words[1] >> 32),
            low >> 24 << RADIUS_BITS | (low >> 16 & RADIUS_MASK), base + (low >> 8 & 0xff)};
}

/* Sends this block's pushed items to all blocks. */
static __device__ __forceinline__ void send(const struct search &search, struct shared *shared,
                                            const struct round &round)
{
    uint32_t epoch = round.epoch, number = shared->outgoing[epoch % 2].number;
    uint32_t flags = shared->outgoing[epoch % 2].flags;
    number = flags & LOST ? 0 : number;
    flags |= number > 0 || round.keeps || (flags & LOST) ? ANY : 0;
    const struct item none = {NO_VERTEX, 0, 0, round.base};
    if (RARELY(number > gridDim.x)) {
        for (uint32_t i = gridDim.x + threadIdx.x; i < number; i += blockDim.x) {
            const struct item item = shared->pushed[i];
            store_pair(overflow_of(search, epoch, blockIdx.x, i), first_word(item, 0, 0, epoch),
                       second_word(item, round.base, epoch));
        }
        __syncthreads();
    }
    for (unsigned to = threadIdx.x; to < gridDim.x; to += blockDim.x) {
        uint32_t i = (to - rotation(blockIdx.x, epoch)) & (gridDim.x - 1);
        struct item item = none;
        if (i < number)
            item = shared->pushed[i];
        if (RARELY(number > gridDim.x))
            __threadfence(); /* the items in the overflow area before the message */
        store_pair(slot_of(search.mailboxes, epoch, to, blockIdx.x), first_word(item, number, flags, epoch),
                   second_word(item, round.base, epoch));
    }
}

/* Takes this block's items from a message and from the overflow area. Returns the message's flags. */
template <typename word_t, unsigned unroll>
static __device__ __forceinline__ uint32_t take_message(const struct search &search, struct shared *shared,
                                                        const struct round &round, unsigned from,
                                                        uint64_t (&words)[2])
{
    uint32_t number = (uint32_t)words[0] >> 16, flags = (uint32_t)words[0] >> 8 & 0xff;
    uint32_t i = (blockIdx.x - rotation(from, round.epoch)) & (gridDim.x - 1);
    if (i < number)
        take<word_t, unroll>(search, shared, round, item_in(words, round.base));
    if (RARELY(number > gridDim.x)) {
        __threadfence(); /* the message before the items in the overflow area */
        for (i += gridDim.x; i < number; i += gridDim.x) {
            const uint64_t *item = overflow_of(search, round.epoch, from, i);
            words[0] = __ldcg(&item[0]);
            words[1] = __ldcg(&item[1]);
            take<word_t, unroll>(search, shared, round, item_in(words, round.base));
        }
    }
    return flags;
}

/* Receives from all blocks. Returns the union of all messages' flags to all threads. */
template <typename word_t, unsigned unroll>
static __device__ __forceinline__ uint32_t receive(const struct search &search, struct shared *shared,
                                                   const struct round &round)
{
    uint32_t *received = &shared->received[round.epoch % 2], flags = 0;
    unsigned warp_first = threadIdx.x - lane_id();
    for (unsigned first = warp_first; first < gridDim.x; first += blockDim.x) {
        uint64_t words[1][2];
        unsigned from = first + lane_id();
        if (!wait_for_some(search.mailboxes, from, round.epoch, words))
            flags |= BROKEN;
        else if (from < gridDim.x)
            flags |= take_message<word_t, unroll>(search, shared, round, from, words[0]);
    }
    if (warp_first < gridDim.x) {
        flags = __reduce_or_sync(WHOLE_WARP, flags);
        if (lane_id() == 0 && flags != 0)
            atomicOr_block(received, flags);
    }
    __syncthreads();
    return *received;
}

} // namespace BACKEND::khop
