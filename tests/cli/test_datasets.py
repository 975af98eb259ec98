"""The lists of graphs."""

import csv
import re
from types import SimpleNamespace

from evaluation import dataset
from evaluation.campaigns import runs

import pytest

from helpers import BANNER, ROOT, gtrav_json, refused, rows_of, script
from made_up import LIST

# ---- lists ----

LISTS = sorted((ROOT / "dataset").glob("*_list.csv")) + sorted((ROOT / "dataset").glob("*_graphs.csv"))


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_lists_are_sound(path):
    with open(path, newline="") as file:
        assert next(csv.reader(file)) == list(dataset.COLUMNS) == list(LIST)
    entries = dataset.read_list(path)
    assert len({entry.name for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.kind
        if entry.generated:
            assert entry.stand_in == ""
            continue
        assert entry.vertices > 0
        assert entry.edges > 0
        if entry.group == "KONECT":
            assert re.fullmatch(
                r"http://konect\.cc/files/download\.tsv\.[\w-]+\.tar\.bz2#\S+/out\.\S+", entry.download_path
            )
        else:
            assert entry.download_path == f"MM/{entry.group}/{entry.name}.tar.gz"
            assert entry.member == f"{entry.name}/{entry.name}.mtx"


def test_lists_agree_on_facts():
    """A graph in several lists is the same in each: stand-ins apart, and gtrav's own words in kind."""
    seen = {}
    for path in LISTS:
        for row in rows_of(path):
            facts = [row[name] for name in ("group", "download_path", "vertices", "edges")]
            if row["group"]:
                facts.append(row["kind"].partition(",")[0])
                assert seen.setdefault(row["name"], facts) == facts, (path.name, row["name"])


def test_lists_are_documented():
    text = (ROOT / "dataset" / "README.md").read_text()
    reported = dict(re.findall(r"^\| (\w+\.csv) +\| +(\d+) \|", text, re.MULTILINE))
    assert reported == {path.name: str(len(rows_of(path))) for path in LISTS}
    assert re.findall(r"^\| (\w+) ", text.partition("## Columns")[2], re.MULTILINE)[1:] == list(LIST)


def names_in(name):
    return [row["name"] for row in rows_of(ROOT / "dataset" / name)]


def test_lists_of_the_papers():
    groups = [row["group"] for row in rows_of(ROOT / "dataset" / "benchmark_list.csv")]
    # DiggerBees, table 3
    assert {name: groups.count(name) for name in set(groups)} == {"DIMACS10": 151, "SNAP": 68, "LAW": 15}
    few, more, most = (set(names_in(f"{name}.csv")) for name in ("rep_graphs", "rep12_graphs", "benchmark_list"))
    assert few < more < most
    # Blest, table II, in its order and with its scale-free ones; XBFS, table 1
    blest = [row["name"] for row in rows_of(ROOT / "dataset" / "blest14_graphs.csv") if "scale-free" not in row["kind"]]
    assert blest == ["GAP-road", "europe_osm", "Spielman_k600", "kmer_V1r"]
    assert (len(names_in("blest14_graphs.csv")), len(names_in("xbfs_list.csv"))) == (14, 10)


@pytest.mark.slow
def test_graphs_of_the_quick_list_can_be_made():
    entries = dataset.read_list(ROOT / "dataset" / "quick_list.csv")
    specs = [entry.graph(ROOT / "nowhere", stand_ins=True) for entry in entries]
    assert None not in specs
    run = ("--algo", "bfs", "--variant", "serial", "--source", "0", "--verify", "none")
    runs = gtrav_json(*run, *(word for spec in specs for word in ("--graph", spec)))
    assert [run["graph"]["name"] for run in runs] == specs


def test_a_graph_of_two_entries_stands_at_the_first(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text(
        HEADER + "".join(f"{name},,,,,,{spec}\n" for name, spec in zip("abc", ("kron:4", "kron:5", "kron:4")))
    )
    settings = SimpleNamespace(graph=[], small=False, list=path, graphs=tmp_path, stand_ins=True)
    chosen = runs.choose_graphs(settings, "quick_list.csv", ())
    assert [(entry.name, graph) for entry, graph in chosen] == [("a", "kron:4"), ("b", "kron:5")]


HEADER = "name,group,download_path,vertices,edges,kind,stand_in\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("graph,group\nx,y\n", "no column name"),
        ("name,group,download_path\n../../etc/passwd,G,\n", "line 2"),
        ("name\nkron:\n", "line 2"),
        ("name,group\nkron:20,GAP\n", "kron:20 is generated"),
        ("name,download_path\nmine,MM/../../mine.tar.gz\n", "download_path: 'MM/../../mine.tar.gz' leads out"),
        ("name,download_path\nmine,/etc/mine.tar.gz\n", "download_path: '/etc/mine.tar.gz' leads out"),
        ("name,group,download_path\nmine,/etc,mine.tar.gz\n", "group: '/etc' leads out"),
        ("name,group\nmine,a/../..\n", "group: 'a/../..' leads out"),
        (HEADER + "mine,,,many,,,\n", "vertices: 'many' is not a number"),
        (HEADER + "mine,,,1,2,graph,mine\n", "stand_in: 'mine' is not a generator's spec"),
        ("name\n", "no graph in it"),
        ("", "no column name"),
    ],
)
def test_bad_list(text, reason, tmp_path):
    (tmp_path / "list.csv").write_text(text)
    for words in (["scripts/download_graphs.py"], ["scripts/measure.py", "experiments"]):
        result = script(*words, tmp_path / "list.csv")
        assert result.status == 2
        assert len(result.err.splitlines()) == 1
        assert str(tmp_path / "list.csv") in result.err
        assert reason in result.err


def test_a_list_of_ones_own(tmp_path):
    (tmp_path / "list.csv").write_text("\ufeffname,my notes\nmine,big\nkron:20,\nweb.mtx,\n")
    (tmp_path / "mine.txt").write_text("0 1\n")
    (tmp_path / "web.mtx").write_text(BANNER)
    mine, kron, web = dataset.read_list(tmp_path / "list.csv")
    assert [entry.graph(tmp_path) for entry in (mine, kron, web)] == [
        *(str(tmp_path / "mine.txt"), "kron:20", str(tmp_path / "web.mtx"))
    ]
    assert not any(entry.download_path for entry in (mine, kron, web))
    result = script("scripts/download_graphs.py", tmp_path / "list.csv", "--to", tmp_path)
    assert (result.status, result.err) == (0, "download_graphs: all 2 graphs are there\n")
    result = script("scripts/download_graphs.py", tmp_path / "list.csv", "--to", tmp_path / "MM")
    refused(result, "mine: no such graph in", "takes mine.mtx from dataset/MM", status=1)


@pytest.mark.parametrize(
    ("path", "member", "file"),
    [
        ("", "g/g.mtx", "g.mtx"),
        ("x/y.tar.bz2#a/b.mtx", "a/b.mtx", "g.mtx"),
        ("http://h/download.tsv.g.tar.bz2#g/out.g", "g/out.g", "g.txt"),
        ("https://h/g.txt.gz", None, "g.txt.gz"),
        ("https://h/other.gr", None, "g.gr"),
        ("https://h/what?id=3", None, "g.txt"),
    ],
)
def test_files_of_downloads(path, member, file, tmp_path):
    (tmp_path / "list.csv").write_text(f"name,group,download_path\ng,G,{path}\n")
    (entry,) = dataset.read_list(tmp_path / "list.csv")
    assert entry.member == member
    assert entry.file(tmp_path).name == file


def test_a_step_on_a_stand_in_names_both():
    entry = dataset.Entry("luxembourg_osm", stand_in="road:13")
    measured = ("road:13", "graphs/road:13.gtrav", "graphs/luxembourg_osm.mtx", None)
    both, own = "road:13 (for luxembourg_osm)", "luxembourg_osm"
    assert [entry.named(graph) for graph in measured] == [both, both, own, own]
