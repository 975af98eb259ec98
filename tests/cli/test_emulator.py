"""The GPU's kernels on the CPU: how it is asked for, what it says, and what too little memory does."""

import os

from evaluation.records import read_records

import numpy
import pytest

from helpers import complains, gtrav, gtrav_json, gtrav_ok, ok, rows_in

LISTING = gtrav_json("--list")
EMULATED = [a for a in LISTING if a["emulated"]]
HAS_GPU = any(a["available"] for a in LISTING if a["device"] == "gpu")
ALLOCATIONS = 80  # more than an algorithm makes on the device
# These wait for work, or never.
WITHOUT_BARRIERS = [f"dfs-{variant}" for variant in ("auto", "v1", "v2", "v3", "v4", "handoff")]
WITHOUT_BARRIERS += ["bfs-berrybees", "msbfs-perblock", "betweenness-perblock", "wcc-hooking", "sssp-nearfar"]

# A build without Boost has no emulator: then none of these is collected.
each = pytest.mark.parametrize("algorithm", EMULATED, ids=lambda a: f"{a['family']}-{a['variant']}")


def command(algorithm, words="", graph=None):
    graph = graph or ("dag:40:0.2" if algorithm["family"] == "topo" else "kron:6")
    names = f"{algorithm['family']} {graph} --variant {algorithm['variant']}"
    return f"{names} --device cpu-emulator --quiet {words}"


@each
def test_every_result_is_right_and_marked(algorithm, tmp_path):
    run = gtrav_json(command(algorithm, "--sources 3 --verify all --csv"), tmp_path)
    assert run["device"] == "emulator"
    assert [trial["verified"] for trial in run["trials"]] == [True] * 3
    (row,) = rows_in(tmp_path, f"emulator/{algorithm['family']}_{algorithm['variant']}_perf.csv")
    assert row["device"] == "emulator"
    held, peak = int(row["device_bytes"]), int(row["peak_device_bytes"])
    assert 1000 < held <= peak < 10**8
    assert (run["summary"]["device_bytes"], run["summary"]["peak_device_bytes"]) == (held, peak)


@pytest.mark.parametrize("variant", [a["variant"] for a in EMULATED if a["family"] == "msbfs"])
def test_closeness_is_right_or_refused(variant, tmp_path):
    """Of all vertices and of a sample, which is all of them here; ibfs has no sums of levels to give."""
    for sources in ("", "--sources 3"):
        asked = f"closeness path:3 --variant {variant} --device cpu-emulator {sources} --quiet --output c.npy"
        result = gtrav(asked, cwd=tmp_path)
        if variant.startswith("ibfs-"):
            complains(result, f"closeness: msbfs {variant} gives no farness; gtrav --list")
            assert not list(tmp_path.iterdir())
        else:
            ok(result)
            assert numpy.load(tmp_path / "c.npy") == pytest.approx([2 / 3, 1, 2 / 3])


def test_cold_rows_stand_apart_from_warm_ones(tmp_path):
    asked = f"bfs kron:6 --variant slices --device cpu-emulator --sources 2 --csv {tmp_path}"
    gtrav_ok(asked)
    assert gtrav_json(f"{asked} --cold")["cold"] is True
    warm, cold = (row["options"] for row in rows_in(tmp_path, "emulator/bfs_slices_perf.csv"))
    assert cold.split() == [*warm.split(), "caches=cold"]
    assert [row["options"] for row in read_records(tmp_path / "emulator/bfs_slices_perf.csv")] == [warm]
    first = {**os.environ, "GTRAV_EMULATOR_FAIL_AT": "1"}
    complains(gtrav(f"{asked} --cold --fresh --quiet", env=first), "needed for emptying the caches", status=3)
    complains(gtrav("closeness path:3 --cold"), "--cold: closeness, graph500 and --pairs have no trials")


@each
def test_a_seed_repeats_its_schedule(algorithm, tmp_path):
    def output(seed):
        gtrav_ok(command(algorithm, f"--sources 1 --set seed={seed} --output"), tmp_path / "out.txt")
        return (tmp_path / "out.txt").read_text()

    assert output(7) == output(7)


@each
def test_every_device_allocation_fails_in_turn(algorithm):
    failures = 0
    for number in range(1, ALLOCATIONS):
        failing = {**os.environ, "GTRAV_EMULATOR_FAIL_AT": str(number)}
        result = gtrav(command(algorithm, "--sources 1"), env=failing)
        if result.status == 0:
            break
        complains(result, "out of memory", "needed for", "free", status=3)
        failures += 1
    assert 1 < failures < ALLOCATIONS - 1  # sssp auto takes another engine if one does not fit


@each
def test_a_graph_that_does_not_fit_does_not_stop_the_next(algorithm):
    large, small = ("dag:3000:0.2", "dag:9:0.5") if algorithm["family"] == "topo" else ("kron:14", "kron:4")
    tiny = {**os.environ, "GTRAV_EMULATOR_MB": "1"}
    result = gtrav(command(algorithm, f"--sources 1 {small}", large), env=tiny)
    assert result.status == 3
    assert len(result.err.splitlines()) == 1
    assert large in result.err and "MB needed for" in result.err
    assert f"{small}:" in result.out and "(emulated)" in result.out


@each
def test_a_wait_that_is_given_up_is_an_error_and_no_result(algorithm):
    """After 256 polls: often before the last block has come, and never before the others have gone on."""
    few = {**os.environ, "GTRAV_EMULATOR_POLLS": "256"}
    graph = "dag:40:0.2" if algorithm["family"] == "topo" else "grid:9x7"
    sources = 40 if algorithm["family"] == "msbfs" else 3
    given_up = 0
    for seed in range(1, 9):
        asked = f"--sources {sources} --verify all --set seed={seed}"
        result = gtrav(command(algorithm, asked, graph), env=few)
        if result.status != 0:
            complains(result, "too long", status=3)
            given_up += 1
    assert (given_up > 0) == (f"{algorithm['family']}-{algorithm['variant']}" not in WITHOUT_BARRIERS)


@each
def test_a_device_without_cooperative_launches(algorithm):
    without = {**os.environ, "GTRAV_EMULATOR_COOPERATIVE": "0"}
    result = gtrav(command(algorithm, "--sources 1"), env=without)
    barriers = algorithm["variant"] not in ("berrybees", "perblock", "hooking", "nearfar")
    takes_another = algorithm["family"] == "sssp" and algorithm["variant"] == "auto"
    if result.status != 0 or (barriers and not takes_another):
        complains(result, "GPU: no cooperative launches", status=3)


def test_auto_takes_the_emulator_with_a_notice():
    for algorithm in [] if HAS_GPU else EMULATED[:1]:
        words = command(algorithm, "--sources 1").replace("--device cpu-emulator --quiet", "")
        result = gtrav_ok(words)
        assert result.err.count("no GPU here: GPU algorithms run on the emulator") == 1


@pytest.mark.skipif(HAS_GPU or not EMULATED, reason="no emulator in this build, or a GPU")
@pytest.mark.parametrize("words", ["wcc path:3 --device gpu", "dfs path:3 --device gpu"])
def test_without_a_gpu_the_emulator_is_named(words):
    family = words.split()[0]
    complains(gtrav(words), f"; --device cpu-emulator runs {family} without a GPU, slowly", status=3)
    gtrav_ok(f"{family} path:3 --device cpu-emulator --sources 1 --quiet")


def test_a_cpu_algorithm_is_not_emulated():
    complains(gtrav("bfs path:3 --variant serial --set seed=1"), "seed")
    complains(gtrav("bfs path:3 --variant serial --device cpu-emulator"), "runs on the CPU")


@pytest.mark.parametrize("variant", [a["variant"] for a in EMULATED if a["family"] == "msbfs"])
def test_more_sources_than_a_word_has_bits(variant):
    words = f"--variant {variant} --device cpu-emulator --sources 300 --verify all"
    trials = gtrav_json(f"msbfs dag:120:0.03 {words}")["trials"]
    assert [trial["verified"] for trial in trials] == [True] * 300


@pytest.mark.slow
@pytest.mark.parametrize("variant", [a["variant"] for a in EMULATED if a["family"] == "msbfs"])
def test_a_batch_is_what_memory_is_there_for(variant):
    graphs = {"auto": "grid:60x60", "bitparallel": "kron:12", "perblock": "grid:200x30"}
    graph = graphs.get(variant, "kron:11" if variant in ("ibfs-auto", "ibfs-workgroup") else "kron:10")
    asked = f"msbfs {graph} --variant {variant} --device cpu-emulator --sources 130 --verify all"
    run = gtrav_ok(asked, env={**os.environ, "GTRAV_EMULATOR_MB": "1"})
    assert " MB are free" in run.out + run.err
