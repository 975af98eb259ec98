#!/usr/bin/env python3
"""Runs every kernel under every tool of compute-sanitizer, on small graphs; `make test-gpu` does on a GPU.

One line per tool and program. Exit status: 0 clean, 1 a tool reports what is not explained in
results/nvidia-h200/test-gpu.md, 3 there is no compute-sanitizer."""

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

TOOLS = {"memcheck": [], "racecheck": ["--racecheck-report", "hazard"], "synccheck": [], "initcheck": []}
SECONDS = 120  # for one program under one tool
SMALL = ["--sources", "2", "--verify", "all", "--quiet", "--device", "gpu"]
FEW_THREADS = "block-size=64 blocks-per-sm=1"
FEW_ENTRIES = "block-size=64 queue=32"
FEW_WARPS = "warps-per-block=2"
XBFS_BALANCES = ("static", "thread", "warp", "donate", "degree")
XBFS_QUEUES = ("scan-free", "single-scan", "double-scan")
# Settings of what fills the GPU whatever the options, and of what makes it take each of its ways.
WAYS = {
    "bfs auto": ["", "measure=1"],
    "dfs auto": ["engine=auto measure=1"],
    "msbfs auto": [f"engine={engine}" for engine in ("auto", "bitparallel", "perblock", "single", "ibfs")],
    "msbfs perblock": [
        f"{FEW_ENTRIES} chains=0",
        f"{FEW_ENTRIES} chains=1",
        f"{FEW_ENTRIES} bitmap=global chains=0 --aggregates",
    ],
    "msbfs bitparallel": ["", "push-edges=0 relabel=1", "push-edges=0 relabel=0 blocks=3", "--aggregates"],
    "msbfs blest-naive": [""],
    "dfs nvg": [""],
    "wcc hooking": [""],
    "bfs khop": ["k=3", "index-mb=0"],
    "bfs slices": [
        "",
        "force=short-lists",
        "force=exchange",
        "force=all-kinds",
        "force=few-pieces",
    ],
    "bfs berrybees": [""],
    "bfs dobfs": ["", "prepare=0", "compress=1"],
    "bfs xbfs": [
        *(f"{FEW_THREADS} balance={way} high-degree-above=32" for way in XBFS_BALANCES),
        *(f"{FEW_THREADS} queue={way} alpha=30" for way in XBFS_QUEUES),
    ],
}
OTHER_GRAPHS = ["kron:8", "path:40", "star:100"]
GRAPHS = {"topo": ["dag:200:0.2"], "dfs": [*OTHER_GRAPHS, "dag:200:0.2"]}
KINDS = "Error|Warning|Invalid|Misaligned|Program hit|Uninitialized|Barrier error"
REPORT = re.compile(rf"^=+ +({KINDS})", re.MULTILINE)
# racecheck knows barriers only: these hand data from warp to warp by flags and fences, which their comments
# argue for and the emulator's schedules try.
BY_FLAGS = re.compile(r"dfs (v|auto|handoff)")
TOO_SLOW = "index-mb=0"  # for racecheck: a cluster's shared memory
# Calls that are refused on purpose; a flag in shared memory that two warps hand to and fro on purpose.
EXPLAINED = re.compile(r"Program hit cudaError(InvalidValue|MemoryAllocation) |ping_pong_shared")


def unexplained(log):
    """The reports, each ended by an empty line of the tool, that EXPLAINED does not cover."""
    records = re.split(r"^=+ *$", log, flags=re.MULTILINE)
    return [record for record in records if REPORT.search(record) and not EXPLAINED.search(record)]


def check(sanitizer, tool, name, command):
    words = [sanitizer, "--tool", tool, *TOOLS[tool], *map(str, command)]
    run = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    log = run.stdout.decode(errors="replace")
    reports = unexplained(log)
    if run.returncode == 0 and not reports and "SUMMARY" in log:
        print(f"{tool}, {name}: clean", flush=True)
        return True
    print(f"{tool}, {name}: FAILED with status {run.returncode}, {len(reports)} reports", flush=True)
    print("".join(reports[:3]) or log[-2000:])
    return False


def programs(build):
    """Pairs of a name and a command: the backend's primitives, the BVSS, samples, and every GPU algorithm."""
    yield "the backend's primitives", [build / "tests" / "kernels" / "test_backend_cuda"]
    yield "the BVSS", [build / "tests" / "kernels" / "test_bvss_cuda"]
    yield "samples of searches", [build / "tests" / "kernels" / "test_msbfs_auto_cuda"]
    gtrav = build / "gtrav"
    listing = subprocess.run([gtrav, "--list", "--json"], stdout=subprocess.PIPE, check=True)
    for algorithm in json.loads(listing.stdout):
        family, variant = algorithm["family"], algorithm["variant"]
        graphs = [word for graph in GRAPHS.get(family, OTHER_GRAPHS) for word in ("--graph", graph)]
        if algorithm["device"] == "gpu":
            name = f"{family} {variant}"
            for way in WAYS.get(name, [FEW_WARPS if BY_FLAGS.match(name) else FEW_THREADS]):
                words = [word for each in way.split() for word in ([each] if each[0] == "-" else ["--set", each])]
                yield name, [gtrav, "--algo", family, "--variant", variant, *graphs, *SMALL, *words]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=Path, help="folder of the build")
    arguments = parser.parse_args()
    sanitizer = shutil.which("compute-sanitizer")
    if sanitizer is None:
        print("sanitize: no compute-sanitizer here; it comes with the CUDA Toolkit", file=sys.stderr)
        return 3
    clean = []
    for tool in TOOLS:
        for name, command in programs(arguments.build):
            if tool == "racecheck" and TOO_SLOW in command:
                print(f"racecheck, {name} with {TOO_SLOW}: not asked, it takes too long")
            elif tool == "racecheck" and BY_FLAGS.match(name):
                print(f"racecheck, {name}: not asked, it shares memory by flags")
            else:
                clean.append(check(sanitizer, tool, name, command))
    return 0 if all(clean) else 1


if __name__ == "__main__":
    sys.exit(main())
