"""Bad input that is no graph (those are in tests/unit/test_bad_files.c): one line with file, line and column."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from helpers import GTRAV, complains, execute, gtrav, gtrav_json, gtrav_ok


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


@pytest.mark.parametrize(
    ("edges", "cycle"), [("0 1\n1 1\n1 2\n", "1 self-loop;"), ("0 1\n1 2\n2 0\n", "3 of 3 vertices")]
)
def test_a_topological_order_of_a_cycle(edges, cycle, tmp_path):
    """A self-loop is not stored, and yet it is a cycle like any other. Without cycles there is an order."""
    graph = tmp_path / "g.txt"
    for algorithm in gtrav_json("--list"):
        if algorithm["family"] != "topo" or not (algorithm["available"] or algorithm["emulated"]):
            continue
        device = "cpu-emulator" if algorithm["emulated"] else algorithm["device"]
        asked = f"topo --variant {algorithm['variant']} --device {device} --quiet --output order.txt"
        graph.write_text(edges)
        complains(gtrav(asked, graph, cwd=tmp_path), "topo ", "g: the graph has a cycle", cycle, "needs a DAG")
        assert list(tmp_path.iterdir()) == [graph]
        graph.write_text("0 1\n1 2\n")
        gtrav_ok(asked, graph, cwd=tmp_path)
        assert (tmp_path / "order.txt").read_text().split("\n")[1:] == ["0", "1", "2", ""]
        (tmp_path / "order.txt").unlink()
