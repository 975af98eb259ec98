"""figures_warpnet.py: the figures of WarpNet's paper."""

import plotting
from evaluation.methods import SEARCH
from evaluation.numbers.warpnet import BITMAP, KAHN, QUEUE, SERIAL, SERIAL_DFS, WARP

# The paper's names of its variants.
BFS = {"Sequential BFS (CPU)": SERIAL, "Frontier (CUDA)": QUEUE, "Bitmap": BITMAP, "Warp-Centric": WARP}
SORTS = {"Sequential DFS (CPU)": SERIAL_DFS, "Topological Sort (GPU)": KAHN}
LIST = "warpnet_list"


def of_gpus(table, names):
    """Lists the graphs that a GPU ran on, or else a CPU, small ones first."""
    sizes = plotting.edges_of({name: table[name] for name in names if name in table} or table)
    return sorted(sizes, key=lambda graph: (sizes[graph], graph))


def bfs_times(results):
    """Figure 1: run time of every BFS implementation on every graph."""
    table = plotting.rows_of_methods(results, BFS)
    measured = of_gpus(table, list(BFS)[1:])
    graphs = plotting.papers_graphs(LIST, measured, lambda entry: entry.group)  # others are not in the paper
    return plotting.bars_of_methods(table, SEARCH, graphs, "BFS run time (ms)")


def dag_times(results):
    """Figure 2: depth-first search on the CPU against topological sort, on the DAGs that both ran on."""
    table = plotting.rows_of_methods(results, SORTS)
    both = set.intersection(*(set(table.get(name, ())) for name in SORTS))
    plotting.require(both, f"no DAG with both {' and '.join(map(str, SORTS.values()))}")
    measured = [graph for graph in of_gpus(table, SORTS) if graph in both]
    graphs = plotting.papers_graphs(LIST, measured, lambda entry: "acyclic" in entry.kind)
    edges = plotting.edges_of(table)
    graphs = {graph: f"{label}\n{edges[graph] / 1e6:.1f} M edges" for graph, label in graphs.items()}
    return plotting.bars_of_methods(table, SEARCH, graphs, "run time (ms)", slant=0)


FIGURES = {"warpnet_1": bfs_times, "warpnet_2": dag_times}
