"""_centrality.py: the part of class Graph about how central vertices are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from ._arguments import How, Vertex, checked_calls
from ._errors import InputError
from ._library import address
from ._query import search, together
from ._results import Values

if TYPE_CHECKING:
    from typing_extensions import Unpack

BOUNDING_SEARCHES = 64  # after which many sources at once take less time than one after the other


@checked_calls
class Centrality:
    """In an undirected graph a pair of vertices counts once."""

    def betweenness(
        self, k: SupportsIndex | None = None, normalized: bool = True, edges: bool = False, **how: Unpack[How]
    ) -> Values:
        """Betweenness of every vertex: the sum over all pairs of other vertices of the share of the shortest
        paths from one to the other that lead through it. float64, as NetworkX's betweenness_centrality.

        k: estimate it by searches from k vertices, drawn at random; their sums are scaled to all vertices.
        normalized: divided by the number of pairs.
        edges: of every edge instead, in the order of `indices`; in an undirected graph an edge and its
        reverse have the same value, or two estimates. It is computed on the CPU."""
        how.setdefault("device", "cpu")
        values = np.zeros(self.num_edges if edges else self.num_vertices)
        arrays = (None, address(values)) if edges else (address(values), None)
        run = search("betweenness", self, int(k or 0), *arrays, how=how)
        others = self.num_vertices - (0 if edges else 1)
        pairs = others * (others - 1) / (2 if self.symmetric else 1)
        ends = {"source": np.repeat(np.arange(self.num_vertices), np.diff(self.indptr)), "destination": self.indices}
        values = values / pairs if normalized and pairs > 0 else values
        return Values.of(values, run, "betweenness", **(ends if edges else {}))

    def harmonic(self, k: SupportsIndex | None = None, **how: Unpack[How]) -> Values:
        """Harmonic centrality of every vertex: the sum of 1 / distance to it from all others. float64.

        k: estimate it by searches from k vertices, drawn at random. It is computed on the CPU."""
        how.setdefault("device", "cpu")
        values = np.zeros(self.num_vertices)
        return Values.of(values, search("harmonic", self, int(k or 0), address(values), how=how), "harmonic")

    def count_paths(self, source: Vertex, **how: Unpack[How]) -> Values:
        """How many shortest paths there are from a vertex to each: float64, 0 where there is none, 1 for
        itself. Above 2^53 they are rounded, above 1.8e308 infinite."""
        values = np.zeros(self.num_vertices)
        return Values.of(
            values, search("count_paths", self, self._one(source), None, address(values), how=how), "paths"
        )

    def eccentricity(self, **how: Unpack[How]) -> Values:
        """The distance from every vertex to the one farthest from it: float64; infinite for a vertex that does
        not reach all others. `run` has the times of all its searches."""
        low, _, run = self._bound(lambda low, high: low < high, how)
        return Values.of(low, run, "eccentricity")

    def diameter(self, **how: Unpack[How]) -> int | float:
        """The largest eccentricity: infinite unless every vertex reaches all others.

        In an undirected graph, searches from few vertices bound it (Takes and Kosters, CIKM 2011)."""
        return _whole(self._bound(lambda low, high: high > low.max(), how)[0].max())

    def radius(self, **how: Unpack[How]) -> int | float:
        """The smallest eccentricity: infinite if no vertex reaches all others. It is found as the diameter."""
        return _whole(self._bound(lambda low, high: low < high.min(), how)[1].min())

    def _bound(self, is_open, how):
        """A lower and an upper bound of each vertex's eccentricity, the same where is_open(low, high); what ran.

        The vertex v at a distance d of one with the eccentricity e has one of at least e - d and d, and at
        most e + d. Searches from vertices that are open, of the highest bound and the lowest in turn, are
        followed by one from all that still are. Where edges have no reverse, that is all."""
        n = self.num_vertices
        if n == 0:
            raise InputError("the graph has no vertices, so no eccentricities")
        low, high = np.zeros(n), np.full(n, np.inf)
        pick, runs = int(np.diff(self.indptr).argmax()), []
        for turn in range(BOUNDING_SEARCHES if self.symmetric else 0):
            found = self.bfs(pick, **how)
            levels = found.levels
            runs.append(found.run)
            if levels.min() < 0:
                return np.full(n, np.inf), np.full(n, np.inf), together(runs)
            low = np.maximum(low, np.maximum(levels, levels.max() - levels))
            high = np.minimum(high, levels.max() + levels)
            rest = np.flatnonzero(is_open(low, high))
            if len(rest) == 0:
                return low, high, together(runs)
            pick = int(rest[high[rest].argmax() if turn % 2 == 0 else low[rest].argmin()])
        rest = np.flatnonzero(is_open(low, high))
        found = self.bfs(rest, levels=False, **how)
        low[rest] = high[rest] = np.where(found.reached == n, found.eccentricities, np.inf)
        return low, high, together([*runs, found.run])


def _whole(value):
    return int(value) if math.isfinite(value) else math.inf
