"""Puts together what several jobs have measured, each its share of the graphs: the folders DIR/share-*.

Rows of summaries, and of the status file, go to the file of the same name in DIR; of rows for the same thing
the one of the later date. Other records (trials, traces, tasks) are copied. The shares stay as they are.
"""

import shutil
import sys
from pathlib import Path

from evaluation.command import new_parser
from evaluation.files import read_rows, write_atomically
from evaluation.records import ROW_KEY, newest

import pandas as pd

STATUS = "status.csv"
# What tells rows of a share apart, as far as a file has these columns.
SHARE_KEY = (*ROW_KEY, "sources", "pairs", "devices")


def put_together(paths, key):
    """One file's text from several: the newest row for each key, columns as they come."""
    rows = pd.DataFrame([row for path in paths for row in read_rows(path)])
    return rows.loc[newest(rows, key).sort_index().index].to_csv(index=False)


def main():
    parser = new_parser(__doc__)
    parser.add_argument("folder", type=Path, help="such as results/run_bench")
    folder = parser.parse_args().folder
    shares = sorted(path for path in folder.glob("share-*") if path.is_dir())
    if not shares:
        print(f"gather: no folder share-* in {folder}", file=sys.stderr)
        return 2
    by_name = {}
    for share in shares:
        for path in sorted(share.rglob("*.csv")):
            by_name.setdefault(path.relative_to(share), []).append(path)
    for name, paths in by_name.items():
        target = folder / name
        if name.name == STATUS:
            write_atomically(target, put_together(paths, ("graph", "what")))
        elif name.name.endswith(("_perf.csv", "_pairs.csv")):
            write_atomically(target, put_together([target, *paths] if target.is_file() else paths, SHARE_KEY))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(max(paths, key=lambda path: path.stat().st_mtime), target)
    print(f"gathered {len(shares)} shares: {folder}")
    return 0
