"""The scripts: dataset lists, downloads, experiments and the whole pipeline."""

import os

import pytest

from helpers import BANNER, GTRAV, ROOT, drawn_in, execute, ok, refused, rows_of, run_mode, script
from made_up import algorithm, graph_row, make_up, write_list

ENVIRONMENT = {**os.environ, "GTRAV": GTRAV}


# ---- experiments and the whole pipeline ----


def experiments(*arguments):
    return script("scripts/measure.py", "experiments", *arguments, env=ENVIRONMENT)


def test_experiments_go_on_after_a_failure(tmp_path):
    (tmp_path / "MM").mkdir()
    (tmp_path / "MM" / "bad.mtx").write_text("no banner")
    (tmp_path / "MM" / "good.mtx").write_text(BANNER)
    rows = [graph_row("bad"), graph_row("absent"), graph_row("good"), graph_row("gone", stand_in="path:9")]
    rows.append(graph_row("dag:20:0.5", "", "generated directed acyclic graph"))
    wanted = write_list(tmp_path / "list.csv", rows)
    arguments = (wanted, "--csv", tmp_path / "results", "--graphs", tmp_path / "MM", "--stand-ins")
    result = experiments(*arguments, "--", "--sources", "2")
    bad = f"failed: bad bfs: {tmp_path / 'MM' / 'bad.mtx'}:1:1: wrong banner"
    refused(result, bad, "failed: absent bfs --sources 2: no such graph here", status=1)
    assert "failed: good" not in result.err
    found = {path.name for path in (tmp_path / "results").glob("*/trials/*.csv")}
    wanted = ("bfs_serial_good", "bfs_gap_path:9", "dfs_serial_good")
    wanted += ("dfs_serial_dag:20:0.5", "topo_serial_dag:20:0.5")
    assert {f"{name}.csv" for name in wanted} <= found
    assert "topo_serial_good.csv" not in found
    assert "bfs_serial_dag:20:0.5.csv" not in found


def test_variants_that_cannot_run_here_are_left_out(tmp_path):
    wanted = write_list(tmp_path / "list.csv", [graph_row("path:9", "", "undirected")])
    algorithms = [algorithm("dfs", "v1", available=False), algorithm("dfs", "serial", "cpu")]
    program, log = make_up(tmp_path, algorithms)
    run = ("scripts/measure.py", "experiments", wanted, "--gtrav", program, "--csv", tmp_path / "results", "--algo")
    result = ok(script(*run, "dfs:v1,serial,v9"))
    assert "left out, they cannot run on this machine: dfs v1, dfs v9" in result.err
    assert "--variant serial " in log.read_text()
    script(*run, "dfs:v8,v9")  # none can: gtrav says why
    assert "--variant v8,v9 " in log.read_text()


def run_all(*arguments, gtrav=GTRAV):
    environment = {**ENVIRONMENT, "GTRAV": str(gtrav)}
    return execute(["scripts/run_all.sh", *arguments], cwd=ROOT, env=environment)


@pytest.mark.slow
def test_run_all_end_to_end(tmp_path):
    rows = [graph_row("kron:6", "", "generated undirected graph"), graph_row("dag:30:0.5", "", "acyclic")]
    wanted = write_list(tmp_path / "list.csv", rows)
    result = ok(run_mode(tmp_path, "quick_start", "--list", wanted, "--", "--sources", "2"))
    figures = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {f"fig_warpnet_1.{ending}" for ending in ("pdf", "png")} <= figures  # of the CPU at least
    page = tmp_path / "results" / "report.md"
    assert result.err.splitlines()[-1] == f"== open {page}; records and figures are beside it"
    assert "kron:6" in result.out and str(page) in result.out and page.is_file()


EVALUATED = [
    *(algorithm("dfs", variant, "cpu") for variant in ("ckl", "acr", "serial")),
    *(algorithm("dfs", variant) for variant in ("nvg", "v1", "v2", "v3", "v4", "handoff")),
    *(algorithm("bfs", variant) for variant in ("queue", "warp")),
]


@pytest.fixture
def evaluate(tmp_path):
    """Runs a mode on a program that makes records up; what it drew, and the runs that it asked for."""
    wanted = write_list(tmp_path / "list.csv", [graph_row("kron:8", ""), graph_row("gone", stand_in="path:9")])

    def run(mode, algorithms, *, status=0):
        program, log = make_up(tmp_path, algorithms)
        words = ("--list", wanted, "--", "--sources", "2")
        result = run_mode(tmp_path, mode, *words, program=program)
        assert result.status == status, result.err
        runs = log.read_text().splitlines() if log.exists() else []
        assert all(line.endswith("--sources 2") for line in runs)
        return drawn_in(tmp_path / "figures"), runs, result

    return run


@pytest.mark.parametrize("mode", ["run_subset", "run_bench", "run_sensitivity", "run_warpnet", "paper warpnet"])
def test_modes_that_need_a_gpu(mode, evaluate, tmp_path):
    """Without one they end at once: nothing is set up, built or written."""
    no_gpu = [{**a, "available": a["device"] == "cpu"} for a in EVALUATED]
    _, runs, result = evaluate(mode, no_gpu, status=3)
    (line,) = result.err.splitlines()
    name = mode.removeprefix("paper ")
    assert line == f"== {name} needs a GPU, and gtrav finds none here; quick_start runs without one"
    assert runs == [] and not (tmp_path / "results").exists()


@pytest.mark.parametrize("mode", ["run_blest", "run_xbfs"])
def test_modes_that_need_the_emulator_at_least(mode, evaluate):
    _, runs, result = evaluate(mode, [{**a, "available": False} for a in EVALUATED], status=3)
    assert runs == [] and f"{mode} needs a GPU, or the emulator" in result.err


@pytest.mark.slow
def test_all_of_one_paper(evaluate, tmp_path):
    """Each mode's records are in a folder of its own; there is one folder of figures, and one report."""
    figures, runs, result = evaluate("paper diggerbees", EVALUATED)
    rows = [row for path in tmp_path.glob("results/run_subset/*/bfs_*_perf.csv") for row in rows_of(path)]
    assert {row["graph"] for row in rows} == {"kron:8", "path:9"}
    assert [line for line in runs if "--algo bfs" in line and "--device gpu" not in line] == []
    assert figures == {"fig_5", "fig_6", "fig_8", "fig_9", "fig_10"}
    assert any("--variant v1,v2 " in line and "mode=paper" in line for line in runs)
    assert sum("hot-cutoff=16" in line for line in runs) == 3 * 2
    assert sum("copies=plain" in line for line in runs) == 2
    assert any("--set hot-cutoff=64 --set cold-cutoff=128" in line and "mode=paper" in line for line in runs)
    folders = {path.name for path in (tmp_path / "results").iterdir() if path.is_dir()}
    assert folders == {"run_subset", "run_balance", "run_sensitivity", "figures"}
    assert len(list((tmp_path / "results").rglob("report.md"))) == 1
    assert result.err.count("which of the papers' claims hold") == 1
    tasks = tmp_path / "results" / "run_balance" / "gpu-x"
    assert (tasks / "tasks" / "dfs_v4_kron:8.csv").is_file()


NO_LIST = "run_all: no list nowhere.csv "


@pytest.mark.parametrize(
    "words, complaint",
    [
        ("paper", "diggerbees, blest, xbfs, ibfs, warpnet, all"),
        ("paper gunrock", "diggerbees, blest, xbfs, ibfs, warpnet"),
        ("run_xbfs blest", "unknown word 'blest'"),
        ("run_user nowhere.csv", NO_LIST),
        ("quick_start --list nowhere.csv", NO_LIST),
        ("quick", "quick_start"),
        ("quick_start --sources 3", "--sources"),
        ("", "MODE"),
    ],
)
def test_a_wrong_word(words, complaint, tmp_path):
    """It is told before anything is set up or built, even by a mode that cannot run here."""
    result = run_all(*words.split(), gtrav=tmp_path / "no-gtrav")
    assert (result.status, len(result.err.splitlines())) == (2, 1)
    assert complaint in result.err
