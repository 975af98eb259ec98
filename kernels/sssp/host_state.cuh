/* host_state.cuh: the host's part of the searches for shortest paths: state, preparing, results, parents. */
#pragma once

#include <bit>

#include "search.cuh"

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
    double *result;   /* num_vertices: distances as numbers */
    vertex_t *parent; /* num_vertices; NULL if not wanted */
    uint32_t *flag;   /* a single word */
    struct grid grid;
    double delta;
    unsigned edge_bits; /* as in struct search */
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
    search<offset_t, weight_t> search = {state->graph.num_vertices,
                                         (const offset_t *)state->graph.offsets,
                                         {state->graph.targets, (const bits_t *)state->weights},
                                         (bits_t *)state->distances,
                                         state->stamps};
    for (unsigned i = 0; i < 2; i++)
        search.queues[i] = {(offset_t *)state->queues[i].before, (offset_t *)state->queues[i].shift,
                            state->queues[i].ids, search.distances};
    search.edge_bits = state->edge_bits;
    return search;
}

/* ---- preparing ---- */

#define DELTA_OPTION                                                                                                   \
    NUMBER_OPTION("delta", 0, 0, UINT32_MAX, "step width of the threshold; 0: chosen by mean weight and degree")

/* Allocates the arrays of a search, and takes over the graph. */
static inline int prepare_search(struct run *run, struct gpu_graph *graph, double delta)
{
    struct state *state = (struct state *)run->state;
    struct gpu_arena *memory = &state->memory;
    size_t n = graph->num_vertices, offset = offset_size(graph);
    state->graph = std::exchange(*graph, {});
    state->type = run->graph->weight_type != WEIGHTS_NONE ? run->graph->weight_type : WEIGHTS_UINT32;
    state->edge_bits = (unsigned)std::bit_width(state->graph.num_edges);
    if (state->edge_bits + std::bit_width(n) > 64)
        error_set(run->error, STATUS_DEVICE, "%s: the graph is too large for sssp on a GPU", run->graph->name);
    state->weights =
        gpu_take_bytes(memory, state->graph.num_edges, weight_bytes(state->type), "the weights", run->error);
    gpu_upload_bytes(state->weights, run->graph->weights, state->graph.num_edges * weight_bytes(state->type),
                     run->error);
    state->delta = delta;
    state->distances = gpu_take_bytes(memory, n, weight_bytes(state->type), "the distances", run->error);
    state->stamps = gpu_take<uint32_t>(memory, n, "the stamps", run->error);
    for (auto &queue : state->queues) {
        queue.before = gpu_take_bytes(memory, n, offset, "the queues", run->error);
        queue.shift = gpu_take_bytes(memory, n, offset, "the queues", run->error);
        queue.ids = gpu_take<vertex_t>(memory, n, "the queues", run->error);
    }
    state->result = gpu_take<double>(memory, n, "the result", run->error);
    state->flag = gpu_take<uint32_t>(memory, 1, "a flag", run->error);
    if (run->outputs & OUTPUT_PARENT)
        state->parent = gpu_take<vertex_t>(memory, n, "the parents", run->error);
    snprintf(run->note, sizeof run->note, "delta %g", state->delta);
    return run->error->status;
}

/* Before a search. */
static inline void reset_search(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    size_t n = run->graph->num_vertices;
    gpu_fill((char *)state->distances, 0xff, n * weight_bytes(state->type), run->error); /* NOT_REACHED */
    gpu_fill(state->stamps, 0xff, n, run->error);
}

/* ---- parents ---- */

/* Gives each target of a tight edge, which gives the target exactly its distance, its parent. equal: only edges from
 * vertices with a parent to targets without one, at the same distance; sets *flag if there is any. Otherwise: only
 * edges to farther targets. Parents form a tree: each leads to a nearer vertex, or to one that got its parent before.
 * A warp takes a vertex at a time. */
template <typename offset_t, typename weight_t>
__global__ void adopt(search<offset_t, weight_t> search, vertex_t source, bool equal, vertex_t *parent, uint32_t *flag)
{
    struct team team = spread_warps();
    if (is_first_thread() && !equal)
        atomicExch(&parent[source], source);
    for (uint64_t u = team.rank; u < search.num_vertices; u += team.size) {
        auto distance = search.distances[u];
        if (distance == NOT_REACHED<bits_of<weight_t>> || (equal && __ldcg(&parent[u]) == NO_VERTEX))
            continue;
        for (uint64_t e = search.offsets[u] + (uint64_t)lane_id(); e < search.offsets[u + 1]; e += WARP_SIZE) {
            vertex_t v = search.edges.targets[e];
            auto sum = sum_of<weight_t>(distance, search.edges.weights[e]);
            if (sum == search.distances[v] && (sum == distance) == equal &&
                atomicCAS(&parent[v], NO_VERTEX, (vertex_t)u) == NO_VERTEX)
                __stcg(flag, 1u);
        }
    }
}

/* Finds parents after a search: a pass over all edges, and if distances may stay the same along an edge, further ones
 * until no vertex gets a parent. */
static inline void find_parents(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    uint32_t found = 1;
    gpu_fill(state->parent, 0xff, run->graph->num_vertices, run->error); /* NO_VERTEX */
    for (bool equal = false; !equal || found; equal = true) {
        if (equal)
            gpu_clear(state->flag, 1, run->error);
        with_types(state, [&]<typename offset_t, typename weight_t>() {
            return gpu_launch(adopt<offset_t, weight_t>, gpu_wide_grid(), 0, run->error,
                              search_of<offset_t, weight_t>(state), source, equal, state->parent, state->flag);
        });
        if (equal)
            gpu_download(&found, state->flag, 1, run->error); /* 0 after an error */
    }
}

/* ---- results ---- */

template <typename weight_t>
__global__ void copy_distances(const bits_of<weight_t> *distances, vertex_t num_vertices, double *result)
{
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid())
        result[v] = number_of<weight_t>(distances[v]);
}

static inline int fetch_search(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    vertex_t n = run->graph->num_vertices;
    with_types(state, [&]<typename offset_t, typename weight_t>() {
        return gpu_launch(copy_distances<weight_t>, gpu_wide_grid(n), 0, run->error,
                          (const bits_of<weight_t> *)state->distances, n, state->result);
    });
    gpu_fetch(result->distance, state->result, n, run->error);
    return gpu_fetch(result->parent, state->parent, n, run->error);
}

} // namespace BACKEND::sssp
