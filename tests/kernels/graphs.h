/* graphs.h: graphs for the kernel tests, and what they are compared with. */
#pragma once

#include <math.h>
#include <stdio.h>

#include "checks.h"

namespace BACKEND
{

/* The graph of these arrays and this name, which it does not own. */
static inline struct graph graph_over(char *name, std::vector<edge_t> &offsets, std::vector<vertex_t> &targets)
{
    struct graph graph = {};
    graph.name = name;
    graph.num_vertices = (vertex_t)offsets.size() - 1;
    graph.num_edges = targets.size();
    graph.offsets = offsets.data();
    graph.targets = targets.data();
    return graph;
}

/* A directed graph of at most so many vertices. Their degrees differ widely, some have none, and neighbours lie in
 * clusters or not. The number determines the graph. */
struct random_graph {
    struct graph graph = {};

    random_graph(unsigned number, uint32_t most_vertices) : state(number)
    {
        vertex_t n = 1 + draw(most_vertices);
        for (vertex_t v = 0; v < n; v++) {
            uint32_t keep = draw(4) == 0 ? 0 : 1 + draw(1u << draw(8)), of = 1u << draw(8), first = draw(n);
            for (vertex_t u = 0; u < n; u++)
                if (u != v && (draw(2) == 0 ? u >= first && u - first < keep : draw(of) == 0 && keep > 0))
                    targets.push_back(u);
            offsets.push_back(targets.size());
        }
        snprintf(name, sizeof name, "random graph %u", number);
        graph = graph_over(name, offsets, targets);
    }
    random_graph(const random_graph &) = delete;

  private:
    uint64_t state;
    char name[32];
    std::vector<edge_t> offsets{0};
    std::vector<vertex_t> targets;

    uint32_t draw(uint32_t below)
    {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return (uint32_t)((state >> 33) % below);
    }
};

/* Calls use with the graph that a generator makes. */
template <typename use_t>
static void with_generated(const char *spec, use_t use)
{
    struct graph graph;
    struct error error = {};
    struct load_options options = {};
    if (!check(graph_load(spec, &options, &graph, &error) == STATUS_OK, spec, "%s", error.text))
        return;
    use(graph);
    graph_release(&graph);
}

/* The neighbours of each vertex. */
typedef std::vector<std::vector<vertex_t>> lists_t;

static inline lists_t lists_of(const struct graph &graph)
{
    lists_t lists(graph.num_vertices);
    for (vertex_t v = 0; v < graph.num_vertices; v++)
        lists[v].assign(graph.targets + graph.offsets[v], graph.targets + graph.offsets[v + 1]);
    return lists;
}

static inline std::vector<uint32_t> plain_levels(const lists_t &out, vertex_t source)
{
    std::vector<uint32_t> level(out.size(), UNREACHED);
    std::vector<vertex_t> queue(1, source);
    level[source] = 0;
    for (size_t i = 0; i < queue.size(); i++)
        for (vertex_t target : out[queue[i]])
            if (level[target] == UNREACHED) {
                level[target] = level[queue[i]] + 1;
                queue.push_back(target);
            }
    return level;
}

static inline bool close(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

} // namespace BACKEND
