"""Where there cannot be two hosts, the tests here are skipped, with the reason."""

import pytest

import hosts

REASON = hosts.why_not()


def pytest_collection_modifyitems(items):
    if REASON is not None:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=REASON))


@pytest.fixture
def two_hosts(tmp_path):
    with hosts.Hosts(tmp_path) as pair:
        yield pair
