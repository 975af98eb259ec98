"""The benchmark of copies between host and device."""

import csv

import pytest

from helpers import ROOT, execute, gtrav_json, ok

PROGRAM = ROOT / "build" / "bench" / "transfer"
has_emulator = any(a["emulated"] for a in gtrav_json("--list"))


@pytest.mark.skipif(not has_emulator or not PROGRAM.is_file(), reason="no emulator in this build")
def test_copies_are_timed():
    sizes = ("1000", "65536", "300001")
    result = ok(execute([PROGRAM, "--emulator", "--runs", "2", "--chunk", "10000", "--chunks", "2", *sizes]))
    rows = list(csv.DictReader(result.out.splitlines()))
    ways = ("pageable", "staged", "pinned")
    asked = [(size, direction, way) for size in sizes for direction in ("up", "down") for way in ways]
    assert [(row["bytes"], row["direction"], row["way"]) for row in rows] == asked
    for row in rows:
        rate = float(row["bytes"]) / float(row["ms"]) / 1e6
        assert float(row["gb_per_s"]) == pytest.approx(rate, rel=0.01)
        staged = row["way"] == "staged"
        assert (row["chunk_bytes"], row["chunks"]) == (("10000", "2") if staged else ("0", "0"))


@pytest.mark.skipif(not PROGRAM.is_file(), reason="not built")
@pytest.mark.parametrize("words", ["0", "5x", "--runs 0 5", "--chunks 9", "--chunk 0", "--what"])
def test_usage_of_the_benchmark(words):
    result = execute([PROGRAM, *words.split()])
    assert (result.status, result.err.startswith("usage: transfer")) == (2, True)
