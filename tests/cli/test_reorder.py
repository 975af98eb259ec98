"""--reorder: whatever order an algorithm is given, the answers are the input's; a .gtrav file keeps it."""

import pytest

from helpers import algorithms, complains, edges_of, gtrav, gtrav_json, gtrav_ok, info, read_mtx, rows_in

BFS = [a["variant"] for a in algorithms() if a["family"] == "bfs"]
WITH_PARENTS = [a["variant"] for a in algorithms() if a["family"] == "bfs" and "parent" in a["on_request"]]
CHOOSY = [a["variant"] for a in gtrav_json("--list") if a["family"] == "bfs" and a["reorder"]]
TOPO = [a["variant"] for a in algorithms() if a["family"] == "topo"]
LEXICOGRAPHIC = [a for a in algorithms() if a["family"] == "dfs" and "order" in a["outputs"]]
EMULATED = any(a["emulated"] and a["variant"] == "blest" for a in gtrav_json("--list bfs"))
RECORDED = ["rcm", "jaccard:16", "random:5"]  # those that say all of themselves


def run(graph, family, variant, *more):
    return (f"{family} --variant {variant} --quiet --graph", graph, *more)


def values(path):
    return [int(line) for line in path.read_text().splitlines() if not line.startswith("#")]


def output(tmp_path, *command):
    gtrav_ok(*command, "--output", tmp_path / "out.txt")
    return values(tmp_path / "out.txt")


@pytest.mark.parametrize("variant", TOPO)
def test_a_topological_order_of_the_input(variant, tmp_path):
    num_vertices, edges = edges_of("dag:80:0.1", tmp_path)
    command = run("dag:80:0.1", "topo", variant, "--sources", "2", "--verify", "all", "--reorder", "random")
    order = output(tmp_path, *command)
    place = {v: i for i, v in enumerate(order)}
    assert len(place) == num_vertices and all(place[u] < place[v] for u, v in edges)
    assert order != sorted(order) or num_vertices < 3


@pytest.mark.parametrize("algorithm", LEXICOGRAPHIC, ids=lambda a: a["variant"])
def test_a_lexicographic_order_is_of_the_ids(algorithm, tmp_path):
    command = run("kron:6", "dfs", algorithm["variant"], "--sources", "2")
    complains(gtrav(*command, "--reorder", "rcm"), "kron:6", "--reorder natural")
    gtrav_ok("kron:6 --reorder rcm --write", tmp_path / "r.gtrav")
    for more in ((), ("--reorder", "natural")):  # the order of the file does not matter
        stored = run(tmp_path / "r.gtrav", "dfs", algorithm["variant"], "--sources", "2", "--verify", "all", *more)
        assert output(tmp_path, *stored) == output(tmp_path, *command)


def test_what_is_said(tmp_path):
    for graph, order in (("kron:8", "jaccard:65536"), ("grid:9x9", "rcm")):
        said = gtrav_ok(f"bfs {graph} --variant {BFS[0]} --reorder auto").err
        assert f"{graph}: reordered by {order} in " in said
    result = gtrav_json(*run("kron:8", "bfs", BFS[0], "--sources", "1", "--reorder", "jaccard"))
    assert result["reorder"]["name"] == "jaccard:65536"
    assert result["reorder"]["ms"] > 0
    gtrav_ok("kron:8 --reorder rcm --write", tmp_path / "r.gtrav")
    result = gtrav_json(*run(tmp_path / "r.gtrav", "bfs", BFS[0], "--sources", "1"))
    assert result["reorder"] == {"name": "rcm", "ms": 0}


# ---- algorithms that choose an order ----

some = pytest.mark.skipif(not EMULATED, reason="no emulator in this build")


def blest(graph, *more):
    return run(graph, "bfs", "blest-ab,blest-abc,blest", "--device", "cpu-emulator", "--sources", "2", *more)


@some
def test_an_algorithm_chooses(tmp_path):
    ab, abc, full = gtrav_json(*blest("kron:8", "--verify", "all"))
    assert "reorder" not in ab
    assert abc["reorder"]["name"] == "jaccard:65536"
    assert abc["reorder"] == full["reorder"]  # made once
    assert abc["summary"]["reorder_ms"] == abc["reorder"]["ms"] > 0 == ab["summary"]["reorder_ms"]
    assert ab["sources"] == abc["sources"] == full["sources"]
    assert [r["reorder"]["name"] for r in gtrav_json(*blest("grid:9x9"))[1:]] == ["rcm", "rcm"]
    names, *command = blest("kron:8")
    said = gtrav_ok(names.replace("--quiet", ""), *command).err
    assert said.count("kron:8: reordered by jaccard:65536") == 1


@some
def test_the_users_order_goes_before(tmp_path):
    for order in ("random:5", "jaccard:16"):
        assert [r["reorder"]["name"] for r in gtrav_json(*blest("kron:8", "--reorder", order))] == [order] * 3
    assert ["reorder" in r for r in gtrav_json(*blest("kron:8", "--reorder", "natural"))] == [False] * 3
    gtrav_ok("kron:8 --reorder rcm --write", tmp_path / "r.gtrav")
    stored = gtrav_json(*blest(tmp_path / "r.gtrav"))
    assert [r["reorder"] for r in stored] == [{"name": "rcm", "ms": 0}] * 3
    natural = gtrav_json(*blest(tmp_path / "r.gtrav", "--reorder", "natural"))
    assert not any("reorder" in r for r in natural)


@some
def test_the_chosen_order_is_recorded(tmp_path):
    for more in ((), (), ("--reorder", "natural"), ("--reorder", "jaccard")):
        gtrav_ok(*blest("kron:8", "--csv", tmp_path, "--profile", *more))
    found = rows_in(tmp_path, "*/bfs_blest-abc_perf.csv")
    assert [row["options"].partition("reorder=")[2] for row in found] == ["jaccard:65536", ""]
    assert float(found[0]["reorder_ms"]) > 0 == float(found[1]["reorder_ms"])
    traced = rows_in(tmp_path, "*/traces/bfs_blest_*.csv")
    summaries = rows_in(tmp_path, "*/bfs_blest_perf.csv")
    assert {row["options"] for row in traced} == {row["options"] for row in summaries}
    (reported,) = {row["options"] for row in traced if "reorder" in row["options"]}
    assert reported.endswith(" reorder=jaccard:65536")


# ---- records ----


def test_the_order_is_part_of_a_row(tmp_path):
    variant = BFS[0]
    command = run("kron:8", "bfs", variant, "--sources", "4", "--csv", tmp_path)
    for order in ("natural", "natural", *RECORDED, "rcm"):  # what there is already is resumed
        gtrav_ok(*command, "--reorder", order)
    plain, *others = rows_in(tmp_path, f"*/bfs_{variant}_perf.csv")
    assert [row["options"] for row in others] == [f"{plain['options']} reorder={o}".lstrip() for o in RECORDED]
    by_options = {}
    for row in rows_in(tmp_path, f"*/trials/bfs_{variant}_kron:8.csv"):
        by_options.setdefault(row["options"], []).append((row["source"], row["trial_edges"], row["reached"]))
    assert len(by_options) == 1 + len(RECORDED) and len(by_options[plain["options"]]) == 4
    assert all(found == by_options[plain["options"]] for found in by_options.values())


# ---- files ----


def test_a_file_keeps_the_order(tmp_path):
    """Other orders: tests/unit/test_reorder.c."""
    graph, stored, order = "dag:120:0.05", tmp_path / "stored.gtrav", "jaccard:16"
    gtrav_ok(f"{graph} --reorder {order} --write", stored)
    assert (info(stored)["reordering"], info(graph)["reordering"]) == (order, None)
    assert f"reordered by         {order}" in gtrav_ok("--info", stored).out
    command = f"bfs --variant {BFS[0]} --sources 4 --verify all --quiet"
    assert gtrav_json(command, stored)["sources"] == gtrav_json(command, graph)["sources"]
    for more in ("", "--reorder random", "--undirected"):
        assert output(tmp_path, f"{command} {more}", stored) == output(tmp_path, f"{command} {more}", graph)
    gtrav_ok(f"bfs --variant {WITH_PARENTS[0]} --verify all --output-parents --quiet", stored)
    # Back in its own order, it is the input; in another one, as if that had been asked for at once.
    assert edges_of(stored, tmp_path, "--reorder", "natural") == edges_of(graph, tmp_path)
    for name, path in (("by-way", stored), ("at-once", graph)):
        gtrav_ok("--reorder jaccard:8", path, "--write", tmp_path / f"{name}.gtrav")
    assert (tmp_path / "by-way.gtrav").read_bytes() == (tmp_path / "at-once.gtrav").read_bytes()


def test_text_loses_the_ids_and_reports_it(tmp_path):
    said = gtrav_ok("path:5 --reorder random:5 --write", tmp_path / "x.mtx").err
    assert "ids are lost" in said
    _, edges = read_mtx(tmp_path / "x.mtx")  # the shuffled path is 0 2 4 3 1
    assert edges == {(u, v) for a, b in [(0, 2), (2, 4), (4, 3), (3, 1)] for u, v in [(a, b), (b, a)]}
    assert "lost" not in gtrav_ok("path:5 --reorder random:5 --write", tmp_path / "x.gtrav").err


def test_help_names_who_chooses():
    text = gtrav_ok("--help").out
    for variant in CHOOSY:
        assert f"  bfs {variant}: auto\n" in text
