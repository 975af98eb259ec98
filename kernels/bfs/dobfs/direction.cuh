/* direction.cuh: the choice of direction, and the conversion of a bottom-up frontier for a top-down level.
 *
 * If a queued frontier has more than a certain share of all edges, the next level is bottom-up. If a bottom-up
 * level finds less than a certain share of the vertices, the next level is top-down. The best shares, and
 * whether large top-down levels should only mark, depend on the graph: if high-degree vertices have low ids, a vertex
 * finds a visited neighbour at once; on web graphs most vertices have none, and reading their lists is wasted work.
 * So the preparation measures several policies and keeps the fastest (policies.cuh). */
#pragma once

#include "queues.cuh"

namespace BACKEND::dobfs
{

/* Queues the vertices that the last bottom-up level found: the difference of the two bitmaps. Each lane takes
 * one word at a time. */
template <bool parents, typename offset_t>
static __device__ __forceinline__ void collect(const prepared_graph<offset_t> &graph, const search<offset_t> &search,
                                               const struct rules &rules, const struct progress &at, uint64_t *count)
{
    struct team team = spread_warps();
    global_queue<offset_t, parents> then{next_queue(search, at)};
    const uint32_t *visited = visited_bitmap(search, at), *before = other_bitmap(search, at);
    for (uint64_t base = (uint64_t)team.rank * WARP_SIZE; base < graph.num_words;
         base += (uint64_t)team.size * WARP_SIZE) {
        uint64_t word = base + lane_id();
        bool has_word = word < graph.num_words;
        uint32_t fresh = has_word ? __ldcg(&visited[word]) & ~__ldcg(&before[word]) : 0;
        while (__any_sync(WHOLE_WARP, fresh != 0)) {
            bool has[UNROLL];
            vertex_t ids[UNROLL];
            offset_t first[UNROLL], end[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                has[i] = fresh != 0;
                size_t id = word * WARP_SIZE + (unsigned)__ffs((int)fresh) - 1;
                ids[i] = (vertex_t)id;
                first[i] = load_if(has[i], &graph.out.offsets[has[i] ? id : 0]);
                end[i] = load_if(has[i], &graph.out.offsets[has[i] ? id + 1 : 0]);
                fresh &= fresh - 1;
            }
            append(then, count, rules.edge_bits, has, ids, first, end);
        }
    }
}

/* Whether the next level is bottom-up. It must be if the frontier does not fit into a queue. */
template <typename offset_t>
static __device__ __forceinline__ bool goes_bottom_up(const prepared_graph<offset_t> &graph,
                                                      const struct rules &rules, const struct progress &at)
{
    bool fits = at.frontier == FRONTIER_QUEUED || (at.frontier == FRONTIER_FOUND && at.size <= rules.queue_capacity);
    if (graph.in.targets == NULL)
        return false;
    if (!fits || rules.direction == DIRECTION_BOTTOM_UP)
        return true;
    if (rules.direction == DIRECTION_TOP_DOWN)
        return false;
    if (rules.direction == DIRECTION_ALTERNATING)
        return at.level % 2 == 1;
    return at.frontier == FRONTIER_QUEUED ? at.edges > rules.bottom_up_above : at.size >= rules.back_below;
}

} // namespace BACKEND::dobfs
