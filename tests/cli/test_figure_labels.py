"""Every figure that the committed records allow: no label on another, no wider than twice its height."""

from functools import cache
from pathlib import Path

import plotting
from evaluation.analyses import figures
from evaluation.campaigns import modes

import pytest

from draw import FIGURES
from labels import check_drawn, odd_starts, overlaps, words_of
from made_up_records import as_if_emulated

DRAWN = [(source, name) for source in figures.SOURCES for name in source.figures]


COUNTED = ("9", "xbfs_9", "xbfs_10", "xbfs_15")  # figures of counts, not of times


@pytest.fixture(scope="module")
def place_of(tmp_path_factory):
    """A function: the folder that a source's figures are drawn from; tables are merged once for each."""

    @cache
    def find(source, folder):
        words = figures.words_for(source, folder, tmp_path_factory.mktemp("place") / "merged")
        return Path(words[1]).parent if source.merged else Path(words[1])

    return find


@pytest.mark.slow
@pytest.mark.parametrize("source, name", DRAWN, ids=[name for _, name in DRAWN])
def test_labels_and_sides(source, name, place_of):
    try:
        check_drawn(name, place_of(source, figures.COMMITTED))
    except plotting.NothingToDraw as reason:
        pytest.skip(f"the committed records do not allow it: {reason}")


@pytest.fixture(scope="module")
def emulated(tmp_path_factory):
    return as_if_emulated(tmp_path_factory.mktemp("emulated"))


@pytest.mark.slow
@pytest.mark.parametrize("source, name", DRAWN, ids=[name for _, name in DRAWN])
def test_the_emulator_is_left_out(source, name, emulated, place_of):
    """Its times are not drawn, and a figure of its counts has a title that says so."""
    try:
        words = words_of(name, place_of(source, emulated))
    except plotting.NothingToDraw:
        words = ""
    assert ("counted on the emulator, not on a GPU" in words) == (name in COUNTED)
    assert ("emulator" in words) == (name in COUNTED)


def test_labels_that_overlap_are_found():
    figure, axes = plotting.subplots(3)
    axes.set_xticks([0.5, 0.52], ["a long name", "another name"])
    axes.set_xlim(0, 1)
    assert ("a long name", "another name") in overlaps(figure)
    plotting.plt.close(figure)


def test_one_notation_of_numbers_on_every_axis():
    reported = {
        0.01: "0.01",
        0.00001: "0.00001",
        1: "1",
        20: "20",
        999.9: "1k",
        4096: "4.1k",
        1e6: "1M",
        2.5e9: "2.5G",
    }
    assert {number: plotting.in_short(number) for number in reported} == reported


def test_bars_of_ratios_begin_at_1():
    figure = plotting.grouped_bars({"a": {"x": 2, "y": 0.5}, "b": {"x": 1}}, ["x", "y"], "speedup", start=1)
    assert [(bar.get_y(), bar.get_height()) for bar in figure.axes[0].patches][:3] == [
        (1, 1),
        (1, 0),
        (1, -0.5),
    ]
    assert odd_starts(figure) == [] and plotting.ABSENT in {
        text.get_text() for text in figure.legends[0].get_texts()
    }
    figure.axes[0].set_ylim(0.3, 3)
    figure.axes[0].bar([3], [2])
    assert odd_starts(figure) == ["a bar from 0 on an axis from 0.3"]
    plotting.plt.close(figure)


def test_slanted_labels_beside_each_other_do_not_overlap():
    """Their upright boxes do."""
    figure, axes = plotting.subplots(3)
    axes.set_xlim(-1, 8)
    plotting.name_bars(axes, [f"a rather long name {n}" for n in range(8)])
    assert overlaps(figure) == []
    plotting.plt.close(figure)


def test_every_figure_is_of_a_source():
    assert {name for _, name in DRAWN} == set(FIGURES)
    drawn = {name for name in FIGURES if name.startswith(("xbfs", "ibfs", "blest_table"))}
    assert drawn == {*modes.FIGURES_OF_MANY, *modes.FIGURES_OF_XBFS}
