/* gswitch.cu: the BFS of GSWITCH (github.com/PAA-NCIC/GSWITCH) on an undirected graph of scripts/peers.py. Their own
 * program renumbers the vertices of a text file. The time is that of their run_bfs. */
#define main gswitch_main
#include "application/bfs.cu"
#undef main

#include <climits>

#include "search.hpp"

static int *filled(size_t count)
{
    return static_cast<int *>(malloc(count * sizeof(int)));
}

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    if (input.targets.size() > INT_MAX)
        throw std::runtime_error("its arcs have numbers of 31 bits: too many arcs");
    fets.centric = VC;
    fets.pattern = Idem;
    fets.fromall = fets.toall = false;
    conf.conf_pruning = true;

    graph_t<CSR, Empty> graph;
    auto &host = graph.hg;
    host.directed = host.with_weight = false;
    host.nvertexs = (int)input.num_vertices();
    host.nedges = (int)input.targets.size();
    host.start_pos = filled(input.num_vertices());
    host.odegrees = filled(input.num_vertices());
    host.adj_list = filled(input.targets.size());
    for (size_t v = 0; v < input.num_vertices(); v++) {
        host.start_pos[v] = (int)input.offsets[v];
        host.odegrees[v] = (int)(input.offsets[v + 1] - input.offsets[v]);
    }
    std::copy(input.targets.begin(), input.targets.end(), host.adj_list);
    host.attr.fill(host.odegrees, host.nvertexs);
    graph.dg.build(host);
    fets.avg_deg = host.attr.avg_deg;
    fets.std_deg = host.attr.std_deg;
    fets.range = host.attr.range;
    fets.GI = host.attr.GI;
    fets.Her = host.attr.Her;
    fets.nvertexs = host.nvertexs;
    fets.nedges = host.nedges;

    BFS search;
    search.data.build(host.nvertexs);
    bool is_first = true;
    peer::search_all(input, [&](uint32_t source, std::vector<int32_t> &levels) {
        fets.use_root = (int)source;
        search.data.init_wa([source](int v) { return v == (int)source ? 0 : -1; });
        if (is_first)
            init_conf(stats, fets, conf, graph, search);
        else
            reset_conf(stats, fets, conf, graph, search);
        is_first = false;
        double ms = run_bfs(graph.dg, search, (int)source);
        peer::check_cuda();
        search.data.sync_wa();
        for (size_t v = 0; v < levels.size(); v++)
            levels[v] = search.data.h_wa[v];
        return ms;
    });
}
