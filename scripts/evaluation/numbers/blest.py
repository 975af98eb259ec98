"""blest.py: what the claims of Blest are about (Elbek and Kaya 2026)."""

from evaluation.analyses import blest as analysis
from evaluation.analyses import msbfs as many_sources
from evaluation.failures import OUT_OF_MEMORY
from evaluation.graphs import Key, on
from evaluation.methods import SEARCH, bfs, msbfs
from evaluation.numbers.compare import Answer, answer, beside_table, known, of_results, over_best, times
from evaluation.records import BEST
from evaluation.results import MissingError

# The paper's graphs, or what stands for them.
CRAWLS, ROADS, NETWORKS = ("web:*",), ("road:*",), ("kron:*",)
ROAD, EUROPE = on("GAP-road", *ROADS), on("europe_osm", *ROADS)
TWITTER, FRIENDSTER = on("GAP-twitter", *NETWORKS), on("com-Friendster", *NETWORKS)
KRON, URAND = on("GAP-kron", *NETWORKS), on("GAP-urand", "urand:*")
WEB, WEBBASE = on("GAP-web", *CRAWLS), on("webbase-2001", *CRAWLS)
UK_2005, IT_2004 = on("uk-2005", *CRAWLS), on("it-2004", *CRAWLS)
NLPKKT240, SPIELMAN = on("nlpkkt240", "mesh:??", "mesh:???"), on("Spielman_k600", "mesh:*:7")  # 27 points, 7
KMER, MAWI = on("kmer_V1r", "kmer:*"), on("mawi_201512020330", "mawi:*")
DELAUNAY, RGG = on("delaunay_n24", "delaunay:*"), on("rgg_n_2_24_s0", "rgg:*")
LIVEJOURNAL, ORKUT = on("com-LiveJournal", *NETWORKS), on("com-Orkut", *NETWORKS)
NO_ROOM = [KRON, URAND, KMER, MAWI]  # for 256 searches at once
TABLE_II = [ROAD, TWITTER, WEB, KRON, URAND, NLPKKT240, UK_2005, IT_2004, EUROPE, FRIENDSTER, SPIELMAN, WEBBASE]
TABLE_II += [KMER, MAWI]

# The paper's times on TABLE_II's graphs, in this order: ms of tables II and IV, an inapplicable step as the one
# before it; seconds of 256 searches of table VI.
PAPERS_TIMES = {
    "GAP": times("739.6 201.5 327.1 290.2 468.8 234.3 177.2 216.2 1573.6 347.0 520.9 292.0 1493.7 272.9"),
    "Gunrock": times("317.5 - - - - 25.1 331.8 - 942.1 - 40.5 72.8 60.0 882.9"),
    "GSWITCH": times("130.2 - 277.8 - - 66.4 36.3 97.1 417.2 - 231.2 74.7 244.6 107.1"),
    "BerryBees": times("161.9 63.7 74.3 164.9 192.9 33.3 22.8 21.4 481.9 135.6 181.3 29.2 317.9 457.3"),
    "A": times("62.8 66.2 19.1 177.7 236.0 14.9 13.0 14.8 198.8 173.3 138.0 27.2 370.9 56.7"),
    "AB": times("49.3 54.9 17.0 154.4 202.6 11.2 11.7 13.3 160.4 146.2 130.7 25.3 366.3 42.6"),
    "ABC": times("41.3 41.3 16.7 74.3 201.3 9.0 14.2 14.4 137.5 107.5 14.5 30.6 168.4 57.2"),
    "ABCD": times("41.3 18.8 15.7 49.6 52.3 8.9 8.8 10.1 137.5 53.5 19.4 12.1 45.3 55.5"),
    "Full": times("41.3 6.6 15.7 7.2 13.4 8.9 8.8 10.1 137.5 11.5 19.4 12.1 45.3 55.5"),
    "256 (Naive)": times("10.79 1.73 4.35 - - 2.3 2.76 2.9 33.3 3.0 4.97 5.17 - -"),
    "256 (A)": times("49.18 1.8 2.39 - - 10.61 2.37 2.1 146.14 4.87 32.64 9.3 - -"),
    "256 (AB)": times("41.83 1.47 1.97 - - 10.12 1.84 1.78 100.51 4.2 30.16 5.66 - -"),
    "256 (Full)": times("3.64 1.11 0.77 - - 1.68 0.7 0.64 9.05 2.75 2.14 1.56 - -"),
}

FULL, ABCD, ABC, AB, A = map(analysis.method_of, ("Full", "ABCD", "ABC", "AB", "A"))
BERRYBEES, GAP = map(analysis.method_of, ("BerryBees", "gap"))
RANDOM = analysis.method_of("AB", "random")
GAPBS, GUNROCK, GSWITCH = map(bfs, ("gapbs", "gunrock", "gswitch"))  # programs
BATCHES = "batches-256"  # the folder of 256 searches at once

# The Jaccard order's wide window, and the narrowest (figure 4).
WIDE, NARROW = (bfs("blest-abcd", reorder=f"jaccard:{width}") for width in (65536, 8))


def traced_directions(results):
    """{key: what compare() gives} of the graphs on which Blest went all three ways (figure 5)."""
    results.need_gpu()
    found = {}
    for path, folders in results.paths("bfs_blest_*.csv"):
        if folders[-1] == "traces" and results.gpu in folders:
            found[Key(path.stem.removeprefix("bfs_blest_"))] = analysis.compare(analysis.read_trace(path))
    return known(found, "Blest's levels, traced all three ways")


@of_results
def misclassified(results, graphs):
    """The levels that went in the slower direction, %."""
    runs = traced_directions(results)
    return answer(results, {key: 100 * analysis.misclassified(some) for key, some in runs.items()}, graphs)


@of_results
def over_optimal(results, graphs):
    """Blest's time over the time of the better direction on every level."""
    runs = traced_directions(results)
    return answer(results, {key: analysis.speedup_of_optimal(some) for key, some in runs.items()}, graphs, 1)


@of_results
def memory(results, part, whole, graphs):
    """A part of the memory of one search over another part (table VIII); in MB if `whole` is None."""
    header, rows = analysis.memory(results)
    # In the natural order BVSS is larger: that is no method of the paper.
    rows = [row for row in rows if row[0] in results.own_orders]
    found = shares_of_memory(results, header, rows, part, whole, graphs)
    return found._replace(no_difference=1 if whole else None)


@of_results
def memory_of_many(results, part, whole, graphs):
    """As memory(), of 256 searches; of the best mode on graphs without rows of the mode that counts first."""
    header, by_graph = [], {}
    for mode in dict.fromkeys([BEST, results.mode]):
        measured = many_sources.measured_in(results.with_mode(mode), "batches")
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


@of_results
def no_room(results):
    """100 for each graph on which memory does not suffice for 256 searches at once, 0 where they ran."""
    ran = results.best_rows(msbfs("blest"), SEARCH, BATCHES)
    reason = "msbfs", "blest", OUT_OF_MEMORY
    failed = [row["graph"] for row in results.failures if (row["family"], row["variant"], row["reason"]) == reason]
    return Answer({**dict.fromkeys(ran, 0.0), **{Key(graph): 100.0 for graph in failed}})


@of_results
def of_table(results, found, method, *rivals):
    """An Answer beside tables II, IV or VI: how many times as fast a method is as a rival, or as the best of them."""
    return beside_table(results, found, TABLE_II, PAPERS_TIMES, method, *rivals)


@of_results
def over_all(results):
    """How many times as fast Blest is as the fastest of its rivals on the GPU, where all ran."""
    return over_best(results, FULL, (GUNROCK, GSWITCH, BERRYBEES))
