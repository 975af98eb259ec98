"""Bad input: one line with file, line and column, status 2, and nothing half-written is left."""

import gzip
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from helpers import GTRAV, complains, execute, gtrav

# tests/unit/test_bad_files.c has all readers, reasons and places
MTX = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n1 two\n"
CASES = {
    "Matrix Market": ("a.mtx", MTX, "4:3", "number"),
    "edge list": ("a.txt", "0 1\n1 x\n", "2:3", "vertex id"),
    "a picture": ("a.png", "\x89PNG\r\n\x1a\n\0\0\0", "1:1", "not a graph"),
}


@pytest.mark.parametrize("packing", ["", ".gz"])
@pytest.mark.parametrize("what", CASES)
def test_bad_file(what, packing, tmp_path):
    name, text, where, reason = CASES[what]
    path = tmp_path / (name + packing)
    data = text.encode("latin-1")
    path.write_bytes(gzip.compress(data) if packing else data)
    complains(gtrav("--info", path), f"{path}:{where}", reason)
    complains(gtrav(path, "--write", tmp_path / "out.mtx"), str(path), reason)
    complains(gtrav("--cache --info", path), str(path), reason)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("option", ["--sources-file", "--pairs", "--vertices"])
def test_nul_bytes(option, tmp_path):
    graph, other = tmp_path / "a.txt", tmp_path / "other.csv"
    graph.write_text("0 1\n1 2\n")
    other.write_bytes(b"0,1\n2,1\0,7\n" if option == "--pairs" else b"0\n2\0\n")
    where = f"{other}:2:{4 if option == '--pairs' else 2}"
    complains(gtrav("bfs --variant serial --quiet", graph, option, other), where, "NUL")


def test_no_permission_to_write():
    """Of a user without rights, who runs a copy of the program that anyone may run."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as closed:
        os.chmod(folder, 0o755)
        os.chmod(closed, 0o555)
        command = [shutil.copy(GTRAV, Path(folder) / "gtrav"), "path:5", "--quiet", "--write"]
        result = execute([*command, f"{closed}/out.mtx"], **({"user": 65534} if os.geteuid() == 0 else {}))
        complains(result, f"{closed}/out.mtx", "Permission denied")
        os.chmod(closed, 0o755)
