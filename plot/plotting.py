"""plotting.py: what the figures share: one style, one colour and marker per method, PDF and PNG."""

import argparse
import math
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first: these machines have no display)
from matplotlib.ticker import LogLocator, NullFormatter  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from methods import (  # noqa: E402  (found by the line above)
    at_one_place,
    gpu_of,
    with_usual_options,
    without_emulator,
)
from records import EMULATOR, RESULTS, RecordsError, kind_of, read_merged  # noqa: E402

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
    """The rows of dfs that a figure compares, of one GPU and one CPU; the emulator's where asked for."""
    rows = read_merged("dfs", arguments.merged)
    rows = rows if arguments.with_emulator else without_emulator(rows)
    if not rows:
        raise NothingToDraw(f"nothing measured for it in {arguments.merged}")
    return with_usual_options(at_one_place(rows, gpu_of(rows)))


def places(rows):
    """ "GPU nvidia-h200, CPU cpu-x": where rows were measured, and that an emulator's times are none."""
    devices = sorted({row["device"] for row in rows}, key=lambda device: (kind_of(device) == "CPU", device))
    words = [f"{kind_of(device)} {device}" for device in devices if device != EMULATOR]
    return ", ".join(words + ["GPU EMULATED: NO GPU TIMES"] * (EMULATOR in devices))


def footnote(figure, text):
    figure.supxlabel(text, fontsize=8, color="#666666")


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
    lowest, highest = axes.get_ylim()
    if highest < 200 * lowest:
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("edges")
    axes.set_ylabel(ylabel)


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
    if source == "merged":
        parser.add_argument(
            "--merged", type=Path, default=RESULTS / "merged", help="merged tables (default: results/merged)"
        )
    else:
        parser.add_argument("--results", type=Path, default=RESULTS, help="records (default: results)")
    parser.add_argument(
        "--to", type=Path, default=ROOT / "figures", help="folder of the figures (default: figures)"
    )
    parser.add_argument(
        "--with-emulator", action="store_true", help="draw, and mark, what was measured in the emulator"
    )
    arguments = parser.parse_args()
    name = Path(sys.argv[0]).stem.replace("plot_", "", 1)
    try:
        save(draw(arguments), arguments.to, name)
    except NothingToDraw as reason:
        print(f"{name}: {reason}", file=sys.stderr)
    except (RecordsError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return 0
