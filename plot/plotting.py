"""plotting.py: what the figures share: one style, one colour per implementation, PDF and PNG."""

import argparse
import math
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first: these machines have no display)

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from records import RESULTS, RecordsError  # noqa: E402  (found by the line above)

# Okabe and Ito's palette: told apart by colour-blind readers too.
COLORS = ("#999999", "#E69F00", "#56B4E9", "#009E73", "#D55E00", "#0072B2", "#CC79A7", "#F0E442")
PNG_DPI = 150
BARS_WIDTH = 0.82  # of the space between two graphs
INCHES_PER_BAR = 0.13
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


def grouped_bars(table, series, ylabel, slant=30):
    """A figure of {graph: {series: value}}: a group of bars per graph, log scale, graphs' names slanted."""
    inches = max(LEAST_INCHES, INCHES_PER_BAR * len(table) * (len(series) + 1) + 1.5)
    figure, axes = plt.subplots(figsize=(inches, 4.2), layout="constrained")
    width = BARS_WIDTH / len(series)
    for number, name in enumerate(series):
        places = [i + (number - (len(series) - 1) / 2) * width for i in range(len(table))]
        heights = [values.get(name) or float("nan") for values in table.values()]
        axes.bar(places, heights, width * 0.92, label=name, color=COLORS[number % len(COLORS)])
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
    figure.legend(loc="outside upper center", ncols=min(len(series), 5))
    return figure


def save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    for ending in ("pdf", "png"):
        path = folder / f"{name}.{ending}"
        figure.savefig(path, dpi=PNG_DPI)
        print(path)


def main(description, draw):
    """A figure's command line: draw(merged folder) gives the figure, or None where nothing was measured."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--merged", type=Path, default=RESULTS / "merged", help="merged tables (default: results/merged)"
    )
    parser.add_argument(
        "--to", type=Path, default=ROOT / "figures", help="folder of the figures (default: figures)"
    )
    arguments = parser.parse_args()
    name = Path(sys.argv[0]).stem.replace("plot_", "", 1)
    try:
        figure = draw(arguments.merged)
        if figure is None:
            print(f"{name}: nothing measured for it in {arguments.merged}", file=sys.stderr)
            return 0
        save(figure, arguments.to, name)
    except (RecordsError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return 0
