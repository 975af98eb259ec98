"""Every allocation, and every operation on a file, fails in turn while gtrav does what it is made for.

The program is build/faults/gtrav-faults: gtrav with inject.c and the address, leak and undefined-behaviour
sanitizers. GTRAV_FAULTS_EVERY=N tries only every N'th, and only one failure at a time."""

import gzip
import zlib

import pytest

import faults
from faults import EVERY

MANY = 5000  # no command comes near this many allocations: one that does would never end
MTX = "%%MatrixMarket matrix coordinate pattern general\n5 5 6\n1 2\n2 3\n3 4\n4 1\n3 3\n5 1\n"
INFO = ("--info", "--json", "--quiet", "--graph")
RUN = ("--sources", "3", "--verify", "all", "--csv", "results", "--json", "--quiet", "--graph")

PAIRS = ("--quiet", "--verify", "all", "--graph", "a.mtx", "--pairs", "pairs.csv")
CLOSENESS = ("--verify", "all", "--csv", "results", "--quiet", "--graph")

# name: the commands, of which the last is the one under fault; files of INPUTS are there
COMMANDS = {
    "list": [["--list", "--json"]],
    "list for people": [["--list"]],
    "help": [["--help"]],
    "list of a family": [["--list", "bfs"]],
    "help on a family": [["--help", "bfs"]],
    "completion": [["--completion", "bash"]],
    "mtx": [[*INFO, "a.mtx"]],
    "info for people": [["--info", "--quiet", "--graph", "a.mtx"]],
    "gzip": [[*INFO, "a.mtx.gz"]],
    "edge list": [[*INFO, "a.el", "--undirected"]],
    "edge list, any ids": [[*INFO, "a.el", "--ids", "any"]],
    "edge list, sparse": [[*INFO, "far.el", "--ids", "any"]],
    "dimacs": [[*INFO, "a.gr"]],
    "metis": [[*INFO, "a.graph"]],
    "snb": [[*INFO, "knows.csv"]],
    "text ids": [[*INFO, "names.csv", "--vertices", "people.txt"]],
    "text ids, kept": [
        ["names.csv", "--reorder", "random", "--write", "new.gtrav", "--quiet"],
        [*INFO, "new.gtrav", "--undirected"],
    ],
    "counts": [[*INFO, "counts.txt"]],
    "pairs of names": [
        [
            "msbfs",
            "names.csv",
            "--variant",
            "then",
            "--pairs",
            "named.csv",
            "--quiet",
            "--paths",
            "--output",
            "p.csv",
        ]
    ],
    "ids": [["--graph", "knows.csv", "--write", "new.gtrav", "--quiet"], [*INFO, "new.gtrav"]],
    "ids, reordered": [["--graph", "knows.csv", "--reorder", "rcm", "--write", "new.gtrav", "--quiet"]],
    "write binary": [["--graph", "a.mtx", "--write", "new.gtrav", "--quiet"]],
    "write mtx": [["--graph", "a.mtx", "--write", "new.mtx", "--quiet"]],
    "overwrite": [["--graph", "a.mtx", "--write", "a.el.mtx", "--quiet"]],
    "binary": [["--graph", "a.mtx", "--write", "new.gtrav", "--quiet"], [*INFO, "new.gtrav"]],
    "binary, undirected": [
        ["--graph", "a.mtx", "--write", "new.gtrav", "--quiet"],
        [*INFO, "new.gtrav", "--undirected"],
    ],
    "reorder and write": [
        ["--graph", "a.mtx", "--reorder", "rcm", "--write", "new.gtrav", "--quiet"],
    ],
    "reordered binary": [
        ["--graph", "a.mtx", "--reorder", "jaccard:2", "--write", "new.gtrav", "--quiet"],
        [*INFO, "new.gtrav", "--undirected"],
    ],
    "make cache": [[*INFO, "a.mtx", "--cache"]],
    "use cache": [[*INFO, "a.mtx", "--cache"], [*INFO, "a.mtx", "--cache"]],
    **{spec: [[*INFO, spec]] for spec in ("kron:5", "urand:4", "grid:4x3", "road:4", "rgg:6", "delaunay:5")},
    **{spec: [[*INFO, spec]] for spec in ("dag:30:0.2", "tree:9")},
    "bfs serial": [["--algo", "bfs", "--variant", "serial", *RUN, "kron:4"]],
    "bfs gap, directed": [["--algo", "bfs", "--variant", "gap", *RUN, "a.mtx"]],
    "bfs by rcm": [["--algo", "bfs", "--variant", "serial", *RUN, "kron:7", "--reorder", "rcm"]],
    "bfs by jaccard": [["--algo", "bfs", "--variant", "serial", *RUN, "a.mtx", "--reorder", "jaccard:4"]],
    "bfs on a reordered file": [
        ["--graph", "a.mtx", "--reorder", "random", "--write", "new.gtrav", "--quiet"],
        ["--algo", "bfs", "--variant", "serial", *RUN, "new.gtrav"],
    ],
    "dfs": [["--algo", "dfs", "--variant", "serial", *RUN, "kron:4", "--output", "order.npy"]],
    "dfs ckl": [["--algo", "dfs", "--variant", "ckl", *RUN, "kron:4", "--output", "visited.npy"]],
    "dfs acr": [["--algo", "dfs", "--variant", "acr", *RUN, "kron:4", "--output", "visited.txt"]],
    "topo": [["--algo", "topo", "--variant", "serial", *RUN, "dag:9:0.5", "--output", "order.txt"]],
    "table": [["--algo", "bfs", "--variant", "gap", "--graph", "kron:4", "--quiet", "--source", "1,0"]],
    "sources from a file": [
        ["--algo", "bfs", "--variant", "gap", "--quiet", "--graph", "a.mtx", "--sources-file", "sources.txt"]
    ],
    "more sources": [
        ["--algo", "bfs", "--variant", "serial", *RUN, "kron:4"],
        ["--algo", "bfs", "--variant", "serial", *RUN, "kron:4", "--sources", "5"],
    ],
    **{
        f"msbfs {variant}": [["--algo", "msbfs", "--variant", variant, *RUN, graph, "--set", option]]
        for variant, graph, option in (
            ("serial", "kron:4", "batch=2"),
            ("then", "a.mtx", "width=64"),
            ("pbfs", "path:400", "width=256"),
        )
    },
    "aggregates": [["--algo", "msbfs", "--variant", "then", *RUN, "kron:4", "--aggregates"]],
    "pairs": [["--algo", "msbfs", "--variant", "pbfs", *PAIRS]],
    "pairs as JSON": [["--algo", "msbfs", "--variant", "then", *PAIRS, "--json"]],
    "write to standard output": [["a.mtx", "--write", "-", "--quiet"]],
    "csv output": [["dfs", "a.mtx", "--variant", "serial", *RUN[:4], "--quiet", "--output", "o.csv"]],
    "paths": [
        ["--algo", "msbfs", "--variant", "then", *PAIRS, "--paths", "--reorder", "rcm", "--output", "p.csv"]
    ],
    "pairs by bfs": [["--algo", "bfs", "--variant", "serial", *PAIRS, "--csv", "results"]],
    "closeness": [["--algo", "closeness", "--variant", "then", *CLOSENESS, "a.mtx", "--output", "close.npy"]],
    "closeness, sampled": [
        ["--algo", "closeness", "--variant", "serial", *CLOSENESS, "kron:4", "--sources", "5", "--json"]
    ],
    "resume": [["--algo", "bfs", "--variant", "serial", *RUN, "kron:4", "--output", "level.txt"]] * 2,
}


def write_inputs(folder):
    folder.mkdir()
    (folder / "a.mtx").write_text(MTX)
    (folder / "a.mtx.gz").write_bytes(gzip.compress(MTX.encode(), mtime=0))
    (folder / "a.el").write_text("# comment\n0 1\n1 2\n2 0\n3 3\n")
    (folder / "far.el").write_text("0 9000000000000\n9000000000000 7\n")
    (folder / "a.el.mtx").write_text("an old file\n")
    (folder / "a.gr").write_text("c comment\np sp 3 3\na 1 2 7\na 2 3 1\na 3 1 4\n")
    (folder / "a.graph").write_text("% comment\n4 3\n2\n1 3\n2 4\n3\n")
    (folder / "knows.csv").write_text("Person1Id|Person2Id\n933|77\n77|12\n12|933\n")
    (folder / "names.csv").write_text('src,dst\nann,bob\nbob,"e, ve"\n')
    (folder / "people.txt").write_text("name\nann\nzoe\n")
    (folder / "named.csv").write_text('dst,src\n"e, ve",ann\nnobody,bob\nbob,nobody\n')
    (folder / "counts.txt").write_text("4 9\n0 1\n1 2\n")
    (folder / "pairs.csv").write_text("src,dst\n0,2\n4,0\n0,2\n")
    (folder / "sources.txt").write_text("0\n1 # one\n4\n")


def valid_rows(files):
    """The files; of equal rows of summaries the first. A later run adds rows that differ in times alone, and
    an earlier run's failure stays on record."""
    files = {name: text for name, text in files.items() if not name.endswith("failures.csv")}
    names = [name for name in files if name.endswith(("_perf.csv", "_pairs.csv"))]
    summaries = [name for name in names if "/trials/" not in name]
    return {**files, **{name: list(dict.fromkeys(files[name].splitlines())) for name in summaries}}


@pytest.mark.parametrize("kind", ["memory", "files"])
@pytest.mark.parametrize("name", COMMANDS)
def test_each_failure_is_reported(name, kind, tmp_path):
    template = tmp_path / "template"
    write_inputs(template)
    *earlier, command = COMMANDS[name]
    for setting_up in earlier:
        assert faults.run(setting_up, template).status == 0
    before = faults.contents(template)
    expected = faults.run(command, faults.fresh_copy(template, tmp_path / "expected"))
    assert (expected.status, expected.err) == (0, "")
    first = 1 + zlib.crc32(name.encode()) % EVERY
    for number in range(first, MANY, EVERY):
        hit = False
        for fault in (f"{kind}:{number}", f"{kind}:{number}+")[: 2 if EVERY == 1 else 1]:
            folder = faults.fresh_copy(template, tmp_path / "run")
            outcome = faults.run(command, folder, fault)
            hit = hit or outcome.fault != ""
            what = f"{name}, {fault}: {outcome.fault}"
            faults.check_fault(outcome, before, expected, what)
            if "results" in command:  # what the failure left is a start that the next run completes
                again = faults.run(command, folder)
                assert valid_rows(again.files) == valid_rows(expected.files), f"{what}: not resumed"
        if not hit:
            assert number > 1, "nothing was made to fail"
            return
    pytest.fail(f"{name} still finds something to fail at number {MANY}")
