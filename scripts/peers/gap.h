/* gap.h: the BFS of the GAP Benchmark Suite (github.com/sbeamer/gapbs) takes its trees from a command. Its own main
 * reads the graph, draws the sources and verifies. prepare.sh includes this in bfs.cc. The times are those of the
 * commands. The command is GTRAV_BFS in the environment with the source behind it. It prints a line that begins with
 * #, and a parent a line. */
#include <cstdio>
#include <cstdlib>
#include <string>

/* A vertex of which the command tells nothing has no parent, -1. */
template <class Graph, class Vertex>
pvector<Vertex> parents_by_command(const Graph &graph, Vertex source)
{
    pvector<Vertex> parents(graph.num_nodes(), -1);
    std::string command = std::string(getenv("GTRAV_BFS")) + " " + std::to_string(source);
    FILE *answer = popen(command.c_str(), "r");
    fscanf(answer, "#%*[^\n]");
    for (Vertex v = 0; v < graph.num_nodes() && fscanf(answer, "%d", &parents[v]) == 1; v++)
        ;
    pclose(answer);
    return parents;
}
