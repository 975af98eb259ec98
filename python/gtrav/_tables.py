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


def _names(all_names, src, dst):
    """Yields the names of two columns given by name or number. None: known names, else the first two columns."""
    found = (ctypes.c_uint * 2)(0, 1)
    if src is dst is None:
        function("edge_columns")(c_text(",".join(map(_quoted, all_names))), found)
    for column in (found[0] if src is None else src, found[1] if dst is None else dst):
        if is_whole(column):
            if not -len(all_names) <= column < len(all_names):
                raise InputError(f"the table has {len(all_names)} columns, so none has the number {column}")
            yield all_names[column]
        elif column in all_names:
            yield column
        else:
            raise InputError(f"the table has no column {column!r}; it has {', '.join(all_names)}")


class _Weights:
    """The smallest and largest values in each column of weights of a table."""

    def __init__(self, all_names, ids):
        self.names = [name for name in all_names if name.lower() in WEIGHTS and name not in ids]
        self.extremes: dict[str, set] = {name: set() for name in self.names}

    def look_at(self, columns):
        """Adds the values of each column of numbers; NULL is no value."""
        types, compute = pyarrow().types, import_module("pyarrow.compute")
        for found, column in zip(self.extremes.values(), columns):
            if types.is_integer(column.type) or types.is_floating(column.type) or types.is_decimal(column.type):
                found.update(each for each in compute.min_max(column).as_py().values() if each is not None)

    def warn(self):
        for found in self.extremes.values():
            warn_of_weights("the table", found)


def two_columns(table: Any, src: Column, dst: Column, named: bool = False, weighted: bool = False):
    """Reads two columns of a table, given by name or number. A stream is read batch by batch, and its other columns
    are dropped.

    named: number the ids of a stream while it is read, so that both columns share a dictionary. weighted: warn if a
    column of weights has several values."""
    is_table = isinstance(table, pyarrow().Table)
    is_relation = not is_table and hasattr(table, "project")  # of DuckDB, which need not read its other columns
    reader = None if is_relation else _stream(table)
    all_names = table.columns if is_relation else reader.schema.names
    ids = list(_names(all_names, src, dst))
    weights = _Weights(all_names if weighted else [], ids)
    if is_relation:
        reader = _stream(table.project(", ".join(map(_quoted, dict.fromkeys([*ids, *weights.names])))))

    def batches():
        for batch in reader:
            weights.look_at(map(batch.column, weights.names))
            yield [batch.column(name) for name in ids]

    types = [reader.schema.field(name).type for name in ids]
    columns = (_numbered if named and not is_table else _joined)(batches(), types)
    weights.warn()
    return columns


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


def two_columns_of_file(path: Any, src: Column, dst: Column, named: bool = False):
    """Reads two columns of a Parquet or Arrow IPC file; the name's ending tells which. Of Parquet, reads only these
    columns and columns of weights."""
    pa = pyarrow()
    try:
        if str(path).endswith((".arrow", ".feather")):
            with pa.memory_map(str(path)) as file:
                return two_columns(pa.ipc.open_file(file).read_all(), src, dst, weighted=True)
        from pyarrow import parquet

        with parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            ids = list(_names(schema.names, src, dst))
            wanted = [*dict.fromkeys([*ids, *_Weights(schema.names, ids).names])]
            batches = file.iter_batches(columns=wanted)
            schema = pa.schema([schema.field(name) for name in wanted])
            return two_columns(pa.RecordBatchReader.from_batches(schema, batches), *ids, named, weighted=True)
    except (OSError, pa.ArrowInvalid) as problem:
        raise InputError(f"cannot read {path}: {problem}") from None
