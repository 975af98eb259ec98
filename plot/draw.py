#!/usr/bin/env python3
"""Draws figures of the papers from records, as PDF and PNG; by default all of them.

DiggerBees's figures are 5 to 10; the other names begin with the system's name, as in xbfs_10. Figures show only rows of
mode=paper, on the papers' graphs; a generated graph that replaces one is in brackets. If none of these was measured,
they show all graphs. A figure that cannot be drawn from the records is reported with the reason; this is not an error.
A figure that fails does not stop the others. scripts/report.py draws the figures as SVG.

Exit status: 0 all went well, 2 bad usage or records.
"""

import sys
from pathlib import Path

import plotting
from evaluation.command import EvaluationError, NothingToReport, new_parser
from evaluation.files import LOCAL, RecordsError
from evaluation.records import PAPER
from evaluation.results import MissingError, Results

import figures_blest
import figures_diggerbees
import figures_ibfs
import figures_warpnet
import figures_xbfs

PNG_DPI = 150
PAPERS = (figures_diggerbees, figures_warpnet, figures_blest, figures_ibfs, figures_xbfs)
BY_PAPER = {module.__name__.removeprefix("figures_"): module.FIGURES for module in PAPERS}
FIGURES = {name: function for figures in BY_PAPER.values() for name, function in figures.items()}


class NoRecords:
    """Replaces the Results of a folder without records, from which only figures of browsers can be drawn."""

    def __init__(self, folder, reason):
        self.folder, self.reason = folder, reason

    def with_mode(self, *_, **__):
        return self

    with_busy = with_mode

    def __getattr__(self, name):
        raise plotting.NothingToDraw(self.reason)


def figure_of(name, results):
    """Makes a figure of rows of mode=paper, which says if a busy machine measured them. May raise NothingToDraw."""
    try:
        return FIGURES[name](results.with_busy().with_mode(PAPER, instead=False))
    except MissingError as error:
        raise plotting.NothingToDraw(f"no {error}") from error


def save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    for ending in ("pdf", "png"):
        path = folder / f"fig_{name}.{ending}"
        figure.savefig(path, dpi=PNG_DPI)
        print(path, flush=True)


def draw(name, results, folder):
    """Draws a figure and prints the names of its files, or why there are none. Returns the exit status."""
    if name not in FIGURES:
        print(f"draw: there is no figure {name}; there are {', '.join(FIGURES)}", file=sys.stderr)
        return 2
    try:
        save(figure_of(name, results), folder, name)
    except plotting.NothingToDraw as reason:
        print(f"fig_{name}: {reason}", file=sys.stderr, flush=True)
    except (EvaluationError, OSError) as error:
        print(f"fig_{name}: {error}", file=sys.stderr, flush=True)
        return 2
    finally:
        plotting.plt.close("all")
    return 0


def main():
    parser = new_parser(__doc__)
    parser.add_argument("name", nargs="*", help=", ".join(FIGURES))
    parser.add_argument("--results", type=Path, default=LOCAL, help="records (default: results/local)")
    parser.add_argument("--to", type=Path, help="folder of the figures (default: figures in the records)")
    arguments = parser.parse_args()
    try:
        results = Results.read(arguments.results)
    except RecordsError as error:
        print(f"draw: {error}", file=sys.stderr)
        return 2
    except (EvaluationError, NothingToReport) as reason:
        results = NoRecords(arguments.results, str(reason))
    folder = arguments.to or arguments.results / "figures"
    return max(draw(name, results, folder) for name in arguments.name or FIGURES)


if __name__ == "__main__":
    sys.exit(main())
