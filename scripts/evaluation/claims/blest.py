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
from evaluation.claims.results import MissingError, Rival
from evaluation.records import BEST

# The paper's graphs: the word of a claim, the name in the lists, and stand-ins.
CRAWLS, ROADS, NETWORKS = ("web:*",), ("road:*",), ("kron:*",)
GRAPHS = {
    "road": on("GAP-road", *ROADS),
    "twitter": on("GAP-twitter", *NETWORKS),
    "web": on("GAP-web", *CRAWLS),
    "kron": on("GAP-kron", *NETWORKS),
    "urand": on("GAP-urand", "urand:*"),
    "nlpkkt240": on("nlpkkt240", "mesh:??", "mesh:???"),  # of 27 points
    "uk-2005": on("uk-2005", *CRAWLS),
    "it-2004": on("it-2004", *CRAWLS),
    "europe": on("europe_osm", *ROADS),
    "friendster": on("com-Friendster", *NETWORKS),
    "spielman": on("Spielman_k600", "mesh:*:7"),
    "webbase": on("webbase-2001", *CRAWLS),
    "kmer": on("kmer_V1r", "kmer:*"),
    "mawi": on("mawi_201512020330", "mawi:*"),
}
TABLE_1 = {
    "road": GRAPHS["road"],
    "europe": GRAPHS["europe"],
    "delaunay": on("delaunay_n24", "delaunay:*"),
    "rgg": on("rgg_n_2_24_s0", "rgg:*"),
}
KRON, URAND, ROAD = (GRAPHS[word] for word in ("kron", "urand", "road"))
LIVEJOURNAL, ORKUT = on("com-LiveJournal", *NETWORKS), on("com-Orkut", *NETWORKS)
FULL, ABCD, ABC, AB, A, BERRYBEES = map(blest, ("Full", "ABCD", "ABC", "AB", "A", "BerryBees"))
NATURAL, RANDOM = (blest("AB", reorder=order) for order in ("natural", "random"))
GSWITCH = bfs("gswitch")
GAP = Rival(bfs("gapbs"), blest("gap"))
GUNROCK = Rival(bfs("gunrock"), bfs("queue", mode=BEST))  # whose mode=paper is WarpNet's, no rival of Blest
BATCHES = "batches-256"  # the folder of 256 searches at once


def many_faster(results, variant, over="blest-naive", **graphs):
    return speedup(results, msbfs(variant), over=msbfs(over), below=BATCHES, **graphs)


def wide_window(results, metric):
    """How many times better the Jaccard order's wide window is than the narrowest (figure 4)."""
    wide, narrow = (bfs("blest-abcd", reorder=f"jaccard:{width}") for width in (65536, 8))
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
    """A part of the memory of one search over another part (table VIII); in MB if `whole` is None."""
    header, rows = analysis.memory(results.evaluation)
    # In the natural order BVSS is larger: that is no method of the paper.
    rows = [row for row in rows if row[0] in results.evaluation.own_order]
    return shares_of_memory(results, header, rows, part, whole, graphs)


def memory_of_many(results, part, whole, graphs):
    """As memory(); of the best mode on graphs without rows of the mode that counts first."""
    header, by_graph = [], {}
    for mode in dict.fromkeys([BEST, results.mode]):
        measured = many_sources.Measured(results.folder, "batches", mode)
        if any(row["device"] == results.gpu for row in measured.rows.values()):
            header, rows = many_sources.memory(measured)
            by_graph |= {row[0]: row for row in rows}
    return shares_of_memory(results, header, list(by_graph.values()), part, whole, graphs)


def shares_of_memory(results, header, rows, part, whole, graphs):
    """A part over another one, or in MB if `whole` is None."""
    if not rows:
        raise MissingError(f"the memory of {part} and {whole}")
    found = {}
    for row in rows:
        some, all_of_it = row[header.index(part)], row[header.index(whole)] if whole else 1
        both = all_of_it and analysis.NOT_APPLICABLE not in (some, all_of_it)
        found[Key(row[0])] = some / all_of_it if both else None
    return answer(results, known(found, "a graph that has both in memory"), graphs)


def timed(method, graphs, metric=SEARCH):
    """A test of a method's own number on a graph."""
    return lambda results: geomean(value(results, method, metric, graphs=graphs))


def faster(of, over, graphs):
    """A test of how many times as fast one method is as another."""
    return lambda results: geomean(speedup(results, of, over=over, graphs=graphs))


def closeness_time(graphs):
    """A test of the seconds that exact closeness takes on one GPU (table III)."""
    return lambda results: geomean(
        value(results, closeness("auto"), TOTAL, graphs=graphs, below="closeness-1")
    )


def table_1(word, graphs):
    """A row of table I: the update divergence in the natural order, in RCM's, and their ratio."""
    return {
        f"blest-divergence-{word}-natural": timed(NATURAL, graphs, DIVERGENCE),
        f"blest-divergence-{word}-rcm": timed(ABC, graphs, DIVERGENCE),
        f"blest-divergence-{word}": lambda results: geomean(ratio(results, NATURAL, ABC, DIVERGENCE, graphs)),
    }


def table_2(word, graphs):
    """A row of table II: Blest's time and how many times as fast it is as the others that ran there."""
    tests = {
        "ms": timed(FULL, graphs),
        "gap": faster(FULL, GAP, graphs),
        "gunrock": faster(FULL, GUNROCK, graphs),
        "gswitch": faster(FULL, GSWITCH, graphs),
        "berrybees": faster(FULL, BERRYBEES, graphs),
    }
    return {
        f"blest-{name}-{word}": test for name, test in tests.items() if word not in FAILED_ON.get(name, ())
    }


def table_4(word, graphs):
    """A row of table IV: what each step gains over the one before."""
    steps = {"a": (A, BERRYBEES), "layout": (AB, A), "reorder": (ABC, AB)}
    steps |= {"lazy": (ABCD, ABC), "switch": (FULL, ABCD)}
    last = 5 if word in SWITCHED else 4 if word not in ("road", "europe") else 3
    return {f"blest-{name}-{word}": faster(*pair, graphs) for name, pair in list(steps.items())[:last]}


def table_6(word, graphs):
    """A row of table VI: how many times as fast 256 searches are as one after the other."""
    variants = {"a": "blest-a", "ab": "blest-ab", "full": "blest"}
    return {
        f"blest-many-{name}-{word}": lambda results, variant=variant: geomean(
            many_faster(results, variant, graphs=graphs)
        )
        for name, variant in variants.items()
    }


def tables_7_and_8(word, graphs):
    """Rows of both: the time of reordering, and the memory of the BVSS in MB."""
    return {
        f"blest-reorder-ms-{word}": timed(FULL, graphs, REORDER),
        f"blest-bvss-mb-{word}": lambda results: geomean(memory(results, "BVSS", None, graphs)),
    }


def of_all(table, graphs):
    return {name: test for row in graphs.items() for name, test in table(*row).items()}


# Marked with (err.) in table II.
FAILED_ON = {
    "gunrock": ("twitter", "web", "kron", "urand", "it-2004", "friendster"),
    "gswitch": ("twitter", "kron", "urand", "friendster"),
}
SWITCHED = ("twitter", "kron", "urand", "friendster")
TABLE_5 = {word: GRAPHS[word] for word in ("web", "webbase", "mawi", "it-2004", "uk-2005", "urand")}
TABLE_6 = {word: graphs for word, graphs in GRAPHS.items() if word not in ("kron", "urand", "kmer", "mawi")}

CLAIMS = {
    "blest-gap": lambda results: geomean(speedup(results, FULL, over=GAP)),
    "blest-gunrock": lambda results: geomean(speedup(results, FULL, over=GUNROCK)),
    "blest-gswitch": lambda results: geomean(speedup(results, FULL, over=GSWITCH)),
    "blest-berrybees": lambda results: geomean(speedup(results, FULL, over=BERRYBEES)),
    "blest-berrybees-min": lambda results: least(speedup(results, FULL, over=BERRYBEES)),
    "blest-berrybees-max": lambda results: greatest(speedup(results, FULL, over=BERRYBEES)),
    **of_all(table_1, TABLE_1),
    **of_all(table_2, GRAPHS),
    "blest-step-a": lambda results: geomean(speedup(results, A, over=BERRYBEES)),
    "blest-step-ab": lambda results: geomean(speedup(results, AB, over=BERRYBEES)),
    "blest-step-abc": lambda results: geomean(speedup(results, ABC, over=BERRYBEES)),
    "blest-step-abcd": lambda results: geomean(speedup(results, ABCD, over=BERRYBEES)),
    "blest-step-a-min": lambda results: least(speedup(results, A, over=BERRYBEES)),
    "blest-step-a-max": lambda results: greatest(speedup(results, A, over=BERRYBEES)),
    "blest-step-ab-min": lambda results: least(speedup(results, AB, over=BERRYBEES)),
    "blest-step-ab-max": lambda results: greatest(speedup(results, AB, over=BERRYBEES)),
    "blest-step-abc-max": lambda results: greatest(speedup(results, ABC, over=BERRYBEES)),
    "blest-step-abcd-min": lambda results: least(speedup(results, ABCD, over=BERRYBEES)),
    "blest-step-abcd-max": lambda results: greatest(speedup(results, ABCD, over=BERRYBEES)),
    "blest-layout": lambda results: geomean(speedup(results, AB, over=A)),
    "blest-layout-all": lambda results: share(speedup(results, AB, over=A)),
    "blest-reorder": lambda results: share(speedup(results, ABC, over=AB), by=1.02),
    "blest-reorder-harms": lambda results: share(speedup(results, AB, over=ABC), by=1.02),
    **of_all(table_4, GRAPHS),
    **{f"blest-random-{word}": faster(ABC, RANDOM, graphs) for word, graphs in TABLE_5.items()},
    "blest-window": lambda results: share(wide_window(results, SEARCH)),
    "blest-window-compression": lambda results: share(wide_window(results, COMPRESSION)),
    "blest-misclassified": lambda results: mean(misclassified(results, KRON)),
    "blest-misclassified-twitter": lambda results: mean(misclassified(results, GRAPHS["twitter"])),
    "blest-misclassified-mawi": lambda results: mean(misclassified(results, GRAPHS["mawi"])),
    "blest-optimal": lambda results: geomean(over_optimal(results, KRON)),
    "blest-optimal-urand": lambda results: geomean(over_optimal(results, URAND)),
    "blest-many-cpu": lambda results: geomean(many_faster(results, "blest", over="then")),
    "blest-many-a": lambda results: geomean(many_faster(results, "blest-a")),
    "blest-many-ab": lambda results: geomean(many_faster(results, "blest-ab")),
    "blest-many": lambda results: geomean(many_faster(results, "blest")),
    "blest-many-min": lambda results: least(many_faster(results, "blest")),
    "blest-many-max": lambda results: greatest(many_faster(results, "blest")),
    **of_all(table_6, TABLE_6),
    "blest-closeness": closeness_time(LIVEJOURNAL),
    "blest-closeness-orkut": closeness_time(ORKUT),
    "blest-reorder-time": lambda results: geomean(ratio_of_metrics(results, FULL, REORDER, BUILD, KRON)),
    "blest-reorder-time-road": lambda results: geomean(ratio_of_metrics(results, FULL, REORDER, BUILD, ROAD)),
    **of_all(tables_7_and_8, GRAPHS),
    "blest-memory-kron": lambda results: geomean(memory(results, "BVSS", "CSR", KRON)),
    "blest-memory-urand": lambda results: geomean(memory(results, "BVSS", "CSR", URAND)),
    "blest-memory-levels": lambda results: geomean(memory_of_many(results, "levels", "total", KRON)),
    "blest-memory-levels-road": lambda results: geomean(memory_of_many(results, "levels", "total", ROAD)),
}
