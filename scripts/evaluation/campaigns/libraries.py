"""libraries.py: searches by Python libraries, each timed from every source.

usage: library_search.py OFFSETS TARGETS SOURCES RESULTS LIBRARY bfs|dfs

The interface is that of the drivers of other programs (scripts/peers/search.hpp), and LIBRARY is one of LIBRARIES. A
time is that of the library's call alone, on a graph in the library's own form; a short call is timed the second time
in a row, as gtrav's are. RESULTS/SOURCE.npy gets the levels of a BFS, or 0 for each vertex that a DFS visited; -1
elsewhere.
"""

import importlib.metadata
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
from scipy import sparse

UNREACHED = -1
ENORMOUS = 2**32  # more than any distance
LONG_MS = 50  # LONG_SEARCH_MS of src/run/engine.h


def read_graph(offsets, targets):
    """Returns the graph as a CSR matrix of ones."""
    offsets, targets = np.fromfile(offsets, np.int64), np.fromfile(targets, np.uint32)
    size = len(offsets) - 1
    return sparse.csr_matrix((np.ones(len(targets), np.int8), targets, offsets), (size, size))


def visited(order, num_vertices):
    found = np.full(num_vertices, UNREACHED)
    found[np.fromiter(order, np.int64)] = 0
    return found


def levels_of_order(found):
    """Returns the levels of a search of SciPy, which gives an order with parents before their children."""
    order, parents = found
    level = np.full(len(parents), UNREACHED)
    level[order[0]] = 0
    for v in order[1:]:
        level[v] = level[parents[v]] + 1
    return level


def reached(distances):
    """Returns distances as integers: UNREACHED for an infinite one, or an enormous one of NetworKit."""
    array = np.asarray(distances, np.float64)
    return np.where(np.isfinite(array) & (array < ENORMOUS), array, UNREACHED).astype(np.int64)


# Each function makes a library's graph of the matrix, and returns {task: (search, which is timed, and a function
# that turns its result into an array)}. From a source, "bfs" and "parents" give levels, and "dfs" the visited
# vertices; from several sources, "many" gives a row of levels for each; for pairs, as two lists, "lengths" and
# "paths" give lengths.


def scipy_searches(matrix, threads=1):
    matrix = matrix.astype(np.float64)  # SciPy converts any other type in each call
    first, dfs = sparse.csgraph.breadth_first_order, sparse.csgraph.depth_first_order

    def bfs(source):
        return first(matrix, source)

    def ends(found, pairs):
        return [levels_of_order(each)[target] for each, target in zip(found, pairs[1])]

    def of_pairs(pairs):
        found = list(map(bfs, pairs[0]))
        return lambda: ends(found, pairs)

    return {
        "bfs": (bfs, levels_of_order),
        "parents": (bfs, levels_of_order),
        "dfs": (lambda source: dfs(matrix, source)[0], partial(visited, num_vertices=matrix.shape[0])),
        "many": (lambda sources: list(map(bfs, sources)), lambda found: [levels_of_order(each) for each in found]),
        "lengths": (of_pairs, lambda found: found()),
        "paths": (of_pairs, lambda found: found()),
    }


def networkx_searches(matrix, threads=1):
    import networkx

    graph = networkx.from_scipy_sparse_array(matrix, create_using=networkx.DiGraph)

    def levels(found):
        level = np.full(matrix.shape[0], UNREACHED)
        level[np.fromiter(found.keys(), np.int64)] = np.fromiter(found.values(), np.int64)
        return level

    bfs, dfs = networkx.single_source_shortest_path_length, networkx.dfs_preorder_nodes
    return {
        "bfs": (lambda source: bfs(graph, source), levels),
        "dfs": (lambda source: list(dfs(graph, source)), partial(visited, num_vertices=matrix.shape[0])),
    }


def igraph_searches(matrix, threads=1):
    import igraph

    num_vertices = matrix.shape[0]
    graph = igraph.Graph(num_vertices, np.column_stack(matrix.tocoo().coords), directed=True)

    def levels(found):
        order, starts, _ = found
        level = np.full(num_vertices, UNREACHED)
        for number, (first, last) in enumerate(zip(starts, starts[1:])):
            level[order[first:last]] = number
        return level

    def bfs(source):
        return graph.bfs(source, mode="out")

    def of_pairs(method):
        return lambda pairs: [method(a, b, mode="out")[0] for a, b in zip(*pairs)]

    return {
        "bfs": (bfs, levels),
        "parents": (bfs, levels),
        "dfs": (lambda source: graph.dfs(source, mode="out")[0], partial(visited, num_vertices=num_vertices)),
        "many": (lambda sources: graph.distances(sources, mode="out"), reached),
        "lengths": (of_pairs(graph.distances), lambda found: reached(found)[:, 0]),
        "paths": (of_pairs(graph.get_shortest_paths), lambda found: [len(path) - 1 for path in found]),
    }


def networkit_searches(matrix, threads=None):
    import networkit

    if threads:
        networkit.setNumberOfThreads(threads)
    # NetworKit reads beyond the arrays of any other type.
    edges = tuple(coordinate.astype(np.uint64) for coordinate in matrix.tocoo().coords)
    graph = networkit.GraphFromCoo(edges, n=matrix.shape[0], directed=True)
    its = networkit.distance

    def bfs(source, paths=False):
        return its.BFS(graph, source, storePaths=paths).run()

    def dfs(source):
        order = []
        networkit.graph.Traversal.DFSfrom(graph, source, order.append)
        return order

    def of_pairs(pairs, paths):
        return [its.BidirectionalBFS(graph, a, b, paths).run() for a, b in zip(*pairs)]

    def distances(found):
        return reached(found.getDistances())

    def each(found):
        return reached([run.getDistance() for run in found])

    return {
        "bfs": (bfs, distances),
        "parents": (partial(bfs, paths=True), distances),
        "dfs": (dfs, partial(visited, num_vertices=matrix.shape[0])),
        "many": (lambda sources: its.SPSP(graph, sources).run(), distances),
        "lengths": (partial(of_pairs, paths=False), each),
        "paths": (partial(of_pairs, paths=True), each),
    }


def rustworkx_searches(matrix, threads=1):
    import rustworkx

    num_vertices, graph = matrix.shape[0], rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(num_vertices))
    graph.add_edges_from_no_data([*zip(*(coordinate.tolist() for coordinate in matrix.tocoo().coords))])

    def levels(found):
        level = np.full(num_vertices, UNREACHED)
        for number, layer in enumerate(found):
            level[np.asarray(layer, np.int64)] = number
        return level

    def dfs(source):
        return [source, *(end for _, end in rustworkx.dfs_edges(graph, source))]

    def paths(pairs):
        shortest = rustworkx.digraph_dijkstra_shortest_paths
        return [(shortest(graph, a, target=b, default_weight=1.0), int(a != b), b) for a, b in zip(*pairs)]

    def lengths(found):
        return [len(paths[end]) - 1 if end in paths else -apart for paths, apart, end in found]

    return {
        "bfs": (lambda source: rustworkx.bfs_layers(graph, [source]), levels),
        "dfs": (dfs, partial(visited, num_vertices=num_vertices)),
        "lengths": (paths, lengths),
        "paths": (paths, lengths),
    }


def cugraph_searches(matrix, threads=1, predecessors=False):
    """For symmetric graphs, on a GPU, with a memory pool. With predecessors, a vertex counts as reached only if its
    parent is one level nearer to the source."""
    import cupy
    import pylibcugraph
    import rmm
    from rmm.allocators.cupy import rmm_cupy_allocator

    rmm.reinitialize(pool_allocator=True)
    cupy.cuda.set_allocator(rmm_cupy_allocator)
    num_vertices = matrix.shape[0]
    vertices = cupy.arange(num_vertices, dtype=np.int32)
    edges = [cupy.asarray(coordinate, np.int32) for coordinate in matrix.tocoo().coords]
    handle = pylibcugraph.ResourceHandle()
    properties = pylibcugraph.GraphProperties(is_symmetric=True, is_multigraph=False)
    graph = pylibcugraph.SGGraph(handle, properties, *edges, renumber=True, vertices_array=vertices)

    def bfs(source):
        start = vertices[source : source + 1]
        found = pylibcugraph.bfs(handle, graph, start, True, -1, predecessors, False)
        cupy.cuda.Device().synchronize()
        return found

    def levels(found):
        distances, parents, names = found
        level = cupy.full(num_vertices, UNREACHED, np.int32)
        level[names] = cupy.where(distances < num_vertices, distances, UNREACHED)
        if predecessors:
            child = parents >= 0
            nearer = level[parents[child]] + 1 == distances[child]
            level[names[child][~nearer]] = UNREACHED
        return level.get()

    return {"bfs": (bfs, levels)}


LIBRARIES = {
    "scipy": scipy_searches,
    "networkx": networkx_searches,
    "igraph": igraph_searches,
    "networkit": networkit_searches,
    "rustworkx": rustworkx_searches,
    "pylibcugraph": cugraph_searches,
    "pylibcugraph-parents": partial(cugraph_searches, predecessors=True),
}
# The distributions of libraries of another name.
DISTRIBUTIONS = dict.fromkeys(("pylibcugraph", "pylibcugraph-parents"), "pylibcugraph-cu13")


def timed(search, source):
    """Returns the result of a search, and its ms."""
    began = time.perf_counter()
    found = search(source)
    return found, 1e3 * (time.perf_counter() - began)


def main():
    words = sys.argv[1:]
    if len(words) != 6 or words[4] not in LIBRARIES or words[5] not in ("bfs", "dfs"):
        print(f"{__doc__}\nLIBRARY: {', '.join(LIBRARIES)}")
        return 0 if words in (["-h"], ["--help"]) else 2
    offsets, targets, sources, results, library, family = words
    search, read = LIBRARIES[library](read_graph(offsets, targets))[family]
    print(f"version {library}-{importlib.metadata.version(DISTRIBUTIONS.get(library, library))}")
    for number, source in enumerate(map(int, Path(sources).read_text().split())):
        if number == 0:
            search(source)  # to warm up
        found, milliseconds = timed(search, source)
        if milliseconds < LONG_MS:
            found, milliseconds = timed(search, source)
        array = read(found)
        np.save(Path(results) / f"{source}.npy", array)
        print(f"time_ms {milliseconds:.6f}\nreached {np.count_nonzero(array >= 0)}\ndepth {array.max()}")
    return 0
