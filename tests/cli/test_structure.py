"""The shape of the host code: no circle of includes, and which folder may include which."""

import re
from graphlib import TopologicalSorter

import pytest

from helpers import ROOT

SOURCE = ROOT / "src"
HARNESS = ("run", "verify", "records", "processes")


def includes(path):
    """The files of the project that a file includes."""
    names = re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)
    return [(path.parent / name).resolve() for name in names]


@pytest.mark.parametrize("folder", ["", *HARNESS, "cli"])
def test_no_circle_of_includes(folder):
    """Of headers in all of src. In these folders a header and its C file are one module."""
    modules = {}
    for path in (SOURCE / folder).glob("*.[ch]") if folder else SOURCE.rglob("*.h"):
        module = path.resolve().with_suffix("")
        used = {target.with_suffix("") for target in includes(path)} - {module}
        modules.setdefault(module, set()).update(used)
    TopologicalSorter(modules).prepare()  # raises CycleError


def test_the_harness_includes_one_way():
    """run uses the other three folders, and records the families and the quality of trees in verify."""
    allowed = {("run", "verify"), ("run", "records"), ("run", "processes"), ("records", "verify")}
    used = {
        (folder, target.parent.name)
        for folder in HARNESS
        for path in (SOURCE / folder).glob("*.[ch]")
        for target in includes(path)
        if target.parent.name in HARNESS and target.parent.name != folder
    }
    assert used == allowed


def test_the_host_code_includes_nothing_of_kernels():
    used = [file for path in SOURCE.rglob("*.[ch]") for file in includes(path)]
    assert used and not [file for file in used if "kernels" in file.parts]


# What src/cli may include beside its own headers and those of its harness: it loads, examines and writes
# graphs through the library.
FOR_THE_PROGRAM = {
    "include/gtrav.h",
    "src/library/harness.h",  # the graph inside a handle
    "src/algorithm.h",  # the harness measures algorithms
    "src/algorithm_options.h",  # with the options that --set names
    "src/device.h",  # on devices
    "src/graph/hash.h",  # the hash of the graph in the key of records
    "src/graph/load_options.h",  # the library's options of loading, as rows of the table of options
    # what all parts of the program share
    "src/cores.h",
    "src/error.h",
    "src/new_file.h",
    "src/pipe_output.h",
    "src/progress.h",
    "src/suggest.h",
}


def test_the_program_includes_the_interface_and_its_harness():
    used = {path.relative_to(ROOT) for file in (SOURCE / "cli").glob("*.[ch]") for path in includes(file)}
    others = {str(path) for path in used if path.parent.name not in ("cli", *HARNESS)}
    assert others == FOR_THE_PROGRAM
