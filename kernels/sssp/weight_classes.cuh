/* weight_classes.cuh: a copy of a graph in which the edges of each vertex stand in classes by weight (search.cuh), and
 * vertices may have other ids (../graph/degree_order.h). Two passes over all edges, shared evenly among all warps: the
 * first counts, the second takes places. Within a class the order is left to chance. */
#pragma once

#include "search.cuh"

namespace BACKEND::sssp
{

template <typename offset_t, typename bits_t>
struct classing {
    vertex_t num_vertices;
    offset_t num_edges;
    const offset_t *offsets; /* the input */
    edge_list<bits_t> edges;
    const vertex_t *id_of; /* NULL: the ids stay */
    unsigned num_classes;
    bits_t least[MOST_CLASSES];
    offset_t *ends; /* num_vertices * num_classes: first the counts, then where a class begins, and where it ends */
    vertex_t *targets;
    bits_t *weights;

    __device__ __forceinline__ vertex_t id(uint64_t vertex) const
    {
        return id_of != NULL ? id_of[vertex] : (vertex_t)vertex;
    }
};

/* Counts the edges of each class, or moves them. */
template <bool moves, typename offset_t, typename bits_t>
__global__ void classify(classing<offset_t, bits_t> with)
{
    typedef std::conditional_t<sizeof(offset_t) == sizeof(uint64_t), unsigned long long, uint32_t> word_t;
    auto use = [&](const auto &some, uint64_t first, const auto &) {
        for (unsigned i = 0; i < UNROLL; i++) {
            unsigned number = 0;
            if (!some.has[i])
                continue;
            while (number + 1 < with.num_classes && some.target[i].weight >= with.least[number + 1])
                number++;
            uint64_t owner = with.id(first + some.owner[i]);
            offset_t place = atomicAdd((word_t *)&with.ends[owner * with.num_classes + number], (word_t)1);
            if (moves) {
                with.targets[place] = with.id(some.target[i].target);
                with.weights[place] = some.target[i].weight;
            }
        }
        return false;
    };
    for_each_edge<UNROLL>(with.edges, all_lists<offset_t>{with.offsets, 1}, (uint64_t)with.num_vertices, with.num_edges,
                          spread_warps(), use);
}

/* Replaces a graph and its weights by the copy. Its offsets are then num_vertices * num_classes + 1. with: id_of and
 * the classes. The graph owns its arrays; *weights: in the arena, as the new ones. Returns a status and fills the
 * error. */
template <typename offset_t, typename bits_t>
static int classify_edges(classing<offset_t, bits_t> with, struct gpu_graph *graph, void **weights,
                          struct gpu_arena *arena, struct error *error)
{
    const size_t number = (size_t)graph->num_vertices * with.num_classes;
    struct gpu_graph result = *graph;
    offset_t *bounds = NULL;
    result.targets = NULL;
    gpu_allocate(&bounds, number + 1, "the classes of edges", error);
    gpu_allocate(&result.targets, graph->num_edges, "the classes of edges", error);
    result.offsets = bounds;
    with.num_vertices = graph->num_vertices;
    with.num_edges = (offset_t)graph->num_edges;
    with.offsets = (const offset_t *)graph->offsets;
    with.edges = {graph->targets, (const bits_t *)*weights};
    with.ends = bounds + 1;
    with.targets = result.targets;
    with.weights = gpu_take<bits_t>(arena, graph->num_edges, "the weights", error);
    gpu_clear(bounds, number + 1, error);
    gpu_launch(classify<false, offset_t, bits_t>, gpu_wide_grid(), 0, error, with);
    gpu_exclusive_scan(with.ends, number, error);
    gpu_launch(classify<true, offset_t, bits_t>, gpu_wide_grid(), 0, error, with);
    gpu_wait("the classes of edges", error);
    gpu_graph_free(graph);
    *graph = result;
    *weights = with.weights;
    return error->status;
}

} // namespace BACKEND::sssp
