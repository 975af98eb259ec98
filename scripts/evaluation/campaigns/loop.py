"""loop.py: runs the steps of a campaign, keeps the status file, and reports what failed.

A campaign is a table of steps, {(graph, what): function}. A step measures one thing on one graph. Its function gets a
prefix for its messages, such as "[3/12] ", and returns what failed as pairs (what, why), or raises StepError or
CalledProcessError if the step as a whole failed.
"""

import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from evaluation.command import say
from evaluation.files import RecordsError, rows_if_any, write_atomically
from evaluation.text_tables import as_csv

LEFT, DONE, FAILED = "left", "done", "failed"
LONGEST_REASON = 300  # characters of a reason in the status file


class Interrupted(Exception):
    """The user interrupted a run of gtrav; the message names the run."""


class StepError(Exception):
    """Why a step failed; the message is one line."""


class Campaign(NamedTuple):
    """Measures by its steps, one after the other."""

    steps: dict
    notes: tuple = ()  # lines to print before the first step


class Row(NamedTuple):
    """The columns of the status file behind `graph` and `what`."""

    state: str = LEFT
    reason: str = ""
    seconds: str = ""
    date: str = ""


COLUMNS = ("graph", "what", *Row._fields)


class Status:
    """The status file: which steps are done, which failed and why, and which are left. Without a path, no file."""

    def __init__(self, path=None):
        self.path, self.rows = path and Path(path), {}
        if path:
            try:
                rows = rows_if_any(self.path, COLUMNS)
            except RecordsError as error:
                raise RecordsError(f"{error}: not a status file; remove it") from error
            self.rows = {(row["graph"], row["what"]): Row(*(row[name] for name in Row._fields)) for row in rows}

    def plan(self, names):
        """Names all steps: those that the file has keep their row, and rows of other steps are removed."""
        self.rows = {name: self.rows.get(name, Row()) for name in names}
        self._write()

    def finish(self, name, reason="", seconds=0.0):
        """Notes that a step ran; it failed if there is a reason."""
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        reason = " ".join(reason.split())[:LONGEST_REASON]
        self.rows[name] = Row(FAILED if reason else DONE, reason, f"{seconds:.1f}", now)
        self._write()

    def _write(self):
        if self.path:
            write_atomically(self.path, as_csv(COLUMNS, [[*name, *row] for name, row in self.rows.items()]))

    def has_failures(self):
        return any(row.state == FAILED for row in self.rows.values())

    def summary(self):
        """The counts of each state, and a line for each step that failed."""
        states = [row.state for row in self.rows.values()]
        yield f"{', '.join(f'{states.count(state)} {state}' for state in (DONE, FAILED, LEFT))}: {self.path}"
        for name, row in self.rows.items():
            if row.state == FAILED:
                yield f"  failed: {' '.join(filter(None, name))}: {row.reason}"


def run(campaign, status):
    """Runs all steps of a campaign, and goes on after a failure. Returns whether all steps succeeded."""
    failures = {}
    for note in campaign.notes:
        say(note)
    try:
        for number, (name, step) in enumerate(campaign.steps.items(), 1):
            began = time.monotonic()
            failed = run_step(step, f"[{number}/{len(campaign.steps)}] ", " ".join(filter(None, name)))
            status.finish(name, "; ".join(reason for _, reason in failed), time.monotonic() - began)
            failures.update(dict.fromkeys(failed))
    except Interrupted as what:
        say(f"interrupted in {what}; the same command goes on from there")
        raise
    finally:
        for label, reason in failures:
            say(f"failed: {label}: {reason}")
    return not failures


def run_step(step, number, label):
    """Returns what failed, as pairs (what, why)."""
    try:
        return step(number) or []
    except StepError as error:
        return [(label, str(error))]
    except subprocess.CalledProcessError as error:
        program = Path(error.cmd[0]).name
        return [(label, f"{program} ended with status {error.returncode}; its messages are above")]
