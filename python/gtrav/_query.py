"""_query.py: contexts of the library, and searches with their device, variant, options and progress."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from . import _interrupts
from ._arguments import How, plain
from ._errors import CancelledError
from ._interrupts import interruptible
from ._library import Progress, c_text, call, function

SMALL = 1 << 18  # vertices and edges: a search of a smaller graph takes a ms or two
SMALL_SUM = 1 << 23  # the same for many searches, which share work: they take less than .1 s
KEPT = 16  # idle queries
QUICK_MS = 5.0  # on a GPU, Ctrl-C waits for a search whose last run took less


class Times(NamedTuple):
    """Times of a search in milliseconds.

    upload_ms: copying the graph to the device (0: it was there); prepare_ms: all preparation, upload_ms included
    (0: the graph was prepared); kernel_ms: the searches alone; download_ms: copying results to the arrays;
    total_ms: the whole call."""

    upload_ms: float
    prepare_ms: float
    kernel_ms: float
    download_ms: float
    total_ms: float


@dataclass(frozen=True)
class Run:
    """What a search ran. times: its times; ran: such as "bfs gap on cpu"; note: what it chose, in words;
    graph: the graph, which lives as long as its results; None in a pickled result."""

    times: Times
    ran: str
    note: str
    graph: Any = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, query: _Query, graph: Any) -> Run:
        """Makes the Run of the last search. It asks the query for the rest at the first use."""
        run = object.__new__(cls)
        fields = run.__dict__
        fields["_query"], fields["graph"] = query, graph
        return run

    def __getattr__(self, name):
        query = self.__dict__.get("_query")
        if query is not None and name in self.__dataclass_fields__:
            self.__dict__.update(query.described())
            self.__dict__.pop("_query", None)
        return object.__getattribute__(self, name)

    def __getstate__(self):
        return {"times": self.times, "ran": self.ran, "note": self.note, "graph": None}


def together(runs: list[Run]) -> Run:
    """Makes one Run of several searches: the last one, with the sums of the times."""
    totals = map(sum, zip(*(run.times for run in runs)))
    return replace(runs[-1], times=Times(*totals))


class Context:
    """A context of the library: a device and a number of threads (0: one for each free core).

    Each graph is made with its own context, so that cancelling one call leaves others alone."""

    _kept: dict[tuple, Context] = {}  # a context of each device and number of threads, which keeps the device open

    def __init__(self, device: str, threads: int):
        self.handle = ctypes.c_void_p()
        call("context_new", ctypes.byref(self.handle), c_text(device), threads)

    def __del__(self):
        function("context_free")(self.handle)

    @classmethod
    def of(cls, device: str, threads: int = 0) -> Context:
        """Returns the context that is kept for the device. Nobody cancels its calls."""
        key = _interrupts.process, device, threads
        return cls._kept.get(key) or cls._kept.setdefault(key, cls(device, threads))

    def cancel(self) -> None:
        function("context_cancel")(self.handle)


def _settings(how: How):
    """Yields names and values for gtrav_query_set()."""
    for name in ("device", "variant", "reorder"):
        if how.get(name) is not None:
            yield name, how[name]
    if how.get("verify"):
        yield "verify", "yes"
    for option, value in (how.get("options") or {}).items():
        value = plain(value)
        yield "set", f"{option}={int(value) if isinstance(value, bool) else value}"


class _Query:
    """A query of the library, with its settings, for one search."""

    _free = function("query_free")
    _idle: dict[tuple, list] = defaultdict(list)  # a few handles with the same settings, for later queries
    problem, _report, is_plain = None, None, False  # is_plain: it has ended, and had only `settings`

    def __init__(self, how: How, settings):
        self.settings = (*_settings(how), *settings) if how else settings
        try:
            self.handle = self._idle[None if how else settings].pop()
            return
        except IndexError:
            self.handle = ctypes.c_void_p()
        call("query_new", ctypes.byref(self.handle))
        for name, value in self.settings:
            call("query_set", self.handle, c_text(name), c_text(value))
        self._report = how.get("progress")
        if self._report:
            self._callback = Progress(self._on_progress)  # must live as long as the query
            function("query_on_progress")(self.handle, self._callback, None)

    def __del__(self):
        if self.is_plain and len(self._idle[self.settings]) < KEPT:
            self._idle[self.settings].append(self.handle)
        else:
            self._free(self.handle)

    def _on_progress(self, _context, phase, done, total):
        try:
            return bool(self._report(phase.decode(), done, total))
        except BaseException as problem:  # search() raises it, as exceptions cannot pass through C
            self.problem = problem
            return True

    def described(self) -> dict:
        """Returns the fields of the search's Run."""
        times = (ctypes.c_double * (1 + len(Times._fields)))()  # gtrav_times: its size, then the times
        ctypes.c_size_t.from_buffer(times).value = ctypes.sizeof(times)
        function("query_times")(self.handle, times)
        ran, note = function("query_ran")(self.handle), function("query_note")(self.handle)
        return {"times": Times(*times[1:]), "ran": ran.decode(), "note": note.decode()}


def search(name: str, graph, *arguments, how: How, settings=(), times: int = 1) -> Run:
    """Runs gtrav_<name>(graph, query, *arguments), which searches the graph `times` times. Ctrl-C cancels it."""
    query = _Query(how, settings)
    size = graph.num_edges + graph.num_vertices
    is_small = size < SMALL and times * size < SMALL_SUM
    if is_small and not how and not _interrupts.is_forked:
        call(name, graph._handle_here, query.handle, *arguments)
        query.is_plain = True
        return Run.of(query, graph)
    kind, quick = (name, query.settings), graph._quick
    try:
        interruptible(
            lambda: call(name, graph._handle_here, query.handle, *arguments),
            cancel=lambda: function("query_cancel")(query.handle),
            short=(is_small or (times == 1 and kind in quick)) and not how.get("progress"),
        )
    except CancelledError:
        if query.problem:
            raise query.problem from None
        raise
    run = Run.of(query, graph)
    is_quick = run.times.total_ms < QUICK_MS and not run.ran.endswith("cpu")
    (quick.add if is_quick else quick.discard)(kind)
    return run
