/* expand.cuh: expanding a vertex lowers the levels of the vertices in its ball.
 *
 * Expanding vertex v of radius r at level L sets level[x] = min(level[x], L + d) for each entry (x, d) of its
 * row. If d < r (an inner entry), no thread waits for the result. If d = r (an outer entry), the atomic returns
 * the old level, and the thread that lowered the level pushes the item (x, L + r). The item is expanded later,
 * unless level[x] is lower by then (the item is stale).
 *
 * Why the final levels are correct in any order. Let D(x) be the distance of x from the source. Every level
 * written is the length of a path, so it is never below D. Call u exactly expanded if it was expanded at level
 * D(u); its whole row was then expanded at that level. Suppose that expanding u at level L writes D(x) = L + d.
 * Since D(x) <= D(u) + d <= L + d, u was exactly expanded.
 *
 *   (1) When level[x] becomes D(x), an outer or an inner entry lowered it. An outer entry pushes x with D(x).
 *       Such an item is never stale, so x is exactly expanded. If it was an inner entry of u, then u was exactly
 *       expanded, and D(x) = D(u) + d with d < radius(u). x need not be pushed: we say that u covers it.
 *
 *   (2) Every reachable x gets level D(x), by induction over D. Let y precede x on a shortest path. If y is exactly
 *       expanded, x is in its row (radius >= 1) and gets at most D(y) + 1 = D(x). If u covers y at distance d, x is
 *       within d + 1 <= radius(u) steps of u. So x is in the row of u, at a distance of at most d + 1, and gets at
 *       most D(u) + d + 1 = D(x).
 *
 * So correctness does not depend on timing: the write of an inner entry may arrive late, an item may be
 * expanded twice, and a vertex may first get a level that is too high. A good order only saves work. */
#pragma once

#include "items.cuh"

namespace BACKEND::khop
{

/* Entries to expand: the piece of a row that one warp expands at once, at most unroll * WARP_SIZE entries. */
template <typename word_t>
struct row_piece {
    vertex_t vertex; /* whose row it is */
    uint32_t level;  /* of the vertex when the item was pushed or the sweep read it */
    unsigned radius;
    const word_t *entries;
    uint32_t number; /* entries up to the end of the item or row; may exceed the piece */
};

/* Expands a piece, unless the level of its vertex has changed. Lanes may read different levels while another
 * thread lowers it. Each lane acts on what it reads: the thread that lowers the level pushes or covers the
 * vertex. */
template <typename word_t, unsigned unroll, bool filter>
static __device__ __forceinline__ void expand(const struct ball_index<word_t> &index, const struct search &search,
                                              struct shared *shared, const struct round &round,
                                              const struct row_piece<word_t> &piece)
{
    const word_t *entries = piece.entries;
    const uint32_t level = piece.level, number = piece.number;
    const unsigned radius = piece.radius;
    word_t entry[unroll];
    uint32_t target[unroll], old[unroll];
    vertex_t found[unroll];
    row_t row[unroll];
    bool inner[unroll], outer[unroll];
    uint32_t now = __ldcg(&search.level[piece.vertex]);
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        entry[i] = load_if(i * WARP_SIZE + lane_id() < number, &entries[i * WARP_SIZE + lane_id()]);
    if (RARELY(now != level))
        return;
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) {
        unsigned distance = (unsigned)entry[i] & ((1u << index.distance_bits) - 1);
        found[i] = (vertex_t)(entry[i] >> index.distance_bits);
        target[i] = level + distance;
        inner[i] = entry[i] != NO_ENTRY<word_t> && distance < radius;
        outer[i] = entry[i] != NO_ENTRY<word_t> && distance == radius;
    }
    if (filter) {
#pragma unroll
        for (unsigned i = 0; i < unroll; i++)
            old[i] = load_relaxed_if(inner[i] || outer[i], &search.level[found[i]]);
#pragma unroll
        for (unsigned i = 0; i < unroll; i++) {
            inner[i] = inner[i] && old[i] > target[i];
            outer[i] = outer[i] && old[i] > target[i];
        }
    }
#pragma unroll
    for (unsigned i = 0; i < unroll;
         i++) /* before outer entries, so that no vertex is pushed that an inner entry covers */
        if (inner[i])
            atomicMin(&search.level[found[i]], target[i]);
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) { /* the loads of rows overlap with the atomics */
        old[i] = min_if(outer[i], &search.level[found[i]], target[i]);
        row[i] = load_if(outer[i], &index.rows[found[i]]);
    }
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        if (outer[i] && old[i] > target[i])
            push(index, search, shared, round, found[i], row[i], target[i]);
}

} // namespace BACKEND::khop
