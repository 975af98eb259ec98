"""scripts/compare_proof.py: how often `gtrav compare` is wrong, on made-up launches and on a few real ones."""

import random

from evaluation.analyses.compare_proof import BLOCKS, SIZES, TURNS
from evaluation.campaigns.compare_proof import split, windows
from evaluation.files import read_rows

import pytest

from helpers import ok, refused, rows_in, script
from made_up_records import HOST, row, write


def prove(folder, *options):
    return script("scripts/compare_proof.py", "--csv", folder, "--launches", 0, "--comparisons", 10, *options)


def launches(folder, factor_of):
    """Records of 400 launches, whose times vary by about 1% and with a factor of the turn."""
    chance, rows = random.Random(1), []
    for turn in range(1, 401):
        factor = factor_of(turn) * chance.lognormvariate(0, 0.01)
        known = {"trial_edges": "7*3", "source_list": "gap", "small_reach": "", "batch_sources": ""}
        known.update(trial_ms=" ".join(f"{ms * factor:.4g}" for ms in (1, 2, 4)), launch=turn, turn=turn)
        rows.append(row("kron:9", "serial", 1, HOST, **known))
    write(folder, rows)


def found_in(folder, launches_a_side, order, planted, same="0"):
    """Returns the counts of a case's verdicts."""
    wanted = [str(launches_a_side), order, str(planted), same]
    columns = ("launches", "order", "planted_percent", "same_percent")
    (found,) = [one for one in read_rows(folder / "compare_proof.csv") if [one[name] for name in columns] == wanted]
    return {verdict: int(found[verdict]) for verdict in ("faster", "slower", "same")}


@pytest.mark.slow
def test_what_is_alike_and_what_is_planted(tmp_path):
    launches(tmp_path, lambda turn: 1)
    result = ok(prove(tmp_path))
    assert [found_in(tmp_path, size, TURNS, 10)["slower"] for size in (8, 20)] == [10, 10]
    assert found_in(tmp_path, 20, TURNS, 3)["slower"] == 10 > found_in(tmp_path, 8, TURNS, 1)["slower"]
    assert found_in(tmp_path, 20, TURNS, 0, "2")["same"] == 10 > found_in(tmp_path, 20, TURNS, 0)["same"]
    last = [cell.strip() for cell in result.out.splitlines()[-1].split("|")]
    assert last[1] == "20" and last[-3] == "100"


@pytest.mark.slow
def test_drift_deceives_blocks_alone(tmp_path):
    launches(tmp_path, lambda turn: 1 + turn / 500)
    ok(prove(tmp_path))
    assert found_in(tmp_path, 20, BLOCKS, 0)["slower"] == 10


@pytest.mark.slow
def test_too_many_wrong_verdicts(tmp_path):
    """Every other launch is slow. Chance then puts more slow launches on one side than the rank test expects."""
    launches(tmp_path, lambda turn: 1 + turn % 2)
    assert prove(tmp_path).status == 1


def test_no_launch_is_drawn_twice():
    for order in (TURNS, BLOCKS):
        for size in SIZES:
            sides = [split(each, order, random.Random(1)) for each in windows(range(200), size, 200 // (2 * size))]
            drawn = [launch for both in sides for side in both for launch in side]
            assert len(set(drawn)) == len(drawn) == 2 * size * len(sides)
            firsts = sum(launch % 2 for old, _ in sides for launch in old)
            assert 0 < firsts < len(drawn) / 2  # each side gets first and second places of pairs


def test_fewer_comparisons_than_workloads(tmp_path):
    launches(tmp_path, lambda turn: 1)
    refused(prove(tmp_path, "--comparisons", 0), "--comparisons: give at least 1, one for each workload")


def test_measuring_continues(tmp_path):
    measured = ("--workload", "bfs path:9 --variant serial", "--comparisons", "1", "--launches")
    refused(prove(tmp_path, *measured, "3"), "bfs serial path:9: 3 launches; 40 are needed")
    assert prove(tmp_path, *measured, "40").status in (0, 1)  # path:9 takes microseconds: one comparison may be wrong
    assert [int(one["turn"]) for one in rows_in(tmp_path, "*/*_perf.csv")] == list(range(1, 41))
