"""figures_blest.py: the figures of Blest's paper, and its table 6 as one."""

import itertools

import plotting
from evaluation.analyses import blest, msbfs
from evaluation.comparison import search_ms
from evaluation.methods import msbfs as many
from evaluation.numbers.blest import BATCHES, traced_directions
from evaluation.numbers.compare import TOTAL
from evaluation.text_tables import digits

from matplotlib.ticker import MaxNLocator

# The panels over the width of the windows, from the top: the label, and the number of a row that is drawn.
WINDOW_PANELS = (
    ("BFS (ms)", search_ms),
    ("compression ratio", lambda row: blest.bvss_of(row)["compression_ratio"]),
    ("reordering (ms)", lambda row: float(row["reorder_ms"])),
)
RUN_LOOKS = {
    blest.TOP_DOWN: {"color": "#0072B2", "marker": "s", "linestyle": "--"},
    blest.BOTTOM_UP: {"color": "#009E73", "marker": "^", "linestyle": "--"},
    "Blest": {"color": "#D55E00", "marker": "o", "linestyle": "-"},
    "Optimal": {"color": "black", "marker": "", "linestyle": ":"},
}
LEVEL_PANELS = 2  # side by side
STEPS = {title: many(msbfs.short(name)) for name, title in msbfs.ABLATION.items()}
LIST = "blest14_graphs"
# The graphs of figure 5, in its order: the six with the smallest diameters.
OF_SWITCHING = ("com-Friendster", "mawi_201512020330", "GAP-twitter", "GAP-web", "GAP-kron", "GAP-urand")


def window_widths(results):
    """Figure 4: the gain and the cost of wider windows of JaccardWithWindows."""
    found = blest.windows(results)
    found = {graph: rows for graph, rows in found.items() if len(rows) > 1 and all(map(blest.bvss_of, rows.values()))}
    plotting.require(found, f"no graph in {results.folder} with windows of several widths")
    labels = plotting.papers_graphs(LIST, found, lambda entry: "windows" in entry.kind)
    graphs = {label: found[graph] for graph, label in labels.items()}
    figure, panels = plotting.subplots(1.2 * len(WINDOW_PANELS) + 0.2, len(WINDOW_PANELS), sharex=True)
    for axes, (name, value) in zip(panels, WINDOW_PANELS):
        for color, (graph, widths) in zip(itertools.cycle(plotting.COLORS[1:]), graphs.items()):
            axes.plot(list(widths), list(map(value, widths.values())), "o-", color=color, label=graph)
        most = max(map(value, plotting.drawn_rows(graphs)))
        axes.set(xscale="log", ylim=(0, 1.1 * most), ylabel=name)
        axes.yaxis.set_major_formatter(plotting.in_short)
    shown = sorted({width for widths in graphs.values() for width in widths})
    axes.set_xticks(shown, list(map(plotting.in_short, shown)))
    axes.set_xticks([], minor=True)
    axes.set_xlabel("window W (vertices)")
    plotting.legend(figure)
    return plotting.footnote(figure, plotting.report_of(plotting.drawn_rows(graphs)))


def draw_levels(axes, graph, compared):
    most = compared.loc[compared.groupby("source", sort=False).size().idxmax()]
    for run in most.columns.unique(level=0):
        axes.plot(most.index, most[run].ms, label=run, markersize=2.5, **RUN_LOOKS[run])
    wrong, faster = blest.misclassified(compared), blest.speedup_of_optimal(compared)
    axes.set_title(f"{graph}: misclassified\n{100 * wrong:.0f}%, optimal {digits(faster)}x")
    axes.set_yscale("log")
    plotting.write_numbers(axes.yaxis)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def levels(results):
    """Figure 5: the time of every level, by Blest's choice of the direction and by an oracle's.

    A panel shows the source with the most levels. Its title covers all sources: how many levels Blest takes the
    slower way, and how much faster the oracle is."""
    found = {key.graph: runs for key, runs in traced_directions(results).items()}
    labels = plotting.papers_graphs(LIST, found, lambda entry: entry.name in OF_SWITCHING)
    figure, panels = plotting.panels(labels, LEVEL_PANELS, 1.5, "level", "ms")
    for axes, (graph, label) in zip(panels.flat, labels.items()):
        draw_levels(axes, label, found[graph])
    plotting.legend(figure)
    return plotting.measured_on(figure, results)


def many_sources(results):
    """Table 6 as a figure: the time of 256 searches by Blest's steps."""
    table = plotting.rows_of_methods(results, STEPS, TOTAL, BATCHES)
    others = set().union(*(rows for step, rows in table.items() if step != "(Naive)"))
    measured = [graph for graph in table.get("(Naive)", ()) if graph in others]
    plotting.require(measured, "nothing that 256 searches one after the other can be compared with")
    graphs = plotting.papers_graphs(LIST, measured)
    return plotting.bars_of_methods(table, TOTAL, graphs, "256 searches (s)")


FIGURES = {"blest_4": window_widths, "blest_5": levels, "blest_table_6": many_sources}
