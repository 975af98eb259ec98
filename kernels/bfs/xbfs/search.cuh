/* search.cuh: the search: one persistent kernel that runs all levels and makes all decisions. The paper's host
 * launches one kernel per step; here a grid barrier separates the steps. */
#pragma once

#include "bottom_up.cuh"
#include "top_down.cuh"

namespace BACKEND::xbfs
{

/* Section 4.3: how to make a top-down queue. edges: out-edges of the frontier; before: of the previous frontier. */
static __host__ __device__ __forceinline__ enum generation
choose(const struct rules &rules, const struct progress &at, uint64_t edges, uint64_t before)
{
    if (rules.queue != ADAPTIVE)
        return rules.queue;
    if (at.was_bottom_up)
        return NO_GENERATION;
    double lambda = (double)edges / (double)before;
    return (double)edges * lambda >= (double)rules.bottom_up_from ? SINGLE_SCAN : SCAN_FREE;
}

template <typename offset_t, enum balance balance>
__global__ void __launch_bounds__(MOST_THREADS, BLOCKS)
    xbfs_kernel(edges_of_graph<offset_t> graph, search<offset_t> search, struct rules rules)
{
    struct shared *shared = block_shared<struct shared>();
    struct progress at = {};
    uint64_t edges = __ldcg(&counts_of(search, 0)->edges), before = edges;
    if (search.trace != NULL && is_first_thread())
        search.trace[0].at = nanoseconds();
    for (at.level = 1; edges > 0; at.level++) {
        struct tally tally = {};
        struct counts *counts = counts_of(search, at.level);
        iteration<offset_t> now = {graph, search, rules, at, counts, &tally};
        enum generation generation = DOUBLE_SCAN;
        bool bottom_up = edges >= rules.bottom_up_from;
        if (is_first_thread())
            *counts_of(search, at.level + 1) = {};
        if (bottom_up) {
            if (!go_bottom_up<balance>(now, shared, &at))
                return;
        } else {
            generation = choose(rules, at, edges, before);
            if (!go_top_down(now, shared, generation))
                return;
            at.swapped_queues = !at.swapped_queues;
        }
        if (search.trace != NULL && is_first_thread())
            search.trace[at.level] = {nanoseconds(), (uint64_t)(bottom_up ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN),
                                      (uint64_t)generation, bottom_up ? __ldcg(&counts->checked) : edges,
                                      __ldcg(&counts->early)};
        at.was_bottom_up = bottom_up;
        before = edges;
        edges = __ldcg(&counts->edges);
    }
}

} // namespace BACKEND::xbfs
