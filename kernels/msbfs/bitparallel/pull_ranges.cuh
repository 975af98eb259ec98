/* pull_ranges.cuh: a level pulled range by range: first all neighbours in one range of rows, then those in the next,
 * so that the gathered rows stay in L2. */
#pragma once

#include "pull.cuh"

namespace BACKEND::bitparallel
{

#define RANGE_GATHERS     4u /* rows that a lane has in flight */
#define RANGE_PULL_BLOCKS 5  /* on a multiprocessor, with 48 registers a thread */

/* Finds the first edge of each row into each range but the first. */
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

/* Pulls the part of a level whose neighbours are in one range of rows. For the first range, a row is read
 * from the top plane; for the others, from the plane above, as the previous range left it. */
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
