"""Every allocation, and every operation on a file, fails in turn while gtrav does what it is made for.

The program is build/faults/gtrav-faults: gtrav with inject.c and the address, leak and undefined-behaviour
sanitizers. GTRAV_FAULTS_EVERY=N tries only every N'th, and only one failure at a time."""

import gzip
import zlib
from pathlib import Path

import pytest

import faults
from faults import EVERY

MANY = 20000  # nothing comes near this many allocations: what does would never end
MTX = "%%MatrixMarket matrix coordinate pattern general\n5 5 6\n1 2\n2 3\n3 4\n4 1\n3 3\n5 1\n"
INFO = "--info --json --quiet"
RUN = "--sources 3 --verify all --csv results --json --quiet --variant"
PAIRS = "--quiet --verify all --graph a.mtx --pairs pairs.csv"
CLOSENESS = "closeness --verify all --csv results --quiet"
GENERATED = ["kron:5", "urand:4", "grid:4x3", "road:4", "rgg:6", "delaunay:5", "dag:30:0.2", "tree:9"]
KEEP = "--write new.gtrav --quiet"

# name: the commands, of which the last is the one under fault; write_inputs() has the files
COMMANDS = {
    "list": ["--list --json"],
    "list for people": ["--list"],
    "help": ["--help"],
    "list of a family": ["--list bfs --long"],
    "help on a family": ["--help bfs"],
    "mtx": [f"{INFO} a.mtx"],
    "info for people": ["--info --quiet a.mtx"],
    "gzip": [f"{INFO} a.mtx.gz"],
    "edge list": [f"{INFO} a.el --undirected"],
    "edge list, any ids": [f"{INFO} a.el --ids any"],
    "edge list, sparse": [f"{INFO} far.el --ids any"],
    "dimacs": [f"{INFO} a.gr"],
    "metis": [f"{INFO} a.graph"],
    "snb": [f"{INFO} knows.csv"],
    "text ids": [f"{INFO} names.csv --vertices people.txt"],
    "text ids, kept": [f"names.csv --reorder random {KEEP}", f"{INFO} new.gtrav --undirected"],
    "counts": [f"{INFO} counts.txt"],
    "pairs of names": ["msbfs names.csv --variant then --pairs named.csv --quiet --paths --output p.csv"],
    "ids": [f"knows.csv {KEEP}", f"{INFO} new.gtrav"],
    "ids, reordered": [f"knows.csv --reorder rcm {KEEP}"],
    "write binary": [f"a.mtx {KEEP}"],
    "write mtx": ["a.mtx --write new.mtx --quiet"],
    "overwrite": ["a.mtx --write a.el.mtx --quiet"],
    "binary": [f"a.mtx {KEEP}", f"{INFO} new.gtrav"],
    "binary, undirected": [f"a.mtx {KEEP}", f"{INFO} new.gtrav --undirected"],
    "reorder and write": [f"a.mtx --reorder rcm {KEEP}"],
    "reordered binary": [f"a.mtx --reorder jaccard:2 {KEEP}", f"{INFO} new.gtrav --undirected"],
    "make cache": [f"{INFO} a.mtx --cache"],
    "use cache": [f"{INFO} a.mtx --cache"] * 2,
    **{spec: [f"{INFO} {spec}"] for spec in GENERATED},
    "bfs serial": [f"bfs kron:4 {RUN} serial"],
    "bfs gap, directed": [f"bfs a.mtx {RUN} gap"],
    "bfs by rcm": [f"bfs kron:7 {RUN} serial --reorder rcm"],
    "bfs by jaccard": [f"bfs a.mtx {RUN} serial --reorder jaccard:4"],
    "bfs on a reordered file": [f"a.mtx --reorder random {KEEP}", f"bfs new.gtrav {RUN} serial"],
    "dfs": [f"dfs kron:4 {RUN} serial --output order.npy"],
    "dfs ckl": [f"dfs kron:4 {RUN} ckl --output visited.npy"],
    "dfs acr": [f"dfs kron:4 {RUN} acr --output visited.txt"],
    "topo": [f"topo dag:9:0.5 {RUN} serial --output order.txt"],
    "components": [f"scc dag:9:0.5 {RUN} serial --reorder random --output labels.txt"],
    "table": ["bfs kron:4 --variant gap --quiet --source 1,0 --targets 2 --trials"],
    "sources from a file": ["bfs a.mtx --variant gap --quiet --sources-file sources.txt"],
    "compare": [
        *(f"bfs kron:4 --variant serial --quiet --fresh --csv {side}" for side in 4 * ("old", "new")),
        "compare old new",
    ],
    "more sources": [f"bfs kron:4 {RUN} serial", f"bfs kron:4 {RUN} serial --sources 5"],
    "msbfs serial": [f"msbfs kron:4 {RUN} serial --set batch=2"],
    "msbfs then": [f"msbfs a.mtx {RUN} then --set width=64"],
    "msbfs pbfs": [f"msbfs path:400 {RUN} pbfs --set width=256"],
    "aggregates": [f"msbfs kron:4 {RUN} then --aggregates"],
    "pairs": [f"msbfs --variant pbfs {PAIRS}"],
    "pairs from both ends": [f"msbfs --variant adaptive {PAIRS} --paths"],
    "pairs as JSON": [f"msbfs --variant then {PAIRS} --json"],
    "write to standard output": ["a.mtx --write - --quiet"],
    "csv output": ["dfs a.mtx --variant serial --sources 3 --verify all --quiet --output o.csv"],
    "paths": [f"msbfs --variant then {PAIRS} --paths --reorder rcm --output p.csv"],
    "pairs by bfs": [f"bfs --variant serial {PAIRS} --csv results"],
    "betweenness": [f"betweenness a.mtx {RUN} brandes --output b.npy"],
    "closeness": [f"{CLOSENESS} a.mtx --variant then --output close.npy"],
    "closeness, sampled": [f"{CLOSENESS} kron:4 --variant serial --sources 5 --json"],
    "resume": [f"bfs kron:4 {RUN} serial --output level.txt"] * 2,
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
    *earlier, command = (line.split() for line in COMMANDS[name])
    for setting_up in earlier:
        assert faults.run(setting_up, template).status == 0
    check_each_failure(command, kind, template, first=1 + zlib.crc32(name.encode()) % EVERY)


@pytest.mark.parametrize("kind", ["memory", "files"])
def test_each_failure_is_returned(kind, tmp_path, monkeypatch):
    """library.c calls all of libgtrav. The error is returned, with one line, and nothing leaks."""
    monkeypatch.setattr(faults, "PROGRAM", str(Path(faults.PROGRAM).parent / "library-faults"))
    (tmp_path / "template").mkdir()
    check_each_failure(["."], kind, tmp_path / "template")


def check_each_failure(command, kind, template, first=1):
    folder = template.parent / "run"
    before = faults.contents(template)
    expected = faults.run(command, faults.fresh_copy(template, template.parent / "expected"))
    assert (expected.status, expected.err) == (0, "")
    for number in range(first, MANY, EVERY):
        hit = False
        for fault in (f"{kind}:{number}", f"{kind}:{number}+")[: 2 if EVERY == 1 else 1]:
            faults.fresh_copy(template, folder)
            outcome = faults.run(command, folder, fault)
            hit = hit or outcome.fault != ""
            what = f"{' '.join(command)}, {fault}: {outcome.fault}"
            faults.check_fault(outcome, before, expected, what)
            if "results" in command:  # what the failure left is a start that the next run completes
                again = faults.run(command, folder)
                assert valid_rows(again.files) == valid_rows(expected.files), f"{what}: not resumed"
        if not hit:
            assert number > 1, "nothing was made to fail"
            return
    pytest.fail(f"{command} still finds something to fail at number {MANY}")
