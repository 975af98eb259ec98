"""Merges the summary records of devices into one table per family: DIR/merged/merged_FAMILY_perf.csv.

Rows that failed verification never enter, nor do older rows of the same
that passed. Rows of the emulator never enter either: its times are not times of a GPU. Where a graph,
algorithm, options, device and number of threads occur twice, the later date wins. Where one name stands for
several graphs, each gets the first digits of its graph_hash to its name.
"""

from pathlib import Path

from evaluation.command import EvaluationError, new_parser, say
from evaluation.files import LOCAL, write_atomically
from evaluation.records import EMULATOR, FAILED, ROW_KEY, read_records, told_apart
from evaluation.trusted import newest, refuted

import pandas as pd


def find_files(folders):
    """The summary files of device folders, or of folders of device folders."""
    files = []
    for folder in folders:
        found = sorted(folder.glob("*_perf.csv")) or sorted(folder.glob("*/*_perf.csv"))
        files += [path for path in found if not path.name.startswith("merged_")]
    return files


def merge(files):
    """{family: rows}, and the rows that failed; older rows of the same are left out with them."""
    rows = told_apart([row for path in files for row in read_records(path)])
    failed = [row for row in rows if row["verified"] == FAILED]
    rows = [row for row in rows if row["device"] != EMULATOR]
    if not rows:
        return {}, failed
    known = pd.DataFrame(rows)
    known = newest(known[~refuted(known) & (known.verified != FAILED)])
    merged = known.sort_values(list(ROW_KEY)).groupby("family").groups
    return {family: [rows[i] for i in places] for family, places in merged.items()}, failed


def main():
    parser = new_parser(__doc__)
    words = "device folders, or a folder of them (default: results/local)"
    parser.add_argument("folder", nargs="*", type=Path, default=[LOCAL], help=words)
    parser.add_argument("--to", type=Path, help="where the tables go (default: merged/ in the first folder)")
    arguments = parser.parse_args()

    named = ", ".join(map(str, arguments.folder))
    files = find_files(arguments.folder)
    if not files:
        raise EvaluationError(f"no *_perf.csv in {named}; gtrav --csv writes them")
    families, failed = merge(files)
    if not families and not failed:
        say(f"only rows of the emulator in {named}; they enter no table")
    for row in failed:
        what = f"{row['family']} {row['variant']} on {row['graph']} ({row['device']})"
        say(f"left out, failed verification: {what}")
    if failed:
        say(f"{len(failed)} rows left out")
    folder = arguments.to or arguments.folder[0] / "merged"
    tables = {f"merged_{name}_perf.csv": rows for name, rows in families.items()}
    for name, rows in sorted(tables.items()):
        if rows:
            write_atomically(folder / name, pd.DataFrame(rows).to_csv(index=False))
            print(f"{folder / name}: {len(rows)} rows")
    for stale in folder.glob("merged_*.csv"):
        if not tables.get(stale.name):
            stale.unlink()
    return 0
