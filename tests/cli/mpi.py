"""mpi.py: how tests start gtrav as several processes."""

import os
import shlex
import shutil

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
