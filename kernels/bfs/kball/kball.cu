/* kball.cu: bfs kball, a BFS for graphs of high diameter: a round advances k levels instead of one.
 *
 * A BFS of thousands of thin levels is bound by latency. With an index, a round expands balls: all vertices within k
 * steps of a vertex, with their distances. One load gives what k levels would find. Levels only fall, so the order of
 * the work does not matter, and the blocks need no grid barrier. Without an index (index-mb=0, or no memory for one),
 * one cluster of blocks runs level by level and keeps its queue in shared memory.
 *
 * Parts, each with its protocol and the argument for it:
 *   ball.cuh      a warp grows a ball in shared memory
 *   growth.cuh    how balls grow in a graph, by a sample
 *   index.cuh     the index: a row of entries (vertex, distance) for each vertex
 *   fill.cuh      the kernels that build it: count_balls, fill_balls
 *   build.cuh     the host side of building it; how k is chosen
 *   items.cuh     vertices to expand, the lists that hold them, shared and device memory of a traversal
 *   mailbox.cuh   the exchange of items between blocks: one message to every block in each epoch
 *   expand.cuh    expanding a vertex: levels, inner and outer entries; why the result is right in any order
 *   rounds.cuh    the kernel with the index: windows, rounds, and sweeps when lists overflow
 *   cluster.cuh   the kernel without the index
 * This file prepares a run, launches the kernels and fetches the result. */
#include "kball.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../graph/parents.cuh"
#include "../../graph/transpose.h"
#include "build.cuh"
#include "cluster.cuh"
#include "options.cuh"
#include "rounds.cuh"

namespace BACKEND::kball
{

/* In balls with so many entries, and so many per level, most entries cannot lower a level: expanding reads the levels
 * first. */
#define FILTER_FROM_MEAN  80.0
#define FILTER_FROM_LEVEL 12.0
#define LARGE_MEAN        128.0 /* mean entries of a ball from which on a lane has UNROLL_LARGE of them in flight */
#define UNROLL_SMALL      2u
#define UNROLL_LARGE      4u
#define MAX_GRID_BLOCKS   1024u

struct state {
    struct gpu_graph graph; /* freed after preparing, unless the cluster or the parents need it */
    struct gpu_graph in;    /* the transpose of a directed graph, if parents are wanted */
    struct stored_index index;
    struct search search;          /* with the index */
    struct cluster_search cluster; /* without the index */
    vertex_t *parent;              /* num_vertices, if parents are wanted */
    double mean_entries;           /* of a row */
    bool filter;                   /* levels are read before they are lowered */
    struct grid grid;
};

static bool wants_parents(const struct run *run)
{
    return run->outputs & OUTPUT_PARENT;
}

/* ---- preparing ---- */

template <typename word_t>
using rounds_kernel_t = void (*)(struct ball_index<word_t>, struct search, vertex_t);

/* The instantiation of rounds_kernel that suits the balls. */
template <typename word_t>
static rounds_kernel_t<word_t> rounds_kernel_for(const struct state *state)
{
    return state->filter                      ? rounds_kernel<word_t, UNROLL_LARGE, true>
           : state->mean_entries < LARGE_MEAN ? rounds_kernel<word_t, UNROLL_SMALL, false>
                                              : rounds_kernel<word_t, UNROLL_LARGE, false>;
}

/* Decides whether expanding reads levels before it lowers them. */
static void choose_filter(struct run *run)
{
    struct state *state = (struct state *)run->state;
    double mean = (double)state->index.counts.num_entries / run->graph->num_vertices;
    state->mean_entries = mean;
    state->filter = mean >= FILTER_FROM_MEAN && mean >= FILTER_FROM_LEVEL * state->index.k;
}

/* Allocates what a traversal with the index needs. The number of blocks is a power of two. */
static int prepare_rounds(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct error *error = run->error;
    size_t n = run->graph->num_vertices;
    choose_filter(run);
    const void *kernel = state->index.wide ? (const void *)rounds_kernel_for<uint64_t>(state)
                                           : (const void *)rounds_kernel_for<uint32_t>(state);
    if (gpu_plan_grid(kernel, THREADS, 1, sizeof(struct shared), &state->grid, error) != STATUS_OK)
        return error->status;
    unsigned blocks = 1;
    while (2 * blocks <= state->grid.blocks && blocks < MAX_GRID_BLOCKS)
        blocks *= 2;
    state->grid.blocks = blocks;
    search->num_vertices = (vertex_t)n;
    search->k = state->index.k;
    search->list_size = (uint32_t)run->options[LIST_SIZE];
    size_t num_words = (size_t)blocks * blocks * 2 * 2;
    if (gpu_allocate(&search->level, (n + 3) / 4 * 4, "the levels", error) != STATUS_OK ||
        gpu_allocate(&search->mailboxes, num_words, "the mailboxes", error) != STATUS_OK ||
        gpu_allocate(&search->overflow, (size_t)blocks * MAX_LIST_SIZE * 2 * 2, "the mailboxes", error) !=
            STATUS_OK ||
        gpu_allocate(&search->epoch, 1, "the epoch", error) != STATUS_OK ||
        gpu_allocate(&search->broken, 1, "the mailboxes", error) != STATUS_OK ||
        gpu_check(cudaMemset(search->mailboxes, 0, num_words * sizeof *search->mailboxes), "clearing the mailboxes",
                  error) != STATUS_OK ||
        gpu_check(cudaMemset(search->epoch, 0, sizeof *search->epoch), "clearing the epoch", error) != STATUS_OK)
        return error->status;
    return gpu_check(cudaMemset(search->broken, 0, sizeof *search->broken), "clearing the mailboxes", error);
}

/* Allocates what a traversal without an index needs, and writes the records. */
static int prepare_cluster(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct cluster_search *search = &state->cluster;
    struct error *error = run->error;
    const struct gpu_graph *graph = &state->graph;
    size_t n = run->graph->num_vertices, most_spilled = n + run->graph->num_edges / ARCS_A_PIECE + 1;
    uint4 *records = NULL;
    const void *kernel = graph->wide ? (const void *)cluster_kernel<edge_t> : (const void *)cluster_kernel<uint32_t>;
    if (gpu_plan_cluster(kernel, THREADS, MAX_CLUSTER_BLOCKS, sizeof(struct cluster_queue), &state->grid, error) !=
            STATUS_OK ||
        gpu_allocate(&search->level, n, "the levels", error) != STATUS_OK ||
        gpu_allocate(&search->spilled, most_spilled, "the queue", error) != STATUS_OK ||
        gpu_allocate(&search->num_spilled, NUM_COUNTS, "the queue", error) != STATUS_OK ||
        gpu_allocate(&records, n, "the records", error) != STATUS_OK)
        return error->status;
    search->records = records;
    search->inbox = LISTS_AN_INBOX * (uint32_t)run->options[LIST_SIZE];
    if (graph->wide)
        return gpu_launch(make_records<edge_t>, gpu_wide_grid(n), 0, error, csr_of<edge_t>(graph), records);
    return gpu_launch(make_records<uint32_t>, gpu_wide_grid(n), 0, error, csr_of<uint32_t>(graph), records);
}

/* Writes run->note. */
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
                 "index: k=%u, %llu entries of %u bits, %.1f a vertex, %.1f MB, %u of a smaller radius; %u blocks%s",
                 index->k, (unsigned long long)counts->num_entries, index->wide ? 64 : 32,
                 (double)counts->num_entries / run->graph->num_vertices,
                 index_bytes(run, (double)counts->num_units) / MEGABYTE, counts->num_cut, state->grid.blocks,
                 state->filter ? ", levels looked at first" : "");
}

int prepare(struct run *run, struct gpu_graph *graph)
{
    struct device *device = run->device;
    double kernel_ms;
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK) {
        gpu_graph_free(graph);
        return run->error->status;
    }
    struct state *state = (struct state *)run->state;
    state->graph = *graph;
    *graph = {};
    device->mark(device, MARK_BEGIN);
    if (choose_index(run, &state->graph, &state->index) != STATUS_OK ||
        (state->index.k > 0 ? prepare_rounds(run) : prepare_cluster(run)) != STATUS_OK)
        return run->error->status;
    device->mark(device, MARK_END);
    if (device->elapsed(device, &run->build_ms, &kernel_ms, run->error) != STATUS_OK)
        return run->error->status;
    if (wants_parents(run) &&
        gpu_allocate(&state->parent, run->graph->num_vertices, "the parents", run->error) != STATUS_OK)
        return run->error->status;
    if (wants_parents(run) && !run->graph->symmetric)
        gpu_transpose(&state->graph, &state->in, run->error);
    if (state->index.k > 0 && (!wants_parents(run) || !run->graph->symmetric))
        gpu_graph_free(&state->graph);
    describe(run);
    return gpu_check(cudaDeviceSynchronize(), "preparing", run->error);
}

static int upload_and_prepare(struct run *run)
{
    struct gpu_graph graph;
    if (gpu_graph_upload(run->graph, run->options[OFFSET_BITS] != 0, &graph, run->error) != STATUS_OK) {
        gpu_graph_free(&graph);
        return run->error->status;
    }
    return prepare(run, &graph);
}

/* ---- traversing ---- */

template <typename word_t>
static int launch_rounds(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    const struct ball_index<word_t> index = {
        state->index.rows, (const word_t *)state->index.entries, state->index.distance_bits
    };
    return gpu_launch_persistent(rounds_kernel_for<word_t>(state), state->grid, sizeof(struct shared), run->error,
                                 index, state->search, source);
}

/* Launches the kernels that read the CSR: the whole traversal if there is no index, and the parents. */
template <typename offset_t>
static int launch_on_graph(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    csr<offset_t> graph = csr_of<offset_t>(&state->graph);
    const uint32_t *level = state->index.k > 0 ? state->search.level : state->cluster.level;
    if (state->index.k == 0 &&
        gpu_launch_persistent(cluster_kernel<offset_t>, state->grid, sizeof(struct cluster_queue), run->error, graph,
                              state->cluster, source) != STATUS_OK)
        return run->error->status;
    if (wants_parents(run))
        gpu_launch(parents_kernel<offset_t>, gpu_wide_grid(graph.num_vertices), 0, run->error,
                   {csr_of<offset_t>(run->graph->symmetric ? &state->graph : &state->in), NULL, NULL, level, level,
                    state->parent},
                   source);
    return run->error->status;
}

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    run_kernel_begin(run);
    if (state->index.k > 0 && (state->index.wide ? launch_rounds<uint64_t>(run, query->source)
                                                 : launch_rounds<uint32_t>(run, query->source)) != STATUS_OK)
        return run->error->status;
    if (state->graph.wide || state->in.wide)
        launch_on_graph<edge_t>(run, query->source);
    else
        launch_on_graph<uint32_t>(run, query->source);
    run_kernel_end(run);
    return run->error->status;
}

/* Returns STATUS_DEVICE if a block gave up waiting for a message. */
static int check_rounds(struct run *run)
{
    struct broken broken;
    if (gpu_download(&broken, ((const struct state *)run->state)->search.broken, 1, run->error) == STATUS_OK &&
        broken.broken)
        error_set(run->error, STATUS_DEVICE,
                  "GPU: bfs kball: block %u waited too long for the message of block %u (epoch %u); stopped",
                  broken.block, broken.waits_for, broken.epoch);
    return run->error->status;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    const uint32_t *level = state->index.k > 0 ? state->search.level : state->cluster.level;
    size_t n = run->graph->num_vertices;
    if ((state->index.k > 0 && check_rounds(run) != STATUS_OK) ||
        gpu_download(result->level, level, n, run->error) != STATUS_OK || !wants_parents(run))
        return run->error->status;
    return gpu_download(result->parent, state->parent, n, run->error);
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct search *search = &state->search;
        const struct cluster_search *cluster = &state->cluster;
        const void *const arrays[] = {search->level,        search->mailboxes, search->overflow, search->epoch,
                                      search->broken,       cluster->level,    cluster->records, cluster->spilled,
                                      cluster->num_spilled, state->parent};
        for (const void *array : arrays)
            gpu_free(array);
        free_index(&state->index);
        gpu_graph_free(&state->graph);
        gpu_graph_free(&state->in);
    }
    free(state);
    run->state = NULL;
}

GPU_ALGORITHM(bfs_kball) = {
    .family = "bfs",
    .variant = "kball",
    .title = "an index of k-balls, k levels a round",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .options = options,
    .prepare = upload_and_prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};

} // namespace BACKEND::kball
