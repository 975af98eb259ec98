"""_tables.py: reads columns of Arrow tables and Parquet files, through pyarrow."""

from __future__ import annotations

import ctypes
from importlib import import_module
from itertools import chain
from typing import Any

import numpy as np

from ._arguments import Column, is_whole
from ._conversions import warn_of_weights
from ._errors import InputError, InputTypeError
from ._ids import encode_arrow
from ._library import c_text, function

GROUP = 2**20  # the least number of rows of a stream that are numbered at a time
WEIGHTS = {"weight", "weights", "w", "cost", "distance", "length", "capacity"}  # names of columns, as in edge lists


def pyarrow() -> Any:
    """Imports pyarrow. If it is missing, the error says what to do."""
    try:
        import pyarrow
    except ImportError:
        raise ImportError("tables need pyarrow: pip install pyarrow") from None
    return pyarrow


def as_table(table: Any) -> Any:
    """Makes a table of pyarrow of anything that gives an Arrow stream."""
    return table if isinstance(table, pyarrow().Table) else _stream(table).read_all()


def _stream(table):
    """Makes a reader of pyarrow of anything that gives an Arrow stream."""
    pa = pyarrow()
    if isinstance(table, pa.RecordBatchReader):
        return table
    try:
        return pa.RecordBatchReader.from_stream(table)
    except (TypeError, pa.ArrowInvalid):
        raise InputTypeError(
            f"{type(table).__name__}: expected a table of pyarrow, or one that gives an Arrow stream, "
            f"as DuckDB's and Polars' do"
        ) from None


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


def names_of_ends(all_names, src, dst):
    """Yields the names of two columns given by name or number. None: known names, else the first two columns."""
    found = (ctypes.c_uint * 2)(0, 1)
    if src is dst is None:
        function("edge_columns")(c_text(",".join(map(_quoted, all_names))), found)
    for column in (found[0] if src is None else src, found[1] if dst is None else dst):
        yield _name(all_names, column)


def _name(all_names, column):
    """Returns the name of a column given by name or number."""
    if is_whole(column):
        if not -len(all_names) <= column < len(all_names):
            raise InputError(f"the table has {len(all_names)} columns, so none has the number {column}")
        return all_names[column]
    if column not in all_names:
        raise InputError(f"the table has no column {column!r}; it has {', '.join(all_names)}")
    return column


class _Weights:
    """The column of weights that is wanted, "auto" or a name or number; None: the smallest and largest values of each
    column with such a name, to warn of."""

    def __init__(self, all_names, ids, wanted):
        self.names = [name for name in all_names if name.lower() in WEIGHTS and name not in ids]
        self.is_wanted = wanted is not None
        if wanted == "auto" and len(self.names) != 1:
            several = f"several columns of weights, {', '.join(self.names)}" if self.names else "no column of weights"
            raise InputError(f"the table has {several}: name one, weights='NAME'; it has {', '.join(all_names)}")
        if self.is_wanted and wanted != "auto":
            self.names = [_name(all_names, wanted)]
        self.found: dict[str, list] = {name: [] for name in self.names}

    def look_at(self, columns):
        """Keeps the wanted column, or the extremes of columns of numbers; NULL is no value."""
        types, compute = pyarrow().types, import_module("pyarrow.compute")
        for found, column in zip(self.found.values(), columns):
            numeric = types.is_integer(column.type) or types.is_floating(column.type) or types.is_decimal(column.type)
            if self.is_wanted:
                found.append(column.cast("float64") if types.is_decimal(column.type) else column)
            elif numeric:
                found.extend(each for each in compute.min_max(column).as_py().values() if each is not None)

    def values(self):
        """Returns the wanted weights, an array of NumPy; None, after warnings, if none are wanted."""
        if not self.is_wanted:
            for found in self.found.values():
                warn_of_weights("the table", found)
            return None
        ((name, chunks),) = self.found.items()
        if any(chunk.null_count for chunk in chunks):
            raise InputError(f"the column of weights {name!r} has empty fields: leave those rows out, or set them")
        return np.concatenate([chunk.to_numpy(zero_copy_only=False) for chunk in chunks]) if chunks else []


def edge_columns(table: Any, src: Column, dst: Column, weights: Column = None, named: bool = False):
    """Reads two columns of a table, given by name or number, and their weights (_Weights): ((src, dst), weights). A
    stream is read batch by batch, and its other columns are dropped.

    named: number the ids of a stream while it is read, so that both columns share a dictionary."""
    is_table = isinstance(table, pyarrow().Table)
    is_relation = not is_table and hasattr(table, "project")  # of DuckDB, which need not read its other columns
    reader = None if is_relation else _stream(table)
    all_names = table.columns if is_relation else reader.schema.names
    ids = list(names_of_ends(all_names, src, dst))
    kept = _Weights(all_names, ids, weights)
    if is_relation:
        reader = _stream(table.project(", ".join(map(_quoted, dict.fromkeys([*ids, *kept.names])))))

    def batches():
        for batch in reader:
            kept.look_at(map(batch.column, kept.names))
            yield [batch.column(name) for name in ids]

    types = [reader.schema.field(name).type for name in ids]
    columns = (_numbered if named and not is_table else _joined)(batches(), types)
    return columns, kept.values()


def _joined(batches, types):
    columns = list(zip(*batches)) or ((), ())
    return [pyarrow().chunked_array(column, kind) for column, kind in zip(columns, types)]


def _numbered(batches, types):
    """Joins batches of two columns into two arrays of pyarrow with one dictionary: ids in the order of their first
    appearance.

    Each step numbers about as many rows as there are ids so far, so that each id is looked up only a few times."""
    pa = pyarrow()
    ids, numbers, group, rows = None, ([], []), ([], []), 0
    nothing = [pa.array([], kind) for kind in types]  # a stream may have no batch
    for batch in chain([nothing], batches, [None]):
        for chunks, column in zip(group, batch or ()):
            chunks.append(column.dictionary_decode() if pa.types.is_dictionary(column.type) else column)
        rows += len(batch[0]) if batch else 0
        if batch is None or rows >= max(GROUP, 0 if ids is None else len(ids)):
            ids, *found = encode_arrow(*group, ids)
            for parts, part in zip(numbers, found):
                parts.append(part)
            group, rows = ([], []), 0
            pa.default_memory_pool().release_unused()
    return [pa.DictionaryArray.from_arrays(np.concatenate(parts), ids) for parts in numbers]


def edge_columns_of_file(path: Any, src: Column, dst: Column, weights: Column, named: bool = False):
    """Reads the same of a Parquet or Arrow IPC file; the name's ending tells which. Of Parquet, reads only the
    columns of ids and of weights."""
    pa = pyarrow()
    try:
        if str(path).endswith((".arrow", ".feather")):
            with pa.memory_map(str(path)) as file:
                return edge_columns(pa.ipc.open_file(file).read_all(), src, dst, weights)
        from pyarrow import parquet

        with parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            ids = list(names_of_ends(schema.names, src, dst))
            names = _Weights(schema.names, ids, weights).names
            wanted = [*dict.fromkeys([*ids, *names])]
            batches = file.iter_batches(columns=wanted)
            schema = pa.schema([schema.field(name) for name in wanted])
            weights = names[0] if weights is not None else None
            return edge_columns(pa.RecordBatchReader.from_batches(schema, batches), *ids, weights, named)
    except (OSError, pa.ArrowInvalid) as problem:
        raise InputError(f"cannot read {path}: {problem}") from None
