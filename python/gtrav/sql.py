"""gtrav.sql: lengths of paths between the pairs of a table, as a table. Needs pyarrow; made for DuckDB.

import duckdb, gtrav.sql
db = duckdb.connect("social.db")
graph = gtrav.Graph.from_arrow(db.table("knows"), undirected=True)
lengths = gtrav.sql.path_lengths(graph, db.table("pairs"))
db.sql("SELECT * FROM lengths WHERE length BETWEEN 1 AND 3")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import InputError
from ._graph import Graph
from ._tables import Column, as_table, pyarrow, two_columns

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._query import How

__all__ = ["path_lengths", "paths", "register"]


def _pairs(graph, pairs, src, dst, added):
    """The table of pairs, and the vertices of two of its columns."""
    pairs = as_table(pairs)
    taken = set(added) & set(pairs.column_names)
    if taken:
        raise InputError(f"the table of pairs has a column {min(taken)!r} already: rename it")
    return pairs, [graph.vertices(column) for column in two_columns(pairs, src, dst)]


def path_lengths(graph: Graph, pairs: Any, src: Column = None, dst: Column = None, **how: Unpack[How]) -> Any:
    """The table of pairs with one column more: length, int32, the edges of a shortest path from src to dst.

    length is null if there is no path, or if an id is not in the graph. The result is a table of pyarrow,
    which DuckDB reads by the name of the variable that has it. pairs: a table of pyarrow or anything that
    gives an Arrow stream: a relation of DuckDB, a frame of Polars. src, dst: names or numbers of its
    columns, by default as for Graph.from_arrow(). how: as for Graph.path_lengths()."""
    pa = pyarrow()
    pairs, vertices = _pairs(graph, pairs, src, dst, ["length"])
    length = np.asarray(graph.path_lengths(*vertices, **how))
    return pairs.append_column("length", pa.array(length, mask=length < 0))


def paths(graph: Graph, pairs: Any, src: Column = None, dst: Column = None, **how: Unpack[How]) -> Any:
    """As path_lengths(), with the column path, too: the ids on a shortest path, both ends included."""
    pa = pyarrow()
    pairs, vertices = _pairs(graph, pairs, src, dst, ["length", "path"])
    found = graph.paths(*vertices, **how)
    missing = found.lengths < 0
    ids = pa.array(graph.ids[found.vertices])
    path = pa.LargeListArray.from_arrays(pa.array(found.offsets), ids, mask=pa.array(missing))
    return pairs.append_column("length", pa.array(found.lengths, mask=missing)).append_column("path", path)


def register(connection: Any, graph: Graph, name: str = "path_length", **how: Unpack[How]) -> None:
    """Gives a connection of DuckDB a function of two ids, the length of a shortest path between them: null
    if there is none. `SELECT path_length(src, dst) FROM pairs` then works in SQL.

    DuckDB calls it for 2,048 rows at once, so path_lengths() is faster where there are more."""
    pa = pyarrow()

    def lengths(src, dst):
        length = np.asarray(graph.path_lengths(graph.vertices(src), graph.vertices(dst), **how))
        return pa.array(length, mask=length < 0)

    ids = pa.array(graph.ids[:1])
    kind = "VARCHAR" if pa.types.is_string(ids.type) or pa.types.is_large_string(ids.type) else "BIGINT"
    connection.create_function(name, lengths, [kind, kind], "INTEGER", type="arrow", null_handling="special")
