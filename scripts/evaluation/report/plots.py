"""plots.py: what the report's page plots for each paper."""

from contextlib import suppress
from functools import partial
from typing import Callable, NamedTuple

from evaluation.analyses import msbfs as many_sources
from evaluation.analyses import xbfs as analysis
from evaluation.claims.blest import BERRYBEES, many_faster
from evaluation.claims.graphs import Facts, Graphs
from evaluation.claims.measures import MTEPS, bfs, blest, dfs, pairs, speedup, value, xbfs
from evaluation.claims.results import MissingError
from evaluation.claims.xbfs import ENTERPRISE
from evaluation.methods import METHODS
from evaluation.report.page import Plot
from evaluation.speedups import over_graphs


class Wanted(NamedTuple):
    title: str
    unit: str
    measure: Callable  # gives the Measure of a series
    series: dict  # {name: method}
    paper: dict = {}  # {name: the paper's mean}


STEPS = {f"({step})": blest(step) for step in ("A", "AB", "ABC", "ABCD", "Full")}
BATCHED = {title: name.split(" ")[1] for name, title in many_sources.ABLATION.items() if title != "(Naive)"}
PARTS = {analysis.AD: "Ad", analysis.WB: "Ad+WB", analysis.FULL: "Ad+WB+Async"}
SCHEMES = ("ibfs-workgroup", "ibfs-coalesced", "ibfs-bottomup", "ibfs-auto", "bitparallel", "auto")
WANTED = {
    "diggerbees": [
        Wanted(
            "Depth-first search, mean MTEPS",
            "",
            partial(value, metric=MTEPS),
            {title: dfs(variant) for variant, title in METHODS.items()},
        )
    ],
    "blest": [
        Wanted("Times faster than BerryBees, part by part", "x", partial(speedup, over=BERRYBEES), STEPS),
        Wanted(
            "256 searches: times faster than naive ones",
            "x",
            many_faster,
            {**BATCHED, "gtrav auto": "auto"},
            {title: many_sources.PAPER_SPEEDUPS[title] for title in BATCHED},
        ),
    ],
    "xbfs": [
        Wanted(
            "Times faster than Enterprise, part by part",
            "x",
            partial(speedup, over=ENTERPRISE),
            {analysis.ABLATION[name]: xbfs(step) for name, step in PARTS.items()},
            {analysis.ABLATION[name]: analysis.PAPER_SPEEDUPS[name] for name in PARTS},
        )
    ],
    "ibfs": [
        Wanted(f"Lengths of {n:,} paths, ms", "ms", value, {name: pairs(name, pairs=n) for name in SCHEMES})
        for n in (1000, 65536)
    ],
    "warpnet": [
        Wanted(
            "BFS, ms",
            "ms",
            partial(value, graphs=Graphs(other_than=("acyclic",))),
            {**{name: bfs(name) for name in ("queue", "bitmap", "warp")}, "gtrav auto": bfs("auto")},
        )
    ],
}


def plots(results, paper):
    """The plots of which at least two series were measured."""
    found = [(wanted, numbers_of(results, wanted)) for wanted in WANTED[paper]]
    drawn = [draw(results, wanted, numbers) for wanted, numbers in found if len(numbers) > 1]
    return [plot for plot in drawn if plot.rows]


def numbers_of(results, wanted):
    """{name: {key: number above zero}} of the series that were measured."""
    found = {}
    for name, method in wanted.series.items():
        with suppress(MissingError):
            numbers = wanted.measure(method)(results).numbers
            found[name] = {key: number for key, number in numbers.items() if number > 0}
    return found


def draw(results, wanted, numbers):
    """Small graphs first; of a graph with a single number there is nothing to compare."""

    def size(key):
        return results.facts.get(key.graph, Facts()).edges, key

    keys = sorted({key for found in numbers.values() for key in found}, key=size)
    rows = {str(key): {name: found[key] for name, found in numbers.items() if key in found} for key in keys}
    rows = {label: values for label, values in rows.items() if len(values) > 1}
    if wanted.unit == "x" and len(rows) > 1:
        rows["geometric mean"] = {name: over_graphs(found.values()) for name, found in numbers.items()}
    paper = {name: mean for name, mean in wanted.paper.items() if name in numbers}
    return Plot(wanted.title, list(numbers), rows, wanted.unit, paper)
