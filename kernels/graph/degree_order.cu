/* degree_order.cu: relabels a graph by degree on the device, with two sorts: of the vertices by degree class, and of
 * the edges by (relabelled id, neighbour's relabelled id). The edges are sorted in parts of at most PART_EDGES, to
 * bound the memory. A single row with more edges is a part of its own. */
#include "degree_order.h"

#include "../device/ids.cuh"

namespace BACKEND::degree_order
{

#define PART_EDGES        (1ull << 28)
#define ONLY_OUT          32u /* classes after those of in-degrees: no in-neighbours; no neighbours at all */
#define ISOLATED          33u
#define NUM_CLASSES       34u
#define CLASS_SHIFT       32u /* in a vertex's sort key */
#define CLASS_BITS        6u
#define HEAVY_FACTOR      4.0 /* times the mean degree */
#define HEAVY_SHARE       0.25
#define HUB_CLASSES       (32u - 12u) /* the classes of at least HUB_DEGREE, and of MEDIUM_DEGREE */
#define NOT_SMALL_CLASSES (32u - 7u)
static_assert(HUB_DEGREE == 1u << 12 && MEDIUM_DEGREE == 1u << 7, "classes are of powers of two");

/* ---- relabelled ids ---- */

struct classify_shared {
    uint32_t sizes[NUM_CLASSES];
};

/* Makes each vertex's key, class << CLASS_SHIFT | vertex, and counts the vertices of each class. If the graph is
 * symmetric, `in` equals `out`. */
template <typename offset_t>
__global__ void classify(const offset_t *in, const offset_t *out, vertex_t num_vertices, uint64_t *keys,
                         uint32_t *sizes)
{
    struct classify_shared *shared = block_shared<struct classify_shared>();
    for (unsigned i = threadIdx.x; i < NUM_CLASSES; i += blockDim.x)
        shared->sizes[i] = 0;
    __syncthreads();
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid()) {
        uint64_t in_degree = in[v + 1] - in[v], out_degree = out[v + 1] - out[v];
        unsigned mine = in_degree > 0    ? (unsigned)__clz((int)(uint32_t)min(in_degree, (uint64_t)UINT32_MAX))
                        : out_degree > 0 ? ONLY_OUT
                                         : ISOLATED;
        keys[v] = (uint64_t)mine << CLASS_SHIFT | v;
        atomicAdd(&shared->sizes[mine], 1u);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < NUM_CLASSES; i += blockDim.x)
        if (shared->sizes[i] > 0)
            atomicAdd(&sizes[i], shared->sizes[i]);
}

__global__ void number_rows(const uint64_t *keys, vertex_t num_vertices, vertex_t *row_of, vertex_t *input_of)
{
    for (uint64_t row = thread_of_grid(); row < num_vertices; row += threads_of_grid()) {
        vertex_t vertex = (vertex_t)keys[row];
        input_of[row] = vertex;
        row_of[vertex] = (vertex_t)row;
    }
}

/* ---- sorted edges ---- */

/* The degree of each row, rounded up to a multiple of `alignment`, and a 0 after the last row. */
template <typename offset_t>
__global__ void measure_rows(csr<offset_t> from, const vertex_t *input_of, unsigned alignment, edge_t *places)
{
    for (uint64_t row = thread_of_grid(); row <= from.num_vertices; row += threads_of_grid()) {
        uint64_t vertex = row < from.num_vertices && input_of != NULL ? input_of[row] : row;
        edge_t degree = row < from.num_vertices ? from.offsets[vertex + 1] - from.offsets[vertex] : 0;
        places[row] = (degree + alignment - 1) / alignment * alignment;
    }
}

/* The rows first .. last - 1. Their edges are sorted together, as keys (row - first) << bits | neighbour. */
struct part {
    uint64_t first, last;
    edge_t begin, end; /* places of their edges */
    unsigned bits;     /* width of a relabelled id; a neighbour with all bits set is padding */
};

/* One warp per row. */
template <typename offset_t>
__global__ void make_keys(csr<offset_t> from, const vertex_t *row_of, const vertex_t *input_of, const edge_t *places,
                          struct part part, uint64_t *keys)
{
    const uint64_t padding = (1ull << part.bits) - 1, warps = threads_of_grid() / WARP_SIZE;
    for (uint64_t row = part.first + thread_of_grid() / WARP_SIZE; row < part.last; row += warps) {
        uint64_t vertex = input_of != NULL ? input_of[row] : row;
        edge_t begin = from.offsets[vertex], degree = from.offsets[vertex + 1] - begin;
        edge_t place = places[row] - part.begin, room = places[row + 1] - places[row];
        for (edge_t i = lane_id(); i < room; i += WARP_SIZE) {
            uint64_t key = padding;
            if (i < degree) {
                vertex_t target = from.targets[begin + i];
                key = row_of != NULL ? row_of[target] : target;
            }
            keys[place + i] = (row - part.first) << part.bits | key;
        }
    }
}

__global__ void take_targets(const uint64_t *keys, struct part part, vertex_t *targets)
{
    const uint64_t padding = (1ull << part.bits) - 1;
    for (uint64_t i = thread_of_grid(); i < part.end - part.begin; i += threads_of_grid()) {
        uint64_t key = keys[i], target = key & padding;
        targets[part.begin + i] = (vertex_t)(target == padding ? part.first + (key >> part.bits) : target);
    }
}

__global__ void narrow_offsets(const edge_t *places, uint64_t number, uint32_t *offsets)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid())
        offsets[i] = (uint32_t)places[i];
}

/* ---- host side ---- */

static unsigned bit_length(uint64_t value)
{
    unsigned bits = 0;
    for (; value != 0; value >>= 1)
        bits++;
    return bits;
}

/* Assumes that each degree is in the middle of the range of its class. */
static bool is_heavy_tailed(const uint32_t sizes[NUM_CLASSES])
{
    double edges = 0, vertices = 0, heavy = 0;
    for (unsigned c = 0; c < ONLY_OUT; c++) {
        edges += sizes[c] * 1.5 * (double)(1ull << (ONLY_OUT - 1 - c));
        vertices += sizes[c];
    }
    for (unsigned c = 0; c < ONLY_OUT; c++) {
        double lowest = (double)(1ull << (ONLY_OUT - 1 - c));
        heavy += lowest * vertices >= HEAVY_FACTOR * edges ? sizes[c] * 1.5 * lowest : 0;
    }
    return edges > 0 && heavy >= HEAVY_SHARE * edges;
}

/* A row of thousands of edges delays all others unless it gets more lanes than they do. */
static bool has_hubs(const uint32_t sizes[NUM_CLASSES])
{
    for (unsigned c = 0; c < HUB_CLASSES; c++)
        if (sizes[c] > 0)
            return true;
    return false;
}

static void count_rows(const uint32_t sizes[NUM_CLASSES], struct sorted_rows *rows)
{
    rows->num_rows = 0;
    for (unsigned c = 0; c < ISOLATED; c++) {
        rows->num_hubs += c < HUB_CLASSES ? sizes[c] : 0;
        rows->num_not_small += c < NOT_SMALL_CLASSES ? sizes[c] : 0;
        rows->num_rows += sizes[c];
    }
}

template <typename offset_t>
static int relabel(const struct gpu_graph *in, const struct gpu_graph *out, enum relabelling relabelling,
                   struct sorted_rows *rows, struct error *error)
{
    vertex_t n = in->num_vertices;
    uint64_t *keys = NULL, *other = NULL;
    uint32_t *counts = NULL, sizes[NUM_CLASSES];
    const char *what = "the degree classes";
    if (gpu_allocate(&keys, n, what, error) == STATUS_OK && gpu_allocate(&other, n, what, error) == STATUS_OK &&
        gpu_allocate(&counts, NUM_CLASSES, what, error) == STATUS_OK &&
        gpu_check(cudaMemset(counts, 0, sizeof sizes), what, error) == STATUS_OK &&
        gpu_launch(classify<offset_t>, gpu_wide_grid(n), sizeof(struct classify_shared), error,
                   (const offset_t *)in->offsets, (const offset_t *)out->offsets, n, keys, counts) == STATUS_OK &&
        gpu_download(sizes, counts, NUM_CLASSES, error) == STATUS_OK) {
        rows->relabelled = relabelling == RELABEL_YES ||
                           (relabelling == RELABEL_AUTO && (is_heavy_tailed(sizes) || has_hubs(sizes)));
        if (rows->relabelled && gpu_sort(&keys, &other, n, CLASS_SHIFT + CLASS_BITS, error) == STATUS_OK &&
            gpu_allocate(&rows->row_of, n, "the rows' numbers", error) == STATUS_OK &&
            gpu_allocate(&rows->input_of, n, "the rows' numbers", error) == STATUS_OK &&
            gpu_launch(number_rows, gpu_wide_grid(n), 0, error, (const uint64_t *)keys, n, rows->row_of,
                       rows->input_of) == STATUS_OK) {
            gpu_check(cudaDeviceSynchronize(), "numbering rows", error);
            count_rows(sizes, rows);
        }
    }
    gpu_free(keys);
    gpu_free(other);
    gpu_free(counts);
    return error->status;
}

/* The part that begins at row `first`: as many rows as fit into PART_EDGES edges, but at least one. */
static int next_part(const edge_t *places, vertex_t num_vertices, uint64_t first, struct part *part,
                     struct error *error)
{
    uint64_t last = first + 1, beyond = (uint64_t)num_vertices + 1;
    *part = {first, last, 0, 0, bit_length(num_vertices)};
    if (gpu_download(&part->begin, &places[first], 1, error) != STATUS_OK)
        return error->status;
    for (uint64_t middle = num_vertices; last + 1 < beyond; middle = last + (beyond - last) / 2) {
        if (gpu_download(&part->end, &places[middle], 1, error) != STATUS_OK)
            return error->status;
        if (part->end - part->begin <= PART_EDGES)
            last = middle;
        else
            beyond = middle;
    }
    part->last = last;
    return gpu_download(&part->end, &places[last], 1, error);
}

template <typename offset_t>
static int sort_part(const struct gpu_graph *from, const struct sorted_rows *rows, const edge_t *places,
                     const struct part *part, vertex_t *targets, struct error *error)
{
    uint64_t *keys = NULL, *other = NULL, number = part->end - part->begin;
    unsigned bits = part->bits + bit_length(part->last - part->first - 1);
    if (gpu_allocate(&keys, number, "sorting the edges", error) == STATUS_OK &&
        gpu_allocate(&other, number, "sorting the edges", error) == STATUS_OK &&
        gpu_launch(make_keys<offset_t>, gpu_wide_grid((part->last - part->first) * WARP_SIZE), 0, error,
                   csr_of<offset_t>(from), (const vertex_t *)rows->row_of, (const vertex_t *)rows->input_of, places,
                   *part, keys) == STATUS_OK &&
        gpu_sort(&keys, &other, number, bits, error) == STATUS_OK &&
        gpu_launch(take_targets, gpu_wide_grid(number), 0, error, (const uint64_t *)keys, *part, targets) ==
            STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "sorting the edges", error);
    gpu_free(keys);
    gpu_free(other);
    return error->status;
}

/* Finds the place of each row's edges: *places gets num_vertices + 1 entries. */
template <typename offset_t>
static int place_rows(const struct gpu_graph *from, const struct sorted_rows *rows, unsigned alignment,
                      edge_t **places, edge_t *num_edges, struct error *error)
{
    size_t number = (size_t)from->num_vertices + 1;
    if (gpu_allocate(places, number, "the sorted offsets", error) != STATUS_OK ||
        gpu_launch(measure_rows<offset_t>, gpu_wide_grid(number), 0, error, csr_of<offset_t>(from),
                   (const vertex_t *)rows->input_of, alignment, *places) != STATUS_OK ||
        gpu_exclusive_scan(*places, number, error) != STATUS_OK)
        return error->status;
    return gpu_download(num_edges, &(*places)[number - 1], 1, error);
}

/* Sorts the edges of a graph into rows and frees the graph. *places is what place_rows made; it becomes the offsets
 * of the result, or is freed. */
template <typename offset_t>
static int sort_rows(struct gpu_graph *from, const struct sorted_rows *rows, edge_t **places, edge_t num_edges,
                     bool wide, struct gpu_graph *sorted, struct error *error)
{
    vertex_t n = from->num_vertices;
    *sorted = {n, num_edges, NULL, NULL, wide};
    if (gpu_allocate(&sorted->targets, num_edges, "the sorted edges", error) != STATUS_OK)
        return error->status;
    struct part part = {};
    for (; part.last < n && num_edges > 0;)
        if (next_part(*places, n, part.last, &part, error) != STATUS_OK ||
            (part.end > part.begin &&
             sort_part<offset_t>(from, rows, *places, &part, sorted->targets, error) != STATUS_OK))
            return error->status;
    gpu_graph_free(from);
    if (wide) {
        sorted->offsets = *places;
        *places = NULL;
        return STATUS_OK;
    }
    uint32_t *narrow = NULL;
    if (gpu_allocate(&narrow, (size_t)n + 1, "the sorted offsets", error) == STATUS_OK &&
        gpu_launch(narrow_offsets, gpu_wide_grid((uint64_t)n + 1), 0, error, (const edge_t *)*places, (uint64_t)n + 1,
                   narrow) == STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "the sorted offsets", error);
    sorted->offsets = narrow;
    gpu_free(*places);
    *places = NULL;
    return error->status;
}

/* Frees each of the two graphs as soon as it is sorted. */
template <typename offset_t>
static int build(struct gpu_graph *in, struct gpu_graph *out, bool symmetric, enum relabelling relabelling,
                 struct sorted_rows *rows, struct error *error)
{
    edge_t *in_places = NULL, *out_places = NULL, num_in = 0, num_out = 0;
    rows->num_rows = out->num_vertices;
    relabel<offset_t>(symmetric ? out : in, out, relabelling, rows, error);
    if (error->status == STATUS_OK &&
        place_rows<offset_t>(symmetric ? out : in, rows, ROW_ALIGNMENT, &in_places, &num_in, error) == STATUS_OK &&
        (symmetric || place_rows<offset_t>(out, rows, 1, &out_places, &num_out, error) == STATUS_OK)) {
        bool wide = out->wide || num_in > UINT32_MAX - OFFSET_SLACK || num_out > UINT32_MAX - OFFSET_SLACK;
        if (sort_rows<offset_t>(symmetric ? out : in, rows, &in_places, num_in, wide, &rows->in, error) ==
                STATUS_OK &&
            !symmetric)
            sort_rows<offset_t>(out, rows, &out_places, num_out, wide, &rows->out, error);
    }
    gpu_free(in_places);
    gpu_free(out_places);
    return error->status;
}

} // namespace BACKEND::degree_order

namespace BACKEND
{

int sorted_rows_build(const struct graph *host, struct gpu_graph *graph, enum relabelling relabelling,
                      struct sorted_rows *rows, struct error *error)
{
    struct gpu_graph out = *graph, in = {};
    struct graph transpose = {};
    *graph = {};
    *rows = {};
    if (host->symmetric || (graph_transpose(host, &transpose, error) == STATUS_OK &&
                            gpu_graph_upload(&transpose, out.wide, &in, error) == STATUS_OK)) {
        graph_release(&transpose);
        if (out.wide)
            degree_order::build<edge_t>(&in, &out, host->symmetric, relabelling, rows, error);
        else
            degree_order::build<uint32_t>(&in, &out, host->symmetric, relabelling, rows, error);
    }
    graph_release(&transpose);
    gpu_graph_free(&in);
    gpu_graph_free(&out);
    return error->status;
}

void sorted_rows_free(struct sorted_rows *rows)
{
    gpu_graph_free(&rows->in);
    gpu_graph_free(&rows->out);
    gpu_free(rows->row_of);
    gpu_free(rows->input_of);
    *rows = {};
}

} // namespace BACKEND
