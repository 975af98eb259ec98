/* test_graph.cu: the transpose, the relabelled graph and the parents, made on the GPU or on the emulator, against
 * those made plainly on the host. */
#include <algorithm>

#include "../../kernels/graph/degree_order.h"
#include "../../kernels/graph/parents.cuh"
#include "../../kernels/graph/transpose.h"
#include "checks.h"
#include "graphs.h"

namespace BACKEND
{

using std::vector;

static lists_t downloaded_lists(const struct gpu_graph &graph, struct test_memory *memory)
{
    lists_t lists(graph.num_vertices);
    vector<vertex_t> targets = memory->get(graph.targets, graph.num_edges);
    with_offsets(&graph, [&]<typename offset_t>(csr<offset_t> csr) {
        vector<offset_t> offsets = memory->get(csr.offsets, (size_t)graph.num_vertices + 1);
        for (size_t v = 0; memory->error.status == STATUS_OK && v < graph.num_vertices; v++)
            lists[v].assign(targets.begin() + (ptrdiff_t)offsets[v], targets.begin() + (ptrdiff_t)offsets[v + 1]);
    });
    return lists;
}

static lists_t transposed(const lists_t &lists)
{
    lists_t result(lists.size());
    for (vertex_t v = 0; v < lists.size(); v++)
        for (vertex_t target : lists[v])
            result[target].push_back(v);
    return result;
}

/* ---- the oracle of the order ---- */

/* What degree_order.h says, in numbers that ascend as the classes do. */
static unsigned plain_class(size_t in, size_t out, bool both)
{
    size_t degree = both ? in + out : in;
    for (unsigned power = HIGHEST_POWER; degree > 0; power--)
        if (degree >> power != 0)
            return HIGHEST_POWER - power;
    return out > 0 ? ONLY_OUT : ISOLATED;
}

/* The input ids in the order of their ids. */
static vector<vertex_t> plain_order(const lists_t &in, const lists_t &out, bool both)
{
    vector<vertex_t> input_of(in.size());
    vector<unsigned> classes(in.size());
    for (vertex_t v = 0; v < in.size(); v++) {
        input_of[v] = v;
        classes[v] = plain_class(in[v].size(), out[v].size(), both);
    }
    std::stable_sort(input_of.begin(), input_of.end(), [&](vertex_t a, vertex_t b) { return classes[a] < classes[b]; });
    return input_of;
}

static lists_t plain_relabelled(const lists_t &lists, const vector<vertex_t> &input_of, unsigned alignment)
{
    lists_t result;
    vector<vertex_t> id_of(lists.size());
    for (vertex_t id = 0; id < lists.size(); id++)
        id_of[input_of[id]] = id;
    for (vertex_t id = 0; id < lists.size(); id++) {
        vector<vertex_t> list;
        for (vertex_t target : lists[input_of[id]])
            list.push_back(id_of[target]);
        std::sort(list.begin(), list.end());
        while (list.size() % alignment != 0)
            list.push_back(id);
        result.push_back(list);
    }
    return result;
}

/* ---- comparing ---- */

/* Whether the parents of a search from the source, found in the in-edges, are those of a BFS tree. */
static bool parents_match(const struct gpu_graph &in, const lists_t &out, vertex_t source)
{
    struct test_memory memory;
    const vertex_t n = in.num_vertices;
    vector<uint32_t> level = plain_levels(out, source);
    vertex_t *parents = memory.room<vertex_t>(n);
    with_offsets(&in, [&](auto csr) { launch_parents(csr, memory.put(level), parents, source, &memory.error); });
    vector<vertex_t> parent = memory.get(parents, n);
    bool right = memory.error.status == STATUS_OK && parent[source] == source;
    for (vertex_t v = 0; right && v < n; v++)
        if (level[v] == UNREACHED)
            right = parent[v] == NO_VERTEX;
        else if (v != source)
            right = parent[v] < n && level[parent[v]] == level[v] - 1 &&
                    std::count(out[parent[v]].begin(), out[parent[v]].end(), v) > 0;
    return right;
}

/* A way to relabel. */
struct way {
    enum relabelling wanted;
    bool both;
    unsigned alignment;
    bool narrow_becomes_wide;
};

static bool order_matches(const struct degree_order &order, const vector<vertex_t> &input_of, const lists_t &in,
                          const lists_t &out, const struct way &way, struct test_memory *memory)
{
    vertex_t n = (vertex_t)in.size(), starts[NUM_CLASSES + 1] = {};
    if (way.wanted == RELABEL_NO)
        return !order.relabelled && order.id_of == NULL && order.input_of == NULL && order.num_ids == n;
    vector<vertex_t> id_of = memory->get(order.id_of, ((size_t)n + 3) / 4 * 4), expected(id_of.size(), NO_VERTEX);
    for (vertex_t id = 0; id < n; id++)
        expected[input_of[id]] = id;
    for (vertex_t v = 0; v < n; v++)
        for (unsigned c = plain_class(in[v].size(), out[v].size(), way.both) + 1; c <= NUM_CLASSES; c++)
            starts[c]++;
    return order.relabelled && memory->get(order.input_of, n) == input_of && id_of == expected &&
           order.num_ids == starts[ISOLATED] && std::equal(starts, starts + NUM_CLASSES, order.starts);
}

/* Relabels the in-edges and the out-edges as `way` says; "" or what differs. */
static const char *relabelling_difference(struct gpu_graph *in, struct gpu_graph *out, const struct way &way,
                                          const lists_t &in_lists, const lists_t &out_lists, struct test_memory *memory)
{
    struct degree_order order;
    struct error *error = &memory->error;
    const struct relabelling_policy policy = {way.wanted, [](const vertex_t *, vertex_t) { return true; }, way.both};
    const bool wide = in->wide || way.narrow_becomes_wide;
    vector<vertex_t> input_of = plain_order(in_lists, out_lists, way.both);
    if (way.wanted == RELABEL_NO)
        std::sort(input_of.begin(), input_of.end());
    degree_order_find(in, out, &policy, &memory->arena, &order, error);
    degree_order_apply(&order, way.alignment, way.narrow_becomes_wide, in, error);
    degree_order_apply(&order, 1, way.narrow_becomes_wide, out, error);
    if (!order_matches(order, input_of, in_lists, out_lists, way, memory))
        return "the order";
    if (in->wide != wide || out->wide != wide)
        return "the width of offsets";
    if (downloaded_lists(*in, memory) != plain_relabelled(in_lists, input_of, way.alignment))
        return "an in-neighbour";
    if (downloaded_lists(*out, memory) != plain_relabelled(out_lists, input_of, 1))
        return "an out-neighbour";
    return "";
}

static void check_graph(const struct graph &graph, bool wide)
{
    static const struct way ways[] = {
        {RELABEL_YES, false, 4, false}, {RELABEL_AUTO, true, 1, false}, {RELABEL_YES, true, 4, true},
        {RELABEL_NO, false, 4, false},  {RELABEL_NO, false, 1, true},
    };
    const lists_t out_lists = lists_of(graph), in_lists = transposed(out_lists);
    for (const struct way &way : ways) {
        char what[128];
        struct test_memory memory;
        struct gpu_graph out = {}, in = {};
        const char *wrong = "the transpose";
        const edge_t parts = 1 + (edge_t)(&way - ways);
        gpu_graph_upload(&graph, wide, &out, &memory.error);
        gpu_transpose(&out, &in, &memory.error, graph.num_edges / parts + 1);
        if (in.wide == out.wide && downloaded_lists(in, &memory) == in_lists)
            wrong = parents_match(in, out_lists, (vertex_t)out_lists.size() / 2)
                        ? relabelling_difference(&in, &out, way, in_lists, out_lists, &memory)
                        : "a parent";
        snprintf(what, sizeof what, "%s, %s offsets, relabelling %d", graph.name, wide ? "64-bit" : "32-bit",
                 (int)(&way - ways));
        memory.check(wrong[0] == '\0', what, "%s differs", wrong);
        gpu_graph_free(&in);
        gpu_graph_free(&out);
    }
}

static void check_all(struct device *)
{
    for (unsigned number = 0; number < 8; number++)
        check_graph(random_graph(number, number % 3 == 0 ? 9 : 400).graph, number % 2 == 1);
    /* One vertex; lists that a warp sorts in registers, by two passes, and that a block sorts; several tiles. */
    for (const char *spec : {"path:1", "star:100", "star:300", "star:2100", "complete:140"})
        with_generated(spec, [](const struct graph &graph) { check_graph(graph, false); });
}

} // namespace BACKEND
