#!/usr/bin/env python3
"""Draws figure 5.17 of the thesis on IBFS: many searches at once against one BFS after the other."""

import sys

import plotting
from evaluation.analyses.msbfs import SCHEMES

NAMES = ("bfs auto", SCHEMES[0], SCHEMES[-1], "msbfs auto")


def draw(arguments):
    return plotting.panels_of_pairs(arguments, NAMES, "ms")


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
