/* termination.cuh: active warps and outstanding work.
 *
 * Shared words: each block has a mask of its active warps, and the grid has one count of outstanding work. A warp's
 * bit is set while it has entries in its stack or is about to receive some. Each block with a set bit counts as one
 * unit of outstanding work, and so does each overflowed chunk. If the count is 0, then no entry exists anywhere, and
 * no warp can get or create one. So 0 is final, and a leader that reads 0 ends its block. A unit covers every entry
 * at all times, because:
 *
 * - A warp sets its bit BEFORE the compare-and-swap that gives it another warp's entries. From then on it counts as
 *   active, so entries in flight delay termination. A warp that gets nothing clears its bit again.
 * - A thief within a block sets its bit only in a non-empty mask (by compare-and-swap), so the block's unit covers
 *   the thief. If the mask is empty, the block has nothing to steal.
 * - Only the leader makes an empty mask non-empty, and only while it holds a unit: either one that it adds before it
 *   tries another block's ColdSeg, or the unit of an overflowed chunk that it has taken. So the unit exists before
 *   the bit. Two warps never both count the block, and neither relies on the other to do so.
 * - The warp that clears the last bit subtracts the unit afterwards, so the count may be too high for a moment, but
 *   never too low. A warp clears its bit only when its stack is empty. At the start, idle warps have no bit.
 * - A warp that overflows adds the chunk's unit while its own block's unit still covers the entries. The chunk's unit
 *   passes to the block whose leader takes the chunk.
 *
 * Order. Each of these steps is an atomic. A fence precedes each step that other warps rely on. A thief sets its bit
 * before its compare-and-swap of the victim's word. A victim that becomes empty through that compare-and-swap clears
 * its own bit later, when it already sees the thief's bit, so its own is not the last. */
#pragma once

#include "state.cuh"

namespace BACKEND::diggerbees
{

/* Sets this warp's bit if the block is active. Returns whether it did. Called by lane 0. */
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

/* Clears this warp's bit. If it was the last, subtracts the block's unit of outstanding work. Called by lane 0. */
DEVICE void leave(const struct search &search, struct shared *shared, unsigned warp)
{
    __threadfence_block();
    if (atomicAnd(&shared->active, ~(1u << warp)) == 1u << warp) {
        __threadfence();
        atomicSub(&search.control->outstanding, 1u);
    }
}

/* Tells thieves of other blocks whether this block is active (algorithm 4 draws active blocks). Only the leader calls
 * this, so the stores are in order: it alone wakes an idle block, and it reports the block idle before it looks for
 * work elsewhere. A thief that reads an outdated value only chooses a worse victim. */
DEVICE void report_active(const struct search &search, uint32_t active)
{
    if (search.active != NULL)
        store_volatile(&search.active[blockIdx.x], active);
}

/* Makes an idle block active. The caller, lane 0 of the leader, already holds a unit of outstanding work. */
DEVICE void wake(const struct search &search, struct shared *shared)
{
    __threadfence_block();
    atomicOr(&shared->active, 1u << LEADER);
    report_active(search, 1);
}

} // namespace BACKEND::diggerbees
