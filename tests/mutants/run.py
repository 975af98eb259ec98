"""Do the tests find mistakes planted in the code? `make test-mutants TARGET=host`.

A mutant is a patch below this folder, such as host/median-is-the-upper.patch, with a header above the diff:

    Breaks: what is wrong then
    Test: a command that must fail: build/tests/unit/test_bench, or pytest tests/cli/test_records.py -k torn
    Survives: why no test can notice it
    Make: variables for make, where NVCC= BOOST= MPI= will not do

With several Test lines, one of them must fail; with Survives, none may. Each mutant is built in a copy of the
repository, incrementally. Exit status: 1 if one survives that should not, or the other way round, or does not
apply or compile any more; 2 if the tests fail without any mutant."""

import argparse
import contextlib
import os
import queue
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LEFT_OUT = (".git", ".venv", "build", "results", "MM", "figures", "__pycache__", ".*_cache")
PYTEST = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider")
KEYS = ("breaks", "test", "survives", "make")
PATIENCE = 30  # times as long on the clock as on the processor
SCRIPTS = ("pytest", "tests/mutants/schedules.py")  # tests that run gtrav


@dataclass
class Mutant:
    path: Path
    breaks: str = ""
    survives: str = ""
    make: str = "NVCC= BOOST= MPI="
    tests: list = field(default_factory=list)

    @property
    def name(self):
        return self.path.relative_to(HERE).with_suffix("").as_posix()


def read_mutant(path):
    mutant = Mutant(path)
    for line in path.read_text().splitlines():
        if line.startswith(("diff ", "--- ")):
            break
        key, colon, text = line.partition(": ")
        if not colon or key.lower() not in KEYS:
            sys.exit(f"{path}: '{line}' is neither Breaks:, Test:, Survives: nor Make:")
        if key == "Test":
            mutant.tests.append(text)
        else:
            setattr(mutant, key.lower(), text)
    if not mutant.breaks or not (mutant.tests or mutant.survives):
        sys.exit(f"{path}: the header must say what breaks, and which test finds it or why none can")
    return mutant


def find_mutants(words):
    """Those whose names contain one of the words; all, if there are none."""
    paths = sorted(HERE.rglob("*.patch"))
    found = [
        mutant for mutant in map(read_mutant, paths) if any(word in mutant.name for word in words or [""])
    ]
    if not found:
        sys.exit(f"no mutant is called {' or '.join(words)}; --list shows them")
    return sorted(found, key=lambda mutant: mutant.make)  # other variables build everything anew


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


def build(mutant, tests, tree, seconds):
    words = {word for test in tests for word in test.split()}
    targets = {
        "build/gtrav" if word in SCRIPTS else word for word in words if word in SCRIPTS or "build/" in word
    }
    variables = ["OPTIMIZE=-O1", "GTRAV_VERSION=mutant", "BUILD=build", *mutant.make.split()]
    return run(["make", "-s", "-j2", *variables, *sorted(targets)], tree, 10 * seconds)


def judge(mutant, tree, seconds):
    """The verdict, and more about it."""
    problem = run(["git", "apply", str(mutant.path)], tree, seconds)
    if problem:
        return "does not apply", problem
    try:
        problem = build(mutant, mutant.tests, tree, seconds)
        if problem:
            return "does not compile", problem
        for test in mutant.tests:
            if run_test(test, tree, seconds):
                return "killed", f"by {test}"
        return "survived", mutant.survives
    finally:
        run(["git", "apply", "--reverse", str(mutant.path)], tree, seconds)


def prepare(mutants, tree, seconds):
    """Copies the repository and builds it as each mutant wants it. Each of their tests must succeed."""
    shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    run(["git", "init", "-q"], tree, seconds)  # git apply takes paths from the repository that it is in
    for make in sorted({mutant.make for mutant in mutants}):
        alike = [mutant for mutant in mutants if mutant.make == make]
        tests = sorted({test for mutant in alike for test in mutant.tests})
        problems = {"make": build(alike[0], tests, tree, 10 * seconds)}
        for what, problem in chain(
            problems.items(), ((test, run_test(test, tree, seconds)) for test in tests)
        ):
            if problem:
                print(f"without any mutant, {what} fails:\n{problem}", file=sys.stderr)
                sys.exit(2)


def run_all(mutants, jobs, seconds):
    """How many did not end as expected."""
    with tempfile.TemporaryDirectory(prefix="gtrav-mutants-") as folder:
        trees = queue.SimpleQueue()
        prepare(mutants, Path(folder, "0"), seconds)
        for job in range(1, jobs):
            shutil.copytree(Path(folder, "0"), Path(folder, str(job)), symlinks=True)
        for job in range(jobs):
            trees.put(Path(folder, str(job)))

        def is_unexpected(mutant):
            tree, begin = trees.get(), time.monotonic()
            try:
                verdict, more = judge(mutant, tree, seconds)
            finally:
                trees.put(tree)
            expected = verdict == ("survived" if mutant.survives else "killed")
            took = f"{time.monotonic() - begin:.0f} s"
            print(f"{'ok  ' if expected else 'FAIL'} {mutant.name}: {verdict} {more} ({took})", flush=True)
            return not expected

        with ThreadPoolExecutor(jobs) as pool:
            return sum(pool.map(is_unexpected, mutants))


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="parts of the names of mutants (default: all)")
    parser.add_argument("--list", action="store_true", help="show the mutants and what they break")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time, each in a copy (default: 1)")
    parser.add_argument("--seconds", type=int, default=60, help="of a processor, for a test (default: 60)")
    arguments = parser.parse_args()
    mutants = find_mutants(arguments.names)
    if arguments.list:
        for mutant in mutants:
            print(f"{mutant.name}: {mutant.breaks}{' (survives)' if mutant.survives else ''}")
        return 0
    for name in ("GTRAV", "GTRAV_FAULTS", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # of a make that runs this
        os.environ.pop(name, None)
    os.environ.update(OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive")
    mutants = with_webgpu(mutants)
    begin = time.monotonic()
    unexpected = run_all(mutants, max(arguments.jobs, 1), arguments.seconds)
    print(f"{len(mutants)} mutants, {unexpected} not as expected; {time.monotonic() - begin:.0f} s")
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
