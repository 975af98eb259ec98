"""The list of mutants fits the sources, and its runner tells how each ends."""

import importlib.util
import os
import shutil
import sys

import pytest

from helpers import GTRAV, ROOT, execute, gtrav_json, refused

EMULATED = any(a["emulated"] for a in gtrav_json("--list"))

MUTANTS = ROOT / "tests" / "mutants"
SPEC = importlib.util.spec_from_file_location("mutants_run", MUTANTS / "run.py")
run_py = sys.modules[SPEC.name] = importlib.util.module_from_spec(SPEC)  # dataclasses look there
SPEC.loader.exec_module(run_py)
MAKEFILE = """build/check: check.sh
	mkdir -p build && sh -n check.sh && cp check.sh $@ && chmod +x $@
"""
SCRIPT = "#!/bin/sh\n# nothing\nexit 0\n"


@pytest.mark.parametrize("target, least", [("host", 35), ("kernels", 40), ("webgpu", 12)])
def test_every_mutant_applies(target, least):
    mutants = run_py.find_mutants([f"{target}/"])
    assert len(mutants) >= least and len({mutant.name for mutant in mutants}) == len(mutants)
    for mutant in mutants:
        assert run_py.planted(mutant, ROOT), mutant.name
    listed = execute([sys.executable, MUTANTS / "run.py", "--list", f"{target}/"])
    assert (listed.status, len(listed.out.splitlines())) == (0, len(mutants))


@pytest.mark.skipif(not EMULATED, reason="there is no emulator")
def test_schedules_run_a_system():
    program = {**os.environ, "GTRAV": GTRAV}
    assert execute([MUTANTS / "schedules.py", "warpnet", "1"], cwd=ROOT, env=program).status == 0
    result = execute([MUTANTS / "schedules.py", "nothing"], cwd=ROOT)
    assert (result.status, "SYSTEM: warpnet, " in result.out) == (2, True)


@pytest.fixture
def project(tmp_path):
    """A project of one script and one test: that it succeeds."""
    folder = tmp_path / "project"
    (folder / "tests" / "mutants").mkdir(parents=True)
    shutil.copy(MUTANTS / "run.py", folder / "tests" / "mutants")
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / "check.sh").write_text(SCRIPT)
    return folder


def plant(project, name, old, new):
    with (project / "tests" / "mutants" / "all.mutants").open("a") as file:
        file.write(f"[{name}] {name}\nTest: build/check\n@ check.sh\n-{old}\n+{new}\n\n")


def run(project, *arguments):
    return execute([sys.executable, project / "tests" / "mutants" / "run.py", "--seconds", "1", *arguments])


# what is planted, and what the runner says of it
VERDICTS = {
    "fails": ("exit 0", "exit 1", "ok   all/fails: killed by build/check"),
    "hangs": ("exit 0", "while :; do :; done", "ok   all/hangs: killed by build/check"),
    "survives": ("# nothing", "# something", "FAIL all/survives: survived"),
    "broken": ("exit 0", "if", "FAIL all/broken: does not compile"),
    "outdated": ("exit 7", "exit 1", "FAIL all/outdated: does not apply"),
}


def test_the_verdict_on_each_mutant(project):
    for name, (old, new, _) in VERDICTS.items():
        plant(project, name, old, new)
    result = run(project, "--jobs", "2")
    assert (result.status, "5 mutants, 3 not found" in result.out) == (1, True), result.out + result.err
    assert [verdict for *_, verdict in VERDICTS.values() if verdict not in result.out] == []
    assert (project / "check.sh").read_text() == SCRIPT
    found = run(project, "fails")
    assert (found.status, "1 mutants, 0 not found" in found.out) == (0, True)


def test_tests_that_fail_anyway(project):
    plant(project, "mutant", "# nothing", "# something")
    (project / "check.sh").write_text(SCRIPT.replace("exit 0", "exit 1"))
    refused(run(project), "without any mutant, build/check fails")


CHANGE = "@ check.sh\n-exit 0\n+exit 1\n"


@pytest.mark.parametrize(
    "table", ["[x] y\nTest: z\n", f"[x] y\n{CHANGE}", f"[x] y\nTests: z\n{CHANGE}", "x", f"[x]\nTest: z\n{CHANGE}"]
)
def test_table_that_lacks_something(table, project):
    (project / "tests" / "mutants" / "bad.mutants").write_text(table)
    refused(run(project, "--list"), "bad.mutants", status=1)


def test_a_table_says_things_once(project):
    """Each of its mutants has the table's test, unless it has its own."""
    of_table = f"Test: build/check\n\n[a] a\n{CHANGE}[b] b\nTest: build/other\n@ check.sh\nt 0 => t 1"
    (project / "tests" / "mutants" / "all.mutants").write_text(of_table)
    (project / "Makefile").write_text(MAKEFILE + MAKEFILE.replace("build/check", "build/other"))
    result = run(project)
    assert "ok   all/a: killed by build/check" in result.out, result.out
    assert "ok   all/b: killed by build/other" in result.out
