"""LDBC Graphalytics: its graphs, its output, and the scripts of a platform.

The graphs, their levels and their components are those of graphalytics-validation in
github.com/ldbc/ldbc_graphalytics, there without a source those that begin with wcc."""

import os
import re
import subprocess

import pytest

from helpers import GTRAV, ROOT, complains, execute, gtrav, gtrav_ok, info

FAR = 2**63 - 1
DIRECTED = {1: [2, 3], 2: [3, 4, 5], 3: [1], 4: [6, 7, 8], 5: [2, 1], 6: [4, 8], 8: [1, 2, 3], 9: [10]}
UNDIRECTED = {1: [2, 3, 5, 8], 2: [3, 4, 5, 8], 3: [8], 4: [6, 7, 8], 6: [8], 9: [10]}
EXAMPLE = {1: [3, 5], 2: [4, 5, 10], 3: [1, 5, 8, 10], 5: [3, 4, 8], 6: [3, 4], 7: [4], 8: [1], 9: [4]}
PAIRED = {2: [3, 4], 3: [4, 5, 8], 5: [6, 8], 6: [7, 8, 9, 10], 7: [9]}
APART = {1: [2, 3], 2: [1, 3, 4], 4: [2], 6: [7, 8], 7: [6], 9: [3]}
WITHOUT_5 = (1, 2, 3, 4, 6, 7, 8, 9)
BOTH_WAYS = {1: [2, 3], 2: [3, 4], 3: [9], 6: [7, 8]}
# name -> directed, neighbours, vertices, levels from the first of them, components (those of the first two are ours)
GRAPHS = {
    "dir": (True, DIRECTED, range(1, 11), [0, 1, 1, 2, 2, 3, 3, 3, FAR, FAR], [1] * 8 + [9, 9]),
    "undir": (False, UNDIRECTED, range(1, 11), [0, 1, 1, 2, 1, 2, 3, 1, FAR, FAR], [1] * 8 + [9, 9]),
    "example-directed": (True, EXAMPLE, range(1, 11), [0, FAR, 1, 2, 1, FAR, FAR, 2, FAR, 2], [1] * 10),
    "example-undirected": (False, PAIRED, range(2, 11), [0, 1, 1, 2, 3, 4, 2, 4, 4], [2] * 9),
    "wcc-dir": (True, APART, WITHOUT_5, [0, 1, 1, 2, FAR, FAR, FAR, FAR], [1, 1, 1, 1, 6, 6, 6, 1]),
    "wcc-undir": (False, BOTH_WAYS, WITHOUT_5, [0, 1, 1, 2, FAR, FAR, FAR, 2], [1, 1, 1, 1, 6, 6, 6, 1]),
}
# Of graphs with weights, one for each edge, and the distances from the first vertex; other edges weigh 0.5.
INF = float("inf")
WEIGHTS = {
    "example-directed": [
        0.5,
        0.3,
        0.1,
        0.3,
        0.12,
        0.53,
        0.62,
        0.21,
        0.52,
        0.69,
        0.53,
        0.1,
        0.23,
        0.39,
        0.83,
        0.39,
        0.69,
    ],
    "example-undirected": [0.9, 0.69, 0.13, 0.5, 0.32, 0.63, 0.12, 0.53, 0.64, 0.23, 0.63, 0.36],
}
DISTANCES = {
    "example-directed": [0, INF, 0.5, 0.83, 0.3, INF, INF, 0.4, INF, 1.02],
    "example-undirected": [0, 0.82, 0.69, 1.26, 1.78, 2.31, 1.14, 2.01, 2.41],
}


def put(folder, name, scale):
    """Writes a graph whose ids are multiples of `scale`; the number of its edges, the source, and what BFS and
    WCC must write."""
    directed, neighbours, vertices, levels, components = GRAPHS[name]
    edges = [(u * scale, v * scale) for u, row in neighbours.items() for v in row]
    weights = WEIGHTS.get(name, [0.5] * len(edges))
    ids = [v * scale for v in vertices]
    (folder / f"{name}.v").write_text("".join(f"{v}\n" for v in ids))
    (folder / f"{name}.e").write_text("".join(f"{u} {v} {w}\n" for (u, v), w in zip(edges, weights)))
    (folder / f"{name}.properties").write_text(
        f"# Files\ngraph.{name}.vertex-file = {name}.v\ngraph.{name}.edge-file = {name}.e\n"
        f"graph.{name}.directed = {str(directed).lower()}\ngraph.{name}.algorithms = bfs, sssp, wcc\n"
    )
    bfs, wcc = ("".join(f"{v} {x}\n" for v, x in zip(ids, of)) for of in (levels, [c * scale for c in components]))
    return len(edges), ids[0], {"bfs": bfs, "wcc": wcc}


def expected_distances(name, scale):
    """The distance of each id, within a part in 10,000."""
    found = DISTANCES.get(name, [INF if level == FAR else level / 2 for level in GRAPHS[name][3]])
    return {v * scale: pytest.approx(distance, rel=1e-4) for v, distance in zip(GRAPHS[name][2], found)}


def read_distances(path):
    lines = (line.split() for line in path.read_text().splitlines())
    return {int(v): float(distance) for v, distance in lines}


@pytest.mark.parametrize("scale", [1, 10**17])
@pytest.mark.parametrize("name", GRAPHS)
def test_graphs(name, scale, tmp_path):
    edges, source, expected = put(tmp_path, name, scale)
    path, out = tmp_path / f"{name}.properties", tmp_path / "out.graphalytics"
    facts = info(path)
    assert (facts["name"], facts["edges"]) == (name, edges if GRAPHS[name][0] else 2 * edges)
    assert "other columns ignored" in gtrav_ok("bfs --source", source, path, "--output", out).err
    assert out.read_text() == expected["bfs"]
    gtrav_ok("wcc", path, "--output", out)
    assert out.read_text() == expected["wcc"]
    gtrav_ok("sssp --variant delta --source", source, path, "--output", out)
    assert read_distances(out) == expected_distances(name, scale)


@pytest.mark.parametrize("name", GRAPHS)
def test_scripts(name, tmp_path):
    edges, source, expected = put(tmp_path, name, 7)

    def run(script, words, status=0):
        command = [ROOT / "scripts" / "graphalytics" / script, *words.split()]
        done = execute(command, cwd=tmp_path, env={**os.environ, "GTRAV": GTRAV})
        assert done.status == status, done.err
        return dict(line.split()[:2] for line in done.out.splitlines())

    files = f"--graph-name {name} --input-vertex-path {name}.v --input-edge-path {name}.e --output-path kept"
    run("load-graph.sh", f"{files} --directed {str(GRAPHS[name][0]).lower()} --weighted true")
    job = "--job-id 1 --log-path log --input-path kept --output-path out/levels --num-threads 2 --algorithm"
    for algorithm in (f"BFS --source-vertex {source}", "wcc"):
        said = run("execute-job.sh", f"{job} {algorithm}")
        assert (tmp_path / "out" / "levels").read_text() == expected[algorithm[:3].lower()]
        seconds, makespan, evps = (float(said[what]) for what in ("T_p", "makespan", "EVPS"))
        assert evps == pytest.approx((len(GRAPHS[name][4]) + edges) / seconds, rel=1e-3)
        assert makespan >= seconds > 0
    run("execute-job.sh", f"{job} SSSP --source-vertex {source}")
    assert read_distances(tmp_path / "out" / "levels") == expected_distances(name, 7)
    run("execute-job.sh", f"{job} pr", status=2)
    job = subprocess.Popen([GTRAV, "bfs", "kron:12", "--sources", "99999", "--quiet"], stdout=subprocess.PIPE)
    (tmp_path / "log" / "executable.pid").write_text(f"{job.pid}\n")
    run("terminate-job.sh", "--job-id 1 --log-path log")
    job.communicate(timeout=60)
    assert job.returncode in (128 + 15, -15)


def test_what_is_wrong(tmp_path):
    put(tmp_path, "undir", 1)
    path = tmp_path / "undir.properties"
    for option, words in {"--directed": "no directions", "--cache": "--write", "--ids text": "--ids"}.items():
        complains(gtrav(f"--info --quiet {option}", path), words)
    path.write_text(path.read_text().replace("directed = false", "directed = perhaps"))
    complains(gtrav("--info --quiet", path), "directed = true")
    (tmp_path / "undir.v").unlink()
    path.write_text(path.read_text().replace("perhaps", "true"))
    complains(gtrav("--info --quiet", path), "undir.v", "No such file")


def test_query_13_of_snb(tmp_path):
    """The commands of docs/rules.md, on rows as the driver writes them today and as it did before."""
    (tmp_path / "person_knows_person_0_0.csv").write_text("Person.id|Person.id|creationDate\n933|77|1\n77|2199|2\n")
    today = '{"LdbcQuery13":{"person1IdQ13StartNode":933,"person2IdQ13EndNode":2199}}|{"shortestPathLength":2}\n'
    before = '["com.ldbc.LdbcQuery13",77,933]|[[1]]\n["com.ldbc.LdbcQuery13",933,5]|[-1]\n["LdbcQuery1",1,2]|[[7]]\n'
    (commands,) = re.findall(r"^```\n(\(echo src.*?)^```", (ROOT / "docs" / "rules.md").read_text(), re.M | re.S)
    for answer, status in ((today + before, 0), (today.replace(":2}", ":3}"), 1)):
        (tmp_path / "validation_params.csv").write_text(answer)
        script = commands.replace("gtrav ", f"{GTRAV} ")
        assert execute(["bash", "-c", script], cwd=tmp_path).status == status
