"""Measures gtrav's reader beside the fastest known one, scipy.io.mmread(FILE).tocsr(), on the same files.

Runs alternate, the medians are compared, and the files are in the page cache. gtrav's time is its load_ms; wall is
the whole process with --info, which computes statistics; scipy's time is taken in Python, after imports. Peak memory
is that of a process that reads a file and writes it as .gtrav, divided by the size of the CSR.

Exit status: 0 fast and small enough, 1 not, 2 it could not be measured.
"""

import itertools
import os
import statistics
import subprocess
import sys
import time

from evaluation.analyses.tables import READERS
from evaluation.campaigns.gtrav import PROGRAM, ask
from evaluation.command import new_parser
from evaluation.files import RESULTS, ROOT, write_atomically
from evaluation.text_tables import as_csv, digits, markdown

LEAST_SPEEDUP = 2.0  # over scipy
MOST_MEMORY = 2.5  # peak resident memory divided by the bytes of the CSR
REPEATS = 5
LINES_AT_ONCE = 1 << 20
# The values in a file of real entries: short, long, signed, with exponents.
VALUES = (b"1", b"-2.5", b"0.8147236863931789", b"3.1e-05", b"12345.678", b"-1.0000000000000000e+00")

# {name of the file: (description, the generator's spec, whether values are added)}
INPUTS = {
    "kron.mtx": ("scale-free, symmetric pattern", "kron:20", False),
    "road.mtx": ("road-like, symmetric pattern", "road:19", False),
    "dag.mtx": ("directed, general real", "dag:8000:0.4", True),
}

READ_WITH_SCIPY = """
import sys, time
import numpy, scipy.io
begin = time.perf_counter()
matrix = scipy.io.mmread(sys.argv[1]).tocsr()
print((time.perf_counter() - begin) * 1e3)
"""

# A process starts with the peak memory of the process that forked it, so a small one does.
RUN_AND_REPORT_PEAK = """
import os, sys
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(process, 0)
print(usage.ru_maxrss)
sys.exit(status != 0)
"""


def add_values(pattern, real):
    """Rewrites a file of a general pattern as one of real entries."""
    with open(pattern, "rb") as source, open(real, "wb") as target:
        target.write(source.readline().replace(b"pattern", b"real"))
        target.write(source.readline())
        values = itertools.cycle(VALUES)
        while lines := list(itertools.islice(source, LINES_AT_ONCE)):
            target.writelines(line[:-1] + b" " + value + b"\n" for line, value in zip(lines, values))


def make_input(folder, name):
    _, spec, with_values = INPUTS[name]
    path = folder / f"{spec.replace(':', '-')}-{name}"
    if not path.exists():
        partial = folder / f"partial-{name}"
        subprocess.run([PROGRAM, "--graph", spec, "--write", partial, "--quiet"], check=True)
        if with_values:
            add_values(partial, folder / "partial")
            os.replace(folder / "partial", partial)
        os.replace(partial, path)
    return path


def read_with_gtrav(path):
    """Returns load_ms, wall-clock milliseconds, bytes of the CSR, edges."""
    began = time.perf_counter()
    (facts,) = ask(PROGRAM, "--info", "--graph", path, "--json", "--quiet")
    wall = (time.perf_counter() - began) * 1e3
    return facts["load_ms"], wall, facts["csr_bytes"], facts["edges"]


def read_with_scipy(path):
    run = subprocess.run([sys.executable, "-c", READ_WITH_SCIPY, path], stdout=subprocess.PIPE, check=True)
    return float(run.stdout)


def peak_memory(path):
    """Returns the most resident bytes of a process that only reads the file and writes it again."""
    copy = path.with_suffix(".gtrav")
    command = [PROGRAM, "--graph", path, "--write", copy, "--quiet"]
    measuring = [sys.executable, "-S", "-c", RUN_AND_REPORT_PEAK, *command]
    run = subprocess.run(measuring, stdout=subprocess.PIPE, check=True)
    copy.unlink()
    return int(run.stdout) * 1024


def measure(path, repeats):
    """Returns the medians of gtrav's load_ms and wall and of scipy's ms, memory divided by the CSR's, and edges."""
    read_with_gtrav(path)  # so that the file is in the page cache
    runs = [(*read_with_gtrav(path), read_with_scipy(path)) for _ in range(repeats)]
    ours, walls, csr_bytes, edges, theirs = zip(*runs)
    medians = [statistics.median(times) for times in (ours, walls, theirs)]
    return *medians, peak_memory(path) / csr_bytes[0], edges[0]


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("--repeats", type=int, default=REPEATS, help=f"runs of each reader (default: {REPEATS})")
    add("--csv", action="store_true", help=f"keep the table in results/{READERS}, for docs/graphs.md")
    arguments = parser.parse_args()
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)

    lines, misses = [], []
    for name, (what, spec, _) in INPUTS.items():
        path = make_input(folder, name)
        ours, wall, theirs, memory, edges = measure(path, arguments.repeats)
        size = f"{path.stat().st_size / 1e6:.0f}"
        times = [digits(ours), digits(wall), digits(theirs), f"{theirs / ours:.1f}x"]
        lines.append([f"{spec}: {what}", size, f"{edges:,}", *times, f"{memory:.2f}"])
        if theirs / ours < LEAST_SPEEDUP:
            slow = f"{theirs / ours:.2f} times as fast as scipy, at least {LEAST_SPEEDUP} is wanted"
            misses.append(f"{spec}: {slow}")
        if memory > MOST_MEMORY:
            misses.append(f"{spec}: peak memory {memory:.2f} times the CSR, at most {MOST_MEMORY} is wanted")
    header = ["file", "MB", "edges", "gtrav ms", "wall ms", "scipy ms", "ratio", "peak / CSR"]
    cores = len(os.sched_getaffinity(0))
    print(f"Reading Matrix Market files, {cores} cores, medians of {arguments.repeats}\n")
    print(markdown(header, lines), end="")
    if arguments.csv:
        write_atomically(RESULTS / READERS, as_csv(header, lines))
    for miss in misses:
        print(f"bench_readers: {miss}", file=sys.stderr)
    return 1 if misses else 0
