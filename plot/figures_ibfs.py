"""figures_ibfs.py: figures of the thesis on IBFS (chapter 5): path lengths between pairs of vertices."""

from functools import partial

import plotting
from evaluation.analyses.msbfs import BY_CPU, SCHEMES, WEBGPU, Measured, short

PANELS = 2  # beside each other
# Of IBFS's schemes, and of what path lengths are compared with.
SEARCH_LOOKS = {
    "ibfs-workgroup": ("#E69F00", "s"),
    "ibfs-coalesced": ("#56B4E9", "^"),
    "ibfs-bottomup": ("#0072B2", "v"),
    "ibfs-auto": ("#000000", "D"),
    "webgpu-workgroup": ("#A65628", "1"),
    "webgpu-coalesced": ("#984EA3", "2"),
    "webgpu-bottomup": ("#D55E00", "3"),
    "bitparallel": ("#009E73", "P"),
    "auto": ("#D55E00", "o"),
    "then": ("#CC79A7", "<"),
    "pbfs": ("#F0E442", ">"),
    "serial": ("#999999", "x"),
    "bfs auto": ("#8B4513", "*"),
}


def normalised_to_fastest(times):
    """How many times slower each time of a DataFrame is than the fastest of its row."""
    return times.div(times.min(axis="columns"), axis="index")


def bars_over_sizes(axes, times):
    colors = {name: SEARCH_LOOKS[name][0] for name in times}
    plotting.bar_groups(axes, normalised_to_fastest(times), colors, start=1)
    axes.set_xticks(range(len(times)), map(plotting.in_short, times.index), rotation=90)
    axes.set(yscale="log", ylim=(1 / 1.05, None))  # the fastest are seen as lines


def lines_over_sizes(axes, times):
    for name, ms in times.items():
        color, marker = SEARCH_LOOKS[name]
        axes.plot(ms.dropna(), color=color, marker=marker, label=name)
    axes.set(xscale="log", yscale="log")
    plotting.write_numbers(axes.xaxis)


def path_lengths(names, ylabel, arguments, draw=lines_over_sizes):
    """The time of path lengths over the number of pairs, a panel a graph on which two of the searches ran.

    draw: draws a DataFrame of ms, with a row for each number of pairs and a column for each search."""
    measured = Measured(arguments.results, "pairs")
    by_graph = measured.times(names).dropna(how="all").groupby(level="graph", sort=False)
    table = {graph: ms.droplevel("graph") for graph, ms in by_graph if ms.count(axis="columns").max() > 1}
    shown = [name for name in names if any(ms[name].notna().any() for ms in table.values())]
    some = ", ".join(map(short, names))
    plotting.require(len(shown) > 1, f"no path lengths by two of {some} in {arguments.results}")
    figure, panels = plotting.panels(table, PANELS, 1.5, "pairs", ylabel)
    for axes, sizes in zip(panels.flat, table.values()):
        draw(axes, sizes[shown].rename(columns=short))
        plotting.write_numbers(axes.yaxis)
    plotting.legend(figure)
    drawn = measured.rows[measured.rows.name.isin(shown)].to_dict("records")
    plotting.footnote(figure, plotting.places(drawn))
    return figure


FIGURES = {
    # the schemes, each over the fastest of them
    "ibfs_5_1": partial(path_lengths, SCHEMES, "times the fastest", draw=bars_over_sizes),
    # the times of the schemes, and of the choice among them
    "ibfs_5_4": partial(path_lengths, (*SCHEMES, "msbfs ibfs-auto"), "ms"),
    # by CUDA and by WebGPU, over the faster
    "ibfs_5_7": partial(path_lengths, (SCHEMES[-1], WEBGPU[-1]), "times the fastest", draw=bars_over_sizes),
    # on the GPU against the CPU
    "ibfs_5_16": partial(path_lengths, (*BY_CPU, "msbfs ibfs-auto", "msbfs bitparallel", "msbfs auto"), "ms"),
    # many searches at once against one BFS after the other
    "ibfs_5_17": partial(path_lengths, ("bfs auto", SCHEMES[0], SCHEMES[-1], "msbfs auto"), "ms"),
}
