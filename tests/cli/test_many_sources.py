"""Many sources at once: batches, records, pairs, closeness, and graphs of who knows whom.

That the answers are right is for the conformance test, tests/unit/test_pairs.c and test_closeness.c."""

import gzip

import numpy
import pytest

from helpers import DEVICE, complains, gtrav, gtrav_json, gtrav_ok, info, read_json, rows_in, write_mtx


def test_batches_in_records(tmp_path):
    """Resumed batches: tests/unit/test_many_sources.c."""
    options = "msbfs kron:6 --variant serial --csv records --quiet --sources"
    gtrav_ok(f"{options} 40", cwd=tmp_path)
    trials = rows_in(tmp_path, "records/*/trials/msbfs_serial_kron:6.csv")
    assert [row["batch_sources"] for row in trials] == ["16"] * 32 + ["8"] * 8
    gtrav_ok(f"{options} 48 --set batch=1 --aggregates", cwd=tmp_path)
    summaries = rows_in(tmp_path, "records/*/msbfs_serial_perf.csv")
    found = [(row["options"], row["batch_sources"]) for row in summaries]
    assert found == [("batch=16", "16"), ("batch=1 output=aggregates", "1")]


def test_levels_of_more_bytes(tmp_path):
    """Levels beyond one byte, and beyond two, and what is left to them in batches of several searches."""
    for variant in ("then", "pbfs"):
        run = gtrav_json(f"msbfs path:700 --variant {variant} --source 0,350,699 --verify all")
        assert run["summary"]["verified"] == "all"
    (tmp_path / "pairs.csv").write_text("0,65599\n")
    asked = "msbfs path:65600 --variant then --pairs pairs.csv --paths --verify none"
    _, row = gtrav_ok(asked, cwd=tmp_path).out.splitlines()
    assert row == f"0,65599,65599,{' '.join(map(str, range(65600)))}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        "push-edges=0 mark-edges=0 relabel=1 planes=2 byte-levels=2",
        "push-edges=100 list-pairs=256 batch=32 --aggregates",
    ],
)
def test_rows_by_every_way(settings):
    """Pulls after marks, or lists, of which each runs out. The conformance test has each option alone."""
    graphs = "path:100 star:5000 kron:8 grid:9x7 urand:8:4 dag:200:0.05"
    asked = f"msbfs {graphs} --variant bitparallel --device {DEVICE} --sources 70 --quiet --verify all"
    for word in settings.split():
        asked += f" {word}" if word.startswith("--") else f" --set {word}"
    gtrav_ok(asked)


def test_a_high_degree_vertex_among_small_rows(tmp_path):
    """It has warps to itself though degrees are not heavy-tailed."""
    n = 21_000
    edges = [(v, (v + 1) % n) for v in range(n)] + [(n, v) for v in range(0, n, 5)]
    path = write_mtx(tmp_path / "high.mtx", n + 1, [*edges, *((v, u) for u, v in edges)])
    asked = f"msbfs --variant bitparallel --device {DEVICE} --source 0,1,20000 --set push-edges=0"
    run = gtrav_json(f"{asked} --verify all --quiet", path)
    assert f"{n + 1} rows by degree, high degrees first" in run["note"]


# ---- pairs ----


def test_pairs_to_a_file_and_to_records(tmp_path):
    (tmp_path / "pairs.csv.gz").write_bytes(gzip.compress(b"0,9\n9,0\n"))
    asked = "msbfs path:10 --variant then --pairs pairs.csv.gz --csv r"
    for _ in range(2):
        result = gtrav_ok(f"{asked} --output lengths.csv --quiet", cwd=tmp_path)
        assert result.out == result.err == ""
        assert (tmp_path / "lengths.csv").read_text() == "src,dst,length\n0,9,9\n9,0,9\n"
    _, row = rows_in(tmp_path, "r/*/msbfs_then_pairs.csv")  # one for each run
    assert (row["graph"], row["pairs"], row["sources"], row["batches"]) == ("path:10", "2", "2", "1")
    whole, reset, kernel = (float(row[name]) for name in ("time_ms", "reset_ms", "kernel_ms"))
    assert row["verified"] == "first" and reset > 0 and kernel > 0 and whole >= reset + kernel - 2e-6
    assert "2 pairs, 2 searches in 1 batch of up to " in gtrav_ok(asked, cwd=tmp_path).err


# ---- closeness ----


@pytest.mark.parametrize(("more", "exact"), [("", True), ("--sources 3", False)])
def test_closeness(more, exact, tmp_path):
    """Of a path of three vertices and one of two, each component for itself."""
    (tmp_path / "paths.txt").write_text("0 1\n1 2\n3 4\n")
    asked = f"closeness paths.txt --undirected --variant then --verify all {more} --output c.npy --json"
    run = read_json(gtrav_ok(asked, cwd=tmp_path).out)
    found = numpy.load(tmp_path / "c.npy")
    assert (found.dtype, run["algorithm"]["family"]) == (numpy.float64, "closeness")
    assert (run["exact"], run["verified"]) == (exact, "all")
    assert [top["closeness"] for top in run["top"]] == sorted(found, reverse=True)[: len(run["top"])]
    assert not exact or found == pytest.approx([1 / 3, 1 / 2, 1 / 3, 1 / 4, 1 / 4])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.npy", "paths.txt"]


def test_closeness_in_records(tmp_path):
    table = gtrav_ok("closeness kron:6 --variant then --csv r --quiet", cwd=tmp_path).out
    assert "closeness then" in table
    (row,) = rows_in(tmp_path, "r/*/closeness_then_perf.csv")
    found = [row[name] for name in ("family", "variant", "sources", "verified")]
    assert found == ["closeness", "then", "64", "first"]
    assert float(row["mean_mteps"]) > 0 and int(row["batch_sources"]) == 64
    assert not list(tmp_path.glob("r/*/trials/*"))


# ---- who knows whom ----

KNOWS = "Person1Id|Person2Id|creationDate\n933|4139|1\n4139|35184372099695|2\n35184372099695|77|3\n5|6|4\n"


def test_snb_file(tmp_path):
    path = tmp_path / "person_knows_person_0_0.csv"
    path.write_text(KNOWS)
    facts = info(path)
    assert [facts[name] for name in ("name", "vertices", "edges", "symmetric")] == [path.stem, 6, 8, True]
    (tmp_path / "pairs.csv").write_text("src|dst\n933|77\n5|933\n")
    gtrav_ok("--reorder rcm", path, "--write", tmp_path / "knows.gtrav")
    for graph in (path, tmp_path / "knows.gtrav"):
        result = gtrav_ok("msbfs --paths --quiet", graph, "--pairs", tmp_path / "pairs.csv")
        assert result.out == ("src,dst,length,path\n933,77,3,933 4139 35184372099695 77\n5,933,-1,\n")
        run = gtrav_json("bfs --source 35184372099695 --verify all", graph)
        assert [(trial["source"], trial["reached"]) for trial in run["trials"]] == [(5, 4)]  # the highest id
        complains(gtrav("msbfs --source 7 --quiet", graph), "--source: 7 is not a vertex", "ids of its file")


def test_snb_generator():
    facts = info("snb:1")
    assert (facts["vertices"], facts["edges"], facts["origin"]) == (10620, 2 * 219450, "generated, synthetic")
    complains(gtrav("snb:2 --info"), "snb:2", "1, 3, 10, 30, 100 and 300")
