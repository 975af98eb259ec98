"""_frames.py: results as frames of pandas and Polars and as tables of Arrow."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from ._arguments import checked_calls
from ._errors import InputError
from ._ids import Numbered

MAKERS = {"pandas": ("pandas", "DataFrame"), "polars": ("polars", "DataFrame"), "arrow": ("pyarrow", "table")}
# Columns that have ids where the graph has them.
OF_VERTICES = {"vertex", "parent", "source", "destination", "component"}


@checked_calls
class Framed:
    """A result that can be a frame; it has run, and _columns(): a dict of arrays of the same length."""

    def to_frame(self, kind: str = "pandas") -> Any:
        """The result as a frame of "pandas" or "polars" or a table of "arrow".

        Searches have a row for each vertex that is reached: vertex, level or parent, both if they were found;
        pairs one for each pair: source, destination, length (-1: there is no path); paths one for each of their
        vertices: path, step, vertex. Vertices are the ids of the graph; numbers, if the result was pickled."""
        if kind not in MAKERS:
            raise InputError(f"a frame of {kind!r}: it is one of {', '.join(MAKERS)}")
        if self.run is None:
            raise InputError("this array was computed from a result; it is the result that has to_frame()")
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
        """The result as a table of pyarrow; as to_frame("arrow")."""
        return self.to_frame("arrow")


def _named(names, vertices):
    """The ids of vertices; None for -1."""
    ids = names.values()
    found = ids[vertices] if len(ids) else np.empty(len(vertices), dtype=object)
    if found.dtype.kind == "O" or np.any(vertices < 0):
        return [None if vertex < 0 else id for vertex, id in zip(vertices.tolist(), found.tolist())]
    return found
