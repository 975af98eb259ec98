#!/usr/bin/env python3
"""Draws figure 5.4 of the thesis on IBFS: the times of its schemes, and of the choice among them."""

import sys

import plotting
from evaluation.analyses.msbfs import SCHEMES

NAMES = (*SCHEMES, "msbfs ibfs-auto")


def draw(arguments):
    return plotting.panels_of_pairs(arguments, NAMES, "ms")


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
