"""Numbers that can be trusted: what a record depends on, what is said against a run, and how runs compare.

Of tests/unit, test_record_files.c is about other builds and numbers of threads, test_warnings.c about each
warning, test_cores.c about the number of cores."""

import json
import os
import re
import subprocess
import time

from evaluation.comparison import expand

import pytest

from helpers import GTRAV, algorithms, gtrav_json, gtrav_ok, rows_in

CPU = [a["variant"] for a in algorithms() if a["family"] == "bfs" and a["device"] == "cpu"]
pytestmark = pytest.mark.skipif("gap" not in CPU, reason="the CPU's algorithms are not under test")

GAP = "bfs kron:8 --variant gap --sources 6"
BOTH = "bfs kron:8 --variant gap,serial --sources 6"
CORES = len(os.sched_getaffinity(0))
OURS = ("OMP_NUM_THREADS", "OMP_WAIT_POLICY", "GOMP_SPINCOUNT")


def environment(**more):
    """Without what the tests' own environment says of OpenMP."""
    return {**{name: value for name, value in os.environ.items() if name not in OURS}, **more}


# ---- identity ----


def build():
    return re.search(r"^build (\w+)$", gtrav_ok("--version").out, re.M)[1]


def test_records_and_json_report_threads_and_build(tmp_path):
    (tmp_path / "pairs.csv").write_text("1,5\n7,2\n")
    gtrav_ok(f"{BOTH} --threads 2 --quiet --csv", tmp_path)
    gtrav_ok("bfs kron:8 --variant gap --threads 2 --quiet --pairs pairs.csv --csv .", cwd=tmp_path)
    for name, threads in (("gap", "2"), ("serial", "1")):
        found = rows_in(tmp_path, f"*/bfs_{name}_perf.csv") + rows_in(tmp_path, f"*/trials/bfs_{name}_*.csv")
        found += rows_in(tmp_path, "*/bfs_gap_pairs.csv") if name == "gap" else []
        assert {(row["threads"], row["build"]) for row in found} == {(threads, build())}
    assert re.fullmatch("[0-9a-f]{12}", build())
    run = gtrav_json(f"{GAP} --threads 2")
    assert (run["threads"], run["build"]) == (2, build())
    assert run["version"] in re.split("[ ()]", gtrav_ok("--version").out.splitlines()[0])
    time.strptime(run["date"], "%Y-%m-%dT%H:%M:%SZ")


def test_reuse_is_reported(tmp_path):
    version = gtrav_json("bfs kron:8 --variant gap --sources 4 --csv", tmp_path)["version"]
    said = gtrav_ok(f"{GAP} --csv", tmp_path)
    date = rows_in(tmp_path, "*/trials/*.csv")[3]["date"]
    assert f"bfs gap on kron:8: 4 trials reused from {version} of {date}" in said.err.splitlines()
    assert "6 (4 resumed)" in said.out
    again = gtrav_json(f"{GAP} --csv", tmp_path)
    assert again["resumed"]["trials"] == 6 and again["resumed"]["version"] == version


# ---- several variants ----


def test_times_the_fastest():
    runs = gtrav_json(BOTH)
    means = [run["summary"]["mean_time_ms"] for run in runs]
    expected = [mean / min(means) for mean in means]
    ranks = [run["times_fastest"] for run in runs]
    assert ranks == (pytest.approx(expected, rel=1e-2) if None not in ranks else [None, None])
    assert gtrav_json(GAP)["times_fastest"] is None
    several = gtrav_ok(BOTH).out
    assert "vs fastest" in several and re.search(r"  1\.00 |   busy ", several)
    assert "vs fastest" not in gtrav_ok(GAP).out


EVERY = ["algorithm", "trials", "mean ms", "MTEPS", "prepare ms", "verified"]
USUAL = [*EVERY[:3], "median ms", "spread %", *EVERY[3:]]
WIDE = ["device", "min ms", "max ms", "reset ms", "kernel ms"]


def headings(words):
    return re.split("  +", gtrav_ok(words).out.splitlines()[1])


def test_the_table_has_more_columns_with_wide():
    assert headings(GAP) == USUAL
    assert headings(f"{GAP} --wide") == [*USUAL, *WIDE, "tree depth", "cross share"]
    closeness = [*EVERY, "device", "kernel ms", "batch", "batch ms"]  # it has no times of single searches
    assert headings("closeness kron:6 --variant then --wide") == closeness
    assert "spread %" not in headings("msbfs kron:6 --variant serial --sources 8"), "a batch is one measurement"
    help_text = gtrav_ok("--help").out
    assert all(f"  {name} " in help_text for name in (*USUAL, *WIDE))


def test_each_trial_is_printed(tmp_path):
    """--trials prints the figures of the records, for every variant. Without sources there is no such column."""
    said = gtrav_ok(f"{BOTH} --trials --verify first --csv", tmp_path).out.split("\n\n")
    assert len(said) == 3 and said[0].startswith("kron:8: ")
    for text in said[1:]:
        (title, heads, _, *lines) = text.splitlines()
        assert re.split("  +", heads.strip()) == ["source", "reached", "time ms", "kernel ms", "MTEPS", "verified"]
        wanted = rows_in(tmp_path, f"*/trials/{title.replace(' ', '_')}_*.csv")
        assert len(lines) == len(wanted)
        for i, (line, row) in enumerate(zip(lines, wanted)):
            source, reached, time, kernel, mteps, verified = line.split()
            assert (source, reached) == (row["source"], row["reached"])
            assert verified == row["verified"] == ("no" if i else "yes")
            for shown, name in ((time, "time_ms"), (kernel, "kernel_ms"), (mteps, "search_mteps")):
                assert float(shown) == pytest.approx(float(row[name]), rel=1e-2, abs=0.1)
    assert gtrav_ok("wcc path:5 --variant serial --trials").out.splitlines()[6].startswith("reached")


def test_mteps_are_all_edges_over_the_time_of_all(tmp_path):
    """A source of small reach has few edges in little time. It must not spoil the figure of the others."""
    path = tmp_path / "edges.txt"
    path.write_text("".join(f"{v} {v + 1}\n" for v in range(2000)) + "5000 5001\n")
    run = gtrav_json("bfs --undirected --source 0,5000,900", path)
    trials = run["trials"]
    total = sum(trial["edges"] for trial in trials) / sum(trial["time_ms"] for trial in trials) / 1e3
    assert run["summary"]["total_search_mteps"] == pytest.approx(total, rel=1e-2)
    assert run["summary"]["harmonic_mean_search_mteps"] < total
    shown = re.split("  +", gtrav_ok("bfs kron:8 --csv", tmp_path).out.splitlines()[3])
    (row,) = rows_in(tmp_path, "*/bfs_*_perf.csv")
    times, edges = ([float(word) for word in expand(row[name])] for name in ("trial_ms", "trial_edges"))
    assert float(shown[5]) == pytest.approx(sum(edges) / sum(times) / 1e3, rel=1e-2)


# ---- cores ----


def test_threads_by_default():
    """As many as the affinity mask has; OMP_NUM_THREADS and --threads go before that."""
    (first, *_) = os.sched_getaffinity(0)
    pinned = ["taskset", "-c", str(first)]

    def threads(*words, before=(), **set_by):
        command = [*before, GTRAV, *GAP.split(), *words, "--json", "--quiet"]
        done = subprocess.run(command, env=environment(**set_by), stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)[0]["threads"]

    assert 1 <= threads() <= CORES
    assert threads(before=pinned) == 1
    assert threads(before=pinned, OMP_NUM_THREADS="3") == 3
    assert threads(before=pinned, OMP_NUM_THREADS="99999999") == 1  # not a number of threads
    assert threads("--threads", "2", before=pinned, OMP_NUM_THREADS="3") == 2


def warnings(words):
    run = gtrav_ok(words)
    in_json = gtrav_json(words)["warnings"]
    assert gtrav_ok(f"{words} --quiet").err == ""
    return in_json, [line for line in run.err.splitlines() if line.startswith("warning: ")]


def test_a_warning_is_told_and_recorded():
    for found in warnings(f"{GAP} --threads {CORES + 5}"):
        assert any(f"{CORES + 5} threads share " in text for text in found)


def test_emulated_runs_have_no_warnings():
    emulated = [a["variant"] for a in gtrav_json("--list bfs") if a["emulated"]]
    if not emulated:
        pytest.skip("this build has no emulator")
    run = f"bfs path:9 --variant {emulated[0]} --device cpu-emulator --sources 2 --threads {CORES + 5}"
    assert warnings(run) == ([], [])
    assert gtrav_json(run)["threads"] is None


# ---- waiting ----


def spinning(**set_by):
    """What GCC's OpenMP is told of waiting, as it shows with OMP_DISPLAY_ENV=verbose."""
    said = gtrav_ok("--version", env=environment(OMP_DISPLAY_ENV="verbose", **set_by)).err
    found = re.findall(r"GOMP_SPINCOUNT = '(\d+)'", said)
    if not found:
        pytest.skip("not built with GCC's OpenMP")
    return int(found[-1])


def test_spinning_is_bounded_unless_the_user_says_how():
    assert spinning() in (1000, 30000)
    assert spinning(GOMP_SPINCOUNT="123") == 123
    assert spinning(OMP_WAIT_POLICY="passive") == 0
    assert spinning(OMP_WAIT_POLICY="active") > 30000
