"""--profile: the rows of its tables against the levels of a plain BFS, and what is refused."""

from collections import Counter
from itertools import pairwise

import pytest

from helpers import complains, edges_of, gtrav, gtrav_json, gtrav_ok, rows_of

PROFILED = [a["variant"] for a in gtrav_json("--list bfs") if a["emulated"] and a["profiled"]]
IN_MODES = [f"{variant} --set mode=paper" for variant in ("xbfs", "enterprise", "blest") if variant in PROFILED]
LAST = 10**9


def frontiers_of(edges, source):
    """Returns the number of vertices on each level, and the number of edges out of them."""
    level, queue = {source: 0}, [source]
    neighbours = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
    for vertex in queue:
        for other in neighbours.get(vertex, ()):
            if other not in level:
                level[other] = level[vertex] + 1
                queue.append(other)
    out = Counter()
    for vertex in queue:
        out[level[vertex]] += len(neighbours.get(vertex, ()))
    return Counter(level.values()), out


def profile(folder, words, graph, sources):
    """Returns {source: (its trial, the rows of its profile)}."""
    variant = words.split()[0]
    on = f"--device cpu-emulator --quiet --verify all --source {','.join(map(str, sources))}"
    trials = gtrav_json(f"bfs {graph} --variant {words} {on} --profile --csv", folder)["trials"]
    rows = rows_of(folder / "emulator" / "traces" / f"bfs_{variant}_{graph}.csv")
    assert all("profile=1" in row["options"].split() for row in rows)
    assert all(trial["verified"] for trial in trials)
    return {
        trial["source"]: (trial, [row for row in rows if int(row["source"]) == trial["source"]]) for trial in trials
    }


@pytest.mark.parametrize("graph", ["kron:8", "grid:60x3", "path:200"])
@pytest.mark.parametrize("words", [*PROFILED, *IN_MODES])
def test_a_profile_has_every_level(words, graph, tmp_path):
    """A row has the vertices and edges of the frontier from which its level was found, or of several levels. Later
    searches have fewer levels, so that rows of the longest would be seen."""
    _, edges = edges_of(graph, tmp_path)
    for source, (trial, rows) in profile(tmp_path, words, graph, (1, 90, 100)).items():
        vertices, out = frontiers_of(edges, source)
        firsts = [int(row["level"]) - 1 for row in rows]
        assert firsts[0] == 0 and firsts == sorted({*firsts})
        for row, (first, end) in zip(rows, pairwise([*firsts, LAST])):
            end = min(end, max(vertices) + 1)
            assert int(row["frontier"]) == sum(vertices[level] for level in range(first, end))
            assert int(row["edges"]) == sum(out[level] for level in range(first, end))
        assert sum(int(row["frontier"]) for row in rows) >= trial["reached"] - vertices[max(vertices)]
        assert {row["mode"] for row in rows} <= {"top-down", "bottom-up"}
        assert all(float(row["ms"]) > 0 for row in rows)
        assert sum(float(row["ms"]) for row in rows) <= trial["time_ms"]


def test_what_cannot_be_profiled_is_refused(tmp_path):
    on = f"--profile --csv {tmp_path} --quiet"
    complains(gtrav(f"bfs path:9 --variant gap {on}"), "--profile: bfs gap cannot be profiled")
    complains(gtrav(f"dfs path:9 --variant serial {on}"), "a DFS has no levels", "--set tasks=1")
    complains(gtrav(f"closeness path:9 {on}"), "--profile: closeness")
    complains(gtrav("bfs path:9 --profile"), "--profile needs --csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif("blest" not in PROFILED, reason="no emulator in this build")
def test_a_profiled_run_replaces_no_plain_one(tmp_path):
    run = f"bfs path:9 --variant blest --device cpu-emulator --quiet --sources 1 --csv {tmp_path}"
    for words in ("", "--profile", "", "--profile"):
        gtrav_ok(run, *words.split())
    rows = rows_of(tmp_path / "emulator" / "bfs_blest_perf.csv")
    assert ["profile=1" in row["options"].split() for row in rows] == [False, True]
