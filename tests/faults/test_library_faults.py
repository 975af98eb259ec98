"""Every allocation and every operation on a file fails in turn while library.c calls all of libgtrav. The
error is returned, with one line, and nothing leaks."""

import os
from pathlib import Path

import pytest

import faults
from faults import EVERY

PROGRAM = Path(faults.PROGRAM).parent / "library-faults"
MANY = 20000


@pytest.mark.parametrize("kind", ["memory", "files"])
def test_each_failure_is_returned(kind, tmp_path, monkeypatch):
    assert os.access(PROGRAM, os.X_OK), f"{PROGRAM} is not there"
    monkeypatch.setattr(faults, "PROGRAM", str(PROGRAM))
    template = tmp_path / "template"
    template.mkdir()
    expected = faults.run(["."], faults.fresh_copy(template, tmp_path / "expected"))
    assert (expected.status, expected.err) == (0, "")
    for number in range(1, MANY, EVERY):
        folder = faults.fresh_copy(template, tmp_path / "run")
        outcome = faults.run(["."], folder, f"{kind}:{number}")
        if outcome.fault == "":
            assert number > 1, "nothing was made to fail"
            return
        faults.check_fault(outcome, {}, expected, f"{kind}:{number}: {outcome.fault}")
    pytest.fail(f"there still is something to fail at number {MANY}")
