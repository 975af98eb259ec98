"""Which rows count, by one rule after the other: a DataFrame of a few rows, and the reason for each."""

from evaluation import records, trusted
from evaluation.files import RecordsError

import pandas as pd
import pytest

import made_up_records

DAY, NEXT = "2026-01-01", "2026-01-02"
COLUMNS = ["graph", "variant", "device", "verified", "date", "folders"]


def table(*rows):
    known = pd.DataFrame(rows, columns=COLUMNS)
    return known.assign(family="bfs", options="", graph_hash="", threads="")


def test_each_rule_has_its_reason():
    rows = table(
        ("kron:10", "gap", "cpu-x", "all", DAY, ("top",)),
        ("kron:10", "gap", "cpu-x", "FAILED", NEXT, ("top",)),
        ("kron:10", "queue", "emulator", "all", DAY, ("top",)),
        ("kron:10", "queue", "gpu-x", "none", DAY, ("top",)),
        ("kron:10", "warp", "gpu-x", "first", DAY, ("top",)),
    )
    assert list(trusted.reasons(rows)) == ["refuted", "failed", "emulated", "unverified", ""]


def test_a_failure_that_a_newer_verification_follows_refutes_nothing():
    rows = table(
        ("kron:10", "gap", "cpu-x", "FAILED", DAY, ("top",)),
        ("kron:10", "gap", "cpu-x", "all", NEXT, ("top",)),
        ("kron:10", "gap", "cpu-x", "none", NEXT, ("top",)),
    )
    assert list(trusted.reasons(rows)) == ["failed", "", "unverified"]


def test_rows_of_the_most_common_gpu_and_the_cpu_beside_it_count(tmp_path):
    rows = table(
        ("kron:10", "queue", "nvidia-a", "all", DAY, ("top", "one")),
        ("kron:10", "warp", "nvidia-a", "all", DAY, ("top", "one")),
        ("kron:10", "gap", "cpu-x", "all", DAY, ("top", "one")),
        ("kron:10", "queue", "nvidia-b", "all", DAY, ("top", "two")),
        ("kron:10", "gap", "cpu-x", "all", DAY, ("top", "two")),
    )
    found = trusted.of_machine(rows, tmp_path / "top")
    assert (found.machine.gpu, found.machine.cpus) == ("nvidia-a", ["cpu-x"])
    assert list(found.rows.index) == [0, 1, 2]
    assert dict(found.left_out.reason) == {3: trusted.OTHER_DEVICE, 4: trusted.ELSEWHERE}
    assert list(trusted.of_machine(rows, tmp_path / "top", "nvidia-b").rows.index) == [3, 4]


def test_rows_of_a_busy_machine_do_not_count(tmp_path):
    """Threads of gtrav and of others fit the cores or not; a GPU lowered its clocks; old rows lack the columns."""
    rows = table(*[("kron:10", "gap", "cpu-x", "all", DAY, ("top",))] * 6)
    told = {"cores": [*"88828", ""], "busy_cores": [*"45010", ""], "throttled": [*"00300", ""]}
    rows = rows.assign(**told, threads=["4", "4", "4", "", "", ""], clock_limits=["", "", "", "", "power-cap", ""])
    assert list(trusted.reasons(rows)) == ["", "busy", "busy", "", "busy", ""]
    found = trusted.of_machine(rows[1:3], tmp_path / "top")
    assert found.rows.empty and found.machine.cpus == ["cpu-x"] and set(found.left_out.reason) == {"busy"}


def test_a_file_of_tasks_without_a_trial_is_refused(tmp_path):
    path = tmp_path / "nvidia-a" / "tasks" / "dfs_v4_kron:10.csv"
    path.parent.mkdir(parents=True)
    path.write_text("options,source,tasks,version\n")
    with pytest.raises(RecordsError, match="no trial in it"):
        records.load([tmp_path])


def test_rows_without_a_note_are_gtravs(tmp_path):
    """Other programs have one, or are in dataset/peers.csv."""
    (row,) = made_up_records.of_all_graphs()[:1]
    made_up_records.write(tmp_path, [{name: value for name, value in row.items() if name != "note"}])
    (found,) = records.as_dicts(records.load([tmp_path])[["family", "variant", "note"]])
    assert found["note"] == "" and records.is_of_gtrav(found)
    assert not records.is_of_gtrav({**found, "note": records.ANOTHER_PROGRAM})
