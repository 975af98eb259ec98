"""What gtrav says of a graph that it reads, and generated graphs that are kept.

The formats themselves are in tests/unit/test_readers.c, test_bad_files.c and test_written_files.c."""

import gzip
import io
import json
import os
import resource
import tarfile

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
    for line in ("b.gtrav --reorder random --write c.gtrav", "c.gtrav --info"):
        assert ("weights" in gtrav_ok(line, cwd=tmp_path).err) == differ, line


GML = "graph [\n  node [\n    id 0\n  ]\n]\n"
PAJEK = '*Vertices 3\n1 "a"\n2 "b"\n*Arcs\n1 2\n'
ADJACENCY = "#write.py\n# GMT Sat Nov 28\n#\n0 1 2\n1 2\n2\n"

# what it is -> its text, and words of the refusal
FOREIGN = {
    "GML": (GML, "GML", "gtrav.Graph(networkx.read_gml(FILE))"),
    "GML behind a comment": ("# c\ngraph []\n", "GML"),
    "GML of igraph": ('Creator "igraph"\nVersion 1\ngraph\n[\n]\n', "GML"),
    "DOT": ("digraph G {\n  a -> b;\n}\n", "DOT", "read_dot"),
    "DOT, strict": ("strict graph {\n  a -- b;\n}\n", "DOT"),
    "Pajek": (PAJEK, "Pajek", "igraph.Graph.Read_Pajek"),
    "Pajek behind a comment": ("% x\n" + PAJEK, "Pajek"),
    "Pajek, network": ("*Network x\n" + PAJEK, "Pajek"),
    "DL": ("DL n=3\nformat = edgelist1\ndata:\n1 2\n", "DL", "Read_DL"),
    "JSON": ('{"nodes": [], "links": []}\n', "JSON", "node_link_graph"),
    "a list": ("[(0, 1), (1, 2)]\n", "list of Python"),
    "GraphML": ('<?xml version="1.0"?>\n<graphml>\n', "GraphML", "read_graphml"),
    "GEXF": ("<gexf>\n", "read_gexf"),
    "GEXF behind a head": ('<?xml version="1.0"?>\n<gexf>\n', "read_gexf"),
    "JSON, indented": ('{\n  "links": []\n}\n', "edges='links'"),
    "graph6": (">>graph6<<DQc\n", "read_graph6"),
    "an adjacency list": (ADJACENCY, "an adjacency list", "networkx.read_adjlist"),
    "MATLAB": ("MATLAB 5.0 MAT-file, Platform: GLNXA64\n", "scipy.io.loadmat"),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_formats_of_others_are_named(what, tmp_path):
    text, *words = FOREIGN[what]
    for name in ("x", "x.txt", "x.adjlist"):
        (tmp_path / name).write_text(text)
        complains(gtrav("--info", name, cwd=tmp_path), f"{name}:", *words)


def test_words_that_formats_begin_with_may_be_ids(tmp_path):
    (tmp_path / "x.txt").write_text("graph theory\ndl graph\n")
    for options in (["--ids", "auto"], ["--ids", "text"]):
        assert '"vertices": 3' in gtrav_ok("--info --json x.txt", *options, cwd=tmp_path).out
    for words in ("p q\nc b\n", "c b\nc d\n", "Creator ann\nann x\n", "*vertices x\nx y\n"):
        (tmp_path / "x.txt").write_text(words)
        gtrav_ok("--info x.txt", cwd=tmp_path)
    (tmp_path / "y.txt").write_text("[a] [b]\n[b] c\n")
    assert '"vertices": 3' in gtrav_ok("--info --json --ids text y.txt", cwd=tmp_path).out


def test_a_tar_archive_is_named(tmp_path):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        entry = tarfile.TarInfo("ash/ash.mtx")
        entry.size = len(BANNER)
        archive.addfile(entry, io.BytesIO(BANNER.encode()))
    (tmp_path / "ash.tar.gz").write_bytes(gzip.compress(packed.getvalue()))
    complains(gtrav("--info ash.tar.gz", cwd=tmp_path), "ash.tar.gz: a tar archive", ".mtx")


def test_what_is_no_graph_is_named(tmp_path):
    complains(gtrav("bfs rmat:10 --quiet"), "did you mean 'kron:10'")
    complains(gtrav("--info gnp:10 --quiet"), "did you mean 'urand:10'")
    complains(gtrav("bfs https://example.org/a.mtx --quiet"), "https://example.org/a.mtx", "download it")
    (tmp_path / "loop").symlink_to("loop")
    for words in ("bfs loop --quiet", "--info --graph loop"):
        complains(gtrav(words, cwd=tmp_path), "loop", "symbolic links")


def test_leading_zeros(tmp_path):
    zeros = "0" * 30
    (tmp_path / "z.mtx").write_text(f"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n{zeros}1 {zeros}2\n")
    (tmp_path / "z.gr").write_text(f"p sp 3 1\na {zeros}1 {zeros}2 5\n")
    (tmp_path / "z.el").write_text(f"{zeros} {zeros}1\n")
    for name in ("z.mtx", "z.gr", "z.el"):
        said = json.loads(gtrav_ok("--info --json", name, cwd=tmp_path).out)[0]
        assert (said["vertices"], said["edges"]) == (3 if name != "z.el" else 2, 1)


# Under ulimit -f every writer fails with an error, as on a full disk, and leaves no part of a file.
@pytest.mark.parametrize(
    "words",
    [
        "kron:10 --write x.gtrav",
        "kron:10 --write x.mtx",
        "bfs kron:12 --variant serial --sources 2 --output x.npy",
        "bfs kron:12 --variant serial --sources 2 --output x.txt",
        "closeness kron:12 --sources 1 --output x.csv",
    ],
)
def test_a_limit_of_file_sizes(words, tmp_path):
    result = gtrav(
        words, "--quiet", cwd=tmp_path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
    )
    assert result.status == 2
    assert "cannot write: File too large" in result.err
    assert list(tmp_path.iterdir()) == []
