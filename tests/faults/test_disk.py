"""Disks that are full, standard streams that are closed, and folders that cannot be written to."""

import os
import re
import resource
import subprocess

import pytest

import faults

GRAPH = "urand:9"
RUN = ("--algo", "bfs", "--variant", "serial", "--source", "1,2,3", "--quiet", "--graph", GRAPH)
# name: what writes files, and the file that grows
WRITERS = {
    "mtx": ([*("--graph", GRAPH, "--write", "new.mtx", "--quiet")], "new.mtx"),
    "binary": ([*("--graph", GRAPH, "--write", "new.gtrav", "--quiet")], "new.gtrav"),
    "text output": ([*RUN, "--output", "level.txt"], "level.txt"),
    "npy output": ([*RUN, "--output", "level.npy"], "level.npy"),
    "closeness": (
        [*("--algo", "closeness", "--graph", GRAPH, "--quiet", "--output", "close.npy")],
        "close.npy",
    ),
    "lengths": (
        [*("--algo", "msbfs", "--graph", GRAPH, "--quiet", "--pairs", "pairs.csv", "--output", "p.csv")],
        "p.csv",
    ),
    "records": ([*RUN, "--csv", "results"], "results"),
    "cache": (["--graph", "a.el", "--cache", "--quiet", "--info"], "a.el"),
}
STEPS = max(12 // faults.EVERY, 3)  # sizes of disk between nothing and just too little
PAGE = 4096
RACES = max(20 // faults.EVERY, 3)  # tries at something that may come before or after something else


def write_inputs(folder):
    folder.mkdir()
    (folder / "pairs.csv").write_text("".join(f"{v},{v * 7 % 512}\n" for v in range(512)))
    (folder / "a.el").write_text("".join(f"{v} {v * 7 % 1000}\n" for v in range(1000)))


def expect(name, tmp_path):
    """The command, what is there before it, and its outcome on a disk with room."""
    command, grows = WRITERS[name]
    write_inputs(tmp_path / "before")
    before = faults.contents(tmp_path / "before")
    expected = faults.run(command, faults.fresh_copy(tmp_path / "before", tmp_path / "expected"))
    assert expected.status == 0, expected.err
    return command, grows, before, expected


def limits(folder, grows):
    """Sizes that are too small for some file there."""
    files = [path for path in folder.rglob("*") if path.is_file() and grows in str(path.relative_to(folder))]
    largest = max(path.stat().st_size for path in files)
    return sorted({largest - 1, 0, 1, *(largest * step // STEPS for step in range(1, STEPS))})


@pytest.fixture
def steady_clock(monkeypatch):
    """Makes every run measure the same times, so that its files have the same sizes."""
    monkeypatch.setenv("GTRAV_FAULT_CLOCK", "1")


def test_steady_clock_gives_the_same_records(steady_clock, tmp_path):
    command, _ = WRITERS["records"]
    date = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
    written = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        assert faults.run(command, folder).status == 0
        written.append([date.sub("DATE", file.read_text()) for file in sorted(folder.rglob("*.csv"))])
    assert written[0] == written[1] and len(written[0]) == 2


@pytest.mark.parametrize("name", WRITERS)
def test_files_that_may_not_grow(name, steady_clock, tmp_path):
    command, grows, before, expected = expect(name, tmp_path)
    for limit in limits(tmp_path / "expected", grows):
        folder = faults.fresh_copy(tmp_path / "before", tmp_path / "run")

        def small_disk(limit=limit):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        outcome = faults.run(command, folder, preexec_fn=small_disk, restore_signals=False)
        what = f"{name}, at most {limit} bytes"
        faults.check_files(outcome, before, expected, what)
        faults.check_message(outcome, what)
        assert grows in outcome.err, what
        assert faults.run(command, folder).files == expected.files, f"{what}: not resumed"


@pytest.fixture
def small_tmpfs(tmp_path):
    """Mounts a file system of so many pages; only root can."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = []

    def mount(pages):
        options = f"size={pages * PAGE},nr_inodes=64" + (",remount" if mounted else "")
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder]
        if subprocess.run(command, capture_output=True).returncode != 0:
            pytest.skip("no file system can be mounted here")
        mounted.append(folder)
        return folder

    yield mount
    if mounted:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("name", WRITERS)
def test_full_disk(name, small_tmpfs, tmp_path):
    command, grows, before, expected = expect(name, tmp_path)
    used = sum(-(-len(text) // PAGE) for text in before.values())
    disk = small_tmpfs(1000)
    needed = 0
    for pages in range(used, 1000):
        small_tmpfs(1000)
        folder = faults.fresh_copy(tmp_path / "before", disk / "run")
        small_tmpfs(pages)
        outcome = faults.run(command, folder, log=tmp_path / "log")
        what = f"{name}, a disk of {pages} pages"
        faults.check_files(outcome, before, expected, what)
        if outcome.status == 0:
            needed = pages
            break
        faults.check_message(outcome, what)
        assert "No space left" in outcome.err, what
        small_tmpfs(1000)
        assert faults.run(command, folder, log=tmp_path / "log").files == expected.files, (
            f"{what}: not resumed"
        )
    assert needed > used, "the disk was never full"


# ---- standard streams ----

PRINTERS = {
    "list": ["--list"],
    "list json": ["--list", "--json"],
    "help": ["--help"],
    "version": ["--version"],
    "info": ["--info", "--graph", "path:9", "--quiet"],
    "table": [*RUN],
    "json": [*RUN, "--json"],
}


@pytest.mark.parametrize("name", PRINTERS)
@pytest.mark.parametrize("stream", [">&-", ">/dev/full", "| true"])
def test_no_standard_output(name, stream, tmp_path):
    # "| true": the reader is gone, and the signal that would end the program quietly is ignored
    script = f'trap "" PIPE; "$0" "$@" {stream}; exit ${{PIPESTATUS[0]}}'
    for _ in range(RACES if "|" in stream else 1):  # true may end before or after the output
        done = subprocess.run(
            ["bash", "-c", script, faults.PROGRAM, *PRINTERS[name]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        outcome = faults.Outcome(done.returncode, done.stdout, done.stderr, "", {})
        if "|" in stream and outcome.status == 0:
            assert outcome.err == ""
        else:
            faults.check_message(outcome, f"{name} {stream}")
            assert outcome.err.startswith(faults.NO_OUTPUT)


def test_no_standard_streams_at_all(tmp_path):
    """Files that are opened then must not become the standard streams."""
    script = '"$0" "$@" <&- >&- 2>&-'
    command = [faults.PROGRAM, *RUN, "--csv", "results", "--output", "level.txt"]
    done = subprocess.run(["bash", "-c", script, *command], cwd=tmp_path)
    assert done.returncode == faults.STATUS_INPUT
    assert (tmp_path / "level.txt").read_text().startswith("# level")
    assert all(path.read_text().startswith("graph,") for path in tmp_path.rglob("*.csv"))


def test_errors_without_standard_error(tmp_path):
    done = subprocess.run(
        ["bash", "-c", '"$0" --info --graph none.mtx 2>&-', faults.PROGRAM], cwd=tmp_path, capture_output=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (faults.STATUS_INPUT, b"", b"")


# ---- folders for records that are none ----

OBSTACLES = {
    "a file for the folder": lambda results: results.write_text("mine\n"),
    "a link to nowhere": lambda results: results.symlink_to("/nonexistent/folder"),
    "a link to itself": lambda results: results.symlink_to(results),
}


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_results_folder_is_none(obstacle, tmp_path):
    OBSTACLES[obstacle](tmp_path / "results")
    outcome = faults.run([*RUN, "--csv", "results"], tmp_path, log=tmp_path / "log")
    faults.check_message(outcome, obstacle)
    assert "results" in outcome.err
    assert os.path.lexists(tmp_path / "results") and not (tmp_path / "results").is_dir()


def test_summary_and_trials_are_folders(tmp_path):
    assert faults.run([*RUN, "--csv", "results"], tmp_path).status == 0
    for path in list(tmp_path.rglob("*.csv")):
        kept = path.read_bytes()
        path.unlink()
        path.mkdir()
        outcome = faults.run([*RUN, "--csv", "results"], tmp_path, log=tmp_path / "log")
        faults.check_message(outcome, path.name)
        assert path.name in outcome.err
        path.rmdir()
        path.write_bytes(kept)
