#!/usr/bin/env python3
"""Draws figures of the papers from records, as PDF and PNG.

DiggerBees's figures are 5 to 10; names of the others begin with their system's, as in xbfs_10. A figure that
the records do not allow is named with the reason, and is no error. One that fails does not stop the others.

Exit status: 0 all went well, 2 bad usage or records.
"""

import sys
from pathlib import Path

import plotting
from evaluation.command import new_parser
from evaluation.files import LOCAL, RecordsError

import figures_blest
import figures_diggerbees
import figures_ibfs
import figures_warpnet
import figures_xbfs

PNG_DPI = 150
FIGURES = {
    **figures_diggerbees.FIGURES,
    **figures_warpnet.FIGURES,
    **figures_blest.FIGURES,
    **figures_ibfs.FIGURES,
    **figures_xbfs.FIGURES,
}


def save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    for ending in ("pdf", "png"):
        path = folder / f"fig_{name}.{ending}"
        figure.savefig(path, dpi=PNG_DPI)
        print(path, flush=True)


def draw(name, arguments):
    """Draws a figure and tells its files, or why there are none; its exit status."""
    if name not in FIGURES:
        print(f"draw: there is no figure {name}; there are {', '.join(FIGURES)}", file=sys.stderr)
        return 2
    try:
        save(FIGURES[name](arguments), arguments.to or arguments.results / "figures", name)
    except plotting.NothingToDraw as reason:
        print(f"fig_{name}: {reason}", file=sys.stderr, flush=True)
    except (RecordsError, OSError) as error:
        print(f"fig_{name}: {error}", file=sys.stderr, flush=True)
        return 2
    finally:
        plotting.plt.close("all")
    return 0


def main():
    parser = new_parser(__doc__)
    parser.add_argument("name", nargs="+", help=", ".join(FIGURES))
    parser.add_argument("--results", type=Path, default=LOCAL, help="records (default: results/local)")
    parser.add_argument("--merged", type=Path, help="merged tables (default: merged in the records)")
    parser.add_argument("--to", type=Path, help="folder of the figures (default: figures in the records)")
    arguments = parser.parse_args()
    arguments.merged = arguments.merged or arguments.results / "merged"
    return max(draw(name, arguments) for name in arguments.name)


if __name__ == "__main__":
    sys.exit(main())
