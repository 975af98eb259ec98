"""How graphs are made of arrays, tables and files, and what they say of themselves."""

import copy
import doctest
import gc
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse

import gtrav

SRC, DST = [0, 0, 1, 3], [1, 2, 3, 0]


def edges(graph):
    return set(zip(*(ends.tolist() for ends in graph.to_scipy().nonzero())))


def random_matrix(n=500, seed=1):
    """A random matrix without a diagonal, in canonical form, whose entries are 1."""
    src, dst = np.random.default_rng(seed).integers(0, n, (2, n * n // 50), dtype=np.int32)
    src, dst = src[src != dst], dst[src != dst]
    matrix = scipy.sparse.coo_array((np.ones(len(src), bool), (src, dst)), shape=(n, n)).tocsr()
    matrix.sort_indices()
    return matrix


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "int16", "uint8", ">i4", ">u8"])
def test_edges_of_every_type(dtype):
    for other in (dtype, "uint64"):
        graph = gtrav.Graph.from_edges(np.array(SRC, dtype), np.array(DST, other))
        assert graph.num_vertices == 4
        assert edges(graph) == set(zip(SRC, DST))


def test_edges_of_objects():
    graph = gtrav.Graph.from_edges(np.array(SRC, object), np.array([10**10, 2, 3, 0], object), ids="any")
    assert graph.ids.tolist() == [0, 1, 2, 3, 10**10]


@pytest.mark.parametrize("pairs", [list(zip(SRC, DST)), np.array([SRC, DST]).T, np.array([SRC, DST], "uint16").T])
def test_pairs(pairs):
    assert edges(gtrav.Graph.from_edges(pairs)) == set(zip(SRC, DST))


@pytest.mark.parametrize("undirected", [False, True])
def test_few_edges_as_many(undirected):
    """One thread sorts the edges of a small graph; the builder makes one of many vertices."""
    draw = np.random.default_rng(3)
    for count in (0, 1, 30, 300):
        ends = draw.integers(0, 20, (2, count)).astype("u4" if count == 30 else "i8")
        few, many = (gtrav.Graph.from_edges(*ends, n, undirected=undirected) for n in (20, 2**20))
        assert (few.indices.tolist(), few.indptr.tolist()) == (many.indices.tolist(), many.indptr[:21].tolist())
        assert few.symmetric == many.symmetric
        assert few.info.self_loops_dropped == many.info.self_loops_dropped
        assert few.info.duplicates_dropped == many.info.duplicates_dropped


def test_pairs_of_names_and_none():
    assert gtrav.Graph.from_edges([("ann", "bob"), ("bob", "cy")]).ids.tolist() == ["ann", "bob", "cy"]
    assert gtrav.Graph.from_edges([]).num_vertices == gtrav.Graph.from_edges(np.empty((0, 2), int)).num_vertices == 0
    for wrong in ([0, 1], [(0, 1, 2)], np.zeros((2, 3), int), np.zeros(2, int)):
        with pytest.raises(gtrav.InputError, match="pair|shape"):
            gtrav.Graph.from_edges(wrong)


@pytest.mark.parametrize(
    ("nodes", "known", "unknown"),
    [
        ([0, 1, 2], 2, 3),
        ([10**15, -7, 5], -7, 6),
        ([3, 1, 2], 1, 0),
        (["ann", "bob", ""], "bob", "eve"),
        ([(0, 1), "ann", 2.5], (0, 1), "bob"),
        ([2**70, 1, 2], 2**70, 3),
    ],
)
def test_networkx(nodes, known, unknown):
    nx = pytest.importorskip("networkx")
    G = nx.MultiGraph([(nodes[2], nodes[0]), (nodes[0], nodes[2]), (nodes[1], nodes[1])])
    graph = gtrav.Graph.from_networkx(G, device="cpu")
    assert graph.ids.tolist() == list(G)
    assert (graph.num_edges, graph.symmetric, graph._device) == (2, True, "cpu")
    assert graph.vertices([known, unknown]).tolist() == [list(G).index(known), -1]
    assert graph.reorder("rcm").vertex(known) in range(3)


class Attributes(dict):
    def attributes(self):
        return list(self)


class Igraph:
    """What from_igraph() asks a graph of igraph."""

    def __init__(self, directed, weights=None, **attributes):
        self.is_directed, self.vs = lambda: directed, Attributes(attributes)
        self.es = Attributes(weight=weights) if weights else Attributes()

    def get_edgelist(self):
        return list(zip(SRC, DST))

    def vcount(self):
        return 5


def test_igraph():
    assert edges(gtrav.Graph.from_igraph(Igraph(True, color=[0] * 5))) == set(zip(SRC, DST))
    named = gtrav.Graph.from_igraph(Igraph(False, name=list("abcde")))
    assert (named.num_edges, named.vertices(["e", "f"]).tolist()) == (8, [4, -1])
    with pytest.raises(gtrav.InputError, match="same name"):
        gtrav.Graph.from_igraph(Igraph(True, name=list("abcda")))


def test_the_package():
    assert doctest.testmod(gtrav).failed == 0
    assert gtrav.__version__ == gtrav.library_version()
    with pytest.raises(AttributeError, match="gtrav.*handles"):
        gtrav.handles  # noqa: B018


def test_an_empty_graph():
    graph = gtrav.Graph.from_edges([], [])
    assert graph.num_vertices == graph.num_edges == 0
    assert graph.ids.tolist() == graph.indices.tolist() == graph.closeness().tolist() == []
    assert graph.topological_order().tolist() == graph.path_lengths([], []).tolist() == []
    assert list(graph.paths([], [])) == graph.bfs([]).levels.tolist() == []
    assert graph.vertices([0]).tolist() == [-1]
    with pytest.raises(gtrav.InputError):
        graph.bfs(0)


@pytest.mark.parametrize("kind", [scipy.sparse.csr_array, scipy.sparse.csr_matrix, scipy.sparse.coo_array])
def test_scipy(kind):
    matrix = random_matrix()
    graph = gtrav.Graph.from_scipy(kind(matrix))
    assert edges(graph) == set(zip(*(ends.tolist() for ends in matrix.nonzero())))
    assert (graph.to_scipy() != (matrix != 0)).nnz == 0
    assert np.shares_memory(graph.to_scipy().indices, graph.indices)
    assert np.shares_memory(gtrav.Graph.from_scipy(matrix).indices, matrix.indices)


def test_what_is_not_copied_stays_alive():
    matrix = random_matrix()
    expected = matrix.indices.tolist()
    graph = gtrav.Graph.from_csr(matrix.indptr, matrix.indices.copy())
    view = graph.indices
    del graph
    gc.collect()
    np.full(len(expected), 7, np.int32)  # would be where freed memory was
    assert view.tolist() == expected


def test_targets_out_of_order_are_copied_and_sorted():
    for given, kept in [([2, 1, 3, 0], [1, 2, 3, 0]), ([1, 1, 3, 0], [1, 3, 0])]:  # and duplicates are dropped
        indices = np.array(given, dtype=np.int32)
        graph = gtrav.Graph.from_csr([0, 2, 3, 3, 4], indices)
        assert not np.shares_memory(graph.indices, indices)
        assert graph.indices.tolist() == kept
        assert indices.tolist() == given


@pytest.mark.parametrize("offsets", ["int32", "int64", "uint64", ">i8"])
@pytest.mark.parametrize("targets", ["int32", "uint32", "int64", ">i4"])
def test_csr_of_every_type(offsets, targets):
    matrix = random_matrix(50)
    arrays = matrix.indptr.astype(offsets), matrix.indices.astype(targets)
    graph = gtrav.Graph.from_csr(*arrays)
    assert (graph.to_scipy() != (matrix != 0)).nnz == 0
    assert np.shares_memory(graph.indptr, arrays[0]) == (offsets == "int64")
    assert np.shares_memory(graph.indices, arrays[1]) == (targets in ("int32", "uint32"))


@pytest.mark.parametrize("spec", ["kron:6:3", "dag:30:0.1"])
def test_neighbors_and_degrees(spec):
    nx = pytest.importorskip("networkx")
    graph = gtrav.Graph(spec)
    G = nx.DiGraph(graph.to_scipy())
    assert graph.degree().tolist() == [degree for _, degree in G.out_degree()]
    assert graph.reversed.degree().tolist() == [degree for _, degree in G.in_degree()]
    for vertex in G:
        assert graph.neighbors(vertex).tolist() == sorted(G.neighbors(vertex))
        assert graph.reversed.neighbors(np.int64(vertex)).tolist() == sorted(G.predecessors(vertex))
        assert graph.degree(vertex) == G.out_degree(vertex)
    assert graph.degree([3, 1]).tolist() == [G.out_degree(3), G.out_degree(1)]
    named = gtrav.Graph([("a", "b"), ("a", "c")])
    assert (named.degree("a"), named.degree(["c", "a"]).tolist()) == (2, [0, 2])
    assert named.neighbors("a").tolist() == [1, 2]
    for call in (graph.neighbors, graph.degree):
        with pytest.raises(gtrav.InputError, match="99 is not a vertex"):
            call(99)


@pytest.mark.parametrize("device", ["auto", "cpu", "emulator"])
def test_the_device(device):
    graph = gtrav.Graph("kron:6", device=device)
    assert graph.bfs(0).run.ran.split()[-1] == graph.device.partition(":")[0] != "auto"


def test_the_device_that_auto_finds(monkeypatch):
    """The emulator stands in for the GPU of a machine that has one."""
    of = gtrav._graph.Context.of
    monkeypatch.setattr(
        gtrav._graph.Context, "of", lambda device, *threads: of("emulator" if device == "auto" else device, *threads)
    )
    graph = gtrav.Graph([(0, 1), (1, 2)])
    assert graph.bfs(0).run.ran.endswith(" on emulator")
    assert graph.device == "gpu:0"


def test_with_frees_what_was_prepared():
    with gtrav.Graph("kron:6") as graph:
        assert graph.bfs(0).times.prepare_ms > 0 == graph.bfs(0).times.prepare_ms
    assert graph.bfs(0).times.prepare_ms > 0


def test_views_cannot_be_written():
    graph = gtrav.Graph.from_edges(SRC, DST)
    for view in (graph.indptr, graph.indices):
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gtrav.Graph.from_edges([0, 1], [1]), "2 sources but 1 destinations"),
        (lambda: gtrav.Graph.from_edges([0.5], [1.0]), "integers"),
        (lambda: gtrav.Graph.from_edges(np.ma.array([0, 1], mask=[False, True]), [1, 0]), "masked"),
        (lambda: gtrav.Graph(np.ma.array([(0, 1), (1, 2)], mask=[(0, 0), (1, 1)])), "masked"),
        (lambda: gtrav.Graph("path:2").bfs(0, vertices=np.ma.array([True, True], mask=[0, 1])), "masked"),
        (lambda: gtrav.Graph.generate("path:3", threads=33000), "0 to 4096"),
        (lambda: gtrav.Graph.generate("path:3").closeness(-1), "sources=-1: expected a whole number"),
        (lambda: gtrav.Graph.from_edges([0], [-1]), None),
        (lambda: gtrav.Graph.from_edges([0], [3], num_vertices=3), "edge 0 goes from 0 to 3.* numbered from 0 to 2"),
        (lambda: gtrav.Graph.from_edges([0], [10**12]), "ids='any'"),
        (lambda: gtrav.Graph.from_edges(["a"], [1]), "one kind"),
        (lambda: gtrav.Graph.from_edges([0, "a"], ["b", "c"]), "neither"),
        (lambda: gtrav.Graph.from_edges(["a"], ["b"], num_vertices=3), "num_vertices"),
        (lambda: gtrav.Graph.from_edges([0], [1], ids="some"), "'some'"),
        (lambda: gtrav.Graph.from_csr([0, 1], [0, 0]), "indptr"),
        (lambda: gtrav.Graph.from_csr([0, 2, 1, 2], [1, 2]), None),
        (lambda: gtrav.Graph.from_csr([0, 1, 1], [7]), None),
        (lambda: gtrav.Graph.from_csr([[0, 1]], [1]), "one-dimensional"),
        (lambda: gtrav.Graph.from_scipy(scipy.sparse.csr_array((2, 3))), "square"),
        (lambda: gtrav.Graph.generate("cron:16"), "cron"),
        (lambda: gtrav.Graph.generate("kron:3\0x"), "NUL"),
        (lambda: gtrav.Graph.generate("path:3", device="cpu\0x"), "NUL"),
        (lambda: gtrav.Graph.generate("path:3").reorder("natural\0x"), "NUL"),
        (lambda: gtrav.Graph.generate("path:3").write("x.mtx\0.gtrav"), "NUL"),
        (lambda: gtrav.Graph.generate("path:3").bfs(0, variant="serial\0x"), "NUL"),
        (lambda: gtrav.Graph.from_edges(["a"], ["b"]).vertex("a\0"), "no vertex"),
        (lambda: gtrav.Graph.from_file("not-there.mtx"), "not-there.mtx"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(gtrav.InputError, match=message) as raised:
        make()
    assert "\n" not in str(raised.value)
    assert str(raised.value)


@pytest.mark.parametrize(
    "numbers",
    [[5, 1000000007, 70000000000], [-7, 5, 10**11], [5, 10**11, 2**63 + 5]],
    ids=["above 32 bits", "signed", "unsigned"],
)
def test_ids_of_a_file(numbers, tmp_path):
    low, middle, high = numbers
    (tmp_path / "edges.txt").write_text(f"{high} {low}\n{low} {middle}\n")
    for graph in (
        gtrav.Graph.from_edges(np.array([[high, low], [low, middle]], "i8" if high < 2**63 else "u8"), ids="any"),
        gtrav.Graph.from_file(tmp_path / "edges.txt", ids="any"),
    ):
        assert graph.ids.tolist() == numbers
        assert graph.vertices(np.array([middle, 6, high], graph.ids.dtype)).tolist() == [1, -1, 2]
        assert graph.ids[graph.paths(graph.vertex(high), graph.vertex(middle))[0]].tolist() == [high, low, middle]
    with pytest.raises(gtrav.InputError, match="6"):
        graph.vertex(6)
    other = graph.reorder("random:1")
    assert other.ids.tolist() == [numbers[place] for place in other.permutation]


def test_text_ids_of_a_file(tmp_path):
    (tmp_path / "knows.csv").write_text('since,dst,src\n1,ann,bob\n2,"cy, jr",ann\n')
    graph = gtrav.Graph.from_file(tmp_path / "knows.csv", ids="text")
    assert graph.read_as == "directed, comma, columns src,dst, text ids, header, other columns ignored"
    assert graph.ids.tolist() == ["ann", "bob", "cy, jr"]
    assert graph.path_lengths("bob", "cy, jr") == 2
    assert sorted(graph.reorder("random:1").ids) == ["ann", "bob", "cy, jr"]


# As the program's --ids auto: more than a million vertices, and more than 16 for each end of an edge.
@pytest.mark.parametrize(
    ("largest", "edges", "sparse"),
    [(999_999, 1, False), (1_000_000, 1, True), (1_599_999, 50_000, False), (1_600_000, 50_000, True)],
)
def test_sparse_ids(largest, edges, sparse):
    ends = np.arange(edges), np.full(edges, largest)
    if sparse:
        with pytest.raises(gtrav.InputError, match="far above the number of ids"):
            gtrav.Graph.from_edges(*ends)
    else:
        assert gtrav.Graph.from_edges(*ends).num_vertices == largest + 1


@pytest.mark.parametrize("with_pyarrow", [True, False])
def test_many_texts(with_pyarrow, monkeypatch):
    if not with_pyarrow:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    src, dst = np.random.default_rng(1).integers(0, 300, (2, 1000)).astype(str).astype(object)
    graph = gtrav.Graph.from_edges(src, dst)
    assert graph.ids.tolist() == sorted({*src, *dst})
    assert {(graph.ids[u], graph.ids[v]) for u, v in edges(graph)} == {(u, v) for u, v in zip(src, dst) if u != v}
    assert gtrav.Graph.from_edges(["a", "a\0"], ["b", "b"]).ids.tolist() == ["a", "a\0", "b"]
    for bad in (None, 3):
        with pytest.raises(gtrav.InputError, match="neither"):
            gtrav.Graph.from_edges(np.array(["a", bad], object), ["b", "c"])


@pytest.mark.parametrize("order", [None, "random:3", "natural"])
@pytest.mark.parametrize("kind", ["builtins.list", "pyarrow.array", "pandas.Series"])
@pytest.mark.parametrize("ids", [["b", "a", "c"], [7, 5, 10**12], [7, -5, 2**40]], ids=str)
def test_ids_are_written(ids, kind, order, tmp_path):
    module, _, name = kind.partition(".")
    make = getattr(pytest.importorskip(module), name)
    graph = gtrav.Graph.from_edges(make(ids[:2]), make(ids[1:]), ids="any")
    assert graph.read_as is None
    graph = graph.reorder(order) if order else graph
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph.write(tmp_path / "x.gtrav")
    same = gtrav.Graph.from_file(tmp_path / "x.gtrav")
    assert same.ids.tolist() == sorted(ids)
    assert {(same.ids[u], same.ids[v]) for u, v in edges(same)} == set(zip(ids, ids[1:]))
    with pytest.warns(UserWarning, match="no ids"):
        graph.write(tmp_path / "x.mtx")


def test_ids_that_are_vertex_numbers():
    graph = gtrav.Graph.generate("path:4")
    assert graph.ids.tolist() == [0, 1, 2, 3]
    assert graph.vertices([3, 4, -2]).tolist() == [3, -1, -1]
    with pytest.raises(gtrav.InputError, match="integers"):
        graph.vertices(["a"])


def test_reordered():
    graph = gtrav.Graph.from_edges(["a", "b", "c"], ["b", "c", "d"], undirected=True)
    other = graph.reorder("random:7")
    assert sorted(other.permutation.tolist()) == [0, 1, 2, 3]
    assert other.ids.tolist() == graph.ids[other.permutation].tolist()
    ends = other.vertices(["a", "d"])
    assert other.ids[other.paths(*ends)[0]].tolist() == ["a", "b", "c", "d"]
    assert graph.permutation is None
    same = other.reorder("natural")
    assert same.permutation is None
    assert same.ids.tolist() == graph.ids.tolist()
    assert same.indices.tolist() == graph.indices.tolist()
    with pytest.raises(gtrav.InputError, match="already reordered"):
        other.reorder("rcm")
    found = other.bfs(0, reorder="natural")  # in its own order
    assert found.levels.tolist() == other.bfs(0).levels.tolist()
    for search in (other.bfs, other.dfs):
        assert search(0, variant="serial", device="cpu", reorder="natural").parents[0] == 0
    with pytest.raises(gtrav.InputError, match="already reordered"):
        other.bfs(0, reorder="rcm")


def graphs_to_pickle(folder):
    named = gtrav.Graph.from_edges(["d", "a", "b"], ["a", "b", "c"])
    (folder / "friends.txt").write_text("700 8\n8 9\n9 700\n9 8\n9 9\n")
    numbered = gtrav.Graph.from_file(folder / "friends.txt", ids="any", threads=1)
    yield from (named, named.reorder("random:1"), named.reorder("random:1").reversed)
    yield from (numbered, numbered.reorder("random"), numbered.reversed, gtrav.Graph.from_edges([], []))
    yield gtrav.Graph.generate("kron:6:4", device="emulator")
    numbered.reorder("random").write(folder / "ordered.gtrav")
    yield gtrav.Graph.from_file(folder / "ordered.gtrav")


def test_pickles(tmp_path):
    """Of all that a graph can be asked, read_as alone is lost."""
    for graph in graphs_to_pickle(tmp_path):
        graph.vertices(graph.ids[:1])  # what this keeps stays here
        same = pickle.loads(pickle.dumps(graph))
        assert (same.name, same.info, same._device, same._threads) == (
            *(graph.name, graph.info, graph._device, graph._threads),
        )
        for arrays in ("indptr", "indices", "ids"):
            assert getattr(same, arrays).tolist() == getattr(graph, arrays).tolist(), (graph, arrays)
        assert (same.permutation is None) == (graph.permutation is None)
        if graph.permutation is not None:
            assert same.permutation.tolist() == graph.permutation.tolist()
            assert edges(same.reorder("natural")) == edges(graph.reorder("natural"))
            assert same.reorder("natural").ids.tolist() == graph.reorder("natural").ids.tolist()
        assert same.reversed.indices.tolist() == graph.reversed.indices.tolist()
        graph.write(tmp_path / "one.gtrav")
        same.write(tmp_path / "other.gtrav")
        assert (tmp_path / "one.gtrav").read_bytes() == (tmp_path / "other.gtrav").read_bytes()
        assert pickle.loads(pickle.dumps(same)).ids.tolist() == graph.ids.tolist()


def test_copies():
    """A graph does not change, so that its copy can be itself."""
    graph = gtrav.Graph.generate("path:4")
    assert copy.copy(graph) is copy.deepcopy({"graph": graph})["graph"] is graph


def test_ids_at_the_ends_of_64_bits():
    """No id is taken for another that has the same bits."""
    largest = 2**64 - 1
    graph = gtrav.Graph.from_edges(np.array([5, 6], np.uint64), np.array([6, largest], np.uint64), ids="any")
    assert graph.ids.tolist() == [5, 6, largest]
    assert graph.vertices(np.array([-1])).tolist() == [-1]
    assert graph.vertices(np.array([largest], np.uint64)).tolist() == [2]
    assert gtrav.Graph.from_edges([2**63, 5], [5, 2**63], ids="any").ids.tolist() == [5, 2**63]


def test_memory_is_told_for_the_variants_of_the_device():
    """The command line tells the same (tests/cli/test_memory.py)."""
    told = gtrav.Graph("kron:8", device="emulator").memory()
    assert {"bfs dobfs", "dfs handoff", "msbfs bitparallel"} <= set(told)
    dobfs = told["bfs dobfs"]
    assert dobfs.fits and dobfs.prepared_known and dobfs.unprepared_bytes < dobfs.prepared_bytes < dobfs.device_free
    assert told["bfs slices"].fits is None


def test_an_idle_engine_makes_room_before_the_next_is_unprepared():
    code = """
import gtrav
graph = gtrav.Graph("kron:8", device="emulator")
graph.bfs(0, variant="queue")
print(graph.bfs(0, variant="dobfs").run.note)
"""
    dobfs = gtrav.Graph("kron:8", device="emulator").memory()["bfs dobfs"]
    for limit, unprepared in ((dobfs.prepared_bytes + 9000, False), (dobfs.unprepared_bytes + 9000, True)):
        environment = {**os.environ, "GTRAV_GPU_MEMORY": str(limit)}
        made = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300
        )
        assert made.stdout.startswith("unprepared: ") == unprepared, made
        assert "vertices in input order" in made.stdout, made
