"""_library.py: finds libgtrav and declares include/gtrav.h to ctypes."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from ctypes import POINTER, c_bool, c_char, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64
from ctypes import c_void_p as handle
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TypeVar

from ._errors import InputError, error_of

T = TypeVar("T")
FILE = "libgtrav.so.1"
SPIN_COUNT = "30000"
UNDIRECTED, BORROW = 1, 2  # enum gtrav_graph_flags


class ErrorText(ctypes.Structure):
    _fields_ = (("status", c_int), ("text", c_char * 1024))


class VariantFields(ctypes.Structure):
    TEXTS = ("family", "variant", "title", "citation", "device")
    _fields_ = tuple((name, c_char_p) for name in TEXTS)


class PathFields(ctypes.Structure):
    _fields_ = (("num_paths", c_uint64), ("offsets", POINTER(c_uint64)), ("vertices", POINTER(c_uint32)))


class LimitFields(ctypes.Structure):
    _fields_ = (
        *(("size", c_size_t), ("sources", handle), ("num_sources", c_uint64), ("targets", handle)),
        *(("num_targets", c_uint64), ("num_levels", c_uint64), ("vertices", handle), ("edges", handle)),
    )


Progress = ctypes.CFUNCTYPE(c_bool, handle, c_char_p, c_uint64, c_uint64)
_error = POINTER(ErrorText)
_Memory = c_char * 0


class _array:  # noqa: N801 - a type of parameter, as those of ctypes
    """A contiguous array of NumPy or ctypes, a DeviceArray, or None: the function gets the address of its entries."""

    @staticmethod
    def from_param(array):
        if array is None:
            return None
        try:
            return _Memory.from_buffer(array)  # takes a third of the time of array.ctypes
        except TypeError:  # read-only, or on a device
            return handle(address(array))


_struct = handle  # see filled()

# The functions of gtrav.h without their prefix: what they return, and their parameters.
FUNCTIONS = {
    "version": (c_char_p,),
    "variant_at": (c_bool, c_int, POINTER(VariantFields)),
    "context_new": (c_int, POINTER(handle), c_char_p, c_int, _error),
    "context_free": (None, handle),
    "context_cancel": (None, handle),
    "context_device": (c_char_p, handle),
    "edge_columns": (c_bool, c_char_p, POINTER(c_uint)),
    "graph_from_csr": (c_int, handle, c_uint64, _array, c_int, _array, c_int, c_uint, POINTER(handle), _error),
    "graph_from_edges": (c_int, handle, c_uint64, _array, _array, c_int, c_uint64, c_uint, POINTER(handle), _error),
    "graph_load": (c_int, handle, c_char_p, POINTER(c_char_p), POINTER(handle), _error),
    "graph_reorder": (c_int, handle, c_char_p, POINTER(handle), _error),
    "graph_reverse": (c_int, handle, POINTER(handle), _error),
    "graph_write": (c_int, handle, c_char_p, _error),
    "graph_write_ids": (c_int, handle, c_char_p, _array, c_bool, POINTER(c_char_p), _error),
    "graph_forget": (None, handle),
    "graph_free": (None, handle),
    "graph_name": (c_char_p, handle),
    "graph_read_as": (c_char_p, handle),
    "graph_num_vertices": (c_uint32, handle),
    "graph_num_edges": (c_uint64, handle),
    "graph_is_symmetric": (c_bool, handle),
    "graph_weights_ignored": (c_bool, handle),
    "graph_offsets": (handle, handle),
    "graph_targets": (handle, handle),
    "graph_permutation": (handle, handle),
    "graph_id": (c_size_t, handle, c_uint32, c_char_p, c_size_t),
    "graph_ids": (handle, handle),
    "graph_info": (c_int, handle, _struct, _error),
    "memory_new": (c_int, handle, c_size_t, c_bool, POINTER(handle), _error),
    "memory_free": (None, handle, handle, c_bool),
    "download": (c_int, handle, _array, handle, c_size_t, _error),
    "query_new": (c_int, POINTER(handle), _error),
    "query_free": (None, handle),
    "query_set": (c_int, handle, c_char_p, c_char_p, _error),
    "query_on_progress": (None, handle, Progress, handle),
    "query_cancel": (None, handle),
    "query_times": (None, handle, _array),
    "query_ran": (c_char_p, handle),
    "query_note": (c_char_p, handle),
    "bfs": (c_int, handle, handle, c_uint32, _array, _array, _error),
    "bfs_within": (c_int, handle, handle, POINTER(LimitFields), _array, _array, _array, POINTER(c_uint64), _error),
    "dfs": (c_int, handle, handle, c_uint32, _array, _array, POINTER(c_uint64), _error),
    "reach": (c_int, handle, handle, c_uint32, _array, POINTER(c_uint64), _error),
    "topo": (c_int, handle, handle, _array, _error),
    "components": (c_int, handle, handle, c_bool, _array, POINTER(c_uint64), _error),
    "msbfs": (c_int, handle, handle, _array, c_uint64, _array, _array, _error),
    "lengths": (c_int, handle, handle, _array, _array, c_uint64, _array, _error),
    "paths": (c_int, handle, handle, _array, _array, c_uint64, POINTER(PathFields), _error),
    "path_list_free": (None, POINTER(PathFields)),
    "closeness": (c_int, handle, handle, _array, c_uint64, _array, _error),
    "harmonic": (c_int, handle, handle, _array, c_uint64, _array, _error),
    "betweenness": (c_int, handle, handle, _array, c_uint64, _array, _array, _error),
    "count_paths": (c_int, handle, handle, c_uint32, _array, _array, _error),
}


def _path():
    """Finds libgtrav: where the environment says, in the wheel, in the checkout, or in the system."""
    package = Path(__file__).resolve().parent
    near = (package / FILE, package.parent.parent / "build" / FILE)
    return os.environ.get("GTRAV_LIBRARY") or next((str(path) for path in near if path.exists()), FILE)


def _with_short_waits(path):
    """Loads the library. GCC's OpenMP then reads GOMP_SPINCOUNT, how often idle threads look for work before they
    sleep. Unless the user has set it, it gets the program's number (src/cores.c)."""
    bound = not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & set(os.environ)
    if bound:
        os.environ["GOMP_SPINCOUNT"] = SPIN_COUNT
    try:
        return ctypes.CDLL(path)
    finally:
        if bound:
            del os.environ["GOMP_SPINCOUNT"]


def _load():
    path = _path()
    try:
        library = _with_short_waits(path)
        for name, (result, *parameters) in FUNCTIONS.items():
            function = getattr(library, f"gtrav_{name}")
            function.restype = result
            function.argtypes = parameters
    except (OSError, AttributeError) as problem:
        raise ImportError(
            f"gtrav cannot load {path}: {problem}; install the package by pip install ./python, or name "
            f"the library in GTRAV_LIBRARY"
        ) from problem
    return library


_loaded = _load()


@cache
def function(name: str):
    """Returns gtrav_<name>() of the library."""
    return getattr(_loaded, f"gtrav_{name}")


def call(name: str, *arguments) -> None:
    """Calls gtrav_<name>(*arguments, &error), and raises its error."""
    error = ErrorText()
    status = function(name)(*arguments, ctypes.byref(error))
    if status:
        raise error_of(status, error.text.decode(errors="replace") or f"gtrav_{name} failed with status {status}")


@cache
def _struct_of(kind):
    """Makes the struct of gtrav.h that has its own size and then the fields of a dataclass."""
    types = {"int": c_uint64, "bool": c_bool}
    own = [(field.name, types[field.type]) for field in fields(kind)]
    return type(kind.__name__, (ctypes.Structure,), {"_fields_": [("size", c_size_t), *own]})


def filled(kind: type[T], fill: Callable) -> T:
    """Calls fill() with a reference to a struct, and makes a dataclass of what it filled in."""
    struct = _struct_of(kind)()
    struct.size = ctypes.sizeof(struct)
    fill(ctypes.byref(struct))
    return kind(*(getattr(struct, name) for name, _ in struct._fields_[1:]))


def c_text(text: str | os.PathLike) -> bytes:
    """Encodes a text for a call. InputError if it has a NUL, at which C would cut it."""
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise InputError(f"{text!r} has a NUL character, which no name or option has")
    return encoded


def c_texts(texts: Sequence[str | os.PathLike]):
    """Makes an array of texts for a call, ended by NULL."""
    return (ctypes.c_char_p * (len(texts) + 1))(*map(c_text, texts), None)


def address(array):
    """Returns the address of an array's first entry, for a call; None for None."""
    return None if array is None else getattr(array, "address", None) or array.ctypes.data
