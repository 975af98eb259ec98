/* paper.cuh: mode=paper: the kernels as in the thesis, with a launch for each step (section 4.2.4).
 *
 * In each iteration the host launches identify and expand and swaps BSA and BSAK. After every few iterations it reads
 * the lengths of the JFQs. Identify compares each vertex found with the one destination of its search, writes the
 * length, and clears the search in the mask (algorithm 7). Expand spreads all bits of a vertex, also those of masked
 * searches (algorithm 8). A vertex joins a JFQ by an atomic of its own. Sizes of workgroups are those of the author's
 * CUDA code of May 2025 and of appendix A: 256 threads to identify; (128, 8) to expand in workgroups; (32, 4) in the
 * coalesced schemes, where the 4 share the edges of a vertex. The first coordinate varies fastest.
 *
 * Who writes what within one launch. Identify: one thread writes each word of the BSAK, the levels of its searches
 * and the lengths of its destination; places in a JFQ are taken by atomics; masks change only by atomics. A thread
 * may read a mask before or after another one clears a search in it. If before, it queues a vertex for a search that
 * has ended, which only costs time: the length is written, and levels after it are not used. Expand writes the BSAK
 * by atomics, and reads BSA and JFQ. The end of a launch orders all this before the next launch. */
#pragma once

#include "search.cuh"

namespace BACKEND::ibfs
{

#define IDENTIFY_THREADS 256 /* threads per workgroup */
#define EXPAND_THREADS   1024

/* Writes the lengths of those searches in `found` whose destination is this vertex. Returns these searches. */
DEVICE uint32_t note_destination(const struct search &search, uint32_t found, uint32_t instance, vertex_t vertex,
                                 uint32_t iteration)
{
    uint32_t ended = 0;
    for (uint32_t left = search.num_destinations > 0 ? found : 0; left != 0; left &= left - 1) {
        uint32_t index = (uint32_t)__ffs((int)left) - 1, which = instance * INSTANCE_SEARCHES + index;
        if (search.destinations[which].vertex != vertex)
            continue;
        __stcg(&search.length[which], iteration);
        ended |= 1u << index;
    }
    return ended;
}

/* ---- workgroups ---- */

/* Returns the blocks of an instance. In the thesis the instance is the second dimension of the dispatch. */
DEVICE struct team team_of_instance(uint32_t num_instances, uint32_t width, uint32_t x)
{
    return {blockIdx.x / num_instances * width + x, gridDim.x / num_instances * width};
}

/* Identify in the workgroup scheme. The number of blocks must be a multiple of num_instances. */
static __global__ void paper_identify_by_threads(struct search search, vertex_t num_vertices, uint32_t iteration)
{
    uint32_t instance = blockIdx.x % search.num_instances;
    struct team team = team_of_instance(search.num_instances, blockDim.x, threadIdx.x);
    uint32_t *joined = &count_of(search.counts, iteration)->length[instance];
    size_t begin = (size_t)instance * num_vertices;
    uint32_t mask = __ldcg(&search.mask[instance]), ended = 0;
    for (uint64_t first = team.rank - lane_id(); first < num_vertices; first += team.size) {
        uint64_t vertex = first + lane_id();
        bool has = vertex < num_vertices;
        uint32_t seen = has ? __ldcg(&search.bsa[begin + vertex]) : 0;
        uint32_t before = has ? __ldcg(&search.bsak[begin + vertex]) : 0, diff = (seen ^ before) & mask;
        if (diff != 0) {
            __stcg(&search.bsak[begin + vertex], before | seen);
            __stcg(&search.jfq[begin + atomicAdd(joined, 1u)], (vertex_t)vertex);
            ended |= note_destination(search, diff, instance, (vertex_t)vertex, iteration);
        }
        if (search.level != NULL)
            note_levels(search.level, word_of(search.level_layout, (vertex_t)vertex, instance), diff, iteration);
    }
    if (ended != 0)
        atomicAnd(&search.mask[instance], ~ended);
}

/* Expand in the workgroup scheme. The y threads of a block that share a vertex's edges are not neighbours, since x
 * varies fastest. */
template <typename offset_t>
static __global__ void __launch_bounds__(EXPAND_THREADS, 2)
    paper_expand_by_threads(csr<offset_t> graph, struct search search, uint32_t edge_threads, uint32_t iteration)
{
    uint32_t instance = blockIdx.x % search.num_instances;
    uint32_t width = blockDim.x / edge_threads, x = threadIdx.x % width, y = threadIdx.x / width;
    struct team team = team_of_instance(search.num_instances, width, x);
    size_t begin = (size_t)instance * graph.num_vertices;
    uint32_t length = __ldcg(&count_of(search.counts, iteration)->length[instance]);
    clear_next_counts(search, iteration);
    for (uint64_t i = team.rank; i < length; i += team.size) {
        vertex_t vertex = __ldcg(&search.jfq[begin + i]);
        uint32_t seen = __ldcg(&search.bsa[begin + vertex]);
        offset_t end = graph.offsets[vertex + 1];
        for (offset_t e = graph.offsets[vertex] + y; e < end; e += edge_threads)
            atomicOr(&search.bsak[begin + graph.targets[e]], seen);
    }
}

/* ---- coalesced ---- */

/* Identify in the coalesced schemes: each warp takes a vertex, each lane an instance. Bottom-up, a vertex joins the
 * queue if some active search had not seen it one iteration earlier (algorithm 10). */
static __global__ void paper_identify_by_warps(struct search search, vertex_t num_vertices, bool bottom_up,
                                               uint32_t iteration)
{
    struct team team = grid_warps();
    uint32_t *joined = &count_of(search.counts, iteration)->length[0];
    uint32_t mask = __ldcg(&search.mask[lane_id()]), ended = 0;
    for (uint64_t vertex = team.rank; vertex < num_vertices; vertex += team.size) {
        size_t word = word_of(search.layout, (vertex_t)vertex, lane_id());
        uint32_t seen = __ldcg(&search.bsa[word]), before = __ldcg(&search.bsak[word]);
        uint32_t diff = (seen ^ before) & mask;
        if (__ballot_sync(WHOLE_WARP, (bottom_up ? ~before & mask : diff) != 0) == 0)
            continue;
        __stcg(&search.bsak[word], before | seen);
        ended |= note_destination(search, diff, lane_id(), (vertex_t)vertex, iteration);
        if (search.level != NULL)
            note_levels(search.level, word_of(search.level_layout, (vertex_t)vertex, lane_id()), diff, iteration);
        if (lane_id() == 0)
            __stcg(&search.jfq[atomicAdd(joined, 1u)], (vertex_t)vertex);
    }
    if (ended != 0)
        atomicAnd(&search.mask[lane_id()], ~ended);
}

/* Expand in the coalesced schemes: a block takes a vertex, and its warps share the edges. */
template <typename offset_t>
static __global__ void paper_expand_by_warps(csr<offset_t> graph, struct search search, uint32_t iteration)
{
    struct team warps = block_warps();
    uint32_t length = __ldcg(&count_of(search.counts, iteration)->length[0]);
    clear_next_counts(search, iteration);
    for (uint64_t i = blockIdx.x; i < length; i += gridDim.x) {
        vertex_t vertex = __ldcg(&search.jfq[i]);
        uint32_t seen = __ldcg(&search.bsa[word_of(search.layout, vertex, lane_id())]);
        offset_t end = graph.offsets[vertex + 1];
        for (offset_t e = graph.offsets[vertex] + warps.rank; e < end; e += warps.size)
            atomicOr(&search.bsak[word_of(search.layout, graph.targets[e], lane_id())], seen);
    }
}

/* Bottom-up expand (algorithm 11): a lane reads in-neighbours until all its searches have seen the vertex. */
template <typename offset_t>
static __global__ void paper_pull_by_warps(csr<offset_t> in_edges, struct search search, uint32_t iteration)
{
    struct team warps = block_warps();
    uint32_t length = __ldcg(&count_of(search.counts, iteration)->length[0]);
    clear_next_counts(search, iteration);
    for (uint64_t i = blockIdx.x; i < length; i += gridDim.x) {
        vertex_t vertex = __ldcg(&search.jfq[i]);
        size_t word = word_of(search.layout, vertex, lane_id());
        uint32_t seen = __ldcg(&search.bsa[word]);
        offset_t end = in_edges.offsets[vertex + 1];
        for (offset_t e = in_edges.offsets[vertex] + warps.rank; e < end && seen != UINT32_MAX; e += warps.size)
            seen |= __ldcg(&search.bsa[word_of(search.layout, in_edges.targets[e], lane_id())]);
        atomicOr(&search.bsak[word], seen);
    }
}

} // namespace BACKEND::ibfs
