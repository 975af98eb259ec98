/* queues.cuh: queues of vertices in device memory and in shared memory (device/edge_queue.cuh). An entry stands for
 * some edges of a vertex. A queue cannot overflow: a level finds no more vertices than it has edges, and a level that
 * has more edges than a queue has room for marks instead of queueing. */
#pragma once

#include "../../device/edge_queue.cuh"
#include "state.cuh"

namespace BACKEND::dobfs
{

/* An entry of a queue. Its edges in the CSR begin at before + shift. */
template <typename offset_t>
struct queue_entry {
    offset_t before, shift;
    vertex_t id; /* the vertex; 0 in a queue without ids */
};

/* A queue with offsets of a known width. shared: it is in the shared memory of one block. Otherwise it is in device
 * memory, any block may have written it, and reads bypass L1. */
template <typename offset_t, bool with_ids, bool shared>
struct typed_queue : queue {
    vertex_t *ids; /* the vertices; NULL without ids */
    typedef queue_entry<offset_t> entry;
    template <typename type>
    DEVICE type read(const type *from)
    {
        return shared ? *from : __ldcg(from);
    }
    template <typename type>
    DEVICE void write(type *to, type value)
    {
        if (shared)
            *to = value;
        else
            __stcg(to, value);
    }
    __device__ __forceinline__ offset_t before_at(uint64_t i) const
    {
        return read((offset_t *)before + i);
    }
    __device__ __forceinline__ entry load(uint64_t i) const
    {
        return {read((offset_t *)before + i), read((offset_t *)shift + i), with_ids ? read(ids + i) : 0};
    }
    __device__ __forceinline__ void put(uint64_t i, const entry &value) const
    {
        write((offset_t *)before + i, value.before);
        write((offset_t *)shift + i, value.shift);
        if (with_ids)
            write(ids + i, value.id);
    }
};

template <typename offset_t, bool with_ids>
using global_queue = typed_queue<offset_t, with_ids, false>;
template <typename offset_t, bool with_ids>
using shared_queue = typed_queue<offset_t, with_ids, true>;

/* Returns a queue in device memory. If parents are recorded, its ids follow the shifts. A pointer to ids in struct
 * queue would cost registers: with it, searches for levels took 3 to 11% longer on an H100. */
template <typename offset_t, bool with_ids>
DEVICE global_queue<offset_t, with_ids> typed(const struct queue &queue, const struct rules &rules)
{
    return {queue, with_ids ? (vertex_t *)((offset_t *)queue.shift + rules.queue_capacity + 1) : NULL};
}

/* Appends up to `number` vertices per lane: vertex ids[i] with edges first[i] .. end[i] - 1, if has[i]. All lanes of
 * the warp must call it. */
template <unsigned number, typename offset_t>
DEVICE void append(const auto &queue, uint64_t *count, unsigned edge_bits, const bool (&has)[number],
                   const vertex_t (&ids)[number], const offset_t (&first)[number], const offset_t (&end)[number])
{
    offset_t edges[number];
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        edges[i] = end[i] - first[i];
    append_entries(count, edge_bits, has, edges, [&](unsigned i, uint64_t place, uint64_t before) {
        queue.put(place, {(offset_t)before, first[i] - (offset_t)before, ids[i]});
    });
}

/* Where queue_bits() appends vertices. */
template <typename queue_t, typename offset_t>
struct filling {
    const offset_t *offsets; /* by place */
    queue_t queue;
    uint64_t *count;
    unsigned edge_bits;
    bool queues; /* false: nothing is appended */
};

/* Queues the vertices of the bits that bits_of(own, word) returns for each of num_words own words, where
 * word = word_of(own) has their ids; a lane takes a word. Calls found(place) for each of them, a bit of the own words.
 */
template <typename queue_t, typename offset_t>
DEVICE void queue_bits(const filling<queue_t, offset_t> &to, uint32_t num_words, auto word_of, auto bits_of, auto found)
{
    const struct team team = spread_warps();
    for (uint64_t base = (uint64_t)team.rank * WARP_SIZE; base < num_words; base += (uint64_t)team.size * WARP_SIZE) {
        const uint64_t own = base + lane_id();
        const uint32_t word = word_of((uint32_t)own);
        uint32_t fresh = own < num_words ? bits_of((uint32_t)own, word) : 0;
        while (__any_sync(WHOLE_WARP, fresh != 0)) {
            bool has[UNROLL];
            vertex_t ids[UNROLL];
            offset_t first[UNROLL], end[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                has[i] = fresh != 0;
                const unsigned bit = (unsigned)__ffs((int)fresh) - 1;
                const size_t place = own * WARP_SIZE + bit;
                ids[i] = word * WARP_SIZE + bit;
                first[i] = load_if(has[i] && to.queues, &to.offsets[has[i] ? place : 0]);
                end[i] = load_if(has[i] && to.queues, &to.offsets[has[i] ? place + 1 : 0]);
                if (has[i])
                    found(place);
                fresh &= fresh - 1;
            }
            if (to.queues)
                append(to.queue, to.count, to.edge_bits, has, ids, first, end);
        }
    }
}

} // namespace BACKEND::dobfs
