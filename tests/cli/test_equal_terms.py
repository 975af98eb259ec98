"""Equal terms: methods are compared on the first sources that all have, and small reach is a class apart."""

import plotting
from evaluation.analyses.fastest import BESIDE_CUGRAPH, programs_table
from evaluation.analyses.tables import print_summary, times_as_markdown
from evaluation.comparison import (
    Terms,
    expand,
    graph_by_graph,
    on_equal_terms,
    small_reach,
)
from evaluation.files import RecordsError

import pytest

from figures_diggerbees import compare_gpus
from helpers import cells_of
from made_up_records import row, write


def of_trials(*times, graph="kron:10", variant="v4", **values):
    """A row whose trials took so long, from GAP's sources."""
    mean = sum(times) / len(times)
    listed = " ".join(map(str, times))
    known = {"sources": str(len(times)), "trial_ms": listed, "trial_kernel_ms": listed, "source_list": "gap"}
    known["trial_edges"] = f"6000*{len(times)}"
    known |= {"mean_kernel_ms": str(mean), "small_reach": "", **values}
    return row(graph, variant, mean, **known)


def means(rows):
    return [float(one["mean_time_ms"]) for one in rows]


def test_lists():
    assert expand("0.5*2 7 3*1") == ("0.5", "0.5", "7", "3")
    assert expand("") == expand(None) == ()
    assert small_reach({"small_reach": "0 3-5 9"}) == {0, 3, 4, 5, 9}
    assert small_reach({}) == set()
    with pytest.raises(RecordsError, match="x2"):
        expand("7 0.5*x2")
    assert len(expand("1*256")) == 256
    with pytest.raises(RecordsError, match="999999999"):
        expand("1*999999999")


def test_each_rate_has_its_own_time():
    """That of whole searches, and that of the kernel: 6,000 edges in 1 and 3 ms, of which the kernel takes half."""
    fast = of_trials(1, 3, 8, trial_kernel_ms="0.5 1.5 4")
    (found, _), _ = on_equal_terms([fast, of_trials(10, 20, variant="ckl")])
    assert float(found["mean_search_mteps"]) == 4 and float(found["mean_mteps"]) == 8


def test_the_first_sources_that_all_have():
    fast, slow = of_trials(1, 3, 8, 8), of_trials(10, 20, variant="ckl")
    rows, terms = on_equal_terms([fast, slow])
    assert means(rows) == [2, 15]
    assert [float(one["mean_kernel_ms"]) for one in rows] == [2, 15]
    for rate in ("search_mteps", "mteps"):  # 6,000 edges take 1 and 3 ms
        assert float(rows[0][f"mean_{rate}"]) == 4
        assert float(rows[0][f"harmonic_mean_{rate}"]) == 3
    assert (terms, str(terms)) == (Terms(2, 4), "first 2 of 4")
    rows, terms = on_equal_terms([fast, fast])
    assert (rows, str(terms)) == ([fast, fast], "4 sources")


def test_sources_that_were_given():
    """They are the same as far as they are equal; those of no source do not matter."""
    here = of_trials(1, 2, 9, source_list="4 7 1")
    rows, terms = on_equal_terms([here, of_trials(3, 5, 9, source_list="4 7 2")])
    assert (means(rows), str(terms)) == ([1.5, 4], "first 2 of 3")
    rows, terms = on_equal_terms([here, of_trials(3, 5, 9)])
    assert (means(rows), str(terms)) == ([4, 17 / 3], "3 to 3 sources, not the same")
    whole = of_trials(6, 8, source_list="")  # as topo
    rows, terms = on_equal_terms([of_trials(1, 2, 3, source_list="0*3"), whole])
    assert (means(rows), str(terms)) == ([2, 7], "3 sources")


def test_older_rows_count_with_their_own_means():
    older = row("kron:10", "ckl", 5, trial_ms="", source_list="", sources="16")
    rows, terms = on_equal_terms([of_trials(1, 3), older])
    assert (means(rows), str(terms)) == ([2, 5], "2 to 16 sources, not the same")
    rows, terms = on_equal_terms([older, older])
    assert (means(rows), str(terms)) == ([5, 5], "16 sources")
    many = of_trials(1, 3, sources="300")  # a list ends after 256
    assert str(on_equal_terms([many, many])[1]) == "300 sources"


def test_small_reach_is_a_class_apart():
    """As the row of most sources tells."""
    long, short = of_trials(1, 10, 1, 30, small_reach="0 2"), of_trials(4, 6, 2, small_reach="")
    rows, terms = on_equal_terms([short, long])
    assert (means(rows), str(terms)) == ([6, 10], "first 3 of 4, 2 of small reach apart")
    assert [means(known) for _, known, _ in graph_by_graph([short, long])] == [[6, 10], [3, 1]]
    assert len(list(graph_by_graph([short, short]))) == 1
    only = of_trials(1, 2, 9, small_reach="0 1")
    rows, terms = on_equal_terms([only, of_trials(3, 5)])
    assert (means(rows), terms.small) == ([1.5, 4], 0)  # all shared ones are of small reach: no class beside


def test_graph_by_graph():
    rows = [
        of_trials(1, 10, small_reach="0"),
        of_trials(3, 20, variant="ckl", small_reach="0"),
        of_trials(7, graph="b"),
    ]
    found = [(graph, means(known), str(terms)) for graph, known, terms in graph_by_graph(rows)]
    assert found == [
        ("kron:10", [10, 20], "2 sources, 1 of small reach apart"),
        ("kron:10, small reach", [1, 3], "1 source"),
        ("b", [7], "1 source"),
    ]


def test_figures_compare_on_shared_sources():
    rows = [of_trials(1, 10, 30, small_reach="0"), of_trials(4, 8, variant="ckl"), of_trials(7, graph="b")]
    shared = {row["variant"]: float(row["mean_search_mteps"]) for row in on_equal_terms(rows[:2])[0]}
    assert shared == {"v4": 0.6, "ckl": 0.75}
    first, second = of_trials(4, 8, device="a"), of_trials(1, 2, 90, device="b")
    fast, slow = ({"v4": {"kron:10": one}} for one in (second, first))
    assert compare_gpus(fast, slow) == {"v4": {"kron:10": 4}}
    assert plotting.report_of(rows) == "GPU nvidia-h200, 2026-01-01, 1 to 2 sources"
    assert plotting.report_of(rows[:1]) == "GPU nvidia-h200, 2026-01-01, 3 sources"


def test_tables_compare_on_shared_sources():
    """A line for those of small reach; how many sources, where this is not the same on all graphs."""
    rows = [
        of_trials(1, 10, 10, small_reach="0", device="cpu-x", variant="serial"),
        of_trials(0.5, 2, small_reach="0"),
        of_trials(6, 2, graph="road:5", device="cpu-x", variant="serial"),
        of_trials(3, 3, graph="road:5"),
    ]
    lines = cells_of(times_as_markdown(rows))
    assert lines[0][3:] == ["serial (CPU)", "v4 (GPU)", "sources"]
    assert [[line[0], *line[3:]] for line in lines[2:]] == [
        ["kron:10", "10.0", "**2.00**", "first 2 of 3, 1 of small reach apart"],
        ["kron:10, small reach", "1.00", "**0.500**", "1 source"],
        ["road:5", "4.00", "**3.00**", "2 sources"],
    ]


def test_the_fastest_is_ranked_by_mean_time(tmp_path, capsys):
    """MTEPS are the edges of all trials over the time of all, however few the edges of one of them."""
    fast = of_trials(1, 79, small_reach="0", trial_edges="10 3000000")
    write(tmp_path, [fast, of_trials(1, 99, variant="handoff", small_reach="0", trial_edges="10 3000000")])
    print_summary(tmp_path)
    (line,) = cells_of(capsys.readouterr().out)[2:]
    assert line == ["kron:10", "100", "dfs", "v4 (GPU)", "2", "40.0", "37.5", "all"]


def test_a_busy_machine_earns_no_place_among_the_fastest(tmp_path, capsys):
    """Unless nothing else was measured, which is marked."""
    held_up = {"cores": "2", "busy_cores": "2"}
    rows = [of_trials(1, variant="v4", **held_up), of_trials(5, variant="handoff", cores="2", busy_cores="0")]
    write(tmp_path, [*rows, of_trials(7, graph="road:5", **held_up)])
    print_summary(tmp_path)
    lines = cells_of(capsys.readouterr().out)[2:]
    assert [[line[0], line[3], line[7]] for line in lines] == [
        ["kron:10", "handoff (GPU)", "all"],
        ["road:5", "v4 (GPU)", "all, busy machine"],
    ]


def test_parents_stand_beside_parents():
    """Of cuGraph's two ways the faster one counts."""
    rows = [of_trials(2, variant="auto"), of_trials(3, variant="auto", options="measure=auto output=parents")]
    times = {"cugraph": 5, "cugraph-topdown": 4, "cugraph-parents": 6, "cugraph-parents-topdown": 9}
    others = [of_trials(ms, variant=name) for name, ms in times.items()]
    (line,) = cells_of(programs_table(rows, others, BESIDE_CUGRAPH))[2:]
    assert line[2:] == ["2.00", "3.00", "4.00", "6.00", "2.00x"]
    assert len(cells_of(programs_table(rows[:1], others, BESIDE_CUGRAPH))) == 2
