"""msbfs auto on the emulator: what it measures and says, what overrules it. Its sample and its choice are in
tests/kernels/test_msbfs_auto.cu.

On the emulator, the design whose number is the seed modulo the number of those that are measured has the
shortest searches; number 0 is the model's choice."""

import re

import pytest

from helpers import gtrav_json, gtrav_ok, read_json

ANY = [a for a in gtrav_json("--list msbfs") if a["emulated"] and a["variant"] == "auto"]
pytestmark = pytest.mark.skipif(not ANY, reason="no emulator in this build")


def command(graph, words="", algo="msbfs", sources="40"):
    asked = f"{algo} {graph} --device cpu-emulator --quiet --sources {sources}"
    return f"{asked} --verify all {words}"


def run(graph, words="", **options):
    result = read_json(gtrav_ok(f"{command(graph, words, **options)} --json").out)
    assert result["algorithm"]["variant"] == "auto"
    assert result["summary"]["verified"] == "all"
    assert result["facts"]["engine"] == result["note"].partition(" ")[0]
    return result["note"], result["summary"]["batch_sources"]


def measured(note):
    """The design that is used, and what was measured of the others."""
    found = re.match(r"(\w+) for .*?(?:; measured 2 ms per batch; (.*?))?: ", note)
    return found[1], found[2]


@pytest.mark.parametrize(
    "graph, order",
    [("kron:8", "perblock bitparallel"), ("grid:9x7", "perblock bitparallel"), ("kron:11", "bitparallel")],
)
def test_what_may_be_faster_is_measured(graph, order):
    first, *second = order.split()
    assert measured(run(graph)[0]) == (first, f"{second[0]} 4" if second else None)
    assert measured(run(graph, "--set seed=1")[0]) == (
        second[0] if second else first,
        f"{first} 4" if second else None,
    )
    assert measured(run(graph, "--set seed=1 --set measure=0")[0]) == (first, None)
    assert measured(run(graph, "--set seed=1", sources="15")[0])[1] is None


def test_measuring_leaves_no_trace_in_farness(tmp_path):
    asked = "closeness kron:8 --quiet --output"
    gtrav_ok(asked, tmp_path / "expected.txt", "--variant", "serial")
    for seed in range(2):
        chosen = f"--device cpu-emulator --variant auto --set measure=1 --set seed={seed}"
        gtrav_ok(f"{chosen} {asked}", tmp_path / "found.txt")
        assert (tmp_path / "found.txt").read_text() == (tmp_path / "expected.txt").read_text()


@pytest.mark.parametrize(
    ("engine", "words", "lack"),
    [
        ("single", "--aggregates", "single gives only levels"),
        ("ibfs", "", "ibfs gives only lengths of paths"),
    ],
)
def test_the_note_says_why_another_engine_runs_than_the_named_one(engine, words, lack):
    note, _ = run("kron:6", f"{words} --set engine={engine}")
    assert re.match(rf"(perblock|bitparallel) \({lack}\) for ", note)
