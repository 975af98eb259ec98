/* overflow.cuh: the queue of chunks that no ColdSeg has room for.
 *
 * A warp that goes deeper than n_v/n_w entries overflows its ColdSeg (in v1: its stack). The entries that do not fit
 * go in chunks of 32 to a ring shared by all blocks. Leaders of idle blocks take chunks from this ring.
 *
 * Shared words: put and taken, which number the chunks; a turn for every place. Chunk `ticket` belongs in place
 * ticket % num_chunks, in round r = ticket / num_chunks. The turn of a place is 2r when it may be filled, 2r + 1 when
 * it may be emptied, and 2r + 2 when it may be filled again. A warp gets its ticket by atomicAdd on put, so two warps
 * never fill one place. It waits for its turn, writes the entries, and stores the next turn with release. A leader
 * reads with acquire whether the next chunk is there, and takes it by compare-and-swap on taken, so two leaders never
 * empty one place. The leader copies the entries and then stores the next turn with release, so they are not
 * overwritten before they are copied. Chunk numbers have 64 bits, so they do not wrap around.
 *
 * There is always a place. A vertex is in at most one entry and a chunk is always full, so at most n_v / 32
 * chunks wait, one fewer than there are places. A warp waits at most for a leader that has taken a chunk and
 * is copying it; that leader waits for nobody. */
#pragma once

#include "hot_ring.cuh"
#include "termination.cuh"

namespace BACKEND::diggerbees
{

/* Moves the CHUNK oldest entries, at `tail`, into the overflow queue. The warp has already taken them out of its
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
        ticket = atomicAdd((unsigned long long *)&control->put, 1ull);
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
    __syncwarp(); /* shuffles order no memory: the acquire before the stores of all lanes */
    uint64_t place = ticket % tuning.num_chunks;
    __stcg(&search.chunks[place * CHUNK + lane_id()], load_volatile(slot(stack, tail + lane_id())));
    __syncwarp();
    if (is_first_lane())
        store_release(&search.turns[place], 2 * (uint32_t)(ticket / tuning.num_chunks) + 1);
}

/* The leader of an idle block takes a chunk. False: the queue is empty. */
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
                atomicCAS((unsigned long long *)&control->taken, (unsigned long long)ticket,
                          (unsigned long long)ticket + 1) == ticket;
        if (taken)
            wake(search, shared); /* the chunk's unit of outstanding work passes to this block */
    }
    if (!broadcast((int)taken))
        return false;
    ticket = broadcast(ticket);
    __syncwarp(); /* the acquire before the loads of all lanes */
    uint64_t place = ticket % tuning.num_chunks;
    store_volatile(&stack->hot[lane_id()], __ldcg(&search.chunks[place * CHUNK + lane_id()]));
    publish(stack, CHUNK);
    if (is_first_lane())
        store_release(&search.turns[place], 2 * (uint32_t)(ticket / tuning.num_chunks) + 2);
    return true;
}

} // namespace BACKEND::diggerbees
