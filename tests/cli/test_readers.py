"""Every format, plain and gzip, as it is found in the wild, gives the same graph."""

import gzip
import json
import os

import pytest
import scipy.io

from helpers import complains, edges_of, gtrav, gtrav_ok, info, read_mtx

# A directed graph with a self-loop and a repeated edge in the file, an undirected one; 5 is isolated in both.
DIRECTED = [(0, 1), (1, 2), (2, 0), (3, 1), (0, 4), (4, 4), (0, 1)]
UNDIRECTED = [(1, 0), (2, 1), (2, 0), (4, 3)]
NUM_VERTICES = 6
EDGES = {(u, v) for u, v in DIRECTED if u != v}
BOTH_WAYS = {(u, v) for u, v in UNDIRECTED} | {(v, u) for u, v in UNDIRECTED}


def mtx(field, symmetry, entries, values=("",)):
    lines = [
        f"%%MatrixMarket matrix coordinate {field} {symmetry}",
        f"{NUM_VERTICES} {NUM_VERTICES} {len(entries)}",
    ]
    for number, (u, v) in enumerate(entries):
        lines.append(f"{u + 1} {v + 1} {values[number % len(values)]}".rstrip())
    return lines


REALS = ("1.5", "-2", "3e-4", "+.5E2", "nan", "-inf", "0.")
COMPLEXES = ("1 2", "-1.5 3e2", "0 -0.0")
SNAP = ["# Directed graph", "# FromNodeId\tToNodeId", *(f"{u}\t{v}" for u, v in DIRECTED), "5\t5"]
METIS_ROWS = ["2 3", "1 3", "1 2", "5", "4", ""]

# name of the file -> its lines and the edges that it means
FORMATS = {
    "pattern.mtx": (mtx("pattern", "general", DIRECTED), EDGES),
    "integer.mtx": (mtx("integer", "general", DIRECTED, ("1", "-2", "+3")), EDGES),
    "real.mtx": (mtx("real", "general", DIRECTED, REALS), EDGES),
    "complex.mtx": (mtx("complex", "general", DIRECTED, COMPLEXES), EDGES),
    "symmetric.mtx": (mtx("pattern", "symmetric", UNDIRECTED), BOTH_WAYS),
    "skew.mtx": (mtx("real", "skew-symmetric", UNDIRECTED, REALS), BOTH_WAYS),
    "hermitian.mtx": (mtx("complex", "hermitian", UNDIRECTED, COMPLEXES), BOTH_WAYS),
    "snap.txt": (SNAP, EDGES),
    "weighted.el": ([f"{u} {v} 0.5 12" for u, v in [*DIRECTED, (5, 5)]], EDGES),
    "comma.csv": ([f"{u},{v}" for u, v in [*DIRECTED, (5, 5)]], EDGES),
    "nameless": (SNAP, EDGES),
    "road.gr": (
        ["c 9th DIMACS challenge", f"p sp 6 {len(DIRECTED)}", *(f"a {u + 1} {v + 1} 7" for u, v in DIRECTED)],
        EDGES,
    ),
    "pace.gr": (["c PACE", "p tw 6 4", *(f"{u + 1} {v + 1}" for u, v in UNDIRECTED)], BOTH_WAYS),
    "colour.col": (["c colouring", "p edge 6 4", *(f"e {u + 1} {v + 1}" for u, v in UNDIRECTED)], BOTH_WAYS),
    "plain.graph": (["% METIS", "6 4", *METIS_ROWS], BOTH_WAYS),
    "edge-weights.graph": (["6 4 1", "2 9 3 9", "1 9 3 8", "1 9 2 8", "5 7", "4 7", ""], BOTH_WAYS),
    "vertex-weights.graph": (["6 4 10", "1 2 3", "2 1 3", "3 1 2", "4 5", "5 4", "6"], BOTH_WAYS),
    "all-weights.graph": (
        ["6 4 111 2", "0 1 1 2 9 3 9", "0 1 1 1 9 3 8", "0 1 1 1 9 2 8", "0 1 1 5 7", "0 1 1 4 7", "0 1 1"],
        BOTH_WAYS,
    ),
}


def header_lines(name):
    """How many lines stand before the first edge."""
    return {"mtx": 2, "graph": 1, "gr": 2, "col": 2}.get(name.partition(".")[2], 0) + (name == "plain.graph")


def comment_of(name):
    ending = name.partition(".")[2]
    return (
        "c a comment"
        if ending in ("gr", "col")
        else "% a comment"
        if ending in ("mtx", "graph")
        else "# a comment"
    )


def in_body(name, lines, line):
    """Puts a line before the first edge and before the last."""
    at = header_lines(name)
    return [*lines[:at], line, *lines[at:-1], line, *lines[-1:]]


def with_blank_lines(name, lines):
    """In METIS a blank line is a vertex without neighbours, so there they may only end the file."""
    return [*lines, "", ""] if name.endswith(".graph") else [*in_body(name, lines, ""), "", "  "]


def upper_case_banner(name, lines):
    return [lines[0].upper(), *lines[1:]] if name.endswith(".mtx") else lines


LENIENCIES = {
    "as it is": lambda name, lines: "\n".join(lines) + "\n",
    "CRLF": lambda name, lines: "\r\n".join(lines) + "\r\n",
    "no final newline": lambda name, lines: "\n".join(lines),
    "leading blanks": lambda name, lines: "\n".join([lines[0], *(f" \t{line}" for line in lines[1:])]) + "\n",
    "trailing blanks": lambda name, lines: "\n".join(f"{line} \t" for line in lines) + "\n",
    "extra spaces": lambda name, lines: "\n".join(line.replace(" ", "   ") for line in lines) + "\n",
    "tabs": lambda name, lines: "\n".join([lines[0], *(line.replace(" ", "\t") for line in lines[1:])])
    + "\n",
    "comments": lambda name, lines: "\n".join(in_body(name, lines, comment_of(name))) + "\n",
    "blank lines": lambda name, lines: "\n".join(with_blank_lines(name, lines)) + "\n",
    "upper-case banner": lambda name, lines: "\n".join(upper_case_banner(name, lines)) + "\n",
}


@pytest.mark.parametrize("packing", ["plain", "gzip"])
@pytest.mark.parametrize("leniency", LENIENCIES)
@pytest.mark.parametrize("name", FORMATS)
def test_format(name, leniency, packing, tmp_path):
    lines, edges = FORMATS[name]
    text = LENIENCIES[leniency](name, lines).encode()
    path = tmp_path / (name if packing == "plain" else f"{name}.gz")
    path.write_bytes(text if packing == "plain" else gzip.compress(text))
    assert edges_of(path, tmp_path) == (NUM_VERTICES, edges)


def test_same_figures_in_every_format(tmp_path):
    figures = {}
    for name, (lines, edges) in FORMATS.items():
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        facts = info(path)
        assert facts["name"] == name.partition(".")[0]
        assert facts["symmetric"] == (edges is BOTH_WAYS)
        assert facts["duplicates_dropped"] == (edges is EDGES)
        for changing in ("name", "origin", "load_ms", "self_loops_dropped"):
            del facts[changing]
        assert figures.setdefault(edges is BOTH_WAYS, facts) == facts


def test_content_beats_the_name(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("\n".join(FORMATS["pattern.mtx"][0]))
    assert edges_of(path, tmp_path) == (NUM_VERTICES, EDGES)


def test_undirected(tmp_path):
    path = tmp_path / "directed.mtx"
    path.write_text("\n".join(FORMATS["pattern.mtx"][0]))
    facts = info(path, "--undirected")
    assert (facts["name"], facts["symmetric"]) == ("directed+undirected", True)
    assert edges_of(path, tmp_path, "--undirected") == (NUM_VERTICES, EDGES | {(v, u) for u, v in EDGES})


def test_one_line_says_what_was_read(tmp_path):
    path = tmp_path / "two.mtx"
    path.write_text("\n".join(FORMATS["symmetric.mtx"][0]))
    said = gtrav_ok("--graph", path, "--write", tmp_path / "out.mtx").err.splitlines()[0]
    for word in ("two: 6 vertices, 4 undirected edges (8 stored), symmetric file", "0 self-loops"):
        assert word in said
    assert gtrav_ok("--graph", path, "--write", tmp_path / "out.mtx", "--quiet").err == ""


@pytest.mark.parametrize("ending", ["mtx", "gtrav"])
@pytest.mark.parametrize("spec", ["kron:8", "road:6", "dag:60:0.3", "path:1", "star:70", "complete:0"])
def test_written_graph_reads_back_the_same(spec, ending, tmp_path):
    path = tmp_path / f"copy.{ending}"
    gtrav_ok("--graph", spec, "--write", path)
    before, after = info(spec), info(path)
    changing = ("name", "origin", "load_ms", "self_loops_dropped", "duplicates_dropped")
    assert {k: v for k, v in before.items() if k not in changing} == {
        k: v for k, v in after.items() if k not in changing
    }
    assert edges_of(path, tmp_path) == edges_of(spec, tmp_path)
    assert [entry.name for entry in tmp_path.iterdir() if "edges-of" not in entry.name] == [path.name]


@pytest.mark.parametrize("spec", ["urand:7", "dag:40:0.5"])
def test_others_read_what_is_written(spec, tmp_path):
    gtrav_ok("--graph", spec, "--write", tmp_path / "out.mtx")
    matrix = scipy.io.mmread(tmp_path / "out.mtx").tocoo()
    num_vertices, edges = read_mtx(tmp_path / "out.mtx")
    assert matrix.shape == (num_vertices, num_vertices)
    assert set(zip(matrix.row.tolist(), matrix.col.tolist())) == edges


def test_binary_form_made_undirected(tmp_path):
    gtrav_ok("--graph", "dag:30:0.3", "--write", tmp_path / "dag.gtrav")
    assert edges_of(tmp_path / "dag.gtrav", tmp_path, "--undirected") == edges_of(
        "dag:30:0.3", tmp_path, "--undirected"
    )


def test_cache_is_used_and_renewed(tmp_path):
    path = tmp_path / "small.mtx"
    path.write_text("\n".join(FORMATS["pattern.mtx"][0]))
    first = info(path, "--cache")
    caches = [entry for entry in tmp_path.iterdir() if entry.suffix == ".gtrav"]
    assert len(caches) == 1
    second = info(path, "--cache")
    assert {**first, "load_ms": 0} == {**second, "load_ms": 0}

    path.write_text("\n".join(FORMATS["symmetric.mtx"][0]))
    assert info(path, "--cache")["edges"] == len(BOTH_WAYS)
    caches[0].write_bytes(caches[0].read_bytes()[:-5])
    assert info(path, "--cache")["edges"] == len(BOTH_WAYS)
    assert info(caches[0])["edges"] == len(BOTH_WAYS)
    assert info(path, "--cache", "--undirected")["edges"] == len(BOTH_WAYS)


def test_generated_graphs_are_kept_for_the_same_build(tmp_path):
    environment = {**os.environ, "GTRAV_GRAPHS": str(tmp_path)}
    words = ("--graph", "kron:6", "--graph", "dag:9:0.5", "--undirected", "--info", "--json")

    def reported():
        graphs = json.loads(gtrav(*words, env=environment).out)
        return [{**graph, "load_ms": 0} for graph in graphs]

    first = reported()
    kept = sorted(tmp_path.iterdir())
    assert [path.name for path in kept] == ["dag:9:0.5+undirected.gtrav", "kron:6+undirected.gtrav"]
    times = [path.stat().st_mtime_ns for path in kept]
    assert reported() == first
    assert [path.stat().st_mtime_ns for path in kept] == times

    gtrav_ok("--graph", "path:5", "--write", kept[0])  # a user's own: neither trusted nor overwritten
    complains(gtrav("dag:9:0.5", *words[4:], env=environment), str(kept[0]), "rename")
    kept[0].write_bytes(b"")
    kept[1].write_bytes(kept[1].read_bytes()[:-5])
    assert reported() == first
    assert reported() == first
    environment["GTRAV_GRAPHS"] = str(tmp_path / "none")
    complains(gtrav("--graph", "kron:6", "--info", env=environment), "none/kron:6.gtrav")
    environment["GTRAV_GRAPHS"] = ""  # as if it were not set
    assert reported() == first
