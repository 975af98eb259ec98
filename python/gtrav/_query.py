"""_query.py: contexts of the library, and searches with their device, variant, options and progress."""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import Any, NamedTuple

from . import _interrupts
from ._arguments import How, plain
from ._errors import CancelledError, InputError
from ._interrupts import interruptible
from ._library import Progress, c_text, function

SMALL = 1 << 18  # vertices and edges: a search of a smaller graph takes a ms or two
SMALL_SUM = 1 << 23  # the same for many searches, which share work: they take less than .1 s
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


class Run:
    """What a search ran. graph: the graph, which lives as long as its results; None in a pickled result. The search's
    query is asked for the rest at its first use."""

    _count = None  # what the search counted, if it counts

    def __init__(self, query: Any, graph: Any):
        self._query, self.graph = query, graph

    @cached_property
    def times(self) -> Times:
        times = (ctypes.c_double * (1 + len(Times._fields)))()  # gtrav_times: its size, then the times
        ctypes.c_size_t.from_buffer(times).value = ctypes.sizeof(times)
        function("query_times")(self._query, times)
        return Times(*times[1:])

    @cached_property
    def ran(self) -> str:
        """Such as "bfs gap on cpu"."""
        return function("query_ran")(self._query).decode()

    @cached_property
    def note(self) -> str:
        """What the search chose, in words; or ""."""
        return function("query_note")(self._query).decode()

    def __repr__(self):
        return f"Run(times={self.times}, ran={self.ran!r}, note={self.note!r})"

    def __eq__(self, other):
        return isinstance(other, Run) and self.__getstate__() == other.__getstate__()

    def __getstate__(self):
        return {"times": self.times, "ran": self.ran, "note": self.note, "graph": None}


def together(runs: list[Run]) -> Run:
    """Makes one Run of several searches: the last one, with the sums of the times."""
    totals = map(sum, zip(*(run.times for run in runs)))
    run = Run.__new__(Run)
    run.__dict__.update(runs[-1].__getstate__(), graph=runs[-1].graph, times=Times(*totals))
    return run


class Context:
    """A context of the library: a device and a number of threads (0: one for each free core).

    Each graph is made with its own context, so that cancelling one call leaves others alone."""

    _kept: dict[tuple, Context] = {}  # a context of each device and number of threads, which keeps the device open
    handle: int | None = None

    def __init__(self, device: str, threads: int):
        new = ctypes.c_void_p()
        function("context_new")(new, c_text(device), threads)
        self.handle = new.value

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
    if how.get("weight"):
        raise InputError("weight=True: this search counts edges; sssp(), path_lengths() and paths() add up weights")
    if how.get("weight") is not None:
        yield "count-edges", "yes"
    if how.get("verify"):
        yield "verify", "yes"
    for option, value in (how.get("options") or {}).items():
        value = plain(value)
        yield "set", f"{option}={int(value) if isinstance(value, bool) else value}"


_new_query, _set_query = function("query_new"), function("query_set")


def search(name: str, graph, arguments: tuple, how: How, settings: tuple = (), times: int = 1) -> Run:
    """Runs gtrav_<name>(graph, query, *arguments), which searches the graph `times` times. Ctrl-C cancels it."""
    query, size = _new_query(), graph.num_edges + graph.num_vertices
    run, is_small = Run(query, graph), size < SMALL and times * size < SMALL_SUM
    settings = (*_settings(how), *settings) if how else settings
    for key, value in settings:
        _set_query(query, c_text(key), c_text(value))
    if is_small and not how and not _interrupts.is_forked:
        run._count = function(name)(graph._handle, query, *arguments)
    else:
        _search_interruptibly(name, run, arguments, how, settings, is_small, times)
    return run


def _search_interruptibly(name, run, arguments, how, settings, is_small, times):
    graph, problems, report = run.graph, [], how.get("progress")
    kind, quick = (name, settings), graph._quick

    def on_progress(_context, phase, done, total):
        try:
            return bool(report(phase.decode(), done, total))
        except BaseException as problem:  # raised below, as exceptions cannot pass through C
            problems.append(problem)
            return True

    if report:
        run._callback = Progress(on_progress)  # must live as long as the query
        function("query_on_progress")(run._query, ctypes.cast(run._callback, ctypes.c_void_p).value, None)
    try:
        run._count = interruptible(
            lambda: function(name)(graph._handle, run._query, *arguments),
            cancel=lambda: function("query_cancel")(run._query),
            short=(is_small or (times == 1 and kind in quick)) and not report,
        )
    except CancelledError:
        if problems:
            raise problems[0] from None
        raise
    is_quick = run.times.total_ms < QUICK_MS and not run.ran.endswith("cpu")
    (quick.add if is_quick else quick.discard)(kind)
