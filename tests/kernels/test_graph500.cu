/* test_graph500.cu: the validation of the Graph500 benchmark, on the device and on the CPU: trees of BFS and of
 * shortest paths are valid, and an error planted into one breaks the rule that it should. */
#include <algorithm>
#include <cmath>

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

/* Validates a tree on both devices. message: how the finding must begin; NULL: the tree is valid. */
static void check_tree(struct device *device, const char *what, const char *message,
                       const std::vector<vertex_t> &parent, const double *distance)
{
    struct graph500_list list;
    struct graph500_findings here = {}, there = {};
    struct error error = {}, found = {};
    graph500_list_init(&list, 10, 16, &error);
    device->validate(&list, ROOT, parent.data(), distance, &there, &error);
    graph500_validate(&list, ROOT, parent.data(), distance, &here, &error);
    graph500_judge(&there, ROOT, &found);
    bool right = message != NULL ? strstr(found.text, message) == found.text
                                 : found.status == STATUS_OK && there.num_edges == EDGES_OF_ROOT;
    check(error.status == STATUS_OK && right, what, "%s%s", error.text, found.text);
    check(memcmp(&here, &there, sizeof here) == 0, "the same on the CPU", "%s", what);
}

/* ---- shortest paths ---- */

struct paths {
    std::vector<vertex_t> parent;
    std::vector<double> distance;
    vertex_t last; /* the farthest vertex, which no other has as its parent */
};

static struct paths shortest_paths(const struct graph &graph)
{
    struct paths paths = {std::vector<vertex_t>(graph.num_vertices, NO_VERTEX),
                          std::vector<double>(graph.num_vertices, NO_PATH), ROOT};
    paths.parent[ROOT] = ROOT;
    paths.distance[ROOT] = 0;
    for (bool lowered = true; lowered;) {
        lowered = false;
        for (vertex_t u = 0; u < graph.num_vertices; u++)
            for (edge_t e = graph.offsets[u]; paths.distance[u] != NO_PATH && e < graph.offsets[u + 1]; e++) {
                float sum = (float)paths.distance[u] + ((const float *)graph.weights)[e];
                if (sum < paths.distance[graph.targets[e]]) {
                    paths.distance[graph.targets[e]] = sum;
                    paths.parent[graph.targets[e]] = u;
                    lowered = true;
                }
            }
    }
    for (vertex_t v = 0; v < graph.num_vertices; v++)
        if (paths.distance[v] != NO_PATH && paths.distance[v] > paths.distance[paths.last])
            paths.last = v;
    return paths;
}

static float next_to(double distance, float towards)
{
    return std::nextafter((float)distance, towards);
}

static const struct {
    const char *what, *message;
    void (*plant)(struct paths &paths);
} path_plants[] = {
    {"a tree of shortest paths", NULL, [](struct paths &) {}},
    {"paths whose root has no parent", "rules 1 and 2: vertex 458",
     [](struct paths &paths) { paths.parent[ROOT] = NO_VERTEX; }},
    {"a cycle of two", "rules 1 and 2: vertex",
     [](struct paths &paths) { paths.parent[paths.parent[paths.last]] = paths.last; }},
    {"a root with a distance", "rule 2: vertex 458", [](struct paths &paths) { paths.distance[ROOT] = 1; }},
    {"a distance without a parent", "rule 2: vertex",
     [](struct paths &paths) { paths.parent[paths.last] = NO_VERTEX; }},
    {"a parent without a distance", "rule 3: the distances of",
     [](struct paths &paths) { paths.distance[paths.last] = NO_PATH; }},
    {"a distance that is no number", "rule 3: the distances of",
     [](struct paths &paths) { paths.distance[paths.last] = NAN; }},
    {"a distance too long by a bit", "rule 3: the distances of",
     [](struct paths &paths) { paths.distance[paths.last] = next_to(paths.distance[paths.last], 9); }},
    {"a vertex that is left out", "rule 4: the input edge between",
     [](struct paths &paths) { paths.parent[paths.last] = NO_VERTEX, paths.distance[paths.last] = NO_PATH; }},
    {"a distance too short by a bit", "rules 2 and 5: no input edge",
     [](struct paths &paths) { paths.distance[paths.last] = next_to(paths.distance[paths.last], 0); }},
    {"a parent on a longer path", "rules 2 and 5: no input edge",
     [](struct paths &paths) { paths.parent[paths.last] = ROOT; }},
};

/* Gives each leaf of the tree in turn a longer path. All edges of the tree fit to the distances then, but an edge of
 * the list shortens one. */
static void check_longer_paths(const struct graph &graph)
{
    const struct paths right = shortest_paths(graph);
    struct graph500_list list;
    struct error error = {};
    int longer = 0, noticed = 0;
    graph500_list_init(&list, 10, 16, &error);
    for (vertex_t v = 0; v < graph.num_vertices; v++)
        for (edge_t e = graph.offsets[v]; e < graph.offsets[v + 1]; e++) {
            struct paths paths = right;
            struct graph500_findings findings;
            struct error found = {};
            vertex_t u = graph.targets[e];
            float sum = (float)right.distance[u] + ((const float *)graph.weights)[e];
            if (v == ROOT || sum <= right.distance[v] || right.parent[u] == v ||
                std::count(right.parent.begin(), right.parent.end(), v) > 0)
                continue;
            paths.parent[v] = u;
            paths.distance[v] = sum;
            graph500_validate(&list, ROOT, paths.parent.data(), paths.distance.data(), &findings, &error);
            graph500_judge(&findings, ROOT, &found);
            noticed += strstr(found.text, "rule 3: the distances of") == found.text;
            longer++;
            break;
        }
    check(longer > 100 && noticed == longer, "longer paths", "%d of %d noticed", noticed, longer);
}

static void check_all(struct device *device)
{
    struct graph graph;
    struct error error = {};
    struct load_options options = {};
    graph_load("graph500:10", &options, &graph, &error);
    for (const auto &plant : plants) {
        std::vector<vertex_t> parent = bfs_tree(graph);
        parent[plant.vertex] = plant.parent;
        check_tree(device, plant.what, plant.message, parent, NULL);
    }
    graph_release(&graph);
    options.weights = "auto";
    graph_load("graph500:10", &options, &graph, &error);
    for (const auto &plant : path_plants) {
        struct paths paths = shortest_paths(graph);
        plant.plant(paths);
        check_tree(device, plant.what, plant.message, paths.parent, paths.distance.data());
    }
    check_longer_paths(graph);
    graph_release(&graph);
}

} // namespace BACKEND
