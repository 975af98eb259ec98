"""Calls of the library's functions: src/library/python/calls.c, and what _library.py says of gtrav.h."""

import ctypes
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
    """A status is an int of a function whose last parameter is a gtrav_error."""
    found = list(prototypes())
    assert len(found) > 40
    returned = {name: kind for kind, names in _library.RETURNS.items() for name in names.split()}
    for result, name, parameters in found:
        has_status = "gtrav_error *" in parameters[-1]
        assert has_status == (result == "int"), name
        if name in returned or has_status:
            assert returned.get(name, "s") == ("s" if has_status else KINDS.get(result, "K")), name
    assert returned.keys() <= {name for _, name, _ in found}


def test_arguments_are_words():
    """No function takes a struct or a floating-point number, and none more arguments than a call has."""
    for _, name, parameters in prototypes():
        assert len(parameters) <= 10, name
        for each in parameters:
            assert "*" in each or not re.match(r"(float|double|struct)\b", each), name


def test_wrong_arguments():
    name = _library.function("graph_num_vertices")
    for wrong in (1.5, "text", object()):
        with pytest.raises(TypeError):
            name(wrong)
    with pytest.raises(TypeError, match="10 arguments"):
        name(*range(10))
    with pytest.raises(ValueError, match="contiguous"):
        name(np.arange(9)[::2])


def test_numbers_of_numpy_are_numbers():
    """They have memory, too, as arrays have."""
    graph = gtrav.Graph.generate("path:9", device="cpu")
    assert _library.function("graph_num_vertices")(np.uint64(graph._handle)) == 9


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


def test_queries_go_back():
    """Also those of Runs that the garbage collector finds in cycles."""
    import gc

    from gtrav import _query

    graph = gtrav.Graph.generate("path:9", device="cpu")
    for _ in range(40):
        result = graph.bfs(0)
        result.itself = result
    del result
    gc.collect()
    idle = _query._idle[()]
    assert 0 < len(idle) == len(set(idle)) <= _query.KEPT
    assert graph.bfs(3).run.ran.endswith("on cpu")
