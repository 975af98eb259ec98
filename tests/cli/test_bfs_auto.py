"""bfs auto on the emulator: which BFS it takes for which graph, what it measures and says.

On the emulator, the candidate whose number is the seed modulo the number of candidates has the shortest
searches; number 0 is the model's choice for a single source."""

import os
import re

import pytest

from helpers import complains, gtrav, gtrav_json, gtrav_ok, read_json

ANY = [a for a in gtrav_json("--list bfs") if a["emulated"] and a["variant"] == "auto"]
pytestmark = pytest.mark.skipif(not ANY, reason="no bfs auto in this build runs on the emulator")

ALLOCATIONS = 400  # more than any run here makes on the device
MESH = "grid:40x40"
ENGINES = ("dobfs", "blest", "slices", "khop")  # queue takes no part on graphs as small as these
UNPREPARED = "dobfs unprepared"
CHOICE = re.compile(r"(\w+(?: unprepared)?) for about (\d+) levels and (\d+) trials?(.*?): ")


def command(graph, words="", sources="16"):
    drawn = "" if "--source " in words else f"--sources {sources}"
    variant = "" if "--variant " in words else "--variant auto"
    return f"bfs {graph} {variant} --device cpu-emulator --quiet --verify all --json {drawn} {words}"


def run(graph, words="", **options):
    """The engine, the number of levels expected, what was measured, and the rest of the note."""
    result = read_json(gtrav_ok(command(graph, words, **options)).out)
    assert result["summary"]["verified"] == "all"
    found = CHOICE.match(result["note"])
    assert found, result["note"]
    assert result["facts"]["engine"] == found[1]
    return found[1], int(found[2]), found[4], result["note"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("graph", "engine", "least", "most"),
    [
        ("grid:50x50", "khop", 50, 200),  # has 50 to 99
        ("path:1000", "khop", 200, 2000),
        ("urand:15:2", "dobfs", 5, 30),  # sparse: three steps from a vertex find 80 others
        ("kron:11", "dobfs", 5, 50),
    ],
)
def test_the_engine_fits_the_growth(graph, engine, least, most):
    chosen, levels, _, _ = run(graph, sources="2")
    assert chosen == engine
    assert least <= levels <= most


@pytest.mark.parametrize(
    ("graph", "second", "third"), [("kron:8", "dobfs", "slices"), ("dag:200:0.05", "slices", "dobfs")]
)
def test_losers_cost_half_of_what_can_be_saved(graph, second, third):
    """64 searches of 2 ms may be saved, so losers may cost 64 ms, and khop would be one too many."""
    overs = "blest over 4, slices over 4" if third == "slices" else "dobfs over 4, blest over 4"
    measured = f", 2 ms per search; {second} 4, {overs}, khop not tried (13 ms)"
    for sources in ("16", "64"):
        assert run(graph, sources=sources)[::2] == (UNPREPARED, measured)
    engine, _, measured, _ = run(graph, "--set seed=1")  # the second wins, and costs nothing
    assert engine == second
    assert measured.startswith(", 2 ms per search; dobfs unprepared 10, ") and measured.endswith(", khop over 4")


def test_few_searches_are_measured_where_engines_prepare_nothing():
    """In a deep graph. From 4 sources on it pays, with a search for every four sources."""
    for sources, second in (("3", ""), ("4", "dobfs"), ("15", "khop")):  # khop's balls pay from 15 on
        engine, _, measured, _ = run(MESH, sources=sources)
        assert engine.startswith("khop")
        assert bool(second) == measured.startswith(f", 2 ms per search; {second} 4")
        assert bool(second) == bool(measured)
    assert run("kron:8", sources="15")[2] == ""


@pytest.mark.parametrize("graph", ["kron:8", "dag:200:0.05", "grid:9x7", "grid:15x15"])
def test_the_fastest_of_all_engines_is_kept(graph):
    for sources in ("1", "16"):
        order = ENGINES if sources == "1" else [UNPREPARED, *ENGINES]
        if sources == "16" and graph.startswith("dag"):
            order = [UNPREPARED, "slices", *(engine for engine in ENGINES if engine != "slices")]
        for seed in range(len(order)):
            asked = f"--set measure=1 --set seed={seed}"
            engine, _, measured, _ = run(graph, asked, sources=sources)
            assert engine == order[seed]
            assert measured.startswith(", 2 ms per search; ")
            found = re.findall(r"[;,] (\w+(?: unprepared)?) (?:over )?(?:4|6|8|10)\b", measured)
            assert sorted(found) == sorted({*order} - {engine})


def test_no_measuring():
    chosen = (f"--set engine={engine} --set measure=1" for engine in (*ENGINES, "queue"))
    unprepared = ("--set prepare=0", "--set prepare=0 --set measure=1")
    for words in ("--set measure=0", *unprepared, *chosen):
        assert run("kron:8", f"{words} --set seed=1")[2] == ""
    assert run("dag:9:0", "--source 0 --set measure=1 --set seed=1")[2] == ""  # no edges


def test_no_direction_by_trials_in_deep_graphs():
    """Without trials, bottom-up levels of a deep graph read nearly all lists in vain, hundreds of times."""
    few = "--set engine=dobfs"
    for sources in ("8", "16"):
        assert run(MESH, few, sources=sources)[3].endswith("no packed neighbours, top-down only")
    assert run(MESH, f"{few} --output-parents", sources="8")[3].endswith("top-down only")
    assert run(MESH, f"{few} --set prepare=0")[3].endswith("top-down only")
    assert run(MESH, f"{few} --set prepare=1")[3].endswith("both directions")  # large ones: by trials
    assert run("kron:8", few, sources="8")[3].endswith("no packed neighbours, both directions")


def test_engines_that_return_parents():
    for seed, wanted in enumerate((UNPREPARED, *ENGINES)):
        assert run("kron:8", f"--set measure=1 --set seed={seed} --output-parents")[0] == wanted
    for wanted in ("blest", "queue"):
        assert run("kron:8", f"--set engine={wanted} --output-parents")[0] == wanted


def test_an_engine_that_fails_leaves_the_choice_to_the_others():
    """Every allocation fails in turn: first those of the graph and of the sample, then each engine's."""
    failed, left = 0, set()
    for number in range(1, ALLOCATIONS):
        env = {**os.environ, "GTRAV_EMULATOR_FAIL_AT": str(number)}
        result = gtrav(command("kron:5", "--set measure=1 --set seed=1 --source 1"), env=env)
        if result.status != 0:
            complains(result, "out of memory", "needed for", "free", status=3)
            failed += 1
            continue
        note = read_json(result.out)["note"]
        engines = re.findall(r"(\w+) failed \(GPU out of memory\)", note)
        if not engines:
            break
        left.update(engines)
        assert CHOICE.match(note)[1] == ("slices" if engines == ["blest"] else "blest")
    assert failed >= 3 and left == {"dobfs", "slices", "blest", "khop"}


def on_a_small_device(kilobytes, graph, words="", sources="4"):
    """With so much shared memory a block, and one multiprocessor."""
    small = {**os.environ, "GTRAV_EMULATOR_SHARED_KB": str(kilobytes), "GTRAV_EMULATOR_SMS": "1"}
    return gtrav(command(graph, words, sources), env=small)


@pytest.mark.parametrize("sources", ["4", "16"])  # few: khop without an index
def test_a_mesh_on_a_device_with_little_shared_memory(sources):
    """99 KB: an RTX 30, 40 or 50, and khop's lists are shorter. With 64 KB not even the shortest fit."""
    for kilobytes, engine in ((227, "khop"), (99, "khop"), (83, "khop"), (64, "dobfs")):
        result = on_a_small_device(kilobytes, MESH, sources=sources)
        found = read_json(result.out)
        assert found["summary"]["verified"] == "all"
        assert CHOICE.match(found["note"])[1].removesuffix(" unprepared") == engine
        assert ("khop failed (too little shared memory)" in found["note"]) == (engine == "dobfs")


def test_lists_that_overflow_on_a_small_device():
    for graph, asked in (("kron:10", "k=2"), ("urand:12:3", "index-mb=0")):
        result = on_a_small_device(83, graph, f"--variant khop --set {asked}")
        assert read_json(result.out)["summary"]["verified"] == "all"


def test_an_engine_that_was_asked_for_has_no_substitute():
    result = on_a_small_device(64, MESH, "--set engine=khop")
    assert "no engine can be prepared" not in result.err
    complains(result, "too little shared memory: a block needs ", " bytes, there are 65536", status=3)


def test_only_if_all_engines_fail_the_run_does():
    note = read_json(on_a_small_device(40, MESH, sources="2").out)["note"]
    failed = "khop failed (too little shared memory), dobfs failed (too little shared memory): "
    assert note.startswith("queue for about ") and failed in note
    alone = {**os.environ, "GTRAV_EMULATOR_COOPERATIVE": "0"}
    reason = "GPU: no cooperative launches"
    result = gtrav(command("kron:8", sources="2"), env=alone)
    complains(result, f"no engine can be prepared: dobfs: {reason}", f"; queue: {reason}", status=3)


def test_slices_of_more_vertices_than_few_multiprocessors_have_room_for():
    few = "--set engine=slices"
    assert on_a_small_device(46, "urand:12:1", few).status == 0
    result = on_a_small_device(46, "urand:14:1", few)
    reported = "for 16384 vertices on 1 multiprocessors, a block of bfs slices needs "
    complains(result, reported, "use bfs dobfs", status=3)
    note = read_json(on_a_small_device(46, "urand:14:1", "--set measure=1").out)["note"]
    assert "slices failed (too little shared memory)" in note


def test_short_memory_leaves_nothing_to_measure():
    env = {**os.environ, "GTRAV_EMULATOR_MB": "1"}
    result = read_json(gtrav_ok(command("kron:11", "--set measure=1 --set seed=1"), env=env).out)
    assert CHOICE.match(result["note"])[4] == ""
    assert result["note"].startswith("dobfs for about ")
