"""Claims of the papers: each can be tested, some are computed by hand beside, and the verdicts."""

import csv
import fnmatch
import math
import re
import statistics
from collections import Counter

from evaluation import dataset
from evaluation.analyses import xbfs
from evaluation.claims import claims
from evaluation.claims.listing import COLUMNS, PAPERS, Claim
from evaluation.claims.measures import MOST, SEARCH, Answer, dfs
from evaluation.claims.results import COUNTS, Results
from evaluation.claims.verdicts import (
    CONSISTENT,
    NOT_REPRODUCED,
    NOT_RUN,
    NOT_TESTABLE,
    REPRODUCED,
    STRONGER,
    TREND,
    VERDICTS,
    WITHOUT_NUMBER,
    judge,
)
from evaluation.command import EvaluationError
from evaluation.files import RESULTS
from evaluation.grades import Grade

import pytest

from helpers import ROOT, gtrav_json, gtrav_ok, script
from made_up_records import row as record
from made_up_records import write

H200 = RESULTS / "nvidia-h200"
CPU = RESULTS / "cpu-intel-r-xeon-r-processor"
CLAIMS = claims.read_claims()
LISTING = gtrav_json("--list")
HAS_GPU_CODE = any(a["device"] == "gpu" for a in LISTING)
EMULATED = any(a["emulated"] and a["variant"] == "xbfs" for a in LISTING)
needs_gpu_code = pytest.mark.skipif(not HAS_GPU_CODE, reason="this gtrav knows no GPU algorithms")
needs_emulator = pytest.mark.skipif(not EMULATED, reason="no emulator in this build")


def rows_of(*paths):
    return [row for path in paths for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())]


# ---- the list ----


def test_claims_are_sound():
    assert len(CLAIMS) >= 80
    assert len({claim.claim for claim in CLAIMS}) == len(CLAIMS)
    counts = Counter(claim.paper for claim in CLAIMS)
    assert counts.keys() == PAPERS.keys()
    assert min(counts.values()) >= 10
    for claim in CLAIMS:
        assert claim.id.startswith(f"{claim.paper}-")
        assert re.match(r"abstract|\d", claim.section), claim.id
        assert claim.low <= claim.value <= claim.high
        assert not re.search(r"\s\s|\s$|^\s", claim.claim + claim.note + claim.untestable), claim.id


def test_every_claim_has_a_function_and_every_function_a_claim():
    modules = {module.__name__.rpartition(".")[2]: module for module in claims.MODULES}
    assert sum(len(module.CLAIMS) for module in claims.MODULES) == len(claims.FUNCTIONS)
    for paper, module in modules.items():
        tested = [claim.id for claim in CLAIMS if claim.paper == paper and not claim.untestable]
        assert list(module.CLAIMS) == tested
    assert claims.FUNCTIONS.keys() == claims.sources().keys()


def test_notes_are_of_any_machine():
    """What holds of one belongs into remarks.csv beside its records."""
    for claim in CLAIMS:
        assert not re.search(r"\bhere\b|\bours?\b|H200|Xeon|kron:|urand:|road:|snb:", claim.note), claim.id


def options_of_algorithms():
    """{(family, variant): options}, as --help names them."""
    found = {}
    for line in gtrav_ok("--help").out.splitlines():
        named = re.match(r"  (\w+) ([\w-]+): ([\w-]+)", line)
        if named:
            found.setdefault(named.group(1, 2), set()).add(named[3])
    return found


class Watched(Results):
    """Results that keep which methods and graphs they are asked for."""

    def __init__(self, *words):
        super().__init__(*words)
        self.methods, self.graphs = [], []

    def _rows_of(self, method, below):
        self.methods.append(method)
        return super()._rows_of(method, below)

    def choose(self, numbers, graphs):
        self.graphs.append(graphs)
        return super().choose(numbers, graphs)


@pytest.fixture(scope="module")
def watched():
    """What every claim that can be tested asked for."""
    results = Watched(RESULTS, "nvidia-h200")
    found = {}
    for claim in (claim for claim in CLAIMS if not claim.untestable):
        results.methods, results.graphs = [], []
        claims.ask(results, claim.id)
        found[claim.id] = results.methods, results.graphs
    return found


@needs_gpu_code
def test_claims_name_what_there_is(watched):
    known = {(a["family"], a["variant"]) for a in LISTING}
    peers = {(row["family"], row["peer"]) for row in rows_of(ROOT / "dataset" / "peers.csv")}
    options = options_of_algorithms()
    named = {(name, method[:2]): method for name, (methods, _) in watched.items() for method in methods}
    assert len(named) > len(claims.FUNCTIONS)
    for (claim, (family, variant)), method in named.items():
        if family in ("xbfs", "blest", "balance"):
            continue  # their variants are names of this package
        name = family, variant
        if family == "pairs":
            single = variant.removeprefix("bfs-")
            name = ("msbfs" if single == variant else "bfs", single)
        elif family == "closeness":
            name = "msbfs", variant
        assert name in known | peers, (claim, str(method))
        assert method.options.keys() <= {"reorder", *COUNTS} | options.get(name, set()), (claim, str(method))


def test_claims_name_graphs_that_there_are(watched):
    graphs = {row["graph"] for path in RESULTS.rglob("*_perf.csv") for row in rows_of(path)}
    for path in (ROOT / "dataset").glob("*_*.csv"):
        graphs |= {name for entry in dataset.read_list(path) for name in (entry.name, entry.stand_in)}
    patterns = {
        (name, pattern)
        for name, (_, asked) in watched.items()
        for one in asked
        for pattern in (*one.names, *one.like, one.paper or "*")
    }
    assert len(patterns) > len(claims.FUNCTIONS)
    for name, pattern in patterns:
        assert fnmatch.filter(graphs, pattern), (name, pattern)


# ---- claims beside what is computed by hand ----


@pytest.fixture(scope="module")
def measured():
    return Results(RESULTS, "nvidia-h200")


def test_claims_with_records_have_a_number(measured):
    tested = claims.test_claims(measured, CLAIMS)
    for one in tested:
        assert (one.verdict in WITHOUT_NUMBER) == bool(one.answer.missing), one.claim.id
        if one.verdict not in WITHOUT_NUMBER:
            assert math.isfinite(one.answer.value), one.claim.id
            assert one.answer.numbers and one.answer.mean, one.claim.id
    run = Counter(one.claim.paper for one in tested if one.verdict not in WITHOUT_NUMBER)
    assert min(run[paper] for paper in ("diggerbees", "blest", "ibfs", "warpnet")) >= 10


def best_rows(path, **wanted):
    """{graph: row} of a file: of more sources, then newer."""
    chosen = {}
    for row in sorted(rows_of(path), key=lambda row: (int(row["sources"]), row["date"])):
        options = dict(pair.split("=", 1) for pair in row["options"].split())
        if all(options.get(name.replace("_", "-")) == value for name, value in wanted.items()):
            chosen[row["graph"]] = row
    return chosen


def numbers(path, column="mean_time_ms", **wanted):
    return {graph: float(row[column]) for graph, row in best_rows(path, **wanted).items()}


def ratios(above, below):
    return [above[graph] / below[graph] for graph in above if graph in below]


def by_hand_stealing_road():
    v2, v3 = (numbers(H200 / f"dfs_{name}_perf.csv") for name in ("v2", "v3"))
    return v2["road:21"] / v3["road:21"]


def by_hand_cold_cutoff():
    path = H200 / "sensitivity" / "dfs_v4_perf.csv"
    usual, high = (numbers(path, hot_cutoff="32", cold_cutoff=cold, copies="bulk") for cold in ("64", "128"))
    return 100 * statistics.fmean(1 - ratio for ratio in ratios(usual, high))


def by_hand_balance():
    rows = rows_of(H200 / "balance.csv")
    random, aware = (
        {row["graph"]: float(row["mean_variation"]) for row in rows if row["balance_policy"] == policy}
        for policy in "01"
    )
    return min(ratios(random, aware))


def by_hand_many():
    folder = H200 / "msbfs" / "batches-256" / "nvidia-h200"
    naive, full = (numbers(folder / f"msbfs_{name}_perf.csv") for name in ("blest-naive", "blest"))
    return statistics.geometric_mean(ratios(naive, full))


def by_hand_switch_urand():
    lazy, full = (
        numbers(H200 / "blest" / f"bfs_{name}_perf.csv", reorder="rcm") for name in ("blest-abcd", "blest")
    )
    return lazy["urand:22"] / full["urand:22"]


def by_hand_memory_kron():
    row = best_rows(H200 / "blest" / "bfs_blest_perf.csv", reorder="jaccard:65536", trace="0")["kron:22"]
    n, m = int(row["vertices"]), int(row["edges"])
    vss = int(re.search(r"BVSS: (\d+) VSSs", row["note"])[1])
    bvss = vss * 128 * (4 + 1) + (n // 8 + 1) * 4  # slices of a row and a mask, offsets of slice sets
    return bvss / (4 * (n + 1) + 4 * m)


def by_hand_many_pairs():
    folder = H200 / "msbfs" / "pairs" / "nvidia-h200"
    workgroup, *coalesced = (
        {
            (row["graph"], row["pairs"]): float(row["time_ms"])
            for row in rows_of(folder / f"msbfs_ibfs-{name}_pairs.csv")
            if int(row["pairs"]) >= 1000
        }
        for name in ("workgroup", "coalesced", "bottomup")
    )
    wins = [min(times[key] for times in coalesced) < workgroup[key] for key in workgroup]
    return 100 * sum(wins) / len(wins)


def by_hand_dag():
    kahn, serial = numbers(H200 / "topo_kahn_perf.csv"), numbers(CPU / "dfs_serial_perf.csv")
    return kahn["dag:5000:0.4"] / serial["dag:5000:0.4"]


def by_hand_luxembourg():
    queue, bitmap = (numbers(H200 / f"bfs_{name}_perf.csv") for name in ("queue", "bitmap"))
    return bitmap["luxembourg_osm"] / queue["luxembourg_osm"]


BY_HAND = {
    "diggerbees-stealing-road": by_hand_stealing_road,
    "diggerbees-cold-cutoff": by_hand_cold_cutoff,
    "diggerbees-balance": by_hand_balance,
    "blest-many": by_hand_many,
    "blest-switch-urand": by_hand_switch_urand,
    "blest-memory-kron": by_hand_memory_kron,
    "ibfs-many-pairs": by_hand_many_pairs,
    "warpnet-dag-5000": by_hand_dag,
    "warpnet-luxembourg-bitmap": by_hand_luxembourg,
}


@pytest.mark.parametrize("name", BY_HAND)
def test_functions_give_what_is_computed_by_hand(name, measured):
    assert claims.ask(measured, name).value == pytest.approx(BY_HAND[name](), rel=1e-6)


# ---- claims on XBFS, from records of small graphs ----


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    """What run_xbfs writes, as if a GPU had: times of the emulator say nothing, and are not taken."""
    folder = tmp_path_factory.mktemp("xbfs")
    words = ("--small", "--csv", folder, "--graph", "kron:9", "--graph", "kron:10")
    assert script("scripts/xbfs.py", *words).status == 0
    for path in sorted(folder.rglob("*.csv")):
        path.write_text(path.read_text(encoding="utf-8").replace("emulator", "gpu-x"), encoding="utf-8")
    for path in sorted(folder.glob("*/emulator")):
        path.rename(path.with_name("gpu-x"))
    return folder


@needs_emulator
def test_claims_on_xbfs_can_be_tested(small_run):
    results = Results(small_run)
    for claim in CLAIMS:
        if claim.paper == "xbfs":
            answer = claims.ask(results, claim.id)
            assert answer.missing == "", (claim.id, answer.missing)


@needs_emulator
def test_edges_that_asynchronous_levels_spare(small_run):
    saved = []
    for path in small_run.glob("xbfs-levels/gpu-x/traces/bfs_xbfs_*.csv"):
        checked = Counter()
        for row in rows_of(path):
            name = xbfs.configuration_of("xbfs", dict(pair.split("=", 1) for pair in row["options"].split()))
            checked[name] += int(row["checked"]) if row["mode"] == "bottom-up" else 0
        saved.append(100 * (1 - checked[xbfs.FULL] / checked[xbfs.WB]))
    assert len(saved) == 2
    value = claims.ask(Results(small_run), "xbfs-checks").value
    assert value == pytest.approx(statistics.fmean(saved))


# ---- verdicts ----

SPEEDUP, SHARE, SAVING, VALUE = (Answer({}, no_difference) for no_difference in (1, MOST, 0, None))
TIME = VALUE._replace(less_is_better=True)


@pytest.mark.parametrize(
    ("answer", "paper", "sense", "ours", "verdict"),
    [
        (SPEEDUP, 2, "about", None, NOT_RUN),
        # A size: the number, and its effect in logarithms.
        (SPEEDUP, 2, "about", 1.6, REPRODUCED),
        (SPEEDUP, 2, "about", 2.5, REPRODUCED),
        (SPEEDUP, 2, "about", 2.51, STRONGER),
        (SPEEDUP, 2, "about", 1.59, TREND),
        (SPEEDUP, 2, "about", 1.26, TREND),  # a third of the way: 2 to the power of 1/3 is 1.2599
        (SPEEDUP, 2, "about", 1.259, NOT_REPRODUCED),
        (SPEEDUP, 2, "about", 0.5, NOT_REPRODUCED),
        (SPEEDUP, 1.07, "about", 1.035, REPRODUCED),  # half of the gain: the root of 1.07 is 1.0344
        (SPEEDUP, 1.07, "about", 1.034, TREND),
        (SPEEDUP, 1.07, "about", 1.144, REPRODUCED),  # double: 1.07 squared is 1.1449
        (SPEEDUP, 1.07, "about", 1.146, STRONGER),  # close, but more than twice the gain
        (SPEEDUP, 0.5, "about", 0.4, REPRODUCED),
        (SPEEDUP, 0.5, "about", 0.39, STRONGER),
        (SPEEDUP, 0.5, "about", 0.7, TREND),
        (SPEEDUP, 0.5, "about", 1.1, NOT_REPRODUCED),
        (SPEEDUP, 2, "about", -1, NOT_REPRODUCED),
        (SAVING, 20, "about", 16, REPRODUCED),
        (SAVING, 20, "about", 15.9, TREND),
        (SAVING, 20, "about", 25.1, STRONGER),
        (SAVING, 20, "about", 6.7, TREND),
        (SAVING, 20, "about", 6.6, NOT_REPRODUCED),
        (SAVING, -20, "about", 5, NOT_REPRODUCED),
        # No difference.
        (SPEEDUP, 1, "about", 1.099, REPRODUCED),
        (SPEEDUP, 1, "about", 1.11, TREND),
        (SPEEDUP, 1, "about", 0.8, TREND),
        (SPEEDUP, 1, "about", 1.26, NOT_REPRODUCED),
        (SPEEDUP, 1, "about", -1, NOT_REPRODUCED),
        (SAVING, 0, "about", -10, REPRODUCED),
        (SAVING, 0, "about", 25, TREND),
        (SAVING, 0, "about", 26, NOT_REPRODUCED),
        # Bounds.
        (SPEEDUP, 2, "at least", 9, REPRODUCED),
        (SPEEDUP, 2, "at least", 1.6, REPRODUCED),
        (SPEEDUP, 2, "at least", 1.59, TREND),
        (SPEEDUP, 2, "at least", 1.25, NOT_REPRODUCED),
        (SPEEDUP, 1.13, "at least", 1.06, TREND),  # close, but less than half of the gain
        (SPEEDUP, 1.12, "at most", 0.9, REPRODUCED),
        (SPEEDUP, 1.12, "at most", 1.25, REPRODUCED),
        (SPEEDUP, 1.12, "at most", 1.26, TREND),
        (SPEEDUP, 1.12, "at most", 1.404, TREND),  # three times the gain: 1.12 to the power of 3 is 1.4049
        (SPEEDUP, 1.12, "at most", 1.41, NOT_REPRODUCED),
        # Directions.
        (SPEEDUP, 2, "direction", 1.03, REPRODUCED),
        (SPEEDUP, 2, "direction", 1.01, NOT_REPRODUCED),  # noise
        (SPEEDUP, 2, "direction", 0.9, NOT_REPRODUCED),
        (SAVING, 9, "direction", 2.1, REPRODUCED),
        (SAVING, 9, "direction", 1.9, NOT_REPRODUCED),
        # Shares of graphs.
        (SHARE, 100, "at least", 100, REPRODUCED),
        (SHARE, 100, "at least", 95, TREND),
        (SHARE, 100, "at least", 50, NOT_REPRODUCED),
        (SHARE, 50, "at least", 51, REPRODUCED),
        (SHARE, 50, "at least", 50, NOT_REPRODUCED),
        (SHARE, 50, "at least", 45, NOT_REPRODUCED),
        (SHARE, 60, "about", 48, REPRODUCED),
        (SHARE, 60, "about", 47, TREND),
        # Numbers by themselves.
        (VALUE, 100, "about", 125, REPRODUCED),
        (VALUE, 100, "about", 126, TREND),
        (VALUE, 100, "about", 200, TREND),
        (VALUE, 100, "about", 201, NOT_REPRODUCED),
        (VALUE, 100, "at most", 1, REPRODUCED),
        (VALUE, 0, "about", 0, REPRODUCED),
        (VALUE, 0, "about", 1, NOT_REPRODUCED),
        (TIME, 100, "about", 80, REPRODUCED),
        (TIME, 100, "about", 79, STRONGER),
        (TIME, 100, "about", 126, TREND),
        (TIME, 100, "about", 201, NOT_REPRODUCED),
        (VALUE._replace(less_is_better=False), 100, "about", 126, STRONGER),
    ],
)
def test_verdicts(answer, paper, sense, ours, verdict):
    assert judge(answer._replace(value=ours), made_up(paper, sense)) == verdict


def test_what_is_reproduced_needs_graphs_like_the_papers():
    claim, ours = made_up(2, "about"), SPEEDUP._replace(value=2)
    verdicts = {grade: judge(ours, claim, grade) for grade in (*Grade, None)}
    assert [verdicts[grade] for grade in sorted(Grade)] == [CONSISTENT] * 2 + [REPRODUCED] * 3
    assert verdicts[None] == REPRODUCED  # about no graph
    for value, verdict in {3: STRONGER, 1.5: TREND, 1: NOT_REPRODUCED}.items():
        assert judge(SPEEDUP._replace(value=value), claim, Grade.OTHER) == verdict


def made_up(paper, sense, **more):
    low, high = paper if isinstance(paper, tuple) else (paper, paper)
    return Claim("x", "blest", "1", "what", low, high, sense=sense, **more)


@pytest.mark.parametrize(("answer", "paper"), [(SPEEDUP, 1), (VALUE, 2)])
def test_what_has_no_direction(answer, paper):
    with pytest.raises(EvaluationError, match="x: sense: its number has no direction"):
        judge(answer._replace(value=3), made_up(paper, "direction"))


def test_a_range_is_held_against_its_nearer_end():
    claim = made_up((4, 5), "about")
    assert [claim.nearest(ours) for ours in (3, 4.4, 6, None)] == [4, 4.4, 5, 4.5]
    expected = {3.19: TREND, 3.2: REPRODUCED, 4.4: REPRODUCED, 6.25: REPRODUCED, 6.26: STRONGER}
    for ours, verdict in expected.items():
        assert judge(SPEEDUP._replace(value=ours), claim) == verdict, ours


def test_what_cannot_be_tested_is_not():
    claim = made_up(2, "about", untestable="it takes another GPU")
    assert judge(SPEEDUP, claim) == NOT_TESTABLE
    assert claims.ask(None, "blest-on-a-machine-of-1960").missing


# ---- modes, grades and provisos ----


def records_of(folder, *rows):
    write(folder, rows)
    return Results(folder)


def outcome(results, name="diggerbees-stacks", **changes):
    (claim,) = (claim for claim in CLAIMS if claim.id == name)
    return claims.test_claims(results, [claim._replace(**changes)])[0]


def told(one):
    return one.answer.value, one.best, one.provisos


def test_rows_of_the_papers_mode_count_first(tmp_path):
    best = [record("kron:10", "v1", 6, options="mode=best"), record("kron:10", "v2", 2, options="mode=best")]
    three = pytest.approx(3)
    assert told(outcome(records_of(tmp_path / "a", *best))) == (three, None, ("best mode",))
    paper = [
        record("kron:10", "v1", 8, options="mode=paper"),
        record("kron:10", "v2", 4, options="mode=paper"),
    ]
    both = records_of(tmp_path / "b", *best, *paper)
    assert told(outcome(both)) == (pytest.approx(2), three, ())
    assert claims.ask(both, "diggerbees-stacks").value == three  # tables and plots are of the best modes
    half = outcome(records_of(tmp_path / "c", *best, paper[0]))
    assert told(half) == (pytest.approx(4), three, ("best mode",))


def test_rows_that_know_no_mode_are_of_the_best(tmp_path):
    old = records_of(tmp_path, record("kron:10", "v1", 6), record("kron:10", "v2", 2))
    assert told(outcome(old)) == (pytest.approx(3), None, ())


def test_a_method_that_names_its_mode_gets_that(tmp_path):
    rows = [record("kron:10", "v4", ms, options=f"mode={mode}") for mode, ms in (("best", 2), ("paper", 5))]
    results = records_of(tmp_path, *rows)
    for asked in (results, results.with_mode("paper")):
        for mode, ms in (("best", 2), ("paper", 5)):
            assert list(asked.numbers(dfs("v4", mode=mode), SEARCH).values()) == [ms]
    assert list(results.with_mode("paper").numbers(dfs("v4"), SEARCH).values()) == [5]


def test_baselines_that_are_ours(tmp_path):
    results = records_of(tmp_path, record("kron:10", "v1", 6), record("kron:10", "v2", 2))
    assert outcome(results, baseline="own").provisos == ("own baseline",)
    assert outcome(results, baseline="gunrock").provisos == ("own baseline",)
    assert outcome(results, baseline="none").told == outcome(results).verdict
    write(tmp_path, [record("kron:10", "gunrock", 2, family="bfs")])
    assert outcome(Results(tmp_path), baseline="gunrock").provisos == ()


def test_grades_of_graphs_of_a_mean(tmp_path):
    """The grade that at least half of them have."""
    rows = [
        record(graph, name, ms)
        for graph in ("kron:10", "luxembourg_osm")
        for name, ms in (("v1", 6), ("v2", 2))
    ]
    assert outcome(records_of(tmp_path / "a", *rows)).grade == Grade.SAME_GRAPH
    more = [record("kron:11", name, ms) for name, ms in (("v1", 6), ("v2", 2))]
    assert outcome(records_of(tmp_path / "b", *rows, *more)).grade < Grade.SAME_GRAPH
    assert claims.graded(Results(tmp_path / "a"), "diggerbees", Answer({})) is None


# ---- lists that are wrong ----

GOOD = dict.fromkeys(COLUMNS, "") | {"id": "blest-gap", "section": "1", "claim": "what", "value": "2"}
GOOD |= {"unit": "x", "sense": "at least", "baseline": "none"}


def write_claims(folder, *rows, name="blest.csv"):
    with open(folder / name, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return folder


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"id": ""}, "id is empty"),
        ({"baseline": ""}, "baseline is empty"),
        ({"sense": "roughly"}, "'roughly' is none of"),
        ({"baseline": "theirs"}, "'theirs' is none of none, own, .*gunrock"),
        ({"value": "many"}, "'many' is not a number"),
        ({"value": "nan"}, "'nan' is not a number"),
        ({"value": "1-"}, "'1-' is not a number"),
        ({"value": "2-1"}, "'2-1' ends below its start"),
        ({"id": "blest-luck"}, "id: no function tests blest-luck"),
        ({"untestable": "why"}, "id: a function tests what cannot be tested: blest-gap"),
    ],
)
def test_lists_of_claims_that_are_none(change, word, tmp_path):
    write_claims(tmp_path, {**GOOD, **change})
    with pytest.raises(EvaluationError, match=f"blest.csv: line 2: .*{word}"):
        claims.read_claims(tmp_path)


def test_values_of_claims(tmp_path):
    for value, ends in {
        "2": (2, 2),
        "-2.5": (-2.5, -2.5),
        "1.67-1.82": (1.67, 1.82),
        "-3--1": (-3, -1),
    }.items():
        (claim,) = claims.read_claims(write_claims(tmp_path, {**GOOD, "value": value}))
        assert (claim.low, claim.high, claim.paper) == (*ends, "blest")
    away = {**GOOD, "id": "blest-a100", "untestable": "it takes another GPU"}
    assert claims.read_claims(write_claims(tmp_path, away))[0].untestable == away["untestable"]


def test_folders_that_have_no_claims(tmp_path):
    with pytest.raises(EvaluationError, match="cannot read .*: there is no file of claims"):
        claims.read_claims(tmp_path)
    write_claims(tmp_path)
    with pytest.raises(EvaluationError, match="blest.csv: no claim in it"):
        claims.read_claims(tmp_path)
    write_claims(tmp_path, GOOD, name="bible.csv")
    with pytest.raises(EvaluationError, match="bible.csv: its name is none of diggerbees, blest"):
        claims.read_claims(tmp_path)


def test_the_same_claim_twice_is_none(tmp_path):
    write_claims(tmp_path, GOOD, GOOD)
    with pytest.raises(EvaluationError, match="line 3: id: blest-gap is there already"):
        claims.read_claims(tmp_path)


# ---- the command line ----


def test_the_script_tells_a_line_a_claim():
    told = script("scripts/claims.py", "--device", "nvidia-h200")
    assert told.status == 0, told.err
    *lines, total = told.out.splitlines()
    assert [claim.id for claim in CLAIMS] == [re.split(r"\s{2,}", line)[1] for line in lines]
    counted = Counter(re.split(r"\s{2,}", line)[0] for line in lines)
    assert total == ", ".join(f"{verdict} {counted[verdict]}" for verdict in VERDICTS)


def test_the_script_tells_a_claim_graph_by_graph():
    told = script("scripts/claims.py", "warpnet-dag-5000", "ibfs-crossover")
    assert told.status == 0, told.err
    first, second, *_, last = told.out.splitlines()
    assert first.split() == [f"{by_hand_dag():.4g}", "dag:5000:0.4"]
    told = f"26.3 x, ours {by_hand_dag():.4g} of 1, same generator and size"
    assert re.split(r"\s{2,}", second)[1:] == ["warpnet-dag-5000", told]
    assert re.split(r"\s{2,}", last)[1] == "ibfs-crossover"
    failed = script("scripts/claims.py", "blest-luck")
    assert (failed.status, failed.out) == (2, "")
    assert re.fullmatch(r"claims: no claim 'blest-luck' in .*claims\n", failed.err)
