"""Disks that are full, standard streams that are closed, and folders that cannot be written to."""

import os
import resource
import subprocess

import pytest

import faults

RUN = "bfs urand:9 --variant serial --source 1,2,3 --quiet"
# name: what writes files, and the file that grows
WRITERS = {
    "mtx": ("urand:9 --write new.mtx --quiet", "new.mtx"),
    "binary": ("urand:9 --write new.gtrav --quiet", "new.gtrav"),
    "text output": (f"{RUN} --output level.txt", "level.txt"),
    "npy output": (f"{RUN} --output level.npy", "level.npy"),
    "closeness": ("closeness urand:9 --quiet --output close.npy", "close.npy"),
    "lengths": ("msbfs urand:9 --quiet --pairs pairs.csv --output p.csv", "p.csv"),
    "records": (f"{RUN} --csv results", "results"),
    "cache": ("a.el --cache --quiet --info", "a.el"),
}
STEPS = max(12 // faults.EVERY, 3)  # sizes of disk between nothing and just too little
RECORDS = WRITERS["records"][0].split()
RACES = max(20 // faults.EVERY, 3)  # tries at something that may come before or after something else


def write_inputs(folder):
    folder.mkdir()
    (folder / "pairs.csv").write_text("".join(f"{v},{v * 7 % 512}\n" for v in range(512)))
    (folder / "a.el").write_text("".join(f"{v} {v * 7 % 1000}\n" for v in range(1000)))


def expect(name, tmp_path):
    """The command, what is there before it, and its outcome on a disk with room."""
    command, grows = WRITERS[name][0].split(), WRITERS[name][1]
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


# ---- standard streams ----

PRINTERS = ("--list", "--list --json", "--help", "--version", "path:9 --info --quiet", RUN, f"{RUN} --json")


@pytest.mark.parametrize("printer", PRINTERS)
@pytest.mark.parametrize("stream", [">&-", ">/dev/full", "| true"])
def test_no_standard_output(printer, stream, tmp_path):
    # "| true": the reader is gone, and the signal that would end the program quietly is ignored
    script = f'trap "" PIPE; "$0" "$@" {stream}; exit ${{PIPESTATUS[0]}}'
    for _ in range(RACES if "|" in stream else 1):  # true may end before or after the output
        words = ["bash", "-c", script, faults.PROGRAM, *printer.split()]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        outcome = faults.Outcome(done.returncode, done.stdout, done.stderr, "", {})
        if "|" in stream and outcome.status == 0:
            assert outcome.err == ""
        else:
            faults.check_message(outcome, f"{printer} {stream}")
            assert outcome.err.startswith(faults.NO_OUTPUT)


def test_no_standard_streams_at_all(tmp_path):
    """Files that are opened then must not become the standard streams."""
    script = '"$0" "$@" <&- >&- 2>&-'
    command = [faults.PROGRAM, *RUN.split(), "--csv", "results", "--output", "level.txt"]
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
    "a link to nowhere": lambda results: results.symlink_to("/nonexistent/folder"),
    "a link to itself": lambda results: results.symlink_to(results),
}


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_results_folder_is_none(obstacle, tmp_path):
    OBSTACLES[obstacle](tmp_path / "results")
    outcome = faults.run(RECORDS, tmp_path, log=tmp_path / "log")
    faults.check_message(outcome, obstacle)
    assert "results" in outcome.err
    assert os.path.lexists(tmp_path / "results") and not (tmp_path / "results").is_dir()


def test_summary_and_trials_are_folders(tmp_path):
    assert faults.run(RECORDS, tmp_path).status == 0
    for path in list(tmp_path.rglob("*.csv")):
        kept = path.read_bytes()
        path.unlink()
        path.mkdir()
        outcome = faults.run(RECORDS, tmp_path, log=tmp_path / "log")
        faults.check_message(outcome, path.name)
        assert path.name in outcome.err
        path.rmdir()
        path.write_bytes(kept)
