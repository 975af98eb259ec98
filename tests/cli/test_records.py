"""Records as the command writes them: where they are, time limits, failures.

Of tests/unit, test_records.c has rows and resuming, test_trial_lists.c lists of trials, test_quality.c depths
of trees; tests/faults/test_kill.py has runs that are killed."""

import time

from evaluation.failures import read_failures

import pytest

from helpers import SUMMARY, algorithms, complains, gtrav, gtrav_ok, rows_in

VARIANT = next(a["variant"] for a in algorithms() if a["family"] == "bfs")
RUN = f"bfs --variant {VARIANT} --quiet --graph"


def summaries(results):
    return rows_in(results, f"*/bfs_{VARIANT}_perf.csv")


def test_columns(tmp_path):
    gtrav_ok(f"{RUN} kron:8 --sources 6 --verify all --csv", tmp_path)
    (summary,) = summaries(tmp_path)
    assert list(summary) == SUMMARY.split(",")
    (path,) = tmp_path.glob("*/*_perf.csv")
    assert summary["device"] == path.parent.name
    found = [summary[name] for name in ("graph", "family", "variant", "sources", "verified")]
    assert found == ["kron:8", "bfs", VARIANT, "6", "all"]
    trials = rows_in(tmp_path, f"*/trials/bfs_{VARIANT}_kron:8.csv")
    assert [row["verified"] for row in trials] == ["yes"] * 6
    for name in ("graph", "vertices", "edges", "options", "device", "version"):
        assert {row[name] for row in trials} == {summary[name]}


def test_time_limit(tmp_path):
    """Trials end at the limit; the record is complete for it, and goes on under a longer one."""

    def run(seconds):
        asked = f"bfs kron:14 --variant serial --sources 100000 --verify none --time-limit {seconds} --csv"
        said = gtrav_ok(asked, tmp_path).err
        return said, rows_in(tmp_path, "*/bfs_serial_perf.csv")

    said, [row] = run(1)
    assert "the time limit of 1 s ended it after" in said
    assert 1 <= int(row["sources"]) < 100000
    assert (row["time_limit_s"], row["source_list"]) == ("1", "gap")
    said, again = run(1)
    assert f"{row['sources']} trials reused" in said and "the time limit of 1 s ended it after" in said
    assert again == [row]
    _, (*_, longer) = run(2)
    assert (longer["time_limit_s"], int(longer["sources"]) > int(row["sources"])) == ("2", True)
    assert run(1)[1][-1] == longer


def test_failures_are_recorded(tmp_path):
    """With the key of the record that it would have been: a later success is seen to be of the same."""
    for _ in range(2):
        complains(gtrav("dfs kron:6 --variant serial --reorder rcm --quiet --csv", tmp_path), "--reorder natural")
    found = rows_in(tmp_path, "*/failures.csv")
    key = ["kron:6", "dfs", "serial", "unsupported"]
    assert [[row[name] for name in ("graph", "family", "variant", "reason")] for row in found] == [key] * 2
    (newest,) = read_failures(next(tmp_path.glob("*/failures.csv")))  # as the scripts read them
    assert "reorder=rcm" in newest["options"].split() and "--reorder natural" in newest["message"]
    time.strptime(newest["date"], "%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize(("mode", "shown"), [("first", True), ("none", False)])
def test_how_deep_trees_are(mode, shown):
    said = gtrav_ok(f"dfs grid:9x9 --variant serial --wide --verify {mode}").out
    assert ("cross share" in said) == shown
    assert not any(line.endswith(" ") for line in said.splitlines())


def test_where_they_are(tmp_path):
    gtrav_ok(f"{RUN} dag:30:0.5 --undirected --sources 2 --csv", cwd=tmp_path)
    gtrav_ok(f"{RUN} kron:6 --sources 2 --csv={tmp_path / 'a' / 'b'}", cwd=tmp_path)
    for folder, graph in (("results/local", "dag:30:0.5+undirected"), ("a/b", "kron:6")):
        assert [row["graph"] for row in summaries(tmp_path / folder)] == [graph]
        assert len(rows_in(tmp_path / folder, f"*/trials/bfs_{VARIANT}_{graph}.csv")) == 2
