"""scripts/add_records.py: records of another machine added to those that are there."""

from evaluation.failures import write_failure
from evaluation.files import read_rows

import pytest

from helpers import ok, script
from made_up_records import GPU, row, write

WHEN = "2026-02-02T00:00:00Z"


@pytest.fixture
def folders(tmp_path):
    """Records of three graphs, and those of another run, where one has fewer sources and one failed."""
    here, there = tmp_path / "here", tmp_path / "there"
    write(here, [row(f"path:{size}", "v4", size) for size in (1, 2, 3)], "run_subset")
    again = [
        row("path:1", "v4", 10, date=WHEN),
        row("path:2", "v4", 20, date=WHEN, sources="8"),
        row("path:3", "v4", 30, date=WHEN, verified="FAILED"),
        row("path:2", "v4", 40, date=WHEN, options="blocks=1", sources="8"),
    ]
    write(there, again, "run_subset")
    return here, there


def times(folder):
    rows = read_rows(folder / "run_subset" / GPU / "dfs_v4_perf.csv")
    return {(one["graph"], one["options"]): float(one["mean_time_ms"]) for one in rows}


def test_newer_rows_count_unless_of_fewer_sources(folders):
    here, there = folders
    result = ok(script("scripts/add_records.py", here, there))
    assert times(here) == {("path:1", ""): 10, ("path:2", ""): 2, ("path:3", ""): 3, ("path:2", "blocks=1"): 40}
    left_out = [line for line in result.out.splitlines() if line.startswith("left out: ")]
    assert [line.partition("_perf.csv: ")[2] for line in left_out] == [
        "path:2, v4: 8 sources, and 64 are there",
        "path:3, v4: it failed",
    ]
    before = times(here)
    assert script("scripts/add_records.py", here, there).status == 0
    assert times(here) == before


def test_other_records_are_added_too(folders):
    here, there = folders
    for folder, graph in zip(folders, ("path:1", "path:9")):
        known = {"graph": graph, "family": "dfs", "variant": "nvg", "device": GPU, "reason": "out of memory"}
        write_failure(folder / "run_subset" / GPU, **known)
    for name in (
        "run_balance/x/tasks/dfs_v4_path:9.csv",
        "run_subset/x/trials/a.csv",
        "run_subset/x/lengths.csv",
        "run_subset/status.csv",
    ):
        (there / name).parent.mkdir(parents=True, exist_ok=True)
        (there / name).write_text("graph,what\npath:9,dfs\n")
    assert script("scripts/add_records.py", here, there).status == 0
    failures = read_rows(here / "run_subset" / GPU / "failures.csv")
    assert [one["graph"] for one in failures] == ["path:1", "path:9"]
    assert (here / "run_balance" / "x" / "tasks" / "dfs_v4_path:9.csv").is_file()
    assert not (here / "run_subset" / "x").exists() and not (here / "run_subset" / "status.csv").exists()


def test_a_folder_that_is_not_there(folders):
    result = script("scripts/add_records.py", folders[0], "nowhere")
    assert (result.status, result.err) == (2, "add_records: no folder nowhere\n")
