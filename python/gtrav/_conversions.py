"""_conversions.py: makes graphs of other libraries' graphs and matrices, and of lists of pairs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _ids
from ._arguments import Column, IgraphGraph, Matrix, NetworkXGraph, Where, checked_calls, shown
from ._errors import InputError, InputTypeError, WeightsIgnored, warn

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

SPREAD = 8  # integers are looked up in an array if it needs at most this many entries per node


@checked_calls
class Conversions:
    """Makes a Graph of a graph of another library."""

    @classmethod
    def from_scipy(
        cls, matrix: Matrix, *, undirected: bool = False, weights: Column = None, **where: Unpack[Where]
    ) -> Self:
        """Makes a graph of a square sparse matrix or array of SciPy: an entry in row i, column j is the edge i -> j,
        a stored zero, too.

        weights="auto": the values are the edges' weights; as in SciPy, duplicates add up. By default a
        gtrav.WeightsIgnored warns if the values differ. A CSR matrix without weights is copied only where from_csr()
        copies. The other keywords: as for from_csr()."""
        rows, columns = matrix.shape
        if rows != columns:
            raise InputError(f"the matrix must be square, but it has {rows:,} rows and {columns:,} columns")
        rows = matrix.tocsr()
        if weights is None:
            warn_of_weights("the matrix", (matrix if getattr(matrix, "format", "") == "coo" else rows).data)
            return cls.from_csr(rows.indptr, rows.indices, undirected=undirected, **where)
        if weights != "auto":
            raise InputError(f"weights={weights!r}: a matrix has only its values, weights='auto'")
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        values = rows.data.view(np.uint8) if rows.dtype == bool else rows.data
        return cls.from_csr(rows.indptr, rows.indices, undirected=undirected, weights=values, **where)

    @classmethod
    def from_networkx(
        cls, graph: NetworkXGraph, *, undirected: bool = False, weights: Column = None, **where: Unpack[Where]
    ) -> Self:
        """Makes a graph of a NetworkX graph, whose nodes become the ids.

        weights: the name of an attribute, "auto": "weight". As in NetworkX, an edge without it has the weight 1, and
        of parallel edges the smallest counts. By default a gtrav.WeightsIgnored warns if attributes named "weight"
        differ. The other keywords: as for from_csr()."""
        name = "weight" if weights in (None, "auto") else weights
        nodes, _, indptr, indices = adjacency_arrays(graph.adjacency())
        if weights is None:
            warn_of_weights("the graph of NetworkX", (weight for *_, weight in graph.edges(data=name, default=1)))
        elif len(indices) and not any(name in attributes for *_, attributes in graph.edges(data=True)):
            raise InputError(f"no edge of the graph has the attribute {name!r}")
        found = None
        if weights is not None:
            found, _ = attributes_of_edges(graph.adjacency(), graph.is_multigraph(), name)
        made = cls.from_csr(indptr, indices, undirected=undirected, weights=found, **where)
        return made._named(_ids.of_objects(nodes))

    @classmethod
    def from_igraph(cls, graph: IgraphGraph, *, weights: Column = None, **where: Unpack[Where]) -> Self:
        """Makes a graph of an igraph graph. The attribute "name" of its vertices gives the ids.

        weights: the name of an attribute of its edges, "auto": "weight". By default a gtrav.WeightsIgnored warns if
        the attribute "weight" differs."""
        edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
        names = graph.vs["name"] if "name" in graph.vs.attributes() else None
        name = "weight" if weights in (None, "auto") else weights
        values = graph.es[name] if name in graph.es.attributes() else None
        if weights is None:
            warn_of_weights("the graph of igraph", values or [])
        elif values is None:
            raise InputError(f"the edges of the graph have no attribute {name!r}")
        undirected, kept = not graph.is_directed(), None if weights is None else values
        made = cls.from_edges(edges, num_vertices=graph.vcount(), undirected=undirected, weights=kept, **where)
        return made if names is None else made._named(_ids.of_objects(names))


def attributes_of_edges(adjacency: Iterable, is_multigraph: bool, name: str) -> tuple[list, set[type]]:
    """Lists for each neighbour in NetworkX's adjacency the smallest attribute of the edges that lead to it, and the
    types of all. A missing attribute is 1."""
    edges = [data for _, neighbours in adjacency for data in neighbours.values()]
    if not is_multigraph:
        found = [data.get(name, 1) for data in edges]
        return found, set(map(type, found))
    lists = [[each.get(name, 1) for each in data.values()] for data in edges]
    try:
        return list(map(min, lists)), set(map(type, chain.from_iterable(lists)))
    except TypeError:
        raise InputError(f"the attribute {name!r} is not a number for all edges") from None


def warn_of_weights(what: str, weights: Iterable) -> None:
    """Warns if weights are not all equal."""
    if isinstance(weights, np.ndarray):
        differ = weights.size > 0 and bool((weights != weights.flat[0]).any())
    else:
        first = next(weights := iter(weights), None)
        try:
            differ = any(weight != first for weight in weights)
        except (TypeError, ValueError):  # comparing arrays or pandas' NA gives no truth value
            differ = True
    if differ:
        warn_that_ignored(what)


def warn_that_ignored(what: Any) -> None:
    text = f"{what} has weights, which are ignored: every edge counts as 1; weights='auto' keeps them"
    warn(text, WeightsIgnored)


def columns_of_pairs(pairs: Any):
    """Returns the two columns of an array of the shape (m, 2), or of a list of pairs."""
    if hasattr(pairs, "__array__"):
        columns = _ids.as_numbers(pairs).T
        if columns.ndim == 2 and len(columns) == 2:
            return columns
        raise InputTypeError(f"one array of edges has the shape (m, 2), not {columns.T.shape}")
    try:
        rows = [(source, destination) for source, destination in pairs]
        if set(map(type, pairs)) & {str, bytes}:  # a text of two letters is not a pair
            raise TypeError
    except (TypeError, ValueError):
        raise InputTypeError(f"edges are two lists, src and dst, or one of pairs, not {shown(pairs)}") from None
    return [list(column) for column in zip(*rows)] if rows else ([], [])


def adjacency_arrays(adjacency: Iterable):
    """Turns pairs of a node and its neighbours into (nodes, number of each node, indptr, indices): a list, a dict,
    and arrays of int64 and int32. Nodes and neighbours keep their order."""
    number, lists = {}, []
    for node, neighbours in adjacency:
        number[node] = len(lists)
        lists.append(neighbours if type(neighbours) is dict else list(neighbours))  # len() of some views is wrong
    indptr = np.zeros(len(lists) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, lists), dtype=np.int64, count=len(lists)), out=indptr[1:])
    return list(number), number, indptr, _numbers_of(number, chain.from_iterable(lists), int(indptr[-1]))


def _numbers_of(number, keys, count):
    """Looks up the numbers of `count` nodes: int32. For integers, NumPy takes a third of the time of a dict."""
    if set(map(type, number)) == {int} and min(number) >= 0 and max(number) < SPREAD * len(number):
        place = np.empty(max(number) + 1, dtype=np.int32)
        place[np.fromiter(number, dtype=np.int64, count=len(number))] = np.arange(len(number), dtype=np.int32)
        return place[np.fromiter(keys, dtype=np.int64, count=count)]
    found = itemgetter(*keys)(number) if count > 1 else [number[key] for key in keys]
    return np.fromiter(found, dtype=np.int32, count=count)
