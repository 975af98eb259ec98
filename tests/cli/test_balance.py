"""Tasks of every block: gtrav --tasks, make balance, and its script, with a program that makes them up."""

import os

from evaluation.analyses.balance import read_tasks, variation
from evaluation.files import RecordsError

import pytest

from helpers import ROOT, cells_of, complains, execute, gtrav, ok, script
from made_up import algorithm, make_up

RUN = ("--algo", "dfs", "--variant", "serial", "--graph", "path:4")
SEVERAL = ("--algo", "bfs", "--variant", "serial,gap", "--graph", "path:4")
HEADER = "graph,source,block,tasks,version,date\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((*RUN, "--csv", "r", "--tasks", "balance"), "dfs serial counts no tasks"),
        *(((*RUN, "--csv", "r", "--tasks", name), name) for name in ("../elsewhere", "a/b", ".hidden")),
        ((*RUN, "--tasks", "balance"), "--tasks needs --csv"),
        ((*SEVERAL, "--csv", "r", "--tasks", "balance"), "--tasks takes one variant"),
    ],
)
def test_tasks_mistakes(words, reason, tmp_path):
    complains(gtrav(*words, cwd=tmp_path), "--tasks", reason)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_make_balance_counts_with_the_program_that_is_timed():
    result = ok(execute(["make", "-n", "balance", "BALANCE_POLICY=0", "GRAPHS=road:9 path:9"], cwd=ROOT))
    assert "GTRAV=build/gtrav" in result.out
    assert "scripts/measure.py balance --policy 0" in result.out
    assert "road:9 path:9" in result.out


@pytest.fixture
def fake(tmp_path):
    """Runs the script on a program that makes tasks up; told: what its --list says of dfs v4."""

    def run(*arguments, reported=None):
        entry = algorithm("dfs", "v4", on_request=["tasks"])
        program, _ = make_up(tmp_path, [{**entry, **(reported or {})}])
        environment = {**os.environ, "GTRAV": str(program)}
        return script("scripts/measure.py", "balance", "--csv", tmp_path / "results", *arguments, env=environment)

    return run


def test_both_policies(fake, tmp_path):
    result = ok(fake("road:9", "a/b.mtx", "--policy", "0", "--", "--sources", "3"))
    assert "Var. baseline" in result.out
    commands = (tmp_path / "log").read_text().splitlines()
    assert len(commands) == 2
    assert all("--tasks balance_baseline " in line and line.endswith("--sources 3") for line in commands)
    assert "balance-policy=0" in commands[0]
    assert "--device" not in commands[0]

    result = fake("road:9")
    assert cells_of(result.out)[-1] == ["road:9", "3", "3", "19", "20", "21", "0.707", "0.0408"]
    assert str(tmp_path / "results" / "gpu-x" / "balance_diggerbees") in result.err


def test_the_representative_graphs_on_a_gpu_and_small_ones_without(fake, tmp_path):
    assert fake().status == 0
    with_gpu = (tmp_path / "log").read_text()
    assert "--graph road:22" in with_gpu or "europe_osm.mtx" in with_gpu
    (tmp_path / "log").unlink()
    result = ok(fake(reported={"available": False, "emulated": True}))
    assert "no GPU here: small graphs on the emulator" in result.err
    lines = (tmp_path / "log").read_text().splitlines()
    assert all("--device cpu-emulator" in line for line in lines)
    assert not any("dag:" in line for line in lines)


@pytest.mark.parametrize(
    ("reported", "reason"),
    [
        ({"on_request": []}, "does not count tasks; make builds one that does"),
        ({"available": False}, "cannot run dfs v4 here"),
        ({"variant": "v3"}, "cannot run dfs v4 here"),
    ],
)
def test_nothing_that_counts(reported, reason, fake):
    result = fake("road:9", reported=reported)
    assert result.status == 2
    assert len(result.err.splitlines()) == 1
    assert reason in result.err


def test_reading_and_variation(tmp_path):
    path = tmp_path / "balance_x.csv"
    path.write_text(HEADER + "x,3,0,2,v,d\nx,3,1,6,v,d\nx,3,0,0,v,d\nx,3,1,1,v,d\n")
    assert read_tasks(path) == [[2, 6], [0, 1]]
    assert variation(read_tasks(path)) == 0.5  # the second trial has fewer tasks than blocks
    assert variation([[0, 1]]) is None
    assert variation([[500, 1500], [1, 9]]) == 0.5  # the second is of small reach
    for text in ("", HEADER, "graph,block\nx,0\n", HEADER + "x,3,1,2,v,d\n", HEADER + "x,3,0,many,v,d\n"):
        path.write_text(text)
        with pytest.raises(RecordsError, match="balance_x.csv"):
            read_tasks(path)
