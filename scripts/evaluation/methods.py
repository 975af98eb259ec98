"""methods.py: the methods that DiggerBees's evaluation compares, and which records of a table stand for each."""

from collections import Counter

from evaluation import records

import pandas as pd

TIME, TREE_TIME = "mean_time_ms", "mean_kernel_ms"  # of the whole search, and of what a variant brackets

# The variants of dfs that stand beside each other, and what a figure calls them.
METHODS = {"ckl": "CKL-PDFS", "acr": "ACR-PDFS", "nvg": "NVG-DFS", "v4": "DiggerBees", "handoff": "handoff"}
DIGGERBEES = "v4"


def with_usual_options(rows):
    """Keeps each variant's rows that have its most common options and threads; of equally common options the last in
    the alphabet. Older rows lack options that came later."""
    counts = Counter((row["variant"], row["options"]) for row in rows)
    ranked = sorted(rows, key=lambda row: (counts[row["variant"], row["options"]], row["options"]))
    usual = {row["variant"]: row["options"] for row in ranked}
    return records.with_usual_threads([row for row in rows if agree(row["options"], usual[row["variant"]])])


def agree(some, others):
    """Whether options do not differ where both are told."""
    some, others = records.settings_of(some), records.settings_of(others)
    return all(some[name] == others[name] for name in some.keys() & others.keys())


def newest_by_size(rows, key):
    """Rows as a DataFrame, of each key the last one, small graphs first.

    key: {column to add: a function of a row, which gives None where a row does not count}"""
    place = {graph: number for number, graph in enumerate(by_size(rows))}
    known = [{**row, **{name: function(row) for name, function in key.items()}} for row in rows]
    frame = pd.DataFrame(known, columns=None if known else [*records.REQUIRED, *key]).dropna(subset=list(key))
    frame = frame.fillna("").drop_duplicates(["graph", *key], keep="last")
    return frame.sort_values(["graph", *key], key=lambda one: one.map(place) if one.name == "graph" else one)


def size_of(row):
    """Vertices and edges of a row's graph."""
    return [int(float(row[name])) for name in ("vertices", "edges")]


def by_size(rows):
    """The graphs, those with fewer edges first."""
    edges = {row["graph"]: size_of(row)[1] for row in rows}
    return sorted(edges, key=lambda graph: (edges[graph], graph))


def time_against(rival):
    """Returns the column of times that compares DiggerBees with a rival. The paper times only the tree of NVG-DFS."""
    return TREE_TIME if rival == "nvg" else TIME
