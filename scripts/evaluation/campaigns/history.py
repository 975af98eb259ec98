"""Makes a graph of the history of a Git repository: a vertex for each object, an edge for each reference.

A commit refers to its parents and its tree, a tree to its entries, a tag to what it marks. So the graph is
directed and acyclic; with --undirected gtrav searches it both ways. Vertices are numbered from 0: commits, tags and
trees in the order of `git rev-list --all --objects --in-commit-order`, the newest commit first, then the contents of
files, which may be absent (git clone --bare --filter=blob:none). Submodules are left out. The file is an edge list
with `FROM TO` on each line.
"""

import re
import subprocess
from pathlib import Path

from evaluation.command import EvaluationError, new_parser, say
from evaluation.files import write_atomically

import numpy as np
import pandas as pd

ENTRY = re.compile(rb"[0-7]+ [^\0]+\0(.{20})", re.DOTALL)  # of a tree: mode, name, id
HEADER = re.compile(rb"^(?:parent|tree|object) ([0-9a-f]{40})$", re.MULTILINE)  # of a commit or a tag
OBJECTS = ("rev-list", "--all", "--objects", "--in-commit-order", "--no-object-names")
FILES_LAST = ("--filter=blob:none", "--filter-print-omitted")  # each with a ~ before its id


def git(repository, *words, **how):
    return subprocess.run(["git", "-C", repository, *words], stdout=subprocess.PIPE, check=True, **how).stdout


def references(kind, body):
    """Returns the ids, of 20 bytes each, to which an object refers."""
    if kind == b"tree":
        return ENTRY.findall(body)
    header = body.split(b"\n\n")[0]
    return [bytes.fromhex(name.decode()) for name in HEADER.findall(header)]


def graph_of(repository):
    """Returns (number of objects, sources of the edges, targets)."""
    names = git(repository, *OBJECTS, *FILES_LAST).split()
    if not names:
        raise EvaluationError(f"{repository}: no commits")
    number = {bytes.fromhex(name.lstrip(b"~").decode()): i for i, name in enumerate(names)}
    asked = b"\n".join(name for name in names if not name.startswith(b"~")) + b"\n"
    found, at, targets = git(repository, "cat-file", "--batch", "--buffer", input=asked), 0, []
    while at < len(found):  # a line `ID TYPE SIZE`, the object, and an end of line
        start = found.index(b"\n", at) + 1
        _, kind, size = found[at:start].split()
        at = start + int(size) + 1
        known = (number.get(name) for name in references(kind, found[start : at - 1]))
        targets.append(np.array([one for one in known if one is not None], np.int64))
    return len(number), np.repeat(np.arange(len(targets)), [*map(len, targets)]), np.concatenate(targets)


def main():
    parser = new_parser(__doc__)
    parser.add_argument("repository", help="folder of a repository, bare or not")
    parser.add_argument("file", type=Path, help="to write, such as git.txt")
    arguments = parser.parse_args()
    vertices, sources, targets = graph_of(arguments.repository)
    edges = pd.DataFrame({"source": sources, "target": targets})
    write_atomically(arguments.file, edges.to_csv(sep=" ", header=False, index=False))
    say(f"{arguments.file}: {vertices} objects, {len(edges)} references")
