#!/usr/bin/env python3
"""Draws WarpNet's figure 1: run time of every BFS implementation on every graph."""

import sys

import plotting
from evaluation.records import pivot, read_merged


def draw(arguments):
    rows = read_merged("bfs", arguments.merged)
    if not rows:
        raise plotting.NothingToDraw(f"nothing measured for it in {arguments.merged}")
    return plotting.grouped_bars(*pivot(rows), "BFS run time (ms)")


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw))
