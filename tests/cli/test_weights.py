"""Weights from the command line: what is said of them, and what becomes of them."""

import numpy as np
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
    gtrav_ok("sssp", graph, "--weights", "auto", "--variant", "serial", "--csv", tmp_path / "records")
    records = "".join(path.read_text() for path in (tmp_path / "records").rglob("*.csv"))
    assert f"weights={source}" in records


@pytest.mark.parametrize("job", [["bfs"], ["closeness"], ["--algo", "msbfs", "--pairs", "pairs.csv"], ["betweenness"]])
def test_weights_that_nothing_uses(job, tmp_path):
    (tmp_path / "pairs.csv").write_text("0,1\n")
    job = [tmp_path / word if word == "pairs.csv" else word for word in job]
    complains(gtrav(*job, "grid:5x4", "--weights", "auto"), "--weights", "would ignore them", "--algo sssp")
    gtrav_ok(*job, "grid:5x4", "--weights", "auto", "--write", tmp_path / "a.mtx")
    assert (tmp_path / "a.mtx").read_text().splitlines()[0].split()[3] == "integer"


@pytest.mark.parametrize("reorder", ["random", "natural"])
def test_weights_are_written(reorder, tmp_path):
    (tmp_path / "a.mtx").write_text(REAL.replace("-", ""))
    gtrav_ok(tmp_path / "a.mtx", "--weights", "auto", "--reorder", reorder, "--write", tmp_path / "b.gtrav")
    gtrav_ok(tmp_path / "b.gtrav", "--weights", "auto", "--reorder", "natural", "--write", tmp_path / "c.mtx")
    assert (tmp_path / "c.mtx").read_text().splitlines()[2:] == ["1 2 0.5", "2 3 1.5"]
    gtrav_ok(tmp_path / "b.gtrav", "--reorder", "natural", "--write", tmp_path / "d.mtx")
    assert "pattern" in (tmp_path / "d.mtx").read_text()


SEED, BLOCK = 27491095, 1 << 18  # of GAP
SCALE, EDGES = 15, 16 << 15  # two blocks


def draws(block, count):
    """The first draws of a Mersenne Twister of 32 bits."""
    return np.random.RandomState(SEED + block).randint(0, 1 << 32, count, np.uint32)


def ends_of_urand(block):
    pairs = draws(block, 2 * BLOCK) & ((1 << SCALE) - 1)
    return pairs[::2], pairs[1::2]


def ends_of_kron(block):
    a, b = int(0.57 * (2**32 - 1)), int(0.19 * (2**32 - 1))
    points = draws(block, BLOCK * SCALE).reshape(BLOCK, SCALE).astype(np.int64)
    lower = points >= a + b
    right = ((points > a) & ~lower) | (points > a + 2 * b)
    bits = 1 << np.arange(SCALE - 1, -1, -1)
    return scattered(lower @ bits), scattered(right @ bits)


def scattered(ids):
    """gtrav's permutation of the ids, scatter_id()."""
    mask, half = (1 << SCALE) - 1, (SCALE + 1) // 2
    for factor in (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35):
        ids = ids * factor & mask
        ids = ids ^ ids >> half
    return ids


@pytest.mark.parametrize("name, ends_of", [("urand", ends_of_urand), ("kron", ends_of_kron)])
def test_weights_of_gap(name, ends_of, tmp_path):
    """InsertWeights() of GAP: a twister for each block of the list, no draw of 2^32 - 1, duplicates keep the least."""
    gtrav_ok(f"{name}:{SCALE}", "--weights", "auto", "--write", tmp_path / "a.mtx")
    found = np.loadtxt(tmp_path / "a.mtx", dtype=np.int64, skiprows=2) - [1, 1, 0]
    expected = np.full(1 << 2 * SCALE, 256, np.uint16)
    for block in range(EDGES // BLOCK):
        u, v = (ends.astype(np.int64) for ends in ends_of(block))
        kept = draws(block, BLOCK + 9)
        weights = kept[kept != 2**32 - 1][:BLOCK] % 255 + 1
        np.minimum.at(expected, np.maximum(u, v) << SCALE | np.minimum(u, v), weights.astype(np.uint16))
    expected[:: (1 << SCALE) + 1] = 256  # self-loops
    places = np.flatnonzero(expected < 256)
    assert np.array_equal(found[:, 0] << SCALE | found[:, 1], places)
    assert np.array_equal(found[:, 2], expected[places])


@pytest.mark.parametrize(
    "text", ["src,dst,dist\n0,1,3\n", "0 1 x\n1 2 2\n", "src,dst,weight,cost\n0,1,3,5\n", "3 2\n0 1 5\n1 2 5\n"]
)
def test_weights_are_not_guessed(text, tmp_path):
    """Else another column, or a hash, would count as the weights."""
    (tmp_path / "a.csv").write_text(text)
    complains(
        gtrav(tmp_path / "a.csv", "--weights", "auto", "--info"),
        "a.csv:",
        "which column has the weights?",
        "--weights COLUMN",
    )
    gtrav_ok("bfs:serial", tmp_path / "a.csv")


@pytest.mark.parametrize("text", ["0 1\n1 2\n", "0 1 {}\n1 2 {}\n"])
def test_edges_without_further_columns_have_hashed_weights(text, tmp_path):
    (tmp_path / "a.txt").write_text(text)
    assert info(tmp_path / "a.txt", "--weights", "auto")["weights"] == "uint32, hashed"
