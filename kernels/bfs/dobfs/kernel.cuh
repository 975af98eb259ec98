/* kernel.cuh: the persistent kernel that runs a whole search, and the choice of direction.
 *
 * Each iteration of its loop is a step: a level, the collection of a frontier, or several levels run by one block. A
 * grid barrier ends the step. Every thread chooses the next step itself, from the same values.
 *
 * The search ends when a level finds nothing, or earlier when all vertices are visited. In a symmetric graph whose
 * giant component is known, a search from inside it ends when all vertices of the component are visited.
 *
 * Direction. If a queued frontier has more than a certain share of all edges, the next level is bottom-up. If a
 * bottom-up level finds less than a certain share of the vertices, the next level is top-down. The best shares, and
 * whether large top-down levels should only mark, depend on the graph. If high-degree vertices have low ids, most
 * vertices find a visited neighbour at once. On web graphs, most vertices have no visited neighbour, and reading
 * their lists is wasted work. So prepare.cuh times several policies and keeps the fastest. */
#pragma once

#include "bottom_up.cuh"
#include "linked.cuh"
#include "results.cuh"
#include "top_down.cuh"

namespace BACKEND::dobfs
{

/* Queues the vertices that the last bottom-up level found: the difference of the two bitmaps. */
template <bool parents, typename csr_t>
DEVICE void collect(const prepared_graph<csr_t> &graph, const struct search &search, const struct rules &rules,
                    const struct progress &at, uint64_t *count)
{
    const auto next = typed<offset_of<csr_t>, parents>(next_queue(search, at), rules);
    const uint32_t *visited = visited_bitmap(search, at), *before = other_bitmap(search, at);
    queue_bits(
        filling{graph.out.offsets, next, count, rules.edge_bits, true}, graph.num_words,
        [&](uint32_t own) { return bitmap_place(graph.out, own); },
        [&](uint32_t, uint32_t word) { return __ldcg(&visited[word]) & ~__ldcg(&before[word]); }, [](size_t) {});
}

/* Returns whether the next level is bottom-up. It must be if the frontier does not fit into a queue. */
DEVICE bool goes_bottom_up(const any_graph auto &graph, const struct rules &rules, const struct progress &at)
{
    bool fits = at.frontier == FRONTIER_QUEUED || (at.frontier == FRONTIER_FOUND && at.size <= rules.queue_capacity);
    if (graph.in.offsets == NULL)
        return false;
    if (!fits || rules.direction == DIRECTION_BOTTOM_UP)
        return true;
    if (rules.direction == DIRECTION_TOP_DOWN)
        return false;
    if (rules.direction == DIRECTION_ALTERNATING)
        return at.level % 2 == 1;
    return at.frontier == FRONTIER_QUEUED ? at.edges > rules.bottom_up_above : at.size >= rules.back_below;
}

/* Clears the count of the step after the next one, and returns the count that this step adds to. */
template <typename csr_t>
DEVICE uint64_t *next_count(const prepared_graph<csr_t> &graph, const struct search &search, const struct progress &at)
{
    if (thread_of_grid() == 0)
        *count_of(search.counts, at.round + 2) = *count_of(search.high_degree_counts, at.round + 2) = 0;
    if constexpr (is_dealt<csr_t>)
        if (thread_of_grid() < MOST_IN_TEAM) /* a step sends to the numbers of its round */
            num_sent_of(*graph.out.links, graph.out.deal.part, at.round + 1)[thread_of_grid()] = 0;
    return count_of(search.counts, at.round + 1);
}

/* Runs a top-down level by all warps, as go_top_down() does. Returns false if a wait took too long. */
template <bool parents, typename csr_t>
DEVICE bool go_down(const prepared_graph<csr_t> &graph, const struct search &search, const struct rules &rules,
                    const struct progress &at, bool marks, uint64_t *count)
{
    if constexpr (is_dealt<csr_t>)
        return go_top_down_linked<parents>(graph, search, rules, at, marks, count);
    else
        go_top_down<parents>(graph, search, rules, at, marks, count);
    return true;
}

/* Returns the progress at the start, when only the source is visited. */
DEVICE struct progress begin_at_source(vertex_t num_ids, uint32_t id)
{
    struct progress at = {};
    at.pending = NOT_PENDING;
    at.unvisited = num_ids - (id < num_ids);
    at.size = 1;
    return at;
}

/* Makes level bytes relative to the next level. All levels so far have been written to the result. */
DEVICE void raise_base(struct progress &at)
{
    at.base = at.level + 1;
    at.pending = NOT_PENDING;
}

/* Takes the queue that a step has filled as the new frontier. count: the count of this queue. */
DEVICE void advance_to_queue(const struct search &search, const struct rules &rules, bool single_block, bool collects,
                             uint64_t count, struct progress &at)
{
    at.frontier = FRONTIER_QUEUED;
    read_count(&at, rules, count);
    at.swapped_queues = !at.swapped_queues;
    if (single_block) {
        at.level = __ldcg(&search.handover->level);
        at.unvisited = __ldcg(&search.handover->unvisited);
    } else if (!collects) {
        at.unvisited -= (uint32_t)at.size;
    }
}

/* Ends a bottom-up level after its barrier: searches the lists of high-degree vertices if any are queued, and updates
 * the frontier. count: the level's count. wait: waits at the barrier. Returns false if a wait timed out. */
DEVICE bool end_bottom_up(const any_graph auto &graph, const struct search &search, const struct rules &rules,
                          uint64_t count, auto wait, struct progress &at)
{
    uint64_t late = 0;
    if (rules.high_degree_steps > 0 && (count & HIGH_DEGREE_QUEUED)) {
        count &= ~HIGH_DEGREE_QUEUED;
        finish_high_degree(graph, search, rules, at, next_count(graph, search, at));
        at.round++;
        late = wait();
        if (late == UINT64_MAX)
            return false;
    }
    at.frontier = FRONTIER_FOUND;
    at.size = (count >> 32) + late;
    at.unvisited = (uint32_t)count - (uint32_t)late;
    at.swapped_bitmaps = !at.swapped_bitmaps;
    return true;
}

/* Records the end of the level that the last step found, if `found`. If inlined, it would spill 300 bytes. */
template <bool profiled>
static __device__ __attribute__((noinline)) void trace_level(const struct search &search, const struct progress &at,
                                                             bool found)
{
    if (profiled && found && is_first_thread())
        end_level(search.trace, at.level, at.frontier == FRONTIER_FOUND ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN,
                  at.frontier);
}

/* Resets the visited bitmap: the source is visited, and so are the bits beyond the last id. */
DEVICE void reset_bitmap(const any_graph auto &graph, uint32_t *visited, uint32_t id)
{
    for (uint64_t i = thread_of_grid(); i < graph.num_words; i += threads_of_grid()) {
        uint64_t first = i * WARP_SIZE;
        uint32_t used = first >= graph.num_ids ? 0 : (uint32_t)min((uint64_t)WARP_SIZE, graph.num_ids - first);
        uint32_t beyond = used == WARP_SIZE ? 0 : UINT32_MAX << used;
        visited[i] = beyond | (id / WARP_SIZE == i ? bit_of(id) : 0);
    }
}

/* Resets the arrays for a new search. id: the source's id; on several GPUs, of all ids. Returns the number of vertices
 * that the search cannot reach, or 0 if it is unknown. */
template <bool parents, typename csr_t>
DEVICE uint32_t initialise(const prepared_graph<csr_t> &graph, const struct search &search, const struct rules &rules,
                           vertex_t source, uint32_t id)
{
    typedef offset_of<csr_t> offset_t;
    bool owns = true;
    if constexpr (is_dealt<csr_t>) {
        reset_links(*graph.out.links, graph.out.deal, search.visited, id);
        owns = own_input(graph.out, source) != NO_VERTEX;
        id = owns ? place_of(graph.out.deal, id) : NO_VERTEX;
    } else {
        reset_bitmap(graph, search.visited, id);
    }
    const uint64_t bytes = sizeof(uint4), groups = (uint64_t)graph.num_words * WARP_SIZE / bytes;
    for (uint64_t i = thread_of_grid(); i < groups; i += threads_of_grid()) {
        uint32_t words[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
#pragma unroll
        for (unsigned w = 0; w < 4; w++)
            if (id / 4 == i * 4 + w)
                words[w] = ~(0xffu << id % 4 * 8);
        ((uint4 *)search.bytes)[i] = {words[0], words[1], words[2], words[3]};
    }
    if (thread_of_grid() == 0 && !owns) {
        search.counts[0] = 0;
    } else if (thread_of_grid() == 0) {
        const size_t list = min(id, graph.num_ids), next = min(id + 1, graph.num_ids); /* isolated: without edges */
        offset_t first = graph.out.offsets[list];
        typed<offset_t, parents>(search.queues[0], rules).put(0, {0, first, id_at_place(graph.out, id)});
        search.counts[0] = 1ull << rules.edge_bits | (offset_t)(graph.out.offsets[next] - first);
    }
    if (thread_of_grid() == 0)
        search.counts[1] = search.high_degree_counts[0] = search.high_degree_counts[1] = 0;
    return count_unreachable(graph, source);
}

/* Writes the levels that are not in the result yet, and the parents of their vertices. */
template <bool parents>
DEVICE void write_result(const any_graph auto &graph, const struct search &search, const struct rules &rules,
                         const struct progress &at, vertex_t source)
{
    if (at.base == 0)
        write_levels<parents>(graph, search, rules, at, source);
    else
        materialise_levels<parents>(graph, search, at, source, true);
}

/* Runs one search and writes search.level and, with parents, search.parent. If a wait at the grid barrier times out,
 * the kernel returns at once, and gpu_check_barrier then reports it. profiled: records the ends of levels. A kernel
 * without it saves the registers that a test of the trace's pointer needs. */
template <typename format, bool parents, bool profiled, typename csr_t>
__global__ void __launch_bounds__(BLOCK_THREADS, 1)
    dobfs_kernel(prepared_graph<csr_t> graph, struct search search, struct rules rules, vertex_t source)
{
    struct shared *shared = block_shared<struct shared>();
    vertex_t id = id_of_input(graph, source);
    uint32_t unreachable = initialise<parents>(graph, search, rules, source, id);
    struct progress at = begin_at_source(all_ids(graph), id);
    if (thread_of_grid() == 0)
        search.handover->elapsed_ns = nanoseconds();
    auto wait = [&]() { return wait_for_all(graph, search, at.round); };
    uint64_t counted = wait();
    if (counted == UINT64_MAX)
        return;
    read_count(&at, rules, counted);
    trace_level<profiled>(search, at, true);
    while (!is_done(at, unreachable)) {
        bool bottom_up = goes_bottom_up(graph, rules, at);
        bool collects = !bottom_up && at.frontier == FRONTIER_FOUND;
        bool marks = !bottom_up && !collects && at.edges > rules.mark_above;
        bool single_block = !bottom_up && !collects && !marks && fits_single_block(at, rules);
        if (!collects && !single_block &&
            (at.level + 1 - at.base >= rules.level_limit || (marks && at.pending != NOT_PENDING))) {
            materialise_levels<parents>(graph, search, at, source, false);
            raise_base(at);
            if (wait() == UINT64_MAX) /* on the same count as before */
                return;
            continue;
        }
        uint64_t *count = next_count(graph, search, at);
        if (bottom_up)
            go_bottom_up<format, parents>(graph, search, rules, at, count);
        else if (collects)
            collect<parents>(graph, search, rules, at, count);
        else if (!single_block && !go_down<parents>(graph, search, rules, at, marks, count))
            return;
        else if (single_block && blockIdx.x == 0)
            run_single_block<parents, profiled>(graph, search, rules, shared, at, unreachable, count);
        at.round++;
        counted = wait();
        if (counted == UINT64_MAX)
            return;
        at.level += !collects && !single_block;
        if (bottom_up) {
            if (!end_bottom_up(graph, search, rules, counted, wait, at))
                return;
        } else if (marks) {
            at.frontier = FRONTIER_MARKED;
            at.pending = is_dealt<csr_t> ? at.pending : at.level;
        } else {
            advance_to_queue(search, rules, single_block, collects, counted, at);
        }
        trace_level<profiled>(search, at, !collects && !single_block);
    }
    if (thread_of_grid() == 0)
        search.handover->elapsed_ns = nanoseconds() - search.handover->elapsed_ns;
    write_result<parents>(graph, search, rules, at, source);
    if (is_dealt<csr_t>) /* the clock of one GPU then has the work of all */
        wait();
}

} // namespace BACKEND::dobfs
