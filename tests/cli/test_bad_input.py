"""Bad input that is no graph (those are in tests/unit/test_bad_files.c): one line with file, line and column."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from helpers import GTRAV, complains, execute, gtrav


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
