"""grades.py: how well a measured graph stands for a graph of a paper.

grade("GAP-kron", "kron:27", facts) is Grade.SAME_GENERATOR, and str() of it is "same generator and size".
Better grades are greater, and those from Grade.SAME_SIZE on let a claim be reproduced.
"""

import enum
import re

from evaluation.claims.graphs import entry_of, kind_of

SAME_SIZE = 1.5  # graphs of so many times as many stored edges, or vertices, are of the same size


class Grade(enum.IntEnum):
    """In words, best last."""

    OTHER = 0, "other"
    SMALLER = 1, "same kind, smaller"
    SAME_SIZE = 2, "same kind and size"
    SAME_GENERATOR = 3, "same generator and size"
    SAME_GRAPH = 4, "same graph"

    def __new__(cls, rank, words):
        grade = int.__new__(cls, rank)
        grade._value_, grade.words = rank, words
        return grade

    def __str__(self):
        return self.words


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


def span_of_edges(paper_graph, undirected):
    """The least and the most stored edges of the same size, or None; reverse edges at most double them."""
    entry = entry_of(paper_graph)
    if entry is None or not entry.edges:
        return None
    doubled = undirected and "undirected" not in entry.kind
    return entry.edges / SAME_SIZE, entry.edges * SAME_SIZE * (2 if doubled else 1)


def has_the_vertices(paper_graph, vertices):
    """Whether so many vertices are as many as the paper's graph has. Where no list tells, they are."""
    entry = entry_of(paper_graph)
    known = entry.vertices if entry else None
    return not known or known / SAME_SIZE <= vertices <= known * SAME_SIZE


def grade(paper_graph, graph, facts):
    """The Grade of a measured graph as stand-in of a paper's graph. Graphs are named as in lists and records;
    facts: the vertices and stored edges of the measured one."""
    name = graph.removesuffix("+undirected")
    if name == remade(paper_graph):
        return Grade.SAME_GENERATOR
    if name.lower() == paper_graph.lower() and ":" not in name:
        return Grade.SAME_GRAPH
    kind, span = kind_of(paper_graph), span_of_edges(paper_graph, undirected=name != graph)
    if not kind or kind_of(name) != kind or span is None or facts.edges > span[1]:
        return Grade.OTHER
    same_size = facts.edges >= span[0] and has_the_vertices(paper_graph, facts.vertices)
    return Grade.SAME_SIZE if same_size else Grade.SMALLER
