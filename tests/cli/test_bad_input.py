"""Bad input: one line with file, line and column, status 2, and nothing half-written is left."""

import gzip
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from helpers import GTRAV, complains, execute, gtrav

MTX = "%%MatrixMarket matrix coordinate"

# one of each reader; tests/unit/test_bad_files.c has all reasons and places
CASES = {
    "Matrix Market": ("a.mtx", f"{MTX} pattern general\n3 3 2\n1 2\n1 two\n", "4:3", "number"),
    "edge list": ("a.txt", "0 1\n1 x\n", "2:3", "vertex id"),
    "DIMACS": ("a.gr", "p sp 3 2\na 1 2 3\nb 2 3 1\n", "3:1", "edge line"),
    "METIS": ("a.graph", "2 1\n2\n3\n", "3:1", "larger"),
    "a picture": ("a.png", "\x89PNG\r\n\x1a\n\0\0\0", "1:1", "not a graph"),
}


@pytest.mark.parametrize("packing", ["plain", "gzip"])
@pytest.mark.parametrize("what", CASES)
def test_bad_file(what, packing, tmp_path):
    name, text, where, reason = CASES[what]
    path = tmp_path / (name if packing == "plain" else f"{name}.gz")
    data = text.encode("latin-1")
    path.write_bytes(data if packing == "plain" else gzip.compress(data))
    complains(gtrav("--info", "--graph", path), f"{path}:{where}", reason)
    complains(gtrav("--graph", path, "--write", tmp_path / "out.mtx"), str(path), reason)
    complains(gtrav("--graph", path, "--cache", "--info"), str(path), reason)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("option", ["--sources-file", "--pairs", "--vertices"])
def test_nul_bytes(option, tmp_path):
    graph, other = tmp_path / "a.txt", tmp_path / "other.csv"
    graph.write_text("0 1\n1 2\n")
    other.write_bytes(b"0,1\n2,1\0,7\n" if option == "--pairs" else b"0\n2\0\n")
    where = f"{other}:2:{4 if option == '--pairs' else 2}"
    complains(gtrav("bfs", graph, "--variant", "serial", "--quiet", option, other), where, "NUL")


@pytest.fixture
def as_nobody():
    """A copy of the program that anyone may run, and the options that run it as a user without rights."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        program = shutil.copy(GTRAV, Path(folder) / "gtrav")
        yield program, {"user": 65534} if os.geteuid() == 0 else {}


def test_no_permission_to_write(as_nobody):
    program, options = as_nobody
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        out = Path(folder) / "out.mtx"
        result = execute([program, "--graph", "path:5", "--write", out, "--quiet"], **options)
        complains(result, str(out), "Permission denied")
        os.chmod(folder, 0o755)


def test_standard_output_full():
    with open("/dev/full", "wb") as full:
        run = subprocess.run([GTRAV, "--list"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2
    assert "standard output" in run.stderr


def test_bad_graph_does_not_stop_the_others(tmp_path):
    path = tmp_path / "bad.mtx"
    path.write_text("nothing")
    result = gtrav("--info", "--graph", path, "--graph", "path:4", "--json", "--quiet")
    assert result.status == 2
    assert str(path) in result.err
    assert '"vertices": 4' in result.out
