/* bottom_up.cuh: a bottom-up level on CUDA cores, algorithm 4 (section 5.3): unvisited vertices look for an
 * in-neighbour in the frontier. */
#pragma once

#include "search.cuh"

namespace BACKEND::blest
{

#define UNROLL 4u  /* edges that a lane has in flight */
#define ALONE  64u /* edges that a lane tries before its warp helps */

/* Whether one of UNROLL edges (edge, edge + stride, ..., all below end) comes from the frontier. */
template <typename offset_t>
static __device__ __forceinline__ bool comes_from(const csr<offset_t> &in_edges, const uint32_t *frontier,
                                                  offset_t edge, offset_t end, unsigned stride)
{
    vertex_t neighbour[UNROLL];
    uint32_t bits = 0;
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        neighbour[i] = edge + i * stride < end ? in_edges.targets[edge + i * stride] : NO_VERTEX;
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        if (neighbour[i] != NO_VERTEX)
            bits |= frontier[neighbour[i] / WARP_SIZE] >> neighbour[i] % WARP_SIZE;
    return bits & 1;
}

/* Whether a lane's vertex has an in-neighbour in the frontier; false if the lane does not ask. A lane tries
 * ALONE edges by itself, then the whole warp tries the rest. All lanes of the warp must call it. */
template <typename offset_t>
static __device__ __forceinline__ bool pull_by_edges(const csr<offset_t> &in_edges, const uint32_t *frontier,
                                                     bool asks, uint32_t vertex)
{
    bool found = false;
    offset_t edge = 0, end = 0;
    if (asks) {
        edge = in_edges.offsets[vertex];
        end = in_edges.offsets[vertex + 1];
    }
    for (unsigned tried = 0; tried < ALONE && !found && edge < end; tried += UNROLL, edge += UNROLL)
        found = comes_from(in_edges, frontier, edge, end, 1);
    for (unsigned left = __ballot_sync(WHOLE_WARP, !found && edge < end); left != 0; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        offset_t at = __shfl_sync(WHOLE_WARP, edge, owner), last = __shfl_sync(WHOLE_WARP, end, owner);
        bool any = false;
        for (; !any && at < last; at += UNROLL * WARP_SIZE)
            any = __any_sync(WHOLE_WARP, comes_from(in_edges, frontier, (offset_t)(at + lane_id()), last, WARP_SIZE));
        if ((int)lane_id() == owner)
            found = any;
    }
    return found;
}

/* A bottom-up level. Since every word belongs to one warp, no barrier is needed between its two stages. A warp
 * takes up to 32 words, one after another, or fewer if otherwise some warps would get none. The words of a warp
 * are far apart, since unvisited vertices form clusters. */
template <typename offset_t>
static __device__ __forceinline__ void
go_bottom_up(const csr<offset_t> &in_edges, const struct bvss &bvss, const struct search &search, uint32_t num_words,
             const uint32_t *frontier, const struct found &to, struct team team)
{
    uint32_t words_of_warp = min(max(num_words / team.size, 1u), WARP_SIZE);
    uint32_t stride = (num_words + words_of_warp - 1) / words_of_warp;
    for (uint32_t first = team.rank; first < stride; first += team.size) {
        uint64_t word = first + (uint64_t)lane_id() * stride;
        bool has = lane_id() < words_of_warp && word < num_words;
        uint32_t visited = has ? __ldcg(&search.visited[word]) : UINT32_MAX, fresh = 0;
        for (unsigned left = __ballot_sync(WHOLE_WARP, visited != UINT32_MAX); left != 0; left &= left - 1) {
            int owner = __ffs((int)left) - 1;
            bool asks = !(__shfl_sync(WHOLE_WARP, visited, owner) >> lane_id() & 1);
            uint32_t vertex = (first + (uint32_t)owner * stride) * WARP_SIZE + lane_id();
            bool found = pull_by_edges(in_edges, frontier, asks, vertex);
            unsigned all_found = __ballot_sync(WHOLE_WARP, found);
            if (found)
                __stcg(&search.level[vertex], to.level);
            if ((int)lane_id() == owner)
                fresh = all_found;
        }
        if (has)
            __stcg(&to.next_frontier[word], fresh);
        if (fresh != 0) {
            __stcg(&search.visited[word], visited | fresh);
            __stcg(&search.marked[word], visited | fresh);
        }
        enqueue_word(bvss, to.next_queue, to.count, (uint32_t)word, fresh);
    }
}

} // namespace BACKEND::blest
