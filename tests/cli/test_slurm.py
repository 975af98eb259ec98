"""The Slurm scripts, with programs in place of Slurm's."""

import os

import pytest

from helpers import ROOT, execute, refused, write_program

SBATCHES = ROOT / "scripts" / "slurm"


@pytest.fixture
def environment(tmp_path):
    """Programs in place of Slurm's, which write down how they are called."""
    write_program(tmp_path / "srun", f'#!/bin/sh\necho "srun $*" >> {tmp_path}/called; exit $STATUS\n')
    write_program(tmp_path / "scontrol", f'#!/bin/sh\necho "scontrol $*" >> {tmp_path}/called\n')
    write_program(tmp_path / "mine", "#!/bin/sh\nexit 0\n")
    job = {"SLURM_JOB_ID": "77", "SLURM_ARRAY_JOB_ID": "77", "SLURM_ARRAY_TASK_ID": "3"}
    job |= {"SLURM_ARRAY_TASK_COUNT": "16", "SLURM_SUBMIT_DIR": str(ROOT), "GTRAV": str(tmp_path / "mine")}
    return {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", **job}


def submitted(script, *words, env, cwd):
    """The exit status of a job, and how it called Slurm's programs."""
    (cwd / "called").unlink(missing_ok=True)
    result = execute([SBATCHES / script, *words], env=env, cwd=cwd)
    return result.status, (cwd / "called").read_text().splitlines()


@pytest.mark.parametrize("status", [0, 1, 130])
def test_jobs(status, environment, tmp_path):
    """One that is interrupted is put back into the queue."""
    job = {"env": {**environment, "STATUS": str(status)}, "cwd": tmp_path}
    words = ("kron:26", "out.npy", "--variant", "bitparallel")
    found, (run, *more) = submitted("closeness.sbatch", *words, **job)
    assert found == status and "--kill-on-bad-exit=1" in run
    program = f"{tmp_path}/mine --algo closeness --graph kron:26 --output out.npy --verify first"
    assert program in run and run.endswith("--csv results/local --variant bitparallel")
    assert more == (["scontrol requeue 77"] if status == 130 else [])
    found, (run, *more) = submitted("evaluation.sbatch", "run_bench", "--list", "my.csv", **job)
    assert found == status
    assert run.endswith("scripts/run_all.sh run_bench --offline --share 3/16 --list my.csv")
    assert more == (["scontrol requeue 77_3"] if status == 130 else [])


def test_how_many_shares(environment, tmp_path):
    env = {**environment, "STATUS": "0", "SHARES": "5", "SLURM_ARRAY_TASK_COUNT": "1"}
    _, (run,) = submitted("evaluation.sbatch", "run_bench", env=env, cwd=tmp_path)
    assert "--share 3/5" in run


def test_jobs_that_lack_something(environment):
    for wrong in ({"GTRAV": "/nowhere"}, {"SLURM_ARRAY_TASK_ID": ""}):
        result = execute([SBATCHES / "evaluation.sbatch", "run_bench"], env={**environment, **wrong})
        assert result.status != 0
    assert execute([SBATCHES / "evaluation.sbatch"], env=environment).status == 2
    refused(execute([SBATCHES / "closeness.sbatch", "kron:26"]), "usage")
