"""Runs closeness with 1, 2, 4, ... GPUs, by one process (--gpus) and by one a GPU (mpirun), and prints how it
scales.

A time is that on the clock, from the first batch to the sums of all; the efficiency is the first time, times
its GPUs, over the time, times its own. Words after -- are given to gtrav as they are:

    scaling_devices.py kron:22 --csv results/scaling -- --variant bitparallel --verify none
"""

import os
import shlex
import sys

from evaluation.campaigns.gtrav import PROGRAM, ask
from evaluation.command import new_parser, parse_words
from evaluation.text_tables import digits, markdown

# Open MPI lets root, who is often the only user of a container, start nothing without these.
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
HEADER = ["graph", "by", "devices", "s", "kernel s", "GTEPS", "efficiency", "verified"]


def measure(how, count, graph, arguments):
    """gtrav's JSON of the best of so many runs."""
    words = ["--algo", "closeness", "--graph", graph, "--json"]
    words += ["--csv", os.path.join(arguments.csv, how)] if arguments.csv else []
    command = [PROGRAM, "--gpus", count]
    if how == "ranks":
        command = [*shlex.split(arguments.mpirun), "-n", count, PROGRAM]
    runs = [run for _ in range(arguments.runs) for run in ask(*command, *words, *arguments.extra)]
    return min(runs, key=lambda run: run["time_ms"])


def line_of(graph, how, run, efficiency):
    seconds = run["time_ms"] / 1e3
    speed = [digits(seconds), digits(run["kernel_ms"] / 1e3), digits(run["edges"] / seconds / 1e9)]
    return [graph, how, str(run["devices"]), *speed, f"{efficiency:.3f}", run["verified"]]


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("graph", nargs="+", help="graphs, as gtrav's --graph takes them")
    add("--gpus", default="1,2,4", metavar="N[,N...]", help="numbers of GPUs (default: 1,2,4)")
    how = "threads: one process; ranks: one a GPU (default: threads,ranks)"
    add("--by", default="threads,ranks", help=how)
    add("--runs", type=int, default=1, help="of which the best is told (default: 1)")
    add("--mpirun", default="mpirun --bind-to none", help="default: mpirun --bind-to none")
    add("--csv", metavar="DIR", help="keep gtrav's records in DIR/threads and DIR/ranks")
    arguments = parse_words(parser)

    os.environ.update(AS_ROOT)
    lines = []
    for graph in arguments.graph:
        for how in arguments.by.split(","):
            first = None
            for count in map(int, arguments.gpus.split(",")):
                run = measure(how, count, graph, arguments)
                cost = count * run["time_ms"]
                first = first or cost
                lines.append(line_of(graph, how, run, first / cost))
                print(*lines[-1], file=sys.stderr, flush=True)
    print(markdown(HEADER, lines), end="")
