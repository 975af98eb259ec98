"""gtrav.networkx: the backend gtrav of NetworkX.

    nx.bfs_tree(G, 0, backend="gtrav")       # or NETWORKX_BACKEND_PRIORITY=gtrav in the environment

NetworkX converts a graph at its first use and keeps it. What the backend cannot do as NetworkX does it, it
refuses, and NetworkX goes on by itself if it may: see FUNCTIONS in _gtrav_networkx.py.

The library sorts neighbours, but NetworkX's results depend on their order. So a converted graph also has
the adjacency lists in NetworkX's order: bfs_edges() finds the levels by the library, then its edges in them
by NumPy. A depth-first search has no such second step, so it needs ascending lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from inspect import signature
from itertools import chain

import networkx as nx
import numpy as np

from ._errors import InputError
from ._graph import Graph

__all__ = ["BackendGraph", "backend"]

MANY_SEARCHES = ("all_pairs_shortest_path_length", "closeness_centrality")
AT_ONCE = 2**24  # levels of many searches that are in memory at a time
NARROW = 32  # vertices of a level, on average, below which Python is faster than NumPy


class BackendGraph:
    """A graph of NetworkX and what gtrav needs of it. Nodes are numbered in NetworkX's order.

    indptr, indices: its adjacency lists, neighbours in NetworkX's order; int64 and int32."""

    __networkx_backend__ = "gtrav"

    def __init__(self, original: nx.Graph):
        self.original = original  # what convert_to_nx() gives back
        self.graph = original.graph
        self.nodes = list(original)
        self.number = dict(zip(self.nodes, range(len(self.nodes))))
        lists = [neighbours for _, neighbours in original.adjacency()]
        self.indptr = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, lists), dtype=np.int64, count=len(lists)), out=self.indptr[1:])
        numbers = map(self.number.__getitem__, chain.from_iterable(lists))
        self.indices = np.fromiter(numbers, dtype=np.int32, count=self.indptr[-1])

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

    @cached_property
    def searched(self) -> Graph:
        """The graph of the library."""
        return Graph.from_csr(self.indptr, self.indices)

    @cached_property
    def rows(self):
        """The node at whose list each entry of indices is."""
        return np.repeat(np.arange(len(self.nodes), dtype=np.int32), np.diff(self.indptr))

    @cached_property
    def ascends(self):
        """Whether each adjacency list is in ascending order."""
        same = self.rows[1:] == self.rows[:-1]
        return bool(np.all(self.indices[1:][same] > self.indices[:-1][same]))

    @cached_property
    def has_self_loops(self):
        return bool(np.any(self.indices == self.rows))

    def levels(self, source, limit=None):
        """Levels from a node, -1: not reached, or beyond the limit."""
        return _cut(self.searched.bfs(self.number[source]).levels, limit)


# ---- what is refused ----

_refusals: dict[str, Callable] = {}  # by function: why it cannot take these arguments, or None


def _refuses(refusal):
    """Makes a function of NetworkX raise NotImplementedError with the reason that refusal() gives for its arguments.

    Arguments that NetworkX added since, which the function does not know, are refused unless they are None."""

    def decorate(function):
        known = signature(function).parameters

        def reason_for(*args, **kwargs):
            others = [name for name, value in kwargs.items() if name not in known and value is not None]
            if others:
                return f"{others[0]} is not supported"
            return refusal(*args, **{name: value for name, value in kwargs.items() if name in known})

        @wraps(function)
        def checked(*args, **kwargs):
            reason = reason_for(*args, **kwargs)
            if reason:
                raise NotImplementedError(f"gtrav: {function.__name__}: {reason}")
            return function(*args, **{name: value for name, value in kwargs.items() if name in known})

        _refusals[function.__name__] = reason_for
        return checked

    return decorate


def _refuse_nothing(*_args, **_kwargs):
    return None


def _refuse_breadth_first(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    if sort_neighbors is not None:
        return "sort_neighbors is not supported"
    if reverse and G.is_directed():
        return "reverse is not supported on directed graphs"
    return None


def _refuse_depth_first(G, source=None, depth_limit=None, *, sort_neighbors=None):
    if source is None:
        return "a search without a source is not supported"
    if depth_limit is not None:
        return "depth_limit is not supported"
    if sort_neighbors is not None:
        return "sort_neighbors is not supported"
    return None


def _refuse_closeness(G, u=None, distance=None, wf_improved=True):
    if distance is not None:
        return "distance is not supported: all edges have length 1"
    if not wf_improved:
        return "wf_improved=False is not supported"
    if u is not None and G.is_directed():
        return "u is not supported on directed graphs"
    return None


# ---- lengths ----


def _cut(levels, limit):
    """Levels without those beyond a limit; the source stays in any case, as in NetworkX."""
    return levels if limit is None else np.where(levels > max(limit, 0), np.int32(-1), levels)


def _lengths(G, levels):
    """A dict of the nodes that are reached, in ascending order of their levels."""
    reached = np.flatnonzero(levels >= 0)
    reached = reached[np.argsort(levels[reached], kind="stable")]
    return dict(zip([G.nodes[v] for v in reached.tolist()], levels[reached].tolist()))


@_refuses(_refuse_nothing)
def single_source_shortest_path_length(G, source, cutoff=None):
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    return _lengths(G, G.levels(source, cutoff))


@_refuses(_refuse_nothing)
def all_pairs_shortest_path_length(G, cutoff=None):
    batch = min(512, max(1, AT_ONCE // max(1, len(G))))
    for begin in range(0, len(G), batch):
        sources = range(begin, min(begin + batch, len(G)))
        levels = G.searched.bfs(np.array(sources)).levels
        for source, row in zip(sources, _cut(levels, cutoff)):
            yield G.nodes[source], _lengths(G, row)


# ---- breadth-first ----


def _entries_of(G, vertices):
    """The places in indices of the neighbours of vertices, one list after the other, and the lengths of the lists."""
    begins, counts = G.indptr[vertices], G.indptr[vertices + 1] - G.indptr[vertices]
    ends = np.cumsum(counts)
    return np.arange(ends[-1]) + np.repeat(begins - ends + counts, counts), counts


def _edges_by_levels(G, source, levels):
    """Yields arrays of parents and children, level by level, in NetworkX's order: a child's parent is the
    first vertex of the level before that has it in its list."""
    first = np.empty(len(G), dtype=np.int64)
    level = np.array([source])
    for depth in range(1, int(levels.max()) + 1):
        entries, counts = _entries_of(G, level)
        parents, children = np.repeat(level, counts), G.indices[entries]
        below = levels[children] == depth
        parents, children = parents[below], children[below]
        places = np.arange(len(children))
        first[children[::-1]] = places[::-1]  # the last that is written is the first in the list
        fresh = first[children] == places
        yield parents[fresh], children[fresh]
        level = children[fresh]


def _edges_one_by_one(G, source, levels):
    """The same edges as _edges_by_levels(), of a graph with many levels, as two lists."""
    indptr, indices, levels = G.indptr.tolist(), G.indices.tolist(), levels.tolist()
    parents, children, seen = [], [source], bytearray(len(G))
    for parent in children:
        below = levels[parent] + 1
        for child in indices[indptr[parent] : indptr[parent + 1]]:
            if levels[child] == below and not seen[child]:
                seen[child] = True
                children.append(child)
                parents.append(parent)
    return parents, children[1:]


def _bfs_edges(G, source, limit):
    levels = G.levels(source, limit)
    start = G.number[source]
    if np.count_nonzero(levels >= 0) < NARROW * (int(levels.max()) + 1):
        pairs = [_edges_one_by_one(G, start, levels)]
    else:
        pairs = ((parents.tolist(), children.tolist()) for parents, children in _edges_by_levels(G, start, levels))
    for parents, children in pairs:
        for parent, child in zip(parents, children):
            yield G.nodes[parent], G.nodes[child]


@_refuses(_refuse_breadth_first)
def bfs_edges(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the digraph.")
    yield from _bfs_edges(G, source, depth_limit)


@_refuses(_refuse_breadth_first)
def bfs_tree(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(bfs_edges(G, source, depth_limit=depth_limit))
    return tree


# ---- the others ----


@_refuses(_refuse_depth_first)
def dfs_preorder_nodes(G, source=None, depth_limit=None, *, sort_neighbors=None):
    if not G.ascends:
        raise NotImplementedError(
            "gtrav: dfs_preorder_nodes: neighbours are visited in the nodes' order; G lists them in another"
        )
    return _dfs_preorder_nodes(G, source)


def _dfs_preorder_nodes(G, source):
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    for vertex in G.searched.dfs(G.number[source], variant="serial", device="cpu").order.tolist():
        yield G.nodes[vertex]


@_refuses(_refuse_nothing)
def topological_sort(G):
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    if not len(G):
        return
    cycle = nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
    if G.has_self_loops:
        raise cycle
    try:
        # Kahn's algorithm with a queue, as NetworkX's
        how = {"variant": "serial", "device": "cpu"} if G.ascends else {}
        order = G.searched.topological_order(**how)
    except InputError:
        raise cycle from None
    for vertex in order.tolist():
        yield G.nodes[vertex]


@_refuses(_refuse_closeness)
def closeness_centrality(G, u=None, distance=None, wf_improved=True):
    if u is None:
        return dict(zip(G.nodes, G.searched.closeness().tolist())) if len(G) else {}
    if u not in G:
        raise nx.NodeNotFound(f"Source {u} is not in G")
    levels = G.levels(u)
    others, total = np.count_nonzero(levels > 0), int(levels[levels > 0].sum())
    return float(others / total * (others / (len(G) - 1))) if total else 0.0


# ---- what NetworkX calls ----


class _Backend:
    """The entry point networkx.backends: conversions, and the functions that _refuses() marks."""

    @staticmethod
    def convert_from_nx(graph, **_attributes):
        """Attributes are left where they are: nothing here uses them, and the original graph is kept."""
        return graph if isinstance(graph, BackendGraph) else BackendGraph(graph)

    @staticmethod
    def convert_to_nx(result, **_how):
        return result.original if isinstance(result, BackendGraph) else result

    @staticmethod
    def can_run(name, args, kwargs):
        return _refusals[name](*args, **kwargs) or True

    @staticmethod
    def on_start_tests(items):
        """NetworkX's own tests call this: what cannot pass, and why."""
        import pytest

        for item in items:
            if item.name == "test_topological_sort6":
                item.add_marker(
                    pytest.mark.xfail(reason="changes of G during the iteration go unnoticed", strict=True)
                )

    @staticmethod
    def should_run(name, args, kwargs):
        """Converting a graph takes longer than one search of NetworkX, so it must be there or pay."""
        graph = args[0] if args else kwargs["G"]
        cache = getattr(graph, "__networkx_cache__", None) or {}
        if isinstance(graph, BackendGraph) or "gtrav" in cache.get("backends", {}):
            return True
        smallest = nx.config.backends.gtrav.smallest
        of_one_node = name == "closeness_centrality" and (args[1:2] or [kwargs.get("u")])[0] is not None
        if name not in MANY_SEARCHES or of_one_node:
            return "converting the graph takes longer than one search"
        return graph.number_of_nodes() >= smallest or f"the graph has fewer than {smallest:,} nodes"


for _name in _refusals:
    setattr(_Backend, _name, staticmethod(globals()[_name]))
backend = _Backend()
