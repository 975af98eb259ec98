/* visited.cuh: the set of visited vertices, which is cleared in time by the vertices visited, not by those of the
 * graph.
 *
 * There are two sets. A search marks in one, which is empty when it begins; meanwhile idle warps clear the other one,
 * which has the marks of the search before. So no search waits for a set to be cleared, and its marks remain until
 * the host has fetched them. The end of a kernel orders its marks before the next one's accesses.
 *
 * The bitmap of a set is divided into regions, each with a flag: no bit of a region is set unless its flag is. The
 * lane whose claim gets back an empty word sets the flag of its region. Several lanes may set a flag at the same
 * time, and nobody reads it before the next kernel. Only regions whose flag is set are cleared. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/bitmap.cuh"
#include "../../device/ids.cuh"

namespace BACKEND::handoff
{

#define REGION_WORDS 1024u /* of a bitmap: 4 KB, the bits of 32,768 vertices */

struct visited_set {
    uint32_t *bits;    /* num_regions * REGION_WORDS: a bit for each vertex */
    uint32_t *touched; /* num_regions: flags */
};

HOST_DEVICE uint32_t visited_regions(vertex_t num_vertices)
{
    return bitmap_words(num_vertices) / REGION_WORDS + 1;
}

/* After a claim of v that got back the word `old`, and was won or not. */
DEVICE void touch_region(const struct visited_set &visited, bool won, uint32_t old, vertex_t v)
{
    if (won & (old == 0))
        store_volatile(&visited.touched[v / (BITMAP_BITS * REGION_WORDS)], 1u);
}

/* Clears the regions of a team of warps. */
static __device__ void clear_regions(const struct visited_set &visited, uint32_t num_regions, struct team warps)
{
    for (uint32_t region = warps.rank; region < num_regions; region += warps.size) {
        uint32_t touched = lane_id() == 0 ? __ldcg(&visited.touched[region]) : 0;
        if (__shfl_sync(WHOLE_WARP, touched, 0) == 0)
            continue;
        uint4 *words = (uint4 *)&visited.bits[(size_t)region * REGION_WORDS];
        for (uint32_t i = lane_id(); i < REGION_WORDS / 4; i += WARP_SIZE)
            words[i] = {0, 0, 0, 0};
        if (lane_id() == 0)
            visited.touched[region] = 0;
    }
}

} // namespace BACKEND::handoff
