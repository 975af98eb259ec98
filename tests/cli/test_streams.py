"""Results through links, into devices and pipes, to standard output; what is read from standard input."""

import json
import os
import stat
import subprocess
import threading

import pytest

from helpers import BANNER, GTRAV, complains, gtrav, gtrav_ok, read_mtx, refused

BFS = "bfs path:4 --variant serial --source 0"
CLOSENESS = "closeness cycle:4 --variant serial"
LEVELS = [0, 1, 2, 3]


def levels_in(text):
    assert text.startswith("# level of each vertex")
    return [int(line) for line in text.splitlines()[1:]]


@pytest.mark.parametrize("target", ["there", "absent", "in another folder"])
def test_a_link_is_followed(target, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    real = folder / "real.txt" if target == "in another folder" else tmp_path / "real.txt"
    if target != "absent":
        real.write_text("old")
    (tmp_path / "second.txt").symlink_to(real)
    link = tmp_path / "link.txt"
    link.symlink_to("second.txt")  # relative, and through another link
    before = set(tmp_path.iterdir()) | {real}
    gtrav_ok(f"{BFS} --output", link)
    assert link.is_symlink() and (tmp_path / "second.txt").is_symlink()
    assert levels_in(real.read_text()) == LEVELS
    assert set(tmp_path.iterdir()) | {real} == before
    assert not list(folder.glob("*.txt.*"))


def test_graphs_and_records_follow_links_too(tmp_path):
    (tmp_path / "link.mtx").symlink_to("real.mtx")
    gtrav_ok("path:4 --write", tmp_path / "link.mtx")
    assert (tmp_path / "link.mtx").is_symlink()
    assert read_mtx(tmp_path / "real.mtx")[0] == 4
    gtrav_ok(f"{BFS} --csv", tmp_path / "records")
    records = next((tmp_path / "records").glob("*/*_perf.csv"))
    records.rename(tmp_path / "kept.csv")
    records.symlink_to(tmp_path / "kept.csv")
    gtrav_ok(f"{BFS} --csv".replace("path:4", "path:5"), tmp_path / "records")
    assert records.is_symlink()
    lines = (tmp_path / "kept.csv").read_text().splitlines()[1:]
    assert [line.split(",")[0] for line in lines] == ["path:4", "path:5"]


def test_a_circle_of_links(tmp_path):
    (tmp_path / "a.txt").symlink_to("b.txt")
    (tmp_path / "b.txt").symlink_to("a.txt")
    complains(gtrav(f"{BFS} --quiet --output", tmp_path / "a.txt"), "a.txt", "symbolic links")


def test_a_directory_is_refused(tmp_path):
    for option in ("--output", "--write"):
        (tmp_path / "d.mtx").mkdir(exist_ok=True)
        complains(gtrav(f"{BFS} --quiet", option, tmp_path / "d.mtx"), "d.mtx")
    (tmp_path / "d.txt").mkdir()
    (tmp_path / "link.txt").symlink_to("d.txt")
    complains(gtrav(f"{BFS} --quiet --output", tmp_path / "link.txt"), "link.txt", "directory")
    assert (tmp_path / "d.txt").is_dir()


def test_a_device_stays_one(tmp_path):
    for name in ("/dev/null", "/dev/zero"):
        before = os.stat(name)
        gtrav_ok(f"{BFS} --output", name)
        gtrav_ok("path:4 --write", name)
        after = os.stat(name)
        assert stat.S_ISCHR(after.st_mode)
        assert (after.st_dev, after.st_ino, after.st_rdev) == (before.st_dev, before.st_ino, before.st_rdev)
    refused(gtrav(f"{BFS} --quiet --output /dev/full"), "/dev/full: cannot write: No space left")


@pytest.mark.parametrize("name", ["pipe", "pipe.csv"])
def test_a_pipe_is_written_to(name, tmp_path):
    pipe = tmp_path / name
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    gtrav_ok(f"{BFS} --output", pipe)
    reader.join(timeout=600)
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)
    assert list(tmp_path.iterdir()) == [pipe]
    if name == "pipe":
        assert levels_in(got[0]) == LEVELS
    else:
        assert got[0] == "vertex,level\n0,0\n1,1\n2,2\n3,3\n"


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output(name, tmp_path):
    result = gtrav_ok(f"{BFS} --output", name)
    assert levels_in(result.out) == LEVELS
    assert "MTEPS" in result.err  # the table
    with open(tmp_path / "out.txt", "w") as out:
        subprocess.run([GTRAV, *BFS.split(), "--output", name], stdout=out, stderr=subprocess.DEVNULL, check=True)
    assert levels_in((tmp_path / "out.txt").read_text()) == LEVELS
    assert list(tmp_path.iterdir()) == [tmp_path / "out.txt"]
    written = gtrav_ok("path:4 --quiet --write", name).out
    (tmp_path / "path.mtx").write_text(written)
    assert read_mtx(tmp_path / "path.mtx") == (4, {(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)})


def test_what_is_left_on_standard_error_is_not_a_result(tmp_path):
    """Two streams that go to one file: what was said is not lost."""
    log = tmp_path / "log.txt"
    with open(log, "w") as file:
        subprocess.run([GTRAV, *BFS.split(), "--output", log], stdout=file, stderr=file, check=True)
    assert "path:4: 4 vertices" in log.read_text()
    assert "# level of each vertex" in log.read_text()


def test_closeness_to_standard_output(tmp_path):
    result = gtrav_ok(f"{CLOSENESS} --output -", cwd=tmp_path)
    assert [float(line) for line in result.out.splitlines()[1:]] == [0.75] * 4
    assert list(tmp_path.iterdir()) == []  # no checkpoint beside a stream
    complains(gtrav(f"{CLOSENESS} --checkpoint /dev/null"), "--checkpoint /dev/null")


LEVELS_AS_TEXT = "# level of each vertex, -1 where not reached: bfs serial on path:4 from source 0\n0\n1\n2\n3\n"
FORMS = {  # the command, the file that it writes, and what is in it then
    "levels": (BFS, "x.txt", LEVELS_AS_TEXT),
    "levels as CSV": (BFS, "x.csv", "vertex,level\n0,0\n1,1\n2,2\n3,3\n"),
    "parents": (
        "dfs star:3 --variant serial --source 1 --output-parents",
        *("x.csv", "vertex,parent\n0,1\n1,1\n2,0\n"),
    ),
    "order": ("topo dag:3:1 --variant serial", "x.csv", "position,vertex\n0,0\n1,1\n2,2\n"),
    "betweenness": ("betweenness star:3 --csv r", "x.csv", "vertex,betweenness\n0,1\n1,0\n2,0\n"),
    "components": ("wcc path:3 --variant serial", "x.csv", "vertex,component\n0,0\n1,0\n2,0\n"),
    "closeness": ("closeness cycle:3 --variant serial", "x.csv", "vertex,closeness\n0,1\n1,1\n2,1\n"),
}


@pytest.mark.parametrize("what", FORMS)
def test_the_ending_picks_the_form(what, tmp_path):
    command, name, text = FORMS[what]
    for _ in range(2):  # the second time, it may be in records
        gtrav_ok(f"{command} --output", tmp_path / name, cwd=tmp_path)
        assert (tmp_path / name).read_text() == text


@pytest.mark.parametrize("name", ["levels", "levels.md", "levels.npz", ".txt"])
def test_unknown_endings_are_refused(name, tmp_path):
    complains(gtrav(f"{BFS} --quiet --output", name, cwd=tmp_path), name, ".npy, .txt, .csv or .graphalytics")
    (tmp_path / "pairs.csv").write_text("0,1\n")
    pairs = "msbfs path:4 --variant serial --pairs pairs.csv --quiet"
    complains(gtrav(f"{pairs} --output x.npy", cwd=tmp_path), "x.npy", ".csv")
    # The graph, too large for any machine, is not made first.
    complains(gtrav("complete:4000000000 --write", name, cwd=tmp_path), name, ".mtx or .gtrav")
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.csv"]


# ---- standard input ----


def test_graph_from_standard_input():
    [facts] = json.loads(gtrav_ok("- --info --json", input=BANNER.encode()).out)
    assert (facts["name"], facts["vertices"], facts["edges"]) == ("stdin", 3, 4)
    complains(gtrav("- --info", input=b"no graph"), "standard input:1:1", "not a graph")
    complains(gtrav("- --info --cache", input=BANNER.encode()), "--cache")


def test_sources_and_pairs_from_standard_input():
    run = "bfs path:4 --variant serial --sources-file -"
    [found] = json.loads(gtrav_ok(f"{run} --json", input=b"2\n1\n").out)
    assert found["sources"] == [2, 1]
    complains(gtrav(f"{run} --quiet", input=b"x\n"), "standard input:1")
    complains(gtrav("bfs - --sources-file -", input=b""), "standard input")
    pairs = gtrav_ok("msbfs path:4 --variant serial --pairs -", input=b"0,3\n2,1\n").out
    assert pairs == "src,dst,length\n0,3,3\n2,1,1\n"


# ---- one file for two options ----

ONE_FILE = {  # the command, and the file that two options name
    "checkpoint and output": (f"{CLOSENESS} --checkpoint x.csv --output x.csv", "x.csv"),
    "other ways to it": (f"{CLOSENESS} --checkpoint x.csv --output folder/../x.csv", "x.csv"),
    "a link to a file that is not there": (f"{CLOSENESS} --checkpoint new --output to-new.csv", "new"),
    "a hard link": ("bfs twin.el --output g.csv", "twin.el"),
    "the graph": ("g.csv --write to-g.mtx", "g.csv"),
    "two results": ("bfs g.csv --output x.txt --write to-x.mtx", "x.txt"),
    "the cache": ("g.csv --cache --write g.csv.gtrav", "g.csv.gtrav"),
    "the cache of another": ("g.csv --graph g.csv.gtrav --cache --info", "g.csv.gtrav"),
    "sources": ("bfs g.csv --sources-file s.txt --output s.txt", "s.txt"),
    "pairs": ("msbfs g.csv --pairs s.csv --output s.csv", "s.csv"),
    "vertices": ("bfs g.csv --vertices s.txt --output s.txt", "s.txt"),
    "records": ("bfs g.csv --csv . --output folder/bfs_gap_perf.csv", "_perf.csv"),
    "trials": ("bfs g.csv --csv . --output folder/trials/x.csv", "x.csv"),
}


@pytest.fixture
def files(tmp_path):
    """A folder of small files and links, and what they contain."""
    (tmp_path / "folder" / "trials").mkdir(parents=True)
    for name, text in (("g.csv", "0,1\n"), ("s.txt", "0\n"), ("s.csv", "0,1\n")):
        (tmp_path / name).write_text(text)
    for name, target in (("to-new.csv", "new"), ("to-g.mtx", "g.csv"), ("to-x.mtx", "x.txt")):
        (tmp_path / name).symlink_to(target)
    (tmp_path / "twin.el").hardlink_to(tmp_path / "g.csv")

    def contents():
        return {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    return tmp_path, contents


@pytest.mark.parametrize("what", ONE_FILE)
def test_no_file_is_that_of_two_options(what, files):
    folder, contents = files
    command, name = ONE_FILE[what]
    before = contents()
    complains(gtrav(f"{command} --quiet", cwd=folder), name, "another")
    assert contents() == before


def test_files_that_may_be_shared(files):
    folder, _ = files
    for line in (
        "g.csv g.csv --cache --info",
        "g.csv --cache --info",
        "bfs g.csv --source 0 --write /dev/null --output /dev/null",
        "bfs g.csv --source 0 --csv . --output folder/levels.csv",
        "bfs g.csv --sources-file s.txt --vertices s.txt",
    ):
        gtrav_ok(line, cwd=folder)


def test_standard_input_may_not_be_written(files):
    folder, contents = files
    before = contents()
    with open(folder / "g.csv") as graph:
        command = [GTRAV, "-", "--write", "to-g.mtx", "--quiet"]
        run = subprocess.run(command, cwd=folder, stdin=graph, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2 and "--graph -" in run.stderr
    assert contents() == before


@pytest.mark.parametrize("link", [False, True], ids=["beside", "behind a link"])
def test_a_cache_replaces_no_other_graph(link, files):
    folder, contents = files
    own = folder / ("own.gtrav" if link else "g.csv.gtrav")
    gtrav_ok("path:5 --write", own)
    if link:
        (folder / "g.csv.gtrav").symlink_to(own)
    before = contents()
    complains(gtrav("g.csv --cache --info --quiet", cwd=folder), "g.csv.gtrav", "rename")
    own.write_text("0 1\n")
    complains(gtrav("g.csv --cache --info --quiet", cwd=folder), "g.csv.gtrav", "rename")
    assert {**before, own: b"0 1\n"} | ({folder / "g.csv.gtrav": b"0 1\n"} if link else {}) == contents()
