/* dawn.cu: the BFS of DAWN (github.com/lxrzlyr/GAL-DAWN) on a graph of scripts/peers.py. Their own program reads
 * Matrix Market again for each source. The time is what their BFS_GPU::kernel tells: of its loop over the levels. */
#include "src/algorithm/gpu/bfs.cu"

#include "search.hpp"

static std::vector<int> found;

/* In the place of theirs: their kernel's host code hands its result over here. */
void DAWN::IO::outfile(int num_vertices, int *distances, int, std::string &)
{
    found.assign(distances, distances + num_vertices);
}

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    std::vector<int> offsets(input.offsets.begin(), input.offsets.end());
    std::vector<int> targets(input.targets.begin(), input.targets.end());
    DAWN::Graph::Graph_t graph = {};
    graph.rows = graph.cols = (int)input.num_vertices();
    graph.nnz = targets.size();
    graph.csr.row_ptr = offsets.data();
    graph.csr.col = targets.data();
    graph.block_size = 1024;  // as in their main
    graph.print = true;
    thrust::device_vector<int> rows = offsets, columns = targets;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    peer::search_all(input, [&](uint32_t source, std::vector<int32_t> &levels) {
        std::string nowhere;
        graph.source = (int)source;
        float ms = DAWN::BFS_GPU::kernel(graph, graph.source, stream, rows, columns, nowhere);
        peer::check_cuda();
        for (size_t v = 0; v < levels.size(); v++)
            levels[v] = found[v] ? found[v] : peer::UNREACHED;
        levels[source] = 0;
        return (double)ms;
    });
}
