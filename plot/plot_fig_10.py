#!/usr/bin/env python3
"""Draws DiggerBees's figure 10: speed under other cutoffs, relative to the default of 32 and 64."""

import math
import sys

import plotting
from evaluation.methods import DEFAULT_CUTOFFS, DIGGERBEES, cutoffs, gpu_of
from evaluation.records import read_merged
from evaluation.speedups import kernel_ms, over_graphs
from evaluation.text_tables import digits

import matplotlib.pyplot as plt

COLUMNS = 4  # panels beside each other


def relative_speeds(rows):
    """{graph: {(hot, cold): speed over that of the default}}, where nothing else differs."""
    settings = {}
    for row in rows:
        pair, others = cutoffs(row)
        settings.setdefault((row["graph"], others), {})[pair] = kernel_ms(row)
    graphs = {}
    for (graph, _), times in settings.items():
        default = times.get(DEFAULT_CUTOFFS)
        if default and len(times) > max(1, len(graphs.get(graph, {}))):
            graphs[graph] = {pair: default / ms for pair, ms in times.items()}
    return graphs


def mean_of(graphs):
    """The geometric mean over the graphs, for every pair of cutoffs that all of them have."""
    pairs = set.intersection(*(set(speeds) for speeds in graphs.values()))
    return {pair: over_graphs(speeds[pair] for speeds in graphs.values()) for pair in pairs}


def draw_map(axes, title, speeds, hots, colds, limits):
    values = [[speeds.get((hot, cold), math.nan) for hot in hots] for cold in colds]
    image = axes.imshow(values, cmap="YlOrBr", vmin=limits[0], vmax=limits[1], origin="lower", aspect="auto")
    middle = sum(limits) / 2
    for (hot, cold), speed in speeds.items():
        color = "white" if speed > middle else "black"
        place = (hots.index(hot), colds.index(cold))
        axes.annotate(digits(speed), place, ha="center", va="center", color=color, fontsize=9)
    axes.set_xticks(range(len(hots)), hots)
    axes.set_yticks(range(len(colds)), colds)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.set_title(title, fontsize=9)
    return image


def draw(arguments):
    rows = [
        row
        for row in read_merged("dfs", arguments.merged)
        if row["variant"] == DIGGERBEES and cutoffs(row)[0]
    ]
    rows = [row for row in rows if row["device"] == gpu_of(rows)]
    graphs = relative_speeds(rows)
    if not graphs:
        raise plotting.NothingToDraw(f"no graph in {arguments.merged} with the default cutoffs and others")
    panels = {**graphs, **({"geometric mean": mean_of(graphs)} if len(graphs) > 1 else {})}
    hots, colds = (sorted({pair[i] for speeds in panels.values() for pair in speeds}) for i in (0, 1))
    every = [speed for speeds in panels.values() for speed in speeds.values()]
    columns = min(COLUMNS, len(panels))
    lines = -(-len(panels) // columns)
    size = (2.3 * columns + 1.2, 2.3 * lines + 0.6)
    figure, places = plt.subplots(lines, columns, figsize=size, layout="constrained", squeeze=False)
    for axes in places.flat[len(panels) :]:
        axes.set_visible(False)
    for axes, (title, speeds) in zip(places.flat, panels.items()):
        image = draw_map(axes, title, speeds, hots, colds, (min(every), max(every)))
    for axes in places[:, 0]:
        axes.set_ylabel("cold_cutoff")
    for axes in places.flat[max(0, len(panels) - columns) : len(panels)]:
        axes.set_xlabel("hot_cutoff")
    figure.colorbar(image, ax=places, label="speed, default cutoffs = 1", shrink=0.9)
    plotting.footnote(figure, f"from mean kernel ms; {plotting.places(rows)}")
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw))
