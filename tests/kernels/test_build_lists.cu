/* test_build_lists.cu: the lists that the device builds from Graph500's edges are those of the host's graph, for all
 * numbers of pieces. Small scales consist of duplicates and self-loops. */
#include <algorithm>
#include <bit>

#include "../../kernels/graph/build_lists.h"
#include "../../src/graph/random.h"
#include "checks.h"
#include "graphs.h"

namespace BACKEND
{

static bool always(const vertex_t *, vertex_t)
{
    return true;
}

/* Adds the ends of the edges to the degrees. */
static unsigned add_degrees(const struct graph500_edge *edges, unsigned count, void *context)
{
    std::vector<edge_t> &degrees = *(std::vector<edge_t> *)context;
    for (unsigned i = 0; i < count; i++)
        if (edges[i].u != edges[i].v) {
            degrees[edges[i].u]++;
            degrees[edges[i].v]++;
        }
    return 0;
}

/* Whether ids ascend by class of the raw degree, then by input id, and end with the vertices without edges. */
static bool is_ordered(const struct graph500_list &list, const std::vector<vertex_t> &input_of, vertex_t num_ids)
{
    std::vector<edge_t> degrees(input_of.size(), 0);
    graph500_visit(&list, 0, list.num_edges, add_degrees, &degrees);
    bool right = true;
    for (vertex_t id = 0; id < input_of.size(); id++) {
        const edge_t own = degrees[input_of[id]];
        right = right && (own > 0) == (id < num_ids);
        if (id == 0)
            continue;
        const int before = std::bit_width(degrees[input_of[id - 1]]), here = std::bit_width(own);
        right = right && (before > here || (before == here && input_of[id - 1] < input_of[id]));
    }
    return right;
}

/* A graph by id, as lists. */
static lists_t download(test_memory *memory, const struct gpu_graph &graph)
{
    const size_t number = (size_t)graph.num_vertices + 1;
    std::vector<edge_t> offsets;
    if (graph.wide)
        offsets = memory->get((const edge_t *)graph.offsets, number);
    else
        for (uint32_t offset : memory->get((const uint32_t *)graph.offsets, number))
            offsets.push_back(offset);
    std::vector<vertex_t> targets = memory->get(graph.targets, graph.num_edges);
    lists_t lists(graph.num_vertices);
    for (vertex_t v = 0; v < graph.num_vertices; v++)
        if (offsets[v] <= offsets[v + 1] && offsets[v + 1] <= targets.size())
            lists[v].assign(targets.begin() + (long)offsets[v], targets.begin() + (long)offsets[v + 1]);
    return lists;
}

/* The host's lists by id. */
static lists_t renamed(const struct graph &graph, const std::vector<vertex_t> &id_of)
{
    lists_t lists = lists_of(graph), by_id(graph.num_vertices);
    for (vertex_t v = 0; v < graph.num_vertices; v++) {
        for (vertex_t &target : lists[v])
            target = id_of[target];
        std::sort(lists[v].begin(), lists[v].end());
        by_id[id_of[v]] = lists[v];
    }
    return by_id;
}

static void check_graph(const struct graph &graph, enum relabelling wanted, bool wide, unsigned pieces)
{
    test_memory memory;
    struct graph500_list list;
    struct degree_order order;
    struct gpu_graph built;
    const struct relabelling_policy policy = {wanted, always, false};
    std::vector<vertex_t> id_of(graph.num_vertices), input_of;
    char what[128];
    snprintf(what, sizeof what, "%s, %s, %s, %u pieces", graph.name, wanted == RELABEL_NO ? "input ids" : "relabelled",
             wide ? "64 bits" : "32 bits", pieces);
    build_least_pieces = pieces;
    graph500_list_of(&graph, &list, &memory.error);
    graph500_build_graph(&list, &policy, wide, &memory.arena, &order, &built, &memory.error);
    for (vertex_t v = 0; v < graph.num_vertices; v++)
        id_of[v] = v;
    if (order.relabelled) {
        id_of = memory.get(order.id_of, graph.num_vertices);
        input_of = memory.get(order.input_of, graph.num_vertices);
    }
    const bool ordered = !order.relabelled || is_ordered(list, input_of, order.num_ids);
    memory.check(order.relabelled == (wanted != RELABEL_NO && graph.num_edges > 0) && ordered, what, "the order");
    memory.check(built.num_edges == graph.num_edges && built.wide == wide, what, "%llu edges for %llu",
                 (unsigned long long)built.num_edges, (unsigned long long)graph.num_edges);
    memory.check(download(&memory, built) == renamed(graph, id_of), what, "the lists");
    gpu_graph_free(&built);
    build_least_pieces = 1;
}

/* ---- the pieces that a sink gets ---- */

struct seen {
    vertex_t next; /* the first id of the next piece */
    unsigned pieces;
    bool right;
    edge_t num_targets;
};

static void look(void *context, const struct built_lists *lists, struct error *error)
{
    struct seen *seen = (struct seen *)context;
    std::vector<edge_t> offsets(lists->number + 1);
    gpu_download(offsets.data(), lists->offsets, offsets.size(), error);
    seen->right = seen->right && lists->first == seen->next && lists->number > 0 && offsets[0] == 0 &&
                  offsets.back() == lists->num_targets && std::is_sorted(offsets.begin(), offsets.end());
    seen->next += lists->number;
    seen->num_targets += lists->num_targets;
    seen->pieces++;
}

static void check_pieces(const struct graph &graph)
{
    test_memory memory;
    struct graph500_list list;
    struct degree_order order;
    struct raw_lists raw;
    struct seen seen = {.right = true};
    const struct relabelling_policy policy = {RELABEL_YES, always, false};
    build_least_pieces = 6;
    graph500_list_of(&graph, &list, &memory.error);
    graph500_count(&list, &policy, &memory.arena, &order, &raw, &memory.error);
    graph500_build(&list, &order, &raw, look, &seen, &memory.error);
    memory.check(seen.right && seen.next == order.num_ids && seen.num_targets == graph.num_edges && seen.pieces >= 6,
                 "pieces follow each other", "%u pieces with %u ids", seen.pieces, seen.next);
    build_least_pieces = 1;
}

static void check_ends(struct device *device, const struct graph &graph)
{
    struct error error = {};
    struct graph500_list list;
    std::vector<uint32_t> marks(graph.num_vertices / 32 + 1, UINT32_MAX);
    graph500_list_of(&graph, &list, &error);
    device->mark_ends(&list, marks.data(), &error);
    vertex_t wrong = 0;
    for (vertex_t v = 0; v < graph.num_vertices; v++)
        wrong += (marks[v / 32] >> v % 32 & 1) != (graph_degree(&graph, v) > 0);
    check(error.status == STATUS_OK && wrong == 0, "vertices with edges", "%u wrong: %s", wrong, error.text);
}

/* ---- from arrays ---- */

/* Random edges, many of them self-loops and duplicates, between the vertices except the first and the last one. */
template <typename id_t>
static void check_arrays(struct device *device, vertex_t num_vertices, uint64_t num_edges, bool undirected)
{
    std::vector<id_t> ends[2];
    lists_t lists(num_vertices);
    struct graph built = {.num_vertices = num_vertices};
    uint64_t num_loops = 0, num_duplicates = 0;
    struct error error = {};
    char what[96];
    snprintf(what, sizeof what, "%u vertices, %u %s edges of %zu bytes", num_vertices, (unsigned)num_edges,
             undirected ? "undirected" : "directed", sizeof(id_t));
    for (uint64_t i = 0; i < 2 * num_edges; i++)
        ends[i % 2].push_back(1 + random_bits(i) % (num_vertices - 2));
    for (uint64_t i = 0; i < num_edges; i++) {
        num_loops += ends[0][i] == ends[1][i];
        if (ends[0][i] != ends[1][i])
            lists[ends[0][i]].push_back((vertex_t)ends[1][i]);
        if (ends[0][i] != ends[1][i] && undirected)
            lists[ends[1][i]].push_back((vertex_t)ends[0][i]);
    }
    for (std::vector<vertex_t> &list : lists) {
        std::sort(list.begin(), list.end());
        num_duplicates += list.size();
        list.erase(std::unique(list.begin(), list.end()), list.end());
        num_duplicates -= list.size();
    }
    const void *const arrays[] = {ends[0].data(), ends[1].data()};
    device->build(arrays, sizeof(id_t) == sizeof(uint64_t), num_edges, undirected, &built, &error);
    check(error.status == STATUS_OK && lists_of(built) == lists, what, "the lists: %s", error.text);
    check(built.self_loops_dropped == num_loops && built.duplicates_dropped == num_duplicates, what, "%llu loops",
          (unsigned long long)built.self_loops_dropped);
    graph_release(&built);
}

static void check_all(struct device *device)
{
    const char *const specs[] = {"graph500:1",   "graph500:1:1", "graph500:2",     "graph500:2:200", "graph500:3",
                                 "graph500:3:1", "graph500:6",   "graph500:6:100", "graph500:8:3",   "graph500:9"};
    for (const char *spec : specs)
        with_generated(spec, [device](const struct graph &graph) {
            check_ends(device, graph);
            for (unsigned pieces : {1u, 3u, 7u}) {
                check_graph(graph, RELABEL_NO, pieces == 3, pieces);
                check_graph(graph, RELABEL_AUTO, pieces == 7, pieces);
            }
        });
    with_generated("graph500:8", check_pieces);
    for (unsigned pieces : {1u, 3u})
        for (bool undirected : {false, true}) {
            build_least_pieces = pieces;
            for (vertex_t n : {3u, 5u, 300u}) {
                check_arrays<uint32_t>(device, n, 1000, undirected);
                check_arrays<uint64_t>(device, n, 77, undirected);
            }
            check_arrays<uint32_t>(device, 4, 0, undirected);
        }
    build_least_pieces = 1;
}

} // namespace BACKEND
