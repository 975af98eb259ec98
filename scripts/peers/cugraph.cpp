/* cugraph.cpp: drives the BFS of cuGraph (PyPI's libcugraph-cu13) by its C++ interface. The interfaces for C and
 * Python do more in each call: they map the source to cuGraph's own numbers, and copy the results.
 *
 * WORDs: levels | parents, and topdown | optimising, which needs a symmetric graph. The graph is resident and
 * renumbered, which is cuGraph's default. Memory comes from a pool. cugraph::bfs is timed until its stream is
 * done. With parents, a vertex counts as reached only if its parent is one level nearer to the source. */
#include <cugraph/algorithms.hpp>
#include <cugraph/graph_functions.hpp>
#include <cugraph/version_config.hpp>
#include <rmm/mr/cuda_memory_resource.hpp>
#include <rmm/mr/per_device_resource.hpp>
#include <rmm/mr/pool_memory_resource.hpp>

#include "search.hpp"

using Array = rmm::device_uvector<int>;

static Array upload(const raft::handle_t &handle, const std::vector<int> &from)
{
    Array to(from.size(), handle.get_stream());
    raft::copy(to.data(), from.data(), from.size(), handle.get_stream());
    handle.sync_stream();
    return to;
}

static std::vector<int> download(const raft::handle_t &handle, const Array &from)
{
    std::vector<int> to(from.size());
    raft::copy(to.data(), from.data(), from.size(), handle.get_stream());
    handle.sync_stream();
    return to;
}

static void search_all(const peer::Input &input, bool wants_parents, bool optimising)
{
    raft::handle_t handle;
    int num_vertices = (int)input.num_vertices();
    std::vector<int> vertices(num_vertices), rows(input.targets.size());
    std::iota(vertices.begin(), vertices.end(), 0);
    for (int v = 0; v < num_vertices; v++)
        std::fill(rows.begin() + input.offsets[v], rows.begin() + input.offsets[v + 1], v);
    auto [graph, properties, numbers] = cugraph::create_graph_from_edgelist<int, int, false, false>(
        handle, upload(handle, vertices), upload(handle, rows),
        upload(handle, {input.targets.begin(), input.targets.end()}), {}, {optimising, false}, true);
    std::vector<int> names = download(handle, *numbers), number_of(num_vertices);
    for (int i = 0; i < num_vertices; i++)
        number_of[names[i]] = i;
    auto view = graph.view();
    Array distances(num_vertices, handle.get_stream()), parents(wants_parents ? num_vertices : 0, handle.get_stream());

    auto search = [&](uint32_t source, std::vector<int32_t> &levels) {
        Array start = upload(handle, {number_of[source]});
        double ms = peer::milliseconds_of([&] {
            cugraph::bfs<int, int, false>(handle, view, distances.data(), wants_parents ? parents.data() : nullptr,
                                          start.data(), 1, optimising);
            handle.sync_stream();
        });
        peer::name_levels(names, download(handle, distances), download(handle, parents), levels);
        return ms;
    };
    std::vector<int32_t> unused(num_vertices);
    search(input.sources.front(), unused); // loads the kernels
    peer::search_all(input, search);
}

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    std::printf("version cugraph-%d.%d.%d\n", CUGRAPH_VERSION_MAJOR, CUGRAPH_VERSION_MINOR, CUGRAPH_VERSION_PATCH);
    rmm::mr::set_current_device_resource(
        rmm::mr::pool_memory_resource(rmm::mr::cuda_memory_resource(), rmm::percent_of_free_device_memory(50)));
    search_all(input, input.words.at(0) == "parents", input.words.at(1) == "optimising");
    rmm::mr::reset_current_device_resource(); // the pool must not outlive CUDA
}
