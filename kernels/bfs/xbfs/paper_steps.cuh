/* paper_steps.cuh: mode=paper: the steps of a level that read edges.
 *
 * Top-down: the threads that take a frontier read its out-edges, each thread one neighbour after another.
 * top_down.cuh explains scan_free.
 *
 * Bottom-up:
 *   XBFS        bottom_up.cuh shares a single queue among threads; no list of high-degree frontiers
 *   Enterprise  a thread, a warp, a block or the grid takes a frontier, by its in-edges. The taker looks up every
 *               neighbour in a cache of the last level's hubs before it reads a status. A cached vertex has the last
 *               level's status, so a hit is a parent. */
#pragma once

#include "paper_scan.cuh"

namespace BACKEND::xbfs
{

/* Reads the edges edge, edge + stride, ... before `end`. A neighbour that was found early counts as unvisited: EARLY
 * is above every level. */
template <bool scan_free>
DEVICE void visit(const auto &step, uint64_t edge, uint64_t end, uint64_t stride, struct tally *tally)
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
    add_up(count_of(step.search.counts, step.at.level), tally, false);
}

/* Expands without a queue (observation 2): a thread takes an entry of the last bottom-up queue, and expands it if the
 * last iteration has found it. */
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
    add_up(count_of(step.search.counts, step.at.level), tally, false);
}

/* Returns the argument for bottom_up.cuh and find_parent.cuh. The frontiers are in the lowest class. */
template <typename offset_t>
DEVICE iteration<offset_t> iteration_of(const step<offset_t> &step, struct tally *tally)
{
    return {step.graph, step.search, step.rules, step.at, count_of(step.search.counts, step.at.level), tally};
}

/* The bottom-up step of XBFS (section 5.1.2). */
template <enum balance balance, typename offset_t>
__global__ void find_parents(step<offset_t> step)
{
    struct tally tally = {};
    step.search.frontiers = step.queues.queue[step.current][BY_THREAD];
    iteration<offset_t> iteration = iteration_of(step, &tally);
    uint64_t size = __ldcg(size_of(step, step.current, BY_THREAD));
    if constexpr (balance == BALANCE_THREAD)
        share_by_threads<true>(iteration, size);
    else
        share_by_warps<balance, true>(iteration, size);
    add_up(iteration.counts, tally, step.search.trace != NULL);
}

/* Returns whether `yes` holds for any thread of the taker; with BY_GRID, for this thread alone. All threads of the
 * taker must call it. */
template <enum taker taker>
DEVICE bool any_of(bool yes)
{
    if (taker == BY_WARP)
        return __any_sync(WHOLE_WARP, yes);
    if (taker == BY_BLOCK)
        return __syncthreads_or(yes);
    return yes;
}

/* Searches a frontier's in-edges by the taker's threads together, until one finds a parent. All threads of the warp
 * or block must call it. hubs: HUBS vertices in shared memory. */
template <enum taker taker, typename offset_t>
DEVICE struct answer look_with_hubs(const iteration<offset_t> &iteration, const vertex_t *hubs, span<offset_t> edges,
                                    const struct taker_group &group)
{
    struct answer answer = {};
    for (uint64_t first = edges.edge; first < edges.end && !answer.parent; first += group.width) {
        uint64_t edge = first + group.place;
        if (edge < edges.end) {
            vertex_t neighbour = iteration.graph.in.targets[edge];
            bool cached = hubs[neighbour % HUBS] == neighbour;
            uint32_t known = load_cached_if(!cached, &iteration.search.status[neighbour]);
            answer.parent = cached || known == iteration.at.level - 1;
            answer.current = answer.current || (!cached && (known & ~EARLY) == iteration.at.level);
            iteration.tally->checked++;
        }
        answer.parent = any_of<taker>(answer.parent);
    }
    answer.current = any_of<taker>(answer.current);
    return answer;
}

DEVICE void load_hubs(const auto &step, vertex_t *hubs)
{
    for (unsigned i = threadIdx.x; i < HUBS; i += blockDim.x) {
        uint64_t entry = __ldcg(&step.queues.hubs[i]);
        hubs[i] = entry != 0 ? (vertex_t)entry : NO_VERTEX;
    }
    __syncthreads();
}

/* The bottom-up step of Enterprise for one class. All threads of a taker must read the same status before one of them
 * changes it. In a warp or block, any_of() synchronises them in between. In the grid, threads that read the status
 * late see a lower one and have nothing left to do. */
template <enum taker taker, typename offset_t>
__global__ void find_parents_of_class(step<offset_t> step)
{
    vertex_t *hubs = block_shared<struct hub_cache>()->hubs;
    struct tally tally = {};
    iteration<offset_t> iteration = iteration_of(step, &tally);
    struct taker_group group = group_of<taker>();
    const vertex_t *queue = step.queues.queue[step.current][taker];
    uint64_t size = __ldcg(size_of(step, step.current, taker));
    load_hubs(step, hubs);
    for (uint64_t i = group.rank; i < size; i += group.size) {
        vertex_t vertex = __ldcg(&queue[i]);
        uint32_t status = __ldcg(&step.search.status[vertex]);
        task<offset_t> task = {vertex, status, edges_if(true, step.graph.in, vertex)};
        bool asks = any_of<taker>(status > iteration.at.level && status != (EARLY | iteration.at.level));
        struct answer answer = {};
        if (asks)
            answer = look_with_hubs<taker>(iteration, hubs, task.edges, group);
        task.edges.edge = task.edges.end;
        if (taker == BY_GRID && asks)
            settle_by_atomic(iteration, vertex, answer);
        else if (group.place == 0 && (taker != BY_GRID || status == (EARLY | iteration.at.level)) &&
                 must_look(iteration, task))
            settle(iteration, task, answer);
    }
    __syncwarp();
    add_up(iteration.counts, tally, step.search.trace != NULL);
}

} // namespace BACKEND::xbfs
