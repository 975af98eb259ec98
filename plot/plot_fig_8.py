#!/usr/bin/env python3
"""Draws DiggerBees's figure 8: what each version adds, from one block to the whole GPU."""

import sys

import plotting
from evaluation.methods import VERSIONS, edges_of, speeds, times
from evaluation.speedups import over_graphs, times_faster
from evaluation.text_tables import digits

MEANINGS = {
    "v1": "v1: one block, one-level stack",
    "v2": "v2: one block, two levels",
    "v3": "v3: half the SMs, stealing",
    "v4": "v4: a block per SM",
    "v5": "v5: gtrav's own",
}


def draw(arguments):
    rows = plotting.rows_at_one_place(arguments)
    rows = [row for row in rows if row["variant"] in VERSIONS]
    table, known = speeds(rows), times(rows)
    shown = [version for version in VERSIONS if version in table]
    # Other runs may have measured the last versions on more graphs: those without a first one show no step.
    stepped = {graph for version in VERSIONS[:3] for graph in table.get(version, {})}
    edges = edges_of(rows)
    graphs = sorted(stepped, key=edges.get)
    if not graphs:
        raise plotting.NothingToDraw(f"none of dfs {', '.join(VERSIONS[:3])} measured in {arguments.merged}")
    bars = {graph: {MEANINGS[v]: table[v][graph] for v in shown if graph in table[v]} for graph in graphs}
    colors = {MEANINGS[version]: plotting.METHOD_COLORS[version] for version in shown}
    figure = plotting.grouped_bars(bars, [MEANINGS[version] for version in shown], "MTEPS", colors=colors)
    steps = []
    for before, after in zip(shown, shown[1:]):
        faster = times_faster({g: known[after][g] for g in graphs if g in known[after]}, known[before])
        if faster:
            steps.append(f"{before} to {after}: {digits(over_graphs(faster.values()))}x")
    plotting.footnote(
        figure, f"geometric means, {', '.join(steps)}; mean of the sources' MTEPS; {plotting.places(rows)}"
    )
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw))
