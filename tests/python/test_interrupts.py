"""Ctrl-C, cancelling, threads, and forked processes."""

import signal
import subprocess
import sys
import threading
import time

import pytest

import gtrav

SECONDS = 600  # far more than anything takes, on a busy machine, too

# Each sends itself SIGINT while WORK runs, and says after how many seconds of a processor that ended.
INTERRUPTED = """
import os, signal, threading, time
import numpy as np
import gtrav
{prepare}
def interrupt():
    global sent
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
timer = threading.Timer({after}, interrupt)
timer.start()
try:
    {work}
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted after", time.process_time() - sent)
print("then", gtrav.Graph.generate("path:5").bfs(0).levels.tolist())
"""
SEARCH = "graph = gtrav.Graph.generate('kron:17')"


def heed_interrupts():
    """A job in the background of a shell inherits that SIGINT is ignored, and Python then leaves it so."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def execute(program):
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, preexec_fn=heed_interrupts
    )


@pytest.mark.parametrize(
    ("prepare", "work"),
    [
        (SEARCH, "graph.closeness()"),
        (SEARCH, "graph.bfs(np.arange(graph.num_vertices), levels=False)"),
        (
            SEARCH,
            "graph.path_lengths(np.arange(graph.num_vertices), np.roll(np.arange(graph.num_vertices), 1))",
        ),
        ("", "gtrav.Graph.generate('kron:24')"),
    ],
    ids=["closeness", "bfs", "path_lengths", "generate"],
)
def test_ctrl_c(prepare, work):
    found = execute(INTERRUPTED.format(prepare=prepare, work=work, after=0.5))
    assert found.returncode == 0, found.stderr
    lines = found.stdout.splitlines()
    assert lines[0].startswith("interrupted after")
    assert float(lines[0].split()[-1]) < 10
    assert lines[1] == "then [0, 1, 2, 3, 4]"


def test_ctrl_c_that_nobody_catches():
    program = f"import gtrav\n{SEARCH}\nprint('ready', flush=True)\ngraph.closeness()"
    command, pipe = [sys.executable, "-c", program], subprocess.PIPE
    child = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, preexec_fn=heed_interrupts)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=SECONDS)
    assert child.returncode == -signal.SIGINT
    assert errors.splitlines()[-1] == "KeyboardInterrupt"


@pytest.fixture(scope="module")
def graph():
    return gtrav.Graph.generate("kron:14")


def test_progress(graph):
    reports = []
    graph.closeness(progress=lambda *report: reports.append(report))
    assert reports
    for phase, done, total in reports:
        assert phase
        assert done <= total or total == 0


def test_progress_cancels(graph):
    begin = time.process_time()
    with pytest.raises(gtrav.CancelledError):
        graph.closeness(progress=lambda *_: True)
    assert time.process_time() - begin < 10
    assert graph.reach(0)[0]


def test_what_progress_raises(graph):
    def report(*_):
        raise ZeroDivisionError("in the callback")

    with pytest.raises(ZeroDivisionError, match="in the callback"):
        graph.closeness(progress=report)


def test_other_python_goes_on_during_a_search(graph):
    """The interpreter's lock is free while the library works."""
    ticks, ended = [], threading.Event()

    def tick():
        while not ended.wait(0.002):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    graph.closeness()
    end = time.monotonic()
    ended.set()
    thread.join()
    assert sum(begin < at < end for at in ticks) > 5


def test_a_forked_process_cannot_use_the_graph():
    program = """
import os, gtrav
graph = gtrav.Graph.generate("path:5")
graph.bfs(0)
child = os.fork()
if child == 0:
    try:
        graph.bfs(0)
    except gtrav.Error as problem:
        print("refused:", problem, flush=True)
    print(gtrav.Graph.generate("path:4").bfs(0).levels, flush=True)
    os._exit(0)
os.waitpid(child, 0)
print(graph.bfs(0).levels)
"""
    found = execute(program)
    assert found.returncode == 0, found.stderr
    lines = found.stdout.splitlines()
    assert "spawn" in lines[0]
    assert lines[1:] == ["[0 1 2 3]", "[0 1 2 3 4]"]


def test_no_thread_is_left_behind():
    before = threading.active_count()
    for _ in range(20):
        gtrav.Graph.generate("path:5").bfs(0)
    assert threading.active_count() <= before + 1
