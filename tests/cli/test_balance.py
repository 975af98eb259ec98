"""Tasks of every block: gtrav --tasks, and what is made of them."""

from evaluation.files import RecordsError
from evaluation.records import read_tasks, variation

import pytest

from helpers import complains, gtrav

RUN = ("--algo", "dfs", "--variant", "serial", "--graph", "path:4")
SEVERAL = ("--algo", "bfs", "--variant", "serial,gap", "--graph", "path:4")
HEADER = "graph,source,block,tasks,version,date\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((*RUN, "--csv", "r", "--tasks", "balance"), "dfs serial counts no tasks"),
        *(((*RUN, "--csv", "r", "--tasks", name), name) for name in ("../elsewhere", "a/b", ".hidden")),
        ((*RUN, "--tasks", "balance"), "--tasks needs --csv"),
        ((*SEVERAL, "--csv", "r", "--tasks", "balance"), "--tasks takes one variant"),
    ],
)
def test_tasks_mistakes(words, reason, tmp_path):
    complains(gtrav(*words, cwd=tmp_path), "--tasks", reason)
    assert list(tmp_path.iterdir()) == []


def test_reading_and_variation(tmp_path):
    path = tmp_path / "balance_x.csv"
    path.write_text(HEADER + "x,3,0,2,v,d\nx,3,1,6,v,d\nx,3,0,0,v,d\nx,3,1,1,v,d\n")
    assert read_tasks(path) == [[2, 6], [0, 1]]
    assert variation(read_tasks(path)) == 0.5  # the second trial has fewer tasks than blocks
    assert variation([[0, 1]]) is None
    assert variation([[500, 1500], [1, 9]]) == 0.5  # the second is of small reach
    for text in ("", HEADER, "graph,block\nx,0\n", HEADER + "x,3,1,2,v,d\n", HEADER + "x,3,0,many,v,d\n"):
        path.write_text(text)
        with pytest.raises(RecordsError, match="balance_x.csv"):
            read_tasks(path)
