"""diggerbees.py: what the claims of DiggerBees are about (Niu et al., PPoPP 2026)."""

import math

from evaluation import dataset
from evaluation.graphs import Graphs, Key
from evaluation.methods import Metric, balance, bfs, dfs
from evaluation.numbers import compare
from evaluation.numbers.compare import Answer, speedup, value

PAPERS_CUTOFFS = (32, 64)  # hot and cold, section 4.7
SENSITIVITY = "sensitivity"  # the folder of run_sensitivity
V1, V2, V3, V4 = map(dfs, ("v1", "v2", "v3", "v4"))
CKL, ACR, NVG = map(dfs, ("ckl", "acr", "nvg"))
TREE = Metric("mean_kernel_ms")  # for NVG-DFS the paper times the construction of the tree alone
BFS = [bfs("berrybees"), bfs("gunrock")]
ANY_QUEUE = bfs("queue", any_options=True)
RANDOM_VICTIMS, FULLER_VICTIMS = balance("baseline"), balance("diggerbees")

GRAPHS, *_ = compare.papers_table("diggerbees")  # of table 4
LARGE = Graphs(min_edges=1e6)
DEEP = Graphs(kinds=("deep",))  # their paths are deep and narrow
REP12 = dataset.read_list(dataset.ROOT / "dataset" / "rep12_graphs.csv")
REP12 = Graphs(tuple(name for entry in REP12 for name in (entry.name, entry.stand_in) if name))


def cutoffs(hot, cold, **options):
    """DiggerBees with these cutoffs."""
    return dfs("v4", **options, hot_cutoff=hot, cold_cutoff=cold)


def over_all(results):
    """How many times faster than the fastest of the three rivals, on graphs where both of the CPU ran."""
    found = [speedup(results, V4, CKL), speedup(results, V4, ACR), speedup(results, V4, NVG, TREE)]
    ckl, acr, nvg = (one.numbers for one in found)
    least_of = {key: min(ckl[key], acr[key], nvg.get(key, math.inf)) for key in ckl if key in acr}
    return compare.answer(results, least_of, runs=frozenset.union(*(one.runs for one in found)))


def failed(results, variant, reasons=()):
    """100 for each graph that a variant failed on, of those it was tried on; no reasons: for any reason."""
    ran = value(results, dfs(variant))
    of_variant = [row for row in results.failures if (row["family"], row["variant"]) == ("dfs", variant)]
    failed = {row["graph"] for row in of_variant if not reasons or row["reason"] in reasons}
    tried = dict.fromkeys([*(key.graph for key in ran.numbers), *(row["graph"] for row in of_variant)])
    return Answer({Key(graph): 100.0 * (graph in failed) for graph in tried}, runs=ran.runs)
