"""Claims of the papers: each can be tested, some are computed by hand beside, and the verdicts."""

import csv
import fnmatch
import re
import shutil
from collections import Counter

from evaluation import dataset, trusted
from evaluation import results as measured
from evaluation.analyses.msbfs import AUTHORS, DAWN
from evaluation.claims import claims
from evaluation.claims.listing import COLUMNS, PAPERS
from evaluation.claims.verdicts import VERDICTS
from evaluation.command import EvaluationError
from evaluation.files import RESULTS
from evaluation.graphs import Graphs
from evaluation.records import PAPER
from evaluation.results import COUNTS, Results

import pytest

import helpers
from helpers import ROOT, gtrav_json, gtrav_ok, ok, script

H200 = RESULTS / "nvidia-h200"
CPU = RESULTS / "cpu-intel-r-xeon-r-processor"
CLAIMS = claims.read_claims()
BY_ID = {claim.id: claim for claim in CLAIMS}
LISTING = gtrav_json("--list")
HAS_GPU_CODE = any(a["device"] == "gpu" for a in LISTING)
EMULATED = any(a["emulated"] and a["variant"] == "xbfs" for a in LISTING)
needs_gpu_code = pytest.mark.skipif(not HAS_GPU_CODE, reason="this gtrav knows no GPU algorithms")
needs_emulator = pytest.mark.skipif(not EMULATED, reason="no emulator in this build")


def rows_of(*paths):
    return [row for path in paths for row in helpers.rows_of(path)]


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


@pytest.mark.parametrize(
    ("name", "expression"),
    [
        ("warpnet-dag-5000", "geomean(ratio(topo:kahn, over=dfs:serial, graphs=dag:5000:0.4))"),
        ("warpnet-serial", "geomean(speedup(bfs:queue, over=bfs:serial, graphs=road))"),
        ("blest-many-cpu", "geomean(speedup(msbfs:blest, over=msbfs:then, below=batches-256))"),
        ("blest-ms-web", "geomean(value(blest:Full, mean_time_ms, graphs=GAP-web))"),
        ("diggerbees-never-fails", "mean(failed(v4))"),
    ],
)
def test_what_a_report_says_of_a_test(name, expression):
    """With methods and graphs, and in no Python with names of its own such as table_2.<locals>.<lambda>."""
    assert str(BY_ID[name].test) == expression
    assert not [claim.id for claim in CLAIMS if "<" in str(claim.test)]


def test_like_stands_beside_like():
    """gtrav's own beside gtrav's own, the authors' programs beside each other; a rival's program where the
    claim names it, and then on every graph. `fastest` claims hold against all rivals."""
    programs = {row["peer"] for row in helpers.rows_of(ROOT / "dataset" / "peers.csv")}
    programs |= {name.removeprefix("msbfs ") for name in AUTHORS}
    for claim in CLAIMS:
        methods = set(re.findall(r"\b[a-z]+:([\w-]+)", str(claim.test)))
        beside = methods & programs
        if "fastest" in claim.id or not methods:
            continue
        named = claim.baseline in programs
        of_one_author = methods <= programs  # variants of one program
        assert (claim.baseline in methods) if named else of_one_author or not beside, claim.id
        assert all(name in programs for name in methods) or not any("-authors" in m for m in methods), claim.id


def test_both_sides_of_a_claim_are_held_to_the_same_sense():
    """Faster on large graphs, slower on small ones: both in the mean, or both on every graph."""
    both = BY_ID["ibfs-bottomup-gain"], BY_ID["ibfs-bottomup-small"]
    assert len({(one.sense, one.value, str(one.test).partition("(")[0]) for one in both}) == 1


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


@pytest.fixture(scope="module")
def watched():
    """The methods and the graphs that every claim asks for."""
    results, found, asked = Results.read(H200, "nvidia-h200"), {}, []
    rows_of_method, choose = measured.rows_of, Results.choose

    def watched_rows(one, method, below):
        asked.append(method)
        return rows_of_method(one, method, below)

    def watched_choose(one, numbers, graphs):
        asked.append(graphs)
        return choose(one, numbers, graphs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measured, "rows_of", watched_rows)
        patch.setattr(Results, "choose", watched_choose)
        for claim in (claim for claim in CLAIMS if not claim.untestable):
            asked.clear()
            claims.ask(results, claim)
            kinds = ([one for one in asked if isinstance(one, kind)] for kind in (measured.Method, Graphs))
            found[claim.id] = tuple(kinds)
    return found


@needs_gpu_code
def test_claims_name_what_there_is(watched):
    known = {(a["family"], a["variant"]) for a in LISTING}
    if not any(a["device"] == "webgpu" for a in LISTING):
        pytest.skip("a build without WebGPU lacks variants that claims name")
    peers = {(row["family"], row["peer"]) for row in rows_of(ROOT / "dataset" / "peers.csv")}
    peers |= {tuple(name.split(" ")) for name in AUTHORS}
    options = options_of_algorithms()
    named = {(name, method[:2]): method for name, (methods, _) in watched.items() for method in methods}
    assert len(named) > len(watched)
    for (claim, (family, variant)), method in named.items():
        if family == "balance":
            continue  # its variants are names of this package
        name = family, variant
        if family == "pairs":
            single = variant.removeprefix("bfs-")
            name = ("msbfs" if single == variant else "bfs", single.removesuffix(DAWN))
        elif family in ("closeness", "blest"):
            name = {"closeness": "msbfs", "blest": "bfs"}[family], variant
        assert name in known | peers, (claim, str(method))
        assert dict(method.options).keys() <= {"reorder", *COUNTS} | options.get(name, set()), (claim, str(method))


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
    assert len(patterns) > len(watched)
    for name, pattern in patterns:
        assert fnmatch.filter(graphs, pattern), (name, pattern)


# ---- claims on XBFS, from records of small graphs ----


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    """What run_xbfs writes, as if a GPU had: times of the emulator say nothing, and are not taken."""
    folder = tmp_path_factory.mktemp("xbfs")
    words = ("--small", "--csv", folder, "--graph", "kron:9", "--graph", "kron:10", "--graph", "urand:8")
    assert script("scripts/measure.py", "xbfs", *words).status == 0
    for path in sorted(folder.rglob("*.csv")):
        path.write_text(path.read_text(encoding="utf-8").replace("emulator", "gpu-x"), encoding="utf-8")
    for path in sorted(folder.glob("*/emulator")):
        path.rename(path.with_name("gpu-x"))
    return folder


@needs_emulator
def test_claims_on_xbfs_can_be_tested(small_run, monkeypatch):
    monkeypatch.setattr(trusted, "RULES", [rule for rule in trusted.RULES if rule.name != "busy"])
    results = Results.read(small_run).with_mode(PAPER)
    for claim in CLAIMS:
        names_gpu = re.search(r"(on|of)_gpu\(", str(claim.test))
        if claim.paper == "xbfs" and claim.test and claim.baseline in ("none", "own") and not names_gpu:
            missing = claims.ask(results, claim).missing
            if "of_table_2(" in str(claim.test):  # which takes graphs of the paper's size
                assert "kind and size" in missing, claim.id
            else:
                assert missing == "", (claim.id, missing)


# ---- lists that are wrong ----

GOOD = dict.fromkeys(COLUMNS, "") | {"id": "blest-gap", "section": "1", "claim": "what", "value": "2"}
GOOD |= {"unit": "x", "sense": "at least", "baseline": "none", "test": "geomean(speedup(FULL, over=GAP))"}


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
        ({"sense": "roughly"}, "'roughly' is not one of"),
        ({"baseline": "theirs"}, "'theirs' is not one of none, own, .*gunrock"),
        ({"value": "many"}, "'many' is not a number"),
        ({"value": "nan"}, "'nan' is not a number"),
        ({"value": "1-"}, "'1-' is not a number"),
        ({"value": "2-1"}, "'2-1' ends below its start"),
        ({"test": ""}, "test: it has a test, or says why it is untestable"),
        ({"untestable": "why"}, "test: it has a test, or says why it is untestable"),
        ({"test": "", "untestable": "why"}, "untestable: it must begin with one of other hardware, "),
        *(
            ({"test": text}, "test: .* is not a valid test")
            for text in ("luck", "speedup(", "geomean(speedup(FULL))", "KRON.like")
        ),
    ],
)
def test_lists_of_claims_that_are_none(change, word, tmp_path):
    write_claims(tmp_path, {**GOOD, **change})
    with pytest.raises(EvaluationError, match=f"blest.csv: line 2: .*{word}"):
        claims.read_claims(tmp_path)


def test_values_of_claims(tmp_path):
    for value, ends in {"2": (2, 2), "-2.5": (-2.5, -2.5), "1.67-1.82": (1.67, 1.82), "-3--1": (-3, -1)}.items():
        (claim,) = claims.read_claims(write_claims(tmp_path, {**GOOD, "value": value}))
        assert (claim.low, claim.high, claim.paper) == (*ends, "blest")
    away = {**GOOD, "test": "", "untestable": "other hardware: it takes another GPU"}
    assert claims.read_claims(write_claims(tmp_path, away))[0].untestable == away["untestable"]


@pytest.mark.parametrize(
    ("rows", "name", "word"),
    [
        (None, "", "cannot read .*: there is no file of claims"),
        ((), "blest.csv", "blest.csv: no claim in it"),
        ((GOOD,), "bible.csv", "bible.csv: the name must be one of diggerbees, blest"),
        ((GOOD, GOOD), "blest.csv", "line 3: id: blest-gap is there already"),
    ],
)
def test_folders_that_have_no_claims(rows, name, word, tmp_path):
    if rows is not None:
        write_claims(tmp_path, *rows, name=name)
    with pytest.raises(EvaluationError, match=word):
        claims.read_claims(tmp_path)


# ---- the command line ----


def test_the_script_reports_a_line_a_claim(tmp_path):
    """Of the claims of one paper: those of all papers take ten seconds, and the committed report tests them."""
    shutil.copy(ROOT / "dataset" / "claims" / "warpnet.csv", tmp_path)
    reported = ok(script("scripts/claims.py", "--results", H200, "--claims", tmp_path))
    *lines, total = reported.out.splitlines()
    assert [claim.id for claim in CLAIMS if claim.paper == "warpnet"] == [
        re.split(r"\s{2,}", line)[1] for line in lines
    ]
    counted = Counter(re.split(r"\s{2,}", line)[0] for line in lines)
    words = [f"{verdict} {counted[verdict]}" for verdict in VERDICTS]
    assert total == ", ".join([*words, f"without a verdict {counted['-']}"])


def test_the_script_reports_a_claim_graph_by_graph():
    reported = ok(script("scripts/claims.py", "warpnet-dag-5000", "ibfs-crossover", "--results", H200))
    first, second, *_, last = reported.out.splitlines()
    number, graph = first.split()
    assert graph == "dag:5000:0.4" and re.search(rf"^- +warpnet-dag-5000 +26.3 x, ours {number} of 1$", second)
    assert re.split(r"\s{2,}", last)[1] == "ibfs-crossover"
    failed = script("scripts/claims.py", "blest-luck")
    assert (failed.status, failed.out) == (2, "")
    assert re.fullmatch(r"claims: no claim 'blest-luck' in .*claims\n", failed.err)
