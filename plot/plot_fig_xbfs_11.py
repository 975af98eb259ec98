#!/usr/bin/env python3
"""Draws XBFS's figure 11: what adaptive queues, dynamic balance and asynchronous levels add to Enterprise."""

import sys

import plotting
from evaluation.analyses.xbfs import ABLATION, AD, ENTERPRISE, FULL, WB, Measured, speedups

COLORS = {AD: "#56B4E9", WB: "#0072B2", FULL: "#D55E00"}


def draw(arguments):
    measured = Measured(arguments.results)
    table = speedups(measured, COLORS, ENTERPRISE)
    if not table:
        raise plotting.NothingToDraw(f"no graph in {arguments.results} with Enterprise and XBFS")
    named = {
        graph: {ABLATION[name]: value for name, value in found.items()} for graph, found in table.items()
    }
    colors = {ABLATION[name]: color for name, color in COLORS.items()}
    figure = plotting.grouped_bars(named, list(colors), "speedup over Enterprise", colors=colors)
    figure.axes[0].set_yscale("linear")
    plotting.footnote(figure, plotting.places([{"device": measured.gpu}]))
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
