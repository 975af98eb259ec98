"""plotting.py: what the figures share: one style, one colour and marker per method, PDF and PNG."""

import argparse
import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from evaluation import environment  # noqa: E402  (found by the line above)

environment.ensure_packages()

import matplotlib  # noqa: E402

matplotlib.use("Agg")
from evaluation.analyses.msbfs import Measured, short  # noqa: E402
from evaluation.methods import (  # noqa: E402
    at_one_place,
    gpu_of,
    with_usual_options,
)
from evaluation.records import EMULATOR, RESULTS, RecordsError, kind_of, read_merged  # noqa: E402

import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first: these machines have no display)
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
# Of IBFS's schemes, and of what path lengths are compared with.
SEARCH_LOOKS = {
    "msbfs ibfs-workgroup": ("#E69F00", "s"),
    "msbfs ibfs-coalesced": ("#56B4E9", "^"),
    "msbfs ibfs-bottomup": ("#0072B2", "v"),
    "msbfs ibfs-auto": ("#000000", "D"),
    "msbfs rows": ("#009E73", "P"),
    "msbfs auto": ("#D55E00", "o"),
    "msbfs then": ("#CC79A7", "<"),
    "msbfs pbfs": ("#F0E442", ">"),
    "msbfs serial": ("#999999", "x"),
    "bfs auto": ("#8B4513", "*"),
}
PNG_DPI = 150
BARS_WIDTH = 0.82  # of the space between two graphs
INCHES_PER_BAR = 0.13
INCHES_PER_LETTER = 0.085  # of the legend
LEAST_INCHES = 6.0

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


def rows_at_one_place(arguments):
    """The rows of dfs that a figure compares, of one GPU and one CPU."""
    rows = read_merged("dfs", arguments.merged)
    if not rows:
        raise NothingToDraw(f"nothing measured for it in {arguments.merged}")
    return with_usual_options(at_one_place(rows, gpu_of(rows)))


def places(rows):
    """ "GPU nvidia-h200, CPU cpu-x": where rows were measured."""
    devices = sorted({row["device"] for row in rows}, key=lambda device: (kind_of(device) == "CPU", device))
    return ", ".join(f"{kind_of(device)} {device}" if device != EMULATOR else device for device in devices)


def footnote(figure, text):
    figure.supxlabel(text, fontsize=8, color="#666666")


def name_the_emulator(figure, device):
    """Gives a figure of counts a title that says so where they were counted on the emulator.

    A legend at the top has the title, because it would cover that of the figure."""
    if device == EMULATOR:
        set_title = figure.legends[0].set_title if figure.legends else figure.suptitle
        set_title("counted on the emulator, not on a GPU")


def scatter(axes, edges, values, variant, **style):
    """{graph: value} over {graph: edges}, in the colour and with the marker of a DFS variant."""
    marker = METHOD_MARKERS[variant]
    looks = {"s": 34 if marker == "*" else 16, "alpha": 0.8, "linewidths": 0}
    looks |= {"marker": marker, "color": METHOD_COLORS[variant], **style}
    axes.scatter([edges[graph] for graph in values], list(values.values()), **looks)


def log_scales(axes, ylabel):
    """What is drawn over the edges, both logarithmic, numbers on the y axis written out."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    write_out_numbers(axes)
    axes.set_xlabel("edges")
    axes.set_ylabel(ylabel)


def write_out_numbers(axes):
    """Those of a logarithmic y axis, some between powers of ten too where it has few of these."""
    lowest, highest = axes.get_ylim()
    if highest < 200 * lowest:
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter("{x:g}")


def grouped_bars(table, series, ylabel, slant=30, colors=None):
    """A figure of {graph: {series: value}}: a group of bars per graph, log scale, graphs' names slanted.

    colors: {series: colour}, or None: one after the other."""
    inches = max(LEAST_INCHES, INCHES_PER_BAR * len(table) * (len(series) + 1) + 1.5)
    figure, axes = plt.subplots(figsize=(inches, 4.2), layout="constrained")
    width = BARS_WIDTH / len(series)
    for number, name in enumerate(series):
        places = [i + (number - (len(series) - 1) / 2) * width for i in range(len(table))]
        heights = [values.get(name) or float("nan") for values in table.values()]
        color = (colors or {}).get(name, COLORS[number % len(COLORS)])
        axes.bar(places, heights, width * 0.92, label=name, color=color)
    lowest = min(value for values in table.values() for value in values.values() if value)
    axes.set_yscale("log")
    axes.set_ylim(bottom=10 ** math.floor(math.log10(lowest * 0.7)))  # 0.7: the smallest bar is seen too
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_ylabel(ylabel)
    axes.set_xticks(
        range(len(table)),
        list(table),
        rotation=slant,
        ha="right" if slant else "center",
        rotation_mode="anchor" if slant else "default",
    )
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.6, len(table) - 0.4)
    label = INCHES_PER_LETTER * max(map(len, series)) + 0.7  # 0.7: the colour, and the gap
    figure.legend(loc="outside upper center", ncols=max(1, min(len(series), int(inches / label))))
    return figure


def write_over_bars(figure, table, series, name, words):
    """Writes {graph: word} upright over the bars that one of the series has in grouped_bars."""
    (axes,) = figure.axes
    width = BARS_WIDTH / len(series)
    for place, (graph, values) in enumerate(table.items()):
        if name in values:
            at = (place + (series.index(name) - (len(series) - 1) / 2) * width, values[name])
            axes.annotate(
                words[graph],
                at,
                xytext=(0, 2),
                textcoords="offset points",
                rotation=90,
                ha="center",
                va="bottom",
                fontsize=6.5,
            )


def stacked_bars(axes, table, colors):
    """{graph: {part: share}} as a bar a graph, in per cent; colors: {part: colour}, from below."""
    below = [0.0] * len(table)
    for part, color in colors.items():
        heights = [100 * shares[part] for shares in table.values()]
        axes.bar(range(len(table)), heights, 0.7, below, label=part, color=color)
        below = [a + b for a, b in zip(below, heights)]
    slanted_names(axes, table)
    axes.set_ylim(0, 100)
    axes.yaxis.set_major_formatter("{x:g}%")


def slanted_names(axes, names):
    axes.set_xticks(
        range(len(names)), list(names), rotation=30, ha="right", rotation_mode="anchor", fontsize=8
    )
    axes.tick_params(axis="x", length=0)


def width_for(table):
    """Inches for a bar a graph."""
    return max(LEAST_INCHES, 0.45 * len(table) + 1.5)


def normalised_to_fastest(table):
    """{graph: {size: {name: times slower than the fastest}}}"""
    return {
        graph: {
            size: {n: ms / min(times.values()) for n, ms in times.items()} for size, times in sizes.items()
        }
        for graph, sizes in table.items()
    }


def bars_over_sizes(axes, sizes, names):
    width = BARS_WIDTH / len(names)
    for number, name in enumerate(names):
        at = [i + (number - (len(names) - 1) / 2) * width for i in range(len(sizes))]
        heights = [times.get(name, float("nan")) for times in sizes.values()]
        axes.bar(at, heights, width * 0.92, label=label_of(name), color=SEARCH_LOOKS[name][0])
    axes.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes], rotation=30, fontsize=8)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.5)  # the fastest has a bar, too


def lines_over_sizes(axes, sizes, names):
    for name in names:
        known = {size: times[name] for size, times in sizes.items() if name in times}
        color, marker = SEARCH_LOOKS[name]
        axes.plot(
            list(known), list(known.values()), color=color, marker=marker, markersize=4, label=label_of(name)
        )
    axes.set_xscale("log")
    axes.set_yscale("log")


def label_of(name):
    return name if name.startswith("bfs") else short(name)


def panels_of_pairs(arguments, names, ylabel, normalise=False):
    """A figure with a panel for each graph: the time of path lengths over the number of pairs.

    normalise: as bars, times slower than the fastest of these; else lines, in ms."""
    measured = Measured(arguments.results, "pairs")
    table = measured.all_ms(names)
    shown = [name for name in names if any(name in ms for sizes in table.values() for ms in sizes.values())]
    if len(shown) < 2:
        raise NothingToDraw(
            f"no path lengths by two of {', '.join(map(short, names))} in {arguments.results}"
        )
    table = normalised_to_fastest(table) if normalise else table
    columns = min(3, len(table))
    lines = -(-len(table) // columns)
    figure, panels = plt.subplots(
        lines, columns, figsize=(3.6 * columns + 0.4, 2.7 * lines + 0.9), layout="constrained", squeeze=False
    )
    for axes in panels.flat[len(table) :]:
        axes.set_visible(False)
    for axes, (graph, sizes) in zip(panels.flat, table.items()):
        (bars_over_sizes if normalise else lines_over_sizes)(axes, sizes, shown)
        write_out_numbers(axes)
        axes.set_title(graph, fontsize=9)
    for axes in panels[:, 0]:
        axes.set_ylabel(ylabel)
    for axes in panels.flat[max(0, len(table) - columns) : len(table)]:
        axes.set_xlabel("pairs")
    handles = {}
    for axes in panels.flat:
        handles.update((text, line) for line, text in zip(*axes.get_legend_handles_labels()))
    figure.legend(handles.values(), handles, loc="outside upper center", ncols=min(len(handles), 2 * columns))
    footnote(figure, places([row for key, row in measured.rows.items() if key[3] in shown]))
    return figure


def save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    for ending in ("pdf", "png"):
        path = folder / f"{name}.{ending}"
        figure.savefig(path, dpi=PNG_DPI)
        print(path)


def main(description, draw, source="merged"):
    """A figure's command line: draw(arguments) gives the figure, or raises NothingToDraw.

    source: "merged" where it is drawn from merged tables, "results" where from a folder of device folders."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--results", type=Path, default=RESULTS, help="records (default: results)")
    if source == "merged":
        parser.add_argument("--merged", type=Path, help="merged tables (default: merged in the records)")
    parser.add_argument("--to", type=Path, help="folder of the figures (default: figures in the records)")
    arguments = parser.parse_args()
    if source == "merged":
        arguments.merged = arguments.merged or arguments.results / "merged"
    name = Path(sys.argv[0]).stem.replace("plot_", "", 1)
    try:
        save(draw(arguments), arguments.to or arguments.results / "figures", name)
    except NothingToDraw as reason:
        print(f"{name}: {reason}", file=sys.stderr)
    except (RecordsError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return 0
