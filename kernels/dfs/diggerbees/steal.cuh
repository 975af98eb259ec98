/* steal.cuh: stealing within a block (section 3.4) and between blocks (section 3.5).
 *
 * A thief reads the victim's word, marks itself active (see termination.cuh), copies entries into its own ring,
 * above the head where no other warp reads, and only then replaces the word by compare-and-swap. Algorithms 3
 * and 4 replace it before they copy, so the owner may overwrite the slots before they are copied.
 *
 * A thief may copy entries that the owner is overwriting or has flushed. Then the owner has popped, pushed
 * or flushed since the thief read the word, or another thief has stolen. Each of these changes the word for
 * good (see ABA in ring_word.cuh), so the compare-and-swap fails and the copies are discarded. If the
 * compare-and-swap succeeds, then the word did not change meanwhile, its entries were in their slots, and
 * only the compare-and-swap made them the thief's. So no entry is lost or processed twice. The fences keep
 * the copy between the read of the word and the compare-and-swap. */
#pragma once

#include "hot_ring.cuh"
#include "termination.cuh"

namespace BACKEND::diggerbees
{

/* Tries to take the `number` oldest entries of a ring in state `word`; returns whether it did. */
template <typename word_t>
static __device__ __forceinline__ bool take_oldest(uint64_t *state, uint64_t word, const uint64_t *entries,
                                                   uint32_t size, uint32_t number, uint64_t *own)
{
    word_t::fence();
    for (uint32_t i = lane_id(); i < number; i += WARP_SIZE)
        poke(&own[i], peek(&entries[(word_t::tail(word) + i) & (size - 1)]));
    word_t::fence();
    __syncwarp();
    bool taken = false;
    if (is_first_lane())
        taken = word_t::cas(state, word, word_t::without_oldest(word, number));
    return broadcast((int)taken);
}

/* The largest count of entries among the lanes' words, and the warp that has it. */
struct richest {
    uint32_t count, warp;
};

static __device__ __forceinline__ struct richest find_richest(uint32_t count)
{
    uint32_t best = __reduce_max_sync(WHOLE_WARP, count * WARP_SIZE + lane_id());
    return {best / WARP_SIZE, best % WARP_SIZE};
}

/* Algorithm 3: an idle warp takes hot_cutoff / 2 entries of the fullest HotRing in the block. */
template <bool two_level>
static __device__ bool steal_within_block(const struct search &search, const struct tuning &tuning,
                                          struct shared *shared, struct stack<two_level> *stack)
{
    uint64_t word = lane_id() < blockDim.x / WARP_SIZE ? peek(&shared->hot_state[lane_id()]) : 0;
    struct richest victim = find_richest(hot_word::count(word));
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
    bool taken =
        take_oldest<hot_word>(&shared->hot_state[victim.warp], word, entries, stack->hot_size, number, stack->hot);
    if (taken)
        publish(stack, number);
    else if (is_first_lane())
        leave(shared, search.control, stack->warp);
    return taken;
}

/* Draws a block other than this one, and advances `random`. */
static __device__ __forceinline__ unsigned draw_block(uint32_t *random)
{
    *random ^= *random << 13; /* Marsaglia's xorshift */
    *random ^= *random >> 17;
    *random ^= *random << 5;
    unsigned block = *random % (gridDim.x - 1);
    return block + (block >= blockIdx.x);
}

/* Algorithm 4: the leader of an idle block takes cold_cutoff / 2 entries of the fullest ColdSeg of a random block, or
 * of the fuller of two random blocks. */
static __device__ bool steal_between_blocks(const struct search &search, const struct tuning &tuning,
                                            struct shared *shared, struct stack<true> *stack, uint32_t *random)
{
    unsigned num_warps = blockDim.x / WARP_SIZE, block = draw_block(random);
    bool has_lane = lane_id() < num_warps;
    uint64_t word = has_lane ? peek(&search.cold_state[block * num_warps + lane_id()]) : 0;
    if (tuning.load_aware) {
        unsigned other = draw_block(random);
        uint64_t others = has_lane ? peek(&search.cold_state[other * num_warps + lane_id()]) : 0;
        if (__reduce_add_sync(WHOLE_WARP, cold_word::count(others)) >
            __reduce_add_sync(WHOLE_WARP, cold_word::count(word))) {
            block = other;
            word = others;
        }
    }
    struct richest victim = find_richest(cold_word::count(word));
    if (victim.count < tuning.cold_cutoff)
        return false;
    if (is_first_lane())
        atomicAdd(&search.control->outstanding, 1u);
    word = __shfl_sync(WHOLE_WARP, word, (int)victim.warp);
    size_t index = (size_t)block * num_warps + victim.warp;
    uint32_t number = min(tuning.cold_cutoff / 2, tuning.hot_size);
    bool taken = take_oldest<cold_word>(&search.cold_state[index], word, &search.cold[index * tuning.cold_size],
                                        tuning.cold_size, number, stack->hot);
    if (taken)
        publish(stack, number);
    if (is_first_lane()) {
        if (taken)
            wake(shared);
        else
            atomicSub(&search.control->outstanding, 1u);
    }
    return taken;
}

/* v1 runs in one block. */
static __device__ __forceinline__ bool steal_between_blocks(const struct search &, const struct tuning &,
                                                            struct shared *, struct stack<false> *, uint32_t *)
{
    return false;
}

} // namespace BACKEND::diggerbees
