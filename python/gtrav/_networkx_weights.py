"""_networkx_weights.py: shortest paths by an attribute of edges, for gtrav.networkx.

The library finds distances: sums in the same order as NetworkX's, so the same numbers. NetworkX's paths are then found
among the edges that lie on shortest paths."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from ._conversions import attributes_of_edges
from ._errors import InputError
from ._graph import Graph

MOST = 2**53  # floats below it hold sums of whole numbers exactly


class Weighted:
    """The weights of a BackendGraph by an attribute, as NetworkX reads them: a missing one is 1, and of parallel edges
    the smallest counts. InputError for weights that are neither all int nor all float, negative, or NaN.

    values: for each entry of G.indices; float64. Edges of infinite weight are not in `graph`, the library's."""

    def __init__(self, G: Any, name: str):
        smallest, kinds = attributes_of_edges(G.adjacency(), G.is_multigraph(), name)
        self.G, self.are_ints = G, kinds <= {int} and max(smallest, default=0) < MOST
        if not (self.are_ints or kinds == {float}) or not all(weight >= 0 for weight in smallest):
            raise InputError("weights are all int below 2^53, or all float, and 0 or more")
        self.values = np.array(smallest, dtype=np.float64)
        finite = np.isfinite(self.values)
        rows, columns, values = G.rows[finite], G.indices[finite], self.values[finite]
        self.all_finite = bool(finite.all())
        self.graph = Graph.from_edges(rows, columns, len(G), ids="dense", weights=values)
        most = 2**32 - 2 if self.graph.weights.dtype == np.uint32 else MOST
        self.may_fail = float(values.max(initial=0)) * len(G) >= most  # a distance may be too large

    def distances(self, source: Any, cutoff: Any = None) -> np.ndarray:
        """Returns the distance of each vertex; NaN: not reached. A path over an infinite weight reaches a vertex."""
        vertex = self.G.number[source]
        found = self.graph.sssp(vertex).distances
        is_reached = np.isfinite(found)
        if self.are_ints and found[is_reached].max() >= MOST:
            raise InputError("a distance is above 2^53")
        if not self.all_finite:
            is_reached = self.G.searched.bfs(vertex).levels >= 0
        if cutoff is not None:
            is_reached &= ~(found > cutoff)
            is_reached[vertex] = True
        found[~is_reached] = np.nan
        return found

    def lengths(self, source: Any, found: Any = None) -> dict:
        """Makes a dict of the reached nodes and their distances, in ascending order. found: what distances() found."""
        found = self.distances(source) if found is None else found
        order = np.argsort(found, kind="stable")[: np.count_nonzero(found == found)]  # NaNs are at the end
        values = found[order].astype(np.int64) if self.are_ints else found[order]
        lengths = dict(zip(self.G.named(order), values.tolist()))
        lengths[source] = 0  # an int, whatever the weights are
        return lengths

    def tree(self, source: Any, found: np.ndarray) -> tuple[list[int], list[int]]:
        """Lists parents and children, as BackendGraph.tree() does, in the order in which NetworkX settles the children.

        NetworkX settles vertices of the same distance in the order in which they got it. A vertex gets its distance
        from the first settled vertex with a tight edge to it: one that is as long as the difference."""
        G, first = self.G, self.G.number[source]
        tight = found[G.rows] + self.values == found[G.indices]
        bounds = np.searchsorted(G.rows[tight], np.arange(len(G) + 1)).tolist()
        children, places = G.indices[tight].tolist(), np.unique(found, return_inverse=True)[1].tolist()
        groups: list[list[int]] = [[] for _ in range(max(places) + 1)]  # vertices of the same distance
        groups[places[first]].append(first)
        parent_of = {first: first}
        for group in groups:
            for parent in group:  # edges of weight 0 make it longer
                for child in children[bounds[parent] : bounds[parent + 1]]:
                    if child not in parent_of:
                        parent_of[child] = parent
                        groups[places[child]].append(child)
        settled = list(chain.from_iterable(groups))[1:]
        return [parent_of[child] for child in settled], settled
