"""figures_ibfs.py: figures of the thesis on IBFS (chapter 5): path lengths between pairs of vertices."""

import json
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from statistics import median

import plotting
from evaluation.analyses.msbfs import DAWN, SCHEMES, WEBGPU, Measured
from evaluation.command import EvaluationError
from evaluation.records import BEST, PAPER

import pandas as pd

PANELS = 2  # beside each other
WORKGROUP, COALESCED, BOTTOM_UP = SCHEMES
SINGLE = "bfs auto"  # one search after the other; the thesis has Belewitte's BFS there
# What the thesis calls a search; its colour and marker.
SEARCHES = {
    WORKGROUP: ("Workgroups", "#E69F00", "s"),
    COALESCED: ("Coalesced", "#56B4E9", "^"),
    BOTTOM_UP: ("Bottom-up", "#0072B2", "v"),
    WEBGPU[-1]: ("WebGPU (wgpu)", "#D55E00", "3"),
    WEBGPU[-1] + DAWN: ("WebGPU (Dawn)", "#F0E442", "4"),
    "Chromium": ("Chromium", "#009E73", "D"),
    "Firefox": ("Firefox", "#CC79A7", "P"),
    "msbfs pbfs": ("MS-PBFS (CPU)", "#999999", "x"),
    SINGLE: (f"{SINGLE}, for each pair", "#8B4513", "*"),
}


def normalised_to_fastest(times):
    """How many times slower each time of a DataFrame is than the fastest of its row."""
    return times.div(times.min(axis="columns"), axis="index")


def bars_over_sizes(axes, times):
    colors = {name: SEARCHES[name][1] for name in times}
    titles = {name: SEARCHES[name][0] for name in times}
    colors = {titles[name]: color for name, color in colors.items()}
    plotting.bar_groups(axes, normalised_to_fastest(times).rename(columns=titles), colors, start=1)
    axes.set_xticks(range(len(times)), map(plotting.in_short, times.index), rotation=90)
    axes.set(yscale="log", ylim=(1 / 1.05, None))  # the fastest are seen as lines


def lines_over_sizes(axes, times):
    for name, ms in times.items():
        title, color, marker = SEARCHES[name]
        axes.plot(ms.dropna(), color=color, marker=marker, label=title)
    axes.set(xscale="log", yscale="log")
    least, most = times.index.min(), times.index.max()
    shown = [size for size in (1, 100, 10_000) if least <= size <= most]
    axes.set_xticks(shown if len(shown) > 1 else [least, most], minor=False)
    axes.xaxis.set_major_formatter(plotting.in_short)
    axes.set_xticks([], minor=True)


@cache
def measured_in(results, mode):
    return Measured(results.with_mode(mode), "pairs")


def path_lengths(names, ylabel, results, draw=lines_over_sizes, browsers=None):
    """Whole calls for path lengths, which the thesis times, over the number of pairs.

    A panel a scale factor on which two of the searches ran. draw: draws a DataFrame of ms, with a row for
    each number of pairs and a column for each search. browsers: more such columns, and their adapters; then
    the others are as in the page, with the best settings."""
    results.need_gpu()
    measured = measured_in(results, BEST if browsers else PAPER)
    times, adapters = measured.times(names, "whole_ms"), ""
    if browsers:
        times, names, adapters = times.join(browsers[0], how="outer"), (*names, *browsers[0]), f"; {browsers[1]}"
    by_graph = times.dropna(how="all").groupby(level="graph", sort=False)
    table = {graph: ms.droplevel("graph") for graph, ms in by_graph if ms.count(axis="columns").max() > 1}
    table = {graph: table[graph] for graph in plotting.papers_graphs("snb_list", table)}
    shown = [name for name in names if any(ms[name].notna().any() for ms in table.values())]
    some = ", ".join(SEARCHES[name][0] for name in names)
    plotting.require(len(shown) > 1, f"no path lengths by two of {some} in {results.folder}")
    titles = [graph.replace("snb:", "SF ") for graph in table]
    figure, panels = plotting.panels(titles, PANELS, 1.6, "pairs", ylabel)
    for axes, sizes in zip(panels.flat, table.values()):
        draw(axes, sizes[shown])
        plotting.write_numbers(axes.yaxis)
    plotting.legend(figure)
    rows = measured.rows[measured.rows.name.isin(shown) & measured.rows.graph.isin(table)]
    plotting.footnote(
        figure, f"whole calls; SF n is the generated snb:n; {plotting.places(rows.to_dict('records'))}{adapters}"
    )
    return figure


def titled(title, drawn):
    drawn.__doc__ = title
    return drawn


def of_thesis(title, names, ylabel, draw=lines_over_sizes):
    """A function that draws a figure, with the title as its text."""
    return titled(title, partial(path_lengths, names, ylabel, draw=draw))


# ---- in browsers (section 5.5) ----

BROWSERS = {"Firefox": "Firefox/", "Chromium": "Chrome/"}  # and how each names itself
WORKERS = {"submit": "#E69F00", "wait": "#999999", "GPU": "#0072B2"}


def reports_in(folder, browser):
    """What a browser reported of GPUs (scripts/browser.py), the newest last."""
    try:
        read = [json.loads(path.read_text()) for path in sorted(Path(folder).rglob("browser/*.json"))]
    except ValueError as error:
        raise EvaluationError(f"{folder}: a file in browser/ is not what the page made: {error}") from error
    read = [report for report in read if not report["adapter"]["isSoftware"]]
    plotting.require(read, "no browser's results of a GPU; scripts/browser.py measures them")
    read = [report for report in read if BROWSERS[browser] in report["browser"]]
    plotting.require(read, f"no results of {browser} on a GPU")
    return sorted(read, key=lambda report: report["date"])


def first_graph(folder, browser):
    """The rows of the first scale factor in what a browser reported last, and a note on where that was."""
    report = reports_in(folder, browser)[-1]
    rows = [row for row in report["rows"] if row["graph"] == report["rows"][0]["graph"]]
    where = f"{browser}, adapter {report['adapter']['name']}, in the records {Path(folder).resolve().name}"
    return rows, f"{rows[0]['graph']}; {where}; {report['date'][:10]}"


def tests_and_benchmarks(results, browser="Chromium"):
    """Figure 5.11: what the page tells of the first scale factor."""
    rows, note = first_graph(results.folder, browser)
    wrong = [f"{row['wrong']} wrong of {row['checked']:,}" if "wrong" in row else "not run" for row in rows]
    times = [f"{median(row['wholeMs']):.1f} ms" if "wholeMs" in row else "not run" for row in rows]
    cells = [[f"{row['pairs']:,}", *others] for row, *others in zip(rows, wrong, times)]
    figure, axes = plotting.subplots(plotting.INCHES_PER_ROW * (len(cells) + 2))
    axes.axis("off")
    axes.table(cells, colLabels=["pairs", "test", "benchmark"], edges="horizontal", bbox=(0, 0, 1, 1))
    plotting.footnote(figure, note)
    return figure


def timeline(browser, results):
    """A search of the most pairs on the first scale factor: who worked when."""
    rows, note = first_graph(results.folder, browser)
    row = max(rows, key=lambda row: row["pairs"])
    spans, clock = row["first"]["spans"], row["first"]["gpuMs"] or []
    zero = spans[0][1]  # start of the GPU's clock: its first work is drawn where it was submitted
    ends = {
        "submit": [(begin, made) for begin, made, _ in spans],
        "wait": [(made, end) for _, made, end in spans],
        "GPU": [(zero + begin, zero + end) for begin, end in zip(clock[::2], clock[1::2])],
    }
    figure, axes = plotting.subplots(1.4)
    for place, (name, bars) in enumerate(ends.items()):
        axes.broken_barh([(begin, end - begin) for begin, end in bars], (place - 0.4, 0.8), color=WORKERS[name])
    axes.set(xlabel="ms", yticks=range(len(ends)), yticklabels=ends, ylim=(len(ends) - 0.5, -0.5))
    plotting.footnote(figure, f"{row['pairs']:,} pairs, {note}")
    return figure


def in_browsers(results):
    """Figure 5.14: WebGPU natively and in browsers, with the same settings."""
    times, adapters = {}, set()
    for browser in BROWSERS:
        with suppress(plotting.NothingToDraw):
            for report in reports_in(results.folder, browser):
                adapters.add(f"{browser}: {report['adapter']['name']}")
                rows = [row for row in report["rows"] if "wholeMs" in row]
                times |= {(row["graph"], row["pairs"], browser): median(row["wholeMs"]) for row in rows}
    plotting.require(times, "no browser's benchmarks on a GPU; scripts/browser.py measures them")
    columns = pd.Series(times).rename_axis(["graph", "size", None]).unstack()
    return path_lengths(WEBGPU[-1:], OVER, results, bars_over_sizes, (columns, ", ".join(sorted(adapters))))


OVER, BY_CPU = "times the fastest", "msbfs pbfs"
FIGURES = {
    "ibfs_5_1": of_thesis("Figure 5.1: the schemes over the fastest", SCHEMES, OVER, bars_over_sizes),
    "ibfs_5_4": of_thesis("Figure 5.4: the schemes on one queue", (COALESCED, BOTTOM_UP), "ms"),
    "ibfs_5_7": of_thesis(
        "Figure 5.7: CUDA and WebGPU", (BOTTOM_UP, WEBGPU[-1], WEBGPU[-1] + DAWN), OVER, bars_over_sizes
    ),
    "ibfs_5_11": tests_and_benchmarks,
    "ibfs_5_12": titled("Figure 5.12: a search in Firefox", partial(timeline, "Firefox")),
    "ibfs_5_13": titled("Figure 5.13: a search in Chromium", partial(timeline, "Chromium")),
    "ibfs_5_14": in_browsers,
    "ibfs_5_16": of_thesis("Figure 5.16: the GPU and the CPU", (BY_CPU, BOTTOM_UP), "ms"),
    "ibfs_5_17": of_thesis(
        "Figure 5.17: many searches at once, and one after the other", (SINGLE, WORKGROUP, BOTTOM_UP), "ms"
    ),
}
