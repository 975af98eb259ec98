"""The memory that engines will take on the device, told beforehand (src/run/memory.h)."""

import os

import pytest

from helpers import DEVICE, complains, gtrav, gtrav_json, gtrav_ok, read_json

ON = f"--device {'gpu' if DEVICE == 'gpu' else 'cpu-emulator'}"
LARGER = 8 if DEVICE == "gpu" else 0  # added to scales
# The others find their sizes while they build: they choose among engines, or look for slices, balls or depths.
TOLD = {
    *("bfs queue", "bfs bitmap", "bfs warp", "bfs dobfs", "bfs xbfs", "bfs enterprise", "topo kahn", "wcc hooking"),
    *("msbfs ibfs-auto", "msbfs ibfs-workgroup", "msbfs ibfs-coalesced", "msbfs ibfs-bottomup", "msbfs bitparallel"),
    *("sssp stepping", "sssp nearfar"),
    *("betweenness perblock", "dfs auto", "dfs v1", "dfs v2", "dfs v3", "dfs v4", "dfs handoff", "dfs nvg"),
}
UNPREPARED = {"bfs dobfs": "prepare=0", "bfs khop": "index-mb=0"}


def needs(graph, **environment):
    rows = read_json(gtrav_ok(f"{graph} --info --json {ON}", env={**os.environ, **environment}).out)["memory"]
    return {row["engine"]: row for row in rows}


def peak(graph, engine, words=""):
    family, variant = engine.split()
    by_sources = family in ("msbfs", "betweenness") or variant == "auto"  # the others take no more for many sources
    sources = "" if by_sources else "--sources 1"
    run = gtrav_json(f"{family} {graph} --variant {variant} {ON} --quiet {sources} {words}")
    return run["summary"]["peak_device_bytes"]


@pytest.mark.parametrize("graph", [f"kron:{6 + LARGER}", f"path:{70 << LARGER}", "dag:60:0.2"])
def test_every_engine_takes_what_was_told(graph):
    """Within 10%; what is told for the others is a lower bound."""
    engines = needs(graph)
    assert {name for name, row in engines.items() if row["prepared_known"]} == TOLD
    for name, row in engines.items():
        if name == "topo kahn" and graph[:3] != "dag":
            continue
        told, taken = row["prepared_bytes"], peak(graph, name)
        assert told <= 1.1 * taken, name
        if row["prepared_known"]:
            assert taken <= 1.1 * told, name
            assert row["prepared_fits"] == "yes"
    for name, setting in UNPREPARED.items():
        told, taken = engines[name]["unprepared_bytes"], peak(graph, name, f"--set {setting}")
        assert engines[name]["unprepared_known"] and told == pytest.approx(taken, rel=0.1)


@pytest.mark.parametrize("graph", ["kron:9", "kron:6", "path:70"])  # the peak is at different places
def test_what_does_not_fit_is_unprepared_or_refused(graph):
    asked = f"bfs {graph} --variant dobfs --set host-memory=none --sources 2 --verify all --quiet {ON}"
    told = needs(graph)["bfs dobfs"]
    prepared, unprepared = (told[which] for which in ("prepared_bytes", "unprepared_bytes"))

    def run(limit):
        limits = {"GTRAV_GPU_MEMORY": str(limit), "GTRAV_EMULATOR_FAIL_AT": first}
        return gtrav(f"{asked} --json", env={**os.environ, **limits})

    first = "0"
    assert not read_json(run(prepared).out)["note"].startswith("unprepared")
    step = read_json(run(prepared - 1).out)
    assert step["note"].startswith(f"unprepared: preparing needs {prepared / 1e6:.1f} MB, ")
    assert all(trial["verified"] for trial in step["trials"])
    assert step["summary"]["peak_device_bytes"] == unprepared
    first = "1"  # the first allocation would fail with a message of its own
    refusal = f"GPU out of memory: {unprepared / 1e6:.1f} MB needed for bfs dobfs, {(unprepared - 1) / 1e6:.1f} MB free"
    complains(run(unprepared - 1), refusal, status=3)
    assert needs(graph, GTRAV_GPU_MEMORY=str(unprepared))["bfs dobfs"]["prepared_fits"] == "no"
    for limit in ("1G", "-1", "0", "9" * 30):
        refusal = f"GTRAV_GPU_MEMORY={limit}: expected a number"
        complains(gtrav(asked, env={**os.environ, "GTRAV_GPU_MEMORY": limit}), refusal)


def test_the_table_of_memory():
    lines = gtrav_ok(f"kron:7 --info {ON}").out.splitlines()
    row = next(line.split() for line in lines if line.startswith("  bfs khop "))
    assert row[2] == ">=" and row[4] == "unknown" and row[6] == "yes"
    assert not any("MB of memory" in line for line in gtrav_ok("kron:7 --info").out.splitlines())
    complains(gtrav("kron:7 --list --device gpu"), "--list")


def test_auto_takes_an_engine_that_fits():
    limit = needs("kron:8")["bfs dobfs"]["prepared_bytes"] - 1
    environment = {**os.environ, "GTRAV_GPU_MEMORY": str(limit)}
    note = read_json(gtrav_ok(f"bfs kron:8 --quiet --json --verify all {ON}", env=environment).out)["note"]
    assert note.startswith("dobfs unprepared for about ")
    assert "dobfs failed (GPU out of memory)" in note and "no packed neighbours" in note
