/* warpnet.cuh: common parts of WarpNet's BFS (warpnet.cu) and its topological sort (../topo/kahn.cu): device memory,
 * appending to the queue, options, and steps of the host.
 *
 * In the persistent kernels, blocks exchange data through L2 and read it with __ldcg, since a line in L1 may be older
 * than the last barrier. The count of a level is the size of the next frontier, or a flag that it is not empty;
 * counts are used in rotation (../device/grid_barrier.cuh). */
#pragma once

#include <utility>

#include "../backend/backend.h"
#include "../device/bitmap.cuh"
#include "../device/grid_barrier.cuh"
#include "../device/ids.cuh"
#include "../device/warp.cuh"

namespace BACKEND::warpnet
{

/* Device memory of a traversal. Arrays that a variant does not use are NULL. */
struct search {
    uint32_t *level;           /* num_vertices; UNREACHED until found */
    vertex_t *queue;           /* num_vertices; the vertices found so far, by level or in topological order */
    uint32_t *frontier, *next; /* num_words each; bitmaps; between levels `next` is empty.
                                  In kahn with mode=paper: lists of up to num_vertices vertices */
    uint32_t *in_degree;       /* num_vertices */
    uint32_t *waiting;         /* num_vertices; in-neighbours that are not yet in the order */
    uint32_t *counts;          /* NUM_COUNTS */
    uint32_t *num_ordered;     /* a single word: length of the finished order */
    struct grid_barrier *barrier;
    vertex_t *parent; /* num_vertices; NULL if not wanted */
    uint32_t max_level;
    const struct destination *targets; /* num_targets; if 0, the search does not end early */
    uint32_t num_targets;
    struct level_end *trace; /* num_vertices + 2, by level; NULL without --profile */
};

struct shared {
    uint32_t broadcast;
};

/* Appends each lane's vertices[i] to the queue of *count entries, if has[i]. All lanes of the warp must call it. */
template <unsigned number>
DEVICE void append(vertex_t *queue, uint32_t *count, const vertex_t (&vertices)[number], const bool (&has)[number])
{
    warp_append(count, has, [&](unsigned i, uint32_t place) { __stcg(&queue[place], vertices[i]); });
}

/* ---- host side ---- */

/* Returns a grid of num_threads threads, rounded up to blocks of `block` threads; at least one block. */
static inline struct grid grid_of(uint64_t num_threads, unsigned block)
{
    uint64_t blocks = (num_threads + block - 1) / block;
    return {blocks > 0 ? (unsigned)blocks : 1, block};
}

/* The options that all variants have; a variant's own options follow them. */
enum { MODE, BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS, NUM_COMMON_OPTIONS };
#define COMMON_OPTIONS(mode, threads)                                                                                  \
    MODE_OPTION(mode), BLOCK_SIZE_OPTION(threads, 1024, .paper = "256"), BLOCKS_PER_SM_OPTION(2), OFFSET_BITS_OPTION

struct state {
    struct gpu_graph graph;
    struct gpu_arena memory;   /* owns the arrays of the search */
    struct gpu_arena of_query; /* owns the arrays of a query's limits */
    struct search search;
    size_t num_words; /* number of words of a bitmap */
    struct grid grid;
};

/* Takes over the graph, allocates the barrier and the counts, and plans the kernel's grid.
 * Returns the state; NULL after an error. */
static inline struct state *prepare_common(struct run *run, struct gpu_graph *graph, const void *kernel)
{
    struct error *error = run->error;
    struct state *state = (struct state *)run->state;
    state->graph = std::exchange(*graph, {});
    state->num_words = bitmap_words(run->graph->num_vertices);
    state->search.counts = gpu_take<uint32_t>(&state->memory, NUM_COUNTS, "the counts", error);
    state->search.barrier = gpu_take<struct grid_barrier>(&state->memory, 1, "the barrier", error);
    gpu_plan_grid(kernel, gpu_block_size(run->options[BLOCK_SIZE], error), (unsigned)run->options[BLOCKS_PER_SM],
                  sizeof(struct shared), &state->grid, error);
    return error->status == STATUS_OK ? state : NULL;
}

static inline int reset_counts(struct run *run, const struct search *search)
{
    gpu_clear(search->counts, NUM_COUNTS, run->error);
    return gpu_clear(search->barrier, 1, run->error);
}

} // namespace BACKEND::warpnet
