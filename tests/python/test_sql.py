"""Tables of Arrow, Parquet and DuckDB; and the example of docs/sql.md at its full size."""

import re
import subprocess
import sys
import time

import numpy as np
import pytest

import gtrav
from package import ROOT

pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
parquet = pytest.importorskip("pyarrow.parquet")

import gtrav.sql  # noqa: E402

EXAMPLE = ROOT / "examples" / "sql" / "path_lengths.py"
sys.path.insert(0, str(EXAMPLE.parent))
EDGES = {"src": ["ann", "bob", "cy"], "dst": ["bob", "cy", "dee"], "since": [1, 2, 3]}


@pytest.fixture
def knows():
    return pa.table(EDGES)


@pytest.fixture
def db(knows):
    db = duckdb.connect()
    db.register("knows", knows)
    db.execute("CREATE TABLE pairs AS SELECT * FROM (VALUES ('ann', 'dee'), ('dee', 'ann'), ('ann', 'eve')) t(a, b)")
    return db


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_kinds_of_text(knows, kind):
    columns = [knows.column(name).cast(pa.string()).cast(kind) for name in ("src", "dst")]
    graph = gtrav.Graph.from_arrow(pa.table(columns, ["src", "dst"]))
    assert graph.ids.tolist() == ["ann", "bob", "cy", "dee"]
    assert graph.vertices(columns[1]).tolist() == [1, 2, 3]
    assert graph.vertices(pa.array(["dee", None, "eve"]).cast(kind)).tolist() == [3, -1, -1]


def test_columns_by_name_and_number(knows):
    other = knows.select(["since", "dst", "src"])
    assert gtrav.Graph.from_arrow(other, "src", "dst").ids.tolist() == ["ann", "bob", "cy", "dee"]
    assert gtrav.Graph.from_arrow(other, 2, 1).vertex("dee") == 3
    with pytest.raises(gtrav.InputError, match="'from'.*since, dst, src"):
        gtrav.Graph.from_arrow(other, "from", "to")
    with pytest.raises(gtrav.InputError, match="3 columns"):
        gtrav.Graph.from_arrow(other, 0, 3)


def test_integers_are_names_in_tables():
    table = pa.table({"src": [10**15, 7], "dst": [7, 9]})
    graph = gtrav.Graph.from_arrow(table)
    assert graph.ids.tolist() == [10**15, 7, 9]
    assert graph.path_lengths(*graph.vertices([10**15, 9])) == 2
    assert gtrav.Graph.from_arrow(table.slice(1), ids="dense").num_vertices == 10


def test_several_chunks():
    one = pa.table({"src": ["a", "b"], "dst": ["b", "c"]})
    two = pa.table({"src": ["c", "a"], "dst": ["d", "d"]})
    graph = gtrav.Graph.from_arrow(pa.concat_tables([one, two]))
    assert graph.ids.tolist() == ["a", "b", "d", "c"] or sorted(graph.ids) == ["a", "b", "c", "d"]
    ends = graph.vertices(pa.chunked_array([["a"], ["b"]])), graph.vertices(pa.chunked_array([["d"], ["d"]]))
    assert graph.path_lengths(*ends).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pa.table({"src": ["a", None], "dst": ["b", "c"]}), "empty fields"),
        (pa.table({"src": ["a"], "dst": [1]}), "types"),
        (pa.table({"src": ["a"]}), "1 columns"),
        ([("a", "b")], "list"),
    ],
)
def test_bad_tables(table, message):
    with pytest.raises(gtrav.InputError, match=message):
        gtrav.Graph.from_arrow(table)


@pytest.mark.parametrize("kind", ["VARCHAR", "BIGINT", "UBIGINT"])
@pytest.mark.parametrize("give", ["whole", "stream", "without a chunk"])
def test_an_empty_table(kind, give):
    """Its ids have their type all the same."""
    db = duckdb.connect()
    db.execute(f"CREATE TABLE knows(src {kind}, dst {kind})")
    empty = db.table("knows") if give == "stream" else db.table("knows").to_arrow_table()
    if give == "without a chunk":
        empty = pa.table([pa.chunked_array([], column.type) for column in empty.columns], empty.column_names)
    graph = gtrav.Graph.from_arrow(empty)
    assert graph.num_vertices == 0 and graph.ids.dtype == {"V": object, "B": "i8", "U": "u8"}[kind[0]]
    pairs = db.sql(f"SELECT 7::{kind} AS a, 8::{kind} AS b")
    assert gtrav.sql.path_lengths(graph, pairs)["length"].to_pylist() == [None]
    gtrav.sql.register(db, graph, "hops")
    assert db.sql(f"SELECT hops(7::{kind}, 7::{kind})").fetchall() == [(None,)]


def test_no_rows_have_the_type_of_ids(knows):
    graph = gtrav.Graph.from_arrow(knows)
    assert gtrav.sql.paths(graph, pa.table({"a": ["dee"], "b": ["ann"]}))["path"].type == pa.large_list(pa.string())
    assert gtrav.sql.reached(graph, ["eve"]).schema.types == [pa.string(), pa.string(), pa.int32()]


TEXTS = (["ann", "bob"], ["bob", "cy"])


@pytest.mark.parametrize("names", [TEXTS, [pa.array(column) for column in TEXTS]], ids=["lists", "arrow"])
def test_ids_of_text(names):
    """One id is not the list of its letters, and a number is no text, not even one that looks like it."""
    graph = gtrav.Graph.from_edges(*names)
    for one in ("ann", ["ann"], pa.array(["ann"])):
        reached = gtrav.sql.reached(graph, one, 1).to_pydict()
        assert reached == {"source": ["ann", "ann"], "id": ["ann", "bob"], "level": [0, 1]}
    with pytest.raises(gtrav.InputError, match="'ann' is one id"):
        graph.vertices("ann")
    with pytest.raises(gtrav.InputError):
        graph.vertices(5)
    for integers in ([1, 2], np.array([1, 2]), pa.array([1, 2]), pa.array([1, None], pa.uint8())):
        with pytest.raises(gtrav.InputError, match="ids are text"):
            graph.vertices(integers)
    with pytest.raises(gtrav.InputError, match="ids are text"):
        gtrav.sql.path_lengths(graph, pa.table({"a": [1], "b": [2]}))
    assert graph.vertices(["cy", None, "1"]).tolist() == [2, -1, -1]


LARGE = 2**60


@pytest.mark.parametrize("make", [np.array, pa.array])
@pytest.mark.parametrize("kind", ["int32", "int64", "uint64"])
def test_integers_of_another_type(make, kind):
    """Those that ids cannot be are unknown, and those that float64 would round are told apart."""
    ids = [0, 7, 9] if kind == "int32" else [LARGE, LARGE + 1, LARGE + 2]
    if kind == "uint64":
        ids[0] = 2**64 - 1
    graph = gtrav.Graph.from_edges(make(np.array(ids[:2], kind)), make(np.array(ids[1:], kind)), ids="any")
    order = graph.vertices(np.array(ids, kind)).tolist()
    assert sorted(order) == [0, 1, 2] and graph.ids[order].tolist() == ids
    for other in ("int64", "uint64"):
        most = np.iinfo(other).max
        asked = [
            one for one in (-1, 0, LARGE + 1, LARGE + 3, 2**32 + 7, 2**63 + 7, 2**64 - 1, *ids) if -1 <= one <= most
        ]
        asked = [one for one in asked if one >= 0 or other == "int64"]
        expected = [order[ids.index(one)] if one in ids else -1 for one in asked]
        for values in (np.array(asked, other), pa.array(np.array(asked, other))):
            assert graph.vertices(values).tolist() == expected
        with_null = pa.concat_arrays([pa.array([None], pa.from_numpy_dtype(other)), pa.array(np.array(asked, other))])
        assert graph.vertices(with_null).tolist() == [-1, *expected]


def test_integers_of_more_than_63_bits():
    """pyarrow takes a list of integers for int64."""
    large = 2**63 + 1
    ends = [pa.array(column, pa.uint64()) for column in ([5, large], [large, 7])]
    unsigned = gtrav.Graph.from_arrow(pa.table(ends, ["a", "b"]))
    signed = gtrav.Graph.from_arrow(pa.table({"a": [5], "b": [7]}))
    assert unsigned.vertex(large) == 1 and gtrav.sql.reached(unsigned, large)["id"].to_pylist() == [large, 7]
    for ids in ([large, 5, None], np.array([large, 5, None], object)):
        assert unsigned.vertices(ids).tolist() == [1, 0, -1]
        assert signed.vertices(ids).tolist() == [-1, 0, -1]
    for ids in ([2**70], [large, -1], [large, 5.5], [large, True], [large, "5"]):
        for graph in (unsigned, signed):
            with pytest.raises(gtrav.InputError):
                graph.vertices(ids)


NO_INTEGERS = [[True], ["7"], [b"7"], [7.0], [7.5], [[7]], np.array([True]), np.array([7.0]), np.array([b"7"])]
NO_INTEGERS += [pa.array([True]), pa.array(["7"]), pa.array(["7", None]), pa.array([7.0]), pa.array([7.5, None])]
NO_TEXTS = [[True], [1.5], [[1.5]], [7], [1.5, None], np.array([1.5]), pa.array([True]), pa.array([1.5, None])]


@pytest.mark.parametrize("is_arrow", [True, False])
def test_ids_of_another_kind_are_refused(is_arrow):
    """No id is taken for what it looks like as text or as a number."""
    for ends, wrong in (((5, 7), NO_INTEGERS), (("true", "1.5"), NO_TEXTS)):
        ends = [pa.array([end]) if is_arrow else [end] for end in ends]
        graph = gtrav.Graph.from_edges(*ends, ids="any")
        for ids in wrong:
            with pytest.raises(gtrav.InputError):
                graph.vertices(ids)
    assert graph.vertices(["x", None]).tolist() == [-1, -1]
    if not is_arrow:
        with pytest.raises(gtrav.InputError):
            graph.vertices([b"1.5"])


def test_columns_of_pandas_with_nulls():
    """pandas makes floats of integers beside NULLs: whole ones are integers still."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [5, None], "b": [7, 5]})
    graph = gtrav.Graph.from_arrow(pa.table({"a": [5], "b": [7]}))
    assert graph.vertices(frame["a"]).tolist() == [0, -1]
    assert gtrav.sql.path_lengths(graph, pa.Table.from_pandas(frame))["length"].to_pylist() == [1, None]


def test_nulls_are_unknown():
    for graph in (gtrav.Graph.generate("path:3"), gtrav.Graph.from_edges([0, 1], [1, 2], ids="any")):
        pairs = pa.table({"a": [0, None, 1], "b": pa.array([2, 2, None])})
        assert gtrav.sql.path_lengths(graph, pairs)["length"].to_pylist() == [2, None, None]
        assert gtrav.sql.reached(graph, pa.array([None], pa.int64())).num_rows == 0


def test_length_0(db, knows):
    """From an id to itself there are 0 edges, with or without the path, as in the functions."""
    graph = gtrav.Graph.from_arrow(knows)
    pairs = pa.table({"a": ["ann", "eve", "bob"], "b": ["ann", "eve", "ann"]})
    found = gtrav.sql.paths(graph, pairs)
    assert gtrav.sql.path_lengths(graph, pairs)["length"].to_pylist() == [0, None, None]
    assert found["length"].to_pylist() == [0, None, None]
    assert found["path"].to_pylist() == [["ann"], None, None]
    gtrav.sql.register(db, graph)
    assert db.sql("SELECT path_length('ann', 'ann'), path_length('eve', 'eve')").fetchall() == [(0, None)]


def test_files(knows, tmp_path):
    parquet.write_table(knows, tmp_path / "knows.parquet")
    with pa.ipc.new_file(tmp_path / "knows.arrow", knows.schema) as file:
        file.write_table(knows)
    for graph in (
        gtrav.Graph.from_parquet(tmp_path / "knows.parquet", "src", "dst", undirected=True),
        gtrav.Graph.from_file(tmp_path / "knows.parquet", undirected=True),
        gtrav.Graph.from_file(tmp_path / "knows.arrow", src="src", dst="dst", undirected=True),
        gtrav.Graph.from_arrow(knows, 0, undirected=True),
    ):
        assert graph.ids.tolist() == ["ann", "bob", "cy", "dee"]
        assert graph.num_edges == 6
    (tmp_path / "knows.parquet").write_text("no such thing")
    with pytest.raises(gtrav.InputError, match="cannot read"):
        gtrav.Graph.from_file(tmp_path / "knows.parquet")


def test_columns_by_their_names(tmp_path):
    """As in edge lists; others are the first two."""
    reversed_ = pa.table({"target": ["bob"], "since": [1], "Source": ["ann"]})
    parquet.write_table(reversed_, tmp_path / "knows.parquet")
    for graph in (gtrav.Graph.from_arrow(reversed_), gtrav.Graph.from_file(tmp_path / "knows.parquet")):
        ann, bob = graph.vertices(["ann", "bob"])
        assert graph.path_lengths([ann, bob], [bob, ann]).tolist() == [1, -1]
        assert gtrav.sql.path_lengths(graph, reversed_)["length"].to_pylist() == [1]
    assert gtrav.Graph.from_arrow(pa.table({"x": [1], "y": [2]})).ids.tolist() == [1, 2]


def test_lengths_of_a_query(db):
    graph = gtrav.Graph.from_arrow(db.sql("SELECT dst, src FROM knows"), "src", "dst", undirected=True)
    pairs = db.sql("SELECT b, a, 1 AS weight FROM pairs")
    lengths = gtrav.sql.path_lengths(graph, pairs, "a", "b")
    assert lengths.column_names == ["b", "a", "weight", "length"]
    assert lengths["length"].to_pylist() == [3, 3, None]
    with pytest.raises(gtrav.InputError, match="'length'"):
        gtrav.sql.path_lengths(graph, db.sql("SELECT a, b, 1 AS length FROM pairs"))


@pytest.mark.parametrize("kind", ["VARCHAR", "BIGINT", "INTEGER"])
def test_a_function_of_duckdb(kind):
    db = duckdb.connect()
    db.execute(f"CREATE TABLE knows AS SELECT i::{kind} AS src, (i + 1)::{kind} AS dst FROM range(2500) t(i)")
    graph = gtrav.Graph.from_arrow(db.table("knows"))
    gtrav.sql.register(db, gtrav.Graph.from_edges([0], [1]), "hops")
    gtrav.sql.register(db, graph, "hops")  # takes the other's place
    rows = db.sql(f"SELECT hops(src, 2500::{kind}) FROM knows ORDER BY src::INTEGER").fetchall()
    assert [length for (length,) in rows] == list(range(2500, 0, -1))
    assert db.sql(f"SELECT hops(3::{kind}, 2::{kind}), hops(7::{kind}, NULL)").fetchall() == [(None, None)]


def test_costs(db):
    """A column of weights gives costs: NULL without a path, for an unknown id, and in functions, too."""
    db.execute(
        "CREATE TABLE road AS SELECT * FROM (VALUES ('a', 'b', 1.5), ('b', 'c', 2), ('a', 'c', 4)) t(src, dst, km)"
    )
    roads = gtrav.Graph.from_arrow(db.table("road"), weights="km")
    pairs = db.sql("SELECT * FROM (VALUES ('a', 'c'), ('c', 'a'), ('a', 'x'), ('b', 'b')) t(src, dst)")
    costs, paths = gtrav.sql.path_lengths(roads, pairs, weight=True), gtrav.sql.paths(roads, pairs, weight=True)
    assert costs.column_names == ["src", "dst", "cost"] and paths.column_names == ["src", "dst", "cost", "path"]
    assert costs["cost"].to_pylist() == paths["cost"].to_pylist() == [3.5, None, None, 0]
    assert paths["path"].to_pylist() == [["a", "b", "c"], None, None, ["b"]]
    gtrav.sql.register(db, roads, "path_cost", weight=True)
    gtrav.sql.register(db, roads, "cheapest", "path", weight=True)
    assert db.sql("SELECT path_cost('a', 'c'), path_cost('c', 'a')").fetchall() == [(3.5, None)]
    assert db.sql("SELECT id FROM cheapest('a', 'c') ORDER BY step").fetchall() == [("a",), ("b",), ("c",)]
    assert gtrav.sql.path_lengths(roads, pairs, weight=False)["length"].to_pylist() == [1, None, None, 0]
    with pytest.raises(gtrav.InputError, match="the graph has weights, which this search would ignore; weight=True"):
        gtrav.sql.path_lengths(roads, pairs)
    with pytest.raises(gtrav.InputError, match="has a column 'cost' already"):
        gtrav.sql.path_lengths(roads, db.sql("SELECT 'a' AS src, 'b' AS dst, 1 AS cost"), weight=True)
    with pytest.raises(gtrav.InputError, match="this search counts edges"):
        gtrav.sql.reached(roads, "a", 2, weight=True)


def test_functions_that_cannot_be(db, knows):
    graph = gtrav.Graph.from_arrow(knows)
    with pytest.raises(gtrav.InputError, match="'nope'.*'path_length', 'path' or 'reached'"):
        gtrav.sql.register(db, graph, what="nope")
    days = gtrav.Graph.from_arrow(db.sql("SELECT DATE '2026-01-01' AS src, DATE '2026-01-02' AS dst"))
    with pytest.raises(gtrav.InputError, match="integers or text"):
        gtrav.sql.register(db, days)


@pytest.mark.parametrize("kind", ["VARCHAR", "BIGINT", "UBIGINT", "UTINYINT", "SMALLINT"])
def test_tables_in_a_query(kind):
    db = duckdb.connect()
    db.execute(f"CREATE TABLE knows AS SELECT i::{kind} AS src, (i + 1)::{kind} AS dst, i AS since FROM range(5) t(i)")
    graph = gtrav.Graph.from_arrow(db.sql("SELECT src, dst FROM knows WHERE since <> 3"))
    for what in ("path", "reached", "reached"):
        gtrav.sql.register(db, graph, what=what)
    ids = [str(i) if kind == "VARCHAR" else i for i in range(6)]
    assert db.sql(f"FROM path(0::{kind}, 2::{kind})").fetchall() == list(enumerate(ids[:3]))
    assert (
        db.sql(f"FROM path(0::{kind}, 4::{kind})").fetchall() == db.sql(f"FROM reached(9::{kind}, 1)").fetchall() == []
    )
    assert db.sql(f"FROM reached(1::{kind}, NULL) WHERE level > 0").fetchall() == [(ids[2], 1), (ids[3], 2)]
    each = db.sql("SELECT src, count(*) FROM knows, reached(src, 1) GROUP BY src ORDER BY src").fetchall()
    assert each == [(ids[0], 2), (ids[1], 2), (ids[2], 2), (ids[3], 1), (ids[4], 2)]
    gtrav.sql.register(db, graph, what="reached", vertices=graph.ids != ids[2])
    assert db.sql(f"FROM reached(0::{kind}, NULL)").fetchall() == [(ids[0], 0), (ids[1], 1)]
    assert db.sql(f"FROM reached(NULL::{kind}, NULL)").fetchall() == []


def test_the_largest_ids():
    db = duckdb.connect()
    largest = 2**64 - 1
    graph = gtrav.Graph.from_arrow(db.sql(f"SELECT 5::UBIGINT AS src, {largest}::UBIGINT AS dst"))
    for what in ("path_length", "path", "reached"):
        gtrav.sql.register(db, graph, what=what)
    assert db.sql(f"SELECT path_length(5, {largest}::UBIGINT), path_length({largest}, 5)").fetchall() == [(1, None)]
    assert db.sql(f"FROM path(5, {largest}::UBIGINT)").fetchall() == [(0, 5), (1, largest)]
    assert db.sql("FROM reached(5, NULL)").fetchall() == [(5, 0), (largest, 1)]


@pytest.mark.parametrize("kind", ["VARCHAR", "INTEGER"])
def test_a_stream_in_groups(kind, monkeypatch):
    """Ids of a stream are numbered group by group: as many rows as there are ids."""
    monkeypatch.setattr(gtrav._tables, "GROUP", 1000)
    db = duckdb.connect()
    query = f"SELECT i AS x, (i * 7 % 9001)::{kind} AS src, (i * i % 9001)::{kind} AS dst FROM range(300000) t(i)"
    streamed = gtrav.Graph.from_arrow(db.sql(query))
    whole = gtrav.Graph.from_arrow(db.sql(query).to_arrow_table())
    order = streamed.vertices(whole.ids)
    assert streamed.num_vertices == whole.num_vertices
    assert abs(streamed.to_scipy()[order][:, order] - whole.to_scipy()).nnz == 0


@pytest.mark.parametrize("module", ["duckdb", "pyarrow", "gtrav"])
def test_what_the_example_needs(module):
    """One line says what is missing and how to install it."""
    run = f"import runpy, sys; sys.modules[{module!r}] = None; runpy.run_path({str(EXAMPLE)!r}, run_name='__main__')"
    found = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (2, "")
    assert re.fullmatch(rf"path_lengths.py: .*{module}.*: pip install './python\[sql\]'\n", found.stderr)


def test_the_example_at_its_size():
    """1 M edges, 10,000 pairs: under a second on two cores (docs/sql.md). Others may use them now, so
    what is limited is the time of processors, of all threads together, which was 1.3 s."""
    import path_lengths

    db = duckdb.connect()
    db.execute(path_lengths.TABLES.format(people=50_000, edges=1_000_000, pairs=10_000))
    begin = time.process_time()
    rows, seconds = path_lengths.answer(db)
    assert time.process_time() - begin < 4, seconds
    assert sum(count for _, count in rows) == 10_000
    assert sum(count for length, count in rows if length is not None) > 9_000
    few, many = path_lengths.beside_a_recursive_query(db, 2, depth=2)
    assert few[0] == many[0]
