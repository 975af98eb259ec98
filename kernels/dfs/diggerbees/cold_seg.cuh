/* cold_seg.cuh: the ColdSeg, which is the second level of a stack. flush() moves entries into it, refill() moves them
 * back, and push() calls flush() when the HotRing is full.
 *
 * Flush. The owner and a thief may both want the oldest entries of the HotRing. Both replace the whole word by
 * compare-and-swap, so only one of them succeeds. The owner replaces the word first and then copies. This is safe:
 * after the replacement no other warp takes these entries, and only the owner writes their slots. If a thief was
 * faster and the ring now has room, flush() does nothing.
 *
 * The owner writes entries into the ColdSeg before the atomicAdd that includes them, into slots outside [bottom,
 * top). So a thief that is copying either reads other slots, or holds an outdated word and will fail.
 *
 * Refill. The owner takes entries from the top before it copies them, by compare-and-swap, since thieves may leave
 * less than a batch. If a thief steals during a refill, only one of the two succeeds. A refill changes the version.
 * So a thief that was delayed across a refill and a flush fails even if top and bottom have their old values again.
 *
 * Bulk copies (section 3.3) need contiguous entries, in units of 16 bytes. Other entries are copied one per lane.
 * Every copy is complete before its entries are published or used. */
#pragma once

#include "hot_ring.cuh"
#include "overflow.cuh"

namespace BACKEND::diggerbees
{

/* Returns whether a bulk copy can move `number` slots of a ring of `size` slots, starting at slot `first`. */
DEVICE bool in_one_piece(uint32_t first, uint32_t number, uint32_t size)
{
    const uint32_t unit = 16 / sizeof(uint64_t);
    return HAS_CLUSTERS && first % unit == 0 && number % unit == 0 && (first & (size - 1)) + number <= size;
}

/* Copies `number` contiguous entries of a ColdSeg to the first slots of this warp's HotRing, which is empty. Returns
 * false if the copy does not end. */
static __device__ bool load_piece(const struct search &search, struct shared *shared, struct stack<true> *stack,
                                  const uint64_t *entries, uint32_t number)
{
    struct bulk_barrier *loaded = &shared->loaded[stack->warp];
    __threadfence_block();
    __syncwarp(); /* orders the lanes' last plain accesses to these slots before the copy */
    if (is_first_lane())
        bulk_load(loaded, stack->hot, entries, number * (unsigned)sizeof(uint64_t));
    if (bulk_wait(loaded, stack->num_loads++))
        return true;
    give_up(search.control, STUCK_IN_COPY);
    return false;
}

/* Copies the batch at `tail`, which flush() has already taken out of the HotRing, to the top of the ColdSeg. */
DEVICE void put_cold(const struct tuning &tuning, struct stack<true> *stack, uint32_t tail, uint32_t top)
{
    uint32_t number = tuning.batch_size, mask = tuning.cold_size - 1;
    cold_word::fence(); /* orders lane 0's accesses to the word before stores into slots that thieves have freed */
    __syncwarp();
    if (tuning.bulk && in_one_piece(tail, number, stack->hot_size) && in_one_piece(top, number, tuning.cold_size)) {
        if (is_first_lane()) {
            bulk_store(&stack->cold[top & mask], slot(stack, tail), number * (unsigned)sizeof(uint64_t));
            bulk_store_wait();
        }
    } else {
        for (uint32_t i = lane_id(); i < number; i += WARP_SIZE)
            __stcg(&stack->cold[(top + i) & mask], load_volatile(slot(stack, tail + i)));
    }
    __syncwarp();
    cold_word::fence();
    if (is_first_lane())
        atomicAdd(stack->cold_state, cold_word::push(number));
    stack->cold_count += number;
}

/* Section 3.2: the HotRing is full. Moves its oldest entries to the ColdSeg or to the overflow queue. */
template <bool two_level>
static __device__ void flush(const struct search &search, const struct tuning &tuning, struct stack<two_level> *stack)
{
    uint64_t cold = 0, word = 0;
    bool reserved = false, overflows = true;
    if (is_first_lane()) {
        if (two_level) {
            cold = load_volatile(stack->cold_state); /* now only thieves can change it, and they only make room */
            overflows = cold_word::count(cold) + tuning.batch_size > tuning.cold_size;
        }
        uint32_t number = overflows ? CHUNK : tuning.batch_size;
        do
            word = load_volatile(stack->hot_state);
        while (hot_word<two_level>::count(word) == stack->hot_size &&
               !(reserved = hot_word<two_level>::cas(stack->hot_state, word,
                                                     hot_word<two_level>::without_oldest(word, number))));
        stack->hot_count = hot_word<two_level>::count(word) - (reserved ? number : 0);
    }
    stack->hot_count = broadcast(stack->hot_count);
    if (!broadcast((int)reserved))
        return;
    uint32_t tail = broadcast(hot_word<two_level>::tail(word));
    if (broadcast((int)overflows)) {
        put_chunk(search, tuning, stack, tail);
    } else if constexpr (two_level) {
        stack->cold_count = broadcast(cold_word::count(cold));
        put_cold(tuning, stack, tail, broadcast(cold_word::head(cold)));
    }
}

/* Section 3.2: the HotRing is empty. Moves up to a batch from the top of the ColdSeg to the HotRing. Returns false if
 * the ColdSeg is empty too. */
static __device__ bool refill(const struct search &search, const struct tuning &tuning, struct shared *shared,
                              struct stack<true> *stack)
{
    uint64_t word = 0;
    uint32_t number = 0, mask = tuning.cold_size - 1;
    if (stack->cold_count == 0)
        return false;
    if (is_first_lane())
        do {
            word = load_volatile(stack->cold_state);
            number = min(cold_word::count(word), tuning.batch_size);
        } while (number > 0 && !cold_word::cas(stack->cold_state, word, word + cold_word::pop(number)));
    number = broadcast(number);
    stack->cold_count = broadcast(cold_word::count(word)) - number;
    if (number == 0)
        return false;
    uint32_t from = broadcast(cold_word::head(word)) - number;
    if (tuning.bulk && in_one_piece(from, number, tuning.cold_size)) {
        load_piece(search, shared, stack, &stack->cold[from & mask], number);
    } else {
        hot_word<true>::fence();
        __syncwarp();
        for (uint32_t i = lane_id(); i < number; i += WARP_SIZE)
            store_volatile(&stack->hot[i], __ldcg(&stack->cold[(from + i) & mask]));
    }
    publish(stack, number);
    return true;
}

/* A v1 stack has no second level. */
DEVICE bool refill(const struct search &, const struct tuning &, struct shared *, struct stack<false> *)
{
    return false;
}

/* Pushes a new top entry. The new top stays in registers; the old top is stored in its slot. */
template <bool two_level>
DEVICE void push(const struct search &search, const struct tuning &tuning, struct stack<two_level> *stack,
                 uint64_t old_top)
{
    if (stack->hot_count == stack->hot_size)
        flush(search, tuning, stack);
    if (is_first_lane()) {
        store_volatile(slot(stack, stack->head - 1), old_top);
        hot_word<two_level>::fence();
        atomicAdd(stack->hot_state, hot_word<two_level>::push(1));
    }
    __syncwarp();
    stack->head++;
    stack->hot_count++;
}

} // namespace BACKEND::diggerbees
