"""xbfs.py: how the claims of XBFS are tested (Gaihre et al., HPDC 2019), on graphs of few levels."""

from evaluation.analyses import xbfs as analysis
from evaluation.claims.graphs import Graphs, Key
from evaluation.claims.measures import (
    Answer,
    answer,
    bfs,
    greatest,
    known,
    least,
    mean,
    saving,
    share,
    speedup,
    xbfs,
)
from evaluation.claims.results import MissingError

SHALLOW = Graphs(kinds=("shallow",))
FULL, ENTERPRISE, AD, AD_WB = map(xbfs, ("Ad+WB+Async", "Enterprise", "Ad", "Ad+WB"))
STATIC, THREAD, WARP, DONATE = map(xbfs, ("Ad+static", "Ad+thread", "Ad+warp", "Ad+donate"))
GUNROCK = [bfs("gunrock"), xbfs("queue")]  # bfs queue stands for it
LIGRA = xbfs("gap")  # GAP's BFS stands for it


def faster(results, of, over):
    return speedup(results, of, over, graphs=SHALLOW)


def of_levels(results, names, value, missing, no_difference=None):
    """In %, what value gives of the traced levels of these configurations, on the graphs that have them all.

    value: a function of {source: levels} of each; None: there is nothing to tell of the graph."""
    levels = results.xbfs.levels()
    traced = {graph: [runs[name] for name in names] for graph, runs in levels.items() if {*names} <= {*runs}}
    if not traced:
        raise MissingError("XBFS's levels, traced")
    parts = {Key(graph): value(*runs) for graph, runs in traced.items()}
    found = {key: 100 * part for key, part in known(parts, missing).items()}
    return answer(results, found, SHALLOW, no_difference)


def early(results):
    """The vertices after the first bottom-up level's that this level found already, % (figure 10)."""
    return of_levels(results, [analysis.FULL], analysis.early_share, "a graph with two bottom-up levels")


def fewer_checks(results):
    """The edges that asynchronous levels need not look at, % (figure 15)."""

    def saved(*runs):
        before, after = map(analysis.checks, runs)
        return 1 - after / before if before else None

    names = [analysis.WB, analysis.FULL]
    return of_levels(results, names, saved, "a graph with bottom-up levels", no_difference=0)


def looked_at(results):
    """Of the edges of bottom-up frontiers those looked at, % (figure 9)."""
    found = {}
    for graph, classes in results.xbfs.work().items():
        degrees = sum(degree * frontiers for (degree, _), frontiers in classes.items())
        checked = sum(looks * frontiers for (_, looks), frontiers in classes.items())
        found[Key(graph)] = 100 * checked / degrees if degrees else None
    return answer(results, known(found, "XBFS's work per frontier"), SHALLOW)


def bottom_up(results, name):
    """The share of bottom-up levels in a configuration's time, % (figure 12)."""
    results.need_gpu()

    def share_of_time(levels):
        return (analysis.direction_shares(levels) or {}).get(analysis.BOTTOM_UP)

    return of_levels(results, [name], share_of_time, "XBFS's levels, traced")


def contribution(results, generation):
    """The share of a way to make a queue in the time that adaptive queues save, % (figure 13)."""
    results.need_gpu()

    def share_of_saving(before, after):
        return (analysis.contributions(before, after) or {}).get(generation)

    names = [analysis.ENTERPRISE, analysis.AD]
    return of_levels(results, names, share_of_saving, "levels that adaptive queues make faster")


def enqueue(results):
    """How many times faster atomics fill a queue than a prefix sum, by size (figure 5)."""
    results.need_gpu()
    found = {
        Key(f"{entries:,} entries"): by_prefix_sum / by_atomics
        for entries, (by_atomics, by_prefix_sum) in sorted(results.xbfs.enqueue().items())
        if by_atomics
    }
    return Answer(known(found, "the ways to fill a queue"), no_difference=1)


CLAIMS = {
    "xbfs-enterprise": lambda results: mean(faster(results, FULL, over=ENTERPRISE)),
    "xbfs-gunrock": lambda results: mean(faster(results, FULL, over=GUNROCK)),
    "xbfs-ligra": lambda results: mean(faster(results, FULL, over=LIGRA)),
    "xbfs-fastest": lambda results: share(faster(results, FULL, over=ENTERPRISE)),
    "xbfs-enterprise-min": lambda results: least(faster(results, FULL, over=ENTERPRISE)),
    "xbfs-enterprise-max": lambda results: greatest(faster(results, FULL, over=ENTERPRISE)),
    "xbfs-enqueue": lambda results: mean(enqueue(results)),
    "xbfs-adaptive": lambda results: mean(faster(results, AD, over=ENTERPRISE)),
    "xbfs-adaptive-min": lambda results: least(faster(results, AD, over=ENTERPRISE)),
    "xbfs-adaptive-max": lambda results: greatest(faster(results, AD, over=ENTERPRISE)),
    "xbfs-balance": lambda results: mean(faster(results, AD_WB, over=ENTERPRISE)),
    "xbfs-balance-step": lambda results: mean(faster(results, AD_WB, over=AD)),
    "xbfs-async-step": lambda results: mean(faster(results, FULL, over=AD_WB)),
    "xbfs-async-max": lambda results: greatest(faster(results, FULL, over=AD_WB)),
    "xbfs-static": lambda results: mean(faster(results, STATIC, over=AD)),
    "xbfs-thread": lambda results: mean(faster(results, THREAD, over=AD)),
    "xbfs-warp": lambda results: mean(faster(results, WARP, over=AD)),
    "xbfs-dynamic": lambda results: mean(faster(results, WARP, over=STATIC)),
    "xbfs-donate": lambda results: mean(saving(results, WARP, over=DONATE, graphs=SHALLOW)),
    "xbfs-early": lambda results: mean(early(results)),
    "xbfs-early-min": lambda results: least(early(results)),
    "xbfs-bottom-up": lambda results: mean(bottom_up(results, analysis.ENTERPRISE)),
    "xbfs-bottom-up-adaptive": lambda results: mean(bottom_up(results, analysis.AD)),
    "xbfs-bottom-up-full": lambda results: mean(bottom_up(results, analysis.FULL)),
    "xbfs-saves-scan-free": lambda results: mean(contribution(results, "scan-free")),
    "xbfs-saves-single-scan": lambda results: mean(contribution(results, "single-scan")),
    "xbfs-saves-none": lambda results: mean(contribution(results, "none")),
    "xbfs-saves-double-scan": lambda results: mean(contribution(results, "double-scan")),
    "xbfs-checks": lambda results: mean(fewer_checks(results)),
    "xbfs-checks-max": lambda results: greatest(fewer_checks(results)),
    "xbfs-checks-min": lambda results: least(fewer_checks(results)),
    "xbfs-workload": lambda results: mean(looked_at(results)),
}
