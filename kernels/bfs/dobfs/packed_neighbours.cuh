/* packed_neighbours.cuh: the first in-neighbours of each vertex, packed into 16-byte words.
 *
 * With five_ids or four_ids, each vertex has NUM_PACKED_WORDS words. Neighbour lists are sorted by id, high degrees
 * first, so most vertices find a visited neighbour in the first word. A format defines
 *     number         ids in a word
 *     at_once        ids of a word that are looked up together if they are beyond the window
 *     none           the id that marks an unused place
 *     more(word)     whether the vertex has further neighbours after this word
 *     beyond(word)   whether an id of the word is at least end_of_window
 * A word of all ones has no ids, and more() is false for it. It stands for a vertex that needs no search. */
#pragma once

#include "state.cuh"

namespace BACKEND::dobfs
{

/* Five ids of 25 bits. Flags in w: bit 31: the vertex has no more neighbours; bit 30: no id is beyond the window. */
struct five_ids {
    static constexpr unsigned number = 5, at_once = 5;
    static constexpr vertex_t none = (1u << 25) - 1;
    DEVICE bool more(uint4 packed)
    {
        return !(packed.w >> 31);
    }
    DEVICE bool beyond(uint4 packed, uint32_t)
    {
        return !(packed.w >> 30 & 1);
    }
    DEVICE void unpack(uint4 packed, vertex_t (&ids)[number])
    {
        ids[0] = packed.x & none;
        ids[1] = (uint32_t)(((uint64_t)packed.y << 32 | packed.x) >> 25) & none;
        ids[2] = (uint32_t)(((uint64_t)packed.z << 32 | packed.y) >> 18) & none;
        ids[3] = (uint32_t)(((uint64_t)packed.w << 32 | packed.z) >> 11) & none;
        ids[4] = packed.w >> 4 & none;
    }
    DEVICE uint4 pack(const vertex_t (&ids)[number], bool more, uint32_t end_of_window)
    {
        bool near = true;
#pragma unroll
        for (unsigned i = 0; i < number; i++)
            near = near && (ids[i] < end_of_window || ids[i] == none);
        return {ids[0] | ids[1] << 25, ids[1] >> 7 | ids[2] << 18, ids[2] >> 14 | ids[3] << 11,
                ids[3] >> 21 | ids[4] << 4 | (uint32_t)near << 30 | (uint32_t)!more << 31};
    }
};

/* Four ids of 32 bits, for graphs of 2^25 vertices and more. There are no flags: if the last place is used, there may
 * be further neighbours. In graphs of this size most ids are beyond the window, and the throughput of L2 limits the
 * search. So an id is looked up only when the one before it is known to be unvisited. On smaller graphs latency is
 * the limit. */
struct four_ids {
    static constexpr unsigned number = 4, at_once = 1;
    static constexpr vertex_t none = NO_VERTEX;
    DEVICE bool more(uint4 packed)
    {
        return packed.w != none;
    }
    DEVICE bool beyond(uint4 packed, uint32_t end_of_window)
    {
        vertex_t ids[number];
        bool any = false;
        unpack(packed, ids);
#pragma unroll
        for (unsigned i = 0; i < number; i++)
            any = any || (ids[i] >= end_of_window && ids[i] != none);
        return any;
    }
    DEVICE void unpack(uint4 packed, vertex_t (&ids)[number])
    {
        ids[0] = packed.x, ids[1] = packed.y, ids[2] = packed.z, ids[3] = packed.w;
    }
    DEVICE uint4 pack(const vertex_t (&ids)[number], bool, uint32_t)
    {
        return {ids[0], ids[1], ids[2], ids[3]};
    }
};

/* Nothing is packed; bottom-up levels read the CSR. */
struct no_ids {
    static constexpr unsigned number = 0;
};

/* Packs the first in-neighbours of all ids. end_of_window: the first id beyond the window. first: num_words * 32
 * words; next: num_words * 32 pairs of words. */
template <typename format, typename offset_t>
__global__ void pack_first_neighbours(prepared_graph<offset_t> graph, uint32_t end_of_window, uint4 *first, uint4 *next)
{
    uint64_t end = (uint64_t)graph.num_words * WARP_SIZE;
    for (uint64_t id = thread_of_grid(); id < end; id += threads_of_grid()) {
        offset_t edge = id < graph.num_ids ? graph.in.offsets[id] : 0;
        offset_t number = id < graph.num_ids ? graph.in.offsets[id + 1] - edge : 0;
        for (unsigned part = 0; part < NUM_PACKED_WORDS; part++) {
            vertex_t ids[format::number];
#pragma unroll
            for (unsigned i = 0; i < format::number; i++)
                ids[i] = part * format::number + i < number ? graph.in.targets[edge + part * format::number + i]
                                                            : format::none;
            uint4 packed = format::pack(ids, number > (part + 1) * format::number, end_of_window);
            if (part == 0)
                first[id] = packed;
            else
                next[(NUM_PACKED_WORDS - 1) * id + part - 1] = packed;
        }
    }
}

} // namespace BACKEND::dobfs
