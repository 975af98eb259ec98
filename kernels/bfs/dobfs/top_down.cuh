/* top_down.cuh: a top-down level by all warps of the grid (Beamer et al., SC 2012, top-down step).
 *
 * A level of few edges claims the vertices that it finds and queues them. A level of more than rules.mark_above edges
 * only marks them in the visited bitmap; a bottom-up level follows, which needs no queue. */
#pragma once

#include "queues.cuh"

namespace BACKEND::dobfs
{

#define FILTER_FROM 20000u /* a level of more edges reads the bitmap before each atomic */

/* Where a level stores the vertices that it finds. */
template <typename queue_t, typename offset_t>
struct discovery {
    const offset_t *offsets; /* of the out-edges */
    uint32_t *visited;
    uint8_t *bytes, byte;   /* byte: of the level */
    vertex_t *parent_by_id; /* NULL unless parents are recorded */
    queue_t queue;
    uint64_t *count;
    unsigned edge_bits;
    bool checks_first; /* whether to read the bitmap before an atomic */
};

/* The vertex whose edge is number i of the lane's. mine: the entry that the lane holds. All lanes of the warp must
 * call it. */
template <unsigned unroll, typename entry_t>
static __device__ __forceinline__ vertex_t owner_of(const lane_edges<unroll> &edges, unsigned i, const entry_t &mine)
{
    return __shfl_sync(WHOLE_WARP, mine.id, (int)edges.owner[i]);
}

/* Claims the neighbours that are not visited, writes their level bytes and their parents, and queues them. A
 * neighbour is claimed by the thread whose atomic returns its bit unset. mine: the entry that the lane holds. All
 * lanes of the warp must call it. */
template <bool parents, unsigned unroll, typename queue_t, typename offset_t, typename entry_t>
static __device__ __forceinline__ void claim(const discovery<queue_t, offset_t> &to, const lane_edges<unroll> &edges,
                                             const entry_t &mine)
{
    const vertex_t(&neighbours)[unroll] = edges.target;
    bool fresh[unroll];
    uint32_t word[unroll];
    offset_t first[unroll], end[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        word[i] = load_cached_if(edges.has[i] && to.checks_first, bitmap_word(to.visited, neighbours[i]));
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        fresh[i] = edges.has[i] && !(to.checks_first && (word[i] & bit_of(neighbours[i])));
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) { /* the loads of the offsets overlap with the atomic */
        vertex_t id = neighbours[i];
        word[i] = set_bit_if(fresh[i], to.visited, id);
        first[i] = load_if(fresh[i], &to.offsets[id]);
        end[i] = load_if(fresh[i], &to.offsets[(size_t)id + 1]);
    }
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) {
        fresh[i] = fresh[i] && !(word[i] & bit_of(neighbours[i]));
        if (fresh[i])
            to.bytes[neighbours[i]] = to.byte;
        if constexpr (parents) {
            vertex_t owner = owner_of(edges, i, mine);
            if (fresh[i])
                to.parent_by_id[neighbours[i]] = owner;
        }
    }
    append(to.queue, to.count, to.edge_bits, fresh, neighbours, first, end);
}

/* Marks the neighbours that are not visited in the bitmap, writes their parents, and does nothing else. Parents need
 * checks_first. mine: the entry that the lane holds. All lanes of the warp must call it. */
template <bool parents, unsigned unroll, typename entry_t>
static __device__ __forceinline__ void mark(uint32_t *visited, vertex_t *parent_by_id, bool checks_first,
                                            const lane_edges<unroll> &edges, const entry_t &mine)
{
    uint32_t word[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        word[i] = load_cached_if(edges.has[i] && checks_first, bitmap_word(visited, edges.target[i]));
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) {
        vertex_t neighbour = edges.target[i], owner = parents ? owner_of(edges, i, mine) : 0;
        if (edges.has[i] && !(checks_first && (word[i] & bit_of(neighbour)))) {
            set_bit(visited, neighbour);
            if (parents)
                parent_by_id[neighbour] = owner;
        }
    }
}

/* Runs the level. marks: the level only marks, and does not change *count. */
template <bool parents, typename offset_t>
static __device__ __forceinline__ void go_top_down(const prepared_graph<offset_t> &graph,
                                                   const search<offset_t> &search, const struct rules &rules,
                                                   const struct progress &at, bool marks, uint64_t *count)
{
    global_queue<offset_t, parents> now{current_queue(search, at)}, then{next_queue(search, at)};
    uint32_t *visited = visited_bitmap(search, at);
    offset_t edges = (offset_t)at.edges;
    if (marks) {
        for_each_edge<UNROLL>(graph.out.targets, now, at.size, edges, spread_warps(),
                              [&](const lane_edges<UNROLL> &some, uint64_t, const auto &mine) {
                                  mark<parents>(visited, search.parent_by_id, parents || rules.filters_marks, some,
                                                mine);
                                  return false;
                              });
        return;
    }
    const discovery<global_queue<offset_t, parents>, offset_t> found = {
        graph.out.offsets,     visited, search.bytes, (uint8_t)(at.level + 1 - at.base),
        search.parent_by_id,   then,    count,        rules.edge_bits,
        at.edges > FILTER_FROM};
    for_each_edge<UNROLL>(graph.out.targets, now, at.size, edges, spread_warps(),
                          [&](const lane_edges<UNROLL> &some, uint64_t, const auto &mine) {
                              claim<parents>(found, some, mine);
                              return false;
                          });
}

} // namespace BACKEND::dobfs
