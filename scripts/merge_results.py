#!/usr/bin/env python3
"""Merges the summary records of devices into one table per family: results/merged/merged_FAMILY_perf.csv.

Rows that failed verification never enter; rows of the emulator do only with --with-emulator (their device
column says emulator). Where a graph, algorithm, options and device occur twice, the later date wins.
"""

import argparse
import csv
import io
import sys
from pathlib import Path

from records import EMULATOR, FAILED, KEY, RESULTS, RecordsError, read_records, write_atomically


def say(text):
    print(f"merge: {text}", file=sys.stderr)


def find_files(folders):
    """The summary files of device folders, or of folders of device folders."""
    files = []
    for folder in folders:
        found = sorted(folder.glob("*_perf.csv")) or sorted(folder.glob("*/*_perf.csv"))
        files += [path for path in found if not path.name.startswith("merged_")]
    return files


def merge(files, with_emulator):
    """{family: rows}, and the rows left out because they failed."""
    newest, failed = {}, []
    for path in files:
        for row in read_records(path):
            if row["verified"] == FAILED:
                failed.append(row)
            elif row["device"] != EMULATOR or with_emulator:
                key = tuple(row[name] for name in KEY)
                if key not in newest or row["date"] >= newest[key]["date"]:
                    newest[key] = row
    families = {}
    for key in sorted(newest):
        families.setdefault(newest[key]["family"], []).append(newest[key])
    return families, failed


def as_csv(rows):
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folder",
        nargs="*",
        type=Path,
        default=[RESULTS],
        help="device folders, or a folder of them (default: results)",
    )
    parser.add_argument("--to", type=Path, help="where the tables go (default: merged/ in the first folder)")
    parser.add_argument("--with-emulator", action="store_true", help="keep rows measured in the emulator")
    arguments = parser.parse_args()

    files = find_files(arguments.folder)
    if not files:
        say(f"no *_perf.csv in {', '.join(map(str, arguments.folder))}; gtrav --csv writes them")
        return 2
    families, failed = merge(files, arguments.with_emulator)
    for row in failed:
        what = f"{row['family']} {row['variant']} on {row['graph']} ({row['device']})"
        say(f"left out, failed verification: {what}")
    if failed:
        say(f"{len(failed)} rows left out")
    folder = arguments.to or arguments.folder[0] / "merged"
    for stale in set(folder.glob("merged_*_perf.csv")) - {
        folder / f"merged_{name}_perf.csv" for name in families
    }:
        stale.unlink()
    for family, rows in sorted(families.items()):
        path = folder / f"merged_{family}_perf.csv"
        write_atomically(path, as_csv(rows))
        print(f"{path}: {len(rows)} rows")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RecordsError, OSError) as error:
        say(error)
        sys.exit(2)
