"""The types of public calls, by mypy if it is there, and the keywords that help() shows."""

import inspect
import re
import subprocess
import sys

import pytest

import gtrav
import gtrav.sql
from package import PACKAGE

PROGRAM = """
import numpy as np

import gtrav

with gtrav.Graph([(0, 1), (1, 2)], undirected=True, device="cpu", threads=np.int64(2)) as graph:
    reached: int = graph.bfs("a", max_depth=2).levels.sum() + graph.bfs([0, 1]).reached.sum()
    ends: list[int] = [int(path[-1]) for path in graph.paths([0], [1])] + graph.paths(0, 1)[0].tolist()
    values: gtrav.Values = graph.betweenness(sources=np.int64(2), seed=1, directed=True)
    far: float = graph.sssp("a", parents=True).distances.max()
    total: float = graph.bfs(0).run.times.total_ms + graph.degree().sum() + graph.neighbors(0)[0]
roads = gtrav.Graph.from_edges([0], [1], weights=np.ones(1, dtype=np.float32))
cost: float = roads.path_lengths(0, 1, weight=True, cutoff=2.5) + roads.sssp([0, 1]).distances[1, 0]
lengths: list[int] = roads.paths(0, 1, weight=False).lengths.tolist()
roads = gtrav.Graph.generate("kron:4", weights="auto") or gtrav.Graph("a.csv", weights=2)
heaviest: float = 0 if roads.weights is None else roads.weights.max()
gtrav.Graph("a.csv", header=False, columns=["src", 2], ids="any").reorder("rcm").write("b.gtrav")
"""
MAKERS = "Graph Graph.generate Graph.from_file Graph.from_edges Graph.from_scipy Graph.from_networkx Graph.from_igraph"
SEARCHES = "bfs sssp closeness betweenness components path_lengths reach"
WRONG_ARGUMENT = re.compile(r'rgument "|\[call-overload]')
WRONG = [
    *(f"gtrav.{name}('a', thread=3)" for name in f"{MAKERS} Graph.from_arrow Graph.from_parquet".split()),
    *(f"gtrav.Graph.generate('kron:4').{name}(0, thread=3)" for name in SEARCHES.split()),
    "gtrav.Graph('a', threads='3')",
    "gtrav.Graph.generate('kron:4').components(strong='yes')",
    "gtrav.Graph.generate('kron:4').path_lengths(0, 1, weight='weight')",
    "gtrav.Graph.generate('kron:4', weights=[1])",
]


@pytest.mark.slow
def test_mypy(tmp_path):
    """It takes the program, and refuses each of the wrong lines."""
    pytest.importorskip("mypy")
    (tmp_path / "good.py").write_text(PROGRAM)
    (tmp_path / "wrong.py").write_text("\n".join(["import gtrav", *WRONG]))
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "good.py", "wrong.py"]
    ran = subprocess.run(command, cwd=tmp_path, env={"MYPYPATH": str(PACKAGE)}, capture_output=True, text=True)
    errors = [line for line in ran.stdout.splitlines() if line.startswith("good") or WRONG_ARGUMENT.search(line)]
    lines = {line.partition(": error")[0] for line in errors}
    assert lines == {f"wrong.py:{2 + number}" for number in range(len(WRONG))}, ran.stdout + ran.stderr


def members():
    """Public functions, methods and properties of public classes, and their special methods."""
    for public in [getattr(gtrav, name) for name in gtrav.__all__] + [
        getattr(gtrav.sql, name) for name in gtrav.sql.__all__
    ]:
        if not inspect.isclass(public):
            yield public.__qualname__, public
            continue
        for name, member in inspect.getmembers(public):
            member = getattr(member, "fget", None) or getattr(member, "func", None) or member
            is_ours = str(getattr(member, "__module__", "")).startswith("gtrav")
            if inspect.isroutine(member) and is_ours and not name.startswith("_"):
                yield f"{public.__name__}.{name}", member


def test_every_public_call_has_types():
    untyped = []
    for name, member in members():
        given = inspect.signature(member)
        parameters = [each for each in given.parameters.values() if each.name not in ("self", "cls")]
        if given.return_annotation is given.empty or any(each.annotation is each.empty for each in parameters):
            untyped.append(name)
    assert untyped == ["Graph.bfs"]  # which has overloads


def test_the_keywords_that_help_shows():
    made = {name: inspect.signature(eval(f"gtrav.{name}")).parameters for name in MAKERS.split()}  # noqa: S307
    for name, parameters in made.items():
        assert (parameters["device"].default, parameters["threads"].default) == ("auto", 0), name
    assert "columns" in made["Graph.from_file"] and "variant" in inspect.signature(gtrav.Graph.bfs).parameters
