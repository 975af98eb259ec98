"""Many devices: several emulated GPUs of one process, and several processes under MPI, give what one gives,
also when one of them dies and the rest is done by another number of them."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

import mpi
from helpers import DEVICE, GTRAV, complains, gtrav, gtrav_json, gtrav_ok, ok, read_json, rows_in

FARNESS = [a for a in gtrav_json("--list") if a["family"] == "msbfs" and "farness" in a["on_request"]]
EMULATED = [a for a in FARNESS if a["emulated"]]
SHARED = [a for a in EMULATED if a["variant"] in ("bitparallel", "blest")]  # by other engines likewise
ON_CPU = [a for a in FARNESS if a["device"] == "cpu" and DEVICE == "auto"]
IDS = {"ids": lambda a: a["variant"]}
RANKS = 3

needs_emulator = pytest.mark.skipif(not EMULATED, reason="gtrav is built without the emulator")


def closeness(algorithm, graph):
    device = "--device cpu-emulator" if algorithm["emulated"] else ""
    return f"closeness {graph} --variant {algorithm['variant']} {device} --quiet"


def json_of(result):
    assert result.status == 0, result.err
    return read_json(result.out)


# ---- one process ----


@pytest.mark.parametrize("algorithm", SHARED, **IDS)
def test_closeness_by_several_gpus(algorithm, tmp_path):
    asked = f"{closeness(algorithm, 'kron:7')} --set seed=3"
    gtrav_ok(f"{asked} --output one.npy", cwd=tmp_path)
    for gpus, count in (("all", 4), ("2,0", 2)):
        run = gtrav_json(f"{asked} --gpus {gpus} --verify all --output", tmp_path / "many.npy")
        assert (run["devices"], run["verified"]) == (count, "all")
        assert (tmp_path / "many.npy").read_bytes() == (tmp_path / "one.npy").read_bytes()


@pytest.mark.parametrize(
    "where",
    [
        pytest.param("--variant then", id="cpu"),
        pytest.param("--device cpu-emulator", id="one", marks=needs_emulator),
        pytest.param("--device cpu-emulator --gpus 3", id="three", marks=needs_emulator),
    ],
)
def test_figures_of_closeness_agree(where, tmp_path):
    """They are of one value, the elapsed time over the sources, however many devices share the work."""
    gtrav_ok(f"closeness kron:7 {where} --quiet --csv", tmp_path)
    (row,) = rows_in(tmp_path, "*/closeness_*_perf.csv")
    for kind in ("time", "kernel"):
        assert len({row[f"{name}_{kind}_ms"] for name in ("mean", "median", "min", "max")}) == 1


def some_pairs(path, num_vertices):
    path.write_text("".join(f"{v * 7 % num_vertices},{v * v % num_vertices}\n" for v in range(200)))
    return path


@needs_emulator
@pytest.mark.parametrize("paths", ["", "--paths"], ids=["lengths", "paths"])
def test_pairs_by_several_gpus(paths, tmp_path):
    pairs = some_pairs(tmp_path / "pairs.csv", 128)
    asked = f"msbfs kron:7 --variant bitparallel --device cpu-emulator --pairs {pairs} --verify all --quiet"
    assert gtrav_ok(f"{asked} {paths} --gpus 3").out == gtrav_ok(f"{asked} {paths}").out


@needs_emulator
def test_gpus_that_are_none():
    asked = f"{closeness(EMULATED[0], 'path:4')} --gpus"
    for line, *words in (
        (f"{asked} 99", "--gpus 99", "a number from 1 to"),
        (f"{asked} 0", "--gpus 0"),
        (f"{asked} 0,99", "--gpus 0,99", "numbered from 0 to"),
        (f"{asked} 0,0", "0 is named twice"),
        ("closeness path:4 --variant then --gpus 2 --quiet", "runs on the CPU, on all its cores"),
        ("dfs path:4 --gpus 2 --quiet", "--gpus is for --algo closeness and --pairs"),
    ):
        complains(gtrav(line), *words)


@needs_emulator
def test_one_of_several_gpus_fails(tmp_path):
    """No memory on any of them, from some allocation on."""
    for number in range(1, 12, 3):
        failing = {**os.environ, "GTRAV_EMULATOR_FAIL_AT": str(number)}
        result = gtrav(f"{closeness(EMULATED[0], 'kron:7')} --gpus 3", env=failing, cwd=tmp_path)
        complains(result, "device", "out of memory", status=3)


# ---- several processes ----


@pytest.mark.slow
@mpi.needs_mpi
@pytest.mark.parametrize("algorithm", SHARED + ON_CPU, **IDS)
def test_closeness_by_ranks(algorithm, tmp_path):
    asked = [*closeness(algorithm, "kron:7").split(), "--output"]
    gtrav_ok(*asked, "one.npy", cwd=tmp_path)
    run = json_of(mpi.mpirun(RANKS, *asked, "many.npy", "--json", "--csv", "r", "--verify", "all", cwd=tmp_path))
    assert (run["devices"], run["verified"]) == (RANKS, "all")
    assert (tmp_path / "many.npy").read_bytes() == (tmp_path / "one.npy").read_bytes()
    (row,) = rows_in(tmp_path, "r/*/closeness_*_perf.csv")
    assert (row["devices"], row["sources"]) == (str(RANKS), "128")
    assert row["options"].endswith(f"devices={RANKS}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many.npy", "one.npy", "r"]


@pytest.mark.slow
@mpi.needs_mpi
@pytest.mark.parametrize("paths", [[], ["--paths"]], ids=["lengths", "paths"])
def test_pairs_by_ranks(paths, tmp_path):
    pairs = some_pairs(tmp_path / "pairs.csv", 1024)
    emulated = ["--variant bitparallel --device cpu-emulator"] if EMULATED else []
    for algorithm in ("--variant serial", *emulated):
        asked = f"msbfs kron:10 {algorithm} --pairs {pairs} --verify all --quiet".split()
        many = ok(mpi.mpirun(RANKS, *asked, *paths))
        assert many.out == gtrav_ok(*asked, *paths).out


@pytest.mark.slow
@mpi.needs_mpi
def test_ranks_complain_once():
    """One line, however many they are; mpirun adds its own."""
    for line, word in (
        ("bfs path:4", "3 processes: only --algo closeness and --pairs"),
        ("closeness --graph nothing.mtx", "nothing.mtx: cannot open"),
        ("--algo closenes path:4", "did you mean 'closeness'?"),
        ("closeness path:4 --variant then --source 1,1", "1 is named twice"),
    ):
        result = mpi.mpirun(RANKS, *line.split(), "--quiet")
        assert result.status != 0 and result.out == ""
        reported = [word in line for line in result.err.splitlines() if line.startswith("gtrav: ")]
        assert reported == [True], result.err


def children(process):
    """The ids of a process's children, lowest first."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
        if int(fields["PPid"]) == process.pid:
            found.append(int(fields["Pid"]))
    return sorted(found)


@pytest.mark.slow
@mpi.needs_mpi
def test_a_rank_dies(tmp_path):
    """Killed in three ranks, then in two, told to stop, and stopped, as if its host had vanished: the others notice
    that it is silent. One process does the rest."""
    ways = ((3, 2, signal.SIGKILL), (2, 0, signal.SIGKILL), (2, 1, signal.SIGTERM), (2, 1, signal.SIGSTOP))
    for ranks, victim, stop in ways:
        command = ["mpirun", "-n", str(ranks), GTRAV, *mpi.LONG, "serial"]
        process = subprocess.Popen(command, cwd=tmp_path, env=mpi.environment(), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)  # fmt: skip
        mpi.wait_until_kept(process, tmp_path)
        os.kill(children(process)[victim], stop)
        _, said = process.communicate(timeout=mpi.PATIENCE)
        assert process.returncode != 0 and "goes on from many.npy.checkpoint" in said, (victim, stop, said)
        assert ("no word from rank 1" in said) == (stop == signal.SIGSTOP), said
        assert not (tmp_path / "many.npy").exists()
    kept = mpi.sources_done(tmp_path)
    mpi.check_went_on(tmp_path, kept, gtrav_ok(*mpi.LONG, "then", cwd=tmp_path).err)


@needs_emulator
@mpi.needs_mpi
def test_ranks_with_different_numbers_of_devices(tmp_path):
    """One process with one GPU and one with two: whether GPUs join is a question to all ranks."""
    asked = [*closeness(EMULATED[0], "kron:7").split(), "--output"]
    gtrav_ok(*asked, "one.npy", cwd=tmp_path)
    program = [GTRAV, *asked, "many.npy", "--json"]
    for first, second in (("1", "2"), ("2", "1")):
        run = json_of(mpi.mpirun_each([*program, "--gpus", first], [*program, "--gpus", second], cwd=tmp_path))
        assert run["devices"] == 3
        assert (tmp_path / "many.npy").read_bytes() == (tmp_path / "one.npy").read_bytes()


@mpi.needs_mpi
def test_ranks_of_different_versions(tmp_path):
    version = gtrav_json("bfs", "path:2", "--variant", "serial")["version"].encode()
    program = Path(GTRAV).read_bytes()
    assert version + b"\0" in program
    (tmp_path / "other").write_bytes(program.replace(version + b"\0", b"0" * len(version) + b"\0"))
    (tmp_path / "other").chmod(0o755)
    asked = (*mpi.LONG, "then", "--quiet")
    result = mpi.mpirun_each([GTRAV, *asked], [tmp_path / "other", *asked])
    reported = [line for line in result.err.splitlines() if line.startswith("gtrav: ")]
    assert (result.status, len(reported)) == (2, 1), result.err
    assert "different versions of gtrav" in reported[0]


@pytest.mark.slow
@mpi.needs_mpi
def test_nothing_happens(tmp_path):
    """A run that is long enough for checkpoints: what other ranks give to rank 0 is in the sums once."""
    asked = ("--algo", "closeness", "--graph", "kron:14", "--sources", "6000", "--threads", "1", "--quiet")
    gtrav_ok(*asked, "--output", "one.npy", "--variant", "then", cwd=tmp_path)
    command = ["mpirun", "-n", "2", GTRAV, *asked, "--output", "many.npy", "--variant", "serial"]
    process = subprocess.Popen(command, cwd=tmp_path, env=mpi.environment(), stdout=subprocess.DEVNULL)
    kept = 0
    while process.poll() is None:
        kept = max(kept, mpi.sources_done(tmp_path))
        time.sleep(0.02)
    assert process.returncode == 0 and kept > 0
    assert (tmp_path / "many.npy").read_bytes() == (tmp_path / "one.npy").read_bytes()


def test_started_as_one_of_several():
    """Without MPI each process would do all of it."""
    if "MPI: yes" in gtrav_ok("--version").out:
        pytest.skip("gtrav is built with MPI")
    result = gtrav("--list", env={**os.environ, "OMPI_COMM_WORLD_SIZE": "3"})
    complains(result, "built without MPI", "--gpus all")
