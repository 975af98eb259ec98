/* warpnet_paper.cuh: WarpNet's BFS with mode=paper: the kernels as the paper lists them, one launch for each level.
 *
 * The host reads the size of the next frontier back after each level, or, of bitmaps, whether it is empty. It stops
 * at the first empty one, so there are at most as many launches as vertices. Every launch has a thread for each
 * vertex of the queue, or `lanes` threads for each vertex of the graph.
 *
 * Why it is right: all threads of a launch offer the same level, and the compare-and-swap gives it to a vertex once,
 * from the one thread that then queues the vertex or sets its bit. The next launch starts after all of that. */
#pragma once

#include "warpnet.cuh"

namespace BACKEND::warpnet
{

/* A grid of num_threads threads or a few more, in blocks of `block` threads; at least one block. */
static inline struct grid grid_of(uint64_t num_threads, unsigned block)
{
    uint64_t blocks = (num_threads + block - 1) / block;
    return {blocks > 0 ? (unsigned)blocks : 1, block};
}

/* Section 1.3.1: thread i expands vertex i of the frontier. The next frontier follows it in the queue. */
template <typename offset_t>
__global__ void paper_queue_level(csr<offset_t> graph, struct search search, vertex_t *frontier, uint32_t size,
                                  uint32_t level)
{
    uint64_t i = thread_of_grid();
    if (i >= size)
        return;
    vertex_t u = frontier[i], *next = frontier + size;
    for (offset_t e = graph.offsets[u]; e < graph.offsets[u + 1]; e++) {
        vertex_t neighbour = graph.targets[e];
        if (atomicCAS(&search.level[neighbour], UNREACHED, level) == UNREACHED)
            next[atomicAdd(search.counts, 1u)] = neighbour;
    }
}

/* Listings 2 and 3: `lanes` threads take a vertex, and return at once if it is not in the frontier. */
template <typename offset_t>
__global__ void paper_bitmap_level(csr<offset_t> graph, struct search search, uint32_t lanes, uint32_t level)
{
    uint64_t v = thread_of_grid() / lanes;
    if (v >= graph.num_vertices || !(search.frontier[v / 32] & (1u << (v % 32))))
        return;
    for (uint64_t e = graph.offsets[v] + thread_of_grid() % lanes; e < graph.offsets[v + 1]; e += lanes) {
        vertex_t neighbour = graph.targets[e];
        if (atomicCAS(&search.level[neighbour], UNREACHED, level) == UNREACHED) {
            atomicOr(&search.next[neighbour / 32], 1u << (neighbour % 32));
            __stcg(search.counts, 1u); /* the next frontier is not empty */
        }
    }
}

/* ---- host side ---- */

/* Searches from the source, which is in the queue, level by level. */
static inline int paper_queue_search(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    vertex_t *frontier = state->search.queue;
    uint32_t size = 1, next_size = 0;
    for (uint32_t level = 1; size > 0; level++) {
        gpu_clear(state->search.counts, 1, run->error);
        with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
            return gpu_launch(paper_queue_level<offset_t>, grid_of(size, state->grid.threads), 0, run->error, graph,
                              state->search, frontier, size, level);
        });
        gpu_download(&next_size, state->search.counts, 1, run->error); /* 0 after an error */
        frontier += size;
        size = next_size;
    }
    return run->error->status;
}

/* Searches from the source, whose bit is set in the frontier, level by level. */
static inline int paper_bitmap_search(struct run *run, uint32_t lanes)
{
    const struct state *state = (const struct state *)run->state;
    struct search search = state->search;
    struct grid grid = grid_of((uint64_t)run->graph->num_vertices * lanes, state->grid.threads);
    uint32_t more = 1;
    for (uint32_t level = 1; more; level++) {
        gpu_clear(search.counts, 1, run->error);
        with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
            return gpu_launch(paper_bitmap_level<offset_t>, grid, 0, run->error, graph, search, lanes, level);
        });
        gpu_clear(search.frontier, state->num_words, run->error);
        std::swap(search.frontier, search.next);
        gpu_download(&more, search.counts, 1, run->error); /* 0 after an error */
    }
    return run->error->status;
}

} // namespace BACKEND::warpnet
