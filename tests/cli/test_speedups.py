"""How many times faster: the same number in tables, figures and report; after how many searches it pays."""

import re

from evaluation.analyses import xbfs
from evaluation.claims import claims
from evaluation.comparison import over_graphs, pays_after, ratios
from evaluation.files import RESULTS
from evaluation.numbers.compare import speedup
from evaluation.records import PAPER
from evaluation.results import Results
from evaluation.text_tables import digits

import pytest

from labels import words_of

H200 = RESULTS / "nvidia-h200"


def test_the_rule():
    faster = ratios({"a": 4.0, "b": 4.0, "d": 9.0}, {"a": 1.0, "b": 4.0, "c": 2.0})
    assert faster == {"a": 4, "b": 1}
    assert over_graphs(faster.values()) == pytest.approx(2)


def row(prepare, search, reorder=""):
    return {"prepare_ms": str(prepare), "mean_time_ms": str(search), "reorder_ms": reorder}


@pytest.mark.parametrize(
    ("ours", "others", "searches"),
    [
        (row(10, 1), [row(0, 3)], 5),  # 10 + 5 is as much as 5 times 3
        (row(10, 1), [row(1, 3)], 5),  # after 4 it is 14 against 13
        (row(10, 1), [row(0, 3), row(8, 2)], 5),
        (row(10, 1), [row(0, 3), row(0, 2)], 10),
        (row(10, 1, "20"), [row(0, 3)], 15),  # the order of vertices is prepared, too
        (row(0, 1), [row(5, 3)], 1),
        (row(10, 1), [row(10, 1)], 1),
        (row(10, 1), [row(9, 1)], None),
    ],
)
def test_after_how_many_searches_it_pays(ours, others, searches):
    assert pays_after(ours, others) == searches


@pytest.fixture(scope="module")
def drawn_five():
    """All words of figure 5 of the committed records."""
    return words_of("5", H200)


@pytest.mark.parametrize(("rival", "name"), [("ckl", "CKL-PDFS"), ("acr", "ACR-PDFS"), ("nvg", "NVG-DFS")])
def test_figure_and_report_say_the_same(rival, name, drawn_five):
    """Of the committed records, for every method that DiggerBees is compared with; the program of the
    rival's authors is a claim of its own."""
    lines = (H200 / "report.md").read_text().splitlines()
    cells = rf"times as fast as {name} on [^|:]*\| abstract; 4\.2"  # after a colon: the authors' program
    (line,) = (one for one in lines if re.search(cells, one))
    (claim,) = (claim for claim in claims.read_claims() if claim.id == f"diggerbees-{rival}")
    answer = claims.ask(Results.read(H200).with_mode(PAPER), claim)
    if answer.value is not None:
        assert f" | {digits(answer.value)}x | " in re.sub(" +", " ", line)
        words = f"{len(answer.numbers)} graphs, geometric mean {digits(answer.value)}x, up to"
        assert f"over {name}\n{words}" in drawn_five
        assert f"geometric mean of {len(answer.numbers)}" in line


def test_tables_of_xbfs_and_report_say_the_same():
    results = Results.read(H200).with_mode(PAPER)
    for name, over in ((xbfs.AD, xbfs.ENTERPRISE), (xbfs.FULL, "gap")):
        numbers = speedup(results, xbfs.method_of(name), over=xbfs.method_of(over)).numbers
        shown = {graph: one[name] for graph, one in xbfs.speedups(results, [name], over).items()}
        assert shown == {key.graph: pytest.approx(number) for key, number in numbers.items()}
