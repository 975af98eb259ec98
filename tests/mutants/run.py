"""Do the tests find mistakes planted in the code? `make test-mutants TARGET=host`.

A file NAME.mutants below this folder is a table of mutants:

    Test: what all mutants below use unless one says otherwise; likewise Make: and @ FILE. Such lines may
    stand again between mutants, with an empty line before and after them

    [median-is-the-upper] what is wrong then
    Test: a command that must fail: build/tests/unit/test_bench, or pytest tests/cli/test_records.py -k limit
    Make: variables for make, where NVCC= BOOST= MPI= will not do
    @ src/records/summary.c
     a line that stays, where the ones below are not enough to find the place
    -the line as it is, which stands there once
    +the line as it is planted

or, for a part of a line, "the part as it is, which stands there once => the part as it is planted".

With several Test lines, one of them must fail. A mutant that no test can notice has no place here. Each is
built in a copy of the repository, incrementally. Exit status: 1 if one survives, or does not apply or compile
any more; 2 if the tests fail without any mutant."""

import argparse
import contextlib
import os
import queue
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LEFT_OUT = (".git", ".venv", "build", "results", "MM", "figures", "__pycache__", ".*_cache")
PYTEST = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider")
KEYS = ("test", "make")
PATIENCE = 30  # times as long on the clock as on the processor
SCRIPTS = ("pytest", "tests/mutants/schedules.py")  # tests that run gtrav
LIBRARY = {"build/libgtrav.so.1", "build/libgtrav_python.so"}  # what those of the Python package load


@dataclass
class Mutant:
    name: str
    breaks: str = ""
    make: str = "NVCC= BOOST= MPI="
    tests: list = field(default_factory=list)
    file: str = ""  # that it changes, unless it names one
    changes: list = field(default_factory=list)  # [file, text as it is, text as planted]


class Broken(Exception):
    """A table or a mutant that does not fit the sources."""


def read_table(path):
    """The mutants of a file, whose names begin with the file's."""
    prefix = path.relative_to(HERE).with_suffix("").as_posix()
    table = mutant = Mutant(prefix)
    found, own_tests = [], False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        heading = re.fullmatch(r"\[([a-z0-9-]+)\] (.+)", line)
        key, colon, text = line.partition(": ")
        if heading:
            mutant = replace(table, name=f"{prefix}/{heading[1]}", breaks=heading[2], changes=[])
            found.append(mutant)
            own_tests = False
        elif not line:
            mutant, own_tests = table, False
        elif line.startswith("@ ") and mutant is table:
            table.file = line[2:]
        elif line.startswith("@ "):
            mutant.changes.append([line[2:], "\n", "\n"])
        elif (line[0] in " -+" or " => " in line) and (mutant.changes or mutant.file) and mutant is not table:
            if not mutant.changes:
                mutant.changes.append([mutant.file, "\n", "\n"])
            change = mutant.changes[-1]
            if line[0] not in " -+":
                change[1:] = line.split(" => ")
            elif line[0] != "+":
                change[1] += line[1:] + "\n"
            if line[0] in " +":
                change[2] += line[1:] + "\n"
        elif not colon or key.lower() not in KEYS:
            raise Broken(f"{path}:{number}: '{line}' is no line of a table of mutants; {__file__} explains them")
        elif key == "Test":
            mutant.tests = [*(mutant.tests if own_tests else []), text]
            own_tests = True
        else:
            setattr(mutant, key.lower(), text)
    for mutant in found:
        if not mutant.changes or not mutant.tests:
            raise Broken(f"{path}: {mutant.name}: say what it changes, and which test finds it")
    return found


def find_mutants(words):
    """Those whose names contain one of the words; all, if there are none."""
    tables = [read_table(path) for path in sorted(HERE.rglob("*.mutants"))]
    found = [m for m in chain.from_iterable(tables) if any(word in m.name for word in words or [""])]
    if not found:
        raise Broken(f"no mutant is called {' or '.join(words)}; --list shows them")
    return sorted(found, key=lambda mutant: mutant.make)  # other variables build everything anew


def planted(mutant, tree):
    """{file of the tree: its text with the mutant in it}"""
    texts = {}
    for name, old, new in mutant.changes:
        path = tree / name
        text = texts.get(path) or "\n" + (path.read_text() if path.exists() else "")
        if text.count(old) != 1:
            raise Broken(f"{mutant.name}: {name} has this {text.count(old)} times, not once:{old}")
        texts[path] = text.replace(old, new)
    return {path: text[1:] for path, text in texts.items()}


def run(command, tree, seconds):
    """What the command says if it fails, or how it ended; "" if it succeeds."""

    def limit_time():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(
        command, cwd=tree, **pipes, text=True, errors="replace", start_new_session=True, preexec_fn=limit_time
    )
    try:
        said, _ = process.communicate(timeout=PATIENCE * seconds)
    except subprocess.TimeoutExpired:
        return f"no end within {PATIENCE * seconds} s"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with all that it has started
        process.wait()
    return (said.strip() or f"exit status {process.returncode}") if process.returncode else ""


def run_test(test, tree, seconds):
    words = shlex.split(test)
    return run([*PYTEST, *words[1:]] if words[0] == "pytest" else words, tree, seconds)


def targets_of(test):
    """What make builds for it."""
    words = ["build/gtrav" if word in SCRIPTS else word for word in test.split()]
    of_python = any("tests/python/" in word for word in words)
    return {word for word in words if "build/" in word} | (LIBRARY if of_python else set())


def build(mutant, tests, tree, seconds):
    targets = set().union(*map(targets_of, tests))
    variables = ["OPTIMIZE=-O1", "GTRAV_VERSION=mutant", "BUILD=build", *mutant.make.split()]
    return run(["make", "-s", "-j2", *variables, *sorted(targets)], tree, 10 * seconds)


def judge(mutant, tree, seconds):
    """The verdict, and more about it."""
    try:
        changed = planted(mutant, tree)
    except Broken as problem:
        return "does not apply", problem
    originals = {path: path.read_text() for path in changed}
    try:
        for path, text in changed.items():
            path.write_text(text)
        problem = build(mutant, mutant.tests, tree, seconds)
        if problem:
            return "does not compile", problem
        for test in mutant.tests:
            if run_test(test, tree, seconds):
                return "killed", f"by {test}"
        return "survived", "all of its tests"
    finally:
        for path, text in originals.items():
            path.write_text(text)


def prepare(mutants, tree, seconds):
    """Copies the repository and builds it as each mutant wants it. Each of their tests must succeed."""
    shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for make in sorted({mutant.make for mutant in mutants}):
        alike = [mutant for mutant in mutants if mutant.make == make]
        tests = sorted({test for mutant in alike for test in mutant.tests})
        problems = {"make": build(alike[0], tests, tree, 10 * seconds)}
        for what, problem in chain(problems.items(), ((test, run_test(test, tree, seconds)) for test in tests)):
            if problem:
                print(f"without any mutant, {what} fails:\n{problem}", file=sys.stderr)
                sys.exit(2)


def run_all(mutants, jobs, seconds):
    """How many were not found."""
    with tempfile.TemporaryDirectory(prefix="gtrav-mutants-") as folder:
        trees = queue.SimpleQueue()
        prepare(mutants, Path(folder, "0"), seconds)
        for job in range(1, jobs):
            shutil.copytree(Path(folder, "0"), Path(folder, str(job)), symlinks=True)
        for job in range(jobs):
            trees.put(Path(folder, str(job)))

        def is_missed(mutant):
            tree, begin = trees.get(), time.monotonic()
            try:
                verdict, more = judge(mutant, tree, seconds)
            finally:
                trees.put(tree)
            took = f"{time.monotonic() - begin:.0f} s"
            print(f"{'ok  ' if verdict == 'killed' else 'FAIL'} {mutant.name}: {verdict} {more} ({took})", flush=True)
            return verdict != "killed"

        with ThreadPoolExecutor(jobs) as pool:
            return sum(pool.map(is_missed, mutants))


def with_webgpu(mutants):
    """Lets the copies find the library of those below webgpu/, or leaves these out where there is none."""
    library = next(ROOT.glob(".venv/lib/python3*/site-packages/wgpu/resources"), None)
    others = [mutant for mutant in mutants if not mutant.name.startswith("webgpu/")]
    if len(others) == len(mutants):
        return mutants
    if library is None and "WEBGPU" not in os.environ:
        print("mutants of webgpu/ are left out: there is no WebGPU library (scripts/setup.sh webgpu)")
        return others
    os.environ.setdefault("WEBGPU", str(library))  # as config.mk calls it
    return mutants


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of the names of mutants (default: all)")
    parser.add_argument("--list", action="store_true", help="show the mutants and what they break")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time, each in a copy (default: 1)")
    parser.add_argument("--seconds", type=int, default=60, help="of a processor, for a test (default: 60)")
    arguments = parser.parse_args()
    try:
        mutants = find_mutants(arguments.names)
    except Broken as problem:
        sys.exit(str(problem))
    if arguments.list:
        for mutant in mutants:
            print(f"{mutant.name}: {mutant.breaks}")
        return 0
    for name in ("GTRAV", "GTRAV_FAULTS", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # of a make that runs this
        os.environ.pop(name, None)
    os.environ.update(OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive", PYTHONDONTWRITEBYTECODE="1")
    mutants = with_webgpu(mutants)
    begin = time.monotonic()
    missed = run_all(mutants, max(arguments.jobs, 1), arguments.seconds)
    print(f"{len(mutants)} mutants, {missed} not found; {time.monotonic() - begin:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
