#!/usr/bin/env python3
"""Draws several figures in one process.

usage: plot/draw.py NAME... [OPTION...], such as plot/draw.py 5 6 xbfs_10 --results DIR --to DIR

The options are given to each plot_fig_NAME.py. Loading matplotlib takes longer than drawing a figure, so one
process for all of them saves most of the time. A figure that fails does not stop the others.

Exit status: 0 all went well, else the highest status of a figure.
"""

import runpy
import sys
from pathlib import Path

import plotting

HERE = Path(__file__).resolve().parent


def names_and_options(words):
    """The words before the first option, and the rest."""
    options = next((place for place, word in enumerate(words) if word.startswith("-")), len(words))
    return words[:options], words[options:]


def draw(name, options):
    """Runs a plot as if it were called by itself; its exit status."""
    script = HERE / f"plot_fig_{name}.py"
    if not script.is_file():
        print(f"draw: there is no figure {name}; {script.name} is not in {HERE.name}/", file=sys.stderr)
        return 2
    sys.argv = [str(script), *options]
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        plotting.plt.close("all")
    return 0


def main():
    names, options = names_and_options(sys.argv[1:])
    if not names:
        print(__doc__)
        return 0 if options in (["-h"], ["--help"]) else 2
    return max(draw(name, options) for name in names)


if __name__ == "__main__":
    sys.exit(main())
