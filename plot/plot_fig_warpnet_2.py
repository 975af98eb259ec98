#!/usr/bin/env python3
"""Draws WarpNet's figure 2: depth-first search on the CPU against topological sort, on DAGs."""

import sys

import plotting
from evaluation.records import dag_rows, pivot, read_merged


def draw(arguments):
    rows = dag_rows(read_merged("dfs", arguments.merged), read_merged("topo", arguments.merged))
    if not rows:
        raise plotting.NothingToDraw(f"nothing measured for it in {arguments.merged}")
    edges = {row["graph"]: float(row["edges"]) for row in rows}
    table, series = pivot(rows)
    labelled = {f"{graph}\n{edges[graph] / 1e6:.1f} M edges": times for graph, times in table.items()}
    return plotting.grouped_bars(labelled, series, "run time (ms)", slant=0)


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw))
