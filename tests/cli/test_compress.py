"""Compressed neighbour lists of `bfs dobfs` (kernels/graph/compressed_lists.h)."""

import os
import re

import pytest

from helpers import DEVICE, complains, gtrav, gtrav_ok, read_json

ON = f"--device {'gpu' if DEVICE == 'gpu' else 'cpu-emulator'}"
GRAPH = "kron:17" if DEVICE == "gpu" else "kron:12"


def run(graph, words="", limit=None):
    environment = {**os.environ, **({} if limit is None else {"GTRAV_GPU_MEMORY": str(limit)})}
    asked = f"bfs {graph} --variant dobfs --sources 2 --verify all --json --quiet {ON} {words}"
    return read_json(gtrav_ok(asked, env=environment).out)


@pytest.mark.parametrize("graph", [GRAPH, "kron:7", "urand:8", "dag:300:0.05", "star:70"])
def test_the_trees_are_those_of_plain_lists(graph, tmp_path):
    files = [tmp_path / f"{compress}.npy" for compress in (0, 1)]
    for compress, file in enumerate(files):
        found = run(graph, f"--output-parents --output {file} --set compress={compress}")
        assert all(trial["verified"] for trial in found["trials"])
        assert ("lists compressed to" in found["note"]) == (compress == 1)
    levels = [run(graph, f"--output {file} --set compress={compress}") for compress, file in enumerate(files)]
    assert levels and files[0].read_bytes() == files[1].read_bytes()


def test_lists_are_compressed_before_the_run_is_unprepared():
    """The memory of compressed lists is told beforehand within 10%."""
    plain, packed = (run(GRAPH, f"--set compress={compress}")["summary"]["peak_device_bytes"] for compress in (0, 1))
    assert packed < 0.7 * plain
    found = run(GRAPH, limit=plain - 1)
    assert found["note"].startswith(f"compressed: otherwise it needs {plain / 1e6:.6f} MB, ")
    assert "lists compressed to" in found["note"] and all(trial["verified"] for trial in found["trials"])
    assert "lists compressed" in run(GRAPH, limit=round(1.1 * packed))["note"]
    short = gtrav(
        f"bfs {GRAPH} --variant dobfs --sources 1 --json --quiet {ON} --set compress=1 --set host-memory=none",
        env={**os.environ, "GTRAV_GPU_MEMORY": str(round(0.9 * packed))},
    )
    assert "lists compressed" not in short.out
    assert "lists compressed" not in run(GRAPH)["note"]  # what fits is not compressed


def test_the_bytes_of_an_edge():
    """The records of 24 groups take 1/3 of a byte an edge, the values at least one bit."""
    note = run(GRAPH, "--set compress=1")["note"]
    assert 0.5 < float(re.search(r"compressed to ([\d.]+) bytes", note)[1]) < 2


def test_what_is_not_prepared_is_not_compressed():
    complains(
        gtrav(f"bfs kron:6 --variant dobfs --quiet {ON} --set compress=1 --set prepare=0"), "compress=1 needs prepare=1"
    )
