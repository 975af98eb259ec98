/* scan.cuh: scans that gather frontiers into a queue (section 4).
 *
 *   single_scan   one scan, with one atomic per TILE places, in any order
 *   double_scan   a counting scan, a prefix sum and a writing scan: the queue is sorted
 *
 * A scan covers the places 0 to size - 1, which are vertices or entries of a bottom-up queue. Callers pass functions:
 * is(place, in_range) returns whether a place holds a frontier; class_of(place) returns its class; put(class, place,
 * number) stores it as entry `number` of its class. */
#pragma once

#include "state.cuh"

namespace BACKEND::xbfs
{

#define SCAN_UNROLL 8u                      /* places that a lane loads together */
#define TILE        (WARP_SIZE * WARP_SIZE) /* places that a warp scans at a time */

/* First half of a prefix sum over the threads of the grid, for each class. Sets `before` to the sum of `mine` over
 * the earlier threads of the block, and block_sums to the block's sum. */
template <unsigned classes>
DEVICE void sum_in_block(const struct search &search, struct shared *shared, const uint32_t (&mine)[classes],
                         uint32_t (&before)[classes])
{
    unsigned warp = threadIdx.x / WARP_SIZE;
#pragma unroll
    for (unsigned c = 0; c < classes; c++) {
        before[c] = warp_inclusive_sum(mine[c]); /* still the inclusive sum */
        if (lane_id() == WARP_SIZE - 1)
            shared->of_warps[c][warp] = before[c];
    }
    __syncthreads();
#pragma unroll
    for (unsigned c = 0; c < classes; c++) {
        for (unsigned w = 0; w < warp; w++)
            before[c] += shared->of_warps[c][w];
        if (threadIdx.x == blockDim.x - 1)
            __stcg(&search.block_sums[c * gridDim.x + blockIdx.x], before[c]);
        before[c] -= mine[c];
    }
}

/* Second half, after all blocks have done the first: adds the sums of all earlier blocks to `before`. Sets total to
 * the sum over all threads. */
template <unsigned classes>
DEVICE void add_blocks_before(const struct search &search, struct shared *shared, uint32_t (&before)[classes],
                              uint32_t (&total)[classes])
{
    for (unsigned c = 0; c < classes && threadIdx.x / WARP_SIZE == 0; c++) {
        uint32_t lower = 0, all = 0;
        for (unsigned block = lane_id(); block < gridDim.x; block += WARP_SIZE) {
            uint32_t sum = __ldcg(&search.block_sums[c * gridDim.x + block]);
            lower += block < blockIdx.x ? sum : 0;
            all += sum;
        }
        lower = __reduce_add_sync(WHOLE_WARP, lower);
        all = __reduce_add_sync(WHOLE_WARP, all);
        if (lane_id() == 0) {
            shared->before[c] = lower;
            shared->total[c] = all;
        }
    }
    __syncthreads();
#pragma unroll
    for (unsigned c = 0; c < classes; c++) {
        before[c] += shared->before[c];
        total[c] = shared->total[c];
    }
}

/* Does both halves of the prefix sum, with a grid barrier between them. Returns false if a wait timed out. block_sums
 * may be reused after one more barrier. */
template <unsigned classes>
DEVICE bool sum_before(const struct search &search, struct shared *shared, const uint32_t (&mine)[classes],
                       uint32_t (&before)[classes], uint32_t (&total)[classes])
{
    sum_in_block(search, shared, mine, before);
    if (!meet(search, shared))
        return false;
    add_blocks_before(search, shared, before, total);
    return true;
}

/* Returns a bitmap of the frontiers among the TILE places from `first` on, before `end`. Lane i gets the word for the
 * places first + 32 i to first + 32 i + 31. The lanes of the warp read the places of one word together, so that the
 * reads are coalesced. */
DEVICE uint32_t look_over(uint64_t first, uint64_t end, auto is)
{
    uint32_t mine = 0;
    for (unsigned word = 0; word < WARP_SIZE && first + word * WARP_SIZE < end; word += SCAN_UNROLL) {
        bool found[SCAN_UNROLL];
#pragma unroll
        for (unsigned i = 0; i < SCAN_UNROLL; i++) {
            uint64_t place = first + (word + i) * WARP_SIZE + lane_id();
            found[i] = is(place, place < end);
        }
#pragma unroll
        for (unsigned i = 0; i < SCAN_UNROLL; i++) {
            uint32_t ballot = __ballot_sync(WHOLE_WARP, found[i]);
            mine = lane_id() == word + i ? ballot : mine;
        }
    }
    return mine;
}

/* Calls put for each frontier in the lanes' words of a bitmap. number: the number of the next entry in each class;
 * the same in all lanes; it is advanced. All lanes of the warp must call it. */
template <unsigned classes>
DEVICE void for_each_found(uint64_t first, uint32_t mine, auto class_of, uint32_t (&number)[classes], auto put)
{
    for (unsigned words = __ballot_sync(WHOLE_WARP, mine != 0); words != 0; words &= words - 1) {
        int owner = __ffs((int)words) - 1;
        uint64_t place = first + (unsigned)owner * WARP_SIZE + lane_id();
        bool found = __shfl_sync(WHOLE_WARP, mine, owner) >> lane_id() & 1;
        unsigned its_class = found ? class_of(place) : classes;
#pragma unroll
        for (unsigned c = 0; c < classes; c++) {
            unsigned of_class = __ballot_sync(WHOLE_WARP, its_class == c);
            if (its_class == c)
                put(c, place, number[c] + lanes_before(of_class));
            number[c] += __popc(of_class);
        }
    }
}

/* A warp scans the places first .. end - 1. number: as in for_each_found. */
template <unsigned classes>
DEVICE void scan_by_warp(uint64_t first, uint64_t end, auto is, auto class_of, uint32_t (&number)[classes], auto put)
{
    for (; first < end; first += TILE)
        for_each_found(first, look_over(first, end, is), class_of, number, put);
}

/* A thread scans the places first, first + stride, ... before end. With a stride of 1, as in Enterprise's bottom-up
 * levels, the reads of a warp's lanes are far apart. */
template <unsigned classes>
DEVICE void scan_by_thread(uint64_t first, uint64_t end, auto is, auto class_of, uint32_t (&number)[classes], auto put,
                           uint64_t stride = 1)
{
    for (uint64_t place = first; place < end; place += stride) {
        unsigned its_class = is(place, true) ? class_of(place) : classes;
#pragma unroll
        for (unsigned c = 0; c < classes; c++)
            if (its_class == c)
                put(c, place, number[c]++);
    }
}

/* The places of a double scan. strided: each thread scans its own range, as in Enterprise; otherwise each warp. */
struct places {
    uint64_t size;
    bool strided;
};

/* This thread's or warp's share of the places. */
struct share {
    uint64_t first, end;
    bool strided;
};

DEVICE struct share share_of(const struct places &places)
{
    struct team team = places.strided ? grid_threads() : grid_warps();
    uint64_t unit = places.strided ? 1 : WARP_SIZE;
    uint64_t share = ((places.size + unit - 1) / unit + team.size - 1) / team.size * unit;
    uint64_t first = share * team.rank;
    return {first, min(places.size, first + share), places.strided};
}

/* Calls put for the frontiers in the share. number: as in scan_by_thread and scan_by_warp. */
template <unsigned classes>
DEVICE void scan_share(const struct share &share, auto is, auto class_of, uint32_t (&number)[classes], auto put)
{
    if (share.strided)
        scan_by_thread(share.first, share.end, is, class_of, number, put);
    else
        scan_by_warp(share.first, share.end, is, class_of, number, put);
}

/* Section 4.2: calls put for every frontier. In each class the numbers ascend in the order of the places. Sets total
 * to the number of frontiers in each class before put is called. Returns false if a wait timed out. */
template <unsigned classes>
DEVICE bool double_scan(const struct search &search, struct shared *shared, const struct places &places, auto is,
                        auto class_of, uint32_t (&total)[classes], auto put)
{
    uint32_t count[classes] = {}, number[classes];
    const struct share share = share_of(places);
    scan_share(share, is, class_of, count, [](unsigned, uint64_t, uint32_t) {});
#pragma unroll
    for (unsigned c = 0; c < classes; c++)
        count[c] = places.strided || lane_id() == 0 ? count[c] : 0; /* one lane keeps the count of its warp */
    if (!sum_before(search, shared, count, number, total))
        return false;
#pragma unroll
    for (unsigned c = 0; c < classes && !places.strided; c++)
        number[c] = __shfl_sync(WHOLE_WARP, number[c], 0);
    scan_share(share, is, class_of, number, put);
    return true;
}

/* Section 4.1: calls put for all frontiers, which are in one class, in any order. Atomics on *count number them. */
DEVICE void single_scan(uint64_t size, uint32_t *count, auto is, auto put)
{
    struct team team = spread_warps();
    for (uint64_t first = (uint64_t)team.rank * TILE; first < size; first += (uint64_t)team.size * TILE) {
        uint32_t mine = look_over(first, size, is), all = __reduce_add_sync(WHOLE_WARP, (uint32_t)__popc(mine));
        if (all == 0)
            continue;
        uint32_t number[1] = {lane_id() == 0 ? atomicAdd(count, all) : 0};
        number[0] = __shfl_sync(WHOLE_WARP, number[0], 0);
        for_each_found(
            first, mine, [](uint64_t) { return 0u; }, number, put);
    }
}

} // namespace BACKEND::xbfs
