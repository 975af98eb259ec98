/* results.cuh: the levels of the result, by input id.
 *
 * During the search a level is one byte per id, relative to progress.base. Before a level exceeds the range of
 * a byte, the levels so far are materialised: they are written to the result, their bytes become MATERIALISED,
 * and the base is raised. So the number of levels is not limited. A level that only marks writes no bytes:
 * visited vertices without one have the level progress.pending, and there is at most one such level at a time. */
#pragma once

#include "state.cuh"

namespace BACKEND::stream
{

/* The ids and level bytes of GROUP consecutive input ids, which one lane handles together. An id is NO_VERTEX
 * if there is no such vertex or it is in another block's range. */
struct group {
    uint32_t id[GROUP], byte[GROUP];
};

/* Loads the groups `first` and first + blockDim.x if they are below `end`. It issues all loads of ids first,
 * then all loads of bytes, and then uses the bytes. */
template <typename offset_t>
static __device__ __forceinline__ void load_groups(const prepared_graph<offset_t> &graph, const uint8_t *bytes,
                                                   uint64_t first, uint64_t end, struct group (&groups)[2])
{
#pragma unroll
    for (unsigned g = 0; g < 2; g++) {
        uint64_t number = first + g * blockDim.x;
        uint32_t vertex = number < end ? (uint32_t)number * GROUP : 0;
        uint4 packed = {vertex, vertex + 1, vertex + 2, vertex + 3};
        if (graph.id_of != NULL)
            packed = stream_four_if(number < end, (const uint4 *)graph.id_of + number);
        groups[g] = {{packed.x, packed.y, packed.z, packed.w}, {}};
    }
#pragma unroll
    for (unsigned g = 0; g < 2; g++) {
        uint32_t four = graph.id_of == NULL ? ((const uint32_t *)bytes)[groups[g].id[0] / GROUP] : 0;
#pragma unroll
        for (unsigned i = 0; i < GROUP; i++) {
            uint32_t id = groups[g].id[i];
            groups[g].byte[i] = id >= graph.num_ids ? UNSET : graph.id_of == NULL ? four >> 8 * i & 0xff : bytes[id];
        }
    }
}

/* Writes the known levels to the result. last: vertices without a level become UNREACHED; otherwise the bytes
 * of the written levels become MATERIALISED. A block handles a contiguous range of input ids. Their ids form a
 * few contiguous ranges, one per degree class, so the bytes are read from L1. */
template <typename offset_t>
static __device__ __forceinline__ void materialise_levels(const prepared_graph<offset_t> &graph,
                                                          const search<offset_t> &search, const struct progress &at,
                                                          vertex_t source, bool last)
{
    const uint32_t *visited = visited_bitmap(search, at);
    uint64_t all = ((uint64_t)graph.num_vertices + GROUP - 1) / GROUP;
    uint64_t begin = all * blockIdx.x / gridDim.x, end = all * (blockIdx.x + 1) / gridDim.x;
    for (uint64_t first = begin + threadIdx.x; first < end; first += 2 * blockDim.x) {
        struct group groups[2];
        load_groups(graph, search.bytes, first, end, groups);
#pragma unroll
        for (unsigned g = 0; g < 2; g++) {
            uint64_t number = first + g * blockDim.x;
            uint32_t vertex = (uint32_t)number * GROUP, level[GROUP];
            bool writes[GROUP], whole = last;
            if (number >= end)
                break;
#pragma unroll
            for (unsigned i = 0; i < GROUP; i++) {
                uint32_t id = groups[g].id[i], byte = groups[g].byte[i];
                bool marked = byte == UNSET && at.pending != NOT_PENDING && id < graph.num_ids &&
                              (__ldcg(bitmap_word(visited, id)) & bit_of(id));
                level[i] = byte < MATERIALISED ? at.base + byte : marked ? at.pending : UNREACHED;
                level[i] = vertex + i == source ? 0 : level[i];
                writes[i] = byte != MATERIALISED && (last || level[i] != UNREACHED);
                whole = whole && writes[i];
            }
            if (whole)
                ((uint4 *)search.level)[number] = {level[0], level[1], level[2], level[3]};
#pragma unroll
            for (unsigned i = 0; i < GROUP; i++) {
                uint32_t id = groups[g].id[i];
                if (writes[i] && !whole)
                    search.level[vertex + i] = level[i]; /* the array is padded to a multiple of GROUP */
                if (writes[i] && graph.id_of != NULL && search.level_by_id != NULL && id < graph.num_ids)
                    search.level_by_id[id] = level[i];
                if (writes[i] && !last && id < graph.num_ids)
                    search.bytes[id] = MATERIALISED;
            }
        }
    }
}

} // namespace BACKEND::stream
