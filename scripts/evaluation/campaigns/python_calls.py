"""Calls of the Python package beside those of other libraries, for scripts/peer_libraries.py table.

One process measures all, one library after the other in each round, so that what else the machine does meets
all of them. A row is the median of the rounds: wall and CPU seconds of this process. What a library finds is
compared with what gtrav's search on one thread finds, verified; a wrong result ends the run."""

import datetime
import importlib
import importlib.metadata
import statistics
import time

from evaluation.command import EvaluationError, say
from evaluation.files import write_atomically
from evaluation.text_tables import as_csv

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

LIBRARIES = ("gtrav", "scipy", "igraph", "networkit", "rustworkx")  # graph-tool is in no package registry of Python
COLUMNS = ("graph", "task", "library", "version", "threads", "wall_ms", "cpu_ms", "rounds", "verified", "device", "date")
RMAT, GRID, ROAD, TINY = "kron:18:16", "grid:500x500", "road:15", "100 edges"
SMALL = {RMAT: "kron:8:8", GRID: "grid:20x20", ROAD: "road:8", TINY: TINY}
SOURCES, FEW = 64, 20
LONG_MS = 10_000  # once a library has spent so long on a row, it is not asked again
ON_ONE_THREAD = {"scipy", "igraph", "rustworkx"}  # whatever is set
MOST_EDGES = {"rustworkx": 2_000_000}  # it has an object for each edge


# ---- a graph in each library ----


def _levels(order, parents):
    level = np.full(len(parents), -1)
    level[order[0]] = 0
    for v in order[1:]:
        level[v] = level[parents[v]] + 1
    return level


def _visited(order, size):
    found = np.zeros(size, bool)
    found[np.asarray(order, np.int64)] = True
    return found


def _length(path):
    return len(path) - 1


class Gtrav:
    def __init__(self, source, target, size, threads):
        import gtrav

        self.graph = gtrav.Graph.from_edges(source, target, size, device="cpu", threads=threads)
        self.size = size

    def bfs(self, source):
        return self.graph.bfs(source).levels

    def parents(self, source):
        return self.graph.bfs(source, parents=True).levels

    def dfs(self, source):
        found = self.graph.dfs(source).order
        return lambda: _visited(found, self.size)

    def many(self, sources):
        return self.graph.bfs(sources).levels

    def sums(self, sources):
        return self.graph.bfs(sources, levels=False).level_sums

    def lengths(self, pairs):
        return self.graph.path_lengths(*pairs)

    def paths(self, pairs):
        return self.graph.paths(*pairs).lengths


class Scipy:
    def __init__(self, source, target, size, threads):
        self.graph = sparse.csr_array((np.ones(len(source)), (source, target)), (size, size))

    def bfs(self, source):
        found = csgraph.breadth_first_order(self.graph, source)
        return lambda: _levels(*found)

    parents = bfs

    def dfs(self, source):
        found = csgraph.depth_first_order(self.graph, source)[0]
        return lambda: _visited(found, self.graph.shape[0])

    def many(self, sources):
        found = [csgraph.breadth_first_order(self.graph, source) for source in sources]
        return lambda: np.array([_levels(*each) for each in found])

    def lengths(self, pairs):
        found = [csgraph.breadth_first_order(self.graph, source) for source in pairs[0]]
        return lambda: np.array([_levels(*each)[target] for each, target in zip(found, pairs[1])])

    paths = lengths


class Igraph:
    def __init__(self, source, target, size, threads):
        import igraph

        self.graph, self.size = igraph.Graph(size, np.column_stack([source, target]), directed=True), size

    def bfs(self, source):
        order, starts, _ = self.graph.bfs(source, mode="out")

        def levels():
            level = np.full(self.size, -1)
            for number, (first, last) in enumerate(zip(starts, starts[1:])):
                level[order[first:last]] = number
            return level

        return levels

    parents = bfs

    def dfs(self, source):
        found = self.graph.dfs(source, mode="out")[0]
        return lambda: _visited(found, self.size)

    def many(self, sources):
        found = self.graph.distances([int(source) for source in sources], mode="out")
        return lambda: _reached(found)

    def lengths(self, pairs):
        found = [self.graph.distances(int(a), int(b), mode="out")[0][0] for a, b in zip(*pairs)]
        return lambda: _reached(found)

    def paths(self, pairs):
        found = [self.graph.get_shortest_paths(int(a), int(b), mode="out")[0] for a, b in zip(*pairs)]
        return lambda: np.array([_length(path) for path in found])


class Networkit:
    def __init__(self, source, target, size, threads):
        import networkit

        networkit.setNumberOfThreads(threads)
        self.its, self.size = networkit.distance, size
        edges = (source.astype(np.uint64), target.astype(np.uint64))  # of any other type it reads what is not there
        self.graph = networkit.GraphFromCoo(edges, n=size, directed=True)

    def bfs(self, source, paths=False):
        found = self.its.BFS(self.graph, source, storePaths=paths).run().getDistances()
        return lambda: _reached(found, self.size)

    def parents(self, source):
        return self.bfs(source, True)

    def many(self, sources):
        found = self.its.SPSP(self.graph, [int(source) for source in sources]).run().getDistances()
        return lambda: _reached(found, self.size)

    def lengths(self, pairs):
        found = [self.its.BidirectionalBFS(self.graph, a, b, False).run().getDistance() for a, b in zip(*pairs)]
        return lambda: _reached(found, self.size)

    def paths(self, pairs):
        runs = [self.its.BidirectionalBFS(self.graph, a, b).run() for a, b in zip(*pairs)]
        paths, lengths = [run.getPath() for run in runs], [run.getDistance() for run in runs]
        return lambda: _reached(lengths, self.size) if len(paths) == len(lengths) else None


class Rustworkx:
    def __init__(self, source, target, size, threads):
        import rustworkx

        self.its, self.size, self.graph = rustworkx, size, rustworkx.PyDiGraph(multigraph=False)
        self.graph.add_nodes_from(range(size))
        self.graph.add_edges_from_no_data(list(zip(source.tolist(), target.tolist())))

    def bfs(self, source):
        found = self.its.bfs_layers(self.graph, [source])

        def levels():
            level = np.full(self.size, -1)
            for number, layer in enumerate(found):
                level[np.asarray(layer, np.int64)] = number
            return level

        return levels

    def dfs(self, source):
        found = self.its.dfs_edges(self.graph, source)
        return lambda: _visited([source, *(end for _, end in found)], self.size)

    def paths(self, pairs):
        found = [
            self.its.digraph_dijkstra_shortest_paths(self.graph, a, target=b, default_weight=1.0)
            for a, b in zip(*pairs)
        ]
        return lambda: np.array([_length(each[b]) if b in each else -int(a != b) for each, a, b in zip(found, *pairs)])

    lengths = paths


MAKERS = dict(zip(LIBRARIES, (Gtrav, Scipy, Igraph, Networkit, Rustworkx)))


def _reached(distances, size=None):
    """Distances as integers, -1 where there is none: infinite or, in NetworKit, enormous."""
    array = np.asarray(distances, np.float64)
    return np.where(np.isfinite(array) & (array < 1e9), array, -1).astype(np.int64)


# ---- the rows ----

# What is asked of a graph, by the method that answers it, and of how many vertices or pairs.
TASKS = {
    "BFS, levels": ("bfs", 1),
    "BFS, parents": ("parents", 1),
    "DFS": ("dfs", 1),
    f"{SOURCES} sources, levels": ("many", SOURCES),
    f"{SOURCES} sources, sums": ("sums", SOURCES),
    "200 pairs, lengths": ("lengths", 200),
    "200 pairs, paths": ("paths", 200),
    f"{FEW} pairs, lengths": ("lengths", FEW),
    f"{FEW} pairs, paths": ("paths", FEW),
    "from edges": ("make", 0),
    "from edges, and one BFS": ("make", 1),
}
EACH, MANY = tuple(TASKS)[:3], tuple(TASKS)[3:5]
ROWS = {
    RMAT: (*EACH, *MANY, "200 pairs, lengths", "200 pairs, paths", "from edges"),
    GRID: (*EACH, *MANY, f"{FEW} pairs, lengths", f"{FEW} pairs, paths", "from edges"),
    ROAD: (*EACH, MANY[0], f"{FEW} pairs, lengths"),
    TINY: ("BFS, levels", "from edges, and one BFS"),
}


def edges_of(spec):
    """Its edges in a random order, and its number of vertices."""
    import gtrav

    draw = np.random.default_rng(7)
    if spec == TINY:
        return draw.integers(0, 40, 100), draw.integers(0, 40, 100), 40
    graph = gtrav.Graph.generate(spec, device="cpu")
    order = draw.permutation(graph.num_edges)
    source = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    return source[order], graph.indices[order].astype(np.int64), graph.num_vertices


class Row:
    """A task on a graph, of which every library answers the same questions."""

    def __init__(self, edges, task):
        self.edges, self.task, (self.method, count) = edges, task, TASKS[task]
        draw, ends = np.random.default_rng(11), np.unique(edges[0])
        self.pairs = draw.choice(ends, max(count, 1)), draw.choice(ends, max(count, 1))
        self.one, self.count = int(ends[len(ends) // 2]), count

    def call(self, maker, graph, threads):
        """The call to be timed."""
        if self.method == "make":
            made = lambda: maker(*self.edges, threads)  # noqa: E731
            return made if self.count == 0 else lambda: made().bfs(self.one)
        found = getattr(graph, self.method, None)
        asked = self.pairs if self.method in ("lengths", "paths") else self.pairs[0] if self.count > 1 else self.one
        return found and (lambda: found(asked))

    def answer(self, found):
        """What a call has found, as an array; None: it is a graph."""
        return None if self.method == "make" and self.count == 0 else np.asarray(found() if callable(found) else found)


def measure_row(row, calls, rounds):
    """{library: (wall ms, CPU ms, rounds)}: medians; the results are compared in the first round."""
    times, expected = {name: [] for name in calls}, None
    for number in range(rounds):
        for name, call in calls.items():
            if sum(wall for wall, _ in times[name]) > LONG_MS:
                continue
            wall, cpu = time.perf_counter(), time.process_time()
            found = call()
            times[name].append((1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)))
            if number == 0:
                answer = row.answer(found)
                expected = answer if expected is None else expected
                if answer is not None and not np.array_equal(answer, expected):
                    raise EvaluationError(f"{row.task}: {name} does not find what the first library finds")
            del found
    return {name: (*map(statistics.median, zip(*each)), len(each)) for name, each in times.items()}


def measure_graph(spec, tasks, threads, rounds, libraries):
    """Rows of a graph; all libraries hold it at the same time."""
    edges, left_out = edges_of(spec), ON_ONE_THREAD if threads > 1 else set()
    left_out = left_out | {name for name, most in MOST_EDGES.items() if len(edges[0]) > most}
    graphs = {name: MAKERS[name](*edges, threads) for name in libraries if name not in left_out}
    for task in tasks:
        row = Row(edges, task)
        calls = {name: row.call(MAKERS[name], graph, threads) for name, graph in graphs.items()}
        say(f"{spec}: {task}, {threads} threads")
        for name, cells in measure_row(row, {k: v for k, v in calls.items() if v}, rounds).items():
            yield spec, task, name, cells


def measure(path, threads, rounds, small, device):
    """Measures all rows with each number of threads, and writes them."""
    libraries = [name for name in LIBRARIES if importlib.util.find_spec(name)]
    say(f"not installed here: {', '.join(sorted({*LIBRARIES} - {*libraries})) or 'none'}; graph-tool: not on PyPI")
    versions = {name: importlib.import_module(name).__version__ for name in libraries if name != "gtrav"}
    date, rows = datetime.date.today().isoformat(), []
    versions["gtrav"] = importlib.import_module("gtrav._library").function("version")().decode()
    for number in threads:
        for spec, tasks in ROWS.items():
            spec = SMALL[spec] if small else spec
            for graph, task, name, (wall, cpu, count) in measure_graph(spec, tasks, number, rounds, libraries):
                cells = (graph, task, name, versions[name], number, f"{wall:.4g}", f"{cpu:.4g}", count)
                rows.append((*cells, "equal", device, date))
                write_atomically(path, as_csv(COLUMNS, rows))
    return 0
