"""blest.py: what the claims of Blest are about (Elbek and Kaya 2026)."""

from evaluation.analyses import blest as analysis
from evaluation.analyses import msbfs as many_sources
from evaluation.failures import OUT_OF_MEMORY
from evaluation.graphs import Key
from evaluation.methods import SEARCH, bfs, msbfs
from evaluation.numbers.compare import Answer, answer, beside_table, known, over_best, papers_table
from evaluation.records import BEST
from evaluation.results import MissingError

# Times: ms of tables II and IV, an inapplicable step as the one before it; seconds of 256 searches of table VI.
GRAPHS, TABLE_II, PAPERS_TIMES = papers_table("blest")
NO_ROOM = [GRAPHS[name] for name in ("KRON", "URAND", "KMER", "MAWI")]  # for 256 searches at once

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


def misclassified(results, graphs):
    """The levels that went in the slower direction, %."""
    runs = traced_directions(results)
    return answer(results, {key: 100 * analysis.misclassified(some) for key, some in runs.items()}, graphs)


def over_optimal(results, graphs):
    """Blest's time over the time of the better direction on every level."""
    runs = traced_directions(results)
    return answer(results, {key: analysis.speedup_of_optimal(some) for key, some in runs.items()}, graphs, 1)


def memory(results, part, whole, graphs):
    """A part of the memory of one search over another part (table VIII); in MB if `whole` is None."""
    header, rows = analysis.memory(results)
    # In the natural order BVSS is larger: that is no method of the paper.
    rows = [row for row in rows if row[0] in results.own_orders]
    found = shares_of_memory(results, header, rows, part, whole, graphs)
    return found._replace(no_difference=1 if whole else None)


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


def no_room(results):
    """100 for each graph on which memory does not suffice for 256 searches at once, 0 where they ran."""
    ran = results.best_rows(msbfs("blest"), SEARCH, BATCHES)
    reason = "msbfs", "blest", OUT_OF_MEMORY
    failed = [row["graph"] for row in results.failures if (row["family"], row["variant"], row["reason"]) == reason]
    return Answer({**dict.fromkeys(ran, 0.0), **{Key(graph): 100.0 for graph in failed}})


def of_table(results, found, method, *rivals):
    """An Answer beside tables II, IV or VI: how many times as fast a method is as a rival, or as the best of them."""
    return beside_table(results, found, TABLE_II, PAPERS_TIMES, method, *rivals)


def over_all(results):
    """How many times as fast Blest is as the fastest of its rivals on the GPU, where all ran."""
    return over_best(results, FULL, (GUNROCK, GSWITCH, BERRYBEES))
