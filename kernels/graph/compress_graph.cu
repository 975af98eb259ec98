/* compress_graph.cu: compresses a graph in host memory, piece by piece. */
#include <algorithm>
#include <bit>
#include <vector>

#include "compressed_lists.h"

namespace BACKEND::compressing
{

#define PIECE_TARGETS (1u << 26) /* most targets of a piece, unless a list is longer: 256 MB */
#define LEAST_PIECES  16u
#define PIECE_LISTS   (1u << 24)
#define HOST_SHARE    8u   /* pieces are smaller by this if lists are in host memory, since the device has no room */
#define SAMPLES       256u /* lists by which the size is estimated */

/* Relabels pieces of a graph's lists. Arrays of the host and of the device have room for one piece. */
struct relabeller {
    const struct graph *graph;
    const struct degree_order *order;
    std::vector<vertex_t> inputs; /* the input id of each id; empty if they are equal */
    std::vector<edge_t> host_offsets;
    std::vector<vertex_t> host_targets;
    edge_t *offsets;
    vertex_t *targets, *ordered;
};

/* Uploads the lists of some ids, relabels and compresses them. */
static void compress_piece(struct relabeller *with, vertex_t first, vertex_t number, struct compressed_lists *lists,
                           struct error *error)
{
    const struct graph *graph = with->graph;
    edge_t *offsets = with->host_offsets.data(), sum = 0;
    auto input = [&](vertex_t i) { return with->inputs.empty() ? first + i : with->inputs[first + i]; };
    for (vertex_t i = 0; i < number; i++) {
        offsets[i] = sum;
        sum += graph_degree(graph, input(i));
    }
    offsets[number] = sum;
#pragma omp parallel for schedule(dynamic, 64)
    for (vertex_t i = 0; i < number; i++)
        std::copy_n(graph->targets + graph->offsets[input(i)], graph_degree(graph, input(i)),
                    with->host_targets.data() + offsets[i]);
    gpu_upload(with->offsets, offsets, (size_t)number + 1, error);
    gpu_upload(with->targets, with->host_targets.data(), sum, error);
    struct built_lists piece = {first, number, sum, with->offsets, with->targets};
    if (!with->inputs.empty()) {
        degree_order_lists(with->order, number, with->offsets, with->targets, with->ordered, error);
        piece.targets = with->ordered;
    }
    if (error->status == STATUS_OK)
        compressed_lists_append(lists, &piece, error);
}

/* Returns about the bytes that the values of all lists take. Vertices of a class are numbered in the order of their
 * input ids, so an id is estimated from the degree. Lists are drawn by edges: each stands for as many edges. */
static uint64_t estimate_bytes(const struct graph *graph, const struct graph *reverse, const struct degree_order *order)
{
    const uint64_t scale = 1u << 20; /* of what a value adds to the numbers of lengths */
    const vertex_t n = graph->num_vertices;
    uint64_t numbers[2 * NUM_LENGTHS] = {}, bits[2];
    auto id_of = [&](vertex_t v) {
        edge_t out = graph_degree(graph, v), degree = out + (reverse != NULL ? graph_degree(reverse, v) : 0);
        return degree_order_guess(order, v, n, degree, out);
    };
#pragma omp parallel for schedule(dynamic) reduction(+ : numbers[:2 * NUM_LENGTHS])
    for (unsigned sample = 0; sample < SAMPLES; sample++) {
        const edge_t edge = (edge_t)((sample + 0.5) / SAMPLES * (double)graph->num_edges);
        const edge_t *end = std::upper_bound(graph->offsets, graph->offsets + n, edge);
        std::vector<vertex_t> list(graph->targets + end[-1], graph->targets + *end);
        if (order->relabelled)
            std::transform(list.begin(), list.end(), list.begin(), id_of);
        std::sort(list.begin(), list.end());
        vertex_t last = NO_VERTEX;
        for (size_t i = 0; i < (list.size() + GROUP_TARGETS - 1) / GROUP_TARGETS * GROUP_TARGETS; i++) {
            last = i % GROUP_TARGETS == 0 ? NO_VERTEX : last;
            uint32_t value = i < list.size() ? list[i] - last : 0;
            last = i < list.size() ? list[i] : last;
            numbers[(i % GROUP_TARGETS > 0 ? NUM_LENGTHS : 0) + std::bit_width(value)] += scale / list.size();
        }
    }
    compressed_lists_table(numbers, &bits[0]);
    compressed_lists_table(numbers + NUM_LENGTHS, &bits[1]);
    return (uint64_t)((double)(bits[0] + bits[1]) / 8 / scale / SAMPLES * (double)graph->num_edges);
}

} // namespace BACKEND::compressing

namespace BACKEND
{

using namespace compressing;

int compressed_order_find(const struct graph *graph, const struct graph *reverse,
                          const struct relabelling_policy *policy, const struct list_memory *memory,
                          struct degree_order *order, struct error *error)
{
    const size_t number = (size_t)graph->num_vertices + 1;
    struct gpu_arena scratch = {.in_host = memory->offsets->in_host};
    struct gpu_graph out = {graph->num_vertices, graph->num_edges, NULL, NULL, true, false, graph};
    out.offsets = gpu_take<edge_t>(&scratch, number, "the degrees", error);
    gpu_upload((edge_t *)out.offsets, graph->offsets, number, error);
    struct gpu_graph in = out;
    if (reverse != NULL) {
        in.transposed = true;
        in.offsets = gpu_take<edge_t>(&scratch, number, "the degrees", error);
        gpu_upload((edge_t *)in.offsets, reverse->offsets, number, error);
    }
    degree_order_find(&in, &out, policy, memory->device, order, error);
    gpu_arena_free(&scratch);
    return error->status;
}

int compressed_lists_upload(const struct graph *graph, const struct graph *reverse, const struct degree_order *order,
                            struct list_memory memory, struct compressed_lists *lists, struct error *error)
{
    struct gpu_arena scratch = {};
    const vertex_t n = graph->num_vertices, share = memory.lists->in_host ? HOST_SHARE : 1;
    edge_t most = std::min<edge_t>(PIECE_TARGETS, graph->num_edges / LEAST_PIECES) / share;
    for (vertex_t v = 0; v < n; v++)
        most = std::max(most, graph_degree(graph, v));
    const vertex_t most_lists = std::min(order->num_ids, PIECE_LISTS / share);
    compressed_lists_begin(order->num_ids, graph->num_edges, memory, lists, error);
    struct relabeller with = {
        .graph = graph,
        .order = order,
        .offsets = gpu_take<edge_t>(&scratch, (size_t)most_lists + 1, "a piece of the lists", error),
        .targets = gpu_take<vertex_t>(&scratch, most, "a piece of the lists", error),
        .ordered = order->relabelled ? gpu_take<vertex_t>(&scratch, most, "a piece of the lists", error) : NULL,
    };
    if (gpu_counting()) {
        lists->num_groups = lists->most_groups;
        gpu_take_bytes(memory.lists, estimate_bytes(graph, reverse, order), 1, "the compressed lists", error);
        const size_t groups = most / GROUP_TARGETS + most_lists;
        gpu_take<uint64_t>(&scratch, groups / GROUPS_PER_RECORD, "the places", error);
        if (memory.lists->in_host) { /* what kernels write before it is there */
            gpu_take<struct list_record>(&scratch, groups / GROUPS_PER_RECORD, "a piece of the lists", error);
            gpu_take<vertex_t>(&scratch, most, "a piece of the lists", error);
        }
        if (memory.offsets->in_host)
            gpu_take<edge_t>(&scratch, (size_t)most_lists + 1, "a piece of the lists", error);
    }
    if (gpu_counting() || error->status != STATUS_OK) {
        gpu_arena_free(&scratch);
        return error->status;
    }
    with.inputs.resize(order->relabelled ? order->num_ids : 0);
    with.host_offsets.resize((size_t)most_lists + 1);
    with.host_targets.resize(most);
    gpu_download(with.inputs.data(), order->input_of, with.inputs.size(), error);
    for (vertex_t first = 0, end; first < order->num_ids && error->status == STATUS_OK; first = end) {
        edge_t sum = 0;
        for (end = first; end < order->num_ids && end - first < most_lists; end++) {
            sum += graph_degree(graph, order->relabelled ? with.inputs[end] : end);
            if (sum > most)
                break;
        }
        compress_piece(&with, first, end - first, lists, error);
    }
    gpu_arena_free(&scratch);
    return error->status;
}

} // namespace BACKEND
