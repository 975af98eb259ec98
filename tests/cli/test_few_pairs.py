"""Which pairs `msbfs auto` leaves to the CPU; and the time limit of pairs."""

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
    assert run["note"].startswith("few pairs: adaptive on the CPU; ")
    assert run["verified"] == "all"
    assert run["algorithm"]["variant"] == "auto"
    assert run["upload_ms"] == 0
    # The same on the GPU, if the user names the device or an engine.
    here = asked("--device cpu-emulator")
    assert "sampled searches" in here["note"] and "measured" not in here["note"]
    assert here["facts"] == {"engine": here["note"].partition(" ")[0]}
    assert here["upload_ms"] > 0
    chosen = asked("--set engine=bitparallel")
    assert chosen["note"].startswith("bitparallel as asked for")
    assert lengths(run) == lengths(here) == lengths(chosen)


@pytest.mark.parametrize("count", [16, 17])
def test_more_pairs_are_answered_on_the_gpu(tmp_path, count):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst\n" + "1,2\n" * count)
    run = gtrav_json("msbfs kron:6 --variant auto --pairs", path)
    assert run["note"].startswith("few pairs: ") == (count == 16)


def test_paths(asked):
    run = asked("--paths")
    assert [pair["path"] and len(pair["path"]) - 1 for pair in run["pairs"]] == lengths(run)
    assert "adaptive on the CPU" in run["note"]
    assert lengths(asked("--paths --device cpu-emulator")) == lengths(run)


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
