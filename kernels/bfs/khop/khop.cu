/* khop.cu: `bfs khop`, a BFS for graphs of high diameter. A round advances k levels instead of one.
 *
 * A BFS with thousands of thin levels is bound by latency. With an index, a round expands balls: all vertices within
 * k steps of a vertex, with their distances. One load finds all vertices that k levels would find. Levels only
 * decrease, so the order of the work does not matter, and the blocks need no grid barrier. Without an index
 * (index-mb=0, or no memory for one), one cluster of blocks runs level by level and keeps its queue in shared memory.
 *
 * In the order of the data:
 *   index.cuh      the index: rows of entries
 *   ball.cuh       how a warp grows a ball
 *   build.cuh      the options, the choice of k by a sample, and the building of the index
 *   items.cuh      items of work, and how blocks send them to each other
 *   rounds.cuh     the kernel with the index, and a proof of its levels
 *   cluster.cuh    the kernel without the index
 * This file prepares a run, launches the kernels and fetches the result. */
#include <stdio.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "../../graph/parents.cuh"
#include "../../graph/transpose.h"
#include "build.cuh"
#include "cluster.cuh"
#include "rounds.cuh"

namespace BACKEND::khop
{

/* If the mean ball has this many entries, and this many per level, most entries cannot lower a level. Then expanding
 * a ball reads the levels before it lowers them. */
#define FILTER_FROM_MEAN  80.0
#define FILTER_FROM_LEVEL 12.0
#define LARGE_MEAN        128.0 /* from this mean number of entries on, a lane loads UNROLL_LARGE entries together */
#define UNROLL_SMALL      2u
#define UNROLL_LARGE      4u
#define MAX_GRID_BLOCKS   1024u

struct state {
    struct gpu_graph graph; /* freed after preparing, unless the cluster or the parents need it */
    struct gpu_graph in;    /* the transpose of a directed graph, if parents are wanted */
    struct stored_index index;
    struct gpu_arena memory;       /* owns the arrays of a traversal */
    struct search search;          /* for traversals with the index */
    struct cluster_search cluster; /* for traversals without the index */
    vertex_t *parent;              /* num_vertices, if parents are wanted */
    double mean_entries;           /* mean number of entries of a row */
    bool filter;                   /* levels are read before they are lowered */
    bool few_places;               /* the cluster's inboxes have FEW_INBOX_PLACES places */
    struct grid grid;
    size_t shared_bytes;
};

static bool wants_parents(const struct run *run)
{
    return run->outputs & OUTPUT_PARENT;
}

static const uint32_t *level_of(const struct state *state)
{
    return state->index.k > 0 ? state->search.level : state->cluster.level;
}

/* ---- preparing ---- */

template <typename word_t>
using rounds_kernel_t = void (*)(struct ball_index<word_t>, struct search, vertex_t);

/* Returns the instance of rounds_kernel for this size of balls. */
template <typename word_t, bool profiled>
static rounds_kernel_t<word_t> rounds_kernel_of_size(const struct state *state)
{
    return state->filter                      ? rounds_kernel<word_t, UNROLL_LARGE, true, profiled>
           : state->mean_entries < LARGE_MEAN ? rounds_kernel<word_t, UNROLL_SMALL, false, profiled>
                                              : rounds_kernel<word_t, UNROLL_LARGE, false, profiled>;
}

template <typename word_t>
static rounds_kernel_t<word_t> rounds_kernel_for(const struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    return run->profile ? rounds_kernel_of_size<word_t, true>(state) : rounds_kernel_of_size<word_t, false>(state);
}

/* Decides whether expanding a ball reads the levels before it lowers them. */
static void choose_filter(struct run *run)
{
    struct state *state = (struct state *)run->state;
    double mean = (double)state->index.counts.num_entries / run->graph->num_vertices;
    state->mean_entries = mean;
    state->filter = mean >= FILTER_FROM_MEAN && mean >= FILTER_FROM_LEVEL * state->index.k;
}

/* Shortens the lists to what fits into shared memory. If even the shortest do not fit, planning the grid fails
 * later. */
static void size_lists(struct run *run)
{
    struct state *state = (struct state *)run->state;
    size_t limit, all = sizeof(struct shared);
    gpu_shared_limit(&limit, run->error);
    size_t lacking = limit < all ? (all - limit + TASK_BYTES_OF_ITEM - 1) / TASK_BYTES_OF_ITEM : 0;
    lacking = lacking < MAX_LIST_SIZE - LEAST_LIST_SIZE ? lacking : MAX_LIST_SIZE - LEAST_LIST_SIZE;
    uint32_t fit = MAX_LIST_SIZE - (uint32_t)lacking, wanted = sizes_of(run)->list_size;
    state->shared_bytes = all - lacking * TASK_BYTES_OF_ITEM;
    state->search.list_size = wanted < fit ? wanted : fit;
}

/* Allocates the arrays of a traversal with the index. The number of blocks is a power of two. */
static void prepare_rounds(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    size_t n = run->graph->num_vertices;
    choose_filter(run);
    const void *kernel =
        with_width(state->index.wide, [&]<typename word_t>() { return (const void *)rounds_kernel_for<word_t>(run); });
    size_lists(run);
    gpu_plan_grid(kernel, THREADS, 1, state->shared_bytes, &state->grid, error);
    unsigned blocks = std::min(std::bit_floor(state->grid.blocks), MAX_GRID_BLOCKS);
    state->grid.blocks = blocks;
    search->num_vertices = (vertex_t)n;
    search->k = state->index.k;
    size_t most_items = (size_t)blocks * MAX_LIST_SIZE * 2 * 2;
    search->level = gpu_take<uint32_t>(memory, (n + 3) / 4 * 4, "the levels", error);
    search->overflow = gpu_take<uint64_t>(memory, most_items, "the mailboxes", error);
    search->mailboxes = take_mailboxes(memory, blocks, error);
    search->trace = gpu_take_trace(run, memory);
}

/* Returns the instance of cluster_kernel whose inboxes fit into shared memory. */
template <typename offset_t, bool profiled>
static auto cluster_kernel_of_size(const struct state *state)
{
    return state->few_places ? cluster_kernel<offset_t, FEW_INBOX_PLACES, profiled>
                             : cluster_kernel<offset_t, INBOX_PLACES, profiled>;
}

template <typename offset_t>
static auto cluster_kernel_for(const struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    return run->profile ? cluster_kernel_of_size<offset_t, true>(state)
                        : cluster_kernel_of_size<offset_t, false>(state);
}

/* Allocates the arrays of a traversal without an index, and writes the records. */
static void prepare_cluster(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct cluster_search *search = &state->cluster;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    size_t n = run->graph->num_vertices, most_spilled = n + run->graph->num_edges / EDGES_A_PIECE + 1;
    uint32_t wanted = LISTS_AN_INBOX * sizes_of(run)->list_size;
    size_t limit, all = sizeof(struct cluster_queue<INBOX_PLACES>);
    state->few_places = gpu_shared_limit(&limit, error) == STATUS_OK && limit < all;
    state->shared_bytes = state->few_places ? sizeof(struct cluster_queue<FEW_INBOX_PLACES>) : all;
    search->inbox = state->few_places && wanted > FEW_INBOX_PLACES ? FEW_INBOX_PLACES : wanted;
    search->level = gpu_take<uint32_t>(memory, n, "the levels", error);
    search->spilled = gpu_take<uint2>(memory, most_spilled, "the queue", error);
    search->num_spilled = gpu_take<uint32_t>(memory, NUM_COUNTS, "the queue", error);
    search->trace = gpu_take_trace(run, memory);
    uint4 *records = gpu_take<uint4>(memory, n, "the records", error);
    search->records = records;
    with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
        gpu_plan_cluster((const void *)cluster_kernel_for<offset_t>(run), THREADS, MAX_CLUSTER_BLOCKS,
                         state->shared_bytes, &state->grid, error);
        return gpu_launch(make_records<offset_t>, gpu_wide_grid(n), 0, error, graph, records);
    });
}

static void describe(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const struct stored_index *index = &state->index;
    const struct ball_counts *counts = &index->counts;
    if (index->k == 0)
        snprintf(run->note, sizeof run->note, "no index%s, one cluster of %u blocks",
                 run->options[INDEX_MB] == 0 ? "" : " (none fits in its memory)", state->grid.blocks);
    else
        snprintf(run->note, sizeof run->note,
                 "index: k=%u, %llu entries of %u bits, %.1f per vertex, %.1f MB, %u of smaller radius; %u blocks%s",
                 index->k, (unsigned long long)counts->num_entries, index->wide ? 64 : 32,
                 (double)counts->num_entries / run->graph->num_vertices,
                 index_bytes(run, (double)counts->num_units) / MEGABYTE, counts->num_cut, state->grid.blocks,
                 state->filter ? ", levels read first" : "");
}

int prepare(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    state->graph = std::exchange(*graph, {});
    gpu_time_build(run, [&] {
        choose_index(run, &state->graph, &state->index);
        state->index.k > 0 ? prepare_rounds(run) : prepare_cluster(run);
    });
    if (wants_parents(run)) {
        state->parent = gpu_take<vertex_t>(&state->memory, run->graph->num_vertices, "the parents", run->error);
        if (!run->graph->symmetric)
            gpu_transpose(&state->graph, &state->in, run->error);
    }
    if (state->index.k > 0 && (!wants_parents(run) || !run->graph->symmetric))
        gpu_graph_free(&state->graph);
    if (gpu_wait("preparing", run->error) == STATUS_OK)
        describe(run);
    return run->error->status;
}

/* ---- traversing ---- */

template <typename word_t>
static int launch_rounds(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    const struct ball_index<word_t> index = {
        state->index.rows, (const word_t *)state->index.entries, state->index.distance_bits
    };
    return gpu_launch_persistent(rounds_kernel_for<word_t>(run), state->grid, state->shared_bytes, run->error, index,
                                 state->search, source);
}

template <typename offset_t>
static int launch_cluster(struct run *run, const csr<offset_t> &graph, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    return gpu_launch_persistent(cluster_kernel_for<offset_t>(run), state->grid, state->shared_bytes, run->error, graph,
                                 state->cluster, source);
}

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct gpu_graph *in = run->graph->symmetric ? &state->graph : &state->in;
    vertex_t source = query->sources[0];
    run_kernel_begin(run);
    if (state->index.k > 0)
        with_width(state->index.wide, [&]<typename word_t>() { return launch_rounds<word_t>(run, source); });
    else
        with_offsets(&state->graph, [&](auto graph) { return launch_cluster(run, graph, source); });
    if (wants_parents(run))
        with_offsets(in, [&](auto in_edges) {
            return launch_parents(in_edges, level_of(state), state->parent, source, run->error);
        });
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    size_t n = run->graph->num_vertices;
    if (state->index.k > 0)
        check_mailboxes(&state->search.mailboxes, "bfs khop", run->error);
    gpu_fetch(result->level, level_of(state), n, run->error);
    gpu_fetch(result->parent, state->parent, n, run->error);
    if (state->index.k > 0)
        return gpu_fetch_trace(run, state->search.trace, NULL, result, state->index.k);
    return gpu_fetch_trace(run, state->cluster.trace, NULL, result);
}

static void release(struct run *run)
{
    free_index(&((struct state *)run->state)->index);
    release_state<struct state, &state::memory, &state::graph, &state::in>(run);
}

GPU_ALGORITHM(bfs_khop) = {
    .family = "bfs",
    .variant = "khop",
    .title = "a k-hop index, k levels per round",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
    .profiled = true,
};

} // namespace BACKEND::khop
