"""DiggerBees' counters and its paper's mode, on the emulator."""

import csv

import pytest

from helpers import gtrav_json, gtrav_ok

LISTED = {(a["family"], a["variant"]): a for a in gtrav_json("--list")}
pytestmark = pytest.mark.skipif(not LISTED.get(("dfs", "v4"), {}).get("emulated"), reason="no emulator in this build")
INTERVAL = 20  # us


def command(variant, graph, *settings):
    chosen = "".join(f" --set {setting}" for setting in settings)
    return f"dfs {graph} --variant {variant} --device cpu-emulator --verify all --quiet{chosen}"


def rows_of(folder, name):
    with open(folder / "emulator" / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def counted(folder, variant, graph, *settings):
    """{source: {what: number}} and the rows of busy warps and blocks."""
    gtrav_ok(command(variant, graph, f"counters={INTERVAL}", *settings), "--sources", "2", "--csv", folder)
    numbers = {}
    for row in rows_of(folder, f"counters/dfs_{variant}_{graph}.csv"):
        numbers.setdefault(row["source"], {})[row["what"]] = int(row["number"])
    return numbers, rows_of(folder, f"busy/dfs_{variant}_{graph}.csv")


def options_of(variant, folder, *settings):
    """{name: value} that the record of a run tells."""
    gtrav_ok(command(variant, "kron:6", *settings), "--sources", "1", "--csv", folder)
    (row,) = rows_of(folder, f"dfs_{variant}_perf.csv")
    return dict(word.split("=") for word in row["options"].split())


def test_counters_agree_with_the_search(tmp_path):
    numbers, busy = counted(tmp_path, "v4", "road:9", "hot-cutoff=4", "cold-cutoff=8", "hot-size=64")
    trials = gtrav_json(command("v4", "road:9"), "--sources", "2")["trials"]
    for trial in trials:
        found = numbers[str(trial["source"])]
        assert found["claims"] == trial["reached"]
        assert found["claims"] / found["warps"] <= found["claims of the busiest warp"] < found["claims"]
        for where in ("within a block", "between blocks"):
            looks, tries, wins = (
                found[f"{what} {where}"] for what in ("looks for a victim", "steals tried", "steals successful")
            )
            assert looks >= tries >= wins > 0
        rows = [row for row in busy if row["source"] == str(trial["source"])]
        assert [float(row["us"]) for row in rows] == [INTERVAL * i for i in range(len(rows))]
        for row in rows:
            warps, blocks = float(row["warps"]), float(row["blocks"])
            assert 0 <= blocks <= found["blocks"] and warps <= found["warps"]
            assert warps <= (blocks + 0.01) * found["warps"] / found["blocks"]
        assert max(float(row["warps"]) for row in rows) > 1


def test_one_block_has_no_steals_between_blocks(tmp_path):
    numbers, _ = counted(tmp_path, "v1", "road:9")
    assert all(found["blocks"] == 1 for found in numbers.values())
    assert all(found["looks for a victim between blocks"] == 0 for found in numbers.values())


def test_without_counters_no_file(tmp_path):
    gtrav_ok(command("v4", "path:40"), "--sources", "1", "--csv", tmp_path)
    assert not (tmp_path / "emulator" / "counters").exists()
    assert not (tmp_path / "emulator" / "busy").exists()


def test_tasks_of_blocks_need_no_other_build(tmp_path):
    run = gtrav_json(command("v4", "road:9"), "--sources", "1", "--csv", tmp_path, "--tasks", "tasks")
    tasks = [int(row["tasks"]) for row in rows_of(tmp_path, "tasks/balance_road:9.csv")]
    assert sum(tasks) == run["trials"][0]["reached"]
    assert len(tasks) > 1


def test_the_papers_mode_says_so_in_records(tmp_path):
    expected = {"mode": "paper", "batch-size": "64", "victims": "active", "steal-copies": "bulk"}
    expected.update({"warps-per-block": "8", "hot-cutoff": "32", "cold-cutoff": "64"})
    assert options_of("v4", tmp_path / "paper", "mode=paper").items() >= expected.items()
    assert options_of("v4", tmp_path / "own", "mode=paper", "hot-cutoff=8")["hot-cutoff"] == "8"


def test_versions_differ_in_what_they_have_alone(tmp_path):
    """An option of several versions has one default, so that the next version shows what it adds."""
    best = {variant: options_of(variant, tmp_path / variant) for variant in ("v1", "v2", "v3", "v4")}
    assert best["v1"].items() < best["v2"].items() < best["v3"].items() == best["v4"].items()
    paper = options_of("v4", tmp_path / "paper", "mode=paper")
    differ = {name for name in paper if paper[name] != best["v4"][name]}
    assert differ == {"mode", "warps-per-block", "hot-cutoff", "cold-cutoff", "top"}
