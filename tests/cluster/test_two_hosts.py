"""Two hosts joined by TCP (hosts.py): several processes give what one gives, to the last bit, also when a
host or the cable between them fails and another number of processes goes on. Processes that are killed:
tests/cli/test_many_devices.py."""

import os
import signal
import subprocess
import time

import pytest

import hosts
from helpers import GTRAV
from mpi import LONG, check_sums, check_went_on, sources_done, wait_until_kept

PATIENCE = 60  # seconds: more than any run takes that nothing happens to
SILENCE = 30  # after which a rank that is not heard of counts as dead


REASON = hosts.why_not()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=str(REASON))]


@pytest.fixture
def two_hosts(tmp_path):
    with hosts.Hosts(tmp_path) as pair:
        yield pair


def end(pair, process, patience=PATIENCE):
    """Status and what was said; None: it had to be killed."""
    try:
        _, said = process.communicate(timeout=patience)
        return process.returncode, said
    except subprocess.TimeoutExpired:
        pair.kill(0)
        pair.kill(1)
        return None, process.communicate(timeout=PATIENCE)[1]


def run_until_kept(pair):
    process = pair.start((1, 2), GTRAV, *LONG, "serial")
    wait_until_kept(process, pair.folder)
    return process


def check_goes_on(pair, per_host):
    kept = sources_done(pair.folder)
    status, said = end(pair, pair.start(per_host, GTRAV, *LONG, "then"))
    assert status == 0, said
    check_went_on(pair.folder, kept, said)


def test_what_two_hosts_give(two_hosts):
    """In an order that is sent from one host to the other, and with rank 0 alone on its host."""
    for number, per_host in enumerate(((1, 2), (2, 1), (1, 0))):
        result = f"{number}.npy"
        asked = (GTRAV, *LONG, "then", "--reorder", "rcm", "--output", result)
        status, said = end(two_hosts, two_hosts.start(per_host, *asked))
        assert status == 0 and ("on 3 devices" in said) == (number < 2), said
    results = [(two_hosts.folder / f"{number}.npy").read_bytes() for number in range(3)]
    assert results[0] == results[1] == results[2]


def test_a_host_is_killed(two_hosts):
    """All of its processes at once, Open MPI's included."""
    process = run_until_kept(two_hosts)
    two_hosts.kill(1)
    status, said = end(two_hosts, process)
    assert status not in (0, None), said
    check_goes_on(two_hosts, (2, 0))


def test_the_cable_is_pulled(two_hosts):
    """Nobody tells that the other is gone, and both find out: rank 0 says so, and no process is left working.
    Open MPI's own may wait longer."""
    process = run_until_kept(two_hosts)
    two_hosts.pull_cable()
    began = time.monotonic()
    while any(two_hosts.processes(host, GTRAV) for host in (0, 1)):
        assert time.monotonic() - began < SILENCE + PATIENCE
        time.sleep(0.2)
    assert time.monotonic() - began > SILENCE / 2
    status, said = end(two_hosts, process, 5)
    assert status != 0 and "no word from rank" in said, said
    assert "goes on from many.npy.checkpoint" in said, said
    two_hosts.join_cable()
    check_goes_on(two_hosts, (1, 1))


def test_all_are_suspended(two_hosts):
    """For longer than anyone may be silent, as a scheduler suspends a job: it goes on."""
    process = run_until_kept(two_hosts)
    ranks = [pid for host in (0, 1) for pid in two_hosts.processes(host, GTRAV)]
    assert len(ranks) == 3
    for pid in ranks:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(SILENCE + 3)
    for pid in ranks:
        os.kill(pid, signal.SIGCONT)
    status, said = end(two_hosts, process, 2 * PATIENCE)
    assert status == 0, said
    check_sums(two_hosts.folder)
