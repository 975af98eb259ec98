/* top_down.cuh: top-down levels. */
#pragma once

#include "queues.cuh"

namespace BACKEND::stream
{

/* ---- top-down ---- */

/* Claims those of the neighbours that are not visited, and queues them. looks: before it claims. */
template <unsigned unroll, typename queue_t, typename offset_t>
static __device__ __forceinline__ void
claim(const offset_t *offsets, uint32_t *visited, uint8_t *bytes, uint8_t byte, const queue_t &queue, uint64_t *count,
      unsigned edge_bits, bool checks_first, const vertex_t (&neighbours)[unroll], const bool (&has)[unroll])
{
    bool fresh[unroll];
    uint32_t word[unroll];
    offset_t first[unroll], end[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        word[i] = glance_if(has[i] && checks_first, &visited[neighbours[i] / WARP_SIZE]);
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        fresh[i] = has[i] && !(checks_first && (word[i] & bit_of(neighbours[i])));
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) { /* the row's edges are on their way while the claim is */
        vertex_t id = neighbours[i];
        word[i] = or_if(fresh[i], &visited[id / WARP_SIZE], bit_of(id));
        first[i] = load_if(fresh[i], &offsets[id]);
        end[i] = load_if(fresh[i], &offsets[(size_t)id + 1]);
    }
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) {
        fresh[i] = fresh[i] && !(word[i] & bit_of(neighbours[i]));
        if (fresh[i])
            bytes[neighbours[i]] = byte;
    }
    append(queue, count, edge_bits, fresh, first, end);
}

/* Only marks them. */
template <unsigned unroll>
static __device__ __forceinline__ void mark(uint32_t *visited, bool checks_first,
                                            const vertex_t (&neighbours)[unroll], const bool (&has)[unroll])
{
    uint32_t word[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        word[i] = glance_if(has[i] && checks_first, &visited[neighbours[i] / WARP_SIZE]);
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        if (has[i] && !(checks_first && (word[i] & bit_of(neighbours[i]))))
            atomicOr(&visited[neighbours[i] / WARP_SIZE], bit_of(neighbours[i]));
}

/* A level of all warps; marks: it queues nothing. */
template <typename offset_t>
static __device__ __forceinline__ void go_top_down(const prepared_graph<offset_t> &graph,
                                                   const search<offset_t> &search, const struct rules &rules,
                                                   const struct progress &at, bool marks, uint64_t *count)
{
    global_queue<offset_t> now{current_queue(search, at)}, then{next_queue(search, at)};
    uint32_t *visited = visited_bitmap(search, at);
    offset_t edges = (offset_t)at.edges;
    if (marks) {
        for_each_edge<UNROLL>(graph.out.targets, now, at.size, edges, warps_of_grid(),
                              [&](const vertex_t(&neighbours)[UNROLL], const bool(&has)[UNROLL], const uint64_t *) {
                                  mark(visited, rules.filters_marks, neighbours, has);
                                  return false;
                              });
        return;
    }
    bool checks_first = at.edges > FILTER_FROM;
    uint8_t byte = (uint8_t)(at.level + 1 - at.base);
    for_each_edge<UNROLL>(graph.out.targets, now, at.size, edges, warps_of_grid(),
                          [&](const vertex_t(&neighbours)[UNROLL], const bool(&has)[UNROLL], const uint64_t *) {
                              claim(graph.out.offsets, visited, search.bytes, byte, then, count, rules.edge_bits,
                                    checks_first, neighbours, has);
                              return false;
                          });
}

} // namespace BACKEND::stream
