"""transfer.py: gets files by curl, which resumes what was cut off."""

import os
import re
import subprocess
import time

CONNECT_SECONDS = 5
HEAD_SECONDS = 30
STALLED_BYTES = 1000  # a transfer that brings less a second for a while is cut off and resumed
LONGEST_PAUSE_SECONDS = 60.0
CHUNK = 1 << 20

# curl's exit codes: nobody there (proxy or host not resolved, not connected, time-out, TLS refused), an error
# that the server told, and one that cannot send from the middle.
CURL_UNREACHABLE = {5, 6, 7, 28, 35}
CURL_HTTP = 22
CURL_NO_RANGE = 33
HTTP_NO_RANGE = "416"
HTTP_TRY_AGAIN = {"408", "425", "429", "500", "502", "503", "504", HTTP_NO_RANGE}
HTTP_NO_HEAD = {"403", "405", "501"}  # of a server that may still send the file


class DownloadError(Exception):
    """One graph could not be had; the message is one line."""


class BadArchiveError(DownloadError):
    """What came cannot be used, and would not be the next time. It is set aside."""


def curl(take, *arguments):
    """Gives what comes to take, a piece at a time; its exit status, the HTTP status, its last complaint.

    The pieces come through a pipe, so that curl ends where this program is killed."""
    limits = ("--connect-timeout", str(CONNECT_SECONDS), "--proto", "=http,https,ftp,ftps")
    reported = ("--silent", "--show-error", "--no-buffer", "--globoff")
    reported += ("--write-out", "%{stderr}\n%{http_code}")
    process = subprocess.Popen(
        ["curl", *reported, "--location", *limits, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        try:
            while piece := os.read(process.stdout.fileno(), CHUNK):
                take(piece)
        except BaseException:
            process.kill()
            raise
        complaints, _, http = process.stderr.read().decode(errors="replace").rpartition("\n")
    lines = complaints.strip().splitlines()
    return process.returncode, http, lines[-1] if lines else f"curl ended with {process.returncode}"


def look_up(url):
    """The size that the server tells, and its name of this version of the file; None: it does not tell."""
    pieces = []
    code, http, why = curl(pieces.append, "--head", "--fail", "--max-time", str(HEAD_SECONDS), url)
    if code == CURL_HTTP and http not in HTTP_TRY_AGAIN | HTTP_NO_HEAD:
        raise DownloadError(f"{url}: {why}")
    headers = b"".join(pieces).decode("latin-1").replace("\r", "").strip()
    last = headers.split("\n\n")[-1] if code == 0 else ""  # after those of redirections
    sizes = re.findall(r"(?im)^content-length:\s*(\d+)\s*$", last)
    # A weak ETag, W/"...", does not promise the same bytes.
    versions = re.findall(r'(?im)^etag:\s*("[^"]*")', last) + re.findall(r"(?im)^last-modified:\s*(.+?)\s*$", last)
    return int(sizes[-1]) if sizes else None, versions[0] if versions else None


def version_file(part):
    """Names the version of the file whose beginning the part is."""
    return part.with_name(f"{part.name}.version")


def version_to_resume(part, version):
    """The version that the rest must have; None: the part cannot be gone on with, and is removed."""
    known = version_file(part).read_text() if version_file(part).is_file() else None
    if known is None or version not in (None, known):
        part.unlink(missing_ok=True)
        version_file(part).unlink(missing_ok=True)
        known = version
    if known is not None:
        version_file(part).write_text(known)
    return known


class Bounded:
    """Takes the pieces of a file of so many bytes at most."""

    def __init__(self, url, part, most):
        self.url, self.part, self.left, self.most = url, part, most - length(part), most

    def take(self, piece):
        self.left -= len(piece)
        if self.left < 0:
            raise BadArchiveError(f"{self.url}: more than {self.most} bytes come, which is all that it can have")
        with open(self.part, "ab", buffering=0) as out:
            out.write(piece)


def fetch(settings, url, part, size, version, most):
    """Gets the file, in as many attempts as it takes as long as they bring something. size, version: as
    look_up() gives them; most: bytes of a file whose size is not known."""
    stall = ("--speed-limit", str(STALLED_BYTES), "--speed-time", str(settings.stall))
    fruitless, brought, pause = 0, length(part), settings.pause
    while True:
        version = version_to_resume(part, version)
        if size is not None and length(part) > size:
            part.unlink()
        if size is not None and length(part) == size:
            return
        here = length(part)
        resume = ("--continue-at", str(here), "--header", f"If-Range: {version}") if here else ()
        take = Bounded(url, part, most if size is None else size).take
        code, http, why = curl(take, "--fail", *stall, *resume, url)
        if code == 0 and size in (None, length(part)):
            return
        if code == 0:
            why = f"{length(part)} bytes came instead of {size}"
        if code == CURL_HTTP and http not in HTTP_TRY_AGAIN:
            raise DownloadError(f"{url}: {why}")
        if code == CURL_NO_RANGE or http == HTTP_NO_RANGE:
            part.unlink(missing_ok=True)
        if length(part) > brought:
            fruitless, brought, pause = 0, length(part), settings.pause
        else:
            fruitless += 1
        if fruitless >= settings.attempts:
            raise DownloadError(f"{url}: given up after {fruitless} attempts that brought nothing: {why}")
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


def length(path):
    return path.stat().st_size if path.is_file() else 0


def why_no_network(base):
    """Why nothing can come from the address; "": something answers there, whatever it answers."""
    try:
        code, _, why = curl([].append, "--head", "--max-time", str(2 * CONNECT_SECONDS), base)
    except FileNotFoundError:
        return "curl is not installed; scripts/setup.sh installs it"
    return f"no network: {why}" if code in CURL_UNREACHABLE else ""
