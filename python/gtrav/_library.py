"""_library.py: finds libgtrav and calls the functions of include/gtrav.h."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint32, c_uint64
from ctypes import c_void_p as handle
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ._errors import InputError, error_of

T = TypeVar("T")
LIBRARY, CALLS = "libgtrav.so.1", "libgtrav_python.so"
SPIN_COUNT = "30000"
UNDIRECTED, BORROW = 1, 2  # enum gtrav_graph_flags


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

# What the functions of gtrav.h return, if not only a status, by letters of src/library/python/calls.c.
RETURNS = {
    "y": "version context_device graph_name graph_read_as query_ran query_note",
    "b": "variant_at edge_columns graph_is_symmetric graph_weights_ignored",
    "I": "graph_num_vertices graph_weight_type",
    "K": "graph_num_edges graph_offsets graph_targets graph_permutation graph_id graph_ids graph_weights",
    "h": "graph_from_csr graph_from_edges graph_from_weighted_edges graph_load graph_reorder graph_reverse query_new",
    "n": "components dfs",
    "\0": "context_free context_cancel graph_forget memory_free path_list_free query_cancel query_on_progress "
    "query_times",
}


def _path(file, *folders):
    """Finds a file: in these folders, in the wheel, in the checkout, or in the system."""
    package = Path(__file__).resolve().parent
    near = (Path(folder, file) for folder in (*folders, package, package.parent.parent / "build"))
    return next((str(path) for path in near if path.exists()), file)


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
    """Loads the library and the file that calls its functions. The environment may name the library."""
    path = os.environ.get("GTRAV_LIBRARY") or _path(LIBRARY)
    try:
        library, calls = _with_short_waits(path), ctypes.PyDLL(_path(CALLS, os.path.dirname(path)))
    except OSError as problem:
        raise ImportError(
            f"gtrav cannot load {path}: {problem}; install the package by pip install ./python, or name "
            f"the library in GTRAV_LIBRARY"
        ) from problem
    calls.gtrav_callable.argtypes = (handle, c_int, ctypes.py_object, handle)
    calls.gtrav_callable.restype = ctypes.py_object
    return library, calls.gtrav_callable


def _fail(status, text):
    raise error_of(status, text.decode(errors="replace"))


_loaded, _callable = _load()


@cache
def function(name: str) -> Callable[..., Any]:
    """Returns gtrav_<name>() of the library. It takes addresses as numbers, or the objects that are there: arrays of
    NumPy, ctypes' structs, bytes. If it has a status, it takes no gtrav_error, but raises an exception. If it makes a
    handle, or counts, it returns that, and takes no place for it; Python frees the handle."""
    result = next((letter for letter, names in RETURNS.items() if name in names.split()), "s")
    free = f"{name.partition('_')[0]}_free" if result == "h" else name
    call, free = (ctypes.cast(getattr(_loaded, f"gtrav_{each}"), handle) for each in (name, free))
    return _callable(call, ord(result), _fail, free)


@cache
def _struct_of(kind):
    types = {"int": c_uint64, "bool": c_bool}
    own = [(field.name, types[field.type]) for field in fields(kind)]
    return type(kind.__name__, (ctypes.Structure,), {"_fields_": [("size", c_size_t), *own]})


def filled(kind: type[T], fill: Callable) -> T:
    """Makes a dataclass of a struct of gtrav.h that fill() fills. The struct has its size, then the same fields."""
    struct = _struct_of(kind)()
    struct.size = ctypes.sizeof(struct)
    fill(struct)
    return kind(*(getattr(struct, field.name) for field in fields(kind)))


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
