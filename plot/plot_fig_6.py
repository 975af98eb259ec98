#!/usr/bin/env python3
"""Draws DiggerBees's figure 6: the DFS methods and the fastest BFS on the representative graphs."""

import sys

import plotting
from evaluation.methods import METHODS, gpu_of
from evaluation.records import read_representative

BEST_BFS = "best BFS"
COLUMNS = {f"{variant}_mteps": name for variant, name in METHODS.items()} | {"best_bfs_mteps": BEST_BFS}


def draw(arguments):
    rows = read_representative(arguments.merged)
    rows = [row for row in rows if row["device"] == gpu_of(rows)] or rows
    if not rows:
        raise plotting.NothingToDraw(f"no representative graph measured in {arguments.merged}")
    table, bfs = {}, {}
    for row in rows:
        table[row["graph"]] = {name: float(row[column]) for column, name in COLUMNS.items() if row[column]}
        bfs[row["graph"]] = row["best_bfs_variant"]
    series = [name for name in COLUMNS.values() if any(name in values for values in table.values())]
    colors = {name: plotting.METHOD_COLORS[column.removesuffix("_mteps")] for column, name in COLUMNS.items()}
    figure = plotting.grouped_bars(table, series, "MTEPS", colors=colors)
    if BEST_BFS in series:
        plotting.write_over_bars(figure, table, series, BEST_BFS, bfs)
    plotting.footnote(
        figure, f"mean of the sources' MTEPS; {plotting.places(rows)}; over a bar: which BFS is best"
    )
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw))
