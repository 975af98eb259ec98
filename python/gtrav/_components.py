"""_components.py: the methods of class Graph for components, cycles, ancestors and descendants."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arguments import How, Vertex, checked_calls
from ._library import address
from ._query import search
from ._results import ComponentsResult, Values

if TYPE_CHECKING:
    from typing_extensions import Unpack


@checked_calls
class Components:
    def components(self: Any, strong: bool = False, **how: Unpack[How]) -> ComponentsResult:
        """Finds the components of the graph.

        strong: the vertices of a component reach each other. Otherwise edges join them, in any direction."""
        labels, count = np.empty(self.num_vertices, dtype=np.int32), ctypes.c_uint64()
        run = search("components", self, strong, address(labels), ctypes.byref(count), how=how)
        return ComponentsResult(run, labels, count.value)

    @property
    def is_acyclic(self: Any) -> bool:
        """Whether no vertex reaches itself. An undirected edge is a cycle, and so is a self-loop of the input."""
        return self.info.acyclic

    def descendants(self: Any, vertex: Vertex, **how: Unpack[How]) -> Values:
        """Lists the other vertices that a vertex reaches: int32, ascending."""
        reached = self.reach(vertex, **how)
        found = np.flatnonzero(reached).astype(np.int32)
        return Values.of(found[found != self._one(vertex)], reached.run, "vertex")

    def ancestors(self: Any, vertex: Vertex, **how: Unpack[How]) -> Values:
        """Lists the other vertices that reach a vertex: int32, ascending."""
        return self.reversed.descendants(vertex, **how)
