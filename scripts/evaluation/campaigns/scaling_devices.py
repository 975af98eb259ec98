"""Runs closeness with 1, 2, 4, ... GPUs, by one process (--gpus) and by one a GPU (mpirun), and prints how it
scales.

A time is that on the clock, from the first batch to the sums of all; the efficiency is the first time, times
its GPUs, over the time, times its own. Words after -- are given to gtrav as they are:

    scaling_devices.py kron:22 --csv results/scaling -- --variant rows --verify none
"""

import json
import os
import shlex
import subprocess
import sys

from evaluation.command import new_parser
from evaluation.files import ROOT
from evaluation.text_tables import digits, markdown


def command_for(how, count, arguments):
    gtrav = os.environ.get("GTRAV", str(ROOT / "build" / "gtrav"))
    if how == "ranks":
        return [*shlex.split(arguments.mpirun), "-n", str(count), gtrav]
    return [gtrav, "--gpus", str(count)]


def measure(how, count, graph, arguments, extra):
    """gtrav's JSON of the best of so many runs."""
    records = ["--csv", os.path.join(arguments.csv, how)] if arguments.csv else []
    command = [
        *command_for(how, count, arguments),
        "--algo",
        "closeness",
        "--graph",
        graph,
        "--json",
        *records,
    ]
    runs = []
    for _ in range(arguments.runs):
        done = subprocess.run([*command, *extra], stdout=subprocess.PIPE, check=True)
        runs += json.loads(done.stdout)
    return min(runs, key=lambda run: run["time_ms"])


def main():
    parser = new_parser(__doc__)
    parser.add_argument("graph", nargs="+", help="graphs, as gtrav's --graph takes them")
    parser.add_argument(
        "--gpus", default="1,2,4", metavar="N[,N...]", help="numbers of GPUs (default: 1,2,4)"
    )
    parser.add_argument(
        "--by",
        default="threads,ranks",
        help="threads: one process; ranks: one a GPU (default: threads,ranks)",
    )
    parser.add_argument("--runs", type=int, default=1, help="of which the best is told (default: 1)")
    parser.add_argument("--mpirun", default="mpirun --bind-to none", help="default: mpirun --bind-to none")
    parser.add_argument("--csv", metavar="DIR", help="keep gtrav's records in DIR/threads and DIR/ranks")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    arguments, extra = parser.parse_args(words[:split]), words[split + 1 :]

    lines = []
    for graph in arguments.graph:
        for how in arguments.by.split(","):
            first = None
            for count in map(int, arguments.gpus.split(",")):
                run = measure(how, count, graph, arguments, extra)
                seconds = run["time_ms"] / 1e3
                first = first or count * seconds
                lines.append(
                    [
                        graph,
                        how,
                        str(run["devices"]),
                        digits(seconds),
                        digits(run["kernel_ms"] / 1e3),
                        digits(run["edges"] / seconds / 1e9),
                        f"{first / (count * seconds):.3f}",
                        run["verified"],
                    ]
                )
                print(*lines[-1], file=sys.stderr, flush=True)
    header = ["graph", "by", "devices", "s", "kernel s", "GTEPS", "efficiency", "verified"]
    print(markdown(header, lines), end="")
