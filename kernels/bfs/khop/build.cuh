/* build.cuh: the options; the host's choice of the radius k; and the kernels that build the index. count_balls grows
 * every ball to find the length of its row. After a scan of the lengths, fill_balls grows the ball again and writes
 * the row. */
#pragma once

#include <math.h>

#include <bit>

#include "ball.cuh"
#include "index.cuh"

namespace BACKEND::khop
{

struct centres {
    const vertex_t *list; /* the vertices to handle; NULL: all vertices */
    uint32_t number;
};

DEVICE vertex_t vertex_at(const struct centres &centres, uint64_t i)
{
    return centres.list != NULL ? centres.list[i] : (vertex_t)i;
}

struct ball_counts {
    uint64_t num_units, num_entries;
    uint32_t num_large;    /* vertices whose balls do not fit into the small workspaces */
    uint32_t num_cut;      /* vertices whose radius is less than k */
    uint32_t num_too_long; /* vertices with too many neighbours for a row */
};

struct build_plan {
    unsigned k, slots;
    uint32_t bound; /* maximal number of vertices in a ball */
    unsigned distance_bits;
};

/* Writes each row's radius and number of units, and units[v] for the scan that finds the rows' first units. Vertices
 * whose balls need a larger workspace are listed in `large` instead. */
template <typename offset_t, typename word_t>
__global__ void __launch_bounds__(BUILDER_THREADS)
    count_balls(csr<offset_t> graph, struct build_plan plan, struct centres centres, row_t *rows, uint32_t *units,
                vertex_t *large, struct ball_counts *counts)
{
    struct workspace<word_t> space = own_workspace<word_t>(plan.slots);
    uint32_t bound = min(plan.bound, capacity_of(plan.slots)), num_cut = 0;
    uint64_t num_units = 0, num_entries = 0;
    for (uint64_t i = thread_of_grid() / WARP_SIZE; i < centres.number; i += threads_of_grid() / WARP_SIZE) {
        vertex_t vertex = vertex_at(centres, i);
        uint32_t end = 1;
        uint64_t entries = graph.offsets[vertex + 1] - graph.offsets[vertex];
        unsigned radius = entries <= plan.bound ? grow(graph, space, vertex, plan.k, bound, &end) : 0;
        if (radius < plan.k && bound < plan.bound && entries <= plan.bound) {
            if (lane_id() == 0)
                large[atomicAdd(&counts->num_large, 1u)] = vertex;
            continue;
        }
        if (radius > 0)
            entries = __shfl_sync(WHOLE_WARP, end, (int)radius - 1) - 1;
        uint64_t length = (entries + ENTRIES_OF_UNIT<word_t> - 1) / ENTRIES_OF_UNIT<word_t>;
        if (lane_id() == 0) {
            if (length >= MAX_UNITS)
                atomicAdd(&counts->num_too_long, 1u);
            rows[vertex] = length % MAX_UNITS << UNITS_SHIFT | (row_t)max(radius, 1u) << RADIUS_SHIFT;
            units[vertex] = (uint32_t)length;
        }
        num_units += length;
        num_entries += entries;
        num_cut += radius < plan.k;
    }
    if (lane_id() == 0) {
        atomicAdd(&counts->num_units, num_units);
        atomicAdd(&counts->num_entries, num_entries);
        atomicAdd(&counts->num_cut, num_cut);
    }
}

/* Sorts `length` words in shared memory by a bitonic network. length: a power of two. */
template <typename word_t>
DEVICE void sort_words(word_t *words, unsigned length)
{
    for (unsigned size = 2; size <= length; size *= 2)
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            for (unsigned i = lane_id(); i < length / 2; i += WARP_SIZE) {
                unsigned low = 2 * i - (i & (stride - 1)), high = low + stride;
                word_t a = words[low], b = words[high];
                if ((a > b) == ((low & size) == 0)) {
                    words[low] = b;
                    words[high] = a;
                }
            }
            __syncwarp();
        }
}

/* Turns the listed vertices into entries and sorts them. The centre is no entry: it becomes NO_ENTRY, and comes
 * last. */
template <typename word_t>
DEVICE void make_entries(const struct workspace<word_t> &space, const struct build_plan &plan, unsigned radius,
                         uint32_t end)
{
    uint32_t first = 1, last = 1;
    for (unsigned distance = 1; distance <= radius; distance++, first = last) {
        last = __shfl_sync(WHOLE_WARP, end, (int)distance - 1);
        for (uint32_t i = first + lane_id(); i < last; i += WARP_SIZE)
            space.list[i] = space.list[i] << plan.distance_bits | distance;
    }
    unsigned length = last < 2 ? 1 : 1u << (WARP_SIZE - (unsigned)__clz((int)(last - 1)));
    if (lane_id() == 0)
        space.list[0] = NO_ENTRY<word_t>;
    for (unsigned i = last + lane_id(); i < length; i += WARP_SIZE)
        space.list[i] = NO_ENTRY<word_t>;
    __syncwarp();
    sort_words(space.list, length);
}

/* Writes the entries of the rows that count_balls counted. firsts: the first unit of each row. Skips vertices
 * whose balls do not fit into this workspace; a later launch with larger workspaces fills their rows. */
template <typename offset_t, typename word_t>
__global__ void __launch_bounds__(BUILDER_THREADS)
    fill_balls(csr<offset_t> graph, struct build_plan plan, struct centres centres, const uint32_t *firsts, row_t *rows,
               word_t *entries)
{
    struct workspace<word_t> space = own_workspace<word_t>(plan.slots);
    uint32_t bound = min(plan.bound, capacity_of(plan.slots));
    for (uint64_t i = thread_of_grid() / WARP_SIZE; i < centres.number; i += threads_of_grid() / WARP_SIZE) {
        vertex_t vertex = vertex_at(centres, i);
        offset_t edge = graph.offsets[vertex], degree = graph.offsets[vertex + 1] - edge;
        uint32_t end, number;
        row_t row = rows[vertex] >> UNITS_SHIFT << UNITS_SHIFT | firsts[vertex];
        word_t *to = entries + (size_t)first_of(row) * ENTRIES_OF_UNIT<word_t>;
        uint64_t length = (uint64_t)units_of(row) * ENTRIES_OF_UNIT<word_t>;
        if (degree > plan.bound) { /* the row of a high-degree vertex */
            for (uint64_t j = lane_id(); j < length; j += WARP_SIZE)
                to[j] = j < degree ? (word_t)graph.targets[edge + j] << plan.distance_bits | 1 : NO_ENTRY<word_t>;
        } else {
            unsigned radius = grow(graph, space, vertex, radius_of(row), bound, &end);
            if (radius < radius_of(row)) /* a launch with larger workspaces fills this row */
                continue;
            make_entries(space, plan, radius, end);
            number = __shfl_sync(WHOLE_WARP, end, (int)radius - 1) - 1;
            for (uint64_t j = lane_id(); j < length; j += WARP_SIZE)
                to[j] = j < number ? space.list[j] : NO_ENTRY<word_t>;
        }
        __syncwarp(); /* every lane has read the row */
        if (lane_id() == 0)
            rows[vertex] = row;
    }
}

/* ---- the host ---- */

/* The sizes of a run. Tests make them small. */
struct sizes {
    uint32_t max_ball;  /* maximal number of vertices in a ball; larger balls get a smaller radius */
    uint32_t list_size; /* items per list of a block, if they fit; with more items, levels are swept, or (in a
                         * cluster) the items go to global memory */
    bool wide_entries;  /* entries of the index take 64 bits even if 32 bits suffice */
};

/* The first row is for production; tests force the others. */
static const struct sizes sizes[] = {
    {LARGEST_BALL, MAX_LIST_SIZE, false},
    {8, MAX_LIST_SIZE, false},
    {LARGEST_BALL, LEAST_LIST_SIZE, false},
    {8, LEAST_LIST_SIZE, true},
};
#define FORCED "small-balls|short-lists|small-balls-and-lists"

enum khop_option { K, INDEX_MB, FORCE, OFFSET_BITS };
static const struct option_spec options[] = {
    NUMBER_OPTION("k", 0, 0, LARGEST_RADIUS,
                  "radius of the balls and levels per round; 0: chosen from a sample of balls"),
    NUMBER_OPTION(
        "index-mb", -1, -1, 1 << 20,
        "device memory for the index in MB; 0: no index, one cluster searches; -1: a quarter of the free memory"),
    FORCE_OPTION(FORCED),
    OFFSET_BITS_OPTION,
    {},
};

static const struct sizes *sizes_of(const struct run *run)
{
    return &sizes[(int)run->options[FORCE]];
}

/* The choice of k. Larger balls mean fewer rounds, but put each vertex into more balls. */
#define MAX_SAMPLES        2048u
#define ROUND_ENTRIES      280.0  /* cost of a round, counted in entries of the mean ball */
#define MAX_SHARE_OF_GRAPH 0.0625 /* maximal mean ball, as a share of the vertices; larger ones save few rounds */
#define MAX_SHARE_OVER     0.001  /* maximal share of balls with a smaller radius; their buckets take extra rounds */
#define SHARE_OF_FREE      0.25   /* share of the device's free memory that the index may take */
#define SMALL_SLOTS        1024u  /* slots of a small workspace, which most balls fit into */
#define MEGABYTE           1e6

/* The index as the host sees it. Entries have 32 or 64 bits. */
struct stored_index {
    struct gpu_arena memory; /* owns rows and entries */
    row_t *rows;
    void *entries;
    bool wide;  /* entries have 64 bits */
    unsigned k; /* 0: there is no index */
    unsigned distance_bits;
    struct ball_counts counts;
};

/* Returns the bytes that an index may take; 0 if the user wants none or run->error is set. */
static double find_budget(struct run *run)
{
    double most = (double)UINT32_MAX * UNIT_BYTES; /* a row stores its first unit in 32 bits */
    double budget = run->options[INDEX_MB] * MEGABYTE;
    if (budget < 0)
        budget = SHARE_OF_FREE * (double)gpu_memory_left(run->error);
    return budget < most ? budget : most;
}

/* Returns whether entries take 64 bits, because an id and a distance do not fit into 32. */
static bool needs_wide_entries(const struct run *run, unsigned k)
{
    return sizes_of(run)->wide_entries || std::bit_width(run->graph->num_vertices) + std::bit_width(k) > 32;
}

static double index_bytes(const struct run *run, double num_units)
{
    return num_units * UNIT_BYTES + (double)run->graph->num_vertices * sizeof(row_t);
}

/* Returns the radius with the least cost per level, or 0 if no index fits the budget. A radius above 1 is a candidate
 * only if nearly all balls reach it and the mean ball is a small share of the graph. */
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

/* Builds rows and entries. Most balls grow in small workspaces, because a multiprocessor can hold more of them.
 * Balls that do not fit into these are grown again in large workspaces. */
template <typename offset_t, typename word_t>
struct builder {
    csr<offset_t> graph;
    struct build_plan plan;  /* all fields but slots */
    struct gpu_arena memory; /* owns the arrays below */
    vertex_t *large_list;    /* num_vertices */
    uint32_t *units;         /* num_vertices + 1; the number of units of each row; after the scan, its first unit */
    struct ball_counts *counts;
};

/* Launches count_balls or fill_balls: for all vertices with small workspaces, or for large balls with large ones. */
template <typename offset_t, typename word_t, typename... parameters>
static void grow_balls(const builder<offset_t, word_t> *builder, const struct stored_index *index, bool large,
                       void (*kernel)(csr<offset_t>, struct build_plan, struct centres, parameters...),
                       struct error *error, std::type_identity_t<parameters>... arguments)
{
    struct grid grid;
    struct build_plan plan = builder->plan;
    struct centres centres = {NULL, builder->graph.num_vertices};
    plan.slots = slots_for(plan.bound);
    if (large)
        centres = {builder->large_list, index->counts.num_large};
    else if (plan.slots > SMALL_SLOTS)
        plan.slots = SMALL_SLOTS;
    size_t shared_bytes = BUILDER_THREADS / WARP_SIZE * workspace_bytes<word_t>(plan.slots);
    gpu_plan_blocks((const void *)kernel, BUILDER_THREADS, BUILDER_BLOCKS, shared_bytes, &grid, error);
    gpu_launch(kernel, grid, shared_bytes, error, builder->graph, plan, centres, arguments...);
}

/* Counts the units of all rows. Allocates the rows and the builder's arrays. */
template <typename offset_t, typename word_t>
static void count_rows(builder<offset_t, word_t> *builder, struct stored_index *index, struct error *error)
{
    size_t n = builder->graph.num_vertices;
    builder->units = gpu_take<uint32_t>(&builder->memory, n + 1, "the index's rows", error);
    builder->large_list = gpu_take<vertex_t>(&builder->memory, n, "the large balls", error);
    builder->counts = gpu_take_zeroed<struct ball_counts>(&builder->memory, 1, "the index's counts", error);
    index->rows = gpu_take<row_t>(&index->memory, n, "the index's rows", error);
    if (error->status != STATUS_OK)
        return;
    gpu_clear(builder->units + n, 1, error);
    auto count = [&](bool large) {
        grow_balls(builder, index, large, count_balls<offset_t, word_t>, error, index->rows, builder->units,
                   builder->large_list, builder->counts);
        gpu_download(&index->counts, builder->counts, 1, error);
    };
    count(false);
    if (index->counts.num_large > 0)
        count(true);
}

/* Allocates the entries and fills the rows. */
template <typename offset_t, typename word_t>
static void fill_rows(const builder<offset_t, word_t> *builder, struct stored_index *index, struct error *error)
{
    size_t num_entries = index->counts.num_units * ENTRIES_OF_UNIT<word_t>;
    word_t *entries = gpu_take<word_t>(&index->memory, num_entries, "the index", error);
    index->entries = entries;
    gpu_exclusive_scan(builder->units, (size_t)builder->graph.num_vertices + 1, error);
    auto fill = [&](bool large) {
        grow_balls(builder, index, large, fill_balls<offset_t, word_t>, error, builder->units, index->rows, entries);
    };
    fill(false);
    if (index->counts.num_large > 0)
        fill(true);
    gpu_wait("building the index", error);
}

static void free_index(struct stored_index *index)
{
    gpu_arena_free(&index->memory);
    *index = {};
}

/* Builds the index of balls of radius k. Sets *fits if it fits the budget; otherwise the index stays empty. Returns
 * STATUS_INPUT if the user asked for a k that does not fit. */
template <typename offset_t, typename word_t>
static int build_index(struct run *run, const csr<offset_t> &graph, struct stored_index *index, unsigned k,
                       double budget, bool *fits)
{
    builder<offset_t, word_t> builder = {};
    uint32_t n = run->graph->num_vertices, bound = sizes_of(run)->max_ball;
    index->k = k;
    index->wide = sizeof(word_t) == sizeof(uint64_t);
    index->distance_bits = std::bit_width(k);
    builder.graph = graph;
    builder.plan = {k, 0, bound < n ? bound : n, index->distance_bits};
    count_rows(&builder, index, run->error);
    double bytes = index_bytes(run, (double)index->counts.num_units);
    *fits = index->counts.num_too_long == 0 && bytes <= budget;
    if (*fits)
        fill_rows(&builder, index, run->error);
    gpu_arena_free(&builder.memory);
    if (!*fits && run->options[K] != 0)
        error_set(run->error, STATUS_INPUT,
                  "%s: --set k=%u: the index takes %.0f MB, and %.0f are allowed; use a smaller k, k=0, or "
                  "--set index-mb",
                  run->graph->name, k, bytes / MEGABYTE, budget / MEGABYTE);
    if (!*fits || run->error->status != STATUS_OK)
        free_index(index);
    return run->error->status;
}

static int build_index_of_width(struct run *run, const struct gpu_graph *graph, struct stored_index *index, unsigned k,
                                double budget, bool *fits)
{
    return with_width(needs_wide_entries(run, k), [&]<typename word_t>() {
        return with_offsets(graph, [&]<typename offset_t>(csr<offset_t> csr) {
            return build_index<offset_t, word_t>(run, csr, index, k, budget, fits);
        });
    });
}

/* Chooses k and builds the index. If the index turns out larger than the sample predicted, tries smaller k. Leaves k
 * = 0 if no index fits or the user wants none. */
static int choose_index(struct run *run, const struct gpu_graph *graph, struct stored_index *index)
{
    struct ball_growth growth;
    double budget = find_budget(run);
    unsigned k = (unsigned)run->options[K];
    if (budget == 0)
        return run->error->status;
    if (k == 0) {
        ball_growth_sample(graph, MAX_SAMPLES, sizes_of(run)->max_ball, &growth, run->error);
        k = choose_radius(run, &growth, budget);
    }
    for (bool fits = false; k > 0 && !fits && run->error->status == STATUS_OK; k--)
        build_index_of_width(run, graph, index, k, budget, &fits);
    return run->error->status;
}

} // namespace BACKEND::khop
