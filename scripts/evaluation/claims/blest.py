"""blest.py: how the claims of Blest are tested (Elbek and Kaya 2026)."""

from evaluation.analyses import blest as analysis
from evaluation.analyses import msbfs as many_sources
from evaluation.claims.graphs import ALL, Key, on
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
    measure,
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
RIVALS = {"gap": GAP, "gunrock": GUNROCK, "gswitch": GSWITCH, "berrybees": BERRYBEES}
BATCHES = "batches-256"  # the folder of 256 searches at once


def many_faster(variant, over="blest-naive", **graphs):
    return speedup(msbfs(variant), over=msbfs(over), below=BATCHES, **graphs)


def wide_window(metric):
    """How many times better the Jaccard order's wide window is than the narrowest (figure 4)."""
    wide, narrow = (bfs("blest-abcd", reorder=f"jaccard:{width}") for width in (65536, 8))
    return speedup(wide, over=narrow, metric=metric)


def traced_directions(results):
    """{key: what compare() gives} of the graphs on which Blest went all three ways (figure 5)."""
    results.need_gpu()
    found = {}
    for path, folders in results.paths("bfs_blest_*.csv"):
        if folders[-1] == "traces" and results.gpu in folders:
            runs = analysis.compare(analysis.read_trace(path))
            found[Key(path.stem.removeprefix("bfs_blest_"))] = runs or None
    return known(found, "Blest's levels, traced all three ways")


@measure
def misclassified(results, graphs):
    """The levels that went in the slower direction, %."""
    runs = traced_directions(results)
    return answer(results, {key: 100 * analysis.misclassified(some) for key, some in runs.items()}, graphs)


@measure
def over_optimal(results, graphs):
    """Blest's time over that of the better direction on every level."""
    runs = traced_directions(results)
    return answer(results, {key: analysis.speedup_of_optimal(some) for key, some in runs.items()}, graphs)


@measure
def memory(results, part, whole, graphs):
    """A part of the memory of one search over another part (table VIII); in MB if `whole` is None."""
    header, rows = analysis.memory(results.evaluation)
    # In the natural order BVSS is larger: that is no method of the paper.
    rows = [row for row in rows if row[0] in results.evaluation.own_order]
    return shares_of_memory(results, header, rows, part, whole, graphs)


@measure
def memory_of_many(results, part, whole, graphs):
    """As memory(); of the best mode on graphs without rows of the mode that counts first."""
    header, by_graph = [], {}
    for mode in dict.fromkeys([BEST, results.mode]):
        measured = many_sources.Measured(results.folder, "batches", mode)
        if results.gpu in set(measured.rows.device):
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


def faster(of, over, graphs=ALL):
    """How many times as fast one method is as another, in the mean over graphs."""
    return geomean(speedup(of, over=over, graphs=graphs))


def closeness_time(graphs):
    """The seconds that exact closeness takes on one GPU (table III)."""
    return geomean(value(closeness("auto"), TOTAL, graphs=graphs, below="closeness-1"))


def table_1(word, graphs):
    """A row of table I: the update divergence in the natural order, in RCM's, and their ratio."""
    return {
        f"blest-divergence-{word}-natural": geomean(value(NATURAL, DIVERGENCE, graphs=graphs)),
        f"blest-divergence-{word}-rcm": geomean(value(ABC, DIVERGENCE, graphs=graphs)),
        f"blest-divergence-{word}": geomean(ratio(NATURAL, ABC, DIVERGENCE, graphs)),
    }


def table_2(word, graphs):
    """A row of table II: Blest's time and how many times as fast it is as the others that ran there."""
    rivals = {name: over for name, over in RIVALS.items() if word not in FAILED_ON.get(name, ())}
    faster_than = {f"blest-{name}-{word}": faster(FULL, over, graphs) for name, over in rivals.items()}
    return {f"blest-ms-{word}": geomean(value(FULL, SEARCH, graphs=graphs)), **faster_than}


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
        f"blest-many-{name}-{word}": geomean(many_faster(variant, graphs=graphs))
        for name, variant in variants.items()
    }


def tables_7_and_8(word, graphs):
    """Rows of both: the time of reordering, and the memory of the BVSS in MB."""
    return {
        f"blest-reorder-ms-{word}": geomean(value(FULL, REORDER, graphs=graphs)),
        f"blest-bvss-mb-{word}": geomean(memory("BVSS", None, graphs)),
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
    "blest-gap": faster(FULL, GAP),
    "blest-gunrock": faster(FULL, GUNROCK),
    "blest-gswitch": faster(FULL, GSWITCH),
    "blest-berrybees": faster(FULL, BERRYBEES),
    "blest-berrybees-min": least(speedup(FULL, over=BERRYBEES)),
    "blest-berrybees-max": greatest(speedup(FULL, over=BERRYBEES)),
    **of_all(table_1, TABLE_1),
    **of_all(table_2, GRAPHS),
    "blest-step-a": faster(A, BERRYBEES),
    "blest-step-ab": faster(AB, BERRYBEES),
    "blest-step-abc": faster(ABC, BERRYBEES),
    "blest-step-abcd": faster(ABCD, BERRYBEES),
    "blest-step-a-min": least(speedup(A, over=BERRYBEES)),
    "blest-step-a-max": greatest(speedup(A, over=BERRYBEES)),
    "blest-step-ab-min": least(speedup(AB, over=BERRYBEES)),
    "blest-step-ab-max": greatest(speedup(AB, over=BERRYBEES)),
    "blest-step-abc-max": greatest(speedup(ABC, over=BERRYBEES)),
    "blest-step-abcd-min": least(speedup(ABCD, over=BERRYBEES)),
    "blest-step-abcd-max": greatest(speedup(ABCD, over=BERRYBEES)),
    "blest-layout": faster(AB, A),
    "blest-layout-all": share(speedup(AB, over=A)),
    "blest-reorder": share(speedup(ABC, over=AB), by=1.02),
    "blest-reorder-harms": share(speedup(AB, over=ABC), by=1.02),
    **of_all(table_4, GRAPHS),
    **{f"blest-random-{word}": faster(ABC, RANDOM, graphs) for word, graphs in TABLE_5.items()},
    "blest-window": share(wide_window(SEARCH)),
    "blest-window-compression": share(wide_window(COMPRESSION)),
    "blest-misclassified": mean(misclassified(KRON)),
    "blest-misclassified-twitter": mean(misclassified(GRAPHS["twitter"])),
    "blest-misclassified-mawi": mean(misclassified(GRAPHS["mawi"])),
    "blest-optimal": geomean(over_optimal(KRON)),
    "blest-optimal-urand": geomean(over_optimal(URAND)),
    "blest-many-cpu": geomean(many_faster("blest", over="then")),
    "blest-many-a": geomean(many_faster("blest-a")),
    "blest-many-ab": geomean(many_faster("blest-ab")),
    "blest-many": geomean(many_faster("blest")),
    "blest-many-min": least(many_faster("blest")),
    "blest-many-max": greatest(many_faster("blest")),
    **of_all(table_6, TABLE_6),
    "blest-closeness": closeness_time(LIVEJOURNAL),
    "blest-closeness-orkut": closeness_time(ORKUT),
    "blest-reorder-time": geomean(ratio_of_metrics(FULL, REORDER, BUILD, KRON)),
    "blest-reorder-time-road": geomean(ratio_of_metrics(FULL, REORDER, BUILD, ROAD)),
    **of_all(tables_7_and_8, GRAPHS),
    "blest-memory-kron": geomean(memory("BVSS", "CSR", KRON)),
    "blest-memory-urand": geomean(memory("BVSS", "CSR", URAND)),
    "blest-memory-levels": geomean(memory_of_many("levels", "total", KRON)),
    "blest-memory-levels-road": geomean(memory_of_many("levels", "total", ROAD)),
}
