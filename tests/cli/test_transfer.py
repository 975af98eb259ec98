"""The benchmark of copies between host and device, its records, and the script that measures whole calls."""

import csv
import os

from evaluation.analyses import msbfs
from evaluation.campaigns import whole_calls

import pytest

from helpers import GTRAV, ROOT, execute, gtrav_json, ok, refused, rows_in, script

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


# ---- the script ----


def measure(folder, *words):
    return script("scripts/whole_calls.py", "--csv", folder, *words, env={**os.environ, "GTRAV": str(GTRAV)})


@pytest.mark.skipif(not has_emulator or not PROGRAM.is_file(), reason="no emulator in this build")
def test_one_command_measures_all(tmp_path):
    words = ("--small", "--graph", "kron:6", "--pairs", "1,10")
    ok(measure(tmp_path, *words))
    rows = rows_in(tmp_path, "copies/*/copies.csv")
    assert {(row["chunk_bytes"], row["chunks"]) for row in rows} >= {("10000", "2"), ("50000", "3")}
    (path,) = tmp_path.glob("pairs/*/msbfs_auto_pairs.csv")
    asked = {(row["pairs"], row["options"].rpartition(" ")[2]) for row in msbfs.read_pairs_records(path)}
    assert asked == {(pairs, f"call={call}") for pairs in ("1", "10") for call in ("gpu", "cold", "warm")}
    again = measure(tmp_path, *words)
    assert again.status == 0 and "copies:" not in again.err and "pairs, msbfs" not in again.err


def test_without_a_gpu_nothing_is_measured(tmp_path):
    if any(a["available"] and a["device"] == "gpu" for a in gtrav_json("--list")):
        pytest.skip("there is a GPU")
    refused(measure(tmp_path), "no GPU here", status=3)
    assert measure(tmp_path, "everything").status == 2


def copy(direction, way, rate, bytes=1 << 30, chunk="0", chunks="0"):
    known = {"direction": direction, "way": way, "gb_per_s": str(rate), "bytes": str(bytes)}
    return {**known, "chunk_bytes": chunk, "chunks": chunks}


def test_what_is_reported_of_copies():
    rows = [
        copy("up", "pageable", 9),
        copy("up", "pageable", 99, bytes=1000),  # too small to count
        copy("up", "staged", 40, chunk="4194304", chunks="3"),
        # The worse of its sizes counts.
        copy("up", "staged", 20, bytes=64 << 20, chunk="4194304", chunks="3"),
        copy("up", "staged", 30, chunk="8388608", chunks="2"),
        copy("down", "pinned", 50),
    ]
    assert list(whole_calls.report_copies(rows)) == [
        "copies up, pageable: 9.0 GB/s",
        "copies up, staged: 30.0 GB/s, with 2 buffers of 8 MB",
        "copies down, pinned: 50.0 GB/s",
    ]
