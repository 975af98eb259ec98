"""figures_xbfs.py: the figures of XBFS's paper."""

import plotting
from evaluation.analyses.xbfs import (
    ABLATION,
    AD,
    BALANCES,
    BOTTOM_UP,
    ENTERPRISE,
    FULL,
    GENERATIONS,
    TOP_DOWN,
    WB,
    Measured,
    checks,
    contributions,
    direction_shares,
    early_share,
    speedups,
)

from matplotlib.colors import LogNorm

WORK_PANELS = 4  # beside each other
EARLY_COLOR = "#0072B2"
STEP_COLORS = {AD: "#56B4E9", WB: "#0072B2", FULL: "#D55E00"}
DIRECTION_COLORS = {TOP_DOWN: "#56B4E9", BOTTOM_UP: "#E69F00"}
DIRECTION_STEPS = (ENTERPRISE, AD, FULL)
GENERATION_COLORS = dict(zip(GENERATIONS, ("#56B4E9", "#0072B2", "#009E73", "#E69F00")))
BALANCE_COLORS = dict(zip(BALANCES, ("#56B4E9", "#0072B2", "#D55E00", "#999999")))
CHECK_COLORS = {"synchronous": "#0072B2", "asynchronous": "#D55E00"}


def queue_filling(arguments):
    """Figure 5: how much faster atomics fill a frontier queue than a prefix sum."""
    measured = Measured(arguments.results)
    times = dict(sorted(measured.enqueue().items()))
    plotting.require(times, f"no queues filled in {arguments.results}")
    figure, axes = plotting.subplots(plotting.LEAST_INCHES, 3.4)
    millions = [size / 1e6 for size in times]
    faster = [prefix_sum / atomics for atomics, prefix_sum in times.values()]
    axes.plot(millions, faster, "o-", color="#D55E00")
    axes.axhline(1, color="#666666", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_xticks(millions, [f"{size:g}" for size in millions])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("array size (million)")
    axes.set_ylabel("speedup of atomics")
    return plotting.measured_on(figure, measured.gpu_of_enqueue)


def draw_work(axes, found, norm):
    most = max(max(classes) for classes in found) or 1
    degrees, checked = zip(*found)
    points = axes.scatter(
        degrees, checked, c=list(found.values()), norm=norm, cmap="viridis", s=22, marker="s"
    )
    axes.plot([0, most], [0, most], color="#666666", linewidth=0.8)
    for set_scale in (axes.set_xscale, axes.set_yscale):
        set_scale("symlog", base=2, linthresh=1)
    return points


def work(arguments):
    """Figure 9: how many edges bottom-up frontiers have, and how many they look at."""
    measured = Measured(arguments.results, emulated_counts=True)
    graphs = {graph: found for graph, found in measured.work().items() if found}
    plotting.require(graphs, f"no work of frontiers in {arguments.results}")
    figure, panels = plotting.panels(
        graphs, WORK_PANELS, (2.6, 2.4), (1.2, 0.7), "edges", "edges looked at", plotting.LEAST_INCHES
    )
    norm = LogNorm(1, max(max(found.values()) for found in graphs.values()) + 1)
    for axes, found in zip(panels.flat, graphs.values()):
        points = draw_work(axes, found, norm)
    figure.colorbar(points, ax=panels, label="frontiers")
    return plotting.measured_on(figure, measured.gpu_of_work)


def found_early(arguments):
    """Figure 10: the share of the next level that the first bottom-up level finds, too."""
    measured = Measured(arguments.results, emulated_counts=True)
    shares = {graph: early_share(found.get(FULL, {})) for graph, found in measured.levels().items()}
    shares = {graph: {"early": share} for graph, share in shares.items() if share is not None}
    plotting.require(shares, f"no asynchronous bottom-up levels in {arguments.results}")
    figure, axes = plotting.subplots(plotting.width_for(shares), 3.4)
    plotting.stacked_bars(axes, shares, {"early": EARLY_COLOR})
    axes.set_ylabel("found a level early")
    return plotting.measured_on(figure, measured.gpu_of_levels)


def bars_of_speedups(table, colors, baseline, gpu):
    figure = plotting.grouped_bars(table, list(colors), f"speedup over {baseline}", colors=colors)
    figure.axes[0].set_yscale("linear")
    return plotting.measured_on(figure, gpu)


def steps(arguments):
    """Figure 11: what adaptive queues, dynamic balance and asynchronous levels add to Enterprise."""
    measured = Measured(arguments.results)
    table = speedups(measured, STEP_COLORS, ENTERPRISE)
    plotting.require(table, f"no graph in {arguments.results} with Enterprise and XBFS")
    named = {graph: {ABLATION[name]: x for name, x in found.items()} for graph, found in table.items()}
    colors = {ABLATION[name]: color for name, color in STEP_COLORS.items()}
    return bars_of_speedups(named, colors, "Enterprise", measured.gpu)


def directions(arguments):
    """Figure 12: the shares of top-down and bottom-up levels in the time, as XBFS's parts are added."""
    measured = Measured(arguments.results)
    shares = {
        graph: [direction_shares(runs.get(step, {})) for step in DIRECTION_STEPS]
        for graph, runs in measured.levels().items()
    }
    shares = {graph: found for graph, found in shares.items() if all(found)}
    plotting.require(shares, f"no traces of Enterprise and XBFS in {arguments.results}")
    figure, panels = plotting.subplots(plotting.width_for(shares) * 1.5, 3.6, 1, 3, sharey=True)
    for axes, step, found in zip(panels, DIRECTION_STEPS, zip(*shares.values())):
        plotting.stacked_bars(axes, dict(zip(shares, found)), DIRECTION_COLORS)
        axes.set_title(ABLATION[step], fontsize=9)
    panels[0].set_ylabel("of the time")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return plotting.measured_on(figure, measured.gpu_of_levels)


def generations(arguments):
    """Figure 13: what each way to make a queue contributes to the adaptive choice's gain."""
    measured = Measured(arguments.results)
    table = {
        graph: contributions(runs.get(ENTERPRISE, {}), runs.get(AD, {}))
        for graph, runs in measured.levels().items()
    }
    table = {graph: shares for graph, shares in table.items() if shares}
    plotting.require(table, f"no traces of Enterprise and adaptive queues in {arguments.results}")
    figure, axes = plotting.subplots(plotting.width_for(table), 3.6)
    plotting.stacked_bars(axes, table, GENERATION_COLORS)
    axes.set_ylabel("of the time saved")
    figure.legend(loc="outside upper center", ncols=len(GENERATION_COLORS))
    return plotting.measured_on(figure, measured.gpu_of_levels)


def balances(arguments):
    """Figure 14: ways to deal out bottom-up frontiers against classes by degree."""
    measured = Measured(arguments.results)
    table = speedups(measured, BALANCES, AD)
    plotting.require(table, f"no graph in {arguments.results} with two ways of balance")
    return bars_of_speedups(table, BALANCE_COLORS, "classes by degree", measured.gpu)


def edges_checked(arguments):
    """Figure 15: edges that bottom-up levels look at, synchronous and asynchronous."""
    measured = Measured(arguments.results, emulated_counts=True)
    table = {
        graph: dict(zip(CHECK_COLORS, (checks(runs.get(WB, {})), checks(runs.get(FULL, {})))))
        for graph, runs in measured.levels().items()
    }
    table = {graph: numbers for graph, numbers in table.items() if all(numbers.values())}
    plotting.require(table, f"no traces with and without asynchronous levels in {arguments.results}")
    figure = plotting.grouped_bars(table, list(CHECK_COLORS), "edges looked at", colors=CHECK_COLORS)
    fewer = {
        graph: f"{numbers['asynchronous'] / numbers['synchronous'] - 1:+.0%}"
        for graph, numbers in table.items()
    }
    plotting.write_over_bars(figure, table, list(CHECK_COLORS), "asynchronous", fewer)
    return plotting.measured_on(figure, measured.gpu_of_levels)


FIGURES = {
    "xbfs_5": queue_filling,
    "xbfs_9": work,
    "xbfs_10": found_early,
    "xbfs_11": steps,
    "xbfs_12": directions,
    "xbfs_13": generations,
    "xbfs_14": balances,
    "xbfs_15": edges_checked,
}
