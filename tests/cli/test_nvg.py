"""dfs nvg: the serial DFS's result, on DAGs and elsewhere, and paths that take too much memory."""

import csv
import os
import random
import signal
import subprocess
import time
from collections import Counter

import numpy
import pytest

from helpers import DEVICE, GTRAV, algorithms, complains, gtrav, gtrav_json, gtrav_ok, write_mtx

LISTING = {(a["variant"], a["device"]): a for a in gtrav_json("--list") if a["family"] == "dfs"}
GPU = ("nvg", "gpu") in LISTING and LISTING["nvg", "gpu"] in algorithms()
HERE = GPU or (DEVICE == "auto" and LISTING.get(("nvg", "gpu"), {}).get("emulated", False))
pytestmark = pytest.mark.skipif(not HERE, reason="neither a GPU nor the emulator")

NVG = f"dfs --variant nvg --device {'gpu' if GPU else 'cpu-emulator'} --quiet"
SERIAL = "dfs --variant serial --quiet"


def comb(teeth, gap):
    """A chain whose every vertex also leads to `gap` sinks of its own: log2(gap + 1) bits a step."""
    width = gap + 1
    return [(i * width, i * width + 1 + k) for i in range(teeth) for k in range(width)]


def shuffled(num_vertices, edges, seed):
    """The same graph under other ids: then a child's position says nothing of its round."""
    ids = list(range(num_vertices))
    random.Random(seed).shuffle(ids)
    return [(ids[u], ids[v]) for u, v in edges]


def random_dag(num_vertices, density, seed):
    rng = random.Random(seed)
    edges = [(u, v) for v in range(num_vertices) for u in range(v) if rng.random() < density]
    return shuffled(num_vertices, edges, seed)


def long_prefix():
    """1,100 steps of 4 bits, more than a warp compares at once, before paths part in a dense DAG."""
    first = 1100 * 16
    dense = [(u, v) for v in range(first, first + 40) for u in range(first, v) if (u * 7 + v * 3) % 4]
    return first + 40, comb(1100, 15) + dense


DAGS = {
    "of single edges": (300, random_dag(300, 0.004, 1)),
    "sparse": (300, random_dag(300, 0.02, 2)),
    "middling": (200, random_dag(200, 0.2, 3)),
    "dense": (150, random_dag(150, 0.8, 4)),
    "complete": (100, random_dag(100, 1, 5)),
    "chain": (400, shuffled(400, [(v, v + 1) for v in range(399)], 6)),
    "wide": (400, [(u, v) for u in range(4) for v in range(4 + u, 400)] + [(0, 1), (1, 2), (2, 3)]),
    "long common prefix": long_prefix(),
}


def outputs(command, path, source, folder):
    gtrav_ok(f"{command} --verify all --source {source} --output", folder / "out.npy", "--graph", path)
    return numpy.load(folder / "out.npy").tolist()


@pytest.mark.parametrize("name", DAGS)
def test_dags_as_dfs_serial(name, tmp_path):
    """--verify all: parents and post-order too are those of the one right order."""
    num_vertices, edges = DAGS[name]
    path = write_mtx(tmp_path / "dag.mtx", num_vertices, edges)
    far, _ = Counter(u for u, _ in set(edges)).most_common(1)[0]
    for source in {0, far}:
        assert outputs(NVG, path, source, tmp_path) == outputs(SERIAL, path, source, tmp_path)


@pytest.mark.parametrize("graph", ["path:40", "kron:6", "cycle:9", "grid:5x6", "complete:20"])
def test_a_cycle_costs_rounds_but_changes_no_result(graph, tmp_path):
    """--verify all: the parents, too, are those of the one right order."""
    run = gtrav_json(f"{NVG} {graph} --sources 2 --verify all")
    assert "expanded again" in run["note"]
    assert run["summary"]["verified"] == "all"
    assert outputs(NVG, graph, 1, tmp_path) == outputs(SERIAL, graph, 1, tmp_path)


def test_sinks_get_smaller_paths_as_dfs_serial(tmp_path):
    """A vertex without children is reached at once, and by later and later vertices of a cycle."""
    edges = [edge for v in range(20) for edge in ((v, (v + 1) % 20), (v, 20 + v % 3))]
    path = write_mtx(tmp_path / "graph.mtx", 23, edges)
    assert outputs(NVG, path, 5, tmp_path) == outputs(SERIAL, path, 5, tmp_path)


@pytest.mark.skipif(GPU, reason="a GPU may be done before the signal comes")
def test_a_long_search_ends_on_ctrl_c():
    """The emulator would take minutes."""
    command = NVG.replace("--quiet", "grid:40x40 --source 0 --set launch-ms=1").split()
    process = subprocess.Popen([GTRAV, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert "1600 vertices" in process.stderr.readline().replace(",", "")  # loaded
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=600)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "interrupted: dfs nvg on grid:40x40: 0 of 1 trials measured" in err


@pytest.mark.skipif(GPU, reason="a GPU may be done before the limit")
def test_a_long_search_ends_at_its_limit(tmp_path):
    result = gtrav(f"{NVG} grid:40x40 --source 0 --set launch-ms=1 --set limit-s=1 --csv", tmp_path)
    complains(result, "grid:40x40: time limit of 1 s", "--variant v4 or serial", "--set limit-s", status=3)
    (path,) = tmp_path.rglob("failures.csv")
    (failure,) = csv.DictReader(path.open())
    assert (failure["variant"], failure["reason"]) == ("nvg", "time limit")


@pytest.mark.slow
@pytest.mark.parametrize(("graph", "teeth"), [("cycle:4500", None), (None, 4500)])
def test_too_many_paths(graph, teeth, tmp_path):
    """Both need more than 1 MB; with 4 they are done."""
    if graph is None:
        graph = write_mtx(tmp_path / "comb.mtx", 2 * teeth + 1, comb(teeth, 1))
    command = f"{NVG} --source 0 --set limit-s=0"
    result = gtrav(f"{command} --set path-mb=1 --graph", graph)
    complains(result, "paths need more than 1 MB", "--set path-mb", "--variant v4 or serial", status=3)
    gtrav_ok(f"{command} --set path-mb=4 --verify all --graph", graph)


def test_there_is_room_for_hundreds_of_paths_of_a_vertex(tmp_path):
    """Each edge to the next vertex but one is a short cut at first: from vertex 0 all paths together are
    27.7 MB, which takes half a minute. The lone vertex is searched in no time, with the same memory."""
    size = 1200
    edges = [(v, w) for v in range(size) for w in (v + 1, v + 2) if w < size] + [(size - 1, 0)]
    path = write_mtx(tmp_path / "braid.mtx", size + 1, edges)
    run = gtrav_json(f"{NVG} --source {size}", path)
    assert run["summary"]["device_bytes"] > 27.7e6


@pytest.mark.skipif(GPU, reason="of the emulator's memory")
def test_paths_take_what_is_free():
    tiny = {**os.environ, "GTRAV_EMULATOR_MB": "2"}
    result = gtrav(f"{NVG} cycle:6000 --source 0", env=tiny)
    complains(result, "paths need more than 1 MB", status=3)
