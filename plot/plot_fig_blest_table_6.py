#!/usr/bin/env python3
"""Draws Blest's table 6: the time of many searches by its steps, beside our own."""

import sys

import plotting
from evaluation.analyses.msbfs import ABLATION, OWN, Measured, ablation, short

SERIES = (*ABLATION.values(), *map(short, OWN))


def draw(arguments):
    measured = Measured(arguments.results, "batches")
    header, rows = ablation(measured)
    rows = [dict(zip(header, row)) for row in rows if row[1] is not None]  # without the means
    if not rows:
        raise plotting.NothingToDraw(f"no graph in {arguments.results} with {next(iter(ABLATION))}")
    bars = {row["graph"]: {name: row[name] for name in SERIES if row[name]} for row in rows}
    shown = [name for name in SERIES if any(name in values for values in bars.values())]
    searches = "/".join(sorted({str(row["searches"]) for row in rows}, key=int))
    figure = plotting.grouped_bars(bars, shown, f"{searches} searches (ms)")
    names = (*ABLATION, *OWN)
    plotting.footnote(figure, plotting.places([row for key, row in measured.rows.items() if key[3] in names]))
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
