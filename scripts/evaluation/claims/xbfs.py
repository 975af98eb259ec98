"""xbfs.py: how the claims of XBFS are tested (Gaihre et al., HPDC 2019), on graphs of few levels."""

from evaluation.analyses import xbfs as analysis
from evaluation.claims.graphs import Graphs, Key, on
from evaluation.claims.measures import (
    Answer,
    answer,
    bfs,
    greatest,
    known,
    mean,
    saving,
    share,
    speedup,
    xbfs,
)
from evaluation.claims.results import MissingError, Rival

SHALLOW = Graphs(kinds=("shallow",))
FULL, ENTERPRISE, AD, AD_WB = map(xbfs, ("Ad+WB+Async", "Enterprise", "Ad", "Ad+WB"))
STATIC, THREAD, WARP, DONATE = map(xbfs, ("Ad+static", "Ad+thread", "Ad+warp", "Ad+donate"))

# The paper's graphs, or what stands for them (dataset/xbfs_list.csv).
DB, DP, EW = on("dbpedia-all", "kron:*"), on("dblp-author", "kron:*"), on("edit-enwiki", "kron:*")
FR, LJ = on("com-Friendster", "kron:*"), on("com-LiveJournal", "kron:*")
OR, TR = on("com-Orkut", "kron:*"), on("trackers-trackers", "kron:*")
US, WK, WL = on("cit-Patents", "urand:*"), on("dbpedia-link", "kron:*"), on("wikipedia_link_en", "kron:*")
TABLE_2 = {"db": DB, "dp": DP, "ew": EW, "fr": FR, "lj": LJ, "or": OR, "tr": TR, "us": US, "wk": WK, "wl": WL}
ENDS_OF_ENTERPRISE = {"or": "max", "us": "min"}  # the claims about its largest and its smallest number


def faster(results, of, over, graphs=SHALLOW):
    return speedup(results, of, over, graphs=graphs)


def faster_than(results, program, own, graphs=SHALLOW):
    """How many times faster XBFS is than a rival's program, or where that did not run than ours like it."""
    return faster(results, FULL, Rival(bfs(program), own), graphs)


def enterprise(results, graphs=SHALLOW):
    return faster_than(results, "enterprise-authors", ENTERPRISE, graphs)


def gunrock(results, graphs=SHALLOW):
    return faster_than(results, "gunrock", xbfs("queue"), graphs)


def ligra(results, graphs=SHALLOW):
    return faster_than(results, "ligra", xbfs("gap"), graphs)


def of_levels(results, names, value, missing, no_difference=None, graphs=SHALLOW):
    """In %, what value gives of the traced levels of these configurations, on the graphs that have them all.

    value: a function of {source: levels} of each; None: there is nothing to tell of the graph."""
    levels = results.xbfs.levels()
    traced = {graph: [runs[name] for name in names] for graph, runs in levels.items() if {*names} <= {*runs}}
    if not traced:
        raise MissingError("XBFS's levels, traced")
    parts = {Key(graph): value(*runs) for graph, runs in traced.items()}
    found = {key: 100 * part for key, part in known(parts, missing).items()}
    return answer(results, found, graphs, no_difference)


def early(results, graphs=SHALLOW):
    """The vertices after the first bottom-up level's that this level found already, % (figure 10)."""
    missing = "a graph with two bottom-up levels"
    return of_levels(results, [analysis.FULL], analysis.early_share, missing, graphs=graphs)


def fewer_checks(results, graphs=SHALLOW):
    """The edges that asynchronous levels need not look at, % (figure 15)."""
    names, missing = [analysis.WB, analysis.FULL], "a graph with bottom-up levels"
    return of_levels(results, names, analysis.fewer_checks, missing, no_difference=0, graphs=graphs)


def looked_at(results):
    """The share of the edges of bottom-up frontiers that are looked at, % (figure 9)."""
    found = {}
    for graph, classes in results.xbfs.work().items():
        degrees = sum(degree * frontiers for (degree, _), frontiers in classes.items())
        checked = sum(looks * frontiers for (_, looks), frontiers in classes.items())
        found[Key(graph)] = 100 * checked / degrees if degrees else None
    return answer(results, known(found, "XBFS's work per frontier"), SHALLOW)


def bottom_up(results, name):
    """The share of bottom-up levels in a configuration's time, % (figure 12)."""
    results.need_gpu()
    return of_levels(results, [name], analysis.bottom_up_share, "XBFS's levels, traced")


def bottom_up_falls(results):
    """By how many points that share is smaller in XBFS than in Enterprise (figure 12)."""
    results.need_gpu()

    def fall(*runs):
        before, after = map(analysis.bottom_up_share, runs)
        return None if None in (before, after) else before - after

    names = [analysis.ENTERPRISE, analysis.FULL]
    return of_levels(results, names, fall, "XBFS's levels, traced", no_difference=0)


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
    found = {Key(f"{entries:,} entries"): faster for entries, (*_, faster) in results.xbfs.enqueue().items()}
    return Answer(known(found, "the ways to fill a queue"), no_difference=1)


CLAIMS = {
    "xbfs-enterprise": lambda results: mean(enterprise(results)),
    "xbfs-gunrock": lambda results: mean(gunrock(results)),
    "xbfs-ligra": lambda results: mean(ligra(results)),
    "xbfs-fastest": lambda results: share(enterprise(results)),
    **{
        f"xbfs-enterprise-{ENDS_OF_ENTERPRISE.get(word, word)}": (
            lambda results, graphs=graphs: mean(enterprise(results, graphs))
        )
        for word, graphs in TABLE_2.items()
    },
    **{
        f"xbfs-gunrock-{word}": lambda results, graphs=graphs: mean(gunrock(results, graphs))
        for word, graphs in TABLE_2.items()
        if word != "fr"
    },
    **{
        f"xbfs-ligra-{word}": lambda results, graphs=graphs: mean(ligra(results, graphs))
        for word, graphs in TABLE_2.items()
    },
    "xbfs-enqueue": lambda results: mean(enqueue(results)),
    "xbfs-enqueue-always": lambda results: share(enqueue(results)),
    "xbfs-adaptive": lambda results: mean(faster(results, AD, over=ENTERPRISE)),
    "xbfs-adaptive-min": lambda results: mean(faster(results, AD, over=ENTERPRISE, graphs=WL)),
    "xbfs-adaptive-max": lambda results: mean(faster(results, AD, over=ENTERPRISE, graphs=DB)),
    "xbfs-balance": lambda results: mean(faster(results, AD_WB, over=ENTERPRISE)),
    "xbfs-balance-min": lambda results: mean(faster(results, AD_WB, over=ENTERPRISE, graphs=US)),
    "xbfs-balance-max": lambda results: mean(faster(results, AD_WB, over=ENTERPRISE, graphs=OR)),
    "xbfs-balance-step": lambda results: mean(faster(results, AD_WB, over=AD)),
    "xbfs-async-step": lambda results: mean(faster(results, FULL, over=AD_WB)),
    "xbfs-async-max": lambda results: greatest(faster(results, FULL, over=AD_WB)),
    "xbfs-static": lambda results: mean(faster(results, STATIC, over=AD)),
    "xbfs-thread": lambda results: mean(faster(results, THREAD, over=AD)),
    "xbfs-warp": lambda results: mean(faster(results, WARP, over=AD)),
    "xbfs-warp-thread": lambda results: mean(faster(results, WARP, over=THREAD)),
    "xbfs-dynamic": lambda results: mean(faster(results, WARP, over=STATIC)),
    "xbfs-dynamic-all": lambda results: mean(faster(results, WARP, over=AD)),
    "xbfs-outliers": lambda results: mean(faster(results, [THREAD, WARP], over=AD, graphs=DB)),
    "xbfs-donate": lambda results: mean(saving(results, WARP, over=DONATE, graphs=SHALLOW)),
    "xbfs-early": lambda results: mean(early(results)),
    "xbfs-early-min": lambda results: mean(early(results, US)),
    "xbfs-early-dp": lambda results: mean(early(results, DP)),
    "xbfs-early-or": lambda results: mean(early(results, OR)),
    "xbfs-early-lj": lambda results: mean(early(results, LJ)),
    "xbfs-early-ew": lambda results: mean(early(results, EW)),
    "xbfs-early-tr": lambda results: mean(early(results, TR)),
    "xbfs-early-fr": lambda results: mean(early(results, FR)),
    "xbfs-bottom-up": lambda results: mean(bottom_up(results, analysis.ENTERPRISE)),
    "xbfs-bottom-up-adaptive": lambda results: mean(bottom_up(results, analysis.AD)),
    "xbfs-bottom-up-full": lambda results: mean(bottom_up(results, analysis.FULL)),
    "xbfs-bottom-up-falls": lambda results: mean(bottom_up_falls(results)),
    "xbfs-saves-scan-free": lambda results: mean(contribution(results, "scan-free")),
    "xbfs-saves-single-scan": lambda results: mean(contribution(results, "single-scan")),
    "xbfs-saves-none": lambda results: mean(contribution(results, "none")),
    "xbfs-saves-double-scan": lambda results: mean(contribution(results, "double-scan")),
    "xbfs-checks": lambda results: mean(fewer_checks(results)),
    "xbfs-checks-max": lambda results: mean(fewer_checks(results, DP)),
    "xbfs-checks-min": lambda results: mean(fewer_checks(results, OR)),
    "xbfs-workload": lambda results: mean(looked_at(results)),
}
