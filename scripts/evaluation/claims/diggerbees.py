"""diggerbees.py: how the claims of DiggerBees are tested (Niu et al., PPoPP 2026)."""

import math

from evaluation.claims.graphs import Graphs, Key, on
from evaluation.claims.measures import (
    DEPTH,
    VARIATION,
    Answer,
    answer,
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
    value,
)
from evaluation.claims.results import Metric, Rival
from evaluation.failures import OUT_OF_MEMORY
from evaluation.methods import time_against
from evaluation.records import BEST

SENSITIVITY = "sensitivity"  # the folder of run_sensitivity
QUEUE = bfs("queue", mode=BEST)  # it stands for Gunrock; its mode=paper is WarpNet's
BFS = [bfs("berrybees"), bfs("gunrock"), QUEUE]
RANDOM_VICTIMS, FULLER_VICTIMS = balance("baseline"), balance("diggerbees")

# The graphs of table 4: the word of a claim, the name in the lists, and patterns of what stands in.
TABLE_4 = {
    "europe": ("europe_osm", "road:*"),
    "delaunay": ("delaunay_n24", "delaunay*"),
    "rgg": ("rgg_n_2_24_s0", "rgg*"),
    "hugebubbles": ("hugebubbles-00020", "grid:*"),
    "auto": ("auto", "mesh:*"),
    "citation": ("citationCiteseer", "kron:18:*"),
    "il2010": ("il2010", "delaunay:18"),
    "amazon": ("amazon0302", "kron:18:*"),
    "google": ("web-Google", "web:*"),
    "wiki": ("wiki-topcats", "kron:21*"),
    "ljournal": ("ljournal-2008", "kron:22*"),
    "hollywood": ("hollywood-2009", "kron:20*"),
}
EUROPE, DELAUNAY, HUGEBUBBLES, AMAZON, GOOGLE, LJOURNAL = (
    on(*TABLE_4[word]) for word in ("europe", "delaunay", "hugebubbles", "amazon", "google", "ljournal")
)
HIGGS, POKEC = on("higgs-twitter", "kron:19:*", "kron:*"), on("soc-Pokec", "kron:21:*", "kron:*")


def cutoffs(hot, cold, **options):
    return dfs("v4", **options, hot_cutoff=hot, cold_cutoff=cold)


def over_cutoffs(hot, cold):
    """How many times as fast the paper's cutoffs are, which it calls the default."""
    return lambda results: geomean(
        speedup(results, cutoffs(32, 64), over=cutoffs(hot, cold), below=SENSITIVITY)
    )


def over_cpu(results, variant, **where):
    """How many times faster than a depth-first search on the CPU: by its authors' program where that ran."""
    return speedup(results, dfs("v4"), over=Rival(dfs(f"sc15-{variant}"), dfs(variant)), **where)


def over_nvg(results, **where):
    """How many times faster than NVG-DFS, of which the paper times the construction of the tree alone."""
    return speedup(results, dfs("v4"), over=dfs("nvg"), metric=Metric(time_against("nvg")), **where)


def over_all(results):
    """How many times faster than the fastest of the three rivals, on graphs where both of the CPU ran."""
    rivals = over_cpu(results, "ckl"), over_cpu(results, "acr"), over_nvg(results)
    ckl, acr, nvg = (found.numbers for found in rivals)
    least_of = {key: min(ckl[key], acr[key], nvg.get(key, math.inf)) for key in ckl if key in acr}
    return answer(results, least_of)


def share_failed(results, variant, reasons=()):
    """On how many of the graphs that a variant was tried on it failed, %; no reasons: for any reason."""
    tried = dict.fromkeys(key.graph for key in value(results, dfs(variant)).numbers)
    of_variant = [row for row in results.failures if (row["family"], row["variant"]) == ("dfs", variant)]
    failed = {row["graph"] for row in of_variant if not reasons or row["reason"] in reasons}
    tried.update(dict.fromkeys(row["graph"] for row in of_variant))
    return mean(Answer({Key(graph, 0): 100.0 * (graph in failed) for graph in tried}))


def fewer_variations(results, **where):
    """How many times less the blocks' numbers of tasks vary."""
    return speedup(results, FULLER_VICTIMS, over=RANDOM_VICTIMS, metric=VARIATION, **where)


def levels(results, graphs):
    return geomean(value(results, QUEUE, DEPTH, graphs=graphs))


def of_blocks(graphs):
    """What twice the blocks gain."""
    return lambda results: geomean(speedup(results, dfs("v4"), over=dfs("v3"), graphs=graphs))


CLAIMS = {
    "diggerbees-ckl": lambda results: geomean(over_cpu(results, "ckl")),
    "diggerbees-acr": lambda results: geomean(over_cpu(results, "acr")),
    "diggerbees-nvg": lambda results: geomean(over_nvg(results)),
    "diggerbees-ckl-max": lambda results: geomean(over_cpu(results, "ckl", graphs=HUGEBUBBLES)),
    "diggerbees-acr-max": lambda results: geomean(over_cpu(results, "acr", graphs=EUROPE)),
    "diggerbees-nvg-max": lambda results: geomean(over_nvg(results, graphs=HIGGS)),
    "diggerbees-nvg-pokec": lambda results: geomean(over_nvg(results, graphs=POKEC)),
    "diggerbees-ckl-most": lambda results: share(over_cpu(results, "ckl")),
    "diggerbees-acr-most": lambda results: share(over_cpu(results, "acr")),
    "diggerbees-nvg-most": lambda results: share(over_nvg(results)),
    "diggerbees-fastest": lambda results: share(over_all(results)),
    "diggerbees-nvg-fails": lambda results: share_failed(results, "nvg", (OUT_OF_MEMORY,)),
    "diggerbees-never-fails": lambda results: share_failed(results, "v4"),
    "diggerbees-bfs-road": lambda results: geomean(speedup(results, dfs("v4"), over=BFS, graphs=EUROPE)),
    "diggerbees-bfs-hugebubbles": lambda results: geomean(
        speedup(results, dfs("v4"), over=BFS, graphs=HUGEBUBBLES)
    ),
    "diggerbees-bfs-delaunay": lambda results: geomean(
        speedup(results, dfs("v4"), over=BFS, graphs=DELAUNAY)
    ),
    "diggerbees-bfs-social": lambda results: geomean(speedup(results, BFS, over=dfs("v4"), graphs=LJOURNAL)),
    "diggerbees-levels-road": lambda results: levels(results, EUROPE),
    "diggerbees-levels-social": lambda results: levels(results, LJOURNAL),
    "diggerbees-stacks": lambda results: geomean(speedup(results, dfs("v2"), over=dfs("v1"))),
    "diggerbees-stealing-road": lambda results: geomean(
        speedup(results, dfs("v3"), over=dfs("v2"), graphs=EUROPE)
    ),
    "diggerbees-stealing-delaunay": lambda results: geomean(
        speedup(results, dfs("v3"), over=dfs("v2"), graphs=DELAUNAY)
    ),
    "diggerbees-stealing": lambda results: geomean(speedup(results, dfs("v3"), over=dfs("v2"))),
    "diggerbees-blocks": lambda results: median(
        speedup(results, dfs("v4"), over=dfs("v3"), graphs=Graphs(min_edges=6e6))
    ),
    **{
        f"diggerbees-blocks-{word}": of_blocks(on(*TABLE_4[word]))
        for word in ("europe", "delaunay", "ljournal", "hollywood", "amazon", "google")
    },
    "diggerbees-bulk": lambda results: geomean(
        speedup(results, cutoffs(32, 64, copies="bulk"), cutoffs(32, 64, copies="plain"), below=SENSITIVITY)
    ),
    "diggerbees-balance": lambda results: least(fewer_variations(results)),
    "diggerbees-balance-max": lambda results: greatest(fewer_variations(results, graphs=AMAZON)),
    "diggerbees-variation-random-amazon": lambda results: geomean(
        value(results, RANDOM_VICTIMS, VARIATION, graphs=AMAZON)
    ),
    "diggerbees-variation-random-google": lambda results: geomean(
        value(results, RANDOM_VICTIMS, VARIATION, graphs=GOOGLE)
    ),
    "diggerbees-variation-amazon": lambda results: geomean(
        value(results, FULLER_VICTIMS, VARIATION, graphs=AMAZON)
    ),
    "diggerbees-cutoffs": lambda results: geomean(
        speedup(
            results,
            dfs("v4", copies="bulk", any_options=True),
            over=cutoffs(32, 64, copies="bulk"),
            below=SENSITIVITY,
        )
    ),
    "diggerbees-cold-cutoff": lambda results: mean(
        saving(results, cutoffs(32, 64), over=cutoffs(32, 128), graphs=GOOGLE, below=SENSITIVITY)
    ),
    "diggerbees-cutoff-order": lambda results: share(
        speedup(results, cutoffs(64, 64), over=cutoffs(32, 128), below=SENSITIVITY)
    ),
    **{
        f"diggerbees-cutoffs-{hot}-{cold}": over_cutoffs(hot, cold)
        for hot, cold in ((16, 32), (16, 64), (32, 32), (64, 64), (32, 128), (64, 128))
    },
}
