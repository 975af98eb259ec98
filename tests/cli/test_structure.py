"""The shape of the host code: no circle of includes."""

import re

import pytest

from helpers import ROOT

SOURCE = ROOT / "src"


def includes(path):
    """The files of the project that a file includes."""
    names = re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)
    return [(path.parent / name).resolve() for name in names]


def find_circle(edges):
    """The nodes of one circle in a graph (a dict of lists); empty if there is none."""
    finished = set()

    def follow(node, path):
        for target in edges.get(node, []):
            if target in path:
                return path[path.index(target) :]
            if target not in finished and (circle := follow(target, [*path, target])):
                return circle
        finished.add(node)
        return []

    for node in edges:
        if node not in finished and (circle := follow(node, [node])):
            return circle
    return []


def test_a_circle_is_found():
    assert find_circle({"a": ["b"], "b": ["c"], "c": ["b"]}) == ["b", "c"]
    assert find_circle({"a": ["b", "c"], "b": ["c"]}) == []


def test_no_header_includes_itself():
    headers = [path.resolve() for path in SOURCE.rglob("*.h")]
    assert find_circle({path: includes(path) for path in headers}) == []


HARNESS = ("run", "verify", "records", "processes")


@pytest.mark.parametrize("folder", [*HARNESS, "cli"])
def test_no_circle_of_modules(folder):
    """A header and its C file are one module here."""
    modules = {}
    for path in sorted((SOURCE / folder).resolve().glob("*.[ch]")):
        used = [target.with_suffix("") for target in includes(path)]
        modules.setdefault(path.with_suffix(""), []).extend(used)
    assert (
        find_circle({name: [used for used in all_used if used != name] for name, all_used in modules.items()})
        == []
    )


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
    assert not [
        path for path in SOURCE.rglob("*.[ch]") if any("kernels" in file.parts for file in includes(path))
    ]


def test_main_knows_tasks_by_name_alone():
    """main.c picks one; what a task does stands in its own file."""
    text = (SOURCE / "cli" / "main.c").read_text()
    headers = re.findall(r'^#include "(.+)"', text, re.MULTILINE)
    assert not {"../run/closeness.h", "../run/pairs.h", "../run/trials.h"} & set(headers)
    for task in ("trials", "pairs", "closeness"):
        assert (SOURCE / "cli" / f"task_{task}.c").is_file()
        assert len(re.findall(rf"\b{task}_task\b", text)) == 1


# What src/cli may include beside its own headers and those of its harness.
FOR_THE_PROGRAM = {
    "include/gtrav.h",
    "src/library/harness.h",  # the graph inside a handle
    "src/algorithm.h",  # the harness measures algorithms
    "src/device.h",  # on devices
    "src/graph/load_options.h",  # the library's options of loading, as rows of the table of options
    # what all parts of the program share
    "src/cores.h",
    "src/error.h",
    "src/new_file.h",
    "src/pipe_output.h",
    "src/progress.h",
    "src/suggest.h",
}

# The functions of src/graph that src/cli calls: for sources, for the ids of vertices in results, to share a
# graph among ranks, and to know the names of the files that are written.
OF_GRAPHS = {
    "graph_cache_name",
    "graph_has_ids",
    "graph_id",
    "graph_release",
    "load_options_hash",
    "parse_sources",
    "pick_sources",
    "read_sources",
}


def declared(header):
    """The functions that a header declares."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
    return set(re.findall(r"^(?:static inline )?\w[\w ]*[ *](\w+)\([^;{]*\)\s*[;{]", text, re.MULTILINE))


def test_the_program_includes_the_interface_and_its_harness():
    used = {path.relative_to(ROOT) for file in (SOURCE / "cli").glob("*.[ch]") for path in includes(file)}
    others = {str(path) for path in used if path.parent.name not in ("cli", *HARNESS)}
    assert others == FOR_THE_PROGRAM


def test_the_program_works_on_graphs_through_the_library():
    of_graphs = set().union(*(declared(header) for header in (SOURCE / "graph").glob("*.h")))
    assert {"graph_load", "graph_reorder", "graph_write", "graph_statistics", "graph_degree"} <= of_graphs
    text = "".join(file.read_text() for file in sorted((SOURCE / "cli").glob("*.c")))
    assert of_graphs & set(re.findall(r"\b(\w+)\(", text)) == OF_GRAPHS
