"""figures_diggerbees.py: the figures of DiggerBees's paper."""

import statistics
from collections import Counter

import plotting
from evaluation import speedups
from evaluation.analyses.balance import TASKS_FOLDERS, read_tasks, variation
from evaluation.files import rows_if_any
from evaluation.methods import (
    BASELINES,
    DEFAULT_CUTOFFS,
    DIGGERBEES,
    METHODS,
    TIME,
    VERSIONS,
    cutoffs,
    edges_of,
    gpu_of,
    speeds,
    time_against,
    with_usual_options,
)
from evaluation.records import EMULATOR, PAPER, kind_of, read_merged
from evaluation.speedups import over_graphs, search_ms
from evaluation.text_tables import digits

import numpy as np
import pandas as pd

MTEPS_ARE = "mean of the sources' MTEPS, in which an undirected edge counts twice"

# ---- figures 5 and 7: speeds over the edges, and below these how many times faster ----


def by_graph(rows, variant):
    return {row["graph"]: row for row in rows if row["variant"] == variant}


def compare(variant, fast, slow, column=TIME):
    """{variant: {graph: times faster}} of rows by graph, over the sources that both have, if any graph is."""
    found = {graph: speedups.faster(row, slow.get(graph), column) for graph, row in fast.items()}
    found = {graph: times for graph, times in found.items() if times}
    return {variant: found} if found else {}


def compare_with(baseline, rows, variants=(DIGGERBEES, "handoff")):
    """{variant: {graph: times faster}} of these."""
    column, found = time_against(baseline), {}
    for variant in variants:
        found |= compare(variant, by_graph(rows, variant), by_graph(rows, baseline), column)
    return found


def one_above(below):
    """A figure with a panel and so many lower ones below it, and their axes."""
    heights = (2, *[1.1] * below)
    figure, axes = plotting.subplots(sum(heights) + 0.3, len(heights), height_ratios=heights, squeeze=False)
    return figure, axes[:, 0]


def draw_ratios(axes, edges, faster, ylabel, title):
    """faster: {variant: {graph: times faster}}"""
    for variant, ratios in faster.items():
        plotting.scatter(axes, edges, ratios, variant)
    axes.axhline(1, color="black", linewidth=0.8)
    plotting.log_scales(axes, ylabel)
    axes.set_title(title, loc="left")


def in_words(variant, faster):
    best = max(faster, key=faster.get)
    mean = over_graphs(faster.values())
    return f"{METHODS[variant]}: {digits(mean)}x, up to {digits(faster[best])}x: {best[:16]}"


def methods_compared(arguments):
    """Figure 5: speed of the DFS methods, and how many times faster DiggerBees is."""
    rows = plotting.rows_at_one_place(arguments)
    table, edges = speeds(rows), edges_of(rows)
    shown = [variant for variant in METHODS if variant in table]
    plotting.require(shown, f"no {', '.join(METHODS)} among dfs in {arguments.merged}")
    compared = {name: faster for name in BASELINES if (faster := compare_with(name, rows))}
    figure, (top, *below) = one_above(len(compared))
    for variant in shown:
        plotting.scatter(top, edges, table[variant], variant, label=METHODS[variant])
    plotting.log_scales(top, "MTEPS")
    for axes, (baseline, faster) in zip(below, compared.items()):
        lines = [f"over {METHODS[baseline]}, geometric mean", *map(in_words, faster, faster.values())]
        draw_ratios(axes, edges, faster, "times faster", "\n".join(lines))
    plotting.legend(figure)
    words = f"{len(edges)} graphs; {MTEPS_ARE}; over NVG-DFS the times of the tree alone"
    plotting.footnote(figure, f"{words}; {plotting.report_of(rows)}")
    return figure


COMPARED = ("nvg", "v4", "handoff")


def compare_gpus(fast, slow):
    """{variant: {graph: times faster}} of the rows of two GPUs."""
    found = {}
    for variant in COMPARED:
        found |= compare(variant, by_graph(fast, variant), by_graph(slow, variant))
    return found


def two_gpus(rows):
    """{GPU: its rows} of the two GPUs that most rows are of, the slower one first; and their ratios."""
    counts = Counter(row["device"] for row in rows if kind_of(row["device"]) == "GPU")
    plotting.require(
        len(counts) > 1,
        f"needs records of two GPUs, and has those of {', '.join(counts) or 'none'}; "
        "copy the folder of another GPU's records beside theirs and merge again",
    )
    slow, fast = (
        (gpu, with_usual_options([r for r in rows if r["device"] == gpu and r["variant"] in COMPARED]))
        for gpu, _ in counts.most_common(2)
    )
    ratios = compare_gpus(fast[1], slow[1])
    methods = ", ".join(COMPARED)
    plotting.require(ratios, f"{slow[0]} and {fast[0]} have no graph and method of {methods} in common")
    if over_graphs(ratio for faster in ratios.values() for ratio in faster.values()) < 1:
        slow, fast = fast, slow
        ratios = compare_gpus(fast[1], slow[1])
    return dict((slow, fast)), ratios


def draw_trend(axes, edges, values, **style):
    """The least-squares line through the points on logarithmic scales."""
    x, y = np.log10([edges[graph] for graph in values]), np.log10(list(values.values()))
    if len(set(x)) < 2:
        return
    slope, height = np.polyfit(x, y, 1)
    ends = np.array([x.min(), x.max()])
    axes.plot(10**ends, 10 ** (slope * ends + height), linewidth=1, **style)


def scalability(arguments):
    """Figure 7: how the GPU's DFS methods scale from one GPU to a larger one."""
    rows = read_merged("dfs", arguments.merged)
    (found, shown), edges = two_gpus(rows), edges_of(rows)
    small, large = found
    figure, (top, *below) = one_above(len(shown))
    for variant in shown:
        color = plotting.METHOD_COLORS[variant]
        hollow = {"facecolors": "none", "edgecolors": color, "linewidths": 0.8, "color": None}
        for gpu, looks, dashes in ((small, hollow, "--"), (large, {}, "-")):
            values = speeds(found[gpu])[variant]
            plotting.scatter(top, edges, values, variant, label=f"{METHODS[variant]}, {gpu}", **looks)
            draw_trend(top, edges, values, color=color, linestyle=dashes)
    plotting.log_scales(top, "MTEPS")
    for axes, (variant, faster) in zip(below, shown.items()):
        mean = over_graphs(faster.values())
        title = f"{METHODS[variant]}: geometric mean {digits(mean)}x"
        draw_ratios(axes, edges, {variant: faster}, f"{large} over\n{small}", title)
        axes.axhline(mean, color=plotting.METHOD_COLORS[variant], linewidth=1, linestyle="--")
    plotting.legend(figure)
    words = f"lines: fits on logarithmic scales, dashed for {small}; {MTEPS_ARE}"
    drawn = [row for some in found.values() for row in some]
    plotting.footnote(figure, f"{words}; {plotting.places(drawn)}")
    return figure


# ---- figure 6 ----

BEST_BFS = "best BFS"
COLUMNS = {f"{variant}_mteps": name for variant, name in METHODS.items()} | {"best_bfs_mteps": BEST_BFS}


def representative(arguments):
    """Figure 6: the DFS methods and the fastest BFS on the representative graphs."""
    rows = rows_if_any(arguments.merged / "merged_perf_rep.csv")
    rows = [row for row in rows if row["device"] == gpu_of(rows)] or rows
    plotting.require(rows, f"no representative graph measured in {arguments.merged}")
    table = {
        row["graph"]: {name: float(row[column]) for column, name in COLUMNS.items() if row[column]}
        for row in rows
    }
    bfs = [row["best_bfs_variant"] for row in rows]
    series = [name for name in COLUMNS.values() if any(name in values for values in table.values())]
    colors = {name: plotting.METHOD_COLORS[column.removesuffix("_mteps")] for column, name in COLUMNS.items()}
    figure = plotting.grouped_bars(table, series, "MTEPS", colors=colors)
    if BEST_BFS in series:
        plotting.write_over_bars(figure, series.index(BEST_BFS), bfs)
    graphs, devices = ({row[name] for row in rows} for name in ("graph", "device"))
    measured = [
        row
        for row in read_merged("dfs", arguments.merged)
        if row["device"] in devices and row["graph"] in graphs
    ]
    where = plotting.report_of(measured or rows)
    plotting.footnote(figure, f"{MTEPS_ARE}; {where}; over a bar: which BFS is best")
    return figure


# ---- figure 8 ----

MEANINGS = {
    "v1": "v1: one block, one-level stack",
    "v2": "v2: one block, two levels",
    "v3": "v3: half the SMs, stealing",
    "v4": "v4: a block per SM",
    "handoff": "handoff: gtrav's own",
}


def versions(arguments):
    """Figure 8: what each version adds, from one block to the whole GPU."""
    rows = plotting.rows_at_one_place(arguments, PAPER)
    rows = [row for row in rows if row["variant"] in VERSIONS]
    table = speeds(rows)
    shown = [version for version in VERSIONS if version in table]
    # Other runs may have measured the last versions on more graphs: those without a first one show no step.
    stepped = {graph for version in VERSIONS[:3] for graph in table.get(version, {})}
    edges = edges_of(rows)
    graphs = sorted(stepped, key=edges.get)
    plotting.require(graphs, f"none of dfs {', '.join(VERSIONS[:3])} measured in {arguments.merged}")
    bars = {graph: {MEANINGS[v]: table[v][graph] for v in shown if graph in table[v]} for graph in graphs}
    colors = {MEANINGS[version]: plotting.METHOD_COLORS[version] for version in shown}
    figure = plotting.grouped_bars(bars, [MEANINGS[version] for version in shown], "MTEPS", colors=colors)
    rows = [row for row in rows if row["graph"] in stepped]
    steps = [
        f"{before} to {after}: {digits(over_graphs(faster.values()))}x"
        for before, after in zip(shown, shown[1:])
        for faster in compare_with(before, rows, [after]).values()
    ]
    plotting.footnote(figure, f"geometric means, {', '.join(steps)}; {MTEPS_ARE}; {plotting.report_of(rows)}")
    return figure


# ---- figure 9 ----

POLICY_NAMES = dict(zip(TASKS_FOLDERS, ("Baseline", "DiggerBees")))
POLICY_COLORS = dict(zip(TASKS_FOLDERS, ("#999999", plotting.METHOD_COLORS["v4"])))
BALANCE_PANELS = 2  # beside each other


def read_tasks_of(folder):
    """{graph: {policy's folder: trials}} of a device's folder."""
    graphs = {}
    for policy in TASKS_FOLDERS:
        for path in sorted((folder / policy).glob("balance_*.csv")):
            graphs.setdefault(path.stem.removeprefix("balance_"), {})[policy] = read_tasks(path)
    return graphs


def choose_tasks(results):
    """The GPU of most graphs, or without one the emulator, and its graphs."""
    folders = {path.parent.parent for policy in TASKS_FOLDERS for path in results.rglob(f"{policy}/*.csv")}
    plotting.require(folders, f"no tasks of a GPU's blocks in {results}; make balance counts them")
    devices = [(folder.name, read_tasks_of(folder)) for folder in sorted(folders)]
    return max(devices, key=lambda found: (found[0] != EMULATOR, len(found[1])))


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
    axes.plot([place] * 3, marks, "_", color="black", markersize=5)
    return f"\nVar. {digits(variation(trials))}"


def balance(arguments):
    """Figure 9: how evenly blocks share the tasks, victims chosen at random or by their load.

    Tasks are relative to the mean of their trial, so 1 is an even share; of the blocks in the order of their
    tasks, each is the mean over the trials. Marks are the least, the median and the most; Var. is the
    coefficient of variation, as scripts/balance.py has it."""
    device, graphs = choose_tasks(arguments.results)
    label = "tasks of a block / their mean"
    figure, panels = plotting.panels(graphs, BALANCE_PANELS, 1.8, "", label)
    for axes, policies in zip(panels.flat, graphs.values()):
        labels = []
        for place, (policy, trials) in enumerate(policies.items()):
            labels.append(POLICY_NAMES[policy] + draw_violin(axes, place, trials, POLICY_COLORS[policy]))
        axes.set_xticks(range(len(labels)), labels)
        axes.set(xlim=(-0.6, len(labels) - 0.4), ylim=(0, None))
        axes.tick_params(axis="x", length=0)
    blocks = {len(trial) for policies in graphs.values() for trials in policies.values() for trial in trials}
    many = " or ".join(map(str, sorted(blocks)))
    marks = "; marks: minimum, median, maximum"
    return plotting.measured_on(figure, device, arguments.results, f"{many} blocks; ", marks)


# ---- figure 10 ----

CUTOFF_PANELS = 2  # beside each other


def relative_speeds(rows):
    """{graph: {(hot, cold): speed over that of the paper's cutoffs}}, where nothing else differs."""
    settings = {}
    for row in rows:
        pair, others = cutoffs(row)
        settings.setdefault((row["graph"], others), {})[pair] = search_ms(row)
    graphs = {}
    for (graph, _), by_pair in settings.items():
        usual = by_pair.get(DEFAULT_CUTOFFS[PAPER])
        if usual and len(by_pair) > max(1, len(graphs.get(graph, {}))):
            graphs[graph] = {pair: usual / ms for pair, ms in by_pair.items()}
    return graphs


def draw_map(axes, speeds, least, most):
    """speeds: a row a cold_cutoff, a column a hot_cutoff"""
    image = axes.imshow(speeds, cmap="YlOrBr", vmin=least, vmax=most, origin="lower", aspect="auto")
    for (row, column), speed in np.ndenumerate(speeds):
        if not np.isnan(speed):
            color = "white" if speed > (least + most) / 2 else "black"
            axes.text(column, row, digits(speed), ha="center", va="center", color=color)
    axes.set_xticks(range(len(speeds.columns)), speeds.columns)
    axes.set_yticks(range(len(speeds)), speeds.index)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    return image


def other_cutoffs(arguments):
    """Figure 10: speed under other cutoffs, relative to the paper's, 32 and 64."""
    rows = read_merged("dfs", arguments.merged)
    rows = [row for row in rows if row["variant"] == DIGGERBEES and cutoffs(row)[0]]
    rows = [row for row in rows if row["device"] == gpu_of(rows)]
    speeds = pd.DataFrame(relative_speeds(rows))
    plotting.require(len(speeds), f"no graph in {arguments.merged} with the cutoffs 32 and 64 and others")
    if len(speeds.columns) > 1:
        speeds["geometric mean"] = speeds.dropna().apply(over_graphs, axis="columns")
    figure, panels = plotting.panels(speeds.columns, CUTOFF_PANELS, 1.2, "hot_cutoff", "cold_cutoff")
    for axes, (_, known) in zip(panels.flat, speeds.items()):
        image = draw_map(axes, known.unstack(level=0), speeds.min(axis=None), speeds.max(axis=None))
    figure.colorbar(image, ax=panels, label="speed, cutoffs 32 and 64 = 1", shrink=0.9)
    plotting.footnote(figure, f"from mean ms of a search; {plotting.report_of(rows)}")
    return figure


FIGURES = {
    "5": methods_compared,
    "6": representative,
    "7": scalability,
    "8": versions,
    "9": balance,
    "10": other_cutoffs,
}
