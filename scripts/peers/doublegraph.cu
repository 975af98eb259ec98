/* doublegraph.cu: the BFS of doubleGraph (github.com/double-ai/doubleGraph), a cuGraph with kernels of its own, on a
 * graph of scripts/peers.py. It calls the functions, those for the A100, that cugraph::bfs calls there on a graph which
 * cuGraph renumbered, and renumbers as it does: vertices of more edges first. Words and the time: as in cugraph.cpp. */
#include <cugraph/aai/algorithms.hpp>

#include <algorithm>

#include <thrust/device_vector.h>

#include "search.hpp"

static std::vector<int> download(const thrust::device_vector<int> &from)
{
    std::vector<int> to(from.size());
    thrust::copy(from.begin(), from.end(), to.begin());
    return to;
}

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    bool wants_parents = input.words.at(0) == "parents", optimising = input.words.at(1) == "optimising";
    std::vector<int> names(input.num_vertices()), number_of(names.size()), offsets(1), targets;
    std::iota(names.begin(), names.end(), 0);
    auto degree = [&](int v) { return input.offsets[v + 1] - input.offsets[v]; };
    std::stable_sort(names.begin(), names.end(), [&](int a, int b) { return degree(a) > degree(b); });
    for (size_t i = 0; i < names.size(); i++)
        number_of[names[i]] = (int)i;
    for (int v : names) {
        for (uint64_t e = input.offsets[v]; e < input.offsets[v + 1]; e++)
            targets.push_back(number_of[input.targets[e]]);
        std::sort(targets.begin() + offsets.back(), targets.end());
        offsets.push_back((int)targets.size());
    }
    thrust::device_vector<int> device_offsets = offsets, device_targets = targets, start(1);
    thrust::device_vector<int> distances(names.size()), parents(wants_parents ? names.size() : 0);
    aai::graph32_t graph = {};
    graph.offsets = device_offsets.data().get();
    graph.indices = device_targets.data().get();
    graph.number_of_vertices = (int)names.size();
    graph.number_of_edges = (int)targets.size();
    graph.is_symmetric = optimising;
    auto bfs = optimising ? aai::bfs_direction_optimizing_seg : aai::bfs_seg;
    peer::search_all(input, [&](uint32_t source, std::vector<int32_t> &levels) {
        start[0] = number_of[source];
        double ms = peer::milliseconds_of([&] {
            bfs(graph, distances.data().get(), wants_parents ? parents.data().get() : nullptr, start.data().get(), 1, -1);
            peer::check_cuda();
        });
        peer::name_levels(names, download(distances), download(parents), levels);
        return ms;
    });
}
