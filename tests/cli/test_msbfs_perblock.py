"""msbfs perblock on the emulator: levels that need more bits, short memory, many neighbours, chains."""

import os

import pytest

from helpers import complains, gtrav, gtrav_json, gtrav_ok, read_json, write_mtx

ANY = [a for a in gtrav_json("--list msbfs") if a["emulated"] and a["variant"] == "perblock"]
pytestmark = pytest.mark.skipif(not ANY, reason="no emulator in this build")


def command(graph, words="", algo="msbfs"):
    return f"{algo} {graph} --variant perblock --device cpu-emulator --quiet --verify all {words}"


def run(graph, words="", **options):
    result = read_json(gtrav_ok(f"{command(graph, words)} --json", **options).out)
    assert result["summary"]["verified"] == "all"
    return result["note"]


@pytest.mark.parametrize("chains", ["0", "1"])
@pytest.mark.parametrize("graph", ["path:600", "cycle:800"])
def test_levels_of_more_bits(graph, chains):
    asked = f"--source 0,1,300,599 --set chains={chains}"
    assert "levels of 16 bits" in run(graph, asked)
    assert "levels of 8 bits" in run(graph, f"{asked} --set level-bits=8")  # and they are widened


def test_levels_beyond_16_bits():
    assert "levels of 32 bits" in run("path:66000", "--source 0,40000")
    run("path:66000", "--source 0,40000 --set level-bits=8")


def test_short_memory():
    tiny = {**os.environ, "GTRAV_EMULATOR_MB": "1"}
    assert "; batches of 3, not 20: 0.2 MB are free" in run("grid:150x150", "--sources 20", env=tiny)
    asked = command("grid:150x150", "--sources 20 --set level-bits=8 --set batch=20")
    complains(gtrav(asked, env=tiny), "levels need 16 bits", "set a batch", status=3)


def test_too_large_for_shared_memory(tmp_path):
    little = {**os.environ, "GTRAV_EMULATOR_SHARED_KB": "64"}
    wide = write_mtx(tmp_path / "wide.mtx", 600_000, [(0, 1), (1, 599_998), (599_998, 599_999)])
    assert "bitmaps in global memory" in run(wide, "--source 0,599998", env=little)


@pytest.mark.parametrize(
    "graph, note", [("road:8", "junctions"), ("grid:20x30", "records of 4"), ("rgg:8", "records of 16")]
)
def test_chains_where_they_pay(graph, note):
    assert note in run(graph, "--sources 5")
