"""Every call refuses arguments that it would misread; Graph(x) is a graph of what x is."""

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import SupportsIndex

import numpy as np
import pytest
import scipy.sparse

import gtrav
from package import PACKAGE
from test_graph import DST, SRC, Igraph, edges

EDGES = set(zip(SRC, DST))
MATRIX = scipy.sparse.coo_array((np.ones(4), (SRC, DST)), shape=(4, 4))


@pytest.fixture(scope="module")
def graph():
    return gtrav.Graph("grid:4x5")


def raises(call, kind, message):
    with pytest.raises(kind, match=message) as raised:
        call()
    assert isinstance(raised.value, gtrav.InputError) and "\n" not in str(raised.value)


# ---- Graph(x) ----


@pytest.mark.parametrize("make", [list, tuple, np.array, lambda pairs: np.array(pairs, "uint16"), np.asfortranarray])
def test_a_graph_of_pairs(make):
    assert edges(gtrav.Graph(make(list(zip(SRC, DST))), device="cpu")) == EDGES


def test_a_graph_of_a_matrix():
    for matrix in (MATRIX, MATRIX.tocsr(), scipy.sparse.csc_matrix(MATRIX), MATRIX.tolil()):
        assert edges(gtrav.Graph(matrix)) == EDGES
    assert gtrav.Graph(MATRIX, undirected=True).num_edges == 8


def test_a_graph_of_other_libraries():
    nx = pytest.importorskip("networkx")
    pa = pytest.importorskip("pyarrow")
    of_networkx = gtrav.Graph(nx.DiGraph([("b", "a"), ("a", "c")]))
    assert of_networkx.ids.tolist() == ["b", "a", "c"] and of_networkx.path_lengths("b", "c") == 2
    assert edges(gtrav.Graph(Igraph(True))) == EDGES
    assert gtrav.Graph(pa.table({"src": ["b"], "dst": ["a"]})).ids.tolist() == ["b", "a"]


def test_columns_are_no_table():
    pa = pytest.importorskip("pyarrow")
    for column in (pa.array([1, 2]), pa.chunked_array([[1, 2]]), pytest.importorskip("pandas").Series([1, 2])):
        raises(lambda column=column: gtrav.Graph(column), TypeError, "a table of pyarrow|shape")


def test_a_graph_of_a_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n")
    for name in ("a.mtx", Path("a.mtx"), str(tmp_path / "a.mtx")):
        assert edges(gtrav.Graph(name)) == {(0, 1), (1, 2)}
    assert gtrav.Graph("a.mtx", undirected=True, device="cpu").num_edges == 4
    assert gtrav.Graph("path:3").name == "path:3"
    for name, message in (
        ("b.mtx", "b.mtx"),
        ("krn:5", "kron:5"),
        (Path("kron:5"), "No such file"),
        ("-", "not a generator"),
    ):
        raises(lambda name=name: gtrav.Graph(name), gtrav.InputError, message)
    raises(lambda: gtrav.Graph.generate("a.mtx"), gtrav.InputError, "from_file")
    raises(lambda: gtrav.Graph("a.mtx", undirected=2.5), TypeError, "undirected=2.5")
    raises(lambda: gtrav.Graph("a.mtx", undirected="perhaps"), gtrav.InputError, "perhaps")
    raises(lambda: gtrav.Graph("a.mtx", colour=1), gtrav.InputError, "colour")
    Path("three.csv").write_text("0,1,2\n1,2,0\n")
    assert edges(gtrav.Graph("three.csv", columns=(3, 1))) == {(2, 0), (0, 1)}


NO_GRAPHS = [5, None, 2.5, True, b"kron:5", {}, {"a": 1}, {(0, 1)}, object(), np.int64(5), np.zeros(3, int), iter([])]
NO_GRAPHS += [
    ["ab", "cd"],
    [1, 2],
    [(0, 1, 2)],
    np.zeros((3, 3), int),
    int,
    gtrav,
    gtrav.Graph("path:3"),
    scipy.sparse.csr_array,
]


@pytest.mark.parametrize("source", NO_GRAPHS, ids=lambda source: repr(source).split(" at ")[0][:30])
def test_what_is_no_graph(source):
    raises(lambda: gtrav.Graph(source), TypeError, "pairs|shape")


def test_no_handle_is_taken():
    """In a process of its own, as the library would take a number for an address."""
    code = "import gtrav\nfor x in (5, None, 2**40):\n  try: gtrav.Graph(x)\n  except TypeError: print('refused')"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert made.stdout.split() == ["refused"] * 3 and made.returncode == 0


# ---- arguments ----

WRONG = {
    "strong is a word": (lambda g: g.components("weak"), TypeError, "strong='weak': expected True or False"),
    "strong is a number": (lambda g: g.components(strong=1), TypeError, "strong=1"),
    "verify is a word": (lambda g: g.bfs(0, verify="no"), TypeError, "verify='no'"),
    "verify": (lambda g: g.closeness(verify=1), TypeError, "verify=1"),
    "no levels": (lambda g: g.bfs(0, levels=False), ValueError, "levels=False"),
    "no levels together": (lambda g: g.bfs([0, 1], together=True, levels=False), ValueError, "levels=False"),
    "parents of many": (lambda g: g.bfs([0, 1], parents=True), ValueError, "no parents"),
    "two depths": (lambda g: g.neighbourhood(0, 1, max_depth=3), TypeError, "unknown keyword 'max_depth'"),
    "apart": (lambda g: g.neighbourhood([0, 1], 1, together=False), TypeError, "unknown keyword 'together'"),
    "max_depth": (lambda g: g.bfs(0, max_depth=2**64), ValueError, "max_depth=18446744073709551616"),
    "max_depth is a word": (lambda g: g.bfs(0, max_depth="2"), TypeError, "max_depth='2'"),
    "depth": (lambda g: g.neighbourhood(0, 2**64), ValueError, "depth=18446744073709551616"),
    "cutoff": (lambda g: g.path_lengths([0], [1], cutoff=2**64), ValueError, "cutoff=18446744073709551616"),
    "cutoff is a fraction": (lambda g: g.path_lengths([0, 1], [1, 2], cutoff=1.5), TypeError, "cutoff=1.5"),
    "reverse": (lambda g: g.path_lengths([0], [1], cutoff=1, reverse=True), TypeError, "unknown keyword 'reverse'"),
    "reversed eccentricity": (lambda g: g.eccentricity(reverse=True), TypeError, "unknown keyword 'reverse'"),
    "sources": (lambda g: g.closeness(2**64 + 1), ValueError, "sources=18446744073709551617"),
    "sources is a fraction": (lambda g: g.closeness(2.5), TypeError, "sources=2.5"),
    "sources is true": (lambda g: g.closeness(True), TypeError, "sources=True"),
    "more than all": (lambda g: g.closeness(21), ValueError, "21 sources, but .* only 20 vertices$"),
    "drawn": (lambda g: g.betweenness(100, seed=1), ValueError, "100 sources, but .* only 20 vertices$"),
    "no sources": (lambda g: g.harmonic([]), ValueError, "sources=.*at least one vertex"),
    "sources are no vertices": (lambda g: g.harmonic([3, 20]), ValueError, "20 is not a vertex"),
    "sources are a set": (lambda g: g.harmonic({3}), TypeError, "a whole number or a list of vertices or None"),
    "seed": (lambda g: g.closeness(3, seed=-1), ValueError, "seed=-1"),
    "normalized": (lambda g: g.betweenness(normalized="no"), TypeError, "normalized='no'"),
    "order": (lambda g: g.dfs(0, order="yes"), TypeError, "order='yes': expected True or False or None"),
    "variant": (lambda g: g.bfs(0, variant=5), TypeError, "variant=5: expected a text"),
    "device": (lambda g: g.bfs(0, device=5), TypeError, "device=5: expected a text"),
    "options": (lambda g: g.bfs(0, options="alpha=3"), TypeError, "options='alpha=3': expected a dict"),
    "an option": (
        lambda g: g.bfs(0, variant="gap", device="cpu", options={"alpha": "much"}),
        ValueError,
        "^options={'alpha': 'much'}: expected a whole number",
    ),
    "the options": (
        lambda g: g.bfs(0, variant="gap", device="cpu", options={"alfa": 3}),
        ValueError,
        "^unknown bfs gap option 'alfa'; did you mean 'alpha'",
    ),
    "the variant's device": (
        lambda g: g.bfs(0, variant="queue", device="cpu"),
        ValueError,
        "GPU and not on the CPU; choose",
    ),
    "progress": (lambda g: g.bfs(0, progress=True), TypeError, "progress=True: expected a function"),
    "dtype": (lambda g: g.bfs(0, dtype="float32"), ValueError, "float32"),
    "alpha": (lambda g: g.bfs(0, alpha=3), TypeError, "unknown keyword 'alpha'.* options={'alpha': ...}"),
    "kind": (lambda g: g.bfs(0).to_frame(5), TypeError, "kind=5"),
    "family": (lambda g: gtrav.variants("nonsense"), ValueError, "family='nonsense': expected one of bfs"),
    "family is a number": (lambda g: gtrav.variants(5), TypeError, "family=5"),
    "None": (lambda g: g.bfs(None), TypeError, "None is not a vertex: expected a number, or an id as text"),
    "one None": (lambda g: g.dfs(None), TypeError, "None is not a vertex"),
    "a pair with None": (lambda g: g.path_lengths(0, None), TypeError, "None is not a vertex"),
    "a dict": (lambda g: g.reach({}), TypeError, "{} is not a vertex"),
    "ids": (lambda g: g.vertices("abc"), TypeError, "'abc'"),
    "spec": (lambda g: g.reorder(5), TypeError, "spec=5"),
    "path": (lambda g: g.write(5), TypeError, "path=5: expected a text or a path"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments(graph, case):
    call, kind, message = WRONG[case]
    raises(lambda: call(graph), kind, message)


G = gtrav.Graph
UNMADE = {
    "fraction": (lambda: G.from_edges([0], [1], num_vertices=2.5), TypeError, "num_vertices=2.5"),
    "too many": (lambda: G.from_edges([0], [1], num_vertices=2**64 + 2), ValueError, "vertices=18446744073709551618"),
    "none": (lambda: G.from_edges([0], [1], num_vertices=0), ValueError, "num_vertices=0 leaves"),
    "threads": (lambda: G.generate("path:3", threads=1.5), TypeError, "threads=1.5"),
    "many threads": (lambda: G.generate("path:3", threads=2**32 + 1), ValueError, "threads=4294967297"),
    "device": (lambda: G.generate("path:3", device=0), TypeError, "device=0"),
    "undirected": (lambda: G.from_edges([0], [1], undirected="no"), TypeError, "undirected='no'"),
    "keyword": (lambda: G.from_edges([0], [1], colour=1), TypeError, r"'colour': from_edges\(\) takes src"),
    "keyword of a generator": (lambda: G.generate("path:3", undirected=True), TypeError, "'undirected': generate"),
    "keyword of pairs": (lambda: G([(0, 1)], colour=1), TypeError, "unknown keyword 'colour'"),
    "keyword of a matrix": (lambda: G.from_scipy(MATRIX, ids="any"), TypeError, "unknown keyword 'ids'"),
    "large id": (lambda: G.from_edges([2**70], [1]), ValueError, r"64 bits.*\[1180591620717411303424\]"),
    "large name": (lambda: G.from_edges([2**70], [1], ids="any"), ValueError, "64 bits"),
    "large and negative": (lambda: G.from_edges([2**63, -1], [1, 2], ids="any"), ValueError, "64 bits"),
    "numbers": (lambda: G.from_edges(5, 6), TypeError, "lists or arrays, not 5"),
    "texts": (lambda: G.from_edges("ab", "cd"), TypeError, "not 'ab'"),
    "no matrix": (lambda: G.from_scipy(5), TypeError, "matrix=5: expected a sparse matrix"),
    "no graph": (lambda: G.from_networkx(5), TypeError, "graph=5: expected a graph of NetworkX"),
    "no graph of igraph": (lambda: G.from_igraph(5), TypeError, "graph=5: expected a graph of igraph"),
    "no table": (lambda: G.from_arrow(5), TypeError, "expected a table"),
    "column": (lambda: G.from_arrow(5, src=1.5), TypeError, "src=1.5: expected a text or a whole number or None"),
    "no path": (lambda: G.from_file(5), TypeError, "path=5: expected a text or a path"),
}


@pytest.mark.parametrize("case", UNMADE)
def test_wrong_arguments_of_graphs(case):
    if case in ("no table", "column"):
        pytest.importorskip("pyarrow")
    raises(*UNMADE[case])


def test_every_public_call_is_checked():
    for kind in (gtrav.Graph, gtrav.BfsResult):
        for name, call in inspect.getmembers(kind, inspect.isroutine):
            own = getattr(call, "__module__", "") or ""
            if callable(call) and own.startswith("gtrav") and not name.startswith("_"):
                assert hasattr(call, "__wrapped__"), name


def test_type_checkers_let_numpys_integers_pass():
    """An np.int64 is no int, but a SupportsIndex; only columns are numbered by int."""
    assert isinstance(np.int64(0), SupportsIndex) and SupportsIndex in gtrav._arguments.Vertex.__args__
    for name, call in inspect.getmembers(gtrav.Graph, inspect.isroutine):
        for each in inspect.signature(call).parameters.values() if hasattr(call, "__wrapped__") else ():
            assert "int" not in str(each.annotation).split(" | ") or each.name in ("src", "dst"), (name, each)


def test_what_numbers_and_flags_may_be(graph):
    """NumPy's are as good as Python's."""
    one = np.int64(1)
    assert graph.bfs(one, max_depth=np.uint8(2), verify=np.True_).levels.max() == 2
    assert graph.components(np.False_).count == one and graph.bfs(0, on_device=np.False_).levels.max() == 7
    assert graph.bfs(0, variant="gap", device="cpu", options={"alpha": np.True_}).levels.max() == 7
    assert graph.dfs(one).parents[1] == graph.reach(np.int32(1)).sum() - 19 == 1
    assert (graph.closeness(np.int64(3), seed=np.uint8(1)) == graph.closeness(3, seed=1)).all()
    assert G.from_edges([0], [1], num_vertices=np.int64(3), threads=np.int32(1)).num_vertices == 3
    assert graph.bfs(0, device=None, variant=None, options=None, verify=None, max_depth=None).levels.max() == 7
    assert G.from_edges([2**64 - 1, 0], [3, 2**63], ids="any").ids.tolist() == [0, 3, 2**63, 2**64 - 1]


def test_numpys_flags_and_columns(tmp_path):
    pa = pytest.importorskip("pyarrow")
    columns, edge = (np.int64(1), np.int64(0)), pa.table({"a": [4], "b": [3]})
    assert G.from_arrow(edge, *columns).ids.tolist() == [3, 4]
    sql = pytest.importorskip("gtrav.sql")
    assert sql.path_lengths(G.from_arrow(edge), edge, *columns)["length"].to_pylist() == [None]
    (tmp_path / "edges.txt").write_text("0 1\n")
    (tmp_path / "vertices.csv").write_text("7,0\n7,1\n7,2\n")
    graph = G(
        tmp_path / "edges.txt", undirected=np.True_, vertices=tmp_path / "vertices.csv", vertex_column=np.int64(2)
    )
    assert graph.num_edges == 2 and graph.num_vertices == 3


@pytest.mark.parametrize("nothing", [[], np.array([], object), np.array([], str)], ids=["list", "objects", "texts"])
def test_no_ids_are_ids_of_any_kind(graph, nothing):
    for each in (graph, G.from_edges([5], [7], ids="any")):
        assert len(each.vertices(nothing)) == len(each.path_lengths(nothing, 1)) == len(each.paths(nothing, 1)) == 0
        assert each.bfs(nothing).levels.shape == (0, each.num_vertices)


@pytest.mark.parametrize("far", [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**64 - 1, None])
def test_depths_beyond_all_paths_are_no_limits(graph, far):
    assert graph.bfs(0, max_depth=far).levels.max() == 7 and len(graph.neighbourhood(0, far)) == 20
    assert graph.path_lengths(0, 19, cutoff=far) == 7 == graph.path_lengths([1, 0], [2, 19], cutoff=far)[1]


def test_options_of_the_program_become_keywords(tmp_path):
    """Messages of files speak of options, which are keywords here."""
    texts = {"0 1\n5000000 2\n": "ids='any' numbers these", "0 x\n1 2\n": "ids='text'"}
    for number, (text, message) in enumerate(texts.items()):
        path = tmp_path / f"a --b{number}.txt"
        path.write_text(text)
        with pytest.raises(gtrav.InputError) as raised:
            gtrav.Graph(path, **({} if "any" in message else {"ids": "dense"}))
        assert message in str(raised.value) and str(path) in str(raised.value)
        assert " --" not in str(raised.value).replace(str(path), "")


def test_files_that_cannot_be_opened(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "e.txt").write_text("0 1\n")
    reasons = {"loop": "symbolic links", "a" * 300: "too long", "e.txt/x": "Not a directory", "x": "No such file"}
    for name, reason in reasons.items():
        raises(lambda name=name: G(tmp_path / name), gtrav.InputError, f"cannot open.*{reason}")
    raises(lambda: G(tmp_path / "e\0x"), gtrav.InputError, "NUL")


def test_words_behind_options_are_values_or_not():
    """A message's verb is no value."""
    said = {
        "--columns takes two columns": "columns takes two columns",
        "x: --header-counts is for edge lists": "x: header_counts is for edge lists",
        "--header yes or --header no decides": "header='yes' or header='no' decides",
        "(--columns 1,2 or --ids text reads)": "(columns='1,2' or ids='text' reads)",
        "--vertex-column NAME takes it": "vertex_column='NAME' takes it",
        "--vertex-column is of the file that --vertices names": "vertex_column is of the file that vertices names",
        "--device cpu-emulator runs it": "device='cpu-emulator' runs it",
        "--directed: it has no directions": "directed=True: it has no directions",
    }
    assert [str(gtrav._errors.error_of(2, text)) for text in said] == list(said.values())


def test_the_table_of_a_files_options():
    """It is the library's."""
    rows = (PACKAGE.parent / "src/graph/load_options.h").read_text()
    names = re.findall(r'^ +(?:FLAG|CHOICE|TEXT)\("([a-z-]+)"', rows, re.MULTILINE)
    assert sorted(name.replace("-", "_") for name in names) == sorted(gtrav._errors.FILE_OPTIONS)


def test_options_that_are_none(tmp_path):
    (tmp_path / "e.txt").write_text("0 1\n")
    assert G.from_file(tmp_path / "e.txt", ids=None, columns=None, header_counts=None).num_edges == 1
    raises(lambda: G.from_file(tmp_path / "e.txt", nope=None), TypeError, "unknown keyword 'nope': from_file.. takes")


# ---- names that are not UTF-8 ----

NAMES = ["André", "Bob", "Zoë"]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_names_of_a_file(encoding, tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "names.txt").write_bytes(f"{NAMES[0]} Bob\nBob {NAMES[2]}\n".encode(encoding))
    graph = gtrav.Graph(tmp_path / "names.txt", ids="text")
    assert graph.ids.tolist() == NAMES and graph.path_lengths("André", "Zoë") == 2
    for kind in ("pandas", "arrow"):
        assert list(map(str, graph.bfs("Bob").to_frame(kind)["vertex"])) == ["Bob", "Zoë"]
    graph.write(tmp_path / "names.gtrav")
    assert gtrav.Graph(tmp_path / "names.gtrav").ids.tolist() == NAMES


@pytest.mark.parametrize("with_pyarrow", [True, False])
def test_names_of_arrays(with_pyarrow, monkeypatch):
    """They are UTF-8, or refused before a frame would be."""
    if not with_pyarrow:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    else:
        pytest.importorskip("pyarrow")
    ends = [[name.encode() for name in names] for names in (NAMES[:2], NAMES[1:])]
    assert G.from_edges(*map(np.array, ends)).bfs("André").to_frame()["vertex"].tolist() == NAMES
    for wrong in (np.array([b"Andr\xe9"]), ["Andr\udce9"], np.array(["Andr\udce9"])):
        raises(lambda wrong=wrong: G.from_edges(wrong, ["Bob"]), ValueError, "not UTF-8, at 'Andr.udce9'")


def test_names_of_columns():
    pa = pytest.importorskip("pyarrow")
    text = pa.array([b"Andr\xe9", b"Bob"]).buffers()
    column = pa.StringArray.from_buffers(2, *text[1:])
    raises(lambda: G.from_arrow(pa.table({"src": column, "dst": column})), ValueError, "invalid: .*UTF8")


def test_options_of_a_file_that_are_switched_off(tmp_path):
    """False is an answer, not an option that was left out."""
    path = tmp_path / "g.csv"
    path.write_text("source,target\nalpha,beta\n")
    assert gtrav.Graph.from_file(path, ids="text").num_edges == 1
    assert gtrav.Graph.from_file(path, ids="text", header=False).num_edges == 2
    assert not gtrav.Graph.from_file(path, ids="text", undirected=False).symmetric
    assert gtrav.Graph.from_file(path, ids="text", undirected=True).symmetric
