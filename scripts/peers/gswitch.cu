/* gswitch.cu: drives the BFS of GSWITCH (github.com/PAA-NCIC/GSWITCH), whose own program renumbers the vertices of a
 * text file. Their run_bfs is timed. */
#define main gswitch_main
#include "application/bfs.cu"
#undef main

#include "search.hpp"

/* Fills the arrays of one direction in GSWITCH's host graph. */
static void fill(const std::vector<uint64_t> &offsets, const std::vector<uint32_t> &neighbours, int *&start_pos,
                 int *&degrees, int *&adj_list)
{
    size_t num_vertices = offsets.size() - 1;
    start_pos = new int[num_vertices];
    degrees = new int[num_vertices];
    adj_list = new int[neighbours.size()];
    for (size_t v = 0; v < num_vertices; v++) {
        start_pos[v] = (int)offsets[v];
        degrees[v] = (int)(offsets[v + 1] - offsets[v]);
    }
    std::copy(neighbours.begin(), neighbours.end(), adj_list);
}

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    fets.centric = VC;
    fets.pattern = Idem;
    fets.fromall = fets.toall = false;
    conf.conf_pruning = true;

    graph_t<CSR, Empty> graph;
    auto &host = graph.hg;
    host.with_weight = false;
    host.nvertexs = (int)input.num_vertices();
    host.nedges = (int)input.targets.size();
    fill(input.offsets, input.targets, host.start_pos, host.odegrees, host.adj_list);
    auto [in_offsets, in_neighbours] = input.transposed();
    host.directed = in_offsets != input.offsets || in_neighbours != input.targets;
    if (host.directed)
        fill(in_offsets, in_neighbours, host.r_start_pos, host.r_odegrees, host.r_adj_list);
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
