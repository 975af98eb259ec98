"""Runs CPU algorithms that have the option `threads` with 1, 2, 4, ... threads, and prints how they scale.

A cell is the mean kernel ms and the speedup over the first number of threads. Words after -- are given to
gtrav as they are: scaling.py kron:20 road:17 -- --sources 16 --csv results keeps the records, and goes on
from them.
"""

import json
import os
import subprocess
import sys

from evaluation.command import new_parser
from evaluation.files import ROOT
from evaluation.text_tables import digits, markdown


def kernel_ms(gtrav, arguments, extra, threads):
    """{(graph, variant): mean kernel ms}"""
    graphs = [word for graph in arguments.graph for word in ("--graph", graph)]
    algorithm = ["--algo", arguments.algo, "--variant", arguments.variant, "--set", f"threads={threads}"]
    command = [gtrav, *algorithm, *graphs, "--quiet", "--json", *extra]
    runs = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return {(r["graph"]["name"], r["algorithm"]["variant"]): r["summary"]["mean_kernel_ms"] for r in runs}


def main():
    parser = new_parser(__doc__)
    parser.add_argument("graph", nargs="+", help="graphs, as gtrav's --graph takes them")
    parser.add_argument("--algo", default="dfs", help="the family (default: dfs)")
    parser.add_argument("--variant", default="ckl,acr", help="its variants (default: ckl,acr)")
    parser.add_argument(
        "--threads", default="1,2,4,8,16", metavar="N[,N...]", help="numbers of threads (default: 1,2,4,8,16)"
    )
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    arguments, extra = parser.parse_args(words[:split]), words[split + 1 :]
    gtrav = os.environ.get("GTRAV", str(ROOT / "build" / "gtrav"))

    counts = arguments.threads.split(",")
    times = [kernel_ms(gtrav, arguments, extra, threads) for threads in counts]
    lines = [
        [*key, *(f"{digits(ms[key])} ({digits(first / ms[key]) if ms[key] else '-'}x)" for ms in times)]
        for key, first in times[0].items()
    ]
    print(markdown(["graph", "variant", *(f"{threads} threads" for threads in counts)], lines), end="")
