"""Do the tests of the kernels find a mistake in them? `make test-mutants`.

Each mutation is a small mistake planted in a copy of the sources, which is built with the emulator and
without the GPU, and run on small graphs under schedules with different seeds, every result verified. A
mutation that no run notices must be one that cannot be noticed: `survives` says why. Exit status 1: one
survived that should not have, or the other way round. With an argument: only mutations of files whose
name contains it."""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    "Makefile",
    "config.mk",
    "VERSION",
    "src",
    "baselines",
    "kernels",
    "tests/tests.mk",
    "tests/kernels",
]
WARPNET, NVG, BACKEND = "kernels/warpnet.cu", "kernels/dfs_nvg.cu", "kernels/backend/backend.h"
KAHN = "kernels/topo/kahn.cu"
DIGGERBEES, HANDOFF = "kernels/dfs_diggerbees.cu", "kernels/dfs_handoff.cu"
BVSS, BLEST = "kernels/graph/bvss.cu", "kernels/bfs_blest.cu"
STREAM = "kernels/bfs_stream.cu"
KBALL = "kernels/bfs_kball.cu"
XBFS = "kernels/bfs_xbfs.cu"
ROWS, SORTED = "kernels/msbfs_rows.cu", "kernels/graph/degree_order.cu"
AUTO = "kernels/msbfs_auto.cu"
SHARED_BLEST = "kernels/bfs_blest.h"
BLOCK, MSBLEST, IBFS = "kernels/msbfs_block.cu", "kernels/msbfs_blest.cu", "kernels/msbfs_ibfs.cu"
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
    # A hub that is found when most of the edges have been: a bottom-up level, and then a top-down one.
    "flask.mtx": [
        *((v, w) for v in range(41, 101) for w in range(41, v)),
        *((40, v) for v in range(40)),
        (41, 40),
    ],
    # Ten vertices find nearly all others, all of them the same, at once.
    "few.mtx": [(v, w) for v in range(10, 120) for w in range(10)],
    # From 602 on, 601 finds all others; the last of them, which has 600 edges more, by one of many pieces.
    "fan.mtx": [
        *((600, v) for v in range(600)),
        *((601, v) for v in range(601)),
        (602, 601),
    ],
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
    """What is run on a mutant of a file, under each seed."""

    family: str
    variants: str
    graphs: str
    settings: str = ""
    arguments: str = "--sources 2"


class Program(NamedTuple):
    """A test that is run on a mutant instead, where results are right whatever it decides."""

    family: str
    path: str


# Vertices and degrees around 32 and 64, where words, warps and hubs begin; more vertices than threads.
LEVELS = (
    "path:2 path:32 path:33 path:64 star:33 star:66 star:400 complete:40 "
    "grid:9x7 tree:63 cycle:65 kron:7 urand:9:4"
)
DAGS = "dag:32:0.2 dag:33:0.5 dag:100:0.05 dag:300:0.01 dag:65:1"
STACKS = (
    "path:2 path:300 star:34 star:66 complete:150 grid:22x22 kron:8 deep.mtx bushy.mtx spider.mtx hairy.mtx"
)
KAHN_RUNS = [Run("topo", "kahn", DAGS)]
WARPNET_RUNS = [Run("bfs", "queue,bitmap,warp", LEVELS), *KAHN_RUNS]
# What default options do not reach on small graphs is set; a slice set in several parts.
BLEST_RUNS = [
    Run("bfs", "berrybees,blest-a,blest-ab,blest", f"{LEVELS} star:1100 kron:8:2"),
    Run("bfs", "blest-abcd", f"{LEVELS} star:1100 kron:8:2", "lazy-above=0"),
    Run("bfs", "blest", f"{LEVELS} star:1100 kron:8:2", "switch=always"),
]
# Every path by force: both directions in turn, marks, a window smaller than the graph, bytes that run out,
# one block alone, rows by class, long ones too, more edges than a warp unrolls, no preparation.
STREAM_GRAPHS = f"{LEVELS} star:1100 kron:8:2 dag:200:0.05 urand:8 apart.mtx"
STREAM_RUNS = [
    Run("bfs", "stream", STREAM_GRAPHS, settings)
    for settings in (
        "relabel=1",
        "direction=alternating window=256 byte-levels=4",
        "mark-above=0 window=256 relabel=1 alone-edges=0",
        "direction=bottom-up window=0 id-bits=32",
        "prepare=0 alone-edges=40 mark-above=60 byte-levels=3",
    )
]
# Every queue and every balance; directions that change often, long frontiers, classes, both widths.
XBFS_GRAPHS = (
    "path:33 star:34 star:700 complete:40 grid:9x7 kron:7 kron:7:40 dag:100:0.05 rgg:7 "
    "apart.mtx flask.mtx few.mtx"
)
XBFS_RUNS = [
    Run("bfs", "enterprise", XBFS_GRAPHS, "alpha=5"),
    Run("bfs", "enterprise", "star:66", "alpha=0", "--source 1"),  # a warp's first look
    Run("bfs", "xbfs", "fan.mtx", "alpha=0 long-above=32", "--source 602"),
    *(
        Run("bfs", "xbfs", XBFS_GRAPHS, settings)
        for settings in (
            "long-above=32",
            "alpha=2 balance=thread long-above=32",
            "alpha=0 long-above=32",
            "alpha=0 balance=thread",
            "alpha=0",
            "alpha=0 balance=warp block-size=32",
            "alpha=0 balance=degree",
            "alpha=30 queue=scan-free balance=static",
            "alpha=100 queue=scan-free",
            "alpha=30 queue=single-scan long-above=32",
            "alpha=60 queue=double-scan async=0",
        )
    ),
    *(
        Run("bfs", "xbfs", "bouquet.mtx", f"long-above=32 {settings}", "--source 11240")
        for settings in (
            "alpha=100 queue=scan-free",
            "alpha=100 block-size=32",
            "alpha=0",
            "alpha=0 balance=warp block-size=32",
        )
    ),
]
# Pulls of each kind, after marks or not, planes, lists and bytes that run out, several batches, and sums.
ROWS_GRAPHS = (
    "path:70 star:400 star:5000 kron:7 grid:9x7 urand:8:4 cycle:65 complete:40 dag:200:0.05 apart.mtx"
)
ROWS_RUNS = [
    Run("msbfs", "rows", ROWS_GRAPHS, settings, arguments)
    for settings, arguments in (
        ("push-edges=0 mark-edges=0 relabel=1 planes=2", "--sources 40"),
        ("push-edges=0 relabel=1 batch=32", "--sources 70"),
        ("push-edges=40 mark-edges=0 relabel=0 blocks=3 byte-levels=3 batch=32", "--sources 70"),
        ("push-edges=100 list-pairs=256 batch=32", "--sources 70 --aggregates"),
        ("", "--sources 40"),
    )
]
# Queues that spill, records that go on, hubs of a block, bitmaps in global memory, chains, and sums.
BLOCK_RUNS = [
    Run("msbfs", "block", f"{ROWS_GRAPHS} path:300 road:4 road:7 luxuriant.mtx", settings, arguments)
    for settings, arguments in (
        ("block-size=64 queue=32 chains=0", "--sources 20"),
        ("block-size=32 queue=32 rows=4 bitmap=global chains=0 level-bits=8", "--sources 20"),
        ("block-size=64 queue=32 rows=16 chains=0", "--sources 20 --aggregates"),
        ("block-size=64 queue=32 chains=1", "--sources 20"),
    )
]
MSBLEST_RUNS = [
    Run("msbfs", "blest-a,blest-ab,blest", f"{ROWS_GRAPHS} road:4", settings, arguments)
    for settings, arguments in (
        ("kappa=32", "--sources 40"),
        ("kappa=128", "--sources 70"),
        ("kappa=64", "--sources 70 --aggregates"),
    )
]
IBFS_RUNS = [
    Run("msbfs", "ibfs-workgroup,ibfs-coalesced,ibfs-bottomup", f"{ROWS_GRAPHS} road:4", "", "--sources 70")
]
# Stacks so small, and thieves so greedy, that all that can happen does on such graphs.
RUNS = {
    WARPNET: WARPNET_RUNS,
    KAHN: KAHN_RUNS,
    BACKEND: WARPNET_RUNS,
    BVSS: BLEST_RUNS,
    BLEST: BLEST_RUNS,
    SHARED_BLEST: BLEST_RUNS,
    STREAM: STREAM_RUNS,
    XBFS: XBFS_RUNS,
    # Radii that differ, lists that are too short, and no index.
    KBALL: [
        Run("bfs", "kball", f"{LEVELS} rgg:7", settings)
        for settings in (
            "k=1 list-size=32",
            "k=3",
            "k=8 max-ball=8",
            "k=5 max-ball=8 list-size=32",
            "index-mb=0 list-size=32",
        )
    ]
    + [
        Run("bfs", "kball", "star:1100", "k=1"),
        Run("bfs", "kball", "spider.mtx", "index-mb=0 list-size=32"),
    ],
    ROWS: ROWS_RUNS,
    SORTED: ROWS_RUNS,
    BLOCK: BLOCK_RUNS,
    MSBLEST: MSBLEST_RUNS,
    IBFS: IBFS_RUNS,
    AUTO: [Program("msbfs auto", "build/tests/kernels/test_msbfs_auto_emulated")],
    NVG: [Run("dfs", "nvg", f"{DAGS} path:33 star:66 complete:33 grid:9x7 kron:6 dag:150:0.5")],
    DIGGERBEES: [
        Run("dfs", "v1,v2,v3,v4", STACKS, f"cold-size=1 hot-size=64 hot-cutoff={cutoff} cold-cutoff=4")
        for cutoff in (2, 4)
    ],
    HANDOFF: [
        Run(family, variants, f"{STACKS} star:2000", f"cold-size={size} ring-size=128 rows={rows}")
        for family, variants in (("dfs", "v5"), ("reach", "handoff"))
        for size, rows in ((1, "auto"), (0, "plain"))
    ],
}

ORDER = "the emulator's memory is sequentially consistent: only a GPU, or reading, can tell"


ONCE_MORE = "an item that need not be expanded only costs time"
TWICE = "whoever takes a vertex again was visited before it, so the tree stays one; only work is done twice"
PLACES = "a place is used again only after as many chunks as there are vertices for"
PAUSE = "        __nanosleep(100);\n"  # where a race's window is an instruction wide
COPY_OF_A_THIEF = """    word_t::fence();
    for (uint32_t i = lane_id(); i < number; i += WARP_SIZE)
        poke(&own[i], peek(&entries[(word_t::tail(word) + i) & (size - 1)]));
    word_t::fence();
    __syncwarp();
"""


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
        KAHN,
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
        [("lanes_below(lane_id()), masks", "lanes_below(lane_id()) << 1 | 1, masks")],
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
        KAHN,
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
        "a slice of edges begins one late", KAHN, [("? edge + slice : end", "? edge + slice + 1 : end")]
    ),
    Mutation("copy without a mistake, NVG", NVG, [], "it is right"),
    # NVG: offers, paths, rounds, orders.
    Mutation(
        "an offer that loses the swap is dropped",
        NVG,
        [("disputed = now != rival;", "disputed = false;")],
    ),
    Mutation(
        "an offer is put down by a plain write",
        NVG,
        [
            (
                "uint64_t now = atomicCAS(best, (unsigned long long)rival, (unsigned long long)mine);",
                "uint64_t now = rival;\n            __stcg(best, (unsigned long long)mine);",
            )
        ],
    ),
    Mutation(
        "offers are made before all paths are there",
        NVG,
        [("grid_wait(search.barrier, &progress->exhausted, &shared->broadcast) != 0", "progress->exhausted")],
    ),
    Mutation(
        "a position does not go on in the next word",
        NVG,
        [("word |= offer.position >> (end - begin - WORD_BITS);", "word |= 0;")],
    ),
    Mutation(
        "a position among a power of two takes a bit more",
        NVG,
        [("while (degree > (uint64_t)1 << width)", "while (degree >= (uint64_t)1 << width)")],
        "paths are longer, and compare alike",
    ),
    Mutation(
        "a position takes a bit less",
        NVG,
        [("while (degree > (uint64_t)1 << width)", "while (degree > (uint64_t)2 << width)")],
    ),
    Mutation(
        "the warp's comparison begins one word late", NVG, [("first = HEAD_WORDS", "first = HEAD_WORDS + 1")]
    ),
    Mutation(
        "a vertex is ready one arc too early",
        NVG,
        [("atomicSub(&search.waiting[child], 1u) == 1", "atomicSub(&search.waiting[child], 1u) == 2")],
    ),
    Mutation(
        "what an earlier frontier held is offered to",
        NVG,
        [("__ldcg(&search.parent[child]) != NO_VERTEX", "false")],
        "its path is taken, so nobody looks at the offer: it is only slower",
    ),
    Mutation(
        "a lane adds only its neighbour's sizes",
        NVG,
        [("reach < WARP_SIZE; reach *= 2", "reach < 2; reach *= 2")],
    ),
    Mutation("the source's round is summed up too", NVG, [("i < end && round > 0;", "i < end;")]),
    # DiggerBees: the state word.
    Mutation("copy without a mistake, dfs", DIGGERBEES, [], "it is right"),
    Mutation(
        "a pop leaves the version as it is",
        DIGGERBEES,
        [("return (1ull << 2 * bits) - push(number);", "return 0 - push(number);")],
    ),
    Mutation(
        "a thief moves the tail of whatever state there is",
        DIGGERBEES,
        [
            (
                "taken = word_t::cas(state, word, word_t::without_oldest(word, number));",
                "taken = (atomicAdd((unsigned long long *)state, (unsigned long long)number), true);",
            )
        ],
    ),
    Mutation(
        "a thief moves the tail of whatever state is there with entries enough",
        DIGGERBEES,
        [
            (
                "taken = word_t::cas(state, word, word_t::without_oldest(word, number));",
                "for (uint64_t now = peek(state); !taken && word_t::count(now) > number; now = peek(state))\n"
                "            taken = word_t::cas(state, now, word_t::without_oldest(now, number));",
            )
        ],
    ),
    Mutation(
        "a thief copies after it has reserved",
        DIGGERBEES,
        [
            (COPY_OF_A_THIEF, "    word_t::fence();\n"),
            (
                "    return broadcast((int)taken);\n}\n\n/* The largest count",
                f"    taken = broadcast((int)taken);\n{COPY_OF_A_THIEF}"
                "    return taken;\n}\n\n/* The largest count",
            ),
        ],
    ),
    Mutation(
        "a thief takes the top too",
        DIGGERBEES,
        [("uint32_t number = tuning.hot_cutoff / 2;", "uint32_t number = tuning.hot_cutoff;")],
    ),
    Mutation(
        "thieves read without fences",
        DIGGERBEES,
        [("    word_t::fence();\n", "")],
        ORDER,
    ),
    # The HotRing.
    Mutation(
        "a push takes the entry in before it is written",
        DIGGERBEES,
        [
            ("        poke(slot(stack, stack->head - 1), old_top);\n        hot_word::fence();\n", ""),
            (
                "hot_word::push(1));\n    }\n    __syncwarp();",
                "hot_word::push(1));\n" + PAUSE + "        poke(slot(stack, stack->head - 1), old_top);\n"
                "    }\n    __syncwarp();",
            ),
        ],
    ),
    Mutation(
        "the old top's offset is not stored",
        DIGGERBEES,
        [
            (
                "make_entry(top.vertex, top.next < top.degree ? top.next : EXHAUSTED)",
                "make_entry(top.vertex, 0)",
            )
        ],
        "the neighbours are looked at again and found visited: it is only slower",
    ),
    Mutation(
        "the old top is stored a slot too high",
        DIGGERBEES,
        [("poke(slot(stack, stack->head - 1), old_top);", "poke(slot(stack, stack->head), old_top);")],
    ),
    # Flush and refill.
    Mutation(
        "flush moves the tail of whatever state there is",
        DIGGERBEES,
        [
            (
                "hot_word::cas(stack->hot_state, word, hot_word::without_oldest(word, number))",
                "(atomicAdd((unsigned long long *)stack->hot_state, (unsigned long long)number), true)",
            ),
            (
                "            word = peek(stack->hot_state);\n        while",
                "        {\n            word = peek(stack->hot_state);\n" + PAUSE + "        } while",
            ),
        ],
    ),
    Mutation(
        "flush copies before it reserves",
        DIGGERBEES,
        [
            (
                "        do\n            word = peek(stack->hot_state);\n",
                "        word = peek(stack->hot_state);\n"
                "        for (uint32_t i = 0; i < number; i++)\n"
                "            peek(slot(stack, hot_word::tail(word) + i));\n        do\n            ;\n",
            ),
            (
                "hot_word::cas(stack->hot_state, word, hot_word::without_oldest(word, number))",
                "(atomicExch((unsigned long long *)stack->hot_state, "
                "(unsigned long long)hot_word::without_oldest(word, number)), true)",
            ),
        ],
    ),
    Mutation(
        "flush takes a ColdSeg for never full",
        DIGGERBEES,
        [("tuning.batch_size > tuning.cold_size;", "tuning.batch_size > 2 * tuning.cold_size;")],
    ),
    Mutation(
        "flush puts a batch on the ColdSeg before it is copied",
        DIGGERBEES,
        [
            (
                "    cold_word::fence();\n    __syncwarp();\n    if (is_first_lane())\n"
                "        atomicAdd((unsigned long long *)stack->cold_state, cold_word::push(number));\n",
                "",
            ),
            (
                "    if (HAS_CLUSTERS && tuning.bulk && in_one_piece(tail,",
                "    if (is_first_lane())\n"
                "        atomicAdd((unsigned long long *)stack->cold_state, cold_word::push(number));\n"
                + PAUSE
                + "    if (HAS_CLUSTERS && tuning.bulk && in_one_piece(tail,",
            ),
        ],
    ),
    Mutation("flush does not wait for its bulk copy", DIGGERBEES, [("            bulk_store_wait();\n", "")]),
    Mutation(
        "refill does not wait for its bulk copy",
        DIGGERBEES,
        [("if (!bulk_wait(refilled, stack->num_refills++))", "if (stack->num_refills++ == UINT32_MAX)")],
    ),
    Mutation(
        "a bulk copy runs over the end of the ring",
        DIGGERBEES,
        [(" && (first & (size - 1)) + number <= size;", " && first + number > number;")],
    ),
    Mutation(
        "a bulk copy begins anywhere",
        DIGGERBEES,
        [("return first % unit == 0 && number", "return first % 1 == 0 && number")],
    ),
    Mutation(
        "refill moves the top of whatever state there is",
        DIGGERBEES,
        [
            (
                "!cold_word::cas(stack->cold_state, word, word + cold_word::pop(number))",
                "(atomicAdd((unsigned long long *)stack->cold_state, cold_word::pop(number)), false)",
            ),
            (
                "            number = min(cold_word::count(word), tuning.batch_size);\n",
                "            number = min(cold_word::count(word), tuning.batch_size);\n" + PAUSE,
            ),
        ],
    ),
    Mutation(
        "refill never takes less than a batch",
        DIGGERBEES,
        [("number = min(cold_word::count(word), tuning.batch_size);", "number = tuning.batch_size;")],
    ),
    # Overflow.
    Mutation(
        "a chunk that overflows is dropped",
        DIGGERBEES,
        [
            (
                "        put_chunk(search, tuning, stack, tail);\n",
                "        if (tail == UINT32_MAX)\n            put_chunk(search, tuning, stack, tail);\n",
            )
        ],
    ),
    Mutation(
        "a chunk does not count as outstanding work",
        DIGGERBEES,
        [("        atomicAdd(&control->outstanding, 1u);\n        ticket", "        ticket")],
    ),
    Mutation(
        "a chunk's turn comes before its entries",
        DIGGERBEES,
        [
            (
                "    __stcg(&search.chunks[place",
                "    if (is_first_lane())\n        store_release(&search.turns[place], "
                "2 * (uint32_t)(ticket / tuning.num_chunks) + 1);\n    __syncwarp();\n"
                "    __stcg(&search.chunks[place",
            )
        ],
    ),
    Mutation(
        "a chunk's place is not waited for",
        DIGGERBEES,
        [
            (
                "ready && load_acquire(turn) != mine;)",
                "ready && load_acquire(turn) != mine && mine > 1u << 30;)",
            )
        ],
        PLACES,
    ),
    Mutation(
        "a chunk's place is free before it is copied",
        DIGGERBEES,
        [
            (
                "    poke(&stack->hot[lane_id()], __ldcg(&search.chunks",
                "    if (is_first_lane())\n        store_release(&search.turns[place], "
                "2 * (uint32_t)(ticket / tuning.num_chunks) + 2);\n    __syncwarp();\n"
                "    poke(&stack->hot[lane_id()], __ldcg(&search.chunks",
            )
        ],
        PLACES,
    ),
    Mutation(
        "two leaders take one chunk",
        DIGGERBEES,
        [
            (
                "atomicCAS((unsigned long long *)&control->taken, (unsigned long long)ticket,\n"
                "                          (unsigned long long)ticket + 1) == ticket;",
                "(atomicExch((unsigned long long *)&control->taken, (unsigned long long)ticket + 1), true);",
            )
        ],
    ),
    # Termination.
    Mutation(
        "a thief enters an idle block",
        DIGGERBEES,
        [
            (
                "    for (uint32_t mask = peek(&shared->active); mask != 0;) {",
                "    for (uint32_t mask = peek(&shared->active);;) {",
            )
        ],
    ),
    Mutation(
        "a thief is not active before it has succeeded",
        DIGGERBEES,
        [
            ("        entered = enter(shared, stack->warp);\n", "        entered = true;\n"),
            (
                "    if (taken)\n        publish(stack, number);\n    else if (is_first_lane())\n"
                "        leave(shared, search.control, stack->warp);\n",
                "    if (taken && is_first_lane())\n"
                "        atomicOr(&shared->active, 1u << stack->warp);\n"
                "    if (taken)\n        publish(stack, number);\n",
            ),
        ],
    ),
    Mutation(
        "a thief without success stays active",
        DIGGERBEES,
        [
            (
                "    else if (is_first_lane())\n        leave(shared, search.control, stack->warp);\n",
                "",
            )
        ],
    ),
    Mutation(
        "a leader counts itself as outstanding work after it has stolen",
        DIGGERBEES,
        [
            (
                "    if (is_first_lane())\n        atomicAdd(&search.control->outstanding, 1u);\n"
                "    word = __shfl_sync",
                "    word = __shfl_sync",
            ),
            (
                "        if (taken)\n            wake(shared);\n        else\n"
                "            atomicSub(&search.control->outstanding, 1u);\n",
                "        if (taken) {\n            atomicAdd(&search.control->outstanding, 1u);\n"
                "            wake(shared);\n        }\n",
            ),
        ],
        "the others may end too soon, but this block works on: there is only less help",
    ),
    Mutation(
        "a leader steals without counting as outstanding work",
        DIGGERBEES,
        [
            (
                "    if (is_first_lane())\n        atomicAdd(&search.control->outstanding, 1u);\n"
                "    word = __shfl_sync",
                "    word = __shfl_sync",
            ),
            (
                "        else\n            atomicSub(&search.control->outstanding, 1u);\n",
                "",
            ),
        ],
    ),
    Mutation(
        "a leader without success stays outstanding work",
        DIGGERBEES,
        [("        else\n            atomicSub(&search.control->outstanding, 1u);\n", "")],
    ),
    Mutation(
        "a block ends when it is idle",
        DIGGERBEES,
        [("if (outstanding == 0 ||", "if (outstanding < 2 ||")],
    ),
    # Walking.
    Mutation(
        "a vertex is claimed by load and store",
        DIGGERBEES,
        [
            (
                "swap_if((int)lane_id() == lane, &search.visited[vertex], 0, 1);",
                "look_if((int)lane_id() == lane, &search.visited[vertex]);\n"
                "            if ((int)lane_id() == lane)\n"
                "                __stcg(&search.visited[vertex], 1u);",
            )
        ],
        TWICE,
    ),
    Mutation(
        "a lost claim counts",
        DIGGERBEES,
        [
            (
                "if (__shfl_sync(WHOLE_WARP, before, lane) != 0)",
                "if (__shfl_sync(WHOLE_WARP, before, lane) > 1)",
            )
        ],
        TWICE,
    ),
    Mutation(
        "one unvisited neighbour is passed over",
        DIGGERBEES,
        [
            (
                "(uint32_t)__ffs((int)unvisited) - 1 : WARP_SIZE;",
                "(uint32_t)__ffs((int)unvisited) : WARP_SIZE;",
            )
        ],
    ),
    Mutation(
        "the 33rd neighbour is not looked at",
        DIGGERBEES,
        [("        if (left <= WARP_SIZE)\n", "        if (left <= WARP_SIZE + 1)\n")],
    ),
    Mutation(
        "an exhausted entry is walked",
        DIGGERBEES,
        [("if ((uint32_t)entry != EXHAUSTED) {", "if ((uint32_t)entry + 1 != EXHAUSTED) {")],
    ),
    Mutation("copy without a mistake, hand-off", HANDOFF, [], "it is right"),
    # Hand-off: the mailbox.
    Mutation(
        "mail is set before the entries are there",
        HANDOFF,
        [
            (
                "    uint32_t num_served = (uint32_t)__popc(served), first = 0, size = 0, mail = 0;",
                "    uint32_t num_served = (uint32_t)__popc(served), first = 0, size = 0, mail = 0;\n"
                "    if (serves)\n        poke(&post->mail[lane_id()], 1u);\n" + PAUSE,
            )
        ],
    ),
    Mutation(
        "who is given something is not counted as at work",
        HANDOFF,
        [("atomicAdd(&post->busy, (unsigned long long)num_served);", "(void)num_served;")],
    ),
    Mutation(
        "who is given something is counted after its mail",
        HANDOFF,
        [
            (
                "    if (lane_id() == 0)\n        atomicAdd(&post->busy, (unsigned long long)num_served);\n",
                "",
            ),
            (
                "        poke(&post->mail[lane_id()], mail);\n",
                "        poke(&post->mail[lane_id()], mail);\n    __nanosleep(2000);\n"
                "    if (lane_id() == 0)\n        atomicAdd(&post->busy, (unsigned long long)num_served);\n",
            ),
        ],
    ),
    Mutation(
        "a warp that seeks elsewhere may still be given something",
        HANDOFF,
        [("(atomicAnd(&post->idle, ~(1u << index)) >> index & 1))", "true)")],
    ),
    Mutation(
        "two may give to the same warp",
        HANDOFF,
        [
            (
                "asks && (atomicAnd(&post->idle, ~(1u << lane_id())) >> lane_id() & 1);",
                "asks && (atomicAnd(&post->idle, ~(1u << lane_id())), true);",
            )
        ],
    ),
    Mutation(
        "the oldest entries are given and kept",
        HANDOFF,
        [
            (
                "        poke(&post->mail[lane_id()], mail);\n    warp.bottom += count;",
                "        poke(&post->mail[lane_id()], mail);",
            )
        ],
        "both walk on from them, and who comes second finds every neighbour visited: it is only slower",
    ),
    # The queue.
    Mutation(
        "a chunk is released before it is written",
        HANDOFF,
        [
            (
                "        entry_t *entry = &queue.entries[(size_t)slot * CHUNK + lane_id()];\n",
                "        entry_t *entry = &queue.entries[(size_t)slot * CHUNK + lane_id()];\n"
                "        if (lane_id() == 0)\n"
                "            store_release(&queue.sequence[slot], position + 1);\n" + PAUSE,
            )
        ],
    ),
    Mutation(
        "a ticket is served by whatever chunk is in the slot",
        HANDOFF,
        [
            (
                "load_acquire(&queue.sequence[ticket & (queue.capacity - 1)]) == ticket + 1)",
                "load_acquire(&queue.sequence[ticket & (queue.capacity - 1)]) != ticket - 1)",
            )
        ],
    ),
    Mutation(
        "tickets are drawn by reading",
        HANDOFF,
        [
            (
                "ticket = atomicAdd(&queue.words->head, 1u);",
                "ticket = peek(&queue.words->head);\n                poke(&queue.words->head, ticket + 1);",
            )
        ],
    ),
    # Outstanding work.
    Mutation(
        "a chunk does not count as outstanding work",
        HANDOFF,
        [
            (
                "&queue.words->tail_outstanding, HIGH_ONE + 1) >> 32)",
                "&queue.words->tail_outstanding, HIGH_ONE) >> 32)",
            )
        ],
    ),
    Mutation(
        "a chunk's unit of work is not added to its taker's block",
        HANDOFF,
        [("atomicAdd(&post->busy, HIGH_ONE + 1);", "atomicAdd(&post->busy, 1ull);")],
    ),
    Mutation(
        "a block keeps the units of work that it gave back",
        HANDOFF,
        [("atomicCAS(&post->busy, old, is_last ? 0 : old - 1)", "atomicCAS(&post->busy, old, old - 1)")],
    ),
    Mutation(
        "a chunk's unit of work is added some time after it is served",
        HANDOFF,
        [
            (
                "                atomicAdd(&post->busy, HIGH_ONE + 1);\n",
                "                atomicAdd(&post->busy, 1ull);\n                __nanosleep(2000);\n"
                "                atomicAdd(&post->busy, HIGH_ONE);\n",
            )
        ],
        "the block gives units back when its last warp leaves, which this one does only later",
    ),
    # The stack.
    Mutation(
        "what leaves the ring does not reach the cold area",
        HANDOFF,
        [("        warp.num_cold += CHUNK;\n", "")],
    ),
    Mutation(
        "a full cold area is written beyond its end",
        HANDOFF,
        [("if (warp.num_cold + CHUNK > search.cold_size)", "if (false)")],
    ),
    Mutation(
        "the ring is flushed too late",
        HANDOFF,
        [("search.ring_size - most_pushed) { /* flush */", "search.ring_size) { /* flush */")],
    ),
    Mutation(
        "walkers that pop at once get the same entry",
        HANDOFF,
        [
            (
                "return &warp.ring[(newest - rank) & (search.ring_size - 1)];",
                "return &warp.ring[newest & (search.ring_size - 1)];",
            )
        ],
    ),
    # The steps.
    Mutation(
        "a neighbour is claimed by a look",
        HANDOFF,
        [
            (
                "uint32_t old = or_if(claims, visited, bit);",
                "uint32_t old = look_if(claims, visited);\n    or_if(claims, visited, bit);",
            )
        ],
        TWICE,
    ),
    Mutation(
        "two idle walkers take the same",
        HANDOFF,
        [("spare &= spare - 1, takers &= takers - 1)", "takers &= takers - 1)")],
        "the claims decide who gets what: it is only slower",
    ),
    Mutation(
        "a walker that lost its neighbour drops the others",
        HANDOFF,
        [
            (
                "walker.hand = left ? walker.hand : NO_VERTEX; /*",
                "walker.hand = left && moves ? walker.hand : NO_VERTEX; /*",
            )
        ],
    ),
    Mutation(
        "half of a long row is dropped",
        HANDOFF,
        [("        push_arcs(search, warp, is_long, walker, middle, to);\n", "")],
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
        SHARED_BLEST,
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
    Mutation(
        "a lane's place in the queue is its neighbour's", SHARED_BLEST, [("+ before - mine;", "+ before;")]
    ),
    Mutation("two rotating counts of VSSs", SHARED_BLEST, [("NUM_COUNTS   3u", "NUM_COUNTS   2u")]),
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
                "__stcg(&to.next_frontier[word], fresh);\n        if (fresh != 0) {",
                "__stcg((uint32_t *)&frontier[word], fresh);\n        if (fresh != 0) {",
            )
        ],
    ),
    # The balls.
    Mutation("kball without a mistake", KBALL, [], "it is right"),
    Mutation(
        "a ball that is cut has the radius of the others",
        KBALL,
        [("(row_t)max(radius, 1u) << RADIUS_SHIFT", "(row_t)plan.k << RADIUS_SHIFT")],
    ),
    Mutation(
        "a ball ends where its last distance but one does",
        KBALL,
        [("if (lane_id() + 1 >= distance)", "if (lane_id() >= distance)")],
    ),
    Mutation(
        "a hub's row is one item",
        KBALL,
        [("if (!RARELY(units > most))\n            break;", "break;")],
    ),
    # The rounds.
    Mutation(
        "an outer entry is one at distance k",
        KBALL,
        [("&& distance == radius;", "&& distance == search.k;")],
    ),
    Mutation(
        "an outer entry is lowered without an answer",
        KBALL,
        [("if (outer[i] && old[i] > target[i])", "if (outer[i] && old[i] > target[i] && target[i] == 0)")],
    ),
    Mutation(
        "an item is stale when its level is the vertex's",
        KBALL,
        [
            (
                "    if (RARELY(now != level))\n        return;",
                "    if (RARELY(now <= level))\n        return;",
            )
        ],
    ),
    Mutation(
        "stale items are expanded",
        KBALL,
        [("    if (RARELY(now != level))\n        return;\n", "")],
        ONCE_MORE,
    ),
    Mutation(
        "the window moves while items in it are due",
        KBALL,
        [("if (!(flags & (DUE | LOST))) {", "if (!(flags & LOST)) {")],
    ),
    Mutation(
        "what a block keeps does not hold off the end",
        KBALL,
        [("number > 0 || round.keeps || (flags & LOST)", "number > 0 || (flags & LOST)")],
    ),
    Mutation(
        "a list that was expanded still counts",
        KBALL,
        [("        round.in_use ^= 1u << round.due;\n", "")],
    ),
    Mutation(
        "a block does not say that it has dropped items",
        KBALL,
        [
            (
                "        atomicOr_block(&outgoing->flags, flags);",
                "        atomicOr_block(&outgoing->flags, flags & DUE);",
            )
        ],
    ),
    Mutation(
        "a window is swept, the next is not",
        KBALL,
        [("round.base + 2 * search.k;", "round.base + search.k;")],
    ),
    # The exchange.
    Mutation(
        "the second half of a message is not looked at",
        KBALL,
        [(" && (words[1] & 0xff) == (epoch & 0xff)", "")],
    ),
    Mutation(
        "the first half of a message is not looked at",
        KBALL,
        [("(words[0] & 0xff) == (epoch & 0xff) && ", "")],
    ),
    Mutation(
        "one mailbox for both parities",
        KBALL,
        [("((size_t)(epoch % 2) * gridDim.x + to)", "((size_t)(epoch % 1) * gridDim.x + to)")],
    ),
    Mutation(
        "one area for both parities",
        KBALL,
        [("((size_t)(epoch % 2) * gridDim.x + block)", "((size_t)(epoch % 1) * gridDim.x + block)")],
    ),
    Mutation(
        "items beyond one a block are not read",
        KBALL,
        [
            (
                "for (i += gridDim.x; i < number; i += gridDim.x) {",
                "for (i += gridDim.x; i < gridDim.x; i += gridDim.x) {",
            )
        ],
    ),
    # The cluster.
    Mutation(
        "the cluster claims by a look",
        KBALL,
        [
            (
                "swap_if(wanted, &search.level[vertex], UNREACHED, step.level);",
                "look_if(wanted, &search.level[vertex]);\n"
                "    swap_if(wanted, &search.level[vertex], UNREACHED, step.level);",
            )
        ],
        "a vertex that is queued twice costs time; only the bound on the spilled ones needs the claim",
    ),
    Mutation(
        "spilled entries are read where the first ones were",
        KBALL,
        [("            step.spilled += spilled;\n", "            step.spilled += 0;\n")],
    ),
    Mutation(
        "an inbox is written where it is read",
        KBALL,
        [
            ("unsigned parity = step.level % 2, size", "unsigned parity = 0, size"),
            ("unsigned parity = (step.level - 1) % 2, size", "unsigned parity = 0, size"),
        ],
    ),
    Mutation(
        "of a vertex of many arcs only the first piece is queued",
        KBALL,
        [
            (
                "for (uint32_t piece = 0; piece < pieces; piece++)\n            enqueue",
                "for (uint32_t piece = 0; piece < 1; piece++)\n            enqueue",
            )
        ],
    ),
    # Streams.
    Mutation(
        "a row is queued by everybody who reaches it",
        STREAM,
        [("fresh[i] = fresh[i] && !(word[i] & bit_of(neighbours[i]));", "")],
    ),
    Mutation(
        "a queue's first edges do not count those before",
        STREAM,
        [
            (
                "queue.put(place >> edge_bits, before, first[i] - before);",
                "queue.put(place >> edge_bits, before, first[i]);",
            )
        ],
    ),
    Mutation(
        "a warp begins an entry late",
        STREAM,
        [("(unsigned)(__popc(__ballot_sync(WHOLE_WARP, reaches)) - 1) * step;", "step;")],
    ),
    Mutation(
        "the next count is not cleared",
        STREAM,
        [
            (
                "        search.counts[(at.round + 2) % NUM_COUNTS] = search.long",
                "        search.long",
            )
        ],
    ),
    Mutation(
        "no word of zeros behind the window",
        STREAM,
        [("window[rules.window_words] = 0;", "window[rules.window_words] = UINT32_MAX;")],
    ),
    Mutation(
        "neighbours beyond the window are not looked up",
        STREAM,
        [("if ((bits & 1) || !beyond)", "if (true)")],
    ),
    Mutation(
        "stage 3 leaves out a neighbour",
        STREAM,
        [("pass.in.offsets[id] + skip", "pass.in.offsets[id] + skip + (skip > 0)")],
    ),
    Mutation(
        "what stage 3 finds is not marked",
        STREAM,
        [("            atomicOr(&pass.next[id / WARP_SIZE], bit_of(id));\n", "")],
    ),
    Mutation(
        "what was only marked has no level",
        STREAM,
        [("byte == UNSET && at.pending != NOT_PENDING", "byte == UNSET && at.pending < at.base")],
    ),
    Mutation(
        "nobody waits until levels are given out",
        STREAM,
        [("if (wait() == UINT64_MAX) /* on the same count as before */", "if (now == UINT64_MAX)")],
    ),
    Mutation(
        "the base is raised too far",
        STREAM,
        [("at.base = at.level + 1;", "at.base = at.level + 2;")],
    ),
    Mutation(
        "alone, the block does not wait for the level's end",
        STREAM,
        [("        __syncthreads();\n        read_count(&at", "        read_count(&at")],
    ),
    Mutation(
        "the warps of a long row do not keep off each other",
        STREAM,
        [("sum_before(all) + before", "sum_before(all)")],
    ),
    Mutation(
        "every source is taken to be in the hub's component",
        STREAM,
        [
            (
                "graph.giant != NULL && (__ldg(&graph.giant[source / WARP_SIZE]) & bit_of(source))",
                "graph.giant != NULL",
            )
        ],
    ),
    # Many sources, a block to a search.
    Mutation("block without a mistake", BLOCK, [], "it is right"),
    Mutation(
        "a spilled entry is where the level before spilled it",
        BLOCK,
        [("&search.ring[in_ring(batch, search.next + (i - batch.room))]", "&search.ring[i - batch.room]")],
    ),
    Mutation(
        "the next level's count is cleared late",
        BLOCK,
        [
            (
                "shared->count[(search->level + 1) % NUM_COUNTS] = 0;",
                "shared->count[search->level % NUM_COUNTS] = 0;",
            )
        ],
    ),
    Mutation(
        "a warp visits all that waits but the last",
        BLOCK,
        [("    if (waiting > 0)\n", "    if (waiting > 1)\n")],
    ),
    Mutation(
        "those that wait are where the last ones were",
        BLOCK,
        [("later[waiting + __popc(more & before)] = vertex;", "later[__popc(more & before)] = vertex;")],
    ),
    Mutation(
        "a long record's rest begins with its number",
        BLOCK,
        [("mine.end = mine.edge + record.w;", "mine.end = record.w;")],
    ),
    Mutation(
        "hubs are visited by one warp",
        BLOCK,
        [("{hub.edge + threadIdx.x, hub.end}, blockDim.x", "{hub.edge + lane_id(), hub.end - 1}, WARP_SIZE")],
    ),
    Mutation(
        "a level too many fits",
        BLOCK,
        [("search->level == NO_LEVEL<level_t>)", "search->level == (level_t)(NO_LEVEL<level_t> + 2))")],
    ),
    Mutation(
        "unreached vertices keep what was there",
        BLOCK,
        [("sums.reached < batch.num_vertices)", "sums.reached == 0)")],
    ),
    Mutation(
        "the last level of those with destinations is not written",
        BLOCK,
        [
            (
                "for (uint32_t i = threadIdx.x; i < size; i += blockDim.x)\n                note_level",
                "for (uint32_t i = threadIdx.x; i < 0; i += blockDim.x)\n                note_level",
            )
        ],
        "trials have no destinations; conformance asks for paths",
    ),
    Mutation(
        "a junction that is too far is forgotten",
        BLOCK,
        [("{is_far ? junction : NO_VERTEX}", "{NO_VERTEX}")],
    ),
    Mutation(
        "a junction is in the queue for good",
        BLOCK,
        [
            (
                "atomicAnd(&search.bitmap[junction / WORD_BITS], ~(1u << junction % WORD_BITS));",
                "{}",
            )
        ],
    ),
    Mutation(
        "the window is never reached",
        BLOCK,
        [
            (
                "(uint64_t)shared->least[search.level % NUM_COUNTS] + junctions.window;",
                "shared->least[search.level % NUM_COUNTS];",
            )
        ],
    ),
    Mutation(
        "every round has the whole queue",
        BLOCK,
        [("(uint64_t)shared->least[search.level % NUM_COUNTS] + junctions.window;", "UINT64_MAX;")],
        ONCE_MORE,
    ),
    Mutation(
        "a junction has four arcs at most",
        BLOCK,
        [
            (
                "for (; __any_sync(WHOLE_WARP, arc < end); arc += FIRST_ARCS) {",
                "for (; false; arc += FIRST_ARCS) {",
            )
        ],
    ),
    Mutation(
        "a source's chain has its way round only",
        BLOCK,
        [("if (position - own.first < own.number)", "if (false)")],
    ),
    Mutation(
        "distances are not cleared",
        BLOCK,
        [
            (
                "cudaMemsetAsync(state->junctions.distances, 0xff, bytes)",
                "cudaMemsetAsync(state->junctions.distances, 0xff, bytes / 2)",
            )
        ],
    ),
    # Many sources by Blest.
    Mutation("msbfs blest without a mistake", MSBLEST, [], "it is right"),
    Mutation(
        "a word's columns are the next one's",
        MSBLEST,
        [(">> word % SPREAD * SIGMA;", ">> (word + 1) % SPREAD * SIGMA;")],
    ),
    Mutation(
        "the sources of the second word are those of the first",
        MSBLEST,
        [("uint32_t before = word * WARP_SIZE;", "uint32_t before = 0;")],
    ),
    Mutation(
        "a slice set that is marked stays clean",
        MSBLEST,
        [("        if (tracked && any[q])\n", "        if (tracked && any[q] && q > 0)\n")],
    ),
    Mutation(
        "a set is dirty for good",
        MSBLEST,
        [("        __stcg(&search.dirty[set], (uint8_t)0);\n", "        ;\n")],
        ONCE_MORE,
    ),
    Mutation(
        "a set's active sources add up",
        MSBLEST,
        [("active[word] |= fresh[word];", "active[word] |= marked[word];")],
        ONCE_MORE,
    ),
    Mutation(
        "the frontier keeps what it had",
        MSBLEST,
        [("fresh[word] ^= marked[word];", "fresh[word] = marked[word];")],
    ),
    Mutation(
        "the queue's next count is not cleared",
        MSBLEST,
        [("            search.counts[(level + 1) % NUM_COUNTS] = 0;\n", "            ;\n")],
    ),
    Mutation(
        "sums forget the source",
        MSBLEST,
        [("search.sums[source] = {1, 0, 0};", "search.sums[source] = {0, 0, 0};")],
    ),
    # IBFS.
    Mutation("ibfs without a mistake", IBFS, [], "it is right"),
    Mutation(
        "what has been identified is new again",
        IBFS,
        [("            __stcg(&bsak[vertex], seen);\n", "            ;\n")],
    ),
    Mutation(
        "a chunk's last vertex does not join",
        IBFS,
        [
            (
                "joins |= __ballot_sync(WHOLE_WARP, wanted != 0) != 0 ? 1u << (begin + i) : 0;",
                "joins |= __ballot_sync(WHOLE_WARP, wanted != 0) != 0 ? 1u << (begin + i) & 0x7fffffffu : 0;",
            )
        ],
    ),
    Mutation(
        "a warp expands 32 edges of a vertex",
        IBFS,
        [
            (
                "base < end; base += WARP_SIZE) {",
                "base < end && base < graph.offsets[vertex] + WARP_SIZE; base += WARP_SIZE) {",
            )
        ],
    ),
    Mutation(
        "the first instance's queue is everybody's",
        IBFS,
        [("join(jfq, &counts->length[instance],", "join(jfq, &counts->length[0],")],
    ),
    Mutation(
        "a bottom-up iteration follows another",
        IBFS,
        [("bottom_up = !bottom_up && length > longest;", "bottom_up = length > longest;")],
        "after a bottom-up one the queue's length is that of the unfinished, as good as any",
    ),
    Mutation(
        "bottom-up stops at the first neighbours",
        IBFS,
        [("(mask & ~seen) != 0);", "(mask & ~seen) != 0 && e < in_edges.offsets[vertex] + UNROLL);")],
    ),
    Mutation(
        "the next counts are not cleared",
        IBFS,
        [("        search.counts[(iteration + 1) % NUM_COUNTS] = {};\n", "        ;\n")],
    ),
    # Many sources by nested seen-rows.
    Mutation("rows without a mistake", ROWS, [], "it is right"),
    Mutation(
        "the first block that is done decides",
        ROWS,
        [("== gridDim.x - 1;", "== 0;")],
    ),
    Mutation(
        "the first of a hub's parts settles it",
        ROWS,
        [("if (arrived < parts || !owns)", "if (arrived > 1 || !owns)")],
    ),
    Mutation(
        "what was found for a hub stays",
        ROWS,
        [("        __stcg(&found[w], 0u);\n", "")],
    ),
    Mutation(
        "all pairs of a lane have one place",
        ROWS,
        [("            place += mine[i];\n", "")],
    ),
    Mutation(
        "an edge is of the pair that ends before it",
        ROWS,
        [("owner + step) <= place ? step : 0;", "owner + step) < place ? step : 0;")],
    ),
    Mutation(
        "a warp's first pair is sought by fewer edges",
        ROWS,
        [(".z) <= edge;", ".z) + 1 <= edge;")],
    ),
    Mutation(
        "a push may overwrite what has not been given out",
        ROWS,
        [("|| !has_room(*control, rules, needed, control->edges))", ")")],
    ),
    Mutation(
        "the counts' next is cleared in its own phase",
        ROWS,
        [
            (
                "search.counts[(control->round + 2) % NUM_COUNTS]",
                "search.counts[(control->round + 1) % NUM_COUNTS]",
            )
        ],
    ),
    Mutation(
        "what is collected is new since plane 0",
        ROWS,
        [("plane_of(search, rules, control, control.top - 1);", "plane_of(search, rules, control, 0);")],
    ),
    Mutation(
        "a row is empty if its first word is",
        ROWS,
        [
            (
                "row < graph.num_rows ? plane[row * num_words + w] : 0;",
                "row < graph.num_rows ? plane[row * num_words] : 0;",
            )
        ],
    ),
    Mutation(
        "a pull is over when most rows are complete",
        ROWS,
        [("if (found == 0 || remaining == 0)", "if (found == 0 || remaining < num_rows / 2)")],
    ),
    Mutation(
        "a warp looks at a row once",
        ROWS,
        [
            (
                "edge += GATHERS * rows;",
                "edge = end;",
            )
        ],
    ),
    Mutation(
        "a block's rows begin where those of the block before do",
        ROWS,
        [
            (
                "graph.splits + (size_t)(range - 1) * graph.num_rows",
                "graph.splits + (size_t)range * graph.num_rows",
            )
        ],
    ),
    Mutation(
        "after giving out, plane 0 is the first again",
        ROWS,
        [("control->first = (control->first + control->top) % rules.num_planes;", "control->first = 0;")],
    ),
    Mutation(
        "every second plane is every fourth",
        ROWS,
        [("twos ^= i % 2 == 1 ?", "twos ^= i % 4 == 1 ?")],
    ),
    Mutation(
        "a listed pair counts twice",
        ROWS,
        [
            (
                "(unsigned long long *)&search.plane_counts[plane * num_searches + source], ~0ull)",
                "(unsigned long long *)&search.plane_counts[plane * num_searches + source], 0ull)",
            )
        ],
    ),
    Mutation(
        "a pair's plane is 0",
        ROWS,
        [("pairs.source[i] | control.top << SOURCE_BITS |", "pairs.source[i] |")],
    ),
    Mutation(
        "padding is a neighbour",
        SORTED,
        [
            (
                "(vertex_t)(target == padding ? part.first + (key >> part.bits) : target)",
                "(vertex_t)(target == padding ? 0 : target)",
            )
        ],
    ),
    Mutation(
        "neighbours keep the input's ids",
        SORTED,
        [("key = row_of != NULL ? row_of[target] : target;", "key = target;")],
    ),
    # XBFS: queues.
    Mutation("XBFS without a mistake", XBFS, [], "it is right"),
    Mutation(
        "scan-free without an atomic",
        XBFS,
        [
            (
                "claimed[i] = min_if(open[i], &status[neighbour[i]], level) > level;",
                "claimed[i] = open[i];\n                if (open[i])\n"
                "                    __stcg(&status[neighbour[i]], level);",
            )
        ],
        "a vertex queued twice is expanded twice; a queue overflows only if many reach one at once",
    ),
    Mutation(
        "what was found early counts as visited",
        XBFS,
        [("&status[neighbour[i]]) > level && has[i];", "&status[neighbour[i]]) == UNREACHED && has[i];")],
    ),
    Mutation("queues do not change places", XBFS, [("at.swapped_queues = !at.swapped_queues;", ";")]),
    Mutation("two counts of levels", XBFS, [("#define NUM_COUNTS   3u", "#define NUM_COUNTS   2u")]),
    Mutation(
        "the count that was just read is cleared",
        XBFS,
        [("*counts_of(search, at.level + 1) = {};", "*counts_of(search, at.level + 2) = {};")],
    ),
    Mutation(
        "a scan leaves out the last word",
        XBFS,
        [("word < WARP_SIZE && first + word", "word + 1 < WARP_SIZE && first + WARP_SIZE + word")],
    ),
    Mutation(
        "lanes put what they found at one place",
        XBFS,
        [("number[c] + __popc(of_class & lanes_below(lane_id()))", "number[c] + 0 * of_class")],
    ),
    Mutation("the second scan goes on where the first ended", XBFS, [("before[c] -= mine[c];", "")]),
    Mutation(
        "sums of blocks are read at once",
        XBFS,
        [
            (
                "    if (!meet(search, shared))\n        return false;\n    for (unsigned c",
                "    for (unsigned c",
            )
        ],
    ),
    Mutation(
        "the block itself is before it",
        XBFS,
        [("block < blockIdx.x ? sum : 0", "block <= blockIdx.x ? sum : 0")],
    ),
    Mutation(
        "a class begins where the class below does",
        XBFS,
        [("for (unsigned lower = 0; lower < c; lower++)", "for (unsigned lower = 1; lower < c; lower++)")],
    ),
    Mutation(
        "marked levels are queued while others mark",
        XBFS,
        [
            (
                "if (!meet(search, shared) ||\n                !queue_level(",
                "if (\n                !queue_level(",
            )
        ],
    ),
    Mutation("the last piece is lost", XBFS, [("(edges + PIECE - 1) / PIECE", "edges / PIECE")]),
    Mutation(
        "long vertices of a bottom-up queue are left out",
        XBFS,
        [("        expand_longs<true>(now, left);\n", "")],
    ),
    Mutation(
        "long vertices of a bottom-up queue are where those of the next level come",
        XBFS,
        [
            (
                "append_long(current_queue(now.search, now.at).longs, &now.counts->left, vertex, mine)",
                "append_long(next_queue(now.search, now.at).longs, &now.counts->left, vertex, mine)",
            )
        ],
    ),
    Mutation(
        "a long vertex's place is its first piece",
        XBFS,
        [("place = (uint32_t)(old >> 32);", "place = (uint32_t)old;")],
    ),
    Mutation(
        "a long vertex counts half",
        XBFS,
        [("1ull << 32 | (unsigned long long)num_pieces", "1ull << 31 | (unsigned long long)num_pieces")],
    ),
    Mutation(
        "a long vertex begins with its second piece",
        XBFS,
        [("longs.piece[place], (uint32_t)old)", "longs.piece[place], (uint32_t)old + 1)")],
    ),
    Mutation(
        "lists of long vertices are for those of a warp alone",
        XBFS,
        [("num_edges / state->rules.alone + 1", "num_edges / state->rules.long_above + 1")],
    ),
    Mutation(
        "a search goes on behind the last that is low enough",
        XBFS,
        [("((unsigned)__popc(up_to) - 1) * step", "(unsigned)__popc(up_to) * step")],
    ),
    Mutation(
        "a search leaves out the last before the next step",
        XBFS,
        [("high = min(high, low + step);", "high = min(high, low + step - 1);")],
    ),
    Mutation(
        "a search goes on behind the list's end",
        XBFS,
        [("high = min(high, low + step);", "high = low + step;")],
    ),
    Mutation("a search ends with two", XBFS, [("while (high - low > 1) {", "while (high - low > 2) {")]),
    Mutation(
        "a search's steps do not reach the end",
        XBFS,
        [("step = (high - low + WARP_SIZE - 1) / WARP_SIZE", "step = max((high - low) / WARP_SIZE, 1u)")],
    ),
    Mutation(
        "a search finds what is lower only", XBFS, [("&numbers[at]) <= wanted", "&numbers[at]) < wanted")]
    ),
    Mutation(
        "shares of pieces are rounded down",
        XBFS,
        [("share = (pieces + num_warps() - 1) / num_warps()", "share = pieces / num_warps()")],
    ),
    Mutation(
        "a share goes on behind the last piece",
        XBFS,
        [("until = min(piece + share, (uint64_t)pieces)", "until = piece + share")],
    ),
    Mutation(
        "a share begins one piece late",
        XBFS,
        [("(offset_t)(piece - first) * PIECE", "(offset_t)(piece - first + 1) * PIECE")],
    ),
    Mutation(
        "a share begins with its vertex",
        XBFS,
        [("(offset_t)(piece - first) * PIECE", "(offset_t)(first - first) * PIECE")],
        "edges that several warps look at only cost time",
    ),
    Mutation(
        "a share ends one piece early",
        XBFS,
        [("(offset_t)(until - first) * PIECE", "(offset_t)(until - first - 1) * PIECE")],
    ),
    Mutation(
        "a vertex's last piece is always whole",
        XBFS,
        [("until < first + number ?", "until <= first + number ?")],
    ),
    Mutation(
        "a share's next vertex begins one piece early",
        XBFS,
        [("piece = (uint64_t)first + number;", "piece = (uint64_t)first + number - 1;")],
    ),
    Mutation("an edge's owner is the lane before", XBFS, [("<= place ? step : 0", "< place ? step : 0")]),
    # Bottom-up.
    Mutation(
        "a bottom-up queue drops what was found early",
        XBFS,
        [("return known >= level && has", "return known == UNREACHED && has")],
    ),
    Mutation(
        "what was found early stays so",
        XBFS,
        [
            (
                "        __stcg(&now.search.status[task.vertex], now.at.level);\n"
                "        count_found(now, task.vertex);\n        return false;",
                "        count_found(now, task.vertex);\n        return false;",
            )
        ],
    ),
    Mutation(
        "a neighbour found early is not known",
        XBFS,
        [("(status[i] & ~EARLY) == level;", "status[i] == level;")],
        "a vertex that is not found early is found a level later",
    ),
    Mutation(
        "a neighbour of any level will do",
        XBFS,
        [("(status[i] & ~EARLY) == level;", "status[i] != UNREACHED;")],
    ),
    Mutation(
        "a vertex of the next level gets this one",
        XBFS,
        [("EARLY | (now.at.level + 1));", "now.at.level);")],
    ),
    Mutation(
        "what a long frontier has left is lost",
        XBFS,
        [
            (
                "    if (task.edges.edge < task.edges.end)\n        append_long",
                "    if (false)\n        append_long",
            )
        ],
    ),
    Mutation(
        "what is left is counted before all have come",
        XBFS,
        [
            (
                "    if (!meet(now.search, shared))\n        return false;\n"
                "    uint64_t left = __ldcg(&now.counts->left);\n",
                "    uint64_t left = __ldcg(&now.counts->left);\n"
                "    if (!meet(now.search, shared))\n        return false;\n",
            )
        ],
    ),
    Mutation(
        "a thread looks as far as a warp",
        XBFS,
        [("(offset_t)now.rules.alone)", "(offset_t)now.rules.long_above)")],
        "it only costs time",
    ),
    Mutation(
        "who was found early is asked for after any level",
        XBFS,
        [("now.rules.async && now.at.was_bottom_up,", "now.rules.async,")],
        "top-down levels leave nobody who was found early",
    ),
    Mutation(
        "who was found early is not asked for",
        XBFS,
        [("now.rules.async && now.at.was_bottom_up,", "now.rules.async && !now.at.was_bottom_up,")],
        "one of its edges leads to the level before, so that it is found again",
    ),
    Mutation(
        "a piece finds a parent too late",
        XBFS,
        [
            (
                "if (__shfl_sync(WHOLE_WARP, known, 0) <= level)",
                "if (__shfl_sync(WHOLE_WARP, known, 0) != UNREACHED)",
            )
        ],
    ),
    Mutation(
        "the last piece to end has its way",
        XBFS,
        [
            (
                "atomicMin(status, EARLY | (level + 1)) == UNREACHED",
                "atomicExch(status, EARLY | (level + 1)) == UNREACHED",
            )
        ],
    ),
    Mutation(
        "each piece that finds a parent counts it",
        XBFS,
        [("            if (old > level)\n                count_found", "            count_found")],
        "it only counts for the choice of directions",
    ),
    Mutation(
        "who gets help does not learn what it found",
        XBFS,
        [("        turn->answer.parent = found.parent;\n", "")],
    ),
    Mutation(
        "help begins one edge late",
        XBFS,
        [("for (span.edge += lane_id();", "for (span.edge += lane_id() + 1;")],
    ),
    Mutation(
        "a thread's next frontier is one further",
        XBFS,
        [("i = started + __shfl_sync", "i = started + 1 + __shfl_sync")],
    ),
    Mutation(
        "threads that fetch together get the same frontier",
        XBFS,
        [("taken, 0) + __popc(lanes & lanes_below(lane_id()));", "taken, 0);")],
    ),
    Mutation(
        "threads take one frontier too many",
        XBFS,
        [("(unsigned long long)__popc(lanes));", "(unsigned long long)__popc(lanes) + 1);")],
    ),
    Mutation(
        "threads take one frontier for all",
        XBFS,
        [("(unsigned long long)__popc(lanes));", "1ull);")],
        "a frontier of several threads costs time; a list overflows only if many such are long",
    ),
    Mutation(
        "a thread leaves what it has begun",
        XBFS,
        [("bool fetches = !goes_on(turn) && turn", "bool fetches = turn")],
    ),
    Mutation(
        "a warp's second row is its third",
        XBFS,
        [
            (
                "            first += WARP_SIZE;\n        } else if",
                "            first += 2 * WARP_SIZE;\n        } else if",
            )
        ],
    ),
    Mutation(
        "a warp's next frontiers begin with its first",
        XBFS,
        [
            (
                "first = all + __shfl_sync(WHOLE_WARP, taken, 0);",
                "first = all + 1 + __shfl_sync(WHOLE_WARP, taken, 0);",
            )
        ],
    ),
    Mutation(
        "each thread of a block stops by itself",
        XBFS,
        [("parent = __syncthreads_or(answer.parent);", "parent = answer.parent;")],
    ),
    Mutation(
        "a vertex without in-edges is looked for",
        XBFS,
        [("&& has && (word >> vertex % WARP_SIZE & 1)", "&& has && (word >> vertex % WARP_SIZE & 1) <= 1")],
        "it looks at nothing and finds nothing",
    ),
    # What searches from many sources are chosen by.
    Mutation("a sample without a mistake", AUTO, [], "it is right"),
    Mutation("a vertex is found again", AUTO, [("[vertex]) & ~seen;", "[vertex]);")]),
    Mutation(
        "what was offered is not cleared",
        AUTO,
        [("            __stcg(&sample.fresh[level % 2][vertex], 0u);\n", "")],
    ),
    Mutation(
        "only the first offer to a vertex counts",
        AUTO,
        [
            ("or_if(unseen != 0, &sample", "swap_if(unseen != 0, &sample"),
            ("[vertex], unseen) ==", "[vertex], 0, unseen) =="),
        ],
    ),
    Mutation("the last search alone is alive", AUTO, [("alive |= bits;", "alive = bits;")]),
    Mutation("a single hub is left out", AUTO, [("if (num_hubs > 0)", "if (num_hubs > 1)")]),
    Mutation(
        "a block leaves arcs of its hub to others",
        AUTO,
        [("edge += (uint64_t)share * blockDim.x", "edge += (uint64_t)gridDim.x * blockDim.x")],
    ),
    Mutation(
        "every block begins at a hub's first arc",
        AUTO,
        [("(blockIdx.x % share) * blockDim.x", "0 * blockDim.x")],
    ),
    Mutation("sources need no arcs", AUTO, [("graph_degree(graph, vertex) == 0 &&", "false &&")]),
    Mutation("levels are expected twice", AUTO, [("1 / p) - 1), 1)", "1 / p)), 1)")]),
    Mutation("a block's arcs are for nothing", AUTO, [("rounds * arcs * BLOCK_ARC_MS", "0 * arcs")]),
    Mutation(
        "rows' levels are for nothing", AUTO, [("#define ROWS_LEVEL_MS  8e-3", "#define ROWS_LEVEL_MS 0")]
    ),
    Mutation("single searches give all", AUTO, [("return HUGE_VAL;", "return 0;")]),
]


def write_graph(path, edges):
    num_vertices = max(v for v, _ in edges) + 1
    lines = ["%%MatrixMarket matrix coordinate pattern symmetric"]
    lines += [f"{num_vertices} {num_vertices} {len(edges)}"]
    path.write_text("\n".join(lines + [f"{v + 1} {w + 1}" for v, w in edges]) + "\n")


def build(folder, file):
    command = [
        "make",
        "-s",
        "-j2",
        "NVCC=",
        "BUILD=build",
        "OPTIMIZE=-O1",
        "GTRAV_VERSION=mutant",
        *{what.path if isinstance(what, Program) else "build/gtrav" for what in RUNS[file]},
    ]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"make failed:\n{result.stderr}")


def command_of(folder, what, seed):
    if isinstance(what, Program):
        return [folder / what.path, str(seed)]
    graphs = [argument for graph in what.graphs.split() for argument in ("--graph", graph)]
    settings = f"seed={seed} {what.settings}".split()
    command = [folder / "build/gtrav", "--algo", what.family, "--variant", what.variants, *graphs]
    command += [argument for setting in settings for argument in ("--set", setting)]
    return [*command, "--device", "cpu-emulator", "--verify", "all", "--quiet", *what.arguments.split()]


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (TIME_LIMIT, TIME_LIMIT + 1))


def run(folder, what, seed):
    """What is wrong with a run; empty: nothing."""
    try:
        result = subprocess.run(
            command_of(folder, what, seed),
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=WAIT_LIMIT,
            check=False,
            preexec_fn=limit_time,
        )
    except subprocess.TimeoutExpired:
        return f"no end within {WAIT_LIMIT} s"
    if -result.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return f"no end within {TIME_LIMIT} s"
    lines = result.stderr.strip().splitlines()
    lines += [line for line in result.stdout.splitlines() if line.startswith("FAIL")]
    return (lines[0] if lines else f"exit status {result.returncode}") if result.returncode != 0 else ""


def kill(folder, file):
    """The first finding: "seed 3, bfs: ..."; empty: the mutation survived."""
    for seed in range(SEEDS):
        for what in RUNS[file]:
            finding = run(folder, what, seed)
            if finding:
                return f"seed {seed}, {what.family}: {finding}"
    return ""


def places(file):
    """kernels/FAMILY_SYSTEM.cu if it is there, else the files of kernels/FAMILY/SYSTEM, to which it moved."""
    if (ROOT / file).is_file():
        return [ROOT / file]
    stem = Path(file).stem
    family, _, system = stem.partition("_")
    found = [
        path
        for pattern in (f"{family}/{system}", f"*/{stem}")
        for name in ("", ".*", "/**/*")
        for path in (ROOT / "kernels").glob(pattern + name)
    ]
    return [path for path in dict.fromkeys(found) if path.is_file()]


def mutated(mutation):
    """Pairs (path, text): the files that the mutation changes."""
    texts = {path: path.read_text() for path in places(mutation.file)}
    changed = {}
    for old, new in mutation.changes:
        holders = [path for path, text in texts.items() if old in text]
        if not holders:
            sys.exit(f"'{mutation.name}': no file of {mutation.file} contains\n{old}")
        for path in holders:
            texts[path] = changed[path] = texts[path].replace(old, new)
    return changed.items()


def main():
    if sys.argv[1:] == ["--check"]:
        print(f"{sum(len(mutated(mutation)) > 0 for mutation in MUTATIONS)} mutations can be planted")
        return 0
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
        for graph, edges in FILES.items():
            write_graph(folder / graph, edges)
        for mutation in MUTATIONS:
            if len(sys.argv) > 1 and sys.argv[1] not in mutation.file:
                continue
            changed = mutated(mutation)
            for path, text in changed:
                (folder / path.relative_to(ROOT)).write_text(text)
            build(folder, mutation.file)
            finding = kill(folder, mutation.file)
            for path, _ in changed:
                shutil.copy(path, folder / path.relative_to(ROOT))
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
