/* berrybees.cuh: a level of BerryBees, the start of Blest's ablation (sections 3 and 8 of Blest). A dense
 * frontier uses SpMV; a sparse one gathers the active slice sets first (SpMSpV). */
#ifndef GTRAV_BLEST_BERRYBEES_CUH
#define GTRAV_BLEST_BERRYBEES_CUH

#include "eager.cuh"

namespace BACKEND::blest
{

enum { GATHERED, FOUND }; /* the counts of BerryBees: VSSs of the active sets, vertices found */

/* Processes a VSS. Returns how many vertices the lane found before any other lane. */
static __device__ __forceinline__ uint32_t multiply(const struct bvss &bvss, const struct search &search,
                                                    uint64_t vss, uint32_t alpha, uint32_t level)
{
    uint4 rows = __ldg(&bvss.row_ids[vss * WARP_SIZE + lane_id()]);
    const vertex_t row[THETA] = {rows.x, rows.y, rows.z, rows.w};
    unsigned hits = pull<LAYOUT_BERRYBEES>(__ldg(&bvss.masks[vss * WARP_SIZE + lane_id()]), alpha);
    unsigned fresh = reach(search.level, row, hits, level);
    uint32_t found = 0;
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        found += !has_bit(set_bit_if(fresh >> c & 1, search.next_frontier, row[c]), row[c]);
    return found;
}

static __device__ __forceinline__ uint32_t columns_in_frontier(const struct search &search, uint32_t set)
{
    return ((const unsigned char *)search.frontier)[set];
}

static __device__ __forceinline__ void add_found(const struct search &search, uint32_t found)
{
    found = __reduce_add_sync(WHOLE_WARP, found);
    if (lane_id() == 0 && found > 0)
        atomicAdd((unsigned long long *)&search.counts[FOUND], (unsigned long long)found);
}

/* SpMV: one warp per slice set, active or not. The warp skips the set if none of its columns is in the
 * frontier. */
__global__ void __launch_bounds__(MOST_THREADS, EAGER_BLOCKS)
    berrybees_spmv(struct bvss bvss, struct search search, uint32_t level)
{
    struct team team = grid_warps();
    uint32_t found = 0;
    for (uint64_t set = team.rank; set < bvss.num_sets; set += team.size) {
        uint32_t alpha = columns_in_frontier(search, (uint32_t)set);
        uint32_t end = alpha != 0 ? bvss.real_ptrs[set + 1] : 0;
        for (uint32_t vss = alpha != 0 ? bvss.real_ptrs[set] : 0; vss < end; vss++)
            found += multiply(bvss, search, vss, alpha, level);
    }
    add_found(search, found);
}

/* SpMSpV, part 1: queues the VSSs of the active slice sets, those with columns in the frontier. */
__global__ void __launch_bounds__(MOST_THREADS, EAGER_BLOCKS) berrybees_gather(struct bvss bvss, struct search search)
{
    struct team team = grid_warps();
    uint32_t num_words = bitmap_words(bvss.num_vertices);
    for (uint64_t base = (uint64_t)team.rank * WARP_SIZE; base < num_words; base += team.size * WARP_SIZE) {
        uint64_t word = base + lane_id();
        enqueue_word(bvss, search.queue, &search.counts[GATHERED], (uint32_t)word,
                     word < num_words ? search.frontier[word] : 0);
    }
}

/* SpMSpV, part 2: one warp per queued VSS. */
__global__ void __launch_bounds__(MOST_THREADS, EAGER_BLOCKS)
    berrybees_spmspv(struct bvss bvss, struct search search, uint32_t level)
{
    struct team team = grid_warps();
    uint32_t size = (uint32_t)search.counts[GATHERED], found = 0;
    for (uint64_t i = team.rank; i < size; i += team.size) {
        uint2 entry = search.queue[i];
        found += multiply(bvss, search, entry.x, columns_in_frontier(search, entry.y), level);
    }
    add_found(search, found);
}

} // namespace BACKEND::blest

#endif
