#!/usr/bin/env python3
"""Draws DiggerBees's figure 5: speed of the DFS methods, and how many times faster DiggerBees is."""

import sys

import plotting
from evaluation.methods import BASELINES, DIGGERBEES, METHODS, edges_of, speeds, times
from evaluation.speedups import over_graphs, times_faster
from evaluation.text_tables import digits

import matplotlib.pyplot as plt

OURS = (DIGGERBEES, "v5")


def draw_speedups(axes, edges, known, baseline):
    lines = []
    for variant in OURS:
        faster = times_faster(known.get(variant, {}), known[baseline])
        if not faster:
            continue
        plotting.scatter(axes, edges, faster, variant)
        best = max(faster, key=faster.get)
        mean = over_graphs(faster.values())
        lines.append(f"{METHODS[variant]}: {digits(mean)}x, up to {digits(faster[best])}x: {best[:16]}")
    axes.axhline(1, color="black", linewidth=0.8)
    plotting.log_scales(axes, "times faster")
    axes.set_title(f"over {METHODS[baseline]}, geometric mean\n" + "\n".join(lines), fontsize=8.5, loc="left")


def draw(arguments):
    rows = plotting.rows_at_one_place(arguments)
    table, known, edges = speeds(rows), times(rows), edges_of(rows)
    shown = [variant for variant in METHODS if variant in table]
    if not shown:
        raise plotting.NothingToDraw(f"no {', '.join(METHODS)} among dfs in {arguments.merged}")
    compared = [
        name for name in BASELINES if any(times_faster(known.get(v, {}), known.get(name, {})) for v in OURS)
    ]
    figure = plt.figure(figsize=(11, 7.2 if compared else 4.4), layout="constrained")
    heights = [1.35, 1] if compared else [1]
    grid = figure.add_gridspec(len(heights), max(len(compared), 1), height_ratios=heights)
    top = figure.add_subplot(grid[0, :])
    for variant in shown:
        plotting.scatter(top, edges, table[variant], variant, label=METHODS[variant])
    plotting.log_scales(top, "MTEPS")
    for number, baseline in enumerate(compared):
        draw_speedups(figure.add_subplot(grid[1, number]), edges, known, baseline)
    figure.legend(loc="outside upper center", ncols=len(shown), markerscale=1.6)
    plotting.footnote(figure, f"{len(edges)} graphs; mean of the sources' MTEPS; {plotting.places(rows)}")
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw))
