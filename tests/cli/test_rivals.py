"""The table of other authors' programs beside gtrav's searches (analyses/rivals.py)."""

from evaluation.analyses import rivals
from evaluation.claims.results import Results

from made_up_records import HOST, row, write


def listed(graph, variant, times, **values):
    """A row that lists its trials."""
    trials = " ".join(map(str, times))
    known = {"trial_ms": trials, "trial_kernel_ms": trials, "trial_edges": f"9*{len(times)}"}
    known |= {"source_list": "gap", "small_reach": "", "sources": str(len(times)), "family": "bfs"}
    return row(graph, variant, sum(times) / len(times), **{**known, **values})


def lines_of(folder, *rows):
    """{program: what stands beside it}"""
    write(folder, rows)
    return {line[3]: line[4:] for line in rivals.table(Results(folder))[1]}


def test_programs_stand_beside_the_same_method_and_the_fastest(tmp_path):
    paper, old = {"options": "mode=paper"}, {"trial_ms": "", "sources": "64"}
    found = lines_of(
        tmp_path,
        listed("kron:10", "blest-authors", [6, 10]),
        listed("kron:10", "blest", [4, 4, 40], **paper),
        listed("kron:10", "blest", [5, 5], options="mode=best reorder=rcm"),
        listed("kron:10", "blest", [2, 2], options="mode=best"),
        listed("kron:10", "blest", [1], options="mode=best trace=1"),
        listed("kron:10", "auto", [0.5], **old),
        listed("kron:10", "gunrock", [9, 9]),
        listed("kron:10", "ligra", [9, 9], device=HOST, verified="none"),
        listed("road:5", "gapbs", [9], device=HOST),
    )
    assert found == {
        "gunrock": [9, None, None, None, None, 0.5, "18.0x (2 to 64)"],
        "blest-authors": [8, 16, "2.00x (first 2)", 2, "4.00x", 0.5, "16.0x (2 to 64)"],
        "gapbs": [9] + [None] * 6,
    }
