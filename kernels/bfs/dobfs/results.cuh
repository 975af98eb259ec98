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

#define PER_LANE (2 * GROUP) /* input ids that a lane handles together: two groups */

/* The ids and level bytes of two groups of GROUP consecutive input ids, which one lane handles together. It starts
 * all loads of one kind before it uses the first, since the latency of dependent loads limits this pass. */
struct two_groups {
    uint32_t number[2]; /* the first input id of a group is number * GROUP */
    uint32_t end;       /* there is no group from this number on; the ids of such a group are any ids or NO_VERTEX */
    uint32_t id[PER_LANE], byte[PER_LANE];
};

/* Returns the input id of number i of the lane's vertices. */
DEVICE vertex_t input_id(const struct two_groups &groups, unsigned i)
{
    return groups.number[i / GROUP] * GROUP + i % GROUP;
}

/* Loads the groups `first` and first + blockDim.x, if they are below `end`. */
DEVICE struct two_groups load_groups(const any_graph auto &graph, const uint8_t *bytes, uint32_t first, uint32_t end)
{
    struct two_groups groups = {{first, first + blockDim.x}, end, {}, {}};
#pragma unroll
    for (unsigned g = 0; g < 2; g++) {
        uint32_t number = groups.number[g], vertex = number < end ? number * GROUP : 0, *id = &groups.id[g * GROUP];
        uint4 packed = {vertex, vertex + 1, vertex + 2, vertex + 3};
        if (graph.id_of != NULL)
            packed = stream_four_if(number < end, (const uint4 *)graph.id_of + number);
        id[0] = packed.x, id[1] = packed.y, id[2] = packed.z, id[3] = packed.w;
    }
    uint32_t fours[2] = {};
    if (graph.id_of == NULL)
#pragma unroll
        for (unsigned g = 0; g < 2; g++)
            fours[g] = ((const uint32_t *)bytes)[groups.id[g * GROUP] / GROUP];
    else
#pragma unroll
        for (unsigned i = 0; i < PER_LANE; i++) /* without a branch: see load_if() */
            groups.byte[i] = bytes[groups.id[i] < graph.num_ids ? groups.id[i] : 0];
#pragma unroll
    for (unsigned i = 0; i < PER_LANE; i++) {
        uint32_t byte = graph.id_of == NULL ? fours[i / GROUP] >> i % GROUP * 8 & 0xff : groups.byte[i];
        groups.byte[i] = groups.id[i] < graph.num_ids ? byte : UNSET;
    }
    return groups;
}

/* Finds the levels of the lane's vertices. If a byte holds none, a marked vertex has progress.pending, others have
 * UNREACHED. The source has level 0; it has no byte if it is isolated. */
DEVICE void find_levels(const any_graph auto &graph, const uint32_t *visited, const struct progress &at,
                        vertex_t source, const struct two_groups &groups, uint32_t (&levels)[PER_LANE])
{
    bool unset[PER_LANE];
    uint32_t words[PER_LANE];
#pragma unroll
    for (unsigned i = 0; i < PER_LANE; i++) {
        unset[i] = groups.byte[i] == UNSET && at.pending != NOT_PENDING && groups.id[i] < graph.num_ids;
        words[i] = load_cached_if(unset[i], bitmap_word(visited, groups.id[i]));
    }
#pragma unroll
    for (unsigned i = 0; i < PER_LANE; i++) {
        bool marked = unset[i] && has_bit(words[i], groups.id[i]);
        uint32_t level = groups.byte[i] < MATERIALISED ? at.base + groups.byte[i] : marked ? at.pending : UNREACHED;
        levels[i] = input_id(groups, i) == source ? 0 : level;
    }
}

/* Calls use(groups) for all groups of GROUP input ids, two at a time. A block handles a contiguous range of input
 * ids. Their ids form a few contiguous ranges, one per degree class, so L1 holds their bytes. */
DEVICE void for_each_two_groups(const any_graph auto &graph, const uint8_t *bytes, auto use)
{
    const uint32_t all = graph.num_vertices / GROUP + (graph.num_vertices % GROUP > 0);
    const uint32_t share = (all + gridDim.x - 1) / gridDim.x, end = min(all, share * (blockIdx.x + 1));
    for (uint32_t first = share * blockIdx.x + threadIdx.x; first < end; first += 2 * blockDim.x)
        use(load_groups(graph, bytes, first, end));
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

/* Finds the parents of the lane's vertices, as input ids; NO_VERTEX if a vertex has no level. The source, which alone
 * has level 0, is its own parent. */
DEVICE void find_parents(const any_graph auto &graph, const struct search &search, const struct first_inputs &first,
                         vertex_t source, const struct two_groups &groups, const uint32_t (&levels)[PER_LANE],
                         vertex_t (&parents)[PER_LANE])
{
#pragma unroll
    for (unsigned i = 0; i < PER_LANE; i++)
        parents[i] = load_cached_if(levels[i] != UNREACHED && levels[i] != 0, &search.parent_by_id[groups.id[i]]);
    if (graph.input_of != NULL) {
        vertex_t inputs[PER_LANE];
#pragma unroll
        for (unsigned i = 0; i < PER_LANE; i++)
            inputs[i] = load_if(parents[i] != NO_VERTEX && parents[i] >= first.number, &graph.input_of[parents[i]]);
#pragma unroll
        for (unsigned i = 0; i < PER_LANE; i++)
            parents[i] = parents[i] < first.number ? first.input_of[parents[i]] : inputs[i];
    }
#pragma unroll
    for (unsigned i = 0; i < PER_LANE; i++)
        parents[i] = levels[i] == 0 ? source : parents[i];
}

/* Writes the whole result. Used if no level was materialised before. */
template <bool parents>
DEVICE void write_levels(const any_graph auto &graph, const struct search &search, const struct rules &rules,
                         const struct progress &at, vertex_t source)
{
    const uint32_t *visited = visited_bitmap(search, at);
    const vertex_t own = own_input(graph.out, source);
    const struct first_inputs first = parents ? load_first_inputs(graph, rules.first_inputs) : (struct first_inputs){};
    for_each_two_groups(graph, search.bytes, [&](const struct two_groups &groups) {
        uint32_t level[PER_LANE];
        vertex_t parent[PER_LANE];
        find_levels(graph, visited, at, own, groups, level);
        if constexpr (parents)
            find_parents(graph, search, first, source, groups, level, parent);
#pragma unroll
        for (unsigned g = 0; g < 2; g++) {
            const uint32_t number = groups.number[g], *four = &level[g * GROUP], *above = &parent[g * GROUP];
            if (number >= groups.end)
                break;
            __stcs((uint4 *)search.level + number, uint4{four[0], four[1], four[2], four[3]});
            if constexpr (parents)
                __stcs((uint4 *)search.parent + number, uint4{above[0], above[1], above[2], above[3]});
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
    const vertex_t own = own_input(graph.out, source);
    for_each_two_groups(graph, search.bytes, [&](const struct two_groups &groups) {
        uint32_t level[PER_LANE];
        vertex_t parent[PER_LANE];
        find_levels(graph, visited, at, own, groups, level);
        if constexpr (parents)
            find_parents(graph, search, {}, source, groups, level, parent);
#pragma unroll
        for (unsigned i = 0; i < PER_LANE; i++) {
            if (groups.number[i / GROUP] >= groups.end || groups.byte[i] == MATERIALISED ||
                (level[i] == UNREACHED && !last))
                continue;
            search.level[input_id(groups, i)] = level[i]; /* in bounds: padded to a multiple of GROUP */
            if constexpr (parents)
                search.parent[input_id(groups, i)] = parent[i];
            if (!last && groups.id[i] < graph.num_ids)
                search.bytes[groups.id[i]] = MATERIALISED;
        }
    });
}

} // namespace BACKEND::dobfs
