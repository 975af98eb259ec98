/* pull.cuh: a level pulled at once, by classes of degree.
 *
 * One warp owns a row and alone writes its words in the next plane. The warps of a high-degree vertex combine their
 * parts in high_degree_found by atomic OR. The last of them to arrive writes the row and clears high_degree_found and
 * high_degree_arrived. high_degree_arrived tells which warp is last; the argument is that of `arrived` in
 * schedule.cuh. */
#pragma once

#include "puller.cuh"

namespace BACKEND::bitparallel
{

#define GATHERS          8u    /* rows that a lane has in flight */
#define HIGH_DEGREE_PART 1024u /* edges */
#define PULL_THREADS     256u
#define PULL_BLOCKS      4 /* on a multiprocessor, with 64 registers a thread */

/* The warp gathers the rows of the neighbours edge .. end - 1 until no bit is missing. Returns the row to
 * all lanes: lanes that share the same words get the same bits. */
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

/* Gathers one part of a high-degree vertex's neighbours. The warp that finishes the high-degree vertex's last part
   settles it. */
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
    for (unsigned w = 0; w < words; w++) /* no need to look for bits that other parts have found */
        row.word[w] |= __ldcg(&found[w]);
    row = gather_by_warp<filtered>(*puller, graph.in.targets, vertex, from,
                                   end - from < HIGH_DEGREE_PART ? end : (offset_t)(from + HIGH_DEGREE_PART), row);
#pragma unroll
    for (unsigned w = 0; w < words; w++)
        if (owns && (row.word[w] & ~was.word[w]) != 0)
            atomicOr(&found[w], row.word[w] & ~was.word[w]);
    uint32_t arrived = 0;
    __threadfence();
    __syncwarp();
    if (lane_id() == 0)
        arrived = atomicAdd(&search.high_degree_arrived[vertex], 1u) + 1;
    arrived = __shfl_sync(WHOLE_WARP, arrived, 0);
    if (arrived < parts || !owns)
        return;
    __threadfence();
#pragma unroll
    for (unsigned w = 0; w < words; w++) {
        row.word[w] = __ldcg(&found[w]);
        __stcg(&found[w], 0u);
    }
    puller->settle(vertex, was, row);
    if (lane_id() == 0)
        __stcg(&search.high_degree_arrived[vertex], 0u);
}

/* Pulls one row by the whole warp. */
template <bool filtered, unsigned num_words, typename offset_t>
DEVICE void pull_medium(const struct relabelled_graph<offset_t> &graph, struct puller<num_words> *puller,
                        vertex_t row)
{
    struct bits<shape<num_words>::words> was, now;
    load_bits(&puller->seen[(size_t)row * num_words], &was);
    now = gather_by_warp<filtered>(*puller, graph.in.targets, row, graph.in.offsets[row],
                                   graph.in.offsets[(size_t)row + 1], was);
    if (lane_id() < shape<num_words>::lanes)
        puller->settle(row, was, now);
}

/* Pulls one row by its own lanes. The other lanes of the warp need not call. */
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

/* Pulls a level from the top plane into the one above. */
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

} // namespace BACKEND::bitparallel
