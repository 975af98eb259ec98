/* bottom_up.cuh: bottom-up iterations.
 *
 * A double scan makes the queue of frontiers. It normally scans all statuses. If the previous iteration was bottom-up
 * with a small queue, it scans that queue instead, which contains the next queue (lemma 1). Then every frontier looks
 * for a parent (find_parent.cuh), and all warps share the remaining edges of high-degree frontiers (high_degree.cuh).
 *
 * How frontiers are distributed to threads (section 5.1):
 *   static   warps take rows of 32 frontiers in a fixed order; each lane works on one frontier of a row
 *   thread   algorithm 1: a thread that is done with a frontier takes a new one
 *   warp     algorithm 2: a warp that is done with its frontiers takes 32 or more new ones
 *   donate   like static; in addition all lanes of a warp help its last busy lane
 *   degree   Enterprise: a thread, a warp or a block per frontier, depending on its degree */
#pragma once

#include "find_parent.cuh"
#include "scan.cuh"

namespace BACKEND::xbfs
{

#define FETCHES      4u /* how often a warp takes frontiers in a large bottom-up level */
#define DONATE_AFTER 5u /* neighbours that a lane reads at a time; section 5.1.2 */

/* Searches the lanes' frontiers with intra-warp work donation: lanes read DONATE_AFTER neighbours at a time. When
 * only one lane still has work, all lanes help it. */
template <typename offset_t>
DEVICE void look_and_donate(const iteration<offset_t> &iteration, turn<offset_t> *turn)
{
    unsigned unfinished;
    do {
        if (goes_on(*turn))
            look_on<DONATE_AFTER>(iteration, turn);
        unfinished = __ballot_sync(WHOLE_WARP, goes_on(*turn));
    } while (__popc(unfinished) > 1);
    if (unfinished == 0)
        return;
    int owner = __ffs((int)unfinished) - 1;
    uint32_t own = iteration.tally->checked;
    struct answer found = look_together<offset_t>(
        iteration, {__shfl_sync(WHOLE_WARP, turn->task.edges.edge, owner), __shfl_sync(WHOLE_WARP, turn->stop, owner)});
    uint32_t donated = __reduce_add_sync(WHOLE_WARP, iteration.tally->checked - own);
    iteration.tally->checked = own; /* the owner counts these reads instead */
    if ((int)lane_id() == owner) {
        iteration.tally->checked += donated;
        turn->task.edges.edge = turn->stop;
        turn->answer.parent = found.parent;
        turn->answer.current = turn->answer.current || found.current;
    }
}

/* Searches the frontiers of the lanes. All lanes of the warp must call it. looks: neighbours that a lane loads at
 * once. */
template <enum balance balance, unsigned looks, typename offset_t>
DEVICE void work_on(const iteration<offset_t> &iteration, const task<offset_t> &task)
{
    turn<offset_t> turn = begin_turn(iteration, task);
    if (balance == BALANCE_DONATE)
        look_and_donate(iteration, &turn);
    else
        while (goes_on(turn))
            look_on<looks>(iteration, &turn);
    end_turn(iteration, turn);
}

/* Returns the number of rows of 32 frontiers that a warp takes at once. In a small level it is one, as in the paper.
 * In a large level it is higher, so that each warp takes rows only FETCHES times, because all warps contend for one
 * atomic. */
DEVICE uint32_t rows_at_once(uint64_t size)
{
    return (uint32_t)max(size / ((uint64_t)grid_threads().size * FETCHES), (uint64_t)1);
}

/* The distributions static, warp and donate. A warp loads its next 32 frontiers while it works on the current ones.
 * as_paper: exactly algorithm 2, which takes one row at a time and reads one neighbour after another. */
template <enum balance balance, bool as_paper = false, typename offset_t>
DEVICE void share_by_warps(const iteration<offset_t> &iteration, uint64_t size)
{
    uint32_t rows = balance == BALANCE_WARP && !as_paper ? rows_at_once(size) : 1, left = rows;
    struct team team = spread_warps();
    uint64_t all = (uint64_t)team.size * WARP_SIZE * rows, first = (uint64_t)team.rank * WARP_SIZE * rows;
    task<offset_t> next = task_at(iteration, first + lane_id(), size);
    while (first < size) {
        task<offset_t> task = next;
        if (--left > 0) {
            first += WARP_SIZE;
        } else if (balance == BALANCE_WARP) {
            uint64_t taken = 0;
            if (lane_id() == 0)
                taken = atomicAdd(&iteration.counts->taken, (uint64_t)rows * WARP_SIZE);
            first = all + __shfl_sync(WHOLE_WARP, taken, 0);
            left = rows;
        } else {
            first += all;
            left = rows;
        }
        next = task_at(iteration, first + lane_id(), size);
        work_on<balance, as_paper ? 1 : LOOKS>(iteration, task);
    }
}

/* The distribution thread (algorithm 1): a lane that is done with its frontier takes the next one while the other
 * lanes continue. Lanes that are done at the same time share one atomic; with as_paper each has its own. */
template <bool as_paper = false, typename offset_t>
DEVICE void share_by_threads(const iteration<offset_t> &iteration, uint64_t size)
{
    struct team team = spread_warps();
    uint64_t started = (uint64_t)team.size * WARP_SIZE, i = (uint64_t)team.rank * WARP_SIZE + lane_id();
    turn<offset_t> turn = begin_turn(iteration, task_at(iteration, i, size));
    while (__any_sync(WHOLE_WARP, turn.task.vertex != NO_VERTEX)) {
        if (goes_on(turn))
            look_on<as_paper ? 1 : LOOKS>(iteration, &turn);
        bool fetches = !goes_on(turn) && turn.task.vertex != NO_VERTEX;
        if (fetches)
            end_turn(iteration, turn);
        unsigned lanes = __ballot_sync(WHOLE_WARP, fetches);
        if (lanes == 0)
            continue;
        uint64_t taken = 0;
        if (as_paper ? fetches : lane_id() == 0)
            taken = atomicAdd(&iteration.counts->taken, as_paper ? 1ull : __popc(lanes));
        if (!as_paper)
            taken = __shfl_sync(WHOLE_WARP, taken, 0) + lanes_before(lanes);
        i = started + taken;
        if (fetches)
            turn = begin_turn(iteration, task_at(iteration, i, size));
    }
}

/* The distribution degree (Enterprise). The queue holds the frontiers of the three classes one after another. */
template <typename offset_t>
DEVICE void share_by_degree(const iteration<offset_t> &iteration)
{
    const uint32_t(&sizes)[CLASSES] = iteration.at.sizes;
    share_by_warps<BALANCE_STATIC>(iteration, sizes[0]);
    uint64_t end = (uint64_t)sizes[0] + sizes[1];
    struct team team = spread_warps();
    for (uint64_t i = (uint64_t)sizes[0] + team.rank; i < end; i += team.size) {
        task<offset_t> task = task_at(iteration, i, end);
        struct answer answer = {};
        if (__shfl_sync(WHOLE_WARP, task.status, 0) != (EARLY | iteration.at.level))
            answer = look_together(iteration, task.edges);
        task.edges.edge = task.edges.end;
        if (lane_id() == 0 && must_look(iteration, task))
            settle(iteration, task, answer);
    }
    end += sizes[2];
    for (uint64_t i = (uint64_t)sizes[0] + sizes[1] + blockIdx.x; i < end; i += gridDim.x) {
        task<offset_t> task = task_at(iteration, i, end);
        struct answer answer = {};
        bool asks = task.status != (EARLY | iteration.at.level), parent = false;
        for (; asks && !parent && task.edges.edge < task.edges.end; task.edges.edge += blockDim.x) {
            look_at<1>(iteration, {(offset_t)(task.edges.edge + threadIdx.x), task.edges.end}, 1, &answer);
            parent = __syncthreads_or(answer.parent);
        }
        bool current = __syncthreads_or(answer.current); /* also a barrier: all threads have read the status */
        task.edges.edge = task.edges.end;
        if (threadIdx.x == 0 && must_look(iteration, task))
            settle(iteration, task, {parent, current});
    }
}

#define WARP_FROM  32u  /* frontiers with this many in-edges get a warp (Enterprise) */
#define BLOCK_FROM 256u /* frontiers with this many in-edges get a block */

/* Sets the level of a frontier when several warps or threads search its edges without waiting for each other. They
 * lower its status by atomic minima, so l wins over EARLY | l + 1. The first one that lowers it to l counts the
 * vertex. A thread may write EARLY | l + 1 before another one writes l; this is harmless, since readers ignore EARLY
 * | l + 1. */
DEVICE void settle_by_atomic(const auto &iteration, vertex_t vertex, struct answer answer)
{
    uint32_t *status = &iteration.search.status[vertex], level = iteration.at.level;
    if (answer.parent) {
        uint32_t old = atomicMin(status, level);
        if (old > level)
            count_found(iteration, vertex);
        iteration.tally->early -= old > level && old != UNREACHED;
    } else if (answer.current && iteration.rules.async) {
        iteration.tally->early += atomicMin(status, EARLY | (level + 1)) == UNREACHED;
    }
}

/* Searches this warp's share of the remaining edges of high-degree frontiers. */
template <typename offset_t>
DEVICE void work_on_high_degree(const iteration<offset_t> &iteration, uint64_t count)
{
    const struct high_degree_list &list = current_queue(iteration.search, iteration.at).high_degree;
    each_high_degree<offset_t>(list, count, [&](vertex_t vertex, span<offset_t> span) {
        uint32_t known = load_relaxed_if(lane_id() == 0, &iteration.search.status[vertex]);
        if (__shfl_sync(WHOLE_WARP, known, 0) <= iteration.at.level)
            return;
        struct answer answer = look_together(iteration, span);
        if (lane_id() == 0)
            settle_by_atomic(iteration, vertex, answer);
    });
}

/* Makes this level's bottom-up queue by a double scan; vertices without in-edges never enter. Returns false if a wait
 * timed out. */
template <enum balance balance, typename offset_t>
DEVICE bool queue_frontiers(const iteration<offset_t> &iteration, struct shared *shared, struct progress *at)
{
    constexpr unsigned classes = balance == BALANCE_DEGREE ? CLASSES : 1;
    const uint32_t *status = iteration.search.status, *entered = iteration.search.entered;
    uint32_t level = at->level, total[classes] = {};
    const vertex_t *old = frontiers_of(iteration.search, *at);
    vertex_t *made = at->swapped_frontiers ? iteration.search.frontiers : iteration.search.others;
    uint64_t n = iteration.graph.in.num_vertices, size = (uint64_t)at->sizes[0] + at->sizes[1] + at->sizes[2];
    bool again = at->was_bottom_up && !iteration.rules.strided && 2 * size < n;
    auto vertex_at = [&](uint64_t place) { return again ? __ldcg(&old[place]) : (vertex_t)place; };
    auto is = [&](uint64_t place, bool has) {
        vertex_t vertex = again ? load_relaxed_if(has, &old[place]) : (vertex_t)place;
        uint32_t known = load_relaxed_if(has, &status[vertex]), word = load_if(has, bitmap_word(entered, vertex));
        return known >= level && has && has_bit(word, vertex);
    };
    auto class_of = [&](uint64_t place) {
        if (classes == 1)
            return 0u;
        span<offset_t> in = edges_if(true, iteration.graph.in, vertex_at(place));
        uint64_t degree = in.end - in.edge;
        return degree < WARP_FROM ? 0u : degree < BLOCK_FROM ? 1u : 2u;
    };
    auto put = [&](unsigned c, uint64_t place, uint32_t number) {
        for (unsigned lower = 0; lower < c; lower++)
            number += total[lower];
        __stcg(&made[number], vertex_at(place));
    };
    if (!double_scan(iteration.search, shared, {again ? size : n, iteration.rules.strided}, is, class_of, total, put))
        return false;
    at->swapped_frontiers = !at->swapped_frontiers;
#pragma unroll
    for (unsigned c = 0; c < CLASSES; c++)
        at->sizes[c] = c < classes ? total[c < classes ? c : 0] : 0;
    return meet(iteration.search, shared);
}

/* Runs a bottom-up iteration and the barrier that ends it. Returns false if a wait timed out. */
template <enum balance balance>
DEVICE bool go_bottom_up(const auto &iteration, struct shared *shared, struct progress *at)
{
    bool traced = iteration.search.trace != NULL;
    if (!queue_frontiers<balance>(iteration, shared, at))
        return false;
    if (balance == BALANCE_DEGREE)
        share_by_degree(iteration);
    else if (balance == BALANCE_THREAD)
        share_by_threads(iteration, at->sizes[0]);
    else
        share_by_warps<balance>(iteration, at->sizes[0]);
    add_up(iteration.counts, *iteration.tally, traced);
    *iteration.tally = {};
    if (!meet(iteration.search, shared))
        return false;
    uint64_t left = __ldcg(&iteration.counts->left);
    if (left == 0)
        return true;
    work_on_high_degree(iteration, left);
    add_up(iteration.counts, *iteration.tally, traced);
    return meet(iteration.search, shared);
}

} // namespace BACKEND::xbfs
