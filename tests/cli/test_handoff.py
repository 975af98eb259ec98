"""`dfs handoff` on the emulator: a single walker is depth-first, whatever it claims; how lists are read."""

import os

import pytest

from helpers import gtrav_json, gtrav_ok, read_json

EMULATED = [a["variant"] for a in gtrav_json("--list dfs") if a["emulated"]]
pytestmark = pytest.mark.skipif("handoff" not in EMULATED, reason="no emulator in this build")
ON = "--variant handoff --device cpu-emulator --verify all --quiet --json --sources 5"


def cross_shares(family, words):
    """Of each search by a single walker: the emulated GPU has one warp of 32 lanes."""
    alone = "--set lists=plain --set lanes=32 --set warps-per-block=1"
    env = {**os.environ, "GTRAV_EMULATOR_SMS": "1"}
    result = read_json(gtrav_ok(f"{family} {words} {ON} {alone}", env=env).out)
    return [trial["cross_share"] for trial in result["trials"]]


@pytest.mark.parametrize("graph", ["kron:8", "grid:9x7", "star:300", "road:4"])
def test_a_single_walker_searches_depth_first(graph):
    assert cross_shares("dfs", graph) == [0] * 5


def test_short_lists_are_packed_unless_many_lead_nowhere(tmp_path):
    def note_of(edges):
        lines = [f"{len(edges) + 1} {len(edges) + 1} {len(edges)}", *(f"{v + 1} {w + 1}" for v, w in edges)]
        path = tmp_path / "directed.mtx"
        path.write_text("%%MatrixMarket matrix coordinate pattern general\n" + "\n".join(lines) + "\n")
        return gtrav_json("dfs", path, *ON.split())["note"]

    assert "lists packed in records" in note_of([(v, v + 1) for v in range(100)])
    assert "lists read in place" in note_of([(0, v + 1) for v in range(100)])
