"""mpi.py: how tests start gtrav as several processes."""

import os
import re
import shlex
import shutil
import time

import numpy
import pytest

from helpers import GTRAV, execute, gtrav_ok

# Of Open MPI: tests may run as root, and on fewer cores than ranks. From version 5 on PRTE starts the ranks.
ALLOWED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
NO_MPI = (
    "no mpirun here"
    if shutil.which("mpirun") is None
    else "gtrav is built without MPI"
    if "MPI: yes" not in gtrav_ok("--version").out
    else None
)
needs_mpi = pytest.mark.skipif(NO_MPI is not None, reason=str(NO_MPI))


def environment():
    return {**os.environ, **ALLOWED, "OMP_WAIT_POLICY": "passive"}


def mpirun(ranks, *arguments, **options):
    return execute(["mpirun", "-n", ranks, GTRAV, *arguments], env=environment(), **options)


def mpirun_each(*commands, **options):
    """A process for each command. The shell chooses: with two programs, Open MPI 5.0.7's mpirun crashes."""
    cases = "".join(f"{rank}) {shlex.join(map(str, words))} ;;" for rank, words in enumerate(commands))
    script = f"case ${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} in {cases} esac"
    return execute(["mpirun", "-n", len(commands), "sh", "-c", script], env=environment(), **options)


# ---- a run that is disturbed, and goes on from its checkpoint ----

SOURCES = 32768  # of the run
# With the variant behind it: serial, to be slow.
LONG = ["closeness", "kron:15", "--threads", "1", "--verify", "none", "--output", "many.npy", "--variant"]
PATIENCE = 600  # seconds: far more than any run takes


def sources_done(folder):
    try:
        return int.from_bytes((folder / "many.npy.checkpoint").read_bytes()[64:72], "little")
    except FileNotFoundError:
        return 0


def wait_until_kept(process, folder):
    """Until the process has written its checkpoint twice."""
    seen, deadline = {sources_done(folder)}, time.monotonic() + PATIENCE
    while len(seen) < 3:
        assert time.monotonic() < deadline and process.poll() is None, process.communicate()
        time.sleep(0.02)
        seen.add(sources_done(folder))
    assert max(seen) < SOURCES


def check_went_on(folder, kept, said):
    """A run that said this has gone on from so many sources."""
    assert int(re.search(rf"(\d+) of {SOURCES} sources were done", said)[1]) == kept > 0
    check_sums(folder)
    assert not any(re.search(r"checkpoint(\.\d{1,5})?$", path.name) for path in folder.iterdir())


def check_sums(folder):
    """They are those of one process."""
    gtrav_ok(*LONG, "then", "--output", "one.npy", cwd=folder)
    assert (numpy.load(folder / "many.npy") == numpy.load(folder / "one.npy")).all()
