"""Every algorithm that can run here, on small graphs, against plain Python.

A new algorithm is tested by its line in the registry: what it is compared with follows from its family and
outputs. GTRAV_TEST_DEVICE=gpu tests those of the GPU alone.
"""

import random
from functools import cache

import numpy
import pytest

import oracle
from helpers import DEVICE, algorithms, gtrav_json, write_mtx

UNREACHED = oracle.UNREACHED


def chain(vertices):
    return list(zip(vertices, vertices[1:]))


def clique(vertices):
    return [(u, v) for u in vertices for v in vertices if u != v]


def both_ways(edges):
    return edges + [(v, u) for u, v in edges]


def random_edges(seed, num_vertices, count, forward=False):
    rng = random.Random(seed)
    edges = [(rng.randrange(num_vertices), rng.randrange(num_vertices)) for _ in range(count)]
    return [(min(edge), max(edge)) for edge in edges] if forward else edges


# Every shape is in tests/conformance/graphs.c. These need an answer from other code than gtrav's.
GRAPHS = {
    "self-loops and repeats": (4, [(0, 0), (0, 1), (0, 1), (1, 1), (1, 2), (2, 0), (3, 3)]),
    "chain into a clique": (90, chain(range(50)) + clique(range(49, 90))),
    "two components": (150, both_ways(random_edges(1, 150, 120))),
    "sparse directed": (150, random_edges(1, 150, 220)),
    "small DAG": (64, random_edges(4, 64, 200, forward=True)),
}


@cache
def graph_of(name):
    return oracle.Graph(*GRAPHS[name])


def sources_of(graph):
    """The first and last vertex, a high-degree vertex, and one without out-neighbours if there is one."""
    highest = max(range(graph.num_vertices), key=lambda v: len(graph.neighbours[v]))
    leaf = min(range(graph.num_vertices), key=lambda v: len(graph.neighbours[v]))
    return list(dict.fromkeys([0, graph.num_vertices - 1, leaf, highest]))


def check_bfs(graph, source, array, run):
    assert "level" in run["outputs"]
    assert array == oracle.bfs_levels(graph, source)


def check_dfs(graph, source, array, run):
    if "order" in run["outputs"]:
        assert array == oracle.dfs_order(graph, source)
    elif "parent" in run["outputs"]:
        assert oracle.is_spanning_tree(graph, source, array)
    else:
        assert array == [level != UNREACHED for level in oracle.bfs_levels(graph, source)]


def check_topo(graph, source, array, run):
    assert oracle.is_topological(graph, array)


CHECKS = {"bfs": check_bfs, "msbfs": check_bfs, "dfs": check_dfs, "reach": check_dfs, "topo": check_topo}


def cases():
    for algorithm in algorithms():
        for name in GRAPHS:
            if algorithm["family"] != "topo" or oracle.is_acyclic(graph_of(name)):
                label = f"{algorithm['family']}-{algorithm['variant']}-{name}"
                yield pytest.param(algorithm, name, id=label)


def command(algorithm):
    names = f"{algorithm['family']} --variant {algorithm['variant']}"
    return f"{names} --device {DEVICE} --verify all"


@pytest.mark.parametrize(("algorithm", "name"), cases())
def test_against_python(algorithm, name, tmp_path):
    graph, has_sources = graph_of(name), algorithm["family"] != "topo"
    path = write_mtx(tmp_path / "graph.mtx", *GRAPHS[name])
    sources = sources_of(graph) if has_sources else [None]
    where = ("--source", ",".join(map(str, sources))) if has_sources else ("--sources", "1")
    out = tmp_path / "result.npy"
    run = gtrav_json(command(algorithm), path, *where, "--output", out)

    assert [trial["verified"] for trial in run["trials"]] == [True] * len(sources)
    for source, trial in zip(sources, run["trials"]):
        reached = range(graph.num_vertices)
        if has_sources:
            assert trial["source"] == source
            reached = [v for v, level in enumerate(oracle.bfs_levels(graph, source)) if level != UNREACHED]
        assert trial["reached"] == len(reached)
        assert trial["edges"] == sum(len(graph.neighbours[v]) for v in reached)
    run["outputs"] = algorithm["outputs"]
    CHECKS[algorithm["family"]](graph, sources[-1], numpy.load(out).tolist(), run)


@pytest.mark.parametrize("algorithm", algorithms(), ids=lambda a: f"{a['family']}-{a['variant']}")
def test_larger_graphs_from_gap_sources(algorithm):
    """Hundreds of levels, very high degrees, many components: verified by the program itself."""
    acyclic = ["dag:700:0.05", "dag:90:1"]
    for spec in acyclic if algorithm["family"] == "topo" else ["kron:13", "road:9", "rgg:12", acyclic[0]]:
        run = gtrav_json(f"{command(algorithm)} {spec} --sources 8")
        assert [trial["verified"] for trial in run["trials"]] == [True] * 8
        assert run["summary"]["verified"] == "all"


@pytest.mark.parametrize("spec", ["path:5000", "grid:20x250"])
def test_the_default_on_a_cpu_is_no_slower_than_one_thread(spec):
    """On long narrow graphs. It was 100 times slower, because it woke all threads for every level."""
    runs = gtrav_json(f"bfs {spec} --variant serial,gap --source {','.join('0' * 9)} --threads 2")
    serial, gap = (run["summary"]["min_time_ms"] for run in runs)
    assert gap < 5 * serial


@pytest.mark.parametrize("algorithm", algorithms(), ids=lambda a: f"{a['family']}-{a['variant']}")
def test_text_output_equals_binary_output(algorithm, tmp_path):
    # Of dag:50:1 there is only one topological order, whoever finds it.
    for name in ("out.txt", "out.npy"):
        gtrav_json(f"{command(algorithm)} dag:50:1 --sources 2 --output", tmp_path / name)
    lines = (tmp_path / "out.txt").read_text().splitlines()
    assert lines[0].startswith("#")
    assert [int(line) for line in lines[1:]] == numpy.load(tmp_path / "out.npy").tolist()
    data = (tmp_path / "out.npy").read_bytes()
    assert (10 + int.from_bytes(data[8:10], "little")) % 64 == 0  # where the format wants the values to begin
