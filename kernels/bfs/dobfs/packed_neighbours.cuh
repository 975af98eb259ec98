/* packed_neighbours.cuh: the first in-neighbours of each vertex, packed into 16-byte words.
 *
 * Each vertex has a few words, unless the format is no_ids. Neighbour lists are sorted by id, high degrees
 * first, so most vertices find a visited neighbour in the first word. A format defines
 *     number         ids in a word
 *     words          packed words of a vertex, 1 or NUM_PACKED_WORDS: with 1 there is no stage 2
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
    static constexpr unsigned number = 5, at_once = 5, words = NUM_PACKED_WORDS;
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
    static constexpr unsigned number = 4, at_once = 1, words = NUM_PACKED_WORDS;
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

/* The format beside compressed lists, to save memory: the next neighbours are read from the lists. */
struct first_ids : four_ids {
    static constexpr unsigned words = 1;
};

/* Nothing is packed; bottom-up levels read the CSR. */
struct no_ids {
    static constexpr unsigned number = 0, words = 0;
};

/* Returns how many units of a list (list_units.cuh) are packed. */
template <typename format, typename csr_t>
DEVICE unsigned units_packed(void)
{
    return format::words * format::number / units_of<decltype(csr_t::targets)>::targets;
}

/* Packs the first in-neighbours of all ids. end_of_window: the first id beyond the window. first: num_words * 32
 * words; next: num_words * 32 pairs of words. */
template <typename format, typename csr_t>
__global__ void pack_first_neighbours(prepared_graph<csr_t> graph, uint32_t end_of_window, uint4 *first, uint4 *next)
{
    const unsigned unit = units_of<decltype(csr_t::targets)>::targets;
    uint64_t end = (uint64_t)graph.num_words * WARP_SIZE;
    for (uint64_t id = thread_of_grid(); id < end; id += threads_of_grid()) {
        const auto edge = id < graph.num_ids ? graph.in.offsets[id] : 0;
        const auto number = id < graph.num_ids ? graph.in.offsets[id + 1] - edge : 0;
        for (unsigned part = 0; part < format::words; part++) {
            const unsigned begin = part * format::number / unit, next_part = (part + 1) * format::number / unit;
            vertex_t ids[format::number];
            bool there[format::number];
#pragma unroll
            for (unsigned i = 0; i < format::number; i += unit)
                load_unit(graph.in.targets, edge + begin + i / unit, begin + i / unit < number, &ids[i], &there[i]);
#pragma unroll
            for (unsigned i = 0; i < format::number; i++)
                ids[i] = there[i] ? ids[i] : format::none;
            uint4 packed = format::pack(ids, number > next_part, end_of_window);
            if (part == 0)
                first[id] = packed;
            else
                next[(NUM_PACKED_WORDS - 1) * id + part - 1] = packed;
        }
    }
}

} // namespace BACKEND::dobfs
