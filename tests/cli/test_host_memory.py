"""Neighbour lists of `bfs dobfs` in host memory (option host-memory, src/run/memory.c)."""

import os

import pytest

from helpers import DEVICE, complains, gtrav, gtrav_ok, read_json

ON = f"--device {'gpu' if DEVICE == 'gpu' else 'cpu-emulator'}"
GRAPH = "kron:17" if DEVICE == "gpu" else "kron:12"
PLACES = ["lists", "queues", "offsets", "results"]


def asked(graph, words="", variant="dobfs"):
    return f"bfs {graph} --variant {variant} --sources 2 --verify all --json --quiet {ON} {words}"


def run(graph, words="", limit=None, variant="dobfs"):
    environment = {**os.environ, **({} if limit is None else {"GTRAV_GPU_MEMORY": str(limit)})}
    found = read_json(gtrav_ok(asked(graph, words, variant), env=environment).out)
    assert all(trial["verified"] for trial in found["trials"])
    return found


@pytest.mark.parametrize("graph", [GRAPH, "kron:7", "urand:8", "dag:300:0.05", "star:70"])
def test_searches_find_the_same(graph, tmp_path):
    plain, other = tmp_path / "plain.npy", tmp_path / "other.npy"
    run(graph, f"--output {plain}")
    peaks = []
    for place in PLACES:
        found = run(graph, f"--output {other} --set host-memory={place}")
        assert other.read_bytes() == plain.read_bytes()
        assert "kept in host memory (100%)" in found["note"]
        peaks.append(found["summary"]["peak_device_bytes"])
        run(graph, f"--output-parents --output {other} --set host-memory={place}")
    assert peaks == sorted(peaks, reverse=True) and len(set(peaks)) == len(PLACES)


def test_the_ladder_takes_the_first_place_that_fits():
    plain, packed = (run(GRAPH, f"--set compress={compress}")["summary"]["peak_device_bytes"] for compress in (0, 1))
    bare = run(GRAPH, "--set prepare=0")["summary"]["peak_device_bytes"]
    peaks = [run(GRAPH, f"--set host-memory={place}")["summary"]["peak_device_bytes"] for place in PLACES]
    assert peaks[0] < min(packed, bare)
    for place, peak in zip(PLACES, peaks, strict=True):
        limit = round(1.2 * peak)  # on small graphs more is told than is taken
        found = run(GRAPH, limit=limit)
        assert found["note"].startswith(f"lists in host memory: otherwise it needs {plain / 1e6:.1f} MB, ")
        assert found["summary"]["peak_device_bytes"] <= limit
        named = [name for name in PLACES[1:] if f", {name}" in found["note"] or f"also {name}" in found["note"]]
        assert abs(len(named) - PLACES.index(place)) <= 1
    refused = gtrav(asked(GRAPH), env={**os.environ, "GTRAV_GPU_MEMORY": str(peaks[-1] // 2)})
    complains(refused, "needed for bfs dobfs, ", status=3)


def test_what_fits_stays_on_the_device():
    """As many lists as there is room for are on the device, and no more."""
    least = run(GRAPH, "--set host-memory=lists")["summary"]["peak_device_bytes"]
    bare = run(GRAPH, "--set prepare=0")["summary"]["peak_device_bytes"]
    shares = []
    for limit in (round(1.1 * least), (least + bare) // 2):
        found = run(GRAPH, limit=limit)
        assert found["summary"]["peak_device_bytes"] <= limit
        shares.append(int(found["note"].split("kept in host memory (")[1].split("%")[0]))
    assert shares[0] > shares[1]
    assert "host memory" not in run(GRAPH)["note"]


def test_auto_keeps_lists_in_host_memory():
    limit = run(GRAPH, "--set host-memory=lists")["summary"]["peak_device_bytes"]
    found = run(GRAPH, limit=round(1.1 * limit), variant="auto")
    assert ": lists in host memory: otherwise" in found["note"] and "kept in host memory" in found["note"]
    assert "kept in host memory" in run(GRAPH, "--set host-memory=queues", variant="auto")["note"]
    complains(
        gtrav(asked(GRAPH, "--set host-memory=lists --set engine=khop", "auto")), "host-memory=lists needs engine=dobfs"
    )


def test_lists_in_host_memory_need_compression():
    complains(gtrav(asked("kron:6", "--set host-memory=lists --set compress=0")), "leave out compress=0")
    complains(gtrav(asked("kron:6", "--set host-memory=lists --set prepare=0")), "host-memory=lists needs prepare=1")


@pytest.mark.skipif(DEVICE == "gpu", reason="the emulator's setting")
def test_without_memory_to_pin():
    refused = gtrav(asked("kron:6", "--set host-memory=lists"), env={**os.environ, "GTRAV_EMULATOR_PINNED": "0"})
    complains(refused, "cannot pin ", status=3)
