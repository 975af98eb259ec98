/* tree.cuh: phase 1, the tree of smallest paths, on a graph without a cycle (otherwise see correct.cuh); and how the
 * vertices of a tree are listed.
 *
 * A vertex is expanded in the round after all edges into it from reached vertices have been followed. Then its own
 * path is known. It offers this path, with the child's position appended, to each child, which keeps the smallest
 * offer. An earlier sweep (REACH) finds the vertices that the source reaches and counts their edges.
 *
 * Offers. Threads contend for one word only: best[v], the parent and position of the smallest offer so far, or
 * NO_OFFER. A warp that follows an edge into v may replace best[v] by compare-and-swap, and only by an offer that it
 * has compared with the offer in best[v]. So best[v] only decreases, no value comes back (no ABA), and the smallest
 * of all offers remains, whatever their order. A warp whose compare-and-swap fails compares with the winner; some
 * warp has made progress. The paths behind these offers belong to vertices expanded in this round or earlier, and
 * were written before the barrier that precedes the round's offers. best[v] is read as final after the barrier that
 * ends the round of the last offer. */
#pragma once

#include "paths.cuh"

namespace BACKEND::nvg
{

DEVICE struct offer offer_of(const struct search &search, uint64_t best)
{
    return {path_of(search, (vertex_t)(best >> 32)), (uint32_t)best};
}

/* Stores the path of a frontier vertex, which its best offer describes. The whole warp calls it. A vertex without
 * children needs a path only on a graph with a cycle, where later offers are compared with it. */
template <typename offset_t>
DEVICE void accept(const csr<offset_t> &graph, const struct search &search, vertex_t vertex)
{
    uint64_t best = __ldcg(&search.best[vertex]);
    vertex_t parent = (vertex_t)(best >> 32);
    offset_t degree = graph.offsets[vertex + 1] - graph.offsets[vertex];
    struct path path = {0, 0, width_of(degree)};
    bool needs_path = degree > 0 || search.changed[0] != NULL;
    if (parent != vertex && needs_path) {
        struct offer offer = offer_of(search, best);
        path.start = offer.path.start;
        path.bits = offer.path.bits + offer.path.width;
        if (offer.path.width > 0) {
            uint64_t words = words_of(offer), start = 0;
            if (lane_id() == 0)
                start = atomicAdd(&search.progress->pool_used, words);
            path.start = __shfl_sync(WHOLE_WARP, start, 0);
            if (path.start + words > search.pool_words) {
                __stcg(&search.progress->exhausted, 1u);
                return;
            }
            for (uint64_t i = lane_id(); i < words; i += WARP_SIZE)
                __stcg(&search.pool[path.start + i], word_of(search, offer, i));
        }
    }
    if (lane_id() == 0) {
        __stcg(&search.accepted[vertex].start, path.start);
        __stcg(&search.accepted[vertex].bits, path.bits);
        __stcg(&search.accepted[vertex].width, path.width);
        __stcg(&search.parent[vertex], parent);
    }
}

/* Offers each lane's child the path of `parent` with the lane's position appended. A lane whose child is NO_VERTEX
 * makes no offer. Returns whether the child had no offer before. All lanes call it with the same parent. */
DEVICE bool make_offers(const struct search &search, vertex_t parent, const struct path &path, uint32_t position,
                        vertex_t child)
{
    uint64_t mine = (uint64_t)parent << 32 | position, rival = NO_OFFER;
    uint64_t *best = &search.best[child];
    bool has = child != NO_VERTEX;
    if (has)
        rival = atomicCAS(best, NO_OFFER, mine);
    bool first = has && rival == NO_OFFER, disputed = has && !first;
    while (__any_sync(WHOLE_WARP, disputed)) {
        int result = 0;
        if (disputed)
            result = compare_heads(search, {path, position}, offer_of(search, rival), HEAD_WORDS);
        for (unsigned open = __ballot_sync(WHOLE_WARP, disputed && result == 0); open != 0; open &= open - 1) {
            int owner = __ffs((int)open) - 1;
            struct offer a = {path, __shfl_sync(WHOLE_WARP, position, owner)};
            struct offer b = offer_of(search, __shfl_sync(WHOLE_WARP, rival, owner));
            int found = compare_tails(search, a, b);
            if ((int)lane_id() == owner)
                result = found;
        }
        if (disputed && result < 0) {
            uint64_t now = atomicCAS(best, rival, mine);
            disputed = now != rival;
            rival = now;
        } else {
            disputed = false;
        }
    }
    return first;
}

/* Returns whether the lane's child has no path yet, or one larger than the offer; false without a child. All lanes
 * call it with the same path. Each lane compares up to LONG_HEAD words, the warp the rest: most edges of a vertex
 * lead to vertices whose paths share a long prefix with its own. */
DEVICE bool is_smaller(const struct search &search, const struct path &path, uint32_t position, vertex_t child)
{
    bool has = child != NO_VERTEX, open = false;
    int result = has ? -1 : 1;
    if (has && __ldcg(&search.parent[child]) != NO_VERTEX) {
        struct offer offer = {path, position}, own = own_path(search, child);
        uint64_t words = min(words_of(offer), words_of(own));
        result = compare_heads(search, offer, own, min(words, (uint64_t)LONG_HEAD));
        open = result == 0 && words > LONG_HEAD;
    }
    for (unsigned left = __ballot_sync(WHOLE_WARP, open); left != 0; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        struct offer offer = {path, __shfl_sync(WHOLE_WARP, position, owner)};
        int found = compare_tails(search, offer, own_path(search, __shfl_sync(WHOLE_WARP, child, owner)));
        if ((int)lane_id() == owner)
            result = found;
    }
    return result < 0;
}

/* Handles each lane's edge as the phase says. Returns whether its target belongs in the next frontier. */
DEVICE bool follow(const struct search &search, enum phase phase, vertex_t parent, const struct path &path,
                   uint32_t position, vertex_t child)
{
    if (phase == REACH)
        return child != NO_VERTEX && atomicAdd(&search.waiting[child], 1u) == 0;
    if (phase == LIST)
        return child != NO_VERTEX && child != parent && search.parent[child] == parent;
    if (phase == OFFER_SMALLER && !is_smaller(search, path, position, child))
        child = NO_VERTEX;
    bool first = make_offers(search, parent, path, position, child);
    return phase == OFFER_SMALLER ? first : child != NO_VERTEX && atomicSub(&search.waiting[child], 1u) == 1;
}

/* Returns the number of warps that share a vertex of the frontier: the largest power of two, at least 1, for which
 * all vertices are handled at once. */
DEVICE uint32_t warps_per_vertex(uint32_t num_warps, uint32_t size)
{
    uint32_t share = num_warps / size;
    return share > 1 ? 1u << (31 - __clz((int)share)) : 1;
}

/* Follows all edges out of a frontier. Writes the next frontier and counts its vertices. The edges of a vertex are
 * divided first among its warps and then among their lanes. Warps compare long paths in parallel, the lanes of a warp
 * one after another. */
template <typename offset_t>
DEVICE void expand(const csr<offset_t> &graph, const struct search &search, enum phase phase, struct team team,
                   struct frontier frontier, vertex_t *next_frontier, uint32_t *count)
{
    uint32_t share = warps_per_vertex(team.size, frontier.size);
    for (uint64_t i = team.rank / share; i < frontier.size; i += team.size / share) {
        vertex_t u = __ldcg(&frontier.vertices[i]);
        offset_t first = graph.offsets[u], degree = graph.offsets[u + 1] - first;
        struct path path = {0, 0, 0};
        if (phase == OFFER_READY || phase == OFFER_SMALLER)
            path = path_of(search, u);
        for (uint64_t base = team.rank % share; base < degree; base += (uint64_t)share * WARP_SIZE) {
            uint64_t position = base + (uint64_t)share * lane_id();
            vertex_t child = position < degree ? graph.targets[first + (offset_t)position] : NO_VERTEX;
            bool next = follow(search, phase, u, path, (uint32_t)position, child);
            warp_append(count, {next}, [&](unsigned, uint32_t place) { __stcg(&next_frontier[place], child); });
        }
    }
}

/* Runs all rounds. The first frontier is the source. */
template <typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS)
    nvg_rounds_kernel(csr<offset_t> graph, struct search search, enum phase phase)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_warps();
    struct progress *progress = search.progress;
    vertex_t *frontier = search.frontier;
    uint32_t size = progress->exhausted ? 0 : 1, round = 0;
    for (; size > 0; round++) {
        uint32_t *count = count_of(progress->counts, round);
        if (phase == OFFER_READY) {
            for (uint64_t i = team.rank; i < size; i += team.size)
                accept(graph, search, __ldcg(&frontier[i]));
            if (grid_wait(search.barrier, &progress->exhausted, &shared->broadcast) != 0)
                return;
        }
        expand(graph, search, phase, team, {frontier, size}, frontier + size, count);
        if (is_first_thread())
            *count_of(progress->counts, round + 1) = 0;
        if (is_first_thread() && phase != REACH)
            __stcg(&search.round_begin[round], (uint32_t)(frontier - search.frontier));
        frontier += size;
        size = grid_wait(search.barrier, count, &shared->broadcast);
        if (size == UINT32_MAX)
            return;
    }
    if (is_first_thread() && phase != REACH && round > 0) {
        __stcg(&search.round_begin[round], (uint32_t)(frontier - search.frontier));
        progress->num_rounds = round;
        progress->num_reached = (uint32_t)(frontier - search.frontier);
    }
}

} // namespace BACKEND::nvg
