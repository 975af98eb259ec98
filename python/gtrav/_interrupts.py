"""_interrupts.py: runs calls of the library so that Ctrl-C reaches Python while they run.

Python handles signals in its main thread, between two instructions of Python; a long C call would delay them. So
calls of the main thread run on a worker thread, while the main thread waits for a lock: a signal ends that wait.
Other threads are never interrupted, and call directly; the call releases the interpreter's lock meanwhile."""

from __future__ import annotations

import os
import queue
import threading
from typing import Callable, TypeVar

T = TypeVar("T")


def _serve(jobs):
    """Runs one job after the other, on a thread of its own. A job: a function, a dict for its `result` or `problem`,
    and a lock that is released when the job is done. None ends the thread."""
    while job := jobs.get():
        work, answer, ended = job
        try:
            answer["result"] = work()
        except BaseException as problem:  # raised again in the main thread
            answer["problem"] = problem
        del job, work, answer  # what they hold is freed before the lock is released
        ended.release()


def _new_worker():
    """Starts a thread that serves jobs. Returns their queue."""
    jobs = queue.SimpleQueue()
    threading.Thread(target=_serve, args=[jobs], name="gtrav", daemon=True).start()
    return jobs


_worker = None  # the queue of a thread that waits for jobs
process = os.getpid()
is_forked = False


def _begin_forked():
    """Runs in a forked process, which lacks the worker. The library refuses calls on its only thread."""
    global _worker, is_forked, process
    _worker, is_forked, process = None, True, os.getpid()


os.register_at_fork(after_in_child=_begin_forked)


def interruptible(work: Callable[[], T], cancel: Callable[[], None] | None = None, short: bool = False) -> T:
    """Runs work(). Ctrl-C ends the wait for it at once or, if there is cancel(), as soon as the cancelled work ends.

    A second Ctrl-C always ends the wait; the work then goes on alone, and its result is dropped. short: the work
    takes a few ms at most, so it runs on this thread, and Ctrl-C waits for it."""
    global _worker
    if (short and not is_forked) or threading.current_thread() is not threading.main_thread():
        return work()
    worker, _worker = _worker or _new_worker(), None  # no other call may use it meanwhile
    answer, ended = {}, threading.Lock()
    ended.acquire()
    worker.put((work, answer, ended))
    try:
        ended.acquire()
    except BaseException:
        if cancel:
            cancel()
            ended.acquire()
        raise
    finally:
        if answer and _worker is None:
            _worker = worker
        else:
            worker.put(None)  # the thread then ends
    if "problem" in answer:
        raise answer["problem"]
    return answer["result"]
