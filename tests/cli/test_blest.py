"""Blest's evaluation: what its tables and figures make of records and traces, and the whole of run_blest."""

import json

from evaluation.analyses import blest
from evaluation.comparison import search_ms
from evaluation.files import RecordsError
from evaluation.numbers.blest import AB
from evaluation.numbers.compare import COMPRESSION, DIVERGENCE
from evaluation.results import Results

import pytest

import made_up_records
from helpers import GTRAV, gtrav_json, gtrav_ok, ok, rows_of, run_mode
from made_up import algorithm, graph_row, make_up, write_list
from made_up_records import GPU, write

EMULATED = [a["variant"] for a in gtrav_json("--list") if a["emulated"] and a["family"] == "bfs"]
needs_emulator = pytest.mark.skipif("blest" not in EMULATED, reason="no emulator in this build")
BVSS = {"num_vss": 10, "slices": 12345, "compression_ratio": 0.25, "update_divergence": 40000.25}
BVSS["authors_divergence"] = 30000.25


def facts(**more):
    return json.dumps({**BVSS, **more})


def bvss_of(result):
    """Of a run as --json has it."""
    return blest.bvss_of({"facts": json.dumps(result["facts"])})


OTHERS = ("", "{}", '{"num_vss": 1}', facts(engine="blest"), facts(kappa=64))


@pytest.mark.parametrize("row", [None, {}, {"facts": float("nan")}, *({"facts": text} for text in OTHERS)])
def test_other_facts(row):
    assert blest.bvss_of(row) is None


@pytest.mark.parametrize("text", ["{", "1", "a sentence"])
def test_damaged_facts(text):
    with pytest.raises(RecordsError, match="web, blest: not an object of JSON: "):
        blest.bvss_of({"graph": "web", "variant": "blest", "facts": text})


@needs_emulator
def test_facts_as_they_are_written():
    variants = [variant for variant in blest.ABLATION if variant in EMULATED]
    run = ("--algo", "bfs", "--variant", ",".join(variants), "--graph", "kron:8", "--sources", "1")
    for setting in ("lazy-above=0", "lazy-above=99999", "switch=always"):
        found = gtrav_json(*run, "--device", "cpu-emulator", "--quiet", "--set", setting)
        assert len(found) == len(variants) == 5
        for result in found:
            known = bvss_of(result)
            assert known["num_vss"] > 0 and 0 < known["compression_ratio"] <= 1 and known["authors_divergence"] > 0
        assert (known["updates"] == "lazy") == (setting != "lazy-above=99999")


@needs_emulator
def test_tails_without_padding_are_reported():
    """urand:9:20 is scale-free-like only by the authors' rule: more than 18 edges a vertex."""
    run = "bfs urand:9:20 --variant blest-abc --device cpu-emulator --sources 1 --quiet --verify all"
    best, paper = (gtrav_json(run, "--set", f"mode={mode}") for mode in ("best", "paper"))
    assert "num_tiles" not in bvss_of(best) and best["reorder"]["name"] == "rcm"
    assert paper["reorder"]["name"] == "jaccard:65536"
    num_vss, num_tiles = (bvss_of(paper)[name] for name in ("num_vss", "num_tiles"))
    assert 0 < num_tiles < 32 * num_vss
    assert blest.bvss_bytes(num_vss, num_tiles, 512) < blest.bvss_bytes(num_vss, None, 512)


@needs_emulator
@pytest.mark.parametrize("mode", ["best", "paper"])
@pytest.mark.parametrize("unit", ["tensor", "cuda"])
def test_lazy_levels_in_both_directions(mode, unit):
    """The conformance test sets one option at a time, and by default small graphs have no such levels."""
    for graph in ("kron:7:4", "star:400", "path:33"):
        for eta in ("10", "4294967295"):
            settings = (f"mode={mode}", f"unit={unit}", "switch=always", f"eta={eta}")
            words = [word for setting in settings for word in ("--set", setting)]
            run = ("bfs", graph, "--variant", "blest", "--device", "cpu-emulator", "--sources", "2")
            gtrav_ok(*run, *words, "--verify", "all", "--quiet")


# ---- tables ----


def row(graph, variant, ms, order="natural", device=GPU, settings="eta=10 trace=0", **values):
    options = settings if order == "natural" else f"{settings} reorder={order}"
    known = {"family": "bfs", "options": options, "mean_tree_depth": "", **values}
    return made_up_records.row(graph, variant, ms, device, **known)


def test_tables_of_little(tmp_path):
    """Whatever is missing, the rest is told."""
    for variant in ("serial", "blest", "blest-ab"):
        write(tmp_path / variant, [row("g", variant, 1)])
        for make in (blest.ablation, blest.preprocessing, blest.memory):
            header, lines = make(Results.read(tmp_path / variant))
            assert all(len(line) == len(header) for line in lines)


def test_what_run_blest_measures_in_the_papers_settings_alone(tmp_path):
    """Windows; a step on CUDA cores is another program, and does not stand for the step."""

    def in_mode(mode, variant, ms, order="natural", **settings):
        words = (f"{name}={value}" for name, value in settings.items())
        known = {"facts": facts(), "settings": " ".join([f"mode={mode}", *words]), "edges": "5000"}
        return row("web", variant, ms, order, **known)

    both = [in_mode(mode, "blest-abc", ms, blest.JACCARD) for mode, ms in (("best", 1), ("paper", 4))]
    both += [in_mode("best", "blest-ab", 2), in_mode("paper", "blest-ab", 6)]
    in_paper = [in_mode("paper", "blest-ab", 7, unit="cuda")]
    in_paper += [in_mode("paper", "blest-abcd", 3, f"jaccard:{width}") for width in (8, 64)]
    write(tmp_path, [*both, *in_paper])
    best, paper = (Results.read(tmp_path).with_mode(mode, instead=False) for mode in ("best", "paper"))
    assert not blest.windows(best) and list(blest.windows(paper)["web"]) == [8, 64]
    assert [search_ms(row) for row in paper.best_rows(AB).values()] == [6]


# ---- figures ----


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("options,source,level\nx,1,1\n", "line 1: no column mode"),
        ("options,source,level,mode,ms\nswitch=auto eta=1,1,2,x,1\n", "not the levels of traversals"),
        ("options,source,level,mode,ms\nswitch=auto,1,1,x,1\n", "not the levels of traversals"),
        ("options,source,level,mode,ms\nswitch=auto eta=1,1,1,m,x\n", "line 2: ms: 'x' is not a number"),
    ],
)
def test_damaged_traces(text, reason, tmp_path):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(RecordsError, match=f"t.csv: {reason}"):
        blest.read_trace(tmp_path / "t.csv")


# ---- the mode ----

MADE_UP = [algorithm("bfs", variant) for variant in ("queue", "berrybees", *blest.ABLATION)]


def run_blest(tmp_path, program, *more):
    rows = [graph_row("kron:8", "", "scale-free, shallow"), graph_row("grid:6x6", "", "mesh")]
    words = ("--list", write_list(tmp_path / "list.csv", rows), "--", "--sources", "2", *more)
    return run_mode(tmp_path, "run_blest", *words, program=program)


@pytest.mark.slow
def test_run_blest_on_a_gpu(tmp_path):
    program, log = make_up(tmp_path, MADE_UP)
    result = ok(run_blest(tmp_path, program))
    runs = log.read_text().splitlines()
    assert len(runs) == 2 * 2 + 1 + 3 + 2
    (shuffled,) = (run for run in runs if "--reorder random" in run)
    assert "--graph kron:8" in shuffled and "--variant blest-ab --" in shuffled
    traces = [run.partition("--profile --set ")[2] for run in runs if "--profile" in run]
    words = ["switch=never", "switch=auto", "switch=always --set eta=4294967295"]
    assert traces == [f"{word} --sources 2" for word in words]
    assert not any("cpu-emulator" in run or "lazy-above" in run for run in runs)
    assert "left out, they cannot run on this machine: bfs bitmap" in result.err


@pytest.mark.slow
@needs_emulator
def test_run_blest_on_the_emulator(tmp_path):
    listing = gtrav_json("--list")
    if any(a["available"] for a in listing if a["device"] == "gpu"):
        pytest.skip("there is a GPU")
    ok(run_blest(tmp_path, GTRAV, "--verify", "all"))
    rows = rows_of(tmp_path / "results" / "emulator" / "bfs_blest_perf.csv")
    assert {row["graph"] for row in rows} == {"kron:8", "grid:6x6"}
    assert not (tmp_path / "figures").exists()


def test_metrics_of_a_bvss_are_columns_of_its_rows():
    assert {DIVERGENCE.column, COMPRESSION.column} <= BVSS.keys()
    assert [metric.of({"facts": facts()}) for metric in (DIVERGENCE, COMPRESSION)] == [30000, 0.25]
