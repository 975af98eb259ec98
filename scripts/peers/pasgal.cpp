/* pasgal.cpp: the BFS of PASGAL (github.com/ucrparlay/PASGAL) on a graph of scripts/peers.py, on all cores. Their own
 * program picks its sources. The time is that of their bfs(), as there. */
#include "bfs.h"

#include "search.hpp"

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    Graph<> graph;
    graph.n = input.num_vertices();
    graph.m = input.targets.size();
    graph.offsets = sequence<uint64_t>(input.offsets.begin(), input.offsets.end());
    graph.edges = sequence<Graph<>::Edge>(input.targets.begin(), input.targets.end());
    graph.symmetrized = input.transposed() == std::pair(input.offsets, input.targets);
    if (!graph.symmetrized)
        graph.make_inverse();
    BFS solver(graph);
    peer::search_all(input, [&](uint32_t source, std::vector<int32_t> &levels) {
        sequence<uint32_t> found;
        double ms = peer::milliseconds_of([&] { found = solver.bfs(source); });
        std::copy(found.begin(), found.end(), levels.begin()); // their greatest number is UNREACHED
        return ms;
    });
}
