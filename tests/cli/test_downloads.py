"""Downloads from a server that misbehaves."""

import hashlib
import http.server
import io
import os
import signal
import subprocess
import sys
import tarfile
import threading
import time
import types

from evaluation.campaigns import download as downloads

import pytest

from helpers import BANNER, ROOT, execute, ok, refused
from made_up import graph_row, write_list


def tarball(members, mode="w:gz", kind=tarfile.REGTYPE):
    """An archive of texts by name; of links, which lead to those."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as tar:
        for name, text in members.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.type, entry.linkname = len(text), kind, text[:90]
            tar.addfile(entry, io.BytesIO(text.encode()))
    return data.getvalue()


def one_graph(name, text=BANNER):
    return tarball({f"{name}/{name}.mtx": text})


def incompressible(name):
    """A text that stays large in an archive."""
    return BANNER + "".join(f"% {hashlib.sha256(f'{name} {i}'.encode()).hexdigest()}\n" for i in range(4000))


class Server(http.server.ThreadingHTTPServer):
    """A collection: files by path, and what is wrong with each, so many times."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.faults, self.seen = {}, {}, []
        self.address = f"http://127.0.0.1:{self.server_address[1]}"

    def add(self, name, data=None, **faults):
        path = f"/MM/Tiny/{name}.tar.gz"
        self.files[path] = one_graph(name) if data is None else data
        self.faults[path] = faults

    def ranges(self, name):
        return [span for path, span in self.seen if path == f"/MM/Tiny/{name}.tar.gz"]


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        span = self.headers.get("Range")
        self.server.seen.append((self.path, span))
        data, faults = self.server.files.get(self.path), self.server.faults.setdefault(self.path, {})
        faults["times"] = faults.get("times", 99) - 1
        faulty = faults["times"] >= 0
        if data is None or (faulty and "busy" in faults):
            return self.send_error(404 if data is None else 503)
        first = 0
        resumes = span and not faults.get("no_range")
        if resumes:
            first = int(span.removeprefix("bytes=").partition("-")[0])
        rest = data[first:]
        self.send_response(206 if resumes else 200)
        if resumes:
            self.send_header("Content-Range", f"bytes {first}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(rest) + faults.get("claim", 0)))
        self.end_headers()
        self.wfile.write(rest[: faults.get("piece") if faulty else None])
        if faulty and "hang" in faults:
            time.sleep(600)
        self.server.files[self.path] = faults.get("next", data)
        return None


@pytest.fixture
def server():
    with Server() as running:
        threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True).start()
        yield running
        running.shutdown()


def command(address, to, wanted, *words):
    how = ("--base", address, "--to", to, *words)
    return [str(word) for word in (sys.executable, ROOT / "scripts" / "download_graphs.py", wanted, *how)]


def download(address, to, wanted, *words, **options):
    environment = {**os.environ, "GTRAV_DOWNLOAD_PAUSE": "0.01"}
    return execute(command(address, to, wanted, *words), env=environment, **options)


def list_of(tmp_path, *names):
    return write_list(tmp_path / "list.csv", [graph_row(name) for name in names])


def names_of(folder):
    return sorted(path.name for path in folder.iterdir())


def test_download(server, tmp_path):
    members = {"good/README": "no graph", "good/good_coord.mtx": "another", "good/good.mtx": BANNER}
    server.add("good", tarball(members))
    to = tmp_path / "MM"
    wanted = write_list(tmp_path / "list.csv", [graph_row("good"), graph_row("path:4", "")])
    result = ok(download(server.address, to, wanted))
    assert (to / "good.mtx").read_text() == BANNER
    assert names_of(to) == ["good.mtx"]
    assert "1 of 1 graphs are there" in result.err

    server.seen.clear()  # what is there is left alone
    assert download(server.address, to, wanted).status == 0
    assert server.seen == []


def test_failures_do_not_stop_the_rest(server, tmp_path):
    """A line for each; links in an archive, and names that lead elsewhere, are not followed."""
    secret = str(write_list(tmp_path / "secret", []))
    whole = one_graph("cut", incompressible("cut"))
    reasons = {
        "cut": (whole[: len(whole) // 2], "the archive is damaged"),
        "page": (b"<html>not an archive</html>", "file could not be opened"),
        "other": (tarball({"other/something.mtx": BANNER}), "no other/other.mtx, but other/something.mtx"),
        "evil": (tarball({"../evil.mtx": BANNER, "evil/../evil/evil.mtx": BANNER}), "no evil/evil.mtx"),
        "soft": (tarball({"soft/soft.mtx": secret}, kind=tarfile.SYMTYPE), "no soft/soft.mtx"),
        "hard": (tarball({"hard/hard.mtx": secret}, kind=tarfile.LNKTYPE), "no hard/hard.mtx"),
        "letters": (tarball({"\x1b[2J\r\n\x9b1m": ""}), "but ?[2J???1m"),
    }
    for name, (data, _) in reasons.items():
        server.add(name, data)
    server.add("good")
    to, wanted = tmp_path / "MM", list_of(tmp_path, *reasons, "absent", "good")
    result = refused(download(server.address, to, wanted), "absent: ", "404", "1 of 9 graphs are there", status=1)
    lines = result.err.splitlines()
    for name, (_, reason) in reasons.items():
        assert any(f"] {name}: " in line and reason in line for line in lines), (name, lines)
    assert len(lines) == len(reasons) + 3
    assert names_of(to) == [".download", "good.mtx"]
    assert not list(to.glob(".download/*.part")) and not (tmp_path / "evil.mtx").exists()


def test_one_wrong_bit(server, tmp_path):
    """Anywhere: in the graph's own bytes, behind them, or in the archive's checksum."""
    for name, where in {"a": 0.1, "b": 0.9, "c": 0.99999}.items():
        data = bytearray(tarball({f"{name}/{name}.mtx": incompressible(name), "more": incompressible("more")}))
        data[int(len(data) * where)] ^= 4
        server.add(name, bytes(data))
    result = refused(download(server.address, tmp_path / "MM", list_of(tmp_path, *"abc")), "0 of 3", status=1)
    assert result.err.count("the archive is damaged") == 3
    assert server.ranges("a") == server.ranges("b") == server.ranges("c") == [None, None]  # once more, from the start


def test_cut_off_transfers_are_resumed(server, tmp_path):
    """From the last byte that is here; from the start where the server has another version or cannot do that."""
    old, new = incompressible("old"), incompressible("new")
    data = one_graph("long", new)
    server.add("long", data, piece=len(data) // 4)
    server.add("other", one_graph("other", old), piece=1000, times=1, next=one_graph("other", new))
    server.add("odd", one_graph("odd", new), piece=1000, times=2, no_range=True)
    server.add("busy", one_graph("busy", new), busy=True, times=2)
    names = ("long", "other", "odd", "busy")
    ok(download(server.address, tmp_path / "MM", list_of(tmp_path, *names)))
    assert [(tmp_path / "MM" / f"{name}.mtx").read_text() == new for name in names] == [True] * 4
    starts = [len(data) // 4 * k for k in (1, 2, 3)]
    assert server.ranges("long")[:4] == [None, *(f"bytes={start}-" for start in starts)]
    assert server.ranges("other") == [None, "bytes=1000-", None]
    assert server.ranges("odd") == [None, "bytes=1000-", None]


def test_attempts_that_bring_nothing_end(server, tmp_path):
    server.add("odd", one_graph("odd", incompressible("odd")), piece=1000, no_range=True)
    server.add("busy", busy=True)
    server.add("short", claim=100)
    names = ("odd", "busy", "short")
    result = refused(download(server.address, tmp_path / "MM", list_of(tmp_path, *names)), "503", status=1)
    assert result.err.count("given up after 5 attempts that brought nothing") == 3
    assert [len(server.ranges(name)) for name in names] == [6, 5, 6]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_interrupted(number, status, server, tmp_path):
    data = one_graph("slow", incompressible("slow"))
    server.add("slow", data, piece=len(data) // 2, hang=True, times=1)
    to, wanted = tmp_path / "MM", list_of(tmp_path, "slow")
    process = subprocess.Popen(command(server.address, to, wanted), stderr=subprocess.PIPE, text=True)
    part = to / ".download" / "slow.tar.gz"
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline and not (part.is_file() and part.stat().st_size == len(data) // 2):
        time.sleep(0.02)
    refused(download(server.address, to, wanted), "another download", status=1)
    process.send_signal(number)
    _, complaints = process.communicate(timeout=600)
    assert process.returncode == status
    assert status != 130 or complaints == "download_graphs: interrupted; the same command goes on from there\n"
    assert not (to / "slow.mtx").exists()

    ok(download(server.address, to, wanted))
    assert server.ranges("slow") == [None, f"bytes={len(data) // 2}-"]
    assert (to / "slow.mtx").read_text() == incompressible("slow")
    assert names_of(to) == ["slow.mtx"]


def test_what_is_no_graph_does_not_count_as_there(server, tmp_path):
    """Neither what is there already, which is left alone, nor what comes."""
    texts = {
        "": "it is empty",
        "<!DOCTYPE html>\n": "it is a web page",
        "3 3 2\n2 1\n": "it does not begin with %%MatrixMarket",
    }
    to = tmp_path / "MM"
    to.mkdir()
    for i, text in enumerate(texts):
        (to / f"there{i}.mtx").write_text(text)
        server.add(f"comes{i}", one_graph(f"comes{i}", text))
    names = [f"{which}{i}" for which in ("there", "comes") for i in range(3)]
    result = refused(download(server.address, to, list_of(tmp_path, *names)), "0 of 6 graphs", status=1)
    for i, why in enumerate(texts.values()):
        assert f"there{i}.mtx is no graph: {why}; delete it" in result.err
        assert f"comes{i}: the downloaded file is not a graph: {why}\n" in result.err
    assert names_of(to) == [".download", "there0.mtx", "there1.mtx", "there2.mtx"]


def test_what_does_not_fit_on_the_disk(server, tmp_path, monkeypatch):
    server.add("huge", claim=1 << 60)
    server.add("small")
    result = download(server.address, tmp_path / "MM", list_of(tmp_path, "huge", "small"))
    refused(result, "huge.tar.gz: it does not fit: ", "1 of 2 graphs are there", status=1)
    assert names_of(tmp_path / "MM") == ["small.mtx"]

    (tmp_path / "large.tar.gz").write_bytes(one_graph("large", incompressible("large")))
    monkeypatch.setattr(downloads.shutil, "disk_usage", lambda _: types.SimpleNamespace(free=1000))
    with pytest.raises(downloads.DownloadError, match=r"it takes 0\.2\d* MB, and 0\.001 MB are free"):
        downloads.extract(tmp_path / "large.tar.gz", "large/large.mtx", tmp_path / "large.mtx")


def test_from_a_local_folder(tmp_path):
    names = {"a": "MM/Tiny", "b": "Tiny", "c": "."}
    for name, layout in names.items():
        folder = tmp_path / "mirror" / layout
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.tar.gz").write_bytes(one_graph(name))
    result = download(tmp_path / "mirror", tmp_path / "MM", list_of(tmp_path, *names, "gone"))
    refused(result, f"gone: not in {tmp_path / 'mirror'}", status=1)
    assert names_of(tmp_path / "MM") == ["a.mtx", "b.mtx", "c.mtx"]
    assert (tmp_path / "mirror" / "c.tar.gz").is_file()
    assert download(tmp_path / "nowhere", tmp_path / "MM", list_of(tmp_path, "a")).status == 2


def test_addresses_and_formats_of_ones_own(server, tmp_path):
    server.files["/a/web[1-2].txt"] = b"0 1\n1 2\n"
    server.files["/b/graph.tar.bz2"] = tarball({"b/out.b": "1 2\n"}, "w:bz2")
    server.files["/c/graph.tar.xz"] = tarball({"c/c.mtx": BANNER}, "w:xz")
    paths = ("a/web[1-2].txt", "b/graph.tar.bz2#b/out.b", "c/graph.tar.xz")
    rows = [f"{path[0]},{server.address}/{path}\n" for path in paths] + [f"d,file://{tmp_path}/list.csv\n"]
    (tmp_path / "list.csv").write_text("".join(["name,download_path\n", *rows]))
    result = download(server.address, tmp_path / "MM", tmp_path / "list.csv", "--jobs", "1")
    refused(result, "d: file://", "disabled", "3 of 4", status=1)
    assert names_of(tmp_path / "MM") == ["a.txt", "b.txt", "c.mtx"]
    assert (tmp_path / "MM" / "b.txt").read_text() == "1 2\n"


def test_stand_ins_of_what_could_not_be_had_are_named(server, tmp_path):
    server.add("good")
    rows = [graph_row("good", stand_in="road:5"), graph_row("gone", stand_in="road:6"), graph_row("other")]
    wanted = write_list(tmp_path / "list.csv", rows)
    words = "generated graphs that can stand in: road:5 for good, road:6 for gone"
    refused(download("http://127.0.0.1:9", tmp_path / "MM", wanted), "no network", words, status=4)
    assert not (tmp_path / "MM").exists()
    result = refused(download(server.address, tmp_path / "MM", wanted), status=1)
    assert result.err.splitlines()[-1].endswith("generated graphs that can stand in: road:6 for gone")
