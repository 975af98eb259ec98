"""Verdicts on claims: every rule at its edges, modes of variants, grades of graphs and baselines."""

from evaluation.claims import claims
from evaluation.claims.listing import PAPERS, Claim
from evaluation.claims.verdicts import (
    NOT_RUN,
    NOT_TESTABLE,
    REPRODUCED,
    STRONGER,
    TREND,
    judge,
)
from evaluation.command import EvaluationError
from evaluation.graphs import Grade
from evaluation.numbers.compare import MOST, SEARCH, Answer, dfs, geomean, least, speedup
from evaluation.results import Results

import pytest

from made_up_records import row as record
from made_up_records import write

CLAIMS = {claim.id: claim for claim in claims.read_claims()}

# ---- verdicts ----

SPEEDUP, SHARE, SAVING, VALUE = (Answer({}, no_difference) for no_difference in (1, MOST, 0, None))
TIME = VALUE._replace(less_is_better=True, of_hardware=True)


# Of a claim the numbers of ours at the edges of each verdict.
RULES = [
    # A size: the number, and its effect in logarithms. A third of 2 is its third root, 1.2599.
    (SPEEDUP, 2, "about", "-1 0.5 1.259: not reproduced; 1.26 1.59: same trend"),
    (SPEEDUP, 2, "about", "1.6 2.5: reproduced; 2.51: stronger"),
    # Half of 1.07 is its root, 1.0344, and double its square, 1.1449: beyond, it is close, but stronger.
    (SPEEDUP, 1.07, "about", "1.034: same trend; 1.035 1.144: reproduced; 1.146: stronger"),
    (SPEEDUP, 0.5, "about", "1.1: not reproduced; 0.7: same trend; 0.4: reproduced; 0.39: same trend"),
    (SPEEDUP, 0.03, "about", "0.0031: same trend; 0.0029: not reproduced"),
    # Percentages: by points and times; half to double is no trend, nor is the other side.
    (SAVING, 20, "about", "13.3 30.1: not reproduced; 13.4 15.9 30: same trend; 16 25: reproduced"),
    (SAVING, -20, "about", "5: not reproduced"),
    (SAVING, 99, "about", "54 78: not reproduced; 79 88: same trend; 89: reproduced"),
    (VALUE, 68, "about", "40 47: not reproduced; 48 57: same trend; 58: reproduced"),
    # No difference.
    (SPEEDUP, 1, "about", "1.099: reproduced; 1.11 0.8: same trend; 1.26 -1: not reproduced"),
    (SAVING, 0, "about", "-10: reproduced; 11 20: same trend; 21: not reproduced"),
    # Bounds are kept, within the noise, or broken.
    (SPEEDUP, 2, "at least", "9 1.97: reproduced; 1.95: not reproduced"),
    (SPEEDUP, 1.5, "at most", "0.9 1.52: reproduced; 1.54: not reproduced"),
    # Directions: a difference under 0.02 or 2 % is noise.
    (SPEEDUP, 2, "direction", "1.03: reproduced; 1.01 0.9: not reproduced"),
    (SAVING, 9, "direction", "2.1: reproduced; 1.9: not reproduced"),
    # Shares of graphs.
    (SHARE, 100, "at least", "100: reproduced; 95 50: not reproduced"),
    (SHARE, 50, "at least", "51: reproduced; 50 45: not reproduced"),
    (SHARE, 60, "about", "49: not reproduced; 50: reproduced; 71 80: same trend"),
    # Numbers by themselves.
    (VALUE, 100, "about", "125: reproduced; 126 200: same trend; 201: not reproduced"),
    (VALUE, 100, "at most", "1: reproduced"),
    (VALUE, 0, "about", "0: reproduced; 1: not reproduced"),
    (TIME, 100, "about", "49: not reproduced; 79: same trend; 80: reproduced; 201: not reproduced"),
]


@pytest.mark.parametrize(("answer", "paper", "sense", "verdicts"), RULES)
def test_verdicts(answer, paper, sense, verdicts):
    assert judge(answer, made_up(paper, sense)) == NOT_RUN
    for part in verdicts.split("; "):
        numbers, verdict = part.split(": ")
        for ours in map(float, numbers.split()):
            is_percentage = answer in (SHARE, SAVING) or paper == 68
            claim = made_up(paper, sense, unit="%" if is_percentage else "x")
            assert judge(answer._replace(value=ours), claim) == verdict, ours


def test_only_a_lead_over_a_rivals_program_on_the_same_gpu_is_stronger():
    ours, verdicts = SPEEDUP._replace(value=3), {"gunrock": STRONGER, "own": TREND, "none": TREND}
    for name, verdict in verdicts.items():
        claim = made_up(2, "about", baseline=name)
        assert judge(ours, claim) == verdict
        assert judge(ours._replace(of_hardware=True), claim) == TREND  # a GPU against a CPU


def test_a_gpu_is_a_papers_by_its_model():
    for gpu, paper, is_of_paper in (
        ("nvidia-h200", "blest", True),
        ("nvidia-h100-80gb-hbm3", "diggerbees", True),
        ("nvidia-geforce-rtx-2070", "warpnet", True),
        ("nvidia-geforce-rtx-2080", "warpnet", False),
        ("nvidia-h20", "blest", False),
        (None, "blest", False),
    ):
        assert claims.is_among(gpu, PAPERS[paper].gpu, claims.GPU_MODEL) == is_of_paper, gpu


def made_up(paper, sense, **more):
    low, high = paper if isinstance(paper, tuple) else (paper, paper)
    return Claim("x", "blest", "1", "what", low, high, sense=sense, **{"baseline": "gunrock", **more})


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
    assert claims.ask(None, claim).missing


# ---- modes, grades and provisos ----


def records_of(folder, *rows):
    write(folder, rows)
    return Results.read(folder)


def outcome(results, name="diggerbees-stacks", **changes):
    return claims.test_claims(results, [CLAIMS[name]._replace(**changes)])[0]


def reported(one):
    return one.answer.value, one.best, one.provisos


def test_rows_of_the_papers_mode_count_first(tmp_path):
    best = [record("kron:10", "v1", 6, options="mode=best"), record("kron:10", "v2", 2, options="mode=best")]
    three = pytest.approx(3)
    assert reported(outcome(records_of(tmp_path / "a", *best))) == (three, None, ("best mode",))
    paper = [record("kron:10", name, ms, options="mode=paper") for name, ms in (("v1", 8), ("v2", 4))]
    both = records_of(tmp_path / "b", *best, *paper)
    assert reported(outcome(both)) == (pytest.approx(2), three, ())
    assert claims.ask(both, CLAIMS["diggerbees-stacks"]).value == three  # tables and plots are of the best modes
    half = outcome(records_of(tmp_path / "c", *best, paper[0]))
    assert reported(half) == (pytest.approx(4), three, ("best mode",))


def test_rows_that_know_no_mode_are_of_the_best(tmp_path):
    old = records_of(tmp_path, record("kron:10", "v1", 6), record("kron:10", "v2", 2))
    assert reported(outcome(old)) == (pytest.approx(3), None, ())


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
    assert outcome(results, baseline="none").reported == outcome(results).verdict


def test_a_rivals_program_and_ours_are_two_claims(tmp_path):
    graphs = ("kron:10", "road:5")
    both = [record(graph, variant, ms) for graph in graphs for variant, ms in (("v4", 2), ("ckl", 4))]
    results = records_of(tmp_path, *both, record("road:5", "sc15-ckl", 16))
    assert reported(outcome(results, "diggerbees-ckl")) == (pytest.approx(2), None, ("own baseline",))
    assert reported(outcome(results, "diggerbees-ckl-authors")) == (pytest.approx(8), None, ())


def test_small_ones_of_a_papers_graphs_do_not_stand_for_all(tmp_path):
    """Each is as large as some graph of DiggerBees, and most of its 234 graphs are larger."""
    sizes = {"delaunay:14": (16384, 98244), "kron:14:2": (16384, 62114), "delaunay:18": (262144, 1572792)}
    sizes["kron:18:15"] = 262144, 7_000_000
    for where, graphs, grade in (
        ("few", ["delaunay:14", "kron:14:2"], Grade.SMALLER),
        ("all", sizes, Grade.SAME_GENERATOR),
        ("one", ["delaunay:14"], Grade.SAME_GENERATOR),
    ):
        rows = [
            record(graph, name, ms, vertices=sizes[graph][0], edges=sizes[graph][1])
            for graph in graphs
            for name, ms in (("v1", 6), ("v2", 2))
        ]
        assert outcome(records_of(tmp_path / where, *rows)).grade == grade, where


def test_a_stand_in_does_not_count_beside_its_graph(tmp_path):
    """But where it stands for others that were not measured."""

    def measured(*graphs):
        folder = tmp_path / "-".join(graphs)
        rows = [record(graph, name, ms) for graph in graphs for name, ms in (("v1", 6), ("v2", 2))]
        return {key.graph for key in outcome(records_of(folder, *rows)).answer.numbers}

    assert measured("road:13", "kron:10") == {"road:13", "kron:10"}
    assert measured("road:13", "kron:10", "luxembourg_osm") == {"luxembourg_osm", "kron:10"}
    assert measured("kron:18:2", "caidaRouterLevel") == {"kron:18:2", "caidaRouterLevel"}


def test_a_mean_that_several_claims_share_counts_once(tmp_path):
    """The first has it; the least of the same numbers is another one."""
    rows = [record(graph, "v1", ms) for graph, ms in (("kron:10", 6), ("road:5", 4))]
    rows += [record(graph, "v2", 2) for graph in ("kron:10", "road:5")]
    means = {"one": geomean, "again": geomean, "low": least}

    def test_of(mean):
        return lambda results: mean(speedup(results, dfs("v2"), dfs("v1")))

    about = [CLAIMS["diggerbees-stacks"]._replace(id=name, test=test_of(mean)) for name, mean in means.items()]
    one, again, low = claims.test_claims(records_of(tmp_path, *rows), about)
    assert NOT_RUN not in (one.verdict, low.verdict)
    assert again.answer.missing == "number of its own: one has it"
