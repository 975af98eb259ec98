"""Weights that differ are ignored with a warning at the caller's line; weights that are all equal without one."""

import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

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
