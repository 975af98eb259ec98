"""_tables.py: columns of Arrow tables and of Parquet files, through pyarrow."""

from __future__ import annotations

import ctypes
from itertools import chain
from typing import Any, Optional, Union

import numpy as np

from ._errors import InputError, InputTypeError
from ._ids import encode_arrow
from ._library import c_text, function

GROUP = 2**20  # rows of a stream that are numbered at a time, at least
Column = Optional[Union[str, int]]  # by name or number


def pyarrow() -> Any:
    """The module pyarrow; that it is missing is an error that says what to do."""
    try:
        import pyarrow
    except ImportError:
        raise ImportError("tables need pyarrow: pip install pyarrow") from None
    return pyarrow


def as_table(table: Any) -> Any:
    """A table of pyarrow of anything that gives an Arrow stream."""
    return table if isinstance(table, pyarrow().Table) else _stream(table).read_all()


def _stream(table):
    """A reader of pyarrow of anything that gives an Arrow stream."""
    pa = pyarrow()
    if isinstance(table, pa.RecordBatchReader):
        return table
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    try:
        return pa.RecordBatchReader.from_stream(table)
    except (TypeError, pa.ArrowInvalid):
        raise InputTypeError(
            f"a table is one of pyarrow or gives an Arrow stream, as DuckDB's and Polars' do; this is a "
            f"{type(table).__name__}"
        ) from None


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


def _names(all_names, src, dst):
    """The names of columns given by name or number; None and None: those that are known, or the first two."""
    found = (ctypes.c_uint * 2)(0, 1)
    if src is dst is None:
        function("edge_columns")(c_text(",".join(map(_quoted, all_names))), found)
    for column in (found[0] if src is None else src, found[1] if dst is None else dst):
        if isinstance(column, int):
            if not -len(all_names) <= column < len(all_names):
                raise InputError(f"the table has {len(all_names)} columns, so none has the number {column}")
            yield all_names[column]
        elif column in all_names:
            yield column
        else:
            raise InputError(f"the table has no column {column!r}; it has {', '.join(all_names)}")


def two_columns(table: Any, src: Column, dst: Column, named: bool = False):
    """Two columns of a table, by name or number. A stream is read batch by batch, and its other columns are dropped.

    named: ids of a stream are numbered as they come, so that both columns have one dictionary."""
    if isinstance(table, pyarrow().Table):
        return [table.column(name) for name in _names(table.column_names, src, dst)]
    if hasattr(table, "project"):  # a relation of DuckDB, which need not read its other columns
        src, dst = _names(table.columns, src, dst)
        table = table.project(", ".join(map(_quoted, (src, dst))))
    reader = _stream(table)
    names = list(_names(reader.schema.names, src, dst))
    batches = ([batch.column(name) for name in names] for batch in reader)
    types = [reader.schema.field(name).type for name in names]
    return _numbered(batches, types) if named else _joined(batches, types)


def _joined(batches, types):
    columns = list(zip(*batches)) or ((), ())
    return [pyarrow().chunked_array(column, kind) for column, kind in zip(columns, types)]


def _numbered(batches, types):
    """Pairs of columns as two arrays of pyarrow with one dictionary: ids in the order of their first appearance.

    So many rows are numbered at a time as there are ids, so that each id is looked up a few times in all."""
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
    """Two columns of a file of Arrow IPC or, by its ending, of Parquet, whose others are not read."""
    pa = pyarrow()
    try:
        if str(path).endswith((".arrow", ".feather")):
            with pa.memory_map(str(path)) as file:
                return two_columns(pa.ipc.open_file(file).read_all(), src, dst)
        from pyarrow import parquet

        with parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            wanted = list(_names(schema.names, src, dst))
            batches = file.iter_batches(columns=wanted)
            schema = pa.schema([schema.field(name) for name in wanted])
            return two_columns(pa.RecordBatchReader.from_batches(schema, batches), *wanted, named)
    except (OSError, pa.ArrowInvalid) as problem:
        raise InputError(f"cannot read {path}: {problem}") from None
