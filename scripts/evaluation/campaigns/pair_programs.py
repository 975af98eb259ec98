"""Path lengths by programs of other authors, for the same pairs as gtrav; their records are like gtrav's.

A program is called as PROGRAM OFFSETS TARGETS PAIRS LENGTHS REPEATS:
  OFFSETS  num_vertices + 1 numbers of 64 bits: where each vertex's neighbours start in TARGETS
  TARGETS  vertices, 32 bits each
  PAIRS    a source and a destination for each pair, 32 bits each
  LENGTHS  the program writes here a signed number of 32 bits a pair: the path's length, or -1 without a path
  REPEATS  how often to answer all pairs
For each repeat it prints the lines `search_ms` (from the graph and the pairs on the device to the lengths there) and
`total_ms` (the whole call, from the host's memory to the host's memory), and it may print `version WORD`.

Every length is compared with that of `msbfs pbfs`. A program with a wrong length is recorded as FAILED, which no
table shows; the record's note counts the wrong ones.
"""

import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

from evaluation.campaigns.peer_formats import read_gtrav
from evaluation.campaigns.peers import PeerError, gpu_slug, numbers, run_command
from evaluation.command import say
from evaluation.files import read_rows, write_atomically
from evaluation.records import FAILED, read_pairs_records

import numpy as np
import pandas as pd

REFERENCE = ("--algo", "msbfs", "--variant", "pbfs")
NO_PATH = -1
OF_THE_PAIRS = (
    *("graph", "vertices", "edges", "graph_hash", "pairs", "sources", "load_ms", "devices"),
    *("cores", "busy_cores"),  # of the machine
)


class Reference:
    """The pairs of a file on a graph, and their right lengths by gtrav, in files of a folder for programs."""

    def __init__(self, gtrav, graph, pairs_file, folder):
        right = folder / "right.csv"
        written = ("--output", right, "--csv", folder / "csv", "--fresh")
        run_gtrav(gtrav, graph, *REFERENCE, "--pairs", pairs_file, *written)
        (path,) = folder.glob("csv/*/msbfs_pbfs_pairs.csv")
        self.row = read_pairs_records(path)[-1]
        answers = read_rows(right)
        ends = np.array([(row["src"], row["dst"]) for row in answers]).astype(np.uint32)
        self.lengths = np.array([row["length"] or NO_PATH for row in answers]).astype(np.int32)
        self.pairs = folder / "pairs.bin"
        ends.tofile(self.pairs)


def run_gtrav(gtrav, graph, *words):
    command = [str(word) for word in (gtrav, "--graph", graph, *words, "--quiet")]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise PeerError(lines[-1] if lines else f"gtrav ended with status {done.returncode}")


def write_arrays(gtrav, graph, folder):
    """Writes the graph for programs. Returns the files OFFSETS and TARGETS."""
    run_gtrav(gtrav, graph, "--write", folder / "graph.gtrav")
    files = folder / "offsets.bin", folder / "targets.bin"
    for path, array in zip(files, read_gtrav(folder / "graph.gtrav")):
        array.tofile(path)
    return files


def measure(program, arrays, reference, here, folder):
    """Runs a program. Returns its times, a row for each repeat, the lengths, and its version or ""."""
    path = folder / "lengths.bin"
    path.unlink(missing_ok=True)
    words = (Path(program).resolve(), *arrays, reference.pairs, path, here.repeats)
    text = run_command([str(word) for word in words], here.pairs_seconds, folder)
    times = {what: numbers(rf"^{what} (\S+)", text, here.repeats, what) for what in ("search_ms", "total_ms")}
    if not path.is_file():
        raise PeerError("it wrote no lengths")
    version = re.search(r"^version (\S+)$", text, re.MULTILINE)
    return pd.DataFrame(times), np.fromfile(path, np.int32), version[1] if version else ""


def count_wrong(found, right):
    """How many lengths differ; a length that is missing is wrong."""
    both = min(found.size, right.size)
    return int((found[:both] != right[:both]).sum()) + abs(found.size - right.size)


def record_of(name, reference, times, wrong, version, device):
    """Returns a row in gtrav's columns, of the repeat with the median search; what is unknown is empty."""
    median = times.sort_values("search_ms").iloc[(len(times) - 1) // 2]
    row = {column: "" for column in reference.row if column != "check"}
    row.update({column: reference.row[column] for column in OF_THE_PAIRS})
    row.update(family="msbfs", variant=name, device=device, version=version or name, repeats=len(times), batches="1")
    row.update(batch_sources=row["sources"], date=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    measured = {"time_ms": median.search_ms, "kernel_ms": median.search_ms, "total_ms": median.total_ms}
    measured |= {"min_time_ms": times.search_ms.min(), "max_time_ms": times.search_ms.max()}
    measured["prepare_ms"] = median.total_ms - median.search_ms  # and fetching the lengths
    row.update({column: f"{ms:.6f}" for column, ms in measured.items()})
    if wrong:
        row["facts"] = json.dumps({"wrong_lengths": wrong})
    said = f"{wrong} of {reference.lengths.size} lengths wrong" if wrong else "another program"
    return {**row, "verified": FAILED if wrong else "all", "note": said}


def path_of(csv, device, name):
    return csv / "pairs" / device / f"msbfs_{name}_pairs.csv"


def write_record(path, row):
    same = ("graph", "graph_hash", "pairs")
    kept = [known for known in rows_at(path) if any(known[column] != row[column] for column in same)]
    write_atomically(path, pd.DataFrame([*kept, row]).to_csv(index=False))


def rows_at(path):
    return read_pairs_records(path) if path.is_file() else []


def is_recorded(path, reference):
    same = ("graph", "graph_hash", "pairs")
    right = (row for row in rows_at(path) if row["verified"] != FAILED)
    return any(all(row[name] == reference.row[name] for name in same) for row in right)


def run_graph(here, graph, pairs_files, number):
    """Runs all programs of here.programs on a graph. Returns what failed, as pairs (what, why)."""
    failed, gpu = [], gpu_slug(here.gtrav)
    with tempfile.TemporaryDirectory(prefix="pairs-") as folder:
        folder = Path(folder)
        arrays = write_arrays(here.gtrav, graph, folder)
        for pairs_file in pairs_files:
            reference = Reference(here.gtrav, graph, pairs_file, folder)
            for name, program in here.programs:
                path = path_of(here.csv, gpu or reference.row["device"], name)
                if "--fresh" not in here.extra and is_recorded(path, reference):
                    continue
                label = f"{reference.row['graph']}: {reference.row['pairs']} pairs, {name}"
                try:
                    row = record(name, measure(program, arrays, reference, here, folder), reference, path)
                    search, whole = float(row["time_ms"]), float(row["total_ms"])
                    say(f"{number}{label}: {search:.3g} ms, whole call {whole:.3g} ms")
                except PeerError as error:
                    failed.append((label, str(error)))
                    say(f"{number}{label}: FAILED: {error}")
    return failed


def record(name, measured, reference, path):
    """Compares the lengths of a program, and adds a row to a file of records. PeerError: a length is wrong."""
    times, lengths, version = measured
    wrong = count_wrong(lengths, reference.lengths)
    row = record_of(name, reference, times, wrong, version, path.parent.name)
    write_record(path, row)
    if wrong:
        raise PeerError(row["note"])
    return row
