"""blest.py: makes the tables and figures of Blest's evaluation from records and traces of its variants.

A table is a header and rows of values, with None where nothing was measured. Times are mean_time_ms. Tables and
figures have the numbers of the paper (Elbek and Kaya 2026).
"""

from evaluation.comparison import faster, search_ms, size_of
from evaluation.graphs import Key
from evaluation.methods import Method
from evaluation.records import facts_of, read_traces, settings_of
from evaluation.text_tables import with_means

import pandas as pd

NATURAL, RCM, JACCARD = "natural", "rcm", "jaccard:65536"  # orders of --reorder, as records name them
# Variants of bfs; the ablation's with the paper's names.
BERRYBEES, AB, ABC, ABCD, FULL = "berrybees", "blest-ab", "blest-abc", "blest-abcd", "blest"
ABLATION = {"blest-a": "(A)", AB: "(AB)", ABC: "(ABC)", ABCD: "(ABCD)", FULL: "(Full)"}
TENSOR = "tensor"  # cores, by the option unit
REORDERED = (ABC, ABCD, FULL)  # they choose between RCM and JACCARD
NOT_APPLICABLE = "N/A"

# Sizes of a BVSS (kernels/graph/bvss.h): columns of a slice set, slices of a lane and of a VSS, bytes of a slice,
# of an index and of an index of tiles.
SIGMA, THETA, TAU, SLICE_BYTES, INDEX_BYTES, TILE_INDEX_BYTES = 8, 4, 128, 5, 4, 8
NARROW_EDGES = 2**32 - 2**16  # below so many an offset has 4 bytes, not 8 (kernels/backend/backend.h)


def bvss_of(row):
    """The facts of a row of `bfs blest...`, or None. num_tiles: tiles of THETA slices that are stored; absent where
    whole VSSs are. authors_divergence: as the authors' code computes it; absent from older records."""
    facts = facts_of(row)  # with an engine of auto, with kappa of many sources
    return facts if "update_divergence" in facts and not facts.keys() & {"engine", "kappa"} else None


def applies(row):
    """Whether the step that the row's variant adds is used on this graph (section 7.1)."""
    known = bvss_of(row)
    if not known or row["variant"] not in (ABCD, FULL):
        return True
    return known.get("updates") == "lazy" if row["variant"] == ABCD else known.get("switching") == 1


def order_of(options):
    """The order of the vertices, as --reorder names it."""
    return settings_of(options).get("reorder", NATURAL)


def method_of(name, order=None):
    """The Method of a step (A to Full) or of a rival, in a named order or in the one that it chooses for a graph."""
    variant = {title.strip("()"): variant for variant, title in ABLATION.items()}.get(name, name.lower())
    title = f"blest:{name},reorder={order}" if order else f"blest:{name}"
    if variant in REORDERED and not order:
        return Method("blest", variant, title=title)
    return variant_of(variant, order or NATURAL)._replace(title=title)


def variant_of(variant, order=None):
    """The Method of a variant of bfs, in an order or in its own. A step on CUDA cores would be another program."""
    options = {"unit": TENSOR} if variant in (AB, *REORDERED) else {}
    options |= {} if order is None else {"reorder": order}
    return Method("bfs", variant, tuple(options.items()), of_campaign=True)


def rows_in_own_order(results, variants):
    """{variant: {graph: row}} of variants of bfs, each in the order that it chooses for the graph."""
    found = results.rows_of_each({variant: variant_of(variant) for variant in variants})
    table = {}
    for variant in variants:
        rows = found.get(variant, {}).items()
        own = ((graph, row) for graph, row in rows if order_of(row["options"]) == results.own_order(variant, graph))
        table[variant] = dict(own)
    return table


def rows_of_step(results, variant):
    """[(Key, row)] of a step that reorders, in the order that Blest chooses for each graph. A step that does not
    apply to a graph has the row of the step before it."""
    rows = rows_in_own_order(results, REORDERED)

    def row_on(graph, step):
        row = rows[REORDERED[step]].get(graph)
        return row if applies(row) else row_on(graph, step - 1)

    step = REORDERED.index(variant)
    found = ((graph, row_on(graph, step)) for graph in rows[variant] if graph in results.own_orders)
    return [(Key(graph), row) for graph, row in found if row]


# ---- tables ----


def ablation(results):
    """Table 4. If a step is not applicable to a graph, its speedup is that of the step before."""
    rows, lines = rows_in_own_order(results, (BERRYBEES, *ABLATION)), []
    speedups = {variant: [] for variant in rows}
    for graph, full in rows[FULL].items():
        last, cells = None, []
        for variant, known in rows.items():
            row = known.get(graph)
            last = row if applies(row) else last
            cells.append(NOT_APPLICABLE if not applies(row) else row and search_ms(row))
            speedups[variant] += filter(None, [faster(last, rows[BERRYBEES].get(graph))])
        depth = full["mean_tree_depth"]
        lines.append([graph, float(depth) if depth else None, *cells])
    speedups = {ABLATION.get(variant, variant): known for variant, known in speedups.items()}
    return with_means(["graph", "depth", *speedups], lines, speedups)


def preprocessing(results):
    """Table 7, in ms."""
    times = ("load_ms", "reorder_ms", "build_ms")
    rows = [
        [graph, order_of(row["options"]).partition(":")[0], *(float(row[name]) for name in times)]
        for graph, row in rows_in_own_order(results, [FULL])[FULL].items()
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


def memory(results):
    """Table 8 for a single source, in MB. rest: frontiers, queues, levels; preparing: the peak during preparation."""
    rows = []
    for graph, row in rows_in_own_order(results, [FULL])[FULL].items():
        known = bvss_of(row)
        if not known:
            continue
        n, m = size_of(row)
        bvss = bvss_bytes(known["num_vss"], known.get("num_tiles"), n)
        csr = (n + 1) * (4 if m < NARROW_EDGES else 8) + m * 4 if known.get("switching") == 1 else 0
        total, peak = (float(row[name]) for name in ("device_bytes", "peak_device_bytes"))
        figures = [value / 1e6 for value in (bvss, total - bvss - csr, total, peak)]
        rows.append([graph, csr / 1e6 if csr else NOT_APPLICABLE, *figures])
    return ["graph", "CSR", "BVSS", "rest", "total", "preparing"], rows


# ---- figure 4: windows ----


def windows(results):
    """{graph: {W: row}} of Blest without switching in the order JaccardWithWindows with windows of W."""
    orders = {order_of(options) for options in results.rows[results.rows.variant == ABCD].options}
    widths = sorted(int(order.partition(":")[2]) for order in orders if order.startswith("jaccard:"))
    methods = {width: variant_of(ABCD, f"jaccard:{width}") for width in widths}
    found = {}
    for width, rows in results.rows_of_each(methods).items():
        for graph, row in rows.items():
            found.setdefault(graph, {})[width] = row
    return found


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
