"""Bad input: one line with file, line and column, status 2, and nothing half-written is left."""

import gzip
import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from helpers import GTRAV, complains, execute, gtrav, gtrav_ok

MTX = "%%MatrixMarket matrix coordinate"

# what is wrong: name of the file, its text, where ("line:column", "line:" or ""), a word of the reason
CASES = {
    "empty": ("a.mtx", "", "", "empty"),
    "blank": ("a.mtx", "\n  \n", "", "empty"),
    "empty without an ending": ("a", "", "", "empty"),
    "wrong banner": ("a.mtx", "%%MatrixMarkt matrix coordinate pattern general\n1 1 0\n", "1:1", "banner"),
    "no banner": ("a.mtx", "3 3 1\n1 2\n", "1:1", "banner"),
    "banner cut off": ("a.mtx", "%%MatrixMarket matrix", "1:", "banner"),
    "array format": ("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n0\n", "1:23", "array"),
    "unknown field": ("a.mtx", f"{MTX} quaternion general\n1 1 0\n", "1:", "quaternion"),
    "unknown symmetry": ("a.mtx", f"{MTX} real lopsided\n1 1 0\n", "1:", "lopsided"),
    "no size line": ("a.mtx", f"{MTX} pattern general\n% nothing\n", "3:", "truncated"),
    "short size line": ("a.mtx", f"{MTX} pattern general\n3 3\n", "2:", "size line"),
    "words in the size line": ("a.mtx", f"{MTX} pattern general\n3 three 1\n1 2\n", "2:", "size line"),
    "negative size": ("a.mtx", f"{MTX} pattern general\n-3 -3 1\n1 2\n", "2:", "size line"),
    "non-square": ("a.mtx", f"{MTX} pattern general\n% c\n3 4 1\n1 2\n", "3:", "square"),
    "2^32 vertices": ("a.mtx", f"{MTX} pattern general\n4294967296 4294967296 1\n1 2\n", "2:", "2^32"),
    "more than 64 bits": ("a.mtx", f"{MTX} pattern general\n{10**25} {10**25} 1\n1 2\n", "2:", "2^32"),
    "too few entries": ("a.mtx", f"{MTX} pattern general\n3 3 3\n1 2\n2 3\n", "5:", "truncated"),
    "too many entries": ("a.mtx", f"{MTX} pattern general\n3 3 1\n1 2\n2 3\n", "5:", "too many"),
    "cut off in an entry": ("a.mtx", f"{MTX} pattern general\n3 3 2\n1 2\n2", "4:", "ends"),
    "index 0": ("a.mtx", f"{MTX} pattern general\n3 3 2\n1 2\n0 1\n", "4:1", "0"),
    "row out of range": ("a.mtx", f"{MTX} pattern general\n3 3 2\n1 2\n4 1\n", "4:1", "larger"),
    "column out of range": ("a.mtx", f"{MTX} pattern general\n3 3 2\n1 2\n  2   4\n", "4:7", "larger"),
    "negative index": ("a.mtx", f"{MTX} pattern general\n3 3 1\n1 -2\n", "3:3", "number"),
    "index of 25 digits": ("a.mtx", f"{MTX} pattern general\n3 3 1\n1 {10**25}\n", "3:3", "larger"),
    "index is a fraction": ("a.mtx", f"{MTX} pattern general\n3 3 1\n1.5 2\n", "3:1", "number"),
    "index is a word": ("a.mtx", f"{MTX} pattern general\n3 3 2\n1 2\n1 two\n", "4:3", "number"),
    "value is missing": ("a.mtx", f"{MTX} real general\n3 3 2\n1 2 0.5\n2 3\n", "4:4", "value"),
    "value is a word": ("a.mtx", f"{MTX} real general\n3 3 2\n1 2 0.5\n2 3 half\n", "4:5", "value"),
    "half a complex": ("a.mtx", f"{MTX} complex general\n3 3 1\n1 2 0.5\n", "3:8", "value"),
    "a value too many": ("a.mtx", f"{MTX} pattern general\n3 3 1\n1 2 3\n", "3:5", "unexpected"),
    "text after the value": ("a.mtx", f"{MTX} real general\n3 3 1\n1 2 0.5x\n", "3:", ""),
    "bad line after long comments": (
        "a.mtx",
        f"{MTX} pattern general\n3 3 2\n" + f"% {'x' * 70}\n" * 5000 + "1 2\n1 x\n",
        "5004:3",
        "number",
    ),
    "edge list: word": ("a.txt", "0 1\n1 x\n", "2:3", "vertex id"),
    "edge list: one id": ("a.txt", "# c\n0 1\n7\n", "3:2", "two"),
    "edge list: a fraction": ("a.txt", "0 1\n1 2.5\n", "2:4", "after the vertex id"),
    "edge list: 65 bits": ("a.txt", f"0 1\n0 {2**64}\n", "2:3", "64 bits"),
    "edge list: negative and huge": ("a.txt", f"0 -1\n0 {2**63}\n", "", "--ids text"),
    "edge list: a quote is open": ("a.csv", '0,1,"x\n', "1:5", "quote"),
    "edge list: UTF-16": ("a.csv", "\xff\xfe0\0,\x001\0", "1:1", "UTF-8"),
    "edge list: no edges": ("a.txt", "# nothing\n", "", "no edges"),
    "dimacs: no problem line": ("a.gr", "c nothing\n", "2:", "problem line"),
    "dimacs: bad problem line": ("a.gr", "p sp three 1\na 1 2 3\n", "1:", "problem line"),
    "dimacs: unknown problem": ("a.gr", "p max 3 1\na 1 2 3\n", "1:3", "max"),
    "dimacs: 2^32 vertices": ("a.gr", "p sp 4294967296 1\na 1 2 3\n", "1:", "2^32"),
    "dimacs: wrong letter": ("a.gr", "p sp 3 2\na 1 2 3\nb 2 3 1\n", "3:1", "edge line"),
    "dimacs: vertex 0": ("a.gr", "p sp 3 1\na 0 2 3\n", "2:3", "0"),
    "dimacs: out of range": ("a.gr", "p tw 3 1\n1 4\n", "2:3", "larger"),
    "dimacs: bad weight": ("a.gr", "p sp 3 1\na 1 2 far\n", "2:7", "weight"),
    "dimacs: too few": ("a.gr", "p sp 3 2\na 1 2 3\n", "3:", "truncated"),
    "dimacs: too many": ("a.gr", "p sp 3 1\na 1 2 3\na 2 3 1\n", "4:", "too many"),
    "metis: bad header": ("a.graph", "three 1\n2\n1\n", "1:", "header"),
    "metis: unknown fmt": ("a.graph", "2 1 7\n2\n1\n", "1:", "header"),
    "metis: 2^32 vertices": ("a.graph", "4294967296 1\n2\n1\n", "1:", "2^32"),
    "metis: out of range": ("a.graph", "2 1\n2\n3\n", "3:1", "larger"),
    "metis: neighbour 0": ("a.graph", "2 1\n2\n0\n", "3:1", "0"),
    "metis: word": ("a.graph", "3 2\n2 x\n1\n1\n", "2:3", "number"),
    "metis: too many rows": ("a.graph", "2 1\n2\n1\n\n1\n", "5:1", "more lines"),
    "metis: too few": ("a.graph", "3 2\n2\n1\n\n", "5:", "announces"),
    "metis: one-sided": ("a.graph", "3 1\n2 3\n\n\n", "", "both"),
    "metis: missing weight": ("a.graph", "2 1 1\n2\n1 5\n", "2:2", "weight"),
    "a picture": ("a.png", "\x89PNG\r\n\x1a\n\0\0\0", "1:1", "not a graph"),
}


@pytest.mark.parametrize("packing", ["plain", "gzip"])
@pytest.mark.parametrize("what", CASES)
def test_bad_file(what, packing, tmp_path):
    name, text, where, reason = CASES[what]
    path = tmp_path / (name if packing == "plain" else f"{name}.gz")
    data = text.encode("latin-1")
    path.write_bytes(data if packing == "plain" else gzip.compress(data))
    complains(gtrav("--info", "--graph", path), f"{path}:{where}" if where else str(path), reason)
    complains(gtrav("--graph", path, "--write", tmp_path / "out.mtx"), str(path), reason)
    complains(gtrav("--graph", path, "--cache", "--info"), str(path), reason)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("option", ["--sources-file", "--pairs", "--vertices"])
def test_nul_bytes(option, tmp_path):
    """Those in graphs are in tests/unit/test_bad_files.c."""
    graph, other = tmp_path / "a.txt", tmp_path / "other.csv"
    graph.write_text("0 1\n1 2\n")
    other.write_bytes(b"0,1\n2,1\0,7\n" if option == "--pairs" else b"0\n2\0\n")
    where = f"{other}:2:{4 if option == '--pairs' else 2}"
    complains(gtrav("bfs", graph, "--variant", "serial", "--quiet", option, other), where, "NUL")


def test_missing_file_and_directory(tmp_path):
    complains(gtrav("--info", "--graph", tmp_path / "absent.mtx"), "absent.mtx", "No such file")
    complains(gtrav("--info", "--graph", tmp_path), str(tmp_path), "directory")
    complains(gtrav("--info", "--graph", tmp_path / "absent" / "x.mtx"), "x.mtx")


@pytest.fixture
def as_nobody():
    """A copy of the program that anyone may run, and the options that run it as a user without rights."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        program = shutil.copy(GTRAV, Path(folder) / "gtrav")
        yield program, {"user": 65534} if os.geteuid() == 0 else {}


def test_no_permission(as_nobody, tmp_path):
    program, options = as_nobody
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        secret = Path(folder) / "secret.mtx"
        secret.write_text(f"{MTX} pattern general\n2 2 1\n1 2\n")
        secret.chmod(0)
        complains(
            execute([program, "--info", "--graph", secret], **options), str(secret), "Permission denied"
        )
        os.chmod(folder, 0o555)
        out = Path(folder) / "out.mtx"
        result = execute([program, "--graph", "path:5", "--write", out, "--quiet"], **options)
        complains(result, str(out), "Permission denied")
        os.chmod(folder, 0o755)


def small_disk():
    resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))


@pytest.mark.parametrize("ending", ["mtx", "gtrav"])
def test_disk_full(ending, tmp_path):
    path = tmp_path / f"big.{ending}"
    # restore_signals: Python ignores SIGXFSZ, and the child must too for the write to fail instead.
    options = {"preexec_fn": small_disk, "restore_signals": False}
    complains(
        gtrav("--graph", "urand:14", "--write", path, "--quiet", **options), str(path), "File too large"
    )
    result = gtrav(
        "--graph", "urand:14", "--algo", "bfs", "--output", tmp_path / "out.txt", "--quiet", **options
    )
    assert result.status == 2
    assert "out.txt" in result.err
    assert list(tmp_path.iterdir()) == []


def test_failed_write_keeps_the_old_file(tmp_path):
    path = tmp_path / "kept.mtx"
    gtrav_ok("--graph", "path:3", "--write", path)
    before = path.read_bytes()
    options = {"preexec_fn": small_disk, "restore_signals": False}
    complains(gtrav("--graph", "urand:14", "--write", path, "--quiet", **options), str(path))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_standard_output_full():
    with open("/dev/full", "wb") as full:
        run = subprocess.run([GTRAV, "--list"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2
    assert "standard output" in run.stderr


@pytest.mark.parametrize("damage", ["cut off", "one bit", "header", "longer"])
def test_damaged_binary(damage, tmp_path):
    path = tmp_path / "graph.gtrav"
    gtrav_ok("--graph", "kron:8", "--write", path)
    data = bytearray(path.read_bytes())
    if damage == "cut off":
        data = data[: len(data) // 2]
    elif damage == "one bit":
        data[len(data) // 2] ^= 1
    elif damage == "header":
        data[20] ^= 1
    else:
        data += b"more"
    path.write_bytes(data)
    complains(gtrav("--info", "--graph", path), str(path))


@pytest.mark.parametrize("damage", ["cut off", "one bit", "no gzip"])
def test_damaged_gzip(damage, tmp_path):
    path = tmp_path / "graph.mtx.gz"
    gtrav_ok("--graph", "urand:9", "--write", tmp_path / "graph.mtx")
    data = bytearray(gzip.compress((tmp_path / "graph.mtx").read_bytes()))
    if damage == "cut off":
        data = data[: len(data) // 2]
    elif damage == "one bit":
        data[len(data) // 2] ^= 1
    else:
        data = bytearray(b"\x1f\x8b not gzip at all")
    path.write_bytes(data)
    complains(gtrav("--info", "--graph", path), str(path))


SPECS = {
    "kron:": "SCALE",
    "kron:99": "SCALE",
    "kron:x": "SCALE",
    "kron:5:0": "EDGEFACTOR",
    "kron:5:1:2": "kron:SCALE[:EDGEFACTOR]",
    "grid:5": "grid:WxH",
    "grid:0x5": "W",
    "grid:70000x70000": "2^32",
    "dag:5": "dag:N:P",
    "dag:5:1.5": "P",
    "dag:5:nan": "P",
    "path:-3": "N",
    "path:4294967296": "N",
    "complete:4000000000": "memory",
    "gird:3x3": "grid",
    "blob:7": "blob",
}


@pytest.mark.parametrize("spec", SPECS)
def test_bad_spec(spec):
    complains(gtrav("--info", "--graph", spec), spec.partition(":")[0], SPECS[spec])


def test_bad_graph_does_not_stop_the_others(tmp_path):
    path = tmp_path / "bad.mtx"
    path.write_text("nothing")
    result = gtrav("--info", "--graph", path, "--graph", "path:4", "--json", "--quiet")
    assert result.status == 2
    assert str(path) in result.err
    assert '"vertices": 4' in result.out
