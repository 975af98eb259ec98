"""`dfs auto` on the emulator: which engine it takes, on the GPU or the CPU, and what it says about that.

On the emulator, the candidate whose number is the seed modulo the number of candidates has the shortest
searches; number 0 is the model's choice."""

import pytest

from helpers import gtrav_json, gtrav_ok, read_json

ANY = [a for a in gtrav_json("--list dfs") if a["emulated"] and a["variant"] == "auto"]
pytestmark = pytest.mark.skipif(not ANY, reason="no emulator in this build")


def run(graph, words="", sources=20):
    asked = f"dfs {graph} --variant auto --verify all --quiet --json --sources {sources} {words}"
    result = read_json(gtrav_ok(asked).out)
    facts, clock = (result["facts"], [trial["reset_ms"] > 0 for trial in result["trials"]])  # the CPU's has resets
    assert result["summary"]["verified"] == "all"
    assert result["note"].startswith(facts["engine"])
    assert facts["on"] == ("gpu" if facts["engine"] == "handoff" else "cpu")
    assert all(clock) if facts["engine"] in ("acr", "ckl") else facts["on"] == "cpu" or not any(clock)
    return result


def chosen(*arguments, **options):
    return run(*arguments, **options)["facts"]["engine"]


@pytest.mark.parametrize(
    ("graph", "engines"),
    [
        ("kron:10", "handoff acr ckl"),
        ("grid:30x30", "serial handoff acr ckl"),
        ("dag:300:0.01", "serial acr ckl"),  # six vertices
    ],
)
def test_the_model_s_choice_and_what_may_be_faster_are_measured(graph, engines):
    first, *others = engines.split()
    result = run(graph)
    assert result["facts"]["engine"] == first
    assert "; measured 2 ms " in result["note"]
    assert all(f"{other} " in result["note"].partition("; measured ")[2] for other in others)
    assert chosen(graph, "--set seed=1") == others[0]


def test_few_sources_are_left_to_the_model():
    for graph, engine in (("kron:10", "handoff"), ("path:3000", "serial")):
        for seed in range(3):
            result = run(graph, f"--set seed={seed}", sources=15)
            assert result["facts"] == {"engine": engine, "on": "gpu" if engine == "handoff" else "cpu"}
            assert "measured" not in result["note"]


def test_who_names_the_device_gets_the_gpu():
    result = run("path:3000", "--device cpu-emulator", sources=2)
    assert result["algorithm"]["options"]["engine"] == "handoff"
    assert result["facts"] == {"engine": "handoff", "on": "gpu"}
    for engine in ("acr", "ckl", "serial"):
        named = run("path:300", f"--device cpu-emulator --set engine={engine}", sources=2)
        assert named["facts"] == {"engine": engine, "on": "cpu"}
        assert named["note"] == f"{engine} as asked for"


def test_parents_come_from_engines_that_give_them():
    for seed in range(4):
        result = run("kron:8", f"--output-parents --set measure=1 --set seed={seed}")
        assert result["facts"]["engine"] in ("handoff", "serial")
        assert all(trial["tree_depth"] > 0 for trial in result["trials"])
    assert " (ckl gives no parents) for " in run("kron:8", "--output-parents --set engine=ckl")["note"]
