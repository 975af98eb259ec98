"""_arguments.py: checks the arguments of all public calls by the annotations of their parameters.

Without these checks ctypes would cut numbers that are too large, and take any object for true."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Mapping, Sequence
from functools import wraps
from inspect import Parameter, isfunction, signature
from typing import Any, Callable, NamedTuple, Optional, SupportsIndex, TypedDict, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from ._errors import InputError, InputTypeError

MOST_VERTICES = 2**31 - 1  # numbers of vertices are int32, so that -1 can mean none
OF_NUMPY = {np.bool_, *(np.dtype(code).type for code in np.typecodes["AllInteger"] + "m")}
T = TypeVar("T")
C = TypeVar("C", bound=Callable[..., Any])
Vertex = Union[SupportsIndex, str]
ProgressCallback = Callable[[str, int, int], Optional[bool]]
Depth = SupportsIndex  # number of edges; no limit if no path has more
Cutoff = Union[SupportsIndex, float]  # a length in edges, or a sum of weights
Vertices = Union[Sequence[Vertex], NDArray[Any]]
Matrix = Any
NetworkXGraph = Any
IgraphGraph = Any
Column = Union[str, int, None]  # a name or a number

# ---- keywords ----


class Where(TypedDict, total=False):
    """Where a graph is searched: the keywords of every call that makes a graph."""

    device: str  # "auto": the first GPU, or else the CPU; "cpu", "gpu", "gpu:1", "emulator"
    threads: SupportsIndex  # number of CPU threads; 0: one for each free core


class Edges(Where, total=False):
    """The keywords that calls for tables pass on to from_edges()."""

    undirected: bool
    num_vertices: SupportsIndex


class Options(TypedDict, total=False):
    """The keywords of Graph(x) and from_file(), of which each kind of x takes some."""

    # Options of the program for files (docs/graphs.md):
    undirected: bool
    directed: bool
    cache: bool
    ids: str
    columns: str | Sequence[str | int]
    header: str | bool
    header_counts: str | bool
    vertices: str | os.PathLike[str]
    vertex_column: Column
    weights: Any  # of edges: an array; otherwise a Column: the name of a column or attribute, or "auto"
    # Of tables and edges:
    src: Column
    dst: Column
    num_vertices: SupportsIndex


class How(TypedDict, total=False):
    """How to search: the keywords of every search of a graph."""

    device: str  # "cpu", "gpu", "gpu:1", "emulator"; default: the graph's device
    variant: str  # such as "gap"; default: the best one for the device
    options: Mapping[str, Any]  # options of the variant: {"alpha": 14}
    reorder: str  # search in another order: "rcm"
    verify: bool  # check the result against a search on the CPU
    weight: bool  # False: count edges though the graph has weights; True: add up weights (path_lengths, paths)
    progress: ProgressCallback  # progress(phase, done, total), on another thread; True cancels


class Sampled(How, total=False):
    """How to search from a sample of the vertices."""

    seed: SupportsIndex  # draws other random vertices than without a seed


class Near(How, total=False):
    """How to search, and which part of the graph."""

    reverse: bool  # search against the direction of edges
    # For a search from one source, or from several together:
    targets: Any  # a vertex or several: the search ends when all are reached
    vertices: Any  # a mask of bool: vertices with False are left out; a source must have True
    edges: Any  # a mask with an entry for each entry of graph.indices, where an undirected edge has two


class Within(Near, total=False):
    """How to search, and the limits of a breadth-first search."""

    together: bool  # one search with several sources on level 0
    max_depth: Depth  # the last level of a search from one source, or from several together


KEYWORDS = {f"Unpack[{each.__name__}]": each for each in (Where, Edges, Options, How, Sampled, Near, Within)}

# ---- which values an annotation allows ----


class Kind(NamedTuple):
    takes: Callable[[Any], bool]
    words: str


def is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def plain(value: Any) -> Any:
    """Turns a truth value or whole number of NumPy into one of Python."""
    return value.item() if type(value) in OF_NUMPY else value


def _is(*types):
    return lambda value: isinstance(value, types)


def _has(*names):
    return lambda value: not isinstance(value, type) and all(hasattr(value, name) for name in names)


def _is_list(value):
    arrays = ("__array__", "__cuda_array_interface__", "__dlpack__")
    is_array = any(_has(name)(value) for name in arrays) and getattr(value, "ndim", 1) > 0
    return is_array or isinstance(value, (list, tuple, range))


# The key is one part of an annotation such as "int | None". Parameters with other annotations are checked where they
# are used.
KINDS = {
    "None": Kind(lambda value: value is None, "None"),
    "bool": Kind(_is(bool, np.bool_), "True or False"),
    "SupportsIndex": Kind(is_whole, "a whole number"),  # a count, so from 0 to MOST_VERTICES
    "Depth": Kind(is_whole, "a whole number"),
    "Cutoff": Kind(lambda value: is_whole(value) or isinstance(value, (float, np.floating)), "a number"),
    "int": Kind(is_whole, "a whole number"),
    "Vertices": Kind(_is_list, "a list of vertices"),
    "str": Kind(_is(str), "a text"),
    "Column": Kind(
        lambda value: value is None or isinstance(value, str) or is_whole(value), "a text or a whole number or None"
    ),
    "os.PathLike[str]": Kind(_is(os.PathLike), "a path"),
    "Mapping[str, Any]": Kind(_is(Mapping), "a dict"),
    "ProgressCallback": Kind(callable, "a function"),
    "Matrix": Kind(_has("tocsr", "shape"), "a sparse matrix or array of SciPy"),
    "NetworkXGraph": Kind(_has("adjacency", "is_multigraph"), "a graph of NetworkX"),
    "IgraphGraph": Kind(_has("get_edgelist", "vcount"), "a graph of igraph"),
    "Table": Kind(_has("__arrow_c_stream__"), "a table of Arrow"),
    "Pairs": Kind(_is_list, "an array or list of pairs"),
}
PLAIN = {"None": type(None), "bool": bool, "str": str}  # types of which every value is right


def shown(value: Any) -> str:
    """Formats a value for a message, on one line."""
    return " ".join(reprlib.repr(value).split())


def _check_of(name, annotation, optional):
    """Makes the function that refuses wrong values of a parameter. None: there is nothing to check."""
    parts = str(annotation).split(" | ")
    if not KINDS.keys() >= set(parts):
        return None
    kinds = [KINDS[part] for part in parts]
    plain_types = {PLAIN[part] for part in parts if part in PLAIN}
    most = MOST_VERTICES if "SupportsIndex" in parts else 2**64 - 1 if "Depth" in parts else None

    def check(value):
        if type(value) in plain_types or (optional and value is None):
            return
        if type(value) is int and most is not None and 0 <= value <= most:
            return
        if not any(kind.takes(value) for kind in kinds):
            raise InputTypeError(f"{name}={shown(value)}: expected {' or '.join(kind.words for kind in kinds)}")
        if most is not None and is_whole(value) and not 0 <= value <= most:
            raise InputError(f"{name}={value}: expected a whole number from 0 to {most}")

    return check


def _spelled_out(parameters):
    """Lists the keywords of **how: Unpack[...] one by one."""
    kind = KEYWORDS.get(parameters[-1].annotation) if parameters else None
    if not kind:
        return parameters
    defaults = {"device": "auto", "threads": 0} if "threads" in kind.__annotations__ else {}
    return parameters[:-1] + [
        Parameter(name, Parameter.KEYWORD_ONLY, default=defaults.get(name), annotation=each.__forward_arg__)
        for name, each in kind.__annotations__.items()
    ]


def checked(call: C) -> C:
    """Wraps a call: refuses arguments and keywords that its annotations rule out. help() shows all keywords."""
    given = signature(call)
    own, every = given.parameters, _spelled_out(list(given.parameters.values()))
    names = [each.name for each in own.values() if each.kind is Parameter.POSITIONAL_OR_KEYWORD]
    checks = {each.name: _check_of(each.name, each.annotation, each.name not in own) for each in every}
    of_places = [(place, checks[name]) for place, name in enumerate(names) if checks[name]]
    first = min((place for place, _ in of_places), default=len(names))

    @wraps(call)
    def checking(*args, **kwargs):
        if len(args) > first:
            args = [plain(value) for value in args]
            for place, check in of_places:
                if place < len(args):
                    check(args[place])
        if not kwargs:
            return call(*args)
        for name, value in kwargs.items():
            if type(value) in OF_NUMPY:
                kwargs[name] = value = value.item()
            check = checks.get(name)
            if check:
                check(value)
            elif name not in checks:
                known = ", ".join(each for each in checks if each not in ("self", "cls"))
                hint = f"; an option of a variant goes into options={{{name!r}: ...}}" if "options" in checks else ""
                raise InputTypeError(f"unknown keyword {name!r}: {call.__name__}() takes {known}{hint}")
        return call(*args, **kwargs)

    checking.__signature__ = given.replace(parameters=every)  # type: ignore[attr-defined]
    return checking  # type: ignore[return-value]


def checked_calls(kind: type[T]) -> type[T]:
    """Decorates the public methods of a class with checked()."""
    for name, member in list(vars(kind).items()):
        if isinstance(member, classmethod) and not name.startswith("_"):
            setattr(kind, name, classmethod(checked(member.__func__)))
        elif isfunction(member) and not name.startswith("_"):
            setattr(kind, name, checked(member))
    return kind
