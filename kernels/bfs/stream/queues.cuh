/* queues.cuh: queues of vertices, and the edge-balanced loop over the edges of a queue.
 *
 * An entry holds the number of edges before it in the level, and its first edge minus that number. So every warp can
 * take the same number of edges: it finds its first entry by a 32-ary search, and one addition gives an edge's place
 * in the CSR. One 64-bit atomic per warp reserves both the places of the warp's entries and the numbers of their
 * edges. A queue cannot overflow: a level finds no more vertices than it has edges, and a level of more edges than
 * the queue has entries only marks. */
#pragma once

#include "state.cuh"

namespace BACKEND::stream
{

/* ---- where a queue lies ---- */

/* In device memory, written by any block: reads bypass L1. */
template <typename offset_t>
struct global_queue : queue<offset_t> {
    __device__ __forceinline__ offset_t before_at(uint64_t i) const
    {
        return __ldcg(&this->before[i]);
    }
    __device__ __forceinline__ offset_t shift_at(uint64_t i) const
    {
        return __ldcg(&this->shift[i]);
    }
    __device__ __forceinline__ void put(uint64_t i, offset_t edges_before, offset_t its_shift) const
    {
        __stcg(&this->before[i], edges_before);
        __stcg(&this->shift[i], its_shift);
    }
};

/* In the shared memory of one block. */
template <typename offset_t>
struct shared_queue : queue<offset_t> {
    __device__ __forceinline__ offset_t before_at(uint64_t i) const
    {
        return this->before[i];
    }
    __device__ __forceinline__ offset_t shift_at(uint64_t i) const
    {
        return this->shift[i];
    }
    __device__ __forceinline__ void put(uint64_t i, offset_t edges_before, offset_t its_shift) const
    {
        this->before[i] = edges_before;
        this->shift[i] = its_shift;
    }
};

/* All vertices of a graph in order, as if they were queued. */
template <typename offset_t>
struct whole_graph {
    const offset_t *offsets;
    __device__ __forceinline__ offset_t before_at(uint64_t i) const
    {
        return __ldg(&offsets[i]);
    }
    __device__ __forceinline__ offset_t shift_at(uint64_t) const
    {
        return 0;
    }
};

/* ---- reading ---- */

/* The last of `size` entries that has at most `edge` edges before it. All lanes of the warp must call it. */
template <typename queue_t, typename offset_t>
static __device__ __forceinline__ uint64_t entry_of(const queue_t &queue, uint64_t size, offset_t edge)
{
    uint64_t first = 0, end = size;
    while (end - first > 1) {
        uint64_t step = (end - first + WARP_SIZE - 1) / WARP_SIZE, probe = first + lane_id() * step;
        bool reaches = probe < end && queue.before_at(probe) <= edge;
        first += (unsigned)(__popc(__ballot_sync(WHOLE_WARP, reaches)) - 1) * step;
        end = min(end, first + step);
    }
    return first;
}

/* Divides the `edges` edges of a queue of `size` entries evenly among the team's warps, and calls
 * use(neighbours, has, entries) with `unroll` edges per lane: their targets and the entries they belong to. Where has
 * is false, the neighbour is NO_VERTEX. All lanes take part in every call of use, and all return the same value: true
 * to skip the remaining edges of the entry to which the last lane's last edge belongs. */
template <unsigned unroll, typename queue_t, typename offset_t, typename use_t>
static __device__ __forceinline__ void for_each_edge(const vertex_t *targets, const queue_t &queue, uint64_t size,
                                                     offset_t edges, struct team team, use_t use)
{
    offset_t share = (edges + team.size - 1) / team.size;
    share = (share + WARP_SIZE - 1) & ~(offset_t)(WARP_SIZE - 1);
    uint64_t begin = (uint64_t)share * team.rank;
    if (begin >= edges)
        return;
    offset_t edge = (offset_t)begin, end = edges - edge < share ? edges : edge + share;
    for (uint64_t entry = entry_of(queue, size, edge); edge < end; entry += WARP_SIZE) {
        /* The lanes hold 32 entries. Their edges are counted from `edge` on; the warp takes fewer than 2^32. */
        uint64_t mine = entry + lane_id();
        offset_t before = mine < size ? queue.before_at(mine) : edges;
        offset_t shift = mine < size ? queue.shift_at(mine) : 0;
        offset_t until = entry + WARP_SIZE < size ? min(end, queue.before_at(entry + WARP_SIZE)) : end;
        uint32_t from = before <= edge ? 0 : before >= end ? UINT32_MAX : (uint32_t)(before - edge);
        uint32_t number = (uint32_t)(until - edge);
        for (uint32_t at = 0; at < number;) {
            vertex_t neighbours[unroll];
            bool has[unroll];
            uint64_t entries[unroll];
            unsigned owner = 0;
#pragma unroll
            for (unsigned i = 0; i < unroll; i++) {
                uint32_t place = at + i * WARP_SIZE + lane_id();
                owner = 0;
#pragma unroll
                for (unsigned step = WARP_SIZE / 2; step > 0; step /= 2)
                    owner += __shfl_sync(WHOLE_WARP, from, (int)(owner + step)) <= place ? step : 0;
                offset_t its_shift = __shfl_sync(WHOLE_WARP, shift, (int)owner);
                has[i] = place < number;
                entries[i] = entry + owner;
                neighbours[i] = load_if(has[i], &targets[(offset_t)(its_shift + edge + place)]);
            }
            at += unroll * WARP_SIZE;
            if (use(neighbours, has, entries)) {
                owner = __shfl_sync(WHOLE_WARP, owner, WARP_SIZE - 1);
                uint32_t rest = __shfl_sync(WHOLE_WARP, from, (int)(owner + 1) % (int)WARP_SIZE);
                at = max(at, owner + 1 < WARP_SIZE ? rest : number);
            }
        }
        edge = until;
    }
}

/* ---- writing ---- */

/* Appends up to `number` vertices per lane, those where has is true; first .. end - 1 are their edges. Returns the
 * place of the lane's first entry. All lanes of the warp must call it. The warp makes one atomic addition to *count.
 * Places and numbers of edges come from the same sum, so both ascend together, as entry_of requires. */
template <unsigned number, typename queue_t, typename offset_t>
static __device__ __forceinline__ uint64_t append(const queue_t &queue, uint64_t *count, unsigned edge_bits,
                                                  const bool (&has)[number], const offset_t (&first)[number],
                                                  const offset_t (&end)[number])
{
    const uint64_t entry = 1ull << edge_bits;
    uint64_t mine = 0;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        mine += has[i] ? entry + (offset_t)(end[i] - first[i]) : 0;
    if (!__any_sync(WHOLE_WARP, mine != 0))
        return 0;
    uint64_t sum = mine; /* over this lane and the lanes before it */
#pragma unroll
    for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
        uint64_t left = __shfl_up_sync(WHOLE_WARP, sum, step);
        sum += lane_id() >= step ? left : 0;
    }
    uint64_t place = 0;
    if (lane_id() == WARP_SIZE - 1)
        place = atomicAdd((unsigned long long *)count, (unsigned long long)sum);
    place = __shfl_sync(WHOLE_WARP, place, WARP_SIZE - 1) + sum - mine;
    const uint64_t first_place = place >> edge_bits;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        if (has[i]) {
            offset_t before = (offset_t)(place & (entry - 1));
            queue.put(place >> edge_bits, before, first[i] - before);
            place += entry + (offset_t)(end[i] - first[i]);
        }
    return first_place;
}

} // namespace BACKEND::stream
