/* coalesced.cuh: the schemes ibfs-coalesced (section 4.3.3) and ibfs-bottomup (4.3.3.1). A lane has one instance. */
#pragma once

#include "search.cuh"

namespace BACKEND::ibfs
{

#define UNROLL 4u /* vertices, or edges, that a lane loads together */

/* Identifies the frontier of all instances. A warp takes chunks of up to 32 vertices, or fewer if there are not
 * enough vertices for all warps. It loads UNROLL vertices of a chunk together. */
DEVICE void identify_by_warps(const struct search &search, vertex_t num_vertices, struct team team, bool bottom_up,
                              struct queue_lengths *counts, uint32_t iteration)
{
    uint32_t mask = __ldcg(&search.mask[lane_id()]), num_warps = team.size / WARP_SIZE;
    uint32_t chunk = min(max(num_vertices / num_warps, UNROLL), WARP_SIZE) / UNROLL * UNROLL;
    for (uint64_t first = (uint64_t)(team.rank / WARP_SIZE) * chunk; first < num_vertices;
         first += (uint64_t)num_warps * chunk) {
        uint32_t joins = 0; /* bit i: vertex first + i joins */
        for (uint32_t begin = 0; begin < chunk; begin += UNROLL) {
            uint32_t seen[UNROLL], diff[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                uint64_t vertex = first + begin + i;
                size_t word = word_of(search.layout, (vertex_t)vertex, lane_id());
                seen[i] = vertex < num_vertices ? __ldcg(&search.bsa[word]) : UINT32_MAX;
                diff[i] = vertex < num_vertices ? __ldcg(&search.bsak[word]) : UINT32_MAX;
            }
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                vertex_t vertex = (vertex_t)(first + begin + i);
                diff[i] ^= seen[i];
                if (diff[i] != 0)
                    __stcg(&search.bsak[word_of(search.layout, vertex, lane_id())], seen[i]);
                uint32_t wanted = mask & (bottom_up ? ~seen[i] : diff[i]);
                joins |= __ballot_sync(WHOLE_WARP, wanted != 0) != 0 ? 1u << (begin + i) : 0;
                if (search.level != NULL)
                    note_levels(search.level, word_of(search.level_layout, vertex, lane_id()), diff[i] & mask,
                                iteration);
            }
        }
        join(search.jfq, &counts->length[0], (vertex_t)(first + lane_id()), joins >> lane_id() & 1);
    }
}

/* Expands the JFQ. A warp reads 32 edges together and expands them one after another. */
template <typename offset_t>
DEVICE void expand_by_warps(const csr<offset_t> &graph, const struct search &search, struct team team, uint32_t length,
                            uint32_t mask)
{
    for (uint64_t i = team.rank / WARP_SIZE; i < length; i += team.size / WARP_SIZE) {
        vertex_t vertex = __ldcg(&search.jfq[i]);
        uint32_t seen = __ldcg(&search.bsa[word_of(search.layout, vertex, lane_id())]) & mask;
        offset_t end = graph.offsets[vertex + 1];
        for (offset_t base = graph.offsets[vertex]; base < end; base += WARP_SIZE) {
            vertex_t mine = base + lane_id() < end ? graph.targets[base + lane_id()] : NO_VERTEX;
            unsigned edges = end - base < WARP_SIZE ? (unsigned)(end - base) : WARP_SIZE;
            for (unsigned edge = 0; edge < edges; edge++) {
                vertex_t neighbour = __shfl_sync(WHOLE_WARP, mine, (int)edge);
                if (seen != 0)
                    atomicOr(&search.bsak[word_of(search.layout, neighbour, lane_id())], seen);
            }
        }
    }
}

/* Expands bottom-up: a warp takes a vertex of the JFQ and reads its in-neighbours. */
template <typename offset_t>
DEVICE void pull_by_warps(const csr<offset_t> &in_edges, const struct search &search, struct team team, uint32_t length,
                          uint32_t mask)
{
    for (uint64_t i = team.rank / WARP_SIZE; i < length; i += team.size / WARP_SIZE) {
        vertex_t vertex = __ldcg(&search.jfq[i]);
        size_t word = word_of(search.layout, vertex, lane_id());
        uint32_t before = __ldcg(&search.bsa[word]), seen = before;
        offset_t end = in_edges.offsets[vertex + 1];
        for (offset_t e = in_edges.offsets[vertex]; e < end && __any_sync(WHOLE_WARP, (mask & ~seen) != 0);
             e += UNROLL) {
            uint32_t of_neighbour[UNROLL];
#pragma unroll
            for (unsigned k = 0; k < UNROLL; k++)
                of_neighbour[k] =
                    e + k < end ? __ldcg(&search.bsa[word_of(search.layout, in_edges.targets[e + k], lane_id())]) : 0;
#pragma unroll
            for (unsigned k = 0; k < UNROLL; k++)
                seen |= of_neighbour[k];
        }
        if (seen != before)
            __stcg(&search.bsak[word], seen);
    }
}

/* Runs all iterations. One is bottom-up only if the last was top-down and its JFQ was longer than `longest`.
 * trace: one pointer to the ends of levels, or none. */
template <typename offset_t, typename... trace_t>
__global__ void __launch_bounds__(MOST_THREADS, MANY_BLOCKS)
    coalesced_kernel(csr<offset_t> graph, csr<offset_t> in_edges, struct search search, uint32_t longest,
                     trace_t... trace)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_threads();
    uint32_t length = 0;
    bool bottom_up = false;
    if (is_first_thread())
        (end_level(trace, 0, LEVEL_TOP_DOWN), ...);
    for (uint32_t iteration = 0;; iteration++) {
        struct queue_lengths *counts = count_of(search.counts, iteration);
        uint32_t *newest = search.bsak;
        search.bsak = search.bsa;
        search.bsa = newest;
        bottom_up = !bottom_up && length > longest;
        identify_by_warps(search, graph.num_vertices, team, bottom_up, counts, iteration);
        length = grid_wait(search.barrier, &counts->length[0], &shared->broadcast);
        if (length == UINT32_MAX)
            return;
        watch_destinations(search, search.bsa, iteration);
        if (length == 0)
            return;
        clear_next_counts(search, iteration);
        uint32_t mask = __ldcg(&search.mask[lane_id()]);
        if (bottom_up)
            pull_by_warps(in_edges, search, team, length, mask);
        else
            expand_by_warps(graph, search, team, length, mask);
        if (grid_wait(search.barrier, &counts->length[0], &shared->broadcast) == UINT32_MAX)
            return;
        if (is_first_thread())
            (end_level(trace, iteration + 1, bottom_up ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN), ...);
    }
}

} // namespace BACKEND::ibfs
