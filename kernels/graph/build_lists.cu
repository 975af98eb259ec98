/* build_lists.cu: builds graphs from the edges of Graph500 or of arrays, and collects the pieces in a graph. */
#include "build_lists.cuh"

namespace BACKEND::building
{

/* The edges of Graph500. Each thread generates a range of them, as the next one then takes only one step. */
struct graph500_edges {
    vertex_t num_vertices;
    uint64_t num_edges;
    bool both_ways;
    struct graph500_list list;

    template <typename use_t>
    __device__ __forceinline__ void visit(use_t use) const
    {
        const uint64_t share = num_edges / threads_of_grid() + 1;
        const uint64_t begin = min(num_edges, thread_of_grid() * share);
        struct graph500_state state = graph500_skip(list.jump, list.start, begin);
        for (uint64_t i = begin; i < begin + share; i++, state = graph500_product(list.jump, state)) {
            struct graph500_edge edge = graph500_edge_from(&list, state);
            use(i < num_edges && edge.u != edge.v, edge.u, edge.v);
        }
    }
};

/* Edges between vertices, from two arrays of ids of 32 or 64 bits. */
template <typename id_t>
struct array_edges {
    vertex_t num_vertices;
    uint64_t num_edges;
    bool both_ways;
    const id_t *ends[2]; /* num_edges each */

    template <typename use_t>
    __device__ __forceinline__ void visit(use_t use) const
    {
        for (uint64_t base = 0; base < num_edges; base += threads_of_grid()) {
            uint64_t i = base + thread_of_grid();
            vertex_t u = i < num_edges ? (vertex_t)ends[0][i] : 0, v = i < num_edges ? (vertex_t)ends[1][i] : 0;
            use(u != v, u, v);
        }
    }
};

static struct graph500_edges edges_of(const struct graph500_list *list)
{
    return {(vertex_t)1 << list->scale, list->num_edges, true, *list};
}

/* The sink that appends the pieces to a graph, whose offsets are raw->places in the end. */
struct collector {
    struct gpu_graph *graph;
    const struct raw_lists *raw;
};

static void collect(void *context, const struct built_lists *lists, struct error *error)
{
    const struct collector *to = (const struct collector *)context;
    const uint64_t number = (uint64_t)lists->number + 1;
    gpu_copy(to->graph->targets + to->graph->num_edges, lists->targets, lists->num_targets, error);
    gpu_launch(move_offsets, gpu_wide_grid(number), 0, error, to->raw->places + lists->first, number,
               to->graph->num_edges);
    to->graph->num_edges += lists->num_targets;
}

/* Builds a graph by id. Returns the number of its targets with duplicates. */
template <typename source_t>
static edge_t build_graph(const source_t &source, const struct relabelling_policy *policy, bool wide,
                          struct gpu_arena *arena, struct degree_order *order, struct gpu_graph *graph,
                          struct error *error)
{
    struct raw_lists raw;
    struct collector to = {graph, &raw};
    *graph = {.num_vertices = source.num_vertices};
    count(source, policy, arena, order, &raw, error);
    gpu_allocate(&graph->targets, raw.num_targets, "the graph's edges", error);
    build(source, order, &raw, collect, &to, error);
    const uint64_t rest = source.num_vertices - raw.num_ids; /* ids without lists: their places count duplicates */
    gpu_launch(move_offsets, gpu_wide_grid(rest), 0, error, raw.places + raw.num_ids + 1, rest,
               graph->num_edges - raw.num_targets);
    graph->wide = needs_wide_offsets(graph->num_edges, wide);
    degree_order_set_offsets(raw.places, graph, error);
    return raw.num_targets;
}

} // namespace BACKEND::building

namespace BACKEND
{

unsigned build_least_pieces = 1;

int graph500_count(const struct graph500_list *list, const struct relabelling_policy *policy, struct gpu_arena *arena,
                   struct degree_order *order, struct raw_lists *raw, struct error *error)
{
    return building::count(building::edges_of(list), policy, arena, order, raw, error);
}

int graph500_build(const struct graph500_list *list, const struct degree_order *order, struct raw_lists *raw,
                   list_sink *sink, void *context, struct error *error)
{
    building::build(building::edges_of(list), order, raw, sink, context, error);
    gpu_free(raw->places);
    raw->places = NULL;
    return error->status;
}

int graph500_build_graph(const struct graph500_list *list, const struct relabelling_policy *policy, bool wide,
                         struct gpu_arena *arena, struct degree_order *order, struct gpu_graph *graph,
                         struct error *error)
{
    building::build_graph(building::edges_of(list), policy, wide, arena, order, graph, error);
    return error->status;
}

} // namespace BACKEND

using namespace BACKEND;

int BACKEND_NAME(graph500_mark_ends_gpu)(const struct graph500_list *list, uint32_t *bitmap, struct error *error)
{
    struct gpu_arena memory = {};
    const size_t words = bitmap_words((vertex_t)1 << list->scale);
    uint32_t *marks = gpu_take_zeroed<uint32_t>(&memory, words, "the search keys", error);
    gpu_launch(building::mark_ends<building::graph500_edges>, gpu_wide_grid(list->num_edges), 0, error,
               building::edges_of(list), marks);
    gpu_download(bitmap, marks, words, error);
    gpu_arena_free(&memory);
    return error->status;
}

int BACKEND_NAME(build_from_arrays_gpu)(const void *const ends[2], bool wide, uint64_t num_edges, bool undirected,
                                        struct graph *graph, struct error *error)
{
    struct gpu_arena memory = {};
    struct degree_order order;
    struct gpu_graph built;
    const size_t n = graph->num_vertices;
    const struct relabelling_policy by_input_id = {RELABEL_NO, NULL, false};
    edge_t num_targets = with_width(wide, [&]<typename id_t>() {
        building::array_edges<id_t> edges = {graph->num_vertices, num_edges, undirected, {}};
        for (int i = 0; i < 2; i++) {
            id_t *copy = gpu_take<id_t>(&memory, num_edges, "the edges", error);
            gpu_upload(copy, (const id_t *)ends[i], num_edges, error);
            edges.ends[i] = copy;
        }
        return building::build_graph(edges, &by_input_id, true, &memory, &order, &built, error);
    });
    if (error->status == STATUS_OK &&
        allocate(&graph->offsets, n + 1, sizeof *graph->offsets, "the offsets", error) == STATUS_OK &&
        allocate(&graph->targets, built.num_edges, sizeof *graph->targets, "the edges", error) == STATUS_OK) {
        gpu_download(graph->offsets, (const edge_t *)built.offsets, n + 1, error);
        gpu_download(graph->targets, built.targets, built.num_edges, error);
    }
    graph->num_edges = built.num_edges;
    graph->self_loops_dropped = num_edges - num_targets / (undirected ? 2 : 1);
    graph->duplicates_dropped = num_targets - built.num_edges;
    gpu_graph_free(&built);
    gpu_arena_free(&memory);
    return error->status;
}
