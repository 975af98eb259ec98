"""Sources and levels are those of GAP, and --info says what is true of a graph.

The generators themselves are in tests/unit/test_generate.c."""

import csv

import pytest

from helpers import DATA, algorithms, gtrav_json, gtrav_ok

with open(DATA / "graph_facts.csv", newline="") as file:
    FACTS = {row["spec"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("spec", [spec for spec, row in FACTS.items() if row["first_8_sources"]])
def test_levels_of_facts(spec, tmp_path):
    """A BFS from the first of GAP's sources, which tests/unit/test_source_lists.c checks."""
    row, out = FACTS[spec], tmp_path / "levels.txt"
    variant = next(a["variant"] for a in algorithms() if a["family"] == "bfs")
    run = gtrav_json(f"bfs {spec} --variant {variant} --source {row['bfs_source']} --output", out)
    first = run["trials"][0]
    assert (first["reached"], first["edges"]) == (int(row["bfs_reached"]), int(row["bfs_edges_traversed"]))
    levels = [int(line) for line in out.read_text().splitlines() if not line.startswith("#")]
    assert max(levels) == int(row["bfs_eccentricity"])
    assert sum(level for level in levels if level > 0) == int(row["bfs_sum_of_levels"])


def test_info_for_people():
    text = gtrav_ok("--info", "--graph", "kron:10").out
    for word in ("kron:10", "1,024", "20,992", "471", "isolated", "component", "degree"):
        assert word in text
