"""Every algorithm that can run here: on larger graphs than the conformance test's, and what --output writes.

Small graphs of every shape are in tests/conformance; tests/python compares with SciPy and NetworkX.
GTRAV_TEST_DEVICE=gpu tests those of the GPU alone."""

import csv

import numpy
import pytest

from helpers import DEVICE, algorithms, complains, gtrav, gtrav_json, gtrav_ok, write_mtx

each = pytest.mark.parametrize("algorithm", algorithms(), ids=lambda a: f"{a['family']}-{a['variant']}")


def command(algorithm):
    names = f"{algorithm['family']} --variant {algorithm['variant']}"
    return f"{names} --device {DEVICE} --verify all"


@each
def test_larger_graphs_from_gap_sources(algorithm):
    """Hundreds of levels, very high degrees, many components: verified by the program itself."""
    acyclic = ["dag:700:0.05", "dag:90:1"]
    for spec in acyclic if algorithm["family"] == "topo" else ["kron:13", "road:9", "rgg:12", acyclic[0]]:
        run = gtrav_json(f"{command(algorithm)} {spec} --sources 8")
        assert [trial["verified"] for trial in run["trials"]] == [True] * 8
        assert run["summary"]["verified"] == "all"


@pytest.mark.parametrize("settings", ["alpha=1", "alpha=100 beta=1"])
def test_more_vertices_of_a_level_than_a_thread_collects(settings, tmp_path):
    """0 has 3,000 neighbours, 2,000 of which have one more, and these one more; beta=1: the last step is top-down."""
    edges = [(0, v) for v in range(1, 3001)]
    edges += [(v, v + 3000) for v in range(1, 2001)] + [(v, v + 2000) for v in range(3001, 5001)]
    path = write_mtx(tmp_path / "broom.mtx", 7001, edges)
    options = " ".join(f"--set {setting}" for setting in f"force=all-threads {settings}".split())
    run = gtrav_json(f"bfs {path} --variant gap --source 0 --threads 1 --verify all {options}")
    assert (run["trials"][0]["reached"], run["summary"]["verified"]) == (7001, "all")


@pytest.mark.parametrize("spec", ["path:5000", "grid:20x250"])
def test_the_default_on_a_cpu_is_no_slower_than_one_thread(spec):
    """On long narrow graphs. It was 100 times slower, because it woke all threads for every level."""
    runs = gtrav_json(f"bfs {spec} --variant serial,gap --source {','.join('0' * 9)} --threads 2")
    serial, gap = (run["summary"]["min_time_ms"] for run in runs)
    assert gap < 5 * serial


@each
def test_output(algorithm, tmp_path):
    """In dag:50:1, a vertex has edges to all with higher numbers. There is one topological order."""
    source = "" if algorithm["family"] in ("topo", "wcc", "scc") else "--source 40"
    for name in ("out.txt", "out.npy"):
        run = gtrav_json(f"{command(algorithm)} dag:50:1 {source} --output", tmp_path / name)
    lines = (tmp_path / "out.txt").read_text().splitlines()
    found = [float(line) for line in lines[1:]]
    assert lines[0].startswith("#") and found == numpy.load(tmp_path / "out.npy").tolist()
    if source:
        assert (run["trials"][0]["reached"], run["trials"][0]["edges"]) == (10, 45)
    if "level" in algorithm["outputs"]:
        assert found == [-1] * 40 + [0] + [1] * 9
    elif "distance" in algorithm["outputs"]:
        assert found[:41] == [float("inf")] * 40 + [0] and max(found[41:]) < 9 * 255
    elif "order" in algorithm["outputs"]:
        assert found == list(range(40 if source else 0, 50))
    data = (tmp_path / "out.npy").read_bytes()
    assert (10 + int.from_bytes(data[8:10], "little")) % 64 == 0  # where the format wants the values to begin


SOURCES = [3, 0, 1]
SEVERAL = {  # on dag:4:1, where source s reaches s and the vertices above it
    "bfs --variant serial": ("vertex,level", [[-1, -1, -1, 0], [0, 1, 1, 1], [-1, 0, 1, 1]]),
    "dfs --variant serial": ("position,vertex", [[3], [0, 1, 2, 3], [1, 2, 3]]),
    "msbfs --variant serial --set batch=2": ("vertex,level", [[-1, -1, -1, 0], [0, 1, 1, 1], [-1, 0, 1, 1]]),
}


@pytest.mark.parametrize("command", SEVERAL)
def test_output_of_several_sources(command, tmp_path):
    """The output has all sources, also those whose trials are in the records."""
    heads, expected = SEVERAL[command]
    asked = f"{command} dag:4:1 --source {','.join(map(str, SOURCES))} --csv r --output"
    for _ in range(2):
        for ending in ("npy", "txt", "csv"):
            said = gtrav_ok(f"{asked} out.{ending}", cwd=tmp_path).err.splitlines()
            assert any(line.startswith(f"out.{ending}: ") and "; 3 sources, " in line for line in said)
        assert numpy.load(tmp_path / "out.npy").tolist() == [row + [-1] * (4 - len(row)) for row in expected]
        lines = (tmp_path / "out.txt").read_text().splitlines()
        titles = [i for i, line in enumerate(lines) if line.startswith("# ")]
        assert [lines[i].split()[-1] for i in titles] == [str(source) for source in SOURCES]
        ends = [*titles[1:], len(lines)]
        assert [[int(x) for x in lines[i + 1 : end]] for i, end in zip(titles, ends)] == expected
        with open(tmp_path / "out.csv") as file:
            (first, *rows) = csv.reader(file)
        assert first == ["source", *heads.split(",")]
        triples = [[s, i, x] for s, row in zip(SOURCES, expected) for i, x in enumerate(row)]
        assert [[int(x) for x in row] for row in rows] == triples


def test_output_that_says_no_source(tmp_path):
    """The default 64 sources are not written unasked. A family without sources has one result."""
    complains(gtrav("bfs path:4 --output x.npy", cwd=tmp_path), "--output", "--source V", "--sources K")
    complains(
        gtrav("bfs path:4 --sources 2 --quiet --output x.graphalytics", cwd=tmp_path), "x.graphalytics", "one source"
    )
    assert not list(tmp_path.iterdir())
    gtrav_ok("wcc path:4 --output x.graphalytics", cwd=tmp_path)
    assert "x.npy" not in gtrav_ok("bfs path:4 --source 0 --quiet -o x.npy", cwd=tmp_path).err
    assert "sources" not in gtrav_ok("bfs path:4 --source 0 --output x.npy", cwd=tmp_path).err
