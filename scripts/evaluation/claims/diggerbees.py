"""diggerbees.py: what the claims of DiggerBees are tested by (Niu et al., PPoPP 2026)."""

import math

from evaluation import dataset
from evaluation.claims import measures
from evaluation.graphs import ALL, Graphs, Key, on
from evaluation.methods import time_against
from evaluation.results import Metric

SENSITIVITY = "sensitivity"  # the folder of run_sensitivity
V1, V2, V3, V4 = map(measures.dfs, ("v1", "v2", "v3", "v4"))
NVG, TREE = measures.dfs("nvg"), Metric(time_against("nvg"))
BFS = [measures.bfs("berrybees"), measures.bfs("gunrock")]
ANY_QUEUE = measures.bfs("queue", any_options=True)
RANDOM_VICTIMS, FULLER_VICTIMS = measures.balance("baseline"), measures.balance("diggerbees")

# The graphs of table 4, or what stands for them.
EUROPE, DELAUNAY = on("europe_osm", "road:*"), on("delaunay_n24", "delaunay*")
HUGEBUBBLES, AMAZON = on("hugebubbles-00020", "grid:*"), on("amazon0302", "kron:18:*")
GOOGLE, LJOURNAL = on("web-Google", "web:*"), on("ljournal-2008", "kron:22*")
HOLLYWOOD = on("hollywood-2009", "kron:20*")
DEEP = Graphs(kinds=("deep",))  # their paths are deep and narrow
REP12 = dataset.read_list(dataset.ROOT / "dataset" / "rep12_graphs.csv")
REP12 = Graphs(tuple(name for entry in REP12 for name in (entry.name, entry.stand_in) if name))
HIGGS, POKEC = on("higgs-twitter", "kron:19:*"), on("soc-Pokec", "kron:21:*")


def cutoffs(hot, cold, **options):
    return measures.dfs("v4", **options, hot_cutoff=hot, cold_cutoff=cold)


def over_cutoffs(hot, cold):
    """How many times as fast the paper's cutoffs are, which it calls the default."""
    return measures.geomean(measures.speedup(cutoffs(32, 64), over=cutoffs(hot, cold), below=SENSITIVITY))


def over_cpu(variant, **where):
    """How many times faster than a depth-first search on the CPU."""
    return measures.speedup(V4, over=measures.dfs(variant), **where)


def over_nvg(**where):
    """How many times faster than NVG-DFS, of which the paper times the construction of the tree alone."""
    return measures.speedup(V4, over=NVG, metric=TREE, **where)


def from_a100(of, metric=measures.SEARCH):
    """How many times as fast an H100 is as an A100."""
    return measures.gain_of_gpu(of, "H100", "A100", metric)


@measures.measure
def over_all(results):
    """How many times faster than the fastest of the three rivals, on graphs where both of the CPU ran."""
    found = [test(results) for test in (over_cpu("ckl"), over_cpu("acr"), over_nvg())]
    ckl, acr, nvg = (one.numbers for one in found)
    least_of = {key: min(ckl[key], acr[key], nvg.get(key, math.inf)) for key in ckl if key in acr}
    return measures.answer(results, least_of, runs=frozenset.union(*(one.runs for one in found)))


@measures.measure
def failed(results, variant, reasons=()):
    """100 for each graph that a variant failed on, of those it was tried on; no reasons: for any reason."""
    ran = measures.value(measures.dfs(variant))(results)
    tried = dict.fromkeys(key.graph for key in ran.numbers)
    of_variant = [row for row in results.failures if (row["family"], row["variant"]) == ("dfs", variant)]
    failed = {row["graph"] for row in of_variant if not reasons or row["reason"] in reasons}
    tried.update(dict.fromkeys(row["graph"] for row in of_variant))
    return measures.Answer({Key(graph, 0): 100.0 * (graph in failed) for graph in tried}, runs=ran.runs)


def fewer_variations(**where):
    """How many times less the blocks' numbers of tasks vary."""
    return measures.speedup(FULLER_VICTIMS, over=RANDOM_VICTIMS, metric=measures.VARIATION, **where)


def faster(of, over, graphs=ALL):
    return measures.geomean(measures.speedup(of, over=over, graphs=graphs))


def variation(victims, graphs):
    return measures.geomean(measures.value(victims, measures.VARIATION, graphs=graphs))
