"""Ctrl-C and SIGTERM while gtrav waits for input or for a reader, or reads what has no end.

No test depends on how long something takes: it waits until gtrav waits, or has read so much, and then sends
the signal. A program that does not heed it is still there after minutes."""

import json
import os
import resource
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from helpers import GTRAV, complains, gtrav, gtrav_ok, read_json

MINUTES = 120  # seconds
MB = 1 << 20


def facts(process):
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def heeds(process, number):
    return int(facts(process)["SigCgt"], 16) >> (number - 1) & 1


def waits(process, number):
    """It heeds the signal, and was asleep whenever it was looked at for a while. If that had another reason,
    the signal comes too early, and must end it as well."""
    looks = 20
    while looks > 0 and heeds(process, number) and facts(process)["State"].startswith("S"):
        looks -= 1
        time.sleep(0.005)
    return looks == 0


def has_read(process, size):
    return int(Path(f"/proc/{process.pid}/io").read_text().split()[1]) > size  # rchar


def wait_until(condition):
    deadline = time.monotonic() + MINUTES
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def feed_for_ever(descriptor, head, text):
    """Writes until gtrav has ended."""
    with open(descriptor, "wb") as file:
        try:
            file.write(head)
            while True:
                file.write(text)
        except BrokenPipeError:
            pass


class Waiting:
    """gtrav that waits for ever: for the other end of a FIFO, for standard input, for somebody who reads."""

    def __init__(self, folder, arguments, feed=None, stdout_is_full=False, stderr_is_full=False):
        os.mkfifo(folder / "fifo")
        (folder / "edges.csv").write_text("a,b\nb,c\n")
        self.folder, self.before = folder, sorted(os.listdir(folder))
        reader, self.writer = os.pipe()
        self.pipes = [os.pipe(), os.pipe()]
        for (_, end), full in zip(self.pipes, (stdout_is_full, stderr_is_full), strict=True):
            if full:
                os.set_blocking(end, False)
                while self.writes(end):
                    pass
                os.set_blocking(end, True)
        (_, out), (_, err) = self.pipes
        self.process = subprocess.Popen([GTRAV, *arguments], cwd=folder, stdin=reader, stdout=out, stderr=err)
        os.close(reader)
        if feed:
            self.feeder = threading.Thread(target=feed_for_ever, args=(os.dup(self.writer), *feed))
            self.feeder.start()

    @staticmethod
    def writes(descriptor):
        try:
            return os.write(descriptor, b"." * 512)
        except BlockingIOError:
            return 0

    def end(self, number):
        """Sends a signal; the exit status, and what gtrav has said."""
        self.process.send_signal(number)
        try:
            status = self.process.wait(timeout=MINUTES)
        finally:
            self.process.kill()
            os.close(self.writer)
            for _, end in self.pipes:
                os.close(end)
        said = [os.read(reader, 1 << 17).decode() for reader, _ in self.pipes]
        for reader, _ in self.pipes:
            os.close(reader)
        assert sorted(os.listdir(self.folder)) == self.before
        return status, *said


BOTH = pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["SIGINT", "SIGTERM"]
)
OF_TEXT = ("edges.csv", "--ids", "text")
SLEEPS = ("sh", "-c", "exec sleep 300")
WAITS = {
    "a graph's FIFO without a writer": ["fifo", "--info"],
    "idle standard input": ["-", "--info"],
    "a graph's FIFO after another graph": ["bfs", "path:5", "fifo"],
    "pairs": ["msbfs", "path:5", "--pairs", "fifo"],
    "sources": ["bfs", "path:5", "--sources-file", "fifo"],
    "vertices": [*OF_TEXT, "--vertices", "fifo", "--info"],
    "output into a FIFO without a reader": ["bfs", "path:5", "--source", "0", "--output", "fifo"],
    "a graph into a FIFO without a reader": ["path:5", "--write", "fifo"],
    "lengths into a FIFO without a reader": ["msbfs", "path:5", "--pairs", "-", "--output", "fifo"],
    "output that nobody reads": ["bfs", "star:99999", "--sources", "1", "--output", "-"],
    "a graph that nobody reads": ["path:99999", "--write", "-"],
    "a launch of a comparison": ["compare", "--", *SLEEPS, "--", *SLEEPS],
}


@BOTH
@pytest.mark.parametrize("arguments", WAITS.values(), ids=WAITS.keys())
def test_first_signal_ends_a_wait(arguments, number, status, tmp_path):
    waiting = Waiting(tmp_path, arguments)
    wait_until(lambda: waits(waiting.process, number))
    ended, _, err = waiting.end(number)
    errors = [line for line in err.splitlines() if line.startswith("gtrav: ")]
    assert (ended, len(errors)) == (status, 1), err
    assert errors[0].startswith("gtrav: interrupted")


@BOTH
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_first_signal_ends_a_wait_for_a_stuck_reader(stream, number, status, tmp_path):
    waiting = Waiting(tmp_path, ["bfs", "path:5", "--sources", "1"], **{f"{stream}_is_full": True})
    wait_until(lambda: waits(waiting.process, number))
    assert waiting.end(number)[0] == status


@BOTH
@pytest.mark.parametrize(
    "feed",
    [(b"3 2\n", b"2 " * MB), (b"% metis\n3 2\n", b"% more\n" * MB), (b"", b"0 1\n" * MB), (b"", b"# more\n" * MB)],
    ids=["a row", "comments below the header", "rows", "comments above all rows"],
)
def test_first_signal_ends_the_reading_of_what_never_ends(feed, number, status, tmp_path):
    waiting = Waiting(tmp_path, ["-", "--info"], feed=feed)
    wait_until(lambda: has_read(waiting.process, 4 * MB))
    ended, _, err = waiting.end(number)
    waiting.feeder.join()
    assert (ended, err) == (status, "gtrav: interrupted\n")


def test_json_is_whole_when_a_wait_is_interrupted(tmp_path):
    waiting = Waiting(tmp_path, ["bfs", "path:5", "fifo", "--sources", "1", "--json"])
    files = Path(f"/proc/{waiting.process.pid}/fd")
    wait_until(lambda: any(os.path.realpath(file).endswith("/fifo") for file in files.iterdir()))
    status, out, _ = waiting.end(signal.SIGINT)
    assert (status, len(json.loads(out))) == (130, 1)


def test_a_fifo_is_read_and_written(tmp_path):
    """Both ends come later than gtrav, and the text is longer than a pipe holds."""
    os.mkfifo(tmp_path / "in")
    os.mkfifo(tmp_path / "out")
    gtrav_ok("path:99999", "--write", tmp_path / "path.mtx")
    process = subprocess.Popen([GTRAV, tmp_path / "in", "--write", tmp_path / "out", "--quiet"])
    (tmp_path / "in").write_bytes((tmp_path / "path.mtx").read_bytes())
    assert (tmp_path / "out").read_bytes() == (tmp_path / "path.mtx").read_bytes()
    assert process.wait(timeout=MINUTES) == 0


def test_a_device_without_an_end():
    complains(gtrav("/dev/zero", "--info"), "/dev/zero:1:")


def seconds_to_read(text):
    """Of the processor; the file is in memory."""
    file = os.memfd_create("graph")
    with open(file, "wb") as writer:
        writer.write(b"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n" + text + b"\n2 3\n")
        writer.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = gtrav_ok("--threads", "1", "--info", "--json", f"/proc/self/fd/{file}", pass_fds=[file])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert read_json(found.out)["edges"] == 2
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_a_long_line_is_searched_once():
    """A comment of 256 MB takes 2.5 times as long; searched anew for each megabyte it would take 13 times."""
    in_many_lines = seconds_to_read((b"%" + b"." * 1022 + b"\n") * (256 << 10))
    assert seconds_to_read(b"%" + b"." * (256 * MB)) < 10 * in_many_lines


LONG = {  # a single search of each takes many minutes
    "closeness on the CPU": "closeness path:3000000 --variant then --sources 512",
    "closeness by several threads": "closeness path:3000000 --variant pbfs --sources 512",
    "closeness on the emulator": "closeness kron:17 --device cpu-emulator --sources 4096",
    "trials of engines on the emulator": "bfs kron:17 --device cpu-emulator --variant auto --set measure=1",
    "bfs on WebGPU": "bfs path:100000 --device webgpu",
    "path lengths on WebGPU": "msbfs path:100000 --device webgpu",
}
WITH_ADAPTER = "WebGPU adapter" in gtrav_ok("--list --long").out


def seconds_of(process):
    """Of the processor."""
    times = Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("command", LONG.values(), ids=LONG.keys())
def test_first_signal_ends_a_search(command):
    if "webgpu" in command and not WITH_ADAPTER:
        pytest.skip("no WebGPU adapter")
    process = subprocess.Popen([GTRAV, *command.split()], stderr=subprocess.PIPE, text=True)
    wait_until(lambda: seconds_of(process) > 2)
    process.send_signal(signal.SIGTERM)
    try:
        _, err = process.communicate(timeout=MINUTES)
    finally:
        process.kill()
    assert process.returncode == 143, err
    assert "gtrav: interrupted" in err
