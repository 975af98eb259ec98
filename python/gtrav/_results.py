"""_results.py: the results of searches: NumPy arrays, and what ran."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arguments import checked_calls
from ._errors import InputError
from ._ids import Numbered
from ._library import VariantFields, function
from ._query import Run, Times

MAKERS = {"pandas": ("pandas", "DataFrame"), "polars": ("polars", "DataFrame"), "arrow": ("pyarrow", "table")}
# Columns of vertices, which a frame shows by the ids of the graph.
OF_VERTICES = {"vertex", "parent", "source", "destination", "component"}


@checked_calls
class Framed:
    """A result that can become a frame. It has `run`, and _columns() returns a dict of arrays of equal length."""

    def to_frame(self, kind: str = "pandas") -> Any:
        """Returns the result as a frame of "pandas" or "polars" or a table of "arrow".

        A search gives a row for each vertex that it reaches: vertex, level and parent, as far as they were found.
        Path lengths give a row for each pair: source, destination, length (-1: there is no path). Paths give a row
        for each vertex on a path: path, step, vertex. Vertices appear by their ids; in a pickled result, by their
        numbers."""
        if kind not in MAKERS:
            raise InputError(f"a frame of {kind!r}: expected one of {', '.join(MAKERS)}")
        if self.run is None:
            raise InputError("this array was computed from a result: call to_frame() of the result itself")
        module, maker = MAKERS[kind]
        try:
            make = getattr(import_module(module), maker)
        except ImportError:
            raise ImportError(f"frames of {kind} need {module}: pip install {module}") from None
        names, columns = self.run.graph and self.run.graph._names, self._columns()
        if names is not None and not isinstance(names, Numbered):
            columns.update((name, _named(names, columns[name])) for name in columns.keys() & OF_VERTICES)
        return make(columns)

    def to_arrow(self) -> Any:
        """Returns the result as a table of pyarrow, as to_frame("arrow") does."""
        return self.to_frame("arrow")


def _named(names, vertices):
    """Returns the ids of vertices; None for -1."""
    ids = names.values()
    found = ids[vertices] if len(ids) else np.empty(len(vertices), dtype=object)
    if found.dtype.kind == "O" or np.any(vertices < 0):
        return [None if vertex < 0 else id for vertex, id in zip(vertices.tolist(), found.tolist())]
    return found


class Values(Framed, np.ndarray):
    """An array and what ran: `run.times`, `run.ran`, `run.note`. Arrays computed from it have no `run`."""

    run: Run | None = None
    _beside: tuple = ()

    @classmethod
    def of(cls, array: NDArray, run: Run | None, column: str = "value", beside: Any = None) -> Values:
        """column: the name of the array in a frame; beside: {name: column before it}, by default the vertices."""
        values = array.view(cls)
        values.run, values._beside = run, (column, beside or {})
        return values

    def __copy__(self, _copied=None):
        return Values.of(np.array(self), self.run, *self._beside)

    __deepcopy__ = __copy__

    def __reduce__(self):
        return Values.of, (np.asarray(self), self.run, *self._beside)

    def _columns(self):
        column, beside = self._beside
        if column != "vertex" and not beside:
            beside = {"vertex": np.arange(len(self), dtype=np.int32)}
        return {**beside, column: np.asarray(self)}

    @property
    def times(self) -> Times | None:
        return self.run.times if self.run else None


def _is_reached(levels):
    """Returns a mask of the levels that are neither -1 of int32 nor 255 of uint8."""
    return levels != np.array(-1).astype(levels.dtype)


@dataclass(eq=False)
class _Result(Framed):
    run: Run

    @property
    def times(self) -> Times:
        return self.run.times

    def __repr__(self):
        return f"<{self.run.ran}: {self._summary()}, {self.run.times.total_ms:.3g} ms>"


@dataclass(eq=False, repr=False)
class BfsResult(_Result):
    """A breadth-first search from one source.

    levels: int32, the number of edges on a shortest path from the source to each vertex; -1: not reached. With
    dtype=uint8, 255: not reached. With on_device=True, levels and parents are DeviceArrays.
    The result keeps the graph alive. Pickling a result finds its parents, and drops the graph."""

    levels: Any
    _parents: Any  # the array; None: not found yet
    _asked: tuple | None = None  # graph, source, on_device, device and limits
    _targets: Any = None  # the vertices that bfs(targets=...) named

    @property
    def targets_reached(self) -> Any:
        """Whether each target is reached: bool, an entry for each target; None: the search had no targets."""
        return None if self._targets is None else _is_reached(np.asarray(self.levels)[self._targets])

    @property
    def parents(self) -> Any:
        """int32, the parent of each vertex on a shortest path; the source is its own parent; -1: not reached.
        Without parents=True, another search finds them at the first use."""
        if self._parents is None:
            graph, source, on_device, device, limits = self._asked
            again = graph.bfs(source, parents=True, on_device=on_device, device=device, **limits)
            self._parents = again.parents
        return self._parents

    def __reduce__(self):
        return BfsResult, (self.run, self.levels, self.parents, None, self._targets)

    def _columns(self):
        levels = np.asarray(self.levels)
        reached = np.flatnonzero(_is_reached(levels))
        columns = {"vertex": reached, "level": levels[reached]}
        if self._parents is not None:
            columns["parent"] = np.asarray(self.parents)[reached]
        return columns

    def _summary(self):
        levels = np.asarray(self.levels)
        reached = levels[_is_reached(levels)]
        return f"{len(reached):,} vertices reached, highest level {reached.max()}"


@dataclass(eq=False, repr=False)
class ManyBfsResult(_Result):
    """Breadth-first searches from several sources.

    levels: int32, a row for each source with an entry for each vertex; -1: not reached. None with levels=False.
    The other arrays have an entry for each source. reached: uint64, how many vertices it reaches, itself included;
    level_sums: uint64, the sum of their levels; eccentricities: uint32, the highest level; sources: uint32."""

    levels: NDArray[np.int32] | None
    reached: NDArray[np.uint64]
    level_sums: NDArray[np.uint64]
    eccentricities: NDArray[np.uint32]
    sources: NDArray[np.uint32]

    def _columns(self):
        if self.levels is None:
            sums = {"reached": self.reached, "level_sum": self.level_sums, "eccentricity": self.eccentricities}
            return {"source": self.sources, **sums}
        row, vertex = np.nonzero(self.levels >= 0)
        return {"source": self.sources[row], "vertex": vertex, "level": self.levels[row, vertex]}

    def _summary(self):
        return f"{len(self.reached):,} sources, {int(self.reached.sum()):,} vertices reached"


@dataclass(eq=False, repr=False)
class DfsResult(_Result):
    """A depth-first search from one source.

    parents: int32, the parent of each vertex; the source is its own parent; -1: not reached. order: int32,
    the reached vertices in the order of discovery; None with order=False, or if the variant gives none."""

    parents: NDArray[np.int32]
    order: NDArray[np.int32] | None

    def _columns(self):
        vertices = np.flatnonzero(self.parents >= 0) if self.order is None else self.order
        return {"vertex": vertices, "parent": self.parents[vertices]}

    def _summary(self):
        return f"{np.count_nonzero(self.parents >= 0):,} vertices reached"


@dataclass(eq=False, repr=False)
class SsspResult(_Result):
    """The shortest paths from one source by the weights of edges.

    distances: float64, the sum of the weights on a shortest path to each vertex; infinity: not reached. parents: int32,
    the vertex before each on such a path; the source is its own parent; -1: not reached. None without parents=True.
    sources: the vertices from each of which was searched, for each row of distances and parents; None: only one."""

    distances: NDArray[np.float64]
    parents: NDArray[np.int32] | None
    sources: NDArray[np.uint32] | None = None

    def _columns(self):
        reached = np.nonzero(np.isfinite(self.distances))
        columns = {} if self.sources is None else {"source": self.sources[reached[0]]}
        columns.update(vertex=reached[-1], distance=self.distances[reached])
        if self.parents is not None:
            columns["parent"] = self.parents[reached]
        return columns

    def _summary(self):
        reached = self.distances[np.isfinite(self.distances)]
        return f"{len(reached):,} vertices reached, longest distance {reached.max(initial=0):g}"


@dataclass(eq=False, repr=False)
class PathList(_Result):
    """A list of paths, each an int32 array of vertices with both ends; an empty array if there is no path.

    Path i is vertices[offsets[i]:offsets[i + 1]]. offsets: int64, one entry more than paths; vertices: int32.
    distances: with weight=True, float64, the sum of the weights on each path; infinity: there is none."""

    offsets: NDArray[np.int64]
    vertices: NDArray[np.int32]
    distances: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]
        return self.vertices[self.offsets[i] : self.offsets[i + 1]]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        return (self[i] for i in range(len(self)))

    @property
    def lengths(self) -> NDArray[np.int32]:
        """int32, the number of edges of each path; -1 if there is no path."""
        return np.diff(self.offsets).astype(np.int32) - 1

    def _columns(self):
        sizes = np.diff(self.offsets)
        step = np.arange(len(self.vertices)) - np.repeat(self.offsets[:-1], sizes)
        return {"path": np.repeat(np.arange(len(self)), sizes), "step": step, "vertex": self.vertices}

    def _summary(self):
        return f"{len(self):,} paths, {np.count_nonzero(np.diff(self.offsets)):,} of them found"


@dataclass(eq=False, repr=False)
class ComponentsResult(_Result):
    """The components of a graph.

    labels: int32, the smallest vertex of each vertex's component; count: the number of components."""

    labels: NDArray[np.int32]
    count: int

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """int64, the number of vertices of each component, in ascending order of labels."""
        return np.unique(self.labels, return_counts=True)[1]

    def _columns(self):
        return {"vertex": np.arange(len(self.labels)), "component": self.labels}

    def _summary(self):
        return f"{self.count:,} components"


@dataclass(frozen=True)
class Info:
    """Statistics of a graph.

    bytes: size of the two arrays of compressed sparse rows; max_degree: the largest out-degree; isolated: number of
    vertices without any edge; pseudo_diameter: a lower bound of the largest component's diameter."""

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
class Memory:
    """The bytes that a variant needs for a graph. On the device: at the peak, prepared as by default, with compressed
    lists (0: it cannot) or as little as it can, and what is free; if not known, at least so many. On the host: the
    graph and one result."""

    prepared_bytes: int
    unprepared_bytes: int
    device_free: int
    host_bytes: int
    prepared_known: bool
    unprepared_known: bool
    compressed_known: bool
    compressed_bytes: int

    @property
    def fits(self) -> bool | None:
        """Whether the variant fits now, perhaps compressed or unprepared; None: not known."""
        ways = [(self.unprepared_bytes, self.unprepared_known), (self.compressed_bytes, self.compressed_known)]
        fitting = [known for needed, known in ways if 0 < needed <= self.device_free]
        return any(fitting) or None if fitting else False


@dataclass(frozen=True)
class Variant:
    """An algorithm of this build: family "bfs", variant "gap", title, citation, device "cpu" or "gpu"."""

    family: str
    variant: str
    title: str
    citation: str
    device: str

    @classmethod
    def _all(cls) -> list[Variant]:
        """Lists the algorithms of this build by their index in the library."""
        found, fields = [], VariantFields()
        while function("variant_at")(len(found), fields):
            found.append(cls(*((getattr(fields, name) or b"").decode() for name in VariantFields.TEXTS)))
        return found
