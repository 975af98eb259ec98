"""msbfs.py: what tables and figures make of the records of scripts/msbfs.py.

Numbers of tables are Blest's (Elbek and Kaya 2026), those of figures are of the thesis on IBFS (Dreef 2025).
"""

import re
from pathlib import Path

from evaluation.analyses.blest import INDEX_BYTES, SIGMA, bvss_bytes, ratio, split_options, with_means
from evaluation.failures import TIME_LIMIT, read_failures
from evaluation.files import read_rows
from evaluation.methods import by_size, size_of, trusted
from evaluation.records import (
    BEST,
    ROW_KEY,
    SEARCH_RATE,
    in_mode,
    kind_of,
    read_records,
    row_key,
    settings_of,
)
from evaluation.speedups import search_ms

# Implementations are called "FAMILY VARIANT".
ABLATION = {
    "msbfs blest-naive": "(Naive)",
    "msbfs blest-a": "(A)",
    "msbfs blest-ab": "(AB)",
    "msbfs blest": "(Full)",
}
FULL = "msbfs blest"
OWN = ("msbfs bitparallel", "msbfs perblock", "msbfs auto")
SINGLE = ("bfs blest", "bfs auto")  # a source after the other
# Geometric means of the speedups over (Naive) in Blest's table 6.
PAPER_SPEEDUPS = {"(Naive)": 1.00, "(A)": 0.52, "(AB)": 0.65, "(Full)": 2.69}

SCHEMES = ("msbfs ibfs-workgroup", "msbfs ibfs-coalesced", "msbfs ibfs-bottomup")
WEBGPU = ("msbfs webgpu-workgroup", "msbfs webgpu-coalesced", "msbfs webgpu-bottomup")  # the same schemes
BY_GPU = (*SCHEMES, *WEBGPU, "msbfs ibfs-auto", "msbfs bitparallel", "msbfs auto")
BY_CPU = ("msbfs then", "msbfs pbfs", "msbfs serial")
PAIRED = (*BY_GPU, *BY_CPU, "bfs auto")
AUTO = "msbfs auto"
# `msbfs auto` where the whole call, or a warm one, takes the least time; alone, it is on the GPU.
CALLS = {"cold": f"{AUTO} cold", "warm": f"{AUTO} warm"}


# ---- records ----

PAIRS_NUMBERS = ("vertices", "edges", "pairs", "sources", "batches", "time_ms", "kernel_ms")
PAIRS_COLUMNS = ("graph", "family", "variant", "device", *PAIRS_NUMBERS, "verified", "version", "date")


def read_pairs_records(path):
    """The rows of a file of path lengths, FAMILY_VARIANT_pairs.csv: of each key the newest."""
    rows = read_rows(path, PAIRS_COLUMNS, PAIRS_NUMBERS)
    return list({row_key(row, (*ROW_KEY, "pairs")): row for row in rows}.values())


READERS = {"perf": read_records, "pairs": read_pairs_records}


SECONDS = re.compile(r"(?<=time limit of )\d+ s")


def name_of(row):
    """FAMILY VARIANT; of `msbfs auto` with the calls for which it chose."""
    name = f"{row['family']} {row['variant']}"
    call = settings_of(row["options"]).get("call") if name == AUTO else None
    return CALLS.get(call, name)


class Measured:
    """The rows of a part, of one GPU and one CPU: of each graph, implementation and size the newest."""

    def __init__(self, results, part, mode=BEST):
        self.ending, self.size = ("pairs", "pairs") if part == "pairs" else ("perf", "sources")
        folder = part if part == "pairs" else f"{part}*"
        paths = sorted(Path(results).rglob(f"{folder}/*/*_{self.ending}.csv"))
        self.rows = {}
        for row in trusted([row for path in paths for row in READERS[self.ending](path)], mode):
            self.rows[row["graph"], int(row[self.size]), int(row.get("devices") or 1), name_of(row)] = row
        self.graphs = by_size(self.rows.values())
        paths = sorted(Path(results).rglob(f"{folder}/*/failures.csv"))
        failures = [row for path in paths for row in read_failures(path)]
        devices = {row["device"] for row in self.rows.values()}
        self.limits = {
            (row["graph"], int(row["pairs"]), name_of(row)): limit[0]
            for row in in_mode(failures, mode)
            if row["reason"] == TIME_LIMIT and row.get("pairs") and row["device"] in devices
            if (limit := SECONDS.search(row["message"]))
        }

    def sizes(self, graph):
        """Numbers of sources, or of pairs, ascending."""
        return sorted({size for name, size, *_ in self.rows if name == graph})

    def row(self, graph, size, name, gpus=1):
        return self.rows.get((graph, size, gpus, name))

    def ms(self, graph, size, name, gpus=1):
        """The time of all searches together. None: not measured."""
        row = self.row(graph, size, name, gpus)
        if not row:
            return None
        return float(row["time_ms"]) if self.size == "pairs" else search_ms(row) * size

    def whole_ms(self, graph, size, name):
        """The time of a whole call for path lengths, with graph and lengths on the host. None: unknown."""
        row = self.row(graph, size, name)
        return float(row["total_ms"]) if row and row.get("total_ms") else None

    def warm_ms(self, graph, size, name):
        """The time of a call on a prepared graph: searching, and fetching the lengths. None: unknown."""
        row = self.row(graph, size, name)
        return float(row["time_ms"]) + float(row["download_ms"]) if row and row.get("download_ms") else None

    def cell(self, graph, size, name, ms):
        """ms, or that it took longer than the limit."""
        limit = self.limits.get((graph, size, name))
        return ms if ms is not None or not limit else f"over {limit}"

    def all_ms(self, names):
        """{graph: {size: {name: ms}}} as far as measured, both ascending."""
        table = {}
        for graph in self.graphs:
            for size in self.sizes(graph):
                times = {name: time for name in names if (time := self.ms(graph, size, name))}
                if times:
                    table.setdefault(graph, {})[size] = times
        return table


# ---- tables: a header, and rows of values, None where nothing was measured ----


def short(name):
    return name.removeprefix("msbfs ")


def times_faster(above, below):
    faster = ratio(above, below)
    return faster and f"{faster:.2f}x"


def ablation(measured):
    """Table 6, and beside it our own: ms of the most searches that were measured on the graph."""
    columns = {**ABLATION, **{name: short(name) for name in OWN}}
    largest = {graph: measured.sizes(graph)[-1] for graph in measured.graphs}
    rows = [
        [graph, size, *(measured.ms(graph, size, name) for name in columns)]
        for graph, size in largest.items()
        if measured.ms(graph, size, next(iter(ABLATION)))
    ]
    titles = list(columns.values())
    header, rows = with_means(
        ["graph", "searches", *titles], rows, titles, lambda row, title: ratio(row["(Naive)"], row[title])
    )
    if rows:
        means = [f"{PAPER_SPEEDUPS[title]:.2f}x" if title in PAPER_SPEEDUPS else None for title in titles]
        rows.append(["the paper's mean, its graphs", None, *means])
    return header, rows


def many_against_one(measured):
    """Searches at once and one after the other, ms in all; faster: the fastest of ours than Blest in full."""
    ours = (FULL, *OWN)
    single = {f"{name}, each": name for name in SINGLE}
    rows = []
    for graph in measured.graphs:
        for size in reversed(measured.sizes(graph)):
            times = {name: measured.ms(graph, size, name) for name in (*ours, *single.values(), "msbfs then")}
            own = [times[name] for name in OWN if times[name]]
            if not own and not times[FULL]:
                continue
            best = times["msbfs auto"] or min(own, default=None)
            faster = [times_faster(times[FULL], best), times_faster(times["bfs auto"], best)]
            row = next(row for key, row in measured.rows.items() if key[0] == graph)
            rows.append([graph, *size_of(row), size, *times.values(), *faster])
    names = [*map(short, ours), *single, "then (CPU)", "over blest", "over bfs auto"]
    return ["graph", "vertices", "edges", "searches", *names], rows


NOTE = re.compile(
    r"BVSS: (\d+) VSSs of \d+ slices(?: in (\d+) tiles)?, compression ratio [\d.]+; kappa (\d+)"
)
LEVEL_BYTES = 4


def memory(measured):
    """Table 8, of the most searches, in MB; rest: results, counts and the like."""
    rows = []
    for graph in measured.graphs:
        row = measured.row(graph, measured.sizes(graph)[-1], FULL)
        found = NOTE.match(row.get("note") or "") if row else None
        if not found:
            continue
        num_vss, kappa, n = int(found[1]), int(found[3]), int(float(row["vertices"]))
        num_tiles = int(found[2]) if found[2] else None
        num_sets = -(-n // SIGMA)
        parts = [
            bvss_bytes(num_vss, num_tiles, n),
            3 * num_sets * SIGMA * kappa / 8,
            num_vss * INDEX_BYTES,
            num_sets * SIGMA * kappa * LEVEL_BYTES,
            num_sets * (kappa / 8 + 1),
        ]
        total = float(row["device_bytes"])
        order = split_options(row["options"])[0].partition(":")[0]
        rows.append([graph, order, kappa, *(value / 1e6 for value in (*parts, total - sum(parts), total))])
    parts = ["BVSS", "frontier", "queue", "levels", "active/dirty", "rest", "total"]
    return ["graph", "order", "kappa", *parts], rows


def closeness_times(measured):
    """Table 3, with the efficiency of several GPUs: one GPU's time over theirs and their number."""
    rows = []
    in_order = sorted(measured.rows, key=lambda key: (measured.graphs.index(key[0]), key[3], key[2]))
    for graph, size, gpus, name in in_order:
        row, alone = measured.row(graph, size, name, gpus), measured.row(graph, size, name)
        n, m = size_of(row)
        seconds = search_ms(row) * size / 1e3
        faster = ratio(search_ms(alone), search_ms(row)) if alone else None
        gained = [f"{faster:.2f}x", f"{100 * faster / gpus:.0f}%"] if faster and gpus > 1 else [None, None]
        where = "CPU" if kind_of(row["device"]) == "CPU" else gpus
        of = "all" if size == n else f"{size:,} of {n:,}"
        speed = [seconds, float(row[SEARCH_RATE]) / 1e3]
        rows.append([where, graph, n, m, of, name.split(" ")[1], *speed, *gained, row["verified"]])
    figures = ["seconds", "GTEPS", "speedup", "efficiency", "verified"]
    return ["GPUs", "graph", "vertices", "edges", "sources", "by", *figures], rows


def path_lengths(measured):
    """A row a graph and number of pairs: ms, and the fastest of the thesis's schemes and of all."""
    names = [name for name in PAIRED if any(key[3] == name for key in measured.rows)]
    rows = []
    for graph, sizes in measured.all_ms(names).items():
        for size, times in sizes.items():
            schemes = {name: time for name, time in times.items() if name in SCHEMES}
            best = [short(min(some, key=some.get)) if some else None for some in (schemes, times)]
            cells = [measured.cell(graph, size, name, times.get(name)) for name in names]
            rows.append([graph, size, *cells, *best])
    return ["graph", "pairs", *map(short, names), "best scheme", "fastest"], rows


def calls(measured, ms_of, auto):
    """A row a graph and number of pairs: ms by ms_of(graph, size, name), `msbfs auto` as it chooses
    for such calls, the fastest of the others, and how many times its time `auto` takes."""
    rows, limited = [], {key[2] for key in measured.limits}
    names = [name for name in PAIRED if name in limited or any(key[3] == name for key in measured.rows)]
    for graph in measured.graphs:
        for size in measured.sizes(graph):
            found = {name: ms_of(graph, size, name) for name in (*names, auto)}
            times = {name: ms for name, ms in found.items() if ms is not None}
            others = {name: ms for name, ms in times.items() if name != auto}
            if not others:
                continue
            fastest = min(others, key=others.get)
            over = times_faster(times[auto], others[fastest]) if auto in times else None
            cells = [measured.cell(graph, size, name, found[name]) for name in (*names, auto)]
            rows.append([graph, size, *cells, short(fastest), over])
    return ["graph", "pairs", *map(short, names), short(auto), "fastest", "auto over it"], rows


def whole_calls(measured):
    return calls(measured, measured.whole_ms, CALLS["cold"])


def warm_calls(measured):
    return calls(measured, measured.warm_ms, CALLS["warm"])


def backends(measured):
    """A row a graph and number of pairs: ms of each scheme by CUDA and by WebGPU, and how many times CUDA's
    time WebGPU takes."""
    rows = []
    for graph in measured.graphs:
        for size in measured.sizes(graph):
            cells = []
            for cuda, webgpu in zip(SCHEMES, WEBGPU):
                times = [measured.ms(graph, size, name) for name in (cuda, webgpu)]
                shown = [measured.cell(graph, size, name, ms) for name, ms in zip((cuda, webgpu), times)]
                cells += [*shown, times_faster(*reversed(times))]
            if any(measured.row(graph, size, name) for name in WEBGPU):
                rows.append([graph, size, *cells])
    schemes = [short(name).removeprefix("ibfs-") for name in SCHEMES]
    titles = [title for scheme in schemes for title in (f"{scheme}: CUDA", "WebGPU", "over it")]
    return ["graph", "pairs", *titles], rows


def crossovers(measured):
    """{graph: the least number of pairs from which on a coalesced scheme beats the workgroups, or None}."""
    found = {}
    for graph, sizes in measured.all_ms(SCHEMES).items():
        faster = {
            size: len(times) == len(SCHEMES) and min(times, key=times.get) != SCHEMES[0]
            for size, times in sizes.items()
        }
        last = max((size for size in sizes if not faster[size]), default=0)
        found[graph] = min((size for size in sizes if size > last), default=None)
    return found


TABLES = {
    "blest_table_3": ("Exact closeness (Blest, table III)", "closeness", closeness_times),
    "blest_table_6": ("Searches from many sources, ms in all (Blest, table VI)", "batches", ablation),
    "blest_table_8_many": ("Device memory in MB, many sources (Blest, table VIII)", "batches", memory),
    "msbfs": ("Searches at once and one after the other, ms in all", "batches", many_against_one),
    "ibfs_pairs": ("Path lengths of random pairs, ms (Dreef 2025, chapter 5)", "pairs", path_lengths),
    "ibfs_backends": ("Path lengths by CUDA and by WebGPU, ms", "pairs", backends),
    "ibfs_pairs_whole": ("Whole calls for path lengths, ms, the graph on the host", "pairs", whole_calls),
    "ibfs_pairs_warm": ("Calls for path lengths, ms, the graph prepared on the device", "pairs", warm_calls),
}
