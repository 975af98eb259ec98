"""Many sources measured: what the campaign msbfs runs, and what tables and figures make of its records."""

import sys

from evaluation import records
from evaluation.analyses import msbfs
from evaluation.campaigns import msbfs as campaign
from evaluation.failures import write_failure
from evaluation.records import BEST, read_pairs_records
from evaluation.results import Results

import pytest

from helpers import (
    GTRAV,
    ROOT,
    drawn_in,
    gtrav_json,
    info,
    ok,
    refused,
    rows_of,
    run_mode,
    script,
    write_mtx,
    write_program,
)
from made_up import algorithm, graph_row, make_up, write_list
from made_up_records import HOST

NO_GPU = not any(a["available"] for a in gtrav_json("--list") if a["device"] == "gpu")


# ---- records that are made up ----


def table(folder, make, mode=BEST):
    """A table of path lengths."""
    header, rows = make(msbfs.Measured(Results.read(folder).with_busy().with_mode(mode), "pairs"))
    assert all(len(line) == len(header) for line in rows)
    return header, rows


# ---- runs ----

RUNS = ("msbfs blest-naive", "msbfs blest", "msbfs bitparallel", "msbfs ibfs-workgroup", "bfs auto")
MADE_UP = [
    *(algorithm(*name.split(" "), on_request=["farness"] if name == "msbfs bitparallel" else []) for name in RUNS),
    algorithm("msbfs", "then", "cpu"),
    algorithm("msbfs", "pbfs", "cpu", on_request=["farness"]),
]


def measure(tmp_path, program, *words):
    return script("scripts/measure.py", "msbfs", "--gtrav", program, "--csv", tmp_path / "results", *words)


def runs_of(log, part):
    return [line for line in log.read_text().splitlines() if f"/results/{part}" in line]


def test_what_is_run_on_a_gpu(tmp_path):
    program, log = make_up(tmp_path, MADE_UP)
    result = ok(measure(tmp_path, program, "--graph", "web", "--pairs", "1,100000", "--gpus", "1,4", "--", "--fresh"))
    assert "left out, not in this gtrav: msbfs blest-a, msbfs blest-ab, msbfs perblock, msbfs auto" in result.err
    batches = runs_of(log, "batches")
    assert "--algo msbfs --variant blest,bitparallel --device gpu --sources 64 " in batches[3]
    assert len(batches) == 2 * 3 + 1 and all(line.endswith("--fresh") for line in batches)
    assert "--variant blest-naive,blest --device gpu --set mode=paper --sources 256" in batches[-1]
    assert "--algo msbfs --variant blest-naive,blest,bitparallel --device gpu --sources 256" in batches[0]
    assert "--algo bfs --variant auto --device gpu --sources 256" in batches[1]
    assert "--algo msbfs --variant then --device cpu --sources 256" in batches[2]
    assert [line.partition("--algo closeness --variant ")[2].split()[0] for line in runs_of(log, "closeness")] == [
        "bitparallel"
    ] * 2
    assert "--gpus 4 --csv" in runs_of(log, "closeness-4")[0]
    pairs = runs_of(log, "pairs")
    assert [line.partition("--variant ")[2].partition(" ")[0] for line in pairs] == [
        *("ibfs-workgroup,bitparallel", "then,pbfs", "auto", "ibfs-workgroup")
    ] * 2
    assert "--verify all" in pairs[0] and "--verify first" in pairs[-1]
    assert ["--set mode=paper" in line for line in pairs] == [False, False, False, True] * 2
    assert all("--repeats 5 --time-limit 60" in line for line in pairs)


def test_what_a_limit_has_ended(tmp_path):
    """Pairs that a limit as long has ended are not run again."""
    program, log = make_up(tmp_path, [*MADE_UP, algorithm("msbfs", "auto")])
    words = ("pairs", "--graph", "web", "--pairs", "7", "--time-limit", "9")
    assert measure(tmp_path, program, *words).status == 0
    assert "--variant ibfs-workgroup,bitparallel,auto --device gpu " in runs_of(log, "pairs")[0]
    late = {"graph": "web", "family": "msbfs", "variant": "pbfs", "device": HOST, "pairs": "7"}
    message = "web: time limit of 9 s: 1 of 7 searches were begun"
    folder = tmp_path / "results" / "pairs" / HOST
    write_failure(folder, **late, reason="time limit", message=message)
    for limit, variants in (("9", "then"), ("10", "then,pbfs")):
        log.write_text("")
        assert measure(tmp_path, program, *words[:-1], limit).status == 0
        assert f"--variant {variants} --device cpu" in runs_of(log, "pairs")[1]


def test_pairs_that_take_too_long(tmp_path):
    """By the real program: the limit is a result, in the table, too. Serial takes 8 s on a core and pbfs .5 s."""
    words = ("pairs", "--graph", "kron:14", "--device", "cpu", "--pairs", "1,60000", "--time-limit", "3")
    result = ok(measure(tmp_path, GTRAV, *words, "--repeats", "1"))
    assert "time limit of 3 s" in result.err
    header, rows = table(tmp_path / "results", msbfs.path_lengths)
    cells = {line[1]: dict(zip(header, line)) for line in rows}
    assert cells[1]["serial"] > 0
    assert cells[60000]["serial"] == "over 3 s" and cells[60000]["pbfs"] > 0
    again = measure(tmp_path, GTRAV, *words, "--repeats", "1")
    assert again.status == 0 and "pairs, msbfs" not in again.err


def test_lists_of_graphs(tmp_path):
    program, log = make_up(tmp_path, MADE_UP)
    graphs = tmp_path / "graphs"
    rows = [graph_row("kron:8", ""), graph_row("a", stand_in="kron:8"), graph_row("b", stand_in="path:9")]
    wanted = write_list(tmp_path / "list.csv", [*rows, graph_row("c")])
    options = ("batches", "--list", wanted, "--graphs", graphs, "--stand-ins", "--sources", "8")
    refused(measure(tmp_path, program, *options), "failed: c batches: no such graph here", status=1)
    reported = [line.partition("--graph ")[2].partition(" ")[0] for line in log.read_text().splitlines()]
    assert reported == ["kron:8"] * 4 + ["path:9"] * 4


def test_pairs_files(tmp_path):
    facts = {"name": "a/b", "vertices": 1000}
    few, many = (campaign.write_pairs(tmp_path, facts, count) for count in (3, 30))
    assert few.name == "a_b-3.csv"
    origin, header, *lines = few.read_text().splitlines()
    assert origin.startswith("# 3 pairs of the 1000 vertices of a/b, uniform, seed '27491095 a/b'")
    assert header == "src,dst" and lines == many.read_text().splitlines()[2:5]
    assert lines == ["113,358", "642,142", "260,633"]


# A program of others that searches, and lies if it is told to.
LENGTHS = """#!{python}
import sys
import numpy as np
words = {{"o": np.uint64, "t": np.uint32, "p": np.uint32}}
offsets, targets, pairs = (np.fromfile(path, kind) for path, kind in zip(sys.argv[1:], words.values()))
pairs = pairs.reshape(-1, 2)
found = []
for source, destination in pairs.tolist():
    levels, queue = {{source: 0}}, [source]
    for u in queue:
        for v in targets[int(offsets[u]) : int(offsets[u + 1])].tolist():
            if v not in levels:
                levels[v] = levels[u] + 1
                queue.append(v)
    found.append(levels.get(destination, -1))
if "{lie}" == "one": found[2] += 1
if "{lie}" == "short": found = found[:-1]
if "{lie}" != "none": np.array(found, np.int32).tofile(sys.argv[4])
for repeat in range(int(sys.argv[5])):
    print("search_ms", 5 - repeat)
    if "{lie}" != "silent": print("total_ms", 50 - repeat)
print("version abc")
if "{lie}" == "crash": sys.exit("no such GPU")
"""


def by_program(tmp_path, lie, *words):
    """Paths on a directed graph, some pairs of which have none."""
    graph = write_mtx(tmp_path / "g.mtx", 9, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 4), (7, 8)])
    program = write_program(tmp_path / "program", LENGTHS.format(python=sys.executable, lie=lie))
    options = ("--graph", graph, "--device", "cpu", "--pairs", "30", "--repeats", "4")
    result = measure(tmp_path, GTRAV, "pairs", *options, "--program", f"other={program}", *words)
    found = tmp_path.glob("results/pairs/*/msbfs_other_pairs.csv")
    rows = [row for path in found for row in read_pairs_records(path)]
    return result, rows


def test_a_program_of_others_that_is_right(tmp_path):
    result, (row,) = by_program(tmp_path, "")
    ok(result)
    assert (row["variant"], row["pairs"], row["verified"], row["version"]) == ("other", "30", "all", "abc")
    times = ("time_ms", "kernel_ms", "total_ms", "prepare_ms", "min_time_ms", "max_time_ms")
    assert [float(row[name]) for name in times] == [3, 3, 48, 45, 2, 5]  # of the lower median
    rows = records.load([tmp_path / "results"]).set_index("variant")  # busy machines' rows, too
    assert float(rows.total_ms["other"]) == 48 and float(rows.total_ms["pbfs"]) > 0
    (right,) = rows_of(next(tmp_path.glob("results/pairs/*/msbfs_pbfs_pairs.csv")))
    assert all(row[name] == right[name] for name in ("graph", "graph_hash", "sources", "cores"))
    again, _ = by_program(tmp_path, "crash")
    assert again.status == 0  # it is in the records
    fresh, _ = by_program(tmp_path, "crash", "--", "--fresh")
    assert fresh.status == 1 and "it ended with status 1: no such GPU" in fresh.err


@pytest.mark.parametrize(
    ("lie", "reason", "verified"),
    [
        ("one", "1 of 30 lengths wrong", ["FAILED"]),
        ("short", "1 of 30 lengths wrong", ["FAILED"]),
        ("none", "it wrote no lengths", []),
        ("silent", "it told 0 of 4 total_ms", []),
    ],
)
def test_a_program_of_others_that_is_wrong(lie, reason, verified, tmp_path):
    result, rows = by_program(tmp_path, lie)
    assert result.status == 1 and f"g: 30 pairs, other: FAILED: {reason}" in result.err
    assert [row["verified"] for row in rows] == verified
    assert "msbfs other" not in set(msbfs.Measured(Results.read(tmp_path / "results"), "pairs").rows.name)


@pytest.mark.parametrize(
    ("words", "reason"),
    [("other=/no/such", "not NAME=FILE with the file"), (f"pbfs={GTRAV}", "gtrav has a variant of this name")],
)
def test_a_program_that_cannot_be_named(words, reason, tmp_path):
    refused(measure(tmp_path, GTRAV, "pairs", "--graph", "path:9", "--program", words), reason)


def test_measured_once(tmp_path):
    """By the real program: what is there is left alone, what is not is added, lengths are the same."""
    words = ("pairs", "closeness", "--graph", "kron:6", "--device", "cpu", "--pairs")
    result = ok(measure(tmp_path, GTRAV, *words, "5"))
    assert result.err.count("5 pairs, msbfs then,pbfs,serial") == 1 and result.err.count("closeness by") == 1
    again = measure(tmp_path, GTRAV, *words, "5,6")
    assert again.status == 0 and "kron:6: 5 pairs" not in again.err and "closeness by" not in again.err
    assert again.err.count("6 pairs, msbfs then,pbfs,serial") == 1
    fresh = measure(tmp_path, GTRAV, *words, "5", "--", "--fresh")
    assert "kron:6: 5 pairs" in fresh.err and "closeness by" in fresh.err
    (file,) = tmp_path.glob("results/pairs/*/msbfs_pbfs_pairs.csv")
    assert [row["pairs"] for row in read_pairs_records(file)] == ["5", "6"]
    assert {row["verified"] for row in read_pairs_records(file)} == {"all"}


def test_graphs_of_the_thesis():
    """Its table 5.1, and what is generated has these counts."""
    rows = rows_of(ROOT / "dataset" / "snb_list.csv")
    assert [row["name"] for row in rows] == [f"snb:{scale}" for scale in (1, 3, 10, 30, 100, 300)]
    assert (rows[-1]["vertices"], rows[-1]["edges"]) == ("1230500", str(2 * 68313982))
    for row in rows[:2]:
        facts = info(row["name"])
        assert (str(facts["vertices"]), str(facts["edges"])) == (row["vertices"], row["edges"])


# ---- the mode ----


@pytest.mark.slow
def test_run_msbfs_on_a_gpu(tmp_path):
    program, log = make_up(tmp_path, MADE_UP)
    wanted = write_list(tmp_path / "list.csv", [graph_row("kron:8", "")])
    words = ("--list", wanted, "--gpus", "2", "--", "--threads", "3")
    ok(run_mode(tmp_path, "run_msbfs", *words, program=program))
    runs = log.read_text().splitlines()
    assert all(line.endswith("--threads 3") and "--graph kron:8" in line for line in runs)
    on_gpu, in_thesis, on_cpu, one_by_one = [len(campaign.PAIRS)] * 4
    assert len(runs) == 2 * 3 + 1 + 1 + on_gpu + in_thesis + on_cpu + one_by_one
    assert drawn_in(tmp_path / "figures") == {"fig_blest_table_6"}


@pytest.mark.slow
@pytest.mark.skipif(not NO_GPU, reason="there is a GPU")
def test_run_msbfs_without_a_gpu(tmp_path):
    result = ok(run_mode(tmp_path, "run_msbfs", "--", "--verify", "all"))
    assert not (tmp_path / "figures").exists()  # all compare with a GPU
    header, _ = table(tmp_path / "results", msbfs.path_lengths)
    assert "pbfs" in header and not any(name.startswith("ibfs-") for name in header)
    assert "times are no GPU times" in result.err
