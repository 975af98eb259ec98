"""msbfs auto on the emulator: what it chooses, what it measures and says, what overrules it.

On the emulator, the design whose number is the seed modulo the number of those that are measured has the
shortest searches; number 0 is the model's choice."""

import re

import pytest

from helpers import complains, gtrav, gtrav_json, gtrav_ok, read_json

ANY = [a for a in gtrav_json("--list msbfs") if a["emulated"] and a["variant"] == "auto"]
pytestmark = pytest.mark.skipif(not ANY, reason="no emulator in this build")


def command(graph, words="", algo="msbfs", sources="40"):
    asked = f"{algo} {graph} --device cpu-emulator --quiet --sources {sources}"
    return f"{asked} --verify all {words}"


def run(graph, words="", **options):
    result = read_json(gtrav_ok(f"{command(graph, words, **options)} --json").out)
    assert result["algorithm"]["variant"] == "auto"
    assert result["summary"]["verified"] == "all"
    return result["note"], result["summary"]["batch_sources"]


@pytest.mark.parametrize(
    "graph, design, levels, detail",
    [
        ("kron:11", "bitparallel", 6, "rows by degree, high degrees first"),
        ("urand:11", "bitparallel", 5, "rows as they are"),
        ("grid:40x40", "perblock", 79, "records of 4"),
        ("path:600", "perblock", 600, "2 junctions and the chains between them"),
        ("road:6", "perblock", 166, "junctions and the chains between them"),
    ],
)
def test_the_choice_and_why(graph, design, levels, detail):
    note, batch = run(graph)
    assert note.startswith(f"{design} for ")
    reported = int(note.split()[2])
    assert 0.7 * levels <= reported <= levels  # the sources sampled need not be the farthest
    assert " levels of 32 sampled searches and " in note and " edges a vertex, " in note
    other = "perblock" if design == "bitparallel" else "bitparallel"
    assert re.search(rf", predicted {design} [0-9.]+ ms, {other} [0-9.]+", note)
    assert detail in note
    assert batch == 40


def measured(note):
    """The design that is used, and what was measured of the others."""
    found = re.match(r"(\w+) for .*?(?:; measured 2 ms a batch; (.*?))?: ", note)
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


@pytest.mark.parametrize("graph, sources", [("kron:6", "300"), ("dag:200:0.05", "40"), ("path:100", "1")])
def test_the_fastest_of_all_designs_is_kept(graph, sources):
    model = measured(run(graph, "--set measure=0", sources=sources)[0])[0]
    order = [model, *(design for design in ("bitparallel", "perblock", "single") if design != model)]
    for seed, design in enumerate(order):
        note, batch = run(graph, f"--set measure=1 --set seed={seed}", sources=sources)
        assert note.startswith(f"{design} for ") and "; measured 2 ms a " in note
        assert (batch == 1) == (sources == "1" or design == "single")


def test_measuring_leaves_no_trace_in_farness(tmp_path):
    asked = "closeness kron:8 --quiet --output"
    gtrav_ok(asked, tmp_path / "expected.txt", "--variant", "serial")
    for seed in range(2):
        chosen = f"--device cpu-emulator --variant auto --set measure=1 --set seed={seed}"
        gtrav_ok(f"{chosen} {asked}", tmp_path / "found.txt")
        assert (tmp_path / "found.txt").read_text() == (tmp_path / "expected.txt").read_text()


def test_what_is_no_engine():
    engines = "auto|bitparallel|perblock|single"
    complains(gtrav(command("path:4", "--set engine=blest")), "engine", engines)
    complains(gtrav(command("path:4", "--set batch=5000")), "batch", "4096")
