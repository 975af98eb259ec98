"""Draws every figure from records, by default the committed ones of the H200, or of the folder of a mode.

Parts of the folder (blest, msbfs, xbfs, sensitivity, dag, run_...) hold what single modes of
scripts/run_all.sh measured. The records of the CPU of the same host may be beside the folder; then its
provenance.json names them.
A figure that the records do not allow is named, with the reason.

Exit status: 0 every figure is drawn that the records allow, 2 bad usage or records.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from evaluation.analyses.merge import find_files
from evaluation.command import new_parser
from evaluation.files import RESULTS, ROOT, RecordsError
from evaluation.records import folders_of_the_host, paths_of_records

COMMITTED = RESULTS / "nvidia-h200"


class Source(NamedTuple):
    """What figures are drawn from: those parts of the folder that are there, or else all of it."""

    figures: tuple
    parts: tuple = (".",)
    merged: bool = False  # from tables merged from them and the records of the host's CPU


SOURCES = (
    Source(("5", "6", "8"), (".", "dag", "run_subset"), merged=True),
    Source(("7", "warpnet_1", "warpnet_2"), (".", "run_warpnet"), merged=True),
    Source(("9",)),
    Source(("10",), ("sensitivity", "run_sensitivity"), merged=True),
    Source(("blest_4",), ("blest", "run_blest"), merged=True),
    Source(("blest_5",), ("run_blest", "blest")),
    Source(("blest_table_6", *(f"ibfs_5_{n}" for n in (1, 4, 7, 16, 17))), ("msbfs", "run_msbfs")),
    Source(tuple(f"xbfs_{n}" for n in (5, *range(9, 16))), ("xbfs",)),
)


def run(script, *words):
    """What a script prints, messages too. RecordsError if it fails."""
    command = [sys.executable, ROOT / script, *words]
    done = subprocess.run(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        raise RecordsError(done.stdout.strip() or f"{script} ended with status {done.returncode}")
    return done.stdout


def words_for(source, folder, place):
    """The options that show plots their records; place: an empty folder for what is made of them."""
    parts = [folder / part for part in source.parts if (folder / part).is_dir()] or [folder]
    if source.merged:
        folders = [*parts, *folders_of_the_host(folder)]
        if find_files(folders):
            run("scripts/merge_results.py", *folders, "--to", place)
        return ["--merged", place]
    if len(parts) == 1:
        return ["--results", parts[0]]
    for part in parts:
        shutil.copytree(part, place / part.name)
    return ["--results", place]


def draw(source, folder, to):
    """Draws the figures of a source; the lines that tell their files, or why there are none."""
    with tempfile.TemporaryDirectory() as place:
        words = words_for(source, folder, Path(place))
        return run("plot/draw.py", *source.figures, *words, "--to", to).replace(place, str(folder))


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("--results", type=Path, default=COMMITTED, metavar="DIR", help="default: results/nvidia-h200")
    to = ROOT / "build" / "figures"
    add("--to", type=Path, default=to, metavar="DIR", help="default: build/figures")
    arguments = parser.parse_args()
    folder = arguments.results.resolve()
    if not any(paths_of_records([folder], "*.csv")):
        raise RecordsError(f"no records in {folder}; they are named *_perf.csv")
    for source in SOURCES:
        print(draw(source, folder, arguments.to), end="", flush=True)
    return 0
