"""_searches.py: the methods of class Graph that search it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _arrays, _ids
from ._arguments import MOST_VERTICES, Cutoff, Depth, How, Near, Vertex, Within, checked_calls, is_whole, shown
from ._errors import InputError, InputTypeError
from ._ids import integers
from ._library import LimitFields, PathFields, address, function
from ._query import search, together
from ._results import BfsResult, ComponentsResult, DfsResult, ManyBfsResult, PathList, SsspResult, Values

if TYPE_CHECKING:
    from typing_extensions import Unpack

LIMITS = Within.__annotations__.keys() - How.__annotations__.keys()
LEVELS = np.dtype(np.int32), np.dtype(np.uint8)
SUMS = np.dtype([("reached", "u8"), ("level_sum", "u8"), ("eccentricity", "u4")], align=True)


@checked_calls
class Searches:
    """The searches of a Graph."""

    @overload
    def bfs(
        self, source: Sequence[SupportsIndex] | list[str] | NDArray[Any], *, levels: bool = ..., parents: bool = ...,
        together: Literal[False] = ..., reverse: bool = ..., **how: Unpack[How],
    ) -> ManyBfsResult:  # fmt: skip
        ...

    @overload
    def bfs(
        self, source: Any, *, levels: bool = ..., parents: bool = ..., on_device: bool = ...,
        dtype: DTypeLike = ..., **how: Unpack[Within],
    ) -> BfsResult:  # fmt: skip
        ...

    def bfs(
        self, source, *, levels: bool = True, parents: bool = False, on_device: bool = False,
        dtype: DTypeLike = np.int32, **how: Unpack[Within],
    ):  # fmt: skip
        """Searches breadth-first. From one vertex, or from several at once with together=True, it returns a
        BfsResult; from each of several vertices, a ManyBfsResult. A vertex is a number or, as a text, an id.

        levels: False: return only sums over the levels of each of several sources.
        parents: True: find parents in the same search; otherwise the result finds them by another search when they
        are first used. Searches from each of several vertices have none.
        on_device: True: the result of one search stays on the GPU, as a gtrav.DeviceArray.
        dtype: type of the levels of one search: int32, or uint8, in which 255 means not reached and a level above 254
        is an InputError.
        Keywords: reverse, together, max_depth, targets, vertices, edges, device, variant, options, reorder, verify,
        progress; see gtrav.Within."""
        dtype = LEVELS[0] if dtype is np.int32 else np.dtype(dtype)
        if dtype not in LEVELS:
            raise InputError(f"levels of {dtype}: they are int32 or uint8")
        limits = _limits_of(how) if how else {}
        if type(source) is not int and np.ndim(source) > 0 and not limits.get("together"):
            if on_device or dtype != np.int32 or parents:
                raise InputError(
                    "searches from several sources have levels of int32, on the host, and no parents; search from "
                    "one at a time"
                )
            if not limits.keys() <= {"together", "reverse"}:
                raise InputError("limits are for one search: search from one source at a time, or together=True")
            return (self.reversed if limits.get("reverse") else self)._many_bfs(source, levels, how)
        if not levels:
            raise InputError("levels=False is for searches from several sources; one search gives its levels")
        n, device = self.num_vertices, how.get("device") or self._device
        level = _arrays.room(device, on_device, n, dtype)
        parent = _arrays.room(device, on_device, n, LEVELS[0]) if parents else None
        settings = (("on-device", "yes"),) * on_device + (("bytes", "yes"),) * (dtype.itemsize == 1)
        arrays = (address(level), address(parent)) if on_device else (level, parent)
        if not limits:
            run = search("bfs", self, (self._one(source), *arrays), how, settings)
            return BfsResult(run, level, parent, (self, source, on_device, device, limits))
        graph, within = self._within(source, **limits)
        run = search("bfs_within", graph, (within, *arrays, None, None), how, settings)
        return BfsResult(run, level, parent, (self, source, on_device, device, limits), within.arrays[1])

    def neighbourhood(self, vertex: Any, depth: Depth | None, **how: Unpack[Near]) -> Values:
        """Lists the vertices at most `depth` edges from a vertex, or from the nearest of several: int32, ascending.
        None: all that are reached. On a CPU, the time depends only on the vertices near by. Keywords: those of bfs(),
        without together and max_depth."""
        graph, within = self._within(vertex, **{**_limits_of(how), "max_depth": depth})
        near, count = np.empty(self.num_vertices, dtype=np.int32), ctypes.c_uint64()
        run = search("bfs_within", graph, (within, None, None, near, count), how)
        return Values.of(np.sort(near[: count.value]), run, "vertex")

    def _within(self, sources, reverse=False, max_depth=None, targets=None, vertices=None, edges=None, together=True):
        """Returns the graph to search and the struct for gtrav_bfs_within(), which keeps its arrays alive."""
        sources = self._numbers(sources, "a source")
        targets = None if targets is None else self._numbers(targets, "a target")
        vertices, edges = _mask(vertices, self.num_vertices, "vertices"), _mask(edges, self.num_edges, "edges")
        if reverse and edges is not None:
            edges = edges[np.argsort(self.indices, kind="stable")]
        arrays = (sources, targets, vertices, edges)
        of_sources, of_targets, *of_masks = map(address, arrays)
        num_targets = 0 if targets is None else len(targets)
        num_levels = 0 if max_depth is None else min(int(max_depth), MOST_VERTICES) + 1
        size = ctypes.sizeof(LimitFields)
        limits = LimitFields(size, of_sources, len(sources), of_targets, num_targets, num_levels, *of_masks)
        limits.arrays = arrays
        return self.reversed if reverse else self, limits

    def _many_bfs(self, sources, levels, how):
        sources = self._numbers(sources, "a source")
        level = np.empty((len(sources), self.num_vertices), dtype=np.int32) if levels else None
        sums = np.empty(len(sources), dtype=SUMS)
        run = search("msbfs", self, (sources, len(sources), level, sums), how, times=len(sources))
        return ManyBfsResult(run, level, sums["reached"], sums["level_sum"], sums["eccentricity"], sources)

    def dfs(self, source: Vertex, *, order: bool | None = None, **how: Unpack[How]) -> DfsResult:
        """Searches depth-first from a vertex.

        order: whether to return the order of discovery. By default it is returned if the variant gives it. GPU
        variants give none, and are refused with True."""
        n = self.num_vertices
        parent, places = np.empty(n, LEVELS[0]), None if order is False else np.empty(n, LEVELS[0])
        settings = (("optional", "order"),) if order is None and how else ()
        run = search("dfs", self, (self._one(source), parent, places), how, settings)
        if places is not None and run._count != n:
            places = places[: run._count] if run._count else None
        return DfsResult(run, parent, places)

    def sssp(self, source: Any, *, parents: bool = False, **how: Unpack[How]) -> SsspResult:
        """Finds the shortest paths by the weights of edges from a vertex, or from each of several: then the arrays have
        a row for each. The graph must have weights: Graph(x, weights="auto"), from_edges(weights=...).

        parents: True: find parents in the same search. Some variants give none, and are refused."""
        if not how.pop("weight", True):
            raise InputError("weight=False: sssp() adds up weights; bfs() counts edges")
        sources = self._numbers(source, "a source")
        if len(sources) == 0:
            raise InputError("sssp() needs at least one source")
        shape = len(sources), self.num_vertices
        distance, parent = np.empty(shape, np.float64), np.empty(shape, LEVELS[0]) if parents else None
        rows = zip(sources.tolist(), distance, parent if parents else [None] * len(sources))
        runs = [search("sssp", self, row, how) for row in rows]
        if np.ndim(source):
            return SsspResult(together(runs), distance, parent, sources)
        return SsspResult(runs[0], distance[0], parent[0] if parents else None)

    def reach(self, source: Vertex, **how: Unpack[How]) -> Values:
        """Finds which vertices a source reaches: bool, an entry for each vertex."""
        visited = np.empty(self.num_vertices, dtype=bool)
        run = search("reach", self, (self._one(source), visited, None), how)
        return Values.of(visited, run, "reached")

    def topological_order(self, **how: Unpack[How]) -> Values:
        """Lists the vertices in a topological order: int32. InputError if the graph has a cycle."""
        order = np.empty(self.num_vertices, dtype=np.int32)
        run = search("topo", self, (order,), how)
        return Values.of(order, run, "vertex", {"place": np.arange(len(order))})

    def path_lengths(self, src: Any, dst: Any, *, cutoff: Cutoff | None = None, **how: Unpack[How]) -> Any:
        """Finds the lengths of shortest paths from src[i] to dst[i], in edges: int32; -1 if there is no path, or none
        of at most `cutoff` edges. For one pair, a number.

        weight=True: by the weights of edges, by a search from each source: float64; infinity if there is no path, or
        none of at most `cutoff`. weight=False: in edges though the graph has weights, which is refused otherwise.
        src, dst: vertices, as numbers or ids; one of them may be a single vertex. The vertex -1, which vertices()
        returns for an unknown id, has no paths."""
        n, weighted = self.num_vertices, how.get("weight")
        if cutoff is not None and not weighted and not is_whole(cutoff):
            raise InputTypeError(f"cutoff={cutoff}: expected a whole number, as lengths are counted in edges")
        if cutoff is not None and not (cutoff >= 0 and (weighted or cutoff < 2**64)):
            raise InputError(f"cutoff={cutoff}: expected a number from 0 on" + (" below 2^64" * (not weighted)))
        self._refuse_weights(how, "weight=True adds them up, ")
        if type(src) is type(dst) is int and not weighted and cutoff is None and 0 <= src < n and 0 <= dst < n:
            length = ctypes.c_int32()
            search("lengths", self, (ctypes.c_uint32(src), ctypes.c_uint32(dst), 1, length), how)
            return length.value
        single = np.ndim(src) == np.ndim(dst) == 0
        src, dst, known, ends = self._known_pairs(src, dst)
        if weighted:
            found, run, _ = self._by_weights(src, dst, how)
        elif cutoff is not None and len(src) and (src == src[0]).all():  # one limited search is enough
            near = self.bfs(src[0], max_depth=cutoff, targets=dst, **how)
            found, run = near.levels[dst], near.run
        else:
            found = np.empty(len(src), dtype=np.int32)
            run = search("lengths", self, (src, dst, len(src), found), how, times=len(src))
        length = np.full(len(ends["source"]), np.inf if weighted else -1, dtype=found.dtype)
        length[known] = found if cutoff is None else np.where(found > cutoff, length[known], found)
        return length[0].item() if single else Values.of(length, run, "length", ends)

    def paths(self, src: Any, dst: Any, **how: Unpack[How]) -> PathList:
        """Finds a shortest path from src[i] to dst[i] for each i. src, dst, weight: as for path_lengths()."""
        src, dst, known, pairs = self._known_pairs(src, dst)
        self._refuse_weights(how, "weight=True adds them up, ")
        distances = None
        if how.get("weight"):
            distances = np.full(len(pairs["source"]), np.inf)
            distances[known], run, paths = self._by_weights(src, dst, how, paths=True)
            lengths, vertices = [len(path) for path in paths], np.array([*chain.from_iterable(paths)], dtype=np.int32)
        else:
            lengths, vertices, run = self._shortest(src, dst, how)
        sizes = np.zeros(len(pairs["source"]) + 1, dtype=np.int64)
        sizes[1:][known] = lengths
        return PathList(run, np.cumsum(sizes), vertices, distances)

    def _shortest(self, src, dst, how):
        """Finds paths of the fewest edges: their numbers of vertices, the vertices one after the other, and the run."""
        found = PathFields()
        try:
            run = search("paths", self, (src, dst, len(src), found), how, times=len(src))
            ends = np.ctypeslib.as_array(found.offsets, (len(src) + 1,)).astype(np.int64)
            size = int(ends[-1])
            vertices = np.array(np.ctypeslib.as_array(found.vertices, (size,)) if size else [], dtype=np.int32)
        finally:
            function("path_list_free")(found)
        return np.diff(ends), vertices, run

    def _by_weights(self, src, dst, how, paths=False):
        """Searches by weights from each distinct source: the pairs' distances, the run and, if wanted, their paths."""
        distances, found, runs = np.empty(len(src)), [[]] * len(src), []
        for source in np.unique(src).tolist() or [0]:  # without pairs, one search checks `how`
            result, places = self.sssp(source, parents=paths, **how), np.flatnonzero(src == source)
            distances[places] = result.distances[dst[places]]
            runs.append(result.run)
            for place in places.tolist() if paths else ():
                found[place] = _path_to(int(dst[place]), result.parents)
        return distances, together(runs), found

    def _refuse_weights(self, how, other=""):
        """Refuses to count edges in a graph with weights, unless weight=False. other: what this search can do."""
        if how.get("weight") is None and self.weights is not None:
            text = f"the graph has weights, which this search would ignore; {other}weight=False counts edges"
            raise InputError(f"{self.name}: {text}")

    def _known_pairs(self, src, dst):
        """Returns the sources and destinations of the pairs without -1, an index of these pairs, and all pairs."""
        src, dst = self._integers(src, "src"), self._integers(dst, "dst")
        if len(src) != len(dst):
            if 1 not in (len(src), len(dst)):
                raise InputError(f"{len(src):,} sources but {len(dst):,} destinations: a pair needs both")
            src, dst = np.broadcast_arrays(src, dst)
        ends, known = {"source": src, "destination": dst}, slice(None)
        if not (self._has(src) and self._has(dst)):
            known = (src != -1) & (dst != -1)
            src, dst = self._numbers(src[known], "a source"), self._numbers(dst[known], "a destination")
        return np.ascontiguousarray(src, np.uint32), np.ascontiguousarray(dst, np.uint32), known, ends

    def components(self, strong: bool = False, **how: Unpack[How]) -> ComponentsResult:
        """Finds the components of the graph.

        strong: the vertices of a component reach each other. Otherwise edges join them, in any direction."""
        labels = np.empty(self.num_vertices, LEVELS[0])
        run = search("components", self, (strong, labels), how)
        return ComponentsResult(run, labels, run._count)

    @property
    def is_acyclic(self) -> bool:
        """Whether no vertex reaches itself. An undirected edge is a cycle, and so is a self-loop of the input."""
        return self.info.acyclic

    def descendants(self, vertex: Vertex, **how: Unpack[How]) -> Values:
        """Lists the other vertices that a vertex reaches: int32, ascending."""
        reached = self.reach(vertex, **how)
        found = np.flatnonzero(reached).astype(np.int32)
        return Values.of(found[found != self._one(vertex)], reached.run, "vertex")

    def ancestors(self, vertex: Vertex, **how: Unpack[How]) -> Values:
        """Lists the other vertices that reach a vertex: int32, ascending."""
        return self.reversed.descendants(vertex, **how)

    def _integers(self, vertices, what):
        """Makes a one-dimensional array of integers of vertices, or of texts that are their ids."""
        vertices = _arrays.on_host([vertices] if isinstance(vertices, str) else vertices)
        array = _ids.as_numbers(vertices)
        if array.dtype.kind not in "OUS":
            return np.atleast_1d(integers(array, what))
        if array.ndim == 0:
            raise InputTypeError(f"{shown(vertices)} is not a vertex: expected a number, or an id as text ({what})")
        found = self.vertices(vertices)
        if (found < 0).any():
            raise InputError(f"{self.name} has no vertex with the id {str(array[np.argmin(found)])!r}")
        return found

    def _one(self, vertex):
        """Turns one vertex, or its id, into an int."""
        if type(vertex) is int and 0 <= vertex < self.num_vertices:
            return vertex
        if np.ndim(vertex):
            raise InputError(f"expected one vertex, not {vertex!r}")
        return int(self._numbers(vertex, "a vertex")[0])

    def _numbers(self, vertices, what):
        """Makes a contiguous array of uint32 of vertices or ids, and checks that the graph has them."""
        if type(vertices) is int and 0 <= vertices < self.num_vertices:
            return np.array([vertices], dtype=np.uint32)
        array = self._integers(vertices, what)
        if not self._has(array):
            bad = np.flatnonzero((array < 0) | (array >= self.num_vertices))[0]
            raise InputError(
                f"{array[bad]} is not a vertex: the graph has {self.num_vertices:,}, numbered from 0 "
                f"({what}, at position {bad})"
            )
        return np.ascontiguousarray(array, dtype=np.uint32)

    def _has(self, array):
        """Whether all entries are vertices."""
        return len(array) == 0 or array.astype(np.uint64).max() < self.num_vertices  # negative ones become large


def _path_to(vertex, parents):
    """Lists the vertices from the source to a vertex; none if it is not reached."""
    path = [vertex] if parents[vertex] >= 0 else []
    while path and parents[path[-1]] != path[-1]:
        path.append(int(parents[path[-1]]))
    return path[::-1]


def _limits_of(how) -> dict:
    """Takes the limits out of the keywords of a search, and returns them."""
    found = {name: how.pop(name, None) for name in LIMITS}
    return {name: limit for name, limit in found.items() if limit is not None}


def _mask(mask, length, what):
    """Turns a mask into contiguous bytes; None stays None."""
    if mask is None:
        return None
    array = _ids.as_numbers(_arrays.on_host(mask))
    if array.dtype not in (bool, np.uint8) or array.shape != (length,):
        raise InputError(f"a mask of {what} has shape ({length},) of bool, not {array.shape} of {array.dtype}")
    return np.ascontiguousarray(array).view(np.uint8)
