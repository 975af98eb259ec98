"""blest.py: makes the tables and figures of Blest's evaluation from records and traces of its variants.

A table is a header and rows of values, with None where nothing was measured. Times are mean_time_ms. Tables and
figures have the numbers of the paper (Elbek and Kaya 2026).
"""

from collections import Counter
from typing import NamedTuple, Optional

from evaluation.comparison import by_size, faster, over_graphs, search_ms, size_of
from evaluation.records import facts_of, read_traces, settings_of, with_usual_threads

import pandas as pd

# The orders of --reorder, with their default parameters, as records name them.
ORDERS = {"natural": "natural", "random": "random:27491095", "rcm": "rcm", "jaccard": "jaccard:65536"}
NATURAL, _, RCM, JACCARD = ORDERS.values()
# Variants of bfs; the ablation's with the paper's names.
BERRYBEES, AB, ABC, ABCD, FULL = "berrybees", "blest-ab", "blest-abc", "blest-abcd", "blest"
ABLATION = {"blest-a": "(A)", AB: "(AB)", ABC: "(ABC)", ABCD: "(ABCD)", FULL: "(Full)"}
REORDERED = (ABC, ABCD, FULL)  # they choose between RCM and JACCARD
PROGRAMS = ("gapbs", "gunrock", "gswitch", "blest-authors", "blest-authors-natural")  # listed in dataset/peers.csv
RIVALS = (*PROGRAMS, "gap", "queue", "bitmap", "warp", "dobfs", "khop", "auto", BERRYBEES)
NOT_APPLICABLE = "N/A"

# Sizes of a BVSS (kernels/graph/bvss.h): columns of a slice set, slices of a lane and of a VSS, bytes of a slice,
# of an index and of an index of tiles.
SIGMA, THETA, TAU, SLICE_BYTES, INDEX_BYTES, TILE_INDEX_BYTES = 8, 4, 128, 5, 4, 8
NARROW_EDGES = 2**32 - 2**16  # below so many an offset has 4 bytes, not 8 (kernels/backend/backend.h)

# ---- what a variant reports ----


class Bvss(NamedTuple):
    num_vss: int
    num_tiles: Optional[int]  # tiles of THETA slices that are stored; None: whole VSSs are stored
    compression_ratio: float
    authors_divergence: Optional[int]  # as the authors' code computes it; None in older records
    lazy: bool
    switching: bool


def bvss_of(row) -> Optional[Bvss]:
    """The Bvss that a row of `bfs blest...` reports, or None."""
    facts = facts_of(row)
    if "update_divergence" not in facts or facts.keys() & {"engine", "kappa"}:  # a row of auto, or of many sources
        return None
    return Bvss(
        num_vss=facts["num_vss"],
        num_tiles=facts.get("num_tiles"),
        compression_ratio=facts["compression_ratio"],
        authors_divergence=facts.get("authors_divergence") and round(facts["authors_divergence"]),
        lazy=facts.get("updates") == "lazy",
        switching=facts.get("switching") == 1,
    )


def applies(row):
    """Whether the step that the row's variant adds is used on this graph (section 7.1)."""
    known = bvss_of(row)
    if not known or row["variant"] not in (ABCD, FULL):
        return True
    return known.lazy if row["variant"] == ABCD else known.switching


# ---- records ----


def split_options(options):
    """The order, and the other options as {name: value}."""
    settings = settings_of(options)
    return settings.pop("reorder", NATURAL), settings


def with_usual_options(rows):
    """Keeps the rows that have their variant's most common options and threads; of equally common options the last in
    the alphabet. Older rows lack options that were added later."""
    counts = Counter((row["variant"], row["options"]) for row in rows)
    ranked = sorted(rows, key=lambda row: (counts[row["variant"], row["options"]], row["options"]))
    usual = {row["variant"]: row["options"] for row in ranked}
    return with_usual_threads([row for row in rows if agree(row["options"], usual[row["variant"]])])


def agree(some, others):
    """Whether every option that both texts name has the same value in both."""
    some, others = settings_of(some), settings_of(others)
    return all(some[name] == others[name] for name in some.keys() & others.keys())


class Evaluation:
    """The rows of one GPU and one CPU that have the usual options of their variant."""

    def __init__(self, rows):
        known = []
        for row in rows:
            order, settings = split_options(row["options"])
            if settings.pop("unit", "tensor") == "tensor" and settings.get("trace") != "1":
                known.append({**row, "order": order, "options": " ".join(map("=".join, settings.items()))})
        self.rows = {(row["graph"], row["variant"], row["order"]): row for row in with_usual_options(known)}
        self.graphs = by_size(known)
        self.own_order = {
            graph: order for graph, variant, order in self.rows if variant == ABC and order in (RCM, JACCARD)
        }

    def row(self, graph, variant, order=None):
        """The row of a variant in an order, by default in the variant's own; None: not measured."""
        own = self.own_order.get(graph, NATURAL) if variant in REORDERED else NATURAL
        return self.rows.get((graph, variant, order or own))

    def ms(self, graph, variant, order=None):
        row = self.row(graph, variant, order)
        return search_ms(row) if row else None

    def speedup(self, graph, variant):
        """How many times as fast a variant is as BerryBees; None: one of the two was not measured."""
        return faster(self.row(graph, variant), self.row(graph, BERRYBEES))

    @property
    def full(self):
        """{graph: row of Blest in full}, small graphs first."""
        return {graph: row for graph in self.graphs if (row := self.row(graph, FULL))}


# ---- tables ----


def as_table(frame, *header):
    """Makes a table of a DataFrame. header: the titles of the columns of its index."""
    values = frame.astype(object).where(frame.notna(), None).values.tolist()
    places = frame.index.to_frame().values.tolist()
    return [*header, *frame.columns], [[*place, *line] for place, line in zip(places, values)]


def ratio(above, below):
    return above / below if above and below else None


def with_means(header, rows, columns, speedup):
    """Appends rows with the least, the greatest and the mean speedup of some columns.

    speedup: a function of a row, {column: value}, and a column, which may return None."""
    if not rows:
        return header, rows
    lines = []
    for name, of in (("min", min), ("max", max), ("geometric mean", over_graphs)):
        line = dict.fromkeys(header, None) | {header[0]: f"{name} speedup"}
        for column in columns:
            known = [value for row in rows if (value := speedup(dict(zip(header, row)), column))]
            line[column] = f"{of(known):.2f}x" if known else None
        lines.append(list(line.values()))
    return header, rows + lines


def ablation(evaluation):
    """Table 4. If a step is not applicable to a graph, its speedup is that of the step before."""
    variants, rows = {BERRYBEES: BERRYBEES, **{name: one for one, name in ABLATION.items()}}, []
    steps = list(variants)
    for graph, full in evaluation.full.items():
        times = [
            evaluation.ms(graph, variant) if applies(evaluation.row(graph, variant)) else NOT_APPLICABLE
            for variant in (BERRYBEES, *ABLATION)
        ]
        depth = full["mean_tree_depth"]
        rows.append([graph, float(depth) if depth else None, *times])

    def speedup(row, name):
        *_, last = (step for step in steps[: steps.index(name) + 1] if row[step] != NOT_APPLICABLE)
        return evaluation.speedup(row["graph"], variants[last])

    return with_means(["graph", "depth", *steps], rows, steps, speedup)


def preprocessing(evaluation):
    """Table 7, in ms."""
    times = ("load_ms", "reorder_ms", "build_ms")
    rows = [
        [graph, row["order"].partition(":")[0], *(float(row[name]) for name in times)]
        for graph, row in evaluation.full.items()
        if bvss_of(row)
    ]
    return ["graph", "order", "load ms", "reorder ms", "BVSS ms"], rows


def bvss_bytes(num_vss, num_tiles, vertices):
    """The bytes of a BVSS: the slices and the offsets of slice sets; without padding also each VSS's slice set and
    first tile. num_tiles: None with padding."""
    num_sets = -(-vertices // SIGMA)
    indices = (num_sets + 1) * INDEX_BYTES
    if num_tiles is None:
        return num_vss * TAU * SLICE_BYTES + indices
    of_vss = num_vss * INDEX_BYTES + (num_vss + 1) * TILE_INDEX_BYTES
    return num_tiles * THETA * SLICE_BYTES + indices + of_vss


def memory(evaluation):
    """Table 8 for a single source, in MB. rest: frontiers, queues, levels; preparing: the peak during preparation."""
    rows = []
    for graph, row in evaluation.full.items():
        known = bvss_of(row)
        if not known:
            continue
        n, m = size_of(row)
        bvss = bvss_bytes(known.num_vss, known.num_tiles, n)
        csr = (n + 1) * (4 if m < NARROW_EDGES else 8) + m * 4 if known.switching else 0
        total, peak = (float(row[name]) for name in ("device_bytes", "peak_device_bytes"))
        figures = [value / 1e6 for value in (bvss, total - bvss - csr, total, peak)]
        rows.append([graph, csr / 1e6 if csr else NOT_APPLICABLE, *figures])
    return ["graph", "CSR", "BVSS", "rest", "total", "preparing"], rows


# ---- figure 4: windows ----


def windows(evaluation, graph):
    """{W: row} of Blest without switching on a graph in the order JaccardWithWindows with windows of W."""
    found = {
        int(order.partition(":")[2]): row
        for (name, variant, order), row in evaluation.rows.items()
        if (name, variant) == (graph, ABCD) and order.startswith("jaccard:")
    }
    return dict(sorted(found.items()))


# ---- figure 5: levels ----

TOP_DOWN, BOTTOM_UP = "top-down", "bottom-up"
ALWAYS_BOTTOM_UP = str(2**32 - 1)  # the largest eta, which no queue reaches
RUNS = {"never": TOP_DOWN, "auto": "Blest"}  # by the option switch


def read_trace(path):
    """The levels of a file in traces/ as a DataFrame; run: TOP_DOWN, BOTTOM_UP or "Blest"."""

    def run_of(settings):
        return BOTTOM_UP if settings["eta"] == ALWAYS_BOTTOM_UP else RUNS.get(settings["switch"])

    return read_traces(path, run_of)


def compare(levels):
    """Returns a row for each level of the sources that all three runs have, with columns (run, "mode" or "ms"). The
    run "Optimal" has the faster direction of every level. None: the runs share no source."""
    runs = {run: levels[levels.run == run] for run in (TOP_DOWN, BOTTOM_UP, "Blest")}
    runs = {run: some.set_index(["source", "level"])[["mode", "ms"]] for run, some in runs.items()}
    table = pd.concat(runs, axis="columns")
    table = table[table.notna().all(axis="columns").groupby(level="source").transform("all")]
    if table.empty:
        return None
    top_down, bottom_up = table[TOP_DOWN], table[BOTTOM_UP]
    optimal = top_down.where(top_down.ms <= bottom_up.ms, bottom_up)
    return table.join(pd.concat({"Optimal": optimal}, axis="columns"))


def misclassified(compared):
    """The share of levels on which Blest took the slower direction."""
    return (compared["Blest", "mode"] != compared["Optimal", "mode"]).mean()


def speedup_of_optimal(compared):
    """How many times as fast Optimal is as Blest over all sources."""
    return compared["Blest", "ms"].sum() / compared["Optimal", "ms"].sum()
