"""_searches.py: what a graph can be asked, a part of class Graph."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _arrays
from ._errors import InputError
from ._ids import integers
from ._library import PathFields, address, function
from ._query import How, as_index, search
from ._results import BfsResult, DfsResult, ManyBfsResult, PathList, Values

if TYPE_CHECKING:
    from typing_extensions import Unpack

SUMS = np.dtype(
    {
        "names": ["reached", "level_sum", "eccentricity"],
        "formats": ["u8", "u8", "u4"],
        "offsets": [0, 8, 16],
        "itemsize": 24,
    }
)


class Searches:
    """The searches of a Graph."""

    # ---- searches ----

    @overload
    def bfs(
        self,
        source: int,
        *,
        levels: bool = ...,
        parents: bool = ...,
        on_device: bool = ...,
        dtype: DTypeLike = ...,
        **how: Unpack[How],
    ) -> BfsResult: ...  # fmt: skip

    @overload
    def bfs(
        self, source: Sequence[int] | NDArray, *, levels: bool = ..., parents: bool = ..., **how: Unpack[How]
    ) -> ManyBfsResult: ...

    def bfs(
        self, source, *, levels: bool = True, parents: bool = False, on_device: bool = False,
        dtype: DTypeLike = np.int32, **how: Unpack[How],
    ):  # fmt: skip
        """Breadth-first search from one vertex, a BfsResult, or from several, a ManyBfsResult.

        levels: False: those of several sources are not wanted, only what they sum up to.
        parents: True: those of one source are found in the search, by a variant that gives them; otherwise by
        another search, when the result is asked for them.
        on_device: True: the result of one source stays on the GPU, a gtrav.DeviceArray.
        dtype: of the levels of one source: int32, or uint8, in which 255 is not reached; a level above 254 is
        an InputError.
        Keywords: device, variant, options, reorder, verify, progress; see gtrav.How."""
        dtype = np.dtype(dtype)
        if dtype not in (np.int32, np.uint8):
            raise InputError(f"levels of {dtype}: they are int32 or uint8")
        if np.ndim(source) > 0:
            if on_device or dtype != np.int32:
                raise InputError("levels of several sources are int32, on the host; search from one at a time")
            return self._many_bfs(source, levels, how)
        source, n = as_index(source, self.num_vertices), self.num_vertices
        device = how.get("device") or self._device
        level = _arrays.room(device, on_device, n, dtype)
        parent = _arrays.room(device, on_device, n, np.int32) if parents else None
        settings = [("on-device", "yes")] * on_device + [("bytes", "yes")] * (dtype == np.uint8)
        run = search("bfs", self, source, address(level), address(parent), how=how, settings=settings)

        def search_again():
            return self.bfs(source, parents=True, on_device=on_device, device=device).parents

        return BfsResult(run, level, search_again if parent is None else parent)

    def _many_bfs(self, sources, levels, how):
        sources = self._numbers(sources, "a source")
        level = np.empty((len(sources), self.num_vertices), dtype=np.int32) if levels else None
        sums = np.empty(len(sources), dtype=SUMS)
        arguments = (address(sources), len(sources), address(level), address(sums))
        run = search("msbfs", self, *arguments, how=how)
        return ManyBfsResult(run, level, sums["reached"], sums["level_sum"], sums["eccentricity"], sources)

    def dfs(self, source: int, *, order: bool | None = None, **how: Unpack[How]) -> DfsResult:
        """Depth-first search from a vertex.

        order: whether the order of discovery is wanted. By default, it is if the variant gives it: variants
        of GPUs do not, and True refuses them."""
        parent = np.empty(self.num_vertices, dtype=np.int32)
        places = np.empty(self.num_vertices, dtype=np.int32) if order is not False else None
        settings = [("optional", "order")] if order is None else []
        found = ctypes.c_uint64()
        source = as_index(source, self.num_vertices)
        arrays = (address(parent), address(places), ctypes.byref(found))
        run = search("dfs", self, source, *arrays, how=how, settings=settings)
        return DfsResult(run, parent, places[: found.value] if places is not None and found.value else None)

    def reach(self, source: int, **how: Unpack[How]) -> Values:
        """Which vertices a source reaches: bool, num_vertices of them."""
        visited = np.empty(self.num_vertices, dtype=bool)
        found = ctypes.c_uint64()
        source = as_index(source, self.num_vertices)
        run = search("reach", self, source, address(visited), ctypes.byref(found), how=how)
        return Values.of(visited, run, "reached")

    def topological_order(self, **how: Unpack[How]) -> Values:
        """The vertices in a topological order: int32. InputError if the graph has a cycle."""
        order = np.empty(self.num_vertices, dtype=np.int32)
        run = search("topo", self, address(order), how=how)
        return Values.of(order, run, "vertex", place=np.arange(len(order)))

    def path_lengths(self, src: ArrayLike, dst: ArrayLike, **how: Unpack[How]) -> Values:
        """The lengths of shortest paths, in edges, from src[i] to dst[i]: int32; -1: there is no path.

        src, dst: vertices; one of them may be a single vertex. -1, as vertices() gives for an id that is
        not there, has no paths."""
        src, dst, known, ends = self._known_pairs(src, dst)
        found = np.empty(len(src), dtype=np.int32)
        run = search("lengths", self, address(src), address(dst), len(src), address(found), how=how)
        length = np.full(len(known), -1, dtype=np.int32)
        length[known] = found
        return Values.of(length, run, "length", **ends)

    def paths(self, src: ArrayLike, dst: ArrayLike, **how: Unpack[How]) -> PathList:
        """A shortest path from src[i] to dst[i] for each i; src, dst: as for path_lengths()."""
        src, dst, known, _ = self._known_pairs(src, dst)
        found = PathFields()
        try:
            pairs = (address(src), address(dst), len(src))
            run = search("paths", self, *pairs, ctypes.byref(found), how=how)
            ends = np.ctypeslib.as_array(found.offsets, (len(src) + 1,)).astype(np.int64)
            size = int(ends[-1])
            vertices = np.array(np.ctypeslib.as_array(found.vertices, (size,)) if size else [], dtype=np.int32)
        finally:
            function("path_list_free")(ctypes.byref(found))
        sizes = np.zeros(len(known) + 1, dtype=np.int64)
        sizes[1:][known] = np.diff(ends)
        return PathList(run, np.cumsum(sizes), vertices)

    def _known_pairs(self, src, dst):
        """The pairs without -1, as contiguous arrays of uint32, a mask of all: which ones these are, and all."""
        src, dst = np.atleast_1d(integers(src, "src")), np.atleast_1d(integers(dst, "dst"))
        if len(src) != len(dst) and 1 not in (len(src), len(dst)):
            raise InputError(f"{len(src):,} sources but {len(dst):,} destinations: a pair needs both")
        src, dst = np.broadcast_arrays(src, dst)
        ends = {"source": src, "destination": dst}
        known = (src != -1) & (dst != -1)
        if not known.all():
            src, dst = src[known], dst[known]
        return self._numbers(src, "a source"), self._numbers(dst, "a destination"), known, ends

    def closeness(self, sources: int | None = None, **how: Unpack[How]) -> Values:
        """Closeness centrality of every vertex, of distances to it: float64 (Wasserman and Faust, 1994).

        sources: estimate it by searches from so many vertices, drawn at random; without it, it is exact."""
        if sources is not None and (not isinstance(sources, (int, np.integer)) or sources < 0):
            raise InputError(f"closeness from {sources!r} sources: expected a whole number, at least 0")
        closeness = np.empty(self.num_vertices, dtype=np.float64)
        run = search("closeness", self, int(sources or 0), address(closeness), how=how)
        return Values.of(closeness, run, "closeness")

    def _numbers(self, vertices, what):
        """Vertices as a contiguous array of uint32."""
        array = np.atleast_1d(integers(vertices, what))
        bad = np.flatnonzero((array < 0) | (array >= self.num_vertices))
        if len(bad):
            raise InputError(
                f"{what}, {array[bad[0]]} at position {bad[0]}, is not a vertex: the graph has "
                f"{self.num_vertices:,}, numbered from 0"
            )
        return np.ascontiguousarray(array, dtype=np.uint32)
