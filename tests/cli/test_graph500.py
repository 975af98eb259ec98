"""The Graph500 benchmark: its block of results, and what it refuses."""

import pytest

from helpers import complains, gtrav, gtrav_ok, refused


def names(search):
    """The names of the values in the block of a search, such as "bfs "."""
    found = ["SCALE", "edgefactor", "NBFS", "graph_generation", "num_mpi_processes", "construction_time"]
    for form in (search + " {}_time", "{}_nedge", search + " {}_TEPS", search + " {}_validate"):
        mean, deviation = ("harmonic_mean", "harmonic_stddev") if "TEPS" in form else ("mean", "stddev")
        quartiles = ["min", "firstquartile", "median", "thirdquartile", "max"]
        found += [form.format(name) for name in [*quartiles, mean, deviation]]
    return found


# The reference counts so many edges from each of its 64 keys.
@pytest.mark.parametrize("family,search", {"graph500": "bfs ", "graph500-sssp": "sssp"}.items())
@pytest.mark.parametrize("device,scale,keys,edges", [("cpu", 12, 64, 65327), ("cpu-emulator", 10, 5, 16239)])
def test_the_block_is_the_reference_programs(family, search, device, scale, keys, edges, tmp_path):
    trees = tmp_path / "trees.npy"
    command = f"{family} graph500:{scale} --device {device} --sources {keys} --quiet --output {trees}"
    block = dict(line.split(":") for line in gtrav_ok(command).out.splitlines())
    assert list(block) == names(search)
    block = {name: float(value.strip(" !")) for name, value in block.items()}
    assert (block["SCALE"], block["NBFS"]) == (scale, keys)
    assert block["min_nedge"] == block["max_nedge"] == edges
    assert block[search + " harmonic_mean_TEPS"] == pytest.approx(edges / block[search + " mean_time"], rel=1e-4)
    assert block[search + " max_TEPS"] == pytest.approx(edges / block[search + " min_time"], rel=1e-4)
    assert trees.stat().st_size == 128 + 4 * keys * 2**scale


BUILT = "with self-loops and duplicates, which the GPU makes"
KEYS = "--sources 2 --device cpu-emulator"


@pytest.mark.parametrize("options", ["", "--variant dobfs", "--variant dobfs --set prepare=0", "--set engine=dobfs"])
def test_the_gpu_builds_the_graph(options):
    result = gtrav_ok(f"graph500 graph500:8 {KEYS} {options}")
    assert BUILT in result.err
    assert "min_nedge" in result.out


# These need the host's lists, or write them.
@pytest.mark.parametrize("options", ["--set engine=blest", "--set measure=1", "--variant dobfs,slices"])
def test_the_host_builds_the_graph(options):
    assert BUILT not in gtrav_ok(f"graph500 graph500:6 {KEYS} {options}").err


def test_building_takes_the_memory_that_there_is():
    few = gtrav(f"graph500 graph500:8 {KEYS} --variant dobfs", env={"GTRAV_GPU_MEMORY": "10000"})
    refused(few, "graph500 by dobfs on graph500:8: GPU out of memory", "needed for the lists' records", status=3)


REFUSED = {
    "kron:4 --sources 2": "on kron:4: the benchmark needs the graph of its own generator, graph500:SCALE",
    "graph500:4 --json": "graph500 validates every search and prints one block",
    "graph500:4 --variant warp --device cpu-emulator": "graph500: bfs warp gives no parents",
    "graph500:4 --sources 17": "graph500:4: has fewer than 17 search keys",
}


@pytest.mark.parametrize("command", REFUSED)
def test_refused(command):
    complains(gtrav(f"graph500 {command} --quiet"), REFUSED[command])


def test_shortest_paths_are_refused():
    said = "graph500-sssp validates every search"
    complains(gtrav("graph500-sssp graph500:4 --json --quiet"), said)
    said = "graph500-sssp by serial on kron:4: the benchmark needs the graph of its own generator"
    complains(gtrav("graph500-sssp kron:4 --sources 2 --variant serial --quiet"), said)
