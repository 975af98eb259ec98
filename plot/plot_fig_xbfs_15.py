#!/usr/bin/env python3
"""Draws XBFS's figure 15: edges that bottom-up levels look at, synchronous and asynchronous."""

import sys

import plotting
from evaluation.analyses.xbfs import FULL, WB, Measured, checks

COLORS = {"synchronous": "#0072B2", "asynchronous": "#D55E00"}


def draw(arguments):
    measured = Measured(arguments.results, emulated_counts=True)
    table = {
        graph: dict(zip(COLORS, (checks(runs[WB]), checks(runs[FULL]))))
        for graph, runs in measured.levels().items()
        if {WB, FULL} <= runs.keys()
    }
    table = {graph: numbers for graph, numbers in table.items() if all(numbers.values())}
    if not table:
        raise plotting.NothingToDraw(f"no traces with and without asynchronous levels in {arguments.results}")
    figure = plotting.grouped_bars(table, list(COLORS), "edges looked at", colors=COLORS)
    fewer = {
        graph: f"{numbers['asynchronous'] / numbers['synchronous'] - 1:+.0%}"
        for graph, numbers in table.items()
    }
    plotting.write_over_bars(figure, table, list(COLORS), "asynchronous", fewer)
    plotting.footnote(figure, plotting.places([{"device": measured.gpu_of_levels}]))
    plotting.name_the_emulator(figure, measured.gpu_of_levels)
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
