/* blest.cu: Blest's BFS from many sources (Elbek and Kaya 2026, section 6), with every step of the paper's ablation
 * (table VI). It searches from kappa sources at once. The BFS from one source (bfs/blest) has one bit per vertex;
 * this one has a row of kappa bits per vertex. So it reads a virtual slice set (VSS, bvss.h) only once for all
 * sources.
 *
 *   blest-naive  searches from one source at a time, with the full `bfs blest`
 *   blest-a      algorithm 5 without reindexing and without tracking of slice sets: the row of a vertex is at
 *                the vertex's id, each VSS is multiplied for all kappa sources, and the end of a level scans every
 *                row
 *   blest-ab     section 6.1, with reindexing: rows run column by column, so that threads with neighbouring slice
 *                sets read neighbouring rows
 *   blest        also with activeSets, the sources for which a VSS is multiplied, and dirtySets, the slice sets that
 *                the end of a level scans
 *
 * A level has two stages: the first marks the neighbours of the frontier, the second settles the marks. The parts:
 *
 *   search.cuh   the state of the searches; rows of bits
 *   mark.cuh     stage 1, lazy marking
 *   settle.cuh   stage 2, frontier finalization; why the stages do not conflict
 *   levels.cuh   the kernels of algorithm 5; sums per source: reached vertices, levels, eccentricity
 *
 * bfs/blest/vss_queue.cuh has the queue of VSSs and its counts.
 *
 * Levels have 32 bits, for any depth. They are stored source by source, and for each source in the order of the rows,
 * so that neighbouring lanes write neighbouring words. A run may ask for levels, sums per source and farness
 * (equation 7), in any combination. Only the lane that has a vertex's slice set writes its farness. */

#include "../../../src/graph/tail.h"
#include "../../bfs/blest/blest.h"
#include "levels.cuh"

namespace BACKEND::msbfs_blest
{

#define FREE_SHARE 0.95 /* share of the free device memory that may be used */

/* What a variant adds to the previous one. */
struct features {
    bool many; /* searches from many sources at once */
    bool reindexed, tracked;
};
static const struct features naive = {false, false, false}, variant_a = {true, false, false},
                             variant_ab = {true, true, false}, variant_full = {true, true, true};

enum { KAPPA, MODE, UNIT };
#define KAPPA_OPTION                                                                                                   \
    CHOICE_OPTION("kappa", 3, "32|64|128|256", "sources of a batch; fewer if memory is short", .for_tests = true)
static const struct option_spec naive_options[] = {
    KAPPA_OPTION,
    MODE_OPTION("searches by bfs blest with mode=paper"),
    {},
};
static const struct option_spec many_options[] = {
    KAPPA_OPTION,
    MODE_OPTION("tails of scale-free graphs not padded; the authors' rule for these"),
    UNIT_OPTION,
    {},
};

struct state {
    const struct features *features;
    struct gpu_arena memory; /* owns all arrays */
    struct bvss bvss;        /* empty for blest-naive */
    struct run single;       /* the run of `bfs blest`, for blest-naive */
    uint32_t *own_levels;    /* levels of one source; for blest-naive if levels are not an output */
    struct search search;
    struct level_end *trace; /* num_vertices + 2, by level; NULL without --profile */
    size_t num_rows;
    uint32_t kappa;
    void *fetched; /* num_vertices words of 64 bits; a result in vertex order */
    struct grid grid;
};

template <typename... trace_t>
using kernel_t = void (*)(struct bvss, struct search, trace_t...);

template <unsigned words, enum blest::layout layout, typename... trace_t>
static kernel_t<trace_t...> kernel_of(const struct features *features)
{
    if (!features->reindexed)
        return msbfs_blest_kernel<words, false, false, layout, trace_t...>;
    return features->tracked ? msbfs_blest_kernel<words, true, true, layout, trace_t...>
                             : msbfs_blest_kernel<words, true, false, layout, trace_t...>;
}

template <enum blest::layout layout, typename... trace_t>
static kernel_t<trace_t...> kernel_of(const struct state *state)
{
    return with_power_of_two<MOST_KAPPA / WARP_SIZE>(state->kappa / WARP_SIZE, [&]<unsigned words>() {
        return kernel_of<words, layout, trace_t...>(state->features);
    });
}

template <typename... trace_t>
static kernel_t<trace_t...> kernel_of(const struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    return (int)run->options[UNIT] == blest::UNIT_CUDA ? kernel_of<blest::LAYOUT_BYTEWISE, trace_t...>(state)
                                                       : kernel_of<blest::LAYOUT_OPTIMAL, trace_t...>(state);
}

/* ---- preparing ---- */

static void build_bvss(struct run *run, const struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    struct bvss_form form = {};
    if ((int)run->options[MODE] == MODE_PAPER)
        is_scale_free_like(run->graph, AUTHORS_MEAN_DEGREE, &form.unpadded, run->error);
    gpu_time_build(run, [&] { bvss_build(graph, form, &state->memory, &state->bvss, run->error); });
    state->num_rows = (size_t)state->bvss.num_sets * SIGMA;
}

static int prepare_single(struct run *run)
{
    struct state *state = (struct state *)run->state;
    state->single = *run;
    state->single.state = NULL;
    if (blest::single_prepare(&state->single, run->options[MODE]) != STATUS_OK)
        return run->error->status;
    run->build_ms = state->single.build_ms;
    state->num_rows = blest::single_row_length(&state->single);
    return STATUS_OK;
}

/* Returns the bytes of the arrays whose size grows with kappa. */
static double bytes_for(const struct run *run, double kappa)
{
    const struct state *state = (const struct state *)run->state;
    double bits = 0, rows = (double)state->num_rows;
    if (state->features->many)
        bits = 3 * rows + (state->features->tracked ? rows / SIGMA : 0);
    return kappa * (bits / 8 + (run->outputs & OUTPUT_LEVEL ? rows * sizeof *state->search.level : 0));
}

/* Chooses the largest kappa, up to the requested one, that fits into the free memory. All other arrays must be
 * allocated before. */
static void choose_kappa(struct run *run)
{
    struct state *state = (struct state *)run->state;
    uint32_t wanted = WARP_SIZE << (unsigned)run->options[KAPPA];
    double free_bytes = (double)gpu_memory_left(run->error);
    size_t length = strlen(run->note);
    state->kappa = wanted;
    while (state->kappa > WARP_SIZE && bytes_for(run, state->kappa) > FREE_SHARE * free_bytes)
        state->kappa /= 2;
    run->batch_size = state->kappa;
    run_add_number(run, "kappa", state->kappa);
    if (state->kappa < wanted)
        snprintf(run->note + length, sizeof run->note - length,
                 "; kappa %u, since %u needs %.1f MB and %.1f MB are free", state->kappa, wanted,
                 1e-6 * bytes_for(run, wanted), 1e-6 * free_bytes);
    else
        snprintf(run->note + length, sizeof run->note - length, "; kappa %u", state->kappa);
}

/* Allocates the arrays whose size does not depend on kappa. */
static void allocate_fixed(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    size_t rows = state->num_rows, groups = (state->bvss.num_sets + (size_t)WARP_SIZE - 1) / WARP_SIZE;
    state->fetched = gpu_take<uint64_t>(memory, run->graph->num_vertices, "the result", error);
    if (run->outputs & OUTPUT_SUMS)
        search->sums = gpu_take<struct source_sums>(memory, MOST_KAPPA, "the sums", error);
    if (run->outputs & OUTPUT_FARNESS) {
        search->farness = gpu_take_zeroed<uint64_t>(memory, rows, "the closeness", error);
        search->farness_count = gpu_take_zeroed<uint32_t>(memory, rows, "the closeness", error);
    }
    if (!state->features->many) {
        if (!(run->outputs & OUTPUT_LEVEL))
            state->own_levels = gpu_take<uint32_t>(memory, rows, "the levels", error);
        return;
    }
    search->queue = gpu_take<uint2>(memory, state->bvss.num_vss, "the queue of VSSs", error);
    search->counts = gpu_take<uint64_t>(memory, NUM_COUNTS, "the counts", error);
    search->sources = gpu_take<vertex_t>(memory, MOST_KAPPA, "the sources", error);
    search->barrier = gpu_take<struct grid_barrier>(memory, 1, "the barrier", error);
    state->trace = gpu_take_trace(run, memory);
    if (state->features->tracked)
        search->dirty = gpu_take<uint8_t>(memory, groups * WARP_SIZE, "the dirty sets", error);
}

static void allocate_by_kappa(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    size_t words = state->kappa / WARP_SIZE, bits = state->num_rows * words;
    if (run->outputs & OUTPUT_LEVEL)
        search->level = gpu_take<uint32_t>(memory, state->kappa * state->num_rows, "the levels", error);
    if (!state->features->many)
        return;
    search->frontier = gpu_take<uint32_t>(memory, bits, "the frontier", error);
    search->visited = gpu_take<uint32_t>(memory, bits, "the visited bits", error);
    search->marked = gpu_take<uint32_t>(memory, bits, "the visited bits", error);
    if (state->features->tracked)
        search->active = gpu_take<uint32_t>(memory, state->bvss.num_sets * words, "the active sets", error);
}

/* Allocates all arrays. The rows must be known. Returns the status. */
static int allocate_search(struct run *run)
{
    allocate_fixed(run);
    if (run->error->status == STATUS_OK) {
        choose_kappa(run);
        allocate_by_kappa(run);
    }
    return run->error->status;
}

template <const struct features *features>
static int prepare_many(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    state->features = features;
    build_bvss(run, graph);
    gpu_graph_free(graph);
    bvss_describe(&state->bvss, run);
    if (allocate_search(run) != STATUS_OK)
        return run->error->status;
    return with_trace(state->trace, [&](auto... trace) {
        return gpu_plan_grid((const void *)kernel_of<decltype(trace)...>(run), MOST_THREADS, MANY_BLOCKS,
                             sizeof(struct shared), &state->grid, run->error);
    });
}

static int prepare_naive(struct run *run)
{
    struct state *state = (struct state *)run->state;
    state->features = &naive;
    if (prepare_single(run) != STATUS_OK)
        return run->error->status;
    snprintf(run->note, sizeof run->note, "%.150s", state->single.note);
    for (int i = 0; i < state->single.num_facts; i++)
        run_add_fact(run, state->single.facts[i]);
    return allocate_search(run);
}

/* ---- traversing ---- */

static void reset(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    struct error *error = run->error;
    size_t words = state->kappa / WARP_SIZE, num_sets = state->bvss.num_sets;
    uint32_t *const rows[] = {search->frontier, search->visited, search->marked};
    gpu_upload(search->sources, query->sources, query->num_sources, error); /* first, as it waits for earlier work */
    for (uint32_t *row : rows)
        gpu_clear(row, state->num_rows * words, error);
    gpu_clear(search->active, num_sets * words, error);
    gpu_clear(search->dirty, (num_sets + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE, error);
    gpu_fill(search->level, 0xff, query->num_sources * state->num_rows, error); /* UNREACHED */
    gpu_clear(search->sums, query->num_sources, error);
    gpu_clear(search->counts, NUM_COUNTS, error);
    gpu_clear(search->barrier, 1, error);
    gpu_launch(seed_sources, {1, state->kappa}, 0, error, state->bvss, *search, (unsigned)words,
               state->features->reindexed);
}

static int traverse_many(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    state->search.num_sources = query->num_sources;
    reset(run, query);
    run_kernel_begin(run);
    with_trace(state->trace, [&](auto... trace) {
        return gpu_launch_persistent(kernel_of<decltype(trace)...>(run), state->grid, sizeof(struct shared), run->error,
                                     state->bvss, state->search, trace...);
    });
    return run_kernel_end(run);
}

/* Searches from one source after another. The kernel time includes the resets between the searches. */
static int traverse_naive(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    const struct search *search = &state->search;
    vertex_t n = run->graph->num_vertices;
    state->search.num_sources = query->num_sources;
    gpu_clear(search->sums, query->num_sources, run->error);
    run_kernel_begin(run);
    for (uint32_t source = 0; source < query->num_sources && run->error->status == STATUS_OK; source++) {
        uint32_t *levels = search->level != NULL ? search->level + source * state->num_rows : state->own_levels;
        blest::single_search(&state->single, query->sources[source], levels);
        if (search->sums != NULL || search->farness != NULL)
            gpu_launch(add_levels, gpu_wide_grid(n), 0, run->error, *search, levels, n, source);
    }
    return run_kernel_end(run);
}

/* ---- results ---- */

/* Copies an array from row order to vertex order. */
template <typename type>
__global__ void by_vertex(const type *rows, type *vertices, vertex_t num_vertices, uint32_t num_sets, bool reindexed)
{
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid())
        vertices[v] = rows[row_of_vertex(reindexed, num_sets, (vertex_t)v)];
}

template <typename type>
static void fetch_rows(struct run *run, const type *rows, type *result)
{
    const struct state *state = (const struct state *)run->state;
    vertex_t n = run->graph->num_vertices;
    type *fetched = (type *)state->fetched;
    gpu_launch(by_vertex<type>, gpu_wide_grid(n), 0, run->error, rows, fetched, n, (uint32_t)(state->num_rows / SIGMA),
               state->features->reindexed);
    gpu_download(result, fetched, n, run->error);
}

static void fetch_levels(struct run *run, uint32_t which, uint32_t *level)
{
    const struct state *state = (const struct state *)run->state;
    fetch_rows(run, state->search.level + which * state->num_rows, level);
}

static int fetch(struct run *run, struct traversal *result)
{
    struct state *state = (struct state *)run->state;
    const struct search *search = &state->search;
    if (state->features->many)
        gpu_check_barrier(search->barrier, "msbfs blest", run->error);
    else
        blest::single_check(&state->single);
    if (result->level != NULL)
        fetch_levels(run, result->which, result->level);
    gpu_download(result->sums, search->sums, state->search.num_sources, run->error);
    if (result->farness != NULL) {
        fetch_rows(run, search->farness, result->farness);
        fetch_rows(run, search->farness_count, result->farness_count);
        gpu_clear(search->farness, state->num_rows, run->error);
        gpu_clear(search->farness_count, state->num_rows, run->error);
    }
    return gpu_fetch_batch_trace(run, state->trace, NULL, result, search->num_sources, fetch_levels);
}

static void release(struct run *run)
{
    run_release(&blest::BACKEND_NAME(bfs_blest), &((struct state *)run->state)->single);
    release_state<struct state, &state::memory>(run);
}

#define BLEST(its_variant, its_title, section, its_options, its_mode, its_prepare, its_traverse)                       \
    {                                                                                                                  \
        .family = "msbfs", .variant = its_variant, .title = "Blest, " its_title,                                       \
        .citation = "Elbek and Kaya 2026, " section, .device = DEVICE_GPU, .outputs = OUTPUT_LEVEL,                    \
        .on_request = OUTPUT_SUMS | OUTPUT_FARNESS, .options = its_options, .reorder = REORDER,                        \
        .state_bytes = sizeof(struct state), .prepare = its_prepare, .traverse = its_traverse, .fetch = fetch,         \
        .release = release, .profiled = its_traverse == traverse_many, .reorder_by = blest::reorder_by<its_mode>       \
    }
#define BLEST_MANY(its_variant, its_title, its_features)                                                               \
    BLEST(its_variant, its_title, "6.1", many_options, MODE, uploaded<prepare_many<&its_features>>, traverse_many)

GPU_ALGORITHM(msbfs_blest) = BLEST_MANY("blest", "full: rows reindexed, slice sets tracked", variant_full);
GPU_ALGORITHM(msbfs_blest_ab) = BLEST_MANY("blest-ab", "A + reindexing", variant_ab);
GPU_ALGORITHM(msbfs_blest_a) = BLEST_MANY("blest-a", "algorithm 5 without reindexing or tracking", variant_a);
GPU_ALGORITHM(msbfs_blest_naive) = BLEST("blest-naive", "source after source", "7.1", naive_options, MODE,
                                         prepare_naive, traverse_naive);

} // namespace BACKEND::msbfs_blest
