/* termination.cuh: active warps and outstanding work.
 *
 * Shared words: a block's mask of active warps; the grid's count of outstanding work. A warp that has entries in its
 * stack, or in flight to it, has its bit in the mask. A block with any bit set counts as one unit of outstanding
 * work; so does every overflowed chunk. If the count is 0, then no entry exists anywhere, and no warp can get or
 * create one. So 0 is final, and a leader that reads 0 ends its block. Why a unit covers every entry at all times:
 *
 * - A warp sets its bit BEFORE the compare-and-swap that gives it another warp's entries. After it, the warp counts
 *   as active wherever the entries are: an entry in flight delays termination. A warp that fails clears its bit.
 * - A thief within a block sets its bit only in a non-empty mask (by compare-and-swap). So the unit of those
 *   bits covers the thief, too. An empty mask means that the block has nothing to steal.
 * - Only the leader makes an empty mask non-empty, and only while it holds a unit: its own, which it adds
 *   before it tries another block's ColdSeg, or that of the overflowed chunk that it has won. So the unit
 *   exists before the bit. Two warps never both count the block, and neither leaves the counting to the other.
 * - The warp that clears the last bit subtracts the unit afterwards: the count may be too high for a moment,
 *   never too low. A warp clears its bit only when its stack is empty. A warp that is idle at the start has no
 *   bit.
 * - The warp that overflows adds the unit of a chunk while the unit of its own block still covers the entries.
 *   The unit passes to the block whose leader takes the chunk.
 *
 * Order. Each of these steps is an atomic; a fence precedes each step on which other warps rely. A thief
 * sets its bit before its compare-and-swap of the victim's word. A victim that becomes empty because of that
 * compare-and-swap has seen the bit and clears its own bit later, so its own bit is not the last. */
#pragma once

#include "state.cuh"

namespace BACKEND::diggerbees
{

/* Sets this warp's bit if the block is active; returns whether it did. Called by lane 0. */
DEVICE bool enter(struct shared *shared, unsigned warp)
{
    for (uint32_t mask = load_volatile(&shared->active); mask != 0;) {
        uint32_t seen = atomicCAS(&shared->active, mask, mask | 1u << warp);
        if (seen == mask)
            return true;
        mask = seen;
    }
    return false;
}

/* Clears this warp's bit; if it was the last, subtracts the block's unit of outstanding work. Called by lane 0. */
DEVICE void leave(const struct search &search, struct shared *shared, unsigned warp)
{
    __threadfence_block();
    if (atomicAnd(&shared->active, ~(1u << warp)) == 1u << warp) {
        __threadfence();
        atomicSub(&search.control->outstanding, 1u);
    }
}

/* Tells thieves of other blocks whether this block is active (algorithm 4 draws active blocks). Only the leader
 * tells, in the order of its own steps: it alone wakes an idle block, and it says that the block is idle when it
 * looks elsewhere for work. A thief that reads an old value draws a block in vain, or not: nothing else depends on
 * it. */
DEVICE void report_active(const struct search &search, uint32_t active)
{
    if (search.active != NULL)
        store_volatile(&search.active[blockIdx.x], active);
}

/* Makes an idle block active; its leader already holds a unit of outstanding work. Called by lane 0 of the leader. */
DEVICE void wake(const struct search &search, struct shared *shared)
{
    __threadfence_block();
    atomicOr(&shared->active, 1u << LEADER);
    report_active(search, 1);
}

} // namespace BACKEND::diggerbees
