"""A search by a Python library, for scripts/peers.py: times it from each source, and keeps what it found.

  peer_libraries.py scipy|networkx|igraph|networkit bfs|dfs GRAPH.mtx SOURCES RESULTS

Prints a line `version ...`, and for each source in the file SOURCES `time_ms ...` and `reached ...`. The time
is of the library's call alone, on a graph that is in its own form. The array of every source goes to
RESULTS/SOURCE.npy: of bfs the levels, -1 where there is none; of dfs 0 where it was, else -1.
"""

import importlib.metadata
import sys
import time
from pathlib import Path

import numpy as np
import scipy.io
from scipy import sparse

UNREACHED = -1


def read_graph(path):
    """The graph's arcs as a CSR matrix of ones."""
    matrix = scipy.io.mmread(path).tocsr()
    matrix.data = np.ones(len(matrix.data), np.int8)
    return matrix


def visited(order, num_vertices):
    found = np.full(num_vertices, UNREACHED)
    found[np.fromiter(order, np.int64)] = 0
    return found


# For each library and family: makes of the matrix a function of the source, which is timed, and one that
# turns what it returned into the array.


def scipy_bfs(matrix):
    def levels(found):
        order, parents = found
        level = np.full(matrix.shape[0], UNREACHED)
        level[order[0]] = 0
        for v in order[1:]:  # parents stand before their children
            level[v] = level[parents[v]] + 1
        return level

    matrix = matrix.astype(np.float64)  # what it works on, whatever it is given
    return lambda source: sparse.csgraph.breadth_first_order(matrix, source), levels


def scipy_dfs(matrix):
    matrix = matrix.astype(np.float64)
    search = sparse.csgraph.depth_first_order
    return lambda source: search(matrix, source), lambda found: visited(found[0], matrix.shape[0])


def networkx_graph(matrix):
    import networkx

    return networkx, networkx.from_scipy_sparse_array(matrix, create_using=networkx.DiGraph)


def networkx_bfs(matrix):
    networkx, graph = networkx_graph(matrix)

    def levels(found):
        level = np.full(matrix.shape[0], UNREACHED)
        level[np.fromiter(found.keys(), np.int64)] = np.fromiter(found.values(), np.int64)
        return level

    return lambda source: networkx.single_source_shortest_path_length(graph, source), levels


def networkx_dfs(matrix):
    networkx, graph = networkx_graph(matrix)
    search = networkx.dfs_preorder_nodes
    return lambda source: list(search(graph, source)), lambda found: visited(found, matrix.shape[0])


def igraph_graph(matrix):
    import igraph

    arcs = np.column_stack(matrix.tocoo().coords)
    return igraph.Graph(matrix.shape[0], arcs, directed=True)


def igraph_bfs(matrix):
    graph = igraph_graph(matrix)

    def levels(found):
        order, starts, _ = found
        level = np.full(matrix.shape[0], UNREACHED)
        for number, (first, last) in enumerate(zip(starts, starts[1:])):
            level[order[first:last]] = number
        return level

    return lambda source: graph.bfs(source, mode="out"), levels


def igraph_dfs(matrix):
    graph = igraph_graph(matrix)
    return lambda source: graph.dfs(source, mode="out"), lambda found: visited(found[0], matrix.shape[0])


def networkit_graph(matrix):
    import networkit

    # Of any other type it reads memory that is not there.
    arcs = tuple(coordinate.astype(np.uint64) for coordinate in matrix.tocoo().coords)
    return networkit, networkit.GraphFromCoo(arcs, n=matrix.shape[0], directed=True)


def networkit_bfs(matrix):
    networkit, graph = networkit_graph(matrix)

    def levels(found):
        distances = np.array(found.getDistances())
        return np.where(distances < matrix.shape[0], distances, UNREACHED).astype(np.int64)

    return lambda source: networkit.distance.BFS(graph, source, storePaths=False).run(), levels


def networkit_dfs(matrix):
    networkit, graph = networkit_graph(matrix)

    def search(source):
        order = []
        networkit.graph.Traversal.DFSfrom(graph, source, order.append)
        return order

    return search, lambda found: visited(found, matrix.shape[0])


SEARCHES = {
    ("scipy", "bfs"): scipy_bfs,
    ("scipy", "dfs"): scipy_dfs,
    ("networkx", "bfs"): networkx_bfs,
    ("networkx", "dfs"): networkx_dfs,
    ("igraph", "bfs"): igraph_bfs,
    ("igraph", "dfs"): igraph_dfs,
    ("networkit", "bfs"): networkit_bfs,
    ("networkit", "dfs"): networkit_dfs,
}


def main():
    words = sys.argv[1:]
    if len(words) != 5 or (words[0], words[1]) not in SEARCHES:
        print(__doc__.replace("  peer_lib", "usage: peer_lib"))
        return 0 if words in (["-h"], ["--help"]) else 2
    library, family, path, sources, results = words
    search, to_array = SEARCHES[library, family](read_graph(path))
    print(f"version {library}-{importlib.metadata.version(library)}")
    for number, source in enumerate(map(int, Path(sources).read_text().split())):
        if number == 0:
            search(source)  # to warm up
        began = time.perf_counter()
        found = search(source)
        milliseconds = 1e3 * (time.perf_counter() - began)
        array = to_array(found)
        np.save(Path(results) / f"{source}.npy", array)
        print(f"time_ms {milliseconds:.6f}\nreached {np.count_nonzero(array >= 0)}")
    return 0
