"""Measures what a whole call for path lengths takes, the copies between host and GPU included:

  copies  GB/s of copies of 1 KB to 1 GB, up and down, from ordinary memory, through the pinned buffers, and
          from pinned memory; and of large ones with other buffers (build/bench/transfer)
  pairs   scripts/msbfs.py pairs: every variant, msbfs auto on the GPU, for a whole call and for a warm one

Records go to DIR/copies/<device>/copies.csv and DIR/pairs/<device>/. Then it tells the rate of uploads, for
UPLOAD_GB_PER_S in kernels/msbfs/call_model.c, which buffers were the fastest, and where msbfs auto took over
1.1 times the least time. What is measured is not measured again. Words after -- are given to gtrav.

Exit status: 0 all ran, 1 some failed, 2 bad usage, 3 no GPU, 130 interrupted.
"""

import subprocess
import sys

from evaluation.analyses import msbfs
from evaluation.campaigns import campaign
from evaluation.campaigns.gtrav import known_algorithms, rows_of_benchmark
from evaluation.command import new_parser, say
from evaluation.files import ROOT, read_rows, write_atomically
from evaluation.text_tables import as_csv

import pandas as pd

PARTS = ("copies", "pairs")
# Bytes; the second is about the graph snb:100, 187 MB.
LARGE = (16 << 20, 187 << 20, 1 << 30)
CHUNKS = tuple((chunk << 20, number) for chunk in (1, 2, 4, 8, 16) for number in (2, 3, 4))
SMALL, SMALL_LARGE, SMALL_CHUNKS = (1000, 100_000), (300_000,), ((10_000, 2), (50_000, 3))
STEADY = 64 << 20  # bytes from which on a copy tells the rate
MOST_TIMES = 1.1
NO_GPU = 3


def copies_of(arguments):
    """Rows of all runs of the benchmark, as dicts."""
    emulated = ["--emulator", "--runs", "1"] if arguments.small else []
    usual = SMALL if arguments.small else ()
    yield from rows_of_benchmark(arguments.transfer, *emulated, *usual)
    large = SMALL_LARGE if arguments.small else LARGE
    for chunk, number in SMALL_CHUNKS if arguments.small else CHUNKS:
        words = [*emulated, "--chunk", chunk, "--chunks", number, *large]
        rows = rows_of_benchmark(arguments.transfer, *words)
        yield from (row for row in rows if row["way"] == "staged")


def measure_copies(arguments):
    if list(arguments.csv.glob("copies/*/copies.csv")) and "--fresh" not in arguments.extra:
        return
    try:
        rows = list(copies_of(arguments))
    except OSError as error:
        raise campaign.StepError(f"{error}; make builds build/bench/transfer") from error
    text = as_csv(rows[0], [row.values() for row in rows])
    write_atomically(arguments.csv / "copies" / rows[0]["device"] / "copies.csv", text)
    say(f"copies: {len(rows)} rows")


def measure_pairs(arguments):
    words = [sys.executable, ROOT / "scripts" / "msbfs.py", "pairs", "--csv", arguments.csv]
    words += ["--gtrav", arguments.gtrav, *(["--small"] if arguments.small else [])]
    words += [word for graph in arguments.graph or () for word in ("--graph", graph)]
    words += ["--time-limit", str(arguments.time_limit)] if arguments.time_limit else []
    words += ["--pairs", arguments.pairs] if arguments.pairs else []
    status = subprocess.run([*words, "--", *arguments.extra] if arguments.extra else words).returncode
    if status == campaign.INTERRUPTED:
        raise campaign.Interrupted("pairs")
    if status:
        raise campaign.StepError(f"scripts/msbfs.py ended with status {status}")


# ---- what was found ----


def report_copies(rows):
    """Lines: the rate each way, and the buffers with the best rate; of several sizes the worst counts."""
    rows = pd.DataFrame(rows).astype({"bytes": int, "gb_per_s": float})
    rates = rows[rows.bytes >= STEADY].groupby(["direction", "way", "chunk_bytes", "chunks"]).gb_per_s.min()
    best = rates.sort_values().groupby(level=["direction", "way"]).tail(1).sort_index()
    for direction in ("up", "down"):
        for (_, way, chunk, number), rate in best[best.index.isin([direction], level=0)].items():
            buffers = f", with {number} buffers of {int(chunk) >> 20} MB" if way == "staged" else ""
            yield f"copies {direction}, {way}: {rate:.1f} GB/s{buffers}"


def report_calls(measured):
    """Lines: where `msbfs auto` took more than it should, of how many."""
    for what, make in (("whole", msbfs.whole_calls), ("warm", msbfs.warm_calls)):
        header, rows = make(measured)
        found = [dict(zip(header, row)) for row in rows]
        known = [row for row in found if row["auto over it"]]
        over = [row for row in known if float(row["auto over it"].rstrip("x")) > MOST_TIMES]
        near = len(known) - len(over)
        yield f"{what} calls: msbfs auto within {MOST_TIMES} of the least in {near} of {len(known)}"
        for row in over:
            yield f"  {row['graph']}, {row['pairs']} pairs: {row['auto over it']} of {row['fastest']}"


def report(arguments):
    for path in sorted(arguments.csv.glob("copies/*/copies.csv")):
        for line in report_copies(read_rows(path, numbers=("bytes", "gb_per_s"))):
            print(line)
    for line in report_calls(msbfs.Measured(arguments.csv, "pairs")):
        print(line)


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("part", nargs="*", help=f"{', '.join(PARTS)} (default: all)")
    add("--graph", action="append", help="this graph instead of dataset/snb_list.csv; repeatable")
    add("--pairs", metavar="N[,N...]", help="numbers of pairs (default: the thesis's ten)")
    add("--small", action="store_true", help="on the emulator, whose times mean nothing")
    add("--transfer", default=ROOT / "build" / "bench" / "transfer", help="the program of the copies")
    campaign.add_options_of_graphs(parser, "results/run_msbfs")
    campaign.add_time_limit(parser)
    arguments = campaign.parse_measuring(parser)
    unknown = [part for part in arguments.part if part not in PARTS]
    if unknown:
        parser.error(f"not a part: {unknown[0]}; parts: {', '.join(PARTS)}")
    on_gpu = any(a["available"] and a["device"] == "gpu" for a in known_algorithms(arguments.gtrav))
    if not on_gpu and not arguments.small:
        say("no GPU here; --small runs it on the emulator, whose times mean nothing")
        return NO_GPU
    run = {"copies": measure_copies, "pairs": measure_pairs}
    steps = {("", part): part for part in arguments.part or PARTS}
    if arguments.plan:
        return campaign.name_steps(arguments, steps)
    status = campaign.carry_out(arguments, steps, lambda part: run[part](arguments))
    report(arguments)
    return status
