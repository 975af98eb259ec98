/* correct.cuh: phase 1 on a graph with a cycle: paths are corrected until none gets smaller.
 *
 * There, waiting for all arcs into a vertex would never end. Instead, a vertex is expanded again whenever it gets a
 * smaller path: like the distances of Bellman and Ford, but with paths in lexicographic order. In a round every
 * vertex whose path has changed makes offers; a target that gets an offer smaller than its own path keeps the
 * smallest, and is expanded in the next round.
 *
 * The result is that of the serial depth-first search:
 *
 * - A path that is accepted visits no vertex twice. If it came back to x, then x had the first part of it before,
 *   and has kept it or a smaller one; the longer path begins with that first part, so it is not smaller. (Strings
 *   that agree up to the end of the shorter one compare as equal, so the offer is refused.)
 * - The depth-first search reaches v by the smallest of all paths that visit no vertex twice. For take the first
 *   vertex of that path, x, and the first of its neighbours from which v can still be reached without the vertices
 *   before it: the search enters that neighbour while v is not visited, and leaves it only after v.
 * - So the path of v is that of its parent in the tree and one more position, and no accepted path is smaller. The
 *   source has its final path at the start; if the parent of v has it at the start of a round, v has it at the end.
 *   So there are at most as many rounds as the tree is deep, and one more in which no path changes.
 *
 * Paths do not change while they are compared: a round has three parts, with a barrier after each. Offers: only
 * best[v] changes (tree.cuh has the argument), and every offer in it is of this round, for commit clears it. Accept:
 * the new paths are written to `accepted` and to new words of the pool. Commit: they become the vertices' paths.
 * Words of older paths are not used again, which takes memory: the method fails where the pool is too small. */
#pragma once

#include "tree.cuh"

namespace BACKEND::nvg
{

/* Makes the path that a vertex has accepted its path. Called by one lane. */
static __device__ __forceinline__ void commit(const struct search &search, vertex_t vertex)
{
    const struct path *path = &search.accepted[vertex];
    __stcg(&search.paths[vertex].start, __ldcg(&path->start));
    __stcg(&search.paths[vertex].bits, __ldcg(&path->bits));
    __stcg(&search.paths[vertex].width, __ldcg(&path->width));
    __stcg(&search.best[vertex], NO_OFFER);
}

/* All rounds, from the source, which is the first frontier. */
template <typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS) nvg_correct_kernel(csr<offset_t> graph, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_warps();
    struct progress *progress = search.progress;
    uint32_t thread = team.rank * WARP_SIZE + lane_id(), num_threads = team.size * WARP_SIZE;
    struct frontier frontier = {search.frontier, 1};
    for (uint32_t round = 0; frontier.size > 0; round++) {
        uint32_t *count = count_of(progress->counts, round);
        for (uint64_t i = team.rank; i < frontier.size; i += team.size)
            accept(graph, search, __ldcg(&frontier.vertices[i]));
        if (grid_wait(search.barrier, &progress->exhausted, &shared->broadcast) != 0)
            return;
        for (uint64_t i = thread; i < frontier.size; i += num_threads)
            commit(search, __ldcg(&frontier.vertices[i]));
        if (is_first_thread())
            *count_of(progress->counts, round + 1) = 0;
        if (grid_wait(search.barrier, &progress->exhausted, &shared->broadcast) != 0)
            return;
        vertex_t *next = search.changed[round % 2];
        expand(graph, search, OFFER_SMALLER, team, frontier, next, count);
        frontier = {next, grid_wait(search.barrier, count, &shared->broadcast)};
        if (frontier.size == UINT32_MAX)
            return;
    }
}

} // namespace BACKEND::nvg
