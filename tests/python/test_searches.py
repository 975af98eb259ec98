"""Searches against SciPy and NetworkX; keywords; errors."""

import copy
import ctypes
import pickle

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, shortest_path

import gtrav
from gtrav import _arrays


@pytest.fixture(scope="module")
def graph():
    """A random directed graph in which not everything is reached."""
    random = np.random.default_rng(3)
    return gtrav.Graph.from_edges(*random.integers(0, 400, (2, 900)), num_vertices=420)


@pytest.fixture(scope="module")
def levels(graph):
    """The level of each vertex from each, -1: not reached; by SciPy."""
    found = shortest_path(graph.to_scipy(), unweighted=True)
    return np.where(np.isinf(found), -1, found).astype(int)


def test_bfs(graph, levels):
    found = graph.bfs(7)
    assert found.levels.dtype == found.parents.dtype == np.int32
    assert (found.levels == levels[7]).all() and (graph.bfs(7, reorder="rcm").levels == levels[7]).all()
    assert found.parents[7] == 7
    reached = np.flatnonzero(levels[7] > 0)
    assert (found.parents[levels[7] < 0] == -1).all()
    assert (levels[7][found.parents[reached]] == levels[7][reached] - 1).all()
    assert graph.to_scipy()[found.parents[reached], reached].all()


def test_parents_of_the_library(graph):
    found = graph.bfs(7, parents=True)
    inner = np.flatnonzero(found.levels > 0)
    assert (found.levels[found.parents[inner]] == found.levels[inner] - 1).all()
    with pytest.raises(gtrav.InputError, match="dfs ckl gives no"):
        graph.dfs(7, variant="ckl", device="cpu")


def test_many_sources(graph, levels):
    sources = np.array([5, 7, 5, 419])
    found = graph.bfs(sources)
    assert (found.levels == levels[sources]).all()
    assert found.reached.tolist() == (levels[sources] >= 0).sum(axis=1).tolist()
    assert found.level_sums.tolist() == np.maximum(levels[sources], 0).sum(axis=1).tolist()
    assert found.eccentricities.tolist() == levels[sources].max(axis=1).tolist()
    sums = graph.bfs(sources, levels=False)
    assert sums.levels is None
    assert sums.reached.tolist() == found.reached.tolist()


def test_path_lengths(graph, levels):
    src, dst = np.random.default_rng(4).integers(0, 420, (2, 1000))
    found = graph.path_lengths(src, dst)
    assert found.dtype == np.int32
    assert (found == levels[src, dst]).all()
    assert found.times.total_ms > 0
    assert graph.path_lengths(3, dst).tolist() == levels[3, dst].tolist()
    src[::3] = -1
    assert graph.path_lengths(src, dst).tolist() == np.where(src < 0, -1, levels[src, dst]).tolist()


@pytest.mark.parametrize("depth", [None, 0, 2, 5])
@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_bfs_within_limits(graph, depth, device):
    random = np.random.default_rng(depth)
    vertices, edges = random.random(420) < 0.9, random.random(graph.num_edges) < 0.9
    sources = random.choice(np.flatnonzero(vertices), 3)
    rows = np.repeat(np.arange(420), np.diff(graph.indptr))
    left = edges & vertices[rows] & vertices[graph.indices]
    matrix = csr_array((np.ones(left.sum()), (rows[left], graph.indices[left])), shape=(420, 420))
    masks = {"vertices": vertices, "edges": edges, "device": device, "variant": "auto"}
    for reverse in (False, True):
        expected = shortest_path(matrix.T if reverse else matrix, unweighted=True, indices=sources).min(axis=0)
        expected[~(expected <= (420 if depth is None else depth))] = -1
        try:
            found = graph.bfs(sources, together=True, reverse=reverse, max_depth=depth, parents=True, **masks)
        except gtrav.DeviceError as problem:
            pytest.skip(str(problem))
        assert (found.levels == expected).all() and found.run.note == "takes limits"
        inner = expected > 0
        assert (expected[found.parents[inner]] == expected[inner] - 1).all()
        near = graph.neighbourhood(sources, 420 if depth is None else depth, reverse=reverse, **masks)
        assert near.tolist() == np.flatnonzero(expected >= 0).tolist()


def test_targets(graph, levels):
    far, away = int(np.argmax(levels[7])), int(np.argmin(levels[7]))
    found = graph.bfs(7, targets=[7, *np.flatnonzero(levels[7] == 2)])
    assert (
        found.targets_reached.all()
        and found.parents.max() < 420
        and (found.levels == np.where(levels[7] > 2, -1, levels[7])).all()
    )
    found = graph.bfs(7, targets=[far, away])
    assert found.targets_reached.tolist() == [True, False] and (found.levels == levels[7]).all()
    lengths = graph.path_lengths([7, 7, 5], [far, away, 3], cutoff=4)
    assert lengths.tolist() == [length if length <= 4 else -1 for length in levels[[7, 7, 5], [far, away, 3]]]
    assert graph.path_lengths(7, range(420), cutoff=3).tolist() == np.where(levels[7] > 3, -1, levels[7]).tolist()


def test_names_of_vertices():
    graph = gtrav.Graph.from_edges(["ann", "bob", "cy"], ["bob", "cy", "dan"])
    assert graph.bfs("bob", targets="cy").levels.tolist() == [-1, 0, 1, -1]
    assert graph.path_lengths("ann", "dan") == 3
    assert graph.path_lengths(["ann", "dan"], "cy").tolist() == [2, -1]
    assert graph.ids[graph.paths("ann", "cy")[0]].tolist() == ["ann", "bob", "cy"]
    assert graph.ids[graph.neighbourhood("dan", 1, reverse=True)].tolist() == ["cy", "dan"]
    assert graph.reversed.reach("bob").tolist() == [True, True, False, False]
    for search in (graph.bfs, graph.dfs, lambda name: graph.path_lengths([name, "bob"], "cy")):
        with pytest.raises(gtrav.InputError, match="no vertex with the id 'eve'"):
            search("eve")


def test_paths(graph, levels):
    src, dst = np.random.default_rng(5).integers(0, 420, (2, 300))
    src[::4] = -1
    paths = graph.paths(src, dst)
    assert len(paths) == len(list(paths)) == 300
    assert paths.lengths.tolist() == np.where(src < 0, -1, levels[src, dst]).tolist()
    matrix = graph.to_scipy()
    for begin, end, path in zip(src, dst, paths):
        if len(path):
            assert (path[0], path[-1]) == (begin, end)
            assert all(matrix[u, v] for u, v in zip(path, path[1:]))
    assert [path.tolist() for path in paths[-2:]] == [paths[298].tolist(), paths[-1].tolist()]
    paths = gtrav.Graph.generate("path:5").paths([0, 2], [4, 4])  # from their destination
    assert [path.tolist() for path in paths] == [[0, 1, 2, 3, 4], [2, 3, 4]]
    with pytest.raises(IndexError):
        paths[300]
    for src in ([], [-1]):  # nothing to search
        assert graph.path_lengths(src, src).tolist() == src
        assert [path.tolist() for path in graph.paths(src, src)] == [[]] * len(src)


@pytest.mark.parametrize("size", [3, 300])  # few searches do without a transpose
def test_paths_of_directed_graphs(size):
    """In the order of the graph and in another, from both ends and by searches of the whole graph."""
    graph = gtrav.Graph.generate("dag:400:0.02", device="cpu")
    src, dst = np.random.default_rng(3).integers(0, 400, (2, size))
    expected = [graph.bfs(int(u), variant="serial").levels[v] for u, v in zip(src, dst)]
    for how in ({}, {"reorder": "rcm"}, {"options": {"force": "alone"}}, {"options": {"force": "together"}}):
        paths = graph.paths(src, dst, variant="adaptive", verify=True, **how)
        assert paths.lengths.tolist() == graph.path_lengths(src, dst, **how, variant="adaptive").tolist() == expected


def test_dfs(graph, levels):
    nx = pytest.importorskip("networkx")
    found = graph.dfs(7, variant="serial", device="cpu")
    order = list(nx.dfs_preorder_nodes(nx.DiGraph(graph.to_scipy()), 7))
    assert found.order.tolist() == order
    assert ((found.parents >= 0) == (levels[7] >= 0)).all()
    assert graph.dfs(7, order=False).order is None


def test_dfs_without_an_order():
    graph = gtrav.Graph.from_edges([0, 1, 2], [1, 2, 0], device="emulator")
    found = graph.dfs(0, variant="v4")
    assert found.order is None
    assert found.parents.tolist() == [0, 0, 1]
    with pytest.raises(gtrav.InputError, match="order"):
        graph.dfs(0, variant="v4", order=True)


def test_topological_order(graph):
    dag = gtrav.Graph.generate("dag:300:0.1")
    place = np.argsort(dag.topological_order())
    src, dst = dag.to_scipy().nonzero()
    assert (place[src] < place[dst]).all()
    with pytest.raises(gtrav.InputError, match="cycle"):
        graph.topological_order()


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_dropped_self_loops_are_cycles(device):
    graph = gtrav.Graph.from_edges([(0, 1), (1, 1), (1, 2)], device=device)
    assert not graph.is_acyclic
    assert not graph.info.acyclic
    with pytest.raises(gtrav.InputError, match="cycle: 1 self-loop;"):
        graph.topological_order()
    assert gtrav.Graph.from_edges([(0, 1), (1, 2)], device=device).is_acyclic


@pytest.mark.parametrize("strong", [False, True])
def test_components(graph, strong):
    count, labels = connected_components(graph.to_scipy(), connection="strong" if strong else "weak")
    found = graph.components(strong, verify=True)
    assert found.count == count == len(set(zip(found.labels, labels))) < 420
    assert found.labels.tolist() == [np.flatnonzero(labels == label)[0] for label in labels]
    assert sorted(found.sizes) == sorted(np.bincount(labels))
    if not strong:
        assert (count, max(found.sizes)) == (graph.info.components, graph.info.largest_component)
        assert (graph.components(device="emulator", reorder="random").labels == found.labels).all()
    both = gtrav.Graph.generate("kron:9", device="cpu").components(strong)
    assert (both.run.ran, both.count) == ("wcc afforest on cpu", gtrav.Graph.generate("kron:9").info.components)


def test_what_is_before_and_behind(graph, levels):
    assert graph.reach(7).dtype == bool and (graph.reach(7) == (levels[7] >= 0)).all()
    assert graph.descendants(7).tolist() == np.flatnonzero(levels[7] > 0).tolist()
    assert graph.ancestors(7).tolist() == np.flatnonzero(levels[:, 7] > 0).tolist()
    acyclic = {"dag:90:0.1": True, "path:1": True, "path:2": False}
    assert {spec: gtrav.Graph.generate(spec).is_acyclic for spec in acyclic} == acyclic
    assert not graph.is_acyclic


def test_closeness(graph):
    nx = pytest.importorskip("networkx")
    expected = nx.closeness_centrality(nx.DiGraph(graph.to_scipy()))
    for _ in range(2):  # the second time with the engine of the first
        assert np.allclose(graph.closeness(verify=True), [expected[v] for v in range(420)])


@pytest.mark.parametrize("name", ["closeness", "harmonic", "betweenness"])
@pytest.mark.parametrize("undirected", [False, True])
def test_samples(name, undirected):
    """A seed draws the same vertices each time, and those of other seeds give on average what all vertices give."""
    edges = np.random.default_rng(5).integers(0, 60, (2, 200))
    graph = gtrav.Graph.from_edges(*edges, num_vertices=60, undirected=undirected, device="cpu")
    call = getattr(graph, name)
    exact, mean = np.asarray(call()), np.mean([call(20, seed=seed) for seed in range(200)], axis=0)
    assert np.allclose(exact, mean, rtol=0.1, atol=0.06 * exact.max())
    assert (call(20) == call(20)).all() and (call(20, seed=4) == call(20, seed=np.int32(4))).all()
    assert (call(20) != call(20, seed=0)).any() and (call(20, seed=0) != call(20, seed=1)).any()
    assert np.allclose(call(range(59, -1, -1), verify=True), exact)
    if name == "harmonic":  # one source of 60
        found = shortest_path(graph.to_scipy(), unweighted=True, indices=7)
        assert np.allclose(call([7]), [60 / each if 0 < each < np.inf else 0 for each in found])


SPECS = ["path:1", "path:9", "cycle:101", "star:9", "complete:6", "grid:5x7", "tree:40", "dag:30:0.1", "kron:6"]


@pytest.mark.parametrize("spec", [*SPECS, *range(16)])
def test_centralities(spec):
    """Of generated graphs, and of random ones of up to 40 vertices, half of them directed."""
    nx = pytest.importorskip("networkx")
    if isinstance(spec, str):
        graph = gtrav.Graph.generate(spec, device="cpu")
    else:
        random = np.random.default_rng(spec)
        n = 1 + 5 * (spec // 2)
        edges = random.integers(0, n, (2, (1 + spec % 5) * n))
        graph = gtrav.Graph.from_edges(*edges, num_vertices=n, undirected=spec % 2 > 0, device="cpu")
    D = nx.DiGraph(graph.to_scipy())
    G = nx.Graph(D) if graph.symmetric else D

    def same(found, expected):
        assert np.allclose(found, expected, rtol=1e-9, atol=0)

    for normalized in (True, False):
        same(graph.betweenness(normalized=normalized), [*nx.betweenness_centrality(G, normalized=normalized).values()])
        of_edges = nx.edge_betweenness_centrality(G, normalized=normalized)
        expected = [of_edges.get((u, v), of_edges.get((v, u))) for u, v in zip(*graph.to_scipy().nonzero())]
        same(graph.betweenness(normalized=normalized, edges=True, verify=True), expected)
        how = {"normalized": normalized, "directed": True}
        same(graph.betweenness(**how), [*nx.betweenness_centrality(D, normalized=normalized).values()])
        of_edges = nx.edge_betweenness_centrality(D, normalized=normalized)
        same(graph.betweenness(edges=True, **how), [of_edges[edge] for edge in zip(*graph.to_scipy().nonzero())])
    same(graph.harmonic(verify=True), [*nx.harmonic_centrality(G).values()])
    levels = dict(nx.all_pairs_shortest_path_length(G))
    reached = levels[0]
    same(graph.count_paths(0), [len([*nx.all_shortest_paths(G, 0, v)]) if v in reached else 0 for v in G])
    farthest = [max(levels[v].values()) if len(levels[v]) == len(G) else np.inf for v in G]
    assert graph.eccentricity().tolist() == farthest
    assert (graph.diameter(), graph.radius()) == (max(farthest), min(farthest))


def test_estimated_betweenness(graph):
    exact, some = graph.betweenness(verify=True), graph.betweenness(200, verify=True)
    assert np.corrcoef(exact, some)[0, 1] > 0.9 and 0.7 < some.sum() / exact.sum() < 1.4
    ends = np.repeat(3 * np.arange(2100), 4) + [[0, 0, 3, 3] * 2100, [1, 2, 1, 2] * 2100]
    squares = gtrav.Graph.from_edges(*ends, undirected=True)  # one meets the next in a vertex
    for device, ran in {"cpu": "betweenness brandes on cpu", "emulator": "betweenness perblock on emulator"}.items():
        try:
            assert graph.betweenness(7, edges=True, verify=True, device=device).run.ran == ran
        except gtrav.DeviceError as problem:
            pytest.skip(str(problem))
        with pytest.raises(gtrav.InputError, match="over 2.1000 shortest paths"):
            squares.betweenness(1, device=device)
    with pytest.raises(gtrav.InputError, match="sources=-1: expected a whole number"):
        graph.betweenness(-1)
    for wrong in (np.float64(2.9), np.float64("nan"), np.array("x"), np.array(-1)):
        with pytest.raises(gtrav.Error):
            graph.betweenness(wrong)
    with pytest.raises(gtrav.InputError, match="no vertices"):
        gtrav.Graph.from_edges([], []).diameter()


def test_results_can_be_pickled(graph):
    for found in (graph.bfs(7), graph.bfs([7, 8]), graph.dfs(7), graph.paths([7], [8])):
        again = pickle.loads(pickle.dumps(found))
        assert again.run == found.run and again.times == found.times
        for name in ("levels", "parents", "reached", "order", "vertices"):
            assert np.array_equal(getattr(again, name, None), getattr(found, name, None))


@pytest.mark.parametrize("again", [lambda found: pickle.loads(pickle.dumps(found)), copy.copy, copy.deepcopy])
def test_values_keep_what_ran(graph, again):
    for found in (graph.closeness(), graph.path_lengths([7, 5], 8), graph.reach(7)):
        same = again(found)
        assert (same == found).all() and same.dtype == found.dtype and not np.shares_memory(same, found)
        assert same.run == found.run and same.times == found.times
        assert same.to_frame().equals(found.to_frame())
    assert again(graph.closeness() + 1).run is None


RESULTS = {
    "bfs": lambda g: g.bfs(0),
    "many": lambda g: g.bfs([0, 1]),
    "dfs": lambda g: g.dfs(0),
    "reach": lambda g: g.reach(0),
    "neighbourhood": lambda g: g.neighbourhood(0, 1),
    "lengths": lambda g: g.path_lengths([0], [1]),
    "paths": lambda g: g.paths(0, 1),
    "components": lambda g: g.components(),
    "descendants": lambda g: g.descendants(0),
    "ancestors": lambda g: g.ancestors(0),
    "closeness": lambda g: g.closeness(),
    "harmonic": lambda g: g.harmonic(),
    "betweenness": lambda g: g.betweenness(),
    "count_paths": lambda g: g.count_paths(0),
    "eccentricity": lambda g: g.eccentricity(),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_has_times(graph, name):
    for searched in (graph, gtrav.Graph("grid:5x6")):
        found = RESULTS[name](searched)
        assert found.times.total_ms > 0 and found.run.ran and len(found.to_frame()) >= 0


def test_times_of_several_searches():
    found = gtrav.Graph("path:300").eccentricity()
    one = gtrav.Graph("path:300").bfs(0)
    assert found.tolist() == [max(v, 299 - v) for v in range(300)]
    assert found.times.total_ms > found.times.kernel_ms > one.times.kernel_ms


def test_on_the_emulator(graph, levels):
    if not any(each.device == "gpu" for each in gtrav.variants()):
        pytest.skip("this build has no emulator")
    small = gtrav.Graph.generate("grid:8x8")
    try:
        found = small.bfs(0, device="emulator", verify=True)
    except gtrav.DeviceError as problem:
        pytest.skip(str(problem))
    assert found.levels.max() == 14
    there = small.bfs(0, device="emulator", on_device=True, parents=True)
    assert (np.from_dlpack(there.levels) == found.levels).all()
    assert (found.levels[np.asarray(there.parents)[1:]] == found.levels[1:] - 1).all()
    assert not hasattr(there.levels, "__cuda_array_interface__")  # it is the host's
    assert "64 vertices reached, highest level 14" in repr(there)
    assert np.array_equal(pickle.loads(pickle.dumps(there)).levels, found.levels)
    for how in ({"device": "emulator"}, {"device": "emulator", "on_device": True}, {"device": "cpu"}):
        levels = np.asarray(small.bfs(0, dtype="uint8", **how).levels)
        assert levels.dtype == np.uint8 and (levels == found.levels).all()


class OnGpu:
    """An array as one of a GPU: by __cuda_array_interface__, by DLPack; or by DLPack as one of the host."""

    def __init__(self, values, way):
        self.array = gtrav.DeviceArray("emulator", False, len(values), values.dtype)
        np.asarray(self.array)[:] = values
        self.array._gpu = None if way == "host" else 0
        self.__dlpack_device__, self.__dlpack__ = self.array.__dlpack_device__, self.array.__dlpack__
        if way == "cuda":
            self.__cuda_array_interface__ = self.array.__cuda_array_interface__

    def __len__(self):
        return len(self.array)


@pytest.mark.parametrize("way", ["cuda", "dlpack", "host"])
def test_arrays_on_a_gpu(graph, levels, way, monkeypatch):
    def download(_context, copy, start, size):
        ctypes.memmove(copy.ctypes.data, start, size)

    functions = {"download": download}
    monkeypatch.setattr(_arrays, "function", lambda name, real=_arrays.function: functions.get(name) or real(name))
    monkeypatch.setattr(_arrays.Context, "of", lambda *_, of=_arrays.Context.of: of("emulator"))
    try:
        arrays = OnGpu(graph.indptr, way), OnGpu(graph.indices.astype(np.uint32), way)
    except gtrav.Error as problem:
        pytest.skip(str(problem))
    assert (gtrav.Graph.from_csr(*arrays).bfs(7).levels == levels[7]).all()
    edges = [OnGpu(ends.astype(np.int64), way) for ends in graph.to_scipy().nonzero()]
    assert gtrav.Graph.from_edges(*edges, num_vertices=420).num_edges == graph.num_edges
    assert not _arrays._lent  # capsules are gone


def test_memory_is_used_again(graph, levels):
    try:
        results = [graph.bfs(source, device="emulator") for source in range(6)]
    except gtrav.Error as problem:
        pytest.skip(str(problem))
    assert all((result.levels == levels[source]).all() for source, result in enumerate(results))
    assert _arrays._pinned["emulator"] == _arrays.KEPT  # the others are ordinary memory
    arrays = [gtrav.DeviceArray("emulator", True, 9, np.int32) for _ in range(6)]
    addresses = {array.address for array in arrays}
    assert len(addresses) == 6
    del arrays
    assert gtrav.DeviceArray("emulator", True, 9, np.int32).address in addresses
    assert sum(map(len, _arrays._idle.values())) <= _arrays.KEPT


@pytest.mark.parametrize(
    ("search", "error", "message"),
    [
        (lambda g: g.bfs(420), gtrav.InputError, "420 is not a vertex"),
        (lambda g: g.bfs(-1), gtrav.InputError, "-1 is not a vertex"),
        (lambda g: g.bfs([0, 420]), gtrav.InputError, "420 is not a vertex.*position 1"),
        (lambda g: g.bfs(1.5), gtrav.InputError, "integer"),
        (lambda g: g.path_lengths([0, 1], [420, 0]), gtrav.InputError, "420 is not a vertex.*position 0"),
        (lambda g: g.path_lengths([0, -2], [0, 0]), gtrav.InputError, "-2 is not a vertex.*position 1"),
        (lambda g: g.path_lengths([0, 1, 2], [0, 1]), gtrav.InputError, "3 sources but 2"),
        (lambda g: g.bfs(0, variant="gapp"), gtrav.InputError, "gapp"),
        (lambda g: g.bfs(0, variant="gap", device="cpu", options={"alfa": 3}), gtrav.InputError, "alfa"),
        (lambda g: g.bfs(0, device="toaster"), gtrav.Error, "toaster"),
        (lambda g: g.bfs(0, device="cpu", on_device=True), gtrav.InputError, "on a GPU or on the emulator"),
        (lambda g: g.bfs([0, 1], on_device=True), gtrav.InputError, "one at a time"),
        (lambda g: g.bfs(0, dtype="int16"), gtrav.InputError, "int16"),
        (lambda g: g.bfs(0, reorder="upside-down"), gtrav.InputError, "upside-down"),
        (lambda g: g.bfs(0, alpha=3), TypeError, "options"),
        (lambda g: g.closeness(421), gtrav.InputError, "420 vertices"),
        (lambda g: g.bfs(0, max_depth=-1), gtrav.InputError, "max_depth=-1: expected a whole number from 0"),
        (lambda g: g.bfs([0, 1], max_depth=1), gtrav.InputError, "together=True"),
        (lambda g: g.bfs(0, targets=[1, 420]), gtrav.InputError, "420 is not a vertex"),
        (lambda g: g.bfs(0, edges=[True] * 3), gtrav.InputError, r"edges has shape .* of bool, not \(3,\) of bool"),
        (lambda g: g.bfs(0, vertices=np.zeros(420, bool)), gtrav.InputError, "source 0 is left out"),
        (lambda g: g.bfs(0, max_depth=1, variant="bitmap"), gtrav.InputError, "'bitmap'|gives no limits"),
        (lambda g: g.neighbourhood([], 1), gtrav.InputError, "1 to"),
    ],
)
def test_bad_requests(graph, search, error, message):
    with pytest.raises(error, match=message):
        search(graph)


NAMED = gtrav.Graph.from_edges(["ann", "bob", "eve"], ["bob", "cy", "ann"])
NUMBERED = gtrav.Graph.from_edges([(0, 1), (1, 2), (3, 0)])
FRAMES = {
    "levels": (lambda g: g.bfs(0), {"vertex": [0, 1, 2], "level": [0, 1, 2]}),
    "bytes": (lambda g: g.bfs(0, dtype="uint8", device="cpu"), {"vertex": [0, 1, 2], "level": [0, 1, 2]}),
    "parents": (lambda g: g.bfs(0, parents=True), {"vertex": [0, 1, 2], "level": [0, 1, 2], "parent": [0, 0, 1]}),
    "many": (lambda g: g.bfs([2, 1]), {"source": [2, 1, 1], "vertex": [2, 1, 2], "level": [0, 0, 1]}),
    "components": (lambda g: g.components(), {"vertex": [0, 1, 2, 3], "component": [0, 0, 0, 0]}),
    "harmonic": (lambda g: g.harmonic(), {"vertex": [0, 1, 2, 3], "harmonic": [1, 1.5, 11 / 6, 0]}),
    "edges": (
        lambda g: g.betweenness(edges=True, normalized=False, device="cpu"),
        {"source": [0, 1, 3], "destination": [1, 2, 0], "betweenness": [4, 3, 3]},
    ),
    "sums": (
        lambda g: g.bfs([0], levels=False),
        {"source": [0], "reached": [3], "level_sum": [3], "eccentricity": [2]},
    ),
    "dfs": (lambda g: g.dfs(0, device="cpu"), {"vertex": [0, 1, 2], "parent": [0, 0, 1]}),
    "reach": (lambda g: g.reach(1), {"vertex": [0, 1, 2, 3], "reached": [False, True, True, False]}),
    "order": (lambda g: g.topological_order(), {"place": [0, 1, 2, 3], "vertex": [3, 0, 1, 2]}),
    "lengths": (
        lambda g: g.path_lengths([0, 2, -1], 2),
        {"source": [0, 2, -1], "destination": [2, 2, 2], "length": [2, 0, -1]},
    ),
    "paths": (
        lambda g: g.paths([0, 2, 1], [2, 0, 2]),
        {"path": [0, 0, 0, 2, 2], "step": [0, 1, 2, 0, 1], "vertex": [0, 1, 2, 1, 2]},
    ),
}
AS_DICT = {
    "pandas": lambda frame: frame.to_dict("list"),
    "polars": lambda frame: frame.to_dict(as_series=False),
    "arrow": lambda frame: frame.to_pydict(),
}


@pytest.mark.parametrize("kind", AS_DICT)
@pytest.mark.parametrize("graph", [NAMED, NUMBERED], ids=["named", "numbered"])
@pytest.mark.parametrize("case", FRAMES)
def test_frames(case, graph, kind):
    """Vertices are ids where the graph has them: "ann" for 0, "bob" for 1, "cy" for 2, None for -1."""
    pytest.importorskip("pyarrow" if kind == "arrow" else kind)
    ask, expected = FRAMES[case]
    ids = {**dict(enumerate(graph.ids.tolist())), -1: None if graph is NAMED else -1}
    for name in {"vertex", "parent", "source", "destination", "component"} & set(expected):
        expected = {**expected, name: [ids[each] for each in expected[name]]}
    found = AS_DICT[kind](ask(graph).to_frame(kind))
    assert found.keys() == expected.keys()
    assert all(found[name] == expected[name] or found[name] == pytest.approx(expected[name]) for name in expected)


def test_frames_of_what_has_no_graph():
    pytest.importorskip("pyarrow")
    again = pickle.loads(pickle.dumps(NAMED.bfs(0)))
    assert again.to_arrow()["vertex"].to_pylist() == [0, 1, 2]
    with pytest.raises(gtrav.InputError, match="computed"):
        (NAMED.closeness() + 1).to_frame()
    with pytest.raises(gtrav.InputError, match="'excel'"):
        NAMED.bfs(0).to_frame("excel")
