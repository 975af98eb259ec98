"""archives.py: extracts a graph from its archive, and keeps checksums of the extracted files."""

import bz2
import gzip
import hashlib
import lzma
import os
import re
import tarfile
import threading
import zlib

from evaluation.campaigns.transfer import CHUNK, DownloadError, check_space, in_words, length
from evaluation.files import rows_if_any, write_atomically
from evaluation.text_tables import as_csv

LONGEST_SHOWN = 80  # characters of a member's name in a message
HEAD_BYTES = 1 << 12  # size of the part of a graph's file that is checked
MOST_PER_ARCHIVE = 1000  # largest ratio of the sizes of a graph and its archive


class DamagedError(DownloadError):
    """The download is not a complete archive."""


def decompressed(archive):
    """Returns the archive as an uncompressed stream, which unlike tarfile's own checks what it reads."""
    with open(archive, "rb") as file:
        start = file.read(6)
    for magic, module in ((b"\x1f\x8b", gzip), (b"BZh", bz2), (b"\xfd7zXZ\x00", lzma)):
        if start.startswith(magic):
            return module.open(archive)
    raise DamagedError("it is no archive, neither gzip, bzip2 nor xz")


def find_member(tar, name):
    """Returns the regular file of exactly this name; nothing else in the archive is extracted."""
    others = []
    for member in tar:
        if member.name in (name, f"./{name}") and member.isreg():
            return member
        others.append(member.name[:LONGEST_SHOWN])
    raise DownloadError(f"the archive has no {name}, but {', '.join(others[:3]) or 'nothing'}")


def copy(source, target):
    """Copies a stream. Returns its SHA-256."""
    digest = hashlib.sha256()
    while chunk := source.read(CHUNK):
        digest.update(chunk)
        target.write(chunk)
    return digest.hexdigest()


def extract(archive, name, partial):
    """Writes the member to a file. Returns its SHA-256. The archive is read to its end, where its own checksum is.
    On a damaged archive tarfile raises many kinds of errors; each becomes a DamagedError."""
    try:
        with decompressed(archive) as file, tarfile.open(fileobj=file, mode="r|") as tar:
            member = find_member(tar, name)
            if member.size > length(archive) * MOST_PER_ARCHIVE:
                raise DownloadError(f"the archive unpacks to {in_words(member.size)}, which is no such graph")
            check_space(partial.parent, member.size)
            with open(partial, "wb") as out:
                digest = copy(tar.extractfile(member), out)
            while file.read(CHUNK):
                pass
        if length(partial) != member.size:
            raise DamagedError("the archive is damaged: it is cut off")
        return digest
    except DownloadError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:  # an error of the disk, not of the archive
            raise
        raise DamagedError(f"the archive is damaged: {error or type(error).__name__}") from error


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


def sha256(path):
    with open(path, "rb") as file, open(os.devnull, "wb") as nowhere:
        return copy(file, nowhere)


class Checksums:
    """checksums.csv: each file's size and SHA-256 at its first download."""

    COLUMNS = ("file", "bytes", "sha256")

    def __init__(self, folder):
        self.path = folder / "checksums.csv"
        self.lock = threading.Lock()
        rows = rows_if_any(self.path, self.COLUMNS, ("bytes",))
        self.rows = {row["file"]: (int(row["bytes"]), row["sha256"]) for row in rows}

    def keep(self, path, digest):
        with self.lock:
            self.rows[path.name] = (length(path), digest)
            rows = [[name, *row] for name, row in sorted(self.rows.items())]
            write_atomically(self.path, as_csv(self.COLUMNS, rows))

    def check(self, path, whole):
        """Raises DownloadError if the file differs in size, or if whole in SHA-256, from its first download.
        Files that were not downloaded are not checked."""
        size, digest = self.rows.get(path.name, (length(path), None))
        if length(path) != size or (whole and digest and sha256(path) != digest):
            how = f"delete it to download it again, or its line in {self.path} to keep it"
            raise DownloadError(f"{path} is not the file that was downloaded; {how}")
