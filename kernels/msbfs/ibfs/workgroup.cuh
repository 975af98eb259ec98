/* workgroup.cuh: the scheme ibfs-workgroup (section 4.3.2). Each instance has its own JFQ. */
#pragma once

#include "search.cuh"

namespace BACKEND::ibfs
{

#define DEFAULT_EDGE_THREADS 3 /* log2: 8 threads per vertex, the best y in figure 4.2 */

/* Distributes the instances over the blocks. If there are more blocks than instances, blocks share an instance. */
struct workers {
    struct team team;                /* the threads that share an instance */
    uint32_t first_instance, stride; /* this block's instances: the first one, and the step to the next */
};

DEVICE struct workers workers_of_instance(uint32_t num_instances)
{
    uint32_t groups = min(num_instances, gridDim.x), group = blockIdx.x % groups;
    uint32_t blocks = (gridDim.x - 1 - group) / groups + 1;
    return {{blockIdx.x / groups * blockDim.x + threadIdx.x, blocks * blockDim.x}, group, groups};
}

/* Identifies the frontier of one instance, with one thread per vertex. */
DEVICE void identify_by_threads(const struct search &search, vertex_t num_vertices, struct team team, uint32_t instance,
                                struct queue_lengths *counts, uint32_t iteration)
{
    size_t n = num_vertices;
    const uint32_t *bsa = search.bsa + instance * n;
    uint32_t *bsak = search.bsak + instance * n;
    vertex_t *jfq = search.jfq + instance * n;
    uint32_t mask = __ldcg(&search.mask[instance]);
    for (uint64_t first = team.rank - lane_id(); first < num_vertices; first += team.size) {
        uint64_t vertex = first + lane_id();
        bool has = vertex < num_vertices;
        uint32_t seen = has ? __ldcg(&bsa[vertex]) : 0, diff = has ? seen ^ __ldcg(&bsak[vertex]) : 0;
        if (diff != 0)
            __stcg(&bsak[vertex], seen);
        join(jfq, &counts->length[instance], (vertex_t)vertex, (diff & mask) != 0);
        if ((diff & mask) != 0)
            __stcg(&counts->any, 1u);
        if (search.level != NULL)
            note_levels(search.level, word_of(search.level_layout, (vertex_t)vertex, instance), diff & mask, iteration);
    }
}

/* Expands the JFQ of one instance, with edge_threads threads per vertex. */
template <typename offset_t, uint32_t edge_threads>
DEVICE void expand_by_threads(const csr<offset_t> &graph, struct team team, const vertex_t *jfq, uint32_t length,
                              uint32_t mask, const uint32_t *bsa, uint32_t *bsak)
{
    for (uint64_t i = team.rank / edge_threads; i < length; i += team.size / edge_threads) {
        vertex_t vertex = __ldcg(&jfq[i]);
        uint32_t seen = __ldcg(&bsa[vertex]) & mask;
        offset_t end = graph.offsets[vertex + 1];
#pragma unroll 4
        for (offset_t e = graph.offsets[vertex] + team.rank % edge_threads; e < end; e += edge_threads)
            atomicOr(&bsak[graph.targets[e]], seen);
    }
}

/* Runs all iterations. trace: one pointer to the ends of levels, or none. */
template <typename offset_t, uint32_t edge_threads, typename... trace_t>
__global__ void __launch_bounds__(MOST_THREADS, MANY_BLOCKS)
    workgroup_kernel(csr<offset_t> graph, struct search search, trace_t... trace)
{
    struct shared *shared = block_shared<struct shared>();
    struct workers workers = workers_of_instance(search.num_instances);
    size_t n = graph.num_vertices;
    if (is_first_thread())
        (end_level(trace, 0, LEVEL_TOP_DOWN), ...);
    for (uint32_t iteration = 0;; iteration++) {
        struct queue_lengths *counts = count_of(search.counts, iteration);
        uint32_t *newest = search.bsak;
        search.bsak = search.bsa;
        search.bsa = newest;
        for (uint32_t i = workers.first_instance; i < search.num_instances; i += workers.stride)
            identify_by_threads(search, graph.num_vertices, workers.team, i, counts, iteration);
        uint32_t any = grid_wait(search.barrier, &counts->any, &shared->broadcast);
        if (any == UINT32_MAX)
            return;
        watch_destinations(search, search.bsa, iteration);
        if (any == 0)
            return;
        clear_next_counts(search, iteration);
        for (uint32_t i = workers.first_instance; i < search.num_instances; i += workers.stride)
            expand_by_threads<offset_t, edge_threads>(graph, workers.team, search.jfq + i * n,
                                                      __ldcg(&counts->length[i]), __ldcg(&search.mask[i]),
                                                      search.bsa + i * n, search.bsak + i * n);
        if (grid_wait(search.barrier, &counts->any, &shared->broadcast) == UINT32_MAX)
            return;
        if (is_first_thread())
            (end_level(trace, iteration + 1, LEVEL_TOP_DOWN), ...);
    }
}

} // namespace BACKEND::ibfs
