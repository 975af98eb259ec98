"""warpnet.py: what the claims of WarpNet are about (Kalra 2025)."""

from evaluation.graphs import Graphs, Key, on
from evaluation.methods import SEARCH, Metric, bfs, dfs, topo
from evaluation.numbers.compare import answer, are_of_one_build, papers_table, runs_of, speedup
from evaluation.results import MissingError

SERIAL, GAP, QUEUE, BITMAP, WARP = map(bfs, ("serial", "gap", "queue", "bitmap", "warp"))
KAHN, SERIAL_DFS = topo("kahn"), dfs("serial")
EDGES, VERTICES = Metric("edges", less_is_better=False), Metric("vertices", less_is_better=False)
ROADS = Graphs(kinds=("road",))
REAL_ROADS = Graphs(names=("*_osm", "USA-road-d.*"))

GRAPHS, *_ = papers_table("warpnet")  # of table 2


def dag(vertices):
    """The DAG of table 3 with so many vertices."""
    return on(spec(vertices))


def dags(*sizes):
    return Graphs(tuple(map(spec, sizes)))


def spec(vertices):
    return f"dag:{vertices}:0.4"


def growth(results, vertices):
    """How many times as long sorting the DAG of so many vertices takes as sorting that of half as many."""
    both = spec(vertices // 2), spec(vertices)
    rows = {key: row for key, row in results.best_rows(KAHN, SEARCH).items() if key.graph in both}
    if len(rows) < 2 or not are_of_one_build(rows.values()):
        raise MissingError(f"times of topo kahn on {' and '.join(both)}, of one build and day")
    small, large = (SEARCH.of(rows[Key(graph)]) for graph in both)
    return answer(results, {Key(both[1]): large / small}, no_difference=1, runs=runs_of(rows.items()))


def block_of_256(results, rival):
    """How many times faster a block of 256 threads is than one of `rival`, by graph and kernel."""
    faster = {}
    for variant in ("queue", "bitmap", "warp"):
        sizes = (bfs(variant, block_size=size, mode="paper") for size in (256, rival))
        found = speedup(results, *sizes, below="sensitivity").numbers
        faster |= {Key(f"{key.graph}, {variant}", key.pairs): number for key, number in found.items()}
    return answer(results, faster, no_difference=1)
