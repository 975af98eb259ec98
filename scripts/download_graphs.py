#!/usr/bin/env python3
"""Downloads the graphs of a dataset list from the SuiteSparse Matrix Collection to dataset/MM/NAME.mtx.

Graphs that are there already are left alone; a graph gets its final name only when it is complete.
Exit status: 0 all there, 1 some could not be had, 2 bad usage or list, 4 no network (nothing was tried).
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zlib
from pathlib import Path

import dataset

BASE = "https://sparse.tamu.edu"
CONNECT_SECONDS = 5
STALLED_SECONDS = 60  # give up on a transfer that brings under STALLED_BYTES a second for so long
STALLED_BYTES = 1000
EXIT_NO_NETWORK = 4
# curl's exit codes for nobody there: proxy or host not resolved, not connected, time-out, TLS refused.
CURL_UNREACHABLE = {5, 6, 7, 28, 35}


class DownloadError(Exception):
    """One graph could not be had; the message is one line."""


def say(text):
    print(f"download: {text}", file=sys.stderr)


def curl(*arguments):
    command = ["curl", "--silent", "--show-error", "--location", "--connect-timeout", str(CONNECT_SECONDS)]
    return subprocess.run(
        [*command, *arguments], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )


def why(result):
    lines = result.stderr.strip().splitlines()
    return lines[-1] if lines else f"curl ended with status {result.returncode}"


def check_network(base):
    """Raises ConnectionError where nothing answers at the address, whatever it answers."""
    result = curl("--head", "--max-time", str(2 * CONNECT_SECONDS), base)
    if result.returncode in CURL_UNREACHABLE:
        raise ConnectionError(why(result))


def fetch(url, archive):
    stall = ("--speed-limit", str(STALLED_BYTES), "--speed-time", str(STALLED_SECONDS))
    result = curl("--fail", "--retry", "2", *stall, "--output", str(archive), url)
    if result.returncode != 0:
        raise DownloadError(f"{url}: {why(result)}")


def extract(archive, member_name, target):
    """Copies exactly one member out of the archive; nothing else in it can go anywhere."""
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with tarfile.open(archive, "r|gz") as tar:
            member = next(
                (m for m in tar if m.name in (member_name, f"./{member_name}") and m.isfile()), None
            )
            if member is None:
                raise DownloadError(f"the archive has no {member_name}")
            with open(partial, "wb") as out:
                shutil.copyfileobj(tar.extractfile(member), out, 1 << 20)
        if partial.stat().st_size != member.size:
            raise DownloadError("the archive is cut off")
        os.replace(partial, target)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise DownloadError(f"the archive is damaged: {error}") from error
    finally:
        partial.unlink(missing_ok=True)


def download(entry, base, folder):
    with tempfile.TemporaryDirectory(prefix=".download-", dir=folder) as work:
        archive = Path(work) / "archive.tar.gz"
        fetch(f"{base}/{entry.download_path}", archive)
        extract(archive, f"{entry.name}/{entry.name}.mtx", entry.file(folder))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("list", nargs="+", help="dataset list (CSV), such as dataset/warpnet_list.csv")
    parser.add_argument("--base", default=BASE, help=f"the collection's address (default: {BASE})")
    parser.add_argument("--to", type=Path, default=dataset.GRAPHS, help="folder (default: dataset/MM)")
    arguments = parser.parse_args()

    entries = [entry for path in arguments.list for entry in dataset.read_list(path) if entry.group]
    wanted = [entry for entry in entries if not entry.file(arguments.to).is_file()]
    if not wanted:
        say(f"all {len(entries)} graphs are there")
        return 0
    base = arguments.base.rstrip("/")
    try:
        check_network(base)
    except FileNotFoundError:
        say("curl is not installed; scripts/setup.sh installs it")
        return EXIT_NO_NETWORK
    except ConnectionError as error:
        say(f"no network: {error}; {len(wanted)} of {len(entries)} graphs are missing")
        return EXIT_NO_NETWORK

    arguments.to.mkdir(parents=True, exist_ok=True)
    failed = 0
    for number, entry in enumerate(wanted, 1):
        say(f"[{number}/{len(wanted)}] {entry.name}")
        try:
            download(entry, base, arguments.to)
        except (DownloadError, OSError) as error:
            say(f"{entry.name}: {error}")
            failed += 1
    say(f"{len(entries) - failed} of {len(entries)} graphs are there")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except dataset.ListError as error:
        say(error)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
