"""figures_diggerbees.py: the figures of DiggerBees's paper."""

import itertools
import statistics
from contextlib import suppress

import plotting
from evaluation import comparison
from evaluation.comparison import over_graphs
from evaluation.methods import SEARCH, bfs
from evaluation.numbers import diggerbees as paper
from evaluation.numbers.compare import MTEPS, speedup
from evaluation.records import POLICIES, TASKS, graph_of_tasks, kind_of, read_tasks, variation
from evaluation.results import MissingError
from evaluation.text_tables import digits

import numpy as np
import pandas as pd

# The variants of dfs that the figures compare, and their names there.
METHODS = {"ckl": "CKL-PDFS", "acr": "ACR-PDFS", "nvg": "NVG-DFS", "v4": "DiggerBees"}
DIGGERBEES = "v4"
MTEPS_ARE = "mean of the sources' MTEPS, in which an undirected edge counts twice"
REPRESENTATIVE, SIX = "rep12_graphs", "rep_graphs"  # the lists of figure 6, and of figures 8 to 10
ON_CPU = {"ckl": paper.CKL, "acr": paper.ACR}
ON_GPU = {"nvg": paper.NVG, "v4": paper.V4}
COMPARED_BY = {"ckl": SEARCH, "acr": SEARCH, "nvg": paper.TREE}  # the metric for each rival, as in the paper's means

# ---- figures 5 and 7: speeds over the number of edges, and speedups below ----


def mteps(rows):
    """Returns {graph: MTEPS} for {graph: row}."""
    return {graph: float(row[MTEPS.column]) for graph, row in rows.items()}


def one_above(below):
    """Makes a figure with a panel and `below` lower panels under it. Returns the figure and its axes."""
    heights = (2, *[1.1] * below)
    how = {"height_ratios": heights, "squeeze": False, "sharex": True}
    figure, axes = plotting.subplots(sum(heights) + 0.3, len(heights), **how)
    axes[-1, 0].set_xlabel("edges")
    return figure, axes[:, 0]


def draw_ratios(axes, edges, variant, faster, ylabel, title):
    """Draws the speedups {graph: speedup} of a variant."""
    plotting.scatter(axes, edges, faster, variant)
    axes.axhline(1, color="black", linewidth=0.8)
    plotting.log_scales(axes, ylabel)
    axes.set_title(title, loc="left")


def leads_of(results):
    """Returns {rival: {large graph: speedup of DiggerBees over it}} for the rivals that ran."""
    found = {}
    for name, metric in COMPARED_BY.items():
        with suppress(MissingError):
            lead = speedup(results, paper.V4, over={**ON_CPU, **ON_GPU}[name], metric=metric, graphs=paper.LARGE)
            found[name] = {key.graph: faster for key, faster in lead.numbers.items()}
    return found


def methods_compared(results):
    """Figure 5: speed of the DFS methods, and how many times faster DiggerBees is."""
    table = plotting.rows_of_methods(results, ON_CPU | ON_GPU, MTEPS, needs=[DIGGERBEES])
    edges, compared = plotting.edges_of(table), leads_of(results)
    figure, (top, *below) = one_above(len(compared))
    for variant, rows in table.items():
        plotting.scatter(top, edges, mteps(rows), variant, label=METHODS[variant])
    plotting.log_scales(top, "MTEPS")
    for axes, (rival, faster) in zip(below, compared.items()):
        mean, most = over_graphs(faster.values()), max(faster.values())
        words = f"{len(faster)} graphs, geometric mean {digits(mean)}x, up to {digits(most)}x"
        title = f"DiggerBees over {METHODS[rival]}\n{words}"
        draw_ratios(axes, edges, DIGGERBEES, faster, "times as fast", title)
    ends = [end for axes in below for end in axes.get_ylim()]
    for axes in below:
        axes.set_ylim(min(ends), max(ends))
        plotting.write_numbers(axes.yaxis)
    plotting.legend(figure)
    words = f"{len(edges)} graphs; {MTEPS_ARE}; over NVG-DFS the times of the tree alone"
    return plotting.footnote(figure, f"{words}; {plotting.report_of(plotting.drawn_rows(table))}")


def gpus_of(results):
    """Returns {GPU: {method: {graph: row}}} for the GPUs that ran the GPU methods, those with most rows first."""
    names = [results.gpu, *(name for name in results.others if kind_of(name) == "GPU")]
    has = f"needs records of two GPUs, and has those of {names[0] or 'none'}"
    plotting.require(len(names) > 1, f"{has}; copy the folder of another GPU's records beside theirs")
    found = {}
    for name in names:
        with suppress(plotting.NothingToDraw):
            found[name] = plotting.rows_of_methods(results.of_device(name), ON_GPU, MTEPS)
    return dict(sorted(found.items(), key=lambda one: -len(plotting.drawn_rows(one[1]))))


def compare_gpus(fast, slow):
    """Returns {method: {graph: speedup}} from the rows of two GPUs."""
    both = {name: (fast[name], slow[name]) for name in ON_GPU if name in fast and name in slow}
    found = {
        name: {graph: times for graph, row in rows.items() if (times := comparison.faster(row, others.get(graph)))}
        for name, (rows, others) in both.items()
    }
    return {name: ratios for name, ratios in found.items() if ratios}


def two_gpus(results):
    """Returns {GPU: its rows} for two GPUs, the slower one first, and their ratios."""
    found = gpus_of(results)
    plotting.require(len(found) > 1, f"only one GPU ran {', '.join(ON_GPU)}")
    pair = list(found)[:2]
    for slow, fast in (pair, pair[::-1]):
        ratios = compare_gpus(found[fast], found[slow])
        plotting.require(ratios, f"{slow} and {fast} have no graph and method of {', '.join(ON_GPU)} in common")
        if over_graphs(ratio for faster in ratios.values() for ratio in faster.values()) >= 1:
            break
    return {slow: found[slow], fast: found[fast]}, ratios


def draw_trend(axes, edges, values, **style):
    """Draws the least-squares line through the points on logarithmic scales."""
    x, y = np.log10([edges[graph] for graph in values]), np.log10(list(values.values()))
    if len(set(x)) < 2:
        return
    slope, height = np.polyfit(x, y, 1)
    ends = np.array([x.min(), x.max()])
    axes.plot(10**ends, 10 ** (slope * ends + height), linewidth=1, **style)


def scalability(results):
    """Figure 7: how the GPU's DFS methods scale from one GPU to a larger one, on the graphs of both."""
    found, shown = two_gpus(results)
    edges = {graph: size for table in found.values() for graph, size in plotting.edges_of(table).items()}
    small, large = found
    figure, (top, *below) = one_above(len(shown))
    for variant in shown:
        color = plotting.METHOD_COLORS[variant]
        hollow = {"facecolors": "none", "edgecolors": color, "linewidths": 0.8, "color": None}
        for gpu, looks, dashes in ((small, hollow, "--"), (large, {}, "-")):
            values = mteps({graph: found[gpu][variant][graph] for graph in shown[variant]})
            plotting.scatter(top, edges, values, variant, label=f"{METHODS[variant]}, {gpu}", **looks)
            draw_trend(top, edges, values, color=color, linestyle=dashes)
    plotting.log_scales(top, "MTEPS")
    for axes, (variant, faster) in zip(below, shown.items()):
        mean = over_graphs(faster.values())
        title = f"{METHODS[variant]}: geometric mean {digits(mean)}x"
        draw_ratios(axes, edges, variant, faster, f"{large} over\n{small}", title)
        axes.axhline(mean, color=plotting.METHOD_COLORS[variant], linewidth=1, linestyle="--")
    plotting.legend(figure)
    words = f"lines: fits on logarithmic scales, dashed for {small}; {MTEPS_ARE}"
    drawn = [row for table in found.values() for name in shown for row in table[name].values()]
    return plotting.footnote(figure, f"{words}; {plotting.places(drawn)}")


# ---- figures 6 and 8: bars ----

RIVAL_BFS = {"bfs": [bfs("gunrock"), bfs("berrybees")]}  # the better of the two on each graph
BFS_NAMES = {"gunrock": "Gunrock", "berrybees": "BerryBees"}
TITLES = METHODS | {"bfs": "the better BFS"}
MEANINGS = {
    "v1": "v1: one block, one-level stack",
    "v2": "v2: one block, two levels",
    "v3": "v3: half the SMs, stealing",
    "v4": "v4: a block per SM",
}
UNLIKE_THE_PAPER = "unlike the paper's code: a step reads 32 neighbours at once; push and pop are one atomic each"


def speeds_on(graphs_of, results, methods, needs):
    """Returns {method: {graph: row}}, and {graph: label} of the graphs of a list."""
    table = plotting.rows_of_methods(results, methods, MTEPS, needs=needs)
    return table, plotting.papers_graphs(graphs_of, plotting.edges_of(table))


def bars_of_speeds(table, graphs, titles, note):
    named = {titles[name]: rows for name, rows in table.items()}
    colors = {titles[name]: plotting.METHOD_COLORS[name] for name in table}
    return plotting.bars_of_methods(named, MTEPS, graphs, "MTEPS", f"{note}; {MTEPS_ARE}; ", colors=colors)


def representative(results):
    """Figure 6: the DFS methods and the better BFS of Gunrock and BerryBees, on representative graphs."""
    methods = {**ON_CPU, "nvg": ON_GPU["nvg"], **RIVAL_BFS, "v4": paper.V4}
    table, graphs = speeds_on(REPRESENTATIVE, results, methods, [DIGGERBEES])
    best = {name: [] for name in BFS_NAMES.values()}
    for graph, label in graphs.items():
        if row := table.get("bfs", {}).get(graph):
            best[BFS_NAMES[row["variant"]]].append(label.split("\n")[0])
    few, most = sorted(best, key=lambda name: len(best[name]))
    words = f"the better BFS is {most}'s" + (f", on {', '.join(best[few])} {few}'s" if best[few] else "")
    absent = [TITLES[name] for name in methods if not table.get(name, {}).keys() & graphs.keys()]
    words += f"; not measured on these graphs: {', '.join(absent)}" if absent else ""
    return bars_of_speeds(table, graphs, TITLES, words)


def versions(results):
    """Figure 8: what each version adds, from one block to the whole GPU."""
    methods = {"v1": paper.V1, "v2": paper.V2, "v3": paper.V3, "v4": paper.V4}
    table, graphs = speeds_on(SIX, results, methods, methods)
    steps = []
    for before, after in zip(methods, list(methods)[1:]):
        with suppress(MissingError):
            found = speedup(results, methods[after], over=methods[before]).numbers
            faster = [times for key, times in found.items() if key.graph in graphs]
            steps.append(f"{before} to {after}: {digits(over_graphs(faster))}x")
    return bars_of_speeds(table, graphs, MEANINGS, f"geometric means, {', '.join(steps)}; {UNLIKE_THE_PAPER}")


POLICY_NAMES = dict(zip(POLICIES, ("Baseline", "DiggerBees")))
POLICY_COLORS = dict(zip(POLICIES, ("#999999", plotting.METHOD_COLORS["v4"])))
PANELS = 2  # side by side, in figures 9 and 10


def draw_violin(axes, place, trials, color):
    """Draws the means over the trials of the tasks of the first, second, ... block. Returns their variation."""
    sorted_trials = [sorted(trial) for trial in trials if sum(trial) >= len(trial)]
    even = [[tasks / statistics.fmean(trial) for tasks in trial] for trial in sorted_trials]
    shares = [statistics.fmean(shares) for shares in zip(*even)]
    if not shares:
        return ""
    (body,) = axes.violinplot([shares], [place], widths=0.8, showextrema=False)["bodies"]
    body.set(facecolor=color, alpha=0.75)
    marks = [min(shares), statistics.median(shares), max(shares)]
    axes.plot([place, place], [marks[0], marks[2]], color="black", linewidth=0.8)
    axes.plot([place] * 3, marks, "_", color="black", markersize=5)
    return f"\nVar. {digits(variation(trials))}"


def balance(results):
    """Figure 9: how evenly blocks share the tasks, victims chosen at random or by their load.

    Tasks are relative to the mean of their trial, so 1 is an even share. Blocks are in the order of their tasks; each
    value is the mean over the trials. Marks are the minimum, the median and the maximum; Var. is the coefficient of
    variation, as in the report."""
    paths = [path for path in sorted(results.folder.rglob(TASKS)) if path.parent.parent.name == results.gpu]
    plotting.require(paths, f"no tasks of a GPU's blocks in {results.folder}; run_balance counts them")
    found = {graph_of_tasks(path): read_tasks(path) for path in paths}
    graphs = {label: found[graph] for graph, label in plotting.papers_graphs(SIX, found).items()}
    figure, panels = plotting.panels(graphs, PANELS, 1.8, "", "tasks of a block / their mean")
    for axes, policies in zip(panels.flat, graphs.values()):
        labels = []
        for place, (policy, trials) in enumerate(policies.items()):
            labels.append(POLICY_NAMES[policy] + draw_violin(axes, place, trials, POLICY_COLORS[policy]))
        axes.set_xticks(range(len(labels)), labels)
        axes.set(xlim=(-0.6, len(labels) - 0.4), ylim=(0, None))
        axes.tick_params(axis="x", length=0)
    blocks = {len(trial) for policies in graphs.values() for trials in policies.values() for trial in trials}
    many = " or ".join(map(str, sorted(blocks)))
    return plotting.measured_on(figure, results, f"{many} blocks; ", "; marks: minimum, median, maximum")


def relative_speeds(results):
    """Returns {graph: {(hot, cold): speed relative to the paper's cutoffs}}, and the rows."""
    graphs, usual = {}, paper.cutoffs(*paper.PAPERS_CUTOFFS)
    for pair in itertools.product((16, 32, 64), (32, 64, 128)):
        with suppress(MissingError):
            found = speedup(results, paper.cutoffs(*pair), over=usual, below=paper.SENSITIVITY)
            for key, faster in found.numbers.items():
                graphs.setdefault(key.graph, {})[pair] = faster
    return {graph: speeds for graph, speeds in graphs.items() if len(speeds) > 1}


def draw_map(axes, speeds, furthest):
    """Draws speeds, a row per cold_cutoff, in colours from 1 - furthest to 1 + furthest. Returns the colours."""
    x, y = (np.arange(-0.5, number) for number in (len(speeds.columns), len(speeds)))
    few = plotting.plt.get_cmap("PuOr", 11)  # with more colours, SVG would hold an image
    colors = axes.pcolormesh(x, y, speeds, cmap=few, vmin=1 - furthest, vmax=1 + furthest)
    for (row, column), speed in np.ndenumerate(speeds):
        words = "not run" if np.isnan(speed) else digits(speed)
        color = "white" if abs(speed - 1) > 0.6 * furthest else "black"
        axes.text(column, row, words, ha="center", va="center", color=color)
    axes.set_xticks(range(len(speeds.columns)), speeds.columns)
    axes.set_yticks(range(len(speeds)), speeds.index)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    return colors


def other_cutoffs(results):
    """Figure 10: speed under other cutoffs, relative to the paper's, 32 and 64."""
    found = relative_speeds(results)
    plotting.require(found, f"no graph in {results.folder} with the cutoffs 32 and 64 and others")
    labels = plotting.papers_graphs(SIX, found)
    speeds = pd.DataFrame({label: found[graph] for graph, label in labels.items()})
    if len(speeds.columns) > 1:
        speeds["geometric mean"] = speeds.dropna().apply(over_graphs, axis="columns")
    figure, panels = plotting.panels(speeds.columns, PANELS, 1.3, "hot_cutoff", "cold_cutoff")
    furthest = (speeds - 1).abs().max(axis=None)
    for axes, (_, known) in zip(panels.flat, speeds.items()):
        colors = draw_map(axes, known.unstack(level=0), furthest)
    figure.colorbar(colors, ax=panels, label="speed / speed of cutoffs 32 and 64", location="top", aspect=40)
    usual = {DIGGERBEES: paper.cutoffs(*paper.PAPERS_CUTOFFS)}
    rows = plotting.drawn_rows(plotting.rows_of_methods(results, usual, below=paper.SENSITIVITY), labels)
    return plotting.footnote(figure, f"by the mean time of a search; {plotting.report_of(rows)}")


IN_ORDER = (methods_compared, representative, scalability, versions, balance, other_cutoffs)
FIGURES = {str(number): function for number, function in enumerate(IN_ORDER, 5)}
