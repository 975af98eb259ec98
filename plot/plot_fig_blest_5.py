#!/usr/bin/env python3
"""Draws Blest's figure 5: the time of every level, by Blest's choice of the direction and by an oracle's.

A panel shows the source with the most levels; how many levels Blest takes the slower way, and how much faster
the oracle is, is over all sources.
"""

import sys

import plotting
from evaluation.analyses.blest import (
    BOTTOM_UP,
    TOP_DOWN,
    compare,
    misclassified,
    read_trace,
    speedup_of_optimal,
)
from evaluation.records import EMULATOR
from evaluation.text_tables import digits

import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator

LOOKS = {
    TOP_DOWN: {"color": "#0072B2", "marker": "s", "linestyle": "--"},
    BOTTOM_UP: {"color": "#009E73", "marker": "^", "linestyle": "--"},
    "Blest": {"color": "#D55E00", "marker": "o", "linestyle": "-"},
    "Optimal": {"color": "black", "marker": "", "linestyle": ":"},
}
COLUMNS = 3  # panels beside each other
PREFIX = "bfs_blest_"


def choose_device(arguments):
    """The GPU of most graphs that can be compared, and these: {graph: {source: {run: levels}}}."""
    folders = sorted(folder for folder in arguments.results.glob("*/traces") if folder.is_dir())
    devices = [{"device": folder.parent.name, "folder": folder} for folder in folders]
    devices = [found for found in devices if found["device"] != EMULATOR]
    for found in devices:
        paths = sorted(found["folder"].glob(f"{PREFIX}*.csv"))
        compared = {path.stem.removeprefix(PREFIX): compare(read_trace(path)) for path in paths}
        found["graphs"] = {graph: sources for graph, sources in compared.items() if sources}
    devices = [found for found in devices if found["graphs"]]
    if not devices:
        raise plotting.NothingToDraw(f"no traces of all three ways in {arguments.results}")
    best = max(devices, key=lambda found: len(found["graphs"]))
    return best["device"], best["graphs"]


def draw_panel(axes, graph, compared):
    runs = max(compared.values(), key=lambda runs: len(runs["Blest"]))
    for run, levels in runs.items():
        places = range(1, len(levels) + 1)
        axes.plot(places, [ms for _, ms in levels], label=run, markersize=4, linewidth=1.2, **LOOKS[run])
    wrong, faster = misclassified(compared), speedup_of_optimal(compared)
    axes.set_title(f"{graph}: misclassified {100 * wrong:.0f}%, optimal {digits(faster)}x", fontsize=8)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def draw(arguments):
    device, graphs = choose_device(arguments)
    columns = min(COLUMNS, len(graphs))
    lines = -(-len(graphs) // columns)
    size = (3.4 * columns + 0.6, 2.6 * lines + 0.9)
    figure, panels = plt.subplots(lines, columns, figsize=size, layout="constrained", squeeze=False)
    for axes in panels.flat[len(graphs) :]:
        axes.set_visible(False)
    for axes, (graph, compared) in zip(panels.flat, graphs.items()):
        draw_panel(axes, graph, compared)
    for axes in panels[:, 0]:
        axes.set_ylabel("ms")
    for axes in panels.flat[max(0, len(graphs) - columns) : len(graphs)]:
        axes.set_xlabel("level")
    names = panels.flat[0].get_legend_handles_labels()
    figure.legend(*names, loc="outside upper center", ncols=len(LOOKS) if columns > 1 else 2)
    plotting.footnote(figure, plotting.places([{"device": device}]))
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__.splitlines()[0], draw, source="results"))
