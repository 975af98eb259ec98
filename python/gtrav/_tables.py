"""_tables.py: columns of Arrow tables and of Parquet files, through pyarrow."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Union

from ._errors import InputError
from ._library import c_text, function

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
    pa = pyarrow()
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, (pa.RecordBatchReader, pa.RecordBatch)):
        return table.read_all() if isinstance(table, pa.RecordBatchReader) else pa.Table.from_batches([table])
    if not hasattr(table, "__arrow_c_stream__"):
        raise InputError(
            f"a table is one of pyarrow or gives an Arrow stream, as DuckDB's and Polars' do; this is a "
            f"{type(table).__name__}"
        )
    return pa.RecordBatchReader.from_stream(table).read_all()


def _names(all_names, src, dst):
    """The names of columns given by name or number; None and None: those that are known, or the first two."""
    found = (ctypes.c_uint * 2)(0, 1)
    if src is dst is None:
        quoted = ('"' + name.replace('"', '""') + '"' for name in all_names)
        function("edge_columns")(c_text(",".join(quoted)), found)
    for column in (found[0] if src is None else src, found[1] if dst is None else dst):
        if isinstance(column, int):
            if not -len(all_names) <= column < len(all_names):
                raise InputError(f"the table has {len(all_names)} columns, so none has the number {column}")
            yield all_names[column]
        elif column in all_names:
            yield column
        else:
            raise InputError(f"the table has no column {column!r}; it has {', '.join(all_names)}")


def two_columns(table: Any, src: Column, dst: Column):
    """Two columns of a table, by name or number."""
    table = as_table(table)
    return [table.column(name) for name in _names(table.column_names, src, dst)]


def two_columns_of_file(path: Any, src: Column, dst: Column):
    """Two columns of a file of Arrow IPC or, by its ending, of Parquet, whose others are not read."""
    pa = pyarrow()
    try:
        if str(path).endswith((".arrow", ".feather")):
            with pa.memory_map(str(path)) as file:
                return two_columns(pa.ipc.open_file(file).read_all(), src, dst)
        from pyarrow import parquet

        wanted = list(_names(parquet.read_schema(path).names, src, dst))
        return two_columns(parquet.read_table(path, columns=wanted), *wanted)
    except (OSError, pa.ArrowInvalid) as problem:
        raise InputError(f"cannot read {path}: {problem}") from None
