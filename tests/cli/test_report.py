"""The reproduction report: what queries make of made-up records, and the pages that are written."""

import csv
import os
import re
from html.parser import HTMLParser
from pathlib import Path

from evaluation.analyses.msbfs import PAIRS_COLUMNS
from evaluation.claims import claims
from evaluation.claims.claims import NOT_REPRODUCED, NOT_RUN, REPRODUCED, TREND
from evaluation.claims.queries import ClaimsError, Results, evaluate, read_query
from evaluation.records import RESULTS
from evaluation.report import page, report

import pytest

from helpers import ROOT, SUMMARY, execute, graph_row, script, write_list
from made_up import algorithm, make_up
from test_xbfs import write_levels, write_others, write_times

GPU, HOST = "nvidia-h200", "cpu-x"
EDGES = {"kron:10": 100, "road:5": 1000, "grid:9x9": 5000}  # small ones first
MS = {"v4": (2, 4, 8), "v5": (4, 1, 2), "nvg": (4, 4, 4), "ckl": (1, 8, 16)}
LONGEST_BYTES = 2_000_000


def row(graph, variant, ms, device=GPU, family="dfs", **values):
    known = dict.fromkeys(SUMMARY.split(","), "1")
    known.update(graph=graph, family=family, variant=variant, device=device, options="", note="")
    known.update(mean_kernel_ms=str(ms), mean_mteps=str(1000 / ms), edges=str(EDGES.get(graph, 10)))
    known.update(verified="all", date="2026-01-01T00:00:00Z", sources="64", version="abc", devices="1")
    return {**known, **values}


def write(folder, rows, where=""):
    for one in rows:
        path = folder / where / one["device"] / f"{one['family']}_{one['variant']}_perf.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, SUMMARY.split(","))
            if file.tell() == 0:
                writer.writeheader()
            writer.writerow(one)


def of_all_graphs(device=GPU, times=MS):
    return [
        row(graph, variant, ms, HOST if variant == "ckl" else device, mean_tree_depth=depth)
        for variant, some in times.items()
        for graph, ms, depth in zip(EDGES, some, ("5", "300", "900"))
    ]


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "results", of_all_graphs())
    return tmp_path / "results"


def tell(folder, query, *words, **more):
    return evaluate(Results(folder, *words, **more), read_query(query))


# ---- queries ----


@pytest.mark.parametrize(
    ("query", "value", "graphs"),
    [
        ("speedup of=dfs:v4 over=dfs:nvg", 1, 3),  # 2, 1, 0.5
        ("speedup of=dfs:v4 over=dfs:nvg take=max", 2, 3),
        ("speedup of=dfs:v4 over=dfs:nvg take=mean", 3.5 / 3, 3),
        ("speedup of=dfs:v4 over=dfs:nvg metric=mteps take=max", 2, 3),  # more is better
        ("ratio of=dfs:v4 over=dfs:nvg take=max", 2, 3),
        ("saving of=dfs:v4 over=dfs:nvg", (50 + 0 - 100) / 3, 3),
        ("share of=dfs:v4 over=dfs:nvg", 100 / 3, 3),
        ("share of=dfs:v4 over=dfs:ckl by=1.9", 200 / 3, 3),
        ("share of=dfs:v4 over=dfs:nvg|dfs:ckl", 0, 3),  # the better of them is 1, 4, 4
        ("speedup of=dfs:v? over=dfs:ckl take=min", 0.5, 3),  # the better of v4 and v5 is 2, 1, 2
        ("value of=dfs:v4 take=sum", 14, 3),
        ("value of=dfs:v4 metric=mteps take=max", 500, 3),
        ("value of=dfs:v4 metric=gteps take=max", 0.5, 3),
        ("value of=dfs:v4 metric=depth take=median", 300, 3),
        ("value of=dfs:v4 graphs=road:5", 4, 1),
        ("value of=dfs:v4 graphs=road*,grid* take=mean", 6, 2),
        ("value of=dfs:v4 graph=kron:10,road*", 2, 1),
        ("value of=dfs:v4 graph=GAP-road,road*,grid*", 8, 1),  # the nearest in edges, of 100 to 5,000
        ("value of=dfs:v4 graph=nowhere,kron*,road*", 4, 1),  # the largest
        ("value of=dfs:v4 kind=scale-free", 2, 1),
        ("value of=dfs:v4 kind=not-scale-free take=mean", 6, 2),
        ("value of=dfs:v4 kind=deep,mesh", 8, 1),
        ("value of=dfs:v4 min-edges=500 max-edges=2000", 4, 1),
        ("value of=dfs:v4,on=gpu take=sum", 14, 3),
    ],
)
def test_queries(query, value, graphs, folder):
    outcome = tell(folder, query)
    assert outcome.value == pytest.approx(value)
    assert len(outcome.values) == graphs


@pytest.mark.parametrize(
    ("query", "missing"),
    [
        ("value of=dfs:v3", "rows of dfs:v3"),
        ("speedup of=dfs:v4 over=dfs:v3", "rows of dfs:v3"),
        ("value of=dfs:v4 graphs=kron:30", "the graphs that it is about"),
        ("value of=dfs:v4 graph=GAP-urand,urand:*", "the graphs that it is about"),
        ("value of=dfs:v4,on=cpu", "rows of dfs:v4,on=cpu"),
        ("value of=dfs:v4 metric=divergence", "update_divergence of dfs:v4"),
        ("value of=dfs:v4 in=sensitivity", "rows of dfs:v4"),
        ("value of=xbfs:Ad", "rows of xbfs:Ad"),
        ("value of=blest:Full", "rows of blest:Full"),
        ("value of=balance:baseline metric=variation", "rows of balance:baseline"),
        ("early", "XBFS's levels, traced"),
        ("looked-at", "XBFS's work per frontier"),
        ("enqueue", "the ways to fill a queue"),
        ("misclassified", "Blest's levels, traced all three ways"),
        ("crossover", "path lengths by IBFS's schemes"),
        ("spread of=dfs:v4", "a graph with several settings of dfs:v4"),
        ("memory of=BVSS over=CSR", "the memory of BVSS and CSR"),
    ],
)
def test_what_is_missing_is_told(query, missing, folder):
    assert tell(folder, query) == (None, {}, missing)


def test_rows_that_do_not_count(folder):
    """Failed, not verified, traced, counting, older, of fewer sources, elsewhere; of shares; merged."""
    (folder / "merged").mkdir()
    (folder / "merged" / "ibfs_pairs.csv").write_text("graph,pairs\nkron:10,1\n")
    write(folder, [row("kron:10", "v4", 0.1, date="2027")], "merged")
    write(folder, [row("kron:10", "v4", 0.1, verified="FAILED", date="2027")])
    write(folder, [row("kron:10", "v4", 0.1, verified="none", date="2027")])
    write(folder, [row("kron:10", "v4", 0.1, options="trace=1", date="2027")])
    write(folder, [row("kron:10", "v4", 0.1, date="2027", version="abc-balance")])
    write(folder, [row("kron:10", "v4", 0.1, date="2025")])
    write(folder, [row("kron:10", "v4", 0.1, date="2027", sources="8")])
    write(folder, [row("kron:10", "v4", 0.1, date="2027")], "share-0")
    write(folder, [row("kron:10", "v4", 0.1, date="2027")], "run_sensitivity")
    assert tell(folder, "value of=dfs:v4 graphs=kron:10").value == pytest.approx(2)
    assert tell(folder, "value of=dfs:v4 graphs=kron:10 in=sensitivity").value == pytest.approx(0.1)
    results = Results(folder)
    assert results.left_out == {"FAILED": 1, "none": 1}
    write(folder, [row("kron:10", "v4", 3, date="2028")])
    assert tell(folder, "value of=dfs:v4 graphs=kron:10").value == pytest.approx(3)


def test_options(folder):
    """Those that are not named are the usual ones; a name is matched up to a colon."""
    usual = [row(graph, "v3", 8, options="hot=32 cold=64") for graph in EDGES]
    write(folder, [*usual, row("kron:10", "v3", 2, options="hot=16 cold=64 reorder=random:5")])
    assert tell(folder, "value of=dfs:v3 graphs=kron:10").value == pytest.approx(8)
    for named in ("hot=16", "reorder=random,hot=16", "reorder=random:5,hot=16", "options=any"):
        assert tell(folder, f"value of=dfs:v3,{named} graphs=kron:10").value == pytest.approx(2)
    assert tell(folder, "value of=dfs:v3,hot=17").missing == "rows of dfs:v3,hot=17"
    assert tell(folder, "value of=dfs:v3,options=any").values == {
        ("kron:10", 0): 2,
        ("road:5", 0): 8,
        ("grid:9x9", 0): 8,
    }
    assert tell(folder, "spread of=dfs:v3").value == pytest.approx(4)


def test_the_place(folder):
    """One GPU, that of most rows or the one asked for, and the CPU that goes with it."""
    write(folder, [row("kron:10", "v4", 7, "nvidia-a100"), row("kron:10", "ckl", 9, "cpu-z")])
    query = "value of=dfs:v4 graphs=kron:10"
    assert tell(folder, query).value == pytest.approx(2)
    assert tell(folder, query, "nvidia-a100").value == pytest.approx(7)
    assert tell(folder, query, HOST).missing == "rows of dfs:v4"
    assert Results(folder, HOST).device == HOST
    with pytest.raises(
        ClaimsError, match="nothing of gpu-y .* there is: cpu-x, cpu-z, nvidia-a100, nvidia-h200"
    ):
        Results(folder, "gpu-y")
    (folder / GPU / "provenance.json").write_text('{"cpu_folders": ["cpu-z"], "host": "a host"}')
    assert Results(folder).cpu == "cpu-z"


def test_the_emulator(tmp_path):
    """Its rows decide nothing, neither times nor counts: its graphs are none of the papers'."""
    write(tmp_path, of_all_graphs("emulator"))
    times, depths = "speedup of=dfs:v4 over=dfs:nvg", "value of=dfs:v4 metric=depth take=max"
    assert tell(tmp_path, times).missing == "rows of dfs:v4"
    assert tell(tmp_path, depths).missing == "rows of dfs:v4"
    write(tmp_path, of_all_graphs())
    assert tell(tmp_path, times).value == pytest.approx(1)


def test_no_verdict_from_the_emulator(tmp_path):
    """Of all claims, with records of every part of XBFS, DiggerBees's depths and tasks by the emulator."""
    folder = tmp_path / "results"
    for part in (write_times, write_levels, write_others):
        part(folder / "xbfs", "emulator")
    write(folder, of_all_graphs("emulator"))
    known = claims.read_claims()
    assert {one.verdict for one in claims.test_claims(Results(folder), known)} == {NOT_RUN}
    result = script("scripts/report.py", "--results", folder)
    assert result.status == 0, result.err
    markdown = (folder / "report.md").read_text()
    assert f"**0** reproduced, **0** same trend, **0** not reproduced, **{len(known)}** not run" in markdown
    assert re.search(r"\d+ more rows \([\d,]+ searches\) are of the emulator, which runs GPU code", markdown)
    assert "no verdict, table or plot here uses these rows" in markdown


def test_the_report_without_a_gpu_has_no_verdict():
    """The committed one, of a machine that has no GPU."""
    markdown = (RESULTS / "no-gpu" / "report.md").read_text()
    known = claims.read_claims()
    assert f"{len(known)} claims of 5 papers: **0** reproduced, **0** same trend, **0** not" in markdown
    for claim in known:
        assert f"| – not run | {claim.claim} " in markdown, claim.id


def test_queries_on_xbfs(tmp_path):
    for part in (write_times, write_levels, write_others):
        part(tmp_path / "xbfs")
    told = {
        "speedup of=xbfs:Ad+WB+Async over=xbfs:Enterprise": 8,
        "speedup of=xbfs:Ad over=xbfs:Enterprise": 2,
        "speedup of=xbfs:Ad+WB+Async over=xbfs:gap": 20,
        "early": 75,
        "fewer-checks": 25,
        "looked-at": 100 * 30 / 60,
        "direction of=Enterprise mode=bottom-up": 60,
        "contribution of=scan-free": 10,
        "enqueue": 6**0.5,
        "enqueue size=1e6": 3,
    }
    results = Results(tmp_path)
    assert {query: evaluate(results, read_query(query)).value for query in told} == pytest.approx(told)


def test_queries_on_pairs(folder):
    path = folder / "pairs" / GPU
    path.mkdir(parents=True)
    for variant, times in {"workgroup": (1, 8), "coalesced": (2, 2), "bottomup": (4, 1)}.items():
        known = dict.fromkeys(PAIRS_COLUMNS, "1")
        known.update(graph="snb:1", family="msbfs", variant=f"ibfs-{variant}", device=GPU, verified="all")
        with open(path / f"msbfs_ibfs-{variant}_pairs.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, [*PAIRS_COLUMNS, "options"])
            writer.writeheader()
            for pairs, ms in zip(("10", "1000"), times):
                writer.writerow({**known, "pairs": pairs, "time_ms": ms, "options": ""})
    query = "speedup of=pairs:ibfs-coalesced|pairs:ibfs-bottomup over=pairs:ibfs-workgroup"
    assert tell(folder, query).values == {("snb:1", 10): 0.5, ("snb:1", 1000): 8}
    assert tell(folder, f"{query} min-pairs=1000").value == pytest.approx(8)
    assert tell(folder, "value of=pairs:ibfs-workgroup,pairs=10").values == {("snb:1", 0): 1}
    assert tell(folder, "crossover").value == pytest.approx(1000)


def test_queries_on_balance_and_levels(folder):
    for policy, tasks in (("baseline", (10, 30)), ("diggerbees", (20, 20))):
        path = folder / GPU / f"balance_{policy}" / "balance_kron:10.csv"
        path.parent.mkdir(parents=True)
        lines = [f"kron:10,1,{block},{n},v,d" for block, n in enumerate(tasks)]
        path.write_text("\n".join(["graph,source,block,tasks,version,date", *lines, ""]))
    assert tell(folder, "value of=balance:baseline metric=variation").value == pytest.approx(0.5)
    (folder / GPU / "balance_diggerbees" / "balance_kron:10.csv").write_text(
        "graph,source,block,tasks,version,date\nkron:10,1,0,15,v,d\nkron:10,1,1,25,v,d\n"
    )
    assert tell(
        folder, "speedup of=balance:baseline over=balance:diggerbees metric=variation"
    ).value == pytest.approx(0.5)

    lines = ["options,source,level,frontier,mode,ms"]
    for options, levels in {
        "eta=10 switch=never": ("top-down,1", "top-down,4"),
        "eta=10 switch=auto": ("top-down,1", "top-down,4"),
        "eta=1048576 switch=always": ("bottom-up,3", "bottom-up,1"),
    }.items():
        lines += [f"{options},7,{number},1,{level}" for number, level in enumerate(levels, 1)]
    for place in (Path(GPU), Path(GPU, "blest"), Path("run_blest", GPU)):
        path = folder / place / "traces" / "bfs_blest_kron:10.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([*lines, ""]))
        assert tell(folder, "misclassified").value == pytest.approx(50), place
        assert tell(folder, "optimal").value == pytest.approx(2.5), place
        path.unlink()


# ---- the pages ----

# (id, query, the paper's number, sense, the verdict on the made-up records)
CLAIMS = (
    ("a", "speedup of=dfs:v5 over=dfs:v4", "2", "at least", REPRODUCED),
    ("b", "value of=dfs:v4 take=max", "14", "about", TREND),
    ("c", "speedup of=dfs:v4 over=dfs:nvg", "30", "at least", NOT_REPRODUCED),
    ("d", "speedup of=dfs:v3 over=dfs:nvg", "30", "at least", NOT_RUN),
)
ODD = "<b>odd & \"mean\"</b> | 'name'"


def write_claims(path, some=CLAIMS, paper="diggerbees"):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(claims.COLUMNS)
        for name, query, value, sense, _ in some:
            writer.writerow(
                [name, paper, "4.2, table 1", f"claim {name} {ODD}", query, value, "x", sense, ODD]
            )
    return path


def run(folder, *words):
    to = ("--to", folder.parent / "to", "--claims", folder.parent / "claims.csv")
    result = script("scripts/report.py", "--results", folder, *to, *words)
    names = ("report.html", "report.md")
    return result, *((folder.parent / "to" / name).read_text(encoding="utf-8") for name in names)


class Checker(HTMLParser):
    """Every element is closed where it must be; keeps attributes and text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.attributes, self.text = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.attributes += attributes
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data):
        self.text.append(data)


def check_page(text):
    """Well-formed, and in need of nothing else."""
    checker = Checker(text)
    assert len(text) < LONGEST_BYTES
    for name, value in checker.attributes:
        assert name not in ("src", "srcset", "data", "xlink:href"), name
        assert name != "href" or value.startswith("#"), value
    assert not re.search(r"@import|url\(|<script|<link", text)
    links = [value[1:] for name, value in checker.attributes if name == "href"]
    assert links and set(links) <= {value for name, value in checker.attributes if name == "id"}
    return "".join(checker.text)


def test_a_report(folder):
    write(folder, [row(ODD, variant, 3, HOST) for variant in ("ckl", "acr")])
    write_claims(folder.parent / "claims.csv")
    result, html, markdown = run(folder)
    assert (result.status, result.err) == (0, "")
    assert result.out.split() == [str(folder.parent / "to" / name) for name in ("report.html", "report.md")]
    text = check_page(html)
    assert "4 claims of 5 papers: 1 reproduced, 1 same trend, 1 not reproduced, 1 not run." in text
    assert "**1** reproduced, **1** same trend, **1** not reproduced, **1** not run" in markdown
    rows = [line for line in markdown.splitlines() if re.match(r"\| . (reproduced|same|not) ", line)]
    for (name, query, _, _, verdict), line in zip(CLAIMS, rows):
        assert f"{report.SIGNS[verdict]} {verdict} " in line
        assert f"claim {name} " in line
        shown = rf'{report.SIGNS[verdict]} {verdict}</span></td><td[^>]*><span class="claim">claim {name} '
        assert re.search(shown, html)
        assert query in text and f"`{query}`" in markdown
    assert ODD in text and ODD not in html and "<b>odd" not in html
    assert ODD.replace("|", "\\|") in markdown
    for place in (text, markdown):
        for word in (
            "nvidia-h200",
            "cpu-x",
            "abc",
            "Quadro P6000",
            "rows of dfs:v3",
            "run_subset",
            "2026-01-01",
        ):
            assert word in place
        assert "within a fifth" in place


def test_the_ranking(folder):
    """v5 is the fastest on road:5 and grid:9x9, ckl on kron:10; the emulator's are not in it."""
    write(folder, of_all_graphs("emulator", {"v1": (0.01, 0.01, 0.01)}))
    write(folder, [row(graph, "scipy", 16, HOST) for graph in EDGES])
    write_claims(folder.parent / "claims.csv")
    _, html, markdown = run(folder)
    check_page(html)
    found = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in markdown.splitlines()
        if line.startswith("|")
    ]
    table = {line[0]: line[1:] for line in found}
    assert table["road networks"][:3] == ["1", "v5 (GPU)", "1.00x"]
    assert table["road networks"][3].startswith("nvg (GPU) 4.00x; v4 (GPU) 4.00x; ckl (CPU) 8.00x")
    assert table["scale-free graphs"][1] == "ckl (CPU)"
    lines = [line for line in found if line[:1] == ["grid:9x9"] and len(line) == 10]
    told = ["grid:9x9", "meshes", "5,000", "v5 (GPU)", "2.00", "500", "2.00", "nvg (GPU)", "2.00x", "4"]
    assert lines == [told]
    assert ["grid:9x9", "dfs", "scipy", "16.0", "16.0", "2.00", "1.00x", "8.00x"] in found
    assert "v1 (" not in markdown


def test_what_the_ranking_leaves_out(folder):
    """Other programs, graphs that one alone ran on; and preparing counts for one search alone."""
    write(folder, [row("FEM", "scipy", 1, HOST), row("FEM", "networkit", 2, HOST), row("dag:9", "v5", 1)])
    write(folder, [row("rgg:7", "v5", 1, prepare_ms="50"), row("rgg:7", "ckl", 20, HOST, mean_time_ms="20")])
    write_claims(folder.parent / "claims.csv")
    _, _, markdown = run(folder)
    advice = markdown.partition("### Depth-first search")[2].partition("### Other programs")[0]
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in advice.splitlines()]
    table = {line[0]: line[1:] for line in lines if line}
    assert "scipy" not in advice and "FEM" not in table and "acyclic graphs" not in table
    assert table["dag:9"][2] == "v5 (GPU)" and table["dag:9"][-1] == "1"
    assert table["meshes"][:2] == ["2", "v5 (GPU)"]
    assert table["meshes"][4:] == ["4 of 4", "26.5", "ckl (CPU)"]  # 2 and 51 ms, of order and all
    assert table["rgg:7"][5] == "51.0"


def write_remarks(path, lines, header="id,remark"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([header, *lines, ""]), encoding="utf-8")


def test_remarks_of_who_measured(folder):
    """Of the report's device alone, below the claim's note, in whatever folder of it."""
    write_claims(folder.parent / "claims.csv")
    write_remarks(folder / GPU / "remarks.csv", ['c,"few cores, <slow>"'])
    write_remarks(folder / "run_bench" / GPU / "remarks.csv", ["a,another one"])
    write_remarks(folder / HOST / "remarks.csv", ["b,of the CPU"])
    result, html, markdown = run(folder)
    assert result.status == 0, result.err
    text = check_page(html)
    assert text.count("remark of who measured: ") == 2
    assert re.search(r"claim c .*?remark of who measured: few cores, <slow>how", text, re.DOTALL)
    assert "another one" in text and "of the CPU" not in text + markdown
    (line,) = (line for line in markdown.splitlines() if "few cores, <slow>" in line)
    assert "claim c " in line
    result, html, _ = run(folder, "--device", HOST)
    assert "of the CPU" in html and "few cores" not in html


@pytest.mark.parametrize(
    ("lines", "header", "word"),
    [
        (["z,what"], "id,remark", "line 2: id: z is no claim's"),
        (["a,what", "a,again"], "id,remark", "line 3: id: a is there already"),
        (["a,  "], "id,remark", "line 2: it is an id and a remark"),
        (["a"], "id,remark", "line 2: it is an id and a remark"),
        (["a,one, two"], "id,remark", "line 2: it is an id and a remark"),
        (["a,what"], "id,note", "line 1: the columns are id,remark"),
        (['a,"what'], "id,remark", "cannot read"),
    ],
)
def test_remarks_that_are_none(lines, header, word, folder):
    write_remarks(folder / GPU / "remarks.csv", lines, header)
    to = ("--to", folder.parent / "to", "--claims", write_claims(folder.parent / "claims.csv"))
    result = script("scripts/report.py", "--results", folder, *to)
    assert (result.status, result.out) == (2, "")
    (line,) = result.err.splitlines()
    assert line.startswith("report: ") and "remarks.csv" in line and word in line


def test_what_stands_for_a_graph(folder):
    named = ("e", "value of=dfs:v4 graph=GAP-road,road:*", "4", "about", REPRODUCED)
    own = ("f", "value of=dfs:v4 graph=kron:10,kron:*", "2", "about", REPRODUCED)
    write_claims(folder.parent / "claims.csv", (named, own))
    _, html, markdown = run(folder)
    text = check_page(html)
    assert "1: road:5, for GAP-road" in markdown and "for kron:10" not in markdown
    assert "Of 2 claims about one graph 1 were tested on another" in text


def test_little_is_enough(tmp_path):
    """A CPU alone, a single graph; and only what is not verified, or the emulator's."""
    folder = tmp_path / "results"
    write_claims(tmp_path / "claims.csv")
    write(folder, [row("kron:10", "ckl", 3, HOST)])
    result, html, markdown = run(folder)
    assert result.status == 0, result.err
    check_page(html)
    assert "**4** not run" in markdown and "What holds of five papers on cpu-x" in markdown
    write(
        tmp_path / "other",
        [row("kron:10", "ckl", 3, HOST, verified="none"), row("kron:10", "v4", 3, "emulator")],
    )
    result = script("scripts/report.py", "--results", tmp_path / "other")
    assert (result.status, result.out) == (0, "")
    assert "only rows of the emulator, or that failed or nobody verified" in result.err
    assert not list((tmp_path / "other").rglob("report.*"))


def test_where_it_goes(folder):
    """To the folder that is named, and nowhere else."""
    write_claims(folder.parent / "claims.csv")
    for results in (folder, folder / GPU):
        before = set(folder.rglob("report.*"))
        result = script("scripts/report.py", "--results", results, "--claims", folder.parent / "claims.csv")
        assert result.out.split() == [str(results / name) for name in ("report.html", "report.md")]
        assert set(folder.rglob("report.*")) - before == {results / "report.html", results / "report.md"}


def test_the_newest_run_is_told_of(folder, monkeypatch):
    """Without --results; committed records are no run."""
    monkeypatch.setattr(report, "RESULTS", folder)
    with pytest.raises(ClaimsError, match="no run of scripts/run_all.sh in .*quick_start makes one"):
        report.newest_results()
    for name, seconds in (("quick_start", 9), ("run_xbfs", 7)):
        (folder / name).mkdir()
        (folder / name / "status.csv").write_text("")
        os.utime(folder / name / "status.csv", (seconds, seconds))
    assert report.newest_results() == folder / "quick_start"


def test_a_gpu_folder_has_the_cpu_of_its_host(folder):
    """As the committed records have it: results/nvidia-h200, and the CPU's folder beside it."""
    (folder / GPU / "provenance.json").write_text(f'{{"cpu_folders": ["{HOST}"], "host": "a host"}}')
    outcome = tell(folder / GPU, "speedup of=dfs:v4 over=dfs:ckl")
    assert outcome == tell(folder, "speedup of=dfs:v4 over=dfs:ckl")


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (("--results", "EMPTY"), "no records in"),
        (("--results", "NOWHERE"), "no records in"),
        (("--results", "BROKEN"), "line 2: mean_kernel_ms: 'x' is not a number"),
        (("--device", "gpu-y"), "nothing of gpu-y"),
        (("--claims", "NOWHERE"), "cannot read"),
        (("--claims", "BAD"), "line 3: 'faster' is no measure"),
        (("--to", "FILE"), "FILE"),
    ],
)
def test_what_goes_wrong(words, word, folder, tmp_path):
    for name in ("EMPTY", "BROKEN"):
        (tmp_path / name).mkdir()
    write(tmp_path / "BROKEN", [row("kron:10", "v4", 1, mean_kernel_ms="x")])
    (tmp_path / "FILE").write_text("")
    write_claims(tmp_path / "BAD", [CLAIMS[0], ("e", "faster of=dfs:v4", "2", "about", "")])
    known = {"--results": folder, "--claims": write_claims(tmp_path / "claims.csv"), "--to": tmp_path / "to"}
    known[words[0]] = words[1] if words[0] == "--device" else tmp_path / words[1]
    result = script("scripts/report.py", *(word for pair in known.items() for word in pair))
    assert result.status == 2
    assert result.out == ""
    (line,) = result.err.splitlines()
    assert line.startswith("report: ") and word in line
    assert not list(tmp_path.rglob("report.*"))


def test_the_report_of_the_h200(tmp_path):
    """Of all claims and all committed records."""
    result = script("scripts/report.py", "--results", RESULTS, "--device", "nvidia-h200", "--to", tmp_path)
    assert result.status == 0, result.err
    html, markdown = ((tmp_path / f"report.{ending}").read_text() for ending in ("html", "md"))
    text = check_page(html)
    known = claims.read_claims()
    html, markdown = html.partition('id="how-verified"')[0], markdown.partition("## How verified")[0]
    for claim in known:
        assert claim.claim in text and claim.query.text in text
    for path in RESULTS.rglob("nvidia-h200/remarks.csv"):
        for remark in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
            assert f"remark of who measured: {remark['remark']}" in text
    told = [
        len(re.findall(rf"\| {report.SIGNS[verdict]} {verdict} ", markdown)) for verdict in claims.VERDICTS
    ]
    badges = [html.count(f'<span class="badge w{i}">') for i in range(len(claims.VERDICTS))]
    assert told == badges and sum(told) == len(known)
    assert not any(str(ROOT) in path.read_text() for path in tmp_path.glob("report.*"))


@pytest.mark.slow
def test_a_mode_ends_with_it(tmp_path):
    program, _ = make_up(tmp_path, [algorithm("dfs", "ckl", "cpu"), algorithm("dfs", "v4")])
    wanted = write_list(tmp_path / "list.csv", [graph_row("kron:8", "")])
    to = ("--results", tmp_path / "results", "--figures", tmp_path / "figures", "--offline")
    command = ["scripts/run_all.sh", "run_bench", "--list", wanted, *to]
    result = execute(command, cwd=ROOT, env={**os.environ, "GTRAV": str(program)})
    assert result.status == 0, result.err
    folder = tmp_path / "results"
    assert str(folder / "report.html") in result.out
    assert f"records: {folder / 'cpu-x'}, {folder / 'gpu-x'}; their log: " in result.err
    assert "DEVICE" not in result.err
    check_page((folder / "report.html").read_text())


# ---- parts of pages ----


def test_scales():
    assert page.Scale([3, 3]).at(3) == pytest.approx(50)
    for numbers in ([1e-3, 1e5], [0.9, 1.1], [1, 30], [5, 6], [7, 7]):
        scale = page.Scale(numbers)
        assert all(0 <= scale.at(value) <= 100 for value in (*numbers, *scale.ticks()))
        assert len(scale.ticks()) <= 8
    rows = {f"g{i}": {"a": 1.0, "b": 2.0} for i in range(page.MOST_LINES + 2)}
    assert f"the first {page.MOST_LINES} of {len(rows)}" in page.dot_plot(rows, ["a", "b"], "x")


def test_the_rules_are_those_of_claims():
    table, rest = report.rules()
    assert [row[0].text.split(" ", 1)[1] for row in table.rows] == list(claims.VERDICTS)
    assert table.rows[0][1].startswith("ours is the paper's number") and table.rows[2][1] == "anything else"
    words = " ".join([*(row[1] for row in table.rows), rest.text]).split()
    assert len(words) > 0.9 * len(claims.__doc__.partition("Verdicts:")[2].split()) - 10


def test_names_beside_plots():
    assert page.shortened("kron:20") == "kron:20"
    assert page.shortened("gitobj-git+undirected") == "gitobj-git+…ected"


def test_styles_are_of_what_there_is():
    style = Path(page.STYLE).read_text(encoding="utf-8")
    assert all(f".c{i} " in style and f".b{i} " in style for i in range(page.COLORS))
    assert all(f".v{i} " in style and f".w{i} " in style for i in range(len(claims.VERDICTS)))
    assert "prefers-color-scheme: dark" in style
