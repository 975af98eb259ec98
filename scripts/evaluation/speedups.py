"""speedups.py: how many times faster one method is than another. Tables, figures and the report all use this.

On one graph it is the ratio of the methods' mean_time_ms over sources that both have (equal_terms.py). That
is the time of the whole search, the reset of what the last one left included. kernel_ms is no common measure:
some methods reset inside their kernels, others before. It counts only where a paper times less (methods.py:
time_against). Over several graphs, the speedup is the geometric mean of its values on the graphs that both
methods ran on. The report takes another mean only where a claim quotes one, and names it.

What comes before the first search is counted apart: pays_after() says from how many searches on it pays.
"""

import math
import statistics

from evaluation.equal_terms import on_equal_terms


def search_ms(row):
    return float(row["mean_time_ms"])


def prepared_ms(row):
    """All that comes before the first search, except reading the graph: upload, index, another order."""
    return float(row["prepare_ms"]) + float(row.get("reorder_ms") or 0)


def faster(fast, slow, column="mean_time_ms"):
    """How many times faster a row is than another of its graph; None: one is not there, or took no time."""
    if not fast or not slow:
        return None
    fast_ms, slow_ms = (float(row[column]) for row in on_equal_terms([fast, slow])[0])
    return slow_ms / fast_ms if fast_ms and slow_ms else None


def times_faster(fast, slow):
    """{graph: how many times faster}, where both are; fast and slow: {graph: ms}."""
    return {graph: slow[graph] / ms for graph, ms in fast.items() if ms and slow.get(graph)}


def over_graphs(ratios):
    """The mean of what times_faster gives; all are above zero, and there is one at least."""
    return statistics.geometric_mean(ratios)


def pays_after(row, others):
    """The least k at which preparation + k searches take no longer by this row than by any of the others.

    None: another prepares less, and searches as fast."""
    searches = 1
    for other in others:
        more, saved = prepared_ms(row) - prepared_ms(other), search_ms(other) - search_ms(row)
        if more > 0 and saved <= 0:
            return None
        if more > 0:
            searches = max(searches, math.ceil(more / saved))
    return searches
