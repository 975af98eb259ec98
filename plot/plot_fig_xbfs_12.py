#!/usr/bin/env python3
"""Draws XBFS's figure 12: the shares of top-down and bottom-up levels in the time, as its parts are added."""

import sys

import plotting
from evaluation.analyses.xbfs import (
    ABLATION,
    AD,
    BOTTOM_UP,
    ENTERPRISE,
    FULL,
    TOP_DOWN,
    Measured,
    direction_shares,
)

import matplotlib.pyplot as plt

COLORS = {TOP_DOWN: "#56B4E9", BOTTOM_UP: "#E69F00"}
STEPS = (ENTERPRISE, AD, FULL)


def draw(arguments):
    measured = Measured(arguments.results)
    found = {
        step: {graph: direction_shares(runs.get(step, {})) for graph, runs in measured.levels().items()}
        for step in STEPS
    }
    graphs = [graph for graph in measured.levels() if all(found[step][graph] for step in STEPS)]
    if not graphs:
        raise plotting.NothingToDraw(f"no traces of Enterprise and XBFS in {arguments.results}")
    size = (plotting.width_for(graphs) * 1.5, 3.6)
    figure, panels = plt.subplots(1, len(STEPS), figsize=size, layout="constrained", sharey=True)
    for axes, step in zip(panels, STEPS):
        plotting.stacked_bars(axes, {graph: found[step][graph] for graph in graphs}, COLORS)
        axes.set_title(ABLATION[step], fontsize=9)
    panels[0].set_ylabel("of the time")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    plotting.footnote(figure, plotting.places([{"device": measured.gpu_of_levels}]))
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
