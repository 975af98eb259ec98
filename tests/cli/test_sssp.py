"""sssp: distances against SciPy's, their files, and what is refused."""

import numpy
import pytest
import scipy.io
import scipy.sparse.csgraph

from helpers import DEVICE, algorithms, complains, gtrav, gtrav_json, gtrav_ok

VARIANTS = {a["variant"]: a for a in algorithms() if a["family"] == "sssp"}
MASK = 2**64 - 1


def hashed_weight(u, v):
    """The default weight of an edge: 1 + splitmix64 of its ends, modulo 255."""
    z = (min(u, v) << 32 | max(u, v)) + 0x9E3779B97F4A7C15 & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return 1 + (z ^ z >> 31) % 255


def distances(spec, source, folder):
    gtrav_ok(f"{spec} --weights auto --write", folder / "graph.mtx")
    graph = scipy.io.mmread(folder / "graph.mtx")
    return scipy.sparse.csgraph.dijkstra(graph.tocsr(), indices=source).tolist()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("spec", ["kron:8", "grid:9x21", "dag:90:0.1"])
def test_distances_are_those_of_scipy(spec, variant, tmp_path):
    asked = f"sssp {spec} --variant {variant} --device {DEVICE} --source 3 --verify all"
    gtrav_ok(f"{asked} --output", tmp_path / "out.npy")
    parents = "" if variant == "delta" else "--output-parents"
    assert gtrav_json(f"{asked} {parents}")["trials"][0]["verified"]
    assert numpy.load(tmp_path / "out.npy").tolist() == distances(spec, 3, tmp_path)


def test_files(tmp_path):
    first, second = hashed_weight(0, 1), hashed_weight(1, 2)
    asked = "sssp dag:3:1 --variant serial --source 1 --output"
    for ending, text in {
        "txt": f"# distance of each vertex, infinity where not reached: sssp serial on dag:3:1 from source 1\n"
        f"Infinity\n0\n{second}\n",
        "csv": f"vertex,distance\n0,Infinity\n1,0\n2,{second}\n",
        "graphalytics": f"0 Infinity\n1 0\n2 {second}\n",
    }.items():
        gtrav_ok(asked, tmp_path / f"out.{ending}")
        assert (tmp_path / f"out.{ending}").read_text() == text
    gtrav_ok("sssp path:3 --variant serial --source 0,2 --output", tmp_path / "out.npy")
    both = first + second
    assert numpy.load(tmp_path / "out.npy").tolist() == [[0, first, both], [both, second, 0]]
    run = gtrav_json("sssp dag:3:1 --variant serial --source 1")
    assert (run["trials"][0]["reached"], run["trials"][0]["edges"]) == (2, 1)


def test_refusals():
    complains(gtrav("sssp path:3 --variant serial --source 0 --max-depth 1"), "--max-depth")
    complains(gtrav("sssp path:3 --variant serial --source 0 --targets 1"), "--targets")
