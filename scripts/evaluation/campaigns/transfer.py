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


def curl(take, *arguments):
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
        while piece := os.read(process.stdout.fileno(), CHUNK):
            take(piece)
        complaints, _, http = process.stderr.read().decode(errors="replace").rpartition("\n")
    lines = complaints.strip().splitlines()
    return process.returncode, http, lines[-1] if lines else f"curl ended with {process.returncode}"


def look_up(url):
    """The size that the server tells, or None."""
    pieces = []
    code, http, why = curl(pieces.append, "--head", "--fail", "--max-time", str(HEAD_SECONDS), url)
    if code == CURL_HTTP and http not in HTTP_TRY_AGAIN | HTTP_NO_HEAD:
        raise DownloadError(f"{url}: {why}")
    headers = b"".join(pieces).decode("latin-1").replace("\r", "").strip()
    last = headers.split("\n\n")[-1]  # after those of redirections
    found = re.findall(r"(?im)^content-length:\s*(\d+)\s*$", last)
    return int(found[-1]) if code == 0 and found else None


def fetch(settings, url, part, size):
    """Gets the file, in as many attempts as it takes as long as they bring something."""
    stall = ("--speed-limit", str(STALLED_BYTES), "--speed-time", str(settings.stall))
    fruitless, most, pause = 0, length(part), settings.pause
    while size is None or length(part) != size:
        if size is not None and length(part) > size:
            part.unlink()
        resume = ("--continue-at", str(length(part))) if length(part) else ()
        with open(part, "ab", buffering=0) as out:
            code, http, why = curl(out.write, "--fail", *stall, *resume, url)
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
