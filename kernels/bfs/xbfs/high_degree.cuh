/* high_degree.cuh: vertices with too many edges for one warp or one thread, which all warps share.
 *
 * A top-down iteration lists vertices with more than high_degree_above edges separately. A bottom-up iteration lists
 * frontiers that have read `alone` edges without finding a parent, with their remaining edges. After a barrier all
 * warps share the listed edges in pieces of PIECE edges: each warp takes the same number of consecutive pieces.
 * Several warps may then find the level of the same frontier: see work_on_high_degree.
 *
 * The list. One atomic on a 64-bit word gives an entry its place (the high half) and the number of its first piece
 * (the low half). So the piece numbers ascend with the places, and a search finds the vertex of a piece. There is a
 * barrier between the write of an entry and its reads, and another one before its place is reused. Each queue has one
 * list, which serves two purposes:
 *   - the high-degree vertices of a level (counts.high_degree). Only a top-down iteration with a queue reads these.
 *   - the work that an iteration leaves to all warps (counts.left). Only a bottom-up iteration, or a top-down one
 *     without a queue, lists such work, and then nothing reads the list's high-degree vertices any more.
 * A top-down iteration adds the high-degree vertices that it finds to the list of the other queue.
 *
 * The list's length. An iteration lists a vertex at most once, and only if it has more than `alone` in-edges or
 * out-edges (high_degree_above is larger). So there are fewer than num_edges / alone vertices. The last piece of a
 * vertex may be partly empty, so there are fewer than num_edges / PIECE pieces plus one per vertex; 2^32 pieces would
 * need arrays of more than 400 GB. */
#pragma once

#include "../../device/edge_queue.cuh"
#include "state.cuh"

namespace BACKEND::xbfs
{

#define PIECE 128u /* edges; a warp loads a piece at once */

DEVICE uint32_t num_pieces(uint64_t edges)
{
    return (uint32_t)((edges + PIECE - 1) / PIECE);
}

/* Appends a vertex and its remaining edges to the list. One lane calls it. */
template <typename offset_t>
DEVICE void append_high_degree(const struct high_degree_list &high_degree, uint64_t *count, vertex_t vertex,
                               span<offset_t> span)
{
    uint64_t old = atomicAdd(count, 1ull << 32 | num_pieces(span.end - span.edge));
    uint32_t place = (uint32_t)(old >> 32);
    __stcg((offset_t *)high_degree.edge + place, span.edge);
    __stcg((offset_t *)high_degree.end + place, span.end);
    __stcg(&high_degree.vertex[place], vertex);
    __stcg(&high_degree.piece[place], (uint32_t)old);
}

/* Calls use(vertex, edges) once for each vertex in this warp's share of the pieces. count: the list's count word. All
 * lanes of the warp must call it. */
template <typename offset_t>
DEVICE void each_high_degree(const struct high_degree_list &high_degree, uint64_t count, auto use)
{
    struct team team = spread_warps();
    uint32_t pieces = (uint32_t)count, share = (pieces + team.size - 1) / team.size;
    uint64_t piece = (uint64_t)team.rank * share, until = min(piece + share, (uint64_t)pieces);
    if (piece >= until)
        return;
    uint32_t i = last_up_to((uint32_t)(count >> 32), (uint32_t)piece,
                            [&](uint32_t at) { return __ldcg(&high_degree.piece[at]); });
    for (; piece < until; i++) {
        offset_t edge = __ldcg((offset_t *)high_degree.edge + i), end = __ldcg((offset_t *)high_degree.end + i);
        uint32_t first = __ldcg(&high_degree.piece[i]), number = num_pieces(end - edge);
        offset_t skipped = (offset_t)(piece - first) * PIECE, taken = (offset_t)(until - first) * PIECE;
        span<offset_t> span = {edge + skipped, until < first + number ? edge + taken : end};
        use(__ldcg(&high_degree.vertex[i]), span);
        piece = (uint64_t)first + number;
    }
}

/* Writes a vertex's edges to its place in the queue or to the list of high-degree vertices. One lane calls it. */
template <typename offset_t>
DEVICE void put_span(const struct queue &queue, struct counts *counts, uint32_t place, vertex_t vertex,
                     span<offset_t> span, uint32_t high_degree_above)
{
    if (span.end - span.edge > high_degree_above) {
        append_high_degree(queue.high_degree, &counts->high_degree, vertex, span);
        span = {0, 0};
    }
    __stcg((offset_t *)queue.edge + place, span.edge);
    __stcg((offset_t *)queue.end + place, span.end);
}

} // namespace BACKEND::xbfs
