"""Every figure that the committed records allow: no label on another, no wider than twice its height; the
papers' methods and graphs alone; the committed files are what the records give."""

import re

import plotting
from evaluation.campaigns import modes
from evaluation.files import RESULTS

import pytest

from draw import FIGURES
from labels import check_drawn, overlaps, words_of
from made_up_records import as_if_emulated

H200 = RESULTS / "nvidia-h200"


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_labels_and_sides(name):
    try:
        check_drawn(name, H200)
    except plotting.NothingToDraw as reason:
        pytest.skip(f"the committed records do not allow it: {reason}")


@pytest.fixture(scope="module")
def emulated(tmp_path_factory):
    return as_if_emulated(tmp_path_factory.mktemp("emulated"))


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_the_emulator_is_left_out(name, emulated):
    """Neither its times nor its counts are drawn."""
    try:
        words = words_of(name, emulated)
    except plotting.NothingToDraw:
        words = ""
    assert "emulator" not in words


def committed():
    return {path.stem.removeprefix("fig_"): path.read_text() for path in (H200 / "figures").glob("*.svg")}


def test_committed_figures_are_the_papers():
    """No variant of our own is among the bars, and graphs have the papers' names."""
    found = committed()
    assert found.keys() <= FIGURES.keys() and len(found) > 15
    words = {name: re.findall(">([^<>]+)</text>", svg) for name, svg in found.items()}
    own = r"handoff|dobfs|bitparallel|perblock|ibfs-auto|gtrav|[Aa]uto$"
    assert {name: some for name, some in words.items() if re.search(own, " ".join(some))} == {}
    for name, graphs in (("8", ("europe_osm", "[road:22]", "hollywood-2009")), ("9", ("amazon0302",))):
        assert [graph for graph in graphs if graph not in words[name]] == []
    assert sum(word.startswith("[") for word in words["8"]) <= 6 and any("NVG-DFS" in word for word in words["6"])
    assert max(map(len, found.values())) < 75_000


def test_labels_that_overlap_are_found():
    figure, axes = plotting.subplots(3)
    axes.set_xticks([0.5, 0.52], ["a long name", "another name"])
    axes.set_xlim(0, 1)
    assert ("a long name", "another name") in overlaps(figure)
    plotting.plt.close(figure)


def test_one_notation_of_numbers_on_every_axis():
    numbers = (0.01, 0.00001, 1, 20, 999.9, 4096, 1e6, 2.5e9)
    assert " ".join(map(plotting.in_short, numbers)) == "0.01 0.00001 1 20 1k 4,096 1M 2.5G"


def test_modes_draw_all_that_they_measure_for():
    drawn = {name for name in FIGURES if name.startswith(("xbfs", "ibfs", "blest_table"))}
    in_browsers = {f"ibfs_5_{number}" for number in range(11, 15)}  # scripts/browser.py measures
    assert drawn == {*modes.FIGURES_OF_MANY, *modes.FIGURES_OF_XBFS, *in_browsers}
