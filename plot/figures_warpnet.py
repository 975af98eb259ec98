"""figures_warpnet.py: the figures of WarpNet's paper."""

import plotting
from evaluation.methods import at_one_place, gpu_of, with_usual_options
from evaluation.records import PAPER, dag_rows, in_mode, kind_of, read_merged

# What the paper calls its variants; ours comes after them.
BFS_NAMES = {
    "serial (CPU)": "Sequential BFS (CPU)",
    "queue (GPU)": "Frontier (CUDA)",
    "bitmap (GPU)": "Bitmap",
    "warp (GPU)": "Warp-Centric",
    "auto (GPU)": "gtrav auto",
}
DAG_NAMES = {"dfs serial (CPU)": "Sequential DFS (CPU)", "topo kahn (GPU)": "Topological Sort (GPU)"}
RAN = ("queue", "bitmap", "warp", "topo kahn")


def in_papers_mode(family, arguments):
    """The rows of a family at one place, as in the paper where those were measured."""
    rows = in_mode(read_merged(family, arguments.merged), PAPER)
    return with_usual_options(at_one_place(rows, gpu_of(rows)))


def times(rows, names, arguments):
    """{graph: {the paper's name of a variant: ms}}, smallest graph first, and the rows of it.

    Only graphs that a GPU's variant of the paper ran on, if there was a GPU."""
    named = [(row, names.get(f"{row['variant']} ({kind_of(row['device'])})")) for row in rows]
    ran = {row["graph"] for row, name in named if name and row["variant"] in RAN}
    named = [(row, name) for row, name in named if name and (row["graph"] in ran or not ran)]
    plotting.require(named, f"nothing measured for it in {arguments.merged}")
    table = {}
    for row, name in sorted(named, key=lambda pair: (float(pair[0]["edges"]), pair[0]["graph"])):
        table.setdefault(row["graph"], {})[name] = float(row["mean_time_ms"])
    return table, [row for row, _ in named]


def bars(table, names, ylabel, slant=plotting.SLANT):
    measured = set().union(*table.values())
    return plotting.grouped_bars(table, [name for name in names if name in measured], ylabel, slant)


def bfs_times(arguments):
    """Figure 1: run time of every BFS implementation on every graph."""
    table, rows = times(in_papers_mode("bfs", arguments), BFS_NAMES, arguments)
    figure = bars(table, BFS_NAMES.values(), "BFS run time (ms)")
    plotting.footnote(figure, plotting.report_of(rows))
    return figure


def dag_times(arguments):
    """Figure 2: depth-first search on the CPU against topological sort, on the DAGs that both ran on."""
    known = dag_rows(in_papers_mode("dfs", arguments), in_papers_mode("topo", arguments))
    table, rows = times(known, DAG_NAMES, arguments)
    measured = set().union(*table.values())
    compared = {graph: ms for graph, ms in table.items() if ms.keys() == measured} or table
    edges = {row["graph"]: float(row["edges"]) for row in rows}
    labelled = {f"{graph}\n{edges[graph] / 1e6:.1f} M edges": ms for graph, ms in compared.items()}
    figure = bars(labelled, DAG_NAMES.values(), "run time (ms)", slant=0)
    plotting.footnote(figure, plotting.report_of(rows))
    return figure


FIGURES = {"warpnet_1": bfs_times, "warpnet_2": dag_times}
