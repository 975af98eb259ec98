"""conftest.py: what the tests need is said once, instead of failing in each of them."""

import os

import pytest

import helpers


def pytest_configure(config):
    if not os.access(helpers.GTRAV, os.X_OK):
        pytest.exit(f"{helpers.GTRAV} is not there; run make first", returncode=2)
    if not helpers.algorithms():
        pytest.exit(f"no algorithm can run here on device {helpers.DEVICE}; gtrav --list says why", returncode=2)


def pytest_collection_modifyitems(items):
    """Slow tests come first, so that no processor waits for the last of them."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
