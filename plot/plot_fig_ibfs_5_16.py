#!/usr/bin/env python3
"""Draws figure 5.16 of the thesis on IBFS: path lengths on the GPU against those on the CPU."""

import sys

import plotting
from evaluation.analyses.msbfs import BY_CPU

NAMES = (*BY_CPU, "msbfs ibfs-auto", "msbfs rows", "msbfs auto")


def draw(arguments):
    return plotting.panels_of_pairs(arguments, NAMES, "ms")


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__, draw, source="results"))
