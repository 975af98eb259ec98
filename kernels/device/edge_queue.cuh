/* edge_queue.cuh: queues of vertices whose edges all warps share evenly.
 *
 * An entry stands for consecutive edges of a CSR, or units of other lists (list_units.cuh). It holds the number of
 * edges of the entries before it, and a shift: its first edge in the CSR minus that number. So edge e of the queue
 * belongs to the last entry with at most e edges before it, and is edge e + shift of the CSR.
 *
 * Writing. A count is one 64-bit word, entries << edge_bits | edges. One atomic addition of a warp reserves the
 * places of its entries, and the returned sum is also the number of edges before them. Additions to one word have an
 * order, and each adds both halves at once. So whatever the order of the warps, the entries fill the places from 0 on
 * without a gap, and the edges of an entry begin where those of the previous place end. The caller guarantees that
 * neither half overflows, and that there is a barrier between the last write of an entry and the first read.
 *
 * Reading. Each warp takes the same number of edges, and searches for its first entry. The search is correct because
 * the numbers of edges before the entries ascend, from 0. If several entries have the same number, all but the last
 * are empty, and the search finds the last. */
#pragma once

#include "ids.cuh"
#include "list_units.cuh"
#include "warp.cuh"

namespace BACKEND
{

/* ---- reading ---- */

/* Returns the index of the last of `size` numbers that is at most `wanted`, by a 32-ary search. at(i) returns number
 * i. The numbers ascend, and the first is at most `wanted`. All lanes of the warp must call it. */
template <typename index_t>
DEVICE index_t last_up_to(index_t size, auto wanted, auto at)
{
    index_t first = 0, end = size;
    while (end - first > 1) {
        index_t step = (end - first + WARP_SIZE - 1) / WARP_SIZE, probe = first + lane_id() * step;
        bool reaches = probe < end && at(probe) <= wanted;
        first += (unsigned)(__popc(__ballot_sync(WHOLE_WARP, reaches)) - 1) * step;
        end = min(end, first + step);
    }
    return first;
}

/* Edges that a lane processes together: their targets (NO_VERTEX if has is false) and the lanes that own them. A
 * target_t may hold more than the target. */
template <unsigned number, typename target_t = vertex_t>
struct lane_edges {
    target_t target[number];
    bool has[number];
    unsigned owner[number];
};

/* Calls use(edges) with `unroll` edges per lane until all edges of the warp's lanes are used. The lanes own `number`
 * edges in total, fewer than 2^32 - unroll * 32. Edge e belongs to the last lane with before <= e, and is edge e +
 * shift of the CSR, with the owner's shift. Lane 0 has 0 edges before it. All lanes take part in every call of use,
 * and all return the same value: true skips the remaining edges of the owner of the last lane's last edge. The
 * numbers and the shift count units of the lists; unroll is a multiple of a unit's targets. */
template <unsigned unroll, typename offset_t, typename targets_t>
DEVICE void for_each_edge_of_lanes(targets_t targets, uint32_t before, offset_t shift, uint32_t number, auto use)
{
    const unsigned unit = units_of<targets_t>::targets;
    for (uint32_t at = 0; at < number;) {
        struct lane_edges<unroll, typename units_of<targets_t>::target_t> edges;
#pragma unroll
        for (unsigned i = 0; i < unroll; i += unit) {
            uint32_t edge = at + i / unit * WARP_SIZE + lane_id();
            unsigned owner = 0;
#pragma unroll
            for (unsigned step = WARP_SIZE / 2; step > 0; step /= 2)
                owner += __shfl_sync(WHOLE_WARP, before, (int)(owner + step)) <= edge ? step : 0;
            offset_t its_shift = __shfl_sync(WHOLE_WARP, shift, (int)owner);
            load_unit(targets, (offset_t)(its_shift + edge), edge < number, &edges.target[i], &edges.has[i]);
#pragma unroll
            for (unsigned j = i; j < i + unit; j++)
                edges.owner[j] = owner;
        }
        at += unroll / unit * WARP_SIZE;
        if (use(edges)) {
            unsigned owner = __shfl_sync(WHOLE_WARP, edges.owner[unroll - 1], WARP_SIZE - 1);
            uint32_t rest = __shfl_sync(WHOLE_WARP, before, (int)(owner + 1) % (int)WARP_SIZE);
            at = max(at, owner + 1 < WARP_SIZE ? rest : number);
        }
    }
}

/* Divides the `edges` edges of a queue's `size` entries evenly among the team's warps; a warp gets fewer than 2^32 -
 * unroll * 32. Calls use(edges, first, entry) as above: lane i holds entry first + i, and an edge's owner is the lane
 * that holds its entry. A queue has
 *   entry          a struct whose first members are before and shift
 *   before_at(i)   reads `before` of entry i
 *   load(i)        reads entry i */
template <unsigned unroll, typename queue_t, typename index_t, typename count_t>
DEVICE void for_each_edge(auto targets, const queue_t &queue, index_t size, count_t edges, struct team team, auto use)
{
    count_t share = (edges + team.size - 1) / team.size;
    share = (share + WARP_SIZE - 1) & ~(count_t)(WARP_SIZE - 1);
    uint64_t begin = (uint64_t)share * team.rank;
    if (begin >= edges)
        return;
    count_t edge = (count_t)begin, end = edges - edge < share ? edges : edge + share;
    auto before_at = [&](index_t i) { return queue.before_at(i); };
    for (index_t first = last_up_to(size, edge, before_at); edge < end; first += WARP_SIZE) {
        typename queue_t::entry mine = {edges, 0};
        if (first + lane_id() < size)
            mine = queue.load(first + lane_id());
        count_t until = first + WARP_SIZE < size ? min(end, queue.before_at(first + WARP_SIZE)) : end;
        /* From here on, edges are counted relative to `edge`, in 32 bits. */
        uint32_t before = mine.before <= edge ? 0 : mine.before >= end ? UINT32_MAX : (uint32_t)(mine.before - edge);
        for_each_edge_of_lanes<unroll>(targets, before, mine.shift + edge, (uint32_t)(until - edge),
                                       [&](const auto &some) { return use(some, first, mine); });
        edge = until;
    }
}

/* ---- writing ---- */

/* Appends up to `number` entries per lane: entry i, with edges[i] edges, if has[i]. Calls put(i, place, before) to
 * write each entry. Returns the place of the lane's first entry. All lanes of the warp must call it. The warp makes
 * at most one atomic addition to *count. */
template <unsigned number, typename count_t>
DEVICE uint64_t append_entries(uint64_t *count, unsigned edge_bits, const bool (&has)[number],
                               const count_t (&edges)[number], auto put)
{
    const uint64_t entry = 1ull << edge_bits;
    uint64_t mine = 0;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        mine += has[i] ? entry + edges[i] : 0;
    if (!__any_sync(WHOLE_WARP, mine != 0))
        return 0;
    uint64_t sum = warp_inclusive_sum(mine);
    uint64_t place = 0;
    if (lane_id() == WARP_SIZE - 1)
        place = atomicAdd(count, sum);
    place = __shfl_sync(WHOLE_WARP, place, WARP_SIZE - 1) + sum - mine;
    const uint64_t first_place = place >> edge_bits;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        if (has[i]) {
            put(i, place >> edge_bits, place & (entry - 1));
            place += entry + edges[i];
        }
    return first_place;
}

} // namespace BACKEND
