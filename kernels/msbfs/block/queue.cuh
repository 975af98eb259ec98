/* queue.cuh: the queue of a level, and the bits of reached vertices.
 *
 * Bits. A bit is set by atomic OR, and only one thread gets it back clear. That thread has found the vertex. It
 * queues the vertex at a place of its own, which it takes from the count of the level by atomic add. So a
 * vertex is in a queue once, and the search writes its level once.
 *
 * Ring. It has a place for every vertex. The spilled entries of a level lie behind those of the previous
 * level, and wrap around. Both levels together have no more entries than there are vertices. So no entry is
 * overwritten before the barrier after which no thread reads it. */
#pragma once

#include "batch.cuh"

namespace BACKEND::block
{

#define IN_FLIGHT 4u /* neighbours beyond a record that a lane has in flight */

static __device__ __forceinline__ uint64_t in_ring(const struct batch &batch, uint64_t place)
{
    return place < batch.ring_size ? place : place - batch.ring_size;
}

/* Entry i of the last complete level. */
template <typename level_t>
static __device__ __forceinline__ vertex_t entry(const struct batch &batch, const struct search<level_t> &search,
                                                 uint32_t i)
{
    if (i < batch.room)
        return search.queues[(search.level + 1) % 2 * batch.room + i];
    return __ldcg(&search.ring[in_ring(batch, search.spilled + (i - batch.room))]);
}

/* Makes a vertex entry i of the level that is being found. */
template <typename level_t>
static __device__ __forceinline__ void enqueue(const struct batch &batch, const struct search<level_t> &search,
                                               uint32_t i, vertex_t vertex)
{
    if (i < batch.room)
        search.queues[search.level % 2 * batch.room + i] = vertex;
    else
        __stcg(&search.ring[in_ring(batch, search.next + (i - batch.room))], vertex);
}

/* ---- finding vertices ---- */

/* Sets the bit of a vertex. Returns the old word. */
template <bool in_shared>
static __device__ __forceinline__ uint32_t set_if(bool condition, uint32_t *bitmap, vertex_t vertex)
{
    if constexpr (in_shared)
        return or_shared_if(condition, bitmap_word(bitmap, vertex), bit_of(vertex));
    return set_bit_if(condition, bitmap, vertex);
}

/* Writes the level of a vertex of the last complete level. */
template <typename level_t>
static __device__ __forceinline__ void note_level(const struct batch &batch, const struct search<level_t> &search,
                                                  vertex_t vertex)
{
    uint32_t level = search.level - 1;
    if (search.levels != NULL)
        search.levels[vertex] = (level_t)level;
    if (batch.far != NULL)
        atomicAdd((unsigned long long *)&batch.far[vertex], (unsigned long long)level << COUNT_BITS | 1);
}

/* Finds the unreached vertices among those of a lane and queues them. NO_VERTEX means no vertex. All lanes
 * of the warp must call. */
template <bool in_shared, typename level_t, unsigned number>
static __device__ __forceinline__ void visit(const struct batch &batch, struct shared *shared,
                                             const struct search<level_t> &search, vertex_t (&vertices)[number])
{
    unsigned before = lanes_below(lane_id()), winners[number], total = 0;
    uint32_t old[number];
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        old[i] = set_if<in_shared>(vertices[i] != NO_VERTEX, search.bitmap, vertices[i]);
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        if (has_bit(old[i], vertices[i]))
            vertices[i] = NO_VERTEX;
        winners[i] = __ballot_sync(WHOLE_WARP, vertices[i] != NO_VERTEX);
        total += __popc(winners[i]);
    }
    if (total == 0)
        return;
    uint32_t place = add_shared_if(lane_id() == 0, count_of(shared->count, search.level), total);
    place = __shfl_sync(WHOLE_WARP, place, 0);
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        if (vertices[i] != NO_VERTEX)
            enqueue(batch, search, place + __popc(winners[i] & before), vertices[i]);
        place += __popc(winners[i]);
    }
}

/* Visits a lane's edges: every `stride`-th edge of the span. All lanes of the warp must call. */
template <bool in_shared, typename level_t>
static __device__ __forceinline__ void visit_span(const struct batch &batch, struct shared *shared,
                                                  const struct search<level_t> &search, struct span span,
                                                  unsigned stride)
{
    for (; __any_sync(WHOLE_WARP, span.edge < span.end); span.edge += IN_FLIGHT * stride) {
        vertex_t vertices[IN_FLIGHT];
#pragma unroll
        for (unsigned i = 0; i < IN_FLIGHT; i++)
            vertices[i] = load_if(span.edge + i * stride < span.end, &batch.targets[span.edge + i * stride]);
        visit<in_shared>(batch, shared, search, vertices);
    }
}

} // namespace BACKEND::block
