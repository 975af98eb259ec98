"""XBFS's evaluation: its traces, what its tables and figures make of records, and the whole of run_xbfs."""

import csv
import os
from collections import Counter
from pathlib import Path
from unittest.mock import Mock

from evaluation import dataset
from evaluation.analyses import xbfs
from evaluation.campaigns.runs import generated_once
from evaluation.campaigns.xbfs import HIGH_DEGREE_NEVER, TRACED, predict

import numpy as np
import pytest

from helpers import (
    ROOT,
    execute,
    gtrav,
    gtrav_json,
    gtrav_ok,
    ok,
    refused,
    rows_of,
    run_mode,
    script,
)
from made_up import algorithm, make_up

LISTING = gtrav_json("--list")
EMULATED = any(a["emulated"] and a["variant"] == "xbfs" for a in LISTING)
NO_GPU = not any(a["available"] and a["device"] == "gpu" for a in LISTING)
needs_emulator = pytest.mark.skipif(not EMULATED, reason="no emulator in this build")


PROFILE = "--profile"
ON_EMULATOR = "--device cpu-emulator --quiet --verify all"


def traced(folder, *settings, variant="xbfs", graph="kron:9"):
    """Runs a variant on the emulator, every result verified; its folder of records."""
    chosen = " ".join(setting if setting == PROFILE else f"--set {setting}" for setting in settings)
    gtrav_ok(f"bfs {graph} --variant {variant} {ON_EMULATOR} {chosen} --sources 3 --csv", folder)
    return folder / "emulator"


def traces_of(folder, *settings, variant="xbfs", graph="kron:9"):
    folder = traced(folder, PROFILE, *settings, variant=variant, graph=graph)
    return rows_of(folder / "traces" / f"bfs_{variant}_{graph}.csv")


def work_of(folder, *settings, graph="kron:9"):
    """Without high-degree vertices and asynchronous levels: what a frontier's thread looks at itself."""
    folder = traced(folder, "work=1", HIGH_DEGREE_NEVER, "async=0", *settings, graph=graph)
    return xbfs.read_work(folder / "work" / f"bfs_xbfs_{graph}.csv")


# ---- what the kernel tells ----


@needs_emulator
def test_a_trace_reports_how_queues_were_made(tmp_path):
    rows = traces_of(tmp_path)
    assert {row["mode"] for row in rows} == {"top-down", "bottom-up"}
    assert all((row["mode"] == "bottom-up") == (row["generation"] == "double-scan") for row in rows)
    after = [row for row, before in zip(rows[1:], rows) if row["mode"] != before["mode"] == "bottom-up"]
    assert {row["generation"] for row in after if row["level"] != "1"} == {"none"}
    assert all(int(row["checked"]) > 0 for row in rows)
    for queue in ("scan-free", "single-scan", "double-scan"):
        rows = traces_of(tmp_path / queue, f"queue={queue}")
        assert {row["generation"] for row in rows if row["mode"] == "top-down"} == {queue}


@needs_emulator
def test_asynchronous_levels_save_looks(tmp_path):
    """They also find vertices of the next level; in the end all levels are the same."""
    found, frontiers = [], []
    for choice in ("async=0", "async=1"):
        traces_of(tmp_path / choice, "mode=paper", "alpha=2", choice, graph="kron:11")
        path = tmp_path / choice / "emulator" / "traces" / "bfs_xbfs_kron:11.csv"
        levels = xbfs.read_levels(path, "xbfs")
        found.append(levels)
        frontiers.append(levels.groupby("source").frontier.agg(list).to_dict())
    assert frontiers[0] == frontiers[1]
    assert xbfs.checks(found[1]) < xbfs.checks(found[0])
    assert xbfs.early_share(found[0]) == 0 < xbfs.early_share(found[1]) <= 1


@needs_emulator
@pytest.mark.parametrize("balance", ["static", "thread", "warp", "donate", "degree"])
def test_few_threads_for_many_frontiers(balance, tmp_path):
    few = ("block-size=32", "blocks-per-sm=1", "alpha=0", f"balance={balance}", "seed=5")
    traced(tmp_path, *few, graph="kron:12")


@needs_emulator
def test_work_is_reported_on_request(tmp_path):
    work = work_of(tmp_path)
    assert work and all(0 < checked <= degree for degree, checked in work)
    assert work_of(tmp_path) == work  # nothing is measured again


@needs_emulator
def test_ways_to_look_for_parents_change_no_work(tmp_path):
    """However frontiers are dealt out, the same number of each degree is looked over, and none beyond its
    edges; without asynchronous levels the paper's ways look at the same edges as ours."""
    work = {}
    for name in ("static", "thread", "donate", "static mode=paper"):
        settings = f"balance={name}".split()
        work[name] = work_of(tmp_path / name, "alpha=0", *settings, graph="kron:7")
    assert work["static"] == work["static mode=paper"]
    degrees = {name: Counter() for name in work}
    for name, found in work.items():
        for (degree, checked), number in found.items():
            assert checked <= degree
            degrees[name][degree] += number
    assert all(found == degrees["static"] for found in degrees.values())


# ---- mode=paper ----


@needs_emulator
@pytest.mark.parametrize("balance", ["static", "thread", "warp", "donate", "degree"])
@pytest.mark.parametrize("queue", ["adaptive", "scan-free", "single-scan", "double-scan"])
def test_every_queue_and_balance_is_right_as_in_the_paper(queue, balance, tmp_path):
    graphs = {"kron:9": "3", "urand:8": "0", "grid:9x9": "5", "star:300": "10"}
    for number, (graph, alpha) in enumerate(graphs.items()):
        settings = (f"queue={queue}", f"balance={balance}", f"alpha={alpha}", f"seed={number}")
        traced(tmp_path, "mode=paper", *settings, graph=graph)


@needs_emulator
def test_the_papers_values_are_recorded(tmp_path):
    """A value of the user's wins over the paper's."""
    recorded = {}
    for variant, settings in {"xbfs": (), "enterprise": ("block-size=64",)}.items():
        folder = traced(tmp_path, "mode=paper", *settings, variant=variant)
        (row,) = rows_of(folder / f"bfs_{variant}_perf.csv")
        recorded[variant] = row["options"].split()
    assert {"mode=paper", "balance=warp", "async=1", "alpha=10", HIGH_DEGREE_NEVER} <= {*recorded["xbfs"]}
    assert {"mode=paper", "block-size=64", "alpha=30"} <= {*recorded["enterprise"]}


@needs_emulator
def test_enterprise_stays_bottom_up_as_in_its_paper(tmp_path):
    rows = traces_of(tmp_path, "mode=paper", "alpha=5", variant="enterprise")
    for source in {row["source"] for row in rows}:
        modes = [row["mode"] for row in rows if row["source"] == source]
        assert modes == sorted(modes, reverse=True)  # top-down, then bottom-up to the end
        assert "bottom-up" in modes
    assert {row["generation"] for row in rows} == {"double-scan"}


@needs_emulator
@pytest.mark.parametrize("variant", ["enterprise", "xbfs"])
def test_the_whole_grid_takes_the_longest_frontiers(variant, tmp_path):
    """Top-down and bottom-up, early levels too: Enterprise's fourth class begins with 65,536 edges."""
    size = 65600
    path = tmp_path / "high.el"
    edges = [(0, v) for v in range(1, size)] + [(1, v) for v in range(2, 300)] + [(size - 1, size)]
    path.write_text("".join(f"{a} {b}\n" for a, b in [*edges, (size, size + 1)]))
    more = "--set balance=degree" if variant == "xbfs" else ""
    for alpha in ("0", "60"):
        chosen = f"--source 0,1,{size + 1} --set mode=paper --set alpha={alpha} {more}"
        gtrav_ok(f"bfs {path} --undirected --variant {variant} {ON_EMULATOR} {chosen}")


@needs_emulator
def test_a_trace_of_other_columns_is_left_alone(tmp_path):
    path = tmp_path / "emulator" / "traces" / "bfs_xbfs_kron:9.csv"
    path.parent.mkdir(parents=True)
    path.write_text("options,source,level,frontier,mode,ms\n")
    words = ("--variant", "xbfs", "--device", "cpu-emulator", "--quiet", "--profile")
    refused(gtrav("bfs", "kron:9", *words, "--csv", tmp_path), "bfs_xbfs_kron:9.csv: line 1: other columns")
    assert path.read_text() == "options,source,level,frontier,mode,ms\n"


@needs_emulator
def test_queues_are_filled_by_themselves():
    program = ROOT / "build" / "bench" / "enqueue"
    if not program.is_file():
        pytest.skip("not built")
    result = ok(execute([program, "emulator", "1", "1", "33", "2000"]))
    rows = list(csv.DictReader(result.out.splitlines()))
    assert [row["size"] for row in rows] == ["1", "33", "2000"]
    assert int(rows[-1]["found"]) > 300
    assert all(float(row[name]) > 0 for row in rows for name in ("atomic_ms", "prefix_sum_ms"))
    for words in ("", "emulator", "gpu 5", "gpu 1 0", "gpu 1 5x", "gpu 0 5", "cpu 1 5", "gpu 1 4294967296"):
        result = execute([program, *words.split()])
        assert result.status == 2
        assert result.err.startswith("usage: enqueue")


# ---- tables ----


def test_lemma_3_by_hand():
    """Queue 1, 2, 3, 4: vertex 3 at place 2 has one neighbour of level 1, vertex 4 at place 3 has both."""
    offsets, targets = np.array([0, 2, 5, 7, 8, 10, 10]), np.array([1, 2, 0, 3, 4, 0, 4, 1, 1, 2])
    levels = np.array([0, 1, 1, 2, 2, -1])
    vertices, probability, neighbours = predict(offsets, targets, levels)
    assert (vertices, neighbours) == (2, 1.5)
    assert probability == pytest.approx(((1 - 2 / 4) + (1 - (1 / 4) ** 2)) / 2)
    assert predict(offsets, targets, np.array([-1, -1, -1, -1, -1, 0])) is None


@needs_emulator
def test_lemma_3_beside_what_is_found_early(tmp_path):
    """On the emulator, whose few threads take the queue nearly in its order, the lemma is right."""
    words = ("levels", "lemma", "--small", "--graph", "kron:11", "--csv", tmp_path)
    assert script("scripts/measure.py", "xbfs", *words).status == 0
    ((graph, vertices, _, by_lemma, found),) = xbfs.early_by_lemma(Mock(folder=tmp_path, gpu="emulator"))[1]
    assert graph == "kron:11" and vertices > 300
    assert float(by_lemma.rstrip("%")) == pytest.approx(float(found.rstrip("%")), abs=12)


# ---- the mode ----


def test_a_generated_graph_is_kept_while_a_part_runs(tmp_path, monkeypatch):
    monkeypatch.delenv("GTRAV_GRAPHS", raising=False)
    with generated_once():
        folder = Path(os.environ["GTRAV_GRAPHS"])
        gtrav_ok("kron:8", "--info")
        assert [path.name for path in folder.iterdir()] != []
    assert not folder.exists() and "GTRAV_GRAPHS" not in os.environ
    monkeypatch.setenv("GTRAV_GRAPHS", str(tmp_path))
    with generated_once():
        assert os.environ["GTRAV_GRAPHS"] == str(tmp_path)


MADE_UP = [algorithm("bfs", variant) for variant in ("queue", "enterprise", "xbfs")]


@pytest.mark.slow
def test_run_xbfs_on_a_gpu(tmp_path):
    program, log = make_up(tmp_path, [*MADE_UP, algorithm("bfs", "gap", "cpu")])
    wanted = tmp_path / "list.csv"
    wanted.write_text(f"{','.join(dataset.COLUMNS)}\nkron:8,,,,,x,\nhere,A,,,,,\nnowhere,SNAP,,,,directed graph,\n")
    result = run_mode(tmp_path, "run_xbfs", "--list", wanted, "--", "--sources", "2", program=program)
    assert result.status == 1
    for graph in ("here", "nowhere"):
        assert f"failed: {graph} times: no such graph here" in result.err
    states = rows_of(tmp_path / "results" / "status.csv")
    assert [(row["graph"], row["what"], row["state"]) for row in states] == [
        (graph, part, "done" if graph == "kron:8" and part != "lemma" else "failed")
        for graph in ("kron:8", "here", "nowhere")
        for part in ("times", "levels", "work", "lemma")
    ]
    assert "failed: kron:8 lemma: no traced levels of XBFS" in result.err
    assert "left out: the ways to fill a queue, no " in result.err
    runs = log.read_text().splitlines()
    assert len(runs) == len(xbfs.CONFIGURATIONS) + 2 + len(TRACED) + 1
    assert all(run.endswith("--sources 2") and "--graph kron:8" in run for run in runs)
    assert sum("--profile" in run for run in runs) == len(TRACED)


def test_edges_get_their_reverse(tmp_path):
    program, log = make_up(tmp_path, MADE_UP)
    (tmp_path / "web.mtx").write_text("")
    wanted = tmp_path / "list.csv"
    wanted.write_text(f"{','.join(dataset.COLUMNS)}\nweb,SNAP,,,,directed graph,\n")
    words = ("--gtrav", program, "--list", wanted, "--graphs", tmp_path, "--csv", tmp_path / "csv")
    assert script("scripts/measure.py", "xbfs", "times", *words).status == 0
    assert all("web.mtx --undirected" in run for run in log.read_text().splitlines())
    assert script("scripts/measure.py", "xbfs", "colours", *words).status == 2


@pytest.mark.slow
@needs_emulator
@pytest.mark.skipif(not NO_GPU, reason="there is a GPU")
def test_run_xbfs_on_the_emulator(tmp_path):
    result = ok(run_mode(tmp_path, "run_xbfs", "--", "--verify", "all", "--sources", "2"))
    assert "times are no GPU times" in result.err
    assert not (tmp_path / "figures").exists()
