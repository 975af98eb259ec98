#!/usr/bin/env python3
"""Draws XBFS's figure 14: ways to deal out bottom-up frontiers against classes by degree."""

import sys

import plotting
from evaluation.analyses.xbfs import AD, BALANCES, Measured, speedups

COLORS = dict(zip(BALANCES, ("#56B4E9", "#0072B2", "#D55E00", "#999999")))


def draw(arguments):
    measured = Measured(arguments.results)
    table = speedups(measured, BALANCES, AD)
    if not table:
        raise plotting.NothingToDraw(f"no graph in {arguments.results} with two ways of balance")
    figure = plotting.grouped_bars(table, list(COLORS), "speedup over classes by degree", colors=COLORS)
    figure.axes[0].set_yscale("linear")
    plotting.footnote(figure, plotting.places([{"device": measured.gpu}]))
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
