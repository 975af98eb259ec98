"""graphs.py: the kinds of graphs, which graphs a claim is about, and how well a measured graph stands for one
of a paper.

grade("GAP-kron", "kron:27", facts) is Grade.SAME_GENERATOR, and str() of it is "same generator and size".
"""

import enum
import math
import re
from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple

from evaluation import dataset
from evaluation.files import ROOT, read_rows

# {patterns of GROUP/NAME, or of a generator's spec: (the kind, its name in claims and tables)}; the first one counts.
KINDS = {row["graphs"]: (row["kind"], row["in_claims"]) for row in read_rows(ROOT / "dataset" / "kinds.csv")}

# Mean levels of a BFS on the real graphs for which a paper reports them: DiggerBees, section 4.3.
LEVELS = {"europe_osm": 17346, "ljournal-2008": 10}
DEEP = 100  # levels


class Key(NamedTuple):
    graph: str
    pairs: int = 0  # pairs of path lengths, unless the method says how many

    def __str__(self):
        return f"{self.graph}, {self.pairs:,} pair{'s' * (self.pairs > 1)}" if self.pairs else self.graph


class Facts(NamedTuple):
    vertices: int = 0
    edges: int = 0  # stored ones
    kinds: frozenset = frozenset()
    levels: float = 0  # mean number of levels of a BFS; 0: unknown


class Graphs(NamedTuple):
    """The graphs that a claim is about: those for which all of this holds."""

    names: tuple = ("*",)  # patterns
    kinds: tuple = ()  # scale-free, road, mesh, random, acyclic, deep, shallow
    other_than: tuple = ()  # none of these kinds
    min_edges: float = 0
    max_edges: float = math.inf
    min_pairs: float = 0
    max_pairs: float = math.inf
    paper: str = ""  # the one graph of the paper, or the graph like it that is nearest in edges
    like: tuple = ()  # patterns

    def include(self, key, facts):
        return (
            is_named(key.graph, self.names)
            and self.min_edges <= facts.edges <= self.max_edges
            and self.min_pairs <= key.pairs <= self.max_pairs
            and facts.kinds.issuperset(self.kinds)
            and facts.kinds.isdisjoint(self.other_than)
        )

    def __str__(self):
        if self.paper:
            return self.paper
        bounds = {name: value for name, value in zip(self._fields, self) if name[:4] in ("min_", "max_")}
        words = [*self.names, *self.kinds, *(f"not {kind}" for kind in self.other_than)]
        words += [f"{name}:{value:g}" for name, value in bounds.items() if 0 < value < math.inf]
        return " ".join(words[words[0] == "*" and len(words) > 1 :])


ALL = Graphs()


def on(paper, *like):
    """The paper's graph, or if it was not measured the graph nearest in edges that a pattern matches."""
    return Graphs(paper=paper, like=like)


def is_named(graph, patterns):
    name = graph.removesuffix("+undirected")
    return any(fnmatchcase(name, pattern) or name == pattern for pattern in patterns)


@cache
def listed_graphs():
    """{name in lower case: its entries} of all lists in dataset/."""
    found = {}
    for path in sorted((dataset.ROOT / "dataset").glob("*_*.csv")):
        for entry in dataset.read_list(path):
            found.setdefault(entry.name.lower(), []).append(entry)
    return found


@cache
def originals():
    """{generator's spec: the names in lower case of all graphs that it stands for in some list}."""
    found = {}
    for name, entries in listed_graphs().items():
        for spec in {entry.stand_in for entry in entries} - {""}:
            found.setdefault(spec, set()).add(name)
    return found


def without_stand_ins(numbers):
    """{key: number} without graphs that stand for others, all of which are there themselves."""
    there = {(key.graph.removesuffix("+undirected").lower(), key.pairs) for key in numbers}

    def is_spare(key):
        names = originals().get(key.graph.removesuffix("+undirected"), ())
        return names and all((name, key.pairs) in there for name in names)

    return {key: number for key, number in numbers.items() if not is_spare(key)}


def nearest(graphs, paper, facts):
    """The graph nearest in edges to the paper's, or the largest if no list gives its number of edges."""
    wanted = next((entry.edges for entry in listed_graphs().get(paper.lower(), ()) if entry.edges), None)

    def distance(graph):
        edges = facts.get(graph, Facts()).edges
        return abs(math.log(max(edges, 1) / wanted)) if wanted else -edges

    return min(graphs, key=lambda graph: (distance(graph), graph), default=None)


def entry_of(name):
    """The graph in a list of dataset/, the one that knows its edges if any does; None if no list has it."""
    entries = listed_graphs().get(name.lower(), [])
    return next((entry for entry in entries if entry.edges), entries[0] if entries else None)


@cache
def kinds_by_list(name):
    """A graph's kind, and the broader kind of claims, by KINDS; both "" if KINDS does not know it."""
    entry = entry_of(name)
    path = name if ":" in name else f"{entry.group if entry else ''}/{name}"
    known = (kinds for patterns, kinds in KINDS.items() if any(fnmatchcase(path, one) for one in patterns.split()))
    return next(known, ("", ""))


def kind_of(name):
    return kinds_by_list(name)[0]


def kinds_of(graph, depth):
    """The broader kind, and deep or shallow: by the levels of a BFS, or if depth is None by the kind."""
    kinds = {kinds_by_list(graph.removesuffix("+undirected"))[1]} - {""}
    if depth is not None:
        kinds.add("deep" if depth >= DEEP else "shallow")
    elif kinds & {"road", "mesh", "chains"}:
        kinds.add("deep")
    elif kinds & {"scale-free", "random"}:
        kinds.add("shallow")
    return frozenset(kinds)


# ---- grades of stand-ins ----

SAME_SIZE = 1.5  # so many times as many edges, vertices, edges a vertex, or levels are the same size


class Grade(enum.IntEnum):
    """How well a graph stands for another, best last."""

    OTHER, SMALLER, SAME_SIZE, SAME_GENERATOR, SAME_GRAPH = range(5)

    def __str__(self):
        words = ("other", "same kind, smaller", "same kind and size", "same generator and size", "same graph")
        return words[self]


# Graphs that gtrav's generators make again, by definition and size: random choices apart, these are the same.
REMADE = (
    (r"GAP-(kron|urand)", r"\1:27"),
    (r"rgg_n_2_(\d+)_s0", r"rgg:\1"),
    (r"delaunay_n(\d+)", r"delaunay:\1"),
    (r"kron_g500-logn(\d+)", r"kron:\1:48"),
)


def remade(name):
    """The spec by which gtrav makes a paper's graph again; None if there is none."""
    found = (re.sub(pattern, spec, name) for pattern, spec in REMADE if re.fullmatch(pattern, name))
    return next(found, name if ":" in name and not name.startswith("snb:") else None)


def is_within(times, reverse=1):
    """Whether a size of `times` the other counts as the same. reverse: 2 if reverse edges may double it."""
    return 1 / SAME_SIZE <= times <= SAME_SIZE * reverse


def grade(paper_graph, graph, facts):
    """The Grade of a measured graph as stand-in of a paper's graph. Graphs are named as in lists and records;
    facts: of the measured one. Unknown vertices and levels count as equal to those of the paper's graph."""
    name = graph.removesuffix("+undirected")
    if name == remade(paper_graph):
        return Grade.SAME_GENERATOR
    if name.lower() == paper_graph.lower() and ":" not in name:
        return Grade.SAME_GRAPH
    kind, entry = kind_of(paper_graph), entry_of(paper_graph)
    if not kind or kind_of(name) != kind or entry is None or not entry.edges:
        return Grade.OTHER
    reverse = 2 if name != graph and "undirected" not in entry.kind else 1
    edges = facts.edges / entry.edges
    if edges > SAME_SIZE * reverse:
        return Grade.OTHER
    vertices = facts.vertices / entry.vertices if entry.vertices else 1
    levels = facts.levels / LEVELS[entry.name] if facts.levels and entry.name in LEVELS else 1
    has_edges = is_within(edges, reverse) and is_within(edges / (vertices or 1), reverse)
    return Grade.SAME_SIZE if has_edges and is_within(vertices) and is_within(levels) else Grade.SMALLER
