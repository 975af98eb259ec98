"""DiggerBees' tasks and its paper's mode, on the emulator."""

import csv

import pytest

from helpers import gtrav_json, gtrav_ok

LISTED = {(a["family"], a["variant"]): a for a in gtrav_json("--list")}
pytestmark = pytest.mark.skipif(not LISTED.get(("dfs", "v4"), {}).get("emulated"), reason="no emulator in this build")


def command(variant, graph, *settings):
    chosen = "".join(f" --set {setting}" for setting in settings)
    return f"dfs {graph} --variant {variant} --device cpu-emulator --verify all --quiet{chosen}"


def rows_of(folder, name):
    with open(folder / "emulator" / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def options_of(variant, folder, *settings):
    """{name: value} that the record of a run tells."""
    gtrav_ok(command(variant, "kron:6", *settings), "--sources", "1", "--csv", folder)
    (row,) = rows_of(folder, f"dfs_{variant}_perf.csv")
    return dict(word.split("=") for word in row["options"].split())


def test_tasks_of_blocks(tmp_path):
    trials = gtrav_json(command("v4", "road:9", "tasks=1"), "--sources", "2", "--csv", tmp_path)["trials"]
    rows = rows_of(tmp_path, "tasks/dfs_v4_road:9.csv")
    tasks = [[int(word) for word in row["tasks"].split()] for row in rows]
    assert [sum(of_blocks) for of_blocks in tasks] == [trial["reached"] for trial in trials]
    assert len(tasks[0]) > 1


def test_the_papers_mode_says_so_in_records(tmp_path):
    expected = {"mode": "paper", "batch-size": "64", "victims": "active", "steal-copies": "bulk"}
    expected.update({"warps-per-block": "8", "hot-cutoff": "32", "cold-cutoff": "64"})
    assert options_of("v4", tmp_path / "paper", "mode=paper").items() >= expected.items()
    assert options_of("v4", tmp_path / "own", "mode=paper", "hot-cutoff=8")["hot-cutoff"] == "8"


def test_versions_differ_in_what_they_have_alone(tmp_path):
    """An option of several versions has one default, so that the next version shows what it adds."""
    best = {variant: options_of(variant, tmp_path / variant) for variant in ("v1", "v2", "v3", "v4")}
    assert best["v1"].items() < best["v2"].items() < best["v3"].items() == best["v4"].items()
    paper = options_of("v4", tmp_path / "paper", "mode=paper")
    differ = {name for name in paper if paper[name] != best["v4"][name]}
    assert differ == {"mode", "warps-per-block", "hot-cutoff", "cold-cutoff", "top"}
