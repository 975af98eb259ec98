"""figures_warpnet.py: the figures of WarpNet's paper."""

import plotting
from evaluation.numbers.compare import SEARCH
from evaluation.numbers.warpnet import BITMAP, KAHN, QUEUE, SERIAL, SERIAL_DFS, WARP

# The paper's names of its variants.
BFS = {"Sequential BFS (CPU)": SERIAL, "Frontier (CUDA)": QUEUE, "Bitmap": BITMAP, "Warp-Centric": WARP}
SORTS = {"Sequential DFS (CPU)": SERIAL_DFS, "Topological Sort (GPU)": KAHN}
LIST = "warpnet_list"


def of_gpus(table, names):
    """Lists the graphs that a GPU ran on, or else a CPU, small ones first."""
    rows = plotting.drawn_rows({name: table[name] for name in names if name in table} or table)
    sizes = {row["graph"]: float(row["edges"]) for row in rows}
    return sorted(sizes, key=lambda graph: (sizes[graph], graph))


def bfs_times(results):
    """Figure 1: run time of every BFS implementation on every graph."""
    table = plotting.rows_of_methods(results, BFS)
    measured = of_gpus(table, list(BFS)[1:])
    graphs = plotting.papers_graphs(LIST, measured, lambda entry: entry.group)  # others are not in the paper
    bars = plotting.bars_of(table, SEARCH, graphs)
    figure = plotting.grouped_bars(bars, [name for name in BFS if name in table], "BFS run time (ms)")
    plotting.footnote(figure, plotting.report_of(plotting.drawn_rows(table, graphs)))
    return figure


def dag_times(results):
    """Figure 2: depth-first search on the CPU against topological sort, on the DAGs that both ran on."""
    table = plotting.rows_of_methods(results, SORTS)
    both = set.intersection(*(set(table.get(name, ())) for name in SORTS))
    plotting.require(both, f"no DAG with both {' and '.join(map(str, SORTS.values()))}")
    measured = [graph for graph in of_gpus(table, SORTS) if graph in both]
    graphs = plotting.papers_graphs(LIST, measured, lambda entry: "acyclic" in entry.kind)
    edges = {row["graph"]: float(row["edges"]) / 1e6 for row in plotting.drawn_rows(table)}
    graphs = {graph: f"{label}\n{edges[graph]:.1f} M edges" for graph, label in graphs.items()}
    bars = plotting.bars_of(table, SEARCH, graphs)
    figure = plotting.grouped_bars(bars, list(table), "run time (ms)", slant=0)
    plotting.footnote(figure, plotting.report_of(plotting.drawn_rows(table, graphs)))
    return figure


FIGURES = {"warpnet_1": bfs_times, "warpnet_2": dag_times}
