"""Sources and levels are those of GAP, and --info says what is true of a graph.

The generators themselves are in tests/unit/test_generate.c."""

import csv
import random

import pytest

import oracle
from helpers import DATA, algorithms, gtrav_json, gtrav_ok, info, write_mtx

with open(DATA / "graph_facts.csv", newline="") as file:
    FACTS = {row["spec"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("spec", [spec for spec, row in FACTS.items() if row["first_8_sources"]])
def test_levels_of_facts(spec, tmp_path):
    """A BFS from the first of GAP's sources, which tests/unit/test_source_lists.c checks."""
    row, out = FACTS[spec], tmp_path / "levels.txt"
    variant = next(a["variant"] for a in algorithms() if a["family"] == "bfs")
    run = gtrav_json(f"bfs {spec} --variant {variant} --source {row['bfs_source']} --output", out)
    first = run["trials"][0]
    assert (first["reached"], first["edges"]) == (int(row["bfs_reached"]), int(row["bfs_edges_traversed"]))
    levels = [int(line) for line in out.read_text().splitlines() if not line.startswith("#")]
    assert max(levels) == int(row["bfs_eccentricity"])
    assert sum(level for level in levels if level > 0) == int(row["bfs_sum_of_levels"])


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


def test_info_for_people():
    text = gtrav_ok("--info", "--graph", "kron:10").out
    for word in ("kron:10", "1,024", "20,992", "471", "isolated", "component", "degree"):
        assert word in text
