"""--profile: its tables against the levels of a plain BFS, and refused command lines."""

from collections import Counter

import pytest

from helpers import complains, edges_of, gtrav, gtrav_json, gtrav_ok, rows_of

PROFILED = [a["variant"] for a in gtrav_json("--list bfs") if a["emulated"] and a["profiled"]]
FORCED = {
    "slices": "hash-order|short-lists|exchange|few-pieces|bulk-marks|all-kinds",
    "dobfs": "relabelling|alternating|marks|bottom-up|small-limits|top-down",
    "khop": "small-balls|short-lists|small-balls-and-lists",
}
SETTINGS = [
    *(f"{variant} --set mode=paper" for variant in ("xbfs", "enterprise", "blest", "queue", "bitmap", "warp")),
    *(f"{variant} --set force={word}" for variant, words in FORCED.items() for word in words.split("|")),
    "khop --set index-mb=0",
]
DIRECTIONS = {  # of the rows of odd and of even levels
    "dobfs --set force=alternating": ("top-down", "bottom-up"),
    "dobfs --set force=bottom-up": ("bottom-up", "bottom-up"),
    "slices --set force=bulk-marks": ("top-down", "top-down"),
}
BATCHES = {  # the size of batches, and the modes of levels of kron:8
    "ibfs-workgroup --set instances=1": (32, {"top-down"}),
    "ibfs-workgroup --set instances=1 --set mode=paper --set check-every=9": (32, {"top-down"}),
    "ibfs-coalesced": (1024, {"top-down"}),
    "ibfs-bottomup": (1024, {"top-down", "bottom-up"}),
    "ibfs-bottomup --set mode=paper --set bottom-up-percent=5": (1024, {"top-down", "bottom-up"}),
    "blest --set kappa=32": (32, {"top-down"}),
    "blest-a --set kappa=32": (32, {"top-down"}),
    "bitparallel --set batch=32 --set mark-edges=0": (32, {"top-down", "bottom-up"}),
    "bitparallel --set batch=32 --set byte-levels=2": (32, {"top-down", "bottom-up"}),
    "bitparallel --set batch=32 --set push-edges=0 --set blocks=3 --set planes=2": (32, {"top-down", "bottom-up"}),
}
KINDS = {  # of the levels from vertex 1 of kron:8, whose frontiers have 1, 20, 184 and 31 vertices
    "slices --set force=exchange": "one-block exchange marks marks",
    "slices --set force=few-pieces": "high-degree bottom-up bottom-up bottom-up",
    "dobfs": "one-block one-block bottom-up",
    "dobfs --set force=marks": "marks bottom-up bottom-up",
    "berrybees": "sparse dense dense dense",
    "queue": "top-down top-down top-down top-down",
}


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


def profile(folder, words, graph, sources, family="bfs"):
    """Returns {source: (its trial, the rows of its profile)}."""
    variant = words.split()[0]
    on = f"--device cpu-emulator --quiet --verify all --source {','.join(map(str, sources))}"
    trials = gtrav_json(f"{family} {graph} --variant {words} {on} --profile --csv", folder)["trials"]
    rows = rows_of(folder / "emulator" / "traces" / f"{family}_{variant}_{graph}.csv")
    assert all("profile=1" in row["options"].split() for row in rows)
    assert all(trial["verified"] for trial in trials)
    return {
        trial["source"]: (trial, [row for row in rows if int(row["source"]) == trial["source"]]) for trial in trials
    }


@pytest.mark.parametrize("graph", ["kron:8", "grid:60x3", "path:200"])
@pytest.mark.parametrize("words", [*PROFILED, *(words for words in SETTINGS if words.split()[0] in PROFILED)])
def test_a_profile_has_every_level(words, graph, tmp_path):
    """A row has the vertices and edges of the frontier from which its level, or several levels, were found. Later
    searches have fewer levels, so leftover rows of the first would be found."""
    _, edges = edges_of(graph, tmp_path)
    for source, (trial, rows) in profile(tmp_path, words, graph, (1, 90, 100)).items():
        vertices, out = frontiers_of(edges, source)
        last = max(vertices)
        width = int(rows[1]["level"]) - 1 if len(rows) > 1 else last + 1 if words.startswith("khop") else 1
        for first, row in enumerate(rows):
            levels = range(width * first, width * (first + 1))
            assert int(row["level"]) == levels[0] + 1
            assert int(row["frontier"]) == sum(vertices[level] for level in levels)
            assert int(row["edges"]) == sum(out[level] for level in levels)
        assert len(rows) * width in range(last, last + 1 + width)
        for level, row in enumerate(rows):
            assert row["mode"] == DIRECTIONS.get(words, (row["mode"],) * 2)[level % 2]
        assert all(float(row["ms"]) > 0 for row in rows)
        assert sum(float(row["ms"]) for row in rows) <= trial["time_ms"]


@pytest.mark.parametrize("words", [words for words in KINDS if words.split()[0] in PROFILED])
def test_a_profile_says_how_each_level_was_run(words, tmp_path):
    ((_, rows),) = profile(tmp_path, words, "kron:8", (1,)).values()
    assert " ".join(row["generation"] or row["mode"] for row in rows) == KINDS[words]


@pytest.mark.skipif("queue" not in PROFILED, reason="no emulator in this build")
@pytest.mark.parametrize("graph", ["kron:8", "path:50"])
@pytest.mark.parametrize("words", BATCHES)
def test_a_profile_of_a_batch_sums_its_frontiers(words, graph, tmp_path):
    """The rows of a batch have its first source. The last batch has fewer sources, and other levels."""
    _, edges = edges_of(graph, tmp_path)
    size, modes = BATCHES[words]
    sources = range(1, 41)
    profiles = {source: rows for source, (_, rows) in profile(tmp_path, words, graph, sources, "msbfs").items() if rows}
    assert [*profiles] == [*sources[::size]]
    for first, rows in profiles.items():
        searches = [frontiers_of(edges, source) for source in range(first, min(first + size, 41))]
        vertices, out = (sum(counts, Counter()) for counts in zip(*searches))
        for number, row in enumerate(rows):
            assert (int(row["level"]), int(row["frontier"])) == (number + 1, vertices[number])
            assert (int(row["edges"]), float(row["ms"]) > 0) == (out[number], True)
        assert len(rows) >= max(vertices)
        assert graph != "kron:8" or {row["mode"] for row in rows[: max(vertices)]} == modes


@pytest.mark.skipif("queue" not in PROFILED, reason="no emulator in this build")
@pytest.mark.parametrize("mode", ["best", "paper"])
def test_a_profile_has_every_round_of_a_sort(mode, tmp_path):
    """The row of level k has the vertices to which the longest path has k - 1 edges."""
    graph, run = "dag:60:0.1", f"--variant kahn --device cpu-emulator --quiet --sources 2 --set mode={mode}"
    number, edges = edges_of(graph, tmp_path)
    longest = dict.fromkeys(range(number), 0)
    for _ in range(number):
        for a, b in edges:
            longest[b] = max(longest[b], longest[a] + 1)
    rounds = max(longest.values()) + 1
    assert rounds > 3
    gtrav_ok(f"topo {graph} {run} --profile --csv", tmp_path)
    rows = rows_of(tmp_path / "emulator" / "traces" / f"topo_kahn_{graph}.csv")
    assert [int(row["level"]) for row in rows] == [*range(1, rounds + 1)] * 2
    for row in rows:
        ready = {vertex for vertex, length in longest.items() if length == int(row["level"]) - 1}
        assert int(row["frontier"]) == len(ready)
        assert int(row["edges"]) == sum(a in ready for a, _ in edges)
        assert float(row["ms"]) > 0


def test_what_cannot_be_profiled_is_refused(tmp_path):
    on = f"--profile --csv {tmp_path} --quiet"
    complains(gtrav(f"bfs path:9 --variant gap {on}"), "--profile: bfs gap cannot be profiled")
    complains(gtrav(f"dfs path:9 --variant serial {on}"), "a DFS has no levels", "--set tasks=1")
    complains(gtrav(f"closeness path:9 {on}"), "--profile: closeness")
    complains(gtrav("bfs path:9 --profile"), "--profile needs --csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif("blest" not in PROFILED, reason="no emulator in this build")
def test_all_leaves_out_what_cannot_be_profiled(tmp_path):
    run = f"msbfs path:9 --variant all --profile --sources 1 --csv {tmp_path} --device"
    entries = [entry for entry in gtrav_json("--list msbfs") if entry["emulated"]]
    others = ", ".join(entry["variant"] for entry in entries if not entry["profiled"])
    assert f"msbfs: leaving out {others}: cannot be profiled" in gtrav_ok(f"{run} cpu-emulator").err.splitlines()
    files = {path.stem for path in (tmp_path / "emulator" / "traces").iterdir()}
    assert files == {f"msbfs_{entry['variant']}_path:9" for entry in entries if entry["profiled"]}
    complains(gtrav(f"{run} cpu"), "--profile: msbfs", "cannot be profiled")


@pytest.mark.skipif("blest" not in PROFILED, reason="no emulator in this build")
def test_a_profiled_run_replaces_no_plain_one(tmp_path):
    run = f"bfs path:9 --variant blest --device cpu-emulator --quiet --sources 1 --csv {tmp_path}"
    for words in ("", "--profile", "", "--profile"):
        gtrav_ok(run, *words.split())
    rows = rows_of(tmp_path / "emulator" / "bfs_blest_perf.csv")
    assert ["profile=1" in row["options"].split() for row in rows] == [False, True]
