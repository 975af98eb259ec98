"""figures_ibfs.py: figures of the thesis on IBFS (chapter 5): path lengths between pairs of vertices."""

import json
from functools import partial
from pathlib import Path
from statistics import median

import plotting
from evaluation.analyses.msbfs import DAWN, SCHEMES, WEBGPU, measured_in
from evaluation.command import EvaluationError
from evaluation.records import BEST, PAPER

import pandas as pd

PANELS = 2  # side by side
WORKGROUP, COALESCED, BOTTOM_UP = SCHEMES
SINGLE = "bfs auto"  # one search after another; the thesis uses Belewitte's BFS for this
LEAST_SHARE = 0.5  # a panel needs this share of measured cells; the footnote names the other scale factors
# The thesis's name for each search, its colour and its marker.
SEARCHES = {
    WORKGROUP: ("Workgroups", "#E69F00", "s"),
    COALESCED: ("Coalesced", "#56B4E9", "^"),
    BOTTOM_UP: ("Bottom-up", "#0072B2", "v"),
    WEBGPU[-1]: ("WebGPU (wgpu)", "#D55E00", "3"),
    WEBGPU[-1] + DAWN: ("WebGPU (Dawn)", "#F0E442", "4"),
    "Chromium": ("Chromium", "#009E73", "D"),
    "Firefox": ("Firefox", "#CC79A7", "P"),
    "msbfs pbfs": ("MS-PBFS (CPU)", "#999999", "x"),
    SINGLE: ("a pair at a time (bfs auto, not Belewitte's BFS)", "#8B4513", "*"),
}


def bars_over_sizes(axes, times, titles):
    """Draws the time of each search relative to the fastest, whose bar has the height 1."""
    colors = {titles[name]: SEARCHES[name][1] for name in times}
    times = times.div(times.min(axis="columns"), axis="index")
    plotting.bar_groups(axes, times.rename(columns=titles), colors)
    axes.set_xticks(range(len(times)), map(plotting.in_short, times.index), rotation=90)
    axes.axhline(1, color="black", linewidth=0.6)


def lines_over_sizes(axes, times, titles):
    """Draws a line for each search. A ring marks a line that ends before the others."""
    for name, ms in times.items():
        _, color, marker = SEARCHES[name]
        known = ms.dropna()
        axes.plot(known, color=color, marker=marker, label=titles[name])
        if len(known) and known.index[-1] < times.dropna(how="all").index[-1]:
            looks = {"color": "black", "marker": "o", "fillstyle": "none", "markersize": 7, "linestyle": ""}
            axes.plot(known[-1:], label="more pairs not measured", **looks)
    axes.set(xscale="log", yscale="log")
    shown = [size for size in (1, 100, 10_000) if times.index[0] <= size <= times.index[-1]]
    axes.set_xticks(shown if len(shown) > 1 else times.index[[0, -1]], minor=False)
    axes.xaxis.set_major_formatter(plotting.in_short)
    axes.set_xticks([], minor=True)
    plotting.write_numbers(axes.yaxis)


def panels_of(times):
    """Returns {graph: a DataFrame with a row per number of pairs and a column per search}, and the graphs left out,
    which have fewer than two searches or LEAST_SHARE of a panel's cells."""
    found = {graph: ms.droplevel("graph") for graph, ms in times.groupby(level="graph", sort=False)}
    found = {graph: found[graph] for graph in plotting.papers_graphs("snb_list", found)}
    drawn = {
        graph: ms
        for graph, ms in found.items()
        if ms.count(axis="columns").max() > 1 and ms.notna().to_numpy().mean() >= LEAST_SHARE
    }
    sizes = sorted({size for ms in drawn.values() for size in ms.index})
    return {graph: ms.reindex(sizes) for graph, ms in drawn.items()}, [graph for graph in found if graph not in drawn]


def scale_factor(graph):
    return graph.replace("snb:", "SF ")


def path_lengths(names, ylabel, results, draw=lines_over_sizes, titles=(), note="", browsers=None):
    """Draws times of whole calls for path lengths over the number of pairs, with a panel per scale factor.

    draw: draws a DataFrame of ms, with a row for each number of pairs and a column for each search. titles: {name:
    title} of searches that are not in SEARCHES. note: what all searches have in common. browsers: further columns,
    and their adapters; then the other searches have the best settings, as the page does."""
    results.need_gpu()
    measured = measured_in(results.with_mode(BEST if browsers else PAPER), "pairs")
    times = measured.times(names, "whole_ms")
    if browsers:
        times, names, note = times.join(browsers[0], how="outer"), (*names, *browsers[0]), f"{note}; {browsers[1]}"
    titles = {**{name: SEARCHES[name][0] for name in names}, **dict(titles)}
    table, left_out = panels_of(times.dropna(how="all"))
    shown = [name for name in names if any(ms[name].notna().any() for ms in table.values())]
    plotting.require(len(shown) > 1, f"no path lengths by two of {', '.join(titles.values())} in {results.folder}")
    figure, panels = plotting.panels(list(map(scale_factor, table)), PANELS, 1.6, "pairs", ylabel)
    for axes, sizes in zip(panels.flat, table.values()):
        draw(axes, sizes[shown], titles)
    plotting.legend(figure)
    rows = measured.rows[measured.rows.name.isin(shown) & measured.rows.graph.isin(table)]
    absent = f"too few measured on {', '.join(map(scale_factor, left_out))}" if left_out else ""
    words = (note, "whole calls", "SF n is the generated snb:n", absent, plotting.places(rows.to_dict("records")))
    return plotting.footnote(figure, "; ".join(filter(None, words)))


def titled(title, drawn):
    drawn.__doc__ = title
    return drawn


def of_thesis(title, names, ylabel, draw=lines_over_sizes, **words):
    """Returns a function that draws a figure and has the title as its docstring."""
    return titled(title, partial(path_lengths, names, ylabel, draw=draw, **words))


# ---- in browsers (section 5.5) ----

BROWSERS = {"Firefox": "Firefox/", "Chromium": "Chrome/"}  # how each begins its name in the results
PAGE_SEARCH = ("bottomup", 8, None)  # the page's usual scheme, iterations per read-back and file of pairs
NOT_RUN = "not run"
WORKERS = {"submit": "#E69F00", "wait": "#999999", "GPU": "#0072B2"}


def reports_in(folder, browser):
    """Reads a browser's results on GPUs (scripts/browser.py), the newest last. Also returns the last day on which any
    browser was measured."""
    try:
        read = [json.loads(path.read_text()) for path in sorted(Path(folder).rglob("browser/*.json"))]
    except ValueError as error:
        raise EvaluationError(f"{folder}: a file in browser/ is not what the page made: {error}") from error
    read = [report for report in read if not report["adapter"]["isSoftware"]]
    plotting.require(read, "no browser's results of a GPU; scripts/browser.py measures them")
    newest = max(report["date"] for report in read)[:10]
    read = [report for report in read if BROWSERS[browser] in report["browser"]]
    return sorted(read, key=lambda report: report["date"]), newest


def search_of(row):
    """Returns the scheme, the iterations per read-back and the file of pairs of a row."""
    return tuple(map(row.get, ("scheme", "iterations", "pairsFile"), PAGE_SEARCH))


def first_graph(report, browser, folder):
    """Returns the rows of the first scale factor in a browser's results, and a note on their origin."""
    first = report["rows"][0]
    rows = [row for row in report["rows"] if row["graph"] == first["graph"] and search_of(row) == search_of(first)]
    where = f"{browser}, adapter {report['adapter']['name']}, in the records {Path(folder).resolve().name}"
    return rows, f"{rows[0]['graph']}; {where}; {report['date'][:10]}"


def verdict(row):
    """As the thesis writes it, with the seconds of the search: Pass (0.045)."""
    if "checked" not in row:
        return NOT_RUN
    seconds = (row["first"]["uploadMs"] + row["first"]["searchMs"]) / 1000
    found = "Pass" if row["wrong"] == 0 else f"{row['wrong']} wrong"
    return f"{found} ({seconds:.3f})"


def tests_and_benchmarks(results, browser="Chromium"):
    """Figure 5.11: the page's results for the first scale factor."""
    reports, _ = reports_in(results.folder, browser)
    plotting.require(reports, f"no results of {browser} on a GPU")
    rows, note = first_graph(reports[-1], browser, results.folder)
    cells = [
        [
            f"{row['pairs']:,}",
            verdict(row),
            f"{row['checked']:,}" if "checked" in row else NOT_RUN,
            f"{median(row['wholeMs']) / 1000:.3f}" if "wholeMs" in row else NOT_RUN,
        ]
        for row in rows
    ]
    figure, axes = plotting.subplots(plotting.INCHES_PER_ROW * (len(cells) + 2))
    axes.axis("off")
    header = ["pairs", "test, s", "checked", "benchmark, s"]
    table = axes.table(cells, colLabels=header, edges="horizontal", bbox=(0, 0, 1, 1))
    table.auto_set_font_size(value=False)
    return plotting.footnote(figure, f"checked: the pairs that serial searches answer within 5 s; {note}")


def not_run(browser, folder, day):
    """Draws the empty figure of a browser without results."""
    figure, axes = plotting.subplots(1.4)
    axes.text(0.5, 0.5, f"{browser}: {NOT_RUN}", ha="center", va="center", transform=axes.transAxes)
    axes.set(xticks=[], yticks=[])
    where = f"in the records {Path(folder).resolve().name} up to {day}"
    return plotting.footnote(figure, f"no results of {browser} on a GPU {where}")


def timeline(browser, results):
    """Draws when host and GPU worked, in the search for the most pairs on the first scale factor."""
    reports, day = reports_in(results.folder, browser)
    if not reports:
        return not_run(browser, results.folder, day)
    rows, note = first_graph(reports[-1], browser, results.folder)
    row = max(rows, key=lambda row: row["pairs"])
    spans, clock = row["first"]["spans"], row["first"]["gpuMs"] or []
    zero = spans[0][1]  # the GPU's clock starts here: its first work is drawn at the time of its submission
    ends = {
        "submit": [(begin, made) for begin, made, _ in spans],
        "wait": [(made, end) for _, made, end in spans],
        "GPU": [(zero + begin, zero + end) for begin, end in zip(clock[::2], clock[1::2])],
    }
    figure, axes = plotting.subplots(1.4)
    for place, (name, bars) in enumerate(ends.items()):
        axes.broken_barh([(begin, end - begin) for begin, end in bars], (place - 0.4, 0.8), color=WORKERS[name])
    axes.set(xlabel="ms", yticks=range(len(ends)), yticklabels=ends, ylim=(len(ends) - 0.5, -0.5))
    return plotting.footnote(figure, f"{row['pairs']:,} pairs, {note}")


def in_browsers(results):
    """Figure 5.14: WebGPU natively and in browsers, with the same settings."""
    times, adapters = {}, []
    for browser in BROWSERS:
        reports, _ = reports_in(results.folder, browser)
        adapters += sorted({f"{browser}: {report['adapter']['name']}" for report in reports}) or [
            f"{browser}: {NOT_RUN}"
        ]
        for report in reports:
            rows = [row for row in report["rows"] if "wholeMs" in row and search_of(row) == PAGE_SEARCH]
            times |= {(row["graph"], row["pairs"], browser): median(row["wholeMs"]) for row in rows}
    plotting.require(times, "no browser's benchmarks on a GPU; scripts/browser.py measures them")
    columns = pd.Series(times).rename_axis(["graph", "size", None]).unstack()
    browsers = columns, ", ".join(adapters)
    titles = {WEBGPU[-1]: "native (wgpu)"}
    return path_lengths(WEBGPU[-1:], OVER, results, bars_over_sizes, titles, BY_BOTTOM_UP, browsers)


OVER, BY_CPU = "time / fastest time", "msbfs pbfs"
BY_BOTTOM_UP = "all search bottom-up"
FIGURES = {
    "ibfs_5_1": of_thesis("Figure 5.1: the schemes over the fastest", SCHEMES, OVER, bars_over_sizes),
    "ibfs_5_4": of_thesis("Figure 5.4: the schemes on one queue", (COALESCED, BOTTOM_UP), "ms"),
    "ibfs_5_7": of_thesis(
        "Figure 5.7: CUDA and WebGPU",
        (BOTTOM_UP, WEBGPU[-1], WEBGPU[-1] + DAWN),
        OVER,
        bars_over_sizes,
        titles={BOTTOM_UP: "CUDA"},
        note=BY_BOTTOM_UP,
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
