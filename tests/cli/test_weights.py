"""Weights from the command line: what is said of them, and what becomes of them."""

import pytest

from helpers import complains, gtrav, gtrav_ok, info

REAL = "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 0.5\n2 3 -1.5\n3 3 2\n"


def test_weights_are_read_on_demand(tmp_path):
    """A BFS does not mind a negative weight; who asks for weights does."""
    (tmp_path / "a.mtx").write_text(REAL)
    assert "weights, which are ignored" in gtrav_ok("bfs", tmp_path / "a.mtx", "--variant", "serial").err
    complains(gtrav(tmp_path / "a.mtx", "--weights", "auto", "--info"), "a.mtx:4:5", "negative weight")


@pytest.mark.parametrize("spec, source", [("grid:5x4", "hashed"), ("a.mtx", "input")])
def test_weights_are_said(spec, source, tmp_path):
    (tmp_path / "a.mtx").write_text(REAL.replace("-", ""))
    graph = tmp_path / spec if spec.endswith("mtx") else spec
    words = "double, input" if source == "input" else "uint32, hashed, symmetric"
    assert f"weights ({words})" in gtrav_ok(graph, "--weights", "auto", "--info").err
    assert f"weights              {words}\n" in gtrav_ok(graph, "--weights", "auto", "--info").out
    assert info(graph, "--weights", "auto")["weights"] == words
    gtrav_ok("bfs", graph, "--weights", "auto", "--variant", "serial", "--csv", tmp_path / "records")
    records = "".join(path.read_text() for path in (tmp_path / "records").rglob("*.csv"))
    assert f"weights={source}" in records


@pytest.mark.parametrize("reorder", ["random", "natural"])
def test_weights_are_written(reorder, tmp_path):
    (tmp_path / "a.mtx").write_text(REAL.replace("-", ""))
    gtrav_ok(tmp_path / "a.mtx", "--weights", "auto", "--reorder", reorder, "--write", tmp_path / "b.gtrav")
    gtrav_ok(tmp_path / "b.gtrav", "--weights", "auto", "--reorder", "natural", "--write", tmp_path / "c.mtx")
    assert (tmp_path / "c.mtx").read_text().splitlines()[2:] == ["1 2 0.5", "2 3 1.5"]
    gtrav_ok(tmp_path / "b.gtrav", "--reorder", "natural", "--write", tmp_path / "d.mtx")
    assert "pattern" in (tmp_path / "d.mtx").read_text()
