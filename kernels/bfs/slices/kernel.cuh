/* kernel.cuh: the persistent kernel that runs a whole search.
 *
 * Each turn of its loop runs one or several levels of one kind, or half a level, and ends with a grid barrier. At the
 * barrier, one thread of each block chooses the kind of the next turn. All blocks have the same sums, so they choose
 * the same:
 *
 *   from               to                    when
 *   SINGLE_BLOCK       EXCHANGE              the frontier is too large for one block
 *   EXCHANGE           SINGLE_BLOCK          two consecutive levels are small enough for one block; after levels of
 *                                            the grid, one such level suffices
 *   both               COUNTS                the frontier has too many vertices or slices for lists
 *   both               HIGH_DEGREE, COUNTS   the frontier has high-degree vertices
 *   COUNTS             BOTTOM_UP or PUSHES   depends on the frontier's share of the slices (Beamer's alpha)
 *   BOTTOM_UP          BOTTOM_UP or PUSHES   likewise: a bottom-up level counts the slices that it finds
 *   PUSHES             COUNTS or MARKS       COUNTS if the direction may change; it costs one more barrier
 *   MARKS              COUNTS or MARKS       likewise
 *   COUNTS, BOTTOM_UP  EXCHANGE              the frontier fits into lists again
 *
 * When no level may be bottom-up any more (stays_top_down), MARKS takes the place of COUNTS above, except before an
 * EXCHANGE. */
#pragma once

#include "bottom_up.cuh"
#include "exchange.cuh"

namespace BACKEND::slices
{

/* A MARKS turn does not know its level's size. It marks in bulk after more than bulk_slices >> BULK_GROWTH slices. */
#define BULK_GROWTH 2u

/* A bottom-up level loads the window if more than 1 / WINDOW_SHARE of the slices are unvisited; otherwise loading
 * costs more than it saves. */
#define WINDOW_SHARE 32u

/* ---- decisions: one thread of each block makes them at a barrier, from the same sums ---- */

/* Returns the kind of the first turn after listed levels. */
DEVICE enum kind first_of_grid(const struct rules &rules, const struct progress &at)
{
    return stays_top_down(rules, at.left) ? MARKS : COUNTS;
}

DEVICE bool goes_bottom_up(const struct rules &rules, const struct progress &at)
{
    return rules.alpha > 0 && max(at.slices, at.left) > rules.few_slices && (uint64_t)at.slices * rules.alpha > at.left;
}

/* Returns whether listed levels should take over the grid's frontier. The limit is half the size at which they hand
 * the frontier back to the grid. The frontier must fit into one list, since one block may own all of it. */
DEVICE bool suits_lists(const struct rules &rules, const struct progress &at)
{
    return at.vertices <= rules.list_vertices && at.vertices <= rules.exchange_vertices / 2 &&
           at.slices <= rules.exchange_slices >> rules.sum_shift >> 1;
}

/* Adds the sums of a turn to the progress. expands: this turn expanded the slices; otherwise the next one will. */
DEVICE void take_sums(struct progress &at, const struct sums &sums, bool expands)
{
    at.vertices = sums.vertices;
    at.slices = sums.slices;
    if (expands)
        at.left -= min(at.left, sums.slices);
}

DEVICE void after_single_block(const struct rules &rules, struct progress &at, const struct sums &sums)
{
    const struct report report = report_in(sums);
    at.level += report.levels;
    at.vertices = report.vertices;
    at.from = report.vertices > rules.list_vertices || report.high_degree ? IN_RESUMED : IN_LIST;
    at.kind = report.high_degree      ? HIGH_DEGREE
              : report.vertices == 0  ? DONE
              : at.from == IN_RESUMED ? first_of_grid(rules, at)
                                      : EXCHANGE;
}

/* Ends MARKS or PUSHES. Counting costs a barrier, so COUNTS comes next only if the direction may change. */
DEVICE void after_marks(const struct rules &rules, struct progress &at, const struct sums &sums)
{
    bool counted = at.kind == PUSHES;
    take_sums(at, sums, !counted);
    bool may_change = !stays_top_down(rules, at.left) && (uint64_t)at.slices * rules.count_share > rules.num_slices;
    at.swapped_marks = !at.swapped_marks;
    at.from = IN_MARKS;
    at.level++;
    at.kind = at.vertices == 0 ? DONE : may_change || suits_lists(rules, at) ? COUNTS : MARKS;
}

/* Ends COUNTS or BOTTOM_UP: chooses the direction, or listed levels if the frontier is small enough. */
DEVICE void after_counting(const struct rules &rules, struct progress &at, const struct sums &sums)
{
    take_sums(at, sums, false);
    at.from = IN_FRESH;
    at.kind = at.vertices == 0 ? DONE : EXCHANGE;
    if (at.vertices == 0 || suits_lists(rules, at))
        return;
    at.left -= min(at.left, at.slices);
    at.kind = goes_bottom_up(rules, at) ? BOTTOM_UP : PUSHES;
}

/* ---- the search ---- */

/* Updates the block's pointers and copies from its progress. */
DEVICE void update_view(any_block auto &block)
{
    const struct search &search = block.search;
    const struct progress &at = block.shared->at;
    block.round = at.round;
    block.epoch = at.epoch;
    block.level = at.level;
    block.visited = at.swapped_bitmaps ? search.next : search.now.visited;
    block.next = at.swapped_bitmaps ? search.now.visited : search.next;
    block.marked = at.swapped_marks ? search.now.marks[1] : search.now.marks[0];
    block.to_mark = at.swapped_marks ? search.now.marks[0] : search.now.marks[1];
    block.bulk = at.kind != COUNTS && at.kind != HIGH_DEGREE &&
                 at.slices > block.rules.bulk_slices >> block.rules.sum_shift >> (at.kind == MARKS ? BULK_GROWTH : 0);
}

DEVICE void turn_top_down(any_block auto &block, enum kind kind)
{
    const struct rules &rules = block.rules;
    go_top_down(block, {kind == PUSHES ? IN_FRESH : block.shared->at.from, kind != COUNTS});
    wait_for_all(block, [&](struct progress &at, const struct sums &sums) {
        if (at.kind == COUNTS)
            after_counting(rules, at, sums);
        else
            after_marks(rules, at, sums);
    });
    if (kind != COUNTS)
        trace_level(block, block.shared->at.level, kind);
}

DEVICE void turn_bottom_up(any_block auto &block)
{
    const struct rules &rules = block.rules;
    if (block.shared->at.left > rules.num_slices / WINDOW_SHARE)
        go_bottom_up<true>(block);
    else
        go_bottom_up<false>(block);
    wait_for_all(block, [&](struct progress &at, const struct sums &sums) {
        at.swapped_bitmaps = !at.swapped_bitmaps;
        at.level++;
        after_counting(rules, at, sums);
    });
    trace_level(block, block.shared->at.level, BOTTOM_UP);
}

/* Runs one turn of this kind, with the grid barrier at its end. */
DEVICE void take_turn(any_block auto &block, enum kind kind)
{
    const struct rules &rules = block.rules;
    if (kind == SINGLE_BLOCK) {
        if (blockIdx.x == 0)
            run_single_block(block, block.shared->at.vertices);
        wait_for_all(block, [&](struct progress &at, const struct sums &sums) { after_single_block(rules, at, sums); });
    } else if (kind == EXCHANGE) {
        run_exchange(block);
        if (block.shared->at.kind < DONE)
            wait_for_all(block, [](struct progress &, const struct sums &) {});
    } else if (kind == HIGH_DEGREE) {
        mark_high_degree(block);
        wait_for_all(block, [&](struct progress &at, const struct sums &) {
            at.swapped_marks = !at.swapped_marks;
            at.kind = first_of_grid(rules, at);
        });
        trace_level(block, block.shared->at.level, HIGH_DEGREE);
    } else if (kind == BOTTOM_UP) {
        turn_bottom_up(block);
    } else {
        turn_top_down(block, kind);
    }
}

/* Resets a set of arrays for a later search. words: the number of words of a bitmap, with padding. threads: the
 * calling threads. */
DEVICE void reset(const struct prepared_graph &graph, const struct arrays &arrays, uint32_t words, struct team threads)
{
    const uint32_t quads = (graph.num_vertices + 3) / 4;
    for (uint64_t word = threads.rank; word < words; word += threads.size) {
        arrays.visited[word] = word < graph.num_words ? __ldg(&graph.absent[word]) : UINT32_MAX;
        arrays.marks[0][word] = arrays.marks[1][word] = arrays.resumed[word] = 0;
    }
    for (uint64_t i = threads.rank; i < quads; i += threads.size)
        ((uint4 *)arrays.level)[i] = {UNREACHED, UNREACHED, UNREACHED, UNREACHED};
}

/* Resets the arrays of the first search. */
__global__ void reset_first(prepared_graph graph, arrays arrays, uint32_t words)
{
    reset(graph, arrays, words, grid_threads());
}

/* Resets the arrays of the next search. Block 0 takes part only if it is the only block. */
DEVICE void reset_later(const any_block auto &block)
{
    const uint32_t words = block.rules.words_a_block * gridDim.x, resting = gridDim.x > 1 ? blockDim.x : 0;
    const struct team all = grid_threads();
    if (all.rank >= resting)
        reset(block.graph, block.search.later, words, {all.rank - resting, all.size - resting});
}

/* Begins a search. vertex: the id of the source; NO_VERTEX if the source is isolated. No barrier follows: the arrays
 * are reset, and blocks other than 0 first use them after the barrier that ends block 0's first turn. Counters in
 * rotation are clear, too: barriers of the last search have cleared those of the first two rounds. */
DEVICE void initialise(any_block auto &block, vertex_t source, uint32_t vertex)
{
    if (is_first_thread() && vertex == NO_VERTEX)
        block.search.now.level[source] = 0;
    else if (is_first_thread())
        set_bit(block.search.now.visited, vertex);
    for (uint32_t i = threadIdx.x; i < block.rules.window_words / 4; i += blockDim.x)
        ((uint4 *)block.window)[i] = {0, 0, 0, 0};
    if (threadIdx.x == 0) {
        block.shared->vertices = block.shared->slices = block.shared->num_pieces = 0;
        block.shared->lists[0][0] = vertex;
        block.shared->at = {.kind = SINGLE_BLOCK,
                            .from = IN_LIST,
                            .round = __ldcg(&block.search.barrier->round),
                            .epoch = __ldcg(block.search.mailboxes.epoch),
                            .vertices = 1,
                            .left = block.rules.num_slices};
    }
    __syncthreads();
    if (threadIdx.x == 0 && vertex != NO_VERTEX && vertex / WARP_SIZE < block.rules.window_words)
        block.window[vertex / WARP_SIZE] = bit_of(vertex);
}

/* Writes the parents as input ids, indexed by input id, from search.parent, which has ids indexed by id. */
__global__ void gather_parents(prepared_graph graph, search search, vertex_t *parent, vertex_t source)
{
    for (uint64_t i = thread_of_grid(); i < graph.num_vertices; i += threads_of_grid()) {
        bool has_parent = i != source && search.now.level[i] != UNREACHED;
        vertex_t above = has_parent ? graph.input_of[search.parent[graph.id_of[i]]] : NO_VERTEX;
        parent[i] = i == source ? source : above;
    }
}

/* Runs one search and writes search.now.level and search.parent. If a wait takes too long, the kernel returns at
 * once, and check_waits (host_state.cuh) reports it. */
template <bool full, bool parents, bool profiled>
__global__ void __launch_bounds__(BLOCK_THREADS, 1)
    slices_kernel(prepared_graph graph, search search, struct rules rules, vertex_t source)
{
    struct shared *shared = block_shared<struct shared>();
    const uint32_t vertex = graph.id_of[source];
    uint32_t *fresh = (uint32_t *)(shared + 1), *window = fresh + (rules.words_a_block + 3) / 4 * 4;
    struct block<full, parents, profiled> block = {
        .graph = graph, .search = search, .rules = rules, .shared = shared, .fresh = fresh, .window = window
    };
    const uint64_t begin = nanoseconds();
    initialise(block, source, vertex);
    trace_level(block, 0, SINGLE_BLOCK);
    reset_later(block);
    if (vertex == NO_VERTEX)
        return;
    for (enum kind kind = SINGLE_BLOCK; kind < DONE; kind = shared->at.kind) {
        update_view(block);
        take_turn(block, kind);
    }
    if (is_first_thread() && shared->at.kind == DONE) {
        *search.elapsed_ns = nanoseconds() - begin;
        keep_round(search.barrier, shared->at.round);
        *search.mailboxes.epoch = shared->at.epoch;
    }
}

} // namespace BACKEND::slices
