"""records.py: gtrav's summary records (results/DEVICE/FAMILY_VARIANT_perf.csv) for scripts and plots.

The columns are named in src/bench/records.c; here stands only what the scripts compute with.
"""

import csv
import json
import math
import os
from collections import Counter
from pathlib import Path

from evaluation.command import EvaluationError

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"

KEY = ("graph", "family", "variant", "options", "device")
# What tells the rows of a summary apart. Older records have no column `threads`, and GPUs leave it empty.
ROW_KEY = (*KEY, "threads")
NUMBERS = (
    "vertices",
    "edges",
    "sources",
    "prepare_ms",
    "mean_time_ms",
    "mean_kernel_ms",
    "mean_mteps",
    "harmonic_mean_mteps",
)
REQUIRED = (*KEY, *NUMBERS, "verified", "version", "date")

FAILED = "FAILED"
EMULATOR = "emulator"
PROVENANCE = "provenance.json"  # in a GPU's folder: its host, and the folders of that host's CPU


# From the simplest to the most elaborate, as the papers list them; others follow by name.
SERIES_ORDER = (
    *("serial", "gap", "ckl", "acr", "nvg", "v1", "v2", "v3", "v4", "v5"),
    *("queue", "bitmap", "warp", "kahn", "enterprise", "xbfs", "stream", "kball", "auto"),
    *("berrybees", "blest-a", "blest-ab", "blest-abc", "blest-abcd", "blest"),
)


class RecordsError(EvaluationError):
    """Records that cannot be used; the message is one line with file and line."""


def read_records(path):
    """The rows of a summary or merged file, as dicts of strings; columns computed with are checked."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, strict=True)
            absent = [name for name in REQUIRED if name not in (reader.fieldnames or [])]
            if absent:
                raise RecordsError(f"{path}: line 1: no column {absent[0]}")
            rows = []
            for row in reader:
                _check(f"{path}: line {reader.line_num}", row)
                rows.append(row)
            return rows
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RecordsError(f"cannot read {path}: {error}") from error


def _check(where, row):
    if None in row or None in row.values():
        raise RecordsError(f"{where}: {'more' if None in row else 'fewer'} fields than the first line names")
    for name in NUMBERS:
        try:
            ok = math.isfinite(float(row[name]))
        except ValueError:
            ok = False
        if not ok:
            raise RecordsError(f"{where}: {name}: '{row[name]}' is not a number")


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecordsError(f"cannot read {path}: {error}") from error


def folders_of_the_host(folder):
    """The CPU's folders beside a GPU's folder: those that its provenance.json names, or else all.

    A folder that is not a GPU's has none: its devices are below it."""
    path = Path(folder) / PROVENANCE
    names = read_json(path).get("cpu_folders") if path.is_file() else None
    if names:
        return [path.parent.parent / name for name in names]
    return sorted(path.parent.parent.glob("cpu-*")) if kind_of(path.parent.name) == "GPU" else []


def read_merged(family, folder):
    """The merged table of a family; empty where it has none."""
    path = Path(folder) / f"merged_{family}_perf.csv"
    return read_records(path) if path.is_file() else []


def read_representative(folder):
    """The rows of merged_perf_rep.csv; empty where it is not there."""
    path = Path(folder) / "merged_perf_rep.csv"
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file, strict=True))
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RecordsError(f"cannot read {path}: {error}") from error


def write_atomically(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def kind_of(device):
    if device == EMULATOR:
        return EMULATOR
    return "CPU" if device.startswith("cpu") else "GPU"


def row_key(row, names=ROW_KEY):
    return tuple(row.get(name) or "" for name in names)


def with_usual_threads(rows):
    """Of every variant the rows with the number of threads that most of its rows have, or else the greatest.

    Rows of an older gtrav do not tell theirs. They stay where there is no other row of the same."""
    name_of, sort = ("family", "variant", "device"), (*KEY, "order", "sources", "pairs", "devices")
    counts, known = {}, set()
    for row in rows:
        if row.get("threads"):
            counts.setdefault(row_key(row, name_of), Counter())[row["threads"]] += 1
            known.add(row_key(row, sort))
    usual = {name: max(found, key=lambda n: (found[n], int(n))) for name, found in counts.items()}

    def stays(row):
        if row.get("threads"):
            return row["threads"] == usual[row_key(row, name_of)]
        return row_key(row, sort) not in known

    return [row for row in rows if stays(row)]


def series_names(rows):
    """A name for each row's implementation: variant, kind of device, and what tells it from others."""
    options, devices, threads = {}, {}, {}
    for row in rows:
        options.setdefault((row["variant"], row["device"]), set()).add(row["options"])
        threads.setdefault((row["variant"], row["device"]), set()).add(row.get("threads") or "")
        devices.setdefault((row["variant"], kind_of(row["device"])), set()).add(row["device"])
    names = []
    for row in rows:
        variant, device = row["variant"], row["device"]
        several = len(devices[variant, kind_of(device)]) > 1
        tuned = f" {row['options']}" if len(options[variant, device]) > 1 else ""
        if len(threads[variant, device]) > 1:
            tuned += f" {row.get('threads') or 'unknown'} threads"
        names.append(f"{variant}{tuned} ({device if several else kind_of(device)})")
    return names


def pivot(rows, column="mean_kernel_ms"):
    """{graph: {series: value}}, small graphs first, and the series in the order of SERIES_ORDER."""
    table, series = {}, {}
    pairs = zip(rows, series_names(rows))
    for row, name in sorted(pairs, key=lambda pair: (float(pair[0]["edges"]), pair[0]["graph"])):
        table.setdefault(row["graph"], {})[name] = float(row[column])
        variant = row["variant"].split()[-1]
        place = SERIES_ORDER.index(variant) if variant in SERIES_ORDER else len(SERIES_ORDER)
        series[name] = (place, name)
    return table, sorted(series, key=series.get)


def dag_rows(dfs_rows, topo_rows):
    """What WarpNet compares on DAGs: topological sort, and depth-first search on the same graphs."""
    dags = {row["graph"] for row in topo_rows}
    rows = [row for row in dfs_rows if row["graph"] in dags] + topo_rows
    return [{**row, "variant": f"{row['family']} {row['variant']}"} for row in rows]
