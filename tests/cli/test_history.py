"""scripts/history_graph.py: the graph of a Git repository's objects."""

import shutil
import subprocess

import pytest

from helpers import ROOT, execute, gtrav, read_json

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="no git")
IDENTITY = ("-c", "user.name=A", "-c", "user.email=a@b", "-c", "tag.gpgSign=false", "-c", "commit.gpgSign=false")


def git(folder, *words):
    command = ["git", "-C", folder, *IDENTITY, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def make(repository, graph):
    return execute([ROOT / "scripts" / "history_graph.py", repository, graph])


@pytest.fixture
def repository(tmp_path):
    """Two commits of two folders with the same file, a merge of both, and a tag of its own."""
    folder = tmp_path / "repository"
    git(tmp_path, "init", "-q", "-b", "main", folder)
    for name in ("a", "b\n100644 c"):
        (folder / name).mkdir()
        (folder / name / "file").write_text("parent 0123456789012345678901234567890123456789\n\ntree\n")
        git(folder, "add", ".")
        git(folder, "commit", "-qm", f"adds {name}\n\nparent {'0' * 40}")
    git(folder, "checkout", "-qb", "other", "HEAD~1")
    git(folder, "commit", "-q", "--allow-empty", "-m", "other")
    git(folder, "merge", "-q", "main", "-m", "merge")
    git(folder, "tag", "-a", "v1", "-m", "first")
    return folder


def test_every_reference_is_an_edge(repository, tmp_path):
    """A file of the same contents is one vertex; what a message says is no reference."""
    graph = tmp_path / "history.txt"
    result = make(repository, graph)
    assert result.status == 0, result.err
    edges = [tuple(map(int, line.split())) for line in graph.read_text().splitlines()]
    # 4 commits with 4 parents and a tree each, two root trees with 3 entries, one folder with a file, the tag
    assert len(edges) == 4 + 4 + 3 + 1 + 1
    objects = git(repository, "rev-list", "--all", "--objects", "--no-object-names")
    assert f"{len(objects)} objects, {len(edges)} references" in result.err
    assert {vertex for edge in edges for vertex in edge} == set(range(len(objects)))
    told = read_json(gtrav("", "--graph", graph, "--info", "--json").out)
    assert "acyclic" in str(told)


def test_what_is_no_history(tmp_path):
    git(tmp_path, "init", "-q", ".")
    empty, absent = make(tmp_path, tmp_path / "g.txt"), make(tmp_path / "absent", tmp_path / "g.txt")
    assert (empty.status, absent.status) == (2, 2)
    assert empty.err == f"history_graph: {tmp_path}: no commits\n"
    assert "absent" in absent.err and "Traceback" not in absent.err
    assert not (tmp_path / "g.txt").exists()
