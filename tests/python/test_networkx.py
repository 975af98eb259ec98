"""The backend of NetworkX: NetworkX's own tests, and its results on random graphs."""

import os
import random
import subprocess
import sys
from itertools import islice

import pytest

nx = pytest.importorskip("networkx", minversion="3.5")
nx.config.warnings_to_ignore.add("cache")

MODULES = (
    "algorithms.shortest_paths.tests.test_unweighted",
    "algorithms.shortest_paths.tests.test_generic",
    "algorithms.traversal.tests.test_bfs",
    "algorithms.traversal.tests.test_dfs",
    "algorithms.centrality.tests.test_closeness_centrality",
    "algorithms.tests.test_dag",
)


def test_the_tests_of_networkx(tmp_path):
    """All of the modules pass, with NetworkX itself for what the backend lacks or refuses."""
    modules = [f"networkx.{module}" for module in MODULES]
    hook = {"NETWORKX_TEST_BACKEND": "gtrav", "NETWORKX_FALLBACK_TO_NX": "True"}
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", os.devnull, "--rootdir", str(tmp_path)]
    found = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--pyargs", *modules],
        env={**os.environ, **hook},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert found.returncode == 0, found.stdout[-3000:]
    assert " passed" in found.stdout


def scrambled(G, seed):
    """The same graph with other names and with edges added in another order, so that no lists ascend."""
    shuffled = random.Random(seed)
    edges = [(f"v{u}", f"v{v}") for u, v in G.edges()]
    shuffled.shuffle(edges)
    other = G.__class__()
    other.add_edges_from(edges)
    other.add_nodes_from(f"v{u}" for u in G)
    return other


SPARSE = nx.gnp_random_graph(300, 0.012, seed=2)
DIRECTED = nx.gnp_random_graph(300, 0.01, seed=3, directed=True)
GRAPHS = {
    "sparse": SPARSE,
    "directed": DIRECTED,
    "scrambled": scrambled(SPARSE, 1),
    "scrambled-directed": scrambled(DIRECTED, 2),
    "long": scrambled(nx.path_graph(500), 3),
    "dense": scrambled(nx.gnp_random_graph(400, 0.2, seed=5), 4),
    "multi": nx.MultiDiGraph([(0, 2), (0, 1), (0, 2), (2, 1), (1, 3), (3, 3)]),
    "one": nx.empty_graph(1),
}


@pytest.fixture(params=GRAPHS.values(), ids=GRAPHS.keys())
def graph(request):
    return request.param


def starts(graph):
    return list(islice(graph, 0, None, 1 + len(graph) // 4))


def test_lengths(graph):
    for source in starts(graph):
        for cutoff in (None, 2, 0):
            expected = nx.single_source_shortest_path_length(graph, source, cutoff)
            found = nx.single_source_shortest_path_length(graph, source, cutoff, backend="gtrav")
            assert found == expected
            assert list(found.values()) == sorted(expected.values())


def test_all_lengths(graph):
    found = list(nx.all_pairs_shortest_path_length(graph, cutoff=4, backend="gtrav"))
    assert found == list(nx.all_pairs_shortest_path_length(graph, cutoff=4))


def test_breadth_first_edges(graph):
    for source in starts(graph):
        for limit in (None, 2, 0):
            found = list(nx.bfs_edges(graph, source, depth_limit=limit, backend="gtrav"))
            assert found == list(nx.bfs_edges(graph, source, depth_limit=limit))
        tree = nx.bfs_tree(graph, source, backend="gtrav")
        assert list(tree.edges) == list(nx.bfs_tree(graph, source).edges)


def test_closeness(graph):
    assert nx.closeness_centrality(graph, backend="gtrav") == pytest.approx(nx.closeness_centrality(graph))


@pytest.mark.parametrize("graph", [SPARSE, DIRECTED], ids=["sparse", "directed"])
def test_depth_first(graph):
    for source in starts(graph):
        found = list(nx.dfs_preorder_nodes(graph, source, backend="gtrav"))
        assert found == list(nx.dfs_preorder_nodes(graph, source))


def test_topological_order():
    dag = nx.DiGraph((u, v) for u, v in DIRECTED.edges if u < v)
    dag.add_nodes_from(DIRECTED)
    ascending = nx.DiGraph()
    ascending.add_nodes_from(sorted(dag))
    ascending.add_edges_from(sorted(dag.edges))
    assert list(nx.topological_sort(ascending, backend="gtrav")) == list(nx.topological_sort(ascending))
    place = {node: place for place, node in enumerate(nx.topological_sort(scrambled(dag, 1), backend="gtrav"))}
    assert all(place[f"v{u}"] < place[f"v{v}"] for u, v in dag.edges)


@pytest.mark.parametrize(
    "call",
    [
        lambda: nx.bfs_edges(SPARSE, 0, sort_neighbors=sorted, backend="gtrav"),
        lambda: nx.bfs_tree(DIRECTED, 0, reverse=True, backend="gtrav"),
        lambda: nx.closeness_centrality(SPARSE, distance="weight", backend="gtrav"),
        lambda: nx.closeness_centrality(SPARSE, wf_improved=False, backend="gtrav"),
        lambda: nx.dfs_preorder_nodes(SPARSE, backend="gtrav"),
        lambda: nx.dfs_preorder_nodes(SPARSE, 0, depth_limit=2, backend="gtrav"),
        lambda: nx.dfs_preorder_nodes(GRAPHS["scrambled"], "v0", backend="gtrav"),
    ],
)
def test_what_it_cannot_do_it_refuses(call):
    with pytest.raises(NotImplementedError):
        call()


def is_converted(graph):
    return "gtrav" in graph.__networkx_cache__.get("backends", {})


def test_priority():
    """NetworkX itself picks the backend where it pays, and goes on alone with what it refuses."""
    large = nx.gnp_random_graph(300, 0.02, seed=6)
    with nx.config.backend_priority(algos=["gtrav"]):
        nx.single_source_shortest_path_length(large, 0)
        nx.closeness_centrality(large, 0)
        assert not is_converted(large)
        nx.closeness_centrality(large)
        assert is_converted(large)
        lengths = nx.single_source_shortest_path_length(large, 0)
        order = list(nx.dfs_preorder_nodes(large, 0, depth_limit=3))
    assert lengths == nx.single_source_shortest_path_length(large, 0, backend="networkx")
    assert order == list(nx.dfs_preorder_nodes(large, 0, depth_limit=3, backend="networkx"))


def test_small_graphs_stay_with_networkx():
    small = nx.path_graph(10)
    with nx.config.backend_priority(algos=["gtrav"]):
        nx.closeness_centrality(small)
        assert not is_converted(small)
        nx.config.backends.gtrav.smallest = 10
        nx.closeness_centrality(small)
    nx.config.backends.gtrav.smallest = 100
    assert is_converted(small)
