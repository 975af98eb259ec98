#!/usr/bin/env python3
"""Draws figure 5.1 of the thesis on IBFS: its three schemes, each over the fastest of them."""

import sys

import plotting
from evaluation.analyses.msbfs import SCHEMES

NAMES = SCHEMES


def draw(arguments):
    return plotting.panels_of_pairs(arguments, NAMES, "times the fastest", normalise=True)


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
