#!/usr/bin/env python3
"""Draws XBFS's figure 9: how many edges bottom-up frontiers have, and how many they look at."""

import sys

import plotting
from evaluation.analyses.xbfs import Measured

import matplotlib.pyplot as plt
from matplotlib.colors import LogNorm

COLUMNS = 4  # panels beside each other


def draw_panel(axes, found, norm):
    most = max(max(classes) for classes in found) or 1
    degrees, checked = zip(*found)
    points = axes.scatter(
        degrees, checked, c=list(found.values()), norm=norm, cmap="viridis", s=22, marker="s"
    )
    axes.plot([0, most], [0, most], color="#666666", linewidth=0.8)
    for axis in (axes.set_xscale, axes.set_yscale):
        axis("symlog", base=2, linthresh=1)
    return points


def draw(arguments):
    measured = Measured(arguments.results, emulated_counts=True)
    work = {graph: found for graph, found in measured.work().items() if found}
    if not work:
        raise plotting.NothingToDraw(f"no work of frontiers in {arguments.results}")
    columns = min(COLUMNS, len(work))
    lines = -(-len(work) // columns)
    size = (max(plotting.LEAST_INCHES, 2.6 * columns + 1.2), 2.4 * lines + 0.7)
    figure, panels = plt.subplots(lines, columns, figsize=size, layout="constrained", squeeze=False)
    for axes in panels.flat[len(work) :]:
        axes.set_visible(False)
    norm = LogNorm(1, max(max(found.values()) for found in work.values()) + 1)
    for axes, (graph, found) in zip(panels.flat, work.items()):
        points = draw_panel(axes, found, norm)
        axes.set_title(graph, fontsize=9)
    figure.colorbar(points, ax=panels, label="frontiers")
    for axes in panels[:, 0]:
        axes.set_ylabel("edges looked at")
    for axes in panels.flat[max(0, len(work) - columns) : len(work)]:
        axes.set_xlabel("edges")
    plotting.footnote(figure, plotting.places([{"device": measured.gpu_of_work}]))
    plotting.name_the_emulator(figure, measured.gpu_of_work)
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
