"""_components.py: the part of class Graph that is about which vertices belong together."""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._library import address
from ._query import How, search
from ._results import ComponentsResult

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Components:
    def components(self: Any, strong: bool = False, **how: Unpack[How]) -> ComponentsResult:
        """The components of the graph.

        strong: a component is of vertices that reach each other; otherwise of vertices that edges join,
        whatever their direction."""
        labels, count = np.empty(self.num_vertices, dtype=np.int32), ctypes.c_uint64()
        run = search("components", self, strong, address(labels), ctypes.byref(count), how=how)
        return ComponentsResult(run, labels, count.value)

    @cached_property
    def is_acyclic(self: Any) -> bool:
        """Whether no vertex reaches itself. An undirected edge is a cycle; self-loops are not in the graph."""
        single = not self.symmetric and self.components(strong=True, device="cpu").count == self.num_vertices
        return single or self.num_edges == 0

    def descendants(self: Any, vertex: int | str, **how: Unpack[How]) -> NDArray[np.int32]:
        """The other vertices that a vertex reaches, ascending."""
        found = np.flatnonzero(self.reach(vertex, **how)).astype(np.int32)
        return found[found != self._one(vertex)]

    def ancestors(self: Any, vertex: int | str, **how: Unpack[How]) -> NDArray[np.int32]:
        """The other vertices that reach a vertex, ascending; those that it reaches in graph.reversed."""
        return self.reversed.descendants(vertex, **how)
