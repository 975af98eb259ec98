/* pull.cuh: pulls of a whole level, by classes of degree; and pulls by ranges, which process all neighbours in one
 * range of rows before those in the next, so that the gathered rows stay in L2.
 *
 * A pull gives the row of a vertex the bits of its in-neighbours' rows, until the row has all bits of alive searches.
 * A search is alive if it found something in the last level. The test is "the neighbour's bit is in the last plane",
 * and the last plane is complete when the level begins. A new bit always comes from a neighbour of the last level;
 * otherwise it would have been set earlier. When a pull finds little, its bits are collected into the list and levels
 * are sparse again.
 *
 * Rows are sorted by descending degree: a warp takes HIGH_DEGREE_PART edges of a high-degree vertex, or a row of
 * medium degree; one or two lanes take a smaller row, and each lane loads GATHERS rows together. The first pull of a
 * scale-free graph tests a bitmap of non-empty rows before it reads a row. Heavy pulls go range by range if the rows
 * do not fit into L2 and degrees are even. Loads of data that is read once are marked as streaming, so that it does
 * not displace rows in L2.
 *
 * One warp owns a row and alone writes its words in the next plane. The warps of a high-degree vertex combine their
 * parts in high_degree_found by atomic OR. The last of them to arrive writes the row and clears high_degree_found and
 * high_degree_arrived. high_degree_arrived tells which warp is last, as schedule.cuh proves for `arrived`. */
#pragma once

#include "puller.cuh"

namespace BACKEND::bitparallel
{

#define GATHERS          8u    /* rows that a lane loads together */
#define HIGH_DEGREE_PART 1024u /* edges in a part of a high-degree vertex */
#define PULL_THREADS     256u
#define PULL_BLOCKS      4 /* blocks per multiprocessor, with 64 registers per thread */

/* The warp gathers the rows of the neighbours at edges edge .. end - 1 until no bit is missing. Returns the row's
 * bits to all lanes: lanes with the same words of the row get the same bits. */
template <bool filtered, unsigned num_words, typename offset_t>
DEVICE struct bits<shape<num_words>::words> gather_by_warp(const struct puller<num_words> &puller,
                                                           const vertex_t *targets, vertex_t own, offset_t edge,
                                                           offset_t end, struct bits<shape<num_words>::words> row) {
    constexpr unsigned lanes = shape<num_words>::lanes, rows = shape<num_words>::rows;
    while (edge < end && __any_sync(WHOLE_WARP, puller.missing(row) != 0)) {
        vertex_t neighbours[GATHERS];
#pragma unroll
        for (unsigned i = 0; i < GATHERS; i++) {
            offset_t place = edge + i * rows + lane_id() / lanes;
            neighbours[i] = place < end ? __ldg(&targets[place]) : own;
        }
        puller.template gather<filtered>(neighbours, &row);
#pragma unroll
        for (unsigned w = 0; w < puller.words; w++)
#pragma unroll
            for (unsigned step = lanes; step < WARP_SIZE; step *= 2)
                row.word[w] |= __shfl_xor_sync(WHOLE_WARP, row.word[w], (int)step);
        edge += GATHERS * rows;
    }
    return row;
}

/* Gathers one part of a high-degree vertex's neighbours. The warp that finishes last completes the vertex. */
template <bool filtered, unsigned num_words, typename offset_t>
DEVICE void pull_high_degree_part(const struct relabelled_graph<offset_t> &graph, const struct search &search,
                                  struct puller<num_words> *puller, uint2 part)
{
    constexpr unsigned words = shape<num_words>::words;
    const vertex_t vertex = part.x;
    const bool owns = lane_id() < shape<num_words>::lanes;
    offset_t begin = graph.in.offsets[vertex], end = graph.in.offsets[(size_t)vertex + 1];
    uint32_t parts = (uint32_t)((end - begin + HIGH_DEGREE_PART - 1) / HIGH_DEGREE_PART);
    offset_t from = begin + (offset_t)part.y * HIGH_DEGREE_PART;
    uint32_t *found =
        &search.high_degree_found[(size_t)vertex * num_words + lane_id() % shape<num_words>::lanes * words];
    struct bits<words> was, row;
    load_bits(&puller->seen[(size_t)vertex * num_words], &was);
    row = was;
#pragma unroll
    for (unsigned w = 0; w < words; w++) /* bits that other parts have found need not be found again */
        row.word[w] |= __ldcg(&found[w]);
    row = gather_by_warp<filtered>(*puller, graph.in.targets, vertex, from,
                                   end - from < HIGH_DEGREE_PART ? end : (offset_t)(from + HIGH_DEGREE_PART), row);
#pragma unroll
    for (unsigned w = 0; w < words; w++)
        if (owns && (row.word[w] & ~was.word[w]) != 0)
            atomicOr(&found[w], row.word[w] & ~was.word[w]);
    uint32_t arrived = 0;
    __syncwarp();
    __threadfence();
    if (lane_id() == 0)
        arrived = atomicAdd(&search.high_degree_arrived[vertex], 1u) + 1;
    arrived = __shfl_sync(WHOLE_WARP, arrived, 0);
    if (arrived < parts)
        return;
    __threadfence();
    __syncwarp(); /* shuffles do not order memory: lane 0's atomic and fence come before the loads of all lanes */
    if (!owns)
        return;
#pragma unroll
    for (unsigned w = 0; w < words; w++) {
        row.word[w] = __ldcg(&found[w]);
        __stcg(&found[w], 0u);
    }
    puller->settle(vertex, was, row);
    if (lane_id() == 0)
        __stcg(&search.high_degree_arrived[vertex], 0u);
}

/* Pulls one row with the whole warp. */
template <bool filtered, unsigned num_words, typename offset_t>
DEVICE void pull_medium(const struct relabelled_graph<offset_t> &graph, struct puller<num_words> *puller, vertex_t row)
{
    struct bits<shape<num_words>::words> was, now;
    load_bits(&puller->seen[(size_t)row * num_words], &was);
    now = gather_by_warp<filtered>(*puller, graph.in.targets, row, graph.in.offsets[row],
                                   graph.in.offsets[(size_t)row + 1], was);
    if (lane_id() < shape<num_words>::lanes)
        puller->settle(row, was, now);
}

/* Pulls one row with its own lanes. The other lanes of the warp need not call it. */
template <bool filtered, unsigned num_words, typename offset_t>
DEVICE void pull_small(const struct relabelled_graph<offset_t> &graph, struct puller<num_words> *puller, vertex_t row)
{
    struct bits<shape<num_words>::words> was, now;
    load_bits(&puller->seen[(size_t)row * num_words], &was);
    now = was;
    offset_t edge = graph.in.offsets[row], end = graph.in.offsets[(size_t)row + 1];
    for (; edge < end && puller->missing(now) != 0; edge += GATHERS) {
        uint4 one = __ldg((const uint4 *)&graph.in.targets[edge]), two = {row, row, row, row};
        if (end - edge > LIST_ALIGNMENT)
            two = __ldg((const uint4 *)&graph.in.targets[(offset_t)(edge + LIST_ALIGNMENT)]);
        const vertex_t neighbours[GATHERS] = {one.x, one.y, one.z, one.w, two.x, two.y, two.z, two.w};
        puller->template gather<filtered>(neighbours, &now);
    }
    puller->settle(row, was, now);
}
static_assert(GATHERS == 2 * LIST_ALIGNMENT, "two times 16 bytes");

/* Pulls a level: reads the top plane and writes the next plane. */
template <unsigned num_words, typename offset_t, bool filtered>
__global__ void __launch_bounds__(PULL_THREADS, PULL_BLOCKS)
    pull_kernel(struct relabelled_graph<offset_t> graph, struct search search, struct rules rules)
{
    struct pull_shared *shared = block_shared<struct pull_shared>();
    struct puller<num_words> puller;
    if (!begin_pull(search, rules, filtered ? MODE_FILTERED : MODE_PULL, shared, &puller))
        return;
    const uint64_t medium = graph.num_high_degree_parts, small = medium + graph.num_not_small - graph.num_high_degree;
    const uint64_t end =
        small + (graph.num_rows - graph.num_not_small + shape<num_words>::rows - 1) / shape<num_words>::rows;
    const struct team team = spread_warps();
    for (uint64_t i = team.rank; i < end; i += team.size) {
        if (i < medium) {
            pull_high_degree_part<filtered>(graph, search, &puller, __ldg(&graph.high_degree_parts[i]));
        } else if (i < small) {
            pull_medium<filtered>(graph, &puller, (vertex_t)(graph.num_high_degree + (i - medium)));
        } else {
            uint64_t row =
                graph.num_not_small + (i - small) * shape<num_words>::rows + lane_id() / shape<num_words>::lanes;
            if (row < graph.num_rows)
                pull_small<filtered>(graph, &puller, (vertex_t)row);
        }
        __syncwarp();
    }
    if (end_pull(search, shared, puller) && threadIdx.x == 0)
        close_pull(search, rules, graph.num_rows, filtered ? STEP_FILTERED : STEP_PULL);
}

/* ---- range by range ---- */

#define RANGE_GATHERS     4u /* rows that a lane loads together */
#define RANGE_PULL_BLOCKS 5  /* blocks per multiprocessor, with 48 registers per thread */

/* Sets `splits` to the first edge of each row into each range except the first. */
template <typename offset_t>
__global__ void split_rows(csr<offset_t> in, uint32_t num_ranges, vertex_t rows_per_range, offset_t *splits)
{
    for (uint64_t row = thread_of_grid(); row < in.num_vertices; row += threads_of_grid()) {
        offset_t edge = in.offsets[row], end = in.offsets[row + 1];
        for (uint32_t range = 1; range < num_ranges; range++) {
            while (edge < end && in.targets[edge] < (uint64_t)range * rows_per_range)
                edge++;
            splits[(size_t)(range - 1) * in.num_vertices + row] = edge;
        }
    }
}

/* Pulls the part of a level whose neighbours are in one range of rows. For the first range, rows are read from the
 * top plane; for the others, from the next plane, as the previous range left it. */
template <unsigned num_words, typename offset_t>
__global__ void __launch_bounds__(PULL_THREADS, RANGE_PULL_BLOCKS)
    pull_range_kernel(struct relabelled_graph<offset_t> graph, struct search search, struct rules rules)
{
    constexpr unsigned words = shape<num_words>::words;
    struct pull_shared *shared = block_shared<struct pull_shared>();
    struct puller<num_words> puller;
    if (!begin_pull(search, rules, MODE_RANGE, shared, &puller))
        return;
    const uint32_t range = shared->words.control.range;
    const bool first = range == 0, last = range + 1 == rules.num_ranges;
    const offset_t *begins = first ? graph.in.offsets : graph.splits + (size_t)(range - 1) * graph.num_rows;
    const offset_t *ends = last ? graph.in.offsets + 1 : graph.splits + (size_t)range * graph.num_rows;
    const struct team team = spread_warps();
    for (uint64_t base = (uint64_t)team.rank * shape<num_words>::rows; base < graph.num_rows;
         base += team.size * shape<num_words>::rows) {
        uint64_t row = base + lane_id() / shape<num_words>::lanes;
        if (row >= graph.num_rows)
            continue;
        offset_t edge = __ldcs(&begins[row]), end = __ldcs(&ends[row]);
        struct bits<words> was, now;
        load_bits<true>(&(first ? puller.seen : puller.next)[row * num_words], &was);
        now = was;
        for (; edge < end && puller.missing(now) != 0; edge += RANGE_GATHERS) {
            vertex_t neighbours[RANGE_GATHERS];
#pragma unroll
            for (unsigned i = 0; i < RANGE_GATHERS; i++)
                neighbours[i] = __ldcs(&graph.in.targets[min((offset_t)(edge + i), (offset_t)(end - 1))]);
            puller.template gather<false>(neighbours, &now);
        }
        now = puller.merge(was, now);
        uint32_t changed = first;
#pragma unroll
        for (unsigned w = 0; w < words; w++)
            changed |= now.word[w] ^ was.word[w];
        if (changed)
            store_bits<true>(&puller.next[row * num_words], now);
        puller.tally(was, now);
        puller.remaining += last && puller.missing(now) != 0;
    }
    if (!end_pull(search, shared, puller) || threadIdx.x != 0)
        return;
    if (last) {
        close_pull(search, rules, graph.num_rows, STEP_RANGE);
    } else {
        search.control->range++;
        search.control->arrived = 0;
        note_step(search, search.control, STEP_RANGE);
    }
}

} // namespace BACKEND::bitparallel
