/* graphs.h: random graphs for the kernel tests. */
#pragma once

#include <stdio.h>

#include <vector>

#include "../../kernels/backend/backend.h"

namespace BACKEND
{

/* Copies an array from the device. */
template <typename type>
static std::vector<type> downloaded(const type *memory, size_t count, struct error *error)
{
    std::vector<type> host(count);
    gpu_download(host.data(), memory, count, error);
    return host;
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
        graph.name = name;
        graph.num_vertices = n;
        graph.num_edges = targets.size();
        graph.offsets = offsets.data();
        graph.targets = targets.data();
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

} // namespace BACKEND
