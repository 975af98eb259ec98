"""Of several processes one reads the graph and puts it in order, and the others get copies."""

import pytest

from helpers import GTRAV, algorithms, execute, gtrav_ok, ok, rows_of
from mpi import environment, mpirun, mpirun_each, needs_mpi

PERSONS = "Person1Id|Person2Id\n" + "".join(f"{700 + 3 * i}|{700 + 3 * (i * i % 40)}\n" for i in range(1, 40))
CLOSENESS = "closeness --quiet --verify all --output out.npy"


def two_folders(folder, line):
    """Two processes, in folders here and there."""
    (folder / "there").mkdir(exist_ok=True)
    command = [GTRAV, *line.split()]
    return mpirun_each(command, ["env", "-C", "there", *command], cwd=folder)


def reported(run):
    """What both processes complain of, in one line."""
    (line,) = (line for line in run.err.splitlines() if line.startswith("gtrav: "))
    assert run.status == 2
    return line


def put_graphs(folder):
    (folder / "persons.csv").write_text(PERSONS)
    for line in (
        "kron:8 --write plain.mtx",
        "kron:8 --write plain.gtrav",
        "persons.csv --reorder rcm --write o.gtrav",
    ):
        gtrav_ok(f"{line} --quiet", cwd=folder)


@pytest.mark.slow
@needs_mpi
@pytest.mark.parametrize("order", ["", "--reorder random:5", "--reorder natural"])
def test_a_file_that_one_process_sees(order, tmp_path):
    """Text, mapped, with ids, in an order of the file's own, and in one that is asked for."""
    put_graphs(tmp_path)
    for graph in ("plain.mtx", "plain.gtrav", "persons.csv", "o.gtrav"):
        asked = f"{CLOSENESS} --variant then --graph {graph} {order}"
        gtrav_ok(asked, cwd=tmp_path)
        alone = (tmp_path / "out.npy").read_bytes()
        (tmp_path / "out.npy").unlink()
        run = two_folders(tmp_path, asked)
        assert run.status == 0, (graph, run.err)
        assert (tmp_path / "out.npy").read_bytes() == alone, graph
    assert not list((tmp_path / "there").iterdir()), "the other process writes nothing"


@needs_mpi
def test_pairs_of_a_file_that_one_process_sees(tmp_path):
    """Pairs have the ids of the file, which each process must have."""
    put_graphs(tmp_path)
    (tmp_path / "there").mkdir()
    for folder in (tmp_path, tmp_path / "there"):
        (folder / "pairs.csv").write_text("703,733\n739,703\n817,700\n")
    asked = "msbfs o.gtrav --variant serial --pairs pairs.csv --paths --quiet --verify all"
    run = ok(two_folders(tmp_path, asked))
    assert run.out == gtrav_ok(asked, cwd=tmp_path).out


@pytest.mark.slow
@needs_mpi
def test_processes_with_different_tasks():
    """What is shared must be one graph."""
    command = [GTRAV, "closeness", "--variant", "then", "--quiet"]
    assert "different tasks" in reported(mpirun_each([*command, "path:4"], [*command, "path:5"]))


@needs_mpi
def test_one_process_orders_for_all(tmp_path):
    """Variants that take an order by themselves get it too."""
    if not any(a["emulated"] for a in algorithms()):
        pytest.skip("gtrav is built without the emulator")
    asked = f"{CLOSENESS} --variant blest --device cpu-emulator --graph kron:8"
    gtrav_ok(asked, cwd=tmp_path)
    alone = (tmp_path / "out.npy").read_bytes()
    ok(mpirun(3, *asked.split(), cwd=tmp_path))
    assert (tmp_path / "out.npy").read_bytes() == alone


@needs_mpi
def test_reading_the_graph_keeps_the_threads_that_are_asked_for(tmp_path):
    """Rank 0 reads with the processors of the others, unless the user names a number of threads."""
    asked = ("closeness", "kron:8", "--threads", "3", "--csv", tmp_path, "--quiet")
    ok(execute(["mpirun", "--bind-to", "none", "-n", 2, GTRAV, *asked], env=environment()))
    (path,) = tmp_path.glob("*/*_perf.csv")
    assert [row["threads"] for row in rows_of(path)] == ["3"]
