#!/usr/bin/env python3
"""Draws XBFS's figure 10: the share of the next level that the first bottom-up level finds, too."""

import sys

import plotting
from evaluation.analyses.xbfs import FULL, Measured, early_share

import matplotlib.pyplot as plt


def draw(arguments):
    measured = Measured(arguments.results, emulated_counts=True)
    shares = {graph: early_share(found.get(FULL, {})) for graph, found in measured.levels().items()}
    shares = {graph: share for graph, share in shares.items() if share is not None}
    if not shares:
        raise plotting.NothingToDraw(f"no asynchronous bottom-up levels in {arguments.results}")
    figure, axes = plt.subplots(figsize=(plotting.width_for(shares), 3.4), layout="constrained")
    axes.bar(range(len(shares)), [100 * share for share in shares.values()], 0.7, color="#0072B2")
    plotting.slanted_names(axes, shares)
    axes.set_ylim(0, 100)
    axes.yaxis.set_major_formatter("{x:g}%")
    axes.set_ylabel("found a level early")
    plotting.footnote(figure, plotting.places([{"device": measured.gpu_of_levels}]))
    plotting.name_the_emulator(figure, measured.gpu_of_levels)
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
