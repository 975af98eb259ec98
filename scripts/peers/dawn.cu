/* dawn.cu: drives the BFS of DAWN (github.com/lxrzlyr/GAL-DAWN), whose own program reads text for each source. The
 * time is what their BFS_GPU::kernel reports for the levels alone. */
#include "src/algorithm/gpu/bfs.cu"

#include "search.hpp"

static std::vector<int> found;

/* Keeps the result, in place of their function that writes it to a file. */
void DAWN::IO::outfile(int num_vertices, int *distances, int, std::string &)
{
    found.assign(distances, distances + num_vertices);
}

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    std::vector<int> offsets(input.offsets.begin(), input.offsets.end());
    thrust::device_vector<int> rows = offsets, columns(input.targets.begin(), input.targets.end());
    DAWN::Graph::Graph_t graph = {};
    graph.rows = graph.cols = (int)input.num_vertices();
    graph.csr = {offsets.data(), (int *)input.targets.data(), nullptr};
    graph.block_size = 1024; // as in their main
    graph.print = true;
    peer::search_all(input, [&](uint32_t source, std::vector<int32_t> &levels) {
        std::string nowhere;
        double ms = DAWN::BFS_GPU::kernel(graph, graph.source = (int)source, 0, rows, columns, nowhere);
        peer::check_cuda();
        std::replace_copy(found.begin(), found.end(), levels.begin(), 0, peer::UNREACHED);
        levels[source] = 0;
        return ms;
    });
}
