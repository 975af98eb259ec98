/* gpu_graph.h: the graph on the device, and what depends on the width of its offsets. Part of backend.h. */
#pragma once

#include <stdlib.h>

namespace BACKEND
{

struct gpu_graph {
    vertex_t num_vertices;
    edge_t num_edges;
    void *offsets; /* num_vertices + 1 of edge_t if wide, else of uint32_t */
    vertex_t *targets;
    bool wide;
};

static inline size_t offset_size(const struct gpu_graph *graph)
{
    return graph->wide ? sizeof(edge_t) : sizeof(uint32_t);
}

#define OFFSET_SLACK (1u << 16) /* a kernel may add this to the number of edges without overflow */

/* Copies the CSR to the device. Offsets take 32 bits if num_edges plus OFFSET_SLACK fits and force_wide is not set.
 * The caller calls gpu_graph_free, even after a failure. */
int gpu_graph_upload(const struct graph *graph, bool force_wide, struct gpu_graph *gpu_graph, struct error *error);
/* Copies the graph within the device. The caller frees the copy, even after a failure. */
int gpu_graph_copy(const struct gpu_graph *graph, struct gpu_graph *copy, struct error *error);
void gpu_graph_free(struct gpu_graph *gpu_graph);

/* The device memory of the graph, in bytes. */
static inline size_t gpu_graph_bytes(const struct gpu_graph *graph)
{
    return ((size_t)graph->num_vertices + 1) * offset_size(graph) + (size_t)graph->num_edges * sizeof(vertex_t);
}

/* The graph as kernels see it, with a fixed width of offsets. */
template <typename offset_t>
struct csr {
    vertex_t num_vertices;
    const offset_t *__restrict__ offsets;
    const vertex_t *__restrict__ targets;
};

template <typename offset_t>
static csr<offset_t> csr_of(const struct gpu_graph *graph)
{
    return {graph->num_vertices, (const offset_t *)graph->offsets, graph->targets};
}

/* ---- dispatch by width ---- */

/* Calls use.operator()<word_t>() with a word of 64 bits if wide, else of 32, and returns what it returns:
 *     with_width(wide, [&]<typename offset_t>() { return prepare<offset_t>(run); }) */
template <typename use_t>
static auto with_width(bool wide, use_t use)
{
    return wide ? use.template operator()<uint64_t>() : use.template operator()<uint32_t>();
}

/* Calls use(csr) with the graph as kernels see it, and returns what it returns:
 *     with_offsets(graph, [&]<typename offset_t>(csr<offset_t> csr) { ... kernel<offset_t> ... }) */
template <typename use_t>
static auto with_offsets(const struct gpu_graph *graph, use_t use)
{
    return with_width(graph->wide, [&]<typename offset_t>() { return use(csr_of<offset_t>(graph)); });
}

/* ---- preparing ---- */

/* The option that forces 64-bit offsets. */
#define OFFSET_BITS_OPTION                                                                                           \
    {                                                                                                                \
        "offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 if the graph allows it, or always 64"          \
    }

/* The prepare step (struct algorithm) of an algorithm that prepares from a graph on the device: uploads the graph,
 * calls prepare(run, graph), and frees the graph, of which prepare leaves nothing if it takes ownership.
 * wide_option: the index of OFFSET_BITS_OPTION; -1: there is none. */
template <int (*prepare)(struct run *run, struct gpu_graph *graph), int wide_option = -1>
static int uploaded(struct run *run)
{
    bool force_wide = false;
    struct gpu_graph graph;
    if constexpr (wide_option >= 0)
        force_wide = run->options[wide_option] != 0;
    gpu_graph_upload(run->graph, force_wide, &graph, run->error);
    if (run->error->status == STATUS_OK)
        prepare(run, &graph);
    gpu_graph_free(&graph);
    return run->error->status;
}

/* The release step of an algorithm whose struct state owns a graph and an arena, named `graph` and `memory`, and
 * nothing else. */
template <typename state_t>
static void release_state(struct run *run)
{
    state_t *state = (state_t *)run->state;
    if (state != NULL) {
        gpu_arena_free(&state->memory);
        gpu_graph_free(&state->graph);
    }
    free(state);
}

} // namespace BACKEND
