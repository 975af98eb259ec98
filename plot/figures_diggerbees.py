"""figures_diggerbees.py: the figures of DiggerBees's paper."""

import math
import statistics
from collections import Counter

import plotting
from evaluation.analyses.balance import TASKS_FOLDERS, read_tasks, variation
from evaluation.methods import (
    BASELINES,
    DEFAULT_CUTOFFS,
    DIGGERBEES,
    METHODS,
    VERSIONS,
    cutoffs,
    edges_of,
    gpu_of,
    speeds,
    times,
    with_usual_options,
)
from evaluation.records import EMULATOR, kind_of, read_merged, read_representative
from evaluation.speedups import kernel_ms, over_graphs, times_faster
from evaluation.text_tables import digits

import numpy as np

# ---- figure 5 ----

OURS = (DIGGERBEES, "v5")


def draw_speedups(axes, edges, known, baseline):
    lines = []
    for variant in OURS:
        faster = times_faster(known.get(variant, {}), known[baseline])
        if not faster:
            continue
        plotting.scatter(axes, edges, faster, variant)
        best = max(faster, key=faster.get)
        mean = over_graphs(faster.values())
        lines.append(f"{METHODS[variant]}: {digits(mean)}x, up to {digits(faster[best])}x: {best[:16]}")
    axes.axhline(1, color="black", linewidth=0.8)
    plotting.log_scales(axes, "times faster")
    axes.set_title(f"over {METHODS[baseline]}, geometric mean\n" + "\n".join(lines), fontsize=8.5, loc="left")


def methods_compared(arguments):
    """Figure 5: speed of the DFS methods, and how many times faster DiggerBees is."""
    rows = plotting.rows_at_one_place(arguments)
    table, known, edges = speeds(rows), times(rows), edges_of(rows)
    shown = [variant for variant in METHODS if variant in table]
    plotting.require(shown, f"no {', '.join(METHODS)} among dfs in {arguments.merged}")
    compared = [
        name for name in BASELINES if any(times_faster(known.get(v, {}), known.get(name, {})) for v in OURS)
    ]
    figure = plotting.plt.figure(figsize=(11, 7.2 if compared else 4.4), layout="constrained")
    heights = [1.35, 1] if compared else [1]
    grid = figure.add_gridspec(len(heights), max(len(compared), 1), height_ratios=heights)
    top = figure.add_subplot(grid[0, :])
    for variant in shown:
        plotting.scatter(top, edges, table[variant], variant, label=METHODS[variant])
    plotting.log_scales(top, "MTEPS")
    for number, baseline in enumerate(compared):
        draw_speedups(figure.add_subplot(grid[1, number]), edges, known, baseline)
    figure.legend(loc="outside upper center", ncols=len(shown), markerscale=1.6)
    plotting.footnote(figure, f"{len(edges)} graphs; mean of the sources' MTEPS; {plotting.places(rows)}")
    return figure


# ---- figure 6 ----

BEST_BFS = "best BFS"
COLUMNS = {f"{variant}_mteps": name for variant, name in METHODS.items()} | {"best_bfs_mteps": BEST_BFS}


def representative(arguments):
    """Figure 6: the DFS methods and the fastest BFS on the representative graphs."""
    rows = read_representative(arguments.merged)
    rows = [row for row in rows if row["device"] == gpu_of(rows)] or rows
    plotting.require(rows, f"no representative graph measured in {arguments.merged}")
    table, bfs = {}, {}
    for row in rows:
        table[row["graph"]] = {name: float(row[column]) for column, name in COLUMNS.items() if row[column]}
        bfs[row["graph"]] = row["best_bfs_variant"]
    series = [name for name in COLUMNS.values() if any(name in values for values in table.values())]
    colors = {name: plotting.METHOD_COLORS[column.removesuffix("_mteps")] for column, name in COLUMNS.items()}
    figure = plotting.grouped_bars(table, series, "MTEPS", colors=colors)
    if BEST_BFS in series:
        plotting.write_over_bars(figure, table, series, BEST_BFS, bfs)
    plotting.footnote(
        figure, f"mean of the sources' MTEPS; {plotting.places(rows)}; over a bar: which BFS is best"
    )
    return figure


# ---- figure 7 ----

COMPARED = ("nvg", "v4", "v5")


def two_gpus(rows):
    """{GPU: its rows} of the two GPUs that most rows are of, the slower one first."""
    counts = Counter(row["device"] for row in rows if kind_of(row["device"]) == "GPU")
    plotting.require(
        len(counts) > 1,
        f"needs records of two GPUs, and has those of {', '.join(counts) or 'none'}; "
        "copy the folder of another GPU's records beside theirs and merge again",
    )
    found = {}
    for gpu, _ in counts.most_common(2):
        on_it = [row for row in rows if row["device"] == gpu and row["variant"] in COMPARED]
        found[gpu] = with_usual_options(on_it)
    first, second = found
    scale = [ratio for pair in by_variant(found[second], found[first]).values() for ratio in pair.values()]
    plotting.require(
        scale, f"{first} and {second} have no graph and method of {', '.join(COMPARED)} in common"
    )
    return found if over_graphs(scale) >= 1 else {second: found[second], first: found[first]}


def by_variant(fast, slow):
    """{variant: {graph: times faster}} of two GPUs' rows, of the variants that both have run."""
    ours, theirs = times(fast), times(slow)
    found = {variant: times_faster(ours.get(variant, {}), theirs.get(variant, {})) for variant in COMPARED}
    return {variant: faster for variant, faster in found.items() if faster}


def draw_trend(axes, edges, values, **style):
    """The least-squares line through the points on logarithmic scales."""
    x = [math.log10(edges[graph]) for graph in values]
    y = [math.log10(value) for value in values.values()]
    if len(set(x)) < 2:
        return
    slope, height = np.polyfit(x, y, 1)
    ends = (min(x), max(x))
    axes.plot(
        [10**end for end in ends], [10 ** (slope * end + height) for end in ends], linewidth=1.6, **style
    )


def draw_ratios(axes, edges, faster, variant, ylabel):
    plotting.scatter(axes, edges, faster, variant)
    axes.axhline(1, color="black", linewidth=0.8)
    plotting.log_scales(axes, ylabel)
    mean = over_graphs(faster.values())
    axes.axhline(mean, color=plotting.METHOD_COLORS[variant], linewidth=1, linestyle="--")
    axes.set_title(f"{METHODS[variant]}: geometric mean {digits(mean)}x", fontsize=9, loc="left")


def scalability(arguments):
    """Figure 7: how the GPU's DFS methods scale from one GPU to a larger one."""
    rows = read_merged("dfs", arguments.merged)
    found, edges = two_gpus(rows), edges_of(rows)
    small, large = found
    tables = {gpu: speeds(some) for gpu, some in found.items()}
    shown = by_variant(found[large], found[small])
    figure = plotting.plt.figure(figsize=(10, 7.2), layout="constrained")
    grid = figure.add_gridspec(2, len(shown), height_ratios=[1.35, 1])
    top = figure.add_subplot(grid[0, :])
    for variant in shown:
        color = plotting.METHOD_COLORS[variant]
        for gpu, filled, dashes in ((small, False, "--"), (large, True, "-")):
            values = tables[gpu][variant]
            looks = (
                {}
                if filled
                else {"facecolors": "none", "edgecolors": color, "linewidths": 0.8, "color": None}
            )
            plotting.scatter(top, edges, values, variant, label=f"{METHODS[variant]}, {gpu}", **looks)
            draw_trend(top, edges, values, color=color, linestyle=dashes)
    plotting.log_scales(top, "MTEPS")
    for number, (variant, faster) in enumerate(shown.items()):
        draw_ratios(figure.add_subplot(grid[1, number]), edges, faster, variant, f"{large} over\n{small}")
    figure.legend(loc="outside upper center", ncols=len(shown), markerscale=1.4)
    plotting.footnote(
        figure, f"lines: fits on logarithmic scales, dashed for {small}; mean of the sources' MTEPS"
    )
    return figure


# ---- figure 8 ----

MEANINGS = {
    "v1": "v1: one block, one-level stack",
    "v2": "v2: one block, two levels",
    "v3": "v3: half the SMs, stealing",
    "v4": "v4: a block per SM",
    "v5": "v5: gtrav's own",
}


def versions(arguments):
    """Figure 8: what each version adds, from one block to the whole GPU."""
    rows = plotting.rows_at_one_place(arguments)
    rows = [row for row in rows if row["variant"] in VERSIONS]
    table, known = speeds(rows), times(rows)
    shown = [version for version in VERSIONS if version in table]
    # Other runs may have measured the last versions on more graphs: those without a first one show no step.
    stepped = {graph for version in VERSIONS[:3] for graph in table.get(version, {})}
    edges = edges_of(rows)
    graphs = sorted(stepped, key=edges.get)
    plotting.require(graphs, f"none of dfs {', '.join(VERSIONS[:3])} measured in {arguments.merged}")
    bars = {graph: {MEANINGS[v]: table[v][graph] for v in shown if graph in table[v]} for graph in graphs}
    colors = {MEANINGS[version]: plotting.METHOD_COLORS[version] for version in shown}
    figure = plotting.grouped_bars(bars, [MEANINGS[version] for version in shown], "MTEPS", colors=colors)
    steps = []
    for before, after in zip(shown, shown[1:]):
        faster = times_faster({g: known[after][g] for g in graphs if g in known[after]}, known[before])
        if faster:
            steps.append(f"{before} to {after}: {digits(over_graphs(faster.values()))}x")
    plotting.footnote(
        figure, f"geometric means, {', '.join(steps)}; mean of the sources' MTEPS; {plotting.places(rows)}"
    )
    return figure


# ---- figure 9 ----

POLICY_NAMES = dict(zip(TASKS_FOLDERS, ("Baseline", "DiggerBees")))
POLICY_COLORS = dict(zip(TASKS_FOLDERS, ("#999999", plotting.METHOD_COLORS["v4"])))
BALANCE_PANELS = 6  # beside each other


def read_tasks_of(folder):
    """{graph: {policy's folder: trials}} of a device's folder."""
    graphs = {}
    for policy in TASKS_FOLDERS:
        for path in sorted((folder / policy).glob("balance_*.csv")):
            graphs.setdefault(path.stem.removeprefix("balance_"), {})[policy] = read_tasks(path)
    return graphs


def choose_tasks(results):
    """The GPU of most graphs, or without one the emulator, and its graphs."""
    folders = {path.parent.parent for policy in TASKS_FOLDERS for path in results.glob(f"*/{policy}/*.csv")}
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
    axes.plot([place] * 3, marks, "_", color="black", markersize=9)
    return f"\nVar. {digits(variation(trials))}"


def balance(arguments):
    """Figure 9: how evenly blocks share the tasks, victims chosen at random or by their load.

    Tasks are relative to the mean of their trial, so 1 is an even share; of the blocks in the order of their
    tasks, each is the mean over the trials. Marks are the least, the median and the most; Var. is the
    coefficient of variation, as scripts/balance.py has it."""
    device, graphs = choose_tasks(arguments.results)
    label = "tasks of a block / their mean"
    figure, panels = plotting.panels(graphs, BALANCE_PANELS, (2.1, 3.2), (0, 0.4), "", label, 3.6)
    for axes, policies in zip(panels.flat, graphs.values()):
        labels = []
        for place, (policy, trials) in enumerate(policies.items()):
            labels.append(POLICY_NAMES[policy] + draw_violin(axes, place, trials, POLICY_COLORS[policy]))
        axes.set_xticks(range(len(labels)), labels, fontsize=8)
        axes.set_xlim(-0.6, len(labels) - 0.4)
        axes.set_ylim(bottom=0)
        axes.tick_params(axis="x", length=0)
    blocks = {len(trial) for policies in graphs.values() for trials in policies.values() for trial in trials}
    many = " or ".join(map(str, sorted(blocks)))
    return plotting.measured_on(figure, device, f"{many} blocks; ", "; marks: minimum, median, maximum")


# ---- figure 10 ----

CUTOFF_PANELS = 4  # beside each other


def relative_speeds(rows):
    """{graph: {(hot, cold): speed over that of the default}}, where nothing else differs."""
    settings = {}
    for row in rows:
        pair, others = cutoffs(row)
        settings.setdefault((row["graph"], others), {})[pair] = kernel_ms(row)
    graphs = {}
    for (graph, _), by_pair in settings.items():
        default = by_pair.get(DEFAULT_CUTOFFS)
        if default and len(by_pair) > max(1, len(graphs.get(graph, {}))):
            graphs[graph] = {pair: default / ms for pair, ms in by_pair.items()}
    return graphs


def mean_of(graphs):
    """The geometric mean over the graphs, for every pair of cutoffs that all of them have."""
    pairs = set.intersection(*(set(speeds) for speeds in graphs.values()))
    return {pair: over_graphs(speeds[pair] for speeds in graphs.values()) for pair in pairs}


def draw_map(axes, speeds, hots, colds, limits):
    values = [[speeds.get((hot, cold), math.nan) for hot in hots] for cold in colds]
    image = axes.imshow(values, cmap="YlOrBr", vmin=limits[0], vmax=limits[1], origin="lower", aspect="auto")
    middle = sum(limits) / 2
    for (hot, cold), speed in speeds.items():
        color = "white" if speed > middle else "black"
        place = (hots.index(hot), colds.index(cold))
        axes.annotate(digits(speed), place, ha="center", va="center", color=color, fontsize=9)
    axes.set_xticks(range(len(hots)), hots)
    axes.set_yticks(range(len(colds)), colds)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    return image


def other_cutoffs(arguments):
    """Figure 10: speed under other cutoffs, relative to the default of 32 and 64."""
    rows = [
        row
        for row in read_merged("dfs", arguments.merged)
        if row["variant"] == DIGGERBEES and cutoffs(row)[0]
    ]
    rows = [row for row in rows if row["device"] == gpu_of(rows)]
    graphs = relative_speeds(rows)
    plotting.require(graphs, f"no graph in {arguments.merged} with the default cutoffs and others")
    panels = {**graphs, **({"geometric mean": mean_of(graphs)} if len(graphs) > 1 else {})}
    hots, colds = (sorted({pair[i] for speeds in panels.values() for pair in speeds}) for i in (0, 1))
    every = [speed for speeds in panels.values() for speed in speeds.values()]
    figure, places = plotting.panels(
        panels, CUTOFF_PANELS, (2.3, 2.3), (1.2, 0.6), "hot_cutoff", "cold_cutoff"
    )
    for axes, speeds_of in zip(places.flat, panels.values()):
        image = draw_map(axes, speeds_of, hots, colds, (min(every), max(every)))
    figure.colorbar(image, ax=places, label="speed, default cutoffs = 1", shrink=0.9)
    plotting.footnote(figure, f"from mean kernel ms; {plotting.places(rows)}")
    return figure


FIGURES = {
    "5": methods_compared,
    "6": representative,
    "7": scalability,
    "8": versions,
    "9": balance,
    "10": other_cutoffs,
}
