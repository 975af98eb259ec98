"""Downloads the graphs of dataset lists to dataset/MM/, except those that are there, several at a time.

A list is a CSV file; dataset/README.md describes its columns, and how to make a list of your own graphs. Graphs come
from the SuiteSparse Matrix Collection or the address in the list, from a mirror or from a local folder (--base). A
graph gets its final name only when it is complete. The interrupted download of an archive is resumed, by itself and
after Ctrl-C by the same command. A damaged archive is downloaded once more, and a file that is no graph is refused.
Records name the content of a graph by a hash, which shows if the collection has changed it.

Exit status: 0 all graphs are there, 1 some could not be downloaded, 2 bad usage or list, 4 no network (nothing was
tried), 130 interrupted.
"""

import argparse
import fcntl
import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zlib
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from evaluation import dataset
from evaluation.command import INTERRUPTED, new_parser, say

BASE = "https://sparse.tamu.edu"
MOST_NAMED = 20  # most stand-ins to name in a message
EXIT_NO_NETWORK = 4
WORK = ".download"  # folder of partial archives, below the graphs' folder

# setpriv ends curl with this program. A transfer without new bytes for 60 seconds is ended and resumed.
CURL = ("curl", "--silent", "--show-error", "--globoff", "--proto", "=http,https", "--connect-timeout", "10")
FETCH = ("--fail", "--location", "--no-buffer", "--speed-limit", "1", "--speed-time", "60")
FETCH += ("--write-out", "%{http_code}")
UNTIL_WE_END = ("setpriv", "--pdeathsig", "KILL")
HTTP_TRY_AGAIN = {"408", "416", "425", "429", "500", "502", "503", "504"}
# Exit statuses of curl: an HTTP error, a file that is too large, errors that another attempt does not change, and a
# server that cannot resume.
HTTP_ERROR, TOO_LARGE, FINAL, NO_RANGE = 22, 63, {1, 3, 23, 63}, 33
ATTEMPTS = 5  # a file is given up after so many attempts in a row without new bytes
PAUSE_SECONDS = float(os.environ.get("GTRAV_DOWNLOAD_PAUSE", 1))  # after the first of them; tests shorten it

CHUNK = 1 << 20
LONGEST_SHOWN = 80  # characters of a member's name in a message
HEAD_BYTES = 1 << 12  # size of the part of a graph's file that is checked


class DownloadError(Exception):
    """A graph could not be downloaded; the message is one line."""


class DamagedError(DownloadError):
    """The download is not a complete archive."""


def in_words(size):
    return f"{size / 1e6:,.3g} MB" if size < 1e9 else f"{size / 1e9:,.3g} GB"


def length(path):
    return path.stat().st_size if path.is_file() else 0


# ---- transfers, by curl ----


def attempt(url, part):
    """Downloads the file, or the rest of an archive. Returns (curl's exit status, HTTP status, message).

    The checksums in an archive show whether its parts are of one version; other files have none."""
    if not part.name.endswith(dataset.ARCHIVE_ENDINGS):
        part.unlink(missing_ok=True)
    free = shutil.disk_usage(part.parent).free
    words = [*UNTIL_WE_END, *CURL, *FETCH, "--continue-at", "-", "--max-filesize", free, "--output", part, url]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode == TOO_LARGE:
        return done.returncode, "", f"it does not fit: {in_words(free)} are free; --to names a folder"
    return done.returncode, done.stdout, done.stderr.strip()


def fetch(url, part):
    """Downloads the file, in as many attempts as needed while they bring new bytes."""
    fruitless, brought = 0, length(part)
    while True:
        code, status, message = attempt(url, part)
        if code == 0:
            return
        if code in FINAL or (code == HTTP_ERROR and status not in HTTP_TRY_AGAIN):
            part.unlink(missing_ok=True)
            raise DownloadError(f"{url}: {message}")
        if code == NO_RANGE or status == "416":
            part.unlink(missing_ok=True)
        fruitless = 0 if length(part) > brought else fruitless + 1
        brought = max(brought, length(part))
        if fruitless >= ATTEMPTS:
            raise DownloadError(f"{url}: given up after {fruitless} attempts that brought nothing: {message}")
        time.sleep(PAUSE_SECONDS * 2**fruitless)


# ---- archives ----


def find_member(tar, name):
    """Returns the regular file of exactly this name; nothing else in the archive is extracted."""
    others = []
    for member in tar:
        if member.name in (name, f"./{name}") and member.isreg():
            return member
        others.append(member.name[:LONGEST_SHOWN])
    raise DownloadError(f"the archive has no {name}, but {', '.join(others[:3]) or 'nothing'}")


def extract(archive, name, partial):
    """Writes the member to a file. The archive is read to its end, where its own checksum is. On a damaged archive
    tarfile raises many kinds of errors; each becomes a DamagedError."""
    try:
        with tarfile.open(archive) as tar:
            member, free = find_member(tar, name), shutil.disk_usage(partial.parent).free
            if member.size > free:
                sizes = f"it takes {in_words(member.size)}, and {in_words(free)} are free"
                raise DownloadError(f"{sizes}; --to names a folder")
            with open(partial, "wb") as out:
                shutil.copyfileobj(tar.extractfile(member), out, CHUNK)
            while tar.fileobj.read(CHUNK):
                pass
    except DownloadError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:  # an error of the disk, not of the archive
            raise
        raise DamagedError(f"the archive is damaged: {str(error).splitlines()[0] or type(error).__name__}") from error


def why_no_graph(path):
    """Returns why the file is no graph, judged by its beginning, or "" if it may be one."""
    try:
        with open(path, "rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with (gzip.open if packed else open)(path, "rb") as file:
            head = file.read(HEAD_BYTES).decode("latin-1")
    except (OSError, EOFError, zlib.error) as error:
        return f"it cannot be read: {error}"
    if not head.strip():
        return "it is empty"
    if head.lstrip().startswith("<"):
        return "it is a web page"
    if ".mtx" in path.name and not re.match(r"\s*%%MatrixMarket\s", head, re.IGNORECASE):
        return "it does not begin with %%MatrixMarket"
    return ""


# ---- graphs ----


def archive_in(folder, entry):
    """Returns the graph's archive in a local folder, at its path there or below any folder."""
    path = folder / entry.path
    found = [path] if path.is_file() else sorted(filter(Path.is_file, folder.rglob(path.name)))
    if not found:
        raise DownloadError(f"not in {folder}: {path.name}")
    return found[0]


def unpack(entry, archive, partial):
    """Writes the graph to a file of a temporary name."""
    if entry.member:
        extract(archive, entry.member, partial)
    else:
        shutil.copyfile(archive, partial)
    if why := why_no_graph(partial):
        raise DownloadError(f"the downloaded file is not a graph: {why}")


def fetch_and_unpack(url, entry, archive, partial):
    """Downloads and unpacks a graph. A damaged archive is downloaded once more, from its start."""
    fetch(url, archive)
    try:
        unpack(entry, archive, partial)
    except DamagedError:
        archive.unlink()
        fetch(url, archive)
        unpack(entry, archive, partial)


def get(settings, entry):
    """Downloads a graph. Returns its size."""
    target, work = entry.file(settings.to), settings.to / WORK
    partial = work / f"{target.name}.part"
    try:
        if isinstance(settings.base, Path):
            unpack(entry, archive_in(settings.base, entry), partial)
        else:
            archive = work / f"{entry.name}{''.join(Path(entry.path).suffixes[-2:])}"
            url = entry.path if re.match(dataset.ADDRESS, entry.path) else f"{settings.base}/{entry.path}"
            fetch_and_unpack(url, entry, archive, partial)
            archive.unlink()
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    return target.stat().st_size


def get_all(settings, entries):
    """Downloads the graphs, small ones first, and prints a line for each. Returns how many succeeded."""
    began, came = time.monotonic(), 0
    with ThreadPoolExecutor(settings.jobs) as pool:
        entries = sorted(entries, key=lambda entry: entry.edges or 0)
        running = {pool.submit(get, settings, entry): entry.name for entry in entries}
        for number, future in enumerate(as_completed(running), 1):
            about = f"[{number}/{len(entries)}] {running[future]}"
            try:
                size = in_words(future.result())
                say(f"{about}: {size}, after {time.monotonic() - began:.0f} s")
                came += 1
            except Exception as error:  # any error: the other graphs go on
                say(f"{about}: {error or type(error).__name__}")
    return came


def check_here(settings, entries):
    """Returns (entries to download, number of others that are absent or no graphs)."""
    wanted, lacking = [], 0
    for entry in entries:
        path = entry.file(settings.to)
        if path.is_file():
            why = why_no_graph(path)
            reason = why and f"{path} is no graph: {why}; delete it, and try again"
        elif entry.download_path:
            wanted.append(entry)
            continue
        else:
            reason = f"no such graph in {settings.to}; {entry.where_to_get()}"
        if reason:
            say(f"{entry.name}: {reason}")
            lacking += 1
    return wanted, lacking


def name_stand_ins(settings, entries):
    """Prints which generated graphs replace absent ones."""
    missing = [entry for entry in entries if entry.stand_in and not entry.file(settings.to).is_file()]
    named = [f"{entry.stand_in} for {entry.name}" for entry in missing]
    if named:
        more = f", and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        say(f"generated graphs that can stand in: {', '.join(named[:MOST_NAMED])}{more}")


def download(settings, entries):
    """Downloads everything requested. Returns the exit status."""
    wanted, lacking = check_here(settings, entries)
    if not wanted and not lacking:
        say(f"all {len(entries)} graphs are there")
        return 0
    if wanted:
        if not isinstance(settings.base, Path):  # any server may answer there
            asked = subprocess.run([*CURL, "--output", os.devnull, settings.base], stderr=subprocess.PIPE, text=True)
            if asked.returncode:
                why = f"no network: {settings.base}: {asked.stderr.strip()}"
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
            lacking += len(wanted) - get_all(settings, wanted)
        if not any(path.name != "lock" for path in work.iterdir()):
            shutil.rmtree(work)
    say(f"{len(entries) - lacking} of {len(entries)} graphs are there")
    name_stand_ins(settings, entries)
    return 1 if lacking else 0


def place(text):
    """Reads the value of --base, an address or a folder."""
    if re.match("https?://", text):
        return text.rstrip("/")
    if Path(text).is_dir():
        return Path(text)
    raise argparse.ArgumentTypeError(f"{text} is neither an address nor a folder")


def interrupt(*_):
    """Ends the program with all its threads; the next run resumes their downloads, as after SIGKILL."""
    os.write(sys.stderr.fileno(), b"download_graphs: interrupted; the same command goes on from there\n")
    os._exit(INTERRUPTED)


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("list", nargs="+", help="dataset list (CSV), such as dataset/warpnet_list.csv")
    where = f"address of the collection (default: {BASE}) or of a mirror, or a folder of archives"
    add("--base", type=place, default=BASE, metavar="PLACE", help=where)
    add("--to", type=Path, default=dataset.GRAPHS, help="folder (default: dataset/MM)")
    add("--jobs", type=int, default=4, metavar="N", help="downloads at a time (default: 4)")
    settings = parser.parse_args()
    if settings.jobs < 1:
        parser.error("--jobs is at least 1")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    entries = {}
    for path in settings.list:
        for entry in dataset.read_list(path):
            entries.setdefault(entry.name, entry)
    return download(settings, [entry for entry in entries.values() if not entry.generated])
