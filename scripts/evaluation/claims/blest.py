"""blest.py: how the claims of Blest are tested (Elbek and Kaya 2026)."""

from evaluation.analyses import blest as analysis
from evaluation.analyses import msbfs as many_sources
from evaluation.claims.graphs import Key, on
from evaluation.claims.measures import (
    BUILD,
    COMPRESSION,
    DIVERGENCE,
    REORDER,
    SEARCH,
    TOTAL,
    answer,
    bfs,
    blest,
    closeness,
    geomean,
    greatest,
    known,
    least,
    mean,
    msbfs,
    ratio,
    ratio_of_metrics,
    share,
    speedup,
    value,
)
from evaluation.claims.results import MissingError

KRON, URAND, ROAD = on("GAP-kron", "kron:*"), on("GAP-urand", "urand:*"), on("GAP-road", "road:*")
RGG, LIVEJOURNAL = on("rgg_n_2_24_s0", "rgg*"), on("com-LiveJournal", "kron:*")
FULL, ABCD, ABC, AB, A, BERRYBEES = map(blest, ("Full", "ABCD", "ABC", "AB", "A", "BerryBees"))
NATURAL, RANDOM, RCM = (blest("AB", reorder=order) for order in ("natural", "random", "rcm"))
GUNROCK = [bfs("gunrock"), bfs("queue")]  # bfs queue stands for it
BATCHES = "batches-256"  # the folder of 256 searches at once


def many_faster(results, variant, over="blest-naive", **graphs):
    return speedup(results, msbfs(variant), over=msbfs(over), below=BATCHES, **graphs)


def wide_window(results, metric):
    """How many times better the Jaccard order's wide window is than a narrow one (figure 4)."""
    wide, narrow = (bfs("blest", reorder=f"jaccard:{width}", sources=64) for width in (65536, 256))
    return speedup(results, wide, over=narrow, metric=metric)


def traced_directions(results):
    """{key: what compare() gives} of the graphs on which Blest went all three ways (figure 5)."""
    results.need_gpu()
    found = {}
    for path, folders in results.paths("bfs_blest_*.csv"):
        if folders[-1] == "traces" and results.gpu in folders:
            runs = analysis.compare(analysis.read_trace(path))
            found[Key(path.stem.removeprefix("bfs_blest_"))] = runs or None
    return known(found, "Blest's levels, traced all three ways")


def misclassified(results, graphs):
    """The levels that went in the slower direction, %."""
    runs = traced_directions(results)
    return answer(results, {key: 100 * analysis.misclassified(some) for key, some in runs.items()}, graphs)


def over_optimal(results, graphs):
    """Blest's time over that of the better direction on every level."""
    runs = traced_directions(results)
    return answer(results, {key: analysis.speedup_of_optimal(some) for key, some in runs.items()}, graphs)


def memory(results, part, whole, graphs):
    """A part of the memory of one search over another part (table VIII)."""
    header, rows = analysis.memory(results.evaluation)
    # In the natural order BVSS is larger: that is no method of the paper.
    rows = [row for row in rows if row[0] in results.evaluation.own_order]
    return shares_of_memory(results, header, rows, part, whole, graphs)


def memory_of_many(results, part, whole, graphs):
    measured = many_sources.Measured(results.folder, "batches", results.mode)
    on_gpu = any(row["device"] == results.gpu for row in measured.rows.values())
    header, rows = many_sources.memory(measured) if on_gpu else ([], [])
    return shares_of_memory(results, header, rows, part, whole, graphs)


def shares_of_memory(results, header, rows, part, whole, graphs):
    if not rows:
        raise MissingError(f"the memory of {part} and {whole}")
    found = {}
    for row in rows:
        some, all_of_it = (row[header.index(name)] for name in (part, whole))
        both = all_of_it and analysis.NOT_APPLICABLE not in (some, all_of_it)
        found[Key(row[0])] = some / all_of_it if both else None
    return answer(results, known(found, "a graph that has both in memory"), graphs)


CLAIMS = {
    "blest-gap": lambda results: geomean(speedup(results, FULL, over=blest("gap"))),
    "blest-gunrock": lambda results: geomean(speedup(results, FULL, over=GUNROCK)),
    "blest-berrybees": lambda results: geomean(speedup(results, FULL, over=BERRYBEES)),
    "blest-berrybees-min": lambda results: least(speedup(results, FULL, over=BERRYBEES)),
    "blest-berrybees-kron": lambda results: geomean(speedup(results, FULL, over=BERRYBEES, graphs=KRON)),
    "blest-berrybees-urand": lambda results: geomean(speedup(results, FULL, over=BERRYBEES, graphs=URAND)),
    "blest-berrybees-road": lambda results: geomean(speedup(results, FULL, over=BERRYBEES, graphs=ROAD)),
    "blest-step-a": lambda results: geomean(speedup(results, A, over=BERRYBEES)),
    "blest-step-ab": lambda results: geomean(speedup(results, AB, over=BERRYBEES)),
    "blest-step-abc": lambda results: geomean(speedup(results, ABC, over=BERRYBEES)),
    "blest-step-abcd": lambda results: geomean(speedup(results, ABCD, over=BERRYBEES)),
    "blest-layout": lambda results: geomean(speedup(results, AB, over=A)),
    "blest-layout-all": lambda results: share(speedup(results, AB, over=A)),
    "blest-reorder": lambda results: share(speedup(results, ABC, over=AB), by=1.02),
    "blest-reorder-kron": lambda results: geomean(speedup(results, ABC, over=AB, graphs=KRON)),
    "blest-lazy-kron": lambda results: geomean(speedup(results, ABCD, over=ABC, graphs=KRON)),
    "blest-lazy-urand": lambda results: geomean(speedup(results, ABCD, over=ABC, graphs=URAND)),
    "blest-switch-kron": lambda results: geomean(speedup(results, FULL, over=ABCD, graphs=KRON)),
    "blest-switch-urand": lambda results: geomean(speedup(results, FULL, over=ABCD, graphs=URAND)),
    "blest-random-urand": lambda results: geomean(speedup(results, ABC, over=RANDOM, graphs=URAND)),
    "blest-divergence-road": lambda results: geomean(ratio(results, NATURAL, RCM, DIVERGENCE, graphs=ROAD)),
    "blest-divergence-rgg": lambda results: geomean(ratio(results, NATURAL, RCM, DIVERGENCE, graphs=RGG)),
    "blest-window": lambda results: share(wide_window(results, SEARCH)),
    "blest-window-compression": lambda results: share(wide_window(results, COMPRESSION)),
    "blest-misclassified": lambda results: mean(misclassified(results, KRON)),
    "blest-optimal": lambda results: geomean(over_optimal(results, KRON)),
    "blest-many-cpu": lambda results: geomean(many_faster(results, "blest", over="then")),
    "blest-many-a": lambda results: geomean(many_faster(results, "blest-a")),
    "blest-many-ab": lambda results: geomean(many_faster(results, "blest-ab")),
    "blest-many": lambda results: geomean(many_faster(results, "blest")),
    "blest-many-min": lambda results: least(many_faster(results, "blest")),
    "blest-many-max": lambda results: greatest(many_faster(results, "blest")),
    "blest-many-road": lambda results: geomean(many_faster(results, "blest", graphs=ROAD)),
    "blest-closeness": lambda results: geomean(
        value(results, closeness("auto"), TOTAL, graphs=LIVEJOURNAL, below="closeness-1")
    ),
    "blest-reorder-time": lambda results: geomean(ratio_of_metrics(results, FULL, REORDER, BUILD, KRON)),
    "blest-reorder-time-road": lambda results: geomean(ratio_of_metrics(results, FULL, REORDER, BUILD, ROAD)),
    "blest-memory-kron": lambda results: geomean(memory(results, "BVSS", "CSR", KRON)),
    "blest-memory-urand": lambda results: geomean(memory(results, "BVSS", "CSR", URAND)),
    "blest-memory-levels": lambda results: geomean(memory_of_many(results, "levels", "total", KRON)),
    "blest-memory-levels-road": lambda results: geomean(memory_of_many(results, "levels", "total", ROAD)),
}
