"""_networkx_graph.py: a graph of NetworkX, converted for gtrav.networkx.

The library sorts neighbours, but NetworkX's results depend on their order. So a converted graph keeps the adjacency
lists in NetworkX's order: the library finds levels, and tree() then finds the edges in these lists by NumPy."""

from __future__ import annotations

import copyreg
import math
import os
from functools import cached_property

import networkx as nx
import numpy as np

from ._conversions import adjacency_arrays
from ._graph import Graph
from ._networkx_weights import Weighted

AT_ONCE = 2**24  # most entries of levels in memory at a time
NARROW = 32  # if levels have fewer vertices on average, Python is faster than NumPy


class BackendGraph:
    """A graph of NetworkX and what gtrav needs of it. Nodes are numbered in NetworkX's order.

    indptr, indices: the adjacency lists, int64 and int32; neighbours keep NetworkX's order."""

    __networkx_backend__ = "gtrav"

    def __init__(self, original: nx.Graph, adjacency=None):
        """adjacency: lists pairs of a node and its neighbours; by default original.adjacency."""
        self.original = original  # what convert_to_nx() gives back
        self.graph = original.graph
        self.nodes, self.number, self.indptr, self.indices = adjacency_arrays((adjacency or original.adjacency)())
        self.adjacency = adjacency or original.adjacency
        self._searched = None

    def __reduce__(self):
        """Pickles a graph in NetworkX's cache as None: the pickle may be read where gtrav is not installed. NetworkX
        then converts the graph again when it needs to."""
        if converted(self.original) is self:
            return type(None), ()
        return copyreg.__newobj__, (BackendGraph,), {**self.__dict__, "_searched": None}

    def is_directed(self):
        return self.original.is_directed()

    def is_multigraph(self):
        return self.original.is_multigraph()

    def number_of_nodes(self):
        return len(self.nodes)

    __len__ = number_of_nodes

    def __contains__(self, node):
        try:
            return node in self.number
        except TypeError:  # it cannot be a key
            return False

    def __iter__(self):
        return iter(self.nodes)

    @property
    def searched(self) -> Graph:
        """The graph in the library; each forked process makes its own."""
        if self._searched is None or self._searched[0] != os.getpid():
            self._searched = os.getpid(), Graph.from_csr(self.indptr, self.indices), {}
        return self._searched[1]

    def weighted(self, name: str) -> Weighted:
        """The graph with the weights of an attribute, which are read at their first use and kept by its name."""
        kept = self.searched and self._searched[2]
        if name not in kept:
            kept[name] = Weighted(self, name)
        return kept[name]

    @cached_property
    def reversed(self) -> BackendGraph:
        """The graph with all edges reversed; an undirected graph is its own reverse."""
        return BackendGraph(self.original, self.original._pred.items) if self.is_directed() else self

    @cached_property
    def rows(self):
        """For each entry of indices, the node whose list has it."""
        return np.repeat(np.arange(len(self.nodes), dtype=np.int32), np.diff(self.indptr))

    @cached_property
    def ascends(self):
        """Whether each adjacency list is in ascending order."""
        same = self.rows[1:] == self.rows[:-1]
        return bool(np.all(self.indices[1:][same] > self.indices[:-1][same]))

    @cached_property
    def has_self_loops(self):
        return bool(np.any(self.indices == self.rows))

    def numbers(self, nodes):
        return [self.number[node] for node in nodes]

    def named(self, vertices):
        """Lists the nodes of an array of vertices."""
        return [self.nodes[vertex] for vertex in vertices.tolist()]

    def pairs(self, vertices, others):
        """Yields the pairs of nodes of two lists of vertices."""
        return ((self.nodes[vertex], self.nodes[other]) for vertex, other in zip(vertices, others))

    def levels(self, source, limit=None):
        """Returns the levels from a node; -1: not reached within the limit, which may be a fraction; NaN is 0."""
        most = None if limit is None or limit >= len(self) else math.ceil(max(0, limit))
        return self.searched.bfs(self.number[source], max_depth=most).levels

    def all_levels(self, limit=None, vertices=None):
        """Yields every node, or those of some vertices, and the levels from it, as levels() returns them."""
        vertices = np.arange(len(self)) if vertices is None else vertices
        batch = min(512, max(1, AT_ONCE // max(1, len(self))))
        for some in (vertices[begin : begin + batch] for begin in range(0, len(vertices), batch)):
            levels = self.searched.bfs(some).levels
            if limit is not None:
                levels[levels >= max(0, limit) + 1] = -1
            yield from zip(self.named(some), levels)

    def tree(self, starts, levels):
        """Finds the edges of a breadth-first search from a list of vertices in NetworkX's order: a list of parents
        and a list of children."""
        narrow = np.count_nonzero(levels >= 0) < NARROW * (int(levels.max()) + 1)
        pairs = list((self._edges_one_by_one if narrow else self._edges_by_levels)(np.array(starts), levels))
        return [np.concatenate(ends).tolist() for ends in zip(*pairs)] if pairs else ([], [])

    def _edges_by_levels(self, level, levels):
        """Yields arrays of parents and children, level by level, in NetworkX's order: the parent of a child is the
        first vertex on the level before whose list has the child."""
        first = np.empty(len(self), dtype=np.int64)
        for depth in range(1, int(levels.max()) + 1):
            entries, counts = self._entries_of(level)
            parents, children = np.repeat(level, counts), self.indices[entries]
            below = levels[children] == depth
            parents, children = parents[below], children[below]
            places = np.arange(len(children))
            first[children[::-1]] = places[::-1]  # NumPy keeps the last write: the first place
            fresh = first[children] == places
            yield parents[fresh], children[fresh]
            level = children[fresh]

    def _entries_of(self, vertices):
        """Returns the places of the vertices' neighbours in indices, list by list, and the lengths of the lists."""
        begins, counts = self.indptr[vertices], self.indptr[vertices + 1] - self.indptr[vertices]
        ends = np.cumsum(counts)
        return np.arange(ends[-1]) + np.repeat(begins - ends + counts, counts), counts

    def _edges_one_by_one(self, starts, levels):
        """Yields the same edges as _edges_by_levels(), faster for many levels. Only reached vertices have numbers."""
        reached = np.flatnonzero(levels >= 0)
        entries, counts = self._entries_of(reached)
        row, children = np.repeat(np.arange(len(reached)), counts), self.indices[entries]
        below = levels[children] == levels[reached[row]] + 1
        bounds = np.searchsorted(row[below], np.arange(len(reached) + 1)).tolist()
        lists = np.searchsorted(reached, children[below]).tolist()
        parents, found, seen = [], np.searchsorted(reached, starts).tolist(), bytearray(len(reached))
        for parent in found:
            for child in lists[bounds[parent] : bounds[parent + 1]]:
                if not seen[child]:
                    seen[child] = True
                    found.append(child)
                    parents.append(parent)
        yield reached[np.array(parents, dtype=np.int64)], reached[np.array(found[len(starts) :], dtype=np.int64)]


def converted(graph):
    """Returns the conversion of a graph that NetworkX has in its cache and may use; None if there is none."""
    if not nx.config.cache_converted_graphs:
        return None
    kept = (getattr(graph, "__networkx_cache__", None) or {}).get("backends", {}).get("gtrav", {})
    return next((each for each in kept.values() if isinstance(each, BackendGraph)), None)
