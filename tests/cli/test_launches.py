"""`gtrav compare`: launches started in turns, and records of launches. test_interval.py tests the interval."""

import json
import math
import os
import random
import re

import pytest

from helpers import complains, gtrav, gtrav_ok, rows_in
from made_up_records import row, write

QUIET = {"cores": "8", "busy_cores": "0", "throttled": "0", "threads": "1", "clock_limits": ""}


def launches(folder, factors, first_turn=1, graph="kron:9", **values):
    """Records of a launch for each factor, of three sources that take 1, 2 and 4 ms times the factor."""
    for i, factor in enumerate(factors):
        known = {"source_list": "gap", "trial_edges": "7*3", "small_reach": "", "batch_sources": "", "repeats": "3"}
        known.update(QUIET, trial_ms=" ".join(str(ms * factor) for ms in (1, 2, 4)), graph_hash="ab", machine="m")
        known.update(launch=f"{folder.name}{i}", turn=first_turn + 2 * i, build="b", driver="5")
        known.update(values)
        line = {
            name: text for name, text in row(graph, known.pop("variant", "v4"), 1, **known).items() if name != "check"
        }
        write(folder, [line])


def compare(folder, *options, status=0):
    result = gtrav("compare", folder / "old", folder / "new", "--json", *options)
    assert result.status == status, result.err
    return json.loads(result.out)


def table_of(folder):
    return gtrav_ok("compare", folder / "old", folder / "new").out


def near(middle, count=6):
    """Factors that differ a little, in any order."""
    factors = [middle * (1 + 0.001 * i) for i in range(count)]
    random.Random(1).shuffle(factors)
    return factors


@pytest.mark.parametrize(
    "new, verdict",
    [(near(1.0), "same"), (near(1.1), "slower"), (near(0.9), "faster"), ([0.8, 0.9, 1, 1.1, 1.2, 1.3], "unclear")],
)
def test_verdicts(new, verdict, tmp_path):
    launches(tmp_path / "old", [9])  # the next row of this launch supersedes it
    launches(tmp_path / "old", near(1.0))
    launches(tmp_path / "new", new, first_turn=2)
    (found,) = compare(tmp_path)
    assert (found["verdict"], found["sources"], found["remark"]) == (verdict, 3, "")
    low, high = found["interval"]
    assert low <= found["ratio"] <= high and found["ratio"] == pytest.approx(sum(new) / sum(near(1.0)), rel=0.01)
    assert found["old"]["launches"] == 6 and found["old"]["ms"] == pytest.approx(7 / 3 * 1.0025, rel=1e-4)
    assert (found.get("launches_needed", 0) > 6) == (verdict == "unclear")
    compare(tmp_path, "--fail-if", "slower", status=1 if verdict == "slower" else 0)


def test_no_margin_is_never_the_same(tmp_path):
    launches(tmp_path / "old", near(1.0))
    launches(tmp_path / "new", near(1.0), first_turn=2)
    assert [found["verdict"] for found in compare(tmp_path, "--same", "0")] == ["unclear"]


@pytest.mark.parametrize("count, verdict", [(1, "one launch"), (2, "too few launches"), (3, "too few launches")])
def test_few_launches_give_no_verdict(count, verdict, tmp_path):
    launches(tmp_path / "old", near(1.0))
    launches(tmp_path / "new", near(2.0, count), first_turn=2)
    (found,) = compare(tmp_path, "--fail-if", "slower", status=2)
    assert found["verdict"] == verdict and found["ratio"] == pytest.approx(2, rel=0.01)


def test_the_spread_between_sources_needs_eight(tmp_path):
    for count, known in ((7, False), (8, True)):
        many = {"trial_edges": f"7*{count}", "graph": f"path:{count}"}
        launches(tmp_path / "old", [1], trial_ms=f"1*{count}", **many)
        times = " ".join(str(1 + i / 10) for i in range(count))
        launches(tmp_path / "new", [1], trial_ms=times, **many)
        found = next(each for each in compare(tmp_path) if each["graph"] == f"path:{count}")
        assert ("spread_between_sources" in found) == known
        assert "interval" not in found
    assert found["spread_between_sources"] == [1.2, 1.5]


def test_only_shared_sources_of_large_reach_count(tmp_path):
    """The new side has other sources, of which one reaches little; the total is over those that are left."""
    launches(tmp_path / "old", [1] * 4, source_list="5 6 7")
    launches(tmp_path / "new", [1] * 4, 2, source_list="7 9 6", trial_ms="8 1 2", small_reach="-9-0 2")
    (found,) = compare(tmp_path)
    assert (found["sources"], found["old"]["ms"], found["new"]["ms"]) == (1, 4, 8)


REFUSED = {
    "different device": {"device": "cpu-y"},
    "different machine": {"machine": "n"},
    "different threads": {"threads": "2"},
    "different policy": {"options": "size=4 policy=random"},
    "different output": {"options": "policy=load-aware output=parents"},
    "different reorder": {"options": "policy=load-aware reorder=rcm"},
    "different repeats": {"repeats": "1"},
    "different batch_sources": {"batch_sources": "32"},
    "different numbers of edges in trial 1": {"trial_edges": "8*3"},
    "no source of large reach": {"source_list": "5 6 7"},
    "new side: several launches measured its trials": {"launch": ""},
    "new side: a result is wrong": {"verified": "FAILED"},
    "launch old3 is on both sides": {"launch": "old3"},
    "new side: two launches have turn 4, so": {"turn": "4"},
    "a launch has no time": {"trial_ms": "1 inf 1"},
}


def test_an_option_that_only_one_build_has(tmp_path):
    launches(tmp_path / "old", near(1.0), options="policy=random")
    launches(tmp_path / "new", near(1.0), first_turn=2, options="policy=random force=nothing")
    (found,) = compare(tmp_path)
    assert found["verdict"] == "same"
    assert found["remark"] == "options '' and 'force=nothing'"


@pytest.mark.parametrize("why", REFUSED)
def test_what_cannot_be_compared(why, tmp_path):
    launches(tmp_path / "old", near(1.0), options="size=4 policy=load-aware")
    launches(tmp_path / "new", near(2.0), first_turn=21, **{"options": "policy=load-aware new=1", **REFUSED[why]})
    (found,) = compare(tmp_path, "--fail-if", "slower", status=2)
    assert found["verdict"] == "refused" and found["remark"].startswith(why)


def test_builds_within_a_side(tmp_path):
    launches(tmp_path / "old", near(1.0))
    launches(tmp_path / "new", near(1.0), first_turn=2)
    launches(tmp_path / "new", [1], first_turn=14, launch="x", build="c")
    (found,) = compare(tmp_path)
    assert found["remark"] == "new side: its launches differ in build: b, c"


def test_remarks(tmp_path):
    launches(tmp_path / "old", near(1.0), facts='{"engine": "blest"}')
    launches(tmp_path / "new", near(1.0), 21, facts='{"engine": "khop", "k": 2}', driver="6", busy_cores="8")
    launches(tmp_path / "new", [1], launch="", busy_cores="8")
    (found,) = compare(tmp_path)
    assert found["remark"] == (
        "auto chose blest and khop; different drivers; 6 of 12 launches on a busy or throttled machine; "
        "left out 1 row with trials of several launches; not started in turns by gtrav compare, so the machine may "
        "have drifted"
    )
    assert found["remark"] in table_of(tmp_path), "the table cuts nothing off"


def test_kept_records_of_other_threads(tmp_path):
    """The turns tell that one comparison started both sides, so the user named both."""
    launches(tmp_path / "old", near(1.0), threads="1")
    launches(tmp_path / "new", near(0.5), first_turn=2, threads="2")
    (found,) = compare(tmp_path)
    assert (found["verdict"], found["remark"]) == ("faster", "threads '1' and '2'")


def test_trials_are_no_launches(tmp_path):
    gtrav_ok(f"bfs path:9 --variant serial --csv {tmp_path} --quiet")
    (trials,) = tmp_path.glob("*/trials/*.csv")
    complains(gtrav("compare", trials, tmp_path), "no records of gtrav; name a folder that --csv wrote")


def test_emulated_times(tmp_path):
    for side, turn in (("old", 1), ("new", 2)):
        launches(tmp_path / side, near(1.0), turn, device="emulator")
    assert [found["remark"] for found in compare(tmp_path)] == ["times of the emulator mean nothing"]


def test_turns_of_two_comparisons(tmp_path):
    for side in ("old", "new"):
        launches(tmp_path / side, near(1.0))
    (found,) = compare(tmp_path)
    assert found["remark"] == "not started in turns by gtrav compare, so the machine may have drifted"


def test_a_ratio_far_from_one(tmp_path):
    launches(tmp_path / "old", near(1.0))
    launches(tmp_path / "new", near(1 / 22800), first_turn=2)
    (found,) = compare(tmp_path)
    assert 1 / found["ratio"] == pytest.approx(22800, rel=1e-3)
    assert re.search(r" 4\.386e-05 +4\.3\d+e-05 to 4\.\d+e-05 ", table_of(tmp_path))


def test_only_files_are_records(tmp_path):
    for side, turn in (("old", 1), ("new", 2)):
        launches(tmp_path / side, near(1.0), turn)
    os.mkfifo(tmp_path / "new" / "x_perf.csv")
    assert [found["verdict"] for found in compare(tmp_path)] == ["same"]


@pytest.mark.parametrize("words", ["bfs path:9 --variant=gap,serial", "bfs:gap,serial path:9"])
def test_names_of_two_variants(words):
    (found,) = json.loads(gtrav_ok(f"compare --json --launches 1 -- {words}").out)
    assert (found["old"]["variant"], found["new"]["variant"]) == ("gap", "serial")


def test_holms_correction(tmp_path):
    """A difference that is clear alone is not among ten graphs: four launches a side have p = 2 / 70."""
    for side, turn in (("old", 1), ("new", 2)):
        for i in range(10):
            middle = 1.1 if (side, i) == ("new", 0) else 1
            launches(tmp_path / side, near(middle, 4), turn, graph=f"path:{i}")
    (unclear,) = (found for found in compare(tmp_path) if found["verdict"] != "same")
    assert (unclear["verdict"], unclear["launches_needed"]) == ("unclear", 6)  # 10 * 2 / C(12, 6) is below 5%
    for side, turn in (("old", 1), ("new", 2)):
        launches(tmp_path / "alone" / side, near(1.1 if side == "new" else 1, 4), turn)
    assert [found["verdict"] for found in compare(tmp_path / "alone")] == ["slower"]


def test_launches_in_turns(tmp_path):
    """Both commands are started equally often, in turns, and in random order within each pair."""
    words = f"compare --launches 8 --repeats 2 --csv {tmp_path}/kept -- bfs path:9 --variant gap,serial"
    gtrav_ok(words)
    sides = {side: rows_in(tmp_path / "kept" / side, "*/*_perf.csv") for side in "ab"}
    turns = {side: [int(one["turn"]) for one in rows] for side, rows in sides.items()}
    assert sorted(turns["a"] + turns["b"]) == list(range(1, 17))
    assert {math.ceil(turn / 2) for turn in turns["a"]} == set(range(1, 9))
    assert {one["variant"] for one in sides["a"]} == {"gap"} and {one["repeats"] for one in sides["b"]} == {"2"}
    complains(gtrav(words), "kept has launches of an earlier comparison; name another folder, or compare")


def test_the_only_variants_of_two_records(tmp_path):
    launches(tmp_path / "old", near(1.0), variant="v3")
    launches(tmp_path / "new", near(0.5), first_turn=2, threads="2")
    (found,) = compare(tmp_path)
    assert (found["old"]["variant"], found["new"]["variant"], found["verdict"]) == ("v3", "v4", "faster")


def test_orders_of_launches_vary(tmp_path):
    serial = "bfs path:2 --variant serial"
    gtrav_ok(f"compare --launches 20 --repeats 1 --csv {tmp_path} -- {serial} -- {serial}")
    turns = [int(one["turn"]) % 2 for one in rows_in(tmp_path / "a", "*/*_perf.csv")]
    assert len(set(turns)) == 2


def test_pairs_and_closeness(tmp_path):
    (tmp_path / "p.csv").write_text("0,1\n3,4\n")
    for command in ("msbfs path:9 --variant serial,serial --pairs p.csv", "closeness kron:9 --variant serial,then"):
        repeats = "1" if "closeness" in command else "2"
        words = f"compare --json --launches 4 --repeats {repeats} -- {command}"
        (found,) = json.loads(gtrav_ok(words, cwd=tmp_path).out)
        assert found["old"]["launches"] == 4 and found["ratio"] > 0 and found["sources"] == 0
        assert ("batch_sources" in found["remark"]) == ("closeness" in command), "commands may differ in batches"


WRONG = {
    "compare": "compare takes two folders of records, or '--' and two commands",
    "compare x": "compare takes two folders of records, or '--' and two commands",
    "compare a b c": "'c' is a third",
    "compare a b -- bfs path:2 -- bfs path:3": "compare takes two folders of records, or '--' and two commands",
    "compare --launches 4 a b": "--launches, --repeats and --csv are for commands",
    "compare --same -1 a b": "--same takes a percentage from 0 to 100, not '-1'",
    "compare --launches 0 -- bfs path:2 -- bfs path:2": "--launches takes a whole number from 1 to 400, not '0'",
    "compare --launches": "--launches needs a value: P",
    "compare --json=1 a b": "--json takes no value",
    "compare --fail-if faster a b": "--fail-if takes slower, not 'faster'",
    "compare -- bfs path:2": "one command needs two variants: --variant A,B; or name two commands",
    "compare -- bfs path:2 -- -- x": "a command is missing between '--' and '--'",
    "compare -- bfs path:2 --csv=x -- bfs path:2": "--csv=x is for both commands; give it before the first '--'",
    "compare -- a -- b -- c": "compare takes two commands; a third begins with 'c'",
    "compare missing missing": "missing: cannot open: No such file or directory",
    "compare empty empty": "empty: no records of gtrav; name a folder that --csv wrote",
    "compare -- ./missing -- ./missing": "./missing: cannot start: No such file or directory",
    "compare -- true -- true": " wrote no records: it must be a command of gtrav that measures",
    "compare -- bfs path:2 -- bfs path:3": "nothing to compare: no graph and variant is on both sides",
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_command_lines(words, tmp_path):
    (tmp_path / "empty").mkdir()
    complains(gtrav(words, cwd=tmp_path), WRONG[words])


def test_a_launch_that_fails():
    result = gtrav("compare -- bfs path:2 --variant serial -- bfs path:2 --variant nothing")
    assert result.status == 2 and "of command 2, failed with status 2" in result.err.splitlines()[-1]
    closeness = "closeness path:2 --variant adaptive"
    assert "give --repeats 1" in gtrav(f"compare -- {closeness} -- {closeness}").err
