"""Tasks of every block: gtrav --tasks, make balance, and its script, with a program that makes them up."""

import json
import os
import sys

import pytest

from helpers import ROOT, complains, execute, gtrav, script
from records import RecordsError, read_tasks, variation

RUN = ("--algo", "dfs", "--variant", "serial", "--graph", "path:4")
HEADER = "graph,source,block,tasks,version,date\n"
# Its blocks do other tasks under policy 0 than under 1; graph "bad" fails.
FAKE = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
if "--list" in words:
    print({listing!r})
    sys.exit()
value = lambda name: words[words.index(name) + 1]
if value("--graph") == "bad":
    sys.exit("gtrav: bad: no such graph")
pathlib.Path({log!r}).open("a").write(" ".join(words) + "\\n")
folder = pathlib.Path(value("--csv"), "gpu-x", value("--tasks"))
folder.mkdir(parents=True, exist_ok=True)
tasks = [10, 10, 40] if "balance-policy=0" in words else [19, 20, 21]
counts = [(source, block, n) for source in (5, 5, 9) for block, n in enumerate(tasks)]
rows = [f"{{value('--graph')}},{{source}},{{block}},{{n}},v,d" for source, block, n in counts]
name = "balance_" + value("--graph").replace("/", "_") + ".csv"
(folder / name).write_text({header!r} + "\\n".join([*rows, ""]))
print(json.dumps({{"graph": {{"name": value("--graph")}}, "device": "gpu-x"}}))
"""


def test_a_build_that_does_not_count_says_so(tmp_path):
    result = gtrav(*RUN, "--csv", tmp_path, "--tasks", "balance")
    complains(result, "dfs serial", "does not count tasks; make balance")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../elsewhere", "a/b", ".hidden"])
def test_tasks_go_below_the_records(name, tmp_path):
    complains(gtrav(*RUN, "--csv", tmp_path, "--tasks", name), "--tasks", name)


def test_tasks_mistakes():
    complains(gtrav(*RUN, "--tasks", "balance"), "--tasks needs --csv")
    several = ("--algo", "bfs", "--variant", "serial,gap", "--graph", "path:4")
    complains(gtrav(*several, "--csv", "r", "--tasks", "balance"), "--tasks takes one variant")


def test_make_balance_has_a_build_of_its_own():
    result = execute(["make", "-n", "balance", "BALANCE_POLICY=0", "GRAPHS=road:9 path:9"], cwd=ROOT)
    assert result.status == 0, result.err
    assert "-DGTRAV_BALANCE" in result.out
    assert "scripts/balance.py --policy 0" in result.out
    assert "road:9 path:9" in result.out
    assert " -c -o build/src/" not in result.out  # the build that is timed stays as it is


@pytest.fixture
def fake(tmp_path):
    """Runs the script on that program; told: what its --list says of dfs v4."""

    def run(*arguments, told=None):
        entry = {"family": "dfs", "variant": "v4", "outputs": ["visited", "tasks"]}
        entry.update({"available": True, "emulated": False}, **(told or {}))
        program = tmp_path / "gtrav"
        log = str(tmp_path / "log")
        text = FAKE.format(python=sys.executable, listing=json.dumps([entry]), log=log, header=HEADER)
        program.write_text(text)
        program.chmod(0o755)
        environment = {**os.environ, "GTRAV": str(program)}
        return script("scripts/balance.py", "--csv", tmp_path / "results", *arguments, env=environment)

    return run


def test_both_policies(fake, tmp_path):
    result = fake("road:9", "a/b.mtx", "--policy", "0", "--", "--sources", "3")
    assert result.status == 0, result.err
    assert "Var. baseline" in result.out
    commands = (tmp_path / "log").read_text().splitlines()
    assert len(commands) == 2
    assert all(line.endswith("--tasks balance_baseline --sources 3") for line in commands)
    assert "balance-policy=0" in commands[0]
    assert "--device" not in commands[0]

    result = fake("road:9")
    cells = [cell.strip() for cell in result.out.splitlines()[-1].strip("|").split("|")]
    assert cells == ["road:9", "3", "3", "19", "20", "21", "0.707", "0.0408"]
    assert str(tmp_path / "results" / "gpu-x" / "balance_diggerbees") in result.err


def test_the_representative_graphs_on_a_gpu_and_small_ones_without(fake, tmp_path):
    assert fake().status == 0
    with_gpu = (tmp_path / "log").read_text()
    assert "--graph road:22" in with_gpu or "europe_osm.mtx" in with_gpu
    (tmp_path / "log").unlink()
    result = fake(told={"available": False, "emulated": True})
    assert result.status == 0
    assert "no GPU here: small graphs on the emulator" in result.err
    lines = (tmp_path / "log").read_text().splitlines()
    assert all("--device cpu-emulator" in line for line in lines)
    assert not any("dag:" in line for line in lines)


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"outputs": ["visited"]}, "does not count tasks; make balance builds one that does"),
        ({"available": False}, "cannot run dfs v4 here"),
        ({"variant": "v3"}, "cannot run dfs v4 here"),
    ],
)
def test_nothing_that_counts(told, reason, fake):
    result = fake("road:9", told=told)
    assert result.status == 2
    assert len(result.err.splitlines()) == 1
    assert reason in result.err


def test_a_graph_that_fails_does_not_stop_the_rest(fake):
    result = fake("bad", "road:9")
    assert result.status == 1
    assert "failed: bad: gtrav ended with status 1" in result.err
    assert "road:9" in result.out


def test_reading_and_variation(tmp_path):
    path = tmp_path / "balance_x.csv"
    path.write_text(HEADER + "x,3,0,2,v,d\nx,3,1,6,v,d\nx,3,0,0,v,d\nx,3,1,1,v,d\n")
    assert read_tasks(path) == [[2, 6], [0, 1]]
    assert variation(read_tasks(path)) == 0.5  # the second trial has fewer tasks than blocks
    assert variation([[0, 1]]) is None
    for text in ("", HEADER, "graph,block\nx,0\n", HEADER + "x,3,1,2,v,d\n", HEADER + "x,3,0,many,v,d\n"):
        path.write_text(text)
        with pytest.raises(RecordsError, match="balance_x.csv"):
            read_tasks(path)
