"""rows.py: the rows of device folders that count in tables, as dicts. The names of graphs stand for one content."""

from evaluation.records import EMULATOR, FAILED, ROW_KEY, read_records, told_apart
from evaluation.trusted import newest, refuted

import pandas as pd


def rows_of(folders):
    """The rows of device folders, or of folders of device folders: of each key the newest, unless that failed.

    The emulator's rows do not count, as its times are no times of a GPU."""
    files = [sorted(folder.glob("*_perf.csv")) or sorted(folder.glob("*/*_perf.csv")) for folder in folders]
    found = told_apart([row for some in files for path in some for row in read_records(path)])
    if not found:
        return []
    rows = pd.DataFrame(found)
    rows = newest(rows[~refuted(rows) & (rows.verified != FAILED) & (rows.device != EMULATOR)])
    return [found[i] for i in rows.sort_values(list(ROW_KEY)).index]


def of_family(rows, *families):
    return [row for row in rows if row["family"] in families]
