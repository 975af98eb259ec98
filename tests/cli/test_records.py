"""Records: what --csv writes, that it resumes, and that no row is lost or torn when a run is cut off."""

import csv
import signal
import subprocess
import time

import pytest

from helpers import GTRAV, SUMMARY, algorithms, complains, gtrav, gtrav_json, gtrav_ok

TRIAL = (
    "graph,vertices,edges,family,variant,options,device,source,trial_edges,reached,"
    "time_ms,reset_ms,kernel_ms,search_mteps,mteps,verified,tree_depth,cross_share,batch_sources,download_ms,"
    "threads,build,version,date"
)
VARIANT = next(a["variant"] for a in algorithms() if a["family"] == "bfs")
RUN = ("--algo", "bfs", "--variant", VARIANT, "--quiet")


def rows(path):
    """Every row, read by the header above it."""
    found, header = [], None
    with open(path, newline="") as file:
        for fields in csv.reader(file):
            if fields[0] == "graph":
                header = fields
            else:
                found.append(dict(zip(header, fields, strict=True)))
    return found


def newest(path, key=("graph", "options", "threads")):
    """Of rows with the same key the last; the others are outdated."""
    return list({tuple(row[name] for name in key): row for row in rows(path)}.values())


def only(paths):
    paths = list(paths)
    assert len(paths) == 1, paths
    return paths[0]


def summary_file(results):
    return only(results.glob(f"*/bfs_{VARIANT}_perf.csv"))


def trials_file(results, graph="kron:8"):
    return only(results.glob(f"*/trials/bfs_{VARIANT}_{graph}.csv"))


def record(results, *arguments, graph="kron:8", sources=6):
    return gtrav_ok(*RUN, "--graph", graph, "--sources", str(sources), "--csv", results, *arguments)


def test_columns_and_values(tmp_path):
    record(tmp_path, "--verify", "all")
    assert summary_file(tmp_path).read_text().splitlines()[0] == SUMMARY
    assert trials_file(tmp_path).read_text().splitlines()[0] == TRIAL

    summary = only(rows(summary_file(tmp_path)))
    assert summary["device"] == summary_file(tmp_path).parent.name
    assert (summary["graph"], summary["family"], summary["variant"]) == ("kron:8", "bfs", VARIANT)
    assert (summary["sources"], summary["verified"]) == ("6", "all")
    time.strptime(summary["date"], "%Y-%m-%dT%H:%M:%SZ")

    trials = rows(trials_file(tmp_path))
    assert len(trials) == 6
    assert all(row["verified"] == "yes" for row in trials)
    for name in ("graph", "vertices", "edges", "options", "device", "version"):
        assert {row[name] for row in trials} == {summary[name]}
    for name in ("time", "reset", "kernel"):
        ms = sorted(float(row[f"{name}_ms"]) for row in trials)
        assert float(summary[f"mean_{name}_ms"]) == pytest.approx(sum(ms) / 6, abs=2e-6)
        assert float(summary[f"median_{name}_ms"]) == pytest.approx((ms[2] + ms[3]) / 2, abs=2e-6)
        if name != "reset":
            ends = tuple(float(summary[f"{end}_{name}_ms"]) for end in ("min", "max"))
            assert ends == (ms[0], ms[5])
    for name, time_of in (("search_mteps", "time_ms"), ("mteps", "kernel_ms")):
        rates = [float(row[name]) for row in trials]
        assert float(summary[f"mean_{name}"]) == pytest.approx(sum(rates) / 6, rel=1e-3, abs=1e-3)
        for row, rate in zip(trials, rates):
            mteps = float(row["trial_edges"]) / float(row[time_of]) / 1000
            assert rate == pytest.approx(mteps, rel=0.05, abs=1e-3)
    for row in trials:
        whole, reset, kernel = (float(row[name]) for name in ("time_ms", "reset_ms", "kernel_ms"))
        assert reset >= 0 and whole >= reset + kernel - 2e-6


def test_every_family_and_process_has_the_same_sources(tmp_path):
    """k sources are the first k of the 64, whatever runs from them."""
    names = [(family, "serial") for family in ("bfs", "dfs", "msbfs")] + [("bfs", "gap")]
    for family, variant in names:
        for count in ("64", "5"):
            words = ("--algo", family, "--variant", variant, "--graph", "kron:8", "--sources", count)
            gtrav_ok(*words, "--quiet", "--csv", tmp_path / count)
    lists = {
        (count, path.name): [row["source"] for row in rows(path)]
        for count in ("64", "5")
        for path in (tmp_path / count).glob("*/trials/*.csv")
    }
    assert len(lists) == 2 * len(names)
    (all_of_them,) = {tuple(found) for (count, _), found in lists.items() if count == "64"}
    assert {tuple(found) for (count, _), found in lists.items() if count == "5"} == {all_of_them[:5]}


def test_time_limit(tmp_path):
    """Trials end at the limit; the record is complete for it, and goes on under a longer one."""

    def run(*words):
        command = ("--algo", "bfs", "--variant", "serial", "--graph", "kron:14", "--sources", "100000")
        return gtrav_ok(*command, "--verify", "none", "--csv", tmp_path, *words)

    first = run("--time-limit", "1")
    assert "the time limit of 1 s ended it after" in first.err
    path = only(tmp_path.glob("*/bfs_serial_perf.csv"))
    (row,) = rows(path)
    assert 1 <= int(row["sources"]) < 100000
    assert row["time_limit_s"] == "1"
    assert row["source_list"] == "gap"
    again = run("--time-limit", "1")
    assert f"{row['sources']} trials reused" in again.err
    assert "the time limit of 1 s ended it after" in again.err
    assert rows(path) == [row]
    run("--time-limit", "2")
    longer = rows(path)[-1]
    assert (longer["time_limit_s"], int(longer["sources"]) > int(row["sources"])) == ("2", True)
    run("--time-limit", "1")
    assert rows(path)[-1] == longer


def test_what_the_time_limit_is_not_for(tmp_path):
    graph = ("--graph", "path:9", "--time-limit", "5")
    for words in (("--algo", "closeness"), ("--algo", "bfs", "--output", tmp_path / "levels.txt")):
        complains(gtrav(*words, *graph), "--time-limit", "closeness or --output")


def test_failures_are_recorded(tmp_path):
    """With the key of the record that it would have been: a later success is seen to be of the same."""
    words = ("--algo", "topo", "--variant", "serial", "--graph", "cycle:9", "--csv", tmp_path, "--quiet")
    for _ in range(2):
        complains(gtrav(*words), "has a cycle")
    found = rows(only(tmp_path.glob("*/failures.csv")))
    assert [(row["graph"], row["family"], row["variant"], row["reason"]) for row in found] == [
        ("cycle:9", "topo", "serial", "unsupported")
    ] * 2
    assert "has a cycle" in found[0]["message"]
    time.strptime(found[0]["date"], "%Y-%m-%dT%H:%M:%SZ")


def test_quality_of_trees(tmp_path):
    """A serial DFS of an undirected graph leaves no cross edge, a BFS nothing else."""
    run = ("--graph", "grid:9x9", "--source", "0,40,80", "--csv", tmp_path, "--quiet", "--variant", "serial")
    gtrav_ok("--algo", "dfs", *run, "--verify", "all")
    gtrav_ok("--algo", "bfs", *run, "--verify", "first")
    dfs, bfs = (rows(only(tmp_path.glob(f"*/trials/{name}_serial_*.csv"))) for name in ("dfs", "bfs"))
    assert [float(row["cross_share"]) for row in dfs] == [0, 0, 0]
    assert all(int(row["tree_depth"]) > 40 for row in dfs)
    assert [(row["tree_depth"], row["cross_share"]) for row in bfs] == [("16", "1.000000000")] + [
        ("", "")
    ] * 2
    (summary,) = rows(only(tmp_path.glob("*/bfs_serial_perf.csv")))
    assert (summary["mean_tree_depth"], summary["mean_cross_share"]) == ("16.000", "1.000000000")
    (summary,) = rows(only(tmp_path.glob("*/dfs_serial_perf.csv")))
    assert float(summary["mean_tree_depth"]) == pytest.approx(
        sum(int(row["tree_depth"]) for row in dfs) / 3, abs=1e-3
    )
    verified, unverified = (
        gtrav_ok(
            "--algo", "dfs", "--variant", "serial", "--graph", "grid:9x9", "--wide", "--verify", mode
        ).out
        for mode in ("first", "none")
    )
    assert "cross share" in verified
    assert "cross share" not in unverified
    assert not any(line.endswith(" ") for line in unverified.splitlines())


def test_default_folder(tmp_path):
    gtrav_ok(*RUN, "--graph", "kron:6", "--sources", "2", "--csv", cwd=tmp_path)
    assert summary_file(tmp_path / "results" / "local")
    gtrav_ok(*RUN, "--graph", "kron:6", "--sources", "2", f"--csv={tmp_path / 'a' / 'b'}", cwd=tmp_path)
    assert summary_file(tmp_path / "a" / "b")


def test_a_run_goes_on_where_the_last_one_ended(tmp_path):
    """tests/unit/test_records.c has the cases; here is the command."""

    def run(sources, *words):
        return gtrav_json(*RUN, "--graph", "kron:8", "--sources", str(sources), "--csv", tmp_path, *words)

    first, longer = run(3), run(5)
    before = trials_file(tmp_path).read_text(), summary_file(tmp_path).read_text()
    again = run(5)
    assert (trials_file(tmp_path).read_text(), summary_file(tmp_path).read_text()) == before
    for name in ("source", "edges", "reached", "verified"):
        trials = [[trial[name] for trial in one["trials"]] for one in (first, longer, again)]
        assert trials[0] == trials[1][:3] and trials[1] == trials[2]
    assert again["summary"]["mean_time_ms"] == pytest.approx(longer["summary"]["mean_time_ms"], abs=2e-6)
    run(5, "--fresh")
    assert len(rows(trials_file(tmp_path))) == 10 and len(rows(summary_file(tmp_path))) == 3
    assert only(newest(summary_file(tmp_path)))["sources"] == "5"


def started(results, graph="urand:15"):
    """A long run that has written some trials."""
    command = [GTRAV, *RUN, "--graph", graph, "--sources", "100000", "--csv", str(results)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        files = list(results.glob("*/trials/*.csv"))
        if files and files[0].read_text().count("\n") > 5:
            return process
        time.sleep(0.01)
    process.kill()
    raise AssertionError("no trials were written")


@pytest.mark.parametrize(("how", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_run_keeps_its_trials(how, status, tmp_path):
    process = started(tmp_path)
    process.send_signal(how)
    out, err = process.communicate(timeout=600)
    assert process.returncode == status
    assert "interrupted" in err
    assert len(err.splitlines()) == 1
    kept = rows(trials_file(tmp_path, "urand:15"))
    assert len(kept) >= 5
    assert "urand:15" in out
    assert len(kept) < 100000
    record(
        tmp_path, graph="urand:15", sources=5
    )  # fewer than there are: nothing to do, and nothing is thrown away
    assert rows(trials_file(tmp_path, "urand:15")) == kept
