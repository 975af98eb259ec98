"""Calls of the library's functions: src/library/python/calls.c, and what _library.py says of gtrav.h."""

import ctypes
import datetime
import gc
import re
import sys

import numpy as np
import pytest

import gtrav
from gtrav import _library
from package import ROOT

PROTOTYPE = re.compile(r"GTRAV_API ([^;]*?\b|[^;]*?\*)gtrav_(\w+)\(([^;]*)\);", re.DOTALL)
KINDS = {"const char *": "y", "bool": "b", "uint32_t": "I", "void": "\0"}


def prototypes():
    for result, name, parameters in PROTOTYPE.findall((ROOT / "include" / "gtrav.h").read_text()):
        yield result.strip(), name, [each.strip() for each in parameters.split(",")]


def test_what_functions_return():
    """A status is an int of a function whose last parameter is a gtrav_error; a handle or number stands before it."""
    found = list(prototypes())
    assert len(found) > 40
    returned = {name: kind for kind, names in _library.RETURNS.items() for name in names.split()}
    for result, name, parameters in found:
        has_status = "gtrav_error *" in parameters[-1]
        assert has_status == (result == "int"), name
        if name in returned or has_status:
            makes = has_status and re.match(r"gtrav_\w+ \*\*", parameters[-2])
            counts = has_status and parameters[-2].startswith("uint64_t *")
            kinds = "h" if makes else "sn" if counts else "s" if has_status else KINDS.get(result, "K")
            assert returned.get(name, "s") in kinds, name
    assert returned.keys() <= {name for _, name, _ in found}


def test_arguments_are_words():
    """No function takes a struct or a floating-point number, and none more arguments than a call has."""
    for _, name, parameters in prototypes():
        assert len(parameters) <= 11, name
        for each in parameters:
            assert "*" in each or not re.match(r"(float|double|struct)\b", each), name


def test_wrong_arguments():
    name = _library.function("graph_num_vertices")
    for wrong in (1.5, "text", object()):
        with pytest.raises(TypeError):
            name(wrong)
    with pytest.raises(TypeError, match="at most 9 arguments"):
        name(*range(10))
    with pytest.raises(ValueError, match="contiguous"):
        name(np.arange(9)[::2])


def test_numbers_of_numpy_are_numbers():
    """They have memory, too, as arrays have."""
    variant = _library.VariantFields()
    assert _library.function("variant_at")(np.uint64(0), variant) and variant.family == b"bfs"


def test_buffers_and_errors_leak_nothing():
    levels = np.empty(9, dtype=np.int32)
    graph, bfs = gtrav.Graph.generate("path:9", device="cpu"), _library.function("bfs")
    before, changes = sys.getrefcount(levels), []
    for _ in range(3):  # a collection of garbage, or another thread, changes None's count in one round, a leak in all
        of_none = sys.getrefcount(None)
        for _ in range(100):
            bfs(graph._handle, None, 0, levels, None)
            with pytest.raises(gtrav.InputError, match="source 9"):
                bfs(graph._handle, None, 9, levels, None)
        changes.append(abs(sys.getrefcount(None) - of_none))
    levels.resize(20, refcheck=False)  # no buffer is held
    assert sys.getrefcount(levels) == before and min(changes) < 50
    ctypes.memset(levels.ctypes.data, 0, levels.nbytes)


def test_handles_are_freed():
    """Also those of Runs that the garbage collector finds in cycles. A query has 800 bytes, a graph more."""

    def allocated():
        gc.collect()
        return malloc_state().of_blocks

    class State(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "free", "small", "maps", "mapped", "top", "fast")]
        _fields_ += [("of_blocks", ctypes.c_size_t), ("of_free", ctypes.c_size_t), ("kept", ctypes.c_size_t)]

    malloc_state = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if malloc_state is None:
        pytest.skip("the C library does not tell how much is allocated")
    malloc_state.restype = State
    graph = gtrav.Graph.generate("path:9", device="cpu")

    def search():
        for _ in range(2000):
            result = graph.bfs(0)
            result.itself = result
            gtrav.Graph.from_edges([0], [1], device="cpu")

    search()
    before = allocated()
    search()
    assert allocated() - before < 400_000
    assert graph.bfs(3).run.ran.endswith("on cpu")


def test_a_handle_of_another_kind():
    """A call takes no capsule but one that it has made."""
    with pytest.raises(TypeError):
        _library.function("graph_num_vertices")(datetime.datetime_CAPI)
