"""Edge lists whose ids are far apart: reported before memory is taken, and renumbered when asked to."""

import resource

import pytest

from helpers import complains, gtrav, gtrav_ok, info, read_mtx

FAR = "0 2147483646\n"


def write(folder, text, name="far.txt"):
    (folder / name).write_text(text)
    return folder / name


def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def test_sparse_ids_are_reported_before_memory_is_taken(tmp_path):
    path = write(tmp_path, FAR)
    result = gtrav("--info --threads 1", path, preexec_fn=little_memory)
    complains(result, str(path), "2147483646", "2 distinct", "--ids any", "--ids dense")
    complains(gtrav("--info --undirected --quiet", path), "2 distinct")
    complains(gtrav("--info --cache --quiet", path), "2 distinct")
    assert list(tmp_path.iterdir()) == [path]


# The largest id, how many distinct ids there are, and whether that is sparse: more than a million vertices,
# and more than 16 for each id.
RULE = [(999_999, 2, False), (1_000_000, 2, True), (1_599_999, 100_000, False), (1_600_000, 100_000, True)]


@pytest.mark.parametrize(("largest", "distinct", "sparse"), RULE)
@pytest.mark.parametrize("loops", [False, True])
def test_the_rule(largest, distinct, sparse, loops, tmp_path):
    lines = [f"{v} {v if loops else v + 1}" for v in range(distinct - (1 if loops else 2))]
    path = write(tmp_path, "\n".join([*lines, f"{0 if loops or distinct == 2 else 1} {largest}"]) + "\n")
    if sparse:
        complains(gtrav("--info --quiet", path), f"only {distinct} distinct")
    else:
        assert info(path)["vertices"] == largest + 1
    assert info(path, "--ids", "dense")["vertices"] == largest + 1
    assert info(path, "--ids", "any")["vertices"] == distinct


def test_any_ids_are_names(tmp_path):
    high, higher = 4_000_000_000, 9_000_000_000_000_000_000
    path = write(tmp_path, f"{higher} 7\n7 {high}\n{high} 30 0.5\n30 30\n")
    gtrav_ok("--ids any", path, "--write", tmp_path / "n.mtx")
    assert read_mtx(tmp_path / "n.mtx") == (4, {(3, 0), (0, 2), (2, 1)})
    out = tmp_path / "out.csv"
    gtrav_ok("bfs --ids any --source 7", path, "--output", out)
    assert out.read_text() == f"vertex,level\n7,0\n30,2\n{high},1\n{higher},-1\n"
    pairs = write(tmp_path, f"{higher},30\n30,7\n", "pairs.csv")
    lengths = gtrav_ok("msbfs --ids any --paths --verify all", path, "--pairs", pairs).out
    assert lengths == f"src,dst,length,path\n{higher},30,3,{higher} 7 {high} 30\n30,7,-1,\n"
    complains(gtrav("bfs --ids any --source 0 --quiet", path), "source 0", "ids of its file")
    assert info(path)["vertices"] == 4  # ids that cannot be vertex numbers are names without an option
    complains(gtrav("bfs --ids dense --quiet", path), "too large", "--ids any")
    both = info(path, "--ids", "any", "--undirected")
    assert (both["vertices"], both["edges"], both["self_loops_dropped"]) == (4, 6, 1)


def test_ids_of_64_bits(tmp_path):
    out = tmp_path / "out.csv"
    path = write(tmp_path, f"0 1\n1 {2**64 - 1}\n")
    gtrav_ok("bfs", path, "--source", 2**64 - 1, "--output", out)
    assert out.read_text() == f"vertex,level\n0,-1\n1,-1\n{2**64 - 1},0\n"
    path = write(tmp_path, f"0 1\n1 {-(2**63)}\n-7 1\n")
    gtrav_ok("bfs --source -7", path, "--output", out)
    assert out.read_text() == f"vertex,level\n{-(2**63)},2\n-7,0\n0,-1\n1,1\n"
    for beyond in (2**64, -(2**63) - 1):
        path = write(tmp_path, f"0 1\n1 {beyond}\n")
        complains(gtrav("--info --ids any", path), f"{path}:2:3", "64 bits", "--ids text")
        assert info(path, "--ids", "text")["vertices"] == 3


def test_other_inputs_know_their_vertices(tmp_path):
    text = "%%MatrixMarket matrix coordinate pattern general\n2000000 2000000 1\n1 2000000\n"
    write(tmp_path, text, "m.mtx")
    gtrav_ok("path:3 --write m.gtrav", cwd=tmp_path)
    for ids in ("any", "dense"):
        for graph, word in (("m.mtx", "Matrix Market"), ("path:3", "generator"), ("m.gtrav", "m.gtrav")):
            complains(gtrav(f"{graph} --info --ids {ids}", cwd=tmp_path), graph, word)
    assert info(tmp_path / "m.mtx")["vertices"] == 2_000_000
