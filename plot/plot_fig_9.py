#!/usr/bin/env python3
"""Draws DiggerBees's figure 9: how evenly blocks share the tasks, victims chosen at random or by their load.

Tasks are relative to the mean of their trial, so 1 is an even share; of the blocks in the order of their
tasks, each is the mean over the trials. Marks are the least, the median and the most; Var. is the coefficient
of variation, as scripts/balance.py has it.
"""

import statistics
import sys

import plotting
from evaluation.analyses.balance import TASKS_FOLDERS, read_tasks, variation
from evaluation.records import EMULATOR
from evaluation.text_tables import digits

import matplotlib.pyplot as plt

NAMES = dict(zip(TASKS_FOLDERS, ("Baseline", "DiggerBees")))
COLORS = dict(zip(TASKS_FOLDERS, ("#999999", plotting.METHOD_COLORS["v4"])))
COLUMNS = 6  # panels beside each other


def read_folder(folder):
    """{graph: {policy's folder: trials}} of a device's folder."""
    graphs = {}
    for policy in TASKS_FOLDERS:
        for path in sorted((folder / policy).glob("balance_*.csv")):
            graphs.setdefault(path.stem.removeprefix("balance_"), {})[policy] = read_tasks(path)
    return graphs


def choose_device(arguments):
    """The GPU of most graphs, or without one the emulator, and its graphs."""
    folders = {
        path.parent.parent for policy in TASKS_FOLDERS for path in arguments.results.glob(f"*/{policy}/*.csv")
    }
    devices = [{"device": folder.name, "graphs": read_folder(folder)} for folder in sorted(folders)]
    if not devices:
        where = arguments.results
        raise plotting.NothingToDraw(f"no tasks of a GPU's blocks in {where}; make balance counts them")

    best = max(devices, key=lambda found: (found["device"] != EMULATOR, len(found["graphs"])))
    return best["device"], best["graphs"]


def mean_shares(trials):
    """The share of the k-th least busy block in its trial's mean, as a mean over the trials, for every k."""
    even = [[tasks / statistics.fmean(trial) for tasks in sorted(trial)] for trial in trials]
    return [statistics.fmean(shares) for shares in zip(*even)]


def draw_violin(axes, place, trials, color):
    shares = mean_shares([trial for trial in trials if sum(trial) >= len(trial)])
    if not shares:
        return ""
    (body,) = axes.violinplot([shares], [place], widths=0.8, showextrema=False)["bodies"]
    body.set(facecolor=color, alpha=0.75)
    marks = [min(shares), statistics.median(shares), max(shares)]
    axes.plot([place, place], [marks[0], marks[2]], color="black", linewidth=0.8)
    axes.plot([place] * 3, marks, "_", color="black", markersize=9)
    return f"\nVar. {digits(variation(trials))}"


def draw(arguments):
    device, graphs = choose_device(arguments)
    columns = min(COLUMNS, len(graphs))
    lines = -(-len(graphs) // columns)
    size = (max(3.6, 2.1 * columns), 3.2 * lines + 0.4)
    figure, panels = plt.subplots(lines, columns, figsize=size, layout="constrained", squeeze=False)
    for axes in panels.flat[len(graphs) :]:
        axes.set_visible(False)
    for axes, (graph, policies) in zip(panels.flat, graphs.items()):
        labels = []
        for place, (policy, trials) in enumerate(policies.items()):
            labels.append(NAMES[policy] + draw_violin(axes, place, trials, COLORS[policy]))
        axes.set_xticks(range(len(labels)), labels, fontsize=8)
        axes.set_xlim(-0.6, len(labels) - 0.4)
        axes.set_ylim(bottom=0)
        axes.set_title(graph, fontsize=9)
        axes.tick_params(axis="x", length=0)
    for axes in panels[:, 0]:
        axes.set_ylabel("tasks of a block / their mean")
    blocks = sorted(
        {len(trial) for policies in graphs.values() for trials in policies.values() for trial in trials}
    )
    many = " or ".join(map(str, blocks))
    plotting.footnote(
        figure, f"{many} blocks; {plotting.places([{'device': device}])}; marks: minimum, median, maximum"
    )
    plotting.name_the_emulator(figure, device)
    return figure


if __name__ == "__main__":
    sys.exit(plotting.main(__doc__.splitlines()[0], draw, source="results"))
