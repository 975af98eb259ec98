"""diggerbees.py: how the claims of DiggerBees are tested (Niu et al., PPoPP 2026)."""

from evaluation.claims.graphs import Graphs, on
from evaluation.claims.measures import (
    VARIATION,
    balance,
    bfs,
    dfs,
    geomean,
    greatest,
    least,
    mean,
    median,
    saving,
    share,
    speedup,
)
from evaluation.claims.results import Metric
from evaluation.methods import time_against

SENSITIVITY = "sensitivity"  # the folder of run_sensitivity
BFS = [bfs("berrybees"), bfs("gunrock"), bfs("queue")]  # bfs queue stands for Gunrock
RANDOM_VICTIMS, FULLER_VICTIMS = balance("baseline"), balance("diggerbees")


def cutoffs(hot, cold, **options):
    return dfs("v4", **options, hot_cutoff=hot, cold_cutoff=cold)


def over_nvg(results):
    """How many times faster than NVG-DFS, of which the paper times the construction of the tree alone."""
    return speedup(results, dfs("v4"), over=dfs("nvg"), metric=Metric(time_against("nvg")))


def fewer_variations(results):
    """How many times less the blocks' numbers of tasks vary."""
    return speedup(results, FULLER_VICTIMS, over=RANDOM_VICTIMS, metric=VARIATION)


CLAIMS = {
    "diggerbees-ckl": lambda results: geomean(speedup(results, dfs("v4"), over=dfs("ckl"))),
    "diggerbees-acr": lambda results: geomean(speedup(results, dfs("v4"), over=dfs("acr"))),
    "diggerbees-nvg": lambda results: geomean(over_nvg(results)),
    "diggerbees-ckl-max": lambda results: greatest(speedup(results, dfs("v4"), over=dfs("ckl"))),
    "diggerbees-acr-max": lambda results: greatest(speedup(results, dfs("v4"), over=dfs("acr"))),
    "diggerbees-nvg-max": lambda results: greatest(over_nvg(results)),
    "diggerbees-fastest": lambda results: share(
        speedup(results, dfs("v4"), over=[dfs("ckl"), dfs("acr"), dfs("nvg")])
    ),
    "diggerbees-bfs-road": lambda results: geomean(
        speedup(results, dfs("v4"), over=BFS, graphs=on("europe_osm", "road:*"))
    ),
    "diggerbees-bfs-social": lambda results: geomean(
        speedup(results, BFS, over=dfs("v4"), graphs=on("ljournal-2008", "kron:*"))
    ),
    "diggerbees-stacks": lambda results: geomean(speedup(results, dfs("v2"), over=dfs("v1"))),
    "diggerbees-stealing-road": lambda results: geomean(
        speedup(results, dfs("v3"), over=dfs("v2"), graphs=on("europe_osm", "road:*"))
    ),
    "diggerbees-stealing-delaunay": lambda results: geomean(
        speedup(results, dfs("v3"), over=dfs("v2"), graphs=on("delaunay_n24", "delaunay*"))
    ),
    "diggerbees-blocks": lambda results: median(
        speedup(results, dfs("v4"), over=dfs("v3"), graphs=Graphs(min_edges=6e6))
    ),
    "diggerbees-blocks-small": lambda results: greatest(
        speedup(results, dfs("v4"), over=dfs("v3"), graphs=Graphs(max_edges=6e6))
    ),
    "diggerbees-bulk": lambda results: geomean(
        speedup(results, cutoffs(32, 64, copies="bulk"), cutoffs(32, 64, copies="plain"), below=SENSITIVITY)
    ),
    "diggerbees-balance": lambda results: least(fewer_variations(results)),
    "diggerbees-balance-max": lambda results: greatest(fewer_variations(results)),
    "diggerbees-cutoffs": lambda results: geomean(
        speedup(
            results,
            dfs("v4", copies="bulk", any_options=True),
            over=cutoffs(32, 64, copies="bulk"),
            below=SENSITIVITY,
        )
    ),
    "diggerbees-cold-cutoff": lambda results: mean(
        saving(results, cutoffs(32, 64), over=cutoffs(32, 128), below=SENSITIVITY)
    ),
    "diggerbees-cutoff-order": lambda results: share(
        speedup(results, cutoffs(64, 64), over=cutoffs(32, 128), below=SENSITIVITY)
    ),
}
