"""gtrav killed at random moments and started again: no row of its records is lost, duplicated or torn.

Every delay comes from SEED, which a failure names; GTRAV_FAULTS_SEED sets another."""

import fcntl
import os
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

import faults

PROGRAM = os.environ.get("GTRAV", str(faults.ROOT / "build" / "gtrav"))  # at full speed: more happens
SEED = int(os.environ.get("GTRAV_FAULTS_SEED", "1"))
ROUNDS = max(300 // faults.EVERY, 10)
SOURCES = 400
GRAPH = "kron:7"
MANY = 100000  # sources: it is still at them when it is stopped
TORN = "kron:7,128,2"
PATIENCE = 600  # seconds: far more than any of these runs takes


def start(folder, graph=GRAPH, sources=SOURCES):
    run = f"bfs {graph} --variant serial --sources {sources} --threads 1 --verify all --csv results --quiet"
    pipe = subprocess.PIPE
    return subprocess.Popen([PROGRAM, *run.split()], cwd=folder, stdout=pipe, stderr=pipe)


def finish(process):
    """Its exit status; it has said nothing on standard error."""
    _, err = process.communicate(timeout=PATIENCE)
    assert err == b""
    return process.returncode


def trials_file(folder, graph=GRAPH):
    found = list(folder.glob(f"results/*/trials/bfs_serial_{graph}.csv"))
    assert len(found) <= 1
    return found[0] if found else Path(folder / "none")


def whole_rows(path):
    """The rows of a file that may end in a torn one; there is no other."""
    if not path.exists():
        return []
    *lines, _ = path.read_text().split("\n")
    assert len({line.count(",") for line in lines}) <= 1, lines
    assert not lines or lines[0].startswith("graph,")
    assert not any(line.startswith("graph,") for line in lines[1:])
    return lines[1:]


def sources_of(rows):
    return Counter(row.split(",")[8] for row in rows)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Sources and their number in records of a run that nobody kills, and the seconds that it took."""
    folder = tmp_path_factory.mktemp("undisturbed")
    began = time.monotonic()
    assert finish(start(folder)) == 0
    return sources_of(whole_rows(trials_file(folder))), time.monotonic() - began


def check_complete(folder, expected, graph=GRAPH):
    assert sources_of(whole_rows(trials_file(folder, graph))) == expected
    assert trials_file(folder, graph).read_text().endswith("\n")
    (summary,) = folder.glob("results/*/bfs_serial_perf.csv")
    graphs = [line.split(",")[0] for line in summary.read_text().splitlines()]
    assert graphs.count(graph) == 1


def test_killed_and_resumed(undisturbed, tmp_path):
    expected, seconds = undisturbed
    chance = random.Random(SEED)
    kills = 0
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        kept, longest = [], seconds
        while True:
            pause, resumed = chance.uniform(0, longest), bool(kept)
            process = start(folder)
            time.sleep(pause)
            process.kill()
            ended = process.wait()
            process.communicate()
            rows = whole_rows(trials_file(folder))
            assert rows[: len(kept)] == kept, f"seed {SEED}, round {number}: rows were lost"
            assert not sources_of(rows) - expected, f"seed {SEED}, round {number}: rows were measured twice"
            kept = rows
            if ended == 0:
                seconds = seconds if resumed else min(seconds, pause)  # the machine is less busy now
                break
            assert ended == -signal.SIGKILL
            kills += 1
            longest *= 1.2  # the machine may have become busier: the round ends all the same
        check_complete(folder, expected)
    assert kills >= ROUNDS // 2, "hardly a run was cut off"


def test_output_is_whole_or_not_there(tmp_path):
    chance = random.Random(SEED)
    arguments = ["--graph", "urand:13", "--write"]
    names = ("new.mtx", "new.gtrav")
    whole = {}
    for name in names:
        began = time.monotonic()
        subprocess.run([PROGRAM, *arguments, name, "--quiet"], cwd=tmp_path, check=True)
        seconds = time.monotonic() - began
        whole[name] = (tmp_path / name).read_bytes()
    for number in range(ROUNDS):
        name = names[number % len(names)]
        path = tmp_path / name
        old = path.read_bytes() if path.exists() else None
        process = subprocess.Popen([PROGRAM, *arguments, name, "--quiet"], cwd=tmp_path)
        time.sleep(chance.uniform(0, 1.2 * seconds))
        process.kill()
        process.wait()
        new = path.read_bytes() if path.exists() else None
        assert new in (old, whole[name]), f"seed {SEED}, round {number}: {name} is half-written"
        if chance.random() < 0.5:
            path.unlink(missing_ok=True)


def test_two_runs_killed_in_one_folder(tmp_path):
    """Two graphs share the summary file; both runs are killed again and again, each at its own moments."""
    graphs = ("kron:7", "path:90")
    expected = {}
    for graph in graphs:
        folder = tmp_path / "expected" / graph.replace(":", "-")
        folder.mkdir(parents=True)
        assert finish(start(folder, graph=graph)) == 0
        expected[graph] = sources_of(whole_rows(trials_file(folder, graph)))
    chance = random.Random(SEED)
    for _ in range(ROUNDS // 3):
        folder = tmp_path / "run"
        folder.mkdir()
        for _ in range(4):
            running = [start(folder, graph=graph) for graph in graphs]
            for process in running:
                time.sleep(chance.uniform(0, 0.02))
                process.kill()
                process.communicate()
        running = [start(folder, graph=graph) for graph in graphs]
        assert [finish(process) for process in running] == [0, 0]
        for graph in graphs:
            check_complete(folder, expected[graph], graph=graph)
        folder.rename(tmp_path / f"done-{chance.random()}")


def test_row_torn_by_another_process(tmp_path):
    """A process that dies within its write() leaves a torn row; one that runs on must not append to it."""
    process = start(tmp_path, sources=MANY)
    deadline = time.monotonic() + PATIENCE
    while len(whole_rows(trials_file(tmp_path))) < 5:
        assert time.monotonic() < deadline
    for _ in range(5):
        folder = os.open(trials_file(tmp_path).parent.parent, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        with open(trials_file(tmp_path), "a") as file:
            file.write(TORN)
        os.close(folder)
        while trials_file(tmp_path).read_text().endswith(TORN):
            assert time.monotonic() < deadline
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert trials_file(tmp_path).read_text().endswith("\n")
    assert len(whole_rows(trials_file(tmp_path))) > 5
