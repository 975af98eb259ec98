"""gtrav: graph traversal on GPUs and CPUs: breadth-first and depth-first search, shortest paths, closeness.

    >>> import gtrav
    >>> graph = gtrav.Graph([(0, 1), (0, 2), (1, 3)])
    >>> graph.bfs(0).levels.tolist()
    [0, 1, 1, 2]
    >>> graph.path_lengths([0, 3], [3, 0]).tolist()
    [2, -1]

Arrays are NumPy's. The result of a search tells its times (`result.times`) and what ran (`result.run`)."""

from __future__ import annotations

from ._arguments import How, Near, Options, Sampled, Where, Within, checked
from ._arrays import DeviceArray
from ._errors import CancelledError, DeviceError, Error, InputError, InputTypeError, WeightsIgnored, WrongResultError
from ._graph import Graph
from ._library import function
from ._query import Run, Times
from ._results import (
    BfsResult,
    ComponentsResult,
    DfsResult,
    Info,
    ManyBfsResult,
    Memory,
    PathList,
    SsspResult,
    Values,
    Variant,
)

__all__ = [
    "BfsResult", "CancelledError", "ComponentsResult", "DeviceArray", "DeviceError", "DfsResult", "Error",
    "Graph", "How", "Info", "InputError", "InputTypeError", "ManyBfsResult", "Memory", "Near", "Options",
    "PathList", "Run", "Sampled", "SsspResult", "Times", "Values", "Variant", "WeightsIgnored", "Where",
    "Within", "WrongResultError", "library_version", "variants",
]  # fmt: skip


@checked
def variants(family: str | None = None) -> list[Variant]:
    """Lists the algorithms of this build, or those of one family: "bfs", "dfs", "topo", "wcc", "scc", ..."""
    found = Variant._all()
    if family is not None and family not in (each.family for each in found):
        known = ", ".join(dict.fromkeys(each.family for each in found))
        raise InputError(f"family={family!r}: expected one of {known}")
    return [each for each in found if family in (None, each.family)]


def library_version() -> str:
    """Returns the version of libgtrav."""
    return function("version")().decode()


def __getattr__(name: str) -> str:
    """Makes `__version__` the version of the library, which is loaded at its first use."""
    if name == "__version__":
        return library_version()
    raise AttributeError(f"module 'gtrav' has no attribute {name!r}")
