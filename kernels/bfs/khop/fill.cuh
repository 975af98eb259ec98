/* fill.cuh: the kernels that build the index. count_balls grows every ball to find the length of its row. After
 * a scan of the lengths, fill_balls grows the ball again and writes the row. */
#pragma once

#include "ball.cuh"
#include "index.cuh"

namespace BACKEND::khop
{

#define SORTED true /* whether the entries of a row are sorted */

/* The vertices whose balls a kernel grows. */
struct centres {
    const vertex_t *list; /* NULL: all vertices */
    uint32_t number;
};

static __device__ __forceinline__ vertex_t vertex_at(const struct centres &centres, uint64_t i)
{
    return centres.list != NULL ? centres.list[i] : (vertex_t)i;
}

/* Sums over all balls. */
struct ball_counts {
    uint64_t num_units, num_entries;
    uint32_t num_large;    /* vertices whose balls do not fit into the small workspaces */
    uint32_t num_cut;      /* vertices whose radius is less than k */
    uint32_t num_too_long; /* vertices with more edges than a row can hold */
};

struct build_plan {
    unsigned k, slots;
    uint32_t bound; /* vertices of a ball */
    unsigned distance_bits;
};

/* Writes rows without their first units, and units[v], the number of units, for the scan that finds the first
 * units. If larger workspaces would allow larger balls, vertices whose balls do not fit are listed in `large`
 * instead. */
template <typename offset_t, typename word_t>
__global__ void __launch_bounds__(BUILDER_THREADS)
    count_balls(csr<offset_t> graph, struct build_plan plan, struct centres centres, row_t *rows, uint32_t *units,
                vertex_t *large, struct ball_counts *counts)
{
    struct workspace<word_t> space = own_workspace<word_t>(plan.slots);
    uint32_t bound = min(plan.bound, capacity_of(plan.slots)), num_cut = 0;
    uint64_t num_units = 0, num_entries = 0;
    for (uint64_t i = thread_of_grid() / WARP_SIZE; i < centres.number; i += threads_of_grid() / WARP_SIZE) {
        vertex_t vertex = vertex_at(centres, i);
        uint32_t end = 1;
        uint64_t entries = graph.offsets[vertex + 1] - graph.offsets[vertex];
        unsigned radius = entries <= plan.bound ? grow(graph, space, vertex, plan.k, bound, &end) : 0;
        if (radius < plan.k && bound < plan.bound && entries <= plan.bound) {
            if (lane_id() == 0)
                large[atomicAdd(&counts->num_large, 1u)] = vertex;
            continue;
        }
        if (radius > 0)
            entries = __shfl_sync(WHOLE_WARP, end, (int)radius - 1) - 1;
        uint64_t length = (entries + ENTRIES_OF_UNIT<word_t> - 1) / ENTRIES_OF_UNIT<word_t>;
        if (lane_id() == 0) {
            if (length >= MAX_UNITS)
                atomicAdd(&counts->num_too_long, 1u);
            rows[vertex] = length % MAX_UNITS << UNITS_SHIFT | (row_t)max(radius, 1u) << RADIUS_SHIFT;
            units[vertex] = (uint32_t)length;
        }
        num_units += length;
        num_entries += entries;
        num_cut += radius < plan.k;
    }
    if (lane_id() == 0) {
        atomicAdd((unsigned long long *)&counts->num_units, (unsigned long long)num_units);
        atomicAdd((unsigned long long *)&counts->num_entries, (unsigned long long)num_entries);
        atomicAdd(&counts->num_cut, num_cut);
    }
}

/* Sorts `length` words in shared memory by a bitonic network. length: a power of two. */
template <typename word_t>
static __device__ __forceinline__ void sort_words(word_t *words, unsigned length)
{
    for (unsigned size = 2; size <= length; size *= 2)
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            for (unsigned i = lane_id(); i < length / 2; i += WARP_SIZE) {
                unsigned low = 2 * i - (i & (stride - 1)), high = low + stride;
                word_t a = words[low], b = words[high];
                if ((a > b) == ((low & size) == 0)) {
                    words[low] = b;
                    words[high] = a;
                }
            }
            __syncwarp();
        }
}

/* Turns the vertices on the list into entries and sorts them; returns the first entry. The centre is not an
 * entry: it precedes the first entry, or, if entries are sorted, becomes NO_ENTRY and is last. */
template <typename word_t>
static __device__ __forceinline__ const word_t *
make_entries(const struct workspace<word_t> &space, const struct build_plan &plan, unsigned radius, uint32_t end)
{
    uint32_t first = 1, last = 1;
    for (unsigned distance = 1; distance <= radius; distance++, first = last) {
        last = __shfl_sync(WHOLE_WARP, end, (int)distance - 1);
        for (uint32_t i = first + lane_id(); i < last; i += WARP_SIZE)
            space.list[i] = space.list[i] << plan.distance_bits | distance;
    }
    if (!SORTED) {
        __syncwarp();
        return space.list + 1;
    }
    unsigned length = last < 2 ? 1 : 1u << (WARP_SIZE - (unsigned)__clz((int)(last - 1)));
    if (lane_id() == 0)
        space.list[0] = NO_ENTRY<word_t>;
    for (unsigned i = last + lane_id(); i < length; i += WARP_SIZE)
        space.list[i] = NO_ENTRY<word_t>;
    __syncwarp();
    sort_words(space.list, length);
    return space.list;
}

/* Writes the entries of the rows that count_balls counted. firsts: the first unit of each row. Skips vertices
 * whose balls do not fit into this workspace; a later launch with larger workspaces fills their rows. */
template <typename offset_t, typename word_t>
__global__ void __launch_bounds__(BUILDER_THREADS)
    fill_balls(csr<offset_t> graph, struct build_plan plan, struct centres centres, const uint32_t *firsts,
               row_t *rows, word_t *entries)
{
    struct workspace<word_t> space = own_workspace<word_t>(plan.slots);
    uint32_t bound = min(plan.bound, capacity_of(plan.slots));
    for (uint64_t i = thread_of_grid() / WARP_SIZE; i < centres.number; i += threads_of_grid() / WARP_SIZE) {
        vertex_t vertex = vertex_at(centres, i);
        offset_t edge = graph.offsets[vertex], degree = graph.offsets[vertex + 1] - edge;
        uint32_t end, number;
        row_t row = rows[vertex] >> UNITS_SHIFT << UNITS_SHIFT | firsts[vertex];
        word_t *to = entries + (size_t)first_of(row) * ENTRIES_OF_UNIT<word_t>;
        uint64_t length = (uint64_t)units_of(row) * ENTRIES_OF_UNIT<word_t>;
        if (degree > plan.bound) { /* a high-degree vertex */
            for (uint64_t j = lane_id(); j < length; j += WARP_SIZE)
                to[j] = j < degree ? (word_t)graph.targets[edge + j] << plan.distance_bits | 1 : NO_ENTRY<word_t>;
        } else {
            unsigned radius = grow(graph, space, vertex, radius_of(row), bound, &end);
            if (radius < radius_of(row)) /* a launch with larger workspaces fills this row */
                continue;
            const word_t *from = make_entries(space, plan, radius, end);
            number = __shfl_sync(WHOLE_WARP, end, (int)radius - 1) - 1;
            for (uint64_t j = lane_id(); j < length; j += WARP_SIZE)
                to[j] = j < number ? from[j] : NO_ENTRY<word_t>;
        }
        __syncwarp(); /* every lane has read the row */
        if (lane_id() == 0)
            rows[vertex] = row;
    }
}

} // namespace BACKEND::khop
