/* doublegraph.cu: drives the BFS of doubleGraph (github.com/double-ai/doubleGraph), a cuGraph with its own kernels.
 * It calls the kernels for the A100 that cugraph::bfs calls there, on a graph that is renumbered as by cuGraph:
 * vertices with more edges first. WORDs and time: as in cugraph.cpp. */
#include <cugraph/aai/algorithms.hpp>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include "search.hpp"

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    bool wants_parents = input.words.at(0) == "parents", optimising = input.words.at(1) == "optimising";
    int num_vertices = (int)input.num_vertices();
    std::vector<int> names(num_vertices), number_of(num_vertices), offsets(1), targets;
    std::iota(names.begin(), names.end(), 0);
    auto degree = [&](int v) { return input.offsets[v + 1] - input.offsets[v]; };
    std::stable_sort(names.begin(), names.end(), [&](int a, int b) { return degree(a) > degree(b); });
    for (int i = 0; i < num_vertices; i++)
        number_of[names[i]] = i;
    for (int v : names) {
        for (uint64_t e = input.offsets[v]; e < input.offsets[v + 1]; e++)
            targets.push_back(number_of[input.targets[e]]);
        std::sort(targets.begin() + offsets.back(), targets.end());
        offsets.push_back((int)targets.size());
    }
    using Array = thrust::device_vector<int>;
    Array rows = offsets, columns = targets, start(1), distances(num_vertices),
          parents(wants_parents ? num_vertices : 0);
    aai::graph32_t graph{.offsets = rows.data().get(),
                         .indices = columns.data().get(),
                         .number_of_vertices = num_vertices,
                         .number_of_edges = (int)targets.size(),
                         .is_symmetric = optimising};
    auto bfs = optimising ? aai::bfs_direction_optimizing_seg : aai::bfs_seg;
    peer::search_all(input, [&](uint32_t source, std::vector<int32_t> &levels) {
        start[0] = number_of[source];
        int *parent_of = wants_parents ? parents.data().get() : nullptr;
        double ms = peer::milliseconds_of([&] {
            bfs(graph, distances.data().get(), parent_of, start.data().get(), 1, -1);
            peer::check_cuda();
        });
        peer::name_levels(names, thrust::host_vector<int>(distances), thrust::host_vector<int>(parents), levels);
        return ms;
    });
}
