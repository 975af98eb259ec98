"""_graph.py: class Graph, what this package is about."""

from __future__ import annotations

import ctypes
import os
import tempfile
import warnings
import weakref
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _ids
from ._centrality import Centrality
from ._components import Components
from ._errors import Error, InputError
from ._from_others import FromOthers, columns_of_pairs
from ._ids import integers
from ._interrupts import interruptible
from ._library import BORROW, UNDIRECTED, address, c_text, c_texts, call, filled, function
from ._query import Context
from ._results import Info
from ._searches import Searches
from ._tables import Column, two_columns, two_columns_of_file

MOST_VERTICES = 2**31 - 1  # numbers of vertices are int32, so that -1 can mean none


class Graph(Searches, Components, Centrality, FromOthers):
    """A directed graph. An undirected edge is stored as two edges, one each way, and counts as two.
    Self-loops and duplicate edges are dropped.

    Vertices are numbered 0 to num_vertices - 1. `graph.ids[vertices]` are the ids that the input has for
    vertices, and `graph.vertices(ids)` the vertices of ids.

    A graph keeps its copy on the device and what searches prepared for later ones; `forget()` drops that.
    It may be used from several threads at once, but not in a process forked after it was made. It can be
    pickled; as it does not change, copy.copy() and copy.deepcopy() return the graph itself.

    Make one by from_scipy(), from_csr(), from_edges(), from_networkx(), from_igraph(), from_arrow(),
    from_parquet(), from_file() or generate(). Arrays may be on a GPU (__cuda_array_interface__, DLPack), and are
    copied to the host. All take `device` ("auto": the first GPU, or else the CPU; "cpu", "gpu", "gpu:1",
    "emulator"), on which its searches run unless they name another, and `threads` of the CPU (0: one for each
    free core)."""

    _threads = 0  # what it was made with

    def __init__(self, handle: ctypes.c_void_p, keep: Any = None, ids: Any = None, device: str = "auto"):
        """Takes over a handle of the library; see the class for how to make a graph."""
        self._handle, self._keep, self._ids, self._device = handle, keep, ids, device
        self._ids_are_ours = ids is not None and ids is not _ids.Numbered  # not the library's
        self._quick: set[tuple] = set()  # searches that took little when they last ran; see _query.search()
        self._process = os.getpid()
        freed = weakref.finalize(self, _free, handle, keep, self._process)
        freed.atexit = False  # a search may run on a thread until the very end
        if self.num_vertices > MOST_VERTICES:
            raise InputError(
                f"{self.name} has {self.num_vertices:,} vertices; this package takes up to {MOST_VERTICES:,}"
            )

    # ---- making one ----

    @classmethod
    def from_csr(cls, indptr: ArrayLike, indices: ArrayLike, *, undirected: bool = False, **where: Any) -> Graph:
        """A graph of arrays in compressed sparse rows.

        indptr: n + 1 integers; indices: indptr[n] integers, the targets of edges. indices of int32 or uint32
        with ascending rows without duplicates and self-loops are not copied: they must not change while the
        graph lives. undirected: add the reverse of every edge."""
        offsets = np.ascontiguousarray(integers(indptr, "indptr"), dtype=np.int64)
        targets = np.ascontiguousarray(integers(indices, "indices"))
        if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(targets):
            raise InputError(f"indptr must begin with 0 and end with the number of indices, {len(targets):,}")
        flags = BORROW | (UNDIRECTED if undirected else 0)
        arrays = (len(offsets) - 1, address(offsets), 64, address(targets), 8 * targets.itemsize, flags)
        return cls._make("from_csr", arrays, lent=(offsets, targets), **where)

    @classmethod
    def from_scipy(cls, matrix: Any, *, undirected: bool = False, **where: Any) -> Graph:
        """A graph of a square sparse matrix or array of SciPy: an edge i -> j for each stored entry of row
        i, column j.

        Values do not count, not even stored zeros. A CSR matrix is not copied where from_csr() needs no copy.
        """
        rows, columns = matrix.shape
        if rows != columns:
            raise InputError(f"the matrix must be square, but it has {rows:,} rows and {columns:,} columns")
        matrix = matrix.tocsr()
        return cls.from_csr(matrix.indptr, matrix.indices, undirected=undirected, **where)

    @classmethod
    def from_edges(
        cls,
        src: Any,
        dst: Any = None,
        num_vertices: int | None = None,
        *,
        undirected: bool = False,
        ids: str = "auto",
        **where: Any,
    ) -> Graph:
        """A graph of the edges src[i] -> dst[i]. The arrays are copied. Without dst, src has the edges: an
        array of shape (m, 2), or a list of pairs.

        src, dst: integers or texts of the same length; arrays of NumPy, columns of pyarrow, or lists.
        num_vertices: n; without it, the largest number + 1. ids: "auto": integers are vertex numbers, and
        sparse ones are an error; "dense": they are vertex numbers in any case; "any": they are names, as
        texts always are: vertices are numbered in ascending order of their ids (of pyarrow's columns: in
        the order of their first appearance)."""
        src, dst = columns_of_pairs(src) if dst is None else (_arrays.on_host(src), _arrays.on_host(dst))
        if len(src) != len(dst):
            raise InputError(f"{len(src):,} sources but {len(dst):,} destinations: an edge needs both")
        if ids not in ("auto", "dense", "any"):
            raise InputError(f"ids={ids!r}: it is 'auto', 'dense' or 'any'")
        names = None
        if ids == "any" or _ids.is_text(src):
            if num_vertices is not None:
                raise InputError("num_vertices is for ids that are vertex numbers, and these are names")
            names, src, dst = _ids.encode(src, dst)
            num_vertices = len(names)
        src, dst = _of_one_type(integers(src, "src"), integers(dst, "dst"))
        if names is None and ids == "auto" and num_vertices is None and len(src):
            _ids.reject_sparse(int(max(src.max(), dst.max())), len(src))
        arrays = (address(src), address(dst), 8 * src.itemsize, len(src), UNDIRECTED if undirected else 0)
        return cls._make("from_edges", (num_vertices or 0, *arrays), lent=(src, dst), ids=names, **where)

    @classmethod
    def from_arrow(cls, table: Any, src: Column = None, dst: Column = None, *, ids: str = "any", **how: Any) -> Graph:
        """A graph of two columns of a table: pyarrow's, or anything that gives an Arrow stream, such as a
        relation of DuckDB or a frame of Polars. Needs pyarrow.

        src, dst: names or numbers of columns; by default those with names such as src and dst or source and
        target, as in edge lists, else the first two. ids, how: as for from_edges(); by default the columns
        hold names."""
        return cls.from_edges(*two_columns(table, src, dst, ids == "any"), ids=ids, **how)

    @classmethod
    def from_parquet(
        cls, path: Any, src: Column = None, dst: Column = None, *, ids: str = "any", **how: Any
    ) -> Graph:
        """A graph of two columns of a Parquet file; as from_arrow(). Only these columns are read.

        A file whose name ends in .arrow or .feather is one of Arrow IPC."""
        return cls.from_edges(*two_columns_of_file(path, src, dst, ids == "any"), ids=ids, **how)

    @classmethod
    def from_file(cls, path: str | os.PathLike, *, device: str = "auto", threads: int = 0, **options: Any) -> Graph:
        """A graph of a file that the program gtrav reads: edge lists, Matrix Market, DIMACS, METIS, SNB,
        .gtrav.

        options: as the program's --graph has them, such as undirected=True or ids="any". Parquet and Arrow
        IPC files (.parquet, .arrow, .feather) take those of from_parquet()."""
        path = Path(path)
        if path.suffix in (".parquet", ".arrow", ".feather"):
            return cls.from_parquet(path, device=device, threads=threads, **options)
        if not path.exists():
            raise InputError(f"cannot open {path}: No such file or directory")
        return cls._load(str(path), options, device, threads)

    @classmethod
    def generate(cls, spec: str, *, device: str = "auto", threads: int = 0) -> Graph:
        """A generated graph, such as "kron:16"; gtrav --help generators lists them."""
        return cls._load(spec, {}, device, threads, _ids.Numbered)

    @classmethod
    def _load(cls, spec, options, device, threads, ids=None):
        words = [
            name.replace("_", "-") + ("" if value is True else f"={value}")
            for name, value in options.items()
            if value is not None and value is not False
        ]
        return cls._make("load", (c_text(spec), c_texts(words)), device, threads, ids=ids)

    @classmethod
    def _make(cls, how, arguments, device="auto", threads=0, *, lent=(), ids=None):
        """Calls gtrav_graph_<how>(context, arguments, &graph).

        lent: arrays whose addresses are in arguments; the graph keeps those that the library did not copy."""
        context, handle = Context(device, threads), ctypes.c_void_p()

        def make():
            call(f"graph_{how}", context.handle, *arguments, ctypes.byref(handle))
            own = [function(f"graph_{array}")(handle) for array in ("offsets", "targets")]
            made = cls(handle, [array for array in lent if address(array) in own], ids, device)
            made._threads = threads
            return made

        return interruptible(make, context.cancel)

    def reorder(self, spec: str = "auto") -> Graph:
        """The same graph with its vertices in another order, such as "rcm" or "degree".

        Vertex k of the new graph is vertex permutation[k] of this one; ids go along. A graph that is
        reordered already can only be given its input's order again, by "natural"."""
        handle = ctypes.c_void_p()

        def make():
            call("graph_reorder", self._handle_here, c_text(spec), ctypes.byref(handle))
            return Graph(handle, device=self._device)

        graph = interruptible(make)
        restored = self.permutation is not None
        graph._threads, graph._ids_are_ours = self._threads, self._ids_are_ours
        graph._ids = self._names.permuted(np.argsort(self.permutation) if restored else graph.permutation)
        return graph

    @property
    def reversed(self) -> Graph:
        """The graph of the reversed edges, made at the first use; vertices and ids are the same. A symmetric graph
        is its own."""
        return self if self.symmetric else self._reversed

    @cached_property
    def _reversed(self):
        handle = ctypes.c_void_p()

        def make():
            call("graph_reverse", self._handle_here, ctypes.byref(handle))
            made = Graph(handle, ids=self._ids, device=self._device)
            made._threads = self._threads
            return made

        return interruptible(make)

    # ---- what it is ----

    @property
    def _handle_here(self) -> ctypes.c_void_p:
        """The library's handle, unless this process was forked."""
        if os.getpid() != self._process:
            raise Error(
                f"{self.name}: this process was forked after the graph was made, without its threads; "
                f"start processes by multiprocessing's method 'spawn', and make the graph in each"
            )
        return self._handle

    @property
    def name(self) -> str:
        """The file's name, or what generated it."""
        return function("graph_name")(self._handle).decode(errors="replace")

    @property
    def read_as(self) -> str | None:
        """What the reader of an edge list assumed: "directed, comma, columns src,dst, any ids, header"; None:
        it assumed nothing."""
        text = function("graph_read_as")(self._handle)
        return text and text.decode(errors="replace")

    @property
    def num_vertices(self) -> int:
        return function("graph_num_vertices")(self._handle)

    @property
    def num_edges(self) -> int:
        return function("graph_num_edges")(self._handle)

    @property
    def symmetric(self) -> bool:
        """Whether there is the reverse of every edge."""
        return function("graph_is_symmetric")(self._handle)

    @property
    def indptr(self) -> NDArray[np.int64]:
        """The offsets of its compressed sparse rows, num_vertices + 1; a read-only view."""
        return self._view("graph_offsets", self.num_vertices + 1, np.int64)

    @property
    def indices(self) -> NDArray[np.int32]:
        """The targets of its edges, num_edges; a read-only view."""
        return self._view("graph_targets", self.num_edges, np.int32)

    @property
    def permutation(self) -> NDArray[np.int32] | None:
        """For each vertex its number in the graph that was reordered; None: this graph is not reordered."""
        return self._view("graph_permutation", self.num_vertices, np.int32)

    def _view(self, name, length, dtype):
        start = function(name)(self._handle)
        if start is None:
            return None
        memory = (ctypes.c_char * (length * np.dtype(dtype).itemsize)).from_address(start)
        memory.graph = self  # lives as long as the view
        view = np.frombuffer(memory, dtype=dtype, count=length)
        view.flags.writeable = False
        return view

    def to_scipy(self) -> Any:
        """Its adjacency matrix, a scipy.sparse.csr_array of bool. The indices are not copied, unless there
        are 2^31 or more: SciPy has both of its arrays in one type."""
        from scipy.sparse import csr_array

        kind = np.int32 if self.num_edges < 2**31 else np.int64
        arrays = (
            np.ones(self.num_edges, dtype=bool),
            self.indices.astype(kind, copy=False),
            self.indptr.astype(kind),
        )
        return csr_array(arrays, shape=(self.num_vertices, self.num_vertices))

    @cached_property
    def info(self) -> Info:
        """Statistics, computed at the first use."""
        return interruptible(lambda: filled(Info, lambda struct: call("graph_info", self._handle_here, struct)))

    def __repr__(self):
        return f"<gtrav.Graph {self.name}: {self.num_vertices:,} vertices, {self.num_edges:,} edges>"

    def __reduce__(self):
        return _unpickled, (type(self), *_pickled(self))

    def __copy__(self):
        return self  # it does not change

    def __deepcopy__(self, _memo):
        return self

    # ---- ids ----

    @cached_property
    def _names(self):
        if self._ids is _ids.Numbered:
            return _ids.Numbered(self.num_vertices)
        return _names_of_library(self) if self._ids is None else self._ids

    @property
    def ids(self) -> NDArray:
        """The ids that the input has for the vertices, num_vertices of them: int64, uint64 or objects that
        are str.

        Of a graph whose vertices have no other names, their numbers. graph.ids[path] translates a path."""
        return self._names.values()

    def vertices(self, ids: Any) -> NDArray[np.int32]:
        """The vertices of a list of ids; -1 for an id that no vertex has."""
        return _ids.find(self._names, ids)

    def vertex(self, id: Any) -> int:
        """The vertex of one id."""
        found = int(self.vertices([id])[0])
        if found < 0:
            raise InputError(f"{self.name} has no vertex with the id {id!r}")
        return found

    # ---- the rest ----

    def write(self, path: str | os.PathLike) -> None:
        """Writes the graph; the name's ending says how: .gtrav or .mtx. The file appears when it is complete.

        A .gtrav keeps the ids. Its vertices are numbered in their ascending order, which only of graphs of
        pyarrow's columns is another than the graph's own. A .mtx has none, of which a warning tells."""
        how, ids = "graph_write", ()
        if not str(path).endswith(".gtrav") and not isinstance(self._names, _ids.Numbered):
            warnings.warn(f"{path}: this format has no ids; a .gtrav keeps them", stacklevel=2)
        elif self._ids_are_ours:
            how, ids = "graph_write_ids", _ids.for_library(self._names.values())
        interruptible(lambda: call(how, self._handle_here, c_text(path), *ids))

    def forget(self) -> None:
        """Frees what searches left on devices and in memory. The graph stays."""
        function("graph_forget")(self._handle_here)
        self._quick.clear()
        _arrays.trim(self._device)


def _free(handle, _keep, process):
    """Frees a graph, and only then the arrays that it borrowed."""
    if os.getpid() == process:
        function("graph_free")(handle)


def _pickled(graph):
    """What _unpickled() makes the graph of: a .gtrav, what else its loading takes, and whose its ids are."""
    name, stored = graph.name.replace("/", "-")[-60:], graph.permutation is not None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{name}.gtrav")
        interruptible(lambda: call("graph_write", graph._handle_here, c_text(path)))
        how = ({"stored": stored}, graph._device, graph._threads, graph._ids)
        return path.name, path.read_bytes(), how, graph._ids_are_ours


def _unpickled(kind, name, content, how, ids_are_ours):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        graph = kind._load(str(path), *how)
    graph._ids_are_ours = ids_are_ours
    return graph


def _names_of_library(graph):
    """The ids that the library has for the vertices: numbers, texts, or the vertices' own numbers."""
    numbers = graph._view("graph_ids", graph.num_vertices, np.uint64)
    if numbers is not None and numbers.size:
        # 2^63 or more is negative in a graph of signed ids, which its text tells
        most = int(np.argmax(numbers))
        unsigned = numbers[most] >= 2**63 and not _id_of(graph, most).startswith("-")
        return _ids.Listed(numbers if unsigned else numbers.view(np.int64))
    last = graph.num_vertices - 1
    some = np.unique(np.linspace(0, last, num=1000, dtype=np.int64)).tolist() if last >= 0 else []
    if all(_id_of(graph, vertex) == str(vertex) for vertex in some):
        return _ids.Numbered(graph.num_vertices)
    texts = [_id_of(graph, vertex) for vertex in range(graph.num_vertices)]
    return _ids.Listed(np.array(texts, dtype=object))


def _id_of(graph, vertex):
    """The id of a vertex as text."""
    text = ctypes.create_string_buffer(256)
    length = function("graph_id")(graph._handle_here, vertex, text, len(text))
    if length >= len(text):
        text = ctypes.create_string_buffer(length + 1)
        function("graph_id")(graph._handle_here, vertex, text, len(text))
    return text.value.decode(errors="surrogateescape")


def _of_one_type(src: np.ndarray, dst: np.ndarray) -> Sequence[np.ndarray]:
    """Two arrays of ids, contiguous and of entries of the same size."""
    if src.itemsize != dst.itemsize:
        src, dst = (array.astype(np.int64 if array.itemsize < 8 else array.dtype) for array in (src, dst))
    return np.ascontiguousarray(src), np.ascontiguousarray(dst)
