/* queue.cuh: the queue of a level, and the bits of reached vertices.
 *
 * Layout. 1,024 consecutive vertices have 32 words of the bitmap. Vertex 32 i + j of them has bit i of word i ^ j. So
 * vertices with close numbers have their bits in different banks of the shared memory. In a grid, a level is a
 * diagonal, and if the grid's width is a power of two, the vertices of a diagonal still have different banks. They
 * would share a bank if 32 consecutive vertices shared a word. Atomics in the same bank run one after another.
 *
 * Bits. A bit is set by atomic OR. Exactly one thread gets the bit back clear, and this thread has found the vertex.
 * It takes a place from the count of the level by atomic add, and queues the vertex there. So a vertex is in a queue
 * once, and the search writes its level once.
 *
 * Ring. It has a place for every vertex. The spilled entries of a level follow those of the previous level and wrap
 * around. Both levels together have no more entries than there are vertices, so no entry is overwritten while a
 * thread may still read it. */
#pragma once

#include "../../device/warp.cuh"
#include "batch.cuh"

namespace BACKEND::perblock
{

#define IN_FLIGHT 4u /* neighbours beyond a record that a lane loads together, if a warp or a block visits them */

DEVICE uint64_t in_ring(const struct batch &batch, uint64_t place)
{
    return place < batch.ring_size ? place : place - batch.ring_size;
}

/* Returns entry i of the last complete level. */
template <typename level_t>
DEVICE vertex_t entry(const struct batch &batch, const struct search<level_t> &search, uint32_t i)
{
    if (i < batch.room)
        return search.queues[search.taken + i];
    return __ldcg(&search.ring[in_ring(batch, search.spilled + (i - batch.room))]);
}

/* Stores a vertex as entry i of the level that is being found. */
template <typename level_t>
DEVICE void enqueue(const struct batch &batch, const struct search<level_t> &search, uint32_t i, vertex_t vertex)
{
    if (i < batch.room)
        search.queues[search.filled + i] = vertex;
    else
        __stcg(&search.ring[in_ring(batch, search.next + (i - batch.room))], vertex);
}

/* Begins the next level. size: number of vertices in the last complete level. */
template <typename level_t>
DEVICE void begin_level(const struct batch &batch, struct search<level_t> *search, uint32_t size)
{
    search->level++;
    search->taken = search->filled;
    search->filled = batch.room - search->taken;
    search->spilled = search->next;
    if (size > batch.room)
        search->next = in_ring(batch, search->spilled + (size - batch.room));
}

/* ---- finding vertices ---- */

/* Returns the index of the word that holds a vertex's bit. */
DEVICE uint32_t word_of(vertex_t vertex)
{
    return vertex / WORD_BITS ^ vertex % WORD_BITS;
}
DEVICE uint32_t number_of_bit(vertex_t vertex)
{
    return vertex / WORD_BITS % WORD_BITS;
}

DEVICE bool is_reached(uint32_t word, vertex_t vertex)
{
    return word >> number_of_bit(vertex) & 1;
}

/* Sets the bit of a vertex. Returns the old word, or all ones if there is no vertex (NO_VERTEX). In shared memory
 * such a lane sets a bit of its spare word, whose bits are all set, so that lanes need not branch. */
template <bool in_shared, typename level_t>
DEVICE uint32_t set_bit_of(const struct batch &batch, const struct search<level_t> &search, vertex_t vertex)
{
    uint32_t word = word_of(vertex), bit = 1u << number_of_bit(vertex);
    if constexpr (!in_shared)
        return or_if(vertex != NO_VERTEX, &search.bitmap[word], bit);
    word = min(word, batch.num_words + lane_id()); /* only NO_VERTEX's word is beyond the bitmap */
    return atomicOr_block(&search.bitmap[word], bit);
}

/* Writes the level of a vertex of the last complete level. */
template <typename level_t>
DEVICE void note_level(const struct batch &batch, const struct search<level_t> &search, vertex_t vertex)
{
    uint32_t level = search.level - 1;
    if (search.levels != NULL)
        search.levels[vertex] = (level_t)level;
    if (batch.farness != NULL)
        atomicAdd(&batch.farness[vertex], (uint64_t)level << COUNT_BITS | 1);
}

/* Sums of a number that each lane of a warp has. */
struct lane_sums {
    unsigned before; /* sum over the lanes before this one */
    unsigned any;    /* not 0 if any lane's number is not 0 */
};

/* Computes the sums. Each lane's number is at most `most`. All lanes of the warp must call it. */
template <unsigned most>
DEVICE struct lane_sums sum_lanes(unsigned number)
{
    struct lane_sums sums = {0, 0};
#pragma unroll
    for (unsigned digit = 1; digit <= most; digit *= 2) { /* one ballot for each binary digit */
        unsigned lanes = __ballot_sync(WHOLE_WARP, (number & digit) != 0);
        sums.before += lanes_before(lanes) * digit;
        sums.any |= lanes;
    }
    return sums;
}

/* Adds the last lane's number to a count in shared memory. Every lane gets the old count. The other lanes add 0 to
 * their spare words: if only one lane added, the compiler would first sum over the lanes that might add. All lanes of
 * the warp must call it. */
DEVICE uint32_t add_of_last_lane(uint32_t *count, uint32_t number, uint32_t *spare)
{
    const unsigned last = WARP_SIZE - 1;
    bool adds = lane_id() == last;
    uint32_t old = atomicAdd_block(adds ? count : spare, adds ? number : 0u);
    return __shfl_sync(WHOLE_WARP, old, (int)last);
}

/* Finds the unreached vertices among the lanes' vertices and queues them. NO_VERTEX: no vertex. All lanes of the warp
 * must call it. */
template <bool in_shared, typename level_t, unsigned number>
DEVICE void visit(const struct batch &batch, struct shared *shared, const struct search<level_t> &search,
                  const vertex_t (&vertices)[number])
{
    uint32_t old[number], mine = 0;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        old[i] = set_bit_of<in_shared>(batch, search, vertices[i]);
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        mine += !is_reached(old[i], vertices[i]);
    struct lane_sums sums = sum_lanes<number>(mine);
    if (sums.any == 0)
        return;
    uint32_t *count = count_of(shared->count, search.level);
    uint32_t place = add_of_last_lane(count, sums.before + mine, search.spare) + sums.before;
    if (place + mine <= batch.room) { /* stores to shared memory only, without branches */
        vertex_t *at = &search.queues[search.filled + place];
#pragma unroll
        for (unsigned i = 0; i < number; i++)
            if (!is_reached(old[i], vertices[i]))
                *at++ = vertices[i];
    } else {
#pragma unroll
        for (unsigned i = 0; i < number; i++)
            if (!is_reached(old[i], vertices[i]))
                enqueue(batch, search, place++, vertices[i]);
    }
}

/* Visits the lane's part of a span: every `stride`-th edge. All lanes of the warp must call it. */
template <bool in_shared, unsigned in_flight = IN_FLIGHT, typename level_t>
DEVICE void visit_span(const struct batch &batch, struct shared *shared, const struct search<level_t> &search,
                       struct span span, unsigned stride)
{
    for (; __any_sync(WHOLE_WARP, span.edge < span.end); span.edge += in_flight * stride) {
        vertex_t vertices[in_flight];
#pragma unroll
        for (unsigned i = 0; i < in_flight; i++)
            vertices[i] = load_if(span.edge + i * stride < span.end, &batch.targets[span.edge + i * stride]);
        visit<in_shared>(batch, shared, search, vertices);
    }
}

} // namespace BACKEND::perblock
