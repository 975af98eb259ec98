"""gtrav.sql: finds path lengths for the pairs of a table, as a table. Needs pyarrow; made for DuckDB.

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
from ._tables import as_table, names_of_ends, pyarrow

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._arguments import Column, How, Within

__all__ = ["path_lengths", "paths", "reached", "register"]


def _pairs(graph, pairs, src, dst, added):
    """Returns the table of pairs, and the vertices of two of its columns."""
    pairs = as_table(pairs)
    taken = set(added) & set(pairs.column_names)
    if taken:
        raise InputError(f"the table of pairs has a column {min(taken)!r} already: rename it")
    return pairs, [graph.vertices(pairs[name]) for name in names_of_ends(pairs.column_names, src, dst)]


def _ids_of(graph, vertices):
    """Makes an array of pyarrow of the ids of vertices. Even an empty array has the type of the graph's ids."""
    ids = graph.ids[vertices]
    return pyarrow().array(ids, "string" if ids.dtype.kind == "O" and not len(ids) else None)


def path_lengths(graph: Graph, pairs: Any, src: Column = None, dst: Column = None, **how: Unpack[How]) -> Any:
    """Adds the column length to a table of pairs: int32, the edges of a shortest path from src to dst; null if there
    is no path, or if the graph lacks an id. weight=True: adds the column cost instead: float64, the least sum of
    weights on a path.

    The result is a table of pyarrow, which DuckDB reads by the name of its variable. pairs: a table of pyarrow or
    anything that gives an Arrow stream, such as a relation of DuckDB or a frame of Polars. src, dst: names or numbers
    of columns; default: as for Graph.from_arrow(). how: as for Graph.path_lengths()."""
    name = "cost" if how.get("weight") else "length"
    pairs, vertices = _pairs(graph, pairs, src, dst, [name])
    return pairs.append_column(name, _column(graph.path_lengths(*vertices, **how)))


def _column(lengths):
    """Makes an array of pyarrow of lengths, null where there is no path."""
    lengths = np.asarray(lengths)
    return pyarrow().array(lengths, mask=(lengths < 0) | np.isinf(lengths))


def paths(graph: Graph, pairs: Any, src: Column = None, dst: Column = None, **how: Unpack[How]) -> Any:
    """Adds the columns length or cost, as path_lengths() does, and path: the ids on a shortest path, both ends
    included."""
    pa, name = pyarrow(), "cost" if how.get("weight") else "length"
    pairs, vertices = _pairs(graph, pairs, src, dst, [name, "path"])
    found = graph.paths(*vertices, **how)
    ids, missing = _ids_of(graph, found.vertices), pa.array(found.lengths < 0)
    path = pa.LargeListArray.from_arrays(pa.array(found.offsets), ids, mask=missing)
    lengths = found.lengths if found.distances is None else found.distances
    return pairs.append_column(name, _column(lengths)).append_column("path", path)


def reached(graph: Graph, sources: Any, depth: int | None = None, **how: Unpack[Within]) -> Any:
    """Lists what an id, or each of several, reaches in at most depth edges: a table of pyarrow with the columns
    source, id and level. It has a row for each vertex that a source reaches, the source included; none for an unknown
    id."""
    pa = pyarrow()
    parts = [([], [], [])]
    for vertex in graph.vertices([sources] if np.ndim(sources) == 0 else sources).tolist():
        if vertex >= 0:
            levels = graph.bfs(vertex, max_depth=depth, **how).levels
            near = np.flatnonzero(levels >= 0)
            parts.append((np.full(len(near), vertex), near, levels[near]))
    source, found, level = (np.concatenate(part).astype(np.int32) for part in zip(*parts))
    return pa.table({"source": _ids_of(graph, source), "id": _ids_of(graph, found), "level": level})


# For each `what` of register(): the function's parameters after the first id, the type that it returns, and the
# columns that the macro selects from the result.
_LISTS = {
    "path": ("destination {id}", "{id}[]", "generate_subscripts(found, 1) - 1 AS step, unnest(found) AS id"),
    "reached": ("depth INTEGER", "STRUCT(id {id}, level INTEGER)[]", "unnest(found, recursive := true)"),
}


def register(
    connection: Any, graph: Graph, name: str | None = None, what: str = "path_length", **how: Unpack[How]
) -> None:
    """Registers a function on the graph with a connection of DuckDB. It replaces a function of the same name. what:

    "path_length": path_length(source, destination), the length or, with weight=True, cost of a shortest path; or NULL.
    "path": FROM path(source, destination) is a table with the columns step and id, from source to destination.
    "reached": FROM reached(source, depth) is a table with id and level of what is reached in at most depth edges.

    The tables are macros over functions that return lists, path_list() and reached_list(). DuckDB calls functions
    for 2,048 rows at once, so path_lengths() is faster for more pairs."""
    pa, name, ids = pyarrow(), name or what, graph.ids.dtype
    if what != "path_length" and what not in _LISTS:
        raise InputError(f"what={what!r}: expected 'path_length', {' or '.join(map(repr, _LISTS))}")
    if ids.kind not in "Oiu":
        raise InputError(f"functions of SQL take ids that are integers or text, not {ids}")
    kind = "VARCHAR" if ids.kind == "O" else "UBIGINT" if ids == np.uint64 else "BIGINT"
    near = pa.struct([("id", pa.string() if ids.kind == "O" else pa.from_numpy_dtype(ids)), ("level", pa.int32())])

    def lengths(src, dst):
        return _column(graph.path_lengths(graph.vertices(src), graph.vertices(dst), **how))

    def lists_of_paths(src, dst):
        return paths(graph, pa.table([src, dst], ["src", "dst"]), **how)["path"].combine_chunks()

    def lists_of_reached(src, depth):
        rows = [reached(graph, src.slice(i, 1), far, **how) for i, far in enumerate(depth.to_pylist())]
        return pa.array([row.drop_columns("source").to_pylist() for row in rows], pa.list_(near))

    if what == "path_length":
        _replace(connection, name, lengths, [kind, kind], "DOUBLE" if how.get("weight") else "INTEGER")
        return
    second, returned, columns = (text.format(id=kind) for text in _LISTS[what])
    call = lists_of_paths if what == "path" else lists_of_reached
    _replace(connection, f"{name}_list", call, [kind, second.split()[1]], returned)
    second = second.split()[0]
    connection.execute(
        f"CREATE OR REPLACE TEMP MACRO {name}(source, {second}) AS TABLE "
        f"SELECT {columns} FROM (SELECT {name}_list(source, {second}) AS found)"
    )


def _replace(connection, name, function, parameters, returned):
    if connection.execute("SELECT 1 FROM duckdb_functions() WHERE function_name = ?", [name]).fetchall():
        connection.remove_function(name)
    connection.create_function(name, function, parameters, returned, type="arrow", null_handling="special")
