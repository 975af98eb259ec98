"""The memory that engines will take on the device, told beforehand (src/run/memory.h)."""

import os

import pytest

from helpers import DEVICE, complains, gtrav, gtrav_json, gtrav_ok, read_json, rows_in

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


def needs(graph, words="", **environment):
    rows = read_json(gtrav_ok(f"{graph} --info --json {ON} {words}", env={**os.environ, **environment}).out)["memory"]
    return {row["engine"]: row for row in rows}


def limited_to(limit):
    return {**os.environ, "GTRAV_GPU_MEMORY": str(int(limit))}


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
    told, taken = engines["bfs dobfs"]["compressed_bytes"], peak(graph, "bfs dobfs", "--set compress=1")
    assert engines["bfs dobfs"]["compressed_known"] and told == pytest.approx(taken, rel=0.1)
    assert [name for name, row in engines.items() if row["compressed_bytes"] > 0] == ["bfs dobfs"]


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
    assert step["note"].startswith(f"unprepared: preparing needs {prepared / 1e6:.6f} MB, ")
    assert all(trial["verified"] for trial in step["trials"])
    assert step["summary"]["peak_device_bytes"] == unprepared
    first = "1"  # the first allocation would fail with a message of its own
    refusal = f"GPU out of memory: {unprepared / 1e6:.6f} MB needed for bfs dobfs, {(unprepared - 1) / 1e6:.6f} MB free"
    complains(run(unprepared - 1), refusal, status=3)
    assert needs(graph, GTRAV_GPU_MEMORY=str(unprepared))["bfs dobfs"]["prepared_fits"] == "no"
    for limit in ("1G", "-1", "0", "9" * 30):
        refusal = f"GTRAV_GPU_MEMORY={limit}: expected a number"
        complains(gtrav(asked, env={**os.environ, "GTRAV_GPU_MEMORY": limit}), refusal)


def test_the_table_of_memory():
    lines = gtrav_ok(f"kron:7 --info {ON}").out.splitlines()
    row = next(line.split() for line in lines if line.startswith("  bfs khop "))
    assert row[2] == ">=" and row[4:6] == ["unknown", "-"] and row[7] == "yes"
    row = next(line.split() for line in lines if line.startswith("  bfs dobfs "))
    assert row[3::2] == ["yes", "yes", "yes"]
    assert not any("MB of memory" in line for line in gtrav_ok("kron:7 --info").out.splitlines())
    complains(gtrav("kron:7 --list --device gpu"), "--list")


def run_auto(graph, limit, words=""):
    found = read_json(gtrav_ok(f"bfs {graph} --quiet --json --verify all {ON} {words}", env=limited_to(limit)).out)
    assert all(trial["verified"] for trial in found["trials"])
    return found["note"]


def test_auto_takes_an_engine_that_fits():
    limit = needs("kron:8")["bfs dobfs"]["prepared_bytes"] - 1
    note = run_auto("kron:8", limit)
    assert note.startswith("dobfs for about ")
    assert ": unprepared: preparing needs" in note and "no packed neighbours" in note


@pytest.mark.parametrize("words", ["", "--sources 2", "--sources 2 --set engine=dobfs"])
@pytest.mark.parametrize("graph", [f"kron:{12 + LARGER}:32", f"urand:{12 + LARGER}:32"])
def test_auto_compresses_what_does_not_fit_otherwise(graph, words):
    """Less memory than the plain lists take, so that they cannot even be uploaded."""
    engines = needs(graph)
    limit = 1.1 * engines["bfs dobfs"]["compressed_bytes"]
    assert limit < 0.9 * engines["bfs dobfs"]["unprepared_bytes"]
    assert "compressed: otherwise it needs" in run_auto(graph, limit, words)
    refused = gtrav(f"bfs {graph} --quiet {ON} {words}", env=limited_to(9000))
    complains(refused, "MB needed for bfs dobfs", status=3)


def test_what_the_user_wants_compressed_is_never_unprepared():
    told = needs("star:70")["bfs dobfs"]
    assert told["unprepared_bytes"] < told["compressed_bytes"] < told["prepared_bytes"] + 100000
    asked = f"bfs star:70 --variant dobfs --sources 1 --quiet {ON}"
    limit = limited_to(told["unprepared_bytes"])
    gtrav_ok(asked, env=limit)
    complains(gtrav(f"{asked} --set compress=1", env=limit), "MB needed for bfs dobfs", status=3)


@pytest.mark.parametrize("variant", ["dobfs", "auto"])
def test_records_of_less_memory_are_not_those_of_more(variant, tmp_path):
    sources = 64 if variant == "auto" else 3
    asked = f"bfs kron:8 --variant {variant} --sources {sources} {ON} --csv {tmp_path}"
    limit = limited_to(needs("kron:8")["bfs dobfs"]["unprepared_bytes"] + 400)
    note = read_json(gtrav_ok(f"{asked} --json", env=limit).out)["note"]
    assert "unprepared" in note or "queue" in note
    summaries, trials = f"*/bfs_{variant}_perf.csv", f"*/trials/bfs_{variant}_*.csv"
    assert " memory=" in rows_in(tmp_path, summaries)[0]["options"]
    numbers = []
    for environment in (limit, os.environ, os.environ):
        gtrav_ok(asked, env=environment)
        numbers.append(len(rows_in(tmp_path, trials)))
    assert numbers == [sources, 2 * sources, 2 * sources]
    assert " memory=" not in rows_in(tmp_path, summaries)[-1]["options"]


def test_the_validation_of_graph500_counts():
    """Its 12 bytes a vertex fit, or the lists are compressed: they are never too many after the search."""
    asked = f"graph500 graph500:10 --variant dobfs,queue --sources 1 {ON}"
    steps = set()
    for limit in range(80000, 300000, 20000):
        found = gtrav(asked, env=limited_to(limit))
        assert "needed for the validation" not in found.err
        steps.add("compressed" in found.err)
    assert steps == {True, False}


def test_the_memory_of_each_of_several_gpus():
    if DEVICE == "gpu":
        pytest.skip("the emulator has several devices everywhere")
    three = needs("kron:10", "--gpus 3")
    assert list(three) == ["bfs dobfs"] and three["bfs dobfs"]["gpus"] == 3
    told, asked = three["bfs dobfs"]["prepared_bytes"], f"bfs kron:10 {ON} --sources 1 --gpus 3"
    assert told == pytest.approx(gtrav_json(asked)["summary"]["peak_device_bytes"], rel=0.1)
    assert "MB on each of 3" in gtrav_ok(f"kron:7 --info {ON} --gpus 3").out
    complains(gtrav("kron:7 --info --gpus 2"), "needs --device gpu")
