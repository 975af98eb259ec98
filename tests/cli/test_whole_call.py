"""Where `msbfs auto` answers pairs, and what it says about it."""

import pytest

from helpers import gtrav, gtrav_json, refused, rows_in

EMULATED = [a["variant"] for a in gtrav_json("--list") if a["emulated"] and a["family"] == "msbfs"]
pytestmark = pytest.mark.skipif("auto" not in EMULATED, reason="no emulator in this build")


@pytest.fixture
def asked(tmp_path):
    (tmp_path / "pairs.csv").write_text("src,dst\n1,2\n5,9\n77,3\n1,200\n")

    def ask(words=""):
        names = f"msbfs kron:8 --variant auto --verify all {words} --pairs"
        return gtrav_json(names, tmp_path / "pairs.csv")

    return ask


def lengths(run):
    return [pair["length"] for pair in run["pairs"]]


def test_few_pairs_are_answered_on_the_cpu(asked):
    run = asked()
    assert run["note"].startswith("auto: 4 searches, graph not on the device: adaptive on the CPU, predicted ")
    assert run["verified"] == "all"
    assert run["algorithm"]["variant"] == "auto"
    assert run["upload_ms"] == 0
    # The same, on the GPU: as the user says, by the device or by the option.
    here = asked("--device cpu-emulator")
    assert "ibfs-auto on the GPU" in here["note"]
    assert here["upload_ms"] > 0
    never = asked("--set call=gpu")
    assert "auto:" not in never["note"] and "sampled searches" in never["note"]
    assert never["facts"] == {"engine": never["note"].partition(" ")[0]}
    assert lengths(run) == lengths(here) == lengths(never)


def test_a_warm_call_counts_no_preparation(asked):
    run = asked("--set call=warm --device cpu-emulator")
    assert "taken to be on the device" in run["note"]
    assert "; measured " in run["note"]  # all engines, as preparing does not count
    assert lengths(run) == lengths(asked())


def test_paths_and_a_chosen_engine(asked):
    run = asked("--paths")
    assert [pair["path"] and len(pair["path"]) - 1 for pair in run["pairs"]] == lengths(run)
    assert "adaptive on the CPU" in run["note"]
    on_gpu = asked("--paths --device cpu-emulator")
    assert "auto on the GPU" in on_gpu["note"]  # ibfs-auto gives no paths
    assert lengths(on_gpu) == lengths(run)
    assert asked("--set engine=bitparallel")["note"].startswith("bitparallel as asked for")


def test_time_limit_of_pairs(tmp_path):
    """The first answers end with an error when it is over, and a record of it; later ones just end."""
    path = tmp_path / "pairs.csv"
    path.write_text("".join(f"{i},{i * 7 % 16384}\n" for i in range(16384)))
    search = ("msbfs kron:14 --variant serial --csv", tmp_path)
    result = gtrav(*search, "--pairs", path, "--time-limit", "1", "--output", tmp_path / "lengths.csv")
    refused(result, "time limit of 1 s: ")
    (failure,) = rows_in(tmp_path, "*/failures.csv")
    assert (failure["reason"], failure["pairs"], failure["variant"]) == ("time limit", "16384", "serial")
    assert not (tmp_path / "lengths.csv").exists()
    few = tmp_path / "few.csv"
    few.write_text("".join(f"{i},{i + 1}\n" for i in range(300)))
    run = gtrav_json(*search, "--pairs", few, "--time-limit", "1", "--repeats", "100")
    assert run["time_limit_s"] == 1
    assert 1 <= run["repeats"] < 100
    (row,) = rows_in(tmp_path, "*/*_pairs.csv")
    assert (row["time_limit_s"], row["repeats"]) == ("1", str(run["repeats"]))
    assert gtrav_json(*search, "--pairs", few, "--time-limit", "60")["time_limit_s"] is None
