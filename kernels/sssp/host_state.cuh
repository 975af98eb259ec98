/* host_state.cuh: the host's part of the searches for shortest paths: state, preparing, results, parents. */
#pragma once

#include <algorithm>
#include <bit>

#include "../graph/degree_order.h"
#include "weight_classes.cuh"

namespace BACKEND::sssp
{

/* An engine's state has more members behind these. */
struct state {
    struct gpu_graph graph;
    struct gpu_arena memory; /* owns the arrays */
    enum weight_type type;
    void *weights, *distances; /* num_edges, num_vertices: of that type */
    uint32_t *stamps;
    struct {
        void *before, *shift;
        vertex_t *ids;
    } queues[2];
    double *result;    /* num_vertices: distances as numbers */
    uint64_t *records; /* num_vertices: as in struct search, of doubles the parents alone; NULL if not wanted */
    vertex_t *parent;  /* num_vertices; NULL if not wanted */
    uint32_t *flag;    /* a single word */
    struct grid grid;
    double delta;
    unsigned edge_bits, num_classes; /* as in struct search */
    double class_width;
    struct degree_order order; /* ids in the kernels */
};

/* Calls use.operator()<offset_t, weight_t>() with the types of the graph. */
template <typename use_t>
static auto with_types(const struct state *state, use_t use)
{
    return with_width(state->graph.wide, [&]<typename offset_t>() {
        return state->type == WEIGHTS_FLOAT    ? use.template operator()<offset_t, float>()
               : state->type == WEIGHTS_DOUBLE ? use.template operator()<offset_t, double>()
                                               : use.template operator()<offset_t, uint32_t>();
    });
}

template <typename offset_t, typename weight_t>
static search<offset_t, weight_t> search_of(const struct state *state)
{
    typedef bits_of<weight_t> bits_t;
    search<offset_t, weight_t> search = {state->order.num_ids,
                                         (const offset_t *)state->graph.offsets,
                                         {state->graph.targets, (const bits_t *)state->weights},
                                         (bits_t *)state->distances,
                                         state->records,
                                         state->stamps};
    for (unsigned i = 0; i < 2; i++)
        search.queues[i] = {(offset_t *)state->queues[i].before, (offset_t *)state->queues[i].shift,
                            state->queues[i].ids, search.distances};
    search.edge_bits = state->edge_bits;
    search.id_of = state->order.id_of;
    search.num_classes = state->num_classes;
    for (unsigned i = 0; i < state->num_classes; i++)
        search.least[i] = raised<weight_t>(0, i * state->class_width) - (i == 0);
    return search;
}

/* ---- preparing ---- */

/* Sorts the edges into classes, and gives the vertices new ids if wanted. */
static inline int arrange_edges(struct state *state, bool relabels, struct error *error)
{
    const struct relabelling_policy policy = {relabels ? RELABEL_YES : RELABEL_NO, NULL, false};
    degree_order_find(&state->graph, &state->graph, &policy, &state->memory, &state->order, error);
    return with_types(state, [&]<typename offset_t, typename weight_t>() {
        classing<offset_t, bits_of<weight_t>> with = {};
        auto search = search_of<offset_t, weight_t>(state);
        with.id_of = state->order.id_of;
        with.num_classes = state->num_classes;
        std::copy(search.least, search.least + MOST_CLASSES, with.least);
        return classify_edges(with, &state->graph, &state->weights, &state->memory, error);
    });
}

#define DELTA_OPTION                                                                                                   \
    NUMBER_OPTION("delta", 0, 0, UINT32_MAX, "step width of the threshold; 0: chosen by mean weight and degree")

/* Allocates the arrays of a search, and takes over the graph, in as many classes as the state says (0: as it is). Their
 * widths: class_width. relabels: by degree. */
static inline int prepare_search(struct run *run, struct gpu_graph *graph, double delta, bool relabels = false)
{
    struct state *state = (struct state *)run->state;
    struct gpu_arena *memory = &state->memory, scratch = {};
    const bool classes = state->num_classes > 0;
    state->num_classes = classes ? state->num_classes : 1;
    size_t n = graph->num_vertices, offset = offset_size(graph), room = n * state->num_classes;
    state->graph = std::exchange(*graph, {});
    state->type = run->graph->weight_type != WEIGHTS_NONE ? run->graph->weight_type : WEIGHTS_UINT32;
    state->edge_bits = (unsigned)std::bit_width(state->graph.num_edges);
    if (state->edge_bits + std::bit_width(room) > 64)
        error_set(run->error, STATUS_DEVICE, "%s: the graph is too large for sssp on a GPU", run->graph->name);
    state->weights = gpu_take_bytes(classes ? &scratch : memory, state->graph.num_edges, weight_bytes(state->type),
                                    "the weights", run->error);
    gpu_upload_bytes(state->weights, run->graph->weights, state->graph.num_edges * weight_bytes(state->type),
                     run->error);
    state->delta = delta;
    state->order.num_ids = (vertex_t)n;
    if (classes)
        gpu_time_build(run, [&] { arrange_edges(state, relabels, run->error); });
    gpu_arena_free(&scratch);
    state->distances = gpu_take_bytes(memory, n, weight_bytes(state->type), "the distances", run->error);
    state->stamps = gpu_take<uint32_t>(memory, n, "the stamps", run->error);
    for (auto &queue : state->queues) {
        queue.before = gpu_take_bytes(memory, room, offset, "the queues", run->error);
        queue.shift = gpu_take_bytes(memory, room, offset, "the queues", run->error);
        queue.ids = gpu_take<vertex_t>(memory, room, "the queues", run->error);
    }
    state->result = gpu_take<double>(memory, n, "the result", run->error);
    state->flag = gpu_take<uint32_t>(memory, 1, "a flag", run->error);
    if (run->outputs & OUTPUT_PARENT) {
        state->records = gpu_take<uint64_t>(memory, n, "the parents", run->error);
        state->parent = gpu_take<vertex_t>(memory, n, "the parents", run->error);
    }
    snprintf(run->note, sizeof run->note, "delta %g", state->delta);
    return run->error->status;
}

/* Before a search. */
static inline void reset_search(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    size_t n = run->graph->num_vertices;
    gpu_fill((char *)state->distances, 0xff, n * weight_bytes(state->type), run->error); /* NOT_REACHED */
    gpu_fill(state->records, 0xff, n, run->error);                                       /* NO_RECORD */
    gpu_clear(state->stamps, n, run->error);
}

/* ---- parents ---- */

#define NO_RECORD UINT64_MAX

/* For distances of 64 bits. Records the vertex at the beginning of a tight edge for that at its end. equal: only edges
 * from vertices with a record to others at the same distance; sets *flag if there is any. Otherwise: only edges to
 * farther vertices; sets *flag if a tight edge leads to an equal distance. Parents form a tree: each leads to a nearer
 * vertex, or to one that got its parent before. */
template <typename offset_t, typename weight_t>
__global__ void adopt(search<offset_t, weight_t> search, vertex_t all, offset_t num_edges, vertex_t source, bool equal,
                      uint32_t *flag)
{
    typedef bits_of<weight_t> bits_t;
    source = search.id(source);
    auto use = [&](const auto &some, uint64_t first, const auto &) {
        for (unsigned i = 0; i < UNROLL; i++) {
            if (!some.has[i])
                continue;
            uint64_t u = first + some.owner[i], v = some.target[i].target;
            bits_t distance = search.distances[u];
            if (distance == NOT_REACHED<bits_t> || v == source ||
                sum_of<weight_t>(distance, some.target[i].weight) != search.distances[v])
                continue;
            bool same = search.distances[v] == distance, adopts = same == equal;
            if (adopts && equal)
                adopts = u == source || __ldcg(&search.records[u]) != NO_RECORD;
            if (adopts)
                adopts = atomicCAS((unsigned long long *)&search.records[v], NO_RECORD, u) == NO_RECORD;
            if (equal ? adopts : same)
                __stcg(flag, 1u);
        }
        return false;
    };
    for_each_edge<UNROLL>(search.edges, all_lists<offset_t>{search.bounds, search.num_classes}, (uint64_t)all,
                          num_edges, spread_warps(), use);
}

/* Writes the parents. order: its ids may be NULL. */
static __global__ void write_parents(const uint64_t *records, struct degree_order order, vertex_t num_vertices,
                                     vertex_t source, vertex_t *parent)
{
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid()) {
        uint64_t record = records[order.id_of != NULL ? order.id_of[v] : v];
        vertex_t id = (vertex_t)record;
        parent[v] = v == source              ? source
                    : record == NO_RECORD    ? NO_VERTEX
                    : order.input_of != NULL ? order.input_of[id]
                                             : id;
    }
}

/* After a search, writes the parents if they are wanted. Doubles take a pass over all edges before, and if distances
 * may stay the same along an edge, further ones until no vertex gets a parent. source: of the input. */
static inline void find_parents(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    uint32_t found = state->parent != NULL && state->type == WEIGHTS_DOUBLE;
    for (bool equal = false; found; equal = true) {
        gpu_clear(state->flag, 1, run->error);
        with_width(state->graph.wide, [&]<typename offset_t>() {
            return gpu_launch(adopt<offset_t, double>, gpu_wide_grid(), 0, run->error,
                              search_of<offset_t, double>(state), state->graph.num_vertices,
                              (offset_t)state->graph.num_edges, source, equal, state->flag);
        });
        gpu_download(&found, state->flag, 1, run->error); /* 0 after an error */
    }
    if (state->parent != NULL)
        gpu_launch(write_parents, gpu_wide_grid(state->graph.num_vertices), 0, run->error, state->records, state->order,
                   state->graph.num_vertices, source, state->parent);
}

/* ---- results ---- */

template <typename weight_t>
__global__ void copy_distances(const bits_of<weight_t> *distances, const vertex_t *id_of, vertex_t num_vertices,
                               double *result)
{
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid())
        result[v] = number_of<weight_t>(distances[id_of != NULL ? id_of[v] : v]);
}

static inline int fetch_search(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    vertex_t n = run->graph->num_vertices;
    with_types(state, [&]<typename offset_t, typename weight_t>() {
        return gpu_launch(copy_distances<weight_t>, gpu_wide_grid(n), 0, run->error,
                          (const bits_of<weight_t> *)state->distances, state->order.id_of, n, state->result);
    });
    gpu_fetch(result->distance, state->result, n, run->error);
    return gpu_fetch(result->parent, state->parent, n, run->error);
}

} // namespace BACKEND::sssp
