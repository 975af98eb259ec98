"""Downloads the graphs of dataset lists to dataset/MM/, except those that are there, several at a time.

A list is a CSV file; dataset/README.md describes its columns, and how to make a list of your own graphs. Graphs come
from the SuiteSparse Matrix Collection or the address in the list, from a mirror or from a local folder (--base). A
graph gets its final name only when it is complete. An interrupted download is resumed, by itself and after Ctrl-C by
the same command, unless the server has another version by then. A damaged archive is downloaded once more, and a file
that is no graph is refused. checksums.csv, beside the graphs, keeps the size and SHA-256 of each file at its first
download; later downloads, and with --check the files that are there, must have the same.

Exit status: 0 all graphs are there, 1 some could not be downloaded, 2 bad usage or list, 4 no network (nothing was
tried), 130 interrupted.
"""

import argparse
import fcntl
import os
import re
import shutil
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from evaluation import dataset
from evaluation.campaigns.archives import Checksums, DamagedError, copy, extract, why_no_graph
from evaluation.campaigns.transfer import ADDRESS, DownloadError, fetch, forget, in_words, why_no_network
from evaluation.command import INTERRUPTED, new_parser, say

BASE = "https://sparse.tamu.edu"
MOST_NAMED = 20  # most stand-ins to name in a message
EXIT_NO_NETWORK = 4
WORK = ".download"  # folder of partial archives, below the graphs' folder


def archive_in(folder, entry):
    """Returns the graph's archive in a local folder."""
    places = [entry.path, f"{entry.group}/{Path(entry.path).name}", Path(entry.path).name]
    for place in places:
        if "://" not in place and (folder / place).is_file():
            return folder / place
    raise DownloadError(f"not in {folder}: neither {places[0]} nor {places[-1]}")


def unpack(entry, archive, partial):
    """Writes the graph to a file of a temporary name. Returns its SHA-256."""
    if entry.member:
        digest = extract(archive, entry.member, partial)
    else:
        with open(archive, "rb") as source, open(partial, "wb") as out:
            digest = copy(source, out)
    if why := why_no_graph(partial):
        raise DownloadError(f"what came is no graph: {why}")
    return digest


def fetch_and_unpack(url, entry, archive, partial):
    """Downloads and unpacks a graph. A damaged archive is downloaded once more, from its start."""
    fetch(url, archive)
    try:
        return unpack(entry, archive, partial)
    except DamagedError:
        forget(archive)
        fetch(url, archive)
        return unpack(entry, archive, partial)


def get(settings, entry, checksums):
    """Downloads a graph, and keeps its checksum. Returns its size."""
    target, work = entry.file(settings.to), settings.to / WORK
    partial = work / f"{target.name}.part"
    archive = work / f"{entry.name}{''.join(Path(entry.path).suffixes[-2:])}"
    try:
        if isinstance(settings.base, Path):
            digest = unpack(entry, archive_in(settings.base, entry), partial)
        else:
            url = entry.path if re.match(dataset.ADDRESS, entry.path) else f"{settings.base}/{entry.path}"
            digest = fetch_and_unpack(url, entry, archive, partial)
        known = checksums.rows.get(target.name)
        if known and known[1] != digest:
            how = f"if the collection has changed the graph, remove the line of {target.name} from {checksums.path}"
            raise DownloadError(f"its SHA-256 differs from the first download; {how}")
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    checksums.keep(target, digest)
    forget(archive)
    return target.stat().st_size


def get_all(settings, entries, checksums):
    """Downloads the graphs, small ones first, and prints a line for each. Returns how many succeeded."""
    began, came = time.monotonic(), 0
    with ThreadPoolExecutor(settings.jobs) as pool:
        entries = sorted(entries, key=lambda entry: entry.edges or 0)
        running = {pool.submit(get, settings, entry, checksums): entry.name for entry in entries}
        for number, future in enumerate(as_completed(running), 1):
            about = f"[{number}/{len(entries)}] {running[future]}"
            try:
                size = in_words(future.result())
                say(f"{about}: {size}, after {time.monotonic() - began:.0f} s")
                came += 1
            except Exception as error:  # of any kind: the other graphs go on
                say(f"{about}: {error or type(error).__name__}")
    return came


def check_here(settings, entries, checksums):
    """Returns (entries to download, number of others that are absent or have changed)."""
    wanted, lacking = [], 0
    for entry in entries:
        path = entry.file(settings.to)
        if not path.is_file() and entry.downloadable:
            wanted.append(entry)
            continue
        try:
            if not path.is_file():
                raise DownloadError(f"no such graph in {settings.to}; {entry.where_to_get()}")
            if why := why_no_graph(path):
                raise DownloadError(f"{path} is no graph: {why}; delete it, and try again")
            checksums.check(path, settings.check)
        except DownloadError as error:
            say(f"{entry.name}: {error}")
            lacking += 1
    return wanted, lacking


def name_stand_ins(settings, entries):
    """Prints which generated graphs replace absent ones."""
    missing = [entry for entry in entries if entry.stand_in and not entry.file(settings.to).is_file()]
    named = [f"{entry.stand_in} for {entry.name}" for entry in missing]
    if named:
        named[MOST_NAMED:] = [f"{len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
        say(f"generated graphs that can stand in: {', '.join(named)}")


def download(settings, entries):
    """Downloads everything requested. Returns the exit status."""
    checksums = Checksums(settings.to)
    wanted, lacking = check_here(settings, entries, checksums)
    if not wanted and not lacking:
        say(f"all {len(entries)} graphs are there")
        return 0
    if wanted:
        if not isinstance(settings.base, Path) and (why := why_no_network(settings.base)):
            say(f"{why}; {len(wanted)} of {len(entries)} graphs are missing")
            name_stand_ins(settings, entries)
            return EXIT_NO_NETWORK
        work = settings.to / WORK
        work.mkdir(parents=True, exist_ok=True)
        with open(work / "lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(f"another download to {settings.to} is under way")
                return 1
            lacking += len(wanted) - get_all(settings, wanted, checksums)
        if not any(path.name != "lock" for path in work.iterdir()):
            shutil.rmtree(work)
    say(f"{len(entries) - lacking} of {len(entries)} graphs are there")
    name_stand_ins(settings, entries)
    return 1 if lacking else 0


def place(text):
    """Reads the value of --base, an address or a folder."""
    if re.match(ADDRESS, text):
        return text.rstrip("/")
    if Path(text).is_dir():
        return Path(text)
    raise argparse.ArgumentTypeError(f"{text} is neither an address nor a folder")


def read_settings():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("list", nargs="+", help="dataset list (CSV), such as dataset/warpnet_list.csv")
    where = f"address of the collection (default: {BASE}) or of a mirror, or a folder of archives"
    add("--base", type=place, default=BASE, metavar="PLACE", help=where)
    add("--to", type=Path, default=dataset.GRAPHS, help="folder (default: dataset/MM)")
    add("--jobs", type=int, default=4, metavar="N", help="downloads at a time (default: 4)")
    add("--check", action="store_true", help="also compare the SHA-256 of files that are there")
    settings = parser.parse_args()
    if settings.jobs < 1:
        parser.error("--jobs is at least 1")
    return settings


def interrupt(*_):
    """Ends the program with all its threads; the next run resumes their downloads, as after SIGKILL."""
    os.write(sys.stderr.fileno(), b"download_graphs: interrupted; the same command goes on from there\n")
    os._exit(INTERRUPTED)


def main():
    settings = read_settings()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    entries = {}
    for path in settings.list:
        for entry in dataset.read_list(path):
            entries.setdefault(entry.name, entry)
    return download(settings, [entry for entry in entries.values() if not entry.generated])
