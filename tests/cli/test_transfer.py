"""The benchmark of copies between host and device, and its records."""

import csv

import pytest

from helpers import ROOT, execute, gtrav_json

PROGRAM = ROOT / "build" / "bench" / "transfer"
has_emulator = any(a["emulated"] for a in gtrav_json("--list"))


@pytest.mark.skipif(not has_emulator, reason="no emulator in this build")
def test_copies_are_timed():
    if not PROGRAM.is_file():
        pytest.skip("not built")
    sizes = ("1000", "65536", "300001")
    result = execute([PROGRAM, "--emulator", "--runs", "2", "--chunk", "10000", "--chunks", "2", *sizes])
    assert result.status == 0, result.err
    rows = list(csv.DictReader(result.out.splitlines()))
    ways = ("pageable", "staged", "pinned")
    asked = [(size, direction, way) for size in sizes for direction in ("up", "down") for way in ways]
    assert [(row["bytes"], row["direction"], row["way"]) for row in rows] == asked
    for row in rows:
        rate = float(row["bytes"]) / float(row["ms"]) / 1e6
        assert float(row["gb_per_s"]) == pytest.approx(rate, rel=0.01)
        staged = row["way"] == "staged"
        assert (row["chunk_bytes"], row["chunks"]) == (("10000", "2") if staged else ("0", "0"))


def test_usage_of_the_benchmark():
    if not PROGRAM.is_file():
        pytest.skip("not built")
    for words in (("0",), ("5x",), ("--runs", "0", "5"), ("--chunks", "9"), ("--chunk", "0"), ("--what",)):
        result = execute([PROGRAM, *words])
        assert result.status == 2
        assert result.err.startswith("usage: transfer")
