"""Records as the command writes them: where they are, time limits, failures.

Of tests/unit, test_records.c has rows and resuming, test_trial_lists.c lists of trials, test_quality.c depths
of trees; tests/faults/test_kill.py has runs that are killed."""

import csv
import json
import os
import subprocess
import sys
import time

from evaluation import files
from evaluation.analyses import tables
from evaluation.analyses.tables import rows_of
from evaluation.failures import read_failures
from evaluation.records import distinct_names, read_records
from evaluation.results import Results
from evaluation.text_tables import as_csv, markdown

import pytest

from helpers import ROOT, SUMMARY, algorithms, complains, execute, gtrav, gtrav_ok, ok, rows_in
from made_up_records import row, write

VARIANT = next(a["variant"] for a in algorithms() if a["family"] == "bfs")
RUN = f"bfs --variant {VARIANT} --quiet --graph"


def summaries(results):
    return rows_in(results, f"*/bfs_{VARIANT}_perf.csv")


def test_columns(tmp_path):
    gtrav_ok(f"{RUN} kron:8 --sources 6 --verify all --csv", tmp_path)
    (summary,) = summaries(tmp_path)
    assert list(summary) == SUMMARY.split(",")
    (path,) = tmp_path.glob("*/*_perf.csv")
    assert summary["device"] == path.parent.name
    found = [summary[name] for name in ("graph", "family", "variant", "sources", "verified")]
    assert found == ["kron:8", "bfs", VARIANT, "6", "all"]
    trials = rows_in(tmp_path, f"*/trials/bfs_{VARIANT}_kron:8.csv")
    assert [row["verified"] for row in trials] == ["yes"] * 6
    for name in ("graph", "vertices", "edges", "options", "device", "version"):
        assert {row[name] for row in trials} == {summary[name]}


def test_repeats(tmp_path, monkeypatch):
    """Each repeat has a row. A summary has the median repeat of each source, and no launch if several measured it."""
    monkeypatch.setenv("GTRAV_TURN", "7")
    for _ in range(2):
        gtrav_ok(f"{RUN} kron:8 --sources 2 --repeats 3 --csv", tmp_path)
    trials = rows_in(tmp_path, f"*/trials/bfs_{VARIANT}_kron:8.csv")
    launches = summaries(tmp_path)
    assert [row["repeat"] for row in trials] == ["1", "2", "3"] * 4
    for summary, rows in zip(launches, (trials[:6], trials[6:]), strict=True):
        assert {row["launch"] for row in rows} == {summary["launch"]} and {row["turn"] for row in rows} == {"7"}
        assert (summary["repeats"], summary["turn"]) == ("3", "7")
        medians = [sorted(float(row["time_ms"]) for row in rows[first : first + 3])[1] for first in (0, 3)]
        assert float(summary["mean_time_ms"]) == pytest.approx(sum(medians) / 2, abs=2e-6)
    assert launches[0]["launch"] != launches[1]["launch"]
    gtrav_ok(f"{RUN} kron:8 --sources 2 --csv", tmp_path)
    reused = summaries(tmp_path)[-1]
    assert (reused["launch"], reused["repeats"]) == ("", "1")
    assert reused["trial_ms"].split() == [f"{float(row['time_ms']):.4g}" for row in (trials[6], trials[9])]


def test_a_busy_machine_is_recorded(tmp_path):
    """Programs that keep every core busy while gtrav starts."""
    cores = os.cpu_count()
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(cores)]
    try:
        gtrav_ok(f"{RUN} path:9 --csv", tmp_path)
    finally:
        for other in others:
            other.kill()
            other.wait()
    (row,) = summaries(tmp_path)
    assert row["cores"] == str(cores) and row["throttled"].isdigit()
    assert 1 <= int(row["busy_cores"]) <= cores


def test_time_limit(tmp_path):
    """Trials end at the limit; the record is complete for it, and goes on under a longer one."""

    def run(seconds):
        asked = f"bfs kron:14 --variant serial --sources 100000 --verify none --time-limit {seconds} --csv"
        said = gtrav_ok(asked, tmp_path).err
        return said, rows_in(tmp_path, "*/bfs_serial_perf.csv")

    said, [row] = run(1)
    assert "the time limit of 1 s ended the run after" in said
    assert 1 <= int(row["sources"]) < 100000
    assert (row["time_limit_s"], row["source_list"]) == ("1", "gap")
    said, again = run(1)
    assert f"{row['sources']} trials reused" in said and "the time limit of 1 s ended the run after" in said
    assert again == [row]
    _, (*_, longer) = run(2)
    assert (longer["time_limit_s"], int(longer["sources"]) > int(row["sources"])) == ("2", True)
    assert run(1)[1][-1] == longer


def test_failures_are_recorded(tmp_path):
    """With the key of the record that it would have been: a later success is seen to be of the same."""
    for _ in range(2):
        complains(gtrav("dfs kron:6 --variant serial --reorder rcm --quiet --csv", tmp_path), "--reorder natural")
    found = rows_in(tmp_path, "*/failures.csv")
    key = ["kron:6", "dfs", "serial", "unsupported"]
    assert [[row[name] for name in ("graph", "family", "variant", "reason")] for row in found] == [key] * 2
    (newest,) = read_failures(next(tmp_path.glob("*/failures.csv")))  # as the scripts read them
    assert "reorder=rcm" in newest["options"].split() and "--reorder natural" in newest["message"]
    time.strptime(newest["date"], "%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize(("mode", "shown"), [("first", True), ("none", False)])
def test_how_deep_trees_are(mode, shown):
    said = gtrav_ok(f"dfs grid:9x9 --variant serial --wide --verify {mode}").out
    assert ("cross share" in said) == shown
    assert not any(line.endswith(" ") for line in said.splitlines())


def test_where_they_are(tmp_path):
    gtrav_ok(f"{RUN} dag:30:0.5 --undirected --sources 2 --csv", cwd=tmp_path)
    gtrav_ok(f"{RUN} kron:6 --sources 2 --csv={tmp_path / 'a' / 'b'}", cwd=tmp_path)
    for folder, graph in (("results/local", "dag:30:0.5+undirected"), ("a/b", "kron:6")):
        assert [row["graph"] for row in summaries(tmp_path / folder)] == [graph]
        assert len(rows_in(tmp_path / folder, f"*/trials/bfs_{VARIANT}_{graph}.csv")) == 2


@pytest.mark.parametrize(
    "command",
    [
        "bfs kron:4 --variant gap --sources 2",
        "bfs kron:4 urand:4 --variant gap,serial --sources 2",
        "closeness kron:4 --variant then",
        "msbfs kron:4 --variant then --pairs p.csv",
        "bfs kron:4 --device cpu-emulator --variant warp --sources 2 --profile",
    ],
)
def test_the_notice_says_where_they_are(command, tmp_path):
    """The notice names all files, with "*" for several names."""
    (tmp_path / "p.csv").write_text("0,1\n")
    for _ in range(2):  # measured, and taken from the records
        err = gtrav_ok(f"{command} --csv R", cwd=tmp_path).err
        (said,) = [line for line in err.splitlines() if line.startswith("records: ")]
        rows, *trials = said.removeprefix("records: ").split(" and ")
        named = [*tmp_path.glob(rows), *(path for name in trials for path in (tmp_path / rows).parent.glob(name))]
        assert sorted(named) == sorted(tmp_path.rglob("R/*/**/*.csv"))
        assert ("*" in said) == ("urand" in command)
    assert "records:" not in gtrav_ok(f"{command} --csv R --quiet", cwd=tmp_path).err


# ---- which graph they are of ----

CHAIN, TRIANGLE = "0 1\n1 2\n2 3\n3 4\n", "0 1\n1 2\n2 0\n3 4\n"  # 5 vertices, 4 edges both
SERIAL = "bfs --variant serial --source 0 --json --quiet --csv"


def counts(folder, *words):
    (run,) = json.loads(gtrav_ok(SERIAL, folder, *words).out)
    (trial,) = run["trials"]
    return (run["resumed"] or {"trials": 0})["trials"], trial["reached"], trial["edges"]


def test_another_graph_of_the_same_name_and_size(tmp_path):
    """Its records are not this one's: another text, other columns, a file of the same name elsewhere."""
    path, csv_of = tmp_path / "g.txt", tmp_path / "records"
    path.write_text(CHAIN)
    assert counts(csv_of, path) == (0, 5, 4)
    assert counts(csv_of, path) == (1, 5, 4)
    path.write_text(TRIANGLE)
    assert counts(csv_of, path, "--verify", "all") == (0, 3, 3)
    assert counts(csv_of, path, "--columns", "2,1") == (0, 3, 3)
    path.write_text(CHAIN)
    assert counts(csv_of, path, "--columns", "2,1") == (0, 1, 0)
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "g.txt"
    other.write_text("".join(reversed(CHAIN.splitlines(keepends=True))))  # the same edges, in another order
    assert counts(csv_of, other) == (1, 5, 4)
    rows = rows_in(csv_of, "*/bfs_serial_perf.csv")
    assert len({one["graph_hash"] for one in rows}) == len(rows) == 4
    assert {(one["graph"], one["vertices"], one["edges"]) for one in rows} == {("g", "5", "4")}


def test_two_variants_on_two_graphs_of_one_name(tmp_path):
    """They stand in two rows of a table, and not beside each other."""
    path = tmp_path / "g.txt"
    for variant, text in (("serial", CHAIN), ("gap", TRIANGLE)):
        path.write_text(text)
        gtrav_ok("bfs --quiet --source 0 --csv", tmp_path, "--graph", path, "--variant", variant)
    rows = rows_of([tmp_path])
    names = {one["variant"]: one["graph"] for one in rows}
    hashes = {one["variant"]: one["graph_hash"] for one in rows}
    assert names == {name: f"g ({hashes[name][:6]})" for name in ("serial", "gap")}
    assert len(set(names.values())) == 2


def test_rows_without_a_hash(tmp_path):
    """An older gtrav's row is of the only graph of its name and size; with several of them, of one of its own."""
    old, new, other = (row("g", "v4", 1, graph_hash=known) for known in ("", "a" * 16, "b" * 16))

    def names(*rows):
        return [(one["graph"], one["graph_hash"][:1]) for one in distinct_names(rows)]

    assert names(old) == [("g", "")]
    assert names(old, new) == [("g", "a"), ("g", "a")]
    assert names(old, new, other) == [("g (1 vertices, 10 edges)", ""), ("g (aaaaaa)", "a"), ("g (bbbbbb)", "b")]
    larger = {**old, "edges": "11"}
    assert names(old, larger) == [("g (1 vertices, 10 edges)", ""), ("g (1 vertices, 11 edges)", "")]
    write(tmp_path, [{**old, "date": "2025"}, {**new, "mean_time_ms": "2", "date": "2026"}])
    assert [one["mean_time_ms"] for one in rows_of([tmp_path])] == ["2"]  # the newer one supersedes the other
    write(tmp_path, [{**other, "variant": "nvg"}])
    assert sorted(set(Results.read(tmp_path).rows.graph)) == ["g (1 vertices, 10 edges)", "g (aaaaaa)", "g (bbbbbb)"]


def test_rows_with_weights(tmp_path):
    """The hash of a graph with weights is another one. That is no second graph of its name."""
    (tmp_path / "g.txt").write_text(CHAIN)
    for family in ("bfs", "sssp"):
        gtrav_ok(f"{family}:serial --quiet --source 0 --csv", tmp_path, "--graph", tmp_path / "g.txt")
    rows = rows_of([tmp_path])
    assert [one["graph"] for one in rows] == ["g", "g"] and len({one["graph_hash"] for one in rows}) == 2


# ---- odd names ----


@pytest.fixture
def odd(tmp_path):
    """Names of files that CSV, JSON, a terminal, Markdown or a spreadsheet would stumble over."""
    names = [b"caf\xe9", b"\x1b[31mred", b"=1+1", b"@sum", b"a|b", b"<img src=x>", "Zürich".encode(), b"\xc2\x9b31m"]
    for name in names:
        (tmp_path / os.fsdecode(name + b".txt")).write_text(CHAIN)
    return tmp_path


def names_in(folder):
    return [f"./{path.name}" for path in folder.glob("*.txt")]


def test_odd_names(odd):
    said = gtrav_ok("bfs --variant serial --source 0 --csv R --json", *names_in(odd), cwd=odd)
    graphs = sorted(run["graph"]["name"] for run in json.loads(said.out))
    assert graphs == sorted(["caf_", "_[31mred", "=1+1", "@sum", "a|b", "<img src=x>", "Zürich", "__31m"])
    shown = gtrav_ok("bfs --variant serial --source 0", *names_in(odd), cwd=odd)
    assert not [c for c in said.err + shown.err + shown.out if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160]
    read = sorted(one["graph"] for one in rows_of([odd / "R"]))
    assert read == sorted(["caf_", "_[31mred", "'=1+1", "'@sum", "a|b", "<img src=x>", "Zürich", "__31m"])
    missing = gtrav("bfs --variant serial", os.fsdecode(b"no\x1b[2J\xff.txt"), cwd=odd)
    assert missing.status == 2 and "no?[2J?.txt" in missing.err


def test_tables_in_any_locale(odd):
    """Also where the terminal lacks the letters."""
    gtrav_ok("bfs --variant serial --source 0 --quiet --csv R", *names_in(odd), cwd=odd)
    plain = {**os.environ, "LC_ALL": "POSIX"}
    command = [sys.executable, "-X", "utf8=0", ROOT / "scripts" / "tables.py", "summary", "--results", "R"]
    done = ok(execute(command, cwd=odd, env=plain))
    assert "Z?rich" in done.out and "a\\|b" in done.out and "&lt;img src=x>" in done.out


def test_no_page_is_written_if_one_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "BLOCKS", {"known": lambda _: "new"})
    pages = [tmp_path / "a.md", tmp_path / "b.md"]
    for page, name in zip(pages, ("known", "unknown")):
        page.write_text(f"\n<!-- begin: {name} -->\nold\n<!-- end: {name} -->\n")
    with pytest.raises(files.RecordsError, match="no block 'unknown'"):
        tables.update_pages(pages, tmp_path, check=False)
    assert "old" in pages[0].read_text()
    assert tables.update_pages(pages[:1], tmp_path, check=True) == 1 and "old" in pages[0].read_text()
    assert tables.update_pages(pages[:1], tmp_path, check=False) == 0 and "new" in pages[0].read_text()
    assert tables.update_pages(pages[:1], tmp_path, check=True) == 0


def test_cells():
    text = markdown(["graph", "< 1%"], [["a|b", 1], ["<img src=x>", 2.5]])
    assert text.splitlines()[2:] == ["| a\\|b           |    1 |", "| &lt;img src=x> | 2.50 |"]
    written = as_csv(["graph", "ms"], [["=1+1", "-0.5"], ["-x", -2], ["@a", "+1e3"], ["+b,c", None]])
    assert list(csv.reader(written.splitlines()[1:])) == [
        ["'=1+1", "-0.5"],
        ["'-x", "-2"],
        ["'@a", "+1e3"],
        ["'+b,c", ""],
    ]


# ---- files as scripts read and write them ----


def test_rows_of_any_bytes(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes(b"graph,ms\ncaf\xe9,1\nb,2\nc,3")  # the last line is torn, though it has all fields
    assert [one["ms"] for one in files.read_rows(path)] == ["1", "2"]


def test_writing_is_atomic(tmp_path, monkeypatch):
    """Wherever it ends, the old text is there, whole."""
    path = tmp_path / "table.md"
    files.write_atomically(path, "old")

    def fails(*_):
        raise OSError("disk full")

    monkeypatch.setattr(files.os, "replace", fails)
    with pytest.raises(OSError, match="disk full"):
        files.write_atomically(path, "new")
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_rows_of_searches_to_a_level_are_left_out(tmp_path):
    write(tmp_path, [row("g", "v4", 1, options="max-depth=2"), row("g", "v4", 3)])
    assert [one["mean_time_ms"] for one in read_records(next(tmp_path.rglob("*_perf.csv")))] == ["3"]


def test_a_loop_that_came_to_the_graph(tmp_path):
    """Loops are not stored, but change what is right: a record of the graph without them is not reused."""
    path = tmp_path / "g.txt"
    command = f"topo {path} --variant serial --verify all --csv {tmp_path / 'records'}"
    path.write_text("0 1\n1 2\n")
    gtrav_ok(command)
    path.write_text("0 1\n1 1\n1 2\n")
    result = gtrav(command)
    assert result.status == 2 and "cycle" in result.err
