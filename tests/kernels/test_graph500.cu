/* test_graph500.cu: the validation of the Graph500 benchmark, on the device and on the CPU: a BFS tree is valid, and
 * an error planted into it breaks the rule that it should. */
#include "../../src/verify/graph500_tree.h"
#include "checks.h"
#include "graphs.h"

namespace BACKEND
{

#define ROOT          458u   /* the reference's first search key at scale 10, */
#define EDGES_OF_ROOT 16239u /* and the edges that its validate.c counts from there */

/* The parent of one vertex changes. Rules are checked in their order. */
static const struct {
    const char *what, *message; /* message NULL: the tree is valid */
    vertex_t vertex, parent;
} plants[] = {
    {"a BFS tree", NULL, ROOT, ROOT},
    {"a root without parent", "rules 1 and 2: vertex 458", ROOT, NO_VERTEX},
    {"two vertices that are each other's parent", "rules 1 and 2: vertex 0", 684, 0},
    {"a parent out of range", "rules 1 and 2: vertex 41", 41, 1024},
    {"a vertex below a neighbour of its level", "rule 3: the levels of the input edge between", 0, 43},
    {"a leaf that is left out", "rule 4: the input edge between", 2, NO_VERTEX},
    {"a vertex of another component", "rule 4: the input edge between 616 and 708", 616, ROOT},
    {"a parent that is no neighbour", "rule 5: no input edge joins vertex 2 and its parent 41", 2, 41},
    {"an isolated vertex", "rule 5: no input edge joins vertex 5 and its parent 458", 5, ROOT},
};

static std::vector<vertex_t> bfs_tree(const struct graph &graph)
{
    std::vector<vertex_t> parent(graph.num_vertices, NO_VERTEX);
    const lists_t lists = lists_of(graph);
    std::vector<uint32_t> level = plain_levels(lists, ROOT);
    for (vertex_t v = 0; v < graph.num_vertices; v++)
        for (vertex_t w : lists[v])
            parent[w] = level[v] != UNREACHED && level[w] == level[v] + 1 ? v : parent[w];
    parent[ROOT] = ROOT;
    return parent;
}

static void check_all(struct device *device)
{
    struct graph graph;
    struct graph500_list list;
    struct error error = {};
    const struct load_options options = {};
    graph_load("graph500:10", &options, &graph, &error);
    graph500_list_init(&list, 10, 16, &error);
    for (const auto &plant : plants) {
        std::vector<vertex_t> parent = bfs_tree(graph);
        struct graph500_findings here = {}, there = {};
        struct error found = {};
        parent[plant.vertex] = plant.parent;
        device->validate(&list, ROOT, parent.data(), &there, &error);
        graph500_validate(&list, ROOT, parent.data(), &here, &error);
        graph500_judge(&there, ROOT, &found);
        bool right = plant.message != NULL ? strstr(found.text, plant.message) == found.text
                                           : found.status == STATUS_OK && there.num_edges == EDGES_OF_ROOT;
        check(error.status == STATUS_OK && right, plant.what, "%s%s", error.text, found.text);
        check(memcmp(&here, &there, sizeof here) == 0, "the same on the CPU", "%s", plant.what);
    }
    graph_release(&graph);
}

} // namespace BACKEND
