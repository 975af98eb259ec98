/* degree_order.cu: the host side of relabelling: counts the classes, numbers the vertices and orders the lists. */
#include "degree_order.h"

#include <bit>

#include "order_neighbours.cuh"

namespace BACKEND::degree_classes
{

/* Writes the degree of each id, rounded up to a multiple of `alignment`, and a 0 after the last id. */
template <typename offset_t>
__global__ void measure_lists(csr<offset_t> from, const vertex_t *input_of, unsigned alignment, edge_t *room)
{
    for (uint64_t id = thread_of_grid(); id <= from.num_vertices; id += threads_of_grid()) {
        uint64_t vertex = id < from.num_vertices && input_of != NULL ? input_of[id] : id;
        edge_t degree = id < from.num_vertices ? from.offsets[vertex + 1] - from.offsets[vertex] : 0;
        room[id] = (degree + alignment - 1) & ~(edge_t)(alignment - 1);
    }
}

__global__ void narrow_offsets(const edge_t *places, uint64_t number, uint32_t *offsets)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid())
        offsets[i] = (uint32_t)places[i];
}

/* ---- host side ---- */

/* While the device only counts memory: finds the first id of each class from the host's graph. */
static void count_on_host(const struct gpu_graph *in, bool both, vertex_t starts[NUM_CLASSES], struct error *error)
{
    const struct graph *graph = in->host;
    vertex_t numbers[NUM_CLASSES] = {}, sum = 0;
    uint32_t *entered;
    if (allocate_zeroed(&entered, graph->num_vertices, sizeof *entered, "the in-degrees", error) != STATUS_OK)
        return;
    for (edge_t edge = 0; in->transposed && edge < graph->num_edges; edge++)
        entered[graph->targets[edge]]++;
#pragma omp parallel for reduction(+ : numbers[:NUM_CLASSES])
    for (vertex_t v = 0; v < graph->num_vertices; v++) {
        edge_t out = graph_degree(graph, v), degree = (in->transposed ? entered[v] : out) + (both ? out : 0);
        numbers[class_of_degree(degree, (unsigned)std::bit_width(degree) - 1, out)]++;
    }
    free(entered);
    for (unsigned c = 0; c < NUM_CLASSES; sum += numbers[c++])
        starts[c] = sum;
}

/* Counts the classes, decides whether to relabel, and numbers the vertices. */
template <typename offset_t>
static void find(const struct gpu_graph *in, struct degrees<offset_t> degrees, vertex_t num_vertices,
                 const struct relabelling_policy *policy, struct gpu_arena *arena, struct degree_order *order,
                 struct error *error)
{
    struct gpu_arena scratch = {};
    const uint32_t num_tiles = (uint32_t)(((uint64_t)num_vertices + TILE_VERTICES - 1) / TILE_VERTICES);
    const struct grid grid = gpu_wide_grid((uint64_t)num_tiles * WARP_SIZE);
    vertex_t first_ids[NUM_CLASSES];
    uint32_t *counts = gpu_take<uint32_t>(&scratch, (size_t)NUM_CLASSES * num_tiles, "the degree classes", error);
    vertex_t *starts = gpu_take<vertex_t>(&scratch, NUM_CLASSES, "the degree classes", error);
    gpu_launch(count_classes<offset_t>, grid, 0, error, degrees, num_vertices, num_tiles, counts);
    gpu_exclusive_scan(counts, (size_t)NUM_CLASSES * num_tiles, error);
    gpu_launch(find_class_starts, {1, WARP_SIZE}, 0, error, counts, num_tiles, starts);
    if (gpu_counting())
        count_on_host(in, policy->both_degrees, first_ids, error);
    else
        gpu_download(first_ids, starts, NUM_CLASSES, error);
    order->relabelled =
        error->status == STATUS_OK && (policy->wanted == RELABEL_YES || policy->pays_off(first_ids, num_vertices));
    if (order->relabelled) {
        const size_t padded = ((size_t)num_vertices + 3) / 4 * 4;
        memcpy(order->starts, first_ids, sizeof order->starts);
        order->num_ids = first_ids[ISOLATED];
        order->id_of = gpu_take<vertex_t>(arena, padded, "the relabelled ids", error);
        order->input_of = gpu_take<vertex_t>(policy->inputs != NULL ? policy->inputs : arena, num_vertices,
                                             "the relabelled ids", error);
        gpu_fill(order->id_of, 0xff, padded, error);
        gpu_launch(number_vertices<offset_t>, grid, 0, error, degrees, num_vertices, num_tiles, counts, order->id_of,
                   order->input_of);
        gpu_wait("numbering the vertices", error);
    }
    gpu_arena_free(&scratch);
}

static struct grid order_grid(vertex_t num_lists)
{
    struct grid grid = gpu_wide_grid((uint64_t)num_lists * WARP_SIZE);
    grid.threads = grid.threads < PREPARE_THREADS ? grid.threads : PREPARE_THREADS;
    return grid;
}

/* Writes the targets of the result. places: its offsets. */
template <typename offset_t>
static void fill(const struct degree_order *order, const struct gpu_graph *from, const edge_t *places,
                 struct gpu_graph *result, struct error *error)
{
    struct gpu_arena scratch = {};
    vertex_t *starts = gpu_take<vertex_t>(&scratch, NUM_CLASSES, "the reordered edges", error);
    gpu_upload(starts, order->starts, NUM_CLASSES, error);
    gpu_allocate(&result->targets, result->num_edges, "the reordered edges", error);
    const neighbour_order<offset_t> with = {(const offset_t *)from->offsets,
                                            from->targets,
                                            order->id_of,
                                            order->input_of,
                                            starts,
                                            order->num_ids,
                                            places,
                                            result->targets};
    gpu_launch(order_neighbours<offset_t>, order_grid(from->num_vertices), sizeof(struct order_shared), error, with);
    gpu_wait("reordering", error);
    gpu_arena_free(&scratch);
}

} // namespace BACKEND::degree_classes

namespace BACKEND
{

int degree_order_find(const struct gpu_graph *in, const struct gpu_graph *out, const struct relabelling_policy *policy,
                      struct gpu_arena *arena, struct degree_order *order, struct error *error)
{
    const vertex_t n = out->num_vertices;
    *order = {};
    order->num_ids = n;
    for (unsigned c = 1; c < NUM_CLASSES; c++)
        order->starts[c] = n;
    if (policy->wanted != RELABEL_NO)
        with_width(out->wide, [&]<typename offset_t>() {
            degree_classes::degrees<offset_t> degrees = {(const offset_t *)in->offsets, (const offset_t *)out->offsets,
                                                         policy->both_degrees};
            degree_classes::find(in, degrees, n, policy, arena, order, error);
        });
    return error->status;
}

int degree_order_places(const struct degree_order *order, const struct gpu_graph *graph, unsigned alignment,
                        edge_t *places, struct error *error)
{
    const size_t number = (size_t)graph->num_vertices + 1;
    with_offsets(graph, [&]<typename offset_t>(csr<offset_t> csr) {
        return gpu_launch(degree_classes::measure_lists<offset_t>, gpu_wide_grid(number), 0, error, csr,
                          order->input_of, alignment, places);
    });
    return gpu_exclusive_scan(places, number, error);
}

void degree_order_set_offsets(edge_t *offsets, struct gpu_graph *graph, struct error *error)
{
    const size_t number = (size_t)graph->num_vertices + 1;
    if (graph->wide) {
        graph->offsets = offsets;
        return;
    }
    uint32_t *narrow = NULL;
    gpu_allocate(&narrow, number, "the reordered offsets", error);
    gpu_launch(degree_classes::narrow_offsets, gpu_wide_grid(number), 0, error, offsets, number, narrow);
    gpu_wait("the reordered offsets", error);
    graph->offsets = narrow;
    gpu_free(offsets);
}

int degree_order_apply(const struct degree_order *order, unsigned alignment, bool wide, struct gpu_graph *graph,
                       struct error *error)
{
    using namespace degree_classes;
    const size_t number = (size_t)graph->num_vertices + 1;
    if (!order->relabelled && alignment == 1 && graph->wide >= wide)
        return error->status;
    struct gpu_graph result = *graph;
    edge_t *places = NULL;
    gpu_allocate(&places, number, "the reordered offsets", error);
    degree_order_places(order, graph, alignment, places, error);
    if (gpu_counting()) /* at most so many */
        result.num_edges += (edge_t)graph->num_vertices * (alignment - 1);
    else
        gpu_download(&result.num_edges, places + number - 1, 1, error);
    result.wide = needs_wide_offsets(result.num_edges, graph->wide || wide);
    result.targets = NULL;
    with_width(graph->wide, [&]<typename offset_t>() { fill<offset_t>(order, graph, places, &result, error); });
    gpu_graph_free(graph);
    degree_order_set_offsets(places, &result, error);
    *graph = result;
    return error->status;
}

int degree_order_lists(const struct degree_order *order, vertex_t number, const edge_t *offsets, vertex_t *targets,
                       vertex_t *ordered, struct error *error)
{
    using namespace degree_classes;
    struct gpu_arena scratch = {};
    vertex_t *starts = gpu_take<vertex_t>(&scratch, NUM_CLASSES, "the reordered edges", error);
    gpu_upload(starts, order->starts, NUM_CLASSES, error);
    gpu_launch(order_neighbours<edge_t>, order_grid(number), sizeof(struct order_shared), error,
               {offsets, targets, order->id_of, NULL, starts, number, offsets, ordered});
    gpu_wait("reordering", error);
    gpu_arena_free(&scratch);
    return error->status;
}

vertex_t degree_order_guess(const struct degree_order *order, vertex_t input, vertex_t n, edge_t degree, edge_t out)
{
    unsigned c = degree_classes::class_of_degree(degree, (unsigned)std::bit_width(degree) - 1, out);
    vertex_t end = c < ISOLATED ? order->starts[c + 1] : n;
    return order->starts[c] + (vertex_t)((double)input / n * (end - order->starts[c]));
}

} // namespace BACKEND
