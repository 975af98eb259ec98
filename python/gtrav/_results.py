"""_results.py: what searches return: NumPy arrays, and what ran."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._frames import Framed
from ._query import Run, Times


class Values(Framed, np.ndarray):
    """An array with what ran: `run.times`, `run.ran`, `run.note`. Arrays computed from it have no `run`."""

    run: Run | None = None
    _beside: tuple = ()

    @classmethod
    def of(cls, array: NDArray, run: Run, column: str = "value", **beside: NDArray) -> Values:
        """column: its name in a frame; beside: the columns before it, by default the vertices."""
        return _values_of(array, run, (column, beside))

    def __copy__(self):
        return _values_of(np.array(self), self.run, self._beside)

    def __deepcopy__(self, _copied):
        return self.__copy__()

    def __reduce__(self):
        return _values_of, (np.asarray(self), self.run, self._beside)

    def _columns(self):
        column, beside = self._beside
        if column != "vertex":
            beside = beside or {"vertex": np.arange(len(self), dtype=np.int32)}
        yield from beside.items()
        yield column, np.asarray(self)

    @property
    def times(self) -> Times | None:
        return self.run.times if self.run else None


def _values_of(array, run, beside):
    """Values as they were pickled."""
    values = array.view(Values)
    values.run, values._beside = run, beside
    return values


@dataclass(frozen=True, eq=False)
class _Result(Framed):
    run: Run

    @property
    def times(self) -> Times:
        return self.run.times

    def __repr__(self):
        return f"<{self.run.ran}: {self._summary()}, {self.run.times.total_ms:.3g} ms>"


@dataclass(frozen=True, eq=False, repr=False)
class BfsResult(_Result):
    """A breadth-first search from one source.

    levels: int32, an entry for each vertex: edges on a shortest path from the source; -1: not reached.
    Or uint8, 255: not reached. Both arrays are DeviceArrays if they were to stay on the device.
    The graph lives as long as its results; pickling one finds its parents, and leaves the graph behind."""

    levels: Any
    _parents: Any  # or a function that finds them
    _targets: Any = None  # vertices

    @property
    def targets_reached(self) -> Any:
        """Whether each of the targets is reached: bool, an entry for each target; None: there are none."""
        levels = np.asarray(self.levels)
        return None if self._targets is None else levels[self._targets] != np.array(-1).astype(levels.dtype)

    @cached_property
    def parents(self) -> Any:
        """int32, an entry for each vertex: the vertex before it on a shortest path, of the source the
        source itself; -1: not reached. Another search finds them, unless the first one was asked to."""
        return self._parents() if callable(self._parents) else self._parents

    def __reduce__(self):
        return BfsResult, (self.run, self.levels, self.parents, self._targets)

    def _columns(self):
        levels = np.asarray(self.levels)
        reached = np.flatnonzero(levels != (-1 if levels.dtype == np.int32 else 255))
        yield from (("vertex", reached), ("level", levels[reached]))
        if "parents" in self.__dict__ or not callable(self._parents):
            yield "parent", np.asarray(self.parents)[reached]

    def _summary(self):
        levels = np.asarray(self.levels)
        reached = levels[levels != (-1 if levels.dtype == np.int32 else 255)]
        return f"{len(reached):,} vertices reached, highest level {reached.max()}"


@dataclass(frozen=True, eq=False, repr=False)
class ManyBfsResult(_Result):
    """Breadth-first searches from several sources.

    levels: int32, a row for each source, an entry for each vertex; -1: not reached. None if not asked for.
    reached: uint64, an entry for each source: vertices that it reaches, itself included. level_sums:
    uint64, likewise: the sum of their levels. eccentricities: uint32, likewise: the highest level. sources:
    uint32, the vertices that they start from."""

    levels: NDArray[np.int32] | None
    reached: NDArray[np.uint64]
    level_sums: NDArray[np.uint64]
    eccentricities: NDArray[np.uint32]
    sources: NDArray[np.uint32]

    def _columns(self):
        if self.levels is None:
            yield from (("source", self.sources), ("reached", self.reached), ("level_sum", self.level_sums))
            yield "eccentricity", self.eccentricities
        else:
            row, vertex = np.nonzero(self.levels >= 0)
            yield from (("source", self.sources[row]), ("vertex", vertex), ("level", self.levels[row, vertex]))

    def _summary(self):
        return f"{len(self.reached):,} sources, {int(self.reached.sum()):,} vertices reached"


@dataclass(frozen=True, eq=False, repr=False)
class DfsResult(_Result):
    """A depth-first search from one source.

    parents: int32, an entry for each vertex: its parent in the tree, the source's own number for the
    source; -1: not reached. order: int32: the vertices that are reached, in the order they were discovered.
    None if it was not asked for."""

    parents: NDArray[np.int32]
    order: NDArray[np.int32] | None

    def _columns(self):
        vertices = np.flatnonzero(self.parents >= 0) if self.order is None else self.order
        yield from (("vertex", vertices), ("parent", self.parents[vertices]))

    def _summary(self):
        return f"{np.count_nonzero(self.parents >= 0):,} vertices reached"


@dataclass(frozen=True, eq=False, repr=False)
class PathList(_Result):
    """A list of paths, each an int32 array of vertices, both ends included; empty where there is no path.

    offsets: int64, one more than there are paths; vertices: int32. Path i is vertices[offsets[i]:offsets[i + 1]]."""

    offsets: NDArray[np.int64]
    vertices: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]
        return self.vertices[self.offsets[i] : self.offsets[i + 1]]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        return (self[i] for i in range(len(self)))

    @property
    def lengths(self) -> NDArray[np.int32]:
        """int32, an entry for each path: its edges; -1 where there is no path."""
        return np.diff(self.offsets).astype(np.int32) - 1

    def _columns(self):
        sizes = np.diff(self.offsets)
        yield "path", np.repeat(np.arange(len(self)), sizes)
        yield "step", np.arange(len(self.vertices)) - np.repeat(self.offsets[:-1], sizes)
        yield "vertex", self.vertices

    def _summary(self):
        return f"{len(self):,} paths, {np.count_nonzero(np.diff(self.offsets)):,} of them found"


@dataclass(frozen=True, eq=False, repr=False)
class ComponentsResult(_Result):
    """The components of a graph.

    labels: int32, an entry for each vertex: the smallest vertex of its component; count: of components."""

    labels: NDArray[np.int32]
    count: int

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """int64, an entry for each component, in the order of their labels: its vertices."""
        return np.unique(self.labels, return_counts=True)[1]

    def _columns(self):
        yield from (("vertex", np.arange(len(self.labels))), ("component", self.labels))

    def _summary(self):
        return f"{self.count:,} components"


@dataclass(frozen=True)
class Info:
    """Statistics of a graph.

    bytes: of the two arrays of its compressed sparse rows; max_degree: of out-degrees; isolated: vertices
    without any edge; pseudo_diameter: a lower bound of the largest component's diameter."""

    num_vertices: int
    num_edges: int
    bytes: int
    self_loops_dropped: int
    duplicates_dropped: int
    max_degree: int
    isolated: int
    components: int
    largest_component: int
    pseudo_diameter: int
    symmetric: bool
    acyclic: bool
    scale_free: bool


@dataclass(frozen=True)
class Variant:
    """An algorithm of this build: family "bfs", variant "gap", title, citation, device "cpu" or "gpu"."""

    family: str
    variant: str
    title: str
    citation: str
    device: str
