"""Ctrl-C, cancelling, threads, and forked processes."""

import signal
import subprocess
import sys
import threading
import time

import pytest

import gtrav
from gtrav import _query
from gtrav._interrupts import interruptible

SECONDS = 600  # far more than anything takes, on a busy machine, too

# Each sends itself SIGINT while WORK runs, and says after how many seconds of a processor that ended.
INTERRUPTED = """
import os, signal, threading, time
import gtrav
def interrupt():
    global sent
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
timer = threading.Timer(0.5, interrupt)
timer.start()
try:
    {work}
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted after", time.process_time() - sent)
print("then", gtrav.Graph.generate("path:5").bfs(0).levels.tolist())
"""


def heed_interrupts():
    """A job in the background of a shell inherits that SIGINT is ignored, and Python then leaves it so."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def execute(program):
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, preexec_fn=heed_interrupts)


@pytest.mark.parametrize(
    "work",
    ["gtrav.Graph.generate('kron:17').closeness()", "gtrav.Graph.generate('kron:24')"],
    ids=["search", "generate"],
)
def test_ctrl_c(work):
    found = execute(INTERRUPTED.format(work=work))
    assert found.returncode == 0, found.stderr
    lines = found.stdout.splitlines()
    assert lines[0].startswith("interrupted after")
    assert float(lines[0].split()[-1]) < 10
    assert lines[1] == "then [0, 1, 2, 3, 4]"


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
    graph.forget()
    del graph
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


def test_short_searches_have_no_thread_beside(monkeypatch):
    """Those of small graphs, and on a GPU those that took little the last time."""

    graph = gtrav.Graph.generate("path:50")

    def beside(**how):
        shorts.clear()
        graph.bfs(0, **how)
        return shorts == [False]

    shorts, on_gpu = [], {"device": "emulator", "on_device": True}
    monkeypatch.setattr(
        _query, "interruptible", lambda work, cancel, short: (shorts.append(short), interruptible(work))
    )
    monkeypatch.setattr(_query, "QUICK_MS", 1e9)
    assert not beside(device="cpu")
    monkeypatch.setattr(_query, "SMALL", 1)
    assert beside(device="cpu") and beside(device="cpu")
    try:
        assert beside(**on_gpu)
    except gtrav.Error as problem:
        pytest.skip(str(problem))
    assert not beside(**on_gpu) and beside(device="emulator") and beside(progress=lambda *_: None, **on_gpu)
    monkeypatch.setattr(_query, "QUICK_MS", 0)
    assert not beside(**on_gpu) and beside(**on_gpu)


def test_no_signal_is_lost_in_short_searches():
    """What a __del__ raises is only printed, so results of searches are freed without one."""
    program = """
import signal, sys, gtrav
heard, lost = 0, []
sys.unraisablehook = lost.append
graph = gtrav.Graph.generate("path:5", device="cpu")
signal.signal(signal.SIGALRM, signal.default_int_handler)

def search(): # a function, as in Python 3.13 a signal may leave a loop that stands in a try
    signal.setitimer(signal.ITIMER_REAL, .0005)
    while not lost:
        graph.bfs(0)

while heard < 600 and not lost:
    try:
        search()
    except KeyboardInterrupt:
        heard += 1
print(heard, len(lost))
"""
    found = execute(program)
    assert found.stdout == "600 0\n", found


# Each leaves a thread that nobody waits for any more: it must end. Signals come until one is heard.
OTHER_THREADS = {
    "a search in a signal handler": """
signal.signal(signal.SIGALRM, lambda *_: (interruptible(lambda: None), go.set()))
for _ in range(3):
    go.clear()
    interruptible(lambda: send(signal.SIGALRM))
""",
    "a second Ctrl-C": """
try:
    interruptible(lambda: send(signal.SIGINT), cancel=lambda: None)
except KeyboardInterrupt:
    go.set()
interruptible(lambda: None)
""",
}


@pytest.mark.parametrize("what", OTHER_THREADS)
def test_other_threads_end(what):
    found = execute(f"""
import os, signal, threading, time
from gtrav._interrupts import interruptible
go = threading.Event()
def send(signal):
    while not go.wait(0.3):
        os.kill(os.getpid(), signal)
{OTHER_THREADS[what]}
end = time.monotonic() + 30
while (left := sum(thread.name == "gtrav" for thread in threading.enumerate())) > 1 and time.monotonic() < end:
    time.sleep(0.01)
print(go.is_set(), left)
""")
    assert found.stdout == "True 1\n", found.stderr


def test_no_thread_is_left_behind():
    before = threading.active_count()
    for _ in range(20):
        gtrav.Graph.generate("path:5").bfs(0)
    assert threading.active_count() <= before + 1
