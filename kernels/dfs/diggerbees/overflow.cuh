/* overflow.cuh: a queue in global memory for entries that no ColdSeg has room for.
 *
 * A ColdSeg (in v1: the stack) overflows when a warp goes deeper than n_v/n_w entries. The oldest entries then go in
 * chunks of 32 to a ring that all blocks share. Leaders of idle blocks take chunks from this ring.
 *
 * Shared words: `put` and `taken`, which number the chunks, and one turn for each place of the ring. Chunk t belongs
 * in place t % num_chunks, in round r = t / num_chunks. The turn of a place is 2r when it may be filled, 2r + 1 when
 * it may be emptied, and 2r + 2 when it may be filled again. A warp gets the number t of its chunk by atomicAdd on
 * `put`, so no two warps fill one place. It waits for its turn, writes the entries, and stores the next turn with
 * release. A leader loads the turn of the next chunk with acquire. If the chunk is there, the leader takes it by
 * compare-and-swap on `taken`, so no two leaders empty one place. It copies the entries and then stores the next turn
 * with release, so nobody overwrites them before they are copied. Chunk numbers have 64 bits and do not wrap around.
 *
 * A place always becomes free. A vertex is in at most one entry and every chunk is full, so at most n_v / 32 chunks
 * wait, one fewer than there are places. A warp waits at most for a leader that has taken a chunk and is copying it,
 * and this leader waits for nobody. */
#pragma once

#include "hot_ring.cuh"
#include "termination.cuh"

namespace BACKEND::diggerbees
{

/* Moves CHUNK entries from `tail` of the ring to the overflow queue. The caller has already taken them out of the
 * ring. */
template <bool two_level>
static __device__ void put_chunk(const struct search &search, const struct tuning &tuning,
                                 const struct stack<two_level> *stack, uint32_t tail)
{
    struct control *control = search.control;
    uint64_t ticket = 0;
    bool ready = true;
    if (is_first_lane()) {
        atomicAdd(&control->outstanding, 1u);
        ticket = atomicAdd(&control->put, 1ull);
        const uint32_t *turn = &search.turns[ticket % tuning.num_chunks];
        uint32_t mine = 2 * (uint32_t)(ticket / tuning.num_chunks);
        for (uint32_t polls = 0; ready && load_acquire(turn) != mine; polls++)
            ready = polls < MOST_POLLS && load_volatile(&control->stuck) == NOT_STUCK;
        if (!ready)
            give_up(control, STUCK_IN_OVERFLOW);
    }
    ticket = broadcast(ticket);
    if (!broadcast((int)ready))
        return;
    __syncwarp(); /* orders the acquire before the stores of all lanes; shuffles do not */
    uint64_t place = ticket % tuning.num_chunks;
    __stcg(&search.chunks[place * CHUNK + lane_id()], load_volatile(slot(stack, tail + lane_id())));
    __syncwarp();
    if (is_first_lane())
        store_release(&search.turns[place], 2 * (uint32_t)(ticket / tuning.num_chunks) + 1);
}

/* The leader of an idle block takes a chunk into its HotRing. Returns false if it got none. */
template <bool two_level>
static __device__ bool take_chunk(const struct search &search, const struct tuning &tuning, struct shared *shared,
                                  struct stack<two_level> *stack)
{
    struct control *control = search.control;
    uint64_t ticket = 0;
    bool taken = false;
    if (is_first_lane()) {
        ticket = load_volatile(&control->taken);
        uint32_t filled = 2 * (uint32_t)(ticket / tuning.num_chunks) + 1;
        taken = load_acquire(&search.turns[ticket % tuning.num_chunks]) == filled &&
                atomicCAS(&control->taken, ticket, ticket + 1) == ticket;
        if (taken)
            wake(search, shared); /* the chunk's unit of outstanding work now belongs to this block */
    }
    if (!broadcast((int)taken))
        return false;
    ticket = broadcast(ticket);
    __syncwarp(); /* orders the acquire before the loads of all lanes */
    uint64_t place = ticket % tuning.num_chunks;
    store_volatile(&stack->hot[lane_id()], __ldcg(&search.chunks[place * CHUNK + lane_id()]));
    publish(stack, CHUNK);
    if (is_first_lane())
        store_release(&search.turns[place], 2 * (uint32_t)(ticket / tuning.num_chunks) + 2);
    return true;
}

} // namespace BACKEND::diggerbees
