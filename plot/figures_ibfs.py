"""figures_ibfs.py: figures of the thesis on IBFS (chapter 5): path lengths between pairs of vertices."""

from functools import cache, partial

import plotting
from evaluation.analyses.msbfs import SCHEMES, WEBGPU, Measured
from evaluation.records import PAPER

PANELS = 2  # beside each other
WORKGROUP, COALESCED, BOTTOM_UP = SCHEMES
SINGLE = "bfs auto"  # one search after the other; the thesis has Belewitte's BFS there
# What the thesis calls a search; its colour and marker.
SEARCHES = {
    WORKGROUP: ("Workgroups", "#E69F00", "s"),
    COALESCED: ("Coalesced", "#56B4E9", "^"),
    BOTTOM_UP: ("Bottom-up", "#0072B2", "v"),
    WEBGPU[-1]: ("WebGPU (wgpu)", "#D55E00", "3"),
    "msbfs pbfs": ("MS-PBFS (CPU)", "#999999", "x"),
    SINGLE: (f"{SINGLE}, for each pair", "#8B4513", "*"),
}


def normalised_to_fastest(times):
    """How many times slower each time of a DataFrame is than the fastest of its row."""
    return times.div(times.min(axis="columns"), axis="index")


def bars_over_sizes(axes, times):
    colors = {name: SEARCHES[name][1] for name in times}
    titles = {name: SEARCHES[name][0] for name in times}
    colors = {titles[name]: color for name, color in colors.items()}
    plotting.bar_groups(axes, normalised_to_fastest(times).rename(columns=titles), colors, start=1)
    axes.set_xticks(range(len(times)), map(plotting.in_short, times.index), rotation=90)
    axes.set(yscale="log", ylim=(1 / 1.05, None))  # the fastest are seen as lines


def lines_over_sizes(axes, times):
    for name, ms in times.items():
        title, color, marker = SEARCHES[name]
        axes.plot(ms.dropna(), color=color, marker=marker, label=title)
    axes.set(xscale="log", yscale="log")
    least, most = times.index.min(), times.index.max()
    shown = [size for size in (1, 100, 10_000) if least <= size <= most]
    axes.set_xticks(shown if len(shown) > 1 else [least, most], minor=False)
    axes.xaxis.set_major_formatter(plotting.in_short)
    axes.set_xticks([], minor=True)


@cache
def measured_in(folder):
    return Measured(folder, "pairs", PAPER)


def path_lengths(names, ylabel, results, draw=lines_over_sizes):
    """Whole calls for path lengths, which the thesis times, over the number of pairs.

    A panel a scale factor on which two of the searches ran. draw: draws a DataFrame of ms, with a row for
    each number of pairs and a column for each search."""
    results.need_gpu()
    measured = measured_in(results.folder)
    by_graph = measured.times(names, "whole_ms").dropna(how="all").groupby(level="graph", sort=False)
    table = {graph: ms.droplevel("graph") for graph, ms in by_graph if ms.count(axis="columns").max() > 1}
    table = {graph: table[graph] for graph in plotting.papers_graphs("snb_list", table)}
    shown = [name for name in names if any(ms[name].notna().any() for ms in table.values())]
    some = ", ".join(SEARCHES[name][0] for name in names)
    plotting.require(len(shown) > 1, f"no path lengths by two of {some} in {results.folder}")
    titles = [graph.replace("snb:", "SF ") for graph in table]
    figure, panels = plotting.panels(titles, PANELS, 1.6, "pairs", ylabel)
    for axes, sizes in zip(panels.flat, table.values()):
        draw(axes, sizes[shown])
        plotting.write_numbers(axes.yaxis)
    plotting.legend(figure)
    rows = measured.rows[measured.rows.name.isin(shown) & measured.rows.graph.isin(table)]
    plotting.footnote(figure, f"whole calls; SF n is the generated snb:n; {plotting.places(rows.to_dict('records'))}")
    return figure


def of_thesis(title, names, ylabel, draw=lines_over_sizes):
    """A function that draws a figure, with the title as its text."""
    drawn = partial(path_lengths, names, ylabel, draw=draw)
    drawn.__doc__ = title
    return drawn


OVER, BY_CPU = "times the fastest", "msbfs pbfs"
FIGURES = {
    "ibfs_5_1": of_thesis("Figure 5.1: the schemes over the fastest", SCHEMES, OVER, bars_over_sizes),
    "ibfs_5_4": of_thesis("Figure 5.4: the schemes on one queue", (COALESCED, BOTTOM_UP), "ms"),
    "ibfs_5_7": of_thesis("Figure 5.7: CUDA and WebGPU", (BOTTOM_UP, WEBGPU[-1]), OVER, bars_over_sizes),
    "ibfs_5_16": of_thesis("Figure 5.16: the GPU and the CPU", (BY_CPU, BOTTOM_UP), "ms"),
    "ibfs_5_17": of_thesis(
        "Figure 5.17: many searches at once, and one after the other", (SINGLE, WORKGROUP, BOTTOM_UP), "ms"
    ),
}
