"""Other programs beside gtrav: made-up programs that lie, and how they are built."""

import csv
import os
import re
import shutil
import subprocess
import sys

from evaluation.campaigns import build_peer, peer_formats, peers

import numpy as np
import pytest

from helpers import GTRAV, SUMMARY, complains, gtrav_json, rows_of, script, write_mtx, write_program


def run(*words, **environment):
    return script("scripts/measure.py", "peers", *words, env={**os.environ, "GTRAV": GTRAV, **environment})


def test_the_table():
    table = peers.read_peers(peers.PEERS)
    rivals = {"tigr", "dawn", "doublegraph", "doublegraph-parents"}
    assert {peer.peer for peer in table} > rivals
    programs = build_peer.read_programs()
    for peer in table:
        assert peer.title and peer.device in ("cpu", "gpu")
        assert set(peer.needs.split()) <= {peers.SYMMETRIC, peers.SHALLOW}
        assert peer.own_name in programs and peer.time and peer.unit in peers.MILLISECONDS
    own = {(entry["family"], entry["variant"]) for entry in gtrav_json("--list")}
    assert not own & {(peer.family, peer.peer) for peer in table}  # they share folders of records


def test_an_unknown_peer_is_refused(tmp_path):
    wrong = run("--peer", "gapbs", "--peer", "gabps", "--graph", "path:9", "--csv", tmp_path / "R")
    complains(wrong, "--peer gabps is not in", "there are gapbs, ", program="measure")
    assert not (tmp_path / "R").exists()


# ---- made-up programs ----

# Searches path:9 and writes what the test wants it to.
PROGRAM = """#!{python}
import sys, time, numpy as np
sources, results, lie = sys.argv[1:4]
sources = open(sources).read().split() if sources.startswith("/") else [sources]
if lie == "crash": sys.exit("no such GPU")
if lie == "hang": time.sleep(600)
for source in map(int, sources):
    levels = abs(np.arange(9) - source)
    if lie == "level": levels[3] += 1
    if results != "-": np.save(f"{{results}}/{{source}}.npy", levels[:8] if lie == "array" else levels)
    for _ in range(2 if len(sources) == 1 else 1):
        print("Time:", "soon" if lie == "word" else 0.25, "seconds")
    if lie == "named": print("version mine-1.2")
    if lie != "few": print("Reached:", 9 - (lie == "count"), "Depth:", levels.max() + (lie == "depth"))
if lie == "itself": print("FAIL")
"""


@pytest.fixture
def program(tmp_path):
    path = write_program(tmp_path / "program", PROGRAM.format(python=sys.executable))

    def run_it(lie, command="{program} {sources} {results}", graph="path:9", **more):
        row = dict.fromkeys(peers.Peer._fields, "")
        row.update(peer="mine", family="bfs", device="cpu", program="PEER_MINE", title="Mine")
        row.update(command=f"{command} {lie}", time=r"^Time: (\S+)", unit="s", reached=r"^Reached: (\d+)")
        row.update({"depth": r"Depth: (\d+)", "wrong": "^FAIL", **more})
        with open(tmp_path / "peers.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, peers.Peer._fields)
            writer.writeheader()
            writer.writerow(row)
        limit = "3" if lie == "hang" else "600"
        table = ("--peers", tmp_path / "peers.csv", "--timeout", limit, "--csv", tmp_path / "r")
        result = run("--graph", graph, "--sources", "4", *table, PEER_MINE=str(path))
        found = [row for path in tmp_path.glob("r/*/bfs_mine_perf.csv") for row in rows_of(path)]
        return result, found[0] if found else None

    return run_it


ALONE = {"command": "{program} {sources} -", "reached": "", "depth": ""}  # times and nothing else


@pytest.mark.parametrize(
    ("verified", "more"),
    [
        ("first", {"command": "{program} {sources} {results}"}),
        ("first", {"command": "{program} {source} {results}"}),
        ("counts", {"command": "{program} {sources} -"}),
        ("itself", {**ALONE, "wrong": "^FAIL"}),
        ("none", {**ALONE, "wrong": ""}),
    ],
)
def test_a_program_that_is_right(verified, more, program):
    result, row = program("named", **more)
    assert result.status == 0 and "250 ms, in" in result.err, result.err
    assert ",".join(row) == SUMMARY.removesuffix(",check")
    assert (row["verified"], row["sources"], row["mean_kernel_ms"]) == (verified, "4", "250")
    assert row["mean_mteps"] == "6.4e-05"
    assert (row["note"], row["trial_ms"], row["source_list"]) == ("Mine", "250 250 250 250", "gap")
    assert row["version"] == "mine-1.2"
    again, row = program("named", **more)  # it is in the records
    assert again.status == 0 and "ms, in" not in again.err and row


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lie", "reason", "verified"),
    [
        ("level", "wrong at vertex 3", "FAILED"),
        ("array", "8 values for 9 vertices", "FAILED"),
        ("count", "8 reached from", "FAILED"),
        ("depth", "depth", "FAILED"),
        ("itself", "it reports that its result is wrong", "FAILED"),
        ("crash", "it ended with status 1: no such GPU", None),
        ("hang", "it takes longer than 3.0 s", None),
        ("few", "it told 0 of 4 reached", None),
        ("word", "time: 'soon' is no number", None),
    ],
)
def test_a_program_that_is_wrong_or_fails(lie, reason, verified, program):
    result, row = program(lie)
    assert (result.status, row and (row["verified"], row["version"])) == (1, verified and (verified, "mine"))
    assert reason in result.err


def test_who_is_not_here_is_left_out(program, tmp_path):
    result, row = program("", most_edges="3")
    assert (result.status, row) == (0, None)
    assert "path:9: bfs mine: left out, it would take too long" in result.err
    for needs, graph, reason in (
        ("symmetric", "dag:9:0.9", "the graph is directed"),
        ("shallow symmetric", "path:999", "the graph has more than 100 levels"),
    ):
        result, row = program("", needs=needs, graph=graph)
        assert (result.status, row) == (0, None)
        assert f"{graph}: bfs mine: left out, {reason}" in result.err
    words = ("--graph", "path:9", "--peers", tmp_path / "peers.csv", "--csv", tmp_path / "r")
    for more, reported in (
        ((), "without mine, which are optional; --peer NAME says how to get one"),
        (
            ("--peer", "mine"),
            "mine: absent; scripts/build_peer.py mine builds it, or PEER_MINE=FILE in the environment names it",
        ),
    ):
        result = run(*words, *more, PEER_MINE="/no")
        assert (result.status, result.err) == (0, f"measure: {reported}\n")


# ---- building them ----


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Builds a program into a folder of the test. Returns the program."""
    monkeypatch.setattr(peers, "BUILT", tmp_path / "built")
    monkeypatch.setattr(build_peer, "BUILT", tmp_path / "built")

    def build_it(name, checkout, **changes):
        build_peer.build(name, {**build_peer.read_programs()[name], **changes}, checkout)
        return str(tmp_path / "built" / name)

    return build_it


def test_a_program_is_built_in_a_copy_of_a_checkout(build, tmp_path, monkeypatch):
    """Of GAP, whose commands make bfs; here that makes a program that says hello."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "Makefile").write_text("bfs:\n\tprintf '#!/bin/sh\\necho hello\\n' > bfs; chmod +x bfs\n")
    program = build("gapbs", checkout)
    assert [path.name for path in checkout.iterdir()] == ["Makefile"]
    (gapbs,) = (peer for peer in peers.read_peers(peers.PEERS) if peer.peer == "gapbs")
    monkeypatch.delenv("PEER_GAPBS", raising=False)
    assert gapbs.find() == program
    assert peers.run_command([program], 10, tmp_path) == "hello\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nothing", "--from", "."), "invalid choice: 'nothing'"),
        (
            ("gswitch", "--from", "."),
            "gswitch: MODERNGPU=FOLDER must name a checkout of ",
        ),
        (("gapbs",), "gapbs: --from CHECKOUT must name a checkout of sbeamer/gapbs"),
        (("gapbs", "--from", "nowhere"), "no folder "),
        (("xbfs", "--from", "tests/data"), "xbfs: a command of programs.ini failed"),
    ],
)
def test_what_cannot_be_built(words, reason):
    result = script("scripts/build_peer.py", *words, env={**os.environ, "MODERNGPU": ""})
    assert (result.status, reason in result.err) == (2, True), result.err


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_pinned_commit_is_fetched(build, tmp_path, monkeypatch):
    """Of a Tigr whose file says hello, once nvcc has copied it; in a later commit it does not."""
    top = tmp_path / "AutomataLab" / "Tigr"
    (top / "shared").mkdir(parents=True)
    git = ["git", "-C", top, "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    for text in ("echo hello", "exit 1"):
        (top / "shared" / "virtual_graph.cpp").write_text(f"#!/bin/sh\n{text}\n")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-qm", "."], check=True)
    first = subprocess.check_output([*git, "rev-parse", "HEAD~"], text=True).strip()
    compiler = 'for word; do case $word in shared/*) from=$word ;; esac; done; cp "$from" "$word"'
    write_program(tmp_path / "nvcc", f"#!/bin/sh\n{compiler}; chmod +x $word\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("GITHUB", str(tmp_path))
    program = build("tigr", None, source=f"AutomataLab/Tigr@{first}")
    assert peers.run_command([program], 10, tmp_path) == "hello\n"


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_search_of_gap_takes_trees_from_a_command(build, tmp_path, monkeypatch):
    """With what bfs.cc needs of it: a search whose first statement is about logging, and a main."""
    (tmp_path / "src").mkdir()
    vector = "template <class T> struct pvector : std::vector<T> { using std::vector<T>::vector; };"
    (tmp_path / "src" / "pvector.h").write_text(f"#pragma once\n#include <vector>\n{vector}\n")
    (tmp_path / "src" / "bfs.cc").write_text(
        "typedef int NodeID;\nstruct Graph { NodeID num_nodes() const { return 4; } };\n"
        "pvector<NodeID> DOBFS(const Graph &g, NodeID source, bool logging_enabled = false) {\n"
        '  if (logging_enabled)\n    puts("source");\n  return {};\n}\n'
        'int main() { for (NodeID parent : DOBFS(Graph(), 2)) printf("%d ", parent); }\n'
    )
    (tmp_path / "checkout").mkdir()
    (tmp_path / "src").rename(tmp_path / "checkout" / "src")
    program = build("gap", tmp_path / "checkout")
    monkeypatch.setenv("GTRAV_BFS", f"{GTRAV} bfs path:4 --variant gap --output-parents --output - --quiet --source")
    assert peers.run_command([program], 10, tmp_path).endswith("\n1 2 2 2 ")


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_drivers_report_what_they_found(tmp_path):
    """A driver of its own, on path:9 from its ends: short searches run twice."""
    (tmp_path / "driver.cc").write_text(
        """#include "search.hpp"
        int main(int argc, char **argv)
        {
            peer::Input input(argc, argv);
            double ms = 0;
            peer::search_all(input, [&](uint32_t source, std::vector<int32_t> &levels) {
                for (size_t v = 0; v < levels.size(); v++)
                    levels[v] = v > source ? v - source : source - v;
                std::vector<int> found(levels.begin(), levels.end()), names(9), parents(9);
                std::iota(names.begin(), names.end(), 0);
                for (int v : names)
                    parents[v] = v == 1 ? 8 : source ? v + 1 : v - 1; // of vertex 1 it is none
                peer::name_levels(names, found, parents, levels);
                return ++ms * input.targets.size() / input.words.size();
            });
        }"""
    )
    np.arange(10, dtype=np.uint64).tofile(tmp_path / "offsets")
    np.zeros(16, np.uint32).tofile(tmp_path / "targets")
    (tmp_path / "sources").write_text("0\n8\n")
    driver, folder = tmp_path / "driver", str(tmp_path)
    include = str(build_peer.SHIMS)
    subprocess.run(["g++", "-std=c++17", "-I", include, tmp_path / "driver.cc", "-o", driver], check=True)
    words = [str(driver), *(f"{folder}/{name}" for name in ("offsets", "targets", "sources")), folder, "a"]
    out = peers.run_command(words, 10, tmp_path)
    assert re.findall(r"\S+ (\S+)\n", out) == ["32.000000", "8", "8", "64.000000", "8", "8"]
    assert np.load(tmp_path / "0.npy").tolist() == [0, -1, *range(2, 9)]
    assert not (tmp_path / "8.npy").exists()


# ---- forms of graphs ----

TRIANGLE_AND_TAIL = [(0, 1), (1, 2), (2, 0), (2, 3)]


def arrays_of(tmp_path, *words):
    graph = write_mtx(tmp_path / "g.mtx", 5, TRIANGLE_AND_TAIL)
    out = tmp_path / "g.gtrav"
    subprocess.run([GTRAV, "--graph", graph, *words, "--write", out, "--quiet"], check=True)
    return peer_formats.read_gtrav(out, peer_formats.WEIGHTED if "--weights" in words else peer_formats.VERSION)


def test_arrays_are_those_of_the_graph(tmp_path):
    offsets, targets = arrays_of(tmp_path)
    assert (offsets.tolist(), targets.tolist()) == ([0, 1, 2, 4, 4, 4], [1, 2, 0, 3])
    assert not peer_formats.is_symmetric(offsets, targets)
    assert [array.tolist() for array in peer_formats.transpose(offsets, targets)] == [
        [0, 1, 2, 3, 4, 4],
        [2, 0, 1, 2],
    ]
    assert peer_formats.is_symmetric(*arrays_of(tmp_path, "--undirected"))


def test_a_file_with_weights_is_that_of_gap(tmp_path):
    offsets, targets, weights = arrays_of(tmp_path, "--weights", "auto")
    assert len(weights) == len(targets) == 4
    peer_formats.write_gapbs_weighted(tmp_path / "g.wsg", offsets, targets, weights)
    found = np.frombuffer((tmp_path / "g.wsg").read_bytes(), np.uint32, offset=1 + 8 * (2 + len(offsets)))
    assert found.tolist() == [x for pair in zip(targets, weights) for x in pair]


def test_a_reordered_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match="not a .gtrav file in the input's order"):
        arrays_of(tmp_path, "--reorder", "random")


@pytest.mark.parametrize("words", [[], ["--undirected"]])
def test_files_of_other_programs(words, tmp_path):
    offsets, targets = arrays_of(tmp_path, *words)
    n, m = len(offsets) - 1, len(targets)
    for name, (ending, write) in peer_formats.FORMATS.items():
        write(tmp_path / f"g.{ending}", offsets, targets)
        assert (tmp_path / f"g.{ending}").is_file(), name

    def read(ending, kind, skip=0):
        return np.fromfile(tmp_path / f"g.{ending}", kind, offset=skip).tolist()

    assert read("offsets.bin", np.uint64) == offsets.tolist()
    assert read("targets.bin", np.uint32) == read("targets64.bin", np.int64) == targets.tolist()
    assert read("adj_bin", np.uint64)[:5] == [0xDEADBEEF, 32, n, m, 0]
    assert read("adj_bin", np.uint32, 40) == [*offsets.tolist(), *targets.tolist()]
    assert (tmp_path / "g.ligra.config").read_text() == f"{n}\n"
    assert read("ligra.idx", np.uint32) == offsets.tolist()[:-1]
    assert read("ligra.adj", np.uint32) == targets.tolist()
    directed = not words
    assert read("sg", np.uint8)[0] == directed
    header = np.frombuffer((tmp_path / "g.sg").read_bytes(), np.int64, n + 3, offset=1)
    assert header.tolist() == [m, n, *offsets.tolist()]
    assert (tmp_path / "g.sg").stat().st_size == 17 + (1 + directed) * (8 * (n + 1) + 4 * m)
