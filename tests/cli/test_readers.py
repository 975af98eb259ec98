"""What gtrav says of a graph that it reads, and generated graphs that are kept.

The formats themselves are in tests/unit/test_readers.c, test_bad_files.c and test_written_files.c."""

import json
import os

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
