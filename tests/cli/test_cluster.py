"""scripts/cluster.sbatch, with programs in place of Slurm's."""

import os

import pytest

from helpers import ROOT, execute, refused, write_program

JOB = ROOT / "scripts" / "cluster.sbatch"


@pytest.fixture
def submitted(tmp_path):
    """Runs a job; returns its exit status and how it called Slurm's programs."""
    write_program(tmp_path / "srun", f'#!/bin/sh\necho "srun $*" >> {tmp_path}/called; exit $STATUS\n')
    write_program(tmp_path / "scontrol", f'#!/bin/sh\necho "scontrol $*" >> {tmp_path}/called\n')

    def run(*words, **environment):
        (tmp_path / "called").unlink(missing_ok=True)
        path = f"{tmp_path}:{os.environ['PATH']}"
        result = execute([JOB, *words], env={**os.environ, "PATH": path, "SLURM_JOB_ID": "77", **environment})
        return result.status, (tmp_path / "called").read_text().splitlines()

    return run


@pytest.mark.parametrize(("status", "again"), [(0, False), (1, False), (130, True), (143, True)])
def test_an_interrupted_job_is_queued_again(status, again, submitted):
    found, (run, *more) = submitted("gtrav", "--graph", "kron:26", STATUS=str(status))
    assert found == status and "--kill-on-bad-exit=1" in run
    assert run.endswith(" gtrav --graph kron:26")
    assert more == ["scontrol requeue 77"] * again


def test_jobs_of_an_array_have_numbers(submitted):
    words = ("run_all.sh", "run_bench", "--list", "part-%a.csv", "--results", "results/part-%a")
    array = {"SLURM_ARRAY_JOB_ID": "70", "SLURM_ARRAY_TASK_ID": "3", "STATUS": "130"}
    _, (run, *more) = submitted(*words, **array)
    assert run.endswith(" run_all.sh run_bench --list part-3.csv --results results/part-3")
    assert more == ["scontrol requeue 70_3"]


def test_a_job_without_a_command():
    refused(execute([JOB]), "usage")
