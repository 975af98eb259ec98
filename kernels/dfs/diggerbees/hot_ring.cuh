/* hot_ring.cuh: the HotRing, which is the first level of a stack.
 *
 * Only the owner writes the slots and the head of its ring. It writes a slot before the atomicAdd that includes the
 * slot, so a warp that reads the word finds the entries that belong to it. The slot of the top entry is out of date:
 * the owner keeps the top in registers and stores it when it pushes another entry. With the option top=stack the
 * owner keeps the top in its slot instead, which no thief takes and no flush moves.
 *
 * The owner cannot pop the last entry while a thief takes it. A thief steals only from a ring with hot_cutoff entries
 * or more (at least 2) and takes hot_cutoff / 2 of them, so it never takes the top. A pop changes the word, so the
 * compare-and-swap of a thief that read the word before the pop fails.
 *
 * After a theft, the victim does not know that its oldest entries are gone. This is harmless: it only finishes
 * sooner. */
#pragma once

#include "ring_word.cuh"

namespace BACKEND::diggerbees
{

/* Publishes the `number` entries that the lanes have written to the first slots of an empty ring. Thieves take
 * nothing from an empty ring, so it may restart at slot 0, where bulk copies are contiguous. */
template <bool two_level>
DEVICE void publish(struct stack<two_level> *stack, uint32_t number)
{
    __syncwarp();
    hot_word<two_level>::fence();
    if (is_first_lane())
        atomicExch(stack->hot_state, hot_word<two_level>::start_again(load_volatile(stack->hot_state), number));
    stack->head = stack->hot_count = number;
}

/* Returns the slot of entry `number`. Entries are counted without wrapping around. */
template <bool two_level>
DEVICE uint64_t *slot(const struct stack<two_level> *stack, uint32_t number)
{
    return &stack->hot[number & (stack->hot_size - 1)];
}

/* Stores the top entry in its slot. The entry has just been pushed. */
template <bool two_level>
DEVICE void store_top(const struct stack<two_level> *stack, uint64_t entry)
{
    if (is_first_lane())
        store_volatile(slot(stack, stack->head - 1), entry);
    __syncwarp();
}

template <bool two_level>
DEVICE void pop(struct stack<two_level> *stack)
{
    uint64_t word = 0;
    if (is_first_lane())
        word = atomicAdd(stack->hot_state, hot_word<two_level>::pop(1));
    stack->head--;
    stack->hot_count = broadcast(hot_word<two_level>::count(word)) - 1;
}

} // namespace BACKEND::diggerbees
