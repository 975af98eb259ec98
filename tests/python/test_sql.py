"""Tables of Arrow, Parquet and DuckDB; and the example of docs/sql.md at its full size."""

import sys
import time

import pytest

import gtrav
from package import ROOT

pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
parquet = pytest.importorskip("pyarrow.parquet")

import gtrav.sql  # noqa: E402

sys.path.insert(0, str(ROOT / "examples" / "sql"))
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


def test_text(knows):
    graph = gtrav.Graph.from_arrow(knows)
    assert graph.ids.tolist() == ["ann", "bob", "cy", "dee"]
    assert graph.vertices(pa.array(["dee", None, "eve"])).tolist() == [3, -1, -1]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_kinds_of_text(knows, kind):
    columns = [knows.column(name).cast(pa.string()).cast(kind) for name in ("src", "dst")]
    graph = gtrav.Graph.from_arrow(pa.table(columns, ["src", "dst"]))
    assert graph.ids.tolist() == ["ann", "bob", "cy", "dee"]
    assert graph.vertices(columns[1]).tolist() == [1, 2, 3]


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


def test_an_empty_table():
    empty = pa.table({"src": pa.array([], pa.string()), "dst": pa.array([], pa.string())})
    graph = gtrav.Graph.from_arrow(empty)
    assert graph.num_vertices == 0
    assert gtrav.sql.path_lengths(graph, pa.table({"a": ["x"], "b": ["y"]}))["length"].to_pylist() == [None]


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


def test_a_column_that_is_taken(db):
    graph = gtrav.Graph.from_arrow(db.table("knows"))
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


@pytest.mark.parametrize("kind", ["VARCHAR", "BIGINT"])
def test_tables_in_a_query(kind):
    db = duckdb.connect()
    db.execute(
        f"CREATE TABLE knows AS SELECT i::{kind} AS src, (i + 1)::{kind} AS dst, i AS since FROM range(5) t(i)"
    )
    graph = gtrav.Graph.from_arrow(db.sql("SELECT src, dst FROM knows WHERE since <> 3"))
    for what in ("path", "reached", "reached"):
        gtrav.sql.register(db, graph, what=what)
    ids = [str(i) if kind == "VARCHAR" else i for i in range(6)]
    assert db.sql(f"FROM path(0::{kind}, 2::{kind})").fetchall() == list(enumerate(ids[:3]))
    assert (
        db.sql(f"FROM path(0::{kind}, 4::{kind})").fetchall()
        == db.sql(f"FROM reached(9::{kind}, 1)").fetchall()
        == []
    )
    assert db.sql(f"FROM reached(1::{kind}, NULL) WHERE level > 0").fetchall() == [(ids[2], 1), (ids[3], 2)]
    each = db.sql("SELECT src, count(*) FROM knows, reached(src, 1) GROUP BY src ORDER BY src").fetchall()
    assert each == [(ids[0], 2), (ids[1], 2), (ids[2], 2), (ids[3], 1), (ids[4], 2)]
    gtrav.sql.register(db, graph, what="reached", vertices=graph.ids != ids[2])
    assert db.sql(f"FROM reached(0::{kind}, NULL)").fetchall() == [(ids[0], 0), (ids[1], 1)]


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
