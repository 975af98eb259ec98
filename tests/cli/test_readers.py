"""What gtrav says of a graph that it reads, and generated graphs that are kept.

The formats themselves are in tests/unit/test_readers.c, test_bad_files.c and test_written_files.c."""

import json
import os

import pytest

from helpers import BANNER, complains, gtrav, gtrav_ok


def test_one_line_reports_what_was_read(tmp_path):
    (tmp_path / "two.mtx").write_text(BANNER)
    said = gtrav_ok("two.mtx --write out.mtx", cwd=tmp_path).err.splitlines()[0]
    for word in ("two: 3 vertices, 2 undirected edges (4 stored), symmetric file", "0 self-loops"):
        assert word in said
    assert gtrav_ok("two.mtx --write out.mtx --quiet", cwd=tmp_path).err == ""


def test_generated_graphs_are_kept_for_the_same_build(tmp_path):
    environment = {**os.environ, "GTRAV_GRAPHS": str(tmp_path)}
    words = "kron:6 dag:9:0.5 --undirected --info --json"

    def reported():
        graphs = json.loads(gtrav(words, env=environment).out)
        return [{**graph, "load_ms": 0} for graph in graphs]

    first = reported()
    kept = sorted(tmp_path.iterdir())
    assert [path.name for path in kept] == ["dag:9:0.5+undirected.gtrav", "kron:6+undirected.gtrav"]
    times = [path.stat().st_mtime_ns for path in kept]
    assert reported() == first
    assert [path.stat().st_mtime_ns for path in kept] == times

    gtrav_ok("path:5 --write", kept[0])  # a user's own: neither trusted nor overwritten
    complains(gtrav("dag:9:0.5 --undirected --info", env=environment), str(kept[0]), "rename")
    kept[0].write_bytes(b"")
    kept[1].write_bytes(kept[1].read_bytes()[:-5])
    assert reported() == first
    assert reported() == first
    environment["GTRAV_GRAPHS"] = str(tmp_path / "none")
    complains(gtrav("kron:6 --info", env=environment), "none/kron:6.gtrav")
    environment["GTRAV_GRAPHS"] = ""  # as if it were not set
    assert reported() == first


MATRIX = "%%MatrixMarket matrix coordinate {} general\n3 3 2\n"

# what it is -> the files (the first one is loaded), and whether it has weights that differ
WEIGHTS = {
    "pattern": ({"a.mtx": MATRIX.format("pattern") + "1 2\n2 3\n"}, False),
    "real": ({"a.mtx": MATRIX.format("real") + "1 2 1\n2 3 1.5\n"}, True),
    "real, all equal": ({"a.mtx": MATRIX.format("real") + "1 2 1\n2 3 1.0\n"}, False),
    "integer": ({"a.mtx": MATRIX.format("integer") + "1 2 1\n2 3 -1\n"}, True),
    "complex": ({"a.mtx": MATRIX.format("complex") + "1 2 1 0\n2 3 1 2\n"}, True),
    "DIMACS": ({"a.gr": "p sp 3 2\na 1 2 7\na 2 3 8\n"}, True),
    "DIMACS, all equal": ({"a.gr": "p sp 3 2\na 1 2 7\na 2 3 7\n"}, False),
    "METIS": ({"a.graph": "3 2 1\n2 5\n1 5 3 6\n2 6\n"}, True),
    "METIS, of vertices": ({"a.graph": "3 2 10\n5 2\n6 1 3\n7 2\n"}, False),
    "third column": ({"a.el": "0 1 5\n1 2 6\n"}, True),
    "third column, all equal": ({"a.el": "0 1 5\n1 2 5.0\n"}, False),
    "column by name": ({"a.csv": "source,Weight,target\n0,5,1\n1,6,2\n"}, True),
    "column by name, text": ({"a.csv": "source,target,weight\nx,y,5\ny,z,6\n"}, True),
    "not a weight": ({"a.csv": "src,dst,since\n0,1,2010\n1,2,2011\n"}, False),
    "names": ({"a.el": "ann bob 1\nbob eve 2\n"}, True),
    "names, kinds": ({"a.csv": "src,dst,kind\nann,bob,x\nbob,eve,y\n"}, False),
    "networkx": ({"a.edgelist": "0 1 {'weight': 1}\n1 2 {'weight': 2}\n"}, True),
    "Graphalytics": (
        {
            "a.properties": "graph.a.vertex-file = a.v\ngraph.a.edge-file = a.e\ngraph.a.directed = true\n",
            "a.v": "1\n2\n3\n",
            "a.e": "1 2 0.5\n2 3 0.25\n",
        },
        True,
    ),
}


@pytest.mark.parametrize("what", WEIGHTS)
def test_weights_that_are_ignored_are_told(what, tmp_path):
    files, differ = WEIGHTS[what]
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    file = next(iter(files))
    cache = "" if file == "a.properties" else "--cache"
    for line in (f"{file} --write b.gtrav", f"{file} --info {cache}", f"{file} --info {cache}", "b.gtrav --info"):
        said = gtrav_ok(line, cwd=tmp_path).err
        assert said.count("its edges have weights, which are ignored: every edge counts as 1") == differ, line
    for line in ("b.gtrav --reorder degree --write c.gtrav", "c.gtrav --info"):
        assert ("weights" in gtrav_ok(line, cwd=tmp_path).err) == differ, line
