"""Measures calls of the Python package beside those of other libraries: the table of docs/python.md.

One process measures all libraries, one after the other in each round, so that other work on the machine affects all
of them. A row has the medians of the rounds: wall and CPU ms of this process. A library whose result differs from
gtrav's ends the run.
"""

import datetime
import importlib
import importlib.util
import statistics
import sys
import time
from functools import partial
from pathlib import Path

from evaluation.campaigns.libraries import LIBRARIES, visited
from evaluation.command import EvaluationError, new_parser, say
from evaluation.files import ROOT, write_atomically
from evaluation.text_tables import as_csv

import numpy as np
from scipy import sparse

OTHERS = ("scipy", "igraph", "networkit", "rustworkx")  # graph-tool is in no registry of Python packages
ON_ONE_THREAD = {"scipy", "igraph", "rustworkx"}
MOST_EDGES = {"rustworkx": 2_000_000}  # which has an object for each
COLUMNS = ("graph", "task", "library", "version", "threads", "wall_ms", "cpu_ms")
COLUMNS += ("rounds", "verified", "device", "date")
LONG_MS = 10_000  # a library that has spent so long on a row gets no further round

# {task: (name of the search, number of sources or pairs)}; "make" makes a graph of edges.
BFS, DFS, MAKE = "BFS, levels", "DFS", "from edges"
TASKS = {
    BFS: ("bfs", 1),
    "BFS, parents": ("parents", 1),
    DFS: ("dfs", 1),
    "64 sources, levels": ("many", 64),
    "64 sources, sums": ("sums", 64),
    "200 pairs, lengths": ("lengths", 200),
    "200 pairs, paths": ("paths", 200),
    "20 pairs, lengths": ("lengths", 20),
    "20 pairs, paths": ("paths", 20),
    MAKE: ("make", 1),
}
TINY = "100 edges"
ROWS = {
    "kron:18:16": [task for task in TASKS if not task.startswith("20 ")],
    "grid:500x500": [task for task in TASKS if not task.startswith("200")],
    "road:15": [BFS, DFS, "64 sources, levels", "20 pairs, lengths"],
    TINY: [BFS, MAKE],
}
SMALL = {"kron:18:16": "kron:8:8", "grid:500x500": "grid:20x20", "road:15": "road:8"}


# ---- gtrav, with the interface of libraries.py ----


def gtrav_searches(matrix, threads):
    import gtrav

    graph = gtrav.Graph.from_scipy(matrix, device="cpu", threads=threads)
    return {
        "bfs": (graph.bfs, lambda found: found.levels),
        "parents": (lambda source: graph.bfs(source, parents=True), lambda found: found.levels),
        "dfs": (lambda source: graph.dfs(source).order, lambda found: visited(found, graph.num_vertices)),
        "many": (graph.bfs, lambda found: found.levels),
        "sums": (lambda sources: graph.bfs(sources, levels=False), lambda found: found.level_sums),
        "lengths": (lambda pairs: graph.path_lengths(*pairs), np.asarray),
        "paths": (lambda pairs: graph.paths(*pairs), lambda found: found.lengths),
    }


def _gtrav_of(source, target, size, threads):
    import gtrav

    return gtrav.Graph.from_edges(source, target, size, device="cpu", threads=threads)


def _scipy_of(source, target, size, threads):
    return sparse.csr_array((np.ones(len(source)), (source, target)), (size, size))


def _igraph_of(source, target, size, threads):
    import igraph

    return igraph.Graph(size, np.column_stack([source, target]), directed=True)


def _networkit_of(source, target, size, threads):
    import networkit

    return networkit.GraphFromCoo((source.astype(np.uint64), target.astype(np.uint64)), n=size, directed=True)


FROM_EDGES = {"gtrav": _gtrav_of, "scipy": _scipy_of, "igraph": _igraph_of, "networkit": _networkit_of}


# ---- the rows ----


def edges_of(spec):
    """Returns sources and targets of the edges in a random order, and the number of vertices."""
    import gtrav

    draw = np.random.default_rng(7)
    if spec == TINY:
        return *draw.integers(0, 40, (2, 100)), 40
    graph = gtrav.Graph.generate(spec, device="cpu")
    order = draw.permutation(graph.num_edges)
    source = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    return source[order], graph.indices[order].astype(np.int64), graph.num_vertices


def question(edges, method, count):
    """Returns a vertex, a list of them, or two lists, all of vertices with edges."""
    draw, ends = np.random.default_rng(11), np.unique(edges[0])
    if count == 1:
        return int(ends[len(ends) // 2])
    pairs = draw.choice(ends, (2, count)).tolist()
    return pairs if method in ("lengths", "paths") else pairs[0]


def measure_row(what, calls, reads, rounds):
    """Returns {library: (median wall ms, median CPU ms, rounds)}.

    calls, reads: {library: the call}, {library: a function that makes an array of its result}."""
    times, expected = {name: [] for name in calls}, None
    for number in range(rounds):
        for name, call in calls.items():
            if sum(wall for wall, _ in times[name]) > LONG_MS:
                continue
            wall, cpu = time.perf_counter(), time.process_time()
            found = call()
            times[name].append((1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)))
            if number == 0:
                answer = np.asarray(reads[name](found))
                expected = answer if expected is None else expected
                if not np.array_equal(answer, expected):
                    raise EvaluationError(f"{what}: {name} does not find what {next(iter(calls))} finds")
            del found
    return {name: (*map(statistics.median, zip(*each)), len(each)) for name, each in times.items()}


def measure_graph(spec, tasks, threads, rounds, names):
    """Yields the rows of a graph, which all libraries hold at the same time."""
    edges = edges_of(spec)
    matrix = sparse.csr_matrix((np.ones(len(edges[0]), np.int8), edges[:2]), (edges[2], edges[2]))
    matrix.setdiag(0)
    matrix.eliminate_zeros()
    names = [name for name in names if matrix.nnz <= MOST_EDGES.get(name, np.inf)]
    makers = {"gtrav": gtrav_searches, **LIBRARIES}
    searches = {name: makers[name](matrix, threads=threads) for name in names}
    for task in tasks:
        method, count = TASKS[task]
        say(f"{spec}, {threads} threads: {task}")
        if method == "make":
            calls = {name: partial(make, *edges, threads) for name, make in FROM_EDGES.items() if name in names}
            reads = dict.fromkeys(calls, lambda made: True)
        else:
            known = {name: searches[name][method] for name in names if method in searches[name]}
            asked = question(edges, method, count)
            calls = {name: partial(search, asked) for name, (search, _) in known.items()}
            reads = {name: read for name, (_, read) in known.items()}
        for name, cells in measure_row(f"{spec}: {task}", calls, reads, rounds).items():
            yield spec, task, name, cells


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("csv", type=Path, help="file to write, such as results/nvidia-h200/cpu-MODEL/python_calls.csv")
    add("device", help="value of the column device, such as cpu-MODEL")
    add("--small", action="store_true", help="small graphs, whose times mean little")
    add("--rounds", type=int, default=7)
    add("--threads", default="2,1", metavar="N[,N]", help="default: 2,1")
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT / "python"))

    names = ["gtrav", *(name for name in OTHERS if importlib.util.find_spec(name))]
    say(f"absent: {', '.join({*OTHERS} - {*names}) or 'none'}")
    versions = {name: importlib.import_module(name).__version__ for name in names[1:]}
    versions["gtrav"] = importlib.import_module("gtrav._library").function("version")().decode()
    date, rows = datetime.date.today().isoformat(), []
    for threads in map(int, arguments.threads.split(",")):
        known = [name for name in names if threads == 1 or name not in ON_ONE_THREAD]
        for spec, tasks in ROWS.items():
            spec = SMALL.get(spec, spec) if arguments.small else spec
            for graph, task, name, (wall, cpu, count) in measure_graph(spec, tasks, threads, arguments.rounds, known):
                cells = (graph, task, name, versions[name], threads, f"{wall:.4g}", f"{cpu:.4g}", count)
                rows.append((*cells, "equal", arguments.device, date))
                write_atomically(arguments.csv, as_csv(COLUMNS, rows))
    return 0
