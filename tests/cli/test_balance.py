"""Tasks of every block: what is made of the table that the option tasks of dfs v4 writes."""

from evaluation.files import RecordsError
from evaluation.records import read_tasks, variation

import pytest


def test_reading_and_variation(tmp_path):
    header, path = "options,source,tasks\n", tmp_path / "dfs_v4_x.csv"
    path.write_text(header + "tasks=1,3,2 6\ntasks=1,3,0 1\nbalance-policy=0 tasks=1,3,4\n")
    trials = read_tasks(path)
    assert trials == {"baseline": [[4]], "diggerbees": [[2, 6], [0, 1]]}
    assert variation(trials["diggerbees"]) == 0.5  # the second trial has fewer tasks than blocks
    assert variation([[0, 1]]) is None
    assert variation([[500, 1500], [1, 9]]) == 0.5  # the second is of small reach
    for text in ("", header, "options,source\nx,0\n", header + "tasks=1,3,many\n"):
        path.write_text(text)
        with pytest.raises(RecordsError, match="dfs_v4_x.csv"):
            read_tasks(path)
