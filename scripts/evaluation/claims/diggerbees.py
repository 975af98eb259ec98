"""diggerbees.py: how the claims of DiggerBees are tested (Niu et al., PPoPP 2026)."""

import math

from evaluation.claims.graphs import ALL, Graphs, Key, on
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
    measure,
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
V1, V2, V3, V4 = map(dfs, ("v1", "v2", "v3", "v4"))
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
    return geomean(speedup(cutoffs(32, 64), over=cutoffs(hot, cold), below=SENSITIVITY))


def over_cpu(variant, **where):
    """How many times faster than a depth-first search on the CPU: by its authors' program where that ran."""
    return speedup(V4, over=Rival(dfs(f"sc15-{variant}"), dfs(variant)), **where)


def over_nvg(**where):
    """How many times faster than NVG-DFS, of which the paper times the construction of the tree alone."""
    return speedup(V4, over=dfs("nvg"), metric=Metric(time_against("nvg")), **where)


@measure
def over_all(results):
    """How many times faster than the fastest of the three rivals, on graphs where both of the CPU ran."""
    ckl, acr, nvg = (test(results).numbers for test in (over_cpu("ckl"), over_cpu("acr"), over_nvg()))
    least_of = {key: min(ckl[key], acr[key], nvg.get(key, math.inf)) for key in ckl if key in acr}
    return answer(results, least_of)


@measure
def failed(results, variant, reasons=()):
    """100 for each graph that a variant failed on, of those it was tried on; no reasons: for any reason."""
    tried = dict.fromkeys(key.graph for key in value(dfs(variant))(results).numbers)
    of_variant = [row for row in results.failures if (row["family"], row["variant"]) == ("dfs", variant)]
    failed = {row["graph"] for row in of_variant if not reasons or row["reason"] in reasons}
    tried.update(dict.fromkeys(row["graph"] for row in of_variant))
    return Answer({Key(graph, 0): 100.0 * (graph in failed) for graph in tried})


def fewer_variations(**where):
    """How many times less the blocks' numbers of tasks vary."""
    return speedup(FULLER_VICTIMS, over=RANDOM_VICTIMS, metric=VARIATION, **where)


def faster(of, over, graphs=ALL):
    return geomean(speedup(of, over=over, graphs=graphs))


def variation(victims, graphs):
    return geomean(value(victims, VARIATION, graphs=graphs))


CLAIMS = {
    "diggerbees-ckl": geomean(over_cpu("ckl")),
    "diggerbees-acr": geomean(over_cpu("acr")),
    "diggerbees-nvg": geomean(over_nvg()),
    "diggerbees-ckl-max": geomean(over_cpu("ckl", graphs=HUGEBUBBLES)),
    "diggerbees-acr-max": geomean(over_cpu("acr", graphs=EUROPE)),
    "diggerbees-nvg-max": geomean(over_nvg(graphs=HIGGS)),
    "diggerbees-nvg-pokec": geomean(over_nvg(graphs=POKEC)),
    "diggerbees-ckl-most": share(over_cpu("ckl")),
    "diggerbees-acr-most": share(over_cpu("acr")),
    "diggerbees-nvg-most": share(over_nvg()),
    "diggerbees-fastest": share(over_all()),
    "diggerbees-nvg-fails": mean(failed("nvg", [OUT_OF_MEMORY])),
    "diggerbees-never-fails": mean(failed("v4")),
    "diggerbees-bfs-road": faster(V4, BFS, EUROPE),
    "diggerbees-bfs-hugebubbles": faster(V4, BFS, HUGEBUBBLES),
    "diggerbees-bfs-delaunay": faster(V4, BFS, DELAUNAY),
    "diggerbees-bfs-social": faster(BFS, V4, LJOURNAL),
    "diggerbees-levels-road": geomean(value(QUEUE, DEPTH, graphs=EUROPE)),
    "diggerbees-levels-social": geomean(value(QUEUE, DEPTH, graphs=LJOURNAL)),
    "diggerbees-stacks": faster(V2, V1),
    "diggerbees-stealing-road": faster(V3, V2, EUROPE),
    "diggerbees-stealing-delaunay": faster(V3, V2, DELAUNAY),
    "diggerbees-stealing": faster(V3, V2),
    "diggerbees-blocks": median(speedup(V4, over=V3, graphs=Graphs(min_edges=6e6))),
    **{
        f"diggerbees-blocks-{word}": faster(V4, V3, on(*TABLE_4[word]))
        for word in ("europe", "delaunay", "ljournal", "hollywood", "amazon", "google")
    },
    "diggerbees-bulk": geomean(
        speedup(cutoffs(32, 64, copies="bulk"), cutoffs(32, 64, copies="plain"), below=SENSITIVITY)
    ),
    "diggerbees-balance": least(fewer_variations()),
    "diggerbees-balance-max": greatest(fewer_variations(graphs=AMAZON)),
    "diggerbees-variation-random-amazon": variation(RANDOM_VICTIMS, AMAZON),
    "diggerbees-variation-random-google": variation(RANDOM_VICTIMS, GOOGLE),
    "diggerbees-variation-amazon": variation(FULLER_VICTIMS, AMAZON),
    "diggerbees-cutoffs": geomean(
        speedup(
            dfs("v4", copies="bulk", any_options=True), over=cutoffs(32, 64, copies="bulk"), below=SENSITIVITY
        )
    ),
    "diggerbees-cold-cutoff": mean(
        saving(cutoffs(32, 64), over=cutoffs(32, 128), graphs=GOOGLE, below=SENSITIVITY)
    ),
    "diggerbees-cutoff-order": share(speedup(cutoffs(64, 64), over=cutoffs(32, 128), below=SENSITIVITY)),
    **{
        f"diggerbees-cutoffs-{hot}-{cold}": over_cutoffs(hot, cold)
        for hot, cold in ((16, 32), (16, 64), (32, 32), (64, 64), (32, 128), (64, 128))
    },
}
