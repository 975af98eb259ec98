"""Records are merged, and tables and WarpNet's figures made of them."""

import csv
import json
import os
import re

from evaluation import methods, records

import pytest

from helpers import GTRAV, SUMMARY, gtrav_ok, script

COLUMNS = SUMMARY.split(",")
ENVIRONMENT = {**os.environ, "GTRAV": GTRAV}


# ---- merging ----


def summary(**values):
    row = dict.fromkeys(COLUMNS, "1")
    row.update(graph="g", family="bfs", variant="serial", options="", device="cpu-x", verified="first")
    row.update(version="1.0", date="2026-01-01T00:00:00Z")
    return {**row, **values}


def write_summary(results, *rows, header=COLUMNS):
    folder = results / rows[0]["device"]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{rows[0]['family']}_{rows[0]['variant']}_perf.csv"
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, header, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


def merged(results, family="bfs"):
    with open(results / "merged" / f"merged_{family}_perf.csv", newline="") as file:
        return list(csv.DictReader(file))


def test_merge(tmp_path):
    write_summary(tmp_path, summary(graph="a"), summary(graph="b", verified="FAILED"))
    write_summary(tmp_path, summary(variant="queue", device="gpu-y", mean_time_ms="0.5"))
    write_summary(tmp_path, summary(variant="queue", device="emulator"))
    write_summary(tmp_path, summary(family="dfs"))
    result = script("scripts/merge_results.py", tmp_path)
    assert result.status == 0, result.err
    assert [(row["graph"], row["variant"], row["device"]) for row in merged(tmp_path)] == [
        ("a", "serial", "cpu-x"),
        ("g", "queue", "gpu-y"),
    ]
    assert len(merged(tmp_path, "dfs")) == 1
    assert "bfs serial on b" in result.err
    assert "1 rows left out" in result.err
    assert list(merged(tmp_path)[0]) == COLUMNS


def test_of_a_key_the_newest_row_is_valid(tmp_path):
    """The last one of a file, also if it failed; a file may have two headers, and a torn line is no row."""
    older = [name for name in COLUMNS if name != "threads"]
    path = write_summary(tmp_path, summary(mean_time_ms="9"), summary(graph="bad"), header=older)
    text = path.read_text()
    write_summary(
        tmp_path,
        summary(threads="", mean_time_ms="8"),
        summary(threads="2", mean_time_ms="7"),
        summary(graph="bad", threads="", verified="FAILED"),
    )
    path.write_text(text + path.read_text() + "g,1,1,bfs,ser")
    result = script("scripts/merge_results.py", tmp_path)
    assert result.status == 0, result.err
    found = {(row["graph"], row["threads"]): row["mean_time_ms"] for row in merged(tmp_path)}
    assert found == {("g", ""): "8", ("g", "2"): "7"}
    assert "bfs serial on bad" in result.err


def test_the_emulator_alone_is_not_merged(tmp_path):
    write_summary(tmp_path, summary(variant="queue", device="emulator"))
    result = script("scripts/merge_results.py", tmp_path)
    assert (result.status, result.out) == (0, "")
    assert "only rows of the emulator" in result.err
    assert not (tmp_path / "merged").exists()


def test_merge_takes_the_later_date(tmp_path):
    old, new = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"
    write_summary(tmp_path / "first", summary(date=new, mean_time_ms="2"))
    write_summary(
        tmp_path / "second", summary(date=old, mean_time_ms="3"), summary(options="alpha=1", date=old)
    )
    result = script(
        "scripts/merge_results.py", tmp_path / "first", tmp_path / "second", "--to", tmp_path / "merged"
    )
    assert result.status == 0, result.err
    assert [(row["options"], row["mean_time_ms"]) for row in merged(tmp_path)] == [
        ("", "2"),
        ("alpha=1", "1"),
    ]


def test_merge_keeps_numbers_of_threads_apart(tmp_path):
    """And rows of an older gtrav, which has no such column, apart from both."""
    rows = [summary(threads=threads, mean_time_ms=threads) for threads in ("1", "16")]
    write_summary(tmp_path / "new", *rows)
    older = [name for name in COLUMNS if name not in ("threads", "build")]
    write_summary(tmp_path / "old", summary(mean_time_ms="5"), header=older)
    folders = [tmp_path / name / "cpu-x" for name in ("new", "old")]
    assert script("scripts/merge_results.py", *folders, "--to", tmp_path / "merged").status == 0
    found = merged(tmp_path)
    assert sorted((row["threads"], row["mean_time_ms"]) for row in found) == [
        ("", "5"),
        ("1", "1"),
        ("16", "16"),
    ]
    assert len(set(records.series_names(found))) == 3


def test_usual_number_of_threads():
    """The one that most graphs were measured with; what does not tell it stays where nothing else is."""
    rows = [summary(graph=name, threads="16") for name in "ab"]
    rows += [summary(graph="a", threads="1"), summary(graph="a", threads=""), summary(graph="c", threads="")]
    rows += [summary(graph="a", variant="queue", device="gpu-x", threads="")]
    kept = [(row["variant"], row["graph"], row["threads"]) for row in records.with_usual_threads(rows)]
    serial = [("serial", "a", "16"), ("serial", "b", "16"), ("serial", "c", "")]
    assert kept == [*serial, ("queue", "a", "")]
    assert [row["threads"] for row in methods.with_usual_options(rows)] == ["16", "16", "", ""]


def test_merge_forgets_what_failed_since(tmp_path):
    write_summary(tmp_path, summary())
    script("scripts/merge_results.py", tmp_path)
    write_summary(tmp_path, summary(verified="FAILED"))
    script("scripts/merge_results.py", tmp_path)
    assert list((tmp_path / "merged").iterdir()) == []


def test_merge_keeps_columns_of_newer_records(tmp_path):
    write_summary(tmp_path, summary())
    extra = summary(variant="new", from_the_future="256")
    write_summary(tmp_path, extra, header=[*COLUMNS, "from_the_future"])
    assert script("scripts/merge_results.py", tmp_path).status == 0
    assert [row["from_the_future"] for row in merged(tmp_path)] == ["256", ""]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda text: text.replace("mean_time_ms", "time"), "line 1: no column mean_time_ms"),
        (lambda text: text.replace("cpu-x,1,", "cpu-x,many,"), "line 2: sources: 'many' is not a number"),
        (lambda text: text[:-30] + "\n", "line 2: fewer fields"),
        (lambda text: text.rstrip() + ",more\n", "line 2: more fields"),
        (lambda text: "", "line 1: no column"),
    ],
)
def test_merge_of_damaged_records(damage, reason, tmp_path):
    path = write_summary(tmp_path, summary())
    path.write_text(damage(path.read_text()))
    result = script("scripts/merge_results.py", tmp_path)
    assert result.status == 2
    assert len(result.err.splitlines()) == 1
    assert f"{path}: {reason}" in result.err
    assert not (tmp_path / "merged").exists()


def test_nothing_to_merge(tmp_path):
    result = script("scripts/merge_results.py", tmp_path)
    assert result.status == 2
    assert "gtrav --csv" in result.err


# ---- tables and figures ----

PAPER = [
    summary(graph="road", edges="200", mean_time_ms="40"),
    summary(graph="big", edges="900000", vertices="12345", mean_time_ms="4545.585"),
    summary(graph="dag:9:0.4", family="dfs", mean_time_ms="18.80"),
    summary(graph="road", family="dfs", mean_time_ms="1"),
    summary(graph="dag:9:0.4", family="topo", variant="kahn", device="nvidia-h200", mean_time_ms="493.85"),
    summary(graph="road", variant="queue", device="nvidia-h200", edges="200", mean_time_ms="0.0324"),
]


@pytest.fixture
def results(tmp_path):
    for family in ("bfs", "dfs", "topo"):
        for device in ("cpu-x", "nvidia-h200"):
            rows = [row for row in PAPER if (row["family"], row["device"]) == (family, device)]
            if rows:
                write_summary(tmp_path, *rows)
    assert script("scripts/merge_results.py", tmp_path).status == 0
    return tmp_path


def test_tables_of_the_paper(results):
    result = script("scripts/tables.py", "paper", "--merged", results / "merged")
    assert result.status == 0, result.err
    with open(results / "merged" / "table_2.csv", newline="") as file:
        assert list(csv.reader(file)) == [
            ["graph", "vertices", "edges", "serial (CPU)", "queue (GPU)"],
            ["road", "1", "200", "40.0", "0.0324"],
            ["big", "12345", "900000", "4545.585", ""],
        ]
    with open(results / "merged" / "table_4.csv", newline="") as file:
        assert list(csv.reader(file)) == [
            ["graph", "vertices", "edges", "dfs serial (CPU)", "topo kahn (GPU)"],
            ["dag:9:0.4", "1", "1", "18.8", "493.85"],
        ]
    text = (results / "merged" / "table_2.md").read_text()
    assert "| road  |        1 |     200 |         40.0 |  **0.0324** |" in text
    assert "4,550" in text
    assert "cpu-x, nvidia-h200" in text
    assert text in result.out


def test_summary_names_the_fastest(results):
    lines = script("scripts/tables.py", "summary", "--merged", results / "merged").out.splitlines()
    road = next(line for line in lines if line.startswith("| road") and "bfs" in line)
    assert "queue (GPU)" in road
    assert "0.0324" in road


def test_two_devices_are_told_apart(results):
    write_summary(results, summary(graph="road", device="cpu-z", edges="200", mean_time_ms="30"))
    script("scripts/merge_results.py", results)
    header = script("scripts/tables.py", "paper", "--merged", results / "merged").out.splitlines()[2]
    for name in ("serial (cpu-x)", "serial (cpu-z)", "queue (GPU)"):
        assert name in header


@pytest.mark.slow
@pytest.mark.parametrize("figure", ["1", "2"])
def test_figures(figure, results):
    plot = ("plot/draw.py", f"warpnet_{figure}")
    result = script(*plot, "--merged", results / "merged", "--to", results / "figures")
    assert result.status == 0, result.err
    assert (results / "figures" / f"fig_warpnet_{figure}.pdf").read_bytes().startswith(b"%PDF")
    assert (results / "figures" / f"fig_warpnet_{figure}.png").read_bytes().startswith(b"\x89PNG")
    nothing = script(*plot, "--merged", results / "nowhere", "--to", results / "figures")
    assert nothing.status == 0
    assert "nothing measured" in nothing.err


README = """# x
<!-- begin: algorithms -->
old
<!-- end: algorithms -->
between
<!-- begin: h200 -->
<!-- end: h200 -->
<!-- begin: quality -->
<!-- end: quality -->
<!-- begin: auto -->
<!-- end: auto -->
<!-- begin: blest -->
<!-- end: blest -->
<!-- begin: msbfs -->
<!-- end: msbfs -->
<!-- begin: blest6 -->
<!-- end: blest6 -->
<!-- begin: pairs -->
<!-- end: pairs -->
<!-- begin: closeness -->
<!-- end: closeness -->
<!-- begin: xbfs -->
<!-- end: xbfs -->
<!-- begin: readers -->
<!-- end: readers -->
<!-- begin: h200 bfs serial -->
<!-- end: h200 bfs serial -->
<!-- begin: speedups bfs gap:serial -->
<!-- end: speedups bfs gap:serial -->
<!-- begin: fastest -->
<!-- end: fastest -->
<!-- begin: balance -->
<!-- end: balance -->
<!-- begin: options bfs gap -->
<!-- end: options bfs gap -->
<!-- begin: modes -->
<!-- end: modes -->
end
"""


def readme(path, results, *arguments):
    return script(
        "scripts/tables.py", "readme", "--readme", path, "--results", results, *arguments, env=ENVIRONMENT
    )


def test_readme(results):
    path = results / "README.md"
    path.write_text(README)
    assert readme(path, results, "--check").status == 1
    assert path.read_text() == README
    assert readme(path, results).status == 0
    assert readme(path, results, "--check").status == 0
    text = path.read_text()
    for entry in json.loads(gtrav_ok("--list", "--json").out):
        assert entry["title"] in text
    assert "<!-- begin: xbfs -->\n\nNot measured yet.\n" in text
    assert "\nold\n" not in text
    assert "Not measured yet." in text
    (results / "readers.csv").write_text("file,MB,ratio\nkron:20,218,3.4x\n")
    (results / "nvidia-h200" / "quality.csv").write_text(
        "graph,family,variant,device,sources,version,mean_tree_depth,mean_cross_share\n"
        "kron:20,dfs,v5,nvidia-h200,64,1.0,37.6,0.998\n"
    )
    for variant, ms in (("berrybees", "3"), ("blest", "1.5")):
        row = summary(variant=variant, mean_time_ms=ms, mean_tree_depth="7")
        write_summary(results / "nvidia-h200" / "blest", row)
    ours = summary(variant="auto", device="nvidia-h200", mean_time_ms="0.5", build_ms="7.25")
    ours.update(device_bytes="3e6", note="ways: k=3")
    write_summary(results, ours)
    assert readme(path, results).status == 0
    faster = next(line for line in path.read_text().splitlines() if line.endswith("| ways          |"))
    for cell in ("1.50", "0.500", "3.0x", "7.25", "3"):
        assert f" {cell} |" in faster
    assert "| kron:20 | 218 |  3.4x |" in path.read_text()
    assert "| max speedup            |       |     1.00x |" in path.read_text()
    assert "| dfs v5              | 38 / 99.8% |" in path.read_text()
    for word in (
        "between",
        "**0.0324**",
        "1,230x",
        "494",
        "Measured 2026-01-01",
        "cpu-x, nvidia-h200",
    ):
        assert word in text


def test_blocks_of_pages(results):
    path = results / "page.md"
    path.write_text(README)
    write_summary(
        results, summary(graph="road", variant="gap", device="cpu-x", edges="200", mean_time_ms="8")
    )
    (results / "nvidia-h200" / "balance.csv").write_text(
        "graph,balance_policy,sources,version,mean_variation\nroad,0,4,1.0,2.32\nroad,1,4,1.0,2.31\n"
    )
    assert readme(path, results).status == 0
    text = path.read_text()
    for line in (
        "| gap over serial |          5.00x | 5.00x | 5.00x |      1 |",
        "| road  |           2.32 |               2.31 |",
        "| run_bench       | the same on all 234 graphs: figures 5, 6, 7        | days          |",
    ):
        assert line in text
    fastest = r"^\| road +\| +1 +\| +200 +\| +0.0324 \| queue +\| +1,230x \| +247x \|"
    assert re.search(fastest, text, re.MULTILINE)
    assert re.search(r"^\| `alpha` +\| gap +\| .*\(default 15; ", text, re.MULTILINE)
    of_serial = text.partition("begin: h200 bfs serial -->")[2].partition("<!-- end")[0]
    assert "| road " in of_serial
    assert "queue" not in of_serial


@pytest.mark.parametrize(
    "text",
    [
        "no markers",
        "<!-- begin: modes -->\n",
        "<!-- end: modes -->\n<!-- begin: modes -->\n",
        "<!-- begin: modes -->\n<!-- begin: auto -->\n<!-- end: modes -->\n<!-- end: auto -->\n",
        "<!-- begin: nonsense -->\n<!-- end: nonsense -->\n",
    ],
)
def test_bad_blocks(text, tmp_path):
    path = tmp_path / "page.md"
    path.write_text(text)
    result = readme(path, tmp_path)
    assert (result.status, len(result.err.splitlines())) == (2, 1)
    assert str(path) in result.err
    assert path.read_text() == text


def test_readme_of_a_build_without_gpu_keeps_the_gpu_rows(results, tmp_path):
    fake = tmp_path / "gtrav"
    listing = [{"family": "bfs", "variant": "serial", "device": "cpu", "outputs": ["level"]}]
    listing[0].update(on_request=[], title="T", citation="C")
    fake.write_text(f"#!/bin/sh\necho '{json.dumps(listing)}'\n")
    fake.chmod(0o755)
    path = results / "README.md"
    row = "| bfs    | queue   | GPU    | level   | Q    | W    |"
    options = "<!-- begin: options bfs gap -->\n"
    path.write_text(README.replace("old", row).replace(options, f"{options}| its options |\n"))
    result = script(
        *("scripts/tables.py", "readme", "--readme", path, "--results", results),
        env={**os.environ, "GTRAV": str(fake)},
    )
    assert result.status == 0, result.err
    assert row in path.read_text()
    assert f"{options}\n| its options |\n\n" in path.read_text()
    assert "| bfs    | serial  | CPU    | level   | T    | C    |" in path.read_text()


def test_readme_uses_the_cpu_of_the_same_host(results):
    write_summary(results, summary(graph="road", device="cpu-elsewhere", edges="200", mean_time_ms="7"))
    (results / "nvidia-h200" / "provenance.json").write_text('{"cpu_folders": ["cpu-x"]}')
    path = results / "README.md"
    path.write_text(README)
    assert readme(path, results).status == 0
    assert "cpu-elsewhere" not in path.read_text()


# ---- mode=paper beside mode=best ----


def ablated(folder, *more):
    """Two variants on graphs g and h; of the second only one mode."""
    both = {"mode=paper size=1": (8.0, 18.0), "mode=best size=9": (2.0, 2.0)}
    rows = [
        summary(variant="queue", device="gpu-y", options=options, graph=graph, mean_time_ms=str(ms))
        for options, times in both.items()
        for graph, ms in zip("gh", times)
    ]
    write_summary(folder, *rows)
    write_summary(folder, summary(variant="warp", device="gpu-y", options="mode=best", mean_time_ms="1"))
    return script("scripts/tables.py", "ablation", "--results", folder, "--merged", folder, *more)


def test_ablation(tmp_path):
    result = ablated(tmp_path)
    assert result.status == 0, result.err
    with open(tmp_path / "ablation.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["variant"], row["graph"]): float(row["gain"]) for row in rows} == {
        ("bfs queue", "g"): 4,
        ("bfs queue", "h"): 9,
        ("bfs queue", "geometric mean"): pytest.approx(6),
    }
    assert re.search(r"bfs queue +\| h +\| +18.0 +\| +2.00 +\| +9.00x", result.out)


def test_no_ablation(tmp_path):
    write_summary(tmp_path, summary(variant="queue", device="gpu-y", options="mode=best"))
    result = script("scripts/tables.py", "ablation", "--results", tmp_path, "--merged", tmp_path)
    assert result.status == 0
    assert "ran both with mode=paper and without it" in result.err
    assert not (tmp_path / "ablation.csv").exists()
