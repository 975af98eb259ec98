"""xbfs.py: makes the tables and figures of XBFS's evaluation from the records of the campaign xbfs.

Tables and figures have the numbers of the paper (Gaihre et al., HPDC 2019).
"""

from functools import cache, partial

from evaluation import records
from evaluation.analyses.blest import BOTTOM_UP, TOP_DOWN
from evaluation.comparison import faster, search_ms, size_of
from evaluation.methods import Method
from evaluation.text_tables import with_means

import pandas as pd

TIMES = "xbfs-times"  # the folder of usual runs

# Configurations: {name: (variant, the options that distinguish it)}. The paper's steps run with mode=paper.
ENTERPRISE, AD, STATIC, THREAD, WARP, DONATE, FULL, OUR_ENTERPRISE, OUR_FULL = (
    *("Enterprise", "Ad", "Ad + static", "Ad + thread", "Ad + warp", "Ad + donate"),
    *("Ad + WB + Async", "our Enterprise", "our XBFS"),
)
AS_PAPER, OURS = {"mode": records.PAPER}, {"mode": records.BEST}
STEP = {**AS_PAPER, "queue": "adaptive", "async": "0"}
CONFIGURATIONS = {
    ENTERPRISE: ("enterprise", AS_PAPER),
    AD: ("xbfs", {**STEP, "balance": "degree"}),
    WARP: ("xbfs", {**STEP, "balance": "warp"}),
    FULL: ("xbfs", {**AS_PAPER, "queue": "adaptive", "balance": "warp", "async": "1"}),
    OUR_FULL: ("xbfs", {**OURS, "queue": "adaptive", "balance": "donate", "async": "1"}),
    OUR_ENTERPRISE: ("enterprise", OURS),
    STATIC: ("xbfs", {**STEP, "balance": "static"}),
    THREAD: ("xbfs", {**STEP, "balance": "thread"}),
    DONATE: ("xbfs", {**STEP, "balance": "donate"}),
}
WB = WARP  # the step before FULL in figure 11
CORE = (ENTERPRISE, AD, WB, FULL, OUR_FULL)  # measured also on the largest graphs
ABLATION = {ENTERPRISE: ENTERPRISE, AD: "Ad", WB: "Ad + WB", FULL: "Ad + WB + Async"}
BALANCES = (STATIC, THREAD, WARP, DONATE)
RIVALS = ("gap", "queue", "bitmap", "warp", "blest", "dobfs", "auto")
GENERATIONS = ("scan-free", "single-scan", "none", "double-scan")

# The means of the paper, geometric or arithmetic as there.
PAPER_SPEEDUPS = {ENTERPRISE: 1.0, AD: 2.3, WB: 3.1, FULL: 3.5}
PAPER_CONTRIBUTIONS = {"scan-free": 0.18, "single-scan": 0.157, "none": 0.114, "double-scan": 0.549}


# ---- records ----


def configuration_of(variant, options):
    """The name of the configuration that has these options, or None. Records without a mode are ours."""
    options = {**OURS, **options}
    for name, (its_variant, its_options) in CONFIGURATIONS.items():
        if variant == its_variant and its_options.items() <= options.items():
            return name
    return None


def method_of(name):
    """The Method of a configuration, or of a rival at its best, in the campaign's usual runs."""
    variant, options = CONFIGURATIONS.get(name, (name, OURS))
    title = f"xbfs:{name.replace(' ', '')}"
    return Method("bfs", variant, tuple(options.items()), below=TIMES, of_campaign=True, title=title)


def rows_of(results, names):
    """{name: {graph: row}} of the configurations and rivals that ran."""
    return results.rows_of_each({name: method_of(name) for name in names})


def files_of(folder, device, part, pattern):
    """The files that a part of the campaign wrote. device: a folder of records, or * for all devices."""
    return sorted(folder.rglob(f"xbfs-{part}/{device}/{pattern}"))


def joined(frames, columns):
    return pd.concat(frames) if frames else pd.DataFrame(columns=columns)


def traced_levels(folder, device):
    """The levels of read_levels() from all files, with the column `graph`."""
    paths = files_of(folder, device, "levels", "traces/bfs_*.csv")
    names = [path.stem.split("_", 2)[1:] for path in paths]
    found = [read_levels(path, variant).assign(graph=graph) for path, (variant, graph) in zip(paths, names)]
    return joined(found, ["graph", "run", "source"])


@cache
def levels_of(results):
    return traced_levels(results.folder, results.gpu)


def of_levels(results, names, value):
    """{graph: value(the levels of each configuration)}, from the graphs and sources on which all were traced."""
    levels = levels_of(results).groupby("graph", sort=False)
    traced = {graph: [some[some.run == name] for name in names] for graph, some in levels if {*names} <= {*some.run}}
    return {graph: value(*of_shared_sources(runs)) for graph, runs in traced.items()}


def of_shared_sources(runs):
    """The levels of each run, from the sources that all runs have."""
    shared = set.intersection(*(set(run.source) for run in runs))
    return [run[run.source.isin(shared)] for run in runs]


def work_of(results):
    """{graph: {(degree, edges looked at): frontiers}} over all sources, each the least of its class."""
    paths = files_of(results.folder, results.gpu, "work", "work/bfs_*.csv")
    return {path.stem.split("_", 2)[2]: read_work(path) for path in paths}


def enqueue_times(results):
    """{size: (ms by atomics, ms by a prefix sum, how many times faster atomics are)}, ascending.

    A size that atomics fill in no measurable time is left out."""
    times, found = ("atomic_ms", "prefix_sum_ms"), {}
    for path in files_of(results.folder, results.gpu, "enqueue", "enqueue.csv"):
        for row in records.read_frame(path, numbers=("size", *times)).itertuples():
            if row.atomic_ms:
                found[row.size] = row.atomic_ms, row.prefix_sum_ms, row.prefix_sum_ms / row.atomic_ms
    return dict(sorted(found.items()))


def read_levels(path, variant):
    """The levels of a file of traces as a DataFrame; the column `run` names the configuration.

    Of a level: the vertices of its frontier, the edges checked, and as early the vertices found of the next level."""
    numbers = ("frontier", "checked", "early")
    return records.read_traces(path, partial(configuration_of, variant), ("generation",), numbers)


def read_work(path):
    rows = records.read_frame(path, numbers=("degree", "checked", "frontiers"))
    return rows.groupby(["degree", "checked"], sort=False).frontiers.sum().to_dict()


# ---- what figures show ----


def speedups(results, names, baseline):
    """{graph: {name: speedup over the baseline}}, over the sources that both have."""
    rows = rows_of(results, (*names, baseline))
    over, table = rows.get(baseline, {}), {}
    for graph in over:
        for name in names:
            if times := faster(rows.get(name, {}).get(graph), over[graph]):
                table.setdefault(graph, {})[name] = times
    return table


def early_share(levels):
    """Figure 10: the share of the level after the first bottom-up level that the bottom-up level found already, over
    all sources. None: there is no such level."""
    first = levels[levels["mode"] == BOTTOM_UP].groupby("source").head(1)
    both = first.assign(level=first.level + 2).merge(levels, on=["source", "level"], suffixes=("", "_after"))
    return both.early.sum() / both.frontier_after.sum() if both.frontier_after.any() else None


def direction_shares(levels):
    """Figure 12: {direction: its share of the time}"""
    return in_shares(levels.groupby("mode").ms.sum(), (TOP_DOWN, BOTTOM_UP))


def in_shares(parts, names):
    """{name: its share of the sum}; None: the sum is 0."""
    return (parts / parts.sum()).reindex(names, fill_value=0.0).to_dict() if parts.sum() else None


def contributions(before, after):
    """Figure 13: {generation: its share of the time saved}; levels that got slower save nothing.

    before, after: the levels of Enterprise and of the adaptive queues; None: nothing is saved."""
    both = before.merge(after, on=["source", "level"], suffixes=("", "_after"))
    saved = (both.ms - both.ms_after).clip(lower=0)
    return in_shares(saved.groupby(both.generation_after).sum(), GENERATIONS)


def checks(levels):
    """Figure 15: the number of edges that bottom-up levels looked at."""
    return int(levels.checked[levels["mode"] == BOTTOM_UP].sum())


def fewer_checks(before, after):
    """The share of the edges of the levels `before` that `after` does not look at; None: `before` looks at none."""
    return 1 - checks(after) / checks(before) if checks(before) else None


def bottom_up_share(levels):
    """The share of bottom-up levels in the time; None: there are no levels."""
    return (direction_shares(levels) or {}).get(BOTTOM_UP)


# ---- tables: a header, and rows of values, None where nothing was measured ----


def times_and_speedups(results, baseline, names):
    """({graph of the baseline: (its row, ms of each name that ran)}, {each of these names: speedups over the
    baseline})"""
    rows = rows_of(results, names)
    over, faster = rows.get(baseline, {}), speedups(results, rows, baseline).values()
    table = {}
    for graph in over:
        known = (some.get(graph) for some in rows.values())
        table[graph] = over[graph], [row and search_ms(row) for row in known]
    return table, {name: [one[name] for one in faster if name in one] for name in rows}


def against_others(results):
    """Table 2. The means are XBFS's speedups over the others, the same as in the report."""
    names = (FULL, ENTERPRISE, OUR_ENTERPRISE, OUR_FULL, *RIVALS)
    times, slower = times_and_speedups(results, FULL, names)
    rows = [[graph, *size_of(row), *ms] for graph, (row, ms) in times.items()]
    faster = {name: [1 / times for times in known] for name, known in slower.items() if name != FULL}
    titles = ["XBFS" if name == FULL else name for name in slower]
    return with_means(["graph", "vertices", "edges", *titles], rows, faster)


def steps_of_the_ablation(results):
    """Figures 11 and 14 as a table: ms, and geometric means of the speedups over Enterprise."""
    names = dict.fromkeys((*ABLATION, *BALANCES, OUR_ENTERPRISE, OUR_FULL))
    times, faster = times_and_speedups(results, ENTERPRISE, names)
    paper = [PAPER_SPEEDUPS.get(name) for name in faster]
    faster = {ABLATION.get(name, name): known for name, known in faster.items()}
    header, rows = with_means(["graph", *faster], [[graph, *ms] for graph, (_, ms) in times.items()], faster)
    if rows:
        rows.append(["the paper's mean, its graphs", *(mean and f"{mean:.2f}x" for mean in paper)])
    return header, rows


def per_cent(share):
    return None if share is None else f"{100 * share:.1f}%"


def bottom_up(results):
    """Figures 10, 12 and 15 as a table."""

    def cells(enterprise, synchronous, full):
        shares = bottom_up_share(enterprise), bottom_up_share(full), early_share(full)
        return [*map(per_cent, shares), checks(synchronous), checks(full), per_cent(fewer_checks(synchronous, full))]

    rows = [[graph, *line] for graph, line in sorted(of_levels(results, (ENTERPRISE, WB, FULL), cells).items())]
    shares = ["bottom-up, Enterprise", "bottom-up, XBFS"]
    return ["graph", *shares, "found early", "checks", "checks, async", "fewer"], rows


def lemma_3(results):
    """{graph: (vertices of the level after the first bottom-up one, mean N, share found early by lemma 3, share that
    was found early)}, over the searches that the lemma was computed for."""
    levels, found, numbers = levels_of(results), {}, ("vertices", "predicted", "neighbours")
    paths = sorted(results.folder.rglob("xbfs-lemma/*.csv"))
    predicted = [records.read_frame(path, ("graph", "source"), numbers) for path in paths]
    predicted = joined(predicted, ["graph", "source", *numbers])
    both = predicted.merge(levels[levels.run == FULL], on=["graph", "source"])
    for graph, some in both.groupby("graph"):
        searches = some.drop_duplicates("source")
        if vertices := searches.vertices.sum():
            means = searches[["neighbours", "predicted"]].mul(searches.vertices, axis=0).sum() / vertices
            found[graph] = int(vertices), *means, early_share(some)
    return found


def early_by_lemma(results):
    """The share of the next level that the first bottom-up level finds early: by lemma 3, and measured."""
    lines = lemma_3(results).items()
    rows = [[graph, vertices, n, per_cent(share), per_cent(early)] for graph, (vertices, n, share, early) in lines]
    return ["graph", "vertices of the next level", "mean N", "by lemma 3", "found early"], rows


def by_generation(results):
    """Figure 13 as a table."""
    found = sorted(of_levels(results, (ENTERPRISE, AD), contributions).items())
    rows = [[graph, *map(per_cent, shares.values())] for graph, shares in found if shares]
    if rows:
        rows.append(["the paper's mean, its graphs", *map(per_cent, PAPER_CONTRIBUTIONS.values())])
    return ["graph", *GENERATIONS], rows


def ways_to_enqueue(results):
    """Figure 5 as a table."""
    rows = [[size, *times, f"{faster:.2f}x"] for size, (*times, faster) in enqueue_times(results).items()]
    return ["entries", "atomics ms", "prefix sum ms", "speedup"], rows


TABLES = (against_others, steps_of_the_ablation, bottom_up, early_by_lemma, by_generation, ways_to_enqueue)
