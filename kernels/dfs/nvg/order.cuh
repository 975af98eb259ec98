/* order.cuh: phases 2 and 3, from the tree to pre-order and post-order. */
#pragma once

#include "state.cuh"

namespace BACKEND::nvg
{

/* Phase 2: counts the descendants of each vertex. The children of a vertex come in later rounds than the vertex, so
 * its count is complete when the loop reaches its own round. Returns false if a barrier timed out. */
DEVICE bool add_sizes(const struct search &search, struct shared *shared, uint32_t num_rounds, uint32_t thread,
                      uint32_t num_threads)
{
    for (uint32_t round = num_rounds; round-- > 0;) {
        uint32_t end = __ldcg(&search.round_begin[round + 1]);
        for (uint64_t i = (uint64_t)__ldcg(&search.round_begin[round]) + thread; i < end && round > 0;
             i += num_threads) {
            vertex_t v = __ldcg(&search.frontier[i]);
            atomicAdd(&search.below[search.parent[v]], __ldcg(&search.below[v]) + 1);
        }
        if (grid_wait(search.barrier, &search.progress->num_rounds, &shared->broadcast) == UINT32_MAX)
            return false;
    }
    return true;
}

/* For each child of a vertex, sums the sizes of the subtrees of earlier siblings, in the order of the adjacency list.
 * The whole warp calls it. */
template <typename offset_t>
DEVICE void sum_siblings(const csr<offset_t> &graph, const struct search &search, vertex_t vertex)
{
    uint32_t sum = 0;
    offset_t end = graph.offsets[vertex + 1];
    for (offset_t base = graph.offsets[vertex]; base < end; base += WARP_SIZE) {
        vertex_t child = base + lane_id() < end ? graph.targets[base + lane_id()] : NO_VERTEX;
        bool in_tree = child != NO_VERTEX && search.parent[child] == vertex;
        uint32_t size = in_tree ? __ldcg(&search.below[child]) + 1 : 0, upto = warp_inclusive_sum(size);
        if (in_tree)
            __stcg(&search.before[child], sum + upto - size);
        sum += __shfl_sync(WHOLE_WARP, upto, (int)WARP_SIZE - 1);
    }
}

/* Phase 3: computes the pre-order and post-order number of each vertex. Before the search enters a vertex, it has
 * entered the finished vertices and the vertex's ancestors, which are still open. The pre-order number is the sum of
 * these two counts. Returns false if a barrier timed out. */
DEVICE bool place(const struct search &search, struct shared *shared, uint32_t num_rounds, uint32_t thread,
                  uint32_t num_threads)
{
    for (uint32_t round = 0; round < num_rounds; round++) {
        uint32_t end = __ldcg(&search.round_begin[round + 1]);
        for (uint64_t i = (uint64_t)__ldcg(&search.round_begin[round]) + thread; i < end; i += num_threads) {
            vertex_t v = __ldcg(&search.frontier[i]), parent = search.parent[v];
            uint32_t before = 0, depth = 0;
            if (parent != v) {
                before = __ldcg(&search.before[v]) + __ldcg(&search.before[parent]);
                depth = __ldcg(&search.depth[parent]) + 1;
            }
            __stcg(&search.before[v], before);
            __stcg(&search.depth[v], depth);
            search.order[before + depth] = v;
            search.finish[before + __ldcg(&search.below[v])] = v;
        }
        if (grid_wait(search.barrier, &search.progress->num_rounds, &shared->broadcast) == UINT32_MAX)
            return false;
    }
    return true;
}

/* Phases 2 and 3. */
template <typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS) nvg_order_kernel(csr<offset_t> graph, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_warps();
    uint32_t thread = team.rank * WARP_SIZE + lane_id(), num_threads = team.size * WARP_SIZE;
    uint32_t num_rounds = search.progress->num_rounds; /* num_rounds is 0 if phase 1 was aborted */
    if (num_rounds == 0 || !add_sizes(search, shared, num_rounds, thread, num_threads))
        return;
    for (uint64_t i = team.rank; i < search.progress->num_reached; i += team.size)
        sum_siblings(graph, search, __ldcg(&search.frontier[i]));
    if (grid_wait(search.barrier, &search.progress->num_rounds, &shared->broadcast) != UINT32_MAX)
        place(search, shared, num_rounds, thread, num_threads);
}

} // namespace BACKEND::nvg
