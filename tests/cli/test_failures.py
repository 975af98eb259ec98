"""Failures are results: rows of failures.csv, until a record of the same follows. And limits of time."""

import os
import sys

from evaluation.failures import read_failures, unresolved, write_failure
from evaluation.results import Results

import pytest

from helpers import GTRAV, ROOT, ok, rows_in, script, write_program
from made_up_records import row, write

CRASHES = """#!{python}
import os, signal, sys
if "--list" in sys.argv:
    os.execv({gtrav!r}, [{gtrav!r}, *sys.argv[1:]])
os.kill(os.getpid(), signal.{signal})
"""


def experiments(folder, graph, *words, program=GTRAV):
    command = ("--algo", "bfs:serial,gap", "--csv", folder, *words)
    path = folder / "list.csv"
    names = (ROOT / "dataset" / "quick_list.csv").read_text().splitlines()[0]
    lines = [graph if name == "name" else "" for name in names.split(",")]
    path.write_text(f"{names}\n{','.join(lines)}\n")
    return script("scripts/measure.py", "experiments", path, *command, env={**os.environ, "GTRAV": str(program)})


@pytest.mark.parametrize(("signal", "reason"), [("SIGKILL", "out of memory"), ("SIGSEGV", "crashed")])
def test_a_run_that_a_signal_ends(tmp_path, signal, reason):
    text = CRASHES.format(python=sys.executable, gtrav=GTRAV, signal=signal)
    program = write_program(tmp_path / "gtrav", text)
    for _ in range(2):
        assert experiments(tmp_path, "kron:6", program=program).status == 1
    (failure,) = read_failures(tmp_path / "failures.csv")
    assert (failure["graph"], failure["family"], failure["variant"]) == ("kron:6", "bfs", "serial,gap")
    assert failure["reason"] == reason
    assert "killed by signal" in failure["message"]
    later = {**failure, "options": "a=1", "device": "cpu-x", "date": "9999"}
    (left,) = unresolved([failure], [{**later, "variant": "gap"}])
    assert left["variant"] == "serial"
    rows = [{**later, "variant": variant} for variant in ("gap", "serial")]
    assert list(unresolved([failure], rows)) == []
    assert list(unresolved([failure], [{**one, "date": "2000"} for one in rows])) == [failure]


def test_results_have_failures_without_a_later_record(tmp_path):
    write(tmp_path, [row("kron:10", "v4", 2), row("kron:10", "ckl", 2, "cpu-x")])
    device = tmp_path / "nvidia-h200"
    common = {"family": "dfs", "device": "nvidia-h200", "reason": "out of memory"}
    write_failure(device, graph="kron:27", variant="nvg", **common)
    write_failure(device, graph="kron:27", variant="nvg", **{**common, "reason": "crashed"})
    write_failure(device, graph="kron:28", variant="v4", **common)
    write_failure(device, graph="kron:28", variant="v4", **{**common, "device": "emulator"})
    write(tmp_path, [row("kron:28", "v4", 9, date="9999-01-01T00:00:00Z")])
    found = Results.read(tmp_path).failures
    assert [(one["graph"], one["variant"], one["reason"]) for one in found] == [("kron:27", "nvg", "crashed")]
    assert found[0]["folders"][-1] == "nvidia-h200"


def test_campaigns_pass_the_time_limit_on(tmp_path):
    ok(experiments(tmp_path, "kron:14", "--time-limit", "1", "--", "--sources", "100000", "--verify", "none"))
    for variant in ("serial", "gap"):
        (last,) = rows_in(tmp_path, f"*/bfs_{variant}_perf.csv")
        assert int(last["sources"]) < 100000


def test_a_failure_of_so_many_pairs():
    one = {"graph": "snb:1", "family": "msbfs", "variant": "serial", "options": "batch=16", "device": "cpu-x"}
    failure = {**one, "pairs": "65536", "reason": "time limit", "date": "2026"}
    fewer, later = ({**one, "pairs": pairs, "date": "2027"} for pairs in ("1000", "65536"))
    assert list(unresolved([failure], [fewer])) == [failure]
    assert list(unresolved([failure], [fewer, later])) == []
