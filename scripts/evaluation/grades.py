"""grades.py: how well a measured graph stands for a graph of a paper.

grade("GAP-kron", "kron:27", facts) is Grade.SAME_GENERATOR, and str() of it is "same generator and size".
Better grades are greater, and those from Grade.SAME_SIZE on let a claim be reproduced.
"""

import enum
import re
from fnmatch import fnmatchcase

from evaluation.claims.graphs import listed_graphs

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

# The kind of each generator's graphs.
GENERATORS = {"kron": "network", "snb": "network", "web": "web", "mawi": "traffic", "urand": "random"}
GENERATORS |= {"road": "road", "kmer": "k-mer", "mesh": "3-D mesh", "grid": "2-D mesh", "dag": "acyclic"}
GENERATORS |= {"delaunay": "triangulation", "rgg": "geometric"}

# The kind of a real graph: the first with a pattern that matches GROUP/NAME. Networks are of people, papers,
# routers. What Spielman_k600 and DIMACS10's vsp_ graphs, which are mixtures, are like is not known.
KINDS = (
    ("road", "*_osm *[Rr]oad[-_N]* GAP/GAP-road"),
    ("random", "GAP/GAP-urand */G_n_pin_pout */smallworld"),
    ("k-mer", "GenBank/* */kmer_*"),
    ("traffic", "MAWI/* */mawi_*"),
    ("network", "LAW/amazon* LAW/dblp* LAW/enron LAW/hollywood* LAW/ljournal*"),
    ("web", "LAW/* GAP/GAP-web */web-* */webbase* */cnr-2000"),
    ("network", "SNAP/* KONECT/* GAP/* */kron_g500* */caida* */co[AP]* */citation* */preferential* */as-*"),
    ("network", "*/soc-* */cit-* */ego-* */fb100-* */com-* */dblp-2010"),
    ("geometric", "*/rgg_*"),
    ("triangulation", "*/delaunay_* */333SP */AS365 */M6 */NACA0015 */NLR */[a-z][a-z]2010 */fe_4elt2"),
    ("triangulation", "*/fe_sphere */motorBike"),
    ("2-D mesh", "*/hugebubbles* */hugetrace* */hugetric* */t60k */uk */adaptive */venturiLevel3"),
    ("3-D mesh", "*/nlpkkt* */144 */598a */m14b */auto */channel* */packing* */fe_* */wing* */cs4"),
    ("3-D mesh", "*/cti */data"),
    ("acyclic", "*/gitobj-*"),
)


def entry_of(name):
    """The graph in a list of dataset/, the one that knows its edges if any does; None if no list has it."""
    entries = listed_graphs().get(name.lower(), [])
    return next((entry for entry in entries if entry.edges), entries[0] if entries else None)


def kind_of(name):
    """The kind of a graph by its generator or by KINDS; "" if neither knows it."""
    generator, colon, _ = name.partition(":")
    if colon:
        return GENERATORS.get(generator, "")
    entry = entry_of(name)
    path = f"{entry.group if entry else ''}/{name}"
    return next(
        (kind for kind, patterns in KINDS if any(fnmatchcase(path, one) for one in patterns.split())), ""
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
