"""failures.py: what failed, as rows of failures.csv, for a failure is a result, too.

If a run fails, gtrav writes DIR/<device>/failures.csv (docs/records.md). If a run ends without a message, the script
that started it writes DIR/failures.csv. There unknown columns are empty, and `variant` has all variants of the
command.
"""

import signal
import time
from itertools import product

from evaluation.files import rows_if_any, write_atomically
from evaluation.text_tables import as_csv

FILE = "failures.csv"
CELL = ("graph", "family", "variant", "options", "device", "pairs")
COLUMNS = (*CELL, "reason", "message", "version", "date")
OUT_OF_MEMORY, CRASHED, TIME_LIMIT = "out of memory", "crashed", "time limit"


def read_failures(path):
    """The rows of a file, of each cell the newest; empty where it is not there."""
    return list({cell_of(row): row for row in rows_if_any(path, COLUMNS)}.values())


def cell_of(row):
    return tuple(row.get(name) or "" for name in (*CELL, "graph_hash"))


def write_failure(folder, **values):
    """Adds a row to a folder's file; a row of the same cell goes."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    row = {**dict.fromkeys(COLUMNS, ""), **values, "date": now}
    rows = [known for known in read_failures(folder / FILE) if cell_of(known) != cell_of(row)]
    lines = [[known.get(name) or "" for name in COLUMNS] for known in (*rows, row)]
    write_atomically(folder / FILE, as_csv(COLUMNS, lines))


def write_crash(folder, words, code, message):
    """Adds a row for a run of gtrav with these words that a signal ended."""
    value = dict(zip(words, words[1:]))
    killed = code == -signal.SIGKILL  # by the kernel, which wants the memory back
    options = {"graph": "--graph", "family": "--algo", "variant": "--variant"}
    cell = {name: value.get(option, "") for name, option in options.items()}
    write_failure(folder, **cell, reason=OUT_OF_MEMORY if killed else CRASHED, message=message)


def unresolved(failures, rows):
    """Lists the failures that no later record of the same cell supersedes. An empty field of a cell fits any value.

    A failure of several variants stays for those without a record."""
    dates = {}
    for row in rows:
        *known, content = cell_of(row)
        for cell in product({(*known,), (*known[:5], ""), (*known[:3], "", "", "")}, {content, ""}):
            dates[cell] = max(dates.get(cell, ""), row["date"])
    for row in failures:
        graph, family, variants, *rest, content = cell_of(row)
        cells = {variant: ((graph, family, variant, *rest), content) for variant in variants.split(",")}
        left = [variant for variant, cell in cells.items() if dates.get(cell, "") < row["date"]]
        if left:
            yield {**row, "variant": ",".join(left)}
