"""Many sources at once: batches, aggregates, lengths of pairs, closeness, and graphs of who knows whom."""

import csv
import gzip
import io
import random
from fractions import Fraction

import numpy
import pytest

import oracle
from helpers import DEVICE, algorithms, complains, gtrav, gtrav_json, gtrav_ok, info, write_mtx
from oracle import UNREACHED, Graph

ENGINES = [a for a in algorithms() if a["family"] == "msbfs"]
WITH_LEVELS = [a for a in algorithms() if a["family"] in ("bfs", "msbfs")]
IDS = {"ids": lambda a: f"{a['family']}-{a['variant']}"}


def made_up(num_vertices, num_edges, both_ways, seed):
    chance = random.Random(seed)
    edges = [(chance.randrange(num_vertices), chance.randrange(num_vertices)) for _ in range(num_edges)]
    return num_vertices, edges + [(v, u) for u, v in edges] * both_ways


GRAPHS = {
    "sparse": made_up(90, 80, True, 1),
    "denser": made_up(70, 300, True, 2),
    "directed": made_up(80, 200, False, 3),
}


def command(algorithm, family=None):
    family = family or algorithm["family"]
    return f"{family} --variant {algorithm['variant']} --device {DEVICE} --verify all --quiet"


csv.field_size_limit(1 << 20)


def rows(text):
    return list(csv.reader(io.StringIO(text)))


# ---- batches and aggregates ----


@pytest.mark.parametrize("algorithm", ENGINES, **IDS)
def test_batches_and_aggregates(algorithm, tmp_path):
    path = write_mtx(tmp_path / "graph.mtx", *GRAPHS["directed"])
    graph = Graph(*GRAPHS["directed"])
    chosen = [v % graph.num_vertices for v in range(0, 7 * 70, 7)]
    where = ("--graph", path, "--source", ",".join(map(str, chosen)))
    aggregates = [["--aggregates"]] if {"sums", "farness"} & set(algorithm["on_request"]) else []
    for more in ([], ["--reorder", "random"], *aggregates):
        run = gtrav_json(command(algorithm), *where, *more)
        assert run["summary"]["batch_sources"] >= 1
        assert run["summary"]["batch_time_ms"] >= run["summary"]["batch_kernel_ms"] > 0
        assert sum(1 for _ in run["trials"]) == len(chosen)
        for source, trial in zip(chosen, run["trials"]):
            reached = [v for v, level in enumerate(oracle.bfs_levels(graph, source)) if level != UNREACHED]
            assert (trial["source"], trial["reached"], trial["verified"]) == (source, len(reached), True)
            assert trial["edges"] == sum(len(graph.neighbours[v]) for v in reached)
            assert 1 <= trial["batch_sources"] <= run["summary"]["batch_sources"]


def rows_of(folder, pattern):
    (file,) = folder.glob(pattern)
    return list(csv.DictReader(file.read_text().splitlines()))


def test_batches_in_records(tmp_path):
    """Resumed batches: tests/unit/test_many_sources.c."""
    options = "msbfs kron:6 --variant serial --csv records --quiet --sources"
    gtrav_ok(f"{options} 40", cwd=tmp_path)
    trials = rows_of(tmp_path, "records/*/trials/msbfs_serial_kron:6.csv")
    assert [row["batch_sources"] for row in trials] == ["16"] * 32 + ["8"] * 8
    gtrav_ok(f"{options} 48 --set batch=1 --aggregates", cwd=tmp_path)
    summaries = rows_of(tmp_path, "records/*/msbfs_serial_perf.csv")
    found = [(row["options"], row["batch_sources"]) for row in summaries]
    assert found == [("batch=16", "16"), ("batch=1 output=aggregates", "1")]


def test_levels_of_more_bytes(tmp_path):
    """Levels beyond one byte, and beyond two, and what is left to them in batches of several searches."""
    for variant in ("then", "pbfs"):
        run = gtrav_json(f"msbfs path:700 --variant {variant} --source 0,350,699 --verify all")
        assert run["summary"]["verified"] == "all"
    (tmp_path / "pairs.csv").write_text("0,65599\n")
    asked = "msbfs path:65600 --variant then --pairs pairs.csv --paths --verify none"
    _, (*_, length, path) = rows(gtrav_ok(asked, cwd=tmp_path).out)
    assert length == "65599" and path == " ".join(map(str, range(65600)))


@pytest.mark.slow
@pytest.mark.parametrize("aggregates", [False, True], ids=["levels", "aggregates"])
@pytest.mark.parametrize(
    "settings",
    [
        "batch=256",
        "push-edges=0 mark-edges=0 relabel=1 planes=2 byte-levels=2",
        "push-edges=0 relabel=1 batch=128 offset-bits=64",
        "push-edges=40 mark-edges=0 relabel=0 blocks=3 byte-levels=3 batch=32",
        "push-edges=100 list-pairs=256 batch=32",
    ],
)
def test_rows_by_every_way(settings, aggregates):
    """Pulls of each kind, after marks or not; planes, lists and bytes that run out; several batches."""
    graphs = "path:100 star:5000 kron:8 grid:9x7 urand:8:4 dag:200:0.05"
    asked = f"msbfs {graphs} --variant bitparallel --device {DEVICE} --sources 70 --quiet --verify all"
    chosen = "".join(f" --set {setting}" for setting in settings.split())
    gtrav_ok(asked + chosen + " --aggregates" * aggregates)


def test_a_high_degree_vertex_among_small_rows(tmp_path):
    """It has warps to itself though degrees are not heavy-tailed."""
    n = 21_000
    edges = [(v, (v + 1) % n) for v in range(n)] + [(n, v) for v in range(0, n, 5)]
    path = write_mtx(tmp_path / "high.mtx", n + 1, [*edges, *((v, u) for u, v in edges)])
    asked = f"msbfs --variant bitparallel --device {DEVICE} --source 0,1,20000 --set push-edges=0"
    run = gtrav_json(f"{asked} --verify all --quiet", path)
    assert f"{n + 1} rows by degree, high degrees first" in run["note"]


# ---- pairs ----


def check_path(graph, source, destination, length, path):
    assert path[0] == source and path[-1] == destination and len(path) == length + 1
    assert all(v in graph.neighbours[u] for u, v in zip(path, path[1:]))


@pytest.mark.parametrize("algorithm", WITH_LEVELS, **IDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_pairs(algorithm, name, tmp_path):
    graph = Graph(*GRAPHS[name])
    path = write_mtx(tmp_path / "graph.mtx", *GRAPHS[name])
    chance = random.Random(name)
    few = [chance.randrange(graph.num_vertices) for _ in range(5)]
    every = range(graph.num_vertices)
    pairs = [(chance.choice(few), chance.choice(every)) for _ in range(150)]
    if name == "sparse":  # the searches start from the fewer ends of an undirected graph
        pairs = [(v, u) for u, v in pairs]
    (tmp_path / "pairs.csv").write_text("src,dst\n" + "".join(f"{u},{v}\n" for u, v in pairs))
    asked = (command(algorithm), path, "--pairs", tmp_path / "pairs.csv")
    lengths = gtrav_ok(*asked).out
    with_paths = gtrav_ok(*asked, "--paths", "--reorder", "rcm").out
    levels = {u: oracle.bfs_levels(graph, u) for u in {u for u, _ in pairs}}
    expected = [[str(u), str(v), str(levels[u][v])] for u, v in pairs]
    assert rows(lengths) == [["src", "dst", "length"], *expected]
    header, *found = rows(with_paths)
    assert header == ["src", "dst", "length", "path"]
    assert [row[:3] for row in found] == expected
    for (u, v), row in zip(pairs, found):
        if levels[u][v] == UNREACHED:
            assert row[3] == ""
        else:
            check_path(graph, u, v, levels[u][v], [int(word) for word in row[3].split()])


def test_pairs_to_a_file_and_to_records(tmp_path):
    (tmp_path / "pairs.csv.gz").write_bytes(gzip.compress(b"0,9\n9,0\n"))
    asked = "msbfs path:10 --variant then --pairs pairs.csv.gz --csv r"
    for _ in range(2):
        result = gtrav_ok(f"{asked} --output lengths.csv --quiet", cwd=tmp_path)
        assert result.out == result.err == ""
        assert (tmp_path / "lengths.csv").read_text() == "src,dst,length\n0,9,9\n9,0,9\n"
    _, row = rows_of(tmp_path, "r/*/msbfs_then_pairs.csv")  # one for each run
    assert (row["graph"], row["pairs"], row["sources"], row["batches"]) == ("path:10", "2", "2", "1")
    whole, reset, kernel = (float(row[name]) for name in ("time_ms", "reset_ms", "kernel_ms"))
    assert row["verified"] == "first" and reset > 0 and kernel > 0 and whole >= reset + kernel - 2e-6
    assert "2 pairs, 2 searches in 1 batch of up to " in gtrav_ok(asked, cwd=tmp_path).err


def test_pairs_by_several_variants(tmp_path):
    """Their times, kept in records; lengths are asked of one."""
    (tmp_path / "pairs.csv").write_text("0,9\n9,0\n")
    asked = "msbfs path:10 --pairs pairs.csv --variant then,serial --csv r --quiet"
    assert gtrav_ok(asked, cwd=tmp_path).out == ""
    names = {file.name for file in tmp_path.glob("r/*/*")}
    assert names == {"msbfs_then_pairs.csv", "msbfs_serial_pairs.csv"}
    complains(gtrav(f"{asked} --output x", cwd=tmp_path), "--output takes one")


REFUSED = {
    "bfs path:4 --aggregates": "--aggregates",
    "msbfs path:4 --aggregates --output x": "--aggregates",
    "dfs path:4 --variant serial --pairs pairs.csv": "no levels",
    "msbfs path:4 --variant then,pbfs --pairs pairs.csv": "--pairs takes one graph and one variant",
    "msbfs path:4 --source 1 --pairs pairs.csv": "--pairs gives the sources; leave out --sources",
    "msbfs path:4 --aggregates --pairs pairs.csv": "--pairs gives lengths",
    "msbfs path:4 --paths": "--paths needs --pairs",
    "closeness kron:6 --variant serial --checkpoint state": "state: not a checkpoint",
    "bfs path:4 --checkpoint x": "--checkpoint",
    "closeness path:4 --sources 5": "--sources 5",
    "closeness path:4 --source 1,1": "twice",
    "closeness path:4 --variant gap": "gap",
    "closeness path:4 --checkpoint-every 0 --checkpoint x": "takes a whole number from 1 to",
    "closeness path:4 --checkpoint-every 5": "for closeness with --output or --checkpoint",
    "bfs path:4 --checkpoint-every 5 --output x": "--checkpoint-every is for closeness",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_refused(line, tmp_path):
    (tmp_path / "pairs.csv").write_text("0,1\n")
    (tmp_path / "state").write_text("something else, which is of some length, as a note may be" * 9)
    complains(gtrav(f"{line} --quiet", cwd=tmp_path), REFUSED[line])


# ---- closeness ----


def closeness_of(graph):
    """By the definition, in fractions: distances to a vertex, each component for itself."""
    both = [oracle.bfs_levels(graph, source) for source in range(graph.num_vertices)]
    for v in range(graph.num_vertices):
        farness = [levels[v] for levels in both if levels[v] > 0]
        others, n = len(farness), graph.num_vertices
        yield float(Fraction(others, n - 1) * Fraction(others, sum(farness))) if others else 0.0


@pytest.mark.parametrize("algorithm", [a for a in ENGINES if "farness" in a["on_request"]], **IDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_closeness(algorithm, name, tmp_path):
    graph = Graph(*GRAPHS[name])
    path = write_mtx(tmp_path / "graph.mtx", *GRAPHS[name])
    asked = (command(algorithm, "closeness"), path)
    expected = numpy.array(list(closeness_of(graph)))
    run = gtrav_json(*asked, "--output", tmp_path / "closeness.npy")
    found = numpy.load(tmp_path / "closeness.npy")
    assert found.dtype == numpy.float64
    assert numpy.allclose(found, expected, rtol=1e-14, atol=0)
    assert (run["sources"], run["exact"], run["verified"]) == (graph.num_vertices, True, "all")
    assert run["algorithm"]["family"] == "closeness"
    assert [top["closeness"] for top in run["top"]] == sorted(found, reverse=True)[: len(run["top"])]
    gtrav_ok(*asked, "--output", tmp_path / "closeness.txt", "--reorder", "random")
    lines = (tmp_path / "closeness.txt").read_text().splitlines()
    assert lines[0].startswith("# closeness") and [float(line) for line in lines[1:]] == found.tolist()
    sampled = gtrav_json(*asked, "--sources", str(graph.num_vertices // 2), "--output", tmp_path / "some.npy")
    assert (sampled["exact"], sampled["verified"]) == (False, "all")
    some = numpy.load(tmp_path / "some.npy")
    assert numpy.abs(some - found).sum() < 0.5 * found.sum()
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "closeness.npy", "closeness.txt", "graph.mtx", "some.npy"
    ]  # fmt: skip


def test_closeness_in_records(tmp_path):
    table = gtrav_ok("closeness kron:6 --variant then --csv r --quiet", cwd=tmp_path).out
    assert "closeness then" in table
    (row,) = rows_of(tmp_path, "r/*/closeness_then_perf.csv")
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
        complains(gtrav("msbfs --source 7 --quiet", graph), "source 7 is not a vertex", "ids of its file")


def test_snb_generator():
    facts = info("snb:1")
    assert (facts["vertices"], facts["edges"], facts["origin"]) == (10620, 2 * 219450, "generated, synthetic")
    complains(gtrav("snb:2 --info"), "snb:2", "1, 3, 10, 30, 100 and 300")
