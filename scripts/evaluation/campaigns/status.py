"""What an evaluation has done, what failed and why, and what is left: the file status.csv in its folder.

  status.py FILE begin          a plan is about to be made: steps that it does not name are forgotten
  status.py FILE settle         the plan is made
  status.py FILE failed WHAT [REASON]   a step that is of no graph failed
  status.py FILE show           counts, and what failed with reasons; status 1 where something failed

Scripts that measure make the plan, with --status FILE --plan, and without --plan keep the file as they go:
each step is there from the start, as `left`, and is `done` or `failed` once it was tried.
"""

import sys
import time
from pathlib import Path
from typing import NamedTuple

from evaluation.files import RecordsError, rows_if_any, write_atomically
from evaluation.text_tables import as_csv

LEFT, DONE, FAILED = "left", "done", "failed"
LONGEST_REASON = 300


class Row(NamedTuple):
    """What is known of a step: the columns behind its graph and what is run on it."""

    state: str = LEFT
    reason: str = ""
    seconds: str = ""
    date: str = ""


COLUMNS = ("graph", "what", *Row._fields)


class Status:
    """The steps of a file, or without a path of none; a step is a graph's name and what is run on it."""

    def __init__(self, path=None):
        self.path = Path(path) if path else None
        self.rows = _read(self.path) if path else {}

    @property
    def previous(self):
        """The file that keeps earlier steps while a new plan is made, which may not name them."""
        return self.path.with_suffix(".old")

    def begin(self):
        _write(self.previous, {**_read(self.previous), **self.rows})
        self.rows = {}
        _write(self.path, self.rows)

    def settle(self):
        self.previous.unlink(missing_ok=True)

    def plan(self, steps):
        """Names steps; what is known of them stays."""
        if not self.path:
            return
        known = _read(self.previous)
        for step in steps:
            self.rows.setdefault(step, known.get(step, Row()))
        _write(self.path, self.rows)

    def finish(self, step, reason="", seconds=0.0):
        """A step was tried, and failed where there is a reason."""
        if not self.path:
            return
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        reason = " ".join(reason.split())[:LONGEST_REASON]
        self.rows[step] = Row(FAILED if reason else DONE, reason, f"{seconds:.1f}", now)
        _write(self.path, self.rows)

    def count(self, state):
        return sum(row.state == state for row in self.rows.values())


def _read(path):
    try:
        rows = rows_if_any(path, COLUMNS)
    except RecordsError as error:
        raise RecordsError(f"{error}: not a status file; remove it") from error
    return {(row["graph"], row["what"]): Row(*(row[name] for name in Row._fields)) for row in rows}


def _write(path, rows):
    write_atomically(path, as_csv(COLUMNS, [[*step, *row] for step, row in rows.items()]))


def show(status):
    counts = ", ".join(f"{status.count(state)} {state}" for state in (DONE, FAILED, LEFT))
    print(f"{counts}: {status.path}")
    for (graph, what), row in status.rows.items():
        if row.state == FAILED:
            print(f"  failed: {f'{graph} {what}'.strip()}: {row.reason}")


def main():
    words = sys.argv[1:]
    if words in (["-h"], ["--help"]):
        print("usage:" + __doc__.partition("\n")[2])
        return 0
    if len(words) < 2 or words[1] not in ("begin", "settle", "failed", "show"):
        print("status: usage: status.py FILE begin|settle|failed WHAT [REASON]|show", file=sys.stderr)
        return 2
    status = Status(words[0])
    if words[1] == "begin":
        status.begin()
    elif words[1] == "settle":
        status.settle()
    elif words[1] == "failed":
        status.finish(("", words[2]), " ".join(words[3:]) or "failed")
    else:
        show(status)
        return 1 if status.count(FAILED) else 0
    return 0
