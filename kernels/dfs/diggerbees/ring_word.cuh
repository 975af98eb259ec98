/* ring_word.cuh: the state word of a ring.
 *
 * A HotRing's head and tail, and a ColdSeg's top and bottom, are the two lower fields of one word, [version | head |
 * tail]. They count entries and are masked only to index the ring. They change together: an owner pushes or pops by
 * one atomicAdd on the word, and a warp that takes entries replaces the whole word by atomicCAS.
 *
 *   who            does                                        to the word
 *   owner          pushes n                                    head + n
 *   owner          pops n                                      head - n, version + 1
 *   owner          restarts the empty ring with n entries      version + 1, head n, tail 0
 *   owner, flush   takes the n oldest entries                  tail + n
 *   thief          takes the n oldest entries                  tail + n
 *
 * ABA cannot happen. Read [version | head] as one number. A push adds n to it. A pop adds one unit of the version and
 * subtracts n. So the number grows with every step of the owner. While it stays the same, only the tail grows; it
 * cannot pass the head, so it does not wrap around. So no value of the word comes back before the version wraps
 * around. This takes 2^32 pops of a HotRing, 2^16 pops of a v1 stack, or 2^16 refills of a ColdSeg (each with a
 * compare-and-swap in global memory). All of them would have to happen while a thief copies at most 128 entries, four
 * per lane. */
#pragma once

#include "state.cuh"

namespace BACKEND::diggerbees
{

template <unsigned bits>
struct ring_word {
    static constexpr uint64_t FIELD = ((uint64_t)1 << bits) - 1;
    static constexpr uint32_t MAX_SIZE = 1u << (bits - 1); /* so that count() tells a full ring from an empty one */

    DEVICE uint32_t head(uint64_t word)
    {
        return (uint32_t)(word >> bits & FIELD);
    }
    DEVICE uint32_t tail(uint64_t word)
    {
        return (uint32_t)(word & FIELD);
    }
    DEVICE uint32_t count(uint64_t word)
    {
        return (uint32_t)(((word >> bits) - word) & FIELD);
    }
    /* Returns the number to add to the word for a push or a pop of `number` entries. */
    DEVICE unsigned long long push(uint32_t number)
    {
        return (unsigned long long)number << bits;
    }
    DEVICE unsigned long long pop(uint32_t number)
    {
        return (1ull << 2 * bits) - push(number);
    }
    DEVICE uint64_t without_oldest(uint64_t word, uint32_t number)
    {
        return (word & ~FIELD) | ((word + number) & FIELD);
    }
    DEVICE uint64_t start_again(uint64_t word, uint32_t number)
    {
        return ((word >> 2 * bits) + 1) << 2 * bits | push(number);
    }
    /* Compare-and-swap: replaces *word if it still equals `expected`. Returns whether it did. */
    DEVICE bool cas(uint64_t *word, uint64_t expected, uint64_t value)
    {
        return atomicCAS(word, expected, value) == expected;
    }
};

/* The state word of the first level of a stack, which the warps of one block share. In v1 the first level is the
 * whole stack: the stack and its word lie in global memory, and it may have as many entries as a ColdSeg. */
template <bool two_level>
struct hot_word : ring_word<two_level ? 16 : 24> {
    DEVICE void fence(void)
    {
        if (two_level)
            __threadfence_block();
        else
            __threadfence();
    }
};

/* The state word of a ColdSeg, which all warps share. `head` is the paper's top, `tail` its bottom. */
struct cold_word : ring_word<24> {
    DEVICE void fence(void)
    {
        __threadfence();
    }
};

} // namespace BACKEND::diggerbees
