"""faults.py: how the tests run gtrav with something failing under it, and what must hold then."""

import csv
import os
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("GTRAV_FAULTS", str(ROOT / "build" / "faults" / "gtrav-faults"))
EVERY = int(os.environ.get("GTRAV_FAULTS_EVERY", "1"))  # larger: fewer faults, less time
SECONDS = 600  # far more than anything takes, on a busy machine, too
STATUS_INPUT = 2
NO_OUTPUT = "gtrav: cannot write to standard output"
THREADS = "2"

# What a run measures, when, and what disturbs it differ from run to run, and a table's columns with it; all
# else must not.
FIGURE = re.compile(
    r"\"warnings\": \[[^]]*\]|\"cpu_mhz\": \w+|\"launch\": \"\w+\""
    r"| *\b\d+\.\d+\b|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|  +|---+"
)
VARYING = ("trial_ms", "trial_kernel_ms", "cores", "busy_cores", "cpu_mhz", "machine", "throttled", "launch", "check")


@dataclass
class Outcome:
    status: int
    out: str
    err: str
    fault: str  # what failed, and who had called it; "" if nothing did
    files: dict  # name in the folder: masked text


def mask(text):
    return FIGURE.sub("#", text)


def mask_columns(text):
    """Masks the lists of times in records, which may be whole numbers, and the checks of rows, which cover times."""
    lines = text.split("\n")
    header = lines[0].split(",")
    varying = [i - len(header) for i, name in enumerate(header) if name in VARYING]
    for i, fields in enumerate(line.split(",") for line in lines):
        for place in varying if i > 0 and len(fields) > 1 else ():
            fields[place] = "#"
        lines[i] = ",".join(fields)
    return "\n".join(lines)


def contents(folder):
    files = (path for path in sorted(Path(folder).rglob("*")) if path.is_file())
    texts = {str(path.relative_to(folder)): path.read_bytes().decode("latin-1") for path in files}
    whole = {name: mask_columns(text) if name.endswith(".csv") else text for name, text in texts.items()}
    return {name: mask(text) for name, text in whole.items()}


def run(arguments, folder, fault=None, log=None, **options):
    """Runs gtrav in a folder; fault: what fails, as inject.c has it, which is noted in the file log."""
    log = Path(log or f"{folder}.log").absolute()
    log.unlink(missing_ok=True)
    environment = dict(os.environ, OMP_NUM_THREADS=THREADS, OMP_WAIT_POLICY="passive", GTRAV_FAULT_LOG=str(log))
    if fault is not None:
        environment["GTRAV_FAULT"] = fault
    done = subprocess.run(
        [PROGRAM, *arguments], cwd=folder, env=environment, capture_output=True, timeout=SECONDS, **options
    )
    noted = log.read_text() if log.exists() else ""
    return Outcome(done.returncode, mask(done.stdout.decode()), done.stderr.decode(), noted, contents(folder))


def fresh_copy(template, folder):
    shutil.rmtree(folder, ignore_errors=True)
    return Path(shutil.copytree(template, folder))


def check_message(outcome, what):
    """One clear line, the right status, no crash, no leak (either would be more lines and another status)."""
    lines = outcome.err.splitlines()
    if "fflush" in outcome.fault and len(lines) > 1 and lines[-1].startswith(NO_OUTPUT):
        lines.pop()  # where every operation fails, standard output fails too, and that is told as well
    assert outcome.status == STATUS_INPUT, f"{what}: status {outcome.status}\n{outcome.err}"
    if not lines and "+: " in what and outcome.fault.rpartition("\nwrite ")[1]:
        return  # where every operation from one on fails, the write of the message may, too
    assert len(lines) == 1, f"{what}: {len(lines)} lines\n{outcome.err}"
    assert lines[0].startswith("gtrav: ") and len(lines[0]) > len("gtrav: "), f"{what}: {lines}"


def check_rows(name, text, known, what):
    """A file of records holds whole rows under its header, each of those known, as often as there at most."""
    lines = text.split("\n")
    assert lines.pop() == "", f"{what}: {name} ends in a torn row: {text[-80:]!r}"
    columns = lines[0].count(",") if lines else 0
    assert not lines or lines[0].startswith("graph,"), f"{what}: {name} has no header"
    assert all(line.count(",") == columns for line in lines), f"{what}: {name}: {text}"
    twice = Counter(lines) - Counter(known)
    assert not twice, f"{what}: {name} has rows too many: {twice}"


def check_files(outcome, before, expected, what):
    """Every file is as before or as it must become (records: in part), and there are no others."""
    for name, text in outcome.files.items():
        if outcome.status != 0 and name.endswith(".checkpoint"):
            continue  # what a run that failed goes on from
        if outcome.status != 0 and name.endswith("failures.csv"):
            assert text == "" or text.endswith("\n"), f"{what}: {name} ends in a torn row: {text[-80:]!r}"
            rows = csv.reader(text.splitlines())  # a message may have commas
            assert len({len(row) for row in rows}) <= 1, f"{what}: {name}: {text}"
            continue  # the failure's own record
        assert name in expected.files, f"{what}: left {name} behind"
        if name.startswith("results/"):
            known = expected.files[name].split("\n") + before.get(name, "").split("\n")
            check_rows(name, text, known, what)
        else:
            assert text in (before.get(name), expected.files[name]), f"{what}: {name} is half-written"
    missing = [name for name in before if name not in outcome.files]
    assert not missing, f"{what}: {missing} vanished"


def check_fault(outcome, before, expected, what):
    """The program either had a way around the fault and did all it does without one, or failed as it must."""
    check_files(outcome, before, expected, what)
    if outcome.status == 0:
        assert outcome.err == "", f"{what}: {outcome.err}"
        assert outcome.out == expected.out, f"{what}: another answer\n{outcome.out}"
        assert outcome.files == expected.files, f"{what}: other files"
    else:
        check_message(outcome, what)
        lines = outcome.out.rpartition("\n")[0]  # where a write to a pipe fails, the last line may be torn
        pipe_failed = "write called" in what
        assert outcome.out in ("", expected.out) or pipe_failed and expected.out.startswith(lines), (
            f"{what}: part of an answer\n{outcome.out}"
        )
