/* bfs_blest.h: what Blest's BFS from one source (bfs_blest.cu) and that from many (msbfs_blest.cu) share: the
 * multiplication, the queue of VSSs, a warp's way through it; and the one as the other's baseline. */
#ifndef GTRAV_BFS_BLEST_H
#define GTRAV_BFS_BLEST_H

#include "bvss.h"

namespace BACKEND
{

#define MOST_THREADS 512 /* of a block */
#define NUM_COUNTS   3u
#define MANY_VSS     8u     /* a set with more VSSs is queued by the whole warp */
#define REORDER      "auto" /* section 4: JaccardWithWindows for scale-free-like graphs, RCM for others */

/* All warps of a grid, numbered through. */
struct team {
    uint32_t warp, num_warps;
};

static __device__ __forceinline__ struct team warps_of_grid(void)
{
    return {(blockIdx.x * blockDim.x + threadIdx.x) / WARP_SIZE, gridDim.x * blockDim.x / WARP_SIZE};
}

static __device__ __forceinline__ bool is_first_thread(void)
{
    return blockIdx.x == 0 && threadIdx.x == 0;
}

/* ---- the multiplication ---- */

/* The optimal layout (section 5.1, figure 3): A holds two of a lane's slices at once, B has alpha where it meets the
 * first and, in the next column, where it meets the second: each lane gets its own slices' products. All lanes of the
 * warp must come, with the same alpha: SIGMA bits. */
static __device__ __forceinline__ void multiply_by_lanes(uint32_t masks, uint32_t alpha, int (&products)[THETA])
{
    static_assert(THETA == 4, "two multiplications of two slices a lane");
    uint32_t b = lane_id() % 9 == 0 ? alpha : lane_id() % 9 == 4 ? alpha << SIGMA : 0;
    int low[2] = {0, 0}, high[2] = {0, 0};
    binary_mma(low, masks & 0xffff, b);
    binary_mma(high, masks >> 16, b);
    products[0] = low[0];
    products[1] = low[1];
    products[2] = high[0];
    products[3] = high[1];
}

/* ---- queues of VSSs ---- */

/* A slice set and those of its VSSs that are to be queued: none if first == end. */
struct range {
    uint32_t set, first, end;
};

/* Queues the ranges of all lanes and adds to the vertices found: *count is these << 32 | the VSSs queued. All lanes
 * of the warp must come; they make one atomic. */
template <unsigned number>
static __device__ __forceinline__ void enqueue(uint2 *queue, uint64_t *count, uint32_t found,
                                               const struct range (&ranges)[number])
{
    uint32_t mine = 0;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        mine += ranges[i].end - ranges[i].first;
    uint32_t all = __reduce_add_sync(WHOLE_WARP, mine), all_found = __reduce_add_sync(WHOLE_WARP, found);
    if (all == 0 && all_found == 0)
        return;
    uint32_t position = 0;
    if (lane_id() == 0)
        position = (uint32_t)atomicAdd((unsigned long long *)count, (unsigned long long)all_found << 32 | all);
    uint32_t before = mine; /* inclusive, while the atomic is under way */
#pragma unroll
    for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
        uint32_t left = __shfl_up_sync(WHOLE_WARP, before, step);
        before += lane_id() >= step ? left : 0;
    }
    position = __shfl_sync(WHOLE_WARP, position, 0) + before - mine;
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        struct range range = ranges[i];
        uint32_t length = range.end - range.first;
        if (length <= MANY_VSS)
            for (uint32_t j = 0; j < length; j++)
                __stcg(&queue[position + j], make_uint2(range.first + j, range.set));
        for (unsigned many = __ballot_sync(WHOLE_WARP, length > MANY_VSS); many != 0; many &= many - 1) {
            int owner = __ffs((int)many) - 1;
            uint32_t set = __shfl_sync(WHOLE_WARP, range.set, owner), to = __shfl_sync(WHOLE_WARP, position, owner);
            uint32_t vss = __shfl_sync(WHOLE_WARP, range.first, owner);
            uint32_t all_of_set = __shfl_sync(WHOLE_WARP, length, owner);
            for (uint32_t j = lane_id(); j < all_of_set; j += WARP_SIZE)
                __stcg(&queue[to + j], make_uint2(vss + j, set));
        }
        position += length;
    }
}

/* Calls use(load(entry)) for every entry of the queue that is the warp's, and load for the next one before it: what
 * it loads arrives while the warp works. An entry is a VSS and its slice set, which is NO_VERTEX beyond the end. */
template <typename load_t, typename use_t>
static __device__ __forceinline__ void for_each_entry(const uint2 *queue, uint32_t size, struct team team,
                                                      load_t load, use_t use)
{
    auto entry_at = [&](uint64_t i) { return i < size ? __ldcg(&queue[i]) : make_uint2(0, NO_VERTEX); };
    uint64_t i = team.warp;
    auto tile = load(entry_at(i));
    uint2 entry = entry_at(i + team.num_warps);
    for (; i < size; i += team.num_warps) {
        auto next = load(entry);
        entry = entry_at(i + 2ull * team.num_warps);
        use(tile);
        tile = next;
    }
}

/* ---- the BFS from one source ---- */

/* `bfs blest` as a part of another algorithm. prepare takes a run of its own, whose state is NULL, and sets
 * its options to their defaults; search puts the levels into device memory, blest_row_length entries, of which the
 * first num_vertices count, and marks no kernel times; check is STATUS_DEVICE if any search before was broken off. */
int blest_prepare(struct run *run);
size_t blest_row_length(const struct run *run);
int blest_search(struct run *run, vertex_t source, uint32_t *level);
int blest_check(struct run *run);
void blest_release(struct run *run);

} // namespace BACKEND

#endif
