"""_query.py: contexts of the library, and searches with their device, variant, options and progress."""

from __future__ import annotations

import ctypes
import os
from dataclasses import astuple, dataclass, field, replace
from typing import Any

from ._arguments import How, plain
from ._errors import CancelledError
from ._interrupts import interruptible
from ._library import Progress, c_text, call, filled, function

SINGLE = ("bfs_within", "dfs", "reach", "topo")  # calls that search the graph once
SMALL = 1 << 18  # vertices or edges: a search of a smaller graph takes a ms or two
QUICK_MS = 5.0  # on a GPU, Ctrl-C waits for a search whose last run took less


@dataclass(frozen=True)
class Times:
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

    def __getstate__(self):
        return {**self.__dict__, "graph": None}


def together(runs: list[Run]) -> Run:
    """Makes one Run of several searches: the last one, with the sums of the times."""
    totals = map(sum, zip(*(astuple(run.times) for run in runs)))
    return replace(runs[-1], times=Times(*totals))


class Context:
    """A context of the library: a device and a number of threads (0: one for each free core).

    Each graph is made with its own context, so that cancelling one call leaves others alone."""

    _kept: dict[tuple, Context] = {}  # the first context of each device, which keeps the device open

    def __init__(self, device: str, threads: int):
        self.handle = ctypes.c_void_p()
        call("context_new", ctypes.byref(self.handle), c_text(device), threads)
        self._kept.setdefault((os.getpid(), device), self)

    def __del__(self):
        function("context_free")(self.handle)

    @classmethod
    def of(cls, device: str) -> Context:
        """Returns the context that is kept for the device."""
        return cls._kept.get((os.getpid(), device)) or cls(device, 0)

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
    """A query of the library, with its settings."""

    def __init__(self, how: How, settings):
        self.handle, self.problem = ctypes.c_void_p(), None
        self.settings = (*_settings(how), *settings)
        call("query_new", ctypes.byref(self.handle))
        for name, value in self.settings:
            call("query_set", self.handle, c_text(name), c_text(value))
        self._report = how.get("progress")
        if self._report:
            self._callback = Progress(self._on_progress)  # must live as long as the query
            function("query_on_progress")(self.handle, self._callback, None)

    def __del__(self):
        function("query_free")(self.handle)

    def _on_progress(self, _context, phase, done, total):
        try:
            return bool(self._report(phase.decode(), done, total))
        except BaseException as problem:  # search() raises it, as exceptions cannot pass through C
            self.problem = problem
            return True

    def run(self, graph) -> Run:
        """Describes the last search."""
        times = filled(Times, lambda struct: function("query_times")(self.handle, struct))
        ran, note = (function(f"query_{text}")(self.handle).decode() for text in ("ran", "note"))
        return Run(times, ran, note, graph)


def search(name: str, graph, *arguments, how: How, settings=()) -> Run:
    """Runs gtrav_<name>(graph, query, *arguments). Ctrl-C cancels it."""
    query = _Query(how, settings)
    kind, quick = (name, query.settings), graph._quick
    is_small = graph.num_edges < SMALL > graph.num_vertices
    try:
        interruptible(
            lambda: call(name, graph._handle_here, query.handle, *arguments),
            cancel=lambda: function("query_cancel")(query.handle),
            short=name in SINGLE and not how.get("progress") and (is_small or kind in quick),
        )
    except CancelledError:
        if query.problem:
            raise query.problem from None
        raise
    run = query.run(graph)
    is_quick = run.times.total_ms < QUICK_MS and not run.ran.endswith("cpu")
    (quick.add if is_quick else quick.discard)(kind)
    return run
