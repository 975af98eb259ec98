/* eager.cuh: eager updates, algorithm 2 (sections 3 and 5.1): a warp that reaches a vertex immediately queues the
 * slice set of the vertex. */
#pragma once

#include "search.cuh"

namespace BACKEND::blest
{

/* Why the races are harmless. During level k threads read and write levels without atomics. A vertex found at level k
 * changes from UNREACHED to k, no matter which thread writes it, and then keeps its level. So a thread that still
 * reads UNREACHED only writes the same value again. Each of these threads also writes a parent, a column whose level
 * is k - 1. The last of them wins, and any of them is right, since a store of four bytes is atomic. After the barrier
 * no thread reads UNREACHED, so the parent stays.
 *
 * Why every set is queued exactly once. Several threads may find vertices of set s at level k. Exactly one of them
 * gets a value other than k from atomicExch(queued[s], k), and that thread queues the VSSs of s.
 *
 * Why there is no frontier bitmap. The levels of a set's SIGMA vertices are one 32-byte sector. At level k a
 * vertex is in the frontier if its level is k - 1, and no thread changes that during level k. Since there are no
 * bitmaps to clear and counts are used in rotation (vss_queue.cuh), a level needs one grid barrier instead of the
 * paper's three. */

/* Returns the level of column number lane_id() of the set; UNREACHED if lane_id() >= SIGMA. */
DEVICE uint32_t level_of_column(const uint32_t *level, uint32_t set)
{
    return load_relaxed_if(lane_id() < SIGMA, &level[(size_t)set * SIGMA + lane_id()]);
}

/* Sets the level of all hit rows that are still unreached. Returns a mask of these rows: bit c for row[c]. */
DEVICE unsigned reach(uint32_t *levels, const vertex_t (&row)[THETA], unsigned hits, uint32_t level)
{
    uint32_t before[THETA];
    unsigned fresh = 0;
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        before[c] = load_relaxed_if(hits >> c & 1, &levels[row[c]]);
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        if ((hits >> c & 1) && before[c] == UNREACHED) {
            __stcg(&levels[row[c]], level);
            fresh |= 1u << c;
        }
    return fresh;
}

/* Processes a VSS: tests its rows against the frontier, sets the levels of new vertices and queues their sets. */
template <enum layout layout, bool parents>
DEVICE void update_eagerly(const struct bvss &bvss, const struct search &search, const struct tile &tile,
                           uint32_t level, uint2 *queue, uint64_t *count)
{
    const vertex_t row[THETA] = {tile.rows.x, tile.rows.y, tile.rows.z, tile.rows.w};
    uint32_t frontier = __ballot_sync(WHOLE_WARP, tile.frontier == level - 1);
    unsigned hits = pull<layout>(tile.masks, frontier);
    struct range ranges[THETA];
    /* Loads all ranges that may be needed, so that they arrive together with the levels. */
#pragma unroll
    for (unsigned c = 0; c < THETA; c++) {
        uint32_t set = row[c] / SIGMA;
        bool hit = hits >> c & 1;
        ranges[c] = {set, load_if(hit, &bvss.real_ptrs[set]), load_if(hit, &bvss.real_ptrs[set + 1])};
    }
    unsigned fresh = reach(search.level, row, hits, level);
    uint32_t queued[THETA];
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        queued[c] = exchange_if(fresh >> c & 1, &search.queued[ranges[c].set], level);
#pragma unroll
    for (unsigned c = 0; c < THETA; c++) /* while the exchanges are in flight */
        if (parents && (fresh >> c & 1))
            record_parent(search, tile, frontier, c, row[c]);
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        if (!(fresh >> c & 1) || queued[c] == level)
            ranges[c].first = ranges[c].end;
    enqueue(queue, count, 0, ranges);
}

/* Runs all levels of a search, with eager updates. */
template <enum layout layout, bool parents>
__global__ void __launch_bounds__(MOST_THREADS, EAGER_BLOCKS) blest_kernel(struct bvss bvss, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_warps();
    uint2 *queue = search.queue, *next_queue = search.next_queue;
    uint64_t now = first_count(search, shared);
    trace_level(search, 0, LEVEL_TOP_DOWN);
    for (uint32_t level = 1; now != 0; level++) {
        uint64_t *count = count_of(search.counts, level);
        for_each_vss(
            bvss, queue, (uint32_t)now, team, [&](uint32_t set) { return level_of_column(search.level, set); },
            [&](const struct tile &tile) {
                update_eagerly<layout, parents>(bvss, search, tile, level, next_queue, count);
            });
        if (is_first_thread())
            *count_of(search.counts, level + 1) = 0;
        swap_values(queue, next_queue);
        now = grid_wait(search.barrier, count, &shared->broadcast);
        if (now == UINT64_MAX)
            return;
        trace_level(search, level, LEVEL_TOP_DOWN);
    }
}

} // namespace BACKEND::blest
