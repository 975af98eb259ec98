/* build.cuh: the host side of the index: choosing its radius k, and building it in device memory. */
#ifndef GTRAV_BFS_KBALL_BUILD_CUH
#define GTRAV_BFS_KBALL_BUILD_CUH

#include <math.h>

#include "fill.cuh"
#include "growth.cuh"
#include "options.cuh"

namespace BACKEND::kball
{

/* Choosing k. Larger balls mean fewer rounds, but each vertex is in more of them. */
#define MAX_SAMPLES        2048u
#define ROUND_ENTRIES      280.0  /* a round costs as much as so many entries of the mean ball */
#define MAX_SHARE_OF_GRAPH 0.0625 /* of the vertices, in the mean ball: then a few rounds suffice */
#define MAX_SHARE_OVER     0.001  /* of balls of a smaller radius: every window with one takes an extra round */
#define SHARE_OF_FREE      0.25   /* of the device's free memory, for the index */
#define SMALL_SLOTS        1024u  /* of the workspaces that most balls should fit */
#define MEGABYTE           1e6

/* The index as the host keeps it, for entries of either width. Owns rows and entries, which are in device memory. */
struct stored_index {
    row_t *rows;
    void *entries;
    bool wide;  /* entries of 64 bits, not 32 */
    unsigned k; /* 0: there is no index */
    unsigned distance_bits;
    struct ball_counts counts;
};

/* The number of bits of a number. */
static unsigned bits_of(uint32_t number)
{
    return number == 0 ? 0 : 32 - (unsigned)__builtin_clz(number);
}

/* Sets *budget to the bytes that an index may take; 0: no index is wanted. */
static int find_budget(struct run *run, double *budget)
{
    size_t free_bytes = 0, all_bytes = 0;
    double most = (double)UINT32_MAX * UNIT_BYTES; /* a row stores its first unit in 32 bits */
    *budget = run->options[INDEX_MB] * MEGABYTE;
    if (*budget < 0) {
        if (gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory", run->error) != STATUS_OK)
            return run->error->status;
        *budget = SHARE_OF_FREE * (double)free_bytes;
    }
    *budget = *budget < most ? *budget : most;
    return STATUS_OK;
}

/* Whether entries take 64 bits: if an id and a distance do not fit 32, or if the user wants them. */
static bool needs_wide_entries(const struct run *run, unsigned k)
{
    return run->options[ENTRY_BITS] != 0 || bits_of(run->graph->num_vertices) + bits_of(k) > 32;
}

/* Bytes of an index with so many units. */
static double index_bytes(const struct run *run, double num_units)
{
    return num_units * UNIT_BYTES + (double)run->graph->num_vertices * sizeof(row_t);
}

/* The radius whose rounds cost least per level, among the radii whose index fits the budget and that nearly all balls
 * can have. Returns 0 if no index fits. */
static unsigned choose_radius(const struct run *run, const struct ball_growth *growth, double budget)
{
    double of_graph = MAX_SHARE_OF_GRAPH * run->graph->num_vertices;
    double least = INFINITY;
    unsigned k = 0;
    for (unsigned r = 1; r <= LARGEST_RADIUS; r++) {
        double of_unit = needs_wide_entries(run, r) ? ENTRIES_OF_UNIT<uint64_t> : ENTRIES_OF_UNIT<uint32_t>;
        double units_a_row = growth->mean_entries[r] / of_unit + 0.5; /* padding takes half a unit */
        double units = units_a_row * run->graph->num_vertices;
        if (index_bytes(run, units) > budget)
            break;
        if (r > 1 && (growth->mean_entries[r] > of_graph || growth->share_over[r] > MAX_SHARE_OVER))
            break;
        double cost = (ROUND_ENTRIES + growth->mean_entries[r]) / r;
        k = cost < least ? r : k;
        least = cost < least ? cost : least;
    }
    return k;
}

/* Builds rows and entries. Most balls grow in small workspaces, of which more fit a multiprocessor; balls that do not
 * fit these are grown again in large ones. Owns the arrays, which are in device memory. */
template <typename offset_t, typename word_t>
struct builder {
    csr<offset_t> graph;
    struct build_plan plan;
    struct centres all, large;
    vertex_t *large_list; /* num_vertices */
    uint32_t *units;      /* num_vertices + 1: units of each row; after the scan, its first unit */
    struct ball_counts *counts;
};

/* Launches count_balls or fill_balls with workspaces of `slots` slots. */
template <typename word_t, typename... parameters>
static int launch_builder(void (*kernel)(parameters...), unsigned slots, struct error *error, parameters... arguments)
{
    struct grid grid;
    size_t shared_bytes = BUILDER_THREADS / WARP_SIZE * workspace_bytes<word_t>(slots);
    if (gpu_plan_grid((const void *)kernel, BUILDER_THREADS, BUILDER_BLOCKS, shared_bytes, &grid, error) != STATUS_OK)
        return error->status;
    return gpu_launch(kernel, grid, shared_bytes, error, arguments...);
}

/* Counts the units of all rows, and allocates the rows and what the builder needs. */
template <typename offset_t, typename word_t>
static int count_rows(builder<offset_t, word_t> *builder, struct stored_index *index, struct error *error)
{
    uint32_t n = builder->graph.num_vertices;
    unsigned full = slots_for(builder->plan.bound);
    builder->plan.slots = full < SMALL_SLOTS ? full : SMALL_SLOTS;
    builder->all = {NULL, n};
    if (gpu_allocate(&builder->units, (size_t)n + 1, "the index's rows", error) != STATUS_OK ||
        gpu_allocate(&builder->large_list, n, "the large balls", error) != STATUS_OK ||
        gpu_allocate(&builder->counts, 1, "the index's counts", error) != STATUS_OK ||
        gpu_allocate(&index->rows, n, "the index's rows", error) != STATUS_OK ||
        gpu_check(cudaMemset(builder->counts, 0, sizeof *builder->counts), "counting balls", error) != STATUS_OK ||
        gpu_check(cudaMemset(builder->units + n, 0, sizeof *builder->units), "counting balls", error) != STATUS_OK ||
        launch_builder<word_t>(count_balls<offset_t, word_t>, builder->plan.slots, error, builder->graph,
                               builder->plan, builder->all, index->rows, builder->units, builder->large_list,
                               builder->counts) != STATUS_OK ||
        gpu_download(&index->counts, builder->counts, 1, error) != STATUS_OK)
        return error->status;
    builder->large = {builder->large_list, index->counts.num_large};
    if (builder->large.number == 0)
        return STATUS_OK;
    struct build_plan plan = builder->plan;
    plan.slots = full;
    if (launch_builder<word_t>(count_balls<offset_t, word_t>, full, error, builder->graph, plan, builder->large,
                               index->rows, builder->units, builder->large_list, builder->counts) != STATUS_OK)
        return error->status;
    return gpu_download(&index->counts, builder->counts, 1, error);
}

/* Allocates the entries and fills the rows. */
template <typename offset_t, typename word_t>
static int fill_rows(const builder<offset_t, word_t> *builder, struct stored_index *index, struct error *error)
{
    uint32_t n = builder->graph.num_vertices;
    word_t *entries = NULL;
    int status = gpu_allocate(&entries, index->counts.num_units * ENTRIES_OF_UNIT<word_t>, "the index", error);
    index->entries = entries;
    struct build_plan plan = builder->plan;
    if (status != STATUS_OK || gpu_exclusive_scan(builder->units, (size_t)n + 1, error) != STATUS_OK ||
        launch_builder<word_t>(fill_balls<offset_t, word_t>, plan.slots, error, builder->graph, plan, builder->all,
                               (const uint32_t *)builder->units, index->rows, entries) != STATUS_OK)
        return error->status;
    plan.slots = slots_for(plan.bound);
    if (builder->large.number > 0)
        launch_builder<word_t>(fill_balls<offset_t, word_t>, plan.slots, error, builder->graph, plan, builder->large,
                               (const uint32_t *)builder->units, index->rows, entries);
    return error->status == STATUS_OK ? gpu_check(cudaDeviceSynchronize(), "building the index", error)
                                      : error->status;
}

static void free_index(struct stored_index *index)
{
    gpu_free(index->rows);
    gpu_free(index->entries);
    *index = {};
}

/* Builds the index of balls of radius k. Sets *fits if it fits the budget; otherwise the index stays empty. Returns
 * STATUS_INPUT if the user has set a k that does not fit. */
template <typename offset_t, typename word_t>
static int build_index(struct run *run, const struct gpu_graph *graph, struct stored_index *index, unsigned k,
                       double budget, bool *fits)
{
    builder<offset_t, word_t> builder = {};
    uint32_t n = run->graph->num_vertices, bound = (uint32_t)run->options[MAX_BALL];
    index->k = k;
    index->wide = sizeof(word_t) == sizeof(uint64_t);
    index->distance_bits = bits_of(k);
    builder.graph = csr_of<offset_t>(graph);
    builder.plan = {k, 0, bound < n ? bound : n, index->distance_bits};
    *fits = true;
    if (count_rows(&builder, index, run->error) == STATUS_OK) {
        *fits = index->counts.num_too_long == 0 && index_bytes(run, (double)index->counts.num_units) <= budget;
        if (*fits)
            fill_rows(&builder, index, run->error);
    }
    gpu_free(builder.units);
    gpu_free(builder.large_list);
    gpu_free(builder.counts);
    if (!*fits && run->options[K] != 0)
        return error_set(run->error, STATUS_INPUT,
                         "%s: --set k=%u: the index takes %.0f MB, and %.0f are allowed; use a smaller k, k=0, or "
                         "--set index-mb",
                         run->graph->name, k, index_bytes(run, (double)index->counts.num_units) / MEGABYTE,
                         budget / MEGABYTE);
    if (!*fits || run->error->status != STATUS_OK)
        free_index(index);
    return run->error->status;
}

/* build_index with the widths that the graph and the options call for. */
static int build_index_of_width(struct run *run, const struct gpu_graph *graph, struct stored_index *index,
                                unsigned k, double budget, bool *fits)
{
    bool wide_entries = needs_wide_entries(run, k);
    if (graph->wide)
        return wide_entries ? build_index<edge_t, uint64_t>(run, graph, index, k, budget, fits)
                            : build_index<edge_t, uint32_t>(run, graph, index, k, budget, fits);
    return wide_entries ? build_index<uint32_t, uint64_t>(run, graph, index, k, budget, fits)
                        : build_index<uint32_t, uint32_t>(run, graph, index, k, budget, fits);
}

/* Chooses k and builds the index. Leaves k = 0 if no index fits or none is wanted. If the sample has underestimated
 * the size, tries the next smaller k. */
static int choose_index(struct run *run, const struct gpu_graph *graph, struct stored_index *index)
{
    struct ball_growth growth;
    double budget;
    unsigned k = (unsigned)run->options[K];
    if (find_budget(run, &budget) != STATUS_OK || budget == 0)
        return run->error->status;
    if (k == 0) {
        if (ball_growth_sample(graph, MAX_SAMPLES, (uint32_t)run->options[MAX_BALL], &growth, run->error) !=
            STATUS_OK)
            return run->error->status;
        k = choose_radius(run, &growth, budget);
    }
    for (bool fits = false; k > 0 && !fits; k--)
        if (build_index_of_width(run, graph, index, k, budget, &fits) != STATUS_OK)
            return run->error->status;
    return STATUS_OK;
}

} // namespace BACKEND::kball

#endif
