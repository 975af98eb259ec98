#!/usr/bin/env python3
"""Runs one system of the kernels on the emulator: small graphs, many schedules, every result verified.

    tests/mutants/schedules.py SYSTEM [SEEDS]     one of RUNS below; 20 seeds unless it is told

Patches of kernels name it as their test. Exit status: 0 every result is right, 1 one is not: a line tells."""

import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

PROGRAM = Path(os.environ.get("GTRAV", "build/gtrav")).resolve()  # of the tree that this is called in
SEEDS = 20
TIME_LIMIT = 60  # seconds of a processor, of a run that takes one or two, however busy the machine is
WAIT_LIMIT = 20 * TIME_LIMIT  # seconds: of one that does not even use the processor

rng = random.Random(2)
# Edges of graphs that no generator makes. One way leads to a vertex of a tree: lost entries are seen.
FILES = {
    "deep.mtx": [(v, v - 1 - rng.randrange(min(v, 2))) for v in range(1, 700)],
    "bushy.mtx": [(v, v - 1 - rng.randrange(min(v, 25))) for v in range(1, 500)],
    "spider.mtx": [(v, 0 if v % 5 == 1 else v - 4 if v % 5 == 0 else v - 1) for v in range(1, 3001)],
    "apart.mtx": [(v, 0) for v in range(1, 6)] + [(v, v - 1) for v in range(7, 80)],
    "luxuriant.mtx": [(300 * c + 300, 300 * c) for c in range(3)]
    + [(300 * c + i, 300 * c) for c in range(4) for i in range(1, 300)],
    # A high-degree vertex that is found when most of the edges have been: a bottom-up level, and then a top-down one.
    "flask.mtx": [*((v, w) for v in range(41, 101) for w in range(41, v)), *((40, v) for v in range(40)), (41, 40)],
    # Ten vertices find nearly all others, all of them the same, at once.
    "few.mtx": [(v, w) for v in range(10, 120) for w in range(10)],
    # From 602 on, 601 finds all others; the last of them, which has 600 edges more, by one of many pieces.
    "fan.mtx": [*((600, v) for v in range(600)), *((601, v) for v in range(601)), (602, 601)],
    # 41 vertices of one level, with neighbours of their own: one to three pieces each, the last 21. The last
    # vertex of all is the source.
    "bouquet.mtx": [
        *((40 + 98 * c + 3 * c * (c - 1) + i, c) for c in range(40) for i in range(98 + 6 * c)),
        *((8640 + i, 8640) for i in range(1, 2600)),
        *((11240, c) for c in (*range(40), 8640)),
    ],
    "hairy.mtx": [(v, w) for v in range(33) for w in range(v)] + [(33 + v, v) for v in range(33)],
}


class Run(NamedTuple):
    """What gtrav is asked for, under each seed."""

    family: str
    variants: str
    graphs: str
    settings: str = ""
    arguments: str = "--sources 2"


# Vertices and degrees around 32 and 64, where words, warps and high-degree vertices begin; more vertices than
# threads.
LEVELS = (
    "path:2 path:32 path:33 path:64 star:33 star:66 star:400 complete:40 grid:9x7 tree:63 cycle:65 kron:7 urand:9:4"
)
LEVELS_AND_PARENTS = ("--sources 2", "--sources 2 --output-parents")
DAGS = "dag:32:0.2 dag:33:0.5 dag:100:0.05 dag:300:0.01 dag:65:1"
STACKS = "path:2 path:300 star:34 star:66 complete:150 grid:22x22 kron:8 deep.mtx bushy.mtx spider.mtx hairy.mtx"
KAHN_RUNS = [Run("topo", "kahn", DAGS), Run("topo", "kahn", DAGS, "mode=paper")]
WARPNET_RUNS = [
    Run("bfs", "queue,bitmap,warp", LEVELS),
    Run("bfs", "queue,bitmap,warp", LEVELS, "mode=paper"),
    *KAHN_RUNS,
]
# What default options do not reach on small graphs is set; a slice set in several parts.
BLEST_RUNS = [
    Run("bfs", "berrybees,blest-a,blest-ab,blest", f"{LEVELS} star:1100 kron:8:2"),
    Run("bfs", "blest-abcd", f"{LEVELS} star:1100 kron:8:2", "lazy-above=0"),
    Run("bfs", "blest", f"{LEVELS} star:1100 kron:8:2", "switch=always"),
    Run("bfs", "blest-a,blest-ab", f"{LEVELS} star:1100 kron:8:2", "mode=paper"),
    Run("bfs", "blest", f"{LEVELS} star:1100 kron:8:2", "mode=paper switch=always"),
    Run("bfs", "blest", f"{LEVELS} star:1100 kron:8:2", "unit=cuda switch=always"),
    Run("bfs", "blest", f"{LEVELS} star:1100 kron:8:2", "switch=always", "--sources 2 --output-parents"),
]
# Every path by force: both directions in turn, marks, a window smaller than the graph, bytes that run out,
# one block alone, lists by class, long ones too, more edges than a warp unrolls, no preparation.
DOBFS_GRAPHS = f"{LEVELS} star:1100 kron:8:2 dag:200:0.05 urand:8 apart.mtx"
DOBFS_RUNS = [
    Run("bfs", "dobfs", DOBFS_GRAPHS, settings, arguments)
    for arguments in LEVELS_AND_PARENTS
    for settings in (
        "force=relabelling",
        "force=alternating",
        "force=marks",
        "force=bottom-up",
        "force=small-limits prepare=0",
        "policy=7",
    )
]
# Every kind of level by force, lists and pieces that run out, shared high-degree vertices, a window smaller
# than the graph; a graph that is large for few blocks, whose last levels go top-down.
SLICES_GRAPHS = f"{LEVELS} star:1100 kron:8:2 dag:200:0.05 urand:8 apart.mtx"
SLICES_RUNS = [
    Run("bfs", "slices", SLICES_GRAPHS, settings, arguments)
    for arguments in LEVELS_AND_PARENTS
    for settings in (
        "force=hash-order",
        "force=short-lists",
        "force=exchange",
        "force=few-pieces",
        "force=bulk-marks",
        "force=all-kinds",
    )
] + [Run("bfs", "slices", "kron:11", "", arguments) for arguments in LEVELS_AND_PARENTS]
# Every queue and every balance; directions that change often, high-degree frontiers, classes, both widths.
XBFS_GRAPHS = (
    "path:33 star:34 star:700 complete:40 grid:9x7 kron:7 kron:7:40 dag:100:0.05 rgg:7 apart.mtx flask.mtx few.mtx"
)
XBFS_RUNS = [
    Run("bfs", "enterprise", XBFS_GRAPHS, "alpha=5"),
    Run("bfs", "enterprise", "star:66", "alpha=0", "--source 1"),  # a warp's first look
    Run("bfs", "xbfs", "fan.mtx", "alpha=0 high-degree-above=32", "--source 602"),
    *(
        Run("bfs", "xbfs", XBFS_GRAPHS, settings)
        for settings in (
            "high-degree-above=32",
            "alpha=2 balance=thread high-degree-above=32",
            "alpha=0 high-degree-above=32",
            "alpha=0 balance=thread",
            "alpha=0",
            "alpha=0 balance=warp block-size=32",
            "alpha=0 balance=degree",
            "alpha=30 queue=scan-free balance=static",
            "alpha=100 queue=scan-free",
            "alpha=30 queue=single-scan high-degree-above=32",
            "alpha=60 queue=double-scan async=0",
        )
    ),
    *(
        Run("bfs", "xbfs", "bouquet.mtx", f"high-degree-above=32 {settings}", "--source 11240")
        for settings in (
            "alpha=100 queue=scan-free",
            "alpha=100 block-size=32",
            "alpha=0",
            "alpha=0 balance=warp block-size=32",
        )
    ),
]
# mode=paper: every step, both directions, classes and high-degree vertices; small grids, since each launch
# has all threads.
XBFS_PAPER_RUNS = [
    *(
        Run("bfs", "enterprise", f"{XBFS_GRAPHS} deep.mtx fan.mtx", f"mode=paper block-size=64 {settings}")
        for settings in ("alpha=5 blocks-per-sm=2", "alpha=0 blocks-per-sm=1", "alpha=100 blocks-per-sm=1")
    ),
    *(
        Run("bfs", "xbfs", f"{XBFS_GRAPHS} fan.mtx", f"mode=paper block-size=64 blocks-per-sm=2 {settings}")
        for settings in (
            "alpha=0",
            "alpha=2 balance=thread",
            "alpha=5 balance=static",
            "alpha=0 balance=degree",
            "alpha=30 queue=scan-free balance=degree",
            "alpha=30 queue=single-scan async=0",
            "alpha=60 queue=double-scan balance=donate",
            "alpha=100",
        )
    ),
]
# Pulls of each kind, after marks or not, planes, lists and bytes that run out, several batches, and sums.
BITPARALLEL_GRAPHS = "path:70 star:400 star:5000 kron:7 grid:9x7 urand:8:4 cycle:65 complete:40 dag:200:0.05 apart.mtx"
BITPARALLEL_RUNS = [
    Run("msbfs", "bitparallel", BITPARALLEL_GRAPHS, settings, arguments)
    for settings, arguments in (
        ("push-edges=0 mark-edges=0 relabel=1 planes=2", "--sources 40"),
        ("push-edges=0 relabel=1 batch=32", "--sources 70"),
        ("push-edges=40 mark-edges=0 relabel=0 blocks=3 byte-levels=3 batch=32", "--sources 70"),
        ("push-edges=100 list-pairs=256 batch=32", "--sources 70 --aggregates"),
        ("", "--sources 40"),
    )
]
# Queues that spill, records that go on, high-degree vertices of a block, bitmaps in global memory, chains, and sums.
PERBLOCK_RUNS = [
    Run("msbfs", "perblock", f"{BITPARALLEL_GRAPHS} path:300 road:4 road:7 luxuriant.mtx", settings, arguments)
    for settings, arguments in (
        ("block-size=64 queue=32 chains=0", "--sources 20"),
        ("block-size=32 queue=32 record-words=4 bitmap=global chains=0 level-bits=8", "--sources 20"),
        ("block-size=64 queue=32 record-words=16 chains=0", "--sources 20 --aggregates"),
        ("block-size=64 queue=32 chains=1", "--sources 20"),
    )
]
MSBLEST_RUNS = [
    Run("msbfs", "blest-a,blest-ab,blest", f"{BITPARALLEL_GRAPHS} road:4", settings, arguments)
    for settings, arguments in (
        ("kappa=32", "--sources 40"),
        ("kappa=128", "--sources 70"),
        ("kappa=64", "--sources 70 --aggregates"),
    )
]
IBFS_RUNS = [
    Run("msbfs", "ibfs-workgroup,ibfs-coalesced,ibfs-bottomup", f"{BITPARALLEL_GRAPHS} road:4", "", "--sources 70")
]
ANY_VICTIM = "mode=paper victims=any steal-copies=plain"
# Stacks so small, and thieves so greedy, that all that can happen does on such graphs.
RUNS = {
    "warpnet": WARPNET_RUNS,
    "kahn": KAHN_RUNS,
    "device": WARPNET_RUNS,
    "blest": BLEST_RUNS,
    "dobfs": DOBFS_RUNS,
    "slices": SLICES_RUNS,
    "xbfs": XBFS_RUNS,
    "xbfs-paper": XBFS_PAPER_RUNS,
    # Radii that differ, lists that are too short, and no index.
    "khop": [
        Run("bfs", "khop", f"{LEVELS} rgg:7", settings)
        for settings in (
            "k=1 force=short-lists",
            "k=3",
            "k=8 force=small-balls",
            "k=5 force=small-balls-and-lists",
            "index-mb=0 force=short-lists",
        )
    ]
    + [Run("bfs", "khop", "star:1100", "k=1"), Run("bfs", "khop", "spider.mtx", "index-mb=0 force=short-lists")],
    "bitparallel": BITPARALLEL_RUNS,
    "perblock": PERBLOCK_RUNS,
    "msbfs-blest": MSBLEST_RUNS,
    "ibfs": IBFS_RUNS,
    "nvg": [
        Run("dfs", "nvg", f"{DAGS} path:33 star:66 complete:33 grid:9x7 kron:6 dag:150:0.5"),
        Run("dfs", "nvg", "path:33 cycle:9 grid:5x6", "launch-ms=0"),  # a launch for each round
    ],
    "diggerbees": [
        *(
            Run("dfs", "v1,v2,v3,v4", STACKS, f"cold-size=1 hot-size=64 hot-cutoff={cutoff} cold-cutoff=4")
            for cutoff in (2, 4)
        ),
        Run("dfs", "v3,v4", STACKS, f"{ANY_VICTIM} cold-size=1 hot-size=64 hot-cutoff=4 cold-cutoff=8"),
        Run("dfs", "v1,v4", STACKS, "cold-size=1 top=stack"),
    ],
    "handoff": [
        Run("dfs", "handoff", f"{STACKS} star:2000", f"cold-size={size} ring-size=128 lists={lists}")
        for size, lists in ((1, "auto"), (0, "plain"))
    ],
}


def write_graph(path, edges):
    num_vertices = max(v for v, _ in edges) + 1
    lines = ["%%MatrixMarket matrix coordinate pattern symmetric"]
    lines += [f"{num_vertices} {num_vertices} {len(edges)}"]
    path.write_text("\n".join(lines + [f"{v + 1} {w + 1}" for v, w in edges]) + "\n")


def command_of(run, seed):
    graphs = [word for graph in run.graphs.split() for word in ("--graph", graph)]
    settings = [word for setting in f"seed={seed} {run.settings}".split() for word in ("--set", setting)]
    command = [PROGRAM, "--algo", run.family, "--variant", run.variants, *graphs, *settings]
    return [*command, "--device", "cpu-emulator", "--verify", "all", "--quiet", *run.arguments.split()]


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (TIME_LIMIT, TIME_LIMIT + 1))


def finding(run, seed, folder):
    """What is wrong with a run; "" if nothing is."""
    try:
        limits = {"timeout": WAIT_LIMIT, "preexec_fn": limit_time}
        result = subprocess.run(command_of(run, seed), cwd=folder, capture_output=True, text=True, **limits)
    except subprocess.TimeoutExpired:
        return f"no end within {WAIT_LIMIT} s"
    if -result.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return f"no end within {TIME_LIMIT} s"
    lines = result.stderr.strip().splitlines()
    return (lines[0] if lines else f"exit status {result.returncode}") if result.returncode != 0 else ""


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in RUNS:
        print(f"{__doc__}\n\nSYSTEM: {', '.join(RUNS)}")
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    with tempfile.TemporaryDirectory() as folder:
        for graph, edges in FILES.items():
            write_graph(Path(folder, graph), edges)
        for seed in range(int(sys.argv[2]) if len(sys.argv) == 3 else SEEDS):
            for run in RUNS[sys.argv[1]]:
                if found := finding(run, seed, folder):
                    print(f"seed {seed}, {run.family} {run.variants}: {found}")
                    return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
