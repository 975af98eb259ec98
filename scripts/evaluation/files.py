"""files.py: reads tables and JSON with checks, and writes files whole or not at all."""

import csv
import json
import math
import os
from pathlib import Path

from evaluation.command import EvaluationError

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"  # committed records, and below it what git ignores
LOCAL = RESULTS / "local"  # gtrav --csv writes here by default


class RecordsError(EvaluationError):
    """Records that cannot be used; the message is one line with the file, and the line if it is a line's."""


def read_rows(path, columns=(), numbers=()):
    """The rows of a CSV file, as dicts of strings.

    Below the rows of another version another header may follow: a row is read by the header above it. A last
    line without an end was cut off, and is no row. RecordsError: the file cannot be read, a header lacks one
    of the columns or numbers, a row has more or fewer fields than its header, or a number is none."""
    header, rows = None, []
    try:
        with open(path, newline="", encoding="utf-8", errors="replace") as file:  # an older gtrav wrote any bytes
            reader = csv.reader((line for line in file if line.endswith("\n")), strict=True)
            for fields in filter(None, reader):
                where = f"{path}: line {reader.line_num}"
                if header is None or fields[:2] == header[:2]:
                    header = _checked_header(where, fields, (*columns, *numbers))
                else:
                    rows.append(_checked_row(where, header, fields, numbers))
    except (OSError, csv.Error) as error:
        raise RecordsError(f"cannot read {path}: {error}") from error
    return rows


def rows_if_any(path, columns=(), numbers=()):
    """As read_rows(); empty where there is no such file."""
    return read_rows(path, columns, numbers) if path.is_file() else []


def _checked_header(where, header, columns):
    absent = [name for name in columns if name not in header]
    if absent:
        raise RecordsError(f"{where}: no column {absent[0]}")
    return header


def _checked_row(where, header, fields, numbers):
    if len(fields) != len(header):
        how = "more" if len(fields) > len(header) else "fewer"
        raise RecordsError(f"{where}: {how} fields than the first line names")
    row = dict(zip(header, fields))
    for name in numbers:
        if not is_number(row[name]):
            raise RecordsError(f"{where}: {name}: '{row[name]}' is not a number")
    return row


def is_number(text):
    """Whether it is one, and finite."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecordsError(f"cannot read {path}: {error}") from error


def write_atomically(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
