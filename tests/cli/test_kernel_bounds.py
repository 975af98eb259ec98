"""Arrays and counters of GPU kernels at their bounds, on the emulator with one multiprocessor: graphs too large for
tests/conformance, each searched once and verified."""

import os
import resource

import pytest

from helpers import gtrav_json, gtrav_ok, read_json

EMULATED = {f"{a['family']} {a['variant']}" for a in gtrav_json("--list") if a["emulated"]}
SECONDS = 30  # of a processor: a search with a fault may not end
ONE_MULTIPROCESSOR = {**os.environ, "GTRAV_EMULATOR_SMS": "1"}


def joined(froms, tos):
    return [(v, w) for v in froms for w in tos]


# dobfs: a warp takes vertices 0 to 255 and then 8192 to 8447. All of the former and 20 of the latter have more than
# the 15 in-neighbours that are packed, none of which is reached: the warp defers 256 vertices and then 20.
DEFERRED = [(300, 301), *joined(range(400, 416), [*range(256), *range(8192, 8212)]), (8447, 8446)]

# Five warps share the 4100 in-edges of vertex 0. Paths of two edges lead to it from TIPS, one of three from the last
# vertex.
LEAVES = 4100
TIPS = range(LEAVES + 1, LEAVES + 33)
HUB = [
    *joined(range(1, LEAVES + 1), [0]),
    *((tip, 1 + 128 * i) for i, tip in enumerate(TIPS)),
    (TIPS.stop, TIPS.start),
]

# blest: 48 warps take the 2188 words of a bitmap of vertices, more than 32 each.
MANY_WORDS = [*joined([0], range(1, 70000, 700)), (69999, 69998)]

CASES = {
    "words": ("bfs blest", MANY_WORDS, "--source 0 --reorder natural --set switch=always --set eta=4294967295"),
    "deferred": ("bfs dobfs", DEFERRED, "--source 300 --set force=bottom-up"),
    "hub": (
        "msbfs bitparallel",
        HUB,
        f"--source {','.join(map(str, [*TIPS, TIPS.stop]))} --set batch=32 --set push-edges=0 --set mark-edges=0",
    ),
    "ranges": (
        "msbfs bitparallel",
        [(v, v + 1) for v in range(80)],
        "--sources 9 --set relabel=0 --set blocks=3 --set push-edges=0 --set mark-edges=0",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_kernels_at_their_bounds(case, tmp_path):
    algorithm, edges, words = CASES[case]
    if algorithm not in EMULATED:
        pytest.skip("no emulator in this build")
    path = tmp_path / "graph.mtx"
    num_vertices = max(max(edge) for edge in edges) + 1
    lines = [f"{num_vertices} {num_vertices} {len(edges)}", *(f"{v + 1} {w + 1}" for v, w in edges)]
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n" + "\n".join(lines) + "\n")
    family, variant = algorithm.split()
    words += f" --variant {variant} --device cpu-emulator --verify all --quiet --json"
    limits = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))}
    result = gtrav_ok(family, path, *words.split(), "--set", "seed=1", env=ONE_MULTIPROCESSOR, **limits)
    run = read_json(result.out)
    assert run["summary"]["verified"] == "all"
