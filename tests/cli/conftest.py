"""conftest.py: what the tests need is said once, instead of failing in each of them."""

import os
import signal
from itertools import groupby

import pytest

import helpers


def pytest_configure(config):
    # A job in the background of a script ignores SIGINT, and so would the programs that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not os.access(helpers.GTRAV, os.X_OK):
        pytest.exit(f"{helpers.GTRAV} is not there; run make first", returncode=2)
    if not helpers.algorithms():
        pytest.exit(f"no algorithm can run here on device {helpers.DEVICE}; gtrav --list says why", returncode=2)


def pytest_collection_modifyitems(items):
    """Slow tests come first. xdist cuts the list into as many parts as there are workers, so each part begins with a
    share of the slow tests: whole modules, since those share fixtures."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    shares = [[] for _ in range(workers)]
    slow = [item for item in items if item.get_closest_marker("slow")]
    rest = [item for item in items if not item.get_closest_marker("slow")]
    for _, tests in groupby(slow, key=lambda item: item.path):
        min(shares, key=len).extend(tests)
    for i, share in enumerate(shares):
        size = (len(items) - sum(map(len, shares[:i]))) // (workers - i)  # as xdist cuts
        room = max(0, size - len(share))
        share += rest[:room]
        del rest[:room]
    items[:] = [item for share in shares for item in share] + rest
