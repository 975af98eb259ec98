"""Edge lists whose ids are far apart: told before memory is taken, and renumbered when asked to."""

import resource

import pytest

from helpers import complains, gtrav, gtrav_json, gtrav_ok, info, read_mtx

FAR = "0 2147483646\n"


def write(folder, text, name="far.txt"):
    (folder / name).write_text(text)
    return folder / name


def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def test_sparse_ids_are_reported_before_memory_is_taken(tmp_path):
    path = write(tmp_path, FAR)
    result = gtrav(path, "--info", "--threads", "1", preexec_fn=little_memory)
    complains(result, str(path), "2147483646", "2 distinct", "--ids any", "--ids dense")
    complains(gtrav(path, "--info", "--undirected", "--quiet"), "2 distinct")
    complains(gtrav(path, "--info", "--cache", "--quiet"), "2 distinct")
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
        complains(gtrav(path, "--info", "--quiet"), f"only {distinct} distinct")
    else:
        assert info(path)["vertices"] == largest + 1
    assert info(path, "--ids", "dense")["vertices"] == largest + 1
    assert info(path, "--ids", "any")["vertices"] == distinct


IDS = [7, 30, 4_000_000_000, 9_000_000_000_000_000_000]


def test_any_ids_are_names(tmp_path):
    path = write(
        tmp_path, f"{IDS[3]} {IDS[0]}\n{IDS[0]} {IDS[2]}\n{IDS[2]} {IDS[1]} 0.5\n{IDS[1]} {IDS[1]}\n"
    )
    any_ids = (path, "--ids", "any", "--variant", "serial")
    gtrav_ok(path, "--ids", "any", "--write", tmp_path / "n.mtx")
    assert read_mtx(tmp_path / "n.mtx") == (4, {(3, 0), (0, 2), (2, 1)})
    out = tmp_path / "out.csv"
    gtrav_ok("bfs", *any_ids, "--source", IDS[0], "--output", out)
    assert out.read_text() == f"vertex,level\n7,0\n30,2\n{IDS[2]},1\n{IDS[3]},-1\n"
    pairs = write(tmp_path, f"{IDS[3]},{IDS[1]}\n{IDS[1]},{IDS[0]}\n", "pairs.csv")
    reported = gtrav_ok("msbfs", *any_ids, "--pairs", pairs, "--paths", "--verify", "all").out
    assert reported == f"src,dst,length,path\n{IDS[3]},30,3,{IDS[3]} 7 {IDS[2]} 30\n30,7,-1,\n"
    complains(gtrav("bfs", *any_ids, "--source", "0", "--quiet"), "source 0", "ids of its file")
    assert info(path)["vertices"] == 4  # ids that cannot be vertex numbers are names without being told to be
    complains(gtrav("bfs", path, "--ids", "dense", "--quiet"), "too large", "--ids any")
    both = info(path, "--ids", "any", "--undirected")
    assert (both["vertices"], both["edges"], both["self_loops_dropped"]) == (4, 6, 1)


def test_ids_of_64_bits(tmp_path):
    path = write(tmp_path, f"0 1\n1 {2**64 - 1}\n")
    out = tmp_path / "out.csv"
    gtrav_ok("bfs", path, "--source", 2**64 - 1, "--output", out)
    assert out.read_text() == f"vertex,level\n0,-1\n1,-1\n{2**64 - 1},0\n"
    path = write(tmp_path, f"0 1\n1 {-(2**63)}\n-7 1\n")
    gtrav_ok("bfs", path, "--source", "-7", "--output", out)
    assert out.read_text() == f"vertex,level\n{-(2**63)},2\n-7,0\n0,-1\n1,1\n"
    for beyond in (2**64, -(2**63) - 1):
        path = write(tmp_path, f"0 1\n1 {beyond}\n")
        complains(gtrav(path, "--info", "--ids", "any"), f"{path}:2:3", "64 bits", "--ids text")
        assert info(path, "--ids", "text")["vertices"] == 3


def test_binary_files_and_caches_keep_the_ids(tmp_path):
    path = write(tmp_path, FAR)
    kept = tmp_path / "kept.gtrav"
    gtrav_ok(path, "--ids", "any", "--write", kept)
    run = ("bfs", "--variant", "serial", "--source", "2147483646")
    assert gtrav_json(*run, kept)["graph"]["vertices"] == 2
    for _ in range(2):
        cached = gtrav_json(*run, path, "--ids", "any", "--cache")
        assert cached["graph"]["vertices"] == 2
    assert (tmp_path / "far.txt+renumbered.gtrav").exists()
    complains(gtrav(path, "--info", "--cache", "--quiet"), "--ids any")  # the cache is of another numbering


def test_other_inputs_know_their_vertices(tmp_path):
    path = tmp_path / "m.mtx"
    gtrav_ok("path:3", "--write", path)
    gtrav_ok("path:3", "--write", tmp_path / "m.gtrav")
    for ids in ("any", "dense"):
        complains(gtrav(path, "--info", "--ids", ids), str(path), "Matrix Market")
        complains(gtrav("path:3", "--info", "--ids", ids), "path:3", "generator")
        complains(gtrav(tmp_path / "m.gtrav", "--info", "--ids", ids), "m.gtrav")
    big = tmp_path / "big.mtx"
    big.write_text("%%MatrixMarket matrix coordinate pattern general\n2000000 2000000 1\n1 2000000\n")
    assert info(big)["vertices"] == 2_000_000
