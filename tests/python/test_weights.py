"""Weights that differ are ignored with a warning at the caller's line; weights that are all equal without one. Graphs
of edges with weights keep them for sssp()."""

import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.csgraph import dijkstra

import gtrav
from test_graph import Igraph

SRC, DST, EQUAL, OTHER = [0, 1, 2], [1, 2, 0], [2.5, 2.5, 2.5], [2.5, 2.5, 1]


def of_file(name, text):
    def make(values, folder, **how):
        (folder / name).write_text(text.format(*map(str, values)))
        return gtrav.Graph(folder / name, **how)

    return make


def of_scipy(kind):
    def make(values, _folder, **how):
        return gtrav.Graph(kind(scipy.sparse.coo_array((values, (SRC, DST)), shape=(3, 3))), **how)

    return make


def of_networkx(values, _folder, **how):
    G = pytest.importorskip("networkx").MultiDiGraph()
    G.add_weighted_edges_from(zip(SRC, DST, values))
    return gtrav.Graph(G, **how)


def table_of(weights, name="weight"):
    return pytest.importorskip("pyarrow").table({"src": SRC, name: weights, "dst": DST})


def of_parquet(values, folder, **how):
    table = table_of(values)
    import pyarrow.parquet as parquet

    parquet.write_table(table, folder / "x.parquet", row_group_size=1)
    return gtrav.Graph(folder / "x.parquet", **how)


def of_feather(values, folder, **how):
    table = table_of(values)
    import pyarrow as pa

    with pa.ipc.new_file(folder / "x.arrow", table.schema) as file:
        file.write_table(table)
    return gtrav.Graph(folder / "x.arrow", **how)


def of_duckdb(values, _folder, **how):
    return gtrav.Graph.from_arrow(pytest.importorskip("duckdb").from_arrow(table_of(values)), **how)


READERS = {
    "mtx": of_file("x.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 {}\n2 3 {}\n3 1 {}\n"),
    "gr": of_file("x.gr", "p sp 3 3\na 1 2 {}\na 2 3 {}\na 3 1 {}\n"),
    "csv": of_file("x.csv", "src,dst,weight\n0,1,{}\n1,2,{}\n2,0,{}\n"),
    "csr": of_scipy(scipy.sparse.csr_array),
    "csc": of_scipy(scipy.sparse.csc_matrix),
    "coo": of_scipy(scipy.sparse.coo_array),
    "lil": of_scipy(scipy.sparse.lil_array),
    "networkx": of_networkx,
    "igraph": lambda values, _, **how: gtrav.Graph(Igraph(True, weights=values), **how),
    "table": lambda values, _, **how: gtrav.Graph(table_of(values), **how),
    "cost": lambda values, _, **how: gtrav.Graph(table_of(values, "Cost"), **how),
    "decimals": lambda values, _, **how: gtrav.Graph(table_of(decimals(values)), **how),
    "stream": lambda values, _, **how: gtrav.Graph.from_arrow(table_of(values).to_reader(1), ids="dense", **how),
    "parquet": of_parquet,
    "feather": of_feather,
    "relation": of_duckdb,
}


def decimals(weights):
    pa = pytest.importorskip("pyarrow")
    return pa.array(weights).cast(pa.decimal128(9, 2))


@pytest.mark.parametrize("reader", READERS)
def test_weights(reader, tmp_path):
    with pytest.warns(gtrav.WeightsIgnored, match="weights, which are ignored: every edge counts as 1") as warned:
        graph = READERS[reader](OTHER, tmp_path)
    assert [Path(each.filename).name for each in warned] == ["test_weights.py"]
    assert graph.num_edges == (4 if reader == "igraph" else 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        READERS[reader](EQUAL, tmp_path)
        graph.reversed.reorder("random")  # it was told already


@pytest.mark.parametrize("reader", READERS)
def test_kept_weights(reader, tmp_path):
    """Every source of weights keeps them without a warning. igraph's fake has more edges."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph = READERS[reader](OTHER if reader != "igraph" else [*OTHER, 1], tmp_path, weights="auto")
    if reader != "igraph":
        by_ends = dict(zip(zip(np.repeat(graph.ids, graph.degree()), graph.ids[graph.indices]), graph.weights))
        assert by_ends == dict(zip(zip(SRC, DST), OTHER))
    assert sorted({*graph.weights.tolist()}) == [1, 2.5]
    assert not graph.weights.flags.writeable and graph.reversed.weights is not None


def test_weights_of_scipy():
    """Duplicates add up, stored zeros are edges of weight 0, and the matrix stays as it was."""
    for matrix in (
        scipy.sparse.coo_array(([1, 2, 3, 0], ([0, 0, 1, 2], [1, 1, 2, 0])), shape=(3, 3)),
        scipy.sparse.csr_array((np.array([1, 2, 3, 0]), np.array([1, 1, 2, 0]), np.array([0, 2, 3, 4]))),
    ):
        graph = gtrav.Graph(matrix, weights="auto")
        assert graph.weights.tolist() == [3, 3, 0] and graph.weights.dtype == np.uint32
        assert graph.sssp(2).distances.tolist() == [0, 3, 0] and matrix.nnz == 4
        assert gtrav.Graph(matrix, weights="auto", undirected=True).weights.tolist() == [3, 0, 3, 3, 0, 3]
    of_bool = scipy.sparse.csr_array(np.array([[False, True], [True, False]]))
    assert gtrav.Graph(of_bool, weights="auto").weights.tolist() == [1, 1]
    assert gtrav.Graph(scipy.sparse.csr_array((3, 3)), weights="auto").weights is not None


def test_weights_of_networkx():
    """As in NetworkX, a missing attribute is 1, and of parallel edges the smallest counts."""
    nx = pytest.importorskip("networkx")
    G = nx.MultiGraph([("a", "b", {"weight": 5, "km": 7}), ("a", "b", {"weight": 3}), ("b", "c", {"km": 0.5})])
    for weights, expected in (("auto", [3, 3, 1, 1]), ("km", [1, 1, 0.5, 0.5])):
        graph = gtrav.Graph(G, weights=weights)
        assert graph.weights.tolist() == expected and graph.ids.tolist() == ["a", "b", "c"]
    G = nx.DiGraph([(0, 1, {"weight": 4}), (1, 0, {"weight": 2})])
    assert gtrav.Graph(G, weights="auto").weights.tolist() == [4, 2]
    assert gtrav.Graph(G, weights="auto", undirected=True).weights.tolist() == [2, 2]
    assert gtrav.Graph(nx.Graph(), weights="auto").num_edges == 0


def test_weights_of_generators_and_rows():
    assert gtrav.Graph("kron:6", weights="auto").weights.max() <= 255
    assert gtrav.Graph("kron:6").weights is None
    rows = gtrav.Graph.from_csr([0, 2, 2, 3], [2, 1, 0], weights=np.array([5, 4, 1.5], np.float32))
    assert rows.weights.tolist() == [4, 5, 1.5] and rows.weights.dtype == np.float32
    assert gtrav.Graph.from_csr([0], [], weights=[]).num_vertices == 0
    assert gtrav.Graph.from_csr([0, 1, 1], [1], weights=[9], undirected=True).weights.tolist() == [9, 9]


def test_columns_of_weights(tmp_path):
    table = table_of(OTHER).append_column("km", [[7, 8, 9]])
    for column in ("km", 3, -1):
        assert gtrav.Graph(table, weights=column).weights.tolist() == [7, 8, 9]
    columns = gtrav.Graph.from_edges(table["src"], table["dst"], weights=table["km"])
    assert columns.weights.tolist() == [7, 8, 9]
    assert gtrav.Graph(table.slice(0, 0), weights="auto").num_edges == 0
    (tmp_path / "x.csv").write_text("src,dst,km\n0,1,4\n")
    assert gtrav.Graph(tmp_path / "x.csv", weights="km").weights.tolist() == [4]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gtrav.Graph("kron:5", weights="km"), "weights='auto' is for a generator"),
        (lambda: gtrav.Graph("kron:5", weights=2), "weights='2' is a column"),
        (lambda: gtrav.Graph("kron:5", weights=True), "expected a text or a whole number or None"),
        (lambda: gtrav.Graph(scipy.sparse.eye_array(3), weights="km"), "only its values, weights='auto'"),
        (lambda: gtrav.Graph(scipy.sparse.eye_array(3) * 1j, weights="auto"), "of type complex128"),
        (lambda: gtrav.Graph(-scipy.sparse.csr_array([[0, 1], [1, 0]]), weights="auto"), "edge 0 has the weight -1"),
        (lambda: of_networkx(OTHER, None, weights="km"), "no edge of the graph has the attribute 'km'"),
        (lambda: of_networkx([1, None, 2], None, weights="auto"), "of type object"),
        (
            lambda: gtrav.Graph(
                pytest.importorskip("networkx").MultiGraph([(0, 1, {"km": "a"}), (0, 1)]), weights="km"
            ),
            "the attribute 'km' is not a number for all edges",
        ),
        (lambda: gtrav.Graph(Igraph(True, weights=OTHER), weights="km"), "have no attribute 'km'"),
        (lambda: gtrav.Graph(table_of(OTHER, "x"), weights="auto"), "no column of weights: name one"),
        (
            lambda: gtrav.Graph(table_of(OTHER).append_column("w", [OTHER]), weights="auto"),
            "several columns of weights, weight, w",
        ),
        (lambda: gtrav.Graph(table_of(OTHER), weights="km"), "has no column 'km'"),
        (lambda: gtrav.Graph(table_of(["a", "b", "c"]), weights="auto"), "of type object"),
        (lambda: gtrav.Graph(table_of([1, None, 2]), weights="auto"), "'weight' has empty fields"),
        (lambda: gtrav.Graph.from_csr([0, 2, 1, 3], [0, 1, 2], weights=[1, 2, 3]), "indptr descends"),
        (lambda: gtrav.Graph.from_csr([0, 1], [3], weights=[1]), "from 0 to 0"),
    ],
)
def test_refused_weights(make, message):
    with pytest.raises(gtrav.InputError, match=message) as problem:
        make()
    assert "\n" not in str(problem.value)


def test_what_are_no_weights():
    """Duplicates that SciPy would sum up, other columns, columns of texts, fields that are empty."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gtrav.Graph(scipy.sparse.coo_array((np.ones(3), ([0, 0, 1], [1, 1, 2])), shape=(3, 3)))
        gtrav.Graph(scipy.sparse.csr_array((3, 3)))
        for name, values in {
            "since": OTHER,
            "weight": ["a", "b", "c"],
            "w": [None, 1, 1],
            "cost": [None] * 3,
        }.items():
            gtrav.Graph(table_of(values, name))


def test_some_edges_of_networkx_have_weights():
    """Without one, NetworkX takes 1."""
    G = pytest.importorskip("networkx").Graph([(0, 1), (1, 2)])
    for weight in (1, 1.0):
        G.edges[0, 1]["weight"] = weight
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            gtrav.Graph(G)
    G.edges[0, 1]["weight"] = 2
    with pytest.warns(gtrav.WeightsIgnored):
        gtrav.Graph(G)


@pytest.mark.parametrize("weight", [np.array([1, 2]), np.array([])])
def test_arrays_beside_edges_of_networkx(weight):
    """Arrays are neither equal nor not, but they are ignored as all weights are."""
    G = pytest.importorskip("networkx").Graph([(0, 1), (1, 2)])
    G.edges[0, 1]["weight"] = G.edges[1, 2]["weight"] = weight
    with pytest.warns(gtrav.WeightsIgnored):
        assert gtrav.Graph(G).num_edges == 4


# ---- shortest paths by weights ----

SOURCE = 5


def random_edges(dtype):
    """Edges between 200 vertices, and weights above 0, as SciPy takes 0 for no edge."""
    random = np.random.default_rng(1)
    pairs = np.unique(random.integers(0, 200, (500, 2)), axis=0)
    src, dst = pairs[pairs[:, 0] != pairs[:, 1]].T
    return src, dst, (random.uniform(0.01, 9, len(src)) * (1 if dtype[0] == "f" else 28) + 1).astype(dtype)


@pytest.mark.parametrize("dtype", ["uint8", "uint32", "int64", "uint64", "float16", "float32", "float64", ">f8"])
@pytest.mark.parametrize("undirected", [False, True])
def test_sssp(dtype, undirected):
    src, dst, weights = random_edges(dtype.lstrip(">"))
    graph = gtrav.Graph.from_edges(src, dst, 210, undirected=undirected, weights=weights.astype(dtype))
    matrix = scipy.sparse.coo_array((weights.astype(float), (src, dst)), shape=(210, 210)).tocsr()
    expected = dijkstra(matrix, directed=not undirected, indices=SOURCE)
    found = graph.sssp(SOURCE, parents=True, verify=True)
    assert found.distances.dtype == np.float64 and found.parents.dtype == np.int32
    assert np.isinf(expected).any()
    assert np.allclose(found.distances, expected, rtol=1e-5 if dtype in ("float16", "float32") else 1e-13)
    assert ((found.parents == -1) == np.isinf(expected)).all() and found.parents[SOURCE] == SOURCE
    inner = np.flatnonzero(np.isfinite(expected) & (np.arange(210) != SOURCE))
    assert (found.distances[found.parents[inner]] < found.distances[inner]).all()
    assert graph.sssp(SOURCE).parents is None
    for other in (pickle.loads(pickle.dumps(graph)), graph.reversed.reversed):
        assert (other.sssp(SOURCE).distances == found.distances).all()
    by_reordered = graph.reorder("random")
    again = by_reordered.sssp(int(np.flatnonzero(by_reordered.permutation == SOURCE)[0])).distances
    assert (again == found.distances[by_reordered.permutation]).all()


def test_results_of_sssp():
    graph = gtrav.Graph.from_edges(["a", "b", "a", "c"], ["b", "c", "c", "d"], weights=[1.5, 2, 4, 1e3], device="cpu")
    found = graph.sssp("b", parents=True)
    assert found.distances.tolist() == [np.inf, 0, 2, 1002] and found.parents.tolist() == [-1, 1, 1, 2]
    assert "3 vertices reached, longest distance 1002" in repr(found)
    assert pickle.loads(pickle.dumps(found)).distances.tolist() == found.distances.tolist()
    frame = found.to_arrow() if pytest.importorskip("pyarrow") else None
    assert frame.to_pydict() == {"vertex": ["b", "c", "d"], "distance": [0, 2, 1002], "parent": ["b", "b", "c"]}


def test_weights_of_edges(tmp_path):
    """Duplicates keep the smallest weight; edges may be pairs; a graph without edges may have weights."""
    pairs = [(0, 1), (0, 1), (1, 1), (1, 2)]
    for graph in (gtrav.Graph(pairs, weights=[3, 2, 1, 5]), gtrav.Graph.from_edges(pairs, weights=(3, 2, 1, 5))):
        assert graph.sssp(0).distances.tolist() == [0, 2, 7]
        graph.write(tmp_path / "x.gtrav")
        assert gtrav.Graph(tmp_path / "x.gtrav", weights="auto").sssp(0).distances.tolist() == [0, 2, 7]
    empty = gtrav.Graph.from_edges([], [], 2, weights=[])
    assert empty.sssp(1).distances.tolist() == [np.inf, 0]
    assert pickle.loads(pickle.dumps(empty)).sssp(1).distances.tolist() == [np.inf, 0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1], r"shape \(1,\) for 3 edges"),
        (np.ones((3, 1)), "shape"),
        (2, "shape"),
        ("auto", "shape"),
        (["a", "b", "c"], "weights are integers, float32 or float64"),
        ([True, False, True], "of type bool"),
        ([1, None, 2], "of type object"),
        (np.ones(3, np.longdouble), "float32 or float64"),
        ([1, 2**53 + 1, 2], "above 2\\^53"),
        ([1, -1, 2], "edge 1 has the weight -1; weights are finite, 0 or more"),
        ([1, 2, np.nan], "edge 2 has the weight"),
        (np.ma.masked_array([1, 2, 3], [0, 1, 0]), "masked"),
    ],
)
def test_wrong_weights(weights, message):
    with pytest.raises(gtrav.InputError, match=message) as problem:
        gtrav.Graph.from_edges(SRC, DST, weights=weights)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("dtype", ["uint32", "float32", "float64"])
def test_pairs_by_weights(dtype):
    """Lengths are sssp()'s distances; a path has its length, to the last bit, if summed up in the weights' type."""
    src, dst, weights = random_edges(dtype)
    graph = gtrav.Graph.from_edges(src, dst, 210, weights=weights)
    random = np.random.default_rng(2)
    ends = random.integers(0, 210, (2, 300))
    found = graph.sssp(range(210), parents=True, verify=True)
    assert found.distances.shape == found.parents.shape == (210, 210)
    expected = found.distances[ends[0], ends[1]]
    assert (graph.path_lengths(*ends, weight=True) == expected).all() and np.isinf(expected).any()
    middle = np.sort(expected)[100]  # some length
    limited = graph.path_lengths(*ends, weight=True, cutoff=middle)
    assert (limited == np.where(expected > middle, np.inf, expected)).all()
    paths = graph.paths(*ends, weight=True)
    assert (paths.distances == expected).all()
    table = dict(zip(zip(np.repeat(range(210), graph.degree()).tolist(), graph.indices.tolist()), graph.weights))
    for path, source, target, distance in zip(paths, *ends, expected):
        assert (path.tolist()[:1] + path.tolist()[-1:] == [source, target]) if len(path) else np.isinf(distance)
        total = np.dtype(dtype).type(0)
        for edge in zip(path.tolist(), path.tolist()[1:]):
            total += table[edge]
        assert total == distance or not len(path)


def test_results_of_pairs_by_weights():
    graph = gtrav.Graph.from_edges(["a", "b", "a", "c"], ["b", "c", "c", "d"], weights=[1.5, 2, 4, 1e3], device="cpu")
    length = graph.path_lengths("a", "c", weight=True)
    assert type(length) is float and length == 3.5
    assert graph.path_lengths("c", "a", weight=True) == np.inf == graph.path_lengths(0, 3, weight=True, cutoff=1e3)
    lengths = graph.path_lengths([-1, 0, 1], 2, weight=True, variant="delta")
    assert lengths.tolist() == [np.inf, 3.5, 2] and lengths.run.ran == "sssp delta on cpu"
    on_emulator = graph.path_lengths([0, 1], [2, 3], weight=True, device="emulator", verify=True)
    assert on_emulator.tolist() == [3.5, 1002] and on_emulator.run.ran.endswith("on emulator")
    found = graph.paths(["a", "d"], "d", weight=True)
    assert [path.tolist() for path in found] == [[0, 1, 2, 3], [3]] and found.distances.tolist() == [1003.5, 0]
    assert pickle.loads(pickle.dumps(found)).distances.tolist() == [1003.5, 0]
    assert len(graph.paths([], [], weight=True)) == len(graph.path_lengths([], [], weight=True)) == 0
    pytest.importorskip("pyarrow")
    columns = graph.path_lengths(["a", "d"], "c", weight=True).to_arrow().to_pydict()
    assert columns == {"source": ["a", "d"], "destination": ["c", "c"], "length": [3.5, np.inf]}
    columns = graph.sssp(["b", "d"]).to_arrow().to_pydict()
    assert columns == {"source": ["b", "b", "b", "d"], "vertex": ["b", "c", "d", "d"], "distance": [0, 2, 1002, 0]}


OF_LENGTHS = {
    "path_lengths": lambda graph, **how: graph.path_lengths(0, 1, **how),
    "path_lengths of several": lambda graph, **how: graph.path_lengths([0], 1, cutoff=5, **how),
    "paths": lambda graph, **how: graph.paths(0, 1, **how),
    "closeness": lambda graph, **how: graph.closeness(**how),
    "closeness of some": lambda graph, **how: graph.closeness([1], **how),
    "harmonic": lambda graph, **how: graph.harmonic(**how),
    "betweenness": lambda graph, **how: graph.betweenness(**how),
    "count_paths": lambda graph, **how: graph.count_paths(0, **how),
    "eccentricity": lambda graph, **how: graph.eccentricity(**how),
    "diameter": lambda graph, **how: graph.diameter(**how),
    "radius": lambda graph, **how: graph.radius(**how),
}


@pytest.mark.parametrize("call", OF_LENGTHS)
def test_no_weight_is_ignored(call):
    """What counts edges refuses a graph with weights, and weight=True if it cannot add them up."""
    plain, weighted = (gtrav.Graph.from_edges(SRC, DST, weights=weights) for weights in (None, OTHER))
    with pytest.raises(gtrav.InputError, match="the graph has weights, which this .* ignore; .*weight=False counts"):
        OF_LENGTHS[call](weighted)
    for how in ({"weight": False}, {"weight": None}):
        result, expected = OF_LENGTHS[call](weighted, weight=False), OF_LENGTHS[call](plain, **how)
        assert (np.asarray(getattr(result, "vertices", result)) == getattr(expected, "vertices", expected)).all()
    if call.startswith("path"):
        assert OF_LENGTHS[call](weighted, weight=True) is not None
        weighted, message = plain, "the graph has no weights"
    else:
        message = "weight=True: this search counts edges"
    with pytest.raises(gtrav.InputError, match=message):
        OF_LENGTHS[call](weighted, weight=True)


def test_searches_that_have_no_lengths():
    graph = gtrav.Graph.from_edges(SRC, DST, weights=OTHER)
    assert graph.bfs(0).levels.tolist() == [0, 1, 2] and graph.components(strong=True).count == 1
    for call in (graph.bfs, graph.dfs, graph.reach):
        with pytest.raises(gtrav.InputError, match="weight=True: this search counts edges"):
            call(0, weight=True)
    with pytest.raises(gtrav.InputError, match="weight=False: sssp\\(\\) adds up weights"):
        graph.sssp(0, weight=False)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"cutoff": -1}, "cutoff=-1: expected a number from 0 on$"),
        ({"cutoff": np.nan}, "cutoff=nan"),
        ({"cutoff": "1"}, "cutoff='1': expected a number or None"),
        ({"weight": "weight"}, "weight='weight': expected True or False"),
        ({"variant": "gap"}, "gap"),
    ],
)
def test_wrong_pairs_by_weights(how, message):
    graph = gtrav.Graph.from_edges(SRC, DST, weights=OTHER)
    with pytest.raises(gtrav.InputError, match=message):
        graph.path_lengths([0, 1], 2, **{"weight": True, **how})


def test_what_sssp_refuses():
    with pytest.raises(gtrav.InputError, match="the graph has no weights, which sssp needs"):
        gtrav.Graph("path:3").sssp(0)
    heavy = gtrav.Graph.from_edges(SRC, DST, weights=[1.5e308] * 3)
    with pytest.raises(gtrav.InputError, match="the distance of vertex 2 is 1.797693135e"):
        heavy.sssp(0)
    for source in (7, [0, 7]):
        with pytest.raises(gtrav.InputError, match="7 is not a vertex"):
            heavy.sssp(source)
    with pytest.raises(gtrav.InputError, match="at least one source"):
        heavy.sssp([])
