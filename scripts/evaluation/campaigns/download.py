"""Downloads the graphs of dataset lists to dataset/MM/: those that are not there, several at a time.

A list is a CSV file; dataset/README.md says what stands in it, and how to make one of your own graphs. Graphs
come from the SuiteSparse Matrix Collection or the address in the list, from a mirror or from a local folder
(--base). A graph gets its final name only when it is complete. What is cut off goes on where it was, by
itself and after Ctrl-C with the same command, unless the server has another version by then. An archive that
cannot be used is set aside in .download, as NAME.bad, and what is no graph does not count. checksums.csv,
beside the graphs, keeps the SHA-256 of each at its first download; a file that was touched since, or that a
later download brings, must have the same.

Exit status: 0 all there, 1 some could not be had, 2 bad usage or list, 4 no network (nothing was tried),
130 interrupted.
"""

import argparse
import fcntl
import os
import re
import shutil
import signal
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from evaluation import dataset
from evaluation.campaigns.archives import Checksums, DamagedError, copy, extract, in_words, why_no_graph
from evaluation.campaigns.transfer import (
    STALLED_BYTES,
    BadArchiveError,
    DownloadError,
    fetch,
    length,
    look_up,
    version_file,
    why_no_network,
)
from evaluation.command import INTERRUPTED, new_parser, printable, say

BASE = "https://sparse.tamu.edu"
STALLED_SECONDS = 60  # a transfer that brings under STALLED_BYTES a second for so long is cut off and resumed
FRUITLESS_ATTEMPTS = 5  # after so many in a row that brought nothing new a graph is given up
FIRST_PAUSE_SECONDS = 1.0  # before the second of them; doubles with each
REPORT_EVERY_SECONDS = 60  # how it stands, where there is no terminal to redraw a line on
MOST_NAMED = 20  # graphs that stand in for others
EXIT_NO_NETWORK = 4
CLEAR_LINE = "\r\x1b[K"  # of a terminal

WORK = ".download"  # archives under way, below the graphs' folder

# Of the text that is unpacked, guessed before there is more than the list and the archive to go by.
TEXT_PER_ARCHIVE = 6
BYTES_PER_VALUE = 8
# Of all that an archive holds, at most: what is larger is not what the list names.
MOST_PER_ARCHIVE = 200
MOST_PER_EDGE = 80
MOST_PER_VERTEX = 200  # coordinates, names
MOST_BESIDES = 16 << 20


# ---- a graph ----


@dataclass
class Job:
    """A graph that is to be had."""

    entry: dataset.Entry
    url: Optional[str]  # None: the archive is here
    archive: Path  # once it is here; beforehand what there is of it
    size: Optional[int] = None  # of the archive
    version: Optional[str] = None  # what the server calls it
    error: Optional[str] = None

    @property
    def text_bytes(self):
        """About what the unpacked graph takes: a line has two ids, and a value where it is weighted."""
        entry = self.entry
        if entry.member is None:
            return 0
        if not entry.vertices or not entry.edges:
            return TEXT_PER_ARCHIVE * (self.size or 0)
        weighted = any(word in entry.kind for word in ("weighted", "problem", "multigraph"))
        line = 2 * (len(str(entry.vertices)) + 1) + (BYTES_PER_VALUE if weighted else 0)
        return entry.edges * line // (2 if entry.kind.startswith("undirected") else 1)

    def most_bytes(self, archive_bytes):
        """What an archive of so many bytes may unpack to."""
        entry = self.entry
        if entry.vertices and entry.edges:
            return entry.edges * MOST_PER_EDGE + entry.vertices * MOST_PER_VERTEX + MOST_BESIDES
        return archive_bytes * MOST_PER_ARCHIVE + MOST_BESIDES

    @property
    def archive_bytes(self):
        """What is still to come of it."""
        return max((self.size or 0) - length(self.archive), 0) if self.url else 0


def plan(entry, base, work):
    """Where the graph comes from, and how large that is."""
    work_file = work / f"{entry.name}{''.join(Path(entry.path).suffixes[-2:])}"
    job = Job(entry, None, work_file)
    try:
        if isinstance(base, Path):
            places = [entry.path, f"{entry.group}/{Path(entry.path).name}", Path(entry.path).name]
            here = [base / place for place in places if "://" not in place and (base / place).is_file()]
            if not here:
                raise DownloadError(f"not in {base}: neither {places[0]} nor {places[-1]}")
            job.archive = here[0]
            job.size = length(here[0])
        else:
            job.url = entry.path if re.match(dataset.ADDRESS, entry.path) else f"{base}/{entry.path}"
            job.size, job.version = look_up(job.url)
    except DownloadError as error:
        job.error = str(error)
    return job


def too_large(jobs, free, parallel):
    """Marks those that do not fit on the disk, smallest first; what all take at most, in bytes."""
    taken, archives, all_bytes = 0, [], 0
    for job in sorted((job for job in jobs if job.error is None), key=lambda job: job.text_bytes):
        more = sorted([*archives, job.archive_bytes])[-parallel:]
        needed = taken + job.text_bytes + sum(more)
        all_bytes += job.text_bytes
        if needed > free:
            job.error = (
                f"it takes about {in_words(job.text_bytes + job.archive_bytes)}, and of {in_words(free)} "
                f"free the graphs before it take {in_words(taken)}; --to names a folder"
            )
        else:
            taken, archives = taken + job.text_bytes, more
    return all_bytes


def unpack(job, partial):
    """The graph's text, as a file that has not its name yet; its SHA-256."""
    try:
        if job.entry.member:
            return extract(job.archive, job.entry.member, partial, job.most_bytes(length(job.archive)))
        with open(job.archive, "rb") as source, open(partial, "wb") as out:
            return copy(source, out)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def set_aside(job):
    """Renames an archive that cannot be used, so that the next download starts anew."""
    if job.url and job.archive.is_file():
        os.replace(job.archive, job.archive.with_name(f"{job.archive.name}.bad"))


def get_text(settings, job, partial):
    """Fetches and unpacks; an archive that turns out damaged is fetched once more, from its start."""
    free = shutil.disk_usage(settings.to).free
    most = min(free // 2, job.most_bytes(free))
    for again in (True, False):
        try:
            if job.url:
                fetch(settings, job.url, job.archive, job.size, job.version, most)
            digest = unpack(job, partial)
            if why := why_no_graph(partial):
                partial.unlink()
                raise BadArchiveError(f"what came is no graph: {why}")
            return digest
        except BadArchiveError as error:
            set_aside(job)
            if not (job.url and again and isinstance(error, DamagedError)):
                raise
    return None


def get(settings, job, checksums):
    """Has the graph under its name, and its checksum known; its size."""
    target = job.entry.file(settings.to)
    partial = settings.to / WORK / f"{target.name}.part"
    digest = get_text(settings, job, partial)
    known = checksums.rows.get(target.name)
    if known and known[1] != digest:
        partial.unlink()
        raise DownloadError(
            "its SHA-256 is not that of the first download; if the collection has changed the graph, remove "
            f"the line of {target.name} from {checksums.path}"
        )
    os.replace(partial, target)
    checksums.keep(target, digest)
    if job.url:
        for path in (job.archive, version_file(job.archive), job.archive.with_name(f"{job.archive.name}.bad")):
            path.unlink(missing_ok=True)
    return length(target)


# ---- all of them ----


class Progress:
    """How it stands: on a terminal one line, redrawn; else a line now and then."""

    def __init__(self, jobs, enabled):
        self.num_jobs, self.enabled = len(jobs), enabled
        self.transfers = [job for job in jobs if job.url]
        self.on_terminal = enabled and sys.stderr.isatty()
        self.had = sum(length(job.archive) for job in self.transfers)
        self.began = time.monotonic()
        self.brought = {}  # of archives that are unpacked and gone
        self.done = self.failed = 0

    def draw(self):
        here, under_way = 0, []
        for job in self.transfers:
            size = length(job.archive)
            here += self.brought.get(job.entry.name, size)
            if job.size and size and job.entry.name not in self.brought:
                under_way.append(f"{job.entry.name} {100 * size / job.size:.0f} %")
        total = sum(job.size or 0 for job in self.transfers)
        speed = (here - self.had) / max(time.monotonic() - self.began, 1)
        failed = f", {self.failed} failed" if self.failed else ""
        counts = f"{self.done} of {self.num_jobs} graphs{failed}"
        sizes = f"{in_words(here)} of {in_words(total)}, {in_words(speed)}/s"
        text = "; ".join([counts, sizes, *under_way[:4]])
        if self.on_terminal:
            self.redraw(text[: shutil.get_terminal_size().columns - 1])
        elif self.enabled:
            say(text)

    def redraw(self, text=""):
        """Puts the text in place of the line on the terminal."""
        if self.on_terminal:
            print(f"{CLEAR_LINE}{printable(text)}", end="", file=sys.stderr, flush=True)

    def finished(self, running):
        """Gives futures as they are finished, and draws meanwhile."""
        period = 1 if self.on_terminal else REPORT_EVERY_SECONDS
        while running:
            finished, running = wait(running, period, FIRST_COMPLETED)
            self.redraw()
            yield from finished
            if running and (self.on_terminal or not finished):
                self.draw()


def get_all(settings, jobs, checksums):
    """Gets the graphs; how many of them came."""
    progress = Progress(jobs, not settings.quiet)
    with ThreadPoolExecutor(settings.jobs) as pool:
        smallest_first = sorted(jobs, key=lambda job: job.size or 0)
        running = {pool.submit(get, settings, job, checksums): job for job in smallest_first}
        for future in progress.finished(running):
            job = running[future]
            number = f"[{progress.done + progress.failed + 1}/{len(jobs)}] {job.entry.name}"
            try:
                size = future.result()
                progress.done += 1
                say(f"{number}: {in_words(size)}, after {time.monotonic() - progress.began:.0f} s")
            except Exception as error:  # of whatever kind: it is this graph's
                progress.failed += 1
                say(f"{number}: {error or type(error).__name__}")
            progress.brought[job.entry.name] = job.size or 0
    return progress.done


def check_here(settings, entries, checksums):
    """(entries that are not here, how many of the files here have changed)."""
    wanted, changed = [], 0
    for entry in entries:
        if not entry.file(settings.to).is_file():
            wanted.append(entry)
            continue
        path = entry.file(settings.to)
        try:
            if why := why_no_graph(path):
                raise DownloadError(f"{path} is no graph: {why}; delete it, and try again")
            checksums.check(path, settings.check)
        except DownloadError as error:
            say(f"{entry.name}: {error}")
            changed += 1
    return wanted, changed


def get_wanted(settings, wanted, checksums, work):
    """Plans for the space on the disk, and gets the graphs; how many of them came."""
    with ThreadPoolExecutor(settings.jobs) as pool:
        jobs = list(pool.map(lambda entry: plan(entry, settings.base, work), wanted))
    free = shutil.disk_usage(settings.to).free
    needed = too_large(jobs, free, settings.jobs)
    for job in (job for job in jobs if job.error):
        say(f"{job.entry.name}: {job.error}")
    jobs = [job for job in jobs if job.error is None]
    if jobs:
        coming = sum(job.archive_bytes for job in jobs)
        where = settings.base if isinstance(settings.base, Path) else in_words(coming) + " to download"
        say(f"{len(jobs)} graphs, {where}, about {in_words(needed)} on the disk of {in_words(free)} free")
    return get_all(settings, jobs, checksums)


def name_stand_ins(settings, entries):
    """Tells which generated graphs replace those that are not here."""
    missing = [entry for entry in entries if entry.stand_in and not entry.file(settings.to).is_file()]
    named = [f"{entry.stand_in} for {entry.name}" for entry in missing[:MOST_NAMED]]
    more = [f"{len(missing) - MOST_NAMED} more"] if len(missing) > MOST_NAMED else []
    if named:
        say(f"generated graphs that can stand in: {', '.join(named + more)}")


def download(settings, entries, own):
    """All that is asked for; the exit status."""
    checksums = Checksums(settings.to)
    missing = [entry for entry in own if not entry.file(settings.to).is_file()]
    for entry in missing:
        say(f"{entry.name}: no such graph in {settings.to}; {entry.where_to_get()}")
    own_here = [entry for entry in own if entry not in missing]
    wanted, changed = check_here(settings, entries + own_here, checksums)
    lacking, num_all = len(missing) + changed, len(entries) + len(own)
    if not wanted and not lacking:
        say(f"all {num_all} graphs are there")
        return 0
    if wanted:
        why = "" if isinstance(settings.base, Path) else why_no_network(settings.base)
        if why:
            say(f"{why}; {len(wanted)} of {num_all} graphs are missing")
            name_stand_ins(settings, entries + own)
            return EXIT_NO_NETWORK
        work = settings.to / WORK
        work.mkdir(parents=True, exist_ok=True)
        with open(work / "lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(f"another download to {settings.to} is under way")
                return 1
            lacking += len(wanted) - get_wanted(settings, wanted, checksums, work)
        if not any(path.name != "lock" for path in work.iterdir()):
            shutil.rmtree(work)
    say(f"{num_all - lacking} of {num_all} graphs are there")
    name_stand_ins(settings, entries + own)
    return 1 if lacking else 0


def place(text):
    """--base: an address, or a folder that is here."""
    if re.match(dataset.ADDRESS, text):
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
    add("--jobs", type=int, default=4, metavar="N", help="so many at a time (default: 4)")
    add("--check", action="store_true", help="read all files that are there, too")
    add("--quiet", action="store_true", help="do not tell meanwhile how it stands")
    most = f"give up after N in a row that brought nothing (default: {FRUITLESS_ATTEMPTS})"
    add("--attempts", type=int, default=FRUITLESS_ATTEMPTS, metavar="N", help=most)
    pause = "between the first two of them, then twice as long each time (default: 1)"
    add("--pause", type=float, default=FIRST_PAUSE_SECONDS, metavar="SECONDS", help=pause)
    slow = f"resume a transfer that brings under {STALLED_BYTES} B/s for so long"
    stall = f"{slow} (default: {STALLED_SECONDS})"
    add("--stall", type=int, default=STALLED_SECONDS, metavar="SECONDS", help=stall)
    settings = parser.parse_args()
    if settings.jobs < 1 or settings.attempts < 1 or settings.stall < 1 or settings.pause < 0:
        parser.error("--jobs, --attempts and --stall are at least 1, --pause at least 0")
    return settings


def interrupt(*_):
    """Ends the program with all its threads; the next one goes on from what they have, as after SIGKILL."""
    line = CLEAR_LINE if sys.stderr.isatty() else ""
    line += "download_graphs: interrupted; the same command goes on from there\n"
    os.write(sys.stderr.fileno(), line.encode())
    os._exit(INTERRUPTED)


def main():
    settings = read_settings()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    entries = {}
    for path in settings.list:
        for entry in dataset.read_list(path):
            entries.setdefault(entry.name, entry)
    kept = [entry for entry in entries.values() if not entry.generated]
    remote = [entry for entry in kept if entry.downloadable]
    own = [entry for entry in kept if not entry.downloadable]
    return download(settings, remote, own)
