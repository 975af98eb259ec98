"""Blest's evaluation: what its tables and figures make of records and traces, and the whole of run_blest."""

import plotting
from evaluation.analyses import blest
from evaluation.files import RecordsError

import pytest

import made_up_records
from helpers import GTRAV, graph_row, gtrav_json, gtrav_ok, rows_of, run_mode, script, write_list
from labels import words_of
from made_up import algorithm, make_up
from made_up_records import GPU, HOST, write

EMULATED = [a["variant"] for a in gtrav_json("--list") if a["emulated"] and a["family"] == "bfs"]
needs_emulator = pytest.mark.skipif("blest" not in EMULATED, reason="no emulator in this build")
NOTE = "BVSS: {vss} VSSs of 12345 slices, compression ratio {ratio}, update divergence {divergence}{more}"


def note(more="", vss=10, ratio="0.250", divergence=30000):
    return NOTE.format(vss=vss, ratio=ratio, divergence=divergence, more=more)


@pytest.mark.parametrize(
    ("more", "lazy", "switching"),
    [
        ("", False, False),
        (", eager", False, False),
        (", lazy", True, False),
        (", eager, not switching", False, False),
        (", lazy, not switching", True, False),
        (", lazy, switching", True, True),
    ],
)
def test_notes(more, lazy, switching):
    assert blest.read_note({"note": note(more)}) == (10, None, 0.25, 30000, lazy, switching)
    tiled = note(more).replace("slices", "slices in 77 tiles")
    assert blest.read_note({"note": tiled}) == (10, 77, 0.25, 30000, lazy, switching)


@pytest.mark.parametrize("row", [None, {}, {"note": ""}, {"note": "1"}, {"note": note(", hasty")}])
def test_other_notes(row):
    assert blest.read_note(row) is None


@needs_emulator
def test_notes_as_they_are_written():
    variants = [variant for variant in blest.ABLATION if variant in EMULATED]
    run = ("--algo", "bfs", "--variant", ",".join(variants), "--graph", "kron:8", "--sources", "1")
    for setting in ("lazy-above=0", "lazy-above=99999", "switch=always"):
        found = gtrav_json(*run, "--device", "cpu-emulator", "--quiet", "--set", setting)
        assert len(found) == len(variants) == 5
        for result in found:
            known = blest.read_note(result)
            assert known.num_vss > 0 and 0 < known.compression_ratio <= 1
        assert known.lazy == (setting != "lazy-above=99999")


@needs_emulator
def test_tails_without_padding_are_reported():
    """urand:9:20 is scale-free-like only by the authors' rule: more than 18 edges a vertex."""
    run = (
        "bfs",
        "urand:9:20",
        "--variant",
        "blest-abc",
        "--device",
        "cpu-emulator",
        "--sources",
        "1",
        "--quiet",
    )
    best, paper = (gtrav_json(*run, "--set", f"mode={mode}", "--verify", "all") for mode in ("best", "paper"))
    assert blest.read_note(best).num_tiles is None and best["reorder"]["name"] == "rcm"
    assert paper["reorder"]["name"] == "jaccard:65536"
    known = blest.read_note(paper)
    assert 0 < known.num_tiles < 32 * known.num_vss
    assert blest.bvss_bytes(known.num_vss, known.num_tiles, 512) < blest.bvss_bytes(known.num_vss, None, 512)


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


def of_variants(graph, own, useful, device, **sizes):
    """Rows of every variant, in its own order and others; useful: lazy updates and switching."""
    rows = []

    def add(variant, ms, order="natural", more="", **values):
        divergence = {"natural": 900, blest.RCM: 7}.get(order, 40000)
        known = {"note": note(more, divergence=divergence), "device": device, **sizes, **values}
        rows.append(row(graph, variant, ms, order, **known))

    lazy, switching = (", lazy", ", switching") if useful else (", eager", ", not switching")
    add("gap", 80, device=HOST, note="")
    add("queue", 20, note="")
    add("berrybees", 16)
    add("blest-a", 10)
    add("blest-ab", 8)
    add("blest-ab", 12, settings="eta=10 trace=0 unit=cuda")
    add("blest-abc", 4, own)
    add("blest-abcd", 2, own, lazy)
    memory = {"device_bytes": "9000000", "peak_device_bytes": "12000000"}
    times = {"load_ms": "5", "reorder_ms": "6.5", "build_ms": "0.5"}
    add("blest", 1, own, lazy + switching, mean_tree_depth="7.000", **memory, **times)
    for order in (blest.RANDOM, blest.RCM, blest.JACCARD):
        add("blest-ab", 32, order)
    add("blest", 30, blest.RANDOM, lazy + switching)
    add("blest", 0.1, own, lazy + switching, settings="eta=10 trace=1")  # which is no time
    return rows


def measured(device=GPU):
    """A graph on which everything is of use, and one on which neither lazy updates nor switching are."""
    road = of_variants("road", blest.RCM, False, device, vertices="1001", edges="2000")
    known = {"note": note(), "device": device, "edges": "2000", "reorder_ms": "9"}
    windows = [row("road", "blest-abcd", 3, f"jaccard:{width}", **known) for width in (256, 1024)]
    return [*of_variants("web", blest.JACCARD, True, device, vertices="800", edges="5000"), *road, *windows]


def body(table):
    return {line[0]: line[1:] for line in table[1]}


def test_tables_of_little():
    """Whatever is missing, the rest is told."""
    for rows in ([], [row("g", "serial", 1)], [row("g", "blest", 1)], measured()[:5]):
        evaluation = blest.Evaluation(rows)
        for _, make in blest.TABLES.values():
            header, lines = make(evaluation)
            assert all(len(line) == len(header) for line in lines)


def test_what_run_blest_measures_in_the_papers_settings_alone(tmp_path):
    """Random orders, windows and CUDA cores; the best modes have tables of their own."""

    def in_mode(mode, variant, ms, order="natural", **settings):
        words = (f"{name}={value}" for name, value in settings.items())
        return row(
            "web", variant, ms, order, note=note(), settings=" ".join([f"mode={mode}", *words]), edges="5000"
        )

    both = [in_mode(mode, "blest-abc", ms, blest.JACCARD) for mode, ms in (("best", 1), ("paper", 4))]
    both += [in_mode("best", "blest-ab", 2), in_mode("paper", "blest-ab", 6)]
    in_paper = [in_mode("paper", "blest-ab", 32, blest.RANDOM), in_mode("paper", "blest-ab", 7, unit="cuda")]
    in_paper += [in_mode("paper", "blest-abcd", 3, f"jaccard:{width}") for width in (8, 64)]
    best, paper = blest.evaluations([*both, *in_paper])
    assert blest.random_order(best)[1] == blest.units(best)[1] == [] and not blest.windows(best, "web")
    assert body(blest.random_order(paper)) == {"web": [32.0, 4.0, None, None]}
    assert body(blest.units(paper))["web"][:2] == [6.0, 7.0]
    assert list(blest.windows(paper, "web")) == [8, 64]
    write(tmp_path, [*both, *in_paper])
    assert script("scripts/merge_results.py", tmp_path).status == 0
    assert script("scripts/tables.py", "blest", "--merged", tmp_path / "merged").status == 0
    (first,) = rows_of(tmp_path / "merged" / "blest_table_5.csv")[:1]
    assert list(first.values())[:3] == ["web", "32.0", "4.0"]
    nothing = script("scripts/tables.py", "blest", "--merged", tmp_path / "nowhere")
    assert (nothing.status, "no merged table of bfs" in nothing.err) == (2, True)


# ---- figures ----

RUNS = {
    "switch=never": [("top-down", 1), ("top-down", 8), ("top-down", 4), ("top-down", 1)],
    "switch=auto": [("top-down", 1), ("bottom-up", 2), ("top-down", 4), ("top-down", 1)],
    "switch=always eta=4294967295": [("bottom-up", 5), ("bottom-up", 2), ("bottom-up", 3), ("bottom-up", 2)],
}


def write_trace(folder, device=GPU, graph="web", runs=None):
    path = folder / device / "traces" / f"bfs_blest_{graph}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["options,source,level,frontier,mode,ms"]
    for run, levels in (RUNS if runs is None else runs).items():
        options = f"{run} trace=1 reorder=rcm" if "eta" in run else f"{run} eta=10 trace=1"
        for source, scale in ((5, 1), (5, 2), (9, 1)):  # 5 twice: the later one stays
            lines += [
                f"{options},{source},{level},7,{mode},{ms * scale}"
                for level, (mode, ms) in enumerate(levels, 1)
            ]
    path.write_text("\n".join([*lines, ""]))
    return path


def test_traces_against_the_oracle(tmp_path):
    compared = blest.compare(blest.read_trace(write_trace(tmp_path)))
    assert set(compared) == {"5", "9"}
    assert [level.ms for level in compared["9"]["Optimal"]] == [1, 2, 3, 1]
    assert [level.ms for level in compared["5"]["Optimal"]] == [2, 4, 6, 2]
    assert blest.misclassified(compared) == 1 / 4
    assert blest.speedup_of_optimal(compared) == 8 / 7
    two = dict(list(RUNS.items())[:2])
    assert blest.compare(blest.read_trace(write_trace(tmp_path, runs=two))) == {}


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


def test_figures(tmp_path):
    """Both are of times: not of the emulator's."""
    write(tmp_path, measured("emulator"))
    write_trace(tmp_path, "emulator")
    assert script("scripts/merge_results.py", tmp_path).status == 0
    for figure in ("blest_4", "blest_5"):
        with pytest.raises(plotting.NothingToDraw):
            words_of(figure, tmp_path)
    write(tmp_path, measured())
    for graph in ("web", "other"):
        write_trace(tmp_path, graph=graph)
    assert script("scripts/merge_results.py", tmp_path).status == 0
    five = words_of("blest_5", tmp_path)
    assert "GPU nvidia-h200" in five and "web: misclassified\n25%, optimal 1.14x" in five
    four = words_of("blest_4", tmp_path).split("\n")
    assert {"road", "compression ratio", "reordering (ms)"} <= set(four)
    assert "web" not in four  # it has one width


# ---- the mode ----

MADE_UP = [algorithm("bfs", variant) for variant in ("queue", "berrybees", *blest.ABLATION)]


def run_blest(tmp_path, program, *more):
    rows = [graph_row("kron:8", "", "scale-free, shallow"), graph_row("grid:6x6", "", "mesh")]
    words = ("--list", write_list(tmp_path / "list.csv", rows), "--", "--sources", "2", *more)
    return run_mode(tmp_path, "run_blest", *words, program=program)


@pytest.mark.slow
def test_run_blest_on_a_gpu(tmp_path):
    program, log = make_up(tmp_path, MADE_UP)
    result = run_blest(tmp_path, program)
    assert result.status == 0, result.err
    runs = log.read_text().splitlines()
    assert len(runs) == 2 * 2 + 1 + 3 + 2 + 2
    assert any("--variant blest-ab --graph kron:8" in run and "--reorder random" in run for run in runs)
    assert sum("--set unit=cuda" in run for run in runs) == 2
    traces = [run.partition("--set trace=1 --set ")[2] for run in runs if "trace=1" in run]
    words = ["switch=never", "switch=auto", "switch=always --set eta=4294967295"]
    assert traces == [f"{word} --sources 2" for word in words]
    assert not any("cpu-emulator" in run or "lazy-above" in run for run in runs)
    assert "left out, they cannot run on this machine: bfs bitmap" in result.err
    assert (tmp_path / "results" / "merged" / "blest_table_2.md").is_file()


@pytest.mark.slow
@needs_emulator
def test_run_blest_on_the_emulator(tmp_path):
    listing = gtrav_json("--list")
    if any(a["available"] for a in listing if a["device"] == "gpu"):
        pytest.skip("there is a GPU")
    result = run_blest(tmp_path, GTRAV, "--verify", "all")
    assert result.status == 0, result.err
    rows = rows_of(tmp_path / "results" / "emulator" / "bfs_blest_perf.csv")
    assert {row["graph"] for row in rows} == {"kron:8", "grid:6x6"}
    assert not (tmp_path / "results" / "merged").exists() and not (tmp_path / "figures").exists()
