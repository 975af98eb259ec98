/* build_lists.cu: builds graphs from Graph500's edges, and collects the pieces in a graph. */
#include "build_lists.cuh"

namespace BACKEND::building
{

/* The edges of Graph500. Each thread generates a range of them, as the next one then takes only one step. */
struct graph500_edges {
    struct graph500_list list;

    vertex_t num_vertices(void) const
    {
        return (vertex_t)1 << list.scale;
    }
    uint64_t num_edges(void) const
    {
        return list.num_edges;
    }
    template <typename use_t>
    __device__ __forceinline__ void visit(use_t use) const
    {
        const uint64_t share = list.num_edges / threads_of_grid() + 1;
        const uint64_t begin = min(list.num_edges, thread_of_grid() * share);
        struct graph500_state state = graph500_skip(list.jump, list.start, begin);
        for (uint64_t i = begin; i < begin + share; i++, state = graph500_product(list.jump, state)) {
            struct graph500_edge edge = graph500_edge_from(&list, state);
            use(i < list.num_edges && edge.u != edge.v, edge.u, edge.v);
        }
    }
};

/* The sink that appends the pieces to a graph. */
struct collector {
    struct gpu_graph *graph;
    edge_t *offsets; /* num_vertices + 1 */
};

static void collect(void *context, const struct built_lists *lists, struct error *error)
{
    const struct collector *to = (const struct collector *)context;
    gpu_copy(to->graph->targets + to->graph->num_edges, lists->targets, lists->num_targets, error);
    gpu_launch(move_offsets, gpu_wide_grid((uint64_t)lists->number + 1), 0, error, lists->offsets,
               (uint64_t)lists->number + 1, to->graph->num_edges, to->offsets + lists->first);
    to->graph->num_edges += lists->num_targets;
}

} // namespace BACKEND::building

namespace BACKEND
{

unsigned build_least_pieces = 1;

int graph500_count(const struct graph500_list *list, const struct relabelling_policy *policy, struct gpu_arena *arena,
                   struct degree_order *order, struct raw_lists *raw, struct error *error)
{
    const struct building::graph500_edges edges = {*list};
    return building::count(edges, policy, arena, order, raw, error);
}

int graph500_build(const struct graph500_list *list, const struct degree_order *order, struct raw_lists *raw,
                   list_sink *sink, void *context, struct error *error)
{
    const struct building::graph500_edges edges = {*list};
    return building::build(edges, order, raw, sink, context, error);
}

int graph500_build_graph(const struct graph500_list *list, const struct relabelling_policy *policy, bool wide,
                         struct gpu_arena *arena, struct degree_order *order, struct gpu_graph *graph,
                         struct error *error)
{
    const vertex_t n = (vertex_t)1 << list->scale;
    struct raw_lists raw;
    struct building::collector to = {graph, NULL};
    *graph = {.num_vertices = n};
    graph500_count(list, policy, arena, order, &raw, error);
    gpu_allocate(&to.offsets, (size_t)n + 1, "the graph's offsets", error);
    gpu_allocate(&graph->targets, raw.num_targets, "the graph's edges", error);
    graph500_build(list, order, &raw, building::collect, &to, error);
    gpu_launch(building::fill_offsets, gpu_wide_grid(n), 0, error, graph->num_edges, raw.num_ids, n, to.offsets);
    graph->wide = needs_wide_offsets(graph->num_edges, wide);
    degree_order_set_offsets(to.offsets, graph, error);
    return error->status;
}

} // namespace BACKEND

using namespace BACKEND;

int BACKEND_NAME(graph500_mark_ends_gpu)(const struct graph500_list *list, uint32_t *bitmap, struct error *error)
{
    struct gpu_arena memory = {};
    const size_t words = bitmap_words((vertex_t)1 << list->scale);
    uint32_t *marks = gpu_take_zeroed<uint32_t>(&memory, words, "the search keys", error);
    gpu_launch(building::mark_ends<building::graph500_edges>, gpu_wide_grid(list->num_edges), 0, error, {*list}, marks);
    gpu_download(bitmap, marks, words, error);
    gpu_arena_free(&memory);
    return error->status;
}
