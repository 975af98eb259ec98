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
    def make(weights, folder):
        (folder / name).write_text(text.format(*map(str, weights)))
        return gtrav.Graph(folder / name)

    return make


def of_scipy(kind):
    return lambda weights, _: gtrav.Graph(kind(scipy.sparse.coo_array((weights, (SRC, DST)), shape=(3, 3))))


def of_networkx(weights, _):
    G = pytest.importorskip("networkx").MultiDiGraph()
    G.add_weighted_edges_from(zip(SRC, DST, weights))
    return gtrav.Graph(G)


def table_of(weights, name="weight"):
    return pytest.importorskip("pyarrow").table({"src": SRC, name: weights, "dst": DST})


def of_parquet(weights, folder):
    table = table_of(weights)
    import pyarrow.parquet as parquet

    parquet.write_table(table, folder / "x.parquet", row_group_size=1)
    return gtrav.Graph(folder / "x.parquet")


def of_feather(weights, folder):
    table = table_of(weights)
    import pyarrow as pa

    with pa.ipc.new_file(folder / "x.arrow", table.schema) as file:
        file.write_table(table)
    return gtrav.Graph(folder / "x.arrow")


def of_duckdb(weights, _):
    return gtrav.Graph.from_arrow(pytest.importorskip("duckdb").from_arrow(table_of(weights)))


READERS = {
    "mtx": of_file("x.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 {}\n2 3 {}\n3 1 {}\n"),
    "gr": of_file("x.gr", "p sp 3 3\na 1 2 {}\na 2 3 {}\na 3 1 {}\n"),
    "csv": of_file("x.csv", "src,dst,weight\n0,1,{}\n1,2,{}\n2,0,{}\n"),
    "csr": of_scipy(scipy.sparse.csr_array),
    "csc": of_scipy(scipy.sparse.csc_matrix),
    "coo": of_scipy(scipy.sparse.coo_array),
    "lil": of_scipy(scipy.sparse.lil_array),
    "networkx": of_networkx,
    "igraph": lambda weights, _: gtrav.Graph(Igraph(True, weights=weights)),
    "table": lambda weights, _: gtrav.Graph(table_of(weights)),
    "cost": lambda weights, _: gtrav.Graph(table_of(weights, "Cost")),
    "decimals": lambda weights, _: gtrav.Graph(table_of(decimals(weights))),
    "stream": lambda weights, _: gtrav.Graph.from_arrow(table_of(weights).to_reader(1), ids="dense"),
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


def test_what_sssp_refuses():
    with pytest.raises(gtrav.InputError, match="the graph has no weights, which sssp needs"):
        gtrav.Graph("path:3").sssp(0)
    heavy = gtrav.Graph.from_edges(SRC, DST, weights=[1.5e308] * 3)
    with pytest.raises(gtrav.InputError, match="the distance of vertex 2 is 1.797693135e"):
        heavy.sssp(0)
    with pytest.raises(gtrav.InputError, match="sssp delta gives no parent"):
        heavy.sssp(0, parents=True, variant="delta")
    with pytest.raises(gtrav.InputError, match="7 is not a vertex"):
        heavy.sssp(7)
