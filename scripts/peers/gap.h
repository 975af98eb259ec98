/* gap.h: lets the BFS of the GAP Benchmark Suite (github.com/sbeamer/gapbs) take its trees from a command, while
 * GAP's own main reads the graph, draws the sources, verifies the trees, and times the commands. programs.ini
 * includes it in bfs.cc. The command is GTRAV_BFS in the environment followed by the source; it prints a line that
 * begins with #, and then a parent on each line. */
#include <cstdio>
#include <cstdlib>
#include <string>

/* Returns the tree of the command. A vertex without a line of its own has no parent, -1. */
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
