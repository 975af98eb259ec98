"""choice.py: auto beside the fastest other variant of every graph, and beside each of its engines."""

import pytest

from helpers import cells_of, script
from made_up_records import GPU, HOST, row, write

FACTS = '{"engine": "blest", "num_vss": 7}'
AUTO = {"family": "bfs", "options": "engine=auto prepare=auto", "facts": FACTS}


def timed(graph, variant, ms, kernel=1, **values):
    return row(graph, variant, kernel, **{"family": "bfs", "mean_time_ms": str(ms), **values})


@pytest.fixture
def reported(tmp_path):
    def report(*rows):
        write(tmp_path, rows)
        return script("scripts/choice.py", tmp_path)

    return report


def cells(result):
    return cells_of(result.out)[2:]


def test_whole_searches_are_compared(reported):
    auto = timed("kron:10", "auto", 1.04, **AUTO)
    rivals = [timed("kron:10", "dobfs", 2), timed("kron:10", "blest", 1, kernel=9)]
    result = reported(auto, *rivals)
    assert cells(result) == [["kron:10", "1", "100", "1.04", "1.00", "blest", "1.040", "1.00", "blest"]]
    assert (result.status, result.err) == (0, "")


def test_a_slow_choice_is_reported(reported):
    rows = [
        timed(graph, variant, ms, **(AUTO if variant == "auto" else {}))
        for graph, times in {"road:5": (1.06, 1), "kron:10": (1, 1.2)}.items()
        for variant, ms in zip(("auto", "khop"), times)
    ]
    result = reported(*rows)
    assert [line[0] for line in cells(result)] == ["kron:10", "road:5"]  # small ones first
    assert result.status == 1
    assert result.err.splitlines() == ["choice: auto takes over 1.05 times as long as the fastest on road:5"]


def test_what_is_no_rival(reported):
    """Other numbers of sources, other devices, failed rows, engines that the user chose."""
    auto = timed("kron:10", "auto", 2, **AUTO)
    forced = {**AUTO, "options": "engine=khop", "date": "2027-01-01T00:00:00Z"}
    others = [
        timed("kron:10", "dobfs", 1, sources="8"),
        timed("kron:10", "gap", 1, device=HOST),
        timed("kron:10", "blest", 1, verified="FAILED"),
        timed("kron:10", "auto", 1, **forced),
        timed("road:5", "dobfs", 1),
    ]
    result = reported(auto, *others)
    assert (result.status, result.out) == (2, "")
    assert "no graph" in result.err and "bfs auto" in result.err
    assert [line[6] for line in cells(reported(timed("kron:10", "dobfs", 4)))] == ["0.500"]


def test_the_newest_choice_counts(reported):
    old, new = (
        timed("kron:10", "auto", ms, **{**AUTO, "options": f"engine=auto measure={ms}", "date": date})
        for ms, date in ((1, "2026-01-01T00:00:00Z"), (3, "2026-01-02T00:00:00Z"))
    )
    assert cells(reported(new, old, timed("kron:10", "dobfs", 3)))[0][6] == "1.000"


def test_the_committed_records():
    assert script("scripts/choice.py", f"results/{GPU}").status == 0
