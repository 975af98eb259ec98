"""Draws every figure from the records of one device, by default the committed ones in results/nvidia-h200.

Parts of that folder (blest, msbfs, xbfs, sensitivity, dag) hold what single modes of scripts/run_all.sh
measured. The records of the CPU of the same host are beside the folder, and its provenance.json names them.
A figure that the records do not allow is named, with the reason.

Exit status: 0 every figure is drawn that the records allow, 2 bad usage or records.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from evaluation.analyses.merge import find_files
from evaluation.records import RESULTS, ROOT, RecordsError, folders_of_the_host

COMMITTED = RESULTS / "nvidia-h200"


class Source(NamedTuple):
    """What a figure is drawn from: a part of the device's folder, or tables merged from several parts."""

    parts: tuple = (".",)
    merged: bool = False  # with the records of the host's CPU
    of_device: bool = False  # the plot looks for a folder of the device's name


SOURCES = {
    **dict.fromkeys(("5", "6", "8"), Source((".", "dag"), merged=True)),
    **dict.fromkeys(("7", "warpnet_1", "warpnet_2"), Source(merged=True)),
    "9": Source(of_device=True),
    "10": Source(("sensitivity",), merged=True),
    "blest_4": Source(("blest",), merged=True),
    "blest_5": Source(("blest",), of_device=True),
    **dict.fromkeys(("blest_table_6", *(f"ibfs_5_{n}" for n in (1, 4, 16, 17))), Source(("msbfs",))),
    **dict.fromkeys((f"xbfs_{n}" for n in (5, *range(9, 16))), Source(("xbfs",))),
}


def run(script, *words):
    """What a script prints: its output, or else its messages. RecordsError if it fails."""
    command = [sys.executable, ROOT / script, *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        raise RecordsError(done.stderr.strip() or f"{script} ended with status {done.returncode}")
    return (done.stdout or done.stderr).strip()


def words_for(source, folder, place):
    """The options that show a plot its records; place: an empty folder for what is made of them."""
    parts = [folder / part for part in source.parts if (folder / part).is_dir()]
    if source.merged:
        folders = [*parts, *folders_of_the_host(folder)] if parts else []
        if find_files(folders):
            run("scripts/merge_results.py", *folders, "--to", place)
        return ["--merged", place]
    if source.of_device:
        for part in parts:
            (place / folder.name).symlink_to(part)
        return ["--results", place]
    return ["--results", *parts, *([place] if not parts else [])]


def draw(name, folder, to):
    """Draws a figure; the line that the plot prints, about the files or why there are none."""
    with tempfile.TemporaryDirectory() as place:
        words = words_for(SOURCES[name], folder, Path(place))
        said = run("plot/draw.py", name, *words, "--to", to)
        return said.replace(place, str(folder)).replace("\n", ", ")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--results", type=Path, default=COMMITTED, metavar="DIR", help="default: results/nvidia-h200"
    )
    parser.add_argument(
        "--to", type=Path, default=ROOT / "build" / "figures", metavar="DIR", help="default: build/figures"
    )
    arguments = parser.parse_args()
    folder = arguments.results.resolve()
    if not list(folder.glob("*_perf.csv")):
        raise RecordsError(f"no records of a device in {folder}; they are named *_perf.csv")
    for name in SOURCES:
        print(draw(name, folder, arguments.to), flush=True)
    return 0
