/* tigr.cu: drives the BFS of Tigr (github.com/AutomataLab/Tigr), whose own program reads text for each source. Their
 * kernel runs on their virtual graph as in its main. The time covers only the levels. */
#define main tigr_main
#include "tigr/bfs.cu"
#undef main

#include <thrust/device_vector.h>

#include "search.hpp"

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    Graph graph("", false);
    graph.hasZeroID = true;
    graph.num_nodes = (uint)input.num_vertices();
    graph.num_edges = (uint)input.targets.size();
    for (uint v = 0; v < graph.num_nodes; v++)
        for (uint64_t e = input.offsets[v]; e < input.offsets[v + 1]; e++)
            graph.edges.push_back({v, input.targets[e]});
    VirtualGraph parts(graph);
    parts.MakeUGraph();
    thrust::device_vector<uint> nodes(parts.nodePointer, parts.nodePointer + graph.num_nodes),
        distances(graph.num_nodes);
    thrust::device_vector<uint> edges(parts.edgeList, parts.edgeList + graph.num_edges + graph.num_nodes);
    thrust::device_vector<PartPointer> pointers(parts.partNodePointer, parts.partNodePointer + parts.numParts);
    thrust::device_vector<bool> done(1);
    auto run = [&] {
        bool finished = false;
        for (int level = 0; !finished; level++) {
            finished = true;
            cudaMemcpy(done.data().get(), &finished, 1, cudaMemcpyHostToDevice);
            kernel<<<parts.numParts / 512 + 1, 512>>>(parts.numParts, nodes.data().get(), pointers.data().get(),
                                                      edges.data().get(), distances.data().get(), done.data().get(),
                                                      level);
            peer::check_cuda();
            cudaMemcpy(&finished, done.data().get(), 1, cudaMemcpyDeviceToHost);
        }
    };
    peer::search_all(input, [&](uint32_t source, std::vector<int32_t> &levels) {
        thrust::fill(distances.begin(), distances.end(), DIST_INFINITY);
        distances[source] = 0;
        double ms = peer::milliseconds_of(run);
        thrust::copy(distances.begin(), distances.end(), levels.begin());
        std::replace(levels.begin(), levels.end(), (int32_t)DIST_INFINITY, peer::UNREACHED);
        return ms;
    });
}
