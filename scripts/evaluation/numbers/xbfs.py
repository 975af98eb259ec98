"""xbfs.py: what the claims of XBFS are about (Gaihre et al., HPDC 2019), on graphs of few levels."""

from evaluation.analyses import xbfs as analysis
from evaluation.graphs import Graphs, Key
from evaluation.methods import bfs
from evaluation.numbers.compare import Answer, answer, beside_table, known, over_best, papers_table
from evaluation.results import MissingError

SHALLOW = Graphs(kinds=("shallow",))
FULL, ENTERPRISE, AD = map(analysis.method_of, (analysis.FULL, analysis.ENTERPRISE, analysis.AD))
STATIC, THREAD, WARP, DONATE = map(analysis.method_of, analysis.BALANCES)
AD_WB = WARP._replace(title="xbfs:Ad+WB")

GRAPHS, TABLE_2, PAPERS_MS = papers_table("xbfs")

# The authors' programs of both, and those of XBFS's other rivals.
THEIRS, THEIR_ENTERPRISE = bfs("xbfs-authors"), bfs("enterprise-authors")
XBFS = bfs("xbfs")
GUNROCK, LIGRA, TIGR = map(bfs, ("gunrock", "ligra", "tigr"))


def of_table_2(results, found, *rivals):
    """An Answer beside table 2: how many times as fast XBFS is as a rival, or as the fastest of several."""
    return beside_table(results, found, TABLE_2, PAPERS_MS, "XBFS", *rivals)


def over_all(results):
    """How many times as fast XBFS is as the fastest of its rivals on the GPU."""
    return over_best(results, FULL, (ENTERPRISE, GUNROCK, TIGR), SHALLOW)


def of_levels(results, names, value, missing, no_difference=None, graphs=SHALLOW):
    """In %, what value gives of the traced levels of these configurations, on the graphs that have them all.

    value: a function of the levels of each; None: it says nothing about the graph."""
    parts = analysis.of_levels(results, names, value)
    if not parts:
        raise MissingError("XBFS's levels, traced")
    found = {Key(graph): 100 * part for graph, part in known(parts, missing).items()}
    return answer(results, found, graphs, no_difference)


def early(results, graphs=SHALLOW):
    """The vertices after the first bottom-up level's that this level found already, % (figure 10)."""
    missing = "a graph with two bottom-up levels"
    return of_levels(results, [analysis.FULL], analysis.early_share, missing, graphs=graphs)


def early_by_lemma(results):
    """The vertices that are found early over those that lemma 3 predicts, of the same searches (section 5.2)."""
    shares = analysis.lemma_3(results)
    found = {Key(graph): early / predicted for graph, (*_, predicted, early) in shares.items()}
    return answer(results, known(found, "predictions by lemma 3"), SHALLOW, no_difference=1)


def fewer_checks(results, graphs=SHALLOW):
    """The edges that asynchronous levels need not look at, % (figure 15)."""
    names, missing = [analysis.WB, analysis.FULL], "a graph with bottom-up levels"
    return of_levels(results, names, analysis.fewer_checks, missing, no_difference=0, graphs=graphs)


def looked_at(results):
    """The share of the edges of bottom-up frontiers that are looked at, % (figure 9)."""
    found = {}
    for graph, classes in analysis.work_of(results).items():
        degrees = sum(degree * frontiers for (degree, _), frontiers in classes.items())
        checked = sum(looks * frontiers for (_, looks), frontiers in classes.items())
        found[Key(graph)] = 100 * checked / degrees if degrees else None
    return answer(results, known(found, "XBFS's work per frontier"), SHALLOW)


def bottom_up(results, name):
    """The share of bottom-up levels in a configuration's time, % (figure 12)."""
    results.need_gpu()
    return of_levels(results, [name], analysis.bottom_up_share, "XBFS's levels, traced")


def contribution(results, generation, graphs=SHALLOW):
    """The share of a way to make a queue in the time that adaptive queues save, % (figure 13)."""
    results.need_gpu()

    def share_of_saving(before, after):
        return (analysis.contributions(before, after) or {}).get(generation)

    names = [analysis.ENTERPRISE, analysis.AD]
    missing = "levels that adaptive queues make faster"
    return of_levels(results, names, share_of_saving, missing, graphs=graphs)


def enqueue(results):
    """How many times faster atomics fill a queue than a prefix sum, by size (figure 5)."""
    results.need_gpu()
    found = {Key(f"{entries:,} entries"): faster for entries, (*_, faster) in analysis.enqueue_times(results).items()}
    return Answer(known(found, "the ways to fill a queue"), no_difference=1)
