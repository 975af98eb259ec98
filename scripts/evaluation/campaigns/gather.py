"""Puts together what several jobs have measured, each its share of the graphs: the folders DIR/share-*.

Rows of summaries, and of the status file, go to the file of the same name in DIR; of rows for the same thing
the one of the later date. Other records (trials, traces, tasks) are copied. The shares stay as they are.

With --from it adds records of other folders to those in DIR, say of a second machine of the same kind, folder
by folder of the same names. Then of rows for the same thing the one of more sources stays, and of as many the
later one. Rows that failed, trials, pairs with their lengths, and status files are left out; it prints which
rows, and why.
"""

import shutil
from pathlib import Path

from evaluation.command import EvaluationError, new_parser
from evaluation.failures import CELL as FAILURE
from evaluation.failures import FILE as FAILURES
from evaluation.files import read_rows, write_atomically
from evaluation.records import FAILED, ROW_KEY, newest, row_key

import pandas as pd

STATUS = "status.csv"
# Of each search, and what was asked and answered: large, and no record of a measurement.
DETAILS = {"trials", "asked", "lengths.csv", STATUS}
SUMMARIES = ("_perf.csv", "_pairs.csv")
# What tells rows of a share apart, as far as a file has these columns.
SHARE_KEY = (*ROW_KEY, "sources", "pairs", "devices")
ADDED_KEY = tuple(name for name in SHARE_KEY if name != "sources")


def as_csv(rows, key):
    """The newest of these rows for each key, columns as they come."""
    rows = pd.DataFrame(rows)
    return rows.loc[newest(rows, key).sort_index().index].to_csv(index=False)


def put_together(paths, key):
    """One file's text from several: the newest row for each key."""
    return as_csv([row for path in paths for row in read_rows(path)], key)


def gather_shares(folder, shares):
    by_name = {}
    for share in shares:
        for path in sorted(share.rglob("*.csv")):
            by_name.setdefault(path.relative_to(share), []).append(path)
    for name, paths in by_name.items():
        target = folder / name
        if name.name == STATUS:
            write_atomically(target, put_together(paths, ("graph", "what")))
        elif name.name.endswith(SUMMARIES):
            write_atomically(target, put_together([target, *paths] if target.is_file() else paths, SHARE_KEY))
        else:
            copy(max(paths, key=lambda path: path.stat().st_mtime), target)


def copy(path, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


# ---- records of other folders ----


def why_not(row, best):
    """Why a new row is left out, or None; best: of the rows that are there for the same the most sources."""
    if row.get("verified") == FAILED:
        return "it failed"
    if int(row["sources"]) < best:
        return f"{row['sources']} sources, and {best} are there"
    return None


def add_rows(path, target):
    """Adds the rows of a summary to another one, which need not be there; gives what was left out."""
    old, new = read_rows(target) if target.is_file() else [], read_rows(path)
    best, left_out, kept = {}, [], []
    for row in old:
        key = row_key(row, ADDED_KEY)
        best[key] = max(best.get(key, 0), int(row["sources"]))
    for row in new:
        reason = why_not(row, best.get(row_key(row, ADDED_KEY), 0))
        if reason:
            left_out.append(f"{path}: {row['graph']}, {row['options'] or row['variant']}: {reason}")
        else:
            kept.append(row)
    if kept:
        again = {row_key(row, ADDED_KEY) for row in kept}
        old = [row for row in old if row_key(row, ADDED_KEY) not in again]
        write_atomically(target, as_csv(old + kept, ADDED_KEY))
    return left_out


def add_folder(folder, other):
    """Adds the records below another folder to those below this one; gives what was left out."""
    left_out = []
    for path in sorted(other.rglob("*.csv")):
        name = path.relative_to(other)
        target = folder / name
        if DETAILS.intersection(name.parts):
            continue
        if name.name.endswith(SUMMARIES):
            left_out += add_rows(path, target)
        elif name.name == FAILURES and target.is_file():
            write_atomically(target, put_together([target, path], FAILURE))
        else:
            copy(path, target)
    return left_out


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help="such as results/run_bench")
    add("--from", dest="others", type=Path, action="append", metavar="OTHER", help="repeatable")
    arguments = parser.parse_args()
    folder, others = arguments.folder, arguments.others or []
    absent = [path for path in others if not path.is_dir()]
    if absent:
        raise EvaluationError(f"no folder {absent[0]}")
    for other in others:
        for line in add_folder(folder, other):
            print(f"left out: {line}")
    if others:
        print(f"added to {folder}: {', '.join(map(str, others))}")
        return 0
    shares = sorted(path for path in folder.glob("share-*") if path.is_dir())
    if not shares:
        raise EvaluationError(f"no folder share-* in {folder}")
    gather_shares(folder, shares)
    print(f"gathered {len(shares)} shares: {folder}")
    return 0
