/* correct.cuh: phase 1 on a graph with a cycle: paths are corrected until none gets smaller.
 *
 * In such a graph, waiting for all edges into a vertex would never end. Instead, a vertex is expanded again whenever
 * it gets a smaller path, as in Bellman and Ford's algorithm, but with paths in lexicographic order. In a round every
 * vertex whose path has changed makes offers. A target that gets an offer smaller than its own path keeps the
 * smallest offer, and is expanded in the next round.
 *
 * The result is the tree of the serial depth-first search:
 *
 * - An accepted path visits no vertex twice. If it came back to x, then x already had the first part of the path, or
 *   a smaller path. The longer path begins with that first part, so it is not smaller, and x refuses it. (Strings
 *   that agree up to the end of the shorter one compare as equal.)
 * - The depth-first search reaches v by the smallest of all paths that visit no vertex twice. Proof: let x be the
 *   first vertex of that path, and y the first neighbour of x from which v can be reached without vertices before y.
 *   The search enters y while v is not visited, and leaves y only after v.
 * - So the path of v is the path of its parent in the tree and one more position, and no accepted path is smaller.
 *   The source has its final path at the start. If the parent of v has its final path at the start of a round, v has
 *   it at the end. So there are at most as many rounds as the tree is deep, and one more in which no path changes.
 *
 * Paths do not change while they are compared: a round has three parts, with a barrier after each. Offers: only
 * best[v] changes (tree.cuh has the argument); all offers in it are of this round, since commit() clears it. Accept:
 * the new paths are written to `accepted` and to new words of the pool. Commit: they become the vertices' paths.
 * Words of old paths are not reused, so the method fails if the pool is too small.
 *
 * There may be as many rounds as vertices. So the host launches the kernel again and again, and handles Ctrl-C in
 * between. A launch ends after the first round whose commits end more than launch_ns after the launch began. One
 * thread reads the clock before the barrier that ends the commits, and the barrier makes its answer visible to all,
 * so all blocks stop together. The counts and frontiers that the next launch needs are in device memory. */
#pragma once

#include "tree.cuh"

namespace BACKEND::nvg
{

/* Replaces a vertex's current path by the path that it has accepted. Called by one lane. */
DEVICE void commit(const struct search &search, vertex_t vertex)
{
    const struct path *path = &search.accepted[vertex];
    __stcg(&search.paths[vertex].start, __ldcg(&path->start));
    __stcg(&search.paths[vertex].bits, __ldcg(&path->bits));
    __stcg(&search.paths[vertex].width, __ldcg(&path->width));
    __stcg(&search.best[vertex], NO_OFFER);
}

/* Runs rounds, starting with progress->next_round, until no path changes or the time is over. */
template <typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS)
    nvg_correct_kernel(csr<offset_t> graph, struct search search, uint64_t launch_ns)
{
    uint64_t began = nanoseconds();
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_warps();
    struct progress *progress = search.progress;
    uint32_t thread = team.rank * WARP_SIZE + lane_id(), num_threads = team.size * WARP_SIZE;
    uint32_t round = __ldcg(&progress->next_round), size = __ldcg(&progress->size);
    for (bool last = false; size > 0 && !last; round++) {
        struct frontier frontier = {search.changed[(round + 1) % 2], size};
        uint32_t *count = count_of(progress->counts, round);
        for (uint64_t i = team.rank; i < frontier.size; i += team.size)
            accept(graph, search, __ldcg(&frontier.vertices[i]));
        if (grid_wait(search.barrier, &progress->exhausted, &shared->broadcast) != 0)
            return;
        for (uint64_t i = thread; i < frontier.size; i += num_threads)
            commit(search, __ldcg(&frontier.vertices[i]));
        if (is_first_thread()) {
            *count_of(progress->counts, round + 1) = 0;
            __stcg(&progress->paused, nanoseconds() - began >= launch_ns ? 1u : 0u);
        }
        uint32_t paused = grid_wait(search.barrier, &progress->paused, &shared->broadcast);
        if (paused == UINT32_MAX)
            return;
        expand(graph, search, OFFER_SMALLER, team, frontier, search.changed[round % 2], count);
        size = grid_wait(search.barrier, count, &shared->broadcast);
        if (size == UINT32_MAX)
            return;
        last = paused != 0;
    }
    if (is_first_thread()) {
        progress->next_round = round;
        progress->size = size;
    }
}

} // namespace BACKEND::nvg
