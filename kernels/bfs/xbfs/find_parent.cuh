/* find_parent.cuh: how a bottom-up frontier looks for a parent, and asynchronous levels (section 5.2, algorithm 3).
 *
 * A frontier looks for an in-neighbour of level l - 1. If it finds none but sees one of level l, then its level is l
 * + 1, and iteration l sets its status to EARLY | l + 1. Iteration l + 1 turns this into l + 1. If that iteration is
 * bottom-up, the thread that takes the vertex from the queue does so. If it is top-down, the first thread that
 * reaches the vertex does so, as for an unvisited vertex: some vertex of level l has an edge to it, and EARLY | l + 1
 * is above every level.
 *
 * Why the levels are correct. Invariant at the start of iteration l: a vertex at a distance d < l from the source has
 * status d; any other vertex has UNREACHED or, if its distance is l, possibly EARLY | l. It holds for l = 1.
 *
 * Let iteration l be bottom-up. Each vertex with status l or more is in its queue exactly once, and only the thread
 * of the vertex writes its status (high-degree vertices: see work_on_high_degree). During the iteration a status can
 * only change from UNREACHED to l, from UNREACHED to EARLY | l + 1, or from EARLY | l to l. So a reader sees l - 1
 * exactly at distance l - 1, and l or EARLY | l only at distance l. Take a vertex v at distance d without an early
 * status.
 *   d = l      v reads its in-neighbours until one has status l - 1, and there is one: v gets l.
 *   d = l + 1  v has no such in-neighbour, since then d would be l. If v has read an in-neighbour of level l,
 *              it becomes EARLY | l + 1; otherwise it stays UNREACHED. Both are correct.
 *   d > l + 1  v has no in-neighbour below level l + 1, so it reads neither, and stays UNREACHED.
 * A vertex with EARLY | l gets l. So the invariant holds for l + 1.
 *
 * Let iteration l be top-down. Every vertex at distance l, early or not, is reached from a vertex at distance l - 1
 * and gets l; nothing else changes.
 *
 * A thread that reads an outdated status only misses a chance to set a level early, since the statuses of level l - 1
 * were complete at the last barrier. No vertex stays EARLY at the end: a vertex with EARLY | l + 1 has an
 * in-neighbour of level l, whose out-edges count for iteration l + 1, so the search continues to that iteration. */
#pragma once

#include "high_degree.cuh"

namespace BACKEND::xbfs
{

#define LOOKS 4u /* edges that a lane loads together */

/* What a frontier has seen so far: an in-neighbour of level l - 1 (parent), or one of level l (current). */
struct answer {
    bool parent, current;
};

/* Reads the neighbours at edge, edge + stride, ... before the end, at most `looks`. Ignores those after the first
 * parent, which are only loaded because all loads are issued together. */
template <unsigned looks, typename offset_t>
DEVICE void look_at(const iteration<offset_t> &iteration, span<offset_t> span, unsigned stride, struct answer *answer)
{
    vertex_t neighbour[looks];
    uint32_t status[looks], level = iteration.at.level;
#pragma unroll
    for (unsigned i = 0; i < looks; i++)
        neighbour[i] = load_if(span.edge + i * stride < span.end, &iteration.graph.in.targets[span.edge + i * stride]);
#pragma unroll
    for (unsigned i = 0; i < looks; i++)
        status[i] = load_cached_if(neighbour[i] != NO_VERTEX, &iteration.search.status[neighbour[i]]);
#pragma unroll
    for (unsigned i = 0; i < looks; i++)
        if (neighbour[i] != NO_VERTEX && !answer->parent) {
            iteration.tally->checked++;
            answer->parent = status[i] == level - 1;
            answer->current = answer->current || (status[i] & ~EARLY) == level;
        }
}

/* The whole warp reads the edges of a span. All lanes must call it, and all get the same answer. */
template <typename offset_t>
DEVICE struct answer look_together(const iteration<offset_t> &iteration, span<offset_t> span)
{
    struct answer answer = {};
    for (span.edge += lane_id(); __any_sync(WHOLE_WARP, span.edge < span.end); span.edge += LOOKS * WARP_SIZE) {
        look_at<LOOKS>(iteration, span, WARP_SIZE, &answer);
        span.edge = span.edge < span.end ? span.edge : span.end; /* a lane that is done stays at its last edge's end */
        answer.parent = __any_sync(WHOLE_WARP, answer.parent);
        if (answer.parent)
            break;
    }
    answer.current = __any_sync(WHOLE_WARP, answer.current);
    return answer;
}

/* A frontier of the bottom-up queue. */
template <typename offset_t>
struct task {
    vertex_t vertex; /* NO_VERTEX if there is none */
    uint32_t status;
    span<offset_t> edges; /* in-edges that have not been read yet */
};

/* Returns the task of queue entry i. Reads the status only if it may be EARLY, which is impossible after a top-down
 * level. */
template <typename offset_t>
DEVICE task<offset_t> task_at(const iteration<offset_t> &iteration, uint64_t i, uint64_t size)
{
    bool has = i < size;
    vertex_t vertex = has ? __ldcg(&frontiers_of(iteration.search, iteration.at)[i]) : NO_VERTEX;
    uint32_t status =
        load_relaxed_if(has && iteration.rules.async && iteration.at.was_bottom_up, &iteration.search.status[vertex]);
    return {vertex, status, edges_if(has, iteration.graph.in, vertex)};
}

template <typename offset_t>
DEVICE void count_found(const iteration<offset_t> &iteration, vertex_t vertex)
{
    span<offset_t> out = edges_if(true, iteration.graph.out, vertex);
    iteration.tally->edges += out.end - out.edge;
}

/* Returns whether the task's vertex must look for a parent. A vertex that was found early need not: this function
 * sets its level. */
DEVICE bool must_look(const auto &iteration, const auto &task)
{
    if (task.status == (EARLY | iteration.at.level)) {
        __stcg(&iteration.search.status[task.vertex], iteration.at.level);
        count_found(iteration, task.vertex);
        return false;
    }
    return task.vertex != NO_VERTEX;
}

/* Returns the class of a number of edges, 0 to WORK_CLASSES - 1. */
DEVICE unsigned work_class(uint64_t edges)
{
    return edges < UINT32_MAX ? WARP_SIZE - (unsigned)__clz((int)(uint32_t)edges) : WORK_CLASSES - 1;
}

/* Sets a vertex's level if the answer determines it, or leaves its unread edges to all warps. One thread calls it. */
DEVICE void settle(const auto &iteration, const auto &task, struct answer answer)
{
    if (answer.parent) {
        __stcg(&iteration.search.status[task.vertex], iteration.at.level);
        count_found(iteration, task.vertex);
        return;
    }
    if (answer.current && iteration.rules.async) {
        __stcg(&iteration.search.status[task.vertex], EARLY | (iteration.at.level + 1));
        iteration.tally->early++;
    }
    if (task.edges.edge < task.edges.end)
        append_high_degree(current_queue(iteration.search, iteration.at).high_degree, &iteration.counts->left,
                           task.vertex, task.edges);
}

/* For work=1: counts a frontier by its number of edges and the number of edges it has read. */
DEVICE void note_work(const auto &iteration, uint64_t degree, uint64_t looked)
{
    if (iteration.search.work != NULL)
        atomicAdd(&iteration.search.work[work_class(degree) * WORK_CLASSES + work_class(looked)], 1ull);
}

/* A frontier that one thread works on. */
template <typename offset_t>
struct turn {
    struct task<offset_t> task;
    struct answer answer;
    bool asks;     /* the vertex looks for a parent */
    offset_t stop; /* end of the edges that this thread reads without help */
    uint64_t degree;
    uint32_t checked; /* value of tally->checked at the beginning */
};

template <typename offset_t>
DEVICE turn<offset_t> begin_turn(const iteration<offset_t> &iteration, const task<offset_t> &task)
{
    span<offset_t> edges = task.edges;
    offset_t degree = edges.end - edges.edge, stop = edges.edge + min(degree, (offset_t)iteration.rules.alone);
    return {task, {}, must_look(iteration, task), stop, degree, iteration.tally->checked};
}

DEVICE bool goes_on(const auto &turn)
{
    return turn.asks && !turn.answer.parent && turn.task.edges.edge < turn.stop;
}

template <unsigned looks>
DEVICE void look_on(const auto &iteration, auto *turn)
{
    look_at<looks>(iteration, {turn->task.edges.edge, turn->stop}, 1, &turn->answer);
    turn->task.edges.edge += looks;
}

DEVICE void end_turn(const auto &iteration, auto turn)
{
    if (!turn.asks)
        return;
    turn.task.edges.edge = min(turn.task.edges.edge, turn.stop);
    note_work(iteration, turn.degree, iteration.tally->checked - turn.checked);
    settle(iteration, turn.task, turn.answer);
}

} // namespace BACKEND::xbfs
