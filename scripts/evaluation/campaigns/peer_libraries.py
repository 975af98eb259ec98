"""A search by a Python library, for scripts/peers.py: times it from each source, and keeps what it found.

  peer_libraries.py LIBRARY bfs|dfs OFFSETS TARGETS SOURCES RESULTS
  peer_libraries.py table CSV DEVICE [--small] [--rounds N] [--threads N[,N]]

table: calls of the package gtrav beside those of the libraries that are installed, some twenty rows, in one
run, with two threads and with one: wall and CPU times, to CSV. DEVICE: what the column says, cpu-MODEL.

LIBRARY is scipy, networkx, igraph or networkit; for bfs also pylibcugraph, pylibcugraph-parents.
OFFSETS and TARGETS are the graph's arrays, of 64 and 32 bits.

Prints a line `version ...`, and for each source in the file SOURCES `time_ms ...` and `reached ...`. The time
is of the library's call alone, on a graph that is in its own form; a short call is timed the second time in a
row, as gtrav's are. The array of every source goes to
RESULTS/SOURCE.npy: of bfs the levels, -1 where there is none; of dfs 0 where it was, else -1.
"""

import argparse
import importlib.metadata
import sys
import time
from functools import partial
from pathlib import Path

from evaluation.campaigns import python_calls
from evaluation.files import ROOT

import numpy as np
from scipy import sparse

UNREACHED = -1
LONG_MS = 50  # LONG_SEARCH_MS of src/run/engine.h


def read_graph(offsets, targets):
    """The graph's edges as a CSR matrix of ones, of its arrays in two files."""
    offsets, targets = np.fromfile(offsets, np.int64), np.fromfile(targets, np.uint32)
    size = len(offsets) - 1
    return sparse.csr_matrix((np.ones(len(targets), np.int8), targets, offsets), (size, size))


def visited(order, num_vertices):
    found = np.full(num_vertices, UNREACHED)
    found[np.fromiter(order, np.int64)] = 0
    return found


# For each library, on the matrix as the library has graphs: a timed breadth-first search from a source,
# what turns its result into levels, and a timed depth-first search, which returns the vertices in its order.


def scipy_searches(matrix):
    num_vertices = matrix.shape[0]
    matrix = matrix.astype(np.float64)  # what it works on, whatever it is given

    def levels(found):
        order, parents = found
        level = np.full(num_vertices, UNREACHED)
        level[order[0]] = 0
        for v in order[1:]:  # parents stand before their children
            level[v] = level[parents[v]] + 1
        return level

    bfs, dfs = sparse.csgraph.breadth_first_order, sparse.csgraph.depth_first_order
    return (lambda source: bfs(matrix, source)), levels, (lambda source: dfs(matrix, source)[0])


def networkx_searches(matrix):
    import networkx

    graph = networkx.from_scipy_sparse_array(matrix, create_using=networkx.DiGraph)

    def levels(found):
        level = np.full(matrix.shape[0], UNREACHED)
        level[np.fromiter(found.keys(), np.int64)] = np.fromiter(found.values(), np.int64)
        return level

    bfs, dfs = networkx.single_source_shortest_path_length, networkx.dfs_preorder_nodes
    return (lambda source: bfs(graph, source)), levels, (lambda source: list(dfs(graph, source)))


def igraph_searches(matrix):
    import igraph

    num_vertices = matrix.shape[0]
    graph = igraph.Graph(num_vertices, np.column_stack(matrix.tocoo().coords), directed=True)

    def levels(found):
        order, starts, _ = found
        level = np.full(num_vertices, UNREACHED)
        for number, (first, last) in enumerate(zip(starts, starts[1:])):
            level[order[first:last]] = number
        return level

    return ((lambda source: graph.bfs(source, mode="out")), levels, (lambda source: graph.dfs(source, mode="out")[0]))


def networkit_searches(matrix):
    import networkit

    num_vertices = matrix.shape[0]
    # Of any other type it reads memory that is not there.
    edges = tuple(coordinate.astype(np.uint64) for coordinate in matrix.tocoo().coords)
    graph = networkit.GraphFromCoo(edges, n=num_vertices, directed=True)

    def bfs(source):
        return networkit.distance.BFS(graph, source, storePaths=False).run()

    def levels(found):
        distances = np.array(found.getDistances())
        return np.where(distances < num_vertices, distances, UNREACHED).astype(np.int64)

    def dfs(source):
        order = []
        networkit.graph.Traversal.DFSfrom(graph, source, order.append)
        return order

    return bfs, levels, dfs


def cugraph_searches(matrix, predecessors=False):
    """For symmetric graphs, on a GPU, with a memory pool. With predecessors, a vertex counts as reached only
    if its parent is one level nearer to the source."""
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

    return bfs, levels, None


LIBRARIES = {
    "scipy": scipy_searches,
    "networkx": networkx_searches,
    "igraph": igraph_searches,
    "networkit": networkit_searches,
    "pylibcugraph": cugraph_searches,
    "pylibcugraph-parents": partial(cugraph_searches, predecessors=True),
}
# Of which distribution a library is, where it has another name.
DISTRIBUTIONS = dict.fromkeys(("pylibcugraph", "pylibcugraph-parents"), "pylibcugraph-cu13")


def timed(search, source):
    """What it found, and how many ms it took."""
    began = time.perf_counter()
    found = search(source)
    return found, 1e3 * (time.perf_counter() - began)


def measure_table(words):
    parser = argparse.ArgumentParser(prog="peer_libraries.py table")
    parser.add_argument("csv", type=Path)
    parser.add_argument("device")
    parser.add_argument("--small", action="store_true", help="small graphs, whose times mean little")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", default="2,1")
    how = parser.parse_args(words)
    sys.path.insert(0, str(ROOT / "python"))
    threads = [int(number) for number in how.threads.split(",")]
    return python_calls.measure(how.csv, threads, how.rounds, how.small, how.device)


def main():
    words = sys.argv[1:]
    if words[:1] == ["table"]:
        return measure_table(words[1:])
    if len(words) != 6 or words[0] not in LIBRARIES or words[1] not in ("bfs", "dfs"):
        print(__doc__.replace("  peer_lib", "usage: peer_lib"))
        return 0 if words in (["-h"], ["--help"]) else 2
    library, family, offsets, targets, sources, results = words
    matrix = read_graph(offsets, targets)
    bfs, levels, dfs = LIBRARIES[library](matrix)
    search = bfs if family == "bfs" else dfs
    print(f"version {library}-{importlib.metadata.version(DISTRIBUTIONS.get(library, library))}")
    for number, source in enumerate(map(int, Path(sources).read_text().split())):
        if number == 0:
            search(source)  # to warm up
        found, milliseconds = timed(search, source)
        if milliseconds < LONG_MS:
            found, milliseconds = timed(search, source)
        array = levels(found) if family == "bfs" else visited(found, matrix.shape[0])
        np.save(Path(results) / f"{source}.npy", array)
        print(f"time_ms {milliseconds:.6f}\nreached {np.count_nonzero(array >= 0)}")
    return 0
