/* ring_word.cuh: the state word of a ring.
 *
 * A HotRing's head and tail, and a ColdSeg's top and bottom, are the two lower fields of one word, [version |
 * head | tail]. They count entries and are masked only to index the ring. No decision uses one of them alone:
 * an owner's push or pop is one atomicAdd on the word, and a warp that takes entries replaces the whole word
 * that it has read by atomicCAS.
 *
 *   who            does                                        to the word
 *   owner          pushes n                                    head + n
 *   owner          pops n                                      head - n, version + 1
 *   owner          restarts the empty ring with n entries      version + 1, head n, tail 0
 *   owner, flush   takes its n oldest                          tail + n
 *   thief          takes its n oldest                          tail + n
 *
 * ABA. Read [version | head] as one number. A push adds n to it. A pop adds one unit of the version and
 * subtracts n. So it grows with every step of the owner. While it stays the same there are no pushes: the
 * tail cannot pass the head, and it moves by less than its field holds. So no value of the word comes back
 * before the version wraps around, not even when the tail has gone round the ring. To wrap the version takes
 * 2^32 pops of a HotRing, 2^16 of a v1 stack, or 2^16 refills of a ColdSeg, each with a compare-and-swap in global
 * memory. All of them would have to happen between a thief's read and its compare-and-swap, which follows after it
 * has copied at most 128 entries, four a lane. */
#pragma once

#include "state.cuh"

namespace BACKEND::diggerbees
{

template <unsigned bits>
struct ring_word {
    static constexpr uint64_t FIELD = ((uint64_t)1 << bits) - 1;
    static constexpr uint32_t MAX_SIZE = 1u << (bits - 1); /* count() must tell a full ring from an empty one */

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
    /* What a push or a pop adds to the word. */
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
    /* Compare-and-swap: replaces *word if it still is `expected`; returns whether it did. */
    DEVICE bool cas(uint64_t *word, uint64_t expected, uint64_t value)
    {
        return atomicCAS((unsigned long long *)word, (unsigned long long)expected, (unsigned long long)value) ==
               expected;
    }
};

/* The word of a HotRing, shared by the warps of one block; without a second level that of the whole stack, which may
 * have as many entries as a ColdSeg. */
template <bool two_level>
struct hot_word : ring_word<two_level ? 16 : 24> {
    DEVICE void fence(void)
    {
        __threadfence_block();
    }
};

/* The word of a ColdSeg, shared by all warps; head is the paper's top, tail its bottom. */
struct cold_word : ring_word<24> {
    DEVICE void fence(void)
    {
        __threadfence();
    }
};

} // namespace BACKEND::diggerbees
