/* level.cuh: a level of a search: visits the neighbours of the queued vertices.
 *
 * Counts. Level l adds to count[l % 3], which all threads read after the barrier that ends l. Before that barrier,
 * one thread clears count[(l + 1) % 3]. It was last read between the barriers that ended l - 2 and l - 1. The number
 * of high-degree vertices is kept in the same way. If there are high-degree vertices, a second barrier ends the
 * level. The list of high-degree vertices is written before the first of the two barriers and read before the second.
 */
#pragma once

#include "queue.cuh"

namespace BACKEND::perblock
{

/* The whole warp visits a vertex that has at least WARP_FROM neighbours beyond its record. The whole block visits one
 * that has at least BLOCK_ROUNDS of them per thread, if the block's list has room. */
#define WARP_FROM    64u
#define BLOCK_ROUNDS 2u
/* Neighbours beyond a record that each of SPAN_LANES lanes loads together. Together they load 12, enough for most
 * vertices of meshes. */
#define FEW_IN_FLIGHT 3u

DEVICE bool is_long(const uint4 &record)
{
    return record.z == NO_VERTEX && record.w != NO_VERTEX;
}

/* Visits the neighbours beyond the records of up to LONG_TOGETHER vertices. All lanes of the warp must call it. */
template <unsigned units, bool in_shared, typename level_t>
DEVICE void visit_rests(const struct batch &batch, struct shared *shared, const struct search<level_t> &search,
                        const vertex_t *later, unsigned number)
{
    unsigned place = lane_id() % SPAN_LANES, which = lane_id() / SPAN_LANES;
    struct span mine = {0, 0};
    if (which < number) {
        uint4 record = __ldg(&batch.records[(size_t)later[which] * units + units - 1]);
        mine.edge = (edge_t)record.y << WORD_BITS | record.x;
        mine.end = mine.edge + record.w;
    }
    bool is_high_degree = mine.end - mine.edge >= BLOCK_ROUNDS * blockDim.x;
    uint32_t index =
        is_high_degree && place == 0 ? atomicAdd_block(count_of(shared->num_high_degree, search.level), 1u) : 0;
    index = __shfl_sync(WHOLE_WARP, index, (int)(lane_id() - place));
    if (is_high_degree && index < MOST_HIGH_DEGREE) {
        shared->high_degree[index] = mine;
        mine.edge = mine.end;
    }
    unsigned many = __ballot_sync(WHOLE_WARP, place == 0 && mine.end - mine.edge >= WARP_FROM);
    for (; many != 0; many &= many - 1) {
        int owner = __ffs((int)many) - 1;
        edge_t edge = __shfl_sync(WHOLE_WARP, mine.edge, owner), end = __shfl_sync(WHOLE_WARP, mine.end, owner);
        visit_span<in_shared>(batch, shared, search, {edge + lane_id(), end}, WARP_SIZE);
        if (which == (unsigned)owner / SPAN_LANES)
            mine.edge = mine.end;
    }
    visit_span<in_shared, FEW_IN_FLIGHT>(batch, shared, search, {mine.edge + place, mine.end}, SPAN_LANES);
}

/* A lane's vertex in the queue, and its unit of the vertex's record. NO_VERTEX: the lane has none. */
struct work {
    vertex_t vertex;
    uint4 record;
};

/* Loads the lane's entry of the queue, which has `size` entries. left: the number of entries from this one to the
 * end; 0 if there is none. */
template <unsigned units, typename level_t>
DEVICE struct work load_work(const struct batch &batch, const struct search<level_t> &search, uint32_t size,
                             uint32_t left)
{
    if (left == 0)
        return {NO_VERTEX, {NO_VERTEX, NO_VERTEX, NO_VERTEX, NO_VERTEX}};
    vertex_t vertex = entry(batch, search, size - left);
    return {vertex, __ldg(&batch.records[(size_t)vertex * units + lane_id() % units])};
}

/* Visits the neighbours of the `size` vertices in the queue, with `units` lanes per vertex, and loads the next
 * records meanwhile. has_long: some record may be long. */
template <unsigned units, bool has_long, bool in_shared, typename level_t>
DEVICE void visit_queue(const struct batch &batch, struct shared *shared, const struct search<level_t> &search,
                        uint32_t size)
{
    vertex_t *later = shared->later[threadIdx.x / WARP_SIZE];
    unsigned before = lanes_below(lane_id()), waiting = 0;
    uint32_t first = threadIdx.x / units, stride = blockDim.x / units;
    uint32_t left = size - min(size, first); /* entries from the lane's on */
    if (!__any_sync(WHOLE_WARP, left > 0))
        return;
    struct work work = load_work<units>(batch, search, size, left);
    do {
        left -= min(left, stride);
        struct work next = load_work<units>(batch, search, size, left);
        uint4 record = work.record;
        bool goes_on = has_long && is_long(record);
        vertex_t vertices[UNIT] = {goes_on ? NO_VERTEX : record.x, goes_on ? NO_VERTEX : record.y, record.z,
                                   goes_on ? NO_VERTEX : record.w};
        visit<in_shared>(batch, shared, search, vertices);
        if (work.vertex != NO_VERTEX && lane_id() % units == 0) /* stores before this point would delay the bits */
            note_level(batch, search, work.vertex);
        unsigned more = has_long ? __ballot_sync(WHOLE_WARP, goes_on) : 0;
        if (more != 0) {
            if (goes_on)
                later[waiting + __popc(more & before)] = work.vertex;
            __syncwarp();
            for (waiting += __popc(more); waiting >= LONG_TOGETHER; waiting -= LONG_TOGETHER)
                visit_rests<units, in_shared>(batch, shared, search, &later[waiting - LONG_TOGETHER], LONG_TOGETHER);
            __syncwarp();
        }
        work = next;
    } while (__any_sync(WHOLE_WARP, left > 0));
    if (waiting > 0)
        visit_rests<units, in_shared>(batch, shared, search, later, waiting);
}

/* The whole block visits the neighbours of the listed high-degree vertices. */
template <bool in_shared, typename level_t>
DEVICE void visit_high_degree(const struct batch &batch, struct shared *shared, const struct search<level_t> &search,
                              uint32_t num_high_degree)
{
    for (uint32_t i = 0; i < num_high_degree && i < MOST_HIGH_DEGREE; i++) {
        struct span edges = shared->high_degree[i];
        visit_span<in_shared>(batch, shared, search, {edges.edge + threadIdx.x, edges.end}, blockDim.x);
    }
}

} // namespace BACKEND::perblock
