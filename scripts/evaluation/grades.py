"""grades.py: how well a measured graph stands for a graph of a paper.

grade("GAP-kron", "kron:27", facts) is Grade.SAME_GENERATOR, and str() of it is "same generator and size".
Better grades are greater, and those from Grade.SAME_SIZE on let a claim be reproduced.
"""

import enum
import re

from evaluation.claims.graphs import LEVELS, entry_of, kind_of

SAME_SIZE = 1.5  # so many times as many edges, vertices, edges a vertex, or levels are the same size


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


def is_within(times, reverse=1):
    """Whether so many times as much is the same size; reverse: 2 if reverse edges may double it."""
    return 1 / SAME_SIZE <= times <= SAME_SIZE * reverse


def grade(paper_graph, graph, facts):
    """The Grade of a measured graph as stand-in of a paper's graph. Graphs are named as in lists and records;
    facts: of the measured one. Vertices and levels that nobody tells are those of the paper's graph."""
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
