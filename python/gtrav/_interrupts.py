"""_interrupts.py: runs calls of the library so that Ctrl-C reaches Python while they run.

Python handles signals in its main thread, between two instructions of Python; a long C call would delay them. So
calls of the main thread run on a worker thread, while the main thread waits for a lock: a signal ends that wait.
Other threads are never interrupted, and call directly; ctypes releases the interpreter's lock meanwhile."""

from __future__ import annotations

import os
import queue
import threading
from typing import Callable, TypeVar

T = TypeVar("T")


class _Job:
    """A call for the worker thread; `ended` stays locked until the call is done."""

    def __init__(self, work):
        self.work, self.result, self.problem = work, None, None
        self.ended = threading.Lock()
        self.ended.acquire()

    def run(self):
        try:
            self.result = self.work()
        except BaseException as problem:  # raised again in the main thread
            self.problem = problem
        self.work = None
        self.ended.release()


class _Worker:
    """A thread that runs one job after the other."""

    def __init__(self):
        self.jobs = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="gtrav", daemon=True).start()

    def _serve(self):
        while True:
            job = self.jobs.get()
            if job is None:
                return
            job.run()
            del job  # frees what it holds


_worker = None
_is_forked = False


def _begin_forked():
    """Notes that this process was forked: the worker is gone, and the library refuses the only thread left."""
    global _worker, _is_forked
    _worker, _is_forked = None, True


os.register_at_fork(after_in_child=_begin_forked)


def interruptible(work: Callable[[], T], cancel: Callable[[], None] | None = None, short: bool = False) -> T:
    """Runs work(). Ctrl-C ends the wait for it at once or, if there is cancel(), as soon as the cancelled work ends.

    A second Ctrl-C always ends the wait; the work then goes on alone, and its result is dropped. short: the work
    takes a few ms at most, so it runs on this thread, and Ctrl-C waits for it."""
    global _worker
    if (short and not _is_forked) or threading.current_thread() is not threading.main_thread():
        return work()
    worker, _worker = _worker or _Worker(), None  # no other call may use it meanwhile
    job = _Job(work)
    worker.jobs.put(job)
    idle = False
    try:
        try:
            job.ended.acquire()
            idle = True
        except BaseException:
            if cancel:
                cancel()
                job.ended.acquire()
                idle = True
            raise
    finally:
        if idle and _worker is None:
            _worker = worker
        else:
            worker.jobs.put(None)  # the worker then ends
    if job.problem is not None:
        raise job.problem
    return job.result
