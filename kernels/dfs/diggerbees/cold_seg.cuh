/* cold_seg.cuh: the ColdSeg, the second level of a stack: flush, refill, and push, which may flush.
 *
 * A flush may move the tail while a thief reserves. Both replace the whole word by compare-and-swap, so one of
 * them fails. The owner reserves first and then copies. This is safe: after the reservation no other warp takes
 * these entries, and only the owner writes their slots. If a thief has just taken entries and the flush finds
 * room, it does nothing.
 *
 * The entries of the ColdSeg are written before the atomicAdd that includes them, into slots outside [bottom,
 * top). So a thief that is copying reads other slots, or has read a word that is out of date. Refill takes from
 * the top like a pop, but by compare-and-swap, since thieves may leave less than a batch. It, too, reserves
 * first and then copies.
 *
 * A thief may steal from the ColdSeg during a refill: again both replace the whole word, and one of them fails.
 * A refill changes the version. So a thief that was delayed across a refill and a flush fails, too, although
 * top and bottom may again have their old values while the entries have changed.
 *
 * Bulk copies (section 3.3) need contiguous entries, in units of 16 bytes. Other entries are copied one per
 * lane. A bulk copy, like a plain one, is complete before its entries are published or used. */
#pragma once

#include "hot_ring.cuh"
#include "overflow.cuh"

namespace BACKEND::diggerbees
{

/* Whether a bulk copy can take `number` slots of a ring, starting at `first`. */
DEVICE bool in_one_piece(uint32_t first, uint32_t number, uint32_t size)
{
    const uint32_t unit = 16 / sizeof(uint64_t);
    return HAS_CLUSTERS && first % unit == 0 && number % unit == 0 && (first & (size - 1)) + number <= size;
}

/* Copies `number` entries in one piece of a ColdSeg to the first slots of this warp's own ring, which is empty.
 * False: the copy did not end. */
static __device__ bool load_piece(const struct search &search, struct shared *shared, struct stack<true> *stack,
                                  const uint64_t *entries, uint32_t number)
{
    struct bulk_barrier *loaded = &shared->loaded[stack->warp];
    __threadfence_block();
    __syncwarp(); /* orders the last plain accesses of all lanes to these slots before the copy */
    if (is_first_lane())
        bulk_load(loaded, stack->hot, entries, number * (unsigned)sizeof(uint64_t));
    if (bulk_wait(loaded, stack->num_loads++))
        return true;
    give_up(search.control, STUCK_IN_COPY);
    return false;
}

/* Copies the batch at `tail`, which this warp has already taken out of its ring, to the top of its ColdSeg. */
DEVICE void put_cold(const struct tuning &tuning, struct stack<true> *stack, uint32_t tail, uint32_t top)
{
    uint32_t number = tuning.batch_size, mask = tuning.cold_size - 1;
    cold_word::fence(); /* what lane 0 has seen and done to the word before the stores into slots that became free */
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
        atomicAdd((unsigned long long *)stack->cold_state, cold_word::push(number));
    stack->cold_count += number;
}

/* Section 3.2, when the HotRing is full: moves its oldest entries to the ColdSeg or to the overflow queue. */
template <bool two_level>
static __device__ void flush(const struct search &search, const struct tuning &tuning, struct stack<two_level> *stack)
{
    uint64_t cold = 0, word = 0;
    bool reserved = false, overflows = true;
    if (is_first_lane()) {
        if (two_level) {
            cold = load_volatile(stack->cold_state); /* only thieves can change it now, and they make room */
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

/* Section 3.2, when the HotRing is empty: moves a batch from the top of the ColdSeg to the HotRing. False: the
 * ColdSeg is empty too. */
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

/* Pushes a new top: it stays in registers, and the entry of the old top is stored. */
template <bool two_level>
DEVICE void push(const struct search &search, const struct tuning &tuning, struct stack<two_level> *stack,
                 uint64_t old_top)
{
    if (stack->hot_count == stack->hot_size)
        flush(search, tuning, stack);
    if (is_first_lane()) {
        store_volatile(slot(stack, stack->head - 1), old_top);
        hot_word<two_level>::fence();
        atomicAdd((unsigned long long *)stack->hot_state, hot_word<two_level>::push(1));
    }
    __syncwarp();
    stack->head++;
    stack->hot_count++;
}

} // namespace BACKEND::diggerbees
