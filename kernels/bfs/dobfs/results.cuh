/* results.cuh: writes the levels and parents of the result, by input id.
 *
 * During the search a level is one byte per id, relative to progress.base. Before a level exceeds the range of a
 * byte, the levels so far are materialised: they are written to the result, their bytes become MATERIALISED, and the
 * base is raised. So the number of levels is not limited. A level that only marks writes no bytes: its vertices are
 * visited, but have no byte. There is at most one such level at a time; progress.pending is its number. */
#pragma once

#include "visited_window.cuh"

namespace BACKEND::dobfs
{

/* The ids and level bytes of GROUP consecutive input ids, which one lane handles together. An id is NO_VERTEX if
 * there is no such vertex, or if another block handles it. */
struct group {
    uint32_t id[GROUP], byte[GROUP];
};

/* Loads the groups `first` and first + blockDim.x if they are below `end`. All loads of ids are issued before all
 * loads of bytes, so that they overlap. */
DEVICE void load_groups(const any_graph auto &graph, const uint8_t *bytes, uint32_t first, uint32_t end,
                        struct group (&groups)[2])
{
#pragma unroll
    for (unsigned g = 0; g < 2; g++) {
        uint32_t number = first + g * blockDim.x, vertex = number < end ? number * GROUP : 0;
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

/* Returns a vertex's level. If its byte holds none, a marked vertex has progress.pending, others UNREACHED. */
DEVICE uint32_t level_of(const any_graph auto &graph, const uint32_t *visited, const struct progress &at, uint32_t id,
                         uint32_t byte)
{
    bool marked = byte == UNSET && at.pending != NOT_PENDING && id < graph.num_ids &&
                  (__ldcg(bitmap_word(visited, id)) & bit_of(id));
    return byte < MATERIALISED ? at.base + byte : marked ? at.pending : UNREACHED;
}

/* Calls use(number, group) for all groups of GROUP input ids. A block handles a contiguous range of input ids. Their
 * ids form a few contiguous ranges, one per degree class, so L1 holds their bytes. */
DEVICE void for_each_group(const any_graph auto &graph, const uint8_t *bytes, auto use)
{
    const uint32_t all = graph.num_vertices / GROUP + (graph.num_vertices % GROUP > 0);
    const uint32_t share = (all + gridDim.x - 1) / gridDim.x, end = min(all, share * (blockIdx.x + 1));
    for (uint32_t first = share * blockIdx.x + threadIdx.x; first < end; first += 2 * blockDim.x) {
        struct group groups[2];
        load_groups(graph, bytes, first, end, groups);
#pragma unroll
        for (unsigned g = 0; g < 2; g++)
            if (first + g * blockDim.x < end)
                use(first + g * blockDim.x, groups[g]);
    }
}

/* The input ids of the vertices with the lowest ids, in shared memory. These vertices have the highest degrees and
 * are the parents of most others. */
struct first_inputs {
    const uint32_t *input_of;
    uint32_t number; /* number of ids in shared memory */
};

/* Loads the first input ids. All threads of the block must call it, when no level is running. */
DEVICE struct first_inputs load_first_inputs(const any_graph auto &graph, uint32_t number)
{
    uint32_t *window = window_of_block();
    for (uint32_t id = threadIdx.x; id < number; id += blockDim.x)
        window[id] = graph.input_of[id];
    __syncthreads();
    return {window, number};
}

/* Returns the parent of a vertex as an input id; NO_VERTEX if it has no level. The source is its own parent. */
DEVICE vertex_t parent_of(const any_graph auto &graph, const struct search &search, const struct first_inputs &first,
                          vertex_t vertex, uint32_t id, uint32_t level)
{
    if (level == UNREACHED || level == 0)
        return level == 0 ? vertex : NO_VERTEX;
    vertex_t above = search.parent_by_id[id];
    if (graph.input_of == NULL)
        return above;
    return above < first.number ? first.input_of[above] : graph.input_of[above];
}

/* Writes the whole result. Used if no level was materialised before. */
template <bool parents>
DEVICE void write_levels(const any_graph auto &graph, const struct search &search, const struct rules &rules,
                         const struct progress &at, vertex_t source)
{
    const uint32_t *visited = visited_bitmap(search, at);
    const struct first_inputs first =
        parents ? load_first_inputs(graph, rules.first_inputs) : (struct first_inputs){};
    for_each_group(graph, search.bytes, [&](uint32_t number, const struct group &group) {
        uint32_t level[GROUP];
#pragma unroll
        for (unsigned i = 0; i < GROUP; i++)
            level[i] = level_of(graph, visited, at, group.id[i], group.byte[i]);
        if (number == source / GROUP)
#pragma unroll
            for (unsigned i = 0; i < GROUP; i++) /* an isolated source has no byte */
                level[i] = i == source % GROUP ? 0 : level[i];
        __stcs((uint4 *)search.level + number, uint4{level[0], level[1], level[2], level[3]});
        if constexpr (parents) {
            vertex_t parent[GROUP];
#pragma unroll
            for (unsigned i = 0; i < GROUP; i++)
                parent[i] = parent_of(graph, search, first, number * GROUP + i, group.id[i], level[i]);
            __stcs((uint4 *)search.parent + number, uint4{parent[0], parent[1], parent[2], parent[3]});
        }
    });
}

/* Writes the levels found since the last call, and their parents. last: vertices without a level become UNREACHED;
 * otherwise the bytes just written become MATERIALISED. */
template <bool parents>
DEVICE void materialise_levels(const any_graph auto &graph, const struct search &search, const struct progress &at,
                               vertex_t source, bool last)
{
    const uint32_t *visited = visited_bitmap(search, at);
    for_each_group(graph, search.bytes, [&](uint32_t number, const struct group &group) {
#pragma unroll
        for (unsigned i = 0; i < GROUP; i++) {
            uint32_t id = group.id[i], vertex = number * GROUP + i;
            uint32_t level = vertex == source ? 0 : level_of(graph, visited, at, id, group.byte[i]);
            if (group.byte[i] == MATERIALISED || (level == UNREACHED && !last))
                continue;
            search.level[vertex] = level; /* in bounds: the arrays are padded to a multiple of GROUP */
            if (parents)
                search.parent[vertex] = parent_of(graph, search, {}, vertex, id, level);
            if (!last && id < graph.num_ids)
                search.bytes[id] = MATERIALISED;
        }
    });
}

} // namespace BACKEND::dobfs
