/* bottom_up.cuh: bottom-up iterations.
 *
 * A double scan makes the queue of frontiers. It scans the statuses. But if the previous iteration was
 * bottom-up and its queue is small, it scans that queue, which contains the next one (lemma 1). Then every
 * frontier looks for a parent (find_parent.cuh, balance.cuh), and all warps share the remaining edges of long
 * frontiers (high_degree.cuh). */
#pragma once

#include "balance.cuh"
#include "scan.cuh"

namespace BACKEND::xbfs
{

#define WARP_FROM  32u  /* in-edges: a warp takes the frontier in Enterprise */
#define BLOCK_FROM 256u /* in-edges: a block takes it */

/* Sets the level of a frontier whose edges several warps or threads search without waiting for each other. They lower
 * its status by atomic minima, so l wins over EARLY | l + 1; the first that lowers it to l counts the vertex. One may
 * write EARLY | l + 1 before another one writes l; readers ignore l + 1. */
static __device__ __forceinline__ void settle_by_atomic(const auto &now, vertex_t vertex, struct answer answer)
{
    uint32_t *status = &now.search.status[vertex], level = now.at.level;
    if (answer.parent) {
        uint32_t old = atomicMin(status, level);
        if (old > level)
            count_found(now, vertex);
        now.tally->early -= old > level && old != UNREACHED;
    } else if (answer.current && now.rules.async) {
        now.tally->early += atomicMin(status, EARLY | (level + 1)) == UNREACHED;
    }
}

/* Searches this warp's share of the remaining edges of high-degree frontiers. */
template <typename offset_t>
static __device__ __forceinline__ void work_on_high_degree(const iteration<offset_t> &now, uint64_t count)
{
    const struct high_degree_list &list = current_queue(now.search, now.at).high_degree;
    each_high_degree<offset_t>(list, count, [&](vertex_t vertex, span<offset_t> span) {
        uint32_t known = load_relaxed_if(lane_id() == 0, &now.search.status[vertex]);
        if (__shfl_sync(WHOLE_WARP, known, 0) <= now.at.level)
            return;
        struct answer answer = look_together(now, span);
        if (lane_id() == 0)
            settle_by_atomic(now, vertex, answer);
    });
}

static __device__ __forceinline__ unsigned class_of_degree(uint64_t degree)
{
    return degree < WARP_FROM ? 0 : degree < BLOCK_FROM ? 1 : 2;
}

/* Makes the bottom-up queue of this level by a double scan. Vertices without in-edges never enter it. False if
 * a wait timed out. */
template <enum balance balance, typename offset_t>
static __device__ __forceinline__ bool queue_frontiers(const iteration<offset_t> &now, struct shared *shared,
                                                       struct progress *at)
{
    constexpr unsigned classes = balance == BALANCE_DEGREE ? CLASSES : 1;
    const uint32_t *status = now.search.status, *entered = now.search.entered;
    uint32_t level = at->level, total[classes] = {};
    const vertex_t *old = frontiers_of(now.search, *at);
    vertex_t *made = at->swapped_frontiers ? now.search.frontiers : now.search.others;
    uint64_t n = now.graph.in.num_vertices, size = (uint64_t)at->sizes[0] + at->sizes[1] + at->sizes[2];
    bool again = at->was_bottom_up && !now.rules.strided && 2 * size < n;
    auto vertex_at = [&](uint64_t place) { return again ? __ldcg(&old[place]) : (vertex_t)place; };
    auto is = [&](uint64_t place, bool has) {
        vertex_t vertex = again ? load_relaxed_if(has, &old[place]) : (vertex_t)place;
        uint32_t known = load_relaxed_if(has, &status[vertex]), word = load_if(has, bitmap_word(entered, vertex));
        return known >= level && has && has_bit(word, vertex);
    };
    auto class_of = [&](uint64_t place) {
        if (classes == 1)
            return 0u;
        span<offset_t> in = edges_if(true, now.graph.in, vertex_at(place));
        return class_of_degree(in.end - in.edge);
    };
    auto put = [&](unsigned c, uint64_t place, uint32_t number) {
        for (unsigned lower = 0; lower < c; lower++)
            number += total[lower];
        __stcg(&made[number], vertex_at(place));
    };
    if (!double_scan(now.search, shared, {again ? size : n, now.rules.strided}, is, class_of, total, put))
        return false;
    at->swapped_frontiers = !at->swapped_frontiers;
#pragma unroll
    for (unsigned c = 0; c < CLASSES; c++)
        at->sizes[c] = c < classes ? total[c < classes ? c : 0] : 0;
    return meet(now.search, shared);
}

/* A bottom-up iteration with its last barrier. False if a wait timed out. */
template <enum balance balance>
static __device__ __forceinline__ bool go_bottom_up(const auto &now, struct shared *shared, struct progress *at)
{
    bool traced = now.search.trace != NULL;
    if (!queue_frontiers<balance>(now, shared, at))
        return false;
    if (balance == BALANCE_DEGREE)
        share_by_degree(now);
    else if (balance == BALANCE_THREAD)
        share_by_threads(now, at->sizes[0]);
    else
        share_by_warps<balance>(now, at->sizes[0]);
    add_up(now.counts, *now.tally, traced);
    *now.tally = {};
    if (!meet(now.search, shared))
        return false;
    uint64_t left = __ldcg(&now.counts->left);
    if (left == 0)
        return true;
    work_on_high_degree(now, left);
    add_up(now.counts, *now.tally, traced);
    return meet(now.search, shared);
}

} // namespace BACKEND::xbfs
