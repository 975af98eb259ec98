"""Merges the summary records of devices into one table per family: DIR/merged/merged_FAMILY_perf.csv.

Beside them merged_perf_rep.csv has a row for every representative graph and GPU: the speed of each DFS method
and of the fastest BFS, in MTEPS. Rows that failed verification never enter, nor do older rows of the same
that passed. Rows of the emulator never enter either: its times are not times of a GPU. Where a graph,
algorithm, options, device and number of threads occur twice, the later date wins. Where one name stands for
several graphs, each gets the first digits of its graph_hash to its name.
"""

from pathlib import Path

from evaluation import dataset
from evaluation.command import EvaluationError, new_parser, say
from evaluation.files import LOCAL, write_atomically
from evaluation.methods import representative_rows
from evaluation.records import EMULATOR, FAILED, ROW_KEY, read_records, told_apart
from evaluation.trusted import newest, refuted

import pandas as pd

REPRESENTATIVE = dataset.ROOT / "dataset" / "rep12_graphs.csv"
REPRESENTATIVE_TABLE = "merged_perf_rep.csv"


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


def representative_graphs(path):
    """The names of a list's graphs, each followed by that of the generated one that may stand in for it."""
    names = [name for entry in dataset.read_list(path) for name in (entry.name, entry.stand_in) if name]
    return list(dict.fromkeys(names))


def main():
    parser = new_parser(__doc__)
    words = "device folders, or a folder of them (default: results/local)"
    parser.add_argument("folder", nargs="*", type=Path, default=[LOCAL], help=words)
    parser.add_argument("--to", type=Path, help="where the tables go (default: merged/ in the first folder)")
    words = f"dataset list of the graphs of {REPRESENTATIVE_TABLE} (default: dataset/{REPRESENTATIVE.name})"
    parser.add_argument("--representative", type=Path, default=REPRESENTATIVE, metavar="LIST", help=words)
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
    dfs, bfs = families.get("dfs", []), families.get("bfs", [])
    graphs = representative_graphs(arguments.representative)
    tables[REPRESENTATIVE_TABLE] = representative_rows(dfs, bfs, graphs)
    for name, rows in sorted(tables.items()):
        if rows:
            write_atomically(folder / name, pd.DataFrame(rows).to_csv(index=False))
            print(f"{folder / name}: {len(rows)} rows")
    for stale in folder.glob("merged_*.csv"):
        if not tables.get(stale.name):
            stale.unlink()
    return 0
