"""The pipeline at full size: its table of modes, the status file, what goes wrong on the way."""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from evaluation.campaigns import loop, modes, run_all, run_mode
from evaluation.files import RecordsError

import pytest

from helpers import BANNER, GTRAV, ROOT, drawn_in, execute, gtrav_json, ok, refused, rows_of, script, write_program
from made_up import algorithm, graph_row, make_up, write_list

ENVIRONMENT = {**os.environ, "GTRAV": GTRAV}
LISTING = gtrav_json("--list")
ON_THE_EMULATOR = any(a["emulated"] for a in LISTING) and not any(
    a["available"] and a["device"] == "gpu" for a in LISTING
)
without_gpu = pytest.mark.skipif(not ON_THE_EMULATOR, reason="no emulator in this build, or a GPU here")


def table_of_modes():
    """{mode: its other columns}"""
    rows = [[cell.strip() for cell in line.split("|")] for line in modes.TABLE.splitlines()[1:]]
    return {name.split()[0]: cells for name, *cells in rows}


def test_times_are_the_same_everywhere():
    _, time, _ = table_of_modes()["quick_start"]
    readme = (ROOT / "README.md").read_text()
    assert re.search(rf"^scripts/run_all.sh quick_start .*: {time}$", readme, re.MULTILINE)


class OnGpu(run_mode.Plan):
    """A plan made as if a GPU were here."""

    def gpu_is_here(self):
        return True

    def emulator_is_here(self):
        return False


WORDS = {"run_user": [__file__], "paper": ["warpnet"]}  # a mode's second word


def plan_of(mode, *words):
    plan = OnGpu(run_all.parse([mode, *words]))
    modes.MODES[mode](plan)
    return plan


def numbers_in(words):
    """{1, 9, 10, 11} of "figures 1 and 9 to 11"."""
    ranges = re.findall(r"(\d+)(?: to (\d+))?", words)
    return {n for first, last in ranges for n in range(int(first), int(last or first) + 1)}


def test_the_table_names_the_figures_that_are_drawn():
    for mode, (what, *_) in table_of_modes().items():
        named = re.search(r"figures? (.*)", what)
        words = WORDS.get(mode, [])
        drawings = [step.command for step in plan_of(mode, *words).steps if "plot/draw.py" in step.command]
        drawn = [word for command in drawings for word in command[2 : command.index("--results")]]
        if named:
            assert numbers_in(named[1]) == {int(word.rpartition("_")[2]) for word in drawn}, mode


@pytest.mark.parametrize("mode", modes.MODES)
def test_every_mode_measures_before_it_finishes(mode, tmp_path):
    words = WORDS.get(mode, [])
    steps = plan_of(mode, *words, "--results", str(tmp_path), "--", "--sources", "7").steps
    measuring = [step.measures for step in steps]
    assert measuring == sorted(measuring, reverse=True)
    assert steps[-1].command[1:] == ["scripts/report.py", "--results", str(tmp_path)]
    own_sources = ("many", "msbfs", "emulator", "peers", "xbfs", "download", "make", "setup")
    for step in steps:
        if step.is_campaign and not any(word in " ".join(step.command) for word in own_sources):
            assert step.command[-2:] == ["--sources", "7"], step


def test_all_papers_in_one_command():
    """Every mode once, with its downloads, in a folder of its own; then one report."""
    commands = [[*map(str, step.command)] for step in plan_of("paper", "all", "--results", "to").steps]
    folders = [words[words.index("--csv") + 1] for words in commands if "--csv" in words]
    names = list(dict.fromkeys(folder.split("/")[1] for folder in folders))
    assert names == list(dict.fromkeys(mode for some in modes.MODES_OF.values() for mode in some))
    lists = {Path(words[2]).stem for words in commands if "scripts/download_graphs.py" in words}
    assert lists >= {row["lists"].split()[0] for row in rows_of(ROOT / "dataset" / "papers.csv")} - {
        *("benchmark_list", "blest14_graphs", "snb_list")  # of run_bench, too large, generated
    }
    assert sum("scripts/report.py" in words for words in commands) == 1


def planned(tmp_path, algorithms):
    program, _ = make_up(tmp_path, algorithms)
    words = ("paper", "all", "--plan", "--results", tmp_path / "results")
    result = ok(execute(["scripts/run_all.sh", *words], cwd=ROOT, env={**os.environ, "GTRAV": str(program)}))
    assert not (tmp_path / "results").exists()
    return result.out


def test_a_plan_of_all_papers_without_a_gpu(tmp_path):
    """Modes that need one are named, and every GPU algorithm runs on the emulator; nothing is measured."""
    listing = [algorithm("bfs", "xbfs", available=False, emulated=True), algorithm("bfs", "gap", "cpu")]
    text = planned(tmp_path, listing)
    for mode in ("run_subset", "run_sensitivity", "run_warpnet"):
        assert f"# {mode} is left out: it needs a GPU\n" in text
    (emulated,) = (line for line in text.splitlines() if line.endswith("--sources 4 --verify all"))
    assert "dataset/emulator_list.csv --emulated" in emulated and "--small" in text
    assert "download_graphs" not in text and "rep_graphs" not in text
    assert "left out" not in planned(tmp_path, [algorithm("bfs", "xbfs")])


@pytest.mark.slow
def test_quick_start_draws_the_papers_figures_on_a_gpu(tmp_path):
    """They show rows of mode=paper alone of what can run so."""
    of_modes = {"dfs": ("v1", "v2", "v3", "v4"), "bfs": ("queue", "bitmap", "warp"), "topo": ("kahn",)}
    others = {"dfs": ("ckl", "acr"), "bfs": ("serial",)}
    listing = [algorithm(family, name, modes=True) for family, some in of_modes.items() for name in some]
    listing += [algorithm(family, name, "cpu") for family, some in others.items() for name in some]
    program, _ = make_up(tmp_path, [*listing, algorithm("dfs", "serial", "cpu", modes=True)])
    graphs = [graph_row("kron:8", "", "undirected"), graph_row("dag:30:0.5", "", "acyclic")]
    words = ("--list", write_list(tmp_path / "list.csv", graphs), "--results", tmp_path / "results")
    for step in plan_of("quick_start", *map(str, words)).steps:
        if {"experiments", "plot/draw.py"} & {*map(str, step.command)}:
            ok(execute(step.command, cwd=ROOT, env={**os.environ, "GTRAV": str(program)}))
    drawn = {f"fig_{name}" for name in ("5", "6", "8", "warpnet_1", "warpnet_2")}
    assert drawn_in(tmp_path / "results" / "figures") == drawn


# ---- the status file ----


def states_of(path):
    return {(row["graph"], row["what"]): (row["state"], row["reason"]) for row in rows_of(path)}


def test_a_status_file(tmp_path):
    path = tmp_path / "status.csv"
    one, two, three = ("a", "bfs"), ("a", "dfs"), ("b", "bfs")
    states = loop.Status(path)
    states.plan([one, two])
    states.finish(one, seconds=1.26)
    states.finish(two, "it\nsaid  no")
    assert states_of(path) == {one: ("done", ""), two: ("failed", "it said no")}
    assert rows_of(path)[0]["seconds"] == "1.3"
    assert states.has_failures()
    assert [*states.summary()] == [f"1 done, 1 failed, 0 left: {path}", "  failed: a dfs: it said no"]

    states = loop.Status(path)
    states.plan([one, three])
    assert states_of(path) == {one: ("done", ""), three: ("left", "")}
    assert not states.has_failures()
    assert [entry.name for entry in tmp_path.iterdir()] == ["status.csv"]

    states.finish(("", "plot 5"), "it ended with status 2")
    assert states_of(path)["", "plot 5"] == ("failed", "it ended with status 2")
    assert "  failed: plot 5: it ended with status 2" in states.summary()
    path.write_text("a,b\n1,2\n")
    with pytest.raises(RecordsError, match="not a status file"):
        loop.Status(path)


# ---- a mode, on a gtrav that misbehaves ----

# It lists topo kahn as if a GPU were here, for the modes that need one. On path:7 it is killed, on path:8 it
# takes its time until it is told to stop; else it is gtrav.
WRAPPER = """#!/bin/bash
case " $* " in
*" --list "*) exec cat {listing} ;;
*path:7*" --csv "*) kill -9 $$ ;;
*path:8*" --csv "*)
    trap 'exit 130' INT TERM
    touch {begun}
    for i in {{1..6000}}; do [[ -e {fixed} ]] && break; sleep 0.1; done
    trap - INT TERM
    ;;
esac
exec {gtrav} "$@"
"""


def write_wrapper(folder):
    listing = folder / "listing.json"
    of_a_gpu = {"family": "topo", "variant": "kahn", "device": "gpu", "available": True}
    kahn = [a for a in LISTING if (a["family"], a["variant"]) == ("topo", "kahn")] or [dict(LISTING[0])]
    others = [a for a in LISTING if a not in kahn]
    listing.write_text(json.dumps([*others, {**kahn[0], **of_a_gpu}]))
    places = {"begun": folder / "begun", "fixed": folder / "fixed", "listing": listing}
    return write_program(folder / "gtrav", WRAPPER.format(gtrav=GTRAV, **places))


@pytest.fixture
def pipeline(tmp_path):
    """A command for run_all.sh with graphs that go wrong in the given ways, and its folder of results."""
    wrapper = write_wrapper(tmp_path)

    def command(graphs, *words, mode="run_bench"):
        wanted = write_list(tmp_path / "list.csv", [graph_row(name, "Tiny" * (":" not in name)) for name in graphs])
        to = ("--results", tmp_path / "results", "--figures", tmp_path / "figures", "--offline")
        run = ["scripts/run_all.sh", mode, "--list", wanted, *to, *words, "--", "--sources", "2"]
        return [str(word) for word in run]

    environment = {**os.environ, "GTRAV": str(wrapper)}
    return command, {"cwd": ROOT, "env": environment}, tmp_path / "results"


def wait_for(path):
    deadline = time.monotonic() + 600
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert path.exists()


def wait_for_end(pid):
    """Of a process; nobody may be there to take its status."""
    deadline = time.monotonic() + 600
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        while "State:\tZ" not in Path(f"/proc/{pid}/status").read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.slow
def test_one_graph_does_not_stop_the_rest(pipeline):
    command, options, results = pipeline
    result = execute(command(["path:5", "path:7", "gone", "path:6"]), **options)
    assert result.status == 1
    states = states_of(results / "status.csv")
    dfs, bfs = (sorted({what for _, what in states if what.startswith(family)})[0] for family in ("dfs", "bfs"))
    assert states["path:5", dfs] == states["path:6", bfs] == ("done", "")
    assert states["path:7", dfs] == ("failed", "killed by signal 9, perhaps for want of memory")
    assert states["gone", bfs] == ("failed", "no such graph here; scripts/download_graphs.py gets it")
    assert f"6 done, 6 failed, 0 left: {results / 'status.csv'}" in result.err
    assert f"failed: path:7 {dfs}: killed by signal 9" in result.err
    rows = [row for path in results.glob("*/bfs_*_perf.csv") for row in rows_of(path)]
    assert {row["graph"] for row in rows} == {"path:5", "path:6"}

    result = ok(execute(command(["path:5", "path:6"]), **options))  # what is not asked for now is forgotten
    assert {graph for graph, _ in states_of(results / "status.csv")} == {"path:5", "path:6"}


@pytest.mark.slow
def test_interrupted_and_gone_on(pipeline, tmp_path):
    command, options, results = pipeline
    words = command(["path:5", "path:8", "path:6"])
    process = subprocess.Popen(words, stderr=subprocess.PIPE, start_new_session=True, text=True, **options)
    wait_for(tmp_path / "begun")
    process.terminate()  # run_all.sh alone, which passes it on
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert "interrupted in path:8" in err
    assert "1 done, 0 failed, 8 left" in err
    states = states_of(results / "status.csv")
    assert [graph for (graph, _), state in states.items() if state[0] == "done"] == ["path:5"]

    (tmp_path / "fixed").touch()
    before = next(results.glob("*/dfs_ckl_perf.csv")).read_text().splitlines()[1]
    result = ok(execute(words, **options))
    assert "9 done, 0 failed, 0 left" in result.err
    assert before in next(results.glob("*/dfs_ckl_perf.csv")).read_text()  # not measured again


SLOW_COMPILER = """#!/bin/bash
trap '{trap}' INT TERM
echo $$ >{pid}.part && mv {pid}.part {pid}
while :; do sleep 0.1; done
"""


@pytest.mark.parametrize(("number", "trap"), [(signal.SIGINT, "exit 1"), (signal.SIGTERM, "")])
def test_interrupted_while_setting_up(number, trap, tmp_path):
    """Set-up tries the compiler. That ends, too, whether it heeds the signal or not."""
    pid = tmp_path / "pid"
    compiler = write_program(tmp_path / "cc", SLOW_COMPILER.format(trap=trap, pid=pid))
    command = [ROOT / "scripts" / "run_all.sh", "quick_start", "--results", tmp_path / "results"]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "CC": str(compiler), "GTRAV": GTRAV}
    )
    wait_for(pid)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert err.splitlines()[-1] == "== interrupted; the same command goes on from there"
    assert "Traceback" not in err
    wait_for_end(int(pid.read_text()))


def test_sources_of_parts_are_their_own(tmp_path):
    words = ("--small", "--graph", "path:5", "--csv", tmp_path, "--", "--sources", "2")
    refused(script("scripts/measure.py", "msbfs", *words, env=ENVIRONMENT), "the parts have their own sources")


def test_only_the_script_is_told_to_stop(tmp_path):
    """Not gtrav: it is passed on."""
    wanted = write_list(tmp_path / "list.csv", [graph_row("path:8", "")])
    words = ["--gtrav", write_wrapper(tmp_path), "--csv", tmp_path / "results"]
    command = [ROOT / "scripts" / "measure.py", "experiments", wanted, *words]
    process = subprocess.Popen([str(word) for word in command], stderr=subprocess.PIPE, text=True)
    wait_for(tmp_path / "begun")
    process.terminate()
    _, err = process.communicate(timeout=600)
    assert (process.returncode, "interrupted in path:8" in err) == (130, True)


def test_on_a_terminal(tmp_path):
    """gtrav sees one too, what it says gets there, and why it failed is known all the same."""
    program = write_program(
        tmp_path / "gtrav",
        f'#!/bin/bash\n[[ " $* " == *" --csv "* ]] || exec {GTRAV} "$@"\n'
        '[[ -t 2 ]] && printf "\\rhalf of it\\r" >&2\nstty size <&2 >&2\necho "gtrav: no luck" >&2; exit 3\n',
    )
    wanted = write_list(tmp_path / "list.csv", [graph_row("path:5", "")])
    reader, writer = os.openpty()
    words = ["--gtrav", program, "--csv", tmp_path / "results", "--algo", "bfs:gap"]
    command = [ROOT / "scripts" / "measure.py", "experiments", wanted, *words]
    process = subprocess.Popen([str(word) for word in command], stderr=writer)
    assert process.wait(timeout=600) == 1
    seen = os.read(reader, 1 << 16).decode()
    os.close(reader)
    os.close(writer)
    assert "half of it" in seen and "gtrav: no luck" in seen and "failed: path:5 bfs:gap: no luck" in seen


def test_warnings_without_a_terminal(tmp_path):
    """They are shown, unlike what gtrav says of a graph."""
    warning = "warning: other programs keep 2 of this machine's 2 cores busy"
    says = f'[[ " $* " == *" --quiet "* ]] || printf "path:5: 5 vertices\\n{warning}\\n" >&2; exit 0'
    text = f'#!/bin/bash\n[[ " $* " == *" --csv "* ]] || exec {GTRAV} "$@"\n{says}\n'
    program = write_program(tmp_path / "gtrav", text)
    wanted = write_list(tmp_path / "list.csv", [graph_row("path:5", "")])
    words = ("--gtrav", program, "--csv", tmp_path / "results", "--algo", "bfs:gap")
    lines = ok(script("scripts/measure.py", "experiments", wanted, *words)).err.splitlines()
    assert warning in lines and "path:5: 5 vertices" not in lines


@pytest.mark.slow
def test_run_user(pipeline, tmp_path):
    command, _, results = pipeline
    options = {"cwd": ROOT, "env": ENVIRONMENT}  # it needs no GPU
    folder = ROOT / "dataset" / "MM"
    mine = f"of-a-test-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    (folder / f"{mine}.mtx").write_text(BANNER)
    try:
        (tmp_path / "mine.csv").write_text(f"name\n{mine}\n")
        words = command(["path:5"], mode="run_user")
        words[2:4] = [str(tmp_path / "mine.csv")]  # instead of --list
        result = execute(words, **options)
    finally:
        (folder / f"{mine}.mtx").unlink()
    assert result.status == 0, result.err
    states = states_of(results / "status.csv")
    assert (mine, "bfs --sources 2") in states
    rows = [row for path in results.glob("*/bfs_*_perf.csv") for row in rows_of(path)]
    assert {"serial", "gap"} <= {row["variant"] for row in rows}
    assert {row["graph"] for row in rows} == {mine}
    refused(execute(["scripts/run_all.sh", "run_user"], cwd=ROOT), "run_user needs a list")
