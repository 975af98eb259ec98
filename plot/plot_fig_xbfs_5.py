#!/usr/bin/env python3
"""Draws XBFS's figure 5: how much faster atomics fill a frontier queue than a prefix sum."""

import sys

import plotting
from evaluation.analyses.xbfs import Measured

import matplotlib.pyplot as plt


def draw(arguments):
    measured = Measured(arguments.results)
    times = measured.enqueue()
    if not times:
        raise plotting.NothingToDraw(f"no queues filled in {arguments.results}")
    figure, axes = plt.subplots(figsize=(plotting.LEAST_INCHES, 3.4), layout="constrained")
    sizes = sorted(times)
    axes.plot(
        [size / 1e6 for size in sizes],
        [times[size][1] / times[size][0] for size in sizes],
        "o-",
        color="#D55E00",
    )
    axes.axhline(1, color="#666666", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_xticks([size / 1e6 for size in sizes], [f"{size / 1e6:g}" for size in sizes])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("array size (million)")
    axes.set_ylabel("speedup of atomics")
    plotting.footnote(figure, plotting.places([{"device": measured.gpu_of_enqueue}]))
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
