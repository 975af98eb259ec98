/* steal.cuh: stealing within a block (section 3.4) and between blocks (section 3.5).
 *
 * A thief reads the victim's word, marks itself active (see termination.cuh), and copies entries into its own ring,
 * which is empty. Only then does it replace the word by compare-and-swap. Algorithms 3 and 4 of the paper replace it
 * before they copy, so the owner may overwrite the slots too early.
 *
 * While the thief copies, the owner may overwrite or flush these entries, or another thief may take them. Each of
 * these changes the word for good (see ABA in ring_word.cuh), so the compare-and-swap fails and the thief discards
 * its copies. If the compare-and-swap succeeds, then the word did not change meanwhile, so its entries were in their
 * slots, and they now belong to the thief. So no entry is lost or processed twice. Fences keep the copy between the
 * read of the word and the compare-and-swap. A bulk copy begins after such a fence (see bulk_load), and every lane
 * waits for its end before the compare-and-swap.
 *
 * In terms of the memory model: the thief may read what the owner stored over an old entry. Before that store the
 * owner changed the word, or saw that it had changed, and then executed a fence (in push, flush or refill). The thief
 * executes a fence after its load. So its compare-and-swap sees the changed word. A pop needs no fence: it is an
 * atomic that returns the word, so the owner learns how many entries thieves have left. A bulk copy is not a single
 * access and may mix the bytes of two entries; then the compare-and-swap fails as well. */
#pragma once

#include "cold_seg.cuh"

namespace BACKEND::diggerbees
{

/* Copies the `number` oldest entries of a ring, whose state is `word`, to `own`. */
template <typename word_t>
DEVICE void copy_oldest(uint64_t word, const uint64_t *entries, uint32_t size, uint32_t number, uint64_t *own)
{
    word_t::fence();
    __syncwarp(); /* orders the read of the word before the loads of all lanes; shuffles do not */
    for (uint32_t i = lane_id(); i < number; i += WARP_SIZE)
        store_volatile(&own[i], load_volatile(&entries[(word_t::tail(word) + i) & (size - 1)]));
}

/* Takes the `number` oldest entries, which the caller has copied, out of a ring if its state is still `word`. Returns
 * whether it did. */
template <typename word_t>
DEVICE bool take_oldest(uint64_t *state, uint64_t word, uint32_t number)
{
    word_t::fence();
    __syncwarp();
    bool taken = false;
    if (is_first_lane())
        taken = word_t::cas(state, word, word_t::without_oldest(word, number));
    return broadcast((int)taken);
}

/* The largest count of entries in the lanes' rings, and the lane (the victim's warp) that has it. */
struct richest {
    uint32_t count, warp;
};

DEVICE struct richest find_richest(uint32_t count)
{
    uint32_t best = __reduce_max_sync(WHOLE_WARP, count * WARP_SIZE + lane_id());
    return {best / WARP_SIZE, best % WARP_SIZE};
}

/* Algorithm 3: an idle warp takes hot_cutoff / 2 entries from the fullest HotRing in the block. Returns whether it
 * has them; it fails if no ring has enough or another warp changes the ring's word first. */
template <bool two_level>
static __device__ bool steal_within_block(const struct search &search, const struct tuning &tuning,
                                          struct shared *shared, struct stack<two_level> *stack)
{
    uint64_t *states = hot_states<two_level>(search, shared);
    uint64_t word = lane_id() < blockDim.x / WARP_SIZE ? load_volatile(&states[lane_id()]) : 0;
    struct richest victim = find_richest(hot_word<two_level>::count(word));
    if (victim.count < tuning.hot_cutoff)
        return false;
    bool entered = false;
    if (is_first_lane())
        entered = enter(shared, stack->warp);
    if (!broadcast((int)entered))
        return false;
    word = __shfl_sync(WHOLE_WARP, word, (int)victim.warp);
    const uint64_t *entries = stack->hot + ((int64_t)victim.warp - stack->warp) * stack->hot_size;
    uint32_t number = tuning.hot_cutoff / 2;
    copy_oldest<hot_word<two_level>>(word, entries, stack->hot_size, number, stack->hot);
    bool taken = take_oldest<hot_word<two_level>>(&states[victim.warp], word, number);
    if (taken)
        publish(stack, number);
    else if (is_first_lane())
        leave(search, shared, stack->warp);
    return taken;
}

/* Draws a block other than this one, uniformly, and advances the random state. */
DEVICE unsigned draw_block(uint32_t *random)
{
    *random ^= *random << 13; /* Marsaglia's xorshift */
    *random ^= *random >> 17;
    *random ^= *random << 5;
    unsigned block = *random % (gridDim.x - 1);
    return block + (block >= blockIdx.x);
}

/* Returns the state word of the ColdSeg of warp lane_id() in a block; 0 beyond the last warp. */
DEVICE uint64_t cold_word_of(const struct search &search, unsigned block)
{
    unsigned num_warps = blockDim.x / WARP_SIZE;
    return lane_id() < num_warps ? load_volatile(&search.cold_state[block * num_warps + lane_id()]) : 0;
}

/* Draws two active blocks: every lane draws a block, and the first two active ones are taken, or the only one twice.
 * Returns false if no lane drew an active block. */
DEVICE bool draw_active(const struct search &search, uint32_t *random, unsigned blocks[2])
{
    draw_block(random);
    uint32_t own = *random + lane_id() * 2654435761u;
    unsigned block = draw_block(&own);
    unsigned active = __ballot_sync(WHOLE_WARP, load_volatile(&search.active[block]) != 0);
    unsigned others = active & (active - 1);
    for (int i = 0; i < 2 && active != 0; i++) {
        blocks[i] = __shfl_sync(WHOLE_WARP, block, __ffs((int)active) - 1);
        active = others != 0 ? others : active;
    }
    return active != 0;
}

/* Step 1 of algorithm 4: draws a block, or the fuller one of two. Only the entries in ColdSegs count, since a thief
 * cannot reach the HotRings in another block's shared memory. Returns the block, and in *word the state of warp
 * lane_id()'s ColdSeg there. Returns gridDim.x if it found no block. */
DEVICE unsigned pick_block(const struct search &search, const struct tuning &tuning, uint32_t *random, uint64_t *word)
{
    unsigned blocks[2];
    if (search.active == NULL) {
        blocks[0] = draw_block(random);
        blocks[1] = tuning.load_aware ? draw_block(random) : blocks[0];
    } else if (!draw_active(search, random, blocks)) {
        return gridDim.x;
    }
    *word = cold_word_of(search, blocks[0]);
    if (!tuning.load_aware)
        return blocks[0];
    uint64_t other = cold_word_of(search, blocks[1]);
    if (__reduce_add_sync(WHOLE_WARP, cold_word::count(other)) <=
        __reduce_add_sync(WHOLE_WARP, cold_word::count(*word)))
        return blocks[0];
    *word = other;
    return blocks[1];
}

/* Copies the `number` oldest entries of a ColdSeg, whose state is `word`, to this warp's ring. Uses a bulk copy if
 * tuning allows it and the entries are contiguous. Returns false if the copy does not end. */
DEVICE bool copy_cold(const struct search &search, const struct tuning &tuning, struct shared *shared,
                      struct stack<true> *stack, uint64_t word, const uint64_t *entries, uint32_t number)
{
    uint32_t bottom = cold_word::tail(word);
    if (!tuning.bulk_steals || !in_one_piece(bottom, number, tuning.cold_size)) {
        copy_oldest<cold_word>(word, entries, tuning.cold_size, number, stack->hot);
        return true;
    }
    cold_word::fence();
    return load_piece(search, shared, stack, &entries[bottom & (tuning.cold_size - 1)], number);
}

/* Algorithm 4: the leader of an idle block takes cold_cutoff / 2 entries from the fullest ColdSeg of the block that
 * pick_block() chooses. Returns whether it has them. */
static __device__ bool steal_between_blocks(const struct search &search, const struct tuning &tuning,
                                            struct shared *shared, struct stack<true> *stack, uint32_t *random)
{
    uint64_t word = 0;
    if (is_first_lane())
        report_active(search, 0);
    unsigned block = pick_block(search, tuning, random, &word);
    struct richest victim = find_richest(cold_word::count(word));
    if (block == gridDim.x || victim.count < tuning.cold_cutoff)
        return false;
    if (is_first_lane())
        atomicAdd(&search.control->outstanding, 1u);
    word = __shfl_sync(WHOLE_WARP, word, (int)victim.warp);
    size_t index = (size_t)block * (blockDim.x / WARP_SIZE) + victim.warp;
    uint32_t number = min(tuning.cold_cutoff / 2, tuning.hot_size);
    bool taken = copy_cold(search, tuning, shared, stack, word, &search.cold[index * tuning.cold_size], number) &&
                 take_oldest<cold_word>(&search.cold_state[index], word, number);
    if (taken)
        publish(stack, number);
    if (is_first_lane()) {
        if (taken)
            wake(search, shared);
        else
            atomicSub(&search.control->outstanding, 1u);
    }
    return taken;
}

/* v1 runs in one block, so there is no other block to steal from. */
DEVICE bool steal_between_blocks(const struct search &, const struct tuning &, struct shared *, struct stack<false> *,
                                 uint32_t *)
{
    return false;
}

} // namespace BACKEND::diggerbees
