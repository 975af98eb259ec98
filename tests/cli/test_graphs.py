"""Generators give the graphs they promise, and --info says what is true of a graph."""

import csv
import random

import pytest

import oracle
from helpers import DATA, algorithms, edges_of, gtrav_json, gtrav_ok, info, write_mtx

with open(DATA / "graph_facts.csv", newline="") as file:
    FACTS = {row["spec"]: row for row in csv.DictReader(file)}
COUNTS = ("vertices", "edges", "isolated", "max_degree", "sum_squared_degrees")
WITH_SOURCES = [spec for spec, row in FACTS.items() if row["first_8_sources"]]


@pytest.mark.parametrize("spec", FACTS)
def test_facts(spec):
    facts = info(spec)
    assert {name: facts[name] for name in COUNTS} == {name: int(FACTS[spec][name]) for name in COUNTS}
    assert facts["symmetric"]


@pytest.mark.parametrize("spec", WITH_SOURCES)
def test_sources_and_levels_of_facts(spec, tmp_path):
    """GAP's sources, and a BFS from the first of them, by whichever BFS can run here."""
    row = FACTS[spec]
    variant = next(a["variant"] for a in algorithms() if a["family"] == "bfs")
    run = gtrav_json(
        "--algo", "bfs", "--variant", variant, "--graph", spec, "--sources", "8", "--verify", "all"
    )
    assert run["sources"] == [int(source) for source in row["first_8_sources"].split()]
    first = run["trials"][0]
    assert (first["source"], first["reached"]) == (int(row["bfs_source"]), int(row["bfs_reached"]))
    assert first["edges"] == int(row["bfs_edges_traversed"])

    out = tmp_path / "levels.txt"
    gtrav_ok(
        *(
            "--algo",
            "bfs",
            "--variant",
            variant,
            "--graph",
            spec,
            "--source",
            row["bfs_source"],
            "--output",
            out,
        )
    )
    levels = [int(line) for line in out.read_text().splitlines() if not line.startswith("#")]
    assert max(levels) == int(row["bfs_eccentricity"])
    assert sum(level for level in levels if level > 0) == int(row["bfs_sum_of_levels"])


def undirected(num_vertices, edges):
    return num_vertices, {(u, v) for u, v in edges} | {(v, u) for u, v in edges}


REGULAR = {
    "path:6": undirected(6, [(i, i + 1) for i in range(5)]),
    "path:1": (1, set()),
    "path:0": (0, set()),
    "cycle:5": undirected(5, [(i, (i + 1) % 5) for i in range(5)]),
    "cycle:2": undirected(2, [(0, 1)]),
    "star:5": undirected(5, [(0, i) for i in range(1, 5)]),
    "complete:4": undirected(4, [(i, j) for i in range(4) for j in range(i)]),
    "tree:7": undirected(7, [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]),
    "grid:3x2": undirected(6, [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]),
    "grid:1x3": undirected(3, [(0, 1), (1, 2)]),
    "mesh:2x1x2:7": undirected(4, [(0, 1), (2, 3), (0, 2), (1, 3)]),
    "dag:4:1": (4, {(i, j) for j in range(4) for i in range(j)}),
    "dag:4:0": (4, set()),
}


@pytest.mark.parametrize("spec", REGULAR)
def test_regular_graphs(spec, tmp_path):
    assert edges_of(spec, tmp_path) == REGULAR[spec]


# Of random graphs: vertices and edges lie between these, as the definitions in DESIGN promise.
RANDOM = {
    "road:8": ((2200, 3700), (2.0, 2.15)),
    "rgg:10": ((1024, 1024), (5, 9)),  # pi 0.55^2 ln n edges at a vertex, fewer at the border
    "delaunay:8": ((256, 256), (5.4, 6)),
    "dag:500:0.4": ((500, 500), (95, 105)),
    "urand:9:4": ((512, 512), (7.5, 8)),
    "mesh:9x8x7": ((504, 504), (18, 26)),
    "web:12:8": ((4096, 4096), (5, 11)),
    "kmer:8": ((1200, 2000), (2.0, 2.3)),
    "mawi:10": ((1024, 1024), (2.0, 2.2)),
}


@pytest.mark.parametrize("spec", RANDOM)
def test_random_graphs(spec, tmp_path):
    vertices, degree = RANDOM[spec]
    facts = info(spec)
    assert vertices[0] <= facts["vertices"] <= vertices[1]
    assert degree[0] <= facts["edges"] / facts["vertices"] <= degree[1]
    assert facts["acyclic"] == spec.startswith("dag")
    one, two = tmp_path / "one.mtx", tmp_path / "two.mtx"
    gtrav_ok("--graph", spec, "--write", one, "--threads", "1")
    gtrav_ok("--graph", spec, "--write", two, "--threads", "3")
    assert one.read_bytes() == two.read_bytes()


def random_graph(number):
    """Small graphs of every kind: sparse, dense, directed or not, with loops, repeats, isolated vertices."""
    rng = random.Random(number)
    n = rng.choice([1, 2, 7, 30, 31, 32, 33, 65])
    count = rng.choice([0, n // 2, n, 3 * n])
    edges = [(rng.randrange(n), rng.randrange(n)) for _ in range(count)]
    if number % 3 == 1:
        edges += [(v, u) for u, v in edges]
    if number % 3 == 2:
        edges = [(min(edge), max(edge)) for edge in edges]
    return n, edges


@pytest.mark.parametrize("number", range(12))
def test_info_is_true(number, tmp_path):
    n, edges = random_graph(number)
    graph = oracle.Graph(n, edges)
    out_degrees = [len(neighbours) for neighbours in graph.neighbours]
    touched = {u for edge in graph.edges for u in edge}
    sizes = oracle.component_sizes(graph)
    facts = info(write_mtx(tmp_path / "random.mtx", n, edges))
    assert (facts["vertices"], facts["edges"]) == (n, len(graph.edges))
    assert facts["self_loops_dropped"] == sum(u == v for u, v in edges)
    assert facts["duplicates_dropped"] == len(edges) - facts["self_loops_dropped"] - len(graph.edges)
    assert facts["symmetric"] == all((v, u) in graph.edges for u, v in graph.edges)
    assert facts["acyclic"] == oracle.is_acyclic(graph)
    assert facts["isolated"] == n - len(touched)
    assert facts["max_degree"] == max(out_degrees)
    assert facts["sum_squared_degrees"] == sum(degree**2 for degree in out_degrees)
    assert (facts["components"], facts["largest_component"]) == (len(sizes), sizes[0])
    assert facts["csr_bytes"] == 8 * (n + 1) + 4 * len(graph.edges)
    for bin_ in facts["degree_histogram"]:
        inside = sum(bin_["from"] <= degree <= bin_["to"] for degree in out_degrees)
        assert bin_["vertices"] == inside
    assert sum(bin_["vertices"] for bin_ in facts["degree_histogram"]) == n
    both = graph.undirected()
    widest = max(max(oracle.bfs_levels(both, v)) for v in range(n))
    assert facts["pseudo_diameter"] <= widest


def test_pseudo_diameter_of_paths_and_grids():
    assert info("path:100")["pseudo_diameter"] == 99
    assert info("grid:30x20")["pseudo_diameter"] == 48
    assert info("complete:9")["pseudo_diameter"] == 1
    assert info("path:1")["pseudo_diameter"] == 0


def test_scale_free_rule():
    """Blest's rule tells a Kronecker graph from road, mesh and random ones."""
    kinds = {
        spec: info(spec)["scale_free"] for spec in ("kron:14", "road:8", "grid:50x50", "urand:12", "rgg:15")
    }
    assert kinds == {
        "kron:14": True,
        "road:8": False,
        "grid:50x50": False,
        "urand:12": False,
        "rgg:15": False,
    }


def test_info_for_people():
    text = gtrav_ok("--info", "--graph", "kron:10").out
    for word in ("kron:10", "1,024", "20,992", "471", "isolated", "component", "degree"):
        assert word in text
