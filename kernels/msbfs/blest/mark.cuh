/* mark.cuh: stage 1 of a level, lazy marking (algorithm 5). A warp takes a VSS from the queue. For each source c for
 * which the VSS's slice set is active, the warp collects the set's SIGMA frontier bits with a ballot and multiplies.
 * The products are bit c of the marks of the VSS's rows. */
#pragma once

#include "../../bfs/blest/tensor_cores.cuh"
#include "search.cuh"

namespace BACKEND::msbfs_blest
{

/* The rows of a set's columns are spread over the lanes of a warp, SPREAD words of each column at a time. So they
 * take only one or two registers per lane. */
#define SPREAD (WARP_SIZE / SIGMA) /* words of a column that lanes hold side by side */

/* A lane's share of a VSS. frontier[i]: word lane / SIGMA + SPREAD * i of the frontier row of column lane % SIGMA.
 * active: word lane % words of the set's active sources. */
template <unsigned words>
struct tile {
    uint4 rows;
    uint32_t masks, active, frontier[(words + SPREAD - 1) / SPREAD];
};

template <unsigned words, bool reindexed, bool tracked>
DEVICE tile<words> load_tile(const struct bvss &bvss, const struct search &search, uint2 entry)
{
    tile<words> tile = {};
    if (entry.y == NO_VERTEX)
        return tile;
    size_t row = row_of(reindexed, bvss.num_sets, entry.y, lane_id() % SIGMA);
    size_t at = (size_t)entry.x * WARP_SIZE + lane_id();
    bool has = true;
    if (bvss.tile_ptrs != NULL) { /* the BVSS is not padded */
        at = __ldg(&bvss.tile_ptrs[entry.x]) + lane_id();
        has = at < __ldg(&bvss.tile_ptrs[entry.x + 1]);
    }
    if (has) {
        tile.rows = __ldg(&bvss.row_ids[at]);
        tile.masks = __ldg(&bvss.masks[at]);
    }
    if (tracked)
        tile.active = __ldcg(&search.active[(size_t)entry.y * words + lane_id() % words]);
#pragma unroll
    for (unsigned word = 0; word < words; word += SPREAD) {
        unsigned mine = word + lane_id() / SIGMA;
        tile.frontier[word / SPREAD] = mine < words ? __ldcg(&search.frontier[row * words + mine]) : 0;
    }
    return tile;
}

/* Returns the bits of word number `word` that belong to sources of the query. */
DEVICE uint32_t sources_of(uint32_t num_sources, unsigned word)
{
    uint32_t before = word * WARP_SIZE;
    return num_sources >= before + WARP_SIZE ? UINT32_MAX
           : num_sources > before            ? lanes_below(num_sources - before)
                                             : 0;
}

/* Collects the marks of the lane's rows for one word of sources: found[c] holds the bits to mark in the row of column
 * c. Multiplies the VSS once for each source for which the set is active; without tracking, for each source. All
 * lanes of the warp must call it. */
template <unsigned words, bool tracked, enum blest::layout layout>
DEVICE void collect(const struct tile<words> &tile, unsigned word, uint32_t num_sources, uint32_t (&found)[THETA])
{
    uint32_t column = lane_id() / SIGMA == word % SPREAD ? tile.frontier[word / SPREAD] : 0;
    uint32_t sources = tracked ? __shfl_sync(WHOLE_WARP, tile.active, (int)word) : sources_of(num_sources, word);
#pragma unroll
    for (unsigned q = 0; q < THETA; q++)
        found[q] = 0;
    for (; sources != 0; sources &= sources - 1) {
        uint32_t bit = sources & (0u - sources);
        uint32_t alpha = __ballot_sync(WHOLE_WARP, (column & bit) != 0) >> word % SPREAD * SIGMA;
        int products[THETA];
        if (layout == blest::LAYOUT_OPTIMAL)
            blest::multiply_by_lanes(tile.masks, alpha, products);
        else
            blest::and_by_lanes(tile.masks, alpha, products);
#pragma unroll
        for (unsigned q = 0; q < THETA; q++)
            found[q] |= products[q] > 0 ? bit : 0;
    }
}

/* Marks the rows of a VSS, two words of sources at a time if kappa is at least 64. */
template <unsigned words, bool reindexed, bool tracked, enum blest::layout layout>
DEVICE void mark(const struct bvss &bvss, const struct search &search, const struct tile<words> &tile)
{
    const vertex_t row[THETA] = {tile.rows.x, tile.rows.y, tile.rows.z, tile.rows.w};
    bool any[THETA] = {};
#pragma unroll
    for (unsigned word = 0; word < words; word += 2) {
        uint32_t low[THETA], high[THETA] = {};
        collect<words, tracked, layout>(tile, word, search.num_sources, low);
        if constexpr (words > 1)
            collect<words, tracked, layout>(tile, word + 1, search.num_sources, high);
#pragma unroll
        for (unsigned q = 0; q < THETA; q++) {
            if ((low[q] | high[q]) == 0)
                continue;
            uint32_t *marked = &search.marked[row_of_vertex(reindexed, bvss.num_sets, row[q]) * words + word];
            if constexpr (words > 1)
                atomicOr((unsigned long long *)marked, (unsigned long long)high[q] << 32 | low[q]);
            else
                atomicOr(marked, low[q]);
            any[q] = true;
        }
    }
#pragma unroll
    for (unsigned q = 0; q < THETA; q++)
        if (tracked && any[q])
            __stcg(&search.dirty[row[q] / SIGMA], (uint8_t)1);
}

} // namespace BACKEND::msbfs_blest
