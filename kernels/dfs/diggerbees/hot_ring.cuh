/* hot_ring.cuh: the HotRing, the first level of a stack.
 *
 * Only the owner writes the slots of its ring, and its head. A slot is written before the atomicAdd that
 * includes it, so a warp that reads the word finds the entries that belong to that word. The slot of the top
 * entry is not up to date: the owner holds the top in registers and stores it when it pushes another entry on
 * it. With top=stack it also stores and reads the top's slot, which no thief takes and no flush moves.
 *
 * The owner cannot pop the last entry while a thief takes it. A thief steals only from hot_cutoff entries or
 * more, at least 2, and takes hot_cutoff / 2 of them, so it never takes the top. And the pop changes the word,
 * so the compare-and-swap of a thief that read the word earlier fails.
 *
 * After a theft, a victim may still assume that its stack is complete. This is harmless: nothing depends on
 * a complete stack, and a victim that has lost its oldest entries finishes sooner. */
#pragma once

#include "ring_word.cuh"

namespace BACKEND::diggerbees
{

/* Gives an empty ring the `number` entries that the lanes have written to its first slots. An empty ring has
 * no thieves (their compare-and-swap fails), so it may restart at slot 0, where bulk copies are contiguous. */
template <bool two_level>
DEVICE void publish(struct stack<two_level> *stack, uint32_t number)
{
    __syncwarp();
    hot_word<two_level>::fence();
    if (is_first_lane())
        atomicExch((unsigned long long *)stack->hot_state,
                   (unsigned long long)hot_word<two_level>::start_again(load_volatile(stack->hot_state), number));
    stack->head = stack->hot_count = number;
}

/* The slot of entry `number`, counted from tail 0. */
template <bool two_level>
DEVICE uint64_t *slot(const struct stack<two_level> *stack, uint32_t number)
{
    return &stack->hot[number & (stack->hot_size - 1)];
}

/* Stores the top entry, which has just been pushed. */
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
        word = atomicAdd((unsigned long long *)stack->hot_state, hot_word<two_level>::pop(1));
    stack->head--;
    stack->hot_count = broadcast(hot_word<two_level>::count(word)) - 1;
}

} // namespace BACKEND::diggerbees
