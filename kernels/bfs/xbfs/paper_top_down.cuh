/* paper_top_down.cuh: mode=paper: the top-down steps. A frontier's taker reads its out-edges; each thread looks at
 * one neighbour after another. Scan-free, the thread that lowers a status first queues the vertex at once. Otherwise
 * the statuses are stored without an atomic, since all store the same, and a scan makes the queue afterwards. */
#pragma once

#include "paper_scan.cuh"

namespace BACKEND::xbfs
{

/* Looks at edges edge, edge + stride, ... before end. A neighbour that was found early counts as unvisited: EARLY is
 * above every level. */
template <bool scan_free, typename offset_t>
static __device__ __forceinline__ void visit(const step<offset_t> &step, uint64_t edge, uint64_t end, uint64_t stride,
                                             struct tally *tally)
{
    uint32_t *status = step.search.status, level = step.at.level;
    for (; edge < end; edge += stride) {
        vertex_t neighbour = step.graph.out.targets[edge];
        if (__ldcg(&status[neighbour]) <= level)
            continue;
        if (!scan_free)
            __stcg(&status[neighbour], level);
        else if (atomicMin(&status[neighbour], level) > level)
            enqueue_by_atomic(step, neighbour, tally);
    }
}

/* Expands the frontiers of a class. */
template <enum taker taker, bool scan_free, typename offset_t>
__global__ void expand_class(step<offset_t> step)
{
    struct tally tally = {};
    struct taker_group group = group_of<taker>();
    const vertex_t *queue = step.queues.queue[step.current][taker];
    uint64_t size = __ldcg(size_of(step, step.current, taker));
    for (uint64_t i = group.rank; i < size; i += group.size) {
        span<offset_t> edges = edges_if(true, step.graph.out, __ldcg(&queue[i]));
        visit<scan_free>(step, edges.edge + group.place, edges.end, group.width, &tally);
    }
    __syncwarp();
    add_up(counts_of(step.search, step.at.level), tally, false);
}

/* Without a queue (observation 2): a thread takes an entry of the last bottom-up queue, and expands it if the last
 * iteration has found it. */
template <typename offset_t>
__global__ void expand_found(step<offset_t> step)
{
    struct tally tally = {};
    for (unsigned taker = 0; taker < TAKERS; taker++) {
        const vertex_t *queue = step.queues.queue[step.current][taker];
        uint64_t size = __ldcg(size_of(step, step.current, taker));
        for (uint64_t i = thread_of_grid(); i < size; i += threads_of_grid()) {
            vertex_t vertex = __ldcg(&queue[i]);
            if (__ldcg(&step.search.status[vertex]) != step.at.level - 1)
                continue;
            span<offset_t> edges = edges_if(true, step.graph.out, vertex);
            visit<true>(step, edges.edge, edges.end, 1, &tally);
        }
    }
    __syncwarp();
    add_up(counts_of(step.search, step.at.level), tally, false);
}

} // namespace BACKEND::xbfs
