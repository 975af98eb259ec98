/* gunrock.cu: drives the BFS of Gunrock (github.com/gunrock/gunrock), whose own program reads its graph again for
 * each run and reports only the time of the last source. The time is what gunrock::bfs::run reports. */
#include <gunrock/algorithms/bfs.hxx>

#include "search.hpp"

using namespace gunrock;

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    int num_vertices = (int)input.num_vertices(), num_edges = (int)input.targets.size();

    format::csr_t<memory::memory_space_t::device, int, int, float> csr;
    csr.number_of_rows = csr.number_of_columns = num_vertices;
    csr.number_of_nonzeros = num_edges;
    csr.row_offsets = thrust::host_vector<int>(input.offsets.begin(), input.offsets.end());
    csr.column_indices = thrust::host_vector<int>(input.targets.begin(), input.targets.end());
    csr.nonzero_values = thrust::host_vector<float>(num_edges, 1.0f);
    graph::graph_properties_t properties;
    auto graph = graph::build<memory::memory_space_t::device>(properties, csr);
    auto context = std::make_shared<gcuda::multi_context_t>(0);
    thrust::device_vector<int> distances(num_vertices), predecessors(num_vertices);

    peer::search_all(input, [&](uint32_t source, std::vector<int32_t> &levels) {
        bfs::param_t<int> param((int)source);
        bfs::result_t<int> result(distances.data().get(), predecessors.data().get());
        float ms = bfs::run(graph, param, result, context);
        peer::check_cuda();
        thrust::host_vector<int> found = distances;
        for (size_t v = 0; v < levels.size(); v++)
            levels[v] = found[v] == INT_MAX ? peer::UNREACHED : found[v];
        return (double)ms;
    });
}
