/* dfs_diggerbees.cu: DiggerBees (Niu et al., PPoPP 2026): unordered depth-first search by hierarchical work stealing.
 *
 *   dfs v1   section 3.3, 3.4: a warp walks, its stack lies in global memory; idle warps of its block steal from it
 *   dfs v2   section 3.2: the stack has two levels, a HotRing in shared memory and a ColdSeg in global memory
 *   dfs v3   section 3.5: blocks on half of the multiprocessors; idle blocks steal from the ColdSegs of others
 *   dfs v4   the same with a block on every multiprocessor
 *
 * One kernel does it all and runs until nothing is left. Every entry of a stack is a vertex that some warp has
 * claimed, with the next of its neighbours to look at: a vertex is in at most one entry, which moves from stack to
 * stack whole. The paper's pseudocode loses and doubles entries when owner, thieves and termination meet (its
 * pointers come round to old values, thieves copy after they have reserved, ColdSegs have no answer to being full);
 * what is done instead stands above each part below, with the reason why it is right. */
#include <stdio.h>
#include <stdlib.h>

#include "backend/backend.h"

namespace BACKEND
{

#define MAX_WARPS 32u /* of a block: the bits of its mask of active warps */
#define LEADER    0u  /* the warp that steals from other blocks */
#define NAP       64u /* nanoseconds between two looks for work */

#define CHUNK         WARP_SIZE /* entries that overflow at a time */
#define MIN_COLD_SIZE 64u       /* a full v1 stack must have a chunk and a top */

#ifdef GTRAV_BALANCE
constexpr bool COUNTS_TASKS = true; /* section 4.6 */
#else
constexpr bool COUNTS_TASKS = false;
#endif

/* ---- entries ---- */

#define EXHAUSTED UINT32_MAX /* the offset of a vertex without unvisited neighbours; the paper's -1 */

/* <vertex|offset>, section 3.2, in one word. The offset counts from the vertex's own first neighbour, so that it
 * needs no more than 32 bits however many edges there are. */
static __device__ __forceinline__ uint64_t make_entry(vertex_t vertex, uint32_t offset)
{
    return (uint64_t)vertex << 32 | offset;
}

/* ---- the state word of a ring ----
 *
 * A HotRing's head and tail, and a ColdSeg's top and bottom, are the two lower fields of one word, [version | head |
 * tail]. They count entries and are masked only to index. Nothing is ever decided on one of them alone: an owner's
 * push and pop are one atomicAdd on the word, and whoever takes entries replaces the word that it has read, whole, by
 * atomicCAS.
 *
 *   who            does                                        to the word
 *   owner          pushes n                                    head + n
 *   owner          pops n                                      head - n, version + 1
 *   owner          starts again, the ring being empty          version + 1, head n, tail 0
 *   owner, flush   takes its n oldest                          tail + n
 *   thief          takes its n oldest                          tail + n
 *
 * ABA. Of [version | head], read as one number, a push adds n and a pop adds the version's unit less n, so that it
 * grows with every step of the owner; while it stands still there are no pushes, the tail cannot pass the head, and
 * moves by less than its field holds. So no value comes back, in particular not that of the tail on its way round the
 * ring, until the version has: 2^32 pops of a HotRing, or 2^24 refills of a ColdSeg, all of them between a thief's
 * read and its swap a few hundred instructions later. */
template <unsigned bits>
struct ring_word {
    static constexpr uint64_t FIELD = ((uint64_t)1 << bits) - 1;
    static constexpr uint32_t MAX_SIZE = 1u << (bits - 1); /* rest() must tell full from empty */

    static __device__ __forceinline__ uint32_t head(uint64_t word)
    {
        return (uint32_t)(word >> bits & FIELD);
    }
    static __device__ __forceinline__ uint32_t tail(uint64_t word)
    {
        return (uint32_t)(word & FIELD);
    }
    static __device__ __forceinline__ uint32_t rest(uint64_t word)
    {
        return (uint32_t)(((word >> bits) - word) & FIELD);
    }
    /* To be added to the word. */
    static __device__ __forceinline__ unsigned long long push(uint32_t number)
    {
        return (unsigned long long)number << bits;
    }
    static __device__ __forceinline__ unsigned long long pop(uint32_t number)
    {
        return (1ull << 2 * bits) - push(number);
    }
    static __device__ __forceinline__ uint64_t without_oldest(uint64_t word, uint32_t number)
    {
        return (word & ~FIELD) | ((word + number) & FIELD);
    }
    static __device__ __forceinline__ uint64_t start_again(uint64_t word, uint32_t number)
    {
        return ((word >> 2 * bits) + 1) << 2 * bits | push(number);
    }
    /* Only if *word still is `expected`. */
    static __device__ __forceinline__ bool swap(uint64_t *word, uint64_t expected, uint64_t value)
    {
        return atomicCAS((unsigned long long *)word, (unsigned long long)expected, (unsigned long long)value) ==
               expected;
    }
};

/* A HotRing's, for warps of one block; also that of a v1 stack. */
struct hot_word : ring_word<16> {
    static __device__ __forceinline__ void fence(void)
    {
        __threadfence_block();
    }
};

/* A ColdSeg's, for all warps; head is the paper's top, tail its bottom. */
struct cold_word : ring_word<20> {
    static __device__ __forceinline__ void fence(void)
    {
        __threadfence();
    }
};

/* ---- what the warps share ---- */

/* What a broken-off wait was for. */
enum stuck { NOT_STUCK, STUCK_IN_OVERFLOW, STUCK_IN_REFILL, STUCK_BEFORE_TERMINATION };

struct control {
    uint32_t licences;   /* blocks at work, leaders that try to steal, chunks that have overflowed; 1 at the start */
    uint32_t stuck;      /* enum stuck; the result is void unless it is NOT_STUCK */
    uint64_t put, taken; /* chunks so far; they are equal after a traversal, and the next goes on counting */
};

/* Device memory of a traversal. */
struct search {
    uint32_t *visited;    /* num_vertices; 1: claimed */
    vertex_t *parent;     /* num_vertices */
    uint64_t *cold;       /* cold_size of every warp: its ColdSeg; in v1 its whole stack */
    uint64_t *cold_state; /* of every warp */
    uint64_t *chunks;     /* num_chunks * CHUNK entries */
    uint32_t *turns;      /* num_chunks: a chunk's turn; even: to be filled, odd: to be emptied */
    struct control *control;
    uint64_t *tasks; /* of every block: vertices that it has claimed; NULL unless COUNTS_TASKS */
};

/* Sizes are powers of two. */
struct tuning {
    uint32_t hot_size, cold_size, hot_cutoff, cold_cutoff, batch_size, num_chunks;
    bool bulk, load_aware;
    long long patience; /* clock cycles that a leader may find no work */
};

/* Shared memory of a block; HotRings follow, of hot_size entries for every warp. */
struct __align__(16) shared
{
    uint64_t hot_state[MAX_WARPS];
    struct bulk_barrier refilled[MAX_WARPS];
    uint32_t active; /* section 3.4: a bit for every warp that is at work */
    uint32_t done;   /* 1: the warps of this block must end */
};

/* A warp's stack as its owner knows it, alike in all lanes. In v1 the ring is all of it, and lies in global memory.
 * The two rests are upper bounds, since thieves only take. */
template <bool two_level>
struct stack {
    uint64_t *hot_state, *hot; /* the HotRing; only the owner writes its slots */
    uint32_t hot_size, head, hot_rest;
    uint64_t *cold_state, *cold; /* the ColdSeg; only the owner writes its slots */
    uint32_t cold_rest;
    unsigned warp, num_refills; /* by bulk copies */
    uint64_t num_claimed;       /* kept if COUNTS_TASKS */
};

static __device__ __forceinline__ bool is_first_lane(void)
{
    return lane_id() == 0;
}

/* Lane 0's value, in all lanes. */
template <typename type>
static __device__ __forceinline__ type first_lanes(type value)
{
    return __shfl_sync(WHOLE_WARP, value, 0);
}

/* The first reason is kept. */
static __device__ void give_up(struct control *control, enum stuck why)
{
    atomicCAS(&control->stuck, (uint32_t)NOT_STUCK, (uint32_t)why);
}

/* ---- termination ----
 *
 * Shared words: a block's mask of active warps; the grid's count of licences. A warp with entries in its stack, or in
 * its hands, has its bit in the mask; a block with any bit has a licence; so has every chunk that has overflowed. So
 * no licences means that there is no entry anywhere, and then no warp can get or make one: it is final, and a leader
 * that reads 0 ends its block. How entries never lie where no licence covers them:
 *
 * - A warp sets its bit BEFORE the swap that gives it another warp's entries, so that from the swap on it counts
 *   wherever they are: an entry in a thief's hands holds up termination. Without success it takes the bit back.
 * - Within a block a thief sets its bit only in a mask that is not empty (by compare-and-swap), so the licence that
 *   those bits stand for covers it too. An empty mask means that the block has nothing to steal.
 * - Only the leader turns an empty mask into one that is not, and only with a licence in hand: its own, taken before
 *   it tries another block's ColdSeg, or that of the overflowed chunk that it has won. So the licence is there before
 *   the bit, and two warps never count the block twice, or each leave it to the other.
 * - Whoever clears the last bit returns the licence, afterwards: the count may be too high for a moment, never too
 *   low. A warp clears its bit only after its stack was empty; that it was idle at the start is no leaving.
 * - A chunk's licence is taken by the warp that overflows, while its block's own still covers the entries, and goes
 *   to the block whose leader takes the chunk.
 *
 * Order: each of these steps is an atomic, with a fence before the one that lets others conclude something. A thief's
 * bit comes before its swap of the victim's word; the victim that finds itself empty because of that swap has seen
 * it, and clears its own bit later, so it is not the last. */

/* Sets this warp's bit if the block is active. By lane 0. */
static __device__ __forceinline__ bool enter(struct shared *shared, unsigned warp)
{
    for (uint32_t mask = peek(&shared->active); mask != 0;) {
        uint32_t seen = atomicCAS(&shared->active, mask, mask | 1u << warp);
        if (seen == mask)
            return true;
        mask = seen;
    }
    return false;
}

/* By lane 0. */
static __device__ __forceinline__ void leave(struct shared *shared, struct control *control, unsigned warp)
{
    __threadfence_block();
    if (atomicAnd(&shared->active, ~(1u << warp)) == 1u << warp) {
        __threadfence();
        atomicSub(&control->licences, 1u);
    }
}

/* Makes an idle block active, whose licence its leader has. By lane 0 of the leader. */
static __device__ __forceinline__ void wake(struct shared *shared)
{
    atomicOr(&shared->active, 1u << LEADER);
}

/* ---- the HotRing: push and pop ----
 *
 * Only the owner writes the slots of its ring, and its head. A slot is written before the atomicAdd that takes it in,
 * so whoever has read the word finds the entries of that time. The entry on top is not even in its slot: the owner
 * has it in registers, and stores it when it pushes another on it.
 *
 * The owner pops the last entry while a thief takes it: cannot be. A thief needs a rest of hot_cutoff, at least 2,
 * and takes half of that, so the top is never among what it takes; and the pop changes the word, so that the swap of
 * a thief that read it before fails.
 *
 * A stolen entry whose victim thinks its stack complete: nothing hangs on a vertex being complete, so a victim that
 * has lost entries from below just comes to its end sooner. */

/* Gives an empty ring the entries in its first `number` slots, which the lanes have written. An empty ring has no
 * thieves (their swaps fail), so it may begin at slot 0 again, where bulk copies are in one piece. */
template <bool two_level>
static __device__ __forceinline__ void publish(struct stack<two_level> *stack, uint32_t number)
{
    hot_word::fence();
    __syncwarp();
    if (is_first_lane())
        atomicExch((unsigned long long *)stack->hot_state,
                   (unsigned long long)hot_word::start_again(peek(stack->hot_state), number));
    stack->head = stack->hot_rest = number;
}

/* The slot of the `number`'th entry counted from tail 0 on. */
template <bool two_level>
static __device__ __forceinline__ uint64_t *slot(const struct stack<two_level> *stack, uint32_t number)
{
    return &stack->hot[number & (stack->hot_size - 1)];
}

template <bool two_level>
static __device__ __forceinline__ void pop(struct stack<two_level> *stack)
{
    uint64_t word = 0;
    if (is_first_lane())
        word = atomicAdd((unsigned long long *)stack->hot_state, hot_word::pop(1));
    stack->head--;
    stack->hot_rest = first_lanes(hot_word::rest(word)) - 1;
}

/* ---- overflow ----
 *
 * What a ColdSeg has no room for, when a warp goes deeper than n_v/n_w (or a v1 stack, when it is full), goes in
 * chunks of 32 entries to a ring that all share. Leaders of idle blocks take chunks from it.
 *
 * Shared words: put and taken, which number the chunks; a turn for every place. The chunk `ticket` lies in place
 * ticket % num_chunks in round ticket / num_chunks; its place's turn is 2 * round when it may be filled, one more
 * when it may be emptied, two more when it may be filled again. A warp gets its ticket by atomicAdd on put, so two
 * never fill one place; waits for the turn; writes the entries; and stores the next turn, with release. A leader that
 * has read, with acquire, that the next chunk is there, takes it by compare-and-swap on taken, so two never empty
 * one; copies the entries; and stores the next turn, with release, so they are not overwritten before. Numbers of
 * chunks have 64 bits: they do not come round.
 *
 * There always is a place: a vertex is in at most one entry and a chunk is always full, so at most n_v / 32 chunks
 * are not taken, one fewer than there are places. A warp can only have to wait for a leader that has taken a chunk
 * and is copying it, which waits for nobody. */

/* Puts the CHUNK oldest entries, at `tail`, which this warp has taken out of its ring, into the overflow. */
template <bool two_level>
static __device__ void put_chunk(const struct search &search, const struct tuning &tuning,
                                 const struct stack<two_level> *stack, uint32_t tail)
{
    struct control *control = search.control;
    uint64_t ticket = 0;
    bool ready = true;
    if (is_first_lane()) {
        atomicAdd(&control->licences, 1u);
        ticket = atomicAdd((unsigned long long *)&control->put, 1ull);
        const uint32_t *turn = &search.turns[ticket % tuning.num_chunks];
        uint32_t mine = 2 * (uint32_t)(ticket / tuning.num_chunks);
        for (long long start = clock64(); ready && load_acquire(turn) != mine;)
            ready = clock64() - start <= BARRIER_LIMIT && peek(&control->stuck) == NOT_STUCK;
        if (!ready)
            give_up(control, STUCK_IN_OVERFLOW);
    }
    ticket = first_lanes(ticket);
    if (!first_lanes((int)ready))
        return;
    uint64_t place = ticket % tuning.num_chunks;
    __stcg(&search.chunks[place * CHUNK + lane_id()], peek(slot(stack, tail + lane_id())));
    __threadfence();
    __syncwarp();
    if (is_first_lane())
        store_release(&search.turns[place], 2 * (uint32_t)(ticket / tuning.num_chunks) + 1);
}

/* The leader of an idle block takes a chunk; false: there is none. */
template <bool two_level>
static __device__ bool take_chunk(const struct search &search, const struct tuning &tuning, struct shared *shared,
                                  struct stack<two_level> *stack)
{
    struct control *control = search.control;
    uint64_t ticket = 0;
    bool taken = false;
    if (is_first_lane()) {
        ticket = peek(&control->taken);
        uint32_t filled = 2 * (uint32_t)(ticket / tuning.num_chunks) + 1;
        taken = load_acquire(&search.turns[ticket % tuning.num_chunks]) == filled &&
                atomicCAS((unsigned long long *)&control->taken, (unsigned long long)ticket,
                          (unsigned long long)ticket + 1) == ticket;
        if (taken)
            wake(shared); /* with the chunk's licence */
    }
    if (!first_lanes((int)taken))
        return false;
    ticket = first_lanes(ticket);
    uint64_t place = ticket % tuning.num_chunks;
    poke(&stack->hot[lane_id()], __ldcg(&search.chunks[place * CHUNK + lane_id()]));
    publish(stack, CHUNK);
    if (is_first_lane())
        store_release(&search.turns[place], 2 * (uint32_t)(ticket / tuning.num_chunks) + 2);
    return true;
}

/* ---- flush and refill ----
 *
 * Flush moves the tail while a thief reserves: both replace the whole word by compare-and-swap, so one of them fails.
 * The owner reserves first and copies then; that is safe, since from then on nobody else takes these entries, and
 * nobody but itself writes their slots. A flush that finds room, because a thief has just been there, does nothing.
 *
 * The ColdSeg's entries are written before the atomicAdd that takes them in, into slots outside of [bottom, top): a
 * thief that is copying reads others, or has read a word that is no longer there. Refill takes from the top like a
 * pop, by compare-and-swap, since thieves may leave less than a batch; it too reserves first and copies then.
 *
 * A steal from the ColdSeg racing with refill: again both replace the whole word, and one fails. A refill changes the
 * version, so a thief that has slept through refill and flush fails too, although top and bottom may be as before and
 * the entries others.
 *
 * Bulk copies (section 3.3) take their entries in one piece, 16 bytes at a time; where they lie otherwise, lanes copy
 * one each. A bulk copy is complete before the entries are taken in, or used, as a plain one is. */

/* Whether `number` slots of a ring, from `first` on, are what a bulk copy can take. */
static __device__ __forceinline__ bool in_one_piece(uint32_t first, uint32_t number, uint32_t size)
{
    const uint32_t unit = 16 / sizeof(uint64_t);
    return first % unit == 0 && number % unit == 0 && (first & (size - 1)) + number <= size;
}

/* Moves entries of the ring, at `tail`, which this warp has taken out of it, to the top of its ColdSeg. */
static __device__ __forceinline__ void put_cold(const struct tuning &tuning, struct stack<true> *stack, uint32_t tail,
                                                uint32_t top)
{
    uint32_t number = tuning.batch_size, mask = tuning.cold_size - 1;
    if (HAS_CLUSTERS && tuning.bulk && in_one_piece(tail, number, stack->hot_size) &&
        in_one_piece(top, number, tuning.cold_size)) {
        if (is_first_lane()) {
            bulk_store(&stack->cold[top & mask], slot(stack, tail), number * (unsigned)sizeof(uint64_t));
            bulk_store_wait();
        }
    } else if (lane_id() < number) {
        __stcg(&stack->cold[(top + lane_id()) & mask], peek(slot(stack, tail + lane_id())));
    }
    cold_word::fence();
    __syncwarp();
    if (is_first_lane())
        atomicAdd((unsigned long long *)stack->cold_state, cold_word::push(number));
    stack->cold_rest += number;
}

/* Section 3.2, when the HotRing is full: moves its oldest entries to the ColdSeg, or to the overflow. */
template <bool two_level>
static __device__ void flush(const struct search &search, const struct tuning &tuning, struct stack<two_level> *stack)
{
    uint64_t cold = 0, word = 0;
    bool reserved = false, overflows = true;
    if (is_first_lane()) {
        if (two_level) {
            cold = peek(stack->cold_state); /* only thieves can change it now, which makes room */
            overflows = cold_word::rest(cold) + tuning.batch_size > tuning.cold_size;
        }
        uint32_t number = overflows ? CHUNK : tuning.batch_size;
        do
            word = peek(stack->hot_state);
        while (hot_word::rest(word) == stack->hot_size &&
               !(reserved = hot_word::swap(stack->hot_state, word, hot_word::without_oldest(word, number))));
        stack->hot_rest = hot_word::rest(word) - (reserved ? number : 0);
    }
    stack->hot_rest = first_lanes(stack->hot_rest);
    if (!first_lanes((int)reserved))
        return;
    uint32_t tail = first_lanes(hot_word::tail(word));
    if (first_lanes((int)overflows)) {
        put_chunk(search, tuning, stack, tail);
    } else if constexpr (two_level) {
        stack->cold_rest = first_lanes(cold_word::rest(cold));
        put_cold(tuning, stack, tail, first_lanes(cold_word::head(cold)));
    }
}

/* Section 3.2, when the HotRing is empty: gets a batch from the top of the ColdSeg; false: it is empty too. */
static __device__ bool refill(const struct search &search, const struct tuning &tuning, struct shared *shared,
                              struct stack<true> *stack)
{
    uint64_t word = 0;
    uint32_t number = 0, mask = tuning.cold_size - 1;
    if (stack->cold_rest == 0)
        return false;
    if (is_first_lane())
        do {
            word = peek(stack->cold_state);
            number = min(cold_word::rest(word), tuning.batch_size);
        } while (number > 0 && !cold_word::swap(stack->cold_state, word, word + cold_word::pop(number)));
    number = first_lanes(number);
    stack->cold_rest = first_lanes(cold_word::rest(word)) - number;
    if (number == 0)
        return false;
    uint32_t from = first_lanes(cold_word::head(word)) - number;
    if (HAS_CLUSTERS && tuning.bulk && in_one_piece(from, number, tuning.cold_size)) {
        struct bulk_barrier *refilled = &shared->refilled[stack->warp];
        __threadfence_block();
        __syncwarp(); /* the slots' last plain accesses, by all lanes, come before the copy */
        if (is_first_lane())
            bulk_load(refilled, stack->hot, &stack->cold[from & mask], number * (unsigned)sizeof(uint64_t));
        if (!bulk_wait(refilled, stack->num_refills++))
            give_up(search.control, STUCK_IN_REFILL);
    } else if (lane_id() < number) {
        poke(&stack->hot[lane_id()], __ldcg(&stack->cold[(from + lane_id()) & mask]));
    }
    publish(stack, number);
    return true;
}

/* A v1 stack has no second level. */
static __device__ __forceinline__ bool refill(const struct search &, const struct tuning &, struct shared *,
                                              struct stack<false> *)
{
    return false;
}

/* Pushes what will be the new top onto the old one, whose offset is stored now. */
template <bool two_level>
static __device__ __forceinline__ void push(const struct search &search, const struct tuning &tuning,
                                            struct stack<two_level> *stack, uint64_t old_top)
{
    if (stack->hot_rest == stack->hot_size)
        flush(search, tuning, stack);
    if (is_first_lane()) {
        poke(slot(stack, stack->head - 1), old_top);
        hot_word::fence();
        atomicAdd((unsigned long long *)stack->hot_state, hot_word::push(1));
    }
    __syncwarp();
    stack->head++;
    stack->hot_rest++;
}

/* ---- walking ---- */

/* A vertex and where the search stands in its neighbours. */
template <typename offset_t>
struct place {
    vertex_t vertex;
    uint32_t next, degree; /* next: of the neighbours, the first not looked at */
    offset_t first_edge;
    vertex_t neighbour; /* the lane's one of the WARP_SIZE from next on; NO_VERTEX: there are not so many */
};

template <typename offset_t>
static __device__ __forceinline__ void load_neighbours(const csr<offset_t> &graph, struct place<offset_t> *place)
{
    place->neighbour =
        load_if(lane_id() < place->degree - place->next, &graph.targets[place->first_edge + place->next + lane_id()]);
}

template <typename offset_t>
static __device__ __forceinline__ struct place<offset_t> go_to(const csr<offset_t> &graph, vertex_t vertex,
                                                               uint32_t next) {
    offset_t first = load_if(true, &graph.offsets[vertex]), end = load_if(true, &graph.offsets[(size_t)vertex + 1]);
    struct place<offset_t> place = {
        vertex, next, (uint32_t)(end - first), first, NO_VERTEX
    };
    load_neighbours(graph, &place);
    return place;
}

/* Claims the next unvisited neighbour of the top, which becomes its child; false: there is none. Exactly one warp
 * finds a vertex unvisited, and that one alone writes its parent, and puts it on a stack. The child's neighbours are
 * read while the claim is under way; none of them is claimed before it is won, lest two warps that cross an edge
 * become each other's parents. A vertex once visited stays so: what the look has found need not be looked at again.
 */
template <typename offset_t, bool two_level>
static __device__ __forceinline__ bool claim_child(const csr<offset_t> &graph, const struct search &search,
                                                   struct stack<two_level> *stack, struct place<offset_t> *top,
                                                   struct place<offset_t> *child)
{
    for (;;) {
        uint32_t left = top->degree - top->next;
        uint32_t visited = look_if(top->neighbour != NO_VERTEX, &search.visited[top->neighbour]);
        for (unsigned unvisited = __ballot_sync(WHOLE_WARP, visited == 0); unvisited != 0;) {
            int lane = __ffs((int)unvisited) - 1;
            vertex_t vertex = __shfl_sync(WHOLE_WARP, top->neighbour, lane);
            uint32_t before = swap_if((int)lane_id() == lane, &search.visited[vertex], 0, 1);
            *child = go_to(graph, vertex, 0);
            unvisited &= unvisited - 1;
            if (__shfl_sync(WHOLE_WARP, before, lane) != 0)
                continue;
            if (is_first_lane())
                search.parent[vertex] = top->vertex;
            if (COUNTS_TASKS)
                stack->num_claimed++;
            uint32_t passed = unvisited != 0 ? (uint32_t)__ffs((int)unvisited) - 1 : WARP_SIZE;
            top->next += min(passed, left);
            return true;
        }
        if (left <= WARP_SIZE)
            return false;
        top->next += WARP_SIZE;
        load_neighbours(graph, top);
    }
}

/* Finds the uppermost entry that is not exhausted, and drops those above; false: the stack is empty. */
template <typename offset_t, bool two_level>
static __device__ __forceinline__ bool find_top(const csr<offset_t> &graph, const struct search &search,
                                                const struct tuning &tuning, struct shared *shared,
                                                struct stack<two_level> *stack, struct place<offset_t> *top)
{
    while (stack->hot_rest > 0 || refill(search, tuning, shared, stack)) {
        uint64_t entry = peek(slot(stack, stack->head - 1));
        if ((uint32_t)entry != EXHAUSTED) {
            *top = go_to(graph, (vertex_t)(entry >> 32), (uint32_t)entry);
            return true;
        }
        pop(stack);
    }
    return false;
}

/* Section 3.3: the stack-based depth-first search of one warp, until its stack is empty. */
template <typename offset_t, bool two_level>
static __device__ __forceinline__ void walk(const csr<offset_t> &graph, const struct search &search,
                                            const struct tuning &tuning, struct shared *shared,
                                            struct stack<two_level> *stack)
{
    struct place<offset_t> top, child;
    while (find_top(graph, search, tuning, shared, stack, &top)) {
        while (claim_child(graph, search, stack, &top, &child)) {
            push(search, tuning, stack, make_entry(top.vertex, top.next < top.degree ? top.next : EXHAUSTED));
            top = child;
        }
        pop(stack);
    }
}

/* ---- stealing ----
 *
 * A thief reads the victim's word, copies entries into its own ring, above the head where nobody looks, and only then
 * swaps the word, marked active (see termination). Algorithms 3 and 4 swap first, after which the owner may write
 * over the slots.
 *
 * A thief copies entries that the owner is overwriting, or has flushed: for that the owner must have popped, pushed
 * or flushed since the thief read the word, or another thief was there; each has changed it, for good (see ABA), so
 * the swap fails and what was copied is forgotten. If the swap succeeds the word was the same all along, its entries
 * lay in their slots, and the swap alone made them the thief's: nothing is lost and nothing done twice. The fences
 * keep the copy between the read of the word and the swap. */

/* Tries to take the `number` oldest entries of a ring in state `word`. */
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
        taken = word_t::swap(state, word, word_t::without_oldest(word, number));
    return first_lanes((int)taken);
}

/* The largest rest among the lanes' words, and whose it is. */
struct richest {
    uint32_t rest, warp;
};

static __device__ __forceinline__ struct richest find_richest(uint32_t rest)
{
    uint32_t best = __reduce_max_sync(WHOLE_WARP, rest * WARP_SIZE + lane_id());
    return {best / WARP_SIZE, best % WARP_SIZE};
}

/* Algorithm 3: an idle warp takes hot_cutoff / 2 entries of the fullest HotRing in the block. */
template <bool two_level>
static __device__ bool steal_within_block(const struct search &search, const struct tuning &tuning,
                                          struct shared *shared, struct stack<two_level> *stack)
{
    uint64_t word = lane_id() < blockDim.x / WARP_SIZE ? peek(&shared->hot_state[lane_id()]) : 0;
    struct richest victim = find_richest(hot_word::rest(word));
    if (victim.rest < tuning.hot_cutoff)
        return false;
    bool entered = false;
    if (is_first_lane())
        entered = enter(shared, stack->warp);
    if (!first_lanes((int)entered))
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

/* A block other than this one; `random` is moved on. */
static __device__ __forceinline__ unsigned draw_block(uint32_t *random)
{
    *random ^= *random << 13; /* Marsaglia's xorshift */
    *random ^= *random >> 17;
    *random ^= *random << 5;
    unsigned block = *random % (gridDim.x - 1);
    return block + (block >= blockIdx.x);
}

/* Algorithm 4: the leader of an idle block takes cold_cutoff / 2 entries of the fullest ColdSeg of a block drawn at
 * random, or of the richer one of two. */
static __device__ bool steal_between_blocks(const struct search &search, const struct tuning &tuning,
                                            struct shared *shared, struct stack<true> *stack, uint32_t *random)
{
    unsigned num_warps = blockDim.x / WARP_SIZE, block = draw_block(random);
    bool has_lane = lane_id() < num_warps;
    uint64_t word = has_lane ? peek(&search.cold_state[block * num_warps + lane_id()]) : 0;
    if (tuning.load_aware) {
        unsigned other = draw_block(random);
        uint64_t others = has_lane ? peek(&search.cold_state[other * num_warps + lane_id()]) : 0;
        if (__reduce_add_sync(WHOLE_WARP, cold_word::rest(others)) >
            __reduce_add_sync(WHOLE_WARP, cold_word::rest(word))) {
            block = other;
            word = others;
        }
    }
    struct richest victim = find_richest(cold_word::rest(word));
    if (victim.rest < tuning.cold_cutoff)
        return false;
    if (is_first_lane())
        atomicAdd(&search.control->licences, 1u);
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
            atomicSub(&search.control->licences, 1u);
    }
    return taken;
}

/* v1 runs in one block. */
static __device__ __forceinline__ bool steal_between_blocks(const struct search &, const struct tuning &,
                                                            struct shared *, struct stack<false> *, uint32_t *)
{
    return false;
}

/* Where an idle warp should look for work. */
enum outlook { LOOK_WITHIN_BLOCK, LOOK_AT_OVERFLOW, LOOK_AT_OTHER_BLOCKS, NOTHING_LEFT };

/* Naps until there may be something to do. Only leaders bound this wait, by `deadline`: the others of the block wait
 * for what theirs finds, or until it ends the block; its own walk ends as every walk does. By lane 0. */
static __device__ enum outlook look_out(const struct search &search, struct shared *shared, unsigned warp,
                                        long long deadline)
{
    struct control *control = search.control;
    for (;;) {
        __nanosleep(NAP);
        if (peek(&shared->done))
            return NOTHING_LEFT;
        if (peek(&shared->active) != 0)
            return LOOK_WITHIN_BLOCK;
        if (warp != LEADER)
            continue;
        if (clock64() > deadline)
            give_up(control, STUCK_BEFORE_TERMINATION);
        uint32_t licences = peek(&control->licences), stuck = peek(&control->stuck);
        uint64_t put = peek(&control->put), taken = peek(&control->taken); /* all four are under way together */
        if (licences == 0 || stuck != NOT_STUCK)
            poke(&shared->done, 1u);
        else
            return put != taken ? LOOK_AT_OVERFLOW : LOOK_AT_OTHER_BLOCKS;
    }
}

/* What an idle warp does until it has work; false: there will be none, or the search is stuck. */
template <bool two_level>
static __device__ bool find_work(const struct search &search, const struct tuning &tuning, struct shared *shared,
                                 struct stack<two_level> *stack, uint32_t *random)
{
    long long deadline = clock64() + tuning.patience;
    for (;;) {
        bool found = false;
        enum outlook outlook = NOTHING_LEFT;
        if (is_first_lane())
            outlook = look_out(search, shared, stack->warp, deadline);
        switch (first_lanes((int)outlook)) {
        case LOOK_WITHIN_BLOCK:
            found = steal_within_block(search, tuning, shared, stack);
            break;
        case LOOK_AT_OVERFLOW:
            found = take_chunk(search, tuning, shared, stack);
            break;
        case LOOK_AT_OTHER_BLOCKS:
            found = gridDim.x > 1 && steal_between_blocks(search, tuning, shared, stack, random);
            break;
        default:
            return false;
        }
        if (found)
            return true;
    }
}

template <typename offset_t, bool two_level>
__global__ void __launch_bounds__(MAX_WARPS *WARP_SIZE, 1)
    dfs_kernel(csr<offset_t> graph, struct search search, struct tuning tuning, vertex_t source)
{
    struct shared *shared = block_shared<struct shared>();
    unsigned warp = threadIdx.x / WARP_SIZE, num_warps = blockDim.x / WARP_SIZE;
    size_t index = (size_t)blockIdx.x * num_warps + warp;
    bool has_source = index == 0;
    if (warp == 0) {
        shared->hot_state[lane_id()] = 0;
        bulk_init(&shared->refilled[lane_id()]);
    }
    if (threadIdx.x == 0) {
        shared->active = has_source ? 1u << warp : 0;
        shared->done = 0;
    }
    __syncthreads();
    struct stack<two_level> stack = {
    };
    stack.hot_state = &shared->hot_state[warp];
    stack.hot_size = two_level ? tuning.hot_size : tuning.cold_size;
    stack.hot =
        two_level ? (uint64_t *)(shared + 1) + warp * tuning.hot_size : search.cold + index * tuning.cold_size;
    stack.cold_state = &search.cold_state[index];
    stack.cold = &search.cold[index * tuning.cold_size];
    stack.warp = warp;
    if (has_source) {
        if (is_first_lane())
            poke(stack.hot, make_entry(source, 0));
        publish(&stack, 1);
    }
    uint32_t random = (blockIdx.x + 1) * 2654435761u;
    for (bool working = has_source; working || find_work(search, tuning, shared, &stack, &random); working = false) {
        walk(graph, search, tuning, shared, &stack);
        if (is_first_lane())
            leave(shared, search.control, warp);
    }
    if (COUNTS_TASKS && is_first_lane())
        atomicAdd((unsigned long long *)&search.tasks[blockIdx.x],
                  (unsigned long long)stack.num_claimed + has_source);
}

/* ---- host side ---- */

enum { WARPS, HOT_CUTOFF, COLD_SIZE, OFFSET_BITS, HOT_SIZE, BATCH_SIZE, COPIES, COLD_CUTOFF, BLOCKS, BALANCE_POLICY };
#define ONE_LEVEL_OPTIONS                                                                                            \
    {"warps-per-block", 0, 0, 32, NULL, "warps of a block; 0: 16 up to a mean degree of 16, then 32"},               \
        {"hot-cutoff", 32, 2, 256, NULL, "entries that a warp must have for idle ones of its block to steal half"},  \
        {"cold-size", 0,    0,                                                                                       \
         65536,       NULL, "entries of a warp's stack in global memory, up to a power of two from 64; 0: n_v/n_w"}, \
    {                                                                                                                \
        "offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"       \
    }
#define TWO_LEVEL_OPTIONS                                                                                            \
    ONE_LEVEL_OPTIONS, {"hot-size", 1, 0, 0, "64|128|256|512", "entries of a HotRing"},                              \
        {"batch-size", 32, 2, 32, NULL, "entries that a flush or a refill moves"},                                   \
    {                                                                                                                \
        "copies", 0, 0, 0, "bulk|plain", "how flush and refill copy: asynchronously, where the GPU can, or by lanes" \
    }
#define STEALING_OPTIONS                                                                                             \
    TWO_LEVEL_OPTIONS,                                                                                               \
        {"cold-cutoff", 64, 2, 256, NULL, "entries that a ColdSeg must have for idle blocks to steal half"},         \
        {"blocks", 0, 0, MAX_BLOCKS, NULL, "as far as they all run at once; 0: as the variant says"},                \
    {                                                                                                                \
        "balance-policy", 1, 0, 1, NULL, "0: a random block is stolen from, 1: the richer one of two (load-aware)"   \
    }
static const struct option_spec one_level_options[] = {ONE_LEVEL_OPTIONS, {}};
static const struct option_spec two_level_options[] = {TWO_LEVEL_OPTIONS, {}};
static const struct option_spec stealing_options[] = {STEALING_OPTIONS, {}};

struct state {
    struct gpu_graph graph;
    struct search search;
    struct tuning tuning;
    struct grid grid;
    size_t shared_bytes, num_warps; /* num_warps: of the grid */
    bool two_level;
};

/* What a version has. */
enum spread { ONE_BLOCK, HALF_OF_THE_BLOCKS, ALL_BLOCKS };

template <typename offset_t>
static auto kernel_of(const struct state *state)
{
    return state->two_level ? dfs_kernel<offset_t, true> : dfs_kernel<offset_t, false>;
}

/* Where a vertex has few neighbours, more warps only look for work that there is not, and slow the others down. */
#define DENSE        16 /* mean degree */
#define SPARSE_WARPS 16u

static unsigned choose_warps(struct run *run)
{
    const struct graph *graph = run->graph;
    if (run->options[WARPS] > 0)
        return (unsigned)run->options[WARPS];
    unsigned warps = graph->num_edges > (edge_t)DENSE * graph->num_vertices ? WARP_SIZE : SPARSE_WARPS;
    snprintf(run->note, sizeof run->note, "mean degree %.1f: %u warps a block",
             (double)graph->num_edges / graph->num_vertices, warps);
    return warps;
}

/* As many warps and blocks as the version, the options and the device agree on. */
static int plan_grid(struct run *run, enum spread spread)
{
    struct state *state = (struct state *)run->state;
    unsigned warps = choose_warps(run), wanted = spread == ONE_BLOCK ? 1 : (unsigned)run->options[BLOCKS];
    size_t hot_bytes = state->two_level ? state->tuning.hot_size * sizeof(uint64_t) : 0;
    const void *kernel =
        state->graph.wide ? (const void *)kernel_of<edge_t>(state) : (const void *)kernel_of<uint32_t>(state);
    if (gpu_plan_grid(kernel, warps * WARP_SIZE, wanted == 0 ? 1 : MAX_BLOCKS,
                      sizeof(struct shared) + warps * hot_bytes, &state->grid, run->error) != STATUS_OK)
        return run->error->status;
    unsigned blocks = state->grid.blocks;
    if (wanted > 0)
        blocks = wanted < blocks ? wanted : blocks;
    else if (spread == HALF_OF_THE_BLOCKS)
        blocks = (blocks + 1) / 2;
    warps = state->grid.threads / WARP_SIZE;
    state->grid.blocks = blocks;
    state->shared_bytes = sizeof(struct shared) + warps * hot_bytes;
    state->num_warps = (size_t)blocks * warps;
    return STATUS_OK;
}

static uint32_t power_of_two_from(uint64_t least, uint32_t most)
{
    uint32_t power = MIN_COLD_SIZE;
    while (power < least && power < most)
        power *= 2;
    return power;
}

/* Sizes that follow from the graph and the grid. */
static void plan_memory(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct tuning *tuning = &state->tuning;
    const struct graph *graph = run->graph;
    uint64_t wanted = (uint64_t)run->options[COLD_SIZE];
    if (wanted == 0)
        wanted = (graph->num_vertices + state->num_warps - 1) / state->num_warps;
    tuning->cold_size = power_of_two_from(wanted, state->two_level ? cold_word::MAX_SIZE : hot_word::MAX_SIZE);
    tuning->num_chunks = graph->num_vertices / CHUNK + 1;
    /* More than one warp alone needs for the whole graph, while all others wait for it. */
    const long long cycles_of_a_step = 8192;
    tuning->patience =
        BARRIER_LIMIT + cycles_of_a_step * (long long)(graph->num_vertices + graph->num_edges / WARP_SIZE);
}

static int prepare(struct run *run, bool two_level, enum spread spread)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct tuning *tuning = &state->tuning;
    size_t n = run->graph->num_vertices;
    state->two_level = two_level;
    tuning->hot_cutoff = (uint32_t)run->options[HOT_CUTOFF];
    if (two_level) {
        tuning->batch_size = (uint32_t)run->options[BATCH_SIZE];
        tuning->hot_size = 64u << (unsigned)run->options[HOT_SIZE];
        tuning->bulk = run->options[COPIES] == 0;
    }
    if (spread != ONE_BLOCK) {
        tuning->cold_cutoff = (uint32_t)run->options[COLD_CUTOFF];
        tuning->load_aware = run->options[BALANCE_POLICY] == 1;
    }
    if (gpu_graph_upload(run->graph, run->options[OFFSET_BITS] != 0, &state->graph, run->error) != STATUS_OK ||
        plan_grid(run, spread) != STATUS_OK)
        return run->error->status;
    plan_memory(run);
    if (gpu_allocate(&search->visited, n, "the visited array", run->error) != STATUS_OK ||
        gpu_allocate(&search->parent, n, "the parents", run->error) != STATUS_OK ||
        gpu_allocate(&search->cold, state->num_warps * tuning->cold_size, "the stacks", run->error) != STATUS_OK ||
        gpu_allocate(&search->cold_state, state->num_warps, "the stacks", run->error) != STATUS_OK ||
        gpu_allocate(&search->chunks, (size_t)tuning->num_chunks * CHUNK, "the overflow", run->error) != STATUS_OK ||
        gpu_allocate(&search->turns, tuning->num_chunks, "the overflow", run->error) != STATUS_OK ||
        gpu_allocate(&search->control, 1, "the termination count", run->error) != STATUS_OK)
        return run->error->status;
    if (COUNTS_TASKS &&
        gpu_allocate(&search->tasks, state->grid.blocks, "the blocks' tasks", run->error) != STATUS_OK)
        return run->error->status;
    cudaMemset(search->turns, 0, tuning->num_chunks * sizeof *search->turns);
    cudaMemset(search->control, 0, sizeof *search->control);
    return gpu_check(cudaGetLastError(), "resetting the overflow", run->error);
}

static int prepare_v1(struct run *run)
{
    return prepare(run, false, ONE_BLOCK);
}

static int prepare_v2(struct run *run)
{
    return prepare(run, true, ONE_BLOCK);
}

static int prepare_v3(struct run *run)
{
    return prepare(run, true, HALF_OF_THE_BLOCKS);
}

static int prepare_v4(struct run *run)
{
    return prepare(run, true, ALL_BLOCKS);
}

__global__ void seed_source(struct search search, vertex_t source)
{
    search.visited[source] = 1;
    search.parent[source] = source;
    search.control->licences = 1;
    search.control->stuck = NOT_STUCK;
}

static int reset(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    size_t n = run->graph->num_vertices;
    cudaMemsetAsync(search->visited, 0, n * sizeof *search->visited);
    cudaMemsetAsync(search->parent, 0xff, n * sizeof *search->parent); /* NO_VERTEX */
    cudaMemsetAsync(search->cold_state, 0, state->num_warps * sizeof *search->cold_state);
    if (COUNTS_TASKS)
        cudaMemsetAsync(search->tasks, 0, state->grid.blocks * sizeof *search->tasks);
    if (gpu_check(cudaGetLastError(), "resetting a traversal", run->error) != STATUS_OK)
        return run->error->status;
    return gpu_launch(seed_source, {1, 1}, 0, run->error, *search, source);
}

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct gpu_graph *graph = &state->graph;
    if (reset(run, query->source) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    if (graph->wide)
        gpu_launch_persistent(kernel_of<edge_t>(state), state->grid, state->shared_bytes, run->error,
                              csr_of<edge_t>(graph), state->search, state->tuning, query->source);
    else
        gpu_launch_persistent(kernel_of<uint32_t>(state), state->grid, state->shared_bytes, run->error,
                              csr_of<uint32_t>(graph), state->search, state->tuning, query->source);
    run_kernel_end(run);
    return run->error->status;
}

static int check_stuck(const struct state *state, struct error *error)
{
    static const char *const waits[] = {"", "in overflow: no chunk became free", "in refill: a bulk copy did not end",
                                        "before termination: a block found no work"};
    struct control now;
    if (gpu_download(&now, state->search.control, 1, error) == STATUS_OK && now.stuck != NOT_STUCK)
        error_set(error, STATUS_DEVICE, "GPU: dfs: stuck %s for too long (%u licences, %llu chunks put, %llu taken)",
                  waits[now.stuck], now.licences, (unsigned long long)now.put, (unsigned long long)now.taken);
    return error->status;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    size_t n = run->graph->num_vertices;
    uint32_t *visited;
    if (check_stuck(state, run->error) != STATUS_OK ||
        gpu_download(result->parent, state->search.parent, n, run->error) != STATUS_OK ||
        allocate(&visited, n, sizeof *visited, "the result", run->error) != STATUS_OK)
        return run->error->status;
    if (gpu_download(visited, state->search.visited, n, run->error) == STATUS_OK) {
#pragma omp parallel for
        for (size_t v = 0; v < n; v++)
            result->visited[v] = (uint8_t)visited[v];
    }
    free(visited);
    if (COUNTS_TASKS && run->error->status == STATUS_OK) {
        result->num_blocks = state->grid.blocks;
        gpu_download(result->tasks, state->search.tasks, state->grid.blocks, run->error);
    }
    return run->error->status;
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct search *search = &state->search;
        const void *const arrays[] = {search->visited, search->parent, search->cold,    search->cold_state,
                                      search->chunks,  search->turns,  search->control, search->tasks};
        for (const void *array : arrays)
            gpu_free(array);
        gpu_graph_free(&state->graph);
    }
    free(state);
}

constexpr unsigned OUTPUTS = OUTPUT_VISITED | OUTPUT_PARENT | (COUNTS_TASKS ? OUTPUT_TASKS : 0);

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(dfs_v1) = {
    .family = "dfs",
    .variant = "v1",
    .title = "DiggerBees, one-level stacks, one block",
    .citation = "DiggerBees (Niu et al., PPoPP 2026)",
    .device = DEVICE_GPU,
    .outputs = OUTPUTS,
    .options = one_level_options,
    .prepare = prepare_v1,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(dfs_v2) = {
    .family = "dfs",
    .variant = "v2",
    .title = "DiggerBees, two-level stacks, one block",
    .citation = "DiggerBees (Niu et al., PPoPP 2026)",
    .device = DEVICE_GPU,
    .outputs = OUTPUTS,
    .options = two_level_options,
    .prepare = prepare_v2,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(dfs_v3) = {
    .family = "dfs",
    .variant = "v3",
    .title = "DiggerBees, stealing between blocks, on half of the GPU",
    .citation = "DiggerBees (Niu et al., PPoPP 2026)",
    .device = DEVICE_GPU,
    .outputs = OUTPUTS,
    .options = stealing_options,
    .prepare = prepare_v3,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(dfs_v4) = {
    .family = "dfs",
    .variant = "v4",
    .title = "DiggerBees, full",
    .citation = "DiggerBees (Niu et al., PPoPP 2026)",
    .device = DEVICE_GPU,
    .outputs = OUTPUTS,
    .options = stealing_options,
    .prepare = prepare_v4,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
