"""Adds the records in other folders to those in DIR: of a second machine of the same kind, or of a cluster's jobs.

Files are added to those of the same path. Of two rows for the same measurement the one of more sources stays, and
of as many sources the later one. Rows that failed are left out; each such row is printed with the reason. Trials,
lengths of paths and status files are not added.
"""

import shutil
from pathlib import Path

from evaluation.command import EvaluationError, new_parser
from evaluation.failures import CELL as FAILURE
from evaluation.failures import FILE as FAILURES
from evaluation.files import read_rows, rows_if_any, write_atomically
from evaluation.records import FAILED, ROW_KEY, row_key
from evaluation.trusted import newest

import pandas as pd

# Files and folders of single searches and answers, which are large and not needed to compare.
LEFT_OUT = {"trials", "asked", "lengths.csv", "status.csv"}
SUMMARIES = ("_perf.csv", "_pairs.csv")
SAME = (*ROW_KEY, "pairs", "devices")  # columns that rows for the same measurement share, where a file has them


def write_newest(target, rows, key):
    """Writes the newest row for each key."""
    frame = pd.DataFrame(rows)
    write_atomically(target, frame.loc[newest(frame, key).sort_index().index].to_csv(index=False))


def why_not(row, most):
    """Returns why a new row is left out, or None; most: the number of sources of the row that it would replace."""
    if row.get("verified") == FAILED:
        return "it failed"
    return f"{row['sources']} sources, and {most} are there" if int(row["sources"]) < most else None


def add_summary(path, target):
    """Adds the rows of a summary to another one, which may be absent. Returns a line for each row left out."""
    old, most, left_out, added = rows_if_any(target), {}, [], {}
    for row in old:
        key = row_key(row, SAME)
        most[key] = max(most.get(key, 0), int(row["sources"]))
    for row in read_rows(path):
        if reason := why_not(row, most.get(row_key(row, SAME), 0)):
            left_out.append(f"{path}: {row['graph']}, {row['options'] or row['variant']}: {reason}")
        else:
            added.setdefault(row_key(row, SAME), []).append(row)
    if added:
        kept = [row for row in old if row_key(row, SAME) not in added]
        write_newest(target, kept + [row for rows in added.values() for row in rows], SAME)
    return left_out


def add_folder(folder, other):
    """Adds the records below another folder to those below this one. Returns a line for each row left out."""
    left_out = []
    for path in sorted(other.rglob("*.csv")):
        name = path.relative_to(other)
        target = folder / name
        if LEFT_OUT.intersection(name.parts):
            continue
        if name.name.endswith(SUMMARIES):
            left_out += add_summary(path, target)
        elif name.name == FAILURES and target.is_file():
            write_newest(target, read_rows(target) + read_rows(path), FAILURE)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    return left_out


def main():
    parser = new_parser(__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="such as results/nvidia-h200")
    parser.add_argument("other", type=Path, nargs="+", metavar="OTHER", help="such as results/reference")
    arguments = parser.parse_args()
    absent = [path for path in arguments.other if not path.is_dir()]
    if absent:
        raise EvaluationError(f"no folder {absent[0]}")
    for other in arguments.other:
        for line in add_folder(arguments.folder, other):
            print(f"left out: {line}")
    print(f"added to {arguments.folder}: {', '.join(map(str, arguments.other))}")
    return 0
