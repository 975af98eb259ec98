"""figures_xbfs.py: the figures of XBFS's paper."""

import plotting
from evaluation.analyses import xbfs

from matplotlib.colors import BoundaryNorm

WORK_PANELS = 3  # side by side
TICKS_OF_WORK = 3  # approximate number of ticks on an axis, at powers of two
EARLY_COLOR = "#0072B2"
STEP_COLORS = {xbfs.AD: "#56B4E9", xbfs.WB: "#0072B2", xbfs.FULL: "#D55E00"}
DIRECTION_STEPS = (xbfs.ENTERPRISE, xbfs.AD, xbfs.FULL)
# The figure's names of the ways to make a queue. `none` uses the queue of the bottom-up levels again.
GENERATION_TITLES = dict(zip(xbfs.GENERATIONS, ("scan-free", "single-scan", "no new queue", "double-scan")))
GENERATION_COLORS = dict(zip(GENERATION_TITLES.values(), ("#56B4E9", "#0072B2", "#009E73", "#E69F00")))
BALANCE_COLORS = dict(zip((xbfs.STATIC, xbfs.THREAD, xbfs.WARP), ("#56B4E9", "#0072B2", "#D55E00")))
CHECK_COLORS = {"synchronous": "#0072B2", "asynchronous": "#D55E00"}


def with_labels(found):
    """Replaces the graphs' names in {graph: value} by the paper's names."""
    return {label: found[graph] for graph, label in plotting.papers_graphs("xbfs_list", found).items()}


def queue_filling(results):
    """Figure 5: how much faster atomics fill a frontier queue than a prefix sum."""
    found = xbfs.enqueue_times(results)
    plotting.require(found, f"no queues filled in {results.folder}")
    figure, axes = plotting.subplots(1.9)
    millions = [size / 1e6 for size in found]
    axes.plot(millions, [faster for *_, faster in found.values()], "o-", color="#D55E00")
    axes.axhline(1, color="#666666", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_xticks(millions, [f"{size:g}" for size in millions])
    axes.set(ylim=(0, None), xlabel="array size (million)", ylabel="time of a prefix sum\n/ time of atomics")
    return plotting.measured_on(figure, results)


def draw_work(axes, found, norm):
    most = max(max(classes) for classes in found) or 1
    degrees, checked = zip(*found)
    points = axes.scatter(degrees, checked, c=list(found.values()), norm=norm, cmap="viridis", s=4, marker="s")
    axes.plot([0, most], [0, most], color="#666666", linewidth=0.8)
    step = most.bit_length() // TICKS_OF_WORK + 1
    ticks = [0, *(2**power for power in range(step if step > 2 else 0, most.bit_length(), step))]
    for axis, set_scale in ((axes.xaxis, axes.set_xscale), (axes.yaxis, axes.set_yscale)):
        set_scale("symlog", base=2, linthresh=1)
        axis.set_ticks(ticks, list(map(plotting.in_short, ticks)))
        axis.set_ticks([], minor=True)
    axes.set(xlim=(-0.5, 1.6 * most), ylim=(-0.5, 1.6 * most))
    axes.tick_params(axis="x", labelrotation=90)
    return points


def work(results):
    """Figure 9: the degrees of vertices in bottom-up frontiers, and how many of their edges these look at."""
    graphs = with_labels({graph: found for graph, found in xbfs.work_of(results).items() if found})
    plotting.require(graphs, f"no work of frontiers in {results.folder}")
    figure, panels = plotting.panels(graphs, WORK_PANELS, 1.35, "degree", "edges looked at")
    most = max(max(found.values()) for found in graphs.values())
    norm = BoundaryNorm([10**power for power in range(len(str(most)) + 1)], 256)  # one colour per power of ten
    for axes, found in zip(panels.flat, graphs.values()):
        points = draw_work(axes, found, norm)
    colors = figure.colorbar(points, ax=panels, label="frontier vertices", location="top", aspect=40)
    colors.ax.xaxis.set_major_formatter(plotting.in_short)
    return plotting.measured_on(figure, results)


def of_levels(results, names, value, absent):
    """Returns {graph: value(the traced levels of each configuration)} without None.

    absent: says what is missing."""
    found = {graph: one for graph, one in xbfs.of_levels(results, names, value).items() if one is not None}
    plotting.require(found, f"no {absent} in {results.folder}")
    return with_labels(found)


def bars_of_shares(results, shares, colors, ylabel):
    """Draws {graph: {part: share}} as a figure. colors: {part: colour}."""
    figure, axes = plotting.subplots(1.9 + plotting.room_below(shares))
    plotting.stacked_bars(axes, shares, colors)
    axes.set_ylabel(ylabel)
    if len(colors) > 1:
        plotting.legend(figure)
    return plotting.measured_on(figure, results)


def found_early(results):
    """Figure 10: the share of the next level that the first bottom-up level already finds."""
    found = of_levels(results, [xbfs.FULL], xbfs.early_share, "asynchronous bottom-up levels")
    shares = {graph: {"early": share} for graph, share in found.items()}
    return bars_of_shares(results, shares, {"early": EARLY_COLOR}, "found a level early")


def bars_of_speedups(results, baseline, colors, called, absent, titles=None):
    """Draws speedups of the configurations that have a colour.

    called: the figure's name for the baseline; absent: what is missing without it. titles: of configurations."""
    table = with_labels(xbfs.speedups(results, colors, baseline))
    plotting.require(table, f"no graph in {results.folder} with {absent}")
    titles = titles or dict(zip(colors, colors))
    named = {graph: {titles[name]: x for name, x in found.items()} for graph, found in table.items()}
    colors = {titles[name]: color for name, color in colors.items()}
    figure = plotting.grouped_bars(named, colors, f"speedup over {called}", colors=colors, start=1)
    return plotting.measured_on(figure, results)


def steps(results):
    """Figure 11: what adaptive queues, dynamic balance and asynchronous levels add to Enterprise."""
    return bars_of_speedups(results, xbfs.ENTERPRISE, STEP_COLORS, "Enterprise", "Enterprise and XBFS", xbfs.ABLATION)


def directions(results):
    """Figure 12: the shares of top-down and bottom-up levels in the time, as XBFS's parts are added."""

    def of_steps(*runs):
        shares = list(map(xbfs.direction_shares, runs))
        return shares if all(shares) else None

    found = of_levels(results, DIRECTION_STEPS, of_steps, "traces of Enterprise and XBFS")
    figure, panels = plotting.subplots(1.2 * len(DIRECTION_STEPS) + 0.4, len(DIRECTION_STEPS), sharex=True)
    for axes, step, shares in zip(panels, DIRECTION_STEPS, zip(*found.values())):
        plotting.stacked_bars(axes, dict(zip(found, shares)), plotting.DIRECTION_COLORS)
        axes.set_title(xbfs.ABLATION[step])
        axes.set_ylabel("of the time")
    plotting.legend(figure)
    return plotting.measured_on(figure, results)


def generations(results):
    """Figure 13: what each way to make a queue contributes to the adaptive choice's gain."""
    compared, absent = (xbfs.ENTERPRISE, xbfs.AD), "traces of Enterprise and adaptive queues"
    shares = of_levels(results, compared, xbfs.contributions, absent)
    shares = {graph: {GENERATION_TITLES[part]: share for part, share in one.items()} for graph, one in shares.items()}
    return bars_of_shares(results, shares, GENERATION_COLORS, "of the time saved")


def balances(results):
    """Figure 14: ways to distribute bottom-up frontiers, compared with classes by degree."""
    return bars_of_speedups(results, xbfs.AD, BALANCE_COLORS, "classes by degree", "two ways of balance")


def edges_checked(results):
    """Figure 15: edges that bottom-up levels look at, synchronous and asynchronous."""

    def checked(*runs):
        both = list(map(xbfs.checks, runs))
        return (dict(zip(CHECK_COLORS, both)), xbfs.fewer_checks(*runs)) if all(both) else None

    absent = "traces with and without asynchronous levels"
    found = of_levels(results, (xbfs.WB, xbfs.FULL), checked, absent)
    table = {graph: numbers for graph, (numbers, _) in found.items()}
    figure = plotting.grouped_bars(table, CHECK_COLORS, "edges looked at", colors=CHECK_COLORS)
    plotting.write_over_bars(figure, 1, [f"{-fewer:+.0%}" for _, fewer in found.values()])
    return plotting.measured_on(figure, results)


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
