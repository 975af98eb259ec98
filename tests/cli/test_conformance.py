"""The conformance program: what it makes of a device without memory for the ends of an option's range."""

import os

import pytest

from helpers import GTRAV, ROOT, execute, gtrav_json, refused

PROGRAM = ROOT / "build" / "tests" / "conformance" / "conformance"
EMULATED = any(a["variant"] == "v1" and a.get("emulated", False) for a in gtrav_json("--list"))
pytestmark = pytest.mark.skipif(
    not (PROGRAM.exists() and EMULATED), reason="make test-programs builds it; it is run on the emulator"
)

LARGEST = "cold-size=8388608"  # its stacks take 134 MB


def conformance(*arguments, algorithm="dfs v1", **environment):
    family, variant = algorithm.split()
    asked = f"--device emulator --family {family} --variant {variant} --seeds 1 --turns 24"
    result = execute([PROGRAM, *asked.split(), *arguments], env={**os.environ, **environment})
    return result.status, result.out.splitlines()


def test_settings_without_memory_are_counted_as_not_run():
    status, lines = conformance("--no-memory", "skip", GTRAV_EMULATOR_MB="64")
    assert status == 0
    assert lines[0].startswith("not run: dfs v1 on ")
    assert LARGEST in lines[0]
    assert "GPU out of memory: 134.2 MB needed for dfs v1" in lines[0]
    assert len(lines) == 3  # only the first of them is told
    passed, not_run, failed = lines[-1].split(", ")
    assert int(passed.removesuffix(" passed")) > 50
    assert 0 < int(not_run.removesuffix(" not run: no memory")) < 10
    assert failed == "0 failed"
    assert f", {not_run}, " in lines[1]


def test_on_the_emulator_they_fail():
    """Its memory is what the test gives it."""
    status, lines = conformance(GTRAV_EMULATOR_MB="64")
    assert status == 1
    assert all(line.startswith("FAILED dfs v1 on ") and LARGEST in line for line in lines[:-2])
    assert lines[-1].endswith(f" passed, {len(lines) - 2} failed")


# By shared memory, or by the number of blocks.
SIZED_BY_THE_DEVICE = (
    *("bfs slices", "bfs dobfs", "bfs khop", "bfs auto", "dfs v4", "dfs handoff"),
    *("msbfs perblock", "msbfs auto"),
)


@pytest.mark.parametrize("algorithm", SIZED_BY_THE_DEVICE)
def test_on_a_device_with_little_shared_memory_and_few_multiprocessors(algorithm):
    """As an RTX 30, 40 or 50, and a slice of a large GPU."""
    small = {"GTRAV_EMULATOR_SHARED_KB": "99", "GTRAV_EMULATOR_SMS": "1"}
    status, lines = conformance("--no-memory", "skip", algorithm=algorithm, **small)
    assert status == 0, lines
    assert not [line for line in lines if line.startswith("not run: ")]


def test_rings_that_shared_memory_cannot_hold():
    words = "--algo dfs --variant v4 --graph kron:8 --device cpu-emulator --set hot-size=512 --set warps-per-block=32"
    result = execute([GTRAV, *words.split()], env={**os.environ, "GTRAV_EMULATOR_SHARED_KB": "99"})
    refused(result, "too little shared memory: a block needs 131600 bytes, there are 101376", status=3)


@pytest.mark.parametrize("number", [1, 50])
def test_what_else_fails_is_no_lack_of_memory(number):
    """The first allocation is of a run with the default settings; the 50th fails although there is room."""
    status, lines = conformance("--no-memory", "skip", GTRAV_EMULATOR_FAIL_AT=str(number))
    assert status == 1
    assert lines[0].startswith("FAILED dfs v1 on ")
    assert lines[-1].endswith(" passed, 1 failed")
