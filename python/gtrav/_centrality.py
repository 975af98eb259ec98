"""_centrality.py: the methods of class Graph for centralities and eccentricities."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from ._arguments import How, Sampled, Vertex, Vertices, checked_calls
from ._errors import InputError
from ._query import search, together
from ._results import Values

if TYPE_CHECKING:
    from typing_extensions import Unpack

ON_CPU = (("device", "cpu"),)
BOUNDING_SEARCHES = 64  # after this many single searches, one search from many sources takes less time


@checked_calls
class Centrality:
    """Centralities and eccentricities. In a symmetric graph, a pair of vertices counts once."""

    def closeness(self, sources: SupportsIndex | Vertices | None = None, **how: Unpack[Sampled]) -> Values:
        """Computes the closeness centrality of every vertex, by distances to it: float64 (Wasserman and Faust, 1994).

        sources: estimate it by searches from this many random vertices, or from a list of distinct vertices; by
        default it is exact. seed: draw other random vertices; without a seed they are always the same."""
        return self._central("closeness", sources, how)

    def harmonic(self, sources: SupportsIndex | Vertices | None = None, **how: Unpack[Sampled]) -> Values:
        """Computes the harmonic centrality of every vertex: float64, the sum of 1 / distance from each other vertex.

        sources, seed: as for closeness(), scaled to all vertices. By default the search runs on the CPU."""
        return self._central("harmonic", sources, how, settings=() if how.get("device") else ON_CPU)

    def betweenness(
        self, sources: SupportsIndex | Vertices | None = None, normalized: bool = True, edges: bool = False, *,
        directed: bool = False, **how: Unpack[Sampled],
    ) -> Values:  # fmt: skip
        """Computes the betweenness of every vertex: float64, defined as NetworkX's betweenness_centrality. For each
        pair of other vertices, a vertex gets the share of their shortest paths that lead through it.

        sources, seed: as for closeness(), scaled to all vertices.
        normalized: divide by the number of pairs.
        edges: compute the values of edges instead, in the order of `indices`. In an undirected graph, an edge and its
        reverse have the same value; of an estimate, two values. By default the search runs on the CPU.
        directed: count a pair once each way, as NetworkX does for a DiGraph. A graph that is not symmetric always
        does; a symmetric one counts as undirected, whatever it was made of."""
        settings = () if how.get("device") else ON_CPU
        values = np.zeros(self.num_edges if edges else self.num_vertices)
        arrays = (None, values) if edges else (values, None)
        run = self._from_some("betweenness", sources, *arrays, how=how, settings=settings)
        if directed and self.symmetric and not edges:
            values *= 2
        others = self.num_vertices - (0 if edges else 1)
        pairs = others * (others - 1) / (1 if directed or not self.symmetric else 2)
        values = values / pairs if normalized and pairs > 0 else values
        if not edges:
            return Values.of(values, run, "betweenness")
        ends = {"source": np.repeat(np.arange(self.num_vertices), np.diff(self.indptr)), "destination": self.indices}
        return Values.of(values, run, "betweenness", ends)

    def _central(self, name, sources, how, settings=()):
        values = np.zeros(self.num_vertices)
        return Values.of(values, self._from_some(name, sources, values, how=how, settings=settings), name)

    def _from_some(self, name, sources, *arrays, how, settings):
        """Searches from all vertices, or from some: those that are given, or random ones."""
        n, given, count, seed = self.num_vertices, None, 0, how.pop("seed", None)
        if np.ndim(sources):
            given = self._numbers(sources, "a source")
            count = len(given)
            if count == 0:
                raise InputError("sources=[]: expected at least one vertex")
        elif sources is not None:
            count = int(sources)
            if seed is not None and count <= n:
                given = np.random.default_rng(seed).choice(n, count, replace=False).astype(np.uint32)
        return search(name, self, (given, count, *arrays), how, settings, count or n)

    def count_paths(self, source: Vertex, **how: Unpack[How]) -> Values:
        """Counts the shortest paths from a vertex to each vertex: float64; 0 if there is none, 1 for the vertex
        itself. Counts above 2^53 are rounded, counts above 1.8e308 infinite."""
        values = np.zeros(self.num_vertices)
        return Values.of(values, search("count_paths", self, (self._one(source), None, values), how), "paths")

    def eccentricity(self, **how: Unpack[How]) -> Values:
        """Computes the distance from every vertex to the farthest one: float64; infinite for a vertex that does not
        reach all others. `run` adds up the times of all searches."""
        low, _, run = self._bound(lambda low, high: low < high, how)
        return Values.of(low, run, "eccentricity")

    def diameter(self, **how: Unpack[How]) -> int | float:
        """Computes the largest eccentricity; infinite unless every vertex reaches all others.

        In an undirected graph, a few searches are enough to bound it (Takes and Kosters, CIKM 2011)."""
        return _whole(self._bound(lambda low, high: high > low.max(), how)[0].max())

    def radius(self, **how: Unpack[How]) -> int | float:
        """Computes the smallest eccentricity, as diameter() does; infinite if no vertex reaches all others."""
        return _whole(self._bound(lambda low, high: low < high.min(), how)[1].min())

    def _bound(self, is_open, how):
        """Returns lower and upper bounds of the vertices' eccentricities, and what ran. A vertex is open while
        is_open(low, high) is true for its bounds; in the end an open vertex has equal bounds.

        A vertex at distance d from one with eccentricity e has an eccentricity of at least max(e - d, d) and at most
        e + d. Single searches start from open vertices: in turn from the one with the highest upper bound and the one
        with the lowest lower bound. Then one search starts from all open vertices; in a directed graph, from all."""
        n = self.num_vertices
        if n == 0:
            raise InputError("the graph has no vertices, so no eccentricities")
        self._refuse_weights(how)
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
