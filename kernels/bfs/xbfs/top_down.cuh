/* top_down.cuh: top-down iterations, and the four ways to make their queues (section 4).
 *
 *   scan-free    The thread that lowers a status first, by an atomic minimum, queues the vertex.
 *   single-scan  Threads store statuses without an atomic, since all write the same value. After a
 *                barrier, a scan of the statuses queues the vertices of this level.
 *   double-scan  The same with a double scan: the queue is sorted.
 *   none         After a bottom-up iteration l - 1, its queue contains all vertices of level l - 1 (observation
 *                2). The iteration walks over that queue, expands those vertices, and queues what they find as
 *                scan-free does. This is also correct with asynchronous levels, since a bottom-up queue keeps
 *                the vertices that were found early (find_parent.cuh). */
#pragma once

#include "high_degree.cuh"
#include "scan.cuh"

namespace BACKEND::xbfs
{

#define UNROLL 4u /* edges that a lane loads together */

/* Chooses how to make a top-down queue (section 4.3). edges, before: out-edges of this and the last frontier; lambda
 * is the growth. */
HOST_DEVICE enum generation choose(const struct rules &rules, const struct progress &at, uint64_t edges,
                                   uint64_t before)
{
    if (rules.queue != ADAPTIVE)
        return rules.queue;
    if (at.was_bottom_up)
        return NO_GENERATION;
    double lambda = (double)edges / (double)before;
    return (double)edges * lambda >= (double)rules.bottom_up_from ? SINGLE_SCAN : SCAN_FREE;
}

/* Visits the edges of all lanes of the warp, UNROLL per lane at a time. Calls use(neighbours, has); has[i] says
 * whether neighbours[i] exists. The lanes have fewer than 2^32 edges in total. All lanes of the warp must call it. */
template <typename offset_t>
DEVICE void for_each_edge(const vertex_t *targets, span<offset_t> mine, auto use)
{
    uint32_t length = (uint32_t)(mine.end - mine.edge), until = warp_inclusive_sum(length);
    uint32_t before = until - length, total = __shfl_sync(WHOLE_WARP, until, WARP_SIZE - 1);
    for_each_edge_of_lanes<UNROLL>(targets, before, (offset_t)(mine.edge - before), total,
                                   [&](const lane_edges<UNROLL> &edges) {
                                       use(edges.target, edges.has);
                                       return false;
                                   });
}

/* Queues the vertices that the lanes have claimed. All lanes of the warp must call it. */
template <typename offset_t>
DEVICE void enqueue(const iteration<offset_t> &iteration, const vertex_t (&vertex)[UNROLL],
                    const span<offset_t> (&spans)[UNROLL], const bool (&claimed)[UNROLL])
{
    warp_append(&iteration.counts->spans, claimed, [&](unsigned i, uint32_t place) {
        put_span(next_queue(iteration.search, iteration.at), iteration.counts, place, vertex[i], spans[i],
                 iteration.rules.high_degree_above);
        iteration.tally->edges += spans[i].end - spans[i].edge;
    });
}

/* Sets the level of every unvisited neighbour of the lanes' edges. With scan_free, also queues it. A neighbour that
 * was found early counts as unvisited: EARLY is above every level. All lanes of the warp must call it. */
template <bool scan_free, typename offset_t>
DEVICE void expand(const iteration<offset_t> &iteration, span<offset_t> mine)
{
    const vertex_t *targets = iteration.graph.out.targets;
    uint32_t *status = iteration.search.status, level = iteration.at.level;
    for_each_edge(targets, mine, [&](const vertex_t(&neighbour)[UNROLL], const bool(&has)[UNROLL]) {
        bool open[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            open[i] = load_relaxed_if(has[i], &status[neighbour[i]]) > level && has[i];
        if constexpr (scan_free) {
            span<offset_t> spans[UNROLL];
            bool claimed[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) { /* loads offsets while the atomics are in flight */
                spans[i] = edges_if(open[i], iteration.graph.out, neighbour[i]);
                claimed[i] = min_if(open[i], &status[neighbour[i]], level) > level;
            }
            enqueue(iteration, neighbour, spans, claimed);
        } else {
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++)
                if (open[i])
                    __stcg(&status[neighbour[i]], level);
        }
    });
}

/* Expands this warp's share of the high-degree vertices. All lanes of the warp must call it. */
template <bool scan_free, typename offset_t>
DEVICE void expand_high_degree(const iteration<offset_t> &iteration, uint64_t count)
{
    const struct high_degree_list &list = current_queue(iteration.search, iteration.at).high_degree;
    each_high_degree<offset_t>(list, count, [&](vertex_t, span<offset_t> span) {
        expand<scan_free>(iteration, {span.edge, lane_id() == 0 ? span.end : span.edge});
    });
}

template <bool scan_free, typename offset_t>
DEVICE void expand_queue(const iteration<offset_t> &iteration, uint32_t spans, uint64_t high_degree)
{
    const struct queue &queue = current_queue(iteration.search, iteration.at);
    struct team team = spread_warps();
    uint64_t share = min(max(((uint64_t)spans + team.size - 1) / team.size, (uint64_t)1), (uint64_t)WARP_SIZE);
    for (uint64_t first = team.rank * share; first < spans; first += team.size * share) {
        span<offset_t> mine = {0, 0};
        uint64_t i = first + lane_id();
        if (lane_id() < share && i < spans)
            mine = {__ldcg((offset_t *)queue.edge + i), __ldcg((offset_t *)queue.end + i)};
        expand<scan_free>(iteration, mine);
    }
    expand_high_degree<scan_free>(iteration, high_degree);
}

/* Expands without a queue (NO_GENERATION). Lists high-degree vertices in counts.left. */
template <typename offset_t>
DEVICE void expand_frontiers(const iteration<offset_t> &iteration)
{
    const vertex_t *frontiers = frontiers_of(iteration.search, iteration.at);
    uint64_t size = 0;
    for (unsigned c = 0; c < CLASSES; c++)
        size += iteration.at.sizes[c];
    struct team team = spread_warps();
    for (uint64_t first = (uint64_t)team.rank * WARP_SIZE; first < size; first += team.size * WARP_SIZE) {
        bool has = first + lane_id() < size;
        vertex_t vertex = has ? __ldcg(&frontiers[first + lane_id()]) : NO_VERTEX;
        bool found = load_relaxed_if(has, &iteration.search.status[vertex]) == iteration.at.level - 1 && has;
        if (!__any_sync(WHOLE_WARP, found))
            continue;
        span<offset_t> mine = edges_if(found, iteration.graph.out, vertex);
        if (mine.end - mine.edge > iteration.rules.high_degree_above) {
            append_high_degree(current_queue(iteration.search, iteration.at).high_degree, &iteration.counts->left,
                               vertex, mine);
            mine = {0, 0};
        }
        expand<true>(iteration, mine);
    }
}

/* Queues the vertices of a level by scans, and adds the number of their edges to *edges. Returns false if a wait
 * timed out. */
template <typename offset_t>
DEVICE bool queue_level(const iteration<offset_t> &iteration, struct shared *shared, const struct queue &queue,
                        uint32_t level, uint64_t *edges)
{
    struct counts *counts = count_of(iteration.search.counts, level);
    uint64_t size = iteration.graph.out.num_vertices;
    auto is = [&](uint64_t place, bool has) {
        return load_relaxed_if(has, &iteration.search.status[place]) == level && has;
    };
    auto put = [&](unsigned, uint64_t place, uint32_t number) {
        span<offset_t> span = edges_if(true, iteration.graph.out, (vertex_t)place);
        put_span(queue, counts, number, (vertex_t)place, span, iteration.rules.high_degree_above);
        *edges += span.end - span.edge;
    };
    if (iteration.rules.queue != DOUBLE_SCAN) {
        single_scan(size, &counts->spans, is, put);
        return true;
    }
    uint32_t total[1] = {};
    bool right = double_scan(
        iteration.search, shared, {size, iteration.rules.strided}, is, [](uint64_t) { return 0u; }, total, put);
    if (is_first_thread())
        __stcg(&counts->spans, total[0]);
    return right;
}

/* Runs a top-down iteration and the barrier that ends it. Returns false if a wait timed out. */
DEVICE bool go_top_down(const auto &iteration, struct shared *shared, enum generation generation)
{
    const struct search &search = iteration.search;
    if (generation == NO_GENERATION) {
        expand_frontiers(iteration);
        add_up(iteration.counts, *iteration.tally, false);
        *iteration.tally = {};
        if (!meet(search, shared))
            return false;
        uint64_t left = __ldcg(&iteration.counts->left);
        if (left == 0)
            return true;
        expand_high_degree<true>(iteration, left);
    } else {
        struct counts *before = count_of(search.counts, iteration.at.level - 1);
        uint64_t known = 0;
        if (iteration.at.was_bottom_up &&
            (!queue_level(iteration, shared, current_queue(search, iteration.at), iteration.at.level - 1, &known) ||
             !meet(search, shared)))
            return false;
        uint32_t spans = __ldcg(&before->spans);
        uint64_t high_degree = __ldcg(&before->high_degree);
        if (generation == SCAN_FREE) {
            expand_queue<true>(iteration, spans, high_degree);
        } else {
            expand_queue<false>(iteration, spans, high_degree);
            if (!meet(search, shared) || !queue_level(iteration, shared, next_queue(search, iteration.at),
                                                      iteration.at.level, &iteration.tally->edges))
                return false;
        }
    }
    add_up(iteration.counts, *iteration.tally, false);
    return meet(search, shared);
}

} // namespace BACKEND::xbfs
