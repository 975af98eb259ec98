"""figures_warpnet.py: the figures of WarpNet's paper."""

import plotting
from evaluation.records import dag_rows, pivot, read_merged


def bfs_times(arguments):
    """Figure 1: run time of every BFS implementation on every graph."""
    rows = read_merged("bfs", arguments.merged)
    plotting.require(rows, f"nothing measured for it in {arguments.merged}")
    return plotting.grouped_bars(*pivot(rows), "BFS run time (ms)")


def dag_times(arguments):
    """Figure 2: depth-first search on the CPU against topological sort, on DAGs."""
    rows = dag_rows(read_merged("dfs", arguments.merged), read_merged("topo", arguments.merged))
    plotting.require(rows, f"nothing measured for it in {arguments.merged}")
    edges = {row["graph"]: float(row["edges"]) for row in rows}
    table, series = pivot(rows)
    labelled = {f"{graph}\n{edges[graph] / 1e6:.1f} M edges": times for graph, times in table.items()}
    return plotting.grouped_bars(labelled, series, "run time (ms)", slant=0)


FIGURES = {"warpnet_1": bfs_times, "warpnet_2": dag_times}
