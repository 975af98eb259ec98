"""records.py: reads the records of gtrav and of the scripts, with checks.

load(folders) gives one DataFrame of all runs below folders, a row a run. trusted.py says which rows count.
The columns of a summary (results/DEVICE/FAMILY_VARIANT_perf.csv) are named in src/records/columns.c.
"""

import json
import statistics
from collections import Counter
from functools import cache
from pathlib import Path

from evaluation.comparison import SMALL_SHARE
from evaluation.files import ROOT, RecordsError, read_json, read_rows

import pandas as pd

KEY = ("graph", "family", "variant", "options", "device")
# Columns that distinguish the rows of a summary. GPUs leave `threads` empty, an older gtrav `graph_hash`.
ROW_KEY = (*KEY, "graph_hash", "threads")
VARIANT = ("family", "variant", "device")
NUMBERS = (
    *("vertices", "edges", "sources", "prepare_ms", "mean_time_ms", "mean_kernel_ms"),
    *("mean_mteps", "harmonic_mean_mteps", "mean_search_mteps"),
)
SEARCH_RATE = "mean_search_mteps"  # rate of the whole search
REQUIRED = (*KEY, *NUMBERS, "verified", "version", "date")

FAILED = "FAILED"
EMULATOR = "emulator"
PEERS = ROOT / "dataset" / "peers.csv"
SKIPPED = ("trials", "choice", "fastest")  # single trials; what only tables.md shows
PROVENANCE = "provenance.json"  # in a folder of records: their host, and the folders of that host's CPU


def read_records(path):
    """Returns the rows of a summary as dicts of strings, for each key the last one, which is the newest. Leaves out
    searches with max-depth, which do not visit the whole graph, and cold ones, whose caches were emptied."""
    rows = read_rows(path, REQUIRED, NUMBERS)
    if Path(path).stat().st_size == 0:
        raise RecordsError(f"{path}: line 1: no column {REQUIRED[0]}")
    for row in rows:
        row.pop("check", None)  # belongs to the line in the file; no other table has it
    kept = [row for row in rows if not {"max-depth", "caches"} & settings_of(row["options"]).keys()]
    return list({row_key(row): row for row in kept}.values())


def has_weights(row):
    return "weights" in settings_of(row.get("options") or "")


def namer(rows):
    """A function that names a row's graph and its content, as namer_of_kind() does. Weights are part of a content, but
    a graph has the same name with and without them."""
    namers = [namer_of_kind([row for row in rows if has_weights(row) == weighted]) for weighted in (False, True)]
    return lambda row: namers[has_weights(row)](row)


def namer_of_kind(rows):
    """A function that names a row's graph and its content: its name, unless that stands for several contents.

    A content is that of a hash, or of an older row, which has none, that of the only hash among rows of its
    name and size. Without such a hash, rows of one size are taken for one content."""
    hashes, contents = {}, {}

    def size_of(row):
        return tuple(row.get(name) or "" for name in ("graph", "vertices", "edges"))

    def content_of(row):
        known = hashes.get(size_of(row), ())
        return (*size_of(row), row.get("graph_hash") or (min(known) if len(known) == 1 else ""))

    for row in rows:
        if row.get("graph_hash"):
            hashes.setdefault(size_of(row), set()).add(row["graph_hash"])
    for row in rows:
        contents.setdefault(row["graph"], set()).add(content_of(row))

    def named(row):
        graph, vertices, edges, content = content_of(row)
        others = {known for known in contents.get(graph, ()) if known[2]} - {(graph, vertices, edges, content)}
        if others and edges:
            graph += f" ({content[:6] or f'{vertices} vertices, {edges} edges'})"
        return {**row, "graph": graph, "graph_hash": content}

    return named


def distinct_names(rows):
    """Returns the rows with names of graphs that distinguish their contents."""
    return [*map(namer(rows), rows)]


def facts_of(row):
    """Returns the facts of a row, {name: value}; empty without a row or without facts."""
    text = row.get("facts") if row else None
    if not text or pd.isna(text):  # NaN: of a file without the column, in a DataFrame
        return {}
    try:
        return dict(json.loads(text))
    except (TypeError, ValueError) as error:
        raise RecordsError(f"{row['graph']}, {row['variant']}: not an object of JSON: {text}") from error


# ---- one table of all runs ----

PAIRS_NUMBERS = ("vertices", "edges", "pairs", "sources", "batches", "time_ms", "kernel_ms")
PAIRS_COLUMNS = ("graph", "family", "variant", "device", *PAIRS_NUMBERS, "verified", "version", "date")
DAWN = "-dawn"  # ends a device's name where Dawn was the WebGPU library, and then the variant's name
BALANCE = "balance"  # the family of rows that sum up the tasks of blocks, and the folder that they are in
POLICIES = ("baseline", "diggerbees")  # by DiggerBees's balance-policy: a random victim, the fuller of two
TASKS = "tasks/dfs_v4_*.csv"  # in the folder of a device: the tasks of every block, which the option tasks writes
QUALITY = "quality"  # rows of quality.csv are as if below a folder of this name
LOAD = ("cores", "busy_cores", "throttled")  # how busy the machine was
OPTIONAL = (
    *("vertices", "edges", "pairs", "engine", "devices", *LOAD, "clock_limits", "threads", "build", "facts", "note"),
    "mean_tree_depth",
)


def load(folders):
    """Returns all runs below some folders: a DataFrame of strings with a row for each run, "" if a column is missing.

    Columns are those of a summary, and `folders` (the names of the folders above the file), `mode` (best unless
    the options say paper) and `reports_mode` (whether the options say which). Path lengths are of the family
    `pairs`, with the algorithm in `engine`; the tasks of blocks are of the family `balance`, a variant a policy.
    Graphs of different contents have different names."""
    found = [row for read in (_summaries, _path_lengths, _tasks, _qualities) for row in read(folders)]
    rows = pd.DataFrame(distinct_names(found), dtype=object)
    rows = rows.reindex(columns=list(dict.fromkeys([*rows.columns, *REQUIRED, *OPTIONAL, "folders"])))
    rows = rows.mask(rows.isna(), "")
    modes = [settings_of(options).get("mode", "") for options in rows.options]
    return rows.assign(mode=[mode or BEST for mode in modes], reports_mode=[mode != "" for mode in modes])


def _summaries(folders):
    for path, names in paths_of_records(folders, "*_perf.csv"):
        for row in read_records(path):
            yield {**row, "folders": names}


def _path_lengths(folders):
    for path, names in paths_of_records(folders, "*_pairs.csv"):
        for row in read_pairs_records(path):
            variant = row["variant"] if row["family"] == "msbfs" else f"{row['family']}-{row['variant']}"
            engine = {part: row[part] for part in ("family", "variant")}  # as failures name it
            known = {"options": "", **row, "family": "pairs", "variant": variant, "engine": engine}
            yield {**known, "folders": names, "mean_time_ms": row["time_ms"]}


def _tasks(folders):
    """Yields a row for each graph and policy, from the tasks of the blocks or from a summary of them."""
    known = {"family": BALANCE, "options": "", "verified": "first", "date": "", "folders": (BALANCE,)}
    for path, _ in paths_of_records(folders, "balance.csv"):
        for row in read_rows(path, numbers=("mean_variation", "sources")):
            policy = dict(zip("01", POLICIES)).get(row["balance_policy"], "")
            yield {**row, **known, "variant": policy, "device": path.parent.name}
    for path, _ in paths_of_records(folders, TASKS):
        of_file = {**known, "graph": graph_of_tasks(path), "device": path.parent.parent.name}
        trials_of = read_tasks(path)  # first, since it says what is wrong with the file
        of_file["version"] = read_rows(path)[-1].get("version", "")
        for policy, trials in trials_of.items():
            row = {**of_file, "variant": policy, "sources": str(len(trials))}
            yield {**row, "mean_variation": variation(trials)}


def _qualities(folders):
    for path, names in paths_of_records(folders, "quality.csv"):
        for row in read_rows(path, numbers=("sources",)):
            yield {**row, "options": "", "verified": "first", "date": "", "folders": (*names, QUALITY)}


def with_library(row):
    """Moves the name of the library Dawn, if the row has it, from the device's name to the variant's."""
    if not row["device"].endswith(DAWN):
        return row
    return {**row, "device": row["device"].removesuffix(DAWN), "variant": row["variant"] + DAWN}


def read_pairs_records(path):
    """Returns the newest row for each key of a file of path lengths, FAMILY_VARIANT_pairs.csv."""
    rows = map(with_library, read_rows(path, PAIRS_COLUMNS, PAIRS_NUMBERS))
    return list({row_key(row, (*ROW_KEY, "pairs")): row for row in rows}.values())


def graph_of_tasks(path):
    """The name of the graph of a file of tasks."""
    return path.stem.removeprefix("dfs_v4_")


def read_tasks(path):
    """{policy: trials} of a file of tasks; a trial is the list of the tasks of each block."""
    found = {policy: [] for policy in POLICIES}
    for row in read_rows(path, ("options", "source", "tasks")):
        policy = POLICIES[settings_of(row["options"]).get("balance-policy") != "0"]
        if not all(word.isdecimal() for word in row["tasks"].split()):
            raise RecordsError(f"{path}: tasks '{row['tasks']}'")
        found[policy].append([int(word) for word in row["tasks"].split()])
    if not any(found.values()):
        raise RecordsError(f"{path}: no trial in it")
    return {policy: trials for policy, trials in found.items() if trials}


def variation(trials):
    """Returns the coefficient of variation of the tasks per block, as a mean over trials, or None.

    Leaves out trials with fewer tasks than blocks, and trials of small reach, under 1% of the most tasks."""
    least = SMALL_SHARE * max(map(sum, trials), default=0)
    large = (tasks for tasks in trials if sum(tasks) >= max(len(tasks), least))
    spreads = [statistics.pstdev(tasks) / statistics.fmean(tasks) for tasks in large]
    return statistics.fmean(spreads) if spreads else None


def folders_of_the_host(folder):
    """The CPU's folders beside a folder of records that its provenance.json names.

    There are none by default: what lies beside it may be of another machine whose CPU has the same name."""
    path = Path(folder) / PROVENANCE
    names = read_json(path).get("cpu_folders", ()) if path.is_file() else ()
    return [path.parent.parent / name for name in names]


def paths_of_records(folders, pattern):
    """Yields (file, names of the folders above it) of the records for the report and figures."""
    for top in folders:
        for path in sorted(top.rglob(pattern)):
            names = (top.name, *path.relative_to(top).parts[:-1])
            if not set(SKIPPED) & set(names[1:]):
                yield path, names


def read_frame(path, columns=(), numbers=()):
    """Returns the rows of read_rows() as a DataFrame in which the columns `numbers` are numbers."""
    rows = read_rows(path, columns, numbers)
    frame = pd.DataFrame(rows) if rows else pd.DataFrame(columns=[*columns, *numbers])
    return frame.assign(**{name: pd.to_numeric(frame[name]) for name in numbers})


def as_dicts(rows):
    """rows.to_dict("records"), in a tenth of the time where columns are many and rows few."""
    names = list(rows.columns)
    return [dict(zip(names, values)) for values in rows.to_numpy(dtype=object).tolist()]


def small_first(rows, columns=("graph",)):
    """Sorts the rows of a DataFrame by the number of edges, then by these columns."""
    keys = ["edges", *columns]
    return rows.sort_values(keys, key=lambda column: column.astype(float) if column.name == "edges" else column)


def read_traces(path, run_of, columns=(), numbers=()):
    """Returns the levels of a file in traces/ as a DataFrame, for each source and run those of the last search.

    run_of: names the run of some settings, for the column `run`, or returns None to leave it out."""
    levels = read_frame(path, ("options", "source", "mode", *columns), ("level", "ms", *numbers))
    try:
        runs = {options: run_of(settings_of(options)) for options in levels.options.unique()}
    except KeyError as error:
        raise RecordsError(f"{path}: not the levels of traversals: no {error}") from error
    levels = levels.assign(run=levels.options.map(runs)).dropna(subset="run")
    searches = (levels.level == 1).groupby([levels.run, levels.source])
    number = searches.cumsum()
    if (number == 0).any():
        raise RecordsError(f"{path}: not the levels of traversals: no level 1")
    return levels[number == searches.transform("sum")]


def days_of(dates):
    """ "2026-11-21 to 2026-11-23"; empty: there is no date."""
    days = sorted({date[:10] for date in dates if date})
    return " to ".join(dict.fromkeys((days[0], days[-1]))) if days else ""


def kind_of(device):
    if device == EMULATOR or device.startswith("software-"):  # a WebGPU adapter that runs on the CPU
        return EMULATOR
    return "CPU" if device.startswith("cpu") else "GPU"


@cache
def programs_beside_gtrav():
    """((family, variant), ...) of the programs beside gtrav, in the order of dataset/peers.csv."""
    return tuple((row["family"], row["peer"]) for row in read_rows(PEERS, ("family", "peer")))


ANOTHER_PROGRAM = "another program"  # the note of path lengths by `scripts/measure.py msbfs pairs --program`


def is_of_gtrav(row):
    return row.get("note") != ANOTHER_PROGRAM and (row["family"], row["variant"]) not in programs_beside_gtrav()


LIMITS = {"limit-s", "launch-ms"}  # options that say how long a search may take, not what it does


def settings_of(options):
    """{name: value} of a row's options, without LIMITS."""
    pairs = (pair.partition("=")[::2] for pair in options.split())
    return {name: value for name, value in pairs if name not in LIMITS}


# Options of runs that write profiles or counters; older versions of gtrav have trace=1 for profile=1.
TRACING = ("profile", "trace", "work", "counters", "tasks")


def traces(settings):
    """Whether a run wrote a profile or counters, which takes time."""
    return any(settings.get(name, "0") != "0" for name in TRACING)


BEST, PAPER = "best", "paper"  # values of the option mode; rows without it, older ones among them, count as best


def most_common(devices):
    """Returns the most frequent device, or None; of equally frequent ones the last by name."""
    counts = Counter(devices)
    return max(counts, key=lambda device: (counts[device], device), default=None)


def names_of_cpu(devices):
    """Returns the sorted names of the most frequent CPU. A CPU that hides its model has two: one ends with its
    microarchitecture."""
    cpus = [device for device in devices if kind_of(device) == "CPU"]
    most = f"{most_common(cpus)}-"
    return [cpu for cpu in sorted(set(cpus)) if most.startswith(f"{cpu}-") or f"{cpu}-".startswith(most)]


def row_key(row, names=ROW_KEY):
    return tuple(row.get(name) or "" for name in names)


def with_usual_threads(frame):
    """Keeps the rows with their variant's most common number of threads; of equally common ones the greatest.

    Rows of an older gtrav do not report the threads. They stay unless another row is of the same measurement."""
    name_of, sort = VARIANT, (*KEY, "sources", "pairs", "devices")
    rows = as_dicts(frame)
    reported = [row for row in rows if row["threads"]]
    counts = Counter((row_key(row, name_of), row["threads"]) for row in reported)
    usual = dict(sorted(counts, key=lambda pair: (counts[pair], int(pair[1]))))
    known = {row_key(row, sort) for row in reported}

    def stays(row):
        if row["threads"]:
            return row["threads"] == usual[row_key(row, name_of)]
        return row_key(row, sort) not in known

    return frame.loc[list(map(stays, rows))]
