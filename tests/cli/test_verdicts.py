"""Verdicts on claims: every rule at its edges, numbers without a verdict, modes of variants and baselines."""

from evaluation.analyses.xbfs import of_shared_sources
from evaluation.claims import claims
from evaluation.claims.listing import PAPERS, Claim, read_test
from evaluation.claims.verdicts import (
    NO_VERDICT,
    NOT_MEASURED,
    NOT_TESTED,
    NUMBER,
    OTHER_HARDWARE,
    PARTLY,
    REPRODUCED,
    RULES,
    VERDICTS,
    judge,
)
from evaluation.methods import dfs
from evaluation.numbers.compare import MOST, Answer, value
from evaluation.report.claims_table import Row, claims_table
from evaluation.results import Results

import pandas as pd
import pytest

from made_up_records import row as record
from made_up_records import write

CLAIMS = {claim.id: claim for claim in claims.read_claims()}
STACKS = CLAIMS["diggerbees-stacks"]
ON_ANY_GRAPHS = STACKS._replace(test=read_test("geomean(speedup(V2, over=V1))", "diggerbees"))  # not on most of six

# ---- verdicts ----

SPEEDUP, SHARE, SAVING, VALUE = 1, MOST, 0, None  # what the number is where nothing differs

# Of a claim the numbers of ours at the edges of each verdict.
RULES_AT_THEIR_EDGES = [
    # A size: the number, and its effect in logarithms. A third of 2 is its third root, 1.2599.
    (SPEEDUP, 2, "about", "-1 0.5 1.259: not reproduced; 1.26 1.59: partly; 1.6 2.5: reproduced; 2.51 90: partly"),
    # Half of 1.07 is its root, 1.0344, and double its square, 1.1449.
    (SPEEDUP, 1.07, "about", "1.034: partly; 1.035 1.144: reproduced; 1.146: partly"),
    (SPEEDUP, 0.5, "about", "1.1: not reproduced; 0.7: partly; 0.4: reproduced; 0.39 0.01: partly"),
    # Percentages: by points and times; the other side is not reproduced.
    (SAVING, 20, "about", "6 -20: not reproduced; 7 15.9 26 90: partly; 16 25: reproduced"),
    (SAVING, 99, "about", "32: not reproduced; 34 88: partly; 89: reproduced"),
    (VALUE, 68, "about", "33 137: not reproduced; 34 57 79: partly; 58 78: reproduced"),
    # No difference.
    (SPEEDUP, 1, "about", "1.099: reproduced; 1.11 0.8: partly; 1.26 -1: not reproduced"),
    (SAVING, 0, "about", "-10: reproduced; 11 20: partly; 26: not reproduced"),
    # Bounds are kept, in factors within the noise, or broken: then a third of the effect may be there.
    (SPEEDUP, 2, "at least", "9 1.97: reproduced; 1.95 1.26: partly; 1.25 0.5: not reproduced"),
    (SPEEDUP, 1.5, "at most", "0.9 1.52: reproduced; 1.54 9: not reproduced"),
    (SPEEDUP, 0.5, "at most", "0.1 0.509: reproduced; 0.6 0.79: partly; 0.8 2: not reproduced"),
    (SPEEDUP, 1, "at least", "0.985 3: reproduced; 0.97: not reproduced"),
    (VALUE, 100, "at most", "1 100: reproduced; 101: not reproduced"),
    # Shares of graphs.
    (SHARE, 100, "at least", "100: reproduced; 99 67: partly; 66 40: not reproduced"),
    (SHARE, 60, "about", "53: not reproduced; 54: partly; 55 70: reproduced; 71 80: partly"),
    # Directions: a difference under 0.02 or 2 % is noise.
    (SPEEDUP, 2, "direction", "1.03: reproduced; 1.01 0.9: not reproduced"),
    (SAVING, 9, "direction", "2.1: reproduced; 1.9: not reproduced"),
    (SHARE, 100, "direction", "53: reproduced; 50 45: not reproduced"),
    # Numbers by themselves.
    (VALUE, 100, "about", "49: not reproduced; 79 126 200: partly; 80 125: reproduced; 201: not reproduced"),
    (VALUE, 0, "about", "0: reproduced; 1: not reproduced"),
]


@pytest.mark.parametrize(("nothing", "paper", "sense", "verdicts"), RULES_AT_THEIR_EDGES)
def test_verdicts(nothing, paper, sense, verdicts):
    for part in verdicts.split("; "):
        numbers, verdict = part.split(": ")
        for ours in map(float, numbers.split()):
            is_percentage = nothing in (SHARE, SAVING) or paper == 68
            claim = made_up(paper, sense, unit="%" if is_percentage else "x")
            assert judge(ours, claim, nothing) == verdict, ours


def test_the_rules_are_few_and_name_every_verdict():
    assert len(RULES) <= 15
    for verdict in VERDICTS:
        assert any(rule.startswith(verdict) for rule in RULES), verdict


def made_up(paper, sense, **more):
    low, high = paper if isinstance(paper, tuple) else (paper, paper)
    return Claim("x", "blest", "1", "what", low, high, sense=sense, **{"baseline": "gunrock", **more})


def test_a_range_is_held_against_its_nearer_end():
    claim = made_up((4, 5), "about")
    assert [claim.nearest(ours) for ours in (3, 4.4, 6, None)] == [4, 4.4, 5, 4.5]
    expected = {3.19: PARTLY, 3.2: REPRODUCED, 4.4: REPRODUCED, 6.25: REPRODUCED, 6.26: PARTLY}
    for ours, verdict in expected.items():
        assert judge(ours, claim, SPEEDUP) == verdict, ours


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


# ---- numbers without a verdict, and what is not tested ----


def test_a_number_of_one_graph_has_a_verdict_on_that_graph_alone(tmp_path):
    """Or on one of the same generator and size."""
    for paper, like, measured, has_verdict in (
        ("rgg_n_2_20_s0", "rgg:*", "rgg:20", True),
        ("rgg_n_2_20_s0", "rgg:*", "rgg:19", False),
        ("road_usa", "road:*", "road:22", False),
        ("road_usa", "road:*", "road_usa", True),
    ):
        results = records_of(tmp_path / f"{paper} {measured}", record(measured, "v1", 4), record(measured, "v2", 2))
        of_one = CLAIMS["diggerbees-stealing-road"]
        test = read_test(f"geomean(speedup(V2, over=V1, graphs=on('{paper}', '{like}')))", "diggerbees")
        (one,) = claims.test_claims(results, [of_one._replace(low=2, high=2, test=test)])
        assert one.answer.value == (pytest.approx(2) if has_verdict else None)
        assert one.verdict == (REPRODUCED if has_verdict else NO_VERDICT), (paper, measured)


def test_why_a_claim_is_not_tested(tmp_path):
    """The GPU against the CPU on other hardware; what nobody measured; and what no record can test."""
    results = records_of(tmp_path, record("kron:10", "v4", 2), record("kron:10", "ckl", 4, "cpu-x"))
    for name, reason in (
        ("diggerbees-ckl", f"{OTHER_HARDWARE}: H100"),
        ("diggerbees-a100", f"{OTHER_HARDWARE}: no rows of "),
        ("diggerbees-stacks", f"{NOT_MEASURED}: no verified rows of dfs:v2"),
        ("ibfs-single", f"{NOT_MEASURED}: needs Belewitte"),
    ):
        one = outcome(results, name)
        assert one.verdict == NOT_TESTED and one.reason.startswith(reason), one.reason


def test_nothing_is_held_against_an_implausible_number(tmp_path):
    results = records_of(tmp_path, record("kron:10", "v1", 6), record("kron:10", "v2", 2))
    assert outcome(results).verdict == PARTLY
    assert outcome(results, note="implausible: 1 ns a level").verdict == NO_VERDICT


# ---- modes and provisos ----


def records_of(folder, *rows):
    write(folder, rows)
    return Results.read(folder)


def outcome(results, name="", **changes):
    claim = CLAIMS[name] if name else ON_ANY_GRAPHS
    return claims.test_claims(results, [claim._replace(**changes)])[0]


def reported(one):
    return one.answer.value, one.proviso


def test_rows_of_the_papers_mode_count_first(tmp_path):
    best = [record("kron:10", "v1", 6, options="mode=best"), record("kron:10", "v2", 2, options="mode=best")]
    three = pytest.approx(3)
    assert reported(outcome(records_of(tmp_path / "a", *best))) == (three, "best mode")
    paper = [record("kron:10", name, ms, options="mode=paper") for name, ms in (("v1", 8), ("v2", 4))]
    both = records_of(tmp_path / "b", *best, *paper)
    assert reported(outcome(both)) == (pytest.approx(2), "")
    assert claims.ask(both, ON_ANY_GRAPHS).value == three  # tables and plots are of the best modes


def test_rows_that_know_no_mode_are_of_the_best(tmp_path):
    old = records_of(tmp_path, record("kron:10", "v1", 6), record("kron:10", "v2", 2))
    assert reported(outcome(old)) == (pytest.approx(3), "")


def test_a_method_that_names_its_mode_gets_that(tmp_path):
    rows = [record("kron:10", "v4", ms, options=f"mode={mode}") for mode, ms in (("best", 2), ("paper", 5))]
    results = records_of(tmp_path, *rows)
    for asked in (results, results.with_mode("paper")):
        for mode, ms in (("best", 2), ("paper", 5)):
            assert list(value(asked, dfs("v4", mode=mode)).numbers.values()) == [ms]
    assert list(value(results.with_mode("paper"), dfs("v4")).numbers.values()) == [5]


def test_baselines_that_are_ours(tmp_path):
    results = records_of(tmp_path, record("kron:10", "v1", 6), record("kron:10", "v2", 2))
    assert outcome(results, baseline="own").proviso == "own baseline"
    assert outcome(results, baseline="none").proviso == ""


def test_a_rivals_program_and_ours_are_two_claims(tmp_path):
    graphs = ("kron:10", "road:5")
    both = [record(graph, variant, ms) for graph in graphs for variant, ms in (("v4", 2), ("ckl", 4))]
    results = records_of(tmp_path, *both, record("road:5", "sc15-ckl", 16))
    assert reported(outcome(results, "diggerbees-ckl")) == (pytest.approx(2), "own baseline")
    assert reported(outcome(results, "diggerbees-ckl-authors")) == (pytest.approx(8), "")


def test_a_stand_in_does_not_count_beside_its_graph(tmp_path):
    """But where it stands for others that were not measured."""

    def measured(*graphs):
        folder = tmp_path / "-".join(graphs)
        rows = [record(graph, name, ms) for graph in graphs for name, ms in (("v1", 6), ("v2", 2))]
        return {key.graph for key in outcome(records_of(folder, *rows)).answer.numbers}

    assert measured("road:13", "kron:10") == {"road:13", "kron:10"}
    assert measured("road:13", "kron:10", "luxembourg_osm") == {"luxembourg_osm", "kron:10"}
    assert measured("kron:18:2", "caidaRouterLevel") == {"kron:18:2", "caidaRouterLevel"}


# ---- equal terms ----


def of_builds(folder, *builds):
    """The outcome of v2 over v1 on rows of these (variant, ms, version, date)."""
    rows = [record("kron:10", name, ms, version=version, date=date) for name, ms, version, date in builds]
    return outcome(records_of(folder, *rows))


def test_a_comparison_is_of_one_build_and_day(tmp_path):
    """Of the newest rows if they are, or else of older ones that are; of none at worst."""
    monday, tuesday = "2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z"
    new = ("v1", 8, "new", tuesday)
    assert of_builds(tmp_path / "a", new, ("v2", 2, "new", tuesday)).answer.value == pytest.approx(4)
    for other in (("v2", 2, "old", tuesday), ("v2", 2, "new", monday)):
        one = of_builds(tmp_path / f"{other[2]} {other[3][:10]}", new, other)
        assert one.verdict == NOT_TESTED and "of one build and day" in one.reason
    older = of_builds(tmp_path / "b", new, ("v1", 6, "old", monday), ("v2", 2, "old", monday))
    assert older.answer.value == pytest.approx(3)


def test_a_comparison_is_of_the_same_sources(tmp_path):
    """Rows that list no trials must have equally many."""
    few = {"trial_ms": "", "trial_kernel_ms": "", "source_list": "", "sources": "4"}
    rows = [record("kron:10", "v1", 6, **few), record("kron:10", "v2", 2, **{**few, "sources": "8"})]
    rows += [record("road:5", "v1", 8, **few), record("road:5", "v2", 2, **few)]
    one = outcome(records_of(tmp_path, *rows))
    assert {key.graph: number for key, number in one.answer.numbers.items()} == {"road:5": pytest.approx(4)}


def test_checks_are_counted_over_shared_sources():
    """One run has the sources 1 and 2, the other 2 and 3."""
    runs = [
        pd.DataFrame({"source": [1, 2], "level": list("ab")}),
        pd.DataFrame({"source": [2, 3], "level": list("cd")}),
    ]
    assert [list(run.level) for run in of_shared_sources(runs)] == [["b"], ["c"]]


def test_a_mean_is_of_most_of_the_papers_graphs(tmp_path):
    """Version 1 and 2 on three of six graphs tell nothing of the mean; on four they do."""
    for number, verdict in ((3, NOT_TESTED), (4, PARTLY)):
        graphs = [f"kron:{scale}" for scale in range(8, 8 + number)]
        rows = [record(graph, name, ms) for graph in graphs for name, ms in (("v1", 6), ("v2", 2))]
        assert outcome(records_of(tmp_path / str(number), *rows), "diggerbees-stacks").verdict == verdict


def test_a_papers_mean_is_of_the_graphs_that_are_here():
    """The paper's 1.6 over 14 graphs is 1.3 over those that were measured: 1.2 is near that."""
    claim, answer = made_up(1.6, "about"), Answer({}, value=1.2, papers_mean=1.3)
    held = claims.over_the_same_graphs(claim, answer)
    assert [judge(1.2, one, SPEEDUP) for one in (claim, held)] == [PARTLY, REPRODUCED]
    assert claims.over_the_same_graphs(claim, answer._replace(papers_mean=None)) is claim
    row = Row(claims.Tested(claim, answer, REPRODUCED), "")
    assert row.paper == "1.60x (1.30x over these graphs)" and row.share == pytest.approx(1.2 / 1.3)


def test_a_mean_names_its_graphs(tmp_path):
    graphs = [f"kron:{scale}" for scale in range(8, 18)]
    rows = [record(graph, name, ms) for graph in graphs for name, ms in (("v1", 6), ("v2", 2))]
    one = outcome(records_of(tmp_path, *rows))
    assert all(graph in str(claims_table([Row(one, "")])) for graph in graphs)


def test_nothing_is_divided_by_an_implausible_number(tmp_path):
    results = records_of(tmp_path, record("kron:10", "v1", 6), record("kron:10", "v2", 2))
    for note, share in (("", 1.5), ("implausible: 1 ns a level", None)):
        row = Row(outcome(results, low=2, high=2, note=note), "")
        assert row.share == (share and pytest.approx(share))
    for claim in CLAIMS.values():  # all that stands in the paper's table of times, or is made of it
        if claim.paper == "warpnet" and "table 2" in claim.section and claim.unit == "x" and "-serial" not in claim.id:
            assert claim.is_implausible, claim.id


def test_a_number_counts_once():
    """No two claims of a paper are about the same number."""
    judged = [one for one in CLAIMS.values() if one.test and one.sense != NUMBER and not one.is_implausible]
    tests = [(claim.paper, str(claim.test), claim.sense) for claim in judged]
    assert [test for test in tests if tests.count(test) > 1] == []
