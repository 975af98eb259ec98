"""The Slurm script, with programs in place of Slurm's, and the script that measures many devices."""

import os
import re
import subprocess

import pytest

from helpers import DEVICE, GTRAV, ROOT, execute, gtrav_json, script
from mpi import needs_mpi

SBATCH = ROOT / "scripts" / "slurm" / "closeness.sbatch"
HAS_EMULATOR = any(a["emulated"] for a in gtrav_json("--list"))


def put_program(folder, name, body):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@pytest.mark.parametrize("status", [0, 1, 130])
def test_closeness_by_slurm(status, tmp_path):
    put_program(tmp_path, "srun", f'echo "srun $*" >> called; exit {status}')
    put_program(tmp_path, "scontrol", 'echo "scontrol $*" >> called')
    env = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "SLURM_JOB_ID": "77",
        "GTRAV": "/opt/gtrav",
    }
    result = execute([SBATCH, "kron:26", "out.npy", "--variant", "bitparallel"], env=env, cwd=tmp_path)
    assert result.status == status, result.err
    called = (tmp_path / "called").read_text().splitlines()
    assert "--kill-on-bad-exit=1" in called[0]
    assert "/opt/gtrav --algo closeness --graph kron:26 --output out.npy --verify first" in called[0]
    assert called[0].endswith("--csv results/local --variant bitparallel")
    assert called[1:] == (["scontrol requeue 77"] if status == 130 else [])


def test_slurm_script_needs_a_graph():
    subprocess.run(["bash", "-n", SBATCH], check=True)
    result = execute([SBATCH, "kron:26"])
    assert result.status == 2 and "usage" in result.err


@needs_mpi
def test_scaling_of_processes():
    """By root, too, as tests in containers are."""
    asked = ("kron:6", "--gpus", "2", "--by", "ranks", "--", "--variant", "then", "--quiet")
    result = script("scripts/scaling_devices.py", *asked, env={**os.environ, "GTRAV": GTRAV})
    assert result.status == 0, result.err
    assert re.search(r"^\| kron:6 \| ranks \| +2 ", result.out, re.MULTILINE)


@pytest.mark.skipif(DEVICE == "gpu" or not HAS_EMULATOR, reason="for the emulator")
def test_scaling_of_devices(tmp_path):
    extra = ("--", "--variant", "bitparallel", "--device", "cpu-emulator", "--quiet")
    asked = ("kron:6", "--gpus", "1,3", "--by", "threads", "--csv", tmp_path)
    result = script("scripts/scaling_devices.py", *asked, *extra, env={**os.environ, "GTRAV": GTRAV})
    assert result.status == 0, result.err
    _, _, *rows = result.out.splitlines()
    assert [[cell.strip() for cell in row.split("|")][1:4] for row in rows] == [
        ["kron:6", "threads", "1"],
        ["kron:6", "threads", "3"],
    ]
    (file,) = tmp_path.glob("threads/*/closeness_rows_perf.csv")
    assert len(file.read_text().splitlines()) == 3
