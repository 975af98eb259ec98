#!/usr/bin/env python3
"""Draws Blest's figure 4: what wider windows of JaccardWithWindows give, and what they cost."""

import sys

import plotting
from evaluation.analyses.blest import Evaluation, read_note, windows
from evaluation.records import read_merged

import matplotlib.pyplot as plt

# Over the width, from above: what is drawn of a row, and how it is called.
PANELS = (
    ("BFS (ms)", lambda row: float(row["mean_kernel_ms"]), "#D55E00"),
    ("compression ratio", lambda row: read_note(row).compression_ratio, "#0072B2"),
    ("reordering (ms)", lambda row: float(row["reorder_ms"]), "#009E73"),
)


def draw(arguments):
    rows = read_merged("bfs", arguments.merged)
    evaluation = Evaluation(rows)
    found = {graph: windows(evaluation, graph) for graph in evaluation.graphs}
    graphs = {
        graph: widths
        for graph, widths in found.items()
        if len(widths) > 1 and all(map(read_note, widths.values()))
    }
    if not graphs:
        raise plotting.NothingToDraw(f"no graph in {arguments.merged} with windows of several widths")
    size = (2.6 * len(graphs) + 1, 1.9 * len(PANELS) + 0.6)
    figure, panels = plt.subplots(
        len(PANELS), len(graphs), figsize=size, layout="constrained", squeeze=False, sharex="col"
    )
    for column, (graph, widths) in zip(panels.T, graphs.items()):
        for axes, (_, value, color) in zip(column, PANELS):
            axes.plot(list(widths), list(map(value, widths.values())), "o-", color=color, markersize=4)
            axes.set_xscale("log", base=2)
            axes.set_xticks(list(widths)[::2])
            axes.set_ylim(0, 1.1 * max(map(value, widths.values())))
        column[0].set_title(graph, fontsize=9)
        column[-1].set_xlabel("window W (vertices)")
    for axes, (name, _, _) in zip(panels[:, 0], PANELS):
        axes.set_ylabel(name)
    plotting.footnote(figure, plotting.places([row for widths in graphs.values() for row in widths.values()]))
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw))
