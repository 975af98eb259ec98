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


# The folders from the bottom up: each includes only those before it, and those in a row nothing of each other.
LAYERS = [
    {"graph"},
    {""},  # src itself: the algorithms' interface, their registry and families, and what all parts share
    {"verify", "processes"},
    {"records"},
    {"run", "compare"},
    {"session"},
    {"library", "cli"},
]


def test_nothing_points_up():
    height = {folder: layer for layer, folders in enumerate(LAYERS) for folder in folders}
    assert set(height) == {""} | {path.name for path in SOURCE.iterdir() if path.is_dir()}

    def folder_of(path):
        return path.parent.relative_to(SOURCE).as_posix().strip(".")

    files = [(path, target) for path in SOURCE.rglob("*.[ch]") for target in includes(path)]
    used = {(folder_of(path), folder_of(target)) for path, target in files if target.is_relative_to(SOURCE)}
    up = {(user, target) for user, target in used if user != target and height[target] >= height[user]}
    # graph/ uses what all parts share, and families.c the checks of each family.
    assert up == {("graph", ""), ("", "verify")}


def test_the_host_code_includes_nothing_of_kernels():
    used = [file for path in SOURCE.rglob("*.[ch]") for file in includes(path)]
    assert used and not [file for file in used if "kernels" in file.parts]
