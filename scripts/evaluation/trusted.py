"""trusted.py: which rows of records.load() count. RULES lists the rules.

of_machine() applies the rules: it chooses the GPU and the CPU that the numbers are of, and leaves out the rows
that failed, that nobody verified, that are of the emulator, that a busy machine measured, or that are of other
machines.
"""

from collections import defaultdict
from typing import Callable, NamedTuple, Optional

from evaluation.command import EvaluationError, NothingToReport
from evaluation.files import read_json
from evaluation.records import EMULATOR, FAILED, LOAD, PROVENANCE, ROW_KEY, kind_of, most_common, names_of_cpu

import pandas as pd


class Machine(NamedTuple):
    """A GPU, or none, and the names of the CPU that goes with it, and its provenance.json."""

    gpu: Optional[str]
    cpus: list
    provenance: dict


class Trusted(NamedTuple):
    rows: pd.DataFrame  # that count
    left_out: pd.DataFrame  # the others, with the column `reason`
    machine: Machine


# ---- rules ----


def refuted(rows):
    """Whether a newer verification of each row failed."""
    keys = rows.reindex(columns=[*ROW_KEY]).fillna("").agg(tuple, axis="columns")
    last = newest(rows[rows.verified != "none"]).index
    return keys.isin(keys[last][rows.verified[last] == FAILED])


def busy(rows):
    """Whether other programs, a quota, or lowered clocks of the GPU slowed each measurement."""
    known = rows.reindex(columns=[*LOAD, "threads"]).fillna("").replace("", "0").astype(int)
    wanted = known.busy_cores + known.threads.clip(lower=1)  # a GPU needs one for its host
    slowed = rows.reindex(columns=["clock_limits"]).fillna("").clock_limits != ""
    return slowed | (known.cores > 0) & ((wanted > known.cores) | (known.throttled > 0))


class Rule(NamedTuple):
    name: str
    words: str  # why a row does not count: "3 rows that ..."
    test: Callable  # whether each of some rows does not count


RULES = (
    Rule("failed", "failed", lambda rows: rows.verified == FAILED),
    Rule("unverified", "nobody verified", lambda rows: rows.verified == "none"),
    Rule("refuted", "a newer verification refuted", refuted),
    Rule("emulated", "ran on the emulator", lambda rows: rows.device == EMULATOR),
    Rule("busy", "were measured while other programs, a quota, or lowered clocks slowed the machine", busy),
)
ELSEWHERE, OTHER_DEVICE = "elsewhere", "other device"  # a CPU of another machine; a device not chosen


def reasons(rows):
    """The name of the first rule by which each row does not count; empty where it counts."""
    found = pd.Series("", rows.index)
    for rule in RULES:
        found[(found == "") & rule.test(rows)] = rule.name
    return found


def newest(rows, key=ROW_KEY):
    """Returns the newest row of each key, with its index; if several have the same date, the last of them."""
    known = rows.reindex(columns=[*key, "date"]).fillna("").sort_values("date", kind="stable")
    return known.drop_duplicates(list(key), keep="last")


# ---- the machine ----


def of_machine(rows, folder, device=None):
    """The Trusted rows of a device, by default of the GPU that most rows are of, and of the CPU beside it.

    folder: the folder of all records. EvaluationError: the device has no rows; NothingToReport: no row counts."""
    reason = reasons(rows)
    known = rows[reason.isin(["", "busy"])]
    if known.empty:
        raise NothingToReport(f"{folder} has only rows of the emulator, or that failed or nobody verified")
    if device and device not in set(known.device):
        raise EvaluationError(f"nothing of {device} in {folder}; there is: {', '.join(sorted(set(known.device)))}")
    on_cpu = device is not None and kind_of(device) == "CPU"
    gpus = [name for name in known.device if kind_of(name) == "GPU"]
    gpu = None if on_cpu else device or most_common(gpus)
    reason[known.index[is_elsewhere(known, folder, gpu)]] = ELSEWHERE
    known = known[reason[known.index] != ELSEWHERE]
    paths = [path for path in sorted(folder.rglob(PROVENANCE)) if path.parent.name == gpu]
    provenance = read_json(paths[0]) if paths else {}
    named = known.device[known.device.isin(provenance.get("cpu_folders", ()))]
    cpus = [device] if on_cpu else names_of_cpu(named) or names_of_cpu(known.device)
    reason[reason.isin(["", "busy"]) & ~rows.device.isin([gpu, *cpus])] = OTHER_DEVICE
    left_out = rows[reason != ""].assign(reason=reason[reason != ""])
    return Trusted(rows[reason == ""], left_out, Machine(gpu, cpus, provenance))


# ---- CPUs of several machines, which may have the same name ----


def is_elsewhere(rows, top, gpu):
    """Whether each row is of a CPU of another machine than this GPU's; top: the folder of all records.

    Rows of a CPU are of the machine whose GPU has rows in the same folder, or else in the nearest folder above.
    Where GPUs of several machines have rows there, only folders right below it count: results/run_1/cpu-x beside
    results/run_1/gpu-y. A folder that a machine's provenance.json names is of that machine. Rows without a GPU
    above them are of every machine."""
    gpus = _gpus_below(rows)
    named = _named_folders(top, gpus)

    def is_of_another(device, folders):
        if gpu is None or kind_of(device) != "CPU":
            return False
        above = [folders[:depth] for depth in range(len(folders), 0, -1)]
        known = next((named[folder] for folder in above if folder in named), None)
        if known is not None:
            return gpu not in known
        nearest = next((folder for folder in above if folder in gpus), None)
        is_right_below = nearest in (folders, folders[:-1])
        return nearest is not None and not (gpu in gpus[nearest] and (is_right_below or len(gpus[nearest]) == 1))

    return [is_of_another(*pair) for pair in zip(rows.device, rows.folders)]


def _gpus_below(rows):
    """{folder: GPUs with rows in it or below}; a folder is a tuple of names, as in the column `folders`."""
    found = defaultdict(set)
    for device, folders in set(zip(rows.device, rows.folders)):
        if kind_of(device) == "GPU":
            for depth in range(1, len(folders) + 1):
                found[folders[:depth]].add(device)
    return found


def _named_folders(top, gpus):
    """{folder of a CPU: GPUs of the machine whose provenance.json names the folder}."""
    found = defaultdict(set)
    for path in top.rglob(PROVENANCE):
        machine = (top.name, *path.parent.relative_to(top).parts)
        for name in read_json(path).get("cpu_folders", ()):
            found[(*machine[:-1], name)] |= gpus.get(machine, set())
    return found
