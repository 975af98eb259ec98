"""bfs auto beside each of its engines, graph by graph."""

from evaluation.analyses.fastest import engine_times, is_held_out

from made_up_records import row

AUTO = {"family": "bfs", "options": "engine=auto prepare=auto", "facts": '{"engine": "blest", "num_vss": 7}'}


def timed(graph, variant, ms, **values):
    return row(graph, variant, 1, **{"family": "bfs", "mean_time_ms": str(ms), **values})


def cells(*rows):
    """{graph: {column: cell}}"""
    header, lines = engine_times(rows)
    return {line[0]: dict(zip(header, line)) for line in lines}


def test_whole_searches_are_compared():
    engines = [timed("kron:10", "dobfs", 2), timed("kron:10", "blest", 1, mean_kernel_ms="9")]
    (line,) = cells(timed("kron:10", "auto", 1.04, **AUTO), *engines).values()
    assert [line[name] for name in ("edges", "auto", "dobfs", "blest", "khop")] == [100, 1.04, 2, "**1.00**", None]
    assert (line["chose"], line["prepare ms"]) == ("blest", 1)


def test_what_is_not_beside_it():
    """Other numbers of sources, other graphs; of auto, rows with options that affect the choice."""
    rows = [timed("kron:10", "auto", 2, **AUTO)]
    for options in ("engine=khop", "engine=auto measure=1", "prepare=0"):
        rows += [timed("kron:10", "auto", 1, **{**AUTO, "options": options, "date": "2027-01-01T00:00:00Z"})]
    rows += [timed("kron:10", "dobfs", 1, sources="8"), timed("road:5", "dobfs", 1)]
    (line,) = cells(*rows).values()
    assert (line["graph"], line["auto"], line["dobfs"]) == ("kron:10", 2, None)


def test_how_far_off_it_is():
    note = "dobfs for about 10 levels, 1.06 ms per search; khop not tried (90 ms): vertices in input order"
    for ms, engine, off in ((1.04, "khop", None), (1.06, "khop", "1.06x, saved"), (1.06, "slices", "1.06x")):
        rows = (
            timed("kron:10", "auto", ms, **AUTO, note=note),
            timed("kron:10", engine, 1),
            timed("kron:10", "dobfs", 2),
        )
        assert cells(*rows)["kron:10"]["off"] == off


def test_orders_of_a_graph_are_in_the_same_half():
    held_out = {graph: is_held_out(graph) for graph in ("kron:10", "grid:9x9", "grid:9x9+undirected")}
    assert held_out == {"kron:10": False, "grid:9x9": True, "grid:9x9+undirected": True}


def test_the_newest_choice_counts():
    old, new = (
        timed("kron:10", "auto", ms, **{**AUTO, "options": f"engine=auto old={ms}", "date": date})
        for ms, date in ((1, "2026-01-01T00:00:00Z"), (3, "2026-01-02T00:00:00Z"))
    )
    assert cells(new, old)["kron:10"]["auto"] == 3


def test_small_graphs_stand_first():
    assert list(cells(*(timed(graph, "auto", 1, **AUTO) for graph in ("road:5", "kron:10")))) == ["kron:10", "road:5"]
