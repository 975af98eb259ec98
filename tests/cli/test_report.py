"""The reproduction report: what is written, of made-up records and of the committed ones."""

import csv
import os
import re

from evaluation.claims import claims
from evaluation.claims.listing import COLUMNS, Claim
from evaluation.claims.verdicts import (
    DIRECTION,
    NO_VERDICT,
    NOT_REPRODUCED,
    NOT_TESTED,
    NUMBER,
    PARTLY,
    REPRODUCED,
    RULES,
    VERDICTS,
    judge,
)
from evaluation.command import EvaluationError
from evaluation.files import RESULTS
from evaluation.numbers.compare import Answer
from evaluation.report import overview
from evaluation.report.claims_table import SIGNS, Row, claims_table
from evaluation.results import Results, newest_run

import pytest

from helpers import ROOT, complains, ok, rows_of, script
from made_up_records import EDGES, as_if_emulated, of_all_graphs, row, write

GPU, HOST = "nvidia-h100", "cpu-x-9462"  # of DiggerBees's paper, so that all its numbers compare


@pytest.fixture
def folder(tmp_path):
    rows = ({**one, "device": one["device"].replace("cpu-x", HOST)} for one in of_all_graphs(GPU))
    write(tmp_path / "results", rows)
    return tmp_path / "results"


# ---- the pages ----

# (id, the paper's number, sense, the verdict on the made-up records)
CLAIMS = (
    ("diggerbees-ckl", "1.25", "at least", REPRODUCED),
    ("diggerbees-ckl-most", "90", "about", PARTLY),
    ("diggerbees-nvg", "30", "at least", NOT_REPRODUCED),
    ("diggerbees-stacks", "30", "at least", NOT_TESTED),
    ("diggerbees-why", "1.5", "at least", NOT_TESTED),
    ("diggerbees-ckl-max", "4", "about", NO_VERDICT),
)
TESTS = {row["id"]: row["test"] for row in rows_of(ROOT / "dataset" / "claims" / "diggerbees.csv")}
TESTS["diggerbees-nvg"] = "geomean(speedup(V4, over=NVG))"  # on graphs of any size
TESTS["diggerbees-ckl-most"] = "share(speedup(V4, over=CKL))"
WHY = "other hardware: it takes another GPU"
ODD = "<b>odd & \"mean\"</b> | [a](b) 'name'"


def write_claims(path, some=CLAIMS, paper="diggerbees"):
    path.mkdir(exist_ok=True)
    with open(path / f"{paper}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for name, value, sense, verdict in some:
            why = WHY if verdict == NOT_TESTED and name not in TESTS else ""
            line = [name, "4.2, table 1", f"claim {name} {ODD}", value, "x", sense, "none"]
            writer.writerow([*line, TESTS.get(name, ""), why, ODD])
    return path


def run(folder, *words):
    to = ("--to", folder.parent / "to", "--claims", folder.parent / "claims")
    result = script("scripts/report.py", "--results", folder, *to, *words)
    return result, (folder.parent / "to" / "report.md").read_text(encoding="utf-8")


def test_a_report(folder):
    write(folder, [row(ODD, variant, 3, HOST) for variant in ("ckl", "acr")])
    write_claims(folder.parent / "claims")
    result, markdown = run(folder)
    assert (result.status, result.err, result.out) == (0, "", f"{folder.parent / 'to' / 'report.md'}\n")
    words = re.sub(r"(\d+)", r"**\1**", "1 reproduced, 1 partly, 1 not reproduced, 2 not tested")
    assert f"5 claims of 1 paper: {words}. 1 more number of single graphs" in markdown
    rows = [line for line in markdown.splitlines() if re.match(r"\| . (reproduced|partly|not) ", line)]
    assert len(rows) == 5 and "### Table 1" in markdown
    tests = {claim.id: str(claim.test) for claim in claims.read_claims(folder.parent / "claims") if claim.test}
    for (name, _, _, verdict), line in zip(CLAIMS, rows):
        assert f"{SIGNS[verdict]} {verdict} " in line
        assert f"claim {name} " in line
        assert tests.get(name, WHY) in markdown
    assert WHY in markdown
    assert ODD.replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[") in markdown
    assert "<" not in re.sub("`[^`]*`", "", markdown)
    named = (GPU, "cpu-x", "abc", "H100 SXM5", "verified rows of dfs:v2", "run_subset", "2026-01-01")
    assert [word for word in named if word not in markdown] == []
    assert all(" ".join(rule.split()) in markdown for rule in RULES)


def write_remarks(path, lines, header="id,remark"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([header, *lines, ""]), encoding="utf-8")


def test_remarks_of_who_measured(folder):
    """Of the report's device alone, below the claim's note, in whatever folder of it."""
    write_claims(folder.parent / "claims")
    write_remarks(folder / GPU / "remarks.csv", ['diggerbees-nvg,"few cores, <slow>"'])
    write_remarks(folder / "run_bench" / GPU / "remarks.csv", ["diggerbees-ckl,another one"])
    write_remarks(folder / HOST / "remarks.csv", ["diggerbees-ckl-max,of the CPU"])
    result, markdown = run(folder)
    assert result.status == 0, result.err
    assert "another one" in markdown and "of the CPU" not in markdown
    of_claims = (line for line in markdown.splitlines() if line.startswith(f"| {SIGNS[NOT_REPRODUCED]} "))
    (line,) = (line for line in of_claims if "few cores, &lt;slow>" in line)
    assert "claim diggerbees-nvg " in line
    result, markdown = run(folder, "--device", HOST)
    assert "of the CPU" in markdown and "few cores" not in markdown


@pytest.mark.parametrize(
    ("lines", "header", "word"),
    [
        (["z,what"], "id,remark", "line 2: id: z is no claim's"),
        (["diggerbees-nvg,what", "diggerbees-nvg,again"], "id,remark", "line 3: id: diggerbees-nvg is there"),
        (["diggerbees-ckl,  "], "id,remark", "line 2: it is an id and a remark"),
        (["diggerbees-ckl"], "id,remark", "line 2: it is an id and a remark"),
        (["diggerbees-ckl,one, two"], "id,remark", "line 2: it is an id and a remark"),
        (["diggerbees-ckl,what"], "id,note", "line 1: the columns are id,remark"),
        (['diggerbees-ckl,"what'], "id,remark", "cannot read"),
    ],
)
def test_remarks_that_are_none(lines, header, word, folder):
    write_remarks(folder / GPU / "remarks.csv", lines, header)
    to = ("--to", folder.parent / "to", "--claims", write_claims(folder.parent / "claims"))
    result = script("scripts/report.py", "--results", folder, *to)
    complains(result, "remarks.csv", word, program="report")


def test_little_is_enough(tmp_path):
    """A CPU alone, a single graph; and only what is not verified, or the emulator's."""
    folder = tmp_path / "results"
    write_claims(tmp_path / "claims")
    write(folder, [row("kron:10", "ckl", 3, HOST)])
    result, markdown = run(folder)
    assert result.status == 0, result.err
    assert "**5** not tested" in markdown and "What gtrav measured on cpu-x" in markdown
    write(tmp_path / "other", [row("kron:10", "ckl", 3, HOST, verified="none"), row("kron:10", "v4", 3, "emulator")])
    result = script("scripts/report.py", "--results", tmp_path / "other")
    assert (result.status, result.out) == (0, "")
    assert "only rows of the emulator, or that failed or nobody verified" in result.err
    assert not list((tmp_path / "other").rglob("report.*"))


def test_it_speaks_of_no_other_records(folder):
    """One graph of one's own, on a machine whose CPU has the name of one whose records lie beside it."""
    own = folder / "quick_start"
    write(folder, [row("delaunay:9", "scipy", 1, HOST)])
    write(own, [row("mine", "ckl", 3, HOST), row("mine", "acr", 4, HOST), row("mine", "scipy", 9, HOST)])
    write_claims(folder / "claims")
    result, markdown = run(own)
    assert result.status == 0, result.err
    assert markdown.startswith(f"# What gtrav measured on {HOST}, and what holds of five papers\n")
    assert re.search(r"\| records +\| 3 rows of 1 graph +\|", markdown)
    assert re.search(r"\| mine +\| other graphs +\| +10 \| ckl \(CPU\)", markdown)
    for name in (*EDGES, "delaunay:9", GPU):
        assert name not in markdown, name
    assert "| not in here" not in markdown
    _, markdown = run(folder / GPU)
    assert re.search(rf"\| GPU +\| {GPU} ", markdown) and HOST not in markdown and "mine" not in markdown


def test_machines_that_it_leaves_out(folder):
    write(folder, [row("mine", "ckl", 3, "cpu-y")])
    write_claims(folder.parent / "claims")
    _, markdown = run(folder)
    assert re.search(r"\| not in here +\| records of cpu-y ", markdown) and "mine" not in markdown
    write(folder / "other", [row("kron:10", "v4", 3, "nvidia-a100"), row("kron:10", "ckl", 3, HOST)])
    _, markdown = run(folder)
    assert re.search(rf"\| not in here +\| 1 row of {HOST} on another machine ", markdown)


def test_rows_of_unclean_builds_are_counted(folder):
    write_claims(folder.parent / "claims")
    assert "| unclean" not in run(folder)[1]
    write(folder, [row(graph, "v3", 3, GPU, version="abc-dirty") for graph in EDGES])
    tasks = folder / GPU / "tasks" / "dfs_v4_kron:10.csv"
    tasks.parent.mkdir()
    tasks.write_text("options,source,tasks,version,date\ntasks=1,1,9,def-dirty,2026\n")
    assert re.search(r"\| unclean +\| 4 rows of builds of a tree with changes ", run(folder)[1])


def test_the_newest_run_is_reported_of(folder, monkeypatch):
    """Without --results; committed records are no run."""
    monkeypatch.setattr("evaluation.results.RESULTS", folder)
    with pytest.raises(EvaluationError, match="no run of scripts/run_all.sh in .*quick_start makes one"):
        newest_run()
    for name, seconds in (("quick_start", 9), ("run_xbfs", 7)):
        (folder / name).mkdir()
        (folder / name / "status.csv").write_text("")
        os.utime(folder / name / "status.csv", (seconds, seconds))
    assert newest_run() == folder / "quick_start"


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (("--results", "EMPTY"), "no records in"),
        (("--results", "NOWHERE"), "no records in"),
        (("--results", "BROKEN"), "line 2: mean_time_ms: 'x' is not a number"),
        (("--device", "gpu-y"), "nothing of gpu-y"),
        (("--claims", "NOWHERE"), "cannot read"),
        (("--claims", "BAD"), "line 3: test: it has a test, or says why"),
        (("--to", "FILE"), "FILE"),
    ],
)
def test_what_goes_wrong(words, word, folder, tmp_path):
    for name in ("EMPTY", "BROKEN"):
        (tmp_path / name).mkdir()
    write(tmp_path / "BROKEN", [row("kron:10", "v4", 1, mean_time_ms="x")])
    (tmp_path / "FILE").write_text("")
    write_claims(tmp_path / "BAD", [CLAIMS[0], ("faster", "2", "about", "")])
    known = {"--results": folder, "--claims": write_claims(tmp_path / "claims"), "--to": tmp_path / "to"}
    known[words[0]] = words[1] if words[0] == "--device" else tmp_path / words[1]
    result = script("scripts/report.py", *(word for pair in known.items() for word in pair))
    complains(result, word, program="report")
    assert not list(tmp_path.rglob("report.*"))


@pytest.mark.parametrize(("device", "paper", "figures"), [("nvidia-h200", None, 15), ("nvidia-h100", "diggerbees", 4)])
def test_committed_reports(device, paper, figures, tmp_path):
    """Of all claims, or those of a paper, and all committed records of a GPU."""
    of_paper = ["--paper", paper] if paper else []
    ok(script("scripts/report.py", "--results", RESULTS / device, *of_paper, "--to", tmp_path))
    markdown = (tmp_path / "report.md").read_text()
    text = markdown.replace("\\|", "|").replace("\\[", "[").replace("&lt;", "<")
    known = [claim for claim in claims.read_claims() if paper in (None, claim.paper)]
    for claim in known:
        assert claim.claim in text and str(claim.test or claim.untestable) in markdown
    for remark in csv.DictReader(next((RESULTS / device).rglob("remarks.csv")).read_text().splitlines()):
        assert remark["remark"] in text
    markdown = markdown.partition("## All claims")[2].partition("## How verified")[0]
    tested = claims.test_claims(Results.read(RESULTS / device), known)
    judged = [one for one in tested if one.verdict != NO_VERDICT]
    reported = [len(re.findall(rf"\| {SIGNS[verdict]} {verdict} ", markdown)) for verdict in VERDICTS]
    assert sum(reported) == len(judged) and str(ROOT) not in text
    names = ["report.md", *(f"figures/{path.name}" for path in (tmp_path / "figures").iterdir())]
    assert len(names) > figures and {path.name for path in (RESULTS / device / "figures").iterdir()} == {
        path.name for path in (tmp_path / "figures").iterdir()
    }
    for name in names:
        assert (tmp_path / name).read_text() == (RESULTS / device / name).read_text(), (
            f"{name} is out of date; scripts/report.py --results results/{device} writes it anew"
        )


# ---- what it opens with ----


def made_up(name, value, ours, note="", paper="blest", nothing=1, section="1", **more):
    claim = Claim(name, paper, section, f"claim {name}", value, value, note=note, **more)
    answer = Answer({}, nothing, value=ours)
    verdict = NOT_TESTED if ours is None else judge(ours, claim, nothing)
    return Row(claims.Tested(claim, answer, verdict), "")


def test_the_claims_of_abstracts_stand_first():
    rows = [made_up("a", 10.0, 9.0, section="abstract; 4"), made_up("b", 10.0, None, section="abstract")]
    table = overview.abstracts([*rows, made_up("c", 10.0, 9.0)], GPU)
    assert [str(line[1]) for line in overview.abstracts(rows, None).rows] == ["claim a"]
    assert [[str(cell) for cell in line[:5]] for line in table.rows] == [
        ["Blest", "claim a", "10.0x", "9.00x", "✓ reproduced"],
        ["Blest", "claim b", "10.0x", "", "– not tested"],
    ]
    known = [one for one in claims.read_claims() if one.section.startswith("abstract") and one.sense != NUMBER]
    known = [one for one in known if not one.graph]
    first = (RESULTS / "nvidia-h200/report.md").read_text().partition("## All claims")
    assert first[1] and [claim.id for claim in known if claim.claim not in first[0]] == []


def test_a_direction_has_no_number_of_the_paper():
    (line,) = claims_table([made_up("a", 2.0, 1.1, sense=DIRECTION)]).rows
    assert [str(cell) for cell in line[3:6]] == ["", "1.10x", ""]
    (line,) = claims_table([made_up("a", 2.0, 1.1)]).rows
    assert [str(cell) for cell in line[3:6]] == ["2.00x", "1.10x", "0.550"]


def test_the_first_screen_tells_the_machine_and_its_times(folder):
    """Before any claim: the machine, its cores, that nothing disturbed it, and the fastest variant of each graph."""
    write_claims(folder.parent / "claims")
    write(folder, [row("mine", "ckl", 3, HOST, cores="16"), row("mine", "acr", 4, HOST, cores="16")])
    _, markdown = run(folder)
    text = markdown.partition("This report is about one machine")[2]
    first, found, _ = text.partition("What the papers' abstracts claim")
    assert found
    for word in (GPU, HOST, "16", "no other program disturbed the measurements", "2026-01-01"):
        assert word in first, word
    table = [line.split("|")[1:-1] for line in first_table(markdown, "## What was measured here")]
    cells = {line[0].strip(): [cell.strip() for cell in line] for line in table}
    assert cells["mine"] == ["mine", "10", "", "", "3.00", "ckl (CPU)"]
    assert cells["road:5"][4:] == ["1.00", "handoff (GPU)"]
    assert "…" not in markdown


def first_table(markdown, heading):
    lines = markdown.partition(heading)[2].splitlines()
    return [line for line in lines[: lines.index("", lines.index("") + 5)] if line.startswith("|")]


@pytest.mark.parametrize("all_of_it", [False, True])
def test_a_busy_machine_gives_times_but_no_verdict_and_no_advice(all_of_it, tmp_path):
    """Its rows are shown, marked, where nothing else is known of the graph."""
    folder, load = tmp_path / "results", {"cores": "2", "busy_cores": "2", "threads": "2"}
    write_claims(tmp_path / "claims")
    rows = [row(graph, variant, 3, HOST, **load) for graph in ("a", "b") for variant in ("ckl", "acr")]
    write(folder, rows if all_of_it else [*rows, row("quiet", "ckl", 5, HOST), row("quiet", "acr", 6, HOST)])
    result, markdown = run(folder)
    assert result.status == 0, result.err
    of = 4 if all_of_it else 6
    assert f"BUSY: 4 rows of {of} were measured while other programs kept up to 2 cores busy" in markdown
    cells = {line.split("|")[1].strip(): line for line in first_table(markdown, "## What was measured here")}
    assert "acr (CPU), busy" in cells["a"] + cells["b"] or "ckl (CPU), busy" in cells["a"] + cells["b"]
    assert all_of_it or "busy" not in cells["quiet"]
    advice = markdown.partition("## Which algorithm")[2].partition("## How verified")[0]
    assert "| a " not in advice and bool(advice) != all_of_it
    assert "**0** reproduced" in markdown and "**0** not reproduced" in markdown


# ---- without a GPU ----


OF_A_GPU = "dfs:(v|nvg|handoff)|blest:|xbfs:|queue|bitmap|bfs:warp|topo:kahn|pairs:ibfs|balance:"


@pytest.mark.parametrize("emulated", [False, True])
def test_without_a_gpu_only_what_is_about_cpus_has_a_verdict(emulated, tmp_path):
    """The records of a machine that has no GPU, and those of one as if the emulator had made them."""
    folder = as_if_emulated(tmp_path) if emulated else RESULTS / "no-gpu"
    ok(script("scripts/report.py", "--results", folder, "--to", tmp_path))
    markdown = (tmp_path / "report.md").read_text()
    assert re.search(r"No GPU was measured: \d+ claims about one", markdown) and "no times on a GPU" not in markdown
    assert markdown.index("## What was measured here") < 1200
    assert bool(re.search(r"\d+ more rows \([\d,]+ searches\) are of the emulator,", markdown)) == emulated
    results = Results.read(folder)
    assert results.gpu is None
    run = [one for one in claims.test_claims(results, claims.read_claims()) if one.answer.value is not None]
    assert run and not [one.claim.id for one in run if re.search(OF_A_GPU, str(one.claim.test))]
