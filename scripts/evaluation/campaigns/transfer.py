"""transfer.py: downloads files by HTTP, and resumes interrupted downloads."""

import http.client
import os
import re
import shutil
import socket
import ssl
import time
import urllib.error
import urllib.request

CONNECT_SECONDS = 10  # timeout of the check whether there is a network
SILENT_SECONDS = 60  # a transfer without new bytes for so long is ended and resumed
ATTEMPTS = 5  # a file is given up after so many attempts in a row without new bytes
PAUSE_SECONDS = float(os.environ.get("GTRAV_DOWNLOAD_PAUSE", 1))  # after the first of them; tests set it to 0
CHUNK = 1 << 20
KEPT_FREE = 1 << 30  # bytes of the disk that a file of unknown size must leave free
ADDRESS = r"https?://"

HTTP_TRY_AGAIN = {408, 416, 425, 429, 500, 502, 503, 504}
NETWORK_ERRORS = (
    *(urllib.error.URLError, http.client.HTTPException),
    *(ConnectionError, TimeoutError, socket.timeout, ssl.SSLError),
)


class DownloadError(Exception):
    """A graph could not be downloaded; the message is one line."""


def in_words(size):
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.3g} TB"


def length(path):
    return path.stat().st_size if path.is_file() else 0


def check_space(folder, size):
    """Raises DownloadError if so many bytes do not fit into the folder."""
    free = shutil.disk_usage(folder).free
    if size > free:
        raise DownloadError(f"it takes {in_words(size)}, and {in_words(free)} are free; --to names a folder")


def ask(url, headers, timeout=SILENT_SECONDS):
    """Returns the server's answer, which the caller reads."""
    if not re.match(ADDRESS, url):
        raise DownloadError(f"{url}: neither http:// nor https://")
    request = urllib.request.Request(url, headers={"User-Agent": "gtrav", **headers})
    return urllib.request.urlopen(request, timeout=timeout)


def why_no_network(base):
    """Returns why nothing can be downloaded from the address, or "" if any server answers there."""
    try:
        ask(base, {}, CONNECT_SECONDS).close()
    except urllib.error.HTTPError:
        return ""
    except NETWORK_ERRORS as error:
        return f"no network: {base}: {getattr(error, 'reason', error)}"
    return ""


def version_file(part):
    """Returns the file that holds the server's name for the version of the partial file."""
    return part.with_name(f"{part.name}.version")


def forget(part):
    """Removes a partial file."""
    for path in (part, version_file(part)):
        path.unlink(missing_ok=True)


def version_of(headers):
    """Returns a strong ETag, which promises the same bytes, else the date, or None if the file cannot be resumed."""
    tag = headers.get("ETag", "")
    return tag if tag.startswith('"') else headers.get("Last-Modified")


def attempt(url, part):
    """Downloads the file, or the rest of it if the server still has the same version.

    The rest begins with the last byte of the partial file, so that there is always something to send."""
    known, resume = version_file(part), {}
    if known.is_file() and length(part):
        resume = {"Range": f"bytes={length(part) - 1}-", "If-Range": known.read_text()}
    with ask(url, resume) as answer:
        goes_on = answer.status == http.HTTPStatus.PARTIAL_CONTENT
        if not goes_on:
            forget(part)
            if version := version_of(answer.headers):
                known.write_text(version)
        coming = answer.length  # None if the server does not say
        check_space(part.parent, coming or 0)
        with open(part, "r+b" if goes_on else "wb") as out:
            size = out.seek(-1 if goes_on else 0, os.SEEK_END) + (coming or 0)
            while piece := answer.read1(CHUNK):
                out.write(piece)
                out.flush()
                if coming is None and shutil.disk_usage(part.parent).free < KEPT_FREE:
                    forget(part)
                    raise DownloadError(
                        f"given up after {in_words(out.tell())}: the server does not say the size, and fewer than "
                        f"{in_words(KEPT_FREE)} are free; --to names a folder"
                    )
    if coming is not None and length(part) != size:
        raise ConnectionError(f"{length(part)} bytes came instead of {size}")


def fetch(url, part):
    """Downloads the file, in as many attempts as needed while they bring new bytes."""
    fruitless, brought = 0, length(part)
    while True:
        try:
            return attempt(url, part)
        except urllib.error.HTTPError as error:
            if error.code not in HTTP_TRY_AGAIN:
                raise DownloadError(f"{url}: {error}") from error
            if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                forget(part)
            why = error
        except NETWORK_ERRORS as error:
            why = getattr(error, "reason", error)
        fruitless = 0 if length(part) > brought else fruitless + 1
        brought = max(brought, length(part))
        if fruitless >= ATTEMPTS:
            raise DownloadError(f"{url}: given up after {fruitless} attempts that brought nothing: {why}")
        time.sleep(PAUSE_SECONDS * 2**fruitless)
