"""_frames.py: turns results into frames of pandas and Polars and tables of Arrow."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from ._arguments import checked_calls
from ._errors import InputError
from ._ids import Numbered

MAKERS = {"pandas": ("pandas", "DataFrame"), "polars": ("polars", "DataFrame"), "arrow": ("pyarrow", "table")}
# Columns of vertices, which a frame shows by the ids of the graph.
OF_VERTICES = {"vertex", "parent", "source", "destination", "component"}


@checked_calls
class Framed:
    """A result that can become a frame. It has `run`, and _columns() yields (name, array) pairs of equal length."""

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
        names = self.run.graph and self.run.graph._names
        if names is None or isinstance(names, Numbered):
            return make(dict(self._columns()))
        return make({name: _named(names, each) if name in OF_VERTICES else each for name, each in self._columns()})

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
