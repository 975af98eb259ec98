/* dobfs.cu: `bfs dobfs`, a direction-optimising BFS (Beamer et al., SC 2012) for scale-free and random graphs. It
 * returns levels and, on request, parents.
 *
 * One persistent kernel runs a whole search in steps. At the end of a step all threads choose the next one
 * (kernel.cuh):
 *
 *   frontier                     step                                                               file
 *   a queue of few edges         block 0 alone runs top-down levels from shared memory              top_down.cuh
 *   a queue                      the grid claims neighbours and queues them, balanced by edges      top_down.cuh
 *   a queue of many edges        the grid only marks neighbours in the bitmap                       top_down.cuh
 *   the bitmap                   bottom-up: packed first neighbours, then the rest of the lists     bottom_up.cuh
 *                                then the lists of high-degree vertices, by all warps               high_degree.cuh
 *   the bitmap, few vertices     collects the frontier into a queue                                 kernel.cuh
 *
 * Terms. An input id is a vertex's number in the loaded graph. An id is its number on the device. If degrees are
 * heavy-tailed, vertices are relabelled by degree class, high degrees first, and each neighbour list is sorted by id;
 * otherwise ids are input ids. An edge is one entry of a CSR.
 *
 * Other files: prepare.cuh relabels the vertices and times policies to choose one; packed_neighbours.cuh packs the
 * first neighbours; host_state.cuh has the thresholds; state.cuh has the device memory; results.cuh writes the levels
 * and parents. This file allocates and launches. On several GPUs: linked_search.cuh and parts_search.cuh. */
#include <stdio.h>

#include <utility>

#include "../../graph/build_lists.h"
#include "../../graph/transpose.h"
#include "../engines.h"
#include "linked_search.cuh"

namespace BACKEND::dobfs
{

/* ---- preparing ---- */

/* A block keeps the input ids of the first 1/64 of all ids in shared memory: 64 KB for 2^20 vertices. */
#define FIRST_INPUTS_SHARE 64u

/* Plans the `rest` bytes of shared memory, which single-block queues, the window and first inputs use in turn. */
static void divide_shared_memory(struct run *run, size_t rest)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    const size_t word = sizeof(uint32_t), chunk = CHUNK_WORDS * word;
    const size_t entries = 4 * offset_size(&state->out) + (run->outputs & OUTPUT_PARENT ? 2 * sizeof(vertex_t) : 0);
    bool may_be_alone = rules->direction == DIRECTION_AUTO || rules->direction == DIRECTION_TOP_DOWN;
    size_t edges = may_be_alone && state->all_ids == 0 ? thresholds_of(run)->single_block_edges : 0;
    size_t most = rest / entries; /* entries: bytes of one entry in both queues */
    rules->single_block_edges = (uint32_t)(edges < most ? edges : most) / unit_edges(state);
    size_t window = thresholds_of(run)->window / WARP_SIZE / CHUNK_WORDS * chunk;
    window = window < rest / chunk * chunk ? window : rest / chunk * chunk;
    window = window < all_words(state) * word ? window : all_words(state) * word;
    rules->window_words = state->bottom_up ? (uint32_t)(window / word) : 0;
    size_t queues = entries * rules->single_block_edges * unit_edges(state);
    size_t bytes = queues > window + sizeof(uint4) ? queues : window + sizeof(uint4);
    size_t inputs = bytes / sizeof(vertex_t), few = all_ids(state) / FIRST_INPUTS_SHARE;
    rules->first_inputs = state->order.input_of == NULL ? 0 : (uint32_t)(inputs < few ? inputs : few);
    state->shared_bytes = sizeof(struct shared) + bytes;
}

static void set_rules(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct rules *rules = &state->rules;
    size_t limit;
    if (gpu_shared_limit(&limit, run->error) != STATUS_OK)
        return;
    rules->direction = direction_of(run);
    rules->edge_bits = (unsigned)std::bit_width(num_units(state) | 1);
    apply_policy(run, first_policy(run));
    uint64_t most = counts_fit(state)                        ? UINT64_MAX
                    : rules->mark_above < SINGLE_BLOCK_EDGES ? SINGLE_BLOCK_EDGES
                                                             : rules->mark_above;
    rules->queue_capacity = most < most_queued(run) ? (uint32_t)most : most_queued(run);
    rules->high_degree_steps = queues_high_degree(run) ? thresholds_of(run)->high_degree_steps : 0;
    rules->level_limit = thresholds_of(run)->byte_levels;
    rules->filters_marks = state->order.relabelled || !state->packs;
    divide_shared_memory(run, limit - sizeof(struct shared) - sizeof(uint4));
}

/* Sets the rules, the grid and the chunk size, which is the largest that gives every warp a chunk. */
template <typename csr_t>
static void plan_launch(struct run *run)
{
    struct state *state = (struct state *)run->state;
    set_rules(run);
    gpu_plan_grid((const void *)kernel_of<csr_t>(run), BLOCK_THREADS, 1, state->shared_bytes, &state->grid, run->error);
    uint32_t num_warps = state->grid.blocks * (state->grid.threads / WARP_SIZE), *pairs = &state->rules.pairs;
    for (*pairs = MOST_PAIRS; *pairs > 1 && state->num_words / (2 * *pairs) < num_warps;)
        *pairs /= 2;
}

static void allocate_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    struct gpu_arena *for_queues = arena_for(run, HOST_QUEUES), *for_results = arena_for(run, HOST_RESULTS);
    struct error *error = run->error;
    const bool parents = run->outputs & OUTPUT_PARENT;
    size_t n = state->out.num_vertices, padded = (n + GROUP - 1) / GROUP * GROUP;
    size_t entries = (size_t)state->rules.queue_capacity + 1, ids = (size_t)state->num_words * WARP_SIZE;
    for (struct queue *queue : {&search->queues[0], &search->queues[1]}) {
        queue->before = gpu_take_bytes(for_queues, entries, offset_size(&state->out), "the queue", error);
        queue->shift = gpu_take_bytes(for_queues, entries, offset_size(&state->out) + (parents ? sizeof(vertex_t) : 0),
                                      "the queue", error); /* with parents, ids follow the shifts (queues.cuh) */
    }
    search->visited = gpu_take<uint32_t>(memory, all_words(state), "the visited bitmap", error);
    search->next = gpu_take<uint32_t>(memory, all_words(state), "the visited bitmap", error);
    search->bytes = gpu_take<uint8_t>(memory, ids, "the levels", error);
    search->level = gpu_take<uint32_t>(for_results, padded, "the levels", error);
    search->counts = gpu_take<uint64_t>(memory, NUM_COUNTS, "the counts", error);
    search->high_degree_counts = gpu_take<uint64_t>(memory, NUM_COUNTS, "the counts", error);
    if (state->rules.high_degree_steps > 0)
        search->high_degree_ids = gpu_take<vertex_t>(for_queues, entries, "the queue", error);
    search->handover = gpu_take<struct handover>(memory, 1, "the counts", error);
    search->barrier = gpu_take_zeroed<struct grid_barrier>(memory, 1, "the barrier", error);
    search->trace = gpu_take_trace(run, memory);
    if (parents) {
        search->parent_by_id = gpu_take<vertex_t>(memory, ids, "the parents", error);
        search->parent = gpu_take<vertex_t>(for_results, padded, "the parents", error);
    }
}

/* Builds the lists of a graph that has none in host memory, relabelled as relabel() would do it, and compressed if
 * the state says so. */
static int build_lists(struct run *run)
{
    struct state *state = (struct state *)run->state;
    const bool wide = run->options[OFFSET_BITS] != 0;
    const struct relabelling_policy policy = {run->options[PREPARE] != 0 ? thresholds_of(run)->relabel : RELABEL_NO,
                                              is_heavy_tailed, false};
    struct graph500_list list;
    if (gpu_counting())
        return gpu_cannot_count(run->error);
    if (graph500_list_of(run->graph, &list, run->error) != STATUS_OK)
        return run->error->status;
    if (!state->compressed && may_compress(run) && !plain_lists_fit(run)) {
        state->compressed = true;
        run->memory_step = MEMORY_COMPRESSED;
    }
    if (state->compressed)
        return compress_built(run, &list, &policy);
    return graph500_build_graph(&list, &policy, wide, &state->memory, &state->order, &state->out, run->error);
}

static bool builds(const double *options)
{
    return thresholds[(int)options[FORCE]].parts == 1; /* parts take their lists from the host */
}

/* Prepares the rest, once the lists are as searches need them, and runs the first searches. */
template <typename csr_t>
static int build_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    plan_launch<csr_t>(run);
    if (state->packs)
        pack_neighbours<csr_t>(run);
    allocate_search(run);
    if (run->error->status != STATUS_OK || !state->packs)
        return run->error->status;
    if (state->symmetric)
        measure_giant<csr_t>(run);
    if (gpu_counting())
        return run->error->status;
    if (is_in_host(run, HOST_LISTS))
        compressed_lists_move(&state->compressed_out, run->spare_bytes, run->error);
    const bool times = run->options[POLICY] == TIMED_POLICIES && state->out.num_edges >= PROBE_FROM_EDGES;
    if (times && state->rules.direction == DIRECTION_AUTO)
        choose_policy<csr_t>(run);
    return run->error->status;
}

/* Prepares everything on the device. */
static int build(struct run *run)
{
    struct state *state = (struct state *)run->state;
    const bool prepares = run->options[PREPARE] != 0 && state->out.num_edges > 0;
    state->host.in_host = true;
    state->symmetric = run->graph->symmetric;
    state->order.num_ids = state->out.num_vertices;
    state->bottom_up = state->symmetric || prepares || !counts_fit(state) || direction_of(run) >= DIRECTION_BOTTOM_UP;
    if (!graph_has_lists(run->graph))
        build_lists(run);
    else if (state->compressed)
        compress(run);
    else if (state->bottom_up && !state->symmetric)
        gpu_transpose(&state->out, &state->in, run->error);
    if (graph_has_lists(run->graph) && !state->compressed)
        relabel(run, prepares ? thresholds_of(run)->relabel : RELABEL_NO);
    state->num_words = (uint32_t)((((uint64_t)state->order.num_ids + CHUNK_IDS - 1) / CHUNK_IDS) * CHUNK_WORDS);
    state->num_words = state->num_words > 0 ? state->num_words : CHUNK_WORDS;
    state->packs = prepares;
    return with_lists(state, [&]<typename csr_t>() { return build_search<csr_t>(run); });
}

static void describe(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    char labels[96] = "vertices in input order", outside[64] = "", way[96], lists[64] = "", in_host[96] = "";
    bool may_go_up = state->bottom_up && state->rules.direction != DIRECTION_TOP_DOWN;
    snprintf(way, sizeof way, "%s", may_go_up ? "both directions" : "top-down only");
    if (state->order.relabelled)
        snprintf(labels, sizeof labels, "%u vertices relabelled by degree class, high degrees first",
                 state->order.num_ids);
    if (state->giant != NULL)
        snprintf(outside, sizeof outside, ", %u outside the giant component", state->outside_giant);
    if (state->compressed)
        snprintf(lists, sizeof lists, ", lists compressed to %.2f bytes an edge",
                 (double)compressed_lists_bytes(&state->compressed_out) / (double)state->out.num_edges);
    if (is_in_host(run, HOST_LISTS))
        snprintf(in_host, sizeof in_host, " and kept in host memory (%.0f%%)%s%s%s",
                 100 - 100.0 * (double)state->compressed_out.moved_bytes / (double)state->compressed_out.value_bytes,
                 is_in_host(run, HOST_QUEUES) ? ", also queues" : "", is_in_host(run, HOST_OFFSETS) ? ", offsets" : "",
                 is_in_host(run, HOST_RESULTS) ? ", results" : "");
    if (state->policy != NULL && state->policy->bottom_up_share == 0)
        snprintf(way, sizeof way, "top-down by trials");
    else if (state->policy != NULL)
        snprintf(way, sizeof way, "%sbottom-up above 1/%u of the edges, by trials",
                 state->policy->marks == DENSE_MARKS ? "dense marks, " : "", state->policy->bottom_up_share);
    snprintf(run->note, sizeof run->note, "%s%s%s%s%s, %s", labels, lists, in_host,
             !state->packs        ? ", no packed neighbours"
             : packs_25_bits(run) ? ", first neighbours of 25 bits"
                                  : ", first neighbours of 32 bits",
             outside, way);
}

int prepare(struct run *run, struct gpu_graph *graph)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    state->out = std::exchange(*graph, {});
    state->compressed = compresses(run) && state->out.targets == NULL;
    gpu_time_build(run, [&] { build(run); });
    if (run->error->status == STATUS_OK)
        describe(run);
    return run->error->status;
}

/* ---- traversing ---- */

static int traverse(struct run *run, const struct query *query)
{
    if (parts::number_of_parts(run) > 1)
        return parts::traverse_parts(run, query);
    const struct state *state = (const struct state *)run->state;
    run_kernel_begin(run);
    with_lists(state, [&]<typename csr_t>() { return launch<csr_t>(run, query->sources[0]); });
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    if (parts::number_of_parts(run) > 1)
        return parts::fetch_parts(run, result);
    const struct state *state = (const struct state *)run->state;
    vertex_t n = run->graph->num_vertices;
    gpu_check_barrier(state->search.barrier, "bfs dobfs", run->error);
    gpu_fetch(result->level, state->search.level, n, run->error);
    gpu_fetch(result->parent, state->search.parent, n, run->error);
    return gpu_fetch_trace(run, state->search.trace, level_words, result);
}

/* Prepares from the graph in host memory: uploads it, unless its lists are compressed piece by piece. */
static int prepare_from_host(struct run *run)
{
    const bool in_parts = parts::number_of_parts(run) > 1;
    struct gpu_graph sizes = gpu_graph_sizes(run->graph);
    const bool compressed = (int)run->options[COMPRESS] == COMPRESS_YES;
    const bool in_host = (int)run->options[HOST_MEMORY] >= HOST_LISTS;
    if ((compressed || in_host) && (in_parts || run->options[PREPARE] == 0))
        return error_set(run->error, STATUS_INPUT, "bfs dobfs: %s needs prepare=1, and a graph on one GPU",
                         compressed ? "compress=1" : "host-memory=lists");
    if (in_host && (int)run->options[COMPRESS] == COMPRESS_NO)
        return error_set(run->error, STATUS_INPUT,
                         "bfs dobfs: lists in host memory are compressed: leave out compress=0");
    if (in_parts)
        return parts::prepare_parts(run);
    return compresses(run) ? prepare(run, &sizes) : uploaded<prepare, OFFSET_BITS>(run);
}

static void release(struct run *run)
{
    if (parts::number_of_parts(run) > 1)
        parts::release_parts(run);
    else
        release_state<struct state, &state::memory, &state::host, &state::out, &state::in>(run);
}

GPU_ALGORITHM(bfs_dobfs) = {
    .family = "bfs",
    .variant = "dobfs",
    .title = "Both directions, edge-balanced and streaming",
    .citation = "after Beamer et al., SC 2012",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .options = dobfs_options,
    .prepare = prepare_from_host,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
    .profiled = true,
    .splits = true,
    .builds = builds,
};

} // namespace BACKEND::dobfs
