"""xbfs.py: makes the tables and figures of XBFS's evaluation from the records of the campaign xbfs.

Tables and figures have the numbers of the paper (Gaihre et al., HPDC 2019).
"""

from functools import cached_property, partial

from evaluation import records
from evaluation.analyses.blest import BOTTOM_UP, TOP_DOWN, as_table, ratio, with_means
from evaluation.comparison import faster, size_of

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


def name_of(row, mode):
    """The configuration or rival that a row is of; None: this mode does not show the row."""
    name = configuration_of(row["variant"], {**records.settings_of(row["options"]), "mode": row["mode"]})
    if mode == records.BEST:
        name = {OUR_ENTERPRISE: ENTERPRISE, OUR_FULL: FULL}.get(name)
    rival = row["variant"] in RIVALS and row["mode"] == records.BEST
    return row["variant"] if rival else name


class Counts:
    """Reads the counts of traced runs of XBFS, level by level. device: of the records, or * for all devices."""

    def __init__(self, folder, device):
        self.folder, self.device = folder, device

    def _files(self, part, pattern):
        return sorted(self.folder.rglob(f"{part}/{self.device}/{pattern}"))

    @cached_property
    def levels(self):
        """The levels of read_levels() from all files, with the column `graph`."""
        paths = self._files("xbfs-levels", "traces/bfs_*.csv")
        names = [path.stem.split("_", 2)[1:] for path in paths]
        found = [read_levels(path, variant).assign(graph=graph) for path, (variant, graph) in zip(paths, names)]
        return pd.concat(found) if found else pd.DataFrame(columns=["graph", "run", "source"])

    def work(self):
        """{graph: {(degree, edges looked at): frontiers}} over all sources, each the least of its class."""
        return {path.stem.split("_", 2)[2]: read_work(path) for path in self._files("xbfs-work", "work/bfs_*.csv")}

    def lemma(self):
        """A row a graph and source: of the level after the first bottom-up one the vertices, and the means of lemma
        3's probability and of its N."""
        paths, numbers = sorted(self.folder.rglob("xbfs-lemma/*.csv")), ("vertices", "predicted", "neighbours")
        found = [records.read_frame(path, ("graph", "source"), numbers) for path in paths]
        return pd.concat(found) if found else pd.DataFrame(columns=["graph", "source", *numbers])

    def enqueue(self):
        """{size: (ms by atomics, ms by a prefix sum, how many times faster atomics are)}, ascending.

        A size that atomics fill in no measurable time is left out."""
        times, paths = ["atomic_ms", "prefix_sum_ms"], self._files("xbfs-enqueue", "enqueue.csv")
        frames = [records.read_frame(path, numbers=("size", *times)).set_index("size")[times] for path in paths]
        rows = (row for frame in frames for row in frame.itertuples())
        found = {size: (*both, both[1] / both[0]) for size, *both in rows if both[0]}
        return dict(sorted(found.items()))


class Measured(Counts):
    """Reads XBFS's rows in the Results: `rows` with a name, as name_of() has it, and `times`, small graphs first.

    mode: BEST gives only ours, under the names of the paper's."""

    def __init__(self, results, mode=records.PAPER):
        super().__init__(results.folder, results.gpu)
        rows = results.rows
        rows = rows.loc[[TIMES in folders[-2:-1] for folders in rows.folders]].to_dict("records")
        in_both = [
            sorted(records.with_usual_threads(records.in_mode(some, one)), key=lambda row: row["date"])
            for one in (records.BEST, records.PAPER)
            if (some := [row for row in rows if row["mode"] == one])
        ]
        rows = [row for some in in_both for row in some]
        self.rows = records.newest_by_size(rows, {"name": lambda row: name_of(row, mode)})
        self.rows["ms"] = self.rows.mean_time_ms.astype(float)
        table = self.rows.pivot(index="graph", columns="name", values="ms")
        self.times = table.reindex(self.rows.graph.unique())  # a row a graph, a column a name

    def times_of(self, names, baseline):
        """The times of these names on the graphs of the baseline, without names that were not measured."""
        times = self.times.reindex(columns=dict.fromkeys([*names, baseline])).dropna(subset=[baseline])
        return times[[name for name in names if name in self.times]]


def read_levels(path, variant):
    """The levels of a file of traces as a DataFrame; the column `run` names the configuration.

    Of a level: the vertices of its frontier, the edges checked, and as early the vertices found of the next level."""
    numbers = ("frontier", "checked", "early")
    return records.read_traces(path, partial(configuration_of, variant), ("generation",), numbers)


def read_work(path):
    rows = records.read_frame(path, numbers=("degree", "checked", "frontiers"))
    return rows.groupby(["degree", "checked"], sort=False).frontiers.sum().to_dict()


# ---- what figures show ----


def speedups(measured, names, baseline):
    """{graph: {configuration: speedup over the baseline}}, over the sources that both have."""
    rows = {(row["graph"], row["name"]): row for row in measured.rows.to_dict("records")}
    table = {}
    for graph in measured.rows.graph.unique():
        for name in names:
            times = faster(*(rows.get((graph, one)) for one in (name, baseline)))
            if times:
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


def against_others(measured):
    """Table 2. The means are XBFS's speedups over the others, the same as in the report."""
    times = measured.times_of((FULL, ENTERPRISE, OUR_ENTERPRISE, OUR_FULL, *RIVALS), FULL)
    sizes = {row["graph"]: size_of(row) for row in measured.rows.to_dict("records")}
    header, rows = as_table(times.rename(columns={FULL: "XBFS"}), "graph")
    rows = [[graph, *sizes[graph], *ms] for graph, *ms in rows]
    slower = speedups(measured, times, FULL)  # than XBFS
    table = ["graph", "vertices", "edges", *header[1:]], rows
    return with_means(*table, header[2:], lambda row, name: ratio(1, slower[row["graph"]].get(name)))


def steps_of_the_ablation(measured):
    """Figures 11 and 14 as a table: ms, and geometric means of the speedups over Enterprise."""
    names = dict.fromkeys((*ABLATION, *BALANCES, OUR_ENTERPRISE, OUR_FULL))
    times = measured.times_of(names, ENTERPRISE)
    header, rows = as_table(times.rename(columns=ABLATION), "graph")
    ratios, names = speedups(measured, times, ENTERPRISE), dict(zip(header[1:], times))
    header, rows = with_means(header, rows, header[1:], lambda row, title: ratios[row["graph"]].get(names[title]))
    if rows:
        paper = [PAPER_SPEEDUPS.get(name) for name in times]
        rows.append(["the paper's mean, its graphs", *(mean and f"{mean:.2f}x" for mean in paper)])
    return header, rows


def per_cent(share):
    return None if share is None else f"{100 * share:.1f}%"


def bottom_up(measured):
    """Figures 10, 12 and 15 as a table."""
    rows = []
    for graph, levels in measured.levels.groupby("graph"):
        enterprise, synchronous, full = (levels[levels.run == name] for name in (ENTERPRISE, WB, FULL))
        if not any(some.empty for some in (enterprise, synchronous, full)):
            shares = bottom_up_share(enterprise), bottom_up_share(full), early_share(full)
            looked_at = checks(synchronous), checks(full)
            rows.append([graph, *map(per_cent, shares), *looked_at, per_cent(fewer_checks(synchronous, full))])
    shares = ["bottom-up, Enterprise", "bottom-up, XBFS"]
    return ["graph", *shares, "found early", "checks", "checks, async", "fewer"], rows


def lemma_3(measured):
    """{graph: (vertices of the level after the first bottom-up one, mean N, share found early by lemma 3, share that
    was found early)}, over the searches that the lemma was computed for."""
    levels, found = measured.levels, {}
    both = measured.lemma().merge(levels[levels.run == FULL], on=["graph", "source"])
    for graph, some in both.groupby("graph"):
        searches = some.drop_duplicates("source")
        if vertices := searches.vertices.sum():
            means = searches[["neighbours", "predicted"]].mul(searches.vertices, axis=0).sum() / vertices
            found[graph] = int(vertices), *means, early_share(some)
    return found


def early_by_lemma(measured):
    """The share of the next level that the first bottom-up level finds early: by lemma 3, and measured."""
    lines = lemma_3(measured).items()
    rows = [[graph, vertices, n, per_cent(share), per_cent(early)] for graph, (vertices, n, share, early) in lines]
    return ["graph", "vertices of the next level", "mean N", "by lemma 3", "found early"], rows


def by_generation(measured):
    """Figure 13 as a table."""
    rows = []
    for graph, levels in measured.levels.groupby("graph"):
        shares = contributions(*(levels[levels.run == name] for name in (ENTERPRISE, AD)))
        if shares:
            rows.append([graph, *map(per_cent, shares.values())])
    if rows:
        rows.append(["the paper's mean, its graphs", *map(per_cent, PAPER_CONTRIBUTIONS.values())])
    return ["graph", *GENERATIONS], rows


def ways_to_enqueue(measured):
    """Figure 5 as a table."""
    rows = [[size, *times, f"{faster:.2f}x"] for size, (*times, faster) in measured.enqueue().items()]
    return ["entries", "atomics ms", "prefix sum ms", "speedup"], rows


TABLES = (against_others, steps_of_the_ablation, bottom_up, early_by_lemma, by_generation, ways_to_enqueue)
