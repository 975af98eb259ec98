"""One search in parts on several emulated GPUs gives the levels of the serial search, and parents of its tree."""

import os

import pytest

from helpers import complains, gtrav, gtrav_json, gtrav_ok, rows_in

DOBFS = [a for a in gtrav_json("--list bfs") if a["variant"] == "dobfs" and a["emulated"]]
pytestmark = pytest.mark.skipif(not DOBFS, reason="gtrav is built without the emulator")

ON = "--variant dobfs --device cpu-emulator --quiet"
SMALL_TURNS = ("--set force=small-turns", "--set force=parts-alternating")  # a turn has 32 ids, a part few turns
GRAPHS = ("path:1", "path:70", "star:100", "complete:40", "kron:8", "urand:9:2", "dag:200:0.02", "components")


def graph_named(name, folder):
    """Two triangles far apart, an edge, a self-loop; most of 300 vertices have no edge. Directed."""
    if name != "components":
        return name
    path = folder / "components.mtx"
    edges = ((1, 2), (2, 3), (3, 1), (200, 201), (201, 270), (270, 200), (1, 300), (150, 150))
    lines = [f"{u} {v}" for u, v in edges]
    path.write_text(f"%%MatrixMarket matrix coordinate pattern general\n300 300 {len(lines)}\n" + "\n".join(lines))
    return path


WITHOUT_PEERS = {**os.environ, "GTRAV_EMULATOR_PEERS": "0"}  # the host copies between the GPUs


@pytest.mark.parametrize(("gpus", "env"), [("2", None), ("3", None), ("2", WITHOUT_PEERS), ("1,3", WITHOUT_PEERS)])
@pytest.mark.parametrize("name", GRAPHS)
def test_levels_and_parents(name, gpus, env, tmp_path):
    graph = graph_named(name, tmp_path)
    sources = {"components": "--source 0,150", "path:1": "--source 0"}.get(name, "--sources 2")
    gtrav_ok(f"bfs {graph} --variant serial {sources} --quiet --output serial.npy", cwd=tmp_path)
    for settings in (*SMALL_TURNS, "--set seed=5", "--set offset-bits=64 --set prepare=0"):
        asked = f"bfs {graph} {ON} --gpus {gpus} {sources} {settings} --verify all"
        run = gtrav_json(f"{asked} --output", tmp_path / "parts.npy", env=env)
        assert (run["devices"], run["summary"]["verified"]) == (3 if gpus == "3" else 2, "all")
        assert (tmp_path / "parts.npy").read_bytes() == (tmp_path / "serial.npy").read_bytes()
        assert gtrav_json(f"{asked} --output-parents", env=env)["summary"]["verified"] == "all"


@pytest.mark.parametrize("force", ["alternating", "marks", "bottom-up", "small-limits", "top-down"])
@pytest.mark.parametrize("name", ["kron:12", "urand:12:3"])
def test_ways_of_linked_gpus(name, force):
    """These graphs have several turns of 1,024 ids, so each GPU has some."""
    for gpus in (2, 3):
        asked = f"bfs {name} {ON} --gpus {gpus} --sources 2 --set force={force} --verify all --output-parents"
        assert gtrav_json(asked)["summary"]["verified"] == "all"


def test_notes_say_how_gpus_exchange(tmp_path):
    asked = f"bfs kron:7 {ON} --gpus 2 --source 1".replace("--quiet", "")
    linked, copied = (gtrav_ok(asked, env=env) for env in (None, WITHOUT_PEERS))
    assert "2 GPUs access each other's memory" in linked.err + linked.out
    assert "the host copies between parts" in copied.err + copied.out


def test_records_and_profiles(tmp_path):
    gtrav_ok(f"bfs path:40 {ON} --gpus 2 --source 0 {SMALL_TURNS[1]} --profile --csv", tmp_path)
    (row,) = rows_in(tmp_path, "*/bfs_dobfs_perf.csv")
    assert row["devices"] == "2"
    assert "devices=2" in row["options"]
    levels = rows_in(tmp_path, "*/traces/*.csv")
    assert [row["frontier"] for row in levels] == ["1"] * 40  # from the last one no vertex is found
    assert {row["mode"] for row in levels} == {"top-down", "bottom-up"}


def test_each_gpu_holds_its_part_only(tmp_path):
    """The estimate is what a part takes: one byte less is refused, by each of two devices alike."""
    asked = f"bfs kron:10 {ON} --sources 2 --verify all --set force=small-turns"
    linked = gtrav_json(f"{asked} --gpus 2")["summary"]["peak_device_bytes"]
    short = {**os.environ, "GTRAV_GPU_MEMORY": str(linked - 1)}
    assert "unprepared: preparing needs" in str(gtrav_json(f"{asked} --gpus 2", env=short))
    env = WITHOUT_PEERS
    peaks = [gtrav_json(f"{asked} --gpus {gpus}", env=env)["summary"]["peak_device_bytes"] for gpus in (2, 4)]
    assert peaks[0] > 1.4 * peaks[1]
    enough = {**env, "GTRAV_GPU_MEMORY": str(peaks[0])}
    gtrav_ok(f"{asked} --gpus 2", env=enough)
    short = {**env, "GTRAV_GPU_MEMORY": str(peaks[0] - 1)}
    complains(gtrav(f"{asked} --gpus 2", env=short), "MB needed for bfs dobfs", "MB free", status=3)


def test_a_device_that_fails_is_named():
    for number in range(1, 15, 4):
        failing = {**os.environ, "GTRAV_EMULATOR_FAIL_AT": str(number)}
        complains(gtrav(f"bfs kron:7 {ON} --gpus 2,1", env=failing), "device ", "out of memory", status=3)
        failing["GTRAV_EMULATOR_PEERS"] = "0"
        complains(gtrav(f"bfs kron:7 {ON} --gpus 2,1", env=failing), "device 2: ", "out of memory", status=3)


def test_what_takes_several_gpus(tmp_path):
    on = "--device cpu-emulator --gpus 2 --quiet"
    assert gtrav_json(f"bfs kron:7 {on} --sources 1")["algorithm"]["variant"] == "dobfs"
    assert "harmonic_mean_TEPS" in gtrav_ok(f"graph500 graph500:7 {on} --sources 2").out
    (tmp_path / "pairs.csv").write_text("0,1\n5,9\n")
    gtrav_ok(f"bfs kron:7 {on} --variant queue --pairs {tmp_path / 'pairs.csv'} --verify all")
    for line, *words in (
        ("dfs kron:7", "--gpus is for", "a trial of dfs runs on one GPU"),
        ("bfs kron:7 --variant queue", "gives no search on several GPUs", "dobfs"),
        ("bfs kron:7 --max-depth 2", "a search with limits runs on one GPU"),
        ("bfs kron:7 --cold", "about one GPU"),
        ("bfs kron:7 --variant dobfs --set compress=1", "a graph on one GPU"),
    ):
        complains(gtrav(f"{line} {on}"), *words)
    complains(gtrav("bfs kron:7 --device cpu --gpus 2"), "--gpus: --device cpu runs nothing on a GPU")


def test_all_variants_are_those_that_split():
    run = gtrav_ok("bfs kron:7 --variant all --device cpu-emulator --gpus 2 --sources 1 --verify all")
    assert "leaving out auto," in run.err and "a search runs on one device" in run.err
    assert "dobfs" in run.out and "queue" not in run.out
