"""plotting.py: what the figures share: one style, one colour and marker per method, panels and bars."""

import glob
import itertools
import math
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from evaluation import environment  # noqa: E402  (found by the line above)

environment.ensure_packages()

import matplotlib  # noqa: E402

matplotlib.use("Agg")
from evaluation.equal_terms import of_each_graph, shared_sources  # noqa: E402
from evaluation.files import read_rows  # noqa: E402
from evaluation.methods import at_one_place, gpu_of, with_usual_options  # noqa: E402
from evaluation.records import BEST, EMULATOR, kind_of, read_merged  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first: these machines have no display)
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from matplotlib.ticker import LogLocator, NullFormatter  # noqa: E402

# Okabe and Ito's palette: told apart by colour-blind readers too.
COLORS = ("#999999", "#E69F00", "#56B4E9", "#009E73", "#D55E00", "#0072B2", "#CC79A7", "#F0E442")
# Of DFS variants, and of the best BFS: the same in every figure.
METHOD_COLORS = {
    "ckl": "#56B4E9",
    "acr": "#0072B2",
    "nvg": "#009E73",
    "v1": "#F5D7A1",
    "v2": "#EFBF6A",
    "v3": "#E9A32F",
    "v4": "#D55E00",
    "v5": "#CC79A7",
    "best_bfs": "#999999",
}
METHOD_MARKERS = {"ckl": "s", "acr": "^", "nvg": "D", "v4": "o", "v5": "*"}
BARS_WIDTH = 0.82  # of the space between two graphs
INCHES_PER_BAR = 0.13
INCHES_PER_LETTER = 0.085  # of the legend
LETTERS_PER_INCH = 15  # of a footnote
LEAST_INCHES = 6.0
MOST_INCHES = 7.6  # of a figure of bars: more groups go below each other
INCHES_OF_A_LINE = 2.4
SIDES = 2.0  # times its height that a figure may be wide
ABSENT = "not run"  # upright, where a bar would be

plt.rcParams.update(
    {
        "font.size": 10,
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
    """Why there is no figure: not an error; the message is one line."""


def require(found, reason):
    """Raises NothingToDraw where nothing was found."""
    if not found:
        raise NothingToDraw(reason)


def rows_at_one_place(arguments, mode=BEST):
    """The rows of dfs that a figure compares, of one mode first, of one GPU and one CPU."""
    rows = read_merged("dfs", arguments.merged)
    require(rows, f"nothing measured for it in {arguments.merged}")
    return with_usual_options(at_one_place(rows, gpu_of(rows)), mode)


def names_of(devices):
    """ "GPU nvidia-h200, CPU cpu-x" """
    ordered = sorted(devices, key=lambda device: (kind_of(device) == "CPU", device))
    return ", ".join(f"{kind_of(device)} {device}" if device != EMULATOR else device for device in ordered)


def places(rows):
    """ "GPU nvidia-h200, CPU cpu-x, 2026-11-21": where rows were measured, and the last day of that."""
    days = [row["date"][:10] for row in rows if row.get("date")]
    return ", ".join([names_of({row["device"] for row in rows}), *([max(days)] if days else [])])


def told_of(rows):
    """Below a figure of rows: places(), and how many sources those of a graph share, "8 to 64 sources"."""
    shared = sorted({shared_sources(known) for known in of_each_graph(rows).values()} - {0})
    ends = dict.fromkeys(map(str, (shared[0], shared[-1]))) if shared else []
    return ", ".join([places(rows), *([f"{' to '.join(ends)} sources"] if ends else [])])


def rows_of(results, device):
    """The records of a device below a folder, with what files of tasks say of their day."""
    for path in glob.glob(f"{results}/**/*.csv", recursive=True):
        if path.endswith("_perf.csv") or "/balance" in path:
            for row in read_rows(path):
                if row.get("device", device) == device:
                    yield {**row, "device": device}


def footnote(figure, text):
    """In as many lines as the figure's width asks for."""
    letters = int(LETTERS_PER_INCH * figure.get_figwidth())
    figure.supxlabel(textwrap.fill(text, letters), fontsize=8, color="#666666")


def measured_on(figure, device, results, before="", after=""):
    """The figure, with a footnote on the device where it was measured, and the day; before, after: the rest.
    results: the folder of its records.

    A figure of counts gets a title that says so where they were counted on the emulator. A legend at the top
    has the title, because it would cover that of the figure."""
    footnote(figure, f"{before}{places([{'device': device}, *rows_of(results, device)])}{after}")
    if device == EMULATOR:
        set_title = figure.legends[0].set_title if figure.legends else figure.suptitle
        set_title("counted on the emulator, not on a GPU")
    return figure


def subplots(width, height, lines=1, columns=1, **options):
    """A figure of so many inches, higher if it would be more than SIDES times as wide, and its axes."""
    height = max(height, width / SIDES)
    return plt.subplots(lines, columns, figsize=(width, height), layout="constrained", **options)


def panels(titles, columns, inches, margins, xlabel, ylabel, least=0):
    """A figure with a panel for each title, at most so many beside each other, and the array of their axes.

    inches: width and height of a panel; margins: what the figure has beside them; least: its least width."""
    columns = min(columns, len(titles))
    lines = -(-len(titles) // columns)
    size = (max(least, inches[0] * columns + margins[0]), inches[1] * lines + margins[1])
    figure, axes = subplots(*size, lines, columns, squeeze=False)
    for one, title in zip(axes.flat, titles):
        one.set_title(title, fontsize=9)
    plt.setp(axes.flat[len(titles) :], visible=False)
    plt.setp(axes[:, 0], ylabel=ylabel)
    plt.setp(axes.flat[max(0, len(titles) - columns) : len(titles)], xlabel=xlabel)
    return figure, axes


def scatter(axes, edges, values, variant, **style):
    """{graph: value} over {graph: edges}, in the colour and with the marker of a DFS variant."""
    marker = METHOD_MARKERS[variant]
    looks = {"s": 34 if marker == "*" else 16, "alpha": 0.8, "linewidths": 0}
    looks |= {"marker": marker, "color": METHOD_COLORS[variant], **style}
    axes.scatter([edges[graph] for graph in values], list(values.values()), **looks)


def log_scales(axes, ylabel):
    """What is drawn over the edges, both logarithmic, numbers on the y axis written out."""
    axes.set(xscale="log", yscale="log", xlabel="edges", ylabel=ylabel)
    write_out_numbers(axes)


def write_out_numbers(axes):
    """Those of a logarithmic y axis, some between powers of ten too where it has few of these."""
    lowest, highest = axes.get_ylim()
    if highest < 200 * lowest:
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter("{x:g}")


def bar_groups(axes, table, colors):
    """A group of bars for each row of a DataFrame, a bar for each column; colors: {column: colour}."""
    width = BARS_WIDTH / len(table.columns)
    for number, (name, heights) in enumerate(table.items()):
        shift = (number - (len(table.columns) - 1) / 2) * width
        places = np.arange(len(table)) + shift
        axes.bar(places, heights, width * 0.92, label=name, color=colors[name])
        for place in places[heights.isna()]:
            where = {"transform": axes.get_xaxis_transform(), "ha": "center", "va": "bottom"}
            axes.text(place, 0.02, ABSENT, rotation=90, fontsize=5.5, color="#666666", **where)


def grouped_bars(table, series, ylabel, slant=30, colors=None):
    """A figure of {graph: {series: value}}: a group of bars per graph, log scale, graphs' names slanted.

    colors: {series: colour}, or None: one after the other. Groups without room beside each other go below,
    each line in axes of its own, whose containers have the bars of each series."""
    table = pd.DataFrame(list(table.values()), list(table), list(series)).replace(0, np.nan)
    group = INCHES_PER_BAR * (len(series) + 1)
    lines = math.ceil(len(table) * group / (MOST_INCHES - 1.5))
    in_line = math.ceil(len(table) / lines)
    inches = max(LEAST_INCHES, group * in_line + 1.5)
    figure, panels = subplots(inches, INCHES_OF_A_LINE * lines + 1, lines, squeeze=False, sharey=True)
    lowest = 10 ** math.floor(math.log10(table.min(axis=None) * 0.7))  # 0.7: the smallest bar is seen, too
    highest = 1.5 * table.max(axis=None)
    for line, axes in enumerate(panels.flat):
        part = table[line * in_line : (line + 1) * in_line]
        bar_groups(axes, part, colors or dict(zip(series, itertools.cycle(COLORS))))
        name_bars(axes, part.index, slant, **({"fontsize": 8} if slant else {}))
        axes.set(yscale="log", ylabel=ylabel, xlim=(-0.6, in_line - 0.4), ylim=(lowest, highest))
        axes.yaxis.set_major_formatter("{x:g}")
    label = INCHES_PER_LETTER * max(map(len, series)) + 0.7  # 0.7: the colour, and the gap
    columns = max(1, min(len(series), int(inches / label)))
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=columns)
    return figure


def write_over_bars(figure, number, words):
    """Writes a word upright over each bar of a series; number: which series of grouped_bars."""
    left = list(words)
    lowest, highest = figure.axes[0].get_ylim()
    figure.axes[0].set_ylim(
        lowest, highest * (highest / lowest) ** 0.2
    )  # room for the words; all axes share it
    for axes in figure.axes:
        bars = axes.containers[number]
        axes.bar_label(bars, left[: len(bars)], rotation=90, padding=2, fontsize=6.5)
        left = left[len(bars) :]


def stacked_bars(axes, table, colors):
    """{graph: {part: share}} as a bar a graph, in per cent; colors: {part: colour}, from below."""
    shares = 100 * pd.DataFrame(list(table.values()))[list(colors)]
    below = shares.cumsum(axis=1) - shares
    for part, color in colors.items():
        axes.bar(shares.index, shares[part], 0.7, below[part], label=part, color=color)
    name_bars(axes, table, fontsize=8)
    axes.set_ylim(0, 100)
    axes.yaxis.set_major_formatter("{x:g}%")


def name_bars(axes, names, slant=30, **style):
    """The names below the bars, or groups of bars, slanted by so many degrees."""
    aligned = {"ha": "right", "rotation_mode": "anchor"} if slant else {}
    axes.set_xticks(range(len(names)), names, rotation=slant, **aligned, **style)
    axes.tick_params(axis="x", length=0)


def width_for(table):
    """Inches for a bar a graph."""
    return max(LEAST_INCHES, 0.45 * len(table) + 1.5)
