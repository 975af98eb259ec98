"""figures_blest.py: the figures of Blest's paper, and its table 6 as one."""

import itertools

import plotting
from evaluation.analyses import blest, msbfs
from evaluation.files import read_rows
from evaluation.records import EMULATOR, most_common, read_merged
from evaluation.speedups import search_ms
from evaluation.text_tables import digits

from matplotlib.ticker import MaxNLocator

# Over the width, from above: what is drawn of a row, and how it is called.
WINDOW_PANELS = (
    ("BFS (ms)", search_ms),
    ("compression ratio", lambda row: blest.bvss_of(row).compression_ratio),
    ("reordering (ms)", lambda row: float(row["reorder_ms"])),
)
RUN_LOOKS = {
    blest.TOP_DOWN: {"color": "#0072B2", "marker": "s", "linestyle": "--"},
    blest.BOTTOM_UP: {"color": "#009E73", "marker": "^", "linestyle": "--"},
    "Blest": {"color": "#D55E00", "marker": "o", "linestyle": "-"},
    "Optimal": {"color": "black", "marker": "", "linestyle": ":"},
}
LEVEL_PANELS = 2  # beside each other
TRACE_PREFIX = "bfs_blest_"
MANY_SERIES = {**msbfs.ABLATION, **{name: msbfs.short(name) for name in msbfs.OWN}}


def windows_of_graphs(evaluation):
    """{graph: {W: row}} of the graphs with several."""
    found = {graph: blest.windows(evaluation, graph) for graph in evaluation.graphs}
    return {
        graph: widths
        for graph, widths in found.items()
        if len(widths) > 1 and all(map(blest.bvss_of, widths.values()))
    }


def window_widths(arguments):
    """Figure 4: what wider windows of JaccardWithWindows give, and what they cost."""
    of_modes = map(windows_of_graphs, blest.evaluations(read_merged("bfs", arguments.merged)))
    graphs = next(filter(None, of_modes), None)
    plotting.require(graphs, f"no graph in {arguments.merged} with windows of several widths")
    figure, panels = plotting.subplots(1.2 * len(WINDOW_PANELS) + 0.2, len(WINDOW_PANELS), sharex=True)
    for axes, (name, value) in zip(panels, WINDOW_PANELS):
        for color, (graph, widths) in zip(itertools.cycle(plotting.COLORS[1:]), graphs.items()):
            axes.plot(list(widths), list(map(value, widths.values())), "o-", color=color, label=graph)
        most = max(map(value, (row for widths in graphs.values() for row in widths.values())))
        axes.set(xscale="log", ylim=(0, 1.1 * most), ylabel=name)
        axes.yaxis.set_major_formatter(plotting.in_short)
    shown = sorted({width for widths in graphs.values() for width in widths})[::2]
    axes.set_xticks(shown, list(map(plotting.in_short, shown)))
    axes.set_xticks([], minor=True)
    axes.set_xlabel("window W (vertices)")
    plotting.legend(figure)
    plotting.footnote(
        figure, plotting.report_of([row for widths in graphs.values() for row in widths.values()])
    )
    return figure


def device_of(folder):
    """The device of a folder of records, which may be a part of the device's own folder."""
    rows = [row for path in sorted(folder.glob("*_perf.csv")) for row in read_rows(path)]
    return most_common(row["device"] for row in rows) if rows else folder.name


def choose_traces(results):
    """The GPU of most graphs that can be compared, and these: {graph: {source: {run: levels}}}."""
    devices = {}
    for folder in sorted(results.rglob("traces")):
        device = device_of(folder.parent)
        if device != EMULATOR:
            paths = sorted(folder.glob(f"{TRACE_PREFIX}*.csv"))
            runs = {path.stem.removeprefix(TRACE_PREFIX): blest.read_trace(path) for path in paths}
            compared = {graph: blest.compare(levels) for graph, levels in runs.items()}
            devices.setdefault(device, {}).update(
                {graph: found for graph, found in compared.items() if found}
            )
    plotting.require(any(devices.values()), f"no traces of all three ways in {results}")
    return max(devices.items(), key=lambda found: len(found[1]))


def draw_levels(axes, graph, compared):
    runs = max(compared.values(), key=lambda runs: len(runs["Blest"]))
    for run, levels in runs.items():
        places, times = range(1, len(levels) + 1), [level.ms for level in levels]
        axes.plot(places, times, label=run, markersize=2.5, **RUN_LOOKS[run])
    wrong, faster = blest.misclassified(compared), blest.speedup_of_optimal(compared)
    axes.set_title(f"{graph}: misclassified\n{100 * wrong:.0f}%, optimal {digits(faster)}x")
    axes.set_yscale("log")
    plotting.write_numbers(axes.yaxis)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def levels(arguments):
    """Figure 5: the time of every level, by Blest's choice of the direction and by an oracle's.

    A panel shows the source with the most levels; how many levels Blest takes the slower way, and how much
    faster the oracle is, is over all sources."""
    device, graphs = choose_traces(arguments.results)
    figure, panels = plotting.panels(graphs, LEVEL_PANELS, 1.5, "level", "ms")
    for axes, (graph, compared) in zip(panels.flat, graphs.items()):
        draw_levels(axes, graph, compared)
    plotting.legend(figure)
    return plotting.measured_on(figure, device, arguments.results)


def many_sources(arguments):
    """Table 6 as a figure: the time of many searches by Blest's steps, beside our own."""
    measured = msbfs.Measured(arguments.results, "batches")
    header, rows = msbfs.ablation(measured)
    rows = [dict(zip(header, row)) for row in rows if row[1] is not None]  # without the means
    plotting.require(rows, f"no graph in {arguments.results} with {next(iter(MANY_SERIES))}")
    bars = {row["graph"]: {name: row[name] for name in MANY_SERIES.values() if row[name]} for row in rows}
    shown = [name for name in MANY_SERIES.values() if any(name in values for values in bars.values())]
    searches = "/".join(sorted({str(row["searches"]) for row in rows}, key=int))
    figure = plotting.grouped_bars(bars, shown, f"{searches} searches (ms)")
    drawn = measured.rows[measured.rows.name.isin(list(MANY_SERIES))].to_dict("records")
    plotting.footnote(figure, plotting.report_of(drawn))
    return figure


FIGURES = {"blest_4": window_widths, "blest_5": levels, "blest_table_6": many_sources}
