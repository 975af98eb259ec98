"""_graph.py: class Graph."""

from __future__ import annotations

import ctypes
import os
import tempfile
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _ids
from ._arguments import KINDS, MOST_VERTICES, Column, Edges, Options, Vertex, Where, checked_calls, shown
from ._centrality import Centrality
from ._conversions import Conversions, columns_of_pairs, warn_that_ignored
from ._errors import InputError, InputTypeError, warn
from ._ids import integers
from ._interrupts import interruptible
from ._library import BORROW, UNDIRECTED, address, c_text, c_texts, filled, function
from ._query import SMALL, Context
from ._results import Info, Memory, Variant
from ._searches import Searches
from ._tables import edge_columns, edge_columns_of_file

if TYPE_CHECKING:
    from typing_extensions import Unpack

WEIGHTS = None, np.uint32, np.float32, np.float64  # enum gtrav_weight_type
TABLES = (".parquet", ".arrow", ".feather")  # endings of files that pyarrow reads


@checked_calls
class Graph(Searches, Centrality, Conversions):
    """A directed graph. An undirected edge is stored as two edges, one each way, and counts as two.
    Self-loops and duplicate edges are dropped.

    Vertices are numbered 0 to num_vertices - 1. `graph.ids[vertices]` translates vertices to the ids of the input,
    `graph.vertices(ids)` translates back.

    A graph keeps its copy on the device, and what searches prepared for later ones; `forget()` frees both, as does
    the end of `with Graph(x) as graph:`. Several threads may use a graph at once; a process that was forked after it
    was made may not. It can be pickled. A graph never changes, so copy.copy() and copy.deepcopy() return the graph.

    Graph(x) takes
    - the name of a file, as from_file(x);
    - a spec such as "kron:16", as generate(x);
    - a sparse matrix of SciPy, a graph of NetworkX or igraph, as from_scipy(x), from_networkx(x), from_igraph(x);
    - a table of Arrow, as from_arrow(x);
    - edges, an array of the shape (m, 2) or a list of pairs, as from_edges(x);
    and the keywords of that call. from_edges(src, dst), from_csr() and from_parquet() also make a graph. Arrays on a
    GPU (__cuda_array_interface__, DLPack) are copied to the host. All calls take `device`, on which searches run
    unless they name another ("auto": the first GPU, or else the CPU; "cpu", "gpu", "gpu:1", "emulator"), and
    `threads`, the number of CPU threads (0: one for each free core)."""

    num_vertices: int
    num_edges: int

    def __new__(
        cls, source: Any, *, device: str = "auto", threads: SupportsIndex = 0, **options: Unpack[Options]
    ) -> Graph:
        how = {"device": device, "threads": threads, **options}
        if isinstance(source, (str, os.PathLike)):
            is_file = not isinstance(source, str) or source.endswith(TABLES) or os.path.exists(source)
            return (cls.from_file if is_file else cls.generate)(source, **how)
        makers = {"Matrix": cls.from_scipy, "NetworkXGraph": cls.from_networkx, "IgraphGraph": cls.from_igraph}
        makers.update(Table=cls.from_arrow, Pairs=cls.from_edges)
        for kind, make in makers.items():
            if KINDS[kind].takes(source):
                return make(source, **how)
        raise InputTypeError(
            f"Graph({shown(source)}): expected a file's name, a generator's spec such as 'kron:10', "
            f"{', '.join(KINDS[kind].words for kind in makers)}"
        )

    @classmethod
    def _adopt(cls, handle: Any, device: str, threads: int, keep: Any = None) -> Graph:
        """Makes a Graph that owns a handle of the library. Its ids are the library's."""
        graph = object.__new__(cls)
        graph._handle, graph._keep, graph._device, graph._threads = handle, keep, device, threads
        graph._named(None)
        graph._quick: set[tuple] = set()  # searches whose last run was short; see _query.search()
        graph.num_vertices, graph.num_edges = (function(f"graph_num_{what}")(handle) for what in ("vertices", "edges"))
        if graph.num_vertices > MOST_VERTICES:
            raise InputError(
                f"{graph.name} has {graph.num_vertices:,} vertices; this package takes up to {MOST_VERTICES:,}"
            )
        return graph

    def _named(self, ids: Any, ours: bool = True) -> Graph:
        """Sets the graph's ids; None: those of the library. ours: the library does not know these ids."""
        self._ids, self._ids_are_ours = ids, ours and ids is not None and ids is not _ids.Numbered
        return self

    # ---- making one ----

    @classmethod
    def from_csr(
        cls, indptr: ArrayLike, indices: ArrayLike, *, undirected: bool = False, weights: Any = None,
        **where: Unpack[Where],
    ) -> Graph:  # fmt: skip
        """Makes a graph of arrays in compressed sparse rows.

        indptr: n + 1 integers; indices: indptr[n] integers, the targets of edges. The graph uses indices without a
        copy if they are int32 or uint32 and each row ascends without duplicates and self-loops: then they must not
        change while the graph lives. undirected: add the reverse of every edge. weights: a number for each of
        indices, as for from_edges(); such a graph copies."""
        offsets = np.ascontiguousarray(integers(indptr, "indptr"), dtype=np.int64)
        targets = np.ascontiguousarray(integers(indices, "indices"))
        if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(targets):
            raise InputError(f"indptr must begin with 0 and end with the number of indices, {len(targets):,}")
        if weights is not None:
            if np.any(offsets[1:] < offsets[:-1]):
                raise InputError("indptr descends; its entries are the numbers of edges before each row")
            src = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
            how = {"undirected": undirected, "ids": "dense", "weights": weights}
            return cls.from_edges(src, targets, len(offsets) - 1, **how, **where)
        flags = BORROW | (UNDIRECTED if undirected else 0)
        arrays = (len(offsets) - 1, offsets, 64, targets, 8 * targets.itemsize, flags)
        return cls._make("from_csr", arrays, lent=(offsets, targets), size=len(offsets) + len(targets), **where)

    @classmethod
    def from_edges(
        cls, src: Any, dst: Any = None, num_vertices: SupportsIndex | None = None, *, undirected: bool = False,
        ids: str = "auto", weights: Any = None, **where: Unpack[Where],
    ) -> Graph:  # fmt: skip
        """Makes a graph of the edges src[i] -> dst[i], which are copied. Without dst, src has the edges: an array of
        shape (m, 2), or a list of pairs.

        src, dst: lists, arrays of NumPy, or columns of pyarrow, of the same length, with integers or texts.
        num_vertices: n; by default the largest number + 1.
        ids: "auto": integers are vertex numbers, and sparse ones are an error; "dense": integers are vertex numbers
        even if they are sparse; "any": integers are names. Texts always are names. Names get vertex numbers in
        ascending order; in columns of pyarrow, in the order of their first appearance.
        weights: a number for each edge, for sssp(): finite, 0 or more. Of several edges between the same vertices the
        smallest counts; with undirected, of both directions. float32 stays so, other numbers become float64; if all
        are whole and below 2^32, the graph keeps them as uint32."""
        src, dst = columns_of_pairs(src) if dst is None else (_arrays.on_host(src), _arrays.on_host(dst))
        for ends in (src, dst):
            if not hasattr(ends, "__len__"):
                raise InputTypeError(f"the ends of edges are lists or arrays, not {shown(ends)}")
        if len(src) != len(dst):
            raise InputError(f"{len(src):,} sources but {len(dst):,} destinations: an edge needs both")
        if ids not in ("auto", "dense", "any"):
            raise InputError(f"ids={ids!r}: expected 'auto', 'dense' or 'any'")
        names = None
        if ids == "any" or _ids.is_text(src):
            if num_vertices is not None:
                raise InputError("num_vertices is for ids that are vertex numbers, but these are names")
            names, src, dst = _ids.encode(src, dst)
            num_vertices = len(names)
        if num_vertices == 0 and len(src):
            raise InputError(f"num_vertices=0 leaves no vertex for {len(src):,} edges")
        src, dst = integers(src, "src"), integers(dst, "dst")
        if src.itemsize != dst.itemsize:
            src, dst = (array.astype(np.int64 if array.itemsize < 8 else array.dtype) for array in (src, dst))
        src, dst = np.ascontiguousarray(src), np.ascontiguousarray(dst)
        size = 1 + int(max(src.max(), dst.max())) if num_vertices is None and len(src) else int(num_vertices or 0)
        if names is None and ids == "auto" and num_vertices is None:
            _ids.reject_sparse(size, len(src))
        how, numbers = "from_edges", ()
        if weights is not None:
            weights = _weights_of(weights, len(src))
            how, numbers = "from_weighted_edges", (weights, 8 * weights.itemsize)
        arrays = (src, dst, 8 * src.itemsize, *numbers, len(src), UNDIRECTED if undirected else 0)
        graph = cls._make(how, (int(num_vertices or 0), *arrays), size=size + len(src), **where)
        return graph if names is None else graph._named(names)

    @classmethod
    def from_arrow(
        cls, table: Any, src: Column = None, dst: Column = None, *, ids: str = "any", weights: Column = None,
        **how: Unpack[Edges],
    ) -> Graph:  # fmt: skip
        """Makes a graph of two columns of a table: one of pyarrow, or anything that gives an Arrow stream, such as a
        relation of DuckDB or a frame of Polars. Needs pyarrow.

        src, dst: names or numbers of columns. The default is columns with names such as src and dst or source and
        target, as in edge lists, or else the first two. weights: a third column; "auto": the one that is named as
        weights are in edge lists. By default a gtrav.WeightsIgnored warns if such a column differs. The other
        keywords: as for from_edges(); by default the columns hold names."""
        (src, dst), values = edge_columns(table, src, dst, weights, ids == "any")
        return cls.from_edges(src, dst, ids=ids, weights=values, **how)

    @classmethod
    def from_parquet(
        cls, path: str | os.PathLike[str], src: Column = None, dst: Column = None, *, ids: str = "any",
        weights: Column = None, **how: Unpack[Edges],
    ) -> Graph:  # fmt: skip
        """Makes a graph of two columns of a Parquet file, as from_arrow(). Reads only these and columns of weights.

        Files whose names end in .arrow or .feather are read as Arrow IPC."""
        (src, dst), values = edge_columns_of_file(path, src, dst, weights, ids == "any")
        return cls.from_edges(src, dst, ids=ids, weights=values, **how)

    @classmethod
    def from_file(
        cls, path: str | os.PathLike[str], *, device: str = "auto", threads: SupportsIndex = 0,
        **options: Unpack[Options],
    ) -> Graph:  # fmt: skip
        """Makes a graph of a file that the program gtrav reads: an edge list, Matrix Market, DIMACS, METIS, .gtrav.

        options: the program's options for files, such as undirected=True or ids="any". Parquet and Arrow IPC files
        (.parquet, .arrow, .feather) take the keywords of from_parquet(). weights: keep the edges' weights, "auto" or a
        column of an edge list. By default a gtrav.WeightsIgnored warns if the file has weights that differ."""
        path = Path(path)
        if path.suffix in TABLES:
            return cls.from_parquet(path, device=device, threads=threads, **options)
        try:
            os.stat(c_text(path))
        except OSError as problem:
            raise InputError(f"cannot open {path}: {problem.strerror}") from None
        graph = cls._load(str(path), options, device, threads)
        if function("graph_weights_ignored")(graph._handle):
            warn_that_ignored(path)
        return graph

    @classmethod
    def generate(cls, spec: str, *, weights: Column = None, **where: Unpack[Where]) -> Graph:
        """Generates a graph such as "kron:16"; gtrav --help generators lists the specs. weights="auto": with the
        weights of the benchmark that has this generator, or else with a hash of each edge's ends."""
        if spec.startswith("-") or os.path.exists(spec):
            raise InputError(f"{spec!r} is not a generator; from_file() reads files")
        return cls._load(spec, {"weights": weights}, ids=_ids.Numbered, **where)

    @classmethod
    def _load(cls, spec, options, device="auto", threads=0, ids=None):
        words = [_word_of(*option) for option in options.items() if option[1] is not None]
        return cls._make("load", (c_text(spec), c_texts(words)), device, threads)._named(ids)

    @classmethod
    def _make(cls, how, arguments, device="auto", threads=0, *, lent=(), size=SMALL):
        """Calls gtrav_graph_<how>(context, arguments, &graph).

        lent: arrays among the arguments. The graph keeps the ones that the library did not copy. size: the number of
        vertices and edges. Small graphs share a context, as nobody cancels the call that makes them."""
        device, threads, short = device or "auto", int(threads or 0), size < SMALL
        context = Context.of(device, threads) if short else Context(device, threads)

        def make():
            handle = function(f"graph_{how}")(context.handle, *arguments)
            own = lent and [function(f"graph_{array}")(handle) for array in ("offsets", "targets")]
            return cls._adopt(handle, device, threads, [array for array in lent if address(array) in own])

        return interruptible(make, None if short else context.cancel, short)

    def reorder(self, spec: str = "auto") -> Graph:
        """Makes the same graph with its vertices in another order, such as "rcm" or "jaccard".

        Vertex k of the new graph is vertex permutation[k] of this one, and keeps its id. A reordered graph takes no
        order but "natural", the order of the input."""
        graph = self._changed("reorder", c_text(spec))
        restored = self.permutation is not None
        names = self._names.permuted(np.argsort(self.permutation) if restored else graph.permutation)
        return graph._named(names, self._ids_are_ours)

    @property
    def reversed(self) -> Graph:
        """The graph with all edges reversed and the same vertices and ids, made at its first use. A symmetric graph
        is its own reverse."""
        return self if self.symmetric else self._reversed

    @cached_property
    def _reversed(self):
        return self._changed("reverse")._named(self._ids, self._ids_are_ours)

    def _changed(self, how, *arguments):
        """Makes a graph by gtrav_graph_<how>(this graph, arguments, &graph)."""

        def make():
            return Graph._adopt(function(f"graph_{how}")(self._handle, *arguments), self._device, self._threads)

        return interruptible(make)

    # ---- what it is ----

    @property
    def name(self) -> str:
        """The file's name, or what generated it."""
        return function("graph_name")(self._handle).decode(errors="replace")

    @property
    def read_as(self) -> str | None:
        """What the reader of an edge list assumed: "directed, comma, columns src,dst, any ids, header"; or None."""
        text = function("graph_read_as")(self._handle)
        return text and text.decode(errors="replace")

    @cached_property
    def symmetric(self) -> bool:
        """Whether the graph has the reverse of every edge. Then it counts as undirected, whatever it was made of."""
        return function("graph_is_symmetric")(self._handle)

    @property
    def device(self) -> str:
        """Where searches run unless they name another device: "cpu", "gpu:0", "webgpu", "emulator"."""
        if self._device != "auto":
            return self._device
        chosen, cpu = (function("context_device")(Context.of(device).handle) for device in ("auto", "cpu"))
        return "cpu" if chosen == cpu else "gpu:0"

    def neighbors(self, vertex: Vertex) -> NDArray[np.int32]:
        """Lists the vertices to which edges lead from a vertex: int32, ascending; a read-only view. For the vertices
        from which edges lead to it, ask `graph.reversed`."""
        vertex = self._one(vertex)
        begin, end = self.indptr[vertex : vertex + 2]
        return self.indices[begin:end]

    def degree(self, vertices: Any = None) -> Any:
        """Counts the edges that lead from vertices: int64; for one vertex, a number. vertices: numbers or ids; by
        default all. `graph.reversed.degree()` counts the edges that lead to them; for a directed graph, NetworkX and
        igraph add up both."""
        offsets = self.indptr
        if vertices is None:
            return np.diff(offsets)
        found = self._numbers(vertices, "a vertex").astype(np.int64)
        degrees = offsets[found + 1] - offsets[found]
        return degrees if np.ndim(vertices) else int(degrees[0])

    @property
    def indptr(self) -> NDArray[np.int64]:
        """The num_vertices + 1 offsets of the compressed sparse rows; a read-only view."""
        return self._view("graph_offsets", self.num_vertices + 1, np.int64)

    @property
    def indices(self) -> NDArray[np.int32]:
        """The targets of the num_edges edges; a read-only view."""
        return self._view("graph_targets", self.num_edges, np.int32)

    @property
    def weights(self) -> NDArray[Any] | None:
        """The weights of the num_edges edges: uint32, float32 or float64; a read-only view. None: it has none."""
        kind = function("graph_weight_type")(self._handle)
        return self._view("graph_weights", self.num_edges, WEIGHTS[kind]) if kind else None

    @property
    def permutation(self) -> NDArray[np.int32] | None:
        """The number that each vertex had before the graph was reordered; None if it was not."""
        return self._view("graph_permutation", self.num_vertices, np.int32)

    def _view(self, name, length, dtype):
        start = function(name)(self._handle)
        if not start:
            return None
        memory = (ctypes.c_char * (length * np.dtype(dtype).itemsize)).from_address(start)
        memory.graph = self  # lives as long as the view
        view = np.frombuffer(memory, dtype=dtype, count=length)
        view.flags.writeable = False
        return view

    def to_scipy(self) -> Any:
        """Makes the adjacency matrix, a scipy.sparse.csr_array of bool. It shares the indices with the graph if there
        are fewer than 2^31."""
        from scipy.sparse import csr_array

        kind = np.int32 if self.num_edges < 2**31 else np.int64
        arrays = (np.ones(self.num_edges, dtype=bool), self.indices.astype(kind, copy=False), self.indptr.astype(kind))
        return csr_array(arrays, shape=(self.num_vertices, self.num_vertices))

    @cached_property
    def info(self) -> Info:
        """Statistics, computed at the first use."""
        return interruptible(lambda: filled(Info, lambda struct: function("graph_info")(self._handle, struct)))

    def memory(self) -> dict[str, Memory]:
        """Tells the memory that each GPU variant needs on the graph's device, by name, such as "bfs dobfs". It takes
        none. Variants that cannot take this graph are left out; for a graph on the CPU, that is all."""
        found: dict[str, Memory] = {}
        for index, each in enumerate(Variant._all() if self.device != "cpu" else []):
            with suppress(InputError):
                if each.device == "gpu":
                    estimate = partial(function("estimate"), self._handle, index)
                    found[f"{each.family} {each.variant}"] = filled(Memory, estimate)
        return found

    def __repr__(self):
        return f"<gtrav.Graph {self.name}: {self.num_vertices:,} vertices, {self.num_edges:,} edges>"

    def __reduce__(self):
        return _unpickled, (type(self), *_pickled(self))

    def __copy__(self, _memo: Any = None) -> Graph:
        return self  # it does not change

    __deepcopy__ = __copy__

    # ---- ids ----

    @cached_property
    def _names(self):
        if self._ids is _ids.Numbered:
            return _ids.Numbered(self.num_vertices)
        return _names_of_library(self) if self._ids is None else self._ids

    @property
    def ids(self) -> NDArray:
        """The ids of the vertices in the input: an array of int64, uint64, or str objects. Texts of a file are
        decoded as UTF-8 or else Latin-1. Without ids in the input, the vertices' numbers. graph.ids[path] translates
        a path."""
        return self._names.values()

    def vertices(self, ids: Any) -> NDArray[np.int32]:
        """Looks up a list of ids: int32, -1 for an id that no vertex has."""
        return _ids.find(self._names, ids)

    def vertex(self, id: Any) -> int:
        """Looks up one id."""
        found = int(self.vertices([id])[0])
        if found < 0:
            raise InputError(f"{self.name} has no vertex with the id {id!r}")
        return found

    # ---- writing and freeing ----

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the graph as .gtrav or .mtx, as the name's ending says. The file appears when it is complete.

        A .gtrav keeps the ids, and numbers vertices in ascending order of their ids. A graph made of pyarrow's
        columns has another order in memory. A .mtx has no ids: a warning says so."""
        how, ids = "graph_write", ()
        if not str(path).endswith(".gtrav") and not isinstance(self._names, _ids.Numbered):
            warn(f"{path}: this format has no ids; a .gtrav keeps them")
        elif self._ids_are_ours:
            how, ids = "graph_write_ids", _ids.for_library(self._names.values())
        interruptible(lambda: function(how)(self._handle, c_text(path), *ids))

    def forget(self) -> None:
        """Frees the copies on devices and what searches prepared. The graph stays usable."""
        function("graph_forget")(self._handle)
        self._quick.clear()
        _arrays.trim(self._device)

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.forget()


def _word_of(name, value):
    """Writes an option of a file as the library reads it: NAME=VALUE."""
    value = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value
    if not isinstance(value, (str, int, os.PathLike)):
        raise InputTypeError(f"{name}={shown(value)}: expected a text, a whole number, True or False")
    text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
    return f"{name.replace('_', '-')}={text}"


def _pickled(graph):
    """Returns the arguments of _unpickled(): a .gtrav's name and bytes, arguments of _load(), ids_are_ours."""
    name, stored = graph.name.replace("/", "-")[-60:], graph.permutation is not None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{name}.gtrav")
        interruptible(lambda: function("graph_write")(graph._handle, c_text(path)))
        weights = None if graph.weights is None else "auto"
        how = ({"stored": stored or None, "weights": weights}, graph._device, graph._threads, graph._ids)
        return path.name, path.read_bytes(), how, graph._ids_are_ours


def _unpickled(kind, name, content, how, ids_are_ours):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        graph = kind._load(str(path), *how)
    graph._ids_are_ours = ids_are_ours
    return graph


def _names_of_library(graph):
    """Gets the ids of the vertices from the library: numbers, texts, or the vertices' own numbers."""
    numbers = graph._view("graph_ids", graph.num_vertices, np.uint64)
    if numbers is not None and numbers.size:
        # a number from 2^63 on is a negative id if ids are signed; the text of the id tells
        most = int(np.argmax(numbers))
        unsigned = numbers[most] >= 2**63 and not _id_of(graph, most).startswith(b"-")
        return _ids.Listed(numbers if unsigned else numbers.view(np.int64))
    last = graph.num_vertices - 1
    some = np.unique(np.linspace(0, last, num=1000, dtype=np.int64)).tolist() if last >= 0 else []
    if all(_id_of(graph, vertex) == b"%d" % vertex for vertex in some):
        return _ids.Numbered(graph.num_vertices)
    texts = [_id_of(graph, vertex) for vertex in range(graph.num_vertices)]
    try:
        decoded = [text.decode() for text in texts]
    except UnicodeDecodeError:
        decoded = [text.decode("latin-1") for text in texts]
    return _ids.Listed(np.array(decoded, dtype=object))


def _id_of(graph, vertex, size=256):
    """Gets the id of a vertex as bytes."""
    text = ctypes.create_string_buffer(size)
    length = function("graph_id")(graph._handle, vertex, text, size)
    return text.value if length < size else _id_of(graph, vertex, length + 1)


def _weights_of(weights: Any, num_edges: int) -> np.ndarray:
    """Makes a contiguous array of float32 or float64 of the weights of edges."""
    array = _ids.as_numbers(_arrays.on_host(weights))
    if array.shape != (num_edges,):
        raise InputError(f"weights of the shape {array.shape} for {num_edges:,} edges: each edge needs one")
    if array.dtype.kind not in "iuf" or array.itemsize > 8:
        raise InputError(f"weights are integers, float32 or float64, but these are of type {array.dtype}")
    if array.dtype.kind in "iu" and array.size and array.max() > 2**53:
        raise InputError(f"the weight {array.max()} is above 2^53, where float64 has gaps; give weights as floats")
    is_narrow = array.dtype.kind == "f" and array.itemsize <= 4
    return np.ascontiguousarray(array, dtype=np.float32 if is_narrow else np.float64)
