"""scripts/reference.sh with a gtrav that writes down what it is asked for."""

import os

import pytest

from helpers import ROOT, execute, write_program

FAKE = """#!/usr/bin/env bash
words=" $* "
echo "$*" >> "{log}"
[[ $words != *" {slow} "* ]] || sleep 30
while [ "$1" != --csv ]; do shift; done
mkdir -p "$2" && echo "a row" >> "$2/rows.csv"
[[ $words != *" {failing} "* ]] || {{ echo "gtrav: out of memory" >&2; exit 3; }}
"""
GRAPHS_OF_AUTO = "mesh:303 rgg:24 web:25:28 kmer:25"
RUNS_OF_AUTO = [graph for graph in GRAPHS_OF_AUTO.split() for _ in ("levels", "parents")]


@pytest.fixture
def measure(tmp_path):
    """Runs parts of the script: the result, the words of each command in order, and the folder of records."""
    records, log, program = (tmp_path / name for name in ("records", "log", "gtrav"))

    def run(*parts, failing="nothing", slow="nothing", **environment):
        write_program(program, FAKE.format(log=log, failing=failing, slow=slow))
        known = {name: text for name, text in os.environ.items() if name not in ("GTRAV_GRAPHS", "REAL", "STOP")}
        known.update(GTRAV=str(program), RECORDS=str(records), GRAPHS=GRAPHS_OF_AUTO)
        known.update(environment)
        result = execute([ROOT / "scripts" / "reference.sh", *parts], env=known, cwd=tmp_path)
        return result, log.read_text().splitlines() if log.exists() else [], records

    return run


def test_a_part_measures_into_the_folder_of_records(measure):
    result, runs, records = measure("auto")
    assert (result.status, result.err) == (0, "")
    assert [run.split()[1] for run in runs] == RUNS_OF_AUTO
    assert ["--output-parents" in run for run in runs] == [False, True] * (len(runs) // 2)
    assert all("--set" not in run for run in runs)  # auto at its defaults
    assert all(run.startswith("bfs ") and run.endswith(f"--csv {records}/choice --quiet") for run in runs)
    assert (records / "choice" / "rows.csv").read_text().count("a row") == len(runs)
    started = [line for line in result.out.splitlines() if line.startswith("+ ")]
    assert [line.split(maxsplit=2)[2] for line in started] == runs
    assert result.out.splitlines()[-1].startswith("reference: auto done after ")


def test_a_command_that_fails_is_reported_and_the_rest_goes_on(measure):
    result, runs, _ = measure("auto", failing="rgg:24")
    assert result.status == 1
    assert len(runs) == len(RUNS_OF_AUTO)
    cause, reported, *again = result.err.splitlines()
    assert cause == "gtrav: out of memory" and len(again) == 2
    assert reported.startswith("reference: status 3 after at most 120 s: ") and " rgg:24 " in reported


def test_a_command_that_takes_too_long_is_stopped(measure):
    result, runs, _ = measure("auto", slow="mesh:303", STOP="3")
    assert result.status == 1
    stopped, *others = result.err.splitlines()
    assert stopped.startswith("reference: status 124 after at most ") and " mesh:303 " in stopped
    assert len(runs) == 1 and len(others) == len(RUNS_OF_AUTO) - 1
    assert all(line.startswith("reference: no time left for: ") for line in others)


def test_an_unknown_part(measure):
    """It is found before any part begins."""
    result, runs, records = measure("auto", "nope", "fastest")
    assert (result.status, runs, records.exists()) == (2, [], False)
    (line,) = result.err.splitlines()
    known = "papers fastest diggerbees blest blest_many auto webgpu peers"
    assert line == f"reference: no part nope; there is: {known}"


def test_real_graphs_that_are_there(measure, tmp_path):
    (tmp_path / "cnr-2000.mtx").write_text("")
    result, runs, _ = measure("fastest", REAL=str(tmp_path))
    assert (result.status, result.err) == (0, "")
    real = [run for run in runs if ".mtx" in run]
    assert {run.split()[1] for run in real} == {str(tmp_path / "cnr-2000.mtx")}
    assert sum("--undirected" in run for run in real) == len(real) / 2 > 0
    assert any(run.startswith("dfs road:17 ") for run in runs)
    runs = measure("auto", REAL=str(tmp_path), GRAPHS="cnr-2000 cnr-2000+undirected nowhere")[1][len(runs) :]
    assert {run.split()[1] for run in runs} == {str(tmp_path / "cnr-2000.mtx")}
    assert ["--undirected" in run for run in runs] == [False, False, True, True]
