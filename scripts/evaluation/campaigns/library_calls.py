"""Measures calls of the Python package beside those of SciPy, igraph, NetworKit and rustworkx.

Each library holds the graph in its own form, has one thread, and answers by its own list or array. A time is the
least CPU time of a call in several rounds, in which the libraries take turns. Levels and lengths are compared; for
"200 paths" SciPy searches from each source. The Python that runs this needs all libraries; gtrav is the checkout's.
"""

import datetime
import importlib
import math
import re
import subprocess
import sys
import time
from pathlib import Path

from evaluation.command import EvaluationError, new_parser, say
from evaluation.files import ROOT, write_atomically
from evaluation.text_tables import markdown

import numpy as np

LIBRARIES = ("gtrav", "scipy", "igraph", "networkit", "rustworkx")
GRAPHS = ("tree:51", "kron:10", "kron:14", "grid:200x200", "road:12")  # tree:51 has 100 edges
SAMPLES = 16
ROUND_MS, LONG_MS = 20, 500  # a call that takes longer than LONG_MS gets no second round
UNREACHED, ENORMOUS = -1, 2**31  # more than any distance
METHOD = __doc__.partition("\n\n")[2]
COMPARED = ("BFS", "64 sources", "200 lengths")


def edges_of(spec):
    """Returns the sources and targets of a graph's edges in a random order, and its number of vertices."""
    import gtrav

    graph = gtrav.Graph.generate(spec, device="cpu")
    order = np.random.default_rng(7).permutation(graph.num_edges)
    source = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    return source[order], graph.indices[order].astype(np.int64), graph.num_vertices


def calls_of(src, dst, n):
    """Makes the graph in all libraries. Returns {task: {library: the call}}."""
    import igraph
    import networkit
    import rustworkx
    from scipy import sparse
    from scipy.sparse import csgraph

    import gtrav

    networkit.setNumberOfThreads(1)
    sample, ends = np.random.default_rng(11), np.unique(src)
    one, many = int(ends[len(ends) // 2]), sample.choice(ends, 64).tolist()
    starts, goals = sample.choice(ends, (2, 200)).tolist()
    pairs = list(zip(starts, goals))

    def of_rustworkx():
        graph = rustworkx.PyDiGraph()
        graph.add_nodes_from(range(n))
        graph.add_edges_from_no_data(list(zip(src.tolist(), dst.tolist())))
        return graph

    make = {
        "gtrav": lambda: gtrav.Graph.from_edges(src, dst, n, device="cpu", threads=1),
        "scipy": lambda: sparse.csr_array((np.ones(len(src)), (src, dst)), (n, n)),
        "igraph": lambda: igraph.Graph(n, np.column_stack([src, dst]), directed=True),
        "networkit": lambda: networkit.GraphFromCoo((src.astype("u8"), dst.astype("u8")), n=n, directed=True),
        "rustworkx": of_rustworkx,
    }
    ours, matrix, of_igraph, kit, rust = (make[name]() for name in LIBRARIES)
    first, far, estimate = csgraph.breadth_first_order, networkit.distance, networkit.centrality.EstimateBetweenness
    parts, visit = networkit.components.WeaklyConnectedComponents, networkit.graph.Traversal.DFSfrom
    between = far.BidirectionalBFS
    return {
        "from edges": make,
        "BFS": {
            "gtrav": lambda: ours.bfs(one).levels,
            "igraph": lambda: of_igraph.distances(one)[0],
            "networkit": lambda: far.BFS(kit, one, storePaths=False).run().getDistances(),
            "rustworkx": lambda: rustworkx.bfs_layers(rust, [one]),
        },
        "BFS, parents": {
            "gtrav": lambda: ours.bfs(one, parents=True).parents,
            "scipy": lambda: first(matrix, one)[1],
            "igraph": lambda: of_igraph.bfs(one)[2],
        },
        "DFS": {
            "gtrav": lambda: ours.dfs(one).order,
            "scipy": lambda: csgraph.depth_first_order(matrix, one)[0],
            "igraph": lambda: of_igraph.dfs(one)[0],
            "networkit": lambda: visit(kit, one, [].append),
            "rustworkx": lambda: rustworkx.dfs_edges(rust, one),
        },
        "components": {
            "gtrav": lambda: ours.components().labels,
            "scipy": lambda: csgraph.connected_components(matrix)[1],
            "igraph": lambda: of_igraph.connected_components(mode="weak").membership,
            "networkit": lambda: parts(kit).run().getPartition().getVector(),
            "rustworkx": lambda: rustworkx.weakly_connected_components(rust),
        },
        "64 sources": {
            "gtrav": lambda: ours.bfs(many).levels,
            "scipy": lambda: csgraph.dijkstra(matrix, indices=many, unweighted=True),
            "igraph": lambda: of_igraph.distances(many),
            "networkit": lambda: far.SPSP(kit, many).run().getDistances(),
        },
        "200 lengths": {
            "gtrav": lambda: ours.path_lengths(starts, goals),
            "igraph": lambda: [of_igraph.distances(a, b)[0][0] for a, b in pairs],
            "networkit": lambda: [between(kit, a, b, False).run().getDistance() for a, b in pairs],
        },
        "200 paths": {
            "gtrav": lambda: ours.paths(starts, goals),
            "scipy": lambda: [first(matrix, start) for start in starts],
            "igraph": lambda: [of_igraph.get_shortest_paths(a, b)[0] for a, b in pairs],
            "networkit": lambda: [between(kit, a, b, True).run().getPath() for a, b in pairs],
        },
        f"betweenness, {SAMPLES} sources": {
            "gtrav": lambda: ours.betweenness(SAMPLES),
            "igraph": lambda: of_igraph.betweenness(sources=many[:SAMPLES]),
            "networkit": lambda: estimate(kit, SAMPLES).run().scores(),
        },
    }


def cpu_ms(call, times):
    began = time.process_time()
    for _ in range(times):
        call()
    return 1e3 * (time.process_time() - began) / times


def measure(what, calls, rounds):
    """Returns {library: CPU ms}."""
    least = {name: cpu_ms(call, 1) for name, call in calls.items()}
    for name in [name for name in calls if what.endswith(COMPARED) and name != "rustworkx"]:
        found = np.asarray(calls[name](), float)
        if not np.array_equal(np.where(found < ENORMOUS, found, UNREACHED), calls["gtrav"]()):
            raise EvaluationError(f"{what}: {name} does not find what gtrav finds")
    for _ in range(rounds):
        for name, call in calls.items():
            if least[name] < LONG_MS:
                times = math.ceil(ROUND_MS / least[name]) if least[name] < ROUND_MS else 1
                least[name] = min(least[name], cpu_ms(call, times))
    return least


def main():
    parser = new_parser(__doc__)
    parser.add_argument("file", type=Path, help="table to write, such as results/cpu-MODEL/library_calls.md")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--graphs", default=",".join(GRAPHS), metavar="SPEC[,SPEC]")
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT / "python"))
    rows = []
    for spec in arguments.graphs.split(","):
        for task, calls in calls_of(*edges_of(spec)).items():
            least = measure(f"{spec}: {task}", calls, arguments.rounds)
            best = min(set(least) - {"gtrav"}, key=least.get)
            cells = (f"{least[each]:.3g}" for each in ("gtrav", best))
            rows.append((spec, task, *cells, best, f"{least['gtrav'] / least[best]:.2f}"))
            say(" ".join(rows[-1]))
    versions = ", ".join(f"{name} {importlib.import_module(name).__version__}" for name in LIBRARIES)
    build = subprocess.run([ROOT / "build/gtrav", "--version"], capture_output=True, text=True, check=True).stdout
    cpu = re.search("model name.*: (.*)", Path("/proc/cpuinfo").read_text())[1]
    text = f"# Calls of Python libraries\n\n{METHOD}\n"
    text += f"Measured {datetime.date.today()} on one thread of an {cpu}, {build.splitlines()[0]}: {versions}.\n\n"
    header = ("graph", "task", "gtrav: CPU ms", "best other: CPU ms", "which", "gtrav over it")
    write_atomically(arguments.file, text + markdown(header, rows))
    return 0
