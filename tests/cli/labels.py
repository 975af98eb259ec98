"""labels.py: the labels of a figure, and what is wrong with where they are."""

import itertools
import math
from functools import cache

import plotting
from evaluation.results import Results

from matplotlib.path import Path

from draw import figure_of

SLACK = 1.0  # pixels that boxes may share: they have a margin around the letters
MOST = 2.0  # times its height that a figure may be wide
COLUMN, LETTERS = 3.3, 7  # its width in inches, and the points of its letters at least


def corners(text, renderer):
    """The corners of the box that the letters fill, turned as they are; the first once more."""
    angle = text.get_rotation()
    around = text.get_window_extent(renderer)
    text.set_rotation(0)
    flat = text.get_window_extent(renderer)
    text.set_rotation(angle)
    x, y = (around.x0 + around.x1) / 2, (around.y0 + around.y1) / 2
    right, up = flat.width / 2 - SLACK, flat.height / 2 - SLACK
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    around = [(x + i * right * cos - j * up * sin, y + i * right * sin + j * up * cos) for i, j in signs]
    return [*around, around[0]]


def shown_ticks(axis):
    low, high = sorted(axis.get_view_interval())
    slack = 1e-6 * (high - low)
    for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
        if low - slack <= tick.get_loc() <= high + slack:
            yield tick.label1


def labels(figure):
    """Every text of the figure that is seen."""
    found = list(figure.texts)
    for legend in figure.legends:
        found += [*legend.get_texts(), legend.get_title()]
    for axes in (axes for axes in figure.axes if axes.get_visible()):
        found += [axes.title, *axes.texts]
        for axis in (axes.xaxis, axes.yaxis):
            found += [axis.label, *shown_ticks(axis)]
        if axes.get_legend():
            found += [*axes.get_legend().get_texts(), axes.get_legend().get_title()]
    return [text for text in found if text.get_visible() and text.get_text().strip()]


def overlaps(figure):
    """Pairs of labels that cover each other."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    boxes = [(text.get_text(), Path(corners(text, renderer), closed=True)) for text in labels(figure)]
    pairs = itertools.combinations(boxes, 2)
    return [(one, other) for (one, box), (other, another) in pairs if box.intersects_path(another)]


def cut_off(figure):
    """Labels that reach beyond the figure, and bars beyond their axes."""
    renderer, box = figure.canvas.get_renderer(), figure.bbox.padded(SLACK)
    texts = [
        text.get_text()
        for text in labels(figure)
        if not all(box.contains(*corner) for corner in corners(text, renderer))
    ]
    bars = [
        f"a bar of {patch.get_height():g}"
        for axes in figure.axes
        for container in axes.containers
        for patch in container.patches
        if patch.get_height() + patch.get_y() > 1.0001 * axes.get_ylim()[1]
    ]
    return texts + bars


def odd_starts(figure):
    """Bars that begin neither at 0, nor at 1, nor at a power of ten at the end of a logarithmic axis."""
    return [
        f"a bar from {bar.get_y():g} on an axis from {axes.get_ylim()[0]:g}"
        for axes in figure.axes
        for bar in axes.patches
        if axes.get_yscale() == "log"
        and bar.get_y() != 1
        and (bar.get_y() != 0 or math.log10(axes.get_ylim()[0]) % 1 != 0)
    ]


def check(figure):
    """As wide as a column, letters that can be read there, none of them exponents, no label on another or cut
    off, bars from where they should, and the device and the day are there."""
    found = labels(figure)
    assert figure.get_figwidth() == COLUMN
    assert [text.get_text() for text in found if text.get_size() < LETTERS or "^" in text.get_text()] == []
    assert odd_starts(figure) == []
    assert overlaps(figure) == []
    assert cut_off(figure) == []
    width, height = figure.get_size_inches()
    assert width <= MOST * height, f"{width:.1f} x {height:.1f} inches"
    words = "\n".join(text.get_text() for text in labels(figure))
    assert "nvidia-" in words and "2026-" in words, "no device or date"


records_of = cache(Results.read)  # of a folder that does not change


def words_of(name, folder):
    """All words of a figure, drawn from a folder of records."""
    figure = figure_of(name, records_of(folder))
    texts = [text.get_text() for text in figure.findobj(plotting.plt.Text)]
    plotting.plt.close(figure)
    return "\n".join(texts)


def check_drawn(name, folder):
    """Draws a figure, and checks its labels."""
    figure = figure_of(name, records_of(folder))
    try:
        check(figure)
    finally:
        plotting.plt.close(figure)
