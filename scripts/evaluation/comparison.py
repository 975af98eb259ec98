"""comparison.py: how rows are compared. Claims, tables and figures all compare by these functions.

Equal terms: means are over the sources that all methods share, in the order of the GAP benchmark's list, without
those of small reach (docs/evaluations.md). Of rows of an older gtrav, which list no trials, they are the rows' own.

How many times faster one method is than another is the ratio of their mean_time_ms on one graph. kernel_ms is no
common measure: some methods reset inside their kernels, others before. It counts only where a paper times less
(numbers/diggerbees.py: TREE). Over several graphs it is the geometric mean over those that both ran on. What comes
before the first search is counted apart: pays_after().
"""

import math
import statistics
from collections import Counter
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from evaluation.files import RecordsError

TIME = "mean_time_ms"  # time of the whole search
LISTED = {TIME: "trial_ms", "mean_kernel_ms": "trial_kernel_ms"}
RATES = {"search_mteps": "trial_ms", "mteps": "trial_kernel_ms"}  # edges over these times
PICKED = "gap"  # as source of trial i: number i of the GAP benchmark's list
MOST_DIGITS = 4  # digits of the number of equal trials; gtrav lists 256
SMALL = "small reach"
SMALL_SHARE = 0.01  # share of the largest reach; gtrav itself marks such sources in a summary


class Terms(NamedTuple):
    """The sources on which rows of one graph are compared."""

    shared: int  # sources that all have
    most: int  # sources of the row that has most
    small: int = 0  # how many shared sources have a small reach and are left out of the means
    equal: bool = True  # whether all means are over the shared sources

    def __str__(self):
        if not self.equal:
            return f"{self.shared} to {self.most} sources, not the same"
        words = f"first {self.shared} of {self.most}"
        if self.shared == self.most:
            words = f"{self.most} source{'s' * (self.most != 1)}"
        return words + (f", {self.small} of {SMALL} apart" if self.small else "")


@cache
def expand(text):
    """The entries of a list of trials: "0.5*2 7" has 0.5, 0.5 and 7."""
    found = []
    for word in (text or "").split():
        entry, _, count = word.partition("*")
        if count and not (count.isdecimal() and len(count) <= MOST_DIGITS):
            raise RecordsError(f"'{word}' is no entry of a list of trials")
        found += [entry] * int(count or 1)
    return tuple(found)


def sources_of(row):
    """Returns an identifier for the source of each trial of a row; None: the row does not list all its trials."""
    count = int(float(row.get("sources") or 0))
    if not count or len(expand(row.get("trial_ms"))) != count:
        return None
    if row["source_list"] == PICKED:
        return [(PICKED, i) for i in range(count)]
    return expand(row["source_list"])


def small_reach(row):
    """The places of the sources of small reach: "3 5-7" has 3, 5, 6 and 7."""
    found = set()
    for word in (row.get("small_reach") or "").split():
        first, _, last = word.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def terms_of(rows):
    """(Terms, places of the shared sources of large reach, of those of small reach) of rows of one graph.

    Without shared sources both are empty, and rows keep their means. Rows of families that have no sources,
    such as topo, do not matter."""
    listed = [sources_of(row) for row in rows]
    counts = [int(float(row.get("sources") or 0)) for row in rows]
    lists = [sources for sources in listed if sources]
    has_old = None in listed
    shared = 0 if has_old else len([*takewhile(lambda entries: len(set(entries)) == 1, zip(*lists))])
    if not shared:
        same = len(set(counts)) == 1 and (has_old or not lists)
        return Terms(min(counts), max(counts), equal=same), [], []
    longest = max(range(len(rows)), key=lambda i: len(listed[i]))
    small = small_reach(rows[longest]) & set(range(shared))
    large = [place for place in range(shared) if place not in small]
    if not large:  # then it is no class beside another
        large, small = sorted(small), set()
    return Terms(shared, len(listed[longest]), len(small)), large, sorted(small)


def with_means_over(row, places):
    """Returns the row with means over these trials, or unchanged if it lists no trials or has no sources."""
    of_all = places == list(range(len(expand(row.get("trial_ms")))))  # the row's own mean has more digits
    if not places or not sources_of(row) or of_all:
        return row
    listed = {name: [float(entry) for entry in expand(row[name])] for name in LISTED.values()}
    means = {column: statistics.fmean(listed[name][place] for place in places) for column, name in LISTED.items()}
    edges = [float(entry) for entry in expand(row["trial_edges"])]
    for rate, name in RATES.items():
        rates = [edges[place] / listed[name][place] / 1e3 for place in places if listed[name][place]]
        means[f"mean_{rate}"] = statistics.fmean(rates) if rates else 0
        above = [one for one in rates if one > 0]  # as in gtrav's own harmonic mean
        means[f"harmonic_mean_{rate}"] = statistics.harmonic_mean(above) if above else 0
    return {**row, **{column: f"{mean:.6g}" for column, mean in means.items()}}


def on_equal_terms(rows):
    """(rows, Terms): rows of one graph with means over the shared sources of large reach."""
    terms, large, _ = terms_of(rows)
    return [with_means_over(row, large) for row in rows], terms


def size_of(row):
    """Vertices and edges of a row's graph."""
    return [int(float(row[name])) for name in ("vertices", "edges")]


def by_size(rows):
    """The graphs, those with fewer edges first."""
    edges = {row["graph"]: size_of(row)[1] for row in rows}
    return sorted(edges, key=lambda graph: (edges[graph], graph))


def of_each_graph(rows):
    """{graph: its rows}"""
    graphs = {}
    for row in rows:
        graphs.setdefault(row["graph"], []).append(row)
    return graphs


def in_words(all_terms):
    """ "64 sources"; where the Terms are not all alike, each with the number of graphs."""
    counts = Counter(str(terms) for terms in all_terms if terms.most)
    if len(counts) < 2:
        return "".join(counts)
    return "; ".join(f"{words} on {count} of the graphs" for words, count in counts.most_common())


def graph_by_graph(rows):
    """(graph, rows on equal terms, Terms) of every graph, and again of its sources of small reach."""
    for graph, known in of_each_graph(rows).items():
        terms, large, small = terms_of(known)
        yield graph, [with_means_over(row, large) for row in known], terms
        if small:
            named = [{**row, "graph": f"{graph}, {SMALL}"} for row in known]
            yield named[0]["graph"], [with_means_over(row, small) for row in named], Terms(len(small), len(small))


# ---- how many times faster ----


def search_ms(row):
    return float(row[TIME])


def prepared_ms(row):
    """Returns the ms of all preparation except reading the graph: upload, index, another order."""
    return float(row["prepare_ms"]) + float(row.get("reorder_ms") or 0)


def faster(fast, slow):
    """Returns how many times as fast a row is as another of its graph; None: one is missing or took no time."""
    if not fast or not slow:
        return None
    fast_ms, slow_ms = map(search_ms, on_equal_terms([fast, slow])[0])
    return slow_ms / fast_ms if fast_ms and slow_ms else None


def ratios(above, below):
    """{key: number above / number below}, where both are there and not 0."""
    return {key: number / below[key] for key, number in above.items() if number and below.get(key)}


def over_graphs(ratios):
    """Returns the geometric mean of one or more positive ratios."""
    return statistics.geometric_mean(ratios)


def pays_after(row, others):
    """Returns the least k for which preparation + k searches take no longer by this row than by any other row.

    None: another row prepares less and searches as fast."""
    searches = 1
    for other in others:
        more, saved = prepared_ms(row) - prepared_ms(other), search_ms(other) - search_ms(row)
        if more > 0 and saved <= 0:
            return None
        if more > 0:
            searches = max(searches, math.ceil(more / saved))
    return searches
