"""Downloads the graphs of dataset lists to dataset/MM/: those that are not there, several at a time.

A list is a CSV file; dataset/README.md says what stands in it, and how to make one of your own graphs. Graphs
come from the SuiteSparse Matrix Collection or the address in the list, from a mirror or from a local folder
(--base). A graph gets its final name only when it is complete. What is cut off goes on where it was, by
itself and after Ctrl-C with the same command. checksums.csv, beside the graphs, keeps the SHA-256 of each at
its first download; a file that was touched since, or that a later download brings, must have the same.

Exit status: 0 all there, 1 some could not be had, 2 bad usage or list, 4 no network (nothing was tried),
130 interrupted.
"""

import argparse
import bz2
import csv
import fcntl
import gzip
import hashlib
import lzma
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from evaluation import dataset
from evaluation.command import say
from evaluation.records import write_atomically

BASE = "https://sparse.tamu.edu"
CONNECT_SECONDS = 5
HEAD_SECONDS = 30
STALLED_SECONDS = 60  # a transfer that brings under STALLED_BYTES a second for so long is cut off and resumed
STALLED_BYTES = 1000
FRUITLESS_ATTEMPTS = 5  # after so many in a row that brought nothing new a graph is given up
FIRST_PAUSE_SECONDS = 1.0  # before the second of them; doubles with each
LONGEST_PAUSE_SECONDS = 60.0
LOOK_SECONDS = 0.1
TOLD_EVERY_SECONDS = 60  # how it stands, where there is no terminal to redraw a line on
CHUNK = 1 << 20
EXIT_NO_NETWORK = 4

CHECKSUMS = "checksums.csv"
WORK = ".download"  # archives under way, below the graphs' folder

# curl's exit codes: nobody there (proxy or host not resolved, not connected, time-out, TLS refused), an error
# that the server told, and one that cannot send from the middle.
CURL_UNREACHABLE = {5, 6, 7, 28, 35}
CURL_HTTP = 22
CURL_NO_RANGE = 33
HTTP_NO_RANGE = "416"
HTTP_TRY_AGAIN = {"408", "425", "429", "500", "502", "503", "504", HTTP_NO_RANGE}
HTTP_NO_HEAD = {"403", "405", "501"}  # of a server that may still send the file

# Of the text that is unpacked, guessed before there is more than the list and the archive to go by.
TEXT_PER_ARCHIVE = 6
BYTES_PER_VALUE = 8


class DownloadError(Exception):
    """One graph could not be had; the message is one line."""


class DamagedError(DownloadError):
    """What was downloaded is no whole archive."""


class NoMemberError(DownloadError):
    """The archive is whole, and has not the file that is wanted."""


class Stopped(Exception):
    """The user has interrupted it all."""


def in_words(size):
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.3g} TB"


# ---- curl ----


def curl(stop, take, *arguments):
    """Gives what comes to take, a piece at a time; its exit status, the HTTP status, its last complaint.

    The pieces come through a pipe, so that curl ends where this program is killed."""
    limits = ("--connect-timeout", str(CONNECT_SECONDS), "--proto", "=http,https,ftp,ftps")
    told = ("--silent", "--show-error", "--no-buffer", "--write-out", "%{stderr}\n%{http_code}")
    process = subprocess.Popen(
        ["curl", *told, "--location", *limits, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        while not stop.is_set():
            ready, _, _ = select.select([process.stdout], [], [], LOOK_SECONDS)
            piece = os.read(process.stdout.fileno(), CHUNK) if ready else None
            if piece == b"":
                break
            if piece:
                take(piece)
        else:
            process.terminate()
            raise Stopped
        complaints, _, http = process.stderr.read().decode(errors="replace").rpartition("\n")
    lines = complaints.strip().splitlines()
    return process.returncode, http, lines[-1] if lines else f"curl ended with {process.returncode}"


def look_up(stop, url):
    """The size that the server tells, or None."""
    pieces = []
    code, http, why = curl(stop, pieces.append, "--head", "--fail", "--max-time", str(HEAD_SECONDS), url)
    if code == CURL_HTTP and http not in HTTP_TRY_AGAIN | HTTP_NO_HEAD:
        raise DownloadError(f"{url}: {why}")
    headers = b"".join(pieces).decode("latin-1").replace("\r", "").strip()
    last = headers.split("\n\n")[-1]  # after those of redirections
    found = re.findall(r"(?im)^content-length:\s*(\d+)\s*$", last)
    return int(found[-1]) if code == 0 and found else None


def fetch(stop, settings, url, part, size):
    """Gets the file, in as many attempts as it takes as long as they bring something."""
    stall = ("--speed-limit", str(STALLED_BYTES), "--speed-time", str(settings.stall))
    fruitless, most, pause = 0, length(part), settings.pause
    while size is None or length(part) != size:
        if size is not None and length(part) > size:
            part.unlink()
        resume = ("--continue-at", str(length(part))) if length(part) else ()
        with open(part, "ab", buffering=0) as out:
            code, http, why = curl(stop, out.write, "--fail", *stall, *resume, url)
        if code == 0 and size in (None, length(part)):
            return
        if code == 0:
            why = f"{length(part)} bytes came instead of {size}"
        if code == CURL_HTTP and http not in HTTP_TRY_AGAIN:
            raise DownloadError(f"{url}: {why}")
        if code == CURL_NO_RANGE or http == HTTP_NO_RANGE:
            part.unlink()
        if length(part) > most:
            fruitless, most, pause = 0, length(part), settings.pause
        else:
            fruitless += 1
        if fruitless >= settings.attempts:
            raise DownloadError(f"{url}: given up after {fruitless} attempts that brought nothing: {why}")
        if stop.wait(pause):
            raise Stopped
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


def length(path):
    return path.stat().st_size if path.is_file() else 0


# ---- archives ----


def decompressed(archive):
    """The archive as an uncompressed stream; unlike tarfile's own, these check what they read."""
    with open(archive, "rb") as file:
        start = file.read(6)
    for magic, module in ((b"\x1f\x8b", gzip), (b"BZh", bz2), (b"\xfd7zXZ\x00", lzma)):
        if start.startswith(magic):
            return module.open(archive)
    raise DamagedError("it is no archive, neither gzip, bzip2 nor xz")


def find_member(tar, name):
    """The regular file of exactly this name; nothing else in the archive can go anywhere."""
    others = []
    for member in tar:
        if member.name in (name, f"./{name}") and member.isreg():
            return member
        others.append(member.name)
    raise NoMemberError(f"the archive has no {name}, but {', '.join(others[:3]) or 'nothing'}")


def copy(stop, source, target):
    """Copies a stream; its SHA-256."""
    digest = hashlib.sha256()
    while chunk := source.read(CHUNK):
        if stop.is_set():
            raise Stopped
        digest.update(chunk)
        target.write(chunk)
    return digest.hexdigest()


def extract(stop, archive, name, partial):
    """Writes the member to a file; its SHA-256. The archive is read to the end, where its own checksum is."""
    try:
        with decompressed(archive) as stream, tarfile.open(fileobj=stream, mode="r|") as tar:
            member = find_member(tar, name)
            free = shutil.disk_usage(partial.parent).free
            if member.size > free:
                raise DownloadError(f"it is {in_words(member.size)}, and {in_words(free)} are free")
            with open(partial, "wb") as out:
                digest = copy(stop, tar.extractfile(member), out)
            while stream.read(CHUNK):
                if stop.is_set():
                    raise Stopped
        if length(partial) != member.size:
            raise DamagedError("the archive is damaged: it is cut off")
        return digest
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise DamagedError(f"the archive is damaged: {error}") from error
    except OSError as error:
        if error.errno is not None:  # of the disk, not of what is in the archive
            raise
        raise DamagedError(f"the archive is damaged: {error}") from error


def sha256(stop, path):
    with open(path, "rb") as file, open(os.devnull, "wb") as nowhere:
        return copy(stop, file, nowhere)


# ---- checksums ----


class Checksums:
    """checksums.csv: each file's size and SHA-256 at its first download, and when it was changed last."""

    COLUMNS = ("file", "bytes", "sha256", "changed_ns")

    def __init__(self, folder):
        self.path = folder / CHECKSUMS
        self.lock = threading.Lock()
        self.rows = {}
        if self.path.is_file():
            try:
                with open(self.path, newline="", encoding="utf-8") as file:
                    for row in csv.DictReader(file, strict=True):
                        self.rows[row["file"]] = (int(row["bytes"]), row["sha256"], int(row["changed_ns"]))
            except (KeyError, TypeError, ValueError, csv.Error) as error:
                raise dataset.ListError(f"{self.path}: not a file of checksums; remove it") from error

    def known(self, path):
        return self.rows.get(path.name)

    def keep(self, path, digest):
        state = path.stat()
        with self.lock:
            self.rows[path.name] = (state.st_size, digest, state.st_mtime_ns)
            lines = [",".join(self.COLUMNS)]
            lines += [f"{name},{','.join(map(str, row))}" for name, row in sorted(self.rows.items())]
            write_atomically(self.path, "\n".join(lines) + "\n")

    def check(self, stop, path, whole):
        """Raises DownloadError where the file is not what was downloaded first. One not touched since is
        believed, unless whole; one that is not from here has no checksum."""
        known = self.known(path)
        if known is None:
            return
        size, digest, changed = known
        state = path.stat()
        if state.st_size == size and state.st_mtime_ns == changed and not whole:
            return
        if state.st_size != size or sha256(stop, path) != digest:
            raise DownloadError(
                f"{path} is not what was downloaded; delete it to download it again, or its line in "
                f"{CHECKSUMS} to keep it"
            )
        self.keep(path, digest)


# ---- a graph ----


@dataclass
class Job:
    """A graph that is to be had."""

    entry: dataset.Entry
    url: Optional[str]  # None: the archive is here
    archive: Path  # once it is here; beforehand what there is of it
    size: Optional[int] = None  # of the archive
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

    @property
    def archive_bytes(self):
        """What is still to come of it."""
        return max((self.size or 0) - length(self.archive), 0) if self.url else 0


def plan(stop, entry, base, work):
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
            job.size = look_up(stop, job.url)
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
            job.error = f"it takes about {in_words(job.text_bytes + job.archive_bytes)}, and of "
            job.error += (
                f"{in_words(free)} free the graphs before it take {in_words(taken)}; --to names a folder"
            )
        else:
            taken, archives = taken + job.text_bytes, more
    return all_bytes


def unpack(stop, job, partial):
    """The graph's text, as a file that has not its name yet; its SHA-256."""
    try:
        if job.entry.member:
            return extract(stop, job.archive, job.entry.member, partial)
        with open(job.archive, "rb") as source, open(partial, "wb") as out:
            return copy(stop, source, out)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def get_text(stop, settings, job, partial):
    """Fetches and unpacks; an archive that turns out damaged is fetched once more, from its start: it may be
    made of pieces of two that the server had one after the other."""
    for again in (True, False):
        if job.url:
            fetch(stop, settings, job.url, job.archive, job.size)
        try:
            return unpack(stop, job, partial)
        except (DamagedError, NoMemberError) as error:
            if job.url:
                job.archive.unlink(missing_ok=True)
            if not (job.url and again and isinstance(error, DamagedError)):
                raise
    return None


def get(stop, settings, job, checksums):
    """Has the graph under its name, and its checksum known; its size."""
    target = job.entry.file(settings.to)
    partial = settings.to / WORK / f"{target.name}.part"
    digest = get_text(stop, settings, job, partial)
    known = checksums.known(target)
    if known and known[1] != digest:
        partial.unlink()
        raise DownloadError(
            "its SHA-256 is not that of the first download; if the collection has changed the graph, remove "
            f"the line of {target.name} from {checksums.path}"
        )
    os.replace(partial, target)
    checksums.keep(target, digest)
    if job.url:
        job.archive.unlink()
    return length(target)


# ---- all of them ----


class Progress:
    """How it stands: on a terminal one line, redrawn; else a line now and then."""

    def __init__(self, jobs, enabled):
        self.jobs, self.enabled = jobs, enabled
        self.on_terminal = enabled and sys.stderr.isatty()
        self.had = sum(length(job.archive) for job in jobs if job.url)
        self.began = time.monotonic()
        self.brought = {}  # of archives that are unpacked and gone
        self.done = self.failed = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.over.wait(1 if self.on_terminal else TOLD_EVERY_SECONDS):
            self.draw()

    def draw(self):
        sizes = {job.entry.name: length(job.archive) for job in self.jobs if job.url}
        here = sum(self.brought.get(name, size) for name, size in sizes.items())
        total = sum(job.size or 0 for job in self.jobs if job.url)
        speed = (here - self.had) / max(time.monotonic() - self.began, 1)
        under_way = [
            f"{job.entry.name} {100 * sizes[job.entry.name] / job.size:.0f} %"
            for job in self.jobs
            if job.url and job.size and sizes[job.entry.name] and job.entry.name not in self.brought
        ]
        counts = f"{self.done} of {len(self.jobs)} graphs" + (
            f", {self.failed} failed" if self.failed else ""
        )
        sizes_told = f"{in_words(here)} of {in_words(total)}, {in_words(speed)}/s"
        text = "; ".join([counts, sizes_told, *under_way[:4]])
        if self.on_terminal:
            width = shutil.get_terminal_size().columns
            sys.stderr.write(f"\r\x1b[K{text[: width - 1]}")
            sys.stderr.flush()
        elif self.enabled:
            say(text)

    def tell(self, text):
        if self.on_terminal:
            sys.stderr.write("\r\x1b[K")
        say(text)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        if self.on_terminal:
            sys.stderr.write("\r\x1b[K")


def get_all(stop, settings, jobs, checksums, progress):
    """Gets the graphs that have no error yet; how many of them came."""
    with ThreadPoolExecutor(settings.jobs) as pool:
        began = time.monotonic()
        wanted = sorted((job for job in jobs if job.error is None), key=lambda job: job.size or 0)
        running = {pool.submit(get, stop, settings, job, checksums): job for job in wanted}
        try:
            for future in as_completed(running):
                job = running[future]
                number = f"[{progress.done + progress.failed + 1}/{len(jobs)}] {job.entry.name}"
                try:
                    size = future.result()
                    progress.done += 1
                    progress.tell(f"{number}: {in_words(size)}, after {time.monotonic() - began:.0f} s")
                except (DownloadError, OSError) as error:
                    job.error = str(error)
                    progress.failed += 1
                    progress.tell(f"{number}: {error}")
                progress.brought[job.entry.name] = job.size or 0
        except (KeyboardInterrupt, Stopped):
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return progress.done


def check_network(stop, base):
    """Raises ConnectionError where nothing answers at the address, whatever it answers."""
    code, _, why = curl(stop, [].append, "--head", "--max-time", str(2 * CONNECT_SECONDS), base)
    if code in CURL_UNREACHABLE:
        raise ConnectionError(why)


def check_here(stop, settings, entries, checksums):
    """Those that are not here, and how many that are here are not what they were."""
    wanted, changed = [], 0
    for entry in entries:
        if not entry.file(settings.to).is_file():
            wanted.append(entry)
            continue
        try:
            checksums.check(stop, entry.file(settings.to), settings.check)
        except DownloadError as error:
            say(f"{entry.name}: {error}")
            changed += 1
    return wanted, changed


def download(stop, settings, entries, own):
    """All that is asked for; the exit status."""
    checksums = Checksums(settings.to)
    missing = [entry for entry in own if not entry.file(settings.to).is_file()]
    for entry in missing:
        say(f"{entry.name}: no such graph in {settings.to}; {entry.where_to_get()}")
    wanted, changed = check_here(stop, settings, entries, checksums)
    lacking = len(missing) + changed
    num_all = len(entries) + len(own)
    if not wanted:
        say(
            f"{num_all - lacking} of {num_all} graphs are there"
            if lacking
            else f"all {num_all} graphs are there"
        )
        return 1 if lacking else 0
    if not isinstance(settings.base, Path):
        try:
            check_network(stop, settings.base)
        except FileNotFoundError:
            say("curl is not installed; scripts/setup.sh installs it")
            return EXIT_NO_NETWORK
        except ConnectionError as error:
            say(f"no network: {error}; {len(wanted)} of {num_all} graphs are missing")
            return EXIT_NO_NETWORK

    work = settings.to / WORK
    work.mkdir(parents=True, exist_ok=True)
    with open(work / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another download to {settings.to} is under way")
            return 1
        with ThreadPoolExecutor(settings.jobs) as pool:
            jobs = list(pool.map(lambda entry: plan(stop, entry, settings.base, work), wanted))
        free = shutil.disk_usage(settings.to).free
        needed = too_large(jobs, free, settings.jobs)
        for job in (job for job in jobs if job.error):
            say(f"{job.entry.name}: {job.error}")
        jobs = [job for job in jobs if job.error is None]
        if jobs:
            coming = sum(job.archive_bytes for job in jobs)
            where = settings.base if isinstance(settings.base, Path) else in_words(coming) + " to download"
            say(f"{len(jobs)} graphs, {where}, about {in_words(needed)} on the disk of {in_words(free)} free")
        with Progress(jobs, not settings.quiet) as progress:
            num_got = get_all(stop, settings, jobs, checksums, progress)
    if not any(path.name != "lock" for path in work.iterdir()):
        shutil.rmtree(work)
    lacking += len(wanted) - num_got
    say(f"{num_all - lacking} of {num_all} graphs are there")
    return 1 if lacking else 0


def place(text):
    """--base: an address, or a folder that is here."""
    if re.match(dataset.ADDRESS, text):
        return text.rstrip("/")
    if Path(text).is_dir():
        return Path(text)
    raise argparse.ArgumentTypeError(f"{text} is neither an address nor a folder")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("list", nargs="+", help="dataset list (CSV), such as dataset/warpnet_list.csv")
    parser.add_argument(
        "--base",
        type=place,
        default=BASE,
        metavar="PLACE",
        help=f"address of the collection or of a mirror, or a folder of archives, laid out as there or flat "
        f"(default: {BASE})",
    )
    parser.add_argument("--to", type=Path, default=dataset.GRAPHS, help="folder (default: dataset/MM)")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="so many at a time (default: 4)")
    parser.add_argument("--check", action="store_true", help="read all files that are there, too")
    parser.add_argument("--quiet", action="store_true", help="do not tell meanwhile how it stands")
    parser.add_argument(
        "--attempts",
        type=int,
        default=FRUITLESS_ATTEMPTS,
        metavar="N",
        help=f"give up after N in a row that brought nothing (default: {FRUITLESS_ATTEMPTS})",
    )
    parser.add_argument(
        "--pause",
        type=float,
        default=FIRST_PAUSE_SECONDS,
        metavar="SECONDS",
        help="between the first two of them, then twice as long each time (default: 1)",
    )
    parser.add_argument(
        "--stall",
        type=int,
        default=STALLED_SECONDS,
        metavar="SECONDS",
        help=f"resume a transfer that is under {STALLED_BYTES} bytes a second for so long (default: "
        f"{STALLED_SECONDS})",
    )
    settings = parser.parse_args()
    if settings.jobs < 1 or settings.attempts < 1 or settings.stall < 1 or settings.pause < 0:
        parser.error("--jobs, --attempts and --stall are at least 1, --pause at least 0")

    entries = {}
    for path in settings.list:
        for entry in dataset.read_list(path):
            entries.setdefault(entry.name, entry)
    kept = [entry for entry in entries.values() if not entry.generated]
    stop = threading.Event()

    def interrupt(*_):
        stop.set()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    try:
        return download(
            stop,
            settings,
            [entry for entry in kept if entry.downloadable],
            [entry for entry in kept if not entry.downloadable],
        )
    except (KeyboardInterrupt, Stopped):
        say("interrupted; the same command goes on from there")
        return 130
