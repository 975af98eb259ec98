"""msbfs.py: what tables and figures make of the records of the campaign msbfs.

Numbers of tables are Blest's (Elbek and Kaya 2026), those of figures are of the thesis on IBFS (Dreef 2025).
"""

import fnmatch
import re
from functools import cache, partial

from evaluation import records
from evaluation.analyses.blest import INDEX_BYTES, SIGMA, bvss_bytes, order_of
from evaluation.comparison import size_of
from evaluation.failures import COLUMNS, TIME_LIMIT, read_failures
from evaluation.records import DAWN
from evaluation.text_tables import as_table, with_means

import pandas as pd

# Implementations are called "FAMILY VARIANT".
ABLATION = {"msbfs blest-naive": "(Naive)", "msbfs blest-a": "(A)", "msbfs blest-ab": "(AB)", "msbfs blest": "(Full)"}
FULL = "msbfs blest"
OWN = ("msbfs bitparallel", "msbfs perblock", "msbfs auto")
SINGLE = ("bfs blest", "bfs auto")  # a source after the other
# Geometric means of the speedups over (Naive) in Blest's table 6.
PAPER_SPEEDUPS = {"(Naive)": 1.00, "(A)": 0.52, "(AB)": 0.65, "(Full)": 2.69}

SCHEMES = ("msbfs ibfs-workgroup", "msbfs ibfs-coalesced", "msbfs ibfs-bottomup")
WEBGPU = ("msbfs webgpu-workgroup", "msbfs webgpu-coalesced", "msbfs webgpu-bottomup")  # the same schemes
AUTHORS = tuple(name.replace("ibfs-", "ibfs-authors-") for name in SCHEMES)  # the thesis' own program, by --program
BY_GPU = (*SCHEMES, *WEBGPU, "msbfs ibfs-auto", "msbfs bitparallel", "msbfs auto")
BY_CPU = ("msbfs then", "msbfs pbfs", "msbfs serial")
PAIRED = (*BY_GPU, *BY_CPU, "bfs auto")


# ---- records ----

SECONDS = re.compile(r"(?<=time limit of )\d+ s")


def in_mode(rows, mode):
    """The rows of a mode. For PAPER, a variant without such rows keeps its other rows."""
    variants = [*zip(rows.family, rows.variant, rows.device)]
    have = {variant for variant, found in zip(variants, rows["mode"]) if found == mode}
    others = mode == records.PAPER
    return rows.loc[[m == mode or (others and v not in have) for v, m in zip(variants, rows["mode"])]]


class Measured:
    """The rows of a part (pairs, batches, closeness) of some Results.

    `rows` is a DataFrame with the newest row for each graph, size, number of GPUs and name, small graphs first. Its
    column `ms` is the time of all searches together, `whole_ms` the time of a whole call for path lengths, with graph
    and lengths on the host. NaN: not measured.

    limits: {(graph, size, name): the time limit that ended the run}"""

    def __init__(self, results, part):
        is_pairs = part == "pairs"
        pattern = part if is_pairs else f"{part}*"

        def is_of_part(folders):
            return len(folders) > 1 and fnmatch.fnmatchcase(folders[-2], pattern)

        rows = results.rows.loc[[is_of_part(folders) for folders in results.rows.folders]]
        rows = rows[(rows.family == "pairs") == is_pairs]
        for column in ("family", "variant") if is_pairs else ():
            rows = rows.assign(**{column: [engine[column] for engine in rows.engine]})  # that ran
        rows = records.with_usual_threads(in_mode(rows, results.mode))
        known = rows.reindex(columns=["time_ms", "mean_time_ms", "total_ms", "pairs", "sources", "devices"])
        known = known.apply(pd.to_numeric, errors="coerce")
        size = (known.pairs if is_pairs else known.sources).astype(int)
        rows = rows.assign(
            size=size,
            gpus=known.devices.fillna(1).clip(lower=1).astype(int),
            name=list(map(" ".join, zip(rows.family, rows.variant))),
            ms=known.time_ms if is_pairs else known.mean_time_ms * size,
            whole_ms=known.total_ms,
        )
        key = ["graph", "size", "gpus", "name"]
        newest = rows.sort_values("date", kind="stable").drop_duplicates(key, keep="last")
        self.rows = records.small_first(newest, key)
        failures = pd.DataFrame(
            [
                records.with_library(row) | {"mode": records.settings_of(row["options"]).get("mode", records.BEST)}
                for path, folders in results.paths("failures.csv")
                if is_of_part(folders)
                for row in read_failures(path)
            ],
            columns=[*COLUMNS, "mode"],
        )
        self.limits = {
            (row.graph, int(row.pairs), f"{row.family} {row.variant}"): limit[0]
            for row in in_mode(failures, results.mode).itertuples()
            if row.reason == TIME_LIMIT and row.pairs and row.device in set(rows.device)
            if (limit := SECONDS.search(row.message))
        }

    def times(self, names, column="ms"):
        """A DataFrame of a column of the rows of one GPU or CPU: a row for each graph and size, a column for each
        name."""
        alone = self.rows[self.rows.gpus == 1]
        places = pd.MultiIndex.from_frame(self.rows[["graph", "size"]].drop_duplicates())
        table = alone.pivot(index=["graph", "size"], columns="name", values=column)
        return table.reindex(index=places, columns=list(names)).astype(float)

    def cells(self, times):
        """The times; where a search took longer than its limit, the words "over ..."."""
        cells = times.astype(object)
        for (graph, size, name), limit in self.limits.items():
            if name in times and (graph, size) in times.index and pd.isna(times.loc[(graph, size), name]):
                cells.loc[(graph, size), name] = f"over {limit}"
        return cells


measured_in = cache(Measured)  # the same for the same Results


# ---- tables: a header, and rows of values, None where nothing was measured ----


def short(name):
    return name.removeprefix("msbfs ")


def times_faster(above, below):
    """Divides two columns, and writes each quotient as "2.50x"."""
    return (above / below).map("{:.2f}x".format, na_action="ignore")


def fastest(times):
    """The name of the fastest column of each row; the first of equally fast ones. Missing where a row has no time."""
    known = times.dropna(how="all")
    return known.idxmin(axis="columns").map(short).reindex(times.index)


def ablation(measured):
    """Table 6 and gtrav's own variants: ms for the largest number of searches that was measured on each graph."""
    columns = {**ABLATION, **{name: short(name) for name in OWN}}
    times = measured.times(columns).rename(columns=columns).groupby(level="graph", sort=False).tail(1)
    titles = list(columns.values())
    times = times[times["(Naive)"].notna()]
    speedups = {title: (times["(Naive)"] / times[title]).dropna() for title in titles}
    speedups = {title: list(known[known > 0]) for title, known in speedups.items()}
    header, rows = with_means(*as_table(times, "graph", "searches"), speedups)
    if rows:
        means = [f"{PAPER_SPEEDUPS[title]:.2f}x" if title in PAPER_SPEEDUPS else None for title in titles]
        rows.append(["the paper's mean, its graphs", None, *means])
    return header, rows


def many_against_one(measured):
    """Searches at once and one after the other: ms for all of them. The last columns divide the times of Blest in
    full and of bfs auto by the time of msbfs auto, or else of the fastest variant of our own."""
    times = measured.times((FULL, *OWN, *SINGLE, "msbfs then"))
    times = times[times[[FULL, *OWN]].notna().any(axis="columns")][::-1]
    best = times["msbfs auto"].fillna(times[list(OWN)].min(axis="columns"))
    sizes = {row.graph: size_of(row._asdict()) for row in measured.rows.itertuples()}
    table = times.rename(columns=lambda name: f"{name}, each" if name in SINGLE else short(name))
    table = table.rename(columns={"then": "then (CPU)"})
    table["over blest"] = times_faster(times[FULL], best)
    table["over bfs auto"] = times_faster(times["bfs auto"], best)
    header, rows = as_table(table, "graph", "searches")
    order = list(dict.fromkeys(measured.rows.graph))
    rows.sort(key=lambda row: order.index(row[0]))  # the most searches of each first
    rows = [[graph, *sizes[graph], *others] for graph, *others in rows]
    return ["graph", "vertices", "edges", *header[1:]], rows


LEVEL_BYTES = 4


def memory(measured):
    """Table 8 in MB, for the largest number of searches. rest: results, counts and so on."""
    lines = []
    largest = measured.rows.groupby("graph")["size"].transform("max") == measured.rows["size"]
    for row in measured.rows[largest & (measured.rows.name == FULL)].to_dict("records"):
        facts = records.facts_of(row)
        if "num_vss" not in facts:
            continue
        num_vss, kappa, n = facts["num_vss"], facts["kappa"], int(float(row["vertices"]))
        num_sets = -(-n // SIGMA)
        parts = [
            bvss_bytes(num_vss, facts.get("num_tiles"), n),
            3 * num_sets * SIGMA * kappa / 8,
            num_vss * 2 * INDEX_BYTES,  # a VSS and its slice set
            num_sets * SIGMA * kappa * LEVEL_BYTES,
            num_sets * (kappa / 8 + 1),
        ]
        total = float(row["device_bytes"])
        order = order_of(row["options"]).partition(":")[0]
        figures = [value / 1e6 for value in (*parts, total - sum(parts), total)]
        lines.append([row["graph"], order, kappa, *figures])
    parts = ["BVSS", "frontier", "queue", "levels", "active/dirty", "rest", "total"]
    return ["graph", "order", "kappa", *parts], lines


def closeness_times(measured):
    """Table 3, with the efficiency of several GPUs: the time of one GPU, over their time times their number."""
    lines, alone = [], measured.times(measured.rows.name.unique())
    for row in measured.rows.sort_values(["name", "gpus"], kind="stable").to_dict("records"):
        graph, size, name, gpus = (row[key] for key in ("graph", "size", "name", "gpus"))
        n, m = size_of(row)
        faster = alone.loc[(graph, size), name] / row["ms"]
        gained = [f"{faster:.2f}x", f"{100 * faster / gpus:.0f}%"] if faster > 0 and gpus > 1 else [None] * 2
        where = "CPU" if records.kind_of(row["device"]) == "CPU" else gpus
        of = "all" if size == n else f"{size:,} of {n:,}"
        speed = [row["ms"] / 1e3, float(row[records.SEARCH_RATE]) / 1e3]
        lines.append([where, graph, n, m, of, name.split(" ")[1], *speed, *gained, row["verified"]])
    order = list(dict.fromkeys(measured.rows.graph))
    lines.sort(key=lambda line: order.index(line[1]))
    figures = ["seconds", "GTEPS", "speedup", "efficiency", "verified"]
    return ["GPUs", "graph", "vertices", "edges", "sources", "by", *figures], lines


def path_lengths(measured, column="ms"):
    """A row for each graph and number of pairs: ms, the fastest scheme of the thesis, and the fastest of all."""
    known = {*measured.rows.name, *(name for *_, name in measured.limits)}
    times = measured.times([name for name in PAIRED if name in known], column).dropna(how="all")
    best = {"best scheme": times.filter(SCHEMES), "fastest": times}
    best = {title: fastest(some) for title, some in best.items()}
    return as_table(measured.cells(times).rename(columns=short).assign(**best), "graph", "pairs")


whole_calls = partial(path_lengths, column="whole_ms")


def backends(measured):
    """A row for each graph and number of pairs: ms of each scheme by CUDA and by WebGPU, and how many times as long
    WebGPU takes as CUDA, by wgpu-native and by Dawn."""
    times = measured.times((*SCHEMES, *WEBGPU, *(name + DAWN for name in WEBGPU)))
    times = times[times[list(WEBGPU)].notna().any(axis="columns")]
    cells, columns, titles = measured.cells(times), [], []
    for cuda, webgpu in zip(SCHEMES, WEBGPU):
        over = [times_faster(times[name], times[cuda]) for name in (webgpu, webgpu + DAWN)]
        columns += [cells[cuda], cells[webgpu], *over]
        titles += [f"{short(cuda).removeprefix('ibfs-')}: CUDA", "WebGPU", "over it", "Dawn over it"]
    header, rows = as_table(pd.concat(columns, axis="columns"), "graph", "pairs")
    return [*header[:2], *titles], rows


def crossovers(measured):
    """{graph: the least number of pairs from which on a coalesced scheme always beats the workgroups, or None}. It
    compares whole calls, as the thesis does."""
    found = {}
    times = measured.times(SCHEMES, "whole_ms").dropna(how="all")
    faster = times.notna().all(axis="columns") & (fastest(times) != short(SCHEMES[0]))
    for graph, known in faster.groupby(level="graph", sort=False):
        sizes = known.droplevel("graph")
        last = max(sizes.index[~sizes], default=0)
        found[graph] = min((size for size in sizes.index if size > last), default=None)
    return found
