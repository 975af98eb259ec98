"""The list of mutants fits the sources, and its runner tells how each ends."""

import difflib
import os
import shutil
import subprocess
import sys

import pytest

from helpers import GTRAV, ROOT, execute, gtrav_json

EMULATED = any(a["emulated"] for a in gtrav_json("--list"))

MUTANTS = ROOT / "tests" / "mutants"
MAKEFILE = """build/check: check.sh
	mkdir -p build && sh -n check.sh && cp check.sh $@ && chmod +x $@
"""
SCRIPT = "#!/bin/sh\n# nothing\nexit 0\n"


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="no git here, which applies the patches")


@needs_git
@pytest.mark.parametrize("target, least", [("host", 40), ("kernels", 40), ("webgpu", 12)])
def test_every_mutant_applies(target, least):
    patches = sorted((MUTANTS / target).rglob("*.patch"))
    assert len(patches) >= least
    for path in patches:
        check = subprocess.run(["git", "apply", "--check", path], cwd=ROOT, capture_output=True, text=True)
        assert check.returncode == 0, f"{path.name}: {check.stderr}"
    listed = execute([sys.executable, MUTANTS / "run.py", "--list", f"{target}/"])
    assert (listed.status, len(listed.out.splitlines())) == (0, len(patches))


@pytest.mark.skipif(not EMULATED, reason="there is no emulator")
def test_schedules_run_a_system():
    program = {**os.environ, "GTRAV": GTRAV}
    assert execute([MUTANTS / "schedules.py", "warpnet", "1"], cwd=ROOT, env=program).status == 0
    result = execute([MUTANTS / "schedules.py", "nothing"], cwd=ROOT)
    assert (result.status, "SYSTEM: warpnet, " in result.out) == (2, True)


@pytest.fixture
def project(tmp_path):
    """A project of one script and one test: that it succeeds."""
    if shutil.which("git") is None:
        pytest.skip("no git here, which applies the patches")
    folder = tmp_path / "project"
    (folder / "tests" / "mutants").mkdir(parents=True)
    shutil.copy(MUTANTS / "run.py", folder / "tests" / "mutants")
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / "check.sh").write_text(SCRIPT)
    return folder


def plant(project, name, old, new, header="Test: build/check"):
    before, after = SCRIPT.splitlines(keepends=True), SCRIPT.replace(old, new).splitlines(keepends=True)
    diff = "".join(difflib.unified_diff(before, after, "a/check.sh", "b/check.sh", n=1))
    (project / "tests" / "mutants" / f"{name}.patch").write_text(f"Breaks: {name}\n{header}\n{diff}")


def run(project, *arguments):
    return execute([sys.executable, project / "tests" / "mutants" / "run.py", "--seconds", "1", *arguments])


def test_verdicts_as_expected(project):
    plant(project, "fails", "exit 0", "exit 1")
    plant(project, "hangs", "exit 0", "while :; do :; done")
    plant(project, "comment", "# nothing", "# something", "Test: build/check\nSurvives: it is a comment")
    result = run(project, "--jobs", "2")
    assert result.status == 0, result.out + result.err
    assert "ok   fails: killed by build/check" in result.out
    assert "ok   hangs: killed by build/check" in result.out
    assert "ok   comment: survived it is a comment" in result.out
    assert "3 mutants, 0 not as expected" in result.out
    assert (project / "check.sh").read_text() == SCRIPT
    assert "1 mutants" in run(project, "fails").out


UNEXPECTED = {
    "survived": ("# nothing", "# something", "Test: build/check"),
    "killed": ("exit 0", "exit 1", "Test: build/check\nSurvives: wrongly said"),
    "does not compile": ("exit 0", "if", "Test: build/check"),
}


@pytest.mark.parametrize("verdict", UNEXPECTED)
def test_unexpected_verdicts(verdict, project):
    plant(project, "mutant", *UNEXPECTED[verdict])
    result = run(project)
    assert result.status == 1
    assert f"FAIL mutant: {verdict}" in result.out


def test_patch_that_does_not_apply(project):
    plant(project, "mutant", "exit 0", "exit 1")
    (project / "check.sh").write_text("#!/bin/sh\ntrue\n")
    result = run(project)
    assert (result.status, "FAIL mutant: does not apply" in result.out) == (1, True)


def test_tests_that_fail_anyway(project):
    plant(project, "mutant", "# nothing", "# something")
    (project / "check.sh").write_text(SCRIPT.replace("exit 0", "exit 1"))
    result = run(project)
    assert (result.status, "without any mutant, build/check fails" in result.err) == (2, True)


@pytest.mark.parametrize("header", ["Test: build/check", "Breaks: x", "Breaks: x\nTests: y", "x"])
def test_header_that_lacks_something(header, project):
    (project / "tests" / "mutants" / "mutant.patch").write_text(f"{header}\n--- a/check.sh\n+++ b/check.sh\n")
    result = run(project, "--list")
    assert (result.status, "mutant.patch" in result.err) == (1, True)


def test_mutants_of_webgpu_are_left_out_without_its_library(project):
    (project / "tests" / "mutants" / "webgpu").mkdir()
    plant(project, "webgpu/fails", "exit 0", "exit 1")
    plant(project, "fails", "exit 0", "exit 1")
    result = run(project)
    assert "webgpu/ are left out" in result.out and "1 mutants, 0 not as expected" in result.out
