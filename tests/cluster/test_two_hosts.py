"""Two hosts joined by TCP (hosts.py): several processes give what one gives, to the last bit, also when a
process, a host or the cable between them fails and another number of processes goes on."""

import os
import re
import signal
import subprocess
import time

import numpy
import pytest

from helpers import GTRAV, gtrav_ok

PATIENCE = 60  # seconds: more than any run takes that nothing happens to
SILENCE = 30  # after which a rank that is not heard of counts as dead
GRAPH = ("--graph", "kron:15")
CLOSENESS = ("--algo", "closeness", *GRAPH, "--threads", "1", "--verify", "none", "--output", "many.npy")


def sources_done(path):
    try:
        return int.from_bytes(path.read_bytes()[64:72], "little")
    except FileNotFoundError:
        return 0


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    gtrav_ok("--algo", "closeness", *GRAPH, "--variant", "then", "--quiet", "--output", "one.npy", cwd=folder)
    return numpy.load(folder / "one.npy")


def end(hosts, process, patience=PATIENCE):
    """Status and what was said; None: it had to be killed."""
    try:
        _, said = process.communicate(timeout=patience)
        return process.returncode, said
    except subprocess.TimeoutExpired:
        hosts.kill(0)
        hosts.kill(1)
        return None, process.communicate(timeout=PATIENCE)[1]


def run_until_kept(hosts, per_host):
    """A run on the hosts, once its checkpoint has been written twice."""
    kept = hosts.folder / "many.npy.checkpoint"
    seen = {sources_done(kept)}
    process = hosts.start(per_host, GTRAV, *CLOSENESS, "--variant", "serial")
    deadline = time.monotonic() + PATIENCE
    while len(seen) < 3:
        assert time.monotonic() < deadline and process.poll() is None, end(hosts, process, 1)
        time.sleep(0.02)
        seen.add(sources_done(kept))
    return process


def check_goes_on(hosts, per_host, undisturbed):
    kept = sources_done(hosts.folder / "many.npy.checkpoint")
    assert kept > 0
    status, said = end(hosts, hosts.start(per_host, GTRAV, *CLOSENESS, "--variant", "then"))
    assert status == 0, said
    assert int(re.search(r"(\d+) of 32768 sources were done", said)[1]) == kept
    assert (numpy.load(hosts.folder / "many.npy") == undisturbed).all()
    assert not (hosts.folder / "many.npy.checkpoint").exists()


def test_what_two_hosts_give(two_hosts, undisturbed):
    """In an order that is sent from one host to the other, and with rank 0 alone on its host."""
    asked = (GTRAV, *CLOSENESS, "--variant", "then", "--reorder", "rcm")
    for per_host in ((1, 2), (2, 1)):
        status, said = end(two_hosts, two_hosts.start(per_host, *asked))
        assert status == 0, said
        assert "on 3 devices" in said
        assert (numpy.load(two_hosts.folder / "many.npy") == undisturbed).all()


def test_pairs_by_two_hosts(two_hosts):
    pairs = two_hosts.folder / "pairs.csv"
    pairs.write_text("".join(f"{v * 7},{v * v}\n" for v in range(180)))
    asked = ("--algo", "msbfs", "--variant", "serial", *GRAPH, "--pairs", pairs, "--paths", "--verify", "all",
             "--output", "lengths.csv")  # fmt: skip
    gtrav_ok(*asked, cwd=two_hosts.folder)
    alone = (two_hosts.folder / "lengths.csv").read_bytes()
    (two_hosts.folder / "lengths.csv").unlink()
    status, said = end(two_hosts, two_hosts.start((1, 2), GTRAV, *asked))
    assert status == 0, said
    assert (two_hosts.folder / "lengths.csv").read_bytes() == alone


def test_processes_are_killed(two_hosts, undisturbed):
    """One of the other host, then rank 0's: each time another number of them goes on."""
    for per_host, host in (((1, 2), 1), ((1, 1), 0)):
        process = run_until_kept(two_hosts, per_host)
        two_hosts.kill(host, GTRAV)
        status, said = end(two_hosts, process)
        assert status not in (0, None), said
        assert not (two_hosts.folder / "many.npy").exists()
    check_goes_on(two_hosts, (2, 1), undisturbed)


def test_a_host_is_killed(two_hosts, undisturbed):
    """All of its processes at once, Open MPI's included."""
    process = run_until_kept(two_hosts, (1, 2))
    two_hosts.kill(1)
    status, said = end(two_hosts, process)
    assert status not in (0, None), said
    check_goes_on(two_hosts, (2, 0), undisturbed)


def test_the_cable_is_pulled(two_hosts, undisturbed):
    """Nobody tells that the other is gone, and both find out: rank 0 says so, and no process is left working.
    Open MPI's own may wait longer."""
    process = run_until_kept(two_hosts, (1, 2))
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
    check_goes_on(two_hosts, (1, 1), undisturbed)


def test_all_are_suspended(two_hosts, undisturbed):
    """For longer than anyone may be silent, as a scheduler suspends a job: it goes on."""
    process = run_until_kept(two_hosts, (1, 2))
    ranks = [pid for host in (0, 1) for pid in two_hosts.processes(host, GTRAV)]
    assert len(ranks) == 3
    for pid in ranks:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(SILENCE + 3)
    for pid in ranks:
        os.kill(pid, signal.SIGCONT)
    status, said = end(two_hosts, process, 2 * PATIENCE)
    assert status == 0, said
    assert (numpy.load(two_hosts.folder / "many.npy") == undisturbed).all()
