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
    assert gtrav_json(f"{asked} --output-parents")["trials"][0]["verified"]
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


# Graphs of graphalytics-validation in github.com/ldbc/ldbc_graphalytics, and what it expects from the first vertex.
FAR = float("inf")
EXAMPLE = """1 3 0.5,1 5 0.3,2 4 0.1,2 5 0.3,2 10 0.12,3 1 0.53,3 5 0.62,3 8 0.21,3 10 0.52,5 3 0.69,5 4 0.53,5 8 0.1,
6 3 0.23,6 4 0.39,7 4 0.83,8 1 0.39,9 4 0.69"""
PAIRED = (
    """2 3 0.9,2 4 0.69,3 4 0.13,3 5 0.5,3 8 0.32,5 6 0.63,5 8 0.12,6 7 0.53,6 8 0.64,6 9 0.23,6 10 0.63,7 9 0.36"""
)
SHORT_CUTS = """1 2 0.5,1 3 5.0,1 4 5.0,2 5 0.5,3 4 2.0,5 6 0.5,6 3 0.5,6 10 23.0,7 1 1.0,7 8 3.2,8 10 0.2,9 10 0.1,
10 7 8.0"""
GRAPHALYTICS = {
    "example-directed": (EXAMPLE, [0, FAR, 0.5, 0.83, 0.3, FAR, FAR, 0.4, FAR, 1.02]),
    "example-undirected": (PAIRED, [0, 0.82, 0.69, 1.26, 1.78, 2.31, 1.14, 2.01, 2.41]),
    "dir": (SHORT_CUTS, [0, 0.5, 2, 4, 1, 1.5, 32.5, 35.7, FAR, 24.5]),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", GRAPHALYTICS)
def test_graphalytics(name, variant, tmp_path):
    edges, expected = GRAPHALYTICS[name]
    directed = "undirected" not in name
    first = 1 if directed else 2
    (tmp_path / "g.v").write_text("".join(f"{first + i}\n" for i in range(len(expected))))
    (tmp_path / "g.e").write_text("\n".join(edge.strip() for edge in edges.split(",")) + "\n")
    (tmp_path / "g.properties").write_text(
        f"graph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\ngraph.g.directed = {str(directed).lower()}\n"
    )
    asked = f"sssp g.properties --variant {variant} --device {DEVICE} --source {first} --verify all --output"
    gtrav_ok(f"{asked} out.graphalytics", cwd=tmp_path)
    rows = [line.split() for line in (tmp_path / "out.graphalytics").read_text().splitlines()]
    assert [int(vertex) for vertex, _ in rows] == [first + i for i in range(len(expected))]
    assert [float(distance) for _, distance in rows] == pytest.approx(expected, rel=1e-4)
