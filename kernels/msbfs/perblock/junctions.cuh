/* junctions.cuh: distances of junctions, for graphs whose chains (paths of vertices of degree 2) become edges
 * (chains.h).
 *
 * Most vertices of road networks have degree 2, so a level is mostly a step along chains. If all edges go both ways
 * and no search may end early, the graph is contracted to its junctions. A block finds their distances, and
 * spread_kernel computes the levels of all vertices from them, for many sources together. A search then takes some
 * hundred rounds instead of thousands of levels. In a round, junctions are taken from the queue. For each neighbour,
 * an atomic minimum lowers the distance to the junction's distance plus the length of the edge. Neighbours with a
 * lowered distance are queued. A round expands only one bucket, as in delta-stepping: junctions whose distance
 * exceeds the least one in the queue by more than the bucket's width stay queued. Without buckets, a junction of a
 * road network would be expanded 50 times.
 *
 * Why the distances are right. Every distance is the length of a path. It remains to show that a junction is expanded
 * after its distance was last lowered. The bit of a junction says that it is queued. A thread that lowers a distance
 * sets the bit afterwards, and queues the junction if the bit was clear. A thread that takes a junction out clears
 * the bit before it reads the distance; if the distance is too far, it puts the junction back in the same way. If the
 * bit was already set when the distance was lowered, it is cleared later, and then the lower distance is read. Fences
 * keep both orders. So a junction is in a queue at most once. It may have been taken out of this round's queue and be
 * in the next round's queue, so the ring has twice as many places as junctions. A round that expands no junction
 * lowers no distance. Then the least distance recorded for the queue is exact, and the bucket of the next round
 * contains a junction. */
#pragma once

#include "../../../src/graph/chains.h"
#include "search.cuh"

namespace BACKEND::perblock
{

#define FIRST_EDGES 4u /* edges of a junction that are loaded together; two edges per uint4 */
#define GROUP_SIZE  8u /* sources whose distances are stored side by side */

/* The graph of junctions (chains.h) on the device. */
struct junctions {
    uint32_t number;       /* 0 if the original graph is searched */
    uint32_t bucket_width; /* width in steps, at least 1 */
    const uint64_t *offsets;
    const struct chain_edge *edges;
    const struct chain_edge *first_edges; /* number x FIRST_EDGES; copies of first edges; length 0 if none */
    const struct chain_place *places;
    const uint32_t *positions;
    uint32_t *distances; /* for each group of GROUP_SIZE sources: number x GROUP_SIZE */
};

/* Queues the lanes' junctions that are not queued yet. NO_VERTEX: none. All lanes of the warp must call it. */
template <bool in_shared, unsigned number>
DEVICE void queue_junctions(const struct batch &batch, struct shared *shared, const struct search<uint32_t> &search,
                            uint32_t (&these)[number], const uint32_t (&distances)[number])
{
    uint32_t least = UNREACHED;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        least = these[i] != NO_VERTEX && distances[i] < least ? distances[i] : least;
    least = __reduce_min_sync(WHOLE_WARP, least);
    if (least == UNREACHED)
        return;
    if (lane_id() == 0)
        atomicMin_block(count_of(shared->least, search.level), least);
    __threadfence_block(); /* distances are lowered before bits are read */
    visit<in_shared>(batch, shared, search, these);
}

/* Lowers the distance of each neighbour to `distance` plus the length of its edge. An edge of length 0 is skipped.
 * All lanes of the warp must call it. */
template <bool in_shared>
DEVICE void lower(const struct batch &batch, struct shared *shared, const struct search<uint32_t> &search,
                  uint32_t *distances, uint32_t distance, const struct chain_edge (&edges)[FIRST_EDGES])
{
    uint32_t these[FIRST_EDGES], old[FIRST_EDGES], offered[FIRST_EDGES];
#pragma unroll
    for (unsigned i = 0; i < FIRST_EDGES; i++) {
        offered[i] = distance + edges[i].length;
        old[i] = min_if(edges[i].length > 0, &distances[(size_t)edges[i].junction * GROUP_SIZE], offered[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < FIRST_EDGES; i++)
        these[i] = offered[i] < old[i] ? edges[i].junction : NO_VERTEX; /* old is 0 without an edge */
    queue_junctions<in_shared>(batch, shared, search, these, offered);
}

/* Takes the `size` junctions out of the queue, one per lane. For those nearer than `limit`, lowers the distances of
 * their neighbours. Puts the others back. */
template <bool in_shared>
DEVICE void offer(const struct batch &batch, const struct junctions &junctions, struct shared *shared,
                  const struct search<uint32_t> &search, uint32_t *distances, uint32_t size, uint64_t limit)
{
    for (uint64_t first = threadIdx.x; first - lane_id() < size; first += blockDim.x) {
        uint32_t junction = first < size ? entry(batch, search, (uint32_t)first) : NO_VERTEX;
        struct chain_edge edges[FIRST_EDGES] = {};
        uint64_t edge = 0, end = 0;
        if (first < size)
            atomicAnd(&search.bitmap[word_of(junction)], ~(1u << number_of_bit(junction)));
        __threadfence_block(); /* the bit is cleared before the distance is read */
        uint32_t distance = load_relaxed_if(first < size, &distances[(size_t)junction * GROUP_SIZE]);
        bool is_far = first < size && distance >= limit;
        if (first < size) {
            const uint4 *record = (const uint4 *)&junctions.first_edges[(size_t)junction * FIRST_EDGES];
            uint4 two = __ldg(&record[0]), more = __ldg(&record[1]);
            edge = junctions.offsets[junction] + FIRST_EDGES;
            end = is_far ? 0 : junctions.offsets[junction + 1];
            if (!is_far) {
                edges[0] = {two.x, two.y};
                edges[1] = {two.z, two.w};
                edges[2] = {more.x, more.y};
                edges[3] = {more.z, more.w};
            }
        }
        lower<in_shared>(batch, shared, search, distances, distance, edges);
        for (; __any_sync(WHOLE_WARP, edge < end); edge += FIRST_EDGES) {
            for (unsigned i = 0; i < FIRST_EDGES; i++)
                edges[i] = edge + i < end ? junctions.edges[edge + i] : chain_edge{};
            lower<in_shared>(batch, shared, search, distances, distance, edges);
        }
        uint32_t back[] = {is_far ? junction : NO_VERTEX}, its_distance[] = {distance};
        queue_junctions<in_shared>(batch, shared, search, back, its_distance);
    }
}

/* Sets the distances of the junctions at the two ends of the source's chain; if the source is a junction, sets its
 * distance. One warp calls it. */
template <bool in_shared>
DEVICE void begin_at(const struct batch &batch, struct shared *shared, const struct search<uint32_t> &search,
                     uint32_t *distances, const struct chain_place &source)
{
    uint32_t these[] = {NO_VERTEX}, distance[] = {source.steps[lane_id() % 2]};
    if (lane_id() < 2) {
        these[0] = source.junction[lane_id()];
        atomicMin(&distances[(size_t)these[0] * GROUP_SIZE], distance[0]);
    }
    queue_junctions<in_shared>(batch, shared, search, these, distance);
}

/* Finds the distances of all junctions from one source after another, in rounds, until the queue is empty. */
template <bool in_shared>
__global__ void __launch_bounds__(MOST_THREADS, 1) junctions_kernel(struct batch batch, struct junctions junctions)
{
    struct shared *shared = block_shared<struct shared>();
    struct search<uint32_t> search;
    for (;;) {
        uint32_t which = take_source<in_shared>(batch, shared, &search);
        if (which >= batch.num_sources)
            return;
        uint32_t *distances =
            junctions.distances + (size_t)(which / GROUP_SIZE) * junctions.number * GROUP_SIZE + which % GROUP_SIZE;
        if (threadIdx.x < WARP_SIZE)
            begin_at<in_shared>(batch, shared, search, distances, junctions.places[batch.sources[which]]);
        __syncthreads();
        for (uint32_t size = shared->count[0]; size > 0; size = *count_of(shared->count, search.level)) {
            uint64_t limit = (uint64_t)*count_of(shared->least, search.level) + junctions.bucket_width;
            begin_level(batch, &search, size);
            if (threadIdx.x == 0) {
                *count_of(shared->count, search.level + 1) = 0;
                *count_of(shared->least, search.level + 1) = UNREACHED;
            }
            offer<in_shared>(batch, junctions, shared, search, distances, size, limit);
            __syncthreads();
        }
    }
}

} // namespace BACKEND::perblock
