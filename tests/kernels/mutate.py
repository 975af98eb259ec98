"""Do the tests of the kernels find a mistake in them? `make test-mutants`.

Each mutation is a small mistake planted in a copy of the sources, which is built with the emulator and
without the GPU, and run on small graphs under schedules with different seeds, every result verified. A
mutation that no run notices must be one that cannot be noticed: `survives` says why. Exit status 1: one
survived that should not have, or the other way round."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ["Makefile", "config.mk", "VERSION", "src", "baselines", "kernels", "tests/tests.mk"]
WARPNET, BACKEND = "kernels/warpnet.cu", "kernels/backend/backend.h"
BVSS, BLEST = "kernels/bvss.cu", "kernels/bfs_blest.cu"
SEEDS = 20
TIME_LIMIT = 60  # seconds, of a run that takes a fraction of one

# Vertices and degrees around 32 and 64, where words, warps and hubs begin; more vertices than threads; a
# slice set in several parts.
GRAPHS = {
    "bfs": "path:2 path:32 path:33 path:64 star:33 star:66 star:400 star:1100 complete:40 grid:9x7 "
    "tree:63 cycle:65 kron:7 kron:8:2 urand:9:4",
    "topo": "dag:32:0.2 dag:33:0.5 dag:100:0.05 dag:300:0.01 dag:65:1",
}

# Family, variant and settings: what default options do not reach on small graphs is set.
RUNS = [
    ("bfs", "all", []),
    ("bfs", "blest-abcd", ["lazy-above=0"]),
    ("bfs", "blest", ["switch=always"]),
    ("topo", "all", []),
]

ORDER = "the emulator's memory is sequentially consistent: only a GPU, or reading, can tell"


class Mutation(NamedTuple):
    name: str
    file: str
    changes: list  # of (old text, which must occur, new text); all of its occurrences
    survives: str = ""  # why nobody can notice


MUTATIONS = [
    Mutation("copy without a mistake", WARPNET, [], "it is right"),
    # The grid barrier.
    Mutation(
        "grid_wait does not gather the block first",
        BACKEND,
        [
            (
                "    __syncthreads();\n    if (threadIdx.x == 0) {\n        uint64_t round",
                "    if (threadIdx.x == 0) {\n        uint64_t round",
            )
        ],
    ),
    Mutation(
        "grid_wait lets the block go on at once",
        BACKEND,
        [("    __syncthreads();\n    return *broadcast;", "    return *broadcast;")],
    ),
    Mutation(
        "grid_wait does not wait",
        BACKEND,
        [("while (load_acquire(&barrier->arrived) < all && !broken)", "while (all == 0 && !broken)")],
    ),
    Mutation(
        "grid_wait waits for one block fewer",
        BACKEND,
        [("(round + 1) * gridDim.x;", "(round + 1) * gridDim.x - 1;")],
    ),
    Mutation(
        "grid_wait reads the word before it waits",
        BACKEND,
        [
            (
                "        uint64_t round = add",
                "        word_t early = __ldcg(word);\n        uint64_t round = add",
            ),
            ("(word_t)-1 : __ldcg(word);", "(word_t)-1 : early;"),
        ],
    ),
    Mutation(
        "grid_wait arrives without release",
        BACKEND,
        [
            (
                "add_acquire_release(&barrier->arrived, 1)",
                "atomicAdd((unsigned long long *)&barrier->arrived, 1ull)",
            )
        ],
        ORDER,
    ),
    # Rotating counts.
    Mutation("two rotating counts", WARPNET, [("NUM_COUNTS 3u", "NUM_COUNTS 2u")]),
    Mutation(
        "bfs clears the count that was just read",
        WARPNET,
        [("search.counts[(level + 1) % NUM_COUNTS] = 0", "search.counts[(level + 2) % NUM_COUNTS] = 0")],
    ),
    Mutation(
        "kahn clears the count that was just read",
        WARPNET,
        [("search.counts[(round + 1) % NUM_COUNTS] = 0", "search.counts[(round + 2) % NUM_COUNTS] = 0")],
    ),
    # The queue.
    Mutation(
        "claim without compare-and-swap",
        WARPNET,
        [
            (
                "atomicCAS(&levels[ahead.neighbour[i]], UNREACHED, level) == UNREACHED",
                "(__stcg(&levels[ahead.neighbour[i]], level), true)",
            )
        ],
    ),
    Mutation(
        "append without the ballot's prefix",
        WARPNET,
        [("position + __popc(masks[i] & before)", "position + (before & 0)")],
    ),
    Mutation(
        "append counts the lane itself",
        WARPNET,
        [("(1u << lane_id()) - 1, masks", "(2u << lane_id()) - 1, masks")],
    ),
    Mutation(
        "append does not move on",
        WARPNET,
        [("        position += __popc(masks[i]);\n", "        (void)masks;\n")],
    ),
    Mutation(
        "append reserves after a plain read",
        WARPNET,
        [
            (
                "lane_id() == 0 ? atomicAdd(count, total) : 0;",
                "__ldcg(count);\n    __syncwarp();\n"
                "    if (lane_id() == 0)\n        __stcg(count, position + total);",
            )
        ],
    ),
    Mutation("the queue is not moved on", WARPNET, [("        queue += size;\n", "")]),
    # Edges and lanes.
    Mutation(
        "edges up to the end and one more", WARPNET, [("i * stride < span.end ?", "i * stride <= span.end ?")]
    ),
    Mutation(
        "a lane's share begins one late",
        WARPNET,
        [("return {edge + place, end};", "return {edge + place + 1, end};")],
    ),
    Mutation(
        "the last lane of a group gets no turn",
        WARPNET,
        [("turn < sharing.lanes", "turn + 1 < sharing.lanes")],
    ),
    Mutation(
        "a hub begins one edge earlier",
        WARPNET,
        [("mine.end - mine.edge > warp_above", "mine.end - mine.edge >= warp_above")],
        "it only changes which lanes take a vertex's edges",
    ),
    # The bitmap.
    Mutation(
        "the frontiers are not swapped",
        WARPNET,
        [("        frontier = next;\n        next = swap;\n", "        (void)swap;\n")],
    ),
    Mutation(
        "the old frontier is not cleared",
        WARPNET,
        [("                __stcg(&frontier[mine], 0u);", "                ;")],
        "its vertices are expanded again and find nothing new: it is only slower",
    ),
    Mutation(
        "a bitmap without its tail",
        WARPNET,
        [
            (
                "num_words = (graph.num_vertices - 1) / WARP_SIZE + 1",
                "num_words = graph.num_vertices / WARP_SIZE",
            )
        ],
    ),
    Mutation(
        "a bitmap with one word too many",
        WARPNET,
        [
            (
                "num_words = (graph.num_vertices - 1) / WARP_SIZE + 1",
                "num_words = graph.num_vertices / WARP_SIZE + 1",
            )
        ],
    ),
    Mutation(
        "a frontier bit set by load and store",
        WARPNET,
        [
            (
                "atomicOr(&next[neighbour / WARP_SIZE], 1u << (neighbour % WARP_SIZE));",
                "uint32_t *bits = &next[neighbour / WARP_SIZE];\n"
                "            __stcg(bits, __ldcg(bits) | 1u << (neighbour % WARP_SIZE));",
            )
        ],
    ),
    Mutation(
        "only the block's first thread says that there is more",
        WARPNET,
        [("__syncthreads_or(any) && threadIdx.x == 0", "any && threadIdx.x == 0")],
    ),
    Mutation(
        "a vertex is put into the frontier before it gets its level",
        WARPNET,
        [
            ("            __stcg(&levels[neighbour], level);\n", ""),
            (
                "            any = true;\n",
                "            __stcg(&levels[neighbour], level);\n            any = true;\n",
            ),
        ],
        "the next level begins behind a barrier, and within a level all write the same",
    ),
    Mutation(
        "levels by plain loads",
        WARPNET,
        [("__ldcg(&levels[ahead.neighbour[i]])", "levels[ahead.neighbour[i]]")],
        ORDER,
    ),
    # Kahn.
    Mutation(
        "in-neighbours counted down by load and store",
        WARPNET,
        [
            (
                "ready[0] = atomicSub(&search.waiting[vertices[0]], 1u) == 1;",
                "uint32_t left = __ldcg(&search.waiting[vertices[0]]) - 1;\n"
                "                        __stcg(&search.waiting[vertices[0]], left);\n"
                "                        ready[0] = left == 0;",
            )
        ],
    ),
    Mutation(
        "a slice of edges begins one late", WARPNET, [("? edge + slice : end", "? edge + slice + 1 : end")]
    ),
    # The BVSS.
    Mutation(
        "a part's slices begin where its set's do",
        BVSS,
        [("before = parts.slices[part] - parts.slices[parts.first[set]];", "before = 0;")],
    ),
    Mutation(
        "a mask has another set's bits",
        BVSS,
        [("mask >> (lane_id() - column)", "mask >> (lane_id() - column) / 2")],
    ),
    Mutation(
        "a part does not have its first row",
        BVSS,
        [
            (
                "lower_bound(graph.targets, edge, end, first_row)",
                "lower_bound(graph.targets, edge, end, first_row + 1)",
            )
        ],
    ),
    # Blest.
    Mutation(
        "the second slice of an A word meets the first's alpha",
        BLEST,
        [("lane_id() % 9 == 4 ? alpha << SIGMA", "lane_id() % 9 == 4 ? alpha")],
    ),
    Mutation(
        "whoever finds a vertex queues its set",
        BLEST,
        [("queued[c] == level)", "queued[c] == UNREACHED)")],
    ),
    Mutation(
        "a set is queued once and never again",
        BLEST,
        [("queued[c] == level)", "queued[c] != 0)")],
    ),
    Mutation("a lane's place in the queue is its neighbour's", BLEST, [("+ before - mine;", "+ before;")]),
    Mutation("two rotating counts of VSSs", BLEST, [("NUM_COUNTS       3u", "NUM_COUNTS       2u")]),
    Mutation(
        "lazy: no barrier between the stages",
        BLEST,
        [
            (
                "grid_wait(search.barrier, &search.counts[(level - 1) % NUM_COUNTS], &shared->broadcast) == "
                "UINT64_MAX",
                "level == UNREACHED",
            )
        ],
    ),
    Mutation(
        "lazy: a row marked by load and store",
        BLEST,
        [
            (
                "atomicOr(&search.marked[row[c] / WARP_SIZE], 1u << row[c] % WARP_SIZE);",
                "__stcg(&search.marked[row[c] / WARP_SIZE],\n"
                "__ldcg(&search.marked[row[c] / WARP_SIZE]) | 1u << row[c] % WARP_SIZE);",
            )
        ],
    ),
    Mutation(
        "bottom-up: found vertices are not marked",
        BLEST,
        [("            __stcg(&search.marked[word], visited | fresh);\n", "")],
    ),
    Mutation(
        "bottom-up: vertices beyond the last look for neighbours",
        BLEST,
        [("used == 0 ? 0 : UINT32_MAX << used", "used * 0")],
    ),
    Mutation(
        "bottom-up: the frontier is written where it is read",
        BLEST,
        [
            (
                "__stcg(&next_frontier[word], fresh);\n        if (fresh != 0) {",
                "__stcg((uint32_t *)&frontier[word], fresh);\n        if (fresh != 0) {",
            )
        ],
    ),
]


def build(folder):
    command = [
        "make",
        "-s",
        "-j2",
        "NVCC=",
        "BUILD=build",
        "OPTIMIZE=-O1",
        "GTRAV_VERSION=mutant",
        "build/gtrav",
    ]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"make failed:\n{result.stderr}")


def run(folder, family, variant, settings, seed):
    """What is wrong with a run; empty: nothing."""
    graphs = [argument for graph in GRAPHS[family].split() for argument in ("--graph", graph)]
    command = [folder / "build/gtrav", "--algo", family, "--variant", variant, "--device", "cpu-emulator"]
    command += [*graphs, "--sources", "2", "--verify", "all", "--quiet"]
    for setting in [*settings, f"seed={seed}"]:
        command += ["--set", setting]
    try:
        result = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no end within {TIME_LIMIT} s"
    lines = result.stderr.strip().splitlines()
    return (lines[0] if lines else f"exit status {result.returncode}") if result.returncode != 0 else ""


def kill(folder):
    """The first finding: "seed 3, bfs: ..."; empty: the mutation survived."""
    for seed in range(SEEDS):
        for family, variant, settings in RUNS:
            finding = run(folder, family, variant, settings, seed)
            if finding:
                return f"seed {seed}, {family} {variant}: {finding}"
    return ""


def mutate(folder, mutation):
    text = (ROOT / mutation.file).read_text()
    for old, new in mutation.changes:
        if old not in text:
            sys.exit(f"'{mutation.name}': {mutation.file} does not contain\n{old}")
        text = text.replace(old, new)
    (folder / mutation.file).write_text(text)


def main():
    failures = 0
    begin = time.time()
    os.environ.pop("MAKEFLAGS", None)
    os.environ["OMP_NUM_THREADS"] = "1"  # on such small graphs, threads would only wait for each other
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source in SOURCES:
            target = folder / source
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (ROOT / source).is_dir() else shutil.copy)(ROOT / source, target)
        for mutation in MUTATIONS:
            mutate(folder, mutation)
            build(folder)
            finding = kill(folder)
            shutil.copy(ROOT / mutation.file, folder / mutation.file)
            expected = bool(finding) != bool(mutation.survives)
            failures += not expected
            if finding and not mutation.changes:
                sys.exit(f"without any mutation: {finding}")
            verdict = (
                f"killed: {finding}" if finding else f"survives: {mutation.survives or 'nothing noticed it'}"
            )
            print(f"{'ok  ' if expected else 'FAIL'} {mutation.name}\n         {verdict[:200]}", flush=True)
    killed = sum(not mutation.survives for mutation in MUTATIONS)
    print(
        f"{len(MUTATIONS)} mutations, {killed} to be killed, {failures} not as expected; "
        f"{time.time() - begin:.0f} s"
    )
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
