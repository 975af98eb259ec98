"""The backend of NetworkX: NetworkX's own tests, and its results on random graphs."""

import copy
import math
import multiprocessing
import os
import pickle
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

import pytest

nx = pytest.importorskip("networkx", minversion="3.5")
nx.config.warnings_to_ignore.add("cache")

from gtrav.networkx import BackendGraph  # noqa: E402

MODULES = (
    "algorithms.shortest_paths.tests.test_unweighted",
    "algorithms.shortest_paths.tests.test_generic",
    "algorithms.shortest_paths.tests.test_weighted",
    "algorithms.traversal.tests.test_bfs",
    "algorithms.traversal.tests.test_dfs",
    "algorithms.centrality.tests.test_betweenness_centrality",
    "algorithms.centrality.tests.test_betweenness_centrality_subset",
    "algorithms.centrality.tests.test_closeness_centrality",
    "algorithms.centrality.tests.test_harmonic_centrality",
    "algorithms.components",
    "algorithms.tests.test_dag",
    "algorithms.tests.test_distance_measures",
    "algorithms.tree.tests.test_mst",
    "generators.tests.test_ego",
)


def test_the_tests_of_networkx(tmp_path):
    """All of the modules pass, with NetworkX itself for what the backend lacks or refuses."""
    modules = [f"networkx.{module}" for module in MODULES]
    hook = {"NETWORKX_TEST_BACKEND": "gtrav", "NETWORKX_FALLBACK_TO_NX": "True"}
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", os.devnull, "--rootdir", str(tmp_path)]
    command = [sys.executable, "-m", "pytest", *options, "--pyargs", *modules]
    where = {"env": {**os.environ, **hook}, "cwd": tmp_path}
    found = subprocess.run(command, **where, capture_output=True, text=True, timeout=600)
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
    "cycles": nx.gnp_random_graph(200, 0.007, seed=8, directed=True),
    "scrambled": scrambled(SPARSE, 1),
    "scrambled-directed": scrambled(DIRECTED, 2),
    "long": scrambled(nx.path_graph(200), 3),
    "dense": scrambled(nx.gnp_random_graph(150, 0.3, seed=5), 4),
    "both-ways": SPARSE.to_directed(),
    "multi": nx.MultiDiGraph([(0, 2), (0, 1), (0, 2), (2, 1), (1, 3), (3, 3)]),
    "parallel": nx.MultiGraph([(0, 2), (0, 1), (0, 2), (2, 1), (1, 3), (3, 3), (3, 3)]),
    "tree": scrambled(nx.full_rary_tree(2, 90), 6),
    "one": nx.empty_graph(1),
}


@pytest.fixture(params=GRAPHS.values(), ids=GRAPHS.keys())
def graph(request):
    return request.param


def starts(graph):
    return list(islice(graph, 0, None, 1 + len(graph) // 4))


# By functions: one dict of arguments for each call. SOURCE is each of some nodes, TARGET another one.
SOURCE, TARGET, SOME = object(), object(), object()
LIMITS = [{"source": SOURCE, "depth_limit": limit} for limit in (None, 2, 1.5, 0, math.nan)]
CUTOFFS = [{"cutoff": cutoff} for cutoff in (None, 2, 1.5, 0, -1, math.nan)]
SAMPLE = {None: {}, 1: {"k": 1, "seed": 3}, 40: {"k": 40, "seed": 4}}
FROM, TO, PAIR = {"source": SOURCE}, {"target": TARGET}, {"source": SOURCE, "target": TARGET}
ALL = {
    "ancestors bfs_tree dfs_edges dfs_postorder_nodes dfs_predecessors dfs_preorder_nodes dfs_successors dfs_tree "
    "descendants shortest_path shortest_path_length": [FROM],
    "bfs_edges bfs_predecessors bfs_successors bfs_tree generic_bfs_edges": LIMITS,
    "bfs_edges bfs_tree": [{**FROM, "reverse": True}, {**FROM, "reverse": True, "depth_limit": 3}],
    "betweenness_centrality edge_betweenness_centrality": [
        {"normalized": each, **SAMPLE[k]} for each in (True, False) for k in SAMPLE
    ],
    "betweenness_centrality": [
        {"normalized": each, "endpoints": True, **SAMPLE[k]} for each in (True, False) for k in SAMPLE
    ],
    "harmonic_centrality connected_components is_connected number_connected_components is_weakly_connected "
    "is_strongly_connected number_weakly_connected_components number_strongly_connected_components "
    "weakly_connected_components strongly_connected_components": [{}],
    "node_connected_component": [{"n": SOURCE}],
    "bfs_layers": [{"sources": SOURCE}, {"sources": SOME}],
    "average_shortest_path_length": [{"method": method} for method in ("unweighted", "dijkstra", "bellman-ford")],
    "shortest_path_length": [{**FROM, "method": "bellman-ford"}],
    "average_shortest_path_length center closeness_centrality diameter eccentricity is_directed_acyclic_graph "
    "periphery radius shortest_path_length topological_generations topological_sort": [{}],
    "closeness_centrality": [{"u": SOURCE}],
    "center diameter periphery radius": [{"usebounds": True}],
    "eccentricity": [{"v": SOURCE}, {"v": SOME}],
    "descendants_at_distance": [{"source": SOURCE, "distance": far} for far in (-1, 0, 2, 99)],
    "ego_graph": [{"n": SOURCE}, {"n": SOURCE, "radius": math.nan}, {"n": SOURCE, "radius": 2, "center": False}],
    "has_path shortest_path_length": [PAIR],
    "shortest_path shortest_path_length": [TO],
    "all_pairs_shortest_path all_pairs_shortest_path_length": CUTOFFS[1:],
    "single_source_shortest_path single_source_shortest_path_length": [{**FROM, **cutoff} for cutoff in CUTOFFS],
    "single_target_shortest_path single_target_shortest_path_length": [{**TO, **cutoff} for cutoff in CUTOFFS[:2]],
}
CALLS = {name: [] for name in sorted({name for names in ALL for name in names.split()})}
for names, arguments in ALL.items():
    for each in names.split():
        CALLS[each] += arguments
FLOATS = ("closeness_centrality", "harmonic_centrality", "betweenness_centrality", "edge_betweenness_centrality")
UNORDERED = {"ego_graph"}  # graphs whose nodes come from a set


def answer(name, graph, arguments, backend):
    """What a function returns, with its order, or the type of error that it raises."""
    try:
        found = getattr(nx, name)(graph, **arguments, backend=backend)
        if isinstance(found, nx.Graph):
            nodes, edges = list(found.nodes(data=True)), list(found.edges(data=True))
            return (sorted(nodes), sorted(map(sorted, found.edges()))) if name in UNORDERED else (nodes, edges)
        return found if isinstance(found, (dict, set, list, int, float)) else list(found)
    except (nx.NetworkXException, KeyError, ValueError) as problem:
        return type(problem)


def calls(name, graph):
    """The arguments of all calls of a function on a graph."""
    nodes, done = starts(graph), []
    for source, target in zip(nodes, nodes[1:] + nodes[:1]):
        values = {SOURCE: source, TARGET: target, SOME: nodes}
        for arguments in CALLS[name]:
            given = {key: values.get(value, value) for key, value in arguments.items()}
            if given not in done:
                done.append(given)
                yield given


@pytest.mark.parametrize("name", CALLS)
def test_it_answers_as_networkx(name, graph):
    """Lists in the same order, and dicts of paths, too; the others only where order does not count."""
    refused = name.startswith("dfs_") or name in ("strongly_connected_components", "topological_generations")
    for arguments in calls(name, graph):
        expected = answer(name, graph, arguments, "networkx")
        try:
            found = answer(name, graph, arguments, "gtrav")
        except NotImplementedError:
            assert refused and not BackendGraph(graph).ascends
            continue
        assert found == (pytest.approx(expected, nan_ok=True) if name in FLOATS else expected)
        if name.endswith("_path") and isinstance(found, dict):
            assert list(found) == list(expected)


WEIGHTS = {
    "ints": lambda draw: draw.randrange(4),  # ties, and edges of weight 0
    "floats": lambda draw: draw.random(),
    "ties of floats": lambda draw: draw.choice((0.1, 0.2, 0.3, 0.0, 0.7)),
    "infinite": lambda draw: draw.choice((1.5, 2.5, math.inf, 0.25)),
    "large": lambda draw: 2**33 + draw.randrange(9),
}
BY_WEIGHT = {
    "single_source_dijkstra_path single_source_dijkstra_path_length single_source_dijkstra": [
        {**FROM, "cutoff": cutoff} for cutoff in (None, 3, 0.6, 0, -1, math.nan, math.inf)
    ],
    "single_source_dijkstra dijkstra_path dijkstra_path_length": [PAIR],
    "shortest_path shortest_path_length": [FROM, TO],
    "shortest_path_length": [PAIR, {}],
    "average_shortest_path_length all_pairs_dijkstra_path_length": [{}],
}


def typed(found):
    """A result with the types of its numbers, and dicts of paths with their order."""
    if isinstance(found, (list, tuple)):
        return [typed(each) for each in found]
    if isinstance(found, dict):
        pairs = [(node, typed(value)) for node, value in found.items()]
        return pairs if any(isinstance(value, list) for value in found.values()) else sorted(pairs, key=str)
    return type(found), found


@pytest.mark.parametrize("kind", WEIGHTS)
def test_it_adds_up_weights_as_networkx(graph, kind):
    """To the last bit, with ints and floats, and NetworkX's paths of several."""
    draw, G = random.Random(7), graph.copy()
    for index, (*_, attributes) in enumerate(G.edges(data=True)):
        if kind != "ints" or index % 3:  # a missing one is 1
            attributes["km"] = WEIGHTS[kind](draw)
    searched = 0
    for names, arguments in BY_WEIGHT.items():
        for name in names.split():
            CALLS["?"] = [{**each, "weight": "km"} for each in arguments]
            for given in calls("?", G):
                expected = answer(name, G, given, "networkx")
                try:
                    found = answer(name, G, given, "gtrav")
                except NotImplementedError:
                    assert kind == "large" and not {"source", "target"} & given.keys()
                    continue
                assert typed(found) == typed(expected), (name, given)
                searched += 1
    assert searched > 10
    del CALLS["?"]


def test_weights_of_several_attributes():
    G = nx.MultiGraph([(0, 1, {"km": 5, "h": 0.5}), (0, 1, {"km": 3}), (1, 2, {"km": 4, "h": 0.25})])
    for weight, expected in (("km", {0: 0, 1: 3, 2: 7}), ("unknown", {0: 0, 1: 1, 2: 2})):
        assert nx.single_source_dijkstra_path_length(G, 0, weight=weight, backend="gtrav") == expected
    assert nx.shortest_path_length(G, 0, 2, backend="gtrav") == 2
    G.edges[0, 1, 0]["km"] = 1  # NetworkX knows nothing of it
    assert nx.shortest_path_length(G, 0, 2, weight="km", backend="gtrav") == 7
    G.add_edge(0, 2, km=2)
    assert nx.shortest_path_length(G, 0, 2, weight="km", backend="gtrav") == 2
    assert nx.shortest_path_length(pickle.loads(pickle.dumps(G)), 0, 2, weight="km", backend="gtrav") == 2
    with pytest.raises(nx.NetworkXNoPath):
        nx.dijkstra_path(G, 0, "nowhere", backend="gtrav")


@pytest.mark.parametrize("value", [-1, math.nan, None, True, 0.5, "1", 2**53, 10**400, pytest])
def test_weights_that_are_left_to_networkx(value, automatic):
    """Here 0.5 stands beside ints. NetworkX's own answer comes, or its error."""
    G = nx.path_graph(4, create_using=nx.DiGraph)
    nx.set_edge_attributes(G, 3, "km")
    G.edges[1, 2]["km"] = value
    nx.closeness_centrality(G)
    assert is_converted(G)
    parallel = nx.MultiDiGraph(G)
    parallel.add_edge(1, 2, km=value)
    for each in (G, parallel):
        with pytest.raises(NotImplementedError, match="gtrav"):
            nx.single_source_dijkstra(each, 0, weight="km", backend="gtrav")

    def length(**how):
        try:
            return str(nx.shortest_path_length(G, 0, 3, weight="km", **how))
        except (nx.NetworkXException, TypeError, ValueError) as problem:
            return type(problem)

    assert length() == length(backend="networkx")


@pytest.mark.parametrize(
    "given",
    [
        {"weight": lambda *edge: 1},
        {"weight": 7},
        {"weight": "km", "method": "bellman-ford"},
        {"weight": "km", "target": 2},
        {"weight": "km", "source": None},
    ],
)
def test_paths_by_weights_that_are_left_to_networkx(given, automatic):
    G = nx.cycle_graph(9)
    nx.closeness_centrality(G)
    given = {"source": 0, **given}
    with pytest.raises(NotImplementedError):
        nx.shortest_path(G, **given, backend="gtrav")
    assert answer("shortest_path", G, given, None) == answer("shortest_path", G, given, "networkx")


def test_a_path_between_two_nodes(graph):
    nodes = starts(graph)
    for source, target in zip(nodes, nodes[1:]):
        expected = answer("bidirectional_shortest_path", graph, {"source": source, "target": target}, "networkx")
        for name in ("shortest_path", "bidirectional_shortest_path"):
            found = answer(name, graph, {"source": source, "target": target}, "gtrav")
            if expected is nx.NetworkXNoPath:
                assert found is expected
            else:
                assert (len(found), found[0], found[-1]) == (len(expected), source, target)
                assert nx.is_path(graph, found)


@pytest.mark.parametrize("name", CALLS)
def test_an_unknown_node_is_an_error(name):
    for arguments in CALLS[name]:
        if set(arguments.values()) & {SOURCE, TARGET}:
            given = {key: "nowhere" if value in (SOURCE, TARGET) else value for key, value in arguments.items()}
            assert answer(name, SPARSE, given, "gtrav") == answer(name, SPARSE, given, "networkx")


def test_tiny_graphs_and_samples_of_nothing():
    with pytest.raises(nx.NetworkXPointlessConcept, match="no nodes"):
        nx.center(nx.Graph(), backend="gtrav")
    for size in range(4):
        for name in ("betweenness_centrality", "edge_betweenness_centrality"):
            found = []
            for how in ({}, {"backend": "gtrav"}):
                try:
                    found.append(getattr(nx, name)(nx.path_graph(size), k=0, seed=1, **how))
                except ZeroDivisionError:
                    found.append("refused")
            assert found[0] == found[1]


def test_topological_order():
    dag = nx.DiGraph((u, v) for u, v in DIRECTED.edges if u < v)
    dag.add_nodes_from(DIRECTED)
    ascending = nx.DiGraph()
    ascending.add_nodes_from(sorted(dag))
    ascending.add_edges_from(sorted(dag.edges))
    for name in ("topological_sort", "topological_generations", "is_directed_acyclic_graph"):
        assert answer(name, ascending, {}, "gtrav") == answer(name, ascending, {}, "networkx")
    place = {node: place for place, node in enumerate(nx.topological_sort(scrambled(dag, 1), backend="gtrav"))}
    assert all(place[f"v{u}"] < place[f"v{v}"] for u, v in dag.edges)


@pytest.mark.parametrize(
    "call",
    [
        lambda: nx.bfs_edges(SPARSE, 0, sort_neighbors=sorted, backend="gtrav"),
        lambda: nx.generic_bfs_edges(SPARSE, 0, neighbors=SPARSE.neighbors, backend="gtrav"),
        lambda: nx.shortest_path(SPARSE, 0, 1, weight="weight", backend="gtrav"),
        lambda: nx.closeness_centrality(SPARSE, distance="weight", backend="gtrav"),
        lambda: nx.closeness_centrality(SPARSE, wf_improved=False, backend="gtrav"),
        lambda: nx.diameter(SPARSE, {0: 1}, backend="gtrav"),
        lambda: nx.ego_graph(DIRECTED, 0, undirected=True, backend="gtrav"),
        lambda: nx.average_shortest_path_length(SPARSE, method="floyd-warshall", backend="gtrav"),
        lambda: nx.shortest_path(SPARSE, 0, method="unknown", backend="gtrav"),
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
    nx.config.backends.gtrav.smallest = 200
    assert is_converted(small)


@pytest.fixture
def automatic():
    """NetworkX picks the backend wherever it can, as with backend_priority and large graphs."""
    with nx.config.backend_priority(algos=["gtrav"]):
        nx.config.backends.gtrav.smallest = 0
        yield
        nx.config.backends.gtrav.smallest = 200


@pytest.mark.parametrize("method", ["floyd-warshall", "floyd-warshall-numpy", "unknown"])
def test_methods_that_are_left_to_networkx(automatic, method):
    connected = nx.cycle_graph(9)
    nx.closeness_centrality(connected)
    assert is_converted(connected)
    if method == "unknown":
        for function in (nx.average_shortest_path_length, nx.shortest_path, nx.shortest_path_length):
            with pytest.raises(ValueError, match="not supported"):
                function(connected, method=method)
    else:
        assert nx.average_shortest_path_length(connected, method=method) == 2.5


VIEWS = {
    "subgraph": (nx.Graph, lambda G: G.subgraph(range(6))),
    "directed-subgraph": (nx.DiGraph, lambda G: G.subgraph(range(6))),
    "reverse": (nx.DiGraph, lambda G: G.reverse(copy=False)),
    "undirected": (nx.DiGraph, lambda G: G.to_undirected(as_view=True)),
    "directed": (nx.Graph, lambda G: G.to_directed(as_view=True)),
    "copy": (nx.Graph, lambda G: G.copy(as_view=True)),
    "edges": (nx.Graph, lambda G: nx.subgraph_view(G, filter_edge=lambda u, v: u + v != 3)),
    "multi": (nx.MultiGraph, lambda G: nx.restricted_view(G, [6], [])),
    "view-of-view": (nx.DiGraph, lambda G: nx.reverse_view(G.subgraph(range(6)))),
}


CALLS_OF_VIEWS = {name: {} for name in ("closeness_centrality", "eccentricity", "number_connected_components")}
CALLS_OF_VIEWS |= {"ego_graph": {"n": 0}, "bfs_tree": {"source": 0}, "bfs_edges": {"source": 0}}


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("backend", ["gtrav", None])
def test_views_follow_their_graph(kind, backend, automatic):
    """NetworkX clears what it keeps for a graph that changes, but not what it would keep for its views."""
    of, view_of = VIEWS[kind]
    G = of([(0, 1), (1, 2), (5, 6)])
    view = view_of(G)
    changes = (
        lambda: G.add_edge(2, 5),
        lambda: G.remove_edge(0, 1),
        lambda: G.add_edge(0, 2),
        lambda: G.remove_node(5),
    )
    for change in (lambda: None, *changes):
        change()
        for name, given in CALLS_OF_VIEWS.items():
            assert answer(name, view, given, backend) == answer(name, view, given, "networkx")


def test_changes_behind_networkx(automatic):
    """Of these NetworkX knows nothing; where its cache is switched off, they are seen."""
    G = nx.path_graph(5)
    assert nx.shortest_path_length(G, 0, 4, backend="gtrav") == 4
    G._adj[0][4] = G._adj[4][0] = {}
    with nx.config(cache_converted_graphs=False):
        assert nx.shortest_path_length(G, 0, 4, backend="gtrav") == 1


def lengths_from(G, source):
    return nx.single_source_shortest_path_length(G, source, backend="gtrav")


def lengths_of_large(source):
    return lengths_from(LARGE, source)


LARGE = nx.gnp_random_graph(300, 0.02, seed=6)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda G: pickle.loads(pickle.dumps(G))])
def test_converted_graphs_are_copied_and_pickled(kind, again):
    G = kind([("a", "b"), ("b", "c"), ("c", "c"), (1, "a")], name="G")
    expected = lengths_from(G, "a")
    nx.bfs_tree(G, "c", reverse=True, backend="gtrav")
    same = again(G)
    assert type(same) is kind and same.graph == G.graph and list(same.edges) == list(G.edges)
    assert lengths_from(same, "a") == expected
    same.add_edge("a", "new")
    assert lengths_from(same, "a")["new"] == 1
    if again is not copy.copy:
        assert "new" not in G and lengths_from(G, "a") == expected
    converted = pickle.loads(pickle.dumps(BackendGraph(G)))
    assert nx.single_source_shortest_path_length(converted, "a") == lengths_from(G, "a")


def test_a_pickle_needs_no_gtrav(tmp_path):
    G = nx.path_graph(4)
    lengths_from(G, 0)
    (tmp_path / "G").write_bytes(pickle.dumps(G))
    program = "import pickle, sys; sys.modules['gtrav'] = None; print(pickle.load(open('G', 'rb')).number_of_edges())"
    assert subprocess.check_output([sys.executable, "-c", program], cwd=tmp_path, text=True) == "3\n"


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_process_pools(method):
    """A graph may be an argument, or be there already in a process that was forked."""
    expected = [lengths_from(LARGE, source) for source in range(4)]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        assert list(pool.map(lengths_from, [LARGE] * 4, range(4), timeout=300)) == expected
        if method == "fork":
            assert list(pool.map(lengths_of_large, range(4), timeout=300)) == expected


def test_functions_that_copy_their_graph(automatic):
    G = nx.gnp_random_graph(40, 0.2, seed=7)
    nx.closeness_centrality(G)
    found = nx.kl_connected_subgraph(G, 2, 2)
    with nx.config.backend_priority(algos=[]):
        assert nx.utils.graphs_equal(found, nx.kl_connected_subgraph(G.copy(), 2, 2))
