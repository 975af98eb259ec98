#!/usr/bin/env python3
"""Draws DiggerBees's figure 7: how the GPU's DFS methods scale from one GPU to a larger one."""

import math
import statistics
import sys
from collections import Counter

import plotting
from evaluation.methods import METHODS, edges_of, speeds, times, with_usual_options
from evaluation.records import kind_of, read_merged
from evaluation.speedups import over_graphs, times_faster
from evaluation.text_tables import digits

import matplotlib.pyplot as plt

COMPARED = ("nvg", "v4", "v5")


def two_gpus(rows):
    """{GPU: its rows} of the two GPUs that most rows are of, the slower one first."""
    counts = Counter(row["device"] for row in rows if kind_of(row["device"]) == "GPU")
    if len(counts) < 2:
        raise plotting.NothingToDraw(
            f"needs records of two GPUs, and has those of {', '.join(counts) or 'none'}; "
            "copy the folder of another GPU's records beside theirs and merge again"
        )
    found = {}
    for gpu, _ in counts.most_common(2):
        on_it = [row for row in rows if row["device"] == gpu and row["variant"] in COMPARED]
        found[gpu] = with_usual_options(on_it)
    first, second = found
    scale = [ratio for pair in by_variant(found[second], found[first]).values() for ratio in pair.values()]
    if not scale:
        raise plotting.NothingToDraw(
            f"{first} and {second} have no graph and method of {', '.join(COMPARED)} in common"
        )
    return found if over_graphs(scale) >= 1 else {second: found[second], first: found[first]}


def by_variant(fast, slow):
    """{variant: {graph: times faster}} of two GPUs' rows, of the variants that both have run."""
    ours, theirs = times(fast), times(slow)
    found = {variant: times_faster(ours.get(variant, {}), theirs.get(variant, {})) for variant in COMPARED}
    return {variant: faster for variant, faster in found.items() if faster}


def draw_trend(axes, edges, values, **style):
    """The least-squares line through the points on logarithmic scales."""
    x = [math.log10(edges[graph]) for graph in values]
    y = [math.log10(value) for value in values.values()]
    if len(set(x)) < 2:
        return
    slope, height = statistics.linear_regression(x, y)
    ends = (min(x), max(x))
    axes.plot(
        [10**end for end in ends], [10 ** (slope * end + height) for end in ends], linewidth=1.6, **style
    )


def draw_ratios(axes, edges, faster, variant, ylabel):
    plotting.scatter(axes, edges, faster, variant)
    axes.axhline(1, color="black", linewidth=0.8)
    plotting.log_scales(axes, ylabel)
    mean = over_graphs(faster.values())
    axes.axhline(mean, color=plotting.METHOD_COLORS[variant], linewidth=1, linestyle="--")
    axes.set_title(f"{METHODS[variant]}: geometric mean {digits(mean)}x", fontsize=9, loc="left")


def draw(arguments):
    rows = read_merged("dfs", arguments.merged)
    found, edges = two_gpus(rows), edges_of(rows)
    small, large = found
    tables = {gpu: speeds(some) for gpu, some in found.items()}
    shown = by_variant(found[large], found[small])
    figure = plt.figure(figsize=(10, 7.2), layout="constrained")
    grid = figure.add_gridspec(2, len(shown), height_ratios=[1.35, 1])
    top = figure.add_subplot(grid[0, :])
    for variant in shown:
        color = plotting.METHOD_COLORS[variant]
        for gpu, filled, dashes in ((small, False, "--"), (large, True, "-")):
            values = tables[gpu][variant]
            looks = (
                {}
                if filled
                else {"facecolors": "none", "edgecolors": color, "linewidths": 0.8, "color": None}
            )
            plotting.scatter(top, edges, values, variant, label=f"{METHODS[variant]}, {gpu}", **looks)
            draw_trend(top, edges, values, color=color, linestyle=dashes)
    plotting.log_scales(top, "MTEPS")
    for number, (variant, faster) in enumerate(shown.items()):
        draw_ratios(figure.add_subplot(grid[1, number]), edges, faster, variant, f"{large} over\n{small}")
    figure.legend(loc="outside upper center", ncols=len(shown), markerscale=1.4)
    plotting.footnote(
        figure, f"lines: fits on logarithmic scales, dashed for {small}; mean of the sources' MTEPS"
    )
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw))
