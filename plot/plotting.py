"""plotting.py: what the figures share: one style, one colour and marker per method, panels and bars."""

import itertools
import math
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from evaluation.command import ensure_packages  # noqa: E402  (found by the line above)

ensure_packages()
from evaluation import dataset  # noqa: E402
from evaluation.comparison import of_each_graph, on_equal_terms  # noqa: E402
from evaluation.graphs import is_named  # noqa: E402
from evaluation.methods import SEARCH  # noqa: E402
from evaluation.records import as_dicts, kind_of  # noqa: E402
from evaluation.trusted import busy  # noqa: E402

import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first: these machines have no display)
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from matplotlib.ticker import LogLocator, NullLocator  # noqa: E402

# Okabe and Ito's palette, which colour-blind readers can tell apart.
COLORS = ("#999999", "#E69F00", "#56B4E9", "#009E73", "#D55E00", "#0072B2", "#CC79A7", "#F0E442")
# Colours of the DFS variants and of the best BFS, the same in every figure.
METHOD_COLORS = {
    "ckl": "#56B4E9",
    "acr": "#0072B2",
    "nvg": "#009E73",
    "v1": "#F5D7A1",
    "v2": "#EFBF6A",
    "v3": "#E9A32F",
    "v4": "#D55E00",
    "bfs": "#999999",
}
DIRECTION_COLORS = {"top-down": "#56B4E9", "bottom-up": "#E69F00"}  # of the levels of a BFS
METHOD_MARKERS = {"ckl": "s", "acr": "^", "nvg": "D", "v4": "o"}
COLUMN = 3.3  # inches: every figure is as wide as a column of a two-column page
POINTS = 7  # size of all letters
INCHES_PER_LETTER, INCHES_PER_ROW = 0.055, 0.15
BARS_WIDTH = 0.82  # share of the space between two graphs
INCHES_PER_BAR = 0.065
INCHES_OF_BARS = 2.75  # width of a line of groups; further groups go below
INCHES_OF_A_LINE = 1.6
SHORT_NAME = 8  # a line has room for a graph's name of so many letters
SLANT = 45  # degrees by which names below bars are slanted
SUBS = (1, 1.2, 1.5, 2, 3, 4, 5, 7)  # ticks of a logarithmic axis that spans less than a power of ten
POWERS = {1e12: "T", 1e9: "G", 1e6: "M", 1e3: "k"}
ABSENT = "not run, or failed"  # meaning of the mark in place of a bar

plt.rcParams.update(
    {
        "font.size": POINTS,
        **dict.fromkeys(("axes.titlesize", "figure.titlesize", "figure.labelsize"), "medium"),
        **dict.fromkeys(("axes.linewidth", "grid.linewidth", "xtick.major.width", "ytick.major.width"), 0.5),
        **dict.fromkeys(("xtick.major.size", "ytick.major.size", "xtick.major.pad", "ytick.major.pad"), 2),
        **dict.fromkeys(("xtick.minor.size", "ytick.minor.size", "legend.columnspacing", "lines.linewidth"), 1),
        "axes.labelpad": 2,
        "axes.titlepad": 3,
        "lines.markersize": 3,
        "legend.handlelength": 1.2,
        "legend.handletextpad": 0.4,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "axes.axisbelow": True,
        "grid.color": "#dddddd",
        "legend.frameon": False,
        "pdf.fonttype": 42,
    }
)


class NothingToDraw(Exception):
    """There is no figure, which is not an error. The message says why, in one line."""


def require(found, reason):
    """Raises NothingToDraw if nothing was found."""
    if not found:
        raise NothingToDraw(reason)


def rows_of_methods(results, methods, metric=SEARCH, below=None, needs=()):
    """Returns {name: {graph: row}} for the methods that ran, over the sources that they have in common.

    methods: {name: Method, or several Methods, of which the best counts}. needs: at least one of these names must
    have run."""
    found = results.rows_of_each(methods, metric, below)
    wanted = {name: methods[name] for name in needs or methods}
    there = wanted.keys() & found.keys()
    require(there, f"nothing measured of {', '.join(map(str, wanted.values()))} as in the paper")
    named = [{**row, "method": name} for name, rows in found.items() for row in rows.values()]
    table = {}
    for graph, rows in of_each_graph(named).items():
        for row in on_equal_terms(rows)[0]:
            table.setdefault(row["method"], {})[graph] = row
    return {name: table[name] for name in methods if name in table}


def papers_graphs(name, measured, counts=lambda entry: True):
    """Makes {graph: label} of a paper's graphs that were measured, in the order of a list in dataset/. If only the
    stand-in of a graph was measured, its label is in brackets. If none was measured, lists all measured graphs.

    counts: tells whether an entry of the list belongs to the figure."""
    found = {}
    for entry in filter(counts, dataset.read_list(ROOT / "dataset" / f"{name}.csv")):
        own = next((graph for graph in measured if is_named(graph, [entry.name])), None)
        if own or entry.stand_in in measured:
            found.setdefault(own or entry.stand_in, entry.name if own else f"{entry.name}\n[{entry.stand_in}]")
    return found or {graph: graph for graph in measured}


def drawn_rows(table, graphs=None):
    """Lists the rows of {name: {graph: row}}. graphs: only rows of these graphs."""
    return [row for rows in table.values() for graph, row in rows.items() if graphs is None or graph in graphs]


def edges_of(table):
    """Returns {graph: number of edges} from {name: {graph: row}}."""
    return {row["graph"]: float(row["edges"]) for row in drawn_rows(table)}


def places(rows):
    """Says where rows were measured, and on which day at the latest: "GPU nvidia-h200, CPU cpu-x, 2026-11-21"."""
    devices = sorted({row["device"] for row in rows}, key=lambda device: (kind_of(device) == "CPU", device))
    words = [f"{kind_of(device)} {device}" for device in devices]
    words.append(max((row["date"][:10] for row in rows if row.get("date")), default=""))
    words.append("PARTLY MEASURED ON A BUSY MACHINE" if busy(pd.DataFrame(rows)).any() else "")
    return ", ".join(filter(None, words))


def report_of(rows):
    """Returns a footnote: places() of the rows, and how many sources a graph's rows share: "8 to 64 sources"."""
    shared = sorted({on_equal_terms(known)[1].shared for known in of_each_graph(rows).values()} - {0})
    ends = dict.fromkeys(map(str, (shared[0], shared[-1]))) if shared else []
    return ", ".join([places(rows), *([f"{' to '.join(ends)} sources"] if ends else [])])


def footnote(figure, text):
    """Writes text below the axes, in as many lines as it needs, and makes the figure higher by these lines. Returns
    the figure."""
    titles = [axes.get_title() for axes in figure.axes]
    titles += [name for axes in figure.axes for name in getattr(axes.xaxis.get_major_formatter(), "seq", ())]
    if any("\n[" in name for name in titles):
        text = f"in brackets the generated graph that stands for it; {text}"
    lines = textwrap.wrap(text, int(COLUMN / INCHES_PER_LETTER))
    figure.supxlabel("\n".join(lines), color="#555555")
    figure.set_figheight(figure.get_figheight() + INCHES_PER_ROW * len(lines))
    return figure


def legend(figure):
    """Adds a legend above the axes, in as many columns as fit, and makes the figure higher by it."""
    handles = {name: handle for axes in figure.axes for handle, name in zip(*axes.get_legend_handles_labels())}
    handles |= {name: handles.pop(name) for name in (ABSENT,) if name in handles}  # last
    label = INCHES_PER_LETTER * max(map(len, handles)) + 0.3  # 0.3: the colour, and the gap
    columns = max(1, min(len(handles), int(COLUMN / label)))
    figure.legend(handles.values(), handles, loc="outside upper center", ncols=columns)
    figure.set_figheight(figure.get_figheight() + INCHES_PER_ROW * math.ceil(len(handles) / columns))


def measured_on(figure, results, before="", after=""):
    """Adds a footnote with the GPU and the day of the measurement, between the texts `before` and `after`."""
    rows = as_dicts(results.all_rows[results.all_rows.device == results.gpu])
    return footnote(figure, f"{before}{places([{'device': results.gpu}, *rows])}{after}")


def subplots(height, lines=1, columns=1, **options):
    """Makes a figure of this height in inches. Returns the figure and its axes."""
    return plt.subplots(lines, columns, figsize=(COLUMN, height), layout="constrained", **options)


def panels(titles, columns, height, xlabel, ylabel):
    """Makes a figure with a panel for each title, at most `columns` side by side. Returns it and the array of axes.

    height: inches of a panel."""
    columns = min(columns, len(titles))
    lines = -(-len(titles) // columns)
    figure, axes = subplots(height * lines + 0.2, lines, columns, squeeze=False)
    for one, title in zip(axes.flat, titles):
        one.set_title(str(title).replace("+", "\n+"))  # as in cit-HepPh+undirected
    plt.setp(axes.flat[len(titles) :], visible=False)
    plt.setp(axes[:, 0], ylabel=ylabel)
    plt.setp(axes.flat[max(0, len(titles) - columns) : len(titles)], xlabel=xlabel)
    return figure, axes


def scatter(axes, edges, values, variant, **style):
    """Draws {graph: value} over {graph: edges}, in the colour and with the marker of a DFS variant."""
    marker = METHOD_MARKERS[variant]
    looks = {"s": 8, "alpha": 0.8, "linewidths": 0}
    looks |= {"marker": marker, "color": METHOD_COLORS[variant], **style}
    axes.scatter([edges[graph] for graph in values], list(values.values()), **looks)


def log_scales(axes, ylabel):
    """Makes both axes logarithmic."""
    axes.set(xscale="log", yscale="log", ylabel=ylabel)
    write_numbers(axes.xaxis)
    write_numbers(axes.yaxis)


def in_short(number, _=None):
    """Formats a number as 0.01, 20, 1.5k or 10M, with three digits; powers of two have all digits."""
    if number >= 1024 and math.log2(number).is_integer():
        return f"{number:,.0f}"
    power = next((power for power in POWERS if abs(number) >= 0.9995 * power), 1)
    return np.format_float_positional(float(f"{number / power:.3g}"), trim="-") + POWERS.get(power, "")


def write_numbers(axis):
    """Labels a logarithmic axis at powers of ten; if it spans few of these, also between them."""
    lowest, highest = sorted(axis.get_view_interval())
    few = highest < 200 * lowest
    axis.set_major_locator(LogLocator(subs=((1, 2, 5) if highest > 8 * lowest else SUBS) if few else (1,), numticks=8))
    axis.set_major_formatter(in_short)
    axis.set_minor_locator(NullLocator())


def bar_groups(axes, table, colors, start=0):
    """Draws a group of bars for each row of a DataFrame, with a bar for each column. colors: {column: colour}.

    start: where bars begin: at 1 for speedups, or at 0."""
    width = BARS_WIDTH / len(table.columns)
    for number, (name, heights) in enumerate(table.items()):
        shift = (number - (len(table.columns) - 1) / 2) * width
        places, looks = np.arange(len(table)) + shift, {"color": colors[name], "edgecolor": colors[name]}
        axes.bar(places, heights - start, width * 0.8, start, label=name, linewidth=0.6, **looks)
        absent = places[heights.isna()]
        if len(absent):
            where = {"transform": axes.get_xaxis_transform(), "label": ABSENT, "clip_on": False}
            axes.plot(absent, [0.03] * len(absent), "x", color="#555555", markeredgewidth=0.6, **where)


def grouped_bars(table, series, ylabel, slant=SLANT, colors=None, start=0):
    """Draws {graph: {series: value}}: a group of bars per graph, on a logarithmic scale, with slanted names.

    colors: {series: colour}; None: COLORS in turn. start: as for bar_groups(). Groups that do not fit into a line go
    below; each line has its own axes, whose containers have the bars of each series."""
    table = pd.DataFrame(list(table.values()), list(table), list(series)).replace(0, np.nan)
    lines = math.ceil(len(table) * INCHES_PER_BAR * (len(series) + 1) / INCHES_OF_BARS)
    in_line = math.ceil(len(table) / lines)
    height = lines * (INCHES_OF_A_LINE + room_below(table.index))
    figure, panels = subplots(height, lines, squeeze=False, sharey=True)
    least, most = table.min(axis=None), table.max(axis=None)
    ends = 10 ** math.floor(math.log10(least * 0.7)), 1.5 * most  # 0.7: so that the smallest bar is visible
    if start:
        ends = min(least, start) / 1.1, 1.1 * max(most, start)
    for line, axes in enumerate(panels.flat):
        part = table[line * in_line : (line + 1) * in_line]
        bar_groups(axes, part, colors or dict(zip(series, itertools.cycle(COLORS))), start)
        name_bars(axes, part.index, slant)
        axes.set(yscale="log", ylabel=ylabel, xlim=(-0.6, in_line - 0.4), ylim=ends)
        write_numbers(axes.yaxis)
        if start:
            axes.axhline(start, color="black", linewidth=0.6)
    legend(figure)
    return figure


def bars_of_methods(table, metric, graphs, ylabel, note="", **looks):
    """Draws {name: {graph: row}}: for each graph of {graph: label} a bar per method. The footnote is the note and
    report_of() the rows. looks: as for grouped_bars()."""
    table = {name: rows for name, rows in table.items() if rows.keys() & graphs.keys()}
    bars = {}
    for graph, label in graphs.items():
        bars[label] = {name: metric.of(rows[graph]) for name, rows in table.items() if graph in rows}
    figure = grouped_bars(bars, table, ylabel, **looks)
    return footnote(figure, note + report_of(drawn_rows(table, graphs)))


def write_over_bars(figure, number, words):
    """Writes a word vertically over each bar of a series. number: index of the series in grouped_bars()."""
    left = list(words)
    lowest, highest = figure.axes[0].get_ylim()
    figure.axes[0].set_ylim(lowest, highest * (highest / lowest) ** 0.2)  # room for the words; all axes share it
    for axes in figure.axes:
        bars = axes.containers[number]
        axes.bar_label(bars, left[: len(bars)], rotation=90, padding=2)
        left = left[len(bars) :]


def stacked_bars(axes, table, colors):
    """Draws {graph: {part: share}} as one bar per graph, in per cent. colors: {part: colour}, from the bottom."""
    shares = 100 * pd.DataFrame(list(table.values()))[list(colors)]
    below = shares.cumsum(axis=1) - shares
    for part, color in colors.items():
        axes.bar(shares.index, shares[part], 0.7, below[part], label=part, color=color)
    name_bars(axes, table)
    axes.set_ylim(0, 100)
    axes.yaxis.set_major_formatter("{x:g}%")


def room_below(names):
    """Returns the inches that the longest of the names needs in addition to a short one."""
    longest = max(len(line) for name in names for line in str(name).split("\n"))
    return 0.7 * INCHES_PER_LETTER * max(0, longest - SHORT_NAME) + 0.1 * max(str(name).count("\n") for name in names)


def name_bars(axes, names, slant=SLANT):
    """Writes names below the bars or groups of bars, slanted by `slant` degrees."""
    aligned = {"ha": "right", "rotation_mode": "anchor"} if slant else {}
    axes.set_xticks(range(len(names)), names, rotation=slant, **aligned)
    axes.tick_params(axis="x", length=0)
