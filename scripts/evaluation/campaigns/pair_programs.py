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
import tempfile
import time
from pathlib import Path

from evaluation.campaigns import peers
from evaluation.campaigns.loop import StepError
from evaluation.campaigns.peer_formats import read_gtrav
from evaluation.command import say
from evaluation.files import read_rows
from evaluation.records import ANOTHER_PROGRAM, FAILED, read_pairs_records

import numpy as np
import pandas as pd

REFERENCE = ("--algo", "msbfs", "--variant", "pbfs")
NO_PATH = -1
SAME = ("graph", "graph_hash", "pairs")  # columns of two rows of the same pairs
OF_THE_PAIRS = (
    *("graph", "vertices", "edges", "graph_hash", "pairs", "sources", "load_ms", "devices"),
    *("cores", "busy_cores"),  # columns of the machine
)


class Reference:
    """The pairs of a file on a graph, and their right lengths by gtrav, in files of a folder for programs."""

    def __init__(self, gtrav, graph, pairs_file, folder):
        right = folder / "right.csv"
        written = ("--output", right, "--csv", folder / "csv", "--fresh")
        peers.run_gtrav(gtrav, graph, *REFERENCE, "--pairs", pairs_file, *written)
        (path,) = folder.glob("csv/*/msbfs_pbfs_pairs.csv")
        self.row = read_pairs_records(path)[-1]
        answers = pd.DataFrame(read_rows(right))
        self.lengths = answers.length.replace("", NO_PATH).astype(np.int32).to_numpy()
        self.pairs = folder / "pairs.bin"
        answers[["src", "dst"]].astype(np.uint32).to_numpy().tofile(self.pairs)


def write_arrays(gtrav, graph, folder):
    """Writes the graph for programs. Returns the files OFFSETS and TARGETS."""
    peers.run_gtrav(gtrav, graph, "--write", folder / "graph.gtrav")
    files = folder / "offsets.bin", folder / "targets.bin"
    for path, array in zip(files, read_gtrav(folder / "graph.gtrav")):
        array.tofile(path)
    return files


def measure(program, arrays, reference, here, folder):
    """Runs a program. Returns its times, a row for each repeat, how many lengths are wrong, and its version or ""."""
    path = folder / "lengths.bin"
    path.unlink(missing_ok=True)
    words = (Path(program).resolve(), *arrays, reference.pairs, path, here.repeats)
    text = peers.run_command([str(word) for word in words], here.pairs_seconds, folder)
    times = {what: peers.numbers(rf"^{what} (\S+)", text, here.repeats, what) for what in ("search_ms", "total_ms")}
    if not path.is_file():
        raise StepError("it wrote no lengths")
    found, right = np.fromfile(path, np.int32), reference.lengths
    both = min(found.size, right.size)  # a length that is missing is wrong
    wrong = int((found[:both] != right[:both]).sum()) + abs(found.size - right.size)
    return pd.DataFrame(times), wrong, peers.version_in(text)


def record_of(name, device, reference, times, wrong, version):
    """Returns a row in gtrav's columns, of the repeat with the median search; what is unknown is empty."""
    median = times.sort_values("search_ms").iloc[(len(times) - 1) // 2]
    measured = {
        **dict.fromkeys(("time_ms", "kernel_ms"), median.search_ms),
        "total_ms": median.total_ms,
        "prepare_ms": median.total_ms - median.search_ms,  # and fetching the lengths
        "min_time_ms": times.search_ms.min(),
        "max_time_ms": times.search_ms.max(),
    }
    return {
        **peers.values_of(reference.row, *OF_THE_PAIRS),
        **{column: f"{ms:.6f}" for column, ms in measured.items()},
        "family": "msbfs",
        "variant": name,
        "device": device,
        "version": version or name,
        "repeats": len(times),
        "batches": "1",
        "batch_sources": reference.row["sources"],
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "verified": FAILED if wrong else "all",
        "facts": json.dumps({"wrong_lengths": wrong}) if wrong else "",
        "note": f"{wrong} of {reference.lengths.size} lengths wrong" if wrong else ANOTHER_PROGRAM,
    }


def add_row(path, row, columns):
    """Adds a row to a file of records. StepError: a length is wrong."""
    peers.put_row(path, row, list(SAME), [column for column in columns if column != "check"])
    if row["verified"] == FAILED:
        raise StepError(row["note"])


def run_graph(here, graph, pairs_files, number):
    """Runs all programs of here.program on a graph, and adds a row for each to its records. Returns what failed, as
    pairs (what, why)."""
    failed, gpu = [], peers.gpu_slug(here.gtrav)
    with tempfile.TemporaryDirectory(prefix="pairs-") as folder:
        folder = Path(folder)
        arrays = write_arrays(here.gtrav, graph, folder)
        for pairs_file in pairs_files:
            reference = Reference(here.gtrav, graph, pairs_file, folder)
            for name, program in here.program:
                device = gpu or reference.row["device"]
                path = here.csv / "pairs" / device / f"msbfs_{name}_pairs.csv"
                if "--fresh" not in here.extra and peers.is_recorded([path], peers.values_of(reference.row, *SAME)):
                    continue
                label = f"{reference.row['graph']}: {reference.row['pairs']} pairs, {name}"
                try:
                    row = record_of(name, device, reference, *measure(program, arrays, reference, here, folder))
                    add_row(path, row, list(reference.row))
                    search, whole = float(row["time_ms"]), float(row["total_ms"])
                    say(f"{number}{label}: {search:.3g} ms, whole call {whole:.3g} ms")
                except StepError as error:
                    failed.append((label, str(error)))
                    say(f"{number}{label}: FAILED: {error}")
    return failed
