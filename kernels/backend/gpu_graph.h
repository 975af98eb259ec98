/* gpu_graph.h: the graph on the device, and code for both widths of offsets. Part of backend.h. */
#pragma once

#include <stdlib.h>

namespace BACKEND
{

struct gpu_graph {
    vertex_t num_vertices;
    edge_t num_edges;
    void *offsets; /* num_vertices + 1; edge_t if `wide`, otherwise uint32_t */
    vertex_t *targets;
    bool wide, transposed;    /* transposed: with regard to `host` */
    const struct graph *host; /* the graph from which this one was made, in host memory */
};

static inline size_t offset_size(const struct gpu_graph *graph)
{
    return graph->wide ? sizeof(edge_t) : sizeof(uint32_t);
}

#define OFFSET_SLACK (1u << 16) /* a kernel may add this to the number of edges without overflow */

/* Returns whether offsets take 64 bits: if that is forced, or if num_edges plus OFFSET_SLACK does not fit into 32. */
static inline bool needs_wide_offsets(edge_t num_edges, bool forced)
{
    return forced || num_edges > UINT32_MAX - OFFSET_SLACK;
}

/* Copies the CSR to the device. Its offsets take 64 bits if force_wide is set or they must. A graph without lists has
 * none on the device, either: the algorithm builds them. The caller must call gpu_graph_free, even after a failure. */
int gpu_graph_upload(const struct graph *graph, bool force_wide, struct gpu_graph *gpu_graph, struct error *error);
/* Returns the sizes of a graph of which nothing is on the device. */
static inline struct gpu_graph gpu_graph_sizes(const struct graph *graph)
{
    return {.num_vertices = graph->num_vertices, .num_edges = graph->num_edges, .wide = true, .host = graph};
}

/* Copies the graph within the device. The caller frees the copy, even after a failure. */
int gpu_graph_copy(const struct gpu_graph *graph, struct gpu_graph *copy, struct error *error);
void gpu_graph_free(struct gpu_graph *gpu_graph);

/* Returns the bytes of device memory that the graph takes. */
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

/* Calls use.operator()<value>() for a power of two, at most `most`, and returns what it returns. */
template <unsigned most, typename use_t>
static auto with_power_of_two(unsigned value, use_t use)
{
    if constexpr (most > 1)
        if (value < most)
            return with_power_of_two<most / 2>(value, use);
    return use.template operator()<most>();
}

/* Calls use(csr) with the graph as kernels see it, and returns what it returns:
 *     with_offsets(graph, [&]<typename offset_t>(csr<offset_t> csr) { ... kernel<offset_t> ... }) */
template <typename use_t>
static auto with_offsets(const struct gpu_graph *graph, use_t use)
{
    return with_width(graph->wide, [&]<typename offset_t>() { return use(csr_of<offset_t>(graph)); });
}

/* ---- preparing ---- */

/* Options of many algorithms. For `...`, further fields may be given, e.g. .paper = "256". */
#define BLOCK_SIZE_OPTION(threads, most, ...)                                                                          \
    NUMBER_OPTION("block-size", threads, 32, most, "threads of a block, a multiple of 32", __VA_ARGS__)
#define BLOCKS_PER_SM_OPTION(blocks, ...)                                                                              \
    NUMBER_OPTION("blocks-per-sm", blocks, 1, 32, "blocks on each multiprocessor, at most as many as fit", __VA_ARGS__)
#define OFFSET_BITS_OPTION                                                                                             \
    CHOICE_OPTION("offset-bits", 0, "auto|64", "width of edge offsets: 32 if the graph allows it, or always 64",       \
                  .for_tests = true)

/* The prepare step (struct algorithm) for algorithms that start from a graph on the device. Uploads the graph, calls
 * prepare(run, graph), and frees what prepare left of the graph. wide_option: index of OFFSET_BITS_OPTION; -1 if
 * there is none. */
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

/* Calls build() and sets run->build_ms to the time it took on the device. Returns a status and fills run->error. */
template <typename build_t>
static int gpu_time_build(struct run *run, build_t build)
{
    double kernel_ms;
    run->device->mark(run->device, MARK_BEGIN);
    build();
    run->device->mark(run->device, MARK_END);
    return run->device->elapsed(run->device, &run->build_ms, &kernel_ms, run->error);
}

static inline void gpu_free_owned(struct gpu_arena *arena)
{
    gpu_arena_free(arena);
}
static inline void gpu_free_owned(struct gpu_graph *graph)
{
    gpu_graph_free(graph);
}

/* The release step of an algorithm: frees the arenas and graphs that its state owns:
 *     .release = release_state<struct state, &state::memory, &state::graph> */
template <typename state_t, auto... owned>
static void release_state(struct run *run)
{
    state_t *state = (state_t *)run->state;
    (gpu_free_owned(&(state->*owned)), ...);
}

} // namespace BACKEND
