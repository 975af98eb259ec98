"""Downloads from a server that misbehaves."""

import contextlib
import gzip
import hashlib
import http.server
import io
import os
import re
import resource
import signal
import subprocess
import sys
import tarfile
import threading
import time

import pytest

from helpers import BANNER, ROOT, Result, graph_row, ok, refused, rows_of, write_list


def tarball(members, mode="w:gz"):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as tar:
        for name, text in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
    return data.getvalue()


def one_graph(name, text=BANNER):
    return tarball({f"{name}/{name}.mtx": text})


def incompressible(name):
    """A text that stays large in an archive."""
    return BANNER + "".join(f"% {hashlib.sha256(f'{name} {i}'.encode()).hexdigest()}\n" for i in range(4000))


def version_of(data):
    """Its ETag."""
    return f'"{hashlib.sha256(data).hexdigest()}"'


class Server(http.server.ThreadingHTTPServer):
    """A collection: files by path, and what is wrong with each."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.faults, self.seen = {}, {}, []
        self.address = f"http://127.0.0.1:{self.server_address[1]}"

    def add(self, name, data=None, **faults):
        path = f"/MM/Tiny/{name}.tar.gz"
        self.files[path] = one_graph(name) if data is None else data
        self.faults[path] = faults

    def ranges(self, name):
        return [span for method, path, span in self.seen if method == "GET" and path == f"/MM/Tiny/{name}.tar.gz"]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer(body=False)

    def do_GET(self):
        self.answer(body=True)

    def refuse(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def send_for_ever(self, data):
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(data)

    def answer(self, body):
        span = self.headers.get("Range")
        self.server.seen.append((self.command, self.path, span))
        if self.path == "/":
            return self.refuse(200)
        data, faults = self.server.files.get(self.path), self.server.faults.get(self.path, {})
        if data is None or (not body and faults.get("no_head")):
            return self.refuse(404 if data is None else 405)
        if body and faults.get("busy", 0) > 0:
            faults["busy"] -= 1
            return self.refuse(503)
        if body and faults.get("endless"):
            return self.send_for_ever(data)
        first, version = 0, version_of(data)
        same = self.headers.get("If-Range", version) == version
        if span and same and not faults.get("no_range"):
            first = int(span.removeprefix("bytes=").partition("-")[0])
            if first >= len(data):
                return self.refuse(416)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{len(data) - 1}/{len(data)}")
        else:
            self.send_response(200)
        rest = data[first:]
        self.send_header("ETag", version)
        self.send_header("Content-Length", str(len(rest) + faults.get("claim", 0)))
        self.end_headers()
        if not body:
            return None
        piece = faults.get("piece", len(rest))  # of so many bytes, then it is cut off
        if faults.get("cuts") == 0:
            piece = len(rest)
        elif "cuts" in faults:
            faults["cuts"] -= 1
        self.wfile.write(rest[:piece])
        self.wfile.flush()
        if faults.get("hang") and (first == 0 or faults["hang"] == "always"):
            time.sleep(600)
        self.server.files[self.path] = faults.get("next", data)
        if piece < len(rest) or faults.get("claim"):
            self.close_connection = True
        return None


@pytest.fixture
def server():
    running = Server()
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


HASTE = ("--pause", "0.01", "--attempts", "3")


def command(address, to, wanted, *words):
    how = ("--base", address, "--to", to, *HASTE, *words)
    return [str(word) for word in (sys.executable, ROOT / "scripts" / "download_graphs.py", wanted, *how)]


def download(address, to, wanted, *words):
    run = subprocess.run(command(address, to, wanted, *words), capture_output=True, timeout=600, text=True)
    return Result(run.returncode, run.stdout, run.stderr)


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
    assert names_of(to) == ["checksums.csv", "good.mtx"]
    assert "1 of 1 graphs are there" in result.err

    server.seen.clear()  # what is there is left alone
    assert download(server.address, to, wanted).status == 0
    assert server.seen == []


def test_failures_do_not_stop_the_rest(server, tmp_path):
    whole = one_graph("cut", BANNER * 5000)
    server.add("cut", whole[: len(whole) // 2])
    server.add("page", b"<html>not an archive</html>")
    server.add("other", tarball({"other/something.mtx": BANNER}))
    server.add(
        "evil", tarball({"../evil.mtx": BANNER, "/tmp/evil/evil.mtx": BANNER, "evil/../evil/evil.mtx": BANNER})
    )
    server.add("plain", tarball({"plain/plain.mtx": BANNER}, "w"))
    server.add("good")
    names = ["cut", "page", "other", "evil", "absent", "plain", "good"]
    to, wanted = tmp_path / "MM", list_of(tmp_path, *names)
    result = download(server.address, to, wanted)
    assert result.status == 1
    assert names_of(to) == [".download", "checksums.csv", "good.mtx"]
    aside = [name for name in names_of(to / ".download") if name.endswith(".bad")]
    assert aside == [f"{name}.tar.gz.bad" for name in ("cut", "evil", "other", "page", "plain")]
    for name, reason in {
        "cut": "damaged",
        "page": "no archive",
        "other": "no other/other.mtx, but other/something.mtx",
        "evil": "no evil/evil.mtx",
        "absent": "404",
        "plain": "no archive",
    }.items():
        assert any(name in line and reason in line for line in result.err.splitlines()), (name, result.err)
    assert "1 of 7 graphs are there" in result.err
    assert not (tmp_path / "evil.mtx").exists()


def test_links_in_an_archive_lead_nowhere(server, tmp_path):
    (tmp_path / "secret").write_text("secret")
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE):
            entry = tarfile.TarInfo("link/link.mtx")
            entry.type, entry.linkname = kind, str(tmp_path / "secret")
            tar.addfile(entry)
    server.add("link", data.getvalue())
    result = download(server.address, tmp_path / "MM", list_of(tmp_path, "link"))
    refused(result, "the archive has no link/link.mtx", status=1)
    assert not (tmp_path / "MM" / "link.mtx").exists()


@pytest.mark.parametrize("where", [0.1, 0.5, 0.9, -6])
def test_one_wrong_bit(where, server, tmp_path):
    """Anywhere: in the graph's own bytes, behind them, or in the archive's checksum."""
    data = bytearray(tarball({"bit/bit.mtx": incompressible("bit"), "bit/more": incompressible("more")}))
    data[int(len(data) * where) if where > 0 else where] ^= 4
    server.add("bit", bytes(data))
    result = download(server.address, tmp_path / "MM", list_of(tmp_path, "bit"))
    refused(result, "the archive is damaged", status=1)
    assert not (tmp_path / "MM" / "bit.mtx").exists()
    assert server.ranges("bit") == [None, None]  # once more, from the start


def test_cut_off_transfers_are_resumed(server, tmp_path):
    data = one_graph("long", incompressible("long"))
    server.add("long", data, piece=len(data) // 4)
    ok(download(server.address, tmp_path / "MM", list_of(tmp_path, "long")))
    assert (tmp_path / "MM" / "long.mtx").read_text() == incompressible("long")
    starts = server.ranges("long")
    assert starts[0] is None
    assert [int(span[6:-1]) for span in starts[1:4]] == [len(data) // 4 * k for k in (1, 2, 3)]


@pytest.mark.parametrize(
    ("faults", "reason", "attempts"),
    [
        ({"piece": 1000, "cuts": 2, "no_range": True}, "", 3),
        ({"piece": 1000, "no_range": True}, "given up after 3 attempts that brought nothing", None),
        ({"busy": 2}, "", 3),
        ({"busy": 99}, "503", 3),
        ({"claim": 100}, "odd: ", None),
        ({"claim": -100}, "odd: ", None),
        ({"no_head": True}, "", 1),
    ],
)
def test_an_odd_server(faults, reason, attempts, server, tmp_path):
    """It cannot resume, is busy, or tells a wrong length or none. No reason: the graph comes all the same."""
    server.add("odd", one_graph("odd", incompressible("odd")), **faults)
    result = download(server.address, tmp_path / "MM", list_of(tmp_path, "odd"))
    assert result.status == bool(reason) and reason in result.err
    assert (tmp_path / "MM" / "odd.mtx").exists() == (not reason)
    assert attempts in (None, len(server.ranges("odd")))


@pytest.mark.slow
def test_a_server_that_stalls(server, tmp_path):
    data = one_graph("slow", incompressible("slow"))
    server.add("slow", data, piece=len(data) // 2, hang="once")
    words = ("--stall", "1", "--attempts", "9")  # it may stall again on a busy machine
    ok(download(server.address, tmp_path / "MM", list_of(tmp_path, "slow"), *words))
    assert len(server.ranges("slow")) >= 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted(number, server, tmp_path):
    data = one_graph("slow", incompressible("slow"))
    server.add("slow", data, piece=len(data) // 2, hang="once")
    server.add("quick")
    to, wanted = tmp_path / "MM", list_of(tmp_path, "slow", "quick")
    words = command(server.address, to, wanted, "--stall", "600")
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    part = to / ".download" / "slow.tar.gz"
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline and not (part.is_file() and part.stat().st_size == len(data) // 2):
        time.sleep(0.02)
    refused(download(server.address, to, wanted), "another download", status=1)
    os.kill(process.pid, number)
    _, complaints = process.communicate(timeout=600)
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert complaints.splitlines()[-1] == "download_graphs: interrupted; the same command goes on from there"
    assert part.stat().st_size == len(data) // 2
    assert not (to / "slow.mtx").exists()

    ok(download(server.address, to, wanted))
    assert server.ranges("slow")[-1] == f"bytes={len(data) // 2}-"
    assert (to / "slow.mtx").read_text() == incompressible("slow")
    assert names_of(to) == ["checksums.csv", "quick.mtx", "slow.mtx"]


def test_checksums(server, tmp_path):
    to, wanted = tmp_path / "MM", list_of(tmp_path, "good")
    server.add("good")
    assert download(server.address, to, wanted).status == 0
    (row,) = rows_of(to / "checksums.csv")
    assert (row["file"], row["bytes"]) == ("good.mtx", str(len(BANNER)))
    assert row["sha256"] == hashlib.sha256(BANNER.encode()).hexdigest()

    os.utime(to / "good.mtx")  # touched, and the same
    assert download(server.address, to, wanted).status == 0

    state = (to / "good.mtx").stat()
    (to / "good.mtx").write_text(BANNER.replace("3 2", "3 1"))
    result = refused(download(server.address, to, wanted), "good.mtx is not what was downloaded", status=1)
    os.utime(to / "good.mtx", ns=(state.st_atime_ns, int(rows_of(to / "checksums.csv")[0]["changed_ns"])))
    assert download(server.address, to, wanted).status == 0  # hidden well
    assert download(server.address, to, wanted, "--check").status == 1

    (to / "good.mtx").unlink()
    server.add("good", one_graph("good", BANNER + "% newer\n"))
    result = download(server.address, to, wanted)
    refused(result, "its SHA-256 is not that of the first download", status=1)
    assert names_of(to / ".download") == ["good.tar.gz", "good.tar.gz.version", "lock"]
    assert not (to / "good.mtx").exists()
    (to / "checksums.csv").unlink()
    assert download(server.address, to, wanted).status == 0

    (to / "checksums.csv").write_text("file,bytes\ngood.mtx,many\n")
    result = download(server.address, to, wanted)
    assert (result.status, len(result.err.splitlines())) == (2, 1)


PAGE = "<!DOCTYPE html>\n<title>Not here</title>\n"
NO_GRAPHS = {
    "": "it is empty",
    PAGE: "it is a web page",
    "3 3 2\n2 1\n": "it does not begin with %%MatrixMarket",
    BANNER.replace("3 3 2", "3 three 2"): "it has no line of three sizes",
    BANNER.partition("\n")[0] + "\n": "it has comments alone",
}


@pytest.mark.parametrize(("text", "why"), NO_GRAPHS.items(), ids=NO_GRAPHS.values())
def test_what_is_no_graph_does_not_count_as_there(text, why, server, tmp_path):
    """Neither what is there already, which is left alone, nor what comes."""
    (tmp_path / "MM").mkdir()
    there = tmp_path / "MM" / "there.mtx"
    there.write_text(text)
    server.add("comes", one_graph("comes", text))
    server.add("good")
    result = download(server.address, tmp_path / "MM", list_of(tmp_path, "there", "comes", "good"))
    refused(
        result,
        f"there: {there} is no graph: {why}; delete it, and try again\n",
        f"comes: what came is no graph: {why}\n",
        "1 of 3 graphs are there",
        status=1,
    )
    assert names_of(tmp_path / "MM") == [".download", "checksums.csv", "good.mtx", "there.mtx"]


def header(name, size, kind):
    entry = tarfile.TarInfo(name)
    entry.size, entry.type = size, kind
    return entry.tobuf(tarfile.GNU_FORMAT)


def padded(data):
    return data + bytes(-len(data) % tarfile.BLOCKSIZE)


HOSTILE_ARCHIVES = {
    "a bad length in a pax header": header("x", 16, tarfile.XHDTYPE) + padded(b"many path=x/y.z\n"),
    "a bad number in a pax header": header("x", 13, tarfile.XHDTYPE) + padded(b"13 size=many\n"),
    "thousands of headers in a row": 3000 * (header("x", 2, tarfile.GNUTYPE_LONGNAME) + padded(b"x\0")),
    "a name of 3 GB": header("x", 3 << 30, tarfile.GNUTYPE_LONGNAME) + bytes(1 << 20),
    "control characters": header("\x1b[2J\r\n\x9b1m", 0, tarfile.REGTYPE),
    "a bomb": header("x", 64 << 20, tarfile.REGTYPE) + bytes(64 << 20),
    "a bomb of the graph's name": header("bad/bad.mtx", 64 << 20, tarfile.REGTYPE) + bytes(64 << 20),
}


@pytest.mark.parametrize("archive", HOSTILE_ARCHIVES.values(), ids=HOSTILE_ARCHIVES.keys())
def test_a_hostile_archive_is_reported_in_one_line(archive, server, tmp_path):
    """And set aside; the next graph comes."""
    server.add("bad", gzip.compress(archive + bytes(2 * tarfile.BLOCKSIZE)))
    server.add("good")
    run = command(server.address, tmp_path / "MM", list_of(tmp_path, "bad", "good"), "--quiet")
    result = subprocess.run(run, capture_output=True, timeout=60, preexec_fn=little_memory)
    assert result.returncode == 1
    lines = result.stderr.decode().splitlines()
    assert [re.sub(r"[\d.]+", "1", line) for line in lines if "good" in line or "are there" in line] == [
        "download_graphs: [1/1] good: 1 bytes, after 1 s",
        "download_graphs: 1 of 1 graphs are there",
    ], lines
    assert len(lines) == 4 and re.search(r"\] bad: the archive ", "\n".join(lines)), lines
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", result.stderr)
    assert names_of(tmp_path / "MM") == [".download", "checksums.csv", "good.mtx"]
    assert "bad.tar.gz.bad" in names_of(tmp_path / "MM" / ".download")


def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


@pytest.mark.parametrize("reported", [True, False])
def test_what_never_ends(reported, server, tmp_path):
    """The size is known from HEAD, or bounded by the list's."""
    server.add("endless", incompressible("endless").encode() * 4, endless=True, no_head=not reported)
    row = graph_row("endless")
    row[3:5] = ["3", "2"]
    result = download(server.address, tmp_path / "MM", write_list(tmp_path / "list.csv", [row]))
    assert result.status == 1
    assert re.search(r"endless: \S+: more than \d+ bytes come, which is all that it can have", result.err)


@pytest.mark.parametrize("meanwhile", [True, False])
def test_no_file_of_two_versions(meanwhile, server, tmp_path):
    """The server has another, as large, when a download goes on: by itself, or when it is started again."""
    old, new = (incompressible(word).encode() for word in ("old", "new"))
    server.files["/a/g.txt"] = old if meanwhile else new
    server.faults["/a/g.txt"] = {"piece": len(old) // 2, "cuts": 1, "next": new} if meanwhile else {}
    work = tmp_path / "MM" / ".download"
    work.mkdir(parents=True)
    if not meanwhile:
        (work / "g.txt").write_bytes(old[: len(old) // 2])
        (work / "g.txt.version").write_text(version_of(old))
    (tmp_path / "list.csv").write_text(f"name,download_path\ng,{server.address}/a/g.txt\n")
    ok(download(server.address, tmp_path / "MM", tmp_path / "list.csv"))
    assert (tmp_path / "MM" / "g.txt").read_bytes() == new


def test_what_does_not_fit_on_the_disk(server, tmp_path):
    server.add("huge")
    server.add("small")
    huge = graph_row("huge")
    huge[3:5] = ["4000000000", "4000000000000"]
    wanted = write_list(tmp_path / "list.csv", [huge, graph_row("small")])
    refused(download(server.address, tmp_path / "MM", wanted), "huge: it takes about 44 TB", status=1)
    assert names_of(tmp_path / "MM") == ["checksums.csv", "small.mtx"]
    assert server.ranges("huge") == []


@pytest.mark.parametrize("layout", ["MM/Tiny", "Tiny", "."])
def test_from_a_local_folder(layout, tmp_path):
    folder = tmp_path / "mirror" / layout
    folder.mkdir(parents=True)
    (folder / "good.tar.gz").write_bytes(one_graph("good"))
    result = download(tmp_path / "mirror", tmp_path / "MM", list_of(tmp_path, "good", "gone"))
    refused(result, f"gone: not in {tmp_path / 'mirror'}", status=1)
    assert (tmp_path / "MM" / "good.mtx").read_text() == BANNER
    assert (folder / "good.tar.gz").is_file()
    assert download(tmp_path / "nowhere", tmp_path / "MM", list_of(tmp_path, "good")).status == 2


def test_addresses_and_formats_of_ones_own(server, tmp_path):
    server.files["/a/web[1-2].txt"] = b"0 1\n1 2\n"
    server.files["/b/graph.tar.bz2"] = tarball({"b/out.b": "1 2\n"}, "w:bz2")
    server.files["/c/graph.tar.xz"] = tarball({"c/c.mtx": BANNER}, "w:xz")
    rows = [
        f"a,{server.address}/a/web[1-2].txt",
        f"b,{server.address}/b/graph.tar.bz2#b/out.b",
        f"c,{server.address}/c/graph.tar.xz",
    ]
    (tmp_path / "list.csv").write_text("\n".join(["name,download_path", *rows, ""]))
    ok(download(server.address, tmp_path / "MM", tmp_path / "list.csv", "--jobs", "1"))
    assert names_of(tmp_path / "MM") == ["a.txt", "b.txt", "c.mtx", "checksums.csv"]
    assert (tmp_path / "MM" / "b.txt").read_text() == "1 2\n"


def test_only_protocols_of_the_network(server, tmp_path):
    (tmp_path / "secret.txt").write_text("0 1\n")
    (tmp_path / "list.csv").write_text(f"name,download_path\na,file://{tmp_path}/secret.txt\n")
    refused(download(server.address, tmp_path / "MM", tmp_path / "list.csv"), "curl: (1)", status=1)
    assert not (tmp_path / "MM" / "a.txt").exists()


def test_no_network(tmp_path):
    result = download("http://127.0.0.1:9", tmp_path / "MM", list_of(tmp_path, "good"))
    assert result.status == 4
    assert len(result.err.splitlines()) == 1
    assert "no network" in result.err
    assert not (tmp_path / "MM").exists()


def test_stand_ins_of_what_could_not_be_had_are_named(server, tmp_path):
    server.add("good")
    rows = [graph_row("good", stand_in="road:5"), graph_row("gone", stand_in="road:6"), graph_row("other")]
    wanted = write_list(tmp_path / "list.csv", rows)
    words = "generated graphs that can stand in: road:5 for good, road:6 for gone"
    assert words in download("http://127.0.0.1:9", tmp_path / "MM", wanted).err
    result = download(server.address, tmp_path / "MM", wanted)
    assert result.err.splitlines()[-1].endswith("generated graphs that can stand in: road:6 for gone")
