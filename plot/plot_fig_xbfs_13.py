#!/usr/bin/env python3
"""Draws XBFS's figure 13: what each way to make a queue contributes to the adaptive choice's gain."""

import sys

import plotting
from evaluation.analyses.xbfs import AD, ENTERPRISE, GENERATIONS, Measured, contributions

import matplotlib.pyplot as plt

COLORS = dict(zip(GENERATIONS, ("#56B4E9", "#0072B2", "#009E73", "#E69F00")))


def draw(arguments):
    measured = Measured(arguments.results)
    table = {
        graph: contributions(runs.get(ENTERPRISE, {}), runs.get(AD, {}))
        for graph, runs in measured.levels().items()
    }
    table = {graph: shares for graph, shares in table.items() if shares}
    if not table:
        raise plotting.NothingToDraw(f"no traces of Enterprise and adaptive queues in {arguments.results}")
    figure, axes = plt.subplots(figsize=(plotting.width_for(table), 3.6), layout="constrained")
    plotting.stacked_bars(axes, table, COLORS)
    axes.set_ylabel("of the time saved")
    figure.legend(loc="outside upper center", ncols=len(COLORS))
    plotting.footnote(figure, plotting.places([{"device": measured.gpu_of_levels}]))
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
