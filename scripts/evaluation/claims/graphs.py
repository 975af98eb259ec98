"""graphs.py: the kinds of graphs, and which graphs a claim is about."""

import fnmatch
import math
import re
from functools import cache
from typing import NamedTuple

from evaluation import dataset

GENERATORS = {"kron": "scale-free", "snb": "scale-free", "urand": "random", "road": "road", "dag": "acyclic"}
GENERATORS |= {"web": "scale-free", "mawi": "scale-free", "kmer": "chains"}
GENERATORS |= dict.fromkeys(("grid", "rgg", "delaunay", "mesh"), "mesh")
ROADS = re.compile(r"_osm\b|road", re.IGNORECASE)
NETWORKS = ("SNAP", "LAW", "KONECT")  # collections of web graphs and social networks
DEEP = 100  # levels of a BFS, on average


class Key(NamedTuple):
    graph: str
    pairs: int = 0  # of path lengths, unless the method says how many

    def __str__(self):
        return f"{self.graph}, {self.pairs:,} pair{'s' * (self.pairs > 1)}" if self.pairs else self.graph


class Facts(NamedTuple):
    vertices: int = 0
    edges: int = 0
    kinds: frozenset = frozenset()


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
    return any(fnmatch.fnmatchcase(name, pattern) or name == pattern for pattern in patterns)


@cache
def listed_graphs():
    """{name in lower case: its entries} of all lists in dataset/."""
    found = {}
    for path in sorted((dataset.ROOT / "dataset").glob("*_*.csv")):
        for entry in dataset.read_list(path):
            found.setdefault(entry.name.lower(), []).append(entry)
    return found


def nearest(graphs, paper, facts):
    """The graph nearest in edges to the paper's, or the largest if no list gives its number of edges."""
    wanted = next((entry.edges for entry in listed_graphs().get(paper.lower(), ()) if entry.edges), None)

    def distance(graph):
        edges = facts.get(graph, Facts()).edges
        return abs(math.log(max(edges, 1) / wanted)) if wanted else -edges

    return min(graphs, key=lambda graph: (distance(graph), graph), default=None)


def kinds_of(graph, depth):
    """By the graph's generator or that of its stand-in, by the words of the lists, and by its depth."""
    name = graph.removesuffix("+undirected")
    entries = listed_graphs().get(name.lower(), [])
    words = " ".join(entry.kind for entry in entries)
    specs = [name] if ":" in name else [entry.stand_in for entry in entries if entry.stand_in]
    generator = GENERATORS.get(specs[0].partition(":")[0], "") if specs else ""
    kinds = {word for word in ("scale-free", "acyclic") if word in words}
    if ":" in name:
        kinds.add(generator)
    elif ROADS.search(name):
        kinds.add("road")
    elif specs and not kinds:
        kinds.add(generator)
    elif not kinds and any(entry.group in NETWORKS for entry in entries):
        kinds.add("scale-free")
    if depth is not None:
        kinds.add("deep" if depth >= DEEP else "shallow")
    elif kinds & {"road", "mesh", "chains"}:
        kinds.add("deep")
    elif kinds & {"scale-free", "random"}:
        kinds.add("shallow")
    return frozenset(kinds - {""})
